"""The audit that all sections of the page speak of: run once for a choice of databases and query, with progress and cancel."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.empirical_audit import panel_fields, query_fields
from pages.empirical_audit.panel_fields import PanelChoice
from pages.shared import controls, jobs, settings
from pages.shared.layout import chart_and_controls
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.table_fields import ask
from pages.shared.words import literal
from par_core.audit import Panel
from par_core.audit.auditing import AuditResult, audit
from par_core.audit.query import PanelQuery
from par_core.progress import Progress
from par_core.questions.glossary import explain

Value = TypeVar("Value")

MASK = settings.switch("emask", "Mask names")
# Asked anew in each session, and for each file.
SHOW_OWN = settings.unlinked(settings.switch("eshow", "Show the names in my file"))
_SHOWN_OF = "_audit_names_of"


@dataclass(frozen=True)
class Audited:
    """The audit of a choice, and the words for it."""

    panel: Panel
    result: AuditResult
    choice: PanelChoice
    query: PanelQuery
    masked: bool

    def name(self, individual: int, rank: int) -> str:
        """Return what an individual is called: by its rank where names are masked."""
        if self.masked:
            return f"no. {rank}"
        label = str(self.result.individuals[individual])
        return f"{self.choice.individual} {label}" if label.isdigit() else label

    def shown(self, individual: int, rank: int) -> str:
        """Return the same as Markdown that shows it letter by letter."""
        name = self.name(individual, rank)
        return literal(name) if self.choice.own and not self.masked else name

    def run(self, key: str, work: Callable[..., Value], asked: Hashable, *, label: str) -> Value | None:
        """Do in a job what is asked of this audit; see `jobs.run`."""
        inputs = (self.choice.key, self.query, asked)
        return jobs.run(key, work, inputs=inputs, label=label, deadline=jobs.LONG, public=not self.choice.own)


def start() -> tuple[DeltaGenerator, DeltaGenerator, Audited | None]:
    """Draw the choice of databases and query; returns the places of chart and controls, and the audit as soon as it is there."""
    main, side = chart_and_controls()
    with main:
        table = panel_fields.open_table()
    asked = ask(main, side, lambda: (query_fields.choose(), panel_fields.choose(table)))
    if asked is None:
        return main, side, None
    query, choice = asked
    work = partial(_work, query, choice)
    with main:
        found = jobs.run(
            "audit", work, inputs=(choice.key, query), label="Auditing", deadline=jobs.LONG, public=not choice.own
        )
    if found is None:
        return main, side, None
    with side:
        masked = _masked(choice)
    return main, side, Audited(*found, choice, query, masked)


def _work(query: PanelQuery, choice: PanelChoice, *, progress: Progress) -> tuple[Panel, AuditResult]:
    progress(0.0)
    panel = choice.make()
    return panel, audit(panel, query, progress=progress)


def _masked(choice: PanelChoice) -> bool:
    """Return whether names are hidden: before an audience always, of a file until the reader asks for them."""
    if PRESENT.value():
        return True
    if choice.own:
        if st.session_state.get(_SHOWN_OF) != choice.key[0]:  # another file
            SHOW_OWN.put(False)
            st.session_state[_SHOWN_OF] = choice.key[0]
        return not controls.switch(SHOW_OWN, hint=explain("masked"))
    return controls.switch(MASK, hint=explain("masked"))
