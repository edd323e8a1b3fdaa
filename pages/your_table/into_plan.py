"""From a query on a table to a release of the plan, which every other page then speaks of."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

import streamlit as st

from pages.shared import controls, plan
from pages.shared.page import Section
from pages.shared.settings import put_key, scenario_setting
from pages.shared.words import counted, level0
from par_core.mechanisms import NOISES
from par_core.plan import LARGEST_PLAN, Plan, Release
from par_core.questions.glossary import explain
from par_core.questions.your_table.table_question import TableAnswer, TableQuestion
from par_core.scenario import Neighbours, Scenario

Asks = TypeVar("Asks", bound=TableQuestion)


def draw(_: Section, answer: TableAnswer) -> None:
    """Draw how often the query is published, and the button that puts it into the plan; or where in the plan it is."""
    at = place(answer.question)
    if plan.problem():
        return  # the sidebar says it
    if at is not None:
        others = (
            "which the other pages speak of"
            if plan.seen() == at + 1
            else "and pages about one release speak of another one"
        )
        st.markdown(f"This is release {at + 1} of your plan, {others}.")
        return
    if len(plan.releases()) == LARGEST_PLAN:
        st.markdown(f"Your plan is full: it holds {LARGEST_PLAN} releases.")
        return
    public = answer.question.rows_are_public
    with st.container(horizontal=True, vertical_alignment="bottom", key="into_plan"):
        controls.beside(scenario_setting("releases"), "How often it is published", hint=explain("releases"))
        label = f"Put into the plan, with {answer.rows:,} rows as public" if public else "Put into the plan"
        controls.button(label, plan.add, answer.release, answer.question, hint=explain("into_plan"))


def at_its_level(question: Asks) -> Asks:
    """Return a query as the plan has it, or would have it: at its part of ε₀, with the mechanism of its release."""
    releases, at, scenario = plan.releases(), place(question), question.scenario
    if not releases or plan.problem() or (at is None and len(releases) == LARGEST_PLAN):
        return question
    if at is None:
        mechanism = scenario.mechanism if scenario.mechanism in NOISES else Scenario.mechanism
        new = Release(mechanism=mechanism, size=question.guess, times=scenario.releases)
        if question.query.shape.is_selection:  # which gets no noise, whatever the mechanism
            new = replace(new, shape=question.query.shape)
        releases, at = (*releases, new), len(releases)
    release = releases[at]
    # The level has nothing to do with neighbours, and these need no public number of rows.
    level = Plan(releases, scenario.epsilon0, Neighbours.ADD_OR_REMOVE, scenario.delta).level_alone(at)
    as_released = replace(
        scenario, epsilon0=level, mechanism=release.mechanism, statistics=release.statistics, releases=release.times
    )
    return replace(question, scenario=as_released)


def then(change: Callable[[], None]) -> Callable[..., None]:
    """Return a callback of a field of a release, after which the whole page is drawn again."""
    number = len(plan.releases())
    # The run that brings what was typed may first take a release out: then another one stands here.
    return controls.then_redraw(lambda: change() if len(plan.releases()) == number else None)


def guess_field(at: int, key: str) -> int | None:
    """Draw the field for how many rows a release is over, at least, which changes the plan; returns its number."""
    release, session = plan.releases()[at], st.session_state
    put_key(key, release.size)
    st.number_input(
        f"Rows {release.shape.rows_are}, at least",
        1,
        10**12,
        value=None,
        key=key,
        help=explain("rows_guess"),
        on_change=then(lambda: plan.change(at, size=session[key])),
    )
    return release.size


def say(question: TableQuestion, scenario: Scenario) -> None:
    """Say which part of ε₀ it gets, where that is not all."""
    if question.scenario.epsilon0 != scenario.epsilon0:
        already = place(question) is not None
        others = len(plan.releases()) - already
        gets = "It gets" if already else "In the plan it would get"
        share = f"{counted(others, 'other release')} {'share' if others > 1 else 'gets'} the rest"
        then = "" if already else f" and {'are' if others > 1 else 'is'} further off than now"
        st.caption(f"{gets} {level0(question.scenario.epsilon0)} of that: {share}{then}.")


def say_alone() -> None:
    """Say that a section knows nothing of the plan, where there is one."""
    if plan.releases():
        st.caption("By itself, with all of ε₀: your plan plays no part here.")


def place(question: TableQuestion) -> int | None:
    """Return which release of the plan asks this."""
    for at, (asked, release) in enumerate(zip(plan.asked(), plan.releases(), strict=True)):
        if asked is not None and _bare(asked, release.rows_per_person) == _bare(
            question, question.scenario.rows_per_person
        ):
            return at
    return None


def _bare(question: TableQuestion, most: int) -> tuple[object, ...]:
    return question.query, question.person, question.over, question.table.digest, most
