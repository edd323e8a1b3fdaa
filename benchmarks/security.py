"""What could get out: two sessions at one server that is traced, while one of them leaves marks wherever a reader can leave something.

Run: make security (needs strace; with OPTIONS=--strict a fault fails)

The owner has a browser, opens every section, gives every field for a file a marked table and types a mark into every field for a text.
Meanwhile another session opens the same sections over the websocket alone, and once more afterwards. The marks are looked for in each
message to the other, in the log, in the owner's address and in each file that the server opened for writing; noted is each socket that
it made and each host that the browser asked. Then the doors: what a page of another site may ask, and the headers.
"""

from __future__ import annotations

import asyncio
import re
import sys
import tempfile
import time
from contextlib import suppress
from functools import partial
from http.client import HTTPConnection
from itertools import product
from pathlib import Path
from random import Random
from urllib.parse import urlsplit

from playwright.sync_api import Error, Locator, sync_playwright
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from benchmarks.load import SECTIONS
from benchmarks.visitor import Visitor
from pages.shared.navigation import PAGES
from tests.browser.conftest import FLAGS, Reader, Server
from tests.browser.find_browser import HELP, find

MARK = re.compile(rb"zebra\w*4711")
FILE, COLUMN, CELL, TYPED = (f"zebra{what}4711" for what in ("file", "column", "cell", "typed"))
PADDING = "." * 4_000  # of a large file: above 1 MB Starlette would put it into a file of its own accord
TABLES = [
    f"{COLUMN},year,value,note\n" + "".join(f"{CELL}_{at % 7},{2000 + at // 40},{at % 13},{pad}\n" for at in range(400))
    for pad in ("", PADDING)
]
UPLOADS = [{"name": f"{FILE}.csv", "mimeType": "text/csv", "buffer": each.encode()} for each in TABLES]
OWN_TABLE = {"your_table": {"table": "own"}, "sample_planner": {"stable": "own"}, "empirical_audit": {"etable": "own"}}
FIELDS = "input[type=text]:visible, input[type=password]:visible, textarea:visible"
TRACE = ("strace", "-D", "-f", "--seccomp-bpf", "-qq", "-e", "trace=socket,connect,openat,open,creat,rename,renameat2")
WRITTEN = re.compile(r'^\d+ +\w+\((?:AT_FDCWD, )?"([^"]+)", [^=\n]*O_(?:WRONLY|RDWR|CREAT)(?!.*= -1)', re.M)
SOCKET = re.compile(r"^\d+ +(?:socket\(AF_INET.*|connect\(\d+, \{sa_family=AF_INET.*)", re.M)
FOREIGN = "elsewhere.example"
LIMIT = 3_000  # milliseconds for a field that may be covered or gone
Row = tuple[str, str, bool]


class Traced(Server):
    """The dashboard under strace, which notes the sockets that are made and the files that are opened."""

    def start(self) -> None:
        self.calls = self.log.with_name("calls")
        self._command = [*TRACE, "-o", str(self.calls), *self._command]
        super().start()

    @property
    def traced(self) -> str:
        return self.calls.read_text(encoding="utf-8", errors="replace")


class Other(Visitor):
    """Who is there at the same time: every message is searched for marks."""

    messages = 0
    found: frozenset[bytes] = frozenset()

    def hear(self, message: bytes) -> ForwardMsg:
        self.messages += 1
        self.found |= {*MARK.findall(message)}
        return super().hear(message)

    async def walk(self) -> None:
        for page, query in SECTIONS:
            await self.open(page, **query, **OWN_TABLE.get(page, {}))
            await self.wait_for_jobs(time.perf_counter() + 2)


class Owner:
    """Who has something to hide: one session at a browser."""

    def __init__(self, reader: Reader) -> None:
        self.reader, self.page = reader, reader.page
        self.files = self.bytes = self.texts = self.asked = 0
        self.heard: set[bytes] = set()
        self.addresses: list[str] = []
        self.page.on("websocket", lambda socket: socket.on("framereceived", self._hear))
        reader.context.on("request", lambda _: setattr(self, "asked", self.asked + 1))

    def _hear(self, frame: str | bytes) -> None:
        self.heard.update(MARK.findall(frame if isinstance(frame, bytes) else frame.encode()))

    def work(self) -> None:
        """Open every section, and leave marks in each."""
        self.page.goto(self.reader.server.url)
        self._mark(self.reader.wait_until_drawn().sidebar)
        for info in PAGES:
            if info is not PAGES[0]:
                self.reader._turn_to(info.module, **OWN_TABLE.get(info.module, {}))
            sections = info.load().sections
            for section in sections:
                if len(sections) > 1:
                    self.page.get_by_role("tab", name=section.label, exact=True).click()
                self.reader.wait_until_idle()
                self._mark(self.reader.main)
                self.addresses.append(self.page.url)

    def _mark(self, place: Locator) -> None:
        for each, upload in product(place.locator("input[type=file]").all(), UPLOADS):
            with suppress(Error):
                each.set_input_files(upload, timeout=LIMIT)
                self.files += 1
                self.bytes += len(upload["buffer"])
                self.page.wait_for_timeout(300)
                self.reader.wait_until_idle()
        for at in range(place.locator(FIELDS).count()):
            field = place.locator(FIELDS).nth(at)
            with suppress(Error):  # covered, or gone with what was typed before
                field.fill(TYPED, timeout=LIMIT)
                field.press("Control+Enter" if field.evaluate("node => node.localName") == "textarea" else "Enter")
                field.press("Escape")  # a list that is open hides all else
                field.blur(timeout=LIMIT)
                self.texts += 1
                self.page.wait_for_timeout(100)
                self.reader.wait_until_idle()


