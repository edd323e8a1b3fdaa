"""The row below a chart: its data as a table that can be opened, and as CSV; and the button that every file is taken with."""

from __future__ import annotations

import logging
import mimetypes
from collections.abc import Callable, Mapping
from typing import Literal

import pandas as pd
import streamlit as st

from pages.shared import app_version, links
from pages.shared.error_reports import NotedError, noted
from pages.shared.settings import present_scenario
from par_core.export import safe_csv

_FAILED = "_failed_downloads"  # in the session: why a file was not made, by the key of its button


def _is_news(record: logging.LogRecord) -> bool:
    """Whether Streamlit reports what is not in the log already, under an id and in one line."""
    error = record.exc_info[1] if record.exc_info else None
    return not isinstance(error and error.__cause__, NotedError)


logging.getLogger("streamlit.runtime.backend_operation_handler").addFilter(_is_news)


def row(
    key: str, table: Callable[[], pd.DataFrame], *, title: str, notes: Mapping[str, str], texts: bool = True
) -> None:
    """Draw the data of a chart: nothing is computed until the reader opens the table or clicks the download.

    Without `texts` its head holds nothing that was typed.
    """
    head = linked({"title": title, **notes, "scenario": present_scenario().to_json()}, texts=texts)
    with st.container(horizontal=True, vertical_alignment="top", key=f"row_{key}"):
        with st.expander("Data", key=f"data_{key}", on_change="rerun", type="compact") as data:
            if data.open:
                st.dataframe(table(), hide_index=True, height=240, key=f"table_{key}", alt=f"Data of: {title}")
        hint = "Every plotted point with full precision, and the parameters it was computed from."
        button("CSV", lambda: as_csv(table(), head), f"{key}.csv", key=f"csv_{key}", hint=hint, type="tertiary")


def button(
    label: str,
    make: Callable[[], str],
    name: str,
    *,
    key: str,
    hint: str,
    type: Literal["secondary", "tertiary"] = "secondary",  # noqa: A002  # as Streamlit says
) -> None:
    """Draw the download of a file of this name; it is made when it is clicked, later and without a session.

    What goes wrong then is in the log, and on the page in the next run, which the browser asks for (address.js).
    """
    failed: dict[str, str] = st.session_state.setdefault(_FAILED, {})

    def made() -> str:
        try:
            return make()
        except Exception as error:
            failed[key] = f"{label}: no file was made. {noted(error)}"
            raise NotedError(failed[key]) from error

    mime, _ = mimetypes.guess_type(name)
    st.download_button(label, made, file_name=name, mime=mime, key=key, on_click="ignore", type=type, help=hint)
    if key in failed:
        st.error(failed.pop(key))


def linked(head: Mapping[str, str], *, texts: bool = True) -> dict[str, str]:
    """Return what stands above a table with the link to this page as it is now, every setting in it, or all but typed `texts`."""
    here, _ = links.here()
    return {**head, "link": f"?{links.holding(here, texts=texts)}"}


def as_csv(table: pd.DataFrame, head: Mapping[str, str]) -> str:
    """Return a table as CSV under a head with this version of the explorer."""
    return safe_csv.as_csv(table, head, version=app_version.text())
