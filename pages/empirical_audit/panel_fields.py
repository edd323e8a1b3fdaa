"""Which repeated databases are audited: built-in panels, or a file of the reader's own and what its columns mean."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd
import streamlit as st

from pages.shared import controls, settings
from pages.shared.error_reports import UnreadyError
from pages.shared.table_fields import columns_with, forget_other, select, select_likely
from pages.shared.uploads import Builtin, choose_table, is_own, public, source
from par_core.audit import Panel
from par_core.datasets import Dataset, census2000, county_murders, precipitation_synthetic
from par_core.questions.glossary import explain
from par_core.randomness import seeded
from par_core.tables.table import Table


def _rain() -> Dataset:
    """Return the generated panel as a wide table, so that it can be described like the others."""
    note = "Generated, not measured: years of one law, independent of each other, in the shape of the paper’s data."
    return Dataset(RAIN, precipitation_synthetic().as_table("cell"), "generated here", "none needed", note, {}, {})


MURDERS, RAIN = "county_murders", "precipitation"
BUILTIN = (
    Builtin("census2000", "US Census 2000, random subsamples", census2000),
    Builtin(MURDERS, "Murders in US counties, 17 years", county_murders),
    Builtin(RAIN, "Precipitation (synthetic), 41 years", _rain),
)
TABLE = source("etable", BUILTIN)
DRAWS = settings.whole("edraws", "Subsamples", 60, at_least=2, at_most=1_000)
PART = settings.number("epart", "Share of persons in each", 0.02, at_least=1e-6, at_most=1.0)
SEED = settings.whole("eseed", "Seed of the subsamples", 1, at_least=0, at_most=2**31)
AMOUNT = settings.choice("eof", "Of each person", ("weekly_income", "education", "experience", "age"))
COUNTED = settings.choice("emur", "Of each county", ("murders", "murder_rate"))
_FORM = settings.choice("eform", "One row is", ("record", "person", "subsample"))
_NONE = ""
# Columns of a file of the reader's own: chosen in the session, in no link.
_VALUE = settings.unlinked(settings.choice("eown_of", "Value", (_NONE,)))
_DATABASE = settings.unlinked(settings.choice("eown_db", "Database", (_NONE,)))
_INDIVIDUAL = settings.unlinked(settings.choice("eown_who", "Individual", (_NONE,)))

_FORM_WORDS = {
    "record": "a record of somebody in a database",
    "person": "a person, each column a database",
    "subsample": "a person; draw subsamples",
}


@dataclass(frozen=True)
class PanelChoice:
    """The databases to audit."""

    make: Callable[[], Panel]  # may take a while
    key: tuple[object, ...]  # everything that it depends on
    individual: str  # what one is called
    own: bool
    note: str = ""

    @property
    def plural(self) -> str:
        """What several individuals are called."""
        return {"county": "counties", "person": "people"}.get(self.individual, f"{self.individual}s")


def open_table() -> Table:
    """Draw the choice of the table; returns the one that is open."""
    with st.expander(
        "Databases: built in, or your own file", expanded=TABLE.value() != TABLE.default, key="audit_data"
    ):
        return choose_table(TABLE, BUILTIN)


def choose(table: Table) -> PanelChoice:
    """Draw what has to be known of the open table; UnreadyError while something is missing."""
    if is_own(table):
        return _own(table)
    slug = table.digest.rpartition(":")[2]
    if slug == MURDERS:
        value = controls.choice(COUNTED, hint=explain("audited_value"), words=_words)
        make = partial(Panel.from_long, table.frame, database="year", individual="county", value=value)
        return PanelChoice(make, (slug, value), "county", False, public(table).note)
    if slug == RAIN:
        return PanelChoice(precipitation_synthetic, (slug,), "cell", False, public(table).note)
    value = controls.choice(AMOUNT, hint=explain("audited_value"), words=_words)
    return _subsamples(table, value, own=False)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _subsamples(table: Table, value: str, *, own: bool, individual: str = _NONE) -> PanelChoice:
    draws = controls.whole(DRAWS, hint=explain("subsamples"))
    share = controls.number(PART, hint=explain("subsample_share"))
    seed = controls.whole(SEED, hint="The same seed gives the same subsamples.")

    given = {"value": value, "individual": individual or None, "databases": draws, "share": share}
    make = partial(_drawn, table.frame, seed, **given)
    key = (table.digest, value, individual, draws, share, seed)
    note = "Each database is a random subsample. What is audited is a release from one of them; nobody may know who is in it."
    return PanelChoice(make, key, "person", own, note)


def _drawn(frame: pd.DataFrame, seed: int, **given: Any) -> Panel:
    """Draw subsamples; a name in a file, so that another process can do it."""
    return Panel.from_table(frame, rng=seeded(seed), **given)


def _own(table: Table) -> PanelChoice:
    forget_other(table, "empirical_audit", [(each, ()) for each in (_VALUE, _DATABASE, _INDIVIDUAL)])
    form = controls.choice(_FORM, hint=explain("panel_form"), words=_FORM_WORDS.__getitem__)
    labels = [_NONE, *(column.name for column in table.columns if column.kind in ("text", "number", "date"))]
    if form == "person":
        who = select(_INDIVIDUAL, table, labels, hint=explain("individual_column"), none="(rows are numbered)")
        columns_with(table, "number")
        make = partial(Panel.from_wide, table.frame, individual=who or None)
        return PanelChoice(make, (table.digest, form, who), "individual", True)
    value = select_likely(_VALUE, table, columns_with(table, "number"), hint=explain("audited_value"))
    if form == "subsample":
        who = select(_INDIVIDUAL, table, labels, hint=explain("individual_column"), none="(a person per row)")
        return _subsamples(table, value, own=True, individual=who)
    database = select(_DATABASE, table, labels, hint=explain("database_column"), none="(choose)")
    who = select(_INDIVIDUAL, table, labels, hint=explain("individual_column"), none="(choose)")
    if not database or not who:
        raise UnreadyError(
            "Choose the column that says in which database a record is (a day, a year, a site), and the one that says whose it is."
        )
    if len({database, who, value}) < 3:
        raise UnreadyError("Choose three different columns for the database, the individual and the value.")
    make = partial(Panel.from_long, table.frame, database=database, individual=who, value=value)
    return PanelChoice(make, (table.digest, form, database, who, value), "individual", True)


def public_size(choice: PanelChoice, panel: Panel) -> int | None:
    """Return how many records every database of built-in data is known to have at least; of the reader's own it is not known."""
    least = int(panel.sizes().min())
    return least if not choice.own and least > panel.most_records() else None