async def visit(server: Traced) -> tuple[Owner, Other]:
    """Let both work side by side, then the other alone once more."""

    def at_the_browser() -> Owner:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=find(), args=list(FLAGS))
            owner = Owner(Reader(browser, server, "desktop"))
            owner.work()
            browser.close()
        return owner

    other = Other(server.origin, Random(1))
    await other.arrive()
    work = asyncio.create_task(asyncio.to_thread(at_the_browser))
    while not work.done():
        await other.walk()
    await other.walk()
    await other.leave()
    return await work, other


def secrets(server: Traced) -> list[Row]:
    """What of the owner's marks was found where, and where the server and the browser went."""
    start = len(server.traced)
    owner, other = asyncio.run(visit(server))
    calls = server.traced[start:]
    written = {each for each in WRITTEN.findall(calls) if not re.search("^/dev/null$|/__pycache__|/.git/", each)}
    marked = [each for each in written if Path(each).is_file() and MARK.search(Path(each).read_bytes())]
    in_log = {*MARK.findall(server.log.read_bytes())}
    # What is looked for in the catalogue and its numbering is a setting of that page, and nobody's secret.
    in_address = {*MARK.findall(re.sub(r"\bq[tk]=[^&]*", "", " ".join(owner.addresses)).encode())}
    left = f"{owner.files} files ({owner.bytes / 1e6:.0f} MB), {owner.texts} texts in {len(owner.addresses)} sections"
    sockets, elsewhere = SOCKET.findall(calls), owner.reader.elsewhere
    return [
        ("marks left by the owner", left, owner.files > 5),
        ("marks the owner was told", _names(owner.heard), len(owner.heard) >= 3),
        (f"marks in {other.messages:,} messages to the other", _names(other.found), not other.found),
        ("marks in the log", _names(in_log), not in_log),
        ("marks in the owner's addresses", _names(in_address), not in_address),
        (f"marks in {len(written)} files opened for writing", ", ".join(marked) or "none", not marked),
        ("files opened for writing, but compiled code and git's lock", ", ".join(sorted(written)[:5]) or "none", not written),
        ("internet sockets made by the server", "; ".join(sockets[:3]) or "none", not sockets),
        (f"other hosts in {owner.asked:,} requests of the browser", ", ".join(elsewhere) or "none", not elsewhere),
        ("errors in the browser's console", "; ".join(owner.reader.errors[:3]) or "none", not owner.reader.errors),
    ]  # fmt: skip


def doors(server: Traced) -> list[Row]:
    """What a page of another site may ask, and the headers that a page comes with."""
    ask = partial(_ask, server.origin)
    upgrade = {
        "Upgrade": "websocket",
        "Connection": "Upgrade",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "A" * 22 + "==",
    }
    start, began = len(server.traced), time.perf_counter()
    status, _ = ask("GET", "/_stcore/stream", Origin=f"http://{FOREIGN}", **upgrade)
    seconds, sockets = time.perf_counter() - began, SOCKET.findall(server.traced[start:])
    _, health = ask("GET", "/_stcore/health", Origin=f"http://{FOREIGN}")
    cookie = health.get("set-cookie", "")
    shared = health.get("access-control-allow-origin", "nobody")
    upload, _ = ask("PUT", "/_stcore/upload_file/session/file", **{"Content-Length": "0"})
    agent, _ = ask("POST", "/_stcore/agent/interact", **{"Content-Length": "0"})
    _, page = ask("GET", "/")
    policy = page.get("content-security-policy", "")
    return [
        ("a WebSocket from another site", f"status {status} after {seconds:.2f} s", status == 403 and seconds < 0.5),
        ("– sockets that the server made for it", "; ".join(sockets[:3]) or "none", not sockets),
        ("who else may read an answer", shared, shared == "nobody"),
        ("an upload without the token", f"status {upload}", upload == 403),
        ("the interface for agents", f"status {agent}", agent in (403, 404)),
        ("Content-Security-Policy", policy[:60] or "none", "default-src 'self'" in policy),
        *((name, page.get(name.lower(), "none"), name.lower() in page) for name in ("X-Content-Type-Options", "Referrer-Policy")),
        ("what other sites may send along", cookie.partition(";")[2].strip() or "no cookie", "SameSite=Lax" in cookie),
    ]  # fmt: skip


def _ask(origin: str, method: str, path: str, **head: str) -> tuple[int, dict[str, str]]:
    asked = HTTPConnection(urlsplit(origin).netloc, timeout=30)
    try:
        asked.request(method, path, headers=head)
        answer = asked.getresponse()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}
    finally:
        asked.close()


def _names(marks: set[bytes] | frozenset[bytes]) -> str:
    return ", ".join(sorted(each.decode() for each in marks)) or "none"


def main() -> None:
    if find() is None:
        sys.exit(HELP)
    with tempfile.TemporaryDirectory() as folder:
        server = Traced(Path(folder) / "log")
        try:
            rows = [*doors(server), *secrets(server)]
        finally:
            server.stop()
    print("| looked for | found | |\n|---|---|---|")
    for what, found, right in rows:
        print(f"| {what} | {found} | {'' if right else 'FAULT'} |")
    if "--strict" in sys.argv and not all(right for *_, right in rows):
        sys.exit(1)


if __name__ == "__main__":
    main()
