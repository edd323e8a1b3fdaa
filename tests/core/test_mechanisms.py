"""Every mechanism answers every question, and answers agree with each other, with many digits and with sampled neighbours.

What is added to `NOISES` is tested here without further ado, what is added to `MECHANISMS` with a line in `made`. Simulations have
fixed seeds; a right answer fails each such test with probability 1e-6 at most, were the seed drawn anew.
"""

import math
import time

import mpmath as mp
import numpy as np
import pytest
from dp_accounting import get_sigma_gaussian
from dp_accounting.pld import privacy_loss_distribution
from scipy import special, stats

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import PROVEN
from par_core.mechanisms import (
    MECHANISMS,
    NOISES,
    DiscreteLaplace,
    Exponential,
    Gaussian,
    Laplace,
    PermuteAndFlip,
    RandomisedResponse,
    max_posterior,
)
from par_core.mechanisms.mechanism import moved_until
from par_core.mechanisms.posterior import updated
from par_core.published import gaussian

FALSE_ALARM = 1e-6
SETTINGS = [(epsilon0, moves) for epsilon0 in (1e-3, 0.1, 0.5, 1.0, 4.0, 30.0) for moves in (1, 2, 3, 8)]
EXTREMES = np.array([5e-324, 1e-300, 1e-17, 1e-5, 1.0, 700.0, 1e5, 1e300, 1.7e308])
RATES = np.array([0.0, 5e-324, 1e-300, 1e-17, 1e-3, 0.3, 0.5, 0.9, 1.0 - 2.0**-53, 1.0])
every_kind, every_noise = (
    pytest.mark.parametrize("kind", [pytest.param(kind, id=name) for name, kind in kinds.items()])
    for kinds in (MECHANISMS | {"permute-and-flip": PermuteAndFlip}, NOISES)
)


def made(kind, epsilon0=0.5, moves=1, delta=1e-5):
    about = {
        RandomisedResponse: {"categories": moves + 1},
        Exponential: {"sensitivity": moves},
        PermuteAndFlip: {"sensitivity": moves},
    }
    return kind.for_epsilon(epsilon0, **about.get(kind, {"sensitivity": moves, "delta": delta}))


def levels_around(mechanism):
    """Levels up to a loss that is hardly ever exceeded, and past the largest loss."""
    top = mechanism.largest_loss if math.isfinite(mechanism.largest_loss) else mechanism.epsilon(1e-12)
    return top * np.array([0.0, 1e-9, 0.1, 0.25, 1 / 3, 0.5, 0.7, 0.9, 0.999, 1.0, 1.5])


# --- every mechanism, every question -----------------------------------------------------------------------------


@every_kind
def test_it_says_what_it_is(kind):
    noise = made(kind)
    assert noise.name
    assert noise.evidence.basis is PROVEN
    assert noise.source
    assert noise.limits
    assert noise.guarantee.epsilon == 0.5
    assert noise.guarantee.delta in (0.0, 1e-5)
    assert noise.delta(0.5) <= noise.guarantee.delta
    assert hash(noise) == hash(made(kind))


@every_noise
def test_noise_says_how_neighbours_are_told_apart(kind):
    assert made(kind).norm in ("L1", "L2")


@every_kind
@pytest.mark.parametrize(("epsilon0", "moves"), SETTINGS)
def test_more_noise_than_needed_is_not_added(kind, epsilon0, moves):
    """With a hundredth less noise the guarantee would be missed."""
    noise = made(kind, epsilon0, moves)
    assert noise.delta(epsilon0) <= noise.guarantee.delta
    less = made(kind, epsilon0 * 1.01, moves, delta=min(1e-5 * 1.01, 0.5))
    assert less.delta(epsilon0) > noise.guarantee.delta


@every_kind
def test_scalars_give_floats_and_arrays_broadcast(kind):
    noise, several = made(kind), made(kind, [0.1, 0.5, 2.0], 2)
    answers = {
        "delta": [0.0, 0.3], "epsilon": [0.1, 0.01], "loss_exceeds": [0.1, 0.3], "loss_within": [0.1, 0.3],
        "tradeoff": [0.1, 0.9], "posterior": [0.2, 0.5],
    }  # fmt: skip
    if kind in NOISES.values():
        answers |= {"error_quantile": [0.5, 0.95], "log_density": [0, 2], "loss_at": [0, 2]}
        assert several.scale.shape == several.mean_error.shape == (3,)
        assert type(noise.scale) is type(noise.mean_error) is type(noise.all_error(0.95, 7)) is float
    for name, asked in answers.items():
        assert type(getattr(noise, name)(asked[0])) is float, name
        assert getattr(noise, name)(asked).shape == (2,), name
        expected = (2, 1) if name == "posterior" and math.isinf(np.max(several.largest_loss)) else (2, 3)
        found = getattr(several, name)(np.array(asked)[:, None])
        assert found.shape == expected, name
        assert found[1, -1] == pytest.approx(getattr(made(kind, 2.0, 2), name)(asked[1]), rel=1e-12), name
    assert several.advantage.shape == (3,)
    assert type(noise.advantage) is float
    with pytest.raises(ParameterError, match="must have shapes that go together"):
        several.delta([0.1, 0.2])


@every_kind
@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf, "1", None, [], True])
def test_bad_numbers_are_named(kind, bad):
    noise, rng = made(kind), np.random.default_rng(0)
    for name, call in (
        ("epsilon0", lambda: made(kind, bad)),
        ("epsilon", lambda: noise.delta(bad)),
        ("delta", lambda: noise.epsilon(bad)),
        ("epsilon", lambda: noise.loss_exceeds(bad)),
        ("epsilon", lambda: noise.loss_within(bad)),
        ("false_positive", lambda: noise.tradeoff(bad)),
        ("prior", lambda: noise.posterior(bad)),
        ("size", lambda: noise.sample(0, bad, rng)),
        ("rng", lambda: noise.sample(0, 3, bad)),
    ):
        with pytest.raises(ParameterError, match=rf"^{name} must be .*got "):
            call()
    with pytest.raises(ParameterError, match="^two_sided must be True or False"):
        noise.loss_exceeds(0.1, two_sided=1)


