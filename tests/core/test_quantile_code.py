"""Scripts that publish a quantile: OpenDP's map is the planned level, and what comes out is what the core says.

They fail once in 10^6 times.
"""

import csv
import json
import random
import sys

import numpy as np
import opendp.prelude as dp
import pandas as pd
import pytest
from scipy import stats

from par_core.export.plan_code import plan_code
from par_core.export.release_code import planned_code, release_code
from par_core.export.scripts import quantiles
from par_core.plan import NamedRelease, Plan, Release
from par_core.queries import Condition, CountBy, Mean, Quantile
from par_core.release import plan_release
from par_core.scenario import Neighbours, Scenario
from tests.core.script_text import assert_tidy, draws, namespace, pooled

dp.enable_features("contrib")
ADD, REPLACE = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE
ROME = Condition("town", "==", "Rome")
QUANTILE = Quantile("age", 0, 100, 2.5, 0.29, ROME)
FALSE_ALARM = 1e-6


@pytest.fixture
def table():
    rng = np.random.default_rng(4)
    found = pd.DataFrame({"who": rng.integers(0, 90, 120), "town": rng.choice(["Rome", "Oslo"], 120)})
    return found.assign(age=np.where(rng.random(120) < 0.1, np.nan, rng.uniform(-5, 130, 120).round(1)))


def test_opendp_proves_the_planned_level_for_300_settings_and_never_more(monkeypatch):
    rng, exact = random.Random(21), 0
    for _ in range(300):
        alpha, epsilon = rng.randint(1, 9999) / 10_000, 10 ** rng.uniform(-4, 1.5)
        one_person = rng.choice([1, 2, 3, 4, 6, 20, 2000])
        monkeypatch.setattr(quantiles, "ALPHA", alpha)
        monkeypatch.setattr(quantiles, "ONE_PERSON", one_person)
        monkeypatch.setattr(quantiles, "CANDIDATES", [each / 4 for each in range(rng.randint(2, 300))])
        proven = quantiles.quantile(epsilon).map(one_person)
        assert proven <= epsilon
        assert proven == pytest.approx(epsilon, rel=3e-15)
        exact += proven == epsilon
    assert exact > 200


@pytest.mark.parametrize("parts", [3, 29, 48, 5000, 5700, 9999, *range(1, 10_000, 613), *range(312, 10_000, 625)])
def test_no_script_loses_the_last_decimal_of_alpha(parts, monkeypatch):
    """OpenDP cuts off what is beyond the fourth, and floats such as 0.0003 and 0.57 are a little below it."""
    made, scales = dp.m.make_private_quantile, []
    monkeypatch.setattr(quantiles, "ALPHA", parts / 10_000)
    monkeypatch.setattr(quantiles, "ONE_PERSON", 3)
    monkeypatch.setattr(quantiles, "CANDIDATES", [0.0, 1.0, 2.0])
    monkeypatch.setattr(
        quantiles.dp.m, "make_private_quantile", lambda *given: scales.append(given[-1]) or made(*given)
    )
    quantiles.quantile(0.7)
    planned = plan_release(Quantile("age", 0, 2, 1, parts / 10_000), 0.7, neighbours=ADD, rows_per_person=3)
    assert scales[-1] == pytest.approx(planned.error.scale, rel=1e-12)


@pytest.mark.parametrize("neighbours", [ADD, REPLACE])
@pytest.mark.parametrize("alpha", [0.5, 0.95, 0.29])
def test_a_script_proves_its_level_and_publishes_a_candidate(neighbours, alpha, here, tmp_path):
    query = Quantile("age", 0, 100, 2.5, alpha, ROME)
    scenario = Scenario(epsilon0=0.25, neighbours=neighbours, rows_per_person=3, releases=2, mechanism="gaussian")
    code = release_code(query, scenario, person="who")
    assert "scipy" not in " ".join(code.requirements)
    said = here(code.text)
    assert "proven epsilon 0.25 (planned 0.25)" in said
    with open(tmp_path / "people_release_1.csv", encoding="utf-8-sig", newline="") as file:
        heading, (label, value) = csv.reader(file)
    assert heading == ["statistic", "published"]
    assert label == query.labels[0]
    assert float(value) in query.candidates
    here(code.text)
    with pytest.raises(SystemExit, match="all 2 runs of the plan are made"):
        here(code.text)


