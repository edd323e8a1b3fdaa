"""A steward compares accountants, asks how many releases fit, and adds up releases of different levels."""

import re
import time

from playwright.sync_api import expect

from par_core.ledger import released, utc_today
from par_core.plan import Plan, Release
from par_core.queries.shapes import CountsShape
from tests.browser.conftest import alike, until


def heading(reader, words):
    expect(reader.main.get_by_role("heading", level=2).locator("visible=true")).to_have_text(re.compile(words))
    return reader


def names(reader):
    return [trace["name"] for trace in reader.chart["traces"] if not trace["skipped"]]


def expect_curves(reader, *wanted):
    return reader.wait_for(
        """(wanted) => {
          const plot = [...document.querySelectorAll("figure.par-chart")].find((each) => each.clientWidth)
            ?.querySelector(".js-plotly-plot");
          const names = (plot?._fullData ?? []).filter((each) => each.mode.includes("lines") && each.hoverinfo !== "skip")
            .map((each) => each.name);
          return JSON.stringify(names) === JSON.stringify(wanted);
        }""",
        list(wanted),
    )


def set_field(reader, label, value):
    field = reader.main.get_by_role("spinbutton", name=label, exact=True)
    field.fill(value)
    field.press("Enter")
    return reader


def test_curves_are_switched_off_and_on_and_follow_the_controls(reader):
    reader.open("composition", curves="basic,at_risk", cn="300")
    expect_curves(reader, "Basic composition", "PaR, Theorem 3", "Exact privacy loss distribution")
    reader.page.get_by_role("button", name="Basic composition").click()
    expect_curves(reader, "PaR, Theorem 3", "Exact privacy loss distribution").expect_query(curves="at_risk")
    reader.page.get_by_role("button", name="zCDP").click()
    expect_curves(reader, "zCDP", "PaR, Theorem 3", "Exact privacy loss distribution").expect_query(
        curves="zcdp,at_risk"
    )
    before = reader.chart
    set_field(reader, "δ of the curves", "0.001").expect_title("δ = 0.001").expect_query(cd="0.001")
    for old, new in zip(before["traces"], reader.chart["traces"], strict=False):
        if old["name"] == new["name"] == "zCDP":
            assert new["y"][-1] < old["y"][-1], "a larger δ costs less"
    reader.slider("ε₀ of each release").press("ArrowRight")
    reader.expect_title("ε₀ = 0.6,").expect_query(ce0="0.6")
    reader.page.get_by_role("button", name="Figure 5b").click()
    reader.expect_title("ε₀ = 0.5, δ = 10⁻⁵").expect_query(ce0=None, cd=None, curves=None, cn="300")
    expect_curves(
        reader,
        "Basic composition",
        "Advanced composition",
        "PaR, Theorem 3",
        "PaR, as drawn (δ = 0.0001)",
        "Exact privacy loss distribution",
    )
    expect_the_pointer_to_compare_all_curves_at_one_number(reader)


def expect_the_pointer_to_compare_all_curves_at_one_number(reader):
    plot = reader.wait_until_drawn().figure.locator(".nsewdrag").first
    plot.scroll_into_view_if_needed()  # the button that was pressed last stands far below it
    box = plot.bounding_box()
    label = reader.figure.locator(".hoverlayer")

    def told_at_the_pointer():
        for share in (0.69, 0.7):  # a chart that is drawn once more tells only a pointer that moves
            reader.page.mouse.move(box["x"] + share * box["width"], box["y"] + 0.6 * box["height"])
        return label.text_content()

    told = until(told_at_the_pointer, re.compile(r"\d+Basic composition.*Exact").match)
    number = int(re.match(r"\d+", told)[0])
    values = {
        name: dict(zip(each["x"], each["y"], strict=True))[number]
        for each in reader.chart["traces"]
        if (name := each["name"]) and number in each["x"] and not each["skipped"]
    }
    for name in (
        "Basic composition",
        "PaR, Theorem 3",
        "PaR, as drawn (δ = 0.0001)",
        "Exact privacy loss distribution",
    ):
        shown = float(re.search(rf"{re.escape(name)}\s*:\s*(\d+(\.\d{{1,4}})?)", told)[1])
        assert abs(shown - values[name]) < 0.034 * values[name], (name, told)  # two digits
        assert name.startswith("PaR") or shown >= values[name], "what is proven is rounded up"
    expect(reader.main.get_by_text("not a valid guarantee from 257 releases on")).to_be_visible()


def test_the_inverse_is_run_and_taken_over(reader):
    reader.open("composition", tab="plan", e0="0.1")
    heading(reader, r"You can make 56 releases within ε′\s=\s3")
    set_field(reader, "ε budget, all releases", "5").expect_query(cte="5")
    heading(reader, r"You can make 133 releases within ε′\s=\s5")
    set_field(reader, "Planned releases", "300").expect_query(rel="300")
    expect(reader.main.get_by_text("planned releases may use ε₀ up to 0.065")).to_be_visible()
    reader.main.get_by_role("button", name="Use ε₀").click()
    reader.expect_epsilon0("0.065").expect_query(e0="0.065")
    heading(reader, r"You can make 307 releases within ε′\s=\s5")
    expect(reader.main.get_by_role("row", name="PaR, as drawn")).to_contain_text("Refuted")
    # The bars are drawn anew on their nodes: both charts are there.
    expect(reader.main.get_by_role("figure").locator("visible=true")).to_have_count(2)


