"""What an audit found, ready to be drawn: the densities with and without one individual, and the noise that would be added."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from par_core.audit.auditing import AuditResult
from par_core.audit.gaussian_noise import BandLimitedNoise
from par_core.audit.noise import MixtureNoise
from par_core.evidence import ESTIMATE, Evidence, Result
from par_core.parameters import check_integer, check_type

_Floats = NDArray[np.float64]

_REACH = 6.0  # bandwidths beyond the outermost answer
_OUTER = 4.0  # scales of the noise that are drawn
_BARS = 61


@dataclass(frozen=True, eq=False)
class DensityCurves(Result):
    """Densities of the answers with everyone and without one individual, at the same places.

    `answer` (the unit of the query), `with_all` and `without` (probability per unit) have shape (points,).
    """

    individual: int
    answer: _Floats
    with_all: _Floats
    without: _Floats
    bandwidth: float
    databases: int
    evidence = Evidence(
        ESTIMATE,
        source="kernel densities of the answers; Empirical Differential Privacy (2020), figure 5",
        limits="Estimates from few databases: in the tails the kernel decides.",
    )


@dataclass(frozen=True, eq=False)
class NoiseCurves(Result):
    """A noise density beside the histogram of a sample of `size` from it.

    `value` (the unit of the query) and `density` have shape (points,), without the part that is exactly 0; `edges` (bars + 1,)
    and `heights` (bars,) are of the sampled noise that is not 0, as a share of the sample per unit. `exact_share` is the
    probability that nothing is added, `sampled_exact_share` the share of the sample in which nothing was.
    """

    value: _Floats
    density: _Floats
    edges: _Floats
    heights: _Floats
    exact_share: float
    sampled_exact_share: float
    size: int
    evidence = Evidence(
        ESTIMATE,
        source="Empirical Differential Privacy (2020), section 6 and figure 1",
        limits="The level holds for the estimated densities of the answers, not for one answer.",
    )


def density_curves(
    result: AuditResult, individual: int, *, points: int = 401, at_answers: bool = True
) -> DensityCurves:
    """Return the densities with everyone and without one individual (0 to N - 1), at 2 to 100,000 evenly spaced places.

    With `at_answers` the answers themselves are among the places: the densities have their kinks there. They are exact
    answers of private data.
    """
    other = check_type("result", result, AuditResult).density_without(individual)
    answers = np.concatenate([result.answers, other.values])
    ends = answers.min() - _REACH * result.bandwidth, answers.max() + _REACH * result.bandwidth
    at = np.linspace(*ends, check_integer("points", points, at_least=2, at_most=100_000))
    if check_type("at_answers", at_answers, bool):
        at = np.unique(np.concatenate([at, answers]))
    return DensityCurves(
        individual=int(individual),
        answer=at,
        with_all=np.asarray(result.density(at)),
        without=np.asarray(other(at)),
        bandwidth=result.bandwidth,
        databases=len(result.answers),
    )


def noise_curves(
    noise: MixtureNoise | BandLimitedNoise, *, size: int = 100_000, rng: np.random.Generator
) -> NoiseCurves:
    """Return the density of some noise and the histogram of a sample of 1 to 10,000,000."""
    count = check_integer("size", size, at_least=1, at_most=10_000_000)
    if not isinstance(noise, MixtureNoise):
        check_type("noise", noise, BandLimitedNoise)
    drawn = noise.sample(count, rng=rng)
    far = _OUTER * noise.scale
    edges = np.linspace(-far, far, _BARS + 1)
    moved = drawn[drawn != 0]
    heights = np.histogram(moved, edges)[0] / (count * (edges[1] - edges[0])) if far > 0 else np.zeros(_BARS)
    if isinstance(noise, MixtureNoise):
        value = np.linspace(-far, far, 401)
        density, exact = np.asarray(noise.density(value)), noise.exact_share
    else:
        inside = np.abs(noise.grid) <= far
        value, density, exact = noise.grid[inside], noise.density[inside], 0.0
    return NoiseCurves(value, density, edges, heights, exact, 1 - len(moved) / count, count)
