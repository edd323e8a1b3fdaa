"""What a breach costs against ε: always enough, on average, and by the paper."""

from collections.abc import Callable

import streamlit as st

from pages.budget_minimiser import affordable, cost_controls, formulas
from pages.budget_minimiser.breach_money import CLAIM, alone, cautions, full, given, least, no_saving, of_full, saved
from pages.budget_minimiser.optimum_words import at_epsilon0, least_average, metrics, saving
from pages.shared import badges, controls, paper_switch, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.packed_settings import present
from pages.shared.say import paragraph
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.settings import present_scenario
from pages.shared.words import level0
from par_core import cost
from par_core.figures import budget_minimiser as figures
from par_core.figures.drawing import Drawing
from par_core.figures.money import money
from par_core.mechanisms import default_noise
from par_core.questions.glossary import explain
from par_core.scenario import FIELDS, Scenario
from par_core.standing import quantity_of

LEVELS = settings.numbers("lv", "Curves for ε₀", cost.FIGURE_4, at_least=1e-8, at_most=700)
PAPER_ONLY = paper_switch.setting("bpaper")


def draw() -> None:
    main, side = chart_and_controls()
    with side:
        cost_controls.draw()
        hint = f"{explain('epsilon0')} Yours is always drawn too."
        levels0 = controls.number_list(LEVELS, hint=hint, offers=("0.1", "0.5", "0.6", "0.7", "1"))
        hint = "Figure 4 as in the paper, and its section 5.3: ε₀ = 0.5, 100 staff, 5,500 USD."
        controls.button("The paper's health centre", _health_centre, hint=hint)
        paper_switch.draw(PAPER_ONLY)
    with main:
        model, scenario = cost_controls.chosen_model(), present_scenario()
        if model is None:
            return

        def curves() -> tuple[cost.CostCurves, cost.CostCurve]:
            now = present_scenario()
            found = cost.curve(model, sorted({*levels0, now.epsilon0}, reverse=True), k=now.k)
            return found, next(curve for curve in found.curves if curve.epsilon0 == now.epsilon0)

        def figure() -> Drawing:
            found, own = curves()
            return paper_switch.shown(figures.budgets(found, own=own.epsilon0, currency=scenario.currency), PAPER_ONLY)

        def headline() -> str:
            return f"## {_headline(curves()[1], model, scenario.currency)[0]}"

        _, own = curves()
        _answer(own, model, scenario.currency)
        cost_chart(figure, own, scenario, name="budget_for_a_breach", headline=headline)
        _meaning(own, model)
        _numbers(own, scenario.currency)
        cautions(model, scenario)
        _story()
        formula_expander("budget", formulas.BUDGET)


def _answer(own: cost.CostCurve, model: cost_controls.Model, currency: str) -> None:
    """Say what is always enough, what the average is, and what the paper says that it is."""
    heading, sentence = _headline(own, model, currency)
    st.markdown(f"## {heading}")
    st.markdown(sentence, help=badges.legend(CLAIM))


def _headline(own: cost.CostCurve, model: cost_controls.Model, currency: str) -> tuple[str, str]:
    true, claimed = own.exact_optimum, own.published_optimum
    always = of_full(own.baseline, model, currency)
    heading = f"Under your cost model a breach costs up to {always}"
    sentence = (
        f"On average over releases {given()} {least(true, currency)} is enough; the paper *Privacy at Risk* claims "
        f"{badges.of(claimed.quantity('budget'))} {least(claimed, currency)}."
    )
    if cost.says_little(model, own.epsilon0):
        heading = f"A breach costs up to {full(model, currency)}"
        sentence = f"Counting on {level0(own.epsilon0)} alone, your cost model gives {alone(true, currency)}. {given()}"
    elif true.at_epsilon0:
        heading = f"Nothing can be saved: a breach costs up to {always}"
        sentence = f"{no_saving(true, currency)} {given()}"
    return heading, sentence


