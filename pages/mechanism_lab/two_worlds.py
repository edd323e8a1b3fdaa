"""One answer, two worlds: how likely a published count is in either, what it gives away, and what it makes of a belief."""

import streamlit as st

from pages.mechanism_lab.lab_settings import DELTA, EPSILON, NOISE, choose_epsilon
from pages.shared import controls, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph, say, told
from pages.shared.words import amount, level
from par_core.figures import lab_two_worlds as figures
from par_core.lab import ten_students
from par_core.lab.two_worlds import WITH, WITHOUT, TwoWorlds, two_worlds
from par_core.mechanisms import NOISES, strongest_belief
from par_core.mechanisms.belief import updated
from par_core.questions.blocks import Formula
from par_core.questions.glossary import explain

ANSWER = settings.number("lwa", "Published answer", 42.0, at_least=-1e6, at_most=1e6)
PRIOR = settings.number("lwp", "Belief before", 0.5, at_least=0.0, at_most=1.0)
FAILS = settings.number("lwf", "Belief that a student failed", ten_students.FAILS, at_least=0.001, at_most=0.999)

_DIALS = (ANSWER, EPSILON)
_POSTERIOR = "lecture-posterior"
_FORMULAS = (
    Formula(
        "Privacy loss of an answer, and what it does to the odds of a belief",
        r"\text{loss}(z) = \ln\frac{p_{41}(z)}{p_{40}(z)}, \qquad"
        r" \frac{P(41 \mid z)}{P(40 \mid z)} = e^{\text{loss}(z)}\,\frac{P(41)}{P(40)}",
        updated,
        "Bayes' rule",
        "For somebody who knows the count of everybody else.",
    ),
    Formula(
        "Between what a belief stays if no answer loses more than ε",
        r"\frac{q}{q + e^{\varepsilon}(1 - q)} \le P(41 \mid z) \le \frac{e^{\varepsilon} q}{e^{\varepsilon} q + 1 - q}",
        strongest_belief,
        "lecture, page 13: ε-semantic privacy, with the odds instead of the belief",
        "q is the belief before. With Gaussian noise it holds but for the probability that the loss exceeds ε.",
    ),
)


def draw() -> None:
    """Draw the section."""
    main, side = chart_and_controls()
    with side:
        dial(ANSWER, hint=explain("lab_answer"), steps=_seen().stops)
        choose_epsilon()
        if controls.choice(NOISE, hint=explain("lab_noise"), words=lambda kind: NOISES[kind].name) == "gaussian":
            controls.number(DELTA, hint=explain("delta"))
        controls.number(PRIOR, hint=explain("lab_prior"), step=0.05)
    with main:
        seen = _seen()
        st.markdown(_headline(), help=explain("lab_times"))
        paragraph(
            "Somebody knows that {others} others failed; what this answer tells them of Angie is a privacy loss of {seen.size}.",
            others=WITHOUT,
            seen=seen,
            help=explain("lab_loss"),
        )
        chart(
            lambda: figures.densities(_seen()),
            "two_worlds",
            dials=_DIALS,
            headline=_headline,
            alt="How likely each answer is in two worlds. At {seen.answer:g} the privacy loss is {seen.size}; a belief of "
            "{seen.prior:percent} becomes {seen.raised}.",
            seen=seen,
            notes={"source": seen.source, "limits": seen.limits},
        )
        if seen.answer != ANSWER.value():
            st.caption(f"This noise gives whole numbers: {amount(ANSWER.value(), 6)} is read as {seen.answer:,.0f}.")
        _bounds(seen)
        chart(
            lambda: figures.losses(_seen()),
            "loss_of_an_answer",
            dials=_DIALS,
            alt="Privacy loss of each answer; it is {seen.size} in size at {seen.answer:g}, and ε is {seen.epsilon:g}.",
            seen=seen,
            notes={"source": seen.source, "limits": seen.limits},
        )
        _students()
        formula_expander("two_worlds", _FORMULAS)


def _seen() -> TwoWorlds:
    return two_worlds(NOISE.value(), EPSILON.value(), delta=DELTA.value(), answer=ANSWER.value(), prior=PRIOR.value())


def _headline() -> str:
    seen = _seen()
    if seen.loss:
        times = "over a billion times" if seen.is_certain else "{seen.ratio} times"
        world, after = ("failed", "{seen.raised}") if seen.loss > 0 else ("passed", "{seen.lowered}")
        words = f"{times} as likely if Angie {world}: belief {{seen.prior:percent}} → {after}"
    else:
        words = "as likely in both worlds: belief stays {seen.prior:percent}"
    return told(f"## An answer of {{at}} is {words}", seen=seen, at=amount(seen.answer, 6))


def _bounds(seen: TwoWorlds) -> None:
    """Say how far any answer can move a belief, and what noise without a largest loss does beside."""
    limits = (
        "odds of a belief change by at most a factor of e^ε = {seen.factor}: {seen.prior:percent} ends between {seen.lowest} and "
        "{seen.highest}."
    )
    if not seen.one_in:
        whole = f" Every answer up to {WITHOUT}, or from {WITH} on, gives all of that away."
        st.markdown(say(f"**Whatever is published**, the {limits}", seen=seen) + whole)
        return
    share = "{seen.exceeds} of releases lose" if seen.exceeds >= 0.001 else "1 of {seen.one_in} releases loses"
    paragraph(
        f"**If an answer loses at most ε**, the {limits} {seen.noise} noise has no largest loss: at most {share} more, in the tails.",
        seen=seen,
    )


def _students() -> None:
    """Draw the lecture's example: three queries about ten students, with and without noise."""
    with st.expander("The lecture's ten students", key="ten_students", on_change="rerun") as expander:
        if not expander.open:
            return
        fails = controls.number(FAILS, hint=explain("lab_fails"), step=0.05)
        beliefs = [(query, ten_students.student_belief(query, fails=fails)) for query in ten_students.QUERIES]
        rows = [
            {
                "Query": query.words,
                "Belief that": f"{query.about} failed",
                "Exact answer": told(f"{query.exact}: {{found.exact}}", found=found),
                "With the lecture’s noise": told(f"{query.answer}: {{found.after}}", found=found),
                f"With noise for {level(EPSILON.value())}": told(
                    f"{query.answer}: {{found.after}}",
                    found=ten_students.student_belief(query, EPSILON.value(), fails=fails),
                ),
            }
            for query, found in beliefs
        ]
        st.table(rows, hide_index=True, alt="Answers of three queries, and what each makes of a belief.")
        _, third = beliefs[-1]
        paragraph(
            "Each column has the answer and the belief after it; Angie and Eva are the female students. The lecture’s noise is discrete "
            "Laplace noise for {own:level}; with it the third answer has a probability of {third.chance}.",
            own=ten_students.EPSILON,
            third=third,
        )
        if fails == ten_students.FAILS:
            from par_core.claims import check  # late: only an open expander needs the ledger

            claim = check(_POSTERIOR).claim
            paragraph(
                "The lecture has {said:percent} for the belief after it.", said=claim.published, standing_of=_POSTERIOR
            )
