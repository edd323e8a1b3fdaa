"""The change of one person that is known number by number, and the exact risk of a release that goes with it."""

import streamlit as st

from pages.shared import asked
from pages.shared.page import Section
from pages.shared.settings import Setting
from pages.shared.words import as_sentence, letters
from par_core.composition import used_share
from par_core.errors import InfeasibleError, ParameterError
from par_core.questions.explicit_risk.claim_and_truth import ClaimAndTruth
from par_core.questions.explicit_risk.known_change import KnownChange
from par_core.questions.glossary import explain
from par_core.questions.question import Answer
from par_core.scenario import Scenario, is_decimal
from par_core.scenario import exact_text as in_full

Shares = tuple[float, ...]
MOST = 20


def _read(text: str) -> Shares:
    parts = [part.strip() for part in text.split(",") if part.strip()]
    if not 1 <= len(parts) <= MOST:
        raise ParameterError(f"the shares must be from 1 to {MOST} numbers with commas between them, got {len(parts)}")
    for part in parts:
        if not is_decimal(part):
            raise ParameterError(f"the shares must be numbers with a point for decimals, got {part[:40]!r}")
    shares = tuple(float(part) for part in parts)
    if min(shares) < 0:
        raise ParameterError(f"each share must be at least 0, got {min(shares):g}")
    used_share(shares)
    return shares


SHARES: Setting[Shares] = Setting(
    "shares", "Shares of the change", (0.5, 0.3, 0.2), _read, lambda shares: ",".join(in_full(each) for each in shares)
)


def draw(section: Section, answer: Answer) -> None:
    """Draw the editor, and below it the answer for the change that it holds."""
    with st.expander("If you know how one person moves the answer", key="known_change", on_change="rerun") as expander:
        question = answer.question
        if expander.open and isinstance(question, ClaimAndTruth):
            try:
                asked.tell(section, ask(question.scenario, question.epsilon))
            except InfeasibleError as error:
                st.info(as_sentence(str(error)))


def ask(scenario: Scenario, epsilon: float) -> KnownChange:
    """Draw the list of shares; returns the question about them. One that cannot be used is named, and the last good one stays in force."""
    session, typed, in_force = st.session_state, "_shares_typed", "_shares_in_force"
    present = SHARES.value()
    if session.get(in_force) != present or typed not in session:
        session[typed], session[in_force] = ", ".join(in_full(each) for each in present), present

    def on_typed() -> None:
        try:
            session[in_force] = _read(session[typed])
        except ParameterError:
            return  # named below the field
        SHARES.put(session[in_force])

    label, hint = "Shares of the change, one for each number", explain("shares")
    st.text_input(label, key=typed, on_change=on_typed, help=hint, persist_state="session")
    try:
        _read(session[typed])
    except ParameterError as error:
        st.error(f"This cannot be used: {letters(str(error))}. The last list that could be used stays in force.")
    return KnownChange(scenario, epsilon, present)
