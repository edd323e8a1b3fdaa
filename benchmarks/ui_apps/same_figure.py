"""The figure that both small apps draw: one curve in the house look, whose title tells which value it was drawn for."""

import numpy as np

from par_core.figures import style
from par_core.figures.drawing import Drawing

X = np.linspace(0.0, 5.0, 100)


def decay(rate: float) -> Drawing:
    """Return an exponential of `rate`."""
    drawing = Drawing(title=f"Decay with rate {rate:g}", x="Time (s)", y="Share left")
    drawing.add(style.exact(X, np.exp(-rate * X), "share left"))
    return drawing
