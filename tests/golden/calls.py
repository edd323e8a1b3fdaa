"""Public calls under names of their subject, with ordinary and with odd arguments: what they answer is on record.

`python -m tests.golden.record calls` writes `tests/data/calls.json` anew. Where a subject moves, its line here moves.
"""

import json
import re
from functools import cache

import numpy as np
import pandas as pd
from scipy import optimize

from par_core import audit as empirical
from par_core import (
    claims,
    composition,
    cost,
    datasets,
    mechanisms,
    queries,
    regression,
    release,
    rounding,
    scenario,
)
from par_core import deployment as settings
from par_core import sampling as implicit
from par_core.audit import (
    adversary,
    attack,
    checks,
    classical,
    drawn_densities,
    gaussian_noise,
    joint,
    noise,
    other_densities,
)
from par_core.audit import queries as asked
from par_core.audit.ranking import ranking_table
from par_core.composition import within_target
from par_core.composition.comparison import too_low
from par_core.export.certificate import certificate, fingerprint
from par_core.export.release_code import release_code
from par_core.mechanisms import Laplace, max_posterior
from par_core.mechanisms.noisy_max import NoisyMax
from par_core.published import composition as printed
from par_core.published import coupled, definitions, explicit, pate
from par_core.published import sampling as published_sampling
from par_core.published.regression import published_sensitivity
from par_core.queries import Condition, Count, CountBy, Mean, PersonCount, PersonCountBy, Sum
from par_core.release import Measure
from par_core.risk import explicit_curves, relaxations, simulation
from par_core.sampling import coupled_calibration, coupled_curves
from par_core.scenario import Neighbours, Scenario
from tests.golden.flat import TOLERANCE

CALLS = {}
LEVELS = np.array([1e-8, 0.01, 0.1, 0.5, 1.0, 1.0986, 2.0, 3.0, 10.0, 100.0, 700.0])
SHARES = np.array([1e-9, 0.01, 0.1, 0.5, 0.9, 0.99, 1 - 1e-9])
REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE


def seeded(seed=1):
    return np.random.default_rng(seed)


def where_theorem_2_fails(k):
    """Above this epsilon0, fed with Theorem 4's risk."""
    return optimize.brentq(lambda at: explicit.t_cdf(at, k=k) - 2.0 * explicit.t_pdf(at, k=k), 1.0, 2.0, xtol=1e-15)


def or_error(call, *given, **named):
    """The answer, or the error with what is reachable."""
    try:
        return call(*given, **named)
    except ValueError as error:
        return error


def record(subject, **calls):
    for name, call in calls.items():
        CALLS[f"{subject}: {name.replace('_', ' ')}"] = call


# --- one release, as published ---
record(
    "published confidence",
    **{f"k_{k}": lambda k=k: explicit.confidence(LEVELS[:, None], LEVELS, k=k) for k in (1, 2, 3, 10, 100)},
    k_10000=lambda: explicit.confidence([0.1, 1.0], [0.5, 2.0], k=10_000),
    vector_of_k=lambda: explicit.confidence(0.4, 0.5, k=[1, 2, 5, 50]),
    at_epsilon0=lambda: explicit.confidence(LEVELS, LEVELS),
)
record(
    "published risk",
    **{f"k_{k}": lambda k=k: explicit.risk(LEVELS, 1.0, k=k) for k in (1, 2, 3, 20)},
    tiny_levels=lambda: np.log(explicit.risk([1e-8, 1e-6], [1e-7, 1e-5])),
    large_levels=lambda: np.log(explicit.risk([20.0, 50.0], [30.0, 80.0])),
)
record(
    "published epsilon at a confidence",
    **{f"k_{k}": lambda k=k: explicit.epsilon_at(SHARES, 1.0, k=k) for k in (1, 2, 3)},
    many_levels=lambda: explicit.epsilon_at(0.6, LEVELS),
)
record(
    "published epsilon0 for a confidence",
    **{f"k_{k}": lambda k=k: explicit.epsilon0_for(0.4, [0.5, 0.6, 0.9], k=k) for k in (1, 2, 3)},
    infeasible=lambda: or_error(explicit.epsilon0_for, 0.4, 0.05),
    small_and_large=lambda: explicit.epsilon0_for([1e-6, 0.01, 1.0, 50.0], 0.7),
)
record(
    "law of T",
    **{f"cdf_k_{k}": lambda k=k: explicit.t_cdf([1e-6, 0.1, 1.0, 5.0, 40.0], k=k) for k in (1, 2, 7, 100)},
    **{f"pdf_k_{k}": lambda k=k: explicit.t_pdf([1e-6, 0.1, 1.0, 5.0, 40.0], k=k) for k in (1, 2, 7, 100)},
    pdf_far_out=lambda: np.log(explicit.t_pdf([50.0, 300.0], k=3)),
)
record(
    "published calibration",
    epsilon0=lambda: explicit.calibrate(epsilon=0.4, wanted=0.6),
    epsilon=lambda: explicit.calibrate(wanted=0.6, epsilon0=0.5, k=2, sensitivity=3.0),
    confidence=lambda: explicit.calibrate(epsilon=[0.1, 0.4], epsilon0=[0.5, 3.0], k=3),
    infeasible=lambda: or_error(explicit.calibrate, epsilon=0.4, wanted=0.1),
    large=lambda: explicit.calibrate(epsilon=20.0, epsilon0=30.0, sensitivity=1e6),
)
record("overlap of the noise", pairs=lambda: explicit.overlap([0.1, 0.6, 1.0, 5.0], [0.5, 1.0, 1.0, 700.0]))

