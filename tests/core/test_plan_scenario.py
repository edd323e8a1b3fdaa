"""A plan as a scenario: one plain release says what its scenario says, several what they come to together."""

import math
from dataclasses import replace

import numpy as np
import pytest

from par_core.decision import (
    AttackWish,
    BeliefWish,
    ErrorWish,
    GroupWish,
    MoneyWish,
    ReleasesWish,
    RiseWish,
    decide,
    duties,
    odds,
)
from par_core.decision.duties import total
from par_core.errors import InfeasibleError, ParameterError
from par_core.mechanisms import NOISES
from par_core.plan import Plan, PlanScenario, Release, from_address, totals
from par_core.queries.shapes import CountsShape, MeanShape, SumShape
from par_core.questions import (
    AttackerGains,
    BudgetForBreach,
    MixedReleases,
    OddsIn100,
    Overview,
    RepeatedPlan,
    WhichEpsilon0,
    YourPlan,
)
from par_core.risk.attacks import believed_after, spent
from par_core.scenario import Neighbours, Scenario, from_file, plan_in
from tests.shown import Story

ADDED = Neighbours.ADD_OR_REMOVE
COUNTS = Release(CountsShape(12), rows_per_person=3, times=12)
AVERAGE = Release(MeanShape(upper=110.0), rows_per_person=3, size=9000, times=12)
COSTS = Release(SumShape(upper=500.0), times=4)
OF_NOISE = Release(CountsShape(4), mechanism="gaussian", times=2)


def of(*releases, at=0, epsilon0=1.0, **more):
    return PlanScenario(epsilon0=epsilon0, neighbours=ADDED, delta=1e-6, plan=releases, at=at, **more)


def scenarios(number):
    rng = np.random.default_rng(33)
    for _ in range(number):
        mechanism = str(rng.choice([*NOISES]))
        yield Scenario(
            epsilon0=float(rng.choice([0.1, 0.5, 1.3])),
            k=int(rng.integers(1, 20)),
            sensitivity=float(rng.integers(1, 5)),
            rows_per_person=int(rng.integers(1, 4)),
            statistics=int(rng.choice([1, 1, 3])),
            releases=int(rng.choice([1, 2, 12])),
            mechanism=mechanism,
        )


@pytest.mark.parametrize("scenario", [*scenarios(12)], ids=str)
def test_a_plan_of_one_plain_release_says_what_its_scenario_says(scenario):
    plan = PlanScenario.of(scenario, Plan.of(scenario).releases)
    assert plan.alone() == scenario
    assert plan.release.scale == pytest.approx(scenario.release.scale, rel=1e-12)
    assert spent(plan, scenario.delta) == pytest.approx(spent(scenario, scenario.delta), abs=2e-5)
    one, all_of = (believed_after(plan, 0.5, releases=number).believed for number in (1, scenario.releases))
    assert one == pytest.approx(believed_after(scenario, 0.5).believed, rel=1e-12)
    assert all_of == pytest.approx(believed_after(scenario, 0.5, releases=scenario.releases).believed, rel=1e-9)
    assert odds(plan).if_in == pytest.approx(odds(scenario).if_in, abs=1e-6)
    wishes = [ErrorWish(10.0), GroupWish(100), BeliefWish(0.5, 0.7), RiseWish(0.2), ReleasesWish(3.0)]
    for mine, theirs in zip(decide(wishes, plan).bands, decide(wishes, scenario).bands, strict=True):
        assert (mine.low, mine.high) == pytest.approx((theirs.low, theirs.high), rel=2e-4)


def test_each_release_is_as_far_off_as_its_part_of_epsilon0_says():
    for at in range(3):
        scenario = of(COUNTS, AVERAGE, COSTS, at=at)
        assert ErrorWish(1.0).reached(scenario) == scenario.whole.error(at)
        assert scenario.level == pytest.approx(1 / 3)
    alone = of(COUNTS, AVERAGE, COSTS).alone()
    assert (alone.epsilon0, alone.k, alone.mechanism, alone.releases) == (1 / 3, 12, "discrete-laplace", 12)
    assert of(COUNTS, AVERAGE, at=1).alone() is None, "no scenario is a noisy sum over a noisy count"


