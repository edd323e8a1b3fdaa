"""The section "Numbering": what each text states under which number, in all versions, and the claims that check it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.paper_check import ledger_found
from pages.paper_check.verdict_words import badge, formulas
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.layout import chart_and_controls
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.table_fields import text_of
from pages.shared.words import letters
from par_core.claims import Verdict
from par_core.claims.inventory import Stated, rows
from par_core.claims.ledger import Paper
from par_core.figures import paper_check as figures
from par_core.questions.glossary import explain

_TEXTS = {
    "risk": (Paper.FINAL, Paper.PREPRINT, Paper.FIRST_PREPRINT),
    "empirical": (Paper.EMPIRICAL,),
    "lecture": (Paper.LECTURE,),
}
_COLUMNS = {Paper.FINAL: "PoPETs 2021", Paper.PREPRINT: "Preprint", Paper.FIRST_PREPRINT: "First preprint"}

TEXT = settings.choice("qw", "Text", tuple(_TEXTS))
SEARCH = text_of("qk", "Search", "")
ROWS = settings.whole("qm", "Statements listed", 30, at_least=1, at_most=1000)
_MORE = 60


def draw() -> None:
    verdicts = ledger_found.found()
    if verdicts is None:
        return
    main, side = chart_and_controls()
    with side:
        papers = _TEXTS[controls.choice(TEXT, hint=explain("inventory_text"), words=_words)]
        SEARCH.value()
        st.text_input(SEARCH.label, key=SEARCH.held, help=explain("claim_search"), persist_state="session")
    with main:
        checked = sum(bool(each.claims) for each in rows())
        st.markdown(f"## {checked} of {len(rows())} statements have numbers to check", help=explain("inventory"))
        st.markdown(f"The {len(verdicts)} claims check them: some check several, and some statements need several.")
        chart(
            figures.inventory(rows()),
            "inventory",
            alt=f"Statements of each text: {checked} of {len(rows())} in all are checked, the others hold nothing to compute.",
            table=partial(figures.inventory_table, rows()),
        )
    if not PRESENT.value():
        _table([each for each in rows() if _is_asked(each, papers)], papers, {each.claim.id: each for each in verdicts})


def _words(key: str) -> str:
    return figures.PAPERS[_TEXTS[key][0]]


def _is_asked(stated: Stated, papers: Sequence[Paper]) -> bool:
    words = " ".join([*(figures.stated_at(stated, each) for each in papers), stated.subject])
    return not stated.places.keys().isdisjoint(papers) and SEARCH.value().strip().casefold() in words.casefold()


def _table(left: Sequence[Stated], papers: Sequence[Paper], verdicts: dict[str, Verdict]) -> None:
    if not left:
        st.info("No statement matches these words.")
        return
    shown = left[: ROWS.value()]
    columns = {_COLUMNS.get(each, "Where"): [letters(figures.stated_at(one, each)) for one in shown] for each in papers}
    checks = [" ".join(_badge(verdicts[name]) for name in each.claims) or "no numbers" for each in shown]
    subjects = {"What it is about": [formulas(each.subject) for each in shown], "Claims": checks}
    st.table(columns | subjects, hide_index=True, alt="Each statement with its place in every version, and its claims.")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{len(shown)} of {len(left)} statements", width="content")
        if len(shown) < len(left):
            st.button("Show more", on_click=ROWS.put, args=(min(ROWS.value() + _MORE, 1000),))


def _badge(verdict: Verdict) -> str:
    return f"[{badge(verdict)}]({badges.link_to(verdict.claim.id)})"
