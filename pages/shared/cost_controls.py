"""What a breach costs, as the reader sets it: the kind of model and its numbers, and the model that they make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.shared import controls, settings
from pages.shared.glossary import explain
from pages.shared.rows_field import rows_field
from pages.shared.settings import Setting, scenario_settings
from pages.shared.versioned import Rows
from pages.shared.versioned import rows as rows_of
from par_core.cost import CostModel, FixedPlusPerHead, PiecewiseLinear
from par_core.figures.money import money
from par_core.scenario import FIELDS, Scenario

MODEL = settings.choice("model", "What a breach costs", ("head", "fine", "table"))
RATE = settings.number("rate", "Rate", 1.0, at_least=1e-3, at_most=1e3)
MINIMUM = settings.number("min", "Minimum per person", 0.0, at_least=0, at_most=1e12)
CAPPED = settings.switch("cap", "Never above the compensation")
FINE = settings.number("fine", "Fine", 20_000.0, at_least=0, at_most=1e15)
FINE_RATE = settings.number("frate", "Rate of the fine", 0.0, at_least=0, at_most=1e3)
_EXAMPLE: Rows = ((0.1, 0.0), (0.25, 10_000.0), (0.5, 75_000.0), (1.0, 220_000.0), (2.0, 550_000.0))
POINTS = rows_of("pts", "Points of the table", _EXAMPLE, most=40, check=lambda points: _table(points))

OWN: tuple[Setting[Any], ...] = (MODEL, RATE, MINIMUM, CAPPED, FINE, FINE_RATE, POINTS)
# Everything that a budget depends on: the scenario and the model.
ALL: tuple[Setting[Any], ...] = (*scenario_settings(), *OWN)


def _table(points: Rows) -> PiecewiseLinear:
    return PiecewiseLinear(tuple((level, cash) for level, cash in points))


Model = CostModel | FixedPlusPerHead | PiecewiseLinear

_WORDS = {"head": "Per head", "fine": "With fine", "table": "Table"}


def draw() -> None:
    """Draw the kind of model and the numbers that it needs beside the scenario."""
    kind = controls.choice(MODEL, hint=explain("cost_model"), words=_WORDS.__getitem__)
    if kind == "table":
        rows_field(POINTS, hint=explain("points"), lines="Each line: ε, then the money in all.")
        return
    if kind == "fine":
        controls.number(FINE, hint=explain("fine"), step=1000.0)
        controls.number(FINE_RATE, hint=explain("fine_rate"), step=0.1)
    controls.number(RATE, hint=explain("rate"), step=0.1)
    if kind == "head":
        controls.number(MINIMUM, hint=explain("minimum"), step=100.0)
        if MINIMUM.value() > 0:
            controls.switch(CAPPED, hint=explain("capped"))
    st.caption("Compensation, stakeholders and currency stand in the sidebar under Money.")


def scenario_of(values: Mapping[str, Any]) -> Scenario:
    """Return the scenario among values by their keys."""
    return Scenario(**{field.name: values[field.key] for field in FIELDS})


def model_of(values: Mapping[str, Any]) -> Model:
    """Return the model that values by their keys make; ParameterError where they contradict each other."""
    scenario = scenario_of(values)
    kind = values[MODEL.key]
    if kind == "table":
        return _table(values[POINTS.key])
    if kind == "fine":
        return FixedPlusPerHead(
            values[FINE.key],
            scenario.compensation,
            stakeholders=scenario.stakeholders,
            rate=values[RATE.key],
            fixed_rate=values[FINE_RATE.key],
        )
    minimum = values[MINIMUM.key]
    return CostModel(
        scenario.compensation,
        stakeholders=scenario.stakeholders,
        rate=values[RATE.key],
        minimum=minimum,
        capped=values[CAPPED.key] and minimum > 0,
    )


def in_words(values: Mapping[str, Any]) -> str:
    """Return what a breach costs in a few words: who is paid what."""
    scenario = scenario_of(values)
    if values[MODEL.key] == "table":
        return f"a table of {len(values[POINTS.key])} points"
    people = f"{scenario.stakeholders:,} {'person' if scenario.stakeholders == 1 else 'people'}"
    heads = f"{people}, up to {money(scenario.compensation, scenario.currency)} each"
    if values[MODEL.key] == "fine":
        return f"a fine of {money(values[FINE.key], scenario.currency)}, and {heads}"
    if values[MINIMUM.key] > 0:
        heads += f", at least {money(values[MINIMUM.key], scenario.currency)}"
    return heads
