"""The section "Duties": what a reviewer asks, what the scenario answers, and what only the reader can; and what others report."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import streamlit as st

from pages.shared.chart import chart
from pages.shared.release import is_possible
from pages.shared.say import paragraph
from pages.shared.settings import Setting, present_scenario, scenario_setting
from pages.shared.words import as_sentence
from par_core.datasets import deployments as others
from par_core.decision import KEYS, Duty, Total, duties, total
from par_core.errors import InfeasibleError, ParameterError
from par_core.figures import decide as figures
from par_core.figures.drawing import Drawing
from par_core.questions.glossary import explain

_NONE = "none"


def _read(text: str) -> tuple[str, ...]:
    keys = [] if text == _NONE else text.split(".")
    if unknown := [each for each in keys if each not in KEYS]:
        raise ParameterError(f"Settled duties must be some of {', '.join(KEYS)}, got {unknown[0][:40]!r}")
    return _in_order(keys)


def _in_order(keys: Iterable[str]) -> tuple[str, ...]:
    chosen = set(keys)
    return tuple(each for each in KEYS if each in chosen)


TICKED: Setting[tuple[str, ...]] = Setting("wdt", "Settled duties", (), _read, lambda keys: ".".join(keys) or _NONE)


def ticked() -> tuple[str, ...]:
    """Return the keys of the duties that the scenario leaves open and the reader has ticked."""
    return tuple(each.key for each in duties(present_scenario()) if each.state == "open" and each.key in TICKED.value())


def draw() -> None:
    if not is_possible():
        return
    try:
        found = _total()
    except (ParameterError, InfeasibleError) as error:
        st.warning(as_sentence(str(error)))
        return
    st.markdown(_headline(), help=explain("duties"))
    number, less = len(others.deployments()), len(others.reporting_less(found.epsilon, delta=found.delta))
    paragraph(
        "Your {releases} at most ε = {found.epsilon}; {less} of {number} deployments report less.",
        releases=f"{found.releases:,} releases together spend" if found.releases > 1 else "release spends",
        found=found,
        less=less,
        number=number,
    )
    chart(
        _figure,
        "precedents",
        dials=(scenario_setting("epsilon0"),),
        headline=_headline,
        alt="{number} deployments by the ε that they report, and your total of {found.epsilon}: {less} report less.",
        found=found,
        number=number,
        less=less,
        table=partial(figures.precedents_table, found, deployments=others.deployments()),
        notes={"source": others.SOURCE, "limits": others.NOTE},
    )
    _nearest(found)
    _list()


def _total() -> Total:
    return total(present_scenario())


def _figure() -> Drawing:
    return figures.precedents(_total(), deployments=others.deployments())


def _headline() -> str:
    found = duties(present_scenario())
    answered, against = (sum(each.state == state for each in found) for state in ("answered", "against"))
    fails = f" and fails {against}" if against else ""
    return f"## Your scenario answers {answered} of {len(found)} questions that a reviewer asks{fails}"


def _nearest(found: Total) -> None:
    lines = ["As reported to the OpenDP deployments registry, and not reviewed:"]
    for each in others.nearest(found.epsilon, delta=found.delta):
        told, unit = figures.reported(each, each.level(found.delta))
        lines.append(f"{each.curator} {each.year}, {each.name}: {told} ({unit})")
    with st.expander("Nearest deployments"):
        st.caption("  \n".join(lines))


def _list() -> None:
    found = duties(present_scenario())
    for each in found:
        if each.state == "against":
            _line("**Fails:**", each)
    left, right = st.columns(2, gap="large")
    with left:
        still = [each for each in found if each.state == "open"]
        st.markdown(f"**Only you can answer** · {len(ticked())} of {len(still)} ticked", help=explain("duties_open"))
        for each in still:
            _box(each)
    with right:
        st.markdown("**Answered by your scenario**")
        for each in found:
            if each.state == "answered":
                _line("✓", each)


def _line(mark: str, duty: Duty) -> None:
    standing = {} if duty.standing is None else {"standing_of": duty}
    paragraph(f"{mark} {duty.question}  \n{{says}}", says=duty.says, help=_where(duty), **standing)


def _box(duty: Duty) -> None:
    key = f"_settled_{duty.key}"
    st.session_state[key] = duty.key in TICKED.value()

    def turned() -> None:
        rest = [each for each in TICKED.value() if each != duty.key]
        TICKED.put(_in_order([*rest, duty.key] if st.session_state[key] else rest))

    st.checkbox(duty.question, key=key, on_change=turned, help=_where(duty))
    if duty.says:
        st.caption(duty.says)


def _where(duty: Duty) -> str:
    return f"NIST SP 800-226, {duty.section}."
