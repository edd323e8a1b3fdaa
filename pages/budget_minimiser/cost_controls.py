"""What a breach costs, as the reader sets it: the kind of model and its numbers, and the model that they make."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from pages.budget_minimiser.breach_money import next_to_nothing
from pages.shared import controls, settings
from pages.shared.packed_settings import Rows, present
from pages.shared.packed_settings import rows as rows_of
from pages.shared.rows_field import rows_field
from pages.shared.settings import Setting, scenario_settings
from pages.shared.words import letters, level
from par_core.cost import CostCurve, CostModel, FixedPlusPerHead, PiecewiseLinear
from par_core.errors import ParameterError
from par_core.figures.money import money
from par_core.questions.glossary import explain
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

# The kinds of model that take notice of a setting; of those that are not named here every kind does.
_ONLY_FOR = {
    RATE.key: ("head", "fine"),
    MINIMUM.key: ("head",),
    CAPPED.key: ("head",),
    FINE.key: ("fine",),
    FINE_RATE.key: ("fine",),
    POINTS.key: ("table",),
    **{field.key: ("head", "fine") for field in FIELDS if field.name in ("compensation", "stakeholders")},
}
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
    st.caption("Further amounts: sidebar, Money.")


def scenario_of(values: Mapping[str, Any]) -> Scenario:
    """Return the scenario among values by their keys."""
    return Scenario(**{field.name: values[field.key] for field in FIELDS})


def model_of(values: Mapping[str, Any]) -> Model:
    """Return the model that values by their keys make; ParameterError where they contradict each other."""
    scenario = scenario_of(values)
    kind = values[MODEL.key]
    if kind == "table":
        return _table(values[POINTS.key])
    head: dict[str, Any] = {"stakeholders": scenario.stakeholders, "rate": values[RATE.key]}
    if kind == "fine":
        return FixedPlusPerHead(values[FINE.key], scenario.compensation, fixed_rate=values[FINE_RATE.key], **head)
    minimum = values[MINIMUM.key]
    return CostModel(scenario.compensation, minimum=minimum, capped=values[CAPPED.key] and minimum > 0, **head)


def chosen_model() -> Model | None:
    """Return the cost model as the reader has set it, or say why there is none; a warning where it says next to nothing."""
    values = present(ALL)
    try:
        model = model_of(values)
    except ParameterError as error:
        st.error(f"This cost model contradicts itself: {letters(str(error))}.")
        return None
    scenario = scenario_of(values)
    if warning := next_to_nothing(model, scenario.epsilon0, scenario.currency):
        st.warning(warning)
    return model


def notes(own: CostCurve, scenario: Scenario) -> dict[str, str]:
    """Return what the head of the CSV says: the unrounded numbers of the reader's own ε₀, and the cost model."""
    head = {"cost model": f"{own.published_optimum.model.name}: {in_words(present(ALL))}"}
    for found in (own.published_optimum, own.exact_optimum):
        head[f"{found.truth} optimum at epsilon0 = {own.epsilon0!r}"] = (
            f"epsilon {found.epsilon!r}, confidence {found.confidence!r}, budget {found.budget!r}, baseline {found.baseline!r}, "
            f"saving {found.saving!r}, share saved {found.share_saved!r}, money in {scenario.currency}"
        )
        head[f"source, {found.truth}"] = found.source
        head[f"limits, {found.truth}"] = found.limits
    return head


def in_words(values: Mapping[str, Any]) -> str:
    """Return what a breach costs in a few words: who is paid what."""
    scenario = scenario_of(values)
    if values[MODEL.key] == "table":
        ends = [f"{money(cash, scenario.currency)} at {level(epsilon)}" for epsilon, cash in values[POINTS.key]]
        return f"a table of {len(ends)} points, from {ends[0]} to {ends[-1]}"
    people = f"{scenario.stakeholders:,} {'person' if scenario.stakeholders == 1 else 'people'}"
    heads = f"{people}, up to {money(scenario.compensation, scenario.currency)} each"
    if values[MODEL.key] == "fine":
        return f"a fine of {money(values[FINE.key], scenario.currency)}, and {heads}"
    if values[MINIMUM.key] == 0:
        return heads
    least = money(values[MINIMUM.key], scenario.currency)
    if values[CAPPED.key]:
        return f"{heads}, at least {least}"
    return f"{people}, {least} each and up to {money(scenario.compensation, scenario.currency)} more"


def written(setting: Setting[Any], values: Mapping[str, Any]) -> str:
    """Return a value among values by their keys as it reads in a table, and whether the cost model takes no notice of it."""
    uncapped = setting.key == CAPPED.key and values[MINIMUM.key] == 0
    if uncapped or values[MODEL.key] not in _ONLY_FOR.get(setting.key, _WORDS):
        return "not used"
    value = values[setting.key]
    if setting.key == MODEL.key:
        return _WORDS[value]
    if setting.key == POINTS.key:
        return "; ".join(f"{epsilon:.15g}, {cash:.15g}" for epsilon, cash in value)
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:,.15g}" if isinstance(value, (int, float)) else str(value)
