"""What each accountant allows, in a table: a claim that allows too much is called so, and its badge says what its numbers are worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from par_core.composition import ACCOUNTANTS, ExactComposition, WithinTarget
from par_core.composition.within_target import EXACT
from par_core.figures import composition as figures
from par_core.figures.composition import short_name
from par_core.figures.quantities import format_quantity
from par_core.old_names import by_old_name
from par_core.questions.blocks import Block, Note, Table, Words
from par_core.questions.composition.exact_count import SMALLEST_LEVEL
from par_core.rounding import small


@dataclass(frozen=True)
class Row:
    """What an accountant, or the exact count, allows: how many releases, and which level of as many as are planned."""

    key: str
    releases: WithinTarget | None
    level: WithinTarget | None


def within_target_table(rows: Sequence[Row], *, planned: int, whole: bool) -> Iterator[Block]:
    """Tell what each allows, the exact count first, where it is known: its `whole` answer, or a part of it."""
    by_releases = [row.releases for row in rows if row.releases is not None]
    by_level = [row.level for row in rows if row.level is not None]
    names, numbers, levels = list[Words | str](), list[Words | str](), list[Words | str]()
    for row in rows:
        too_many = row.releases is not None and figures.too_much(row.releases, by_releases, what="releases")
        too_high = row.level is not None and figures.too_much(row.level, by_level, what="level")
        worth: object = ACCOUNTANTS.get(row.key, ExactComposition)
        # A claim's own numbers are right here if none of them allows too much.
        if row.level is not None and row.level.claim and rows[0].releases and rows[0].level:
            worth = replace(row.level.quantity("epsilon0"), holds=not (too_many or too_high))
        names.append(Words("{name}", name=_name(row), evidence_from=worth))
        numbers.append(_number(row.releases) + " (too many)" * too_many)
        levels.append(_level(row, planned, pending=not whole) + " (too high)" * too_high)
    yield Table(
        {"Accountant": names, "Releases": numbers, "ε₀ of each": levels},
        "What each accountant allows: the number of releases, and the level of each of the planned ones.",
    )
    yield Note("Releases: how many fit. ε₀ of each: for as many as you plan. Larger is better, if proven.")


def _name(row: Row) -> str:
    both = [each for each in (row.releases, row.level) if each is not None]
    return figures.truth_name(*both) if row.key == EXACT else short_name(row.key)


def _number(within: WithinTarget | None) -> str:
    return "on its way" if within is None else f"{within.releases:,}{' or more' * within.at_limit}"


def _level(row: Row, planned: int, *, pending: bool) -> str:
    if row.level is not None:
        return format_quantity(row.level.quantity("epsilon0")) + " or more" * row.level.at_limit
    if row.key == EXACT and pending:
        return "on its way"
    too_many = row.key in ACCOUNTANTS and planned > ACCOUNTANTS[row.key].largest
    return "too many to count" if too_many else f"none down to {small(SMALLEST_LEVEL)}"


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"plans_table": "within_target_table"})
