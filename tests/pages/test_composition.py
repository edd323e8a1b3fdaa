"""The page on composition: its answers are those of the core, its claims are called claims, and bad input loses nothing."""

import json
import re
from decimal import Decimal
from pathlib import Path
from urllib.parse import parse_qsl

import numpy as np
import pandas as pd
import pytest

from pages.composition import levels_table
from pages.shared import answers, jobs
from par_core import composition
from par_core.composition import added_up, as_typed
from par_core.composition.composed import compose
from par_core.figures.quantities import written
from par_core.mechanisms import Laplace, drawn
from par_core.published import composition as printed
from par_core.published import explicit
from par_core.rounding import brief
from tests.pages.conftest import BADGE, View

PUBLISHED = json.loads((Path(__file__).parents[1] / "figures" / "data" / "figure_5.json").read_text(encoding="utf-8"))
PANELS = PUBLISHED["panels"]


@pytest.fixture
def page(open_page):
    """Open the page at one of its sections, with as many releases as the paper draws; jobs run to their end at once."""
    printed = {"cn": 300, "cno": "1,10,100,300"}
    return lambda tab="accountants", **settings: open_page("composition", tab=tab, **{**printed, **settings})


def headline(shown):
    return next(text.removeprefix("## ") for text in shown.texts if text.startswith("## "))


def cells(shown, column, row):
    """Return one cell of the only table, by its column and the beginning of its row."""
    (table,) = (each.value for each in shown.app.table)
    (found,) = (at for at, name in enumerate(table["Accountant"]) if name.lstrip("*").startswith(row))
    return str(table[column].iloc[found])


def link(shown):
    return dict(parse_qsl(shown.links["full"], keep_blank_values=True))


# --- accountants ------------------------------------------------------------------------------------------------------


def test_the_accountants_open_on_the_scenario_and_follow_it(open_page):
    shown = open_page("composition", rel=40, e0=0.2, d=1e-6, k=2)
    assert shown.chart.title == "Privacy spent by many releases with ε₀ = 0.2, δ = 10⁻⁶ (k = 2)"
    assert shown.chart.curve("Exact")[0][-1] == 40
    spent = brief(composition.exact(0.2, 40, delta=1e-6).upper, toward="up")
    assert headline(shown) == f"40 releases together, each with ε₀ = 0.2, spend ε = {spent}"
    assert shown.chart.own[0][0] == 40
    shown.type("rel", 1)
    assert headline(shown) == "One release with ε₀ = 0.2 spends ε = 0.2"
    assert shown.chart.own[0][0] == 1
    assert shown.chart.curve("Exact")[0][-1] == 12, "one release alone makes no curve"
    assert list(shown.app.table[0].value.columns) == ["Accountant", "1", "12"]
    assert shown.type("cn", 20).type("rel", 5).chart.curve("Exact")[0][-1] == 20
    assert headline(shown).startswith("20 releases together"), "asked for, and no longer the scenario's"


def test_paper_only_leaves_what_figure_5_prints(page):
    shown = page(cpaper=1, curves="basic,advanced,zcdp,at_risk_as_drawn", rel=40)
    assert shown.chart.names == ["Basic composition", "Advanced composition", "PaR, as drawn (δ = 0.0001)"]
    assert "(Refuted)" in shown.words


def test_the_printed_numbers_show_what_was_drawn_what_the_theorem_says_and_the_truth(page):
    shown = page()
    golden = PANELS["epsilon0=0.5"]
    numbers, drawn = shown.chart.curve("PaR, as drawn (δ = 0.0001)")
    np.testing.assert_allclose(drawn[:299], golden["privacy at risk"], rtol=0, atol=1e-9)
    np.testing.assert_array_equal(numbers, range(1, 301))
    _, theorem = shown.chart.curve("PaR, Theorem 3;")
    np.testing.assert_array_equal(theorem, printed.at_risk(0.5, np.arange(1, 301), delta=1e-5))
    _, exact = shown.chart.curve("Exact")
    assert exact[-1] == pytest.approx(63.9817970788, rel=1e-7)
    assert headline(shown) == "300 releases together, each with ε₀ = 0.5, spend ε = 64", "rounded up"
    assert "that is (ε, δ)-DP with δ = 10⁻⁵. (Proven)" in shown.words
    (words,) = (text for text in shown.texts if "Theorem 3 of the paper says" in text)
    assert words.startswith("Basic composition gives 150: always on the safe side. (Proven)")
    assert words.endswith("At such an ε next to nothing is protected.")
    told = "figure 5 gives 53.8 (too low). (Refuted) Theorem 3 of the paper says 63.1 (too low). (Refuted)"
    assert told in words
    assert "Figure 5 of the paper draws" not in words, "it ends at 299 releases"
    assert "1e-4" not in shown.words
    assert "ten times as large as the text says (here 0.0001)" in shown.words


