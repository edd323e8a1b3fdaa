"""Drawings as static SVG: everything stands where the axes put it, inside the picture, and nothing is more than text."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest

from par_core.composition.of_mechanism import basic_of, exact_of
from par_core.figures import report as figures
from par_core.figures import style
from par_core.figures.drawing import Drawing
from par_core.figures.svg import svg
from par_core.release.made_up_numbers import made_up_numbers
from par_core.scenario import Scenario


def drawn(drawing, **more):
    return ElementTree.fromstring(
        svg(drawing, **{"width": 400, "height": 100, "name": "a", "title": "T", "alt": "A"} | more)
    )


def texts(picture):
    """Every line of text with its place."""
    return {each.text: (float(each.get("x")), float(each.get("y"))) for each in picture.iter("tspan")}


def drawing_of(*traces, log=False):
    drawing = Drawing(title="T", x="Level", y="Share")
    drawing.add(*traces)
    if log:
        drawing.set_x(**style.log_axis(0.01, 100, room=(0, 0)))
    return drawing


def test_a_logarithmic_axis_is_even_in_powers_of_ten():
    places = texts(drawn(drawing_of(style.exact([0.01, 100], [0, 1], "curve"), log=True)))
    steps = np.diff([places[text][0] for text in ("0.01", "0.1", "1", "10")])
    assert np.ptp(steps) < 0.2 < steps[0]


def test_gaps_stay_gaps_and_dashes_dashes():
    line = style.published([1, 2, 3, 4, 5], [1, 2, np.nan, 2, 1], "claimed")
    paths = [each for each in drawn(drawing_of(line)).iter("path") if each.get("stroke-dasharray")]
    assert len(paths) == 3  # two stretches, and the legend


def test_what_is_not_valid_is_hatched():
    area = style.not_valid(([1, 2], [0, 0]), ([1, 2], [1, 1]))
    filled = [each.get("fill") for each in drawn(drawing_of(area)).iter() if each.get("fill", "").startswith("url")]
    assert filled == ["url(#a-hatch)"] * 2


def test_texts_are_pushed_back_inside_and_shown_letter_by_letter():
    mark = style.setting(2.0, 1.0, "<b>x < 3 & a long text</b>", side="top right", name='"><script>')
    picture = drawn(drawing_of(style.exact([1, 2], [0, 1], "curve"), mark), title="<T>", alt="&")
    assert texts(picture)["x < 3 & a long text"][0] < 400 - 6 * len("x < 3 & a long text")
    assert '"><script>' in texts(picture)
    assert (picture.find("title").text, picture.find("desc").text) == ("<T>", "&")
    assert not list(picture.iter("script"))


def test_bars_stand_on_zero_with_their_ranges():
    found = made_up_numbers(Scenario())
    drawing = figures.made_up_numbers(found)
    drawing.figure()  # Plotly takes it too
    picture = drawn(drawing)
    bars = [each for each in picture.iter("rect") if "fill-opacity" in each.attrib]
    assert len(bars) == len(found.exact) + 1  # and the legend
    feet = {round(float(each.get("y")) + float(each.get("height"))) for each in bars[:-1]}
    assert len(feet) == 1
    assert len([each for each in picture.iter("path") if each.get("stroke-width") == "1.6"]) == len(found.exact)


@pytest.mark.parametrize("width", [340, 680])
@pytest.mark.parametrize("wished", [None, 3.0])
def test_what_is_spent_ends_where_the_count_does(width, wished):
    scenario, numbers = Scenario(), list(range(1, 13))
    exact = exact_of(scenario.release, numbers, delta=1e-5)
    basic = [basic_of([scenario.release], [each], delta=1e-5) for each in numbers]
    drawing = figures.spent(numbers, exact, basic, planned=1, wished=wished)
    drawing.figure()
    picture = drawn(drawing, width=width)
    assert ("your wish" in texts(picture)) == (wished is not None)
    assert "your plan: 2 releases, ε = 1" in texts(picture)
    assert all(0 <= x <= width for x, _ in texts(picture).values())
    wide, high = map(float, re.search(r"0 0 (\S+) (\S+)", picture.get("viewBox")).groups())
    assert wide == width
    assert all(0 <= y <= high for _, y in texts(picture).values())
