"""Releases drawn by the thousand, to see how often their privacy loss is larger than a level."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE, Evidence, Result
from par_core.parameters import FloatOrArray, check_integer, check_number, check_numbers, like_input
from par_core.progress import Progress, portion
from par_core.randomness import generator

_DRAWS_PER_BATCH = 500_000  # about 20 ms of drawing, 4 MB
_LARGEST_SAMPLE = 100_000_000
_SLACK = 1e-12  # shares such as ten times 0.1 miss 1 by rounding
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LossSimulation(Result):
    """How often simulated releases lost more than epsilon, with Clopper-Pearson intervals.

    `share`, `lower` and `upper` are about the size of the loss; those with `_one_sided` only about evidence for the
    true database. Each interval holds with probability `level` on its own, not all of them at once.
    """

    epsilon: FloatOrArray
    epsilon0: float
    k: int
    share: FloatOrArray
    lower: FloatOrArray
    upper: FloatOrArray
    share_one_sided: FloatOrArray
    lower_one_sided: FloatOrArray
    upper_one_sided: FloatOrArray
    size: int
    level: float
    evidence = Evidence(ESTIMATE, source="simulated releases of the Laplace mechanism")


def simulate_exceedance(
    epsilon: ArrayLike,
    epsilon0: float,
    *,
    k: int = 1,
    shift: ArrayLike | None = None,
    size: int,
    rng: np.random.Generator,
    level: float = 0.99,
    progress: Progress | None = None,
) -> LossSimulation:
    """Estimate by simulation how often the privacy loss of a k-dimensional answer is larger than epsilon.

    The Laplace noise is calibrated to `epsilon0`, above 0; the fields of the result have the shape of `epsilon`, at least 0. `shift`,
    shape (k,), says how far each coordinate differs between the neighbours, in units of the L1 sensitivity: each at least 0 and
    together at most 1, by default all of it in the first. There are `size` releases, 1 to 100,000,000, the same from an `rng` in
    the same state; each interval holds the truth with probability `level`, above 0 and below 1. Progress is told after each batch.

    >>> result = simulate_exceedance(0.5, 1.0, size=20_000, rng=np.random.default_rng(1))
    >>> result.lower < 0.847 < result.upper
    True
    """
    tell = portion(progress)
    levels = check_numbers("epsilon", epsilon, at_least=0.0)
    chance = check_number("level", level, above=0.0, below=1.0)
    ordered, place = np.unique(levels, return_inverse=True)
    above = np.zeros((2, ordered.size), dtype=np.int64)  # in size, and as it is
    done = 0
    for losses in loss_batches(epsilon0, k=k, shift=shift, size=size, rng=rng):
        above += _count_above(np.abs(losses), ordered), _count_above(losses, ordered)
        done += losses.size
        tell(done / size)
    found = [like_input(part[place].reshape(levels.shape)) for each in above for part in _interval(each, done, chance)]
    share, lower, upper, share1, lower1, upper1 = found
    return LossSimulation(
        like_input(levels), float(epsilon0), int(k), share, lower, upper, share1, lower1, upper1, done, chance
    )


def loss_batches(
    epsilon0: float, *, k: int = 1, shift: ArrayLike | None = None, size: int, rng: np.random.Generator
) -> Iterator[_Floats]:
    """Yield simulated losses in batches of a few hundredths of a second each, `size` losses in [-epsilon0, epsilon0] in all.

    Parameters as in `simulate_exceedance`; they are checked at the call, before the first batch is drawn.
    """
    calibrated = check_number("epsilon0", epsilon0, above=0.0)
    changes = calibrated * _shares(shift, check_integer("k", k, at_least=1))
    total = check_integer("size", size, at_least=1, at_most=_LARGEST_SAMPLE)
    return _draw(calibrated, changes[changes > 0.0], total, generator(rng))


def _shares(shift: ArrayLike | None, k: int) -> _Floats:
    """How the sensitivity is spread over the coordinates."""
    if shift is None:
        return np.ones(1)
    shares = check_numbers("shift", shift, at_least=0.0, at_most=1.0)
    if shares.shape != (k,):
        raise ParameterError(f"shift must hold one number for each of the {k} coordinates, got shape {shares.shape}")
    if shares.sum() > 1.0 + _SLACK:
        raise ParameterError(f"shift must add up to at most 1, got {shares.sum():g}")
    return shares


def _draw(epsilon0: float, changes: _Floats, size: int, rng: np.random.Generator) -> Iterator[_Floats]:
    """Sum over the coordinates that change: with unit Laplace noise z, the loss is |z - change| - |z|.

    That is `change - 2z` held between -change and change; written so, the atoms at the ends are exact.
    """
    rows = max(1, _DRAWS_PER_BATCH // max(1, changes.size))
    for start in range(0, size, rows):
        noise = rng.laplace(size=(min(rows, size - start), changes.size))
        losses = np.clip(changes - 2.0 * noise, -changes, changes).sum(axis=1)
        yield np.clip(losses, -epsilon0, epsilon0)  # the sum of the changes may pass epsilon0 by rounding


def _count_above(values: _Floats, ordered: _Floats) -> NDArray[np.int64]:
    """For each of the ordered levels, count the values that are strictly larger."""
    levels_passed = np.bincount(np.searchsorted(ordered, values, side="left"), minlength=ordered.size + 1)
    return levels_passed[::-1].cumsum()[::-1][1:]


def _interval(hits: NDArray[np.int64], size: int, level: float) -> tuple[_Floats, _Floats, _Floats]:
    """Share, lower end and upper end of the exact binomial interval (Clopper-Pearson)."""
    tail = 0.5 * (1.0 - level)
    misses = size - hits
    lower = special.betaincinv(np.maximum(hits, 1), misses + 1, tail)
    upper = special.betainccinv(hits + 1, np.maximum(misses, 1), tail)
    return hits / size, np.where(hits == 0, 0.0, lower), np.where(misses == 0, 1.0, upper)
