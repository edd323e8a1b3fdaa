"""Ridge problems made from tables, and their fits, held against scikit-learn."""

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import Ridge

from par_core.errors import DataError, ParameterError
from par_core.regression import (
    CENSUS_2000,
    HOUSEHOLD_HEADS,
    RidgeProblem,
    fits,
    neighbouring_coefficients,
    ridge,
)

PENALTY = 0.01


def random_problem(rows=400, k=5, *, seed=1):
    rng = np.random.default_rng(seed)
    design = rng.normal(size=(rows, k))
    design /= np.linalg.norm(design, axis=1, keepdims=True)
    return RidgeProblem(design, rng.random(rows), names=[f"x{column}" for column in range(k)])


def draw_pairs(problem, *, pairs, rows, seed=2):
    rng = np.random.default_rng(seed)
    drawn = np.array([rng.choice(len(problem.design), size=rows + 1, replace=False) for _ in range(pairs)])
    return drawn[:, :-2], drawn[:, -2], drawn[:, -1]


def by_scikit_learn(problem, chosen, *, penalty=PENALTY):
    model = Ridge(alpha=len(chosen) * penalty, fit_intercept=False, solver="cholesky")
    return model.fit(problem.design[chosen], problem.target[chosen]).coef_


# --- fits --------------------------------------------------------------------------------------------------------


def test_two_hundred_pairs_are_those_of_scikit_learn():
    problem = random_problem()
    common, one, other = draw_pairs(problem, pairs=200, rows=60)
    first, second = neighbouring_coefficients(problem, common, one, other, penalty=PENALTY)
    for last, found in ((one, first), (other, second)):
        wanted = [by_scikit_learn(problem, np.append(*pair)) for pair in zip(common, last, strict=True)]
        np.testing.assert_allclose(found, wanted, rtol=0, atol=1e-9)
    assert np.abs(first - second).max() > 1e-4  # the two are different fits


def test_batches_change_nothing(monkeypatch):
    problem = random_problem()
    pairs = draw_pairs(problem, pairs=23, rows=40)
    whole = neighbouring_coefficients(problem, *pairs, penalty=PENALTY)
    monkeypatch.setattr(fits, "GATHERED_ROWS", 100)
    parts = neighbouring_coefficients(problem, *pairs, penalty=PENALTY)
    np.testing.assert_allclose(parts, whole, rtol=1e-13, atol=0)


def test_the_lookup_is_bounded_whatever_the_number_of_pairs(monkeypatch):
    problem, seen = random_problem(), []
    kept = fits.cross_products
    monkeypatch.setattr(fits, "cross_products", lambda rows: seen.append(rows.shape[0] * rows.shape[1]) or kept(rows))
    common = np.zeros((5000, 99), dtype=np.int32)
    neighbouring_coefficients(problem, common, common[:, 0], common[:, 1], penalty=PENALTY)
    assert max(seen) <= fits.GATHERED_ROWS < common.size


def test_one_fit_is_scikit_learns_and_minimises_the_objective():
    problem = CENSUS_2000.problem(intercept=True)
    found = ridge(problem, penalty=PENALTY)
    assert problem.names == (*CENSUS_2000.predictors, "intercept")
    np.testing.assert_allclose(found, by_scikit_learn(problem, np.arange(len(problem.design))), rtol=0, atol=1e-9)
    np.testing.assert_array_equal(found, ridge(problem.design, problem.target, penalty=PENALTY))

    def objective(coefficients):
        return np.mean((problem.design @ coefficients - problem.target) ** 2) + PENALTY * coefficients @ coefficients

    for step in 1e-3 * np.vstack((np.eye(4), -np.eye(4))):
        assert objective(found + step) > objective(found)


def test_a_tiny_penalty_costs_no_digits():
    """Two columns that nearly say the same: equations in X'X would lose all digits."""
    x = np.linspace(0.1, 1.0, 20)
    design = np.column_stack((x, x + 1e-6 * x**2))
    wanted = np.array([0.5, -0.25])
    assert ridge(design, design @ wanted, penalty=1e-22) == pytest.approx(wanted, abs=1e-6)


