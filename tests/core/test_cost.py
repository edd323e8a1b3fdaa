"""Models of the cost of a breach and the cheapest ε, against equation 10 in many digits, figure 4 and plain search."""

from __future__ import annotations

import inspect
import json
import math
from pathlib import Path

import mpmath as mp
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from par_core import cost
from par_core.cost import TRUTHS, CostModel, FixedPlusPerHead, PiecewiseLinear, at_risk, curve, optimum
from par_core.errors import ParameterError
from par_core.evidence import MODEL, PUBLISHED
from par_core.mechanisms import Laplace
from par_core.published import explicit

thorough = settings(deadline=None, derandomize=True, max_examples=150)
quick = settings(deadline=None, derandomize=True, max_examples=60)
SUBNORMAL = 1e-300  # floats below this have fewer digits
HEALTH_CENTRE = CostModel(5500, stakeholders=100)
FIGURE_4 = json.loads((Path(__file__).parent / "data" / "figure_4.json").read_text(encoding="utf-8"))
STEPS = PiecewiseLinear([(0.1, 1000), (0.2, 1000), (0.2000001, 40_000), (0.6, 41_000), (0.60001, 90_000)])
NEARLY_ALL_SAVED = PiecewiseLinear([(1 - 6e-16, 0), (2, 1)])  # savings at ε0 = 1 differ by less than their last digit


def equation_10(epsilon0):
    """Solve it in 40 digits, by bisection of its two sides."""
    with mp.workdps(40):
        level0 = mp.mpf(epsilon0)

        def difference(x):
            return 1 / x - mp.log(1 - (1 - mp.exp(x)) / x**2) - 1 / level0

        return mp.findroot(difference, (level0 / 100, level0), solver="anderson", tol=1e-30)


def exact_stationary(epsilon0):
    """Where sinh(ε/2)·(e^(−1/ε0) − e^(−1/ε)) is stationary."""
    with mp.workdps(40):
        level0 = mp.mpf(epsilon0)

        def difference(x):
            return mp.cosh(x / 2) / 2 * (mp.exp(-1 / level0) - mp.exp(-1 / x)) - mp.sinh(x / 2) * mp.exp(-1 / x) / x**2

        return mp.findroot(difference, (level0 / 3, level0), solver="anderson", tol=1e-40)


def t_cdf(x, k):
    """P(T <= x) as a mixture of Erlang laws, in many digits."""
    weights = (2 * mp.binomial(k - 1 + j, j) / mp.mpf(2) ** (k + j) for j in range(k))
    return sum(weight * mp.gammainc(k - j, 0, x, regularized=True) for j, weight in enumerate(weights))


# --- the published numbers, and the true ones ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("epsilon0", "epsilon", "confidence"),
    [
        (0.1, 0.0790469, 0.798669),
        (0.5, 0.2741153, 0.609337),
        (0.6, 0.3093167, 0.589669),
        (0.7, 0.3411647, 0.574195),
        (1.0, 0.4211621, 0.543751),
    ],
)
def test_published_optima(epsilon0, epsilon, confidence):
    found = CostModel(1.0).optimum(epsilon0, truth="published")
    assert found.epsilon == pytest.approx(epsilon, abs=5.1e-8)
    assert found.confidence == pytest.approx(confidence, abs=5.1e-7)
    solution = equation_10(epsilon0)
    assert found.epsilon == pytest.approx(float(solution), abs=1e-12)
    assert found.confidence == pytest.approx(float(mp.expm1(-solution) / mp.expm1(-mp.mpf(epsilon0))), abs=1e-12)
    assert found.evidence.basis is PUBLISHED


@pytest.mark.parametrize("epsilon0", [0.1, 0.5, 0.6, 0.7, 1.0, 5.0])
def test_exact_optima(epsilon0):
    found = CostModel(1.0).optimum(epsilon0, truth="exact")
    solution = exact_stationary(epsilon0)
    assert found.epsilon == pytest.approx(float(solution), rel=1e-12)
    assert found.confidence == pytest.approx(float(mp.exp(-mp.mpf(epsilon0) / 2) * mp.sinh(solution / 2)), rel=1e-12)
    assert found.evidence.basis is MODEL


