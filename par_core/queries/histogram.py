"""How many rows fall into each bin of a column of numbers; the edges of the bins are public."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.lazy_pandas import pd
from par_core.parameters import check_number, check_type, shown
from par_core.queries import statistics
from par_core.queries.columns import Kind, name_of, values_of
from par_core.queries.conditions import Condition, used_columns
from par_core.queries.counts import label_of
from par_core.queries.shapes import LARGEST_K, CountsShape
from par_core.queries.table_query import TableQuery

LARGEST_EDGE = 1e300
_OUTER = 2  # cells: below the first edge, and from the last one on


@dataclass(frozen=True)
class TableHistogram(TableQuery):
    """How many rows have a value in each bin of a column of numbers.

    The `edges` are two numbers or more, rising, -1e300 to 1e300, in the unit of the column. They come from what is publicly known: edges
    that are read off the private table, such as its smallest and its largest value, publish something about it before any noise is added.

    Each bin holds its lower edge and not its upper one. Two cells more hold the values below the first edge and those from the last edge
    on, infinite ones too: so every row with a value is in exactly one of the 3 to 10,000 cells, and a row without one is in none. Values
    are compared as floats of 64 bits. (`statistics.Histogram`, which knows no outer cells, closes its last interval.)

    >>> query = TableHistogram("age", (0, 20, 40))
    >>> query.k, query.labels
    (4, ('below 0', '0 to <20', '20 to <40', '40 and above'))
    >>> query.answer(pd.DataFrame({"age": [0, 19.9, 20, 40, None]})).exact.tolist()
    [0.0, 2.0, 1.0, 1.0]
    """

    asks = statistics.Histogram
    column: str
    edges: tuple[float, ...]
    where: Condition | None = None

    def __post_init__(self) -> None:
        """Check the edges and store them as floats; there is one 0 only."""
        name_of("column", self.column)
        if isinstance(self.edges, tuple | list):  # first, because a long list takes seconds to check
            _check_cells(len(self.edges) + 1)
        edges = statistics.Histogram(edges=self.edges).edges
        assert edges is not None
        for edge in (edges[0], edges[-1]):
            check_number("edges", edge, at_least=-LARGEST_EDGE, at_most=LARGEST_EDGE)
        object.__setattr__(self, "edges", tuple(edge + 0.0 for edge in edges))  # -0.0 + 0.0 is 0.0
        if self.where is not None:
            check_type("where", self.where, Condition)

    @property
    def k(self) -> int:
        """How many cells there are: one more than edges."""
        return len(self.edges) + 1

    @property
    def labels(self) -> tuple[str, ...]:
        """One label for each cell, such as "below 20", "20 to <30" and "30 and above"."""
        told = [_written(edge) for edge in self.edges]
        bins = (f"{lower} to <{upper}" for lower, upper in itertools.pairwise(told))
        return (f"below {told[0]}", *bins, f"{told[-1]} and above")

    @property
    def used_columns(self) -> tuple[str, ...]:
        """The column, and that of the condition."""
        return used_columns(self.column, where=self.where)

    @property
    def shape(self) -> CountsShape:
        """That of counts."""
        return CountsShape(self.k)

    def _look(self, rows: pd.DataFrame, chosen: NDArray[np.bool_]) -> tuple[Iterator[NDArray[np.float64]], int]:
        values, missing = values_of(rows, self.column, kind=Kind.NUMBER)
        cell = np.searchsorted(self.edges, values.astype(float), side="right")  # an edge belongs to the bin above it
        return iter((np.bincount(cell[chosen & ~missing], minlength=self.k).astype(float),)), 0


def _written(edge: float) -> str:
    # With the minus sign of print: a spreadsheet takes a text that begins with a hyphen for a formula.
    return f"\N{MINUS SIGN}{label_of(-edge)}" if edge < 0 else label_of(edge)


@Evidence(PROVEN, source="exact rational arithmetic, rounded once")
def edges_between(lowest: float, highest: float, width: float) -> tuple[float, ...]:
    """Return the edges of bins of one width (above 0) from the lowest edge to the highest, all in one unit.

    ParameterError unless the lowest is below the highest, the width goes into the distance between them a whole number of times, and a
    histogram can have as many bins. Each number counts as it is written, so that 0.1 three times is 0.3.

    >>> edges_between(0, 0.4, 0.1)
    (0.0, 0.1, 0.2, 0.3, 0.4)
    """
    limits = {"at_least": -LARGEST_EDGE, "at_most": LARGEST_EDGE}
    first, last = check_number("lowest", lowest, **limits), check_number("highest", highest, **limits)
    each = check_number("width", width, above=0.0, at_most=LARGEST_EDGE)
    if not first < last:
        raise ParameterError(f"lowest must be below highest, got lowest {first:g} and highest {last:g}")
    start, step = Fraction(repr(first)), Fraction(repr(each))
    bins = (Fraction(repr(last)) - start) / step
    _check_cells(int(bins) + 1 + _OUTER - (bins.denominator == 1))
    if bins.denominator > 1:
        reached = label_of(float(start + int(bins) * step))
        raise ParameterError(
            f"width must divide {label_of(first)} to {label_of(last)} into whole bins, got {label_of(each)}: the last whole one ends at "
            f"{reached}"
        )
    return tuple(float(start + at * step) for at in range(int(bins) + 1))


def _check_cells(cells: int) -> None:
    if cells > LARGEST_K:
        raise ParameterError(f"edges must make at most {LARGEST_K:,} cells, got {shown(cells)}")