def test_data_sets_of_a_single_row_and_no_pairs():
    problem = random_problem(10, 2)
    none = np.empty((3, 0), dtype=int)
    _, second = neighbouring_coefficients(problem, none, [0, 1, 2], [3, 4, 5], penalty=PENALTY)
    expected = problem.design[3] * problem.target[3] / (1.0 + PENALTY)
    assert second[0] == pytest.approx(expected, rel=1e-12)
    empty = neighbouring_coefficients(problem, np.empty((0, 4), dtype=int), [], [], penalty=PENALTY)
    assert [part.shape for part in empty] == [(0, 2), (0, 2)]


@pytest.mark.parametrize(
    ("common", "one", "other"),
    [
        ([[0, 1]], [2], [10]),
        ([[0, -1]], [2], [3]),
        ([[0.0, 1.0]], [2], [3]),
        ([0, 1], [2], [3]),
        ([[0, 1]], [2, 3], [3, 4]),
        ([[0, 1]], 2, 3),
    ],
)
def test_wrong_row_numbers_are_refused(common, one, other):
    with pytest.raises(ParameterError):
        neighbouring_coefficients(random_problem(10, 2), common, one, other, penalty=PENALTY)


@pytest.mark.parametrize("penalty", [0.0, -1.0, np.nan, np.inf, "1", 1e101])
def test_wrong_penalties_are_refused(penalty):
    problem = random_problem(10, 2)
    with pytest.raises(ParameterError, match="penalty"):
        ridge(problem, penalty=penalty)
    with pytest.raises(ParameterError, match="penalty"):
        neighbouring_coefficients(problem, [[0]], [1], [2], penalty=penalty)


def test_shapes_that_do_not_fit_are_refused():
    problem = random_problem(10, 2)
    with pytest.raises(ParameterError, match="brings its own target"):
        ridge(problem, problem.target, penalty=PENALTY)
    with pytest.raises(ParameterError, match="shape"):
        ridge(problem.design, problem.target[1:], penalty=PENALTY)


# --- problems ----------------------------------------------------------------------------------------------------

PAY = pd.DataFrame(
    {"pay": [-5.0, 500.0, 1500.0], "age": [30, 40, 50], "area": ["north", "south", "north"], "grade": [2, 0, 1]}
)


def problem_of(table=PAY, **changes):
    settings = {"predictors": ["age", "grade"], "target_bounds": (0, 1000)}
    return RidgeProblem.from_table(table, "pay", **{**settings, **changes})


def test_the_target_is_clamped_and_scaled_by_its_public_bounds():
    assert problem_of().target.tolist() == [0.0, 0.5, 1.0]
    assert problem_of(target_bounds=(-10, 1990)).target.tolist() == [0.0025, 0.255, 0.755]
    assert problem_of().unit == 1000


def test_each_row_is_scaled_by_itself():
    found = problem_of()
    assert found.design[0] == pytest.approx(np.array([30, 2]) / np.hypot(30, 2))
    assert found.design[1].tolist() == [1.0, 0.0]
    np.testing.assert_array_equal(problem_of(PAY.iloc[1:]).design, found.design[1:])


def test_the_intercept_is_added_before_the_rows_are_scaled():
    found = problem_of(predictors=["age"], intercept=True)
    assert found.names == ("age", "intercept")
    assert found.design[1] == pytest.approx(np.array([40, 1]) / np.hypot(40, 1))
    assert np.linalg.norm(found.design, axis=1) == pytest.approx(np.ones(3), abs=1e-15)


def test_text_becomes_indicators_or_places_in_the_public_list():
    lists = {"area": ("south", "west", "north")}
    found = problem_of(predictors=["area"], categories=lists)
    assert found.names == ("area = south", "area = west", "area = north")
    assert found.design.tolist() == [[0, 0, 1], [1, 0, 0], [0, 0, 1]]
    coded = problem_of(predictors=["area", "age"], categories=lists, coding="code")
    assert coded.names == ("area", "age")
    assert coded.design[0] == pytest.approx(np.array([2, 30]) / np.hypot(2, 30))


@pytest.mark.parametrize("scale", [1e300, 1e-300])
def test_rows_of_any_size_keep_their_proportions(scale):
    found = problem_of(PAY.assign(age=PAY["age"] * scale, grade=PAY["grade"] * scale))
    np.testing.assert_allclose(found.design, problem_of().design, rtol=1e-14)