@pytest.mark.parametrize("k", [2, 3, 7])
@pytest.mark.parametrize("epsilon0", [0.5, 3.0])
def test_optima_of_several_numbers(k, epsilon0):
    with mp.workdps(40):

        def saving(x):
            return t_cdf(x, k) * (mp.exp(-1 / mp.mpf(epsilon0)) - mp.exp(-1 / x))

        solution = mp.findroot(
            lambda x: mp.diff(saving, x), (0.3 * epsilon0, 0.8 * epsilon0), solver="anderson", tol=1e-25
        )
    assert CostModel(1.0).optimum(epsilon0, k=k, truth="published").epsilon == pytest.approx(float(solution), abs=1e-10)


def test_the_health_centre_as_published():
    found = HEALTH_CENTRE.optimum(0.5, truth="published")
    assert found.baseline == pytest.approx(74_434.41, abs=0.005)
    assert found.budget == pytest.approx(37_805.86, abs=0.005)
    assert found.saving == pytest.approx(36_628.55, abs=0.005)
    assert found.share_saved == pytest.approx(0.49209, abs=1e-5)


@pytest.mark.parametrize(("epsilon0", "saving"), [(0.5, 6455.45), (0.6, 9495.0), (0.7, 12_452.0)])
def test_the_health_centre_in_truth_for_who_asks_for_nothing_else(epsilon0, saving):
    found = HEALTH_CENTRE.optimum(epsilon0)
    assert found.saving == pytest.approx(saving, abs=0.005 if epsilon0 == 0.5 else 0.5)
    if epsilon0 == 0.5:
        assert (round(found.epsilon, 7), round(found.confidence, 7)) == (0.2858391, 0.1116852)
        assert found.budget == pytest.approx(67_978.95, abs=0.005)


def test_the_published_number_is_given_to_none_who_did_not_ask_for_it():
    offered = [*vars(cost).values(), *(getattr(CostModel, name) for name in dir(CostModel))]
    asked = [inspect.signature(each).parameters for each in offered if inspect.isfunction(each)]
    defaults = [each["truth"].default for each in asked if "truth" in each]
    assert len(defaults) >= 6
    assert set(defaults) == {"exact"}


def test_figure_4():
    found = curve(HEALTH_CENTRE)
    assert [each.epsilon0 for each in found.curves] == [0.7, 0.6, 0.5]
    for each in found.curves:
        drawn = FIGURE_4["curves"][f"epsilon0={each.epsilon0:g}"]
        np.testing.assert_allclose(found.epsilon, drawn["x"], rtol=1e-14)
        np.testing.assert_allclose(each.published, drawn["y"], rtol=1e-9)
        assert each.published_optimum == HEALTH_CENTRE.optimum(each.epsilon0, truth="published")
        assert each.exact_optimum == HEALTH_CENTRE.optimum(each.epsilon0, truth="exact")


# --- models ----------------------------------------------------------------------------------------------------------


def test_equation_8():
    model = CostModel(5500, 3, rate=0.7, minimum=200)
    np.testing.assert_allclose(model.dp([0.1, 2.0]), [3 * (200 + 5500 * math.exp(-0.7 / e)) for e in (0.1, 2.0)])
    assert isinstance(model.dp(0.5), float)
    assert model(0.5) == model.dp(0.5)


def test_a_capped_model_keeps_the_constraints_that_equation_8_breaks():
    printed, capped = CostModel(1000, minimum=300), CostModel(1000, minimum=300, capped=True)
    assert printed.dp(1e9) == pytest.approx(1300)
    assert capped.dp(1e9) == pytest.approx(1000)
    assert capped.dp(1e-3) == printed.dp(1e-3) == 300
    assert "constraints 1 and 4" in printed.optimum(100.0, truth="published").limits
    assert (
        "constraints 1 and 4" not in printed.optimum(0.5, truth="published").limits
    )  # the cost there is still below 1000
    assert "constraints 1 and 4" not in capped.optimum(100.0, truth="published").limits
    assert capped.name != printed.name


