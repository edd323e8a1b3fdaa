"""Paper check in a browser: filter, open a claim, refute it with own numbers, follow a badge and come back, share the link."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import alike, until


def choose(reader, label, option):
    reader.main.get_by_role("combobox", name=re.compile(f"{label}$")).click()
    reader.page.get_by_role("option", name=option, exact=True).click()
    return reader.wait_until_drawn()


def lines(reader):
    """The rows of the catalogue, which stands below the root errors."""
    return reader.main.get_by_role("table").last.locator("tbody").get_by_role("row")


def headline(reader, words):
    expect(reader.main.get_by_role("heading", level=2).first).to_have_text(re.compile(words))
    return reader.wait_until_drawn()


def button(reader, label):
    return reader.main.get_by_role("button", name=label, exact=True)


def test_the_list_is_filtered_a_claim_is_opened_and_the_list_is_as_it_was(reader):
    reader.open("paper_check")
    headline(reader, r"^\d+ root errors; \d+ claims fall with ")
    expect(lines(reader)).to_have_count(20)
    choose(reader, "Paper", "Lecture").expect_query(qp="lecture")
    choose(reader, "Verdict", "Refuted").expect_query(qv="refuted")
    counted = reader.main.get_by_text(re.compile(r"^\d+ of \d+ claims$"))
    refuted = reader.main.get_by_role("table").get_by_text("Refuted", exact=True)
    left, *_ = until(
        lambda: [int(re.search(r"of (\d+)", counted.inner_text())[1]), lines(reader).count(), refuted.count()], alike
    )
    search = reader.main.get_by_role("textbox", name="Search")
    search.fill("belief")
    search.press("Enter")
    reader.expect_query(qt="belief").wait_until_drawn()
    expect(counted).not_to_have_text(f"{left} of {left} claims")
    shown = until(lines(reader).count, lambda shown: 0 < shown < left)

    lines(reader).first.get_by_role("link").click()
    expect(button(reader, "All claims")).to_be_visible()
    reader.wait_until_drawn().expect_query(qp="lecture", click=None)
    first = until(lambda: reader.query.get("claim"))
    expect(reader.main.get_by_text("How grave:")).to_be_visible()
    if shown > 1:
        button(reader, "Next").click()
        reader.wait_for("(first) => new URLSearchParams(location.search).get('claim') !== first", first)
        reader.wait_until_idle()
    button(reader, "All claims").click()
    expect(lines(reader)).to_have_count(shown)
    reader.expect_query(claim=None, qp="lecture", qt="belief")
    lines(reader).first.get_by_role("link").click()  # the same link once more
    reader.expect_query(claim=first)


def test_a_claim_is_refuted_with_own_numbers_and_the_link_shows_the_same_elsewhere(new_reader):
    reader = new_reader().open("paper_check", claim="par-theorem-4")
    headline(reader, "^Theorem 4: this claim is false")
    expect(reader.main.get_by_text("Here it fails:")).to_be_visible()
    before = reader.chart
    own = reader.main.get_by_role("spinbutton", name="ε", exact=True)
    own.fill("1")
    own.press("Enter")
    expect(reader.main.get_by_text("Here it happens to hold:")).to_be_visible()
    own.fill("0.25")
    own.press("Enter")
    expect(reader.main.get_by_text("Here it fails:")).to_be_visible()
    reader.expect_query(own="1_0.25").wait_until_drawn()
    until(lambda: reader.chart["traces"], lambda traces: traces != before["traces"])
    assert reader.chart["title"] == before["title"]
    button(reader, "Go to where it holds").click()
    expect(reader.main.get_by_text("Here it happens to hold:")).to_be_visible()
    own.fill("0.25")
    own.press("Enter")
    reader.expect_query(own="1_0.25").wait_until_drawn()

    link, chart = reader.copied_link(), reader.chart
    other = new_reader(anew=True).go(link)
    headline(other, "^Theorem 4: this claim is false")
    expect(other.main.get_by_role("spinbutton", name="ε", exact=True)).to_have_value("0.25")
    expect(other.main.get_by_role("spinbutton", name="ε₀", exact=True)).to_have_value("1")
    expect(other.main.get_by_text("Here it fails:")).to_be_visible()
    expect(other.main.get_by_role("alert").filter(has_text="cannot be used")).to_have_count(0)
    until(lambda: other.chart, chart)
    assert other.copied_link() == link


def test_a_badge_leads_to_its_claim_in_the_same_session_and_the_claim_leads_back(reader):
    reader.open("explicit_risk", tab="truth", e0="0.8").expect_epsilon0("0.8")
    badge = reader.main.get_by_role("link", name="Refuted", exact=True).first
    badge.click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Paper check")
    headline(reader, "^Theorem 4: this claim is false").expect_query(claim="par-theorem-4", e0="0.8", click=None)
    expect(reader.slider()).to_have_attribute("aria-valuetext", "0.8")
    assert len(reader.context.pages) == 1, "no other window is opened"
    reader.main.get_by_role("link", name="Back to Explicit risk").click()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")
    reader.wait_until_drawn().expect_query(tab="truth", e0="0.8").expect_epsilon0("0.8")

    # By the keyboard, and back by the button of the browser; whatever section of Paper check was open last.
    reader.visit("Paper check").section("Numbering").visit("Explicit risk")
    reader.main.get_by_role("link", name="Refuted", exact=True).first.press("Enter")
    headline(reader, "^Theorem 4: this claim is false")
    reader.page.go_back()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")
    reader.wait_until_drawn().expect_query(tab="truth")


def test_a_badge_that_is_opened_in_a_window_of_its_own_shows_the_claim_there(reader):
    reader.open("explicit_risk", tab="truth")
    with reader.context.expect_page() as opened:
        reader.main.get_by_role("link", name="Refuted", exact=True).first.click(modifiers=["ControlOrMeta"])
    expect(opened.value.get_by_role("heading", name=re.compile("^Theorem 4: this claim is false"))).to_be_visible()
    opened.value.close()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")


def test_the_map_leads_to_a_claim_by_a_click_and_by_its_table(reader):
    reader.open("paper_check", tab="map")
    headline(reader, "^Theorem 4 fails")
    reader.main.get_by_role("table").get_by_role("link", name="PaR Lemma 11", exact=True).click()
    headline(reader, "^Lemma 11: this claim is false").expect_query(tab=None)
    reader.section("What rests on what")
    mark = reader.figure.locator(".scatterlayer .points path").last
    mark.scroll_into_view_if_needed()

    def told_at_the_mark():
        box = mark.bounding_box()
        for share in (0.4, 0.5):  # a chart that is drawn once more tells only a pointer that moves
            reader.page.mouse.move(box["x"] + share * box["width"], box["y"] + share * box["height"])
        return reader.figure.locator(".hoverlayer").text_content()

    until(told_at_the_mark, re.compile("PaR").search)
    reader.page.mouse.down()
    reader.page.mouse.up()
    expect(button(reader, "All claims")).to_be_visible()
    reader.expect_query(tab=None)


def test_all_is_checked_again_in_a_process_of_its_own(new_reader):
    reader = new_reader(anew=True).open("paper_check")
    button(reader, "Check all again").click()
    expect(reader.main.get_by_text(re.compile(r"^All \d+ verdicts as before"))).to_be_visible()
