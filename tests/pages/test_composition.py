"""The page on composition: its controls ask the questions, long counts are jobs, links hold what was set, and bad input loses nothing."""

import itertools
import re
from urllib.parse import parse_qsl

import pandas as pd
import pytest

from pages.composition import levels_table, mixed_releases
from pages.shared import answers, jobs
from par_core.errors import ParameterError
from par_core.questions import Accountants, HowManyReleases, MixedReleases
from par_core.questions.composition import mixed_count
from par_core.scenario import Scenario
from tests.pages.conftest import View


@pytest.fixture
def page(open_page):
    """Open the page at one of its sections; jobs run to their end at once."""
    return lambda tab="accountants", **settings: open_page("composition", tab=tab, **settings)


@pytest.fixture(autouse=True)
def few_places(monkeypatch):
    """Count all mixed releases, and few of them on the way."""
    monkeypatch.setattr(mixed_count, "_POINTS", 2)
    monkeypatch.setattr(mixed_count, "_MOST_ENDS", 0)


@pytest.fixture
def unknown(monkeypatch):
    """Let nothing be known yet."""
    monkeypatch.setattr(answers, "PUBLIC", answers.Kept(64_000_000))


def link(shown):
    return dict(parse_qsl(shown.links["full"], keep_blank_values=True))


# --- accountants ------------------------------------------------------------------------------------------------------


def test_the_accountants_open_on_the_scenario_and_follow_it(page):
    shown = page(rel=40, e0=0.2, d=1e-6, k=2)
    scenario = Scenario(releases=40, epsilon0=0.2, delta=1e-6, k=2)
    shown.assert_told(Accountants(scenario))
    assert link(shown)["ce0"] == "0.2"
    assert "ce0" not in shown.links["address"], "a link to it follows too"
    shown.type("rel", 5)
    assert shown.headline == "5 releases together, each with ε₀ = 0.2, spend ε = 1"
    shown.type("cn", 20).type("rel", 6)
    assert shown.headline.startswith("20 releases together"), "asked for, and no longer the scenario's"


def test_each_control_asks_its_own(page):
    shown = page().type("cd", 1e-3).turn("ce0", 0.3).type("cn", 120).type("ck", 2).pick("cno", "7", "90")
    shown.choose("cax", "log")
    asked = Accountants(Scenario(), 0.3, 120, 1e-3, drawn_k=2, axes="log", numbers_at=(7, 90))
    shown.assert_told(asked)
    assert {key: link(shown)[key] for key in ("cd", "ce0", "cn", "ck", "cno", "cax")} == {
        "cd": "0.001",
        "ce0": "0.3",
        "cn": "120",
        "ck": "2",
        "cno": "7,90",
        "cax": "log",
    }
    again = page(**{key: value for key, value in link(shown).items() if key != "tab"})
    assert link(again) == link(shown)
    for keys in ("zcdp,rdp,optimal_pure", "none"):
        chosen = tuple(each for each in keys.split(",") if each != "none")
        shown = page(curves=keys, cpaper=1)
        shown.assert_told(Accountants(Scenario(), accountants=chosen, paper_only=True))
        assert link(shown)["curves"] == keys


def test_the_buttons_bring_the_panels_of_the_figure_and_the_scenario_back(page):
    shown = page(ce0=7, cn=20, cd=0.01, curves="none", cax="log", ck=3, e0=2)
    for panel, epsilon0 in (("5a", 0.1), ("5b", 0.5), ("5c", 1.0)):
        shown.press(f"Figure {panel}")
        shown.assert_told(Accountants(Scenario(epsilon0=2.0), epsilon0, 300, numbers_at=(1, 10, 100, 300)))
    assert shown.number("e0").value == 2, "the scenario stays the reader's"
    assert "Your own scenario is another one" in shown.words
    shown.press("With my scenario").assert_told(Accountants(Scenario(epsilon0=2.0)))


@pytest.mark.usefixtures("unknown")
def test_many_releases_are_counted_in_a_job_and_what_is_known_is_not_counted_again(page, monkeypatch):
    started, count = [], jobs.run
    monkeypatch.setattr(jobs, "run", lambda key, *each, **more: started.append(key) or count(key, *each, **more))
    page(ce0=0.2113, cn=200, cno="1,10")
    assert started == []
    shown = page(ce0=0.2113, cn=1300, cno="1,900")
    assert started == ["answer_ExactCount"] * 2, "one for the chart, one for the table"
    assert "1,300 releases together" in shown.words
    page(ce0=0.2113, cn=1300, cno="1,900", curves="basic")
    assert len(started) == 2


