"""The choice of a table: one that comes with the dashboard, or a file of the reader's own, which stays in the session.

Nothing of a file reaches a log, an address or what sessions share: the parsed table is held in the session of the reader, who
alone has seen it, and goes with it.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast

import pandas as pd
import streamlit as st
from starlette.formparsers import MultiPartParser
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared.error_reports import noted
from pages.shared.settings import Setting
from pages.shared.settings import choice as choice_of
from pages.shared.words import counted, letters
from par_core.datasets import Dataset
from par_core.deployment import settings
from par_core.errors import DataError
from par_core.tables.table import MEGABYTE, Limits, Table, of_frame, read_table

_BUILT_IN = "built-in:"
_OWN_TABLE = "_own_table"  # in the session: the reader's file, one for all pages
OWN = "own"  # in an address: a file was chosen; which one, it does not say

# Streamlit takes uploads through Starlette, which puts parts above 1 MB into a temporary file. Uploads stay in memory.
MultiPartParser.spool_max_size = 2**31  # more than any upload cap
# Reading takes several times the size of a file: one at a time in the process.
READING = threading.Lock()


@dataclass(frozen=True)
class Builtin:
    """A table that comes with the dashboard: its name in addresses, its name for people, and what makes it."""

    slug: str
    label: str
    load: Callable[[], Dataset]

    @cached_property
    def table(self) -> Table:
        """The table; from now on it is known what is public about it."""
        digest = f"{_BUILT_IN}{self.slug}"
        _PUBLIC[digest] = self.load()
        return of_frame(self.label, _PUBLIC[digest].table, digest=digest)


_PUBLIC: dict[str, Dataset] = {}
_NOTHING = Dataset("", pd.DataFrame(), "", "", "", {}, {})


def public(table: Table) -> Dataset:
    """Return what is publicly known of a table: of the reader's own nothing."""
    return _PUBLIC.get(table.digest, _NOTHING)


def source(key: str, builtin: Sequence[Builtin]) -> Setting[str]:
    """Return the setting that holds which table is open; the first built-in is the default."""
    return choice_of(key, "Table", [*(each.slug for each in builtin), OWN])


def choose_table(
    setting: Setting[str],
    builtin: Sequence[Builtin],
    label: str,
    *,
    key: str,
    caption: Callable[[Table], str] = lambda _: "",
) -> Table:
    """Draw the choice of a table, folded while the default is open, with what its columns hold; returns the open one.

    There is always one: without a usable file of the reader's own, what was open before stays.
    """
    with st.expander(label, expanded=setting.value() != setting.default, key=key):
        table = _chosen(setting, builtin)
        _describe(setting.key, table)
        if text := caption(table):
            st.caption(text)
    return table


def _chosen(setting: Setting[str], builtin: Sequence[Builtin]) -> Table:
    labels = {each.slug: each.label for each in builtin} | {OWN: "Your own file"}
    setting.hold()
    chosen = st.radio(
        setting.label, list(labels), format_func=labels.__getitem__, key=setting.held, persist_state="session"
    )
    last = f"_built_in_{setting.key}"  # beside a file of the reader's own: the one that was chosen before
    if chosen != OWN:
        st.session_state[last] = chosen
    slug = st.session_state.get(last, builtin[0].slug)
    spare = next(each.table for each in builtin if each.slug == slug)
    return spare if chosen != OWN else _own(setting.key, spare)


def lacks_file(setting: Setting[str], table: Table) -> bool:
    """Return whether the reader chose a file of their own and none is open: `table` is a built-in one then."""
    return setting.value() == OWN and not is_own(table)


def open_own() -> Table | None:
    """Return the table of the reader's own that is open in this session."""
    kept: _Kept | None = st.session_state.get(_OWN_TABLE)
    return kept.table if kept else None


def is_own(table: Table) -> bool:
    """Return whether a table is the reader's own: then its name, columns and values belong to nobody else."""
    return not table.digest.startswith(_BUILT_IN)


# --- the reader's own file ---


@dataclass
class _Kept:
    """What a session holds of its file."""

    file: str | None = None  # which upload was read last, by Streamlit's number
    stored: str | None = None  # which one the server holds still
    table: Table | None = None
    refused: str | None = None


