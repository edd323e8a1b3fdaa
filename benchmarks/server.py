"""A server of one's own for a measurement, on a free port."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parents[1]


@dataclass
class Server:
    """A running app: where it is, its process, and what it has printed."""

    address: str
    process: subprocess.Popen[bytes]
    log: IO[bytes]

    @property
    def faults(self) -> int:
        """How many errors its log tells of."""
        self.log.seek(0)
        return self.log.read().count(b"Traceback")

    @property
    def processes(self) -> list[int]:
        """It, and those that it has started for jobs."""
        own = self.process.pid
        tasks = Path(f"/proc/{own}/task").glob("*/children")
        return [own, *(int(child) for each in tasks for child in each.read_text(encoding="ascii").split())]

    @property
    def memory(self) -> list[tuple[float, float]]:
        """Memory in use and, of it, what nobody else uses too (RSS and USS), in MB, of it and of each for jobs; Linux tells."""
        return [_memory_of(each) for each in self.processes]

    @property
    def seconds(self) -> tuple[float, float]:
        """The time of processors that it has had so far, and that its jobs have had apart from it."""
        stats = [
            Path(f"/proc/{each}/stat").read_text(encoding="ascii").rpartition(")")[2].split() for each in self.processes
        ]
        own, *jobs = (
            (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") for user, system in (each[11:13] for each in stats)
        )
        return own, sum(jobs)


def _memory_of(process: int) -> tuple[float, float]:
    found = re.findall(r"^(\w+): +(\d+) kB", Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii"), re.M)
    total, own = (
        sum(int(size) for name, size in found if name in kinds)
        for kinds in (("Rss",), ("Private_Clean", "Private_Dirty"))
    )
    return total / 1024, own / 1024


@contextmanager
def server(
    app: str, *options: str, before: Sequence[str] = (), environment: Mapping[str, str] | None = None
) -> Iterator[Server]:
    """Serve one app with the settings of `.streamlit/config.toml`, and with `options` besides; `before` stands a command to run it in."""
    port = _free_port()
    command = [*before, sys.executable, "-m", "streamlit", "run", app, "--server.port", str(port), *options]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT, env=environment)
        below = "".join(f"/{each.partition('=')[2]}" for each in options if each.startswith("--server.baseUrlPath="))
        running = Server(f"http://127.0.0.1:{port}{below}", process, log)
        try:
            _wait_for(running.address, process)
            yield running
        finally:
            if process.poll() not in (None, -signal.SIGKILL):
                log.seek(0)
                print(f"The server of {app} ended by itself, status {process.returncode}:", log.read().decode()[-2000:])
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


@contextmanager
def proxy(servers: list[Server]) -> Iterator[str]:
    """Serve them together below /privacy as in `deploy/nginx.conf`, without what a loopback has not; yields the address."""
    if (nginx := shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin")) is None:
        raise RuntimeError("two processes need nginx in front of them: apt-get install nginx-light")
    port = _free_port()
    text = (ROOT / "deploy" / "nginx.conf").read_text(encoding="utf-8")
    for told, here in {
        r"listen 443 ssl": f"listen 127.0.0.1:{port}",
        r"server_name .*;": "server_name 127.0.0.1;",
        r"ssl_certificate.*;": "",
        r"(    server 127.0.0.1:\d+;\n)+": "".join(
            f"    server {urlsplit(each.address).netloc};\n" for each in servers
        ),
    }.items():
        text, found = re.subn(told, here, text)
        assert found, f"deploy/nginx.conf has no {told}"
    with tempfile.TemporaryDirectory() as folder:
        settings = Path(folder) / "nginx.conf"
        top = f"daemon off; pid {folder}/pid; error_log stderr;"
        settings.write_text(f"{top}\nevents {{}}\nhttp {{\n{text}\n}}\n", encoding="utf-8")
        process = subprocess.Popen([nginx, "-p", folder, "-c", str(settings)])
        try:
            _wait_for(address := f"http://127.0.0.1:{port}/privacy", process)
            yield address
        finally:
            process.terminate()
            process.wait(10)


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _wait_for(address: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        if process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"nothing answers at {address}")
