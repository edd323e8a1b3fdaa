"""With the Tab key: the focus is always seen, and what sets a chart comes before what saves it."""

FOCUSED = """
() => {
  const at = document.activeElement, { outlineStyle, outlineWidth } = getComputedStyle(at);
  const box = at.getBoundingClientRect();
  const name = at.getAttribute("aria-label") || at.labels?.[0]?.textContent || at.textContent.trim();
  return { name: name.slice(0, 60), seen: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2 && box.width > 0 && box.height > 0 };
}
"""


def test_the_focus_is_seen_everywhere_and_controls_come_before_what_saves_the_chart(reader):
    reader.open(tab="truth")
    reader.page.get_by_role("tab", name="Claim and truth").focus()
    stops = []
    while not stops or stops[-1]["name"] != "Save as SVG":
        reader.page.keyboard.press("Tab")
        stops.append(reader.page.evaluate(FOCUSED))
        assert len(stops) < 80, [each["name"] for each in stops]
    assert [each["name"] for each in stops if not each["seen"]] == []
    names = [each["name"] for each in stops]
    assert names.index("Level hoped for, ε") < names.index("Save as PNG")