@every_noise
@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf, "1", None, [], True])
def test_bad_numbers_for_noise_are_named(kind, bad):
    noise = made(kind)
    for name, call in (
        ("sensitivity", lambda: kind.for_epsilon(1.0, sensitivity=bad, delta=1e-5)),
        ("delta", lambda: kind.for_epsilon(1.0, sensitivity=1, delta=bad)),
        ("share", lambda: noise.error_quantile(bad)),
        ("share", lambda: noise.all_error(bad, 2)),
        ("k", lambda: noise.all_error(0.5, bad)),
    ):
        with pytest.raises(ParameterError, match=rf"^{name} must be .*got "):
            call()


@every_kind
def test_extremes_never_give_nan(kind):
    for epsilon0 in EXTREMES[:-1] if kind is Gaussian else EXTREMES:
        try:
            noise = made(kind, epsilon0)
        except InfeasibleError:
            assert epsilon0 == 1e300
            continue
        assert noise.delta(epsilon0) <= noise.guarantee.delta
        for name, asked in (
            ("delta", EXTREMES), ("loss_exceeds", EXTREMES), ("loss_within", EXTREMES),
            ("tradeoff", RATES), ("posterior", RATES),
        ):  # fmt: skip
            found = getattr(noise, name)(asked)
            assert ((found >= 0.0) & (found <= 1.0)).all(), name
        sided = noise.loss_exceeds(np.concatenate([-EXTREMES, EXTREMES]), two_sided=False)
        assert ((sided >= 0.0) & (sided <= 1.0)).all()
        assert 0.0 <= noise.advantage <= 1.0
        if kind in NOISES.values():
            assert noise.scale >= 0.0
            assert (noise.error_quantile(RATES[1:-1]) >= 0.0).all()
        wanted = np.array([1e-300, 1e-17, 1e-3, 0.3, 1.0])
        assert (noise.delta(noise.epsilon(wanted)) <= wanted).all()


# --- answers agree with each other -------------------------------------------------------------------------------


@every_kind
@pytest.mark.parametrize(("epsilon0", "moves"), SETTINGS)
def test_answers_agree(kind, epsilon0, moves):
    noise = made(kind, epsilon0, moves)
    levels = levels_around(noise)
    deltas, one, both = noise.delta(levels), noise.loss_exceeds(levels, two_sided=False), noise.loss_exceeds(levels)
    assert (np.diff(deltas) <= 0.0).all()
    assert (np.diff(both) <= 0.0).all()
    assert (both >= one).all()
    assert (one >= deltas).all()
    np.testing.assert_allclose(noise.loss_within(levels), 1.0 - both, rtol=0, atol=1e-14)
    assert (np.diff(noise.loss_within(levels)) >= 0.0).all()
    assert noise.advantage == pytest.approx(noise.delta(0.0), rel=1e-14)
    # the profile and the trade-off say the same: each line that a delta stands for lies below it ...
    rates = np.concatenate([np.geomspace(1e-20, 0.1, 401), np.linspace(0.1, 1.0, 401)])
    missed = noise.tradeoff(rates)
    assert ((missed >= 0.0) & (missed <= 1.0 - rates + 1e-16)).all()
    lines = 1.0 - deltas[:, None] - np.exp(np.minimum(levels[:, None] + np.log(rates), 700.0))
    assert (missed >= lines - 1e-12).all()
    turned = noise.tradeoff(missed)
    clear = (
        (missed > 1e-9) & (missed < 1 - 1e-7) & (rates < 0.999)
    )  # next to 1 its last digits, rounded down, tell more
    np.testing.assert_allclose(turned[clear], rates[clear], rtol=1e-6)
    if noise.loses_at_least() is not noise:  # other neighbours are the worst at another epsilon
        return
    # P(loss > -x) is 1 less what the neighbour, who sees the law with its sign turned, gives to x and more
    beyond = levels[levels > 0.0] * (1 - 1e-7)
    neighbour = np.exp(-beyond) * (noise.loss_exceeds(beyond, two_sided=False) - noise.delta(beyond))
    np.testing.assert_allclose(noise.loss_exceeds(-beyond, two_sided=False), 1.0 - neighbour, rtol=0, atol=1e-9)
    # ... and touches the trade-off where the attack is to name the true database as soon as the loss is larger than epsilon
    off = np.abs(noise.tradeoff(np.exp(-levels) * (one - deltas)) - (1.0 - one))
    steepest = np.exp(np.minimum(noise.largest_loss, levels[9]) - levels)  # of what the last digit of the rate is worth
    assert (off <= 1e-12 + 1e-14 * steepest).all()


@pytest.mark.parametrize("sigma", [0.01487, 0.03, 0.1, 0.4, 1.0, 7.0, 1e4])
def test_of_normal_losses_none_too_many_stay_within_a_level_and_no_digit_is_lost(sigma):
    noise = Gaussian(sigma)
    for level in [*np.geomspace(1e-300, 1e4, 77).tolist(), 0.1 / sigma**2, 0.5 / sigma**2]:
        with mp.workdps(60):
            half, ratio = mp.mpf(1) / (2 * mp.mpf(sigma)), mp.mpf(level) * mp.mpf(sigma)
            near, far = (half - ratio) / mp.sqrt(2), (half + ratio) / mp.sqrt(2)
            # the integral's leading term where the difference would need more digits
            few = 4 * ratio / mp.sqrt(mp.pi * 2) * mp.exp(-(half**2) / 2) / 2
            exact = (mp.erfc(near) - mp.erfc(far)) / 2 if level > 1e-20 else few
        found = noise.loss_within(level)
        assert found <= exact, level
        assert found >= exact * (1 - 5e-12) - mp.mpf("1e-307"), level


