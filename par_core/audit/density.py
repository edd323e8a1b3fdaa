"""Densities of the answers of a query: kernels of one bandwidth, of many, and the slope of the empirical distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from par_core.audit.bandwidths import (
    SMALLEST_BANDWIDTH,
    Floats,
    by_neighbours,
    by_pilot,
    fixed,
    held_out,
    log_kernel,
    log_sums,
)
from par_core.errors import ParameterError
from par_core.evidence import ESTIMATE, Evidence, Result
from par_core.parameters import FloatOrArray, check_choice, check_number, check_numbers, like_input

KERNELS = ("laplace", "gaussian")
METHODS = ("fixed", "neighbours", "pilot", "slope")
MOST_VALUES = 2_000
LARGEST = 1e300  # of an answer, and of a bandwidth

_SOURCE = "Empirical Differential Privacy (2020), section 5; Breiman, Meisel and Purcell 1977; Abramson 1982"
_LIMITS = (
    "An estimate from the given answers only: in the tails hardly any stand, and there the choice of kernel and bandwidth decides."
    " The held-out likelihood chose the bandwidth too, so that it flatters a little."
)
_AT_ONCE = 4_000_000
_CHOOSE = {"fixed": fixed, "neighbours": by_neighbours, "pilot": by_pilot}


@dataclass(frozen=True, eq=False)
class Density(Result):
    """A density of answers; call it for its height, or `log` for the logarithm, at any place.

    `kernel` is "laplace", "gaussian", or "none" for the slope of the distribution; `method` is "given", or one of `METHODS`;
    `words` say how the bandwidths came about. `values`, shape (n,), are the answers, sorted, and `bandwidths` the scale of the
    kernel at each (Laplace: mean distance; Gaussian: standard deviation). `held_out` is the log likelihood of each answer
    under the density of the others, summed; -inf if the method gives one of them no chance. For the slope `edges` say where
    its steps begin and end, and `heights` how high they are; both are empty otherwise.
    """

    kernel: str
    method: str
    values: Floats
    bandwidths: Floats
    held_out: float
    words: str
    edges: Floats = field(default_factory=lambda: np.empty(0))
    heights: Floats = field(default_factory=lambda: np.empty(0))
    evidence = Evidence(ESTIMATE, source=_SOURCE, limits=_LIMITS)

    def __call__(self, x: ArrayLike) -> FloatOrArray:
        """Return the density at x; a float for a single place."""
        return like_input(np.exp(np.asarray(self.log(x))))

    def log(self, x: ArrayLike) -> FloatOrArray:
        """Return the logarithm of the density at x, right in the far tails too; -inf where the density is 0."""
        places = check_numbers("x", x)
        flat = places.ravel()
        if len(self.edges):
            with np.errstate(divide="ignore"):
                steps = np.log(np.concatenate([[0.0], self.heights, [0.0]]))
            return like_input(steps[np.searchsorted(self.edges, flat, side="right")].reshape(places.shape))
        result = np.empty(len(flat))
        size = max(_AT_ONCE // len(self.values), 1)
        for start in range(0, len(flat), size):
            part = flat[start : start + size, None]
            logs = log_kernel(np.abs(part - self.values), self.bandwidths, kernel=self.kernel)
            result[start : start + size] = log_sums(logs)
        return like_input((result - math.log(len(self.values))).reshape(places.shape))


def fit_density(values: ArrayLike, *, kernel: str = "laplace", bandwidth: str | float = "best") -> Density:
    """Estimate the density of a sample of at most 2,000 answers between -1e300 and 1e300; equal ones are allowed.

    `bandwidth` is one scale for all kernels in the unit of the answers (1e-300 to 1e300), or a method: "fixed" (one scale, by
    the likelihood of left-out answers), "neighbours" (proportional to the distance to the k-th neighbour: Breiman), "pilot"
    (wider where a first density is low: Abramson), "slope" (slope of the empirical distribution over about √n answers; it has
    no kernel), "best" (of the three kernel methods the one whose left-out answers are likeliest).

    >>> found = fit_density([0.0, 1.0], bandwidth=1.0)
    >>> round(found(0.0), 4)
    0.342
    """
    sample = check_numbers("values", values, at_least=-LARGEST, at_most=LARGEST)
    if sample.ndim != 1 or len(sample) > MOST_VALUES:
        raise ParameterError(f"values must be one row of at most {MOST_VALUES} numbers, got shape {sample.shape}")
    check_choice("kernel", kernel, KERNELS)
    sample = np.sort(sample)
    if not isinstance(bandwidth, str):
        width = check_number("bandwidth", bandwidth, at_least=SMALLEST_BANDWIDTH, at_most=LARGEST)
        likelihood = held_out(sample, np.array(width), kernel=kernel)
        return Density(kernel, "given", sample, np.full(len(sample), width), likelihood, "as given")
    if bandwidth == "slope":
        return _slope(sample)
    if bandwidth == "best":
        found = {name: choose(sample, kernel=kernel) for name, choose in _CHOOSE.items()}
        method = max(found, key=lambda name: found[name].held_out)  # the simpler one of two that are equally likely
        choice = found[method]
    elif bandwidth in _CHOOSE:
        method, choice = bandwidth, _CHOOSE[bandwidth](sample, kernel=kernel)
    else:
        raise ParameterError(f"bandwidth must be a number, 'best' or one of {', '.join(METHODS)}, got {bandwidth!r}")
    return Density(kernel, method, sample, choice.bandwidths, choice.held_out, choice.words)


def _slope(sample: Floats) -> Density:
    """Slope of the empirical distribution over about √n answers, made to have area 1."""
    n = len(sample)
    span = max(round(math.sqrt(n)), 1)
    words = f"slope of the empirical distribution over {span} answers; 0 beyond the outermost ones"
    places = np.unique(sample)
    if len(places) < 2:
        half = float(fixed(sample, kernel="laplace").bandwidths[0])
        words, edges = "all answers are equal: a narrow box around them", np.array([sample[0] - half, sample[0] + half])
        return Density("none", "slope", sample, np.zeros(n), -math.inf, words, edges, np.array([0.5 / half]))
    middles = (places[1:] + places[:-1]) / 2
    edges = np.concatenate([places[:1], middles, places[-1:]])
    centre = (np.searchsorted(sample, places, side="left") + np.searchsorted(sample, places, side="right") - 1) // 2
    low = np.clip(centre - span // 2, 0, max(n - 1 - span, 0))
    high = np.minimum(low + span, n - 1)
    # A window inside one repeated answer is widened to the next different ones on either side.
    first, last = np.searchsorted(sample, sample[low], "left"), np.searchsorted(sample, sample[high], "right") - 1
    flat = sample[high] <= sample[low]
    low = np.where(flat, np.maximum(first - 1, 0), low)
    high = np.where(flat, np.minimum(last + 1, n - 1), high)
    heights = (high - low) / (sample[high] - sample[low])
    heights = heights / np.sum(heights * np.diff(edges))
    # An outermost answer that is left out lies where the density of the others is 0.
    return Density("none", "slope", sample, np.zeros(n), -math.inf, words, edges, heights)
