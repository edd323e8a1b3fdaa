"""Coins: everybody answers with coins of their own, and the share of "yes" is estimated all the same."""

from functools import partial

import streamlit as st

from pages.mechanism_lab.lab_settings import EPSILON, choose_epsilon
from pages.shared import controls, downloads, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph, told
from par_core.figures import lab_coins as figures
from par_core.figures.drawing import Drawing
from par_core.lab import coins
from par_core.mechanisms import strongest_belief
from par_core.questions.blocks import Formula
from par_core.questions.glossary import explain
from par_core.rounding import amount, rounded, small
from par_core.standing import quantity_of

FROM = settings.choice("lcfrom", "Survey", ("drawn", "own"))
TRUE = settings.number("lcyes", "True share of yes", 0.3, at_least=0.0, at_most=1.0)
PEOPLE = settings.whole("lcn", "People asked", 1_000, at_least=1, at_most=coins.MOST_PEOPLE)
SAID = settings.whole("lcsaid", "Said yes", 430, at_least=0, at_most=coins.MOST_PEOPLE)
SEED = settings.whole("lcseed", "Seed of the draw", 2, at_least=0, at_most=10**9)

_SEEN = 5e-4  # of a share: less is not seen in what is told
_SHARES = tuple(round(0.02 * step, 2) for step in range(51))
_FORMULAS = (
    Formula(
        "Estimate from what people say",
        r"\hat p = \frac{e^\varepsilon + 1}{e^\varepsilon - 1}\left(\bar y - \frac{1}{e^\varepsilon + 1}\right),\qquad"
        r" P(\text{truth}) = \frac{e^\varepsilon}{e^\varepsilon + 1}",
        coins.Survey,
        "expected share of people who say yes, solved for the true share",
        "Everybody follows the coins. The interval is that of Clopper and Pearson for the share who say yes, put through the same formula.",
    ),
    Formula(
        "The lecture's bound on its error, exceeded with probability β = 5 % at most",
        r"|\hat p - p| \le \frac{e^\varepsilon + 1}{e^\varepsilon - 1}\sqrt{\frac{\ln(2/\beta)}{2n}}",
        coins.SurveyErrors,
        "Hoeffding's inequality; lecture on mechanisms",
        "For every true share. The exact curve is for the share that is set here.",
    ),
    Formula(
        "Error of a trusted curator, exceeded with probability β",
        r"|\text{noise}|/n \le \frac{\ln(1/\beta)}{\varepsilon n}",
        coins.SurveyErrors,
        "law of Laplace noise on a count, sensitivity 1",
        "The curator knows all true answers, and publishes one noisy count.",
    ),
)


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        _controls()
    with main:
        if _is_own() and SAID.value() > PEOPLE.value():
            st.info(f"{SAID.value():,} cannot have said yes of {PEOPLE.value():,} who were asked.")
            return
        found = _survey()
        st.markdown(_headline())
        paragraph(
            "The interval from {found.low} to {found.high} holds the true share in 95 of 100 such surveys.", found=found
        )
        chart(
            _figure,
            "coins_survey",
            dials=_dials(),
            headline=_headline,
            alt="Shares of yes: {said:,} of {found.people:,} said it, which is estimated as {found.share}, from {found.low} to "
            "{found.high}.",
            said=found.said,
            found=found,
            notes={"source": found.source},
        )
        _deniability(found)
        _price(found)
        formula_expander("coins", _FORMULAS)
        downloads.button(
            "Script for a survey (Python)",
            partial(_script, EPSILON.value()),  # made later, without a session
            "randomised_response.py",
            key="coins_script",
            hint="Each person answers with OpenDP's coins on their own device; the script estimates the shares from all answers.",
        )


def _script(epsilon: float) -> str:
    """Return the script; imported here, because only a reader who wants it needs it."""
    from par_core.export.mechanism_code import randomised_response_code

    return randomised_response_code(epsilon).text


def _controls() -> None:
    controls.choice(FROM, hint=explain("survey"), words={"drawn": "Drawn", "own": "My own"}.__getitem__)
    choose_epsilon(hint="coins_epsilon")
    if not _is_own():
        dial(TRUE, hint=explain("true_share"), steps=_SHARES)
    controls.whole(PEOPLE, hint=explain("people_asked"))
    if _is_own():
        controls.whole(SAID, hint=explain("said_yes"))
    else:
        controls.whole(SEED, hint=explain("lab_seed"))
    controls.button("Two fair coins", EPSILON.put, coins.TWO_COINS, hint=explain("two_coins"))
    lecture = {FROM: "own", SAID: 430, PEOPLE: 1_000, EPSILON: coins.TWO_COINS}
    controls.button(
        "The lecture's survey", settings.put_all, lecture, hint="430 of 1,000 said yes, with two fair coins."
    )


def _is_own() -> bool:
    return FROM.value() == "own"


def _dials() -> tuple[settings.Setting[float], ...]:
    return (EPSILON,) if _is_own() else (EPSILON, TRUE)


def _drawn() -> coins.DrawnSurvey:
    return coins.draw(TRUE.value(), PEOPLE.value(), epsilon=EPSILON.value(), seed=SEED.value())


def _survey() -> coins.Survey:
    if _is_own():
        return coins.survey(SAID.value(), PEOPLE.value(), epsilon=EPSILON.value())
    return _drawn().answers


def _figure() -> Drawing:
    return figures.survey(_survey(), drawn=None if _is_own() else _drawn())


def _headline() -> str:
    found = _survey()
    end = "about {found.share} truly are" if _is_own() else "the estimate is {found.share}, the truth {true:percent}"
    true = None if _is_own() else _drawn().true
    return told(f"## {{found.said:,}} of {{found.people:,}} said yes: {end}", found=found, true=true)


def _share(found: coins.Survey) -> float:
    """Return the share that is true, or else the estimated one."""
    return found.share if _is_own() else _drawn().true


def _deniability(found: coins.Survey) -> None:
    share = _share(found)
    paragraph(
        "**Everyone can deny it.** Each tells the truth with probability {found.truth}, so if {share:percent} of all truly are a "
        "yes, {believed} of those who said it are.",
        found=found,
        share=share,
        believed=quantity_of(strongest_belief, share, found.epsilon),
        help=explain("posterior"),
    )
    rule = f"share = {amount(found.factor, 4)} · (share who said yes) − {small(rounded(found.offset, 4))}"
    deviation = " The deviation of this estimate is {found.deviation}." if found.deviation else ""
    paragraph(f"**The rule:** {rule}.{deviation}", found=found)
    if abs(found.share - found.formula) > _SEEN:
        st.caption(
            f"Here the rule gives {amount(100 * found.formula)} %, which is no share. The nearest one is told instead."
        )


def _price(found: coins.Survey) -> None:
    def errors() -> coins.SurveyErrors:
        return coins.errors(_share(_survey()), found.people, epsilon=EPSILON.value())

    now = errors()
    paragraph(
        "**The price of trusting nobody:** with {found.people:,} asked, 95 of 100 surveys are off by at most {now.own_local} percentage "
        "points, a trusted curator with Laplace noise for the same ε by at most {now.own_curator}.",
        found=found,
        now=now,
    )
    chart(
        lambda: figures.errors(errors()),
        "coins_errors",
        dials=_dials(),
        alt="Error in 95 of 100 surveys against the number of people. With {found.people:,}: coins {now.own_local} percentage points, by "
        "the lecture's bound {now.own_bound}, a trusted curator {now.own_curator}.",
        found=found,
        now=now,
        notes={"source": now.source},
    )
    st.caption("Four times as many people halve the error of the coins, and quarter that of the curator.")
