"""The lab with the keyboard alone, at a desk and before an audience: each toy is opened, and its first dial changes what it shows."""

from playwright.sync_api import expect

from pages.mechanism_lab import PAGE

DIALS = {
    "worlds": "Privacy level ε",
    "run": "Releases so far",
    "sensitivity": "Exercise",
    "coins": "Privacy level ε",
    "choose": "Privacy level ε",
    "which": "Privacy level ε",
    "losses": "Releases, n",
    "sample": "Share in the sample",
    "group": "Persons in the group",
    "best": "Runs, k",
    "proof": "Step",
    "traps": "Records published, δ·n",
    "refute": "Claimed ε",
    "quiz": "Question",
}


def press_until(reader, key, reached):
    for _ in range(60):
        if reached():
            return
        reader.page.keyboard.press(key)
    raise AssertionError(f"{key} does not come there")


def has_focus(locator):
    return lambda: locator.count() and locator.first.evaluate("(node) => node === document.activeElement")


def turn(reader, name, key="ArrowRight"):
    """Turn a dial by one step with an arrow key, and return the headline before and after."""
    headline = reader.main.get_by_role("heading", level=2).first
    before = headline.inner_text()
    slider = reader.main.get_by_role("slider", name=name, exact=True)
    press_until(reader, "Tab", has_focus(slider))
    reader.page.keyboard.press(key)
    expect(headline).not_to_have_text(before)
    reader.wait_until_drawn()
    return before, headline.inner_text()


def test_every_toy_is_opened_and_its_first_dial_turned_with_the_keyboard_alone(new_reader):
    reader = new_reader(anew=True).open("mechanism_lab")
    assert list(DIALS) == [section.slug for section in PAGE.sections]
    for section in PAGE.sections:
        tab = reader.page.get_by_role("tab", name=section.label, exact=True)
        if section is not PAGE.sections[0]:
            press_until(reader, "Shift+Tab", has_focus(reader.page.get_by_role("tab", selected=True)))
            reader.page.keyboard.press("ArrowRight")
            expect(tab).to_have_attribute("aria-selected", "true")
            reader.wait_until_drawn()
        else:
            tab.focus()
        before, after = turn(reader, DIALS[section.slug])
        assert before != after
        reader.expect_query(tab=None if section is PAGE.sections[0] else section.slug)


def test_in_a_talk_the_dial_of_a_toy_moves_its_picture(new_reader):
    presenter = new_reader(screen="beamer", anew=True).open("mechanism_lab", present="1")
    for number, section in enumerate(PAGE.talk, 1):
        if number > 1:
            presenter.page.keyboard.press("PageDown")
        expect(presenter.page.get_by_text(f"{number} of 9", exact=True)).to_be_visible()
        presenter.wait_until_drawn()
        if number in (1, 3, 6, 8, 9):
            headline = presenter.main.get_by_role("heading", level=2).first
            before = headline.inner_text()
            slider = presenter.page.get_by_role("slider", name=DIALS[section.slug], exact=True)
            slider.focus()
            presenter.page.keyboard.press("ArrowRight")
            expect(headline, section.slug).not_to_have_text(before)
            presenter.wait_until_drawn()
            expect(presenter.figure).to_be_in_viewport(ratio=0.9)
