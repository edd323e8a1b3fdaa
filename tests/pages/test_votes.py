"""The section on PATE's votes: its numbers are those of the core, the printed ones come back, a file of one's own stays private."""

import json

import numpy as np
import pytest

from par_core.composition import compose_votes
from par_core.datasets import digit_votes, synthetic_votes
from par_core.rounding import brief
from tests.pages.conftest import plain

MARKER = "zebra4711"
OWN = (f"{MARKER}a,{MARKER}b,c\n" + "40,8,2\n7,31,12\n50,0,0\n" * 4).encode()


@pytest.fixture
def page(open_page):
    return lambda **settings: open_page("composition", tab="votes", **settings)


@pytest.fixture
def own(page):
    def open_it(data=OWN, **settings):
        view = page(vtable="own", **settings)
        view.app.file_uploader[0].set_value((f"{MARKER}.csv", data, "text/csv"))
        return view.run()

    return open_it


def table(view):
    """What each count comes to, by its name."""
    (shown,) = (each.value for each in view.app.table if "What it is" in each.value.columns)
    names = [plain(each).partition(" (")[0] for each in shown["Count"]]
    return dict(zip(names, map(float, shown["ε"]), strict=True))


def headline(view):
    return next(each for each in view.texts if each.startswith("## ")).removeprefix("## ").replace("\u00a0", " ")


def messages(view):
    return [each.value for each in (*view.app.info, *view.app.error)]


def test_the_section_shows_what_the_core_counts(page):
    view = page(ve0=0.1, ve=0.08, vn=1000)
    count = compose_votes(synthetic_votes().table, 0.1, delta=1e-5, epsilon=0.08)
    assert headline(view) == "1,000 noisy votes with ε₀ = 0.1 spend at most ε = 11.4; the paper’s count: 6.95"
    found = table(view)
    for name, value in (
        ("PATE’s bound", count.plain),
        ("PATE’s bound with PaR", count.at_risk),
        ("PaR, as the script counts", count.script),
    ):
        assert found[name] == float(f"{float(value):.3g}")
    for name, value in (("Proven, these votes alone", count.these_votes), ("Proven, any votes", count.any_votes)):
        assert found[name] == float(brief(float(value), toward="up"))
    numbers, drawn = view.chart.curve("PaR, as the script")
    again = compose_votes(synthetic_votes().table, 0.1, delta=1e-5, epsilon=0.08, numbers=numbers.astype(int))
    np.testing.assert_array_equal(drawn, again.script)
    assert "luck" in view.words
    assert "Teachers are models" in view.words
    (shown,) = (each.value for each in view.app.table)
    assert ["Refuted" in each for each in shown["Count"]] == [False, False, False, False, True]
    assert ["Holds here" in each for each in shown["Count"]] == [
        False,
        False,
        True,
        True,
        False,
    ]  # more than these votes spend
    assert "these votes alone spend at most ε = 2.89. (Proven)" in view.words


@pytest.mark.parametrize(("button", "plain"), [("Table 1: 100", 2.04), ("Table 1: 1,000", 8.03)])
def test_the_buttons_bring_table_1(page, button, plain):
    view = page(vtable="digits", ve0=2, vd=0.01, vm=3, vn=7, e0=2).press(button)
    assert round(table(view)["PATE’s bound"], 2) == plain
    assert f"Table 1 prints {plain} without privacy at risk" in view.words
    assert view.number("e0").value == 2, "the scenario stays the reader's"


def test_elsewhere_nothing_is_said_of_what_is_printed(page):
    assert "Table 1 prints" not in page(ve0=0.1, ve=0.08, vn=999).words
    assert "Table 1 prints" not in page(ve0=0.1, ve=0.09).words


def test_levels_follow_the_scenario(page):
    view = page(e0=0.3, d=1e-7)
    assert view.dials["ve0"].value == 0.3
    assert view.dials["ve"].value < 0.3
    assert "with ε₀ = 0.3" in headline(view)
    assert "δ = 10⁻⁷" in view.words


def test_a_claim_below_what_is_proven_is_called_no_guarantee(page):
    view = page(vtable="digits", ve0=1, ve=0.42)
    count = compose_votes(digit_votes().table, 1.0, delta=1e-5, epsilon=0.42)
    assert count.at_risk < count.these_votes
    assert "The claim is below everything that is proven for these votes" in view.words
    assert "There are 500 queries in this table: all of them are counted." in view.words
    assert "CC BY 4.0" in view.words


def test_an_epsilon_that_is_not_below_epsilon0_changes_nothing(page):
    view = page(ve0=0.1, ve=0.1)
    assert "Choose ε below ε₀" in view.words
    assert table(view)["PATE’s bound with PaR"] == table(view)["PATE’s bound"]


@pytest.mark.parametrize("number", [1, 2, 59, 61])
def test_few_queries_are_all_drawn(page, number):
    numbers, _ = page(ve0=0.1, vn=number).chart.curve("Proven, any votes")
    assert (numbers[0], numbers[-1]) == (1, number)
    assert number > 50 or len(numbers) == number


def test_votes_of_ones_own_are_counted_and_stay_in_the_session(own):
    view = own(ve0=0.5, ve=0.3)
    count = compose_votes([[40, 8, 2], [7, 31, 12], [50, 0, 0]] * 4, 0.5, delta=1e-5, epsilon=0.3)
    assert table(view)["PATE’s bound"] == float(f"{float(count.plain):.3g}")
    assert headline(view).startswith("12 noisy votes")
    for kept in (json.dumps(view.links), view.chart.alt):
        assert MARKER not in kept
    assert "vtable=own" in view.links["address"]


def test_votes_that_spend_nothing_are_drawn_too(page):
    """Loud winners at a large δ: what is proven for these votes is 0, which no logarithmic axis has."""
    view = page(ve0=50, ve=1e-8, vd=0.5, vm=1)
    assert not messages(view)
    assert "these votes alone spend at most ε = 0." in view.words
    _, drawn = view.chart.curve("Proven, these votes alone")
    assert (drawn == 0).all()


def test_without_a_file_the_made_votes_are_shown(page):
    view = page(vtable="own")
    assert "Choose a file: neither a link nor a reloaded page can hold one." in view.words
    assert view.charts


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"a,b\n3,4\n-1,2\n", "Row 2, column 1"),
        (b"a,b\n3,4\n1.5,2\n", "Row 2, column 1"),
        (b"a,b\n3,4\n0,0\n", "Row 2 has no votes"),
        (b"a,b\n3,4\n,2\n", "Row 2, column 1"),
        (b"a\n3\n4\n", "at least two classes"),
        (b"image,a,b\nx,3,4\ny,1,2\n", "Column 1 seems to hold no votes"),
        (b"id,a,b\n" + b"".join(b"%d,3,4\n" % at for at in range(1, 30)), "Column 1 seems to hold no votes"),
    ],
)
def test_a_file_that_holds_no_votes_is_refused_in_a_sentence(own, data, says):
    view = own(data)
    assert not view.charts
    assert any(says in each.replace("\\", "") for each in messages(view)), messages(view)
    assert not [each for each in messages(view) if "id " in each.lower() and "unexpected" in each.lower()]


def test_a_ragged_file_is_refused_where_it_is_read(own):
    view = own(b"a,b\n3,4\n1,2,3\n")
    assert any("row 3" in each.lower().replace("\\", "") for each in messages(view)), messages(view)
