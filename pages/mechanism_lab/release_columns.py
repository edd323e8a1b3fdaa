"""Where outputs of a mechanism come from: drawn, or two columns of a table that is built in or a file of the reader's own."""

from __future__ import annotations

from typing import Any

from pages.shared import settings
from pages.shared.error_reports import UnreadyError
from pages.shared.table_fields import columns_with, forget_other, select, show_values
from pages.shared.uploads import Builtin, choose_table, is_own, public, source
from par_core.datasets import Dataset
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.refute_claim import synthetic_releases
from par_core.tables.table import Table


def _synthetic() -> Dataset:
    note = "A count that is 1 with somebody and 0 without, with Laplace noise: half of what ε = 0.5 takes."
    return Dataset("synthetic_releases", synthetic_releases(), "generated here", "none needed", note, {}, {})


BUILTIN = (Builtin("made_up", "Made-up releases, half their noise", _synthetic),)
FROM = settings.choice("lff", "Outputs", ("drawn", "table"))
TABLE = source("lft", BUILTIN)
# Columns of a file of the reader's own: chosen in the session, in no link.
_FIRST = settings.unlinked(settings.choice("lf_first", "Outputs on the first input", ("",)))
_SECOND = settings.unlinked(settings.choice("lf_second", "Outputs on the second input", ("",)))


def open_table() -> Table | None:
    """Draw the choice of the table, where outputs are not drawn; returns the one that is open."""
    if FROM.value() == "drawn":
        return None
    label = "Outputs: built in, or your own file"
    return choose_table(TABLE, BUILTIN, label, key="refute_data", caption=lambda table: public(table).note)


def choose(table: Table) -> dict[str, Any]:
    """Draw which columns of a reader's own table hold the outputs; returns both as fields of a question."""
    if not is_own(table):
        return {}
    forget_other(table, "mechanism_lab", [(each, ()) for each in (_FIRST, _SECOND)])
    numbers, hint = ["", *columns_with(table, "number")], explain("output_column")
    columns = tuple(select(each, table, numbers, hint=hint, none="(choose a column)") for each in (_FIRST, _SECOND))
    if "" in columns or columns[0] == columns[1]:
        raise UnreadyError(
            "Choose two columns of numbers: a mechanism's outputs on one input, and on a neighbouring one."
        )
    for each in columns:
        show_values(table, each)
    return {"columns": columns, "own": table}