# --- one release, exactly ---
record(
    "exact loss",
    within=lambda: Laplace(LEVELS).loss_within(LEVELS[:, None]),
    exceeds=lambda: Laplace(LEVELS).loss_exceeds(LEVELS[:, None]),
    exceeds_one_sided=lambda: Laplace(LEVELS).loss_exceeds(LEVELS[:, None], two_sided=False),
    at_zero=lambda: Laplace(LEVELS).loss_within(0.0),
    mean=lambda: Laplace(LEVELS).mean_loss,
    mean_small=lambda: np.log(Laplace([1e-9, 1e-5, 1e-3]).mean_loss),
)
record(
    "privacy profile",
    grid=lambda: Laplace(LEVELS).delta(LEVELS[:, None]),
    small=lambda: np.log(Laplace([1e-8, 1e-8, 0.5]).delta([0.0, 1e-9, 0.4999999])),
)
record(
    "attacks on one release",
    tradeoff=lambda: Laplace(LEVELS).tradeoff(SHARES[:, None]),
    advantage=lambda: Laplace(LEVELS).advantage,
    advantage_small=lambda: np.log(Laplace([1e-12, 1e-8]).advantage),
    posterior=lambda: max_posterior([0.0, 0.01, 0.5, 0.99, 1.0], 0.7),
    posterior_levels=lambda: max_posterior(0.2, LEVELS),
)
record(
    "simulated loss",
    one_coordinate=lambda: next(simulation.loss_batches(0.7, size=1000, rng=seeded())),
    spread=lambda: next(simulation.loss_batches(2.0, k=3, shift=[0.5, 0.25, 0.25], size=500, rng=seeded(2))),
    exceedance_k=lambda: simulation.simulate_exceedance(
        0.3, 0.8, k=2, shift=[0.5, 0.5], size=2000, rng=seeded(4), level=0.9
    ),
)
record(
    "exact calibration",
    epsilon0=lambda: mechanisms.calibrate_exactly(epsilon=0.4, wanted=0.15),
    epsilon=lambda: mechanisms.calibrate_exactly(wanted=0.3, epsilon0=1.5, sensitivity=2.0),
    confidence=lambda: mechanisms.calibrate_exactly(epsilon=0.4, epsilon0=0.8),
    at_epsilon0=lambda: mechanisms.calibrate_exactly(epsilon=1.0, epsilon0=1.0),
    sure=lambda: or_error(mechanisms.calibrate_exactly, epsilon=0.4, wanted=0.9),
    large=lambda: mechanisms.calibrate_exactly(epsilon=600.0, epsilon0=700.0),
    small=lambda: mechanisms.calibrate_exactly(wanted=1e-6, epsilon0=0.1),
)

# --- curves of one release ---
record(
    "curves of one release",
    by_dimension=lambda: explicit_curves.by_dimension((1, 2, 3), 1.0),
    by_dimension_many=lambda: explicit_curves.by_dimension((1, 100), 0.1, upto=0.3),
    by_level=lambda: explicit_curves.by_epsilon0((1.0, 1.5, 2.5), 1),
    by_level_k=lambda: explicit_curves.by_epsilon0((0.5, 3.0), 4, upto=5.0),
    at_a_point=lambda: [explicit_curves.risk_at(0.4, 0.5), explicit_curves.risk_at(2.0, 3.0, k=5)],
    against_epsilon0=lambda: explicit_curves.confidence_against_epsilon0(0.4),
    against_epsilon0_k=lambda: explicit_curves.confidence_against_epsilon0(2.0, 3, upto=30.0, points=41),
    truth=lambda: explicit_curves.truth(0.5),
    truth_k=lambda: explicit_curves.truth(3.0, 2, points=51),
    attacks=lambda: explicit_curves.attacks(0.5, 0.4),
    attacks_large=lambda: explicit_curves.attacks(20.0, 3.0, points=51),
    excess=lambda: explicit_curves.excess(0.5),
    overlap=lambda: explicit_curves.noise_overlap(0.5, 0.4),
    after_threshold=lambda: explicit_curves.post_processing(0.5, 0.5),
    simulated=lambda: explicit_curves.simulate(0.5, 2, even=True, size=3000, seed=1),
    simulated_one=lambda: explicit_curves.simulate(3.0, 1, even=False, size=3000, seed=9, points=5),
)

# --- weaker promises ---
record(
    "relaxations",
    weaken=lambda: definitions.relaxed_delta([0.1, 0.5, 2.0], [1e-5, 0.1, 0.3], to=[0.0, 0.2, 1.0]),
    approximate=lambda: relaxations.approximate_delta([0.1, 0.5, 0.9], 1.0),
    approximate_k=lambda: relaxations.approximate_delta(0.4, [0.5, 2.0, 5.0], k=3),
    probabilistic=lambda: relaxations.probabilistic_delta([0.1, 0.5, 0.9, 1.0], 1.0),
    probabilistic_k=lambda: relaxations.probabilistic_delta(0.4, [0.5, 2.0, 5.0], k=[1, 2, 30]),
    largest_valid=lambda: np.array([where_theorem_2_fails(k) for k in (1, 2, 3, 10, 100)]),
    mixed=lambda: definitions.mixed_risk([0.1, 0.5], 1.0, confidence1=0.9, confidence2=[0.5, 1.0], share=0.3),
    mixture=lambda: relaxations.mixture_exceeds([0.05, 0.2, 0.6], [0.1, 0.4, 1.0], shares=[0.2, 0.3, 0.5]),
    threshold=lambda: relaxations.thresholded_loss([0.1, 0.3, 0.5], 0.5),
    threshold_far=lambda: relaxations.thresholded_loss(0.3, [0.5, 3.0], threshold=[-2.0, 4.0]),
)

# --- the scenario, words of numbers, deployment ---
record(
    "scenario",
    default=lambda: Scenario(),
    other=lambda: Scenario(epsilon0=3.0, k=4, sensitivity=2.5, neighbours=ADD, rows_per_person=3, delta=1e-9),
    json=lambda: Scenario(epsilon0=0.1, k=7).to_json(),
    numbers=lambda: [scenario.exact_text(each) for each in (0.1, 1e-8, 12345678.0, 3, 1e22)],
)
record(
    "rounded words",
    amounts=lambda: [rounding.amount(each, 3) for each in (0.0, 1.2345, 12345.6, 1e-7, 9.999, 1e12)],
    up=lambda: [rounding.amount(each, 2, toward="up") for each in (0.101, 3.14159, 1e6 + 1)],
    down=lambda: [rounding.amount(each, 4, toward="down") for each in (0.10199, 63.982, 0.8434)],
    errors=lambda: [rounding.error(each) for each in (0.00123, 1.5, 63.982, 12345.0)],
    shares=lambda: [rounding.percent(each) for each in (0.0, 1e-9, 0.0861, 0.843, 0.99999, 1.0)],
    shares_up=lambda: [rounding.percent(each, toward="up") for each in (1e-9, 0.0861, 0.843, 0.99999)],
    numbers=lambda: [rounding.rounded(each, 3, toward="up") for each in (0.12345, 63.982, 1e-9)],
)
record(
    "deployment",
    default=lambda: settings.read({}),
    set=lambda: settings.read({"PAR_JOBS": "2", "PAR_UPLOADS": "0", "PAR_UPLOAD_MB": "5"}),
)

