"""Scripts of sums and means in groups: what they add up, and what OpenDP proves of it."""

import json
import math
import random
from pathlib import Path

import numpy as np
import opendp.prelude as dp
import pandas as pd
import pytest
from scipy import stats

from par_core.export.plan_code import plan_code
from par_core.export.release_code import release_code
from par_core.plan import NamedRelease, Plan, Release, from_toml, to_toml
from par_core.queries import AMOUNTS, Condition, Count, Groups, Mean, Share, Sum
from par_core.release import plan_release_of
from par_core.scenario import Neighbours, Scenario
from tests.core.script_text import any_scenario, assert_proven, assert_tidy, namespace, pooled

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
TOWNS = ("Köln", '"); import os #', "=cmd()", "Rom")
MEMBER = Condition("member", "==", True)
FALSE_ALARM = 1e-6 / 20  # of each of 9 tests: in fewer than one of a million runs of the file does one fail by chance


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    rows = 400
    found = pd.DataFrame(
        {
            "who": rng.integers(0, 150, rows),
            "town": rng.choice([*TOWNS, "Oslo", None], rows),
            "income": rng.normal(12, 15, rows),
            "member": rng.choice([True, False], rows),
        }
    )
    found.loc[[4, 7, 90], "income"] = np.nan
    return found


def settings(rng):
    """Return a query in groups and the scenario that it is published by."""
    lower = rng.choice([0.0, 0.0, -rng.uniform(1, 50), rng.uniform(1, 20), -1e12, -rng.uniform(1, 9) * 1e-6])
    upper = rng.choice([lower + max(rng.uniform(1e-6, 90), -0.7 * lower), abs(lower) or 3.0, 1e12])
    upper = upper if upper > lower else lower + 1.0
    towns = rng.sample(TOWNS, rng.randint(1, 4))
    kind = rng.choice([Sum, Mean])
    skips = {"skip_missing": rng.random() < 0.5} if kind is Mean else {}
    query = kind("income", lower, upper, rng.choice([None, MEMBER]), groups=Groups("town", tuple(towns)), **skips)
    scenario = any_scenario(rng)
    return query, scenario


@pytest.mark.parametrize("seed", range(6))
def test_opendp_proves_the_planned_epsilon_and_never_more(seed, table):
    """Fifty settings each: what is added up is the exact answer, and the noise and its proof are those of the plan."""
    rng = random.Random(seed)
    for _ in range(50):
        query, scenario = settings(rng)
        planned = plan_release_of(query, scenario)
        names = namespace(release_code(query, scenario).text)
        vectors, mechanisms = names["prepare"](table), names["measurements"](len(table))
        exact = query.answer(table)

        totals = np.array(vectors[0], dtype=float) * names["STEP"]
        if isinstance(query, Mean):
            counts = (
                np.array(vectors[1])
                if planned.norm == "L2"
                else np.bincount(vectors[1][vectors[1] >= 0], minlength=query.k)
            )
            assert counts.tolist() == exact.sizes.tolist()
            totals = query.shape.middle + totals / np.maximum(counts, 1)
            totals[counts == 0] = exact.exact[counts == 0]
        room = 400 * names["STEP"] + 1e-9 * max(abs(query.lower), abs(query.upper))
        assert totals == pytest.approx(exact.exact, abs=room)

        counts_move = names["COUNTS_MOVE"] if planned.norm == "L2" and isinstance(query, Mean) else names["ONE_PERSON"]
        moved = (names["SUMS_MOVE"], counts_move)[: len(mechanisms)]
        proven = [each.map(moves) for each, moves in zip(mechanisms, moved, strict=True)]
        assert_proven(planned, names, proven)
        # Where there is much Gaussian noise, steps are coarser.
        moved, planned_moves = names["SUMS_MOVE"] * names["STEP"], planned.parts[0].part.moves(planned.norm)
        assert moved == pytest.approx(planned_moves, rel=1e-9 if planned.norm == "L1" else 1e-6)


QUERIES = {
    "sums": Sum("income", -10, 30, groups=Groups("town", TOWNS)),
    "means": Mean("income", 5, 30, MEMBER, groups=Groups("town", TOWNS), skip_missing=True),
    "shares": Share(Condition("income", ">=", 15), groups=Groups("town", TOWNS)),
}


def chances(planned, answer, at):
    """Return the law of what is published of one group, how likely it lies below each of an array of numbers, and where it lies."""
    query, norm = planned.query, planned.norm
    noise = stats.laplace if norm == "L1" else stats.norm
    of_sum = noise(scale=float(planned.parts[0].error.scale))
    if isinstance(query, Sum):
        reach = answer.exact[at] + 15 * of_sum.std() * np.linspace(-1, 1, 2001)
        return lambda number: of_sum.cdf(number - answer.exact[at]), reach
    scale, size, middle = float(planned.parts[1].error.scale), answer.sizes[at], query.shape.middle
    if norm == "L1":
        off = np.arange(-60 * math.ceil(scale), 60 * math.ceil(scale) + 1)
        weights = stats.dlaplace(1 / scale).pmf(off)
    else:
        off = stats.norm(scale=scale).ppf((np.arange(4000) + 0.5) / 4000)
        weights = np.full(4000, 1 / 4000)
    counts = np.maximum(size + off, 1.0)

    def below(number):
        inside = of_sum.cdf(np.multiply.outer(number - middle, counts) - (answer.exact[at] - middle) * size) @ weights
        return np.where(number < query.lower, 0.0, np.where(number < query.upper, inside, 1.0))

    return below, np.linspace(query.lower, query.upper, 2001)


