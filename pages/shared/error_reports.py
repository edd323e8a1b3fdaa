"""Errors that reach a page: those meant for the reader as a sentence, the others noted in the log under an id."""

from __future__ import annotations

import logging
import traceback
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import streamlit as st

from pages.shared.words import letters
from par_core.errors import DataError, InfeasibleError, ParameterError

Value = TypeVar("Value")
_ROOT = Path(__file__).parents[2]
_LOG = logging.getLogger(__name__)


class UnreadyError(Exception):
    """A choice that the reader has not made yet, in a sentence of ours."""


class NotedError(Exception):
    """What went wrong in another process and is noted there; the message is the sentence for the reader."""


class ProcessEndedError(Exception):
    """Another process is gone, and with it what it was to find."""


_PLAIN = {
    MemoryError: "This takes more memory than the server has left.",
    ProcessEndedError: "The process that computed this was ended from outside, as happens when the server runs out of memory.",
}


def guarded(draw: Callable[[], Value]) -> Value | None:
    """Draw a part of a page; what goes wrong in it is said there, and the rest of the page stays usable."""
    try:
        return draw()
    except (ParameterError, InfeasibleError, DataError) as error:
        st.error(letters(str(error)))
    except Exception as error:  # Streamlit's own signals are no Exceptions and pass
        st.error(noted(error))
    return None


def noted(error: Exception) -> str:
    """Log an error that is no answer, and return the sentence with its id for the reader.

    One line: what kind of error it is and through which lines of code it came. Never its message, which may quote data.
    """
    number = uuid.uuid4().hex[:8]
    frames = traceback.extract_tb(error.__traceback__)
    way = " > ".join(f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames)
    _LOG.error("unexpected error %s: %s at %s", number, type(error).__name__, way)
    what = next((said for kind, said in _PLAIN.items() if isinstance(error, kind)), "Something unexpected went wrong.")
    return f"{what} It is noted in the log under {number}, without any of your data."


def _short(filename: str) -> str:
    path = Path(filename)
    return str(path.relative_to(_ROOT)) if path.is_relative_to(_ROOT) else path.name
