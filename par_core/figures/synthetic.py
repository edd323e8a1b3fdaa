"""The figure of counts without a file: made-up counts and one release of them go in, a `Drawing` comes out."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from par_core.evidence import ESTIMATE, PROVEN
from par_core.figures import style, theme
from par_core.figures.drawing import Drawing
from par_core.release import SyntheticRelease
from par_core.rounding import amount, error

if TYPE_CHECKING:
    import pandas as pd

MOST_DRAWN = 40  # cells: so many bars can be told apart on a phone
_FEW = 20


def synthetic(found: SyntheticRelease) -> Drawing:
    """Draw the counts as one release publishes them, with the range that 95 of 100 stay within, and the made-up ones as stairs.

    Of more than 40 cells 40 are drawn, evenly spread over all ranks; a line shows how large an empty cell may come out.
    """
    places = np.unique(np.linspace(0, found.cells - 1, min(found.cells, MOST_DRAWN)).round().astype(int))
    part = f" ({places.size} of {found.cells:,} drawn)" if places.size < found.cells else ""
    off = f"±{error(found.each)}" if found.each else "exact"
    drawing = Drawing(
        title=f"Made-up counts, noise for ε₀ = {amount(found.epsilon0, 4)}: {off}",
        x=f"Cells, the largest first{part}",
        y="Number of rows in a cell",
    )
    step = (found.cells - 1) / max(places.size - 1, 1) or 1.0
    rank, noisy, ends = places + 1, found.noisy[places], np.full(places.size, found.each)
    drawing.add(
        style.bars(
            rank,
            noisy,
            "as published, with its range",
            width=0.76 * step,
            marker={"color": theme.LIGHT["grid"], "line": {"width": 0}},
            error_y={"type": "data", "symmetric": False, "array": ends, "arrayminus": ends}
            | {"color": theme.LIGHT["exact"], "thickness": 1.6, "width": 3 if places.size <= _FEW else 0},
            meta=ESTIMATE.value,
            customdata=found.counts[places],
            hovertemplate="cell %{x}: %{y:,.6~g}, made up from %{customdata:,}<extra>as published</extra>",
        )
    )
    edges = (rank[:, None] + np.array([-0.5, 0.5]) * step).ravel()
    made = style.reference(edges, np.repeat(found.counts[places], 2), "made-up exact count", role="text", width=1.6)
    del made["hovertemplate"]  # a bar tells both numbers
    drawing.add(made | {"hoverinfo": "skip"})
    across = np.array([1 - 0.6 * step, found.cells + 0.6 * step])
    drawing.add(
        style.reference(across, np.full(2, found.each), "an empty cell, at most in 95 of 100", role="accent", width=1.6)
    )
    drawing.set_x(range=across.tolist(), showgrid=False, **({"dtick": 1} if found.cells <= _FEW else {}))
    return drawing


def synthetic_table(found: SyntheticRelease) -> pd.DataFrame:
    """Return a row for each cell: its made-up count, what is published of it, and the range of that."""
    import pandas as pd

    return pd.DataFrame(
        {
            "cell": np.arange(1, found.cells + 1),
            "made-up exact count": found.counts,
            "as published": found.noisy,
            "lower": found.noisy - found.each,
            "upper": found.noisy + found.each,
            "standing of the range": PROVEN.value,
        }
    )