def misfit(published, planned, answer):
    """Return how likely numbers as far from the law of the plan are, in some 30 bins of each group: shape (runs, k)."""
    found, freedom = 0.0, 0
    for at, drawn in enumerate(published.T):
        below, reach = chances(planned, answer, at)
        edges = np.unique(np.interp(np.arange(1, 30) / 30, below(reach), reach))
        counted = np.bincount(np.searchsorted(edges, drawn), minlength=len(edges) + 1)
        seen, law = pooled(counted, len(drawn) * np.diff(below(edges), prepend=0.0, append=1.0))
        found, freedom = found + ((seen - law) ** 2 / law).sum(), freedom + len(seen) - 1
    assert freedom > 20
    return stats.chi2.sf(found, freedom)


@pytest.mark.parametrize(("mechanism", "neighbours"), [("laplace", REPLACE), ("laplace", ADD), ("gaussian", ADD)])
@pytest.mark.parametrize("name", QUERIES)
def test_what_is_published_of_groups_follows_the_exact_law(mechanism, name, neighbours, table):
    """Chi-squared over 10,000 numbers that the script publishes, 2,500 of each of four groups; OpenDP takes no seed."""
    query = QUERIES[name]
    scenario = Scenario(neighbours=neighbours, mechanism=mechanism, rows_per_person=2, epsilon0=2.0)
    planned, names = plan_release_of(query, scenario), namespace(release_code(query, scenario).text)
    measured = zip(names["measurements"](len(table)), names["prepare"](table), strict=True)
    drawn = [[dp.c.make_composition([each] * 500)(vector) for _ in range(5)] for each, vector in measured]
    runs = zip(*([one for together in part for one in together] for part in drawn), strict=True)
    published = np.array([[number for _, number in names["published"](each, len(table))] for each in runs])
    answer = query.answer(table)
    assert published.shape == (2500, 4)
    assert misfit(published, planned, answer) > FALSE_ALARM
    assert (
        misfit(published, planned.planned_anew(0.8 * planned.epsilon), answer) < FALSE_ALARM
    )  # so would other noise be


def test_no_sum_goes_beyond_what_a_whole_number_holds():
    text = release_code(Sum("income", 0, 30, groups=Groups("town", ("a", "b"))), Scenario()).text
    sums = namespace(text)["sums"]
    group, added = np.array([0, 0, 1, -1, 1]), np.array([2**62, 2**62, -3, 5, 2**40 + 1])
    assert sums(group, added) == [2**62, 2**40 - 2]
    assert sums(group, -added) == [-(2**62), 2 - 2**40]


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("kind", AMOUNTS.values())
@pytest.mark.parametrize("towns", [1, 4])
def test_scripts_are_tidy(mechanism, neighbours, kind, towns):
    query = kind("income", -10, 30, MEMBER, groups=Groups("town", TOWNS[:towns]))
    assert_tidy(release_code(query, Scenario(neighbours=neighbours, mechanism=mechanism), person="who").text)


def named(query, **given):
    release = Release(query.shape, size=20, rows_per_person=2, **given)
    return release, NamedRelease(release, query, person="who")


@pytest.mark.parametrize("neighbours", Neighbours)
def test_a_plan_publishes_groups_beside_other_releases(neighbours, table, tmp_path, monkeypatch, capsys):
    groups = Groups("town", TOWNS)
    pairs = [
        named(Sum("income", -10, 30, groups=groups)),
        named(Mean("income", -10, 30, groups=groups, skip_missing=True)),
        named(Mean("income", -10, 30, MEMBER, groups=groups), mechanism="gaussian"),
        named(Count(MEMBER)),
        named(Sum("income", -10, 30, groups=Groups("member", (True, False))), mechanism="gaussian"),
    ]
    releases, names = zip(*pairs, strict=True)
    plan = Plan(releases, 500.0, neighbours)
    assert from_toml(to_toml(plan, names)) == (plan, names)
    code = plan_code(plan, names)
    table.to_csv(tmp_path / "people.csv", index=False)
    monkeypatch.setattr("sys.argv", [str(tmp_path / "release.py"), str(tmp_path / "people.csv")])
    namespace(code.text)["main"]()
    said = capsys.readouterr().out
    assert "sum of income by town" in said
    found = pd.read_csv(tmp_path / "people_run_1.csv", keep_default_na=False)
    for number, each in enumerate(names, start=1):
        truth = each.query.answer(table, person="who", rows_per_person=2).exact
        assert found["published"][found["release"] == number].to_numpy() == pytest.approx(
            truth, abs=plan.error(number - 1, 1 - 1e-6)
        )
    kept, *_ = (tmp_path / "privacy_ledger.jsonl").read_text(encoding="utf-8").splitlines()
    published = [each["publishes"] for each in json.loads(kept)["plan"]["releases"]]
    assert published == ["4 sums", "4 means", "4 means", "1 count", "2 sums"]
    labels = found["label"][found["release"] == 1].tolist()
    assert labels == ["Köln", '"); import os #', "'=cmd()", "Rom"]
    assert not [path for path in Path(tmp_path).iterdir() if path.suffix == ".lock"]


def test_less_privacy_than_planned_stops_a_script(table, tmp_path, monkeypatch):
    query = Sum("income", -10, 30, groups=Groups("town", TOWNS))
    text = release_code(query, Scenario()).text
    table.to_csv(tmp_path / "people.csv", index=False)
    monkeypatch.setattr("sys.argv", [str(tmp_path / "release.py"), str(tmp_path / "people.csv")])
    changed = text.replace(
        "    spent = [mechanisms[0].map(SUMS_MOVE)", "    spent = [mechanisms[0].map(SUMS_MOVE + 1000)"
    )
    with pytest.raises(SystemExit, match="less private than planned: nothing was measured"):
        namespace(changed)["main"]()
