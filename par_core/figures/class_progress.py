"""How far a class is: of each question of the quiz how many were right, and how many tried so far."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from par_core.figures import style, theme
from par_core.figures.drawing import Drawing


def progress(joined: int, tried: Sequence[int], right: Sequence[int]) -> Drawing:
    """Draw a bar for each question, as high as the class is large: right answers below, then tries, then who has not begun."""
    drawing = Drawing(title="How far the class is", x="Question", y="Students (number)")
    numbers = list(range(1, len(right) + 1))
    rest = [joined - right_one - tried_one for right_one, tried_one in zip(right, tried, strict=True)]
    looks: tuple[tuple[str, Sequence[int], dict[str, Any]], ...] = (
        ("right", right, {"color": theme.LIGHT["exact"]}),
        (
            "tried",
            tried,
            {
                "color": theme.LIGHT["published"],
                "pattern": {"shape": "/", "fillmode": "replace", "size": 9, "solidity": 0.4},
            },
        ),
        ("not begun", rest, {"color": theme.LIGHT["grid"]}),
    )
    for name, heights, look in looks:
        hover = f"question %{{x}}: %{{y}} {name}<extra></extra>"
        drawing.add(style.bars(numbers, heights, name, marker=look, meta="counted", hovertemplate=hover))
    drawing.set_x(dtick=1)
    drawing.set_y(range=[0, max(joined, 1)], **({"dtick": 1} if joined < 6 else {}))
    drawing.layout.update(barmode="stack", height=360)
    return drawing
