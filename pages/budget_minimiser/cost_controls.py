"""What a breach costs, as the reader sets it: the kind of model and its numbers."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.shared import controls, packed_settings, settings
from pages.shared.packed_settings import Rows
from pages.shared.packed_settings import rows as rows_of
from pages.shared.rows_field import rows_field
from pages.shared.settings import PLAN, SEEN, Setting, planned, scenario_settings
from par_core.cost import PiecewiseLinear
from par_core.questions.budget_minimiser.breach import KINDS, NAMES, Breach
from par_core.questions.glossary import explain
from par_core.scenario import FIELDS as SCENARIO
from par_core.scenario import Scenario

KIND = settings.choice("model", NAMES["kind"], tuple(KINDS))
RATE = settings.number("rate", NAMES["rate"], Breach.rate, at_least=1e-3, at_most=1e3)
MINIMUM = settings.number("min", NAMES["minimum"], Breach.minimum, at_least=0, at_most=1e12)
CAPPED = settings.switch("cap", NAMES["capped"])
FINE = settings.number("fine", NAMES["fine"], Breach.fine, at_least=0, at_most=1e15)
FINE_RATE = settings.number("frate", NAMES["fine_rate"], Breach.fine_rate, at_least=0, at_most=1e3)
POINTS = rows_of(
    "pts",
    NAMES["points"],
    Breach.points,
    most=40,
    check=lambda points: PiecewiseLinear(tuple((level, cash) for level, cash in points)),
)

FIELDS: dict[str, Setting[Any]] = {
    "kind": KIND,
    "rate": RATE,
    "minimum": MINIMUM,
    "capped": CAPPED,
    "fine": FINE,
    "fine_rate": FINE_RATE,
    "points": POINTS,
}
"""The settings behind the fields of a question about a breach."""
# Everything that a budget depends on: the scenario and the model.
ALL: tuple[Setting[Any], ...] = (*scenario_settings(), *FIELDS.values())


def _table(points: Rows) -> PiecewiseLinear:
    return PiecewiseLinear(tuple((level, cash) for level, cash in points))


def draw() -> dict[str, Any]:
    """Draw the kind of model and the numbers that it needs beside the scenario; returns all fields."""
    kind = controls.choice(KIND, hint=explain("cost_model"), words=KINDS.__getitem__)
    if kind == "table":
        rows_field(POINTS, hint=explain("points"), lines="Each line: ε, then the money in all.")
        return held()
    if kind == "fine":
        controls.number(FINE, hint=explain("fine"), step=1000.0)
        controls.number(FINE_RATE, hint=explain("fine_rate"), step=0.1)
    controls.number(RATE, hint=explain("rate"), step=0.1)
    if kind == "head" and controls.number(MINIMUM, hint=explain("minimum"), step=100.0) > 0:
        controls.switch(CAPPED, hint=explain("capped"))
    st.caption("Further amounts: sidebar, Money.")
    return held()


def held() -> dict[str, Any]:
    """Return all fields as they stand, and what the rest of a plan spends."""
    return costs_of(packed_settings.present(ALL))


def costs_of(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a `Breach` from values of `ALL` by key; `beside` is what the other releases of a plan lose at most, or 0."""
    beside = float(getattr(scenarios_of(values)[1], "beside", 0.0))
    return {name: values[setting.key] for name, setting in FIELDS.items()} | {"beside": beside}


def scenarios_of(values: Mapping[str, Any]) -> tuple[Scenario, Scenario]:
    """Return the scenario of one release, and that of the plan, if there is one."""
    single = Scenario(**{field.name: values[field.key] for field in SCENARIO})
    return single, planned(single, values[PLAN.key], values[SEEN.key])
