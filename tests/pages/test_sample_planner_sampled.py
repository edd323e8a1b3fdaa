"""The Sample planner's sampled sensitivity: every query gives the sample that the core draws, and its words are true."""

import csv
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from par_core.datasets import census2000, household_heads
from par_core.queries import Condition
from par_core.rounding import brief
from par_core.sampling import CountOf, HistogramOf, MeanOf, QuantileOf, RidgeOf, SumOf, VarianceOf, fit_population
from tests.pages.sampled_view import SMALL, assert_shows, drawn, errors, headline, infos, last_link, marked, select

CENSUS = census2000()


@pytest.fixture
def page(open_page):
    """Open the section with settings; jobs run to their end at once."""
    return lambda **settings: open_page("sample_planner", **{"tab": "sampled", **SMALL, **settings})


# --- what it opens on -------------------------------------------------------------------------------------------------


def test_it_opens_on_the_regression_of_the_census(page):
    view = page(sp=1000, spairs=15_000)
    query = RidgeOf("weekly_income", ("age", "education", "experience"), (0, 5000), 0.01, coding="code")
    sample = drawn(query, CENSUS.table, rows=1000, pairs=15_000)
    assert_shows(view, sample)
    assert "tables of 1,000 rows, but never a bound: rare pairs can move it further. (Estimate)" in view.words
    assert "the sum of the changes of all coefficients, for a target from 0 to 1" in view.words
    assert "drawn independently from the same 29,501 rows: it holds for the pairs of this table" in view.words
    assert "not for other people" in view.words
    assert "covers 90 % of all pairs that could be drawn from this table with a probability of" in view.words
    assert "Take this number for the noise" in view.words
    assert "A sensitivity sampled from private data is private itself" in view.words
    assert "number 13,548 of 15,000" in view.words
    assert f"No pair exceeds {sample.worst_case:.3g}".rstrip("0") in view.words
    theorem = sample.for_confidence(0.9, 0.01)
    assert re.search(r"Theorem 5 takes [\d.]+ for an empirical confidence of 90 %", view.words)
    assert theorem.value <= float(re.search(r"Theorem 5 takes ([\d.]+)", view.words)[1]) < theorem.value * 1.01


CENSUS_QUERIES = {
    "ridge": RidgeOf("weekly_income", ("age", "education", "experience"), (0, 5000), 0.01, coding="code"),
    "mean": MeanOf("weekly_income", (0, 5000)),
    "median": QuantileOf("weekly_income", (0, 5000), 0.5),
    "quantile": QuantileOf("weekly_income", (0, 5000), 0.9),
    "variance": VarianceOf("weekly_income", (0, 5000)),
    "sum": SumOf("weekly_income", (0, 5000)),
    "count": CountOf(Condition("age", ">=", 50)),
    "histogram": HistogramOf("education", tuple(CENSUS.categories["education"])),
}


@pytest.mark.parametrize("ask", CENSUS_QUERIES)
def test_every_query_on_the_census_is_the_sample_of_the_core(page, ask):
    assert_shows(page(sask=ask), drawn(CENSUS_QUERIES[ask], CENSUS.table))


HEADS = household_heads()
HEADS_QUERIES = {
    "mean": (MeanOf("income", HEADS.bounds["income"]), {"sof": "income"}),
    "median": (QuantileOf("income", HEADS.bounds["income"], 0.5), {"sof": "income"}),
    "quantile": (QuantileOf("age", HEADS.bounds["age"], 0.2), {"sof": "age", "sq": 0.2}),
    "variance": (VarianceOf("income", HEADS.bounds["income"]), {"sof": "income"}),
    "sum": (SumOf("income", HEADS.bounds["income"]), {"sof": "income"}),
    "count": (CountOf(Condition("gender", "==", "female")), {"swhere": "gender", "scmp": "==", "sval": "female"}),
    "histogram": (HistogramOf("race", tuple(HEADS.categories["race"])), {"sby": "race"}),
}


@pytest.mark.parametrize("ask", HEADS_QUERIES)
def test_every_query_on_the_household_heads_is_the_sample_of_the_core(page, ask):
    query, settings = HEADS_QUERIES[ask]
    if "sof" in settings:
        settings = {**settings, "slo": query.bounds[0], "shi": query.bounds[1]}
    assert_shows(page(stable="household_heads", sask=ask, **settings), drawn(query, HEADS.table))


