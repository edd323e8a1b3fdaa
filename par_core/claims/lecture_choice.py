"""Lecture on the basic mechanisms, pages 29 to 32: the exponential mechanism, and what it is said to have as special cases."""

from __future__ import annotations

import math
from functools import partial
from itertools import product
from typing import Final

import numpy as np

from par_core.claims.catalogue import Claim, Compare, Dial, Paper, Recomputed, worst
from par_core.mechanisms import Exponential, Gaussian, Laplace

_CASES = tuple(product((2, 5, 100), (1.0, 4.0, 10.0)))  # candidates, and how far all but one fall short


def _distance_moves() -> Recomputed:
    """By how much |f(x) − y| changes, in the sum over 5 numbers, where f moves by 1 in all."""
    rng = np.random.default_rng(29)
    answer = rng.normal(size=(200, 5))
    apart = rng.dirichlet(np.ones(5), 200) * rng.choice([-1.0, 1.0], (200, 5))
    output = answer + 2.0 * rng.normal(size=(200, 5))
    output[:10] = answer[:10] + 9.0 * np.sign(apart[:10])  # beyond both
    moved = np.abs(answer + apart - output) - np.abs(answer - output)
    return Recomputed(
        recomputed=1.0, exact=np.abs(moved.sum(axis=1)).max(), case="five numbers, Δ₁ = 1, 200 random pairs and outputs"
    )


def _laplace_by_choice(level: float, sensitivity: float) -> Recomputed:
    """Mean size of noise with the printed density, and of that of the mechanism."""
    noise = Laplace.for_epsilon(level, sensitivity=sensitivity)
    error = noise.scale * np.linspace(0.0, 100.0, 100_001)
    density = np.exp(-level * error / (2.0 * sensitivity))
    return Recomputed(
        recomputed=np.trapezoid(error * density, error) / np.trapezoid(density, error),
        exact=noise.mean_error,
        case=f"ε = {level:g}, Δ = {sensitivity:g}: mean size of the noise",
    )


def _gaussian_by_choice(people: float, sensitivity: float) -> Recomputed:
    """Mean size of noise with the printed density, and of noise with the σ of page 22."""
    level, delta = 0.5, 1e-5
    logarithm = math.log(1.0 / delta)
    c = math.sqrt(2.0 * math.log(1.25 / delta))
    return Recomputed(
        recomputed=Gaussian(math.sqrt(c * sensitivity * logarithm / (2.0 * people)) / level).mean_error,
        exact=Gaussian(sensitivity * math.sqrt(c * logarithm) / level).mean_error,
        case=f"n = {people:,.0f}, Δ₂ = {sensitivity:g}, ε = 0.5, δ = 1e-5: mean size of the noise",
    )


def _choice_is_private() -> Recomputed:
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


def _falls_short(sign: float) -> list[float]:
    """One candidate is the best, and all others are a little more than t below it: how often one of these is chosen."""
    found = []
    for number, short in _CASES:
        utility = np.append(0.0, np.full(number - 1, -1.001 * short))
        found.append(float(Exponential(1.0).probabilities(sign * utility)[1:].sum()))
    return found


def _theorem(sign: float) -> Recomputed:
    bounds = [number * math.exp(-0.5 * short) for number, short in _CASES]
    return worst(
        "at most",
        _falls_short(sign),
        bounds,
        lambda i: f"ε = 1, Δ = 1, t = {_CASES[i][1]:g}, {_CASES[i][0]} candidates",
    )


def _note(sign: float) -> Recomputed:
    """The bound turned round: from a δ to how far the choice may fall short."""
    cases = list(product((2, 5, 100), (0.5, 0.05, 1e-6)))
    exact = []
    for number, wrong in cases:
        short = 2.0 * math.log(number / wrong)
        utility = np.append(0.0, np.full(number - 1, -short))
        exact.append(float(Exponential(1.0).probabilities(sign * utility)[1:].sum()))
    return worst(
        "at most",
        exact,
        [wrong for _, wrong in cases],
        lambda i: f"ε = 1, Δ = 1, δ = {cases[i][1]:g}, {cases[i][0]} candidates",
    )


