"""The ledger of release scripts: as many runs as planned and none more, whatever happens to them or to the file."""

import datetime
import json
import math
import os
import sys

import numpy as np
import pytest
from scipy import stats

from par_core.composition import compose
from par_core.errors import ParameterError
from par_core.export.release_code import planned_code, release_code
from par_core.export.run_limit import LEDGER, limit_of_table
from par_core.export.scenario_code import scenario_code
from par_core.mechanisms import NOISES
from par_core.queries import Condition, Count, Mean, PersonCount, Sum
from par_core.release import plan_release, plan_release_of
from par_core.scenario import Neighbours, Scenario
from tests.core.script_text import namespace
from tests.core.scripts import Started

ADULT = Condition("age", ">=", 18)
LOSE = "    noisy = ["


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "people.csv").write_text("age,income\n20,1\n30,2\n10,4\n", encoding="utf-8")
    return tmp_path


def write(folder, text, name="release.py"):
    (folder / name).write_text(text, encoding="utf-8")


def start(folder):
    """Run a script as its user does."""
    return Started(["release.py", "people.csv"], folder)


def run(folder):
    process = start(folder)
    process.out, process.err = process.communicate()
    return process


@pytest.fixture
def here(folder, monkeypatch, capsys):
    """Run the text of a script in this process, which is quicker; returns what it prints."""

    def run_it(text, *words):
        monkeypatch.setattr(sys, "argv", [str(folder / "release.py"), str(folder / "people.csv"), *words])
        namespace(text)["main"]()
        return capsys.readouterr().out

    return run_it


def lines(folder, name=LEDGER):
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]


def script(query=None, **fields):
    return release_code(query or Count(ADULT), Scenario(**fields)).text


# --- as many runs as planned ---------------------------------------------------------------------------------------


def test_a_script_runs_as_often_as_planned_and_not_once_more(folder, here):
    write(folder, text := script(releases=2))
    for number in (1, 2):
        out = here(text)
        assert f"run {number} of 2 by the ledger" in out
        assert "'count'\t" in out
        (plan_, *runs), released = lines(folder), folder / f"people_release_{number}.csv"
        assert [each["run"] for each in runs] == [*range(1, number + 1)]
        assert all(datetime.datetime.fromisoformat(each["time"]).utcoffset() == datetime.timedelta(0) for each in runs)
        assert all(set(each) == {"run", "time", "seal"} for each in runs)
        assert "published" in released.read_text(encoding="utf-8-sig")
    (folder / "people_release_1.csv").unlink()
    before = (folder / LEDGER).read_bytes()
    refused = run(folder)
    assert refused.returncode == 1
    assert "all 2 runs of the plan are made" in refused.err
    assert "nothing was measured" in refused.err
    assert "'count'" not in refused.out
    assert (folder / LEDGER).read_bytes() == before
    assert (plan_["plan"]["epsilon"], plan_["plan"].get("delta")) == (0.5, None)
    assert "people" not in before.decode()


def test_with_gaussian_noise_the_ledger_names_delta(folder, here):
    text = script(mechanism="gaussian", releases=1)
    here(text)
    assert (lines(folder)[0]["plan"]["epsilon"], lines(folder)[0]["plan"]["delta"]) == (0.5, 1e-5)
    with pytest.raises(SystemExit, match="all 1 runs of the plan are made"):
        here(text)


def test_a_link_to_a_script_does_not_begin_another_ledger(folder, here, monkeypatch):
    (folder / "beside").mkdir()
    write(folder, text := script(releases=1))
    (folder / "beside" / "release.py").symlink_to(folder / "release.py")
    here(text)
    (folder / "people_release_1.csv").unlink()
    monkeypatch.setattr(sys, "argv", [str(folder / "beside" / "release.py"), str(folder / "people.csv")])
    with pytest.raises(SystemExit, match="all 1 runs of the plan are made"):
        namespace(text)["main"]()


