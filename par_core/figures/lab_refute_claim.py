"""The figure of "Refute a claim": a `Refutation` goes in, a `Drawing` comes out."""

from __future__ import annotations

import numpy as np

from par_core.audit.outputs import Refutation
from par_core.audit.outputs.betting import REFUTED_AT
from par_core.figures import labels, style
from par_core.figures.drawing import Drawing
from par_core.rounding import amount

_MOST_POINTS = 300
_LEAST = 1e-3  # of the wealth: what is less lies below the picture


def wealth(found: Refutation, *, claim: str) -> Drawing:
    """Draw the wealth of bets against a claim, which is given in words, after each pair, and the line at which it is refuted."""
    drawing = Drawing(
        title=f"Wealth of bets against {claim}",
        x="Number of pairs of outputs",
        y="Wealth (ratio to the first stake, log scale)",
    )
    pairs = np.arange(found.pairs + 1)
    worth = np.concatenate([[1.0], found.wealth])
    shown = np.unique(np.append(np.arange(0, found.pairs, 1 + found.pairs // _MOST_POINTS), found.pairs))
    end = 1.08 * found.pairs
    drawing.add(style.reference([0.0, end], [REFUTED_AT] * 2, "refuted at 20", role="accent", width=2.0))
    drawing.add(style.estimated_curve(pairs[shown], worth[shown], "wealth"))
    last = float(worth[-1])
    text = f"pair {found.refuted_after:,}" if found.refuted_after else amount(last, toward="down")
    drawing.add(
        style.setting(
            found.pairs, max(last, _LEAST), text, basis=found.evidence.basis, name="last pair", side="top left"
        )
    )
    low, high = max(min(float(worth.min()), 0.5), _LEAST), max(found.highest, REFUTED_AT)
    drawing.set_x(range=[0.0, end])
    drawing.set_y(**style.log_axis(low, high, room=(0.1, 0.3)))
    labels.place(drawing)
    return drawing
