"""Releases of any mechanisms together, held against brute force, other accountants, and each mechanism's own closed form."""

import itertools
import math
import subprocess
import sys
import time
from fractions import Fraction

import mpmath as mp
import numpy as np
import pytest
from dp_accounting.pld import privacy_loss_distribution
from scipy import stats

from par_core import composition
from par_core.composition import compose
from par_core.composition.dominating_pairs import tilts
from par_core.errors import ParameterError
from par_core.mechanisms import (
    MECHANISMS,
    NOISES,
    DiscreteLaplace,
    Exponential,
    Gaussian,
    Laplace,
    RandomisedResponse,
    belief_after,
)


def law_of(noise):
    """Losses of one release, as parts of the largest, with their probabilities."""
    if isinstance(noise, RandomisedResponse):
        return {1.0: noise.truth, -1.0: noise.other, 0.0: (noise.categories - 2) * noise.other}
    q = math.exp(-noise.epsilon0 / noise.sensitivity)
    reach = noise.sensitivity
    inner = {1 - 2 * x / reach: (1 - q) / (1 + q) * q**x for x in range(1, reach)}
    return {1.0: 1 / (1 + q), -1.0: q**reach / (1 + q)} | inner


def brute_force(noises, level):
    """Delta, and the chances of a larger loss, of a few releases with a discrete loss: every combination of their losses."""
    delta = one = other = 0.0
    for combination in itertools.product(*(law_of(noise).items() for noise in noises)):
        loss = sum(part * noise.epsilon0 for (part, _), noise in zip(combination, noises, strict=True))
        chance = math.prod(each for _, each in combination)
        if loss > level + 1e-12:
            delta += chance * -math.expm1(level - loss)
            one += chance
            other += chance * math.exp(-loss)
    return delta, one, other


TOGETHER = [
    [DiscreteLaplace(0.3, 2), DiscreteLaplace(0.5, 1)],
    [DiscreteLaplace(0.3, 3), DiscreteLaplace(0.3, 3), DiscreteLaplace(0.2, 4)],
    [DiscreteLaplace(1.0, 1)] * 6,
    [DiscreteLaplace(0.7, 7), DiscreteLaplace(0.1, 1), DiscreteLaplace(0.1, 1)],
    [DiscreteLaplace(20.0, 2), DiscreteLaplace(0.25, 1)],
    [RandomisedResponse(0.5, 3)] * 5,
    [RandomisedResponse(0.4, 9), RandomisedResponse(0.4), DiscreteLaplace(0.6, 3), DiscreteLaplace(0.2)],
]


@pytest.mark.parametrize("noises", TOGETHER)
def test_a_few_releases_of_a_discrete_loss_by_brute_force(noises):
    together = compose(noises)
    total = sum(noise.epsilon0 for noise in noises)
    assert together.largest_loss == pytest.approx(total, rel=1e-15)
    for level in (0.0, 0.05, 0.3, round(0.5 * total, 9), 0.99 * total):  # just below a loss, that loss is larger
        delta, one, other = brute_force(noises, level)
        assert together.lower.delta(level) <= delta * (1 + 1e-13) <= together.delta(level) * (1 + 2e-13)
        assert together.delta(level) == pytest.approx(delta, rel=1e-8)
        assert together.lower.delta(level) == pytest.approx(delta, rel=1e-8)
        assert together.loss_exceeds(level, two_sided=False) == pytest.approx(one, rel=1e-8)
        assert together.loss_exceeds(level) == pytest.approx(one + other, rel=1e-8)
        # the test "the loss is larger than the level" is a best one: its rates lie on the trade-off, and no line is above it
        missed = together.tradeoff(other)
        assert missed <= 1 - one + 1e-12
        assert missed >= 1 - one - 0.02
    for wanted in (0.3, 1e-3, 1e-9):
        found = together.epsilon(wanted)
        assert brute_force(noises, found)[0] <= wanted * (1 + 1e-12)
        assert found == 0 or brute_force(noises, together.lower.epsilon(wanted) - 1e-9)[0] >= wanted
        assert together.epsilon(wanted) - together.lower.epsilon(wanted) <= 1e-7 * total
    assert together.delta(together.largest_loss) == 0.0
    assert together.advantage == together.delta(0.0)
    assert together.posterior(0.5) == pytest.approx(1 / (1 + math.exp(-total)), rel=1e-12)


