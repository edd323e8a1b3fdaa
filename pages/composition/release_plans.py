"""From a target to a plan: how many releases it allows, and which level each of a planned number may have."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache, partial
from typing import TYPE_CHECKING, NamedTuple

import streamlit as st

from pages.composition import formulas, scenario_fields
from pages.composition.levels_table import SMALLEST
from pages.shared import badges, controls, jobs, wish_fields
from pages.shared.chart import chart
from pages.shared.dial import dial, stops
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.release import is_possible, only_laplace
from pages.shared.say import as_told, paragraph, say, written
from pages.shared.settings import present_scenario
from pages.shared.words import HARDLY_PRIVATE, amount, counted, level0
from par_core.composition import ACCOUNTANTS, ExactComposition, Plan, epsilon0_for, largest_compositions
from par_core.composition.of_mechanism import epsilon0_for_of, holding, largest_compositions_of
from par_core.composition.plans import compositions_within, largest_proven
from par_core.errors import InfeasibleError, ParameterError
from par_core.figures import composition as figures
from par_core.figures.composition import short_name
from par_core.questions.glossary import explain
from par_core.rounding import small
from par_core.scenario import Scenario

if TYPE_CHECKING:
    import pandas as pd

# The budget that Decide can wish for, under the name that links to this page know.
TARGET = replace(wish_fields.SPENT, key="cte", label="ε budget, all releases", own_key=wish_fields.SPENT.held)

_AT_ONCE = 40  # releases of this level add up to the last stop of the dial, where it is followed: more take too long
_IN_ORDER = sorted(ACCOUNTANTS, key=lambda key: bool(ACCOUNTANTS[key].claim))  # the proven ones first


class _Asked(NamedTuple):
    """What a plan depends on."""

    epsilon0: float
    releases: int
    target: float
    delta: float
    k: int
    other: Scenario | None = None  # that of another mechanism than the paper's


_Pair = tuple[Plan | None, Plan | None]


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        dial(TARGET, hint=explain("target"))
        scenario_fields.field("delta", "Target δ", hint=explain("delta"))
        scenario_fields.field("releases", "Planned releases", hint=explain("releases"))
        scenario = present_scenario()
        st.caption(
            f"{level0(scenario.epsilon0)} of each release, δ and the number of releases are those of your scenario."
        )
    with main:
        if scenario_fields.is_composed() and is_possible():
            _plan(_asked())


def _asked() -> _Asked:
    scenario = present_scenario()
    other = None if scenario.as_published else scenario
    return _Asked(scenario.epsilon0, scenario.releases, TARGET.value(), scenario.delta, scenario.k, other)


def _plan(asked: _Asked) -> None:
    answer, room = st.container(), st.container()
    with room:
        work = partial(_exactly, asked)
        counted = jobs.run("release_plans", work, inputs=asked, label="Counting exactly", unfinished=True)
    releases, level = counted or (None, None)
    pairs = {key: _quickly(key, asked) for key in _IN_ORDER if key in _holding(asked)}
    by_releases = _present([releases, *(each[0] for each in pairs.values())])
    by_level = _present([level, *(each[1] for each in pairs.values())])
    table = partial(figures.plans_table, by_releases, by_level)
    best = largest_proven(by_releases, by="compositions")
    if best is not None:
        with answer:
            _answer(asked, releases, best)

        def now() -> list[Plan]:
            return by_releases if (supposed := _asked()) == asked else _at_stops(supposed)

        few = asked.other is None and releases is not None and stops(TARGET)[-1] / asked.epsilon0 <= _AT_ONCE
        _bars(asked, by_releases, "releases", table=table, now=now if few else None)
        _limits(asked, releases, best, by_releases)
    _level_words(asked, largest_proven(by_level, by="epsilon0"))
    if by_level:
        _bars(asked, by_level, "level", table=table)
    if asked.other is None:
        _too_many(releases, k=asked.k)
    only_laplace("RDP and the paper's accountants are")
    _table(asked, {"exact": (releases, level), **pairs})
    formula_expander("plan", formulas.PLAN)


def _holding(asked: _Asked) -> tuple[str, ...]:
    """Return the accountants that hold for the scenario's mechanism."""
    if asked.other is None:
        return tuple(_IN_ORDER)
    pure = holding(asked.other.release)
    return pure if len(pure) > 1 else ()  # at delta/n basic composition is no plan at one level


