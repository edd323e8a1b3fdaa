"""What a reviewer asks: each state can be reached, the numbers are those of the core, and what no scenario sees stays open."""

import itertools
import math
import re

import pytest

from par_core.composition import zcdp
from par_core.decision import KEYS, ErrorWish, GroupWish, duties, total
from par_core.decision.duties import Duty
from par_core.errors import ParameterError
from par_core.mechanisms import MECHANISMS, NOISES, max_posterior
from par_core.risk.attacks import believed_after, lost
from par_core.scenario import HARDLY_PRIVATE, Neighbours, Scenario

# What stays a question to the steward whatever the scenario says.
UNSEEN = {"unit", "elsewhere", "bounds", "groups", "code", "channels", "access", "collection"}
SCENARIOS = [
    Scenario(mechanism=mechanism, epsilon0=epsilon0, releases=releases, delta=delta, neighbours=neighbours)
    for mechanism, (epsilon0, releases, delta), neighbours in itertools.product(
        MECHANISMS,
        [(1e-8, 1, 1e-15), (0.5, 2, 1e-5), (3.0, 52, 1e-9), (700.0, 2, 0.5), (700.0, 1_000_000, 1e-5)],
        Neighbours,
    )
]


def of(key, **fields) -> Duty:
    (found,) = (each for each in duties(Scenario(**fields)) if each.key == key)
    return found


def numbers(duty):
    """The plain numbers in what a scenario says."""
    return [float(each.replace(",", "")) for each in re.findall(r"(?<![\w⁻])\d[\d,]*\.?\d*(?:e[+-]?\d+)?", duty.says)]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_what_no_scenario_sees_is_never_answered(scenario):
    found = {each.key: each for each in duties(scenario)}
    assert tuple(found) == KEYS
    assert {key for key, each in found.items() if each.state == "open"} >= UNSEEN
    assert all(each.says.endswith(".") for each in found.values() if each.state != "open")
    assert all(each.section.startswith(("section 2, ", "section 3, ", "section 4, ")) for each in found.values())


@pytest.mark.parametrize(
    ("key", "fields", "state"),
    [
        ("epsilon", {"epsilon0": HARDLY_PRIVATE}, "answered"),
        ("epsilon", {"epsilon0": HARDLY_PRIVATE + 0.01}, "against"),
        ("total", {"releases": 2}, "answered"),
        ("total", {"releases": 20}, "against"),
        ("total", {"mechanism": "discrete-laplace", "sensitivity": 0.5}, "open"),
        ("delta", {"delta": 1e-6, "stakeholders": 1000}, "answered"),
        ("delta", {"delta": 1.001e-6, "stakeholders": 1000}, "open"),
        ("delta", {"delta": 0.0999, "stakeholders": 10}, "open"),
        ("delta", {"delta": 0.1, "stakeholders": 10}, "against"),
        ("neighbours", {"neighbours": "add-or-remove"}, "answered"),
        ("mechanism", {"mechanism": "gaussian"}, "answered"),
        ("mechanism", {"mechanism": "discrete-laplace", "sensitivity": 0.5}, "against"),
        ("accuracy", {"mechanism": "gaussian"}, "answered"),
        ("accuracy", {"mechanism": "exponential"}, "open"),
    ],
)
def test_each_state_is_reached_and_only_there(key, fields, state):
    assert of(key, **fields).state == state


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
@pytest.mark.parametrize("releases", [1, 2, 7])
def test_the_total_meets_delta_and_is_told_no_smaller(mechanism, releases):
    scenario = Scenario(mechanism=mechanism, epsilon0=0.37, releases=releases)
    found, together = total(scenario), lost(scenario, releases)
    assert together.delta(found.epsilon) <= scenario.delta * (1 + 1e-9)
    assert together.delta(0.99 * found.epsilon) > scenario.delta
    told = numbers(of("total", mechanism=mechanism, epsilon0=0.37, releases=releases))[-2]
    assert found.epsilon <= told * (1 + 1e-12)  # the last bit depends on the machine
    assert told <= found.epsilon * 1.034  # two digits


def test_the_total_of_pure_releases_is_no_more_than_other_accountants_say():
    assert total(Scenario(epsilon0=0.1, releases=50)).epsilon <= min(5.0, zcdp(0.1, 50, delta=1e-5))


@pytest.mark.parametrize("mechanism", list(NOISES))
def test_belief_and_errors_are_those_of_the_core(mechanism):
    scenario = Scenario(mechanism=mechanism, epsilon0=0.8, rows_per_person=3, statistics=2)
    found = {each.key: numbers(each) for each in duties(scenario)}
    believed = 100 * believed_after(scenario, 0.5).believed
    assert believed <= found["epsilon"][2] <= believed + 0.1
    assert believed >= 100 * max_posterior(0.5, 0.79)
    off, least = ErrorWish(1.0).reached(scenario), GroupWish(1).reached(scenario)
    assert off <= found["accuracy"][0] <= off * 1.034  # two digits
    assert least <= found["groups"][0] < least + 1
    assert found["unit"] == [3]


@pytest.mark.parametrize("scenario", SCENARIOS, ids=str)
def test_no_total_is_told_below_a_release_alone(scenario):
    """Never the 0 that a law which lost its grid once gave for a million releases."""
    alone = lost(scenario, 1).epsilon(scenario.delta)
    assert total(scenario).epsilon >= alone * (1 - 1e-9)


@pytest.mark.parametrize("mechanism", list(NOISES))
def test_a_reviewer_is_answered_at_the_ends_of_every_range(mechanism):
    ends = itertools.product((1e-8, 700.0), (1e-9, 1.0, 1e12), (1, 10**6), (1, 10**6))
    for level, sensitivity, rows, statistics in ends:
        scenario = Scenario(level, 1, sensitivity, rows_per_person=rows, statistics=statistics, mechanism=mechanism)
        said = {each.key: each.says for each in duties(scenario)}
        if said["mechanism"].startswith("Not possible"):
            assert mechanism == "discrete-laplace"
            continue
        least = GroupWish(1).reached(scenario)
        assert least >= ErrorWish(1.0).reached(scenario) * 10 * (1 - 1e-9) - 10
        assert f"from {max(math.ceil(least), 1):,} up" in said["groups"]
        assert total(scenario).epsilon >= 0


def test_what_cannot_be_is_said_without_an_evidence():
    found = of("mechanism", mechanism="discrete-laplace", sensitivity=0.5)
    assert found.says == "Not possible: sensitivity must be a whole number at least 1, got 0.5."
    assert found.evidence is None


def test_floats_are_named_where_noise_is_drawn_in_them():
    assert "floats" in of("code").says
    assert "floats" not in of("code", mechanism="discrete-laplace").says
    assert of("code", mechanism="exponential").says == ""


@pytest.mark.parametrize("wrong", [None, 0.5, {"epsilon0": 0.5}])
def test_only_a_scenario_is_looked_at(wrong):
    for ask in (duties, total):
        with pytest.raises(ParameterError, match="scenario"):
            ask(wrong)


def test_of_few_persons_a_large_delta_is_not_well_below_one_over_n():
    said = {stakeholders: duties(Scenario(delta=0.005, stakeholders=stakeholders)) for stakeholders in (1, 10)}
    states = [next(each.state for each in found if each.key == "delta") for found in said.values()]
    assert states == ["answered", "open"]
    assert next(each.state for each in duties(Scenario(delta=0.4, stakeholders=1)) if each.key == "delta") == "open"
