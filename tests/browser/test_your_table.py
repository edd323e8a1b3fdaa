"""A steward brings a table and leaves with a plan and code; the table stays where it is."""

import re

from playwright.sync_api import expect

from tests.browser.conftest import until

MARKER = "zebra4711"
TABLE = f"{MARKER}col,age\n" + "".join(f"{MARKER}{'ABC'[at % 3]},{20 + at % 50}\n" for at in range(900))
FILE = {"name": f"{MARKER}.csv", "mimeType": "text/csv", "buffer": TABLE.encode()}


def sentence(reader, words):
    expect(reader.main.get_by_role("heading", name=re.compile(words))).to_be_visible()


def bring(reader, *, by_hand=False):
    """Upload the table, after finding the place for it or from a link."""
    if by_hand:
        reader.open("your_table")
        reader.main.get_by_text("Table: the census, or your own file").click()
        reader.choose("Your own file")
        expect(reader.main.get_by_text("Choose a file: neither a link")).to_be_visible()
        sentence(reader, "Each of 8 published counts")  # of the census, until the file is read
    else:
        reader.open("your_table", table="own")
    reader.main.locator("input[type=file]").set_input_files(FILE)
    expect(reader.main.get_by_text("900 rows, 2 columns")).to_be_visible()
    return reader


def list_categories(reader, *names):
    field = reader.main.get_by_role("textbox", name="My categories")
    field.fill("\n".join(names))
    field.press("Control+Enter")
    return reader.wait_until_drawn()


def test_from_a_private_table_to_a_plan_and_code(newcomer):
    reader = newcomer
    bring(reader, by_hand=True)
    expect(reader.main.get_by_text("Type the publicly known list of categories")).to_be_visible()
    list_categories(reader, f"{MARKER}A", f"{MARKER}B")
    sentence(reader, "Each of 2 published counts is within 12 of the truth in 95 of 100 releases")
    reader.field().fill("1")
    reader.field().press("Enter")
    reader.expect_epsilon0("1")
    sentence(reader, "within 6 of the truth")
    expect(reader.figure).to_contain_text("6 at ε₀ = 1")

    expect(reader.main.get_by_test_id("stDataFrame")).not_to_contain_text("Exact")
    saves = reader.page.get_by_role("button", name="Download as CSV", include_hidden=True)
    reader.main.get_by_test_id("stDataFrame").hover()
    expect(saves).to_have_count(1)  # of what is not private; below none is left
    expect(saves).to_be_hidden()  # it would write a category such as =1+1 as a formula
    reader.main.get_by_text("Show me the exact answer").click()
    expect(reader.main.get_by_text("For your eyes only.")).to_be_visible()
    expect(reader.main.get_by_text("not on the list: 300.")).to_be_visible()
    reader.main.get_by_role("columnheader", name="Exact (private)").hover()
    expect(saves).to_have_count(0)

    name, plan = reader.download(reader.main.get_by_role("button", name="Plan (CSV)"))
    assert name == "plan.csv"
    assert f"{MARKER}A,".encode() in plan
    assert b"counts: epsilon: 1" in plan
    name, code = reader.download(reader.main.get_by_role("button", name="Release code"))
    assert name == "release.py"
    assert b"EPSILON = 1.0" in code
    compile(code, name, "exec")
    reader.expect_query(table="own", e0="1")
    reader.reload()
    expect(reader.main.get_by_text("Choose a file: neither a link nor a reloaded page can hold one.")).to_be_visible()
    reader.expect_epsilon0("1")


def test_the_table_stays_open_on_other_pages_and_after_a_bad_file(newcomer):
    reader = list_categories(bring(newcomer), f"{MARKER}A", f"{MARKER}B")
    reader.section("ε₀ for a wanted error")
    sentence(reader, "ε₀ = 0.57 keeps each of 2 published counts within ±10")
    reader.main.get_by_role("button", name="Use ε₀").click()
    reader.expect_epsilon0("0.57")
    reader.expect_query(e0="0.57", s="2", k="2", m="discrete-laplace")
    reader.section("How far off")
    expect(reader.main.get_by_text("which the other pages follow")).to_have_count(0)
    sentence(reader, "Each of 2 published counts is within 10 of the truth")
    reader.visit("Overview").visit("Your table")
    sentence(reader, "Each of 2 published counts is within 10 of the truth")
    assert MARKER not in reader.address

    reader.main.locator("input[type=file]").set_input_files(
        {"name": "picture.csv", "mimeType": "text/csv", "buffer": b"\x89PNG\r\n\x1a\n"}
    )
    expect(reader.main.get_by_text("it looks like a PNG picture")).to_be_visible()
    sentence(reader, "Each of 2 published counts is within 10 of the truth")


def test_a_file_on_a_phone(new_reader):
    reader = bring(new_reader(screen="phone", anew=True))
    reader.main.get_by_role("button", name="Copy from the file").click()
    sentence(reader, "Each of 3 published counts")
    # The place of the file stands above the answer, not below the chart with the other controls.
    main = reader.main
    order = [
        main.get_by_text("Table: the census, or your own file"),
        main.get_by_role("heading", name="Each of 3"),
        *(main.get_by_text(each, exact=True).first for each in ("Person column", "What is published")),
        main.get_by_role("spinbutton", name="ε₀ of the release"),
        reader.figure,
        main.get_by_role("heading", name="Publish it"),
    ]
    until(lambda: [each.bounding_box()["y"] for each in order], lambda tops: tops == sorted(tops))
    expect(reader.main.get_by_text("Copied from the file")).to_be_visible()
    reader.expect_no_scrolling_sideways()
    reader.section("ε₀ for a wanted error")
    reader.expect_no_scrolling_sideways()
