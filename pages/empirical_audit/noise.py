"""The section "Add noise": how much the answers need so that nobody shows more than wanted, and what that noise is."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from pages.empirical_audit import current_audit, formulas, noise_fields, panel_fields
from pages.empirical_audit.checks import note_chance, warn
from pages.empirical_audit.current_audit import Audited
from pages.empirical_audit.noise_fields import ADDED, KERNEL, WANTED, Added
from pages.shared import badges, controls
from pages.shared.chart import chart
from pages.shared.dial import dial
from pages.shared.formula_expander import formula_expander
from pages.shared.say import at_most, paragraph, told, written
from pages.shared.words import amount, level
from par_core.audit.curves import NoiseCurves, noise_curves
from par_core.audit.density import fit_density
from par_core.audit.gaussian_noise import band_limited_noise, measured_level
from par_core.audit.noise import classical_sensitivity, compared_with_classical, counterexample, hausdorff_scale
from par_core.audit.total import largest_loss
from par_core.errors import InfeasibleError, ParameterError
from par_core.figures import empirical_audit as figures
from par_core.mechanisms import strongest_belief
from par_core.questions.glossary import explain
from par_core.randomness import seeded
from par_core.standing import quantity_of

_KERNEL_WORDS = {"laplace": "Laplace", "gaussian": "Gaussian"}
_SEED = 1


def draw() -> None:
    """Draw the section."""
    main, side, audited = current_audit.start()
    with side:
        wish = dial(WANTED, hint=explain("wanted_level"))
        sure = quantity_of(strongest_belief, 0.5, wish)
        st.caption(told(f"{level(wish)}: an attacker who is 50 % sure becomes at most {{sure}} sure.", sure=sure))
        kernel = controls.choice(KERNEL, hint=explain("kernels"), words=_KERNEL_WORDS.__getitem__)
        if kernel == "laplace":
            controls.switch(ADDED, hint="The certificate is under “Who is exposed?”.")
    if audited is None:
        return
    with main:
        warn(audited.result)
        wanted = noise_fields.wanted(audited)
        if kernel == "gaussian":
            _gaussian(audited, wanted)
        else:
            _laplace(audited, wanted)
        note_chance(audited.result)
        _distances(audited, wanted)
        formula_expander("audit_noise", formulas.NOISE)


def _laplace(audited: Audited, wanted: Added) -> None:
    """Say and draw the noise for Laplace kernels, which is exact."""
    scale, noise = wanted
    if noise.exact_share == 1:
        st.markdown(f"## For {level(scale.epsilon)} no noise is needed: the answers are spread widely enough")
        st.markdown(
            f"Leaving anyone out changes the estimated density by at most a factor of e^ε. {badges.of(audited.result)}",
            help=badges.legend(),
        )
        return
    needed = told("an answer needs noise of {noise.mean_absolute} on average", noise=noise)
    st.markdown(f"## For {level(scale.epsilon)} {needed}", help=explain("audit_noise"))
    paragraph(
        "Computed from estimated densities; **in {noise.exact_share} of releases nothing is added: the exact answer goes out.**",
        noise=noise,
        help=badges.legend(),
    )
    reached = float(largest_loss(audited.result.answers, audited.result.without, bandwidth=noise.scale).max())
    _draw(noise_curves(noise, rng=seeded(_SEED)), told("{noise.exact_share} without any", noise=noise))
    st.markdown(
        told(
            "All others get Laplace noise of scale {noise.scale}, which turns Laplace kernels of bandwidth {noise.kernel_scale} into "
            "kernels of that scale.",
            noise=noise,
        )
        + f" {badges.of(noise)} for the estimated densities, themselves {badges.of(audited.result)} an estimate. An attacker who knows "
        "everyone else’s data is not stopped."
    )
    st.markdown(
        told(
            f"With it, leaving anyone out changes the density by at most ε = {{reached}}, wanted were {level(scale.epsilon)}: the scale "
            "is enough for any two samples this far apart, and these are more alike.",
            reached=audited.result.as_quantity("losses", reached),
        )
        + f" {badges.of(scale)} for these densities."
    )
    _classical(audited, noise.mean_absolute)


def _gaussian(audited: Audited, wanted: Added) -> None:
    """Say and draw what stands in for noise that Gaussian kernels do not have."""
    scale, _ = wanted
    width = float(fit_density(audited.result.answers, kernel="gaussian", bandwidth="fixed").bandwidths[0])
    refuted = (
        f"The paper says that Gaussian kernels work too. {badges.of('edp-image-gaussian')} The wanted density has a kink, and nothing "
        "blurred by a Gaussian has. An approximation leaves the highest frequencies out."
    )
    try:
        noise = band_limited_noise(width, scale.scale)
    except (InfeasibleError, ParameterError):
        st.markdown(f"## For {level(scale.epsilon)} there is no usable approximation with Gaussian kernels")
        st.info(
            f"For this ε the noise would have scale {amount(scale.scale, 3)}, beside kernels of width {amount(width, 3)}: too close (below "
            "five widths) or too far apart (above 1,000) for the approximation. Take another ε, or Laplace kernels."
        )
        st.markdown(refuted)
        return
    found = measured_level(noise, audited.result.answers, without=audited.result.without)
    st.markdown(
        f"## Wanted {level(scale.epsilon)}, measured ε\u00a0=\u00a0{at_most(found.epsilon)}",
        help=explain("audit_noise"),
    )
    st.markdown(
        "**No noise turns Gaussian kernels into the wanted density**: this approximation is measured, and nothing is guaranteed. "
        f"{badges.of(found)}",
        help=badges.legend(),
    )
    _draw(noise_curves(noise, rng=seeded(_SEED)), "a band-limited approximation")
    st.markdown(refuted)
    st.markdown(
        f"Measured at {found.points:,} answers for the {found.measured} individuals who move them furthest. Plain "
        f"Laplace noise of scale {written(scale.quantity('scale'))} is about as large "
        "and holds for every kernel."
    )
    _classical(audited, noise.mean_absolute)


def _draw(curves: NoiseCurves, words: str) -> None:
    chart(
        figures.noise(curves),
        "audit_noise",
        alt=f"Density of the noise and the histogram of a sample; {words}.",
        notes={"source": "Empirical Differential Privacy (2020), section 6 and figure 1"},
    )


def _classical(audited: Audited, size: float) -> None:
    """Compare with what differential privacy would need."""
    least = panel_fields.public_size(audited.choice, audited.panel)
    sensitivity = classical_sensitivity(audited.query, records=audited.panel.most_records(), least_records=least)
    compared = compared_with_classical(size, WANTED.value(), sensitivity=sensitivity)
    st.markdown(f"{compared.words} {badges.of(compared)}")


def _distances(audited: Audited, wanted: Added) -> None:
    """Show the published distance beside the valid one, and why it is not valid."""
    example, (valid, _) = counterexample(), wanted
    published = noise_fields.scale_by(hausdorff_scale, audited)
    distance = replace(published.quantity("distance"), holds=published.distance >= valid.distance)
    st.markdown("### Why not less?")
    st.table(
        {
            "Distance": [f"∞-Wasserstein {badges.of(valid)}", f"Hausdorff {badges.of(distance)}"],
            "Furthest": [written(each.quantity("distance")) for each in (valid, published)],
            "Scale of the noise": [written(each.quantity("scale")) for each in (valid, published)],
        },
        hide_index=True,
        alt="Scale of the noise by the valid and by the published distance.",
    )
    st.caption(
        "Why is sometimes nothing added? The answers are spread out already as if noise of the bandwidth had been added; the law of the "
        "rest holds a share without any."
    )
    st.caption(
        f"The paper’s Proposition 1 takes the Hausdorff distance, which is false: of two samples of {len(example.first)} answers each, "
        f"wanted {level(example.epsilon)}, it leaves ε = {amount(example.hausdorff_achieved, 3)}. The valid scale leaves "
        f"{amount(example.wasserstein_achieved, 3)}."
    )