def test_the_total_is_one_number_wherever_it_is_told():
    scenario = of(COUNTS, AVERAGE, COSTS)
    found = totals(scenario.whole).epsilon
    assert total(scenario).epsilon == found
    assert ReleasesWish(3.0).reached(scenario) == found
    assert YourPlan(scenario).answer().numbers()["all_together"].value == found
    mixed = MixedReleases(scenario, None, 9.0).answer().numbers()["all_releases"].value
    assert mixed == pytest.approx(found, abs=2e-5)
    assert found < total(scenario).added == pytest.approx(28 / 3)


@pytest.mark.parametrize("releases", [(COUNTS, AVERAGE), (COUNTS, AVERAGE, COSTS, OF_NOISE)], ids=["pure", "mixed"])
def test_the_levels_that_meet_a_wish_meet_it_and_those_beyond_do_not(releases):
    scenario = of(*releases)
    for wish in (ErrorWish(10.0), BeliefWish(0.5, 0.7), ReleasesWish(3.0), AttackWish(0.05, 0.2)):
        (band,) = decide([wish], scenario).bands
        end, beyond = (band.high, 1.001) if wish.upper else (band.low, 0.999)
        assert wish.reached(replace(scenario, epsilon0=end)) <= wish.number
        assert wish.reached(replace(scenario, epsilon0=beyond * end)) > wish.number


def test_a_breach_costs_more_the_larger_epsilon0_is():
    costs = [MoneyWish(1e5).reached(of(COUNTS, COSTS, epsilon0=level)) for level in (0.05, 0.2, 1.0)]
    assert 0.0 < costs[0] < costs[1] < costs[2] <= 550_000.0


def test_noise_in_l2_counts_at_the_level_that_it_has_by_itself():
    scenario = of(OF_NOISE, replace(OF_NOISE, times=1), COSTS)
    assert scenario.whole.levels[0] == pytest.approx(1 / 3)
    assert scenario.level == pytest.approx(float(scenario.lost(1).epsilon(scenario.delta)), rel=1e-6)
    assert OddsIn100(scenario).level == scenario.level
    assert "ε₀\u00a0=\u00a00.45" in next(each.says for each in duties(scenario) if each.key == "epsilon")


def test_a_part_of_the_plan_is_attacked_at_its_own_level():
    halves = of(AVERAGE, COSTS)
    asked = AttackerGains(halves)
    assert asked.scenario.epsilon0 == 0.5
    assert asked.scenario.lost(1) == halves.lost(1)
    curves = asked.answer().curves
    assert curves.epsilon0 == 0.5
    assert curves.advantage == pytest.approx(odds(of(AVERAGE, epsilon0=0.4)).if_in * 2 - 1, rel=1e-6)
    assert AttackerGains(asked.scenario) == asked


def test_the_file_of_a_plan_is_one_that_is_read():
    scenario = of(COUNTS, AVERAGE, at=1)
    text = scenario.to_file({"belief": "1"})
    assert PlanScenario.of(from_file(text)[0], from_address(plan_in(text)), 1) == scenario


def test_duties_speak_of_the_release_that_protects_least():
    said = {each.key: each for each in duties(of(replace(COUNTS, weight=0.01), COSTS, epsilon0=12.0))}["epsilon"]
    assert said.says.startswith("Release 2 has ε₀\u00a0=\u00a011.88")
    assert said.state == "against"


def test_duties_name_every_release():
    said = {each.key: each.says for each in duties(of(COUNTS, AVERAGE, replace(COSTS, weight=1.5), at=0))}
    assert said["accuracy"].startswith(
        "In 95 of 100 releases release 1 is within 31; release 2 is within 0.53 if at least 9,000 rows are averaged; release 3 is"
    )
    assert said["epsilon"].startswith("Release 3 has ε₀\u00a0=\u00a00.4286")
    assert "1 to 3 rows" in said["unit"]