def test_a_fine_due_in_any_breach_moves_no_optimum():
    plain, fined = (
        HEALTH_CENTRE.optimum(0.5, truth="published"),
        FixedPlusPerHead(20_000, 5500, 100).optimum(0.5, truth="published"),
    )
    assert fined.epsilon == plain.epsilon
    assert fined.budget == pytest.approx(plain.budget + 20_000)
    assert fined.saving == pytest.approx(plain.saving)


def test_a_fine_that_shrinks_like_the_compensation_adds_to_it():
    together = CostModel(5500 + 200, 100)
    apart = FixedPlusPerHead(20_000, 5500, 100, fixed_rate=1.0)
    np.testing.assert_allclose(apart.dp([0.1, 0.5, 9]), together.dp([0.1, 0.5, 9]))
    assert apart.optimum(0.5, truth="published").epsilon == pytest.approx(
        together.optimum(0.5, truth="published").epsilon, abs=1e-12
    )


def test_a_table():
    table = PiecewiseLinear([(0.1, 1000), (0.5, 5000), (1, 50_000)])
    np.testing.assert_allclose(table.dp([0.01, 0.1, 0.3, 0.75, 1, 7]), [1000, 1000, 3000, 27_500, 50_000, 50_000])
    assert table.is_convex
    assert not PiecewiseLinear([(0.1, 0), (0.5, 50), (1, 60)]).is_convex
    assert PiecewiseLinear([(0.1, 0), (0.2, 0.1), (0.3, 0.2), (0.4, 0.3)]).is_convex  # slopes equal but for rounding
    assert "too cheap" in table.optimum(2.0, truth="published").limits
    assert "too cheap" not in table.optimum(1.0, truth="published").limits
    assert hash(table) == hash(PiecewiseLinear(((0.1, 1000.0), (0.5, 5000.0), (1.0, 50_000.0))))


def test_a_table_of_equation_8_comes_close_to_it():
    levels = np.geomspace(0.01, 0.5, 3000)
    table = PiecewiseLinear(list(zip(levels, HEALTH_CENTRE.dp(levels), strict=True)))
    found = table.optimum(0.5, truth="published")
    assert found.budget == pytest.approx(HEALTH_CENTRE.optimum(0.5, truth="published").budget, rel=1e-5)
    assert found.epsilon == pytest.approx(0.2741153, abs=2e-3)


def test_a_saving_far_below_the_baseline_keeps_its_digits():
    plain, raised = (PiecewiseLinear([(0.1, low), (1, low + 1)]).optimum(0.5, truth="published") for low in (0.0, 1e9))
    assert raised.epsilon == pytest.approx(plain.epsilon, rel=1e-10)
    assert raised.saving == pytest.approx(plain.saving, rel=1e-10)


def test_the_fall_between_near_levels_keeps_its_digits():
    near, level0 = 0.5 - 1e-10, 0.5
    with mp.workdps(40):
        wanted = -mp.expm1(-(mp.mpf(10) ** 9) * (1 / mp.mpf(near) - 1 / mp.mpf(level0)))
    found, _ = CostModel(1, rate=1e9).fall_and_steepness(np.array(near), np.array(level0))
    assert float(found) == pytest.approx(float(wanted), rel=1e-13)


def test_steps():
    """Each step is so narrow that any grid would miss its foot."""
    for truth in TRUTHS:
        assert STEPS.optimum(0.7, truth=truth).epsilon == pytest.approx(0.6, abs=1e-12)
        assert STEPS.optimum(0.3, k=2, truth=truth).epsilon == pytest.approx(0.2, abs=1e-12)


def test_the_slope_at_a_point_of_a_table_is_that_to_its_right():
    table = PiecewiseLinear([(0.1, 0.0), (0.5, 4.0), (1.0, 24.0)])
    level0 = np.full(5, 0.9)
    for level, slope in ((0.05, 0.0), (0.1, 10.0), (math.nextafter(0.5, 0), 10.0), (0.5, 40.0), (0.7, 40.0)):
        fall, steepness = table.fall_and_steepness(np.full(5, level), level0)
        assert steepness == pytest.approx(np.full(5, level * slope), rel=1e-12)
        assert fall == pytest.approx(np.full(5, 20.0 - table.dp(level)), rel=1e-12)


