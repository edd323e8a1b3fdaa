"""The page on the cost of a breach: its controls ask the questions, points are typed or uploaded, and links bring scenarios back."""

from urllib.parse import parse_qsl

import pytest

from par_core.questions import AffordableLevels, BudgetForBreach, ClaimedSaving, ComparedBudgets, WhatMovesBudget
from par_core.questions.budget_minimiser.breach import Breach
from par_core.scenario import Scenario

TYPED = "0.1, 5\n0.6, 900\n2, 1e5"
POINTS = ((0.1, 5.0), (0.6, 900.0), (2.0, 1e5))


@pytest.fixture
def page(open_page):
    """Open the page at one of its sections, with settings."""
    return lambda tab="budget", **settings: open_page("budget_minimiser", tab=tab, **settings)


# --- the controls -----------------------------------------------------------------------------------------------------


def test_each_control_asks_its_own(page):
    shown = page()
    shown.assert_told(BudgetForBreach(Scenario()))
    shown.type("comp", 11_000.0).pick("lv", "0.1", "1").choose("model", "fine").type("fine", 0.0).type("frate", 0.5)
    shown.assert_told(
        BudgetForBreach(Scenario(compensation=11_000.0), kind="fine", fine=0.0, fine_rate=0.5, levels=(1.0, 0.1))
    )
    assert "comp=11000" in shown.links["address"]
    page("truth", model="head", rate=2, min=300, cap=1, bpaper=1).assert_told(
        ClaimedSaving(Scenario(), rate=2.0, minimum=300.0, capped=True)
    )
    page(bpaper=1).assert_told(BudgetForBreach(Scenario(), paper_only=True))
    page("moves", pct=20).assert_told(WhatMovesBudget(Scenario(), percent=20.0))
    (saving,) = (each.help for each in page().app.metric if each.label == "Saving, true")
    assert "Unrounded: 6,455.4520" in saving


def test_what_can_be_afforded_follows_its_fields_and_proposes_a_level(page):
    shown = page("afford", e0=0.25).type("bud", 1e6)
    shown.assert_told(AffordableLevels(Scenario(epsilon0=0.25), budget=1e6))
    assert "bud=1000000" in shown.links["address"]
    shown.press("Use ε₀ = 0.5").type("err", 4.0)
    shown.assert_told(AffordableLevels(Scenario(), budget=1e6, largest_error=4.0))


def test_a_minimum_brings_up_the_switch_that_keeps_the_model_within_its_limits(page):
    def switches(shown):
        return [each for each in shown.app.toggle if each.label == "Never above the compensation"]

    shown = page(min=3000, e0=4)
    assert any("against its own constraints" in each for each in shown.warnings)
    (switch,) = switches(shown)
    switch.set_value(True)
    assert not shown.run().warnings
    assert not switches(page())


def test_a_model_that_contradicts_itself_is_named_and_the_page_stays_usable(page):
    shown = page(min=9000, cap=1)
    (error,) = shown.app.error
    assert "This cost model contradicts itself" in error.value
    assert "9000" in error.value
    assert not shown.charts
    shown.type("min", 100.0)
    assert shown.charts
    assert not shown.app.error


def test_the_health_centre_comes_back_with_its_story(page):
    shown = page(e0=2, k=4, comp=1, sh=3, cur="EUR", model="fine", rate=3, lv="1", s=5, rel=7)
    shown.press("The paper's health").assert_told(BudgetForBreach(Scenario()))
    assert any("John Doe" in text for text in shown.texts)
    assert shown.links["address"] == "", "everything stands at its default again"


def test_the_money_group_is_open_on_arrival_and_then_the_readers_own(open_page):
    shown = open_page("overview")
    shown.app.session_state["group_money"] = False
    shown.run()
    shown.visit("budget_minimiser")
    assert shown.app.session_state["group_money"] is True
    shown.app.session_state["group_money"] = False
    shown.run()
    assert shown.app.session_state["group_money"] is False


# --- a table of points ------------------------------------------------------------------------------------------------


