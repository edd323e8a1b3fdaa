"""What the faults of `benchmarks/faults.py` are made with: the programs as a user starts them, small disks, folders that are shut."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.server import ROOT

PAR = (sys.executable, "-m", "par_core")


class CannotBeTriedError(Exception):
    """What this system does not allow to be tried."""


def par(
    *given: object,
    before: Sequence[str] = (),
    environment: dict[str, str] | None = None,
    limit: Callable[[], object] | None = None,
    seconds: float = 300,
) -> subprocess.CompletedProcess[str]:
    """Run a command of `par` to its end."""
    return subprocess.run(
        [*before, *PAR, *map(str, given)],
        cwd=ROOT,
        env=environment,
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )


def said(done: subprocess.CompletedProcess[str], *words: str) -> str:
    """Return the one sentence that a command ended with; it must hold one of the words."""
    assert done.returncode in (1, 2), (done.returncode, done.stderr[-500:])
    assert len(done.stderr.splitlines()) == 1, done.stderr[-1000:]
    assert not words or any(each in done.stderr for each in words), done.stderr
    assert not done.stdout, done.stdout[-500:]
    return done.stderr.strip()


def right(done: subprocess.CompletedProcess[str]) -> str:
    """Return what a command printed that did its work."""
    assert (done.returncode, done.stderr) == (0, ""), (done.returncode, done.stderr[-1000:])
    return done.stdout


@contextmanager
def disk(place: Path, size: str) -> Iterator[Path]:
    """Give a disk of a size, such as 64k."""
    path = place / "disk"
    path.mkdir()
    if shutil.which("mount") is None or _failed("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(path)):
        raise CannotBeTriedError("no disk can be mounted here")
    try:
        yield path
    finally:
        subprocess.run(["umount", "-l", str(path)], check=True)


def enlarge(path: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", str(path)], check=True)


def fill(path: Path) -> Path:
    """Leave no byte of a disk free; returns the file that takes them."""
    ballast = path / "ballast"
    with ballast.open("wb", buffering=0) as out:
        try:
            while True:
                out.write(bytes(4096))
        except OSError:
            return ballast


@contextmanager
def shut(place: Path) -> Iterator[tuple[Path, tuple[str, ...]]]:
    """Give a folder that nobody can write to, and what a command is started with so that this binds root too."""
    before: tuple[str, ...] = ()
    if os.geteuid() == 0:
        before = ("setpriv", "--bounding-set=-dac_override", "--inh-caps=-dac_override")
        if shutil.which("setpriv") is None or _failed(*before, "true"):
            raise CannotBeTriedError("root writes everywhere here")
    path = place / "shut"
    path.mkdir(mode=0o500)
    try:
        yield path, before
        assert not list(path.iterdir()), "something was written"
    finally:
        path.chmod(0o700)


def _failed(*command: str) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode != 0
