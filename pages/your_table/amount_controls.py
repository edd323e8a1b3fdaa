"""The controls of a sum, a mean or a share: the column and its bounds, or the condition; the groups, and how many rows are averaged."""

from __future__ import annotations

from dataclasses import replace

from pages.shared import controls
from pages.shared.amount_fields import choose_amount
from pages.shared.condition_fields import choose_condition
from pages.shared.error_reports import UnreadyError
from pages.shared.table_fields import columns_with, for_table, select, show_values, typed_number
from pages.shared.uploads import is_own
from pages.your_table import into_plan
from pages.your_table import query_settings as fields
from pages.your_table.category_controls import choose_list, takes_public
from pages.your_table.row_controls import choose_where
from par_core.errors import ParameterError
from par_core.queries import Groups, Mean, MeanQuery, Share, TableAmount
from par_core.questions.glossary import explain
from par_core.tables.table import Table

_CLOSEST = 1e-90  # of two bounds: the noise of all budgets has to be a number that can be computed with


def choose_bounded(table: Table, kind: type[TableAmount]) -> tuple[TableAmount, str]:
    """Draw the controls of a sum or another amount; returns the query, and where the list of groups comes from.

    UnreadyError while something is missing.
    """
    column, lower, upper = choose_amount(table, fields.AMOUNT, hint=explain("query"))
    wrong: Exception | None = None
    groups, origin = None, ""
    try:
        groups, origin = _choose_groups(table)
    except (UnreadyError, ParameterError) as error:
        wrong = error
    where = choose_where(table)
    if lower is None or upper is None:
        raise UnreadyError(
            "Type a publicly known lower and upper bound for the column: values outside move to the nearest bound. Bounds are not read "
            "from your file."
        )
    if 0 < upper - lower < _CLOSEST:
        raise ParameterError(f"the bounds must be at least {_CLOSEST:g} apart, got {lower:g} and {upper:g}")
    if wrong is not None:
        raise wrong
    if not issubclass(kind, Mean):
        return kind(column, lower, upper, where, groups=groups), origin
    skip = table.missing(column) > 0 and controls.switch(for_table(fields.SKIP, table), hint=explain("skip_missing"))
    return kind(column, lower, upper, where, groups=groups, skip_missing=skip), origin


def choose_share(table: Table) -> tuple[Share, str]:
    """Draw the condition and the groups of a share; returns as `choose_bounded` does."""
    wrong: Exception | None = None
    condition = None
    try:
        condition = choose_condition(table, fields.CONDITION)
    except (UnreadyError, ParameterError) as error:
        wrong = error
    groups, origin = _choose_groups(table)
    if condition is None:
        assert wrong is not None
        raise wrong
    return Share(condition, groups=groups), origin


def _choose_groups(table: Table) -> tuple[Groups | None, str]:
    """Draw the column whose categories are the groups, if any; returns them, and where their list comes from."""
    usable = columns_with(table, "text", "number", "true-false", "date")
    column = select(fields.GROUP, table, ["", *usable], hint=explain("in_groups"), none="(all rows together)")
    if not column:
        return None, ""
    show_values(table, column)
    from_public = takes_public(table, [column])
    values, origin = choose_list(fields.GROUPS, table, column, from_public=from_public)
    return Groups(column, values), origin


def choose_guess(table: Table, query: MeanQuery, at: int | None) -> int:
    """Draw the guess of how many rows are averaged, or looked at for a share, which nobody may know.

    Where the query is a release of the plan, it is the guess of that one.
    """
    setting = fields.GUESS_OWN if is_own(table) else fields.GUESS
    named = replace(setting, label=f"Rows {query.shape.rows_are}, at least")
    guess: float | None
    if at is not None:
        guess = into_plan.guess_field(at, setting.held)
    elif is_own(table):
        guess = typed_number(named, hint=explain("rows_guess"), step=1)
    else:
        guess = controls.whole(named, hint=explain("rows_guess"))
    if guess is None:
        raise UnreadyError(
            f"Type how many rows are {query.shape.rows_are}, at least: a guess, not read from the table."
        )
    return int(guess)
