"""The section "Claims": the whole ledger, a line for each claim; or one of them, opened."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from pages.paper_check import ledger_found, opened_claim
from pages.paper_check.own_numbers import CLAIM
from pages.paper_check.verdict_words import badge, falls, formulas, how_grave, numbers, place
from pages.shared import app_version, badges, downloads, settings
from pages.shared.chart import chart
from pages.shared.layout import chart_and_controls
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.settings import Setting
from pages.shared.table_fields import text_of
from pages.shared.words import letters
from par_core.claims import Verdict
from par_core.claims.gravity import GRAVITIES
from par_core.claims.ledger import Paper
from par_core.claims.theorems import falls_with
from par_core.export.ledger_files import as_csv, as_html
from par_core.figures import paper_check as figures
from par_core.questions.glossary import explain

_ALL = "all"
_PAPERS = {each.name.lower().replace("_", "-"): each for each in Paper}
_OUTCOMES = {each.replace(" ", "-"): each for each in figures.OUTCOMES}
_GRAVITIES = {each.replace(" ", "-"): each for each in reversed(GRAVITIES)}  # the gravest first

PAPER = settings.choice("qp", "Paper", (_ALL, *_PAPERS))
OUTCOME = settings.choice("qv", "Verdict", (_ALL, *_OUTCOMES))
GRAVITY = settings.choice("qg", "How grave", (_ALL, *_GRAVITIES))
TEXT = text_of("qt", "Search", "")
ROWS = settings.whole("qn", "Claims listed", 20, at_least=1, at_most=1000)
_MORE = 40


def draw() -> None:
    if CLAIM.value():
        opened_claim.draw()
        return
    verdicts = ledger_found.found()
    if verdicts is None:
        return
    left = chosen(verdicts)
    opened_claim.walk([each.claim.id for each in left])
    main, side = chart_and_controls()
    with side:
        _filters()
    with main:
        _picture(verdicts, left)
    if not PRESENT.value():
        _table(left, {each.claim.id: each for each in verdicts})
        _files(verdicts)
        ledger_found.draw_again(verdicts)


def chosen(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return what the filters leave: the refuted first and of these the gravest, else in the order of the papers."""
    asked = TEXT.value().strip().casefold()
    kept = [
        each
        for each in verdicts
        if PAPER.value() in (_ALL, _slug(_PAPERS, each.claim.paper))
        and OUTCOME.value() in (_ALL, _slug(_OUTCOMES, each.verdict))
        and GRAVITY.value() in (_ALL, _slug(_GRAVITIES, ledger_found.grave(each)))
        and asked in _searched(each)
    ]
    heavy = [None, *GRAVITIES]
    return sorted(kept, key=lambda each: heavy.index(ledger_found.grave(each)), reverse=True)


def _slug(slugs: Mapping[str, object], value: object) -> str:
    return next((slug for slug, each in slugs.items() if each == value), "")


def _searched(verdict: Verdict) -> str:
    claim = verdict.claim
    words = (claim.id, claim.where, claim.section, claim.statement, claim.explanation, claim.published)
    return " ".join(map(str, words)).casefold()


def _filters() -> None:
    with st.container(horizontal=True):
        _select(PAPER, lambda key: figures.PAPERS[_PAPERS[key]], hint=explain("claim_paper"))
        _select(OUTCOME, lambda key: figures.OUTCOMES[_OUTCOMES[key]], hint=explain("claim_verdict"))
        _select(GRAVITY, lambda key: _GRAVITIES[key].capitalize(), hint=explain("claim_gravity"))
        TEXT.value()
        st.text_input(TEXT.label, key=TEXT.held, help=explain("claim_search"), persist_state="session")


def _select(setting: Setting[str], words: Callable[[str], str], *, hint: str) -> None:
    setting.value()
    st.selectbox(
        setting.label,
        setting.options,
        format_func=lambda key: "All" if key == _ALL else words(key),
        key=setting.held,
        help=hint,
        persist_state="session",
    )


def _picture(verdicts: Sequence[Verdict], left: Sequence[Verdict]) -> None:
    fail = sum(each.refuted for each in verdicts)
    flatter = sum(ledger_found.grave(each) == "false statement that flatters" for each in verdicts)
    st.markdown(f"## {fail} of {len(verdicts)} claims fail", help=explain("claims"))
    st.markdown(f"{flatter} of them flatter: people are worse off than the paper says.")
    ids = {each.claim.id for each in left} if len(left) < len(verdicts) else None
    drawing = figures.verdicts_by_paper(verdicts, left=ids)

    def clicked() -> None:
        for point in st.session_state["verdicts_by_paper"]["click"][:1]:
            outcomes = {name: each for each, name in figures.OUTCOMES.items()}
            outcome = outcomes[drawing.data[point["curve"]]["name"]]
            paper = figures.papers_of(verdicts)[point["index"]]
            settings.put_all(
                {PAPER: _slug(_PAPERS, paper), OUTCOME: _slug(_OUTCOMES, outcome), GRAVITY: _ALL, TEXT: ""}
            )

    chart(
        drawing,
        "verdicts_by_paper",
        alt=f"Claims by paper and verdict: {fail} of {len(verdicts)} are refuted. {len(left)} are listed below.",
        table=partial(figures.verdicts_table, verdicts),
        on_click=clicked,
    )


def _table(left: Sequence[Verdict], by_id: Mapping[str, Verdict]) -> None:
    shown = left[: ROWS.value()]
    if not shown:
        st.info("No claim matches these filters.")
        return
    st.table(
        {
            "Where": [f"[{letters(place(each.claim))}]({badges.link_to(each.claim.id)})" for each in shown],
            "Verdict": [badge(each) for each in shown],
            "What is claimed": [formulas(each.claim.statement) for each in shown],
            "Published": [numbers(each.published) for each in shown],
            "Recomputed": [numbers(each.recomputed) for each in shown],
            "Exact": [numbers(each.exact) for each in shown],
            "How grave": [how_grave(each) or falls(falls_with(each.claim.id, by_id.__getitem__)) for each in shown],
            "Paper": [figures.PAPERS[each.claim.paper] for each in shown],
            "Id": [f"`{each.claim.id}`" for each in shown],
        },
        hide_index=True,
        alt=f"{len(shown)} claims, each with a link to what it was tested by.",
    )
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(f"{len(shown)} of {len(left)} claims", width="content")
        st.caption("Recomputed: by the paper’s own formula. Exact: the truth.", width="content")
        if len(shown) < len(left):
            st.button("Show more", on_click=ROWS.put, args=(min(ROWS.value() + _MORE, 1000),))


def _files(verdicts: Sequence[Verdict]) -> None:
    version = app_version.text()
    with st.container(horizontal=True, vertical_alignment="center"):
        downloads.button(
            "All claims as CSV",
            partial(as_csv, verdicts, version=version),
            "claims.csv",
            key="csv_claims",
            hint="Every claim with its numbers and its verdict, for a spreadsheet.",
        )
        downloads.button(
            "All claims as one page",
            partial(as_html, verdicts, version=version, date=datetime.now(UTC).date()),
            "claims.html",
            key="html_claims",
            hint="One file that needs no network and prints on A4.",
        )