# --- many releases ---
NUMBERS = [1, 2, 10, 100, 300, 10_000]
PUBLISHED = {
    "as_in_the_journal": printed.at_risk,
    "as_in_the_preprint": printed.at_risk_preprint,
    "as_drawn": printed.at_risk_as_drawn,
}
ACCOUNTANTS = {
    "basic": composition.basic,
    "advanced": composition.advanced,
    "zcdp": composition.zcdp,
    "rdp": composition.rdp,
    "optimal_pure": composition.optimal_pure,
}
for name, function in ACCOUNTANTS.items():
    record(
        f"composition {name}",
        many=lambda function=function: function(0.1, NUMBERS, delta=1e-5),
        levels=lambda function=function: function([1e-6, 0.01, 0.5, 2.0], 50, delta=1e-9),
        deltas=lambda function=function: function(0.5, 20, delta=[1e-15, 1e-6, 0.01, 0.5]),
        one=lambda function=function: function(0.3, 1, delta=1e-5),
    )
for name, function in PUBLISHED.items():
    record(
        f"composition {name}",
        many=lambda function=function: function(0.1, NUMBERS, delta=1e-5),
        exact_confidence=lambda function=function: function(0.1, NUMBERS, delta=1e-5, truth="exact"),
        at_epsilon=lambda function=function: function(0.5, [1, 300], delta=1e-5, epsilon=0.3),
        at_confidence=lambda function=function: function(0.5, [1, 300], delta=1e-5, epsilon=0.3, confidence=0.6),
        several_numbers=lambda function=function: function([0.1, 1.0], 20, delta=1e-9, k=3),
    )
LEVELS_OF = np.array([0.1, 0.25, 1.0])
record(
    "composition of mixed releases",
    published=lambda: printed.heterogeneous(LEVELS_OF, [10, 5, 1], delta=1e-5),
    published_exact=lambda: printed.heterogeneous(LEVELS_OF, [10, 5, 1], delta=1e-5, truth="exact", k=1),
    published_at=lambda: printed.heterogeneous([0.1, 0.2], delta=1e-5, epsilon=0.05, k=2),
    exact=lambda: composition.exact(composition.compose(LEVELS_OF, [10, 5, 1]), delta=1e-5),
    delta=lambda: composition.exact_delta(composition.compose(LEVELS_OF, [3, 2, 1]), epsilon=0.5),
    delta_none_left=lambda: composition.exact_delta(composition.compose([0.1, 0.2]), epsilon=5.0),
    running=lambda: composition.running(((0.1, 5), (0.3, 2)), (1, 5, 7), delta=1e-5),
    added_up=lambda: str(composition.added_up(((0.1, 3), (0.2, 10)))),
    first=lambda: composition.first_releases(((0.1, 5), (0.3, 2)), 6),
    number=lambda: composition.releases_in(((0.1, 5), (0.3, 2))),
)
record(
    "composition of this very change",
    half=lambda: composition.change_risk(0.3, 0.5, shares=[0.5, 0.5]),
    uneven=lambda: composition.change_risk(0.4, 1.0, shares=[0.1, 0.2, 0.7]),
    part=lambda: composition.change_risk(0.1, 0.5, shares=[0.3]),
    beyond=lambda: composition.change_risk(2.0, 0.5, shares=[0.5, 0.25]),
    used=lambda: composition.used_share([0.25, 0.5, 0.125]),
)
record(
    "exact composition",
    one=lambda: composition.exact(0.5, 1, delta=1e-5),
    many=lambda: composition.exact(0.5, [1, 2, 10, 50], delta=1e-5),
    small=lambda: composition.exact(0.01, [1, 100, 300], delta=1e-6),
    large_level=lambda: composition.exact(3.0, [1, 5, 20], delta=1e-3),
    large_number=lambda: composition.exact(0.1, 2000, delta=1e-5),
    deltas=lambda: composition.exact(0.5, 10, delta=[1e-12, 1e-3, 0.3]),
    delta_of=lambda: composition.exact_delta(0.5, [1, 10], epsilon=[0.2, 2.0]),
    log_delta_of=lambda: np.log(composition.exact_delta(0.1, 20, epsilon=[0.5, 1.0, 1.5]).value),
)


@cache
def compared():
    return composition.compare(0.1, (1, 10, 100, 300), delta=1e-5)


record(
    "accountants side by side",
    default=lambda: [(each.accountant.key, each) for each in compared().curves],
    exact=lambda: compared().exact,
    several=lambda: composition.compare(0.5, (1, 3, 30), delta=1e-9, keys=("basic", "at_risk", "rdp"), k=3),
    at_epsilon=lambda: composition.compare(0.5, (2, 20), delta=1e-5, keys=("at_risk", "at_risk_exact"), epsilon=0.2),
    drawn=lambda: composition.compare(0.1, (1, 300), delta=1e-5, keys=("at_risk_as_drawn",), drawn_delta=1e-4),
    too_low=lambda: [too_low(compared(), each) for each in ("at_risk", "at_risk_as_drawn", "at_risk_preprint")],
    names=lambda: [(each.key, each.name, each.evidence.basis) for each in composition.ACCOUNTANTS.values()],
)
KEYS = ("basic", "advanced", "zcdp", "rdp", "optimal_pure", "at_risk")
for key in KEYS:
    record(
        f"plan with {key}",
        number=lambda key=key: composition.most_releases(key, 0.1, epsilon=1.0, delta=1e-5),
        level=lambda key=key: composition.epsilon0_for(key, 20, epsilon=1.0, delta=1e-5),
    )
record(
    "plan with exact",
    number=lambda: composition.most_releases("exact", 0.25, epsilon=1.0, delta=1e-5),
    level=lambda: composition.epsilon0_for("exact", 5, epsilon=1.0, delta=1e-5),
    k=lambda: composition.epsilon0_for("at_risk", 5, epsilon=2.0, delta=1e-9, k=3),
    best=lambda: within_target.largest_proven(
        [composition.most_releases(key, 0.1, epsilon=1.0, delta=1e-5) for key in KEYS], by="releases"
    ),
)

