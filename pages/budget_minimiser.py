"""Budget minimiser: what a breach would cost, what Privacy at Risk claims to save, and what it saves in truth."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from pages.formulas import budget_minimiser as formulas
from pages.shared import badges, compared_scenarios, controls, cost_controls, frame, sections, settings
from pages.shared.chart import chart
from pages.shared.cost_controls import Model, in_words, model_of
from pages.shared.explain import how
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.optimum_words import above_the_chart, metrics, two_boxes, two_optima
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.sections import Section
from pages.shared.settings import present_scenario
from pages.shared.versioned import present
from pages.shared.words import amount, letters, level, level0, percent
from par_core import cost, privacy_loss
from par_core.cost import UnmetWishError
from par_core.errors import ParameterError
from par_core.figures import budget_minimiser as figures
from par_core.figures.money import money, unrounded
from par_core.scenario import FIELDS, Scenario
from par_core.standing import PROVEN, PUBLISHED

QUESTION = "If what you publish leads to a breach, what will it cost, and how much of that does a clever choice save?"

LEVELS = settings.numbers("lv", "Curves for ε₀", cost.FIGURE_4, at_least=1e-8, at_most=700)
BUDGET = settings.number("bud", "Budget you have", 40_000.0, at_least=0, at_most=1e24)
ERROR = settings.number("err", "Largest average error", 2.0, at_least=1e-9, at_most=1e12)
MOVED = settings.number("pct", "Move each input by, in %", 10.0, at_least=0.1, at_most=90)

_BY_NAME = {field.name: setting for field, setting in zip(FIELDS, settings.scenario_settings(), strict=True)}
_EPSILON0 = _BY_NAME["epsilon0"]


# --- the budget -------------------------------------------------------------------------------------------------------


def _budget() -> None:
    main, side = chart_and_controls()
    with side:
        cost_controls.draw()
        levels0 = controls.number_list(
            LEVELS, hint=f"{explain('epsilon0')} Yours is always drawn too.", offers=("0.1", "0.5", "0.6", "0.7", "1")
        )
        controls.button(
            "The paper's health centre", _health_centre, hint="Section 5.3: ε₀ = 0.5, 100 staff, 5,500 USD."
        )
    with main:
        model, scenario = _model(), present_scenario()
        if model is None:
            return
        drawn = sorted({*levels0, scenario.epsilon0}, reverse=True)
        curves = cost.curve(model, drawn, k=scenario.k)
        own = next(curve for curve in curves.curves if curve.epsilon0 == scenario.epsilon0)
        _headline(own, scenario)
        figure = figures.budgets(curves, own=own.epsilon0, currency=scenario.currency)
        above_the_chart(
            partial(_numbers, own, scenario), partial(_draw, figure, own, scenario, name="budget_for_a_breach")
        )
        _cautions(own, model)
        _story()
        how("budget", formulas.BUDGET)


def _model() -> Model | None:
    """Return the cost model as it is set, or say why there is none."""
    try:
        return model_of(present(cost_controls.ALL))
    except ParameterError as error:
        st.error(f"This cost model contradicts itself: {letters(str(error))}.")
        return None


def _headline(own: cost.CostCurve, scenario: Scenario) -> None:
    """Say what it takes, what the paper says it takes, and what the words mean."""
    true, claimed = own.exact_optimum, own.published_optimum
    cash = partial(money, currency=scenario.currency)
    st.markdown(f"#### Set aside {cash(true.budget)} for a breach; a published formula says {cash(claimed.budget)}")
    st.markdown(
        f"Counting on {level0(own.epsilon0)} alone, a breach costs **{cash(own.baseline)}** ({in_words(present(cost_controls.ALL))}). "
        "The paper *Privacy at Risk* counts on the noise protecting better than that in many releases, and gets by with "
        f"{cash(claimed.budget)}. {badges.inline(PUBLISHED)} It does so less often than the paper says: in truth the least is "
        f"**{cash(true.budget)}**. {badges.inline(PROVEN)}",
        help=badges.legend(),
    )
    if not PRESENT.value():
        st.caption("  \n".join(explain(word) for word in ("breach", "epsilon0", "epsilon")))


def _numbers(own: cost.CostCurve, scenario: Scenario) -> None:
    claimed, true = own.published_optimum, own.exact_optimum
    cash, exactly = (partial(words, currency=scenario.currency) for words in (money, unrounded))
    metrics(
        ("At ε₀ alone", cash(own.baseline), exactly(own.baseline), "baseline"),
        ("Least, claimed", cash(claimed.budget), exactly(claimed.budget), "least_budget"),
        ("Saving, claimed", cash(claimed.saving), exactly(claimed.saving), "saving"),
        ("Saving, true", cash(true.saving), exactly(true.saving), "true_saving"),
    )


def _draw(figure: Any, own: cost.CostCurve, scenario: Scenario, *, name: str) -> None:
    chart(figure, name, alt=_alt(own, scenario), notes=_notes(own, scenario))


def _alt(own: cost.CostCurve, scenario: Scenario) -> str:
    claimed, true = own.published_optimum, own.exact_optimum
    cash = partial(money, currency=scenario.currency)
    return (
        f"Budget for a breach against ε. At ε₀ = {own.epsilon0:g} it is {cash(own.baseline)} without a stronger level, at least "
        f"{cash(claimed.budget)} as published (ε = {claimed.epsilon:.4g}) and {cash(true.budget)} in truth (ε = {true.epsilon:.4g})."
    )


def _notes(own: cost.CostCurve, scenario: Scenario) -> dict[str, str]:
    """Return what the head of the CSV says: the unrounded numbers of the reader's own ε₀, and the cost model."""
    head = {"cost model": f"{own.published_optimum.model.name}: {in_words(present(cost_controls.ALL))}"}
    for found in (own.published_optimum, own.exact_optimum):
        head[f"{found.truth} optimum at epsilon0 = {own.epsilon0!r}"] = (
            f"epsilon {found.epsilon!r}, confidence {found.confidence!r}, budget {found.budget!r}, baseline {found.baseline!r}, "
            f"saving {found.saving!r}, share saved {found.share_saved!r}, money in {scenario.currency}"
        )
        head[f"source, {found.truth}"] = found.source
    return head


