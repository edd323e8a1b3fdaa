"""What a budget and a wanted accuracy leave of ε, what the accuracy costs, and the range as the paper prints it."""

from dataclasses import replace

import streamlit as st

from pages.budget_minimiser import cost_controls, formulas
from pages.budget_minimiser.breach_money import CLAIM, alone, cautions, given, least, of_full
from pages.budget_minimiser.cost_controls import Model, chosen_model
from pages.budget_minimiser.optimum_words import at_epsilon0, least_average, metrics, two_boxes
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import as_told, paragraph, told, written
from pages.shared.settings import present_scenario
from pages.shared.words import amount, level, level0
from par_core import cost, rounding
from par_core.cost import EpsilonRange, Optimum, UnmetWishError
from par_core.figures import budget_minimiser as figures
from par_core.mechanisms import default_noise
from par_core.questions.glossary import explain
from par_core.scenario import Scenario
from par_core.standing import quantity_of

BUDGET = settings.number("bud", "Budget you have", 40_000.0, at_least=0, at_most=1e24)
ERROR = settings.number("err", "Largest average error", 2.0, at_least=1e-9, at_most=1e12)

_EQUATION_11 = "par-equation-11-range"

_Answer = EpsilonRange | UnmetWishError


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        controls.number(BUDGET, hint=explain("money_there_is"), step=1000.0)
        controls.number(ERROR, hint=explain("largest_error"), step=0.5)
        cost_controls.draw()
    with main:
        model, scenario = chosen_model(), present_scenario()
        if model is None:
            return
        claimed, true = (_range(model, scenario, truth) for truth in cost.TRUTHS)
        own = cost.curve(model, [scenario.epsilon0], k=scenario.k).curves[0]
        _verdict(true, own, scenario)
        bands = (None if isinstance(found, UnmetWishError) else found for found in (claimed, true))
        chart(
            figures.affordable(
                own, budget=BUDGET.value(), currency=scenario.currency, **dict(zip(cost.TRUTHS, bands, strict=True))
            ),
            "what_can_be_afforded",
            alt=f"Budget for a breach against ε at ε₀ = {own.epsilon0:g}, with a budget of {_there_is(scenario)}. "
            f"Claimed: {_plain_range(claimed)}. True: {_plain_range(true)}.",
            notes=cost_controls.notes(own, scenario),
        )
        if not (isinstance(true, UnmetWishError) and true.wish == "accuracy"):
            st.markdown(_rest(true, own, scenario))
            for place, found in two_boxes(own.published_optimum, claimed, true):
                with place:
                    st.markdown(_range_words(found, scenario))
        needed = _budget_for(model, scenario)
        _equation_11(model, scenario)
        cautions(model, scenario, needed)
        formula_expander("afford", formulas.AFFORD)


def _range(model: Model, scenario: Scenario, truth: cost.Truth) -> _Answer:
    try:
        return cost.epsilon_range(
            BUDGET.value(),
            ERROR.value(),
            scenario.epsilon0,
            model=model,
            k=scenario.k,
            sensitivity=_unit(scenario),
            truth=truth,
        )
    except UnmetWishError as unmet:
        return unmet


def _there_is(scenario: Scenario) -> str:
    return written(EpsilonRange.as_quantity("budget", BUDGET.value()), currency=scenario.currency)


def _unit(scenario: Scenario) -> float:
    """Return the sensitivity of all that the release holds: the average error at ε₀ = 1."""
    return scenario.noise_scale * scenario.epsilon0


def _verdict(true: _Answer, own: cost.CostCurve, scenario: Scenario) -> None:
    """Say whether both wishes can be met, in truth, always or on average, and if not which one breaks and by how much."""
    there_is, currency = _there_is(scenario), scenario.currency
    if isinstance(true, EpsilonRange) and true.always_enough:
        always = alone(own.exact_optimum, currency, beside=BUDGET.value())
        st.markdown(f"## Yes: under your cost model {there_is} is enough for a breach after any one release")
        st.markdown(f"A breach costs up to {always}. {given()}")
    elif isinstance(true, EpsilonRange):
        st.markdown(
            "## On average yes, but not always: the true average over releases is "
            f"{least(true.optimum, currency, beside=BUDGET.value())} at best"
        )
        paragraph(
            "In {fails} of releases {best.epsilon:level} does not hold, and under your cost model a breach costs up to {best.baseline}.",
            currency=currency,
            fails=quantity_of(default_noise(own.epsilon0).loss_exceeds, true.optimum.epsilon),
            best=true.optimum,
        )
    elif true.wish == "accuracy":
        st.markdown(f"## No: at {level0(scenario.epsilon0)} the error is too large, whatever the budget")
        st.warning(
            f"The average error is {rounding.error(true.best or 0)}, {amount(true.missing)} more than {_allowed()}. Below the chart: "
            "which ε₀ would do, and its budget."
        )
    else:
        st.markdown(f"## No: under your cost model {_missing(true, scenario)} are missing, even for the average")
        never = replace(Optimum.as_quantity("least", own.exact_optimum.budget), beside=BUDGET.value())
        st.markdown(
            f"You have {there_is}; the true average over releases is never below {written(never, currency=currency)}. {given()}"
        )