# --- money ---
MODELS = {
    "per head": cost.CostModel(5500, 100),
    "with a minimum": cost.CostModel(5500, 1000, rate=0.5, minimum=20, capped=True),
    "with a fine": cost.FixedPlusPerHead(20_000, 55, 100, fixed_rate=0.3),
    "as a table": cost.PiecewiseLinear([(0.1, 10), (0.5, 14), (1, 20), (3, 400)]),
}
for name, model in MODELS.items():
    tall = 2.0 if name == "as a table" else 50.0
    record(
        f"cost {name}",
        plain=lambda model=model: model.dp([0.1, 0.3, 0.5, 1.0, 2.5]),
        budget=lambda model=model: model.at_risk([0.1, 0.2, 0.4], 0.5, truth="published"),
        budget_exact=lambda model=model: model.at_risk([0.1, 0.2, 0.4], [0.5, 1.0, 2.0], k=1, truth="exact"),
        budget_k=lambda model=model: model.at_risk(0.3, [0.5, 2.0], k=3, truth="published"),
        optimum=lambda model=model, tall=tall: model.optimum([0.12, 0.5, 1.0, tall], truth="published"),
        optimum_exact=lambda model=model, tall=tall: model.optimum([0.12, 0.5, 1.0, tall], truth="exact"),
        optimum_k=lambda model=model: model.optimum(0.8, k=2, truth="published"),
        by_function=lambda model=model: [
            cost.at_risk(model, 0.2, 0.6, truth="published"),
            cost.optimum(model, 0.6, truth="published"),
        ],
        curve=lambda model=model: cost.curve(model, (0.7, 0.5)),
        moves=lambda model=model: cost.sensitivity_analysis(model, 0.5, truth="published"),
        moves_exact=lambda model=model: cost.sensitivity_analysis(model, 0.7, k=1, percent=25.0, truth="exact"),
        enough=lambda model=model: or_error(cost.epsilon_range, 60_000, 2.5, 0.5, model=model, truth="published"),
        enough_exact=lambda model=model: or_error(cost.epsilon_range, 30_000, None, 0.5, model=model, truth="exact"),
        too_little=lambda model=model: or_error(cost.epsilon_range, 1.0, 2.5, 0.5, model=model, truth="published"),
        for_error=lambda model=model: cost.budget_for(2.5, model=model),
        for_error_k=lambda model=model: cost.budget_for(4.0, model=model, k=2, sensitivity=3.0),
        all_releases=lambda model=model: or_error(cost.all_releases, model, 0.5, releases=4),
    )
record(
    "cost",
    equation_11=lambda: cost.equation_11(60_000, 2.5, 0.5, model=MODELS["per head"]),
    equation_11_confidence=lambda: cost.equation_11(90_000, 3.0, 0.7, model=MODELS["per head"], confidence=0.6),
    equation_11_k=lambda: or_error(cost.equation_11, 40_000, 3.0, 0.7, model=MODELS["per head"], k=2),
    says_little=lambda: [cost.says_little(MODELS["per head"], each) for each in (0.1, 1.0, 5.0, 50.0)],
    small_level=lambda: MODELS["per head"].optimum([1e-8, 1e-4], truth="published"),
    large_level=lambda: MODELS["per head"].optimum([20.0, 700.0], k=[1, 2], truth="published"),
)

# --- sampled sensitivity: closed forms ---
record(
    "sampled sensitivity",
    tolerance=lambda: implicit.tolerance([1, 100, 15_000, 10**9], [0.5, 0.1, 0.01, 1e-4]),
    samples_needed=lambda: implicit.samples_needed([0.1, 0.01, 1e-4], [0.5, 0.9, 0.999]),
    samples_formula=lambda: implicit.samples_formula([0.1, 0.01, 1e-4], 0.9),
    rho=lambda: implicit.rho_for([10, 15_000, 10**8], [0.1, 0.9, 0.99]),
    coverage=lambda: implicit.coverage([10, 100, 15_000], [10, 95, 13_600], share=0.9),
    coverage_small=lambda: np.log(implicit.coverage(1000, 1000, share=[0.99, 0.5, 1 - 1e-9])),
    for_largest=lambda: implicit.samples_for_largest([0.5, 0.9, 0.999], [0.5, 0.9, 0.999]),
    rank=lambda: [implicit.rank_for(n, share=0.9, wanted=0.9) for n in (50, 1000, 15_000)],
    rank_infeasible=lambda: or_error(implicit.rank_for, 5, share=0.9, wanted=0.9),
    confidence=lambda: published_sampling.empirical_confidence([100, 15_000], [0.1, 0.01], share=[0.5, 1.0]),
    in_the_mean=lambda: implicit.samples_in_the_mean([0.5, 0.9, 0.999999]),
    curves=lambda: implicit.samples_curves(),
    risks=lambda: implicit.risks_down_to(1e-4),
    at_samples=lambda: implicit.samples_at(samples=15_000, rho=0.01),
    at_rho=lambda: implicit.samples_at(rho=0.02, wanted=0.9),
    at_wanted=lambda: implicit.samples_at(samples=100, wanted=0.5),
)
SETTING = coupled_curves.Setting(epsilon0=0.8, k=2, eta=1.2, confidence2=0.9)
record(
    "noise and sample together",
    eta=lambda: coupled.eta([0.01, 0.5, 0.99], [0.5, 2.0, 10.0]),
    eta_order=lambda: coupled.eta(0.2, 1.5, order=[1.0, 2.0, 4.0], unit=3.0),
    eta_of_bound=lambda: coupled.eta_of_bound([2.0, 3.0], [1.5, 0.5]),
    confidence=lambda: coupled.confidence([0.1, 0.5, 1.0], 1.0, eta=[1.0, 1.1, 2.0]),
    confidence_k=lambda: coupled.confidence(0.4, 0.5, eta=1.2, confidence2=0.9, alpha=0.8, k=[1, 2, 10]),
    epsilon0=lambda: coupled.epsilon0_for(0.4, [0.5, 0.7], eta=1.1, alpha=0.95),
    epsilon0_k=lambda: coupled.epsilon0_for(1.0, 0.6, eta=1.3, k=4),
    epsilon0_infeasible=lambda: or_error(coupled.epsilon0_for, 0.4, 0.9, eta=1.1, alpha=0.5),
    share=lambda: coupled_calibration.share_to_take(0.8, samples=15_000, rho=0.01),
    share_infeasible=lambda: or_error(coupled_calibration.share_to_take, 0.999, samples=100, rho=0.01),
    calibrated=lambda: coupled_calibration.calibrate(0.4, 0.6, eta=1.1, alpha=0.95),
    calibrated_k=lambda: coupled_calibration.calibrate(1.0, 0.5, eta=1.3, confidence2=0.8, k=3),
    calibrated_infeasible=lambda: or_error(coupled_calibration.calibrate, 0.4, 0.9, eta=1.1, alpha=0.5),
    by_rho=lambda: coupled_curves.by_rho(),
    by_rho_k=lambda: coupled_curves.by_rho((0.01, 0.05), 5000, setting=SETTING, upto=2.0),
    by_samples=lambda: coupled_curves.by_samples(),
    at=lambda: coupled_curves.coupled_at(0.5, 15_000, rho=0.01),
    at_k=lambda: coupled_curves.coupled_at(0.9, 500, rho=0.05, setting=SETTING),
)

