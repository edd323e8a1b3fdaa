"""Scripts that publish a planned statistic with OpenDP, on the user's own file and machine.

A script holds the columns, conditions, categories, bounds and epsilon of the plan and no data. It is right for the
plan's neighbours: where rows appear or disappear, OpenDP's symmetric distance; where rows are replaced, its change-one
distance over tables of a public size, with a row that is not chosen adding 0 (and not left out, which would cost a
count or a sum twice as much noise as planned).

A script for Google's dp-accounting would add nothing to a single release: its epsilon is the answer. For many releases
of one count it does, and belongs where compositions are compared.
"""

from __future__ import annotations

import codecs
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from par_core.errors import ParameterError
from par_core.export import script_pieces as pieces
from par_core.queries import (
    OTHER,
    Category,
    Comparison,
    Condition,
    Count,
    CountBy,
    Kind,
    Mean,
    Over,
    Query,
    Sum,
    date_letters,
)
from par_core.queries.columns import kind_of, name_of, shown
from par_core.release import PlannedRelease, plan_scenario
from par_core.scenario import Neighbours, Scenario
from par_core.standing import PROVEN, Standing

OPENDP = "opendp==0.16.0"
PLACEHOLDER = "your_file.csv"
STEPS = 36
"""Binary digits of the largest value: so fine are the steps that sums are taken in. 2^26 rows fit into 64 bits."""

_SMALLEST_BOUND = 1e-280
_REQUIREMENTS = (OPENDP, "numpy>=2.3", "pandas>=2.3", "pyarrow>=20")
_ROWS_ONLY = "rows is the public number of rows under replace-one neighbours, after rows over the limit are left out"


@dataclass(frozen=True)
class ReleaseCode:
    """A script that publishes a planned release, what it needs from PyPI, and what its user should know.

    `repr` hides the script, which holds the user's columns and categories.
    """

    text: str
    requirements: tuple[str, ...]
    notes: tuple[str, ...]
    planned: PlannedRelease
    standing: Standing = PROVEN
    source: str = f"privacy map of {OPENDP}, checked by the script itself before it measures anything"

    def __repr__(self) -> str:
        return f"ReleaseCode(requirements={self.requirements!r}, text=<hidden>)"


def release_code(
    query: Query,
    scenario: Scenario,
    *,
    file: str = PLACEHOLDER,
    separator: str = ",",
    encoding: str = "utf-8-sig",
    rows: int | None = None,
    person: str | None = None,
    over: Over = "truncate",
    weights: Sequence[float] = (1.0, 1.0),
) -> ReleaseCode:
    """Return a script that publishes a query at a scenario's epsilon0, neighbours and rows per person.

    Parameters
    ----------
    query : Count, CountBy, Sum or Mean
        What is asked; it gets all of epsilon0.
    scenario : Scenario
        Its k, sensitivity and statistics describe some other release and are not used.
    file : str
        Name that the script falls back on; it takes the real one from the command line.
    separator, encoding : str
        How a CSV file is written: one character between cells, and a name that Python knows.
    rows : int, optional
        Public number of rows; needed for a mean that is one release.
    person : str, optional
        Column that says whose row it is: the script then keeps `rows_per_person` rows of each person. Without it the
        limit is the user's promise.
    over : "truncate" or "refuse"
        Whether further rows of a person are left out, or stop the script.
    weights : sequence of two floats above 0
        How epsilon is shared between the sum and the count of a mean.

    Raises
    ------
    ParameterError
        A value out of range, or a column asked for as text in one place and as numbers in another.

    Examples
    --------
    >>> code = release_code(Count(Condition("age", ">=", 18)), Scenario(epsilon0=0.5))
    >>> code.requirements[0], "EPSILON = 0.5" in code.text
    ('opendp==0.16.0', True)
    """
    planned = plan_scenario(query, scenario, rows=rows, weights=weights)
    return planned_code(planned, file=file, separator=separator, encoding=encoding, rows=rows, person=person, over=over)


