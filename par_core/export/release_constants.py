"""The constants at the top of a release script: the only place where what a user typed enters it, as Python literals."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Collection, Sequence

from par_core.errors import ParameterError
from par_core.export.plan_words import publicity
from par_core.queries import OTHER, Category, Condition, Count, CountBy, Kind, Mean, PersonCounts, Query, Sum
from par_core.queries.columns import kind_of, shown
from par_core.release import PlannedRelease
from par_core.scenario import Neighbours
from par_core.tables.file_format import FileFormat

STEPS = 36
"""Binary digits of the largest value: so fine are the steps that sums are taken in. 2^26 rows fit into 64 bits."""
_STEPS_OF_NOISE = 40  # binary digits of Gaussian noise in such steps, at most: however much it is, it fits into 64 bits


def is_single_mean(planned: PlannedRelease) -> bool:
    """Whether one release is planned for a mean, whose number of rows is public then."""
    return isinstance(planned.query, Mean) and not planned.is_pair


def is_shifted(planned: PlannedRelease) -> bool:
    """Whether the sum is taken of the values less their lower bound: with 0 out of bounds, that needs less noise."""
    query = planned.query
    if not isinstance(query, Sum | Mean) or planned.neighbours is Neighbours.ADD_OR_REMOVE or query.chooses:
        return False
    return not query.lower <= 0.0 <= query.upper


def conditions(query: Query) -> dict[str, Condition]:
    """Return the conditions of a query by the names of their constants."""
    found = {"CONDITION": query.condition} if isinstance(query, Count) else {}
    return found | ({} if query.where is None else {"WHERE": query.where})


def kinds(query: Query) -> dict[str, Kind]:
    """Return what each used column has to hold."""
    asked = [(condition.column, condition.kind) for condition in conditions(query).values()]
    if isinstance(query, CountBy):
        asked += [(column, kind_of("categories", listed)) for column, listed in lists(query)]
    elif isinstance(query, Sum | Mean):
        asked.append((query.column, Kind.NUMBER))
    kinds: dict[str, Kind] = {}
    for column, kind in asked:
        if kinds.setdefault(column, kind) is not kind:
            raise ParameterError(f"column {shown(column)} cannot hold both {kinds[column]} and {kind}")
    return kinds


def lists(query: CountBy) -> list[tuple[str, tuple[Category, ...]]]:
    """Return each column of counts with its categories."""
    return list(zip(query.columns, query.categories, strict=True))


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


def file_lines(
    kinds_of: dict[str, Kind],
    *,
    file: str,
    csv: FileFormat,
    person: str | None,
    of_person: Kind,
    dates: Collection[str],
    header: Sequence[str],
) -> list[str]:
    """Return one line for each constant that says what is read; what holds dates is read as such."""
    columns = list(dict.fromkeys([*kinds_of, *([] if person is None else [person])]))
    texts = [column for column in columns if kinds_of.get(column, of_person) is Kind.TEXT and column not in dates]
    written = notations(kinds_of, csv=csv, person=person, of_person=of_person, dates=dates)
    noted = [
        "# What such a text means: the sign before the decimals of a number whose thousands may be set off; the order of a date.",
        f"WRITTEN = {{{', '.join(f'{literal(column)}: {literal(how)}' for column, how in written.items())}}}",
    ]
    fingerprint = hashlib.sha256(json.dumps(list(header)).encode()).hexdigest() if header else ""
    return [
        "# The file; a name on the command line goes first. What follows down to MISSING is for CSV.",
        f"FILE = {literal(file)}",
        f"SEPARATOR = {literal(csv.separator)}",
        f"ENCODING = {literal(csv.encoding)}",
        f"DECIMAL = {literal(csv.decimal)}",
        f"MISSING = {literal(csv.missing)}",
        f"COLUMNS = {literal(columns)}",
        f"TEXT_COLUMNS = {literal([*texts, *written])}",
        *(noted if written else []),
        "# Fingerprint of the names of all columns in their order; with an empty one any others will do.",
        f"HEADER = {literal(fingerprint)}",
        "",
    ]


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


def constants(planned: PlannedRelease, *, rows: int | None, person: str | None) -> list[str]:
    """Return one line for each constant of the promise and of the question."""
    query, most = planned.query, planned.rows_per_person
    lines = ["# The promise to each person."]
    if planned.norm == "L2":
        lines += _promise_in_l2(planned)
    elif planned.is_pair:
        of_sum, of_count = (part.epsilon for part in planned.parts)
        lines += [f"EPSILON = {literal(planned.epsilon)}"]
        lines += [f"EPSILON_SUM = {literal(of_sum)}", f"EPSILON_COUNT = {literal(of_count)}"]
        lines += ["EPSILONS = [EPSILON_SUM, EPSILON_COUNT]"]
    else:
        lines += [f"EPSILON = {literal(planned.epsilon)}", "EPSILONS = [EPSILON]"]
    persons = isinstance(query, PersonCounts)
    lines += [f"{'CELLS' if persons else 'ROWS'}_PER_PERSON = {literal(most)}"]
    if person is not None:
        lines += [f"PERSON = {literal(person)}"]
    if planned.norm == "L2" and not isinstance(query, Sum | Mean):
        pass  # what one person moves stands below
    elif persons:
        moves = literal(int(planned.parts[0].part.sensitivity))
        lines += [f"ONE_PERSON = {moves}  # how many times a person who is counted in a cell can come or go"]
    elif is_single_mean(planned) and rows is not None:
        lines += [f"ROWS = {literal(int(rows))}  # {publicity(planned)}", "ONE_PERSON = min(ROWS_PER_PERSON, ROWS)"]
    else:
        lines += ["ONE_PERSON = ROWS_PER_PERSON  # how many rows of the table one person can change"]
    if planned.norm == "L2":
        lines += _moves_in_l2(planned)
    lines += ["", "# The question. None of it may be read off the data."]
    for name, condition in conditions(query).items():
        lines += [f"{name}_COLUMN = {literal(condition.column)}", f"{name}_VALUE = {literal(condition.value)}"]
    if isinstance(query, CountBy):
        lines += _category_lines(query)
    elif isinstance(query, Count):
        lines += ['LABELS = ["count"]', 'HEADINGS = "statistic"', *["CELLS = 1"] * (planned.norm == "L2")]
    elif isinstance(query, Sum | Mean):
        lines += _bound_lines(planned, query, rows=rows or 1)
    return [*lines, ""]


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


def _promise_in_l2(planned: PlannedRelease) -> list[str]:
    multiples = [float(part.error.scale) / part.part.moves("L2") for part in planned.parts]
    return [
        f"EPSILON = {literal(planned.epsilon)}",
        f"DELTA = {literal(planned.delta)}",
        f"STATISTICS = {literal(planned.statistics)}  # that keep the promise together, this one among them",
        f"NOISE = {literal(multiples)}  # deviation for each part: how many times what one person moves",
    ]


def _moves_in_l2(planned: PlannedRelease) -> list[str]:
    parts = [part.part for part in planned.parts]
    counts = [
        f"COUNTS_MOVE = {literal(part.moves('L2'))}  # by one person: root of the sum of squares"
        for part in parts
        if part.whole
    ]
    names = ["COUNTS_MOVE" if part.whole else "ONE_PERSON" for part in parts]
    return [*counts, f"MOVES = [{', '.join(names)}]"]


def _category_lines(query: CountBy) -> list[str]:
    lines = []
    for number, (column, listed) in enumerate(lists(query), start=1):
        lines += [f"COLUMN_{number} = {literal(column)}", f"CATEGORIES_{number} = {literal(listed)}"]
    extra = f" + [{literal(OTHER)}]" * query.other
    if len(query.columns) == 1:
        lines += [f"LABELS = CATEGORIES_1{extra}"]
    else:
        lines += [f"LABELS = [(first, second) for first in CATEGORIES_1{extra} for second in CATEGORIES_2{extra}]"]
    headings = ", ".join(f"COLUMN_{number}" for number in range(1, len(query.columns) + 1))
    return [*lines, "CELLS = len(LABELS)", f"HEADINGS = ({headings},)  # of the file of results"]


def _bound_lines(planned: PlannedRelease, query: Sum | Mean, *, rows: int) -> list[str]:
    if is_shifted(planned):
        ends, note = "0.0, UPPER - LOWER", ""
    elif planned.neighbours is Neighbours.REPLACE_ONE and not query.chooses:
        ends, note = "LOWER, UPPER", ""
    else:
        ends, note = "min(LOWER, 0.0), max(UPPER, 0.0)", "; a row that is not there adds 0"
    finest = f"int(np.frexp(max(abs(LEAST), abs(MOST)))[1]) - {STEPS}"
    if planned.norm == "L2":
        widest = float(planned.parts[0].error.scale) * (rows if is_single_mean(planned) else 1)
        finest = f"max({finest}, {math.frexp(widest)[1] - _STEPS_OF_NOISE})"
    else:
        finest = f"({finest})"
    return [
        f"COLUMN = {literal(query.column)}",
        'HEADINGS = "statistic"',
        f"LOWER = {literal(query.lower)}",
        f"UPPER = {literal(query.upper)}",
        f"LEAST, MOST = {ends}  # of what one row adds{note}",
        "# Sums are taken in whole steps: those of floats are rounded, and the rounding would tell on single rows.",
        f"STEP = 2.0 ** {finest}",
    ]
