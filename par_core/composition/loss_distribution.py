"""The privacy loss distribution of many Laplace releases together, step by step and without a lattice.

The loss of one release has atoms at ±epsilon0 and, after a factor exp(loss/2) is taken out, a flat part between them. The
n-fold loss therefore has atoms on whole multiples of epsilon0 and a density that is a polynomial between two of them. Held
as Legendre coefficients in each such cell, one more release is one small matrix for all cells. What is dropped (high
degrees, far cells) and what rounding can do is added up along the way, so that the result comes with a bound on its error.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from par_core.progress import Progress

Floats = NDArray[np.float64]

UNIT = 2.0**-53  # relative rounding error of one operation
_WIDEST = 3.0  # a cell of width epsilon0 is cut into pieces no wider than this,
_STEEPEST = 8.0  # and so narrow that the weight of the tilt changes by no more than exp of this within one
_DEGREES = 14
_FEWEST_DEGREES = 4
_DROPPED = 1e-22  # mass and coefficients below this are dropped, and counted
_UNSEEN = 1e-3  # degrees that hold less than this share of what rounding may do in one step are not worth their time
_TIDY_EVERY = 16
_SETTLED = 64  # releases after which the coefficients only get smaller
_ONE_THREAD = 2**18  # multiplications up to which a product of matrices is not divided among threads


@dataclass(frozen=True)
class Tilt:
    """The exponential weight exp(loss·(½ + beta/epsilon0)) under which the law is held.

    It moves the bulk of the law to where the tail is asked for, so that small probabilities keep their digits. epsilon0 is the
    level of one release, and beta, at least 0, the strength per epsilon0 of loss.
    """

    epsilon0: float
    beta: float

    @property
    def strength(self) -> float:
        """The whole exponent per epsilon0 of loss, with the half that makes the law symmetric."""
        return self.epsilon0 / 2 + self.beta

    @cached_property
    def log_mass(self) -> float:
        """Logarithm of the mass of one release: of E[exp(beta·loss/epsilon0)]."""
        return log_moment(self.strength, self.epsilon0)


def log_moment(strength: float, epsilon0: float) -> float:
    """Logarithm of E[exp(z·loss)] of one release, with strength = (z + ½)·epsilon0.

    The moment is exp(-epsilon0/2)·(cosh t + (epsilon0/2)·sinh(t)/t) at t = strength, which is even in t.
    """
    t = abs(strength)
    falling = math.exp(-2 * t)
    flat = 1.0 if t < 1e-12 else -math.expm1(-2 * t) / (2 * t)
    return (t - epsilon0 / 2) + math.log(0.5 * (1 + falling) + 0.5 * epsilon0 * flat)


def tilt_for(epsilon0: float, releases: int, *, delta: float) -> Tilt:
    """Return a tilt that moves the mean of the n-fold loss to about where delta is the wanted one."""
    # Delta is the chance of a loss beyond epsilon times what lies beyond it, which for small losses is much less than 1.
    log_chance = math.log(delta) - math.log(min(1.0, epsilon0 * math.sqrt(releases) / 3))

    def reach(beta: float) -> float:
        """Chernoff's exponent at the mean under the tilt, less the one that is wanted."""
        log_mass = log_moment(epsilon0 / 2 + beta, epsilon0)
        return releases * (beta * _mean(epsilon0, beta) - log_mass) + log_chance

    # Stronger tilts only enlarge the bound on the error. At a large level half of the releases lie at the very top, and it
    # takes a tilt that grows with the level to move the mean there.
    return Tilt(epsilon0, first_positive(reach, 1e-6, 2 + epsilon0))


def tilt_at(epsilon0: float, releases: int, *, epsilon: float) -> Tilt:
    """Return a tilt that moves the mean of the n-fold loss to about epsilon."""

    def reach(beta: float) -> float:
        return releases * _mean(epsilon0, beta) - epsilon / epsilon0

    # The more releases, the further out is the top of the law; with few of them a strong tilt only enlarges the bound.
    return Tilt(epsilon0, first_positive(reach, 1e-6, min(30.0, 1 + epsilon0 / 2 + releases / 4)))


