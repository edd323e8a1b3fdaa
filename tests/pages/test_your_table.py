"""The page on the reader's own table: right numbers, private things kept private, and no way to break it."""

import csv
import io
import json
import math

import numpy as np
import pytest

from pages.shared import jobs
from par_core.datasets import census2000
from par_core.queries import Condition, Count, CountBy, Mean, Sum
from par_core.release import plan
from par_core.rounding import error as shown
from par_core.scenario import Neighbours

MARKER = "zebra4711"
CENSUS = census2000()
EDUCATION = CountBy(("education",), (tuple(range(9, 17)),))
OWN = (
    f"{MARKER}col,age,who,vip\n"
    + "".join(
        f"{MARKER}{'ABC'[at % 3]},{20 + at % 50},p{at // 2},{'true' if at % 4 else 'false'}\n" for at in range(600)
    )
).encode()


@pytest.fixture
def page(open_page):
    """Open the page, with settings."""
    return lambda **settings: open_page("your_table", **settings)


@pytest.fixture
def own(page):
    """Open the page with a file of one's own."""

    def open_it(data=OWN, **settings):
        return put(page(table="own", **settings), data)

    return open_it


def put(view, data, name=f"{MARKER}.csv"):
    view.app.session_state[jobs.AT_ONCE] = True
    view.app.file_uploader[0].set_value((name, data, "text/csv"))
    return view.run()


def select(view, key, value):
    view.app.selectbox(key=key).set_value(value)
    return view.run()


def write(view, key, text, area=False):
    (view.app.text_area if area else view.app.text_input)(key=key).set_value(text)
    return view.run()


def turn(view, key):
    (toggle,) = (each for each in view.app.toggle if (each.key or "").startswith(key))
    toggle.set_value(not toggle.value)
    return view.run()


def reveal(view):
    view.app.session_state[jobs.AT_ONCE] = True
    return turn(view, "exact_")


def cells(view):
    """The table of cells: a grid, or a plain table once it holds the exact answer."""
    (table,) = (each.value for each in [*view.app.dataframe, *view.app.table] if "Within, 95 of 100" in each.value)
    return table


def exact(view):
    return [float(text.replace(",", "")) for text in cells(view)["Exact (private)"]]


def heads(view):
    """What the strip says of ε₀."""
    return [each for each in view.texts if "an attacker 50 % sure becomes" in each]


def errors(view):
    return [each.value.replace("\\", "") for each in view.app.error]


def planned(query, epsilon=0.5, neighbours=Neighbours.REPLACE_ONE, rows_per_person=1):
    rows = len(CENSUS.table)
    return plan(query, epsilon, neighbours=neighbours, rows_per_person=rows_per_person, rows=rows)


# --- the answer that it opens on --------------------------------------------------------------------------------------


def test_it_opens_on_the_census_with_the_noise_of_a_count_by_education(page):
    view, error = page(), planned(EDUCATION).error
    assert f"Each of 8 published counts is within {error.range95:g} of the truth in 95 of 100 releases" in view.words
    ((x, y, text),) = view.chart.own
    assert (x, y) == (0.5, error.range95)
    assert shown(error.range95) in text
    table = cells(view)
    assert table["Cell"].tolist() == [str(each) for each in range(9, 17)]
    assert set(table["Within, 95 of 100"]) == {f"{error.range95:g}"}
    assert set(table["Within, all at once"]) == {f"{error.all95:g}"}
    (average,) = {float(text) for text in table["Off on average"]}
    assert error.expected <= average < error.expected * 1.034  # two digits
    assert "This page plans; it does not release." in view.words


def test_it_says_where_the_query_differs_from_the_scenario_and_takes_it_over(page):
    view = page()
    assert (
        "k = 8 and L1 sensitivity 2 per row; your scenario, which the other pages follow, has k = 1 and sensitivity 1."
        in view.words
    )
    view.press("Use this query in Decide and its report")
    assert (view.number("k").value, view.number("s").value) == (8, 2.0)
    assert view.app.selectbox(key="m").value == "discrete-laplace", "the noise that counts get"
    assert "which the other pages follow" not in view.words
    assert not [each for each in view.app.button if each.label.startswith("Use this query")]


