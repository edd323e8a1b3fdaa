"""Scenarios kept side by side: the reader adds the present one, changes something, and sees what it does to the budget."""

from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st

from pages.budget_minimiser import cost_controls
from pages.budget_minimiser.breach_money import CLAIM, alone, doubts, given, least, next_to_nothing, of_full, saved
from pages.budget_minimiser.cost_controls import in_words, model_of, scenario_of
from pages.shared import badges, controls, packed_settings
from pages.shared.chart import chart
from pages.shared.layout import chart_and_controls
from pages.shared.packed_settings import Kept
from pages.shared.say import told
from pages.shared.settings import Setting, put_all
from pages.shared.words import amount, letters
from par_core import cost, rounding
from par_core.errors import ParameterError
from par_core.figures.compared_budgets import Compared, compared, compared_table, ranked
from par_core.figures.money import brief_money
from par_core.questions.glossary import explain
from par_core.scenario import FIELDS

MOST = 4
_NAMES = "ABCD"
_PRESENT = "Present"
_EPSILON0 = next(field.key for field in FIELDS if field.name == "epsilon0")

KEPT = packed_settings.kept("keep", "Scenarios to compare", of=cost_controls.ALL, most=MOST)

_Values = dict[str, Any]


def draw() -> None:
    entries = KEPT.value()
    main, side = chart_and_controls()
    with side:
        _buttons(entries)
    with main:
        values = dict(zip(_NAMES, _restored(entries), strict=False))
        if not _is_kept(entries):
            values[_PRESENT] = packed_settings.present(cost_controls.ALL)
        found = _computed(values)
        if not found:
            return
        _headline(found, kept=len(entries))
        _picture(found, values)
        _rows(found, values)
        _cautions(found, values)


def _rows(found: list[Compared], values: dict[str, _Values]) -> None:
    st.table(_table(found, values), hide_index=True, alt="The scenarios side by side.")
    st.caption(
        "Amounts are not converted. The least is an average over releases; the amount at ε₀ alone is enough after any one release, "
        "the last row after all planned ones."
    )


def _picture(found: list[Compared], values: dict[str, _Values]) -> None:
    budgets = (
        f"{each.name} {least(each.published, each.currency)} as published, {least(each.exact, each.currency)} in truth"
        for each in found
    )
    source = f"{found[0].published.source}; exact: {found[0].exact.source}"
    chart(
        compared(found),
        "compared_scenarios",
        alt=f"Least budget of each scenario: {'; '.join(budgets)}.",
        table=partial(compared_table, found, [_inputs(each, values) for each in found]),
        notes={"source": source, **{f"limits, {each.name}": each.exact.limits for each in found}},
    )


def _buttons(entries: tuple[Kept, ...]) -> None:
    there, full = _is_kept(entries), len(entries) == MOST
    st.button("Add the present scenario", on_click=_add, disabled=there or full, help=explain("compared"))
    if there:
        st.caption(
            "The present scenario is kept. Change ε₀ or another number in the sidebar, or the cost model on another tab."
        )
    elif full:
        st.caption(f"{MOST} scenarios are kept; remove one to add another.")
    for name, entry in zip(_NAMES, entries, strict=False):
        with st.container(horizontal=True):
            controls.button(f"Use {name}", _use, entry)
            st.button(f"Remove {name}", on_click=_remove, args=(entry,), type="tertiary")


def _restored(entries: tuple[Kept, ...]) -> list[_Values]:
    return [packed_settings.restored(cost_controls.ALL, entry) for entry in entries]


def _is_kept(entries: tuple[Kept, ...]) -> bool:
    """Say whether the present scenario is among those kept, of which a link may name only what differs from the defaults."""
    return packed_settings.present(cost_controls.ALL) in _restored(entries)


def _add() -> None:
    if not _is_kept(KEPT.value()) and len(KEPT.value()) < MOST:
        KEPT.put((*KEPT.value(), packed_settings.take(cost_controls.ALL)))


def _remove(entry: Kept) -> None:
    KEPT.put(tuple(each for each in KEPT.value() if each != entry))


def _use(entry: Kept) -> None:
    values = packed_settings.restored(cost_controls.ALL, entry)
    put_all({setting: values[setting.key] for setting in cost_controls.ALL})