def _cautions(own: cost.CostCurve, model: Model) -> None:
    """Say what the number is not, and where the model itself is doubtful."""
    st.markdown(
        "This is the money to have ready **in case of a breach**. It is not an expected cost: how likely a breach is plays no part."
    )
    caveat = getattr(model, "caveat", None)
    if caveat is not None and caveat(own.epsilon0):
        st.warning(letters(caveat(own.epsilon0)))
    if isinstance(model, cost.PiecewiseLinear) and not model.is_convex:
        st.info(
            "Your table is not convex: somewhere it rises more slowly than before. The cheapest ε is found all the same."
        )
    if own.exact_optimum.at_epsilon0:
        st.info(f"In truth no stronger level costs less: the cheapest is {level0(own.epsilon0)} itself.")


def _story() -> None:
    with st.expander("The story behind the paper's numbers", key="health_centre_story", on_change="rerun") as expander:
        if not expander.open:
            return
        plain = Scenario()
        centre = cost.CostModel(plain.compensation, plain.stakeholders)
        claimed, true = (centre.optimum(plain.epsilon0, truth=truth) for truth in cost.TRUTHS)
        cash = partial(money, currency=plain.currency)
        st.markdown(
            "A university's health centre publishes twice a year how many of its staff are obese: in January 34 of 99, in July "
            "35 of 100. The staff list is public, and John Doe is the only newcomer. Now everyone knows about him, though no "
            "name was published: that is the **breach**.\n\n"
            "So the centre adds noise before it publishes. A count that is off by 2 on average will do, which allows "
            f"{level0(plain.epsilon0)}. Research puts the extra health insurance premium of an obese person at about "
            f"{cash(plain.compensation)}: what each of the {plain.stakeholders} staff would be paid if nothing had protected "
            f"them. At {level0(plain.epsilon0)} a breach reveals less and costs {cash(claimed.baseline)}. The paper finds "
            f"{cash(claimed.budget)} to be enough, a saving of {cash(claimed.saving)}. {badges.inline(PUBLISHED)} With the true "
            f"confidence it is {cash(true.budget)}, a saving of {cash(true.saving)}. {badges.inline(PROVEN)}"
        )


