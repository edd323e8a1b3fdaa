"""Every public call, with each of its parameters hostile in turn: an answer, or an error that names what is wrong."""

import dataclasses
import importlib
import inspect
import math
import re
import warnings
from functools import cache

import numpy as np
import pandas as pd
import pytest

from par_core import release
from par_core.audit import Panel, audit, fit_density, queries
from par_core.audit.adversary import audit_given
from par_core.audit.attack import attack
from par_core.audit.gaussian_noise import band_limited_noise
from par_core.audit.joint import joint_audit
from par_core.audit.noise import mixture_noise
from par_core.claims import check, check_all
from par_core.cost import CostModel, FixedPlusPerHead, PiecewiseLinear, epsilon_range
from par_core.decision import BeliefWish, ErrorWish
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.evidence import Evidence
from par_core.lab.quiz import lecture
from par_core.lab.ten_students import QUERIES
from par_core.mechanisms import DiscreteLaplace, Gaussian, Laplace
from par_core.mechanisms.noisy_max import NoisyMax
from par_core.old_names import OldAttribute
from par_core.queries import Condition, Count, CountBy, Histogram, Mean, PersonCountBy, Quantile, Sum
from par_core.regression import RidgeProblem, utility
from par_core.sampling import (
    CountOf,
    HistogramOf,
    MeanOf,
    QuantileOf,
    RidgeOf,
    SensitivitySample,
    SumOf,
    VarianceOf,
    fit_population,
)
from par_core.sampling.coupled_curves import Setting
from par_core.scenario import Neighbours, Scenario

PUBLIC = (
    "claims",
    "claims.error_severity",
    "claims.theorems",
    "composition",
    "cost",
    "datasets",
    "decision",
    "lab.quiz",
    "mechanisms",
    "mechanisms.noisy_max",
    "audit",
    "sampling",
    "lab.ten_students",
    "lab.two_worlds",
    "lab.watch_it_run",
    "queries",
    "regression",
    "release",
    "published.coupled",
    "sampling.coupled_calibration",
    "sampling.coupled_curves",
    "audit.adversary",
    "audit.attack",
    "audit.auditing",
    "audit.joint",
    "audit.checks",
    "audit.drawn_densities",
    "audit.gaussian_noise",
    "audit.noise",
    "audit.other_densities",
    "audit.outputs",
    "audit.queries",
    "audit.ranking",
    "lab.a_group",
    "lab.best_of_runs",
    "lab.choose_one",
    "lab.coins",
    "lab.loss_walk",
    "lab.only_a_sample",
    "lab.refute_claim",
    "lab.which_mechanism",
    "lab.clamping",
    "lab.float_noise",
    "lab.private_average",
    "lab.published_records",
    "lab.why_the_proof_fails",
    "published.explicit",
    "published.composition",
    "published.definitions",
    "published.empirical",
    "published.pate",
    "published.regression",
    "published.sampling",
    "randomness",
    "risk.attacks",
    "risk.explicit_curves",
    "risk.loss_curves",
    "risk.relaxations",
    "risk.simulation",
    "scenario",
    "deployment",
)
# Parts of a computation: they get what the public calls have checked. (Claims and data sets are the project's own.)
INNER = re.compile(
    r"claims\.(Claim|Verdict)$|queries\.(Means|Quantile)?Answer$|queries\.asked$"
    r"|\.(prepare|differences|summary|answer_of|without|fall|fall_and_steepness|unit|asks|quantity|as_quantity|caveat|blocks|part|database)$"
    r"|^(Panel(Count|Mean|Quantile|Query|Sum|Variance)|Custom|Noisy|Randomised|ShareAbove|AskedAgain)@audit\.answer$"
    r"|audit\.Panel$|queries\.TableAmount$|scenario\.(parsed|exact_text|is_decimal)$|composition\.Accountant|datasets\.Dataset$"
)

