"""One mechanism: every answer about its loss and its error."""

from __future__ import annotations

import math
import random

import mpmath as mp

from benchmarks.cases import SEED
from benchmarks.extreme_values.answers import DIGITS, Answers, digits
from benchmarks.extreme_values.draws import below, level, share
from benchmarks.extreme_values.truths import KINDS


def mechanism(cases: Answers, number: int) -> None:
    name, draw = cases.what, random.Random(f"{SEED} {cases.what}")
    for _ in range(number):
        given = level(draw), draw.choice((1, 1, 2, 3, draw.randint(1, 40)))
        if name == "Gaussian":  # the truth of one farther apart has more digits than anybody computes
            given = math.exp(draw.uniform(-30, 5)), 1
        with mp.workdps(digits(given[0])):
            truth = cases.call(("made", *given), KINDS[name], *given)
        if truth is None:
            continue
        noise, top = truth.made, float(truth.top)
        e, rate, prior = below(draw, top), share(draw), share(draw)
        if draw.random() < 0.5:  # next to where the best attack changes
            low = math.exp(-min(top, 700.0) * draw.randint(0, given[1]) / given[1])
            low /= draw.choice((1.0, 2.0, 1 + math.exp(-min(top, 700.0))))
            rate = min(max(low * draw.choice((1.0, 1 - 1e-13, 1 + 1e-9)), 5e-324), 1.0)
        at = (name, given, e)
        with mp.workdps(digits(e, top)):
            x = mp.mpf(e)
            cases.check((*at, "delta"), truth.delta(x), "up", noise.delta, e)
            cases.check((*at, "exceeds"), truth.exceeds(x), "up", noise.loss_exceeds, e, two_sided=False)
            if name != "exponential mechanism":
                cases.check((*at, "beyond"), 1 - truth.within(x), "up", noise.loss_exceeds, e)
            cases.check((*at, "within"), truth.within(x), "down", noise.loss_within, e)
            cases.check((*at, "advantage"), truth.delta(mp.mpf(0)), "up", getattr, noise, "advantage")
            found = cases.call((*at, rate), noise.epsilon, rate)
            if found is not None:
                with mp.workdps(digits(found, top)):
                    cases.holds((*at, rate, "epsilon"), rate, truth.delta(mp.mpf(found)), "up")
        with mp.workdps(digits(rate, top if name != "Gaussian" else 1.0)):
            cases.check((*at, rate, "tradeoff"), truth.missed(mp.mpf(rate)), "down", noise.tradeoff, rate)
        if name != "Gaussian":
            with mp.workdps(digits(prior, top)):
                odds = mp.mpf(prior) / (prior + (1 - mp.mpf(prior)) * mp.exp(-truth.top))
                cases.check((*at, prior, "posterior"), odds, "up", noise.posterior, prior)
        if hasattr(noise, "exceeds"):
            off = draw.choice((0.0, draw.random() * 40 * noise.mean_error, level(draw)))
            with mp.workdps(DIGITS):
                chance = truth.error_exceeds(mp.mpf(off))
                cases.check((*at, off, "error exceeds"), chance, "up", noise.exceeds, off, strict=False)
        if name == "Laplace":
            k, part = draw.choice((1, 2, 10_000)), share(draw)
            with mp.workdps(digits(part, 1.0)):
                error = truth.error_within(mp.mpf(part), k)
                cases.check((*at, part, k, "error"), error, "up", noise.all_error, part, k, strict=False)