def _computed(values: dict[str, _Values]) -> list[Compared]:
    """Return the scenarios with their optima; one that contradicts itself is named and left out."""
    found = []
    for name, each in values.items():
        scenario = scenario_of(each)
        try:
            model = model_of(each)
            optima = [cost.optimum(model, scenario.epsilon0, k=scenario.k, truth=truth) for truth in cost.TRUTHS]
        except ParameterError as error:
            st.error(f"{name} is left out: {letters(str(error))}.")
            continue
        found.append(Compared(name, scenario.currency, *optima))
    return found


def _headline(found: list[Compared], *, kept: int) -> None:
    if len(found) == 1:
        first = "Change something" if kept else "Keep this scenario, change something"
        st.markdown(f"## {first}, and see both side by side")
        return
    if len({each.currency for each in found}) > 1:
        st.markdown("## The scenarios use different currencies: compare the shares saved")
        return
    rank = ranked(found)
    *others, last = (each.name for each in rank.least)
    names = f"{', '.join(others)} and {last}" if others else last
    same = len(rank.least) == len(found)
    need, same_or_least = "need" if others else "needs", "same" if same else "least"
    low = least(rank.low.exact, rank.low.currency)
    st.markdown(f"## {names} {need} the {same_or_least} in truth: {low} on average")
    claim = _apart(rank.high, rank.low, rank.published_gap)
    if same:
        sentence = f"The published formula says that {claim}."
    else:
        truly = _apart(rank.high, rank.low, rank.gap)
        sentence = f"On average {truly} {given()} and by the published formula {claim}."
    worth = replace(rank.low.published.quantity("budget"), holds=rank.published_gap == rank.gap)
    st.markdown(f"{sentence} {badges.of(worth)}", help=badges.legend(CLAIM))


def _apart(one: Compared, other: Compared, gap: float) -> str:
    """Return by how much the first needs more than the second, or less, in words and not by a sign."""
    if gap == 0:
        return f"{one.name} and {other.name} need the same"
    return f"{one.name} needs {brief_money(abs(gap), one.currency)} {'more' if gap > 0 else 'less'} than {other.name}"


def _cautions(found: list[Compared], values: dict[str, _Values]) -> None:
    """Say of each scenario where its cost model is doubtful, and of all what the amounts are not."""
    st.markdown(
        "This is the budget if a breach happens, **not an expected cost**: how likely a breach is plays no part."
    )
    for each in found:
        together = _all_releases(each, values)
        little = next_to_nothing(each.exact.model, each.exact.epsilon0, each.currency)
        for sentence in [*doubts(each.exact.model, each.exact.epsilon0, together.epsilon), *filter(None, [little])]:
            st.warning(f"{each.name}: {letters(sentence)}")


def _all_releases(each: Compared, values: dict[str, _Values]) -> cost.AllReleases:
    return cost.all_releases(each.exact.model, each.exact.epsilon0, releases=scenario_of(values[each.name]).releases)


def _table(found: list[Compared], values: dict[str, _Values]) -> dict[str, list[str]]:
    differing = [
        setting
        for setting in cost_controls.ALL
        if setting.key != _EPSILON0 and len({setting.write(values[each.name][setting.key]) for each in found}) > 1
    ]
    labels = ["ε₀", "A breach costs", *(setting.label for setting in differing), "Average error", "At ε₀ alone"]
    labels += ["Least, claimed", "Saving, claimed", "Least, true", "Saving, true", "All planned releases"]
    return {" ": labels, **{each.name: _column(each, values, differing) for each in found}}


def _column(each: Compared, values: dict[str, _Values], differing: list[Setting[Any]]) -> list[str]:
    own = values[each.name]
    scenario = scenario_of(own)
    cells = [amount(scenario.epsilon0, 4), in_words(own)]
    cells += [cost_controls.written(setting, own) for setting in differing]
    cells += [rounding.error(scenario.noise_scale), alone(each.published, each.currency)]
    for found in (each.published, each.exact):
        cells.append(f"{least(found, each.currency)} at ε\u00a0=\u00a0{amount(found.epsilon, 4)}")
        cells.append(f"{saved(found, each.currency)} ({told('{found.share_saved}', found=found)})")
    together = _all_releases(each, values)
    return [*cells, f"{of_full(together.money, each.exact.model, each.currency)} ({together.releases:,})"]


def _inputs(each: Compared, values: dict[str, _Values]) -> dict[str, object]:
    inputs = {setting.label: setting.write(values[each.name][setting.key]) for setting in cost_controls.ALL}
    return {**inputs, "budget after all planned releases": _all_releases(each, values).money}
