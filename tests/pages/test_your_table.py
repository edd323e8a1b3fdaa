"""The page on the reader's own table: its controls ask the questions, private things stay private, and there is no way to break it."""

import csv
import io

import pytest

from par_core.datasets import census2000
from par_core.queries import Condition, Count, CountBy, Histogram, Sum, edges_between
from par_core.questions import Epsilon0ForError, HowFarOff
from par_core.questions.your_table.table_question import EXAMPLES
from par_core.release import plan_release, share_within
from par_core.rounding import error as shown
from par_core.rounding import percent
from par_core.scenario import Neighbours, Scenario
from tests.pages.table_view import cells, chosen, errors, exact, put, select, turn, write

MARKER = "zebra4711"
CENSUS = census2000()
EDUCATION, FIFTY, AGES, INCOME, AVERAGE, OLDER, _MEDIAN = EXAMPLES
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
    return lambda data=OWN, **settings: put(page(table="own", **settings), data, f"{MARKER}.csv")


def heads(view):
    """What the strip says of ε₀."""
    return [each for each in view.texts if "an attacker 50 % sure becomes" in each]


def noise_of(query, epsilon=0.5, **more):
    rows = len(CENSUS.table)
    return plan_release(query, epsilon, neighbours=Neighbours.REPLACE_ONE, rows_per_person=1, rows=rows, **more).error


# --- the question that the controls ask -------------------------------------------------------------------------------


def test_it_opens_on_the_census_with_a_count_by_education(page, files):
    view, error = page(), noise_of(EDUCATION)
    view.assert_told(HowFarOff(Scenario()))
    table = cells(view)
    assert table["Cell"].tolist() == [str(each) for each in range(9, 17)]
    assert set(table["Within, 95 of 100"]) == {f"{error.range95:g}"}
    assert set(table["Within, all at once"]) == {f"{error.all95:g}"}
    (average,) = {float(text) for text in table["Off on average"]}
    assert error.expected <= average < error.expected * 1.034  # two digits
    assert "This page plans; it does not release." in view.words
    for key in ("plan_csv", "csv_error_against_epsilon0"):
        assert "# standing: proven" in files[key]()


EVERY = CountBy(("education", "state"), (CENSUS.categories["education"], CENSUS.categories["state"]), other=True)
GEORGIA = CountBy(("education",), EDUCATION.categories, where=Condition("state", "==", "Georgia"))


@pytest.mark.parametrize(
    ("settings", "query"),
    [
        ({}, EDUCATION),
        ({"ask": "count"}, FIFTY),
        ({"ask": "count", "val": "62"}, Count(Condition("age", ">=", 62))),
        ({"ask": "sum", "hi": 100}, Sum("weekly_income", 0, 100)),
        ({"ask": "hist"}, AGES),
        ({"ask": "hist", "bin": "education", "bhi": 20, "bwid": 4}, Histogram("education", (0, 4, 8, 12, 16, 20))),
        ({"ask": "hist", "bins": "own", "edges": "18\n\n65"}, Histogram("age", (18, 65))),
        ({"ask": "mean"}, AVERAGE),
        ({"ask": "mean", "nb": "add-or-remove", "n": 2000}, AVERAGE),
        ({"ask": "share"}, OLDER),
        ({"ask": "share", "nb": "add-or-remove", "n": 2000}, OLDER),
        ({"by2": "state", "rest": 1}, EVERY),
        ({"list": "own", "cat": "12\n16"}, CountBy(("education",), ((12, 16),))),
        ({"only": 1, "where": "state", "cmp": "==", "val": "Georgia"}, GEORGIA),
    ],
)
def test_each_query_is_asked_and_its_exact_answer_shown_when_asked_for(page, settings, query):
    view = page(**settings)
    scenario = Scenario(neighbours=settings.get("nb", "replace-one"))
    view.assert_told(HowFarOff(scenario, query, guess=settings.get("n", 1000)))
    assert len(cells(view)) == query.k
    truth = query.answer(CENSUS.table)
    assert exact(view) == pytest.approx(truth.exact.tolist()[:500], rel=1e-11)
    if isinstance(query, CountBy):
        assert f"not on the list: {truth.absent:,}." in view.words


