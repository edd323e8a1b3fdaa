"""A class at the quiz, of who leads it and of who comes in: each with a session of their own, in one process."""

import io
import json
import re

import pandas as pd
import pytest
from streamlit.components.v2.bidi_component.main import _make_trigger_id

from pages.mechanism_lab import PAGE
from pages.mechanism_lab.classroom import REGISTER
from par_core.lab.quiz import of_student
from par_core.questions.mechanism_lab.quiz import hints


class Lesson:
    """A class with who leads it; browsers of students are played here."""

    def __init__(self, open_page):
        self.open_page = open_page
        self.lecturer = open_page("mechanism_lab", tab="quiz", lqn="class").press("Open a class")
        self.code = code_in(self.lecturer)
        self.room = REGISTER.find(self.code)

    def come(self, held="", code="", **settings):
        return knock(self.open_page("mechanism_lab", **{"class": code or self.code}, **settings), held)


def code_in(page):
    return re.search(r"class=([A-Z]{5})(?:&|$)", page.links["address"])[1]


def door(page):
    contents = ((each.proto, json.loads(each.proto.json or "{}")) for each in page.app.get("bidi_component"))
    return next((proto, content) for proto, content in contents if "keep" in content)


def knock(page, held):
    """The browser tells what it kept for this class."""
    page._events.append((_make_trigger_id(door(page)[0].id, "events"), {"event": "held", "value": held}))
    return page.run()


def answer(page, *texts):
    for field, text in zip(page.app.main.text_input, texts, strict=True):
        field.set_value(text)
    return page.press("Check")


def labels(page):
    return [each.label for each in page.app.button]


def invitation(page):
    (shown,) = (each.proto.body for each in page.app.get("html") if "QR code" in each.proto.body)
    return shown


@pytest.fixture
def lesson(open_page):
    lesson = Lesson(open_page)
    yield lesson
    lesson.room.end()


def of(page, lesson):
    """The questions of a student's page."""
    seat = lesson.room.join(door(page)[1]["keep"])
    return of_student(seat.seed, seat.student)


def test_one_button_opens_a_class_with_its_way_in_and_its_code(lesson):
    shown = invitation(lesson.lecturer)
    assert f"mechanism_lab?class={lesson.code}" in shown
    assert f"<strong>{lesson.code}</strong>" in shown
    assert "data:image/svg+xml" in shown
    assert "nobody has come in yet" in lesson.lecturer.headline
    assert lesson.lecturer.chart.names == ["right", "tried", "not begun"]
    assert "End the class" in labels(lesson.lecturer)
    before = " ".join([PAGE.question, lesson.lecturer.headline, re.sub(r"<[^>]*>", " ", shown)])
    assert len(re.findall(r"[^\W_][\w.,'’/:-]*", before)) <= 45


def test_each_who_comes_by_the_link_gets_numbers_of_their_own(lesson):
    first, second = lesson.come(), lesson.come()
    assert first.open_section == "Quiz"
    assert first.headline != second.headline
    assert "You are student 1" in first.words
    assert "You are student 2" in second.words
    for page in (first, second):
        assert not page.warnings
        assert code_in(page) == lesson.code
    assert "2 joined" in lesson.lecturer.run().headline


def test_a_student_has_no_answers_and_nothing_that_holds_the_seed(lesson, files):
    files.clear()
    page = lesson.come()
    assert not {"csv_quiz_sheet", "report", "notebook_quiz"} & set(files)
    assert "Show the answer" not in labels(page)
    assert "End the class" not in labels(page)
    assert "lqc=" not in page.links["address"]


def test_wrong_answers_bring_hints_and_at_last_the_answer_and_the_lecturer_counts_them(lesson):
    page = lesson.come()
    first, second = hints(of(page, lesson)[0])
    page = answer(page, "1")
    assert first in page.words
    assert second not in page.words
    assert "Show the answer" not in labels(page)
    page = answer(page, "2")
    assert second in page.words
    assert "Show the answer" in labels(page)
    lecturer = lesson.lecturer.run()
    assert lecturer.chart.curve("tried")[1][0] == 1
    assert "Question 1 has the most wrong answers: 2." in lecturer.words
    answer(page, str(of(page, lesson)[0].answers["grade"].value))
    lecturer = lesson.lecturer.run()
    assert lecturer.headline == "1 joined, with 1 right answer"
    assert [lecturer.chart.curve(name)[1][0] for name in ("right", "tried", "not begun")] == [1, 0, 0]


def test_an_answer_that_is_no_number_is_not_counted(lesson):
    answer(lesson.come(), "what")
    assert lesson.room.progress().wrong[0] == 0


