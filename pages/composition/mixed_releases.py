"""Releases at different levels: a table of them, what they spend together, and what is left of a target."""

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import NamedTuple

import streamlit as st

from pages.composition import formulas, levels_table, scenario_fields
from pages.composition.release_plans import TARGET
from pages.shared import badges, jobs
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.packed_settings import Rows
from pages.shared.release import is_possible, only_laplace
from pages.shared.say import as_told, say, told, written
from pages.shared.settings import following, present_scenario
from pages.shared.words import HARDLY_PRIVATE
from par_core.composition import (
    ExactComposition,
    RunningCount,
    added_up,
    as_typed,
    exact_mixed,
    first_releases,
    releases_in,
    running,
)
from par_core.composition.of_mechanism import basic_of, mixed_of
from par_core.figures import composition as figures
from par_core.mechanisms import Mechanism
from par_core.questions.glossary import explain
from par_core.rounding import small
from par_core.scenario import Scenario
from par_core.standing import Quantity


def planned(scenario: Scenario) -> Rows:
    """Return the planned releases as a list, which the reader's own begins with."""
    return ((scenario.epsilon0, float(scenario.releases)),)


TABLE = following(levels_table.setting("mix", "Releases at different levels", planned(Scenario())), planned)

_POINTS = 8  # places between the first release and the last at which the exact count is drawn
_APART = Decimal("0.001")  # ends of the exact count that differ by a larger share are both named
_MOST_ENDS = 6  # up to so many rows, after each of them too


def is_own() -> bool:
    """Return whether somebody has made the list: else it is of the planned releases, or an example where no list can hold them."""
    return TABLE.value() != TABLE.opens_on


class _Asked(NamedTuple):
    """What the exact counts depend on."""

    rows: Rows
    delta: float
    other: Scenario | None  # that of another mechanism than the paper's

    def mechanisms(self, number: int) -> tuple[list[Mechanism], list[int]]:
        """Return the mechanism of each row up to so many releases, and how many of it are among them."""
        assert self.other is not None
        firsts = first_releases(self.rows, number)
        return [replace(self.other, epsilon0=level).release for level, _ in firsts], [int(count) for _, count in firsts]


class _Ends(NamedTuple):
    """Between what the exact count certainly lies."""

    lower: Decimal
    upper: Decimal

    @property
    def apart(self) -> bool:
        return self.upper - self.lower > _APART * self.upper


_Exact = dict[int, ExactComposition]


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        rows, without = levels_table.draw(TABLE, hint=explain("mixed_table"))
        target = dial(TARGET, hint=explain("target"))
        scenario_fields.field("delta", "Target δ", hint=explain("delta"))
    with main:
        if not rows:
            st.info("Add at least one release: its ε₀, and how many of its kind there are.")
            return
        scenario = present_scenario()
        if (is_own() or scenario_fields.is_composed()) and is_possible():
            asked = _Asked(rows, scenario.delta, None if scenario.as_published else scenario)
            _spent(asked, target, without=without)


def _spent(asked: _Asked, target: float, *, without: str) -> None:
    answer, room = st.container(), st.container()
    with room:
        work = partial(_exactly, asked)
        exact = jobs.run("mixed_releases", work, inputs=asked, label="Counting exactly", unfinished=True) or {}
    with answer:
        _answer(asked, target, exact.get(releases_in(asked.rows)), without=without)
    _chart(asked, target, exact)
    only_laplace("Corollary 1 of the paper is")
    formula_expander("mixed", formulas.MIXED)


def _exactly(asked: _Asked, *, progress: jobs.Progress) -> _Exact:
    """Count all releases first, then the first ones at some places."""
    places = _places(asked.rows)
    found: _Exact = {}
    for done, number in enumerate(places, start=1):
        if asked.other is not None:
            found[number] = mixed_of(*asked.mechanisms(number), delta=asked.delta)
        else:
            levels, numbers = zip(*first_releases(asked.rows, number), strict=True)
            found[number] = exact_mixed(levels, numbers, delta=asked.delta)
        progress(done / len(places), dict(sorted(found.items())))
    return dict(sorted(found.items()))


def _added(asked: _Asked, number: int) -> Decimal:
    """Return what the first releases come to by basic composition."""
    if asked.other is None:
        return added_up(first_releases(asked.rows, number))
    return as_typed(basic_of(*asked.mechanisms(number), delta=asked.delta))


def _places(rows: Rows) -> list[int]:
    """Return at which numbers of releases the exact count is wanted, all of them first."""
    every = releases_in(rows)
    even = {max(1, round(every * step / _POINTS)) for step in range(1, _POINTS)}
    ends = {releases_in(rows[:end]) for end in range(1, len(rows))} if len(rows) <= _MOST_ENDS else set()
    return [every, *sorted((even | ends) - {every})]


def _answer(asked: _Asked, target: float, exact: ExactComposition | None, *, without: str) -> None:
    """Say whether the list fits into the target, by basic composition and by the exact count.

    `without` says in words what of the table does not count.
    """
    count = releases_in(asked.rows)
    added, wanted = _added(asked, count), as_typed(target)
    ends = None if exact is None else _ends(exact, added)
    st.markdown(f"## {_verdict(count, added, ends, wanted)}" + (f" ({without})" if without else ""))
    if exact is None or ends is None:
        words = f"Basic composition gives ε = {_plain(added)}. {badges.of(added_up)}"
    else:
        spent = f"ε from **{_at_least(ends.lower)}** to **{{upper}}**" if ends.apart else "**ε = {upper}**"
        words = say(
            f"{'A bound on the' if ends.apart else 'The exact'} privacy loss distribution gives {spent} at "
            f"δ\u00a0=\u00a0{small(asked.delta)}, basic composition {_plain(added)}.",
            upper=_at_most(ends.upper, added),
        )
    st.markdown(words, help=explain("spent"))


