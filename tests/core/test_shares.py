"""The share of rows that meet a condition: the exact answer, by how much one person moves it, its error and its script."""

import random

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner
from scipy import stats

from par_core.cli import par
from par_core.datasets import census2000
from par_core.errors import InfeasibleError, ParameterError
from par_core.export.plan_code import plan_code
from par_core.export.release_code import release_code
from par_core.plan import NamedRelease, Plan, PlanScenario, Release, from_address, in_address, in_words
from par_core.queries import Condition, Groups, Share
from par_core.queries.shapes import MeanShape, ShareShape
from par_core.questions import YourPlan
from par_core.questions.plan_assumptions import assumed
from par_core.release import plan_release, plan_release_of
from par_core.scenario import Neighbours, Scenario
from tests.core.script_text import any_scenario, assert_proven, assert_tidy, namespace

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
HIGH, NIGHT = Condition("cost", ">=", 30), Condition("night", "==", True)
WARDS = Groups("ward", ('b"); import os #', "a"))
QUERIES = {
    "all rows": Share(HIGH),
    "some rows": Share(HIGH, NIGHT),
    "groups": Share(HIGH, groups=WARDS),
    "groups of some rows": Share(Condition("ward", "!=", "a"), NIGHT, groups=WARDS),
}
DRAWS = 10_000
FALSE_ALARM = (
    1e-6 / 50
)  # of each of some 40 bounds: in fewer than one of a million runs of the file does one fail by chance
LIMIT = float(stats.binom.isf(FALSE_ALARM, DRAWS, 0.05))


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(34)
    rows = 2000
    wards = [*WARDS.categories, "unlisted", None]
    found = pd.DataFrame(
        {"ward": rng.choice(wards, rows), "cost": rng.normal(20, 30, rows), "night": rng.random(rows) < 0.4}
    )
    found.loc[rng.random(rows) < 0.1, "cost"] = np.nan
    return found


def by_pandas(query, table):
    rows = table[table["night"]] if query.where else table
    met = rows["cost"] >= 30 if query.condition is HIGH else rows["ward"].notna() & (rows["ward"] != "a")
    return [met.mean()] if query.groups is None else met.groupby(rows["ward"]).mean().reindex(WARDS.categories).tolist()


@pytest.mark.parametrize("name", QUERIES)
def test_answers_are_those_of_pandas(name, table):
    found = QUERIES[name].answer(table)
    assert found.exact == pytest.approx(by_pandas(QUERIES[name], table), rel=1e-12)
    assert found.labels == (WARDS.labels if QUERIES[name].groups else ("share",))


def test_it_is_a_mean_of_0_and_1():
    assert QUERIES["all rows"].shape == ShareShape()
    assert ShareShape(3).parts(REPLACE, 2) == MeanShape(3).parts(REPLACE, 2)
    assert QUERIES["all rows"].sensitivity(REPLACE, 3, rows=100) == pytest.approx(0.03, rel=1e-12)
    assert QUERIES["some rows"].shape == ShareShape(chooses=True)
    parts = QUERIES["groups"].parts(REPLACE, 2)
    assert [(each.name, each.sensitivity) for each in parts] == [("sums", 2.0), ("counts", 4.0)]
    for wrong, message in (
        (lambda: Share("cost >= 30"), "condition must be a Condition"),
        (lambda: Share(HIGH, "night"), "where must be a Condition"),
        (lambda: Share(HIGH, groups="ward"), "groups must be a Groups"),
    ):
        with pytest.raises(ParameterError, match=message):
            wrong()


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("epsilon", [0.05, 0.5])
def test_ten_thousand_releases_stay_within_the_said_error(mechanism, neighbours, epsilon):
    rng = np.random.default_rng(95)
    census = census2000().table
    states = Groups("state", ("Georgia", "Idaho", "Ohio"))
    real = Share(Condition("age", ">=", 50), groups=states).answer(census)
    worst = np.array([0.0, 0.08, 0.5, 0.93, 1.0])
    for query, shares, sizes in (
        (QUERIES["all rows"], worst, np.full(5, 200.0)),
        (QUERIES["some rows"], worst, np.full(5, 200.0)),
        (Share(HIGH, groups=Groups("ward", tuple("abcde"))), worst, np.full(5, 200.0)),
        (Share(HIGH, groups=states), real.exact, real.sizes),
    ):
        planned = plan_release(query, epsilon, neighbours=neighbours, rows=200, mechanism=mechanism, delta=1e-6)
        noise = [part.error.noise.sample(np.zeros(len(shares)), DRAWS, rng) for part in planned.parts]
        if planned.is_pair:
            said = planned.quotient_error(size=float(sizes.min())).range95
            found = np.clip(0.5 + ((shares - 0.5) * sizes + noise[0]) / np.maximum(sizes + noise[1], 1.0), 0.0, 1.0)
        else:
            said, found = planned.error.range95, shares + noise[0]
        assert ((np.abs(found - shares) > said).sum(axis=0) <= LIMIT).all()


