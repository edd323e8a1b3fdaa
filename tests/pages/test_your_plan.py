"""A plan in the browser: put together on Your table, seen on every page, in links without names, dropped by what is about one release."""

import json
from pathlib import Path
from urllib.parse import parse_qsl

import pytest
from click.testing import CliRunner

from par_core.cli import par
from par_core.plan import NamedRelease, Plan, PlanScenario, Release, from_address, from_toml, in_address
from par_core.queries import Histogram, edges_between
from par_core.queries.shapes import CountsShape, MeanShape
from par_core.questions import (
    AttackerGains,
    ComparedBudgets,
    MixedReleases,
    OddsIn100,
    RepeatedPlan,
    WhichEpsilon0,
    YourPlan,
)
from par_core.questions.budget_minimiser.breach import Breach
from par_core.questions.your_table.table_question import EXAMPLES
from par_core.rounding import error
from par_core.scenario import Scenario
from tests.pages.table_view import put, select, write

MARKER = "zebra4711"
COUNTS, AVERAGE = Release(CountsShape(8), times=2), Release(MeanShape(upper=5000.0), rows=29_501, times=12)
TWO = in_address((COUNTS, AVERAGE))
OWN = (
    f"{MARKER}col,age,who\n" + "".join(f"{MARKER}{'AB'[at % 2]},{20 + at % 50},p{at // 2}\n" for at in range(400))
).encode()


@pytest.fixture
def table(open_page):
    """Open the page on which a plan is put together."""
    return lambda **settings: open_page("your_table", **settings)


def link(view, part="full"):
    return dict(parse_qsl(view.links[part]))


def planned(at=0, **more):
    return PlanScenario.of(Scenario(**more), (COUNTS, AVERAGE), at)


# --- put together ---


def test_three_queries_come_to_one_script_in_seven_clicks(table, files):
    view = table().press("Put into the plan")
    view = view.choose("ask", "count").press("Put into the plan")
    view = open_section(view.choose("ask", "sum").press("Put into the plan"))
    plan = from_address(link(view)["plan"])
    assert [each.shape.noun for each in plan] == ["counts", "counts", "sum"]
    script = files["plan_code"]()
    compile(script, "release.py", "exec")
    assert "weekly_income" in script
    assert "education" in script
    read, named = from_toml(files["plan_toml"]())
    assert read.releases == plan
    assert [each.query for each in named] == [EXAMPLES[0], EXAMPLES[1], EXAMPLES[3]]
    assert all(isinstance(each, NamedRelease) for each in named)


def open_file(view, text):
    view.app.session_state["group_file"] = True
    view.run().app.file_uploader(key="scenario_file").set_value(("s.json", text.encode(), "application/json"))
    return view.run()


def open_section(view, label="Your plan"):
    view.app.session_state["tab_your_table"] = label
    return view.run()


def test_each_query_is_told_at_the_level_that_it_has_in_the_plan(table):
    view = table(e0=1).press("Put into the plan")
    assert "within 6 of the truth" in view.words
    view = view.choose("ask", "count")
    assert (
        "In the plan it would get ε₀ = 0.5 of that: 1 other release gets the rest and is further off than now."
        in view.words
    )
    assert "The published count is within 6 of the truth" in view.words
    view = view.press("Put into the plan").choose("ask", "by")
    assert "This is release 1 of your plan, and pages about one release speak of another one." in view.words
    assert "within 12 of the truth" in view.words, "half of the level, twice as far off"


def test_a_query_is_told_with_the_mechanism_and_the_statistics_that_its_release_has(table):
    """Not with those of the sidebar, which are for the next release."""
    view = open_section(table(e0=1, stats=3).press("Put into the plan"))
    view.app.selectbox(key="_kind_0").set_value("gaussian")
    view = open_section(view.run(), "How far off")
    assert "This is release 1 of your plan" in view.words
    off = Plan(from_address(link(view)["plan"]), 1.0).error(0)
    assert f"within {error(off)} of the truth" in view.headline
    (strip,) = (each for each in view.texts if "is within ±" in each)
    assert f"±{error(off)} in" in strip


def test_the_guess_of_a_query_in_the_plan_is_that_of_its_release(table):
    view = table(ask="mean", nb="add-or-remove").press("Put into the plan").type("n", 10)
    assert "if at least 10 rows are averaged" in view.words
    assert link(view)["plan"] == "1~mean_u5000_g10_t2"
    assert open_section(view).number("_guess_0").value == 10
    view = open_section(view.type("_guess_0", 700), "How far off")
    assert view.number("n").value == 700
    assert "if at least 700 rows are averaged" in view.words
    assert "Type how many rows are averaged, at least" in view.type("n", None).words
    assert link(view.type("n", 10**12))["plan"] == "1~mean_u5000_g1000000000000_t2"
    alone = open_section(view, "ε₀ for a wanted error").type("n", 50)
    assert link(alone)["plan"] == "1~mean_u5000_g1000000000000_t2", "the plan plays no part there"
    view = open_section(alone, "How far off").type("n", None).press("Close the plan")
    assert f"if at least {view.number('n').value:,} rows are averaged" in view.words


