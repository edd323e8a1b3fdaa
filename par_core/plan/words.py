"""The words for a release of a plan, which names no column and no category."""

from __future__ import annotations

from par_core.evidence import PROVEN, Evidence
from par_core.plan.plan import Release
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
    words = f"one {noun}" if number == 1 else f"{number:,} {noun}s"
    if isinstance(shape, CountsShape) and shape.persons:
        words += " of persons"
    if isinstance(shape, SumShape | MeanShape):
        words += f" of values from {amount(shape.lower, 6)} to {amount(shape.upper, 6)}"
    return words