def planned_code(
    planned: PlannedRelease,
    *,
    file: str = PLACEHOLDER,
    separator: str = ",",
    encoding: str = "utf-8-sig",
    rows: int | None = None,
    person: str | None = None,
    over: Over = "truncate",
    dates: Collection[str] = (),
) -> ReleaseCode:
    """Return a script that publishes what is planned; other parameters and errors as in `release_code`.

    `rows` has to be the number that the mean was planned with. `dates` are the columns that hold dates: the query asks
    for them by years, months or days, in text.
    """
    _check_file(file, separator, encoding)
    if person is not None:
        name_of("person", person)
    if over not in ("truncate", "refuse"):
        raise ParameterError(f"over must be truncate or refuse, got {shown(over)}")
    _check_rows(planned, rows)
    if isinstance(planned.query, Sum | Mean) and planned.query.upper - planned.query.lower < _SMALLEST_BOUND:
        raise ParameterError(f"upper must be above lower by {_SMALLEST_BOUND:g} at least for a script")
    kinds = _kinds(planned.query)
    text = "\n".join(
        [
            _head(planned, capped=person is not None),
            *_file_lines(kinds, file=file, separator=separator, encoding=encoding, person=person),
            *_constants(planned, rows=rows, person=person),
            _functions(planned, kinds, person=person, over=over, dates=dates),
        ]
    )
    return ReleaseCode(text, _REQUIREMENTS, _notes(planned, person=person, over=over), planned)


def _check_file(file: object, separator: object, encoding: object) -> None:
    if not isinstance(file, str):
        raise ParameterError(f"file must be a name, got {shown(file)}")
    if not isinstance(separator, str) or len(separator) != 1 or separator in '\r\n"':
        raise ParameterError(f"separator must be one character, got {shown(separator)}")
    try:
        codecs.lookup(encoding)  # type: ignore[arg-type]  # anything else than a known text raises
    except (LookupError, TypeError, ValueError) as error:
        raise ParameterError(f"encoding must be one that Python knows, got {shown(encoding)}") from error


def _check_rows(planned: PlannedRelease, rows: int | None) -> None:
    if not _is_single_mean(planned):
        return
    parts = planned.query.parts(planned.neighbours, planned.rows_per_person, rows=rows)
    if parts[0].sensitivity != planned.parts[0].part.sensitivity:
        raise ParameterError(f"rows must be the number that the mean was planned with, got {shown(rows)}")


def _is_single_mean(planned: PlannedRelease) -> bool:
    return isinstance(planned.query, Mean) and not planned.is_pair


def _is_shifted(planned: PlannedRelease) -> bool:
    """Whether the sum is taken of the values less their lower bound: with 0 out of bounds, that needs less noise."""
    query = planned.query
    if not isinstance(query, Sum | Mean) or planned.neighbours is Neighbours.ADD_OR_REMOVE or query.where is not None:
        return False
    return not query.lower <= 0.0 <= query.upper


def _conditions(query: Query) -> dict[str, Condition]:
    """Return the conditions of a query by the names of their constants."""
    found = {"CONDITION": query.condition} if isinstance(query, Count) else {}
    return found | ({} if query.where is None else {"WHERE": query.where})


def _kinds(query: Query) -> dict[str, Kind]:
    """Return what each used column has to hold."""
    asked = [(condition.column, condition.kind) for condition in _conditions(query).values()]
    if isinstance(query, CountBy):
        asked += [(column, kind_of("categories", listed)) for column, listed in _lists(query)]
    elif isinstance(query, Sum | Mean):
        asked.append((query.column, Kind.NUMBER))
    kinds: dict[str, Kind] = {}
    for column, kind in asked:
        if kinds.setdefault(column, kind) is not kind:
            raise ParameterError(f"column {shown(column)} cannot hold both {kinds[column]} and {kind}")
    return kinds


