"""The folder of an audit's results: it belongs to one audit and to one run at a time, and holds nothing half when that is over."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from par_core.errors import DataError
from par_core.parameters import shown
from par_distributed.blocks import write_whole

_PARTS = ("sums", "individuals")


@contextmanager
def claimed(folder: Path, plan: str) -> Iterator[None]:
    """Hold the folder for the audit of this plan; DataError where it is that of another one, in use, or holds anything else."""
    path, name = folder / "plan.json", shown(folder.name)
    try:
        if not path.exists() and folder.exists() and any(each.name[0] != "." for each in folder.iterdir()):
            raise DataError(f"the folder {name} is not empty: give another one")
        if path.exists() and path.read_bytes() != plan.encode() and any(map(any, map(Path.iterdir, _parts(folder)))):
            raise DataError(f"the folder {name} holds another audit: give another folder")
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)  # it will name everybody
        if not path.exists() or path.read_bytes() != plan.encode():
            write_whole(path, lambda out: out.write(plan.encode()))
        with path.open("rb") as held:
            if not _locked(held):
                raise DataError(f"another run is at work in the folder {name}")
            _clear(folder)
            for part in _PARTS:
                (folder / part).mkdir(exist_ok=True)
            try:
                yield
            finally:
                _clear(folder)
    except OSError as error:
        if error.filename is None or Path(str(error.filename)).parent not in (folder, folder.parent):
            raise
        raise DataError(f"the folder {name} cannot be used: {error.strerror}") from error


def _parts(folder: Path) -> list[Path]:
    return [folder / part for part in _PARTS if (folder / part).is_dir()]


def _locked(file: BinaryIO) -> bool:
    """Lock a file until it is closed, or its process is gone; where the system has no such locks, nobody is kept out."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:  # a file system without locks
        return True
    return True


def _clear(folder: Path) -> None:
    """Take away what a run that was killed had begun: its names begin with a dot."""
    for left in [each for place in (folder, *_parts(folder)) for each in place.glob(".*")]:
        if left.is_dir():
            shutil.rmtree(left, ignore_errors=True)
        else:
            with suppress(OSError):
                left.unlink()
