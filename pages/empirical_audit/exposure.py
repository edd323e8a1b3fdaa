"""The section "Who is exposed?": the verdict, exposure against ε, the ranking, and the answers with and without one of them."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.empirical_audit import current_audit, formulas, ranking_and_certificate
from pages.empirical_audit.checks import say_failed
from pages.empirical_audit.current_audit import Audited
from pages.shared import badges, controls, jobs, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.say import say, told
from pages.shared.words import amount, level
from par_core.audit.auditing import AuditAt
from par_core.audit.curves import density_curves
from par_core.audit.deltas import LARGEST_EPSILON
from par_core.audit.intervals import AuditIntervals, intervals
from par_core.errors import InfeasibleError
from par_core.figures import empirical_audit as figures
from par_core.mechanisms import strongest_belief
from par_core.standing import quantity_of

EPSILON = settings.number("ee", "Level ε", 0.1, at_least=1e-4, at_most=100.0)
WHICH = settings.choice("ewhich", "Show", ("delta", "total"))
ALLOWED = settings.number("ed", "Largest δ that will do", 0.02, at_least=1e-9, at_most=1.0)
RANK = settings.whole("erank", "Individual, by rank", 1, at_least=1, at_most=50)
INTERVALS = settings.switch("eint", "Intervals", default=True)

_WHICH_WORDS = {"delta": "the most exposed", "total": "all together"}
_LISTED = 10
_NOTHING = 0.99  # an upper limit of δ* beyond this is no news
_SECONDS = 120.0


def draw() -> None:
    """Draw the section."""
    main, side, audited = current_audit.start()
    with side:
        epsilon = controls.stepped(EPSILON, hint=explain("audit_epsilon"))
        which = controls.choice(WHICH, hint=explain("total_risk"), words=_WHICH_WORDS.__getitem__)
        controls.number(ALLOWED, hint=explain("allowed_delta"))
        controls.switch(INTERVALS, hint=explain("audit_intervals"))
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
            alt=told(
                "δ of the most exposed against ε. At ε = {at.epsilon:g} it is {at.delta}, the total risk {at.total}, with {at.exposed:,} "
                "of {all:,} exposed. Nothing can be said below {floor}.",
                at=at,
                all=len(at.deltas),
                floor=amount(audited.result.floor, 2),
            ),
            notes={
                "source": f"{audited.result.source}; figures 3 and 4",
                "standing": f"{audited.result.standing.value}; {audited.result.limits}",
            },
        )
        protected = _protecting(audited)
        _what_it_is(audited, at, ends, protected)
        individual, rank = _ranking(audited, at)
        _with_and_without(audited, individual, rank)
        ranking_and_certificate.draw(audited, at, ends, protected=protected)
        formula_expander("exposure", formulas.EXPOSURE)


def _verdict(audited: Audited, at: AuditAt) -> None:
    """Say how many are exposed and who most."""
    number, plural, floor = len(at.deltas), audited.choice.plural, audited.result.floor
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
        told(
            "Not exposed means: whoever is half sure that somebody is in the data is at most {believed} sure after seeing an answer. ",
            believed=quantity_of(strongest_belief, 0.5, at.epsilon),
        )
        + say(
            "For the most exposed the excess over that is **δ = {at.delta}**. δ is an excess of probability, not the chance of a breach, "
            "which is larger.",
            at=at,
        ),
        help=badges.legend(),
    )
    st.markdown(
        f"From {len(audited.result.answers):,} databases **nothing can be said below about {amount(floor, 2)}**"
        + (
            f": only {at.above(floor):,} of the exposed lie{'s' * (at.above(floor) == 1)} above it"
            if at.exposed
            else ""
        )
        + ". All this holds against somebody who knows only how such answers are distributed: it is **not differential privacy**, and "
        "of one query. Two audited queries together can still give somebody away, as a sum and the same sum without them do."
    )


def _what_it_is(
    audited: Audited, at: AuditAt, ends: AuditIntervals | None, protected: tuple[float, float] | None
) -> None:
    """Say what the numbers are and are not, and what to do."""
    nobody = told("ε = {most}", most=audited.result.as_quantity("losses", audited.result.losses.max()))
    words = (
        f"{_protected(audited, protected)} Nobody’s is above 0 from {nobody} on. {badges.of(audited.result)} That δ reaches 0 at all comes "
        "from taking one bandwidth for all answers; other densities do not (see “Other densities”)."
    )
    if at.total > 0:
        words += say(
            " All together: δ* = {at.total}, the paper’s “probability that someone is compromised”, which it is not: it adds up excesses "
            "as if individuals were independent.",
            at=at,
        )
    st.markdown(words)
    if ends is not None:
        _say_intervals(at, ends)
    if at.exposed:
        st.markdown(
            "**What to do** if that is too much: add noise (the last section says how much), publish for larger groups, or leave those "
            "individuals out. For a guarantee that holds whatever anybody knows, plan a release with noise in “Your table”."
        )


def _say_intervals(at: AuditAt, ends: AuditIntervals) -> None:
    """Say between which values the truth lies, and which way the estimate errs."""
    low, high = (ends.as_quantity(name, end) for name, end in zip(("lower", "upper"), ends.delta, strict=True))
    words = "**The true δ lies between {low} and {high}**, δ* "
    if ends.total[1] > _NOTHING:
        words += "anywhere above {low}" if ends.delta[0] else "anywhere"
    else:
        words += "between {low} and {total}"
    words = say(
        f"{words}: each in at least {100 * ends.level:g} of 100 audits of independent databases.",
        low=low,
        high=high,
        total=ends.as_quantity("upper", ends.total[1]),
    )
    if not ends.delta[0]:
        words += " That anybody is exposed is not certain from so few databases."
    if at.exposed:
        words += told(
            " On average the estimates are too high: from half of the {ends.databases:,} databases δ would be {ends.half_delta} and "
            "δ* {ends.half_total}.",
            ends=ends,
        )
    st.markdown(words)


def _protecting(audited: Audited) -> tuple[float, float] | None:
    """Return the δ that the reader allows and the ε from which on nobody has a larger one; None if there is no such ε."""
    allowed = ALLOWED.value()
    try:
        return allowed, audited.result.protected_from(allowed)
    except InfeasibleError:
        return None


def _protected(audited: Audited, protected: tuple[float, float] | None) -> str:
    """Say from which ε on nobody shows more than the reader allows."""
    if protected is None:
        return f"Even at {level(LARGEST_EPSILON)}, the largest that is looked at, somebody’s δ is above {amount(ALLOWED.value(), 3)}."
    allowed, epsilon = protected
    too_fine = (
        f" (less than {len(audited.result.answers):,} databases can show)" if allowed < audited.result.floor else ""
    )
    found = audited.result.as_quantity("losses", epsilon)
    return f"Nobody’s δ is above {amount(allowed, 3)} from {told('ε = {found}', found=found)} on{too_fine}."


def _intervals(audited: Audited, epsilon: float) -> AuditIntervals | None:
    if not INTERVALS.value():
        return None

    found: jobs.Result[AuditIntervals] | None = jobs.run(
        "audit_intervals",
        partial(intervals, audited.result, epsilon),
        inputs=(audited.choice.key, audited.query, epsilon),
        label="Looking for the limits",
        deadline=_SECONDS,
        public=not audited.choice.own,
    )
    return found.value if found is not None and found.complete else None


def _ranking(audited: Audited, at: AuditAt) -> tuple[int, int]:
    """Draw the ranking; returns the chosen individual and its rank."""
    st.markdown("##### The ranking")
    if not at.exposed:
        st.markdown("At this ε nobody stands out; the order is that of how long they stay exposed at smaller ones.")
    listed = min(max(_LISTED, RANK.value()), len(at.ranking))
    if RANK.value() > listed:
        RANK.put(1)

    def words(rank: int) -> str:
        individual = int(at.ranking[rank - 1])
        name = "" if audited.masked else f"{audited.shown(individual, rank)}: "
        until = audited.result.quantity("losses", individual)
        delta = at.quantity("deltas", individual)
        return name + told("δ = {delta}, exposed until ε = {until}", delta=delta, until=until)

    # What identifies an option must not change with ε: the browser sends it back, and it stands in the address.
    RANK.value()
    st.radio(
        "Choose one to see the answers without it",
        range(1, listed + 1),
        captions=[words(rank) for rank in range(1, listed + 1)],
        key=RANK.held,
        help=explain("ranking"),
        persist_state="session",
    )
    st.caption(
        "Ranked by δ at this ε. Who moves a few answers far stays exposed to a larger ε; who moves many a little has the larger δ here."
    )
    rank = RANK.value()
    return int(at.ranking[rank - 1]), rank


def _with_and_without(audited: Audited, individual: int, rank: int) -> None:
    curves = density_curves(audited.result, individual, at_answers=not audited.choice.own)
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
