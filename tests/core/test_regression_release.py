"""The private release has the noise that it says, and the errors shown for it are those of its predictions."""

import dataclasses

import numpy as np
import pytest
from scipy import stats

from par_core.errors import DataError, ParameterError
from par_core.evidence import ESTIMATE, PROVEN
from par_core.published.regression import published_sensitivity
from par_core.regression import (
    CENSUS_2000,
    PENALTY,
    RidgeProblem,
    coefficient_sensitivity,
    release,
    ridge,
    utility,
)

EPSILONS = np.linspace(0.1, 0.99, 50)


@pytest.fixture(scope="module")
def census():
    return CENSUS_2000.problem(intercept=True)


@pytest.fixture(scope="module")
def small():
    rng = np.random.default_rng(11)
    design = np.abs(rng.normal(size=(500, 3)))
    design /= np.linalg.norm(design, axis=1, keepdims=True)
    target = np.clip(design @ [0.6, 0.2, 0.1] + 0.1 * rng.normal(size=500), 0.0, 1.0)
    return RidgeProblem(design, target, names=("a", "b", "c"), target_bounds=(100.0, 300.0))


# --- release -----------------------------------------------------------------------------------------------------


def test_a_release_says_how_it_was_made(census):
    found = release(census, 0.5, penalty=PENALTY, rng=np.random.default_rng(1))
    rows = len(census.design)
    assert found.names == ("age", "education", "experience", "intercept")
    assert found.sensitivity == coefficient_sensitivity(rows, k=4, penalty=PENALTY)
    assert found.noise_scale == found.sensitivity / 0.5
    assert (found.rows, found.penalty, found.evidence.basis) == (rows, PENALTY, PROVEN)
    assert "planning only" in found.limits
    assert found.in_unit == pytest.approx(5000.0 * found.coefficients)
    assert (found.coefficients != ridge(census, penalty=PENALTY)).all()  # the intercept's among them


def test_the_same_seed_gives_the_same_release(small):
    one, again, other = (
        release(small, 1.0, penalty=PENALTY, rng=np.random.default_rng(seed)).coefficients for seed in (1, 1, 2)
    )
    np.testing.assert_array_equal(one, again)
    assert (one != other).all()


def test_the_noise_has_the_variance_and_the_law_that_it_says(small):
    """12,000 draws at 0.7. Each of the two checks gives a false alarm for about one seed in 100,000.

    The size of Laplace noise over its scale is exponential, so the sum of sizes is Gamma(draws, 1), exactly. The mean
    square is nearly normal with mean 2 and variance 20/draws.
    """
    rng, exact = np.random.default_rng(12), ridge(small, penalty=PENALTY)
    scale = coefficient_sensitivity(500, k=3, penalty=PENALTY) / 0.7
    noise = np.array([release(small, 0.7, penalty=PENALTY, rng=rng).coefficients - exact for _ in range(4000)]) / scale
    low, high = stats.gamma(noise.size).ppf([5e-6, 1 - 5e-6])
    assert low < np.abs(noise).sum() < high
    assert abs(np.mean(noise**2) - 2.0) < 4.42 * np.sqrt(20.0 / noise.size)
    assert abs(noise.mean()) < 4.42 * np.sqrt(2.0 / noise.size)
    assert np.abs(np.corrcoef(noise.T) - np.eye(3)).max() < 4.42 / np.sqrt(4000)


@pytest.mark.parametrize("epsilon0", [0.0, -1.0, np.nan, np.inf, "1", 1e-305])
def test_levels_out_of_range_are_refused(small, epsilon0):
    with pytest.raises(ParameterError, match="epsilon0"):
        release(small, epsilon0, penalty=PENALTY, rng=np.random.default_rng(1))


def test_a_seed_is_no_generator(small):
    with pytest.raises(ParameterError, match="rng"):
        release(small, 1.0, penalty=PENALTY, rng=1)
    with pytest.raises(ParameterError, match="rng"):
        utility(small, [1.0], penalty=PENALTY, rng=1)


