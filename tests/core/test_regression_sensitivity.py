"""No pair of neighbours moves the coefficients further than the proven bound, however hard one looks; the published one fails."""

from itertools import pairwise

import numpy as np
import pytest
from sklearn.linear_model import Ridge

from par_core.errors import ParameterError
from par_core.published.regression import published_sensitivity
from par_core.regression import coefficient_sensitivity, lone_income_move, ridge

PENALTIES = (1e-4, 1e-3, 0.01, 0.1, 0.25, 1.0, 3.0, 10.0, 1e4, 1e8)


def plain_fit(rows, penalty):
    """Fit data sets (..., rows, k + 1), the target last, by their equations."""
    design, target = rows[..., :-1], rows[..., -1:]
    turned = np.swapaxes(design, -1, -2)
    added = rows.shape[-2] * penalty * np.eye(design.shape[-1])
    return np.linalg.solve(turned @ design + added, turned @ target)[..., 0]


def move(rows, *, penalty):
    """L1 move between the data sets without the last row and without the row before it."""
    first, second = rows[..., :-1, :], np.delete(rows, -2, axis=-2)
    return np.abs(plain_fit(first, penalty) - plain_fit(second, penalty)).sum(axis=-1)


def bounded(numbers, *, rows, k):
    """Any numbers, shape (..., (rows + 1)·(k + 1)), as rows of length at most 1 and targets from 0 to 1."""
    design = numbers[..., : (rows + 1) * k].reshape(*numbers.shape[:-1], rows + 1, k)
    design = design / np.maximum(np.linalg.norm(design, axis=-1, keepdims=True), 1.0)
    return np.concatenate((design, 0.5 - 0.5 * np.cos(numbers[..., (rows + 1) * k :, None])), axis=-1)


def worst_found(*, rows, k, penalty, steps, seed, climbers=300):
    """Climb to neighbours that differ as much as possible: many climbers, each moves wherever a random step leads up."""
    rng = np.random.default_rng(seed)
    at = 2.0 * rng.normal(size=(climbers, (rows + 1) * (k + 1)))
    height = move(bounded(at, rows=rows, k=k), penalty=penalty)
    for _ in range(steps):
        changed = rng.random(at.shape) < rng.uniform(0.1, 1.0, size=(climbers, 1))
        there = at + changed * 10.0 ** rng.uniform(-3, 0.3, size=(climbers, 1)) * rng.normal(size=at.shape)
        found = move(bounded(there, rows=rows, k=k), penalty=penalty)
        up = found > height
        at[up], height[up] = there[up], found[up]
    return height.max()


def test_the_plain_fit_is_the_one_that_is_released():
    rows = bounded(np.random.default_rng(6).normal(size=40), rows=9, k=3)
    assert plain_fit(rows, 0.01) == pytest.approx(ridge(rows[:, :-1], rows[:, -1], penalty=0.01), abs=1e-12)


@pytest.mark.parametrize(
    ("rows", "k", "penalty", "reached"),
    [
        (1, 1, 0.01, 0.999),
        (1, 3, 1.0, 0.999),
        (2, 2, 0.01, 0.98),
        (2, 3, 0.1, 0.94),
        (2, 2, 10.0, 0.94),
        (5, 3, 0.01, 0.75),
        (5, 2, 10.0, 0.92),
    ],
)
def test_climbing_never_passes_the_bound_and_comes_near(rows, k, penalty, reached):
    bound = coefficient_sensitivity(rows, k=k, penalty=penalty)
    worst = worst_found(rows=rows, k=k, penalty=penalty, steps=500, seed=3)
    assert reached * bound < worst <= bound


def worst_built(*, rows, k, penalty):
    """Build the worst case of the proof, on rows of length one.

    All but one row share a direction `u` just enough for the longest coefficients, none has a share in `v`, the
    direction of (1, ..., 1); the rows that are exchanged mirror each other across u and add up along v.
    """
    v = np.full(k, k**-0.5)
    basis, _ = np.linalg.qr(np.column_stack((v, np.eye(k)[:, : k - 1])))
    u, rest = basis[:, 1], basis[:, 2]
    share = min(np.sqrt(penalty * rows / (rows - 1)), 1.0)
    signs = (-1.0) ** np.arange(rows - 1)
    common = np.column_stack((share * u + np.sqrt(1.0 - share**2) * signs[:, None] * rest, np.ones(rows - 1)))
    worst = 0.0
    for angle in np.linspace(np.pi / 4, np.pi / 2, 46):
        pair = [[*(-np.cos(angle) * u + side * np.sin(angle) * v), 1.0] for side in (1.0, -1.0)]
        worst = max(worst, move(np.vstack((common, pair)), penalty=penalty))
    return worst


@pytest.mark.parametrize(
    ("rows", "k", "penalty", "reached"),
    [
        (20_000, 3, 0.01, 0.995),
        (20_000, 5, 0.01, 0.995),
        (1000, 5, 0.1, 0.98),
        (1000, 3, 0.01, 0.92),
        (1000, 3, 1, 0.91),
    ],
)
def test_the_bound_is_nearly_reached_with_many_rows(rows, k, penalty, reached):
    bound = coefficient_sensitivity(rows, k=k, penalty=penalty)
    assert reached * bound < worst_built(rows=rows, k=k, penalty=penalty) <= bound


