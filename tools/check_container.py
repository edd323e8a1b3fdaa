"""Build the container, start it and ask whether it is healthy and shows every page (`make container`).

Without a container engine the steps of the Dockerfile are followed one by one: the files that it copies stand in a folder of
their own, the packages come into a new environment, and the command is started by another user where this one is root. What the
base image holds is not checked then. With --engine nothing is done but with an engine.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any
from uuid import uuid4

from benchmarks.visitor import Visitor
from pages.shared.navigation import PAGES

ROOT = Path(__file__).resolve().parents[1]
ENGINES = ("docker", "podman")
PORT = 8501  # within the container
START_SECONDS = 60
COMMIT = "checked"


def steps(dockerfile: str) -> list[tuple[str, str]]:
    """Return the instructions of a Dockerfile with what follows each, in one line."""
    text = re.sub(r"^\s*#.*\n", "", dockerfile, flags=re.M)
    lines = re.sub(r"\\\n\s*", " ", text).splitlines()
    return [(name.upper(), rest.strip()) for name, _, rest in (line.partition(" ") for line in lines if line.strip())]


def files(root: Path) -> list[Path]:
    """Return what an engine is given to copy: the files below `root` that `.dockerignore` leaves, by their paths within it."""
    lines = (root / ".dockerignore").read_text(encoding="utf-8").splitlines()
    rules = [(line[0] != "!", _pattern(line.lstrip("!"))) for line in lines if line and line[0] != "#"]

    def below(folder: Path) -> Iterator[Path]:
        for each in sorted(folder.iterdir()):
            if each.is_dir() and not each.is_symlink():
                if each.name not in (".git", ".venv"):  # large, and the test of what is copied would tell
                    yield from below(each)
            else:
                yield each.relative_to(root)

    def left_out(file: Path) -> bool:
        # The last rule that fits counts; one that fits a folder fits what is in it.
        parts = [each.as_posix() for each in (file, *file.parents[:-1])]
        return next((out for out, fits in reversed(rules) if any(map(fits.fullmatch, parts))), False)

    return [each for each in below(root) if not left_out(each)]


def _pattern(rule: str) -> re.Pattern[str]:
    parts = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    pieces = re.split(r"(\*\*/|\*\*|\*|\?)", rule.strip("/"))
    return re.compile("".join(parts.get(each, re.escape(each)) for each in pieces))


def copied(root: Path, places: str) -> dict[Path, Path]:
    """Return where each file goes that one COPY names: `places` are its sources and its target."""
    *sources, target = places.split()
    into = Path(target)
    found = {}
    for source in sources:
        here = [each for each in files(root) if source == "." or each == Path(source) or Path(source) in each.parents]
        if not here:
            raise ValueError(f"COPY {places}: nothing is there by the name of {source}")
        folder = source == "." or (root / source).is_dir()
        found.update({each: into / (each.relative_to(source) if folder else each.name) for each in here})
    return found


def engine() -> str | None:
    """Return the container engine that answers, if any: a client alone builds nothing."""
    return next((each for each in ENGINES if shutil.which(each) and _answers(each)), None)


def _answers(name: str) -> bool:
    return subprocess.run([name, "info"], capture_output=True, check=False, timeout=60).returncode == 0


def in_engine(name: str) -> None:
    """Build and run the image, and wait until its own check calls it healthy."""

    def ask(*arguments: str, errors: int | None = None) -> str:
        done = subprocess.run(
            [name, *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, stderr=errors, text=True
        )
        return done.stdout.strip()

    def log() -> str:
        return ask("logs", own, errors=subprocess.STDOUT)

    own = f"privacy-at-risk-check-{uuid4().hex[:8]}"
    form = ("--format", "docker") if name == "podman" else ()  # the other form knows no check of health
    with ExitStack() as stack:
        ask("build", *form, "--build-arg", f"PAR_COMMIT={COMMIT}", "--tag", own, ".")
        stack.callback(ask, "rmi", own)
        options = ("--name", own, "--publish", f"127.0.0.1::{PORT}", "--health-interval", "2s")
        ask("run", "--detach", *options, own)
        stack.callback(ask, "rm", "--force", own)
        until = time.monotonic() + START_SECONDS
        while ask("inspect", "--format", "{{.State.Health.Status}}", own) != "healthy":
            if time.monotonic() > until:
                raise RuntimeError(f"the container is not healthy:\n{log()}")
            time.sleep(1)
        user = ask("exec", own, "python", "-c", "import os; print(os.getuid())")
        _require(user != "0", "the container runs as root")
        visit("http://" + ask("port", own, str(PORT)).splitlines()[0])
        _without_errors(log())


def without_engine() -> None:
    """Follow the Dockerfile step by step, in a folder and an environment of its own."""
    asked = steps((ROOT / "Dockerfile").read_text(encoding="utf-8"))
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder)
        base.chmod(0o755)  # another user has to enter
        home, srv, venv = (base / name for name in ("home", "srv", "venv"))
        home.mkdir()
        srv.mkdir()
        python, user = _python_and_user(asked, home)
        subprocess.run([python, "-m", "venv", str(venv)], check=True)
        environment = {
            "PATH": f"{venv / 'bin'}:/usr/bin:/bin",
            "HOME": str(home),
            "LANG": "C.UTF-8",
            "PAR_COMMIT": COMMIT,
        }
        for name, rest in asked:
            print(name, rest, flush=True)
            match name:
                case "COPY":
                    for source, target in copied(ROOT, rest).items():
                        (srv / target).parent.mkdir(parents=True, exist_ok=True)
                        shutil.copy(ROOT / source, srv / target)
                case "RUN" if not rest.startswith("useradd "):  # no user is made on this machine
                    # How packages are reached is said in the environment, or below the home, of whoever asks for this.
                    own = os.environ | environment | {"HOME": str(Path.home())}
                    subprocess.run(rest, shell=True, cwd=srv, env=own, check=True)
                case "ENV":
                    pairs = (each.split("=", 1) for each in shlex.split(rest))
                    environment |= {key: value for key, value in pairs if not value.startswith("$")}
        port = _free_port()
        environment |= {"STREAMLIT_SERVER_PORT": str(port), "STREAMLIT_SERVER_ADDRESS": "127.0.0.1"}
        health = dict(asked)["HEALTHCHECK"].split("CMD ", 1)[1].replace(str(PORT), str(port))
        command = json.loads(dict(asked)["CMD"])
        log = base / "log.txt"
        with log.open("w") as said:
            process = subprocess.Popen(
                [str(venv / "bin" / command[0]), *command[1:]],
                cwd=srv,
                env=environment,
                stdout=said,
                stderr=said,
                **user,
            )
        try:
            until = time.monotonic() + START_SECONDS
            while subprocess.run(health, shell=True, env=environment, capture_output=True, check=False).returncode:
                if process.poll() is not None or time.monotonic() > until:
                    raise RuntimeError(f"the server is not healthy:\n{log.read_text(encoding='utf-8')}")
                time.sleep(0.5)
            visit(f"http://127.0.0.1:{port}")
        finally:
            process.terminate()
            process.wait(20)
        _without_errors(log.read_text(encoding="utf-8"))


def _python_and_user(asked: list[tuple[str, str]], home: Path) -> tuple[str, dict[str, Any]]:
    """Return a Python and, where this process is root, the other user who can run it and whose home that becomes."""
    if os.geteuid() != 0:
        return sys.executable, {}
    number = int(next(rest for name, rest in asked if rest.startswith("useradd ")).split("--uid ")[1].split()[0])
    user = {"user": number, "group": number, "extra_groups": []}
    os.chown(home, number, number)
    for each in (sys.executable, "/usr/bin/python3"):
        new_enough = [each, "-c", "import ensurepip, sys; sys.exit(sys.version_info < (3, 11))"]
        try:
            subprocess.run(new_enough, check=True, capture_output=True, **user)
        except (OSError, subprocess.SubprocessError):
            continue
        return each, user
    print("No Python here that another user can run: the server is started by root.")
    return sys.executable, {}


def visit(address: str) -> None:
    """Ask for the document and the chart library, and run every page; RuntimeError if one fails."""
    for place, mark in (("/", b'<div id="root">'), ("/app/static/plotly.min.js", b"plotly.js v")):
        with urllib.request.urlopen(address + place, timeout=30) as answer:
            _require(mark in answer.read(), f"{place} is not what was asked for")
    asyncio.run(_every_page(address))


async def _every_page(address: str) -> None:
    visitor = Visitor(address, Random(1))
    await visitor.arrive()
    try:
        for info in PAGES:
            print(f"{info.title}: {await visitor.open(info.module):.0f} ms", flush=True)
    finally:
        await visitor.leave()


def _without_errors(log: str) -> None:
    # An external address in it was asked of another host.
    _require(not re.search(r"Traceback|unexpected error|External URL", log), f"the log tells of an error:\n{log}")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _require(holds: bool, otherwise: str) -> None:
    if not holds:
        raise RuntimeError(otherwise)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="make container", description=__doc__)
    parser.add_argument("--engine", action="store_true", help="do nothing where no container engine answers")
    given = parser.parse_args()
    found = engine()
    if found:
        in_engine(found)
        print(f"Checked with {found}.")
    elif given.engine:
        print("No container engine answers: the container is not built here.")
    else:
        without_engine()
        print("Checked without a container engine, which none answers here.")