class Own:
    """A user's own model, with a jump."""

    name = "two rooms"

    def __call__(self, epsilon):
        level = np.asarray(epsilon)
        return np.where(level > 0.3, 100.0, 10.0) + 5.0 * level


def test_any_callable_with_a_name():
    found = optimum(Own(), 0.5, truth="published")
    assert found.epsilon == pytest.approx(0.3, abs=1e-9)
    assert found.epsilon <= 0.3
    assert "two rooms" in found.source
    assert "missed" in found.limits
    assert "missed" not in HEALTH_CENTRE.optimum(0.5, truth="published").limits

    class Plain:
        name = "equation 8 without its derivative"
        __call__ = staticmethod(HEALTH_CENTRE.dp)

    for truth in TRUTHS:
        plain, smooth = optimum(Plain(), 0.5, truth=truth), HEALTH_CENTRE.optimum(0.5, truth=truth)
        assert plain.epsilon == pytest.approx(smooth.epsilon, abs=1e-7)
        assert plain.budget == pytest.approx(smooth.budget, rel=1e-13)


def test_of_a_callable_with_steps_no_digit_is_promised():
    """The cheapest level is the foot of a step: nothing that is found is cheaper, and what may be missed is said."""
    rng, largest, number = np.random.default_rng(3), 0.0, 200
    for _ in range(60):
        feet, epsilon0 = np.sort(rng.uniform(0.02, 1.0, number)), 1.0
        money = np.concatenate([[1.0], 1.0 + np.cumsum(rng.exponential(1.0, number))])
        steps = type(
            "Steps", (), {"name": "steps", "__call__": lambda _, e, f=feet, m=money: m[np.searchsorted(f, e)]}
        )()
        truth = (np.asarray(explicit.confidence(feet, epsilon0)) * (money[-1] - money[:-1])).max()
        found = optimum(steps, epsilon0, truth="published")
        assert found.saving <= truth * (1 + 1e-12)
        assert found.saving >= 0.9 * truth
        largest = max(largest, 1 - found.saving / truth)
    assert largest > 1e-3
    assert "next to a step of the cost" in found.limits
    assert "steps may have a cheaper level" in optimum.__doc__


def test_nothing_saved_where_the_cost_is_flat():
    for model in (CostModel(100, minimum=100, capped=True), CostModel(0), STEPS):
        for truth in TRUTHS:
            found = model.optimum(0.15, truth=truth)
            assert found.at_epsilon0 is True
            assert (found.epsilon, found.saving, found.share_saved) == (0.15, 0.0, 0.0)
            assert found.confidence == 1.0
            assert found.budget == found.baseline
    falling = Own()
    falling.__class__ = type("Falling", (), {"name": "falling", "__call__": lambda _, e: 1.0 / np.asarray(e)})
    assert optimum(falling, 0.5, truth="published").at_epsilon0


def test_arrays_broadcast():
    found = HEALTH_CENTRE.optimum([[0.1], [0.5]], k=[1, 3], truth="published")
    assert found.epsilon.shape == found.at_epsilon0.shape == (2, 2)
    assert found.epsilon[1, 1] == HEALTH_CENTRE.optimum(0.5, k=3, truth="published").epsilon
    money = HEALTH_CENTRE.at_risk([0.1, 0.2], [[0.5], [0.15], [0.2]], truth="published")
    assert money.shape == (3, 2)
    assert money[1, 1] == pytest.approx(HEALTH_CENTRE.dp(0.15))
    assert isinstance(HEALTH_CENTRE.at_risk(0.1, 0.5, truth="published"), float)


def test_at_risk_is_equation_9():
    for truth, confidence in (
        ("published", explicit.confidence(0.3, 0.8, k=2)),
        ("exact", Laplace(0.8).loss_within(0.3)),
    ):
        wanted = confidence * HEALTH_CENTRE.dp(0.3) + (1 - confidence) * HEALTH_CENTRE.dp(0.8)
        assert HEALTH_CENTRE.at_risk(0.3, 0.8, k=2, truth=truth) == pytest.approx(wanted, rel=1e-13)


