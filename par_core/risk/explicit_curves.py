"""The curves of the explicit case, ready to be drawn: the published numbers on their grid and the exact ones beside them.

Every level that is drawn for is from 1e-100 to 1e100, every dimension at most 100,000, every number of points at most 100,000.
A ParameterError names what is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN, PUBLISHED, Evidence, Result, quantities, stated
from par_core.limits import LARGEST_K
from par_core.mechanisms import default_noise
from par_core.parameters import check_integer, check_integers, check_number, check_numbers, check_type
from par_core.progress import Progress
from par_core.published import explicit
from par_core.randomness import seeded
from par_core.risk import relaxations
from par_core.risk.simulation import LossSimulation, simulate_exceedance

FIGURE_POINTS = 50  # the published figures are drawn through this many points
_MOST_DRAWS = 50_000_000  # about two seconds
_MOST_POINTS = 100_000
_SMALLEST, _LARGEST = 1e-100, 1e100  # levels: far beyond what can be drawn, far within what can be multiplied
_Floats = NDArray[np.float64]
_TESTS_OF_LAPLACE = "Neyman-Pearson tests between two Laplace distributions; Bayes' rule at the largest privacy loss"
_TESTS_OF_ANY = "trade-off function and largest loss of the mechanism; Bayes' rule"


@dataclass(frozen=True)
class RiskCurve(Result):
    """Published risk of one (epsilon0, k) against epsilon, and the exact risk for worst-case neighbours.

    `risk` belongs to `epsilon`, both of shape (points,); `exact_risk` belongs to `exact_epsilon`, which also holds the two
    sides of the jump at epsilon0, where the exact risk falls to 0.
    """

    epsilon0: float
    k: int
    epsilon: _Floats
    risk: _Floats
    exact_epsilon: _Floats
    exact_risk: _Floats
    evidence = Evidence(PUBLISHED, source="Privacy at Risk (PoPETs 2021), Theorem 4")
    exact_source: str = "privacy loss of the Laplace mechanism, worst-case neighbours"


@dataclass(frozen=True)
class RiskAt(Result):
    """Published and exact risk at one epsilon: the reader's own setting."""

    epsilon: float
    epsilon0: float
    k: int
    risk: float
    exact_risk: float
    QUANTITIES = quantities(
        risk=stated("share", claim="par-theorem-4", holds=lambda at: at.exact_risk <= at.risk),
        exact_risk=stated("share", "up", PROVEN),
    )
    evidence = Evidence(PUBLISHED, source="Privacy at Risk (PoPETs 2021), Theorem 4; exact risk from the privacy loss")


@dataclass(frozen=True)
class ConfidenceCurves(Result):
    """Confidence in one epsilon that noise for each epsilon0 gives, published and exact; all arrays have one shape."""

    epsilon: float
    k: int
    epsilon0: _Floats
    confidence: _Floats
    exact_confidence: _Floats
    evidence = Evidence(
        PUBLISHED, source="Privacy at Risk (PoPETs 2021), Theorem 4; exact confidence from the privacy loss"
    )


@dataclass(frozen=True)
class TruthCurves(Result):
    """Everything that is said about noise for epsilon0, against epsilon: one claim and three facts.

    All arrays have the shape of `epsilon`. `risk` is the published claim on P(|loss| > epsilon); `two_sided` is that
    probability, `one_sided` is P(loss > epsilon), and `delta` the tight delta of (epsilon, delta)-differential privacy, all
    three for worst-case neighbours.
    """

    epsilon0: float
    k: int
    epsilon: _Floats
    risk: _Floats
    two_sided: _Floats
    one_sided: _Floats
    delta: _Floats
    evidence = Evidence(
        PUBLISHED, source="Privacy at Risk (PoPETs 2021), Theorem 4; the exact curves from the privacy loss"
    )


