"""What one release of any mechanism gives away, against epsilon: the exact counterpart of the paper's curves for Laplace noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from par_core.composition.planned_releases import as_one
from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import Mechanism, PrivacyLoss
from par_core.mechanisms.mechanism import is_noise
from par_core.parameters import check_integer, check_number, check_numbers, check_type
from par_core.scenario import Scenario

_BESIDE = 1e-13
_MOST_STEPS = 50  # of a loss with more levels than can be told apart, steps are drawn as a slope
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LossAt(Result):
    """How often the loss of one release exceeds one epsilon, in size and as it is, and the smallest delta that goes with it."""

    name: str
    epsilon: float
    epsilon0: float
    two_sided: float
    one_sided: float
    delta: float
    largest: float
    QUANTITIES = quantities(
        two_sided=stated("share", "up"), one_sided=stated("share", "up"), delta=stated("share", "up")
    )
    evidence = Evidence(PROVEN, source="privacy loss distribution of the mechanism", limits="worst-case neighbours")


@dataclass(frozen=True)
class LossCurves(Result):
    """The same of `LossAt` against epsilon, all of shape (points,), with both sides of every jump."""

    name: str
    epsilon0: float
    epsilon: _Floats
    two_sided: _Floats
    one_sided: _Floats
    delta: _Floats
    evidence = Evidence(PROVEN, source=LossAt.evidence.source)


def loss_at(scenario: Scenario, epsilon: float) -> LossAt:
    """Return what one release of a scenario gives away beyond epsilon, at least 0.

    >>> found = loss_at(Scenario(epsilon0=1.0, mechanism="randomised-response"), 0.5)
    >>> found.two_sided, round(found.delta, 4)
    (1.0, 0.2876)
    """
    level, release = check_number("epsilon", epsilon, at_least=0.0), as_one(check_type("scenario", scenario, Scenario))
    return LossAt(
        _named(scenario.release),
        level,
        scenario.epsilon0,
        float(release.loss_exceeds(level)),
        float(release.loss_exceeds(level, two_sided=False)),
        float(release.delta(level)),
        float(release.largest_loss),
    )


def loss_curves(
    scenario: Scenario, epsilon0s: Sequence[float] | None = None, *, points: int = 201
) -> tuple[LossCurves, ...]:
    """Return the curves of a scenario's mechanism for each of several epsilon0, by default the scenario's own, on one axis.

    The axis ends a little past the largest loss, and at twice epsilon0 where there is none.
    """
    check_type("scenario", scenario, Scenario)
    levels = (
        [scenario.epsilon0] if epsilon0s is None else check_numbers("epsilon0s", epsilon0s, above=0.0).ravel().tolist()
    )
    scenarios = [replace(scenario, epsilon0=level) for level in levels]
    releases = [as_one(each) for each in scenarios]
    ends = [
        1.05 * level if np.isfinite(each.largest_loss) else 2.0 * level
        for level, each in zip(levels, releases, strict=True)
    ]
    axis = np.linspace(0.0, max(ends), check_integer("points", points, at_least=2, at_most=100_000))
    return tuple(_curves(each, release, axis) for each, release in zip(scenarios, releases, strict=True))


def _curves(scenario: Scenario, release: PrivacyLoss, axis: _Floats) -> LossCurves:
    epsilon = np.union1d(axis, _jumps(scenario, float(axis[-1])))
    return LossCurves(
        _named(scenario.release),
        scenario.epsilon0,
        epsilon,
        np.asarray(release.loss_exceeds(epsilon)),
        np.asarray(release.loss_exceeds(epsilon, two_sided=False)),
        np.asarray(release.delta(epsilon)),
    )


def _named(release: Mechanism) -> str:
    if is_noise(release):
        return f"{release.name} noise"
    return f"the {release.name}" if release.name.endswith("mechanism") else release.name


def _jumps(scenario: Scenario, end: float) -> _Floats:
    """Return both sides of the levels at which the loss can have a probability of its own: else a line would slant across."""
    (each, times), largest = scenario.by_statistic, float(scenario.release.largest_loss)
    steps = None if each.loss_steps is None else times * each.loss_steps
    if not np.isfinite(largest):
        return np.empty(0)
    at = [largest, 0.5 * largest]
    if steps is not None and steps <= _MOST_STEPS:
        at += np.abs(largest * (1.0 - 2.0 * np.arange(steps + 1) / steps)).tolist()
    inside = np.array([each for each in at if 0.0 < each <= end])
    # The last digits of such a level are the mechanism's own: a little to both sides is beside it for certain.
    return np.concatenate([inside * (1.0 - _BESIDE), inside, np.minimum(inside * (1.0 + _BESIDE), end)])
