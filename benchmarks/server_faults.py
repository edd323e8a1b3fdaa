"""Faults of the server: it is killed at work, has no disk, no home and hardly any memory, and its clock jumps."""

from __future__ import annotations

import asyncio
import os
import resource
import socket
import time
import urllib.error
from collections.abc import Callable, Coroutine
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from websockets.exceptions import ConnectionClosed

from benchmarks.fault_tools import disk, fill, shut
from benchmarks.server import Server, server
from benchmarks.visitor import Visitor

Work = Callable[[Visitor], Coroutine[Any, Any, str]]
PATIENCE = 30.0  # seconds
ROWS = 25_000  # of a table of a megabyte
YEAR = 366 * 86400
CLOCK = """
import time, os
_time = time.time
time.time = lambda: _time() + float(open(os.environ["PAR_CLOCK"]).read())
"""


def visit(address: str, work: Work) -> str:
    """Do something as a visitor."""

    async def stay() -> str:
        visitor = Visitor(address, Random(1))
        try:
            await visitor.arrive()
            return await work(visitor)
        finally:
            await visitor.leave()

    return asyncio.run(stay())


async def job(visitor: Visitor) -> str:
    """Ask for a long job that nobody has asked for, and wait for its result."""
    await ask(visitor)
    assert await visitor.wait_for_jobs(time.perf_counter() + 300), "the job is not done"
    return ""


async def ask(visitor: Visitor) -> None:
    await visitor.open("paper_check", tab="claims")
    await visitor.press("Check all again")
    assert visitor.watches, "no job began"


async def upload(visitor: Visitor) -> str:
    """Bring a table of a megabyte, look at it and close it."""
    await visitor.open("your_table", tab="plan", table="own")
    await visitor.upload_and_drop("numbers.csv", csv())
    return ""


async def report(visitor: Visitor) -> str:
    """Take the report of a decision."""
    await visitor.open("decide")
    return whole(await visitor.download("Decision report"))


def csv() -> bytes:
    random = Random(4711)
    return "\n".join(["one,other", *(f"{random.random()},{random.random()}" for _ in range(ROWS))]).encode()


def whole(text: str) -> str:
    assert text.rstrip().endswith("</html>"), text[-200:]
    return text


def killed(place: Path, before: Callable[[Server], None], after: Work) -> str:
    """Kill a server after `before`; everything that it started must end, its folder for files be empty, and the next one do `after`."""
    files = place / "files"
    files.mkdir()
    environment = {**os.environ, "TMPDIR": str(files)}
    with server("app.py", environment=environment) as running:
        before(running)
        started = running.processes[1:]
        running.process.kill()
        running.process.wait()
        began = time.perf_counter()
        while any(map(alive, started)):
            assert time.perf_counter() - began < PATIENCE, "a process for jobs is left behind"
            time.sleep(0.1)
        took = time.perf_counter() - began
        assert not list(files.iterdir()), "a file is left behind"
    with server("app.py", environment=environment) as again:
        visit(again.address, after)
        assert not again.faults
    return f"{len(started)} process for jobs, gone after {took:.1f} s" if started else "nothing was left behind"


