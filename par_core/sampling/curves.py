"""Number of samples against risk, ready to be drawn: figure 2 as published, and what a sorted value covers exactly."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, PUBLISHED, Evidence, Result, quantities, stated
from par_core.parameters import FloatOrArray, check_integer, check_number, check_numbers
from par_core.sampling.sample_counts import (
    coverage,
    rho_for,
    samples_for_largest,
    samples_formula,
    samples_needed,
    tolerance,
    whole_number,
)

_Floats = NDArray[np.float64]

FIGURE_2 = (0.0001, 0.001, 0.01, 0.1)
_FIGURE_2_GRID = np.linspace(0.0, 1.0, 50)[1:]  # the points of the published figure
_LOWEST_RISK = 1e-9
_HIGHEST_ALPHA = 1 - 1e-12

_ORDER = "coverage of the largest of n sorted values: Beta(n, 1) for a continuous law, and no less for any other"
_THEOREM_5 = "Privacy at Risk (PoPETs 2021), Theorem 5 and figure 2; the number of samples from equation 13"
_READING = (
    "The inequality is proven: with probability alpha the empirical distribution is nowhere further than rho from the true one. Theorem 5 "
    "reads alpha as the confidence in the largest sampled value and forgets rho, which is false wherever the number of samples is below "
    "alpha/(1 - alpha). Pairs must be drawn independently."
)


@dataclass(frozen=True)
class SamplesCurve(Result):
    """Number of samples against the risk 1 - alpha for one rho.

    All arrays have the shape of `risk`. `published` is equation 13 solved for the samples and not rounded. `in_the_mean` is how
    many samples Theorem 5's statement takes in truth, whatever rho: the largest of them covers a new pair with probability
    alpha. `largest` is how many the valid statement takes: with probability alpha the largest covers a share of at least
    1 - rho of all pairs. The evidence is that of the weaker part, the published one.
    """

    rho: float
    risk: _Floats
    published: _Floats
    in_the_mean: _Floats
    largest: _Floats
    evidence = Evidence(PUBLISHED, source=_THEOREM_5, limits=_READING)
    exact_source: str = _ORDER


@dataclass(frozen=True)
class SamplesAt(Result):
    """Samples, rho and alpha that belong together, and what that many samples are worth: the reader's own setting.

    `tolerance` is alpha, `risk` 1 - alpha; `says_something` is False where alpha is 0. Theorem 5 claims that the largest value
    covers a new pair with probability alpha; in truth it does with probability `mean_coverage`, n/(n + 1), where no two pairs
    have the same sensitivity, and no less where some have; `claim_holds` says whether that is enough. `share_covered` is the
    probability, at least, that it covers a share of at least 1 - rho, which the inequality puts at alpha or more.
    `samples_for_mean` and `samples_for_largest` are the samples that are enough for the two statements at this alpha (and rho); None
    where alpha is within 1e-12 of 1, and the second also where rho is 1 or more and nothing is left to cover.
    """

    samples: int
    rho: float
    tolerance: float
    risk: float
    says_something: bool
    mean_coverage: float
    claim_holds: bool
    share_covered: float
    samples_for_mean: int | None
    samples_for_largest: int | None
    QUANTITIES = quantities(
        rho=stated("level", "up", PROVEN),
        tolerance=stated("share", "down", PROVEN),
        covered=stated("share", "down", PROVEN),
        share_covered=stated("share", "down", PROVEN),
        mean_coverage=stated("share", "down", PROVEN),
        claimed=stated("share", claim="par-theorem-5"),
    )
    evidence = Evidence(PUBLISHED, source=_THEOREM_5 + "; " + _ORDER, limits=_READING)


@Evidence(PROVEN, source=_ORDER + ", whose mean is n/(n + 1)", limits="for pairs that are drawn independently")
def samples_in_the_mean(wanted: ArrayLike) -> FloatOrArray:
    """Smallest n whose largest value is not exceeded by one more pair with the wanted probability, 0 to 1 - 1e-12.

    n/(n + 1), n at least 1, has to be at least the wish; for a law with ties fewer can be enough.
    """
    sure = check_numbers("wanted", wanted, at_least=0, at_most=_HIGHEST_ALPHA)
    number = np.maximum(np.floor(sure / (1 - sure)), 1.0)  # at most the answer; rounding may leave it one short, or two
    for _ in range(2):
        number = np.where(number / (number + 1) >= sure, number, number + 1)
    return whole_number(number)


def samples_curves(rhos: Sequence[float] = FIGURE_2, *, risk: ArrayLike | None = None) -> tuple[SamplesCurve, ...]:
    """Return the number of samples against the risk for each rho, 1e-6 to below 1 (figure 2: 0.0001, 0.001, 0.01 and 0.1).

    `risk`, of shape (points,) and from 1e-9 to 1, are the values of 1 - alpha to draw: by default the 49 of figure 2, from 1/49 to 1.
    """
    distances = np.atleast_1d(check_numbers("rhos", rhos, at_least=1e-6, below=1.0))
    if distances.size == 0:
        raise ParameterError("rhos must hold at least one value, got an empty list")
    grid = _FIGURE_2_GRID
    if risk is not None:
        grid = np.atleast_1d(check_numbers("risk", risk, at_least=_LOWEST_RISK, at_most=1.0))
    alpha = 1.0 - grid
    mean = np.asarray(samples_in_the_mean(alpha), dtype=np.float64)
    return tuple(
        SamplesCurve(
            rho=float(rho),
            risk=grid,
            published=samples_formula(rho, alpha),
            in_the_mean=mean,
            largest=np.asarray(samples_for_largest(1.0 - rho, alpha), dtype=np.float64),
        )
        for rho in distances
    )


@Evidence(PROVEN, source="grid of figure 2, continued to smaller risks")
def risks_down_to(lowest: float) -> _Floats:
    """Return the risks of figure 2 and, where `lowest` (1e-9 to 1) is below them, steps down to it."""
    end = check_number("lowest", lowest, at_least=_LOWEST_RISK, at_most=1.0)
    if end >= _FIGURE_2_GRID[0]:
        return _FIGURE_2_GRID
    return np.concatenate([np.geomspace(end, _FIGURE_2_GRID[0], 40)[:-1], _FIGURE_2_GRID])


def samples_at(*, samples: int | None = None, rho: float | None = None, wanted: float | None = None) -> SamplesAt:
    """Return the third of samples, rho and alpha from the other two, each rounded to the safe side, and what they are worth.

    Exactly two are given: `samples`, 1 to 1e15, `rho`, above 0 and with `wanted` from 1e-6, `wanted`, the alpha, from 0 to below 1.

    >>> found = samples_at(samples=15_000, rho=0.01)
    >>> round(found.tolerance, 4), found.samples_for_largest
    (0.9004, 230)
    """
    given = sum(value is not None for value in (samples, rho, wanted))
    if given != 2:
        raise ParameterError(f"exactly two of samples, rho and wanted must be given, got {given}")
    if samples is None:
        distance, alpha = check_number("rho", rho, above=0), check_number("wanted", wanted, at_least=0, below=1)
        number = int(samples_needed(distance, alpha))
    elif rho is None:
        number, alpha = (
            check_integer("samples", samples, at_least=1),
            check_number("wanted", wanted, at_least=0, below=1),
        )
        distance = float(rho_for(number, alpha))
    else:
        number, distance = check_integer("samples", samples, at_least=1), check_number("rho", rho, above=0)
        alpha = float(tolerance(number, distance))
    mean = number / (number + 1)
    counted = alpha <= _HIGHEST_ALPHA  # nearer to 1 the float no longer says how near
    return SamplesAt(
        samples=number,
        rho=distance,
        tolerance=alpha,
        risk=1.0 - alpha,
        says_something=alpha > 0.0,
        mean_coverage=mean,
        claim_holds=alpha <= mean,
        share_covered=float(coverage(number, number, share=max(1.0 - distance, 0.0))),
        samples_for_mean=int(samples_in_the_mean(alpha)) if counted else None,
        samples_for_largest=int(samples_for_largest(1.0 - distance, alpha)) if counted and distance < 1.0 else None,
    )
