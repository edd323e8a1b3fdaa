"""Populations: pairs are drawn evenly, laws are fitted as scipy fits them, and an ill fit is called one.

Each statistical test here fails once in a million runs by chance; the seeds are fixed.
"""

import dataclasses
from collections import Counter

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from par_core.errors import DataError, ParameterError
from par_core.sampling import FittedPopulation, Law, fit_column, fit_population
from par_core.sampling.population import FittedSource, TableSource, source_of

FALSE_ALARM = 1e-6


def generator(seed=1):
    return np.random.default_rng(seed)


def even(counts, cells):
    """Whether counts may come from a law that gives all cells the same probability."""
    expected = sum(counts) / cells
    squares = sum((count - expected) ** 2 for count in counts) + (cells - len(counts)) * expected**2
    return squares / expected < stats.chi2.isf(FALSE_ALARM, cells - 1)


# --- pairs out of a table ---------------------------------------------------------------------------------------


def drawn(size, rows, pairs, *, seed=1):
    return TableSource(np.zeros(size), rows=rows, pairs=pairs, rng=generator(seed)).take(pairs, common=True)[1]


@pytest.mark.parametrize(
    ("size", "rows", "outcomes"), [(5, 3, 120), (4, 3, 24), (3, 2, 6), (3, 1, 6), (2, 1, 2), (5, 2, 60)]
)
def test_every_choice_of_rows_in_every_order_is_as_likely(size, rows, outcomes):
    pairs = drawn(size, rows, 200 * outcomes)
    counts = Counter(map(tuple, np.column_stack([pairs.common, pairs.one, pairs.other]).tolist()))
    assert all(len(set(rows)) == len(rows) for rows in counts)
    assert even(list(counts.values()), outcomes)


