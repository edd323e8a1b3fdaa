"""The sampled sensitivity of ridge and linear regression: both fits of a pair come from the sums over its common rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.parameters import check_choice, check_list, check_number, check_type, shown
from par_core.queries.columns import name_of
from par_core.queries.dates import Category
from par_core.regression import Coding, RidgeProblem, coefficient_sensitivity, neighbouring_coefficients, ridge
from par_core.sampling.pair_query import PairQuery
from par_core.sampling.population import Pairs


@dataclass(frozen=True)
class RidgeOf(PairQuery):
    """Coefficients of a ridge regression on rows of length one and a target that is scaled to [0, 1].

    Parameters are those of `RidgeProblem.from_table` and `ridge`, with `categories` as pairs of a column and the tuple of its values.
    The difference is in the unit of the coefficients: that of the scaled target. A very small penalty makes it linear regression.
    """

    target: str
    predictors: tuple[str, ...]
    target_bounds: tuple[float, float]
    penalty: float = 0.01
    intercept: bool = False
    categories: tuple[tuple[str, tuple[Category, ...]], ...] = ()
    coding: Coding = "indicator"

    def __post_init__(self) -> None:
        name_of("target", self.target)
        if not isinstance(self.predictors, tuple | list) or not self.predictors:
            raise ParameterError(f"predictors must be a tuple of column names, got {shown(self.predictors)}")
        object.__setattr__(self, "predictors", tuple(name_of("predictors", each) for each in self.predictors))
        object.__setattr__(self, "penalty", check_number("penalty", self.penalty, above=0))
        check_type("intercept", self.intercept, bool)
        check_choice("coding", self.coding, get_args(Coding))
        object.__setattr__(self, "categories", tuple(map(_list, check_list("categories", self.categories))))
        if not isinstance(self.target_bounds, tuple | list) or len(self.target_bounds) != 2:
            raise ParameterError(f"target_bounds must be a lower and an upper one, got {shown(self.target_bounds)}")
        object.__setattr__(self, "target_bounds", tuple(self.target_bounds))

    @property
    def used_columns(self) -> tuple[str, ...]:
        return (self.target, *self.predictors)

    @property
    def label(self) -> str:
        return f"regression of {self.target}"

    @property
    def k(self) -> int:
        lists = dict(self.categories) if self.coding == "indicator" else {}
        return self.intercept + sum(len(lists.get(name, (name,))) for name in self.predictors)

    @property
    def work(self) -> int:  # type: ignore[override]  # a fixed number for the other queries
        return self.k + 1

    @Evidence(PROVEN, source="regression.coefficient_sensitivity")
    def worst_case(self, rows: int) -> float:
        return coefficient_sensitivity(rows, k=self.k, penalty=self.penalty)

    def __call__(self, table: pd.DataFrame) -> NDArray[np.float64]:
        return np.asarray(ridge(self.prepare(table), penalty=self.penalty))

    def prepare(self, table: pd.DataFrame) -> RidgeProblem:
        return RidgeProblem.from_table(
            table,
            self.target,
            predictors=self.predictors,
            target_bounds=self.target_bounds,
            categories=dict(self.categories) or None,  # type: ignore[arg-type]  # categories are text or whole numbers there
            coding=self.coding,
            intercept=self.intercept,
        )

    def differences(self, prepared: RidgeProblem, pairs: Pairs) -> NDArray[np.float64]:
        assert pairs.common is not None
        first, second = neighbouring_coefficients(prepared, pairs.common, pairs.one, pairs.other, penalty=self.penalty)
        return np.asarray(np.abs(first - second).sum(axis=1))


def _list(pair: Any) -> tuple[str, tuple[Category, ...]]:
    both = check_list("categories", pair)
    if len(both) != 2:
        raise ParameterError(f"categories must be pairs of a column and its values, got {shown(pair)}")
    return name_of("categories", both[0]), check_list("categories", both[1])
