"""The Sample planner's sampled sensitivity: every query gives the sample that the core draws, and nothing of an upload travels."""

import csv
import io
import json
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from pages.shared import jobs
from par_core.datasets import census2000, household_heads
from par_core.implicit import (
    CountOf,
    HistogramOf,
    MeanOf,
    QuantileOf,
    RidgeOf,
    SumOf,
    VarianceOf,
    fit_population,
    sample_sensitivity,
)
from par_core.queries import Condition
from par_core.randomness import seeded

MARKER = "zebra4711"
SMALL = {"sp": 30, "spairs": 120}
PAY = [(at * 37) % 90 for at in range(80)]
OWN = (
    f"{MARKER}pay,age,{MARKER}who,vip,day,{MARKER}gap\n"
    + "".join(
        f"{pay},{20 + at % 50},{MARKER}{'ABC'[at % 3]},{'true' if at % 4 else 'false'},2020-01-{1 + at % 28:02d},{at if at % 8 else ''}\n"
        for at, pay in enumerate(PAY)
    )
).encode()


@pytest.fixture
def page(open_page, monkeypatch):
    """Open the section with settings; jobs run to their end at once."""
    monkeypatch.setattr(jobs, "_begin", lambda job, **_: job.work())
    return lambda **settings: open_page("sample_planner", **{"tab": "sampled", **SMALL, **settings})


@pytest.fixture
def own(page):
    """Open the section with a file of one's own."""

    def open_it(data=OWN, **settings):
        return put(page(stable="own", **settings), data)

    return open_it


@pytest.fixture
def files(monkeypatch):
    """Catch what the download buttons would make, by their keys."""
    import streamlit as st

    found, draw = {}, st.download_button

    def button(label, data, **options):
        found[options["key"]] = data
        return draw(label, data, **options)

    monkeypatch.setattr(st, "download_button", button)
    return found


def put(view, data, name=f"{MARKER}.csv"):
    view.app.file_uploader[0].set_value((name, data, "text/csv"))
    return view.run()


def select(view, key, value):
    view.app.selectbox(key=key).set_value(value)
    return view.run()


def write(view, key, text, area=False):
    (view.app.text_area if area else view.app.text_input)(key=key).set_value(text)
    return view.run()


def turn(view, key):
    (toggle,) = (each for each in view.app.toggle if each.key == key)
    toggle.set_value(not toggle.value)
    return view.run()


def errors(view):
    return [each.value.replace("\\", "") for each in view.app.error]


def infos(view):
    return [each.value.replace("\\", "") for each in view.app.info]


def headline(view):
    (text,) = (text.removeprefix("#### ") for text in view.texts if text.startswith("#### "))
    return text.replace("\\", "")


def marked(view):
    """The sensitivity that is marked, and the share of the sample that it covers."""
    ((x, y, _),) = view.chart.own
    return x, y


def drawn(query, frame, *, rows=SMALL["sp"], pairs=SMALL["spairs"], seed=1):
    return sample_sensitivity(query, frame, rows=rows, pairs=pairs, rng=seeded(seed))


def assert_shows(view, sample, share=0.9, sure=0.9):
    """The page shows this sample: its marked value, its curve, its worst case."""
    chosen = sample.for_share(share, sure)
    assert marked(view) == (pytest.approx(chosen.value, rel=1e-12), chosen.rank / sample.pairs)
    values, shares = view.chart.curve("sampled pairs")
    assert values[-1] == sample.values[-1]
    np.testing.assert_allclose(shares, sample.cdf(values), rtol=0, atol=1e-12)
    told = re.search(r"moves the .* by at most ([\d.,e-]+) in", headline(view))[1]
    assert chosen.value <= float(told.replace(",", "")) <= chosen.value * 1.001 + 1e-300, "rounded up"
    if sample.worst_case is None:
        assert "No bound is known here" in view.words
    else:
        assert re.search(r"No pair exceeds [\d.,e-]+\. \(Proven\)", view.words)


# --- what it opens on -------------------------------------------------------------------------------------------------


