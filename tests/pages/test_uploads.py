"""Files of the reader's own in the dashboard: the widget, and that nothing of them gets about."""

import asyncio
import gzip
import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from random import Random
from types import SimpleNamespace
from uuid import uuid4

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.testing.v1 import AppTest

from pages.shared import error_reports, server, uploads
from par_core.deployment import settings
from tests.pages.conftest import TIMEOUT

MARKER = "zebra4711"
MEGABYTE = 2**20


def page():
    import pandas as pd
    import streamlit as st

    from pages.shared import uploads
    from par_core.datasets import Dataset

    def of(**columns):
        return lambda: Dataset("", pd.DataFrame(columns), "", "", "", {}, {})

    builtin = (
        uploads.Builtin("census", "US Census", of(age=[30, 40, 50], state=["a", None, "b"])),
        uploads.Builtin("staff", "Health centre", of(wage=[1.5, 2.5])),
    )
    table = uploads.choose_table(uploads.source("table", builtin), builtin, "Table", key="data")
    st.write(f"rows {table.rows}, own {uploads.is_own(table)}, digest {table.digest}")


@pytest.fixture
def session(monkeypatch):
    """Open sessions of a page with the choice of a table."""
    monkeypatch.setattr(uploads, "read_table", counted := Counted(uploads.read_table))
    settings.cache_clear()

    def open_it(choice="own"):
        app = AppTest.from_function(page, default_timeout=TIMEOUT)
        app.session_state["table"] = choice
        app.counted = counted
        return app.run()

    yield open_it
    settings.cache_clear()


class Counted:
    def __init__(self, function):
        self.function, self.calls = function, 0

    def __call__(self, *arguments, **options):
        self.calls += 1
        return self.function(*arguments, **options)


def put(app, data, name="table.csv"):
    app.file_uploader[0].set_value((name, data, "text/csv"))
    app.run()
    assert not app.exception
    return app


def facts(app):
    (found,) = (each.value for each in app.markdown if each.value.startswith("rows "))
    rows, own, digest = (part.split(" ")[1] for part in found.split(", "))
    return int(rows), own == "True", digest


def words(app):
    kinds = (app.markdown, app.caption, app.info, app.error, app.warning)
    return "\n".join(each.value for kind in kinds for each in kind).replace("\\", "")


def everything(app):
    return (
        repr(app.main)
        + words(app)
        + json.dumps([list(map(str, each.value.to_numpy().ravel())) for each in app.dataframe])
    )


def test_it_opens_on_a_built_in_table(session):
    app = session("census")
    assert facts(app) == (3, False, "built-in:census")
    assert "3 rows, 2 columns**: 1 number, 1 text; missing values in 1 column." in words(app)
    assert not app.file_uploader
    app.radio[0].set_value("staff").run()
    assert facts(app)[0] == 2


def test_a_link_cannot_hold_a_file(session):
    app = session("own")
    assert facts(app) == (3, False, "built-in:census")
    assert "neither a link nor a reloaded page can hold one. Until then, “US Census” is shown." in words(app)
    assert app.file_uploader[0].label == "CSV, TSV or Parquet, also as gzip, up to 50 MB"
    assert app.file_uploader[0].allowed_type == []


def test_before_a_file_is_chosen_the_table_of_before_is_shown(session):
    app = session("staff")
    app.radio[0].set_value("own").run()
    assert facts(app) == (2, False, "built-in:staff")
    assert "Until then, “Health centre” is shown." in words(app)


def test_a_file_is_read_once_and_described(session):
    app = put(session(), b"a,b\n1,x\n2,\n")
    rows, own, digest = facts(app)
    assert (rows, own) == (2, True)
    assert (
        "2 rows, 2 columns**: 1 number, 1 text; missing values in 1 column. Read as CSV, separated by commas"
        in words(app)
    )
    app.run()
    app.run()
    assert app.counted.calls == 1
    assert facts(app) == (rows, own, digest)
    put(app, b"a,b\n1,x\n2,\n", "the same under another name.csv")
    assert facts(app) == (rows, own, digest)


def test_columns_are_listed_when_asked_for_without_any_cell(session):
    app = put(session(), b"age,name\n1,zebra4711\ninf,\n")
    assert not app.dataframe
    app.session_state["columns_table"] = True
    app.run()
    (listed,) = app.dataframe
    assert listed.value.to_dict("list") == {
        "Column": ["age", "name"],
        "Holds": ["number", "text"],
        "Missing": [0, 1],
        "Infinite": [1, 0],
    }
    assert MARKER not in everything(app)


