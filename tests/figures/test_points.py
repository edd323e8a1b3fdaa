"""The table of a figure: what is downloaded is what is drawn."""

import io

import numpy as np
import pandas as pd

from par_core.figures import points


def drawn(figure):
    """Return the traces that a reader can point at; areas only shade."""
    return [each for each in figure.data if each.hoverinfo != "skip"]


def test_the_table_holds_every_plotted_point_in_order(any_figure, any_drawing):
    table = points.table(any_drawing)
    x, y = table.columns[1:3]
    np.testing.assert_array_equal(table[x], np.concatenate([np.asarray(each.x, float) for each in drawn(any_figure)]))
    np.testing.assert_array_equal(table[y], np.concatenate([np.asarray(each.y, float) for each in drawn(any_figure)]))
    assert list(table["curve"]) == [each.name for each in drawn(any_figure) for _ in each.x]


def test_the_columns_bear_the_names_of_the_axes(any_figure, any_drawing):
    x, y = points.table(any_drawing).columns[1:3]
    assert any_figure.layout.xaxis.title.text.startswith(x)
    assert any_figure.layout.yaxis.title.text.startswith(y)
    assert x != y


def test_every_curve_of_a_table_has_a_name(any_drawing):
    assert points.table(any_drawing)["curve"].notna().all()


def test_intervals_are_in_the_table(any_figure, any_drawing):
    table = points.table(any_drawing)
    for each in drawn(any_figure):
        if each.error_y.array is None:
            continue
        rows = table[table["curve"] == each.name]
        np.testing.assert_allclose(rows["lower"], each.y - each.error_y.arrayminus, rtol=0, atol=0)
        np.testing.assert_allclose(rows["upper"], each.y + each.error_y.array, rtol=0, atol=0)


def test_nothing_is_lost_on_the_way_through_csv(any_drawing):
    table = points.table(any_drawing)
    again = pd.read_csv(io.StringIO(table.to_csv(index=False)))
    pd.testing.assert_frame_equal(again, table, check_exact=True, check_dtype=False)
