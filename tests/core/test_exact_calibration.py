"""Which noise, level or confidence goes with the other two in truth."""

import math

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from par_core.errors import ParameterError
from par_core.evidence import PROVEN
from par_core.mechanisms import Laplace, calibrate_exactly

LEVELS = st.floats(1e-8, 1e3)
SHARES = st.floats(1e-9, 1.0)
A_LITTLE = 1e-9


def loss_within(epsilon, epsilon0):
    return Laplace(epsilon0).loss_within(epsilon)


@given(epsilon=LEVELS, wanted=SHARES)
def test_the_noise_gives_the_wish_and_a_little_less_noise_does_not(epsilon, wanted):
    found = calibrate_exactly(epsilon=epsilon, wanted=wanted)
    assert found.confidence == loss_within(epsilon, found.epsilon0) >= wanted
    assert found.epsilon0 >= epsilon
    assert loss_within(epsilon, found.epsilon0 * (1 + A_LITTLE)) < wanted


@given(epsilon0=LEVELS, wanted=SHARES)
def test_the_level_holds_as_wished_and_a_smaller_one_does_not(epsilon0, wanted):
    found = calibrate_exactly(epsilon0=epsilon0, wanted=wanted)
    assert found.confidence == loss_within(found.epsilon, epsilon0) >= wanted
    assert found.epsilon <= epsilon0
    assert loss_within(found.epsilon * (1 - A_LITTLE), epsilon0) < wanted


@given(epsilon=LEVELS, factor=st.floats(1.0, 1e3, exclude_min=True))
def test_no_larger_noise_level_is_as_private_as_often_as_it_says(epsilon, factor):
    assume(epsilon * factor > epsilon)
    most = calibrate_exactly(epsilon=epsilon, wanted=0.5).below
    assert loss_within(epsilon, epsilon * factor) <= most < 0.5 or most == pytest.approx(0.5, abs=1e-15)
    assert most == pytest.approx(float(loss_within(epsilon, np.nextafter(epsilon, np.inf))), rel=1e-9)


def test_only_noise_for_the_level_itself_holds_in_half_of_the_releases():
    found = calibrate_exactly(epsilon=0.4, wanted=0.6, sensitivity=3.0)
    assert (found.epsilon0, found.confidence, found.error0) == (0.4, 1.0, 7.5)
    assert found.below == pytest.approx((1 - math.exp(-0.4)) / 2)
    assert found.evidence.basis is PROVEN


def test_epsilon_and_epsilon0_give_the_confidence():
    assert calibrate_exactly(epsilon=0.4, epsilon0=1.2).confidence == loss_within(0.4, 1.2)


@pytest.mark.parametrize(
    "given",
    [
        {},
        {"epsilon": 1.0},
        {"epsilon": 1.0, "wanted": 0.5, "epsilon0": 1.0},
        {"epsilon": 0.0, "wanted": 0.5},
        {"epsilon": 1.0, "wanted": 0.0},
        {"epsilon0": math.nan, "wanted": 0.5},
        {"epsilon0": 1.0, "wanted": 1.1},
    ],
)
def test_what_cannot_be_asked_is_refused(given):
    with pytest.raises(ParameterError):
        calibrate_exactly(**given)
