"""The figure of the exercises about sensitivity: two neighbouring tables side by side."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from par_core.evidence import PROVEN
from par_core.figures import style, theme
from par_core.figures.drawing import Drawing, Trace
from par_core.lab.sensitivity import Pair
from par_core.rounding import amount

if TYPE_CHECKING:
    import pandas as pd


def pair(found: Pair, *, title: str) -> Drawing:
    """Draw two tables as columns, a person in each row and the answers below; the one in whom they differ stands out."""
    drawing = Drawing(title=title, x="Table: a database beside its neighbour", y="Person (values without unit)")
    people = [f"Person {at}" for at in range(1, len(found.first) + 1)]
    rows = style.set_rows(drawing, [*people, "Answer"], least=4)
    changed = float(rows[found.changed])
    ends = np.array([-0.45, 1.45])
    drawing.add(style.band(ends, ends * 0 + changed - 0.42, ends * 0 + changed + 0.42, "the person who changes"))
    drawing.add(
        style.reference(ends, ends * 0 + float(rows[-1]) + 0.5, "") | {"showlegend": False, "hoverinfo": "skip"}
    )
    for place, (table, answer) in enumerate(zip((found.first, found.second), found.answers, strict=True)):
        told = ["—" if each is None else _told(Fraction(each)) for each in table]
        told[found.changed] = f"<b>{told[found.changed]}</b>"
        drawing.add(_column(place, rows, [*told, ", ".join(map(_told, answer))]))
    drawing.set_x(range=[-0.5, 1.5], tickvals=[0, 1], ticktext=["one", "its neighbour"], showgrid=False)
    return drawing


def pair_table(found: Pair) -> pd.DataFrame:
    """Return the two tables as columns, with a row for each person and one for each number of the answers."""
    import pandas as pd

    people = [f"person {at}" for at in range(1, len(found.first) + 1)]
    answers = [f"answer {at}" for at in range(1, len(found.answers[0]) + 1)]
    columns = (
        [*table, *map(float, answer)] for table, answer in zip((found.first, found.second), found.answers, strict=True)
    )
    return pd.DataFrame({"of": people + answers, **dict(zip(("one table", "its neighbour"), columns, strict=True))})


def _column(place: int, rows: np.ndarray, told: list[str]) -> Trace:
    trace = style.exact(np.full(len(rows), place), rows, ("one table", "its neighbour")[place], basis=PROVEN)
    text = {"text": told, "textposition": "middle center", "textfont": {"size": 15, "color": theme.LIGHT["exact"]}}
    return (
        trace | {"mode": "text", "showlegend": False, "hovertemplate": "%{text}<extra>%{fullData.name}</extra>"} | text
    )


def _told(value: Fraction) -> str:
    return amount(float(value), 4).replace("-", "−")
