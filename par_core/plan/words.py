"""The words for a release of a plan, which names no column and no category."""

from __future__ import annotations

from par_core.evidence import PROVEN, Evidence
from par_core.mechanisms import drawn
from par_core.plan.plan import Plan, Release
from par_core.queries.shapes import CountsShape, MeanShape, SumShape
from par_core.rounding import amount


@Evidence(PROVEN, source="the plan itself")
def in_words(release: Release) -> str:
    """Return what a release publishes, for the middle of a sentence.

    >>> in_words(Release(CountsShape(12, persons=True)))
    '12 counts of persons'
    """
    shape = release.shape
    number, noun = shape.k * release.statistics, shape.noun.removesuffix("s")
    words = f"a {noun}" if number == 1 else f"{number:,} {noun}s"
    if isinstance(shape, CountsShape) and shape.persons:
        words += " of persons"
    if isinstance(shape, SumShape | MeanShape):
        words += f" of values from {amount(shape.lower, 6)} to {amount(shape.upper, 6)}"
    return words


@Evidence(PROVEN, source="the plan itself")
def in_full(plan: Plan, at: int) -> str:
    """Return what the release at a place publishes, with which noise, at which level and how often.

    >>> in_full(Plan((Release(CountsShape(12), times=4),), 0.5), 0)
    '12 counts, discrete Laplace noise, ε₀ = 0.5, 4 times'
    """
    release, whole = plan.releases[at], isinstance(plan.releases[at].shape, CountsShape)
    noise = drawn(whole=whole, mechanism=release.mechanism)
    times = "once" if release.times == 1 else f"{release.times:,} times"
    return f"{in_words(release)}, {noise.name} noise, ε₀ = {amount(plan.level_alone(at), 4)}, {times}"
