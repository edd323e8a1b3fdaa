"""An example of a ledger, made up: counts of visits to a hospital, published each month, and two releases of another tool."""

from __future__ import annotations

import datetime
from dataclasses import replace

from par_core.ledger.ledger import Ledger
from par_core.ledger.record import Record, of_other_tool, released
from par_core.plan import Plan, Release
from par_core.queries.shapes import CountsShape
from par_core.scenario import Neighbours

EXAMPLE_DAY = datetime.date(2026, 6, 30)
EXAMPLE_DATA_SET = "hospital visits"
_MONTHLY = (
    (2025, 10, 6),
    (2025, 11, 4),
    (2026, 1, 12),
    (2026, 2, 9),
    (2026, 3, 10),
    (2026, 4, 13),
    (2026, 5, 11),
    (2026, 6, 9),
)
_OTHER = ((2025, 12, 2), (2026, 3, 24))


def example_ledger(neighbours: Neighbours) -> Ledger:
    """Return the example for some neighbours, the same at each call: ten records from October 2025 to June 2026.

    >>> len(example_ledger(Neighbours.REPLACE_ONE).of(EXAMPLE_DATA_SET, since=datetime.date(2026, 1, 1)))
    7
    """
    counts = Plan((Release(CountsShape(12)),), 0.2, neighbours)
    made = [released(counts, EXAMPLE_DATA_SET, datetime.date(*each)) for each in _MONTHLY]
    made += [
        of_other_tool("OpenDP", EXAMPLE_DATA_SET, datetime.date(*each), epsilon=0.3, delta=0.0, neighbours=neighbours)
        for each in _OTHER
    ]
    return Ledger(tuple(map(_numbered, range(len(made)), sorted(made, key=lambda each: each.date))))


def _numbered(number: int, record: Record) -> Record:
    return replace(record, id=f"{number:032x}")  # drawn, it would be another ledger each time
