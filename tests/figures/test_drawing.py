"""A drawing is what Plotly itself would make of it, and the browser gets every number of it."""

import base64
import json
import math

import numpy as np
import pytest

from par_core.figures import style, theme
from par_core.figures.drawing import Drawing


def decoded(value):
    """JSON of a figure with arrays as lists of doubles and gaps as None."""
    match value:
        case {"bdata": data, "dtype": dtype}:
            array = np.frombuffer(base64.b64decode(data), dtype=dtype).astype(float)
            return [each if math.isfinite(each) else None for each in array.tolist()]
        case dict():
            return {key: decoded(each) for key, each in value.items()}
        case list():
            return [decoded(each) for each in value]
    return value


def test_plotly_finds_nothing_wrong_and_would_write_the_same(any_drawing):
    by_plotly = json.loads(any_drawing.figure().to_json())
    assert by_plotly["layout"].pop("template") == json.loads(json.dumps(theme.TEMPLATE))
    assert decoded(json.loads(any_drawing.to_json())) == decoded(by_plotly)


def test_the_check_sees_what_plotly_does_not_know():
    drawing = Drawing(title="t", x="x", y="y")
    drawing.add(style.exact([0.0], [1.0], "exact") | {"line_width": 3})
    drawing.add(style.exact([0.0], [1.0], "exact") | {"dash": "dot"})
    with pytest.raises(ValueError, match="dash"):
        drawing.figure()


def test_arrays_keep_every_bit_and_their_gaps_and_single_numbers_are_numbers():
    values = np.array([0.1, math.nan, -math.inf, 5e-324, 2.0**60])
    drawing = Drawing(title="t", x="x", y="y")
    drawing.add({"x": values[::-1], "y": np.arange(5), "text": np.array(["a", "b"]), "empty": np.array([])})
    drawing.set_x(range=[np.float64(0.5), np.int64(2)])
    written = json.loads(drawing.to_json(height=3))
    (trace,) = written["data"]
    kept = np.frombuffer(base64.b64decode(trace["x"]["bdata"]), dtype=trace["x"]["dtype"])
    np.testing.assert_array_equal(kept, values[::-1])
    assert decoded(trace["y"]) == [0, 1, 2, 3, 4]
    assert (trace["text"], trace["empty"]) == (["a", "b"], [])
    assert written["layout"]["xaxis"] == {"title": {"text": "x"}, "range": [0.5, 2]}
    assert written["layout"]["height"] == 3
    assert "height" not in drawing.layout, "what is added for the browser does not stay"


def test_a_number_that_json_has_not_is_an_error_and_no_broken_chart():
    drawing = Drawing(title="t", x="x", y="y")
    drawing.set_x(range=[0.0, math.inf])
    with pytest.raises(ValueError, match="JSON compliant"):
        drawing.to_json()
