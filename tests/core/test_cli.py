"""The command line, within this process: answers, forms, gates, and one line for what is wrong."""

import csv
import datetime
import errno
import importlib
import io
import json
import os
import re
import shlex
import tomllib
from pathlib import Path
from unittest.mock import Mock

import click
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from click.testing import CliRunner

from par_core import claims
from par_core.audit import Panel, audit
from par_core.audit.queries import PanelMean
from par_core.audit.variance_and_quantile import PanelQuantile
from par_core.claims import check
from par_core.cli import files, par
from par_core.cli.answer import Row, beside, plain
from par_core.cli.release import AMOUNTS
from par_core.cli.scenario_options import DEFAULTS, MECHANISMS, NEIGHBOURS, NOISES
from par_core.composition import basic, exact
from par_core.decision import BeliefWish, ErrorWish, decide
from par_core.evidence import Quantity
from par_core.export import catalogue_files
from par_core.export.release_code import planned_code
from par_core.ledger import append, of_other_tool
from par_core.mechanisms import MECHANISMS as CORE_MECHANISMS
from par_core.mechanisms import NOISES as CORE_NOISES
from par_core.plan import Plan, from_address, from_toml, share_by_weights, totals
from par_core.queries import AMOUNTS as CORE_AMOUNTS
from par_core.queries import Condition, CountBy, Histogram, PersonCount, Quantile, Sum
from par_core.release import plan_release
from par_core.rounding import brief
from par_core.scenario import FIELDS, Neighbours, Scenario
from par_core.tables.file_format import FileFormat

PEOPLE, DATABASES = 12, 60
VALUES = np.random.default_rng(5).normal(10.0, 1.0, size=(PEOPLE, DATABASES)).round(3)
SHOWN = VALUES + np.eye(PEOPLE)[:1].T * np.tile(
    [0.0, 400.0], DATABASES // 2
)  # one who moves the mean in every second database
VISITS = "patient,ward,cost\na,A,3\nb,B,7\na,A,9\nc,C,\n"

PLAN_FILE = """\
format = 1
epsilon0 = 0.6
neighbours = "add-or-remove"
delta = 1e-6
budget = 3

[[release]]
count_by = ["ward"]
categories = [["A", "B", "C"]]
person = "patient"
rows_per_person = 2
mechanism = "discrete-laplace"
times = 12

[[release]]
sum = "cost"
bounds = [0, 50]
times = 4
"""

POLICY_FILE = """\
format = 1
data_set = "visits"
delta = 1e-6
epsilon_per_release = 1
epsilon_per_year = 6
epsilon_for_ever = 10
"""


def wide(values):
    head = ",".join(["person", *(f"d{at}" for at in range(1, DATABASES + 1))])
    return "\n".join([head, *(f"p{at}," + ",".join(map(str, row)) for at, row in enumerate(values.tolist()))]) + "\n"


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return what runs a command in a folder with a few files."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "panel.csv").write_text(wide(VALUES))
    (tmp_path / "shown.csv").write_text(wide(SHOWN))
    (tmp_path / "visits.csv").write_text(VISITS)
    (tmp_path / "outputs.csv").write_text("with,without\n" + "1,0\n0,1\n" * 20)
    (tmp_path / "plan.toml").write_text(PLAN_FILE)
    (tmp_path / "policy.toml").write_text(POLICY_FILE)
    day, other = datetime.date(2026, 3, 1), Neighbours.ADD_OR_REMOVE
    append("ledger.jsonl", of_other_tool("OpenDP", "visits", day, epsilon=0.5, delta=0.0, neighbours=other))
    runner = CliRunner()

    def run(line, **more):
        return runner.invoke(par, shlex.split(line) if isinstance(line, str) else line, catch_exceptions=False, **more)

    return run


def asked(run, line, code=0):
    """Return what a program reads of an answer: its numbers by their names, and all of it."""
    found = run(f"{line} --format json")
    assert found.exit_code == code, found.stderr
    content = json.loads(found.stdout)
    return {each["name"]: each for each in content["results"]}, content


ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
EXAMPLES = [
    line for command in par.commands.values() for line in command.examples if line not in README
]  # those have a test


@pytest.mark.parametrize("line", EXAMPLES)
def test_every_example_of_every_help_works(run, line, monkeypatch):
    """One that says what follows where it fails, behind ||, fails its gate; of the catalogue a part stands for all."""
    monkeypatch.setattr(
        claims, "CLAIMS", catalogue_files.CLAIMS[::20]
    )  # which knows the whole: a part has no root errors
    if ".parquet" in line:
        pd.read_csv("panel.csv").to_parquet("panel.parquet", index=False)
    plain_line, fails, _ = line.partition(" || ")
    before, _, command = plain_line.removeprefix('eval "$(').removesuffix(')"').rpartition("par ")
    assert before in ("", "cat visits.csv | ")
    found = run(command, input=VISITS if before else None)
    assert found.exit_code == (3 if fails else 0), found.stderr
    assert found.stdout or "--output" in line


def test_every_command_has_examples_and_they_stand_in_its_help(run):
    for name, command in par.commands.items():
        text = run(f"{name} --help").stdout
        assert len(command.examples) >= 2
        assert all(f"\n  {each}\n" in text for each in command.examples)
        assert all(each.split("par ")[1].startswith(name) for each in command.examples)


def test_where_a_file_is_asked_for_a_folder_is_refused():
    commands = [command for each in par.commands.values() for command in getattr(each, "commands", {"": each}).values()]
    paths = [(each.name, param) for each in commands for param in each.params if isinstance(param.type, click.Path)]
    assert len(paths) > 20
    assert {(name, param.name) for name, param in paths if param.type.dir_okay} == {
        ("audit", "data"),
        ("audit", "folder"),
    }


def test_an_installed_package_starts_it():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    place, _, name = project["scripts"]["par"].partition(":")
    assert getattr(importlib.import_module(place), name) is par


def test_options_that_are_written_out_are_those_of_the_core():
    assert tuple(CORE_MECHANISMS) == MECHANISMS
    assert tuple(CORE_NOISES) == NOISES
    assert tuple(Neighbours) == NEIGHBOURS
    assert tuple(CORE_AMOUNTS) == AMOUNTS
    fields = {field.name: field for field in FIELDS}
    scenario = Scenario()
    for name, text in DEFAULTS.items():
        value = getattr(scenario, name)
        assert fields[name].check(type(value)(text)) == value


