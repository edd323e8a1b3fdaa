"""Releases of many different mechanisms together: those of few points are put together on a small lattice first."""

import pickle
import random

import numpy as np
import pytest

from par_core.composition import compose, dominating_pairs, tilted_masses
from par_core.composition import composed as composed_module
from par_core.mechanisms import DiscreteLaplace, Exponential, Gaussian, Laplace, PermuteAndFlip, RandomisedResponse
from tests.core.test_composition_plans import PLANS, composed

CACHED = ("_alike", "some_narrow", "tilts", "window_of", "_span", "law_of")


@pytest.fixture
def put_together(monkeypatch):
    """Return what sets a name of the module, or of both where they share it, with nothing kept of before."""

    def put(name, value):
        for module in (dominating_pairs, composed_module):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, value)
        clear()

    def clear():
        for each in CACHED:
            getattr(dominating_pairs, each).cache_clear()

    yield put
    clear()


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
    found = dominating_pairs.law_of(together.releases, tilt).law
    put_together("_PART", 10**9)  # no room for any
    one_by_one = dominating_pairs.law_of(together.releases, tilt).law
    assert (found.first, found.width) == (one_by_one.first, one_by_one.width)
    assert found.log_mass == pytest.approx(one_by_one.log_mass, rel=1e-14, abs=1e-13)
    assert np.abs(found.atoms - one_by_one.atoms).sum() < 1e-11
    assert found.error <= 2 * one_by_one.error  # of which the rounding of the transforms is the most


def test_plans_lie_between_the_ends_of_dp_accounting_as_before(put_together):
    put_together("MANY", 0)
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


# --- very many: those of a kind together, on a lattice of their own ---

KINDS = (
    lambda level: Laplace(level),
    lambda level: DiscreteLaplace(level, 3),
    lambda level: RandomisedResponse(level, 4),
    lambda level: PermuteAndFlip(level, 1.9),
    lambda level: Exponential(level, 2.0),
)


@pytest.mark.parametrize("kind", KINDS, ids=range(len(KINDS)))
def test_mechanisms_of_a_kind_are_put_together_as_one_by_one(kind):
    levels, times, step, tilt, room = (0.05, 0.031, 0.0107, 0.2), (1, 3, 2, 1), 1e-3, 2.5, 4096
    releases = [(kind(level), number) for level, number in zip(levels, times, strict=True)]
    masses = tilted_masses.of_a_kind(releases, [1, 1, 1, 1], step, tilt)
    found, error = masses.put_together(room)
    law, log_mass, exact = np.ones(1), 0.0, np.zeros(3)
    strengths = np.array([0.5, -1.0, 3.0])
    for mechanism, number in releases:
        place, mass, one, _ = tilted_masses.tilted(mechanism, step, tilt)
        log_mass += number * one
        exact += number * np.log(np.exp(strengths[:, None] * step * place) @ np.abs(mass))
        for _ in range(number):
            law = np.convolve(law, mass)
    assert np.abs(found - law).sum() <= error < 1e-9
    assert masses.log_mass == pytest.approx(log_mass, abs=1e-13)
    bound = masses.log_moments(strengths, step)
    assert (bound >= exact - 1e-13).all()
    assert (bound <= exact + 0.5 * np.abs(exact) + 0.01).all()


@pytest.mark.parametrize("seed", range(4))
def test_very_many_mechanisms_lose_what_they_lose_one_by_one(seed, put_together):
    """In a narrower window, with tilts that are chosen by a part of them, and from fewer points of a lattice."""
    rng = np.random.default_rng(seed)
    parts = [
        KINDS[at](float(level)) for at, level in zip(rng.integers(0, 4, 90), rng.uniform(1e-3, 0.2, 90), strict=True)
    ]
    together = compose([*parts, Gaussian(4.0), Laplace(2.0)], rng.integers(1, 6, 92))
    quick, upper, delta = together.quick_epsilon(1e-6), together.epsilon(1e-6), together.delta(2.0)
    put_together("MANY", 10**6)
    one_by_one = compose(*zip(*together.parts, strict=True))
    low, high = one_by_one.lower.epsilon(1e-6), one_by_one.epsilon(1e-6)
    assert low <= min(quick, upper)
    assert quick <= high + 2e-5
    assert upper <= high + 1e-6
    assert delta == pytest.approx(one_by_one.delta(2.0), rel=1e-4)


