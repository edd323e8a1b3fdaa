"""A server of one's own for a measurement, on a free port."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

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
    def memory(self) -> tuple[float, float]:
        """Memory in use and, of it, what nobody else uses too (RSS and USS), in MB; Linux tells them."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text(encoding="ascii")
        kilobytes = {name: int(size) for name, size in re.findall(r"^(\w+): +(\d+) kB", text, re.M)}
        return kilobytes["Rss"] / 1024, (kilobytes["Private_Clean"] + kilobytes["Private_Dirty"]) / 1024


@contextmanager
def server(app: str, *options: str) -> Iterator[Server]:
    """Serve one app with the settings of `.streamlit/config.toml`, and with `options` besides."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", app, "--server.port", str(port), *options]
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT)
        running = Server(f"http://127.0.0.1:{port}", process, log)
        try:
            _wait_for(running)
            yield running
        finally:
            if process.poll() is not None:
                log.seek(0)
                print(f"The server of {app} ended by itself, status {process.returncode}:", log.read().decode()[-2000:])
            process.terminate()
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()


def _wait_for(running: Server) -> None:
    for _ in range(300):
        if running.process.poll() is not None:
            break
        try:
            with urllib.request.urlopen(f"{running.address}/_stcore/health", timeout=2):
                return
        except OSError:
            time.sleep(0.1)
    raise RuntimeError(f"the server at {running.address} did not start")