def test_each_control_of_a_histogram_asks_its_own(page):
    view = page(ask="hist")
    assert [view.number(key).value for key in ("blo", "bhi", "bwid")] == [0, 100, 10]
    assert cells(view)["Cell"].tolist() == list(AGES.labels)
    assert "not on the list" not in view.words
    assert "Choose publicly known bins. Bins read off the table give part of it away" in view.words
    view.type("bhi", 60).type("bwid", 20).assert_told(HowFarOff(Scenario(), Histogram("age", (0, 20, 40, 60))))
    income = Histogram("weekly_income", edges_between(0, 5000, 500))
    select(view, "bin", "weekly_income").assert_told(HowFarOff(Scenario(), income))
    write(view.choose("bins", "own"), "edges", "0\n100.5").assert_told(
        HowFarOff(Scenario(), Histogram("weekly_income", (0, 100.5)))
    )
    some = page(ask="hist", only=1, where="state", cmp="==", val="Georgia")
    some.assert_told(HowFarOff(Scenario(), Histogram("age", AGES.edges, where=Condition("state", "==", "Georgia"))))
    page(tab="wanted", ask="hist", want=30).assert_told(Epsilon0ForError(Scenario(), AGES, wanted=30.0))


def test_suggested_bins_of_each_built_in_column_can_be_used(page):
    view = page(ask="hist")
    for column in CENSUS.bounds:
        assert "published counts is within" in select(view, "bin", column).words
        assert 10 <= len(cells(view)) <= 14


def test_of_a_file_no_bin_is_given_but_by_the_reader(own, files):
    view = select(own(ask="hist"), "bin", "age")
    assert [view.number(key).value for key in ("own_blo", "own_bhi", "own_bw")] == [None] * 3
    files.clear()
    for said in (view.words, view.type("own_blo", 0).words):
        assert "Type the lowest and the highest edge and the width of a bin, all publicly known." in said
    assert not view.charts
    assert "plan_csv" not in files
    view.type("own_bhi", 90).type("own_bw", 15)
    assert "# bin edges: 0, 15, 30, 45, 60, 75, 90, given by the user" in files["plan_csv"]()
    assert "own_" not in view.links["full"]
    assert sum(exact(view)) == 600
    view = select(view, "who", "who")
    assert not [each for each in view.app.toggle if each.label == "Each person once per cell"]
    assert "If persons have different numbers of rows" not in view.words
    assert "Type the publicly known edges of the bins" in view.choose("bins", "own").words
    assert cells(write(view, "edges", "0\n90"))["Cell"].tolist() == ["below 0", "0 to <90", "90 and above"]
    assert "edges=0" not in view.links["full"]


def test_bins_of_another_column_of_a_file_do_not_hold(own):
    view = own(b"a,b\n1,2\n3,4\n", ask="hist", own_blo=0, own_bhi=9, own_bw=3)
    assert view.charts
    select(view, "bin", "b")
    assert [view.number(key).value for key in ("own_blo", "own_bhi", "own_bw")] == [None] * 3


def test_each_control_of_a_sum_and_of_a_wanted_error_asks_its_own(page):
    view = page().choose("ask", "sum")
    assert (view.number("lo").value, view.number("hi").value) == (0, 5000), "the public bounds are put"
    select(view, "of", "age").assert_told(HowFarOff(Scenario(), Sum("age", 15, 75)))
    view.type("hi", 100).assert_told(HowFarOff(Scenario(), Sum("age", 15, 100)))
    assert view.press("Public bounds: 15 to 75").number("hi").value == 75
    page(tab="wanted", want=30, meas="all").assert_told(Epsilon0ForError(Scenario(), wanted=30.0, measure="all"))


def test_it_says_where_the_query_differs_from_the_scenario_and_puts_it_into_the_plan(page):
    view = page()
    assert "k = 8 and L1 sensitivity 2 per row." in view.words
    view.press("Put into the plan")
    assert "plan=1%7Ecounts_8_t2" in view.links["full"] or "plan=1~counts_8_t2" in view.links["full"]
    assert not [each for each in view.app.button if each.label.startswith("Put into")]
    assert "This is release 1 of your plan, which the other pages speak of." in view.words


