"""What a notebook recomputes of each section on a table: the plan for the same query on the built-in table."""

from __future__ import annotations

from pages.shared.error_reports import UnreadyError
from pages.shared.notebook_tables import instead_of_own, public_condition, public_only
from pages.shared.notebooks import the_scenario
from pages.shared.settings import Setting, present_scenario
from pages.shared.table_fields import categories_in
from pages.shared.uploads import builtin_of, public
from pages.your_table import only_counts
from pages.your_table import query_settings as fields
from pages.your_table.epsilon0_for_error import MEASURE, MEASURES, WANTED
from par_core.export.notebook import Cell, code
from par_core.queries import Category, Condition, Count, CountBy, Mean, PersonCount, PersonCountBy, Query, Sum
from par_core.release import made_up_counts
from par_core.tables.table import Table


def plan() -> list[Cell]:
    return [
        *_planned(),
        code(
            """
            from par_core.release import error_curves, within
            from par_core.rounding import error

            if planned.is_pair:
                show("within, in 95 of 100 releases", error(planned.quotient_error(size=size).range95), of=planned)
            else:
                ranges = within(planned)
                show("each within, in 95 of 100 releases", error(ranges.each), of=planned)
                show("all at once within", error(ranges.every), of=planned)
                show("their total within", error(ranges.total), of=planned)
            """
        ),
        _picture(),
    ]


def wanted() -> list[Cell]:
    return [
        *_planned(),
        code(
            """
            from par_core.errors import InfeasibleError
            from par_core.release import Measure, epsilon0_for_release, error_curves
            from par_core.rounding import brief

            try:
                found = epsilon0_for_release(
                    $wanted, planned, statistics=scenario.statistics, measure=Measure.$measure, rows=rows, size=size, digits=15
                )
                show("ε₀", brief(found, toward="up"), of=planned)
            except InfeasibleError as error:
                print(error)
            """.replace("$measure", MEASURES[MEASURE.value()].name),
            wanted=WANTED.value(),
        ),
        _picture(),
    ]


def counts() -> list[Cell]:
    asked = {"rows": only_counts.ROWS.value(), "cells": only_counts.CELLS.value(), "seed": only_counts.DRAW.value()}
    found = made_up_counts(asked["rows"], asked["cells"], present_scenario(), seed=asked["seed"])
    return [
        the_scenario(),
        code(
            """
            from par_core.figures import made_up as figures
            from par_core.release import made_up_counts

            found = made_up_counts($rows, $cells, scenario, seed=$seed)
            show("each count within, in 95 of 100 releases", found.quantity("each"))
            """,
            **asked,
        ),
        *[code('show("counts are right within 10 % from", found.quantity("right_from"))')] * bool(found.each),
        code("draw(figures.made_up(found))"),
    ]


def _picture() -> Cell:
    return code(
        """
        from par_core.figures import your_table as figures

        curves = error_curves(planned, epsilon0=scenario.epsilon0, statistics=scenario.statistics, size=size)
        draw(figures.error_against_epsilon0(curves, unit="that of the number"))
        """
    )


def _planned() -> list[Cell]:
    """Return the query, and the plan of its release at the present scenario."""
    table, scenario = builtin_of(fields.TABLE, fields.BUILTIN), present_scenario()
    query, person = _query(table), fields.PERSON.value()
    kinds = {type(query).__name__}
    kinds |= {Condition.__name__ for each in (getattr(query, "where", None), getattr(query, "condition", None)) if each}
    name = table.digest.rpartition(":")[2]
    rows = "rows = len(data.table)"
    values: dict[str, object] = {}
    if person and isinstance(query, Mean) and not query.is_pair(scenario.neighbours):
        rows = "kept = query.kept(data.table, person=$person, rows_per_person=scenario.rows_per_person, over=$over)\n"
        rows += "rows = kept.number"
        values = {"person": person, "over": fields.OVER.value()}
    pair = isinstance(query, Mean) and query.is_pair(scenario.neighbours)
    return [
        *instead_of_own(fields.TABLE),
        the_scenario(),
        code(
            f"from par_core.datasets import {name}\nfrom par_core.queries import {', '.join(sorted(kinds))}\n\n"
            f"data = {name}()\nquery = $query\n{rows}\nsize = $size",
            query=query,
            size=fields.GUESS.value() if pair else None,
            **values,
        ),
        code(
            """
            from par_core.release import plan

            planned = plan(
                query,
                scenario.epsilon0,
                neighbours=scenario.neighbours,
                rows_per_person=scenario.rows_per_person,
                rows=rows,
                mechanism=scenario.mechanism,
                delta=scenario.delta,
                statistics=scenario.statistics,
            )
            """
        ),
    ]


def _query(table: Table) -> Query:
    """Return the query that the fields make of a built-in table; see `query_controls.choose`."""
    ask, person = fields.ASK.value(), fields.PERSON.value()
    once = bool(person) and fields.ONCE.value()
    if ask == "by":
        columns = [each for each in (fields.BY.value(), fields.BY2.value()) if each]
        lists = tuple(map(_categories, [table] * len(columns), columns, (fields.CATEGORIES, fields.CATEGORIES2)))
        counts = CountBy(tuple(columns), lists, other=fields.REST.value(), where=_where(table))
        return PersonCountBy(**vars(counts), person=person) if once else counts
    if ask == "count":
        condition = public_condition(table, fields.CONDITION)
        return PersonCount(condition, person=person) if once else Count(condition)
    column, lower, upper = fields.OF.value(), fields.LOWER.value(), fields.UPPER.value()
    if ask == "sum":
        return Sum(column, lower, upper, _where(table))
    skip = table.missing(column) > 0 and fields.SKIP.value()
    return Mean(column, lower, upper, _where(table), skip_missing=skip)


def _categories(table: Table, column: str, typed: Setting[str]) -> tuple[Category, ...]:
    known = tuple(public(table).categories.get(column, ()))
    if known and fields.LIST.value() == "public":
        return known
    values = categories_in(typed.value(), table.kind(column))
    if not values:
        raise UnreadyError
    public_only(values, known)
    return values


def _where(table: Table) -> Condition | None:
    return public_condition(table, fields.CONDITION) if fields.ONLY.value() else None
