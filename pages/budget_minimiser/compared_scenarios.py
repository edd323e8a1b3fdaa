"""Scenarios kept side by side: the reader adds the present one, changes something, and sees what it does to the budget."""

import streamlit as st

from pages.budget_minimiser import cost_controls
from pages.shared import controls, packed_settings
from pages.shared.packed_settings import Kept
from pages.shared.settings import PLAN, forget_asked, put_all
from par_core.questions.budget_minimiser.breach import Breach
from par_core.questions.budget_minimiser.compared import LETTERS, ComparedBudgets
from par_core.questions.glossary import explain
from par_core.scenario import Scenario

MOST = len(LETTERS)

KEPT = packed_settings.kept("keep", "Scenarios to compare", of=cost_controls.ALL, most=MOST)


def ask(scenario: Scenario) -> ComparedBudgets:
    entries = KEPT.value()
    question = ComparedBudgets(scenario, **cost_controls.held(), kept=tuple(map(_restored, entries)))
    there, full = question.own in question.kept, len(entries) == MOST
    st.button("Add the present scenario", on_click=_add, disabled=there or full, help=explain("compared"))
    if there:
        st.caption(
            "The present scenario is kept. Change ε₀ or another number in the sidebar, or the cost model on another tab."
        )
    elif full:
        st.caption(f"{MOST} scenarios are kept; remove one to add another.")
    for name, entry in zip(LETTERS, entries, strict=False):
        with st.container(horizontal=True):
            controls.button(f"Use {name}", _use, entry)
            st.button(f"Remove {name}", on_click=_remove, args=(entry,), type="tertiary")
    return question


def _restored(entry: Kept) -> Breach:
    """Return a kept scenario, of which a link may name only what differs from the defaults."""
    values = packed_settings.restored(cost_controls.ALL, entry)
    single, scenario = cost_controls.scenarios_of(values)
    return Breach(scenario.alone() or single, **cost_controls.costs_of(values))


def _add() -> None:
    present = packed_settings.take(cost_controls.ALL)

    def with_present(kept: tuple[Kept, ...]) -> tuple[Kept, ...]:
        there = _restored(present) in map(_restored, kept)
        return kept if there or len(kept) == MOST else (*kept, present)

    KEPT.change(with_present)


def _remove(entry: Kept) -> None:
    KEPT.change(lambda kept: tuple(each for each in kept if each != entry))


def _use(entry: Kept) -> None:
    before = PLAN.value()
    values = packed_settings.restored(cost_controls.ALL, entry)
    put_all({setting: values[setting.key] for setting in cost_controls.ALL})
    if PLAN.value() != before:
        forget_asked()