def test_the_same_answer_twice_is_one_try_and_an_answer_that_was_shown_is_right_no_more(lesson):
    page = lesson.come()
    for typed in ("1", "1"):
        page = answer(page, typed)
    assert lesson.room.progress().wrong[0] == 1
    page = answer(page, "2").press("Show the answer")
    again = lesson.come(door(page)[1]["keep"])
    answer(again, str(of(again, lesson)[0].answers["grade"].value))
    assert lesson.room.progress().right[0] == 0


def test_the_data_of_the_picture_do_not_hold_the_seed_once_an_answer_is_right(lesson, files):
    lesson.room._seed = 987_654  # a random one may stand in the decimals of a point
    page = lesson.come()
    files.clear()
    answer(page, str(of(page, lesson)[0].answers["grade"].value))
    made = files["csv_quiz_picture"]()
    text = made.decode() if isinstance(made, bytes) else made
    assert "QuizQuestion" not in text
    assert str(lesson.room.join(door(page)[1]["keep"]).seed) not in text


def test_before_an_audience_a_student_is_not_shown_the_answer_at_once(lesson):
    page = lesson.come(present=1)
    assert page.charts
    assert "Show the answer" not in labels(page)


def test_who_loads_the_page_anew_keeps_their_seat_and_what_was_right(lesson):
    page = lesson.come()
    answer(page, str(of(page, lesson)[0].answers["grade"].value))
    again = lesson.come(door(page)[1]["keep"])
    assert again.headline == page.headline
    assert "1 of 12 right" in again.words
    assert lesson.room.progress().joined == 1


def test_the_browser_of_who_leads_the_class_brings_it_back_and_so_does_the_private_link(lesson):
    kept = door(lesson.lecturer)[1]["keep"]
    (private,) = (each.value for each in lesson.lecturer.app.code if lesson.code in each.value)
    assert private.endswith(f"class={lesson.code}-{kept}")
    for page in (lesson.come(kept), lesson.come(code=f"{lesson.code}-{kept}")):
        assert "End the class" in labels(page)
        assert kept not in page.links["address"]
    wrong = lesson.come(code=f"{lesson.code}-{kept[:-1]}")
    assert "You are student 1" in wrong.words


def test_no_link_to_take_along_leads_into_the_class(lesson):
    for page in (lesson.lecturer, lesson.come()):
        assert lesson.code in page.links["address"]
        assert "class=" + lesson.code not in page.links["full"]


def test_the_answer_sheet_is_right_for_everybody(open_page, files):
    lesson = Lesson(open_page)
    pages = [lesson.come(), lesson.come()]
    lesson.lecturer.run()
    made = files["csv_quiz_sheet"]()
    assert lesson.code not in made
    sheet = pd.read_csv(io.StringIO(made), comment="#", dtype=str).set_index("student")
    assert list(sheet.index) == ["1", "2"]
    for student, page in zip(sheet.index, pages, strict=True):
        assert "Right." in answer(page, sheet.filter(like="Grade").loc[student].item()).words


def test_the_end_of_a_class_is_told_to_who_is_in_it_and_nobody_comes_in_any_more(lesson):
    student = lesson.come()
    lecturer = lesson.lecturer.press("End the class")
    assert "Open a class" in labels(lecturer)
    assert "class=" + lesson.code not in lecturer.links["address"]
    assert "It has ended" in student.run().words
    late = lesson.open_page("mechanism_lab", **{"class": lesson.code})
    (told,) = late.warnings
    assert "no class that is open has this code" in told
    assert late.charts


@pytest.mark.parametrize("code", ["AAAAA", "x" * 5000, "<b>", "-", "BCDFG-key"])
def test_a_code_of_no_class_is_refused_and_the_quiz_can_be_used(open_page, code):
    page = open_page("mechanism_lab", **{"class": code})
    assert len(page.warnings) == 1
    assert page.open_section == "Quiz"
    assert page.charts


def test_a_class_that_ends_at_the_door_leaves_the_quiz(lesson):
    page = lesson.open_page("mechanism_lab", **{"class": lesson.code})
    assert "on their way" in page.words
    lesson.room.end()
    page = knock(page, "")
    assert page.charts
    assert "class=" + lesson.code not in page.links["address"]


@pytest.mark.parametrize("held", [None, 7, ["x"], {"a": 1}, "x" * 10_000, "\ud800"])
def test_whatever_a_browser_says_that_it_kept_it_gets_a_seat(lesson, held):
    assert "You are student 1" in lesson.come(held).words


def test_a_class_that_is_full_says_so(lesson, monkeypatch):
    monkeypatch.setattr("par_core.lab.classroom.MOST_SEATS", 1)
    lesson.come()
    assert "This class is full" in lesson.come().words


def test_an_audience_sees_the_way_in_and_how_far_the_class_is(lesson):
    page = lesson.come(door(lesson.lecturer)[1]["keep"])
    page.app.toggle(key="present").set_value(True)
    page.run()
    assert lesson.code in invitation(page)
    assert "class_progress" in page.charts
    assert "End the class" not in labels(page)
    assert not page.dials
