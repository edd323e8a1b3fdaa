"""A class with one who leads it and two students, each with a browser of their own."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import until


def come(new_reader, link, screen="phone"):
    student = new_reader(screen=screen, anew=True)
    student.page.goto(link)
    expect(student.main.get_by_text("You are student")).to_be_attached()
    return student.wait_until_drawn()


def question(student):
    return student.main.get_by_role("heading", level=2).first.inner_text().replace("\u00a0", " ")


def answer(student, grade):
    student.main.get_by_role("textbox", name="Grade").fill(str(grade))
    student.main.get_by_role("button", name="Check").click()


def grade_of(student):
    numbers = re.search(r"(\d+) students average (\d+);.* average (\d+(?:\.\d)?)\.", question(student))
    people, mean, after = map(float, numbers.groups())
    return round(people * mean - (people - 1) * after)


def test_a_lecturer_sees_how_far_two_students_are_each_with_numbers_of_their_own(new_reader):
    lecturer = new_reader(anew=True).open("mechanism_lab")
    lecturer.section("Quiz").choose("Class")
    lecturer.main.get_by_role("button", name="Open a class").click()
    headline = lecturer.main.get_by_role("heading", level=2).first
    expect(headline).to_have_text("The class is open: nobody has come in yet")
    image = lecturer.main.get_by_role("img", name="QR code")
    assert until(lambda: image.evaluate("(image) => image.complete && image.naturalWidth")) > 100
    link = lecturer.main.get_by_text(re.compile(r"class=[A-Z]{5}$")).inner_text().split()[-1]
    assert link.startswith(lecturer.server.url)
    assert len(link.removeprefix(lecturer.server.url)) < 30

    first, second = come(new_reader, link), come(new_reader, link, "desktop")
    assert question(first) != question(second)
    expect(headline).to_have_text(re.compile("^2 joined"))
    answer(first, 1)
    expect(first.main.get_by_text("Hint:")).to_be_visible()
    answer(second, grade_of(second))
    expect(second.main.get_by_text("Right.", exact=True)).to_be_visible()
    expect(headline).to_have_text("2 joined, with 1 right answer")
    expect(lecturer.main.get_by_text("Question 1 has the most wrong answers: 1.")).to_be_visible()
    for reader in (lecturer, first, second):
        reader.expect_no_scrolling_sideways()

    asked = question(second)
    second.reload()  # loads the whole dashboard: the session is another one
    expect(second.main.get_by_text("1 of 12")).to_be_visible()
    assert question(second) == asked
    files = second.main.locator(".par-chart-files")
    expect(files).to_have_count(1)
    second.main.get_by_role("button", name="Next question").click()
    expect(files).to_have_count(
        0
    )  # no picture is saved before the answer: a bar that stayed would lie on the next field
    lecturer.reload()
    expect(headline).to_have_text("2 joined, with 1 right answer")
    assert "-" not in lecturer.query["class"], "the address is shown to the class: it holds no key"

    lecturer.main.get_by_role("button", name="Finish").click()
    lecturer.page.get_by_role("button", name="End the class").click()
    expect(lecturer.main.get_by_role("button", name="Open a class")).to_be_visible()
    lecturer.expect_query(**{"class": None})
    late = new_reader(screen="phone", anew=True)
    late.page.goto(link)
    expect(late.main.get_by_text("no class that is open has this code")).to_be_visible()
