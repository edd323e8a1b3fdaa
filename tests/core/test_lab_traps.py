"""The traps of the mechanism lab, against enumeration, sums to many digits, and arithmetic of the processor."""

import itertools
import math
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from par_core.lab.clamping import clamped_noise, invented_people
from par_core.lab.float_noise import float_noise
from par_core.lab.private_average import private_scale, value_of_leaver
from par_core.lab.published_records import GRID, published_records

# --- δ near 1/n -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("expected", [1e-9, 0.01, 1.0, 3.0, 10.0])
@pytest.mark.parametrize("people", [10, 1000, 10**9])
def test_the_chance_that_a_record_is_published(expected, people):
    with mpmath.workdps(60):
        true = 1 - (1 - mpmath.mpf(expected) / people) ** people
    found = published_records(expected, people)
    assert found.each_alone == pytest.approx(float(true), rel=1e-14)
    assert found.one_at_most == min(expected, 1.0)
    assert found.delta == expected / people


def test_both_mechanisms_keep_their_delta_and_no_smaller_one():
    """All sets of published records of 10 people, against the table in which the first record is another one."""
    people, delta = 10, Fraction(1, 10)
    found = published_records(1.0, people)
    alone, one = {}, {}
    for chosen in itertools.product((0, 1), repeat=people):
        alone[chosen] = delta ** sum(chosen) * (1 - delta) ** (people - sum(chosen))
        one[chosen] = delta if sum(chosen) == 1 else Fraction(0)
    for law, somebody in ((alone, found.each_alone), (one, found.one_at_most)):
        assert sum(law.values()) == 1
        # An answer that shows the first record is possible from one of the tables only; all others are alike from both.
        assert sum(share for chosen, share in law.items() if chosen[0]) == delta
        assert float(1 - law.get((0,) * people, 0)) == pytest.approx(somebody, rel=1e-14)


def test_many_at_once_are_as_each_alone():
    many = published_records(GRID, 77)
    assert [published_records(float(each), 77).each_alone for each in GRID] == many.each_alone.tolist()


# --- clamping ---------------------------------------------------------------------------------------------------------


def discrete_laplace(epsilon):
    """The law of the noise up to where nothing is left of it, to many digits."""
    q = mpmath.exp(-mpmath.mpf(epsilon))
    reach = int(100 / epsilon) + 30
    return {x: (1 - q) / (1 + q) * q ** abs(x) for x in range(-reach, reach + 1)}


@pytest.mark.parametrize("epsilon", [0.05, 0.5, 1.0, 4.0])
def test_people_are_invented_as_often_as_the_sum_says(epsilon):
    found = invented_people(1000, epsilon)
    with mpmath.workdps(40):
        law = discrete_laplace(epsilon)
        invented = 1000 * sum(share * max(x, 0) for x, share in law.items())
        spread = mpmath.sqrt(1000 * sum(share * x**2 for x, share in law.items()))
        continuous = 1000 * mpmath.quad(lambda x: x * epsilon / 2 * mpmath.exp(-epsilon * x), [0, mpmath.inf])
    assert found.invented == pytest.approx(float(invented), rel=1e-12)
    assert found.deviation == pytest.approx(float(spread), rel=1e-12)
    assert found.by_laplace == pytest.approx(float(continuous), rel=1e-12)


def test_the_numbers_of_the_issue():
    found = invented_people(1000, 1.0)
    assert (round(found.invented, 1), found.by_laplace) == (425.5, 500.0)


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 3.0])
@pytest.mark.parametrize("bound", [1, 2, 5, 20])
def test_noise_that_is_cut_off_tells_the_tables_apart(bound, epsilon):
    found = clamped_noise(bound, epsilon)
    with mpmath.workdps(40):
        laws = [Counter(), Counter()]
        for noise, share in discrete_laplace(epsilon).items():
            for answer in (0, 1):
                laws[answer][answer + max(-bound, min(bound, noise))] += share
        for mass, law in zip((found.of_zero, found.of_one), laws, strict=True):
            np.testing.assert_allclose(mass, [float(law[x]) for x in found.output.tolist()], rtol=1e-12)
        # The hockey-stick divergence at a level beyond all finite losses
        excess = sum(max(laws[0][x] - mpmath.exp(50) * laws[1][x], 0) for x in range(-bound, bound + 2))
    assert found.impossible == pytest.approx(float(excess), rel=1e-12)
    assert found.of_zero.sum() == pytest.approx(1.0, rel=1e-14)


# --- floating point ---------------------------------------------------------------------------------------------------


def half_precision(epsilon):
    """Every outcome of both tables, in the half-precision arithmetic of numpy."""
    scale = np.float16(1 / epsilon)
    size = [np.float16(scale * np.float16(-math.log(i / 2**11))) for i in range(1, 2**11 + 1)]
    outcomes = ([], [])
    for each in size:
        for noise in (each, -each):
            for answer in (0, 1):
                outcomes[answer].append(float(np.float16(np.float16(answer) + noise)))
    return outcomes


