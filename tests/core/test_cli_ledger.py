"""`par ledger` and `par gate`, within this process: what they record, what they tell, and where a pipeline stops."""

import json
import secrets

import pytest
from click.testing import CliRunner

from par_core.cli import par
from par_core.ledger import Kind, append, check, of_other_tool, plan_of, read, released, spent, utc_today
from par_core.ledger.lines import sealed
from par_core.ledger.policy import Policy
from par_core.plan import Plan, from_address
from par_core.scenario import Neighbours

ADD = Neighbours.ADD_OR_REMOVE
LINE = "1~counts_3_mD_t12~sum_u50_t4"
PLAN = Plan(from_address(LINE), 0.3, ADD, 1e-6)
OF_PLAN = [LINE, "--epsilon", "0.3", "--neighbours", "add-or-remove", "--delta", "1e-6"]
FILES = ["--ledger", "ledger.jsonl", "--policy", "policy.toml"]
POLICY = """
format = 1
data_set = "visits"
delta = 1e-6
epsilon_per_release = 1
epsilon_per_year = 4
epsilon_for_ever = 10
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Return what runs a command in a folder with a policy and an empty ledger."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.toml").write_text(POLICY)
    (tmp_path / "ledger.jsonl").touch()

    def run(*arguments, code=0):
        found = CliRunner().invoke(
            par, [each for one in arguments for each in ([one] if isinstance(one, str) else one)]
        )
        assert found.exit_code == code, (found.stderr, found.exception)
        return found

    return run


def told(found):
    content = json.loads(found.stdout)
    return {each["name"]: each["value"] for each in content["results"]}, content


def test_a_plan_within_policy_passes_and_tells_its_numbers(run):
    numbers, content = told(run("gate", OF_PLAN, FILES, "--format", "json"))
    found = check(Policy.from_toml(POLICY), read("ledger.jsonl"), PLAN, utc_today())
    assert numbers == {
        "largest of one release": PLAN.level_alone(0),
        "this year, with the plan": found.year,
        "this year, without it": 0,
        "for ever, with the plan": found.ever,
        "for ever, without it": 0,
    }
    assert content["gate"] == {"passes": True, "why": "every line of the policy holds"}
    assert content["settings"]["failing"] == ""
    assert not read("ledger.jsonl").records


def test_a_plan_above_policy_stops_with_3_and_the_one_line_that_fails(run):
    append("ledger.jsonl", of_other_tool("OpenDP", "visits", utc_today(), epsilon=3.0, delta=0.0, neighbours=ADD))
    for form in ("human", "json", "csv"):
        found = run("gate", OF_PLAN, FILES, "--format", form, code=3)
        assert found.stderr.count("\n") == 1
        assert found.stderr.startswith(
            f"par gate: the gate fails: the releases of {utc_today().year} would come to ε = "
        )
        assert found.stderr.endswith(", which is above 4: without this plan to 3\n")
    *_, content = told(run("gate", OF_PLAN, FILES, "--format", "json", code=3))
    assert content["settings"]["failing"] == "epsilon_per_year"
    assert not content["gate"]["passes"]
    as_csv = run("gate", OF_PLAN, FILES, "--format", "csv", code=3).stdout
    assert "# failing: epsilon_per_year\n# gate: fails: the releases of " in as_csv


def test_a_data_set_of_which_the_ledger_holds_nothing_is_told_with_those_that_it_holds(run):
    said = "The ledger holds nothing of visits before this, but of hospital visits."
    assert said not in run("gate", OF_PLAN, FILES).stdout, "the ledger is empty"
    append(
        "ledger.jsonl", of_other_tool("OpenDP", "hospital visits", utc_today(), epsilon=3, delta=0.0, neighbours=ADD)
    )
    for command in (["gate"], ["ledger", "reserve"]):
        assert said in " ".join(run(command, OF_PLAN, FILES).stdout.split())
    assert said not in " ".join(run("gate", OF_PLAN, FILES).stdout.split()), "now it holds a reservation of visits"


def test_who_approves_is_asked_for(run, tmp_path):
    (tmp_path / "policy.toml").write_text(f'{POLICY}approvers = ["Ada"]\n')
    assert "nobody has approved it: Ada must" in run("gate", OF_PLAN, FILES, code=3).stderr
    assert "Eve may not approve it: Ada must" in run("gate", OF_PLAN, FILES, "--approved-by", "Eve", code=3).stderr
    run("gate", OF_PLAN, FILES, "--approved-by", "Ada")
    run("ledger", "reserve", OF_PLAN, FILES, "--approved-by", "Ada")
    assert read("ledger.jsonl").records[0].approved_by == "Ada"


def test_a_reservation_is_recorded_and_takes_the_budget(run):
    _, content = told(run("ledger", "reserve", OF_PLAN, FILES, "--format", "json"))
    (record,) = read("ledger.jsonl").records
    assert (record.kind, record.places, record.id) == (Kind.RESERVATION, (12, 4), content["settings"]["id"])
    assert plan_of(record) == PLAN
    assert f"The places are {record.id}/1/1 to {record.id}/2/4." in content["notes"]
    assert f"Scripts of this plan take them with --ledger ledger.jsonl --reservation {record.id}." in content["notes"]
    for command in (("gate",), ("ledger", "reserve")):
        run(*command, [*OF_PLAN, "--epsilon", "1"], FILES, code=3)
    assert read("ledger.jsonl").records == (record,)
    again = run("gate", OF_PLAN, FILES, "--format", "json")
    assert (
        f"The ledger holds this plan already, as {record.id}: this checks making it again." in told(again)[1]["notes"]
    )


def test_places_that_scripts_took_are_shown_and_those_beyond_told(run):
    _, content = told(run("ledger", "reserve", OF_PLAN, FILES, "--format", "json"))
    key = content["settings"]["id"]
    for release, place in ((1, 1), (2, 1), (1, 2)):
        _take(key, release, place)
    show = ("ledger", "show", "--ledger", "ledger.jsonl")
    numbers, content = told(run(*show, "--format", "json"))
    assert f"Places taken of reservation {key}: 3 of 16 (by release: 2 of 12, 1 of 4)." in content["notes"]
    assert content["headline"].startswith("1 record of 1 data set")
    assert "beyond" not in run(*show).stdout
    for place in range(5):
        _take(key, 2, place + 1)
    after, _ = told(run(*show, "--format", "json"))
    assert after["visits, for ever"] > numbers["visits, for ever"]
    said = "2 places were taken beyond those reserved, as two branches can do: they count as releases on top."
    assert said in run(*show).stdout
    assert said in run("gate", OF_PLAN, FILES).stdout


def _take(reservation, release, place):
    held = {"format": 1, "id": secrets.token_hex(16), "date": utc_today().isoformat(), "kind": "place"}
    held |= {"reservation": reservation, "release": release, "place": place}
    with open("ledger.jsonl", "ab") as file:
        file.write(sealed(held) + b"\n")


def test_releases_of_a_plan_and_of_another_tool_are_recorded_and_shown(run):
    where = ["--ledger", "ledger.jsonl", "--data-set", "visits"]
    assert (
        "The ledger begins with this record."
        in run("ledger", "add", where, OF_PLAN, "--release", "2", "--times", "3").stdout
    )
    other = ["--tool", "OpenDP", "--epsilon", "0.5", "--delta", "1e-9", "--neighbours", "add-or-remove"]
    run("ledger", "add", where, other, "--date", "2025-03-01", "--approved-by", "Ada")
    first, second = read("ledger.jsonl").records
    assert first.mechanisms == released(PLAN, "visits", utc_today(), release=2).mechanisms
    assert (first.times, first.release, second.tool, second.approved_by) == (3, 2, "OpenDP", "Ada")
    numbers, content = told(run("ledger", "show", "--ledger", "ledger.jsonl", "--delta", "1e-6", "--format", "json"))
    assert numbers == {
        f"visits, since {utc_today().year} began": spent([first], delta=1e-6).epsilon,
        "visits, for ever": spent([first, second], delta=1e-6).epsilon,
    }
    assert content["headline"] == "2 records of 1 data set, at δ = 10⁻⁶."


def test_a_clock_that_is_behind_is_told(run, monkeypatch):
    later = utc_today()
    append("ledger.jsonl", of_other_tool("OpenDP", "visits", later, epsilon=0.1, delta=0.0, neighbours=ADD))
    monkeypatch.setattr("par_core.ledger.utc_today", lambda: later.replace(year=later.year - 1, day=1))
    found = run("ledger", "add", "--ledger", "ledger.jsonl", "--data-set", "visits", OF_PLAN)
    assert f"before the latest record: this one is dated {later}." in found.stdout
    assert read("ledger.jsonl").records[1].date == later


def test_a_torn_line_is_told(run, tmp_path):
    (tmp_path / "ledger.jsonl").write_text('{"format":1,')
    said = "Line 1 of the ledger is torn: a run broke off before its record was written, so that it measured nothing."
    for command in (
        ("gate", OF_PLAN, FILES),
        ("ledger", "show", "--ledger", "ledger.jsonl"),
        ("ledger", "add", "--ledger", "ledger.jsonl", "--data-set", "visits", OF_PLAN),
    ):
        assert said in run(*command).stdout
    assert len(read("ledger.jsonl").records) == 1


WHERE = ["ledger", "add", "--ledger", "ledger.jsonl", "--data-set", "visits"]
TOOL = ["--tool", "OpenDP", "--epsilon", "0.5", "--delta", "1e-9", "--neighbours", "add-or-remove"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (
            ["gate", *OF_PLAN, "--ledger", "missing.jsonl", "--policy", "policy.toml"],
            "there is no ledger 'missing.jsonl'",
        ),
        (
            ["gate", *OF_PLAN, "--ledger", "ledger.jsonl", "--policy", "missing.toml"],
            "the policy cannot be read: No such",
        ),
        (["gate", "missing.toml", *FILES], "the plan cannot be read: No such"),
        (["gate", *OF_PLAN, "--ledger", "policy.toml", "--policy", "policy.toml"], "line 2 of the ledger is damaged"),
        (["ledger"], "Missing command"),
        (WHERE, "a plan or --tool must be given, and not both"),
        ([*WHERE, LINE, "--tool", "OpenDP"], "a plan or --tool must be given, and not both"),
        ([*WHERE, *TOOL[:-2]], "--neighbours must be given: only the tool can say"),
        ([*WHERE, "--tool", "OpenDP", "--delta", "0"], "--epsilon must be given: only the tool can say"),
        ([*WHERE, *TOOL, "--release", "1"], "--release and --scenario go with a plan"),
        ([*WHERE, *TOOL, "--epsilon", "much"], "epsilon must be a number, got 'much'"),
        ([*WHERE, *TOOL, "--delta", "2"], "delta must be at least 0 and below 1"),
        ([*WHERE, *TOOL, "--times", "0"], "times must be"),
        ([*WHERE, *TOOL, "--date", "yesterday"], "--date must be a date such as 2026-03-01, got 'yesterday'"),
        ([*WHERE, *TOOL, "--date", "9999-01-01"], "at the latest, got 9999-01-01: what is planned is reserved"),
        ([*WHERE, LINE, "--release", "3"], "release must be"),
        (["ledger", "show", "--ledger", "ledger.jsonl", "--data-set", "x"], "--data-set must be one of the ledger's"),
        (["ledger", "show", "--ledger", "ledger.jsonl", "--delta", "0"], "delta must be"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(run, arguments, said):
    refused = run(*arguments, code=2)
    assert refused.stdout == ""
    assert said in refused.stderr
    assert refused.stderr.count("\n") == 1
    assert not read("ledger.jsonl").records


def test_a_record_for_other_neighbours_is_refused(run):
    run(*WHERE, TOOL)
    refused = run(*WHERE, [*TOOL[:-1], "replace-one"], code=2)
    assert "neighbours must be add-or-remove, as of the other records of visits, got replace-one" in refused.stderr
    assert len(read("ledger.jsonl").records) == 1