# --- properties ------------------------------------------------------------------------------------------------------

money = st.floats(0.01, 1e6)
rates = st.floats(-2, 2).map(lambda x: 10**x)
levels0 = st.floats(-3, 2).map(lambda x: 10**x)
exponentials = st.builds(CostModel, money, money, rates, st.just(0.0) | money) | st.builds(
    FixedPlusPerHead, money, money, money, rates, st.just(0.0) | rates
)


@st.composite
def tables(draw):
    """Draw a rising table, often with steps that are far narrower than any grid."""
    size = draw(st.integers(2, 8))
    gaps = draw(st.lists(st.floats(-9, 0.5).map(lambda x: 10**x), min_size=size, max_size=size))
    rises = draw(st.lists(st.just(0.0) | money, min_size=size, max_size=size))
    levels = np.cumsum(gaps)
    assert (np.diff(levels) > 0).all()
    return PiecewiseLinear(list(zip(levels, np.cumsum(rises), strict=True)))


models = exponentials | tables()
dimensions = st.sampled_from([1, 2, 3, 5, 20])
truths = st.sampled_from(TRUTHS)


def fine_grid(model, epsilon0):
    marks = [model.landmarks, np.nextafter(model.landmarks, 0)]
    scales = [np.geomspace(1e-6 * epsilon0, epsilon0, 800), np.linspace(0, epsilon0, 801)[1:]]
    near = epsilon0 * (1 - np.geomspace(1e-14, 0.5, 400))
    grid = np.concatenate([*scales, near, *(mark[mark < epsilon0] for mark in marks)])
    return np.unique(grid)


@thorough
@example(model=NEARLY_ALL_SAVED, epsilon0=1.0, k=1, truth="published")
@given(model=models, epsilon0=levels0, k=dimensions, truth=truths)
def test_no_level_is_cheaper_than_the_optimum(model, epsilon0, k, truth):
    found = optimum(model, epsilon0, k=k, truth=truth)
    grid = fine_grid(model, epsilon0)
    assert grid.size >= 1900
    cheapest = at_risk(model, grid, epsilon0, k=k, truth=truth).min()
    assert found.budget <= cheapest * (1 + 1e-9) + SUBNORMAL
    assert found.baseline == model.dp(epsilon0)
    assert found.budget + found.saving == pytest.approx(found.baseline, rel=1e-12, abs=SUBNORMAL)
    again = at_risk(model, found.epsilon, epsilon0, k=k, truth=truth)
    assert again == pytest.approx(found.budget, rel=1e-12, abs=SUBNORMAL)
    assert found.at_epsilon0 == (found.epsilon == epsilon0)
    assert (found.saving == 0) or not found.at_epsilon0


@quick
@given(epsilon0=levels0, k=dimensions, truth=truths, table=tables())
def test_a_callable_is_searched_almost_as_well(epsilon0, k, truth, table):
    """The same table without its break points and slopes; a basin narrower than the scan may be lost."""

    class Hidden:
        name = "hidden"
        __call__ = staticmethod(table.dp)

    hidden, known = optimum(Hidden(), epsilon0, k=k, truth=truth), optimum(table, epsilon0, k=k, truth=truth)
    assert hidden.budget >= known.budget * (1 - 1e-9)
    assert hidden.saving >= 0.9 * known.saving - 1e-9 * known.baseline


@quick
@given(compensation=money, more=st.floats(1.0001, 10), rate=rates, minimum=money, epsilon0=levels0, truth=truths)
def test_the_least_budget_rises_with_every_input(compensation, more, rate, minimum, epsilon0, truth):
    model = CostModel(compensation, 10, rate, minimum)
    least = model.optimum(epsilon0, truth=truth).budget
    slack = 1 - 1e-12
    assert CostModel(compensation * more, 10, rate, minimum).optimum(epsilon0, truth=truth).budget >= least * slack
    assert CostModel(compensation, 10 * more, rate, minimum).optimum(epsilon0, truth=truth).budget > least
    assert CostModel(compensation, 10, rate, minimum * more).optimum(epsilon0, truth=truth).budget > least
    assert CostModel(compensation, 10, rate / more, minimum).optimum(epsilon0, truth=truth).budget >= least * slack
    assert model.optimum(epsilon0 * more, truth=truth).budget >= least * slack