def test_the_head_leaves_the_accuracy_to_the_page_and_follows_its_buttons(page):
    view = page(tab="wanted", s=7, k=3)
    assert heads(view)
    assert "off by" not in view.words
    assert not [each for each in view.texts if each.startswith("within ±")]
    view.press("Use ε₀")
    (head,) = heads(view)
    assert f"{view.number('e0').value:.4g}".rstrip("0") in head


def test_one_count_of_a_condition(page):
    view = page().choose("ask", "count")
    query = Count(Condition("age", ">=", 50))
    assert f"The published count is within {planned(query).error.range95:g} of the truth" in view.words
    write(view, "val", "62")
    found = exact(reveal(view))
    assert found == [float((CENSUS.table["age"] >= 62).sum())]


def test_a_sum_follows_its_column_and_bounds(page):
    view = page().choose("ask", "sum")
    for column, low, high in (("weekly_income", 0, 5000), ("age", 15, 75)):
        if column != "weekly_income":
            select(view, "of", column)
        assert (view.number("lo").value, view.number("hi").value) == (low, high), "the public bounds are put"
        error = planned(Sum(column, low, high)).error
        assert view.chart.own[0][1] == error.range95
    view.type("hi", 100)
    assert view.chart.own[0][1] == planned(Sum("age", 15, 100)).error.range95
    view.press("Public bounds: 15 to 75")
    assert view.number("hi").value == 75


def test_a_mean_over_a_private_number_of_rows(page):
    view = page(ask="mean", nb="add-or-remove", n=2000)
    pair = planned(Mean("weekly_income", 0, 5000), neighbours=Neighbours.ADD_OR_REMOVE)
    assert view.chart.own[0][1] == pair.quotient_error(size=2000).range95
    assert exact(reveal(view)) == pytest.approx(pair.query.answer(CENSUS.table).exact.tolist(), rel=1e-11)


def test_two_columns_and_a_cell_for_all_others(page):
    view = page(by2="state", rest=1)
    query = CountBy(("education", "state"), (CENSUS.categories["education"], CENSUS.categories["state"]), other=True)
    assert f"Each of {query.k:,} published counts" in view.words
    assert len(cells(view)) == query.k


def test_a_list_of_ones_own(page):
    view = page(list="own", cat="12\n16")
    assert cells(view)["Cell"].tolist() == ["12", "16"]
    found = exact(reveal(view))
    assert found == [12433.0, 7423.0]
    assert "not on the list: 9,645." in view.words


def test_a_list_taken_from_the_table_is_marked_until_it_is_changed(page, files):
    view = page(list="own").press("Copy from the file")
    assert "COPIED FROM THE FILE, which reveals it" in files["plan_csv"]()
    assert cells(view)["Cell"].tolist() == ["9", "10", "11", "12", "13", "14", "16"]
    assert any("Copied from the file" in each for each in view.warnings)
    write(view, "cat", "9\n10", area=True)
    assert not view.warnings


def test_a_filter_keeps_the_noise_and_changes_the_exact_answer(page):
    view = page(only=1, where="state", cmp="==", val="Georgia")
    assert f"within {planned(EDUCATION).error.range95:g} of the truth" in view.words
    chosen = CENSUS.table[CENSUS.table["state"] == "Georgia"]
    assert sum(exact(reveal(view))) == len(chosen)


# --- from the error to epsilon0 ---------------------------------------------------------------------------------------


def test_decide_needs_the_level_that_the_wanted_error_takes(page):
    view = page(tab="wanted", want=10).press("Use ε₀")
    needed = view.number("e0").value
    view.visit("decide", tab="decide", we=1, wev=10, wb=0)
    assert (view.number("e0").value, view.number("k").value, view.number("s").value) == (needed, 8, 2.0)
    assert "within ±10 in 95 of 100" in view.words
    assert f"Take ε₀ of at least {needed:g}: your wish is met" in view.words
    assert "will do" in view.words


def test_a_wish_that_everything_meets_is_a_warning_above_the_chart(page):
    view = page(tab="wanted", ask="mean", nb="add-or-remove", want=1e6)
    assert any("every one will do" in each for each in view.warnings)
    assert view.charts


def test_each_kind_of_error_can_be_chosen(page):
    view = page(tab="wanted", want=30, meas="all").press("Use ε₀")
    error = planned(EDUCATION, view.number("e0").value).error
    assert 30 * 0.99 < error.all95 <= 30


# --- what is private --------------------------------------------------------------------------------------------------