# --- what makes them quick ---


@pytest.mark.parametrize("apart", [1, 3])
def test_the_lowest_frequencies_are_those_of_the_whole_transform(apart):
    points, step, tilt = 2**14, 1e-3, 2.5
    releases = [(Laplace(level), times) for level, times in ((0.05, 3), (0.031, 1), (0.0107, 2))]
    several = tilted_masses.of_a_kind(releases, [apart] * 3, step, tilt)
    (one,) = tilted_masses.masses_of(tuple(releases[:1]), [apart], step, tilt, room=0, together=False)
    for masses in (several, one):
        whole, wrong = masses.transform(points, points // 16)
        lowest, rounded = masses.lowest(tilted_masses.Waves(points, 40))
        assert lowest.shape == (40,)
        assert np.abs(lowest - whole[:40]).max() <= wrong + rounded < 1e-9


def test_a_bound_on_moments_of_many_places_takes_the_worst_of_its_neighbours():
    strengths = np.array([-8.0, -0.3, 0.5, 8.0])
    place, mass, *_ = tilted_masses.tilted(Gaussian(2.0), 1e-3, 3.0)
    assert len(place) > 10_000
    (masses,) = tilted_masses.masses_of(((Gaussian(2.0), 2),), [1], 1e-3, 3.0, room=0, together=False)
    exact = 2 * np.log(np.exp(strengths[:, None] * 1e-3 * place) @ np.maximum(mass, 0.0))
    assert (masses.log_moments(strengths, 1e-3) >= exact - 1e-12).all()
    assert (masses.log_moments(strengths, 1e-3) <= exact + np.abs(strengths) * 0.05 + 1e-3).all()


def test_a_mechanism_with_the_same_delta_has_it_at_each_epsilon():
    level = np.linspace(0.0, 1.2, 97)
    made = [kind(0.9, moves) for kind in (Laplace, Exponential, PermuteAndFlip) for moves in (0.3, 1, 7)]
    made += [DiscreteLaplace(0.9, 1), DiscreteLaplace(0.9, 4), RandomisedResponse(0.9, 5), Gaussian(1.5, 2.0)]
    for mechanism in made:
        same = mechanism.with_same_delta()
        np.testing.assert_allclose(same.delta(level), mechanism.delta(level), rtol=1e-13, atol=1e-17)
        assert same.with_same_delta() == same
    assert len({each.with_same_delta() for each in made}) == 6
    assert (
        len(compose([Laplace(0.3), Laplace(0.3, 5.0), PermuteAndFlip(0.2), DiscreteLaplace(0.2)])._simplest.releases)
        == 2
    )


@pytest.mark.parametrize(
    ("mechanisms", "times"),
    [
        # losses that have probabilities of their own, which half a step moves far
        ([Laplace(0.0845), RandomisedResponse(0.0845 / 3), Laplace(0.169 / 3)], 12),
        ([Laplace(0.0845, 10.0), DiscreteLaplace(0.0845 / 3), Laplace(0.169 / 3), Gaussian(200.0)], 12),
        # so many that a step counts, and of kinds whose truth is further below
        ([PermuteAndFlip(0.0123), Exponential(0.0311), Laplace(0.0217), Gaussian(90.0)], 1_000),
    ],
)
def test_a_quick_epsilon_is_close_to_the_closest_one(mechanisms, times):
    together = compose(mechanisms, times)
    quick, upper = together.quick_epsilon(1e-6), float(together.epsilon(1e-6))
    assert upper - 1e-6 <= quick <= upper + 2e-5


def test_of_permute_and_flip_alone_the_truth_may_be_further_below():
    alone = compose(PermuteAndFlip(1.0))
    assert alone.epsilon(1e-6) == RandomisedResponse(1.0).epsilon(1e-6)
    assert alone.lower.epsilon(1e-6) <= PermuteAndFlip(1.0).loses_at_least().epsilon(1e-6) < alone.epsilon(1e-6) - 0.1


def test_the_hash_of_releases_does_not_travel():
    """Of Poisson sampling, a text, it is another one in another process."""
    releases = tilted_masses.Releases([(Laplace(1.0).subsampled(0.1), 2)])
    assert hash(releases) == hash(tuple(releases))
    copy = pickle.loads(pickle.dumps(releases))
    assert copy == releases
    assert "_hash" not in vars(copy)