def test_the_regression_follows_the_table_to_its_preset(page):
    view = page()
    view.app.radio(key="stable").set_value("household_heads")
    view.run()
    assert view.app.selectbox(key="sy").value == "income"
    assert (view.number("sylo").value, view.number("syhi").value) == HEADS.bounds["income"]
    assert view.app.multiselect(key="sx").value == ["age", "gender", "race", "marital_status", "education"]
    lists = tuple((name, tuple(HEADS.categories[name])) for name in ("gender", "race", "marital_status"))
    query = RidgeOf(
        "income",
        ("age", "gender", "race", "marital_status", "education"),
        HEADS.bounds["income"],
        0.01,
        categories=lists,
        coding="code",
    )
    assert_shows(view, drawn(query, HEADS.table))
    view.app.radio(key="stable").set_value("census2000")
    view.run()
    assert view.app.selectbox(key="sy").value == "weekly_income"
    assert view.app.multiselect(key="sx").value == ["age", "education", "experience"]


def test_the_bounds_of_a_mean_follow_the_table(page):
    """Bounds of weekly income do not hold for another column."""
    view = page(sask="mean")
    view.app.radio(key="stable").set_value("household_heads")
    view.run()
    column = view.app.selectbox(key="sof").value
    assert (view.number("slo").value, view.number("shi").value) == HEADS.bounds[column]


def test_a_list_of_the_readers_own_replaces_the_public_one(page):
    view = page(sask="histogram", slist="9\n16")
    assert_shows(view, drawn(HistogramOf("education", (9, 16)), CENSUS.table))
    view = page(sask="histogram", sby="puma")
    assert "there is no public list of the values of puma: type one" in errors(view)[0].lower()


# --- seeds, shares, sizes ---------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_chart_and_another_one_another(page):
    first, again, other = page(sask="mean"), page(sask="mean"), page(sask="mean", sseed=2)
    assert first.chart.figure == again.chart.figure
    assert first.words == again.words
    assert first.chart.figure != other.chart.figure
    assert_shows(other, drawn(CENSUS_QUERIES["mean"], CENSUS.table, seed=2))


@pytest.mark.parametrize(("share", "sure"), [(0.5, 0.5), (0.001, 0.5), (0.95, 0.99), (0.8951, 0.6)])
def test_the_marked_value_covers_the_share_as_surely_as_asked(page, share, sure):
    sample = drawn(CENSUS_QUERIES["mean"], CENSUS.table)
    view = page(sask="mean", sshare=share, ssure=sure)
    assert_shows(view, sample, share, sure)
    chosen = sample.for_share(share, sure)
    assert f"number {chosen.rank} of 120" in view.words
    assert chosen.certainty >= sure


def test_too_few_pairs_are_said_and_the_largest_is_marked(page):
    view = page(sask="mean", sshare=0.999999, spairs=10)
    sample = drawn(CENSUS_QUERIES["mean"], CENSUS.table, pairs=10)
    (warning,) = view.warnings
    assert "Too few pairs for this" in warning
    assert "even the largest of 10" in warning
    assert "less than 0.1 %" in warning
    assert marked(view) == (sample.values[-1], 1.0)
    assert "in the 10 sampled pairs" in headline(view)
    assert "For tables of 30 rows, but never a bound" in view.words
    assert "is out of reach" in view.words, "nor by Theorem 5"


@pytest.mark.parametrize("ask", CENSUS_QUERIES)
def test_tables_of_one_row_and_ten_pairs(page, ask):
    view = page(sask=ask, sp=1, spairs=10, sshare=0.5, ssure=0.5)
    assert_shows(view, drawn(CENSUS_QUERIES[ask], CENSUS.table, rows=1, pairs=10), 0.5, 0.5)
    assert "tables of 1 row, but never a bound" in view.words


@pytest.mark.parametrize("at", [0, 1])
def test_the_quantiles_at_both_ends(page, at):
    query = QuantileOf("weekly_income", (0, 5000), at)
    assert_shows(page(sask="quantile", sq=at), drawn(query, CENSUS.table))


@pytest.mark.parametrize("axis", ["plain", "log"])
def test_where_nothing_moves_the_answer_is_0(page, axis):
    view = page(sask="count", swhere="age", scmp=">=", sval="1000", sax=axis)
    assert headline(view) == "One person moves the count of rows by a condition on age by at most 0 in 90 % of pairs"
    assert "With 92.1 % certainty for tables of 30 rows" in view.words
    assert marked(view)[0] == 0
    assert not [each for each in view.app.button if each.label.startswith("See what the sampled")]


def test_the_axis_can_be_logarithmic(page):
    assert page(sask="mean", sax="log").chart.figure["layout"]["xaxis"]["type"] == "log"