def everything(view):
    """All that the browser of a session gets, tables and charts too."""
    tables = [table.value.to_csv() for table in view.app.dataframe]
    return repr(view.app._tree) + "\n".join(tables)


def test_the_exact_answer_is_nowhere_until_it_is_asked_for(page, monkeypatch):
    asked = []
    monkeypatch.setattr(CountBy, "answer", lambda self, *_, **__: asked.append(self))
    for tab in ("plan", "wanted"):
        view = page(tab=tab)
        assert "12433" not in everything(view).replace(",", "")
    assert not asked


def test_it_is_shown_when_asked_for_with_the_share_of_cells_near_it(page):
    view = reveal(page())
    assert exact(view) == EDUCATION.answer(CENSUS.table).exact.tolist()
    assert "of the cells will come out within 10 % of the exact number" in view.words
    assert "exact" not in view.links["full"]


def test_the_chance_of_each_cell_is_that_of_what_the_script_publishes(own):
    """The script leaves negative counts as they are, so that an empty cell comes out as 0 seldom. Wrong for one seed in 10^6."""
    view = own(b"g,v\n" + 40 * b"A,1\n" + 12 * b"B,2\n")
    view = reveal(write(view, "_own_table_cat", "A\nB\nC", area=True))
    truth, releases = exact(view), 100_000
    assert truth == [40, 12, 0]
    noise = planned(CountBy(("g",), (("A", "B", "C"),))).error.noise
    published = noise.sample(truth, releases, np.random.default_rng(5))
    often = np.mean(np.abs(published - truth) <= np.array(truth) / 10, axis=0)
    told = [float(text.removesuffix("\u00a0%")) / 100 for text in cells(view)["Within 10 %, chance"]]
    assert often == pytest.approx(told, abs=0.5 * 5.1 / math.sqrt(releases))


def test_no_error_is_shown_as_0_or_rounded_down(page):
    table = cells(page(ask="mean", lo=0, hi=0.1, e0=10))
    error = planned(Mean("weekly_income", 0, 0.1), 10.0).error
    for column, true in (("Off on average", error.expected), ("Within, 95 of 100", error.range95)):
        (shown,) = (float(text) for text in table[column])
        assert true < 1e-5
        assert true <= shown < true * 1.034  # two digits


@pytest.mark.parametrize(("ask", "epsilon0"), [("sum", 0.013), ("mean", 9.1)])
def test_an_error_is_the_same_number_in_headline_chart_table_and_file(page, files, ask, epsilon0):
    view = page(ask=ask, e0=epsilon0)
    (shown,) = cells(view)["Within, 95 of 100"]
    assert f"is within {shown} " in view.words
    ((_, true, _),) = view.chart.own
    assert f"within {shown} in 95" in view.chart.alt
    (line,) = (line for line in files["plan_csv"]().splitlines() if line.startswith(f"{ask},"))
    assert float(shown.replace(",", "")) >= float(line.split(",")[2]) == true


def test_no_range_is_0(page):
    view = page(ask="count", e0=700)
    assert "within 0" not in view.words
    assert set(cells(view)["Within, 95 of 100"]) == {"exact"}


def test_the_exact_answer_stands_in_no_grid_which_offers_its_content_as_a_file(page):
    view = page()
    assert view.app.dataframe
    reveal(view)
    assert not view.app.dataframe
    assert len(view.app.table) == 1


def test_of_many_cells_the_exact_answer_is_shown_in_parts(page):
    lists = {"cat": "\n".join(map(str, range(5, 60))), "cat2": "\n".join(map(str, range(10, 30)))}
    view = reveal(page(list="own", by="age", by2="education", **lists))
    assert cells(view)["Cell"].tolist()[0] == "5 × 10"
    assert len(cells(view)) == 500
    (field,) = (each for each in view.app.number_input if each.label.startswith("Show 500 cells"))
    field.set_value(601)
    view.run()
    assert (cells(view)["Cell"].tolist()[0], len(cells(view))) == ("35 × 10", 500)
    query = CountBy(("age", "education"), (tuple(range(5, 60)), tuple(range(10, 30))))
    assert exact(view) == query.answer(CENSUS.table).exact.tolist()[600:1100]


def test_another_table_starts_hidden_again(page):
    view = reveal(page())
    view.app.radio(key="table").set_value("own")
    view.run()
    put(view, OWN)
    write(view, "_own_table_cat", f"{MARKER}A", area=True)
    assert "Exact (private)" not in cells(view)