def test_no_number_that_nobody_typed_has_more_than_four_digits():
    scenario = of(COUNTS, AVERAGE, COSTS)
    (odds_chart,) = Story(OddsIn100(scenario).answer()).charts.values()
    assert odds_chart.figure["layout"]["title"]["text"].endswith("at ε₀ = 0.3333")
    many = of(replace(COUNTS, times=365), replace(OF_NOISE, weight=2.0), COSTS)
    assert "basic composition 93.55." in Story(MixedReleases(many, None, 9.0).answer()).words


def test_shares_that_match_the_wishes_are_proposed_with_the_level_that_meets_them():
    found = YourPlan(of(COUNTS, AVERAGE, COSTS), (10.0, 0.5, 5000.0)).answer()
    story = Story(found)
    assert found.shared.factor > 1
    assert "times what you wished" in story.words
    (fields,) = (each for each in story.takes.values() if "scenario.epsilon0" in each)
    then = YourPlan(of(*fields["plan"], epsilon0=fields["scenario.epsilon0"])).answer()
    for off, wish in zip(then.totals.errors, (10.0, 0.5, 5000.0), strict=True):
        assert off <= wish * (1 + 1e-6)
    assert "Wished" not in Story(YourPlan(of(COUNTS)).answer()).words


def test_every_page_that_takes_a_plan_tells_its_story():
    for at in range(4):
        scenario = of(COUNTS, AVERAGE, COSTS, OF_NOISE, at=at)
        for asked in (WhichEpsilon0, OddsIn100, AttackerGains, YourPlan, MixedReleases, RepeatedPlan, Overview):
            assert Story(asked(scenario).answer()).words


def test_what_makes_no_plan_is_named():
    with pytest.raises(ParameterError, match="at must be"):
        of(COUNTS, at=1)
    with pytest.raises(ParameterError, match="releases in all must be"):
        of(replace(COUNTS, times=10**6), COSTS)
    with pytest.raises(ParameterError, match="rows must be given"):
        PlanScenario(plan=(AVERAGE,))
    with pytest.raises(ParameterError, match="one for each of 2 releases"):
        YourPlan(of(COUNTS, COSTS), (1.0,))
    with pytest.raises(InfeasibleError, match="several releases"):
        of(COUNTS, COSTS).by_statistic  # noqa: B018  # asked for the sake of its error
    assert math.isinf(total(of(COUNTS, OF_NOISE)).added)


@pytest.mark.parametrize(
    ("releases", "target"), [((COUNTS, AVERAGE), 30.0), ((COSTS, OF_NOISE), 12.0), ((COUNTS, COSTS), 0.5)]
)
def test_a_plan_is_made_as_often_as_its_target_allows_and_fits_once_at_the_level_told(releases, target):
    scenario = of(*releases)
    found = RepeatedPlan(scenario, target).answer()
    whole, times = scenario.whole, found.times
    assert times == 0 or whole.together.n_fold(times).epsilon(whole.delta) <= target
    assert whole.together.n_fold(times + 1).epsilon(whole.delta) > target - 2e-5
    assert found.numbers()["all_releases"].value == totals(whole).epsilon
    level = found.numbers()["epsilon0"].value
    assert (
        totals(replace(whole, epsilon0=level)).epsilon
        <= target
        < totals(replace(whole, epsilon0=1.001 * level)).epsilon
    )
    told = {0: "cannot be made even once", 1: "can be made once"}.get(times, f"can be made {times} times")
    assert told in Story(found).words


def test_after_all_of_a_plan_a_breach_costs_what_all_its_releases_lose_together():
    halves = of(COUNTS, COSTS)
    budget = BudgetForBreach(halves.alone(), beside=halves.beside)
    assert budget.together.epsilon == total(halves).added == pytest.approx(12 / 2 + 4 / 2)
    assert budget.together.money == budget.model.dp(8.0) > BudgetForBreach(halves.alone()).together.money
    assert "All releases of your plan together are only as private as ε₀ = 8 (basic" in Story(budget.answer()).words
    noisy = of(COUNTS, OF_NOISE)
    without_end = BudgetForBreach(noisy.alone(), beside=noisy.beside)
    assert without_end.together.money == without_end.model.full
    assert "no largest value" in Story(without_end.answer()).words
