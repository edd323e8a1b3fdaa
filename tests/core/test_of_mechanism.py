"""Releases of any mechanism together: accountants that hold, plans that meet the target, and one release more that does not."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from par_core.composition import compose, exact, optimal_pure
from par_core.composition.of_mechanism import (
    basic_of,
    compare_of,
    epsilon0_for_of,
    exact_of,
    holding,
    largest_compositions_of,
    mixed_of,
)
from par_core.errors import InfeasibleError
from par_core.mechanisms import MECHANISMS
from par_core.scenario import Scenario

KINDS = [key for key in MECHANISMS if key != "laplace"]
GOAL = {"epsilon": 3.0, "delta": 1e-5}


def scenario(kind, epsilon0=0.1):
    return Scenario(epsilon0=epsilon0, mechanism=kind, sensitivity=2)


@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_number_fits_and_one_more_does_not(kind):
    release = scenario(kind).release
    found = largest_compositions_of(release, 0.1, **GOAL)
    assert (
        compose(release, found.compositions).epsilon(1e-5)
        <= 3.0
        < compose(release, found.compositions + 1).epsilon(1e-5)
    )
    assert found.epsilon == pytest.approx(compose(release, found.compositions).epsilon(1e-5))
    assert not found.at_limit


@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_level_fits_and_a_little_more_does_not(kind):
    def make(level):
        return scenario(kind, level).release

    found = epsilon0_for_of(make, 52, **GOAL)
    assert compose(make(found.epsilon0), 52).epsilon(1e-5) <= 3.0
    assert compose(make(found.epsilon0 * (1 + 1e-5)), 52).epsilon(1e-5) > 3.0


@pytest.mark.parametrize("kind", KINDS)
def test_what_holds_lies_above_the_truth(kind):
    release, numbers = scenario(kind).release, [1, 5, 52, 300]
    truth = exact_of(release, numbers, delta=1e-5)
    compared = compare_of(
        release, 0.1, numbers, delta=1e-5, keys=("basic", "advanced", "zcdp", "optimal_pure", "rdp"), truth=truth
    )
    assert [each.accountant.key for each in compared.curves] == list(holding(release))
    for each in compared.curves:
        assert (each.epsilon >= truth.lower).all()
        assert not each.below.any()


def test_randomised_response_is_the_worst_pure_mechanism_and_laplace_has_its_own_accountant():
    of_coins = exact_of(scenario("randomised-response").release, [2, 300], delta=1e-5)
    np.testing.assert_allclose(of_coins.upper, optimal_pure(0.1, [2, 300], delta=1e-5), rtol=1e-6)
    of_laplace = exact_of(Scenario(epsilon0=0.1).release, [2, 300], delta=1e-5)
    np.testing.assert_allclose(of_laplace.upper, exact(0.1, [2, 300], delta=1e-5).upper, rtol=1e-9)


def test_gaussian_releases_spend_what_their_normal_law_says():
    """Of n releases the distance of the neighbours in standard deviations is sqrt(n) times that of one."""
    release = scenario("gaussian").release
    (spent,) = exact_of(release, [52], delta=1e-5).upper
    mu = math.sqrt(52) * release.sensitivity / release.sigma
    delta = stats.norm.sf(spent / mu - mu / 2) - math.exp(spent) * stats.norm.sf(spent / mu + mu / 2)
    assert delta == pytest.approx(1e-5, rel=1e-9)


def test_a_target_that_no_level_meets_is_named():
    with pytest.raises(InfeasibleError, match="^no epsilon0 keeps 1,000,000 releases"):
        epsilon0_for_of(
            lambda level: replace(scenario("randomised-response"), epsilon0=level).release,
            10**6,
            epsilon=1e-9,
            delta=1e-12,
        )


def test_where_not_even_one_release_fits_there_is_none():
    assert largest_compositions_of(scenario("exponential", 5.0).release, 5.0, epsilon=0.5, delta=1e-9).compositions == 0


@pytest.mark.parametrize("kind", KINDS)
def test_basic_composition_of_a_list_is_above_its_exact_count(kind):
    releases = [scenario(kind, level).release for level in (0.1, 0.2)]
    together = mixed_of(releases, [20, 6], delta=1e-5)
    added = basic_of(releases, [20, 6], delta=1e-5)
    assert together.lower <= together.upper <= added
    if kind != "gaussian":
        assert added == 3.2


def test_the_lower_end_of_choices_is_what_they_lose_at_least():
    release = scenario("exponential").release
    found = exact_of(release, [52, 156], delta=1e-5)
    least = [compose(release, number).lower.epsilon(1e-5) for number in (52, 156)]
    np.testing.assert_array_equal(found.lower, least)
    assert (0.3 * found.upper < found.lower).all()
    assert (found.lower < found.upper).all()