def test_the_ends_hold_for_any_few_releases_of_discrete_noise():
    rng = np.random.default_rng(99)
    for _ in range(30):
        levels = np.round(np.exp(rng.uniform(-4, 3, int(rng.integers(2, 5)))), 3)
        noises = [DiscreteLaplace(float(each), int(rng.integers(1, 5))) for each in levels]
        together = compose(noises)
        for level in (0.0, float(rng.random()) * together.largest_loss, together.largest_loss * (1 - 1e-6)):
            low, high = together.delta_ends(level)
            delta = brute_force(noises, level)[0]
            assert low <= delta * (1 + 1e-11) + 1e-300, (noises, level)
            assert delta * (1 - 1e-11) <= high, (noises, level)
        wanted = float(10 ** rng.uniform(-12, -0.1))
        assert brute_force(noises, together.epsilon(wanted))[0] <= wanted * (1 + 1e-9)


def convolved(noises):
    """Law of the loss of a few discrete releases together, at levels added up as the decimal numbers that they are written as."""
    found = {Fraction(): 1.0}
    for noise in noises:
        following = {}
        for (loss, chance), (part, each) in itertools.product(found.items(), law_of(noise).items()):
            cut = Fraction(round((part + 1) * 1000 * noise.loss_steps / 2), 1000 * noise.loss_steps) * 2 - 1
            level = loss + Fraction(repr(noise.epsilon0)) * cut
            following[level] = following.get(level, 0.0) + chance * each
        found = following
    return found


BESIDE = [0.0, *(sign * 10.0**power for sign in (-1, 1) for power in (-16, -14, -12, -10, -8, -6))]


@pytest.mark.parametrize(
    ("noises", "beside"),
    [
        *((noises, None) for noises in TOGETHER),
        ([RandomisedResponse(1.0)] * 2, None),
        ([RandomisedResponse(20.0)] * 2, None),
        ([DiscreteLaplace(1.32, 7)] * 6, None),
        ([RandomisedResponse(math.pi, 3), DiscreteLaplace(0.1, 5)], None),
        ([DiscreteLaplace(0.3, 2)] * 3, Laplace(0.4)),
        ([RandomisedResponse(5.0)] * 2, Laplace(1 / 3)),
        ([RandomisedResponse(0.5, 3)] * 3, Gaussian(3.0)),
    ],
)
def test_beside_every_loss_a_larger_one_is_never_less_likely_than_it_is(noises, beside):
    together, law = compose([*noises, *([beside] if beside else [])]), convolved(noises)
    own = 0.0 if beside is None or isinstance(beside, Gaussian) else beside.epsilon0
    levels = {max(float(loss) + own, 0.0) * (1.0 + off) for loss in law for off in BESIDE}
    levels = np.array(sorted(levels | {abs(float(loss) - own) * (1.0 + off) for loss in law for off in BESIDE}))[::3]
    one, both = together.loss_exceeds(levels, two_sided=False), together.loss_exceeds(levels)
    tight = beside is None and noises[0].epsilon0 != math.pi  # all losses lie on one lattice

    def larger(level, loss, sign):
        if beside is None:
            return float(sign * loss > level)
        above, apart = float(level - sign * loss), beside.loss_exceeds
        if sign > 0:
            return apart(above, two_sided=False)
        # the other way round: the neighbour sees the law with its sign turned
        return 1.0 - apart(-above, two_sided=False) if above < 0 else apart(above) - apart(above, two_sided=False)

    for level, found, found_both in zip(levels.tolist(), one.tolist(), both.tolist(), strict=True):
        at = Fraction(repr(level))
        true = math.fsum(chance * larger(at, loss, 1) for loss, chance in law.items())
        other = math.fsum(chance * larger(at, loss, -1) for loss, chance in law.items())
        assert found >= true * (1 - 1e-12), level
        assert found_both >= (true + other) * (1 - 1e-12), level
        assert found <= true * (1 + 1e-8) + 1e-14 or not tight, level


def test_what_is_believed_more_often_than_said_is_not():
    """It was told that 9e-13 of the releases say more, and nearly all do."""
    found = belief_after(compose(RandomisedResponse(20.0), 2), 0.5, delta=1e-8, largest=False)
    assert found.level < 40.0
    assert found.rare >= (1 / (1 + math.exp(-20.0))) ** 2