def _rest(true: _Answer, own: cost.CostCurve, scenario: Scenario) -> str:
    """Return that the accuracy is met, and where the money is not always enough, what is."""
    close = f"The average error is {rounding.error(scenario.noise_scale)}, as allowed."
    if isinstance(true, EpsilonRange) and true.always_enough:
        return close
    always = of_full(own.baseline, own.exact_optimum.model, scenario.currency)
    return f"{close} After one release a breach can cost up to {always}: only that is always enough. {given()}"


def _allowed() -> str:
    return f"the {amount(ERROR.value(), 4)} that you allow"


def _range_words(found: _Answer, scenario: Scenario) -> str:
    if isinstance(found, UnmetWishError):
        return f"**No ε.** Even the least average is {_missing(found, scenario)} more than there is."
    always = " It pays even for ε₀ alone, so it is enough after any one release." * found.always_enough
    cheapest = f"{level(found.optimum.epsilon)}, for {least(found.optimum, scenario.currency)} on average"
    return f"On average the money is enough for **{_plain_range(found)}**.{always} Cheapest: {cheapest}."


def _missing(unmet: UnmetWishError, scenario: Scenario) -> str:
    return written(Optimum.as_quantity("budget", unmet.missing), currency=scenario.currency)


def _plain_range(found: _Answer) -> str:
    if isinstance(found, UnmetWishError):
        return "no ε"
    return " and ".join(
        told(
            "every ε up to {upper}" if lower == 0 else "ε from {lower} to {upper}",
            lower=EpsilonRange.as_quantity("lower", lower),
            upper=EpsilonRange.as_quantity("upper", upper),
        )
        for lower, upper in found.intervals
    )


def _budget_for(model: Model, scenario: Scenario) -> float:
    """Answer the other way round, what the wanted accuracy costs; return the ε₀ that it needs."""
    needed = cost.budget_for(ERROR.value(), model=model, k=scenario.k, sensitivity=_unit(scenario))
    smallest = written(needed.quantity("epsilon0"))
    claimed, true = (least(found, scenario.currency) for found in (needed.published, needed.exact))
    st.markdown(f"### An average error of at most {amount(ERROR.value(), 4)}: what budget does it take?")
    st.markdown(
        f"It takes ε₀\u00a0=\u00a0{smallest} or more, and the smallest is the cheapest: "
        f"**{of_full(needed.baseline, model, scenario.currency)}** is always enough, {true} on average over releases. {given()} The "
        f"published formula says {claimed}. {badges.of(needed.published.quantity('budget'))}",
        help=badges.legend(CLAIM),
    )
    metrics(
        ("ε₀ needed", smallest, f"{needed.epsilon0:.15g}", "epsilon0"),
        at_epsilon0(needed.exact, scenario.currency),
        least_average("Least, claimed", needed.published, scenario.currency),
        least_average("Least, true", needed.exact, scenario.currency),
    )
    controls.offer_epsilon0(as_told(needed.quantity("epsilon0")))
    return needed.epsilon0


def _equation_11(model: Model, scenario: Scenario) -> None:
    """Show the paper's own range, and say why it contradicts the paper."""
    if not isinstance(model, cost.CostModel):
        return
    try:
        printed = cost.equation_11(BUDGET.value(), ERROR.value(), scenario.epsilon0, model=model, k=scenario.k)
        words = told("ε from {printed.lower} to {printed.upper}", printed=printed)
        if printed.is_empty:
            words += ", which is no ε at all"
    except UnmetWishError:
        words = "no ε at all, because the money is less than the claimed average at every ε"
    st.markdown(
        f"**As the paper prints it**, equation 11 would permit {words}. {badges.of(_EQUATION_11)}",
        help=badges.legend(_EQUATION_11),
    )
    with st.popover("Why does this contradict the paper?"):
        st.markdown(
            "The noise is made for ε₀, so the accuracy sets a limit to ε₀ and none to ε. With the largest error of 2 of its section 5.3 "
            f"the equation forbids every ε below 0.5, and with them the {level(0.274)} that the section recommends."
        )
