"""The section "Two answers": what two numbers from the same databases show together, and where they disclose exactly."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.empirical_audit import current_audit, exposure, formulas, query_fields
from pages.empirical_audit.adversary import OTHER
from pages.empirical_audit.checks import note_chance, warn
from pages.empirical_audit.current_audit import Audited
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.say import paragraph, say, told
from pages.shared.words import level
from par_core.audit.auditing import audit
from par_core.audit.joint import FEWEST, JointAt, JointAudit, JointCurve, joint_audit
from par_core.figures import empirical_audit as figures
from par_core.progress import Progress, portion
from par_core.questions.glossary import explain

_LEFT_OUT = "without"
SECOND = settings.choice("ejoin", "Published with it", ("sum", "mean", "median", "variance", "count", _LEFT_OUT))

_LISTED = 10


def draw() -> None:
    """Draw the section."""
    main, side, audited = current_audit.start()
    with side:
        epsilon = dial(exposure.EPSILON, hint=explain("audit_epsilon"))
        second = controls.choice(SECOND, hint=explain("joint_second"), words=_words)
        controls.whole(exposure.RANK, hint=explain("ranking"))
    if audited is None:
        return
    with main:
        warn(audited.result)
        if not exposure.enough(audited, FEWEST):
            return
        left_out = exposure.ranked(audited.result.at(epsilon).ranking) if second == _LEFT_OUT else None
        asked = second, None if left_out is None else left_out[0]
        both = audited.run("joint_audit", partial(_work, audited, *asked), asked, label="Auditing the second answer")
        if both is None:
            return
        at = audited.run(
            "joint_at",
            partial(both.at, epsilon, listed=max(_LISTED, exposure.RANK.value())),
            (asked, epsilon, max(_LISTED, exposure.RANK.value())),
            label="Looking for the most exposed",
        )
        if at is None:
            return
        individual, rank = left_out or exposure.ranked(at.ranking)
        curve = audited.run(
            "joint_curve",
            partial(both.curve, individual, up_to=epsilon),
            (asked, individual, epsilon),
            label="Integrating",
        )
        if curve is None:
            return
        _picture(audited, both, curve, epsilon, individual, rank)
        _what_it_is(curve, second)
        if left_out is None:
            _listed(audited, at)
        note_chance(audited.result)
        formula_expander("joint", formulas.JOINT)


def _work(audited: Audited, second: str, left_out: int | None, *, progress: Progress) -> JointAudit:
    panel = audited.panel if left_out is None else audited.panel.lacking(left_out)
    query = audited.query if left_out is not None else OTHER[second]
    return joint_audit(audited.result, audit(panel, query, progress=portion(progress)))


def _words(second: str) -> str:
    return "the same, one left out" if second == _LEFT_OUT else second


def _picture(audited: Audited, both: JointAudit, curve: JointCurve, epsilon: float, individual: int, rank: int) -> None:
    """Say and draw what both answers show of one individual."""
    own = both.curve(individual, epsilons=[epsilon])
    first, name = query_fields.words(audited.query), audited.name(individual, rank)
    second = f"{first} without" if SECOND.value() == _LEFT_OUT else SECOND.value()
    st.markdown(
        told(
            "## At {level:level}, {first} and {second} together show {who} with δ = {own.together[0]}",
            level=epsilon,
            first=first,
            second=second if SECOND.value() != _LEFT_OUT else "the same with one left out",
            who=audited.shown(individual, rank),
            own=own,
        ),
        help=explain("joint_delta"),
    )
    paragraph(
        "Alone they show {own.first[0]} and {own.second[0]}; {databases:,} databases say nothing below 1/{databases:,}.",
        own=own,
        databases=own.databases,
        help=badges.legend(),
    )
    chart(
        figures.together(curve, names=(first, second), who=name, own=own),
        "joint",
        alt=told(
            "δ of one individual against ε, from two answers together and from each alone; at ε = {level:g} together {own.together[0]}, "
            "alone {own.first[0]} and {own.second[0]}.",
            level=epsilon,
            own=own,
        ),
        notes={"source": curve.source, "standing": f"{curve.standing.value}; {curve.limits}"},
    )


def _what_it_is(curve: JointCurve, second: str) -> None:
    """Say where both together disclose, and what the paper makes of it."""
    if curve.disclosed:
        paragraph(
            "**Exact disclosure**: in {share} of the databases the two answers are a pair that occurs only with this individual, or only "
            "without. Whoever sees it knows, whatever ε: δ never falls below that share.",
            share=curve.quantity("disclosed"),
        )
    if second == _LEFT_OUT:
        st.markdown("This is the paper’s own example: the two answers differ only where that individual has records.")
    elif curve.disclosed:
        st.markdown(
            "The two answers depend on each other: all pairs with everyone lie on one line, and a missing record moves the pair off it."
        )
    st.markdown(
        "Two answers can show far more than each alone. The paper audits both by one density of pairs, and does not say which. Kernels as "
        f"wide as each answer alone asks for find δ = 0 where the pair discloses. {badges.of('edp-composition-joint')} Here the axes "
        "follow the answers, and a direction without spread gets no kernel."
    )


def _listed(audited: Audited, at: JointAt) -> None:
    """List the most exposed to both answers."""
    st.markdown("### The most exposed to both")
    places = range(min(_LISTED, len(at.ranking)))
    table: dict[str, list[str]] = {"Rank": [f"{place + 1}" for place in places]}
    if not audited.masked:
        table["Who"] = [audited.shown(int(at.ranking[place]), place + 1) for place in places]
    columns = (
        ("Together", "together"),
        (f"{query_fields.words(audited.query)} alone".capitalize(), "first"),
        (f"{SECOND.value()} alone".capitalize(), "second"),
    )
    for words, name in columns:
        table[words] = [told("{delta}", delta=at.quantity(name, place)) for place in places]
    table["Disclosed in"] = [told("{share}", share=at.quantity("disclosed", place)) for place in places]
    st.table(table, hide_index=True, alt=f"δ at {level(at.epsilon)} of the most exposed to both answers.")
    st.caption(say("δ at {at.epsilon:level}. {at.databases:,} databases.", at=at, standing_of=at))