@pytest.mark.parametrize(("panel", "epsilon0"), [("5a", 0.1), ("5b", 0.5), ("5c", 1.0)])
def test_the_buttons_bring_the_panels_of_the_figure(page, panel, epsilon0):
    shown = page(ce0=7, cn=20, cd=0.01, curves="none", cax="log", ck=3, e0=2).press(f"Figure {panel}")
    assert shown.chart.title == f"Privacy spent by many releases with ε₀ = {epsilon0:g}, δ = 10⁻⁵"
    _, drawn = shown.chart.curve("PaR, as drawn")
    np.testing.assert_allclose(drawn[:299], PANELS[f"epsilon0={epsilon0}"]["privacy at risk"], rtol=0, atol=1e-9)
    assert shown.number("e0").value == 2, "the scenario stays the reader's"


@pytest.mark.parametrize(
    ("settings", "drawn"),
    [({}, True), ({"cd": 1e-6}, False), ({"ce0": 20}, False), ({"ck": 2}, False), ({"cn": 300}, False)],
)
def test_figure_5_is_said_to_draw_only_what_it_draws(page, settings, drawn):
    words = page(**{"cn": 299, **settings}).words
    assert ("Figure 5 of the paper draws" in words) is drawn
    assert ("The formula of the paper’s figure 5 gives" in words) is not drawn


def test_a_claim_that_is_not_too_low_is_not_called_so(page):
    assert re.search(r"Theorem 3 of the paper says [\d.]+\. ", page(cn=100).words)


def test_the_delta_of_the_curve_as_drawn_is_not_called_tenfold_where_it_is_not(page):
    assert "ten times as large as the text says (here cut off at 0.5)" in page(cd=0.4, cn=20).words
    assert "ten times as large as the text says (here 0.3)" in page(cd=0.03, cn=20).words


def test_the_description_of_the_chart_rounds_what_is_proven_up(page):
    told = page(ce0=0.1, cn=100, curves="basic,zcdp").chart.alt
    exact = composition.exact(0.1, 100, delta=1e-5).upper
    zcdp = composition.zcdp(0.1, 100, delta=1e-5)
    for name, value in (("exact", exact), ("zCDP", zcdp)):
        assert re.search(rf"{name} ([\d.]+\d)", told)[1] == brief(value, toward="up")


def test_the_advanced_curve_of_the_figure_has_the_larger_delta(page):
    _, advanced = page(cd=1e-4).chart.curve("Advanced composition")
    np.testing.assert_allclose(advanced[:299], PANELS["epsilon0=0.5"]["advanced"], rtol=0, atol=1e-9)


@pytest.mark.parametrize(("epsilon0", "largest", "first"), [(0.5, 300, "257"), (1.0, 300, "277"), (0.1, 4000, "3,116")])
def test_the_first_number_of_releases_where_theorem_3_is_too_low_is_stated(page, epsilon0, largest, first):
    shown = page(ce0=epsilon0, cn=largest)
    (words,) = (text for text in shown.texts if "Theorem 3 as published" in text)
    assert f"Theorem 3 as published: not a valid guarantee from {first} releases on" in words
    assert "(Refuted)" in words
    assert any("not a valid guarantee" in name for name in shown.chart.names)


def test_with_the_true_confidence_and_in_the_preprint_it_is_not_too_low(page):
    shown = page(curves="at_risk_exact,at_risk_preprint")
    assert not [name for name in shown.chart.names if "valid" in name]
    assert "nowhere below the exact curve in this picture" in shown.words
    assert cells(shown, "300", "PaR, true confidence").startswith("76.3")