def test_runs_at_once_never_take_the_same_place(folder):
    write(folder, script(releases=6))
    started = [start(folder) for _ in range(3)]
    ended = [(each.communicate(), each.returncode) for each in started]
    printed = [line for (out, _), _ in ended for line in out.splitlines() if line.startswith("run ")]
    assert len(set(printed)) == len(printed) == len(lines(folder)) - 1 == sum(code == 0 for _, code in ended)
    for (_, error), code in ended:
        assert code == 0 or "another run is at the ledger" in error


def test_a_run_that_finds_another_one_at_the_ledger_takes_no_place(tmp_path):
    names, ledger = namespace(script(releases=6)), tmp_path / "l"
    (tmp_path / "l.lock").touch()
    with pytest.raises(SystemExit, match="another run is at the ledger"):
        names["take_place"](str(ledger), str(tmp_path / "r"))
    assert [each.name for each in tmp_path.iterdir()] == ["l.lock"]  # what the other one holds is left to it


def test_a_run_that_breaks_off_after_its_place_is_taken_counts(folder, here):
    text = script(releases=2)
    assert LOSE in text
    write(folder, text.replace(LOSE, f"    os._exit(9)\n{LOSE}"))
    assert run(folder).returncode == 9
    assert [each.get("run") for each in lines(folder)] == [None, 1]
    assert "run 2 of 2" in here(text)
    with pytest.raises(SystemExit, match="all 2 runs of the plan are made"):
        here(text)


@pytest.mark.parametrize("change", ["LOWER = 9 / 0", "EPSILONS = [0.6]"])
def test_a_run_that_stops_before_it_measures_takes_no_place(change, folder, here):
    with pytest.raises((SystemExit, ZeroDivisionError)):
        here(script().replace("\nEPSILONS = [EPSILON]\n", f"\nEPSILONS = [EPSILON]\n{change}\n"))
    assert [each.name for each in folder.iterdir()] == ["people.csv"]


def test_the_place_is_on_the_disk_before_anything_is_measured(folder, monkeypatch):
    names, seen = namespace(script()), []
    real = names["os"].fsync
    monkeypatch.setattr(names["os"], "fsync", lambda each: seen.append(os.fstat(each).st_ino) or real(each))
    monkeypatch.setattr(sys, "argv", [str(folder / "release.py"), str(folder / "people.csv")])

    class Watched:
        def __init__(self, mechanism):
            self.mechanism, self.map = mechanism, mechanism.map

        def __call__(self, vector):
            seen.append(f"measured after {len(lines(folder)) - 1}")
            return self.mechanism(vector)

    measurements = names["measurements"]
    names["measurements"] = lambda rows: [Watched(each) for each in measurements(rows)]
    names["main"]()
    assert seen == [(folder / LEDGER).stat().st_ino, folder.stat().st_ino, "measured after 1"]


# --- one ledger for one plan ---------------------------------------------------------------------------------------


def test_scripts_of_the_same_plan_share_the_ledger_whatever_they_ask(here):
    assert "run 1 of 2" in here(script(releases=2))
    assert "run 2 of 2" in here(script(Sum("income", 0, 10), releases=2))
    with pytest.raises(SystemExit, match="all 2 runs of the plan are made"):
        here(script(releases=2))


@pytest.mark.parametrize(
    "other",
    [
        {"epsilon0": 0.6},
        {"releases": 3},
        {"mechanism": "gaussian"},
        {"neighbours": "add-or-remove"},
        {"rows_per_person": 2},
        {"delta": 1e-6},
    ],
)
def test_the_ledger_of_another_plan_is_refused(other, folder, here):
    here(script())
    before = (folder / LEDGER).read_bytes()
    with pytest.raises(SystemExit, match="is no ledger of this plan: nothing was measured"):
        here(script(**other))
    assert (folder / LEDGER).read_bytes() == before
    another = str(folder / "another.jsonl")
    with pytest.raises(SystemExit, match="people_release_1.csv is there already"):
        here(script(**other), "--ledger", another)
    (folder / "people_release_1.csv").unlink()
    here(script(**other), "--ledger", another)
    assert len(lines(folder, "another.jsonl")) == 2