def test_plan_and_code_hold_the_plan_and_nothing_exact(page, files):
    reveal(page(e0=0.8))
    text, code = files["plan_csv"](), files["release_code"]()
    error = planned(EDUCATION, 0.8).error
    assert "# counts: epsilon: 0.8" in text
    assert "# counts: L1 sensitivity: 2" in text
    assert "# neighbours: replace-one" in text
    assert "# query: counts by education" in text
    assert f"9,{error.expected},{error.range95}" in text
    assert "EPSILON = 0.8" in code
    compile(code, "release.py", "exec")
    for exact in EDUCATION.answer(CENSUS.table).exact[:6]:
        assert f"{exact:.0f}" not in text.replace("29501", "")
        assert f"{exact:.0f}" not in code


# --- files of one's own -----------------------------------------------------------------------------------------------


def test_a_file_is_planned_for_with_a_list_that_the_reader_types(own):
    view = own()
    assert "Type the publicly known list of categories" in view.words
    assert not view.charts
    write(view, "_own_table_cat", f"{MARKER}A\n{MARKER}B", area=True)
    assert "Each of 2 published counts is within 12 of the truth" in view.words
    assert exact(reveal(view)) == [200.0, 200.0]
    assert "not on the list: 200." in view.words


PATIENTS = (
    "patient;weight;ward;visits\n"
    + "".join(f"P{at};{at};{('nord', 'Nord')[at % 2]};{at % 3}\n" for at in range(60))
    + ";;;\n"
).encode()


def test_no_identifier_is_guessed_and_values_of_the_chosen_columns_are_seen(own):
    view = own(PATIENTS)
    assert "60 rows, 4 columns" in view.words
    by = view.app.selectbox(key="_own_table_by")
    assert (by.value, by.options) == ("ward", ["patient", "weight", "ward", "visits"])
    assert "In your file: “nord”, “Nord”. If letters look wrong" in view.words
    assert "“nord” and “Nord” differ only in case or blanks, and are two categories." in view.words
    view.choose("ask", "sum")
    assert view.app.selectbox(key="_own_table_of").value == "visits"
    assert "In your file: “0”, “1”, “2”." in view.words


def test_where_all_columns_look_like_identifiers_the_reader_chooses(own):
    view = own(b"id,n\n" + b"".join(b"x%d,%d\n" % (at, at) for at in range(60)))
    assert view.app.selectbox(key="_own_table_by").value == ""
    assert "Choose “Column”. None was picked" in view.words
    select(view, "_own_table_by", "n")
    write(view, "_own_table_cat", "1\n2", area=True)
    assert "Each of 2 published counts is within 12 of the truth" in view.words


def test_epsilon0_is_asked_after_the_query_and_is_the_one_of_the_sidebar(page):
    view = page()
    keys = view.keys
    assert keys.index("who") < keys.index("ask") < keys.index("by") < keys.index("e0_beside_0.5")
    view.app.number_input(key="e0_beside_0.5").set_value(1.0)
    view.run()
    assert view.number("e0").value == 1.0
    assert "within 6 of the truth" in view.words


GERMAN = (
    "Person;Betrag;Datum\n"
    + "".join(f"P{at // 2};{1 + at % 8}.{at:03},5;{1 + at % 28:02}.04.2020\n" for at in range(9, 99))
).encode()


def test_german_numbers_and_dates_are_said_and_the_script_reads_the_same(own, files, tmp_path):
    view = own(GERMAN, ask="sum", only=1, own_lo=0, own_hi=9000)
    assert "Column 2 is read as numbers: 1.234,5 as 1 234.5." in view.words.replace("\\", "")
    assert "Column 3 is read as dates, day first: 03.04.2020 is 3 April 2020." in view.words.replace("\\", "")
    select(view, "_own_table_of", "Betrag")
    select(view, "_own_table_where", "Datum")
    write(view, "_own_table_val", "2020-04-13")
    total = sum((1 + at % 8) * 1000 + at + 0.5 for at in range(9, 99) if at % 28 == 12)
    assert exact(reveal(view)) == [total]
    (tmp_path / "file.csv").write_bytes(GERMAN)
    names = {"__name__": "script"}
    exec(compile(files["release_code"](), "release.py", "exec"), names)
    (found,) = names["prepare"](names["read"](str(tmp_path / "file.csv")))
    assert sum(found) * names["STEP"] == pytest.approx(total, rel=1e-9)