def _health_centre() -> None:
    """Put everything back to section 5.3 of the paper, and open its story."""
    plain = Scenario()
    for name in (
        "epsilon0",
        "k",
        "sensitivity",
        "rows_per_person",
        "statistics",
        "stakeholders",
        "compensation",
        "currency",
    ):
        _BY_NAME[name].put(getattr(plain, name))
    for setting in (*cost_controls.OWN, LEVELS, BUDGET, ERROR):
        setting.put(setting.default)
    st.session_state["health_centre_story"] = True


# --- claimed and real -------------------------------------------------------------------------------------------------


def _claimed_and_real() -> None:
    main, side = chart_and_controls()
    with side:
        cost_controls.draw()
    with main:
        model, scenario = _model(), present_scenario()
        if model is None:
            return
        own = cost.curve(model, [scenario.epsilon0], k=scenario.k).curves[0]
        claimed, true = own.published_optimum, own.exact_optimum
        cash = partial(money, currency=scenario.currency)
        st.markdown(f"#### The claimed saving of {cash(claimed.saving)} is in truth {cash(true.saving)}")
        held = privacy_loss.loss_within(claimed.epsilon, own.epsilon0)
        st.markdown(
            "The paper's proof takes the noise seen from two tables for independent, but it is the same noise. So a release is as "
            f"private as {level(claimed.epsilon)} not in {percent(claimed.confidence)} of cases {badges.inline(PUBLISHED)} but in "
            f"{percent(held, toward='down')} {badges.inline(PROVEN)}, and most breaches cost what {level0(own.epsilon0)} costs.",
            help=badges.legend(),
        )
        figure = figures.claim_and_truth(own, currency=scenario.currency)
        above_the_chart(
            partial(two_optima, claimed, true, scenario.currency),
            partial(_draw, figure, own, scenario, name="claimed_and_real"),
        )
        _cautions(own, model)
        how("claimed_and_real", formulas.TRUTH)


# --- what can be afforded ---------------------------------------------------------------------------------------------

_Answer = cost.EpsilonRange | UnmetWishError


def _afford() -> None:
    main, side = chart_and_controls()
    with side:
        controls.number(BUDGET, hint=explain("money_there_is"), step=1000.0)
        controls.number(ERROR, hint=explain("largest_error"), step=0.5)
        cost_controls.draw()
    with main:
        model, scenario = _model(), present_scenario()
        if model is None:
            return
        claimed, true = (_range(model, scenario, truth) for truth in cost.TRUTHS)
        _verdict(true, scenario)
        if not (isinstance(true, UnmetWishError) and true.wish == "accuracy"):
            for place, found in two_boxes(claimed, true):
                with place:
                    st.markdown(_range_words(found, scenario))
        own = cost.curve(model, [scenario.epsilon0], k=scenario.k).curves[0]
        bands = {
            name: None if isinstance(found, UnmetWishError) else found
            for name, found in (("published", claimed), ("exact", true))
        }
        chart(
            figures.affordable(own, budget=BUDGET.value(), currency=scenario.currency, **bands),
            "what_can_be_afforded",
            alt=(
                f"Budget for a breach against ε at ε₀ = {own.epsilon0:g}, with a budget of {money(BUDGET.value(), scenario.currency)}. "
                f"Claimed: {_plain_range(claimed)}. True: {_plain_range(true)}."
            ),
            notes=_notes(own, scenario),
        )
        _budget_for(model, scenario)
        _equation_11(model, scenario)
        how("afford", formulas.AFFORD)


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


def _unit(scenario: Scenario) -> float:
    """Return the sensitivity of all that the release holds: the average error at ε₀ = 1."""
    return scenario.noise_scale * scenario.epsilon0


