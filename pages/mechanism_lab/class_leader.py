"""What the one who leads a class of the quiz has: the way into it for all, its answers, how far it has come, and its end."""

import html
from pathlib import Path
from urllib.parse import urlencode

import streamlit as st

from pages.mechanism_lab.classroom import CODE, PLACE, REGISTER, Place
from pages.shared import downloads
from pages.shared.page import Section
from par_core.lab.classroom import Classroom
from par_core.questions.mechanism_lab.class_progress import ClassProgressAnswer

_EVERY = 2.5  # seconds between two looks at what has been answered
_LOOKS = Path(__file__).with_name("classroom.css")


def lead(classroom: Classroom) -> None:
    """Draw what only the one who leads a class has: its answers, the way back to it, and its end."""
    head = downloads.linked({"title": "Answers of a class", "counts as right": "what is within 1 %"})
    downloads.button(
        "Answer sheet",
        lambda: downloads.as_csv(classroom.answers(), head),
        f"quiz_class_{classroom.code}.csv",
        key="csv_quiz_sheet",
        hint="The correct answers for everyone who joined, worked out when you click.",
    )
    with st.popover("Your private link"):
        st.caption("For you alone: whoever opens this link leads the class and sees all answers.")
        st.code(_link(f"{classroom.code}-{classroom.key}"), language=None, wrap_lines=True)
    with st.popover("Finish"):
        st.caption("Nobody can join or answer after this. Download the answer sheet first.")
        st.button("End the class", on_click=_end, args=(classroom,), key="end_class")


def _end(classroom: Classroom) -> None:
    classroom.end()
    CODE.put("")


def _invite(_: Section, __: ClassProgressAnswer) -> None:
    """Draw the way into the class, large enough to be read from the last row."""
    code = st.session_state[PLACE].classroom.code
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
    here: Place = st.session_state[PLACE]
    _watch(here.classroom, answer.question.counted)


@st.fragment(run_every=_EVERY)
def _watch(classroom: Classroom, drawn: object) -> None:
    """Draw the page again when the class has gone on."""
    if REGISTER.find(classroom.code) is not classroom or classroom.progress() != drawn:
        st.rerun()


OWN = {"invitation": _invite, "watch": _follow}
