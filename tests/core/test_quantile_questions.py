"""What the pages say of quantiles: in ranks, whatever the data, and in the unit of the column for the steward alone."""

import numpy as np
import pandas as pd
import pytest

from par_core.datasets import census2000
from par_core.decision import ErrorWish, GroupWish, duties
from par_core.errors import ParameterError
from par_core.plan import Plan, PlanScenario, Release
from par_core.queries import Quantile, Sum
from par_core.queries.quantile_shape import QuantileShape
from par_core.queries.shapes import CountsShape
from par_core.questions import Epsilon0ForError, HowFarOff, YourPlan
from par_core.questions.composition.mixed_releases import MixedReleases
from par_core.questions.decide.odds_in_100 import OddsIn100
from par_core.questions.decide.which_epsilon0 import WhichEpsilon0
from par_core.questions.explicit_risk.attacker_gains import AttackerGains
from par_core.questions.overview.cards import Overview
from par_core.questions.your_table import plan_files
from par_core.questions.your_table.table_question import EXAMPLES
from par_core.release import plan_release, quantile_within
from par_core.scenario import Neighbours, Scenario
from tests.shown import Story

ADD = Neighbours.ADD_OR_REMOVE
MEDIAN = EXAMPLES[-1]
PLAN = Release(QuantileShape(0.5, 111), rows_per_person=3), Release(CountsShape(4), times=2)


@pytest.mark.parametrize("mechanism", ["laplace", "discrete-laplace", "gaussian", "exponential"])
def test_how_far_off_tells_ranks_whatever_the_mechanism_of_the_scenario(mechanism):
    scenario = Scenario(neighbours=ADD, rows_per_person=3, mechanism=mechanism)
    found = HowFarOff(scenario, MEDIAN).answer()
    off = plan_release(MEDIAN, 0.5, neighbours=ADD, rows_per_person=3).error.range95
    story = Story(found)
    assert story.headline == f"In 95 of 100 releases at most {off:g} rows lie between published and true median"
    assert len(story.headline.split()) <= 16
    assert found.numbers()["each_within"].value == off
    assert "not counting one candidate, if no person has more than 3 rows. (Proven)" in story.words
    assert "Rows are counted after each value is moved to its nearest candidate." in story.words
    assert "“Not counting one candidate”: rows at the candidate next to the true median do not count." in story.words
    assert "permute and flip chooses one of its candidates" in story.words
    assert "nearest of 251 candidates, 0 to 5,000 in steps of 20" in story.words
    for wrong in ("noise is more accurate", "toy", "L1 sensitivity", "adds no noise"):
        assert wrong not in story.words
    assert "toy" not in story.own
    assert story.chart.y_title == "Rows in between (ranks, log scale)"
    assert story.chart.title.startswith("Rows between published and true median against ε₀, sensitivity 1.5")
    assert story.chart.alt.endswith(f"At ε₀ = 0.5 at most {off:g} do in 95 of 100 releases.")
    assert {"at most, on average", "at most, in 95 of 100 releases"} <= set(story.chart.names)
    assert found.adopted is None
    assert found.release == Release(MEDIAN.shape, rows_per_person=3, times=2)


def test_one_row_and_no_row_between_are_told_so():
    words = [
        Story(HowFarOff(Scenario(epsilon0=each, neighbours=ADD), MEDIAN).answer()).headline for each in (7.5, 50.0)
    ]
    assert [each.split("at most ")[1][:9] for each in words] == ["1 row lie", "0 rows li"]


def test_the_level_for_a_wish_in_ranks():
    found = Epsilon0ForError(Scenario(), MEDIAN, wanted=20.0).answer()
    level = found.needed.value
    assert plan_release(MEDIAN, level, neighbours=Neighbours.REPLACE_ONE).error.range95 <= 20
    assert plan_release(MEDIAN, level * 0.999, neighbours=Neighbours.REPLACE_ONE).error.range95 > 20
    story = Story(found)
    assert "keeps at most 20 rows between published and true median in 95 of 100" in story.headline
    assert "Rows are counted after each value is moved to its nearest candidate." in story.words
    assert story.chart.alt.startswith(
        "How many rows lie between published and true median, against ε₀, with the wanted error 20"
    )


