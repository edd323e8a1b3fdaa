"""The statistics that are asked for, each described once: its name, what it is asked with, and within which limits.

Who asks for one says in a file of their own what they do with it: tables (`par_core.queries.TABLE_QUERIES`), the audit of panels
(`par_core.audit.queries.PANEL_QUERIES`) and the sample planner (`par_core.sampling.pair_queries.PAIR_QUERIES`). What becomes of missing
values, who is a neighbour and what a sum is divided by is another thing for each of them, and stands there.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import ParameterError
from par_core.parameters import check_number, check_type, shown
from par_core.queries.columns import category, kind_of
from par_core.queries.conditions import Condition
from par_core.queries.dates import Category

LARGEST_BOUND = 1e12


@dataclass(frozen=True)
class Bounds:
    """What values are clamped to, in their unit: -1e12 to 1e12, the lower below the upper; public, and never read off the data.

    >>> Bounds(0, 50).width
    Fraction(50, 1)
    """

    lower: float
    upper: float

    def __post_init__(self) -> None:
        """Check both and store them as floats; a ParameterError names the one that is wrong."""
        object.__setattr__(self, "lower", _bound("lower", self.lower))
        object.__setattr__(self, "upper", _bound("upper", self.upper))
        if not self.lower < self.upper:
            raise ParameterError(f"lower must be below upper, got lower {self.lower:g} and upper {self.upper:g}")

    @classmethod
    def of_pair(cls, pair: object, *, name: str = "bounds") -> Self:
        """Return what a tuple or list of a lower and an upper one holds; a ParameterError calls it `name`."""
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise ParameterError(f"{name} must be a lower and an upper one, got {shown(pair)}")
        lower, upper = (_bound(name, each) for each in pair)
        if not lower < upper:
            raise ParameterError(f"{name} must have the lower below the upper, got {lower:g} and {upper:g}")
        return cls(lower, upper)

    @property
    def width(self) -> Fraction:
        """How far apart two values are at most, exactly."""
        return Fraction(self.upper) - Fraction(self.lower)

    def clamp(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return values, of any shape, moved to the nearest bound."""
        return np.clip(values, self.lower, self.upper)


@dataclass(frozen=True)
class Statistic:
    """What is computed of some rows. `name` is what it is called, and `noun` what one number of it is."""

    name: ClassVar[str]
    noun: ClassVar[str]


@dataclass(frozen=True)
class Count(Statistic):
    """How many rows meet a condition."""

    condition: Condition
    name = noun = "count"

    def __post_init__(self) -> None:
        check_type("condition", self.condition, Condition)


@dataclass(frozen=True)
class Share(Count):
    """Which part of all rows meets a condition, 0 to 1."""

    name = noun = "share"


@dataclass(frozen=True)
class Histogram(Statistic):
    """How many rows fall into each of k cells: categories, or intervals between edges; other values fall into none.

    Each of the `categories` is a cell, at least one, all of one kind and none twice; or each interval between `edges`, at least two,
    rising, in the unit of the values, holds its lower edge, and the last one its upper edge too. One of the two is given.

    >>> Histogram(edges=(0, 20, 40)).k
    2
    """

    categories: tuple[Category, ...] | None = None
    edges: tuple[float, ...] | None = None
    name, noun = "histogram", "count"

    def __post_init__(self) -> None:
        """Check what is given and store it as a tuple of Python's own values."""
        if (self.categories is None) == (self.edges is None):
            raise ParameterError("a histogram needs either categories or edges")
        if self.categories is not None:
            listed = [category("categories", each) for each in _listed("categories", self.categories, at_least=1)]
            object.__setattr__(self, "categories", check_categories(listed))
            return
        edges = tuple(check_number("edges", each) for each in _listed("edges", self.edges, at_least=2))
        if any(left >= right for left, right in itertools.pairwise(edges)):
            raise ParameterError(f"edges must rise, got {shown(edges)}")
        object.__setattr__(self, "edges", edges)

    @property
    def k(self) -> int:
        """How many cells there are."""
        return len(self.categories) if self.categories is not None else len(self.edges or ()) - 1


@dataclass(frozen=True)
class OfNumbers(Statistic):
    """One number of many: each value is clamped to the `bounds` first, if there are any; `added` is what is then added up."""

    added: ClassVar[str] = "them"
    bounds: Bounds | None = None

    def __post_init__(self) -> None:
        if self.bounds is not None:
            check_type("bounds", self.bounds, Bounds)

    def clamp(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return what values, of any shape, count as."""
        return values if self.bounds is None else self.bounds.clamp(values)

    @classmethod
    def unit(cls, of_values: str) -> str:
        """Return the unit of the answer, in words, given that of the values."""
        return of_values


@dataclass(frozen=True)
class Sum(OfNumbers):
    """Sum of the values."""

    name = noun = "sum"


@dataclass(frozen=True)
class Mean(OfNumbers):
    """Mean of the values."""

    name = noun = "mean"


@dataclass(frozen=True)
class Variance(OfNumbers):
    """Squared distance of the values from their mean, on average; by what their sum is divided, whoever asks says."""

    name = noun = "variance"

    @classmethod
    def unit(cls, of_values: str) -> str:
        """Return that of the values, squared."""
        return f"({of_values})²"


@dataclass(frozen=True)
class Quantile(OfNumbers):
    """Quantile of the values: `share`, 0 to 1, of them lie below; 0.5 for the median.

    Between the two sorted values beside it, it lies on a straight line: the usual kind of numpy and of R.

    >>> Quantile(share=0.25).place(4)
    (array(0), array(0.75))
    """

    share: float = 0.5
    name = noun = "quantile"

    def __post_init__(self) -> None:
        """Check both and store the share as a float."""
        super().__post_init__()
        object.__setattr__(self, "share", check_share("share", self.share))

    def place(self, rows: ArrayLike) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """Return which sorted value, from 0, lies below the quantile of so many rows, and the part of the way to the next one.

        Both have the shape of `rows`; no rows count as one.
        """
        exact = np.asarray(self.share * np.maximum(np.asarray(rows) - 1, 0))
        lower = np.floor(exact).astype(np.int64)
        return np.asarray(lower), np.asarray(exact - lower)


def check_share(name: str, value: object) -> float:
    """Return the share of a quantile as a float; a ParameterError, which calls it `name`, unless it is 0 to 1."""
    return check_number(name, value, at_least=0, at_most=1)


def check_categories(
    listed: Iterable[Category], *, of: str | None = None, taken: Iterable[Category] = ()
) -> tuple[Category, ...]:
    """Return categories, at least one, as a tuple; ParameterError unless all are of one kind, and none is there twice or `taken`.

    `of` is the column that the message names: a row in two cells would count twice in the sensitivity.
    """
    found, seen = tuple(listed), set(taken)
    whose = "categories" if of is None else f"categories of {shown(of)}"
    if not found:
        raise ParameterError(f"{whose} must hold at least one, got an empty list")
    kind_of("categories", found)
    for value in found:
        if value in seen:
            raise ParameterError(f"{whose} must not repeat, got {shown(value)} twice")
        seen.add(value)
    return found


def _bound(name: str, value: object) -> float:
    return check_number(name, value, at_least=-LARGEST_BOUND, at_most=LARGEST_BOUND)


def _listed(name: str, value: object, *, at_least: int) -> tuple[object, ...]:
    if not isinstance(value, tuple | list) or len(value) < at_least:
        raise ParameterError(f"{name} must be a list of at least {at_least}, got {shown(value)}")
    return tuple(value)