@pytest.mark.usefixtures("unknown")
def test_until_the_exact_counts_are_there_the_quick_ones_answer(page, monkeypatch):
    monkeypatch.setattr(jobs, "run", lambda *_, **__: None)
    assert "releases together" not in page(ce0=0.2117, cn=1300).words
    shown = page("plan", e0=0.1, cte=5, rel=300)
    assert "The exact count is still running" in shown.words
    assert len(shown.charts) == 2
    assert page("mixed", mix="1 0.1_20 0.2_6").headline.endswith("by basic composition")
    assert not [key for key in answers.PUBLIC._held if isinstance(key, HowManyReleases | MixedReleases)], (
        "it is no whole answer"
    )


@pytest.mark.usefixtures("unknown")
def test_what_a_cancelled_count_found_is_shown(page, monkeypatch):
    plan = HowManyReleases(Scenario(epsilon0=0.1, releases=300), 5.0)
    (part,) = plan.needs()
    _, (_, half) = itertools.islice(part.steps(), 2)
    monkeypatch.setattr(jobs, "run", lambda *_, **__: answers.Told(half))
    shown = page("plan", e0=0.1, cte=5, rel=300)
    assert shown.headline == "You can make 133 releases within ε′ = 5"
    (table,) = (each.value for each in shown.app.table)
    assert table["ε₀ of each"].iloc[0] == "on its way"


@pytest.mark.parametrize(("key", "value"), [("cn", 10**6), ("cn", 1), ("cd", 0.0), ("cd", 1.0)])
def test_a_number_out_of_range_is_named_and_the_last_good_one_stays(page, key, value):
    shown = page()
    before = shown.chart.title
    shown.type(key, value)
    (message,) = (each.value for each in shown.app.error)
    assert "cannot be used" in message
    assert shown.chart.title == before


def test_a_scenario_that_cannot_be_composed_is_said_so(page):
    for tab in ("accountants", "plan", "mixed"):
        shown = page(tab, e0=600, rel=20, cn=20)
        assert not [each.value for each in shown.app.error]
        assert "ε₀ from 10⁻⁶ to 50" in shown.words.replace("\\", "")
    assert page("mixed", e0=600, mix="1 0.5_3").headline == "3 releases fit: 1.5 of 3 spent"


# --- how many ---------------------------------------------------------------------------------------------------------


def test_the_plan_is_of_the_scenario_and_its_level_can_be_taken_into_it(page):
    shown = page("plan", e0=0.1, cte=5, rel=300)
    shown.assert_told(HowManyReleases(Scenario(epsilon0=0.1, releases=300), 5.0))
    shown.press("Use ε₀ = 0.065 in my scenario (more private than 0.1)")
    assert shown.number("e0").value == 0.065
    assert int(re.fullmatch(r"You can make (\d+) releases within ε′ = 5", shown.headline)[1]) >= 300


def test_the_plan_can_be_changed_on_the_page_and_goes_into_the_scenario(page):
    shown = page("plan", e0=0.1)
    for key, value in (("rel_here", 50), ("d_here", 1e-6)):
        shown.app.number_input(key=key).set_value(value)
        shown.run()
    assert (shown.number("rel").value, shown.number("d").value) == (50, 1e-6)
    shown.assert_told(HowManyReleases(Scenario(epsilon0=0.1, releases=50, delta=1e-6)))
    shown.type("rel", 60)
    assert shown.app.number_input(key="rel_here").value == 60
    for key, value in (("rel_here", 10**7), ("rel_here", 0), ("d_here", 0.9), ("d_here", -1.0)):
        before = shown.headline
        shown.app.number_input(key=key).set_value(value)
        shown.run()
        assert "cannot be used" in [each.value for each in shown.app.error][-1]
        assert shown.headline == before
        assert len(shown.charts) == 2


# --- mixed ------------------------------------------------------------------------------------------------------------


def test_mixed_releases_open_on_those_that_the_scenario_plans(page):
    shown = page("mixed", rel=24, e0=0.1)
    shown.assert_told(MixedReleases(Scenario(epsilon0=0.1, releases=24)))
    assert link(shown)["mix"] == "1 0.1_24"
    assert link(shown.type("e0", 0.2))["mix"] == "1 0.2_24"
    assert page("mixed", mix="1 0.1_20 0.2_6", rel=24).headline.startswith("26 releases")