def test_ranks_hold_of_moved_values_and_not_of_raw_ones():
    """Ages in steps of 10: many rows lie between a published 30 and a median of 38, and none of them once they are moved."""
    query, ages = Quantile("age", 0, 110, 10), census2000().table["age"].to_numpy()
    off, truth = plan_release(query, 0.5, neighbours=ADD).error.range95, np.median(ages)
    answer = query.answer(census2000().table)
    published = float(answer.exact[0])
    low, high = sorted([published, truth])
    assert ((ages > low) & (ages < high)).sum() > 100 * off
    law = plan_release(query, 0.5, neighbours=ADD).error.choice.probabilities(answer.utilities)
    moved = query.candidates[np.abs(ages[:, None] - query.candidates).argmin(axis=1)]
    between = [
        ((moved > min(each, published)) & (moved < max(each, published))).sum() for each in query.candidates.tolist()
    ]
    assert law[np.array(between) <= off].sum() > 0.95


def test_what_is_taken_along_says_ranks_and_candidates():
    found = HowFarOff(Scenario(mechanism="gaussian"), MEDIAN).answer()
    head = plan_files.head(found)
    assert head["mechanism"] == "permute and flip"
    assert head["candidates"].startswith("251, 0 to 5000 in steps of 20")
    assert head["ranges"].startswith("in rows between the published value and the true one")
    assert head["quantile: sensitivity of the score"] == "1"
    assert not [each for each in head if "Laplace" in each or "delta" in each]
    assert "CANDIDATES" in plan_files.release_code(found).text


# --- the steward's own ---


def test_on_the_table_at_hand_the_exact_law_says_how_far_off():
    query = Quantile("weekly_income", 0, 5000, 20)
    planned = plan_release(query, 0.01, neighbours=ADD)
    answer = query.answer(census2000().table)
    near = quantile_within(planned, answer)
    law, off = planned.error.choice.probabilities(answer.utilities), np.abs(query.candidates - answer.exact[0])
    for share in (0.2, 0.5, 0.8, 0.9, 0.95, 0.98, 0.999):
        within = quantile_within(planned, answer, share=share).within
        assert law[off <= within].sum() >= share > law[off < within].sum()
    drawn = planned.error.choice.sample(answer.utilities, 10_000, np.random.default_rng(2))
    assert 0.94 < (off[drawn] <= near.within).mean() <= 1
    assert "hidden" in repr(near)
    assert quantile_within(plan_release(query, 500.0, neighbours=ADD), answer).within == 0.0


def test_nothing_else_has_that_law():
    query = Quantile("age", 0, 110, 1)
    answer = query.answer(pd.DataFrame({"age": [3, 4]}))
    with pytest.raises(ParameterError, match="planned must be the release of a quantile"):
        quantile_within(plan_release(Sum("age", 0, 9), 1.0, neighbours=ADD), answer)
    with pytest.raises(ParameterError, match="as many candidates"):
        quantile_within(plan_release(MEDIAN, 1.0, neighbours=ADD), answer)


# --- a plan ---


def test_your_plan_tells_ranks_beside_errors_in_a_unit():
    scenario = PlanScenario(plan=PLAN, neighbours=ADD)
    found = YourPlan(scenario, (200.0, 10.0)).answer()
    story, plan = Story(found), Plan(PLAN, 0.5, ADD)
    assert story.cell("Within, 95 of 100", "1") == f"{plan.error(0):g} ranks"
    assert story.cell("Within, 95 of 100", "2") == f"{plan.error(1):g}"
    assert story.cell("Release", "1") == "a median among 111 candidates"
    assert f"a median among 111 candidates {plan.error(0):g} ranks" in story.chart.alt
    assert "Ranks are rows" in story.words
    assert "Ranks are rows" not in Story(YourPlan(PlanScenario(plan=PLAN[1:])).answer()).words
    assert found.shared is not None
    assert found.shared.plan.error(0) <= 200 * max(found.shared.factor, 1)


@pytest.mark.parametrize("at", [0, 1])
def test_every_page_that_takes_a_plan_tells_its_story_with_a_quantile_in_it(at):
    scenario = PlanScenario(plan=PLAN, neighbours=ADD, at=at)
    for asked in (WhichEpsilon0, OddsIn100, AttackerGains, YourPlan, MixedReleases, Overview):
        assert Story(asked(scenario).answer()).words


def test_wishes_and_duties_know_ranks():
    scenario = PlanScenario(plan=PLAN, neighbours=ADD)
    assert ErrorWish(100.0).reached(scenario) == Plan(PLAN, 0.5, ADD).error(0)
    with pytest.raises(ParameterError, match="a quantile counts nobody"):
        GroupWish(100).reached(scenario)
    said = {each.key: each.says for each in duties(scenario)}
    assert said["accuracy"].startswith("In 95 of 100 releases release 1 is within 83 ranks; release 2 is within")
    assert "noise or a choice" in said["mechanism"]
