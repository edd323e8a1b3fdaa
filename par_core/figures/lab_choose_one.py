"""The figure of the toy "Choose one of many": with which probability each candidate is chosen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from par_core.figures import style, theme
from par_core.figures.drawing import Drawing
from par_core.lab.choose_one import Choice, DrawnChoices
from par_core.rounding import amount, percent

if TYPE_CHECKING:
    import pandas as pd

_LONGEST = 14  # letters of a name beside its bar: on a phone there is no room for more


def choice(found: Choice, names: Sequence[str], *, drawn: DrawnChoices | None = None) -> Drawing:
    """Draw the exact probability of each candidate, the best one on top, and the shares of draws over them."""
    order = np.argsort(-found.utilities, kind="stable")
    chance = found.probabilities[order]
    drawing = Drawing(
        title=f"Who is chosen, at ε = {amount(found.epsilon, 4)} and sensitivity {amount(found.sensitivity, 4)}",
        x="Probability of being chosen",
        y="Candidate (its utility)",
    )
    rows = [f"{_short(names[at])} ({amount(float(found.utilities[at]), 4)})" for at in order]
    places = style.set_rows(drawing, rows, least=4)
    told = [percent(each) for each in chance.tolist()]
    drawing.add(
        style.bars(
            chance,
            places,
            "exact probability",
            orientation="h",
            width=0.62,
            marker={"color": theme.LIGHT["grid"], "line": {"color": theme.LIGHT["exact"], "width": 2}},
            meta=found.evidence.basis.value,
            customdata=[f"{style.letters(names[at])}: {words}" for at, words in zip(order, told, strict=True)],
            hovertemplate="%{customdata}<extra>exact probability</extra>",
        )
    )
    ends = chance
    if drawn is not None:
        share, low, high = (each[order] for each in (drawn.share, drawn.low, drawn.high))
        name = f"share of {drawn.draws:,} draws of the noisy maximum"
        drawing.add(style.estimate(share, places, low, high, name, along="x", mode="markers"))
        ends = np.maximum(chance, high)
    most = next(end for end in (0.1, 0.25, 0.5, 1.0) if end >= ends.max())
    values = {"mode": "text", "text": told, "textposition": "middle right", "hoverinfo": "skip", "showlegend": False}
    drawing.add(style.legend_only("") | values | {"x": ends + 0.02 * most, "y": places, "cliponaxis": False})
    drawing.set_x(range=[0.0, 1.2 * most], tickformat=".0%", tickvals=[most * step / 5 for step in range(6)])
    return drawing


def choice_table(found: Choice, names: Sequence[str], *, drawn: DrawnChoices | None = None) -> pd.DataFrame:
    """Return one row for each candidate: its utility, its exact probability, and the share of the draws with its interval."""
    import pandas as pd

    table = pd.DataFrame({"candidate": names, "utility": found.utilities, "probability": found.probabilities})
    if drawn is None:
        return table
    return table.assign(drawn=drawn.share, lower=drawn.low, upper=drawn.high)


def _short(name: str) -> str:
    return style.letters(name if len(name) <= _LONGEST else name[: _LONGEST - 1] + "…")
