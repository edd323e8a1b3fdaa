"""The published figures as numbers, and one figure of each kind at settings that are not the defaults."""

import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from par_core.audit import Panel
from par_core.audit.adversary import audit_given
from par_core.audit.attack import attack
from par_core.audit.auditing import audit
from par_core.audit.drawn_densities import density_curves, noise_curves
from par_core.audit.intervals import intervals
from par_core.audit.joint import joint_audit
from par_core.audit.noise import mixture_noise
from par_core.audit.other_densities import delta_curves
from par_core.audit.queries import PanelSum
from par_core.claims import check, check_all
from par_core.claims.inventory import rows
from par_core.claims.theorems import fates
from par_core.composition import compare, compose_votes
from par_core.cost import CostModel, curve
from par_core.figures import (
    class_progress,
    empirical_audit,
    explicit_risk,
    lab_best_of_runs,
    lab_choose_one,
    lab_coins,
    lab_loss_walk,
    lab_proof,
    lab_refute_claim,
    lab_sample_and_group,
    lab_sensitivity,
    lab_traps,
    lab_two_worlds,
    lab_watch_it_run,
    lab_which_mechanism,
    overview,
    paper_check,
    pate_votes,
    sample_planner,
    synthetic,
)
from par_core.lab import (
    a_group,
    best_of_runs,
    choose_one,
    coins,
    loss_walk,
    only_a_sample,
    sensitivity,
    which_mechanism,
)
from par_core.lab import why_the_proof_fails as proof
from par_core.lab.clamping import clamped_noise, invented_people
from par_core.lab.float_noise import float_noise
from par_core.lab.private_average import private_scale
from par_core.lab.published_records import GRID, published_records
from par_core.lab.refute_claim import try_claim
from par_core.lab.two_worlds import two_worlds
from par_core.lab.watch_it_run import run
from par_core.mechanisms import NOISES, max_posterior
from par_core.questions import BudgetLeft
from par_core.regression import RidgeProblem, utility
from par_core.release import synthetic_counts
from par_core.risk import explicit_curves, relaxations
from par_core.sampling import coupled_curves, samples_at, samples_curves
from par_core.scenario import Scenario

PUBLISHED = json.loads((Path(__file__).parent / "data" / "figures_1.json").read_text(encoding="utf-8"))
EPSILON0, EPSILON, K = 1.7, 0.35, 4


@pytest.fixture(scope="session")
def published():
    """Figures 1a and 1b of the paper: risk (x) and epsilon (y) of each curve."""
    return PUBLISHED


def _own():
    return explicit_curves.risk_at(EPSILON, EPSILON0, k=K)


def _attacks():
    return explicit_curves.attacks(EPSILON0, EPSILON)


def _simulated():
    return explicit_curves.simulate(EPSILON0, K, even=False, size=20_000, seed=3)


@cache
def _audited():
    values = np.random.default_rng(1).normal(size=(5, 15)) + 2 * np.eye(5)[:, :1]
    return audit(Panel.from_arrays(values), PanelSum())


def _exposure():
    result = _audited()
    ends = intervals(result, 0.3)
    return empirical_audit.exposure(result, which="delta", own=result.at(0.3), intervals=ends)


def _given():
    found = audit_given(_audited(), np.arange(15), buckets=3, fewest=4)
    names = [f"bucket {each}" for each in (1, 2, 3)]
    return empirical_audit.given(found.at(0.3), names=names, known="the order", intervals=found.intervals(0.3))


def _together():
    values = np.random.default_rng(1).normal(size=(5, 15)) + 2 * np.eye(5)[:, :1]
    squares = audit(Panel.from_arrays(values**2), PanelSum())
    both = joint_audit(_audited(), squares)
    own = both.curve(0, epsilons=[0.3])
    return empirical_audit.together(both.curve(0), names=("sum", "squares"), who="no. 1", own=own)


def _drawn():
    return coins.draw(0.2, 700, epsilon=EPSILON0, seed=1)


def _accuracy():
    rng = np.random.default_rng(7)
    rows = rng.random((400, 3)) + 0.05
    design = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    problem = RidgeProblem(design, rng.random(400), names=("a", "b", "c"), target_bounds=(0.0, 50_000.0))
    return utility(problem, np.linspace(0.1, 0.99, 8), penalty=0.01, runs=10, rng=rng)


