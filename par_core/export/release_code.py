"""Scripts that publish a planned statistic with OpenDP, on the user's own file and machine.

A script holds the plan and no data. Where rows are replaced, OpenDP's change-one distance over tables of a public size fits it, with a
row that is not chosen adding 0: left out, it would cost a count or a sum twice as much noise as planned.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from par_core.errors import ParameterError
from par_core.export import plan_words
from par_core.export import script_gaussian as gaussian
from par_core.export import script_ledger as ledger
from par_core.export import script_text as pieces
from par_core.export.assembled import functions_of
from par_core.export.script_amounts import AMOUNT_SCRIPTS
from par_core.export.script_constants import (
    STEPS,
    constants,
    file_lines,
    is_shifted,
    is_single_mean,
    kinds,
    lists,
    literal,
    notations,
    promise,
)
from par_core.export.script_reading import reading
from par_core.export.scripts.made_for import MadeFor
from par_core.parameters import check_choice, check_type, shown
from par_core.queries import (
    Category,
    Comparison,
    Condition,
    Count,
    CountBy,
    Kind,
    Mean,
    Over,
    PersonCounts,
    Query,
    TableAmount,
    date_letters,
)
from par_core.queries.columns import kind_of, name_of
from par_core.release import PlannedRelease, plan_scenario
from par_core.scenario import Neighbours, Scenario
from par_core.standing import PROVEN, Standing
from par_core.tables.file_format import FileFormat

OPENDP = "opendp==0.16.0"
PLACEHOLDER = "your_file.csv"
CSV = FileFormat()
_SMALLEST_BOUND = 1e-280
_REQUIREMENTS = (OPENDP, "numpy>=2.3", "pandas>=2.3", "pyarrow>=20")


@dataclass(frozen=True)
class ReleaseCode:
    """A script that publishes a planned release, what it needs from PyPI, and what its user should know.

    `repr` hides the script, which holds the user's columns and categories.
    """

    text: str
    requirements: tuple[str, ...]
    notes: tuple[str, ...]
    planned: PlannedRelease
    year: ledger.YearPlan
    standing: Standing = PROVEN
    source: str = f"privacy map of {OPENDP}, checked by the script itself before it measures anything"

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

    The query gets all of epsilon0; the scenario's k, sensitivity and statistics describe some other release and are not used. The script
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
    planned = plan_scenario(query, scenario, rows=rows, weights=weights)
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
) -> ReleaseCode:
    """Return a script that publishes what is planned; other parameters and errors as in `release_code`.

    With a `header`, the names of all columns of the file in their order, the script stops at a file with other columns; it holds a
    fingerprint of them. `rows` has to be the number that the mean was planned with. With a `person_kind` of `Kind.NUMBER` 7 and 07
    are one person, and text is refused; with `Kind.TEXT` they are two. `dates` are the columns that hold dates: the query asks for
    them by years, months or days, in text.

    The script keeps a ledger: it runs for so many `releases`, of 1 to 1,000,000, and refuses any further run. `total_delta`, of at least
    1e-15 and below 1, is that of all of them together. Of several statistics that keep the promise together each takes a run.
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
    if isinstance(planned.query, TableAmount) and planned.query.upper - planned.query.lower < _SMALLEST_BOUND:
        raise ParameterError(f"upper must be above lower by {_SMALLEST_BOUND:g} at least for a script")
    held = kinds(planned.query)
    of_person = None if person is None else held.get(person, person_kind)
    needed = _REQUIREMENTS if planned.norm == "L1" else (*_REQUIREMENTS, gaussian.REQUIREMENT)
    year = ledger.plan_of_table(planned, releases=releases, delta=total_delta)
    written = notations(held, csv=csv, person=person, of_person=person_kind, dates=dates)
    text = "\n".join(
        [
            _head(planned, needed, capped=person is not None, year=year),
            *file_lines(held, file=file, csv=csv, person=person, of_person=person_kind, dates=dates, header=header),
            *constants(planned, rows=rows, person=person),
            f"LEDGER = {literal(ledger.NAME)}",
            *year.lines(each=promise(planned)),
            _functions(planned, held, of_person=of_person, over=over, dates=dates, notations=bool(written)),
        ]
    )
    notes = (year.note, *_notes(planned, rows=rows, person=person, over=over))
    return ReleaseCode(text, needed, notes, planned, year, planned.standing)