# --- what is answered ---


def test_compose_tells_the_exact_ends_and_every_accountant(run):
    found, _ = asked(run, "compose 0.5x300")
    truth = exact(0.5, 300, delta=1e-5)
    high, low = found["Exact, at most"], found["Exact, at least"]
    assert truth.upper <= high["value"] < truth.upper * 1.001
    assert truth.lower * 0.999 < low["value"] <= truth.lower
    assert (high["rounded"], low["rounded"], high["standing"]) == ("up", "down", "proven")
    assert found["Basic composition"]["value"] == basic(0.5, 300)
    claimed = found["Privacy at Risk, Theorem 3 as published"]
    assert (claimed["standing"], claimed["claim"]) == ("as published", "par-theorem-3-with-theorem-4")
    assert claimed["value"] < low["value"]
    assert claimed["note"] == "below the truth: no guarantee"
    assert all(each["standing"] == "proven" or "no guarantee" in each["note"] for each in found.values())


def test_compose_adds_different_levels_up(run):
    found, content = asked(run, "compose 0.1x20 0.5*2 0.2 --delta 1e-6")
    assert found["Basic composition"]["value"] == 3.2
    assert found["Exact, at least"]["value"] <= found["Exact, at most"]["value"] < 3.2
    assert content["settings"] == {"levels": "0.1x20 0.5*2 0.2", "delta": 1e-6, "mechanism": "laplace"}


def test_the_gate_on_what_is_spent_lies_at_the_upper_end(run):
    most = exact(0.5, 2, delta=1e-5).upper
    for gate, code in ((most, 0), (np.nextafter(most, 0), 3)):
        found = run(f"compose 0.5x2 --gate {float(gate)!r}")
        assert found.exit_code == code
        assert ("the gate fails: ε = " in found.stderr) == bool(code)


def test_the_headline_and_the_gate_lie_on_the_same_side(run):
    told = run("compose 0.5x300 --gate 63.99").stdout
    assert "together spend ε = 63.99 at most" in told
    assert "The gate passes: ε = 63.982 is not above 63.99." in told


def test_the_same_level_twice_is_one_level(run):
    assert asked(run, "compose 0.5 0.5x2")[0] == asked(run, "compose 0.5x3")[0]


@pytest.mark.parametrize("mechanism", [each for each in MECHANISMS if each != "laplace"])
def test_compose_takes_every_mechanism(run, mechanism):
    found, content = asked(run, f"compose 0.5x3 --mechanism {mechanism}")
    made = Scenario(epsilon0=0.5, mechanism=mechanism).release
    bound = exact(made, 3, delta=1e-5).is_bound
    assert found["At most" if bound else "Exact, at most"]["value"] >= made.epsilon(1e-5)
    assert any("xact" in each for each in [*found, *content["notes"]]) is not bound
    assert not any(each["claim"] for each in found.values())


def test_epsilon_tells_the_band_of_all_wishes(run):
    found, content = asked(run, "epsilon --error 10 --belief 0.5 0.7 --releases 2")
    truth = decide([ErrorWish(10), BeliefWish(0.5, 0.7)], Scenario(releases=2))
    low, high = found["all wishes: ε₀ at least"], found["all wishes: ε₀ at most"]
    assert truth.low <= low["value"] < truth.low * 1.001
    assert truth.high * 0.999 < high["value"] <= truth.high
    assert (low["rounded"], high["rounded"]) == ("up", "down")
    assert content["gate"]["passes"]


@pytest.mark.parametrize(
    "wish",
    [
        "--group 100",
        "--rise 0.1",
        "--attack 0.05 0.1",
        "--baseline 0.1 0.2",
        "--advantage 0.3",
        "--money 100000",
        "--total 1",
    ],
)
def test_epsilon_takes_every_wish(run, wish):
    found, _ = asked(run, f"epsilon {wish} --releases 1")
    assert len(found) == 3
    assert 1e-8 < next(iter(found.values()))["value"] < 50


def test_a_belief_may_be_wished_for_twice(run):
    found, _ = asked(run, "epsilon --belief 0.5 0.9 --belief 0.1 0.3")
    assert (
        found["all wishes: ε₀ at most"]["value"]
        == asked(run, "epsilon --belief 0.1 0.3")[0]["belief: ε₀ at most"]["value"]
    )


def test_wishes_that_collide_stop_a_pipeline(run):
    found, content = asked(run, "epsilon --error 1 --advantage 0.1", code=3)
    assert not content["gate"]["passes"]
    assert found["error: would be"]["value"] > 1
    assert found["advantage: would be"]["value"] > 0.1
    assert run("epsilon --error 1 --advantage 0.1").stderr.startswith(
        "par epsilon: the gate fails: No ε₀ meets all wishes"
    )


def test_a_wish_that_no_level_meets_stops_a_pipeline(run):
    found, _ = asked(run, "epsilon --error 1e-9", code=3)
    assert found["error: ε₀ at least"]["value"] == "infinity"
    assert "infinite" in run("epsilon --error 1e-9").stdout


@pytest.mark.parametrize(("level", "code"), [("0.4", 0), ("0.5", 3), ("0.2", 3)])
def test_a_level_of_ones_own_is_held_against_the_wishes(run, level, code):
    found = run(f"epsilon --error 10 --belief 0.5 0.7 --releases 2 --gate {level}")
    assert found.exit_code == code
    assert (f"misses {'belief' if level == '0.5' else 'error'}" in found.stderr) == bool(code)


def test_a_scenario_file_is_taken_and_options_go_before_it(run, tmp_path):
    (tmp_path / "mine.json").write_text(Scenario(releases=7, sensitivity=3.0).to_file())
    _, content = asked(run, "epsilon --error 10 --scenario mine.json --sensitivity 2")
    assert (content["settings"]["releases"], content["settings"]["sensitivity"]) == (7, 2.0)


