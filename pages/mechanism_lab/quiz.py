"""Quiz: twelve questions with numbers to work out, for a reader alone, before an audience, and for a class."""

from functools import partial
from secrets import randbelow
from typing import Any

import streamlit as st

from pages.mechanism_lab.lab_settings import DELTA, EPSILON
from pages.mechanism_lab.quiz_words import WORDS, asked, detail, explanation, link_settings
from pages.shared import controls, downloads, navigation, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.layout import chart_and_controls
from pages.shared.say import told
from pages.shared.scenario_sidebar import PRESENT
from par_core.errors import ParameterError
from par_core.figures import quiz as figures
from par_core.lab import quiz
from par_core.lab.quiz import LARGEST_CLASS, STUDENTS, Question
from par_core.questions.glossary import explain
from par_core.rounding import small

QUESTION = settings.whole("lq", "Question", 1, at_least=1, at_most=12)
NUMBERS = settings.choice("lqn", "Numbers", ("mine", "lecture", "class"))
CLASS = settings.whole("lqc", "Class seed", 1, at_least=0, at_most=LARGEST_CLASS)
STUDENT = settings.whole("lqs", "Student", 0, at_least=0, at_most=STUDENTS)  # 0: to be drawn
TEACHES = settings.unlinked(settings.switch("lqt", "I teach this class"))

_NUMBER_WORDS = {"mine": "Mine", "lecture": "Lecture’s", "class": "Class"}


def draw() -> None:
    questions = _questions()
    question = questions[_place()]
    main, side = chart_and_controls()
    if PRESENT.value():
        with side:
            _choose_question()
        with main:
            _present(question)
        return
    with side:
        _choose_question()
        _ask(question)
        _score(questions)
        _choose_numbers(questions)
    with main:
        answered = _answered(question)
        st.markdown(f"## {asked(question)}")
        st.markdown(detail(question))
        _draw(question, answered=answered)
        if answered:
            st.markdown(explanation(question))
            _link(question)


def _questions() -> tuple[Question, ...]:
    if NUMBERS.value() == "class":
        return quiz.of_student(CLASS.value(), _student())
    return quiz.lecture() if NUMBERS.value() == "lecture" else quiz.own(EPSILON.value(), DELTA.value())


def _student() -> int:
    """Return whose numbers are asked: drawn where no link or reader has named one; of a teacher, whose link names none, the first's."""
    if TEACHES.value():
        STUDENT.put(0)
    elif STUDENT.value() == 0:
        STUDENT.put(randbelow(STUDENTS) + 1)
    return STUDENT.value() or 1


def _place() -> int:
    return QUESTION.value() - 1


def _choose_question() -> None:
    dial(QUESTION, hint=explain("quiz_question"), steps=tuple(range(1, 13)))


# --- one question ------------------------------------------------------------------------------------------------------


def _ask(question: Question) -> None:
    with st.form(f"quiz_{question.key}", border=False):
        for name, label in question.labels.items():
            key, typed = _field(question, name), _memory(question).get(name, "")
            st.session_state.setdefault(key, typed)  # Streamlit forgets a field that was not drawn for a while
            st.text_input(label, key=key, help=explain("quiz_answer"), autocomplete="off")
        st.form_submit_button("Check", on_click=_check, args=(question,))
    wrong = _memory(question).get("verdicts")
    if wrong is not None and not (wrong and _is(question, "shown")):
        (st.info if wrong else st.success)("  \n".join(wrong) or "Right.")
    with st.container(horizontal=True):
        if not _answered(question):
            st.button("Show the answer", on_click=_mark, args=(question, "shown"))
        if QUESTION.value() < 12:
            st.button("Next question", on_click=QUESTION.put, args=(QUESTION.value() + 1,))


def _check(question: Question) -> None:
    """Note what was typed and whether it is right; what is not yet is named where several numbers are asked for."""
    memory, verdicts = _memory(question), []
    for name, label in question.labels.items():
        memory[name] = st.session_state[_field(question, name)]
        of = f"{label.split(',')[0]}: " if len(question.labels) > 1 else ""
        example = (
            "0.36, 36 % or 0,36" if question.answers[name].kind in ("share", "points") else "51 or 1.1, without a sign"
        )
        try:
            if not question.accepts(name, memory[name]):
                verdicts.append(f"{of}not yet." if of else "Not yet.")
        except ParameterError:
            verdicts.append(f"{of}no number such as {example}." if of else f"Write a number such as {example}.")
    memory["verdicts"] = verdicts
    if not verdicts and not _is(question, "shown"):
        _mark(question, "right")


