"""Only counts: the number of rows and of cells is all that is asked for."""

import csv
import io

import numpy as np
import pytest

from par_core.decision import GroupWish, decide
from par_core.mechanisms import MECHANISMS, NOISES
from par_core.release import epsilon0_for_smallest, made_up_counts
from par_core.rounding import brief, error
from par_core.scenario import Neighbours, Scenario

TOYS = sorted(MECHANISMS.keys() - NOISES.keys())


@pytest.fixture
def page(open_page):
    """Open the section, with settings."""
    return lambda **settings: open_page("your_table", tab="counts", **settings)


def headline(view):
    (found,) = (text for text in view.texts if text.startswith("## "))
    return found.removeprefix("## ")


def links(view):
    return [each.proto for each in view.app.get("page_link")]


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("name", NOISES)
def test_the_headline_says_how_far_off_each_count_is(page, name, neighbours):
    view = page(m=name, nb=neighbours, mrows=2000, mcells=7, rows=2)
    found = made_up_counts(2000, 7, Scenario(mechanism=name, neighbours=neighbours, rows_per_person=2))
    assert (
        headline(view) == f"With 2,000 rows in 7 cells each count is within ±{error(found.each)} in 95 of 100 releases"
    )
    assert f"All 7 at once are within ±{error(found.every)} as often. (Proven)" in view.words
    assert f"Counts from {found.right_from:,} up are right within 10 %" in view.words


def test_what_is_drawn_is_the_draw_of_the_core(page, read_values):
    bars = page(mdraw=3, mcells=5).charts["made_up_counts"].trace("as published")
    np.testing.assert_array_equal(read_values(bars["y"]), made_up_counts(1000, 5, Scenario(), seed=3).noisy)


def test_a_new_draw_changes_the_noise_and_nothing_else_and_is_in_the_link(page, read_values):
    view = page()
    drawn = lambda: read_values(view.charts["made_up_counts"].trace("as published")["y"])  # noqa: E731
    before, words = drawn(), view.words
    view.press("New draw")
    assert (np.asarray(before) != drawn()).any()
    assert view.words == words
    assert "mdraw=2" in view.links["address"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"mcells": 3}, "Every cell here is larger."),
        ({}, "1 of 12 cells here cannot be told from an empty one: lost in the noise."),
        ({"mcells": 40}, "16 of 40 cells here cannot be told from an empty one: lost in the noise."),
    ],
)
def test_it_says_which_cells_are_lost_in_the_noise(page, settings, words):
    assert words in page(**settings).words
    lost = made_up_counts(1000, settings.get("mcells", 12), Scenario()).like_empty
    assert words.startswith(f"{lost or 'Every'} ")


def test_the_level_for_the_smallest_cell_can_be_taken(page):
    view = page(mcells=3)
    needed = float(brief(epsilon0_for_smallest(made_up_counts(1000, 3, Scenario())), toward="up"))
    assert f"It takes ε₀ = {needed:g} to get that within 10 %. (By your model)" in view.words
    assert view.press(f"Use ε₀ = {needed:g} in my scenario").number("e0").value == needed
    assert "The range is 9.91 % of the smallest cell here, 111 rows." in view.words


def test_the_level_for_the_smallest_cell_is_taken_with_its_query(page):
    view = page(mrows=100_000, e0=0.05).press("Use ε₀ =")
    assert (view.number("k").value, view.number("s").value, view.app.session_state["m"]) == (12, 2, "discrete-laplace")
    view = page(mrows=100_000, e0=0.05, m="gaussian")
    assert "to get that within 10 %" in view.words
    assert not [each for each in view.app.button if each.label.startswith("Use")], "no scenario says the same"


def test_a_level_that_protects_hardly_anyone_is_not_offered(page):
    view = page()
    assert "but then hardly anyone is protected: publish fewer cells" in view.words
    assert not [each for each in view.app.button if each.label.startswith("Use")]


@pytest.mark.parametrize("neighbours", Neighbours)
def test_decide_finds_the_same_level_for_the_smallest_group(page, open_page, neighbours):
    (link,) = links(page(mcells=3, nb=neighbours))
    asked = dict(pair.split("=") for pair in link.query_string.split("&"))
    scenario = Scenario(sensitivity=float(asked["s"]), k=int(asked["k"]), neighbours=neighbours)
    found = decide([GroupWish(int(asked["wgv"]))], scenario)
    needed = epsilon0_for_smallest(made_up_counts(1000, 3, Scenario(neighbours=neighbours)))
    assert found.low == pytest.approx(needed, rel=1e-3)
    assert f"of at least {brief(needed, toward='up')}" in headline(
        open_page("decide", we=0, wb=0, nb=neighbours, **asked)
    )


def test_a_wish_of_decide_is_about_l1_so_gaussian_noise_has_no_link_to_it(page):
    assert not links(page(m="gaussian"))


@pytest.mark.parametrize("name", TOYS)
def test_where_nothing_is_added_to_a_number_nothing_is_drawn(page, name):
    view = page(m=name)
    assert not view.charts
    assert "adds no noise to a table’s numbers. Choose another mechanism in the sidebar." in view.words
    assert links(view)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"mrows": 5}, "The smallest cell here is empty"),
        ({"mcells": 1, "mrows": 1}, "With 1 row in 1 cell the count is within ±6 in 95"),
        ({"e0": 700}, "With 1,000 rows in 12 cells each count is exact in 95"),
        ({"e0": 1e-8, "rows": 10**6, "stats": 1000}, "too large to be drawn"),
        ({"m": "gaussian", "mrows": 10**9, "mcells": 2, "d": 0.5}, "keeps the error as small as wanted"),
    ],
)
def test_odd_numbers_get_words_of_their_own(page, settings, words):
    view = page(**settings)
    assert words in view.words
    assert not view.app.exception


def test_the_file_holds_every_cell_and_says_that_the_counts_are_made_up(page, files):
    view = page(mcells=60)
    assert view.charts
    (text,) = (data for label, data in files.items() if "made_up_counts" in label)
    text = text() if callable(text) else text
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(list(csv.DictReader(io.StringIO("\n".join(lines))))) == 60
    assert "the exact counts are made up" in text


def test_without_a_file_the_first_section_leads_here(open_page):
    view = open_page("your_table", table="own")
    view.press("No file at hand? Bring only counts")
    assert headline(view).startswith("With 1,000 rows in 12 cells")
    assert "tab=counts" in view.links["address"]