@pytest.mark.parametrize("person", ["who", None])
@pytest.mark.parametrize("neighbours", [ADD, REPLACE])
def test_what_a_script_publishes_follows_the_exact_law(neighbours, person, table):
    """With the cap, the condition, the blanks and the moved values of the core."""
    planned = plan_release(QUANTILE, 2.0, neighbours=neighbours, rows_per_person=2)
    script = namespace(planned_code(planned, person=person).text)
    kept = script["cap"](table) if person else table
    (vector,), (choice,) = script["prepare"](kept), script["measurements"](len(kept))
    answer = QUANTILE.answer(table, person=person, rows_per_person=2)
    law, runs = planned.error.choice.probabilities(answer.utilities), 10_000
    assert len(vector) == answer.size
    drawn = np.array(draws(choice, vector, runs))
    counts = (drawn[:, None] == QUANTILE.candidates).sum(axis=0)
    assert counts.sum() == runs
    assert stats.chisquare(*pooled(counts, law * runs)).pvalue > FALSE_ALARM


def test_a_table_without_values_publishes_a_candidate_all_the_same(tmp_path, monkeypatch, capsys):
    """That there is no value is private."""
    pd.DataFrame({"age": [None, None], "town": ["Rome", "Oslo"]}).to_csv(tmp_path / "people.csv", index=False)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "release.py"), str(tmp_path / "people.csv")])
    namespace(release_code(QUANTILE, Scenario()).text)["main"]()
    assert float(capsys.readouterr().out.split()[-1]) in QUANTILE.candidates


def test_one_script_for_a_quantile_counts_and_a_mean(here, tmp_path):
    queries = QUANTILE, CountBy(("town",), (("Rome", "Oslo"),)), Mean("age", 0, 100), Quantile("age", 0, 100, 1)
    mechanisms = "laplace", "laplace", "gaussian", "laplace"
    releases = [
        Release(each.shape, rows_per_person=2, size=50, mechanism=noise, times=2, weight=at + 1)
        for at, (each, noise) in enumerate(zip(queries, mechanisms, strict=True))
    ]
    plan = Plan(tuple(releases), 10.0, ADD)
    named = [NamedRelease(release, query, person="who") for release, query in zip(releases, queries, strict=True)]
    code = plan_code(plan, named)
    said = here(code.text)
    assert "'29th percentile of age, only rows with town == Rome': proven epsilon 1.0 (planned 1.0)" in said
    assert "'median of age': proven epsilon 4.0 (planned 4.0)" in said
    assert "(planned for all releases 10.0)" in said
    with open(tmp_path / "people_run_1.csv", encoding="utf-8-sig", newline="") as file:
        _, first, *_, last = csv.reader(file)
    assert first[:3] == ["1", "29th percentile of age, only rows with town == Rome", "29th percentile"]
    assert float(first[-1]) in QUANTILE.candidates
    assert float(last[-1]) in queries[3].candidates
    ledger = [json.loads(each) for each in (tmp_path / "privacy_ledger.jsonl").read_text().splitlines()]
    assert [each["publishes"] for each in ledger[0]["plan"]["releases"]] == [
        "29th percentile",
        "2 counts",
        "mean",
        "median",
    ]
    assert ledger[1]["releases"] == [1, 2, 3, 4]
    assert code.text.count("def quantile_r") == 2
    assert "release 1: 29th percentile, permute and flip with epsilon 1, 2 times" in code.text
    assert any("OpenDP's private quantile" in note and note.startswith("Release 1, 4: ") for note in code.notes)


@pytest.mark.parametrize("neighbours", [ADD, REPLACE])
def test_a_script_is_tidy_and_says_what_it_does(neighbours):
    code = release_code(Quantile("age", -1, 1, 0.1), Scenario(neighbours=neighbours))
    assert_tidy(code.text)
    assert "chooses one of 21 candidates as the median, by permute and flip" in code.text
    assert "CANDIDATES = [each / 10 for each in range(-10, 11, 1)]" in code.text
    assert ("ONE_PERSON = 2 * ROWS_PER_PERSON" in code.text) is (neighbours is REPLACE)
    assert any(
        "each value is moved to the nearest of 21 candidates, -1 to 1 in steps of 0.1" in note for note in code.notes
    )
    replaced = "one person's row is replaced by somebody else's, with a value or without; their number stays private"
    assert any(replaced in note for note in code.notes) is (neighbours is REPLACE)
    assert code.evidence.basis == code.planned.evidence.basis
