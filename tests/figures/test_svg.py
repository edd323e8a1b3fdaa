"""Drawings as static SVG: everything stands where the axes put it, inside the picture, and nothing is more than text."""

import re
import xml.etree.ElementTree as ElementTree
from html import unescape

import numpy as np
import pytest

import par_core.questions as questions
from par_core.composition import basic, exact
from par_core.figures import report as figures
from par_core.figures import style, theme
from par_core.figures.drawing import Drawing
from par_core.figures.svg import svg
from par_core.figures.svg_marks import wide
from par_core.questions.blocks import Chart
from par_core.release.synthetic_numbers import synthetic_numbers
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


def words_of(text):
    """A text of Plotly's, or of a picture, as words alone."""
    lines = re.sub("<[^>]+>", " ", text) if isinstance(text, str) else " ".join(each.text or "" for each in text)
    return " ".join(unescape(lines).split())


def promised(drawing):
    """Every text around the curves and at them: titles, ticks that are names, the legend, notes, values."""
    axes = [axis for key, axis in drawing.layout.items() if key[1:].startswith("axis")]
    yield from (axis["title"]["text"] for axis in axes)
    yield from (name for axis in axes if axis.get("type") != "log" for name in axis.get("ticktext", ()))
    yield from (note["text"] for note in drawing.layout.get("annotations", ()))
    for trace in drawing.data:
        if trace.get("showlegend", True) and drawing.layout.get("showlegend", True):
            yield trace.get("name", "")
        yield from trace.get("text", ())


def left_and_right(text):
    """How far a text reaches."""
    x, room = float(text[0].get("x")), max(wide(each.text or "") for each in text)
    before = room * {"start": 0.0, "middle": 0.5, "end": 1.0}[text.get("text-anchor")]
    return x - before, x - before + room


def check_words(drawing, width):
    picture = drawn(drawing, width=width, height=300)
    told = {words_of(each) for each in picture.iter("text")}
    assert {words_of(each) for each in promised(drawing)} - {""} <= told
    high = float(picture.get("viewBox").split()[3])
    assert all(0 <= float(line.get("y")) <= high for line in picture.iter("tspan"))
    assert all(left >= -0.1 and right <= width + 0.1 for left, right in map(left_and_right, picture.iter("text")))


@pytest.mark.parametrize("width", [340, 680])
def test_every_text_of_a_drawing_is_in_its_picture(any_drawing, width):
    check_words(any_drawing, width)


@pytest.mark.parametrize("question", questions.__all__)
def test_every_text_of_what_answers_a_question_is_in_its_picture(question):
    for block in getattr(questions, question)(Scenario()).answer().story():
        if isinstance(block, Chart):
            check_words(block.draw(), 340)
            check_words(block.draw(), 680)


def cut(picture, tag):
    """What is cut at the ends of the axes."""
    return [each for group in picture.iter("g") if group.get("clip-path") for each in group if each.tag == tag]


def numbers(element, *keys):
    found = [float(each) for key in keys for each in re.findall(r"-?[0-9.]+", element.get(key))]
    return np.reshape(found, (-1, 2)) if keys == ("d",) else found


PATTERN = {"shape": "/", "fillmode": "overlay", "fgcolor": "#b3261e", "size": 9, "solidity": 0.15, "fgopacity": 1}


def rows(**look):
    drawing = drawing_of(
        style.bars([4.0, 1.0], [2, 1], "proven", orientation="h", width=0.5, text=["four", "one"], **look)
    )
    drawing.set_x(range=[0, 5])
    style.set_rows(drawing, ["upper", "lower"])
    return drawing


def test_bars_of_rows_lie_and_their_values_stand_at_their_ends():
    picture = drawn(rows(marker={"color": "#123456", "line": {"color": "#654321", "width": 1.4}}))
    bars = [numbers(each, "x", "y", "width", "height") for each in cut(picture, "rect")]
    (x, y, wide_one, high), (x_2, y_2, wide_2, high_2) = bars
    assert (x, high) == (x_2, high_2)
    assert wide_one == pytest.approx(4 * wide_2, abs=0.1)
    assert y + high < y_2
    assert high == pytest.approx(100 * 0.5 / 2.3, abs=0.1)  # half of a row of a range of 2.3
    assert {each.get("stroke") for each in cut(picture, "rect")} == {"#654321"}
    for text, at in (("four", bars[0]), ("one", bars[1])):
        assert texts(picture)[text][0] == pytest.approx(at[0] + at[2] + 3, abs=0.1)
        assert at[1] < texts(picture)[text][1] < at[1] + at[3]


