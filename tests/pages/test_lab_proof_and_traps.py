"""Mechanism lab: why the proof fails, and the traps. What is said is what is drawn, at the numbers of the issue."""

import re

import pytest

from tests.pages.conftest import plain

LAB = "mechanism_lab"


def headline(view):
    (found,) = (text for text in view.texts if text.startswith("## "))
    return found.removeprefix("## ")


def test_the_four_steps_tell_one_story(open_page):
    view = open_page(LAB, tab="proof", le=1.0, pn=0.25)
    assert headline(view) == "Table x answers 0, the noise drawn is 0.25: 0.25 is published"
    view.turn("ps", 2)
    assert headline(view) == "From table y the same release is a noise of -0.75, not 0.25"
    assert "The privacy loss of this release is 0.5" in view.words
    view.turn("ps", 3)
    assert headline(view).startswith("68.4 % of releases lie on the outer lines")
    ((x, y, _),) = view.charts["one_noise_two_tables"].own
    assert (x, y) == (0.25, 0.75)
    view.turn("ps", 4)
    assert headline(view) == "The loss exceeds ε = 0.5 in 84.7 % of releases; the proof says 37.8 %"
    assert headline(view) in view.chart.alt.replace("\u00a0", " ")


def test_the_published_number_is_refuted_and_the_exact_one_proven(open_page):
    words = open_page(LAB, tab="proof", ps=4, le=1.0).words
    assert "In 84.7 % (Proven) of releases its size exceeds ε = 0.5" in words
    assert "(Refuted) 37.8 %" in words


def test_the_third_dial_is_that_of_the_step(open_page):
    view = open_page(LAB, tab="proof")
    assert set(view.dials) >= {"ps", "le", "pn"}
    assert "ph" not in view.dials
    assert set(view.turn("ps", 4).dials) >= {"ps", "le", "ph"}


def test_the_false_line_is_named(open_page):
    words = open_page(LAB, tab="proof").words
    assert re.search(r"Equation 17 then puts .* independent", words.replace("*", ""))


def test_the_example_sets_the_level_of_the_issue(open_page):
    view = open_page(LAB, tab="proof", ps=4, le=3.0, ph=0.2)
    assert "84.7" not in headline(view)
    assert "84.7 %" in headline(view.press("The example"))


TRAPS = {
    "delta": "With δ = 0.001 somebody's whole record may come out, in 63.3 % of releases",
    "clamping": "Negative counts set to 0: 1,000 empty cells hold 426 people, at ε = 1",
    "floats": "66.7 % of noisy numbers of 11 bits can come out of one table only",
    "average": "Noise scaled by a private count breaks ε = 1 in 21.9 % of releases",
}


@pytest.mark.parametrize("trap", TRAPS)
def test_a_trap_has_one_headline_and_shows_before_it_tells(open_page, trap):
    view = open_page(LAB, tab="traps", tr=trap, le=1.0)
    assert headline(view) == TRAPS[trap]
    assert len(re.findall(r"[^\W_][\w.,'’/-]*", TRAPS[trap])) <= 16
    first, second = [plain(each.value) for each in view.app.markdown if not each.value.startswith(":")][1:3]
    assert first.endswith(TRAPS[trap])
    assert len(re.findall(r"[.!?](?=\s|$)", second)) == 1
    assert len(f"{first} {second}".split()) <= 34


def test_a_trap_is_chosen_and_its_dial_moves_its_number(open_page):
    view = open_page(LAB, tab="traps", le=1.0).choose("tr", "average")
    assert headline(view) == TRAPS["average"]
    assert "That one has 51. (Proven)" in view.words
    assert "breaks ε = 1 in 35.8 % of releases" in headline(view.turn("tm", 1))


def test_the_second_chart_of_clamping_tells_how_often_a_table_is_given_away(open_page):
    view = open_page(LAB, tab="traps", tr="clamping", le=1.0, tk=3)
    assert "Cut off at ±3 it gives an answer that the other table cannot give, in 3.64 % of releases" in view.words
    assert "3.64" in view.charts["clamped_noise"].alt
    assert "with Laplace noise it would be 500." in view.words


def test_a_delta_that_is_no_round_number_is_told_with_three_digits(open_page):
    assert headline(open_page(LAB, tab="traps", tn=3000)).startswith("With δ = 0.000333 somebody")


def test_a_link_holds_every_setting_of_both_sections(open_page):
    view = open_page(LAB, tab="traps", tr="floats", tb=8, tk=7, tm=12, td=0.5, tn=200, tc=50, ps=3, pn=-1, ph=0.25)
    for part in ("tr=floats", "tb=8", "tk=7", "tm=12", "td=0.5", "tn=200", "tc=50", "ps=3", "pn=-1", "ph=0.25"):
        assert part in view.links["full"]
    assert not view.warnings


@pytest.mark.parametrize("address", [{"tb": 8.5}, {"ps": 5}, {"pn": 6}, {"tm": 0}, {"ph": 1}, {"tr": "quantum"}])
def test_what_cannot_be_is_named(open_page, address):
    (warning,) = open_page(LAB, tab="traps", **address).warnings
    assert "cannot be used" in warning