@pytest.mark.parametrize("epsilon", [0.1, 0.5, 1.0, 3.0])
def test_numbers_of_eleven_bits_are_those_of_half_precision(epsilon):
    zero, one = half_precision(epsilon)
    only = [sum(each not in others for each in own) / len(own) for own, others in ((zero, {*one}), (one, {*zero}))]
    found = float_noise(11, epsilon)
    assert found.exposed == max(only)
    assert found.numbers.tolist() == [float(np.float16(each)) for each in found.numbers]
    assert found.from_zero.tolist() == [each in zero for each in found.numbers]
    assert found.from_one.tolist() == [each in one for each in found.numbers]
    assert all(np.nextafter(np.float16(a), np.float16(9)) == b for a, b in itertools.pairwise(found.numbers))


def rounded(value, bits):
    """Round a fraction to so many significant bits, of two nearest to the even one; Python rounds fractions so."""
    if not value:
        return Fraction(0)
    power = Fraction(2) ** (math.frexp(float(abs(value)))[1] - bits)
    return round(value / power) * power


@pytest.mark.parametrize("bits", [4, 6, 9])
@pytest.mark.parametrize("epsilon", [0.001, 0.3, 1.0, 20.0])
def test_every_outcome_in_exact_fractions(bits, epsilon):
    laws = []
    with mpmath.workdps(40):
        logs = [-mpmath.log(mpmath.mpf(i) / 2**bits) for i in range(1, 2**bits + 1)]
    scale = rounded(Fraction(1 / epsilon), bits)
    for answer in (0, 1):
        law = Counter()
        for log in logs:
            size = rounded(scale * rounded(Fraction(int(log * 2**100), 2**100), bits), bits)
            for noise in (size, -size):
                law[rounded(answer + noise, bits)] += 1
        laws.append(law)
    only = [sum(n for x, n in own.items() if x not in other) for own, other in (laws, laws[::-1])]
    assert float_noise(bits, epsilon).exposed == max(only) / 2 ** (bits + 1)


def test_more_bits_do_not_help():
    assert all(float_noise(bits, 1.0).exposed > 0.6 for bits in range(4, 17))


# --- an average over a private count ----------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon", [0.05, 1.0, 5.0])
@pytest.mark.parametrize("people", [1, 5, 40])
def test_the_loss_of_a_private_scale_and_how_often_it_is_too_large(people, epsilon):
    found = private_scale(people, epsilon)
    of_table = stats.laplace(loc=0, scale=1 / (people * epsilon))
    of_other = stats.laplace(loc=1 / (people + 1), scale=1 / ((people + 1) * epsilon))

    def loss(z):
        """The logarithm of the ratio of the densities, far out too, where these are 0 as floats."""
        mean, scale = of_other.mean(), of_other.std() / np.sqrt(2)
        of_one_more = -np.log(2 * scale) - np.abs(z - mean) / scale
        return -np.log(2 / (people * epsilon)) - np.abs(z) * people * epsilon - of_one_more

    np.testing.assert_allclose(found.loss, loss(found.output), rtol=1e-9, atol=1e-12)

    def beyond(level):
        """Where the loss passes a level on the left and on the right, and how likely it is to lie there."""
        left = brentq(lambda z: loss(z) - level, -1e4, 0.0, xtol=1e-14)
        right = brentq(lambda z: loss(z) - level, 1 / (people + 1), 1e4, xtol=1e-14)
        return left, right, of_table.cdf(left) + of_table.sf(right)

    left, right, chance = beyond(epsilon)
    assert found.crossings == pytest.approx((left, right), rel=1e-9)
    # Around the other mean the loss can be below -epsilon: there the other table is the likelier one.
    fine = np.linspace(left, right, 2_000_001)
    low = fine[loss(fine) < -epsilon]
    middle = of_table.cdf(low[-1]) - of_table.cdf(low[0]) if low.size else 0.0
    assert found.exceeds == pytest.approx(chance + middle, rel=1e-4)
    assert 0.001 * (1 - 1e-9) <= beyond(found.rare_loss)[2] <= 0.002
    # It has no bound: twice as far out it is larger by as much again.
    assert loss(-200.0) - loss(-100.0) == pytest.approx(100 * epsilon)


def test_the_grade_of_the_one_who_left():
    grades = [90] * 39 + [Fraction(51)]
    grades[0] += 39  # so that the mean is 90 with the one who leaves, and 91 without
    before, after = sum(grades) / Fraction(40), sum(grades[:-1]) / Fraction(39)
    assert (before, after) == (90, 91)
    assert value_of_leaver(40, 90.0, mean_without=91.0) == 51.0