def test_plan_tells_the_error_of_typed_rows_and_of_a_table(run):
    found, _ = asked(run, "release --count-by ward --categories A,B --other --epsilon 0.3 --neighbours add-or-remove")
    query = CountBy(("ward",), (("A", "B"),), other=True)
    error = plan_release(query, 0.3, neighbours=Neighbours.ADD_OR_REMOVE).error
    assert found["within, in 95 of 100"]["value"] == error.range95
    assert error.expected <= found["off by on average"]["value"] < error.expected * 1.001
    assert found["all 3 at once within"]["value"] == error.all95
    of_table, _ = asked(
        run, "release visits.csv --count-by ward --categories A,B --other --epsilon 0.3 --neighbours add-or-remove"
    )
    assert of_table == found


def test_a_histogram_by_edges_or_bins_is_counts_in_as_many_cells(run, tmp_path):
    found, _ = asked(run, "release --histogram cost --bins 0 10 2.5 --epsilon 0.3")
    counts, _ = asked(run, "release --count-by ward --categories A,B,C,D,E,F --epsilon 0.3")
    assert found == counts
    assert run("release visits.csv --histogram cost --edges 0,2.5,5,7.5,10 --epsilon 0.3 --code a.py").exit_code == 0
    assert run("release visits.csv --histogram cost --bins 0 10 2.5 --epsilon 0.3 --code b.py").exit_code == 0
    text = (tmp_path / "a.py").read_text()
    assert text == (tmp_path / "b.py").read_text()
    planned = plan_release(Histogram("cost", (0, 2.5, 5, 7.5, 10)), 0.3, neighbours=Neighbours.REPLACE_ONE)
    made = planned_code(planned, csv=FileFormat(encoding="utf-8"), header=["patient", "ward", "cost"], releases=2)
    assert text == made.text


@pytest.mark.parametrize(("column", "holds"), [("day", "dates"), ("blank", "no value"), ("name", "text")])
def test_a_column_without_numbers_has_no_histogram(run, tmp_path, column, holds):
    (tmp_path / "odd.csv").write_text("day,blank,name\n2020-01-31,,x\n2021-02-28,,y\n")
    found = run(f"release odd.csv --histogram {column} --edges 5,6")
    assert found.exit_code == 2
    assert f"column '{column}' must hold numbers, but it holds {holds}" in found.stderr


def test_statistics_share_the_level(run):
    one, two = (asked(run, f"release --sum cost --bounds 0 3 --statistics {each}")[0] for each in (1, 2))
    assert two["scale of the noise"]["value"] == 2 * one["scale of the noise"]["value"]


def test_plan_finds_the_level_for_an_error(run):
    found, content = asked(run, "release --sum cost --bounds 0 10 --error 25 --statistics 2 --rows-per-person 3")
    level = found["smallest ε₀"]["value"]
    assert content["settings"]["epsilon0"] == level
    assert found["within, in 95 of 100"]["value"] <= 25
    less = plan_release(
        Sum("cost", 0, 10), level - 0.01, neighbours=Neighbours.REPLACE_ONE, rows_per_person=3, statistics=2
    )
    assert less.error.range95 > 25


def test_the_rows_of_a_public_mean_are_those_of_the_table_after_the_cap(run):
    typed = asked(run, "release --mean cost --bounds 0 10 --rows 4")[0]
    assert asked(run, "release visits.csv --mean cost --bounds 0 10")[0] == typed
    assert (
        asked(run, "release visits.csv --mean cost --bounds 0 10 --person patient")[0]
        == asked(run, "release --mean cost --bounds 0 10 --rows 3")[0]
    )


@pytest.mark.parametrize(("most", "standing"), [(1, "proven"), (3, "by your model")])
def test_what_rests_on_as_many_rows_is_no_more_than_the_users_model(run, tmp_path, most, standing):
    condition = "as many rows replace a person's rows"
    for line in ("release --mean cost --bounds 0 10 --rows 40", "release --sum cost --bounds 5 10"):
        found, content = asked(run, f"{line} --rows-per-person {most} --neighbours replace-one --code release.py")
        assert {each["standing"] for each in found.values()} == {standing}
        assert any(condition in note for note in content["notes"]) is (most > 1)
        assert (condition in (tmp_path / "release.py").read_text()) is (most > 1)
    for line in ("release --sum cost --bounds -5 10", "release --count 'cost > 5'"):
        found, content = asked(run, f"{line} --rows-per-person {most} --neighbours replace-one")
        assert {each["standing"] for each in found.values()} == {"proven"}
        assert any("rows are replaced by as many others" in note for note in content["notes"]) is (most > 1)


def test_a_mean_over_a_private_number_of_rows_has_bounds(run):
    found, _ = asked(run, "release visits.csv --mean cost --bounds 0 10 --skip-missing --size 500")
    assert {each["note"] for each in found.values()} == {"a bound"}


def test_a_quantile_is_told_in_ranks(run, tmp_path):
    line = "release visits.csv --quantile cost --bounds 0 10 --step 0.5 --neighbours add-or-remove --rows-per-person 3 --mechanism gaussian"
    found, content = asked(run, f"{line} --alpha 0.9 --error 40 --code release.py")
    query = Quantile("cost", 0, 10, 0.5, 0.9)
    level = found["smallest ε₀"]["value"]
    assert found["smallest ε₀"]["note"] == "for at most 40 rows in 95 of 100 releases"
    planned = plan_release(query, level, neighbours=Neighbours.ADD_OR_REMOVE, rows_per_person=3)
    assert found["rows between, in 95 of 100"]["value"] == planned.error.range95 == 40
    assert found["rows between, on average"]["value"] == planned.error.expected
    assert {each["standing"] for each in found.values()} == {"proven"}
    assert content["headline"].startswith("90th percentile at ε₀")
    text = (tmp_path / "release.py").read_text()
    assert "ALPHA = 0.9 " in text
    assert "CANDIDATES = [each / 2 for each in range(0, 21, 1)]" in text


def test_a_quantile_in_a_plan_is_told_in_ranks(run):
    line = "plan '2~quantile_q0.9_d21_r3~counts_12' --neighbours add-or-remove --wish 40 --wish 20"
    told, content = asked(run, line)
    (release,) = (each for name, each in told.items() if "rows between it and the truth" in name)
    plan = Plan(from_address(content["settings"]["releases"]), 0.5, Neighbours.ADD_OR_REMOVE)
    assert release["value"] == plan.error(0)
    assert release["note"].endswith(
        "not counting one candidate, counted after each value is moved to its nearest candidate"
    )


