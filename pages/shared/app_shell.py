"""What stands around every page: its title, the strip on the present setting, the link, the footer."""

import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import streamlit as st

from pages.shared import (
    app_version,
    controls,
    jobs,
    links,
    navigation,
    scenario_sidebar,
    scenario_strip,
    sections,
    tour,
)
from pages.shared.error_reports import guarded
from pages.shared.navigation import PageInfo
from pages.shared.page import Page
from pages.shared.release import only_laplace
from pages.shared.scenario_sidebar import PRESENT, talk_is_on
from pages.shared.settings import Setting, one_run, present_scenario, scenario_settings
from pages.shared.turns import turn
from par_core.scenario import Scenario

_HERE = Path(__file__).parent


@turn()
@one_run()
def start() -> None:
    """Run the dashboard: choose the page from the address and draw it. Called by app.py, and by a page opened first of all."""
    began = time.monotonic()
    controls.whole_page_is_drawn()
    pages = navigation.entries(draw)
    navigation.remember(pages)
    chosen = st.navigation(pages)
    info = navigation.PAGES[pages.index(chosen)]
    settings = settings_of(info.load())
    links.read(settings, info.module)
    configure(info)
    sections.follow_presenter()
    if not talk_is_on():
        tour.follow(info)
    # The sidebar is drawn here and not by the page: a widget belongs to what draws it, and this one goes along to every page.
    if not talk_is_on():
        scenario_sidebar.draw()
    for setting in settings:
        setting.follow()
    with st.sidebar:
        links.publish(settings, info.module)
    chosen.run()
    jobs.leave(since=began)


def draw(info: PageInfo) -> None:
    """Draw a page between its head (title, question, what the present setting means, notices about the link) and its foot."""
    page = info.load()
    if talk_is_on():
        links.notices()
        sections.present(page, info)
        return
    tour.draw(info)
    st.title(info.title, anchor=False)
    st.markdown(page.question)
    if page.of_scenario:
        scenario_strip.draw(scenario_of(page), accuracy=not page.says_accuracy)
    if page.for_laplace and not all(each.ask for each in page.sections):  # an answer says so itself
        only_laplace("This page is")
    links.notices()
    guarded(partial(sections.show, page))
    st.caption(
        f"Privacy at Risk explorer {app_version.text()}. Everything is computed on this server; nothing is sent on."
    )


def scenario_of(page: Page) -> Scenario:
    """Return the scenario that a page speaks of: with Laplace noise, where it is for that alone."""
    scenario = present_scenario()
    return replace(scenario, mechanism=Scenario.mechanism) if page.for_laplace else scenario


def settings_of(page: Page) -> tuple[Setting[Any], ...]:
    """Return everything that a link to a page holds: the scenario, the presenter's switch and dial, the tour, the page's own settings."""
    return tuple(dict.fromkeys((*scenario_settings(), PRESENT, sections.DIAL, tour.STOP, *page.settings)))


def configure(info: PageInfo) -> None:
    """Set the browser's title and the sidebar, and the few rules that the theme cannot express."""
    st.set_page_config(
        page_title=f"{info.title} · Privacy at Risk",
        page_icon=_HERE.parents[1] / "assets" / "icon.svg",
        layout="wide",
        initial_sidebar_state="collapsed" if talk_is_on() else "auto",
    )
    st.html(_HERE / "app_shell.css")
    if talk_is_on():
        st.html(_HERE / "presenter.css")
        if info == navigation.PAGES[0]:
            st.html(_HERE / "presenter_cards.css")