FIGURES = {
    "by dimension": lambda: explicit_risk.risk_curves(
        explicit_curves.by_dimension([1, 2, 3, 5, 10], EPSILON0), own=_own()
    ),
    "by dimension, confidence": lambda: explicit_risk.risk_curves(
        explicit_curves.by_dimension([1, 7], EPSILON0), axis="confidence", own=_own()
    ),
    "by epsilon0": lambda: explicit_risk.risk_curves(
        explicit_curves.by_epsilon0([0.5, 1, 1.5, 2, 2.5], K), by="epsilon0", own=_own()
    ),
    "against the truth": lambda: explicit_risk.truth(
        explicit_curves.truth(EPSILON0, K), own=_own(), simulated=_simulated()
    ),
    "errors of an attack": lambda: explicit_risk.tradeoff(_attacks()),
    "belief of an attacker": lambda: explicit_risk.posterior(
        _attacks(), prior=0.2, believed=max_posterior(0.2, EPSILON0)
    ),
    "overlap": lambda: explicit_risk.overlap(explicit_curves.noise_overlap(EPSILON0, EPSILON)),
    "post-processing": lambda: explicit_risk.thresholded(
        explicit_curves.post_processing(EPSILON0, 0.25),
        own=relaxations.thresholded_loss(EPSILON, EPSILON0, threshold=0.25),
    ),
}
PLANNED = {
    "samples needed": lambda: sample_planner.samples_needed_figure(
        samples_curves([0.01, 0.9]), own=samples_at(samples=15_000, rho=0.01)
    ),
    "both sources": lambda: sample_planner.both_sources_figure(coupled_curves.by_rho(), by="rho"),
    "votes": lambda: pate_votes.votes(
        compose_votes([[9, 1]] * 30, EPSILON0, delta=1e-5, epsilon=EPSILON, numbers=range(1, 31))
    ),
    "budget left": lambda: BudgetLeft(Scenario()).answer().chart.draw(),
    "made-up counts": lambda: synthetic.synthetic(synthetic_counts(1000, 300, Scenario())),
    "accuracy": lambda: sample_planner.utility_figure(_accuracy(), explicit_curves.by_epsilon0([1.0, 0.8, 0.6])),
}
AUDITED = {
    "answers": lambda: empirical_audit.answers(_audited()),
    "exposure": _exposure,
    "with and without": lambda: empirical_audit.densities(density_curves(_audited(), 0), name="no. 1"),
    "noise": lambda: empirical_audit.noise(
        noise_curves(mixture_noise(1.0, 3.0), size=5_000, rng=np.random.default_rng(1))
    ),
    "other densities": lambda: empirical_audit.other_densities(
        delta_curves(_audited(), 0, epsilons=[0.1, 0.5, 1.5, 3.0]), name="no. 1"
    ),
}
AUDITED |= {
    "given what is known": _given,
    "two answers": _together,
    "an attack": lambda: empirical_audit.attack(attack(_audited(), 0), who="no. 1"),
}
LAB = {
    f"{name}, {kind}": lambda kind=kind, draw=draw: draw(kind)
    for kind in NOISES
    for name, draw in {
        "two worlds": lambda kind: lab_two_worlds.densities(two_worlds(kind, 0.7, answer=43)),
        "losses": lambda kind: lab_two_worlds.losses(two_worlds(kind, 0.7, answer=39)),
        "run": lambda kind: lab_watch_it_run.histogram(run(kind, 0.7, 50, k=3)),
    }.items()
}
PROOF_AND_TRAPS = {
    "one draw": lambda: lab_proof.one_draw(proof.one_draw(-1.3, EPSILON0), both=False),
    "one draw from two tables": lambda: lab_proof.one_draw(proof.one_draw(0.4, EPSILON0), both=True),
    "pairs of the proof": lambda: lab_proof.pairs(
        proof.noise_pairs(EPSILON0), draw=proof.one_draw(0.4, EPSILON0), epsilon=EPSILON
    ),
    "privacy loss distribution": lambda: lab_proof.law(
        explicit_curves.truth(EPSILON0), own=explicit_curves.risk_at(EPSILON, EPSILON0)
    ),
    "records published": lambda: lab_traps.published_records(
        published_records(GRID, 50), own=published_records(0.7, 50)
    ),
    "people invented": lambda: lab_traps.invented_people(
        invented_people(30, [0.1, 1.0, 3.0]), own=invented_people(30, 0.4)
    ),
    "noise cut off": lambda: lab_traps.clamped_noise(clamped_noise(3, 0.4)),
    "floating point": lambda: lab_traps.float_noise(float_noise(6, 1.5)),
    "private average": lambda: lab_traps.private_scale(private_scale(7, 0.4)),
}
CHECKED = {
    "verdicts": lambda: paper_check.verdicts_by_paper([check(each) for each in ("par-theorem-4", "edp-figure-2")]),
    "verdicts, filtered": lambda: paper_check.verdicts_by_paper(
        [check(each) for each in ("par-theorem-4", "par-theorem-1", "par-figure-1a")], left={"par-theorem-4"}
    ),
    "numbers of a claim": lambda: paper_check.claim_numbers(check("par-theorem-4")),
    "map of theorems": lambda: paper_check.theorem_map([*fates(check_all()).values()]),
    "inventory": lambda: paper_check.inventory(rows()),
}
CARDS = {
    "card inventory": lambda: paper_check.small_inventory(rows()),
    "card truth": lambda: overview.truth(explicit_curves.truth(EPSILON0, K)),
    "card belief": lambda: overview.belief(_attacks()),
    "card cost": lambda: overview.cost(curve(CostModel(5500.0, 100), [EPSILON0]).curves[0], currency="USD"),
    "card spent": lambda: overview.spent(compare(EPSILON0, [1, 2, 5, 10], delta=1e-5, keys=["basic"])),
}


