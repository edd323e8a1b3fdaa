"""The section on PATE's votes: its controls ask the question, the printed numbers come back, a file of one's own stays private."""

import json
import re

import pytest

from pages.shared import answers
from par_core.questions import Votes
from par_core.scenario import Scenario
from tests.pages.table_view import put

MARKER = "zebra4711"
OWN = (f"{MARKER}a,{MARKER}b,c\n" + "40,8,2\n7,31,12\n50,0,0\n" * 4).encode()


@pytest.fixture
def page(open_page):
    return lambda **settings: open_page("composition", tab="votes", **settings)


@pytest.fixture
def own(page):
    return lambda data=OWN, **settings: put(page(vtable="own", **settings), data, f"{MARKER}.csv")


def messages(view):
    return [each.value for each in (*view.app.info, *view.app.error)]


def test_controls_and_the_scenario_ask_the_question(page):
    view = page(e0=0.3, d=1e-7)
    view.assert_told(Votes(Scenario(epsilon0=0.3, delta=1e-7)))
    view.turn("ve", 0.2).turn("ve0", 0.7).type("vn", 70).type("vd", 1e-6).type("vm", 3)
    view.assert_told(Votes(Scenario(epsilon0=0.3, delta=1e-7), "synthetic", 70, 0.7, 0.2, 1e-6, 3))
    assert "CC BY 4.0" in page(vtable="digits").words


@pytest.mark.parametrize("number", [100, 1_000])
def test_the_buttons_bring_table_1(page, number):
    view = page(vtable="digits", ve0=2, vd=0.01, vm=3, vn=7, e0=2).press(f"Table 1: {number:,}")
    view.assert_told(Votes(Scenario(epsilon0=2.0), "synthetic", number, 0.1, 0.08, 1e-5))
    assert "Table 1 prints" in view.words
    assert view.number("e0").value == 2, "the scenario stays the reader's"


def test_votes_of_ones_own_are_counted_and_stay_in_the_session(own, files, monkeypatch):
    public = answers.Kept(64_000_000)
    monkeypatch.setattr(answers, "PUBLIC", public)
    view = own(ve0=0.5, ve=0.3)
    assert view.headline.startswith("12 noisy votes")
    texts = [json.dumps(view.links), view.chart.alt]
    assert "vtable=own" in view.links["address"]
    view.come_near("votes_spent", "ve")
    assert set(view.chart.frames) == {"ve"}
    texts += [files[key]() for key in ("csv_votes_spent", "notebook_votes", "report")]
    assert "of the built-in table, not of yours" in texts[-2]
    assert "12 noisy votes" in texts[-1].replace("\u00a0", " ")
    for text in texts:
        assert MARKER not in text
    assert not [key for key in public._held if "12" in repr(key) or (isinstance(key, Votes) and key.private)]


def test_without_a_file_the_made_votes_are_shown(page):
    view = page(vtable="own")
    assert "Choose a file: neither a link nor a reloaded page can hold one." in view.words
    assert view.charts


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a,b\n3,4\n-1,2\n", "Row 2, column 1.*; rows are counted below the line of names"),
        (b"image,a,b\nx,3,4\ny,1,2\n", "Column 1 seems to hold no votes"),
        (b"id,a,b\n" + b"".join(b"%d,3,4\n" % at for at in range(1, 30)), "Column 1 seems to hold no votes"),
    ],
)
def test_a_file_that_holds_no_votes_is_refused_in_a_sentence(own, data, says):
    view = own(data)
    assert not view.charts
    assert any(re.search(says, each.replace("\\", "")) for each in messages(view)), messages(view)