@pytest.mark.parametrize("rows", [40, 900])  # a few of a large table, and many of it, are drawn in different ways
def test_every_row_of_a_large_table_is_as_likely(rows):
    size = 12_000
    pairs = drawn(size, rows, 100_000 // rows)
    everything = np.column_stack([pairs.common, pairs.one, pairs.other])
    assert all(len(set(line)) == rows + 1 for line in everything.tolist())
    assert even(np.bincount(pairs.common.ravel() // 100, minlength=120).tolist(), 120)
    assert even(np.bincount(pairs.common[:, 0] // 2000, minlength=6).tolist(), 6)


def test_a_pair_may_take_the_whole_table():
    pairs = drawn(50, 49, 20)
    everything = np.column_stack([pairs.common, pairs.one, pairs.other])
    assert (np.sort(everything, axis=1) == np.arange(50)).all()


def test_the_same_pairs_whatever_the_size_of_a_batch():
    at_once = drawn(100, 7, 30)
    source = TableSource(np.zeros(100), rows=7, pairs=30, rng=generator())
    parts = [source.take(count, common=True)[1] for count in (1, 9, 20)]
    for name in ("one", "other", "common"):
        assert np.concatenate([getattr(part, name) for part in parts]).tolist() == getattr(at_once, name).tolist()


def test_the_same_two_rows_whether_the_common_ones_are_drawn_or_not():
    source = TableSource(np.zeros(100), rows=7, pairs=30, rng=generator())
    without = source.take(30, common=False)[1]
    assert without.common is None
    assert without.one.tolist() == drawn(100, 7, 30).one.tolist()


@pytest.mark.parametrize("rows", [3, 4, 1000])
def test_a_table_that_is_too_small_is_refused(rows):
    with pytest.raises(DataError, match=f"the table has 3 rows: .* needs {rows + 1:,} different ones"):
        source_of(pd.DataFrame({"x": [1, 2, 3]}), used=("x",), rows=rows, pairs=5, rng=generator())


def test_missing_values_are_counted_in_the_columns_that_are_used():
    table = pd.DataFrame({"x": [1, None, 3, None], "y": ["a", "b", None, "d"], "z": [1, 2, 3, 4]})
    with pytest.raises(DataError, match=r"missing values: 2 in column 'x', 1 in column 'y'; leave those rows out"):
        source_of(table, used=None, rows=1, pairs=5, rng=generator())
    assert source_of(table, used=("z",), rows=1, pairs=5, rng=generator()).table is table
    with pytest.raises(DataError, match="missing values: 1 in column 1; leave"):
        source_of(np.array([1.0, np.nan, 2.0]), used=None, rows=1, pairs=5, rng=generator())
    with pytest.raises(DataError, match="missing values: 1 in column 2; leave"):
        source_of(np.array([[1.0, np.nan], [2.0, 3.0]]), used=None, rows=1, pairs=5, rng=generator())


@pytest.mark.parametrize("population", [[1, 2, 3], np.zeros((2, 2, 2)), np.float64(3), None, "table"])
def test_another_kind_of_population_is_refused(population):
    with pytest.raises(ParameterError, match="^population must be a DataFrame"):
        source_of(population, used=None, rows=1, pairs=5, rng=generator())


# --- laws -------------------------------------------------------------------------------------------------------

DRAWS = {
    Law.NORMAL: generator(11).normal(-3.0, 2.0, 4000),
    Law.LOG_NORMAL: generator(12).lognormal(1.0, 0.8, 4000),
    Law.GAMMA: generator(13).gamma(2.5, 40.0, 4000),
    Law.UNIFORM: generator(14).uniform(-1.0, 6.0, 4000),
    Law.CATEGORICAL: generator(15).choice([1, 2, 7], 4000, p=[0.7, 0.2, 0.1]),
}
SCIPY = {Law.NORMAL: stats.norm, Law.LOG_NORMAL: stats.lognorm, Law.GAMMA: stats.gamma, Law.UNIFORM: stats.uniform}


def column(values):
    return pd.DataFrame({"x": values})


@pytest.mark.parametrize("law", Law)
def test_the_likeliest_law_is_the_one_the_values_come_from_and_fits(law):
    fit = fit_column(column(DRAWS[law]), "x")
    assert fit.law is law
    assert fit.fits
    assert fit.verdict.startswith("fits: ")


@pytest.mark.parametrize("law", SCIPY)
def test_a_fit_is_the_one_of_scipy(law):
    values, theirs = DRAWS[law], SCIPY[law]
    fixed = {"floc": 0} if law in (Law.LOG_NORMAL, Law.GAMMA) else {}
    found = theirs(*theirs.fit(values, **fixed))
    fit = fit_column(column(values), "x", law=law)
    points = np.quantile(values, [0.001, 0.2, 0.5, 0.9, 0.999])
    assert fit.cdf(points) == pytest.approx(found.cdf(points), abs=1e-6)
    assert fit.log_likelihood == pytest.approx(found.logpdf(values).sum(), abs=1e-4)
    assert fit.log_likelihood >= found.logpdf(values).sum() - 1e-8 * abs(fit.log_likelihood)
    assert fit.aic == pytest.approx(4 - 2 * fit.log_likelihood)
    assert fit.distance == pytest.approx(stats.kstest(values, found.cdf).statistic, abs=1e-6)
    assert fit.chance == pytest.approx(stats.kstwobign.isf(0.05) / np.sqrt(4000), rel=1e-4)


@pytest.mark.parametrize("shape", [0.05, 0.5, 30.0, 1e6])
def test_gamma_laws_of_any_shape_are_fitted(shape):
    values = generator().gamma(shape, 3.0, 2000)
    found, _, scale = stats.gamma.fit(values, floc=0)
    parameters = dict(fit_column(column(values), "x", law="gamma").parameters)
    assert parameters == pytest.approx({"shape": found, "scale": scale}, rel=1e-6)


@pytest.mark.parametrize("law", SCIPY)
def test_draws_follow_the_law(law):
    fit = fit_column(column(DRAWS[law]), "x", law=law)
    assert stats.kstest(fit.draw(20_000, rng=generator()), fit.cdf).pvalue > FALSE_ALARM


def test_draws_of_categories_follow_their_shares():
    fit = fit_column(column(DRAWS[Law.CATEGORICAL]), "x")
    counts = Counter(fit.draw(20_000, rng=generator()).tolist())
    found, expected = [counts[each] for each in fit.categories], np.array(fit.shares) * 20_000
    assert fit.categories == (1, 2, 7)
    assert stats.chisquare(found, expected).pvalue > FALSE_ALARM
    assert fit.cdf([0.9, 1, 6.9, 7]) == pytest.approx([0.0, fit.shares[0], sum(fit.shares[:2]), 1.0])


def test_text_and_truth_values_are_categorical():
    table = pd.DataFrame({"t": list("abca"), "b": [True, False, True, True], "c": pd.Categorical(list("xxyx"))})
    population = fit_population(table)
    assert [fit.law for fit in population.columns] == [Law.CATEGORICAL] * 3
    assert [fit.categories for fit in population.columns] == [("a", "b", "c"), (False, True), ("x", "y")]
    rows = population.draw(500, rng=generator())
    assert set(rows["t"]) == set("abc")
    assert rows["b"].dtype == bool
    assert 0.5 < rows["b"].mean() < 0.95
    with pytest.raises(ParameterError, match="^law must be categorical for column 't'"):
        fit_column(table, "t", law="normal")
    with pytest.raises(ParameterError, match="categories without an order"):
        population.columns[0].cdf(1.0)


def test_a_column_of_one_value_is_categorical_and_always_drawn():
    fit = fit_column(column([3.5] * 20), "x")
    assert (fit.law, fit.categories, fit.shares, fit.log_likelihood, fit.distance) == (
        Law.CATEGORICAL,
        (3.5,),
        (1.0,),
        0.0,
        0.0,
    )
    assert set(fit.draw(10, rng=generator()).tolist()) == {3.5}
    for law in SCIPY:
        with pytest.raises(ParameterError, match=f"^law cannot be {law} .* all its values are one and the same"):
            fit_column(column([3.5] * 20), "x", law=law)
    assert fit_column(column([3.5]), "x").law is Law.CATEGORICAL


@pytest.mark.parametrize("lowest", [0.0, -1.0])
def test_values_at_or_below_0_leave_out_two_laws(lowest):
    values = np.append(DRAWS[Law.GAMMA], lowest)
    assert fit_column(column(values), "x").law in (Law.NORMAL, Law.UNIFORM)
    for law in ("log-normal", "gamma"):
        with pytest.raises(ParameterError, match=f"^law cannot be {law} for column 'x': it has values at or below 0"):
            fit_column(column(values), "x", law=law)


@pytest.mark.parametrize("scale", [1e-90, 1.0, 1e90])
def test_the_unit_changes_neither_law_nor_distance(scale):
    plain, scaled = (fit_column(column(DRAWS[Law.GAMMA] * by), "x") for by in (1.0, scale))
    assert scaled.law is plain.law
    assert scaled.distance == pytest.approx(plain.distance, abs=1e-9)


def test_values_that_hardly_differ_are_fitted_without_a_fuss():
    for spread in (1e-3, 1e-6, 1e-9, 1e-13):
        fit = fit_column(column(1.0 + spread * generator().random(100)), "x")
        assert 0 <= fit.distance <= 1


def test_an_ill_fit_is_called_one():
    tails = fit_column(column(generator().standard_t(2, 4000)), "x", law="normal")
    assert not tails.fits
    assert tails.verdict.startswith(
        "does not fit: its tails differ (too light below: a value like the smallest is hardly"
    )
    body = np.concatenate([generator(1).normal(-2, 1, 2000), generator(2).normal(2, 1, 2000)])
    middle = fit_column(column(np.clip(body, -4.5, 4.5)), "x", law="normal")
    assert not middle.fits
    assert "does not fit: " in middle.verdict
    assert FittedPopulation((tails, middle)).ill_fitting == ("x", "x")


def test_each_tail_is_looked_at():
    """An exponential distribution taken for a normal one, a uniform one for a normal one, and two exponential ones for a uniform."""
    lopsided = fit_column(column(generator().exponential(1.0, 5000)), "x", law="normal")
    assert lopsided.lower_tail == 0.0
    assert lopsided.upper_tail > 0.02
    assert lopsided.lower_beyond == pytest.approx(
        5000 * stats.norm.cdf(-1), rel=0.1
    )  # a whole standard deviation below 0
    assert lopsided.upper_beyond < 1e-3
    assert "too heavy below: 7" in lopsided.verdict
    assert "too light above: a value like the largest is hardly ever drawn" in lopsided.verdict
    assert "too heavy above" in fit_column(column(DRAWS[Law.UNIFORM]), "x", law="normal").verdict
    pointed = fit_column(column(generator().laplace(size=5000)), "x", law="uniform")
    assert "too heavy below: its lowest 1 % holds 0." in pointed.verdict
    middling = fit_column(column(np.append(generator().exponential(1.0, 400), 12.0)), "x", law="uniform")
    assert "too light below: its lowest 1 % holds " in middling.verdict


@pytest.mark.parametrize("law", [Law.NORMAL, Law.LOG_NORMAL, Law.GAMMA, Law.UNIFORM])
@pytest.mark.parametrize("rows", [20, 200, 5000])
def test_a_true_law_is_called_a_fit(law, rows):
    """Chance calls it ill in at most 6 of 100 samples: in fewer than 16 of 60, but for one run in a million."""
    draws = {
        Law.NORMAL: lambda rng: rng.normal(5, 1, rows),
        Law.LOG_NORMAL: lambda rng: rng.lognormal(2, 1, rows),
        Law.GAMMA: lambda rng: rng.gamma(3, 2, rows),
        Law.UNIFORM: lambda rng: rng.uniform(1, 2, rows),
    }[law]
    ill = sum(not fit_column(column(draws(generator(seed))), "x", law=law).fits for seed in range(60))
    assert ill < 16


def test_what_cannot_be_fitted_is_named():
    for values, message in (
        ([1.0, None, None], "missing values: 2 in column 'x'"),
        ([], "the table has no rows"),
        ([1.0, 1e200], "row 2 below the heading, column 'x': a number beyond"),
        ([1, "a"], "row 1 below the heading, column 'x': a number where text is expected"),
        ([f"{each}" for each in range(10_001)], "column 'x' has 10,001 different values"),
    ):
        with pytest.raises(DataError, match=message):
            fit_column(column(values), "x")
    with pytest.raises(ParameterError, match="^law must be normal, log-normal"):
        fit_column(column([1.0, 2.0]), "x", law="cauchy")
    with pytest.raises(ParameterError, match="^laws must name columns of the table, got 'y'"):
        fit_population(column([1.0, 2.0]), laws={"y": "normal"})
    with pytest.raises(DataError, match="no columns"):
        fit_population(pd.DataFrame(index=range(3)))


# --- pairs out of a fitted population ---------------------------------------------------------------------------


def fitted():
    table = pd.DataFrame(
        {"x": DRAWS[Law.GAMMA][:500], "t": generator().choice(list("ab"), 500), "n": DRAWS[Law.NORMAL][:500]}
    )
    return fit_population(table, laws={"x": "gamma", "n": "normal"})


def drawn_rows(source, *counts):
    """Every row of each pair, common ones first."""
    found = []
    for count in counts:
        table, pairs = source.take(count, common=True)
        numbers = np.column_stack([pairs.common, pairs.one, pairs.other])
        found.extend(table.iloc[line].to_numpy().tolist() for line in numbers)
    return found


def test_the_same_rows_however_many_pairs_are_drawn_at_a_time():
    at_once, in_parts = (FittedSource(fitted(), used=None, rows=4, rng=generator()) for _ in range(2))
    assert drawn_rows(at_once, 30) == drawn_rows(in_parts, 1, 9, 20)


def test_a_column_is_drawn_alike_whichever_others_are_used():
    everything, one = (FittedSource(fitted(), used=used, rows=4, rng=generator()) for used in (None, ("n",)))
    assert everything.take(5, common=True)[0]["n"].tolist() == one.take(5, common=True)[0]["n"].tolist()


def test_no_row_of_a_fitted_population_is_drawn_twice():
    rows = drawn_rows(FittedSource(fitted(), used=("x",), rows=4, rng=generator()), 30, 30)
    assert len({value for pair in rows for (value,) in pair}) == 60 * 5


def test_fitted_columns_lose_their_relation_and_say_so():
    x = generator().normal(size=3000)
    population = fit_population(pd.DataFrame({"x": x, "y": x + 0.1 * generator(2).normal(size=3000)}))
    rows = population.draw(3000, rng=generator(3))
    assert abs(np.corrcoef(rows["x"], rows["y"])[0, 1]) < 0.1  # 5.5 standard deviations: one false alarm in 2e7
    assert "relations between them" in population.limits


def test_a_population_without_the_column_is_refused():
    with pytest.raises(DataError, match="the population has no column named 'z'"):
        source_of(fitted(), used=("z",), rows=4, pairs=3, rng=generator())


def test_results_are_frozen():
    with pytest.raises(dataclasses.FrozenInstanceError):
        fitted().columns = ()
