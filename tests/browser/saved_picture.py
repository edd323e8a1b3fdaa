"""What is saved from the menu of a chart can be printed and shown as it is."""

from io import BytesIO

from PIL import Image

# Every word and every symbol of the legend as it is painted, in pixels of the picture.
READ_PICTURE = """
(svg) => {
  const box = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect();
    return { what: node.textContent, left, top, right, bottom };
  };
  const seen = (node) => node.getBoundingClientRect().width > 0;
  return {
    picture: box(svg),
    words: [...svg.querySelectorAll("text")].filter(seen).map(box),
    legend: [...svg.querySelectorAll(".legendtext")].map(box),
    symbols: [...svg.querySelectorAll(".layers path")].filter(seen).map(box),
  };
}
"""


def overlap(one, other, *, allowed=1.0):
    """Whether two boxes share more than the pixel that lies around letters."""
    wide = min(one["right"], other["right"]) - max(one["left"], other["left"])
    high = min(one["bottom"], other["bottom"]) - max(one["top"], other["top"])
    return wide > allowed and high > allowed


def assert_saved_picture_is_on_white(reader):
    reader.figure.hover()
    name, png = reader.download(reader.figure.get_by_role("button", name="Save as PNG", exact=True))
    assert name.endswith(".png")
    picture = Image.open(BytesIO(png)).convert("RGBA")
    right, bottom = picture.width - 1, picture.height - 1
    assert {picture.getpixel(at) for at in ((0, 0), (right, 0), (0, bottom), (right, bottom))} == {(255, 255, 255, 255)}
    assert picture.getchannel("A").getextrema() == (255, 255)


def assert_saved_picture_is_whole(reader, module):
    title = reader.chart["title"]
    reader.figure.hover()
    name, svg = reader.download(reader.figure.get_by_role("button", name="Save as SVG"))
    assert name.endswith(".svg")
    alone = reader.context.new_page()  # without the fonts of the dashboard
    alone.set_content(svg.decode("utf-8"))
    drawn = alone.locator("svg").first.evaluate(READ_PICTURE)
    alone.close()
    words, whole = drawn["words"], drawn["picture"]
    texts = [each["what"] for each in words]
    assert title in " ".join(texts).replace("\u00a0", " "), module
    assert any(text.startswith("Privacy at Risk explorer") for text in texts), module
    outside = [
        each["what"]
        for each in words
        if min(each["left"] - whole["left"], each["top"] - whole["top"]) < 0
        or max(each["right"] - whole["right"], each["bottom"] - whole["bottom"]) > 0
    ]
    assert not outside, module
    crossing = [
        (one["what"], other["what"]) for at, one in enumerate(words) for other in words[:at] if overlap(one, other)
    ]
    assert not crossing, module
    assert len(drawn["symbols"]) >= len(drawn["legend"]) > 0, module
    hidden = [word["what"] for word in drawn["legend"] for symbol in drawn["symbols"] if overlap(word, symbol)]
    assert not hidden, module