@dataclass(frozen=True)
class AttackCurves(Result):
    """What an attacker can reach against noise for `epsilon0`, and what noise for `epsilon` would allow.

    `false_positive` and the two smallest false-negative rates have one shape, `prior` and the two worst posteriors another.
    The advantages are single numbers. So many `releases` are attacked together, and in all but a share `rare0` of them the beliefs
    hold at epsilon0.
    """

    epsilon0: float
    epsilon: float
    false_positive: _Floats
    false_negative0: _Floats
    false_negative: _Floats
    prior: _Floats
    posterior0: _Floats
    posterior: _Floats
    advantage0: float
    advantage: float
    QUANTITIES = quantities(advantage0=stated("points", "up"), advantage=stated("points", "up"))
    rare0: float = 0.0
    releases: int = 1
    of_laplace: bool = True  # closed forms of one release of Laplace noise, else what the mechanism says of itself

    @property
    def evidence(self) -> Evidence:
        """Proven, either way."""
        return Evidence(PROVEN, source=_TESTS_OF_LAPLACE if self.of_laplace else _TESTS_OF_ANY)


@dataclass(frozen=True)
class NoiseOverlap(Result):
    """Densities of the noise for two privacy levels, and the area that they share (Lemma 5).

    `noise` is in units of the sensitivity; the densities and their minimum have its shape.
    """

    epsilon0: float
    epsilon: float
    noise: _Floats
    density0: _Floats
    density: _Floats
    overlap: float
    QUANTITIES = quantities(overlap=stated("share"))
    evidence = Evidence(PROVEN, source="Privacy at Risk (PoPETs 2021), Lemma 5")


@dataclass(frozen=True)
class ExcessCurve(Result):
    """Tight delta of the Laplace mechanism against epsilon: what an audit of such releases can find at most.

    `delta` belongs to `epsilon`, both of shape (points,), from 0 to epsilon0.
    """

    epsilon0: float
    epsilon: _Floats
    delta: _Floats
    evidence = Evidence(PROVEN, source="tight delta of the Laplace mechanism, worst-case neighbours")


def by_dimension(ks: Sequence[float], epsilon0: float, *, upto: float | None = None) -> tuple[RiskCurve, ...]:
    """Return one curve for each dimension (figure 1a: k = 1, 2, 3 at epsilon0 = 1).

    `upto` is the largest epsilon drawn; by default 1 as in the figure where that shows the curves, else epsilon0.
    """
    dimensions = check_integers("ks", ks, at_least=1, at_most=LARGEST_K)
    level = _level("epsilon0", epsilon0)
    grid = _grid([level], upto)
    return tuple(_curve(level, k, grid) for k in dimensions.ravel().tolist())


def by_epsilon0(epsilon0s: Sequence[float], k: int = 1, *, upto: float | None = None) -> tuple[RiskCurve, ...]:
    """Return one curve for each epsilon0 (figure 1b: 1, 1.5, 2, 2.5 at k = 1); parameters as in `by_dimension`."""
    levels: list[float] = check_numbers("epsilon0s", epsilon0s, at_least=_SMALLEST, at_most=_LARGEST).ravel().tolist()
    grid = _grid(levels, upto)
    return tuple(_curve(level, _dimension(k), grid) for level in levels)


def risk_at(epsilon: float, epsilon0: float, *, k: int = 1) -> RiskAt:
    """Return the published and the exact risk at one epsilon (at least 0)."""
    level, calibrated = check_number("epsilon", epsilon, at_least=0), check_number("epsilon0", epsilon0, above=0)
    claimed, exact = explicit.risk(level, calibrated, k=_dimension(k)), default_noise(calibrated).loss_exceeds(level)
    return RiskAt(level, calibrated, _dimension(k), claimed, exact)


