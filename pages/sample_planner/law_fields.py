"""Where pairs come from: rows of the table, or new rows from a distribution fitted to each column."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.sample_planner import link_columns
from pages.sample_planner.tables import BUILTIN
from pages.shared import controls, settings
from pages.shared.settings import Setting
from pages.shared.table_fields import column_names
from pages.shared.uploads import is_own
from pages.shared.words import literal
from par_core.errors import ParameterError
from par_core.questions.glossary import explain
from par_core.questions.sample_planner.sampled import Laws
from par_core.sampling import Law
from par_core.tables.table import Table

_BEST = "best"
_OWN_LAWS = "_own_table_slaws"
_WORDS = {_BEST: "the likeliest", **{law.value: law.value for law in Law}}
_FROM_WORDS = {"rows": "Rows of the table", "laws": "Fitted distributions"}
_SPLIT, _IS = ",", ":"


def _read(text: str) -> Laws:
    pairs = tuple(tuple(part.rsplit(_IS, 1)) for part in text.split(_SPLIT) if part)
    known = column_names(BUILTIN)
    if any(len(pair) != 2 or pair[0] not in known or pair[1] not in tuple(Law) for pair in pairs):
        raise ParameterError(f"Distributions must name a column and a distribution each, got {text[:40]!r}")
    return tuple((column, law) for column, law in pairs)


FROM = settings.choice("sfrom", "Pairs from", ("rows", "laws"))
LAWS: Setting[Laws] = Setting(
    "slaws", "Distributions", (), _read, lambda laws: _SPLIT.join(f"{column}{_IS}{law}" for column, law in laws)
)


def choose(table: Table, used: Sequence[str]) -> Laws | None:
    """Draw the choice; returns the distributions that the reader asks for, or None for rows of the table."""
    if controls.choice(FROM, hint=explain("pairs_from"), words=_FROM_WORDS.__getitem__) == "rows":
        return None
    laws = _of_upload(table) if is_own(table) else _of_built_in(table)
    present = dict(laws)
    for column in used:
        key = f"_slaw_{column}"
        st.session_state[key] = present.get(column, _BEST)
        st.selectbox(
            f"Distribution of {literal(column)}",
            [_BEST, *_possible(table, column)],
            format_func=_WORDS.__getitem__,
            key=key,
            help=explain("law"),
            on_change=partial(_chosen, table, column, key),
        )
    return tuple((column, law) for column, law in laws if column in used)


def _possible(table: Table, column: str) -> list[str]:
    """Return the distributions that a column can have: one of texts, dates, or true and false has no mean."""
    return list(Law) if table.kind(column) == "number" else [Law.CATEGORICAL]


def _of_built_in(table: Table) -> Laws:
    """Return the chosen distributions, without what a link asks for of columns that the table does not have, or that they cannot have."""
    names = {column.name for column in table.columns}
    laws = link_columns.mend(
        LAWS,
        lambda laws: tuple((name, law) for name, law in laws if name in names and law in _possible(table, name)),
    )
    link_columns.say(LAWS)
    return laws


def _of_upload(table: Table) -> Laws:
    """Return the chosen distributions of this very file."""
    laws: Laws
    digest, laws = st.session_state.get(_OWN_LAWS, ("", ()))
    return laws if digest == table.digest else ()


def _chosen(table: Table, column: str, key: str) -> None:
    """Keep a choice: of an upload in the session alone, since it names a column."""
    law = st.session_state[key]

    def with_it(laws: Laws) -> Laws:
        others = [each for each in laws if each[0] != column]
        return tuple(sorted([*others, *[(column, law)] * (law != _BEST)]))

    if is_own(table):
        st.session_state[_OWN_LAWS] = (table.digest, with_it(_of_upload(table)))
    else:
        LAWS.change(with_it)
