"""The slider moves, and the picture follows on the node that was there before."""

import re

from playwright.sync_api import expect

STEPS = ["0.5", "0.6", "0.7", "0.8", "1", "1.5", "2", "2.5", "3", "5", "10"]


def test_a_key_on_the_slider_moves_chart_sentence_field_and_address(reader):
    reader.open(tab="truth")
    before = reader.chart
    reader.slider().press("ArrowRight")
    reader.expect_title("ε₀ = 0.6 ").expect_epsilon0("0.6").expect_query(e0="0.6", v="1")
    after = reader.chart
    assert before["title"] != after["title"]
    exact = {trace["name"]: trace["y"] for trace in after["traces"]}
    assert exact["published risk"] != {trace["name"]: trace["y"] for trace in before["traces"]}["published risk"]
    expect(reader.main.get_by_text(re.compile(r"is off by 1\.667 on average"))).to_be_visible()


def test_the_node_of_the_chart_stays_through_twenty_updates(reader):
    reader.open(tab="truth")
    plot = reader.figure.locator(".js-plotly-plot").element_handle()
    reader.page.evaluate("(plot) => { plot.marked = 'the same'; }", plot)
    reader.page.evaluate(
        """(plot) => {
          window.removed = 0;
          const gone = (node) => node === plot || node.contains?.(plot);
          new MutationObserver((changes) => {
            for (const change of changes) for (const node of change.removedNodes) if (gone(node)) window.removed += 1;
          }).observe(document.body, { childList: true, subtree: true });
        }""",
        plot,
    )
    there = [("ArrowRight", step) for step in STEPS[1:]]
    back = [("ArrowLeft", step) for step in reversed(STEPS[:-1])]
    assert len(there + back) == 20
    for key, step in there + back:
        reader.slider().press(key)
        reader.expect_title(f"ε₀ = {step} ")
    assert reader.page.evaluate("(plot) => plot.isConnected && plot.marked", plot) == "the same"
    assert reader.figure.locator(".js-plotly-plot").evaluate("(plot) => plot.marked") == "the same"
    assert reader.page.evaluate("window.removed") == 0
    assert reader.main.locator("figure.par-chart").count() == 1


def test_keys_pressed_faster_than_the_page_answers_end_in_the_right_state(reader):
    reader.open(tab="truth")
    slider = reader.slider()
    for _ in range(6):
        slider.press("ArrowRight")
    reader.expect_title("ε₀ = 2 ").expect_epsilon0("2").expect_query(e0="2")


def test_a_typed_value_is_kept_when_something_else_is_clicked_at_once(reader):
    reader.open(tab="truth")
    reader.field().fill("0.0371")
    # Leaving the field sends the value, the click sends the next request before the answer is there.
    reader.page.get_by_role("tab", name="Calibrate").click()
    reader.expect_query(tab="calibrate")
    reader.expect_epsilon0("0.0371").expect_query(e0="0.0371", tab="calibrate")


def test_slider_and_another_control_in_quick_turn_keep_both_values(reader):
    reader.open(tab="truth")
    slider, other = reader.slider(), reader.slider("Level hoped for, ε,")
    for epsilon0, epsilon in (("0.7", "0.5"), ("1", "0.6"), ("2", "0.7")):
        slider.press("ArrowRight")
        other.press("ArrowRight")
        slider.press("ArrowRight")
        reader.expect_title(f"ε₀ = {epsilon0} ").expect_epsilon0(epsilon0).expect_query(e0=epsilon0, e=epsilon)
        expect(reader.field("Level hoped for, ε")).to_have_value(epsilon)
        expect(other).to_have_attribute("aria-valuetext", epsilon)
        expect(slider).to_be_focused()
    # What came late has come by now, and has taken nothing back.
    reader.wait_until_idle()
    reader.expect_epsilon0("2").expect_query(e0="2", e="0.7")


def test_the_field_keeps_the_cursor_whether_its_value_is_taken_or_refused(reader):
    reader.open(tab="truth")
    for typed, stands in (("0.0371", "0.0371"), ("900", "0.0371"), ("", "0.0371"), ("0.02", "0.02")):
        reader.field().fill(typed)
        reader.field().press("Enter")
        reader.expect_epsilon0(stands).expect_query(e0=stands)
        expect(reader.field()).to_be_focused()
        reader.wait_until_idle()
    reader.slider().press("ArrowRight")
    reader.expect_epsilon0("0.05")
    expect(reader.slider()).to_be_focused()


def test_the_page_slider_moves_its_own_section(reader):
    reader.open(tab="truth", e0="1")
    reader.slider("Level hoped for, ε,").press("ArrowRight")
    reader.expect_query(e="0.5", e0="1", tab="truth")
    expect(reader.figure).to_have_accessible_name(re.compile(r"At ε = 0\.5"))
    expect(reader.field("Level hoped for, ε")).to_have_value("0.5")


def test_a_typed_value_stands_among_the_steps_of_the_slider(reader):
    reader.open(tab="truth")
    reader.field().fill("0.0371")
    reader.field().press("Enter")
    reader.expect_epsilon0("0.0371").expect_title("ε₀ = 0.0371 ").expect_query(e0="0.0371")
    reader.slider().press("ArrowRight")
    reader.expect_epsilon0("0.05")
    reader.slider().press("ArrowLeft")
    reader.expect_epsilon0("0.0371").expect_title("ε₀ = 0.0371 ")


def test_the_slider_reaches_both_ends_and_says_which_one_is_private(reader):
    reader.open(tab="truth")
    reader.slider().press("Home")
    reader.expect_epsilon0("0.01")
    reader.slider().press("End")
    reader.expect_epsilon0("10")
    expect(reader.main.get_by_text("hardly anyone is protected")).to_be_visible()
    expect(reader.sidebar.get_by_text(re.compile("more private"))).to_be_visible()