@pytest.mark.parametrize("first_let_go", [False, True])
def test_a_bad_file_keeps_what_was_open(session, first_let_go):
    app = put(session(), b"a,b\n1,x\n2,\n")
    before = facts(app)
    if first_let_go:  # as browsers do
        app.file_uploader[0].clear()
        app.run()
    put(app, b"\x89PNG\r\n\x1a\n" + bytes(100))
    assert "it looks like a PNG picture. The table that was open before stays open." in words(app)
    assert facts(app) == before
    app.run()
    assert app.counted.calls == 2
    put(app, b"a\n1\n")
    assert facts(app)[0] == 1
    assert not app.error


def test_a_bad_file_first(session):
    app = put(session(), b"a,b\n1\n")
    assert "Row 2 has 1 cell where the first line has 2." in words(app)
    assert "“US Census” is shown" in words(app)
    assert facts(app) == (3, False, "built-in:census")


def test_a_table_stays_open_without_its_widget_until_it_is_closed(session):
    app = put(session(), b"a,b\n1,x\n2,\n", "my_[table].csv")
    before = facts(app)
    app.file_uploader[0].clear()
    app.run()
    assert facts(app) == before
    assert "Still open: “my_[table].csv”." in words(app)
    app.radio[0].set_value("staff").run()
    assert facts(app)[1] is False
    app.radio[0].set_value("own").run()
    assert facts(app) == before
    app.button[0].click().run()
    assert facts(app)[1] is False
    assert "neither a link" in words(app)


def test_the_caps_of_the_operator(session, monkeypatch):
    monkeypatch.setenv("PAR_UPLOAD_MB", "1")
    app = put(session(), b"a\n" + b"1\n" * 600_000)
    assert app.file_uploader[0].proto.max_upload_size_mb == 1
    assert "at most 1 MB can be opened" in words(app)
    put(app, gzip.compress(b"a\n" + b"1\n" * 3_000_000))
    assert "holds more than 5 MB when unpacked" in words(app)


def test_no_uploads_on_a_public_demonstration(session, monkeypatch):
    monkeypatch.setenv("PAR_UPLOADS", "0")
    app = session("own")
    assert not app.file_uploader
    assert "Files cannot be opened on this server, which is a public demonstration. “US Census” is shown." in words(app)
    assert facts(app) == (3, False, "built-in:census")


