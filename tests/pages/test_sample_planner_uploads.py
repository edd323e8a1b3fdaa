"""Files of the reader's own in the Sample planner: the sample that the core draws of them, and nothing of them travels."""

import io
import json
import re
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest

from par_core.published import coupled
from par_core.randomness import seeded
from par_core.regression import utility
from par_core.sampling import HistogramOf, MeanOf, QuantileOf, RidgeOf, fit_population
from tests.pages.sampled_view import SMALL, assert_shows, drawn, errors, infos, marked, select

MARKER = "zebra4711"
PAY = [(at * 37) % 60 for at in range(80)]  # with ties: what names each row is not guessed
OWN = (
    f"{MARKER}pay,age,{MARKER}who,vip,day,{MARKER}gap\n"
    + "".join(
        f"{pay},{20 + at % 50},{MARKER}{'ABC'[at % 3]},{'true' if at % 4 else 'false'},2020-01-{1 + at % 28:02d},{at if at % 8 else ''}\n"
        for at, pay in enumerate(PAY)
    )
).encode()


@pytest.fixture
def page(open_page):
    """Open the section with settings; jobs run to their end at once."""
    return lambda **settings: open_page("sample_planner", **{"tab": "sampled", **SMALL, **settings})


@pytest.fixture
def own(page):
    """Open the section with a file of one's own."""

    def open_it(data=OWN, **settings):
        return put(page(stable="own", **settings), data)

    return open_it


def put(view, data, name=f"{MARKER}.csv"):
    view.app.file_uploader[0].set_value((name, data, "text/csv"))
    return view.run()


def write(view, key, text, area=False):
    (view.app.text_area if area else view.app.text_input)(key=key).set_value(text)
    return view.run()


def turn(view, key):
    (toggle,) = (each for each in view.app.toggle if each.key == key)
    toggle.set_value(not toggle.value)
    return view.run()


def test_a_file_is_asked_for_and_the_built_in_table_shown_until_then(page):
    view = page(stable="own", sask="mean")
    assert "Choose a file: neither a link nor a reloaded page can hold one." in view.words
    assert view.charts


def frame_of():
    return pd.read_csv(io.BytesIO(OWN))


@pytest.mark.parametrize("ask", ["mean", "median"])
def test_a_file_without_bounds_has_no_proven_sensitivity_and_with_them_it_has(own, ask):
    view = own(sask=ask)
    assert (view.number("sown_lo").value, view.number("sown_hi").value) == (None, None)
    assert "Without bounds there is no proven sensitivity" in view.words
    at = () if ask == "mean" else (0.5,)
    kind = MeanOf if ask == "mean" else QuantileOf
    assert_shows(view, drawn(kind(f"{MARKER}pay", None, *at), frame_of()))
    view.type("sown_lo", 0)
    assert "Type both bounds, or none." in infos(view)
    assert not view.charts
    view.type("sown_hi", 90)
    assert_shows(view, drawn(kind(f"{MARKER}pay", (0, 90), *at), frame_of()))


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


def test_nothing_that_was_sampled_of_a_file_goes_into_a_link(own):
    view = own(sask="mean", sown_lo=0, sown_hi=90)
    value, _ = marked(view)
    assert view.charts
    assert not [each for each in view.app.button if each.label.startswith("See what the sampled")]
    ratio = coupled.eta_of_bound(90 / 30, value)
    told = float(re.search(r"as private as ([\d.]+)·ε₀", view.words)[1])
    assert ratio <= told < ratio * 1.034
    held = dict(parse_qsl(view.links["full"], keep_blank_values=True))
    assert (held["bds"], held["bmax"], held["beta"]) == ("0.15", "0.17", "paper")
    assert not [each for each in held.values() if each.startswith(f"{value:.6g}"[:6])]


def test_laws_of_a_file_are_forgotten_with_another_one(own):
    view = own(sask="mean", sfrom="laws")
    select(view, f"_slaw_{MARKER}pay", "normal")
    put(view, (f"{MARKER}pay\n" + "-5\n900\n7\n" * 20).encode(), "other.csv")
    assert view.app.selectbox(key=f"_slaw_{MARKER}pay").value == "best"
    assert not errors(view)


def test_a_text_column_of_a_file_can_only_be_categorical(own):
    view = own(sask="histogram", sfrom="laws")
    select(view, "_own_table_sby", f"{MARKER}who")
    write(view, "_own_table_slist", f"{MARKER}A", area=True)
    assert view.app.selectbox(key=f"_slaw_{MARKER}who").options == ["the likeliest", "categorical"]


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


