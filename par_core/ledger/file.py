"""The file of a ledger: read whole, and written to one record at a time, under a lock that dies with its holder.

A record is written before anything is measured. Wherever a run breaks off, either its record counts or it has measured nothing.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from par_core.errors import DataError
from par_core.ledger.ledger import Ledger
from par_core.ledger.lines import lines_of
from par_core.ledger.lock import locked
from par_core.ledger.record import Record
from par_core.parameters import check_type

_BINARY = getattr(os, "O_BINARY", 0)  # of Windows: what is written stays as it is
_AT_ONCE = 2**20  # bytes


class OpenLedger:
    """A ledger that nobody else can write to meanwhile; made by `opened`."""

    def __init__(self, descriptor: int, folder: Path) -> None:
        self._descriptor, self._folder = descriptor, folder

    def read(self) -> Ledger:
        """Return what the file holds; DataError as `Ledger.from_bytes`."""
        return Ledger.from_bytes(self._bytes())

    def append(self, record: Record) -> None:
        """Write a record and wait until it is on the disk; only then may anything be measured.

        DataError where the ledger is damaged or cannot be written to: the record then does not count, or counts for nothing measured.
        """
        held = self._bytes()
        line = lines_of(held).ends + check_type("record", record, Record).line + b"\n"
        if os.write(self._descriptor, line) != len(line):
            raise DataError("the ledger cannot be kept: there is no room for the whole record")
        os.fsync(self._descriptor)
        if not held and os.name == "posix":  # the name of a new file is safe when its folder is
            folder = os.open(self._folder, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)

    def _bytes(self) -> bytes:
        os.lseek(self._descriptor, 0, os.SEEK_SET)
        found = []
        while part := os.read(self._descriptor, _AT_ONCE):
            found.append(part)
        return b"".join(found)


@contextmanager
def opened(path: str | os.PathLike[str], *, create: bool = False) -> Iterator[OpenLedger]:
    """Open a ledger alone, to be read and appended to; waits for those who have it open. A new file is begun only by `create`."""
    flags = os.O_RDWR | os.O_APPEND | _BINARY | (os.O_CREAT if create else 0)
    with _held(path, flags, shared=False) as descriptor:
        yield OpenLedger(descriptor, Path(path).resolve().parent)


def read(path: str | os.PathLike[str]) -> Ledger:
    """Return the ledger of a file, as it stands between two records.

    DataError where there is none: a name that was mistyped must not look like a budget that nobody has touched.
    """
    with _held(path, os.O_RDONLY | _BINARY, shared=True) as descriptor:
        return OpenLedger(descriptor, Path(path).resolve().parent).read()


def append(path: str | os.PathLike[str], record: Record) -> None:
    """Write a record at the end of a ledger, or as the first of a new one; errors as those of `OpenLedger.append`."""
    with opened(path, create=True) as ledger:
        ledger.append(record)


@contextmanager
def _held(path: str | os.PathLike[str], flags: int, *, shared: bool) -> Iterator[int]:
    try:
        while True:
            descriptor = os.open(path, flags, 0o666)
            try:
                with locked(descriptor, shared=shared):
                    if not _is_at(path, descriptor):  # who held it before has put another file there, as git does
                        continue
                    yield descriptor
                    return
            finally:
                os.close(descriptor)
    except OSError as error:
        if isinstance(error, FileNotFoundError) and not flags & os.O_CREAT:
            raise DataError(f"there is no ledger {os.fspath(path)!r}; an empty file begins one") from error
        raise DataError(f"the ledger cannot be kept: {error.strerror or error}") from error


def _is_at(path: str | os.PathLike[str], descriptor: int) -> bool:
    try:
        return os.path.samestat(os.stat(path), os.fstat(descriptor))
    except FileNotFoundError:
        return False
