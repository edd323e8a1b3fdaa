"""The section "How many samples?": any two of pairs, distance and probability give the third, and what they are worth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.sample_planner import formulas
from pages.shared import badges, controls, paper_switch, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph, told
from pages.shared.settings import Setting
from pages.shared.words import amount, counted, percent
from par_core.figures import sample_planner as figures
from par_core.figures.drawing import Drawing
from par_core.questions.glossary import explain
from par_core.sampling import FIGURE_2, SamplesAt, risks_down_to, samples_at, samples_curves, tolerance
from par_core.sampling.curves import SamplesCurve

FIND = settings.choice("sfind", "Find", ("samples", "alpha", "rho"))
PAIRS = settings.whole("sn", "Sampled pairs", 15_000, at_least=1, at_most=10**12)
RHO = settings.number("srho", "Distance ρ", 0.01, at_least=1e-6, at_most=1.0)
ALPHA = settings.number("sa", "Probability α", 0.9, at_least=0.0, at_most=1 - 1e-9)
PAPER_ONLY = paper_switch.setting("spaper")
RHOS = settings.numbers("srhos", "Curves for ρ", FIGURE_2, at_least=1e-6, at_most=0.999)
SETTINGS: tuple[Setting[Any], ...] = (FIND, PAIRS, RHO, ALPHA, RHOS)

_RHO_STEPS = (*(round(lead * 10.0**power, 6) for power in (-4, -3, -2, -1) for lead in (1, 1.5, 2, 3, 5, 7)), 1.0)
_ALPHA_STEPS = (*(round(0.05 * each, 2) for each in range(2, 19)), 0.95, 0.98, 0.99, 0.995, 0.999, 0.9999)
_THEOREM_5 = "par-theorem-5"
_FIND_WORDS = {"samples": "pairs", "alpha": "probability α", "rho": "distance ρ"}


def draw() -> None:
    """Draw the section."""
    main, side = chart_and_controls()
    with side:
        rhos = _controls()
    with main:
        find = FIND.value()
        found = _found()
        _answer(found)
        if not rhos:
            st.info("Add at least one distance ρ to see its curve.")
            _what_it_is_worth(found)
            return

        def figure() -> Drawing:
            now = _found()
            curves = samples_curves(rhos, risk=risks_down_to(min(max(now.risk, 1e-9), 1.0)))
            return paper_switch.shown(figures.samples_needed_figure(curves, own=now), PAPER_ONLY)

        chart(
            figure,
            "samples_needed",
            dials=[each for each, name in ((RHO, "rho"), (ALPHA, "alpha")) if name != find],
            headline=lambda: _headline(_found()),
            alt=(
                f"Number of pairs against the risk 1 − α, one curve for each distance ρ: {', '.join(f'{each:g}' for each in rhos)}. "
                f"Marked: {found.samples:,} pairs, ρ = {found.rho:g}, α = {found.tolerance:g}."
            ),
            notes={"source": SamplesCurve.source, "exact": SamplesCurve.exact_source},
        )
        _what_it_is_worth(found)
        st.caption("A ten times smaller ρ takes a hundred times as many pairs. The solid curve is the exact count.")
        formula_expander("samples_needed", formulas.SAMPLES)


def _controls() -> list[float]:
    find = controls.choice(FIND, hint="Any two of the three give the third.", words=_FIND_WORDS.__getitem__)
    if find != "samples":
        controls.whole(PAIRS, hint=explain("pairs"))
    if find != "rho":
        dial(RHO, hint=explain("rho"), steps=_RHO_STEPS)
    if find != "alpha":
        dial(ALPHA, hint=explain("alpha"), steps=_ALPHA_STEPS)
    rhos = controls.number_list(RHOS, hint=explain("rho"), offers=("0.0001", "0.001", "0.01", "0.1"))
    controls.button("Figure 2", _as_published, hint="As in the paper: ρ = 0.0001, 0.001, 0.01 and 0.1.")
    paper_switch.draw(PAPER_ONLY)
    return rhos


def _as_published() -> None:
    for each in SETTINGS:
        each.put(each.default)


def _found() -> SamplesAt:
    find = FIND.value()
    return samples_at(
        samples=None if find == "samples" else PAIRS.value(),
        rho=None if find == "rho" else RHO.value(),
        wanted=None if find == "alpha" else ALPHA.value(),
    )


def _headline(found: SamplesAt) -> str:
    too_few = f"## {_pairs(found.samples)} {'is' if found.samples == 1 else 'are'} too few for"
    if not found.says_something:
        return f"{too_few} a distance of ρ = {amount(found.rho, 4)}"
    if found.rho >= 1:
        return f"{too_few} a statement with probability α = {percent(found.tolerance)}"
    sure = told("within {found.rho} of the truth with {found.tolerance} certainty", found=found)
    return f"## {_pairs(found.samples)} bring{'s' * (found.samples == 1)} the sampled curve {sure}"


def _answer(found: SamplesAt) -> None:
    st.markdown(_headline(found), help=explain("sampled_curve"))
    if not found.says_something:
        paragraph("Take more pairs, or a larger distance.", standing_of=tolerance, help=badges.legend())
    elif found.rho >= 1:
        paragraph(
            "Take more pairs, or a smaller probability: the inequality allows a distance of "
            f"{told('{found.rho}', found=found)}, and no two such curves are further apart than 1.",
            standing_of=tolerance,
            help=badges.legend(),
        )
    else:
        st.markdown(
            f"{badges.of(tolerance)} for independent pairs of tables that differ in one person; the curve shows how far their answers "
            "differ.",
            help=badges.legend(),
        )


def _what_it_is_worth(found: SamplesAt) -> None:
    """Say what the largest sampled value covers, exactly and as the paper concludes."""
    needed, enough = found.samples_for_largest, ""
    if needed is not None and found.says_something:
        enough = f"; to be {{found.tolerance}} sure, **{_pairs(needed)}** {'is' if needed == 1 else 'are'} enough"
    st.markdown("Drawn from one table, the pairs speak of that table, not of other people.")
    paragraph(
        f"Counted exactly, the largest of {_pairs(found.samples)} is not exceeded by {{covered}} of all possible pairs with a "
        f"probability of at least **{{found.share_covered}}**{enough}. The distance ρ is about the whole curve, not the largest value.",
        covered=found.as_quantity("covered", max(1.0 - found.rho, 0.0)),
        found=found,
    )
    if not found.says_something:
        return
    words = "Theorem 5 of the paper takes α for the confidence in the largest value: {claimed}. " + (
        "Its proof forgets ρ, yet here that is no more than the true average, {found.mean_coverage}."
        if found.claim_holds
        else "**Here that is false**: without ties it covers {found.mean_coverage} of all pairs on average, whatever ρ is."
    )
    claimed = replace(found.as_quantity("claimed", found.tolerance), holds=found.claim_holds)
    paragraph(words, claimed=claimed, found=found, help=badges.legend(_THEOREM_5))


def _pairs(count: int) -> str:
    return counted(count, "pair")
