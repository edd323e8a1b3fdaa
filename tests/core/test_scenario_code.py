"""The release script of a scenario: it proves what was planned, draws the planned noise, and keeps to its ledger."""

import csv
import math
import sys

import numpy as np
import opendp.prelude as dp
import pytest
from scipy import stats

from par_core.errors import ParameterError
from par_core.export.scenario_code import scenario_code
from par_core.mechanisms import MECHANISMS, NOISES
from par_core.scenario import Neighbours, Scenario
from tests.core import scripts
from tests.core.script_text import assert_tidy, namespace

# OpenDP's randomness cannot be given a seed: each comparison with a law has this chance to fail although it is right.
FALSE_ALARM = 1e-9
DRAWS, AT_ONCE = 10_000, 500
CASES = [
    {"k": 3, "sensitivity": 2.0, "rows_per_person": 3},
    {"k": 1, "sensitivity": 5.0, "statistics": 4, "neighbours": Neighbours.ADD_OR_REMOVE},
]


@pytest.mark.parametrize("fields", CASES)
@pytest.mark.parametrize("mechanism", NOISES)
def test_ten_thousand_draws_have_the_law_of_the_scenario(mechanism, fields):
    scenario = Scenario(mechanism=mechanism, epsilon0=0.7, **fields)
    names = namespace(scenario_code(scenario).text)
    number = scenario.k * scenario.statistics
    assert names["NUMBERS"] == number
    together = dp.c.make_composition([names["noise"]()] * AT_ONCE)
    drawn = np.array([together([7] * number) for _ in range(math.ceil(DRAWS / number / AT_ONCE))], dtype=float).ravel()
    scale = scenario.release.scale
    # Wrong once in 1e9 runs, of each of six; a tenth more or less noise would be noticed in each.
    assert _fit(mechanism, drawn - 7, scale) > FALSE_ALARM
    assert _fit(mechanism, drawn - 7, 0.88 * scale) < FALSE_ALARM
    assert _fit(mechanism, drawn - 7, 1.12 * scale) < FALSE_ALARM


def _fit(mechanism, noise, scale):
    if mechanism == "gaussian":
        spread = np.square(noise / scale).sum()
        return 2 * min(stats.chi2(noise.size).sf(spread), stats.chi2(noise.size).cdf(spread))
    if mechanism == "laplace":
        spread = 2 * np.abs(noise / scale).sum()  # twice an exponential variable is chi-squared with two degrees
        return 2 * min(stats.chi2(2 * noise.size).sf(spread), stats.chi2(2 * noise.size).cdf(spread))
    law, ends = stats.dlaplace(1 / scale), np.linspace(-2 * scale, 2 * scale, 13).round() + 0.5
    expected = np.diff(law.cdf(np.array([-math.inf, *ends, math.inf]))) * noise.size
    counted = np.bincount(np.searchsorted(ends, noise), minlength=expected.size)
    return stats.chisquare(counted, expected).pvalue


@pytest.mark.parametrize("sensitivity", [1e-9, 0.1, 1.0, 7.0, 1e12])
@pytest.mark.parametrize("epsilon0", [1e-8, 1 / 3, 0.5, 700.0])
@pytest.mark.parametrize("mechanism", NOISES)
def test_every_scenario_is_proven(mechanism, epsilon0, sensitivity):
    if mechanism == "discrete-laplace" and sensitivity < 1:
        sensitivity = 3.0
    scenario = Scenario(mechanism=mechanism, epsilon0=epsilon0, sensitivity=sensitivity, rows_per_person=3)
    names = namespace(scenario_code(scenario).text)
    proven = names["noise"]().map(names["SENSITIVITY"])
    if mechanism == "gaussian":
        assert 0.999 * scenario.delta < names["proven_delta"](proven) <= scenario.delta
    else:
        assert 0.999 * epsilon0 < proven <= epsilon0


