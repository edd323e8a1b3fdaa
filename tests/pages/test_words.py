"""The sentence about the present setting, and text from outside: unit tests, without a page."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pages.shared.frame import setting_sentence
from pages.shared.words import HARDLY_PRIVATE, as_sentence, letters, level, level0, literal
from par_core.mechanisms import strongest_belief
from par_core.scenario import Scenario


def said(*, accuracy=True, **fields):
    return setting_sentence(Scenario(**fields), accuracy=accuracy).replace("\u00a0", " ").replace("**", "")


# --- what an attacker comes to believe --------------------------------------------------------------------------------


def test_the_bound_is_said_to_hold_for_an_attacker_who_knows_everyone_elses_data():
    for accuracy in (True, False):
        words = said(accuracy=accuracy)
        assert (
            "n attacker who knows everyone else's data, 50 % sure that your record was used, becomes at most 62.3 % sure"
            in words
        )
        assert "about one person" not in words, "others' data can teach more"


@pytest.mark.parametrize(("releases", "told"), [(2, "73.2 %"), (3, "81.8 %"), (10, "99.4 %"), (20, "almost 100 %")])
def test_belief_after_all_releases_is_that_of_their_levels_together(releases, told):
    assert f"62.3 % sure after one release, {told} after all {releases}." in said(releases=releases)
    assert "after all" not in said(releases=1)


@settings(derandomize=True, deadline=None)
@given(epsilon0=st.floats(1e-6, 6.0), releases=st.integers(2, 1000))
def test_no_belief_is_told_too_small(epsilon0, releases):
    words = said(epsilon0=epsilon0, releases=releases)
    for start, level_of_all in (("at most ", epsilon0), ("one release, ", epsilon0 * releases)):
        told = words.split(start)[1].split(" %")[0]
        believed = 100 * strongest_belief(0.5, min(level_of_all, 700.0))
        if told in ("almost 100", "100"):
            assert believed > 99.9
        else:
            assert believed * (1 - 1e-14) <= float(told) < believed + 0.11


@pytest.mark.parametrize("epsilon0", [0.1, 1.0, HARDLY_PRIVATE])
def test_up_to_five_somebody_is_protected(epsilon0):
    assert "hardly anyone" not in said(epsilon0=epsilon0)


def test_above_five_hardly_anyone_is_protected():
    assert said(epsilon0=math.nextafter(5.0, 6.0)).endswith("At this setting hardly anyone is protected.")
    assert strongest_belief(0.5, 5.0) > 0.99


# --- how far off ------------------------------------------------------------------------------------------------------


def test_the_error_is_that_of_each_number_rounded_up():
    assert said().startswith(
        "At ε₀ = 0.5, the published number is off by 2 on average, and within ±5.992 in 95 of 100 releases. An"
    )
    assert "each of 6 published numbers is off by 4.286 on average, and within ±12.84" in said(
        k=2, statistics=3, epsilon0=0.7
    )
    assert "off by" not in said(accuracy=False)


def test_a_sensitivity_that_is_not_one_is_named_beside_the_error_that_it_makes():
    """A count has 1, whatever the scenario says: beside its error the scenario's own must not stand without the reason."""
    assert said(epsilon0=10, sensitivity=1e6).startswith(
        "At ε₀ = 10 and a sensitivity of 1,000,000, the published number is off by 100,000 on average"
    )
    assert "sensitivity" not in said(epsilon0=10)
    assert "sensitivity" not in said(epsilon0=10, sensitivity=1e6, accuracy=False)


# --- pieces -----------------------------------------------------------------------------------------------------------


def test_levels_stand_on_one_line_with_four_digits_on_the_side_that_holds():
    assert level0(0.79729) == "ε₀\u00a0=\u00a00.7973"
    assert level(0.285839) == "ε\u00a0=\u00a00.2858"


# Marks of Markdown, letters, and whatever Python takes for white space.
@settings(derandomize=True, deadline=None)
@given(text=st.text("`*_[]()<>$\\aβ🙂 \t\n\r\x0b\x0c\x1c\x1f\x85\xa0\u2003\u2028\u3000", max_size=40))
def test_text_from_outside_is_one_code_span(text):
    shown = literal(text)
    assert "\n" not in shown
    fence = shown.split(" ")[0]
    assert set(fence) == {"`"}
    assert fence not in " ".join(text.split())
    assert shown == f"{fence} {' '.join(text.split())} {fence}"


def test_a_sentence_that_quotes_data_shows_every_letter():
    assert letters("a*b_[c](d)") == r"a\*b\_\[c\]\(d\)"
    assert as_sentence("no column  *age*") == r"No column \*age\*\."
    assert as_sentence("done.") == r"Done\."