def points_field(shown):
    return shown.app.text_area(key="_pts_typed")


def typed(shown, text):
    points_field(shown).set_value(text)
    return shown.run()


def of(*points):
    return BudgetForBreach(Scenario(), kind="table", **({"points": points} if points else {}))


def test_points_can_be_typed_or_pasted(page):
    shown = page(model="table")
    for text in (TYPED, "ε\tmoney\n0.1\t5\n0.6\t900\n2\t100000\n", "0.1;5\n\n 0.6 ; 900\n2;100000"):
        typed(shown, text).assert_told(of(*POINTS))
        assert not shown.app.error
        assert "pts=1+0.1_5+0.6_900+2_100000" in shown.links["address"]
        assert points_field(shown).value == text, "what was typed is left as it is"
    shown.choose("model", "head").choose("model", "table").assert_told(of(*POINTS))
    assert points_field(shown).value == text, "it survives another model"


@pytest.fixture(scope="module")
def shared(open_page):
    """One session for all texts that make no table: after each, the table is the one that was."""
    return open_page("budget_minimiser", tab="budget", model="table")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "at least one row"),
        ("0.5, 100", "at least two"),
        ("0.1, 500\n0.5, 100", "at least 500"),
        ("0.5, 1\n0.5, 2", "above 0.5"),
        ("0, 1\n0.5, 2", "1e-100"),
        ("0.1, -3\n0.5, 2", "at least 0"),
        ("0.1 1 7\n0.5 2", "row 1 must have 2 numbers"),
        ("0.1, 1\n0.5, 1,000", "row 2 must have 2 numbers"),
        ("0.1, 1\nhalf, 2", "half"),
        ("0.1, 1\n0.5, nan", "nan"),
        ("0.1, 1\n0.5, 1e400", "1e400"),
        ("\n".join(f"{each + 1}, {each}" for each in range(41)), "at most 40 rows"),
    ],
)
def test_points_that_make_no_table_are_named_and_nothing_is_lost(shared, text, reason):
    shown = typed(shared, text)
    (error,) = (each.value.replace("\\", "") for each in shown.app.error)
    assert reason in error
    assert "stays in force" in error
    assert points_field(shown).value == text
    shown.assert_told(of())
    assert "pts=" not in shown.links["address"]


def upload(shown, data, name="points.csv"):
    shown.app.file_uploader[0].set_value((name, data, "text/csv"))
    return shown.run()


@pytest.fixture
def with_upload(page):
    """Open the page with a table of points and the upload below its field."""

    def open_it():
        shown = page(model="table")
        shown.app.session_state["group_pts_file"] = True
        return shown.run()

    return open_it


def test_points_can_come_from_a_file(with_upload):
    shown = upload(with_upload(), "\ufeffepsilon,money\r\n0.1,5\r\n0.6,900\r\n2,1e5\r\n".encode())
    assert points_field(shown).value == "0.1, 5\n0.6, 900\n2, 100000"
    shown.assert_told(of(*POINTS))
    typed(shown, "0.1, 5\n0.6, 900")
    assert points_field(shown).value == "0.1, 5\n0.6, 900", "the file does not come back over what is typed"
    assert "pts=1+0.1_5+0.6_900" in shown.links["address"]


def test_a_file_of_exactly_the_largest_size_is_taken(with_upload):
    points = b"0.1,5\n0.6,900\n"
    shown = upload(with_upload(), points.ljust(100_000))
    assert points_field(shown).value == "0.1, 5\n0.6, 900"
    assert not shown.app.error
    upload(shown, points.ljust(100_001), "larger.csv")
    assert "at most 100 kB" in shown.app.error[0].value


def test_a_file_that_holds_no_table_is_named_and_the_table_stays(with_upload):
    shown = with_upload()
    points = points_field(shown).value
    for data, reason in (
        (b"", "at least one row"),
        (b"0.5,3", "at least two"),
        (b"0.1,9\n0.5,3", "at least 9"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"1,2\n" * 30_000, "at most 100 kB"),
        (b"<b>0.1</b>,9\n0.5,3\n", "must hold numbers"),
    ):
        upload(shown, data)
        (error,) = (each.value.replace("\\", "") for each in shown.app.error)
        assert reason in error
        assert points_field(shown).value == points
        assert "points.csv" not in shown.words