MIXES = [
    ([RandomisedResponse(10.1)], [6]),
    ([Laplace(0.1)], [11]),
    ([Laplace(0.5)], [300]),
    ([Laplace(0.1), Laplace(0.3)], [7, 2]),
    ([RandomisedResponse(0.8898, 3), DiscreteLaplace(11.6031, 3)], [5, 8]),
    ([DiscreteLaplace(9.3036, 3), Exponential(0.018)], [13, 5]),
    ([Exponential(0.1)], [52]),
    ([RandomisedResponse(1.0, 1_000_000)], [3]),
    ([Gaussian(2.0), Laplace(0.3), DiscreteLaplace(0.2, 2)], [3, 2, 4]),
    ([Gaussian(1e100), Laplace(0.5)], [1, 2]),
]


@pytest.mark.parametrize(("noises", "times"), MIXES)
def test_an_epsilon_put_back_in_meets_the_wish(noises, times):
    together = compose(noises, times)
    for wish in (1e-100, 1e-15, 1e-6, 0.2):
        found = together.epsilon(wish)
        assert together.delta(found) <= wish
        assert found <= together.largest_loss


@pytest.mark.parametrize(
    ("noise", "times"),
    [
        (RandomisedResponse(1.0, 1_000_000), 3),
        (RandomisedResponse(0.01, 1000), 300),
        (Exponential(0.1), 52),
        (DiscreteLaplace(1.0, 7), 10),
    ],
)
def test_delta_does_not_rise_with_epsilon_where_another_law_begins_to_serve(noise, times):
    together = compose(noise, times)
    _, ends = tilts(together.releases).at(np.array([min(together.largest_loss, 50.0)]))
    for end in ends[:4].tolist():
        levels = [end * (1 - 1e-9), end, np.nextafter(end, math.inf), end * (1 + 1e-12), end * (1 + 1e-9)]
        assert (np.diff([together.delta(level) for level in levels]) <= 0).all()
        assert (np.diff(together.delta(levels)) <= 0).all()


@pytest.mark.parametrize(
    ("epsilon0", "times", "delta"), [(0.1, 100, 1e-5), (0.5, 30, 1e-12), (0.01, 1000, 1e-6), (3.0, 4, 1e-3)]
)
def test_discrete_noise_of_one_step_is_the_worst_that_pure_privacy_allows(epsilon0, times, delta):
    worst = composition.optimal_pure(epsilon0, times, delta=delta)
    together = compose(DiscreteLaplace(epsilon0), times)
    assert together.lower.epsilon(delta) * (1 - 1e-12) <= worst <= together.epsilon(delta) * (1 + 1e-12)
    assert together.epsilon(delta) == pytest.approx(worst, rel=2e-9 + 2e-11 * times)  # what is counted for each release
    assert together.epsilon(delta) > composition.exact(epsilon0, times, delta=delta).upper


@pytest.mark.parametrize(("levels", "times"), [([0.5], 30), ([3.0], 7), ([1e-4], 200), ([0.1, 0.2, 0.5], [20, 10, 4])])
def test_continuous_noise_is_counted_by_its_own_accountant(levels, times):
    together = compose([Laplace(each, 1.0 + place) for place, each in enumerate(levels)], times)
    for delta in (1e-12, 1e-5, 0.3):
        own = composition.exact(composition.compose(levels, times), delta=delta)
        assert (together.lower.epsilon(delta), together.epsilon(delta)) == pytest.approx(
            (own.lower, own.upper), rel=1e-8
        )
        assert own.upper - own.lower <= 1e-5 * own.upper
        there = composition.exact_delta(composition.compose(levels, times), epsilon=0.8 * own.value)
        assert together.delta_ends(0.8 * own.value).tolist() == pytest.approx([there.lower, there.upper], rel=1e-7)
    several = np.linspace(0.0, 1.5 * own.value, 12)
    low, high = together.delta_ends(several)
    for at in (0, 3, 7):
        assert low[at] <= together.delta(several[at]) <= high[at] * (1 + 1e-10)
        assert high[at] <= together.delta(several[at]) * (1 + 1e-4)
    assert together.epsilon([0.3, 1.0]).tolist() == pytest.approx([own.upper, 0.0], rel=1e-8)
    assert together.delta(together.largest_loss) == 0.0


@pytest.mark.parametrize(("levels", "times"), [([0.5], [30]), ([0.1, 0.2, 0.5], [20, 10, 4]), ([0.01, 2.0], [50, 1])])
def test_the_common_lattice_agrees_with_the_accountant_of_continuous_noise(levels, times):
    beside = DiscreteLaplace(1e-9)  # of another kind, and next to nothing
    together = compose([*(Laplace(each) for each in levels), beside], [*times, 1])
    own = composition.exact(composition.compose(levels, times), delta=1e-5)
    assert together.lower.epsilon(1e-5) <= own.upper
    assert own.lower <= together.epsilon(1e-5) <= own.upper * (1 + 1e-5)
    at = 0.8 * own.value
    there = composition.exact_delta(composition.compose(levels, times), epsilon=at)
    assert together.lower.delta(at) <= there.upper
    assert there.lower <= together.delta(at) <= there.upper * (1 + 1e-4)


