"""The published risk over the exact probabilities, simulated releases on top, a change that is known, and Theorem 2."""

import streamlit as st

from pages.explicit_risk import any_mechanism, change_editor, formulas
from pages.explicit_risk.published_risk import (
    DIALS,
    EPSILON,
    choose_epsilon,
    claim_and_truth,
    headline,
    risk_now,
    why_they_differ,
)
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from par_core.questions.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph
from pages.shared.settings import present_scenario
from par_core.figures import explicit_risk as figures
from par_core.figures.drawing import Drawing
from par_core.risk import explicit_curves, relaxations
from par_core.risk.simulation import LossSimulation

SPREAD = settings.choice("spread", "The change lies", ("one", "even"))
SIZE = settings.choice("size", "Releases to simulate", ("10000", "100000", "1000000"), "100000")
SEED = settings.whole("seed", "Seed", 1, at_least=0, at_most=2**31)

_SPREAD_WORDS = {"one": "in one number", "even": "evenly in all k"}


def draw() -> None:
    if not present_scenario().as_published:
        any_mechanism.draw_truth()
        return
    main, side = chart_and_controls()
    with side:
        choose_epsilon()
        st.markdown("**Simulate releases**")
        controls.choice(SIZE, words=lambda text: f"{int(text):,}", hint="More releases give narrower intervals.")
        spread = "How one person's change is spread over the k numbers."
        controls.choice(SPREAD, words=_SPREAD_WORDS.__getitem__, hint=spread)
        controls.whole(SEED, hint="The same seed gives the same simulation.")
        wanted = st.button("Simulate")
    with main:
        claim_and_truth()
        own, simulated = risk_now(), _simulation(wanted, st.empty())

        def figure() -> Drawing:
            now = risk_now()
            kept = simulated if now.epsilon0 == own.epsilon0 else None
            return figures.truth(explicit_curves.truth(now.epsilon0, now.k), own=now, simulated=kept)

        chart(
            figure,
            "claim_against_truth",
            alt="Published risk and exact probabilities against ε for ε₀ = {own.epsilon0:g}. At ε = {own.epsilon:g}: published {own.risk}, "
            "exact {own.exact_risk}.",
            own=own,
            dials=DIALS,
            headline=headline,
            about=str(simulated is not None),
            notes={"source": explicit_curves.TruthCurves.source},
        )
        why_they_differ()
        st.caption(explain("loss"))
        if simulated is not None:
            _simulated(simulated)
        change_editor.draw(own.epsilon)
        _theorem_2()
        formula_expander("claim_against_truth", formulas.TRUTH)


def _simulation(wanted: bool, room: st.delta_generator.DeltaGenerator) -> LossSimulation | None:
    """Run the simulation when it is asked for; afterwards it stays on the chart for as long as it belongs to the setting."""
    scenario, session = present_scenario(), st.session_state
    even, size, seed = scenario.k > 1 and SPREAD.value() == "even", int(SIZE.value()), SEED.value()
    asked = (scenario.epsilon0, scenario.k, even, size, seed)
    if wanted:
        bar = room.progress(0.0, "Simulating")

        def tell(share: float) -> None:
            bar.progress(share, "Simulating")

        drawn = explicit_curves.simulate(scenario.epsilon0, scenario.k, even=even, size=size, seed=seed, progress=tell)
        room.empty()
        session["_simulation"] = (asked, drawn)
    last, found = session.get("_simulation", (None, None))
    result: LossSimulation | None = found if last == asked else None
    return result


def _simulated(simulated: LossSimulation) -> None:
    """Say what the points are, and why they may lie below the curves."""
    words = (
        f"{simulated.size:,} simulated releases; each bar holds the truth with 99\u00a0% probability, on its own, not all at once. "
        f"{badges.of(simulated)}"
    )
    if simulated.k > 1 and SPREAD.value() == "even":
        words += (
            f" The change is spread evenly over {simulated.k:,} numbers; the solid curves are for the worst case, in which it is in "
            "one, so the points may lie below them."
        )
    if simulated.size < int(SIZE.value()):
        words += f" More than {simulated.size:,} releases of {simulated.k:,} numbers each would take too long here."
    st.markdown(words)


def _theorem_2() -> None:
    scenario, epsilon = present_scenario(), EPSILON.value()
    if epsilon >= scenario.epsilon0:
        return
    with st.expander("For specialists: Theorem 2 and δ", key="theorem_2", on_change="rerun") as expander:
        if not expander.open:
            return
        claim = relaxations.approximate_delta(epsilon, scenario.epsilon0, k=scenario.k)
        verdict = (
            "The claim is too small: it is false here."
            if claim.published < claim.exact
            else "The claim happens to be large enough here, but this does not prove it."
        )
        paragraph(
            "Theorem 2 turns a risk into the δ of (ε, δ)-DP. It is sound for a fixed pair of tables and the "
            "true risk. Fed with the risk of Theorem 4 it claims δ = {claim.published} at {epsilon:level}; the smallest δ that holds "
            f"is {{claim.exact}}. {verdict}",
            claim=claim,
            epsilon=epsilon,
            help=badges.legend("par-theorem-2-with-theorem-4"),
        )
