"""The scenario while a reader works with it: what is calibrated is taken over."""

from playwright.sync_api import expect


def test_a_calibrated_epsilon0_reaches_sidebar_sentence_and_address(reader):
    reader.open(tab="calibrate")
    reader.main.get_by_role("button", name="Use ε₀").click()
    reader.page.wait_for_function("new URLSearchParams(location.search).get('e0')=== '0.4'")
    expect(reader.main.get_by_text("At ε₀ = 0.4,").first).to_be_visible()
    assert float(reader.field().input_value()) == 0.4
    reader.section("By ε₀")
    assert reader.query["e0"] == "0.4"