def test_a_mean_over_a_public_number_of_rows_says_so_before_it_is_put_into_the_plan(table):
    view = table(ask="mean").press("Put into the plan, with 29,501 rows as public")
    assert link(view)["plan"] == "1~mean_u5000_n29501_t2"


def test_of_a_file_of_ones_own_only_the_shape_is_in_links_and_the_names_are_in_the_session(table, files):
    view = put(table(table="own", rows=2), OWN, f"{MARKER}.csv")
    view = write(select(view, "by", f"{MARKER}col"), "cat", f"{MARKER}A\n{MARKER}B")
    assert "plan" not in link(view)
    view = open_section(view.press("Put into the plan"))
    assert link(view)["plan"] == "1~counts_2_r2_t2"
    assert MARKER not in json.dumps(view.links)
    assert f"Counts by {MARKER}col" in view.words.replace("\\", "")
    assert f"{MARKER}col" in files["plan_code"]()
    for name in ("report", "notebook_all"):
        assert MARKER not in files[name](), name


@pytest.mark.parametrize("copied", [False, True])
def test_a_plan_that_was_saved_is_opened_with_its_names_where_its_table_is(table, files, copied):
    """A list that was copied from the file is marked before and after."""
    view = put(table(table="own", rows=2, rel=12), OWN, f"{MARKER}.csv")
    view.app.session_state["group_plan_file"] = True
    view = select(view, "by", f"{MARKER}col")
    view = view.press("Copy from the file") if copied else write(view, "cat", f"{MARKER}A\n{MARKER}B")
    view = open_section(view.press("Put into the plan"))
    saved, script = files["plan_toml"](), files["plan_code"]()
    for text in (saved, script):
        assert text.count("# Categories: COPIED FROM THE FILE, which reveals it\n") == copied
    assert copied == any("Copied from the file" in each for each in view.warnings)
    view = view.press("Close the plan")
    files.clear()
    (field,) = (each for each in view.app.file_uploader if each.label == "Open a plan (TOML)")
    field.set_value(("plan.toml", saved.encode(), "application/toml"))
    view.run()
    assert link(view)["plan"] == "1~counts_2_r2_t12"
    assert "The plan of 1 release is open." in [each.value for each in view.app.caption]
    assert f"Counts by {MARKER}col" in view.words.replace("\\", "")
    assert files["plan_code"]() == script
    assert copied == any("Copied from the file" in each for each in view.warnings)
    (field,) = (each for each in view.app.file_uploader if each.label == "Open a plan (TOML)")
    field.set_value(("plan.toml", b"format = 1", "application/toml"))
    view.run()
    assert any("Nothing was changed" in each.value for each in view.app.error)


def test_a_histogram_of_a_file_is_in_links_as_counts_and_par_writes_the_script_of_the_page(
    table, files, tmp_path, monkeypatch
):
    view = put(table(table="own", ask="hist", rows=2, rel=12), OWN, f"{MARKER}.csv")
    view = select(select(view, "bin", "age"), "who", "who")
    view = view.type("own_blo", 20).type("own_bhi", 80.5).type("own_bw", 5.5)
    assert "Each of 13 published counts is within" in view.words
    view = open_section(view.press("Put into the plan"))
    assert link(view)["plan"] == "1~counts_13_r2_t12"
    assert MARKER not in json.dumps(view.links)
    assert "80.5" not in json.dumps(view.links)
    assert "Histogram of age" in view.words
    query = Histogram("age", edges_between(20, 80.5, 5.5))
    assert [each.query for each in from_toml(files["plan_toml"]())[1]] == [query]
    monkeypatch.chdir(tmp_path)
    Path("plan.toml").write_bytes(files["plan_toml"]().encode())
    Path("data.csv").write_bytes(OWN)
    found = CliRunner().invoke(par, ["plan", "plan.toml", "data.csv", "--code", "release.py"], catch_exceptions=False)
    assert found.exit_code == 0, found.stderr
    assert Path("release.py").read_bytes() == files["plan_code"]().encode()
    for name in ("report", "notebook_all"):
        assert "80.5" not in files[name](), name


def test_a_plan_from_a_link_is_shown_but_its_script_needs_the_table(table, files):
    view = table(plan=TWO, tab="all")
    view.assert_told(YourPlan(planned()))
    assert "each statistic into a plan again" in view.words
    assert "plan_code" not in files