def test_it_opens_on_the_regression_of_the_census(page):
    view = page(sp=1000, spairs=15_000)
    query = RidgeOf("weekly_income", ("age", "education", "experience"), (0, 5000), 0.01, coding="code")
    sample = drawn(query, census2000().table, rows=1000, pairs=15_000)
    assert_shows(view, sample)
    assert "For tables of 1,000 rows. (Estimate) Never a bound" in view.words
    assert "drawn from the same 29,501 rows and overlap" in view.words
    assert "leaks itself unless it is protected" in view.words
    assert "number 13,548 of 15,000" in view.words
    assert f"No pair exceeds {sample.worst_case:.3g}".rstrip("0") in view.words
    theorem = sample.for_confidence(0.9, 0.01)
    assert f"Theorem 5 takes {theorem.value:.4g} for an empirical confidence of 90 %" in view.words


CENSUS_QUERIES = {
    "ridge": RidgeOf("weekly_income", ("age", "education", "experience"), (0, 5000), 0.01, coding="code"),
    "mean": MeanOf("weekly_income", (0, 5000)),
    "median": QuantileOf("weekly_income", (0, 5000), 0.5),
    "quantile": QuantileOf("weekly_income", (0, 5000), 0.9),
    "variance": VarianceOf("weekly_income", (0, 5000)),
    "sum": SumOf("weekly_income", (0, 5000)),
    "count": CountOf(Condition("age", ">=", 50)),
    "histogram": HistogramOf("education", tuple(census2000().categories["education"])),
}


@pytest.mark.parametrize("ask", CENSUS_QUERIES)
def test_every_query_on_the_census_is_the_sample_of_the_core(page, ask):
    assert_shows(page(sask=ask), drawn(CENSUS_QUERIES[ask], census2000().table))


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


# --- seeds, shares, sizes ---------------------------------------------------------------------------------------------


def test_the_same_seed_gives_the_same_chart_and_another_one_another(page):
    first, again, other = page(sask="mean"), page(sask="mean"), page(sask="mean", sseed=2)
    assert first.chart.figure == again.chart.figure
    assert first.words == again.words
    assert first.chart.figure != other.chart.figure
    assert_shows(other, drawn(CENSUS_QUERIES["mean"], census2000().table, seed=2))


@pytest.mark.parametrize(("share", "sure"), [(0.5, 0.5), (0.001, 0.0), (0.95, 0.99), (0.9, 0.0)])
def test_the_marked_value_covers_the_share_as_surely_as_asked(page, share, sure):
    sample = drawn(CENSUS_QUERIES["mean"], census2000().table)
    view = page(sask="mean", sshare=share, ssure=sure)
    assert_shows(view, sample, share, sure)
    chosen = sample.for_share(share, sure)
    assert f"number {chosen.rank} of 120" in view.words
    assert chosen.certainty >= sure


def test_too_few_pairs_are_said_and_the_largest_is_marked(page):
    view = page(sask="mean", sshare=0.999999, spairs=10)
    sample = drawn(CENSUS_QUERIES["mean"], census2000().table, pairs=10)
    (warning,) = view.warnings
    assert "Too few pairs for this" in warning
    assert "even the largest of 10" in warning
    assert "less than 0.1 %" in warning
    assert marked(view) == (sample.values[-1], 1.0)
    assert "in the 10 sampled pairs" in headline(view)
    assert "is not to be had" in view.words, "nor by Theorem 5"


@pytest.mark.parametrize("ask", CENSUS_QUERIES)
def test_tables_of_one_row_and_ten_pairs(page, ask):
    view = page(sask=ask, sp=1, spairs=10, sshare=0.5, ssure=0.5)
    assert_shows(view, drawn(CENSUS_QUERIES[ask], census2000().table, rows=1, pairs=10), 0.5, 0.5)
    assert "For tables of 1 row." in view.words


@pytest.mark.parametrize("at", [0, 1])
def test_the_quantiles_at_both_ends(page, at):
    query = QuantileOf("weekly_income", (0, 5000), at)
    assert_shows(page(sask="quantile", sq=at), drawn(query, census2000().table))


