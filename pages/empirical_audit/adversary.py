"""The section "What they know": the same audit against somebody who knows a number of each database."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pages.empirical_audit import current_audit, exposure, formulas
from pages.empirical_audit.checks import note_chance, warn
from pages.empirical_audit.current_audit import Audited
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.say import paragraph, say, told
from pages.shared.words import amount, counted, level
from par_core.audit.adversary import GivenAudit, audit_given, contribution, random_groups
from par_core.audit.leave_one_out import answers
from par_core.audit.order import Quantile, Variance
from par_core.audit.queries import PanelCount, PanelMean, PanelSum
from par_core.audit.query import PanelQuery
from par_core.figures import empirical_audit as figures
from par_core.figures.drawing import Drawing
from par_core.progress import Progress
from par_core.questions.glossary import explain
from par_core.randomness import seeded

OTHER: dict[str, PanelQuery] = {
    "median": Quantile(0.5),
    "mean": PanelMean(),
    "sum": PanelSum(),
    "count": PanelCount(),
    "variance": Variance(),
}
"""Numbers of a database that may be known, or published beside another."""

KNOWS = settings.choice("eknow", "They know", ("answer", "size", "own"))
KNOWN = settings.choice("eg", "Another answer", tuple(OTHER))
BUCKETS = settings.whole("ebuck", "Buckets", 3, at_least=1, at_most=20)
FEWEST = settings.whole("eleast", "Fewest databases in one", 10, at_least=2, at_most=1_000)

SEED_OF_GROUPS = 1
_KNOWS_WORDS = {"answer": "another answer", "size": "the size", "own": "a contribution"}


def draw() -> None:
    """Draw the section."""
    main, side, audited = current_audit.start()
    with side:
        epsilon = dial(exposure.EPSILON, hint=explain("audit_epsilon"))
        knows = controls.choice(KNOWS, hint=explain("adversary_knows"), words=_KNOWS_WORDS.__getitem__)
        if knows == "answer":
            controls.choice(KNOWN, hint=explain("known_answer"))
        elif knows == "own":
            controls.whole(exposure.RANK, hint=explain("ranking"))
        controls.whole(BUCKETS, hint=explain("adversary_buckets"))
        controls.whole(FEWEST, hint=explain("fewest_databases"))
        controls.switch(exposure.INTERVALS, hint=explain("audit_intervals"))
    if audited is None:
        return
    with main:
        warn(audited.result)
        individual, rank = exposure.ranked(audited.result.at(epsilon).ranking)
        asked = knows, KNOWN.value() if knows == "answer" else individual * (knows == "own")
        shape = BUCKETS.value(), FEWEST.value()
        work = partial(_work, audited, *asked, *shape)
        found = audited.run("audit_given", work, (asked, shape), label="Auditing the buckets")
        if found is None:
            return
        who = audited.shown(individual, rank)
        what = {"answer": f"the {asked[1]}", "size": "the size", "own": f"what {who} contributes"}[knows]
        if len(found.refused) == len(found.buckets):
            _nothing(found, what)
            return
        _picture(audited, found, what, epsilon, (asked, shape))
        _refused(audited, found)
        _by_chance(audited, found, epsilon, (asked, shape))
        if knows == "own":
            _own(audited, found, individual, rank, epsilon)
        st.markdown(
            "A large bucket mixes what finer knowledge would tell apart, and hides it. Somebody who knows everyone else’s data is not "
            "looked at here: against them no number without noise is private. Noise is under “Add noise”."
        )
        note_chance(audited.result)
        formula_expander("audit_given", formulas.ADVERSARY)


def _work(audited: Audited, knows: str, of: str | int, buckets: int, fewest: int, *, progress: Progress) -> GivenAudit:
    shape = partial(audit_given, audited.result, buckets=buckets, fewest=fewest, progress=progress)
    if knows == "size":
        return shape(audited.panel.sizes())
    if isinstance(of, str):
        return shape(answers(audited.panel, OTHER[of]))
    return shape(contribution(audited.panel, of))


def _nothing(found: GivenAudit, what: str) -> None:
    st.markdown(f"## Too few databases: knowing {what}, nothing can be said")
    st.info(
        f"Every bucket has fewer than {found.fewest:,} databases: {_sizes(found)}. Take fewer buckets, or audit more databases."
    )


def _sizes(found: GivenAudit) -> str:
    return ", ".join(f"{len(each.places):,}" for each in found.buckets)


def _picture(audited: Audited, found: GivenAudit, what: str, epsilon: float, asked: object) -> None:
    """Draw the buckets and say what the largest δ is."""

    def headline() -> str:
        at = found.at(exposure.EPSILON.value())
        return told(
            "## Who knows {what} sees δ up to {at.worst} at {at.epsilon:level}, others {at.without_knowledge}",
            at=at,
            what=what,
        )

    st.markdown(headline(), help=explain("adversary_knows"))
    at = found.at(epsilon)
    largest = max(len(each.places) for each in found.buckets)
    paragraph(
        "From at most {number:,} instead of {all:,} databases, which by itself makes a δ larger.",
        number=largest,
        all=len(audited.result.databases),
        standing_of=at,
        help=badges.legend(),
    )
    names, known = _names(audited, found), "what one contributes" if KNOWS.value() == "own" else what
    ends = None
    if exposure.INTERVALS.value():
        ends = audited.run(
            "given_intervals", partial(found.intervals, epsilon), (asked, epsilon), label="Looking for the limits"
        )

    def figure() -> Drawing:
        now = exposure.EPSILON.value()
        return figures.given(found.at(now), names=names, known=known, intervals=ends if now == epsilon else None)

    chart(
        figure,
        "audit_given",
        dials=(exposure.EPSILON,),
        headline=headline,
        about=f"{audited.choice.key} {audited.query!r} {audited.masked} {asked}",
        alt=told(
            "δ of the most exposed in each of {number} buckets of what is known; at most {at.worst}, and {at.without_knowledge} where "
            "nothing is known.",
            number=len(found.buckets),
            at=at,
        ),
        notes={"source": found.source, "standing": f"{found.standing.value}; {found.limits}"},
    )


def _names(audited: Audited, found: GivenAudit) -> Sequence[str]:
    """Return what each bucket is called; its numbers are exact values, and stand only beside data that anybody may see."""
    named, public = [], not audited.choice.own and not audited.masked
    known = [each for each in found.buckets if each.known]
    for each in found.buckets:
        if not each.known:
            name = "not in it"
        elif not public:
            name = f"bucket {known.index(each) + 1} of {len(known)}"
        elif each.lowest == each.highest:
            name = amount(each.lowest, 4)
        else:
            name = f"{amount(each.lowest, 4)} to {amount(each.highest, 4)}"
        named.append(f"{name}<br>{counted(len(each.places), 'database')}{', too few' * each.refused}")
    return named


def _refused(audited: Audited, found: GivenAudit) -> None:
    """Name the buckets that have too few databases."""
    if found.refused:
        names = [
            name.replace("<br>", ", ").removesuffix(", too few")
            for name, each in zip(_names(audited, found), found.buckets, strict=True)
            if each.refused
        ]
        st.markdown(
            f"**Refused**, with fewer than {found.fewest:,} databases: {'; '.join(names)}. Nothing is said of what can be seen there."
        )


def _by_chance(audited: Audited, found: GivenAudit, epsilon: float, asked: object) -> None:
    """Compare with groups of as many databases that were put together at random."""
    work = partial(random_groups, found, epsilon, rng=seeded(SEED_OF_GROUPS))
    groups = audited.run("random_groups", work, (asked, epsilon), label="Comparing with random groups")
    if groups is None:
        return
    words = say(
        "**Random groups of as many databases** show δ = {groups.median} in half of {groups.times:,} tries, and at most {groups.largest}.",
        groups=groups,
    )
    if groups.share <= 0.05:
        verdict = told(
            " As much as here comes in at most {groups.share} of tries: what they know goes with the answers.",
            groups=groups,
        )
    else:
        verdict = " So what is seen here may come from fewer databases alone: that the knowledge helps is not shown."
    st.markdown(words + verdict, help=explain("random_groups"))


def _own(audited: Audited, found: GivenAudit, individual: int, rank: int, epsilon: float) -> None:
    """Say what the individual whose contribution is known shows, of which the paper is wrong."""
    own = found.of(individual, epsilon)
    known = [delta for delta, each in zip(own, found.buckets, strict=True) if not each.refused and each.known]
    who = audited.shown(individual, rank)
    if known:
        shown = told(
            "δ of {who} is at most {most} given the contribution.",
            who=who,
            most=found.at(epsilon).as_quantity("worst", max(known)),
        )
    else:
        shown = f"no bucket in which {who} is has enough databases."
    st.markdown(
        f"The paper says that against somebody who knows a contribution privacy “will fail for the individual i in question”. "
        f"{badges.of('edp-adversary-own')} It need not: what the others contribute hides it as before. At {level(epsilon)} {shown}"
    )