def test_a_hatched_bar_is_hatched_in_the_legend_too():
    picture = drawn(rows(marker={"color": theme.LIGHT["background"], "pattern": PATTERN}))
    assert [each.get("fill") for each in picture.iter("rect") if "url" in each.get("fill", "")] == [
        "url(#a-hatch-1)"
    ] * 3
    assert [each.get("id") for each in picture.iter("pattern")] == ["a-hatch-1"]
    other = style.bars([1.0], [1], "other", orientation="h", width=0.5, marker={"color": "#123456", "pattern": PATTERN})
    drawing = rows(marker={"color": theme.LIGHT["background"], "pattern": PATTERN})
    drawing.add(other)
    assert [each.get("id") for each in drawn(drawing).iter("pattern")] == ["a-hatch-1", "a-hatch-2"]


@pytest.mark.parametrize(("barmode", "ends_meet"), [("stack", True), ("overlay", False)])
def test_stacked_bars_begin_where_the_others_end(barmode, ends_meet):
    drawing = drawing_of(
        *(style.bars([3.0], [1], name, orientation="h", width=0.5, marker={"color": "#123456"}) for name in "ab")
    )
    drawing.layout["barmode"] = barmode
    (x, wide_one), (x_2, _) = (numbers(each, "x", "width") for each in cut(drawn(drawing), "rect"))
    assert (x_2 == pytest.approx(x + wide_one, abs=0.02)) is ends_meet


@pytest.mark.parametrize("log", [False, True])
def test_a_name_at_a_curve_stands_beside_its_point(log):
    drawing = drawing_of(style.exact([0.01, 1.0, 100.0], [0.0, 0.5, 1.0], "curve"), log=log)
    drawing.set_y(range=[0, 1])
    note = {"x": 0.0 if log else 1.0, "y": 0.5, "xanchor": "left", "xshift": 3, "yanchor": "bottom", "yshift": 3}
    drawing.layout["annotations"] = [
        note | {"text": "its <b>name</b>", "showarrow": False, "font": {"color": "#123456"}}
    ]
    picture = drawn(drawing)
    point = next(numbers(each, "d")[1] for each in cut(picture, "path"))
    x, y = texts(picture)["its name"]
    assert x - point[0] == pytest.approx(3, abs=0.1)
    assert 3 < point[1] - y < 3 + 15
    assert next(each for each in picture.iter("text") if each[0].text == "its name").get("fill") == "#123456"


@pytest.mark.parametrize("along", ["x", "y"])
def test_a_mark_has_its_range_unless_it_is_hidden(along):
    points = style.estimate([1.0, 2.0], [1.0, 2.0], [0.5, 1.0], [1.5, 4.0], "estimate", along=along, mode="markers")
    ranges = [
        numbers(each, "d")[:2]
        for each in cut(drawn(drawing_of(points)), "path")
        if "h" in each.get("d") or "v" in each.get("d")
    ]
    lengths = [abs(end - start) for start, end in ranges]
    which = "xy".index(along)
    assert lengths[1][which] == pytest.approx(3 * lengths[0][which], rel=0.01)
    assert [each[1 - which] for each in lengths] == [0, 0]
    points[f"error_{along}"]["visible"] = False
    assert not cut(drawn(drawing_of(points)), "path")


@pytest.mark.parametrize(
    ("symbol", "corners"),
    [("circle", 0), ("square", 4), ("diamond", 4), ("triangle-up", 3), ("triangle-down", 3), ("x", 12)],
)
def test_marks_have_the_shapes_that_their_names_say(symbol, corners):
    for name, filled in ((symbol, "#123456"), (f"{symbol}-open", "none")):
        marker = {"symbol": name, "size": 10, "color": "#123456"}
        picture = drawn(drawing_of(style.exact([1.0], [1.0], "a") | {"mode": "markers", "marker": marker}))
        found = [each for each in picture if each.get("fill") == filled and each.tag in ("path", "circle")]
        assert len(found) == 2  # and the legend
        assert {each.tag for each in found} == {"path" if corners else "circle"}
        assert {len(numbers(each, "d")) if corners else 0 for each in found} == {corners}
        assert {each.get("stroke") for each in found} == {"#123456" if filled == "none" else None}


def test_an_area_is_filled_down_to_zero():
    drawing = drawing_of(style.area([1.0, 2.0, 3.0], [1.0, 2.0, 1.0], "area"))
    drawing.set_y(range=[-1, 3])
    (area,) = (each for each in cut(drawn(drawing), "path") if each.get("fill") == theme.LIGHT["grid"])
    (left, foot), *curve, (right, end) = numbers(area, "d")
    assert (left, right, foot) == (curve[0][0], curve[-1][0], end)
    assert foot - curve[1][1] == pytest.approx(2 * (foot - curve[0][1]), abs=0.3)


