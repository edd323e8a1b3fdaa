"""The pages of the explorer, in the order in which a reader meets them; a page that does not exist yet is not listed."""

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from importlib import import_module

import streamlit as st

from pages.shared.page import Page


@dataclass(frozen=True)
class PageInfo:
    """A page by its package in `pages/`, which is also its name in the address."""

    module: str

    @property
    def title(self) -> str:
        """What the page is called: its name in words."""
        return self.module.replace("_", " ").capitalize()

    def load(self) -> Page:
        """Import the package and return its page; only the page that is open is imported."""
        with _LOADING:
            page: Page = import_module(f"pages.{self.module}").PAGE
            return page


# Several first visitors at once import the same modules in several threads: one could meet what another has half loaded.
_LOADING = threading.RLock()


PAGES = (
    PageInfo("overview"),
    PageInfo("decide"),
    PageInfo("your_table"),
    PageInfo("explicit_risk"),
    PageInfo("budget_minimiser"),
    PageInfo("composition"),
    PageInfo("sample_planner"),
    PageInfo("empirical_audit"),
    PageInfo("mechanism_lab"),
    PageInfo("paper_check"),
)


def entries(run: Callable[[PageInfo], None]) -> list[st.Page]:
    """Return the pages for `st.navigation`; opening one calls `run` with it."""
    return [
        st.Page(partial(run, info), title=info.title, url_path=info.module, default=index == 0)
        for index, info in enumerate(PAGES)
    ]


def go_to(info: PageInfo) -> None:
    """Leave this page for another one; the run ends here."""
    st.switch_page(entry(info.module))


def remember(pages: list[st.Page]) -> None:
    """Keep the entries of this run, which links to pages and the presenter's keys need."""
    st.session_state["_pages"] = pages


def entry(module: str) -> st.Page:
    """Return the entry of the page with this module name, for a link to it; ValueError if there is none."""
    page: st.Page = st.session_state["_pages"][PAGES.index(PageInfo(module))]
    return page