def _mean(epsilon0: float, beta: float) -> float:
    """Mean loss of one release under the tilt, per epsilon0."""
    step, at = 1e-4 * beta, epsilon0 / 2 + beta
    return (log_moment(at + step, epsilon0) - log_moment(at - step, epsilon0)) / (2 * step)


def first_positive(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a rising function becomes positive, to a few per cent, or the upper end: any tilt near it serves."""
    if function(high) <= 0:
        return high
    while high > 1.03 * low:
        middle = math.sqrt(low * high)
        low, high = (middle, high) if function(middle) < 0 else (low, middle)
    return high


def added_up(epsilon0: float, releases: int) -> float:
    """Return the largest loss of several releases, rounded up where it is no float; quicker than with fractions."""
    nearest = epsilon0 * releases
    (top, bottom), (level, parts) = nearest.as_integer_ratio(), epsilon0.as_integer_ratio()
    return nearest if top * parts >= level * releases * bottom else math.nextafter(nearest, math.inf)


def rounded_up(value: Fraction) -> float:
    """Return the smallest float that is not below a fraction."""
    nearest = float(value)
    return nearest if nearest >= value else math.nextafter(nearest, math.inf)


@dataclass(frozen=True)
class LossDistribution:
    """A tilted privacy loss distribution of several releases together, where the loss is at least 0.

    Piece J covers losses from J·width to (J + 1)·width. What is held of it is the law times exp(beta·J), divided by the mass
    exp(log_mass), as if all of the piece lay at its lower end except for the factor exp(loss/2) that makes it symmetric.
    """

    releases: int
    width: float  # of a piece, in loss
    beta: float  # strength of the tilt over one piece
    growth: float  # how much the tilt grows within a piece
    log_mass: float  # logarithm of the mass by which the tilted law was divided
    largest: float  # the largest loss there is: all levels added up, rounded up
    first: int  # number of the first piece that is held, at least 0
    density: Floats  # of shape (pieces, degrees): coefficients of Legendre polynomials shifted to the piece, of the mass per piece
    atoms: Floats  # of shape (pieces,): mass at the lower end of each piece
    error: float  # bound on the total mass by which the held law may differ from the true one
    slack: float  # bound on the relative error of log_mass's exponential and of sums of the masses


def laws(tilt: Tilt, wanted: Sequence[int], *, progress: Progress) -> Iterator[LossDistribution]:
    """Yield the law for each wanted number of releases, which rise."""
    sweep = _Sweep(tilt)
    for releases in wanted:
        while sweep.releases < releases:
            sweep.step()
            if sweep.releases % _TIDY_EVERY == 0:
                progress(sweep.releases / wanted[-1])
        yield sweep.law()


class _Sweep:
    """The law so far; a row of `held` is a cell: the coefficients of its pieces one after another, then the atom at its lower end."""

    def __init__(self, tilt: Tilt) -> None:
        self.tilt = tilt
        self.pieces = max(math.ceil(tilt.epsilon0 / _WIDEST), math.ceil(tilt.strength / _STEEPEST))
        self.degrees = _DEGREES
        self.releases = 0
        self.first = 0
        self.error = 0.0
        self.held = np.zeros((1, self.pieces * self.degrees + 1))
        self.held[0, -1] = 1.0
        self._prepare()

    def law(self) -> LossDistribution:
        cells, pieces, tilt = len(self.held), self.pieces, self.tilt
        atoms = np.zeros((cells, pieces))
        atoms[:, 0] = self.held[:, -1]
        return LossDistribution(
            releases=self.releases,
            width=tilt.epsilon0 / pieces,
            beta=tilt.beta / pieces,
            growth=math.exp(tilt.strength / pieces),
            log_mass=self.releases * tilt.log_mass,
            largest=added_up(tilt.epsilon0, self.releases),
            first=self.first * pieces,
            density=self.held[:, :-1].reshape(cells * pieces, self.degrees) / pieces,
            atoms=atoms.ravel(),
            error=self.error * (1 + 8 * UNIT * self.releases),
            # The scale of a step is rounded once and then taken to the power of the number of releases.
            slack=8 * UNIT * (self.releases * (tilt.epsilon0 + abs(tilt.log_mass) + 1) + 400),
        )

    def step(self) -> None:
        """Add one release."""
        cells, size = self.held.shape
        below = 1 if self.first == 0 else 2
        padded = np.zeros((cells + below + 2, size))
        padded[below : below + cells] = self.held
        if self.first == 0:
            self._mirror(padded)
        else:
            self.first -= 1
        moved = _product(padded, self._matrix)
        added = moved[:-2, :size] + moved[2:, size : 2 * size]
        added[:, : size - 1 : self.degrees] += moved[1:-1, 2 * size :]
        tops = self.held[:, self.degrees - 1 : -1 : self.degrees]
        # Twice: the half of the line that is not held has the same.
        self.error += 2 * self._lost * float(np.abs(tops).sum()) + self._rounding
        self.held = added
        self.releases += 1
        if self.releases % _TIDY_EVERY == 0:
            self._tidy()

    def _mirror(self, padded: Floats) -> None:
        """Fill the cell below 0 from the one above it."""
        above = self.held[0, :-1] * self._mirrored
        padded[0, :-1] = above.reshape(self.pieces, self.degrees)[::-1].ravel()
        if len(self.held) > 1:
            padded[0, -1] = math.exp(-2 * self.tilt.strength) * self.held[1, -1]

    def _tidy(self) -> None:
        """Drop cells and degrees that hold next to nothing, and count them."""
        size = np.abs(self.held) @ self._norms
        below, above = np.cumsum(size), np.cumsum(size[::-1])
        low = int(np.searchsorted(below, _DROPPED))
        high = len(size) - int(np.searchsorted(above, _DROPPED))
        if low < 2 * _TIDY_EVERY and self.first == 0:
            low = 0  # else the next steps would grow it again, from nothing
        if low:
            self.error += 2 * float(below[low - 1])
            self.first += low
        if high < len(size):
            self.error += 2 * float(above[len(size) - high - 1])
        self.held = self.held[low:high].copy()
        if self.releases >= _SETTLED:
            self._lower_degrees()

    def _lower_degrees(self) -> None:
        while self.degrees > _FEWEST_DEGREES:
            cells = len(self.held)
            pieces = self.held[:, :-1].reshape(cells, self.pieces, self.degrees)
            top = math.exp(self.tilt.strength / self.pieces) * float(np.abs(pieces[:, :, -2:]).sum())
            if top > max(100 * _DROPPED, _UNSEEN * self._rounding):
                return
            self.error += 2 * top
            kept = pieces[:, :, :-2].reshape(cells, -1)
            self.degrees -= 2
            self.held = np.column_stack([kept, self.held[:, -1]])
            self._prepare()

    def _prepare(self) -> None:
        """Build the matrices for the present number of degrees, and what each step may lose."""
        pieces, degrees, tilt = self.pieces, self.degrees, self.tilt
        strength = tilt.strength
        size = pieces * degrees + 1
        # Written so that nothing overflows: exp(strength) never stands alone.
        log_scale = -(tilt.log_mass + tilt.epsilon0 / 2)
        up, down, stay = (math.exp(log_scale + shift) for shift in (strength, -strength, 0.0))
        flat = tilt.epsilon0 / 4
        rising = _integral(pieces, degrees, strength)
        whole = _whole(pieces, degrees, strength)
        density = np.s_[: size - 1]
        raised, lowered, kept = (np.zeros((size, size)) for _ in range(3))
        raised[density, density] = up * (0.5 * np.eye(size - 1) + flat * (whole - rising))
        raised[-1, -1] = 0.5 * up
        lowered[density, density] = down * (0.5 * np.eye(size - 1) + flat * rising)
        lowered[-1, -1] = 0.5 * down
        atom_everywhere = _constant(pieces, degrees, strength)
        lowered[-1, density] = down * flat * atom_everywhere
        kept[density, density] = stay * flat * whole
        kept[-1, density] = stay * flat * atom_everywhere
        # What a release with a flat loss leaves in its own cell is constant in each piece: the other columns are 0.
        self._matrix = np.hstack([raised, lowered, kept[:, : size - 1 : degrees]])
        distance = np.exp(-strength * (2 * np.arange(pieces) + 1) / pieces)
        self._mirrored = (np.where(np.arange(degrees) % 2, -1.0, 1.0) * distance[:, None]).ravel()
        # A bound on the mass of each basis function: its root mean square, times how much the tilt grows within the piece.
        inside = np.sqrt(2.0 * np.arange(degrees) + 1)
        grows = math.exp(strength / pieces)
        norms = np.append(np.tile(grows / (pieces * inside), pieces), 1.0)
        self._norms = norms
        lost = (up + down) * flat / (pieces * 2 * (2 * degrees - 1))
        self._lost = lost * grows / (pieces * math.sqrt(2 * degrees + 1))
        # Coefficient l of a density of mass m is at most (2l + 1)·m·pieces, so all of them together weigh at most this:
        weight = 1 + grows * float(inside.sum())
        largest = float(np.max(sum(np.abs(each) for each in (raised, lowered, kept)) @ norms / norms))
        self._rounding = 2 * (3 * size + 40) * UNIT * largest * weight


def _product(rows: Floats, matrix: Floats) -> Floats:
    """Product of matrices in blocks so small that each stays in one thread: thousands of short ones would wait for busy cores."""
    block = max(_ONE_THREAD // matrix.size, 1)
    if len(rows) <= block:
        return np.asarray(rows @ matrix)
    result = np.empty((len(rows), matrix.shape[1]))
    for start in range(0, len(rows), block):
        np.matmul(rows[start : start + block], matrix, out=result[start : start + block])
    return result


def _integral(pieces: int, degrees: int, strength: float) -> Floats:
    """Matrix (from row to column) of the integral from the lower end of a cell, less the degree that does not fit."""
    one = np.zeros((degrees, degrees))
    one[0, 0] = 0.5
    for degree in range(1, degrees):
        one[degree, degree - 1] = -0.5 / (2 * degree + 1)
    for degree in range(degrees - 1):
        one[degree, degree + 1] = 0.5 / (2 * degree + 1)
    matrix = np.zeros((pieces, degrees, pieces, degrees))
    for piece in range(pieces):
        matrix[piece, :, piece, :] = one / pieces
        for later in range(piece + 1, pieces):
            matrix[piece, 0, later, 0] = math.exp(strength * (later - piece) / pieces) / pieces
    return matrix.reshape(pieces * degrees, pieces * degrees)


def _whole(pieces: int, degrees: int, strength: float) -> Floats:
    """Matrix of the integral over a whole cell, as a constant in each of its pieces."""
    matrix = np.zeros((pieces, degrees, pieces, degrees))
    for piece in range(pieces):
        for other in range(pieces):
            matrix[piece, 0, other, 0] = math.exp(strength * (other - piece) / pieces) / pieces
    return matrix.reshape(pieces * degrees, pieces * degrees)


def _constant(pieces: int, degrees: int, strength: float) -> Floats:
    """Return the coefficients of the constant 1 over a cell, each piece in its own scale."""
    coefficients = np.zeros((pieces, degrees))
    coefficients[:, 0] = np.exp(strength * np.arange(pieces) / pieces)
    return coefficients.ravel()