def edits(text):
    first, second, third = text.splitlines(keepends=True)
    return {
        "empty": "",
        "torn in the plan": first[:40],
        "torn": text[:-9],
        "without its last line end": text[:-1],
        "a time changed": text.replace("T", "t", 1) if "T" in text else text,
        "a run taken out": first + third,
        "a run twice": text + third,
        "runs in another order": first + third + second,
        "more runs in the plan": text.replace('"runs": 4', '"runs": 5'),
        "another seal": third.join([first + second, ""]).replace(json.loads(third)["seal"], "0" * 64),
        "a line added": text + "\n",
        "a run by hand": text + json.dumps({"run": 3, "time": "2025-01-01T00:00:00+00:00", "seal": "0" * 64}) + "\n",
        "other line ends": text.replace("\n", "\r\n"),
        "bytes": text + "\udcff",
    }


@pytest.mark.parametrize("kind", edits('a\nb\n{"seal": "1"}\n'))
def test_a_torn_or_edited_ledger_is_refused(kind, tmp_path):
    names, ledger = namespace(script(releases=4)), tmp_path / "l"
    for _ in range(2):
        names["take_place"](str(ledger), str(tmp_path / "r"))
    whole = ledger.read_text(encoding="utf-8")
    edited = edits(whole)[kind]
    assert edited != whole
    ledger.write_bytes(edited.encode("utf-8", "surrogateescape"))
    with pytest.raises(SystemExit, match="no ledger of this plan|torn, or was edited"):
        names["take_place"](str(ledger), str(tmp_path / "r"))
    assert ledger.read_bytes() == edited.encode("utf-8", "surrogateescape")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["l", "r_1.csv", "r_2.csv"]
    ledger.write_text(whole, encoding="utf-8")
    assert names["take_place"](str(ledger), str(tmp_path / "r")).endswith("r_3.csv")


def test_a_ledger_that_cannot_be_kept_stops_the_script(tmp_path):
    names = namespace(script())
    with pytest.raises(SystemExit, match="the ledger cannot be kept"):
        names["take_place"](str(tmp_path / "nowhere" / "l"), str(tmp_path / "r"))
    with pytest.raises(SystemExit, match="the ledger or the results cannot be kept"):
        names["take_place"](str(tmp_path / "l"), str(tmp_path / "nowhere" / "r"))
    assert not [*tmp_path.iterdir()]


def test_a_lost_ledger_is_noticed_beside_its_results(tmp_path):
    names, ledger = namespace(script(releases=4)), tmp_path / "l"
    names["take_place"](str(ledger), str(tmp_path / "r"))
    ledger.unlink()
    with pytest.raises(SystemExit, match="r_1.csv is there already, and the ledger knows nothing of it"):
        names["take_place"](str(ledger), str(tmp_path / "r"))
    assert not ledger.exists()


# --- what the plan says --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon0", "releases", "delta"), [(0.5, 2, 1e-5), (0.1, 52, 1e-6), (2.0, 12, 0.3)])
def test_all_runs_together_spend_what_the_least_private_noise_of_their_epsilon_does(epsilon0, releases, delta):
    scenario = Scenario(epsilon0=epsilon0, delta=delta)
    found = limit_of_table(plan_release_of(Count(ADULT), scenario), releases=releases, delta=delta)
    # Randomised response, by hand: of n coins j have the likelier side, and the loss is (2j - n) times epsilon0.
    loss = (2 * np.arange(releases + 1) - releases) * epsilon0
    weight = stats.binom(releases, 1 / (1 + math.exp(-epsilon0))).pmf(np.arange(releases + 1))

    def needed(epsilon):
        return float((weight * np.maximum(-np.expm1(epsilon - loss), 0)).sum())

    assert needed(found.epsilon) <= delta < needed(found.epsilon * 0.998)
    assert found.epsilon <= releases * epsilon0 * 1.001


