"""Scenarios kept side by side: the reader adds the present one, changes something, and sees what it does to the budget."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from pages.shared import badges, controls, cost_controls, versioned
from pages.shared.chart import chart
from pages.shared.cost_controls import in_words, model_of, scenario_of
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.optimum_words import above_the_chart
from pages.shared.versioned import Kept
from pages.shared.words import amount, letters, percent
from par_core import cost
from par_core.errors import ParameterError
from par_core.figures.budget_minimiser import Compared, compared, compared_table
from par_core.figures.money import money
from par_core.standing import PROVEN, PUBLISHED

MOST = 4
_NAMES = "ABCD"
_PRESENT = "Present"

KEPT = versioned.kept("keep", "Scenarios to compare", of=cost_controls.ALL, most=MOST)

_Values = dict[str, Any]


def draw() -> None:
    """Draw the section: the table and the chart, and the buttons that keep, bring back and remove."""
    entries = KEPT.value()
    main, side = chart_and_controls()
    with side:
        _buttons(entries)
    with main:
        values = {
            name: versioned.restored(cost_controls.ALL, entry) for name, entry in zip(_NAMES, entries, strict=False)
        }
        if versioned.take(cost_controls.ALL) not in entries:
            values[_PRESENT] = versioned.present(cost_controls.ALL)
        found = _computed(values)
        if not found:
            return
        _headline(found)
        above_the_chart(partial(_rows, found, values), partial(_picture, found, values))


def _rows(found: list[Compared], values: dict[str, _Values]) -> None:
    st.table(_table(found, values), hide_index=True, alt="The scenarios side by side.")
    st.caption("Amounts are in the currency of each scenario and are not converted.")


def _picture(found: list[Compared], values: dict[str, _Values]) -> None:
    budgets = (
        f"{each.name} {money(each.published.budget, each.currency)} as published, {money(each.exact.budget, each.currency)} in truth"
        for each in found
    )
    chart(
        compared(found),
        "compared_scenarios",
        alt=f"Least budget of each scenario: {'; '.join(budgets)}.",
        table=partial(compared_table, found, [_inputs(values[each.name]) for each in found]),
        notes={"source": f"{found[0].published.source}; exact: {found[0].exact.source}"},
    )


def _buttons(entries: tuple[Kept, ...]) -> None:
    there = versioned.take(cost_controls.ALL) in entries
    st.button(
        "Add the present scenario", on_click=_add, disabled=there or len(entries) == MOST, help=explain("compared")
    )
    if there:
        st.caption(
            "The present scenario is kept. Change ε₀ or another number in the sidebar, or the cost model on another tab."
        )
    elif len(entries) == MOST:
        st.caption(f"{MOST} scenarios are kept; remove one to add another.")
    for name, entry in zip(_NAMES, entries, strict=False):
        with st.container(horizontal=True):
            controls.button(f"Use {name}", _use, entry)
            st.button(f"Remove {name}", on_click=_remove, args=(entry,), type="tertiary")


def _add() -> None:
    entry = versioned.take(cost_controls.ALL)
    if entry not in KEPT.value() and len(KEPT.value()) < MOST:
        KEPT.put((*KEPT.value(), entry))


def _remove(entry: Kept) -> None:
    KEPT.put(tuple(each for each in KEPT.value() if each != entry))


def _use(entry: Kept) -> None:
    values = versioned.restored(cost_controls.ALL, entry)
    for setting in cost_controls.ALL:
        setting.put(values[setting.key])


def _computed(values: dict[str, _Values]) -> list[Compared]:
    """Return the scenarios with their optima; one that contradicts itself is named and left out."""
    found = []
    for name, each in values.items():
        scenario = scenario_of(each)
        try:
            optima = [
                cost.optimum(model_of(each), scenario.epsilon0, k=scenario.k, truth=truth) for truth in cost.TRUTHS
            ]
        except ParameterError as error:
            st.error(f"{name} is left out: {letters(str(error))}.")
            continue
        found.append(Compared(name, scenario.currency, *optima))
    return found


def _headline(found: list[Compared]) -> None:
    if len(found) == 1:
        st.markdown("#### Keep this scenario, change something, and see both side by side")
        return
    if len({each.currency for each in found}) > 1:
        st.markdown("#### The scenarios count in different currencies: compare the shares that are saved")
        return
    best, worst = (choose(found, key=lambda each: each.exact.budget) for choose in (min, max))
    gap = money(worst.exact.budget - best.exact.budget, best.currency)
    st.markdown(f"#### {best.name} needs the least in truth: {money(best.exact.budget, best.currency)}")
    st.markdown(
        f"{worst.name} needs {gap} more {badges.inline(PROVEN)}, the published formula says "
        f"{money(worst.published.budget - best.published.budget, best.currency)} {badges.inline(PUBLISHED)}.",
        help=badges.legend(),
    )


def _table(found: list[Compared], values: dict[str, _Values]) -> dict[str, list[str]]:
    labels = [
        "ε₀",
        "A breach costs",
        "Average error",
        "At ε₀ alone",
        "Least, claimed",
        "Saving, claimed",
        "Least, true",
        "Saving, true",
    ]
    return {" ": labels, **{each.name: _column(each, values[each.name]) for each in found}}


def _column(each: Compared, values: _Values) -> list[str]:
    scenario = scenario_of(values)
    cells = [amount(scenario.epsilon0, 4), in_words(values), amount(scenario.noise_scale, 4)]
    cells.append(money(each.published.baseline, each.currency))
    for found in (each.published, each.exact):
        cells.append(f"{money(found.budget, each.currency)} at ε\u00a0=\u00a0{amount(found.epsilon, 4)}")
        cells.append(f"{money(found.saving, each.currency)} ({percent(found.share_saved)})")
    return cells


def _inputs(values: _Values) -> dict[str, object]:
    return {setting.label: setting.write(values[setting.key]) for setting in cost_controls.ALL}
