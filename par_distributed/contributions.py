"""What each individual of a block adds to each database: the part of a query's sum that is theirs, and how many records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from par_core.audit.panel_reading import LARGEST
from par_core.audit.queries import PanelCount, PanelMean, PanelSum, ShareAbove
from par_core.audit.query import PanelQuery, Values
from par_core.audit.sums import totals
from par_core.errors import DataError, ParameterError
from par_core.parameters import shown

if TYPE_CHECKING:
    import pyarrow as pa

QUERIES = (PanelSum, PanelCount, PanelMean, ShareAbove)
_NONE = np.zeros((0, 0))


@dataclass(frozen=True)
class Layout:
    """How the records lie in the table.

    Wide: a row for each individual, and `databases` are its columns. Long: a row for each record, sorted by `individual`;
    `databases` are then the labels in the column `database`, and `value` is the column of the numbers.
    """

    individual: str | None
    databases: tuple[object, ...]
    database: str | None = None
    value: str | None = None

    @property
    def columns(self) -> list[str]:
        """The columns that are read."""
        whose = [] if self.individual is None else [self.individual]
        if self.database is None or self.value is None:
            return [*whose, *map(str, self.databases)]
        return [*whose, self.database, self.value]


@dataclass(frozen=True)
class Block:
    """The individuals of a block: their labels, (B,), their mean `values`, and what `kernels.leave_out` needs of them, (n, B)."""

    labels: pa.Array
    values: Values
    own: Values
    own_low: Values
    own_count: Values


def check_query(query: object) -> PanelQuery:
    """Return a query whose answer follows from sums; ParameterError for any other."""
    if not isinstance(query, QUERIES):
        names = ", ".join(each.__name__ for each in QUERIES)
        raise ParameterError(f"query must be one of {names} for a data set, got {shown(query)}")
    return query


def asked(query: PanelQuery, values: Values) -> Values:
    """Return what each value adds to the query's sum; NaN stays NaN."""
    if isinstance(query, PanelCount | ShareAbove):
        counted = np.ones_like(values) if isinstance(query, PanelCount) else (values > query.threshold).astype(float)
        counted[np.isnan(values)] = np.nan
        return counted
    return values


def divides(query: PanelQuery) -> bool:
    """Whether the answer is the sum over the number of records."""
    return isinstance(query, PanelMean | ShareAbove)


def block_of(table: pa.Table, layout: Layout, query: PanelQuery, *, first: int) -> Block:
    """Return a block of the rows of a table, `first` being the number of the first of them; DataError for what cannot be used."""
    return _wide(table, layout, query, first) if layout.database is None else _long(table, layout, query)


def _wide(table: pa.Table, layout: Layout, query: PanelQuery, first: int) -> Block:
    import pyarrow as pa
    import pyarrow.compute as pc

    values = np.empty((len(layout.databases), table.num_rows))
    for place, name in enumerate(map(str, layout.databases)):
        values[place] = _numbers(table, name)
    if layout.individual is None:
        labels = pa.array(np.arange(first + 1, first + table.num_rows + 1))
    else:
        labels = table.column(layout.individual).combine_chunks()
        there = pc.and_kleene(pc.is_valid(labels), pc.equal(labels, labels)).fill_null(
            False
        )  # NaN is not equal to itself
        if not pc.all(there).as_py():
            row = first + int(np.argmin(there)) + 1
            raise DataError(f"row {row:,}, column {shown(layout.individual)}: the label is missing")
    return Block(labels, values, asked(query, values), _NONE, _NONE)


def _long(table: pa.Table, layout: Layout, query: PanelQuery) -> Block:
    import pyarrow as pa
    import pyarrow.compute as pc

    individual, database, value = layout.columns
    whose = table.column(individual).combine_chunks().dictionary_encode()
    people, n = len(whose.dictionary), len(layout.databases)
    kind = table.schema.field(database).type
    where = pc.index_in(table.column(database), value_set=pa.array(layout.databases, type=kind))
    numbers = _numbers(table, value)
    if (np.abs(numbers) > LARGEST).any():
        raise DataError(f"column {shown(value)}: a number that is infinite or beyond {LARGEST:g}")
    there = ~np.isnan(numbers)
    cells = (where.to_numpy().astype(np.int64) * people + whose.indices.to_numpy(zero_copy_only=False))[there]
    order = np.argsort(cells, kind="stable")
    cells, values = cells[order], numbers[there][order]
    count = np.bincount(cells, minlength=n * people).astype(np.float64)
    mean = np.divide(totals(cells, values, size=n * people)[0], count, out=np.full(n * people, np.nan), where=count > 0)
    high, low = totals(cells, asked(query, values), size=n * people)
    high[count == 0] = np.nan
    parts = (_NONE, _NONE) if count.max(initial=0.0) <= 1 else (low.reshape(n, people), count.reshape(n, people))
    return Block(whose.dictionary, mean.reshape(n, people), high.reshape(n, people), *parts)


def check_size(block: Block, layout: Layout, *, first: int) -> None:
    """Raise a DataError for a number of a wide table that no audit can use; `first` is the number of the first row of the block."""
    from par_distributed.kernels import first_beyond

    at = first_beyond(block.values, LARGEST)
    if at >= 0:
        column, row = divmod(at, block.values.shape[1])
        where = f"row {first + row + 1:,}, column {shown(layout.databases[column])}"
        raise DataError(f"{where}: a number that is infinite or beyond {LARGEST:g}")


def _numbers(table: pa.Table, name: str) -> Values:
    """Return a column as floats, NaN where it is empty."""
    return np.asarray(table.column(name).to_numpy(), dtype=np.float64)
