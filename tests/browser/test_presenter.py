"""The presenter's view: large, one picture at a time, moved by the two keys that clickers send."""

import pytest
from playwright.sync_api import expect

from pages.shared.navigation import PAGES
from tests.browser.conftest import until

SCREENS = ({"width": 1920, "height": 1080}, {"width": 1024, "height": 768})
FILLED = """
() => [...document.querySelectorAll("figure.par-chart")].filter((figure) => figure.clientWidth).every((figure) => {
  const [drawing, room] = [figure.querySelector(".main-svg"), figure].map((node) => node?.getBoundingClientRect());
  return drawing && Math.abs(drawing.width - room.width) <= 2 && Math.abs(drawing.height - room.height) <= 2;
})
"""
STOP = """
() => {
  const bar = document.querySelector(".st-key-presenter_bar"), main = document.querySelector('[data-testid="stMain"]');
  const figures = [...main.querySelectorAll("figure.par-chart")].filter((figure) => figure.clientWidth);
  const walk = document.createTreeWalker(main, NodeFilter.SHOW_TEXT), texts = new Set();
  for (let node = walk.nextNode(); node; node = walk.nextNode()) {
    const parent = node.parentElement, range = document.createRange();
    range.selectNodeContents(node);
    if (!node.data.trim() || !range.getBoundingClientRect().width || parent.closest("figure, style, script")) continue;
    if (bar.contains(parent) || !parent.checkVisibility({ visibilityProperty: true })) continue;
    if (parent.closest(".st-key-presented")) continue; // of the quiz: what else has to be known
    if (!parent.closest('[class*="st-key-controls"]')) texts.add((parent.closest("h2") ?? parent).textContent);
  }
  const headline = [...main.querySelectorAll("h2")].filter((each) => each.checkVisibility()).map((each) => each.textContent);
  const room = figures[0].getBoundingClientRect(), drawn = [...figures[0].querySelectorAll("svg text")];
  const outside = (text) => {
    const box = text.getBoundingClientRect();
    return box.left < room.left - 1 || box.right > room.right + 1 || box.top < room.top - 1 || box.bottom > room.bottom + 1;
  };
  return {
    texts: [...texts], headline, charts: figures.length, presented: !!main.querySelector(".st-key-presented"),
    share: room.height / innerHeight,
    smallest: Math.min(...drawn.map((text) => parseFloat(getComputedStyle(text).fontSize))),
    cut: drawn.filter(outside).map((text) => text.textContent),
    covered: room.bottom > bar.getBoundingClientRect().top + 1,
  };
}
"""


@pytest.fixture
def presenter(new_reader):
    return new_reader(screen="beamer")


def expect_stop(presenter, number):
    expect(presenter.page.get_by_text(f"{number} of 3", exact=True)).to_be_visible()
    return presenter.wait_until_drawn()


def test_the_keys_of_a_clicker_move_on_and_back(presenter):
    presenter.open(present="1")
    for number in (2, 3):
        presenter.page.keyboard.press("PageDown")
        expect_stop(presenter, number)
    presenter.expect_query(tab="attacker", present="1")
    for number in (2, 1):
        presenter.page.keyboard.press("PageUp")
        expect_stop(presenter, number)
    presenter.expect_query(tab=None, present="1")


