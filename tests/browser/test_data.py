"""What a reader takes along as a CSV is what is drawn."""

import csv
import io
import json

from playwright.sync_api import expect


def test_the_csv_holds_the_plotted_points_to_the_last_digit(newcomer):
    assert_the_csv_holds_what_is_drawn(newcomer.open(tab="calibrate", e0="1.7", k="2", size="10000"))
    assert_the_csv_holds_what_is_drawn(newcomer.section("Claim and truth"))
    assert_simulated_points_are_in_it_with_their_intervals(newcomer)


def assert_the_csv_holds_what_is_drawn(reader):
    chart = reader.chart
    name, content = reader.download(reader.main.get_by_role("button", name="CSV").locator("visible=true").first)
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


def assert_simulated_points_are_in_it_with_their_intervals(reader):
    reader.page.get_by_role("button", name="Simulate", exact=True).click()
    expect(reader.main.get_by_text("simulated releases")).to_be_visible()
    _, content = reader.download(reader.main.get_by_role("button", name="CSV").locator("visible=true").first)
    rows = csv.DictReader(line for line in content.decode("utf-8").splitlines() if not line.startswith("#"))
    simulated = [row for row in rows if row["curve"].startswith("simulated")]
    assert simulated
    probability = next(key for key in simulated[0] if key.startswith("Probability"))
    for row in simulated:
        assert float(row["lower"]) < float(row[probability]) < float(row["upper"])