def _head(planned: PlannedRelease, requirements: tuple[str, ...], *, capped: bool, year: ledger.YearPlan) -> str:
    query, in_l1 = planned.query, planned.norm == "L1"
    if isinstance(query, CountBy):
        what = pieces.COUNTS_DOES if in_l1 else gaussian.COUNTS_DOES
    elif isinstance(query, Count):
        what = pieces.COUNT_DOES if in_l1 else gaussian.COUNT_DOES
    elif planned.is_pair:
        what = pieces.PAIR_DOES if in_l1 else gaussian.PAIR_DOES
    else:
        what = AMOUNT_SCRIPTS[query.asks].does[planned.norm]
    cap = pieces.CAP_DOES if capped else pieces.PROMISE_DOES
    if isinstance(query, PersonCounts):
        cap = pieces.PERSONS_DOES
    if isinstance(query, TableAmount):
        what = f"  - looks for missing values: {plan_words.blanks(query)}\n{what}"
    needed = " ".join(f"'{each}'" for each in requirements)
    head = pieces.HEAD.replace("{imports}", "" if in_l1 else gaussian.IMPORTS).replace("{year}", year.head)
    return head.replace("{requirements}", needed).replace("{does}", f"{cap}\n{what}")


def _functions(
    planned: PlannedRelease,
    held: dict[str, Kind],
    *,
    of_person: Kind | None,
    over: Over,
    dates: Collection[str],
    notations: bool,
) -> str:
    query, persons = planned.query, isinstance(planned.query, PersonCounts)
    found = [functions_of("files"), reading(notations=notations)]
    if Kind.NUMBER in (*held.values(), of_person):
        found.append(functions_of("columns", only="numbers"))
    if any(kind is not Kind.NUMBER and column not in dates for column, kind in held.items()):
        found.append(functions_of("columns", only="values_of"))
    if any(kind is Kind.TEXT and column in dates for column, kind in held.items()):
        found.append(functions_of("columns", only="dates_of"))
    if of_person is not None:
        made_for = MadeFor(numbered_persons=of_person is Kind.NUMBER, truncated=over == "truncate")
        found += [functions_of("persons", made_for, only=each) for each in ("whose", "once" if persons else "cap")]
    if isinstance(query, Count):
        found.append(_condition_function("meets", "CONDITION", query.condition, dates))
    found += _choosing(planned, dates)
    in_l1, counts = planned.norm == "L1", isinstance(query, Count | CountBy)
    if in_l1 or not counts:
        found += [_noise(planned, "with_noise"), _noise(planned, "tables")]
    found += _counting(planned, dates) if counts else _adding(planned)
    if not in_l1:
        found.append(functions_of("gaussian_proof"))
    found.append(functions_of("ledger"))
    capped = of_person is not None and not persons
    main = pieces.MAIN_HEAD + pieces.MAIN_CAP * capped + pieces.MAIN_ROWS * is_single_mean(planned)
    main += pieces.MAIN + (pieces.CHECK if in_l1 else gaussian.CHECK) + pieces.MAIN_END
    return "\n".join([*found, main])


def _noise(planned: PlannedRelease, function: str) -> str:
    made_for = MadeFor(
        gaussian=planned.norm == "L2",
        persons=isinstance(planned.query, PersonCounts),
        added_or_removed=planned.neighbours is Neighbours.ADD_OR_REMOVE,
    )
    return functions_of("noise", made_for, only=function)


def _choosing(planned: PlannedRelease, dates: Collection[str]) -> list[str]:
    """Return the functions that choose rows."""
    where = planned.query.where
    if isinstance(planned.query, Mean) and planned.query.skip_missing:
        own = "" if where is None else "among(table) & "
        first = [] if where is None else [_condition_function("among", "WHERE", where, dates)]
        return [*first, pieces.HAS_VALUE.replace("{where}", own)]
    if where is not None:
        return [_condition_function("chosen", "WHERE", where, dates)]
    return [] if is_shifted(planned) else [pieces.ALL_ROWS]


def _counting(planned: PlannedRelease, dates: Collection[str]) -> list[str]:
    """Return the functions that prepare and measure counts, of rows or of persons."""
    query, persons = planned.query, isinstance(planned.query, PersonCounts)
    assert isinstance(query, Count | CountBy)
    if isinstance(query, Count):
        found = [pieces.MEETS_CELL]
    else:
        place = pieces.PLACE_OTHER if query.other else pieces.PLACE
        found = [place, _places_function(query, dates), pieces.PLACES_CELL]
    if planned.norm == "L2":
        prepare = gaussian.COUNTS_PREPARE.replace("{cells}", "once(table, cells(table))" if persons else "cells(table)")
        return [*found, _noise(planned, "noisy_counts"), prepare]
    if query.k == 1:
        prepare = pieces.ONE_CELL_PERSONS_PREPARE if persons else pieces.ONE_CELL_ROWS_PREPARE
        return [*found, _noise(planned, "noisy_count"), prepare + "\n" + pieces.COUNT_PUBLISHED]
    prepare = pieces.PERSONS_PREPARE if persons else pieces.ROWS_PREPARE
    return [*found, _noise(planned, "noisy_counts"), prepare + "\n" + pieces.COUNTS_PUBLISHED]