def _own(key: str, spare: Table) -> Table:
    if not settings().uploads:
        st.info(
            f"Files cannot be opened on this server, which is a public demonstration. {_shown(spare)} "
            "To open a table of your own, run the explorer on your own machine."
        )
        return spare
    kept: _Kept = st.session_state.setdefault(_OWN_TABLE, _Kept())
    most = min(settings().upload_mb, int(st.get_option("server.maxUploadSize")))
    limits = Limits(packed=most * MEGABYTE, unpacked=5 * most * MEGABYTE)
    file = st.file_uploader(
        f"CSV, TSV or Parquet, also as gzip, up to {most} MB",
        # Without `type`: its check would put the name of a wrong file into an error. The content decides, with a better word.
        key=f"file_{key}",
        max_upload_size=most,
        help=f"At most {limits.columns:,} columns, {limits.rows:,} rows and {limits.cells:,} cells. The first line holds the "
        "names of the columns. An NPZ file (of `numpy.savez`) can be opened too: a matrix `values` with a row for each individual and a "
        "column for each database, and if you like their names in `individuals` and `databases`.",
    )
    st.caption(
        "The file stays in the memory of the machine that runs this explorer, for this session only. Nothing is stored on "
        "disk or sent elsewhere."
    )
    if file is None:
        kept.file = kept.refused = None
    elif file.file_id != kept.file:
        _read(kept, file, limits)
    if kept.refused:
        st.error(f"{kept.refused} {'The table that was open before stays open.' if kept.table else _shown(spare)}")
    elif kept.table is None:
        st.info(f"Choose a file: neither a link nor a reloaded page can hold one. {_shown(spare)}")
    elif file is None:
        # The widget forgets its file when another page is opened, and lets go of one file before it takes the next, which may
        # be unusable. So an empty widget closes nothing.
        st.info(f"Still open: “{letters(kept.table.name)}”.")
        st.button("Close this table", key=f"close_{key}", on_click=_close)
    return kept.table or spare


def _read(kept: _Kept, file: Any, limits: Limits) -> None:
    """Read a file that has just come; one that cannot be used leaves the table before it in place."""
    _forget(kept)
    kept.file = kept.stored = file.file_id
    kept.refused = None
    try:
        with st.spinner("Reading the table"), READING:
            kept.table = read_table(file.name, file.getvalue(), limits=limits)
    except DataError as error:
        kept.refused = letters(str(error))
    except MemoryError:
        kept.refused = "The table is too large for the memory of this machine."
    except Exception as error:
        kept.refused = noted(error)


def _forget(kept: _Kept) -> None:
    """Give back the memory of the file before: it has been read, and the server would keep it to the end of the session."""
    context = get_script_run_ctx()
    assert context is not None
    if kept.stored:
        cast(MemoryUploadedFileManager, context.uploaded_file_mgr).remove_file(context.session_id, kept.stored)


def _close() -> None:
    _forget(st.session_state[_OWN_TABLE])
    st.session_state[_OWN_TABLE] = _Kept()


# --- what is seen of a table ---


_PLURALS = {"number": "numbers", "text": "texts", "date": "dates"}


def _describe(key: str, table: Table) -> None:
    kinds = Counter(column.kind for column in table.columns)
    gaps = sum(column.missing > 0 for column in table.columns)
    st.markdown(
        f"**{counted(table.rows, 'row')}, {counted(len(table.columns), 'column')}**: "
        + ", ".join(f"{count} {_PLURALS.get(kind, kind) if count > 1 else kind}" for kind, count in kinds.most_common())
        + (f"; missing values in {counted(gaps, 'column')}" if gaps else "; no missing values")
        + (f". Read as {table.form}." if is_own(table) else ".")
    )
    for note in table.notes:
        st.caption(letters(note))
    with st.expander("Columns", key=f"columns_{key}", on_change="rerun", type="compact") as columns:
        if columns.open:
            infinite = any(column.infinite for column in table.columns)
            st.dataframe(
                [
                    {"Column": column.name, "Holds": column.kind, "Missing": column.missing}
                    | ({"Infinite": column.infinite} if infinite else {})
                    for column in table.columns
                ],
                hide_index=True,
                height="content" if len(table.columns) <= 10 else 400,
                alt="The columns of the table: name, what it holds, missing values.",
            )


def _shown(table: Table) -> str:
    return f"{'Until then, ' * settings().uploads}“{letters(table.name)}” is shown."
