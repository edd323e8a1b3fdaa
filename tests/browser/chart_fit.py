"""Whether charts fit their room: for every section, and for windows that change."""


def misfits(reader):
    """What is wider than its room, or not beside its chart."""
    if reader.scrolls_sideways:
        yield ("the page scrolls sideways",)
    figures = reader.main.get_by_role("figure").locator("visible=true").all()
    if not figures:
        yield ("there is no chart",)
    for figure in figures:
        box, drawing = figure.bounding_box(), figure.locator(".main-svg").first.bounding_box()
        if box["x"] < 0 or box["x"] + box["width"] > reader.page.viewport_size["width"]:
            yield "the chart leaves the page", box
        if abs(drawing["width"] - box["width"]) > 2:  # pixels: of the border
            yield "the drawing has another width than its room", drawing
        csv = figure.locator("xpath=following::button[normalize-space()='CSV']").locator("visible=true").first
        if csv.count():
            away = csv.bounding_box()["y"] - box["y"] - box["height"]
            if not 0 <= away < 120:
                yield "its files are elsewhere", away
