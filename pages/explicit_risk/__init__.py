"""Explicit risk: how private a release is thanks to the noise alone, as published and in truth."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from pages.explicit_risk import change_editor, formulas
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.page import Page, Section
from pages.shared.say import as_told, say, told, written
from pages.shared.settings import present_scenario
from pages.shared.words import amount, level, level0, percent
from par_core.errors import InfeasibleError
from par_core.figures import explicit_risk as figures
from par_core.mechanisms import ExactCalibration, calibrate_exactly, default_noise
from par_core.published import explicit
from par_core.risk import explicit_curves, relaxations
from par_core.risk.simulation import LossSimulation
from par_core.scenario import Neighbours
from par_core.standing import quantity_of

EPSILON = settings.number("e", "Level hoped for, ε", 0.4, at_least=1e-8, at_most=700)
AXIS = settings.choice("axis", "Axis", ("risk", "confidence"))
KS = settings.numbers("ks", "Dimensions k", (1, 2, 3), at_least=1, at_most=10_000, only_whole=True)
FIGURE_EPSILON0 = settings.number("fe0", "ε₀ of the dashed curves", 1.0, at_least=1e-8, at_most=700)
EPSILON0S = settings.numbers("e0s", "Levels ε₀", (1.0, 1.5, 2.0, 2.5), at_least=1e-8, at_most=700)
FIGURE_K = settings.whole("fk", "k of the dashed curves", 1, at_least=1, at_most=10_000)
FIND = settings.choice("find", "Find", ("epsilon0", "epsilon", "confidence"))
CONFIDENCE = settings.number("conf", "Wanted confidence", 0.6, at_least=1e-6, at_most=1.0)
SPREAD = settings.choice("spread", "The change lies", ("one", "even"))
SIZE = settings.choice("size", "Releases to simulate", ("10000", "100000", "1000000"), "100000")
SEED = settings.whole("seed", "Seed", 1, at_least=0, at_most=2**31)
PRIOR = settings.number("prior", "Belief before", 0.5, at_least=0.0, at_most=1.0)
THRESHOLD = settings.number("th", "Threshold", 0.5, at_least=-1e6, at_most=1e6)

_THEOREM_4, _THEOREM_2 = "par-theorem-4", "par-theorem-2-with-theorem-4"
_EPSILON0 = settings.scenario_setting("epsilon0")
_SUSPICION = {
    Neighbours.REPLACE_ONE: "one person's true record was used, and no other in its place,",
    Neighbours.ADD_OR_REMOVE: "one person's record was used",
}
_SPREAD_WORDS = {"one": "in one number", "even": "evenly in all k"}
_FIND_WORDS = {"epsilon0": "ε₀", "epsilon": "ε", "confidence": "confidence"}


def _by_dimension() -> None:
    main, side = chart_and_controls()
    with side:
        _epsilon()
        ks = controls.number_list(KS, hint=explain("k"), offers=("1", "2", "3", "5", "10"))
        controls.number(FIGURE_EPSILON0, hint="The paper draws figure 1a for ε₀ = 1.", step=0.1)
        _axis()
        scenario = present_scenario()
        controls.button("As in the paper", settings.put_all, {KS: list(KS.default), FIGURE_EPSILON0: 1.0})
        controls.button("With my ε₀", settings.put_all, {FIGURE_EPSILON0: scenario.epsilon0})
    with main:
        _claim_and_truth()
        if not ks:
            st.info("Add at least one dimension to see its curve.")
            return
        curves = explicit_curves.by_dimension(ks, FIGURE_EPSILON0.value())
        _risk_chart(curves, "k", "risk_by_dimension", "Figure 1a of Privacy at Risk")
        drawn = FIGURE_EPSILON0.value()
        st.markdown(
            f"The curves are for {level0(drawn)}"
            + (f", the diamonds for your {level0(scenario.epsilon0)}. " if drawn != scenario.epsilon0 else ". ")
            + "The dashed ones bend to higher risk for more dimensions. The solid one does not: in the worst case all of the "
            "change is in one number, whatever k is."
        )
        formula_expander("risk_by_dimension", formulas.RISK)


def _by_epsilon0() -> None:
    main, side = chart_and_controls()
    with side:
        _epsilon()
        epsilon0s = controls.number_list(EPSILON0S, hint=explain("epsilon0"), offers=("0.5", "1", "1.5", "2", "2.5"))
        controls.whole(FIGURE_K, hint="The paper draws figure 1b for k = 1.")
        _axis()
        controls.button("As in the paper", settings.put_all, {EPSILON0S: list(EPSILON0S.default), FIGURE_K: 1})
    with main:
        _claim_and_truth()
        if not epsilon0s:
            st.info("Add at least one level ε₀ to see its curve.")
            return
        curves = explicit_curves.by_epsilon0(epsilon0s, FIGURE_K.value())
        _risk_chart(curves, "epsilon0", "risk_by_epsilon0", "Figure 1b of Privacy at Risk")
        st.markdown(
            "Below its own ε₀ every dashed curve claims less risk than the solid one of the same ε₀: none of them is a guarantee."
        )
        formula_expander("risk_by_epsilon0", formulas.RISK)


def _risk_chart(
    curves: tuple[explicit_curves.RiskCurve, ...], by: Literal["k", "epsilon0"], key: str, source: str
) -> None:
    scenario = present_scenario()
    own = explicit_curves.risk_at(EPSILON.value(), scenario.epsilon0, k=scenario.k)
    axis: figures.Axis = "confidence" if AXIS.value() == "confidence" else "risk"
    first = curves[0]
    chart(
        figures.risk_curves(curves, by=by, axis=axis, own=own),
        key,
        alt=told(
            "Privacy level against published {axis}, curves: {curves}. At ε = {own.epsilon:g} and ε₀ = {own.epsilon0:g} the published "
            "risk is {own.risk}, the exact one in the worst case {own.exact_risk}.",
            axis=axis,
            curves=len(curves),
            own=own,
        ),
        notes={"source": f"{source}; {first.source}; exact: {first.exact_source}"},
    )


def _calibrate() -> None:
    scenario = present_scenario()
    main, side = chart_and_controls()
    with side:
        find = controls.choice(FIND, hint="Any two of the three give the third.", words=_FIND_WORDS.__getitem__)
        if find != "epsilon":
            _epsilon()
        if find != "confidence":
            controls.number(CONFIDENCE, hint=explain("confidence"), step=0.05)
        if find != "epsilon0":
            st.caption(f"{level0(scenario.epsilon0)} is taken from your scenario.")
    with main:
        given = {"epsilon": EPSILON.value(), "wanted": CONFIDENCE.value(), "epsilon0": scenario.epsilon0}
        del given["wanted" if find == "confidence" else find]
        unit = scenario.noise_scale * scenario.epsilon0
        true = calibrate_exactly(**given, sensitivity=unit)
        _in_truth(true, find)
        claimed: explicit.Calibration | None = None
        try:
            claimed = explicit.calibrate(**given, k=scenario.k, sensitivity=unit)
            _claimed(claimed, find)
        except InfeasibleError as error:
            _always_claimed(error.best or 1.0)
        on_chart = claimed if find != "epsilon" else None  # it is about another ε than the chart
        curves = explicit_curves.confidence_against_epsilon0(
            true.epsilon, scenario.k, upto=2 * max(true.epsilon0, on_chart.epsilon0 if on_chart else 0.0)
        )
        chart(
            figures.calibration(
                curves, true=true, claimed=on_chart, wanted=None if find == "confidence" else CONFIDENCE.value()
            ),
            "calibration",
            alt=told(
                "Published and exact confidence in ε = {true.epsilon} against ε₀; in truth {true.confidence} at ε₀ = {true.epsilon0}.",
                true=true,
            ),
            notes={"source": curves.source},
        )
        formula_expander("calibrate", formulas.CALIBRATION)


def _in_truth(true: ExactCalibration, find: str) -> None:
    """Say which ε₀, ε or confidence truly gives the wish, or that none but ε₀ = ε does, and offer the ε₀."""
    found = {"epsilon0": "ε₀ = {true.epsilon0}", "epsilon": "ε = {true.epsilon}", "confidence": "{true.confidence}"}[
        find
    ]
    badge = badges.of(true)
    st.markdown(
        f"#### Which {_FIND_WORDS[find]}? In truth {told(found, true=true)} {badge}",
        help=badges.legend(),
    )
    always = true.epsilon >= true.epsilon0
    who = "every release" if always else "{true.confidence} of releases, in the worst case,"
    words = (
        f"Noise for ε₀ = {{true.epsilon0}} makes {who} as private as ε = {{true.epsilon}}, each number off by {{true.error0}} on "
        "average."
    )
    if always and true.confidence > CONFIDENCE.value() and find != "confidence":
        other = "larger ε₀" if find == "epsilon0" else "smaller ε"
        words += f" No {other} gives {percent(CONFIDENCE.value())}: with any, fewer than {{true.below}} of releases are that private."
    elif not always:
        words += " What always holds is the guarantee of ε₀."
    st.markdown(told(words, true=true))
    if find == "epsilon0":
        controls.offer_epsilon0(as_told(true.quantity("epsilon0")))


def _always_claimed(best: float) -> None:
    """Say that the wish is met by the formula at every ε₀, and what that is worth."""
    st.markdown(
        say(
            "**By the paper's formula** every ε₀ would do, even with hardly any noise: it gives all of them more than {best}. In truth "
            "the confidence falls to 0 as ε₀ grows.",
            best=explicit.Calibration.as_quantity("best", best),
            standing_of=default_noise(1.0),
        ),
        help=badges.legend(_THEOREM_4),
    )


def _claimed(found: explicit.Calibration, find: str) -> None:
    """Say what the paper's formula finds, and what that is worth."""
    if found.epsilon >= found.epsilon0:
        st.markdown("The paper's formula says the same.")
        return
    claim = {
        "epsilon0": "ε₀ = {found.epsilon0} would do, each number off by {found.error0} on average",
        "epsilon": "ε = {found.epsilon} would hold in {found.confidence} of releases",
        "confidence": "{found.confidence} of releases would be that private",
    }[find]
    st.markdown(
        say(
            f"**By the paper's formula** {claim}. In truth, in the worst case, {{found.exact_confidence}} of releases with this noise are "
            "as private as {epsilon}, not {claimed}.",
            found=found,
            epsilon=level(found.epsilon),
            claimed=percent(found.confidence),
        ),
        help=badges.legend(_THEOREM_4),
    )


