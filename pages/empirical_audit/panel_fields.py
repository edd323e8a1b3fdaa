"""Which repeated databases are audited: built-in panels, or a file of the reader's own and what its columns mean."""

from __future__ import annotations

from typing import Any, get_args

from pages.shared import controls, settings
from pages.shared.error_reports import UnreadyError
from pages.shared.table_fields import columns_with, forget_other, select, select_likely
from pages.shared.uploads import Builtin, choose_table, is_own, source
from par_core.datasets import Dataset, census2000, county_murders, precipitation_synthetic
from par_core.questions.empirical_audit.audited import (
    LEAST_SHARE,
    MOST_SUBSAMPLES,
    TITLES,
    VALUES,
    AuditQuestion,
    BuiltIn,
    Form,
)
from par_core.questions.glossary import explain
from par_core.tables.table import Table


def _rain() -> Dataset:
    """Return the generated panel as a wide table, so that it can be described like the others."""
    return Dataset(RAIN, precipitation_synthetic().as_table("cell"), "generated here", "none needed", "", {}, {})


CENSUS, MURDERS, RAIN = get_args(BuiltIn)
BUILTIN = (
    Builtin(CENSUS, TITLES[CENSUS], census2000),
    Builtin(MURDERS, TITLES[MURDERS], county_murders),
    Builtin(RAIN, TITLES[RAIN], _rain),
)
TABLE = source("etable", BUILTIN)
DRAWS = settings.whole("edraws", "Subsamples", AuditQuestion.subsamples, at_least=2, at_most=MOST_SUBSAMPLES)
PART = settings.number("epart", "Share of persons in each", AuditQuestion.share, at_least=LEAST_SHARE, at_most=1.0)
SEED = settings.whole("eseed", "Seed of the subsamples", AuditQuestion.seed, at_least=0, at_most=2**31)
AMOUNT = settings.choice("eof", "Of each person", VALUES[CENSUS])
COUNTED = settings.choice("emur", "Of each county", VALUES[MURDERS])
_FORM = settings.choice("eform", "One row is", get_args(Form))
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


def open_table() -> Table:
    """Draw the choice of the table; returns the one that is open."""
    return choose_table(TABLE, BUILTIN, "Databases: built in, or your own file", key="audit_data")


def choose(table: Table) -> dict[str, Any]:
    """Draw what has to be known of the open table; returns the fields of an `AuditQuestion`, UnreadyError while one is missing."""
    if is_own(table):
        return {"own": table, **_own(table)}
    slug = table.digest.rpartition(":")[2]
    if slug == MURDERS:
        return {"table": slug, "value": controls.choice(COUNTED, hint=explain("audited_value"), words=_words)}
    if slug == RAIN:
        return {"table": slug}
    return {"value": controls.choice(AMOUNT, hint=explain("audited_value"), words=_words), **_subsamples()}


def _words(name: str) -> str:
    return name.replace("_", " ")


def _subsamples() -> dict[str, Any]:
    return {
        "subsamples": controls.whole(DRAWS, hint=explain("subsamples")),
        "share": controls.number(PART, hint=explain("subsample_share")),
        "seed": controls.whole(SEED, hint="The same seed gives the same subsamples."),
    }


def _own(table: Table) -> dict[str, Any]:
    forget_other(table, "empirical_audit", [(each, ()) for each in (_VALUE, _DATABASE, _INDIVIDUAL)])
    form = controls.choice(_FORM, hint=explain("panel_form"), words=_FORM_WORDS.__getitem__)
    labels = [_NONE, *(column.name for column in table.columns if column.kind in ("text", "number", "date"))]
    if form == "person":
        who = select(_INDIVIDUAL, table, labels, hint=explain("individual_column"), none="(rows are numbered)")
        columns_with(table, "number")
        return {"form": form, "individual": who}
    value = select_likely(_VALUE, table, columns_with(table, "number"), hint=explain("audited_value"))
    if form == "subsample":
        who = select(_INDIVIDUAL, table, labels, hint=explain("individual_column"), none="(a person per row)")
        return {"form": form, "value": value, "individual": who, **_subsamples()}
    database = select(_DATABASE, table, labels, hint=explain("database_column"), none="(choose)")
    who = select(_INDIVIDUAL, table, labels, hint=explain("individual_column"), none="(choose)")
    if not database or not who:
        raise UnreadyError(
            "Choose the column that says in which database a record is (a day, a year, a site), and the one that says whose it is."
        )
    if len({database, who, value}) < 3:
        raise UnreadyError("Choose three different columns for the database, the individual and the value.")
    return {"form": form, "value": value, "database": database, "individual": who}
