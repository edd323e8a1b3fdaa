"""How much one individual can change an answer, whatever the data: what the classical mechanism is calibrated to.

All r <= own records of an individual are taken from a database of n. `least_records` says how many n is at least; without it
the database may have become empty, and what is then published counts as an answer.

1. A mean moves by r/n of the distance between the individual's mean and the others', so by own/n of the bounds' distance at
   most, with own + 1 records or the publicly known number. A share is the mean of zeros and ones.
2. A quantile is a weighted sum of two sorted values, so that only values at the two bounds need be looked at. Among n of
   these, m of them low, it lies the part share·(n - 1) - m + 1 of the way up, cut off at 0 and 1. Taking a low and b high
   ones away moves that by a - share·(a + b). With own + 1 records it moves as far as it can.
3. For a variance let S be the sum of squares around the mean, and d the `ddof`. S of all is that of those who stay, plus that
   of those who go, plus a part for the distance between the two means. So it falls farthest where all who stay are alike: j of
   n at one bound and the rest at the other, j <= r, with S = j(n - j)/n. It rises farthest where all who go lie at the mean of
   those who stay, of whom half are at either bound: then it does so by S·r/((n - d)(n - r - d)). Both fall with n but for
   even and odd numbers, so that the smallest n and the next one decide.
"""

from __future__ import annotations

import math
import sys
from fractions import Fraction

from par_core.audit.queries import PanelCount, PanelMean, PanelSum, ShareAbove
from par_core.audit.query import PanelQuery
from par_core.audit.variance_and_quantile import PanelQuantile, PanelVariance
from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.parameters import check_integer, check_list, check_number, check_type
from par_core.queries.sensitivity import round_up


@Evidence(
    PROVEN,
    source="largest change of the query when all records of one individual are removed",
    limits="without `when_empty`, where a database can become empty: for whatever is then published among the possible answers",
)
def classical_sensitivity(
    query: PanelQuery, *, bounds: tuple[float, float] | None = None, records: int = 1, least_records: int | None = None
) -> float:
    """How much one individual can change an answer, whatever the data; infinite where nothing bounds it, else rounded up.

    `bounds` are what each value is clamped to, in its unit (without them a value may be anything); `records`, at least 1, are
    what one individual may have in a database; `least_records`, above `records`, is what every database is publicly known to
    have: means and shares need it to have a small sensitivity. What a query publishes where too few records are left
    (`when_empty`) is one of its answers.
    """
    check_type("query", query, PanelQuery)
    own = check_integer("records", records, at_least=1)
    least = None if least_records is None else check_integer("least_records", least_records, at_least=own + 1)
    limits = None if bounds is None else _checked(bounds)
    if isinstance(query, PanelCount):
        return float(own)
    if isinstance(query, ShareAbove):
        limits = Fraction(0), Fraction(1)
    if limits is None or not isinstance(query, PanelSum | PanelMean | ShareAbove | PanelQuantile | PanelVariance):
        return math.inf
    lower, upper = limits
    if isinstance(query, PanelSum):
        found = own * max(abs(lower), abs(upper))
    elif isinstance(query, PanelVariance):
        found = _of_variance(query, (upper - lower) ** 2, own, least)
    else:
        share = Fraction(own, own + 1 if least is None else least)
        if isinstance(query, PanelQuantile):
            share = min(own * max(Fraction(query.share), 1 - Fraction(query.share)), Fraction(1))
        found = share * (upper - lower)
        if least is None:
            found = max(found, _to_nothing(query, lower, upper, whole=upper - lower))
    return math.inf if found > Fraction(sys.float_info.max) else round_up(found)


def _checked(bounds: tuple[float, float]) -> tuple[Fraction, Fraction]:
    pair = check_list("bounds", bounds)
    if len(pair) != 2:
        raise ParameterError(f"bounds must be (lower, upper), got {len(pair)} numbers")
    lower, upper = check_number("the lower bound", pair[0]), check_number("the upper bound", pair[1])
    if not lower < upper:
        raise ParameterError(f"bounds must be (lower, upper) with lower below upper, got ({lower:g}, {upper:g})")
    return Fraction(lower), Fraction(upper)


def _to_nothing(query: PanelQuery, lowest: Fraction, highest: Fraction, *, whole: Fraction) -> Fraction:
    """How far an answer between two others can be from what is published of nothing; `whole` where that is left open."""
    if query.when_empty is None:
        return whole
    instead = Fraction(query.when_empty)
    return max(abs(lowest - instead), abs(highest - instead))


def _of_variance(query: PanelVariance, square: Fraction, own: int, least: int | None) -> Fraction:
    """Largest change of a variance; `square` is that of the bounds' distance."""
    d = query.ddof
    enough = own + d + 1  # records of which enough are left whoever goes
    if least is not None and least >= enough:
        return square * _part_of_square(least, own, d)
    found = square * _part_of_square(enough, own, d)
    few = d + 1  # records that have a variance, and too few are left of
    if least is None:
        found = max(found, square * _part_of_square(d + 2, 1, d))
    else:
        few = max(few, least)
    highest = square * max((_of_halves(n, n, d) for n in (few, few + 1) if n <= own + d), default=Fraction(0))
    return max(found, _to_nothing(query, Fraction(0), highest, whole=square * _of_halves(2, 2, d)))


def _part_of_square(fewest: int, own: int, d: int) -> Fraction:
    """Largest change of a variance of values 0 and 1, of at least `fewest` records."""
    falls = max(_of_halves(n, own, d) for n in (fewest, fewest + 1))
    stay = fewest - own
    return max(falls, own * _of_halves(stay, stay, d) / (fewest - d))


def _of_halves(n: int, most: int, d: int) -> Fraction:
    """Largest variance of n values of which at most `most` are 1 and the others 0."""
    ones = min(most, n // 2)
    return Fraction(ones * (n - ones), n * (n - d))