def _against_the_truth() -> None:
    scenario = present_scenario()
    main, side = chart_and_controls()
    with side:
        _epsilon()
        st.markdown("**Simulate releases**")
        controls.choice(SIZE, words=lambda text: f"{int(text):,}", hint="More releases give narrower intervals.")
        controls.choice(
            SPREAD, words=_SPREAD_WORDS.__getitem__, hint="How one person's change is spread over the k numbers."
        )
        controls.whole(SEED, hint="The same seed gives the same simulation.")
        wanted = st.button("Simulate")
    with main:
        _claim_and_truth()
        own = explicit_curves.risk_at(EPSILON.value(), scenario.epsilon0, k=scenario.k)
        curves = explicit_curves.truth(scenario.epsilon0, scenario.k)
        room = st.empty()
        simulated = _simulation(wanted, room)
        chart(
            figures.truth(curves, own=own, simulated=simulated),
            "claim_against_truth",
            alt=told(
                "Published risk and exact probabilities against ε for ε₀ = {own.epsilon0:g}. At ε = {own.epsilon:g}: published "
                "{own.risk}, exact {own.exact_risk}.",
                own=own,
            ),
            notes={"source": curves.source},
        )
        st.caption(explain("loss"))
        if simulated is not None:
            _simulated(simulated)
        change_editor.draw(EPSILON.value())
        _theorem_2()
        formula_expander("claim_against_truth", formulas.TRUTH)


