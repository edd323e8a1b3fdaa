"""The dial: nothing set or typed is lost, and the picture follows on the node that was there before, while it is dragged too."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import until

WATCH_NODE = """
(plot) => {
  plot.marked = "the same";
  window.removed = 0;
  const gone = (node) => node === plot || node.contains?.(plot);
  new MutationObserver((changes) => {
    for (const change of changes) for (const node of change.removedNodes) if (gone(node)) window.removed += 1;
  }).observe(document.body, { childList: true, subtree: true });
}
"""


def test_a_slider_moves_chart_words_field_and_address_and_the_node_of_the_chart_stays(reader):
    reader.open(tab="truth")
    caption = reader.figure.locator("figcaption")
    before, words = reader.chart, caption.inner_text()
    plot = reader.figure.locator(".js-plotly-plot").element_handle()
    reader.page.evaluate(WATCH_NODE, plot)

    slider = reader.slider()
    slider.press("ArrowRight")
    reader.expect_title("ε₀ = 0.6 ").expect_epsilon0("0.6").expect_query(e0="0.6", v="1")
    after = reader.chart
    published = {trace["name"]: trace["y"] for trace in after["traces"]}["published risk"]
    assert published != {trace["name"]: trace["y"] for trace in before["traces"]}["published risk"]
    expect(reader.main.get_by_text(re.compile(r"off by 1\.67 on average"))).to_be_visible()
    expect(caption).to_have_text(re.compile("0.6"))
    expect(caption).not_to_have_text(words)
    for key, step in (("ArrowRight", "0.7"), ("ArrowRight", "0.8"), ("ArrowRight", "0.9"), ("ArrowLeft", "0.8")):
        slider.press(key)
        reader.expect_title(f"ε₀ = {step} ")

    # The page's own slider moves its section alone.
    reader.slider("Level hoped for, ε").press("ArrowRight")
    reader.expect_query(e="0.45", e0="0.8", tab="truth")
    expect(reader.figure).to_have_accessible_name(re.compile(r"At ε = 0\.45"))
    expect(reader.field("Level hoped for, ε")).to_have_value("0.45")

    slider.press("Home")
    reader.expect_epsilon0("0.01").expect_title("ε₀ = 0.01 ")
    slider.press("End")
    reader.expect_epsilon0("10").expect_title("ε₀ = 10 ")
    expect(reader.main.get_by_text("hardly anyone is protected")).to_be_visible()
    expect(reader.sidebar.get_by_text("← more private · more accurate →")).to_be_visible()

    assert reader.page.evaluate("(plot) => plot.isConnected && plot.marked", plot) == "the same"
    assert reader.figure.locator(".js-plotly-plot").evaluate("(plot) => plot.marked") == "the same"
    assert reader.page.evaluate("window.removed") == 0
    expect(reader.main.locator("figure.par-chart")).to_have_count(1)


def test_what_is_set_faster_than_the_page_answers_is_kept(reader):
    reader.open(tab="truth")
    slider, other = reader.slider(), reader.slider("Level hoped for, ε")
    for epsilon0, epsilon in (("0.7", "0.45"), ("0.9", "0.5")):
        slider.press("ArrowRight")
        other.press("ArrowRight")
        slider.press("ArrowRight")
        reader.expect_title(f"ε₀ = {epsilon0} ").expect_epsilon0(epsilon0).expect_query(e0=epsilon0, e=epsilon)
        expect(reader.field("Level hoped for, ε")).to_have_value(epsilon)
        expect(other).to_have_attribute("aria-valuetext", epsilon)
        expect(slider).to_be_focused()
    for _ in range(5):
        slider.press("ArrowRight")
    reader.expect_title("ε₀ = 2.5 ").expect_epsilon0("2.5")
    # What came late has come by now, and has taken nothing back.
    reader.wait_until_idle().expect_epsilon0("2.5").expect_query(e0="2.5", e="0.5")

    reader.field().fill("0.0371")
    # Leaving the field sends the value, the click sends the next request before the answer is there.
    reader.page.get_by_role("tab", name="Calibrate").click()
    reader.expect_query(tab="calibrate")
    reader.expect_epsilon0("0.0371").expect_query(e0="0.0371", tab="calibrate")


def test_every_value_typed_counts_or_is_refused_with_a_word_and_the_cursor_stays(reader):
    reader.open(tab="truth", e0="2")
    field, refused = reader.field(), reader.sidebar.get_by_role("alert")
    # The address comes back from the browser one run late: it must not undo what was typed since.
    for typed in ("3", "4", "0.0371"):
        field.fill(typed)
        field.press("Enter")
        reader.expect_epsilon0(typed).expect_query(e0=typed)
    says = {
        "9999": "9999 cannot be used: it must be from 0.00000001 to 700. 0.0371 stays.",
        "half": "“half” is no number",
    }
    tries = ("9999", "0.0371"), ("half", "0.0371"), ("", "0.0371"), ("0.02", "0.02"), ("0,0371", "0.0371")
    for typed, stands in tries:
        field.fill(typed)
        field.press("Enter")
        if typed in says:
            expect(refused).to_contain_text(says[typed])
        reader.expect_epsilon0(stands).expect_query(e0=stands)
        expect(field).to_be_focused()
        reader.wait_until_idle()
    expect(refused).to_have_count(0)

    # What was typed stands among the steps of the slider.
    reader.expect_title("ε₀ = 0.0371 ").slider().press("ArrowRight")
    reader.expect_epsilon0("0.04")
    expect(reader.slider()).to_be_focused()
    reader.slider().press("ArrowLeft")
    reader.expect_epsilon0("0.0371").expect_title("ε₀ = 0.0371 ")


SHOWN = """
(figure) => {
  const plot = figure.querySelector(".js-plotly-plot");
  const own = plot._fullData.find((trace) => trace.mode === "markers+text");
  return { title: plot.layout.title.text, own: own.x[0], text: own.text[0] };
}
"""


def drag(reader, name, until):
    """Press the thumb of a slider and move it until it stands at a value; the button stays down."""
    slider = reader.slider(name)
    slider.hover()
    # The frames come when the pointer does.
    reader.wait_until_idle()
    box = slider.bounding_box()
    steps = int(slider.get_attribute("max"))
    x = lambda at: box["x"] + 8 + (box["width"] - 16) * at / steps  # noqa: E731  # half a thumb is left free at each end
    at = int(slider.input_value())
    reader.page.mouse.move(x(at), box["y"] + box["height"] / 2)
    reader.page.mouse.down()
    while slider.get_attribute("aria-valuetext") != until:
        at += 1
        assert at <= steps, f"the slider never stands at {until}"
        reader.page.mouse.move(x(at), box["y"] + box["height"] / 2)
    return slider


def test_chart_headline_and_strip_follow_the_thumb_before_the_server_hears_of_it(reader):
    reader.open(tab="truth", e="0.4", e0="2")
    headline = reader.main.get_by_role("heading", level=2).first
    plot = reader.figure.locator(".js-plotly-plot").element_handle()
    reader.page.evaluate(WATCH_NODE, plot)
    drag(reader, "Level hoped for, ε", "0.8")
    expect(headline).to_contain_text("Privacy loss exceeds ε = 0.8")
    reader.wait_for(
        "(figure) => figure.querySelector('.js-plotly-plot')._fullData.some((trace) => (trace.text ?? [])[0]?.startsWith?.('ε = 0.8'))",
        reader.figure.element_handle(),
    )
    moved, said = reader.figure.evaluate(SHOWN), headline.inner_text()
    expect(reader.field("Level hoped for, ε")).to_have_value("0.8")
    pale = "() => [...document.querySelectorAll('[role=tabpanel] .stMarkdown')].filter((each) => getComputedStyle(each).opacity < 1).length"
    until(lambda: reader.page.evaluate(pale), lambda faded: faded > 1, "sentences of the value before are faded")
    reader.page.mouse.up()
    reader.expect_query(e="0.8").wait_until_idle()
    until(lambda: reader.page.evaluate(pale), 0)
    # The server finds what the frame showed, and a moment later its own figure, with all its digits, stands in the frame's place.
    until(lambda: reader.figure.evaluate(SHOWN), {**moved, "own": 0.8})
    until(headline.inner_text, said)

    drag(reader, "Privacy level ε₀", "3")
    expect(reader.main.get_by_text("off by 0.34 on average")).to_be_visible()
    reader.wait_for(
        "(figure) => figure.querySelector('.js-plotly-plot').layout.title.text.includes('ε₀ = 3 ')",
        reader.figure.element_handle(),
    )
    moved, said = reader.figure.evaluate(SHOWN), headline.inner_text()
    drawn = reader.figure.get_attribute("data-drawn")
    reader.page.mouse.up()
    reader.expect_query(e0="3").wait_until_idle().expect_epsilon0("3")
    expect(reader.figure).not_to_have_attribute("data-drawn", drawn)
    reader.wait_until_drawn()
    until(lambda: reader.figure.evaluate(SHOWN)["text"], moved["text"])
    until(headline.inner_text, said)
    assert reader.page.evaluate("window.removed") == 0


@pytest.mark.parametrize("screen", ["desktop", "phone"])
def test_the_line_of_a_chart_is_drawn_aside_and_the_dial_goes_along(new_reader, screen):
    reader = new_reader(screen=screen)
    reader.open("decide")
    handle = reader.figure.locator(".par-chart-handle")
    handle.scroll_into_view_if_needed()
    handle.hover(position={"x": 7, "y": 150})
    reader.wait_until_idle()  # the frames come when the pointer does
    box, field = handle.bounding_box(), reader.page.locator(".par-dial-field").first  # on a phone its sidebar is closed
    x, y = box["x"] + box["width"] / 2 + 3, box["y"] + 150  # not from the very middle: the line does not jump
    reader.page.mouse.move(x, y)
    reader.page.mouse.down()
    expect(field).to_have_value("0.5")
    at = x
    while field.input_value() != "0.35":
        at -= 1
        assert at > x - 60, "the line is never at 0.35"
        reader.page.mouse.move(at, y)
    reader.wait_for(f"(figure) => ({SHOWN})(figure).text.includes('0.35')", reader.figure.element_handle())
    assert "e0" not in reader.page.url, "the server has heard of it before it was let go"
    reader.page.mouse.up()
    reader.expect_query(e0="0.35").wait_until_idle()
    expect(field).to_have_value("0.35")
    expect(reader.main.get_by_role("button", name="Release code for ε₀ = 0.35")).to_be_visible()
    until(
        lambda: abs(handle.bounding_box()["x"] + box["width"] / 2 - (at - 3)),
        lambda away: away < 8,
        "the handle stands where the line does, a step of the dial from the pointer at most",
    )