def test_a_column_that_names_persons_in_several_rows_is_offered_as_the_person_column(own):
    rows = "patient,ward\n" + "".join(f"p{at // 2},{'AB'[at % 2]}\n" for at in range(600))
    view = own(rows.encode())
    assert "Some of “patient” have several rows." in view.warnings
    view.press("“patient” is the person column")
    assert chosen(view, "who").value == "patient"
    assert not [each for each in view.warnings if "several rows" in each]
    once = own(b"patient,ward\n" + "".join(f"p{at},{'AB'[at % 2]}\n" for at in range(600)).encode())
    assert not [each for each in once.warnings if "several rows" in each]


def test_the_head_leaves_the_accuracy_to_the_page_and_follows_its_buttons(page):
    view = page(tab="wanted", s=7, k=3)
    assert heads(view)
    assert "off by" not in view.words
    assert not [each for each in view.texts if each.startswith("within ±")]
    view.press("Use ε₀")
    (head,) = heads(view)
    assert f"{view.number('e0').value:.4g}".rstrip("0") in head


def test_epsilon0_is_asked_after_the_query_and_is_the_one_of_the_sidebar(page):
    view = page()
    keys = view.keys
    assert keys.index("who") < keys.index("ask") < keys.index("by") < keys.index("e0_beside_0.5")
    view.app.number_input(key="e0_beside_0.5").set_value(1.0)
    view.run()
    assert view.number("e0").value == 1.0
    assert "within 6 of the truth" in view.words


def test_a_list_taken_from_the_table_is_marked_until_it_is_changed(page, files):
    view = page(list="own").press("Copy from the file")
    assert "COPIED FROM THE FILE, which reveals it" in files["plan_csv"]()
    assert cells(view)["Cell"].tolist() == ["9", "10", "11", "12", "13", "14", "16"]
    for text in ("9\n10\n11\n12\n13\n14\n16", "9\n10\n11\n12\n13\n14\n16\n", " 10\n9\n\n11\n12\n13\n14\n16"):
        write(view, "cat", text)
        assert any("Copied from the file" in each for each in view.warnings), text
        for each in ("plan_csv", "release_code"):
            assert "COPIED FROM THE FILE, which reveals it" in files[each](), text
    assert not view.press("It is known without the file").warnings
    assert "# category lists: known without the file, says the user" in files["plan_csv"]()
    assert "COPIED" not in files["release_code"]()
    assert view.press("Copy from the file").warnings, "what is copied again has to be said again"
    assert not write(view, "cat", "9\n10").warnings
    assert "# category lists: typed by the user" in files["plan_csv"]()


def test_what_is_typed_for_a_column_of_another_kind_is_not_the_list_that_was_copied(open_page):
    view = put(open_page("your_table", table="own"), b"town,age\n" + b"A,20\nB,30\n" * 40)
    view = select(select(view, "by", "town").press("Copy from the file"), "by", "age")
    view = write(view, "cat", "20\n30")
    assert cells(view)["Cell"].tolist() == ["20", "30"]
    assert not view.warnings


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


def test_a_mechanism_that_adds_no_noise_to_numbers_has_a_link_to_where_it_can_be_tried(page):
    view = page(m="exponential")
    assert [each.proto.query_string for each in view.app.get("page_link")] == ["tab=choose"]
    assert view.app.info[0].value.startswith("The exponential mechanism adds no noise")


# --- what is private --------------------------------------------------------------------------------------------------


def everything(view):
    """All that the browser of a session gets, tables and charts too."""
    return repr(view.app._tree) + "\n".join(table.value.to_csv() for table in view.app.dataframe)


def test_the_exact_answer_is_nowhere_until_it_is_asked_for(page, monkeypatch):
    asked = []
    monkeypatch.setattr(CountBy, "answer", lambda self, *_, **__: asked.append(self))
    for tab in ("plan", "wanted"):
        assert "12433" not in everything(page(tab=tab)).replace(",", "")
    assert not asked


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_it_stands_with_the_share_of_cells_near_it_in_no_grid_which_offers_its_content_as_a_file(page, mechanism):
    view = page(m=mechanism)
    assert view.app.dataframe
    truth = exact(view)
    assert "of the cells will come out within 10 % of the exact number" in view.words
    assert "exact" not in view.links["full"]
    assert not view.app.dataframe
    (table,) = (each.value for each in view.app.table)
    scale = noise_of(EDUCATION, mechanism=mechanism, delta=1e-5).scale
    near = share_within(truth, scale, whole=True, mechanism=mechanism)  # as the script publishes: negative counts stay
    assert table["Within 10 %, chance"].tolist() == [percent(each) for each in near.of_each]


