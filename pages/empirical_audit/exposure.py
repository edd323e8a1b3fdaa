"""The section "Who is exposed?": the verdict, exposure against ε, the ranking, and the answers with and without one of them."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.empirical_audit import current_audit, formulas, ranking_and_certificate
from pages.empirical_audit.checks import note_chance, warn
from pages.empirical_audit.current_audit import Audited
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.say import paragraph, say, told
from pages.shared.words import amount, level
from par_core.audit.auditing import AuditAt
from par_core.audit.curves import density_curves
from par_core.audit.deltas import LARGEST_EPSILON
from par_core.audit.intervals import AuditIntervals, intervals
from par_core.errors import InfeasibleError
from par_core.figures import empirical_audit as figures
from par_core.figures.drawing import Drawing
from par_core.mechanisms import strongest_belief
from par_core.questions.glossary import explain
from par_core.standing import quantity_of

EPSILON = settings.number("ee", "Level ε", 0.1, at_least=1e-4, at_most=100.0)
WHICH = settings.choice("ewhich", "Show", ("delta", "total"))
ALLOWED = settings.number("ed", "Largest δ that will do", 0.02, at_least=1e-9, at_most=1.0)
RANK = settings.whole("erank", "Individual, by rank", 1, at_least=1, at_most=50)
INTERVALS = settings.switch("eint", "Intervals", default=True)

_WHICH_WORDS = {"delta": "the most exposed", "total": "all together"}
_LISTED = 10
_NOTHING = 0.99  # an upper limit of δ* beyond this is no news


def ranked(ranking: Any) -> tuple[int, int]:
    """Return the individual of a ranking (n,) that the reader has chosen, and the rank: the last where there are not so many."""
    rank = min(RANK.value(), len(ranking))
    return int(ranking[rank - 1]), rank


def start_one() -> tuple[DeltaGenerator, Audited, AuditAt, int, int] | None:
    """Draw what a section on one individual asks; returns the place of the chart, the audit, also at ε, the individual and the rank."""
    main, side, audited = current_audit.start()
    with side:
        epsilon = dial(EPSILON, hint=explain("audit_epsilon"))
        controls.whole(RANK, hint=explain("ranking"))
    if audited is None:
        return None
    with main:
        warn(audited.result)
    at = audited.result.at(epsilon)
    return main, audited, at, *ranked(at.ranking)


def enough(audited: Audited, fewest: int) -> bool:
    """Return whether there are as many databases as a section needs, and say so where there are not."""
    if len(audited.result.databases) >= fewest:
        return True
    st.markdown("## Too few databases: nothing can be said")
    st.info(f"This needs at least {fewest:,} databases. Take more subsamples, or a file with more databases.")
    return False


def draw() -> None:
    """Draw the section."""
    main, side, audited = current_audit.start()
    with side:
        epsilon = dial(EPSILON, hint=explain("audit_epsilon"))
        which = controls.choice(WHICH, hint=explain("total_risk"), words=_WHICH_WORDS.__getitem__)
        controls.number(ALLOWED, hint=explain("allowed_delta"))
        controls.switch(INTERVALS, hint=explain("audit_intervals"))
    if audited is None:
        return
    with main:
        at = audited.result.at(epsilon)
        warn(audited.result)
        _verdict(audited, at)
        ends = None
        if INTERVALS.value():
            work = partial(intervals, audited.result, epsilon)
            ends = audited.run("audit_intervals", work, epsilon, label="Looking for the limits")

        def figure() -> Drawing:
            now = EPSILON.value()
            return figures.exposure(
                audited.result,
                which="total" if which == "total" else "delta",
                own=audited.result.at(now),
                intervals=ends if now == epsilon else None,
            )

        chart(
            figure,
            "exposure",
            dials=(EPSILON,),
            headline=lambda: _headline(audited, audited.result.at(EPSILON.value())),
            about=f"{audited.choice.key} {audited.query!r} {audited.masked}",
            alt=told(
                "δ of the most exposed against ε. At ε = {at.epsilon:g} it is {at.delta}, the total risk {at.total}, with {at.exposed:,} "
                f"of {len(at.deltas):,} exposed. Nothing can be said below 1/{len(audited.result.answers):,}.",
                at=at,
            ),
            notes={
                "source": f"{audited.result.source}; figures 3 and 4",
                "standing": f"{audited.result.standing.value}; {audited.result.limits}",
            },
        )
        _what_exposed_means(at)
        note_chance(audited.result)
        protected = None
        with suppress(InfeasibleError):  # somebody shows more at every ε that is looked at
            protected = ALLOWED.value(), audited.result.protected_from(ALLOWED.value())
        _what_it_is(audited, at, ends, protected)
        individual, rank = _ranking(audited, at)
        _with_and_without(audited, individual, rank)
        ranking_and_certificate.draw(audited, at, ends, protected=protected)
        formula_expander("exposure", formulas.EXPOSURE)


def _headline(audited: Audited, at: AuditAt) -> str:
    who = audited.shown(int(at.ranking[0]), 1)
    return (
        f"## At {level(at.epsilon)}, {f'{at.exposed:,}' if at.exposed else 'none'} of {len(at.deltas):,} {audited.choice.plural} "
        f"{'are' if at.exposed > 1 else 'is'} exposed{f'; the most exposed is {who}' if at.exposed else ''}"
    )


def _verdict(audited: Audited, at: AuditAt) -> None:
    """Say how many are exposed and who most."""
    databases = len(audited.result.answers)
    st.markdown(_headline(audited, at), help=explain("exposed"))
    above = at.above(audited.result.floor)
    have = f"{'Only ' * (above < at.exposed)}{above:,} {'has' if above == 1 else 'have'}" if above else "None has"
    paragraph(
        f"{have} a δ above 1/{databases:,}, below which {databases:,} databases say nothing; the largest is **{{at.delta}}**.",
        at=at,
        help=badges.legend(),
    )


def _what_exposed_means(at: AuditAt) -> None:
    """Say what a δ is, and against whom all this holds."""
    st.markdown(
        told(
            "Not exposed: an attacker 50 % sure that somebody is in the data becomes at most {believed} sure. δ is the excess of "
            "probability over that, as in (ε, δ)-DP, not the chance of a breach, which is larger.",
            believed=quantity_of(strongest_belief, 0.5, at.epsilon),
        )
    )
    st.markdown(
        "This holds against an attacker who knows only how such answers are distributed, and for one query: it is **not differential "
        "privacy**, and does not compose."
    )


def _what_it_is(
    audited: Audited, at: AuditAt, ends: AuditIntervals | None, protected: tuple[float, float] | None
) -> None:
    """Say what the numbers are and are not, and what to do."""
    nobody = told("ε = {most}", most=audited.result.as_quantity("losses", audited.result.losses.max()))
    words = (
        f"{_protected(audited, protected)} Nobody’s is above 0 from {nobody} on. {badges.of(audited.result)} That comes from one "
        "bandwidth for all answers; see “Other densities”."
    )
    if at.total > 0:
        words += say(
            " All together: δ* = {at.total}, which is not the paper’s “probability that someone is compromised”: it treats individuals "
            "as independent.",
            at=at,
        )
    st.markdown(words)
    if ends is not None:
        _say_intervals(at, ends)
    if at.exposed:
        st.markdown(
            "**If that is too much**, add noise (last section), publish for larger groups, or leave those individuals out. For "
            "differential privacy, plan a release in “Your table”."
        )


def _say_intervals(at: AuditAt, ends: AuditIntervals) -> None:
    """Say between which values the truth lies, and which way the estimate errs."""
    total = "between {low} and {total}"
    if ends.total[1] > _NOTHING:
        total = "anywhere above {low}" if ends.delta[0] else "anywhere"
    words = say(
        f"**The true δ lies between {{low}} and {{high}}**, δ* {total}: each in at least {100 * ends.level:g} of 100 audits of "
        "independent databases.",
        low=ends.as_quantity("lower", ends.delta[0]),
        high=ends.as_quantity("upper", ends.delta[1]),
        total=ends.as_quantity("upper", ends.total[1]),
    )
    if not ends.delta[0]:
        words += " With so few databases it is not certain that anyone is exposed."
    if at.exposed:
        words += told(
            " On average the estimates are too high: from half of the {ends.databases:,} databases δ would be {ends.half_delta} and "
            "δ* {ends.half_total}.",
            ends=ends,
        )
    st.markdown(words)


def _protected(audited: Audited, protected: tuple[float, float] | None) -> str:
    """Say from which ε on nobody shows more than the reader allows."""
    if protected is None:
        return f"Even at {level(LARGEST_EPSILON)}, the largest checked, somebody’s δ is above {amount(ALLOWED.value(), 3)}."
    allowed, epsilon = protected
    too_fine = f" (less than {len(audited.result.answers):,} databases can show)" * (allowed < audited.result.floor)
    found = audited.result.as_quantity("losses", epsilon)
    return told(f"Nobody’s δ is above {amount(allowed, 3)} from ε = {{found}} on{too_fine}.", found=found)


def _ranking(audited: Audited, at: AuditAt) -> tuple[int, int]:
    """Draw the ranking; returns the chosen individual and its rank."""
    st.markdown("### The ranking")
    if not at.exposed:
        st.markdown("At this ε nobody stands out; the order is that of how long they stay exposed at smaller ones.")
    listed = min(max(_LISTED, RANK.value()), len(at.ranking))
    if RANK.value() > listed:
        RANK.put(1)
    words = []
    for rank, individual in enumerate(at.ranking[:listed].tolist(), start=1):
        name = "" if audited.masked else f"{audited.shown(individual, rank)}: "
        until, delta = audited.result.quantity("losses", individual), at.quantity("deltas", individual)
        words.append(name + told("δ = {delta}, exposed until ε = {until}", delta=delta, until=until))
    # What identifies an option must not change with ε: the browser sends it back, and it stands in the address.
    st.radio(
        "Choose one to see the answers without it",
        range(1, listed + 1),
        captions=words,
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
    chart(
        figures.densities(curves, name=name),
        "with_and_without",
        alt=f"Density of {curves.databases} answers with everyone and without {name}, bandwidth {amount(curves.bandwidth, 3)}.",
        notes={"source": curves.source, "standing": f"{curves.standing.value}; {curves.limits}"},
    )
    st.caption(
        f"In {int(audited.result.present[individual]):,} of {curves.databases:,} databases. The further the two curves are apart, the more "
        "the answer tells about whether this individual is in the data."
    )
