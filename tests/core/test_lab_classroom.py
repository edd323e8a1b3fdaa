"""A class at the quiz: seats, what is counted, and that it is bounded, gone in time, and right under many threads."""

from concurrent.futures import ThreadPoolExecutor

import pytest

from par_core.errors import ParameterError
from par_core.lab import classroom
from par_core.lab.classroom import LASTS, LETTERS, MOST_CLASSES, MOST_SEATS, Register
from par_core.lab.quiz import of_student


@pytest.fixture
def clock():
    class Clock:
        now = 0.0

        def __call__(self):
            return self.now

    return Clock()


@pytest.fixture
def register(clock):
    return Register(clock)


def numbers(seat):
    return [each.given for each in of_student(seat.seed, seat.student)]


def test_a_class_is_found_by_its_code_in_letters_of_either_case(register):
    lesson = register.open()
    assert len(lesson.code) == 5
    assert set(lesson.code) <= set(LETTERS)
    assert register.find(lesson.code) is register.find(lesson.code.lower()) is lesson
    assert register.find("") is register.find("AAAAA") is None


def test_everybody_gets_numbers_of_their_own_beyond_forty_too(register):
    lesson = register.open()
    seats = [lesson.join() for _ in range(90)]
    assert [each.number for each in seats] == list(range(1, 91))
    for at in range(12):
        within = [str(numbers(each)[at]) for each in seats[:40]]
        assert len(set(within)) == 40
    assert len({str(numbers(each)) for each in seats}) == 90


def test_a_ticket_leads_back_to_its_seat_and_another_one_to_a_new_seat(register):
    lesson = register.open()
    seat = lesson.join()
    assert lesson.join(seat.ticket) == seat
    assert lesson.join("of another class").number == 2
    assert lesson.progress().joined == 2


def test_only_its_key_leads_a_class(register):
    lesson, other = register.open(), register.open()
    assert lesson.is_led_by(lesson.key)
    for key in ("", lesson.code, other.key, lesson.join().ticket, "\ud800"):
        assert not lesson.is_led_by(key)


def test_an_answer_that_was_shown_is_right_no_more(register):
    lesson = register.open()
    seat = lesson.join()
    lesson.record(seat, 1, right=True)
    for question in (1, 2):
        lesson.show(seat, question)
        lesson.record(seat, question, right=True)
    assert (lesson.right_of(seat), lesson.shown_of(seat)) == ((1,), (2,))
    assert lesson.progress().tried[:2] == (0, 1)


def test_nobody_comes_into_a_class_that_is_over(register):
    lesson = register.open()
    lesson.end()
    assert lesson.join() is None


def test_empty_classes_make_room_before_one_that_is_used(register):
    lesson = register.open()
    lesson.join()
    for _ in range(MOST_CLASSES + 5):
        register.open()
    assert register.find(lesson.code) is lesson


def test_a_right_answer_stays_right_and_wrong_ones_are_counted(register):
    lesson = register.open()
    first, second = lesson.join(), lesson.join()
    for right in (False, False, True, False):
        lesson.record(first, 3, right=right)
    lesson.record(second, 3, right=False)
    lesson.record(second, 12, right=True)
    seen = lesson.progress()
    assert (seen.joined, seen.right[2], seen.tried[2], seen.wrong[2], seen.right[11]) == (2, 1, 1, 3, 1), (
        "nothing counts after the right one"
    )
    assert sum(seen.right) == 2
    assert lesson.right_of(first) == (3,)
    for question in (0, 13):
        with pytest.raises(ParameterError, match="question"):
            lesson.record(first, question, right=True)


def test_a_class_that_is_over_takes_nobody_and_notes_nothing(register):
    lesson = register.open()
    seat = lesson.join()
    lesson.end()
    lesson.record(seat, 1, right=True)
    assert sum(lesson.progress().right) == 0
    assert register.find(lesson.code) is None


def test_a_class_is_gone_some_hours_after_its_last_answer(register, clock):
    lesson = register.open()
    for _ in range(3):
        clock.now += LASTS
        seat = lesson.join()
        assert register.find(lesson.code) is lesson
    clock.now += LASTS
    lesson.record(seat, 1, right=False)
    clock.now += LASTS + 1
    assert register.find(lesson.code) is None
    assert not lesson.is_open


def test_there_are_so_many_seats_and_no_more(register):
    lesson = register.open()
    seats = [lesson.join() for _ in range(MOST_SEATS)]
    assert lesson.join() is None
    assert lesson.join(seats[-1].ticket) == seats[-1]
    numbers(seats[-1])  # its seed is one


def test_the_class_without_an_answer_for_longest_makes_room(register, clock):
    lessons = []
    for clock.now in range(MOST_CLASSES):
        lessons.append(register.open())
    lessons[0].join()
    register.open()
    assert [register.find(each.code) is None for each in lessons[:3]] == [False, True, False]


def test_the_answers_are_those_of_the_seats_that_are_taken(register):
    lesson = register.open()
    seats = [lesson.join() for _ in range(41)]
    sheet = lesson.answers().set_index("student")
    assert sheet.index.tolist() == list(range(1, 42))
    for seat in (seats[0], seats[39], seats[40]):
        grade = of_student(seat.seed, seat.student)[0].answers["grade"].value
        assert sheet.filter(like="Grade").loc[seat.number].item() == grade


def test_many_threads_take_each_seat_once_and_lose_no_answer(register):
    lesson = register.open()

    def student(_):
        seat = lesson.join()
        for question in range(1, 13):
            lesson.record(seat, question, right=False)
            lesson.record(seat, question, right=True)
            lesson.progress()
        return seat.number

    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(student, range(200)))
    assert sorted(found) == list(range(1, 201))
    assert lesson.progress() == classroom.Progress(200, (0,) * 12, (200,) * 12, (200,) * 12)