@pytest.mark.parametrize("axis", ["plain", "log"])
def test_where_nothing_moves_the_answer_is_0(page, axis):
    view = page(sask="count", swhere="age", scmp=">=", sval="1000", sax=axis)
    assert headline(view) == "One person moves the count by age by at most 0 in 90 % of pairs"
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
    assert_shows(page(sask="mean", sp=29_500), drawn(CENSUS_QUERIES["mean"], census2000().table, rows=29_500))


def test_the_ratio_is_carried_on_to_both_sources(page):
    view = page(sask="mean")
    value = marked(view)[0]
    view.press("See what the sampled one would cost")
    assert view.open_section == "Both sources"
    assert (view.number("bmax").value, view.number("bds").value) == (pytest.approx(5000 / 30), pytest.approx(value))
    assert f"η = {5000 / 30 / value:.2f}"[:7] in view.words


# --- distributions ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("law", ["normal", "log-normal", "gamma", "uniform"])
def test_pairs_from_a_fitted_distribution(page, law):
    view = page(sask="mean", sfrom="laws", slaws=f"weekly_income:{law}", sp=50_000)
    fitted = fit_population(census2000().table[["weekly_income"]], laws={"weekly_income": law})
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
    fitted = fit_population(census2000().table[["weekly_income"]], laws={"weekly_income": "gamma"})
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


# --- files of one's own -----------------------------------------------------------------------------------------------


def test_a_file_is_asked_for_and_the_built_in_table_shown_until_then(page):
    view = page(stable="own", sask="mean")
    assert "Choose a file: neither a link nor a reloaded page can hold one." in view.words
    assert view.charts


def frame_of():
    import pandas as pd

    return pd.read_csv(io.BytesIO(OWN))


OWN_QUERIES = {
    "mean": MeanOf(f"{MARKER}pay", (0, 90)),
    "sum": SumOf(f"{MARKER}pay", (0, 90)),
    "variance": VarianceOf(f"{MARKER}pay", (0, 90)),
    "median": QuantileOf(f"{MARKER}pay", (0, 90), 0.5),
    "quantile": QuantileOf(f"{MARKER}pay", (0, 90), 0.9),
}


@pytest.mark.parametrize("ask", OWN_QUERIES)
def test_a_file_without_bounds_has_no_proven_sensitivity_and_with_them_it_has(own, ask):
    view = own(sask=ask)
    assert (view.number("sown_lo").value, view.number("sown_hi").value) == (None, None)
    assert "Without bounds there is no proven sensitivity" in view.words
    query = OWN_QUERIES[ask]
    unbounded = QuantileOf(query.column, None, query.at) if ask in ("median", "quantile") else type(query)(query.column)
    assert_shows(view, drawn(unbounded, frame_of()))
    view.type("sown_lo", 0)
    assert "Type both bounds, or none." in infos(view)
    assert not view.charts
    view.type("sown_hi", 90)
    assert_shows(view, drawn(query, frame_of()))


def test_bounds_the_wrong_way_round_are_named(own):
    (error,) = errors(own(sask="mean", sown_lo=9, sown_hi=1))
    assert "the lower below the upper" in error


CONDITIONS = {
    "text": (f"{MARKER}who", "==", f"{MARKER}A"),
    "one of": (f"{MARKER}who", "in", f"{MARKER}A, {MARKER}B"),
    "truth": ("vip", "==", "false"),
    "date": ("day", "==", "2020-01-15"),
    "number": ("age", "<=", "33"),
}


@pytest.mark.parametrize("kind", CONDITIONS)
def test_counts_of_every_kind_of_column_of_a_file(own, kind):
    column, comparison, value = CONDITIONS[kind]
    view = own(sask="count")
    assert "Type the value that the condition compares with." in infos(view)
    select(view, "_own_table_swhere", column)
    select(view, "_own_table_scmp", comparison)
    write(view, "_own_table_sval", value)
    assert not errors(view)
    assert marked(view)[0] in (0, 1)
    values, _ = view.chart.curve("sampled pairs")
    assert set(values) <= {0, 1}
    assert "No pair exceeds 1. (Proven)" in view.words


def test_a_value_that_cannot_be_compared_is_named(own):
    view = own(sask="count")
    select(view, "_own_table_swhere", "age")
    write(view, "_own_table_sval", "old")
    assert errors(view) == ["The value must be a number, got 'old'."]
    write(view, "_own_table_sval", "33")
    assert view.charts