def test_the_code_is_that_of_the_explorer_for_the_same_file(run, tmp_path):
    line = "release visits.csv --count 'cost > 5' --where 'ward in A,B' --person patient --once --epsilon 0.25 --code release.py"
    found = run(line)
    assert found.exit_code == 0, found.stderr
    text = (tmp_path / "release.py").read_text()
    compile(text, "release.py", "exec")
    assert "EPSILON = 0.25" in text
    assert "patient" in text
    from par_core.tables.table import read_table

    table = read_table("visits.csv", VISITS.encode())
    query = PersonCount(Condition("cost", ">", 5), Condition("ward", "in", ("A", "B")), person="patient")
    planned = plan_release(query, 0.25, neighbours=Neighbours.REPLACE_ONE, delta=1e-5)
    made = planned_code(planned, csv=table.written, header=["patient", "ward", "cost"], releases=2, person="patient")
    assert text == made.text
    assert all(note in found.stdout for note in made.notes)


def test_values_are_read_as_the_column_holds_them(run):
    assert run("release visits.csv --count 'ward == 5'").exit_code == 0  # a text
    found = run("release visits.csv --count 'cost == A'")
    assert (found.exit_code, "must be a number" in found.stderr) == (2, True)
    assert run("release visits.csv --count 'age > 5'").exit_code == 2


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--quantile x --bounds 9 1 --step 1", "lower must be below upper, got lower 9 and upper 1"),
        ("--quantile x --bounds 7 7 --step 1", "lower must be below upper, got lower 7 and upper 7"),
        ("--quantile x --bounds 0 1000000 --step 1", "step must leave 10,000 candidates at most, got 1,000,001"),
        ("--mean x --bounds 9 1", "lower must be below upper, got lower 9 and upper 1"),
        ("--histogram x --edges 9,1", "edges must rise, got (9.0, 1.0)"),
        ("--histogram x --edges 5", "edges must be a list of at least 2, got (5.0,)"),
        ("--histogram x --bins 0 1000000 1", "edges must make at most 10,000 cells, got 1000002"),
        ("--histogram blank --edges 0,9", "column 'blank' must hold numbers, but it holds no value"),
        ("--quantile blank --bounds 0 9 --step 1", "column 'blank' must hold numbers, but it holds no value"),
        ("--sum blank --bounds 0 9", "column 'blank' must hold numbers, but it holds no value"),
        ("--share 'blank >= 7'", "column 'blank' holds no value: only ==, != and in can be asked"),
        ("--quantile day --bounds 0 9 --step 1", "column 'day' must hold numbers, but it holds dates"),
        ("--sum x --bounds 0 9 --by day --categories 20200101", "--categories must be years, months or days such as"),
    ],
)
def test_what_cannot_be_asked_of_a_column_is_one_sentence(run, words, said):
    Path("odd.csv").write_text("x,blank,day\n" + "7,,2020-01-31\n" * 9)
    found = run(f"release odd.csv {words}")
    assert (found.exit_code, found.stdout, found.stderr.count("\n")) == (2, "", 1)
    assert found.stderr.startswith(f"par release: {said}")
    for each in ("--histogram x --bins 0 9 9", "--quantile x --bounds 0 9 --step 1", "--share 'x >= 7'"):
        assert run(f"release odd.csv {each}").exit_code == 0, "one bin, or a column of one value, is like others"


def test_audit_tells_what_the_core_finds(run):
    found, content = asked(run, "audit shown.csv --individual person --epsilon 0.1 --epsilon 1 --independent")
    result = audit(Panel.from_arrays(SHOWN), PanelMean(), epsilons=[0.1, 1.0])
    for level in (0.1, 1):
        at = result.at(level)
        assert found[f"largest δ at ε = {level}"]["value"] == pytest.approx(at.delta, rel=5e-3)
        assert found[f"individuals exposed at ε = {level}"]["value"] == at.exposed
    assert found["largest δ at ε = 0.1"]["standing"] == "estimate"
    assert found["total risk at ε = 0.1"]["standing"] == "as published"
    assert found["nobody exposed from ε"]["value"] >= result.losses.max()
    assert "p0" not in json.dumps(content)  # names are for --ranking


def test_audit_takes_records_too_and_other_queries(run, tmp_path):
    rows = [f"p{who},{at},{VALUES[who, at]}" for who in range(PEOPLE) for at in range(DATABASES)]
    (tmp_path / "long.csv").write_text("\n".join(["person,day,x", *rows]))
    of_records = asked(
        run, "audit long.csv --individual person --database day --value x --epsilon 0.01 --query quantile=0.25"
    )[0]
    found = audit(Panel.from_arrays(VALUES), PanelQuantile(0.25), epsilons=[0.01]).at(0.01)
    assert of_records["largest δ at ε = 0.01"]["value"] == pytest.approx(found.delta, rel=5e-3)


@pytest.mark.parametrize(
    ("file", "more", "gate", "says"),
    [
        ("panel.csv", "--epsilon 0.1 --independent", 0.1, ""),
        ("shown.csv", "--epsilon 9 --epsilon 0.1 --independent", 0.1, "is above 0.1"),
        (
            "panel.csv",
            "--epsilon 9 --independent",
            0.01,
            "60 databases cannot show that δ is at most 0.01: below 1/60 they say nothing",
        ),
        ("shown.csv", "--epsilon 0.1", 1.0, "not independent draws"),
    ],
)
def test_the_gate_of_an_audit_passes_only_what_is_shown(run, file, more, gate, says):
    found = run(f"audit {file} --individual person {more} --gate {gate}")
    assert found.exit_code == (3 if says else 0), found.stderr
    assert says in found.stderr
    assert ("The gate FAILS" in found.stdout) == bool(says)


