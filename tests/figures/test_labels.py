"""Texts stand where nothing is in their way, and a curve is named beside it only where nobody could take the name for another's."""

import numpy as np
import pytest

from par_core.figures import explicit_risk, labels, style
from par_core.figures.drawing import Drawing
from par_core.mechanisms import max_posterior
from par_core.risk import explicit_curves

ACROSS = np.linspace(0.0, 1.0, 50)


def drawing_of(*traces, **layout):
    drawing = Drawing(title="t", x="x", y="y")
    drawing.add(*traces)
    drawing.set_x(range=[0.0, 1.0])
    drawing.set_y(range=[0.0, 1.0])
    drawing.layout.update(layout)
    return drawing


def side_of(at, *curves, side):
    mark = style.setting(*at, "your 50 %", side=side)
    labels.place(drawing_of(*curves, mark))
    return mark["textposition"]


def test_a_text_stays_where_it_is_as_long_as_nothing_is_in_its_way():
    assert side_of((0.5, 0.5), style.exact(ACROSS, 0 * ACROSS + 0.5, "level"), side="bottom left") == "bottom left"


@pytest.mark.parametrize(("side", "height"), [("top right", 0.56), ("bottom right", 0.44)])
def test_a_text_moves_out_of_the_way_of_a_curve(side, height):
    assert not side_of((0.5, 0.5), style.exact(ACROSS, 0 * ACROSS + height, "in the way"), side=side).startswith(
        side[:3]
    )


def test_a_text_moves_away_from_an_edge_that_would_cut_it():
    assert side_of((0.99, 0.5), side="top right") == "top left"
    assert side_of((0.5, 0.99), side="top right").startswith("bottom")


def test_two_texts_at_one_place_do_not_meet():
    one, other = (style.setting(0.5, y, "the same length", side="top right") for y in (0.5, 0.52))
    labels.place(drawing_of(one, other))
    assert one["textposition"] != other["textposition"]


def test_the_belief_is_told_above_the_curves_and_not_across_them():
    belief = max_posterior(0.5, 0.5)
    drawing = explicit_risk.posterior(explicit_curves.attacks(0.5, 0.4), prior=0.5, believed=belief)
    assert drawing.data[-1]["textposition"] == "top left"


def test_a_curve_with_room_is_named_beside_it_and_leaves_the_legend():
    low, high = style.exact(ACROSS, 0 * ACROSS + 0.3, "low"), style.published(ACROSS, 0 * ACROSS + 0.7, "high")
    drawing = drawing_of(low, high)
    labels.name_curves(drawing, [(low, "low"), (high, "high")])
    names = {each["text"]: each for each in drawing.figure().to_dict()["layout"]["annotations"]}
    assert (names["low"]["y"], names["high"]["y"]) == (0.3, 0.7)
    assert names["high"]["font"]["color"] == high["line"]["color"]
    assert (low["showlegend"], high["showlegend"]) == (False, False)


def test_curves_too_close_to_tell_whose_name_it_is_stay_in_the_legend():
    close = [style.published(ACROSS, 0 * ACROSS + y, f"{y:g}") for y in (0.5, 0.53)]
    drawing = drawing_of(*close)
    labels.name_curves(drawing, [(close[0], "above is the other"), (close[1], "above is free")])
    assert [each["text"] for each in drawing.layout["annotations"]] == ["above is the other", "above is free"]
    assert [each["yanchor"] for each in drawing.layout["annotations"]] == ["top", "bottom"]
    between = [
        style.published(ACROSS, 0 * ACROSS + y, f"{y:g}") for y in (0.39, 0.5, 0.61)
    ]  # room for a line of text, and no more
    drawing = drawing_of(*between)
    labels.name_curves(drawing, [(between[1], "whose")])
    assert "annotations" not in drawing.layout
    assert between[1].get("showlegend", True)


def test_a_card_has_no_legend_and_names_its_curves_all_the_same():
    between = [style.published(ACROSS, 0 * ACROSS + y, f"{y:g}") for y in (0.45, 0.5, 0.55)]
    drawing = drawing_of(*between, showlegend=False)
    labels.name_curves(drawing, [(between[1], "whose")])
    assert [each["text"] for each in drawing.layout["annotations"]] == ["whose"]


def test_on_logarithmic_axes_a_name_stands_at_its_curve():
    x = np.geomspace(1.0, 1000.0, 60)
    curve = style.exact(x, x, "y = x")
    drawing = drawing_of(curve)
    drawing.set_x(**style.log_axis(1, 1000, room=(0, 0)))
    drawing.set_y(**style.log_axis(1, 1000, room=(0, 0)))
    labels.name_curves(drawing, [(curve, "y = x")])
    (name,) = drawing.layout["annotations"]
    assert name["x"] == name["y"]
    assert 0 < name["x"] < 3
