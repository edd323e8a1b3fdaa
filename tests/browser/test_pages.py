"""From page to page and from section to section: by a card, by a tab, while something is computed."""

import re

from playwright.sync_api import expect

from pages import explicit_risk
from tests.browser.conftest import until


def test_the_pictures_on_the_overview_follow_the_scenario_and_its_cards_lead_to_their_sections(reader):
    reader.open("overview")
    texts = lambda: [figure.inner_text() for figure in reader.main.get_by_role("figure").all()]  # noqa: E731
    before = texts()
    reader.slider().press("ArrowRight")
    reader.expect_epsilon0("0.6")
    expect(reader.figure).to_have_accessible_name(re.compile("0.6"))
    reader.wait_until_drawn()
    (same,) = until(
        lambda: [one for one, other in zip(before, texts(), strict=True) if one == other],
        lambda alike: len(alike) == 1,
    )
    assert "each text is checked" in same, "what the papers claim hangs on no scenario"

    links = reader.main.get_by_role("link").filter(has_text=re.compile(r"\w"))
    targets = [link for link in links.all() if "explicit_risk" in (link.get_attribute("href") or "")]
    assert targets
    section = re.search(r"tab=(\w+)", targets[-1].get_attribute("href"))[1]
    targets[-1].click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")
    reader.wait_until_drawn().expect_query(tab=section, e0="0.6").expect_epsilon0("0.6")


def test_every_tab_opens_its_section_and_draws_it_and_the_keyboard_walks_them(reader):
    reader.open()
    first, *others = explicit_risk.PAGE.sections
    expect(reader.page.get_by_role("tab")).to_have_text([each.label for each in (first, *others)])
    titles = set()
    for each in (*others, first):
        reader.section(each.label).expect_query(tab=None if each is first else each.slug)
        expect(reader.page.get_by_role("tab", name=each.label)).to_have_attribute("aria-selected", "true")
        titles.add(until(lambda: reader.chart["title"], lambda title: title not in titles))

    reader.page.get_by_role("tab", name="By dimension").focus()
    reader.page.keyboard.press("ArrowRight")
    reader.page.keyboard.press("Enter")
    expect(reader.page.get_by_role("tab", name="By ε₀")).to_have_attribute("aria-selected", "true")
    reader.expect_title("by ε₀")


def test_a_page_is_closed_in_good_order_while_it_computes(newcomer):
    reader = newcomer.open(tab="truth", size="1000000")
    reader.page.get_by_role("button", name="Simulate", exact=True).click()
    reader.visit("Overview")
