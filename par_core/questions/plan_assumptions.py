"""What has to be true for the numbers of a plan to hold."""

from __future__ import annotations

from collections.abc import Iterator

from par_core.plan import Plan
from par_core.queries.sensitivity import AS_MANY
from par_core.questions.blocks import Note
from par_core.scenario import Scenario


def holds_if(scenario: Scenario) -> Iterator[Note]:
    """Yield what has to be true for the privacy of a plan, if anything; what only errors rest on stands beside them."""
    if scenario.only_if:
        yield Note("This holds if {told}.", told=scenario.only_if)


def assumed(plan: Plan) -> str:
    """Return what has to be true, for the middle of a sentence; nothing where nothing is assumed."""
    return " and ".join(filter(None, [for_errors(plan), AS_MANY * plan.assumes_as_many]))


def for_errors(plan: Plan) -> str:
    """Return what only the errors rest on, for the middle of a sentence; nothing where nothing is assumed."""
    sizes = [
        f"at least {each.size:,} rows are {each.shape.rows_are} in {'each group of ' if each.shape.k > 1 else ''}release {at}"
        for at, each in enumerate(plan.releases, start=1)
        if each.size is not None and each.shape.is_pair(plan.neighbours)
    ]
    return " and ".join(sizes)
