"""Every mechanism, every question: against quadrature over the answers themselves, and against what riskcal and gdpnum find.

The quadrature knows the two laws of the answer, of the true table and of its neighbour, and nothing else: no privacy loss in closed form.
Sampled neighbours are asked in test_mechanisms.py, with their false-alarm rates.
"""

import csv
import math
from functools import cache
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest
from scipy import optimize, special

from par_core.composition import compose
from par_core.mechanisms import (
    MECHANISMS,
    DiscreteLaplace,
    Exponential,
    Gaussian,
    Laplace,
    PermuteAndFlip,
    RandomisedResponse,
)


class Answers:
    """A list of answers, with how likely each is under the true table and under its neighbour."""

    def __init__(self, own, other):
        order = np.argsort(-np.asarray([float(mp.log(p / q)) for p, q in zip(own, other, strict=True)]), kind="stable")
        self.own, self.other = ([each[at] for at in order] for each in (own, other))
        self.loss = [mp.log(p / q) for p, q in zip(self.own, self.other, strict=True)]

    def delta(self, epsilon):
        return mp.fsum(max(p - mp.exp(epsilon) * q, 0) for p, q in zip(self.own, self.other, strict=True))

    def exceeds(self, epsilon, *, two_sided):
        rounding = mp.mpf(10) ** -20  # a loss of the very level is not larger
        lost = [abs(each) if two_sided else each for each in self.loss]
        return mp.fsum(p for p, each in zip(self.own, lost, strict=True) if each > epsilon + rounding)

    def missed(self, rate):
        """Take the answers by falling likelihood ratio (Neyman and Pearson), the last one in part."""
        left, missed = mp.mpf(rate), mp.mpf(1)
        for p, q in zip(self.own, self.other, strict=True):
            part = min(left / q, 1)
            missed, left = missed - part * p, left - part * q
        return missed

    def strongest(self, prior):
        return max(prior * p / (prior * p + (1 - prior) * q) for p, q in zip(self.own, self.other, strict=True))


class Line:
    """Noise on a line, whose neighbour lies above: the loss falls with the answer. Integrals are taken of the density alone."""

    def __init__(self, density, apart, reach):
        self.density, self.apart, self.reach = density, mp.mpf(apart), mp.mpf(reach)

    def below(self, x, *, at=0):
        """Chance of an answer below x of noise around a point."""
        edges = sorted({-self.reach, mp.mpf(at), mp.mpf(x), self.reach + self.apart})
        edges = [each for each in edges if each <= x]
        return mp.quad(lambda each: self.density(each - at), edges) if len(edges) > 1 else mp.mpf(0)

    def loss(self, x):
        return mp.log(self.density(x) / self.density(x - self.apart))

    def where(self, epsilon):
        """The answer below which the loss is larger: by halving."""
        low, high = -self.reach, self.reach + self.apart
        for _ in range(100):
            middle = (low + high) / 2
            low, high = (middle, high) if self.loss(middle) > epsilon else (low, middle)
        return low

    def delta(self, epsilon):
        x = self.where(epsilon)
        return self.below(x) - mp.exp(epsilon) * self.below(x, at=self.apart)

    def exceeds(self, epsilon, *, two_sided):
        beyond = 1 - self.below(self.where(-epsilon)) if two_sided else 0  # no answer has a loss of that very level
        return self.below(self.where(epsilon)) + beyond

    def missed(self, rate):
        ends = float(-self.reach), float(self.reach + self.apart)
        return 1 - self.below(optimize.brentq(lambda x: float(self.below(x, at=self.apart) - rate), *ends, xtol=1e-13))

    def strongest(self, prior):
        odds = prior / (1 - prior) * mp.exp(self.loss(-self.reach))
        return odds / (1 + odds)


