"""The audit that all sections of the page speak of: run once for a choice of databases and query, with progress and cancel."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.empirical_audit import panel_fields, query_fields
from pages.empirical_audit.panel_fields import PanelChoice
from pages.shared import controls, jobs, settings
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.table_fields import UnreadyError, error_words
from pages.shared.words import literal
from par_core.audit import Panel
from par_core.audit.auditing import AuditResult, audit
from par_core.audit.query import PanelQuery
from par_core.errors import DataError, ParameterError
from par_core.progress import Progress

MASK = settings.switch("emask", "Mask names")
# Asked anew in each session, and for each file.
SHOW_OWN = settings.unlinked(settings.switch("eshow", "Show the names in my file"))
_SHOWN_OF = "_audit_names_of"

_SECONDS = 120.0


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


def start() -> tuple[DeltaGenerator, DeltaGenerator, Audited | None]:
    """Draw the choice of databases and query, and the audit's progress; returns the places of chart and controls, and the audit."""
    main, side = chart_and_controls()
    with main:
        table = panel_fields.open_table()
    choice: PanelChoice | str
    with side:
        wrong = False
        try:
            query = query_fields.choose()
            choice = panel_fields.choose(table)
        except UnreadyError as unready:
            choice = str(unready)
        except (ParameterError, DataError) as error:
            choice, wrong = error_words(error), True
    with main:
        if isinstance(choice, str):
            (st.error if wrong else st.info)(choice)
            return main, side, None
        chosen = choice

        def work(*, progress: Progress) -> tuple[Panel, AuditResult]:
            progress(0.0)
            panel = chosen.make()
            return panel, audit(panel, query, progress=progress)

        result: jobs.Result[tuple[Panel, AuditResult]] | None = jobs.run(
            "audit",
            work,
            inputs=(chosen.key, query),
            label="Auditing",
            deadline=_SECONDS,
            public=not chosen.own,
        )
    if result is None or not result.complete:
        return main, side, None
    with side:
        masked = _masked(chosen)
    return main, side, Audited(*result.value, chosen, query, masked)


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