def test_a_step_below_the_floats_has_an_epsilon():
    assert DiscreteLaplace(5e-324, 3).epsilon([0.0, 0.1]).tolist() == [5e-324, 0.0]


@every_kind
@pytest.mark.parametrize(("epsilon0", "moves"), SETTINGS)
def test_inverses_are_on_the_safe_side_and_tight(kind, epsilon0, moves):
    noise = made(kind, epsilon0, moves)
    wanted = np.concatenate([[1e-290, 1e-100, 1e-15, 1.0], np.random.default_rng(3).random(100) ** 4])
    found = noise.epsilon(wanted)
    assert (noise.delta(found) <= wanted).all()
    assert (found <= noise.largest_loss).all()
    less = found * (1 - 1e-9) - 1e-13
    assert (noise.delta(less[less > 0]) > wanted[less > 0] * (1 - 1e-15)).all()
    if math.isfinite(noise.largest_loss):
        assert noise.epsilon(0.0) == noise.largest_loss
    else:
        with pytest.raises(InfeasibleError, match="no largest loss"):
            noise.epsilon(0.0)


@every_kind
def test_more_noise_is_more_private(kind):
    several = made(kind, [0.1, 0.3, 1.0, 5.0], 2, delta=1e-6)
    if kind in NOISES.values():
        assert (np.diff(several.scale) < 0.0).all()
        assert (np.diff(several.mean_error) < 0.0).all()
    for level in (0.0, 0.05, 0.2, 3.0):
        assert (np.diff(several.delta(level)) >= 0.0).all()
    assert (np.diff(several.tradeoff(0.2)) < 0.0).all()


@every_kind
def test_posterior_is_bayes_rule_at_the_largest_loss(kind):
    noise = made(kind, 1.0)
    priors = np.array([0.0, 1e-300, 1e-3, 0.5, 1.0])
    if math.isfinite(noise.largest_loss):
        odds = priors[2:4] / (1 - priors[2:4]) * math.e
        np.testing.assert_allclose(noise.posterior(priors[2:4]), odds / (1 + odds), rtol=1e-13)
        assert noise.posterior([0.0, 1.0]).tolist() == [0.0, 1.0]
    else:
        assert noise.posterior(priors).tolist() == [0.0, 1.0, 1.0, 1.0, 1.0]
    assert max_posterior(0.5, 0.0) == 0.5
    with pytest.raises(ParameterError, match="^prior must be"):
        max_posterior(1.1, 1.0)


# --- the law of one error ----------------------------------------------------------------------------------------


@every_noise
@pytest.mark.parametrize(("epsilon0", "moves"), SETTINGS)
def test_the_law_of_an_error_is_that_of_a_text_book(kind, epsilon0, moves):
    noise = made(kind, epsilon0, moves)
    off = np.unique(np.rint(np.linspace(-6.0, 6.0, 41) * noise.scale)) + (0.0 if kind is DiscreteLaplace else 0.3)
    law = {
        Laplace: stats.laplace(scale=moves / epsilon0),
        DiscreteLaplace: stats.dlaplace(epsilon0 / moves),
        Gaussian: stats.norm(scale=noise.scale),
    }[kind]
    expected = law.logpmf(off) if kind is DiscreteLaplace else law.logpdf(off)
    np.testing.assert_allclose(noise.log_density(off), expected, rtol=1e-10, atol=1e-10)
    ratio = law.logpmf if kind is DiscreteLaplace else law.logpdf
    np.testing.assert_allclose(noise.loss_at(off), ratio(off) - ratio(off - moves), rtol=1e-7, atol=1e-9)
    assert (np.abs(noise.loss_at(off)) <= noise.largest_loss).all()


