"""`par release`: how far off a published statistic will be, the level for a wanted error, and the code that publishes it."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from par_core.cli.scenario_options import NOISES, scenario_options
from par_core.cli.shell import NUMBER, WHOLE, Command
from par_core.errors import DataError, ParameterError

if TYPE_CHECKING:
    from par_core.cli.answer import Answer, Row
    from par_core.export.release_code import ReleaseCode
    from par_core.progress import Progress
    from par_core.queries import Category, Condition, Over, Quantile, Query
    from par_core.release import PlannedRelease
    from par_core.scenario import Scenario
    from par_core.tables.table import Table

_FIELDS = ("epsilon0", "neighbours", "rows_per_person", "statistics", "releases", "delta", "mechanism")
_CONDITION = re.compile(r"(?P<column>.+?)\s*(?:(?P<sign>==|!=|<=|>=|<|>)|(?<=\s)(?P<among>in)(?=\s))\s*(?P<value>.+)")
_Function = TypeVar("_Function", bound=Callable[..., Any])
_Read = Callable[[str, str, str], "Category"]  # of a column a text, called what in a message

# Written out, so that help and completion need no computation; a test compares them with the core.
AMOUNTS = (
    "sum",
    "mean",
)

_EXAMPLES = (
    "par release --count 'age >= 18' --epsilon 0.5",
    "par release builtin:census2000 --count-by education --categories 12,16 --error 10 --code release.py",
    "par release builtin:census2000 --histogram age --bins 0 100 10 --epsilon 0.5",
    "par release builtin:census2000 --mean weekly_income --bounds 0 3000 --neighbours add-or-remove --size 20000",
    "par release builtin:census2000 --quantile weekly_income --bounds 0 3000 --step 10 --neighbours add-or-remove",
    "cat visits.csv | par release - --sum cost --bounds 0 100 --where 'ward in A,B' --person patient --format json",
)


def _amount_options(function: _Function) -> _Function:
    """Add an option for each statistic of a column of numbers."""
    for name in reversed(AMOUNTS):
        told = click.option(_spelled(name), _given(name), metavar="COLUMN", help=f"{name.capitalize()} of a column.")
        function = told(function)
    return function


def _given(name: str) -> str:
    """Return what an option is called where it is given."""
    return name.replace(" ", "_")


def _spelled(name: str) -> str:
    """Return an option as it is typed."""
    return f"--{_given(name).replace('_', '-')}"


@click.command(
    "release",
    cls=Command,
    examples=_EXAMPLES,
    short_help="How far off a release will be, and the code that publishes it.",
)
@click.argument("data", required=False, type=click.Path(dir_okay=False, allow_dash=True))
@click.option("--count", metavar="CONDITION", help="How many rows meet it, such as 'age >= 18' or 'ward in A,B'.")
@click.option("--share", metavar="CONDITION", help="Which part of the rows meets it, 0 to 1.")
@click.option("--count-by", multiple=True, metavar="COLUMN", help="Counts by category; a second one for pairs.")
@click.option(
    "--categories", multiple=True, metavar="LIST", help="Those of a column, A,B,C: as they are publicly known."
)
@click.option("--histogram", metavar="COLUMN", help="How many rows have a value in each bin of a column of numbers.")
@click.option("--edges", metavar="LIST", help="Of the bins of a histogram, A,B,C: publicly known, rising.")
@click.option(
    "--bins",
    type=(NUMBER, NUMBER, NUMBER),
    metavar="LOW HIGH WIDTH",
    help="In place of --edges: bins of one width between two of them.",
)
@click.option("--other", is_flag=True, help="One more category for all that are not listed.")
@_amount_options
@click.option("--quantile", metavar="COLUMN", help="Median or another quantile of a column, chosen among candidates.")
@click.option("--step", type=NUMBER, metavar="WIDTH", help="For a quantile: how far apart its candidates are.")
@click.option(
    "--alpha", type=NUMBER, metavar="SHARE", help="For a quantile: which one, 0.5 for the median (the default)."
)
@click.option(
    "--bounds",
    type=(NUMBER, NUMBER),
    metavar="LOW HIGH",
    help="For a sum, a mean or a quantile: publicly known, values are moved to them.",
)
@click.option(
    "--by", metavar="COLUMN", help="A sum, mean or share in each group of a column, whose --categories are the groups."
)
@click.option("--skip-missing", is_flag=True, help="A mean over the rows that have a value.")
@click.option("--where", metavar="CONDITION", help="Only rows that meet it.")
@click.option("--person", metavar="COLUMN", help="Says whose row it is; without it --rows-per-person is a promise.")
@click.option("--once", is_flag=True, help="Count persons, each once in a cell, not rows.")
@click.option(
    "--over",
    type=click.Choice(["truncate", "refuse"]),
    default="truncate",
    show_default=True,
    help="What happens to rows of a person beyond the limit.",
)
@click.option("--rows", type=WHOLE, metavar="NUMBER", help="Public number of rows, where there is no DATA.")
@click.option(
    "--size",
    type=WHOLE,
    metavar="NUMBER",
    help="Least number of rows under each mean or share, where that is private: a guess.",
)
@click.option(
    "--error", type=NUMBER, metavar="WITHIN", help="Find the smallest ε₀ with which 95 of 100 releases are within that."
)
@scenario_options(*_FIELDS, mechanism=NOISES)
@click.option(
    "--code", type=click.Path(dir_okay=False), metavar="FILE", help="Write the script that publishes it with OpenDP."
)
def command(
    data: str | None,
    scenario: str | None,
    rows: int | None,
    size: int | None,
    error: float | None,
    person: str | None,
    over: Over,
    code: str | None,
    progress: Progress,
    **given: object,
) -> Answer:
    """How far off a published count, histogram, sum, mean, share or quantile will be, and the code that publishes it.

    DATA is a CSV, TSV or Parquet file, or - for stdin, and gives the kinds of its columns; builtin:census2000 is there to try.
    Without it numbers are those that look like numbers. No exact answer is computed.
    """
    from dataclasses import replace

    from par_core.cli import files
    from par_core.cli.answer import Answer, Row
    from par_core.cli.scenario_options import scenario_of
    from par_core.evidence import Quantity
    from par_core.export.release_meaning import meaning
    from par_core.queries import MeanQuery, PersonCounts
    from par_core.release import epsilon0_for_release, noun_of
    from par_core.rounding import amount

    if error is not None and given["epsilon0"] is not None:
        raise ParameterError("--error finds --epsilon: only one of them can be given")
    used = [name for name in _FIELDS if error is None or name != "epsilon0"]  # which --error finds
    settled = scenario_of(scenario, {name: given[name] for name in used})  # type: ignore[misc]  # texts
    table = None if data is None else files.read(data)
    if table is not None and rows is not None:
        raise ParameterError("--rows is for a release without DATA, which has its own")
    query = _query(given, table, person)
    if table is not None:
        check_columns(table, query, person)
    public = rows
    if table is not None:
        public = _rows_of(table, query, settled, person=person, over=over, progress=progress)
    planned = _planned(query, settled, public, size)
    guess = float(size) if planned.is_pair and size is not None else None
    found = []
    if error is not None:
        level = epsilon0_for_release(error, planned, statistics=settled.statistics, rows=public, size=guess)
        settled = replace(settled, epsilon0=level)
        planned = planned.planned_anew(level, statistics=settled.statistics)
        told = Quantity(level, "level", planned.evidence, "up")
        off = f"{'at most ' if planned.is_selection else '±'}{amount(error, 12)}{' rows' * planned.is_selection}"
        found.append(Row("smallest ε₀", told, "", f"for {off} in 95 of 100 releases"))
    found += _rows(planned, guess)
    notes = [f"{planned.source}."]
    single = public if isinstance(query, MeanQuery) and not planned.is_pair else None
    capped = person is not None and over == "truncate"
    notes += meaning(planned, rows=single, capped=capped)
    if person is None:
        each = settled.rows_per_person
        notes.append(f"Your promise: nobody has more than {each:,} row{'s' * (each > 1)}.")
    made = None
    if code is not None:
        made = _code(
            planned, table, rows=single, person=person, over=over, releases=settled.releases, delta=settled.delta
        )
        notes += (each for each in made.notes if each not in notes)
        notes.append("The script needs " + " ".join(made.requirements) + ".")
    unit = "cell" if isinstance(query, PersonCounts) else "row"
    most = f"{settled.rows_per_person:,} {unit}{'s' * (settled.rows_per_person > 1)}"
    return Answer(
        f"{noun_of(planned).capitalize()} at ε₀ = {amount(settled.epsilon0, 10)}, with at most {most} per person.",
        {name: getattr(settled, name) for name in _FIELDS},
        tuple(found),
        tuple(notes),
        files=() if made is None or code is None else ((code, made.text),),
    )


def _rows_of(
    table: Table, query: Query, scenario: Scenario, *, person: str | None, over: Over, progress: Progress
) -> int:
    """Return the public number of rows of a table; where rows of a person beyond the limit are left out, of those that are kept."""
    from par_core.queries import MeanQuery

    if person is None or not isinstance(query, MeanQuery) or query.is_pair(scenario.neighbours):
        return table.rows
    most = scenario.rows_per_person
    return query.kept(table.frame, person=person, rows_per_person=most, over=over, progress=progress).number


def _planned(query: Query, scenario: Scenario, rows: int | None, size: int | None) -> PlannedRelease:
    """Return the planned release; where a mean lacks what its error depends on, say which option gives it."""
    from par_core.queries import MeanQuery
    from par_core.release import plan_release

    try:
        planned = plan_release(
            query,
            scenario.epsilon0,
            neighbours=scenario.neighbours,
            rows_per_person=scenario.rows_per_person,
            rows=rows,
            mechanism=scenario.mechanism,
            delta=scenario.delta,
            statistics=scenario.statistics,
        )
    except ParameterError as refused:
        if rows is None and isinstance(query, MeanQuery):
            raise ParameterError(
                f"--rows must be given: the error of a {query.asks.noun} depends on the number of rows"
            ) from refused
        raise
    if planned.is_pair and size is None:
        raise ParameterError(
            f"--size must be given: the error of this {query.asks.noun} depends on how many rows there are at least"
            + " in each group" * (query.k > 1)
        )
    return planned


def _rows(planned: PlannedRelease, size: float | None) -> list[Row]:
    """Return how far off the published numbers are."""
    from par_core.cli.answer import Row
    from par_core.evidence import Quantity
    from par_core.queries.quantile_shape import AFTER_MOVING
    from par_core.release import within

    if size is not None:
        bounds, k = planned.quotient_error(size=size), planned.query.k
        told = [("off by on average", bounds.expected), ("within, in 95 of 100", bounds.range95)]
        if k > 1:
            told.append((f"all {k:,} at once within", bounds.range_of_all(0.95, k)))
        return [Row(name, Quantity(value, "error", bounds.evidence, "up"), "", "a bound") for name, value in told]
    ranges, error, k = within(planned), planned.error, planned.query.k
    if planned.is_selection:
        told = [("rows between, on average", error.expected), ("rows between, in 95 of 100", ranges.each)]
        note = f"at most, between the published value and the true one, not counting one candidate, {AFTER_MOVING}"
        return [Row(name, Quantity(float(value), "error", planned.evidence, "up"), "", note) for name, value in told]
    told = [
        ("scale of the noise", error.scale),
        ("off by on average", error.expected),
        ("within, in 95 of 100", ranges.each),
    ]
    if k > 1:
        told += [(f"all {k:,} at once within", ranges.every), ("their total within", ranges.total)]
    return [Row(name, Quantity(float(value), "error", planned.evidence, "up")) for name, value in told]


def _code(
    planned: PlannedRelease,
    table: Table | None,
    *,
    rows: int | None,
    person: str | None,
    over: Over,
    releases: int,
    delta: float,
) -> ReleaseCode:
    from par_core.export.release_code import CSV, planned_code
    from par_core.queries import Kind

    columns = () if table is None else table.columns
    number = table is not None and person is not None and table.kind(person) == "number"
    return planned_code(
        planned,
        csv=CSV if table is None else table.written,
        rows=rows,
        person=person,
        over=over,
        person_kind=Kind.NUMBER if number else Kind.TEXT,
        dates=[each.name for each in columns if each.kind == "date"],
        header=[each.name for each in columns],
        releases=releases,
        total_delta=delta,
    )


def _query(given: dict[str, object], table: Table | None, person: str | None) -> Query:
    """Return the one query that the options make."""
    from par_core import queries
    from par_core.queries import Count, CountBy, Mean, PersonCount, PersonCountBy

    known = ("count", "count_by", "histogram", *AMOUNTS, "share", "quantile")
    asked = [name for name in known if given[_given(name)]]
    if len(asked) != 1:
        *most, last = map(_spelled, known)
        raise ParameterError(f"one of {', '.join(most)} and {last} must be given")
    read, (ask,), once = _reader(table), asked, bool(given["once"])
    where = None if given["where"] is None else _condition(str(given["where"]), read, table)
    if once and (person is None or ask not in ("count", "count_by")):
        raise ParameterError("--once counts persons: it goes with --person and a count")
    for name, of in (
        ("bounds", (*AMOUNTS, "quantile")),
        ("step", ("quantile",)),
        ("alpha", ("quantile",)),
        ("by", (*AMOUNTS, "share")),
        ("categories", ("count_by", *(*AMOUNTS, "share") * (given["by"] is not None))),
        ("other", ("count_by",)),
        ("edges", ("histogram",)),
        ("bins", ("histogram",)),
        ("skip_missing", ("mean",)),
    ):
        if given[name] not in (None, ()) and given[name] is not False and ask not in of:
            raise ParameterError(f"{_spelled(name)} goes with {' or '.join(map(_spelled, of))}")
    if ask == "count":
        condition = _condition(str(given["count"]), read, table)
        return PersonCount(condition, where, person=person or "") if once else Count(condition, where)
    if ask == "count_by":
        columns, lists = _texts(given["count_by"]), _texts(given["categories"])
        if len(lists) != len(columns):
            raise ParameterError(
                "--categories must be given for each --count-by: as they are publicly known, not read off the table"
            )
        categories = tuple(
            _values(text, column, read, "--categories") for column, text in zip(columns, lists, strict=True)
        )
        counts = CountBy(columns, categories, other=bool(given["other"]), where=where)
        return PersonCountBy(**vars(counts), person=person or "") if once else counts
    if ask == "histogram":
        return queries.Histogram(str(given["histogram"]), _edges(given["edges"], given["bins"]), where)
    groups = None
    if given["by"] is not None:
        lists = _texts(given["categories"])
        if len(lists) != 1:
            raise ParameterError("--categories must be given once for --by: as they are publicly known")
        by = str(given["by"])
        groups = queries.Groups(by, _values(lists[0], by, read, "--categories"))
    if ask == "share":
        return queries.Share(_condition(str(given["share"]), read, table), where, groups=groups)
    bounds = given["bounds"]
    if not isinstance(bounds, tuple):
        raise ParameterError("--bounds must be given: as they are publicly known, not read off the table")
    lower, upper = bounds
    column = str(given[_given(ask)])
    if ask == "mean":
        return Mean(column, lower, upper, where, groups=groups, skip_missing=bool(given["skip_missing"]))
    if ask == "quantile":
        return _quantile(column, lower, upper, given, where)
    return queries.AMOUNTS[ask](column, lower, upper, where, groups=groups)


def _edges(listed: object, bins: object) -> tuple[float, ...]:
    """Return the edges of a histogram, of which one of both options holds them."""
    from par_core.queries import edges_between
    from par_core.queries.typed import edges_of

    if (listed is None) is (bins is None):
        raise ParameterError(
            "--edges or --bins must be given, one of them: as the bins are publicly known, not read off the table"
        )
    if isinstance(bins, tuple):
        return edges_between(*bins)
    return edges_of(str(listed).split(","))


def _quantile(column: str, lower: float, upper: float, given: dict[str, object], where: Condition | None) -> Quantile:
    from par_core.queries import Quantile

    step, alpha = given["step"], given["alpha"]
    if not isinstance(step, float):
        raise ParameterError("--step must be given: how far the candidates from the lower to the upper bound are apart")
    return Quantile(column, lower, upper, step, alpha if isinstance(alpha, float) else Quantile.alpha, where)


_NAMED = {"text": "text", "date": "dates", "true-false": "true and false", "empty": "no value"}


def check_columns(table: Table, query: Query, person: str | None) -> None:
    """Raise a DataError for a column that the table lacks, or that holds what it is not asked for."""
    from par_core.parameters import shown
    from par_core.queries import Quantile, TableAmount, TableHistogram

    held = {name: table.kind(name) for name in query.used_columns}
    if isinstance(query, TableHistogram | TableAmount | Quantile) and held[query.column] != "number":
        raise DataError(f"column {shown(query.column)} must hold numbers, but it holds {_NAMED[held[query.column]]}")
    if person is None:
        return
    if table.kind(person) not in ("number", "text"):
        raise DataError(f"column {shown(person)} cannot say whose a row is: it holds {_NAMED[table.kind(person)]}")
    if table.missing(person):
        raise DataError(f"{table.missing(person):,} rows do not say whose they are")


def _texts(value: object) -> tuple[str, ...]:
    assert isinstance(value, tuple)
    return value


def _reader(table: Table | None) -> _Read:
    """Return what reads a text as a value of a column: as its kind is, or without a table as it looks."""
    from par_core.queries.typed import value_of
    from par_core.scenario import is_decimal

    def read(column: str, text: str, what: str) -> Category:
        if table is None:
            kind = "number" if is_decimal(text) else "true-false" if text.lower() in ("true", "false") else "text"
        else:
            kind = table.kind(column).replace("empty", "text")
        return value_of(text, kind, what)

    return read


def _values(text: str, column: str, read: _Read, what: str) -> tuple[Category, ...]:
    """Return the values of a list with commas; one with a comma in it stands in quotation marks."""
    cells: Sequence[str] = next(csv.reader([text], skipinitialspace=True), [])
    return tuple(read(column, each.strip(), what) for each in cells)


def _condition(text: str, read: _Read, table: Table | None) -> Condition:
    from par_core.parameters import shown
    from par_core.queries import Comparison, Condition

    found = _CONDITION.fullmatch(text.strip())
    if found is None:
        raise ParameterError(f"a condition must be such as 'age >= 18' or 'ward in A,B', got {text[:40]!r}")
    column, value = found["column"], found["value"]
    kind = "number" if table is None else table.kind(column)
    if kind != "number" and found["sign"] in ("<", "<=", ">", ">="):
        raise DataError(f"column {shown(column)} holds {_NAMED[kind]}: only ==, != and in can be asked")
    if found["among"]:
        return Condition(column, Comparison.AMONG, _values(value, column, read, "the condition"))
    return Condition(column, Comparison(found["sign"]), read(column, value, "the condition"))