@pytest.mark.parametrize(
    ("table", "changes", "message"),
    [
        (PAY.assign(age=[30, None, None]), {}, "'age' has no value in 2 of 3 rows, first in row 2"),
        (PAY.assign(pay=[1, 2, np.nan]), {}, "'pay' has no value in 1 of 3 rows, first in row 3"),
        (PAY.assign(age=[30, 40, np.inf]), {}, "'age' has an infinite value in 1 of 3 rows"),
        (PAY, {"predictors": ["area"]}, "'area' must hold numbers"),
        (
            PAY,
            {"predictors": ["area"], "categories": {"area": ("north",)}},
            "'area' has a value that is not in its list",
        ),
        (
            PAY.assign(area=[None, "north", "north"]),
            {"predictors": ["area"], "categories": {"area": ("north",)}},
            "no value",
        ),
        (PAY, {"predictors": ["height"]}, "exactly one column 'height'"),
        (PAY, {"predictors": ["grade"]}, "1 rows have nothing but zeros .* first row 2"),
        (PAY.iloc[:0], {}, "at least one row"),
    ],
)
def test_tables_that_cannot_be_used(table, changes, message):
    with pytest.raises(DataError, match=message):
        problem_of(table, **changes)


@pytest.mark.parametrize(
    "changes",
    [
        {"predictors": []},
        {"predictors": ["age", "age"]},
        {"predictors": ["age", "pay"]},
        {"target_bounds": (1000, 0)},
        {"target_bounds": (0, np.inf)},
        {"target_bounds": (-1e308, 1e308)},
        {"target_bounds": (0, 1, 2)},
        {"coding": "letters"},
        {"predictors": ["area"], "categories": {"area": ("north", "south", "north")}},
    ],
)
def test_settings_that_cannot_be_used(changes):
    with pytest.raises(ParameterError):
        problem_of(**changes)


def test_a_zero_row_can_be_used_with_an_intercept():
    assert problem_of(predictors=["grade"], intercept=True).design[1].tolist() == [0.0, 1.0]


def test_a_problem_is_checked_however_it_is_made_and_cannot_be_written_to():
    with pytest.raises(DataError, match="length of at most 1"):
        RidgeProblem([[1.0, 0.1]], [0.5], names=("a", "b"))
    with pytest.raises(DataError, match="from 0 to 1"):
        RidgeProblem([[1.0]], [1.5], names=("a",))
    with pytest.raises(DataError, match="from 0 to 1"):
        RidgeProblem([[1.0]], [np.nan], names=("a",))
    with pytest.raises(ParameterError, match="shape"):
        RidgeProblem([[1.0]], [0.5], names=("a", "b"))
    rows = np.ones((2, 1))
    found = RidgeProblem(rows, [0.0, 1.0], names=("a",))
    rows[:] = 0.0
    assert found.design.sum() == 2.0
    for array in (found.design, found.target, found.with_target):
        with pytest.raises(ValueError, match="read-only"):
            array[:] = 0.0


@pytest.mark.parametrize("preset", [CENSUS_2000, HOUSEHOLD_HEADS], ids=lambda preset: preset.name)
def test_presets_load_and_say_what_stands_for_what(preset):
    problem = preset.problem()
    assert problem.names == preset.predictors
    assert problem.target_bounds == preset.target_bounds
    assert np.linalg.norm(problem.design, axis=1) == pytest.approx(np.ones(len(problem.design)), abs=1e-12)
    assert (problem.target < 1.0).mean() > 0.98


def test_only_the_synthetic_preset_has_the_papers_attributes():
    assert set(HOUSEHOLD_HEADS.predictors) == {"age", "gender", "race", "marital_status", "education"}
    assert len(HOUSEHOLD_HEADS.problem().design) == 212_605
    assert "none a person" in HOUSEHOLD_HEADS.stands_for
    assert "stands for" in CENSUS_2000.stands_for
    assert max(len(each.stands_for.split()) for each in (CENSUS_2000, HOUSEHOLD_HEADS)) <= 20