# --- utility -----------------------------------------------------------------------------------------------------


def test_errors_are_those_of_predictions(small):
    """The same draws, with scaled noise added to plain fits and every prediction made."""
    found = utility(small, [0.3, 3.0], penalty=PENALTY, runs=5, rng=np.random.default_rng(13))
    rng = np.random.default_rng(13)
    moves = coefficient_sensitivity(400, k=3, penalty=PENALTY)
    for run in range(5):
        order, noise = rng.permutation(500), rng.laplace(size=3)
        fitted, tested = order[:400], order[400:]
        coefficients = ridge(small.design[fitted], small.target[fitted], penalty=PENALTY)
        errors = [
            np.sqrt(np.mean((small.design[tested] @ (coefficients + extra) - small.target[tested]) ** 2))
            for extra in (moves / 0.3 * noise, moves / 3.0 * noise, 0.0)
        ]
        np.testing.assert_allclose([*found.rmse[run], found.non_private[run]], errors, rtol=1e-10)
        guess = np.sqrt(np.mean((small.target[fitted].mean() - small.target[tested]) ** 2))
        assert found.guess[run] == pytest.approx(guess, rel=1e-10)
    assert (found.rows_fitted, found.rows_tested, found.sensitivity) == (400, 100, moves)


def test_the_noise_adds_what_theory_says(small):
    """On rows of length one, noise of scale b adds 2b² to the mean squared error on average, whatever the rows.

    3,000 runs, 4.42 standard errors: a false alarm for about one seed in 100,000.
    """
    found = utility(small, [0.5], penalty=PENALTY, runs=3000, rng=np.random.default_rng(14))
    added = (found.rmse[:, 0] ** 2 - found.non_private**2) / (found.sensitivity / 0.5) ** 2
    assert abs(added.mean() - 2.0) < 4.42 * added.std(ddof=1) / np.sqrt(3000)


@pytest.mark.parametrize("sensitivity", ["proven", "published"])
def test_the_error_falls_as_epsilon_grows(census, sensitivity):
    found = utility(census, EPSILONS, penalty=PENALTY, rng=np.random.default_rng(15), sensitivity=sensitivity)
    assert found.rmse.shape == (50, 50)
    assert (np.diff(found.mean) < 0.0).all()
    assert (np.diff(found.sd) < 0.0).all()
    assert found.mean[-1] > found.non_private_mean
    assert found.non_private_mean < found.guess_mean


def test_the_noise_adds_to_the_error_no_more_than_its_own_length(small):
    """The triangle inequality on rows of length one; no draw here is 25 times its scale but for one seed in 10^8."""
    levels = np.array([1.0, 1e3, 1e6, 1e9])
    found = utility(small, levels, penalty=PENALTY, rng=np.random.default_rng(16))
    moved = np.abs(found.rmse - found.non_private[:, None])
    assert (moved <= 25.0 * np.sqrt(3.0) * found.sensitivity / levels + 1e-14).all()
    assert (moved[:, 0] > 1e3 * moved[:, -1]).all()


def test_the_published_noise_is_wider_and_says_so(small):
    proven, published = (
        utility(small, [0.5], penalty=PENALTY, rng=np.random.default_rng(17), sensitivity=choice)
        for choice in ("proven", "published")
    )
    assert published.sensitivity == published_sensitivity(400, k=3, penalty=PENALTY) > proven.sensitivity
    assert published.mean[0] > proven.mean[0]
    assert "published script" in published.limits
    assert "published script" not in proven.limits
    assert proven.evidence.basis == published.evidence.basis == ESTIMATE


def test_units(small):
    found = utility(small, [0.5, 1.0], penalty=PENALTY, runs=20, rng=np.random.default_rng(18))
    assert found.unit == 200.0
    assert found.mean_in_unit == pytest.approx(200.0 * found.rmse.mean(axis=0))
    assert found.non_private_mean_in_unit == pytest.approx(200.0 * found.non_private.mean())
    assert found.guess_mean_in_unit == pytest.approx(200.0 * found.guess.mean())
    assert found.runs == 20


