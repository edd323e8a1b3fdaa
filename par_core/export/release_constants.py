"""The values of the constants at the top of a release script, where alone what a user typed enters it: as Python literals."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Sequence

from par_core.errors import ParameterError
from par_core.parameters import shown
from par_core.queries import (
    Category,
    Condition,
    Count,
    CountBy,
    Histogram,
    Kind,
    MeanQuery,
    PersonCounts,
    Quantile,
    Query,
    Share,
    TableAmount,
)
from par_core.queries.columns import kind_of
from par_core.queries.grouped_query import GroupedQuery
from par_core.release import PlannedRelease
from par_core.scenario import Neighbours
from par_core.tables.file_format import FileFormat

STEPS = 36
"""Binary digits of the largest value: so fine are the steps that sums are taken in. 2^26 rows fit into 64 bits."""
_STEPS_OF_NOISE = 40  # binary digits of Gaussian noise in such steps, at most: however much it is, it fits into 64 bits


def is_single_mean(planned: PlannedRelease) -> bool:
    """Whether one release is planned for a mean, whose number of rows is public then."""
    return isinstance(planned.query, MeanQuery) and not planned.is_pair


def is_shifted(planned: PlannedRelease) -> bool:
    """Whether the sum is taken of the values less their lower bound: with 0 out of bounds, that needs less noise."""
    query = planned.query
    if not isinstance(query, TableAmount) or planned.neighbours is Neighbours.ADD_OR_REMOVE or query.chooses:
        return False
    return query.ends is None and not query.lower <= 0.0 <= query.upper


def conditions(query: Query) -> dict[str, Condition]:
    """Return the conditions of a query by the names of their constants."""
    found = {"CONDITION": query.condition} if isinstance(query, Count | Share) else {}
    return found | ({} if query.where is None else {"WHERE": query.where})


def kinds(query: Query) -> dict[str, Kind]:
    """Return what each used column has to hold."""
    asked = [(condition.column, condition.kind) for condition in conditions(query).values()]
    asked += [(column, kind_of("categories", listed)) for column, listed in lists(query)]
    if isinstance(query, Histogram | TableAmount | Quantile):
        asked.append((query.column, Kind.NUMBER))
    kinds: dict[str, Kind] = {}
    for column, kind in asked:
        if kinds.setdefault(column, kind) is not kind:
            raise ParameterError(f"column {shown(column)} cannot hold both {kinds[column]} and {kind}")
    return kinds


def lists(query: Query) -> list[tuple[str, tuple[Category, ...]]]:
    """Return each column that makes cells or groups with its categories."""
    if isinstance(query, CountBy):
        return list(zip(query.columns, query.categories, strict=True))
    groups = query.groups if isinstance(query, GroupedQuery) else None
    return [] if groups is None else [(groups.column, groups.categories)]


def literal(value: object) -> str:
    """Return a value that a user gave as a Python literal on one line, whatever its class makes of `repr`.

    Python escapes line ends, quotes, lone surrogates and marks that change the direction of writing.
    """
    if isinstance(value, str):
        quoted = str.__repr__(value)
        plain = not set(quoted[1:-1]) & set("\"'\\")
        return f'"{quoted[1:-1]}"' if plain else quoted
    if isinstance(value, bool):
        return bool.__repr__(value)
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(literal, value)) + "]"
    raise ParameterError(f"a script cannot hold {shown(value)}")


def of_file(
    kinds_of: dict[str, Kind],
    *,
    file: str,
    csv: FileFormat,
    person: str | None,
    of_person: Kind,
    dates: Collection[str],
    header: Sequence[str],
) -> dict[str, str]:
    """Return the constants that say what is read; what holds dates is read as such."""
    columns = list(dict.fromkeys([*kinds_of, *([] if person is None else [person])]))
    texts = [column for column in columns if kinds_of.get(column, of_person) is Kind.TEXT and column not in dates]
    written = notations(kinds_of, csv=csv, person=person, of_person=of_person, dates=dates)
    noted = ", ".join(f"{literal(column)}: {literal(how)}" for column, how in written.items())
    fingerprint = hashlib.sha256(json.dumps(list(header)).encode()).hexdigest() if header else ""
    return {
        "FILE": literal(file),
        "SEPARATOR": literal(csv.separator),
        "ENCODING": literal(csv.encoding),
        "DECIMAL": literal(csv.decimal),
        "MISSING": literal(csv.missing),
        "COLUMNS": literal(columns),
        "TEXT_COLUMNS": literal([*texts, *written]),
        **({"WRITTEN": f"{{{noted}}}"} if written else {}),
        "HEADER": literal(fingerprint),
    }


def notations(
    kinds_of: dict[str, Kind], *, csv: FileFormat, person: str | None, of_person: Kind, dates: Collection[str]
) -> dict[str, str]:
    """Return how the columns that are read write numbers and dates, where they have a notation of their own."""
    asked = kinds_of if person is None else {person: of_person} | kinds_of
    return {
        column: how
        for column, how in csv.columns
        if column in asked and (column in dates or asked[column] is Kind.NUMBER)
    }


def of_plan(planned: PlannedRelease, *, rows: int | None, person: str | None) -> dict[str, str]:
    """Return the constants of the promise and of the question that have a value of their own."""
    return _of_promise(planned, rows=rows, person=person) | _of_question(planned, rows=rows or 1)


def _of_promise(planned: PlannedRelease, *, rows: int | None, person: str | None) -> dict[str, str]:
    persons, parts = isinstance(planned.query, PersonCounts), planned.parts
    found = {"EPSILON": literal(planned.epsilon)}
    found["CELLS_PER_PERSON" if persons else "ROWS_PER_PERSON"] = literal(planned.rows_per_person)
    if person is not None:
        found["PERSON"] = literal(person)
    if is_single_mean(planned) and rows is not None:
        found["ROWS"] = literal(int(rows))
    if planned.norm == "L2":
        found["DELTA"] = literal(planned.delta)
        found["STATISTICS"] = literal(planned.statistics)
        found["NOISE"] = literal([float(part.error.scale) / part.part.moves("L2") for part in parts])
        if parts[-1].part.whole:
            found["COUNTS_MOVE"] = literal(parts[-1].part.moves("L2"))
    elif persons:
        found["ONE_PERSON"] = literal(int(parts[0].part.sensitivity))
    elif planned.is_pair:
        found |= {"EPSILON_SUM": literal(parts[0].epsilon), "EPSILON_COUNT": literal(parts[1].epsilon)}
    return found


def _of_question(planned: PlannedRelease, *, rows: int) -> dict[str, str]:
    query, found = planned.query, {}
    for name, condition in conditions(query).items():
        found[f"{name}_COLUMN"], found[f"{name}_VALUE"] = literal(condition.column), literal(condition.value)
    for number, (column, listed) in enumerate(lists(query), start=1):
        found[f"COLUMN_{number}"], found[f"CATEGORIES_{number}"] = literal(column), literal(listed)
        found["CELLS"] = "len(LABELS)"  # also where the one cell is counted without it
    if isinstance(query, Histogram):
        found |= {"COLUMN": literal(query.column), "EDGES": literal(query.edges), "LABELS": literal(query.labels)}
        found["CELLS"] = "len(LABELS)"
    elif isinstance(query, Quantile):
        numbers, parts = query.in_parts
        whole = f"[each / {parts} for each in range({numbers.start}, {numbers.stop}, {numbers.step})]"
        found |= {"COLUMN": literal(query.column), "ALPHA": literal(query.alpha), "CANDIDATES": whole}
    elif isinstance(query, TableAmount):
        found |= {"COLUMN": literal(query.column), "LOWER": literal(query.lower), "UPPER": literal(query.upper)}
        if query.ends is not None:
            found["LEAST, MOST"] = ", ".join(map(literal, query.ends))
    if isinstance(query, GroupedQuery) and planned.norm == "L2":
        widest = float(planned.parts[0].error.scale) * (rows if is_single_mean(planned) else 1)
        coarsest = math.frexp(widest)[1] - _STEPS_OF_NOISE
        found["STEP"] = f"2.0 ** max(int(np.frexp(max(abs(LEAST), abs(MOST)))[1]) - {STEPS}, {coarsest})"
    return found


def promise(planned: PlannedRelease) -> dict[str, str]:
    """Return what the plan for the year holds of one run, with the names of the constants above where there are any."""
    persons = isinstance(planned.query, PersonCounts)
    in_l2 = {"delta": "DELTA", "statistics": "STATISTICS"} if planned.norm == "L2" else {}
    return {
        "epsilon": "EPSILON",
        **in_l2,
        "neighbours": literal(str(planned.neighbours)),
        "rows_per_person": "CELLS_PER_PERSON" if persons else "ROWS_PER_PERSON",
    }