def test_the_plan_of_a_link_has_no_names_of_another_one(table, files):
    view = table().press("Put into the plan")
    view.visit("your_table", v="2", plan="1~counts_8_r3", tab="all")
    assert "put each statistic into a plan again" in view.words
    assert "plan_code" not in files


def test_the_plan_of_a_file_has_no_names_of_the_one_before(table, files):
    view = table().press("Put into the plan").press("Close the plan")
    open_file(view, Scenario().to_file({}, "1~counts_8_t3"))
    files.clear()
    assert "put each statistic into a plan again" in open_section(view).words
    assert "plan_code" not in files


def test_the_way_back_to_an_address_from_before_the_plan_leaves_it(table):
    view = table().visit("composition", tab="mixed")
    before = link(view, "address")
    assert "plan" not in before
    view = view.visit("your_table").press("Put into the plan").visit("composition", **before)
    assert "plan" in link(view)
    assert not view.warnings
    of_two = link(view.visit("composition", v=2, plan=TWO), "address")
    view = view.visit("your_table", tab="all")
    view.app.button(key="remove_0").click()
    view.run().app.number_input(key="_wish_0").set_value(5.0)
    view = view.run()
    assert link(view)["pw"] == "5"
    again = link(view.visit("composition", **of_two))
    assert again["plan"] == TWO
    assert "pw" not in again, "that wish is of another release"


@pytest.mark.parametrize(
    ("page", "tab", "button"),
    [("budget_minimiser", "budget", "The paper's health"), ("explicit_risk", "pieces", "The example with ε₀ = 1")],
)
def test_an_example_is_one_release_and_no_plan(open_page, page, tab, button):
    view = open_page(page, tab=tab, plan=TWO, seen=2).press(button)
    assert not {"plan", "seen"} & link(view).keys()


def test_what_is_looked_at_stays_so_as_an_earlier_release_is_taken_out(table):
    view = table(plan=f"{TWO}~sum_u9", tab="all", seen=2)
    view.app.button(key="remove_0").click()
    assert "seen" not in link(view.run()), "the second is the first now"


def test_a_release_is_changed_taken_out_and_the_plan_closed(table):
    view = table(plan=TWO, tab="all")
    view.app.number_input(key="_times_0").set_value(7)
    view.run()
    view.app.selectbox(key="_kind_0").set_value("gaussian")
    view.run()
    assert link(view)["plan"] == "1~counts_8_t7_mG~mean_u5000_n29501_t12"
    view.app.button(key="remove_0").click()
    view.run()
    assert link(view)["plan"] == "1~mean_u5000_n29501_t12"
    view = view.press("Close the plan")
    assert "plan" not in link(view)
    assert "So far your scenario is the plan." in view.words
    view.assert_told(YourPlan(Scenario()))


def test_wishes_are_in_links_go_with_their_release_and_shares_follow_them(table):
    view = table(plan=TWO, tab="all", pw="20_3")
    view.assert_told(YourPlan(planned(), (20.0, 3.0)))
    shared = view.press("Share ε₀ to match the wishes")
    weights = [each.weight for each in from_address(link(shared)["plan"])]
    assert weights[0] != weights[1]
    shared.app.button(key="remove_0").click()
    assert link(shared.run())["pw"] == "3"
    assert table(plan=TWO, pw="20_").visit("decide").number("wev").value == 20
    assert table(plan=TWO, pw="1e300_").visit("decide").number("wev").value == 10
    assert table().visit("decide", v=2, plan=TWO, pw="20_3", wev=7).number("wev").value == 7


def test_what_is_typed_as_a_release_is_taken_out_changes_no_other_one(table):
    view = table(plan=f"{TWO}~sum_u9", tab="all")
    view.app.button(key="remove_0").click()
    view.app.number_input(key="_times_1").set_value(7)
    view.run()
    assert not view.app.exception
    assert link(view)["plan"] == "1~mean_u5000_n29501_t12~sum_u9"


def test_a_new_plan_has_no_wish_of_an_older_one(open_page, table):
    view = table(plan=TWO, tab="all", pw="20_3").press("Reset to the example")
    assert "pw" not in link(view)
    view = open_page("decide", plan=TWO, pw="20_3", seen=2)
    view.visit("decide", v="2", plan="1~counts_4~counts_5")
    assert link(view)["plan"] == "1~counts_4~counts_5"
    assert not {"pw", "seen"} & link(view).keys()


# --- on every page ---


