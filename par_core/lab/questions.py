"""The twelve questions of the quiz: what each takes, which values of it make sense, and how its answer is computed.

Each takes some given numbers. The lecture's stand here; a reader's own ε and δ change some of them, and each of a class gets others out
of `variants`, in which no answer is trivial. `solve` broadcasts over the number that `along` varies, for the picture.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.composition import basic, exact
from par_core.evidence import ESTIMATE, Evidence, Quantity, Stated, evidence_of, stated
from par_core.lab.clamping import ClampedNoise
from par_core.lab.published_records import PublishedRecords
from par_core.mechanisms import DiscreteLaplace, Gaussian, Laplace, RandomisedResponse, max_posterior
from par_core.parameters import FloatOrArray
from par_core.release import processed_error
from par_core.risk import explicit_curves

Given = Mapping[str, float]
Floats = NDArray[np.float64]

_SURE = 0.95  # that neither of the two bounds on an event is wrong
_POINTS = 41


@dataclass(frozen=True)
class Kind:
    """One of the twelve: `answers` says what each number asked for is, with its label; what is `explained` is told with them.

    A `whole` answer must be right to the unit. `own` gives what a reader's ε and δ change, `along` the number on the axis of the
    picture and the values that it takes there.
    """

    key: str
    lecture: Given
    variants: tuple[Given, ...]
    solve: Callable[..., dict[str, FloatOrArray]]
    answers: Mapping[str, tuple[str, Stated]]
    along: Callable[[Given], tuple[str, Floats]]
    source: str
    whole: bool = False
    own: Callable[[float, float], Given] = lambda _epsilon, _delta: {}
    explained: Callable[..., dict[str, Quantity | float]] = lambda **_given: {}


def _grid(**axes: tuple[float, ...]) -> list[dict[str, float]]:
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


def _spread(name: str, low: float, high: float) -> tuple[str, Floats]:
    return name, np.linspace(low, high, _POINTS)


def _counted(name: str, low: float, high: float) -> tuple[str, Floats]:
    return name, np.unique(np.linspace(low, high, _POINTS).round())


def _shown(value: float) -> float:
    """Round to the digits with which a given number is written, so that the one that is read is the one that is used."""
    return float(f"{value:.4g}")


# --- an average, twice -------------------------------------------------------------------------------------------------


def _grade(students: FloatOrArray, mean: FloatOrArray, after: FloatOrArray) -> dict[str, FloatOrArray]:
    return {"grade": np.round(students * mean - (students - 1) * after, 6)}


_AVERAGES = tuple(
    {"students": students, "mean": mean, "after": round(mean + risen, 1)}
    for students, mean, risen in product((21, 26, 41, 51), (70, 75, 80, 85, 90), (-0.2, 0.4, 0.6, 0.8, 1.0))
)

# --- coins -------------------------------------------------------------------------------------------------------------


def _response(yes: FloatOrArray, people: FloatOrArray, heads: FloatOrArray) -> dict[str, FloatOrArray]:
    coins = RandomisedResponse(math.log((1 + heads) / (1 - heads)))  # truth with heads + (1 - heads)/2
    found = [coins.estimate(int(each), int(people)) for each in np.atleast_1d(yes)]
    shares = np.array([each.share for each in found])
    return {"share": shares if np.ndim(yes) else shares[0], "deviation": found[0].deviation, "level": coins.epsilon0}


def _coins_explained(yes: float, people: float, heads: float) -> dict[str, Quantity | float]:
    return {"rate": yes / people, "blind": (1 - heads) / 2, "odds": (1 + heads) / (1 - heads)}


_RESPONSES = tuple(
    {"yes": round(people * ((1 - heads) / 2 + heads * share / 100)), "people": people, "heads": heads}
    for people, heads, share in product((1000, 2000), (0.4, 0.5, 0.6), (*range(22, 46),))
)

# --- what one release gives away ---------------------------------------------------------------------------------------


def _loss(epsilon0: FloatOrArray, epsilon: FloatOrArray) -> dict[str, FloatOrArray]:
    return {"exceeds": Laplace(epsilon0).loss_exceeds(epsilon)}


def _claimed(epsilon0: float, epsilon: float) -> dict[str, Quantity | float]:
    return {"claimed": explicit_curves.risk_at(epsilon, epsilon0).quantity("risk")}


def _belief(prior: FloatOrArray, epsilon: FloatOrArray) -> dict[str, FloatOrArray]:
    return {"belief": max_posterior(prior, epsilon)}


def _hits(false_positive: FloatOrArray, epsilon: FloatOrArray) -> dict[str, FloatOrArray]:
    return {"hits": 1.0 - RandomisedResponse(epsilon).tradeoff(false_positive)}  # no pure mechanism loses more


def _reported(false_positive: float, epsilon: float) -> dict[str, Quantity | float]:
    del epsilon  # ten times as many is too many for each that is asked about: below ln 10
    return {"reported": 10 * false_positive}


def _invented(cells: FloatOrArray, epsilon: FloatOrArray) -> dict[str, FloatOrArray]:
    return {"people": cells * processed_error(0, np.divide(1.0, epsilon), whole=True, clamped=True).bias}


# --- many releases, many counts ----------------------------------------------------------------------------------------


def _added(releases: FloatOrArray, epsilon: FloatOrArray) -> dict[str, FloatOrArray]:
    return {"total": basic(epsilon, releases)}


def _spent(releases: FloatOrArray, epsilon: FloatOrArray, delta: FloatOrArray) -> dict[str, FloatOrArray]:
    return {"spent": exact(epsilon, releases, delta=delta).upper}


def _spent_explained(releases: float, epsilon: float, delta: float) -> dict[str, Quantity | float]:
    del delta
    return {"total": Quantity(basic(epsilon, releases), "level", evidence_of(basic))}


def _crossing(epsilon: FloatOrArray, delta: FloatOrArray) -> dict[str, FloatOrArray]:
    """One person moves each of k counts by 1: the error of Laplace noise grows with k, that of Gaussian noise with its root."""
    one = Laplace(epsilon).mean_error, Gaussian.for_epsilon(epsilon, sensitivity=1.0, delta=delta).mean_error
    return {"counts": np.floor(np.square(np.divide(one[1], one[0]))) + 1}


def _crossing_explained(epsilon: float, delta: float) -> dict[str, Quantity | float]:
    counts = int(_crossing(epsilon, delta)["counts"])
    gaussian = Gaussian.for_epsilon(epsilon, sensitivity=math.sqrt(counts), delta=delta)
    laplace = Laplace(epsilon, counts)
    return {
        "plain": Quantity(laplace.mean_error, "error", laplace.evidence, "up"),
        "normal": Quantity(gaussian.mean_error, "error", gaussian.evidence, "up"),
    }


# --- what goes wrong ---------------------------------------------------------------------------------------------------


def _ruled_out(bound: FloatOrArray, epsilon: FloatOrArray) -> dict[str, FloatOrArray]:
    """Chance that the noise is cut off below, q^bound/(1 + q): the lowest released number is none of the other table's."""
    noise = DiscreteLaplace(epsilon)
    return {"ruled_out": np.exp(-np.asarray(bound) * noise.epsilon0) / (1.0 + np.exp(-noise.epsilon0))}


