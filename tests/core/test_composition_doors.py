"""One function for each question of composition, whatever is asked about: a level, several, a mechanism, what was put together."""

import math

import numpy as np
import pytest

from par_core import composition
from par_core.composition import (
    ACCOUNTANTS,
    basic,
    compare,
    compose,
    epsilon0_for,
    exact,
    exact_delta,
    holding,
    most_releases,
    optimal_pure,
    rdp,
    zcdp,
)
from par_core.composition.composed import Composed
from par_core.errors import InfeasibleError, ParameterError
from par_core.mechanisms import DiscreteLaplace, Gaussian, Laplace, RandomisedResponse

GOAL = {"epsilon": 3.0, "delta": 1e-5}
OTHERS = [DiscreteLaplace(0.2), RandomisedResponse(0.2), Gaussian(8.0)]


@pytest.mark.parametrize("ask", [exact, basic, rdp, zcdp, optimal_pure])
def test_a_level_is_short_for_its_laplace_noise(ask):
    numbers = [1, 2, 52]
    of_level, of_noise, of_both = (ask(each, numbers, delta=1e-5) for each in (0.2, Laplace(0.2, 7.0), compose(0.2)))
    for of_other in (of_noise, of_both):
        if ask is exact:
            np.testing.assert_allclose(of_other.value, of_level.value, rtol=1e-9)
            assert (of_other.lower <= of_level.upper).all()
            assert (of_level.lower <= of_other.upper).all()
        else:
            np.testing.assert_allclose(of_other, of_level, rtol=1e-15)


def test_levels_are_asked_separately_and_put_together_by_compose():
    apart = exact([0.1, 0.2], 3, delta=1e-5)
    assert apart.upper.tolist() == [exact(level, 3, delta=1e-5).upper for level in (0.1, 0.2)]
    together = exact(compose([0.1, 0.2], 3), delta=1e-5)
    assert apart.upper.max() < together.lower <= together.upper < basic(compose([0.1, 0.2], 3)) == 0.9
    assert exact(compose([0.1, 0.2]), 3, delta=1e-5) == together  # all of it, three times


@pytest.mark.parametrize(("release", "few"), [(0.5, 3), (0.05, 3), (0.02, 5), (Gaussian(50.0), 6), (OTHERS[0], 4)])
def test_the_most_releases_are_the_last_that_fit_and_are_found_in_a_few_counts(monkeypatch, release, few):
    counted, upper = [], Composed.upper_epsilon
    monkeypatch.setattr(Composed, "upper_epsilon", lambda self, delta: counted.append(delta) or upper(self, delta))
    found = most_releases("exact", release, **GOAL)
    assert len(counted) <= few
    within, beyond = (exact(compose(release), found.releases + more, delta=1e-5).upper for more in (0, 1))
    assert within == found.epsilon <= 3.0 < beyond


def test_plans_and_comparisons_of_several_levels_are_those_of_each():
    levels = np.array([0.1, 0.2])
    plans = most_releases("exact", levels, **GOAL)
    assert plans == tuple(most_releases("exact", level, **GOAL) for level in levels.tolist())
    for compared, level in zip(compare(levels, [1, 9], delta=1e-5), levels.tolist(), strict=True):
        alone = compare(level, [1, 9], delta=1e-5)
        assert compared.epsilon0 == level
        assert [each.epsilon.tolist() for each in compared.curves] == [each.epsilon.tolist() for each in alone.curves]
    with pytest.raises(ParameterError, match="^truth must be left out"):
        compare(levels, [1, 9], delta=1e-5, truth=alone.exact)


@pytest.mark.parametrize("mechanism", OTHERS)
def test_each_question_of_one_mechanism_and_of_its_releases_together(mechanism):
    several = exact(mechanism, [[1], [20]], delta=[1e-9, 1e-5])
    assert several.upper.shape == (2, 2)
    one = exact(compose(mechanism, 20), delta=1e-5)
    assert (one.lower, one.upper) == (several.lower[1, 1], several.upper[1, 1])
    assert one.upper <= compose(mechanism, 20).epsilon(1e-5)
    back = exact_delta(mechanism, 20, epsilon=one.upper)
    assert back.lower <= 1e-5
    assert back.upper == pytest.approx(1e-5, rel=1e-6)
    assert basic(mechanism, 20, delta=1e-5) == basic(compose(mechanism, 20), delta=1e-5) >= one.upper
    compared = compare(compose(mechanism, 4), [1, 5], delta=1e-5)
    assert compared.releases.tolist() == [4, 20]
    alone = compare(mechanism, [4, 20], delta=1e-5)
    for each, other in zip(compared.curves, alone.curves, strict=True):
        np.testing.assert_allclose(each.epsilon, other.epsilon, rtol=1e-15)
    assert most_releases("exact", mechanism, **GOAL).releases >= 15
    fits = most_releases("exact", compose([mechanism, Laplace(0.1)], [3, 2]), **GOAL).releases
    assert exact(compose([mechanism, Laplace(0.1)], [3 * fits, 2 * fits]), delta=1e-5).upper <= 3.0
    assert exact(compose([mechanism, Laplace(0.1)], [3 * fits + 3, 2 * fits + 2]), delta=1e-5).upper > 3.0


