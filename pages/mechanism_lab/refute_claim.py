"""Refute a claim: bets against a claimed privacy level, on releases of a mechanism or on two columns of a file."""

from collections.abc import Callable
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.mechanism_lab import release_columns
from pages.mechanism_lab.lab_settings import DELTA, EPSILON, NOISE, choose_epsilon
from pages.shared import controls, jobs, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph, say
from pages.shared.table_fields import ask
from pages.shared.uploads import is_own
from pages.shared.words import level
from par_core.audit.outputs import EpsilonBound, Refutation, Tried
from par_core.figures import lab_refute_claim as figures
from par_core.lab.refute_claim import AGAINST, FEWEST_PAIRS, MOST_PAIRS, TriedClaim, try_claim
from par_core.mechanisms import NOISES
from par_core.questions.blocks import Formula
from par_core.questions.glossary import explain
from par_core.rounding import small

FROM = settings.choice("lff", "Outputs", ("drawn", "table"))
AGAINST_WHAT = settings.choice("lfa", "The claim", AGAINST)
SHARE = settings.number("lfs", "Share of its noise", 0.5, at_least=0.05, at_most=2.0)
PAIRS = settings.whole("lfp", "Pairs at most", 2_000, at_least=FEWEST_PAIRS, at_most=MOST_PAIRS)
SEED = settings.whole("lfd", "Seed of the outputs", 1, at_least=0, at_most=10**9)
CLAIMED_DELTA = settings.number("lfx", "Claimed δ", 0.0, at_least=0.0, at_most=0.5)

_SHARES = tuple(round(0.05 * step, 2) for step in range(5, 26))
_FORMULAS = (
    Formula(
        "Wealth of the bets: E is a set of answers, λ a stake, both chosen from earlier pairs",
        r"W_t = W_{t-1}\left(1 + \lambda_t\left(1[x_t \in E_t] - e^\varepsilon\, 1[y_t \in E_t] - \delta\right)\right),\qquad"
        r" P(\text{some } W_t \ge 20) \le \tfrac{1}{20} \text{ if the claim holds}",
        Refutation,
        "testing by betting (Waudby-Smith and Ramdas 2024; González and others 2025), Ville's inequality",
        "Each pair is drawn independently of earlier ones. In the other direction x and y change places.",
    ),
    Formula(
        "A curve is many lines, and each is bet against",
        r"P(E) \le e^\varepsilon Q(E) + \delta(\varepsilon) \text{ for every } \varepsilon \ge 0",
        Refutation,
        "Dong, Roth and Su (2022), Proposition 2.12",
        "Eight of the lines are used.",
    ),
    Formula(
        "ε at least, from all pairs at once",
        r"\varepsilon \ge \ln\frac{p_\text{low} - \delta}{q_\text{high}}",
        EpsilonBound,
        "set of answers chosen on one half, ends of Clopper and Pearson on the other",
        "Each end is wrong in at most 2.5 % of samples.",
    ),
)


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        words = {"drawn": "Drawn", "table": "A table"}
        controls.choice(FROM, hint=explain("refuted_outputs"), words=words.__getitem__)
        choose_epsilon(hint="claimed_epsilon", label="Claimed ε")
        words = {"level": "ε alone", "curve": "Its whole curve"}
        controls.choice(AGAINST_WHAT, hint=explain("claimed_curve"), words=words.__getitem__)
    if FROM.value() == "table":
        _draw_table(main, side)
        return
    with side:
        dial(SHARE, hint=explain("share_of_noise"), steps=_SHARES)
        _choose_noise()
        controls.whole(PAIRS, hint=explain("refuting_pairs"))
        controls.whole(SEED, hint=explain("lab_seed"))
    with main:
        _show(lambda: _drawn().tried, dials=(EPSILON, SHARE))
        found = _drawn()
        paragraph(
            "**In truth** these outputs have {found.share:percent} of the noise that the claim takes, and ε is {found.truth}.",
            found=found,
        )
        _explain(found.tried)


def _draw_table(main: DeltaGenerator, side: DeltaGenerator) -> None:
    """Try the claim on two columns of a table, beside the page: they can hold millions of pairs."""
    with side:
        if _is_curve():
            _choose_noise()
        else:
            controls.number(CLAIMED_DELTA, hint=explain("delta"))
    with main:
        table = release_columns.open_table()
    columns = ask(main, side, partial(release_columns.choose, table))
    if columns is None:
        return
    claimed: Any = EPSILON.value()
    delta = CLAIMED_DELTA.value()
    if _is_curve():
        claimed, delta = NOISES[NOISE.value()].for_epsilon(claimed, sensitivity=1, delta=DELTA.value()), 0.0
    with main:
        found = jobs.run(
            "refute_claim",
            partial(release_columns.tried, columns, claimed, delta),
            inputs=(columns.key, claimed, delta),
            label="Betting",
            deadline=jobs.LONG,
            public=not is_own(table),
        )
        if found is not None:
            _show(lambda: found)
            _explain(found)


