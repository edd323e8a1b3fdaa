"""A steward brings a table, cancels a long sample, draws a shorter one, takes it along, and opens the link again."""

import csv
import io
import re

import numpy as np
import pandas as pd
from playwright.sync_api import expect

from par_core.randomness import seeded
from par_core.sampling import QuantileOf, sample_sensitivity

MARKER = "zebra4711"
PAY = [(at * 7919) % 5000 for at in range(3000)]
FILE = {
    "name": f"{MARKER}.csv",
    "mimeType": "text/csv",
    "buffer": (f"{MARKER}pay\n" + "".join(f"{each}\n" for each in PAY)).encode(),
}
PAIRS = 2000


def test_a_long_sample_is_cancelled_and_a_shorter_one_taken_along(newcomer):
    """A million pairs of medians take a minute."""
    reader = newcomer.open("sample_planner", tab="sampled", stable="own", sask="median", spairs=100)
    reader.main.locator("input[type=file]").set_input_files(FILE)
    expect(reader.main.get_by_text("3,000 rows, 1 column")).to_be_visible()
    expect(reader.main.get_by_role("heading", name=f"One person moves the median of {MARKER}pay")).to_be_visible()
    draw(reader, 1_000_000)
    bar = reader.main.get_by_role("progressbar")
    expect(bar).to_be_visible()
    reader.wait_for("() => Number(document.querySelector('[role=progressbar]')?.getAttribute('aria-valuenow')) > 0")
    expect(reader.main.get_by_text(re.compile("Drawing pairs: "))).to_be_visible()
    reader.main.get_by_role("button", name="Cancel").click()
    expect(reader.main.get_by_text(re.compile(r"Cancelled (with \S+|before)"))).to_be_visible()
    expect(reader.main.get_by_role("figure")).to_have_count(0)
    reader.main.get_by_role("button", name="Start again").click()
    expect(bar).to_be_visible()

    # Fewer pairs stop the sample that runs, and start one of their own.
    draw(reader, PAIRS)
    expect(reader.main.get_by_role("heading", name="One person moves the median")).to_be_visible()
    reader.wait_until_drawn().expect_title("2,000 sampled pairs").expect_query(spairs=PAIRS, stable="own")
    table = pd.DataFrame({"pay": PAY})
    sample = sample_sensitivity(QuantileOf("pay"), table, rows=1000, pairs=PAIRS, rng=seeded(1))
    curve = next(trace for trace in reader.chart["traces"] if trace["name"] == "sampled pairs")
    assert curve["x"][-1] == sample.values[-1]

    name, content = reader.download(reader.main.get_by_role("button", name="CSV", exact=True))
    text = content.decode("utf-8-sig")
    assert name.endswith(".csv")
    head = [line for line in text.splitlines() if line.startswith("#")]
    for line in ("# rows per data set: 1000", f"# pairs: {PAIRS}", "# seed: 1", "# drawn from: rows of the table"):
        assert line in head
    assert any(line.startswith("# standing: estimate") for line in head)
    rows = list(csv.DictReader(io.StringIO("\n".join(line for line in text.splitlines() if not line.startswith("#")))))
    np.testing.assert_array_equal([float(row["sensitivity"]) for row in rows], sample.values)

    link = reader.copied_link()
    assert MARKER not in link
    assert MARKER not in reader.address
    reader.go(link)
    expect(reader.main.get_by_text("Choose a file: neither a link nor a reloaded page can hold one.")).to_be_visible()
    expect(reader.field("Pairs to draw")).to_have_value(str(PAIRS))
    expect(reader.field("Rows per data set")).to_have_value("1000")
    assert MARKER not in reader.page.content()


def draw(reader, pairs):
    field = reader.field("Pairs to draw")
    field.fill(str(pairs))
    field.press("Enter")
