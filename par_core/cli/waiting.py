"""How far a command has come, on stderr: in one line of a terminal, or where asked for in a line for each tenth."""

from __future__ import annotations

import sys
from types import TracebackType


class Waiting:
    """A `progress` that is told to whoever waits; what it has written on a terminal is gone at the end."""

    def __init__(self, name: str, *, always: bool) -> None:
        self._name = name
        self._terminal = sys.stderr is not None and sys.stderr.isatty()
        self._shown = self._terminal or always
        self._last = -1

    def __enter__(self) -> Waiting:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self._terminal and self._last >= 0:
            sys.stderr.write("\r\033[K")
            sys.stderr.flush()

    def __call__(self, share: float) -> None:
        """Take the share of the work that is done."""
        step = int(100 * share) if self._terminal else 10 * int(10 * share)
        if self._shown and step > self._last:
            self._last = step
            sys.stderr.write(f"\r{self._name}: {step} %" if self._terminal else f"{self._name}: {step} %\n")
            sys.stderr.flush()
