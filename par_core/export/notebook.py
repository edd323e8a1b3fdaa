"""What a page shows as a Jupyter notebook: the calls that a person would write, with the settings as plain values.

Values enter code as the literals of Python that stand for them, and never as text of their own: nothing that a reader typed is run.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from string import Template
from textwrap import dedent
from typing import TYPE_CHECKING, Any, Literal

from par_core.errors import ParameterError
from par_core.evidence import PUBLISHED, Evidence, Quantity
from par_core.figures.drawing import Drawing
from par_core.figures.quantities import format_quantity
from par_core.parameters import shown

if TYPE_CHECKING:
    import plotly.graph_objects as go

_LINK = re.compile(
    r"[\w.~%+=&?*-]*", re.ASCII
)  # what a query string is made of: nothing of it means anything to Markdown
_INSTALL = 'pip install ".[figures,data]"'


@dataclass(frozen=True)
class Cell:
    """One cell of a notebook."""

    kind: Literal["markdown", "code"]
    source: str


def words(text: str) -> Cell:
    """Return a cell of Markdown."""
    return Cell("markdown", text)


def code(template: str, /, **values: object) -> Cell:
    """Return a cell of code; a `$name` in it becomes the literal of its value.

    Values are numbers, texts, truth values, None, dataclasses of `par_core` by what is not at its default, and lists, tuples and
    dictionaries of these. ParameterError for another one, and where the names of the template and of the values are not the same.

    >>> code("plan(query, $epsilon, mechanism=$kind)", epsilon=0.5, kind="laplace").source
    "plan(query, 0.5, mechanism='laplace')"
    """
    text = Template(dedent(template).strip())
    if set(text.get_identifiers()) != set(values):
        raise ParameterError(f"values must be given for {', '.join(text.get_identifiers())}, got {', '.join(values)}")
    return Cell("code", text.substitute({name: _literal(value) for name, value in values.items()}))


def notebook(title: str, cells: Sequence[Cell], *, link: str, version: str) -> str:
    """Return a notebook in Jupyter's format 4.5 as JSON text; the same arguments give the same text.

    `link` is what reopens the view, a page and its query string, and `version` that of the program: both stand in the first cells, which
    also import `show` and `draw`. ParameterError for a link with letters that no query string has.

    >>> made = json.loads(notebook("Odds", [code("show('n', 1, of=$x)", x=None)], link="decide?v=1", version="1.0"))
    >>> [cell["cell_type"] for cell in made["cells"]]
    ['markdown', 'code', 'code']
    """
    if not _LINK.fullmatch(link):
        raise ParameterError(f"link must be a page and a query string, got {shown(link)}")
    head = words(
        f"# {title}\n\nThis notebook recomputes with `par_core` what the explorer shows. It reads no file and holds no data of yours.\n\n"
        f"- It needs the explorer's own package: `{_INSTALL}` in its folder.\n"
        f"- To reopen the view, add this to the address of the explorer: `{link}`\n"
        "- Brackets after each number say what it is worth. Bounds are rounded to the side on which they hold."
    )
    start = code(
        """
        import par_core
        from par_core.export.notebook import draw, show

        print("par_core", par_core.__version__, "- this notebook was made by", $version)
        """,
        version=version,
    )
    content = {
        "cells": [_as_json(number, cell) for number, cell in enumerate([head, start, *cells], start=1)],
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def show(label: str, value: Quantity | float | str, *, of: object = None, currency: str = "") -> None:
    """Print a number as a page tells it, and what it is worth.

    What has no evidence itself takes it from `of`: a result, or a function. Money needs its currency.

    >>> from par_core.risk.explicit_curves import risk_at
    >>> show("risk", risk_at(0.4, 0.5).quantity("exact_risk"))
    risk: 84.4 % [proven]
    >>> show("pairs", 15_000, of=risk_at(0.4, 0.5))
    pairs: 15,000 [as published]
    """
    if isinstance(value, Quantity):
        text, evidence, claim = format_quantity(value, currency=currency), value.evidence or _evidence(of), value.claim
    else:
        told = value if isinstance(value, str) else f"{value:,.10g}"
        text, evidence, claim = told, _evidence(of), ""
    if evidence is None:
        raise ParameterError("a number must have an evidence: give what it is of")
    basis = evidence.basis
    worth = f"{basis.value}: claim {claim}" if basis is PUBLISHED and claim else basis.value
    print(f"{label}: {text} [{worth}]".replace("\u00a0", " "))


def draw(drawing: Drawing) -> go.Figure | None:
    """Return a picture of `par_core.figures` as a figure of Plotly, which a notebook shows; without Plotly say how to get it."""
    try:
        return drawing.figure()
    except ImportError:
        print(f"To see the picture: {_INSTALL}")
        return None


def _evidence(of: object) -> Evidence | None:
    found: Evidence | None = getattr(of, "evidence", None)
    return found


def _literal(value: object) -> str:
    if value is None or type(value) in (bool, int) or (type(value) is float and math.isfinite(value)):
        return repr(value)
    if isinstance(value, str):
        return repr(str(value))  # of an enumeration its value
    if isinstance(value, list | tuple):
        inner = ", ".join(map(_literal, value))
        return f"[{inner}]" if isinstance(value, list) else f"({inner}{',' * (len(value) == 1)})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_literal(key)}: {_literal(each)}" for key, each in value.items()) + "}"
    if is_dataclass(value) and type(value).__module__.startswith("par_core."):
        held = ((each, getattr(value, each.name)) for each in fields(value) if each.init)
        given = ", ".join(f"{each.name}={_literal(one)}" for each, one in held if one != each.default)
        return f"{type(value).__name__}({given})"
    raise ParameterError(f"a value must be a plain one of Python, got {shown(value)}")


def _as_json(number: int, cell: Cell) -> dict[str, Any]:
    made: dict[str, Any] = {
        "cell_type": cell.kind,
        "id": f"cell-{number}",
        "metadata": {},
        "source": cell.source.splitlines(keepends=True),
    }
    return made | ({"execution_count": None, "outputs": []} if cell.kind == "code" else {})
