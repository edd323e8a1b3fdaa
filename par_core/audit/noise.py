"""How much noise makes the answers with and without each individual look alike (EDP, section 6, repaired).

The scale comes from the ∞-Wasserstein distance. EDP's Proposition 1 takes the Hausdorff distance, which does not see how
often a value occurs, and is false; it is computed beside the valid one so that the difference can be shown.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.audit.bandwidths import log_sums
from par_core.audit.deltas import LARGEST_EPSILON
from par_core.audit.distances import hausdorff, wasserstein_inf
from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE, PROVEN, Evidence, Result, evidence_of, quantities, stated
from par_core.parameters import FloatOrArray, check_integer, check_number, check_numbers, check_type, like_input
from par_core.published.empirical import hausdorff_noise
from par_core.rounding import brief, rounded

_SECTION_6 = "Empirical Differential Privacy (2020), section 6"
_REPAIR = (
    "term-by-term bound on Laplace kernel densities of equal width, matched in sorted order (repairs Proposition 1 of "
    + ("Empirical Differential Privacy, 2020)")
)
_ONLY_DENSITIES = (
    "Holds for the kernel densities of the two samples. That they are the distributions of the answers is an estimate; and it is privacy "
    "against somebody who knows only these distributions, not differential privacy."
)
_BLOCK = 4_000_000  # numbers held at once
_SMALLEST = 1e-100  # of a spread and a level: quotients of smaller numbers leave the floats
MOST_SAMPLES = 100_000_000
_UPWARD = 1 + 1e-12  # a scale is rounded up by more than the logarithms are rounded when it is put back in

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class NoiseScale(Result):
    """The width that Laplace kernels need so that nobody's going away changes the density by more than e^epsilon.

    `scale` (in the unit of the answers) is the largest `distance` between the answers with and without one individual over
    `epsilon`, rounded up; 0 where nobody changes any answer. `individual` is whose it is: the row of `without`.
    `formula` gives the scale for a distance.
    """

    epsilon: float
    scale: float
    distance: float
    individual: int
    QUANTITIES = quantities(
        scale=stated("level", "up", claim="edp-proposition-1"),
        distance=stated("level", "up", claim="edp-proposition-1"),
    )
    formula: Callable[..., float] = field(repr=False)

    @property
    def evidence(self) -> Evidence:
        """What the formula rests on."""
        return evidence_of(self.formula)


def wasserstein_scale(with_all: ArrayLike, without: ArrayLike, *, epsilon: float) -> NoiseScale:
    """Scale that gives epsilon, the largest absolute log ratio, for certain, for Laplace kernel densities of the two samples.

    The answers with everybody have shape (n,), those without each individual (N, m) or (m,), in any unit.
    """
    return _scale(np.atleast_1d(wasserstein_inf(with_all, without)), epsilon, _wasserstein_noise)


def hausdorff_scale(with_all: ArrayLike, without: ArrayLike, *, epsilon: float) -> NoiseScale:
    """Scale as published, which is no guarantee; parameters and errors as for `wasserstein_scale`."""
    return _scale(np.atleast_1d(hausdorff(with_all, without)), epsilon, hausdorff_noise)


@Evidence(PROVEN, source=_REPAIR, limits=_ONLY_DENSITIES)
def _wasserstein_noise(distance: float, *, epsilon: float) -> float:
    """Scale for a distance: distance/epsilon."""
    return distance / epsilon


def _scale(distances: Values, epsilon: float, formula: Callable[..., float]) -> NoiseScale:
    wanted = check_number("epsilon", epsilon, above=0)
    worst = int(np.argmax(distances))
    farthest = float(distances[worst])
    scale = formula(farthest, epsilon=wanted) * _UPWARD
    if not math.isfinite(scale):
        raise ParameterError(f"epsilon must not be so small that the noise overflows, got {wanted:g}")
    return NoiseScale(wanted, scale, farthest, worst, formula)


@Evidence(
    PROVEN,
    source="the log ratio is monotone between neighbouring sample points and constant beyond them",
    limits=_ONLY_DENSITIES,
)
def achieved_epsilon(with_all: ArrayLike, without: ArrayLike, *, scale: float) -> FloatOrArray:
    """Largest absolute log ratio of the Laplace kernel densities with and without each individual, exactly.

    `with_all` has shape (n,), `without` (m,) or (N, m); `scale`, above 0, is the width of the kernels, in the unit of the
    answers. A float, or shape (N,).

    >>> round(achieved_epsilon([0.0], [1.0], scale=2.0), 6)
    0.5
    """
    first, rows, width = (
        check_numbers("with_all", with_all),
        check_numbers("without", without),
        check_number("scale", scale, above=0),
    )
    if first.ndim != 1 or rows.ndim not in (1, 2):
        raise ParameterError(f"with_all must have shape (n,), without (m,) or (N, m), got {first.shape}, {rows.shape}")
    table = np.atleast_2d(rows)
    points = first.size + table.shape[1]
    step = max(1, _BLOCK // (points * max(first.size, table.shape[1])))
    with np.errstate(over="ignore", invalid="ignore"):
        found = np.concatenate([_log_ratio(first, table[at : at + step], width) for at in range(0, len(table), step)])
    if not np.isfinite(found).all():
        raise ParameterError(f"scale must not be so small beside the answers that the ratio overflows, got {width:g}")
    return like_input(found[0] if rows.ndim == 1 else found)


def _log_ratio(first: Values, rows: Values, width: float) -> Values:
    points = np.concatenate([np.broadcast_to(first, (len(rows), first.size)), rows], axis=1)[:, :, None]
    above = log_sums(-np.abs(points - first) / width) - math.log(first.size)
    below = log_sums(-np.abs(points - rows[:, None, :]) / width) - math.log(rows.shape[1])
    return np.asarray(np.abs(above - below).max(axis=1))


@dataclass(frozen=True, eq=False)
class Counterexample(Result):
    """Two samples on which Proposition 1 fails: what each distance asks for, and what log ratio its scale leaves.

    `first` has `many` points near 0 and one at 1; `second` one point at 0 and `many` near 1. Scales in the unit of the points.
    """

    epsilon: float
    first: Values
    second: Values
    hausdorff_scale: float
    hausdorff_achieved: float
    wasserstein_scale: float
    wasserstein_achieved: float
    evidence = Evidence(
        PROVEN,
        source="exact; Proposition 1 of Empirical Differential Privacy (2020) wants hausdorff_achieved <= epsilon",
    )


def counterexample(*, many: int = 40, epsilon: float = 0.5, spread: float = 0.001) -> Counterexample:
    """Return the samples that show what is wrong with the Hausdorff distance.

    Each cluster has `many` points, 1 to 1,000, and half the width `spread`, 1e-100 to 0.1; the clusters are 1 apart.
    `epsilon`, 1e-100 to 500, was wanted.

    >>> shown = counterexample()
    >>> round(shown.hausdorff_achieved, 1), round(shown.wasserstein_achieved, 1)
    (3.7, 0.5)
    """
    check_number("epsilon", epsilon, at_least=_SMALLEST, at_most=LARGEST_EPSILON)
    half = check_number("spread", spread, at_least=_SMALLEST, at_most=0.1)
    near = np.linspace(-half, half, check_integer("many", many, at_least=1, at_most=1000))
    first, second = np.append(near, 1.0), np.append(0.0, 1 + near)
    published = hausdorff_scale(first, second, epsilon=epsilon)
    valid = wasserstein_scale(first, second, epsilon=epsilon)
    return Counterexample(
        valid.epsilon,
        first,
        second,
        published.scale,
        achieved_epsilon(first, second, scale=published.scale),
        valid.scale,
        achieved_epsilon(first, second, scale=valid.scale),
    )


@dataclass(frozen=True)
class MixtureNoise(Result):
    """Noise that widens a Laplace kernel of one scale to a Laplace kernel of another, exactly.

    With probability `exact_share` = kernel_scale²/scale² nothing is added and the *exact answer is released*; otherwise the noise is
    Laplace of `scale`. Made by `mixture_noise`. Scales are in the unit of the answers.
    """

    kernel_scale: float
    scale: float
    QUANTITIES = quantities(  # of a proven result, for scales that are read off estimated densities
        exact_share=stated("share", "up", ESTIMATE),
        scale=stated("level", "up", ESTIMATE),
        kernel_scale=stated("number", basis=ESTIMATE),
        mean_absolute=stated("error", "up", ESTIMATE),
    )
    evidence = Evidence(
        PROVEN,
        source=_SECTION_6 + ", equation 2, solved for Laplace kernels",
        limits="The exact answer is released with probability kernel_scale²/scale². The level holds for the estimated density of the "
        "answers, not for one answer: against somebody who knows the other individuals' data this is no privacy at all.",
    )

    @property
    def exact_share(self) -> float:
        """Probability that the exact answer is released."""
        return 1.0 if self.scale <= self.kernel_scale else (self.kernel_scale / self.scale) ** 2

    @property
    def mean_absolute(self) -> float:
        """Mean size of the noise, in the unit of the answers."""
        return 0.0 if self.exact_share == 1 else (1 - self.exact_share) * self.scale

    @property
    def words(self) -> str:
        """What a reader has to know before using it."""
        if self.exact_share == 1:
            return "No noise is needed for this level, so the exact answer is always released."
        share, scale = rounded(100 * self.exact_share, toward="up"), rounded(self.scale, 4, toward="up")
        return (
            f"In {share:g} of 100 releases nothing is added: the exact answer goes out. In all others the noise is Laplace noise of "
            f"scale {scale:g}."
        )

    def sample(self, size: int, *, rng: np.random.Generator) -> Values:
        """Draw noise, shape (size,)."""
        count = check_integer("size", size, at_least=1, at_most=MOST_SAMPLES)
        check_type("rng", rng, np.random.Generator)
        drawn = rng.laplace(scale=self.scale, size=count) if self.exact_share < 1 else np.zeros(count)
        return np.where(rng.random(count) < self.exact_share, 0.0, drawn)

    def cdf(self, x: ArrayLike) -> FloatOrArray:
        """Probability that the noise is at most x, with its jump of `exact_share` at 0; shape of x."""
        at, share = check_numbers("x", x), self.exact_share
        smooth = 0.0 if share == 1 else np.where(at < 0, 0.5, -0.5) * np.exp(-np.abs(at) / self.scale) + (at >= 0)
        return like_input(np.asarray((1 - share) * smooth + share * (at >= 0)))

    def density(self, x: ArrayLike) -> FloatOrArray:
        """Density of the part that is not the exact answer; it integrates to 1 − `exact_share`; shape of x."""
        at = check_numbers("x", x)
        if self.exact_share == 1:
            return like_input(np.zeros_like(at))
        return like_input((1 - self.exact_share) * np.exp(-np.abs(at) / self.scale) / (2 * self.scale))

    def characteristic(self, frequency: ArrayLike) -> FloatOrArray:
        """Characteristic function, real because the noise is symmetric; shape of the frequency (per unit of the answers)."""
        at = check_numbers("frequency", frequency)
        share = self.exact_share
        with np.errstate(over="ignore"):  # beyond all floats nothing is left
            moved = 0.0 if share == 1 else (1 - share) / (1 + (self.scale * at) ** 2)
        return like_input(np.asarray(share + moved))


def mixture_noise(kernel_scale: float, scale: float) -> MixtureNoise:
    """Noise that turns Laplace kernel densities of `kernel_scale` into those of `scale`; none where they are wide enough already.

    The first, above 0, is the bandwidth that was chosen for the density of the answers, in their unit; the second, at least 0,
    what `wasserstein_scale` asks for.

    >>> noise = mixture_noise(1.0, 2.0)
    >>> noise.exact_share, noise.mean_absolute
    (0.25, 1.5)
    """
    return MixtureNoise(check_number("kernel_scale", kernel_scale, above=0), check_number("scale", scale, at_least=0))


@dataclass(frozen=True)
class ClassicalNoise(Result):
    """What the classical Laplace mechanism would add for the same epsilon, beside the noise of the audit.

    `sensitivity` and both mean sizes are in the unit of the answers; infinite where the query is unbounded.
    """

    epsilon: float
    sensitivity: float
    mean_absolute: float
    empirical_mean_absolute: float
    evidence = Evidence(
        ESTIMATE,
        source="Laplace mechanism, sensitivity/epsilon, one individual removed; " + _SECTION_6,
        limits="The two do not promise the same: only the classical mechanism protects against somebody who knows all other records.",
    )

    @property
    def words(self) -> str:
        """The comparison in a sentence or two."""
        ours = f"The audit asks for noise of mean size {brief(self.empirical_mean_absolute, toward='up')}."
        if math.isinf(self.sensitivity):
            return (
                f"{ours} Differential privacy would need infinite noise: nothing bounds what one individual can change."
            )
        classical = brief(self.mean_absolute, toward="up") if math.isfinite(self.mean_absolute) else "more"
        return f"{ours} Differential privacy at the same level needs {classical}. The two do not promise the same."


def compared_with_classical(noise: float, epsilon: float, *, sensitivity: float) -> ClassicalNoise:
    """Compare the mean size of some noise (at least 0, in the unit of the answers) with what the classical mechanism needs.

    `epsilon`, above 0, is the level of both; `sensitivity`, above 0, may be infinite, as of `classical_sensitivity`.
    """
    level, ours = check_number("epsilon", epsilon, above=0), check_number("noise", noise, at_least=0)
    unbounded = isinstance(sensitivity, float) and sensitivity == math.inf
    largest = math.inf if unbounded else check_number("sensitivity", sensitivity, above=0)
    return ClassicalNoise(level, largest, largest / level, ours)
