"""The figures on the budget for a breach: figure 4 as published, the truth beside it, and titles that tell the truth."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from par_core import cost
from par_core.figures import budget_minimiser, compared_budgets
from par_core.figures.money import brief_money, money, unrounded
from par_core.rounding import amount
from tests.figures.checked import Checked

figures, comparison = Checked(budget_minimiser), Checked(compared_budgets)

GOLDEN = json.loads((Path(__file__).parents[1] / "core" / "data" / "figure_4.json").read_text(encoding="utf-8"))
CENTRE = cost.CostModel(5500, 100)
MODELS = {
    "equation 8": CENTRE,
    "minimum": cost.CostModel(900, 7, rate=0.3, minimum=400),
    "fine": cost.FixedPlusPerHead(20_000, 5500, 100, fixed_rate=0.4),
    "table": cost.PiecewiseLinear([(0.1, 0), (0.4, 30_000), (2, 31_000), (5, 90_000)]),
    "nothing": cost.CostModel(0, 1),
    "huge": cost.CostModel(1e12, 10**10, minimum=1e11),
}


def one(model=CENTRE, epsilon0=0.5, k=1):
    return cost.curve(model, [epsilon0], k=k).curves[0]


def effects(model=CENTRE, epsilon0=0.5, k=1, percent=10.0):
    return [cost.sensitivity_analysis(model, epsilon0, k=k, percent=percent, truth=truth) for truth in cost.TRUTHS]


def compared(*names, model=CENTRE, currency="USD"):
    return [
        comparison.Compared(name, currency, *(cost.optimum(model, 0.3 + at, truth=truth) for truth in cost.TRUTHS))
        for at, name in enumerate(names)
    ]


def marks(figure):
    return [each for each in figure.data if each.mode == "markers+text"]


# --- figure 4 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon0", [0.7, 0.6, 0.5])
def test_figure_4_holds_the_published_curves(trace, coordinates, epsilon0):
    figure = figures.budgets(cost.curve(CENTRE), own=0.5, currency="USD")
    epsilon, budget = coordinates(trace(figure, "published", f"ε₀ = {epsilon0:g};"))
    golden = GOLDEN["curves"][f"epsilon0={epsilon0}"]
    np.testing.assert_allclose(epsilon, golden["x"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(budget, golden["y"], rtol=1e-9, atol=0)


@pytest.mark.parametrize("epsilon0", [0.7, 0.6, 0.5])
def test_the_truth_stands_beside_each_published_curve(trace, coordinates, epsilon0):
    figure = figures.budgets(cost.curve(CENTRE), own=0.5, currency="USD")
    epsilon, budget = coordinates(trace(figure, "exact, ε₀", f"ε₀ = {epsilon0:g};"))
    held = np.where(epsilon < epsilon0, math.exp(-epsilon0 / 2) * np.sinh(epsilon / 2), 1.0)
    level = np.minimum(epsilon, epsilon0)
    expected = 550_000 * (held * np.exp(-1 / level) + (1 - held) * math.exp(-1 / epsilon0))
    np.testing.assert_allclose(budget, expected, rtol=1e-12)
    assert trace(figure, "exact, ε₀", f"ε₀ = {epsilon0:g};").line.dash is None


def test_the_optima_of_the_readers_own_level_are_marked():
    claimed, true = marks(figures.budgets(cost.curve(CENTRE), own=0.5, currency="EUR"))
    assert claimed.x[0] == pytest.approx(0.2741153, abs=5e-8)
    assert claimed.y[0] == pytest.approx(37_805.86, abs=0.005)
    assert (true.x[0], true.y[0]) == pytest.approx((0.2858391, 74_434.4058 - 6_455.4521), abs=1e-3)
    assert "37,800\u00a0EUR" in claimed.text[0]
    assert "68,000\u00a0EUR" in true.text[0]
    assert (claimed.meta, true.meta) == ("as published", "by your model")


def test_a_true_amount_is_rounded_up_and_the_money_there_is_down():
    own = one(cost.CostModel(5500, 103))
    _, true = marks(figures.claim_and_truth(own, currency="USD"))
    assert own.exact_optimum.budget == pytest.approx(70_018.32, abs=0.01)
    assert "70,100\u00a0USD" in true.text[0]
    assert "70,018.90\u00a0USD" in figures.affordable(own, budget=70_018.9, currency="USD").layout.title.text


@pytest.mark.parametrize("truth", ["published", "exact"])
def test_a_point_tells_the_amount_that_a_sentence_tells(truth):
    figure = figures.budgets(cost.curve(CENTRE), own=0.5, currency="USD")
    (curve,) = (each for each in figure.data if each.name == f"{truth}, ε₀ = 0.5")
    toward = "up" if truth == "exact" else "near"
    for (level, told), epsilon, cash in zip(curve.customdata, curve.x, curve.y, strict=True):
        assert (level, told) == (amount(epsilon, 4), brief_money(cash, "USD", toward=toward))
    assert "{customdata[0]}" in curve.hovertemplate
    assert "{customdata[1]}" in curve.hovertemplate


def test_the_claim_is_hatched_up_to_the_truth_and_no_further(trace, coordinates):
    figure = figures.budgets(cost.curve(CENTRE), own=0.5, currency="USD")
    x, y = coordinates(trace(figure, "not a valid guarantee"))
    assert x.max() <= 0.5
    half = x.size // 2
    assert (y[:half] <= y[half:][::-1]).all()


@pytest.mark.parametrize(("own", "others"), [(0.5, [0.7, 0.6]), (3.0, [0.7, 0.6, 0.5]), (0.2, [])])
def test_the_title_names_the_curves_that_are_drawn(own, others):
    drawn = sorted([own, *others], reverse=True)
    figure = figures.budgets(cost.curve(CENTRE, drawn, k=3), own=own, currency="USD")
    head, k = figure.layout.title.text.rsplit("(k = ", 1)
    assert [float(each) for each in re.findall(r"\d+\.?\d*", head.split("ε₀ = ")[1])] == drawn
    assert k == "3)"
    for epsilon0 in drawn:
        (found,) = (each for each in figure.data if each.name == f"published, ε₀ = {epsilon0:g}")
        again = cost.at_risk(CENTRE, np.asarray(found.x), epsilon0, k=3, truth="published")
        np.testing.assert_allclose(found.y, again, rtol=1e-12)


def test_levels_far_apart_stand_on_a_logarithmic_axis():
    assert figures.claim_and_truth(one(epsilon0=700.0), currency="USD").layout.xaxis.type == "log"
    assert figures.claim_and_truth(one(epsilon0=3.0), currency="USD").layout.xaxis.type != "log"


# --- what can be afforded ---------------------------------------------------------------------------------------------


def found_ranges(budget, model=CENTRE, epsilon0=0.5):
    return {
        name: cost.epsilon_range(budget, None, epsilon0, model=model, truth=name)
        for name in ("published", "exact")
        if budget >= cost.optimum(model, epsilon0, truth=name).budget
    }


def test_the_bands_are_the_permissible_ranges():
    found = found_ranges(70_000)
    figure = figures.affordable(one(), budget=70_000, currency="USD", **found)
    bands = {shape.name: (shape.x0, shape.x1) for shape in figure.layout.shapes}
    assert bands["band: claimed to be affordable"] == tuple(found["published"].intervals[0])
    assert bands["band: truly affordable"] == tuple(found["exact"].intervals[0])
    for each in marks(figure):
        for level, text in zip(each.x, each.text, strict=True):
            assert abs(float(text.removeprefix("ε = ")) - level) < 0.034 * level  # two digits
            budget = cost.at_risk(CENTRE, level, 0.5, truth="exact" if "true" in each.name else "published")
            assert budget == pytest.approx(70_000, rel=1e-6)


def test_the_ends_of_a_band_are_rounded_into_it():
    found = found_ranges(70_000)
    for each in marks(figures.affordable(one(), budget=70_000, currency="USD", **found)):
        lower, upper = (float(text.removeprefix("ε = ")) for text in each.text)
        assert lower >= each.x[0]
        assert upper <= each.x[1]


def test_a_budget_that_pays_for_nothing_leaves_the_curve_without_a_band(trace):
    figure = figures.affordable(one(), budget=100, currency="USD")
    assert not figure.layout.shapes
    assert set(trace(figure, "your budget").y) == {100}


def test_a_budget_far_above_the_curves_does_not_flatten_them():
    figure = figures.affordable(one(), budget=1e24, currency="USD", **found_ranges(1e24))
    assert len(figure.layout.shapes) == 2
    assert figure.layout.yaxis.range[1] < 1e5


# --- what moves the answer --------------------------------------------------------------------------------------------


def test_the_tornado_holds_each_change_of_the_budget_with_the_largest_on_top():
    published, exact = effects(percent=20.0)
    figure = figures.tornado(published, exact, currency="USD")
    assert "±20 %, k doubled" in figure.layout.title.text
    labels = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    order = [labels[place].split(" = ")[0] for place in sorted(labels, reverse=True)]
    moved = [effect for effect in exact.effects if effect.name != "minimum"]
    assert order == [figures.label_of(effect.name) for effect in moved]
    for name, found in (("published", published), ("exact", exact)):
        (bars,) = (each for each in figure.data if each.name == name)
        by_name = {effect.name: effect for effect in found.effects}
        for at, effect in enumerate(moved):
            own = by_name[effect.name]
            for side, budget in ((0, own.budget_low), (1, own.budget_high)):
                assert bars.x[at + side * len(moved)] == pytest.approx(budget - own.budget, abs=1e-9)
                assert bars.y[at + side * len(moved)] == pytest.approx(len(moved) - at, abs=0.3)
                told = bars.customdata[at + side * len(moved)]
                assert money(budget - own.budget, "USD") in str(told)


def test_an_input_that_cannot_move_has_no_row():
    labels = figures.tornado(*effects(), currency="USD").layout.yaxis.ticktext
    assert not [each for each in labels if each.startswith("Minimum")]
    table = figures.tornado(*effects(MODELS["table"]), currency="USD").layout.yaxis.ticktext
    assert [each.split(" = ")[0] for each in table] == ["ε₀", "k"]


def test_the_table_of_the_effects_holds_both_confidences_without_rounding():
    published, exact = effects()
    table = figures.effects_table(published, exact)
    row = table[(table["input"] == "Compensation") & (table["confidence"] == "exact")].iloc[0]
    (effect,) = (each for each in exact.effects if each.name == "compensation")
    assert row["budget at high"] == effect.budget_high
    assert row["budget per unit of the input"] == effect.derivative
    assert set(table["standing"]) == {"by your model", "as published"}


def test_the_title_says_how_k_was_moved():
    assert "±10 %, k halved and doubled" in figures.tornado(*effects(k=4), currency="USD").layout.title.text


# --- comparison -------------------------------------------------------------------------------------------------------


def test_each_compared_scenario_has_its_three_budgets():
    scenarios = compared("A", "B", "Present")
    figure = comparison.compared(scenarios)
    by_name = {each.name: list(each.y) for each in figure.data}
    assert by_name["counting on ε₀ alone"] == [each.published.baseline for each in scenarios]
    assert by_name["least, published"] == [each.published.budget for each in scenarios]
    assert by_name["least, exact"] == [each.exact.budget for each in scenarios]
    assert list(figure.layout.xaxis.ticktext) == ["A", "B", "Present"]
    assert list(figure.layout.xaxis.range) == [0.5, 3.5]
    assert "USD" in figure.layout.yaxis.title.text


def test_scenarios_in_different_currencies_share_no_unit():
    figure = comparison.compared([*compared("A"), *compared("B", currency="EUR")])
    assert "own currency" in figure.layout.yaxis.title.text
    assert "USD" not in figure.layout.yaxis.title.text


def test_the_table_of_a_comparison_holds_inputs_and_results_without_rounding():
    scenarios = compared("A", "B")
    table = comparison.compared_table(scenarios, [{"Rate": "1"}, {"Rate": "2"}])
    assert list(table["scenario"]) == ["A", "B"]
    assert list(table["Rate"]) == ["1", "2"]
    assert list(table["exact saving"]) == [each.exact.saving for each in scenarios]
    assert list(table["published epsilon"]) == [each.published.epsilon for each in scenarios]


def scenario(name, **settings):
    epsilon0, k = settings.pop("epsilon0", 0.5), settings.pop("k", 1)
    model = cost.CostModel(settings.pop("compensation", 5500), settings.pop("stakeholders", 100))
    return comparison.Compared(name, "USD", *(model.optimum(epsilon0, k=k, truth=truth) for truth in cost.TRUTHS))


def test_scenarios_are_ranked_by_the_truth_even_where_the_claim_has_another_order():
    plain, wide = scenario("plain"), scenario("wide", k=50, compensation=5600, stakeholders=98)
    assert wide.exact.budget < plain.exact.budget
    found = comparison.ranked([plain, wide])
    assert (found.low, found.high, found.least) == (wide, plain, (wide,))
    assert found.gap == plain.exact.budget - wide.exact.budget > 0
    assert found.published_gap == pytest.approx(-3485, abs=0.5)  # written here to the dollar


def test_scenarios_that_need_the_same_in_truth_are_a_tie():
    five, one_number = scenario("five", k=5), scenario("one", k=1)
    found = comparison.ranked([five, one_number])
    assert found.least == (five, one_number)
    assert (found.low.name, found.high.name, found.gap) == ("one", "five", 0)
    assert found.published_gap == pytest.approx(3453, abs=0.5)  # written here to the dollar
    dear = scenario("dear", compensation=6000)
    three = comparison.ranked([dear, five, one_number])
    assert ([each.name for each in three.least], three.high.name) == (["five", "one"], "dear")
    assert comparison.ranked([one_number, one_number]).published_gap == 0


# --- every figure, every model ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("epsilon0", [1e-8, 0.01, 0.5, 700.0])
def test_every_model_and_level_can_be_drawn(name, epsilon0):
    model = MODELS[name]
    curves = cost.curve(model, sorted({epsilon0, 0.5}, reverse=True))
    budget = cost.optimum(model, epsilon0, truth="exact").budget
    drawn = (
        figures.budgets(curves, own=epsilon0, currency="USD"),
        figures.claim_and_truth(one(model, epsilon0), currency="USD"),
        figures.affordable(
            one(model, epsilon0), budget=budget, currency="USD", **found_ranges(budget, model, epsilon0)
        ),
        figures.tornado(*effects(model, epsilon0), currency="USD"),
        comparison.compared(compared("A", model=model)),
    )
    for figure in drawn:
        assert figure.layout.title.text
        for axis in (figure.layout.xaxis, figure.layout.yaxis):
            assert re.search("unit|^Privacy level|^Scenario$", axis.title.text)
        for each in figure.data:
            if each.hoverinfo != "skip":
                assert np.isfinite(np.asarray(each.x, dtype=float)).all(), (figure.layout.title.text, each.name)
                assert np.isfinite(np.asarray(each.y, dtype=float)).all(), (figure.layout.title.text, each.name)


# --- money ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "currency", "shown"),
    [
        (36_628.549, "USD", "36,629 USD"),
        (0, "USD", "0 USD"),
        (12.345, "EUR", "12.35 EUR"),
        (12.345, "JPY", "12 JPY"),
        (99.997, "USD", "100 USD"),
        (0.004, "USD", "less than 0.01 USD"),
        (0.4, "JPY", "less than 1 JPY"),
        (1e-300, "USD", "less than 0.01 USD"),
        (-1234.5, "USD", "-1,234 USD"),
        (9.87e14, "USD", "987,000,000,000,000 USD"),
        (1.353e21, "JPY", "1.35\u202f×\u202f10²¹ JPY"),
        (9.999e20, "JPY", "1\u202f×\u202f10²¹ JPY"),
    ],
)
def test_an_amount_is_rounded_to_money(value, currency, shown):
    assert money(value, currency).replace("\u00a0", " ") == shown


@pytest.mark.parametrize(
    ("value", "up", "down"),
    [
        (70_018.3, "70,019 USD", "70,018 USD"),
        (70_018.0, "70,018 USD", "70,018 USD"),
        (74_434.4058, "74,435 USD", "74,434 USD"),
        (0.3, "0.30 USD", "0.30 USD"),
        (12.341, "12.35 USD", "12.34 USD"),
        (99.991, "100.00 USD", "99.99 USD"),
        (99.996, "100 USD", "99.99 USD"),
        (0.006, "less than 0.01 USD", "less than 0.01 USD"),
        (0, "0 USD", "0 USD"),
        (1.3531e21, "1.36\u202f×\u202f10²¹ USD", "1.35\u202f×\u202f10²¹ USD"),
        (9.999e20, "1\u202f×\u202f10²¹ USD", "9.99\u202f×\u202f10²⁰ USD"),
        (1e100, "1\u202f×\u202f10¹⁰⁰ USD", "1\u202f×\u202f10¹⁰⁰ USD"),
    ],
)
def test_a_budget_is_rounded_up_and_a_saving_down(value, up, down):
    assert [money(value, "USD", toward=toward).replace("\u00a0", " ") for toward in ("up", "down")] == [up, down]


def test_coins_are_told_where_they_are_asked_for():
    assert money(74_434.4058, "USD", toward="up", coins=True) == "74,434.41\u00a0USD"
    assert money(74_434.4058, "JPY", toward="up", coins=True) == "74,435\u00a0JPY"


@pytest.mark.parametrize("value", [36_628.54910477388, 0.0, 1e-7, 74_434.40578013699, 123.0, 9.9e20])
def test_the_unrounded_amount_is_the_amount(value):
    text = unrounded(value, "USD").removesuffix("\u00a0USD")
    assert float(text.replace(",", "")) == pytest.approx(value, rel=1e-12)