def test_a_histogram_of_a_file_needs_a_list(own):
    view = own(sask="histogram")
    assert "Type the list of categories, one per line, as it is publicly known." in infos(view)
    select(view, "_own_table_sby", f"{MARKER}who")
    write(view, "_own_table_slist", f"{MARKER}A\n{MARKER}B", area=True)
    assert_shows(view, drawn(HistogramOf(f"{MARKER}who", (f"{MARKER}A", f"{MARKER}B")), frame_of()))
    assert "No pair exceeds 2. (Proven)" in view.words
    write(view, "_own_table_slist", f"{MARKER}A\n{MARKER}A", area=True)
    (error,) = errors(view)
    assert "must not repeat" in error
    select(view, "_own_table_sby", "vip")
    write(view, "_own_table_slist", "true\nfalse", area=True)
    assert view.charts


def test_a_list_of_the_readers_own_replaces_the_public_one(page):
    view = page(sask="histogram", slist="9\n16")
    assert_shows(view, drawn(HistogramOf("education", (9, 16)), census2000().table))
    view = page(sask="histogram", sby="puma")
    assert "there is no public list of the values of puma: type one" in errors(view)[0].lower()


def test_a_regression_of_a_file_needs_bounds_and_a_predictor(own):
    view = own()
    assert any("Type a lower and an upper bound for what is predicted" in each for each in infos(view))
    view.type("sown_ylo", 0).type("sown_yhi", 90)
    assert view.app.multiselect(key="_own_table_sx").options == ["age", f"{MARKER}gap"]
    view.app.multiselect(key="_own_table_sx").set_value(["age"])
    view.run()
    assert_shows(view, drawn(RidgeOf(f"{MARKER}pay", ("age",), (0, 90), 0.01, coding="code"), frame_of()))


def test_rows_with_missing_values_are_left_out_only_when_the_reader_says_so(own):
    view = own(sask="mean", sown_lo=0, sown_hi=90)
    select(view, "_own_table_sof", f"{MARKER}gap")
    view.type("sown_lo", 0).type("sown_hi", 90)
    (info,) = infos(view)
    assert "10 of 80 rows lack a value in a column that the query uses" in info
    assert not view.charts
    turn(view, "sdrop")
    assert "10 of 80 rows lack a value in a column that the query uses and are left out." in view.words
    kept = frame_of().dropna(subset=[f"{MARKER}gap"])
    assert_shows(view, drawn(MeanOf(f"{MARKER}gap", (0, 90)), kept))
    assert "from the same 70 rows" in view.words
    select(view, "_own_table_sof", "age")
    assert not [each for each in view.app.toggle if each.key == "sdrop"], "this column lacks nothing"


def test_a_file_of_missing_values_only_leaves_nothing(own):
    view = own(b"a,b\n1,\n2,\n,3\n", sask="mean", sdrop=1)
    select(view, "_own_table_sof", "b")
    assert view.app.selectbox(key="_own_table_sof").value == "b"
    assert any("1 rows each" in each or "different rows" in each for each in infos(view))


@pytest.mark.parametrize(
    ("data", "ask"),
    [
        (b"a\n1\n", "mean"),
        (b"a\n1\n2\n", "mean"),
        (b"a\nx\ny\n", "mean"),
        (b"a,b\nx,2020-01-01\ny,2021-01-01\n", "ridge"),
        (b"a,b\n1,x\n2,y\n", "ridge"),
        (b"a\nnan\ninf\n-inf\n1\n2\n", "mean"),
        (b"a\n1\n1\n1\n1\n", "median"),
        (b"a\n1e308\n-1e308\n1\n2\n", "variance"),
        (b"day\n2020-01-01\n2021-01-01\n2020-01-02\n", "histogram"),
    ],
)
@pytest.mark.parametrize("rows", [1, 1000])
def test_whatever_a_file_holds_the_page_goes_on(own, data, ask, rows):
    view = own(data, sask=ask, sp=rows)
    assert view.charts or infos(view) or errors(view)
    assert not [each for each in errors(view) if "id " in each.lower()], "no unexpected error"
    assert "Sample planner" in view.title