def _meaning(own: cost.CostCurve, model: cost_controls.Model) -> None:
    """Say why an average is not enough, what the amounts rest on, and what the words mean."""
    true = own.exact_optimum
    if not true.at_epsilon0 and not cost.says_little(model, own.epsilon0):
        paragraph(
            "The lower amounts are **averages over releases**, not the money to have ready: {true.epsilon:level} holds in {held} of "
            "releases and fails in {fails}. Where it fails, a breach costs up to the amount at ε₀ alone.",
            held=quantity_of(default_noise(own.epsilon0).loss_within, true.epsilon),
            fails=quantity_of(default_noise(own.epsilon0).loss_exceeds, true.epsilon),
            true=true,
        )
    st.markdown(f"Your cost model: {cost_controls.in_words(present(cost_controls.ALL))}.")
    if not PRESENT.value():
        st.caption("  \n".join(explain(word) for word in ("breach", "epsilon0", "epsilon")))


def _numbers(own: cost.CostCurve, currency: str) -> None:
    claimed, true = own.published_optimum, own.exact_optimum
    least_claimed = least_average("Least, claimed", claimed, currency)
    metrics(at_epsilon0(true, currency), least_claimed, least_average("Least, true", true, currency))
    metrics(saving("Saving, claimed", claimed, currency), saving("Saving, true", true, currency))


def cost_chart(
    figure: Callable[[], Drawing],
    own: cost.CostCurve,
    scenario: Scenario,
    *,
    name: str,
    headline: Callable[[], str] | None = None,
) -> None:
    """Draw a figure about the budget at the reader's ε₀."""
    claimed, true, currency = own.published_optimum, own.exact_optimum, scenario.currency
    alt = (
        f"Budget for a breach against ε. At ε₀ = {own.epsilon0:g} it is {alone(true, currency)} without a stronger level; on average over "
        f"releases at least {least(claimed, currency)} as published (ε = {claimed.epsilon:.4g}) and {least(true, currency)} in truth "
        f"(ε = {true.epsilon:.4g})."
    )
    dials = (settings.scenario_setting("epsilon0"),)
    chart(figure, name, alt=alt, dials=dials, headline=headline, notes=cost_controls.notes(own, scenario))


def _story() -> None:
    with st.expander("The story behind the paper's numbers", key="health_centre_story", on_change="rerun") as expander:
        if not expander.open:
            return
        plain = Scenario()
        centre = cost.CostModel(plain.compensation, plain.stakeholders)
        claimed, true = (centre.optimum(plain.epsilon0, truth=truth) for truth in cost.TRUTHS)
        both = cost.all_releases(centre, plain.epsilon0, releases=plain.releases)
        level, currency = level0(plain.epsilon0), plain.currency
        st.markdown(
            "A university's health centre publishes twice a year how many of its staff are obese: in January 34 of 99, in July "
            "35 of 100. The staff list is public, and John Doe is the only newcomer. Now everyone knows about him, though no "
            "name was published: that is the **breach**.\n\n"
            "So the centre adds noise before it publishes. A count that is off by 2 on average will do, which allows "
            f"{level}. Research puts the extra health insurance premium of an obese person at about "
            f"{money(plain.compensation, currency)}: what each of the {plain.stakeholders} staff would be paid if nothing had "
            f"protected them. At {level} a breach reveals less and costs {alone(claimed, currency)}. The paper "
            f"finds {least(claimed, currency)} to be enough, a saving of {saved(claimed, currency)}. "
            f"{badges.of('par-illustration-budget-is-enough')} With the true confidence the average is "
            f"{least(true, currency)}, a saving of {saved(true, currency)}. {given()}\n\n"
            f"The paper counts one of the {plain.releases} counts a year. Both together are only as private as "
            f"{level0(both.epsilon)}, and a breach then costs up to {of_full(both.money, centre, currency)}. {given()}"
        )


def _health_centre() -> None:
    """Put everything back to section 5.3 of the paper, with its releases of January and July, and open its story."""
    for field in FIELDS:
        if field.name not in ("neighbours", "delta"):  # of which the section says nothing
            settings.scenario_setting(field.name).put(getattr(Scenario(), field.name))
    for setting in (*cost_controls.OWN, LEVELS, affordable.BUDGET, affordable.ERROR):
        setting.put(setting.default)
    st.session_state["health_centre_story"] = True
