"""What a command tells beside its numbers: the gaps and the plan of a scenario file, notes in every form, and those of a script."""

import json
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner

from par_core.cli import par
from par_core.scenario import Scenario

PLAN_FILE = """\
format = 1
epsilon0 = 0.6
neighbours = "add-or-remove"
delta = 1e-6

[[release]]
count_by = ["ward"]
categories = [["A", "B", "C"]]
rows_per_person = 2
mechanism = "laplace"

[[release]]
sum = "cost"
bounds = [0, 50]
mechanism = "laplace"
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return what runs a command in a folder with two scenarios, a plan and its table."""
    monkeypatch.chdir(tmp_path)
    Path("planned.json").write_text(Scenario(epsilon0=0.4).to_file(plan="1~counts_12_t12~sum_u50_t40"))
    Path("short.json").write_text('{"epsilon0": 0.4}')
    Path("plan.toml").write_text(PLAN_FILE)
    Path("visits.csv").write_text("patient,ward,cost\na,A,3\nb,B,7\n")
    return lambda line: CliRunner().invoke(par, shlex.split(line), catch_exceptions=False)


def noted(found):
    assert found.exit_code == 0, found.stderr
    return json.loads(found.stdout)["notes"]


@pytest.mark.parametrize("line", ["epsilon --belief 0.1 0.3", "release --count 'age > 5'"])
def test_a_scenario_with_a_plan_is_refused_where_its_plan_would_be_left_out(run, line):
    found = run(f"{line} --scenario planned.json")
    assert (found.exit_code, found.stdout, found.stderr.count("\n")) == (2, "", 1)
    assert "save it without the plan, or use par plan with its releases" in found.stderr


def test_a_plan_that_is_given_stands_in_place_of_that_of_a_scenario(run):
    found = json.loads(run("plan 1~counts_12 --scenario planned.json --format json").stdout)
    assert (found["settings"]["releases"], found["settings"]["epsilon0"]) == ("1~counts_12", 0.4)


@pytest.mark.parametrize(
    ("line", "gaps"),
    [
        ("plan 1~counts_12", "What counts as one person, δ"),
        ("plan 1~counts_12 --delta 1e-6", "What counts as one person"),
        ("plan 1~counts_12 --delta 1e-6 --neighbours add-or-remove", ""),
        (
            "release visits.csv --count 'cost > 5' --neighbours add-or-remove --error 10",
            "Rows per person, Statistics in this release, Number of releases, δ, Mechanism",
        ),
    ],
)
def test_what_a_command_uses_and_a_scenario_file_lacks_is_told(run, line, gaps):
    told = [each for each in noted(run(f"{line} --scenario short.json --format json")) if "Not in the file" in each]
    assert told == [f"Not in the file, so as in the example: {gaps}."] * bool(gaps)


def test_a_level_that_is_searched_is_no_gap(run):
    Path("level.json").write_text('{"neighbours": "add-or-remove"}')
    (told,) = [
        each
        for each in noted(run("release --count 'age > 5' --error 10 --scenario level.json --format json"))
        if "Not in the file" in each
    ]
    assert "ε₀" not in told


@pytest.mark.parametrize(
    "line", ["epsilon --error 9", "plan plan.toml", "compose 0.5x3", "check par-theorem-4 par-theorem-1 --refuted"]
)
def test_csv_has_the_notes_and_settings_of_json_above_its_numbers(run, line):
    content = json.loads(run(f"{line} --format json").stdout)
    head = [each for each in run(f"{line} --format csv").stdout.splitlines() if each.startswith("#")]
    assert content["notes"]
    for number, note in enumerate(content["notes"], start=1):
        assert f"# note {number}: {note}" in head
    for name, value in content["settings"].items():
        assert f"# {name}: {value}" in head
    assert f"# title: {content['headline']}" in head


def test_the_notes_of_the_script_of_a_plan_are_told(run):
    notes = noted(run("plan plan.toml visits.csv --code release.py --format json"))
    assert "That no person has more rows than allowed is your promise; the script does not check it." in notes
    assert notes[-1].startswith("The script needs opendp==")
    assert not any("script" in each for each in noted(run("plan plan.toml --format json")))


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("ward,price\nA,3\n", "the table has no column named 'cost'"),
        ("ward,cost\nA,much\n", "column 'cost' must hold numbers, but it holds text"),
    ],
)
def test_a_table_without_the_columns_of_a_plan_gives_no_script(run, table, said):
    Path("other.csv").write_text(table)
    found = run("plan plan.toml other.csv --code release.py")
    assert (found.exit_code, found.stdout) == (2, "")
    assert said in found.stderr
    assert not Path("release.py").exists()