def test_laws_of_a_file_stay_in_the_session(own):
    view = own(sask="mean", sfrom="laws")
    select(view, f"_slaw_{MARKER}pay", "normal")
    (table,) = (each.value for each in view.app.table)
    assert table["Distribution"].tolist() == ["normal"]
    assert dict(parse_qsl(view.links["full"], keep_blank_values=True))["slaws"] == ""
    fitted = fit_population(frame_of()[[f"{MARKER}pay"]], laws={f"{MARKER}pay": "normal"})
    assert_shows(view, drawn(MeanOf(f"{MARKER}pay"), fitted))
    view.app.radio(key="stable").set_value("census2000")
    view.run()
    assert "slaws" not in view.links["address"]


def test_another_file_forgets_what_was_chosen_of_the_one_before(own):
    view = own(sask="count")
    select(view, "_own_table_swhere", f"{MARKER}who")
    write(view, "_own_table_sval", f"{MARKER}A")
    view.choose("sask", "histogram")
    select(view, "_own_table_sby", f"{MARKER}who")
    write(view, "_own_table_slist", f"{MARKER}A", area=True)
    put(view, b"x,y\n1,b\n2,c\n3,d\n", "other.csv")
    assert view.app.text_area[0].value == ""
    view.choose("sask", "count")
    assert view.app.text_input(key="_own_table_sval").value == ""


def everything(view):
    return repr(view.app._tree)


@pytest.mark.parametrize("ask", ["count", "histogram", "mean", "ridge"])
def test_nothing_of_a_file_travels(own, files, caplog, capfd, ask):
    caplog.set_level(0)
    view = own(sask=ask, sfrom="laws" if ask == "mean" else "rows")
    if ask == "count":
        select(view, "_own_table_swhere", f"{MARKER}who")
        write(view, "_own_table_sval", f"{MARKER}A")
    if ask == "histogram":
        select(view, "_own_table_sby", f"{MARKER}who")
        write(view, "_own_table_slist", f"{MARKER}A\n{MARKER}B", area=True)
    if ask == "mean":
        select(view, "_own_table_sof", f"{MARKER}pay")
        select(view, f"_slaw_{MARKER}pay", "uniform")
    if ask == "ridge":
        view.type("sown_ylo", 0).type("sown_yhi", 90)
        turn(view, "sdrop") if [each for each in view.app.toggle if each.key == "sdrop"] else None
    assert view.charts, infos(view) + errors(view)
    assert MARKER in everything(view)
    assert MARKER not in json.dumps(view.links)
    assert MARKER not in json.dumps(view.app.query_params)
    components = [each.proto.json for each in view.app.get("bidi_component")]
    assert not [each for each in components if MARKER in each], "no chart names a column"
    made = [make() for key, make in files.items() if key.startswith("csv_")]
    assert made
    assert not [each for each in made if f"{MARKER}." in each], "the name of the file is in no file"
    shown = capfd.readouterr()
    assert MARKER not in caplog.text + shown.out + shown.err


def test_two_sessions_share_no_table(own, page):
    mine = own(sask="mean")
    other = page(stable="own", sask="mean")
    assert MARKER in everything(mine)
    assert MARKER not in everything(other)


def test_a_link_of_an_upload_asks_for_the_file_again_and_keeps_the_rest(own, page):
    mine = own(sask="mean", sown_lo=0, sown_hi=90, sshare=0.8, sseed=3)
    again = page(**dict(parse_qsl(mine.links["full"], keep_blank_values=True)))
    assert "Choose a file" in again.words
    put(again, OWN)
    assert (again.number("sown_hi").value, again.number("sshare").value, again.number("sp").value) == (90, 0.8, 30)
    assert again.chart.figure == mine.chart.figure


def test_the_table_of_the_chart_holds_every_pair_and_its_head_says_what_was_done(page, files):
    page(sask="mean", sseed=4)
    text = files["csv_sampled_sensitivity"]()
    sample = drawn(CENSUS_QUERIES["mean"], census2000().table, seed=4)
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