@pytest.mark.parametrize("seed", range(3))
def test_opendp_proves_the_planned_epsilon_and_never_more(seed, table):
    """A hundred settings each: the script measures the exact answer, and OpenDP's own map gives the epsilon of the plan."""
    rng = random.Random(seed)
    for _ in range(100):
        query = rng.choice(list(QUERIES.values()))
        scenario = any_scenario(rng)
        planned = plan_release_of(query, scenario, rows=len(table))
        names = namespace(release_code(query, scenario, rows=len(table)).text)
        vectors, mechanisms = names["prepare"](table), names["measurements"](len(table))
        exact = query.answer(table)

        totals = np.array(vectors[0], dtype=float) * names["STEP"]
        if query.groups is None:
            totals = np.array([totals.sum()])
        if planned.is_pair:
            sizes = exact.sizes if query.groups else np.array([exact.size])
            totals = 0.5 + totals / sizes
        else:
            totals = totals / len(table)
        assert totals == pytest.approx(exact.exact, abs=1e-6)
        with_noise = [mechanism(vector) for mechanism, vector in zip(mechanisms, vectors, strict=True)]
        assert [label for label, _ in names["published"](with_noise, len(table))] == list(exact.labels)

        first = names["SUMS_MOVE"] if query.groups else names["ONE_PERSON"]
        counts = names["COUNTS_MOVE"] if planned.norm == "L2" and planned.is_pair else names["ONE_PERSON"]
        proven = [each.map(moves) for each, moves in zip(mechanisms, (first, counts), strict=False)]
        assert_proven(planned, names, proven)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("name", QUERIES)
def test_scripts_are_tidy(mechanism, neighbours, name):
    scenario = Scenario(neighbours=neighbours, mechanism=mechanism)
    code = release_code(QUERIES[name], scenario, rows=9, person="who")
    assert_tidy(code.text)
    among = (
        "those of the first rows of all persons that are looked at"
        if QUERIES[name].where
        else "the first rows of all persons;"
    )
    assert any(f"the share of rows that meet the condition, among {among}" in note for note in code.notes)


def test_the_command_says_what_it_needs():
    def told(*words):
        return CliRunner().invoke(par, ["release", *words]).output

    assert "0.005992" in told("--share", "age >= 50", "--rows", "1000")
    assert "--rows must be given: the error of a share depends on the number of rows" in told("--share", "age >= 50")
    by_state = ("--share", "age >= 50", "--by", "state", "--categories", "Ohio,Idaho")
    assert "all 2 at once within" in told(*by_state, "--size", "300")
    assert "how many rows there are at least in each group" in told(*by_state)
    assert "--categories must be given once for --by" in told(*by_state[:4], "--size", "3")
    assert "--by goes with --sum or --mean or --share" in told("--count", "age > 3", "--by", "state")
    assert "--bounds goes with --sum or --mean" in told(*by_state, "--bounds", "0", "1")


# --- in a plan -------------------------------------------------------------------------------------------------------


def test_a_plan_and_its_script_call_it_a_share():
    """Without a name: its line is no longer that of a mean, which is read as a mean still."""
    alone, grouped = QUERIES["all rows"], QUERIES["groups"]
    releases = Release(alone.shape, size=300), Release(grouped.shape, size=40)
    assert [in_words(each) for each in releases] == ["a share of rows", "2 shares of rows"]
    assert in_address(releases) == "2~share_g300~share_2_c_g40"
    assert from_address(in_address(releases)) == releases
    assert from_address("1~mean_u1_g300")[0].shape == MeanShape()
    with pytest.raises(ParameterError, match="release 1 of the plan holds 'u2'"):
        from_address("2~share_u2")
    plan = Plan(releases, 1.0, ADD)
    assert assumed(plan) == (
        "at least 300 rows are looked at in release 1 and at least 40 rows are looked at in each group of release 2"
    )
    code = plan_code(plan, [NamedRelease(*each) for each in zip(releases, (alone, grouped), strict=True)])
    assert '{"publishes": "share", "times": 1,' in code.text
    assert '{"publishes": "2 shares", "times": 1,' in code.text
    with pytest.raises(InfeasibleError, match="release 1 needs your guess of how many rows are looked at, at least"):
        YourPlan(PlanScenario(plan=(Release(alone.shape),), neighbours=ADD))