def _adding(planned: PlannedRelease) -> list[str]:
    """Return the functions that prepare and measure a statistic of a column of numbers."""
    asks, shifted, in_l1 = planned.query.asks, is_shifted(planned), planned.norm == "L1"
    own = AMOUNT_SCRIPTS[asks]
    found = [pieces.CLAMPED_SHIFTED if shifted else own.clamped]
    found += [_noise(planned, "noisy_sum"), _noise(planned, "steps")]
    if planned.is_pair and not in_l1:
        return [*found, _noise(planned, "noisy_counts"), gaussian.PAIR_PREPARE]
    if planned.is_pair:
        return [*found, _noise(planned, "noisy_count"), pieces.PAIR_PREPARE]
    rest = own.shifted if shifted and own.shifted is not None else own.rest
    note = f" The number of rows is {plan_words.publicity(planned)}." if rest else ""
    last = pieces.ONE_PUBLISHED.replace("{note}", note).replace("{label}", asks.noun).replace("{rest}", rest)
    return [*found, pieces.SUM_PREPARE.replace("{share}", "EPSILON" if in_l1 else "NOISE[0]") + last]


def _reading(constant: str, asked: tuple[Category, ...], *, is_date: bool) -> str:
    kind = kind_of("values", asked)
    if kind is Kind.NUMBER:
        return f"numbers(table, {constant})"
    if is_date and kind is Kind.TEXT:
        return f"dates_of(table, {constant}, {date_letters('values', asked)})"
    return f"values_of(table, {constant}, {'str' if kind is Kind.TEXT else '(bool, np.bool_)'})"


def _condition_function(name: str, constants: str, condition: Condition, dates: Collection[str]) -> str:
    """Return the function that chooses rows; the comparison is one of seven, the rest are names of constants."""
    among = condition.comparison is Comparison.AMONG
    met = f"values.isin({constants}_VALUE)" if among else f"(values {condition.comparison.value} {constants}_VALUE)"
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
        for number, (column, listed) in enumerate(lists(query), start=1)
    ]
    return pieces.PLACES.replace("{places}", "\n".join(lines))


def _notes(planned: PlannedRelease, *, rows: int | None, person: str | None, over: Over) -> tuple[str, ...]:
    query = planned.query
    notes = [
        "It stops at a file that is not the one that was planned with, as far as the names of the columns and the encoding tell.",
    ]
    in_l1, counts = planned.norm == "L1", isinstance(query, Count | CountBy) or planned.is_pair
    if not in_l1:
        notes.append(
            "Of the Gaussian noise OpenDP proves zero-concentrated privacy. The script turns that into ε and δ by the exact law of "
            "Gaussian noise (Balle and Wang 2018), stops if it is more than planned, and prints OpenDP's own looser ε beside it."
        )
    if not in_l1 and planned.statistics > 1:
        notes.append(
            f"ε and δ are those of {planned.statistics:,} statistics together; the others have to be released with the same plan, "
            "and no further ones."
        )
    if counts and not in_l1:
        notes.append("Counts are published with their decimals: rounding them afterwards costs no privacy.")
        notes.append(
            "By how much one person moves the counts (COUNTS_MOVE) follows from how the script counts; OpenDP proves the noise for it."
        )
    elif counts:
        notes.append(
            "Counts get discrete Laplace noise, as planned, and stay whole: the mean absolute error is 1/sinh(1/b) for a "
            "scale b, which is below b."
        )
    if isinstance(query, TableAmount):
        noise = "Laplace" if in_l1 else "Gaussian"
        notes.append(
            f"Sums are taken in steps of about a 2^{STEPS}-th of the larger bound, and get discrete {noise} noise of such "
            "steps: nobody can tell it from the planned noise, and no rounding of floats weakens the proof."
        )
    notes += plan_words.meaning(planned, rows=rows, capped=person is not None and over == "truncate")
    if is_single_mean(planned):
        notes.append(
            "The script stops if the table has another number of rows, after those over the limit are left out."
        )
    what = "cells" if isinstance(query, PersonCounts) else "rows"
    if person is None:
        notes.append("That no person has more rows than allowed is your promise; the script does not check it.")
    elif over == "truncate":
        notes.append(f"Of each person the first {what} stay, as many as are allowed; the others are left out.")
    else:
        notes.append(f"The script stops if a person has more {what} than allowed; that it stops is itself private.")
    return tuple(notes)