# --- sampled sensitivity: from tables ---


@cache
def people():
    rng = seeded(11)
    size = 400
    return pd.DataFrame(
        {
            "who": np.array([f"p{each}" for each in rng.integers(0, 150, size)], dtype=object),
            "age": rng.integers(16, 90, size),
            "pay": np.round(np.exp(rng.normal(7, 0.6, size)), 2),
            "sex": np.array(["f", "m"], dtype=object)[rng.integers(0, 2, size)],
            "day": pd.Timestamp("2020-01-01") + pd.to_timedelta(rng.integers(0, 700, size), unit="D"),
        }
    )


@cache
def fitted():
    return implicit.fit_population(people()[["age", "pay", "sex"]])


def sampled(query, population=None, rows=60, pairs=120):
    found = implicit.sample_sensitivity(
        query, people() if population is None else population, rows=rows, pairs=pairs, rng=seeded(5)
    )
    return found, found.quantile([0.1, 0.5, 0.9, 1.0]), found.band(0.9), query.worst_case(rows), query.label, query.k


ADULT = Condition("age", ">=", 18)
SAMPLED = {
    "count": implicit.CountOf(ADULT),
    "sum": implicit.SumOf("pay", (0, 5000)),
    "sum_without_bounds": implicit.SumOf("pay"),
    "mean": implicit.MeanOf("age", (0, 90)),
    "variance": implicit.VarianceOf("age", (0, 90)),
    "median": implicit.QuantileOf("pay", (0, 5000)),
    "quantile": implicit.QuantileOf("pay", at=0.9),
    "histogram": implicit.HistogramOf("sex", categories=("f", "m")),
    "histogram_of_edges": implicit.HistogramOf("age", edges=(0, 20, 40, 90)),
    "ridge": implicit.RidgeOf("pay", ("age", "sex"), (0, 5000), categories=(("sex", ("f", "m")),)),
    "ridge_with_intercept": implicit.RidgeOf("pay", ("age",), (0, 5000), penalty=0.5, intercept=True),
}
record(
    "sensitivity sampled from a table", **{name: lambda query=query: sampled(query) for name, query in SAMPLED.items()}
)
record(
    "sensitivity sampled from fitted laws",
    **{name: lambda query=query: sampled(query, fitted(), 40, 60) for name, query in SAMPLED.items()},
)
SAMPLE = implicit.SensitivitySample(np.linspace(0.1, 2.0, 200) ** 2, rows=50, worst_case=5.0)
record(
    "sample of sensitivities",
    itself=lambda: SAMPLE,
    curve=lambda: SAMPLE.cdf([0.0, 0.5, 1.0, 5.0]),
    published=lambda: SAMPLE.for_confidence(0.1, 0.1),
    published_infeasible=lambda: or_error(SAMPLE.for_confidence, 0.9, 0.01),
    covering=lambda: SAMPLE.for_share(0.9, 0.9),
    covering_infeasible=lambda: or_error(SAMPLE.for_share, 0.999, 0.9),
    table=lambda: implicit.sample_table(SAMPLE, 0.95),
)
record(
    "fitted laws",
    all=lambda: fitted(),
    **{
        law.name.lower(): lambda law=law: implicit.fit_column(
            people(), "sex" if law == "categorical" else "pay", law=law
        )
        for law in implicit.Law
    },
    draws=lambda: fitted().draw(30, rng=seeded(3)),
    curve=lambda: implicit.fit_column(people(), "pay").cdf([10.0, 500.0, 1000.0, 9000.0]),
)

# --- regression ---


@cache
def problem():
    rng = seeded(21)
    table = pd.DataFrame({"x": rng.normal(size=300), "z": rng.integers(0, 3, 300), "sex": rng.choice(["f", "m"], 300)})
    table["pay"] = np.clip(30 + 10 * table["x"] + 5 * table["z"] + rng.normal(0, 5, 300), 0, 90)
    return regression.RidgeProblem.from_table(
        table, "pay", predictors=("x", "z", "sex"), target_bounds=(0, 90), categories={"sex": ("f", "m")}
    )


@cache
def predicted():
    return regression.utility(problem(), [0.1, 1.0, 10.0], penalty=0.1, runs=6, rng=seeded(1))


record(
    "ridge",
    problem=lambda: problem(),
    fit=lambda: [regression.ridge(problem(), penalty=each) for each in (1e-6, 0.01, 10.0)],
    of_arrays=lambda: regression.ridge([[1.0, 0.0], [0.6, 0.8], [0.0, 1.0]], [0.2, 0.5, 1.0], penalty=0.1),
    neighbours=lambda: regression.neighbouring_coefficients(problem(), [[0, 1, 2, 3]], [4], [5], penalty=0.1),
    sensitivity=lambda: [
        regression.coefficient_sensitivity(n, k=k, penalty=p)
        for n, k, p in ((10, 1, 0.1), (1000, 5, 0.01), (200_000, 5, 1e-4))
    ],
    published_sensitivity=lambda: [published_sensitivity(n, penalty=p) for n, p in ((10, 0.1), (200_000, 0.01))],
    lone_income=lambda: [regression.lone_income_move(each) for each in (0.01, 1.0)],
    released=lambda: regression.release(problem(), 0.8, penalty=0.1, rng=seeded(4)),
    accuracy=lambda: predicted(),
    accuracy_published=lambda: regression.utility(
        problem(), [0.5], penalty=0.1, runs=4, rng=seeded(2), sensitivity="published"
    ),
    accuracy_part=lambda: predicted().at([0.1, 10.0]),
    preset=lambda: regression.CENSUS_2000.problem(intercept=True),
)

