"""Long work on a large table: it is seen, it can be cancelled, and the page stays usable."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from playwright.sync_api import expect

PERSONS = 1_000_000
LONG = 300_000  # ms; seconds as a rule, but the machine may be busy
# From within the page: a click from here may come when a busy machine is done with the work.
CANCEL_AT_ONCE = """() => new MutationObserver((_, observer) => {
  const shown = document.querySelector("[role=progressbar]");
  const cancel = [...document.querySelectorAll("button")].find((each) => each.innerText.trim() === "Cancel");
  if (shown && cancel) { observer.disconnect(); cancel.click(); }
}).observe(document.body, { childList: true, subtree: true })"""


@pytest.fixture
def file(tmp_path):
    """Two million rows, two of each person: as many as can be opened; the exact answer takes some seconds."""
    persons = pa.array(np.random.default_rng(1).permutation(np.repeat(np.arange(PERSONS), 2)).astype("U7"))
    groups = pa.DictionaryArray.from_arrays(np.arange(2 * PERSONS) % 3, [f"group {at}" for at in "ABC"])
    pq.write_table(pa.table({"group": groups, "twin": groups, "who": persons}), tmp_path / "large.parquet")
    return tmp_path / "large.parquet"


def test_a_long_job_is_cancelled_and_run_again(newcomer, file):
    reader = newcomer.open("your_table", table="own")
    reader.main.locator("input[type=file]").set_input_files(file)
    expect(reader.main.get_by_text("2,000,000 rows, 3 columns")).to_be_visible(timeout=LONG)
    expect(reader.main.get_by_text("Type the publicly known list of categories")).to_be_visible()
    reader.wait_until_idle()
    reader.pick("And a second column", "twin")
    for name in ("My categories", "Categories of the second column"):
        field = reader.main.get_by_role("textbox", name=name)
        field.fill("group A\ngroup B")
        field.press("Control+Enter")
        reader.wait_until_idle()
    reader.pick("Person column", "who")
    expect(
        reader.main.get_by_text(f"{PERSONS:,} of {2 * PERSONS:,} rows are left out: only a person’s first row counts")
    ).to_be_visible(timeout=LONG)

    reader.page.evaluate(CANCEL_AT_ONCE)
    reader.main.get_by_text("Show me the exact answer").click()
    expect(reader.main.get_by_text(re.compile(r"Cancelled (with \d|before)"))).to_be_visible()
    expect(reader.main.get_by_text("For your eyes only.")).to_have_count(0)

    reader.field().fill("1")
    reader.field().press("Enter")
    reader.expect_epsilon0("1")  # the page goes on
    reader.main.get_by_role("button", name="Start again").click()
    expect(reader.main.get_by_text("For your eyes only.")).to_be_visible(timeout=LONG)
    expect(reader.main.get_by_text(f"more rows than the cap: {PERSONS:,}.")).to_be_visible()
    expect(reader.main.get_by_text(re.compile("Cancelled"))).to_have_count(0)
