"""Repeated databases with the same individuals in them: what the empirical audit looks at.

A database is a set of records, and each record belongs to one individual (EDP, section 2). An individual may be missing
from some databases and have several records in others.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike

from par_core.audit import panel_reading as reading
from par_core.audit.query import Codes, Values
from par_core.errors import DataError, ParameterError
from par_core.evidence import ESTIMATE, Evidence, Result
from par_core.lazy_pandas import pd
from par_core.memory import check_fits
from par_core.parameters import check_integer, check_number, check_type, shown
from par_core.queries.columns import name_of

_GIVEN = "databases as given; whether they are independent draws is for the checks to ask"
_FEW = 12  # labels that a message lists at most


@dataclass(frozen=True, eq=False, repr=False)
class Panel(Result):
    """Individuals, databases, and the records that each individual has in each database.

    Made by `from_table`, `from_long`, `from_wide` or `from_arrays`. `repr` shows sizes only. `individuals` and `databases` are
    labels, each of them once: N and n. `matrix`, (N, n), holds the one value of each individual in each database, NaN where it
    has no record; it is None where somebody has several records in one database or a record has several values, named by
    `columns`: then there are `records`. `independent` says whether the databases are independent draws by the way they were
    made (random subsamples of one table), `source` in words how they came about.
    """

    individuals: pd.Index
    databases: pd.Index
    matrix: Values | None
    records: reading.Records | None
    columns: tuple[str, ...]
    independent: bool = False
    source: str = _GIVEN

    @property
    def evidence(self) -> Evidence:
        """An estimate, from databases that came about as the source says."""
        return Evidence(ESTIMATE, source=self.source)

    def __repr__(self) -> str:
        return (
            f"Panel(individuals={len(self.individuals)}, databases={len(self.databases)}, columns={len(self.columns)})"
        )

    @classmethod
    def from_arrays(
        cls,
        values: ArrayLike,
        *,
        individuals: Sequence[Hashable] | pd.Index | None = None,
        databases: Sequence[Hashable] | pd.Index | None = None,
        column: str = "value",
        independent: bool = False,
        source: str = _GIVEN,
    ) -> Panel:
        """Make a panel of a matrix (N, n), one row for each individual and one column for each database.

        The values are in any unit, at most 1e100 in size; NaN or masked where an individual has no record. A matrix of float64
        without a mask is not copied. Labels are by default 1, 2, 3 ...; `column` says what the values are, `independent` whether
        the databases were drawn independently, for certain. DataError for values that are not finite (with row and column),
        repeated labels, and databases without any record.
        """
        matrix = reading.matrix_of(values)
        rows = reading.labels("individuals", individuals, matrix.shape[0])
        across = reading.labels("databases", databases, matrix.shape[1])
        check_type("independent", independent, bool)
        return cls(rows, across, matrix, None, (name_of("column", column),), independent, source)

    @classmethod
    def from_wide(
        cls,
        table: pd.DataFrame,
        *,
        individual: str | None = None,
        databases: Sequence[str] | None = None,
        source: str = _GIVEN,
    ) -> Panel:
        """Make a panel of a table with one row for each individual and one column for each database.

        An empty cell means that the individual is not in that database. `individual` is the column with the labels, each of them
        once; without it the rows are numbered from 1. `databases` are the columns that are databases, in their order; by default
        all others. DataError with the row (counted below the heading) and the column of a cell that is no number or no label.
        """
        return cls(*reading.wide(table, individual, databases), None, ("value",), False, source)

    @classmethod
    def from_long(
        cls, table: pd.DataFrame, *, database: str, individual: str, value: str | Sequence[str], source: str = _GIVEN
    ) -> Panel:
        """Make a panel of a table with one row for each record: several of one individual in one database are several records.

        `database` and `individual` are the columns that say to which database and to whom a record belongs; databases are sorted,
        so that years are in their order, and text is sorted as text. `value` is the column or columns of numbers: a row without a
        value is no record, but its individual and database exist. DataError with row and column of a cell that cannot be used;
        for a database without any record.
        """
        columns = reading.value_columns(value)
        return cls._of_codes(*reading.long(table, database, individual, columns), columns, source=source)

    @classmethod
    def from_table(
        cls,
        table: pd.DataFrame,
        *,
        value: str | Sequence[str],
        databases: int,
        share: float,
        rng: np.random.Generator,
        individual: str | None = None,
    ) -> Panel:
        """Draw databases from one table: each holds a random share of the individuals, with all records of theirs.

        The draws are independent of each other by construction (EDP, section 2, first example). What is then audited is a
        release that uses one such subsample: the protection comes from nobody knowing who is in it.

        There are 1 to 100,000 `databases`; the `share` (above 0, at most 1) of the individuals in each is drawn without
        replacement, rounded to at least one. `value` is the column or columns of numbers: rows without one are left out.
        `individual` is the column that says whose a record is; without it each row is an individual of its own. DataError with
        row and column of a cell that cannot be used; for a table without any record.
        """
        columns = reading.value_columns(value)
        draws = check_integer("databases", databases, at_least=1, at_most=100_000)
        part = check_number("share", share, above=0, at_most=1)
        check_type("rng", rng, np.random.Generator)
        people, codes, values = reading.rows(table, individual, columns)
        if not len(people) or not len(codes):
            raise DataError(f"the table has no row with a value in column {shown(columns[0])}")
        size = max(1, round(part * len(people)))
        source = f"{draws} random subsamples of one table, {size:,} of {len(people):,} individuals in each, independent by construction"
        check_fits(9 * draws * len(people), otherwise="Draw fewer databases.")
        inside = np.zeros((draws, len(people)), dtype=bool)
        for chosen in inside:
            chosen[rng.choice(len(people), size, replace=False, shuffle=False)] = True
        order = pd.RangeIndex(1, draws + 1)
        if len(columns) == 1 and len(codes) == len(np.unique(codes)):
            matrix = np.full((len(people), draws), np.nan)
            matrix[codes] = np.where(inside.T[codes], values, np.nan)
            return cls(people, order, matrix, None, columns, True, source)
        kept = [np.flatnonzero(chosen[codes]) for chosen in inside]
        record_of = np.concatenate(kept)
        in_database = np.repeat(np.arange(draws), [len(each) for each in kept])
        return cls._of_codes(
            people, order, codes[record_of], in_database, values[record_of], columns, independent=True, source=source
        )

    @classmethod
    def _of_codes(
        cls,
        people: pd.Index,
        order: pd.Index,
        individual: Codes,
        database: Codes,
        values: Values,
        columns: tuple[str, ...],
        *,
        independent: bool = False,
        source: str,
    ) -> Panel:
        cell = individual * len(order) + database
        if len(columns) == 1 and len(np.unique(cell)) == len(cell):
            matrix = np.full((len(people), len(order)), np.nan)
            matrix.ravel()[cell] = values[:, 0]
            return cls(people, order, matrix, None, columns, independent, source)
        records = reading.Records.sorted(individual, database, values, databases=len(order))
        return cls(people, order, None, records, columns, independent, source)

    def __post_init__(self) -> None:
        """Refuse what no audit can use, and make the arrays read-only (through a view where the caller owns them)."""
        if len(self.individuals) == 0 or len(self.databases) == 0:
            raise DataError("a panel needs at least one individual and one database")
        empty = np.flatnonzero(self.sizes() == 0)
        if empty.size:
            named = ", ".join(reading.label(self.databases[place]) for place in empty[:_FEW])
            raise DataError(f"no record in {len(empty):,} of {len(self.databases):,} databases: {named}")
        if self.matrix is not None:
            view = self.matrix.view()
            view.setflags(write=False)
            object.__setattr__(self, "matrix", view)

    def database(self, place: int) -> tuple[Codes, Values]:
        """Return whose the records of one database are, and their values: (m,) ascending, and (m,) or (m, columns)."""
        return self.part(place, 0, len(self.individuals))

    def part(self, place: int, start: int, stop: int) -> tuple[Codes, Values]:
        """Return the records of the individuals from `start` up to `stop` in one database, as `database` does."""
        if self.matrix is not None:
            column = self.matrix[start:stop, place]
            here = np.flatnonzero(~np.isnan(column))
            return here + start, column[here] if len(here) < len(column) else np.ascontiguousarray(column)
        assert self.records is not None  # one of the two is always there
        return self.records.part(place, start, stop)

    def lacking(self, individual: int) -> Panel:
        """Return the panel without the records of one individual (0 to N - 1), who stays listed; DataError if that empties a database."""
        place = check_integer("individual", individual, at_least=0, at_most=len(self.individuals) - 1)
        if self.matrix is not None:
            matrix = self.matrix.copy()
            matrix[place] = np.nan
            return replace(self, matrix=matrix)
        assert self.records is not None
        return replace(self, records=self.records.lacking(place))

    def sizes(self) -> Codes:
        """Return the number of records in each database, of shape (n,)."""
        if self.matrix is not None:
            missing = np.array([np.count_nonzero(np.isnan(column)) for column in self.matrix.T], dtype=np.int64)
            return np.asarray(self.matrix.shape[0] - missing, dtype=np.int64)
        assert self.records is not None
        return np.diff(self.records.starts)

    def presence(self) -> Codes:
        """Return for each individual in how many databases it has a record, of shape (N,)."""
        found = np.zeros(len(self.individuals), dtype=np.int64)
        for codes, _ in self:
            found[codes] += 1  # once for each individual, however many records it has there
        return found

    def most_records(self) -> int:
        """Return the largest number of records that one individual has in one database."""
        if self.records is None:
            return 1
        return max(int(np.bincount(codes).max()) for codes, _ in self)

    def __iter__(self) -> Iterator[tuple[Codes, Values]]:
        """Go through the databases in their order, each as `database` returns it."""
        return (self.database(place) for place in range(len(self.databases)))

    def as_table(self, individual: str = "individual") -> pd.DataFrame:
        """Return the matrix as a wide table, the individuals in the first column and a column of text for each database."""
        if name_of("individual", individual) in (names := [str(label) for label in self.databases]):
            raise ParameterError(f"individual must not be the name of a database, got {individual!r}")
        if self.matrix is None:
            raise DataError("somebody has several records in one database, which a wide table cannot hold")
        wide = pd.DataFrame(self.matrix, columns=names)
        wide.insert(0, individual, self.individuals)
        return wide