# --- queries on a table ---
TOWN = Condition("sex", "in", ("f", "x"))
QUERIES = {
    "count": Count(ADULT),
    "count_where": Count(ADULT, where=TOWN),
    "counts": CountBy(("sex",), (("f", "m"),)),
    "counts_by_two": CountBy(("sex", "age"), (("f", "m"), (20, 30, 40)), other=True),
    "sum": Sum("age", 0, 90),
    "sum_shifted": Sum("pay", 100, 5000, where=ADULT),
    "mean": Mean("age", 0, 90),
    "mean_negative": Mean("pay", -10, 3000, where=TOWN),
    "persons": PersonCount(ADULT, person="who"),
    "persons_by": PersonCountBy(("sex",), (("f", "m"),), person="who"),
}
for name, query in QUERIES.items():
    whole = name.startswith("persons")
    record(
        f"query {name}",
        answer=lambda query=query: query.answer(people()),
        sensitivity=lambda query=query: [
            or_error(query.sensitivity, side, most, rows=400) for side in Neighbours for most in (1, 2, 7)
        ],
        parts=lambda query=query: [query.parts(side, 3, rows=400) for side in Neighbours],
        plan=lambda query=query: [release.plan_release(query, 0.5, neighbours=side, rows=400) for side in Neighbours],
        plan_of_several_rows=lambda query=query: release.plan_release(
            query, 3.0, neighbours=ADD, rows_per_person=2, rows=400, weights=(2.0, 1.0)
        ),
        epsilon=lambda query=query: [
            or_error(release.epsilon_for_query, 5.0, query, neighbours=side, rows=400, size=300) for side in Neighbours
        ],
        script=lambda query=query: release_code(query, Scenario(epsilon0=0.7), rows=400).text,
        script_added=lambda query=query, whole=whole: (
            release_code(
                query,
                Scenario(epsilon0=0.5, neighbours=ADD, rows_per_person=2),
                rows=400,
                person=None if whole else "who",
            ).text
        ),
    )
    if not whole:
        record(
            f"query {name}",
            answer_capped=lambda query=query: query.answer(people(), person="who", rows_per_person=2),
            kept=lambda query=query: query.kept(people(), person="who", rows_per_person=2),
        )
record(
    "rows of a person",
    first=lambda: queries.cap_rows(people(), "who", rows_per_person=1).age,
    drawn=lambda: queries.cap_rows(people(), "who", rows_per_person=2, rng=seeded(2)).age,
    too_many=lambda: or_error(queries.cap_rows, people(), "who", rows_per_person=1, over="refuse"),
    letters=lambda: [queries.date_letters("values", each) for each in (("2020",), ("2020-01",), ("2020-01-05",))],
    months=lambda: list(queries.dates_as_text(people()["day"], 7)[:10]),
)

# --- how wrong an answer will be ---
ERRORS = release.release_error([0.1, 0.5, 3.0, 50.0], [1.0, 1.0, 2.5, 1e6], k=3)
PLANNED = {name: release.plan_release(query, 0.5, neighbours=ADD, rows=400) for name, query in QUERIES.items()}
record(
    "error of a release",
    several=lambda: ERRORS,
    ranges=lambda: [
        ERRORS.range(0.5),
        ERRORS.range_of_all(0.99),
        ERRORS.range_of_total(0.8),
    ],
    one=lambda: release.release_error(0.5, 1.0),
    large_k=lambda: release.release_error(0.01, 2.0, k=100),
    **{
        f"by_{each.name.lower()}": lambda each=each: release.error_of([0.1, 0.5, 20.0], 2.0, measure=each, k=4)
        for each in Measure
    },
    **{
        f"epsilon_by_{each.name.lower()}": lambda each=each: release.epsilon_for_error(
            [1.0, 12.5, 300.0], 2.0, measure=each, k=4
        )
        for each in Measure
    },
    quotient=lambda: release.quotient_error(5.0, 2.0, size=50, lower=0, upper=90),
    quotient_mean=lambda: release.quotient_error(40.0, 1.0, size=300.0, mean=30.0, lower=-10, upper=90),
    quotient_off=lambda: release.quotient_error(40.0, 1.0, size=300.0, mean=30.0, lower=0, upper=90).exceeded([0.1, 3]),
    quotient_of_plan=lambda: or_error(PLANNED["mean"].quotient_error, size=300),
)
record(
    "noise after rounding",
    plain=lambda: release.processed_error([0.0, 1.0, 5.0], [0.5, 2.0, 30.0]),
    rounded=lambda: release.processed_error([0.0, 1.0, 5.0], [0.5, 2.0, 30.0], whole=True),
    clamped=lambda: release.processed_error([0.0, 1.0, 5.0], [0.5, 2.0, 30.0], clamped=True),
    both=lambda: release.processed_error([0.0, 1.0, 500.0], [0.5, 2.0, 30.0], whole=True, clamped=True),
    share=lambda: release.share_within([1.0, 5.0, 100.0], 2.0, tolerance=0.2),
    share_rounded=lambda: release.share_within([0.0, 5.0, 100.0], 2.0, whole=True, clamped=True),
)
record(
    "epsilon in parts",
    even=lambda: [release.split_evenly(0.5, each) for each in (1, 3, 7)],
    by_weight=lambda: release.split_by_weight(1.0, (1.0, 2.0, 0.5)),
)
for name in ("count", "counts_by_two", "sum"):
    planned = PLANNED[name]
    record(
        f"error of {name}",
        curves=lambda planned=planned: release.error_curves(planned, epsilon0=0.5, statistics=2, size=300.0),
        cells=lambda planned=planned: release.cells(planned, size=300.0),
        noun=lambda planned=planned: release.noun_of(planned),
        within=lambda planned=planned: or_error(release.within, planned),
        **{
            f"level_for_{wish}": lambda planned=planned, measure=measure: or_error(
                release.epsilon0_for_release, 7.0, planned, measure=measure, statistics=2, size=300.0, rows=400
            )
            for wish, measure in (("each", "range95"), ("all", "all95"), ("total", "total95"), ("average", "expected"))
        },
    )

# --- the empirical audit ---


@cache
def panel():
    return empirical.Panel.from_arrays(np.round(seeded(5).gamma(3.0, 2.0, size=(12, 30)), 3))


@cache
def uneven():
    rng = seeded(6)
    table = pd.DataFrame({"who": rng.integers(0, 9, 240), "year": rng.integers(0, 15, 240), "x": rng.normal(5, 2, 240)})
    return empirical.Panel.from_long(table, individual="who", database="year", value="x")


