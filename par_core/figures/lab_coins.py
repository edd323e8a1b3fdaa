"""The figures of the toy "Coins": one survey, and how far off surveys of any size are."""

from __future__ import annotations

import numpy as np

from par_core.figures import labels, style
from par_core.figures.drawing import Drawing, Trace
from par_core.lab.coins import DrawnSurvey, Survey, SurveyErrors
from par_core.rounding import amount, error, percent


def survey(found: Survey, *, drawn: DrawnSurvey | None = None) -> Drawing:
    """Draw what people say and what it tells; of a drawn survey also the truth, and what a trusted curator publishes."""
    drawing = Drawing(
        title=f"{found.said:,} of {found.people:,} say yes, with coins for ε = {amount(found.epsilon, 4)}",
        x="Share of “yes”",
        y="Told of the share",
    )
    names = ["Said yes", "Estimate"] if drawn is None else ["Said yes", "Estimate", "Trusted<br>curator", "Truth"]
    said, estimated, *others = style.set_rows(drawing, names, least=3).tolist()
    if drawn is not None:
        curator, truth = others
        ends = max(drawn.curator - drawn.curator_off, 0.0), min(drawn.curator + drawn.curator_off, 1.0)
        drawing.add(
            style.reference([drawn.true] * 2, [truth, said + 0.4], "the truth"),
            _estimate(drawn.curator, ends, curator, "published by a trusted curator", which=1),
            style.setting(drawn.true, truth, percent(drawn.true), name="true share"),
        )
    share = found.said / found.people
    drawing.add(
        _told(style.exact([share], [said], "share who said yes"), share),
        _estimate(found.share, (found.low, found.high), estimated, "estimated from the answers"),
    )
    drawing.set_x(range=[-0.1, 1.1], tickvals=[0.0, 0.2, 0.4, 0.6, 0.8, 1.0])
    style.as_percentages(drawing, x="near")
    labels.place(drawing)
    drawing.data = [trace | {"showlegend": False} for trace in drawing.data]  # each row bears its name
    return drawing


def _told(trace: Trace, share: float) -> Trace:
    """Return a point with its share written above it."""
    marker = {"size": 11, "color": trace["line"]["color"]} | trace.get("marker", {})
    text = {"text": [percent(share)], "textposition": "top right", "textfont": {"size": 13}, "cliponaxis": False}
    return trace | {"mode": "markers+text", "marker": marker} | text


def _estimate(share: float, ends: tuple[float, float], row: int, name: str, *, which: int = 0) -> Trace:
    return _told(style.estimate([share], [row], *ends, name, which=which, along="x"), share)


def errors(found: SurveyErrors) -> Drawing:
    """Draw by how much 95 of 100 surveys are off at most, against the number of people, without and with a trusted curator."""
    own = int(found.people[found.own])
    drawing = Drawing(
        title=f"How far off 95 of 100 surveys are at most, ε = {amount(found.epsilon, 4)}",
        x="Number of people asked (log scale)",
        y="Error of the share (unit: percentage points, log scale)",
    )
    local, curator = (
        style.exact(found.people, errors, name, which=which)
        for which, errors, name in ((0, found.local, "coins"), (2, found.curator, "trusted curator"))
    )
    bound = style.exact(found.people, found.bound, "coins, lecture's bound", which=1)
    drawing.add(bound, local, curator)
    for curve, told, legend in ((found.local, found.own_local, True), (found.curator, found.own_curator, False)):
        text = f"{error(told)} points"
        drawing.add(style.setting(own, float(curve[found.own]), text, name=f"{own:,} asked", legend=legend))
    least = float(np.min(found.curator))
    drawing.set_x(**style.log_axis(1.0, 1e6, room=(0.05, 0.05)))
    drawing.set_y(**style.log_axis(least, 100.0, room=(0.2, 0.35)))
    labels.place(drawing)
    labels.name_curves(drawing, [(each, each["name"]) for each in (curator, local, bound)])
    return drawing
