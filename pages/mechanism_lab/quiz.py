"""Quiz: which question is asked with whose numbers, what was answered, and what becomes of a class."""

from dataclasses import replace
from functools import partial
from secrets import randbelow

import streamlit as st

from pages.mechanism_lab import class_leader, classroom, quiz_answers
from pages.mechanism_lab.lab_settings import DELTA, EPSILON, toy_setting
from pages.mechanism_lab.quiz_links import LINKS, address
from pages.shared import badges, chart, controls, navigation, settings
from pages.shared.dial import dial
from pages.shared.page import Section
from pages.shared.scenario_sidebar import talk_is_on
from par_core.lab.quiz import STUDENTS
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.class_progress import ClassProgress
from par_core.questions.mechanism_lab.quiz import WHOSE, QuizAnswer, QuizQuestion
from par_core.rounding import small
from par_core.scenario import Scenario

QUESTION = toy_setting("lq", QuizQuestion, "number")
NUMBERS = settings.choice("lqn", "Numbers", tuple(WHOSE))
CLASS = toy_setting("lqc", QuizQuestion, "seed")
STUDENT = settings.whole("lqs", "Student", 0, at_least=0, at_most=STUDENTS)  # 0: to be drawn

_LAST = len(LINKS)


def ask(scenario: Scenario) -> QuizQuestion | ClassProgress:
    whose = NUMBERS.value()
    place = classroom.place(classroom.CODE.value()) if whose == "class" else None
    if place and not place.seat:
        if not talk_is_on():
            _choose_numbers()
            class_leader.lead(place.classroom)
        return ClassProgress(scenario, place.classroom.progress())
    levels = settings.own(EPSILON, EPSILON.value()), settings.own(DELTA, DELTA.value())
    number = int(dial(QUESTION, hint=explain("quiz_question"), steps=tuple(range(1, _LAST + 1))))
    seat = place and place.seat
    quiz_answers.sit(seat.ticket if seat else "")
    if seat:
        seed, student = seat.seed, seat.student
    else:
        if whose == "class" and STUDENT.value() == 0:  # no link or reader has named one
            STUDENT.put(randbelow(STUDENTS) + 1)
        seed, student = CLASS.value(), STUDENT.value() if whose == "class" else QuizQuestion.student
    question = QuizQuestion(scenario, *levels, number, whose, seed, student, in_class=seat is not None)
    asked = question.asked
    if talk_is_on():
        return replace(question, answered=quiz_answers.is_told(asked, right=False), for_audience=True)
    quiz_answers.fields(asked, partial(place.hear, number) if place else lambda _: None)
    with st.container(horizontal=True):
        if not quiz_answers.is_told(asked) and (not seat or quiz_answers.tries(asked) > 1):
            quiz_answers.offer_answer(asked, partial(place.see, number) if place else lambda: None)
        if number < _LAST:
            st.button("Next question", on_click=QUESTION.put, args=(number + 1,))
    quiz_answers.score(question.questions, at_end=number == _LAST)
    _choose_numbers(question)
    if place and seat:
        ended = "" if place.classroom.is_open else " It has ended: answers count for you alone."
        st.caption(f"You are student {seat.number} of class {place.classroom.code}.{ended}")
    elif whose == "class":
        _class_apart()
    return replace(question, answered=quiz_answers.is_told(asked))


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
    with st.container(key="presented", horizontal=True, vertical_alignment="center"):
        st.markdown((answer.explanation if answered else answer.detail).marked(badges.of))
        if not answered and not answer.question.in_class:
            quiz_answers.offer_answer(answer.found)


OWN = {"picture": _draw_picture, "link": _link, "presented": _present} | class_leader.OWN


def _choose_numbers(question: QuizQuestion | None = None) -> None:
    chosen = controls.choice(NUMBERS, hint=explain("quiz_numbers"), words=WHOSE.__getitem__)
    if question and chosen == "mine":
        # Last of all ε and δ themselves.
        used = {name: value for each in question.questions for name, value in each.given.items()}
        near = (used["epsilon"], used["delta"]) == (question.level, question.aim)
        nearest = "" if near else ", the nearest to yours at which answers differ"
        st.caption(f"Asked about ε = {used['epsilon']:.4g} and δ = {small(used['delta'])}{nearest}.")


def _class_apart() -> None:
    """Draw the way into a class that one leads, and whose numbers of a class without a lesson are asked."""
    controls.button("Open a class", classroom.open_class, hint=explain("quiz_class_opened"))
    controls.whole(CLASS, hint=explain("quiz_class"))
    controls.whole(STUDENT, hint=explain("quiz_student"))