def test_the_gate_of_an_audit_lies_at_the_largest_delta(run):
    largest = audit(Panel.from_arrays(VALUES), PanelMean(), epsilons=[0.01]).at(0.01).delta
    for gate, code in ((largest, 0), (np.nextafter(largest, 0), 3)):
        assert (
            run(f"audit panel.csv --individual person --epsilon 0.01 --independent --gate {float(gate)!r}").exit_code
            == code
        )


def test_the_ranking_has_names_and_no_formula(run, tmp_path):
    (tmp_path / "evil.csv").write_text(wide(SHOWN).replace("p0,", "=1+1,").replace("p1,", "@x,"))
    assert run("audit evil.csv --individual person --epsilon 0.1 --ranking ranking.csv").exit_code == 0
    rows = [line for line in (tmp_path / "ranking.csv").read_text().splitlines() if not line.startswith("#")]
    named = [row["individual"] for row in csv.DictReader(rows)]
    assert {"'=1+1", "'@x"} <= set(named)
    assert not any(name.startswith(("=", "@")) for name in named)
    assert len(named) == PEOPLE


def test_check_tells_the_verdicts_of_the_catalogue(run):
    found = json.loads(run("check par-theorem-4 par-theorem-1 --format json").stdout)
    (first, second), truth = found["results"], check("par-theorem-4")
    assert (first["verdict"], second["verdict"]) == ("refuted", "reproduced")
    assert first["exact"] == pytest.approx(truth.exact, rel=1e-15)
    assert first["standing"] == truth.evidence.basis.value
    only = json.loads(run("check par-theorem-4 par-theorem-1 --refuted --format json").stdout)
    assert [each["id"] for each in only["results"]] == ["par-theorem-4"]
    assert only["settings"]["checked"] == 2


def test_a_gate_on_claims_passes_what_is_reproduced(run):
    assert run("check par-theorem-1 --gate").exit_code == 0
    assert run("check par-theorem-1 par-theorem-4 --gate").exit_code == 3
    assert run("check par-theorem-4").exit_code == 0


# --- how it is written ---

TOLD = Row.told
LINES = [
    "compose 0.37x5",
    "epsilon --error 9 --belief 0.1 0.3 --money 150000",
    "release --sum cost --bounds 0 3 --epsilon 0.7",
    "audit shown.csv --individual person --epsilon 0.1",
    "refute builtin:gaussian --share 0.4 --epsilon 0.7 --delta 1e-5 --curve gaussian --pairs 700",
]


@pytest.mark.parametrize("line", LINES)
def test_the_three_forms_say_the_same_and_only_people_get_few_digits(run, line, monkeypatch):
    computed = {}

    def told(row):
        computed[row.name] = row.number.value if isinstance(row.number, Quantity) else row.number
        return TOLD(row)

    monkeypatch.setattr(Row, "told", told)
    found, content = asked(run, line)
    assert {name: each["value"] for name, each in found.items()} == computed, "every digit"
    for each in found.values():
        assert each["standing"]
        assert each["rounded"] in ("up", "down", "near", "not")
    rows = [row for row in run(f"{line} --format csv").stdout.splitlines() if not row.startswith("#")]
    of_csv = {row["name"]: float(row["value"]) for row in csv.DictReader(io.StringIO("\n".join(rows)))}
    assert of_csv == {name: each["value"] for name, each in found.items()}
    human = run(line).stdout
    assert content["headline"] in human
    for name, each in found.items():
        (told,) = [row for row in human.splitlines() if re.match(rf"  {re.escape(name)}  ", row)]
        number = re.match(r"\s*([\d.,]+)( %)?", told[2 + len(name) :])
        shown = float(number[1].replace(",", "")) / (100 if number[2] else 1)
        assert shown == pytest.approx(each["value"], rel=0.006)
        assert (shown >= each["value"] * (1 - 1e-12)) or each["rounded"] != "up"
        assert (shown <= each["value"] * (1 + 1e-12)) or each["rounded"] != "down"
        assert each["standing"] in told


@pytest.mark.parametrize(
    ("value", "told"), [(1 / 3, 1 / 3), (12.0, 12), (1e300, 1e300), (float("inf"), "infinity")], ids=repr
)
def test_a_number_for_a_program_has_every_digit(value, told):
    assert plain(Quantity(value, "level", None, "up")) == told


def test_a_number_lies_on_its_own_side_of_what_is_allowed():
    assert beside(1.06749, 1.0675, 4) == "1.06749"
    assert beside(1.0675, 1.0675, 4) == "1.0675"
    assert beside(1.06751, 1.0675, 4) == "1.068"
    assert beside(0.04996, 0.05, 3) == "0.04996"


def test_an_answer_goes_into_a_file_and_nothing_to_stdout(run, tmp_path):
    found = run("compose 0.5x2 --format json --output found.json")
    assert (found.exit_code, found.stdout, found.stderr) == (0, "", "")
    assert json.loads((tmp_path / "found.json").read_text())["settings"]["levels"] == "0.5x2"


@pytest.mark.parametrize(
    ("stopped", "code"), [(OSError(errno.ENOSPC, "No space left on device"), 1), (KeyboardInterrupt(), 130)]
)
def test_a_file_is_whole_or_as_it_was(run, tmp_path, monkeypatch, stopped, code):
    (tmp_path / "found.json").write_text("before")
    before = sorted(os.listdir(tmp_path))

    def full(_):
        raise stopped

    monkeypatch.setattr(os, "fsync", full)
    found = run("compose 0.5x2 --output found.json")
    assert found.exit_code == code
    assert (tmp_path / "found.json").read_text() == "before"
    assert sorted(os.listdir(tmp_path)) == before
    if code == 1:
        assert found.stderr == "par: the answer cannot be written: No space left on device\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has a device that is always full")
def test_a_full_device_is_told_in_one_line(run):
    found = run("compose 0.5 --output /dev/full")
    assert (found.exit_code, found.stderr) == (1, "par: the answer cannot be written: No space left on device\n")


