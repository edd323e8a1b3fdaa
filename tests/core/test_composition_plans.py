"""Plans put back in: they meet the target, and a little more does not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.composition import ACCOUNTANTS, epsilon0_for, exact, exact_mixed, largest_compositions
from par_core.composition.plans import largest_proven
from par_core.errors import InfeasibleError, ParameterError
from par_core.standing import PROVEN, PUBLISHED

KEYS = ["exact", *ACCOUNTANTS]
TARGETS = [(0.1, 3.0, 1e-5), (0.5, 20.0, 1e-6), (1.0, 0.9, 1e-5), (0.02, 1.0, 1e-9)]
few = settings(deadline=None, derandomize=True, max_examples=15)


def together(key, level, number, delta):
    if key == "exact":
        return exact_mixed([level], [number], delta=delta).upper
    return ACCOUNTANTS[key].epsilon(level, number, delta=delta)


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("epsilon0", "epsilon", "delta"), TARGETS)
def test_one_release_more_does_not_fit(key, epsilon0, epsilon, delta):
    plan = largest_compositions(key, epsilon0, epsilon=epsilon, delta=delta)
    assert (plan.key, plan.epsilon0) == (key, epsilon0)
    assert not plan.at_limit
    assert plan.epsilon <= epsilon
    if plan.compositions:
        back = together(key, epsilon0, plan.compositions, delta)
        assert back <= epsilon * (1 + 1e-15)
        assert plan.epsilon == pytest.approx(back, rel=1e-15)
    else:
        assert plan.epsilon == 0
    assert together(key, epsilon0, plan.compositions + 1, delta) > epsilon


@pytest.mark.slow
@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize(("number", "epsilon", "delta"), [(1, 0.7, 1e-5), (30, 5.0, 1e-6), (300, 64.0, 1e-5)])
def test_a_millionth_more_does_not_meet_the_target(key, number, epsilon, delta):
    plan = epsilon0_for(key, number, epsilon=epsilon, delta=delta)
    assert (plan.key, plan.compositions) == (key, number)
    assert not plan.at_limit
    assert plan.epsilon == together(key, plan.epsilon0, number, delta) <= epsilon
    assert together(key, plan.epsilon0 * (1 + 1e-6), number, delta) > epsilon


@pytest.mark.slow
@pytest.mark.parametrize(("epsilon0", "epsilon", "delta"), [*TARGETS, (3.0, 50.0, 1e-5), (0.1, 0.3, 1e-12)])
def test_exact_allows_at_least_as_much_as_whatever_is_proven(epsilon0, epsilon, delta):
    most = largest_compositions("exact", epsilon0, epsilon=epsilon, delta=delta).compositions
    strongest = epsilon0_for("exact", 20, epsilon=epsilon, delta=delta).epsilon0
    for key, accountant in ACCOUNTANTS.items():
        if accountant.standing is PROVEN:
            assert largest_compositions(key, epsilon0, epsilon=epsilon, delta=delta).compositions <= most
            assert epsilon0_for(key, 20, epsilon=epsilon, delta=delta).epsilon0 <= strongest * (1 + 1e-6)


def test_sums_do_not_fall_over_decimal_fractions():
    for key in ("basic", "exact"):
        assert largest_compositions(key, 0.1, epsilon=0.3, delta=1e-15).compositions >= 3
    assert largest_compositions("basic", 0.1, epsilon=0.7, delta=1e-5).compositions == 7
    for tenths in range(1, 60):
        assert largest_compositions("basic", 0.1, epsilon=tenths / 10, delta=1e-5).compositions == tenths


@pytest.mark.slow
@pytest.mark.parametrize("key", ["at_risk", "at_risk_exact", "at_risk_preprint", "at_risk_as_drawn"])
def test_the_dimension_reaches_the_claims_and_nothing_else(key):
    for k in (1, 5):
        most = largest_compositions(key, 0.5, epsilon=20.0, delta=1e-5, k=k).compositions
        spent = [ACCOUNTANTS[key].epsilon(0.5, number, delta=1e-5, k=k) for number in (most, most + 1)]
        assert spent[0] <= 20 < spent[1]
        plan = epsilon0_for(key, 100, epsilon=20.0, delta=1e-5, k=k)
        assert plan.epsilon == ACCOUNTANTS[key].epsilon(plan.epsilon0, 100, delta=1e-5, k=k) <= 20
    for other in ("basic", "exact"):
        same = [largest_compositions(other, 0.5, epsilon=5.0, delta=1e-5, k=k) for k in (1, 5)]
        assert same[0] == same[1]


def test_the_largest_proven_plan_is_no_claim():
    plans = [largest_compositions(key, 1e-4, epsilon=1.0, delta=1e-5) for key in ("exact", "rdp", "at_risk_as_drawn")]
    assert plans[0].compositions < plans[1].compositions < plans[2].compositions, "the example must be one"
    assert largest_proven(plans, by="compositions") is plans[1]
    assert largest_proven(plans[2:], by="compositions") is None


def test_there_and_back():
    """The level for 57 releases allows 57 releases."""
    for key in KEYS:
        level = epsilon0_for(key, 57, epsilon=6.0, delta=1e-5).epsilon0
        assert largest_compositions(key, level, epsilon=6.0, delta=1e-5).compositions == 57


@pytest.mark.slow
@few
@given(st.floats(0.05, 3.0), st.floats(0.1, 40.0), st.sampled_from([1e-10, 1e-5, 1e-2]))
def test_exact_against_a_plain_search(epsilon0, epsilon, delta):
    plan = largest_compositions("exact", epsilon0, epsilon=epsilon, delta=delta)
    if plan.compositions <= 1000:
        numbers = list(range(1, plan.compositions + 2))
        lower = exact(epsilon0, numbers, delta=delta).lower
        assert (lower[: plan.compositions] <= epsilon * (1 + 1e-14)).all()
        assert exact(epsilon0, plan.compositions + 1, delta=delta).upper > epsilon


def test_targets_beyond_what_is_looked_at():
    least = largest_compositions("exact", 1e-6, epsilon=10.0, delta=1e-5)
    assert least.at_limit
    assert least.compositions == 1_000_000
    assert largest_compositions("basic", 1e-6, epsilon=1e4, delta=1e-5).at_limit
    top = epsilon0_for("basic", 1, epsilon=1000.0, delta=1e-5)
    assert top.at_limit
    assert top.epsilon0 == 50.0


def test_no_level_is_small_enough():
    with pytest.raises(InfeasibleError, match="no epsilon0 keeps") as error:
        epsilon0_for("basic", 1000, epsilon=1e-4, delta=1e-5)
    assert error.value.best == pytest.approx(1e-3)
    with pytest.raises(InfeasibleError):
        epsilon0_for("exact", 1000, epsilon=1e-6, delta=1e-12)


def test_plans_say_what_they_are_worth():
    for key in KEYS:
        plan = largest_compositions(key, 0.5, epsilon=3.0, delta=1e-5)
        assert plan.name
        assert plan.source
        assert plan.standing is (PROVEN if key == "exact" else ACCOUNTANTS[key].standing)


@pytest.mark.parametrize("bad", [0, -1, float("nan"), float("inf"), "1", None, [], [0.1, 0.2]])
def test_bad_input_is_named(bad):
    with pytest.raises(ParameterError, match="^epsilon0 must"):
        largest_compositions("basic", bad, epsilon=1.0, delta=1e-5)
    with pytest.raises(ParameterError, match="^epsilon must"):
        largest_compositions("basic", 0.1, epsilon=bad, delta=1e-5)
    with pytest.raises(ParameterError, match="^delta must"):
        largest_compositions("basic", 0.1, epsilon=1.0, delta=bad)
    with pytest.raises(ParameterError, match="^compositions must"):
        epsilon0_for("basic", bad, epsilon=1.0, delta=1e-5)
    with pytest.raises(ParameterError, match="^epsilon must"):
        epsilon0_for("basic", 3, epsilon=bad, delta=1e-5)
    with pytest.raises(ParameterError, match="^delta must"):
        epsilon0_for("basic", 3, epsilon=1.0, delta=bad)


def test_an_unknown_accountant_is_named():
    for call in (
        lambda: largest_compositions("moments", 0.1, epsilon=1.0, delta=1e-5),
        lambda: epsilon0_for("moments", 3, epsilon=1.0, delta=1e-5),
    ):
        with pytest.raises(ParameterError, match="^key must be 'exact' or among basic, .*'moments'"):
            call()


def test_the_level_of_a_plan_stands_as_its_way_of_counting_does():
    exactly, claimed = (
        epsilon0_for(key, 300, epsilon=3.0, delta=1e-5).quantity("epsilon0") for key in ("exact", "at_risk")
    )
    assert (exactly.standing, exactly.toward, exactly.claim) == (PROVEN, "down", "")
    assert (claimed.standing, claimed.toward, claimed.claim) == (PUBLISHED, "near", "par-theorem-3-with-theorem-4")


def test_where_a_rough_count_meets_the_target_at_no_level_the_exact_one_still_does():
    plan = epsilon0_for("exact", 1000, epsilon=1.2e-5, delta=1e-5)
    assert plan.epsilon0 >= 1e-6
    assert plan.epsilon <= 1.2e-5
