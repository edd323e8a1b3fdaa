"""What the paper says follows from privacy at risk: published values, exact values, and where the two part."""

import math

import mpmath as mp
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, PUBLISHED, evidence_of
from par_core.mechanisms import Laplace
from par_core.published import definitions, explicit
from par_core.risk import relaxations

thorough = settings(deadline=None, derandomize=True, max_examples=100)

levels = st.floats(math.log(1e-6), math.log(50.0)).map(math.exp)
moderate = st.floats(0.05, 8.0)
probabilities = st.floats(0.0, 1.0)
dimensions = st.one_of(st.integers(1, 20), st.integers(1, 10_000))
EXTREMES = np.array([5e-324, 1e-300, 1e-17, 1e-5, 1.0, 10.0, 700.0, 1e5, 1e300, 1.7e308])


# --- footnote 2 --------------------------------------------------------------------------------------------------


@thorough
@given(moderate, moderate)
def test_the_relaxed_delta_is_never_below_the_exact_delta_of_laplace(one, two):
    to, epsilon = min(one, two), max(one, two)
    loose = definitions.relaxed_delta(epsilon, 0.0, to=to)
    assert loose >= Laplace(epsilon).delta(to)
    assert loose == pytest.approx(min(math.exp(epsilon) - math.exp(to), 1.0), rel=1e-9, abs=1e-12)


@thorough
@given(moderate, probabilities, moderate)
def test_the_relaxed_delta_adds_to_delta_and_stops_at_one(epsilon, delta, to):
    found = definitions.relaxed_delta(epsilon, delta, to=to)
    assert delta <= found <= 1.0
    if to >= epsilon:
        assert found == delta


def test_the_relaxed_delta_holds_for_a_mechanism_with_a_delta():
    # Two answers, one database 0.7/0.3, the other 0.1/0.9: the hockey-stick divergence at every level is exact.
    first, second = np.array([0.7, 0.3]), np.array([0.1, 0.9])

    def exact(epsilon):
        return max(np.maximum(p - math.exp(epsilon) * q, 0.0).sum() for p, q in ((first, second), (second, first)))

    for epsilon, to in ((1.5, 1.4), (1.0, 0.8), (0.5, 0.0)):
        assert exact(to) <= definitions.relaxed_delta(epsilon, exact(epsilon), to=to)


# --- Theorem 2 and Corollary 3 -----------------------------------------------------------------------------------


def test_theorem_2_fed_with_theorem_4():
    found = relaxations.approximate_delta(2.0, 2.5)
    assert found.published == pytest.approx(0.058, abs=5e-4)
    assert found.exact == pytest.approx(0.221, abs=5e-4)
    assert found.valid is False
    assert found.evidence.basis is PUBLISHED
    assert relaxations.approximate_delta(0.5, 1.0).valid is True


@thorough
@given(levels, levels, dimensions)
def test_theorem_2_fed_with_the_true_risk_is_sound(epsilon, epsilon0, k):
    found = relaxations.approximate_delta(epsilon, epsilon0, k=k)
    assert found.sound >= found.exact
    assert found.published == explicit.risk(epsilon, epsilon0, k=k)
    assert found.exact == Laplace(epsilon0).delta(epsilon)


def largest_valid_epsilon0(k):
    """Up to here Theorem 2, fed with Theorem 4's risk, is right at every epsilon.

    Both deltas are areas from epsilon to epsilon0, under a falling and under a rising curve: if the first curve is the higher
    one at epsilon0, it is so everywhere.
    """
    return optimize.brentq(lambda at: explicit.t_cdf(at, k=k) - 2.0 * explicit.t_pdf(at, k=k), 1.0, 2.0, xtol=1e-15)


def test_the_largest_valid_epsilon0_is_as_printed():
    assert largest_valid_epsilon0(1) == pytest.approx(math.log(3.0), rel=1e-14)
    assert [largest_valid_epsilon0(k) for k in (2, 3, 5)] == pytest.approx([1.42, 1.58, 1.74], abs=5e-3)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(dimensions)
def test_the_largest_valid_epsilon0_parts_the_right_from_the_wrong(k):
    limit = largest_valid_epsilon0(k)
    assert math.log(3.0) - 1e-12 <= limit < 2.0
    part = np.linspace(0.0, 1.0, 300, endpoint=False)
    for factor in (0.3, 0.99):
        assert relaxations.approximate_delta(part * factor * limit, factor * limit, k=k).valid.all()
    close = 1.0 - np.geomspace(1e-6, 1e-2, 50)
    assert not relaxations.approximate_delta(close * 1.01 * limit, 1.01 * limit, k=k).valid.all()


@thorough
@given(levels, st.floats(1e-3, 0.999), dimensions)
def test_corollary_3_is_false_below_epsilon0(epsilon0, part, k):
    found = relaxations.probabilistic_delta(part * epsilon0, epsilon0, k=k)
    assert found.exact == Laplace(epsilon0).loss_exceeds(part * epsilon0)
    assert found.exact > found.published
    assert found.valid is False


