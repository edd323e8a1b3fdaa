"""A change that is known number by number: what is said of it is proven, so it never lies below the truth's own ends."""

import re

import pytest

from pages.explicit_risk import change_editor
from par_core import composition
from par_core.errors import ParameterError


@pytest.fixture
def known(open_page):
    def open_it(**settings):
        shown = open_page("explicit_risk", tab="truth", **settings)
        shown.app.session_state["known_change"] = True
        return shown.run()

    return open_it


def sentence(shown):
    (words,) = (text for text in shown.texts if "takes the whole change" in text)
    return words


def assert_ends_rounded_outward(words, found):
    lower, upper = (float(each) for each in re.search(r"lies between ([\d.]+) % and ([\d.]+) %", words).groups())
    assert lower <= 100 * found.lower <= lower + 0.1001
    assert upper - 0.1001 <= 100 * found.upper <= upper


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        # The loss hits 0.4 exactly with some probability: the ends are wide.
        ({"e0": 0.5, "e": 0.4, "shares": ",".join(["0.1"] * 10)}, "at most 1.8 %"),
        ({"e0": 0.5, "e": 0.6, "shares": "1"}, "0 %"),
        ({"e0": 0.5, "e": 0.499, "shares": ",".join(["0.05"] * 20)}, "less than 0.1 %"),
    ],
)
def test_the_proven_headline_is_the_upper_end(known, settings, told):
    shares = [float(each) for each in settings["shares"].split(",")]
    found = composition.change_risk(settings["e"], settings["e0"], shares=shares)
    shown = known(**settings)
    words = sentence(shown)
    assert f"in {told} of releases. (Proven)" in words, (words, found)
    assert float(re.search(r"in \D*([\d.]+) % of releases", words)[1]) >= 100 * found.upper
    if told == "at most 1.8 %":
        assert_ends_rounded_outward(shown.words, found)


def test_one_number_with_the_whole_change_has_the_worst_case(known):
    words = sentence(known(e0=0.5, e=0.4, shares="1"))
    assert "in 84.4 % of releases. (Proven)" in words
    assert words.count("84.4 %") == 2
    assert "84.3 %" not in words


def test_the_ends_are_rounded_outward(known):
    for shares in ([0.5, 0.3, 0.2], [0.8, 0.2]):
        found = composition.change_risk(0.4, 0.5, shares=shares)
        shown = known(e0=0.5, e=0.4, shares=",".join(map(str, shares)))
        if shares[0] == 0.5:
            assert "in 23.2 % of releases. (Proven)" in sentence(shown)
        assert_ends_rounded_outward(shown.words, found)


@pytest.mark.parametrize("bad", ["", "a", "0.5, 0.6", "-0.1, 0.2", "0", "1,5;2", "nan"])
def test_a_list_that_is_no_change_is_refused(bad):
    with pytest.raises(ParameterError):
        change_editor.SHARES.read(bad)


def test_a_list_that_is_no_change_is_named_and_the_last_good_one_stays(known):
    shown = known(shares="0.6,0.4")
    shown.app.text_input(key="_shares_typed").set_value("0.5, 0.6")
    shown.run()
    (message,) = (each.value for each in shown.app.error)
    assert "stays in force" in message
    assert "moves 2 numbers by 0.6, 0.4" in shown.words
    assert "shares=0.6%2C0.4" in shown.links["full"]


def test_an_epsilon0_that_is_not_composed_is_said_so(known):
    assert "ε₀ from 10⁻⁶ to 50" in known(e0=600, shares="1").words
