"""The page on the budget for a breach in a browser: numbers, chart and address move together, and links bring everything back."""

import re

import pytest
from playwright.sync_api import expect

from par_core.figures.theme import DARK
from tests.browser.conftest import alike, until


def metric(reader, label):
    """Return the number below a label; the first one if a page has several."""
    return reader.main.get_by_test_id("stMetric").filter(has_text=label).first.get_by_test_id("stMetricValue")


def expect_metric(reader, label, value):
    expect(metric(reader, label)).to_have_text(re.compile(value.replace(" ", r"\s")))


def rgb(colour):
    return "rgb({}, {}, {})".format(*(int(colour[at : at + 2], 16) for at in (1, 3, 5)))


def fill(reader, label, value):
    reader.field(label).fill(value)
    reader.field(label).press("Enter")


def published(reader, name):
    return next((trace["y"] for trace in reader.chart["traces"] if trace["name"] == name), None)


def test_the_preset_tells_its_story_and_compensation_moves_number_chart_and_address(reader):
    reader.open("budget_minimiser", e0="2", comp="1", cur="EUR", model="fine")
    reader.page.get_by_role("button", name="The paper's health centre").click()
    expect_metric(reader, "Saving, claimed", "36,600 USD")
    reader.expect_epsilon0("0.5").expect_query(comp=None, cur=None, e0=None, model=None)
    expect(reader.main.get_by_text(re.compile("John Doe"))).to_be_visible()
    _, data = reader.download(reader.main.get_by_role("button", name="CSV"))
    assert "saving 36628.5491" in data.decode(), "the head holds the unrounded numbers"
    before = published(reader.wait_until_drawn(), "published, ε₀ = 0.5")
    fill(reader, "Compensation per stakeholder", "11000")
    expect_metric(reader, "Least, claimed", "75,600 USD")
    expect_metric(reader, "Saving, true", "12,900 USD")
    reader.expect_query(comp="11000")
    expect(reader.figure).to_have_accessible_name(re.compile(r"75,600"))
    doubled = pytest.approx([2 * each for each in before], rel=1e-9)
    until(lambda: published(reader, "published, ε₀ = 0.5"), doubled)


def test_two_scenarios_are_compared_and_the_link_brings_them_back(new_reader):
    first = new_reader().open("budget_minimiser", tab="compare")
    add = first.page.get_by_role("button", name="Add the present scenario")
    add.click()
    expect(first.page.get_by_role("button", name="Remove A")).to_be_visible()
    first.slider().press("ArrowRight")
    first.expect_epsilon0("0.6").expect_query(e0="0.6", tab="compare").wait_until_idle()
    before = first.page.evaluate("location.search")
    add.click()
    expect(first.page.get_by_role("button", name="Remove B")).to_be_visible()
    first.wait_for("(before) => location.search !== before", before)
    second = new_reader().go(first.page.evaluate("location.href"))
    expect(second.main.get_by_role("alert")).to_have_count(0)
    expect(second.main.get_by_role("table")).to_contain_text("55,400")
    until(lambda: [each.main.get_by_role("table").inner_text() for each in (first, second)], alike)
    until(lambda: [first.chart, second.chart], alike)
    until(lambda: [first.address, second.address], alike)
    name, data = second.download(second.main.get_by_role("button", name="CSV"))
    assert name == "compared_scenarios.csv"
    assert "\nA,0.5," in data.decode()
    assert "\nB,0.6," in data.decode()


def test_points_are_typed_and_the_chart_follows_in_the_dark_theme(new_reader):
    reader = new_reader(color_scheme="dark").open("budget_minimiser", tab="moves", model="table")
    field = reader.page.get_by_role("textbox", name="Points of the table")
    field.fill("0.1, 5\n0.5, 800\n2, 100000")
    field.press("Control+Enter")
    reader.expect_query(pts="1 0.1_5 0.5_800 2_100000")
    expect(reader.main.get_by_text(re.compile(r"ε₀ moves the answer most"))).to_be_visible()
    field.fill("0.1, 5\n0.5, 1")
    field.press("Control+Enter")
    expect(reader.main.get_by_role("alert").filter(has_text="at least 5")).to_be_visible()
    expect(field).to_have_value("0.1, 5\n0.5, 1")
    reader.expect_query(pts="1 0.1_5 0.5_800 2_100000")
    bars = reader.figure.locator(".bars path")
    until(
        lambda: bars.evaluate_all("(bars) => bars.map((bar) => getComputedStyle(bar).fill)"),
        {rgb(DARK[role]) for role in ("exact", "published")}.issubset,
    )
