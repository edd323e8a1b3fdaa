"""How far long work has come: whoever waits for it is told the share that is done, and may stop it.

Every function that may take long has a parameter `progress`. It is called at least five times a second with the share that is
done, from 0 to 1, which never goes back. What it raises ends the work, which then leaves nothing behind.
"""

from __future__ import annotations

from collections.abc import Callable

from par_core.errors import ParameterError
from par_core.parameters import shown

Progress = Callable[[float], None]


class Cancelled(Exception):  # noqa: N818  # nothing went wrong
    """Nobody waits for the work any more: what `progress` raises to stop it."""


def portion(progress: Progress | None, start: float = 0.0, end: float = 1.0) -> Progress:
    """Return the `progress` of a portion of some work, from its share `start` of the whole to `end`.

    >>> portion(print, 0.5, 1.0)(0.5)
    0.75
    """
    if progress is None:
        return lambda share: None  # noqa: ARG005  # nobody listens
    if not callable(progress):
        raise ParameterError(f"progress must be callable, got {shown(progress)}")
    return lambda share: progress(min(start + (end - start) * share, end))