def test_a_file_keeps_its_rights_and_a_link_stays_one(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_text("before")
    target.chmod(0o640)
    link.symlink_to(target)
    files.write("after", str(link))
    assert link.is_symlink()
    assert target.read_text() == "after"
    assert target.stat().st_mode & 0o777 == 0o640


def test_progress_is_told_where_it_is_asked_for(run):
    quiet, told = run("compose 0.5x300"), run("compose 0.5x300 --progress")
    assert quiet.stderr == ""
    assert quiet.stdout == told.stdout
    lines = told.stderr.splitlines()
    assert lines[0] == "par compose: 0 %"
    assert len(lines) > 3
    steps = [int(line.split()[-2]) for line in lines]
    assert steps == sorted(set(steps))


def test_a_terminal_has_one_line_that_is_gone_at_the_end(monkeypatch):
    from par_core.cli.waiting import Waiting

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    with Waiting("par audit", always=False) as tell:
        for share in (0.0, 0.25, 0.251, 1.0):
            tell(share)
    assert terminal.getvalue() == "\rpar audit: 0 %\rpar audit: 25 %\rpar audit: 100 %\r\033[K"


# --- what is wrong ---

WRONG = [
    "",
    "nothing",
    "compose",
    "compose 0.5 --foo",
    "compose x",
    "compose 0.5x0",
    "compose -- -1",
    "compose 0.5 --delta 2",
    "compose 0.5 --delta much",
    "compose nan",
    "compose 0.5x9999999",
    "compose 0.5 --gate 0",
    "compose 0.5 --gate nan",
    "compose 0.5 --format xml",
    "epsilon",
    "epsilon --error -1",
    "epsilon --belief 0.5",
    "epsilon --belief 1.5 0.7",
    "epsilon --error 6 --mechanism exponential",
    "epsilon --error 6 --releases 1.5",
    "epsilon --error 6 --scenario missing.json",
    "epsilon --error 6 --scenario visits.csv",
    "release",
    "release --count 'age'",
    "release --count 'age > 5' --sum cost",
    "release --count 'age > 5' --bounds 0 1",
    "release --sum cost --categories A",
    "release --sum cost",
    "release --sum cost --bounds 3 1",
    "release --count-by ward",
    "release --count-by ward --categories A,A",
    "release --quantile cost",
    "release --quantile cost --bounds 0 9",
    "release --quantile cost --bounds 9 0 --step 1",
    "release --quantile cost --bounds 0 9 --step 10",
    "release --quantile cost --bounds 0 1 --step 0.000001",
    "release --quantile cost --bounds 0 9 --step 1 --alpha 1",
    "release --quantile cost --bounds 0 9 --step 1 --sum cost",
    "release --sum cost --bounds 0 9 --step 0",
    "release --mean cost --bounds 0 9 --rows 4 --alpha 0.5",
    "release --mean cost --bounds 0 1",
    "release --mean cost --bounds 0 1 --skip-missing",
    "release --histogram age",
    "release --histogram age --edges 5",
    "release --histogram age --edges 5,4",
    "release --histogram age --edges 5,x",
    "release --histogram age --edges 5,6 --bins 0 1 1",
    "release --histogram age --bins 1 0 1",
    "release --histogram age --bins 0 100 0.0001",
    "release --histogram age --edges 5,6 --bounds 0 1",
    "release --count 'age > 5' --edges 5,6",
    "release --count-by ward --categories A --bins 0 1 1",
    "release --histogram cost --edges 5,6 --once --person patient",
    "release visits.csv --histogram ward --edges 5,6",
    "release --count 'age > 5' --once",
    "release --count 'age > 5' --error 3 --epsilon 1",
    "release visits.csv --count 'age > 5'",
    "release visits.csv --count 'cost > 5' --rows 4",
    "release missing.csv --count 'age > 5'",
    "release . --count 'age > 5'",
    "release --count 'age > 5' --mechanism exponential",
    "audit visits.csv --individual patient --epsilon 1",
    "audit panel.csv --individual person --epsilon -1",
    "audit panel.csv --individual person",
    "audit panel.csv --individual person --epsilon 1 --database d1",
    "audit panel.csv --individual nobody --epsilon 1",
    "audit panel.csv --individual person --epsilon 1 --query mode",
    "audit panel.csv --individual person --epsilon 1 --query quantile=2",
    "audit panel.csv --individual person --epsilon 1 --gate 2",
    "audit panel.csv --individual person --epsilon 1 --cluster local",
    "audit panel.csv --individual person --epsilon 1 --cluster local --folder out --ranking names.csv",
    "audit panel.csv --individual person --epsilon 1 --cluster local --folder out",
    "audit panel.csv --individual person --epsilon 1 --cluster local --folder out --query quantile=0.5",
    "check par-theorem-nothing",
    "refute builtin:laplace",
    "refute builtin:laplace --epsilon -1",
    "refute builtin:laplace --epsilon nan",
    "refute builtin:laplace --epsilon 1 --share 0",
    "refute builtin:laplace --epsilon 1 --pairs 3",
    "refute builtin:laplace --epsilon 1 --seed -1",
    "refute builtin:laplace --epsilon 1 --first with",
    "refute builtin:laplace --epsilon 1 --delta 0.1 --curve laplace",
    "refute builtin:gaussian --epsilon 1",
    "refute builtin:coin --epsilon 1",
    "refute outputs.csv --epsilon 1 --delta 1",
    "refute outputs.csv --epsilon 1 --seed 3",
    "refute outputs.csv --epsilon 1 --curve exponential",
    "refute outputs.csv --epsilon 1 --first with",
    "refute outputs.csv --epsilon 1 --first with --second with",
    "refute outputs.csv --epsilon 1 --first with --second nobody",
    "refute visits.csv --epsilon 1",
    "refute missing.csv --epsilon 1",
    "completion tcsh",
    "show Nothing",
    # Not the digits that everybody reads.
    "compose 0.5x٣",
    "epsilon --error 1_000",
    "ledger add --ledger new.jsonl --data-set visits --tool OpenDP --epsilon １ --delta 0 --neighbours add-or-remove",
    "plan plan.toml --gate ٣",
    "refute builtin:laplace --epsilon 1 --pairs 1_000",
    "release --sum cost --bounds 0 1_0",
]


@pytest.mark.parametrize("line", WRONG)
def test_wrong_arguments_get_one_line(run, line):
    found = run(line)
    assert found.exit_code == 2, found.stdout
    assert found.stdout == ""
    assert re.fullmatch(r"par\b[^\n]*: [^\n]+ \(see par[^\n]* --help\)\n", found.stderr)


def test_a_question_that_is_none_is_not_answered_with_the_list_of_all(run):
    assert len(run("show Nothing").stderr) < 200


KINDS = "who,word,day,flag,none,n\na,x,2020-01-31,true,,1\nb,y,2021-01-31,false,,2\n"
BOUNDS = "--bounds 0 9"
SAYS = [
    *((f"--mean {name} {BOUNDS}", "hold numbers") for name in ("word", "day", "flag", "none")),
    *((f"--sum {name} {BOUNDS}", "hold numbers") for name in ("word", "day", "flag", "none")),
    *((f"--quantile {name} {BOUNDS} --step 1", "hold numbers") for name in ("word", "day", "flag", "none")),
    *((f"{ask} {BOUNDS}", "no column named 'nobody'") for ask in ("--mean nobody", "--sum nobody")),
    *((f"--sum n {BOUNDS} --person {name}", "say whose a row is") for name in ("day", "flag", "none")),
    *(
        (f"{ask} --person nobody", "no column named 'nobody'")
        for ask in ("--count 'n > 1' --once", f"--mean n {BOUNDS}")
    ),
    ("--count 'n > 1' --where 'nobody == 1'", "no column named 'nobody'"),
    ("--count-by nobody --categories A", "no column named 'nobody'"),
    ("--count 'day >= 2015'", "column 'day' holds dates: only ==, != and in can be asked"),
    ("--count 'n > 1' --where 'word < x'", "column 'word' holds text: only ==, != and in can be asked"),
]


@pytest.mark.parametrize(("options", "says"), SAYS)
def test_a_column_that_cannot_be_used_gets_one_line_and_no_script(run, tmp_path, options, says):
    (tmp_path / "kinds.csv").write_text(KINDS)
    found = run(f"release kinds.csv {options} --code release.py")
    assert (found.exit_code, found.stdout) == (2, "")
    assert re.fullmatch(rf"par release: [^\n]*{says}[^\n]*\n", found.stderr)
    assert not (tmp_path / "release.py").exists()


def test_what_no_level_does_stops_a_pipeline_in_one_line(run):
    found = run(
        "release --count 'age > 5' --error 3 --mechanism gaussian --delta 0.5 --rows-per-person 1 --statistics 1"
    )
    assert found.exit_code in (0, 3)
    found = run("release --mean cost --bounds 0 1 --skip-missing --size 1 --error 5")
    assert found.exit_code == 3
    assert found.stdout == ""
    assert re.fullmatch(r"par release: [^\n]+\n", found.stderr)


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        pa.ArrowMemoryError("malloc of size 64 failed"),
        RuntimeError("can't start new thread"),
        ImportError("_sparsetools.so: failed to map segment from shared object"),
        OSError(errno.ENOMEM, os.strerror(errno.ENOMEM)),
    ],
    ids=lambda error: type(error).__name__,
)
def test_too_little_memory_is_one_line_whoever_runs_out_of_it(run, error, monkeypatch):
    monkeypatch.setattr(files, "read", Mock(side_effect=error))
    found = run("audit panel.csv --individual person --epsilon 1")
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr == "par: this takes more memory than is free or allowed\n"


