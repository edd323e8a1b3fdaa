"""What every query on the databases of a panel can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN, Evidence, Result
from par_core.parameters import check_number

Values = NDArray[np.float64]
Codes = NDArray[np.int64]


class PanelQuery(Result, ABC):
    """A question to one database at a time.

    `answer` gives NaN where the database has too few records to have one; what then counts is `when_empty`.
    """

    evidence: ClassVar[Evidence] = Evidence(
        PROVEN, source="arithmetic on the records; Empirical Differential Privacy (2020), algorithm 1"
    )
    draws: int = 1
    when_empty: float | None = None

    @abstractmethod
    def summary(self, values: Values, *, most: int) -> object:
        """Return what `answer` and `without` need to know of a database; `most` records belong to one individual at most."""

    @abstractmethod
    def answer(self, summary: Any) -> float:
        """Return the answer of a database."""

    @abstractmethod
    def without(self, summary: Any, *, codes: Codes, values: Values, size: int) -> Values:
        """Return the answers without each of `size` individuals, given their records; where one has none, anything."""


class AskedAgain(PanelQuery):
    """A query that is a function: `leave_one_out` asks it again itself, so that a slow one can be watched and stopped."""

    def summary(self, values: Values, *, most: int) -> Values:
        return values

    def answer(self, summary: Values) -> float:
        raise NotImplementedError  # `Custom` has an answer of its own, `Randomised` is drawn

    def without(self, summary: Values, *, codes: Codes, values: Values, size: int) -> Values:
        raise NotImplementedError  # nobody asks: see the class


@Evidence(PROVEN, source="arithmetic on the records")
def ratio(above: Values, below: Codes, *, empty: float = np.nan) -> Values:
    """Return above/below, and `empty` where nothing is below."""
    return np.asarray(np.divide(above, below, out=np.full(len(above), empty), where=below > 0))


def check_when_empty(value: float | None) -> None:
    """Raise a ParameterError unless a value is a finite number or None."""
    if value is not None:
        check_number("when_empty", value)
