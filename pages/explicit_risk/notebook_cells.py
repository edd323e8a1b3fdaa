"""What a notebook recomputes of each section on explicit risk."""

from __future__ import annotations

from pages.explicit_risk import attacker_gains, by_dimension, by_epsilon0, calibrate, claim_and_truth
from pages.explicit_risk.overlap_and_processing import THRESHOLD
from pages.explicit_risk.published_risk import AXIS, EPSILON
from pages.shared import settings
from pages.shared.notebooks import possible_scenario, the_scenario
from pages.shared.settings import present_scenario
from par_core.export.notebook import Cell, code

_SHOWN = {"epsilon0": ("epsilon0", "error0"), "epsilon": ("epsilon", "confidence"), "confidence": ("confidence",)}


def dimension() -> list[Cell]:
    scenario = present_scenario()
    if not scenario.as_published:
        return _any_mechanism([scenario.epsilon0])
    ks, _ = settings.usable(by_dimension.KS)
    curves = code(
        """
        curves = explicit_curves.by_dimension($ks, $epsilon0)
        draw(figures.risk_curves(curves, by="k", axis=$axis, own=own))
        """,
        ks=[int(k) for k in ks],
        epsilon0=by_dimension.FIGURE_EPSILON0.value(),
        axis=AXIS.value(),
    )
    return [*_risk(), *[curves] * bool(ks)]


def level() -> list[Cell]:
    scenario = present_scenario()
    epsilon0s, _ = settings.usable(by_epsilon0.EPSILON0S)
    if not scenario.as_published:
        return _any_mechanism(epsilon0s or [scenario.epsilon0])
    curves = code(
        """
        curves = explicit_curves.by_epsilon0($epsilon0s, $k)
        draw(figures.risk_curves(curves, by="epsilon0", axis=$axis, own=own))
        """,
        epsilon0s=epsilon0s,
        k=by_epsilon0.FIGURE_K.value(),
        axis=AXIS.value(),
    )
    return [*_risk(), *[curves] * bool(epsilon0s)]


def calibration() -> list[Cell]:
    scenario, find = present_scenario(), calibrate.FIND.value()
    given = {"epsilon": EPSILON.value(), "wanted": calibrate.CONFIDENCE.value(), "epsilon0": scenario.epsilon0}
    del given["wanted" if find == "confidence" else find]
    return [
        the_scenario(),
        code(
            """
            from par_core.errors import InfeasibleError
            from par_core.mechanisms import calibrate_exactly
            from par_core.published import explicit

            given = $given
            unit = scenario.noise_scale * scenario.epsilon0
            true = calibrate_exactly(**given, sensitivity=unit)
            for name in $names:
                show(f"{name}, in truth", true.quantity(name))
            """,
            given=given,
            names=list(dict.fromkeys([*_SHOWN[find], "error0"])),
        ),
        code(
            """
            try:
                claimed = explicit.calibrate(**given, k=scenario.k, sensitivity=unit)
                for name in $names:
                    show(f"{name}, as published", claimed.quantity(name))
            except InfeasibleError as error:
                print("By the paper's formula:", error)
            """,
            names=list(_SHOWN[find]),
        ),
    ]


def truth() -> list[Cell]:
    scenario = present_scenario()
    if not scenario.as_published:
        return [
            *_loss(),
            code("draw(figures.loss_truth(loss_curves(scenario)[0], own=own))"),
        ]
    return [
        *_risk(),
        code("draw(figures.truth(explicit_curves.truth(scenario.epsilon0, scenario.k), own=own))"),
        code(
            """
            # Simulated releases, each bar with its 99 % interval
            simulated = explicit_curves.simulate(scenario.epsilon0, scenario.k, even=$even, size=$size, seed=$seed)
            draw(figures.truth(explicit_curves.truth(scenario.epsilon0, scenario.k), own=own, simulated=simulated))
            """,
            even=scenario.k > 1 and claim_and_truth.SPREAD.value() == "even",
            size=int(claim_and_truth.SIZE.value()),
            seed=claim_and_truth.SEED.value(),
        ),
    ]


def attacker() -> list[Cell]:
    scenario = possible_scenario()
    return [
        the_scenario(),
        code(
            """
            from par_core.figures import explicit_risk as figures
            from par_core.risk.attacks import attacks_on, believed_after, lost

            releases, prior = $releases, $prior
            believed = believed_after(scenario, prior, releases=releases)
            show("belief afterwards, at most", believed.quantity("believed"))
            attacks = attacks_on(scenario, $epsilon, releases=releases)
            show("membership advantage", attacks.quantity("advantage0"))
            show("μ of Gaussian differential privacy", lost(scenario, releases).gaussian.quantity("mu"))
            """,
            releases=scenario.releases if attacker_gains.ABOUT.value() == "all" else 1,
            prior=attacker_gains.PRIOR.value(),
            epsilon=EPSILON.value(),
        ),
        code("draw(figures.posterior(attacks, prior=prior, believed=believed.believed))"),
        code("draw(figures.tradeoff(attacks))"),
    ]


def pieces() -> list[Cell]:
    return [
        the_scenario(),
        code(
            """
            from par_core.figures import explicit_risk as figures
            from par_core.risk import explicit_curves, relaxations

            curves = explicit_curves.noise_overlap(scenario.epsilon0, $epsilon)
            show("overlap of the noises", curves.quantity("overlap"))
            draw(figures.overlap(curves))
            """,
            epsilon=EPSILON.value(),
        ),
        code(
            """
            own = relaxations.thresholded_loss($epsilon, scenario.epsilon0, threshold=$threshold)
            show("the loss exceeds ε before the threshold", own.quantity("exceeds_before"))
            show("and after it", own.quantity("exceeds_after"))
            draw(figures.thresholded(explicit_curves.post_processing(scenario.epsilon0, $threshold), own=own))
            """,
            epsilon=EPSILON.value(),
            threshold=THRESHOLD.value(),
        ),
    ]


def _risk() -> list[Cell]:
    """Return the published and the exact risk at the reader's setting."""
    return [
        the_scenario(),
        code(
            """
            from par_core.figures import explicit_risk as figures
            from par_core.risk import explicit_curves

            own = explicit_curves.risk_at($epsilon, scenario.epsilon0, k=scenario.k)
            show("the privacy loss exceeds ε in at most", own.quantity("exact_risk"))
            show("the paper claims", own.quantity("risk"))
            """,
            epsilon=EPSILON.value(),
        ),
    ]


def _any_mechanism(epsilon0s: list[float]) -> list[Cell]:
    return [
        *_loss(),
        code("draw(figures.loss_levels(loss_curves(scenario, $epsilon0s), own=own))", epsilon0s=epsilon0s),
    ]


def _loss() -> list[Cell]:
    """Return how often the loss exceeds ε with the scenario's mechanism; an error where that cannot take its numbers."""
    possible_scenario()
    return [
        the_scenario(),
        code(
            """
            from par_core.figures import explicit_risk as figures
            from par_core.risk.loss_curves import loss_at, loss_curves

            own = loss_at(scenario, $epsilon)
            show("the privacy loss exceeds ε in at most", own.quantity("two_sided"))
            show("as it is, not only in size, in", own.quantity("one_sided"))
            show("smallest δ for ε", own.quantity("delta"))
            """,
            epsilon=EPSILON.value(),
        ),
    ]
