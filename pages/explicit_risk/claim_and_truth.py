"""Claim and truth: which releases are simulated over the curves."""

import streamlit as st

from pages.explicit_risk.risk_settings import choose_epsilon
from pages.shared import controls, settings
from par_core.questions.explicit_risk.any_mechanism import LossOfMechanism
from par_core.questions.explicit_risk.claim_and_truth import ClaimAndTruth, SimulatedLosses
from par_core.questions.question import Question
from par_core.scenario import Scenario

SPREAD = settings.choice("spread", "The change lies", ("one", "even"))
SIZE = settings.choice("size", "Releases to simulate", ("10000", "100000", "1000000"), "100000")
SEED = settings.whole("seed", "Seed", 1, at_least=0, at_most=2**31)

_SPREAD_WORDS = {"one": "in one number", "even": "evenly in all k"}
_WANTED = "_simulated_losses"  # in the session: what was simulated last


def ask(scenario: Scenario) -> Question:
    epsilon = choose_epsilon()
    if not scenario.as_published:
        return LossOfMechanism(scenario, epsilon)
    st.markdown("**Simulate releases**")
    size = controls.choice(SIZE, words=lambda text: f"{int(text):,}", hint="More releases give narrower intervals.")
    spread = "How one person's change is spread over the k numbers."
    even = controls.choice(SPREAD, words=_SPREAD_WORDS.__getitem__, hint=spread) == "even"
    seed = controls.whole(SEED, hint="The same seed gives the same simulation.")
    # Of the scenario these alone have a part in it.
    drawn_from = Scenario(epsilon0=scenario.epsilon0, k=scenario.k)
    simulated = SimulatedLosses(drawn_from, even and scenario.k > 1, int(size), seed)
    if st.button("Simulate"):
        st.session_state[_WANTED] = simulated
    return ClaimAndTruth(scenario, epsilon, simulated if st.session_state.get(_WANTED) == simulated else None)