def test_corollary_3_at_the_ends_and_as_printed():
    found = relaxations.probabilistic_delta([0.0, 0.5, 1.0, 2.0], 1.0)
    np.testing.assert_allclose(found.published, [1.0, 0.378, 0.0, 0.0], atol=5e-4)
    np.testing.assert_allclose(found.exact, [1.0, 0.847, 0.0, 0.0], atol=5e-4)
    assert found.valid.tolist() == [True, False, True, True]
    assert found.epsilon0.shape == found.k.shape == (4,)
    assert found.evidence.basis is PUBLISHED


# --- Lemma 2 -----------------------------------------------------------------------------------------------------


def test_lemma_2_is_refuted_by_randomised_response():
    claim = definitions.mixed_risk(0.1, 1.0)
    assert claim.epsilon == pytest.approx(0.55)
    assert claim.risk == 0.0
    assert claim.evidence.basis is PUBLISHED
    assert relaxations.mixture_exceeds(claim.epsilon, [0.1, 1.0], shares=[0.5, 0.5]) == 0.5


@thorough
@given(moderate, moderate, st.floats(0.01, 1.0), st.floats(0.01, 1.0), probabilities)
def test_lemma_2_is_the_formula_as_printed(epsilon1, epsilon2, confidence1, confidence2, share):
    claim = definitions.mixed_risk(epsilon1, epsilon2, confidence1=confidence1, confidence2=confidence2, share=share)
    held = share * confidence1 + (1.0 - share) * confidence2
    expected = (share * confidence1 * epsilon1 + (1.0 - share) * confidence2 * epsilon2) / held
    assert claim.epsilon == pytest.approx(expected, rel=1e-12)
    assert claim.risk == pytest.approx(1.0 - held, abs=1e-12)


def test_mixture_exceeds_is_counted_from_the_tables_of_answers():
    # Three randomised responses with answers of their own: enumerate all six and compare.
    epsilons, chosen = np.array([0.1, 1.0, 2.0]), np.array([0.5, 0.3, 0.2])
    truth = np.exp(epsilons) / (1.0 + np.exp(epsilons))
    under_true, under_other = (np.concatenate([chosen * p, chosen * (1.0 - p)]) for p in (truth, 1.0 - truth))
    losses = np.abs(np.log(under_true / under_other))
    for epsilon in (0.05, 0.5, 1.5, 2.5):
        expected = under_true[losses > epsilon].sum()
        found = relaxations.mixture_exceeds(epsilon, epsilons, shares=chosen)
        assert found == pytest.approx(expected, abs=1e-15)
    assert relaxations.mixture_exceeds([[0.05], [2.0]], epsilons, shares=chosen).shape == (2, 1)
    assert relaxations.mixture_exceeds(2.0, epsilons, shares=chosen) == 0.0  # strictly larger


# --- Corollary 2 and Lemma 3 -------------------------------------------------------------------------------------


def test_processing_can_raise_the_risk():
    found = relaxations.thresholded_loss(0.8, 1.0)
    assert found.exceeds_before == pytest.approx(0.751, abs=5e-4)
    assert found.exceeds_after == 1.0
    assert (found.loss_above, found.loss_below) == pytest.approx((-0.832, 0.832), abs=5e-4)
    assert found.evidence.basis is PROVEN


@thorough
@given(levels, moderate, st.floats(-4.0, 5.0))
def test_thresholded_loss_is_computed_from_two_laplace_tails(epsilon, epsilon0, threshold):
    found = relaxations.thresholded_loss(epsilon, epsilon0, threshold=threshold)

    def tail(cut):
        """P(noise > cut) in multi-precision, so that one minus it keeps its digits too."""
        one_side = mp.exp(-mp.mpf(epsilon0) * abs(mp.mpf(cut))) / 2
        return one_side if cut >= 0 else 1 - one_side

    with mp.workdps(60):
        answers0 = tail(mp.mpf(threshold)), 1 - tail(mp.mpf(threshold))
        answers1 = tail(mp.mpf(threshold) - 1), 1 - tail(mp.mpf(threshold) - 1)
        losses = [mp.log(a / b) for a, b in zip(answers0, answers1, strict=True)]
        large = [abs(loss) > epsilon for loss in losses]
        exceeds = max(sum(p for p, big in zip(answers, large, strict=True) if big) for answers in (answers0, answers1))
        delta = max(
            sum(max(a - mp.exp(epsilon) * b, 0) for a, b in zip(one, other, strict=True))
            for one, other in ((answers0, answers1), (answers1, answers0))
        )
        decided = all(abs(abs(loss) - epsilon) > 1e-9 for loss in losses)  # else rounding tells whether it is larger
    assert (found.above0, found.above1) == pytest.approx((float(answers0[0]), float(answers1[0])), rel=1e-12)
    assert (found.loss_above, found.loss_below) == pytest.approx((float(losses[0]), float(losses[1])), rel=1e-12)
    if decided:
        assert found.exceeds_after == pytest.approx(float(exceeds), rel=1e-12)
    assert found.delta_after == pytest.approx(float(delta), rel=1e-9, abs=1e-14)