def test_numbers_that_could_be_two_are_no_numbers_and_say_so(own):
    view = own(b"Kreis;Betrag\nA;1.234\nB;5.678\nA;1.500\n", ask="sum")
    assert "1.234 may mean 1234 or 1.2340, and nothing in the file tells which." in view.words.replace("\\", "")
    assert not view.charts


def test_rows_over_the_cap_are_left_out_or_stop_the_answer(own):
    view = own()
    write(view, "_own_table_cat", f"{MARKER}A\n{MARKER}B\n{MARKER}C", area=True)
    select(view, "_own_table_who", "who")
    found = exact(reveal(view))
    assert sum(found) == 300
    assert "more than the cap: 300." in view.words
    view.choose("over", "refuse")
    assert any("some persons have more than 1 row;" in each for each in errors(view))
    assert "Each of 3 published counts" in view.words, "the plan stays"


def test_a_refusal_tells_no_private_number_that_nobody_asked_for(own):
    view = own(ask="mean", own_lo=0, own_hi=90, over="refuse")
    select(view, "_own_table_who", "who")
    (error,) = errors(view)
    assert "Column 'who': some persons have more than 1 row;" in error
    assert "300" not in view.words, "so many persons have more"


def test_conditions_on_text_and_truth(own):
    view = own(ask="count")
    select(view, "_own_table_where", "vip")
    write(view, "_own_table_val", "false")
    assert exact(reveal(view)) == [150.0]
    select(view, "_own_table_where", f"{MARKER}col")
    select(view, "_own_table_cmp", "in")
    write(view, "_own_table_val", f"{MARKER}A, {MARKER}C")
    assert exact(view) == [400.0]


def test_dates_are_counted_by_year_month_or_day(own, files):
    view = own(b"day,x\n2019-12-31,1\n2020-01-01,2\n2020-01-31,3\n,4\n2020-01-31,5\n")
    assert "list years (2020), months (2020-01) or days (2020-01-31)" in view.words
    for listed, counts in (("2019\n2020", [1, 3]), ("2020-01\n2020-02", [3, 0]), ("2020-01-31", [2])):
        write(view, "_own_table_cat", listed, area=True)
        if "Exact (private)" not in cells(view):
            reveal(view)
        assert exact(view) == counts
    assert "dates_of(table, COLUMN_1, 10)" in files["release_code"]()
    write(view, "_own_table_cat", "2020\n2020-01", area=True)
    assert "The categories must be all years, all months or all days" in errors(view)[0]
    write(view, "_own_table_cat", "2020\n2020-13", area=True)
    assert "Line 2 of the categories must be years, months or days" in errors(view)[0]
    view.press("Copy from the file")
    assert cells(view)["Cell"].tolist() == ["2019-12-31", "2020-01-01", "2020-01-31"]
    view.choose("ask", "count")
    write(view, "_own_table_val", "2020-01")
    assert exact(reveal(view)) == [3]


def test_the_plan_holds_no_formula_and_says_its_standing_in_a_word(own, files):
    view = own(b'"x,=1+2",y\n1,2\n3,4\n')
    write(view, "_own_table_cat", "1\n3", area=True)
    rows = list(csv.reader(io.StringIO(files["plan_csv"]())))
    assert ["# query: counts by x", "'=1+2"] in rows
    assert not [cell for row in rows for cell in row if cell.lstrip().startswith(("=", "+", "-", "@"))]
    for key in ("plan_csv", "csv_error_against_epsilon0"):
        (standing,) = (line for line in files[key]().splitlines() if line.startswith("# standing: "))
        assert standing.split(": ")[1] == "proven"


@pytest.mark.parametrize("ask", ["sum", "mean"])
@pytest.mark.parametrize("neighbours", list(Neighbours))
@pytest.mark.parametrize("high", [1e-300, 1e-95])
@pytest.mark.parametrize("tab", ["plan", "wanted"])
def test_bounds_too_close_together_are_named_where_the_answer_would_stand(page, ask, neighbours, high, tab):
    view = page(tab=tab, ask=ask, lo=0, hi=high, nb=neighbours.value)
    assert errors(view) == [f"The bounds must be at least 1e-90 apart, got 0 and {high:g}."]