def test_a_claim_that_is_large_enough_again_is_too_low_only_up_to_there(page):
    words = page(ce0=1).words
    last = int(
        re.search(r"as figure 5 draws it \(δ = 0.0001\): not a valid guarantee from the first release to (\d+)", words)[
            1
        ]
    )
    below = composition.compare(1.0, [last, last + 1], delta=1e-5, keys=["at_risk_as_drawn"]).curves[0].below
    assert below.tolist() == [True, False]


@pytest.mark.parametrize(
    ("settings", "last"),
    [({"ce0": 1, "cn": 2000}, "26"), ({"ce0": 0.5, "cn": 2000}, "663"), ({"ce0": 0.5, "cd": 0.05, "cn": 2000}, "78")],
)
def test_the_end_of_what_is_too_low_is_told_to_the_very_number(page, settings, last):
    words = page(**settings).words
    assert re.search(
        rf"as figure 5 draws it \(δ = [\d.]+\): not a valid guarantee from the first release to {last}\.", words
    )


def test_the_mark_says_the_same_as_the_text_though_its_number_is_not_drawn(page):
    shown = page(cn=2000)
    assert 257 not in shown.chart.curve("Exact")[0], "the example must be one"
    (mark,) = (name for name in shown.chart.names if "Theorem 3: too low" in name)
    told = mark.removeprefix("PaR, Theorem 3: too low ").split(";")[0]
    assert told.startswith("from 257 releases")
    assert f"Theorem 3 as published: not a valid guarantee {told}." in shown.words


def test_another_curve_does_not_compute_the_truth_again(page, monkeypatch):
    asked = []
    counted = composition.exact
    monkeypatch.setattr(composition, "exact", lambda *each, **more: asked.append(each) or counted(*each, **more))
    page(ce0=0.317, cn=211, curves="basic")
    assert asked
    before = len(asked)
    for curves in ("basic,rdp", "basic,rdp,at_risk", "none"):
        page(ce0=0.317, cn=211, curves=curves)
    assert len(asked) == before


def test_many_releases_are_counted_in_a_job(page, monkeypatch):
    started, count = [], jobs.run
    monkeypatch.setattr(jobs, "run", lambda key, *each, **more: started.append(key) or count(key, *each, **more))
    page(ce0=0.2113, cn=200, cno="1,10")
    assert started == []
    shown = page(ce0=0.2113, cn=1300, cno="1,900")
    assert started == ["answer_ExactCount"] * 2
    assert "1,300 releases together" in shown.words
    page(ce0=0.2113, cn=1300, cno="1,900", curves="basic")
    assert len(started) == 2, "what is known is not counted again"


def test_nothing_is_drawn_before_the_count_is_there(page, monkeypatch):
    monkeypatch.setattr(jobs, "run", lambda *_, **__: None)
    assert "releases together" not in page(ce0=0.2117, cn=1300).words


@pytest.mark.parametrize("keys", ["basic", "zcdp,rdp,optimal_pure", "none"])
def test_only_the_chosen_curves_are_drawn_and_always_the_exact_one(page, keys):
    shown = page(curves=keys)
    assert "Exact privacy loss distribution" in shown.chart.names
    assert len(shown.chart.names) == 2 + (0 if keys == "none" else keys.count(",") + 1), "and the reader's own"
    assert link(shown)["curves"] == keys


def test_every_curve_can_be_chosen_at_once(page):
    shown = page(curves=",".join(composition.ACCOUNTANTS))
    (table,) = (each.value for each in shown.app.table)
    assert len(table) == 1 + len(composition.ACCOUNTANTS)


def test_the_table_holds_the_numbers_rounded_to_the_safe_side_and_names_what_is_too_low(page):
    shown = page().pick("cno", "7", "300")
    seven = composition.exact(0.5, 7, delta=1e-5)
    assert cells(shown, "7", "Exact") == brief(float(seven.value), toward="up")
    assert float(cells(shown, "300", "Basic composition")) == 150
    assert cells(shown, "300", "PaR, Theorem 3") == "63.1 (too low)"
    assert cells(shown, "7", "PaR, Theorem 3") == brief(float(printed.at_risk(0.5, 7, delta=1e-5)))


