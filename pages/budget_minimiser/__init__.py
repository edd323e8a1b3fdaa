"""Budget minimiser: what a breach would cost, what Privacy at Risk claims to save, and what it saves in truth."""

from __future__ import annotations

from functools import partial
from typing import Any

import streamlit as st

from pages.budget_minimiser import affordable, compared_scenarios, cost_controls, formulas
from pages.budget_minimiser.breach_money import (
    CLAIM,
    alone,
    cautions,
    full,
    given,
    least,
    no_saving,
    of_full,
    saved,
)
from pages.budget_minimiser.cost_controls import chosen_model, in_words
from pages.budget_minimiser.optimum_words import above_the_chart, metrics, two_optima
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.page import Page, Section
from pages.shared.say import say
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.settings import present_scenario
from pages.shared.versioned import present
from pages.shared.words import amount, level, level0
from par_core import cost
from par_core.figures import budget_minimiser as figures
from par_core.figures.money import money, unrounded
from par_core.mechanisms import default_noise
from par_core.scenario import Scenario
from par_core.standing import quantity_of

LEVELS = settings.numbers("lv", "Curves for ε₀", cost.FIGURE_4, at_least=1e-8, at_most=700)
MOVED = settings.number("pct", "Move each input by, in %", 10.0, at_least=0.1, at_most=90)


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
        model, scenario = chosen_model(), present_scenario()
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
        cautions(model, scenario)
        _story()
        formula_expander("budget", formulas.BUDGET)


def _headline(own: cost.CostCurve, scenario: Scenario) -> None:
    """Say what is always enough, what the average is and what the paper says it is, and what the words mean."""
    true, claimed = own.exact_optimum, own.published_optimum
    model: Any = true.model  # one of this page's, which know what a breach costs in full
    always, average = of_full(own.baseline, model, scenario.currency), least(true, scenario.currency)
    baseline = (
        f"Counting on {level0(own.epsilon0)} alone, a breach costs **{alone(true, scenario.currency)}** "
        f"({in_words(present(cost_controls.ALL))}). {given()}"
    )
    if cost.says_little(model, own.epsilon0):
        st.markdown(f"#### A breach costs up to {full(model, scenario.currency)}")
        st.markdown(baseline, help=badges.legend())
        return
    if true.at_epsilon0:
        st.markdown(f"#### Under your cost model a breach costs {always}, and nothing can be saved")
    else:
        st.markdown(
            f"#### Under your cost model {always} is enough for a breach after any one release, {average} on average"
        )
    if true.at_epsilon0:
        st.markdown(f"{baseline} {no_saving(true, scenario.currency)}", help=badges.legend())
    else:
        st.markdown(
            f"{baseline} The paper *Privacy at Risk* counts on the noise protecting better than that in many releases, and gets by "
            f"with {least(claimed, scenario.currency)}. {badges.of(CLAIM)} It does so less often than the paper says: in truth "
            f"the least is **{average}**. {given()}\n\n{_only_an_average(own, scenario)}",
            help=badges.legend(CLAIM),
        )
    if not PRESENT.value():
        st.caption("  \n".join(explain(word) for word in ("breach", "epsilon0", "epsilon")))


def _only_an_average(own: cost.CostCurve, scenario: Scenario) -> str:
    """Say how often the least amount falls short, and which amount never does."""
    true = own.exact_optimum
    return say(
        "Each of these lower amounts is an **average over releases**, not the money to have ready. {level} holds in {held} of releases; "
        "in the other {fails} a breach costs up to {true.baseline}. Only that much is always enough.",
        currency=scenario.currency,
        level=level(true.epsilon),
        held=quantity_of(default_noise(own.epsilon0).loss_within, true.epsilon),
        fails=quantity_of(default_noise(own.epsilon0).loss_exceeds, true.epsilon),
        true=true,
    )


def _numbers(own: cost.CostCurve, scenario: Scenario) -> None:
    claimed, true = own.published_optimum, own.exact_optimum
    exactly = partial(unrounded, currency=scenario.currency)
    metrics(
        ("At ε₀ alone", alone(true, scenario.currency), exactly(own.baseline), "baseline"),
        ("Least, claimed", least(claimed, scenario.currency), exactly(claimed.budget), "least_budget"),
        ("Least, true", least(true, scenario.currency), exactly(true.budget), "least_true"),
    )
    metrics(
        ("Saving, claimed", saved(claimed, scenario.currency), exactly(claimed.saving), "saving"),
        ("Saving, true", saved(true, scenario.currency), exactly(true.saving), "true_saving"),
    )


def _draw(figure: Any, own: cost.CostCurve, scenario: Scenario, *, name: str) -> None:
    chart(figure, name, alt=_alt(own, scenario), notes=cost_controls.notes(own, scenario))


def _alt(own: cost.CostCurve, scenario: Scenario) -> str:
    claimed, true = own.published_optimum, own.exact_optimum
    return (
        f"Budget for a breach against ε. At ε₀ = {own.epsilon0:g} it is {alone(true, scenario.currency)} without a stronger level; on "
        f"average over releases at least {least(claimed, scenario.currency)} as published (ε = {claimed.epsilon:.4g}) and "
        f"{least(true, scenario.currency)} in truth (ε = {true.epsilon:.4g})."
    )


