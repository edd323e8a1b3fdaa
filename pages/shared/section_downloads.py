"""What a reader can leave with, in a row at the end of every section: made at the click, from the settings as they stood."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from importlib import import_module
from typing import Any

import streamlit as st

from pages.shared import app_version, downloads, links, notebooks, plan, wish_fields
from pages.shared.navigation import PAGES, PageInfo
from pages.shared.page import Section
from pages.shared.settings import Setting, present_scenario, scenario_settings
from pages.shared.settled_duties import TICKED
from pages.shared.uploads import OWN
from par_core.questions.question import Answer

_DECIDE = "decide"
_LEFT_OUT = "This report is about the scenario. What was asked of a table of your own is not in it."


def draw(section: Section, answer: Answer | None) -> None:
    """Draw the row; only in a reader's view, a presenter has no use for it."""
    here, page = links.here()
    decides = not section.ask or page == _DECIDE
    if answer and answer.question.passing:
        answer = None
    if not decides and not answer:
        return
    with st.container(horizontal=True, vertical_alignment="center", key="leaving"):
        st.caption("Take with you", width="content")
        if decides:
            make = partial(_decision_report, **_of_scenario(here, page))
            hint = (
                "Your decision for a director, in one file that prints on A4. It is of your scenario, whatever section you "
                "are in: no data."
            )
            downloads.button("Decision report", make, "report.html", key="report", hint=hint)
        if answer:
            _of_answer(section, answer, here, page, key="section_report" if decides else "report")


def _of_answer(section: Section, answer: Answer, here: Sequence[Setting[Any]], page: str, *, key: str) -> None:
    query, title = links.holding(here, texts=False), notebooks.title_of(page, section)
    if section.about and _means_own(here) and not answer.question.private:
        title += notebooks.NOT_YOURS  # no file is open
    server = (st.context.url or "").removesuffix(page)
    # A link brings back no file and nothing typed.
    link = f"{server.rstrip('/')}/{page}?{query}" if server and not answer.question.private else ""
    make = partial(_section_report, title, answer.for_others, link)
    hint = "This section with its pictures, in one file that prints on A4."
    downloads.button("Report", make, f"{page}_{section.slug}.html", key=key, hint=hint)
    make = partial(notebooks.of_question, title, answer.for_others.question, f"{page}?{query}")
    hint = "Asks the same in Jupyter with the explorer's own package. It holds no data of yours."
    downloads.button("Notebook", make, f"{page}_{section.slug}.ipynb", key=f"notebook_{section.slug}", hint=hint)


def _section_report(title: str, answer: Answer, link: str) -> str:
    from par_core.questions.report import report  # late: only who asks for a report pays for it

    return report(answer, title=title, link=link, version=app_version.text(), date=datetime.now(UTC).date())


def _of_scenario(here: Sequence[Setting[Any]], page: str) -> dict[str, Any]:
    """Return what the decision's report tells, as it stands now: the file is made later, without a session."""
    # What the list asks stands on pages whose files are imported with them alone.
    decide = PageInfo(_DECIDE).load()
    mixed = import_module("pages.composition.mixed_releases").TABLE
    server, scenario = (st.context.url or "").removesuffix(page), scenario_settings()
    asked = (*scenario, *(each for each in decide.settings if each is not decide.tab))
    settings = {PAGES[0].module: (*scenario, *wish_fields.LINKED), _DECIDE: asked, page: here}
    return {
        "scenario": present_scenario(),
        "wishes": wish_fields.chosen(),
        "ticked": TICKED.value(),
        "examples": wish_fields.are_examples(),
        "planned": plan.is_planned(),
        "also": () if mixed.is_following else mixed.value(),
        "left_out": _LEFT_OUT if _means_own(here) and not plan.releases() else "",
        "links": [_link(server, each, settings.get(each.module, scenario)) for each in PAGES] if server else (),
    }


def _decision_report(**of: Any) -> str:
    from par_core.questions.decide.decision_report import report  # late: only who asks for a report pays for it

    return report(**of, version=app_version.text(), date=datetime.now(UTC).date())


def _means_own(here: Sequence[Setting[Any]]) -> bool:
    """Return whether a table of the reader's own is chosen, open or not."""
    return any(OWN in each.options and each.value() == OWN for each in here)


def _link(server: str, info: PageInfo, settings: Sequence[Setting[Any]]) -> tuple[str, str]:
    """Return the link that opens a page with these settings as they stand; the first page is the server itself."""
    path = "" if info == PAGES[0] else info.module
    return info.title, f"{server.rstrip('/')}/{path}?{links.holding(settings, texts=False)}"
