"""Formulas that papers print: Theorem 4 and its inverses, how many samples, the strongest belief, what zCDP comes to."""

from __future__ import annotations

import math
import random
from typing import Any

import mpmath as mp

from benchmarks.cases import SEED
from benchmarks.extreme_values.answers import DIGITS, Answers, digits
from benchmarks.extreme_values.composition import at_best_order
from benchmarks.extreme_values.draws import level, share
from par_core.composition.accountants import of_zcdp
from par_core.mechanisms import max_posterior
from par_core.published import explicit
from par_core.sampling import coverage, rho_for, samples_needed, tolerance


def total_cdf(x: Any, k: int) -> Any:
    """P(T <= x), a mixture of Gamma distributions with one to k parts."""
    weights = (2 * mp.binomial(k - 1 + j, j) * mp.mpf(2) ** -(k + j) for j in range(k))
    return mp.fsum(weight * mp.gammainc(k - j, 0, x, regularized=True) for j, weight in enumerate(weights))


def printed(cases: Answers, number: int) -> None:
    """Theorem 4, and its inverses put back in."""
    draw = random.Random(SEED)
    for _ in range(number // 4):
        e0, k = math.exp(draw.uniform(-18, 5)), draw.choice((1, 2, 5, draw.randint(1, 60)))
        e = e0 * draw.choice((draw.random(), 1 - 10 ** draw.uniform(-12, 0), 1e-9))
        wish = draw.choice((draw.random(), 1 - 1e-9, 1e-9))
        at = (e, e0, k, wish)
        with mp.workdps(DIGITS + 4 * k):
            inside, whole = total_cdf(mp.mpf(e), k), total_cdf(mp.mpf(e0), k)
            for way in ("up", "down"):
                cases.check((*at, "t_cdf"), inside, way, explicit.t_cdf, e, k=k, strict=False)
                cases.check((*at, "confidence"), inside / whole, way, explicit.confidence, e, e0, k=k, strict=False)
            cases.check((*at, "risk"), 1 - inside / whole, "up", explicit.risk, e, e0, k=k, strict=False)
            found = cases.call(at, explicit.epsilon_at, wish, e0, k=k)
            if found is not None:
                cases.holds((*at, "epsilon_at"), wish, total_cdf(mp.mpf(found), k) / whole, "down", strict=False)
            found = cases.call(at, explicit.epsilon0_for, e, wish, k=k)
            if found is not None:
                cases.holds((*at, "epsilon0_for"), wish, inside / total_cdf(mp.mpf(found), k), "down", strict=False)


def samples(cases: Answers, number: int) -> None:
    """How many samples, and what they cover."""
    draw = random.Random(SEED)
    for _ in range(number):
        n = draw.choice((1, 2, 10, 10**6, draw.randint(1, 300)))
        rho = draw.choice((1e-4, 0.5, 1.0, 10 ** draw.uniform(-6, 0)))
        wish, part = share(draw), share(draw)
        with mp.workdps(60):
            truth = max(_within(rho, n), 0)  # below that nothing is said
            cases.check((n, rho, "tolerance"), truth, "down", tolerance, n, rho, strict=False)
            found = cases.call((rho, wish), samples_needed, rho, wish)
            if found is not None and math.isfinite(found):
                cases.holds((rho, wish, "samples"), wish, _within(rho, mp.mpf(found)), "down", strict=False)
            found = cases.call((n, wish), rho_for, n, wish)
            if found is not None:
                cases.holds((n, wish, "rho"), wish, _within(found, n), "down", strict=False)
        if n <= 300:
            rank, p = draw.randint(1, n), mp.mpf(part)
            with mp.workdps(400):
                truth = mp.fsum(mp.binomial(n, j) * p**j * (1 - p) ** (n - j) for j in range(rank))
                cases.check((n, rank, part, "coverage"), truth, "down", coverage, n, rank, share=part, strict=False)


def _within(rho: float, n: Any) -> Any:
    return 1 - 2 * mp.exp(-2 * mp.mpf(rho) ** 2 * n)


def beliefs(cases: Answers, number: int) -> None:
    """The strongest belief, and what zero-concentrated privacy comes to."""
    draw = random.Random(SEED)
    for _ in range(number):
        prior, e = share(draw), level(draw)
        with mp.workdps(digits(prior)):
            truth = mp.mpf(prior) / (prior + (1 - mp.mpf(prior)) * mp.exp(-mp.mpf(e)))
            cases.check((prior, e, "belief"), truth, "up", max_posterior, prior, e)
        rho, delta = 10 ** draw.uniform(-12, 5), 10 ** draw.uniform(-250, -0.01)
        with mp.workdps(DIGITS):
            truth = at_best_order(lambda a, rho=rho: rho * (1 + a), delta)
            cases.check((rho, delta, "zcdp"), truth, "up", of_zcdp, rho, delta=delta, strict=False)