def test_levels_add_up_as_the_decimal_numbers_that_they_are_written_as():
    together = compose(RandomisedResponse(0.1), 3)
    assert together.largest_loss == math.nextafter(0.3, 1.0)
    assert together.delta(0.3) == together.loss_exceeds(0.3) == 0.0
    assert together.delta(math.nextafter(0.3, 0.0)) > 0.0


def test_gaussian_noise_in_closed_form():
    together, one = compose([Gaussian(10.0), Gaussian(20.0, 3.0)], [64, 16]), Gaussian(1.0)
    # 64/100 + 16·9/400 = 1
    for delta in (1e-12, 1e-5, 0.1):
        assert together.epsilon(delta) == pytest.approx(one.epsilon(delta), rel=1e-12)
        assert together.lower.epsilon(delta) < together.epsilon(delta)
    assert together.delta(1.0) == pytest.approx(one.delta(1.0), rel=1e-12)
    assert together.lower.delta(1.0) < one.delta(1.0)
    assert together.largest_loss == math.inf
    assert together.tradeoff(0.1) == pytest.approx(one.tradeoff(0.1), rel=1e-12)


def test_different_kinds_together():
    pld = privacy_loss_distribution
    theirs = (
        pld.from_gaussian_mechanism(5.0)
        .self_compose(4)
        .compose(pld.from_laplace_mechanism(4.0))
        .compose(pld.from_discrete_laplace_mechanism(0.15, sensitivity=2).self_compose(3))
    )
    together = compose([Gaussian(5.0), Laplace(0.25), DiscreteLaplace(0.3, 2)], [4, 1, 3])
    for delta in (1e-3,):
        assert together.lower.epsilon(delta) <= theirs.get_epsilon_for_delta(delta)
        assert together.epsilon(delta) == pytest.approx(theirs.get_epsilon_for_delta(delta), rel=1e-3)
        assert together.delta(together.epsilon(delta)) == pytest.approx(delta, rel=1e-6)
    assert together.posterior(0.5) == 1.0
    # next to nothing beside Gaussian noise changes next to nothing
    alone = compose(Gaussian(5.0), 4)
    beside = compose([Gaussian(5.0), Laplace(1e-6)], [4, 1])
    assert alone.lower.epsilon(1e-5) <= beside.epsilon(1e-5) <= alone.epsilon(1e-5) + 1e-6 + 1e-8


@pytest.mark.parametrize("kind", MECHANISMS.values(), ids=MECHANISMS)
def test_one_release_is_the_mechanism_itself(kind):
    noise = kind.for_epsilon(0.5, **({"sensitivity": 2, "delta": 1e-5} if kind in NOISES.values() else {}))
    together = compose(noise)
    assert together.delta(0.3) == noise.delta(0.3)
    assert together.epsilon(0.01) == noise.epsilon(0.01)
    assert together.lower.delta(0.3) <= noise.delta(0.3)
    assert together.lower.epsilon(0.01) <= noise.epsilon(0.01)
    assert together.loss_exceeds([0.1, 0.2]).tolist() == noise.loss_exceeds([0.1, 0.2]).tolist()
    assert type(together.delta(0.3)) is float
    assert compose([noise, noise]).epsilon(1e-3) == compose(noise, 2).epsilon(1e-3)


