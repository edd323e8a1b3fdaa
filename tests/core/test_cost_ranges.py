"""What a budget and an accuracy leave of ε: inside both wishes are met, outside the named one breaks."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from par_core.cost import (
    TRUTHS,
    CostModel,
    FixedPlusPerHead,
    PiecewiseLinear,
    UnmetWishError,
    all_releases,
    at_risk,
    budget_for,
    curve,
    epsilon_range,
    equation_11,
    optimum,
    sensitivity_analysis,
)
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import MODEL, PUBLISHED, evidence_of
from par_core.published import explicit

thorough = settings(deadline=None, derandomize=True, max_examples=75)
HEALTH_CENTRE = CostModel(5500, stakeholders=100)
TWO_BASINS = PiecewiseLinear([(0.1, 1000), (0.2, 1000), (0.21, 60_000), (0.6, 61_000), (0.61, 90_000)])


def wide_levels(epsilon0):
    return np.union1d(np.geomspace(1e-5 * epsilon0, epsilon0, 700), np.linspace(0, epsilon0, 701)[1:])


def contains(found, epsilon):
    return any(each.lower <= epsilon <= each.upper for each in found.intervals)


def test_the_range_of_a_budget():
    found = epsilon_range(40_000, 2, 0.5, model=HEALTH_CENTRE, truth="published")
    ((lower, upper),) = found.intervals
    assert HEALTH_CENTRE.at_risk([lower, upper], 0.5, truth="published") == pytest.approx([40_000, 40_000], rel=1e-9)
    assert lower < found.optimum.epsilon < upper
    assert found.spare == pytest.approx(40_000 - 37_805.86, abs=0.01)
    assert (found.error, found.smallest_epsilon0) == (2.0, 0.5)
    assert found.evidence.basis is PUBLISHED
    assert contains(found, 0.25)
    assert not contains(found, 0.2)


def test_by_the_exact_confidence_the_same_budget_is_not_enough():
    with pytest.raises(UnmetWishError, match=r"^budget: .*67978\.95.*27978\.95") as error:
        epsilon_range(40_000, 2, 0.5, model=HEALTH_CENTRE, truth="exact")
    assert error.value.wish == "budget"
    assert error.value.missing == pytest.approx(27_978.95, abs=0.01)
    assert error.value.best == pytest.approx(67_978.95, abs=0.01)
    assert epsilon_range(70_000, 2, 0.5, model=HEALTH_CENTRE, truth="exact").evidence.basis is MODEL


def test_the_accuracy_binds_epsilon0():
    with pytest.raises(UnmetWishError, match=r"^accuracy: .* is 4, above the wanted 2 by 2.*at least 0\.5") as error:
        epsilon_range(1e9, 2, 0.25, model=HEALTH_CENTRE, truth="published")
    assert (error.value.wish, error.value.missing, error.value.best) == ("accuracy", 2.0, 4.0)
    assert isinstance(error.value, InfeasibleError)
    assert epsilon_range(1e9, 2, 0.25, model=HEALTH_CENTRE, sensitivity=0.5, truth="published").error == 2.0
    without = epsilon_range(1e9, None, 0.25, model=HEALTH_CENTRE, truth="published")
    assert without.max_error is None
    assert without.smallest_epsilon0 == 0.0


def test_the_accuracy_is_named_first():
    with pytest.raises(UnmetWishError, match="^accuracy"):
        epsilon_range(0, 2, 0.25, model=HEALTH_CENTRE, truth="published")


@pytest.mark.parametrize("truth", TRUTHS)
def test_a_budget_for_the_baseline_pays_for_every_level(truth):
    baseline = HEALTH_CENTRE.dp(0.5)
    for money in (baseline, baseline + 1, 1e12):
        ((lower, upper),) = epsilon_range(money, 2, 0.5, model=HEALTH_CENTRE, truth=truth).intervals
        assert (lower, upper) == (0.0, 0.5)


def test_the_least_budget_pays_for_the_optimum_alone():
    cheapest = HEALTH_CENTRE.optimum(0.5, truth="published")
    ((lower, upper),) = epsilon_range(cheapest.budget, 2, 0.5, model=HEALTH_CENTRE, truth="published").intervals
    assert lower <= cheapest.epsilon <= upper
    assert upper - lower < 1e-6


def test_a_cost_that_is_not_convex_has_several_ranges():
    found = epsilon_range(70_000, None, 0.7, model=TWO_BASINS, truth="published")
    assert len(found.intervals) == 2
    (first, second), money = found.intervals, 70_000
    assert first.upper < 0.3 < second.lower
    grid = wide_levels(0.7)
    np.testing.assert_array_equal(
        [contains(found, x) for x in grid], TWO_BASINS.at_risk(grid, 0.7, truth="published") <= money
    )
    flat = epsilon_range(1000, None, 0.15, model=TWO_BASINS, truth="published")
    assert flat.intervals == ((0.0, 0.15),)


money = st.floats(0.01, 1e6)
rates = st.floats(-1, 1).map(lambda x: 10**x)
steps = st.lists(st.tuples(st.floats(0.001, 1), st.just(0.0) | money), min_size=2, max_size=6).map(
    lambda parts: PiecewiseLinear(list(zip(*np.cumsum(parts, axis=0).T, strict=True)))
)
models = (
    st.builds(CostModel, money, money, rates, st.just(0.0) | money)
    | st.builds(FixedPlusPerHead, money, money, money, rates, st.just(0.0) | rates)
    | steps
)


@thorough
@given(
    model=models,
    epsilon0=st.floats(-2, 1.5).map(lambda x: 10**x),
    k=st.sampled_from([1, 2, 5]),
    truth=st.sampled_from(TRUTHS),
    share=st.floats(-0.3, 1.2),
    accuracy=st.floats(0.5, 2),
)
def test_inside_both_wishes_are_met_and_outside_the_named_one_breaks(model, epsilon0, k, truth, share, accuracy):
    cheapest = optimum(model, epsilon0, k=k, truth=truth)
    assume(cheapest.saving > 1e-9 * cheapest.baseline)  # else every level costs the same to rounding
    money = cheapest.budget + share * cheapest.saving
    assume(money >= 0)
    wish = "accuracy" if accuracy / epsilon0 < 1 / epsilon0 else "budget" if money < cheapest.budget else ""

    def asked():
        return epsilon_range(money, accuracy / epsilon0, epsilon0, model=model, k=k, truth=truth)

    if wish:
        with pytest.raises(UnmetWishError, match=f"^{wish}") as error:
            asked()
        assert error.value.wish == wish
        assert error.value.best == (1 / epsilon0 if wish == "accuracy" else cheapest.budget)
        assert error.value.missing == pytest.approx(
            error.value.best - (accuracy / epsilon0 if wish == "accuracy" else money), rel=1e-9
        )
        return
    found = asked()
    lowers, uppers = np.transpose(found.intervals)
    assert (lowers[1:] > uppers[:-1]).all()
    assert found.error <= found.max_error
    grid = wide_levels(epsilon0)[:, np.newaxis]
    inside = ((grid >= lowers) & (grid <= uppers)).any(axis=1)
    at_an_end = (np.abs(grid / np.ravel(found.intervals).clip(1e-300) - 1) < 1e-9).any(axis=1)
    costs = at_risk(model, grid[:, 0], epsilon0, k=k, truth=truth)
    assert (costs[inside] <= money * (1 + 1e-12)).all()
    assert (costs[~inside & ~at_an_end] > money * (1 - 1e-12)).all()
    ends = np.array([x for x in np.ravel(found.intervals) if x > 0])
    assert (at_risk(model, ends, epsilon0, k=k, truth=truth) <= money * (1 + 1e-14)).all()
    assert contains(found, cheapest.epsilon)


def test_a_budget_on_average_and_one_that_is_always_enough():
    """At the true optimum the level holds in 11 % of releases: else E(ε0) is due, which only a budget of E(ε0) pays."""
    found = epsilon_range(70_000, 2, 0.5, model=HEALTH_CENTRE, truth="exact")
    assert not found.always_enough
    assert found.optimum.confidence < 0.12
    assert epsilon_range(74_434.41, 2, 0.5, model=HEALTH_CENTRE, truth="exact").always_enough
    baseline = found.optimum.baseline
    for budget, enough in (
        (math.nextafter(baseline, 0), False),
        (baseline, True),
        (math.nextafter(baseline, 1e9), True),
    ):
        assert epsilon_range(budget, 2, 0.5, model=HEALTH_CENTRE, truth="exact").always_enough is enough
    for each in (found, found.optimum, budget_for(2, model=HEALTH_CENTRE)):
        assert "average over releases" in each.limits


@pytest.mark.parametrize("truth", TRUTHS)
def test_money_stands_no_higher_than_the_cost_model(truth):
    basis = MODEL if truth == "exact" else PUBLISHED
    for each in (
        HEALTH_CENTRE.optimum(0.5, truth=truth),
        epsilon_range(70_000, 2, 0.5, model=HEALTH_CENTRE, truth=truth),
        sensitivity_analysis(HEALTH_CENTRE, 0.5, truth=truth),
    ):
        assert each.evidence.basis is basis
        assert "no more than the cost model, which is an assumption" in each.limits
    for both in (curve(HEALTH_CENTRE), curve(HEALTH_CENTRE).curves[0], budget_for(2, model=HEALTH_CENTRE)):
        assert both.evidence.basis is PUBLISHED
        assert "exact part beside it is by the cost model" in both.limits
    assert "money is by the cost model" in evidence_of(at_risk).limits


def test_a_callable_with_steps_may_have_ranges_that_are_missed():
    steps = type("Steps", (), {"name": "steps", "__call__": lambda _, e: np.floor(1e5 * np.asarray(e))})()
    assert (
        "intervals are read off the same levels" in epsilon_range(1e6, None, 0.5, model=steps, truth="published").limits
    )
    assert "intervals are read off" not in epsilon_range(1e6, None, 0.5, model=TWO_BASINS, truth="published").limits


def test_several_releases_cost_what_their_levels_add_up_to():
    found = all_releases(HEALTH_CENTRE, 0.5, releases=3)
    assert found.epsilon == 1.5
    assert found.money == pytest.approx(550_000 * math.exp(-1 / 1.5), rel=1e-14)
    assert found.evidence.basis is MODEL
    assert "assumption" in found.limits
    assert all_releases(TWO_BASINS, 0.2, releases=1).money == 1000
    for bad in (0, -1, 1.5, True, "2"):
        with pytest.raises(ParameterError, match="^releases"):
            all_releases(HEALTH_CENTRE, 0.5, releases=bad)
    with pytest.raises(ParameterError, match="^epsilon0"):
        all_releases(HEALTH_CENTRE, 0, releases=2)


# --- the inverse -----------------------------------------------------------------------------------------------------


def test_the_budget_for_an_error_of_two():
    found = budget_for(2, model=HEALTH_CENTRE)
    assert (found.epsilon0, found.error) == (0.5, 2.0)
    assert found.baseline == pytest.approx(74_434.41, abs=0.01)
    assert found.published.budget == pytest.approx(37_805.86, abs=0.01)
    assert found.exact.budget == pytest.approx(67_978.95, abs=0.01)


@settings(deadline=None, derandomize=True, max_examples=40)
@given(max_error=st.floats(1e-3, 1e3), sensitivity=st.floats(1e-3, 1e3), k=st.sampled_from([1, 3]))
def test_the_budget_for_an_accuracy_is_enough_and_no_more(max_error, sensitivity, k):
    found = budget_for(max_error, model=HEALTH_CENTRE, k=k, sensitivity=sensitivity)
    assert sensitivity / found.epsilon0 <= max_error
    assert sensitivity / (found.epsilon0 * (1 - 1e-14)) > max_error
    for best in (found.published, found.exact):
        met = epsilon_range(
            best.budget, max_error, found.epsilon0, model=HEALTH_CENTRE, k=k, sensitivity=sensitivity, truth=best.truth
        )
        assert contains(met, best.epsilon)
        if best.budget > 1e-9:
            with pytest.raises(UnmetWishError, match="^budget"):
                epsilon_range(
                    best.budget * (1 - 1e-9), max_error, found.epsilon0, model=HEALTH_CENTRE, k=k,
                    sensitivity=sensitivity, truth=best.truth,
                )  # fmt: skip
            further = HEALTH_CENTRE.optimum(found.epsilon0 * np.array([1.001, 1.1, 2, 10]), k=k, truth=best.truth)
            assert (further.budget >= best.budget).all()


# --- equation 11 -----------------------------------------------------------------------------------------------------


def test_equation_11_excludes_the_papers_own_optimum():
    found = equation_11(40_000, 2, 0.5, model=HEALTH_CENTRE)
    assert found.lower == 0.5
    assert found.upper == epsilon_range(40_000, None, 0.5, model=HEALTH_CENTRE, truth="published").intervals[-1].upper
    assert found.optimum.epsilon == pytest.approx(0.2741153, abs=1e-7)
    assert found.excludes_optimum
    assert found.is_empty
    assert found.evidence.basis is PUBLISHED
    assert "binds epsilon0" in found.limits


@pytest.mark.parametrize(
    "model", [HEALTH_CENTRE, CostModel(5500, 100, 0.7, 40), CostModel(5500, 100, 2, 40, capped=True)]
)
def test_its_upper_end_agrees_with_itself(model):
    least = model.optimum(0.5, truth="published")
    money = 0.5 * (least.budget + least.baseline)
    found = equation_11(money, 2, 0.5, model=model, k=2)
    assert found.implicit
    assert found.confidence == pytest.approx(explicit.confidence(found.upper, 0.5, k=2))
    assert found.optimum == model.optimum(0.5, k=2, truth="published")
    fixed = equation_11(money, 2, 0.5, model=model, k=2, confidence=found.confidence)
    assert not fixed.implicit
    assert fixed.upper == pytest.approx(found.upper, rel=1e-8)
    if model is HEALTH_CENTRE:
        left = money - (1 - found.confidence) * model.dp(0.5)
        assert fixed.upper == pytest.approx(1 / math.log(found.confidence * 550_000 / left), rel=1e-12)


def test_equation_11_excludes_its_optimum_at_either_end():
    """The printed range lies below the optimum 0.274, about it, or above it."""
    for max_error, confidence, below, above in ((10, 0.5, False, True), (10, 0.9, False, False), (2, 0.9, True, False)):
        printed = equation_11(40_000, max_error, 0.5, model=HEALTH_CENTRE, confidence=confidence)
        assert (printed.optimum.epsilon > printed.upper) is above
        assert (printed.optimum.epsilon < printed.lower) is below
        assert printed.excludes_optimum is (below or above)


def test_an_accuracy_beyond_the_floats():
    """As small an error as one likes takes ever more epsilon0; one that every level reaches is bought at 1e-300."""
    with pytest.raises(InfeasibleError, match="no finite epsilon0"):
        budget_for(1e-10, model=HEALTH_CENTRE, sensitivity=1e300)
    needed = budget_for(2, model=HEALTH_CENTRE, sensitivity=5e-324)
    assert needed.epsilon0 == 1e-300
    assert needed.error <= 2


def test_equation_11_without_an_upper_end():
    with pytest.raises(UnmetWishError, match="^budget") as error:
        equation_11(10_000, 2, 0.5, model=HEALTH_CENTRE, confidence=0.5)
    assert error.value.missing == pytest.approx(0.5 * HEALTH_CENTRE.dp(0.5) - 10_000)
    assert error.value.best == pytest.approx(0.5 * HEALTH_CENTRE.dp(0.5))
    with pytest.raises(UnmetWishError, match="^budget"):
        equation_11(10_000, 2, 0.5, model=HEALTH_CENTRE)
    assert equation_11(1e9, 2, 0.5, model=HEALTH_CENTRE, confidence=0.5).upper == math.inf
    wide = equation_11(1e9, 4, 0.5, model=HEALTH_CENTRE)
    assert (wide.lower, wide.upper, wide.excludes_optimum, wide.is_empty) == (0.25, 0.5, False, False)


# --- errors ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "1", True, [1.0, 2.0]])
@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda x: epsilon_range(x, 2, 0.5, model=HEALTH_CENTRE), "budget"),
        (lambda x: epsilon_range(1, x, 0.5, model=HEALTH_CENTRE), "max_error"),
        (lambda x: epsilon_range(1, 2, x, model=HEALTH_CENTRE), "epsilon0"),
        (lambda x: epsilon_range(1, 2, 0.5, model=HEALTH_CENTRE, k=x), "k"),
        (lambda x: epsilon_range(1, 2, 0.5, model=HEALTH_CENTRE, sensitivity=x), "sensitivity"),
        (lambda x: epsilon_range(1, 2, 0.5, model=HEALTH_CENTRE, truth=x), "truth"),
        (lambda x: budget_for(x, model=HEALTH_CENTRE), "max_error"),
        (lambda x: budget_for(1, model=HEALTH_CENTRE, sensitivity=x), "sensitivity"),
        (lambda x: budget_for(1, model=HEALTH_CENTRE, k=x), "k"),
        (lambda x: equation_11(x, 2, 0.5, model=HEALTH_CENTRE), "budget"),
        (lambda x: equation_11(1, x, 0.5, model=HEALTH_CENTRE), "max_error"),
        (lambda x: equation_11(1, 2, x, model=HEALTH_CENTRE), "epsilon0"),
        (lambda x: equation_11(1, 2, 0.5, model=HEALTH_CENTRE, confidence=x), "confidence"),
        (lambda _: equation_11(1, 2, 0.5, model=TWO_BASINS), "model"),
    ],
)
def test_bad_values_are_named(call, name, bad):
    with pytest.raises(ParameterError, match=f"^{name}"):
        call(bad)


@pytest.mark.parametrize("epsilon0", [1e-3, 100.0])
@pytest.mark.parametrize("max_error", [1e-300, 1e300])
def test_extremes(epsilon0, max_error):
    if max_error < 1:
        with pytest.raises(UnmetWishError, match="^accuracy"):
            epsilon_range(1e300, max_error, epsilon0, model=HEALTH_CENTRE, truth="published")
    else:
        assert epsilon_range(1e300, max_error, epsilon0, model=HEALTH_CENTRE, truth="published").intervals == (
            (0.0, epsilon0),
        )
