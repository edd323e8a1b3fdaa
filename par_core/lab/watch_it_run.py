"""Releases of a mechanism, one after another: their errors in a histogram, and how often one is off by more than it should."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.evidence import ESTIMATE, PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import NOISES, DiscreteLaplace, Laplace, Noise
from par_core.parameters import check_choice, check_integer, check_number
from par_core.randomness import seeded

MOST_RELEASES = 10_000
MOST_NUMBERS = 100  # of one release
_BINS = 60
_LEVEL = 0.95
_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Run(Result):
    """The first `releases` of one sample, each of k numbers, and how often one was off by more than `off`.

    `off` is what no number of a release exceeds with probability 1 - beta, and `union` the lecture's bound ln(k/beta)·Δ/epsilon for
    Laplace noise, 0 for any other, both in the unit of the answer. `beyond` of the releases held a number off by more than `off`: the
    `share`, with an interval that holds the true one with probability `level`. `heights` are the shares of all numbers drawn whose
    error lies within half a `width` of `middles`; what lies further out is in the outermost. Their probability is `expected`; the `curve`
    of it, over `errors`, is the density times the width.
    """

    noise: str
    epsilon: float
    k: int
    beta: float
    releases: int
    is_whole: bool
    off: float
    union: float
    beyond: int
    share: float
    lower: float
    upper: float
    middles: _Floats
    width: float
    heights: _Floats
    errors: _Floats
    curve: _Floats
    level: float = _LEVEL
    QUANTITIES = quantities(
        off=stated("number", "up", PROVEN),
        union=stated("number", "up", PROVEN),
        share=stated("share"),
        lower=stated("share", "down"),
        upper=stated("share", "up"),
    )
    evidence = Evidence(
        ESTIMATE,
        source="simulated releases, exact binomial interval (Clopper and Pearson); bounds from the distribution of the noise",
        limits="each interval holds on its own, not all of them at once",
    )


def run(
    kind: str, epsilon: float, releases: int, *, delta: float = 1e-5, k: int = 1, beta: float = 0.05, seed: int = 1
) -> Run:
    """Look at the first releases, 1 to 10,000, of a sample that is the same for the same seed, a whole number of at least 0.

    `kind` is a name in `NOISES`, made for `epsilon`, 0.001 to 20, and where it needs one for `delta`, 1e-15 to 0.5; one person moves one
    of the k numbers, 1 to 100, by 1. `beta` is from 0.0001 to 0.5.

    >>> seen = run("laplace", 0.5, 100)
    >>> round(seen.off, 2), seen.lower <= 0.05 <= seen.upper
    (5.99, True)
    """
    check_choice("kind", kind, NOISES)
    level, aim = (
        check_number("epsilon", epsilon, at_least=1e-3, at_most=20.0),
        check_number("beta", beta, at_least=1e-4, at_most=0.5),
    )
    number, size = (
        check_integer("releases", releases, at_least=1, at_most=MOST_RELEASES),
        check_integer("k", k, at_least=1, at_most=MOST_NUMBERS),
    )
    noise = NOISES[kind].for_epsilon(
        level, sensitivity=1, delta=check_number("delta", delta, at_least=1e-15, at_most=0.5)
    )
    off, union = (
        noise.all_error(1.0 - aim, size),
        noise.scale * np.log(size / aim) if isinstance(noise, Laplace) else 0.0,
    )
    is_whole = isinstance(noise, DiscreteLaplace)
    reach = 1.12 * max(off, union, noise.error_quantile(0.997))
    drawn = _errors(noise, size, check_integer("seed", seed, at_least=0))[:number]
    beyond = int((np.abs(drawn) > off).any(axis=1).sum())
    if is_whole:
        half = int(reach / _BINS)  # as many whole numbers on either side of a middle
        width = 2 * half + 1
        bins = np.arange(-int(reach // width) - 1, int(reach // width) + 2)
        errors = middles = width * bins.astype(float)
        curve = np.exp(noise.log_density(middles[:, None] + np.arange(-half, half + 1))).sum(axis=1)
        places = np.rint(drawn / width)
    else:
        width = 2 * reach / _BINS  # one edge lies at 0, where the density has its corner
        bins = np.arange(-_BINS // 2, _BINS // 2)
        middles, errors = width * (bins + 0.5), np.linspace(-reach, reach, 4 * _BINS + 1)
        curve = width * np.exp(noise.log_density(errors))
        places = np.floor(drawn / width)
    places = (np.clip(places, bins[0], bins[-1]) - bins[0]).astype(int)
    tail = 0.5 * (1.0 - _LEVEL)
    return Run(
        noise.name,
        level,
        size,
        aim,
        number,
        is_whole,
        off,
        float(union),
        beyond,
        beyond / number,
        float(special.betaincinv(beyond, number - beyond + 1, tail)) if beyond else 0.0,
        float(special.betainccinv(beyond + 1, number - beyond, tail)) if beyond < number else 1.0,
        middles,
        float(width),
        np.bincount(places.ravel(), minlength=bins.size) / drawn.size,
        errors,
        curve,
    )


@lru_cache(maxsize=2)
def _errors(noise: Noise, k: int, seed: int) -> NDArray[np.float64]:
    """Draw all releases; a picture and its words ask for the same ones."""
    return np.asarray(noise.sample(np.zeros(k), MOST_RELEASES, seeded(seed)), dtype=float)