def test_the_budget_is_that_of_decide(open_page):
    view = View().visit("composition", tab="plan", cte=1.7)
    assert view.visit("decide", wt=1).number("wtv").value == 1.7
    view.type("wtv", 2.5)
    assert view.visit("composition", tab="mixed").number("cte").value == 2.5
    opened = [open_page("decide", wt=1).number("wtv"), open_page("composition", tab="plan").number("cte")]
    assert opened[0].value == opened[1].value


def test_the_table_travels_in_the_link_and_one_that_cannot_be_used_is_named(page, open_page):
    shown = page("mixed", mix="1 0.1_1 0.0371_12")
    assert link(shown)["mix"] == "1 0.1_1 0.0371_12"
    again = open_page("composition", **link(shown))
    assert not again.warnings
    assert link(again) == link(shown)
    shown = page("mixed", mix="1 0_1")
    (sentence,) = shown.warnings
    assert "“1 0_1”" in sentence
    assert shown.headline.startswith("2 releases")


@pytest.mark.parametrize(
    "asked", ["1 0_1", "1 0.1_0", "1 -1_2", "1 a_2", "1 0.1", "2 0.1_1", "1 60_1", "1 1_0.5", "1 0.1_1000001"]
)
def test_a_table_that_cannot_be_used_is_refused(asked):
    with pytest.raises(ParameterError):
        mixed_releases.TABLE.read(asked)


def test_a_table_can_be_pasted_as_text_and_a_bad_one_loses_nothing(page):
    shown = page("mixed")
    shown.app.session_state["group_mix_text"] = True
    shown.run()
    for text, told in (
        ("epsilon, count\n0.1\t1\n0.2\t1", "2 releases fit: 0.3"),
        ("0.1\n0.2\n0.3", "3 releases fit: 0.6"),
    ):
        shown.app.text_area(key="_mix_typed").set_value(text)
        assert shown.run().headline == f"{told} of 3 spent"
        assert "stays in force" not in shown.words
    shown.app.text_area(key="_mix_typed").set_value("0.1, many")
    assert shown.run().headline == "3 releases fit: 0.6 of 3 spent"
    assert "stays in force" in shown.words
    empty = page("mixed", mix="none")
    empty.app.session_state["group_mix_text"] = True
    assert "stays in force" not in empty.run().words


def frame(*rows):
    return pd.DataFrame(rows, columns=["ε₀", "Count"])


def test_the_verdict_names_the_rows_that_it_leaves_out(page, monkeypatch):
    def told(*rows, **settings):
        monkeypatch.setattr(levels_table, "_editor", lambda _: frame(*rows))
        return page("mixed", **settings)

    assert told((0.1, 3), (0.2, 0), cte=0.3).headline == "3 releases fit: 0.3 of 0.3 spent (without row 2)"
    shown = told((-1, 1), (0.1, 3), (None, 4), (0.2, 0.5), cte=0.2)
    assert shown.headline.endswith("(without rows 1, 3 and 4)")
    assert "(without" not in told((0.1, 3), (None, None), (0.2, None)).headline
    emptied = told((None, None))
    assert "Add at least one release" in emptied.words
    assert link(emptied.run())["mix"] == "none", "the table of before is not kept behind the empty one"
    too_large = told((0.1, 1_000_000), (0.2, 1))
    assert "at most 1,000,000 releases" in too_large.words.replace("\\", "")
    assert too_large.headline.startswith("2 releases"), "a table that is too large is not what the verdict is about"
    assert too_large.headline.endswith("(by the last table that could be used)")


def test_rows_that_cannot_be_used_are_named_and_left_out():
    usable, wrong, left = levels_table.sort_out(
        frame((0.1, 3), (0, 2), (-1, 1), (0.2, None), (None, None), (None, 4), (0.3, 0), (0.3, 1.5))
    )
    assert usable == ((0.1, 3.0), (0.2, 1.0))
    assert [re.match(r"Row (\d+)", sentence)[1] for sentence in wrong] == ["2", "3", "6", "7", "8"]
    assert left == [2, 3, 6, 7, 8]
    many = frame(*[(0.1, 1)] * (levels_table.MOST_ROWS + 2), (0, 1))
    assert levels_table.sort_out(many)[2] == [61, 62, 63], "beyond the last that a link can hold"
    assert levels_table.sort_out(frame((None, None), (0.1, None), (None, None)))[2] == []
    assert levels_table.sort_out(frame((0, 1)))[2] == [1]


def test_an_empty_table_holds_nothing_and_complains_of_nothing():
    assert levels_table.sort_out(frame()) == ((), [], [])
    assert levels_table.sort_out(frame((None, None))) == ((), [], [])