def _exactly(asked: _Asked, *, progress: jobs.Progress) -> _Pair:
    if asked.other is not None:
        return _of_mechanism(asked, asked.other, progress)
    releases = largest_compositions("exact", asked.epsilon0, epsilon=asked.target, delta=asked.delta)
    progress(0.4, (releases, None))
    return releases, _level("exact", asked)


def _of_mechanism(asked: _Asked, scenario: Scenario, progress: jobs.Progress) -> _Pair:
    goal = {"epsilon": asked.target, "delta": asked.delta}
    releases = largest_compositions_of(scenario.release, asked.epsilon0, **goal)
    progress(0.4, (releases, None))
    try:
        level = epsilon0_for_of(lambda each: replace(scenario, epsilon0=each).release, asked.releases, **goal)
    except InfeasibleError:
        return releases, None
    return releases, level


@lru_cache(maxsize=512)
def _quickly(key: str, asked: _Asked) -> _Pair:
    releases = largest_compositions(key, asked.epsilon0, epsilon=asked.target, delta=asked.delta, k=asked.k)
    return releases, _level(key, asked)


def _at_stops(asked: _Asked) -> list[Plan]:
    targets = tuple(stops(TARGET))
    return [plans[targets.index(asked.target)] for plans in _within(asked._replace(target=0.0), targets)]


@lru_cache(maxsize=64)
def _within(asked: _Asked, targets: tuple[float, ...]) -> list[tuple[Plan, ...]]:
    """Return what each accountant allows for each target, counted in one search."""
    keys = ("exact", *_IN_ORDER)
    return [compositions_within(key, asked.epsilon0, epsilons=targets, delta=asked.delta, k=asked.k) for key in keys]


def _level(key: str, asked: _Asked) -> Plan | None:
    """Return the plan for the planned releases, or None where an accountant cannot take so many, or meets it at no level."""
    try:
        return epsilon0_for(key, asked.releases, epsilon=asked.target, delta=asked.delta, k=asked.k)
    except (InfeasibleError, ParameterError):
        return None


def _present(plans: list[Plan | None]) -> list[Plan]:
    return [plan for plan in plans if plan is not None]


def _answer(asked: _Asked, releases: Plan | None, best: Plan) -> None:
    """Say the exact answer; until it is there, or beyond where it stops, the best of the proven ones, which is on the safe side."""
    st.markdown(_headline(asked, releases, best))
    if best.compositions > 1:
        fits = "With {asked.epsilon0:level0} each, they stay within the target together"
    elif best.compositions:
        fits = "With {asked.epsilon0:level0} it stays within the target"
    else:
        fits = "One release with {asked.epsilon0:level0} spends more"
    paragraph(f"{fits} (δ\u00a0=\u00a0{small(asked.delta)}).", asked=asked, standing_of=best, help=badges.legend())


def _headline(asked: _Asked, releases: Plan | None, best: Plan) -> str:
    goal = f"within ε′\u00a0=\u00a0{amount(asked.target, 4)}"
    if not best.compositions:
        return f"## You cannot make even one release {goal}"
    stopped = (releases is not None and releases.at_limit) or best.at_limit
    return f"## You can make {counted(best.compositions, 'release')}{' or more' * stopped} {goal}"


def _limits(asked: _Asked, releases: Plan | None, best: Plan, found: list[Plan]) -> None:
    """Say what the answer leaves out: whole numbers, what the exact count cannot tell, and a target that hardly protects."""
    sentences = list(filter(None, [_counts(best, found)])) if asked.other is None else []
    if releases is None:
        sentences.append("The exact count is still running and may allow a few more.")
    elif releases.at_limit:
        instead = (
            ""
            if best is releases
            else f"; the number above is that of “{figures.plan_name(best)}”, which is proven too"
        )
        sentences.append(f"The exact count stops at {releases.compositions:,} releases{instead}.")
    if asked.target > HARDLY_PRIVATE:
        sentences.append("With such a target next to nothing is protected.")
    if sentences:
        st.markdown(" ".join(sentences), help=badges.legend())


def _counts(best: Plan, found: list[Plan]) -> str:
    """Say how many counts fit, if fewer: their noise gives away as much as any of its level, which is "optimal pure"."""
    (counts,) = (each for each in found if each.key == "optimal_pure")
    if counts.at_limit or counts.compositions >= best.compositions:
        return ""
    return say(
        f"Noise on whole numbers spends more: only **{counts.compositions:,}** counts that one person moves by 1 fit.",
        standing_of=counts,
    )