def _simulation(wanted: bool, room: st.delta_generator.DeltaGenerator) -> LossSimulation | None:
    """Run the simulation when it is asked for; afterwards it stays on the chart for as long as it belongs to the setting."""
    scenario = present_scenario()
    even = scenario.k > 1 and SPREAD.value() == "even"
    asked = (scenario.epsilon0, scenario.k, even, int(SIZE.value()), SEED.value())
    kept = st.session_state.get("_simulation")
    if kept and kept[0] == asked and not wanted:
        result: LossSimulation = kept[1]
        return result
    if not wanted:
        return None
    bar = room.progress(0.0, "Simulating")

    def tell(share: float) -> None:
        bar.progress(share, "Simulating")

    result = explicit_curves.simulate(
        scenario.epsilon0,
        scenario.k,
        even=even,
        size=asked[3],
        seed=SEED.value(),
        progress=tell,
    )
    room.empty()
    st.session_state["_simulation"] = (asked, result)
    return result


def _simulated(simulated: LossSimulation) -> None:
    """Say what the points are, and why they may lie below the curves."""
    spread = simulated.k > 1 and SPREAD.value() == "even"
    words = (
        f"{simulated.size:,} simulated releases; each bar holds the truth with 99\u00a0% probability, on its own, not all at once. "
        f"{badges.of(simulated)}"
    )
    if spread:
        words += (
            f" The change is spread evenly over {simulated.k:,} numbers; the solid curves are for the worst case, in which it is in "
            "one, so the points may lie below them."
        )
    if simulated.size < int(SIZE.value()):
        words += f" More than {simulated.size:,} releases of {simulated.k:,} numbers each would take too long here."
    st.markdown(words)