@cache
def audited(query=None, given=None):
    return empirical.audit((given or panel)(), query or asked.PanelMean(), epsilons=(0.0, 0.05, 0.2, 1.0))


ANSWERS = seeded(8).normal(10, 1, 40)
WITHOUT = ANSWERS + seeded(9).normal(0, 0.05, (6, 40))
TIED = np.round(ANSWERS, 1), np.round(WITHOUT, 1)
AUDIT_QUERIES = {
    "sum": asked.PanelSum(),
    "count": asked.PanelCount(),
    "mean": asked.PanelMean(),
    "share": asked.ShareAbove(5.0),
    "variance": asked.PanelVariance(),
    "median": asked.PanelQuantile(0.5),
    "quantile": asked.PanelQuantile(0.9),
    "custom": asked.Custom(np.ptp),
    "noisy": asked.Noisy(asked.PanelMean(), scale=0.1, draws=3, seed=4),
    "randomised": asked.Randomised(lambda values, rng: float(values.sum() + rng.normal()), draws=2, seed=3),
}


deltas = empirical.individual_deltas


record(
    "individual deltas",
    many_levels=lambda: deltas(ANSWERS, WITHOUT, epsilon=[0.0, 0.01, 0.1, 0.5, 3.0], bandwidth=0.3),
    narrow=lambda: deltas(ANSWERS, WITHOUT, epsilon=[0.0, 1.0, 5.0], bandwidth=0.01),
    wide=lambda: np.log(deltas(ANSWERS, WITHOUT, epsilon=0.0, bandwidth=1e4)),
    ties=lambda: deltas(*TIED, epsilon=[0.0, 0.1, 1.0], bandwidth=0.2),
    nobody_moves=lambda: deltas(ANSWERS, ANSWERS[None], epsilon=0.1, bandwidth=0.2),
    far_apart=lambda: deltas([0.0, 1.0], [[1e6, 1e6 + 1]], epsilon=[0.0, 400.0], bandwidth=1.0),
    total=lambda: empirical.total_risk([[0.0, 0.1, 0.2], [1e-9, 1e-9, 0.9]]),
    largest_loss=lambda: empirical.largest_loss(ANSWERS, WITHOUT, bandwidth=0.3),
    protecting=lambda: [
        empirical.protecting_epsilon(ANSWERS, WITHOUT, delta=each, bandwidth=0.3) for each in (0.0, 1e-3, 0.05)
    ],
)
record(
    "audit",
    **{f"of_the_{name}": lambda query=query: audited(query) for name, query in AUDIT_QUERIES.items()},
    **{
        f"of_uneven_databases_{name}": lambda query=query: audited(query, uneven)
        for name, query in AUDIT_QUERIES.items()
        if name in ("sum", "mean", "variance", "median")
    },
    given_bandwidth=lambda: empirical.audit(panel(), asked.PanelSum(), epsilons=(0.1,), bandwidth=2.0),
    at=lambda: [audited().at(each) for each in (0.0, 0.1, 2.0)],
    protected_from=lambda: [audited().protected_from(each) for each in (0.0, 0.001, 0.1)],
    density_without=lambda: audited().density_without(3),
    intervals=lambda: [empirical.intervals(audited(), each, level=level) for each, level in ((0.0, 0.95), (0.1, 0.8))],
    ranking=lambda: ranking_table(audited(), audited().at(0.1), masked=False),
    ranking_masked=lambda: ranking_table(audited(), audited().at(0.1), masked=True),
    density_curves=lambda: drawn_densities.density_curves(audited(), 2, points=41),
    other_densities=lambda: other_densities.delta_curves(audited(), 4, epsilons=[0.2]),
    certificate=lambda: without_versions(certificate(audited(), audited().at(0.1), query="mean", databases="thirty")),
    certificate_full=lambda: without_versions(
        certificate(
            audited(),
            audited().at(0.1),
            query="mean",
            databases="thirty",
            intervals=empirical.intervals(audited(), 0.1),
            noise=(scale_needed(), noise.mixture_noise(audited().bandwidth, 9.0)),
            protected=(0.01, audited().protected_from(0.01)),
        )
    ),
    fingerprint=lambda: [fingerprint(each(), "long enough") for each in (panel, uneven)],
)


def both():
    return joint.joint_audit(audited(), audited(asked.PanelVariance()))


record(
    "audit given what is known",
    buckets=lambda: [each.places for each in adversary.audit_given(audited(), np.arange(30) % 7).buckets],
    at=lambda: adversary.audit_given(audited(), panel().matrix[2], fewest=5).at(0.1),
    intervals=lambda: adversary.audit_given(audited(), panel().matrix[2]).intervals(0.1),
    random=lambda: adversary.random_groups(
        adversary.audit_given(audited(), panel().matrix[2]), 0.05, times=9, rng=seeded(3)
    ),
    contribution=lambda: adversary.contribution(uneven(), 2),
)
record(
    "audit of two answers",
    at=lambda: both().at(0.1, listed=4),
    curve=lambda: both().curve(3, epsilons=[0.01, 0.2]),
)
record(
    "audit attacked", roc=lambda: attack.attack(audited(), 3), beyond=lambda: attack.attack(audited(), 3).beyond(0.1)
)


def without_versions(text):
    return {name: part for name, part in json.loads(text).items() if name != "versions"}


def scale_needed():
    return noise.wasserstein_scale(audited().answers, audited().without, epsilon=0.5)


record(
    "audit databases",
    arrays=lambda: panel(),
    uneven=lambda: [uneven(), uneven().sizes(), uneven().presence(), uneven().most_records()],
    wide=lambda: empirical.Panel.from_wide(panel().as_table("who"), individual="who"),
    drawn=lambda: empirical.Panel.from_table(
        people(), value="pay", databases=5, share=0.3, rng=seeded(2), individual="who"
    ),
    answers=lambda: [empirical.answers(uneven(), query) for query in AUDIT_QUERIES.values()],
    leave_one_out=lambda: [
        empirical.leave_one_out(uneven(), query) for query in (asked.PanelMean(), asked.PanelVariance())
    ],
)
record(
    "audit checks",
    independent=lambda: checks.independence(ANSWERS, rng=seeded(1), permutations=199),
    dependent=lambda: checks.independence(np.cumsum(ANSWERS), rng=seeded(1), permutations=199, level=0.1),
    by_construction=lambda: checks.independence(ANSWERS, rng=seeded(1), permutations=99, by_construction=True),
    alike=lambda: checks.representativeness(panel(), rng=seeded(2)),
    uneven=lambda: checks.representativeness(uneven(), rng=seeded(2), level=0.2),
)
METHODS = ("best", "fixed", "neighbours", "pilot", "slope", 0.4)