@every_noise
def test_the_losses_of_errors_have_the_law_of_the_privacy_loss(kind):
    """Integrated over all errors at which the loss is larger; between the levels of whole numbers."""
    noise = made(kind, 0.8, 3, delta=1e-3)
    whole = kind is DiscreteLaplace
    reach = 40 * noise.scale
    off = np.arange(-reach // 1, reach) if whole else np.linspace(-reach, reach, 2_000_001)
    weight = np.exp(noise.log_density(off)) * (1.0 if whole else off[1] - off[0])
    assert weight.sum() == pytest.approx(1.0, abs=1e-9)
    for level in (-0.5, 0.1, 0.35, 0.79):
        found = weight[noise.loss_at(off) > level].sum()
        assert found == pytest.approx(noise.loss_exceeds(level, two_sided=False), abs=1e-4)


@every_noise
def test_errors_that_are_extreme_or_none(kind):
    noise = made(kind)
    for bad in (math.nan, math.inf, "1", None, [], True, *([0.5] if kind is DiscreteLaplace else [])):
        for call in (noise.log_density, noise.loss_at):
            with pytest.raises(ParameterError, match=r"^off must be .*got "):
                call(bad)
    far = 2.0**53
    assert noise.log_density(far) == noise.log_density(-far) < -1e10
    if kind is Gaussian:
        assert noise.loss_at(far) < -1e10
    else:
        assert (noise.loss_at(far), noise.loss_at(-far)) == (-0.5, 0.5)  # a difference of logarithms would be 0
    assert not np.isnan([made(kind, each).log_density(0) for each in EXTREMES[:-2]]).any()


# --- sampled noise -----------------------------------------------------------------------------------------------


def within_chance(hits, size, share, tests):
    """Whether a count is no further from the share than chance makes it, of so many such tests together."""
    tail = FALSE_ALARM / (2 * tests)
    return special.bdtr(hits, size, share) > tail and special.bdtrc(hits - 1, size, share) > tail


def ends_of_rate(hits, size, tail):
    """Return the ends between which a rate lies, but for a chance of `tail` on either side."""
    return stats.beta.ppf(tail, hits, size - hits + 1), stats.beta.isf(tail, hits + 1, size - hits)


@every_noise
@pytest.mark.parametrize("epsilon0", [0.3, 2.0])
def test_sampled_noise_keeps_what_is_said_of_it(kind, epsilon0):
    noise, size = made(kind, epsilon0, 2), 200_000
    off = np.abs(noise.sample(7, size, np.random.default_rng(5)) - 7.0)
    # Means of so many are normal: beyond 6 standard errors lie 2e-9 of them, 1.2e-8 in the 6 cases together.
    assert off.mean() == pytest.approx(noise.mean_error, abs=6 * off.std() / math.sqrt(size))
    shares = [0.1, 0.5, 0.9, 0.95, 0.999]
    for share in shares:
        stays = int((off <= noise.error_quantile(share) * (1 + 1e-12)).sum())
        below = int((off <= noise.error_quantile(share) - 1).sum()) if isinstance(noise, DiscreteLaplace) else stays
        assert special.bdtr(stays, size, share) > FALSE_ALARM / 10
        assert special.bdtrc(below - 1, size, share) > FALSE_ALARM / 10
    both = noise.sample([0, 100], 100_000, np.random.default_rng(6)) - np.array([0, 100])
    assert both.shape == (100_000, 2)
    worst = np.abs(both).max(axis=1)
    assert special.bdtr(int((worst <= noise.all_error(0.9, 2) * (1 + 1e-12)).sum()), 100_000, 0.9) > FALSE_ALARM


@every_noise
@pytest.mark.parametrize("epsilon0", [0.3, 2.0])
def test_sampled_totals_tails_and_differences_keep_what_is_said_of_them(kind, epsilon0):
    noise, size, k = made(kind, epsilon0, 2), 200_000, 4
    drawn = noise.sample(np.zeros(k), size, np.random.default_rng(7))
    total, one = np.abs(drawn.sum(axis=1)), drawn[:, 0]
    whole = isinstance(noise, DiscreteLaplace)  # of which only bounds are known
    # Beyond 6 standard errors lie 2e-9 of such means, and each count below has a chance of 1e-7.
    error = 6 * total.std() / math.sqrt(size)
    assert total.mean() <= noise.mean_total_error(k) + error
    assert whole or total.mean() >= noise.mean_total_error(k) - error
    for share in (0.2, 0.5, 0.95):
        stays = int((total <= noise.total_error(share, k) * (1 + 1e-12)).sum())
        assert special.bdtr(stays, size, share) > FALSE_ALARM / 10
        assert whole or special.bdtrc(stays - 1, size, share) > FALSE_ALARM / 10
    for off in (0.0, 1.0, 2.5, 8.0):
        assert within_chance(int((np.abs(one) > off).sum()), size, noise.exceeds(off), 10)
        if off != 2.5:
            beyond = np.maximum(one - off, 0.0)
            assert beyond.mean() == pytest.approx(noise.mean_beyond(off), abs=6 * beyond.std() / math.sqrt(size))
    tail = noise.difference_tail(3.0, noise.scale, 2 * noise.scale)
    if tail is not None:
        assert within_chance(int((one - 2 * drawn[:, 1] > 3.0).sum()), size, tail, 10)


@every_noise
def test_noise_of_a_scale_and_the_epsilon_that_it_is_enough_for(kind):
    for scale in (1e-3, 2.0, 1e5):
        assert kind.with_scale(scale).scale == pytest.approx(scale, rel=1e-15)
        found = kind.epsilon_for_scale(scale, sensitivity=3, delta=1e-7)
        assert kind.for_epsilon(found, sensitivity=3, delta=1e-7).scale == pytest.approx(scale, rel=1e-9)


@every_noise
@pytest.mark.parametrize("epsilon0", [0.3, 2.0])
def test_attacks_on_sampled_neighbours(kind, epsilon0):
    """The most powerful attacks are thresholds, as the likelihood ratio rises: their rates lie on the trade-off, never below."""
    noise, size, moves = made(kind, epsilon0, 2, delta=0.01), 200_000, 2
    own = noise.sample(0, size, np.random.default_rng(1))
    other = noise.sample(moves, size, np.random.default_rng(2))
    thresholds = np.array([-3, -1, 0, 1, 2, 4])
    # Clopper and Pearson: each of the 24 ends misses its rate with 1e-6/24, so that one of a million seeds fails.
    missed, false = (
        ends_of_rate(np.array([wrong(each) for each in thresholds]), size, FALSE_ALARM / (4 * thresholds.size))
        for wrong in (lambda each: (own > each).sum(), lambda each: (other <= each).sum())
    )
    assert (noise.tradeoff(false[1]) <= missed[1]).all()
    assert (missed[0] <= noise.tradeoff(false[0])).all()
    assert (missed[1] - missed[0]).max() < 0.015
    level = 0.4 * epsilon0
    loss = {
        Laplace: lambda x: (np.abs(x - moves) - np.abs(x)) / noise.scale,
        DiscreteLaplace: lambda x: (np.abs(x - moves) - np.abs(x)) / noise.scale,
        Gaussian: lambda x: (moves**2 - 2 * moves * x) / (2 * noise.scale**2),
    }[kind](own)
    for found, share in (
        (int((loss > level).sum()), noise.loss_exceeds(level, two_sided=False)),
        (int((np.abs(loss) > level).sum()), noise.loss_exceeds(level)),
        (int((loss > -level).sum()), noise.loss_exceeds(-level, two_sided=False)),
    ):
        assert within_chance(found, size, min(share, 1.0), 3)


@pytest.mark.parametrize("categories", [2, 3, 7])
def test_sampled_answers_of_randomised_response(categories):
    coins, size, tests = RandomisedResponse(1.3, categories), 200_000, 4 * categories  # a half for the shares, as below
    for true in (0, categories - 1):
        said = np.bincount(coins.sample(true, size, np.random.default_rng(8)), minlength=categories)
        assert said.size == categories
        for category, count in enumerate(said.tolist()):
            assert within_chance(count, size, coins.truth if category == true else coins.other, tests)
    # the most powerful attacks on neighbours 0 and 1: to take the answer 0 alone for the first, or each but 1
    own, other = (coins.sample(true, size, np.random.default_rng(9 + true)) for true in (0, 1))
    missed, false = (
        ends_of_rate(np.array(wrong), size, FALSE_ALARM / 16)
        for wrong in ([(own != 0).sum(), (own == 1).sum()], [(other == 0).sum(), (other != 1).sum()])
    )
    assert (coins.tradeoff(false[1]) <= missed[1]).all()
    assert (missed[0] <= coins.tradeoff(false[0])).all()
    everyone = coins.sample(np.arange(categories), 3, np.random.default_rng(1))
    assert everyone.shape == (3, categories)
    assert everyone.dtype == np.int64


def test_a_share_is_estimated_from_what_was_said():
    coins = RandomisedResponse(math.log(3))
    found = coins.estimate(430, 1000)
    assert (round(found.share, 12), round(found.deviation, 4)) == (0.36, 0.0313)
    said = stats.binomtest(430, 1000).proportion_ci(0.95, method="exact")
    assert (found.low, found.high) == pytest.approx((2 * said.low - 0.5, 2 * said.high - 0.5), rel=1e-9)
    assert coins.estimate(0, 10).low == coins.estimate(1, 10).low == 0.0
    assert coins.estimate(10, 10).high == 1.0
    with pytest.raises(ParameterError, match="^said must be .*at most 10"):
        coins.estimate(11, 10)
    assert RandomisedResponse(1e-12).estimate(430, 1000).share == pytest.approx(0.5 - 0.07 / 5e-13, rel=1e-9)
    assert RandomisedResponse(1e-300).estimate(430, 1000).low == 0.0
    with pytest.raises(ParameterError, match="^epsilon0 and categories must be single numbers"):
        RandomisedResponse([0.5, 1.0]).estimate(1, 10)
    for categories in (2, 4):
        response, people = RandomisedResponse(0.8, categories), 400
        rng = np.random.default_rng(10)
        said = (response.sample(rng.integers(categories, size=(2000, people)), 1, rng)[0] == 0).sum(axis=1)
        every = [response.estimate(each, people) for each in said.tolist()]
        shares = np.array([each.share for each in every])
        # A mean of 2,000 is normal: beyond 6 standard errors lie 2e-9 of them. The ends are wrong more often for one seed in 1e6.
        assert shares.mean() == pytest.approx(1 / categories, abs=6 * shares.std() / math.sqrt(2000))
        assert np.mean([each.deviation for each in every]) == pytest.approx(shares.std(), rel=6 / math.sqrt(4000))
        holds = sum(each.low <= 1 / categories <= each.high for each in every)
        assert special.bdtr(holds, 2000, 0.95) > FALSE_ALARM


def losses_of(choice, utilities, moved):
    """Loss of each candidate, and its probability under the first utilities and under the moved ones."""
    own, other = choice.probabilities(utilities), choice.probabilities(moved)
    return np.log(own / other), own, other


def test_any_choice_loses_no_more_than_is_said_and_some_choice_as_much():
    """Utilities of 2 to 5 candidates, each moved by up to the sensitivity: brute force over the law of the choice."""
    rng, choice = np.random.default_rng(15), Exponential(1.4, 0.7)
    levels = np.linspace(-1.5, 1.5, 61)
    worst = {"delta": np.zeros(61), "one": np.zeros(61), "both": np.zeros(61)}
    rates = np.linspace(0.0, 1.0, 101)
    for turn in range(4000):
        utilities = rng.uniform(0, 6, int(rng.integers(2, 6)))
        moves = rng.choice([-0.7, 0.7], utilities.size) if turn % 2 else rng.uniform(-0.7, 0.7, utilities.size)
        loss, own, other = losses_of(choice, utilities, utilities + moves)
        assert (np.abs(loss) <= 1.4 + 1e-12).all()
        assert np.ptp(loss) <= 1.4 + 1e-12
        beyond = loss > levels[:, None]
        found = {
            "delta": np.maximum(own - np.exp(levels[:, None]) * other, 0.0).sum(axis=1),
            "one": (beyond * own).sum(axis=1),
            "both": ((np.abs(loss) > np.abs(levels[:, None])) * own).sum(axis=1),
        }
        for name, each in found.items():
            worst[name] = np.maximum(worst[name], each)
        order = np.argsort(-loss)
        false, missed = (np.append(0.0, np.cumsum(each[order])) for each in (other, own))
        assert (np.interp(rates, false, 1.0 - missed) >= choice.tradeoff(rates) - 1e-12).all()
    asked = np.abs(levels)
    for name, said in (
        ("delta", np.where(levels >= 0.0, choice.delta(asked), 1.0)),
        ("one", choice.loss_exceeds(levels, two_sided=False)),
        ("both", choice.loss_exceeds(asked)),
    ):
        assert (worst[name] <= said + 1e-12).all(), name
        clear = levels >= 0.0 if name == "delta" else np.abs(asked - 0.7) > 1e-9
        assert (worst[name] >= said - 0.03)[clear].all(), name  # so near thousands of random utilities come


def test_a_choice_is_drawn_with_its_probabilities_and_falls_short_as_is_said():
    choice, size = Exponential(1.2, 2.0), 200_000
    utilities, prior = np.array([3.0, 10.0, 8.0, 9.5]), np.array([4.0, 1.0, 2.0, 1.0])
    law = choice.probabilities(utilities, prior=prior)
    plain = prior * np.exp(1.2 * utilities / 4.0)
    np.testing.assert_allclose(law, plain / plain.sum(), rtol=1e-13)
    drawn = np.bincount(choice.sample(utilities, size, np.random.default_rng(16), prior=prior), minlength=4)
    assert all(within_chance(count, size, share, 4) for count, share in zip(drawn.tolist(), law.tolist(), strict=True))
    for share in (0.1, 0.5, 0.9, 0.99):
        assert law[utilities >= 10.0 - choice.shortfall(share, 1 / 8)].sum() >= share
    assert choice.shortfall(0.95, 1 / 4) == pytest.approx(2 * 2.0 / 1.2 * math.log(4 / 0.05), rel=1e-14)
    assert Exponential(700.0, 1e-310).probabilities([0.0, 1e6]).tolist() == [0.0, 1.0]
    for bad, message in (
        (lambda: Exponential(1.0, 0.0), "sensitivity must be"),
        (lambda: RandomisedResponse(1.0, 1), "categories must be"),
        (lambda: choice.probabilities(3.0), "utilities must be a list"),
        (lambda: choice.probabilities([1.0, 2.0], prior=[1.0]), "prior must be as many numbers"),
        (lambda: choice.probabilities([1.0], prior=[0.0]), "prior must be"),
        (lambda: choice.shortfall(0.9, 0.0), "prior must be"),
    ):
        with pytest.raises(ParameterError, match=f"^{message}"):
            bad()


def test_whole_numbers_stay_whole():
    noise = DiscreteLaplace(1e-13)
    drawn = noise.sample(2**53, 1000, np.random.default_rng(1))
    assert drawn.dtype == np.int64
    assert np.abs(drawn - 2**53).max() > 1e13
    tiny = DiscreteLaplace(50.0).sample([3, -4], 100, np.random.default_rng(1))
    assert (tiny == [3, -4]).all()
    with pytest.raises(ParameterError, match="^answer must be whole numbers"):
        noise.sample(0.5, 3, np.random.default_rng(1))
    with pytest.raises(ParameterError, match="^scale must be at most 1e.14"):
        DiscreteLaplace(1e-15).sample(0, 3, np.random.default_rng(1))
    with pytest.raises(ParameterError, match="^sensitivity must be a whole number"):
        DiscreteLaplace(1.0, 1.5)


# --- many digits -------------------------------------------------------------------------------------------------


def laplace_profile(epsilon, epsilon0, _moves):
    return -mp.expm1(-(epsilon0 - epsilon) / 2) if epsilon < epsilon0 else mp.mpf(0)


def discrete_profile(epsilon, epsilon0, moves):
    q = mp.exp(-epsilon0 / moves)
    terms = [q ** abs(x) - mp.exp(epsilon) * q ** abs(x - moves) for x in range(moves)]
    below = (q - mp.exp(epsilon) * q ** (moves + 1)) / (1 - q)  # x < 0
    return (1 - q) / (1 + q) * mp.fsum(each for each in [below, *terms] if each > 0)


def gaussian_profile(epsilon, mu):
    return mp.ncdf(mu / 2 - epsilon / mu) - mp.exp(epsilon) * mp.ncdf(-mu / 2 - epsilon / mu)


def response_profile(epsilon, epsilon0, moves):
    said = {0: mp.exp(epsilon0), 1: mp.mpf(1)} | dict.fromkeys(range(2, moves + 1), mp.mpf(1))
    swapped = {**said, 0: said[1], 1: said[0]}
    return mp.fsum(max(said[each] - mp.exp(epsilon) * swapped[each], 0) for each in said) / mp.fsum(said.values())


def choice_profile(epsilon, epsilon0, _moves):
    return (mp.exp(epsilon0 / 2) - mp.exp(epsilon / 2)) ** 2 / mp.expm1(epsilon0) if epsilon < epsilon0 else mp.mpf(0)


@pytest.mark.parametrize(
    ("kind", "truth"),
    [
        (Laplace, laplace_profile),
        (DiscreteLaplace, discrete_profile),
        (RandomisedResponse, response_profile),
        (Exponential, choice_profile),
    ],
)
def test_a_profile_with_many_digits(kind, truth):
    rng = np.random.default_rng(11)
    for _ in range(300):
        epsilon0, moves = float(np.exp(rng.uniform(-18, 6.5))), int(rng.integers(1, 30))
        part = float(rng.choice([rng.random(), 1 - 10 ** rng.uniform(-12, 0), 10 ** rng.uniform(-12, 0)]))
        with mp.workdps(60):
            exact = truth(mp.mpf(part * epsilon0), mp.mpf(epsilon0), moves)
            found = made(kind, epsilon0, moves).delta(part * epsilon0)
            assert exact <= found * (1 + mp.mpf(10) ** -30), (epsilon0, moves, part)
            assert found <= exact * (1 + 1e-13) or exact < 1e-320, (epsilon0, moves, part)


def laplace_missed(rate, epsilon0):
    middle = mp.exp(-epsilon0) / (4 * rate) if mp.exp(-epsilon0) <= 2 * rate <= 1 else 0
    return max(-mp.expm1(epsilon0 + mp.log(rate)), middle, mp.exp(-epsilon0) * (1 - rate))


def response_missed(rate, epsilon0):
    return max(-mp.expm1(epsilon0 + mp.log(rate)), mp.exp(-epsilon0) * (1 - rate))


def choice_missed(rate, epsilon0):
    return (1 - rate) / (1 + rate * mp.expm1(epsilon0))


@pytest.mark.parametrize(
    ("kind", "truth"),
    [
        (Laplace, laplace_missed),
        (DiscreteLaplace, response_missed),  # moved by one it says of two worlds one, with some noise
        (RandomisedResponse, response_missed),
        (Exponential, choice_missed),
    ],
)
def test_an_attack_is_never_said_to_do_worse_than_it_does(kind, truth):
    rng = np.random.default_rng(15)
    for _ in range(300):
        epsilon0, rate = (
            float(np.exp(rng.uniform(-18, 6.5))),
            float(rng.choice([rng.random(), 10 ** rng.uniform(-300, 0)])),
        )
        noise = made(kind, epsilon0, 1)
        with mp.workdps(60):
            exact = truth(mp.mpf(rate), mp.mpf(epsilon0))
            assert noise.tradeoff(rate) <= exact, (epsilon0, rate)
            assert noise.tradeoff(rate) >= exact * (1 - 1e-11) - 1e-12, (epsilon0, rate)
            belief = mp.mpf(rate) / (rate + (1 - mp.mpf(rate)) * mp.exp(-mp.mpf(epsilon0)))
            assert belief <= noise.posterior(rate) <= belief * (1 + 1e-14), (epsilon0, rate)
    assert DiscreteLaplace(5e-324, 13).tradeoff(0.5) == pytest.approx(0.5, rel=1e-12)  # a step below the floats
    assert Laplace(0.799668495530677).advantage > -math.expm1(-0.5 * 0.799668495530677)


def test_the_profile_of_gaussian_noise_with_many_digits():
    rng = np.random.default_rng(12)
    for _ in range(200):
        mu = float(np.exp(rng.uniform(-20, 5)))
        noise = Gaussian(1.0, mu)
        epsilon = max(noise.mu * (noise.mu / 2 + float(rng.uniform(-6, 36))), 0.0) * (rng.random() < 0.9)
        with mp.workdps(50):
            exact = gaussian_profile(mp.mpf(epsilon), mp.mpf(mu))
            found = noise.delta(epsilon)
            assert exact <= found, (mu, epsilon)
            if exact > 1e-300:
                assert found <= exact * (1 + 1e-11 + 1e-13 * mu), (mu, epsilon)
            exceeds = mp.ncdf(mp.mpf(mu) / 2 - mp.mpf(epsilon) / mu)
            assert exceeds <= noise.loss_exceeds(epsilon, two_sided=False)
            within = mp.ncdf(epsilon / mp.mpf(mu) - mp.mpf(mu) / 2) - mp.ncdf(-epsilon / mp.mpf(mu) - mp.mpf(mu) / 2)
            if within > 1e-300:
                assert noise.loss_within(epsilon) == pytest.approx(float(within), rel=1e-11 + 1e-13 * mu)


@pytest.mark.parametrize(("mu", "delta"), [(16.0, 1 - 2**-53), (58.606191321009895, 1 - 1e-13)])
def test_the_level_at_a_delta_next_to_1_is_found_at_once(mu, delta):
    began = time.process_time()
    found = Gaussian(1.0, mu).epsilon(delta)
    assert time.process_time() - began < 1.0  # it took a minute, or for ever
    assert gaussian_profile(mp.mpf(found), mp.mpf(mu)) <= delta


def test_gaussian_noise_is_calibrated_as_many_digits_say():
    rng = np.random.default_rng(13)
    for _ in range(60):
        epsilon0, delta = float(np.exp(rng.uniform(-14, 6))), float(10 ** rng.uniform(-200, -0.01))
        noise = Gaussian.for_epsilon(epsilon0, sensitivity=3.0, delta=delta)
        with mp.workdps(50):
            mu = mp.mpf(3) / mp.mpf(noise.scale)
            assert gaussian_profile(mp.mpf(epsilon0), mu) <= delta
            assert gaussian_profile(mp.mpf(epsilon0), mu * (1 + mp.mpf(10) ** -11)) > delta


def test_gaussian_noise_is_calibrated_as_by_dp_accounting():
    """Theirs solves the same equation with logarithms of Φ; it needs no referee: all are within 3e-12 of each other."""
    levels, deltas = np.geomspace(1e-3, 100.0, 21), np.geomspace(1e-15, 0.1, 15)
    ours = Gaussian.for_epsilon(levels[:, None], sensitivity=1.0, delta=deltas).sigma
    theirs = [[get_sigma_gaussian(level, delta) for delta in deltas.tolist()] for level in levels.tolist()]
    np.testing.assert_allclose(ours, theirs, rtol=1e-9)


def test_the_classical_calibration_holds_below_1_and_is_refused_above():
    levels, deltas = np.linspace(0.01, 1.0, 25), np.array([1e-12, 1e-5, 0.1])[:, None]
    classical = gaussian.sigma(levels, deltas, sensitivity=2.0)
    assert (Gaussian(classical, 2.0).delta(levels) <= deltas).all()
    assert (classical > Gaussian.for_epsilon(levels, sensitivity=2.0, delta=deltas).sigma).all()
    assert gaussian.sigma(1.0, 1e-5) == pytest.approx(math.sqrt(2 * math.log(125_000)), rel=1e-14)
    with pytest.raises(ParameterError, match=r"^epsilon must be at most 1, got 12: .* adds too little noise"):
        gaussian.sigma([0.5, 12.0], 1e-5)
    assert Gaussian(gaussian.sigma(1.0, 1e-5) / 12.0).delta(12.0) > 1e-5  # what the formula would give there


def test_a_delta_too_small_for_a_float_is_not_given_as_nothing():
    assert Gaussian(1.0).delta(1e3) == 1e-300
    with pytest.raises(ParameterError, match="^delta must be at least 1e-300"):
        Gaussian.for_epsilon(1.0, sensitivity=1.0)


@pytest.mark.parametrize("delta", [1e-300, 1e-5, 0.5, 0.9, 1 - 1e-16])
@pytest.mark.parametrize("epsilon0", [5e-324, 1e-300, 1e308, np.finfo(float).max])
def test_gaussian_noise_of_any_level_that_is_a_float(epsilon0, delta):
    with np.errstate(all="raise", under="ignore"):
        noise = Gaussian.for_epsilon(epsilon0, sensitivity=1.0, delta=delta)
    assert noise.delta(epsilon0) <= delta


def test_errors_of_discrete_noise_are_the_smallest_whole_numbers():
    rng = np.random.default_rng(14)
    for _ in range(300):
        epsilon0, moves, k = float(np.exp(rng.uniform(-6, 3))), int(rng.integers(1, 9)), int(rng.integers(1, 50))
        share = float(rng.choice([rng.random(), 1 - 10 ** rng.uniform(-12, 0), 0.95]))
        found = DiscreteLaplace(epsilon0, moves).all_error(share, k)
        with mp.workdps(40):
            q = mp.exp(-mp.mpf(epsilon0) / moves)
            chance = [(1 - 2 * q ** (mp.mpf(w) + 1) / (1 + q)) ** k for w in (found, found - 1)]
        assert found >= 0
        assert found == math.floor(found)
        assert chance[0] >= share
        assert found == 0 or chance[1] < share
    q = math.exp(-0.25)
    assert DiscreteLaplace(0.5, 2).mean_error == pytest.approx(2 * q / (1 - q * q), rel=1e-14)


# --- what others compute, and what is known ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("noise", "theirs"),
    [
        (Laplace(0.7), lambda: privacy_loss_distribution.from_laplace_mechanism(1 / 0.7)),
        (
            DiscreteLaplace(0.6, 3),
            lambda: privacy_loss_distribution.from_discrete_laplace_mechanism(0.2, sensitivity=3),
        ),
        (Gaussian(2.0), lambda: privacy_loss_distribution.from_gaussian_mechanism(2.0)),
        (
            RandomisedResponse(0.6, 5),
            lambda: privacy_loss_distribution.from_randomized_response(5 / (math.exp(0.6) + 4), 5),
        ),
    ],
    ids=["laplace", "discrete-laplace", "gaussian", "randomised-response"],
)
def test_dp_accounting_finds_the_same_profile(noise, theirs):
    levels = np.array([0.0, 0.1, 0.35, 0.5, 0.6])
    above = theirs().get_delta_for_epsilon(levels) - noise.delta(levels)  # theirs rounds losses up to steps of 1e-4
    assert (above >= -1e-12).all()
    assert (above <= 6e-5).all()


