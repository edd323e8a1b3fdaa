"""The quiz of a class: who opened it leads it, who comes by its link gets a seat; all of it stays in the memory of this process."""

import html
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from pages.mechanism_lab import quiz_answers
from pages.shared import downloads
from pages.shared.component import component
from pages.shared.error_reports import UnreadyError
from pages.shared.page import Section
from pages.shared.settings import Setting
from par_core.errors import ParameterError
from par_core.lab.classroom import MOST_SEATS, Classroom, Register, Seat
from par_core.lab.quiz import of_student
from par_core.questions.mechanism_lab.class_progress import ClassProgressAnswer

REGISTER = Register()
_PLACE, _FULL = "_class", "_class_full"  # in the session
_LONGEST = 40  # letters of a key
_EVERY = 2.5  # seconds between two looks at what has been answered
_HERE = Path(__file__).parent
_LOOKS = _HERE / "classroom.css"

_door = component("class_door", js=(_HERE / "class_door.js").read_text(encoding="utf-8"))


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
    st.session_state[_PLACE] = Place(classroom, None)
    CODE.put(classroom.code)


def place() -> Place | None:
    """Return where the reader is in the class of their link, if there is one; the first time their browser is asked for their seat."""
    code = CODE.value().partition("-")[0]
    if not code:
        return None
    here: Place | None = st.session_state.get(_PLACE)
    if here is None or here.classroom.code != code:
        here = None
    elif here.seat is None and not here.classroom.is_open:
        CODE.put("")
        return None
    with st.container(key="hidden_class_door"):
        kept = (here.seat.ticket if here.seat else here.classroom.key) if here else ""
        _door(key="class_door", data={"code": code, "keep": kept}, on_held_change=_come_in)
    if here is None:
        full = st.session_state.get(_FULL) == code
        raise UnreadyError(f"This class is full: {MOST_SEATS} came in." if full else "Your numbers are on their way.")
    return here


def _come_in() -> None:
    """Take the reader to where they were, or to the next free seat."""
    door = st.session_state.get("class_door")  # gone where the page is left at this moment
    code, _, key = CODE.value().partition("-")
    classroom, here = REGISTER.find(code), st.session_state.get(_PLACE)
    CODE.put(code if classroom else "")
    if classroom is None or door is None or (here and here.classroom is classroom):
        return
    held = str(door["held"])[:_LONGEST]
    if classroom.is_led_by(key) or classroom.is_led_by(held):
        st.session_state[_PLACE] = Place(classroom, None)
    elif seat := classroom.join(held):
        st.session_state[_PLACE] = Place(classroom, seat)
        asked = of_student(seat.seed, seat.student)
        quiz_answers.sit(seat.ticket)
        for number in classroom.right_of(seat):
            quiz_answers.give_right(asked[number - 1])
        for number in classroom.shown_of(seat):
            quiz_answers.show_again(asked[number - 1])
    else:
        st.session_state[_FULL] = code


# --- of who leads it -------------------------------------------------------------------------------------------------


def lead(classroom: Classroom) -> None:
    """Draw what only the one who leads a class has: its answers, the way back to it, and its end."""
    head = downloads.linked({"title": "Answers of a class", "counts as right": "what is within 1 %"})
    downloads.button(
        "Answer sheet",
        lambda: downloads.as_csv(classroom.answers(), head),
        f"quiz_class_{classroom.code}.csv",
        key="csv_quiz_sheet",
        hint="The answers to the numbers of everybody who came in, computed when you click.",
    )
    with st.popover("Your private link"):
        st.caption("For you alone: who opens this link leads the class and sees all answers.")
        st.code(_link(f"{classroom.code}-{classroom.key}"), language=None, wrap_lines=True)
    with st.popover("Finish"):
        st.caption("Nobody comes in or answers any more. Take the answer sheet first.")
        st.button("End the class", on_click=_end, args=(classroom,), key="end_class")


def _end(classroom: Classroom) -> None:
    classroom.end()
    CODE.put("")


def _invite(_: Section, __: ClassProgressAnswer) -> None:
    """Draw the way into the class, large enough to be read from the last row."""
    code = st.session_state[_PLACE].classroom.code
    link = _link(code)
    with st.container(key="presented"):
        st.html(_LOOKS)
        st.html(
            f'<div class="invitation"><img src="{_qr(link)}" alt="QR code of the link to the class">'
            f"<div><strong>{code}</strong>{html.escape(link)}</div></div>"
        )


def _qr(text: str) -> str:
    """Return a QR code as an address that holds its picture: black on white with its quiet zone, whatever the theme."""
    import segno  # late: only who opens a class needs it

    return segno.make_qr(text, error="m").svg_data_uri(scale=4, dark="black", light="white")


def _link(code: str) -> str:
    return f"{st.context.url or 'mechanism_lab'}?{urlencode({CODE.key: code})}"


def _follow(_: Section, answer: ClassProgressAnswer) -> None:
    here: Place = st.session_state[_PLACE]
    _watch(here.classroom, answer.question.counted)


@st.fragment(run_every=_EVERY)
def _watch(classroom: Classroom, drawn: object) -> None:
    """Draw the page again when the class has gone on."""
    if REGISTER.find(classroom.code) is not classroom or classroom.progress() != drawn:
        st.rerun()


OWN = {"invitation": _invite, "watch": _follow}
