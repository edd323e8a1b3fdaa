"""A population whose columns are drawn from fitted distributions, independently of each other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pandas as pd

from par_core.errors import DataError, ParameterError
from par_core.evidence import ESTIMATE, Evidence, Result
from par_core.parameters import check_integer, shown
from par_core.queries.columns import check_table
from par_core.randomness import generator
from par_core.sampling.columns import refuse_missing
from par_core.sampling.distributions import FittedColumn, Law, fit_column


@dataclass(frozen=True)
class FittedPopulation(Result):
    """A population of rows whose columns are drawn independently of each other, each from its fitted law.

    >>> table = pd.DataFrame({"height": np.random.default_rng(1).normal(170, 8, size=500)})
    >>> population = fit_population(table, laws={"height": "normal"})
    >>> len(population.draw(3, rng=np.random.default_rng(2)))
    3
    """

    columns: tuple[FittedColumn, ...]
    evidence = Evidence(
        ESTIMATE,
        source="one distribution for each column, fitted by largest likelihood",
        limits="The columns are drawn independently: relations between them (income rising with age) are lost, so a query of several "
        "columns, a regression above all, has another sensitivity than on the data. A law that fits ill gives the "
        "sensitivity of the law. Whole numbers are rounded only where the law is categorical.",
    )

    @property
    def names(self) -> tuple[str, ...]:
        """The columns that can be asked about."""
        return tuple(column.name for column in self.columns)

    @property
    def ill_fitting(self) -> tuple[str, ...]:
        """The columns whose law does not fit."""
        return tuple(column.name for column in self.columns if not column.fits)

    def draw(self, rows: int, *, rng: np.random.Generator) -> pd.DataFrame:
        """Return a table of 1 to 10,000,000 independent rows."""
        number, draw = check_integer("rows", rows, at_least=1, at_most=10_000_000), generator(rng)
        return pd.DataFrame({column.name: column.draw(number, rng=draw) for column in self.columns})


def fit_population(table: pd.DataFrame, *, laws: Mapping[str, Law | str] | None = None) -> FittedPopulation:
    """Fit each column of a table: of numbers, text or truth values, at least one row, no missing values.

    `laws` names the wanted law of some columns; the others get the best one, as in `fit_column`.
    """
    check_table(table)
    if not isinstance(laws, Mapping | None):
        raise ParameterError(f"laws must be a mapping from column to law, got {shown(laws)}")
    wanted = dict(laws or {})
    for name in wanted:
        if name not in set(table.columns):
            raise ParameterError(f"laws must name columns of the table, got {shown(name)}")
    if not len(table.columns):
        raise DataError("the table has no columns")
    refuse_missing(table, list(table.columns))
    return FittedPopulation(tuple(fit_column(table, name, law=wanted.get(name)) for name in table.columns))