def estimated(kernel="laplace", method="best", values=ANSWERS):
    return empirical.fit_density(values, kernel=kernel, bandwidth=method)


record(
    "density",
    **{
        f"laplace_{each}": lambda each=each: [estimated(method=each), estimated(method=each)([8, 10])]
        for each in METHODS
    },
    **{f"gaussian_{each}": lambda each=each: estimated("gaussian", each) for each in METHODS if each != "slope"},
    far_out=lambda: estimated(method=0.5).log([-1000.0, 10.0, 1e4]),
    deltas=lambda: empirical.quadrature_deltas(
        estimated("gaussian", 0.4), [estimated("gaussian", 0.4, WITHOUT[0])], epsilon=0.05, tolerance=1e-7
    ),
)
record(
    "distances",
    hausdorff=lambda: empirical.hausdorff([1.0, 2.0, 7.0], [1.5, 3.0]),
    hausdorff_answers=lambda: empirical.hausdorff(ANSWERS, WITHOUT[0]),
    wasserstein=lambda: empirical.wasserstein_inf(ANSWERS, WITHOUT[0]),
    wasserstein_weights=lambda: empirical.wasserstein_inf(
        [1.0, 2.0, 7.0], [1.0, 4.0], weights_a=[2, 3, 5], weights_b=[6, 4]
    ),
)
BAND = cache(lambda: gaussian_noise.band_limited_noise(1.0, 6.0))
record(
    "audit noise",
    wasserstein=lambda: noise.wasserstein_scale(ANSWERS, WITHOUT, epsilon=0.5),
    hausdorff=lambda: noise.hausdorff_scale(ANSWERS, WITHOUT, epsilon=0.5),
    achieved=lambda: [noise.achieved_epsilon(ANSWERS, WITHOUT, scale=each) for each in (0.1, 1.0, 50.0)],
    counterexample=lambda: [noise.counterexample(), noise.counterexample(many=5, epsilon=2.0, spread=0.1)],
    mixture=lambda: noise.mixture_noise(1.0, 3.0),
    mixture_laws=lambda: [
        function([-5.0, 0.0, 0.3, 20.0])
        for function in (noise.mixture_noise(1.0, 3.0).cdf, noise.mixture_noise(1.0, 3.0).characteristic)
    ],
    mixture_draws=lambda: noise.mixture_noise(1.0, 3.0).sample(100, rng=seeded(3)),
    mixture_curves=lambda: drawn_densities.noise_curves(noise.mixture_noise(0.5, 2.0), size=2000, rng=seeded(4)),
    band_limited=lambda: BAND(),
    band_limited_draws=lambda: BAND().sample(100, rng=seeded(3)),
    band_limited_blurred=lambda: BAND().blurred([-20.0, 0.0, 1.0, 5.0]),
    band_limited_level=lambda: gaussian_noise.measured_level(BAND(), ANSWERS, without=WITHOUT),
    band_limited_infeasible=lambda: or_error(gaussian_noise.band_limited_noise, 1.0, 1.0),
    classical=lambda: noise.compared_with_classical(1.0, 0.5, sensitivity=2.0),
    classical_sensitivity=lambda: [
        classical.classical_sensitivity(asked.PanelSum(), bounds=(0, 90), records=3),
        classical.classical_sensitivity(asked.PanelMean(), bounds=(0, 90), least_records=50),
        classical.classical_sensitivity(asked.ShareAbove(3.0), least_records=50),
        classical.classical_sensitivity(asked.PanelCount(), records=2),
    ],
)

# --- votes ---
MADE = datasets.synthetic_votes().table.to_numpy()[:60]
record(
    "votes",
    composed=lambda: composition.compose_votes(MADE, 0.1, delta=1e-5, epsilon=0.08, numbers=[1, 7, 60]),
    composed_large=lambda: composition.compose_votes(MADE, 3.0, delta=1e-9, epsilon=0.5, confidence=0.2, moments=20),
    any_votes=lambda: [composition.any_votes(each, [1, 10, 1000, 5000], delta=1e-5) for each in (0.01, 1.0, 20.0)],
    published=lambda: pate.log_moments(MADE[:5], 0.1, epsilon=0.08, confidence=0.8),
    proven=lambda: [NoisyMax(MADE[:5], each).log_moments(4) for each in (1e-6, 0.1, 1.0, 50.0)],
    losing=lambda: np.log(NoisyMax(MADE, 1.0).losing),
    refused=lambda: or_error(pate.spent, [[3, -1]], 0.1, delta=1e-5),
)

# --- data ---
record(
    "data",
    census=lambda: datasets.census2000(),
    heads=lambda: datasets.household_heads(500, seed=3),
    rain=lambda: datasets.precipitation_synthetic(7, years=2),
    made_votes=lambda: datasets.synthetic_votes(),
    digit_votes=lambda: datasets.digit_votes(),
)

# --- claims of the papers; a few take long and are left to the tests of the catalogue ---
SLOW = {
    "par-equation-13",
    "par-corollary-1",
    "par-corollary-1-with-theorem-4",
    "par-preprint-theorem-9-with-theorem-4",
    "par-figure-5-holds",
    "edp-zero-delta",
    "edp-theorem-1",
    "edp-proposition-1-left-out",
    "edp-lemma-2-estimated",
    "edp-adversary-cells",
}


def verdict_of(claim):
    found = claims.check(claim)
    return found.verdict, found.published, found.recomputed, found.exact, found.evidence.basis


CALLS.update(
    {f"claim: {each.id}": lambda each=each: verdict_of(each.id) for each in claims.CLAIMS if each.id not in SLOW}
)

# Differences of neighbouring values, and moments summed far into a tail: other processors end in other digits.
_LAST_DIGITS_VARY = re.compile(r"cost .*: moves.*\.(derivative|relative)|claim: edp-(image-gaussian|figure-1) ")


def tolerance_at(name, path):
    return 1e-6 if _LAST_DIGITS_VARY.match(f"{name} {path}") else TOLERANCE
