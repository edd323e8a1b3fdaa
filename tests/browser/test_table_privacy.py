"""Two readers at one server: nothing of the one's table reaches the other, an address, a log, or a file that did not ask."""

import re

from playwright.sync_api import expect

FILE, COLUMN, CELL, VALUE = (f"zebra{what}4711" for what in ("file", "column", "cell", "value"))
MARK = re.compile(rb"zebra\w*4711")
CHOSEN = 877  # rows that meet the condition: private, as every exact answer
TABLE = f"{COLUMN},group\n" + f"{VALUE},{CELL}\n" * CHOSEN + f"other,{CELL}\n" * 246
UPLOAD = {"name": f"{FILE}.csv", "mimeType": "text/csv", "buffer": TABLE.encode()}
BROKEN = {"name": f"{FILE}.csv", "mimeType": "text/csv", "buffer": f"{COLUMN},b\n{CELL}\n".encode()}


def marks(*contents):
    """Return every planted mark in some texts or bytes."""
    return {
        mark.decode() for each in contents for mark in MARK.findall(each if isinstance(each, bytes) else each.encode())
    }


def overhear(reader):
    """Return the list that every message from the server to this browser will be put into."""
    heard = []
    reader.page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(frame)))
    return heard


def received(heard):
    return marks(*heard)


def test_nothing_of_a_table_reaches_another_reader_an_address_a_log_or_a_file(server, new_reader):
    mine, other = new_reader(anew=True), new_reader(anew=True)
    to_me, to_other = overhear(mine), overhear(other)
    other.open("your_table", table="own")  # there at the same time
    mine.open("your_table", table="own", ask="count")
    mine.main.locator("input[type=file]").set_input_files(UPLOAD)
    value = mine.main.get_by_role("textbox", name="Value")
    expect(mine.main.get_by_text("Type the value that the condition")).to_be_visible()
    value.fill(VALUE)
    value.press("Enter")
    expect(mine.main.get_by_role("heading", name="The published count is within")).to_be_visible()
    mine.main.get_by_text("Show me the exact answer").click()
    expect(mine.main.get_by_text("For your eyes only.")).to_be_visible()
    mine.wait_until_drawn()
    # What is searched for elsewhere is found here.
    assert COLUMN in received(to_me)
    assert FILE in marks(mine.page.content())
    expect(value).to_have_value(VALUE)
    expect(mine.main.get_by_role("cell", name=str(CHOSEN), exact=True)).to_be_visible()
    # No grid holds it: a grid has a button that saves what it shows.
    expect(mine.main.get_by_test_id("stDataFrame")).to_have_count(0)
    mine.main.get_by_role("cell", name=str(CHOSEN), exact=True).hover()
    expect(mine.page.get_by_role("button", name="Download as CSV", include_hidden=True)).to_have_count(0)

    # What the reader takes along holds what was chosen, and never the file or the exact answer.
    of_plan, plan = mine.download(mine.main.get_by_role("button", name="Plan (CSV)"))
    of_code, code = mine.download(mine.main.get_by_role("button", name="Release code"))
    assert marks(plan) == marks(code) == {COLUMN, VALUE}
    _, points = mine.download(mine.main.get_by_role("button", name="CSV", exact=True))
    mine.figure.hover()
    _, picture = mine.download(mine.figure.get_by_role("button", name="Save as SVG"))
    assert not marks(points, picture, of_plan, of_code)
    for each in (plan, code, points, picture):
        assert not re.search(rb"\b(%d|%d)\b" % (CHOSEN, CHOSEN + 246), each)

    link = mine.copied_link()
    mine.main.locator("input[type=file]").set_input_files(BROKEN)
    expect(mine.main.get_by_text("Row 2 has 1 cell")).to_be_visible()
    assert not marks(link, mine.address)

    # The other reader: the same page again, and then the very link.
    other.field().fill("2")
    other.field().press("Enter")
    other.expect_epsilon0("2")
    pages = [other.page.content(), other.address]
    other.go(link)
    expect(other.main.get_by_text("neither a link nor a reloaded page can hold one")).to_be_visible()
    pages += [other.page.content(), other.main.inner_text(), other.address]
    assert to_other
    assert not received(to_other) | marks(*pages)
    assert not marks(server.log.read_bytes())
