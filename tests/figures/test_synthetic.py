"""The figure of made-up counts: what is published, how far off, and no more cells than a phone has room for."""

import numpy as np
import pytest

from par_core.figures import synthetic
from par_core.mechanisms import NOISES
from par_core.release import synthetic_counts
from par_core.scenario import Scenario
from tests.figures.checked import Checked

figures = Checked(synthetic)
BARS, STAIRS, LINE = "as published", "made-up exact count", "an empty cell"


@pytest.mark.parametrize("name", NOISES)
def test_bars_are_the_noisy_counts_and_their_ends_the_range(name, trace):
    found = synthetic_counts(1000, 12, Scenario(mechanism=name))
    bars = trace(figures.synthetic(found), BARS)
    np.testing.assert_array_equal(bars.x, np.arange(1, 13))
    np.testing.assert_array_equal(bars.y, found.noisy)
    for side in (bars.error_y.array, bars.error_y.arrayminus):
        np.testing.assert_array_equal(side, [found.each] * 12)


@pytest.mark.parametrize("cells", [1, 12, 300])
def test_each_stair_is_as_high_as_the_made_up_count_of_the_bar_in_its_middle(cells, trace):
    found = synthetic_counts(1000, cells, Scenario())
    figure = figures.synthetic(found)
    bars, stairs = trace(figure, BARS), trace(figure, STAIRS)
    x, y = (np.reshape(np.asarray(each, float), (-1, 2)) for each in (stairs.x, stairs.y))
    np.testing.assert_allclose(x.mean(axis=1), bars.x)
    np.testing.assert_array_equal(y, np.column_stack([found.counts[np.asarray(bars.x) - 1]] * 2))
    assert ((x[:, 1] - x[:, 0]) > bars.width).all()


def test_the_line_is_as_high_as_an_empty_cell_may_come_out(trace):
    found = synthetic_counts(1000, 12, Scenario())
    assert list(trace(figures.synthetic(found), LINE).y) == [found.each] * 2


@pytest.mark.parametrize(("cells", "drawn"), [(1, 1), (39, 39), (40, 40), (41, 40), (10_000, 40)])
def test_of_many_cells_some_of_all_sizes_are_drawn_and_the_axis_says_so(cells, drawn, trace):
    found = synthetic_counts(10**6, cells, Scenario())
    figure = figures.synthetic(found)
    bars = trace(figure, BARS)
    rank = np.asarray(bars.x)
    assert len(rank) == len(set(rank)) == drawn
    assert (rank[0], rank[-1]) == (1, cells)
    np.testing.assert_array_equal(bars.y, found.noisy[rank - 1])
    assert (f"({drawn} of {cells:,} drawn)" in figure.layout.xaxis.title.text) is (drawn < cells)
    assert bars.width <= np.diff(rank).min(initial=cells)


def test_the_table_holds_every_cell():
    found = synthetic_counts(10**6, 300, Scenario())
    table = figures.synthetic_table(found)
    np.testing.assert_array_equal(table["made-up exact count"], found.counts)
    np.testing.assert_array_equal(table["as published"], found.noisy)
    np.testing.assert_array_equal(table["upper"] - table["lower"], 2 * found.each)


def test_the_title_says_that_the_counts_are_made_up_and_how_far_they_are_off():
    title = figures.synthetic(synthetic_counts(1000, 12, Scenario())).layout.title.text
    assert title == "Made-up counts, noise for ε₀ = 0.5: ±12"
    assert figures.synthetic(synthetic_counts(9, 2, Scenario(epsilon0=70))).layout.title.text.endswith("70: exact")
