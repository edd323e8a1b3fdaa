"""The section "Both sources": noise that is calibrated to a sampled sensitivity, as published and in truth."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import streamlit as st

from pages.sample_planner import formulas, own_level
from pages.sample_planner.how_many import PAPER_ONLY
from pages.shared import badges, controls, paper_switch, settings
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.layout import chart_and_controls
from pages.shared.say import paragraph, say, told, written
from pages.shared.settings import Setting
from pages.shared.words import brief, level, level0, percent
from par_core.errors import InfeasibleError
from par_core.figures import sample_planner as figures
from par_core.figures.drawing import Drawing
from par_core.mechanisms import default_noise
from par_core.published import coupled
from par_core.questions.glossary import explain
from par_core.sampling import tolerance
from par_core.sampling.coupled_calibration import CoupledCalibration, SampledShare, calibrate, share_to_take
from par_core.sampling.coupled_curves import (
    FIGURE_3A_RHOS,
    FIGURE_3A_SAMPLES,
    FIGURE_3B_RHO,
    FIGURE_3B_SAMPLES,
    CoupledAt,
    CoupledCurve,
    by_rho,
    by_samples,
    coupled_at,
)
from par_core.sampling.coupled_curves import Setting as Shared
from par_core.standing import quantity_of

VARY = settings.choice("bby", "One curve for each", ("rho", "samples"))
RHOS = settings.numbers("brhos", "Distances ρ", FIGURE_3A_RHOS, at_least=1e-6, at_most=1.0)
PAIRS = settings.whole("bn", "Sampled pairs", FIGURE_3A_SAMPLES, at_least=1, at_most=10**12)
NUMBERS = settings.numbers("bns", "Numbers of pairs", FIGURE_3B_SAMPLES, at_least=1, at_most=1e12, only_whole=True)
RHO = settings.number("brho", "Distance ρ", FIGURE_3B_RHO, at_least=1e-6, at_most=1.0)
EPSILON0 = settings.number("be0", "ε₀ of the noise", 1.0, at_least=1e-6, at_most=100.0)
EPSILON = settings.number("be", "Level hoped for, ε", 0.4, at_least=1e-6, at_most=100.0)
SHARE = settings.number("bc2", "Quantile that was taken", 1.0, at_least=0.0, at_most=1.0)
ETA_FROM = settings.choice("beta", "η", ("paper", "bound", "model"))
BOUND = settings.number("bmax", "True bound", 0.17, at_least=1e-100, at_most=1e100)
SAMPLED = settings.number("bds", "Sampled sensitivity", 0.15, at_least=1e-100, at_most=1e100)
ORDER = settings.number("bc", "Constant c", 2.0, at_least=0.0, at_most=1e6)
THOUSANDS = settings.switch("bk", "The same data in thousands")
K = settings.whole("bkk", "k", 1, at_least=1, at_most=10_000)
WANTED = settings.number("bw", "Wanted confidence", 0.5, at_least=1e-6, at_most=1.0)
SETTINGS: tuple[Setting[Any], ...] = (
    VARY,
    RHOS,
    PAIRS,
    NUMBERS,
    RHO,
    EPSILON0,
    EPSILON,
    SHARE,
    ETA_FROM,
    BOUND,
    SAMPLED,
    ORDER,
    THOUSANDS,
    K,
    WANTED,
)

_PAPER_EXAMPLE: dict[Setting[Any], Any] = {
    VARY: "samples",
    NUMBERS: ["15000"],
    RHO: 0.01,
    SHARE: 0.9,
    EPSILON: 0.4,
    WANTED: 0.9,
    ETA_FROM: "paper",
    K: 1,
}
_THEOREM_6 = "par-theorem-6"
_VARY_WORDS = {"rho": "distance ρ", "samples": "number of pairs"}
_ETA_WORDS = {"paper": "The paper’s", "bound": "From a bound", "model": "The paper’s model"}


def draw() -> None:
    """Draw the section."""
    main, side = chart_and_controls()
    with side:
        vary, values = _controls()
        rho = values[0] if vary == "rho" and values else RHO.value()
        shared = _shared(rho)
    with main:
        if not values:
            st.info("Add at least one value to see its curve.")
            return
        samples = PAIRS.value() if vary == "rho" else int(values[0])
        own = coupled_at(EPSILON.value(), samples, rho=rho, setting=shared)
        _answer(own, shared)

        def now() -> CoupledAt:
            return coupled_at(EPSILON.value(), samples, rho=rho, setting=replace(shared, epsilon0=EPSILON0.value()))

        def figure() -> Drawing:
            at = now()
            curves = (
                by_rho(values, samples, setting=at.setting)
                if vary == "rho"
                else by_samples([int(each) for each in values], rho, setting=at.setting)
            )
            return paper_switch.shown(figures.both_sources_figure(curves, by=vary, own=at), PAPER_ONLY)

        chart(
            figure,
            "both_sources",
            dials=(EPSILON, EPSILON0),
            headline=lambda: _headline(now()),
            alt=(
                f"Level ε against the published risk, one curve for each {_VARY_WORDS[vary]}: "
                f"{', '.join(f'{each:g}' for each in values)}; and against the exact risk of the noise, one for all; "
                f"ε₀ = {shared.epsilon0:g}, η = {shared.eta:g}."
            ),
            notes={"source": CoupledCurve.source, "exact": CoupledCurve.exact_source},
        )
        _whose_numbers(shared)
        st.caption(
            "The marks are for the first curve. The exact curve is one for all: neither ρ nor the number of pairs changes the noise. The "
            "paper says that the risk in figure 3b rises with the number of pairs; it falls, as it should."
        )
        _calibrations(samples, rho, shared)
        formula_expander("both_sources", formulas.BOTH)


def _controls() -> tuple[Literal["rho", "samples"], list[float]]:
    vary: Literal["rho", "samples"] = (
        "rho" if controls.choice(VARY, words=_VARY_WORDS.__getitem__, hint=explain("rho")) == "rho" else "samples"
    )
    if vary == "rho":
        values = controls.number_list(RHOS, hint=explain("rho"), offers=("0.01", "0.012", "0.015", "0.02"))
        controls.whole(PAIRS, hint=explain("pairs"))
    else:
        values = controls.number_list(NUMBERS, hint=explain("pairs"), offers=("10000", "15000", "20000", "25000"))
        controls.number(RHO, hint=explain("rho"))
    dial(EPSILON, hint=explain("epsilon"))
    dial(EPSILON0, hint=explain("epsilon0"))
    own_level.say(EPSILON0, K)
    with st.container(horizontal=True):
        controls.button("Figure 3a", _as_published, "rho", hint="As in the paper: four distances ρ at 10,000 pairs.")
        controls.button(
            "Figure 3b", _as_published, "samples", hint="As in the paper: 10,000 to 25,000 pairs at ρ = 0.01."
        )
    paper_switch.draw(PAPER_ONLY)
    return vary, values


def _shared(rho: float) -> Shared:
    """Draw what all curves share; returns it. The paper's model takes η from the ρ of the first curve."""
    source = controls.choice(ETA_FROM, hint=explain("eta"), words=_ETA_WORDS.__getitem__)
    ratio = coupled.PAPER_ETA
    if source == "paper":
        st.caption(f"{brief(ratio)} in every curve of figure 3. Where it comes from, the paper does not say.")
    else:
        controls.number(SAMPLED, hint=explain("sampled_sensitivity"))
    if source == "bound":
        controls.number(
            BOUND,
            hint="A sensitivity that no pair exceeds, in the same unit; “Sampled sensitivity” shows it if there is one.",
        )
        ratio = _by_a_bound()
    if source == "model":
        ratio = _by_the_model(rho)
    controls.number(SHARE, hint=explain("quantile_taken"), step=0.05)
    controls.whole(K, hint=explain("k"))
    return Shared(epsilon0=EPSILON0.value(), k=K.value(), eta=ratio, confidence2=SHARE.value())