def _theorem_2() -> None:
    scenario = present_scenario()
    epsilon = EPSILON.value()
    if epsilon >= scenario.epsilon0:
        return
    claim = relaxations.approximate_delta(epsilon, scenario.epsilon0, k=scenario.k)
    verdict = (
        "The claim is too small: it is false here."
        if claim.published < claim.exact
        else "The claim happens to be large enough here, but this does not prove it."
    )
    with st.expander("For specialists: Theorem 2 and δ", key="theorem_2", on_change="rerun") as expander:
        if not expander.open:
            return
        st.markdown(
            say(
                "Theorem 2 turns a risk into the δ of approximate differential privacy. It is sound for a fixed pair of tables and the "
                "true risk. With the risk of Theorem 4 put in, it claims δ = {claim.published} at {epsilon}; the smallest δ that holds is "
                "{claim.exact}. {verdict}",
                claim=claim,
                epsilon=level(epsilon),
                verdict=verdict,
            ),
            help=badges.legend(_THEOREM_2),
        )


def _attacker() -> None:
    scenario = present_scenario()
    main, side = chart_and_controls()
    with side:
        _epsilon()
        prior = controls.number(PRIOR, hint=explain("prior"), step=0.05)
    with main:
        curves = explicit_curves.attacks(scenario.epsilon0, EPSILON.value())
        believed = quantity_of(default_noise(scenario.epsilon0).posterior, prior)
        st.markdown(
            say(
                "An attacker who knows everyone else's data and holds it {prior} likely that {suspicion} becomes at most **{believed}** "
                "sure from one release with {epsilon0}.",
                prior=percent(prior),
                suspicion=_SUSPICION[scenario.neighbours],
                believed=believed,
                epsilon0=level0(scenario.epsilon0),
            ),
            help=explain("posterior"),
        )
        st.markdown(
            say(
                "Their best attack says yes in **{curves.advantage0}** more cases when it is so than when it is not; with noise for "
                "{epsilon} it would be {curves.advantage}. 0 is blind guessing.",
                curves=curves,
                epsilon=level(curves.epsilon),
            ),
            help=explain("advantage"),
        )
        chart(
            figures.tradeoff(curves),
            "attack_errors",
            alt=told(
                "Smallest false-negative rate against false-positive rate; advantage {curves.advantage0} at ε₀ = {curves.epsilon0:g} and "
                "{curves.advantage} at ε = {curves.epsilon:g}.",
                curves=curves,
            ),
            notes={"source": curves.source},
        )
        st.caption(f"{explain('false_positive')} {explain('false_negative')}")
        chart(
            figures.posterior(curves, prior=prior, believed=believed.value),
            "attack_belief",
            alt=f"Belief after the release against belief before: {percent(prior)} becomes at most {written(believed)}.",
            notes={"source": curves.source},
        )
        formula_expander("attacker", formulas.ATTACK)


def _pieces() -> None:
    scenario = present_scenario()
    main, side = chart_and_controls()
    with side:
        epsilon = _epsilon()
        threshold = controls.number(THRESHOLD, hint=explain("threshold"), step=0.1)
        controls.button("The example with ε₀ = 1", _example, hint="Sets ε₀ = 1, ε = 0.8 and the threshold 0.5.")
    with main:
        _overlap(scenario.epsilon0, epsilon)
        _post_processing(scenario.epsilon0, epsilon, threshold)
        formula_expander("pieces", formulas.PIECES)