def _lists(query: CountBy) -> list[tuple[str, tuple[Category, ...]]]:
    return list(zip(query.columns, query.categories, strict=True))


# --- text ----------------------------------------------------------------------------------------------------------


def _literal(value: object) -> str:
    """Return a value that a user gave as a Python literal on one line, whatever its class makes of `repr`.

    Python escapes line ends, quotes, lone surrogates and marks that change the direction of writing.
    """
    if isinstance(value, bool):
        return "True" if value else "False"
    if isinstance(value, str):
        quoted = str.__repr__(value)
        plain = not set(quoted[1:-1]) & set("\"'\\")
        return f'"{quoted[1:-1]}"' if plain else quoted
    if isinstance(value, int):
        return int.__repr__(value)
    if isinstance(value, float):
        return float.__repr__(value)
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_literal, value)) + "]"
    raise ParameterError(f"a script cannot hold {shown(value)}")


def _head(planned: PlannedRelease, *, capped: bool) -> str:
    query = planned.query
    if isinstance(query, CountBy):
        what = pieces.COUNTS_DOES
    elif isinstance(query, Count):
        what = pieces.COUNT_DOES
    elif planned.is_pair:
        what = pieces.PAIR_DOES
    else:
        what = pieces.MEAN_DOES if isinstance(query, Mean) else pieces.SUM_DOES
    does = f"{pieces.CAP_DOES if capped else pieces.PROMISE_DOES}\n{what}"
    needed = " ".join(f"'{each}'" for each in _REQUIREMENTS)
    return pieces.HEAD.replace("{requirements}", needed).replace("{does}", does)


def _file_lines(kinds: dict[str, Kind], *, file: str, separator: str, encoding: str, person: str | None) -> list[str]:
    columns = list(dict.fromkeys([*kinds, *([] if person is None else [person])]))
    texts = [column for column in columns if kinds.get(column, Kind.TEXT) is Kind.TEXT]
    return [
        "# The file; a name on the command line goes first. SEPARATOR and ENCODING are for CSV.",
        f"FILE = {_literal(file)}",
        f"SEPARATOR = {_literal(separator)}",
        f"ENCODING = {_literal(encoding)}",
        f"COLUMNS = {_literal(columns)}",
        f"TEXT_COLUMNS = {_literal(texts)}",
        "",
    ]


def _constants(planned: PlannedRelease, *, rows: int | None, person: str | None) -> list[str]:
    """Return one line for each constant; only here and in the lines of the file does a user's text enter a script."""
    query, most = planned.query, planned.rows_per_person
    lines = ["# The promise to each person."]
    if planned.is_pair:
        of_sum, of_count = (part.epsilon for part in planned.parts)
        lines += [f"EPSILON_SUM = {_literal(of_sum)}", f"EPSILON_COUNT = {_literal(of_count)}"]
        lines += ["EPSILONS = [EPSILON_SUM, EPSILON_COUNT]"]
    else:
        lines += [f"EPSILON = {_literal(planned.epsilon)}", "EPSILONS = [EPSILON]"]
    lines += [f"ROWS_PER_PERSON = {_literal(most)}"]
    if person is not None:
        lines += [f"PERSON = {_literal(person)}"]
    if _is_single_mean(planned) and rows is not None:
        lines += [f"ROWS = {_literal(int(rows))}  # public", "ONE_PERSON = min(ROWS_PER_PERSON, ROWS)"]
    else:
        lines += ["ONE_PERSON = ROWS_PER_PERSON  # how many rows of the table one person can change"]
    lines += ["", "# The question. None of it may be read off the data."]
    for name, condition in _conditions(query).items():
        lines += [f"{name}_COLUMN = {_literal(condition.column)}", f"{name}_VALUE = {_literal(condition.value)}"]
    if isinstance(query, CountBy):
        lines += _category_lines(query)
    elif isinstance(query, Sum | Mean):
        lines += _bound_lines(planned, query)
    return [*lines, ""]


