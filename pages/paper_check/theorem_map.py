"""The section "What rests on what": the statements of the papers, what each needs, and what falls with one that fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import streamlit as st

from pages.paper_check import ledger_found
from pages.paper_check.own_numbers import CLAIM
from pages.shared import badges, controls, links, settings
from pages.shared.chart import chart
from pages.shared.layout import chart_and_controls
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.words import counted, letters
from par_core.claims.ledger import Paper
from par_core.claims.theorem import Node
from par_core.claims.theorems import NODES, Fate, fates
from par_core.figures import paper_check as figures
from par_core.questions.glossary import explain

_ALL = "all"
_BADGES = {"falls": ":red-badge[Falls]", "fails by itself": ":red-badge[Fails by itself]"}

_BRIEFLY = {
    "fails by itself": "fails",
    "undecided": "is undecided",
    "stands where used": "fails as printed",
}

_PAPERS = {"PaR": figures.PAPERS[Paper.FINAL], "EDP": figures.PAPERS[Paper.EMPIRICAL]}

FOCUS = settings.choice("qf", "Around", (_ALL, *(each.name for each in NODES)), "PaR Theorem 4")


def draw() -> None:
    verdicts = ledger_found.found()
    if verdicts is None:
        return
    every = fates(verdicts)
    shown = [every[name] for name in around(FOCUS.value())]
    main, side = chart_and_controls()
    with side:
        _choose()
    with main:
        st.markdown(headline(FOCUS.value(), every), help=explain("theorem_map"))
        chart(
            figures.theorem_map(shown),
            "theorem_map",
            alt=f"{counted(len(shown), 'statement')}, each with lines to what it rests on: {_fallen(shown)} fail or fall with another.",
            table=partial(figures.map_table, shown),
            on_click=partial(_clicked, shown),
        )
    if not PRESENT.value():
        _table(shown)


def around(focus: str) -> list[str]:
    """Return the names of what a statement rests on, of the statement, and of what rests on it; of `all` every name."""
    below = {focus}
    for node in reversed(NODES):
        below.update(_under(node) if node.name in below else ())
    kept = {*below, *resting_on(focus)}
    return [node.name for node in NODES if node.name in kept]


def resting_on(focus: str) -> list[str]:
    """Return the names of all that rests on a statement, directly or not; of `all` every name."""
    if focus == _ALL:
        return [node.name for node in NODES]
    found = [focus]
    for node in NODES:
        found += [node.name] * (not {*found}.isdisjoint(_under(node)))
    return found[1:]


def _under(node: Node) -> tuple[str, ...]:
    return (*node.rests_on, *node.proof)


def headline(focus: str, every: Mapping[str, Fate]) -> str:
    """Return what became of a statement, and of how many that rest on it."""
    over = resting_on(focus)
    down = _fallen([every[name] for name in over])
    if focus == _ALL:
        return f"## {down} of {len(over)} statements fail, or fall with another"
    became = _BRIEFLY.get(every[focus].outcome, every[focus].outcome)
    fail = "fails" if down == 1 else "fail"
    rests = f"{down} of {counted(len(over), 'statement')} needing it {fail}" if down else "what rests on it stands"
    rests = rests if over else "nothing rests on it"
    return f"## {letters(focus.partition(' ')[2])} {became}; {rests}"


def _fallen(shown: Sequence[Fate]) -> int:
    return sum(each.outcome in _BADGES for each in shown)


def _choose() -> None:
    FOCUS.value()
    st.selectbox(
        FOCUS.label,
        FOCUS.options,
        format_func=_in_full,
        key=FOCUS.held,
        help=explain("map_focus"),
        persist_state="session",
    )


def _in_full(name: str) -> str:
    paper, _, statement = name.partition(" ")
    return f"{_PAPERS[paper]}, {statement}" if statement else "All statements"


def _claim_of(fate: Fate) -> str:
    """Return the claim of the ledger that says most of a statement: one that is refuted, if there is one."""
    node = fate.node
    return next(iter((*fate.refuted, *node.claims, *node.together, *node.where_used)), "")


def _clicked(shown: Sequence[Fate]) -> None:
    for point in st.session_state["theorem_map"]["click"][:1]:
        if claim := _claim_of(shown[len(shown) - round(point["y"])]):
            _open(claim)


def _open(claim: str) -> None:
    """Open a claim in the first section of this page."""
    tab = next(each for each in links.here()[0] if each.key == "tab")
    tab.put(tab.default)
    CLAIM.put(claim)
    controls.ask_for_the_whole_page()  # the tabs stand outside of the section


def _table(shown: Sequence[Fate]) -> None:
    st.table(
        {
            "Statement": [_linked(each) for each in shown],
            "About": [letters(each.node.subject) for each in shown],
            "Rests on": [_names(each.node.rests_on) for each in shown],
            "Its proof needs": [_names(each.node.proof) for each in shown],
            "What became of it": [_fate(each) for each in shown],
        },
        hide_index=True,
        alt="The map as a table: each statement with what it rests on and what became of it.",
    )


def _linked(fate: Fate) -> str:
    name, claim = letters(fate.node.name), _claim_of(fate)
    return f"[{name}]({badges.link_to(claim)})" if claim else name


def _names(names: Sequence[str]) -> str:
    return letters(", ".join(names)) or "–"


def _fate(fate: Fate) -> str:
    word = _BADGES.get(fate.outcome, f":gray-badge[{fate.outcome.capitalize()}]")
    return f"{word} with {letters(', '.join(fate.falls_with))}" if fate.outcome == "falls" else word