def _level_words(asked: _Asked, plan: Plan | None) -> None:
    if plan is None:
        st.markdown(
            f"No ε₀ from {small(SMALLEST)} on, where the search stops, is small enough for "
            f"{counted(asked.releases, 'release')} within this target."
        )
        return
    each = "The one planned release" if asked.releases == 1 else f"Each of the **{asked.releases:,}** planned releases"
    more = " or more" * plan.at_limit
    paragraph(f"{each} may use ε₀ up to **{{plan.epsilon0}}**{more}.", plan=plan)
    controls.offer_epsilon0(as_told(plan.quantity("epsilon0")))


def _bars(
    asked: _Asked,
    found: list[Plan],
    what: figures.What,
    *,
    table: Callable[[], pd.DataFrame],
    now: Callable[[], list[Plan]] | None = None,
) -> None:
    """Draw what is allowed; with `now`, what it is at the supposed target, the chart follows the dial."""

    def headline() -> str:
        plans = now() if now else found
        return _headline(_asked(), plans[0], largest_proven(plans, by="compositions") or plans[0])

    sizes = "; ".join(
        f"{figures.plan_name(plan)} {figures.allowed(plan, what=what)}{' or more' * plan.at_limit}" for plan in found
    )
    words = "Largest number of releases" if what == "releases" else f"Largest ε₀ of each of {asked.releases:,} releases"
    chart(
        lambda: figures.plans(now() if now else found, what=what),
        "releases_allowed" if what == "releases" else "level_allowed",
        alt=f"{words} within ε′ = {asked.target:g} and δ = {small(asked.delta)}: {sizes}.",
        dials=[TARGET] if now else (),
        headline=headline,
        table=table,
        notes={"target": f"epsilon {asked.target!r}, delta {asked.delta!r}"},
    )


def _too_many(releases: Plan | None, *, k: int) -> None:
    safe, spends = "safe", "spends"
    if releases is not None and releases.at_limit:
        safe, spends = "proven to be safe", "may spend"
    hatched = f"A hatched one **allows more than is {safe}**: it {spends} more than the target."
    dimension = "" if k == 1 else f", for the k = {k:,} of your scenario"
    claims = filter(None, (each.claim for each in ACCOUNTANTS.values()))
    st.markdown(f"The amber bars are claims of the paper{dimension}. {hatched}", help=badges.legend(*claims))


def _name(key: str, pair: _Pair) -> str:
    return figures.truth_name(*_present([*pair])) if key == "exact" else short_name(key)


def _table(asked: _Asked, rows: dict[str, _Pair]) -> None:
    st.table(
        {
            "Accountant": [f"{_name(key, pair)} {badges.of(_worth(key, pair, rows))}" for key, pair in rows.items()],
            "Releases": [
                f"{plan.compositions:,}{' or more' * plan.at_limit}{_warning(plan, rows, 'releases', 'too many')}"
                if plan
                else "on its way"
                for plan, _ in rows.values()
            ],
            "ε₀ of each": [
                _level_cell(key, pair[1], asked.releases, pending=key == "exact" and pair[0] is None)
                + _warning(pair[1], rows, "level", "too high")
                for key, pair in rows.items()
            ],
        },
        hide_index=True,
        alt="What each accountant allows: the number of releases, and the level of each of the planned ones.",
    )
    st.caption("Releases: how many fit. ε₀ of each: for as many as you plan. Larger is better, if proven.")


def _worth(key: str, pair: _Pair, rows: dict[str, _Pair]) -> object:
    """Return what the badge of a row speaks of: a claim's own numbers, which are right here if none of them allows too much."""
    by, level = ACCOUNTANTS.get(key), pair[1]
    if by is None or not by.claim or level is None or None in (pair[0], *rows["exact"]):
        return by or ExactComposition
    too_much = _warning(pair[0], rows, "releases", "too many") or _warning(level, rows, "level", "too high")
    return replace(level.quantity("epsilon0"), holds=not too_much)


def _warning(plan: Plan | None, rows: dict[str, _Pair], what: figures.What, words: str) -> str:
    """Return the mark of a claim that allows too much."""
    found = _present([pair[0 if what == "releases" else 1] for pair in rows.values()])
    return f" ({words})" if plan is not None and figures.too_much(plan, found, what=what) else ""


def _level_cell(key: str, plan: Plan | None, releases: int, *, pending: bool) -> str:
    if plan is not None:
        return written(plan.quantity("epsilon0")) + " or more" * plan.at_limit
    if pending:
        return "on its way"
    too_many = key in ACCOUNTANTS and releases > ACCOUNTANTS[key].largest
    return "too many to count" if too_many else f"none from {small(SMALLEST)} on"