def _bounds(first: FloatOrArray, second: FloatOrArray, runs: FloatOrArray) -> tuple[FloatOrArray, FloatOrArray]:
    """Lower bound of one chance and upper bound of another (Clopper-Pearson), both right with a probability of at least 95 %."""
    wrong = (1.0 - _SURE) / 2
    return special.betaincinv(first, runs - first + 1, wrong), special.betainccinv(second + 1, runs - second, wrong)


def _refuted(first: FloatOrArray, second: FloatOrArray, runs: FloatOrArray) -> dict[str, FloatOrArray]:
    least, most = _bounds(first, second, runs)
    return {"refuted": np.log(least / most)}


def _refuted_explained(first: float, second: float, runs: float) -> dict[str, Quantity | float]:
    least, most = (float(each) for each in _bounds(first, second, runs))
    counted = Evidence(ESTIMATE, source="ends of Clopper and Pearson")
    return {"least": Quantity(least, "share", counted, "down"), "most": Quantity(most, "share", counted, "up")}


def _published(people: FloatOrArray, delta: FloatOrArray) -> dict[str, FloatOrArray]:
    return {"somebody": -np.expm1(people * np.log1p(-delta))}


def _expected(people: float, delta: float) -> dict[str, Quantity | float]:
    return {"expected": people * delta}


