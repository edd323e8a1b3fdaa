"""The gate in a pipeline, as the examples have it: a workflow of GitHub Actions and a hook of pre-commit, run step by step."""

import os
import re
import shlex
import shutil
import subprocess
import sys
from datetime import date
from pathlib import Path

import pytest
import yaml

from par_core.ledger import append, of_other_tool
from par_core.scenario import Neighbours

ROOT = Path(__file__).parents[1]
GATE = ROOT / "examples" / "gate"
WORKFLOW = yaml.safe_load((GATE / "github-workflow.yml").read_text(encoding="utf-8"))
(REPOSITORY,) = yaml.safe_load((GATE / "pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
STEPS = [each["run"] for each in WORKFLOW["jobs"]["gate"]["steps"] if "run" in each]


class Repository:
    """A clone in which somebody has changed something, with `par` on its path."""

    def __init__(self, folder):
        self.folder, par = folder / "clone", folder / "bin" / "par"
        for each in (par.parent, folder / "temp"):
            each.mkdir()
        shutil.copytree(GATE, self.folder)
        subprocess.run([sys.executable, ROOT / "tools" / "put_par.py", par], check=True)
        self._environment = {
            "PATH": f"{par.parent}:{os.environ['PATH']}",
            "HOME": str(folder),
            "RUNNER_TEMP": str(folder / "temp"),
            "GITHUB_BASE_REF": "main",
        }
        for line in (
            "git init -q -b main",
            "git add .",
            "git -c user.name=A -c user.email=a@example.org -c core.hooksPath=/dev/null commit -q -m plan",
            "git update-ref refs/remotes/origin/main main",
        ):
            assert self.run(line).returncode == 0

    def run(self, line):
        """Run a step as GitHub does: its shell stops at the first command that fails."""
        shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", line]
        return subprocess.run(
            shell, cwd=self.folder, env=self._environment, capture_output=True, text=True, check=False
        )

    def change(self, name, before, after):
        path = self.folder / name
        text = path.read_text(encoding="utf-8")
        assert before in text
        path.write_text(text.replace(before, after), encoding="utf-8")


@pytest.fixture
def repository(tmp_path):
    return Repository(tmp_path)


def codes(repository):
    """The exit codes of the steps, but for the one that installs."""
    assert STEPS[0].startswith("pip install")
    return [repository.run(each).returncode for each in STEPS[1:]]


def test_the_workflow_lets_a_plan_within_policy_through(repository):
    assert codes(repository) == [0, 0, 0]
    record = of_other_tool(
        "OpenDP", "visits", date(2026, 4, 1), epsilon=0.1, delta=0.0, neighbours=Neighbours.ADD_OR_REMOVE
    )
    append(repository.folder / "ledger.jsonl", record)  # which adds to what is there
    assert repository.run(STEPS[-1]).returncode == 0


def test_the_workflow_stops_a_plan_above_policy_with_3_even_one_that_widens_it(repository):
    repository.change("plan.toml", "epsilon0 = 0.4", "epsilon0 = 0.8")
    repository.change("policy.toml", "epsilon_per_year = 4.0", "epsilon_per_year = 40.0")
    assert codes(repository) == [0, 3, 0]


@pytest.mark.parametrize(("before", "after", "code"), [('"times":2', '"times":1', 2), ("{", "", 2), ("", "", 1)])
def test_the_workflow_stops_where_a_record_was_edited_or_is_gone(repository, before, after, code):
    if before:
        repository.change("ledger.jsonl", before, after)
    else:
        (repository.folder / "ledger.jsonl").write_text("")
    assert repository.run(STEPS[1]).returncode == 0
    assert repository.run(STEPS[-1]).returncode == code


def test_the_hook_of_pre_commit_stops_a_plan_above_policy_with_one_line(repository):
    (hook,) = REPOSITORY["hooks"]
    assert REPOSITORY["repo"] == "local"
    assert re.search(hook["files"], "plan.toml")
    assert not hook["pass_filenames"]
    entry = shlex.join(shlex.split(hook["entry"]))
    assert repository.run(entry).returncode == 0
    repository.change("plan.toml", "epsilon0 = 0.4", "epsilon0 = 1.4")
    found = repository.run(entry)
    assert found.returncode == 3
    assert found.stderr == "par gate: the gate fails: release 1 has ε = 0.7, which is above 0.5\n"


def test_a_reservation_is_used_place_by_place(repository):
    rows = "".join(f"p{at},{'ABC'[at % 3]},{at % 50}\n" for at in range(90))
    (repository.folder / "visits.csv").write_text(f"patient,ward,cost\n{rows}", encoding="utf-8")
    python = repository.folder.parent / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    done = repository.run("sh ./reserve-and-release.sh")
    assert done.returncode == 0, done.stderr
    assert "place 1 of release 1, place 1 of release 2, by the reservation" in done.stdout
    assert "place 2 of release 1, by the reservation" in done.stdout
    assert ": 3 of 16 (by release: 2 of 12, 1 of 4)." in done.stdout
    written = sorted(each.name for each in repository.folder.glob("visits_place_*"))
    assert [re.sub("_[0-9a-f]{8}_", "_", each) for each in written] == ["visits_place_1_1.csv", "visits_place_1_2.csv"]


def test_two_branches_keep_the_records_of_both():
    assert "ledger.jsonl merge=union" in (GATE / ".gitattributes").read_text(encoding="utf-8").splitlines()
