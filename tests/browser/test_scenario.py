"""The scenario while a reader works with it: nothing typed is lost, nothing refused in silence."""

from playwright.sync_api import expect


def type_epsilon0(reader, text):
    reader.field().fill(text)
    reader.field().press("Enter")


def test_every_value_that_is_typed_counts(reader):
    # The address comes back from the browser one run late: it must not undo what was typed since.
    reader.open("overview")
    for value in ("2", "3", "4", "0.25"):
        type_epsilon0(reader, value)
        reader.expect_epsilon0(value).expect_query(e0=value)


def test_every_section_that_is_clicked_opens(reader):
    reader.open()
    for label, slug in (
        ("Calibrate", "calibrate"),
        ("Claim and truth", "truth"),
        ("By ε₀", "level"),
        ("Calibrate", "calibrate"),
    ):
        reader.section(label).expect_query(tab=slug)


def test_a_value_out_of_range_is_named_and_the_last_good_one_stays(reader):
    reader.open("overview", e0="2")
    type_epsilon0(reader, "9999")
    expect(reader.sidebar.get_by_role("alert")).to_contain_text("9999 cannot be used")
    reader.expect_epsilon0("2")
    type_epsilon0(reader, "3")
    reader.expect_epsilon0("3")
    expect(reader.sidebar.get_by_role("alert")).to_have_count(0)


def test_an_emptied_field_asks_for_nothing(reader):
    reader.open("overview", e0="2")
    type_epsilon0(reader, "")
    reader.expect_epsilon0("2")


def test_a_calibrated_epsilon0_reaches_sidebar_sentence_and_address(reader):
    reader.open(tab="calibrate")
    reader.main.get_by_role("button", name="Use ε₀").click()
    reader.page.wait_for_function("new URLSearchParams(location.search).get('e0')=== '0.4'")
    expect(reader.main.get_by_text("At ε₀ = 0.4,").first).to_be_visible()
    assert float(reader.field().input_value()) == 0.4
    reader.section("By ε₀")
    assert reader.query["e0"] == "0.4"