def test_too_few_rows_are_answered_with_a_button(page):
    view = page(sask="mean", sp=29_501)
    (info,) = infos(view)
    assert "needs 29,502 different rows; the table has 29,501" in info
    assert not view.charts
    view.press("Take 14,750 rows per data set")
    assert view.number("sp").value == 14_750
    assert view.charts


def test_all_rows_but_one_can_be_taken(page):
    assert_shows(page(sask="mean", sp=29_500), drawn(CENSUS_QUERIES["mean"], CENSUS.table, rows=29_500))


def test_the_ratio_is_carried_on_to_both_sources(page):
    view = page(sask="mean")
    value = marked(view)[0]
    view.press("See what the sampled one would cost")
    assert view.open_section == "Both sources · fig. 3"
    assert (view.number("bmax").value, view.number("bds").value) == (pytest.approx(5000 / 30), pytest.approx(value))
    assert f"η = {brief(5000 / 30 / value, toward='up')}" in view.words
    rank = drawn(CENSUS_QUERIES["mean"], CENSUS.table).for_share(0.9, 0.9).rank
    assert (view.number("bn").value, view.number("bc2").value) == (120, rank / 120)
    assert view.number("bkk").value == 1


def test_the_number_of_coefficients_is_carried_on_too(page):
    view = page(bby="samples").press("See what the sampled one would cost")
    assert view.number("bkk").value == 3
    assert view.number("bn").value == 120, "and the pairs are those of the first curve"


@pytest.mark.parametrize(
    ("settings", "unit"),
    [
        ({"sask": "mean"}, "US dollars a week"),
        ({"sask": "median", "sof": "age", "slo": 15, "shi": 75}, "years"),
        ({"sask": "variance"}, "(US dollars a week)²"),
        ({"stable": "household_heads", "sask": "sum", "sof": "income", "slo": 0, "shi": 9}, "US dollars a year"),
    ],
)
def test_a_number_has_its_unit(page, settings, unit):
    view = page(**settings)
    assert re.search(rf"by at most [\d.,]+ {re.escape(unit)} in 90 % of pairs", headline(view))
    assert view.chart.x_title == f"Sensitivity ({unit})"


@pytest.mark.parametrize(("ask", "rare"), [("mean", True), ("count", False)])
def test_a_rare_pair_is_spoken_of_only_where_there_can_be_one(page, ask, rare):
    """Half of the rows are above 36: every second pair moves the count by 1, the most there is."""
    view = page(sask=ask, sval="36", sshare=0.9, ssure=0.5)
    assert marked(view)[0] == 1 or rare
    assert ("rare pairs can move it further" in view.words) is rare
    assert "never a bound" in view.words


# --- links that ask for columns of another table ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "asked", "shown"),
    [
        ({"sask": "mean", "sof": "income", "shi": 77}, "Column of numbers = income", "weekly_income"),
        ({"sx": "gender"}, "From = gender", "age,education,experience"),
        ({"sx": "gender,age"}, "From = gender,age", "age"),
        ({"sy": "income", "syhi": 10}, "Predicted = income", "weekly_income"),
        ({"sask": "histogram", "sby": "gender"}, "Column = gender", "education"),
        ({"sask": "count", "swhere": "race"}, "Rows in which = race", "age"),
    ],
)
def test_a_link_to_a_column_that_the_table_lacks_is_answered(page, settings, asked, shown):
    view = page(**settings)
    words = f"The link asks for {asked}, which this table does not have. Shown instead: {shown}."
    assert words in [
        each.replace("`", "").replace("  ", " ").replace(" ,", ",").replace(" .", ".") for each in infos(view)
    ]
    (key,) = {"sof", "sx", "sy", "sby", "swhere"} & set(settings)
    assert last_link(view)["full"][key] == shown
    assert asked.rpartition(" ")[2] not in last_link(view)["address"].values()
    bounds = {"sof": ("slo", "shi"), "sy": ("sylo", "syhi")}.get(key, ())
    assert [view.number(each).value for each in bounds] == [0, 5000][: len(bounds)], "and its bounds are public ones"
    view.type("sshare", 0.8)
    assert [each for each in infos(view) if "The link asks" in each], "it stays until the reader changes that"
    view.app.radio(key="stable").set_value("household_heads")
    assert not [each for each in infos(view.run()) if "The link asks" in each]


def test_a_law_of_another_table_in_a_link_is_named_and_left_out(page):
    view = page(sask="mean", sfrom="laws", slaws="income:normal")
    (info,) = infos(view)
    assert "income:normal" in info
    assert "It is left out" in info
    assert "slaws" not in last_link(view)["address"]


