"""What moves the least budget: derivatives against their formulas and against the budgets themselves."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from par_core.cost import TRUTHS, CostModel, FixedPlusPerHead, PiecewiseLinear, optimum, sensitivity_analysis
from par_core.errors import ParameterError
from par_core.published import explicit

HEALTH_CENTRE = CostModel(5500, stakeholders=100)


def effect(found, name):
    return next(each for each in found.effects if each.name == name)


@pytest.mark.parametrize("truth", TRUTHS)
def test_derivatives_by_the_envelope_theorem(truth):
    """At the optimum, ε itself moves nothing: what is left are the partial derivatives of equation 9."""
    model, epsilon0 = CostModel(5500, 100, 0.8, 30), 0.6
    found = sensitivity_analysis(model, epsilon0, truth=truth)
    best = found.optimum
    level, sure = best.epsilon, best.confidence
    unlikely = 1 - sure

    def mixed(at):
        return sure * at(level) + unlikely * at(epsilon0)

    assert effect(found, "compensation").derivative == pytest.approx(mixed(lambda e: 100 * math.exp(-0.8 / e)))
    assert effect(found, "stakeholders").derivative == pytest.approx(best.budget / 100)
    assert effect(found, "minimum").derivative == pytest.approx(100)
    assert effect(found, "rate").derivative == pytest.approx(mixed(lambda e: -550_000 / e * math.exp(-0.8 / e)))
    grows = 550_000 * 0.8 / epsilon0**2 * math.exp(-0.8 / epsilon0)
    falls = 1 / math.expm1(epsilon0) if truth == "published" else 0.5  # how fast log confidence falls with epsilon0
    gap = model.dp(epsilon0) - model.dp(level)
    assert effect(found, "epsilon0").derivative == pytest.approx(unlikely * grows + sure * falls * gap, rel=1e-8)
    assert effect(found, "k").derivative is None


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize(
    "model",
    [
        CostModel(5500, 100, 0.8, 30),
        CostModel(5500, 100, 0.8, 30, capped=True),
        FixedPlusPerHead(1000, 50, 30, 1.0, 0.3),
    ],
)
def test_derivatives_against_the_budgets_themselves(model, truth):
    for each in sensitivity_analysis(model, 0.6, k=2, truth=truth).effects:
        if each.name == "k":
            continue
        step = 1e-4 * each.value

        def least(value, name=each.name):
            if name == "epsilon0":
                return optimum(model, value, k=2, truth=truth).budget
            return optimum(replace(model, **{name: value}), 0.6, k=2, truth=truth).budget

        slope = (least(each.value + step) - least(each.value - step)) / (2 * step)
        assert each.derivative == pytest.approx(slope, rel=1e-6)
        assert each.relative == pytest.approx(slope * each.value / each.budget, rel=1e-6)


@pytest.mark.parametrize("truth", TRUTHS)
def test_the_sweep_holds_new_optima(truth):
    found = sensitivity_analysis(HEALTH_CENTRE, 0.5, k=3, percent=20, truth=truth)
    rate = effect(found, "rate")
    assert (rate.low, rate.high) == pytest.approx((0.8, 1.2))
    assert rate.budget_low == CostModel(5500, 100, 0.8).optimum(0.5, k=3, truth=truth).budget
    assert rate.budget_high == CostModel(5500, 100, 1.2).optimum(0.5, k=3, truth=truth).budget
    level0 = effect(found, "epsilon0")
    assert level0.budget_high == HEALTH_CENTRE.optimum(0.6, k=3, truth=truth).budget
    dimension = effect(found, "k")
    assert (dimension.low, dimension.value, dimension.high) == (1, 3, 6)
    assert dimension.budget_high == HEALTH_CENTRE.optimum(0.5, k=6, truth=truth).budget
    assert (dimension.span == 0) == (truth == "exact")  # the exact confidence does not depend on k
    spans = [each.span for each in found.effects]
    assert spans == sorted(spans, reverse=True)
    assert {each.name for each in found.effects} == {
        "compensation", "stakeholders", "rate", "minimum", "epsilon0", "k"
    }  # fmt: skip


def test_what_cannot_be_moved_stays():
    found = sensitivity_analysis(HEALTH_CENTRE, 0.5, truth="published")
    minimum = effect(found, "minimum")
    assert (minimum.low, minimum.high, minimum.span) == (0, 0, 0)
    assert minimum.derivative == pytest.approx(100, rel=1e-6)
    assert effect(found, "k").low == 1
    capped = effect(sensitivity_analysis(CostModel(100, minimum=99, capped=True), 0.5, truth="published"), "minimum")
    assert capped.high == 99  # 108.9 would be above the compensation
    assert capped.low == pytest.approx(89.1)


def test_other_models_have_epsilon0_and_k_at_least():
    table = PiecewiseLinear([(0.1, 10), (0.4, 20), (0.9, 100)])
    found = sensitivity_analysis(table, 0.5, truth="published")
    assert {each.name for each in found.effects} == {"epsilon0", "k"}
    best = found.optimum
    slope0, gap = 160.0, table.dp(0.5) - table.dp(best.epsilon)
    wanted = (1 - best.confidence) * slope0 + best.confidence * gap / math.expm1(0.5)
    assert effect(found, "epsilon0").derivative == pytest.approx(wanted, rel=1e-8)
    own = type("Own", (), {"name": "own", "__call__": lambda _, e: np.asarray(e) ** 2})()
    assert {each.name for each in sensitivity_analysis(own, 0.5, truth="published").effects} == {"epsilon0", "k"}


def test_where_nothing_can_be_saved_the_budget_follows_the_baseline():
    flat = sensitivity_analysis(CostModel(0, minimum=5), 0.5, truth="published")
    assert flat.optimum.at_epsilon0
    assert effect(flat, "epsilon0").derivative == pytest.approx(0, abs=1e-9)
    assert effect(flat, "minimum").derivative == pytest.approx(1)


@pytest.mark.parametrize("bad", [0, -1, 100, float("nan"), "ten", None])
def test_a_bad_percentage_is_named(bad):
    with pytest.raises(ParameterError, match="^percent"):
        sensitivity_analysis(HEALTH_CENTRE, 0.5, percent=bad, truth="published")


@pytest.mark.parametrize("bad", [0, 1.5, explicit.LARGEST_K, "1"])
def test_a_bad_dimension_is_named(bad):
    with pytest.raises(ParameterError, match="^k"):
        sensitivity_analysis(HEALTH_CENTRE, 0.5, k=bad, truth="published")


def test_extremes_are_finite():
    for epsilon0 in (1e-3, 100.0):
        for truth in TRUTHS:
            for each in sensitivity_analysis(HEALTH_CENTRE, epsilon0, truth=truth).effects:
                numbers = [
                    each.low,
                    each.high,
                    each.budget_low,
                    each.budget_high,
                    each.derivative or 0,
                    each.relative or 0,
                ]
                assert np.isfinite(numbers).all()


def test_a_compensation_of_nothing_is_differentiated_with_the_level_that_it_would_make_cheapest():
    found = sensitivity_analysis(CostModel(0, 100), 0.5, truth="exact")
    assert found.optimum.at_epsilon0
    per_unit = CostModel(1, 100).optimum(0.5, truth="exact").budget  # the least budget is proportional to it
    assert effect(found, "compensation").derivative == pytest.approx(per_unit, rel=1e-9)
    beside = effect(
        sensitivity_analysis(CostModel(0, 100, minimum=30), 0.5, truth="published"), "compensation"
    ).derivative
    assert beside == pytest.approx(CostModel(1, 100).optimum(0.5, truth="published").budget, rel=1e-6)


def test_where_nothing_can_be_saved_at_a_kink_the_derivative_is_that_of_the_baseline():
    """Flat up to ε0: a little more ε0 costs more, however much is saved at a smaller ε."""
    table = PiecewiseLinear([(0.1, 10), (0.5, 10), (1.0, 110)])
    found = sensitivity_analysis(table, 0.5, truth="published")
    assert found.optimum.at_epsilon0
    slopes = (0.0, 200.0)
    assert effect(found, "epsilon0").derivative == pytest.approx(sum(slopes) / 2, rel=1e-6)
    assert "mean of the slopes" in found.limits


def test_a_level_that_follows_epsilon0_is_moved_with_it():
    falling = type("Falling", (), {"name": "falling", "__call__": lambda _, e: 1.0 / np.asarray(e)})()
    found = sensitivity_analysis(falling, 0.5, truth="published")
    assert found.optimum.at_epsilon0
    assert effect(found, "epsilon0").derivative == pytest.approx(-4.0, rel=1e-8)


def test_the_derivative_of_a_tiny_input_keeps_its_digits():
    """The step is a share of the input: one of fixed size would carry it below 0."""
    model = CostModel(1e-3, 1e-3, rate=1.0)
    best = model.optimum(0.5, truth="published").budget
    assert effect(sensitivity_analysis(model, 0.5, truth="published"), "compensation").derivative == pytest.approx(
        best / 1e-3, rel=1e-9
    )
    large = CostModel(1e12, 100)
    assert effect(sensitivity_analysis(large, 0.5, truth="published"), "compensation").derivative == pytest.approx(
        large.optimum(0.5, truth="published").budget / 1e12, rel=1e-9
    )