def test_the_readers_own_setting_is_marked_on_its_own_curve(page):
    shown = page(rel=40)
    ((number, spent, text),) = shown.chart.own
    assert (number, spent) == (40, pytest.approx(composition.exact(0.5, 40, delta=1e-5).upper))
    assert text == brief(spent, toward="up")
    other = page(rel=40, e0=0.2, ce0=0.5)
    assert not other.chart.own, "a point of another ε₀ does not belong to these curves"
    (words,) = (text for text in other.texts if "Your own scenario" in text)
    assert "40 releases with ε₀ = 0.2" in words
    again = other.press("With my scenario")
    assert again.chart.own[0][0] == 40
    assert "ε₀ = 0.2" in again.chart.title


@pytest.mark.parametrize("change", [{"cd": 1e-3}, {"ce0": 0.3}, {"cn": 120}])
def test_the_exact_curve_follows_the_controls(page, change):
    shown = page()
    for key, value in change.items():
        shown.type(key, value)
    asked = {"ce0": 0.5, "cn": 300, "cd": 1e-5} | change
    numbers, spent = shown.chart.curve("Exact")
    again = composition.exact(asked["ce0"], numbers.astype(int), delta=asked["cd"])
    np.testing.assert_array_equal(spent, again.upper)


@pytest.mark.parametrize(("key", "value"), [("cn", 10**6), ("cn", 1), ("cd", 0.0), ("cd", 1.0)])
def test_a_number_out_of_range_is_named_and_the_last_good_one_stays(page, key, value):
    shown = page()
    before = shown.chart.title
    shown.type(key, value)
    (message,) = (each.value for each in shown.app.error)
    assert "cannot be used" in message
    assert shown.chart.title == before


def test_thousands_of_releases_are_drawn_at_a_few_hundred_places(page):
    numbers, spent = page(cn=20_000, ce0=0.01, curves="basic").chart.curve("Exact")
    assert numbers[0] == 1
    assert numbers[-1] == 20_000
    assert 100 < numbers.size < 260
    assert (np.diff(spent) > 0).all()


def test_a_scenario_that_cannot_be_composed_here_is_said_so(page):
    for tab in ("accountants", "plan", "mixed"):
        shown = page(tab, e0=600, rel=10**6)
        assert not shown.app.exception
        assert not [each.value for each in shown.app.error]
        if tab != "mixed":
            assert re.search(r"ε₀ from 10⁻⁶ to 50", shown.words)


# --- how many ---------------------------------------------------------------------------------------------------------


def test_the_plan_answers_both_ways_by_the_exact_count(page):
    shown = page("plan", e0=0.1, cte=5, rel=300)
    releases = composition.largest_compositions("exact", 0.1, epsilon=5, delta=1e-5)
    level = composition.epsilon0_for("exact", 300, epsilon=5, delta=1e-5)
    assert headline(shown) == f"You can make {releases.compositions} releases within ε′ = 5"
    assert "With ε₀ = 0.1 each, they stay within the target together (δ = 10⁻⁵). (Proven)" in shown.texts
    told = float(re.search(r"Each of the 300 planned releases may use ε₀ up to (\d+\.\d+)", shown.words)[1])
    assert told == 0.065 < level.epsilon0 < 0.066, "rounded down"
    assert composition.exact(told, 300, delta=1e-5).upper <= 5
    for key, name in (("exact", "Exact"), ("zcdp", "zCDP"), ("at_risk_as_drawn", "PaR, as drawn")):
        one = composition.largest_compositions(key, 0.1, epsilon=5, delta=1e-5)
        mark = (" (too many)", " (too high)") if key == "at_risk_as_drawn" else ("", "")
        assert cells(shown, "Releases", name) == f"{one.compositions:,}{mark[0]}"
        other = composition.epsilon0_for(key, 300, epsilon=5, delta=1e-5).quantity("epsilon0")
        level_told = cells(shown, "ε₀ of each", name)
        assert level_told == written(other) + mark[1]
    assert "Larger is better, if proven" in shown.words
    assert "The smaller the number, the better" not in shown.words
    assert "allows more than is safe" in shown.words
    (table,) = (each.value for each in shown.app.table)
    badges = dict(zip(*(table["Accountant"].str.extract(rf"(.*?) {BADGE}")[at] for at in (0, 1)), strict=True))
    assert badges["PaR, as drawn"] == "Refuted"
    claims = [name for name in badges if name.startswith("PaR, ") and name != "PaR, true confidence"]
    assert {badges[name] for name in claims} == {"Refuted", "Holds here"}
    for name in claims:
        too_much = "(too " in cells(shown, "Releases", name) + cells(shown, "ε₀ of each", name)
        assert badges[name] == ("Refuted" if too_much else "Holds here")
    assert badges["Exact privacy loss distribution"] == "Proven"


