"""Addresses and links: what is shown is what was asked for, in another browser too."""

import re

from playwright.sync_api import expect

from pages import explicit_risk
from pages.shared import app_shell
from tests.browser.conftest import until


def test_what_a_link_holds_is_shown_letter_by_letter(reader):
    asked = {
        "e0": "**x** _y_",
        "k": "[a](http://b.c)",
        "s": "$y^2$ http://b.c www.b.c",
        "d": "![p](http://b.c/p.png)",
        "comp": ":red[z] :smile: `q`",
        "e": "# x - y",
        "prior": "&lt;b&gt; <b>b</b>",
        "ks": "1\n\n    x\n- y",
        "th": "<script>alert(1)</script>",
        "conf": "<img src=x onerror=alert(1)>",
    }
    reader.open(**asked)
    notice = reader.main.get_by_role("alert")
    for text in asked.values():
        expect(notice).to_contain_text(f"“{text}”".replace("\n\n    x\n", " x "))
    drawn = notice.locator("a, em, strong, img, .katex, b, h1, h2, ul, ol, pre, [style*='color']")
    assert [element.evaluate("(node) => node.outerHTML") for element in drawn.all()] == []


def test_the_copied_link_and_the_address_show_the_same_in_another_browser_and_after_a_reload(new_reader):
    first = new_reader().open(tab="truth", k="3", nb="add-or-remove", conf="0.85", find="epsilon")
    first.slider().press("ArrowRight")
    first.field("Level hoped for, ε").fill("0.123")
    first.field("Level hoped for, ε").press("Enter")
    first.expect_query(e0="0.6", e="0.123", tab="truth").expect_epsilon0("0.6").expect_title("ε₀ = 0.6 ")
    first.wait_until_drawn()
    address, chart, link = first.address, first.chart, first.copied_link()
    assert "&e=0.123&" in link, "the link follows what was set last"
    assert link.startswith(f"{first.server.url}explicit_risk?")
    keys = set(re.findall(r"[?&](\w+)=", link))
    settings = app_shell.settings_of(explicit_risk.PAGE)
    assert keys == {"v", *(setting.key for setting in settings if not setting.only_where_set)}
    assert "v=1" in link
    for again in (new_reader().go(link), first.reload()):
        where = "after a reload" if again is first else "in another browser"
        again.expect_epsilon0("0.6").expect_title("ε₀ = 0.6 ")
        expect(again.field("Level hoped for, ε"), where).to_have_value("0.123")
        expect(again.page.get_by_role("tab", name="Claim and truth"), where).to_have_attribute("aria-selected", "true")
        expect(again.main.get_by_role("alert"), where).to_have_count(0)
        until(lambda again=again: again.chart, chart, where)
        until(lambda again=again: again.address, address, where)
        assert again.copied_link() == link, where


def test_the_settings_survive_going_to_another_page_and_back(reader):
    reader.open(tab="calibrate", e0="0.0371", conf="0.85")
    reader.visit("Overview").expect_epsilon0("0.0371").expect_query(e0="0.0371")

    # Without a clipboard the link is shown.
    reader.page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })")
    reader.page.get_by_role("button", name="Copy link").click()
    link = reader.page.get_by_role("textbox", name="Link to this view")
    expect(link).to_be_visible()
    expect(link).to_have_value(re.compile(r"[?&]e0=0\.0371&"))
    reader.page.evaluate("delete navigator.clipboard")

    reader.slider().press("ArrowRight")
    reader.expect_epsilon0("0.04")
    reader.visit("Explicit risk").expect_epsilon0("0.04").expect_query(e0="0.04", conf="0.85", tab="calibrate")
    expect(reader.page.get_by_role("tab", name="Calibrate")).to_have_attribute("aria-selected", "true")
    expect(reader.field("Wanted confidence")).to_have_value("0.85")
    reader.slider().press("ArrowRight")
    reader.expect_epsilon0("0.045").expect_query(e0="0.045")
    reader.visit("Overview").expect_epsilon0("0.045")

    # So they do by the buttons of the browser.
    reader.page.go_back()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")
    reader.wait_until_drawn().expect_epsilon0("0.045").expect_query(tab="calibrate", e0="0.045", conf="0.85")
    expect(reader.field("Wanted confidence")).to_have_value("0.85")
    reader.page.go_forward()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Overview")
    reader.wait_until_drawn().expect_epsilon0("0.045")


def test_an_address_that_is_no_page_leads_to_the_first_one(newcomer):
    newcomer.go(newcomer.server.address("no_such_page"))
    expect(newcomer.page.get_by_role("heading", level=1)).to_have_text("Overview")
    # Streamlit says so in the console too; nothing else may stand there.
    assert [each for each in newcomer.errors if "page that you have requested does not seem to exist" not in each] == []
    newcomer.errors.clear()
