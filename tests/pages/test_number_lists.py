"""Lists of numbers that a reader types: what is on the edge of what they take."""

import pytest

from pages.shared import settings
from pages.shared.settings import MOST_NUMBERS
from par_core.errors import ParameterError

LEVELS = settings.numbers("levels", "Levels", [0.5, 1], at_least=0.1, at_most=10)
WHOLE = settings.numbers("counts", "Counts", [1], at_least=1, at_most=100, only_whole=True)


@pytest.fixture
def typed(monkeypatch):
    """What `usable` makes of the entries that a reader has typed."""

    def of(entries, setting=LEVELS):
        monkeypatch.setattr(settings.st, "session_state", {setting.held: entries})
        return settings.usable(setting)

    return of


@pytest.mark.parametrize(
    "entry", ["3,5", "3,", ",3", "0.5,0.5", ",", "", " ", "x", "3 5", "nan", "1e400", "0.05", "11"]
)
def test_an_entry_that_is_no_single_number_is_named_and_left_out(typed, entry):
    assert typed(["2", entry, "1"]) == ([1.0, 2.0], [entry])
    assert LEVELS.write(["2", entry, "1"]) == "2,1"


def test_numbers_come_once_and_in_rising_order(typed):
    assert typed(["2", "0.5", "2.0", "2", "1e0"]) == ([0.5, 1.0, 2.0], [])
    assert LEVELS.read("2,0.5,2,2") == ["2", "0.5"]


def test_whole_numbers_only_where_they_are_asked_for(typed):
    assert typed(["2", "2.5", "101", "100", "1"], WHOLE) == ([1.0, 2.0, 100.0], ["2.5", "101"])


def test_exactly_five_numbers_are_taken_and_six_are_not(typed):
    five = ["1", "2", "3", "4", "5"]
    assert len(five) == MOST_NUMBERS
    assert LEVELS.read(",".join(five)) == five
    with pytest.raises(ParameterError, match="^Levels must be at most 5 numbers, got 6"):
        LEVELS.read(",".join([*five, "6"]))
    assert typed(five) == ([1.0, 2.0, 3.0, 4.0, 5.0], [])


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (LEVELS, "from 0.1 to 10"),
        (WHOLE, "a whole number from 1 to 100"),
        (settings.whole("n", "N", 2, at_least=1, at_most=10_000), "a whole number from 1 to 10,000"),
        (settings.number("x", "X", 1, at_least=1e-08, at_most=1e12), "from 0.00000001 to 1,000,000,000,000"),
        (settings.number("x", "X", 0, at_least=-1e-16, at_most=1e100), "from -1e-16 to 1e+100"),
        (settings.scenario_setting("k"), "a whole number from 1 to 10,000"),
        (settings.scenario_setting("epsilon0"), "from 0.00000001 to 700"),
    ],
)
def test_what_may_be_typed_is_said_in_plain_digits(setting, words):
    assert setting.allowed == words


def test_whole_numbers_have_no_decimals_to_speak_of(open_page):
    (said,) = (each.value for each in open_page("explicit_risk", ks="1").pick("ks", "1", "2.5").app.error)
    assert said.endswith("is left out: it must be a whole number from 1 to 10,000.")


def test_a_choice_of_many_is_not_refused_with_the_list_of_all():
    many = settings.choice("tmany", "Around", [f"Definition {number}" for number in range(100)])
    with pytest.raises(ParameterError, match="^Around must be one of the 100 that its list has, got 'none'$"):
        many.read("none")
