"""Noise for Gaussian kernels (EDP, section 6): a band-limited stand-in, and the level that it really reaches.

EDP divides the transform of a Laplace kernel by that of the kernel in use. For a Gaussian kernel the quotient
exp(σ²ω²/2)/(1 + λ²ω²) grows without end, so it is the transform of no density. Faded out up to the frequency where it is
smallest, it gives a function that may be negative in places; what is negative is set to 0, and Laplace tails are put on.
The result is a density, and no exact solution of anything: its level has to be measured. Nothing is won by it either:
plain Laplace noise of scale λ reaches the level for certain, with every kernel, and is as small within some thousandths.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import fft, special

from par_core.audit.distances import wasserstein_inf
from par_core.audit.noise import MOST_SAMPLES, achieved_epsilon
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import ESTIMATE, Evidence, Result
from par_core.parameters import check_integer, check_number, check_numbers, check_type

_REACH = 16.0  # scales of the Laplace distribution on either side; its own tails go on beyond
_PERIOD = 24.0  # the same for the transform, which repeats itself: at the reach the next copy is e^-16 of this one
_FINE = 4  # grid points in one width of the kernel
_LEAST = 5.0  # scales in units of the kernel width: below that too few frequencies are left
_WIDEST = 1_000.0  # scales in units of the kernel's width
_MEASURED_AT = 4_001  # answers at which two densities are compared
_MEASURED = 25  # individuals, those who move the answers farthest

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class BandLimitedNoise(Result):
    """Noise on a grid that stands in for the one that Gaussian kernels do not have. Made by `band_limited_noise`.

    `kernel_width` is the standard deviation of the Gaussian kernel, `scale` that of the Laplace kernel aimed at, in the unit of
    the answers; `cutoff` the frequency (per unit) beyond which the quotient is set to 0. `grid` and `density`, shape (points,),
    are evenly spaced values of the noise and its density there; beyond the grid it falls like a Laplace density. `clipped` is
    the negative mass that was set to 0, as a share of 1; `tail` the probability of the two tails beyond the grid.
    """

    kernel_width: float
    scale: float
    cutoff: float
    grid: Values
    density: Values
    clipped: float
    tail: float
    evidence = Evidence(
        ESTIMATE,
        source="Empirical Differential Privacy (2020), section 6, equation 2 for a Gaussian kernel, band-limited",
        limits="No density solves equation 2 for a Gaussian kernel. This one approximates it; the level that it reaches is measured, not "
        "guaranteed, and only for the estimated densities.",
    )

    @property
    def mean_absolute(self) -> float:
        """Mean size of the noise, in the unit of the answers."""
        step = self.grid[1] - self.grid[0]
        inside = float(np.sum(np.abs(self.grid) * self.density) * step)
        return inside + self.tail * float(self.grid[-1] + self.scale)

    def sample(self, size: int, *, rng: np.random.Generator) -> Values:
        """Draw noise, shape (size,): a grid cell by its probability, evenly within it; the tails by their own distribution."""
        count = check_integer("size", size, at_least=1, at_most=MOST_SAMPLES)
        check_type("rng", rng, np.random.Generator)
        step = self.grid[1] - self.grid[0]
        upto = np.cumsum(self.density) * step
        at = rng.random(count)
        inside = at < 1 - self.tail
        cell = np.minimum(np.searchsorted(upto, at * upto[-1] / (1 - self.tail), side="right"), len(upto) - 1)
        far = (self.grid[-1] + rng.exponential(self.scale, count)) * rng.choice([-1.0, 1.0], count)
        return np.asarray(np.where(inside, self.grid[cell] + (rng.random(count) - 0.5) * step, far))

    def blurred(self, x: ArrayLike) -> Values:
        """Density of kernel plus noise at x, which equation 2 wants to be the Laplace density of `scale`; shape of x."""
        at = np.abs(check_numbers("x", x))
        edge = float(self.grid[-1]) - 8 * self.kernel_width  # up to here the ends of the grid are not felt
        level = float(np.interp(edge, self.grid, self._smooth))
        inside = np.interp(at, self.grid, self._smooth)
        return np.asarray(np.where(at <= edge, inside, level * np.exp(-(np.maximum(at, edge) - edge) / self.scale)))

    @cached_property
    def _smooth(self) -> Values:
        transform = fft.rfft(fft.ifftshift(self.density))
        frequency = 2 * np.pi * fft.rfftfreq(len(self.grid), d=self.grid[1] - self.grid[0])
        smooth = fft.irfft(transform * np.exp(-((self.kernel_width * frequency) ** 2) / 2), len(self.grid))
        return np.asarray(np.maximum(fft.fftshift(smooth), 0.0))


@dataclass(frozen=True, eq=False)
class MeasuredLevel(Result):
    """The largest log ratio of the noisy densities with and without an individual, as measured on a grid of answers.

    `epsilon` is the largest found, for row `individual` of `without`, among the `measured` rows that move the answers
    farthest, at `points` answers; `aimed_at` is what Laplace kernels of the same scale would give: the exact value.
    """

    epsilon: float
    individual: int
    aimed_at: float
    measured: int
    points: int
    evidence = Evidence(
        ESTIMATE,
        source="densities of answer plus noise compared on a grid",
        limits="Measured at finitely many answers, for the individuals who move them farthest: no bound is proven.",
    )


def band_limited_noise(kernel_width: float, scale: float) -> BandLimitedNoise:
    """Return a density that, blurred by a Gaussian kernel, comes close to a Laplace density.

    `kernel_width`, above 0, is the standard deviation of the Gaussian kernel; `scale`, 5 to 1,000 times that, belongs to the
    Laplace density aimed at; both in the unit of the answers. Below 5 kernel widths too few frequencies are left:
    InfeasibleError, whose `best` is the least scale.

    >>> noise = band_limited_noise(0.1, 1.0)
    >>> round(float(noise.blurred(1.0)), 3), round(float(np.exp(-1) / 2), 3)
    (0.183, 0.184)
    """
    width, wide = check_number("kernel_width", kernel_width, above=0), check_number("scale", scale, above=0)
    if wide < _LEAST * width * (1 - 1e-12):
        raise InfeasibleError(
            f"a Gaussian kernel of width {width:g} needs a scale of at least {_LEAST * width:g}", best=_LEAST * width
        )
    if wide > _WIDEST * width:
        raise ParameterError(f"scale must be at most {_WIDEST:,.0f} kernel widths, got {wide / width:g}")
    ratio = width / wide  # all below in units of the scale
    points = fft.next_fast_len(math.ceil(2 * _PERIOD * max(_FINE / ratio, 64)), real=True)
    step = 2 * _PERIOD / points
    grid = (np.arange(points) - points // 2) * step
    kept = np.abs(grid) <= _REACH
    cutoff = math.sqrt(2 / ratio**2 - 1)  # where exp(σ²ω²/2)/(1 + ω²) is smallest
    frequency = 2 * np.pi * fft.rfftfreq(points, d=step)
    part = np.clip(frequency / cutoff, 1e-3, 1 - 1e-3)
    fading = special.expit(1 / part - 1 / (1 - part))  # smoothly to 0: a sudden end would leave ripples in the tails
    quotient = np.exp((ratio * np.minimum(frequency, cutoff)) ** 2 / 2) / (1 + frequency**2) * fading
    found = fft.fftshift(fft.irfft(quotient, points))[kept] / step
    density = np.maximum(found, 0.0)
    tail = math.exp(-_REACH)
    clipped = float(density.sum() - found.sum()) * step
    density *= (1 - tail) / (density.sum() * step)
    return BandLimitedNoise(width, wide, cutoff / wide, grid[kept] * wide, density / wide, clipped, tail)


def measured_level(noise: BandLimitedNoise, with_all: ArrayLike, *, without: ArrayLike) -> MeasuredLevel:
    """Measure what level answers with such noise really have.

    `with_all` are the answers with everybody, shape (n,); `without` those without each individual, (m,) or (N, m), of which
    the 25 rows that lie farthest from `with_all` are measured.
    """
    check_type("noise", noise, BandLimitedNoise)
    distances = np.atleast_1d(wasserstein_inf(with_all, without))
    first, rows = np.asarray(with_all, dtype=np.float64), np.atleast_2d(np.asarray(without, dtype=np.float64))
    chosen = np.argsort(distances)[::-1][:_MEASURED]
    lowest = min(first.min(), rows[chosen].min()) - 30 * noise.scale
    highest = max(first.max(), rows[chosen].max()) + 30 * noise.scale
    even = np.linspace(lowest, highest, _MEASURED_AT)
    found = np.empty(len(chosen))
    for place, individual in enumerate(chosen):
        at = np.unique(np.concatenate([even, first, rows[individual]]))
        above, below = (noise.blurred(at[:, None] - sample).mean(axis=1) for sample in (first, rows[individual]))
        if not (above.all() and below.all()):
            raise ParameterError(f"scale of the noise must not be so small beside the answers, got {noise.scale:g}")
        found[place] = np.abs(np.log(above) - np.log(below)).max()
    worst = int(np.argmax(found))
    aimed = float(np.max(achieved_epsilon(first, rows[chosen], scale=noise.scale)))
    return MeasuredLevel(float(found[worst]), int(chosen[worst]), aimed, len(chosen), _MEASURED_AT)
