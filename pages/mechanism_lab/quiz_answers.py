"""What was answered in the quiz, in this session alone: the fields, what was typed, and how many answers were right."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from par_core.errors import ParameterError
from par_core.lab.quiz import Question
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.quiz import hints

_SEAT = "_quiz_seat"  # in the session


def is_told(question: Question, *, right: bool = True) -> bool:
    """Return whether the answer was asked for, or, unless that does not count, given right."""
    return not {"shown", *["right"] * right}.isdisjoint(_memory(question))


def offer_answer(question: Question, seen: Callable[[], object] = lambda: None) -> None:
    """Draw the button that shows the answer, and tell `seen` when it is pressed."""

    def show() -> None:
        show_again(question)
        seen()

    st.button("Show the answer", on_click=show)


def give_right(question: Question) -> None:
    """In a callback: note that a question was answered right before, where the session began anew."""
    _memory(question)["right"] = True


def show_again(question: Question) -> None:
    """In a callback: note that the answer to a question was asked for."""
    _memory(question)["shown"] = True


def sit(ticket: str) -> None:
    """Let what follows be about the answers from a seat of a class, or from none: others may have the same numbers."""
    st.session_state[_SEAT] = ticket


def tries(question: Question) -> int:
    """Return how many wrong answers were given."""
    return int(_memory(question).get("wrong", 0))


def fields(question: Question, heard: Callable[[bool], object]) -> None:
    """Draw the fields for the answer, what became of what was typed, and a hint for each wrong answer; whether it is right is `heard`."""
    with st.form(f"quiz_{question.key}", border=False):
        for name, label in question.labels.items():
            key, typed = _field(question, name), _memory(question).get(name, "")
            st.session_state.setdefault(key, typed)  # Streamlit forgets a field that was not drawn for a while
            st.text_input(label, key=key, help=explain("quiz_answer"), autocomplete="off")
        st.form_submit_button("Check", on_click=_check, args=(question, heard))
    wrong = _memory(question).get("verdicts")
    if wrong is not None and not (wrong and "shown" in _memory(question)):
        (st.info if wrong else st.success)("  \n".join(wrong) or "Right.")
    if not is_told(question):
        for hint in hints(question)[: tries(question)]:
            st.markdown(f"**Hint:** {hint}")


def _check(question: Question, heard: Callable[[bool], object]) -> None:
    """Note what was typed and whether it is right; what is not yet is named where several numbers are asked for."""
    memory, verdicts, is_number = _memory(question), [], True
    before = [memory.get(name) for name in question.labels]
    for name, label in question.labels.items():
        memory[name] = st.session_state[_field(question, name)]
        of = f"{label.split(',')[0]}: " if len(question.labels) > 1 else ""
        share = question.answers[name].kind in ("share", "points")
        example = "0.36, 36 % or 0,36" if share else "51 or 1.1, without a sign"
        try:
            if not question.accepts(name, memory[name]):
                verdicts.append(f"{of}not yet." if of else "Not yet.")
        except ParameterError:
            is_number = False
            verdicts.append(f"{of}no number such as {example}." if of else f"Write a number such as {example}.")
    memory["verdicts"] = verdicts
    is_same = before == [memory[name] for name in question.labels]
    if "shown" in memory or not is_number or is_same:
        return
    if not verdicts:
        memory["right"] = True
    elif "right" not in memory:
        memory["wrong"] = tries(question) + 1
    heard(not verdicts)


def score(questions: Sequence[Question], *, at_end: bool) -> None:
    """Say how many answers were right, and at the end which are still open."""
    every = len(questions)
    still = [str(at) for at, each in enumerate(questions, start=1) if "right" not in _memory(each)]
    left = f". Still open: {', '.join(still)}." if at_end and 0 < len(still) < every else ""
    st.markdown(f"**{every - len(still)} of {every}** right{left}")


def _memory(question: Question) -> dict[str, Any]:
    every: dict[str, dict[str, Any]] = st.session_state.setdefault("_quiz", {})
    return every.setdefault(_name(question), {})


def _name(question: Question) -> str:
    return " ".join([st.session_state.get(_SEAT, ""), question.key, *(f"{each:g}" for each in question.given.values())])


def _field(question: Question, name: str) -> str:
    return f"quiz {_name(question)} {name}"
