"""A ledger and a policy of the reader's own: read into the memory of the session, and into nothing that outlives it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from pages.shared import uploads
from pages.shared.error_reports import noted
from pages.shared.words import as_sentence
from par_core.deployment import settings
from par_core.errors import DataError
from par_core.ledger import Policy
from par_core.questions.composition.uploaded_ledger import UploadedLedger
from par_core.questions.glossary import explain

Value = TypeVar("Value")
_MOST_MB = 10
_OPENED = "_opened_{}"  # in the session: what was read of a file
_NAMES = "left_data_set"


@dataclass
class _Opened(Generic[Value]):
    """What a session holds of a file: which upload was read last, by Streamlit's number, and what came of it."""

    file: str | None = None
    value: Value | None = None
    refused: str | None = None


def ledger() -> UploadedLedger | None:
    """Draw the field for a ledger; returns the one that is open."""
    if not settings().uploads:
        st.caption("Files cannot be opened on this server. Run the explorer on your own machine to open a ledger.")
        return None
    return _field("ledger", "Your ledger.jsonl", UploadedLedger.from_bytes)


def policy() -> Policy | None:
    """Draw the field for a policy; returns the one that is open."""
    return _field("policy", "Your policy.toml, if any", Policy.from_toml) if settings().uploads else None


def data_set(names: tuple[str, ...], opens_on: str) -> str:
    """Draw the choice of a data set where a ledger has several; returns the chosen one, empty where there is no choice.

    Names are the reader's own: they are held in the session alone.
    """
    if len(names) < 2:
        return ""
    if st.session_state.get(_NAMES) not in names:
        st.session_state[_NAMES] = opens_on if opens_on in names else names[0]
    return st.selectbox(
        "Data set", names, key=_NAMES, help=explain("ledger_data_set"), persist_state="session"
    )  # fmt: skip


def _field(name: str, label: str, read: Callable[[bytes], Value]) -> Value | None:
    held: _Opened[Value] = st.session_state.setdefault(_OPENED.format(name), _Opened())
    most = min(_MOST_MB, settings().upload_mb)
    # Without `type`: its check would put the name of a wrong file into an error. The content decides, with a better word.
    file = st.file_uploader(label, key=f"file_{name}", max_upload_size=most, help=explain(name))
    if file is None:
        held.file = held.refused = None
    elif file.file_id != held.file:
        _read(held, file, read)
    if held.refused:
        stays = " What was open before stays open." * (held.value is not None)
        st.error(f"{held.refused}{stays}")
    elif held.value is not None and file is None:
        # The widget forgets its file when another page is opened, so an empty one closes nothing.
        st.caption(f"Your {name} is still open.")
    if held.value is not None:
        st.button(f"Close the {name}", key=f"close_{name}", on_click=_close, args=(name,), type="tertiary")
    return held.value


def _read(held: _Opened[Any], file: Any, read: Callable[[bytes], Any]) -> None:
    """Read a file that has just come; one that cannot be used leaves what was open before in place."""
    held.file, held.refused = file.file_id, None
    try:
        with uploads.READING:
            held.value = read(file.getvalue())
    except DataError as error:
        held.refused = as_sentence(str(error))
    except Exception as error:
        held.refused = noted(error)


def _close(name: str) -> None:
    st.session_state[_OPENED.format(name)] = _Opened(file=_file_of(name))


def _file_of(name: str) -> str | None:
    """Return which file the widget holds, so that one that was closed is not read again."""
    file = st.session_state.get(f"file_{name}")
    return None if file is None else str(file.file_id)
