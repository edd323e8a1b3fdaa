"""Ridge problems on the built-in data, and which of their columns stand for the ones that the paper used.

The paper predicts income from age, gender, race, marital status and education, with a penalty of 0.01.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from par_core.datasets import Dataset, census2000, household_heads
from par_core.regression.problem import RidgeProblem

PENALTY = 0.01


@dataclass(frozen=True)
class RidgePreset:
    """A table, what is predicted from what, and in words what stands in for what in the paper.

    `predictors` that hold text enter as the place in their public list of categories; `target_bounds` are public and in the unit of
    the target.
    """

    name: str
    load: Callable[[], Dataset]
    target: str
    predictors: tuple[str, ...]
    target_bounds: tuple[float, float]
    stands_for: str

    def problem(self, *, intercept: bool = False) -> RidgeProblem:
        """Load the table and make it ready."""
        data = self.load()
        words = {name: data.categories[name] for name in self.predictors if data.table[name].dtype.kind not in "iuf"}
        return RidgeProblem.from_table(
            data.table,
            self.target,
            predictors=self.predictors,
            target_bounds=self.target_bounds,
            categories=words,
            coding="code",
            intercept=intercept,
        )


CENSUS_2000 = RidgePreset(
    name="Census 2000 (real)",
    load=census2000,
    target="weekly_income",
    predictors=("age", "education", "experience"),
    target_bounds=(0.0, 5000.0),
    stands_for=(
        "29,501 real persons, not the paper's extract: experience (age − education − 6) stands for gender, race and marital status."
    ),
)

HOUSEHOLD_HEADS = RidgePreset(
    name="Household heads (synthetic)",
    load=household_heads,
    target="income",
    predictors=("age", "gender", "race", "marital_status", "education"),
    target_bounds=(0.0, 200_000.0),
    stands_for=(
        "Generated: the paper's six attributes and 212,605 rows, none a person. Gender, race and marital status are coded"
        " arbitrarily."
    ),
)