def test_any_other_fault_stays_one(run, monkeypatch):
    monkeypatch.setattr(files, "read", Mock(side_effect=RuntimeError("a fault")))
    with pytest.raises(RuntimeError, match="a fault"):
        run("audit panel.csv --individual person --epsilon 1")


def test_what_was_recognised_in_a_file_is_said_in_the_answer_and_beside_an_error(run, tmp_path):
    """The audit finds in decimal commas and thousands what it finds in points."""
    text = (tmp_path / "shown.csv").read_text().replace(",", ";").replace(".", ",")
    (tmp_path / "german.csv").write_text(text.replace("p1;", "p1;0"))
    line = "audit {} --individual person --epsilon 0.1"
    (plain, _), (german, content) = (asked(run, line.format(name)) for name in ("shown.csv", "german.csv"))
    assert german == plain
    assert "Numbers are read with a decimal comma." in content["notes"]
    (tmp_path / "two.csv").write_text("person;a;b\nx;1.234;5.678\ny;2.345;6.789\n")
    found = run(line.format("two.csv"))
    assert (found.exit_code, found.stdout) == (2, "")
    assert "Columns 2 and 3 are read as text: 1.234 may mean 1234 or 1.2340" in found.stderr
    assert found.stderr.count("\n") == 1
    found = run("audit two.csv --individual nobody --epsilon 0.1")
    assert found.stderr == "par audit: the table has no column named 'nobody' (see par audit --help)\n"


def test_nothing_is_written_where_something_is_wrong(run, tmp_path):
    before = sorted(os.listdir(tmp_path))
    assert run("compose x --output found").exit_code == 2
    assert run("compose 0.5 --output missing/found").exit_code == 1
    assert sorted(os.listdir(tmp_path)) == before


# --- completion ---


