"""One process at a time at a file: a lock that the system takes away with the process that held it, so that none is ever stuck."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module

_FAR = 2**40  # a byte that no ledger has: on Windows a locked one cannot be read by others
_DEADLOCK = 36  # what Windows says after ten tries of a second each


@contextmanager
def locked(descriptor: int, *, shared: bool = False) -> Iterator[None]:
    """Hold an open file alone, or with other readers where it is `shared`; waits for as long as others hold it."""
    release = _lock(descriptor, shared=shared)
    try:
        yield
    finally:
        release()


def _lock_by_flock(descriptor: int, *, shared: bool) -> Callable[[], None]:
    fcntl = import_module("fcntl")  # which Windows lacks
    fcntl.flock(descriptor, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
    return lambda: fcntl.flock(descriptor, fcntl.LOCK_UN)


def _lock_by_region(descriptor: int, *, shared: bool) -> Callable[[], None]:  # noqa: ARG001  # Windows has no shared one here
    msvcrt = import_module("msvcrt")

    def at_the_far_byte(mode: int) -> None:
        place = os.lseek(descriptor, 0, os.SEEK_CUR)
        os.lseek(descriptor, _FAR, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, mode, 1)
        finally:
            os.lseek(descriptor, place, os.SEEK_SET)

    while True:
        try:
            at_the_far_byte(msvcrt.LK_LOCK)
        except OSError as error:
            if error.errno != _DEADLOCK:
                raise
        else:
            return lambda: at_the_far_byte(msvcrt.LK_UNLCK)


_lock = _lock_by_region if os.name == "nt" else _lock_by_flock
