"""What a reader takes along: the table, the CSV, the pictures; all of them hold what is drawn."""

import csv
import io
import json

import pytest
from playwright.sync_api import expect


def test_the_data_open_as_a_table(reader):
    reader.open(tab="truth")
    expect(reader.page.get_by_test_id("stDataFrame")).to_have_count(0)
    reader.main.get_by_role("group").filter(has_text="Data").locator("summary").click()
    expect(reader.page.get_by_test_id("stDataFrame")).to_be_visible()
    # The table is painted; what a screen reader gets stands behind the painting.
    grid = reader.page.get_by_test_id("stDataFrame").get_by_role("grid", include_hidden=True)
    expect(grid.get_by_role("columnheader", include_hidden=True).first).to_have_text("curve")
    rows = sum(len(trace["x"]) for trace in reader.chart["traces"] if not trace["skipped"])
    expect(grid).to_have_attribute("aria-rowcount", str(rows + 1))


@pytest.mark.parametrize("tab", ["calibrate", "truth"])
def test_the_csv_holds_the_plotted_points_to_the_last_digit(reader, tab):
    reader.open(tab=tab, e0="1.7", k="2")
    chart = reader.chart
    name, content = reader.download(reader.main.get_by_role("button", name="CSV").first)
    assert name.endswith(".csv")
    lines = content.decode("utf-8").splitlines()
    head = [line for line in lines if line.startswith("#")]
    assert any(chart["title"] in line for line in head)
    assert any("source" in line for line in head)
    scenario = next(line.split(":", 1)[1] for line in head if line.startswith("# scenario"))
    assert json.loads(scenario)["epsilon0"] == 1.7
    assert json.loads(scenario)["k"] == 2
    rows = list(csv.reader(io.StringIO("\n".join(line for line in lines if not line.startswith("#")))))
    drawn = [
        (trace["name"], x, y)
        for trace in chart["traces"]
        if not trace["skipped"]
        for x, y in zip(trace["x"], trace["y"], strict=True)
    ]
    assert [(row[0], float(row[1]), float(row[2])) for row in rows[1:]] == drawn


def test_simulated_points_are_in_the_csv_with_their_intervals(reader):
    reader.open(tab="truth", size="10000")
    reader.page.get_by_role("button", name="Simulate", exact=True).click()
    expect(reader.main.get_by_text("simulated releases")).to_be_visible()
    _, content = reader.download(reader.main.get_by_role("button", name="CSV").first)
    rows = csv.DictReader(line for line in content.decode("utf-8").splitlines() if not line.startswith("#"))
    simulated = [row for row in rows if row["curve"].startswith("simulated")]
    assert simulated
    probability = next(key for key in simulated[0] if key.startswith("Probability"))
    for row in simulated:
        assert float(row["lower"]) < float(row[probability]) < float(row["upper"])


def test_how_it_is_computed_opens_with_its_formulas(reader):
    reader.open(tab="truth")
    expect(reader.main.locator(".katex")).to_have_count(0)
    explanation = reader.main.get_by_role("group").filter(has_text="How this is computed")
    explanation.locator("summary").click()
    expect(explanation.locator(".katex-display").first).to_be_visible()
    expect(explanation.get_by_text("Theorem 4").first).to_be_visible()
    expect(explanation.locator(".katex-error")).to_have_count(0)


def test_the_data_stay_open_while_the_slider_moves(reader):
    reader.open(tab="truth")
    reader.main.get_by_role("group").filter(has_text="Data").locator("summary").click()
    expect(reader.page.get_by_test_id("stDataFrame")).to_be_visible()
    reader.slider("Level hoped for, ε,").press("ArrowRight")
    reader.expect_query(e="0.5")
    expect(reader.page.get_by_test_id("stDataFrame")).to_be_visible()
