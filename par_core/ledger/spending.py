"""What the releases of a data set have spent together: every record composed exactly.

A release of another tool that is (epsilon, delta)-differentially private loses no more than one that gives all away with probability
delta and answers by randomised response at epsilon else (Kairouz, Oh and Viswanath 2015, Theorem 3.4). Of many, nobody's data are given
away with probability 1 - Π(1 - delta), and what is left of the wanted delta is for the loss of all mechanisms put together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from par_core.composition import compose
from par_core.errors import DataError
from par_core.evidence import MODEL, PROVEN, Evidence, Result, quantities, stated
from par_core.ledger.record import Kind, Record
from par_core.mechanisms import Mechanism
from par_core.parameters import check_list, check_number, check_type
from par_core.queries.sensitivity import AS_MANY

_ROUNDING = 1e-12  # of the delta that is added, a bound


@dataclass(frozen=True)
class Spent(Result):
    """What some records spend together: `epsilon` at `delta`, rounded up; infinite where the added delta alone is as large as that.

    `added_delta` is that of other tools, `releases` how many releases the records count. By the user's model where it rests on
    `assumptions`.
    """

    epsilon: float
    delta: float
    added_delta: float
    releases: int
    assumptions: tuple[str, ...] = ()
    QUANTITIES = quantities(
        epsilon=stated("level", "up"), added_delta=stated("share", "up"), releases=stated("count", "near")
    )
    USUALLY = Evidence(
        PROVEN,
        source="exact composition of all records; of other tools as randomised response, with delta added",
        limits="worst-case neighbours in every release",
    )

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the user's model."""
        return supposed(self.USUALLY, self.assumptions)


def supposed(evidence: Evidence, assumptions: Sequence[str]) -> Evidence:
    """Return an evidence as it is, or by the user's model where it rests on assumptions."""
    if not assumptions:
        return evidence
    return replace(evidence, basis=MODEL, source=f"{evidence.source}; only if {' and '.join(assumptions)}")


def spent(records: Iterable[Record], *, delta: float) -> Spent:
    """Return what records spend together at a delta, above 0 and below 1: nothing where there are none.

    DataError where they are for different neighbours: what one of them promises, the other does not.

    >>> import datetime
    >>> from par_core.ledger.record import of_other_tool
    >>> from par_core.scenario import Neighbours
    >>> day = datetime.date(2026, 3, 1)
    >>> record = of_other_tool("OpenDP", "visits", day, epsilon=0.1, delta=0, neighbours=Neighbours.ADD_OR_REMOVE, times=100)
    >>> round(spent([record], delta=1e-5).epsilon, 2)
    4.31
    """
    held = [check_type("records", each, Record) for each in check_list("records", records)]
    aim = check_number("delta", delta, above=0.0, below=1.0)
    if len(kinds := sorted({each.neighbours for each in held})) > 1:
        raise DataError(
            f"the records of a data set must be for the same neighbours, got {' and '.join(kinds)}: they cannot be composed"
        )
    counts: Counter[Mechanism] = Counter()
    for record in held:
        for mechanism, times in record.mechanisms:
            counts[mechanism] += times * record.times
    kept = math.fsum(each.times * math.log1p(-each.added_delta) for each in held)  # log of what is not given away
    added = -math.expm1(kept) * (1.0 + _ROUNDING)
    left = (aim - added) / (1.0 - added) * (1.0 - _ROUNDING) if added else aim
    number = sum(each.times * _number(each) for each in held)
    return Spent(_epsilon(counts, left), aim, added, number, tuple(_assumptions(held)))


def _epsilon(counts: Counter[Mechanism], delta: float) -> float:
    if delta <= 0.0:
        return math.inf
    return float(compose(list(counts), list(counts.values())).quick_epsilon(delta)) if counts else 0.0


def _assumptions(records: Sequence[Record]) -> Iterator[str]:
    kinds, as_many = {each.kind for each in records}, any(each.as_many for each in records)
    if Kind.OTHER_TOOL in kinds:
        yield "other tools are as private as they say"
    if as_many:
        yield AS_MANY


def _number(record: Record) -> int:
    """Return how many releases a record counts each time."""
    return sum(record.places) or 1
