"""Levels and shares to draw, often at the ends of what floats can be."""

from __future__ import annotations

import math
import random

import numpy as np

ENDS = (
    *(5e-324, 1e-308, 1e-300, 1e-200, 1e-17, 1e-8, 0.5, 1.0),
    *(36.7, 700.0, 709.8, 745.2, 1e6, 1e16, 1e154, 1e300, 1.7e308),
)
SHARES = (5e-324, 1e-300, 1e-17, 1e-12, 1e-5, 0.25, 0.5, 0.75, 1 - 1e-5, 1 - 1e-12, 1 - 2**-53)


def level(draw: random.Random) -> float:
    return draw.choice((draw.choice(ENDS), math.exp(draw.uniform(-20, 7)), math.exp(draw.uniform(-700, 700))))


def share(draw: random.Random) -> float:
    return draw.choice(
        (draw.choice(SHARES), draw.random(), 10 ** draw.uniform(-300, 0), 1 - 10 ** draw.uniform(-16, 0))
    )


def below(draw: random.Random, top: float) -> float:
    """A level up to another: next to it, next to 0, or between."""
    part = draw.choice((0.0, 1.0, 0.5, draw.random(), 10 ** draw.uniform(-300, 0), 1 - 10 ** draw.uniform(-16, 0)))
    return draw.choice((part * top, np.nextafter(top, 0.0).item(), np.nextafter(top, math.inf).item()))