def _draw(question: Question, *, answered: bool) -> None:
    picture = quiz.picture(question)
    drawing = figures.question(picture, answered=answered)
    right = told("the answer is {answer}.", answer=picture.answer) if answered else "the answer is not shown yet."
    chart(
        drawing,
        "quiz_picture",
        alt=f"{drawing.layout['xaxis']['title']['text']} {picture.at:g}: {right}",
        compact=not answered,
        notes={"source": picture.source},
    )


def _link(question: Question) -> None:
    words = WORDS[question.key]
    address = {"tab": words.tab, **{key: str(value) for key, value in link_settings(question).items()}}
    st.page_link(navigation.entry(words.module), label=f":primary[{words.link} →]", query_params=address)


def _present(question: Question) -> None:
    """Before an audience: the question, its answer once it is asked for, and the picture."""
    st.markdown(f"## {_place() + 1} of 12: {asked(question)}")
    with st.container(key="presented"):
        if _is(question, "shown"):
            st.markdown(explanation(question))
        else:
            st.markdown(detail(question))
            st.button("Show the answer", on_click=_mark, args=(question, "shown"))
    _draw(question, answered=_is(question, "shown"))


# --- what was answered, in this session alone --------------------------------------------------------------------------


def _memory(question: Question) -> dict[str, Any]:
    every: dict[str, dict[str, Any]] = st.session_state.setdefault("_quiz", {})
    return every.setdefault(_name(question), {})


def _name(question: Question) -> str:
    return " ".join([question.key, *(f"{each:g}" for each in question.given.values())])


def _field(question: Question, name: str) -> str:
    return f"quiz {_name(question)} {name}"


def _is(question: Question, state: str) -> bool:
    return state in _memory(question)


def _answered(question: Question) -> bool:
    return _is(question, "right") or _is(question, "shown")


def _mark(question: Question, state: str) -> None:
    _memory(question)[state] = True


def _score(questions: tuple[Question, ...]) -> None:
    still = [str(at) for at, each in enumerate(questions, start=1) if not _is(each, "right")]
    left = f" Still open: {', '.join(still)}." if QUESTION.value() == 12 and 0 < len(still) < 12 else ""
    st.markdown(f"**{12 - len(still)} of 12** right.{left}" if left else f"**{12 - len(still)} of 12** right")


# --- whose numbers -----------------------------------------------------------------------------------------------------


def _choose_numbers(questions: tuple[Question, ...]) -> None:
    chosen = controls.choice(NUMBERS, hint=explain("quiz_numbers"), words=_NUMBER_WORDS.__getitem__)
    if chosen == "mine":
        used = {
            name: value for each in questions for name, value in each.given.items()
        }  # last of all ε and δ themselves
        near = (used["epsilon"], used["delta"]) == (EPSILON.value(), DELTA.value())
        nearest = "" if near else ", the nearest to yours at which answers differ"
        st.caption(f"Asked about ε = {used['epsilon']:.4g} and δ = {small(used['delta'])}{nearest}.")
    if chosen != "class":
        return
    controls.whole(CLASS, hint=explain("quiz_class"))
    if not TEACHES.value():
        controls.whole(STUDENT, hint=explain("quiz_student"))
    controls.switch(TEACHES, hint=explain("quiz_teaches"))
    if TEACHES.value():
        _teach(CLASS.value())


def _teach(seed: int) -> None:
    """Draw what a class is not shown: its answers, and how it gets its link."""
    head = downloads.linked({"title": f"Answers of class {seed}", "counts as right": "what is within 1 %"})
    downloads.button(
        "Answer sheet",
        partial(_sheet, seed, head),
        f"quiz_class_{seed}.csv",
        key="csv_quiz_sheet",
        hint=f"The answers of all {STUDENTS} students, computed when you click.",
    )
    st.caption(
        "Copy the link for the class: whoever opens it gets one of the students’ numbers, drawn, and can compute the answers. It is "
        "for practice, not for marks."
    )


def _sheet(seed: int, head: dict[str, str]) -> str:
    return downloads.as_csv(quiz.answer_sheet(seed), head)
