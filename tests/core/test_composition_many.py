"""Releases of many different mechanisms together: those of few points are put together on a small lattice first."""

import random

import numpy as np
import pytest

from par_core.composition import compose, dominating_pairs
from par_core.mechanisms import DiscreteLaplace, Exponential, Gaussian, Laplace, RandomisedResponse
from tests.core.test_composition_plans import PLANS, composed


@pytest.fixture
def put_together(monkeypatch):
    """Return what sets from how many mechanisms on they are put together, with nothing kept of before."""

    def put(many):
        monkeypatch.setattr(dominating_pairs, "_MANY", many)
        dominating_pairs.law_of.cache_clear()

    yield put
    dominating_pairs.law_of.cache_clear()


def some(number, rng):
    kinds = [Laplace, lambda level: DiscreteLaplace(level, 2), RandomisedResponse, Exponential]
    made = [rng.choice(kinds)(rng.uniform(0.001, 0.05)) for _ in range(number)]
    return compose(
        [*made, Gaussian(20.0), Gaussian(30.0), Laplace(1.5)], [rng.randint(1, 5) for _ in range(number + 3)]
    )


@pytest.mark.parametrize("number", [80, 150])
@pytest.mark.parametrize("tilt", [0.0, 5.0])
def test_the_law_is_that_of_one_by_one_but_for_rounding(put_together, number, tilt):
    together = some(number, random.Random(number))
    put_together(10**9)
    one_by_one = dominating_pairs.law_of(together.releases, tilt).law
    put_together(64)
    found = dominating_pairs.law_of(together.releases, tilt).law
    assert (found.first, found.width, found.log_mass) == (one_by_one.first, one_by_one.width, one_by_one.log_mass)
    assert np.abs(found.atoms - one_by_one.atoms).sum() < 1e-11
    assert found.error <= 2 * one_by_one.error  # of which the rounding of the transforms is the most


def test_plans_lie_between_the_ends_of_dp_accounting_as_before(put_together):
    put_together(0)
    for plan in PLANS[::5]:
        quick = composed(plan["plan"]).quick_epsilon(float(plan["delta"]))
        assert float(plan["optimistic"]) * (1 - 1e-9) <= quick <= float(plan["pessimistic"]) * 1.001 + 1e-3, plan


def test_noise_in_closed_form_is_one_release_wherever_it_stands():
    rng = random.Random(5)
    scales = [10.0, 20.0, 40.0]
    for _ in range(10):
        made = [*map(Gaussian, scales), Laplace(0.1), RandomisedResponse(0.2)]
        rng.shuffle(made)
        (joint,) = [each for each, _ in compose(made).releases if isinstance(each, Gaussian)]
        assert joint.mu == pytest.approx(np.sqrt(sum(1 / each**2 for each in scales)), rel=1e-12)
        assert len(compose(made).releases) == 3