def test_gaussian_releases_are_added_up_as_they_were_and_not_as_the_one_that_they_are():
    noise = Gaussian(8.0)
    assert basic(compose(noise, 20), delta=1e-5) == pytest.approx(20 * noise.epsilon(1e-5 / 20), rel=1e-14)
    assert basic(compose([noise, 0.1], [20, 5]), delta=1e-5) == pytest.approx(20 * noise.epsilon(4e-7) + 0.5, rel=1e-14)
    with pytest.raises(InfeasibleError, match="no largest loss"):
        basic(noise, 3)


@pytest.mark.parametrize("key", [*ACCOUNTANTS, "exact"])
def test_accountants_hold_for_a_mechanism_or_refuse_it_by_name(key):
    for mechanism in OTHERS:
        if key == "exact" or key in holding(mechanism):
            assert most_releases(key, mechanism, **GOAL).releases > 0
            continue
        with pytest.raises(ParameterError, match=f"^key must be .*{key}$"):
            most_releases(key, mechanism, **GOAL)
        with pytest.raises(ParameterError, match=f"^keys must be .*{key}$"):
            compare(mechanism, 3, delta=1e-5, keys=[key])
        if not ACCOUNTANTS[key].at_risk:
            with pytest.raises(ParameterError, match=f"^epsilon0 must be .* for {key}, got {mechanism.name}$"):
                ACCOUNTANTS[key].epsilon(mechanism, 3, delta=1e-5)
    if key not in ("exact", "basic") and not ACCOUNTANTS[key].at_risk:
        with pytest.raises(ParameterError, match=f"^epsilon0 must be releases of one kind for {key}, got 2 kinds"):
            ACCOUNTANTS[key].epsilon(compose([0.1, 0.2]), 3, delta=1e-5)


@pytest.mark.parametrize("key", ["exact", "basic", "rdp", "optimal_pure", "at_risk"])
def test_what_was_put_together_counts_as_one(key):
    alone = most_releases(key, 0.1, **GOAL)
    fives = most_releases(key, compose(0.1, 5), **GOAL)
    assert fives.releases == alone.releases // 5
    assert fives.epsilon <= alone.epsilon
    assert fives.epsilon0 == 0.1


def test_the_largest_level_of_any_mechanism():
    for make in (Laplace, DiscreteLaplace, RandomisedResponse):
        for key in ("basic", "zcdp", "exact"):
            level = epsilon0_for(key, 52, **GOAL, mechanism=make).epsilon0
            assert most_releases(key, make(level), **GOAL).releases == 52
    with pytest.raises(ParameterError, match="^key must be .*rdp$"):
        epsilon0_for("rdp", 52, **GOAL, mechanism=DiscreteLaplace)
    with pytest.raises(ParameterError, match="^mechanism must be a function"):
        epsilon0_for("exact", 52, **GOAL, mechanism=Laplace(0.5))


def test_beyond_step_by_step_a_level_is_counted_on_the_lattice():
    found = exact(0.01, [20_000, 20_001], delta=1e-5)
    assert found.upper[0] < found.upper[1]
    assert found.upper[1] - found.lower[1] < 1e-4 * found.upper[1]
    assert (found.lower[1], found.upper[1]) == (
        (one := exact(compose(0.01, 20_001), delta=1e-5)).lower,
        one.upper,
    )


def old_calls():
    of_mechanism, laplace = OTHERS[0], [Laplace(0.1), Laplace(0.2)]
    truth = exact(of_mechanism, [3], delta=1e-5)
    return {
        "exact_mixed": lambda old: (
            old([0.1, 0.2], [2, 3], delta=1e-5) == exact(compose([0.1, 0.2], [2, 3]), delta=1e-5)
        ),
        "exact_delta_mixed": lambda old: old([0.1], epsilon=0.05) == exact_delta(compose([0.1]), epsilon=0.05),
        "exact_of": lambda old: old(of_mechanism, 3, delta=1e-5) == exact(of_mechanism, 3, delta=1e-5),
        "mixed_of": lambda old: old(laplace, [2, 3], delta=1e-5) == exact(compose(laplace, [2, 3]), delta=1e-5),
        "basic_of": lambda old: old(laplace, [2, 3], delta=1e-5) == 0.8,
        "compare_of": lambda old: (
            len(old(of_mechanism, 0.2, [3], delta=1e-5, keys=["basic", "rdp"], truth=truth).curves) == 1
        ),
        "largest_compositions_of": lambda old: (
            old(of_mechanism, 0.2, **GOAL) == most_releases("exact", of_mechanism, **GOAL)
        ),
        "epsilon0_for_of": lambda old: (
            old(RandomisedResponse, 5, **GOAL) == epsilon0_for("exact", 5, **GOAL, mechanism=RandomisedResponse)
        ),
    }


@pytest.mark.parametrize("name", old_calls())
def test_an_old_name_warns_and_does_what_it_did(name):
    from par_core.composition import old_calls as home

    for place in (composition, home):
        with pytest.warns(DeprecationWarning, match=f"^{name} is now par_core.composition") as told:
            old = getattr(place, name)
        assert told[0].filename == __file__
        assert old_calls()[name](old)


def test_what_never_was_a_name_is_none():
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        composition.nothing  # noqa: B018
    assert not math.isnan(composition.LARGEST_EPSILON0)