def _category_lines(query: CountBy) -> list[str]:
    lines = []
    for number, (column, listed) in enumerate(_lists(query), start=1):
        lines += [f"COLUMN_{number} = {_literal(column)}", f"CATEGORIES_{number} = {_literal(listed)}"]
    extra = f" + [{_literal(OTHER)}]" * query.other
    if len(query.columns) == 1:
        lines += [f"LABELS = CATEGORIES_1{extra}"]
    else:
        lines += [f"LABELS = [(first, second) for first in CATEGORIES_1{extra} for second in CATEGORIES_2{extra}]"]
    return [*lines, "CELLS = len(LABELS)"]


def _bound_lines(planned: PlannedRelease, query: Sum | Mean) -> list[str]:
    lines = [
        f"COLUMN = {_literal(query.column)}",
        f"LOWER = {_literal(query.lower)}",
        f"UPPER = {_literal(query.upper)}",
    ]
    if _is_shifted(planned):
        lines += ["LEAST, MOST = 0.0, UPPER - LOWER  # of what one row adds"]
    elif planned.neighbours is Neighbours.REPLACE_ONE and query.where is None:
        lines += ["LEAST, MOST = LOWER, UPPER  # of what one row adds"]
    else:
        lines += [
            "LEAST, MOST = min(LOWER, 0.0), max(UPPER, 0.0)  # of what one row adds; a row that is not there adds 0"
        ]
    return [
        *lines,
        "# Sums are taken in whole steps: those of floats are rounded, and the rounding would tell on single rows.",
        f"STEP = 2.0 ** (int(np.frexp(max(abs(LEAST), abs(MOST)))[1]) - {STEPS})",
    ]


def _functions(
    planned: PlannedRelease, kinds: dict[str, Kind], *, person: str | None, over: Over, dates: Collection[str]
) -> str:
    query, adds = planned.query, planned.neighbours is Neighbours.ADD_OR_REMOVE
    found = [pieces.STOP, pieces.READ]
    if Kind.NUMBER in kinds.values():
        found.append(pieces.NUMBERS)
    if any(kind is not Kind.NUMBER and column not in dates for column, kind in kinds.items()):
        found.append(pieces.PLAIN)
    if any(kind is Kind.TEXT and column in dates for column, kind in kinds.items()):
        found.append(pieces.DATES)
    if person is not None:
        found.append(pieces.CAP_HEAD + (pieces.CAP_TRUNCATE if over == "truncate" else pieces.CAP_REFUSE))
    if isinstance(query, Count):
        found.append(_condition_function("meets", "CONDITION", query.condition, dates))
    if query.where is not None:
        found.append(_condition_function("chosen", "WHERE", query.where, dates))
    elif not _is_shifted(planned):
        found.append(pieces.ALL_ROWS)
    found += [pieces.WITH_NOISE, pieces.TABLES_ADD if adds else pieces.TABLES_REPLACE]
    found += _measuring(planned, dates)
    main = pieces.MAIN_HEAD + pieces.MAIN_CAP * (person is not None) + pieces.MAIN_ROWS * _is_single_mean(planned)
    return "\n".join([*found, main + pieces.MAIN])