def test_a_line_in_steps_has_corners():
    curve = style.exact([1.0, 2.0, 3.0], [1.0, 2.0, 1.0], "curve", shape="hvh")
    (line,) = cut(drawn(drawing_of(curve)), "path")
    steps = np.diff(numbers(line, "d"), axis=0)
    assert ((np.abs(steps) < 1e-9).sum(axis=1) == 1).all()


def ticks(axis, low, high, **settings):
    """The words on one axis from its beginning to its end."""
    drawing = drawing_of(style.exact([low, high], [low, high], "curve"))
    getattr(drawing, f"set_{axis}")(range=[low, high], **settings)
    getattr(drawing, "set_y" if axis == "x" else "set_x")(showticklabels=False)
    return [each for each in texts(drawn(drawing)) if each not in ("curve", "Level", "Share")]


@pytest.mark.parametrize("axis", ["x", "y"])
def test_ticks_are_written_as_on_the_page(axis):
    assert ticks(axis, 0, 1, tickformat=".0%", dtick=0.5) == ["0%", "50%", "100%"]
    assert ticks(axis, 0, 2e4, tickformat=",d", dtick=1e4) == ["0", "10,000", "20,000"]
    assert ticks(axis, -1, 1, dtick=1) == ["−1", "0", "1"]
    assert ticks(axis, 0, 0.5, tickformat=",.3~g", dtick=0.25) == ["0", "0.25", "0.5"]
    assert ticks(axis, 0, 4e6, dtick=2e6) == ["0", "2×10⁶", "4×10⁶"]
    assert len({*ticks(axis, 0, 0.02, tickformat=".0%")}) == 3  # none twice
    assert ticks(axis, 0, 2, tickformat="d") == ["0", "1", "2"]


@pytest.mark.parametrize("values", [[1e17], [1.0, 1.0 + 1e-15], [0.0, 5e-324], [-1e300]])
def test_what_has_no_extent_has_an_axis_all_the_same(values):
    picture = drawn(drawing_of(style.exact([*range(len(values))], values, "one")))
    assert "nan" not in ElementTree.tostring(picture, encoding="unicode")


def test_a_second_axis_has_its_own_scale_and_title():
    right = style.exact([1.0, 2.0], [0.0, 1000.0], "right") | {"yaxis": "y2"}
    drawing = drawing_of(style.exact([1.0, 2.0], [0.0, 1.0], "left"), right)
    drawing.set_y(range=[0, 1])
    drawing.layout["yaxis2"] = {"title": {"text": "Number"}, "range": [0, 1000], "side": "right", "overlaying": "y"}
    picture = drawn(drawing)
    first, second = (numbers(each, "d") for each in cut(picture, "path"))
    assert np.array_equal(first, second)
    assert texts(picture)["1,000"][0] > first[:, 0].max()
    assert "Number" in texts(picture)


def test_a_row_is_as_high_as_its_name():
    drawing = drawing_of(
        style.bars(np.ones(40), np.arange(40, 0, -1), "bars", orientation="h", width=0.5, marker={"color": "#123456"})
    )
    style.set_rows(drawing, [f"name {each}<br>of two lines" for each in range(40)])
    heights = [y for text, (_, y) in texts(drawn(drawing)).items() if text.startswith("name")]
    assert np.diff(heights) == pytest.approx(np.full(39, 30), abs=0.2)


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
    assert filled == ["url(#a-hatch-1)"] * 2


def test_texts_are_pushed_back_inside_and_shown_letter_by_letter():
    mark = style.setting(2.0, 1.0, "<b>x < 3 & a long text</b>", side="top right", name='"><script>')
    picture = drawn(drawing_of(style.exact([1, 2], [0, 1], "curve"), mark), title="<T>", alt="&")
    assert texts(picture)["x < 3 & a long text"][0] < 400 - 6 * len("x < 3 & a long text")
    assert '"><script>' in texts(picture)
    assert (picture.find("title").text, picture.find("desc").text) == ("<T>", "&")
    assert not list(picture.iter("script"))


def test_bars_stand_on_zero_with_their_ranges():
    found = synthetic_numbers(Scenario())
    drawing = figures.synthetic_numbers(found)
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
    found = exact(scenario.release, numbers, delta=1e-5)
    added = basic(scenario.release, numbers, delta=1e-5).tolist()
    drawing = figures.spent(numbers, found, added, planned=1, wished=wished)
    drawing.figure()
    picture = drawn(drawing, width=width)
    assert ("your wish" in texts(picture)) == (wished is not None)
    assert "your plan: 2 releases, ε = 1" in texts(picture)
    assert all(0 <= x <= width for x, _ in texts(picture).values())
    wide, high = map(float, re.search(r"0 0 (\S+) (\S+)", picture.get("viewBox")).groups())
    assert wide == width
    assert all(0 <= y <= high for _, y in texts(picture).values())
