"""The page on the budget for a breach: what its numbers, charts and sentences hold, and that they follow the controls."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from pages import budget_minimiser
from par_core import cost
from par_core.figures.money import brief_money
from par_core.rounding import brief

GOLDEN = json.loads((Path(__file__).parents[1] / "core" / "data" / "figure_4.json").read_text(encoding="utf-8"))
CENTRE = cost.CostModel(5500, 100)
TABS = [section.slug for section in budget_minimiser.PAGE.sections]


@pytest.fixture
def page(open_page):
    """Open the page at one of its sections, with settings."""
    return lambda tab="budget", **settings: open_page("budget_minimiser", tab=tab, **settings)


# --- the budget -------------------------------------------------------------------------------------------------------


def test_the_page_opens_on_figure_4(page):
    chart = page().chart
    for epsilon0 in (0.7, 0.6, 0.5):
        golden = GOLDEN["curves"][f"epsilon0={epsilon0}"]
        epsilon, budget = chart.curve("published", f"ε₀ = {epsilon0:g};")
        np.testing.assert_allclose(epsilon, golden["x"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(budget, golden["y"], rtol=1e-9)
    assert sum("published" in name for name in chart.names) == 3
    assert "USD" in chart.y_title


def test_paper_only_leaves_what_figure_4_prints(page):
    shown = page(bpaper=1)
    assert shown.chart.names == [f"published, ε₀ = {each}" for each in (0.7, 0.6, 0.5)]
    assert shown.metrics["Saving, true"] == "6,450 USD", "the truth stays in words"


def test_the_page_opens_on_the_published_numbers_and_the_truth(page):
    shown = page()
    assert shown.metrics == {
        "At ε₀ alone": "74,500 USD",
        "Least, claimed": "37,800 USD",
        "Saving, claimed": "36,600 USD",
        "Least, true": "68,000 USD",
        "Saving, true": "6,450 USD",
    }
    (sentence,) = (text for text in shown.texts if "Privacy at Risk* claims" in text)
    assert sentence.startswith("On average over releases (By your model) 68,000 USD is enough;")
    assert sentence.endswith("claims (Refuted) 37,800 USD.")
    assert "100 people, up to 5,500 USD each" in shown.words


def test_the_unrounded_number_is_there_on_hover(page):
    helps = {each.label: each.help for each in page().app.metric}
    saving = re.search(r"Unrounded: ([\d,.]+)", helps["Saving, claimed"])[1]
    assert float(saving.replace(",", "")) == pytest.approx(36_628.549104774, abs=1e-7)
    assert re.search(r"6,455\.4520\d+\s", helps["Saving, true"])


def test_it_says_in_one_line_each_what_breach_and_the_two_levels_mean(page):
    (words,) = (text for text in page().texts if text.startswith("Breach:"))
    for word in ("Breach:", "ε₀:", "ε:"):
        assert word in words
    assert "not an expected cost" in page().words


def test_compensation_moves_numbers_chart_and_link(page):
    before = page()
    after = page().type("comp", 11_000.0)
    assert after.metrics["Least, claimed"] == "75,600 USD"
    assert after.metrics["Saving, true"] == "12,900 USD", "a saving of 12,910.90 is not rounded up"
    one, two = (each.chart.curve("published", "ε₀ = 0.6;")[1] for each in (before, after))
    np.testing.assert_allclose(two, 2 * one, rtol=1e-12)
    assert "comp=11000" in after.links["address"]
    assert "75,600" in after.chart.alt.replace("\u00a0", " ")


def test_stakeholders_currency_and_k_count_too(page):
    shown = page(sh=7, cur="JPY", k=5, e0=0.9)
    found = cost.CostModel(5500, 7).optimum(0.9, k=5, truth="published")
    assert shown.metrics["Least, claimed"] == brief_money(found.budget, "JPY").replace("\u00a0", " ")
    assert "JPY" in shown.chart.y_title
    assert "k = 5" in shown.chart.title
    assert "ε₀ = 0.9, 0.7, 0.6, 0.5" in shown.chart.title, "the reader's own level is always drawn"


def test_the_curves_are_those_of_the_list_and_the_own_one(page):
    chart = page().pick("lv", "0.1", "1").chart
    assert "ε₀ = 1, 0.5, 0.1" in chart.title
    for epsilon0 in (1.0, 0.5, 0.1):
        epsilon, budget = chart.curve("published", f"ε₀ = {epsilon0:g};")
        np.testing.assert_allclose(budget, cost.at_risk(CENTRE, epsilon, epsilon0, truth="published"), rtol=1e-12)
    assert "ε₀ = 0.5 " in page().pick("lv").chart.title, "an empty list leaves the own curve"


@pytest.mark.parametrize(
    ("settings", "model"),
    [
        ({"rate": 0.4, "min": 300}, cost.CostModel(5500, 100, rate=0.4, minimum=300)),
        ({"rate": 2, "min": 300, "cap": 1}, cost.CostModel(5500, 100, rate=2, minimum=300, capped=True)),
        ({"cap": 1}, CENTRE),
        ({"model": "fine", "fine": 9000, "frate": 0.3}, cost.FixedPlusPerHead(9000, 5500, 100, fixed_rate=0.3)),
        ({"model": "fine", "rate": 2}, cost.FixedPlusPerHead(20_000, 5500, 100, rate=2)),
        ({"model": "table", "pts": "1 0.1_5 0.6_900 2_1e5"}, cost.PiecewiseLinear([(0.1, 5), (0.6, 900), (2, 1e5)])),
    ],
)
def test_every_kind_of_model_gives_its_own_budget(page, settings, model):
    shown = page(**settings)
    assert not shown.warnings
    found = [model.optimum(0.5, truth=truth).budget for truth in cost.TRUTHS]
    assert [y for _, y, _ in shown.chart.own] == pytest.approx(found, rel=1e-12)


def test_the_kind_of_model_is_chosen_on_the_page(page):
    shown = page().choose("model", "fine")
    assert shown.metrics["At ε₀ alone"] == "94,500 USD"
    shown.type("fine", 0.0)
    assert shown.metrics["At ε₀ alone"] == "74,500 USD"
    shown.choose("model", "head").type("rate", 2.0)
    assert shown.metrics["At ε₀ alone"] == f"{brief(550_000 * math.exp(-4), toward='up')} USD"


def test_a_minimum_brings_up_the_switch_that_keeps_the_model_within_its_limits(page):
    plain = page(min=3000, e0=4)
    assert any("against its own constraints" in each for each in plain.warnings)
    (switch,) = (each for each in plain.app.toggle if each.label == "Never above the compensation")
    switch.set_value(True)
    plain.run()
    assert not plain.warnings
    assert not [each for each in page().app.toggle if each.label == "Never above the compensation"]


def test_a_model_that_contradicts_itself_is_named_and_the_page_stays_usable(page):
    shown = page(min=9000, cap=1)
    assert any("5500" in each.value and "9000" in each.value for each in shown.app.error)
    assert not shown.charts
    shown.type("min", 100.0)
    assert shown.charts
    assert not shown.app.error


def test_the_health_centre_comes_back_with_its_story(page):
    shown = page(e0=2, k=4, comp=1, sh=3, cur="EUR", model="fine", rate=3, lv="1", s=5).press("The paper's health")
    assert shown.metrics == page().metrics
    assert shown.chart.title == page().chart.title
    (story,) = (text for text in shown.texts if "John Doe" in text)
    for number in ("34 of 99", "35 of 100", "74,500 USD", "37,800 USD", "36,600 USD", "68,000 USD", "6,450 USD"):
        assert number in story
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


def test_points_can_be_typed_or_pasted(page):
    for text in (
        "0.1, 5\n0.6, 900\n2, 1e5",
        "ε\tmoney\n0.1\t5\n0.6\t900\n2\t100000\n",
        "0.1;5\n\n 0.6 ; 900\n2;100000",
    ):
        shown = typed(page(model="table"), text)
        assert not shown.app.error
        found = cost.PiecewiseLinear([(0.1, 5), (0.6, 900), (2, 1e5)]).optimum(0.5, truth="published")
        assert shown.chart.own[0][:2] == pytest.approx((found.epsilon, found.budget), rel=1e-12)
        assert "pts=1+0.1_5+0.6_900+2_100000" in shown.links["address"]
        assert points_field(shown).value == text, "what was typed is left as it is"


@pytest.fixture(scope="module")
def own_at_the_default_table(open_page):
    return open_page("budget_minimiser", tab="budget", model="table").chart.own


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
def test_points_that_make_no_table_are_named_and_nothing_is_lost(shared, own_at_the_default_table, text, reason):
    shown = typed(shared, text)
    (error,) = (each.value.replace("\\", "") for each in shown.app.error)
    assert reason in error
    assert "stays in force" in error
    assert points_field(shown).value == text
    assert shown.chart.own == own_at_the_default_table
    assert "pts=" not in shown.links["address"]


def test_the_points_survive_another_section_and_another_model(page):
    shown = typed(page(model="table"), "0.1, 5\n0.6, 900\n2, 1e5")
    before = shown.chart.own
    shown.choose("model", "head").choose("model", "table")
    assert shown.chart.own == before
    assert points_field(shown).value.split() == ["0.1,", "5", "0.6,", "900", "2,", "1e5"]


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
    found = cost.PiecewiseLinear([(0.1, 5), (0.6, 900), (2, 1e5)]).optimum(0.5, truth="published")
    assert shown.chart.own[0][:2] == pytest.approx((found.epsilon, found.budget), rel=1e-12)
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


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "at least one row"),
        (b"0.5,3", "at least two"),
        (b"0.1,9\n0.5,3", "at least 9"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b"1,2\n" * 30_000, "at most 100 kB"),
        (b"<b>0.1</b>,9\n0.5,3\n", "must hold numbers"),
    ],
)
def test_a_file_that_holds_no_table_is_named_and_the_table_stays(with_upload, data, reason):
    before = with_upload()
    points = points_field(before).value
    shown = upload(before, data)
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
def test_a_link_with_points_that_make_no_table_is_answered_with_a_sentence(page, own_at_the_default_table, asked):
    shown = page(model="table", pts=asked)
    (sentence,) = (each for each in shown.warnings if "cannot be used" in each)
    assert asked in sentence
    assert shown.chart.own == own_at_the_default_table


def test_a_level_beyond_the_table_is_warned_about(page):
    assert any("last point" in each for each in page(model="table", e0=3, rel=1).warnings)
    assert not page(model="table", e0=2, rel=1).warnings


def test_a_table_that_is_not_convex_is_reported(page):
    assert "not convex" in page(model="table", pts="1 0.1_0 0.2_100 0.5_110").words
    assert "not convex" not in page(model="table").words


# --- claimed and real -------------------------------------------------------------------------------------------------


def test_claim_and_truth_stand_side_by_side(page):
    shown = page("truth")
    numbers = [(each.label, each.value.replace("\u00a0", " ")) for each in shown.app.metric]
    half = len(numbers) // 2
    assert dict(numbers[:half]) == {
        "Saving": "36,600 USD",
        "Least average": "37,800 USD",
        "Share saved": "49.2 %",
        "At ε": "0.2741",
        "Confidence": "60.9 %",
    }
    assert dict(numbers[half:]) == {
        "Saving": "6,450 USD",
        "Least average": "68,000 USD",
        "Share saved": "8.67 %",
        "At ε": "0.2858",
        "Confidence": "11.1 %",
    }
    confidence = [each.help for each in shown.app.metric if each.label == "Confidence"][1]
    assert "0.1116851" in confidence
    assert {"As published (Refuted)", "In truth (By your model)"} <= set(shown.texts)
    assert "As published (Holds here)" in page("truth", comp=0).texts
    assert "it is the same noise" in shown.words
    assert "not an expected cost" in shown.words


def test_a_claim_of_no_saving_is_not_called_refuted_where_there_is_none(page):
    shown = page("truth", comp=0)
    assert "There is no saving here, neither claimed nor real" in shown.words
    assert "As published (Holds here)" in shown.texts


def test_the_sentence_tells_how_often_the_claimed_level_holds(page):
    found = CENTRE.optimum(0.8, truth="published")
    held = math.exp(-0.4) * math.sinh(found.epsilon / 2)
    (sentence,) = (text for text in page("truth", e0=0.8).texts if "not in" in text)
    assert f"in {math.floor(1000 * held) / 10:g} % (Proven) of releases" in sentence
    assert sentence.endswith(f"not in (Refuted) {100 * found.confidence:.3g} %.")


# --- what moves the answer? -------------------------------------------------------------------------------------------


def test_the_strongest_input_is_named_with_what_it_does(page):
    shown = page("moves", pct=20)
    found = cost.sensitivity_of(CENTRE, 0.5, percent=20, truth="exact").effects[0]
    assert "Rate moves the answer most" in shown.words
    claimed = cost.sensitivity_of(CENTRE, 0.5, percent=20, truth="published").effects
    (claim,) = (effect for effect in claimed if effect.name == found.name)
    assert (
        f"from {brief(found.budget_low, toward='up')} USD to {brief(found.budget_high, toward='up')} USD in truth. (By your model)"
        in shown.words
    )
    assert f"from {brief(claim.budget_low)} USD to {brief(claim.budget_high)} USD. (Refuted)" in shown.words
    assert "20 %" in shown.chart.title


def test_the_bars_follow_the_model(page, read_values):
    shown = page("moves", model="fine", fine=50_000)
    effects = cost.sensitivity_of(cost.FixedPlusPerHead(50_000, 5500, 100), 0.5, truth="exact").effects
    moved = [effect for effect in effects if effect.low != effect.value or effect.high != effect.value]
    changes = [effect.budget_low - effect.budget for effect in moved] + [
        effect.budget_high - effect.budget for effect in moved
    ]
    np.testing.assert_allclose(read_values(shown.chart.trace("exact")["x"]), changes, rtol=1e-9, atol=1e-9)


def test_where_nothing_moves_the_budget_it_says_so(page):
    assert "Nothing moves the least budget" in page("moves", comp=0).words


# --- bad and huge numbers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tab", TABS)
@pytest.mark.parametrize(
    "settings",
    [
        {"comp": 1e12, "sh": 10**10, "cur": "JPY", "bud": 1e24, "min": 1e12},
        {"comp": 0, "bud": 0, "err": 1e-9},
        {"e0": 1e-8, "rate": 1000, "err": 1e12},
        {"e0": 700, "k": 10_000, "rate": 0.001, "pct": 90},
        {"model": "table", "pts": "1 1e-100_0 1e100_1e100", "e0": 700},
        {"model": "fine", "fine": 1e15, "frate": 1000, "comp": 0},
    ],
)
def test_the_ends_of_the_parameter_space_are_answered(page, read_values, tab, settings):
    shown = page(tab, **settings)
    assert not shown.app.error
    assert shown.charts
    for chart in shown.charts.values():
        for trace in chart.figure["data"]:
            if trace.get("hoverinfo") != "skip":
                assert all(math.isfinite(each) for axis in ("x", "y") for each in read_values(trace[axis])), trace[
                    "name"
                ]
    assert "nan" not in shown.words.lower().split()
