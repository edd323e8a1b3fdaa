"""The section "Decide": the levels that meet each wish, the decision where all do, or the two wishes that collide."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import streamlit as st

from pages.decide import belief_table
from pages.shared import controls, present_decision, wish_fields
from pages.shared.chart import chart
from pages.shared.layout import chart_and_controls
from pages.shared.release import is_possible, offer_script
from pages.shared.say import as_told, paragraph
from pages.shared.settings import present_scenario, scenario_setting
from pages.shared.words import amount, as_sentence, level0
from par_core.datasets import deployments as others
from par_core.decision import LARGEST, SMALLEST, BeliefWish, Decision, ErrorWish, GroupWish, RiseWish
from par_core.errors import InfeasibleError, ParameterError
from par_core.figures import decide as figures
from par_core.figures import decision_words as words
from par_core.figures.drawing import Drawing
from par_core.questions.glossary import explain
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
            found = present_decision.found()
        except (ParameterError, InfeasibleError) as error:
            st.warning(as_sentence(str(error)))
            return
        scenario = present_scenario()
        st.markdown(_headline())
        _sentence(found, scenario)
        chart(
            _figure,
            "decision",
            dials=(scenario_setting("epsilon0"), *wish_fields.dials()),
            handle=scenario_setting("epsilon0"),
            headline=_headline,
            alt="For each wish the levels ε₀ that meet it, your ε₀ = {own:g} as a line, and what {number} deployments report. {answer}.",
            own=scenario.epsilon0,
            number=len(others.deployments()),
            answer=_headline().removeprefix("## "),
            table=partial(
                figures.decision_table,
                found,
                deployments=others.deployments(),
                delta=scenario.delta,
                currency=scenario.currency,
            ),
            notes={"source": others.SOURCE, "limits": others.NOTE},
        )
        _take(found)
        _about(found, scenario)


def _figure() -> Drawing:
    found, scenario = present_decision.found(), present_scenario()
    return figures.decision(
        found,
        epsilon0=scenario.epsilon0,
        deployments=others.deployments(),
        delta=scenario.delta,
        currency=scenario.currency,
    )


def _headline() -> str:
    found = present_decision.found()
    number = len(found.wishes)
    met = {1: "your wish is met", 2: "both wishes are met"}.get(number, f"all {number} wishes are met")
    return present_decision.headline(found, then=f"{met} there, and hardly elsewhere" if found.only else met)


def _sentence(found: Decision, scenario: Scenario) -> None:
    """Say how the present level stands to the wishes, or what the two that collide would have to give."""
    if not found.wishes:
        return
    if found.collision is not None:
        given = words.would_give(found, scenario.currency)
        paragraph("{given}.", given=given, standing_of=found.collision)
    elif not found.possible:
        never = next(each for each in found.bands if not each.possible)
        last = level0(SMALLEST) if never.high == 0 else f"{level0(LARGEST)}, the largest checked,"
        paragraph(f"Even {last} misses it.", standing_of=never)
    elif scenario.epsilon0 > LARGEST == found.high:
        st.markdown(f"Levels above {LARGEST:g}, such as your {amount(scenario.epsilon0, 4)}, are not checked.")
    elif not wish_fields.are_examples():
        missed = [f"your {words.name_of(each)}" for each in found.missed(scenario.epsilon0)]
        which = " and ".join(missed) if len(missed) < 3 else f"{len(missed)} of {len(found.wishes)}"
        own = f"ε₀\u00a0=\u00a0{words.own_level(scenario.epsilon0)}"
        paragraph(f"Your scenario's {own} {f'misses {which}' if missed else 'will do'}.", standing_of=found)


def _take(found: Decision) -> None:
    """Offer the most private and the most accurate level that meet every wish."""
    if not found.possible or not found.bands:
        return
    own = present_scenario().epsilon0
    ends = [_told(found, end, own) for end in ("low", "high") if SMALLEST < getattr(found, end) < LARGEST]
    levels = list(dict.fromkeys(ends)) if found.only is None else [found.only]
    for level, kind in zip(levels, ("most private", "most accurate") if len(levels) > 1 else ("",), strict=False):
        controls.offer_epsilon0(level, kind=kind)
    if not found.missed(own):  # no code for what the reader does not want
        offer_script()


def _about(found: Decision, scenario: Scenario) -> None:
    if scenario.releases > 1:
        every = "both" if scenario.releases == 2 else f"all {scenario.releases:,}"
        each = "; the error is per release" * any(isinstance(wish, ErrorWish | GroupWish) for wish in found.wishes)
        st.markdown(f"Privacy covers {every} releases{each}.", help=explain("wish_together"))
    if examples := wish_fields.examples():
        st.markdown(examples)
    for band in found.bands:
        if band.prior is not None:
            paragraph("The limit is strictest for an attacker who is {band.prior} sure.", band=band)
    about_belief = [each for each in found.wishes if isinstance(each, BeliefWish | RiseWish)]
    if about_belief:
        prior = next((each.prior for each in about_belief if isinstance(each, BeliefWish)), None)
        belief_table.draw(scenario, prior=prior, levels=_levels(found, scenario))
    st.caption(
        f"Ticks at the top: ε as {len(others.deployments())} deployments report it (OpenDP deployments registry, not reviewed), each for "
        f"its own unit of privacy; ρ is converted to ε at δ\u00a0=\u00a0{small(scenario.delta)}."
    )


def _levels(found: Decision, scenario: Scenario) -> list[float]:
    """Return the present level and the largest one that meets every wish."""
    largest = []
    if found.possible and found.high < LARGEST:
        largest = [_told(found, "high", scenario.epsilon0)]
    return list(dict.fromkeys([scenario.epsilon0, *largest]))


def _told(found: Decision, end: str, own: float) -> float:
    """Return an end of the levels to take as it is told beside the present level."""
    return as_told(replace(found.quantity(end), beside=own), fine=words.is_narrow(found))
