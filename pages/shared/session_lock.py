"""Two runs of one session, one that stops and one that starts, never change what the session holds at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

from streamlit.runtime.state import SafeSessionState, SessionState

_init = SafeSessionState.__init__
_locks: WeakValueDictionary[int, Any] = WeakValueDictionary()  # a lock lives as long as a run that holds it


def _with_the_lock_of_its_session(
    self: SafeSessionState, state: SessionState, yield_callback: Callable[[], None]
) -> None:
    # Streamlit gives each run a lock of its own. A run that is told to stop may still register a widget, while the run
    # that follows walks through the same widgets: "dictionary changed size during iteration", and the change is lost.
    _init(self, state, yield_callback)
    object.__setattr__(self, "_lock", _locks.setdefault(id(state), self._lock))


def one_a_session() -> None:
    """Let the runs of a session wait for each other where they read and write its state."""
    SafeSessionState.__init__ = _with_the_lock_of_its_session  # type: ignore[method-assign]  # no setting says this
