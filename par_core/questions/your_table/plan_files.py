"""What is taken along from a plan: what stands above its numbers, and the code that publishes by it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from par_core.export import release_meaning
from par_core.export.plan_code import PlanCode
from par_core.export.plan_code import plan_code as code_of_plan
from par_core.export.release_code import ReleaseCode, planned_code
from par_core.mechanisms import PermuteAndFlip
from par_core.plan import NamedRelease, Plan
from par_core.queries import CountBy, Histogram, Kind, PersonCounts, Quantile, Share, TableAmount
from par_core.queries.counts import label_of
from par_core.queries.quantile_shape import AFTER_MOVING
from par_core.questions.your_table.query_words import guessed, noise_of
from par_core.questions.your_table.table_question import TableAnswer
from par_core.scenario import exact_text
from par_core.tables.table import Table


def release_code(found: TableAnswer) -> ReleaseCode:
    """Return the code that publishes by a plan, with what has to be known before it is run."""
    asked, table, person = found.question, found.question.table, found.question.person
    return planned_code(
        found.planned,
        rows=found.rows if asked.rows_are_public else None,
        person=person or None,
        over=asked.over,
        person_kind=_person_kind(table, person),
        **_file(table),
        releases=asked.scenario.releases,
        total_delta=asked.scenario.delta,
        copied=asked.copied,
    )


def plan_code(plan: Plan, named: Sequence[NamedRelease], table: Table) -> PlanCode:
    """Return the code that publishes all releases of a plan from a table."""
    person = next((each.person for each in named if each.person), "")
    return code_of_plan(plan, named, person_kind=_person_kind(table, person), **_file(table))


def _file(table: Table) -> dict[str, Any]:
    """Return how a script has to read a table."""
    return {
        "csv": table.written,
        "dates": [column.name for column in table.columns if column.kind == "date"],
        "header": [column.name for column in table.columns],
    }


def _person_kind(table: Table, person: str) -> Kind:
    return Kind.NUMBER if person and table.kind(person) == "number" else Kind.TEXT


def head(found: TableAnswer) -> dict[str, str]:
    """Return what the plan says above its rows; nothing of it is read off the table, except a list that was taken from there."""
    asked, planned, scenario = found.question, found.planned, found.question.scenario
    query = planned.query
    head = {"title": "Plan of a release", "query": release_meaning.named(query)}
    if isinstance(query, CountBy) or (isinstance(query, TableAmount | Share) and query.groups):
        head["category lists"] = asked.lists
    if isinstance(query, Histogram):
        head["bin edges"] = f"{', '.join(map(label_of, query.edges))}, given by the user"
    if isinstance(query, TableAmount):
        head["bounds"] = f"{exact_text(query.lower)} to {exact_text(query.upper)}, given by the user"
    if isinstance(query, TableAmount | Share | Quantile):
        head["estimated"] = release_meaning.truth(planned, capped=asked.capped)
    if isinstance(query, Quantile):
        head["candidates"] = (
            f"{len(query.candidates)}, {exact_text(query.lower)} to {exact_text(query.upper)} in steps of {exact_text(query.step)}, "
            "given by the user"
        )
        head["alpha"] = exact_text(query.alpha)
    head["mechanism"] = PermuteAndFlip.name if planned.is_selection else f"{noise_of(planned)} noise"
    head["epsilon0 of the release"] = exact_text(scenario.epsilon0)
    if planned.norm == "L1":
        head["statistics that share it equally"] = str(scenario.statistics)
    else:
        head["delta of the release"] = exact_text(planned.delta)
        head["statistics that these two cover"] = str(scenario.statistics)
    for planned_part in planned.parts:
        part, scale = planned_part.part, exact_text(float(planned_part.error.scale))
        if planned.norm == "L1":
            head[f"{part.name}: epsilon"] = exact_text(planned_part.epsilon)
        moved = "sensitivity of the score" if planned.is_selection else f"{planned.norm} sensitivity"
        head[f"{part.name}: {moved}"] = exact_text(part.moves(planned.norm))
        of_noise = "scale of the Laplace noise" if planned.norm == "L1" else f"sigma of the {noise_of(planned)} noise"
        if planned.is_selection:
            of_noise = "scale of the exponential noise that makes the same choice"
        head[f"{part.name}: {of_noise}"] = scale
    head["neighbours"] = f"{planned.neighbours} ({release_meaning.neighbours(planned)})"
    unit = "cells" if isinstance(query, PersonCounts) else "rows"
    head[f"{unit} per person, at most"] = str(planned.rows_per_person)
    over = {"truncate": f"further {unit} are left out", "refuse": f"more {unit} stop the release"}
    head["person column"] = (
        f"{asked.person}; {over[asked.over]}" if asked.person else "not looked at: the cap is the user's promise"
    )
    if planned.is_pair:
        head["assumed"] = f"{guessed(asked)} (a guess of the user's)"
    head["ranges"] = (
        f"counts get noise {'of whole numbers' if planned.norm == 'L1' else 'with decimals'}; whatever the data"
    )
    if planned.is_selection:
        head["ranges"] = (
            f"in rows between the published value and the true one, at most, not counting one candidate, {AFTER_MOVING}; whatever the data"
        )
    head["standing"] = f"{planned.evidence.basis.value}: {planned.source}"
    return {**head, "scenario": scenario.to_json()}