@pytest.fixture
def put_at_the_address(monkeypatch):
    """Send files to the address of uploads, as a program does, and return the status of each and the most bytes that were held."""
    manager = MemoryUploadedFileManager("")
    monkeypatch.setattr(
        server, "runtime", SimpleNamespace(get_instance=lambda: SimpleNamespace(uploaded_file_mgr=manager))
    )
    monkeypatch.setattr(server.st, "get_option", {"server.maxUploadSize": 1}.get)
    settings.cache_clear()
    most, coming = Counter(), Counter()

    async def streamlit(scope, _, send):
        """Takes what comes piece by piece and then holds it, as Streamlit does."""
        _, _, session, number = scope["path"].rsplit("/", 3)
        for _ in range(scope["size"] // (MEGABYTE // 8)):
            coming[session] += MEGABYTE // 8
            most[session] = max(most[session], coming[session])
            await asyncio.sleep(0)
        manager.add_file(session, UploadedFileRec(number, "a.csv", "", bytes(scope["size"])))
        await send({"type": "http.response.start", "status": 204})

    async def put(gate, number, session, size, told):
        headers = [(b"content-length", str(size).encode())] if told else []
        path = f"/below/_stcore/upload_file/{session}/{number}"
        statuses = []

        async def send(message):
            statuses.append(message.get("status"))

        pieces = iter([True] * 5 + [False])

        async def receive():
            return {"type": "http.request", "more_body": next(pieces)}

        await gate({"type": "http", "method": "PUT", "path": path, "headers": headers, "size": size}, receive, send)
        assert statuses[0] == 204 or not list(pieces), "an answer in the middle of a file"
        return statuses[0]

    async def all_at_once(files):
        gate = server.Uploads(streamlit)
        return await asyncio.gather(*(put(gate, uuid4(), *each) for each in files))

    def run(files):
        # In a thread of its own: the browser tests leave an event loop running in this one.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(lambda: asyncio.run(all_at_once(files))).result(), most

    yield run
    settings.cache_clear()


def test_the_address_of_uploads_takes_no_more_of_a_session_than_it_may_hold(put_at_the_address):
    random = Random(1)
    files = [(random.choice("abc"), random.randint(0, 8) * MEGABYTE // 8, random.random() < 0.7) for _ in range(60)]
    statuses, most = put_at_the_address(files)
    assert set(statuses) == {204, 413}
    assert max(most.values()) <= 3 * MEGABYTE
    assert put_at_the_address([("d", MEGABYTE, True)] * 10)[0] == [204] * 3 + [413] * 7
    assert put_at_the_address([("d", 0, True), ("d", 1, True), ("e", MEGABYTE, False)])[0] == [204, 413, 204]


def test_the_address_of_uploads_is_closed_on_a_public_demonstration(put_at_the_address, monkeypatch):
    monkeypatch.setenv("PAR_UPLOADS", "0")
    statuses, most = put_at_the_address([("a", 0, True), ("a", MEGABYTE, True), ("b", 1, False)])
    assert statuses == [403] * 3
    assert not most


def test_the_file_before_is_let_go_when_the_next_is_read_and_no_other(session, monkeypatch):
    app = put(session(), b"a,b\n1,x\n2,\n")
    before = app.session_state[uploads._OWN_TABLE].stored
    manager = MemoryUploadedFileManager("")
    for whose, file in (("mine", before), ("mine", "of another field"), ("other", before)):
        manager.add_file(whose, UploadedFileRec(file, "a.csv", "", b"a"))
    monkeypatch.setattr(
        uploads, "get_script_run_ctx", lambda: SimpleNamespace(uploaded_file_mgr=manager, session_id="mine")
    )
    put(app, b"a,b\n3,x\n2,\n", "next.csv")
    assert not manager.get_files("mine", [before])
    assert manager.get_files("mine", ["of another field"])
    assert manager.get_files("other", [before])


def test_an_unexpected_error_keeps_the_page(session, monkeypatch, caplog):
    def broken(*_, **__):
        raise RuntimeError(MARKER)

    app = put(session(), b"a,b\n1,x\n2,\n")
    before = facts(app)
    monkeypatch.setattr(uploads, "read_table", broken)
    put(app, f"{MARKER}\n1\n".encode(), f"{MARKER}.csv")
    (error,) = app.error
    (record,) = (each for each in caplog.records if each.name == error_reports.__name__)
    assert record.getMessage().split()[2].rstrip(":") in error.value
    assert MARKER not in caplog.text
    assert facts(app) == before


def test_nothing_of_a_file_gets_about(session, caplog, capfd):
    caplog.set_level(0)
    mine, other = session(), session()
    data = f"{MARKER},b\n{MARKER}{MARKER},1\nx,2\n".encode()
    for each in (data, data + b"9\n", b"\x89PNG" + data, data[:-2] + b"\0\n", gzip.compress(data)[:-4], data):
        put(mine, each, f"{MARKER}.csv")
        other.run()
        mine.file_uploader[0].clear()
        mine.run()
    mine.session_state["columns_table"] = other.session_state["columns_table"] = True
    mine.run()
    other.run()
    assert MARKER in everything(mine)  # where it belongs
    assert facts(mine)[:2] == (2, True)
    assert MARKER not in everything(other)
    assert facts(other) == (3, False, "built-in:census")
    assert facts(session("own"))[1] is False
    shown = capfd.readouterr()
    assert MARKER not in caplog.text + shown.out + shown.err
    assert MARKER not in str(mine.query_params)


def test_uploads_are_not_put_on_disk():
    """Starlette takes the request apart; above a size of its own it would go on in a temporary file."""
    from starlette.requests import Request

    body = (
        b'--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n'
        + bytes(3 * MEGABYTE)
        + b"\r\n--x--\r\n"
    )

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    async def parsed():
        headers = [(b"content-type", b"multipart/form-data; boundary=x")]
        return await Request({"type": "http", "method": "PUT", "headers": headers}, receive).form()

    # In a thread of its own: the browser tests leave an event loop running in this one.
    with ThreadPoolExecutor(1) as thread:
        file = thread.submit(lambda: asyncio.run(parsed())).result()["f"].file
    assert file.tell() == 0
    assert len(file.read()) == 3 * MEGABYTE
    assert not file._rolled