def _overlap(epsilon0: float, epsilon: float) -> None:
    curves = explicit_curves.noise_overlap(epsilon0, epsilon)
    st.markdown(
        say(
            "The noise for {epsilon0} and the noise for {epsilon} share **{curves.overlap}** of their area. The paper concludes that the "
            "one gives the privacy of the other that often. It does not: what an attacker learns depends on how far two *tables* move "
            "the answer, and the overlap knows nothing of that.",
            curves=curves,
            epsilon0=level0(epsilon0),
            epsilon=level(epsilon),
        ),
        help=explain("overlap"),
    )
    chart(
        figures.overlap(curves),
        "noise_overlap",
        alt=told("Two noise densities; they share an area of {curves.overlap}.", curves=curves),
        notes={"source": curves.source},
    )


def _post_processing(epsilon0: float, epsilon: float, threshold: float) -> None:
    own = relaxations.thresholded_loss(epsilon, epsilon0, threshold=threshold)
    moral = (
        "So the paper's weaker promise can break by what is done afterwards (its Corollary 2 says so, rightly)."
        if own.exceeds_after > own.exceeds_before
        else "Here it did not rise; with the threshold 0.5 and ε a little below ε₀ it can."
    )
    st.markdown(
        say(
            "Publish only whether the noisy answer is above {threshold}. Before, in the worst case, the loss is above {epsilon} in "
            "{own.exceeds_before} of releases; afterwards in **{own.exceeds_after}**. The loss is now {own.loss_above:+.3f} for “above” "
            "and {own.loss_below:+.3f} for “not above”, never anything else. {moral} The guarantee of ε₀ always stays.",
            own=own,
            threshold=amount(threshold),
            epsilon=level(epsilon),
            moral=moral,
        ),
        help=explain("post_processing"),
    )
    chart(
        figures.thresholded(explicit_curves.post_processing(epsilon0, threshold), own=own),
        "post_processing",
        alt=told(
            "Probability that the absolute loss is above ε, before and after a threshold: {own.exceeds_before} and {own.exceeds_after} "
            "at ε = {own.epsilon:g}.",
            own=own,
        ),
        notes={"source": own.source},
    )


def _example() -> None:
    settings.put_all({EPSILON: 0.8, THRESHOLD: 0.5})
    _EPSILON0.put(1.0)


def _claim_and_truth() -> None:
    """Say in words what the published number and the exact one are at the reader's setting."""
    scenario = present_scenario()
    own = explicit_curves.risk_at(EPSILON.value(), scenario.epsilon0, k=scenario.k)
    if own.epsilon >= own.epsilon0:
        st.markdown(
            f"Noise for {level0(own.epsilon0)} is always as private as {level(own.epsilon)}, and more. "
            f"{badges.of(default_noise(own.epsilon0))} "
            f"Choose ε below {amount(own.epsilon0, 4)} to see what the paper claims beyond that."
        )
        return
    st.markdown(
        say(
            "The paper *Privacy at Risk* says: noise for {epsilon0} is less private than {epsilon} in {own.risk} of releases. In truth, "
            "for two tables that differ as much as they can, it is **{own.exact_risk}**. Averaged over tables that mostly agree it can "
            "be less. The paper's proof takes the noise seen from the two tables for independent, but it is the same noise.",
            own=own,
            epsilon0=level0(own.epsilon0),
            epsilon=level(own.epsilon),
        ),
        help=badges.legend(_THEOREM_4),
    )


def _epsilon() -> float:
    return controls.stepped(EPSILON, hint=explain("epsilon"))


def _axis() -> str:
    return controls.choice(AXIS, hint=explain("risk"), words=str.capitalize)


PAGE = Page(
    "explicit_risk",
    "How private is one release, thanks to its noise alone? What the paper claims, and what is true.",
    (
        Section("dimension", "By dimension", _by_dimension),
        Section("level", "By ε₀", _by_epsilon0),
        Section("calibrate", "Calibrate", _calibrate),
        Section("truth", "Claim and truth", _against_the_truth),
        Section("attacker", "What an attacker gains", _attacker),
        Section("pieces", "Overlap and processing", _pieces),
    ),
)
