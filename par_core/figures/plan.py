"""The picture of a plan."""

from __future__ import annotations

from collections.abc import Sequence

from par_core.evidence import PROVEN
from par_core.figures import style, theme
from par_core.figures.drawing import Drawing
from par_core.rounding import amount


def shares(names: Sequence[str], levels: Sequence[float], errors: Sequence[str], *, epsilon0: float) -> Drawing:
    """Draw the part of epsilon0 that each release gets as a bar, with its `errors` in words."""
    drawing = Drawing(
        title=f"What each release gets of ε₀ = {amount(epsilon0, 4)}",
        x="Part of ε₀, each time",
        y="Planned releases",
    )
    places = style.set_rows(drawing, names, least=3)
    drawing.add(
        style.bars(
            levels,
            places,
            "part of ε₀",
            orientation="h",
            width=0.62,
            text=list(errors),
            customdata=[f"{amount(level, 4)} of ε₀, {error}" for level, error in zip(levels, errors, strict=True)],
            hovertemplate="%{y}: %{customdata}<extra></extra>",
            textposition="outside",
            textfont={"color": theme.LIGHT["text"], "size": 13},
            cliponaxis=False,
            marker={"color": theme.LIGHT["exact"]},
            meta=PROVEN.value,
        )
    )
    drawing.set_x(range=[0, 1.35 * max(levels)], exponentformat="power")
    drawing.layout["showlegend"] = False
    return drawing
