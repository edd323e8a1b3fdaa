"""The strip on the present setting: what its numbers say and on which side they are rounded, without a page."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.shared.scenario_strip import numbers
from pages.shared.words import HARDLY_PRIVATE
from par_core.mechanisms import max_posterior
from par_core.scenario import Scenario


def strip(*, accuracy=True, **fields):
    found = numbers(Scenario(**fields), accuracy=accuracy)
    return [tuple(each.replace("\u00a0", " ").replace("**", "") for each in pair) for pair in found]


def said(**given):
    return [text for text, _ in strip(**given)]


def test_four_numbers_each_with_its_hover_line():
    assert said() == [
        "At ε₀ = 0.5, off by 2 on average",
        "within ±6 in 95 of 100",
        "an attacker 50 % sure becomes at most 62.3 %",
        "after 2 releases at most 73.2 %",
    ]
    assert said(accuracy=False) == ["At ε₀ = 0.5, an attacker 50 % sure becomes at most 62.3 %", said()[3]]
    assert all(hover.endswith(".") for _, hover in strip())


def test_the_bound_is_said_to_hold_for_an_attacker_who_knows_everyone_elses_data():
    for accuracy in (True, False):
        hovers = [hover for text, hover in strip(accuracy=accuracy) if " %" in text]
        assert len(hovers) == 2
        for each in hovers:
            assert each.startswith("Somebody who knows everyone else's data asks whether your true record was used.")


@pytest.mark.parametrize(("releases", "told"), [(2, "73.2 %"), (3, "81.8 %"), (10, "99.4 %"), (20, "almost 100 %")])
def test_belief_after_all_releases_is_that_of_their_levels_together(releases, told):
    words = f"after {releases} releases at most {told}".replace("at most almost", "almost")
    assert said(releases=releases)[-1] == words
    assert not [text for text in said(releases=1) if "after" in text]


@settings(derandomize=True, deadline=None)
@given(epsilon0=st.floats(1e-6, 6.0), releases=st.integers(2, 1000))
def test_no_belief_is_told_too_small(epsilon0, releases):
    one, many = (each for each in said(epsilon0=epsilon0, releases=releases) if " %" in each)
    for told, together in (
        (one.partition("becomes ")[2], epsilon0),
        (many.partition("releases ")[2], epsilon0 * releases),
    ):
        believed = 100 * max_posterior(0.5, min(together, 700.0))
        percent = told.removeprefix("at most ").partition(" %")[0]
        if percent in ("almost 100", "100"):
            assert believed > 99.9
        else:
            assert believed * (1 - 1e-14) <= float(percent) < believed + 0.11


@pytest.mark.parametrize("epsilon0", [0.1, 1.0, HARDLY_PRIVATE])
def test_up_to_five_somebody_is_protected(epsilon0):
    assert "hardly anyone is protected" not in said(epsilon0=epsilon0)


def test_above_five_hardly_anyone_is_protected():
    assert said(epsilon0=math.nextafter(5.0, 6.0))[-1] == "hardly anyone is protected"
    assert max_posterior(0.5, 5.0) > 0.99


def test_the_error_is_that_of_each_number_rounded_up():
    (mean, hover), (within, _), *_ = strip(k=2, statistics=3, epsilon0=0.7)
    assert (mean, within) == ("At ε₀ = 0.7, off by 4.3 on average", "within ±12.9 in 95 of 100")
    assert "each of 6 published numbers" in hover


def test_a_sensitivity_that_is_not_one_is_named_beside_the_error_that_it_makes():
    """A count has 1, whatever the scenario says: beside its error the scenario's own must not stand without the reason."""
    assert said(epsilon0=10, sensitivity=1e6)[0] == "At ε₀ = 10 and sensitivity 1,000,000, off by 100,000 on average"
    assert "sensitivity" not in "".join(said(epsilon0=10))
    assert "sensitivity" not in "".join(said(epsilon0=10, sensitivity=1e6, accuracy=False))