def confidence_against_epsilon0(
    epsilon: float, k: int = 1, *, upto: float | None = None, points: int = 161
) -> ConfidenceCurves:
    """Return the confidence in `epsilon` for epsilon0 from a little below it to `upto` (by default 30 times epsilon)."""
    level, dimension = _level("epsilon", epsilon), _dimension(k)
    end = max(30.0 * level, 0.0 if upto is None else _level("upto", upto))
    spread = np.geomspace(0.7 * level, end, _points(points))
    epsilon0 = np.union1d(spread, [level, np.nextafter(level, np.inf)])
    claimed, exact = explicit.confidence(level, epsilon0, k=dimension), default_noise(epsilon0).loss_within(level)
    return ConfidenceCurves(level, dimension, epsilon0, claimed, exact)


def truth(epsilon0: float, k: int = 1, *, points: int = 201) -> TruthCurves:
    """Return the published risk and the three exact curves for epsilon from 0 to a little past epsilon0."""
    epsilon0, k, points = _level("epsilon0", epsilon0), _dimension(k), _points(points)
    # For a large epsilon0 the published risk falls within a few units of epsilon, far left on the axis.
    spread = [np.linspace(0.0, 1.05 * epsilon0, points), np.linspace(0.0, min(12.0, epsilon0), points // 2)]
    epsilon, noise = _with_jump(np.unique(np.concatenate(spread)), epsilon0), default_noise(epsilon0)
    return TruthCurves(
        epsilon0=epsilon0,
        k=k,
        epsilon=epsilon,
        risk=explicit.risk(epsilon, epsilon0, k=k),
        two_sided=noise.loss_exceeds(epsilon),
        one_sided=noise.loss_exceeds(epsilon, two_sided=False),
        delta=noise.delta(epsilon),
    )


def attacks(epsilon0: float, epsilon: float, *, points: int = 201) -> AttackCurves:
    """Return the trade-off curves, advantages and posteriors of the best attack at epsilon0 and at epsilon."""
    epsilon0, epsilon, points = _level("epsilon0", epsilon0), _level("epsilon", epsilon), _points(points)
    corners = [0.5 * np.exp(-epsilon0), 0.5 * np.exp(-epsilon), 0.5]
    # At a large epsilon0 everything happens next to 0 (and, for the prior, next to 1).
    near0 = np.geomspace(max(1e-3 * np.exp(-max(epsilon0, epsilon)), 1e-12), 0.5, points)
    even = np.linspace(0.0, 1.0, points)
    false_positive = np.unique(np.concatenate([even, corners, near0]))
    prior = np.unique(np.concatenate([even, near0, 1.0 - near0]))
    noise0, noise = default_noise(epsilon0), default_noise(epsilon)
    return AttackCurves(
        epsilon0=epsilon0,
        epsilon=epsilon,
        false_positive=false_positive,
        false_negative0=noise0.tradeoff(false_positive),
        false_negative=noise.tradeoff(false_positive),
        prior=prior,
        posterior0=noise0.posterior(prior),
        posterior=noise.posterior(prior),
        advantage0=noise0.advantage,
        advantage=noise.advantage,
    )


def excess(epsilon0: float, *, points: int = 61) -> ExcessCurve:
    """Return the tight delta of noise for epsilon0 (above 0) at levels from 0 to epsilon0."""
    level = _level("epsilon0", epsilon0)
    epsilon = np.linspace(0.0, level, _points(points))
    return ExcessCurve(level, epsilon, default_noise(level).delta(epsilon))


def noise_overlap(epsilon0: float, epsilon: float, *, points: int = 301) -> NoiseOverlap:
    """Return the two noise densities, in units of the sensitivity, and their overlap."""
    epsilon0, epsilon, points = _level("epsilon0", epsilon0), _level("epsilon", epsilon), _points(points)
    right = np.unique([np.linspace(0.0, 4.0 / level, points // 2) for level in (epsilon, epsilon0)])
    noise = np.concatenate([-right[:0:-1], right])
    density0, density = (0.5 * level * np.exp(-level * np.abs(noise)) for level in (epsilon0, epsilon))
    return NoiseOverlap(epsilon0, epsilon, noise, density0, density, explicit.overlap(epsilon0, epsilon))


def post_processing(epsilon0: float, threshold: float, *, points: int = 201) -> relaxations.ThresholdedLoss:
    """Return how often the loss is above ε, from 0 to a little past epsilon0, before and after a threshold.

    `threshold` is in units of the sensitivity, between the answers 0 and 1 of the two neighbours or beyond them.
    """
    epsilon0, threshold, points = _level("epsilon0", epsilon0), check_number("threshold", threshold), _points(points)
    once = relaxations.thresholded_loss(0.0, epsilon0, threshold=threshold)
    epsilon = np.linspace(0.0, 1.05 * epsilon0, points)
    for jump in (epsilon0, abs(once.loss_above), abs(once.loss_below)):
        epsilon = _with_jump(epsilon, jump)
    return relaxations.thresholded_loss(epsilon, epsilon0, threshold=threshold)


def simulate(
    epsilon0: float, k: int, *, even: bool, size: int, seed: int, points: int = 12, progress: Progress | None = None
) -> LossSimulation:
    """Simulate releases and return the shares above some epsilons below epsilon0, to be laid on `truth`.

    With `even`, one person's change is spread evenly over the k coordinates; then fewer releases are drawn where size times
    k passes 50 million numbers.
    """
    epsilon0, k, points = _level("epsilon0", epsilon0), _dimension(k), _points(points)
    size = check_integer("size", size, at_least=1)
    return simulate_exceedance(
        epsilon0 * (np.arange(points) + 0.5) / points,
        epsilon0,
        k=k,
        shift=np.full(k, 1.0 / k) if check_type("even", even, bool) else None,
        size=max(1, min(size, _MOST_DRAWS // k)) if even else size,
        rng=seeded(seed),
        progress=progress,
    )


def _curve(epsilon0: float, k: int, epsilon: _Floats) -> RiskCurve:
    with_jump = _with_jump(epsilon, epsilon0)
    exact = default_noise(epsilon0).loss_exceeds(with_jump)
    return RiskCurve(epsilon0, k, epsilon, explicit.risk(epsilon, epsilon0, k=k), with_jump, exact)


def _with_jump(epsilon: _Floats, epsilon0: float) -> _Floats:
    """Add both sides of the jump at epsilon0, if it lies inside; otherwise a line would slant across it."""
    if epsilon0 > epsilon[-1]:
        return epsilon
    return np.union1d(epsilon, [np.nextafter(epsilon0, 0.0), epsilon0])


def _grid(epsilon0s: Sequence[float], upto: float | None) -> _Floats:
    """Return the points of the published figures where they show the curves, and more of them where they do not."""
    smallest, largest = min(epsilon0s), max(epsilon0s)
    near_the_figures = smallest >= 0.5 and largest <= 3.0
    end = _level("upto", upto) if upto is not None else (1.0 if largest >= 1.0 and near_the_figures else largest)
    points = np.linspace(0.0, end, FIGURE_POINTS)
    if near_the_figures and end <= 3.0:
        return points
    # The published risk falls within a few units of epsilon, and to 0 at each epsilon0.
    parts = [points, np.linspace(0.0, min(end, 12.0), 60), np.geomspace(1e-3 * min(smallest, end), end, 60)]
    parts += [np.linspace(0.0, level, FIGURE_POINTS) for level in np.minimum(epsilon0s, end)]
    return np.unique(np.concatenate(parts))


def _level(name: str, value: float) -> float:
    return check_number(name, value, at_least=_SMALLEST, at_most=_LARGEST)


def _dimension(k: int) -> int:
    return check_integer("k", k, at_least=1, at_most=LARGEST_K)


def _points(points: int) -> int:
    return check_integer("points", points, at_least=2, at_most=_MOST_POINTS)