_MASKED = np.ma.array([1.0, 2.0], mask=[False, True])
HOSTILE = {
    "nan": math.nan,
    "inf": math.inf,
    "-inf": -math.inf,
    "-1": -1,
    "0": 0,
    "5e-324": 5e-324,
    "1e-300": 1e-300,
    "1e308": 1e308,
    "True": True,
    "text": "3",
    "None": None,
    "empty": [],
    "ragged": [[1, 2], [3]],
    "masked": np.ma.masked,
    "masked array": _MASKED,
    "two": np.array([1, 2]),
    "complex": 1 + 2j,
    "object": object(),
    "2^53": 2.0**53,
    "a long whole number": 10**400,
    "yes or no": [True],
    "a set": {1, 2},
    "no rows": np.array([]),
    "a square": np.zeros((2, 2)),
    "a day": np.datetime64("2020-01-01"),
}
EXTREME = [
    *(5e-324, 1e-300, 1e-200, 1e-15, 1e-8, 0.3, 1 - 2**-53, 1.0, 50.0, 709.0, 746.0, 1e6, 1e9, 1e154, 1e300, 1.7e308),
]

ROWS = pd.DataFrame(
    {
        "who": ["a", "b", "a", "c", "d", "e"],
        "age": [17, 18, 40, 65, 33, 21],
        "sex": ["f", "m", "f", "f", "m", "m"],
        "day": pd.to_datetime(["2020-01-01"] * 3 + ["2020-02-03"] * 3),
    }
)
LONG = pd.DataFrame({"who": ["a", "b"] * 3, "year": [1, 1, 2, 2, 3, 3], "age": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]})
ADULT = Condition("age", ">=", 18)


def two_axes():
    return np.random.default_rng(1).normal(size=(3, 12))


@cache
def panel():
    return Panel.from_arrays(np.random.default_rng(5).normal(10, 1, size=(3, 5)))


@cache
def audited():
    return audit(panel(), queries.PanelMean())


@cache
def given():
    return audit_given(audited(), np.arange(5), buckets=2, fewest=2)


@cache
def both():
    return joint_audit(audited(), audit(panel(), queries.PanelSum()))


@cache
def problem():
    return RidgeProblem(np.full((6, 1), 1.0), np.linspace(0.0, 1.0, 6), names=("one",))


@cache
def planned():
    return release.plan_release(Count(ADULT), 0.5, neighbours=Neighbours.REPLACE_ONE)


@cache
def quotient():
    return release.plan_release(Mean("age", 0, 90), 0.5, neighbours=Neighbours.ADD_OR_REMOVE)


@cache
def density():
    return fit_density(np.array([0.0, 0.3, 0.4, 1.0]), bandwidth=0.5)


@cache
def band_limited():
    return band_limited_noise(1.0, 6.0)


@cache
def affordable():
    return epsilon_range(60_000, 2.5, 0.5, model=CostModel(5500, 100), truth="published")


@cache
def fitted():
    return fit_population(ROWS[["age", "sex"]])


@cache
def predicted():
    return utility(problem(), [0.5], penalty=0.1, runs=3, rng=np.random.default_rng(1))


