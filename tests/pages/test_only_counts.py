"""Only counts: the number of rows and of cells is all that is asked for."""

import csv
import io

import pytest

from par_core.decision import GroupWish, decide
from par_core.questions import SyntheticCounts
from par_core.release import epsilon0_for_smallest, synthetic_counts
from par_core.rounding import brief
from par_core.scenario import Neighbours, Scenario


@pytest.fixture
def page(open_page):
    """Open the section, with settings."""
    return lambda **settings: open_page("your_table", tab="counts", **settings)


def links(view):
    return [each.proto for each in view.app.get("page_link")]


def test_each_control_asks_its_own_and_a_new_draw_is_in_the_link(page):
    view = page(e0=0.7).type("mrows", 2000).type("mcells", 7)
    view.assert_told(SyntheticCounts(Scenario(epsilon0=0.7), 2000, 7, 1))
    view.press("New draw").assert_told(SyntheticCounts(Scenario(epsilon0=0.7), 2000, 7, 2))
    assert "mdraw=2" in view.links["address"]


def test_the_level_for_the_smallest_cell_is_taken_with_its_query(page):
    view = page(mcells=3).press("Use ε₀ =")
    assert "The range is 9.91 % of the smallest cell here, 111 rows." in view.words
    assert (view.number("k").value, view.number("s").value, view.app.session_state["m"]) == (3, 2, "discrete-laplace")


@pytest.mark.parametrize("neighbours", Neighbours)
def test_decide_finds_the_same_level_for_the_smallest_group(page, open_page, neighbours):
    (link,) = links(page(mcells=3, nb=neighbours))
    asked = dict(pair.split("=") for pair in link.query_string.split("&"))
    scenario = Scenario(sensitivity=float(asked["s"]), k=int(asked["k"]), neighbours=neighbours)
    found = decide([GroupWish(int(asked["wgv"]))], scenario)
    needed = epsilon0_for_smallest(synthetic_counts(1000, 3, Scenario(neighbours=neighbours)))
    assert found.low == pytest.approx(needed, rel=1e-3)
    decided = open_page("decide", we=0, wb=0, nb=neighbours, **asked)
    assert f"of at least {brief(needed, toward='up')}" in decided.headline


def test_a_wish_of_decide_is_about_l1_so_gaussian_noise_has_no_link_to_it_and_no_noise_one_to_the_lab(page):
    assert not links(page(m="gaussian"))
    assert [each.query_string for each in links(page(m="exponential"))] == ["tab=choose"]


def test_the_file_holds_every_cell_and_says_that_the_counts_are_made_up(page, files):
    view = page(mcells=60)
    assert view.charts
    (text,) = (data for label, data in files.items() if "synthetic_counts" in label)
    text = text() if callable(text) else text
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    assert len(list(csv.DictReader(io.StringIO("\n".join(lines))))) == 60
    assert "the exact counts are made up" in text


def test_without_a_file_the_first_section_leads_here(open_page):
    view = open_page("your_table", table="own")
    view.press("No file at hand? Bring only counts")
    assert view.headline.startswith("With 1,000 rows in 12 cells")
    assert "tab=counts" in view.links["address"]
