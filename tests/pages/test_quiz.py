"""The quiz of the mechanism lab: asked, answered, explained; for a reader alone, an audience and a class."""

import json
from urllib.parse import parse_qsl

import pytest

from pages.mechanism_lab import quiz as quiz_page
from pages.mechanism_lab import quiz_links
from pages.shared.navigation import PAGES
from pages.shared.settings import scenario_settings
from par_core.lab import quiz
from par_core.questions import QuizQuestion
from par_core.questions.mechanism_lab.quiz_words import WORDS
from par_core.scenario import Scenario
from tests.shown import Story

KEYS = [each.key for each in quiz.lecture()]
FIRST = (("51",), ("36 %", "3,1", "ln 3"), ("0.847",), ("23.2",), ("2.72 %",), ("425",))
RIGHT = dict(enumerate((*FIRST, ("5.2",), ("3.19",), ("12",), ("0.49",), ("1.327",), ("63.2",)), start=1))


@pytest.fixture
def open_quiz(open_page):
    return lambda **address: open_page("mechanism_lab", tab="quiz", **address)


def answer(page, *texts):
    """Type into the fields of the present question, and check."""
    for field, text in zip(page.app.main.text_input, texts, strict=True):
        field.set_value(text)
    return page.press("Check")


def linked(page, which):
    """What the address of the page ("address") or its copied link ("full") holds, as it was written last."""
    contents = (json.loads(each.proto.json or "{}") for each in page.app.get("bidi_component"))
    last = max((each for each in contents if "address" in each), key=lambda content: content["run"])
    return {key: value for key, value in parse_qsl(last[which]) if key != "tab"}


def verdict(page):
    (box,) = [*page.app.success, *page.app.info]
    return box.value


def asked(student, number):
    return Story(QuizQuestion(Scenario(), number=number, whose="class", seed=7, student=student).answer()).headline


def explained(page):
    return [each.label for each in page.app.get("page_link")] != []


def test_the_lectures_answers_are_right_and_then_explained(open_quiz):
    page = open_quiz(lqn="lecture")
    wrong = {3: "37.8 %", 5: "10", 6: "0", 8: "5.2"}  # what many answer
    for number, right in RIGHT.items():
        page.turn("lq", number)
        assert not explained(page)
        assert not page.charts["quiz_picture"].full, "its data hold the answer"
        if number in wrong:
            assert verdict(answer(page, wrong[number])) == "Not yet."
            assert not explained(page)
        answer(page, *right)
        assert verdict(page) == "Right."
        assert explained(page)
        assert f"{number} of 12 right" in page.words
        assert page.chart.full


def test_of_several_numbers_it_is_said_which_is_not_right(open_quiz):
    page = answer(open_quiz(lqn="lecture", lq=2), "36", "abc", "3")
    first, second = verdict(page).split("  \n")
    assert first.startswith("Its standard deviation: no number")
    assert second == "ε of each answer: not yet."


def test_each_wrong_answer_brings_a_hint_and_what_is_no_number_none(open_quiz):
    first, second = WORDS["grade"].hints[0], "Compute 40 · 90 − 39 · 91."
    page = answer(open_quiz(lqn="lecture"), "none")
    assert "Hint" not in page.words
    page = answer(page, "50")
    assert f"Hint: {first}" in page.words
    assert second not in page.words
    page = answer(page, "52")
    assert f"Hint: {second}" in page.words
    assert "Hint" not in answer(page, "51").words


def test_an_answer_that_was_shown_does_not_count(open_quiz):
    page = open_quiz(lqn="lecture", lq=3).press("Show the answer")
    assert "84.7 %" in page.words
    assert explained(page)
    assert "Show the answer" not in [each.label for each in page.app.button]
    assert verdict(answer(page, "84.7")) == "Right."
    assert "0 of 12 right" in page.words


def test_the_next_question_comes_and_the_answers_stay(open_quiz):
    page = answer(open_quiz(lqn="lecture", lq=11), "1.327").press("Next question")
    assert page.number("lq").value == 12
    answer(page, "50")
    assert "1 of 12 right. Still open: 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12." in page.words
    assert "Next question" not in [each.label for each in page.app.button]
    page.turn("lq", 11)
    assert [each.value for each in page.app.main.text_input] == ["1.327"]
    assert verdict(page) == "Right."
    page.turn("lq", 12)
    assert verdict(page) == "Not yet."


def test_what_was_typed_is_in_no_link(open_quiz):
    page = answer(open_quiz(lqn="lecture"), "48.1516")
    assert "48.1516" not in json.dumps(page.links)
    assert page.links["address"] == "v=1&tab=quiz&lqn=lecture"


def test_the_questions_follow_the_readers_settings(open_quiz, files):
    assert "ε₀ = 0.5" in open_quiz(lq=3).words
    assert "csv_quiz_sheet" not in files, "without a class there is no sheet"
    assert "ε₀ = 0.7." in open_quiz(lq=3, le=0.7).words
    assert "Asked about ε = 2 and δ = 10⁻⁷, the nearest to yours" in open_quiz(lq=3, e0=15, ld=1e-7).words


@pytest.mark.parametrize("key", KEYS)
def test_each_question_names_the_page_and_the_section_that_show_it_at_its_numbers(key):
    place = KEYS.index(key)
    (page,) = (info.load() for info in PAGES if info.module == quiz_links.LINKS[key].module)
    known = {each.key: each for each in (*page.settings, *scenario_settings())}
    for questions in (quiz.lecture(), quiz.of_student(5, 9)):
        for name, text in quiz_links.address(questions[place]).items():
            known[name].read(text)


# --- a class ---------------------------------------------------------------------------------------------------------


def test_who_opens_a_class_link_gets_a_variant_of_their_own_and_keeps_it(open_quiz, monkeypatch):
    drawn = iter([16, 3])
    monkeypatch.setattr(quiz_page, "randbelow", lambda below: next(drawn) if below == quiz.STUDENTS else None)
    first, second = (open_quiz(lqn="class", lqc=7) for _ in range(2))
    for page, student in ((first, 17), (second, 4)):
        for number in (1, 2):
            assert asked(student, number) in page.turn("lq", number).words
            assert page.number("lqs").value == student
            assert f"lqs={student}" in page.links["address"]
    again = open_quiz(**linked(first, "full"))
    assert again.number("lqs").value == 17, "a link names the variant"


def test_numbers_of_a_class_without_a_lesson_come_without_its_answers(open_quiz, files):
    page = open_quiz(lqn="class", lqc=7, lqs=5)
    assert asked(5, 1) in page.words
    assert "csv_quiz_sheet" not in files


# --- before an audience ----------------------------------------------------------------------------------------------


def test_a_presenter_shows_one_question_and_its_answer_when_asked(open_quiz):
    page = open_quiz(present=1, lqn="lecture", lq=3)
    assert "## 3 of 12: Laplace noise" in page.words
    assert not page.app.main.text_input
    assert "84.7 %" not in page.words
    assert list(page.dials) == ["lq"]
    assert "84.7 %" in page.press("Show the answer").words
    page.turn("lq", 4)
    assert "23.2 %" not in page.words
