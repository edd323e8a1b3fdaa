"""The generated table: what it says of itself, and that the recipe in its description is the one that is used."""

import numpy as np
import pytest
from scipy import stats

from par_core.datasets import household_heads
from par_core.datasets.household_heads import _household_heads as generated
from par_core.errors import ParameterError
from par_core.queries import CountBy


@pytest.fixture(scope="module")
def heads():
    return household_heads()


def test_it_has_the_papers_rows_and_attributes(heads):
    assert list(heads.table.columns) == ["age", "gender", "race", "marital_status", "education", "income"]
    assert len(heads.table) == 212_605
    assert not heads.table.isna().any().any()
    assert [heads.table[column].dtype.kind for column in ("age", "education", "income")] == ["i", "i", "f"]


def test_nobody_can_take_it_for_real(heads):
    assert "synthetic" in heads.name
    assert heads.source.startswith("Synthetic")
    assert "no row is a person" in heads.note
    assert all(column in heads.note for column in heads.table.columns)


def test_bounds_and_categories_are_round_figures_and_fit(heads):
    for column, (lower, upper) in heads.bounds.items():
        assert lower % 5 == upper % 5 == 0
        values = heads.table[column]
        assert (lower, upper) != (values.min(), values.max())
        assert values.between(lower, upper).mean() > 0.98
    for column, listed in heads.categories.items():
        found = CountBy((column,), (listed,)).answer(heads.table)
        assert (found.exact.sum(), found.absent, found.missing) == (212_605, 0, 0)


def test_the_seed_makes_the_table():
    first, again, other = (household_heads(500, seed=seed).table for seed in (1, 1, 2))
    assert first.equals(again)
    assert not first.equals(other)
    assert household_heads(300, seed=1).source != household_heads(300, seed=2).source


def test_nobody_changes_it_for_others():
    first = household_heads(500)
    first.table.loc[:, "age"] = 0
    del first.table["race"]
    assert household_heads(500).table["age"].min() >= 18
    assert "race" in household_heads(500).table
    with pytest.raises(TypeError):
        first.bounds["age"] = (0, 1)


def test_the_same_table_is_generated_once():
    household_heads(seed=77)
    made = generated.cache_info().misses
    household_heads(seed=77)
    assert generated.cache_info().misses == made


# Means of so many are normal: beyond 5 standard errors lie 5.7e-7 of them. The 26 below fail for one seed in 67,000.


def near(values, wanted):
    values = np.asarray(values, dtype=float)
    return abs(values.mean() - wanted) < 5.0 * values.std() / np.sqrt(values.size) + 1e-12


def test_ages_and_races_are_the_recipes(heads):
    age, race = heads.table["age"], heads.table["race"]
    assert (age.min(), age.max()) == (18, 89)
    ends, shares = (18, 25, 35, 45, 55, 65, 75, 90), (0.06, 0.17, 0.22, 0.20, 0.14, 0.11, 0.10)
    for lower, upper, share in zip(ends, ends[1:], shares, strict=False):
        inside = (age >= lower) & (age < upper)
        assert near(inside, share)
        assert near(age[inside], (lower + upper - 1) / 2)
    assert near(race == "white", 0.78)
    assert near(race == "native", 0.01)
    assert near(race[age >= 65] == "black", 0.12)
    assert near(race[age < 65] == "black", 0.12)


def test_marital_status_goes_with_age_and_gender_with_marital_status(heads):
    age, status, gender = (heads.table[name] for name in ("age", "marital_status", "gender"))
    assert near(status[age < 25] == "never married", 0.72)
    assert near(status[age >= 75] == "widowed", 0.43)
    assert near(gender[status == "married"] == "male", 0.84)
    assert near(gender[status == "widowed"] == "male", 0.20)


def mean_education(age):
    """Return the mean of the recipe: whole years around a line, a third of 11 and 13 moved to 12, and clipped."""
    years = np.arange(-10, 40)
    line = 13.4 - 0.05 * max(age - 45, 0)
    chance = np.diff(stats.norm(line, 2.6).cdf(np.append(years, 40) - 0.5))
    moved = np.where(np.abs(years - 12) == 1, (2 * years + 12) / 3, years)
    return float(chance @ np.clip(moved, 0, min(20, age - 6)))


def test_education_falls_with_age(heads):
    age, education = heads.table["age"], heads.table["education"]
    assert ((education >= 0) & (education <= 20) & (education <= age - 6)).all()
    for part in ((age >= 35) & (age < 45), age < 25, age == 85):
        expected = age[part].map({each: mean_education(each) for each in age[part].unique()})
        assert near(education[part] - expected, 0.0)
    assert 1.8 < mean_education(40) - mean_education(85) < 2.0  # 0.05 for each year, less what 12 and the ends take
    assert (education == 12).mean() > 1.3 * (education == 14).mean()


def test_income_is_log_normal_given_the_others(heads):
    """With income, the logarithm less its centre is normal with standard deviation 0.75; rounding matters little."""
    table = heads.table
    schooling, years = table["education"] - 12, table["age"] - 45
    chance = 1.0 / (1.0 + np.exp(2.2 + 0.15 * schooling - 0.02 * years.abs()))
    none = table["income"] == 0.0
    assert near(none - chance, 0.0)
    assert near((none - chance)[table["education"] > 14], 0.0)
    centre = 9.95 + 0.09 * schooling + np.where(years < 0, 0.025, -0.012) * years
    centre += 0.25 * (table["marital_status"] == "married") + 0.2 * (table["gender"] == "male")
    left = (np.log(table["income"].where(~none)) - centre).dropna()
    assert near(left, 0.0)
    assert near(left**2, 0.75**2)
    for part in (table["education"] <= 10, table["age"] < 30, table["age"] > 70, table["race"] == "black"):
        assert near(left[part.reindex(left.index)], 0.0)
    assert (table["income"] % 10 == 0).all()


@pytest.mark.parametrize("wrong", [{"rows": 0}, {"rows": 6_000_000}, {"rows": 1.5}, {"seed": -1}, {"seed": "1"}])
def test_values_out_of_range_are_refused(wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        household_heads(**wrong)


def test_a_single_head():
    assert len(household_heads(1).table) == 1
