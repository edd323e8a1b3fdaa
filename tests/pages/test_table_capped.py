"""A table with several rows of one person and missing costs: what the page asks about it, and what stands beside the answer."""

from functools import partial

import pytest

from pages.shared import jobs
from par_core.queries import Condition, CountBy, Mean, PersonCount, PersonCountBy, Sum
from par_core.questions import HowFarOff
from par_core.questions.your_table.table_question import KeptRows
from par_core.scenario import Scenario
from par_core.tables.table import read_table
from tests.pages.table_view import put, select, turn, typed, write
from tests.visits import WARDS, written

asked = partial(HowFarOff, person="Patient", own=read_table("visits.csv", written()))
COUNTS, PERSONS = CountBy(("Ward",), (WARDS,)), PersonCountBy(("Ward",), (WARDS,), person="Patient")


@pytest.fixture
def page(open_page):
    """Open the page with the visits, counted by ward."""

    def open_it(data=None, **settings):
        view = put(open_page("your_table", table="own", **settings), data or written(), "visits.csv")
        if settings.get("ask", "by") == "by":
            write(select(view, "by", "Ward"), "cat", "\n".join(WARDS))
        return select(view, "who", "Patient")

    return open_it


def beside(view):
    """The sentence below the headline."""
    return view.texts[next(at for at, text in enumerate(view.texts) if text.startswith("## ")) + 1]


def caps(view):
    """The fields of the cap beside the column."""
    return [each for each in view.app.number_input if (each.key or "").startswith("rows_beside_")]


def test_rows_of_nobody_are_told_before_a_plan_is_made(page):
    lines = written().decode("cp1252").splitlines()
    lines[1:4] = [";" + line.split(";", 1)[1] for line in lines[1:4]]
    view = page("\r\n".join(lines).encode("cp1252"))
    assert "3 rows of 2,580 do not say whose they are: fill in “Patient” in the file" in view.words
    assert not view.charts


def test_column_and_cap_come_before_the_question_and_the_cap_is_that_of_the_sidebar(page):
    view = page()
    view.assert_told(asked(Scenario(), COUNTS))
    assert max(map(view.keys.index, ("_own_table_who", caps(view)[0].key))) < view.keys.index("ask")
    caps(view)[0].set_value(3)
    view.run().assert_told(asked(Scenario(rows_per_person=3), COUNTS))
    assert view.number("rows").value == 3, "the sidebar follows"
    for most in (4, 1):
        assert caps(view.type("rows", most))[0].value == most


def test_the_cap_can_be_raised_and_persons_counted_beside_what_is_left_out(page):
    view = page().press("Allow 2 rows per person")
    assert view.number("rows").value == caps(view)[0].value == 2
    view.press("Count each person once per cell").assert_told(asked(Scenario(rows_per_person=2), PERSONS))
    assert view.press("Allow 3 cells per person").number("rows").value == 3


@pytest.mark.parametrize("section", ["plan", "wanted"])
def test_nothing_waits_for_what_is_left_out(page, monkeypatch, section):
    """As long as the job runs, which here never ends."""
    run = jobs.run
    monkeypatch.setattr(
        jobs, "run", lambda key, *work, **how: None if key == "answer_KeptRows" else run(key, *work, **how)
    )
    monkeypatch.setattr(KeptRows, "answer", lambda *_, **__: pytest.fail("it is counted beside its job"))
    view = page(tab=section)
    assert "left out" not in beside(view)
    assert not view.chart.dials, "at its stops the rows would have to be counted"


def test_without_a_column_it_says_what_is_assumed_and_a_stop_leaves_nothing_out(page):
    view = select(page(), "who", "")
    view.assert_told(asked(Scenario(), COUNTS, person=""))
    assert "Assumed: one row per person. If that is wrong, choose the person column." in view.words
    assert "Assumed: at most 3 rows per person" in view.type("rows", 3).words
    view = select(view, "who", "Patient").choose("over", "refuse")
    view.assert_told(asked(Scenario(rows_per_person=3), COUNTS, over="refuse"))


@pytest.mark.parametrize("section", ["plan", "wanted"])
def test_what_is_left_out_stands_on_the_page_only(page, section):
    view = page(rows=2, tab=section)
    kept = asked(Scenario(rows_per_person=2), COUNTS).kept.answer().kept.number
    assert f"{2_580 - kept:,} of 2,580" in view.words
    links = {**view.links, "session": ""}  # a random one may hold any digits
    for text in (str(links), str([chart.figure for chart in view.charts.values()])):
        for number in (2_580 - kept, kept):
            assert str(number) not in text
            assert f"{number:,}" not in text


def test_an_audience_sees_no_private_number(page):
    view = page(present=1)
    view.assert_told(asked(Scenario(), COUNTS, for_audience=True))
    assert not [each for each in view.app.button if each.label.startswith(("Allow", "Count each"))]
    assert "1,380" not in view.words
    assert "In your file" not in view.words


def test_persons_are_counted_once_where_something_is_counted(page):
    view = turn(page(), "once")
    view.assert_told(asked(Scenario(), PERSONS))
    assert [each.label for each in caps(view)] == ["Cells per person, at most"]
    view.choose("ask", "sum").type("own_lo", 0).type("own_hi", 1000)
    assert not [each for each in view.app.toggle if each.key == "once"]
    view.assert_told(asked(Scenario(), Sum("Cost", 0.0, 1000.0)))


def test_one_count_of_persons_needs_no_cap(page):
    view = write(select(turn(page(ask="count"), "once"), "where", "Ward"), "val", "Innere")
    view.assert_told(asked(Scenario(), PersonCount(Condition("Ward", "==", "Innere"), person="Patient")))
    assert not caps(view)


def test_a_mean_can_leave_missing_values_out(page):
    view = select(page(ask="mean", own_n=900, nb="add-or-remove", rows=99), "of", "Cost")
    view.type("own_lo", 10).type("own_hi", 2000)
    scenario = Scenario(neighbours="add-or-remove", rows_per_person=99)
    for skip in (False, True):
        view.assert_told(asked(scenario, Mean("Cost", 10.0, 2000.0, skip_missing=skip), guess=900))
        assert "skip=0" in view.links["full"], (
            "that of the built-in table: what is done here tells that the file has blanks"
        )
        assert "skip" not in view.links["address"]
        turn(view, "_own_table_skip")


def test_values_of_the_chosen_columns_are_seen_and_get_nowhere(page, files, caplog, capfd):
    caplog.set_level(0)
    view = page()
    assert typed(view, "cat").value.splitlines() == list(WARDS)
    assert "In your file, for example: “Gynäkologie”, “Pädiatrie”, “Röntgen”." in view.words
    assert not [text for text in view.texts if "P00" in text], "nobody’s name is shown"
    shown = capfd.readouterr()
    assert "kologie" not in caplog.text + shown.out + shown.err + str(view.links)
    assert "In your file" not in files["plan_csv"]()