def test_a_script_runs_by_itself_as_often_as_planned(tmp_path):
    code = scenario_code(Scenario(mechanism="discrete-laplace", k=3, epsilon0=700, releases=2))
    (tmp_path / "release.py").write_text(code.text, encoding="utf-8")
    (tmp_path / "answers.txt").write_text("5\n\n-7\n1000\n", encoding="utf-8")

    def run(*words, given=""):
        return scripts.run(["release.py", *words], tmp_path, given)

    for name, done in (("answers_release_1.csv", run("answers.txt")), ("release_2.csv", run(given="5\n-7\n1000\n"))):
        assert done.returncode == 0, done.stderr
        printed = done.stdout.splitlines()[-3:]
        assert [float(each) for each in printed] == pytest.approx([5, -7, 1000], abs=2)
        with open(tmp_path / name, newline="", encoding="utf-8-sig") as results:
            assert [*csv.reader(results)] == [
                ["number", "published"],
                *([str(at), each] for at, each in enumerate(printed, 1)),
            ]
    refused = run("answers.txt")
    assert refused.returncode == 1
    assert "all 2 runs of the plan are made" in refused.stderr
    assert "1000" not in (tmp_path / "privacy_ledger.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("mechanism", "change"),
    [("laplace", ("scale = ", "scale = 0.9 * ")), ("gaussian", ("then_gaussian(", "then_gaussian(0.99 * "))],
)
def test_a_script_stops_before_it_measures_less_privately_than_planned(mechanism, change, tmp_path, monkeypatch):
    text = scenario_code(Scenario(mechanism=mechanism)).text
    assert change[0] in text
    names = namespace(text.replace(*change).replace(").map(SENSITIVITY) > EPSILON", ").map(SENSITIVITY) > 9"))
    (tmp_path / "answers.txt").write_text("5\n", encoding="utf-8")
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "release.py"), str(tmp_path / "answers.txt")])
    with pytest.raises(SystemExit, match="less private than planned"):
        names["main"]()
    assert [each.name for each in tmp_path.iterdir()] == ["answers.txt"]


@pytest.mark.parametrize(
    "text", ["", "1\n", "1\n2\n3\n", "1\nsecret\n", "1\nnan\n", "1\ninf\n", "1\n" + "9" * 400, "1 2\n"]
)
@pytest.mark.parametrize("mechanism", NOISES)
def test_answers_that_are_not_as_planned_are_refused_without_a_word_of_them(mechanism, text, tmp_path):
    names = namespace(scenario_code(Scenario(mechanism=mechanism, k=2)).text)
    (tmp_path / "answers.txt").write_text(text, encoding="utf-8")
    with pytest.raises(SystemExit, match=r"(must hold one|must be 2 finite) (whole )?number") as caught:
        names["answers"](str(tmp_path / "answers.txt"))
    assert "secret" not in str(caught.value)


def test_whole_numbers_are_asked_for_where_the_noise_is_whole(tmp_path):
    (tmp_path / "answers.txt").write_text("\ufeff1.5\n", encoding="utf-8")
    names = namespace(scenario_code(Scenario()).text)
    assert names["answers"](str(tmp_path / "answers.txt")) == [1.5]
    names = namespace(scenario_code(Scenario(mechanism="discrete-laplace")).text)
    with pytest.raises(SystemExit, match="one whole number"):
        names["answers"](str(tmp_path / "answers.txt"))


@pytest.mark.parametrize("mechanism", NOISES)
def test_scripts_are_tidy_and_say_what_they_are(mechanism):
    code = scenario_code(Scenario(mechanism=mechanism, releases=10**6, statistics=10**6, k=10**4, delta=1e-15))
    assert_tidy(code.text)
    assert "{" not in code.text.partition('"""\n\n')[0]
    assert code.notes
    assert "1,000,000 releases" in code.text


@pytest.mark.parametrize("mechanism", [each for each in MECHANISMS if each not in NOISES])
def test_a_mechanism_that_adds_no_noise_has_no_such_script(mechanism):
    with pytest.raises(ParameterError, match="^mechanism must be"):
        scenario_code(Scenario(mechanism=mechanism))


@pytest.mark.parametrize("scenario", [None, "laplace", Scenario(mechanism="discrete-laplace", sensitivity=0.5)])
def test_what_cannot_be_written_is_refused(scenario):
    with pytest.raises(ParameterError):
        scenario_code(scenario)
