"""Of ε₀, ε and the confidence two give the third: in truth, and by the paper's formula."""

import streamlit as st

from pages.explicit_risk import formulas
from pages.explicit_risk.published_risk import DIALS, EPSILON, THEOREM_4, choose_epsilon
from pages.shared import badges, controls, settings
from pages.shared.chart import chart
from pages.shared.formula_expander import formula_expander
from pages.shared.glossary import explain
from pages.shared.layout import chart_and_controls
from pages.shared.release import offer_script, only_laplace
from pages.shared.say import as_told, paragraph, told
from pages.shared.settings import present_scenario
from pages.shared.words import level0
from par_core.errors import InfeasibleError
from par_core.figures import explicit_risk as figures
from par_core.figures.drawing import Drawing
from par_core.mechanisms import ExactCalibration, calibrate_exactly, default_noise
from par_core.published import explicit
from par_core.risk import explicit_curves

FIND = settings.choice("find", "Find", ("epsilon0", "epsilon", "confidence"))
CONFIDENCE = settings.number("conf", "Wanted confidence", 0.6, at_least=1e-6, at_most=1.0)

_FIND_WORDS = {"epsilon0": "ε₀", "epsilon": "ε", "confidence": "confidence"}
_FOUND = {
    "epsilon0": "It takes ε₀ = {true.epsilon0}",
    "epsilon": "The noise gives ε = {true.epsilon}",
    "confidence": "{true.epsilon:level} holds in {true.confidence} of releases",
}
_CLAIMS = {
    "epsilon0": "ε₀ = {found.epsilon0} would do, each number off by {found.error0} on average",
    "epsilon": "ε = {found.epsilon} would hold in {found.confidence} of releases",
    "confidence": "{found.confidence} of releases would be that private",
}


def draw() -> None:
    scenario = present_scenario()
    main, side = chart_and_controls()
    with side:
        find = controls.choice(FIND, hint="Any two of the three give the third.", words=_FIND_WORDS.__getitem__)
        if find != "epsilon":
            choose_epsilon()
        if find != "confidence":
            controls.number(CONFIDENCE, hint=explain("confidence"), step=0.05)
        if find != "epsilon0":
            st.caption(f"{level0(scenario.epsilon0)} is taken from your scenario.")
    with main:
        true, claimed, best = _calibrated()
        _in_truth(true)
        chart(
            _figure,
            "calibration",
            dials=DIALS,
            headline=_headline,
            alt="Published and exact confidence in ε = {true.epsilon} against ε₀; in truth {true.confidence} at ε₀ = {true.epsilon0}.",
            true=true,
            notes={"source": explicit_curves.ConfidenceCurves.source},
        )
        _beyond(true, find)
        if claimed:
            _claimed(claimed, find)
        else:
            _always_claimed(best)
        offer_script()
        only_laplace("This section is")
        formula_expander("calibrate", formulas.CALIBRATION)


def _calibrated() -> tuple[ExactCalibration, explicit.Calibration | None, float]:
    """Return what truly gives the wish, what the paper's formula finds, and else the most confidence that it gives."""
    scenario, find = present_scenario(), FIND.value()
    given = {"epsilon": EPSILON.value(), "wanted": CONFIDENCE.value(), "epsilon0": scenario.epsilon0}
    del given["wanted" if find == "confidence" else find]
    unit = scenario.noise_scale * scenario.epsilon0
    true = calibrate_exactly(**given, sensitivity=unit)
    try:
        return true, explicit.calibrate(**given, k=scenario.k, sensitivity=unit), 1.0
    except InfeasibleError as error:
        return true, None, error.best or 1.0


def _figure() -> Drawing:
    find, (true, claimed, _) = FIND.value(), _calibrated()
    on_chart = claimed if find != "epsilon" else None  # it is about another ε than the chart
    upto = 2 * max(true.epsilon0, on_chart.epsilon0 if on_chart else 0.0)
    curves = explicit_curves.confidence_against_epsilon0(true.epsilon, present_scenario().k, upto=upto)
    wanted = None if find == "confidence" else CONFIDENCE.value()
    return figures.calibration(curves, true=true, claimed=on_chart, wanted=wanted)


def _headline() -> str:
    find, (true, *_) = FIND.value(), _calibrated()
    return f"## {told(_FOUND[find], true=true)} {badges.of(true)}"


def _in_truth(true: ExactCalibration) -> None:
    """Say which ε₀, ε or confidence truly gives the wish."""
    st.markdown(_headline(), help=badges.legend())
    who = "every release" if _always(true) else "{true.confidence} of releases, at worst"
    noise = f"With noise for ε₀ = {{true.epsilon0}} the privacy loss stays within ε = {{true.epsilon}} in {who}"
    st.markdown(told(f"{noise}, each number off by {{true.error0}} on average.", true=true))


def _always(true: ExactCalibration) -> bool:
    return true.epsilon >= true.epsilon0


def _beyond(true: ExactCalibration, find: str) -> None:
    """Say that none but ε₀ = ε gives the wish, or what holds besides, and offer the ε₀."""
    if not _always(true):
        st.markdown("Only ε₀ always holds.")
    elif true.confidence > CONFIDENCE.value() and find != "confidence":
        other = "larger ε₀" if find == "epsilon0" else "smaller ε"
        words = f"No {other} gives {{wanted:percent}}: the confidence stays below {{true.below}}."
        st.markdown(told(words, true=true, wanted=CONFIDENCE.value()))
    if find == "epsilon0":
        controls.offer_epsilon0(as_told(true.quantity("epsilon0")))


def _always_claimed(best: float) -> None:
    """Say that the wish is met by the formula at every ε₀, and what that is worth."""
    paragraph(
        "**By the paper's formula** every ε₀ would do: it gives all of them more than {best}. In truth the confidence falls to 0 as ε₀ "
        "grows.",
        best=explicit.Calibration.as_quantity("best", best),
        standing_of=default_noise(1.0),
        help=badges.legend(THEOREM_4),
    )


def _claimed(found: explicit.Calibration, find: str) -> None:
    """Say what the paper's formula finds, and what that is worth."""
    if found.epsilon >= found.epsilon0:
        st.markdown("The paper's formula says the same.")
        return
    paragraph(
        f"**By the paper's formula** {_CLAIMS[find]}. In truth the loss stays within {{found.epsilon:level}} in at worst "
        "{found.exact_confidence} of releases, not {found.confidence:percent}.",
        found=found,
        help=badges.legend(THEOREM_4),
    )