def _claim_and_meters(asked: _Asked, target: float, exact: ExactComposition | None) -> None:
    """Say what the paper claims, then the two meters of what is used and left of the target."""
    added, wanted = _added(asked, releases_in(asked.rows)), as_typed(target)
    ends = None if exact is None else _ends(exact, added)
    sentences = []
    if exact is not None and asked.other is None:
        counted = running(asked.rows, [releases_in(asked.rows)], delta=asked.delta, k=present_scenario().k)
        too_low = ", **less than is truly spent: no guarantee**" * bool(counted.published[0] < exact.lower)
        claimed = replace(counted.quantity("published", 0), holds=counted.published[0] >= exact.upper)
        sentences.append(say("The paper's Corollary 1 claims {claimed}{too_low}.", claimed=claimed, too_low=too_low))
    if (added if ends is None else ends.upper) > HARDLY_PRIVATE:
        sentences.append("At such an ε next to nothing is protected.")
    if sentences:
        st.markdown(" ".join(sentences), help=badges.legend(formulas.COROLLARY_1))
    _meter("Basic composition", added, wanted)
    if ends is not None:
        _meter("At most" if ends.apart else "Exact", ends.upper, wanted, added)


def _ends(exact: ExactComposition, added: Decimal) -> _Ends:
    """Return between what the exact count certainly lies: never more than the sum as it was typed."""
    return _Ends(min(as_typed(exact.lower), added), min(as_typed(exact.upper), added))


def _verdict(count: int, added: Decimal, ends: _Ends | None, wanted: Decimal) -> str:
    """Return whether it fits, by the sum and by the exact count as far as that is known."""
    many, fit, do, spend = f"{count:,} releases", "fit", "do", "spend"
    if count == 1:
        many, fit, do, spend = "1 release", "fits", "does", "spends"
    spent, budget = added if ends is None else ends.upper, f"ε = {_plain(wanted)}"
    if spent <= wanted:
        how = "by a closer bound" if ends is not None and ends.apart else "counted exactly"
        at_most = _at_most(spent, wanted, added)
        exactly = f", {how}" if as_told(at_most) < float(f"{added:.10g}") else ""
        return f"{many} {fit}: {written(at_most)} of {_plain(wanted)} spent{exactly}"
    if ends is None:
        return f"{many} {spend} more than {budget} by basic composition"
    if ends.lower <= wanted:
        return f"{many} cannot be shown to fit: the exact count is too coarse for {budget}"
    return f"{many} {do} not fit: more than {budget} is spent"


def _meter(name: str, spent: Decimal, wanted: Decimal, *limits: Decimal) -> None:
    left = wanted - spent
    rest = f"{_at_least(left)} left" if left >= 0 else f"{written(_at_most(-left))} too much"
    share = ExactComposition.as_quantity("of_target", float(spent / wanted))
    text = f"{name}: {written(_at_most(spent, wanted, *limits))} of {_plain(wanted)} ({written(share)}), {rest}"
    st.progress(min(share.value, 1.0), text=text)


def _at_least(value: Decimal) -> str:
    return written(ExactComposition.as_quantity("lower", value))


def _at_most(value: Decimal, *limits: Decimal) -> Quantity:
    return ExactComposition.as_quantity("upper", float(value)).within(*map(float, limits))


def _plain(value: Decimal) -> str:
    return f"{float(value):,.10g}"


def _in_the_end(counted: RunningCount | None, exact: Sequence[ExactComposition], added: Decimal) -> str:
    """Return what the counts come to in the end, as it is told beside the picture; nothing before they are known."""
    if not exact:
        return ""
    ends = _ends(exact[-1], added)
    between = f"{_at_least(ends.lower)} to " * ends.apart + written(_at_most(ends.upper, added))
    truth = "in truth" if ends.apart else "exact"
    if counted is None:
        return f", {truth} {between}"
    return told(f", {truth} {between}, Corollary 1 {{counted.published[-1]}}", counted=counted)


def _chart(asked: _Asked, target: float, exact: _Exact) -> None:
    places = list(exact) or sorted(_places(asked.rows))
    counted = None
    if asked.other is None:
        counted = running(asked.rows, places, delta=asked.delta, k=present_scenario().k)
    truth = list(exact.values())
    basic = [float(_added(asked, place)) for place in places]
    spent = figures.Running(asked.delta, target, places, basic, counted.published if counted else None, truth)
    added = _added(asked, releases_in(asked.rows))
    chart(
        figures.running(spent),
        "privacy_spent_by_mixed_releases",
        alt=f"Privacy spent, release by release, with the target {target:g}. After all {places[-1]:,}: basic composition "
        f"{written(_at_most(added))}{_in_the_end(counted, truth, added)}.",
        notes={
            "source": "; ".join(each.source for each in formulas.MIXED),
            "delta": repr(asked.delta),
            "target": repr(target),
        },
    )
    _claim_and_meters(asked, target, exact.get(releases_in(asked.rows)))
    words = "The order of the releases does not change what they spend in the end."
    if spent.claim_leaves:
        words += " Corollary 1 runs off the top of the picture, where it claims more than basic composition."
    st.caption(words)