@pytest.mark.parametrize("settings", [{"ask": "mean", "hi": 0.1, "e0": 10}, {"ask": "sum", "e0": 0.013}])
def test_no_error_is_rounded_down_and_each_is_the_same_number_in_headline_and_table(page, settings):
    view = page(**settings)
    query = Sum("weekly_income", 0, 5000) if settings["ask"] == "sum" else type(AVERAGE)("weekly_income", 0, 0.1)
    error, (row,) = noise_of(query, settings["e0"]), cells(view).to_dict("records")
    for column, true in (("Off on average", error.expected), ("Within, 95 of 100", error.range95)):
        assert true <= float(row[column].replace(",", "")) < true * 1.034  # two digits
    assert f"is within {row['Within, 95 of 100']} " in view.words
    assert row["Within, 95 of 100"] == shown(error.range95)
    assert set(cells(page(ask="count", e0=700))["Within, 95 of 100"]) == {"exact"}, "no range is 0"


def test_of_many_cells_the_exact_answer_is_shown_in_parts(page):
    lists = {"cat": "\n".join(map(str, range(5, 60))), "cat2": "\n".join(map(str, range(10, 30)))}
    view = page(list="own", by="age", by2="education", **lists)
    assert len(exact(view)) == 500
    assert cells(view)["Cell"].tolist()[0] == "5 × 10"
    (field,) = (each for each in view.app.number_input if each.label.startswith("Show 500 cells"))
    field.set_value(601)
    view.run()
    assert cells(view)["Cell"].tolist()[0] == "35 × 10"
    query = CountBy(("age", "education"), (tuple(range(5, 60)), tuple(range(10, 30))))
    assert exact(view) == query.answer(CENSUS.table).exact.tolist()[600:1100]


def test_another_table_starts_hidden_again(page):
    view = page()
    exact(view)
    view.app.radio(key="table").set_value("own")
    write(put(view.run(), OWN), "cat", f"{MARKER}A")
    assert "Exact (private)" not in cells(view)


# --- files of one's own -----------------------------------------------------------------------------------------------


def test_a_file_is_planned_for_with_a_list_that_the_reader_types(own):
    view = own()
    assert "Type the publicly known list of categories" in view.words
    assert not view.charts
    write(view, "cat", f"{MARKER}A\n{MARKER}B")
    assert "Each of 2 published counts is within 12 of the truth" in view.words
    assert exact(view) == [200.0, 200.0]
    assert "not on the list: 200." in view.words


PATIENTS = (
    "patient;weight;ward;visits\n"
    + "".join(f"P{at};{at};{('nord', 'Nord')[at % 2]};{at % 3}\n" for at in range(60))
    + ";;;\n"
).encode()


def test_no_identifier_is_guessed_and_values_of_the_chosen_columns_are_seen(own):
    view = own(PATIENTS)
    assert "60 rows, 4 columns" in view.words
    by = chosen(view, "by")
    assert (by.value, by.options) == ("ward", ["patient", "weight", "ward", "visits"])
    assert "In your file, for example: “nord”, “Nord”." in view.words
    assert "letters look wrong" not in view.words
    wrong = own(PATIENTS.replace(b"nord", "nörd".encode()))
    assert "In your file, for example: “nörd”, “Nord”. If letters look wrong" in wrong.words
    assert "“nord” and “Nord” differ only in case or blanks, and are two categories." in view.words
    assert chosen(view.choose("ask", "sum"), "of").value == "visits"
    assert "In your file, for example: “0”, “1”, “2”." in view.words


def test_where_all_columns_look_like_identifiers_the_reader_chooses(own):
    view = own(b"id,n\n" + b"".join(b"x%d,%d\n" % (at, at) for at in range(60)))
    assert chosen(view, "by").value == ""
    assert "Choose “Column”. None was picked" in view.words
    write(select(view, "by", "n"), "cat", "1\n2")
    assert "Each of 2 published counts is within 12 of the truth" in view.words


