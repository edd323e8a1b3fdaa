"""Releases of randomised response, of Gaussian noise, and one of Laplace noise: the ends enclose the truth, accountants stay above."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from functools import partial
from typing import Any

import mpmath as mp

from benchmarks.cases import SEED
from benchmarks.extreme_values.answers import DIGITS, Answers
from benchmarks.extreme_values.truths import OfLaplace, gaussian_delta
from par_core.composition import basic, compose, exact, optimal_pure
from par_core.composition.accountants import advanced, rdp, zcdp
from par_core.mechanisms import Gaussian, Laplace, RandomisedResponse


def response_after(epsilon0: Any, number: int, e: Any) -> Any:
    """Delta of so many releases of randomised response with two categories: the worst of every pure mechanism."""
    truth = 1 / (1 + mp.exp(-epsilon0))
    losses = ((flips, (number - 2 * flips) * epsilon0) for flips in range(number // 2 + 1))
    return mp.fsum(
        mp.binomial(number, flips) * truth**number * mp.exp(-flips * epsilon0) * -mp.expm1(e - loss)
        for flips, loss in losses
        if loss > e
    )


def _advanced(e0: Any, times: int, delta: float) -> Any:
    return e0 * mp.sqrt(2 * times * -mp.log(delta)) + times * e0 * mp.expm1(e0)


def _renyi(above: Any, e0: Any) -> Any:
    order = 1 + above
    inside = order / (2 * order - 1) * mp.exp((order - 1) * e0) + (order - 1) / (2 * order - 1) * mp.exp(-order * e0)
    return mp.log(inside) / above


def at_best_order(divergence: Callable[[Any], Any], delta: float) -> Any:
    def epsilon(log_above: Any) -> Any:
        above = mp.exp(log_above)
        return divergence(above) - mp.log1p(1 / above) - (mp.log(delta) + mp.log1p(above)) / above

    start = min(range(-12, 17), key=epsilon)
    low, high = mp.mpf(start - 1), mp.mpf(start + 1)
    for _ in range(70):
        one, two = low + (high - low) / 3, high - (high - low) / 3
        low, high = (low, two) if epsilon(one) < epsilon(two) else (one, high)
    return max(epsilon((low + high) / 2), 0)


ACCOUNTANTS: dict[Callable[..., float], Callable[[Any, int, float], Any]] = {
    basic: lambda e0, times, _: e0 * times,
    advanced: _advanced,
    zcdp: lambda e0, times, delta: min(at_best_order(lambda a: e0**2 / 2 * times * (1 + a), delta), e0 * times),
    rdp: lambda e0, times, delta: min(at_best_order(lambda a: times * _renyi(a, e0), delta), e0 * times),
}


def composition(cases: Answers, number: int) -> None:
    draw = random.Random(SEED)
    for _ in range(number // 4):
        e0 = draw.choice((1e-8, 1e-6, 0.5, 50.0, math.exp(draw.uniform(-14, 3.9))))
        times = draw.choice((1, 2, 3, 10, draw.randint(1, 400)))
        delta = draw.choice((1e-15, 1e-5, 0.5, 10 ** draw.uniform(-250, -0.01)))
        at, level0 = (e0, times, delta), mp.mpf(e0)
        with mp.workdps(2 * DIGITS):
            kinds: Any = {"response": (RandomisedResponse(e0), partial(response_after, level0, times))}
            if e0 < 5:
                mu = mp.mpf(1) / mp.mpf(e0 and 1 / e0) * mp.sqrt(times)
                kinds["Gaussian"] = Gaussian(1 / e0), partial(gaussian_delta, mu)
            if times == 1:
                kinds["Laplace"] = Laplace(e0), OfLaplace(e0, 1).delta
            for kind, (made, after) in kinds.items():
                case = (kind, *at)
                found = cases.call(case, exact, made, times, delta=delta)
                if found is None:
                    continue
                if not found.lower <= found.value <= found.upper:
                    cases.wrong.append(f"ends that enclose nothing: {case}")
                cases.holds((*case, "upper"), delta, after(mp.mpf(found.upper)), "up")
                if found.lower > 0:
                    gap = mp.mpf(found.lower) * (1 - mp.mpf(10) ** -30)
                    cases.holds((*case, "lower"), delta, after(gap), "down")
                cases.check(
                    (*case, "delta"), after(level0), "up", lambda made=made, at=at: compose(made, at[1]).delta(at[0])
                )
            found = cases.call(at, optimal_pure, e0, times, delta=delta)
            if found is not None:
                cases.holds((*at, "optimal"), delta, response_after(level0, times, mp.mpf(found)), "up")
            for accountant, truth in ACCOUNTANTS.items():
                name, known = accountant.__name__, truth(level0, times, delta)
                cases.check((*at, name), known, "up", accountant, e0, times, delta=delta, strict=False)
