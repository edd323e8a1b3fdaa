"""Lecture on the basic mechanisms, pages 16 to 21: randomised response, its accuracy, and the example of a million patients."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.claims.catalogue import Claim, Compare, Dial, Paper, Recomputed, half_unit, worst
from par_core.mechanisms import Laplace, RandomisedResponse

_LEVELS = (0.1, 0.5, 1.0, 2.0, 5.0)
_EVERY_LEVEL = (*_LEVELS, 10.0, 20.0)
_PATIENTS, _WRONG = 1_000_000, 0.05
_PRINTED_ENDS = (-0.5591, -0.5619)
_ROOMIER = 100  # times as many people


def _two_coins(heads: float) -> Recomputed:
    truth = heads + (1.0 - heads) * 0.5
    ratio = truth / (1.0 - truth)
    return Recomputed(
        recomputed=ratio,
        exact=np.log(ratio),
        case=f"heads, with probability {heads:g}: the truth; tails: a second, fair coin",
    )


def _two_fair_coins() -> Recomputed:
    return replace(_two_coins(0.5), recomputed=None)


def _response_is_private() -> Recomputed:
    level = np.array(_LEVELS)
    truth = np.exp(level) / (1.0 + np.exp(level))
    return worst("at most", np.log(truth / (1.0 - truth)), level, lambda i: f"ε = {level[i]:g}")


def _accurate(wrong: float, level: float) -> Recomputed:
    noise = Laplace(level)
    off = noise.error_quantile(1.0 - wrong)
    return Recomputed(
        recomputed=wrong,
        exact=1.0 - noise.exceeds(off),
        case=f"Laplace noise, ε = {level:g}, whose error is {off:.3g} or more with probability {wrong:g}",
    )


def _mean_answer() -> Recomputed:
    level, has = (each.ravel() for each in np.meshgrid(_LEVELS, (0.0, 1.0)))
    coins = RandomisedResponse(level)
    power = np.exp(level)
    return worst(
        "equal to",
        has * coins.truth + (1.0 - has) * coins.other,
        has * (power - 1.0) / (1.0 + power) + 1.0 / (1.0 + power),
        lambda i: f"ε = {level[i]:g}, f(x) = {has[i]:g}",
    )


def _said(level: float, people: int, have: int) -> NDArray[np.float64]:
    """Probabilities of 0 to `people` answers of yes, where so many have it."""
    coins = RandomisedResponse(level)
    return np.convolve(_binomial(have, coins.truth), _binomial(people - have, coins.other))


def _binomial(number: int, chance: float) -> NDArray[np.float64]:
    hits = np.arange(number + 1)
    ways = special.gammaln(number + 1) - special.gammaln(hits + 1) - special.gammaln(number - hits + 1)
    return np.asarray(np.exp(ways + special.xlogy(hits, chance) + special.xlog1py(number - hits, -chance)))


def _deviates() -> Recomputed:
    cases = list(product((0.5, 3.0), (20, 100), (0.3, 0.5), (0.05, 0.1, 0.2)))
    exact = []
    for level, people, share, off in cases:
        have, coins = round(share * people), RandomisedResponse(level)
        mean = share * coins.truth + (1.0 - share) * coins.other
        far = np.abs(np.arange(people + 1) / people - mean) >= off
        exact.append(float(_said(level, people, have)[far].sum()))
    return worst(
        "at most",
        exact,
        [2.0 * np.exp(-2.0 * off**2 * people) for _, people, _, off in cases],
        lambda i: f"ε = {cases[i][0]:g}, {cases[i][1]} people of whom {cases[i][2]:.0%} have it, λ = {cases[i][3]:g}",
    )


def _far_off(level: float, people: int, share: float, bound: float) -> float:
    """How often the estimate is as far off as a bound."""
    coins = RandomisedResponse(level)
    estimate = (np.arange(people + 1) / people - coins.other) / (coins.truth - coins.other)
    far = np.abs(estimate - share) >= bound
    return float(_said(level, people, round(share * people))[far].sum())


def _first_line(level: float, people: float) -> Recomputed:
    number = round(people)
    reach = math.sqrt(math.log(2.0 / _WRONG) / (2 * number))
    return Recomputed(
        recomputed=_WRONG,
        exact=_far_off(level, number, 0.0, math.tanh(0.5 * level) * reach),
        case=f"ε = {level:g}, {number} people of whom nobody has it, λ = {reach:.3g}, for which 2e^(−2λ²n) is 0.05",
    )


def _second_line() -> Recomputed:
    cases = list(product((0.5, 1.0, 3.0), (20, 100, 1000), (0.5, 0.05), (0.0, 0.5)))
    exact = [
        _far_off(level, people, share, math.sqrt(math.log(2.0 / wrong) / (2 * people)) / math.tanh(0.5 * level))
        for level, people, wrong, share in cases
    ]
    return worst(
        "at most",
        exact,
        [each[2] for each in cases],
        lambda i: f"ε = {cases[i][0]:g}, {cases[i][1]} people of whom {cases[i][3]:.0%} have it, δ = {cases[i][2]:g}",
    )


def _factor() -> Recomputed:
    coins = RandomisedResponse(1.0)
    return Recomputed(recomputed=1.0 / (coins.truth - coins.other), case="ε = 1")


def _other() -> Recomputed:
    return Recomputed(recomputed=RandomisedResponse(1.0).other, case="ε = 1")


def _raw_answers(level: float, share: float) -> Recomputed:
    """Error of the plain mean of the answers, for a million people and for 100 times as many."""
    coins, people = RandomisedResponse(level), np.array([_PATIENTS, _ROOMIER * _PATIENTS])
    bias = share * coins.truth + (1.0 - share) * coins.other - share
    return Recomputed(
        exact=np.sqrt(bias**2 + coins.truth * coins.other / people) * level * np.sqrt(people),
        case=f"ε = {level:g}, {share:.3g} of all have it",
    )


def _unbiased_answers() -> Recomputed:
    """Error of the mean of the unbiased answers, likewise, where it is largest: that does not depend on the share."""
    coins, level = RandomisedResponse(_EVERY_LEVEL), np.array(_EVERY_LEVEL)
    people = np.array([_PATIENTS, _ROOMIER * _PATIENTS])[:, np.newaxis]
    errors = np.sqrt(coins.truth * coins.other / people) / (coins.truth - coins.other)
    return Recomputed(
        exact=(errors * level * np.sqrt(people)).max(axis=1),
        case=f"ε = {_EVERY_LEVEL[0]:g}, the worst of ε from {_EVERY_LEVEL[0]:g} to {_EVERY_LEVEL[-1]:g}, any share",
    )


def _deviation(people: float, wrong: float) -> Recomputed:
    return Recomputed(
        recomputed=np.sqrt(np.log(2.0 / wrong) / (2.0 * people)), case=f"n = {people:,.0f}, β = {wrong:g}"
    )


def _ends(level: float, people: float) -> Recomputed:
    coins = RandomisedResponse(level)
    factor = 1.0 / (coins.truth - coins.other)
    off = factor * math.sqrt(math.log(2.0 / _WRONG) / (2.0 * people))
    centre = factor * coins.other
    return Recomputed(
        recomputed=(-centre - off, -centre + off),
        case=f"{factor:.4f}·r − {centre:.5f} ± {off:.5f}, r the share who say yes; ε = {level:g}, n = {people:,.0f}",
    )


def _held(level: float, people: float) -> Recomputed:
    """How often the printed interval, its ends set right, holds the true share: the answers are normal to many digits."""
    coins, share = RandomisedResponse(level), 0.3
    mean = share * coins.truth + (1 - share) * coins.other
    deviation = math.sqrt(coins.truth * coins.other / people)
    high, low = ((share - each) / 2.16 for each in _PRINTED_ENDS[::-1])
    held = special.ndtr((high - mean) / deviation) - special.ndtr((low - mean) / deviation)
    return Recomputed(
        exact=held,
        case=f"{people:,.0f} people, three in ten have it, answers with ε = {level:.5g}; the interval is that for ε = 1",
    )


_coins = partial(Claim, paper=Paper.LECTURE, section="3 Randomised response")

_LEVEL_DIAL = Dial("ε", 1.0, 0.05, 10.0)
_PEOPLE_DIAL = Dial("People", float(_PATIENTS), 1000.0, 1e9, whole=True)

CLAIMS: Final[tuple[Claim, ...]] = (
    _coins(
        id="lecture-two-coins",
        where="page 18",
        statement="To tell the truth at heads and to toss again at tails is ln 3-private.",
        quantity="largest loss",
        published=math.log(3.0),
        holds_if=Compare("exact", "at most", "published"),
        recompute=_two_fair_coins,
        rests_on=("numpy.log",),
        more="worse",
        explanation="The truth is said with 3/4 and its opposite with 1/4.",
    ),
    _coins(
        id="lecture-loss-without-logarithm",
        where="page 18, last line",
        statement="The privacy loss of an answer is the ratio of its two probabilities.",
        quantity="largest loss (recomputed: the ratio)",
        published="|L| is |P(AR(x) = r)/P(AR(x′) = r)| ≤ 3",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_two_coins,
        dials=(Dial("Probability of heads at the first toss", 0.5, 0.01, 0.99),),
        rests_on=("numpy.log",),
        more="worse",
        explanation="It is the logarithm of the ratio, as page 11 defines it: ln 3, as the line above it says, and not 3.",
    ),
    _coins(
        id="lecture-response-private",
        where="page 19, privacy",
        statement="The truth with probability e^ε/(1 + e^ε), else its opposite, is ε-private.",
        quantity="largest loss of one answer",
        published="≤ e^ε",
        recompute=_response_is_private,
        rests_on=("numpy.exp", "numpy.log"),
        more="worse",
        explanation="Each answer is e^ε times as likely under one truth as under the other; what others say does not depend on it.",
    ),
    _coins(
        id="lecture-accuracy-sign",
        where="page 19, utility",
        statement="Accurate means that the error is at most α with probability at most β.",
        quantity="P(error ≤ α) of noise that is (α, β)-accurate (recomputed: β)",
        published="P(|y - ŷ| ≤ α) ≤ β",
        recompute=_accurate,
        dials=(Dial("β", 0.05, 0.001, 0.999, holds_at=0.6), Dial("ε of the noise", 1.0, 0.05, 20.0)),
        rests_on=("mechanisms.Laplace.exceeds", "mechanisms.Laplace.all_error"),
        more="better",
        explanation="The sign is turned: the error is above α with probability at most β, as page 12 defines it. As printed, what is"
        " always wrong would be accurate.",
    ),
    _coins(
        id="lecture-response-mean",
        where="page 19, utility, expected value",
        statement="The mean answer is f(x)·(e^ε − 1)/(1 + e^ε) + 1/(1 + e^ε).",
        quantity="probability of a yes",
        published="f(x)·(e^ε − 1)/(1 + e^ε) + 1/(1 + e^ε)",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_mean_answer,
        rests_on=("mechanisms.RandomisedResponse.truth", "mechanisms.RandomisedResponse.other", "numpy.exp"),
        explanation="Truth with the one probability, its opposite with the other.",
    ),
    _coins(
        id="lecture-response-hoeffding",
        where="page 19, utility, Chernoff bound",
        statement="The mean of n answers is off its expected value by λ or more with probability 2e^(−2λ²n) at most.",
        quantity="probability of such a deviation",
        published="2e^(−2λ²n)",
        recompute=_deviates,
        rests_on=("mechanisms.RandomisedResponse.truth", "mechanisms.RandomisedResponse.other", "numpy.exp"),
        more="worse",
        explanation="Hoeffding's bound for independent answers between 0 and 1.",
    ),
    _coins(
        id="lecture-response-first-line",
        where="page 19, utility, first line",
        statement="The estimate is off by (e^ε - 1)/(e^ε + 1)·λ or more with probability 2e^(-2λ²n) at most.",
        quantity="probability of such an error, λ = √(ln(2/δ)/(2n))",
        published="2e^(-2λ²n)",
        recompute=_first_line,
        dials=(
            Dial("ε", 0.5, 0.05, 10.0, holds_at=10.0),
            Dial("People", 20.0, 5.0, 3000.0, whole=True, holds_at=1000.0),
        ),
        rests_on=("mechanisms.RandomisedResponse.other",),
        more="worse",
        explanation="The factor stands upside down: an error of the answers by λ moves the estimate by (e^ε + 1)/(e^ε - 1)·λ.",
    ),
    _coins(
        id="lecture-response-utility",
        where="page 19, utility, second line (again on pages 21 and 32)",
        statement="The estimate is off by (e^ε + 1)/(e^ε - 1)·√(ln(2/δ)/(2n)) or more with probability δ at most.",
        quantity="probability of such an error",
        published="δ",
        recompute=_second_line,
        rests_on=("mechanisms.RandomisedResponse.truth", "mechanisms.RandomisedResponse.other"),
        more="worse",
        explanation="Hoeffding's bound for the mean of the answers, times the factor of the estimate.",
    ),
    _coins(
        id="lecture-response-raw",
        where="page 19, utility, last line",
        statement="The mean of the answers y is off the true share by O(1/(ε√n)).",
        quantity="root mean square error in units of 1/(ε√n), for a million people and for a hundred million",
        published="|Σy/n − Σf(x)/n| ≤ O(1/(ε√n))",
        holds_if=Compare("exact", "at most", (1.0, 1.0)),
        recompute=_unbiased_answers,
        convention="y is the unbiased answer ỹ, of which the sentence speaks.",
        as_printed=partial(_raw_answers, level=1.0, share=0.3),
        rests_on=("mechanisms.RandomisedResponse.truth", "mechanisms.RandomisedResponse.other"),
        more="worse",
        explanation="The words speak of the unbiased answers ỹ, the formula has the given answers y. Their mean is pulled towards one half,"
        " and more people do not help, whatever constant stands in the O. For ỹ it is true for every ε: the error is 1/(2·sinh(ε/2)·√n)"
        " at most, and ε/(2·sinh(ε/2)) is never above 1.",
    ),
    _coins(
        id="lecture-response-factor",
        where="page 21, example",
        statement="For ε = 1 the factor (1 + e^ε)/(e^ε − 1) is about 2.16.",
        quantity="(1 + e)/(e − 1)",
        printed="2.16",
        recompute=_factor,
        rests_on=("mechanisms.RandomisedResponse.truth", "mechanisms.RandomisedResponse.other"),
        more="worse",
        explanation="It is 2.1640.",
    ),
    _coins(
        id="lecture-response-other",
        where="page 21, example",
        statement="For ε = 1 the probability 1/(1 + e^ε) of the opposite is about 0.26.",
        quantity="1/(1 + e)",
        printed="0.26",
        recompute=_other,
        rests_on=("mechanisms.RandomisedResponse.other",),
        explanation="It is 0.2689: cut off, not rounded, which moves the centre of the interval by 0.019.",
    ),
    _coins(
        id="lecture-response-deviation",
        where="page 21, example",
        statement="For a million patients and β = 0.05, √(ln(2/β)/(2n)) is 0.89/1000.",
        quantity="√(ln(2/β)/(2n))",
        printed="0.00089",
        recompute=_deviation,
        dials=(_PEOPLE_DIAL, Dial("β", _WRONG, 0.001, 0.999, holds_at=0.41)),
        rests_on=("numpy.sqrt", "numpy.log"),
        more="worse",
        explanation="It is 1.358/1000. With the decimal logarithm in place of the natural one it is 0.895/1000.",
    ),
    _coins(
        id="lecture-response-interval",
        where="page 21, example",
        statement="With 95 % confidence the share of patients is from 2.16·r - 0.5591 to 2.16·r - 0.5619.",
        quantity="the two ends, less 2.16·r",
        published=_PRINTED_ENDS,
        holds_if=Compare("recomputed", "equal to", "published", half_unit(4)),
        recompute=_ends,
        dials=(_LEVEL_DIAL, _PEOPLE_DIAL),
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
        recompute=_held,
        dials=(
            replace(_LEVEL_DIAL, label="ε of the answers (the interval is that for ε = 1)", holds_at=1.1204),
            replace(_PEOPLE_DIAL, holds_at=100_000_000.0),
        ),
        rests_on=("mechanisms.RandomisedResponse.truth", "mechanisms.RandomisedResponse.other"),
        follows=("lecture-response-interval",),
        more="better",
        explanation="Its centre is off by 0.0215, nearly eight times its width.",
    ),
)
