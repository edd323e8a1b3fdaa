"""What a planned statistic means, in the words that page, command line and script share."""

from __future__ import annotations

from par_core.queries import (
    Condition,
    Count,
    CountBy,
    Groups,
    Mean,
    MeanQuery,
    PersonCounts,
    Quantile,
    Query,
    Share,
    TableAmount,
)
from par_core.queries.grouped_query import GroupedQuery
from par_core.queries.sensitivity import AS_MANY
from par_core.release import PlannedRelease
from par_core.rounding import amount
from par_core.scenario import Neighbours


def meaning(planned: PlannedRelease, *, rows: int | None, capped: bool) -> tuple[str, ...]:
    """Return in sentences what is protected and, of values, what is estimated; parameters as in `truth` and `divisor`."""
    said = [f"Neighbours: {neighbours(planned)}."]
    if isinstance(planned.query, GroupedQuery | Quantile):
        said.append(f"The truth is {truth(planned, capped=capped)}.")
    if isinstance(planned.query, MeanQuery):
        said.append(divisor(planned, rows))
    return tuple(said)


def neighbours(planned: PlannedRelease) -> str:
    """Return what one person's data may change, for the middle of a sentence."""
    persons, adds = isinstance(planned.query, PersonCounts), planned.neighbours is Neighbours.ADD_OR_REMOVE
    if persons:
        how = "appear or disappear" if adds else "are replaced by somebody else's"
        return f"one person's rows {how}, however many they are; their number stays private"
    if adds:
        return "one person's rows appear or disappear; the number of rows stays private"
    if planned.is_selection:  # rows without a value are left out, so that nothing rests on their number
        are = "row is" if planned.rows_per_person == 1 else "rows are"
        return f"one person's {are} replaced by somebody else's, with a value or without; their number stays private"
    how = "row is replaced by another" if planned.rows_per_person == 1 else "rows are replaced by as many others"
    return f"one person's {how}; the number of rows stays the same"


def publicity(planned: PlannedRelease) -> str:
    """Return whether the number of rows of the table is public."""
    if planned.neighbours is Neighbours.ADD_OR_REMOVE:
        return "private"
    return "public" if planned.rows_per_person == 1 else f"public only if {AS_MANY}"


def divisor(planned: PlannedRelease, rows: int | None) -> str:
    """Return what a mean is divided by, as a sentence; `rows` as in `par_core.release.plan_release`."""
    share = isinstance(planned.query, Share)
    if planned.is_pair:
        rows_of = "that are looked at" if share else "that are averaged"
        if _groups(planned.query) is not None:
            rows_of = "in each group"
        middle = "one half" if share else "the middle of the bounds"
        return f"The number of rows {rows_of} is private: a noisy sum of distances from {middle} is divided by a noisy count."
    assert rows is not None
    what = "number of rows that meet the condition" if share else "sum"
    return f"The {what} is divided by the number of rows, {rows:,}, which is {publicity(planned)}."


def truth(planned: PlannedRelease, *, capped: bool) -> str:
    """Return which statistic is estimated, after “the truth is”; `capped` says whether further rows of a person are left out."""
    query, most = planned.query, planned.rows_per_person
    assert isinstance(query, GroupedQuery | Quantile)
    one = capped and most == 1
    if isinstance(query, Share):
        rows = (
            "the first rows of all persons"
            if one
            else f"the first {most:,} rows of every person"
            if capped
            else "all rows"
        )
        among = f"those of {rows} that are looked at" if query.where else rows
        told = f"{'in each group ' if query.groups else ''}the share of rows that meet the condition, among {among}"
        return f"{told}; a row without a value does not meet it"
    rows = "each person's first row" if one else f"each person's first {most:,} rows" if capped else "all rows"
    among = (" if it meets the condition" if one else " that meet the condition") if query.where else ""
    if isinstance(query, Quantile):
        low, high, step = (amount(each, 15) for each in (query.candidates[0], query.candidates[-1], query.step))
        return (
            f"the {query.labels[0]} over {rows}{among}: rows without a value are left out, and each value is moved to the nearest of "
            f"{len(query.candidates):,} candidates, {low} to {high} in steps of {step}"
        )
    assert isinstance(query, TableAmount)
    low, high = (amount(bound, 15) for bound in (query.lower, query.upper))
    told = f"{query.asks.name}{' in each group,' if query.groups else ''}"
    return (
        f"the {told} over {rows}{among}: {blanks(query)}, and values outside {low} to {high} are "
        "moved to the nearest bound"
    )


def blanks(query: TableAmount, number: int | None = None) -> str:
    """Return what becomes of rows without a value, of which there are so many if that is known."""
    who = "rows" if number is None else f"{number:,} row{'s' * (number != 1)}"
    one = number == 1
    if not query.takes_blanks:
        return f"{who} without a value {'is' if one else 'are'} left out"
    return f"{who} without a value count{'s' * one} as {amount(query.blank, 15)}"


def named(query: Query) -> str:
    """Return what a query is called above its numbers."""
    persons = isinstance(query, PersonCounts)
    if isinstance(query, Count):
        return f"count of {'persons with a row' if persons else 'rows'} with {_condition(query.condition)}"
    if isinstance(query, CountBy):
        words = f"counts{' of persons' * persons} by {' and '.join(query.columns)}"
    else:
        name = query.labels[0] if isinstance(query, Quantile) else query.asks.name
        of = f"rows with {_condition(query.condition)}" if isinstance(query, Share) else query.column
        words = f"{name} of {of}"
        if groups := _groups(query):
            words += f" by {groups.column}"
    if isinstance(query, Mean) and query.skip_missing:
        words += ", only rows with a value"
    return words if query.where is None else f"{words}, only rows with {_condition(query.where)}"


def _groups(query: Query) -> Groups | None:
    return query.groups if isinstance(query, GroupedQuery) else None


def _condition(condition: Condition) -> str:
    return f"{condition.column} {condition.comparison} {', '.join(map(str, condition.values))}"