def _by_a_bound() -> float:
    bound, sampled = BOUND.value(), SAMPLED.value()
    if bound < sampled:
        st.warning(
            "This bound is below the sampled sensitivity: a sampled pair has already refuted it. Shown is η = 1."
        )
        return 1.0
    ratio = quantity_of(coupled.eta_of_bound, bound, sampled)
    st.caption(f"{say('η = {ratio}.', ratio=ratio)} if the bound holds.")
    return float(ratio.value)


def _by_the_model(rho: float) -> float:
    controls.number(ORDER, hint="The paper’s constant; it uses 2, without a reason.")
    thousands = controls.switch(THOUSANDS, hint="Dollars become thousands of dollars: nothing changes but the unit.")
    plain, other = (
        quantity_of(coupled.eta, rho, SAMPLED.value(), order=ORDER.value(), unit=unit) for unit in (1.0, 1000.0)
    )
    words = say(
        f"1 + c·ρ/Δ with ρ = {rho:g}: η = {{plain}}; the same data in thousands: η = {{other}}. The data have not changed, so the model "
        "(Lemma 12) is false.",
        plain=plain,
        other=other,
    )
    st.caption(words)
    return float((other if thousands else plain).value)


def _as_published(vary: str) -> None:
    for each in SETTINGS:
        if each is not EPSILON and each is not WANTED:
            each.put(each.default)
    VARY.put(vary)