_choice = partial(Claim, paper=Paper.LECTURE, section="5 The exponential mechanism")
_PLUS = "The utility counts with a plus, as on page 31. Page 29 has exp(-β·u), which favours the worst candidate."

CLAIMS: Final[tuple[Claim, ...]] = (
    _choice(
        id="lecture-choice-sensitivity",
        where="page 29, note",
        statement="The distance of an output from f(x), taken as the utility, moves by Δ₁ at most.",
        quantity="largest move of the distance, in size",
        published="Δ ≤ Δ₁",
        recompute=_distance_moves,
        rests_on=("numpy.abs",),
        more="worse",
        explanation="The triangle inequality, reached by outputs beyond both answers.",
    ),
    _choice(
        id="lecture-laplace-by-choice",
        where="page 29, note",
        statement="The noise of the Laplace mechanism has a density proportional to exp(-ε·|y - f(x)|/(2Δ)).",
        quantity="mean error of the mechanism and of that density",
        published="∝ exp(-ε‖y - f(x)‖₁/(2Δ))",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_laplace_by_choice,
        dials=(Dial("ε", 1.0, 0.05, 20.0), Dial("Δ", 1.0, 0.001, 1000.0)),
        rests_on=("mechanisms.Laplace.mean_error", "numpy.exp"),
        more="worse",
        explanation="It is a special case of the exponential mechanism, but without the 2: with it the noise is twice as large.",
    ),
    _choice(
        id="lecture-gaussian-by-choice",
        where="page 29, note",
        statement="The noise of the Gaussian mechanism has a density proportional to exp(-ε²·n·‖y - f(x)‖²/(c·Δ₂·ln(1/δ))).",
        quantity="mean error of the mechanism (σ as on page 22) and of that density",
        published="∝ exp(-ε²n‖y - f(x)‖₂²/(cΔ₂ ln(1/δ)))",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_gaussian_by_choice,
        dials=(Dial("People n", 1000.0, 1.0, 1e7, whole=True), Dial("Δ₂", 0.001, 1e-7, 10.0, holds_at=0.0005)),
        rests_on=("mechanisms.Gaussian.mean_error",),
        more="worse",
        explanation="A special case of the definition, but not with this exponent: σ has no n, and with Δ₂ in place of its square the "
        "law would change with the unit. The two agree where 2·n·Δ₂ happens to be 1.",
    ),
    _choice(
        id="lecture-exponential-private",
        where="page 31, theorem",
        statement="With a uniform prior and ε/(2Δ) in the exponent the exponential mechanism is ε-private.",
        quantity="largest loss of a candidate",
        published="≤ e^ε",
        recompute=_choice_is_private,
        rests_on=("mechanisms.Exponential.probabilities",),
        more="worse",
        explanation="Utility and normalisation each move by a factor of e^(ε/2) at most.",
    ),
    _choice(
        id="lecture-exponential-utility",
        where="page 32, theorem",
        statement="The chosen utility is below the best one by more than t with probability |R|·e^(-εt/(2Δ)) at most.",
        quantity="probability of such a choice",
        published="|R|·e^(-εt/(2Δ))",
        recompute=partial(_theorem, sign=1.0),
        convention=_PLUS,
        as_printed=partial(_theorem, sign=-1.0),
        rests_on=("mechanisms.Exponential.probabilities",),
        more="worse",
        explanation="Each of at most |R| candidates has at most e^(-εt/(2Δ)) times the probability of the best one.",
    ),
    _choice(
        id="lecture-exponential-accuracy",
        where="page 32, notes",
        statement="The chosen utility is below the best one by ln(|R|/δ)·2Δ/ε or more with probability δ at most.",
        quantity="probability of such a choice",
        published="δ",
        recompute=partial(_note, sign=1.0),
        convention=_PLUS,
        as_printed=partial(_note, sign=-1.0),
        rests_on=("mechanisms.Exponential.probabilities",),
        more="worse",
        explanation="The theorem for that t. At exactly t it holds too, for the best candidate itself does not fall short.",
    ),
)