def _story() -> None:
    with st.expander("The story behind the paper's numbers", key="health_centre_story", on_change="rerun") as expander:
        if not expander.open:
            return
        plain = Scenario()
        centre = cost.CostModel(plain.compensation, plain.stakeholders)
        claimed, true = (centre.optimum(plain.epsilon0, truth=truth) for truth in cost.TRUTHS)
        both = cost.all_releases(centre, plain.epsilon0, releases=plain.releases)
        st.markdown(
            "A university's health centre publishes twice a year how many of its staff are obese: in January 34 of 99, in July "
            "35 of 100. The staff list is public, and John Doe is the only newcomer. Now everyone knows about him, though no "
            "name was published: that is the **breach**.\n\n"
            "So the centre adds noise before it publishes. A count that is off by 2 on average will do, which allows "
            f"{level0(plain.epsilon0)}. Research puts the extra health insurance premium of an obese person at about "
            f"{money(plain.compensation, plain.currency)}: what each of the {plain.stakeholders} staff would be paid if nothing had "
            f"protected them. At {level0(plain.epsilon0)} a breach reveals less and costs {alone(claimed, plain.currency)}. The paper "
            f"finds {least(claimed, plain.currency)} to be enough, a saving of {saved(claimed, plain.currency)}. "
            f"{badges.of('par-illustration-budget-is-enough')} With the true confidence the average is "
            f"{least(true, plain.currency)}, a saving of {saved(true, plain.currency)}. {given()}\n\n"
            f"The paper counts one of the {plain.releases} counts a year. Both together are only as private as "
            f"{level0(both.epsilon)}, and a breach then costs up to {of_full(both.money, centre, plain.currency)}. {given()}"
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
        "releases",  # January and July
        "stakeholders",
        "compensation",
        "currency",
    ):
        settings.scenario_setting(name).put(getattr(plain, name))
    for setting in (*cost_controls.OWN, LEVELS, affordable.BUDGET, affordable.ERROR):
        setting.put(setting.default)
    st.session_state["health_centre_story"] = True


# --- claimed and real -------------------------------------------------------------------------------------------------


def _claimed_and_real() -> None:
    main, side = chart_and_controls()
    with side:
        cost_controls.draw()
    with main:
        model, scenario = chosen_model(), present_scenario()
        if model is None:
            return
        own = cost.curve(model, [scenario.epsilon0], k=scenario.k).curves[0]
        claimed, true = own.published_optimum, own.exact_optimum
        _claim_in_words(own, scenario)
        figure = figures.claim_and_truth(own, currency=scenario.currency)
        above_the_chart(
            partial(two_optima, claimed, true, scenario.currency),
            partial(_draw, figure, own, scenario, name="claimed_and_real"),
        )
        cautions(model, scenario)
        formula_expander("claimed_and_real", formulas.TRUTH)


def _claim_in_words(own: cost.CostCurve, scenario: Scenario) -> None:
    """Say what becomes of the claimed saving, and why."""
    claimed, true = own.published_optimum, own.exact_optimum
    if claimed.at_epsilon0:
        st.markdown("#### There is no saving here, neither claimed nor real")
        st.markdown(no_saving(claimed, scenario.currency))
        return
    st.markdown(
        f"#### The claimed saving of {saved(claimed, scenario.currency)} is in truth {saved(true, scenario.currency)} on average"
    )
    st.markdown(
        say(
            "The paper's proof takes the noise seen from two tables for independent, but it is the same noise. So a release is as "
            "private as {level} not in {claimed.confidence} of cases but in {held}, and a breach costs up to {full}: under your cost "
            "model only that is always enough.",
            level=level(claimed.epsilon),
            claimed=claimed,
            held=quantity_of(default_noise(own.epsilon0).loss_within, claimed.epsilon),
            full=of_full(own.baseline, true.model, scenario.currency),
        ),
        help=badges.legend(CLAIM),
    )


# --- what moves the answer --------------------------------------------------------------------------------------------


def _moves() -> None:
    main, side = chart_and_controls()
    with side:
        controls.number(MOVED, hint=explain("moved"), step=5.0)
        cost_controls.draw()
    with main:
        model, scenario = chosen_model(), present_scenario()
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
                f"Change of the least budget for each input moved by {exact.percent:g} % (k halved and doubled), the strongest first: "
                f"{', '.join(figures.label_of(effect.name) for effect in exact.effects if effect.span > 0) or 'nothing moves it'}."
            ),
            table=partial(figures.effects_table, published, exact),
            notes={"source": f"{published.source}; exact: {exact.source}", "limits": published.limits},
        )
        st.markdown(
            "Each input is moved alone, down and up by that share, and k, which is whole, is halved and doubled; the cheapest ε is "
            "found anew. At the ends of a bar stands what the input was moved to."
        )
        cautions(model, scenario, *(effect.high for effect in exact.effects if effect.name == "epsilon0"))
        formula_expander("effects", formulas.EFFECTS)


def _strongest(published: cost.Sensitivity, exact: cost.Sensitivity, scenario: Scenario) -> None:
    first = exact.effects[0]
    if first.span == 0:
        st.markdown("#### Nothing moves the least budget here")
        return
    claimed = next(effect for effect in published.effects if effect.name == first.name)
    st.markdown(f"#### {figures.label_of(first.name)} moves the answer most")
    st.markdown(
        say(
            "Moved from {low} to {high}, it takes the least average from {first.budget_low} to {first.budget_high} in truth. The "
            "published formula says from {claimed.budget_low} to {claimed.budget_high}. Know this one well before you trust the rest.",
            currency=scenario.currency,
            low=amount(first.low, 4),
            high=amount(first.high, 4),
            first=first,
            claimed=claimed,
        ),
        help=badges.legend(CLAIM),
    )


PAGE = Page(
    "budget_minimiser",
    "If what you publish leads to a breach, what will it cost, and how much of that does a clever choice save?",
    (
        Section("budget", "Budget", _budget),
        Section("truth", "Claimed and real", _claimed_and_real),
        Section("afford", "What can I afford?", affordable.draw),
        Section("moves", "What moves the answer?", _moves),
        Section("compare", "Compare", compared_scenarios.draw),
    ),
)
