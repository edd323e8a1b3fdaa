"""The section "Other densities": the same individual under other estimates of the density, where δ does not reach 0."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.empirical_audit import exposure, formulas
from pages.empirical_audit.checks import note_chance
from pages.shared import badges
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.say import told
from pages.shared.words import level
from par_core.audit.other_densities import delta_curves
from par_core.figures import empirical_audit as figures
from par_core.questions.glossary import explain
from par_core.rounding import rounded, small


def draw() -> None:
    """Draw the section."""
    chosen = exposure.start_one()
    if chosen is None:
        return
    main, audited, _, individual, rank = chosen
    result = audited.result
    with main:
        work = partial(delta_curves, result, individual)
        curves = audited.run("other_densities", work, individual, label="Integrating")
        if curves is None:
            return
        until = told("ε = {until}", until=result.quantity("losses", individual))
        name = audited.shown(individual, rank)
        one, *others = curves
        left = max(float(each.deltas[-1]) for each in others)
        further = ", with other densities beyond" if left and not one.deltas[-1] else ""
        st.markdown(f"## With one bandwidth {name} is exposed until {until}{further}", help=explain("other_densities"))
        st.markdown(
            f"At {level(float(one.epsilons[-1]))} other densities leave {f'up to δ = {small(rounded(left))}' if left else 'no δ'}. "
            f"{badges.of(others[0])}",
            help=badges.legend(),
        )
        chart(
            figures.other_densities(curves, name=audited.name(individual, rank)),
            "other_densities",
            alt=f"δ of one individual against ε under {len(curves)} densities; the first one reaches 0 at {until}.",
            notes={"source": one.source, "standing": f"{one.standing.value}; {one.limits}"},
        )
        st.markdown(
            "That δ reaches 0 comes from one common bandwidth, not from the data: the paper itself recommends bandwidths that vary, which "
            f"leave some at every ε. {badges.of(one)}"
        )
        note_chance(result)
        best = max(curves, key=lambda each: each.held_out)
        st.table(
            {
                "Density": [each.words for each in curves],
                "Log likelihood of left-out answers": [
                    f"{each.held_out:.2f}" + (" (best)" if each is best else "") for each in curves
                ],
                "Largest error of δ": [
                    "exact" if not each.errors.any() else small(rounded(float(each.errors.max()), 1)) for each in curves
                ],
            },
            hide_index=True,
            alt="How well each density fits answers that were left out.",
        )
        st.caption("A few units of log likelihood more mean a better fit; less than one hardly tells them apart.")
        formula_expander("other_densities", formulas.DENSITIES)
