"""The controls of a quantile: the column, the public candidates for it, and which quantile it is."""

from __future__ import annotations

import streamlit as st

from pages.shared import controls
from pages.shared.amount_fields import choose_amount
from pages.shared.error_reports import UnreadyError
from pages.shared.table_fields import for_table, typed_number
from pages.shared.uploads import is_own
from pages.your_table import query_settings as fields
from pages.your_table.row_controls import choose_where
from par_core.queries import Quantile
from par_core.questions.glossary import explain
from par_core.rounding import amount
from par_core.tables.table import Table


def choose_quantile(table: Table) -> Quantile:
    """Draw the fields; UnreadyError while the candidates are missing."""
    column, lower, upper = choose_amount(table, fields.AMOUNT, hint=explain("query"))
    step_hint, alpha_hint = explain("candidate_step"), explain("which_quantile")
    step: float | None
    alpha: float | None
    if is_own(table):
        step = typed_number(fields.STEP_OWN, hint=step_hint)
        alpha = typed_number(for_table(fields.ALPHA, table), hint=alpha_hint)
    else:
        step = controls.number(fields.STEP, hint=step_hint)
        alpha = controls.number(fields.ALPHA, hint=alpha_hint, step=0.05)
    where = choose_where(table)
    if lower is None or upper is None or step is None:
        raise UnreadyError(
            "Type the lowest and the highest value that can be published, and the step between them. They must be publicly known, and "
            "are not read from your file."
        )
    if alpha is None:
        raise UnreadyError("Type which share of the rows is below the quantile: 0.5 for the median.")
    query = Quantile(column, lower, upper, step, alpha, where)
    low, high = (amount(each, 6) for each in query.candidates[[0, -1]].tolist())
    st.caption(f"One of {len(query.candidates):,} values is published: {low} to {high} in steps of {amount(step, 6)}.")
    return query