def test_the_same_seed_gives_the_same_picture_and_more_epsilons_change_no_run(small):
    one, again = (utility(small, [0.5, 1.0], penalty=PENALTY, rng=np.random.default_rng(19)) for _ in range(2))
    for field in dataclasses.fields(one):
        np.testing.assert_array_equal(getattr(one, field.name), getattr(again, field.name))
    more = utility(small, [1.0, 0.2, 0.5], penalty=PENALTY, rng=np.random.default_rng(19))
    np.testing.assert_allclose(more.rmse[:, [2, 0]], one.rmse, rtol=1e-13)


@pytest.mark.parametrize("sensitivity", ["proven", "published"])
def test_other_levels_follow_from_the_same_runs_without_a_fit(small, sensitivity, monkeypatch):
    settings = {"penalty": PENALTY, "runs": 6, "sensitivity": sensitivity}
    wanted = utility(small, [0.07, 0.5, 40.0], rng=np.random.default_rng(21), **settings)
    once = utility(small, [1.0], rng=np.random.default_rng(21), **settings)
    monkeypatch.setattr("par_core.regression.accuracy.solve", None)
    found = once.at([0.07, 0.5, 40.0])
    for field in dataclasses.fields(wanted):
        np.testing.assert_array_equal(getattr(found, field.name), getattr(wanted, field.name))
    assert once.epsilons.tolist() == [1.0]
    for wrong in ([0.0], [], [np.nan], 0.5):
        with pytest.raises(ParameterError, match="epsilons"):
            once.at(wrong)


def test_noise_below_the_proven_sensitivity_is_not_enough(small):
    """One column and a large penalty: the published formula gives less than half of what is proven."""
    one = RidgeProblem(small.design[:, :1] / small.design[:, :1], small.target, names=("a",))
    for problem, penalty, enough in ((small, PENALTY, True), (one, 100.0, False)):
        settings = {"penalty": penalty, "runs": 2}
        published = utility(problem, [1.0], rng=np.random.default_rng(1), sensitivity="published", **settings)
        proven = utility(problem, [1.0], rng=np.random.default_rng(1), **settings)
        k = problem.design.shape[1]
        assert published.proven_sensitivity == proven.sensitivity == coefficient_sensitivity(400, k=k, penalty=penalty)
        assert (published.sensitivity, published.is_enough) == (
            published_sensitivity(400, k=k, penalty=penalty),
            enough,
        )
        assert proven.is_enough


def test_progress_is_told_after_some_rows(small, monkeypatch):
    monkeypatch.setattr("par_core.regression.accuracy._ROWS_OF_A_STEP", 1000)
    told = []
    utility(small, [0.5], penalty=PENALTY, runs=5, rng=np.random.default_rng(20), progress=told.append)
    assert told == [0.4, 0.8, 1.0]


@pytest.mark.parametrize(
    "wrong",
    [
        {"epsilons": [0.0]},
        {"epsilons": []},
        {"epsilons": 0.5},
        {"epsilons": [np.nan]},
        {"penalty": 0.0},
        {"penalty": 1e-10},
        {"runs": 1},
        {"runs": 2.5},
        {"sensitivity": "sampled"},
    ],
)
def test_wrong_settings_are_refused(small, wrong):
    settings = {"epsilons": [0.5], "penalty": PENALTY, "runs": 3} | wrong
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        utility(small, settings.pop("epsilons"), rng=np.random.default_rng(1), **settings)


def test_one_row_cannot_be_split_and_two_can():
    with pytest.raises(DataError, match="one row"):
        utility(RidgeProblem([[1.0]], [0.5], names=("a",)), [1.0], penalty=PENALTY, rng=np.random.default_rng(1))
    two = utility(RidgeProblem([[1.0]] * 2, [0.5, 0.6], names=("a",)), [1.0], penalty=1.0, rng=np.random.default_rng(1))
    assert (two.rows_fitted, two.rows_tested) == (1, 1)
    assert np.isfinite(two.rmse).all()
