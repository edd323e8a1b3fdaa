"""The picture of a label for everybody: 100 guesses about one person, as squares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from par_core.decision import Odds
from par_core.figures import theme
from par_core.figures.decide import squares
from par_core.figures.drawing import Drawing

if TYPE_CHECKING:
    import pandas as pd

_ROWS = 5  # of squares: the picture is low, and half of its width is half of the guesses
_BY_CHANCE = 50
_HEIGHT = 250  # pixels: squares that fill a phone leave more of them empty


def guesses(right: int) -> Drawing:
    """Draw 100 guesses from left to right: those that a coin gets right, those that are `right` beyond, and those that are wrong."""
    drawing = Drawing(title="Of 100 guesses about one person", x="Right guesses of 100 (upper limit)", y="Guesses")
    places = [(at // _ROWS, _ROWS - 1 - at % _ROWS) for at in range(100)]
    drawing.add(
        squares(places[:_BY_CHANCE], "right by chance, like a coin", theme.LIGHT["muted"]),
        squares(places[_BY_CHANCE:right], "right because of what is published", theme.LIGHT["exact"]),
        squares(places[right:], "wrong", theme.LIGHT["grid"]),
    )
    drawing.set_x(
        tickvals=[_BY_CHANCE / _ROWS - 0.5, right / _ROWS - 0.5],
        ticktext=["50", f"<b>{right}</b>"] if right >= _BY_CHANCE + 10 else ["", f"<b>{right}</b>"],
        range=[-0.7, 100 / _ROWS - 0.3],
        showgrid=False,
        constrain="domain",
    )
    drawing.set_y(
        range=[-0.7, _ROWS - 0.3], showticklabels=False, ticks="", showgrid=False, scaleanchor="x", constrain="domain"
    )
    for axis in ("xaxis", "yaxis"):
        drawing.layout[axis]["showline"] = False
    drawing.layout["title"] |= {"xref": "container", "x": 0.01}
    drawing.layout.update(height=_HEIGHT, legend={"y": -78 / (_HEIGHT - 104)})
    return drawing


def guesses_table(found: Odds, right: int) -> pd.DataFrame:
    """Return how many of 100 guesses are right, by chance and at most, with the exact share and its basis."""
    import pandas as pd

    return pd.DataFrame(
        {
            "guesses": ["right by chance", "right at most"],
            "of 100": [_BY_CHANCE, right],
            "share": [0.5, found.if_in],
            "releases": found.releases,
            "standing": found.evidence.basis.value,
            "source": found.source,
        }
    )
