"""The figure that both small apps draw: one curve in the house look, whose title tells which value it was drawn for."""

import numpy as np
import plotly.graph_objects as go

from par_core.figures import style

X = np.linspace(0.0, 5.0, 100)


def decay(rate: float) -> go.Figure:
    """Return an exponential of `rate`."""
    figure = style.figure(title=f"Decay with rate {rate:g}", x="Time (s)", y="Share left")
    figure.add_trace(style.exact(X, np.exp(-rate * X), "share left"))
    return figure