def type_into(reader, column, row, text):
    """Put a text into a cell of the editor, which is painted on a canvas: rows are 35 px high, below a head of the same height."""
    cell, field = reader.page.get_by_test_id(f"glide-cell-{column}-{row - 1}"), reader.page.locator(".gdg-input")
    expect(cell).to_be_attached()
    expect(reader.main.get_by_text("Counting exactly")).to_have_count(0)
    # Two clicks in quick succession are a double click: wait for what is left of that time since the last one.
    reader.page.wait_for_timeout(max(0.0, 600 - 1000 * (time.monotonic() - getattr(reader, "clicked", 0.0))))
    was_chosen = cell.get_attribute("aria-selected") == "true"
    box = reader.main.get_by_test_id("stDataFrame").locator("canvas").first.bounding_box()
    reader.page.mouse.click(box["x"] + 33 + (column - 0.5) * (box["width"] - 33) / 2, box["y"] + (row + 0.5) * 35)
    reader.clicked = time.monotonic()
    expect(cell).to_have_attribute("aria-selected", "true")
    if not was_chosen:  # a click opens the field of a cell that was chosen before, and chooses any other one
        reader.page.keyboard.press("Enter")
    field.fill(text)
    field.press("Enter")
    expect(field).to_have_count(0)
    return reader


def test_the_table_of_mixed_releases_is_edited_and_travels(new_reader):
    first = new_reader().open("composition", tab="mixed", cte="0.3", mix="1 0.1_1 0.2_2")
    heading(first, r"3 releases do not fit: more than ε = 0\.3 is spent")
    type_into(first, 2, 2, "1").expect_query(mix="1 0.1_1 0.2_1")
    heading(first, r"2 releases fit: 0\.3 of 0\.3 spent")
    type_into(first, 1, 1, "-5")
    expect(first.main.get_by_text("Row 1 is left out")).to_be_visible()
    heading(first, r"1 release fits: 0\.2 of 0\.3 spent")
    type_into(first, 1, 1, "0.1").expect_query(mix="1 0.1_1 0.2_1")
    expect(first.main.get_by_text("Row 1 is left out")).to_have_count(0)
    expect(first.wait_until_drawn().main.get_by_text("Counting exactly")).to_have_count(0)
    first.main.get_by_test_id("stDataFrame").hover()
    first.main.get_by_role("button", name="Add row").click()
    type_into(first, 1, 3, "0.05").expect_query(mix="1 0.1_1 0.2_1 0.05_1")
    heading(first, r"3 releases do not fit: more than ε = 0\.3 is spent")
    second = new_reader().go(first.address)
    until(lambda: [first.chart, second.chart], alike)
    expect(second.main.get_by_role("alert")).to_have_count(0)
    # It is still there after another section, and can be edited on.
    first.section("Accountants").section("Mixed releases").expect_query(mix="1 0.1_1 0.2_1 0.05_1")
    heading(first, r"3 releases do not fit: more than ε = 0\.3 is spent")
    type_into(first, 2, 1, "5").expect_query(mix="1 0.1_5 0.2_1 0.05_1")


def test_a_known_change_is_edited_on_the_page_on_explicit_risk(reader):
    reader.open(tab="truth", e0="1", e="0.35")
    reader.main.get_by_text("If you know how one person moves the answer").click()
    field = reader.main.get_by_role("textbox", name="Shares of the change")
    field.fill("0.6, 0.4")
    field.press("Enter")
    expect(reader.main.get_by_text(re.compile("moves 2 numbers by 0.6, 0.4"))).to_be_visible()
    reader.expect_query(shares="0.6,0.4")


def test_what_is_left_of_an_own_ledger_is_five_clicks_from_the_first_page(newcomer):
    """Three here, and two in the window of the system, on the file and on its button. The ledger stays in their session."""
    reader = newcomer
    reader.open("overview")
    reader.page.get_by_role("link", name="Composition", exact=True).first.click()
    reader.main.get_by_role("tab", name="Budget left", exact=True).click()
    heading(reader, "^You can make 3 more releases in 2026")
    with reader.page.expect_file_chooser() as chooser:
        reader.main.get_by_role("button", name="Upload").locator("visible=true").click()
    plan = Plan((Release(CountsShape(3)),), 2.9)
    data = released(plan, "visits", utc_today()).line + b"\n"
    chooser.value.set_files({"name": "ledger.jsonl", "mimeType": "application/json", "buffer": data})
    heading(reader, "has no room for a release of your scenario")
    reader.expect_query(tab="left")
