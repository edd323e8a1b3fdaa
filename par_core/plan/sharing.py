"""Who gets how much of epsilon0: so that every wish is missed by the same factor, or so that a weighted error is least."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.mechanisms import NOISES
from par_core.parameters import check_numbers, check_type
from par_core.plan.plan import Plan
from par_core.roots import crossing

_SMALLEST, _LARGEST = 1e-6, 700.0  # levels that are looked at
_FARTHEST, _STRIDE = 20.0, 1.0  # of the factor, as a logarithm
_CLOSE = 1e-9
_SOURCE = "quantiles of the noise of each release, solved for its level"


@dataclass(frozen=True)
class Shared(Result):
    """A plan whose weights make each error `factor` times what was wished; `epsilon0` is the level that meets all wishes."""

    plan: Plan
    factor: float
    epsilon0: float
    evidence = Evidence(PROVEN, source=_SOURCE)


def share_by_wishes(plan: Plan, wishes: Sequence[float], *, share: float = 0.95) -> Shared:
    """Share out epsilon0 so that every error, in 95 of 100 releases unless `share` says otherwise, is the same factor of what is wished.

    `wishes` are the largest errors that will do, above 0, one for each release in its unit. InfeasibleError where a wish is met at no
    level up to 700, or at every one.
    """
    check_type("plan", plan, Plan)
    wanted = check_numbers("wishes", wishes, above=0.0)
    if wanted.shape != (len(plan.releases),):
        raise ParameterError(f"wishes must be one for each of {len(plan.releases)} releases, got shape {wanted.shape}")

    needs = [_Need(plan, at, wish, share) for at, wish in enumerate(wanted.tolist())]

    def needed(log_factor: float) -> NDArray[np.float64]:
        """Return the level that each release needs; those in L2 get theirs of what all of them need together."""
        levels = np.array([each.level(log_factor) for each in needs])
        in_l2 = np.array([each.norm == "L2" for each in plan.releases])
        if in_l2.sum() > 1 and np.isfinite(levels).all():
            moved = np.array([_moved(plan, float(each)) ** 2 for each in levels[in_l2]])
            levels[in_l2] = _level_of(plan, math.sqrt(moved.sum())) * moved / moved.sum()
        return levels

    def too_much(log_factor: float) -> float:
        return float(needed(log_factor).sum()) - plan.epsilon0

    all_met, low, high = float(needed(0.0).sum()), 0.0, 0.0
    while too_much(high) > 0.0 and high < _FARTHEST:
        low, high = high, high + _STRIDE
    while too_much(low) < 0.0 and low > -_FARTHEST:
        low, high = low - _STRIDE, low
    if not too_much(high) <= 0.0 <= too_much(low):
        raise InfeasibleError("no factor is the same for all wishes: one of them is met at every level, or at none")
    levels = needed(crossing(too_much, low, high, rtol=_CLOSE) if low < high else low)
    weighed = (
        replace(each, weight=float(f"{w:.7g}")) for each, w in zip(plan.releases, levels / levels.max(), strict=True)
    )
    found = replace(plan, releases=tuple(weighed))
    errors = [found.error(at, share) / float(each) for at, each in enumerate(wanted)]
    return Shared(found, max(errors), all_met)


def share_by_weights(plan: Plan, weights: Sequence[float], *, share: float = 0.95) -> Plan:
    """Share out epsilon0 so that all errors, in 95 of 100 releases unless `share` says otherwise, add up to little by their weights.

    The weights, above 0, put the errors into one unit; the sum is the least that a search finds. Errors as in `share_by_wishes`.
    """
    check_type("plan", plan, Plan)
    each = check_numbers("weights", weights, above=0.0)
    if each.shape != (len(plan.releases),):
        raise ParameterError(f"weights must be one for each of {len(plan.releases)} releases, got shape {each.shape}")

    def weighed(logs: NDArray[np.float64]) -> Plan:
        given = np.exp(np.clip(logs - logs.max(), -18.0, 0.0))
        return replace(
            plan, releases=tuple(replace(one, weight=float(w)) for one, w in zip(plan.releases, given, strict=True))
        )

    def lost(logs: NDArray[np.float64]) -> float:
        tried = weighed(logs)
        return math.log(math.fsum(w * tried.error(at, share) for at, w in enumerate(each.tolist())))

    errors = np.array([plan.error(at, share) for at in range(len(each))])
    start = np.log([one.weight for one in plan.releases]) + 0.5 * np.log(
        each * errors
    )  # exact for noise of scale 1/level
    return weighed(minimize(lost, start, method="Nelder-Mead", options={"xatol": 1e-5, "fatol": 1e-10}).x)


class _Need:
    """The level that one release needs to miss its wish by a factor at most; each that is found narrows the search for the others."""

    def __init__(self, plan: Plan, at: int, wish: float, share: float) -> None:
        self._plan, self._release, self._wish, self._share = plan, plan.releases[at], wish, share
        self._found: dict[float, float] = {}

    def level(self, log_factor: float) -> float:
        """Return the smallest level, infinity where there is none."""
        low = max((level for other, level in self._found.items() if other >= log_factor), default=_SMALLEST)
        high = min((level for other, level in self._found.items() if other <= log_factor), default=_LARGEST)
        level = max(low, high)
        if high > low * (1.0 + _CLOSE):
            level = self._between(max(low * (1.0 - 2.0 * _CLOSE), _SMALLEST), min(high, _LARGEST), log_factor)
        return self._found.setdefault(log_factor, level)

    def _between(self, low: float, high: float, log_factor: float) -> float:
        error = self._wish * math.exp(log_factor)

        def excess(log_level: float) -> float:
            plan = self._plan
            made = self._release.made(math.exp(log_level), neighbours=plan.neighbours, delta=plan.delta)
            return self._release.excess(made, error, self._share)

        ends = math.log(low), math.log(high)
        if excess(ends[1]) > 0.0:
            return math.inf if high == _LARGEST else high  # that is enough for a smaller factor, but for rounding
        if excess(ends[0]) <= 0.0:
            return low
        return math.exp(crossing(excess, *ends, rtol=_CLOSE))


def _moved(plan: Plan, level: float) -> float:
    """Return by how many standard deviations of its noise one person moves a release in L2 at a level."""
    return 1.0 / float(NOISES["gaussian"].for_epsilon(level, sensitivity=1.0, delta=plan.delta).scale)


def _level_of(plan: Plan, moved: float) -> float:
    unit = NOISES["gaussian"].for_epsilon(1.0, sensitivity=1.0, delta=plan.delta)
    joint = replace(unit, sensitivity=moved * float(unit.scale))  # type: ignore[type-var]  # noise is a dataclass
    return float(joint.epsilon(plan.delta))
