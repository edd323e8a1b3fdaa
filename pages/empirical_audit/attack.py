"""The section "An attack": how much better than guessing somebody does who sees one answer, tried on the audit's own databases."""

from __future__ import annotations

import streamlit as st

from pages.empirical_audit import exposure, formulas
from pages.empirical_audit.checks import note_chance
from pages.shared import badges
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.say import paragraph, told
from par_core.audit.attack import FEWEST, attack
from par_core.figures import empirical_audit as figures
from par_core.questions.glossary import explain


def draw() -> None:
    """Draw the section."""
    chosen = exposure.start_one()
    if chosen is None:
        return
    main, audited, at, individual, rank = chosen
    with main:
        if not exposure.enough(audited, FEWEST):
            return
        found = attack(audited.result, individual)
        name = audited.name(individual, rank)
        st.markdown(
            told(
                "## Who sees one answer is right about {who} in {found.right} of guesses; blindly 50 %",
                found=found,
                who=audited.shown(individual, rank),
            ),
            help=explain("audit_attack"),
        )
        paragraph(
            "From {found.databases:,} databases: between {found.right_lower} and {found.right_upper}{so}.",
            found=found,
            so=", so that it may be mere guessing" if found.right_lower <= 0.5 else "",
            help=badges.legend(),
        )
        chart(
            figures.attack(found, who=name),
            "audit_attack",
            alt=told(
                "Hits against false alarms of an attacker who sees one answer. Who says what is likelier is right in {found.right} of "
                "guesses; at 5 % false alarms they hit {found.at_small}.",
                found=found,
            ),
            notes={"source": found.source, "standing": f"{found.standing.value}; {found.limits}"},
        )
        paragraph(
            "The attacker knows all other databases, with and without this individual. They see one more answer and say what it makes "
            "likelier; beforehand both are equally likely. With 5 % false alarms they find this individual in {found.at_small} of the "
            "databases it is in, between {found.at_small_lower} and {found.at_small_upper}. The intervals hold in 95 of 100 audits of "
            "independent databases.",
            found=found,
        )
        st.markdown("### δ is not that chance")
        beyond = found.beyond(at.epsilon)
        paragraph(
            "At {at.epsilon:level}, δ of this individual is {delta}. But {beyond.share} of answers, between {beyond.lower} and "
            "{beyond.upper}, are more than e^ε times as likely on one side: of these δ counts only the part beyond.",
            at=at,
            delta=at.quantity("deltas", individual),
            beyond=beyond,
        )
        st.markdown(
            f"The paper calls δ “the failure probability”. {badges.of('edp-failure-probability')} Better estimates, from more databases, "
            "make a better attacker: this one is no upper bound. For a bound against everybody, plan a release with noise in “Your table”."
        )
        note_chance(audited.result)
        formula_expander("audit_attack", formulas.ATTACK)