def test_what_to_know_about_the_code_is_shown_when_asked_for(page):
    view = page()
    assert "a ledger beside the script" not in view.words
    view.app.session_state["about_code"] = True
    view.run()
    words = "The plan is to run it 2 times in all: a ledger beside the script counts the runs, and refuses any after the last."
    assert words in view.words.replace("\\", "")
    assert "the user's promise" in view.words.replace("\\", "")
    assert any("opendp==" in each.value for each in view.app.code)


def test_nothing_of_a_file_travels(own, files, caplog, capfd):
    caplog.set_level(0)
    view = own()
    write(view, "_own_table_cat", f"{MARKER}A\n{MARKER}B", area=True)
    turn(view, "only")
    select(view, "_own_table_where", f"{MARKER}col")
    write(view, "_own_table_val", f"{MARKER}A")
    select(view, "_own_table_who", f"{MARKER}col")
    reveal(view)
    write(view, "_own_table_cat", f"{MARKER}A\n{MARKER}A", area=True)  # an error that quotes it, on this page only
    assert MARKER in errors(view)[0]
    write(view, "_own_table_cat", f"{MARKER}A\n{MARKER}B", area=True)
    assert MARKER in everything(view)
    assert MARKER not in json.dumps(view.links)
    assert MARKER not in json.dumps(view.app.query_params)
    components = [each.proto.json for each in view.app.get("bidi_component")]
    assert not [each for each in components if MARKER in each]
    of_chart = [make() for key, make in files.items() if key.startswith("csv_")]
    assert of_chart
    assert not [each for each in of_chart if MARKER in each]
    assert f"{MARKER}A" in files["plan_csv"]()
    assert f"{MARKER}.csv" not in files["plan_csv"]() + files["release_code"]()
    shown = capfd.readouterr()
    assert MARKER not in caplog.text + shown.out + shown.err


def test_two_sessions_share_no_table(own, page):
    mine = own()
    write(mine, "_own_table_cat", f"{MARKER}A", area=True)
    other = page(table="own")
    assert MARKER in everything(mine)
    assert MARKER not in everything(other)
    assert "neither a link nor a reloaded page can hold one" in other.words
    assert "Each of 8 published counts" in other.words


def test_a_link_of_an_upload_asks_for_the_file_again_and_keeps_the_rest(own, page):
    mine = own(ask="mean", nb="add-or-remove", e0=0.8).type("own_lo", 0).type("own_hi", 70).type("own_n", 200)
    address = dict(part.split("=") for part in mine.links["address"].split("&"))
    again = page(**address)
    assert "Choose a file" in again.words
    assert "within" in again.words, "the census is shown until then"
    put(again, OWN)
    select(again, "_own_table_of", "age")
    assert (again.number("own_hi").value, again.number("e0").value) == (70.0, 0.8)
    assert again.number("own_n").value == 200
    assert "if at least 200 rows are averaged" in again.words


@pytest.mark.parametrize("ask", ["sum", "mean"])
def test_of_a_file_no_bound_and_no_number_of_rows_is_given_but_by_the_reader(own, files, ask):
    view = own(ask=ask, nb="add-or-remove")
    assert (view.number("own_lo").value, view.number("own_hi").value) == (None, None)
    assert "Type a publicly known lower and upper bound" in view.words
    files.clear()
    view.type("own_lo", 0)
    assert "Type a publicly known lower and upper bound" in view.words
    assert not view.charts
    assert "plan_csv" not in files
    view.type("own_hi", 90)
    if ask == "mean":
        assert view.number("own_n").value is None
        assert "Type how many rows are averaged at least" in view.words
        view.type("own_n", 300)
        assert "at least 300 rows are averaged (a guess of the user's)" in files["plan_csv"]()
    assert "# bounds: 0 to 90, given by the user" in files["plan_csv"]()
    assert view.charts
    view.choose("ask", "by").choose("ask", ask)
    assert view.number("own_hi").value == 90


def test_bounds_of_another_column_of_a_file_do_not_hold(own):
    view = own(b"a,b\n1,2\n3,4\n", ask="sum", own_lo=0, own_hi=9)
    assert view.charts
    select(view, "_own_table_of", "b")
    assert (view.number("own_lo").value, view.number("own_hi").value) == (None, None)


def test_another_file_forgets_the_choices_of_the_one_before(own):
    view = own()
    write(view, "_own_table_cat", f"{MARKER}A", area=True)
    put(view, b"x,y\n1,b\n2,c\n", "other.csv")
    assert view.app.text_area[0].value == ""
    assert view.app.selectbox(key="_own_table_by").options == ["x", "y"]


