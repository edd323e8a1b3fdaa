"""A class of the quiz: who opened it leads it, who comes by its link gets a seat; all of it stays in the memory of this process."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import streamlit as st

from pages.mechanism_lab import quiz_answers
from pages.shared.component import component
from pages.shared.error_reports import UnreadyError
from pages.shared.settings import Setting
from par_core.errors import ParameterError
from par_core.lab.classroom import MOST_SEATS, Classroom, Register, Seat
from par_core.lab.quiz import of_student

REGISTER = Register()
PLACE, _FULL = "_class", "_class_full"  # in the session
_LONGEST = 40  # letters of a key

_door = component("class_door", js=Path(__file__).with_name("class_door.js").read_text(encoding="utf-8"))


def _read(text: str) -> str:
    """Return the code of a class that is open, in large letters; behind it, of who leads the class, its key."""
    if not text:
        return text
    code, dash, key = text.partition("-")
    classroom = REGISTER.find(code)
    if classroom is None:
        raise ParameterError(f"no class that is open has this code, got {text[:40]!r}")
    return classroom.code + dash + key[:_LONGEST]


_OPENS = {"tab": "quiz", "lqn": "class"}
CODE: Setting[str] = Setting("class", "Class", "", _read, str, only_here=True, opens=_OPENS)


@dataclass(frozen=True)
class Place:
    """Where a reader is: in a class, on a seat of it, or without one where they lead it."""

    classroom: Classroom
    seat: Seat | None

    def hear(self, question: int, right: bool) -> None:
        """Note an answer from this seat."""
        assert self.seat
        self.classroom.record(self.seat, question, right=right)

    def see(self, question: int) -> None:
        """Note that an answer was shown at this seat."""
        assert self.seat
        self.classroom.show(self.seat, question)


def open_class() -> None:
    """In a callback: open a class that this reader leads."""
    classroom = REGISTER.open()
    st.session_state[PLACE] = Place(classroom, None)
    CODE.put(classroom.code)


def place(link: str) -> Place | None:
    """Return where the reader is in the class of their link, if there is one; the first time their browser is asked for their seat."""
    code, _, key = link.partition("-")
    if not code:
        return None
    here: Place | None = st.session_state.get(PLACE)
    if here is None or here.classroom.code != code:
        here = None
    elif here.seat is None and not here.classroom.is_open:
        CODE.put("")
        return None
    with st.container(key="hidden_class_door"):
        kept = (here.seat.ticket if here.seat else here.classroom.key) if here else ""
        _door(key="class_door", data={"code": code, "keep": kept}, on_held_change=partial(_come_in, code, key))
    if here is None:
        full = st.session_state.get(_FULL) == code
        raise UnreadyError(f"This class is full: {MOST_SEATS} joined." if full else "Your numbers are on their way.")
    return here


def _come_in(code: str, key: str) -> None:
    """Take the reader to where they were, or to the next free seat."""
    door = st.session_state.get("class_door")  # gone where the page is left at this moment
    classroom, here = REGISTER.find(code), st.session_state.get(PLACE)
    CODE.put(code if classroom else "")
    if classroom is None or door is None or (here and here.classroom is classroom):
        return
    held = str(door["held"])[:_LONGEST]
    if classroom.is_led_by(key) or classroom.is_led_by(held):
        st.session_state[PLACE] = Place(classroom, None)
    elif seat := classroom.join(held):
        st.session_state[PLACE] = Place(classroom, seat)
        asked = of_student(seat.seed, seat.student)
        quiz_answers.sit(seat.ticket)
        for number in classroom.right_of(seat):
            quiz_answers.give_right(asked[number - 1])
        for number in classroom.shown_of(seat):
            quiz_answers.show_again(asked[number - 1])
    else:
        st.session_state[_FULL] = code