def test_no_random_neighbours_pass_the_bound():
    rng = np.random.default_rng(4)
    for _ in range(1500):
        rows, k, penalty = int(rng.integers(1, 9)), int(rng.integers(1, 5)), 10.0 ** rng.uniform(-4, 2)
        drawn = rng.normal(size=(rows + 1) * (k + 1)) * rng.choice([0.1, 1.0, 5.0])
        assert move(bounded(drawn, rows=rows, k=k), penalty=penalty) <= coefficient_sensitivity(
            rows, k=k, penalty=penalty
        )


@pytest.mark.parametrize("penalty", PENALTIES)
def test_more_rows_and_fewer_columns_make_it_smaller(penalty):
    bounds = [coefficient_sensitivity(rows, k=3, penalty=penalty) for rows in (1, 2, 10, 100, 1000, 10**6, 10**12)]
    assert all(later <= earlier * (1 + 1e-14) for earlier, later in pairwise(bounds))
    assert bounds[-1] < bounds[0]
    assert coefficient_sensitivity(50, k=12, penalty=penalty) == pytest.approx(
        2 * coefficient_sensitivity(50, k=3, penalty=penalty), rel=1e-14
    )


def test_known_values():
    """16,000 rows and a penalty of 0.01: √5·(5 + √2 + 1/20)/160."""
    assert coefficient_sensitivity(16_000, k=5, penalty=0.01) == pytest.approx(0.0903401309, abs=1e-9)
    assert coefficient_sensitivity(1, k=1, penalty=0.01) == pytest.approx(10.0, rel=1e-10)
    assert coefficient_sensitivity(1, k=1, penalty=3.0) == pytest.approx(0.5, rel=1e-10)


@pytest.mark.parametrize("rows", [1, 2, 1000, 10**12])
@pytest.mark.parametrize("penalty", [5e-324, 1e-300, 1e-30, 1e30, 1e100])
def test_extremes_stay_finite_and_above_zero(rows, penalty):
    assert 0.0 < coefficient_sensitivity(rows, k=100_000, penalty=penalty) < np.inf
    assert published_sensitivity(rows, penalty=penalty) > 0.0


@pytest.mark.parametrize(
    "wrong",
    [
        {"rows": 0},
        {"rows": 1.5},
        {"rows": np.inf},
        {"k": 0},
        {"k": "5"},
        {"penalty": 0.0},
        {"penalty": np.nan},
        {"penalty": 1e200},
    ],
)
def test_values_out_of_range_are_refused(wrong):
    settings = {"rows": 100, "k": 5, "penalty": 0.01} | wrong
    for formula in (coefficient_sensitivity, published_sensitivity):
        with pytest.raises(ParameterError, match=next(iter(wrong))):
            formula(settings["rows"], k=settings["k"], penalty=settings["penalty"])
    with pytest.raises(ParameterError, match="penalty"):
        lone_income_move(-1.0)


# --- the published formula ---------------------------------------------------------------------------------------


def test_the_published_value_of_the_script():
    assert published_sensitivity(16_000, penalty=0.01) == 0.34375  # 80 % of 20,000 rows; 0.344 in print


@pytest.mark.parametrize("penalty", PENALTIES)
@pytest.mark.parametrize("rows", [1, 10, 1000, 10**6])
def test_the_published_formula_holds_for_a_penalty_that_grows_with_the_rows(rows, penalty):
    for k in (4, 5, 20) if penalty > 0.25 else (1, 2, 3, 4, 5, 20):
        published = published_sensitivity(rows, k=k, penalty=penalty)
        assert published >= coefficient_sensitivity(rows, k=k, penalty=penalty)


def test_with_few_coefficients_and_a_large_penalty_it_is_too_small():
    rows = np.array([[0.5**0.5, 0.5**0.5, 1.0]] * 10 + [[-(0.5**0.5), -(0.5**0.5), 1.0]])
    assert move(rows, penalty=1e4) > 1.3 * published_sensitivity(10, k=2, penalty=1e4)
    assert move(rows, penalty=1e4) <= coefficient_sensitivity(10, k=2, penalty=1e4)


def test_the_script_fits_another_objective_where_one_income_moves_more():
    """16,000 rows of length one, the last alone in its column: its income alone is changed, from 0 to 1.

    scikit-learn's penalty does not grow with the rows. 0.990 against the 0.344 that the noise was scaled by.
    """
    rng = np.random.default_rng(5)
    design = np.zeros((16_000, 5))
    design[:-1, :4] = np.abs(rng.normal(size=(15_999, 4)))
    design[-1, 4] = 1.0
    design /= np.linalg.norm(design, axis=1, keepdims=True)
    income = rng.random(16_000)

    def worst_move(alpha):
        fits = [
            Ridge(alpha=alpha, fit_intercept=False, solver="cholesky").fit(design, np.append(income[:-1], last)).coef_
            for last in np.linspace(0.0, 1.0, 5)
        ]
        return max(np.abs(one - other).sum() for one in fits for other in fits)

    assert worst_move(0.01) == pytest.approx(lone_income_move(0.01), abs=1e-9)
    assert round(worst_move(0.01), 3) == 0.990
    assert worst_move(0.01) > 2.8 * published_sensitivity(16_000, penalty=0.01)
    assert worst_move(16_000 * 0.01) < 0.1 * coefficient_sensitivity(16_000, k=5, penalty=0.01)
