"""Releases of any mechanism together: accountants that hold, plans that meet the target, and one release more that does not."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from par_core.composition import (
    basic,
    compare,
    compose,
    epsilon0_for,
    exact,
    holding,
    most_releases,
    optimal_pure,
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
    found = most_releases("exact", release, **GOAL)
    assert compose(release, found.releases).epsilon(1e-5) <= 3.0 < compose(release, found.releases + 1).epsilon(1e-5)
    assert found.epsilon == pytest.approx(compose(release, found.releases).epsilon(1e-5))
    assert not found.at_limit


@pytest.mark.parametrize("kind", KINDS)
def test_the_largest_level_fits_and_a_little_more_does_not(kind):
    def make(level):
        return scenario(kind, level).release

    found = epsilon0_for("exact", 52, **GOAL, mechanism=make)
    assert compose(make(found.epsilon0), 52).epsilon(1e-5) <= 3.0
    assert compose(make(found.epsilon0 * (1 + 1e-5)), 52).epsilon(1e-5) > 3.0


@pytest.mark.parametrize("kind", KINDS)
def test_what_holds_lies_above_the_truth(kind):
    release, numbers = scenario(kind).release, [1, 5, 52, 300]
    truth = exact(release, numbers, delta=1e-5)
    compared = compare(release, numbers, delta=1e-5, truth=truth)
    assert compared.epsilon0 == 0.1
    assert [each.accountant.key for each in compared.curves] == list(holding(release))
    for each in compared.curves:
        assert (each.epsilon >= truth.lower).all()
        assert not each.below.any()


def test_randomised_response_is_the_worst_pure_mechanism_and_laplace_has_its_own_accountant():
    of_coins = exact(scenario("randomised-response").release, [2, 300], delta=1e-5)
    np.testing.assert_allclose(of_coins.upper, optimal_pure(0.1, [2, 300], delta=1e-5), rtol=1e-6)
    of_laplace = exact(Scenario(epsilon0=0.1).release, [2, 300], delta=1e-5)
    np.testing.assert_allclose(of_laplace.upper, exact(0.1, [2, 300], delta=1e-5).upper, rtol=1e-9)


def test_gaussian_releases_spend_what_their_normal_law_says():
    """Of n releases the distance of the neighbours in standard deviations is sqrt(n) times that of one."""
    release = scenario("gaussian").release
    (spent,) = exact(release, [52], delta=1e-5).upper
    mu = math.sqrt(52) * release.sensitivity / release.sigma
    delta = stats.norm.sf(spent / mu - mu / 2) - math.exp(spent) * stats.norm.sf(spent / mu + mu / 2)
    assert delta == pytest.approx(1e-5, rel=1e-9)


def test_a_target_that_no_level_meets_is_named():
    with pytest.raises(InfeasibleError, match="^no epsilon0 keeps 1,000,000 releases"):
        epsilon0_for(
            "exact",
            10**6,
            epsilon=1e-9,
            delta=1e-12,
            mechanism=lambda level: replace(scenario("randomised-response"), epsilon0=level).release,
        )


def test_where_not_even_one_release_fits_there_is_none():
    release = scenario("exponential", 5.0).release
    assert most_releases("exact", release, epsilon=0.5, delta=1e-9).releases == 0


@pytest.mark.parametrize("kind", KINDS)
def test_basic_composition_of_a_list_is_above_its_exact_count(kind):
    releases = compose([scenario(kind, level).release for level in (0.1, 0.2)], [20, 6])
    together = exact(releases, delta=1e-5)
    added = basic(releases, delta=1e-5)
    assert together.lower <= together.upper <= added
    if kind != "gaussian":
        assert added == 3.2


def test_the_lower_end_of_choices_is_what_they_lose_at_least():
    release = scenario("exponential").release
    found = exact(release, [52, 156], delta=1e-5)
    least = [compose(release, number).lower.epsilon(1e-5) for number in (52, 156)]
    np.testing.assert_array_equal(found.lower, least)
    assert (0.3 * found.upper < found.lower).all()
    assert (found.lower < found.upper).all()
