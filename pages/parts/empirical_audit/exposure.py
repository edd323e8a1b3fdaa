"""The section "Who is exposed?": the verdict, exposure against ε, the ranking, and the answers with and without one of them."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import streamlit as st

from pages.formulas import empirical_audit as formulas
from pages.parts.empirical_audit import leaving, running
from pages.parts.empirical_audit.checks import say_failed
from pages.parts.empirical_audit.running import Audited
from pages.shared import badges, controls, jobs, settings
from pages.shared.chart import chart
from pages.shared.explain import how
from pages.shared.glossary import explain
from pages.shared.settings import Setting
from pages.shared.words import amount, level, percent
from par_core.empirical.audit import AuditAt, AuditIntervals, intervals_in_batches
from par_core.empirical.curves import density_curves
from par_core.empirical.deltas import LARGEST_EPSILON
from par_core.errors import InfeasibleError
from par_core.figures import empirical_audit as figures
from par_core.randomness import seeded
from par_core.standing import ESTIMATE, PUBLISHED

EPSILON = settings.number("ee", "Level ε", 0.1, at_least=1e-4, at_most=100.0)
WHICH = settings.choice("ewhich", "Show", ("delta", "total"))
ALLOWED = settings.number("ed", "Largest δ that will do", 0.01, at_least=1e-9, at_most=1.0)
RANK = settings.whole("erank", "Individual, by rank", 1, at_least=1, at_most=50)
INTERVALS = settings.switch("eint", "Intervals (takes longer)")
SETTINGS: tuple[Setting[Any], ...] = (EPSILON, WHICH, ALLOWED, RANK, INTERVALS)

_WHICH_WORDS = {"delta": "the most exposed", "total": "all together"}
_LISTED = 10
_RESAMPLES, _SEED, _SECONDS = 200, 1, 120.0


def draw() -> None:
    """Draw the section."""
    main, side, audited = running.start()
    with side:
        epsilon = controls.stepped(EPSILON, hint=explain("audit_epsilon"))
        which = controls.choice(WHICH, hint=explain("total_risk"), words=_WHICH_WORDS.__getitem__)
        controls.number(ALLOWED, hint=explain("allowed_delta"))
        controls.switch(INTERVALS, hint=explain("bootstrap"))
    if audited is None:
        return
    with main:
        at = audited.result.at(epsilon)
        say_failed(audited.result)
        _verdict(audited, at)
        ends = _intervals(audited, epsilon)
        chart(
            figures.exposure(audited.result, which="total" if which == "total" else "delta", own=at, intervals=ends),
            "exposure",
            alt=(
                f"δ of the most exposed against ε. At ε = {epsilon:g} it is {amount(at.delta, 3)}, the total risk "
                f"{amount(at.total, 3)}, with {at.exposed:,} of {len(at.deltas):,} exposed. Nothing can be said below "
                f"{amount(audited.result.floor, 2)}."
            ),
            notes={
                "source": f"{audited.result.source}; figures 3 and 4",
                "standing": f"{audited.result.standing.value}; {audited.result.limits}",
            },
        )
        _what_it_is(audited, at, ends)
        individual, rank = _ranking(audited, at)
        _with_and_without(audited, individual, rank)
        leaving.draw(audited, at, ends)
        how("exposure", formulas.EXPOSURE)


def _verdict(audited: Audited, at: AuditAt) -> None:
    """Say how many are exposed and who most."""
    number, plural = len(at.deltas), audited.choice.plural
    if not at.exposed:
        st.markdown(
            f"#### At {level(at.epsilon)}, none of {number:,} {plural} is exposed beyond ε", help=explain("exposed")
        )
    else:
        who = audited.shown(int(at.ranking[0]), 1)
        st.markdown(
            f"#### At {level(at.epsilon)}, {at.exposed:,} of {number:,} {plural} {'is' if at.exposed == 1 else 'are'} exposed beyond ε; "
            f"the most exposed is {who}",
            help=explain("exposed"),
        )
    st.markdown(
        f"For the most exposed, **δ = {amount(at.delta, 3)}** of probability lies where the answer tells more than ε allows. "
        f"{badges.inline(ESTIMATE)} from {len(audited.result.answers):,} databases: **below {amount(audited.result.floor, 2)} "
        "nothing can be "
        "said**. It is privacy against somebody who knows only how such answers are distributed, **not differential privacy**.",
        help=badges.legend(),
    )


def _what_it_is(audited: Audited, at: AuditAt, ends: AuditIntervals | None) -> None:
    """Say what the numbers are and are not."""
    words = (
        f"{_protected(audited)} Nobody’s is above 0 from {level(float(audited.result.losses.max()))} on. {badges.inline(ESTIMATE)} "
        "That δ reaches 0 at all comes from taking one bandwidth for all answers; other densities do not (see “Other "
        "densities”). δ is an excess of probability, not the chance of a breach."
    )
    if at.total > 0:
        words += (
            f" All together: δ* = {amount(at.total, 3)}, the paper’s “probability that someone is compromised” "
            f"{badges.inline(PUBLISHED)}, which it is not: it adds up excesses as if individuals were independent."
        )
    st.markdown(words)
    if ends is not None:
        rougher = (
            " Databases that are drawn twice make the densities rougher, which raises both: read the width of an interval, not its place."
            if at.total < ends.total[0] or at.delta < ends.delta[0]
            else ""
        )
        st.markdown(
            f"With the databases drawn anew {ends.resamples:,} times, δ lies between {amount(ends.delta[0], 3)} and "
            f"{amount(ends.delta[1], 3)} in {percent(ends.level)} of cases, δ* between {amount(ends.total[0], 3)} and "
            f"{amount(ends.total[1], 3)}. {ends.databases:,} databases carry little information about tails: what no database shows "
            f"cannot be drawn again. {badges.inline(ESTIMATE)}{rougher}"
        )


def _protected(audited: Audited) -> str:
    """Say from which ε on nobody shows more than the reader allows."""
    allowed = ALLOWED.value()
    try:
        return f"Nobody’s δ is above {amount(allowed, 3)} from {level(audited.result.protected_from(allowed))} on."
    except InfeasibleError as error:
        left = amount(error.best or 0.0, 3)
        return f"Even at {level(LARGEST_EPSILON)}, the largest that is looked at, a δ of {left} is left."


def _intervals(audited: Audited, epsilon: float) -> AuditIntervals | None:
    if not INTERVALS.value():
        return None

    def work() -> Generator[float, None, AuditIntervals]:
        return (yield from intervals_in_batches(audited.result, epsilon, resamples=_RESAMPLES, rng=seeded(_SEED)))

    inputs = (audited.choice.key, audited.query, epsilon)
    found: jobs.Result[AuditIntervals] | None = jobs.run(
        "audit_intervals", work, inputs=inputs, label="Drawing databases again", deadline=_SECONDS
    )
    return found.value if found is not None and found.complete else None


def _ranking(audited: Audited, at: AuditAt) -> tuple[int, int]:
    """Draw the ranking; returns the chosen individual and its rank."""
    st.markdown("##### The ranking")
    listed = min(max(_LISTED, RANK.value()), len(at.ranking))
    if RANK.value() > listed:
        RANK.put(1)

    def words(rank: int) -> str:
        individual = int(at.ranking[rank - 1])
        until = f"exposed until {level(float(audited.result.losses[individual]))}"
        return f"{rank}. {audited.shown(individual, rank)}: δ = {amount(float(at.deltas[individual]), 3)}, {until}"

    RANK.value()
    st.radio(
        "Choose one to see the answers without it",
        range(1, listed + 1),
        format_func=words,
        key=RANK.held,
        help=explain("ranking"),
        persist_state="session",
    )
    rank = RANK.value()
    return int(at.ranking[rank - 1]), rank


def _with_and_without(audited: Audited, individual: int, rank: int) -> None:
    curves = density_curves(audited.result, individual)
    name = audited.name(individual, rank)
    present = int(audited.result.present[individual])
    chart(
        figures.densities(curves, name=name),
        "with_and_without",
        alt=f"Density of {curves.databases} answers with everyone and without {name}, bandwidth {amount(curves.bandwidth, 3)}.",
        notes={"source": curves.source, "standing": f"{curves.standing.value}; {curves.limits}"},
    )
    st.caption(
        f"In {present:,} of {curves.databases:,} databases. The further the two curves are apart, the more the answer tells about "
        "whether this individual is in the data."
    )