@quick
@given(model=exponentials, epsilon0=levels0, k=dimensions)
def test_the_exact_saving_is_always_less_than_half_of_the_published(model, epsilon0, k):
    published, exact = model.optimum(epsilon0, k=k, truth="published"), model.optimum(epsilon0, k=k, truth="exact")
    assert exact.share_saved <= 0.5 * published.share_saved * (1 + 1e-12)


@pytest.mark.parametrize("truth", TRUTHS)
@pytest.mark.parametrize("k", [1, 2, 1000, explicit.LARGEST_K])
@pytest.mark.parametrize("epsilon0", [1e-3, 0.5, 100.0])
@pytest.mark.parametrize("rate", [1e-100, 1e-9, 1.0, 1e9, 1e100])
def test_extremes_are_finite(truth, k, epsilon0, rate):
    for compensation in (1e-100, 5500, 1e100):
        found = CostModel(compensation, 100, rate).optimum(epsilon0, k=k, truth=truth)
        numbers = (found.epsilon, found.confidence, found.budget, found.baseline, found.saving, found.share_saved)
        assert np.isfinite(numbers).all()
        assert 0 < found.epsilon < epsilon0
        assert not found.at_epsilon0
        assert 0 < found.share_saved <= 1
        assert found.budget <= found.baseline


@pytest.mark.parametrize("epsilon0", [1e-300, 1e-8, 700.0, 1e6, 1e300])
@pytest.mark.parametrize("model", [HEALTH_CENTRE, STEPS, Own(), FixedPlusPerHead(100, 20, 30, 1, 0.01)])
@pytest.mark.parametrize("truth", TRUTHS)
def test_levels_that_nobody_would_choose_are_finite_too(model, epsilon0, truth):
    found = optimum(model, epsilon0, truth=truth)
    assert np.isfinite([found.epsilon, found.budget, found.saving, found.share_saved]).all()
    assert 0 < found.epsilon <= epsilon0
    assert np.isfinite(curve(model, [epsilon0]).curves[0].exact).all()


def test_a_cost_too_small_for_a_float_still_has_its_optimum():
    """At ε0 = 1/1000 equation 8 is below 1e-400, but its cheapest ε is an ordinary number."""
    with mp.workdps(40):
        solution = mp.findroot(
            lambda x: mp.expm1(x) * 1 / x**2 / mp.expm1(1 / x - 1000) - 1,
            (9.9e-4, 9.99e-4),
            solver="anderson",
            tol=1e-25,
        )
    found = HEALTH_CENTRE.optimum(1e-3, truth="published")
    assert found.epsilon == pytest.approx(float(solution), rel=1e-12)
    assert (found.baseline, found.saving) == (0.0, 0.0)
    assert found.share_saved == pytest.approx(0.992, abs=1e-3)


# --- the curves ------------------------------------------------------------------------------------------------------


def test_curves_are_flat_from_epsilon0_on():
    for each in curve(HEALTH_CENTRE, k=2).curves:
        beyond = each.epsilon >= each.epsilon0
        assert beyond.any()
        for budget in (each.published, each.exact):
            np.testing.assert_allclose(budget[beyond], each.baseline, rtol=1e-14)
            assert (budget[~beyond] < each.baseline).all()
        assert (each.exact[~beyond] > each.published[~beyond]).all()


@pytest.mark.parametrize("epsilon0s", [(0.01, 1.0), (0.5,), (3.0, 100.0), (0.001,)])
def test_other_curves_show_their_optima(epsilon0s):
    for each in curve(HEALTH_CENTRE, epsilon0s).curves:
        for found, budget in ((each.published_optimum, each.published), (each.exact_optimum, each.exact)):
            assert budget.min() >= found.budget * (1 - 1e-12)
            assert budget.min() <= found.budget * 1.001
        assert np.isfinite(each.published).all()
    own = curve(HEALTH_CENTRE, epsilon0s, epsilon=[0.1, 0.2])
    assert own.epsilon.tolist() == [0.1, 0.2]