def test_a_reader_who_changes_the_table_is_told_nothing(page):
    view = page(stable="household_heads", sask="mean", sof="income", shi=9)
    assert not infos(view)
    view.app.radio(key="stable").set_value("census2000")
    assert not infos(view.run())
    assert view.app.selectbox(key="sof").value == "weekly_income"


def test_only_columns_with_public_bounds_are_offered(page):
    view = page(sask="mean", slo=3, shi=4)
    assert view.app.selectbox(key="sof").options == ["weekly_income", "education", "experience", "age"]
    for column in ("education", "weekly_income"):
        select(view, "sof", column)
        assert (view.number("slo").value, view.number("shi").value) == CENSUS.bounds[column]
    (words,) = page(sask="mean", sof="puma").warnings
    assert "puma" in words
    assert "cannot be used" in words


def test_a_column_of_text_can_only_be_categorical(page):
    view = page(stable="household_heads", sask="count", swhere="gender", scmp="==", sval="female", sfrom="laws")
    assert view.app.selectbox(key="_slaw_gender").options == ["the likeliest", "categorical"]
    assert not errors(select(view, "_slaw_gender", "categorical"))
    again = page(
        stable="household_heads",
        sask="count",
        swhere="gender",
        scmp="==",
        sval="female",
        sfrom="laws",
        slaws="gender:normal",
    )
    assert not errors(again)
    assert any("gender:normal" in each for each in infos(again))


# --- distributions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["normal", "log-normal", "gamma", "uniform"])
def test_pairs_from_a_fitted_distribution(page, law):
    view = page(sask="mean", sfrom="laws", slaws=f"weekly_income:{law}", sp=50_000)
    fitted = fit_population(CENSUS.table[["weekly_income"]], laws={"weekly_income": law})
    assert_shows(view, drawn(CENSUS_QUERIES["mean"], fitted, rows=50_000))
    assert "overlap" not in view.words
    (table,) = (each.value for each in view.app.table)
    assert table["Distribution"].tolist() == [law]
    assert table["Verdict"][0] == fitted.columns[0].verdict
    assert bool(view.warnings) is bool(fitted.ill_fitting)


def test_an_ill_fit_is_warned_of(page):
    view = page(sask="mean", sfrom="laws", slaws="weekly_income:uniform")
    (warning,) = view.warnings
    assert "The distribution of weekly_income does not fit." in warning
    assert "not of your data" in warning


def test_a_distribution_is_chosen_and_kept_in_the_link(page):
    view = page(sask="mean", sfrom="laws")
    select(view, "_slaw_weekly_income", "gamma")
    assert dict(parse_qsl(view.links["full"]))["slaws"] == "weekly_income:gamma"
    fitted = fit_population(CENSUS.table[["weekly_income"]], laws={"weekly_income": "gamma"})
    assert_shows(view, drawn(CENSUS_QUERIES["mean"], fitted))
    select(view, "_slaw_weekly_income", "best")
    assert "slaws" not in dict(parse_qsl(view.links["address"]))


def test_a_distribution_that_the_values_rule_out_is_named_and_can_be_changed(page):
    view = page(stable="household_heads", sask="mean", sof="income", slo=0, shi=1e5, sfrom="laws", slaws="income:gamma")
    (error,) = errors(view)
    assert "'income': it has values at or below 0" in error
    select(view, "_slaw_income", "normal")
    assert not errors(view)
    assert view.charts


def test_the_table_of_the_chart_holds_every_pair_and_its_head_says_what_was_done(page, files):
    page(sask="mean", sseed=4)
    text = files["csv_sampled_sensitivity"]()
    sample = drawn(CENSUS_QUERIES["mean"], CENSUS.table, seed=4)
    head = [line for line in text.splitlines() if line.startswith("#")]
    for line in ("# rows per data set: 30", "# pairs: 120", "# seed: 4", "# drawn from: rows of the table"):
        assert line in head
    (standing,) = (line for line in head if line.startswith("# standing: "))
    assert standing.startswith("# standing: estimate;")
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    np.testing.assert_array_equal([float(row["sensitivity"]) for row in rows], sample.values)
    lower, upper = sample.band(0.9)
    np.testing.assert_allclose([float(row["band, lower end"]) for row in rows], lower, rtol=1e-12)
    np.testing.assert_allclose([float(row["band, upper end"]) for row in rows], upper, rtol=1e-12)
