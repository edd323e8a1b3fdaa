"""The list of a change that is known number by number: what is no list is named, and the last good one stays in force."""

import pytest

from pages.explicit_risk import change_editor
from par_core.errors import ParameterError


@pytest.fixture
def known(open_page):
    def open_it(**settings):
        shown = open_page("explicit_risk", tab="truth", **settings)
        shown.app.session_state["known_change"] = True
        return shown.run()

    return open_it


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