def test_the_found_level_can_be_taken_into_the_scenario(page):
    shown = page("plan", e0=0.1, cte=5, rel=300).press("Use ε")
    assert shown.number("e0").value == 0.065
    number = int(re.fullmatch(r"You can make (\d+) releases within ε′ = 5", headline(shown))[1])
    assert number >= 300
    assert (
        composition.exact(0.065, number, delta=1e-5).upper <= 5 < composition.exact(0.065, number + 1, delta=1e-5).upper
    )


@pytest.mark.parametrize("target", [3, 4, 5.2])
def test_the_level_of_a_plan_is_told_so_that_it_still_fits(page, target):
    level = composition.epsilon0_for("exact", 300, epsilon=target, delta=1e-5).epsilon0
    shown = page("plan", e0=0.1, cte=target, rel=300)
    told = re.search(r"may use ε₀ up to (\d[\d.]*\d)", shown.words)[1]
    assert float(told) <= level < float(told) * 1.034  # two digits
    assert composition.exact(float(told), 300, delta=1e-5).upper <= target
    assert cells(shown, "ε₀ of each", "Exact") == told
    bars = next(chart for chart in shown.charts.values() if "ε₀ of each" in chart.title)
    assert told in [text for trace in bars.figure["data"] for text in trace["text"]]


def test_the_plan_can_be_changed_on_the_page_and_goes_into_the_scenario(page):
    shown = page("plan", e0=0.1)
    shown.app.number_input(key="rel_here").set_value(50)
    shown.run()
    shown.app.number_input(key="d_here").set_value(1e-6)
    shown.run()
    assert (shown.number("rel").value, shown.number("d").value) == (50, 1e-6)
    assert "Each of the 50 planned releases may" in shown.words
    assert "δ = 10⁻⁶" in shown.words
    shown.type("rel", 60)
    assert shown.app.number_input(key="rel_here").value == 60


@pytest.mark.parametrize(("key", "value"), [("rel_here", 10**7), ("rel_here", 0), ("d_here", 0.9), ("d_here", -1.0)])
def test_a_plan_that_cannot_be_is_named_and_the_last_good_one_stays(page, key, value):
    shown = page("plan")
    before = headline(shown)
    shown.app.number_input(key=key).set_value(value)
    shown.run()
    (message,) = (each.value for each in shown.app.error)
    assert "cannot be used" in message
    assert headline(shown) == before
    assert len(shown.charts) == 2


@pytest.mark.parametrize(("epsilon0", "target", "delta"), [(0.1, 3.5, 1e-5), (0.5, 63.99, 1e-5), (0.5, 10, 1e-5)])
def test_so_many_counts_fit_as_their_own_noise_allows(page, epsilon0, target, delta):
    words = page("plan", e0=epsilon0, d=delta, cte=target).words
    number = int(re.search(r"only (\d+) counts that one person moves by 1 fit\. \(Proven\)", words)[1])
    noise = drawn(whole=True).for_epsilon(epsilon0, sensitivity=1.0)
    assert compose(noise, number).epsilon(delta) <= target < compose(noise, number + 1).epsilon(delta)


def test_of_few_releases_counts_spend_no_more(page):
    assert "whole numbers" not in page("plan").words


def test_not_even_one_release_fits(page):
    shown = page("plan", e0=5, cte=0.1)
    assert headline(shown) == "You cannot make even one release within ε′ = 0.1"
    assert "One release with ε₀ = 5 spends more" in shown.words
    assert cells(shown, "Releases", "Basic composition") == "0"
    assert "whole numbers" not in shown.words


