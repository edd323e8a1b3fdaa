"""The ledger: every record once, whatever branches were merged."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Self

from par_core.errors import DataError
from par_core.ledger.lines import lines_of
from par_core.ledger.record import Record, from_line


@dataclass(frozen=True)
class Ledger:
    """The records of a file in its order, each id once, and the numbers of the lines, from 1, that are `torn`.

    Torn is what a run left behind that broke off before its record was written to the end: it measured nothing, and does not count.
    """

    records: tuple[Record, ...] = ()
    torn: tuple[int, ...] = ()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the ledger that a file holds.

        DataError, which names the line, for what is damaged or was edited, for the same id with different content, and for what a
        newer version wrote.
        """
        found, seen = list[Record](), dict[str, tuple[int, bytes]]()
        lines = lines_of(data)
        for number, line in lines.records:
            try:
                record = from_line(line)
            except DataError as error:
                raise DataError(f"line {number:,} of the ledger cannot be read: {error}") from error
            before, same = seen.setdefault(record.id, (number, line))
            if before == number:
                found.append(record)
            elif same != line:
                raise DataError(
                    f"line {number:,} of the ledger has the id of line {before:,} and other content: one of them is false"
                )
        return cls(tuple(found), lines.torn)

    @property
    def data_sets(self) -> tuple[str, ...]:
        """The data sets that something was spent on, sorted."""
        return tuple(sorted({each.data_set for each in self.records}))

    @property
    def latest(self) -> datetime.date:
        """The latest date of a record; the earliest date that there is where there are none."""
        return max((each.date for each in self.records), default=datetime.date.min)

    def of(self, data_set: str, *, since: datetime.date = datetime.date.min) -> tuple[Record, ...]:
        """Return the records of a data set from a date on."""
        return tuple(each for each in self.records if each.data_set == data_set and each.date >= since)