@pytest.mark.parametrize("mechanism", NOISES)
def test_the_plan_of_a_scenario_is_its_exact_composition(mechanism):
    scenario = Scenario(mechanism=mechanism, releases=7, epsilon0=0.3, sensitivity=3.0)
    spent = compose(scenario.release, 7).epsilon(scenario.delta)
    assert spent <= scenario_code(scenario).limit.epsilon <= 1.001 * spent


def test_all_runs_with_gaussian_noise_spend_what_their_normal_law_says():
    planned = plan_release_of(Sum("income", 0, 3), Scenario(mechanism="gaussian", epsilon0=0.5, delta=1e-5))
    found = limit_of_table(planned, releases=16, delta=1e-6)
    mu = 4 * 3 / planned.error.scale  # 16 releases that are each so far apart

    def needed(epsilon):
        ends = stats.norm.cdf([mu / 2 - epsilon / mu, -mu / 2 - epsilon / mu])
        return ends[0] - math.exp(epsilon) * ends[1]

    assert needed(found.epsilon * (1 - 1e-6)) <= 1e-6 < needed(found.epsilon * 0.998)


def test_the_head_tells_the_plan_and_the_constants_hold_it():
    code = release_code(Count(ADULT), Scenario(releases=52, epsilon0=0.1, delta=1e-6))
    head = code.text.partition('"""\n\n')[0]
    assert "52 releases, each with epsilon 0.1\n" in head
    assert f"together they spend at most epsilon {code.limit.epsilon} at delta 1e-06, whatever they ask" in head
    held = namespace(code.text)["PLAN"]
    assert (held["runs"], held["epsilon_of_all"], held["delta_of_all"]) == (52, code.limit.epsilon, 1e-6)
    assert any("52 times in all" in note for note in code.notes)
    assert any("run it once:" in note for note in release_code(Count(ADULT), Scenario(releases=1)).notes)


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_of_several_statistics_each_takes_a_run(mechanism):
    options = {"neighbours": Neighbours.ADD_OR_REMOVE, "mechanism": mechanism, "delta": 1e-5}
    several = planned_code(plan_release(Count(ADULT), 0.6, statistics=3, **options), releases=4)
    single = planned_code(plan_release(Count(ADULT), 0.6, **options), releases=4)
    assert namespace(several.text)["PLAN"]["runs"] == 12
    assert "4 releases, 12 runs, each with epsilon 0.6" in several.text
    if mechanism == "gaussian":  # its noise is for all statistics together
        assert several.limit.epsilon == single.limit.epsilon
    else:
        assert (several.limit.epsilon, single.limit.epsilon) == (2.387, 2.4)


def test_what_is_planned_for_persons_is_planned_for_rows_too():
    rows, persons = release_code(Count(ADULT), Scenario()), release_code(PersonCount(ADULT, person="who"), Scenario())
    assert namespace(rows.text)["PLAN"] == namespace(persons.text)["PLAN"]


def test_parts_that_would_spend_more_than_the_plan_are_refused(folder, here):
    text = script(Mean("income", 0, 9), neighbours="add-or-remove")
    assert "EPSILON_SUM = 0.25" in text
    with pytest.raises(SystemExit, match="the parts would spend more than planned"):
        here(text.replace("EPSILON_SUM = 0.25", "EPSILON_SUM = 0.26"))
    assert not (folder / LEDGER).exists()


@pytest.mark.parametrize("epsilon0", [1e-8, 0.5, 700.0])
@pytest.mark.parametrize("releases", [1, 10**6])
@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
def test_every_scenario_has_a_plan(mechanism, releases, epsilon0):
    code = release_code(Count(ADULT), Scenario(mechanism=mechanism, releases=releases, epsilon0=epsilon0, delta=1e-15))
    assert 0 <= code.limit.epsilon < math.inf
    assert max(map(len, code.text.splitlines())) <= 120


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"releases": 0}, "^releases must be"),
        ({"releases": 1.5}, "^releases must be"),
        ({"total_delta": 0.0}, "^delta"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(change, message):
    with pytest.raises(ParameterError, match=message):
        planned_code(plan_release(Count(ADULT), 0.5, neighbours=Neighbours.REPLACE_ONE), **change)
