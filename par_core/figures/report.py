"""The figures that stand in a report alone: what is published of made-up numbers, and what all releases spend."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from par_core.composition import ExactComposition
from par_core.evidence import ESTIMATE
from par_core.figures import style, theme
from par_core.figures.drawing import Drawing
from par_core.figures.quantities import format_quantity
from par_core.release.synthetic_numbers import SyntheticNumbers


def synthetic_numbers(found: SyntheticNumbers) -> Drawing:
    """Draw the made-up numbers as dashes, and as bars what one release publishes of them, with the range of 95 in 100 around."""
    drawing = Drawing(
        title="Made-up numbers as published", x="Made-up numbers, from the largest to the smallest", y="Made-up number"
    )
    rank, off = np.arange(1, len(found.exact) + 1), np.full(len(found.exact), found.error)
    drawing.add(
        style.bars(
            rank,
            found.published,
            "as published, with its range of 95 in 100",
            width=0.7,
            marker={"color": theme.LIGHT["grid"]},
            error_y={"type": "data", "symmetric": False, "array": off, "arrayminus": off}
            | {"color": theme.LIGHT["exact"], "thickness": 1.6, "width": 3},
            meta=ESTIMATE.value,
        )
    )
    exact = style.reference(rank, found.exact, "exact (made up)", role="published")
    marker = {"symbol": "line-ew-open", "size": 16, "color": theme.LIGHT["published"], "line": {"width": 2}}
    drawing.add(exact | {"mode": "markers", "marker": marker})
    drawing.set_x(range=[0.4, len(found.exact) + 0.6], showgrid=False, dtick=1)
    return drawing


def spent(
    releases: Sequence[int] | NDArray[np.int64],
    exact: ExactComposition,
    basic: Sequence[float],
    *,
    planned: int,
    wished: float | None,
) -> Drawing:
    """Draw what the first releases spend together, against basic composition and, if there is one, the total that is wished.

    `planned` is the place of the number of releases that are planned.
    """
    drawing = Drawing(
        title="Privacy spent, release by release", x="Releases so far", y="Privacy spent, ε of all together"
    )
    # Before the first release nothing is spent.
    numbers, upper = np.append(0, releases), np.append(0.0, exact.upper)
    added = style.exact(numbers, np.append(0.0, basic), "basic composition", which=3)
    drawing.add(added | {"line": added["line"] | {"width": 1.4, "dash": "dash"}})
    drawing.add(style.exact(numbers, upper, f"all together, {'at most' if exact.is_bound else 'exactly'}"))
    if wished is not None:
        drawing.add(style.reference(numbers[[0, -1]], [wished] * 2, "your wish", role="accent", width=1.8))
    number, at = releases[planned], exact.quantity("upper", planned)
    name = f"your plan: {number:,} release{'s' * (number > 1)}, ε = {format_quantity(at)}"
    drawing.add(style.setting(number, at.value, "", name=name))
    most = 1.08 * float(np.max(upper)) or 1.0  # with a large δ nothing may be spent
    drawing.set_y(range=[0, max(most, min(1.08 * max(float(max(basic)), wished or 0.0), 2 * most))])
    drawing.set_x(range=[0, float(numbers[-1])], tickformat=",d")
    return drawing