def test_where_the_search_for_a_level_stops_is_said(page):
    shown = page("plan", e0=0.1, cte=1e-6, rel=1000)
    assert "No ε₀ from 10⁻⁶ on, where the search stops, is small enough for 1,000 releases" in shown.words
    assert cells(shown, "ε₀ of each", "Basic composition") == "none from 10⁻⁶ on"
    assert "The one planned release may use ε₀ up to 50 or more." in page("plan", e0=0.1, cte=1000, rel=1).words


def test_one_release_that_fits_is_told_as_one(page):
    shown = page("plan", e0=2, cte=2)
    assert headline(shown) == "You can make 1 release within ε′ = 2"
    assert "With ε₀ = 2 it stays within the target (δ = 10⁻⁵). (Proven)" in shown.texts


def test_the_claims_of_a_plan_are_for_the_k_of_the_scenario(page):
    shown = page("plan", e0=0.5, cte=20, rel=100, k=5)
    one, five = (
        composition.largest_compositions("at_risk", 0.5, epsilon=20, delta=1e-5, k=k).compositions for k in (1, 5)
    )
    assert one != five, "the example must be one"
    assert cells(shown, "Releases", "PaR, Theorem 3").startswith(f"{five:,}")
    level = composition.epsilon0_for("at_risk", 100, epsilon=20, delta=1e-5, k=5).quantity("epsilon0")
    assert cells(shown, "ε₀ of each", "PaR, Theorem 3").split()[0] == written(level)
    assert "claims of the paper, for the k = 5 of your scenario" in shown.words


def test_more_releases_than_a_way_of_counting_can_take_leave_its_cell_empty(page):
    shown = page("plan", e0=0.5, rel=10**6)
    assert cells(shown, "ε₀ of each", "Optimal composition") == "too many to count"
    assert float(cells(shown, "ε₀ of each", "Basic composition")) == pytest.approx(3e-6)


def test_where_the_exact_count_stops_the_best_proven_one_answers_and_refutes_nothing_below_it(page):
    shown = page("plan", e0=1e-4, cte=1)
    renyi = composition.largest_compositions("rdp", 1e-4, epsilon=1, delta=1e-5)
    preprint = composition.largest_compositions("at_risk_preprint", 1e-4, epsilon=1, delta=1e-5)
    assert 10**6 < preprint.compositions < renyi.compositions, "the example must be one"
    assert headline(shown) == f"You can make {renyi.compositions:,} releases or more within ε′ = 1"
    assert (
        "The exact count stops at 1,000,000 releases; the number above is that of “RDP”, which is proven too."
        in shown.words
    )
    assert cells(shown, "Releases", "PaR, preprint") == f"{preprint.compositions:,}"
    assert "allows more than is proven to be safe" in shown.words
    assert (
        "Exact privacy loss distribution 1,000,000 or more; Basic composition 10,000; "
        in next(iter(shown.charts.values())).alt
    )
    assert "stops at" not in page("plan", e0=0.1, cte=5).words


def test_until_the_exact_count_is_there_the_quick_ones_answer(open_page, monkeypatch):
    monkeypatch.setattr(answers, "PUBLIC", answers.Kept(10**6))  # nothing is known yet
    monkeypatch.setattr(jobs, "run", lambda *_, **__: None)
    shown = open_page("composition", tab="plan", e0=0.1, cte=5, rel=300)
    best = composition.largest_compositions("optimal_pure", 0.1, epsilon=5, delta=1e-5).compositions
    assert headline(shown) == f"You can make {best} releases within ε′ = 5"
    assert "The exact count is still running" in shown.words
    assert len(shown.charts) == 2


# --- mixed ------------------------------------------------------------------------------------------------------------


OF_TWO = "1 0.1_20 0.2_6"


@pytest.mark.parametrize("rel", [1, 2, 24])
def test_it_opens_on_the_releases_that_the_scenario_plans(page, rel):
    shown = page("mixed", rel=rel, e0=0.1)
    assert headline(shown).startswith(f"{rel} release")
    assert f"after {rel} releases" in shown.words or rel == 1
    assert link(shown)["mix"] == f"1 0.1_{rel}"
    shown.type("e0", 0.2)
    assert link(shown)["mix"] == f"1 0.2_{rel}"
    assert headline(page("mixed", mix=OF_TWO, rel=rel)).startswith("26 releases")