def _verdict(true: _Answer, scenario: Scenario) -> None:
    """Say whether both wishes can be met, in truth, and if not which one breaks and by how much."""
    cash = partial(money, currency=scenario.currency)
    if isinstance(true, cost.EpsilonRange):
        st.markdown(f"#### Yes: {cash(BUDGET.value())} is enough, with {cash(true.spare)} to spare at the cheapest ε")
        st.markdown(
            f"The average error is {amount(true.error, 4)}, within the {amount(ERROR.value(), 4)} that you allow. "
            f"{badges.inline(PROVEN)}"
        )
    elif true.wish == "accuracy":
        st.markdown(f"#### No: at {level0(scenario.epsilon0)} the error is too large, whatever the budget")
        st.warning(
            f"The average error is {amount(true.best or 0, 4)}, more than the {amount(ERROR.value(), 4)} that you allow by "
            f"{amount(true.missing)}. It depends on ε₀ alone: money does not mend it. Below stands which ε₀ would do, and its budget."
        )
    else:
        st.markdown(f"#### No: in truth {cash(true.missing)} are missing")
        st.markdown(
            f"The average error is {amount(scenario.noise_scale, 4)}, within the {amount(ERROR.value(), 4)} that you allow. But no ε "
            f"costs less than {cash(true.best or 0)} in truth, and there are {cash(BUDGET.value())}. {badges.inline(PROVEN)}"
        )


def _range_words(found: _Answer, scenario: Scenario) -> str:
    if isinstance(found, UnmetWishError):
        cash = partial(money, currency=scenario.currency)
        return f"**No ε.** The least budget is {cash(found.best or 0)}, {cash(found.missing)} more than there is."
    words = f"You may count on **{_plain_range(found)}**."
    if found.intervals[-1].upper >= found.epsilon0:
        words += " The money pays even for ε₀ alone."
    return f"{words} Cheapest: {level(found.optimum.epsilon)}, for {money(found.optimum.budget, scenario.currency)}."


def _plain_range(found: _Answer) -> str:
    if isinstance(found, UnmetWishError):
        return "no ε"
    parts = (
        f"every ε up to {amount(upper, 4, toward='down')}"
        if lower == 0
        else f"ε from {amount(lower, 4, toward='up')} to {amount(upper, 4, toward='down')}"
        for lower, upper in found.intervals
    )
    return " and ".join(parts)


def _budget_for(model: Model, scenario: Scenario) -> None:
    """Answer the other way round: what the wanted accuracy costs."""
    needed = cost.budget_for(ERROR.value(), model=model, k=scenario.k, sensitivity=_unit(scenario))
    cash, exactly = (partial(words, currency=scenario.currency) for words in (money, unrounded))
    st.markdown(f"##### An average error of at most {amount(ERROR.value(), 4)}: what budget does it take?")
    st.markdown(
        f"It takes noise for {level0(needed.epsilon0)} or more. The smallest is also the cheapest: in truth "
        f"**{cash(needed.exact.budget)}**. "
        f"{badges.inline(PROVEN)} The published formula says {cash(needed.published.budget)}. {badges.inline(PUBLISHED)}"
    )
    metrics(
        ("ε₀ needed", amount(needed.epsilon0, 4), f"{needed.epsilon0:.15g}", "epsilon0"),
        ("At ε₀ alone", cash(needed.baseline), exactly(needed.baseline), "baseline"),
        ("Least, claimed", cash(needed.published.budget), exactly(needed.published.budget), "least_budget"),
        ("Least, true", cash(needed.exact.budget), exactly(needed.exact.budget), "least_true"),
    )
    takes = (_EPSILON0.at_least or 0.0) <= needed.epsilon0 <= (_EPSILON0.at_most or 0.0)
    if needed.epsilon0 != scenario.epsilon0 and takes:
        change = "less" if needed.epsilon0 > scenario.epsilon0 else "more"
        controls.button(
            f"Use {level0(needed.epsilon0)} in my scenario ({change} private than {amount(scenario.epsilon0, 4)})",
            _EPSILON0.put,
            needed.epsilon0,
        )