class Choices:
    """Two candidates whose utilities neighbours move, one up and the other down: the worst of all first utilities."""

    def __init__(self, epsilon0):
        self.epsilon0 = epsilon0

    def worst(self, ask, *more):
        """Largest answer, over the log-odds of the first candidate before and after."""

        def less(odds):
            own, other = special.expit(odds), special.expit(odds - self.epsilon0)
            return -float(ask(Answers([own, 1 - own], [other, 1 - other])))

        grid = np.concatenate([np.linspace(-12, 12 + self.epsilon0, 400), *more])
        best = grid[np.argmin([less(each) for each in grid])]
        return -optimize.minimize_scalar(less, bounds=(best - 0.1, best + 0.1), options={"xatol": 1e-9}).fun

    def delta(self, epsilon):
        return self.worst(lambda pair: pair.delta(epsilon))

    def exceeds(self, epsilon, *, two_sided):
        # It jumps where the loss of the first candidate is just beyond epsilon: log(own/other) = epsilon there.
        ratio = math.exp(epsilon)
        own = (math.exp(self.epsilon0) - ratio) / math.expm1(self.epsilon0)
        jump = [] if epsilon >= self.epsilon0 else [[min(special.logit(own), 30.0) - 1e-10]]
        return self.worst(lambda pair: pair.exceeds(epsilon, two_sided=two_sided), *jump)

    def missed(self, rate):
        return 1 - self.worst(lambda pair: 1 - pair.missed(rate))

    def strongest(self, prior):
        return self.worst(lambda pair: pair.strongest(prior), [-40.0])


def geometric(epsilon0, moves):
    q = mp.exp(-mp.mpf(epsilon0) / moves)
    reach = int(60 * moves / epsilon0) + moves
    own, other = ([(1 - q) / (1 + q) * q ** abs(x - at) for x in range(-reach, reach + moves)] for at in (0, moves))
    return Answers(own, other)


def said(epsilon0, moves):
    weight = [mp.exp(mp.mpf(epsilon0))] + [mp.mpf(1)] * moves
    own = [each / mp.fsum(weight) for each in weight]
    return Answers(own, [own[1], own[0], *own[2:]])


CASES = {
    Laplace: (
        lambda epsilon0, moves: Laplace(epsilon0, moves),
        lambda epsilon0, moves: Line(lambda x: mp.exp(-abs(x) * epsilon0 / moves) * epsilon0 / moves / 2, moves, 50 * moves / epsilon0),
    ),
    Gaussian: (
        lambda epsilon0, moves: Gaussian(moves / epsilon0, moves),
        lambda epsilon0, moves: Line(lambda x: mp.npdf(x, 0, mp.mpf(moves) / epsilon0), moves, 12 * moves / epsilon0),
    ),
    DiscreteLaplace: (lambda epsilon0, moves: DiscreteLaplace(epsilon0, moves), geometric),
    RandomisedResponse: (lambda epsilon0, moves: RandomisedResponse(epsilon0, moves + 1), said),
    Exponential: (lambda epsilon0, moves: Exponential(epsilon0, moves), lambda epsilon0, _moves: Choices(epsilon0)),
    PermuteAndFlip: (lambda epsilon0, moves: PermuteAndFlip(epsilon0, moves), lambda epsilon0, _moves: said(epsilon0, 1)),  # at worst
}  # fmt: skip
QUESTIONS = ("delta", "epsilon", "loss_exceeds", "loss_within", "tradeoff", "advantage", "posterior", "gaussian")


@cache
def law_of(kind, epsilon0, moves):
    """The two laws of the answer; what several questions ask of them is found once."""
    law = CASES[kind][1](epsilon0, moves)
    for name in ("delta", "exceeds", "missed"):
        setattr(law, name, cache(getattr(law, name)))
    return law


