"""The very first session of a server: Streamlit has not met the navigation yet when a page is asked for by its address."""

from playwright.sync_api import expect


def test_the_first_visitor_of_a_server_may_open_any_page_by_its_address(start_server, new_reader):
    reader = new_reader(start_server()).open("explicit_risk", tab="truth", e0="1.7")
    expect(reader.page.get_by_role("heading", level=1)).to_have_text("Explicit risk")
    expect(reader.page.get_by_role("dialog")).to_have_count(0)
    expect(reader.page.get_by_text("Page not found")).to_have_count(0)
    reader.expect_epsilon0("1.7").expect_title("ε₀ = 1.7 ")
    reader.slider().press("ArrowRight")
    reader.expect_epsilon0("2").expect_title("ε₀ = 2 ")
    reader.visit("Overview").expect_epsilon0("2")