@pytest.fixture(params=FIGURES)
def figure(request):
    """Each figure of the page on explicit risk."""
    return FIGURES[request.param]().figure()


LAB |= {
    "coins": lambda: lab_coins.survey(_drawn().answers, drawn=_drawn()),
    "coins of one's own": lambda: lab_coins.survey(coins.survey(430, 1000, epsilon=EPSILON)),
    "price of coins": lambda: lab_coins.errors(coins.errors(0.2, 700, epsilon=EPSILON0)),
    "choose one": lambda: lab_choose_one.choice(
        choose_one.choose([3, -1, 3], EPSILON0), "abc", drawn=choose_one.draw([3, -1, 3], EPSILON0, draws=50, seed=1)
    ),
    "a claim refuted": lambda: lab_refute_claim.wealth(
        try_claim("laplace", 0.7, 900, share=0.5).tried.refutation, claim="ε = 0.7"
    ),
    "a claim not refuted": lambda: lab_refute_claim.wealth(
        try_claim("discrete-laplace", 0.7, 900).tried.refutation, claim="ε = 0.7"
    ),
    "only a sample": lambda: lab_sample_and_group.sampled(only_a_sample.sampled(EPSILON0, 0.1)),
    "a group": lambda: lab_sample_and_group.grouped(a_group.grouped(EPSILON0, 4)),
    "best of several": lambda: lab_best_of_runs.best_of(best_of_runs.best_of(EPSILON0, 10)),
    "two tables": lambda: lab_sensitivity.pair(sensitivity.exercise(2).shown, title="Two neighbouring tables"),
    "walks": lambda: lab_loss_walk.walks(loss_walk.walk("laplace", EPSILON0, 20)),
    "a class": lambda: class_progress.progress(30, (4, *[0] * 11), (20, *[1] * 11)),
    "which mechanism": lambda: lab_which_mechanism.compared(which_mechanism.compare(EPSILON0, 1e-6)),
}
ALL = FIGURES | PLANNED | AUDITED | CHECKED | CARDS | LAB | PROOF_AND_TRAPS


@pytest.fixture(params=ALL)
def any_drawing(request):
    """One drawing of each kind, the small ones of the overview too."""
    return ALL[request.param]()


@pytest.fixture
def any_figure(any_drawing):
    """One figure of each kind, checked by Plotly."""
    return any_drawing.figure()


@pytest.fixture(scope="session")
def trace():
    """Find the one trace of a figure whose name holds all the given words; a `;` stands for the end of the name."""

    def find(figure, *words):
        found = [each for each in figure.data if all(word in f"{each.name or ''};" for word in words)]
        assert len(found) == 1, f"{len(found)} traces hold {words}: {[each.name for each in figure.data]}"
        return found[0]

    return find


@pytest.fixture(scope="session")
def coordinates():
    """Return the points of a trace as two arrays of floats."""
    return lambda each: (np.asarray(each.x, dtype=float), np.asarray(each.y, dtype=float))