def _choose_noise() -> None:
    if controls.choice(NOISE, hint=explain("lab_noise"), words=lambda kind: NOISES[kind].name) == "gaussian":
        controls.number(DELTA, hint=explain("delta"))


def _is_curve() -> bool:
    return AGAINST_WHAT.value() == "curve"


def _drawn() -> TriedClaim:
    return try_claim(
        NOISE.value(),
        EPSILON.value(),
        PAIRS.value(),
        share=SHARE.value(),
        delta=DELTA.value(),
        against="curve" if _is_curve() else "level",
        seed=SEED.value(),
    )


def _claim() -> str:
    """Return what is claimed, in words."""
    noise, is_drawn = NOISES[NOISE.value()], FROM.value() == "drawn"
    delta = CLAIMED_DELTA.value()
    if is_drawn or _is_curve():
        delta = DELTA.value() if NOISE.value() == "gaussian" else 0.0
    claimed = level(EPSILON.value()) + f", δ = {small(delta)}" * (delta > 0.0)
    return f"curve of {noise.name} noise, {claimed}," if _is_curve() else claimed


def _headline(tried: Tried) -> str:
    found = tried.refutation
    if found.refuted_after is not None:
        return f"## Claimed {_claim()} refuted after {found.refuted_after:,} pairs"
    how = "refuted by all {} pairs at once" if tried.at_once else "not refuted by {} pairs"
    return f"## Claimed {_claim()} {how.format(f'{found.pairs:,}')}"


def _show(tried: Callable[[], Tried], *, dials: tuple[settings.Setting[float], ...] = ()) -> None:
    """Draw the headline and the wealth."""
    found = tried().refutation
    st.markdown(_headline(tried()))
    words = "Bets refute a true claim in at most 5 % of samples, however long one looks; all pairs at once as rarely."
    st.markdown(say(words, standing_of=found))
    chart(
        lambda: figures.wealth(tried().refutation, claim=_claim().removesuffix(",")),
        "refute_claim",
        dials=dials,
        headline=(lambda: _headline(tried())) if dials else None,
        alt="Wealth of bets against the claim after each of {found.pairs:,} pairs: it reaches {found.highest} times the stake. At 20 "
        "the claim is refuted.",
        found=found,
        notes={"source": found.source, "limits": found.limits},
    )


def _explain(tried: Tried) -> None:
    """Say what a fixed sample says, where the inputs are told apart, and what is not said."""
    found, bound, check = tried.refutation, tried.bound, tried.check
    drawn, inputs = ("with the person", "without"), ("on the first input", "on the second")
    inputs = drawn if FROM.value() == "drawn" else inputs
    if found.refuted_after is None and not tried.at_once:
        paragraph(
            "**Not refuted is not confirmed.** The wealth reached {found.highest}; it takes 20. More pairs, or two other "
            "inputs, may refute it.",
            found=found,
        )
    if bound.epsilon > 0.0:
        paragraph(
            "**All pairs at once:** ε is at least {bound.epsilon}, with {bound.level:percent} confidence. {bound.chosen_by:,} pairs chose "
            "where to look, the others measured.",
            bound=bound,
        )
        paragraph(
            "**Where to look:** an answer {what} has a probability of at least {bound.low} {one}, and of at most {bound.high} {other}.",
            what=bound.answers.words,
            bound=bound,
            one=inputs[bound.likelier - 1],
            other=inputs[2 - bound.likelier],
        )
    else:
        st.markdown("**All pairs at once** say nothing of ε: they are too few, or the noise is large.")
    if check is not None:
        paragraph(
            "**Against the curve, at once:** an attack has at most {check.false_positive} false alarms and misses at most "
            "{check.false_negative}. The claim allows no fewer misses than {check.allowed}"
            + (": it is refuted." if check.is_refuted else ": that refutes nothing."),
            check=check,
        )
    st.caption(
        "Each pair holds one output on either input, the person's data in one of them. Pairs must be drawn independently of each other."
    )
    formula_expander("refute_claim", _FORMULAS)