def test_there_is_a_case_of_every_mechanism():
    assert set(CASES) == {*MECHANISMS.values(), PermuteAndFlip}


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("kind", CASES, ids=lambda each: each.name)
@pytest.mark.parametrize(("epsilon0", "moves"), [(0.5, 1), (3.0, 4)])
def test_a_question_by_quadrature_over_the_answers(kind, epsilon0, moves, question):
    noise, truth = CASES[kind][0](epsilon0, moves), law_of(kind, epsilon0, moves)
    levels = epsilon0 * np.array([0.0, 0.13, 0.55, 0.92])
    near = {"rel": 1e-7, "abs": 1e-9}
    with mp.workdps(25):
        if question == "advantage":
            assert noise.advantage == pytest.approx(float(truth.delta(0.0)), **near)
        for level in levels.tolist():
            if question == "delta":
                assert noise.delta(level) == pytest.approx(float(truth.delta(level)), **near)
            elif question == "epsilon":
                assert truth.delta(noise.epsilon(noise.delta(level))) == pytest.approx(
                    float(truth.delta(level)), **near
                )
            elif question == "loss_exceeds":
                for two_sided in (False, True):
                    exact = float(truth.exceeds(level, two_sided=two_sided))
                    assert noise.loss_exceeds(level, two_sided=two_sided) == pytest.approx(exact, **near)
            elif question == "loss_within":
                exact = 1.0 - float(truth.exceeds(level, two_sided=True))
                assert noise.loss_within(level) == pytest.approx(exact, **near)
        for rate in (1e-3, 0.02, 0.3, 0.5, 0.9) if question in ("tradeoff", "posterior", "gaussian") else ():
            if question == "tradeoff":
                assert noise.tradeoff(rate) == pytest.approx(float(truth.missed(rate)), **near)
            elif question == "posterior" and kind is not Gaussian:  # of which no answer is the worst
                assert noise.posterior(rate) == pytest.approx(float(truth.strongest(mp.mpf(rate))), **near)
            elif question == "gaussian":
                found, missed = noise.gaussian, float(truth.missed(rate))
                assert special.ndtr(-special.ndtri(rate) - found.mu) <= missed + 1e-9
                if rate + found.regret < 1:
                    shifted = float(truth.missed(rate + found.regret)) - found.regret
                    assert shifted <= special.ndtr(-special.ndtri(rate) - found.mu) + 1e-9


# From tests/core/data/make_attack_terms.py, which says how.
with (Path(__file__).parent / "data" / "attack_terms.csv").open(encoding="utf-8", newline="") as _file:
    TERMS = list(csv.DictReader(_file))


@pytest.mark.parametrize("row", TERMS, ids=lambda row: row["plan"])
def test_riskcal_and_gdpnum_find_the_same(row):
    kind, parameter, whole, times = row["plan"].split(",")
    more = {"discrete-laplace": {"sensitivity": int(whole)}, "randomised-response": {"categories": int(whole)}}
    one = Gaussian(float(parameter)) if kind == "gaussian" else MECHANISMS[kind](float(parameter), **more.get(kind, {}))
    together = compose(one, int(times))
    for rate in (1e-3, 0.01, 0.1, 0.5):
        low, high = (float(row[f"missed_at_{rate:g}_{side}"]) for side in ("pessimistic", "optimistic"))
        assert (
            low - (2e-3 if times != "1" else 2e-8) <= together.tradeoff(rate) <= high + 1e-9
        )  # of many: below 200 lines
    low, high = (float(row[f"mu_{side}"]) for side in ("optimistic", "pessimistic"))
    assert low * (1 - 1e-9) <= together.gaussian.mu <= high * (1 + 1e-5)
    # Where a loss lies next to a point of their lattice, their two accounts are far apart, and their regret is of another curve.
    if high < 1.002 * low and kind != "randomised-response":
        low, high = sorted(float(row[f"regret_{side}"]) for side in ("optimistic", "pessimistic"))
        assert low * 0.995 - 1e-7 <= together.gaussian.regret
        assert together.gaussian.regret <= high * 1.005 + 1e-6 or (kind == "exponential" and times != "1")
