"""The claims: which of them are listed, or which one is opened; and what is done with the whole catalogue."""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import partial

import streamlit as st

from pages.paper_check import opened_claim
from pages.shared import app_version, asked, controls, downloads, settings
from pages.shared.page import Section
from pages.shared.settings import Setting
from pages.shared.table_fields import text_of
from par_core.export.catalogue_files import as_csv, as_html, as_json
from par_core.figures import paper_check as figures
from par_core.questions.glossary import explain
from par_core.questions.paper_check.catalogue import CheckedAgain
from par_core.questions.paper_check.listed_claims import (
    ALL,
    GRAVE,
    MOST_LISTED,
    PAPERS,
    VERDICTS,
    ListedClaims,
    ListedClaimsAnswer,
    holding,
)
from par_core.questions.paper_check.opened_claim import OpenedClaim
from par_core.scenario import Scenario

PAPER = settings.choice("qp", "Paper", (ALL, *PAPERS))
VERDICT = settings.choice("qv", "Verdict", (ALL, *VERDICTS))
GRAVITY = settings.choice("qg", "How grave", (ALL, *GRAVE))
TEXT = text_of("qt", "Search", "")
ROWS = settings.whole("qn", "Claims listed", ListedClaims.most, at_least=1, at_most=MOST_LISTED)
_PAPER_WORDS = {ALL: "All"} | {key: figures.PAPERS[each] for key, each in PAPERS.items()}
_VERDICT_WORDS = {ALL: "All"} | {key: figures.OUTCOMES[each] for key, each in VERDICTS.items()}
_GRAVITY_WORDS = {ALL: "All"} | {key: each.capitalize() for key, each in GRAVE.items()}
_AGAIN = "_catalogue_again"  # in the session: what was asked last


def ask(_: Scenario, claim: str) -> ListedClaims | OpenedClaim:
    if claim:
        return opened_claim.ask(claim)
    with st.container(horizontal=True):
        paper = controls.select(PAPER, hint=explain("claim_paper"), words=_PAPER_WORDS.__getitem__)
        verdict = controls.select(VERDICT, hint=explain("claim_verdict"), words=_VERDICT_WORDS.__getitem__)
        gravity = controls.select(GRAVITY, hint=explain("claim_gravity"), words=_GRAVITY_WORDS.__getitem__)
        found = holding(search(TEXT), paper)
    return ListedClaims(
        paper=paper,
        verdict=verdict,
        gravity=gravity,
        among=found.keys,
        nearest=found.nearest,
        most=ROWS.value(),
    )


def search(setting: Setting[str]) -> str:
    return controls.text(setting, hint=explain("claim_search"), placeholder="Theorem 3, or a sentence")


def clicked(answer: ListedClaimsAnswer, points: Sequence[Mapping[str, float]]) -> None:
    """Show the claims of a bar."""
    for point in points[:1]:
        name = answer.drawing.data[int(point["curve"])]["name"]
        verdict = next(key for key, each in VERDICTS.items() if figures.OUTCOMES[each] == name)
        row = figures.papers_of(answer.verdicts)[int(point["index"])]
        settings.put_all(
            {PAPER: next(key for key, each in PAPERS.items() if each is row), VERDICT: verdict, GRAVITY: ALL, TEXT: ""}
        )


def draw_catalogue(section: Section, answer: ListedClaimsAnswer) -> None:
    """Draw the files of all claims, and the button that checks them all anew."""
    opened_claim.walk([each.claim.id for each in answer.left])
    verdicts, version = answer.verdicts, app_version.text()
    with st.container(horizontal=True, vertical_alignment="center"):
        for kind, make, label, hint in (
            ("csv", as_csv, "All claims as CSV", "Every claim with its numbers and its verdict, for a spreadsheet."),
            (
                "json",
                as_json,
                "All claims as JSON",
                "The same for a program, with the root errors and what falls with each.",
            ),
            ("html", as_html, "All claims as one page", "One file that needs no network and prints on A4."),
        ):
            write = partial(make, verdicts, version=version, date=datetime.now(UTC).date())
            downloads.button(label, write, f"claims.{kind}", key=f"{kind}_claims", hint=hint)

    def again() -> None:
        before = tuple(each.verdict for each in verdicts)
        st.session_state[_AGAIN] = CheckedAgain(before=before, program=version, asked=time.time())

    st.button("Check all again", on_click=again, help="Recomputes every claim on this server, now. It takes seconds.")
    if _AGAIN in st.session_state:
        asked.tell(section, st.session_state[_AGAIN])
