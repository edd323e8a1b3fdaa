"""Several statistics of one release: each has noise of its own, and every door says the same of what all of them spend."""

import json

import pytest
from click.testing import CliRunner

from par_core.cli import par
from par_core.composition import exact
from par_core.composition.planned_releases import counted, exact_after
from par_core.decision.duties import total
from par_core.export.scenario_code import scenario_code
from par_core.mechanisms import NOISES
from par_core.questions.blocks import Words
from par_core.questions.composition.accountants import Accountants
from par_core.questions.composition.exact_within_target import ExactWithinTarget
from par_core.questions.composition.how_many_releases import HowManyReleases
from par_core.questions.composition.mixed_releases import MixedReleases
from par_core.questions.decide.report_story import find
from par_core.risk.attacks import believed_after, lost
from par_core.rounding import rounded
from par_core.scenario import Scenario

# Found by other code: Laplace noise by dp-accounting 72 times at 0.1 (between 3.474727 and 3.4748845), the two with two losses as
# a binomial sum, Gaussian noise from the scale of a release by Balle and Wang's formula.
TOTALS = {
    "laplace": 3.474884,
    "discrete-laplace": 3.5449108774,
    "gaussian": 1.7107445837,
    "randomised-response": 3.5449108774,
}


def scenario_of(mechanism, **fields):
    return Scenario(**{"epsilon0": 0.3, "statistics": 3, "releases": 24, "mechanism": mechanism, **fields})


@pytest.mark.parametrize(("mechanism", "golden"), TOTALS.items())
def test_every_door_says_the_same_total(mechanism, golden):
    scenario, close = scenario_of(mechanism), pytest.approx(golden, rel=3e-7)
    answer = Accountants(scenario).answer()
    said = {
        "Decide": total(scenario).epsilon,
        "Composition": answer.numbers()["all_releases"].value,
        "a list": MixedReleases(scenario).answer().numbers()["all_releases"].value,
        "report": find(scenario, ()).spent.exact.upper[find(scenario, ()).spent.at],
        "attacks": lost(scenario, 24).epsilon(scenario.delta),
    }
    assert said == dict.fromkeys(said, close)
    words = ["compose", "0.3x24", "--statistics", "3", "--mechanism", mechanism, "--format", "json"]
    done = CliRunner().invoke(par, words, catch_exceptions=False)
    assert json.loads(done.stdout)["results"][0]["value"] == close
    if mechanism in NOISES:
        assert scenario_code(scenario).limit.epsilon == rounded(golden, 4, toward="up")


@pytest.mark.parametrize("mechanism", TOTALS)
def test_a_target_is_met_by_as_many_releases_and_levels_as_fit(mechanism):
    scenario = scenario_of(mechanism)
    plan = ExactWithinTarget(scenario, 3.0).answer()
    fits = plan.releases.releases
    spent = exact_after(scenario, [fits, fits + 1], delta=scenario.delta).upper
    assert spent[0] <= 3.0 < spent[1]
    assert plan.releases.epsilon0 == pytest.approx(0.3)
    there = scenario_of(mechanism, epsilon0=plan.level.epsilon0)
    assert total(there).epsilon == pytest.approx(3.0, rel=1e-5)


@pytest.mark.parametrize("mechanism", TOTALS)
def test_one_statistic_is_the_release_itself(mechanism):
    scenario = scenario_of(mechanism, statistics=1)
    assert scenario.by_statistic == (scenario.release, 1)
    assert exact_after(scenario, [24], delta=1e-5).upper == exact(scenario.release, [24], delta=1e-5).upper


def test_errors_and_the_largest_loss_stay_those_of_the_release():
    one, scenario = scenario_of("laplace"), scenario_of("laplace", statistics=3)
    assert scenario.release.scale == pytest.approx(scenario.by_statistic[0].scale) == 10.0
    assert believed_after(scenario, 0.5, releases=24).believed == believed_after(one, 0.5, releases=24).believed
    assert lost(scenario, 24).largest_loss == pytest.approx(24 * 0.3)


def test_more_statistics_than_can_be_counted_count_as_one_release():
    scenario = scenario_of("laplace", statistics=400_000, releases=3)
    assert counted(scenario, 2) == (scenario.by_statistic[0], 800_000)
    assert counted(scenario, 3) == (scenario.release, 3)
    found = exact_after(scenario, [2, 3], delta=1e-5)
    assert found.upper[0] < 0.1 < found.upper[1] == pytest.approx(total(scenario).epsilon)
    assert found.lower[1] == 0
    assert "each release as one" in found.source


@pytest.mark.parametrize("mechanism", ["laplace", "discrete-laplace"])
def test_a_script_promises_for_each_statistic(mechanism):
    text = scenario_code(scenario_of(mechanism, k=2)).text
    assert "one person moves each statistic by SENSITIVITY at most, in L1" in text
    assert "STATISTICS = 3" in text
    assert "NUMBERS = 6" in text
    assert "STATISTICS" not in scenario_code(scenario_of(mechanism, statistics=1)).text


def test_whole_numbers_that_only_together_move_by_a_whole_one_count_as_one():
    scenario = scenario_of("discrete-laplace", statistics=2, sensitivity=0.5)
    assert scenario.by_statistic == (scenario.release, 1)
    assert "SENSITIVITY = 1\n" in scenario_code(scenario).text


def test_the_page_says_what_the_accountants_do_not_count_and_how_many_whole_numbers_fit():
    """3 × 18 discrete Laplace statistics at 0.1 spend 2.9780 at δ 1e-5, 3 × 19 spend more than 3: as many as of Laplace noise."""
    told = [each.told() for each in HowManyReleases(scenario_of("laplace")).answer().story() if isinstance(each, Words)]
    assert told[0].startswith("You can make 18 releases")
    assert not any("whole numbers" in each for each in told)
    assert sum("The accountants take a release as one" in each for each in told) == 1
    alone = HowManyReleases(scenario_of("laplace", statistics=1)).answer().story()
    assert not any("take a release as one" in each.told() for each in alone if isinstance(each, Words))