def _measuring(planned: PlannedRelease, dates: Collection[str]) -> list[str]:
    """Return the functions that prepare and measure, by kind of query."""
    query = planned.query
    if isinstance(query, Count):
        return [pieces.COUNT_MEASUREMENT, pieces.COUNT_PREPARE]
    if isinstance(query, CountBy):
        found = [pieces.PLACE_OTHER if query.other else pieces.PLACE, _places_function(query, dates)]
        if query.k == 1:
            return [*found, pieces.COUNT_MEASUREMENT, pieces.ONE_CELL_PREPARE]
        return [*found, pieces.COUNTS_MEASUREMENT, pieces.COUNTS_PREPARE]
    shifted = _is_shifted(planned)
    found = [pieces.CLAMPED_SHIFTED if shifted else pieces.CLAMPED, pieces.SUM_MEASUREMENT]
    if planned.is_pair:
        return [*found, pieces.COUNT_MEASUREMENT, pieces.PAIR_PREPARE]
    if isinstance(query, Mean):
        last = pieces.MEAN_PUBLISHED_SHIFTED if shifted else pieces.MEAN_PUBLISHED
    else:
        last = pieces.SUM_PUBLISHED_SHIFTED if shifted else pieces.SUM_PUBLISHED
    return [*found, pieces.SUM_PREPARE + last]


def _reading(constant: str, asked: tuple[Category, ...], *, is_date: bool) -> str:
    kind = kind_of("values", asked)
    if kind is Kind.NUMBER:
        return f"numbers(table, {constant})"
    if is_date and kind is Kind.TEXT:
        return f"dates_of(table, {constant}, {date_letters('values', asked)})"
    return f"values_of(table, {constant}, {'str' if kind is Kind.TEXT else '(bool, np.bool_)'})"


def _condition_function(name: str, constants: str, condition: Condition, dates: Collection[str]) -> str:
    """Return the function that chooses rows; the comparison is one of seven, the rest are names of constants."""
    if condition.comparison is Comparison.AMONG:
        met = f"values.isin({constants}_VALUE)"
    else:
        met = f"(values {condition.comparison.value} {constants}_VALUE)"
    values = _reading(f"{constants}_COLUMN", condition.values, is_date=condition.column in dates)
    return f'''
def {name}(table):
    """Say for each row whether it meets the condition; a missing value meets none."""
    values = {values}
    return (values.notna() & {met}).astype(bool)
'''


def _places_function(query: CountBy, dates: Collection[str]) -> str:
    lines = [
        f"        (place({_reading(f'COLUMN_{number}', listed, is_date=column in dates)}, CATEGORIES_{number}), "
        f"len(CATEGORIES_{number}){' + 1' * query.other}),"
        for number, (column, listed) in enumerate(_lists(query), start=1)
    ]
    return "\n".join(
        [
            "",
            "def places(table):",
            '    """Return for each column the place of every row in its list, and how many places there are."""',
            "    return [",
            *lines,
            "    ]",
            "",
        ]
    )


def _notes(planned: PlannedRelease, *, person: str | None, over: Over) -> tuple[str, ...]:
    query, adds = planned.query, planned.neighbours is Neighbours.ADD_OR_REMOVE
    notes = ["Run the script once: every run spends the budget again."]
    if isinstance(query, Count | CountBy) or planned.is_pair:
        notes.append(
            "Counts get discrete Laplace noise and stay whole: the mean absolute error is 1/sinh(1/b) for a planned "
            "scale b, which is below b, and they are never farther off than planned for rounded Laplace noise."
        )
    if isinstance(query, Sum | Mean):
        notes.append(
            f"Sums are taken in steps of about a 2^{STEPS}-th of the larger bound, and get discrete Laplace noise of such "
            "steps: nobody can tell it from the planned noise, and no rounding of floats weakens the proof."
        )
    if adds:
        notes.append("Neighbours: one person's rows appear or disappear; the number of rows stays private.")
    else:
        notes.append("Neighbours: one person's rows are replaced by as many others; the number of rows is public.")
    if _is_single_mean(planned):
        notes.append(_ROWS_ONLY[0].upper() + _ROWS_ONLY[1:] + "; the script stops if the table has another number.")
    if person is None:
        notes.append("That no person has more rows than allowed is the user's promise; the script does not check it.")
    elif over == "truncate":
        notes.append("Of each person the first rows stay, as many as are allowed; the others are left out.")
    else:
        notes.append("The script stops if a person has more rows than allowed; that it stops is itself private.")
    return tuple(notes)
