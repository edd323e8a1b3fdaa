"""What is left of a budget in the browser: the example at once, the reader's own ledger in the session alone, and as `par` tells it."""

import datetime
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from pages.composition import budget_left, ledger_files
from pages.shared import answers
from par_core import deployment
from par_core import ledger as ledgers
from par_core.cli import par
from par_core.ledger import Policy, of_other_tool, released
from par_core.plan import Plan, PlanScenario, Release, in_address
from par_core.queries.shapes import CountsShape
from par_core.questions import BudgetLeft
from par_core.questions.composition.uploaded_ledger import UploadedLedger
from par_core.scenario import Neighbours, Scenario

MARKER = "zebra4711"
TODAY = datetime.date(2026, 9, 15)
COUNTS = Plan((Release(CountsShape(12)),), 0.25)
RECORDS = [released(COUNTS, MARKER, datetime.date(2026, month, 5)) for month in range(1, 9)]
RECORDS.append(released(COUNTS, MARKER, datetime.date(2025, 6, 1), times=3))
OTHER = of_other_tool(
    "OpenDP", f"{MARKER}*b*<i>", TODAY, epsilon=0.5, delta=1e-9, neighbours=Neighbours.REPLACE_ONE
)  # fmt: skip
POLICY = f"""
format = 1
data_set = "{MARKER}"
delta = 1e-6
epsilon_per_release = 1
epsilon_per_year = 4
epsilon_for_ever = 10
approvers = ["{MARKER}"]
"""


def text_of(*records):
    return b"".join(each.line + b"\n" for each in records)


@pytest.fixture(autouse=True)
def today(monkeypatch):
    """Let it be the same day on the page and on the command line."""
    monkeypatch.setattr(budget_left, "utc_today", lambda: TODAY)
    monkeypatch.setattr(ledgers, "utc_today", lambda: TODAY)


@pytest.fixture
def page(open_page):
    """Open the section with settings; jobs run to their end at once."""
    return lambda **settings: open_page("composition", tab="left", **settings)


def put(view, data, *, field=0, name=f"{MARKER}.jsonl"):
    view.app.file_uploader[field].set_value((name, data, "application/octet-stream"))
    return view.run()


def errors(view):
    return [each.value.replace("\\", "") for each in view.app.error]


def put_policy(view, text=POLICY):
    return put(view, text.encode(), field=1, name=f"{MARKER}.toml")


def asked(*records, scenario=Scenario(), target=3.0, **more):  # noqa: B008  # it is frozen
    return BudgetLeft(scenario, target, TODAY.isoformat(), UploadedLedger.from_bytes(text_of(*records)), **more)


def test_a_visitor_sees_an_example_at_once_and_a_link_brings_it_back(page):
    view = page()
    view.assert_told(BudgetLeft(Scenario()))
    assert "A ledger lists all releases of a data set." in view.words
    page(cte=5, d=1e-7, e0=0.1).assert_told(BudgetLeft(Scenario(epsilon0=0.1, delta=1e-7), 5.0))


def test_from_the_first_page_an_own_ledger_is_one_file_away(open_page):
    """Opening the page and the section is a click each; the button for the file, the file and the system's own button make five."""
    view = open_page("overview").visit("composition", tab="left")
    assert [each.proto.label for each in view.app.get("file_uploader")] == ["Your ledger.jsonl"]
    put(view, text_of(*RECORDS)).assert_told(asked(*RECORDS))


def test_a_ledger_of_the_readers_own_with_a_policy_and_with_a_plan(page):
    view = put(page(), text_of(*RECORDS, OTHER))
    assert view.app.selectbox("left_data_set").options == sorted({MARKER, OTHER.data_set})
    view.app.selectbox("left_data_set").set_value(OTHER.data_set)
    view.run().assert_told(asked(*RECORDS, OTHER, data_set=OTHER.data_set))
    view.app.selectbox("left_data_set").set_value(MARKER)
    view = put_policy(view.run())
    policy = Policy.from_toml(POLICY)
    view.assert_told(asked(*RECORDS, OTHER, data_set=MARKER, policy=policy))
    assert not [each for each in view.app.number_input if each.label == "Target δ"], "the policy has its own"
    plan = (Release(CountsShape(8), times=2),)
    again = put(page(plan=in_address(plan)), text_of(*RECORDS))
    again.assert_told(asked(*RECORDS, scenario=PlanScenario.of(Scenario(), plan)))
    assert again.headline.startswith("The whole plan can be made")


