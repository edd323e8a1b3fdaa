"""What of a table may stand in a notebook: of a built-in one what is publicly known, of the reader's own nothing."""

from __future__ import annotations

from collections.abc import Iterable

from pages.shared.condition_fields import ConditionSettings, held_condition
from pages.shared.notebooks import INSTEAD, WithheldError
from pages.shared.settings import Setting
from pages.shared.uploads import OWN, public
from par_core.export.notebook import Cell
from par_core.queries import Condition
from par_core.tables.table import Table


def instead_of_own(table: Setting[str]) -> list[Cell]:
    """Return the sentence that stands before the cells of a built-in table where a table of the reader's own is open."""
    return [INSTEAD] if table.value() == OWN else []


def public_only(values: Iterable[object], known: Iterable[object]) -> None:
    """Raise WithheldError where a text among some values is none of those that are publicly known."""
    if any(isinstance(each, str) for each in set(values) - set(known)):
        raise WithheldError


def public_condition(table: Table, of: ConditionSettings) -> Condition:
    """Return the condition on a built-in table; WithheldError where it compares with a text that is not publicly known."""
    condition = held_condition(table, of)
    values = condition.value if isinstance(condition.value, tuple) else (condition.value,)
    public_only(values, public(table).categories.get(condition.column, ()))
    return condition