def test_the_budget_is_that_of_decide(open_page):
    view = View().visit("composition", tab="plan", cte=1.7)
    assert view.visit("decide", wt=1).number("wtv").value == 1.7
    view.type("wtv", 2.5)
    assert view.visit("composition", tab="mixed").number("cte").value == 2.5
    opened = [open_page("decide", wt=1).number("wtv"), open_page("composition", tab="plan").number("cte")]
    assert opened[0].value == opened[1].value


def test_three_times_a_tenth_fits_into_three_tenths(page):
    assert 3 * 0.1 > 0.3, "floats do not add up as people do"
    shown = page("mixed", mix="1 0.1_3", cte=0.3)
    assert headline(shown) == "3 releases fit: 0.3 of 0.3 spent"
    together = page("mixed", mix="1 0.1_1 0.2_1", cte=0.3, d=1e-15)
    assert headline(together) == "2 releases fit: 0.3 of 0.3 spent"


def test_the_exact_count_can_fit_where_the_sum_does_not(page):
    shown = page("mixed", mix=OF_TWO)
    exact = composition.exact_mixed([0.1, 0.2], [20, 6], delta=1e-5)
    assert headline(shown) == "26 releases fit: 2.43 of 3 spent, counted exactly"
    told = f"gives ε = {np.ceil(100 * exact.upper) / 100:g} at δ = 10⁻⁵, basic composition 3.2. (Proven)"
    assert f"The exact privacy loss distribution {told}" in shown.words
    claimed = printed.heterogeneous([0.1, 0.2], [20, 6], delta=1e-5)
    assert claimed > exact.upper
    assert f"Corollary 1 claims {brief(claimed)}. (Holds here)" in shown.words
    numbers, spent = shown.chart.curve("Exact")
    assert {0, 20, 26} < set(numbers)
    for number, value in zip(numbers[1:], spent[1:], strict=True):
        counts = [count for count in (min(number, 20), number - 20) if count > 0]
        assert value == composition.exact_mixed([0.1, 0.2][: len(counts)], counts, delta=1e-5).upper
    assert spent[-1] == exact.upper
    over = page("mixed", mix=OF_TWO, cte=2)
    assert headline(over) == "26 releases do not fit: more than ε = 2 is spent"


def test_a_corollary_below_the_truth_is_called_no_guarantee(page):
    shown = page("mixed", mix="1 0.5_400", cte=100)
    assert "less than is truly spent: no guarantee" in shown.words
    assert any("not a valid guarantee" in name for name in shown.chart.names)
    assert "no guarantee" not in page("mixed").words


def test_the_meters_say_what_is_used_and_what_is_left(page):
    bars = [each.proto.text for each in page("mixed", mix=OF_TWO).app.get("progress")]
    assert bars[0] == "Basic composition: 3.2 of 3 (107\u00a0%), 0.2 too much"
    assert re.fullmatch(r"Exact: 2\.43 of 3 \(80\.9.%\), 0\.57 left", bars[1])


def test_the_table_travels_in_the_link(page, open_page):
    shown = page("mixed", mix="1 0.1_1 0.0371_12")
    assert link(shown)["mix"] == "1 0.1_1 0.0371_12"
    again = open_page("composition", **link(shown))
    assert not again.warnings
    assert link(again) == link(shown)


@pytest.mark.parametrize(
    "asked", ["1 0_1", "1 0.1_0", "1 -1_2", "1 a_2", "1 0.1", "2 0.1_1", "none", "1 60_1", "1 1_0.5", "1 0.1_1000001"]
)
def test_a_table_in_a_link_that_cannot_be_used_is_named(page, asked):
    shown = page("mixed", mix=asked)
    (sentence,) = shown.warnings
    assert f"“{asked}”" in sentence
    assert headline(shown).startswith("2 releases")


def test_a_table_can_be_pasted_as_text_and_a_bad_one_loses_nothing(page):
    shown = page("mixed")
    shown.app.session_state["group_mix_text"] = True
    shown.run()
    shown.app.text_area(key="_mix_typed").set_value("epsilon, count\n0.1\t1\n0.2\t1")
    shown.run()
    assert headline(shown) == "2 releases fit: 0.3 of 3 spent"
    shown.app.text_area(key="_mix_typed").set_value("0.1, many")
    shown.run()
    assert headline(shown) == "2 releases fit: 0.3 of 3 spent"
    assert "stays in force" in shown.words


