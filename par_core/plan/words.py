"""The words for a release of a plan, which names no column and no category."""

from __future__ import annotations

from par_core.evidence import PROVEN, Evidence
from par_core.mechanisms import PermuteAndFlip, drawn
from par_core.plan.plan import Plan, Release
from par_core.queries.quantile_shape import QuantileShape, quantile_name
from par_core.queries.shapes import CountsShape, MeanShape, ShareShape, SumShape
from par_core.rounding import amount


@Evidence(PROVEN, source="the plan itself")
def in_words(release: Release) -> str:
    """Return what a release publishes, for the middle of a sentence.

    >>> in_words(Release(CountsShape(12, persons=True)))
    '12 counts of persons'
    """
    shape = release.shape
    number, noun = shape.k * release.statistics, shape.noun.removesuffix("s")
    if isinstance(shape, QuantileShape):
        noun = quantile_name(shape.alpha)
    words = f"{'an' if noun[:1] == '8' else 'a'} {noun}" if number == 1 else f"{number:,} {noun}s"
    if isinstance(shape, CountsShape) and shape.persons:
        words += " of persons"
    if isinstance(shape, ShareShape):
        words += " of rows"
    elif isinstance(shape, SumShape | MeanShape):
        words += f" of values from {amount(shape.lower, 6)} to {amount(shape.upper, 6)}"
    if isinstance(shape, QuantileShape):
        words += f" among {shape.candidates:,} candidates"
    return words


@Evidence(PROVEN, source="the plan itself")
def off_in_words(release: Release, off: str) -> str:
    """Return an error of a release, as it is written, with what it is off in: ranks for a quantile.

    >>> off_in_words(Release(CountsShape()), "6"), off_in_words(Release(QuantileShape()), "196")
    ('±6', '196 ranks')
    """
    return f"{off} rank{'s' * (off != '1')}" if release.shape.is_selection else f"±{off}"


@Evidence(PROVEN, source="the plan itself")
def in_full(plan: Plan, at: int) -> str:
    """Return what the release at a place publishes, with which noise or how it is chosen, at which level and how often.

    >>> in_full(Plan((Release(CountsShape(12), times=4),), 0.5), 0)
    '12 counts, discrete Laplace noise, ε₀ = 0.5, 4 times'
    """
    release, whole = plan.releases[at], isinstance(plan.releases[at].shape, CountsShape)
    noise = f"{drawn(whole=whole, mechanism=release.mechanism).name} noise"
    if release.shape.is_selection:
        noise = PermuteAndFlip.name
    times = "once" if release.times == 1 else f"{release.times:,} times"
    return f"{in_words(release)}, {noise}, ε₀ = {amount(plan.level_alone(at), 4)}, {times}"
