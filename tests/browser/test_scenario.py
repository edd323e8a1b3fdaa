"""The scenario while a reader works with it: what is calibrated is taken over."""

from playwright.sync_api import expect


def test_a_calibrated_epsilon0_reaches_sidebar_sentence_and_address(reader):
    reader.open(tab="calibrate")
    reader.main.get_by_role("button", name="Use ε₀").click()
    reader.expect_query(e0="0.4").expect_epsilon0("0.4")
    reader.section("By ε₀").expect_query(e0="0.4")


OLDER = (
    '{"epsilon0": 0.25, "k": 3, "sensitivity": 1.0, "neighbours": "add-or-remove", "rows_per_person": 1, "statistics": 1,'
    ' "releases": 12, "stakeholders": 900, "compensation": 120.5, "currency": "EUR", "delta": 1e-06}'
)


def test_a_scenario_file_is_saved_and_opened_and_so_is_one_of_an_older_version(newcomer):
    reader = newcomer.open("your_table", table="own", e0="0.3", rel="5", m="gaussian")
    reader.sidebar.get_by_text("Scenario file").click()
    _, saved = reader.download(reader.sidebar.get_by_role("button", name="Save scenario"))
    field = reader.sidebar.locator("input[type=file]")
    field.set_input_files({"name": "older.json", "mimeType": "application/json", "buffer": OLDER.encode()})
    expect(reader.sidebar.get_by_text("Not in the file, so as in the example: Mechanism.")).to_be_visible()
    reader.expect_query(e0="0.25", k="3", rel="12", cur="EUR", m=None)
    reader.expect_epsilon0("0.25")
    field.set_input_files({"name": "saved.json", "mimeType": "application/json", "buffer": saved})
    reader.expect_query(e0="0.3", k=None, rel="5", cur=None, m="gaussian")
    reader.expect_epsilon0("0.3")
    table = {"name": "table.csv", "mimeType": "text/csv", "buffer": b"age\n30\n40\n"}
    reader.main.locator("input[type=file]").set_input_files(table)
    expect(reader.main.get_by_text("2 rows, 1 column")).to_be_visible()
    reader.field().fill("0.4")  # each file is still its own field's in the next run
    reader.field().press("Enter")
    reader.expect_query(e0="0.4").wait_until_idle()
    expect(reader.sidebar.get_by_text("saved.json")).to_be_visible()