def frame(*rows):
    return pd.DataFrame(rows, columns=["ε₀", "Count"])


def test_rows_that_cannot_be_used_are_named_and_left_out():
    usable, wrong, left = levels_table.sort_out(
        frame((0.1, 3), (0, 2), (-1, 1), (0.2, None), (None, None), (None, 4), (0.3, 0), (0.3, 1.5))
    )
    assert usable == ((0.1, 3.0), (0.2, 1.0))
    assert [re.match(r"Row (\d+)", sentence)[1] for sentence in wrong] == ["2", "3", "6", "7", "8"]
    assert left == [2, 3, 6, 7, 8]


def test_an_empty_table_holds_nothing_and_complains_of_nothing():
    assert levels_table.sort_out(frame()) == ((), [], [])
    assert levels_table.sort_out(frame((None, None))) == ((), [], [])


def test_sums_are_those_of_the_numbers_as_they_are_written():
    assert added_up([(0.1, 3)]) == Decimal("0.3")
    assert added_up([(0.1, 1), (0.2, 1)]) == as_typed(0.3)
    assert added_up([(1e-6, 1), (50.0, 10**6)]) == Decimal("50000000.000001")
    assert added_up([]) == 0


# --- a change known number by number, on the page on explicit risk -----------------------------------------------------


@pytest.fixture
def known(open_page):
    def open_it(**settings):
        shown = open_page("explicit_risk", tab="truth", **settings)
        shown.app.session_state["known_change"] = True
        return shown.run()

    return open_it


def test_a_known_change_has_its_own_exact_risk(known):
    shown = known(e0=1, e=0.35, shares="0.6,0.4")
    found = composition.change_risk(0.35, 1.0, shares=[0.6, 0.4])
    (words,) = (text for text in shown.texts if "moves 2 numbers by 0.6, 0.4" in text)
    assert f"{np.ceil(1000 * found.upper) / 10:g} % of releases. (Proven)" in words
    assert f"it is {np.ceil(1000 * Laplace(1.0).loss_exceeds(0.35)) / 10:g} %" in words
    assert f"{100 * explicit.risk(0.35, 1.0, k=2):.3g} % for every person (k = 2). (Refuted)" in words
    assert f"between {np.floor(1000 * found.lower) / 10:g} % and {np.ceil(1000 * found.upper) / 10:g} %" in shown.words


def test_the_whole_change_in_one_number_is_the_worst_case(known):
    (words,) = (text for text in known(e0=1, e=0.5, shares="1").texts if "moves one number" in text)
    assert words.count("84.7 %") == 2


@pytest.mark.parametrize("bad", ["", "a", "0.5, 0.6", "-0.1, 0.2", "0", "1,5;2", "nan"])
def test_a_list_that_is_no_change_is_named_and_the_last_good_one_stays(known, bad):
    shown = known(shares="0.6,0.4")
    shown.app.text_input(key="_shares_typed").set_value(bad)
    shown.run()
    (message,) = (each.value for each in shown.app.error)
    assert "stays in force" in message
    assert "moves 2 numbers by 0.6, 0.4" in shown.words
    assert link(shown)["shares"] == "0.6,0.4"


def test_an_epsilon0_that_is_not_composed_is_said_so(known):
    assert "ε₀ from 10⁻⁶ to 50" in known(e0=600, shares="1").words


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "exponential"])
@pytest.mark.parametrize("tab", ["accountants", "plan", "mixed"])
def test_exact_is_said_only_of_a_mechanism_whose_truth_is_known(open_page, tab, mechanism):
    """Of many choices by the exponential mechanism only bounds are known: in no legend, bar, sentence or table is one called exact."""
    shown = open_page("composition", tab=tab, m=mechanism)
    drawn = [
        chart.figure["layout"].get("yaxis", {}).get("ticktext", []) + chart.names for chart in shown.charts.values()
    ]
    told = [shown.words, *map(str, drawn), *(chart.alt for chart in shown.charts.values())]
    told += [each.proto.text for each in shown.app.get("progress")] + [
        each.value.to_string() for each in shown.app.table
    ]
    assert bool(re.search(r"\bexact", " ".join(told), re.IGNORECASE)) == (mechanism != "exponential")