def test_the_page_and_the_command_line_tell_the_same(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("ledger.jsonl").write_bytes(text_of(*RECORDS))
    Path("policy.toml").write_text(POLICY)
    run = ["--ledger", "ledger.jsonl", "--format", "json"]
    shown = json.loads(CliRunner().invoke(par, ["ledger", "show", *run, "--delta", "1e-6"]).stdout)["results"]
    gate = ["gate", in_address((Release(CountsShape(8)),)), "--policy", "policy.toml", *run, "--approved-by", MARKER]
    held = json.loads(CliRunner().invoke(par, gate).stdout)["results"]
    by_name = {each["name"]: each["value"] for each in [*shown, *held]}
    scenario = PlanScenario.of(Scenario(), (Release(CountsShape(8)),))
    question = asked(*RECORDS, scenario=scenario, policy=Policy.from_toml(POLICY))
    view = put_policy(put(page(plan=in_address(scenario.plan)), text_of(*RECORDS)))
    view.assert_told(question)
    numbers = {name: each.value for name, each in question.answer().numbers().items()}
    assert numbers["year"] == by_name[f"{MARKER}, since 2026 began"] == by_name["this year, without it"]
    assert numbers["ever"] == by_name[f"{MARKER}, for ever"] == by_name["for ever, without it"]
    assert numbers["year_with_next"] == by_name["this year, with the plan"]


def test_nothing_of_the_readers_files_leaves_the_session(page, files, monkeypatch):
    kept = answers.Kept(64_000_000)
    monkeypatch.setattr(answers, "PUBLIC", kept)
    view = put_policy(put(page(), text_of(*RECORDS, OTHER)))
    assert view.headline.startswith("You can make")
    assert not [key for key in kept._held if isinstance(key, BudgetLeft) and key.private]
    assert MARKER not in repr(view.links) + repr(list(kept._held)) + view.words
    made = {key: data() if callable(data) else data for key, data in files.items()}
    for key, data in made.items():
        assert MARKER not in (data if isinstance(data, str) else str(data)), key
    assert "hospital visits" not in view.words
    assert any("dated" not in key and "2026-06-05" in str(data) for key, data in made.items()), "the CSV has dates"


BAD = {
    "edited": (
        text_of(*RECORDS).replace(b'"times":1,"delta"', b'"times":9,"delta"', 1),
        "Line 1 of the ledger was edited",
    ),
    "damaged": (b"\x00\x01\n" + text_of(*RECORDS), "Line 1 of the ledger is damaged: it is no record"),
    "another file": (b"a,b\n1,2\n", "Line 1 of the ledger is damaged: it is no record"),
}


@pytest.mark.parametrize("name", BAD)
def test_a_damaged_ledger_is_named_in_a_sentence_and_what_was_open_stays(page, name):
    data, words = BAD[name]
    view = put(page(), data)
    assert [words in each for each in errors(view)] == [True]
    assert "In this made-up ledger" in view.words
    view = put(put(page(), text_of(*RECORDS)), data)
    assert "What was open before stays open." in errors(view)[0]
    view.assert_told(asked(*RECORDS))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("format = 1", "A policy must have data"),
        ("not toml", "This is no policy"),
        (POLICY.replace("delta = 1e-6", "delta = 2"), "The policy cannot be used: delta must be"),
        (POLICY + "\nwho = 1", "A policy has no"),
        (POLICY.replace(f'"{MARKER}"', '"incomes"', 1), "The policy is for another data set"),
    ],
)
def test_a_wrong_policy_is_named_in_a_sentence(page, text, words):
    view = put_policy(put(page(), text_of(*RECORDS)), text)
    (error,) = errors(view)
    assert error.startswith(words)
    assert error.count(". ") == 0


def test_other_ledgers_are_told_in_plain_words(page):
    assert "The ledger is empty: nothing has been spent." in put(page(), b"").words
    over = [*RECORDS, of_other_tool("OpenDP", MARKER, TODAY, epsilon=2.0, delta=0, neighbours=Neighbours.REPLACE_ONE)]
    assert "is overspent" in put(page(), text_of(*over)).headline
    mixed = of_other_tool("OpenDP", MARKER, TODAY, epsilon=2.0, delta=0, neighbours=Neighbours.ADD_OR_REMOVE)
    view = put(page(), text_of(*RECORDS, mixed))
    assert errors(view) == [
        "The records are for different neighbours: they cannot be composed, so nobody knows what is spent."
    ]
    view = put(page(), text_of(mixed))
    assert "Change the neighbours in the sidebar." in view.warnings[0]


def test_a_closed_ledger_makes_room_for_the_example(page):
    view = put(page(), text_of(*RECORDS))
    view = view.press("Close the ledger")
    view.assert_told(BudgetLeft(Scenario()))
    put(view, text_of(*RECORDS)).assert_told(asked(*RECORDS))


def test_a_ledger_stays_open_on_another_page(page):
    view = put(page(), text_of(*RECORDS)).visit("overview").visit("composition", tab="left")
    assert "Your ledger is still open." in view.words
    view.assert_told(asked(*RECORDS))


def test_a_file_may_be_no_larger_than_the_operator_allows(page, monkeypatch):
    monkeypatch.setattr(ledger_files, "settings", lambda: deployment.Settings(upload_mb=1))
    assert [each.proto.max_upload_size_mb for each in page().app.get("file_uploader")] == [1]


def test_a_public_server_opens_no_files(page, monkeypatch):
    monkeypatch.setattr(ledger_files, "settings", lambda: deployment.Settings(uploads=False))
    view = page()
    assert not view.app.get("file_uploader")
    view.assert_told(BudgetLeft(Scenario()))
