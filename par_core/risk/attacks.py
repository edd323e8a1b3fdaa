"""What an attacker can reach against the releases that a scenario plans, whatever the mechanism: one of them, or all together."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import numpy as np

from par_core.composition import Composed, compose
from par_core.composition.planned_releases import counted
from par_core.evidence import PROVEN, Evidence
from par_core.mechanisms import MaxPosterior, PrivacyLoss, belief_after, max_posterior
from par_core.parameters import check_integer, check_number, check_type
from par_core.plan import PlanScenario
from par_core.risk.explicit_curves import AttackCurves, attacks
from par_core.scenario import Scenario

_SMALLEST_RATE = 1e-12


def attacks_on(scenario: Scenario, epsilon: float, *, releases: int = 1, points: int = 201) -> AttackCurves:
    """Return the errors, advantages and beliefs of the best attack on releases with epsilon0, and on as many with epsilon.

    Where the loss has no largest value, the beliefs are those that all but a share `rare0` of releases leave.

    >>> found = attacks_on(Scenario(epsilon0=1.0, mechanism="randomised-response"), 0.5)
    >>> round(found.advantage0, 4)
    0.4621
    """
    check_type("scenario", scenario, Scenario)
    level, number = check_number("epsilon", epsilon, above=0.0), check_integer("releases", releases, at_least=1)
    if scenario.as_published and number == scenario.statistics == 1:
        return attacks(scenario.epsilon0, level, points=points)  # whose grid holds the corners of the curves
    near0 = np.geomspace(_SMALLEST_RATE, 0.5, check_integer("points", points, at_least=2, at_most=100_000))
    even = np.linspace(0.0, 1.0, points)
    rate, prior = np.union1d(even, near0), np.unique(np.concatenate([even, near0, 1.0 - near0]))
    loss0, loss = lost(scenario, number), lost(replace(scenario, epsilon0=level), number)
    usual0, usual = (belief_after(each, 0.5, delta=scenario.delta) for each in (loss0, loss))
    return AttackCurves(
        epsilon0=scenario.epsilon0,
        epsilon=level,
        false_positive=rate,
        false_negative0=np.asarray(loss0.tradeoff(rate)),
        false_negative=np.asarray(loss.tradeoff(rate)),
        prior=prior,
        posterior0=np.asarray(max_posterior(prior, usual0.level)),
        posterior=np.asarray(max_posterior(prior, usual.level)),
        advantage0=float(loss0.advantage),
        advantage=float(loss.advantage),
        rare0=usual0.rare,
        releases=number,
        of_laplace=False,
    )


def believed_after(scenario: Scenario, prior: float, *, releases: int = 1, largest: bool = True) -> MaxPosterior:
    """Return the strongest belief that a scenario's releases leave; other arguments as in `belief_after`."""
    check_type("scenario", scenario, Scenario)
    number = check_integer("releases", releases, at_least=1)
    found = belief_after(lost(scenario, number), prior, delta=scenario.delta, largest=largest)
    return replace(found, only_if=scenario.only_if)


@lru_cache(maxsize=128)
def lost(scenario: Scenario, releases: int) -> PrivacyLoss:
    """Return the privacy loss of so many releases of a scenario together, of every statistic with noise of its own.

    Of a plan one release is that which is looked at, and more are the first ones.
    """
    if isinstance(scenario, PlanScenario):
        return scenario.lost(releases)
    mechanism, times = counted(scenario, releases)
    return mechanism if times == 1 else compose(mechanism, times)


@Evidence(PROVEN, source="largest losses of the releases, added up")
def largest_loss(scenario: Scenario) -> float:
    """Return the largest losses of all planned releases added up, which is what basic composition gives; perhaps infinite."""
    if isinstance(check_type("scenario", scenario, Scenario), PlanScenario):
        return float(lost(scenario, scenario.releases).largest_loss)
    return scenario.releases * float(scenario.release.largest_loss)


def is_single(scenario: Scenario, releases: int) -> bool:
    """Return whether one mechanism makes all of so many releases private, so that nothing has to be composed."""
    number = check_integer("releases", releases, at_least=1)
    plain = not isinstance(check_type("scenario", scenario, Scenario), PlanScenario)
    return plain and counted(scenario, number)[1] == 1


@Evidence(PROVEN, source="exact composition", limits="worst-case neighbours in every release")
def spent(scenario: Scenario, delta: float) -> float:
    """Return the epsilon of all planned releases together at a delta, rounded up."""
    together = lost(check_type("scenario", scenario, Scenario), scenario.releases)
    if isinstance(scenario, PlanScenario) and isinstance(together, Composed):
        return together.quick_epsilon(delta)
    return float(together.epsilon(delta))