def test_before_the_first_section_comes_the_page_before(presenter):
    presenter.open(present="1", e0="2")
    expect_stop(presenter, 1)
    presenter.page.keyboard.press("PageUp")
    before = PAGES[[info.module for info in PAGES].index("explicit_risk") - 1]
    expect(presenter.page.get_by_role("heading", level=1)).to_have_text(before.title)
    presenter.expect_query(present="1", e0="2")
    presenter.wait_until_drawn()
    presenter.page.keyboard.press("PageDown")
    expect(presenter.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")
    expect_stop(presenter, 1)


def test_the_buttons_move_too(presenter):
    presenter.open(present="1")
    presenter.page.get_by_role("button", name="Next").click()
    expect_stop(presenter, 2)
    presenter.page.get_by_role("button", name="Previous").click()
    expect_stop(presenter, 1)


def test_the_clicker_moves_on_though_a_dial_was_used_last(presenter):
    presenter.open(present="1", tab="truth")
    presenter.slider().press("ArrowRight")
    presenter.expect_query(e0="0.6").expect_title("ε₀ = 0.6 ")
    presenter.page.get_by_role("radio", name="ε", exact=True).click()
    presenter.expect_query(dial="own").wait_until_drawn()
    expect(presenter.slider()).to_have_count(0)
    own = presenter.slider("Level hoped for, ε")
    expect(own).to_be_in_viewport()
    own.press("ArrowRight")
    presenter.expect_query(e="0.45")
    presenter.page.keyboard.press("PageDown")
    expect_stop(presenter, 3)
    presenter.expect_query(e="0.45", tab="attacker")


def is_one_sentence_and_one_picture(seen):
    return (
        seen["texts"] == seen["headline"]
        and len(seen["headline"]) == seen["charts"] == 1
        and seen["share"] >= 0.6 - 0.05 * seen["presented"]  # the chart takes the height that is left
        and seen["smallest"] >= 14
        and not seen["cut"]
        and not seen["covered"]
    )


def test_every_stop_of_the_talk_is_one_sentence_and_one_picture_that_fills_the_screen(presenter):
    presenter.open("overview", present="1")
    stops = [(info, section) for info in PAGES for section in info.load().talk]
    for info, section in stops[1:]:  # the overview has many small pictures
        presenter.page.keyboard.press("PageDown")
        expect(presenter.page.get_by_role("heading", level=1)).to_have_text(info.title)
        presenter.expect_query(tab=None if section == info.load().sections[0] else section.slug)
        presenter.wait_until_drawn()
        expect(presenter.main.get_by_text("Counting exactly")).to_have_count(0)  # the job is done
        # The small screen is the harder one; the large one is looked at once on each page.
        for screen in SCREENS if section == info.load().talk[0] else SCREENS[1:]:
            presenter.page.set_viewport_size(screen)
            where = f"{info.module}, {section.slug}, {screen['width']}"
            presenter.wait_for(FILLED)
            until(lambda: presenter.page.evaluate(STOP), is_one_sentence_and_one_picture, where)
            presenter.expect_no_scrolling_sideways()
            expect(presenter.page.get_by_role("button", name="Next")).to_be_in_viewport()
            fields = presenter.page.get_by_role("spinbutton").locator("visible=true")
            if section.dial or (section.of_scenario and info.load().of_scenario):
                expect(fields).to_be_in_viewport()
            else:
                expect(fields).to_have_count(0)


def test_the_switch_in_the_sidebar_begins_and_the_button_ends(reader):
    reader.open(tab="truth", e0="2")
    reader.page.get_by_role("switch", name="Presenter view").press("Space")
    expect(reader.page.get_by_text("2 of 3")).to_be_visible()
    reader.expect_query(present="1", tab="truth", e0="2").expect_title("ε₀ = 2 ")
    reader.page.get_by_role("button", name="Leave presenter view").click()
    expect(reader.page.get_by_role("tab")).to_have_count(6)
    reader.expect_query(present=None, tab="truth", e0="2").expect_epsilon0("2").expect_title("ε₀ = 2 ")
    expect(reader.page.get_by_role("tab", name="Claim and truth")).to_have_attribute("aria-selected", "true")
    before = reader.address
    reader.page.keyboard.press("PageDown")
    reader.wait_until_idle()
    assert reader.address == before, "outside the presenter's view the keys scroll"


def test_leaving_a_talk_that_was_opened_by_its_link_brings_the_sidebar_back(newcomer):
    reader = newcomer.open(present="1")
    reader.page.get_by_role("button", name="Leave presenter view").click()
    expect(reader.page.get_by_role("tab")).to_have_count(6)
    expect(reader.field()).to_be_in_viewport()
