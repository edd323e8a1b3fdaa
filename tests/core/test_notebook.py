"""Notebooks as files: their format, what may enter code, and what a number is shown with."""

import ast
import json
import sys
from decimal import Decimal

import nbformat
import numpy as np
import pytest

from par_core.decision import BeliefWish
from par_core.errors import ParameterError
from par_core.evidence import Quantity
from par_core.export.notebook import code, draw, notebook, show, words
from par_core.figures import overview
from par_core.queries import Condition
from par_core.risk.explicit_curves import excess, risk_at
from par_core.scenario import Neighbours

LINK = "decide?v=1&e0=0.5&val=%60%27%22%29"


def test_a_notebook_is_valid_the_same_each_time_and_not_run_yet():
    cells = [words("# Title\nmore"), code("1 + $n\n", n=1)]
    text = notebook("Odds", cells, link=LINK, version="1.0 (abc)")
    assert text == notebook("Odds", cells, link=LINK, version="1.0 (abc)")
    nbformat.validate(nbformat.reads(text, as_version=4))
    head, start, *own = json.loads(text)["cells"]
    assert f"`{LINK}`" in "".join(head["source"])
    assert "'1.0 (abc)'" in "".join(start["source"])
    assert [(cell["cell_type"], "".join(cell["source"])) for cell in own] == [
        ("markdown", "# Title\nmore"),
        ("code", "1 + 1"),
    ]


@pytest.mark.parametrize("link", ["decide?v=1`", "decide?a=b c", "a\nb", "x?y=<b>", "é?v=1"])
def test_a_link_that_could_mean_something_to_markdown_is_refused(link):
    with pytest.raises(ParameterError, match="query string"):
        notebook("Odds", [], link=link, version="1.0")


@pytest.mark.parametrize(
    "text", ["'", '"', "\\", "'''", "\n", "${n}", "$n", "'); import os #", "\u2028", "\0", "\ud800"]
)
def test_a_text_comes_back_as_it_was(text):
    cell = code("x = $text", text=text)
    assert ast.literal_eval(cell.source.removeprefix("x = ")) == text
    assert len(cell.source.splitlines()) == 1


@pytest.mark.parametrize("value", [1, -0.5, 1e300, 5e-324, True, None, (), (1,), [1.5, "a"], {"a": (1, 2)}])
def test_a_plain_value_comes_back_as_it_was(value):
    assert ast.literal_eval(code("$value", value=value).source) == value


def test_a_name_of_an_enumeration_is_its_value_and_a_dataclass_what_is_not_at_its_default():
    assert code("$it", it=Neighbours.REPLACE_ONE).source == "'replace-one'"
    assert code("$it", it=BeliefWish(0.5, 0.7)).source == "BeliefWish(prior=0.5, at_most=0.7)"
    condition = Condition("state", "==", "Alaska")
    assert eval(code("$it", it=condition).source, {"Condition": Condition}) == condition


@pytest.mark.parametrize(
    "value", [float("nan"), float("inf"), object(), np.float64(1), Decimal(1), {1}, b"a", Quantity, [{1}]]
)
def test_nothing_else_enters_code(value):
    with pytest.raises(ParameterError, match="plain"):
        code("$value", value=value)


def test_every_name_has_its_value_and_every_value_its_name():
    with pytest.raises(ParameterError, match="n, m"):
        code("$n + $m", n=1)
    with pytest.raises(ParameterError, match="got n"):
        code("1", n=1)


def test_a_number_is_shown_on_its_safe_side_with_what_it_is_worth(capsys):
    at = risk_at(0.4, 0.5)
    show("risk", at.quantity("exact_risk"))
    show("claim", at.quantity("risk"))
    show("pairs", 15_000, of=at)
    show("cost", Quantity(12.341, "money", at.evidence, "up"), currency="USD")
    assert capsys.readouterr().out.splitlines() == [
        "risk: 84.4 % [proven]",
        "claim: 16.2 % [as published: claim par-theorem-4]",
        "pairs: 15,000 [as published]",
        "cost: 12.35 USD [as published]",
    ]


def test_no_number_is_shown_without_its_evidence():
    for value in (1, "1", Quantity(1, "number")):
        with pytest.raises(ParameterError, match="evidence"):
            show("number", value)


def test_a_picture_is_drawn_with_plotly_and_without_it_a_sentence_says_how(capsys, monkeypatch):
    drawing = overview.excess(excess(0.5))
    assert draw(drawing).data
    monkeypatch.setitem(sys.modules, "plotly", None)
    monkeypatch.setitem(sys.modules, "plotly.graph_objects", None)
    assert draw(drawing) is None
    assert "pip install" in capsys.readouterr().out
