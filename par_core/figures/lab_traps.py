"""The pictures of the traps of the mechanism lab: a result goes in, a `Drawing` comes out."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from par_core.evidence import PROVEN
from par_core.figures import labels, style, theme
from par_core.figures.drawing import Drawing, Trace
from par_core.lab.clamping import ClampedNoise, InventedPeople
from par_core.lab.float_noise import FloatNoise
from par_core.lab.private_average import PrivateScale
from par_core.lab.published_records import PublishedRecords
from par_core.rounding import amount, percent

_WIDE = 0.4  # of a bar


def published_records(curves: PublishedRecords, *, own: PublishedRecords) -> Drawing:
    """Draw the chance that somebody's whole record is published against δ·n, for two mechanisms."""
    drawing = Drawing(
        title=f"Somebody's whole record is published, {own.people:,} people",
        x="Number of records published, δ·n (log)",
        y="Probability that it happens",
    )
    drawing.add(style.exact(curves.expected, curves.one_at_most, "one record at random, with probability δ·n"))
    drawing.add(style.exact(curves.expected, curves.each_alone, "each record with probability δ", which=1))
    text = percent(own.each_alone, toward="up")
    drawing.add(
        style.setting(own.expected, own.each_alone, text, name=f"δ·n = {amount(own.expected)}", side="bottom right")
    )
    drawing.set_x(**_powers_of_ten(curves.expected))
    drawing.set_y(range=[-0.02, 1.06])
    style.as_percentages(drawing, y="up")
    labels.place(drawing)
    return drawing


def invented_people(curves: InventedPeople, *, own: InventedPeople) -> Drawing:
    """Draw how many people appear in empty cells against ε."""
    drawing = Drawing(
        title=f"People who appear in {own.cells:,} empty cells once negative counts are set to 0",
        x="Privacy level ε (log scale)",
        y="Number of people, on average (log scale)",
    )
    drawing.add(style.exact(curves.epsilon, curves.invented, "discrete Laplace noise"))
    drawing.add(style.exact(curves.epsilon, curves.by_laplace, "Laplace noise", which=1))
    drawing.add(style.reference(curves.epsilon, curves.deviation, "standard deviation of the total, nothing set to 0"))
    text = f"{amount(own.invented, toward='up')} people"
    drawing.add(style.setting(own.epsilon, own.invented, text))
    drawing.set_x(**_powers_of_ten(curves.epsilon))
    drawing.set_y(**style.log_axis(float(curves.invented[-1]), float(curves.by_laplace[0]), room=(0.2, 0.2)))
    labels.place(drawing)
    return drawing


def clamped_noise(found: ClampedNoise) -> Drawing:
    """Draw the probability of each output of two tables; what only one of them can publish is hatched."""
    drawing = Drawing(
        title=f"Noise cut off at ±{found.bound}, ε = {amount(found.epsilon, 4)}: what two tables publish",
        x="Published count (unit: people)",
        y="Probability (log scale)",
    )
    both = (found.of_zero > 0) & (found.of_one > 0)
    for name, role, mass, offset in (
        ("exact answer 0", "exact", found.of_zero, -_WIDE),
        ("exact answer 1", "muted", found.of_one, 0.0),
    ):
        drawing.add(_bars(found.output[both], mass[both], name, offset=offset, marker={"color": theme.LIGHT[role]}))
    pattern = {
        "shape": "/",
        "fillmode": "overlay",
        "fgcolor": theme.LIGHT["invalid"],
        "size": 7,
        "solidity": 0.3,
        "fgopacity": 1,
    }
    look = {
        "color": theme.LIGHT["background"],
        "line": {"color": theme.LIGHT["invalid"], "width": 1.4},
        "pattern": pattern,
    }
    impossible = np.array([found.impossible] * 2)
    drawing.add(
        _bars(found.output[[0, -1]], impossible, "possible from one table only", offset=[-_WIDE, 0.0], marker=look)
    )
    most = float(found.of_zero.max())
    low = max(found.impossible, 1e-12 * most)
    drawing.set_y(**style.log_axis(low, 1.0, room=(0.8, 0.1)))
    drawing.set_x(range=[-found.bound - 0.8, found.bound + 1.8])
    drawing.layout["barmode"] = "overlay"
    return drawing


def float_noise(found: FloatNoise) -> Drawing:
    """Draw which of some neighbouring floating-point numbers can come out of which table."""
    drawing = Drawing(
        title=f"Which table publishes what? {found.bits} bits, ε = {amount(found.epsilon, 4)}",
        x="Published number (in units of the sensitivity)",
        y="Exact answer (same unit)",
    )
    both, neither = found.from_zero & found.from_one, ~(found.from_zero | found.from_one)
    only_zero, only_one = found.from_zero & ~both, found.from_one & ~both
    drawing.add(
        _dots(found, (both, both), "from both", role="exact", symbol="circle"),
        _dots(found, (only_zero, only_one), "from one table only: it gives the table away", role="invalid", symbol="x"),
        _dots(
            found,
            (only_one | neither, only_zero | neither),
            "never from this table",
            role="muted",
            symbol="circle-open",
        ),
    )
    drawing.set_y(range=[-0.6, 1.6], tickvals=[0, 1], ticktext=["0", "1"], showgrid=False)
    drawing.layout |= {"height": 360, "legend": {"y": -0.32}}
    return drawing


def private_scale(found: PrivateScale) -> Drawing:
    """Draw the loss against the published average; beyond ±ε the promise is broken."""
    drawing = Drawing(
        title=f"Loss of an average of {found.people:,} with noise for a private count, ε = {amount(found.epsilon, 4)}",
        x="Published average (values from 0 to 1, in their unit)",
        y="Privacy loss (compare: privacy level ε)",
    )
    drawing.add(style.exact(found.output, found.loss, "loss"))
    ends = found.output[[0, -1]]
    for side, name in ((1, f"promised: at most ε = {amount(found.epsilon, 4)} in size"), (-1, "promised, below")):
        drawing.add(style.reference(ends, np.full(2, side * found.epsilon), name) | {"showlegend": side > 0})
    text = f"{percent(found.exceeds, toward='up')} of releases"
    drawing.add(style.setting(found.crossings[0], found.epsilon, text, name="how often the loss lies outside"))
    labels.place(drawing)
    return drawing


def _powers_of_ten(values: NDArray[np.float64]) -> dict[str, Any]:
    """Return a logarithmic axis over rising values with a tick at each power of ten: on a phone there is no room for more."""
    axis = style.log_axis(float(values[0]), float(values[-1]), room=(0.02, 0.02))
    return axis | {each: axis[each][::3] for each in ("tickvals", "ticktext")}


def _bars(x: NDArray[Any], y: NDArray[np.float64], name: str, **look: Any) -> Trace:
    hover = "%{x}: %{y:.3g}<extra>" + name + "</extra>"
    return style.bars(x, y, name, width=_WIDE, meta=PROVEN.value, hovertemplate=hover, **look)


def _dots(
    found: FloatNoise, chosen: tuple[NDArray[np.bool_], NDArray[np.bool_]], name: str, *, role: str, symbol: str
) -> Trace:
    x = np.concatenate([found.numbers[each] for each in chosen])
    y = np.concatenate([np.full(each.sum(), float(table)) for table, each in enumerate(chosen)])
    marker = {"color": theme.LIGHT[role], "size": 7, "symbol": symbol}
    return style.exact(x, y, name) | {"mode": "markers", "marker": marker}
