"""Two columns of outputs of a mechanism, one for each of two neighbouring inputs: built in, or of a file of the reader's own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pandas as pd
import streamlit as st

from pages.shared import settings
from pages.shared.error_reports import UnreadyError
from pages.shared.table_fields import columns_with, forget_other, select, show_values
from pages.shared.uploads import Builtin, choose_table, is_own, public, source
from par_core.audit.outputs import Tried, outputs_of, try_on
from par_core.datasets import Dataset
from par_core.lab.refute_claim import releases
from par_core.mechanisms import PrivacyLoss
from par_core.progress import Progress
from par_core.questions.glossary import explain
from par_core.randomness import seeded
from par_core.tables.table import Table

EXAMPLE: dict[str, Any] = {"kind": "laplace", "epsilon": 0.5, "pairs": 2_000, "share": 0.5}
EXAMPLE_SEED = 1
NAMES = ("with", "without")


def _made_up() -> Dataset:
    frame = pd.DataFrame(releases(**EXAMPLE, rng=seeded(EXAMPLE_SEED)), columns=list(NAMES))
    note = "A count that is 1 with somebody and 0 without, with Laplace noise: half of what ε = 0.5 takes."
    return Dataset("made_up_releases", frame, "generated here", "none needed", note, {}, {})


BUILTIN = (Builtin("made_up", "Made-up releases, half their noise", _made_up),)
TABLE = source("lft", BUILTIN)
# Columns of a file of the reader's own: chosen in the session, in no link.
_FIRST = settings.unlinked(settings.choice("lf_first", "Outputs on the first input", ("",)))
_SECOND = settings.unlinked(settings.choice("lf_second", "Outputs on the second input", ("",)))


@dataclass(frozen=True, eq=False)
class Columns:
    """The columns of a table that hold the outputs on both inputs."""

    table: Table
    names: tuple[str, str]

    @property
    def key(self) -> tuple[str, ...]:
        """What stands for the outputs."""
        return (self.table.digest, *self.names)


def open_table() -> Table:
    """Draw the choice of the table; returns the one that is open."""
    with st.expander("Outputs: built in, or your own file", expanded=TABLE.value() != TABLE.default, key="refute_data"):
        table = choose_table(TABLE, BUILTIN)
        if not is_own(table):
            st.caption(public(table).note)
    return table


def choose(table: Table) -> Columns:
    """Draw which columns hold the outputs; UnreadyError while one is missing."""
    names = NAMES
    if is_own(table):
        forget_other(table, "mechanism_lab", [(each, ()) for each in (_FIRST, _SECOND)])
        numbers = ["", *columns_with(table, "number")]
        names = (
            select(_FIRST, table, numbers, hint=explain("output_column"), none="(choose a column)"),
            select(_SECOND, table, numbers, hint=explain("output_column"), none="(choose a column)"),
        )
        if "" in names or names[0] == names[1]:
            raise UnreadyError(
                "Choose two columns of numbers: a mechanism's outputs on one input, and on a neighbouring one."
            )
        for each in names:
            show_values(table, each)
    return Columns(table, names)


def tried(columns: Columns, claimed: float | PrivacyLoss, delta: float, *, progress: Progress) -> Tried:
    """Try a claim on the outputs, as in `try_on`; DataError for cells that hold none."""
    return try_on(*outputs_of(columns.table.frame, *columns.names), claimed, delta=delta, progress=progress)
