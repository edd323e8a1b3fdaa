"""`par refute`: it says what the core finds of the same outputs, its gate stops at what is refuted, and nothing is confirmed."""

import csv
import io
import json
import re
import shlex

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from par_core.audit.outputs import outputs_of, try_on
from par_core.cli import par
from par_core.errors import DataError
from par_core.lab.refute_claim import releases
from par_core.mechanisms import NOISES
from par_core.questions import RefuteDrawn
from par_core.randomness import seeded
from par_core.scenario import Scenario

OUTPUTS = releases("laplace", 1.0, 800, share=0.5, rng=seeded(8))
TABLE = pd.DataFrame(OUTPUTS, columns=["with", "without"])


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return what runs the command in a folder with a table of outputs."""
    monkeypatch.chdir(tmp_path)
    TABLE.to_csv("outputs.csv", index=False)
    TABLE.assign(who="x").to_parquet("outputs.parquet")
    return lambda line, **more: CliRunner().invoke(par, ["refute", *shlex.split(line)], catch_exceptions=False, **more)


def read(found, code=0):
    assert found.exit_code == code, found.stderr
    return json.loads(found.stdout)


def bound_of(found):
    return next(each["value"] for each in found["results"] if each["name"].startswith("ε at least"))


@pytest.mark.parametrize(
    ("data", "code"),
    [
        ("outputs.csv", 3),
        ("outputs.parquet --first with --second without", 3),
        ("builtin:laplace --share 0.5 --pairs 800 --seed 8", 3),
        ("builtin:laplace --pairs 800", 0),
    ],
)
def test_the_gate_stops_at_a_claim_that_is_refuted(run, data, code):
    found = run(f"{data} --epsilon 1 --gate --format json")
    answer = read(found, code)
    after = try_on(*OUTPUTS.T, 1.0).refutation.refuted_after
    told = f"Refuted after {after} pairs: ε = 1." if code else "Not refuted by 800 pairs: ε = 1."
    assert answer["headline"] == told
    assert answer["settings"]["refuted"] is answer["gate"]["why"].startswith("ε = 1 is refuted") is bool(code)
    assert found.stderr == ("par refute: the gate fails: " + answer["gate"]["why"] + "\n") * bool(code)
    assert run(f"{data} --epsilon 1").exit_code == 0, "only a gate stops"


def test_it_finds_what_the_page_shows(run):
    shown, line = RefuteDrawn(Scenario()).answer(), "builtin:laplace --share 0.5 --epsilon 0.5 --format json"
    found = read(run(line))
    named = [shown.numbers()[name].value for name in ("pairs", "highest_wealth", "epsilon_at_least")]
    assert [each["value"] for each in found["results"]] == named
    assert found["headline"] == f"{shown.headline.rpartition('0.5 ')[2].capitalize()}: ε = 0.5."


def test_nothing_is_ever_confirmed(run):
    told = run("builtin:discrete-laplace --epsilon 1 --gate").stdout
    assert "not confirmed" in told
    assert not re.search(r"(?<!not )confirmed|claim holds|is true", told)


@pytest.mark.parametrize("kind", NOISES)
def test_a_curve_is_tried_and_the_bound_is_that_of_the_core(run, kind):
    delta = 1e-3 if kind == "gaussian" else 0.0
    line = f"builtin:{kind} --share 0.3 --epsilon 1 --delta {delta} --pairs 900 --seed 4 --curve {kind} --gate"
    outputs = releases(kind, 1.0, 900, share=0.3, delta=delta, rng=seeded(4)).T
    truth = try_on(*outputs, NOISES[kind].for_epsilon(1.0, sensitivity=1, delta=delta), delta=delta)
    answer = read(run(f"{line} --format json"), 3)
    said = f"Refuted after {truth.refutation.refuted_after} pairs: the curve of {NOISES[kind].name} noise at ε = 1"
    assert answer["headline"].startswith(said)
    assert ("δ = 0.001" in answer["headline"]) == bool(delta)
    assert bound_of(answer) == truth.bound.epsilon
    assert answer["results"][-1]["value"] == truth.check.allowed


def test_outputs_that_refute_only_all_at_once_are_not_passed(run):
    outputs = releases("laplace", 1.0, 800, share=0.5, rng=seeded(2))
    text = pd.DataFrame(outputs).to_csv(index=False)
    bound = try_on(*outputs.T, 1.0).bound.epsilon
    below, above = round(bound - 0.03, 2), round(bound + 0.03, 2)
    assert try_on(*outputs.T, below).refutation.refuted_after is None
    answer = read(run(f"- --epsilon {below} --gate --format json", input=text), 3)
    assert answer["headline"] == f"Refuted by all 800 pairs at once: ε = {below}."
    assert read(run(f"- --epsilon {above} --gate --format json", input=text))["gate"]["passes"]


def test_a_seed_says_all(run):
    first, again, other = (run(f"builtin:laplace --epsilon 0.7 --seed {seed}").stdout for seed in (3, 3, 4))
    assert first == again != other
    assert run("builtin:laplace --epsilon 0.7").stdout == run("builtin:laplace --epsilon 0.7 --seed 1").stdout


def test_the_forms_agree(run):
    line = "outputs.csv --epsilon 1 --delta 0.01"
    told, numbers = run(line).stdout, read(run(f"{line} --format json"))
    rows = [row for row in run(f"{line} --format csv").stdout.splitlines() if not row.startswith("#")]
    cells = {row["name"]: row["value"] for row in csv.DictReader(io.StringIO("\n".join(rows)))}
    assert cells == {each["name"]: str(each["value"]) for each in numbers["results"]}
    assert told.startswith(numbers["headline"])
    for name, value in cells.items():
        (shown,) = re.findall(rf"  {re.escape(name)}  +([\d.,]+)  estimate", told)
        assert float(shown.replace(",", "")) == pytest.approx(float(value), rel=0.006)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,b\n1,2\n3,x\n", "row 2 below the heading, column 'b': text where a number is expected"),
        ("a,b\n1,2\n,3\n1,2\n", "row 2 below the heading, column 'a': an output is missing"),
        ("a,b\n1,2\n3,inf\n", "row 2 below the heading, column 'b': infinite"),
        ("a,b\n1,2\n3,4\n", "first must be at least 4 numbers"),
        ("a,b,c\n1,2,3\n", "--first and --second must say which two of the 3 columns hold the outputs"),
        ("a,b\n1,2\n1,2,3\n", "Row 3 has 3 cells"),
    ],
)
def test_a_table_that_cannot_be_used_gets_one_line(run, text, says):
    found = run("- --epsilon 1", input=text)
    assert (found.exit_code, found.stdout) == (2, "")
    assert re.fullmatch(r"par refute: [^\n]+ \(see par refute --help\)\n", found.stderr)
    assert says in found.stderr


def test_one_input_may_have_more_outputs():
    table = pd.DataFrame({"a": [1.0, 2.0, np.nan, np.nan], "b": [4, 5, 6, 7]})
    first, second = outputs_of(table, "a", "b")
    assert (first.tolist(), second.tolist()) == ([1.0, 2.0], [4.0, 5.0, 6.0, 7.0])
    with pytest.raises(DataError, match="row 3 below the heading, column 'a'"):
        outputs_of(pd.concat([table, table]), "a", "b")
