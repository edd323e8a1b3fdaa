"""The section "Decide": the levels that meet each wish, the decision where all do, or the two wishes that collide."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache, partial

import streamlit as st

from pages.decide import wish_fields
from pages.shared import controls
from pages.shared.chart import chart
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.release import is_possible
from pages.shared.say import as_told, paragraph, told
from pages.shared.settings import present_scenario, scenario_setting
from pages.shared.words import as_sentence, level0
from par_core.datasets import deployments as others
from par_core.decision import Decision, Wish, decide
from par_core.errors import InfeasibleError, ParameterError
from par_core.figures import decide as figures
from par_core.figures.drawing import Drawing
from par_core.rounding import small
from par_core.scenario import Scenario


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        wish_fields.draw()
    with main:
        if not is_possible():
            return
        try:
            found, wishes = _found()
        except (ParameterError, InfeasibleError) as error:
            st.warning(as_sentence(str(error)))
            return
        scenario = present_scenario()
        st.markdown(_headline())
        _sentence(found, wishes, scenario)
        chart(
            _figure,
            "decision",
            dials=(scenario_setting("epsilon0"), *wish_fields.dials()),
            headline=_headline,
            alt="For each wish the levels ε₀ that meet it, your ε₀ = {own:g} as a line, and what {number} deployments report. {answer}.",
            own=scenario.epsilon0,
            number=len(others.deployments()),
            answer=_headline().removeprefix("#### "),
            table=partial(
                figures.decision_table,
                found,
                wishes,
                deployments=others.deployments(),
                delta=scenario.delta,
                currency=scenario.currency,
            ),
            notes={"source": others.SOURCE, "limits": others.NOTE},
        )
        _take(found)
        _about(found, scenario)


def _found() -> tuple[Decision, tuple[Wish, ...]]:
    wishes = wish_fields.chosen()
    return _decided(wishes, replace(present_scenario(), epsilon0=Scenario.epsilon0)), wishes


@lru_cache(maxsize=512)
def _decided(wishes: tuple[Wish, ...], scenario: Scenario) -> Decision:
    """Return the decision, which is the same whatever level the scenario has."""
    return decide(wishes, scenario)


def _figure() -> Drawing:
    found, wishes = _found()
    scenario = present_scenario()
    return figures.decision(
        found,
        wishes,
        epsilon0=scenario.epsilon0,
        deployments=others.deployments(),
        delta=scenario.delta,
        currency=scenario.currency,
    )


def _headline() -> str:
    found, wishes = _found()
    if not wishes:
        return "#### Switch on a wish: each one says which ε₀ will do"
    if found.collision is not None:
        names = _names(wishes)
        first, second = (names[key] for key in (found.collision.first_key, found.collision.second_key))
        return f"#### No ε₀ meets {'both' if len(wishes) == 2 else 'all'}: your {first} and your {second} collide"
    if not found.possible:
        never = next(each.key for each in found.bands if not each.possible)
        return f"#### No ε₀ meets this wish: {_names(wishes)[never]}"
    met = {1: "your wish is met", 2: "both wishes are met"}.get(len(wishes), f"all {len(wishes)} wishes are met")
    lowest, highest = any(not each.upper for each in wishes), any(each.upper for each in wishes)
    levels = "from {found.low} to {found.high}" if lowest and highest else "of at least {found.low}"
    return told(f"#### Take ε₀ {levels if lowest else 'of at most {found.high}'}: {met}", found=found)


def _names(wishes: tuple[Wish, ...]) -> dict[str, str]:
    return {each.key: figures.name_of(each) for each in wishes}


def _sentence(found: Decision, wishes: tuple[Wish, ...], scenario: Scenario) -> None:
    """Say how the present level stands to the wishes, or what the two that collide would have to give."""
    if not wishes:
        return
    if found.collision is not None:
        collision, by_key = found.collision, {each.key: each for each in wishes}
        pairs = ((collision.first_key, collision.first_would), (collision.second_key, collision.second_would))
        given = [
            f"{figures.name_of(by_key[key])} {figures.number_of(by_key[key], scenario.currency, value=would)} "
            f"instead of {figures.number_of(by_key[key], scenario.currency)}"
            for key, would in pairs
        ]
        paragraph("One would have to give: {given}.", given=", or ".join(given), standing_of=collision)
    elif found.possible:
        names = _names(wishes)
        missed = [f"your {names[key]}" for key in figures.missed(found, scenario.epsilon0)]
        at = level0(scenario.epsilon0)
        words = f"misses {' and '.join(missed[:2])}" if len(missed) < 3 else f"misses {len(missed)} of them"
        paragraph(f"Your scenario's {at} {words if missed else 'will do'}.", standing_of=found)


def _take(found: Decision) -> None:
    """Offer the most private and the most accurate level that meet every wish."""
    if not found.possible or not found.bands:
        return
    ends = [
        found.quantity(end)
        for end in ("low", "high")
        if controls.takes(scenario_setting("epsilon0"), getattr(found, end))
    ]
    for level in dict.fromkeys(as_told(each) for each in ends):
        # Rounded to the safe side both ends may leave a narrow decision: then there is nothing to take that can be said.
        if found.low <= level <= found.high:
            controls.offer_epsilon0(level)


def _about(found: Decision, scenario: Scenario) -> None:
    number = len(others.deployments())
    together = f"your {scenario.releases:,} planned releases together" if scenario.releases > 1 else "one release"
    st.markdown(
        f"What is given away is counted for {together}; errors are of one release.", help=explain("wish_together")
    )
    for band in found.bands:
        if band.prior is not None:
            paragraph("A belief of {band.prior} rises most: no other one meets the limit earlier.", band=band)
        elif band.rare is not None:
            paragraph("In {band.rare} of releases an attacker learns more: this noise has no largest loss.", band=band)
    st.caption(
        f"Ticks at the top: ε as {number} deployments report it (OpenDP deployments registry, not reviewed), each for its own unit of "
        f"privacy; ρ is turned into ε at δ\u00a0=\u00a0{small(scenario.delta)}."
    )
