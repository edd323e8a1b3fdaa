"""The colours of figures and the template of Plotly with the house look.

Figures are always painted in the light colours. The browser exchanges each of them for the colour of the same role in the
theme that the reader chose (`.streamlit/config.toml` holds both lists).
"""

from __future__ import annotations

from typing import Any

ROLES = (
    "exact",
    "published",
    "estimate",
    "invalid",
    "accent",
    "published_1",
    "published_2",
    "published_3",
    "published_4",
    "muted",
    "grid",
    "text",
    "background",
    "surface",
)
_LIGHT = """#14283c #b26a00 #0d7a6b #b3261e #1d5d8c #6f4200 #c67f12
            #8a5a12 #5a3300 #7a8794 #d5dce3 #1c2733 #ffffff #f3f5f7"""
_DARK = """#f4f7fa #f0a93b #4fc9b4 #ff8f85 #7fb8e6 #c98a2b #ffd08a
           #a9762a #ffe3b8 #93a1ae #313c47 #e8edf2 #11171d #1b232b"""
LIGHT = dict(zip(ROLES, _LIGHT.split(), strict=True))
DARK = dict(zip(ROLES, _DARK.split(), strict=True))

_AXIS = {
    "title": {"font": {"size": 14}},
    "gridcolor": LIGHT["grid"],
    "linecolor": LIGHT["muted"],
    "zeroline": False,
    "ticks": "outside",
    "tickcolor": LIGHT["muted"],
    "showline": True,
    "automargin": True,
    "exponentformat": "power",  # and no letter for a power of ten: a nurse does not read “200n”
    "minexponent": 5,
    "separatethousands": True,
}
TEMPLATE: dict[str, Any] = {
    "layout": {
        "font": {"family": "Source Sans, Source Sans Pro, system-ui, sans-serif", "size": 14, "color": LIGHT["text"]},
        "title": {"x": 0, "xref": "paper", "xanchor": "left", "y": 0.98, "yref": "container", "yanchor": "top"}
        | {"font": {"size": 16}},
        "paper_bgcolor": LIGHT["background"],
        "plot_bgcolor": LIGHT["background"],
        "margin": {"l": 64, "r": 24, "t": 48, "b": 56},
        "height": 460,
        "colorway": [LIGHT[role] for role in ROLES[:9]],
        "legend": {"orientation": "h", "x": 0, "xanchor": "left", "y": -0.21, "yanchor": "top", "font": {"size": 13}},
        "modebar": {"bgcolor": LIGHT["surface"], "color": LIGHT["muted"], "activecolor": LIGHT["accent"]},
        "hovermode": "closest",
        "hoverlabel": {"bgcolor": LIGHT["surface"], "font": {"color": LIGHT["text"]}, "bordercolor": LIGHT["grid"]},
        "xaxis": _AXIS,
        "yaxis": _AXIS,
    }
}
"""The house look of every picture: it can be written as JSON, and the browser needs it once."""