def _equation_11(model: Model, scenario: Scenario) -> None:
    """Show the paper's own range, and say why it contradicts the paper."""
    if not isinstance(model, cost.CostModel):
        return
    try:
        printed = cost.equation_11(BUDGET.value(), ERROR.value(), scenario.epsilon0, model=model, k=scenario.k)
        words = f"ε from {amount(printed.lower, 4)} to {amount(printed.upper, 4)}"
        if printed.is_empty:
            words += ", which is no ε at all"
    except UnmetWishError:
        words = f"ε from {amount(1 / ERROR.value(), 4)} and no upper end, because the money pays for no ε"
    st.markdown(
        f"**As the paper prints it**, equation 11 would permit {words}. {badges.inline(PUBLISHED)} It contradicts the paper's own "
        "section 5.3: the noise is made for ε₀, so the accuracy sets a limit to ε₀ and none to ε. With the health centre's largest "
        f"error of 2 the equation forbids every ε below 0.5, and with them the {level(0.274)} that the section recommends."
    )


# --- what moves the answer --------------------------------------------------------------------------------------------


def _moves() -> None:
    main, side = chart_and_controls()
    with side:
        controls.number(MOVED, hint=explain("moved"), step=5.0)
        cost_controls.draw()
    with main:
        model, scenario = _model(), present_scenario()
        if model is None:
            return
        published, exact = (
            cost.sensitivity_of(model, scenario.epsilon0, k=scenario.k, percent=MOVED.value(), truth=truth)
            for truth in cost.TRUTHS
        )
        _strongest(published, exact, scenario)
        chart(
            figures.tornado(published, exact, currency=scenario.currency),
            "what_moves_the_budget",
            alt=(
                f"Change of the least budget for each input moved by {exact.percent:g} %, the strongest first: "
                f"{', '.join(figures.label_of(effect.name) for effect in exact.effects if effect.span > 0) or 'nothing moves it'}."
            ),
            table=partial(figures.effects_table, published, exact),
            notes={"source": f"{published.source}; exact: {exact.source}", "limits": published.limits},
        )
        st.markdown(
            "Each input is moved alone, down and up, and the cheapest ε is found anew. At the ends of a bar stands what the input was "
            "moved to."
        )
        how("effects", formulas.EFFECTS)


def _strongest(published: cost.Sensitivity, exact: cost.Sensitivity, scenario: Scenario) -> None:
    first = exact.effects[0]
    if first.span == 0:
        st.markdown("#### Nothing moves the least budget here")
        return
    cash = partial(money, currency=scenario.currency)
    claimed = next(effect for effect in published.effects if effect.name == first.name)
    st.markdown(f"#### {figures.label_of(first.name)} moves the answer most")
    st.markdown(
        f"Moved from {amount(first.low, 4)} to {amount(first.high, 4)}, it takes the least budget from {cash(first.budget_low)} to "
        f"{cash(first.budget_high)} in truth {badges.inline(PROVEN)}, and from {cash(claimed.budget_low)} to "
        f"{cash(claimed.budget_high)} by the published formula. {badges.inline(PUBLISHED)} Know this one well before you trust the rest.",
        help=badges.legend(),
    )


SECTIONS = (
    Section("budget", "Budget", _budget),
    Section("truth", "Claimed and real", _claimed_and_real),
    Section("afford", "What can I afford?", _afford),
    Section("moves", "What moves the answer?", _moves),
    Section("compare", "Compare", compared_scenarios.draw),
)
TAB = sections.setting("budget_minimiser", SECTIONS)
SETTINGS = (TAB, *cost_controls.OWN, LEVELS, BUDGET, ERROR, MOVED, compared_scenarios.KEPT)


def show() -> None:
    """Draw the page."""
    sections.show(SECTIONS, TAB)


if (
    __name__ == "__main__"
):  # a server's very first visitor opened this page: Streamlit then runs this file instead of app.py
    frame.start()