def _headline(at: CoupledAt) -> str:
    return say(
        "## Less private than {epsilon} in up to {at.exact_risk} of releases; the paper claims {at.risk}",
        epsilon=level(at.epsilon),
        at=at,
    )


def _answer(at: CoupledAt, shared: Shared) -> None:
    """Say how often the release is as private as hoped for: in truth, and by the paper."""
    st.markdown(_headline(at), help=badges.legend(_THEOREM_6))
    st.markdown(f"For noise of a sampled sensitivity, if the true one is η = {brief(shared.eta)} times as large.")


def _whose_numbers(shared: Shared) -> None:
    """Say who needs the section, and what the two numbers of the headline are worth."""
    st.markdown("With a proven bound on the sensitivity, make the noise for that: then you do not need this section.")
    reached = told("**ε = {reached}**", reached=CoupledCalibration.as_quantity("reached", shared.reached))
    st.markdown(
        f"The worst case is that of the noise alone {badges.of(default_noise(shared.epsilon0))} for {level0(shared.epsilon0)} if η is "
        f"right: every release is as private as {reached} = η·ε₀, not as ε₀. The claim {badges.of(_THEOREM_6)} of *Privacy at Risk* "
        "(PoPETs 2021) multiplies by the quantile and by α, which say only how far η can be trusted.",
        help=badges.legend(),
    )


def _calibrations(samples: int, rho: float, shared: Shared) -> None:
    st.markdown("### Calibrate with a sample")
    wanted = controls.number(WANTED, hint=explain("empirical_confidence"), step=0.05)
    controls.button(
        "The paper’s own example",
        settings.put_all,
        _PAPER_EXAMPLE,
        hint="Section 6.2, case 3: ε = 0.4, confidence 0.9, the 90 % quantile, 15,000 pairs at ρ = 0.01, which it answers with ε₀ = 0.8.",
    )
    left, right = st.columns(2)
    with left, st.container(border=True, height="stretch"):
        st.markdown("**Only the sensitivity is uncertain** (case 2)")
        _case_2(wanted, samples, rho)
    with right, st.container(border=True, height="stretch"):
        st.markdown("**The noise helps too** (case 3)")
        _case_3(wanted, float(tolerance(samples, rho)), shared)


def _case_2(wanted: float, samples: int, rho: float) -> None:
    try:
        found = share_to_take(wanted, samples=samples, rho=rho)
    except InfeasibleError as error:
        best = written(SampledShare.as_quantity("best", error.best or 0.0))
        st.warning(
            f"**Not possible**: {samples:,} pairs at ρ = {rho:g} reach at most {best}. Sample more pairs, or wish for less."
        )
        return
    paragraph(
        "Take the **quantile at {found.share}** of the sampled sensitivities and noise for ε itself. It covers at least "
        "{found.valid} of pairs with a probability of {found.alpha}, and {found.mean_coverage} on average.",
        found=found,
    )


def _case_3(wanted: float, alpha: float, shared: Shared) -> None:
    try:
        found = calibrate(
            EPSILON.value(), wanted, eta=shared.eta, confidence2=shared.confidence2, alpha=alpha, k=shared.k
        )
    except InfeasibleError as error:
        st.warning(
            told(
                f"**Not possible**: no noise reaches {percent(wanted)} by the formula. The best is **{{best}}**, the quantile times α, "
                "however small ε₀ is. Take a higher quantile, sample more pairs, or wish for less.",
                best=CoupledCalibration.as_quantity("best", error.best or 0.0),
            )
        )
        return
    if found.epsilon0 is None or found.reached is None:
        st.markdown(
            say("By the formula every ε₀ will do, even with hardly any noise.", standing_of=_THEOREM_6)
            + say(" In truth the confidence falls to 0 as ε₀ grows.", standing_of=default_noise(1.0))
        )
        return
    paragraph(
        "Noise for **ε₀ = {found.epsilon0}** with the sampled sensitivity. In truth, if η is right, it is as private as {epsilon} in "
        "{found.exact_confidence} of releases in the worst case, and as ε = {found.reached} in all.",
        found=found,
        epsilon=level(found.epsilon),
    )
