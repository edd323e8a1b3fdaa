"""The quiz by keyboard alone, at a desk and before an audience."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import until


def open_quiz(reader, **query):
    return reader.open("mechanism_lab", tab="quiz", lqn="lecture", **query)


def tab_to(reader, role, name):
    """Press the Tab key until a control has the focus."""
    control = reader.main.get_by_role(role, name=name)
    for _ in range(60):
        if control.count() and control.first.evaluate("(node) => node === document.activeElement"):
            return
        reader.page.keyboard.press("Tab")
    raise AssertionError(f"the Tab key does not come to {name}")


def test_a_question_is_answered_and_the_next_one_asked_with_the_keyboard_alone(new_reader):
    reader = open_quiz(new_reader(anew=True))
    reader.page.get_by_role("tab", name="Quiz").focus()
    tab_to(reader, "textbox", "Grade")
    reader.page.keyboard.type("50")
    reader.page.keyboard.press("Enter")
    expect(reader.main.get_by_text("Not yet.")).to_be_visible()
    reader.page.keyboard.press("ControlOrMeta+a")
    reader.page.keyboard.type("51")
    reader.page.keyboard.press("Enter")
    expect(reader.main.get_by_text("Right.", exact=True)).to_be_visible()
    expect(reader.main.get_by_text("1 of 12 right")).to_be_visible()
    expect(reader.main.get_by_role("link", name="See who is exposed")).to_be_visible()
    tab_to(reader, "button", "Next question")
    reader.page.keyboard.press("Enter")
    expect(reader.main.get_by_role("heading", name="430 of 1,000")).to_be_visible()
    reader.expect_query(lq="2", tab="quiz")
    assert "51" not in reader.address.partition("?")[2]  # the port may hold it


def test_the_link_of_an_explanation_opens_the_page_at_the_numbers_of_the_question(new_reader):
    for number, there in ((3, {"tab": "truth", "e0": "1"}), (9, {"tab": "which", "le": "1"})):
        reader = open_quiz(new_reader(anew=True), lq=number)
        reader.page.get_by_role("button", name="Show the answer").click()
        reader.main.get_by_role("link", name=re.compile("^See")).click()
        reader.expect_query(**there)


def test_a_presenter_asks_and_shows_with_the_keyboard_alone(new_reader):
    reader = open_quiz(new_reader(screen="beamer", anew=True), present=1)
    reader.slider("Question").focus()
    for _ in range(2):
        reader.page.keyboard.press("ArrowRight")
    expect(reader.main.get_by_role("heading", name="3 of 12: Laplace noise")).to_be_visible()
    expect(reader.main.get_by_text("worst-case neighbouring tables")).to_be_in_viewport()
    expect(reader.main.get_by_text("84.7")).to_have_count(0)
    tab_to(reader, "button", "Show the answer")
    reader.page.keyboard.press("Enter")
    expect(reader.main.get_by_text("of releases.")).to_be_in_viewport()
    reader.wait_until_drawn()
    bar = reader.page.locator(".st-key-presenter_bar")
    until(
        lambda: (reader.figure.bounding_box(), bar.bounding_box()["y"]),
        lambda seen: seen[0]["height"] > 250 and seen[0]["y"] + seen[0]["height"] <= seen[1] + 1,
    )
    reader.expect_no_scrolling_sideways()
