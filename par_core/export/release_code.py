"""Scripts that publish a planned statistic with OpenDP, on the user's own file and machine.

A script holds the plan and no data. Where rows are replaced, OpenDP's change-one distance over tables of a public size fits it, with a
row that is not chosen adding 0: left out, it would cost a count or a sum twice as much noise as planned.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from par_core.errors import ParameterError
from par_core.evidence import Evidence, Result
from par_core.export import release_meaning, release_words
from par_core.export.assembled import assembled
from par_core.export.release_constants import (
    is_shifted,
    is_single_mean,
    kinds,
    lists,
    literal,
    notations,
    of_file,
    of_plan,
    promise,
)
from par_core.export.run_limit import LEDGER, RunLimit, limit_of_table
from par_core.export.scripts.made_for import Asked, MadeFor
from par_core.old_names import old_attribute
from par_core.parameters import check_choice, check_type, shown
from par_core.plan.named import COPIED
from par_core.queries import (
    Category,
    Condition,
    Count,
    CountBy,
    Histogram,
    Kind,
    Mean,
    Over,
    PersonCounts,
    Quantile,
    Query,
    Share,
    TableAmount,
    date_letters,
)
from par_core.queries.columns import kind_of, name_of
from par_core.queries.grouped_query import GroupedQuery
from par_core.release import PlannedRelease, plan_release_of
from par_core.scenario import Neighbours, Scenario
from par_core.tables.file_format import FileFormat

OPENDP = "opendp==0.16.0"
SCIPY = "scipy>=1.14"  # for the law of Gaussian noise
PLACEHOLDER = "your_file.csv"
CSV = FileFormat()
_SMALLEST_BOUND = 1e-280
REQUIREMENTS = (OPENDP, "numpy>=2.3", "pandas>=2.3", "pyarrow>=20")
_MODULES = (  # in the order of what they hold in a script
    "files",
    "reading",
    "par_core.tables.notation",
    "columns",
    "persons",
    "conditions",
    "noise",
    "cells",
    "sums",
    "quantiles",
    "counts",
    "statistic",
    "gaussian_proof",
    "ledger",
    "release",
)


@dataclass(frozen=True)
class ReleaseCode(Result):
    """A script that publishes a planned release, what it needs from PyPI, and what its user should know.

    `repr` hides the script, which holds the user's columns and categories.
    """

    text: str
    requirements: tuple[str, ...]
    notes: tuple[str, ...]
    planned: PlannedRelease
    limit: RunLimit
    year = old_attribute("year", "limit")

    @property
    def evidence(self) -> Evidence:
        """As good as the plan."""
        source = f"privacy map of {OPENDP}, checked by the script itself before it measures anything"
        return Evidence(self.planned.evidence.basis, source=source)

    def __repr__(self) -> str:
        return f"ReleaseCode(requirements={self.requirements!r}, text=<hidden>)"


def release_code(
    query: Query,
    scenario: Scenario,
    *,
    file: str = PLACEHOLDER,
    csv: FileFormat = CSV,
    rows: int | None = None,
    person: str | None = None,
    over: Over = "truncate",
    weights: Sequence[float] = (1.0, 1.0),
) -> ReleaseCode:
    """Return a script that publishes a query at a scenario's mechanism, epsilon0, delta, neighbours and rows per person.

    The query gets all of epsilon0, and the script runs as often as the scenario plans `releases`, two unless it says otherwise; its k,
    sensitivity and statistics describe some other release and are not used. The script
    falls back on the name `file`, and takes the real one from the command line; `csv` says how the file is written if it is CSV. A mean
    that is one release needs the public number of `rows`. `person` is the column that says whose row it is: the script then keeps
    `rows_per_person` rows of each person, and `over` says whether further ones are left out ("truncate") or stop it ("refuse"); without
    it the limit is the user's promise. A query that counts persons names it itself, and is limited in cells instead. `weights`, two above
    0, say how epsilon is shared between the sum and the count of a mean.

    ParameterError also for a column asked for as text in one place and as numbers in another.

    >>> code = release_code(Count(Condition("age", ">=", 18)), Scenario(epsilon0=0.5))
    >>> code.requirements[0], "EPSILON = 0.5" in code.text
    ('opendp==0.16.0', True)
    """
    planned = plan_release_of(query, scenario, rows=rows, weights=weights)
    return planned_code(
        planned,
        file=file,
        csv=csv,
        rows=rows,
        person=person,
        over=over,
        releases=scenario.releases,
        total_delta=scenario.delta,
    )


def planned_code(
    planned: PlannedRelease,
    *,
    file: str = PLACEHOLDER,
    csv: FileFormat = CSV,
    rows: int | None = None,
    person: str | None = None,
    over: Over = "truncate",
    person_kind: Kind = Kind.TEXT,
    dates: Collection[str] = (),
    header: Sequence[str] = (),
    releases: int = 1,
    total_delta: float = Scenario.delta,
    copied: bool = False,
) -> ReleaseCode:
    """Return a script that publishes what is planned; other parameters and errors as in `release_code`.

    With a `header`, the names of all columns of the file in their order, the script stops at a file with other columns; it holds a
    fingerprint of them. `rows` has to be the number that the mean was planned with. With a `person_kind` of `Kind.NUMBER` 7 and 07
    are one person, and text is refused; with `Kind.TEXT` they are two. `dates` are the columns that hold dates: the query asks for
    them by years, months or days, in text.

    The script keeps a ledger: it runs for so many `releases`, of 1 to 1,000,000, and refuses any further run. `total_delta`, of at least
    1e-15 and below 1, is that of all of them together. Of several statistics that keep the promise together each takes a run. `copied`
    says that a list of categories was copied from the file.
    """
    check_type("file", file, str)
    check_type("csv", csv, FileFormat)
    if isinstance(planned.query, PersonCounts):
        person = planned.query.person
    if person is not None:
        name_of("person", person)
    check_choice("person_kind", person_kind, (Kind.TEXT, Kind.NUMBER))
    check_choice("over", over, ("truncate", "refuse"))
    if is_single_mean(planned):
        parts = planned.query.parts(planned.neighbours, planned.rows_per_person, rows=rows)
        if parts[0].sensitivity != planned.parts[0].part.sensitivity:
            raise ParameterError(f"rows must be the number that the mean was planned with, got {shown(rows)}")
    check_bounds(planned.query)
    held = kinds(planned.query)
    of_person = None if person is None else held.get(person, person_kind)
    needed = REQUIREMENTS if planned.norm == "L1" else (*REQUIREMENTS, SCIPY)
    limit = limit_of_table(planned, releases=releases, delta=total_delta)
    written = notations(held, csv=csv, person=person, of_person=person_kind, dates=dates)
    text = assembled(
        "release",
        made_for_release(planned, of_person=of_person, over=over, dates=dates, notations=bool(written)),
        order=_MODULES,
        words={
            "requirements": " ".join(f"'{each}'" for each in needed),
            "year": limit.head,
            "does": release_words.does(planned, capped=person is not None, copied=copied),
            "publicity": release_meaning.publicity(planned),
        },
        values={
            **of_file(held, file=file, csv=csv, person=person, of_person=person_kind, dates=dates, header=header),
            **of_plan(planned, rows=rows, person=person),
            "LEDGER": literal(LEDGER),
            "PLAN": limit.literal(each=promise(planned)),
        },
        plan="plan_of_release",
    )
    mark = (f"The categories were {COPIED}.",) * copied
    notes = (*mark, limit.note, *release_words.notes(planned, rows=rows, person=person, over=over))
    return ReleaseCode(text, needed, notes, planned, limit)


def check_bounds(query: Query) -> None:
    """Refuse bounds so close to each other that no steps between them are floats."""
    if isinstance(query, TableAmount) and query.upper - query.lower < _SMALLEST_BOUND:
        raise ParameterError(f"upper must be above lower by {_SMALLEST_BOUND:g} at least for a script")


def made_for_release(
    planned: PlannedRelease, *, of_person: Kind | None, over: Over, dates: Collection[str], notations: bool
) -> MadeFor:
    """Return what decides which sections the script of a planned statistic has."""
    query, persons = planned.query, isinstance(planned.query, PersonCounts)
    first, second, *_ = [*(_asked(values, is_date=column in dates) for column, values in lists(query)), None, None]
    return MadeFor(
        gaussian=planned.norm == "L2",
        notations=notations,
        numbered_persons=of_person is Kind.NUMBER,
        truncated=over == "truncate",
        persons=persons,
        capped=of_person is not None and not persons,
        added_or_removed=planned.neighbours is Neighbours.ADD_OR_REMOVE,
        statistic=_statistic(planned),
        condition=_compared(query.condition, dates) if isinstance(query, Count | Share) else Asked(),
        where=None if query.where is None else _compared(query.where, dates),
        first=first,
        second=second,
        other=isinstance(query, CountBy) and query.other,
        bins=isinstance(query, Histogram),
        present=isinstance(query, Mean) and query.skip_missing,
        groups=query.groups.k if isinstance(query, GroupedQuery) and query.groups else 0,
        share=isinstance(query, Share),
        shifted=is_shifted(planned),
        noun=query.labels[0] if isinstance(query, Quantile) else query.asks.noun,
    )


def _statistic(planned: PlannedRelease) -> str:
    query = planned.query
    if isinstance(query, Count | CountBy | Histogram):
        return "count" if planned.norm == "L1" and query.k == 1 else "counts"
    if planned.is_pair:
        return "quotient"
    return "mean" if is_single_mean(planned) else query.asks.name


def _compared(condition: Condition, dates: Collection[str]) -> Asked:
    asked = _asked(condition.values, is_date=condition.column in dates)
    return replace(asked, comparison=condition.comparison.value)


def _asked(values: tuple[Category, ...], *, is_date: bool) -> Asked:
    kind = kind_of("values", values)
    if is_date and kind is Kind.TEXT:
        return Asked("dates", letters=date_letters("values", values))
    return Asked({Kind.NUMBER: "numbers", Kind.TEXT: "texts", Kind.TRUTH: "truths"}[kind])
