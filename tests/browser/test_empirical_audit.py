"""A steward looks at who is exposed, brings a panel with missing individuals, adds noise, and takes the certificate along."""

import json
import re

import numpy as np
import pandas as pd
from playwright.sync_api import expect

from par_core.audit import Panel
from par_core.audit.auditing import audit
from par_core.audit.noise import wasserstein_scale
from par_core.audit.queries import PanelMean

MARKER = "zebra4711"


def records():
    """Twenty days; the first person is far above all and is there on every second day only."""
    rng = np.random.default_rng(5)
    rows = [
        (f"{MARKER}d{10 + day}", f"{MARKER}p{person}", round(float(rng.normal() + (20 if person == 0 else 0)), 3))
        for day in range(20)
        for person in range(12)
        if (day % 2 if person == 0 else rng.random() < 0.8)
    ]
    return pd.DataFrame(rows, columns=[f"{MARKER}day", f"{MARKER}who", f"{MARKER}pay"])


def test_from_the_ranking_to_the_certificate_of_a_file_of_ones_own(newcomer):
    reader = newcomer.open("empirical_audit")
    expect(reader.main.get_by_role("heading", name="people are exposed; the most exposed is")).to_be_visible()
    without = reader.main.get_by_role("figure").nth(1)
    expect(without.get_by_text("Answers with and without person 20030")).to_be_visible()
    reader.wait_until_idle()  # the intervals are there
    reader.choose(re.compile(r"^3\b"))
    reader.expect_query(erank=3)
    expect(without.get_by_text("Answers with and without person 11039")).to_be_visible()
    slider = reader.main.get_by_role("slider").first
    for level in ("0.12", "0.15"):  # the ranking changes with it; what was chosen is a rank and stays one
        slider.press("ArrowRight")
        expect(reader.main.get_by_role("heading", name=re.compile(rf"At ε = {level}"))).to_be_visible()
        reader.expect_query(erank=3, ee=level)
        expect(reader.main.get_by_text("Something unexpected")).to_have_count(0)
    reader.wait_until_idle()
    reader.choose(re.compile(r"^1\b"))
    reader.expect_query(erank=None)
    for level in ("0.12", "0.1"):
        slider.press("ArrowLeft")
        expect(reader.main.get_by_role("heading", name=re.compile(rf"At ε = {level}"))).to_be_visible()

    table = records()
    reader.main.get_by_text("Databases: built in, or your own file").click()
    reader.choose("Your own file")
    reader.main.locator("input[type=file]").set_input_files(
        {"name": f"{MARKER}.csv", "mimeType": "text/csv", "buffer": table.to_csv(index=False).encode()}
    )
    expect(reader.main.get_by_text(re.compile("Choose the column that says in which database"))).to_be_visible()
    reader.wait_until_idle()
    for field, column in (("Database", "day"), ("Individual", "who")):
        reader.pick(re.compile(rf"^{field}\b|Selected .*{field}$|{field}$"), f"{MARKER}{column}")
    panel = Panel.from_long(table, database=f"{MARKER}day", individual=f"{MARKER}who", value=f"{MARKER}pay")
    assert panel.presence().min() < 20
    result = audit(panel, PanelMean())
    at = result.at(0.1)
    verdict = reader.main.get_by_role("heading", name=re.compile(rf"{at.exposed} of 12 individuals"))
    expect(verdict).to_contain_text("the most exposed is no. 1")
    reader.wait_until_drawn()

    reader.section("Add noise")
    expect(reader.main.get_by_role("heading", name=re.compile("an answer needs noise of"))).to_be_visible()
    reader.main.get_by_text("Into the certificate").click()
    reader.expect_query(eadd=1, tab="noise", etable="own")
    reader.section("Who is exposed?")
    expect(verdict).to_be_visible()
    name, content = reader.download(reader.main.get_by_role("button", name="Certificate (JSON)"))
    assert name == "certificate.json"
    found = json.loads(content)
    assert found["result"]["delta"] == float(f"{at.delta:.3g}")
    assert found["result"]["individuals above 0"] == at.exposed
    assert found["databases"]["number"] == 20
    scale = wasserstein_scale(result.answers, result.without, epsilon=0.1).scale
    assert scale <= found["noise"]["scale"] <= 1.001 * scale
    assert MARKER not in content.decode()
    assert MARKER not in reader.address
