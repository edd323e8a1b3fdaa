"""The fields of a condition on one column of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from pages.shared.error_reports import UnreadyError
from pages.shared.settings import Setting
from pages.shared.table_fields import columns_with, select, show_values, typed
from par_core.queries import Comparison, Condition, date_letters
from par_core.queries.typed import value_of
from par_core.questions.glossary import explain
from par_core.tables.table import Table

_COMPARISON_WORDS = {
    "==": "equal to",
    "!=": "not equal to",
    "<": "below",
    "<=": "at most",
    ">": "above",
    ">=": "at least",
    "in": "one of (with commas)",
}


@dataclass(frozen=True)
class ConditionSettings:
    """The column, the comparison and the value of a condition on a page."""

    where: Setting[str]
    comparison: Setting[str]
    value: Setting[str]

    @property
    def hanging(self) -> tuple[Setting[Any], tuple[Setting[Any], ...]]:
        """The settings that make no sense without the column, for `table_fields.forget_other`."""
        return self.where, (self.comparison, self.value)


def choose_condition(table: Table, of: ConditionSettings) -> Condition:
    """Draw the fields of a condition; UnreadyError while there is no value, ParameterError for one that cannot be used."""
    column = select(
        of.where, table, columns_with(table, "number", "text", "true-false", "date"), hint=explain("condition")
    )
    show_values(table, column)
    comparison = select(
        of.comparison,
        table,
        list(Comparison),
        hint=explain("condition"),
        words=_COMPARISON_WORDS,
        guess=Comparison.EQUAL.value,
    )
    text = typed(of.value, table, hint="A number, a text letter by letter, a date, or true or false.")
    return _condition(table, column, Comparison(comparison), text.strip())


def _condition(table: Table, column: str, comparison: Comparison, text: str) -> Condition:
    if not text:
        raise UnreadyError("Type the value that the condition compares with.")
    kind = table.kind(column)
    if comparison != Comparison.AMONG:
        return Condition(column, comparison, value_of(text, kind, "the value"))
    values = tuple(value_of(part, kind, "the value") for part in map(str.strip, text.split(",")) if part)
    if kind == "date":
        date_letters("the value", values)
    return Condition(column, Comparison.AMONG, values)
