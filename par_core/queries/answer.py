"""The exact answer to a query, and what a cap leaves: private, and therefore shown only to whoever asks for it by name."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN, Evidence, Result


@dataclass(frozen=True, eq=False, repr=False)
class Answer(Result):
    """The exact answer of a query on one table: as private as the table, for the steward's eyes only; `repr` shows none of it.

    `exact`, shape (k,), is the answer without noise, read-only, in the order of `labels`, in the unit of the column (or of
    rows). `size` counts the rows that the condition chose (all without one), `missing` the rows of the table with a missing
    value in a column that the query uses, `absent` the chosen rows that are in no cell because their category is not on the
    list, `rows` those of the table.
    """

    exact: NDArray[np.float64]
    labels: tuple[str, ...]
    size: int
    missing: int
    absent: int
    rows: int
    evidence = Evidence(PROVEN, source="the table itself, without noise")

    def __post_init__(self) -> None:
        self.exact.setflags(write=False)

    def __repr__(self) -> str:
        return f"Answer(k={len(self.labels)}, exact=<hidden>)"


@dataclass(frozen=True, eq=False, repr=False)
class MeansAnswer(Answer):
    """The exact means of groups. `sizes`, shape (k,), counts the rows of each: where it is 0 there is no mean, whatever `exact` says."""

    sizes: NDArray[np.float64]

    def __post_init__(self) -> None:
        super().__post_init__()
        self.sizes.setflags(write=False)


@dataclass(frozen=True, repr=False)
class Kept(Result):
    """What the cap leaves of a table, in rows, or of counts of persons in pairs of a person and a cell; private like `Answer`."""

    number: int
    of: int
    evidence = Evidence(PROVEN, source="the table itself")

    @property
    def left_out(self) -> int:
        """How many the cap leaves out."""
        return self.of - self.number

    def __repr__(self) -> str:
        return "Kept(<hidden>)"