def script_of(files):
    names = {"__name__": "script"}
    exec(compile(files["release_code"](), "release.py", "exec"), names)
    return names


def test_the_code_reads_the_file_as_the_page_did(own, files, tmp_path):
    data = "Höhe;who\n1,5;7\n2,5;07\nNull;8\n".encode("latin-1")
    (tmp_path / "t.csv").write_bytes(data)
    view = own(data, ask="sum", own_lo=0, own_hi=10)
    select(view, "_own_table_who", "who")
    assert exact(reveal(view)) == [1.5]
    names = script_of(files)
    (found,) = names["prepare"](names["cap"](names["read"](str(tmp_path / "t.csv"))))
    assert (found * names["STEP"]).tolist() == [1.5, 0.0]


@pytest.mark.parametrize(
    ("data", "listed", "counts"),
    [
        (b"g,v\n A,1\nB ,2\n A,3\n", "A\nB", [2.0, 1.0]),
        (b"at,v\n08:30,1\n12:00,2\n08:30,3\n", "08:30\n12:00", [2.0, 1.0]),
    ],
)
def test_spaces_and_times_of_day_are_counted_by_page_and_code(own, files, tmp_path, data, listed, counts):
    (tmp_path / "t.csv").write_bytes(data)
    view = own(data)
    view.press("Copy from the file")
    assert view.app.text_area[0].value == listed
    assert exact(reveal(view)) == counts
    names = script_of(files)
    (cell,) = names["prepare"](names["read"](str(tmp_path / "t.csv")))
    assert np.bincount(cell).tolist() == counts


# --- what can go wrong ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"ask": "sum", "lo": 9, "hi": 1}, "Lower must be below upper"),
        ({"list": "own", "cat": "12\ntwelve"}, "Line 2 of the categories must be a number"),
        ({"list": "own", "cat": "12\n12"}, "must not repeat"),
        ({"ask": "count", "val": "old"}, "The value must be a number"),
        ({"ask": "count", "where": "state", "cmp": "<", "val": "x"}, "must be a number"),
        ({"by2": "education"}, "two different ones"),
    ],
)
def test_what_cannot_be_used_is_answered_with_a_sentence(page, settings, words):
    view = page(**settings)
    (error,) = errors(view)
    assert words in error
    assert view.app.button_group(key="ask").value == settings.get("ask", "by"), "the controls stay"
    assert "Each of 8" in view.choose("ask", "by").words or settings.get("ask") is None


@pytest.mark.parametrize(
    "asked", [{"by": "income"}, {"of": "state"}, {"cmp": "~"}, {"cat": "x" * 3000}, {"table": "x"}]
)
def test_a_link_that_cannot_be_met_is_named(page, asked):
    (sentence,) = page(**asked).warnings
    assert "cannot be used" in sentence


def test_a_file_without_numbers_or_with_a_wrong_kind(own):
    view = own(b"a,b\nx,2020-01-01\ny,2021-01-01\n", ask="sum")
    assert "This table has no column of numbers" in view.words
    view.choose("ask", "by")
    assert view.app.selectbox(key="_own_table_by").options == ["a", "b"]


@pytest.mark.parametrize(
    ("data", "listed"), [(b"vip\ntrue\nfalse\n", "true"), (b"day\n2020-01-01\n2021-01-01\n", "2020")]
)
def test_a_file_of_one_column_that_can_name_no_person(own, data, listed):
    view = own(data)
    write(view, "_own_table_cat", listed, area=True)
    assert exact(reveal(view)) == [1.0]
    assert view.app.selectbox(key="_own_table_who").options == ["A person per row"]


def test_a_bad_file_loses_nothing(own):
    view = own()
    write(view, "_own_table_cat", f"{MARKER}A", area=True)
    put(view, b"\x89PNG\r\n\x1a\n")
    assert any("PNG" in each for each in errors(view))
    assert "The published count is within" in view.words
    assert view.app.text_area[0].value == f"{MARKER}A"


def test_bounds_out_of_range_keep_the_last_good_ones(page):
    view = page(ask="sum").type("hi", 1e15)
    assert "cannot be used" in errors(view)[0]
    assert view.number("hi").value == 5000.0
    assert view.charts
