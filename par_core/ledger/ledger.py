"""The ledger: every record once, whatever branches were merged."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Self

from par_core.errors import DataError
from par_core.ledger.lines import lines_of
from par_core.ledger.record import Kind, Place, Record, from_line, plan_of, released


@dataclass(frozen=True)
class Ledger:
    """The records of a file in its order, each id once, and the numbers of the lines, from 1, that are `torn`.

    Torn is what a run left behind that broke off before its record was written to the end: it measured nothing, and does not count.
    `taken` are the places of reservations that scripts have used. Where two branches took more than were reserved, `beyond` holds
    the releases that came on top; they are spent like other ones.
    """

    records: tuple[Record, ...] = ()
    torn: tuple[int, ...] = ()
    taken: tuple[Place, ...] = ()
    beyond: tuple[Record, ...] = ()

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the ledger that a file holds.

        DataError, which names the line, for what is damaged or was edited, for the same id with different content, and for what a
        newer version wrote.
        """
        found, seen = list[Record | Place](), dict[str, tuple[int, bytes]]()
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
        records = tuple(each for each in found if isinstance(each, Record))
        taken = tuple(each for each in found if isinstance(each, Place))
        return cls(records, lines.torn, taken, _beyond(records, taken))

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
        every = (*self.records, *self.beyond)
        return tuple(each for each in every if each.data_set == data_set and each.date >= since)

    def taken_of(self, reservation: Record) -> tuple[int, ...]:
        """Return how many places of each release of a reservation are taken."""
        releases = [each.release for each in self.taken if each.reservation == reservation.id]
        return tuple(releases.count(number) for number in range(1, len(reservation.places) + 1))


def _beyond(records: Sequence[Record], taken: Sequence[Place]) -> tuple[Record, ...]:
    """Return a release for each place that was taken beyond those of its reservation, dated as the place.

    DataError for a place of a reservation that is not there.
    """
    reservations = {each.id: each for each in records if each.kind is Kind.RESERVATION and each.plan}
    left = {(key, at): times for key, each in reservations.items() for at, times in enumerate(each.places, start=1)}
    found = []
    for each in sorted(taken, key=lambda one: (one.date, one.id)):  # lines of a merge stand in any order
        key = each.reservation, each.release
        if key not in left:
            raise DataError(
                f"a place is taken for release {each.release} of reservation {each.reservation}, which the ledger does not have: "
                "bring back its line, because what was spent is not known any more"
            )
        left[key] -= 1
        if left[key] < 0:
            record = reservations[each.reservation]
            plan = plan_of(record)
            assert plan is not None, "a reservation is of a plan"
            found.append(replace(released(plan, record.data_set, each.date, release=each.release), id=each.id))
    return tuple(found)
