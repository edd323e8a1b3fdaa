"""Addresses and links: what is shown is what was asked for, in another browser too."""

import re

import pytest
from playwright.sync_api import expect

from pages import explicit_risk
from pages.shared import frame


@pytest.mark.parametrize(("module", "asked"), [("overview", "2"), ("explicit_risk", "0.0371")])
def test_a_link_shows_the_value_it_asks_for(reader, module, asked):
    reader.open(module, e0=asked)
    reader.expect_epsilon0(asked).expect_query(e0=asked)
    expect(reader.main.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize(
    ("module", "asked"),
    [
        ("overview", "9999"),
        ("overview", "<script>alert(1)</script>"),
        ("explicit_risk", "<img src=x onerror=alert(1)>"),
    ],
)
def test_a_link_that_cannot_be_met_is_answered_with_a_sentence(reader, module, asked):
    reader.open(module, e0=asked)
    reader.expect_epsilon0("0.5").expect_query(e0=None)
    notice = reader.main.get_by_role("alert")
    expect(notice).to_have_count(1)
    expect(notice).to_contain_text(f"“{asked}”")
    expect(notice).to_contain_text("ε₀")
    expect(notice).to_contain_text("0.5")


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
    }
    reader.open(**asked)
    notice = reader.main.get_by_role("alert")
    for text in asked.values():
        expect(notice).to_contain_text(f"“{text}”".replace("\n\n    x\n", " x "))
    drawn = notice.locator("a, em, strong, img, .katex, b, h1, h2, ul, ol, pre, [style*='color']")
    assert [element.evaluate("(node) => node.outerHTML") for element in drawn.all()] == []


def test_the_copied_address_shows_the_same_in_another_browser(new_reader):
    first = new_reader().open(tab="truth")
    first.slider().press("ArrowRight")
    first.field("Level hoped for, ε").fill("0.123")
    first.field("Level hoped for, ε").press("Enter")
    first.expect_query(e0="0.6", e="0.123", tab="truth").expect_epsilon0("0.6")
    second = new_reader().go(first.address)
    second.expect_epsilon0("0.6").expect_title("ε₀ = 0.6 ")
    expect(second.field("Level hoped for, ε")).to_have_value("0.123")
    expect(second.page.get_by_role("tab", name="Claim and truth")).to_have_attribute("aria-selected", "true")
    assert second.chart == first.chart
    assert second.address == first.address


def copied_link(reader):
    reader.context.grant_permissions(["clipboard-read", "clipboard-write"], origin=reader.server.origin)
    reader.page.get_by_role("button", name="Copy link").click()
    expect(reader.page.get_by_role("button", name=re.compile("copied", re.I))).to_be_visible()
    return reader.page.evaluate("navigator.clipboard.readText()")


def test_the_copied_link_holds_every_setting_and_restores_it(new_reader):
    first = new_reader().open(tab="calibrate", e0="0.0371", k="3", nb="add-or-remove", conf="0.85", find="epsilon")
    link = copied_link(first)
    keys = set(re.findall(r"[?&](\w+)=", link))
    assert keys == {"v", *(setting.key for setting in frame.settings_of(explicit_risk.PAGE))}
    assert "v=1" in link
    second = new_reader().go(link)
    second.expect_epsilon0("0.0371")
    expect(second.page.get_by_role("tab", name="Calibrate")).to_have_attribute("aria-selected", "true")
    assert second.chart == first.chart
    expect(second.main.get_by_role("alert")).to_have_count(0)
    assert copied_link(second) == link


def test_the_copied_link_follows_what_was_set_last(reader):
    reader.open(tab="truth")
    reader.slider("Level hoped for, ε,").press("ArrowRight")
    reader.expect_query(e="0.5")
    assert "&e=0.5&" in copied_link(reader)


def test_without_a_clipboard_the_link_is_shown(reader):
    reader.page.add_init_script("Object.defineProperty(navigator, 'clipboard', {value: undefined})")
    reader.open("overview", e0="2")
    reader.page.get_by_role("button", name="Copy link").click()
    link = reader.page.get_by_role("textbox", name="Link to this view")
    expect(link).to_be_visible()
    expect(link).to_have_value(re.compile(r"[?&]e0=2&"))


def test_the_settings_survive_going_to_another_page_and_back(reader):
    reader.open(tab="calibrate", e0="0.0371", conf="0.85")
    reader.visit("Overview").expect_epsilon0("0.0371").expect_query(e0="0.0371")
    reader.visit("Explicit risk").expect_epsilon0("0.0371").expect_query(e0="0.0371", conf="0.85", tab="calibrate")
    expect(reader.page.get_by_role("tab", name="Calibrate")).to_have_attribute("aria-selected", "true")
    expect(reader.field("Wanted confidence")).to_have_value("0.85")


def test_what_is_set_on_one_page_holds_on_the_next(reader):
    reader.open("overview")
    reader.slider().press("ArrowRight")
    reader.expect_epsilon0("0.6")
    reader.visit("Explicit risk").expect_epsilon0("0.6").expect_query(e0="0.6")
    reader.slider().press("ArrowRight")
    reader.expect_epsilon0("0.7")
    reader.visit("Overview").expect_epsilon0("0.7")


def test_the_back_button_returns_to_the_page_before_with_its_settings(reader):
    reader.open(tab="truth", e0="1", e="0.3")
    reader.visit("Overview")
    reader.page.go_back()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")
    reader.wait_until_drawn().expect_epsilon0("1").expect_title("ε₀ = 1 ")
    reader.expect_query(tab="truth", e0="1", e="0.3")
    expect(reader.field("Level hoped for, ε")).to_have_value("0.3")
    reader.page.go_forward()
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Overview")
    reader.wait_until_drawn().expect_epsilon0("1")


def test_a_reload_keeps_the_state(reader):
    reader.open(tab="truth")
    reader.slider().press("ArrowRight")
    reader.expect_query(e0="0.6")
    reader.page.reload()
    reader.wait_until_drawn().expect_epsilon0("0.6").expect_title("ε₀ = 0.6 ")


def test_an_address_that_is_no_page_leads_to_the_first_one(reader):
    reader.go(reader.server.address("no_such_page"))
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Overview")
    # Streamlit says so in the console too; nothing else may stand there.
    assert [each for each in reader.errors if "page that you have requested does not seem to exist" not in each] == []
    reader.errors.clear()