GOOD = {
    "a": [1.0, 2.0],
    "alpha": 0.9,
    "answer": 1.0,
    "answers": np.linspace(0.0, 1.0, 12) ** 2,
    "at": lambda: audited().at(0.1),
    "at_most": 0.6,
    "b": [1.0, 3.0],
    "bandwidth": 0.5,
    "baseline": 0.1,
    "beta": 0.05,
    "bits": 5,
    "bound": 2.0,
    "bounds": (0.0, 90.0),
    "budget": 70_000.0,
    "categories": (("f", "m"),),
    "cells": 9,
    "claim": "par-theorem-4",
    "clamped": False,
    "column": "age",
    "columns": ("sex",),
    "common": [[0, 1]],
    "comparison": ">=",
    "compensation": 5500.0,
    "releases": 3,
    "loss": Laplace(1.0),
    "make": lambda: Laplace,
    "mechanism": Laplace(0.5),
    "condition": ADULT,
    "confidence": 0.9,
    "count_scale": 2.0,
    "delta": 1e-5,
    "deltas": [0.1, 0.2],
    "design": [[1.0], [1.0]],
    "digits": 3,
    "distance": 0.3,
    "environment": {"PAR_JOBS": "2"},
    "epsilon": 0.4,
    "epsilon0": 0.5,
    "epsilon1": 0.4,
    "epsilon2": 0.5,
    "epsilons": [0.1, 0.4],
    "eta": 1.1,
    "even": True,
    "fails": 0.4,
    "expected": 0.5,
    "false_positive": 0.1,
    "first": 1979,
    "fixed": 100.0,
    "found": lambda: release.synthetic_counts(1000, 3, Scenario()),
    "frequency": 0.5,
    "function": lambda: np.mean,
    "individual": 1,
    "kernel_scale": 1.0,
    "kernel_width": 1.0,
    "key": "basic",
    "kind": "laplace",
    "given": given,
    "k": 2,
    "known": lambda: np.arange(5),
    "ks": (1, 2),
    "letters": 4,
    "level": 0.9,
    "levels": ((0.1, 2), (0.2, 1)),
    "lower": 0.0,
    "lowest": 0.01,
    "masked": True,
    "max_error": 2.5,
    "mean": 1.5,
    "mean_without": 1.0,
    "measure": "range95",
    "model": CostModel(5500, 100),
    "moments": 8,
    "name": "age",
    "names": ("one",),
    "neighbours": Neighbours.REPLACE_ONE,
    "noise": 1.0,
    "number": 2,
    "numbers": (1, 2),
    "off": 3.0,
    "one": [2],
    "other": [3],
    "panel": panel,
    "parameter": "values",
    "parts": [0.1, 0.2],
    "path": "nowhere.nc",
    "people": 20,
    "penalty": 0.1,
    "per_head": 10.0,
    "permutations": 99,
    "person": "who",
    "pairs": 20,
    "planned": planned,
    "points": 7,
    "population": ROWS,
    "predictors": ("age",),
    "prior": 0.2,
    "problem": problem,
    "query": ADULT,
    "question": lambda: lecture()[0],
    "rank": 10,
    "result": audited,
    "rho": 0.2,
    "rhos": (0.1, 0.2),
    "rng": lambda: np.random.default_rng(7),
    "rows": 5,
    "rows_per_person": 2,
    "runs": 3,
    "sample": lambda: SensitivitySample([0.5, 1.0, 2.0], rows=5),
    "sampled_sensitivity": 1.5,
    "samples": 100,
    "scale": 2.0,
    "scale1": 2.0,
    "scale2": 0.5,
    "scenario": Scenario(),
    "seed": 3,
    "sensitivities": [1.0, 2.0],
    "sensitivity": 1.0,
    "series": ROWS["day"],
    "sigma": 2.0,
    "setting": Setting(),
    "share": 0.5,
    "shares": [0.25, 0.75],
    "size": 50,
    "statistics": 3,
    "student": 1,
    "sum_scale": 5.0,
    "table": ROWS,
    "target": "age",
    "target_bounds": (0.0, 90.0),
    "text": "{}",
    "threshold": 0.3,
    "times": 2,
    "to": 0.6,
    "true_positive": 0.3,
    "truth": "exact",
    "upper": 90.0,
    "value": 0.3,
    "verdict": lambda: check("par-theorem-4"),
    "verdicts": check_all,
    "verdict_of": lambda: check,
    "values": [0.5, 1.0, 2.0, 4.0],
    "votes": [[7, 2, 1], [4, 6, 0]],
    "wanted": 0.5,
    "wish": lambda: BeliefWish(0.5, 0.6),
    "wishes": lambda: [BeliefWish(0.5, 0.6), ErrorWish(3.0)],
    "within": 3.0,
    "weights": [1.0, 2.0],
    "whole": True,
    "with_all": np.linspace(0.0, 1.0, 12),
    "without": two_axes,
    "x": 0.7,
    "years": 2,
}
# Where a name means something else, or an optional parameter has to be given; and what would take long by default.
GOOD_AT = {
    "answer.person": "who",
    "answer.rows_per_person": 2,
    "blanks.person": "who",
    "blanks.rows_per_person": 2,
    "at_risk.epsilon": 0.2,
    "at_risk_as_drawn.epsilon": 0.2,
    "at_risk_preprint.epsilon": 0.2,
    "change_risk.epsilon": 0.3,
    "compare.keys": ("basic", "at_risk"),
    "compared_with_classical.noise": 1.0,
    "compose_votes.numbers": [1, 2],
    "compose.mechanisms": lambda: Laplace(0.5),
    "Condition.value": 18,
    "counterexample.many": 5,
    "coverage.samples": 20,
    "cdf.x": 0.7,
    "RiseWish.points": 0.1,
    "MoneyWish.rate": 1.0,
    "date_letters.values": ("2020", "2021"),
    "audit.query": queries.PanelMean(),
    "joint_audit.first": audited,
    "joint_audit.second": audited,
    "AuditResult.among.places": [0, 2],
    "lab.choose_one.prior": [1.0, 2.0, 1.0],
    "lab.choose_one.utilities": [3.0, 1.0, 0.0],
    "lab.choose_one.draws": 5,
    "outputs_of.table": lambda: pd.DataFrame({"a": [1.0, 2.0], "b": [2.0, 3.0]}),
    "outputs_of.first": "a",
    "outputs_of.second": "b",
    "audit.outputs.first": lambda: np.linspace(0.0, 3.0, 40) ** 2,
    "audit.outputs.second": lambda: np.linspace(-1.0, 2.0, 40) ** 3,
    "audit.outputs.claimed": Laplace(0.5),
    "lab.refute_claim.against": "curve",
    "lab.coins.people": 20,
    "lab.coins.said": 7,
    "lab.coins.true": 0.3,
    "lab.which_mechanism.measure": "average",
    "lab.which_mechanism.moves": "all",
    "as_query.query": queries.PanelMean(),
    "from_table.databases": 2,
    "quadrature_deltas.with_all": density,
    "Gaussian.for_epsilon.delta": 1e-5,
    "Question.accepts.name": "share",
    "Question.accepts.text": "36 %",
    "Gaussian.epsilon_for_scale.delta": 1e-5,
    "joined.other": lambda: Gaussian(3.0),
    "quadrature_deltas.without": lambda: [density()],
    "first_releases.number": 2,
    "published.explicit.calibrate.epsilon": 0.4,
    "published.explicit.calibrate.wanted": 0.5,
    "mechanisms.calibrate_exactly.epsilon": 0.4,
    "mechanisms.calibrate_exactly.wanted": 0.5,
    "fit_population.table": ROWS[["age", "sex"]],
    "for_confidence.wanted": 0.1,
    "for_confidence.rho": 0.9,
    "from_arrays.values": two_axes,
    "from_long.table": LONG,
    "from_long.individual": "who",
    "from_long.database": "year",
    "from_long.value": "age",
    "from_table.table": LONG,
    "from_table.individual": "who",
    "from_table.value": "age",
    "from_wide.table": lambda: pd.DataFrame(two_axes()),
    "cost.epsilon0s": (0.5, 1.0),
    "risk.explicit_curves.epsilon0s": (0.5, 1.0),
    "processed_error.truth": [0.0, 5.0],
    "share_within.truth": [1.0, 5.0],
    "fit_density.values": np.linspace(0.0, 1.0, 12) ** 2,
    "Groups.categories": ("f", "m"),
    "HistogramOf.edges": (0, 20, 90),
    "queries.Histogram.edges": (0, 20, 90),
    "edges_between.highest": 10,
    "edges_between.width": 0.01,
    "household_heads.rows": 20,
    "measured_level.noise": band_limited,
    "neighbouring_coefficients.one": [2],
    "Noisy.query": queries.PanelMean(),
    "noise_curves.noise": lambda: mixture_noise(1.0, 2.0),
    "noise_curves.size": 50,
    "PiecewiseLinear.points": ((0.1, 10.0), (1.0, 20.0)),
    "epsilon_for_query.query": Count(ADULT),
    "plan_release.query": Count(ADULT),
    "from_file.text": Scenario().to_file(),
    "wishes_in.text": Scenario().to_file(),
    "plan_in.text": Scenario().to_file(plan="1~counts"),
    "Scenario.to_file.wishes": {"we": "1"},
    "Scenario.to_file.plan": "1~counts",
    "plan_release_of.query": Count(ADULT),
    "precipitation_synthetic.years": 1,
    "mixture_noise.scale": 3.0,
    "band_limited_noise.scale": 6.0,
    "RidgeProblem.from_table.categories": {"sex": ("f", "m")},
    "RidgeProblem.from_table.predictors": ("sex", "age"),
    "RidgeProblem.from_table.table": ROWS.assign(pay=[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    "RidgeProblem.from_table.target": "pay",
    "RidgeProblem.from_table.target_bounds": (0.0, 9.0),
    "RidgeProblem.target": [0.5],
    "RidgeProblem.design": [[1.0]],
    "RidgeProblem.target_bounds": (0.0, 1.0),
    "ridge.target": [0.0, 1.0],
    "sample_sensitivity.query": MeanOf("age", (0, 90)),
    "TableMean.rows": 5,
    "Quantile.step": 1.0,
    "rank_error.candidates": 50,
    "quantile_within.planned": lambda: release.plan_release(
        Quantile("age", 0, 90, 1), 0.5, neighbours=Neighbours.ADD_OR_REMOVE
    ),
    "quantile_within.answer": lambda: Quantile("age", 0, 90, 1).answer(pd.DataFrame({"age": [3, 40]})),
    "samples_at.samples": 100,
    "samples_at.rho": 0.2,
    "simulate.size": 50,
    "student_belief.query": QUERIES[2],
    "tolerance.samples": 100,
    "error_curves.size": 50.0,
    "cells.size": 50.0,
    "epsilon0_for_release.wanted": 20.0,
    "epsilon0_for_release.size": 50.0,
    "quotient_error.size": 50.0,
    "utility.sensitivity": "proven",
}
INSTANCES = (
    lambda: NoisyMax([[7, 2, 1], [4, 6, 0]], 0.5),
    CostModel(5500, 100),
    FixedPlusPerHead(100, 10, 5),
    PiecewiseLinear([(0.1, 10), (1, 20)]),
    affordable,
    CountOf(ADULT),
    HistogramOf("age", edges=(0, 20, 90)),
    MeanOf("age", (0, 90)),
    QuantileOf("age", (0, 90)),
    RidgeOf("age", ("age",), (0, 90)),
    SumOf("age", (0, 90)),
    VarianceOf("age", (0, 90)),
    lambda: SensitivitySample([0.5, 1.0, 2.0], rows=5),
    fitted,
    lambda: fitted().columns[0],
    ADULT,
    Count(ADULT),
    CountBy(("sex",), (("f", "m"),)),
    PersonCountBy(("sex",), (("f", "m"),), person="who"),
    Histogram("age", (0, 20, 90)),
    Sum("age", 0, 90),
    Mean("age", 0, 90),
    Quantile("age", 0, 90, 1),
    lambda: release.rank_error(0.5, 1.0, 50),
    lambda: lecture()[1],
    problem,
    predicted,
    lambda: release.release_error(0.5, 1.0, k=3),
    quotient,
    lambda: quotient().quotient_error(size=50.0),
    Scenario(),
    ErrorWish(3.0),
    panel,
    audited,
    lambda: audited().at(0.1),
    given,
    both,
    lambda: attack(audited(), 1),
    density,
    band_limited,
    lambda: mixture_noise(1.0, 2.0),
    lambda: Laplace(0.5),
    lambda: DiscreteLaplace(0.5),
    lambda: Gaussian(2.0),
)


def is_checked(kind):
    """Whether a class is a dataclass of the project that looks at its parameters."""
    return dataclasses.is_dataclass(kind) and any("__post_init__" in vars(each) for each in kind.__mro__)


def public_calls():
    found, seen = {}, set()
    for place in PUBLIC:
        module = importlib.import_module(f"par_core.{place}")
        names = getattr(module, "__all__", [name for name in vars(module) if not name.startswith("_")])
        for name in names:
            thing = getattr(module, name)
            home = getattr(thing, "__module__", "") or ""
            if home != module.__name__ and not (hasattr(module, "__path__") and home.startswith(f"{module.__name__}.")):
                continue
            own = inspect.isfunction(thing) or (inspect.isclass(thing) and is_checked(thing))
            if own and thing not in seen and inspect.signature(thing).parameters:
                seen.add(thing)
                found[f"{place}.{name}"] = lambda thing=thing: thing
    for given in INSTANCES:
        kind = type(made(given))
        for name, thing in inspect.getmembers(kind):
            if (
                not name.startswith("_")
                and callable(thing)
                and not isinstance(thing, Evidence)
                and len(inspect.signature(getattr(made(given), name)).parameters)
            ):
                found[f"{kind.__name__}.{name}"] = lambda given=given, name=name: getattr(made(given), name)
    return {name: call for name, call in found.items() if not INNER.search(name)}


def made(good):
    return good() if inspect.isfunction(good) or hasattr(good, "cache_info") else good


CALLS = public_calls()


def argument(call, name):
    """Return a good value of a parameter of a call: its own, that of its package, or that of the name."""
    return made(next((GOOD_AT[each] for each in places(call, name) if each in GOOD_AT), GOOD.get(name, name)))


def places(call, name):
    return f"{call}.{name}", f"{call.rpartition('.')[2]}.{name}", f"{call.rpartition('.')[0]}.{name}"


def asked(call, changed):
    """Make a call whose parameters are good but for those that are changed."""
    function = CALLS[call]()
    parameters = inspect.signature(function).parameters.values()
    given = {
        each.name: argument(call, each.name)
        for each in parameters
        if each.kind is not each.VAR_KEYWORD
        and each.name not in changed
        and (each.default is each.empty or any(place in GOOD_AT for place in places(call, each.name)))
    }
    return function, function(**given, **changed)


def numbers_in(answer, deep=3):
    """Yield every number of an answer, with the fields and properties of the project's own records."""
    if isinstance(answer, bool | str | bytes | type(None)):
        return
    if isinstance(answer, int | float | np.number):
        yield float(answer)
    elif isinstance(answer, np.ndarray):
        if answer.dtype.kind in "fiu":
            yield from np.asarray(answer, dtype=float).ravel().tolist()
    elif isinstance(answer, tuple | list) and deep:
        for each in answer:
            yield from numbers_in(each, deep - 1)
    elif type(answer).__module__.startswith("par_core") and deep:
        names = [name for name in dir(answer) if not name.startswith("_")]
        for name in names:
            if isinstance(getattr(type(answer), name, None), OldAttribute):
                continue
            try:
                value = getattr(answer, name)
            except (ParameterError, InfeasibleError, DataError):
                continue
            if not callable(value):
                yield from numbers_in(value, deep - 1)


def documented(function, answer, word):
    text = f"{function.__doc__} {type(answer).__doc__}"
    return re.search(word, text, re.IGNORECASE) is not None


def hostile_to(call):
    """Return the parameters of a call, but for callbacks and what a record says of itself."""
    parameters = inspect.signature(CALLS[call]()).parameters.values()
    return [
        each.name
        for each in parameters
        if each.kind is not each.VAR_KEYWORD and each.name not in ("source", "limits", "parameter", "progress")
    ]


@pytest.mark.parametrize("call", CALLS)
def test_hostile_values(call):
    wrong = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            asked(call, {})
        except DataError:  # a file that is not there
            assert call.endswith("gpcp")
        for name in hostile_to(call):
            for word, value in HOSTILE.items():
                # A size of 2^53 is good, and cut to the 50 million numbers that are drawn at most: seconds, in any call.
                if (call, name, word) == ("risk.explicit_curves.simulate", "size", "2^53"):
                    continue
                trouble = trouble_with(call, {name: value})
                if trouble:
                    wrong.append(f"{name}={word}: {trouble}")
    assert not wrong, "\n".join(wrong)


def trouble_with(call, changed):
    """Return what is wrong with the answer to hostile values, in words, or None."""
    try:
        function, answer = asked(call, changed)
        numbers = list(numbers_in(answer))
    except (ParameterError, InfeasibleError, DataError):
        return None
    except Exception as error:
        return f"{type(error).__name__}: {error}"[:160]
    if any(map(math.isnan, numbers)) and not documented(function, answer, r"\bnan\b"):
        return "answers NaN"
    if any(map(math.isinf, numbers)) and not documented(function, answer, r"infinit|\binf\b"):
        return "answers infinity"
    masked = [name for name, value in changed.items() if isinstance(value, np.ma.MaskedArray)]
    if any(not isinstance(argument_or_none(call, name), bool) for name in masked):
        return "takes masked values"
    return None


def argument_or_none(call, name):
    try:
        return argument(call, name)
    except KeyError:
        return inspect.signature(CALLS[call]()).parameters[name].default


OF_NUMBERS = [
    each for each in CALLS if re.match(r"(published\.(explicit|composition|definitions)|risk|composition)", each)
]


@pytest.mark.parametrize("call", OF_NUMBERS)
def test_extreme_numbers_together(call):
    rng = np.random.default_rng(7)
    numbers = [name for name in hostile_to(call) if isinstance(argument_or_none(call, name), float)]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for _ in range(20):
            extreme = {name: float(rng.choice(EXTREME)) for name in numbers}
            assert not (trouble := trouble_with(call, extreme)), (extreme, trouble)
