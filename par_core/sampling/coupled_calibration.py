"""Calibration with a sampled sensitivity: which quantile of the sample to take (case 2), and which epsilon0 (case 3)."""

from __future__ import annotations

import math
from dataclasses import dataclass

from par_core.errors import InfeasibleError
from par_core.evidence import PROVEN, PUBLISHED, Evidence, Result, quantities, stated
from par_core.mechanisms import default_noise
from par_core.parameters import check_integer, check_number
from par_core.published import coupled, explicit
from par_core.sampling.sample_counts import tolerance

_CASES = "Privacy at Risk (PoPETs 2021), section 6.2"


@dataclass(frozen=True)
class SampledShare(Result):
    """Case 2: the quantile of the sampled sensitivities that the published formula asks for.

    `share`, wanted/alpha, is the quantile to take (confidence2), where alpha is the tolerance of the sample at rho. The inequality
    proves `valid` of it, share - rho and at least 0, with probability alpha.
    """

    wanted: float
    samples: int
    rho: float
    alpha: float
    share: float
    valid: float
    QUANTITIES = quantities(
        share=stated("quantile", "up", PUBLISHED, "par-theorem-5", lambda found: found.mean_coverage >= found.wanted),
        valid=stated("share", "down", PROVEN),
        alpha=stated("share", "down", PROVEN),
        mean_coverage=stated("share", "down", PROVEN),
        best=stated("share", "down", PUBLISHED, "par-theorem-5"),
    )
    evidence = Evidence(
        PUBLISHED, source=f"{_CASES}, case 2, with Theorem 5", limits="Theorem 5 loses a -rho; `valid` does not."
    )

    @property
    def mean_coverage(self) -> float:
        """Share of all pairs that the quantile covers on average over samples, at least: its rank is share·samples or more."""
        return self.share * self.samples / (self.samples + 1.0)


@dataclass(frozen=True)
class CoupledCalibration(Result):
    """Case 3: the noise level that the published formula asks for, and the truth about it.

    `epsilon0` is the largest that meets the wish by the formula, or None if every one does. `reached`, eta·epsilon0, is the level that
    holds for certain if eta is the true ratio of the sensitivities. `best`, confidence2·alpha, is the largest confidence that any
    noise has by the formula. `exact_confidence` is that of the noise alone for worst-case neighbours, P(|loss| <= epsilon) at
    eta·epsilon0; 0 where every epsilon0 meets the wish.
    """

    epsilon: float
    wanted: float
    eta: float
    confidence2: float
    alpha: float
    k: int
    epsilon0: float | None
    reached: float | None
    best: float
    exact_confidence: float
    QUANTITIES = quantities(
        epsilon0=stated(
            "level", "down", PUBLISHED, "par-theorem-6", lambda found: found.exact_confidence >= found.wanted
        ),
        reached=stated("level", "up", PROVEN),
        best=stated("share", "down", PUBLISHED, "par-theorem-6"),
        exact_confidence=stated("share", "down", PROVEN),
    )
    evidence = Evidence(
        PUBLISHED,
        source=f"{_CASES}, case 3, with Theorem 6 and equation 25",
        limits="Rests on Theorems 4 and 5, both false as stated; exact_confidence does not.",
    )


def share_to_take(wanted: float, *, samples: int, rho: float) -> SampledShare:
    """Return the quantile of 1 to 1e15 sampled pairs with an empirical confidence, in [0, 1], by the published formula at rho, above 0.

    A wish above alpha is an InfeasibleError; `.best` is alpha.
    """
    aim, distance = check_number("wanted", wanted, at_least=0, at_most=1), check_number("rho", rho, above=0)
    number = check_integer("samples", samples, at_least=1)
    alpha = float(tolerance(number, distance))
    if aim > alpha:
        raise InfeasibleError(
            f"no empirical confidence above {alpha:.6g} can be had from {number:,} pairs at rho = {distance:g}, wanted {aim:g}",
            best=alpha,
        )
    share = aim / alpha if alpha > 0 else 0.0
    return SampledShare(aim, number, distance, alpha, share, max(share - distance, 0.0))


def calibrate(
    epsilon: float, wanted: float, *, eta: float, confidence2: float = 1.0, alpha: float = 1.0, k: int = 1
) -> CoupledCalibration:
    """Return the largest epsilon0 with the wanted confidence in epsilon by the published formula, and what it is worth.

    Parameters are those of `coupled.epsilon0_for`, as single numbers. A wish above confidence2·alpha is an InfeasibleError; `.best` is
    that.

    >>> found = calibrate(0.4, 0.5, eta=1.1, confidence2=0.9, alpha=0.9)
    >>> round(found.epsilon0, 4), found.exact_confidence < 0.25
    (0.6943, True)
    """
    level, aim = check_number("epsilon", epsilon, above=0), check_number("wanted", wanted, at_least=0, at_most=1)
    ratio, dimension = check_number("eta", eta, above=0), check_integer("k", k, at_least=1)
    share = check_number("confidence2", confidence2, at_least=0, at_most=1)
    best = share * check_number("alpha", alpha, at_least=0, at_most=1)
    always = aim <= best and aim <= float(explicit.t_cdf(level, k=dimension)) * best
    epsilon0 = None
    if not always:
        found = float(coupled.epsilon0_for(level, aim, eta=ratio, confidence2=share, alpha=alpha, k=dimension))
        epsilon0 = None if math.isinf(found) else found  # beyond the largest float
    reached = None if epsilon0 is None else ratio * epsilon0
    return CoupledCalibration(
        epsilon=level,
        wanted=aim,
        eta=ratio,
        confidence2=share,
        alpha=float(alpha),
        k=dimension,
        epsilon0=epsilon0,
        reached=reached,
        best=best,
        exact_confidence=0.0 if reached is None else float(default_noise(reached).loss_within(level)),
    )