def test_what_could_be_read_otherwise_is_said_beside_the_file(own):
    view = own(b"Betrag;Datum;Kreis\n1.234,5;03.04.2020;1.234\n12;31.12.2021;5.678\n", ask="sum")
    assert "Column 1 is read as numbers: 1.234,5 as 1 234.5." in view.words.replace("\\", "")
    assert "day first: 03.04.2020 is 3 April 2020." in view.words.replace("\\", "")
    view = own(b"Kreis;Betrag\nA;1.234\nB;5.678\nA;1.500\n", ask="sum")
    assert "1.234 may mean 1234 or 1.2340, and nothing in the file tells which." in view.words.replace("\\", "")
    assert not view.charts


def test_rows_over_the_cap_are_left_out_or_stop_the_answer(own):
    view = select(write(own(), "cat", f"{MARKER}A\n{MARKER}B\n{MARKER}C"), "who", "who")
    assert sum(exact(view)) == 300
    assert "more rows than the cap: 300." in view.words
    view.choose("over", "refuse")
    assert any("some persons have more than 1 row;" in each for each in errors(view))
    assert "Each of 3 published counts" in view.words, "the plan stays"


def test_a_refusal_tells_no_private_number_that_nobody_asked_for(own):
    view = select(own(ask="mean", own_lo=0, own_hi=90, over="refuse"), "who", "who")
    (error,) = errors(view)
    assert "Column 'who': some persons have more than 1 row;" in error
    assert "300" not in view.words, "so many persons have more"


def test_conditions_on_text_and_truth(own):
    view = write(select(own(ask="count"), "where", "vip"), "val", "false")
    assert exact(view) == [150.0]
    select(select(view, "where", f"{MARKER}col"), "cmp", "in")
    assert exact(write(view, "val", f"{MARKER}A, {MARKER}C")) == [400.0]


def test_dates_are_counted_by_year_month_or_day(own):
    view = own(b"day,x\n2019-12-31,1\n2020-01-01,2\n2020-01-31,3\n,4\n2020-01-31,5\n")
    assert "list years (2020), months (2020-01) or days (2020-01-31)" in view.words
    assert exact(write(view, "cat", "2019\n2020")) == [1, 3]
    write(view, "cat", "2020\n2020-01")
    assert "The categories must be all years, all months or all days" in errors(view)[0]
    write(view, "cat", "2020\n2020-13")
    assert "Line 2 of the categories must be years, months or days" in errors(view)[0]
    view.press("Copy from the file")
    assert cells(view)["Cell"].tolist() == ["2019-12-31", "2020-01-01", "2020-01-31"]
    assert exact(write(view.choose("ask", "count"), "val", "2020-01")) == [3]


def test_a_plan_of_a_file_is_a_table_that_holds_no_formula(own, files):
    write(own(b'"x,=1+2",y\n1,2\n3,4\n'), "cat", "1\n3")
    rows = list(csv.reader(io.StringIO(files["plan_csv"]())))
    assert ["# query: counts by x", "'=1+2"] in rows
    assert not [cell for row in rows for cell in row if cell.lstrip().startswith(("=", "+", "-", "@"))]


@pytest.mark.parametrize("ask", ["sum", "mean"])
@pytest.mark.parametrize("neighbours", list(Neighbours))
@pytest.mark.parametrize(("tab", "high"), [("plan", 1e-300), ("wanted", 1e-95)])
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
    assert "your promise" in view.words.replace("\\", "")
    assert any("opendp==" in each.value for each in view.app.code)


def test_a_link_of_an_upload_asks_for_the_file_again_and_holds_nothing_that_was_typed_about_it(own, page):
    mine = own(ask="mean", nb="add-or-remove", e0=0.8).type("own_lo", 0).type("own_hi", 70).type("own_n", 200)
    assert "own_" not in mine.links["full"]
    again = page(**dict(part.split("=") for part in mine.links["address"].split("&")))
    assert "Choose a file" in again.words
    assert "within" in again.words, "the census is shown until then"
    select(put(again, OWN), "of", "age")
    assert [again.number(key).value for key in ("own_hi", "e0")] == [None, 0.8]


