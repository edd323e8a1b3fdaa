"""The plan of this session: its releases, which links hold, and which table they are asked of, which nothing but the session does."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import streamlit as st

from pages.shared import controls, wish_fields
from pages.shared.settings import (
    MINE,
    PLAN,
    PLAN_ASKED,
    SEEN,
    WISHES,
    present_scenario,
    scenario_setting,
    single_scenario,
)
from par_core.errors import ParameterError

if TYPE_CHECKING:
    from par_core.plan import Release
    from par_core.questions.your_table.table_question import TableQuestion


def releases() -> tuple[Release, ...]:
    """Return the releases of the plan; none where the scenario is all that is planned."""
    return PLAN.value()


def works() -> bool:
    """Return whether there is a plan, and it can be made: the pages are about one release otherwise."""
    return bool(releases()) and present_scenario() is not single_scenario()


def is_planned() -> bool:
    """Return whether the reader said how many releases there will be: by a plan, or in the scenario."""
    return bool(releases()) or "releases" in MINE.value() or not scenario_setting("releases").is_example


def seen() -> int:
    """Return which release is looked at, from 1; a link may ask for one that is not there."""
    return min(SEEN.value(), max(len(releases()), 1))


def wishes() -> tuple[float | None, ...]:
    """Return the wish for each release of the plan."""
    number = len(releases())
    return (*WISHES.value(), *[None] * number)[:number]


def wish(at: int, error: float | None) -> None:
    """In a callback: say how far off a release may be."""
    WISHES.put((*wishes()[:at], error, *wishes()[at + 1 :]))
    take_wish()


def take_wish() -> None:
    """In a callback: let Decide wish of its error what is wished of the release that is looked at."""
    at = SEEN.value() - 1
    wished = wishes()[at] if at < len(releases()) else None
    if wished is not None and controls.takes(wish_fields.ERROR, wished):
        wish_fields.ERROR.put(wished)


def asked() -> tuple[TableQuestion | None, ...]:
    """Return for each release what it asks of a table, as far as it was put into the plan in this session."""
    planned, held = releases(), st.session_state.get(PLAN_ASKED, ())
    alike = len(held) == len(planned) and all(
        _publishes(was) == _publishes(release) for (was, _), release in zip(held, planned, strict=True)
    )
    return tuple(question for _, question in held) if alike else (None,) * len(planned)


def put(planned: tuple[Release, ...], questions: tuple[TableQuestion | None, ...]) -> None:
    """In a callback: make this the plan, with what each release asks of a table, as far as that is known."""
    st.session_state[PLAN_ASKED] = tuple(zip(planned, questions, strict=True))
    PLAN.put(planned)


def add(release: Release, question: TableQuestion) -> None:
    """In a callback: put a release into the plan, and look at it."""
    put((*releases(), release), (*asked(), question))
    SEEN.put(len(releases()))


def change(at: int, **values: Any) -> None:
    """In a callback: change what a release says, but not what it publishes."""
    put((*releases()[:at], replace(releases()[at], **values), *releases()[at + 1 :]), asked())


def remove(at: int) -> None:
    """In a callback: take a release out of the plan."""
    held, seen = asked(), SEEN.value()
    WISHES.put((*wishes()[:at], *wishes()[at + 1 :]))
    put((*releases()[:at], *releases()[at + 1 :]), (*held[:at], *held[at + 1 :]))
    # The one that is looked at stays so, unless it was that one.
    SEEN.put(seen - 1 if at < seen - 1 else min(seen, max(len(releases()), 1)))
    take_wish()


def problem() -> str:
    """Return why the plan cannot be made, nothing if it can: the pages are about one release then."""
    from par_core.plan import PlanScenario

    if not releases() or works():
        return ""
    try:
        PlanScenario.of(single_scenario(), releases())
    except ParameterError as error:
        return (
            f"Your plan does not work with these neighbours: {error}. Choose other neighbours, or remove that release"
        )
    return ""


def names() -> list[str]:
    """Return what each release is called here: with the names of columns where this session knows them."""
    from par_core.plan import in_words

    pairs = zip(releases(), called(), strict=True)
    told = (name or in_words(release) for release, name in pairs)
    return [f"{at}. {each[0].upper()}{each[1:]}" for at, each in enumerate(told, start=1)]


def called() -> tuple[str, ...]:
    """Return the names of the releases with those of columns and categories, each empty where this session does not know them."""
    from par_core.export.release_meaning import named

    return tuple("" if question is None else named(question.query) for question in asked())


def _publishes(release: Release) -> tuple[object, ...]:
    """Return what a query fixes of a release: a link may hold another one of the same shape."""
    return release.shape, release.rows_per_person, release.rows