@pytest.mark.parametrize(
    ("words", "at", "expected"),
    [
        ("par ", 1, {"audit", "refute", "release", "compose", "epsilon", "check", "completion"}),
        ("par refute builtin:laplace --curve la", 4, {"laplace"}),
        ("par compose --mechanism ga", 3, {"gaussian"}),
        ("par compose --ga", 2, {"--gate"}),
        ("par check par-theorem-4", 2, {"par-theorem-4"}),
    ],
)
def test_a_shell_completes_commands_options_values_and_claims(run, words, at, expected):
    found = run([], env={"_PAR_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(at)})
    assert expected <= {line.partition(",")[2] for line in found.stdout.splitlines()}


def test_a_question_is_shown_with_what_its_answer_is_not_about(run):
    for name in ("HowFarOff", "Epsilon0ForError"):
        assert "adds no noise" in run(f"show {name} --mechanism randomised-response").stdout


def test_a_field_that_the_question_has_too_is_named_by_its_scenario(run):
    refused = run("show MixedReleases --releases 3")
    assert (refused.exit_code, "row 1: a level and how many" in refused.stderr) == (2, True)
    assert "4 releases fit" in run("show MixedReleases --scenario-releases 4").stdout


def test_what_was_a_plan_of_one_query_goes_on_as_release_and_says_so(run):
    old, new = (run(f"{name} --sum cost --bounds 0 3 --format json") for name in ("plan", "release"))
    assert (old.exit_code, old.stdout, old.stderr) == (0, new.stdout, "par plan is now par release\n")
    assert new.stderr == ""


PLAN = "plan 1~counts_12_mD_t12~sum_u50_t4"


def test_a_plan_tells_what_its_releases_spend_and_how_far_off_each_is(run):
    told = json.loads(run(f"{PLAN} --format json --epsilon 0.6").stdout)
    numbers = {each["name"]: each["value"] for each in told["results"]}
    plan = Plan(from_address("1~counts_12_mD_t12~sum_u50_t4"), 0.6)
    found = totals(plan)
    assert numbers == {
        "all together": found.epsilon,
        "1. 12 counts: off by at most": found.errors[0],
        "2. a sum of values from 0 to 50: off by at most": found.errors[1],
    }
    assert run(f"{PLAN} --epsilon 0.6 --gate {found.epsilon}").exit_code == 0
    assert run(f"{PLAN} --epsilon 0.6 --gate {found.epsilon * 0.999}").exit_code == 3


def test_a_plan_with_wishes_tells_the_factor_and_an_address_that_gives_it_again(run):
    shared = run(f"{PLAN} --wish 10 --wish 400 --format json")
    told = json.loads(shared.stdout)
    again = json.loads(run(["plan", told["settings"]["releases"], "--format", "json"]).stdout)
    assert again["results"] == told["results"]
    assert "each error is at most 1.94 times what you wished; all wishes are met at 0.95." in told["headline"]


def test_a_plan_file_has_its_own_numbers_unless_options_give_others(run):
    line = "plan 1~counts_3_r2_mD_t12~sum_u50_t4 --neighbours add-or-remove --format json"
    for more in ("--epsilon 0.6 --delta 1e-6", "--epsilon 0.4 --delta 1e-6", "--epsilon 0.6 --delta 1e-3"):
        by_line = json.loads(run(f"{line} {more}").stdout)
        option = more.replace("--epsilon 0.6", "").replace("--delta 1e-6", "")
        by_file = json.loads(run(f"plan plan.toml --format json {option}").stdout)
        assert by_file["results"] == by_line["results"]
        assert by_file["settings"] == by_line["settings"]
    assert "The plan has a budget of ε = 3." in by_file["notes"]


def test_categories_that_were_copied_from_the_file_are_told_by_every_command_that_reads_the_plan(run):
    Path("copied.toml").write_text(PLAN_FILE.replace("categories", "copied = true\ncategories"))
    note = "The categories of release 1 were copied from the file, which reveals them: noise does not undo that."
    held = "--ledger ledger.jsonl"
    for line in (
        "plan {}",
        f"gate {{}} --policy policy.toml {held}",
        f"ledger reserve {{}} --policy policy.toml {held}",
        f"ledger reserve {{}} --policy policy.toml {held} --epsilon 5",
        f"ledger add {{}} --data-set others {held}",
        f"ledger add {{}} --data-set others --release 1 {held}",
    ):
        told = [json.loads(run(f"{line.format(file)} --format json").stdout) for file in ("copied.toml", "plan.toml")]
        assert [each["notes"].count(note) for each in told] == [1, 0], line
    assert note not in run(f"ledger add copied.toml --data-set others --release 2 {held}").stdout


def test_a_plan_file_and_its_table_give_the_script_of_all_releases(run, tmp_path):
    assert run("plan plan.toml visits.csv --epsilon 0.4 --wish 20 --wish 90 --code release.py").exit_code == 0
    script = (tmp_path / "release.py").read_text(encoding="utf-8")
    compile(script, "release.py", "exec")
    assert "EPSILON = 0.4" in script
    assert "'patient'" in script.replace('"', "'")
    for line in ("plan plan.toml --code x.py", "plan 1~counts visits.csv --code x.py"):
        refused = run(line)
        assert (refused.exit_code, "--code needs a plan file and DATA" in refused.stderr) == (2, True)


def test_a_plan_with_costs_tells_what_the_errors_cost_and_shares_that_make_it_least(run):
    told = json.loads(run("plan plan.toml --cost 1 --cost 0.05 --format json").stdout)
    after = Plan(from_address(told["settings"]["releases"]), 0.6, Neighbours.ADD_OR_REMOVE, 1e-6)
    assert after.releases == share_by_weights(from_toml(PLAN_FILE)[0], (1, 0.05)).releases
    numbers = [each["value"] for each in told["results"]]
    assert numbers == [totals(after).epsilon, *totals(after).errors]
    assert f"The errors cost {brief(numbers[1] + 0.05 * numbers[2], toward='up')}, and " in told["headline"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("plan missing.toml", "the plan cannot be read: No such file"),
        ("plan wrong.toml", "release 1: person must be the name of a column, got 7"),
        ("plan plan.toml --scenario s.json", "--scenario does not go with a plan file"),
        ("plan plan.toml --epsilon 0", "epsilon0 must be"),
        ("plan plan.toml --wish 1 --wish 2 --cost 1 --cost 2", "only one of them"),
        ("plan plan.toml --cost 1", "--cost must be given for each of 2 releases, got 1"),
        ("plan plan.toml --cost 1 --cost -1", "weights must be"),
        ("plan 1~counts_12 --wish 1 --wish 2", "--wish must be given for each of 1 releases, got 2"),
        ("plan 3~counts_12", "must begin with its version, 1"),
        ("plan 2~quantile_q0.12345_d9", "alpha must have at most four decimals"),
        ("plan 1~mean_u110", "rows must be given"),
        ("plan 1~mean_u110 --neighbours add-or-remove", "size must be given"),
        ("plan 1~numbers_mR", "mechanism must be laplace"),
        ("plan 1~counts_12 --gate 0", "gate must be"),
    ],
)
def test_a_plan_that_cannot_be_is_told_in_one_line(run, arguments, said):
    Path("wrong.toml").write_text(PLAN_FILE.replace('"patient"', "7"))
    refused = run(arguments)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert said in refused.stderr
    assert refused.stderr.count("\n") == 1
