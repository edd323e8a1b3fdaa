"""Every page in a browser: by the navigation, from a card."""

import re

from playwright.sync_api import expect

from pages.shared.navigation import PAGES


def test_the_navigation_leads_to_every_page_and_back(reader):
    reader.open("overview")
    for info in (*PAGES[1:], PAGES[0]):
        reader.visit(info.title)
        expect(reader.page.get_by_role("dialog")).to_have_count(0)


def test_the_cards_of_the_overview_lead_to_their_sections(reader):
    reader.open("overview", e0="2")
    links = reader.main.get_by_role("link").filter(has_text=re.compile(r"\w"))
    targets = [link for link in links.all() if "explicit_risk" in (link.get_attribute("href") or "")]
    assert targets
    section = re.search(r"tab=(\w+)", targets[-1].get_attribute("href"))[1]
    targets[-1].click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")
    reader.wait_until_drawn().expect_query(tab=section, e0="2").expect_epsilon0("2")


def test_the_pictures_on_the_overview_follow_the_scenario(reader):
    reader.open("overview")
    before = [figure.inner_text() for figure in reader.main.get_by_role("figure").all()]
    reader.slider().press("ArrowRight")
    reader.expect_epsilon0("0.6")
    expect(reader.figure).to_have_accessible_name(re.compile("0.6"))
    reader.wait_until_drawn()
    after = [figure.inner_text() for figure in reader.main.get_by_role("figure").all()]
    assert len(after) == len(before)
    assert not [alike for alike in zip(before, after, strict=True) if alike[0] == alike[1]]


def test_the_words_for_a_chart_change_with_it(reader):
    reader.open(tab="truth")
    before = reader.figure.locator("figcaption").inner_text()
    reader.slider().press("ArrowRight")
    reader.expect_title("ε₀ = 0.6 ")
    caption = reader.figure.locator("figcaption")
    expect(caption).to_have_text(re.compile("0.6"))
    assert caption.inner_text() != before


def test_every_tab_opens_its_section_and_draws_it(reader):
    reader.open()
    labels = [tab.inner_text() for tab in reader.page.get_by_role("tab").all()]
    assert len(labels) == 6
    titles = set()
    for label in labels[1:] + labels[:1]:
        reader.section(label)
        expect(reader.page.get_by_role("tab", name=label)).to_have_attribute("aria-selected", "true")
        titles.add(reader.chart["title"])
    assert len(titles) == 6


def test_tabs_can_be_walked_by_keyboard(reader):
    reader.open()
    reader.page.get_by_role("tab", name="By dimension").focus()
    reader.page.keyboard.press("ArrowRight")
    reader.page.keyboard.press("Enter")
    expect(reader.page.get_by_role("tab", name="By ε₀")).to_have_attribute("aria-selected", "true")
    reader.expect_title("by ε₀")


def test_a_page_is_closed_in_good_order_while_it_computes(reader):
    reader.open(tab="truth", size="1000000")
    reader.page.get_by_role("button", name="Simulate", exact=True).click()
    reader.visit("Overview")