@pytest.mark.parametrize("ask", ["sum", "mean"])
def test_of_a_file_no_bound_and_no_number_of_rows_is_given_but_by_the_reader(own, files, ask):
    view = own(ask=ask, nb="add-or-remove")
    assert (view.number("own_lo").value, view.number("own_hi").value) == (None, None)
    files.clear()
    for said in (view.words, view.type("own_lo", 0).words):
        assert "Type a publicly known lower and upper bound" in said
    assert not view.charts
    assert "plan_csv" not in files
    view.type("own_hi", 90)
    if ask == "mean":
        assert view.number("own_n").value is None
        assert "Type how many rows are averaged, at least" in view.words
        view.type("own_n", 300)
        assert "at least 300 rows are averaged (a guess of the user's)" in files["plan_csv"]()
    assert "# bounds: 0 to 90, given by the user" in files["plan_csv"]()
    assert view.charts
    assert view.choose("ask", "by").choose("ask", ask).number("own_hi").value == 90


def test_the_guess_about_a_file_does_not_hold_for_one_with_other_columns(own):
    view = own(b"a,b\n1,2\n3,4\n", ask="mean", nb="add-or-remove").type("own_lo", 0).type("own_hi", 9)
    put(view.type("own_n", 3000), b"b,a\n5,6\n").run()
    assert view.number("own_n").value == 3000, "it has the same columns"
    put(view, b"x,y\n1,2\n3,4\n").type("own_lo", 0).type("own_hi", 9)
    assert view.number("own_n").value is None
    assert "Type how many rows are averaged, at least" in view.words


def test_bounds_of_another_column_of_a_file_do_not_hold(own):
    view = own(b"a,b\n1,2\n3,4\n", ask="sum", own_lo=0, own_hi=9)
    assert view.charts
    select(view, "of", "b")
    assert (view.number("own_lo").value, view.number("own_hi").value) == (None, None)
    assert not view.charts
    assert "Type a publicly known lower and upper bound" in view.words
    assert view.type("own_lo", 0).type("own_hi", 9).charts
    assert not view.type("own_hi", None).charts, "what is emptied does not stay in force"


def test_nor_do_the_candidates_of_a_quantile_and_what_becomes_of_missing_values(own):
    view = own(b"a,b\n1,2\n3,\n,4\n", ask="mean").type("own_lo", 0).type("own_hi", 9)
    turn(view, "_own_table_skip")
    view.choose("ask", "quantile").type("own_stp", 1).type("_own_table_qa", 0.9)
    select(view, "of", "b")
    assert (view.number("own_stp").value, view.number("_own_table_qa").value) == (None, 0.5)
    view.choose("ask", "mean").type("own_lo", 0).type("own_hi", 9)
    assert not view.app.toggle(key="_own_table_skip").value


# --- what can go wrong ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"ask": "sum", "lo": 9, "hi": 1}, "Lower must be below upper"),
        ({"list": "own", "cat": "12\ntwelve"}, "Line 2 of the categories must be a number"),
        ({"list": "own", "cat": "12\n12"}, "must not repeat"),
        ({"ask": "hist", "blo": 9, "bhi": 1}, "Lowest must be below highest, got lowest 9 and highest 1."),
        (
            {"ask": "hist", "bwid": 30},
            "Width must divide 0 to 100 into whole bins, got 30: the last whole one ends at 90.",
        ),
        ({"ask": "hist", "bwid": 0.0001}, "Edges must make at most 10,000 cells, got 1000002."),
        ({"ask": "hist", "bins": "own", "edges": "1\ntwo"}, "Edge 2 must be a number, got 'two'."),
        ({"ask": "hist", "bins": "own", "edges": "2\n1"}, "Edges must rise, got (2.0, 1.0)."),
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


@pytest.mark.parametrize(
    ("data", "listed"), [(b"vip\ntrue\nfalse\n", "true"), (b"day\n2020-01-01\n2021-01-01\n", "2020")]
)
def test_a_file_of_one_column_that_can_name_no_person(own, data, listed):
    view = write(own(data), "cat", listed)
    assert exact(view) == [1.0]
    assert chosen(view, "who").options == ["A person per row"]