def test_discrete_noise_loses_more_than_continuous_noise_and_as_much_at_its_levels():
    for moves in (1, 2, 3, 10):
        levels = np.linspace(0.0, 1.0, 301)
        assert (DiscreteLaplace(1.0, moves).delta(levels) >= Laplace(1.0).delta(levels)).all()
        own = 1.0 - 2.0 * np.arange(moves // 2 + 1) / moves
        np.testing.assert_allclose(DiscreteLaplace(1.0, moves).delta(own), Laplace(1.0).delta(own), rtol=1e-12)


@pytest.mark.parametrize("parts", [(1, 1), (1, 2), (2, 2), (1, 1, 1), (3, 1)])
def test_the_worst_neighbours_move_one_number(parts):
    """The same change, spread over several whole numbers, loses no more: its law, convolved by brute force."""
    epsilon0, reach = 0.9, 120
    step = epsilon0 / sum(parts)
    x = np.arange(-reach, reach + sum(parts) + 1)
    law = np.exp(-step * np.abs(x)) * (-np.expm1(-step)) / (1 + np.exp(-step))
    total = {0.0: 1.0}
    for moves in parts:
        losses = np.rint(np.abs(x - moves) - np.abs(x))
        one = {each: law[losses == each].sum() for each in np.unique(losses)}
        joined = {}
        for first, chance in total.items():
            for second, other in one.items():
                joined[first + second] = joined.get(first + second, 0.0) + chance * other
        total = joined
    noise = DiscreteLaplace(epsilon0, sum(parts))
    for level in np.linspace(0.0, epsilon0, 50):
        spread = sum(chance * max(-math.expm1(level - each * step), 0.0) for each, chance in total.items())
        assert spread <= noise.delta(level) + 1e-12


def test_what_rounding_misses_is_moved_by_a_few_last_digits_and_never_past_where_the_wish_is_met():
    wish = 1.0 + 2.0**-50  # four last digits further
    found = moved_until(lambda x: x >= wish, np.array([1.0, 2.0]), toward=3.0)
    assert wish <= found[0] <= 1.0 + 2.0**-49
    assert found[1] == 2.0
    assert moved_until(lambda x: x >= wish, np.array(1.0), toward=wish) == wish
    assert moved_until(lambda x: x <= 4.0, np.array(5e300), toward=4.0) == 4.0  # too far for last digits


def test_a_belief_is_updated_by_what_was_answered():
    """Ten students, of whom two are girls: the count of girls who passed is 1, with noise of -1 to 1."""
    prior, noise = [0.16, 0.24, 0.24, 0.36], {-1: 0.15, 0: 0.25, 1: 0.15}
    both, angie, eva, none = updated(prior, [noise[1 - passed] for passed in (0, 1, 1, 2)])
    assert both + angie == pytest.approx(0.084 / 0.198, rel=1e-14)
    assert (eva, none) == pytest.approx((0.06 / 0.198, 0.054 / 0.198), rel=1e-14)
    # at the ends of what epsilon allows it is the strongest belief
    assert updated([0.1, 0.9], [math.e, 1.0])[0] == pytest.approx(max_posterior(0.1, 1.0), rel=1e-13)
    assert updated([1.0, 1e-200, 0.0], [0.0, 1e-200, 1.0]).tolist() == [0.0, 1.0, 0.0]
    for bad, name in (
        ((0.5, 0.5), "prior"),
        (([0.5, 0.5], [0.1]), "likelihood"),
        (([0.0, 1.0], [1.0, 0.0]), "likelihood"),
        (([-1.0], [1.0]), "prior"),
    ):
        with pytest.raises(ParameterError, match=f"^{name} must be"):
            updated(*bad)
