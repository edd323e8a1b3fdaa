"""Numbers as people read them: so many digits, rounded once, a bound to the side on which it still holds."""

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from par_core.rounding import amount, brief, error, percent, small

SIZES = st.floats(1e-300, 1e300)
SHARES = st.floats(0.001, 0.999)
AS_GOOD_AS = 2e-15  # two roundings of doubles


def read(text):
    return float(text.replace(",", "").removesuffix("\u00a0%"))


@pytest.mark.parametrize(
    ("value", "toward", "told"),
    [
        (0.3, "down", "0.3"),
        (4.22035, "up", "4.221"),
        (4.22035, "near", "4.22"),
        (4.2209, "down", "4.22"),
        (99999.2, "up", "100,000"),
        (123456.0, "up", "123,500"),
        (3.8061e13, "near", "3.806e+13"),
        (1.0001e-7, "down", "1e-7"),
        (0.0, "up", "0"),
        (-2.0005, "down", "-2.001"),
        (-2.0005, "up", "-2"),
        (0.9999999, "down", "0.9999"),
        (-0.9999999, "up", "-0.9999"),
        (9.9999, "up", "10"),
        (1000.0, "near", "1,000"),
        (0.0001, "near", "0.0001"),
        (1e12, "near", "1e+12"),
    ],
)
def test_four_digits(value, toward, told):
    assert amount(value, 4, toward=toward) == told


@example(size=0.9999999, sign=1, digits=4)
@example(size=0.9999999, sign=-1, digits=4)
@given(size=SIZES, sign=st.sampled_from([1, -1]), digits=st.integers(2, 6))
def test_a_number_is_told_on_the_side_that_holds_and_within_its_last_digit(size, sign, digits):
    value = sign * size
    up, down, near = (read(amount(value, digits, toward=toward)) for toward in ("up", "down", "near"))
    assert down - AS_GOOD_AS * size <= value <= up + AS_GOOD_AS * size
    unit = 10.0 ** (math.floor(math.log10(size)) - digits + 1)
    assert up - down <= 1.001 * unit
    assert abs(near - value) <= 0.501 * unit
    assert near in (up, down)


@given(size=SIZES, digits=st.integers(2, 6))
def test_what_has_been_told_once_is_told_again_the_same_way(size, digits):
    for toward in ("up", "down", "near"):
        told = amount(size, digits, toward=toward)
        assert [amount(read(told), digits, toward=again) for again in ("up", "down", "near")] == [told] * 3


@pytest.mark.parametrize("hundredth", range(1, 100))
def test_a_whole_number_of_hundredths_is_told_as_that(hundredth):
    """0.07 times 100 is a little above 7 in doubles, and 1 - 0.07 a little below 0.93."""
    for share in (hundredth / 100, 1 - (100 - hundredth) / 100):
        assert {percent(share, toward=toward) for toward in ("up", "down", "near")} == {f"{hundredth}\u00a0%"}


@given(share=SHARES)
def test_a_share_is_told_on_the_side_that_holds_and_never_as_nothing_or_all(share):
    up, down = read(percent(share, toward="up")), read(percent(share, toward="down"))
    assert 0 < down <= 100 * share * (1 + AS_GOOD_AS)
    assert 100 * share * (1 - AS_GOOD_AS) <= up < 100
    assert up - down <= 0.1001


@pytest.mark.parametrize(
    ("share", "toward", "told"),
    [
        (0.0, "near", "0 %"),
        (1.0, "near", "100 %"),
        (1e-9, "up", "less than 0.1 %"),
        (0.00099, "down", "less than 0.1 %"),
        (0.9991, "up", "almost 100 %"),
        (0.9991, "down", "more than 99.9 %"),
        (0.9991, "near", "more than 99.9 %"),
        (1 - 1e-12, "up", "almost 100 %"),
        (0.999, "up", "99.9 %"),
        (0.001, "down", "0.1 %"),
        (0.62246, "near", "62.2 %"),
        (0.62246, "up", "62.3 %"),
        (0.0867, "down", "8.67 %"),
    ],
)
def test_the_ends_of_the_shares(share, toward, told):
    assert percent(share, toward=toward) == told.replace(" %", "\u00a0%")


def test_an_error_is_never_too_small_whole_or_not():
    assert [error(value) for value in (6.0, 5.99146, 1.66666, 12_345.0, 12_345.6)] == [
        "6",
        "6",
        "1.67",
        "12,345",
        "12,400",
    ]
    assert [error(value, fine=True) for value in (6.0, 5.99146, 1.66666, 12_345.6)] == ["6", "5.992", "1.667", "12,350"]
    assert error(1e32 * (1 + 1e-9)) == "1.01e+32"
    assert error(3.3333333333333e19) == "3.34e+19"


@pytest.mark.parametrize(
    ("value", "toward", "told"),
    [
        (0.299573, "up", "0.3"),
        (0.423649, "down", "0.42"),
        (5.991465, "up", "6"),
        (74_434.41, "up", "74,500"),
        (0.0645891, "up", "0.065"),
        (2.42512, "up", "2.43"),
        (14.14712, "up", "14.2"),
        (9.95001, "up", "10"),
    ],
)
def test_a_headline_has_the_digits_that_somebody_can_use(value, toward, told):
    assert brief(value, toward=toward) == told


@given(size=SIZES)
def test_what_is_brief_holds_too_and_is_told_the_same_way_again(size):
    up, down, near = (brief(size, toward=toward) for toward in ("up", "down", "near"))
    assert read(down) - AS_GOOD_AS * size <= size <= read(up) + AS_GOOD_AS * size
    assert abs(read(near) - size) <= 0.00501 * size
    assert read(up) - read(down) <= 0.034 * size  # one in the second of two digits, of which the first is at least a 3
    for told in (up, down, near):
        assert {brief(read(told), toward=toward) for toward in ("up", "down", "near")} == {told}


@given(lead=st.integers(1, 9999), power=st.integers(-6, 3))
def test_what_somebody_typed_with_four_digits_stays_what_it_is(lead, power):
    typed = float(f"{lead}e{power}")
    assert {read(brief(typed, toward=toward)) for toward in ("up", "down", "near")} == {typed}


@example(size=9.999999999999992e299, beyond=0.0)
@given(size=SIZES, beyond=st.floats(-0.1, 0.1))
def test_what_is_told_beside_a_limit_stands_on_its_own_side_of_it(size, beyond):
    limit = size * (1 + beyond)
    for fine in (False, True):
        assert (read(brief(size, toward="up", fine=fine, beside=limit)) <= limit) == (size <= limit)
        assert (read(brief(size, toward="down", fine=fine, beside=limit)) >= limit) == (size >= limit)


@pytest.mark.parametrize(
    ("value", "words"),
    [(0.05, "0.05"), (1e-4, "0.0001"), (1e-5, "10⁻⁵"), (2.5e-7, "2.5·10⁻⁷"), (1e-300, "10⁻³⁰⁰"), (0, "0")],
)
def test_small_numbers_are_written_out_or_with_a_power_of_ten(value, words):
    assert small(value) == words