def test_choices_together_lose_no_more_than_is_said_whatever_their_utilities():
    """Five releases of two-ended losses, t and t - epsilon0, by brute force for many t: none loses more, and some lose much."""
    level0, times = 0.8, 5
    together = compose(Exponential(level0), times)
    levels = np.array([0.0, 5e-324, 0.3, 0.5, 1.0, 2.0, 3.5])
    said = {
        "delta": together.delta(levels),
        "one": together.loss_exceeds(levels, two_sided=False),
        "both": together.loss_exceeds(levels),
    }
    worst = dict.fromkeys(said, np.zeros(levels.size))
    for top in np.linspace(0.005, 0.795, 159):
        chance = -math.expm1(top - level0) / -math.expm1(-level0)
        hits = np.arange(times + 1)
        loss, law = top * hits + (top - level0) * (times - hits), stats.binom.pmf(hits, times, chance)
        found = {
            "delta": np.maximum(-np.expm1(levels[:, None] - loss), 0.0) @ law,
            "one": (loss > levels[:, None] + 1e-12) @ law,
            "both": (np.abs(loss) > levels[:, None] + 1e-12) @ law,
        }
        worst = {name: np.maximum(each, found[name]) for name, each in worst.items()}
    for name, each in said.items():
        assert (worst[name] <= each * (1 + 1e-9) + 1e-15).all(), name
        assert (each <= 3 * worst[name]).all(), name
    assert (together.lower.delta(levels) <= worst["delta"] + 1e-12).all()
    assert together.lower.delta(0.3) > 0.7 * worst["delta"][2]
    assert together.lower.epsilon(0.01) <= together.epsilon(0.01)
    mixed = compose([Exponential(level0), Laplace(0.2)], [2, 3])
    assert mixed.lower.delta(0.5) == compose([RandomisedResponse(0.4), Laplace(0.2)], [2, 3]).lower.delta(0.5)


def test_answers_of_many_releases_hang_together():
    together = compose([Laplace(0.2), DiscreteLaplace(0.1)], [5, 20])
    levels = np.array([[0.0, 0.2], [0.9, 2.9]])
    found = together.delta(levels)
    assert found.shape == (2, 2)
    assert (np.diff(found.ravel()) < 0).all()
    assert (together.lower.delta(levels) <= found).all()
    assert (found <= together.loss_exceeds(levels, two_sided=False)).all()
    assert (together.loss_exceeds(levels, two_sided=False) <= together.loss_exceeds(levels)).all()
    rates = np.linspace(0.0, 1.0, 51)
    missed = together.tradeoff(rates)
    assert (np.diff(missed) <= 0).all()
    assert missed[0] == pytest.approx(1.0, abs=1e-12)
    assert (1 - rates - missed).max() == pytest.approx(together.advantage, abs=2e-3)
    assert (1 - rates - missed).max() <= together.advantage + 1e-12


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([],), "times must be one number or as many"),
        (([Laplace(1.0)], [1, 2]), "times must be one number or as many"),
        ((Laplace(1.0), 0), "times must be a whole number at least 1"),
        ((Laplace(1.0), 10**7), "times must be a whole number .*at most 1e.06"),
        (([Laplace(1.0), Laplace(2.0)], 600_000), "times must be at most 1,000,000 in all"),
        ((["laplace"],), "mechanisms must be a Mechanism"),
        ((Laplace([1.0, 2.0]),), "mechanisms must have single numbers"),
    ],
)
def test_what_cannot_be_composed_is_refused(arguments, message):
    with pytest.raises(ParameterError, match=f"^{message}"):
        compose(*arguments)


@pytest.mark.parametrize("kind", MECHANISMS.values(), ids=MECHANISMS)
def test_what_is_next_to_nothing_or_far_too_much_is_refused_at_once(kind):
    """It was computed for ever."""
    for epsilon0 in (5e-324, 1e-300, 1e4, 1e300) if kind is not Gaussian else ():
        one = kind(epsilon0)
        assert compose(one).delta(0.0) == one.delta(0.0)
        with pytest.raises(ParameterError, match="^mechanisms must each lose at most 1000, and 1e-100 at least, .*got"):
            compose([one, Laplace(0.5)])
    assert Exponential(5e-324).loses_at_least().epsilon0 == 5e-324
    assert compose(kind(1e-3 if kind is Gaussian else 1e-30), 2).delta(0.0) <= 1.0


@pytest.mark.parametrize("kind", [Laplace, DiscreteLaplace, RandomisedResponse, Exponential])
def test_next_to_nothing_is_no_more_than_it_adds_up_to(kind):
    assert 0 < compose(kind(1e-30), 100).delta(0.0) <= 1.0001e-28