@pytest.mark.parametrize("ask", ["count", "histogram", "mean", "ridge", "accuracy"])
def test_nothing_of_a_file_travels(own, files, caplog, capfd, ask):
    caplog.set_level(0)
    asked = {"sask": ask, "sfrom": "laws" if ask == "mean" else "rows"}
    view = own(**{"tab": "accuracy", "aruns": 4} if ask == "accuracy" else asked)
    if ask == "count":
        select(view, "_own_table_swhere", f"{MARKER}who")
        write(view, "_own_table_sval", f"{MARKER}A")
    if ask == "histogram":
        select(view, "_own_table_sby", f"{MARKER}who")
        write(view, "_own_table_slist", f"{MARKER}A\n{MARKER}B", area=True)
    if ask == "mean":
        select(view, "_own_table_sof", f"{MARKER}pay")
        select(view, f"_slaw_{MARKER}pay", "uniform")
    if ask in ("ridge", "accuracy"):
        view.type("sown_ylo", 0).type("sown_yhi", 90)
        turn(view, "sdrop") if [each for each in view.app.toggle if each.key == "sdrop"] else None
    assert view.charts, infos(view) + errors(view)
    assert MARKER in everything(view)
    assert MARKER not in json.dumps(view.links)
    assert MARKER not in json.dumps(view.app.query_params)
    components = [each.proto.json for each in view.app.get("bidi_component")]
    assert not [each for each in components if MARKER in each], "no chart names a column"
    made = {key: make() for key, make in files.items()}
    assert [each for each in made if each.startswith("csv_")]
    assert not [each for each in made.values() if f"{MARKER}." in each], "the name of the file is in no file"
    assert not [key for key, each in made.items() if MARKER in each and not key.startswith("csv_")]
    shown = capfd.readouterr()
    assert MARKER not in caplog.text + shown.out + shown.err


def test_two_sessions_share_no_table(own, page):
    mine = own(sask="mean")
    other = page(stable="own", sask="mean")
    assert MARKER in everything(mine)
    assert MARKER not in everything(other)


def test_a_link_of_an_upload_asks_for_the_file_again_and_holds_nothing_that_was_typed_about_it(own, page):
    mine = own(sask="mean", sown_lo=0, sown_hi=90, sshare=0.8, sseed=3)
    assert "sown_" not in mine.links["full"]
    again = page(**dict(parse_qsl(mine.links["full"], keep_blank_values=True)))
    assert "Choose a file" in again.words
    put(again, OWN)
    assert (again.number("sown_hi").value, again.number("sshare").value, again.number("sp").value) == (None, 0.8, 30)
    assert again.type("sown_lo", 0).type("sown_hi", 90).chart.figure == mine.chart.figure


# --- the accuracy of a regression -------------------------------------------------------------------------------------


@pytest.fixture
def regressed(own):
    """Open the accuracy on a file, with bounds of its target."""
    return lambda data=OWN, **settings: own(data, tab="accuracy", aruns=4, sown_ylo=0, sown_yhi=90, **settings)


def test_the_accuracy_on_a_file_needs_bounds_and_whole_rows(own):
    view = own(tab="accuracy", aruns=4)
    assert any("Type a lower and an upper bound for what is predicted" in each for each in infos(view))
    assert "Columns of text need a public list" in view.words
    view.type("sown_ylo", 0).type("sown_yhi", 90)
    if not view.charts:
        assert any("10 of 80 rows lack a value" in each for each in infos(view)), "the other numbers predict"
    view.app.multiselect(key="_own_table_sx").set_value(["age"])
    _, error = view.run().chart.curve("error without noise")
    query = RidgeOf(f"{MARKER}pay", ("age",), (0, 90), 0.01, coding="code")
    found = utility(query.prepare(frame_of()), [1.0], penalty=0.01, runs=4, rng=seeded(1))
    np.testing.assert_allclose(error, found.non_private_mean_in_unit, rtol=1e-12)
    assert "stands for" not in view.words


@pytest.mark.parametrize("name", ["<b>pay</b>", "<a href='http://x.y'>z</a>", "$x^2$", "![a](http://x.y/z.png)"])
def test_a_name_with_markup_is_shown_as_it_is(regressed, unguarded, name):
    data = f'"{name}",age\n'.encode() + b"".join(b"%d,%d\n" % (at * 7 % 60, 20 + at * 11 % 60) for at in range(60))
    view = regressed(data)
    assert name not in json.dumps(view.chart.figure)
    (words,) = (each.value for each in view.app.markdown if "in the unit of" in each.value)
    assert name not in unguarded(words)


@pytest.mark.parametrize(
    "data",
    [
        b"a,b\n1,2\n",
        b"a,b\n1,2\n3,4\n",
        b"a,b\nx,y\nz,w\n",
        b"a\n1\n2\n",
        b"a,b\n1,1\n1,1\n1,1\n1,1\n1,1\n",
        b"a,b\n1,0\n2,0\n3,0\n4,0\n",
    ],
)
def test_whatever_a_file_holds_the_accuracy_goes_on(regressed, data):
    view = regressed(data)
    assert view.charts or infos(view) or errors(view)
    assert not [each for each in errors(view) if "unexpected" in each.lower()]
