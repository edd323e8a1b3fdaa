"""Quiz: which question is asked with whose numbers, what was answered, and what only a teacher sees."""

from dataclasses import replace
from secrets import randbelow

import streamlit as st

from pages.mechanism_lab import quiz_answers
from pages.mechanism_lab.lab_settings import DELTA, EPSILON, toy_setting
from pages.mechanism_lab.quiz_links import LINKS, address
from pages.shared import badges, chart, controls, downloads, navigation, settings
from pages.shared.dial import dial
from pages.shared.page import Section
from pages.shared.scenario_sidebar import PRESENT
from par_core.lab.quiz import STUDENTS, answer_sheet
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.quiz import WHOSE, QuizAnswer, QuizQuestion
from par_core.rounding import small
from par_core.scenario import Scenario

QUESTION = toy_setting("lq", QuizQuestion, "number")
NUMBERS = settings.choice("lqn", "Numbers", tuple(WHOSE))
CLASS = toy_setting("lqc", QuizQuestion, "seed")
STUDENT = settings.whole("lqs", "Student", 0, at_least=0, at_most=STUDENTS)  # 0: to be drawn
TEACHES = settings.unlinked(settings.switch("lqt", "I teach this class"))

_LAST = len(LINKS)


def ask(scenario: Scenario) -> QuizQuestion:
    whose = NUMBERS.value()
    levels = settings.own(EPSILON, EPSILON.value()), settings.own(DELTA, DELTA.value())
    number = int(dial(QUESTION, hint=explain("quiz_question"), steps=tuple(range(1, _LAST + 1))))
    student = _student() if whose == "class" else QuizQuestion.student
    question = QuizQuestion(scenario, *levels, number, whose, CLASS.value(), student)
    asked = question.asked
    if PRESENT.value():
        return replace(question, answered=quiz_answers.is_told(asked, right=False), for_audience=True)
    quiz_answers.fields(asked)
    with st.container(horizontal=True):
        if not quiz_answers.is_told(asked):
            quiz_answers.offer_answer(asked)
        if number < _LAST:
            st.button("Next question", on_click=QUESTION.put, args=(number + 1,))
    quiz_answers.score(question.questions, at_end=number == _LAST)
    _choose_numbers(question)
    return replace(question, answered=quiz_answers.is_told(asked))


def _student() -> int:
    """Return whose numbers are asked: drawn where no link or reader has named one; of a teacher, whose link names none, the first's."""
    if TEACHES.value():
        STUDENT.put(0)
    elif STUDENT.value() == 0:
        STUDENT.put(randbelow(STUDENTS) + 1)
    return STUDENT.value() or 1


def _draw_picture(_: Section, answer: QuizAnswer) -> None:
    """Draw the picture without its data: they hold the answer."""
    drawing, alt, source = answer.drawing, answer.alt.told(), answer.picture.source
    height = drawing.layout["height"]
    chart.show("quiz_picture", drawing.to_json(), height=height, alt=alt, source=source, compact=True)


def _link(_: Section, answer: QuizAnswer) -> None:
    link = LINKS[answer.found.key]
    label, query = f":primary[{link.label} →]", address(answer.found)
    st.page_link(navigation.entry(link.module), label=label, query_params=query)


def _present(_: Section, answer: QuizAnswer) -> None:
    """Before an audience: draw the answer once it is asked for."""
    answered = answer.question.answered
    with st.container(key="presented"):
        st.markdown((answer.explanation if answered else answer.detail).marked(badges.of))
        if not answered:
            quiz_answers.offer_answer(answer.found)


OWN = {"picture": _draw_picture, "link": _link, "presented": _present}


def _choose_numbers(question: QuizQuestion) -> None:
    chosen = controls.choice(NUMBERS, hint=explain("quiz_numbers"), words=WHOSE.__getitem__)
    if chosen == "mine":
        # Last of all ε and δ themselves.
        used = {name: value for each in question.questions for name, value in each.given.items()}
        near = (used["epsilon"], used["delta"]) == (question.level, question.aim)
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
        lambda: downloads.as_csv(answer_sheet(seed), head),
        f"quiz_class_{seed}.csv",
        key="csv_quiz_sheet",
        hint=f"The answers of all {STUDENTS} students, computed when you click.",
    )
    st.caption(
        "Copy the link for the class: whoever opens it gets one of the students’ numbers, drawn, and can compute the answers. It is "
        "for practice, not for marks."
    )