_LEVELS = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.2, 1.5, 2.0)
_WEEKS = (26, 30, 36, 40, 48, 52, 60, 72, 80, 96)
_LOSS_LAW = "privacy loss distribution of Laplace noise"
_OPPOSITE = "post-processing and the definition of differential privacy"

KINDS: Final[tuple[Kind, ...]] = (
    Kind(
        "grade",
        {"students": 40, "mean": 90, "after": 91},
        _AVERAGES,
        _grade,
        {"grade": ("Grade", stated("number"))},
        lambda at: _spread("after", *((at["students"] * at["mean"] - end) / (at["students"] - 1) for end in (100, 0))),
        "the difference of two sums",
        whole=True,
        explained=lambda students, **_: {"others": students - 1},
    ),
    Kind(
        "response",
        {"yes": 430, "people": 1000, "heads": 0.5},
        _RESPONSES,
        _response,
        {
            "share": ("Estimated share, in %", stated("share", basis=ESTIMATE)),
            "deviation": ("Its standard deviation, in percentage points", stated("points", "up", ESTIMATE)),
            "level": ("ε of each answer", stated("level")),
        },
        lambda at: _counted("yes", at["people"] * (1 - at["heads"]) / 2, at["people"] * (1 + at["heads"]) / 2),
        "distribution of randomised response",
        explained=_coins_explained,
    ),
    Kind(
        "loss",
        {"epsilon0": 1.0, "epsilon": 0.5},
        tuple(
            {"epsilon0": level, "epsilon": _shown(part * level)}
            for level, part in product((0.6, 0.8, 1.0, 1.2, 1.5, 1.6, 1.8, 2.0), (0.2, 0.3, 0.4, 0.5, 0.6, 0.7))
        ),
        _loss,
        {"exceeds": ("Share of releases, in %", stated("share", "up"))},
        lambda at: _spread("epsilon", 0.0, 0.999 * at["epsilon0"]),
        _LOSS_LAW,
        own=lambda epsilon, _: {"epsilon0": epsilon, "epsilon": _shown(epsilon / 2)},
        explained=_claimed,
    ),
    Kind(
        "belief",
        {"prior": 0.1, "epsilon": 1.0},
        tuple(_grid(prior=(0.01, 0.02, 0.05, 0.15, 0.2, 0.3), epsilon=_LEVELS)),
        _belief,
        {"belief": ("Highest belief, in %", stated("share", "up"))},
        lambda _: _spread("prior", 0.0, 1.0),
        "Bayes' rule",
        own=lambda epsilon, _: {"epsilon": epsilon},
    ),
    Kind(
        "hits",
        {"false_positive": 0.01, "epsilon": 1.0},
        tuple(_grid(false_positive=(0.005, 0.01, 0.02, 0.03, 0.04, 0.05), epsilon=_LEVELS)),
        _hits,
        {"hits": ("Highest TPR, in %", stated("share", "up"))},
        lambda at: _spread("false_positive", 0.0, 5 * at["false_positive"]),
        "trade-off function of all pure mechanisms",
        own=lambda epsilon, _: {"epsilon": epsilon},
        explained=_reported,
    ),
    Kind(
        "invented",
        {"cells": 1000, "epsilon": 1.0},
        tuple(_grid(cells=(300, 500, 800, 1200, 2000), epsilon=_LEVELS)),
        _invented,
        {"people": ("People on average", stated("number"))},
        lambda at: _spread("epsilon", at["epsilon"] / 3, 3 * at["epsilon"]),
        "distribution of discrete Laplace noise",
        own=lambda epsilon, _: {"epsilon": epsilon},
    ),
    Kind(
        "added",
        {"releases": 52, "epsilon": 0.1},
        tuple(_grid(releases=_WEEKS, epsilon=(0.05, 0.08, 0.12, 0.15, 0.2))),
        _added,
        {"total": ("ε of all together", stated("level"))},
        lambda at: _counted("releases", 1, 2 * at["releases"]),
        "basic composition",
        own=lambda epsilon, _: {"epsilon": _shown(epsilon / 10)},
    ),
    Kind(
        "spent",
        {"releases": 52, "epsilon": 0.1, "delta": 1e-6},
        tuple(_grid(releases=_WEEKS, epsilon=(0.05, 0.08, 0.12, 0.15, 0.2), delta=(1e-5, 1e-6, 1e-7))),
        _spent,
        {"spent": ("ε of all together", stated("level", "up"))},
        lambda at: _counted("releases", 1, 2 * at["releases"]),
        "n-fold convolution of the privacy loss distribution",
        own=lambda epsilon, delta: {"epsilon": _shown(epsilon / 10), "delta": delta},
        explained=_spent_explained,
    ),
    Kind(
        "crossing",
        {"epsilon": 1.0, "delta": 1e-6},
        tuple(_grid(epsilon=_LEVELS, delta=(1e-4, 1e-5, 1e-7, 1e-8, 1e-9))),
        _crossing,
        {"counts": ("Number of counts", stated("number"))},
        lambda at: ("delta", np.geomspace(at["delta"] / 1e3, min(at["delta"] * 1e3, 0.01), _POINTS)),
        "exact calibration of both noises",
        whole=True,
        own=lambda epsilon, delta: {"epsilon": epsilon, "delta": delta},
        explained=_crossing_explained,
    ),
    Kind(
        "clamped",
        {"bound": 5, "epsilon": 1.0},
        tuple(
            each for each in _grid(bound=(*range(2, 16),), epsilon=_LEVELS) if 1 <= each["bound"] * each["epsilon"] <= 5
        ),
        _ruled_out,
        {"ruled_out": ("Share of releases, in %", ClampedNoise.QUANTITIES["impossible"])},
        lambda at: _counted("bound", 1, 2 * at["bound"]),
        _OPPOSITE,
        own=lambda epsilon, _: {"epsilon": epsilon, "bound": max(round(5 / epsilon), 1)},
    ),
    Kind(
        "refuted",
        {"first": 500, "second": 100, "runs": 10_000},
        tuple(
            each
            for each in _grid(first=(*range(350, 901, 50),), second=(60, 80, 100, 120, 150), runs=(10_000,))
            if each["first"] >= 3 * each["second"]
        ),
        _refuted,
        {"refuted": ("Every ε below", stated("level", "down", ESTIMATE))},
        lambda at: _counted("first", 2 * at["second"], 2 * at["first"]),
        "two bounds of Clopper and Pearson, each wrong with a probability of at most 2.5 %",
        explained=_refuted_explained,
    ),
    Kind(
        "somebody",
        {"people": 100_000, "delta": 1e-5},
        tuple(
            _grid(
                people=(2000, 3000, 5000, 7000, 8000, 11_000, 13_000, 17_000),
                delta=(1e-5, 2e-5, 3e-5, 5e-5, 8e-5, 1e-4),
            )
        ),
        _published,
        {"somebody": ("Probability, in %", PublishedRecords.QUANTITIES["each_alone"])},
        lambda at: _counted("people", 1, 3 * at["people"]),
        "independent draws",
        own=lambda _, delta: {"people": round(1 / delta), "delta": delta},
        explained=_expected,
    ),
)