def test_a_public_demonstration_takes_no_files(page, monkeypatch):
    from par_core import deployment

    monkeypatch.setenv("PAR_UPLOADS", "0")
    deployment.settings.cache_clear()
    try:
        assert not [each for each in page(model="table").app.expander if each.label == "From a file"]
    finally:
        monkeypatch.undo()
        deployment.settings.cache_clear()


@pytest.mark.parametrize(
    "asked", ["1 0.5_1", "1 0.5_9 0.6_1", "2 0.1_5 0.6_900", "0.1_5 0.6_900", "1 0.1_5_6 0.6_900", "1 a_b"]
)
def test_a_link_with_points_that_make_no_table_is_answered_with_a_sentence(page, asked):
    shown = page(model="table", pts=asked)
    (sentence,) = (each for each in shown.warnings if "cannot be used" in each)
    assert asked in sentence
    shown.assert_told(of())


# --- scenarios side by side -------------------------------------------------------------------------------------------


def names(shown):
    return [*shown.app.table[0].value.columns[1:]]


def adds(shown):
    (add,) = (each for each in shown.app.button if each.label.startswith("Add the present"))
    return not add.disabled


def test_scenarios_are_kept_compared_removed_and_brought_back(page, open_page):
    shown = page("compare", e0=0.7, model="table", pts="1 0.1_5 0.6_900 2_1e5").press("Add the present")
    shown.type("e0", 0.3).press("Add the present").type("comp", 900.0)
    costs = {"kind": "table", "points": POINTS}
    kept = tuple(Breach(Scenario(epsilon0=level), **costs) for level in (0.7, 0.3))
    shown.assert_told(ComparedBudgets(Scenario(epsilon0=0.3, compensation=900.0), **costs, kept=kept))
    again = open_page("budget_minimiser", **dict(parse_qsl(shown.links["address"])))
    again.assert_told(ComparedBudgets(Scenario(epsilon0=0.3, compensation=900.0), **costs, kept=kept))
    assert not again.warnings
    assert (again.links["address"], again.links["full"]) == (shown.links["address"], shown.links["full"])
    shown.press("Remove B").type("e0", 0.2).press("Use A")
    assert (shown.number("e0").value, shown.number("comp").value) == (0.7, 5500.0)
    assert names(shown) == ["A"]


def test_at_most_four_are_kept_and_none_twice(page):
    shown = page("compare")
    for epsilon0 in (0.1, 0.2, 0.3, 0.4):
        assert not adds(shown.type("e0", epsilon0).press("Add the present"))
    assert not adds(shown.type("e0", 0.9))
    assert names(shown) == ["A", "B", "C", "D", "Present"]
    short = page("compare", e0=0.3, keep="1 e0=0.3")
    assert (names(short), adds(short)) == (["A"], False), "a short link names what differs from the defaults"


@pytest.mark.parametrize(
    "asked", ["2 e0=0.5", "1 e0=-3", "1 zz=3", "1 e0=0.1 e0=0.2 e0=0.3 e0=0.4 e0=0.6", "1 pts=1", "nonsense"]
)
def test_a_comparison_that_cannot_be_used_is_named_and_the_page_stays(page, asked):
    shown = page("compare", keep=asked, e0=0.4)
    (sentence,) = (each for each in shown.warnings if "cannot be used" in each)
    assert asked[:30] in sentence
    assert names(shown) == ["Present"]


def test_a_kept_scenario_that_contradicts_itself_is_left_out(page):
    shown = page("compare", keep="1 min=9000&cap=1 e0=0.2")
    assert any(each.startswith("A is left out") for each in shown.warnings)
    assert names(shown) == ["B", "Present"]
    (error,) = page("compare", min=9000, cap=1).app.error
    assert error.value.startswith("Present is left out")
