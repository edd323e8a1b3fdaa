"""A release of a plan with the names that a script needs: which query, whose rows, what becomes of too many. No link holds that."""

from __future__ import annotations

from dataclasses import dataclass

from par_core.errors import ParameterError
from par_core.parameters import check_choice, check_type, shown
from par_core.plan.plan import Release
from par_core.queries import Over, PersonCounts, Query
from par_core.queries.columns import name_of
from par_core.queries.table_query import TableQuery

COPIED = "COPIED FROM THE FILE, which reveals it"
"""How files mark a list of categories that was not known without the file."""


@dataclass(frozen=True)
class NamedRelease:
    """What is published of a table, as `release` plans it.

    `person` is the column that says whose row it is; with none each person has `release.rows_per_person` rows at most by the user's
    promise. Further rows are left out ("truncate") or stop the release ("refuse"). `copied` marks a list of categories
    that was copied from the file. `repr` hides all names.

    ParameterError for a query of another shape than the release, or one that counts the persons of another column.
    """

    release: Release
    query: Query
    person: str = ""
    over: Over = "truncate"
    copied: bool = False

    def __post_init__(self) -> None:
        """Check that the query is what the release plans."""
        check_type("release", self.release, Release)
        check_type("query", self.query, TableQuery)
        check_choice("over", self.over, ("truncate", "refuse"))
        if not isinstance(self.copied, bool):
            raise ParameterError(f"copied must be true or false, got {shown(self.copied)}")
        if self.person:
            name_of("person", self.person)
        if self.query.shape != self.release.shape:
            raise ParameterError("query must publish what the release plans: its shape is another one")
        if isinstance(self.query, PersonCounts) and self.query.person != self.person:
            raise ParameterError("person must be the column whose persons the query counts")

    def __repr__(self) -> str:
        return f"NamedRelease({self.release!r}, <private>)"
