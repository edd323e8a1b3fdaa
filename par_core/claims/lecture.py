"""Lecture on the basic mechanisms: belief, randomised response, Laplace and Gaussian noise, the exponential mechanism."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np
from scipy import special

from par_core.claims.ledger import Argued, Claim, Compare, Entry, Evidence, Paper, half_unit, printed, worst
from par_core.lab.ten_students import QUERIES, student_belief
from par_core.mechanisms import Exponential, Gaussian, Laplace, RandomisedResponse, strongest_belief
from par_core.published import gaussian

_LEVELS = (0.1, 0.5, 1.0, 2.0, 5.0)
_PATIENTS, _WRONG = 1_000_000, 0.05


def _posterior() -> Evidence:
    found = student_belief(QUERIES[2])
    return Evidence(recomputed=found.after, case="0.21·0.4/0.198, as the lecture sets it up")


def _answer() -> Evidence:
    found = student_belief(QUERIES[2])
    return Evidence(
        recomputed=found.chance, case="Angie and Eva fail with 0.4 each, noise of 0 with 0.25 and of ±1 with 0.15"
    )


def _semantic() -> Evidence:
    prior, level = (each.ravel() for each in np.meshgrid([0.001, 0.1, 0.5, 0.9], _LEVELS))
    most = strongest_belief(prior, level) / prior
    least = prior / (1.0 - strongest_belief(1.0 - prior, level))
    return worst(
        "at most",
        np.maximum(most, least),
        np.exp(level),
        lambda i: f"belief of {prior[i]:g} before, ε = {level[i]:g}, an answer at the end of what ε allows",
    )


def _two_coins() -> Evidence:
    truth = 0.5 + 0.5 * 0.5
    return Evidence(exact=np.log(truth / (1.0 - truth)), case="heads: the truth; tails: a second coin")


def _response_is_private() -> Evidence:
    level = np.array(_LEVELS)
    truth = np.exp(level) / (1.0 + np.exp(level))
    return worst("at most", np.log(truth / (1.0 - truth)), level, lambda i: f"ε = {level[i]:g}")


def _far_off(bound: Callable[[float, float], float]) -> Evidence:
    """How often the estimate is as far off as a bound of ε and λ, beside what is claimed of it."""
    cases = list(product((0.5, 1.0, 3.0), (20, 100, 1000), (0.5, 0.05), (0.0, 0.5)))
    exact = []
    for level, people, wrong, share in cases:
        coins, have = RandomisedResponse(level), round(share * people)
        said = np.convolve(_binomial(have, coins.truth), _binomial(people - have, coins.other))
        estimate = (np.arange(people + 1) / people - coins.other) / (coins.truth - coins.other)
        far = np.abs(estimate - share) >= bound(level, math.sqrt(math.log(2.0 / wrong) / (2 * people)))
        exact.append(float(said[far].sum()))
    return worst(
        "at most",
        exact,
        [each[2] for each in cases],
        lambda i: f"ε = {cases[i][0]:g}, {cases[i][1]} people of whom {cases[i][3]:.0%} have it, δ = {cases[i][2]:g}",
    )


def _binomial(number: int, chance: float) -> Any:
    hits = np.arange(number + 1)
    ways = special.gammaln(number + 1) - special.gammaln(hits + 1) - special.gammaln(number - hits + 1)
    return np.exp(ways + special.xlogy(hits, chance) + special.xlog1py(number - hits, -chance))


def _example_ends() -> Evidence:
    coins = RandomisedResponse(1.0)
    factor = 1.0 / (coins.truth - coins.other)
    off = factor * math.sqrt(math.log(2.0 / _WRONG) / (2 * _PATIENTS))
    centre = factor * coins.other
    return Evidence(
        recomputed=(-centre - off, -centre + off),
        case=f"{factor:.4f}·r − {centre:.5f} ± {off:.5f}, r the share who say yes",
    )


def _example_holds() -> Evidence:
    """How often the printed interval, its ends set right, holds the true share: the answers are normal to many digits."""
    coins, share = RandomisedResponse(1.0), 0.3
    mean = share * coins.truth + (1 - share) * coins.other
    deviation = math.sqrt(coins.truth * coins.other / _PATIENTS)
    low, high = ((share + each) / 2.16 for each in (0.5591, 0.5619))
    held = special.ndtr((high - mean) / deviation) - special.ndtr((low - mean) / deviation)
    return Evidence(exact=held, case="one million people, three in ten have it, ε = 1")


def _laplace_error() -> Evidence:
    cases = list(product(_LEVELS, (1, 2, 10, 1000), (0.5, 0.0625, 2.0**-20)))
    level, number, wrong = (np.array(each) for each in zip(*cases, strict=True))
    exact = [Laplace(each).all_error(1.0 - delta, k) for each, k, delta in cases]
    return worst(
        "at most",
        exact,
        np.log(number / wrong) / level,
        lambda i: f"ε = {level[i]:g}, k = {number[i]}, δ = {wrong[i]:g}, Δ = 1",
    )


def _classical_gaussian() -> Evidence:
    level, delta = (
        each.ravel() for each in np.meshgrid(np.linspace(0.01, 0.999, 40), 10.0 ** -np.linspace(0.01, 6, 40))
    )
    noise = Gaussian(gaussian.sigma(level, delta))
    return worst(
        "at most",
        noise.delta(level),
        delta,
        lambda i: f"ε = {level[i]:.3g}, δ = {delta[i]:.3g}, Δ₂ = 1, σ = {noise.sigma[i]:.4g}",
    )


def _two_sigmas() -> Evidence:
    level, delta = 0.99, 1e-5
    smallest = np.sqrt(2.0 * np.log(1.25 / delta))  # c of the definition
    return Evidence(
        recomputed=np.sqrt(smallest * np.log(1.0 / delta)) / level,
        exact=gaussian.sigma(level, delta),
        case="ε = 0.99, δ = 1e-5, Δ₂ = 1",
    )


def _exceeds_delta() -> Evidence:
    noise = Laplace(1.0)
    return Evidence(recomputed=noise.delta(0.5), exact=noise.loss_exceeds(0.5), case="Laplace noise, ε0 = 1, ε = 0.5")


def _delta_below_chance() -> Evidence:
    made: tuple[Any, ...] = (Laplace(1.0), Gaussian(1.0), RandomisedResponse(1.0), Exponential(1.0))
    cases = list(product(made, (0.1, 0.5, 0.9)))
    return worst(
        "at most",
        [each.delta(level) for each, level in cases],
        [each.loss_exceeds(level) for each, level in cases],
        lambda i: f"{cases[i][0].name}, ε0 or σ = 1, ε = {cases[i][1]:g}",
    )


def _laplace_by_choice() -> Evidence:
    error = np.linspace(0.0, 100.0, 100_001)
    density = np.exp(-0.5 * error)
    mean = np.trapezoid(error * density, error) / np.trapezoid(density, error)
    return Evidence(recomputed=mean, exact=Laplace(1.0).mean_error, case="ε = 1, Δ = 1: mean size of the noise")


def _choice_is_private() -> Evidence:
    rng, choice = np.random.default_rng(4), Exponential(1.0)
    tables = [rng.uniform(0.0, 8.0, int(rng.integers(2, 30))) for _ in range(300)]
    losses = []
    for each in tables:
        moved = each + rng.choice([-1.0, 1.0], each.size)
        losses.append(np.abs(np.log(choice.probabilities(each) / choice.probabilities(moved))).max())
    return worst(
        "at most",
        losses,
        1.0,
        lambda i: f"ε = 1, Δ = 1, {tables[i].size} candidates of random utility, each moved by Δ",
    )


def _choice_falls_short(sign: float) -> Evidence:
    """One candidate is the best, and all others are a little more than t below it."""
    cases = list(product((2, 5, 100), (1.0, 4.0, 10.0)))
    exact, bound = [], []
    for number, short in cases:
        utility = np.append(0.0, np.full(number - 1, -1.001 * short))
        exact.append(Exponential(1.0).probabilities(sign * utility)[1:].sum())
        bound.append(number * math.exp(-0.5 * short))
    return worst("at most", exact, bound, lambda i: f"ε = 1, Δ = 1, t = {cases[i][1]:g}, {cases[i][0]} candidates")


_BELIEF = "1 Belief before and after"
_PRIVATE = "2 What differential privacy says"
_COINS = "3 Randomised response"
_NOISES = "4 Laplace and Gaussian noise"
_CHOICE = "5 The exponential mechanism"
_belief = partial(Claim, paper=Paper.LECTURE, section=_BELIEF)
_private = partial(Claim, paper=Paper.LECTURE, section=_PRIVATE)
_coins = partial(Claim, paper=Paper.LECTURE, section=_COINS)
_noises = partial(Claim, paper=Paper.LECTURE, section=_NOISES)
_choice = partial(Claim, paper=Paper.LECTURE, section=_CHOICE)

CLAIMS: Final[tuple[Entry, ...]] = (
    _belief(
        id="lecture-answer",
        where="page 6",
        statement="The noisy count of girls who passed is 1 with probability 0.198.",
        quantity="probability of the answer",
        published=0.198,
        holds_if=printed(3),
        recompute=_answer,
        rests_on=("lab.ten_students.student_belief", "mechanisms.DiscreteLaplace.log_density"),
        explanation="The four ways in which Angie and Eva can fail, each with its noise.",
    ),
    _belief(
        id="lecture-posterior",
        where="page 6",
        statement="After the answer 1 the belief that Angie failed is 0.43.",
        quantity="belief after the answer",
        published=0.43,
        holds_if=printed(2),
        recompute=_posterior,
        rests_on=("mechanisms.belief.updated",),
        explanation="0.21·0.4/0.198 is 0.4242: the last digit is wrong.",
    ),
    Argued(
        id="lecture-noise-sign",
        paper=Paper.LECTURE,
        section=_BELIEF,
        where="page 6",
        statement="If both girls fail, the answer 1 means that the noise was -1.",
        published="P(Answer = 1 | AF, EF) = P(Noise = -1)",
        finds="fails",
        explanation="Nobody passed, so that the noise was +1. Its law is symmetric, which saves the number.",
    ),
    _belief(
        id="lecture-semantic",
        where="page 13, proposition",
        statement="An ε-private release changes a belief about one record by a factor of at most e^ε, up or down.",
        quantity="largest ratio of beliefs before and after",
        published="e^(-ε)·P ≤ P(. | answer) ≤ e^ε·P",
        recompute=_semantic,
        rests_on=("mechanisms.strongest_belief",),
        explanation="Bayes' rule: the answer is at most e^ε times as likely under one record as under the others.",
    ),
    _private(
        id="lecture-approximate",
        where="page 11, note",
        statement="Whatever is (ε, δ)-private loses more than ε with probability δ at most.",
        quantity="P(|loss| > ε) beside the smallest δ",
        published="P(|loss| > ε) ≤ δ",
        recompute=_exceeds_delta,
        rests_on=("mechanisms.Laplace.loss_exceeds", "mechanisms.Laplace.delta"),
        explanation="δ is the mean of (1 - e^(ε - loss))₊, less than the probability of a larger loss, for Laplace noise far less.",
    ),
    _private(
        id="lecture-approximate-converse",
        where="page 11, note",
        statement="Where P(|loss| > ε) is at most δ, the mechanism is (ε, δ)-private.",
        quantity="smallest δ beside P(|loss| > ε)",
        published="D^δ ≤ ε",
        recompute=_delta_below_chance,
        rests_on=("mechanisms.Exponential.delta", "mechanisms.Exponential.loss_exceeds"),
        explanation="The sound direction: δ is a mean of numbers from 0 to 1 that are above 0 only where the loss is larger than ε.",
    ),
    Argued(
        id="lecture-post-processing",
        paper=Paper.LECTURE,
        section=_PRIVATE,
        where="page 14, proposition",
        statement="What is computed from an (ε, δ)-private release is (ε, δ)-private.",
        published="f ∘ M is (ε, δ)-differentially private",
        finds="holds",
        explanation="An event of the result is an event of the release, and a random mapping is a mixture of fixed ones. (In the proof the "
        "neighbour's database has lost its prime.)",
    ),
    Argued(
        id="lecture-accuracy-sign",
        paper=Paper.LECTURE,
        section=_COINS,
        where="page 19, utility",
        statement="Accurate means that the error is at most α with probability at most β.",
        published="P(|y - ŷ| ≤ α) ≤ β",
        finds="fails",
        explanation="The sign is turned: the error is at least α with probability at most β, as page 12 has it.",
    ),
    _coins(
        id="lecture-two-coins",
        where="page 18",
        statement="To tell the truth at heads and to toss again at tails is ln 3-private.",
        quantity="largest loss",
        published=math.log(3.0),
        holds_if=Compare("exact", "at most", "published"),
        recompute=_two_coins,
        rests_on=("numpy.log",),
        explanation="The truth is said with 3/4 and its opposite with 1/4.",
    ),
    _coins(
        id="lecture-response-private",
        where="page 19, privacy",
        statement="The truth with probability e^ε/(1 + e^ε), else its opposite, is ε-private.",
        quantity="largest loss of one answer",
        published="≤ e^ε",
        recompute=_response_is_private,
        rests_on=("numpy.exp", "numpy.log"),
        explanation="Each answer is e^ε times as likely under one truth as under the other; what others say does not depend on it.",
    ),
    _coins(
        id="lecture-response-first-line",
        where="page 19, utility, first line",
        statement="The estimate is off by (e^ε - 1)/(e^ε + 1)·λ or more with probability 2e^(-2λ²n) at most.",
        quantity="probability of such an error, λ = √(ln(2/δ)/(2n))",
        published="2e^(-2λ²n)",
        recompute=lambda: _far_off(lambda level, reach: math.tanh(0.5 * level) * reach),
        rests_on=("mechanisms.RandomisedResponse.other",),
        explanation="The factor stands upside down: an error of the answers by λ moves the estimate by (e^ε + 1)/(e^ε - 1)·λ.",
    ),
    _coins(
        id="lecture-response-utility",
        where="page 19, utility, second line",
        statement="The estimate is off by (e^ε + 1)/(e^ε - 1)·√(ln(2/δ)/(2n)) or more with probability δ at most.",
        quantity="probability of such an error",
        published="δ",
        recompute=lambda: _far_off(lambda level, reach: reach / math.tanh(0.5 * level)),
        rests_on=("mechanisms.RandomisedResponse.truth", "mechanisms.RandomisedResponse.other"),
        explanation="Hoeffding's bound for the mean of the answers, times the factor of the estimate.",
    ),
    _coins(
        id="lecture-response-deviation",
        where="page 21, example",
        statement="For a million patients and β = 0.05, √(ln(2/β)/(2n)) is 0.89/1000.",
        quantity="√(ln(2/β)/(2n))",
        published=0.00089,
        holds_if=printed(5),
        recompute=lambda: Evidence(
            recomputed=np.sqrt(np.log(2.0 / _WRONG) / (2 * _PATIENTS)), case="n = 1,000,000, β = 0.05"
        ),
        rests_on=("numpy.sqrt", "numpy.log"),
        explanation="It is 1.358/1000. With the decimal logarithm in place of the natural one it is 0.895/1000.",
    ),
    _coins(
        id="lecture-response-interval",
        where="page 21, example",
        statement="With 95 % confidence the share of patients is from 2.16·r - 0.5591 to 2.16·r - 0.5619.",
        quantity="the two ends, less 2.16·r",
        published=(-0.5591, -0.5619),
        holds_if=Compare("recomputed", "equal to", "published", half_unit(4)),
        recompute=_example_ends,
        rests_on=("mechanisms.RandomisedResponse.truth", "mechanisms.RandomisedResponse.other"),
        explanation="The ends are swapped, the centre is 0.58198 (1/(1 + e) is 0.269, not 0.26) and the half width 0.00294. The "
        "lecture's own 0.26 and 0.89/1000 would give 0.5597 and 0.5635.",
    ),
    _coins(
        id="lecture-response-interval-holds",
        where="page 21, example",
        statement="The printed interval, its ends set right, holds the share of patients with 95 % confidence.",
        quantity="probability that it holds the true share",
        published="With 95% confidence",
        holds_if=Compare("exact", "at least", 0.95),
        recompute=_example_holds,
        rests_on=("mechanisms.RandomisedResponse.truth", "mechanisms.RandomisedResponse.other"),
        explanation="Its centre is off by 0.0215, nearly eight times its width.",
    ),
    _noises(
        id="lecture-laplace-utility",
        where="page 25, theorem",
        statement="Of k numbers with Laplace noise none is off by ln(k/δ)·Δ/ε or more, but with probability δ.",
        quantity="error that all keep with probability 1 - δ",
        published="ln(k/δ)·Δ/ε",
        recompute=_laplace_error,
        rests_on=("mechanisms.Laplace.all_error",),
        explanation="The union bound; for independent noise the truth is a little less.",
    ),
    _noises(
        id="lecture-laplace-example",
        where="page 26, example",
        statement="For a million patients, ε = 1 and β = 0.05 the half width ln(1/β)·Δ/ε is 0.0000299.",
        quantity="half width of the interval",
        published=0.0000299,
        holds_if=printed(7),
        recompute=lambda: Evidence(
            recomputed=Laplace.for_epsilon(1.0, sensitivity=1.0 / _PATIENTS).error(1.0 - _WRONG), case="Δ = 1e-6"
        ),
        rests_on=("mechanisms.Laplace.all_error",),
        explanation="ln 20 is 2.9957, and that times one millionth is 0.0000030: a zero is missing, on the safe side.",
    ),
    _noises(
        id="lecture-gaussian",
        where="page 28, theorem",
        statement="For ε below 1, Gaussian noise of σ = Δ₂·√(2 ln(1.25/δ))/ε is (ε, δ)-private.",
        quantity="δ of that noise at ε",
        published="(ε, δ)",
        recompute=_classical_gaussian,
        rests_on=("mechanisms.Gaussian.delta", "published.gaussian.sigma"),
        explanation="Dwork and Roth, Theorem A.1. It adds more noise than is needed, the more the smaller ε.",
    ),
    _noises(
        id="lecture-gaussian-definition",
        where="page 22, definition",
        statement="The σ of the definition, Δ₂·√(c·ln(1/δ))/ε with c² above 2 ln(1.25/δ), is that of the theorem.",
        quantity="σ of the theorem and of the definition",
        published="σ = Δ₂·√(c ln(1/δ))/ε",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_two_sigmas,
        rests_on=("published.gaussian.sigma", "numpy.sqrt"),
        explanation="Under the root of the definition stands a logarithm that is in c already. For small δ that is more noise than the "
        "theorem asks for, 7.54 in place of 4.89, and for large δ less (1.77 in place of 1.93 at ε = 0.99, δ = 0.2).",
    ),
    Argued(
        id="lecture-skewness",
        paper=Paper.LECTURE,
        section=_NOISES,
        where="page 22",
        statement="The scale b regulates the skewness of the Laplace law.",
        published="b regulates the skewness of the curve",
        finds="fails",
        explanation="The law is symmetric: its skewness is 0 for every b, which regulates its width.",
    ),
    _choice(
        id="lecture-laplace-by-choice",
        where="page 29, note",
        statement="The noise of the Laplace mechanism has a density proportional to exp(-ε·|y - f(x)|/(2Δ)).",
        quantity="mean error of the mechanism and of that density",
        published="∝ exp(-ε‖y - f(x)‖₁/(2Δ))",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_laplace_by_choice,
        rests_on=("mechanisms.Laplace.mean_error", "numpy.exp"),
        explanation="It is a special case of the exponential mechanism, but without the 2: with it the noise is twice as large.",
    ),
    Argued(
        id="lecture-gaussian-by-choice",
        paper=Paper.LECTURE,
        section=_CHOICE,
        where="page 29, note",
        statement="The noise of the Gaussian mechanism has a density proportional to exp(-ε²·n·‖y - f(x)‖²/(c·Δ₂·ln(1/δ))).",
        published="∝ exp(-ε²n‖y - f(x)‖₂²/(cΔ₂ ln(1/δ)))",
        finds="fails",
        explanation="A special case of the definition, but not with this exponent: σ has no n, and with Δ₂ in place of its square the "
        "law would change with the unit.",
    ),
    _choice(
        id="lecture-exponential-private",
        where="page 31, theorem",
        statement="With a uniform prior and ε/(2Δ) in the exponent the exponential mechanism is ε-private.",
        quantity="largest loss of a candidate",
        published="≤ e^ε",
        recompute=_choice_is_private,
        rests_on=("mechanisms.Exponential.probabilities",),
        explanation="Utility and normalisation each move by a factor of e^(ε/2) at most.",
    ),
    _choice(
        id="lecture-exponential-utility",
        where="page 32, theorem",
        statement="The chosen utility is below the best one by more than t with probability |R|·e^(-εt/(2Δ)) at most.",
        quantity="probability of such a choice",
        published="|R|·e^(-εt/(2Δ))",
        recompute=partial(_choice_falls_short, 1.0),
        convention="The utility counts with a plus, as on page 31. Page 29 has exp(-β·u), which favours the worst candidate.",
        as_printed=partial(_choice_falls_short, -1.0),
        rests_on=("mechanisms.Exponential.probabilities",),
        explanation="Each of at most |R| candidates has at most e^(-εt/(2Δ)) times the probability of the best one.",
    ),
)