@pytest.mark.parametrize(
    ("page", "tab", "asks"),
    [
        ("decide", "decide", lambda: WhichEpsilon0(planned(1))),
        ("decide", "odds", lambda: OddsIn100(planned(1))),
        ("composition", "mixed", lambda: MixedReleases(planned(1))),
        ("composition", "plan", lambda: RepeatedPlan(planned(1))),
        ("explicit_risk", "attacker", lambda: AttackerGains(planned(1).alone())),
    ],
)
def test_pages_ask_of_the_plan(open_page, page, tab, asks):
    view = open_page(page, plan=TWO, seen=2, tab=tab)
    view.assert_told(asks())
    assert not view.warnings
    assert "Release 2 (ε₀ = 0.25 of your plan's 0.5) is within" in view.words
    assert "after all 14 releases" in view.words


@pytest.mark.parametrize(
    "page", ["overview", "budget_minimiser", "sample_planner", "empirical_audit", "mechanism_lab", "paper_check"]
)
def test_every_other_page_opens_with_a_plan(open_page, page):
    for seen in (1, 2):
        view = open_page(page, plan=TWO, seen=seen)
        assert not view.app.exception
        assert not view.app.error


def test_a_section_about_one_release_says_which_and_refuses_what_is_none(open_page):
    view = open_page("composition", plan=TWO, e0=1)
    assert "About release 1 of your plan by itself, at its ε₀ = 0.5; the others spend more on top." in view.words
    assert set(view.charts["privacy_spent"].dials) == {"ce0"}  # the scenario's ε₀ is that of the plan
    assert set(open_page("composition").charts["privacy_spent"].dials) == {"ce0", "e0"}
    pair = open_page("composition", plan="1~mean_u110_g9000_t12", nb="add-or-remove")
    assert "is two noisy answers" in pair.words


def test_the_report_is_about_the_plan(open_page, files):
    open_page("decide", plan=TWO)
    text = files["report"]()
    assert "A plan of 2: 8 counts (2 times) and a mean of values from 0 to 5,000 (12 times)" in text
    assert "8 counts, discrete Laplace noise, ε₀ = 0.25, 2 times" in text


# --- links and files ---


def test_a_link_with_a_plan_has_a_version_of_its_own_and_restores_it(open_page):
    view = open_page("decide", plan=TWO, seen=2)
    assert link(view)["v"] == "2"
    again = open_page("decide", **link(view))
    assert again.links["full"] == view.links["full"]
    assert again.words == view.words
    assert link(open_page("decide"))["v"] == "1"


@pytest.mark.parametrize("address", [{"v": "1", "e0": "0.7"}, {"k": "4"}])
def test_a_link_about_one_release_drops_the_plan(open_page, address):
    view = open_page("decide", plan=TWO)
    assert "plan" in link(view)
    view.visit("decide", **address)
    assert "plan" not in link(view)
    view.assert_told(WhichEpsilon0(Scenario(epsilon0=0.7) if "e0" in address else Scenario(k=4), planned=False))


@pytest.mark.parametrize("text", ["3~counts", "1~median", "1~counts_k9", "1" + "~counts" * 61, "", "none"])
def test_a_plan_that_cannot_be_read_is_named(open_page, text):
    view = open_page("decide", plan=text, v="2")
    assert "plan" not in link(view)
    assert bool(text) == any("The link asks for Plan" in each for each in view.warnings)


def test_a_plan_that_these_neighbours_do_not_allow_is_named_and_pages_go_on(open_page):
    view = open_page("decide", plan="1~mean_u110_g9000")
    assert any("Your plan does not work with these neighbours" in each.value for each in view.app.error)
    view.assert_told(WhichEpsilon0(Scenario()))
    assert "of your plan by itself" not in view.visit("explicit_risk").words


def test_a_scenario_file_holds_the_plan(open_page, files):
    view = open_page("decide", plan=TWO, e0=0.7, pw="20_3", seen=2, wev=3)
    view.app.session_state["group_file"] = True
    view.run()
    saved = files["save_scenario"]()
    held = json.loads(saved)
    assert (held["plan"], held["epsilon0"]) == (TWO, 0.7)
    other = open_file(open_page("decide"), saved)
    again = link(other)
    assert (again["plan"], again["pw"], again["e0"]) == (TWO, "20_3", "0.7")
    assert again["wev"] == "20", "the first release is looked at"
    assert "The scenario of the file is open, with its plan" in other.words


def test_a_kept_scenario_is_the_release_that_was_looked_at_with_the_rest_of_its_plan(open_page):
    view = open_page("budget_minimiser", tab="compare", plan=TWO, seen=2).press("Add the present")
    own = Breach(planned(1).alone(), beside=planned(1).beside)
    view.assert_told(ComparedBudgets(own.scenario, kept=(own,), beside=own.beside))
    assert own.beside == 2 * 0.25