def alive(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def server_killed_during_a_job(place: Path) -> str:
    """Its process for jobs ends too, no file is left, and another server does the same job."""

    async def begin(visitor: Visitor) -> str:
        await ask(visitor)
        return ""

    return killed(place, lambda running: visit(running.address, begin), job)


def server_killed_during_an_upload(place: Path) -> str:
    """Nothing of the table is on any disk, and another server takes it."""

    def half(running: Server) -> None:
        async def send(visitor: Visitor) -> str:
            await visitor.open("your_table", tab="plan", table="own")
            with socket.create_connection(urlsplit(running.address).netloc.split(":")) as line:
                body = b'--edge\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n' + csv()
                head = (
                    f"PUT /_stcore/upload_file/{visitor.session}/{uuid4()} HTTP/1.1\r\nHost: {urlsplit(running.address).netloc}\r\n"
                    f"Cookie: {visitor.cookies}\r\nX-Xsrftoken: {visitor.cookies.partition('_streamlit_xsrf=')[2].partition(';')[0]}\r\n"
                    f"Content-Type: multipart/form-data; boundary=edge\r\nContent-Length: {2 * len(body)}\r\n\r\n"
                )
                line.sendall(head.encode() + body)
                time.sleep(0.5)
                line.setblocking(False)
                try:
                    raise AssertionError(f"the server did not wait for the rest: {line.recv(200)!r}")
                except BlockingIOError:
                    running.process.kill()
            return ""

        visit(running.address, send)

    return killed(place, half, upload)


def server_killed_during_a_report(place: Path) -> str:
    """Its reader gets no half report, no file is left, and another server gives the whole one."""

    def begin(running: Server) -> None:
        async def take(visitor: Visitor) -> str:
            await visitor.open("decide")
            asked = asyncio.create_task(visitor.download("Decision report"))
            await asyncio.sleep(0.05)
            running.process.kill()
            try:
                whole(await asked)
            except (OSError, EOFError, ConnectionClosed):
                return "it was cut off"
            return "it was whole"

        visit(running.address, take)

    return killed(place, begin, report)


def works(stack: ExitStack, *, before: tuple[str, ...] = (), **changed: str | None) -> str:
    """Start a server, let a visitor do a job, bring a table and take a report; its log must be without an error."""
    environment = {**os.environ, **changed}
    kept = {name: value for name, value in environment.items() if value is not None}
    running = stack.enter_context(server("app.py", before=before, environment=kept))
    for work in (job, upload, report):
        visit(running.address, work)
    assert not running.faults, "its log tells of an error"
    return "a job, a table and a report"


def server_on_a_full_disk(place: Path) -> str:
    """With no byte free for files and settings it does all its work."""
    with disk(place, "64k") as full, ExitStack() as stack:
        fill(full)
        return works(stack, HOME=str(full), TMPDIR=str(full))


def server_in_a_shut_folder(place: Path) -> str:
    """Where it may not write it does all its work."""
    with shut(place) as (path, before), ExitStack() as stack:
        return works(stack, before=before, HOME=str(path), TMPDIR=str(path))


def server_without_a_home(_: Path) -> str:
    """It does all its work."""
    with ExitStack() as stack:
        return works(stack, HOME=None)


def server_with_tiny_memory(_: Path) -> str:
    """A table that does not fit is refused, and other visitors are served as before."""
    with server("app.py") as running:
        visit(running.address, upload)
        used = (
            int(Path(f"/proc/{running.process.pid}/statm").read_text(encoding="ascii").split()[0])
            * resource.getpagesize()
        )
        resource.prlimit(running.process.pid, resource.RLIMIT_AS, (used + 25 * 2**20, resource.RLIM_INFINITY))
        large = b"a,b,c,d\n" + b"1.25,2.5,3.75,5\n" * 1_900_000

        async def bring(visitor: Visitor) -> str:
            await visitor.open("your_table", tab="plan", table="own")
            visitor.told.clear()
            try:
                await visitor.upload_and_drop("large.csv", large)
            except urllib.error.HTTPError as error:
                return f"refused with {error.code}"
            return visitor.told[0]

        told = visit(running.address, bring)
        assert "memory" in told or "refused" in told, told
        resource.prlimit(running.process.pid, resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        visit(running.address, upload)
        return f"{told}; {running.faults} traceback in the log"


def server_while_the_clock_jumps(place: Path) -> str:
    """A year back and a year ahead, in the middle of a job: it ends as always, and sessions go on."""
    (place / "sitecustomize.py").write_text(CLOCK)
    offset = place / "offset"
    offset.write_text("0")
    environment = {**os.environ, "PYTHONPATH": str(place), "PAR_CLOCK": str(offset)}

    async def stay(visitor: Visitor) -> str:
        for jump in (-YEAR, YEAR):
            await ask(visitor)
            offset.write_text(str(jump))
            assert await visitor.wait_for_jobs(time.perf_counter() + 300), "the job is not done"
            await visitor.open("explicit_risk", tab="truth")
            assert await visitor.change() is not None
        return ""

    with server("app.py", environment=environment) as running:
        visit(running.address, stay)
        assert not running.faults
    return "two jobs were done"


FAULTS: tuple[Callable[[Path], str], ...] = (
    server_killed_during_a_job,
    server_killed_during_an_upload,
    server_killed_during_a_report,
    server_on_a_full_disk,
    server_in_a_shut_folder,
    server_without_a_home,
    server_with_tiny_memory,
    server_while_the_clock_jumps,
)
