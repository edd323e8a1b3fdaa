"""The row below a chart: its data as a table that can be opened, and as CSV."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

import streamlit as st

from pages.shared import links, version
from pages.shared.settings import present_scenario

if TYPE_CHECKING:
    import pandas as pd


def row(key: str, table: Callable[[], pd.DataFrame], *, title: str, notes: Mapping[str, str]) -> None:
    """Draw the data of a chart: nothing is computed until the reader opens the table or clicks the download."""
    # Bound now, because the download runs later and without a session. The link holds every setting of the page.
    head = {"title": title, **notes, "scenario": present_scenario().to_json(), "link": f"?{links.full()}"}
    with st.container(horizontal=True, vertical_alignment="top", key=f"row_{key}"):
        with st.expander("Data", key=f"data_{key}", on_change="rerun", type="compact") as data:
            if data.open:
                st.dataframe(table(), hide_index=True, height=240, key=f"table_{key}", alt=f"Data of: {title}")
        st.download_button(
            "CSV",
            data=lambda: as_csv(table(), head),
            file_name=f"{key}.csv",
            mime="text/csv",
            key=f"csv_{key}",
            on_click="ignore",
            type="tertiary",
            help="Every plotted point with full precision, and the parameters it was computed from.",
        )


# A spreadsheet cuts lines of the head into cells too, and would compute what stands behind a comma as a formula. Quotation
# marks would help there, and hide the # from programs that pass over comments; negative numbers are left as they are.
_FORMULA = re.compile(r"([,;|]\s*)(?=[=+\-@])(?!-\d[\d.eE+-]*\s*([,;|]|$))")


def as_csv(table: pd.DataFrame, head: Mapping[str, str]) -> str:
    """Return a table as CSV under a commented head; floats keep every digit."""
    lines = [f"# Privacy at Risk explorer {version.text()}"]
    lines += [_FORMULA.sub(r"\1'", f"# {name}: {' '.join(str(value).split())}") for name, value in head.items()]
    return "\n".join([*lines, str(table.to_csv(index=False))])