@thorough
@given(levels, levels, st.floats(-10.0, 10.0))
def test_processing_never_raises_delta_nor_the_largest_loss(epsilon, epsilon0, threshold):
    found = relaxations.thresholded_loss(epsilon, epsilon0, threshold=threshold)
    assert found.delta_after <= found.delta_before * (1.0 + 1e-12)
    assert found.delta_before == Laplace(epsilon0).delta(epsilon)
    assert found.loss_above <= 0.0 <= found.loss_below
    assert max(-found.loss_above, found.loss_below) <= epsilon0 * (1.0 + 1e-14)


def test_delta_survives_whole_where_the_threshold_is_best():
    # The set that shows delta = 1 - e^(-(epsilon0-epsilon)/2) is "below (1 - epsilon/epsilon0)/2".
    found = relaxations.thresholded_loss(0.6, 2.0, threshold=0.35)
    assert found.delta_after == pytest.approx(found.delta_before, rel=1e-13)


def test_small_losses_keep_their_digits():
    found = relaxations.thresholded_loss(1e-12, 1e-9, threshold=-2.0)
    # to first order: tails 1/2 on both sides, so the loss is the step of the exponent in the tail, epsilon0 each
    assert found.loss_above == pytest.approx(-1e-9, rel=1e-8)


# --- extremes, shapes, bad input ---------------------------------------------------------------------------------


def test_extremes_never_give_nan():
    one, two = EXTREMES[:, None], EXTREMES
    assert (definitions.relaxed_delta(one, 0.1, to=two) >= 0.1).all()
    for found in (
        relaxations.approximate_delta(one, two),
        relaxations.probabilistic_delta(one, two, k=7),
        definitions.mixed_risk(one, two, confidence1=5e-324, confidence2=5e-324),
        relaxations.thresholded_loss(
            one[:, None], two, threshold=np.concatenate([-EXTREMES, EXTREMES])[:, None, None, None]
        ),
    ):
        for name, value in vars(found).items():
            if isinstance(value, np.ndarray):
                assert np.isfinite(value).all(), name
    cut = relaxations.thresholded_loss(0.5, 1e300, threshold=1e300)
    assert (cut.above0, cut.above1, cut.exceeds_after) == (0.0, 0.0, 0.0)


def test_scalars_give_floats():
    assert type(definitions.relaxed_delta(1, 0, to=1)) is float
    found = relaxations.thresholded_loss(1, 2)
    assert {type(value) for name, value in vars(found).items()} == {float}


@pytest.mark.parametrize("bad", [-1.0, math.nan, math.inf, "1", None, [], True])
def test_bad_numbers_are_named(bad):
    for name, call in (
        ("epsilon", lambda: definitions.relaxed_delta(bad, 0.0, to=1.0)),
        ("delta", lambda: definitions.relaxed_delta(1.0, bad, to=1.0)),
        ("to", lambda: definitions.relaxed_delta(1.0, 0.0, to=bad)),
        ("epsilon", lambda: relaxations.approximate_delta(bad, 1.0)),
        ("epsilon0", lambda: relaxations.approximate_delta(1.0, bad)),
        ("epsilon", lambda: relaxations.probabilistic_delta(bad, 1.0)),
        ("k", lambda: relaxations.probabilistic_delta(0.5, 1.0, k=bad)),
        ("epsilon1", lambda: definitions.mixed_risk(bad, 1.0)),
        ("epsilon2", lambda: definitions.mixed_risk(1.0, bad)),
        ("confidence1", lambda: definitions.mixed_risk(1.0, 1.0, confidence1=bad)),
        ("confidence2", lambda: definitions.mixed_risk(1.0, 1.0, confidence2=bad)),
        ("share", lambda: definitions.mixed_risk(1.0, 1.0, share=bad)),
        ("epsilon", lambda: relaxations.mixture_exceeds(bad, [1.0], shares=[1.0])),
        ("epsilons", lambda: relaxations.mixture_exceeds(1.0, bad, shares=[1.0])),
        ("shares", lambda: relaxations.mixture_exceeds(1.0, [1.0], shares=bad)),
        ("epsilon", lambda: relaxations.thresholded_loss(bad, 1.0)),
        ("epsilon0", lambda: relaxations.thresholded_loss(1.0, bad)),
    ):
        with pytest.raises(ParameterError, match=rf"^{name} must be .*got "):
            call()


def test_shares_must_fit():
    with pytest.raises(ParameterError, match=r"shares must add up to 1, got 0\.9"):
        relaxations.mixture_exceeds(0.5, [0.1, 1.0], shares=[0.5, 0.4])
    with pytest.raises(ParameterError, match="shares must be as many as epsilons"):
        relaxations.mixture_exceeds(0.5, [0.1, 1.0], shares=[1.0])
    with pytest.raises(ParameterError, match="threshold must be"):
        relaxations.thresholded_loss(0.5, 1.0, threshold=math.nan)


def test_evidence():
    for function in (definitions.relaxed_delta, relaxations.mixture_exceeds):
        assert evidence_of(function).basis is PROVEN