@pytest.mark.parametrize("epsilon0", [0.01, 12.0])
@pytest.mark.parametrize("kind", [DiscreteLaplace, RandomisedResponse])
def test_delta_of_10_to_the_minus_30(kind, epsilon0):
    """Against the binomial distribution that both losses have, in many digits; at levels where others round to 0 or 1."""
    together, times = compose(kind(epsilon0), 100), 100
    found, least = together.epsilon(1e-30), together.lower.epsilon(1e-30)
    assert found - least <= 2e-6 * found
    with mp.workdps(60):
        true = 1 / (1 + mp.exp(-mp.mpf(epsilon0)))
        losses = [mp.mpf(epsilon0) * (2 * k - times) for k in range(times + 1)]
        chance = [math.comb(times, k) * true**k * (1 - true) ** (times - k) for k in range(times + 1)]

        def delta(epsilon):
            pairs = zip(losses, chance, strict=True)
            return mp.fsum(p * -mp.expm1(epsilon - loss) for loss, p in pairs if loss > epsilon)

        assert delta(found) <= mp.mpf(10) ** -30 <= delta(least)
    alone = compose(Gaussian(0.3), 50)
    assert alone.delta(alone.epsilon(1e-30)) <= 1e-30 < alone.delta(alone.epsilon(1e-30) * (1 - 1e-9))


@pytest.mark.parametrize(
    "releases",
    [[Laplace(0.3)], [Exponential(0.3)], [Gaussian(4.0), Laplace(0.3)], [Laplace(0.3), DiscreteLaplace(0.2, 3)]],
)
def test_a_tiny_delta_goes_back_and_forth(releases):
    together = compose(releases, 400)
    found = together.epsilon([1e-14, 1e-30, 1e-60])
    assert (np.diff(found) > 0).all()
    assert together.lower.epsilon(1e-30) <= found[1]
    np.testing.assert_allclose(together.delta(found), [1e-14, 1e-30, 1e-60], rtol=1e-4)
    with pytest.raises(ParameterError, match="^delta must be at least 1e-100"):
        together.epsilon(1e-120)


@pytest.mark.parametrize("kind", MECHANISMS.values(), ids=MECHANISMS)
def test_ten_thousand_releases_take_a_second_and_a_gigabyte(kind):
    """In a process of its own, where the program alone takes 0.2 GB: a tenth of a second of work, and 3 on the slowest machine."""
    made = "Gaussian(100.0)" if kind is Gaussian else f"{kind.__name__}(0.01)"
    script = f"""
import re, time
from pathlib import Path
from par_core.composition import compose
from par_core.mechanisms import {kind.__name__}
start = time.process_time()
compose({made}, 10_000).epsilon(1e-6)
highest = re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1]  # getrusage counts what the parent held
print(time.process_time() - start, int(highest) / 2**20)
"""
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    seconds, gigabytes = map(float, run.stdout.split())
    assert seconds < 3.0
    assert gigabytes < 1.0


@pytest.mark.parametrize("times", [2, 1000])
@pytest.mark.parametrize("kind", MECHANISMS.values(), ids=MECHANISMS)
def test_every_answer_comes_at_once(kind, times):
    """A tenth of a second of work, and 1.5 on the slowest machine: point by point it would be many."""
    compose(kind(0.3), 3).tradeoff(0.1)  # what is loaded with the first one
    together = compose(kind(0.2), times)
    levels, rates = np.linspace(0.0, 10.0, 200), np.linspace(0.0, 1.0, 200)
    for ask in (
        lambda: together.delta(1.0), lambda: together.epsilon(1e-6), lambda: together.tradeoff(rates), lambda: together.advantage,
        lambda: together.posterior(0.1), lambda: together.loss_exceeds(levels), lambda: together.gaussian,
    ):  # fmt: skip
        start = time.process_time()
        ask()
        assert time.process_time() - start < 1.5


def test_no_loss_exceeds_the_largest_one_where_there_is_one():
    assert compose([Laplace(0.5), Laplace(0.25)]).loss_exceeds(0.75) == 0.0
    with_gaussian = compose([Laplace(0.5), Gaussian(3.0)])
    assert 0.0 < with_gaussian.loss_exceeds(0.75) < with_gaussian.loss_exceeds(0.5) < 1.0


def test_levels_without_a_common_divisor_are_counted_no_worse_than_on_a_lattice():
    """A lattice that all of them share gives 25.40992 at most; the accountant of different levels alone gives 25.4146."""
    together = compose([Laplace(math.pi / 10), Laplace(math.e / 7)], [50, 60])
    assert together.epsilon(1e-9) < 25.41


@pytest.mark.parametrize("releases", [200_000, 1_000_000])
def test_so_large_a_loss_that_the_lattice_misses_it_is_not_told_as_none(releases):
    """The loss of one release is 699 on average: half of them lose 700, the others less by twice an exponential distribution's draw."""
    together = compose(Laplace(700.0), releases)
    low, high = together.epsilon_ends(1e-5)
    assert low <= 700.0 * releases
    assert high >= 698.9 * releases
    assert together.delta(100.0) == 1.0