# --- errors ----------------------------------------------------------------------------------------------------------

BAD = [0, -1, float("nan"), float("inf"), "1", None, True, 1e300]


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda x: CostModel(1, stakeholders=x), "stakeholders"),
        (lambda x: CostModel(1, rate=x), "rate"),
        (lambda x: FixedPlusPerHead(1, 1, stakeholders=x), "stakeholders"),
        (lambda x: FixedPlusPerHead(1, 1, rate=x), "rate"),
        (lambda x: PiecewiseLinear([(x, 1), (1e200, 2)]), "points"),
        (lambda x: HEALTH_CENTRE.dp(x if x != 1e300 else -1), "epsilon"),
        (lambda x: HEALTH_CENTRE.at_risk(x if x != 1e300 else -1, 0.5), "epsilon"),
        (lambda x: HEALTH_CENTRE.optimum(x if x != 1e300 else -1), "epsilon0"),
        (lambda x: HEALTH_CENTRE.optimum(0.5, k=x), "k"),
        (lambda x: HEALTH_CENTRE.optimum(0.5, truth=x), "truth"),
        (lambda x: curve(HEALTH_CENTRE, [x if x != 1e300 else -1]), "epsilon0s"),
    ],
)
@pytest.mark.parametrize("bad", BAD)
def test_bad_values_are_named(call, name, bad):
    with pytest.raises(ParameterError, match=f"^{name}"):
        call(bad)


@pytest.mark.parametrize("bad", [-1, float("nan"), float("inf"), "1", None, True, 1e300, [1.0]])
@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda x: CostModel(x), "compensation"),
        (lambda x: CostModel(1, minimum=x), "minimum"),
        (lambda x: FixedPlusPerHead(x, 1), "fixed"),
        (lambda x: FixedPlusPerHead(1, x), "per_head"),
        (lambda x: FixedPlusPerHead(1, 1, fixed_rate=x), "fixed_rate"),
        (lambda x: PiecewiseLinear([(0.1, x), (0.2, 2)]), "points: money of point 1"),
    ],
)
def test_bad_money_is_named(call, name, bad):
    with pytest.raises(ParameterError, match=f"^{name}"):
        call(bad)


@pytest.mark.parametrize(
    ("points", "message"),
    [
        ([], "at least two, got 0"),
        ([(0.1, 1)], "at least two, got 1"),
        (5, "pairs"),
        ([1, 2], "pairs"),
        ([(0.1, 1), (0.2,)], "point 2 must be a pair"),
        ([(0.1, 1), (0.2, 2), (0.2, 3)], "epsilon of point 3 must be above 0.2"),
        ([(0.1, 1), (0.3, 2), (0.2, 3)], "epsilon of point 3"),
        ([(0.1, 1), (0.2, 2), (0.3, 1.5)], "money of point 3 must be at least 2"),
        ("ab", "point 1"),
    ],
)
def test_bad_tables_are_named(points, message):
    with pytest.raises(ParameterError, match=message):
        PiecewiseLinear(points)


def test_other_bad_input():
    with pytest.raises(ParameterError, match="minimum must be at most the compensation"):
        CostModel(1, minimum=2, capped=True)
    with pytest.raises(ParameterError, match="capped"):
        CostModel(1, capped=1)
    with pytest.raises(ParameterError, match="name"):
        PiecewiseLinear([(1, 1), (2, 2)], name=" ")
    with pytest.raises(ParameterError, match="fixed_rate"):
        FixedPlusPerHead(1, 1, fixed_rate=1e-200)


@pytest.mark.parametrize(
    "answer", [lambda _: 1.0, lambda e: -e, lambda e: e * np.nan, lambda e: ["a"] * e.size, lambda e: 1j * e]
)
def test_a_model_that_returns_no_money_is_named(answer):
    wrong = type("Wrong", (), {"name": "wrong", "__call__": lambda _, epsilon: answer(epsilon)})()
    with pytest.raises(ParameterError, match="model"):
        optimum(wrong, [0.5, 0.6], truth="published")
