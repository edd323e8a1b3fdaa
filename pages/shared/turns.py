"""One run of the script at a time: side by side they would only take the interpreter from each other, and all would end late."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, local

_turn = Lock()
_own = local()


@contextmanager
def turn() -> Iterator[None]:
    """Run what is inside while no other run does; within a turn nothing changes."""
    if getattr(_own, "is_mine", False):
        yield
        return
    with _turn:
        _own.is_mine = True
        try:
            yield
        finally:
            _own.is_mine = False


def wait(event: Event, seconds: float) -> bool:
    """Wait for an event while others have their turn; returns whether it has come."""
    is_mine = getattr(_own, "is_mine", False)
    if is_mine:
        _turn.release()
    try:
        return event.wait(seconds)
    finally:
        if is_mine:
            _turn.acquire()
