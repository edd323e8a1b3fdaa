"""The pages of the explorer, in the order in which a reader meets them; a page that does not exist yet is not listed."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module
from types import ModuleType

import streamlit as st


@dataclass(frozen=True)
class PageInfo:
    """A page: its module in `pages/`, which is also its address, and its title."""

    module: str
    title: str

    def load(self) -> ModuleType:
        """Import the page's module, which holds SETTINGS and show(); only the page that is open is imported."""
        with _LOADING:
            return import_module(f"pages.{self.module}")


# Several first visitors at once import the same modules in several threads: one could meet what another has half loaded.
_LOADING = threading.RLock()


PAGES = (
    PageInfo("overview", "Overview"),
    PageInfo("your_table", "Your table"),
    PageInfo("explicit_risk", "Explicit risk"),
    PageInfo("budget_minimiser", "Budget minimiser"),
    PageInfo("composition", "Composition"),
    PageInfo("sample_planner", "Sample planner"),
    PageInfo("empirical_audit", "Empirical audit"),
)


def entries(run: Callable[[PageInfo], None]) -> list[st.Page]:
    """Return the pages for `st.navigation`; opening one calls `run` with it."""
    return [
        st.Page(partial(run, info), title=info.title, url_path=info.module, default=index == 0)
        for index, info in enumerate(PAGES)
    ]


def go_to(info: PageInfo) -> None:
    """Leave this page for another one; the run ends here."""
    st.switch_page(st.session_state["_pages"][PAGES.index(info)])


def remember(pages: list[st.Page]) -> None:
    """Keep the entries of this run, which links to pages and the presenter's keys need."""
    st.session_state["_pages"] = pages


def entry(module: str) -> st.Page:
    """Return the entry of the page with this module name, for a link to it; StopIteration if there is none."""
    index = next(index for index, info in enumerate(PAGES) if info.module == module)
    page: st.Page = st.session_state["_pages"][index]
    return page
