"""What a query has to know so that many pairs of neighbours can be compared at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from par_core.sampling.population import Pairs

Prepared: TypeAlias = Any
"""What `prepare` of the same query returned."""


class PairQuery(ABC):
    """A question about a table whose answers on many pairs of neighbours are compared without a loop.

    It is callable on a table like any function, and gives the same differences that way, a pair at a time. `uses_common` says whether
    the difference hangs on the rows that both data sets have (if not, these are not even drawn), and `work` how many numbers it reads
    in each row, which keeps batches short.
    """

    uses_common: bool = True
    work: int = 1

    @property
    @abstractmethod
    def used_columns(self) -> tuple[str, ...]:
        """The columns that it looks at."""

    @property
    @abstractmethod
    def label(self) -> str:
        """What it asks, in a word or two: "median of income"."""

    @property
    def k(self) -> int:
        """How many numbers one answer holds."""
        return 1

    @abstractmethod
    def __call__(self, table: pd.DataFrame) -> float | NDArray[np.float64]:
        """Return the answer on a table of at least one row."""

    @abstractmethod
    def prepare(self, table: pd.DataFrame) -> object:
        """Return what `differences` needs of the rows of a table, in their order."""

    @abstractmethod
    def differences(self, prepared: Prepared, pairs: Pairs) -> NDArray[np.float64]:
        """Return for each pair the L1 distance between the answers on its two data sets, shape (pairs,)."""

    def worst_case(self, rows: int) -> float | None:  # noqa: ARG002  # most depend on it
        """Return the proven L1 sensitivity for replacing one of so many rows, or None where there is none."""
        return None
