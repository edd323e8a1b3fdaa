"""The ledger of releases: what it holds, what a broken or edited file is, what was spent, and a policy with every line."""

import csv
import datetime
import hashlib
import itertools
import json
import math
import os
import random
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from par_core.composition import compose
from par_core.errors import DataError, ParameterError
from par_core.evidence import MODEL, PROVEN
from par_core.ledger import (
    Kind,
    Ledger,
    Policy,
    Record,
    append,
    check,
    dated,
    of_other_tool,
    opened,
    plan_of,
    read,
    released,
    reserve,
    reserved,
    spent,
)
from par_core.ledger.lines import TORN, is_whole, lines_of, sealed
from par_core.mechanisms import MECHANISMS, Exponential, Gaussian, Laplace, RandomisedResponse
from par_core.plan import Plan, Release, in_address
from par_core.queries.quantile_shape import QuantileShape
from par_core.queries.shapes import CountsShape, MeanShape, NumbersShape, SumShape
from par_core.scenario import Neighbours

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
DAY = datetime.date(2026, 3, 1)
COUNTS = Release(CountsShape(12), rows_per_person=3, mechanism="discrete-laplace", times=12)
SUM = Release(SumShape(lower=-5.0, upper=50.0), mechanism="gaussian", times=4)
MEAN = Release(MeanShape(upper=110.0), rows=9277, times=2)
PLAN = Plan((COUNTS, SUM, MEAN), 0.4, REPLACE, 1e-6)
SMALL = Plan((Release(CountsShape(3), times=2),), 0.1)
POLICY = Policy("visits", delta=1e-6, epsilon_per_release=1.0, epsilon_per_year=4.0, epsilon_for_ever=6.0)


def tool(epsilon=0.1, delta=0.0, *, day=DAY, data_set="visits", neighbours=REPLACE, times=1):
    return of_other_tool(
        "OpenDP", data_set, day, epsilon=epsilon, delta=delta, neighbours=neighbours, times=times, approved_by="Zoë"
    )


def text_of(*records):
    return b"".join(each.line + b"\n" for each in records)


# --- records ---


def some_record(rng):
    mechanism = rng.choice(list(MECHANISMS))
    numbers = Release(NumbersShape(rng.randint(1, 9), rng.randint(1, 5)), mechanism=mechanism, times=rng.randint(1, 9))
    plan = Plan((numbers, *rng.sample([COUNTS, SUM, MEAN], rng.randint(0, 3))), rng.uniform(0.01, 2), REPLACE, 1e-7)
    day = datetime.date(2026, 1, 1) + datetime.timedelta(rng.randint(0, 800))
    return rng.choice(
        [
            lambda: released(plan, "visits ✓", day, times=rng.randint(1, 9)),
            lambda: released(plan, "visits", day, release=1, approved_by="A"),
            lambda: reserved(plan, "stays", day),
            lambda: tool(rng.uniform(0.0, 3.0), rng.choice([0.0, 1e-9]), day=day, times=3),
        ]
    )()


def test_a_thousand_records_come_back_as_they_were():
    rng = random.Random(35)
    records = tuple(some_record(rng) for _ in range(1_000))
    ledger = Ledger.from_bytes(text_of(*records))
    assert ledger == Ledger(records)
    assert {name for each in records for name in [each.mechanisms[0][0].name] if each.mechanisms} >= {
        kind.name for kind in (Laplace, Gaussian, Exponential, RandomisedResponse)
    }
    assert len({each.kind for each in records}) == len(Kind)


def test_a_record_holds_what_it_takes_to_compose_it_and_to_plan_it_again():
    record = released(PLAN, "visits", DAY)
    found = json.loads(record.line)
    assert (found["plan"], found["epsilon0"], found["delta"]) == (in_address(PLAN.releases), 0.4, 1e-6)
    assert plan_of(record) == PLAN
    assert plan_of(tool()) is None
    assert spent([record], delta=1e-6).epsilon == pytest.approx(PLAN.together.epsilon(1e-6), abs=1e-5)
    one = released(PLAN, "visits", DAY, release=1, times=5)
    assert spent([one], delta=1e-6).epsilon == pytest.approx(
        compose(*zip(*PLAN.lost(0), strict=True)).n_fold(5).epsilon(1e-6), abs=1e-5
    )
    assert reserved(PLAN, "visits", DAY).places == (12, 4, 2)
    assert [spent([each], delta=1e-6).releases for each in (record, one, reserved(PLAN, "visits", DAY))] == [18, 5, 18]


def test_a_plan_with_a_quantile_is_recorded_and_held_against_a_policy():
    plan = Plan((Release(QuantileShape(0.5, 111), times=2),), 0.2, ADD)
    record = reserved(plan, "visits", DAY)
    assert Ledger.from_bytes(text_of(record)).records == (record,)
    assert plan_of(record) == plan
    assert check(POLICY, Ledger(), plan, DAY, "Ada").passes
    line = check(replace(POLICY, mechanisms=("laplace",)), Ledger(), plan, DAY, "Ada").failing[0]
    assert line.why == "release 1 is made with permute-and-flip: allowed is laplace"


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (lambda: tool(data_set=""), "data_set must be a text of one line"),
        (lambda: tool(data_set="a\nb"), "data_set must be a text of one line"),
        (lambda: tool(data_set="\ud800"), "data_set must be a text of one line"),
        (lambda: tool(epsilon=1001), "epsilon must be at least 0 and at most 1000"),
        (lambda: tool(epsilon=-1), "epsilon must be"),
        (lambda: tool(delta=1.0), "delta must be at least 0 and below 1"),
        (lambda: tool(times=0), "times must be"),
        (lambda: tool(day=datetime.datetime(2026, 1, 1)), "date must be a date"),
        (lambda: tool(neighbours="both"), "neighbours must be"),
        (lambda: released(PLAN, "visits", DAY, release=4), "release must be"),
        (lambda: replace(tool(), id="x"), "id must be 32 hexadecimal digits"),
        (lambda: check(POLICY, Ledger(), PLAN, datetime.datetime(2026, 1, 1)), "today must be a date"),
        (lambda: spent([tool()], delta=0.0), "delta must be above 0"),
    ],
)
def test_what_is_no_record_is_named(made, said):
    with pytest.raises(ParameterError, match=said):
        made()


# --- what a file may have become ---


@pytest.fixture
def no_disk(monkeypatch):
    """Nothing waits for a disk, where a test writes a thousand times and no machine stops."""
    monkeypatch.setattr(os, "fsync", lambda _: None)


THREE = [tool(each) for each in (0.1, 0.2, 0.3)]


def test_an_edit_of_any_byte_is_named_with_its_line():
    """Every byte of the middle line, changed in one bit: its line is named, unless a newline cuts it, which names one of the halves."""
    before, line, after = (each.line + b"\n" for each in THREE)
    for at in range(len(line) - 1):
        edited = line[:at] + bytes([line[at] ^ 1]) + line[at + 1 :]
        with pytest.raises(DataError, match=r"line [23] of the ledger (was edited|is damaged)"):
            Ledger.from_bytes(before + edited + after)


def test_an_edit_of_the_last_line_is_named_with_and_without_its_newline():
    text = text_of(*THREE)
    edited = text.replace(b'"epsilon0":0.3', b'"epsilon0":0.2')
    assert edited != text
    for each in (edited, edited[:-1]):
        with pytest.raises(DataError, match="line 3 of the ledger was edited: its seal is not that of its content"):
            Ledger.from_bytes(each)


def test_lines_of_windows_and_empty_ones_do_no_harm():
    text = text_of(*THREE)
    assert (
        Ledger.from_bytes(text.replace(b"\n", b"\r\n"))
        == Ledger.from_bytes(b"\n" + text + b"\n")
        == Ledger(tuple(THREE))
    )
    assert Ledger.from_bytes(b"") == Ledger()


@pytest.mark.usefixtures("no_disk")
def test_a_torn_tail_does_not_count_wherever_it_was_cut_and_the_next_record_keeps_it_apart(tmp_path):
    path, (first, torn, following) = tmp_path / "ledger.jsonl", THREE
    for cut in range(1, len(torn.line)):
        path.write_bytes(text_of(first) + torn.line[:cut])
        assert read(path) == Ledger((first,), torn=(2,))
        append(path, following)
        assert read(path) == Ledger((first, following), torn=(2,))
        assert path.read_bytes() == text_of(first) + torn.line[:cut] + TORN + b"\n" + text_of(following)
    path.write_bytes(text_of(first) + torn.line)  # but for its newline it is whole: it counts, on the safe side
    assert read(path) == Ledger((first, torn))
    append(path, following)
    assert path.read_bytes() == text_of(*THREE)


@pytest.mark.usefixtures("no_disk")
def test_a_break_while_a_torn_tail_is_kept_apart_is_kept_apart_too(tmp_path):
    path, (first, torn, following) = tmp_path / "ledger.jsonl", THREE
    start = text_of(first) + torn.line[:30]
    path.write_bytes(start)
    append(path, following)
    whole = path.read_bytes()
    for cut in range(len(start), len(whole)):
        path.write_bytes(whole[:cut])
        append(path, torn)
        counted = (first, following, torn) if cut == len(whole) - 1 else (first, torn)
        assert read(path).records == counted


@pytest.mark.parametrize("after", [TORN + b"\n", b"+" + TORN + b"\n", b"\x0b", b"#", b"{}"])
def test_a_record_cannot_be_voided_by_what_comes_after_it(after):
    """Also where the very last newline has become another byte: the record was written to its end."""
    for records in (THREE[:1], THREE[:2], THREE):
        with pytest.raises(
            DataError, match=f"line {len(records)} of the ledger is a whole record with something after"
        ):
            Ledger.from_bytes(text_of(*records)[:-1] + after)


def test_damage_stops_a_record_too_and_leaves_the_file_as_it_was(tmp_path):
    path = tmp_path / "ledger.jsonl"
    text = text_of(*THREE).replace(b'"epsilon0":0.2', b'"epsilon0":0.1')
    path.write_bytes(text)
    with pytest.raises(DataError, match="line 2 of the ledger was edited"):
        append(path, tool())
    assert path.read_bytes() == text


def test_the_same_id_with_other_content_is_damage_and_with_the_same_counts_once():
    first, second, _ = THREE
    assert Ledger.from_bytes(text_of(first, second, first)) == Ledger((first, second))
    with pytest.raises(DataError, match="line 3 of the ledger has the id of line 1 and other content"):
        Ledger.from_bytes(text_of(first, second, replace(second, id=first.id)))


def test_a_line_of_a_newer_version_is_named():
    held = json.loads(THREE[0].line)
    del held["seal"]
    for change, said in (
        ({"format": 2}, "line 1 of the ledger cannot be read: it must be of format 1: a newer version"),
        ({"unit": "household"}, "it holds 'unit', which is unknown"),
        ({"mechanisms": [{"mechanism": "new", "times": 1}]}, "it is no record: mechanism must be"),
        ({"mechanisms": [{"mechanism": "laplace", "epsilon0": -1.0, "times": 1}]}, "epsilon0 must be above 0"),
        ({"mechanisms": [{"mechanism": "laplace", "scale": 1.0, "times": 1}]}, "it is no record"),
        ({"date": "yesterday"}, "it is no record"),
    ):
        with pytest.raises(DataError, match=said):
            Ledger.from_bytes(sealed(held | change) + b"\n")


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b'{"format":nan}', "line 1 of the ledger cannot be read: .*not JSON"),
        (b'{"format":1\xff}', "not JSON"),
        (b'{"format":' + b"[" * 10_000 + b"}", "not JSON"),
        (b'{"format":1,"times":5,"times":1}', "'times' stands there more than once"),
    ],
)
def test_a_line_under_a_right_seal_may_still_be_no_record(body, said):
    line = body[:-1] + b',"seal":"' + hashlib.sha256(body).hexdigest().encode() + b'"}'
    assert is_whole(line)
    with pytest.raises(DataError, match=said):
        Ledger.from_bytes(line + b"\n")


def test_a_union_merge_of_two_branches_counts_each_record_once(tmp_path):
    path = tmp_path / "ledger.jsonl"

    def git(*arguments):
        own = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "core.hooksPath=/dev/null"]
        subprocess.run(["git", *own, *arguments], cwd=tmp_path, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    (tmp_path / ".gitattributes").write_text("ledger.jsonl merge=union\n")
    for each in THREE:
        append(path, each)
    git("add", ".")
    git("commit", "-q", "-m", "three")
    git("branch", "other")
    ours, theirs, both = tool(0.5), tool(0.6), tool(0.7)
    for branch, record in (("main", ours), ("other", theirs)):
        git("checkout", "-q", branch)
        append(path, record)
        append(path, both)
        git("commit", "-q", "-a", "-m", branch)
    git("merge", "-q", "main", "-m", "both")
    assert path.read_bytes().count(both.line) >= 1
    assert {each.id for each in read(path).records} == {each.id for each in (*THREE, ours, theirs, both)}
    assert len(read(path).records) == 6


# --- what was spent ---

# From tests/core/data/make_ledgers.py, which says how.
with (Path(__file__).parent / "data" / "ledgers.csv").open(encoding="utf-8", newline="") as _file:
    LEDGERS = list(csv.DictReader(_file))


def records_in(text):
    for each in text.split():
        kind, parameter, second, times = each.split(",")
        if kind == "tool":
            yield tool(float(parameter), float(second), times=int(times))
            continue
        more = {"sensitivity": int(second)} if kind == "discrete-laplace" else {}
        made = Gaussian(float(parameter)) if kind == "gaussian" else MECHANISMS[kind](float(parameter), **more)
        yield Record("visits", DAY, Kind.RELEASE, REPLACE, ((made, 1),), times=int(times))


def test_the_random_ledgers_hold_every_kind_many_times():
    assert len(LEDGERS) == 200
    for kind in ("laplace", "gaussian", "discrete-laplace", "tool"):
        assert sum(kind in each["ledger"] for each in LEDGERS) >= 100


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_what_was_spent_lies_between_the_ends_of_dp_accounting(start):
    for each in LEDGERS[start : start + 50 : 2]:  # each was drawn by itself
        found = spent(records_in(each["ledger"]), delta=float(each["delta"])).epsilon
        low, high = float(each["optimistic"]), float(each["pessimistic"])
        assert low * (1 - 1e-9) <= found <= high + 2e-5, each
        assert math.isinf(found) == math.isinf(low), each


def test_the_delta_of_other_tools_is_added():
    """By hand: of n releases that are (0, delta)-private nothing is left but that one of them may tell all."""
    record = tool(0.0, 1e-6, times=3)
    together = -math.expm1(3 * math.log1p(-1e-6))
    assert spent([record], delta=together * 1.0001).epsilon == 0.0
    assert spent([record], delta=together * 0.9999).epsilon == math.inf
    found = spent([record], delta=1e-5).added_delta
    assert together <= found <= together * (1 + 1e-9)
    # One at (epsilon, delta) has an epsilon at delta' for which (1 - delta)·profile + delta is delta'.
    one = spent([tool(0.5, 1e-3)], delta=2e-3).epsilon
    profile = RandomisedResponse(0.5).delta(one)
    assert 1e-3 + (1 - 1e-3) * profile == pytest.approx(2e-3, rel=1e-9)
    assert spent([tool(0.5, 1e-3)], delta=1e-3).epsilon == math.inf


def test_nothing_was_spent_where_there_is_no_record():
    found = spent([], delta=1e-6)
    assert (found.epsilon, found.added_delta, found.releases) == (0.0, 0.0, 0)
    assert found.quantity("epsilon").evidence.basis is PROVEN


def test_releases_for_other_neighbours_cannot_be_composed():
    with pytest.raises(DataError, match="same neighbours, got add-or-remove and replace-one"):
        spent([tool(), tool(neighbours=ADD)], delta=1e-6)


def test_a_thousand_records_are_composed_at_once():
    """As quick as it is on the quickest of five tries: of twenty plans, and other tools at a few levels."""
    rng, taken = random.Random(3), []
    plans = [
        Plan((replace(COUNTS, times=2), replace(SUM, times=2)), round(rng.uniform(0.001, 0.03), 4)) for _ in range(20)
    ]
    records = [
        released(rng.choice(plans), "visits", DAY)
        if rng.random() < 0.7
        else tool(rng.choice([0.01, 0.02, 0.05]), 1e-10)
        for _ in range(1_000)
    ]
    for delta in (1e-6, 1.1e-6, 1.2e-6, 1.3e-6, 1.4e-6):
        start = time.process_time()
        spent(records, delta=delta)
        taken.append(time.process_time() - start)
    assert min(taken) <= 0.6  # twice what is asked for, on a machine that others use too


def of_any_plan(rng):
    chosen = rng.sample([COUNTS, SUM, MEAN, Release(QuantileShape(0.5, 111))], rng.randint(1, 3))
    releases = tuple(replace(each, weight=rng.choice([1, 2, 3]), times=rng.randint(1, 4)) for each in chosen)
    return released(Plan(releases, round(rng.uniform(0.002, 0.03), 4)), "visits", DAY)


@pytest.mark.parametrize("tools", [1.0, 0.3])
def test_a_thousand_different_records_are_composed_at_once(tools):
    """As quick as it is on the quickest of three tries, each with records of its own: nothing is known of them before."""
    rng, taken = random.Random(4), []
    for _ in range(3):
        records = [tool(rng.uniform(0.001, 0.05)) if rng.random() < tools else of_any_plan(rng) for _ in range(1_000)]
        start = time.process_time()
        spent(records, delta=1e-6)
        taken.append(time.process_time() - start)
    assert min(taken) <= 0.6  # twice what is asked for, on a machine that others use too


# --- a policy ---

POLICY_FILE = """
format = 1
data_set = "visits"
delta = 1e-6
epsilon_per_release = 1
epsilon_per_year = 4
epsilon_for_ever = 6
smallest_group = 20
mechanisms = ["laplace", "discrete-laplace"]
approvers = ["Ada", "Ben"]
neighbours = "replace-one"
"""


def test_a_policy_is_read_from_its_file():
    assert Policy.from_toml(POLICY_FILE) == replace(
        POLICY,
        smallest_group=20,
        mechanisms=("laplace", "discrete-laplace"),
        approvers=("Ada", "Ben"),
        neighbours=REPLACE,
    )


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("format = 1", "", "this is no policy: format must be 1, got None"),
        ("format = 1", "format = 2", "a newer version wrote this file"),
        ("format = 1", "format = ", "this is no policy, because it is not TOML"),
        ("epsilon_per_year", "epsilon_a_year", "a policy has no 'epsilon_a_year'; it has data_set, delta, "),
        ("delta = 1e-6", "", "a policy must have delta"),
        ('data_set = "visits"', "", "a policy must have data_set"),
        ("epsilon_for_ever = 6", "", "a policy must have epsilon_for_ever"),
        ("delta = 1e-6", "delta = 1", "the policy cannot be used: delta must be"),
        ("year = 4", "year = 0", "epsilon_per_year must be above 0"),
        ("year = 4", 'year = "4"', "epsilon_per_year must be"),
        ("group = 20", "group = 2.5", "smallest_group must be"),
        ('"laplace", ', '"paper", ', "mechanisms must be"),
        ('["laplace", "discrete-laplace"]', "[]", "mechanisms must be one at least"),
        ('["Ada", "Ben"]', '"Ada"', "approvers must be a list"),
        ("replace-one", "anybody", "neighbours must be"),
    ],
)
def test_a_policy_that_cannot_be_is_told(before, after, said):
    assert before in POLICY_FILE
    with pytest.raises(DataError, match=said):
        Policy.from_toml(POLICY_FILE.replace(before, after))


FULL = Ledger((tool(3.9, day=datetime.date(2026, 1, 1)), tool(1.9, day=datetime.date(2025, 12, 31))))
FAILING = {
    "approvers": (
        replace(POLICY, approvers=("Ada", "Ben")),
        SMALL,
        Ledger(),
        "nobody has approved it: Ada or Ben must",
    ),
    "neighbours": (
        replace(POLICY, neighbours=ADD),
        SMALL,
        Ledger(),
        "the plan is for neighbours by replace-one, and must be for add-or-remove",
    ),
    "mechanisms": (
        replace(POLICY, mechanisms=("laplace", "gaussian")),
        SMALL,
        Ledger(),
        "release 1 is made with discrete-laplace: allowed is laplace or gaussian",
    ),
    "smallest_group": (
        replace(POLICY, smallest_group=9278),
        Plan((MEAN,), 0.1),
        Ledger(),
        "release 1 is over 9,277 rows, fewer than 9,278",
    ),
    "epsilon_per_release": (
        replace(POLICY, epsilon_per_release=0.099),
        SMALL,
        Ledger(),
        "release 1 has ε = 0.1, which is above 0.099",
    ),
    "epsilon_per_year": (
        POLICY,
        SMALL,
        Ledger(FULL.records[:1]),
        "the releases of 2026 would come to ε = 4.1, which is above 4: without this plan to 3.9",
    ),
    "epsilon_for_ever": (
        replace(POLICY, epsilon_per_year=5.0, epsilon_for_ever=5.9),
        SMALL,
        FULL,
        "all releases would come to ε = 6, which is above 5.9: without this plan to 5.8",
    ),
}


@pytest.mark.parametrize("rule", FAILING)
def test_each_line_of_a_policy_fails_alone(rule):
    policy, plan, ledger, why = FAILING[rule]
    found = check(policy, ledger, plan, DAY)
    assert [each.rule for each in found.failing] == [rule]
    assert not found.passes
    assert found.why == why
    assert [each.rule for each in found.lines] == list(FAILING)


def test_a_plan_that_every_line_lets_through_passes():
    policy = replace(POLICY, approvers=("Ada", "Ben"), neighbours=REPLACE, smallest_group=20)
    found = check(policy, Ledger(), PLAN, DAY, "Ben")
    assert found.passes, found.why
    assert found.why == "every line of the policy holds"
    assert found.year == found.ever == pytest.approx(PLAN.together.epsilon(1e-6), abs=1e-5)
    assert found.year_before == found.ever_before == 0.0
    assert "Eve may not approve it: Ada or Ben must" in check(policy, Ledger(), PLAN, DAY, "Eve").why


def test_all_lines_that_fail_are_told_the_first_one_first():
    policy = replace(POLICY, approvers=("Ada",), epsilon_per_release=0.01, mechanisms=("gaussian",))
    found = check(policy, FULL, SMALL, DAY)
    assert [each.rule for each in found.failing] == [
        "approvers",
        "mechanisms",
        "epsilon_per_release",
        "epsilon_per_year",
    ]
    assert found.why == "nobody has approved it: Ada must"


def test_a_budget_holds_to_the_last_digit():
    found = check(POLICY, Ledger(), SMALL, DAY)
    for limit, passes in ((found.year, True), (math.nextafter(found.year, 0), False)):
        assert check(replace(POLICY, epsilon_per_year=limit), Ledger(), SMALL, DAY).passes is passes


def test_noise_without_a_largest_loss_has_its_level_at_the_delta_of_the_policy():
    plan = Plan((replace(SUM, times=1),), 0.5, delta=1e-3)
    found = check(replace(POLICY, epsilon_per_release=0.9), Ledger(), plan, DAY)
    assert found.release == plan.once(0).epsilon(1e-6) > 0.9
    assert found.failing[0].rule == "epsilon_per_release"


def test_a_plan_for_other_neighbours_than_the_ledger_fails_and_is_told_what_was_spent():
    ledger = Ledger((tool(1.0, neighbours=ADD),))
    found = check(POLICY, ledger, SMALL, DAY)
    assert [each.rule for each in found.failing] == ["neighbours"]
    assert "the ledger holds releases for add-or-remove: they cannot be composed" in found.why
    assert found.year == found.year_before > 0.9
    assert "the releases of 2026 come to ε = 1 without this plan" in found.lines[-2].why


def test_other_tools_whose_delta_is_too_large_leave_nothing():
    found = check(POLICY, Ledger((tool(0.1, 2e-6),)), SMALL, DAY)
    assert [each.rule for each in found.failing] == ["epsilon_per_year", "epsilon_for_ever"]
    assert found.why == "the releases of 2026 have no ε at δ = 10⁻⁶, because the δ of other tools adds up to 2·10⁻⁶"


def test_a_mean_that_does_not_say_over_how_many_rows_fails_where_there_is_a_smallest_group():
    plan = Plan((Release(MeanShape(upper=9.0)),), 0.1, ADD)
    assert check(POLICY, Ledger(), plan, DAY).passes
    assert "does not say over how many rows" in check(replace(POLICY, smallest_group=2), Ledger(), plan, DAY).why


def test_only_the_data_set_of_the_policy_counts():
    ledger = Ledger((tool(50.0, data_set="stays"), tool(50.0, neighbours=ADD, data_set="stays")))
    assert check(POLICY, ledger, SMALL, DAY) == check(POLICY, Ledger(), SMALL, DAY)


def test_what_rests_on_an_assumption_is_not_proven():
    many = Plan((Release(MeanShape(), rows=100, rows_per_person=3),), 0.1)
    for records, plan, basis, said in (
        ((), SMALL, PROVEN, "with delta added"),
        ((released(SMALL, "visits", DAY),), SMALL, PROVEN, "with delta added"),
        ((tool(),), SMALL, MODEL, "only if other tools are as private as they say"),
        ((), many, MODEL, "only if as many rows replace a person's rows"),
        ((tool(),), many, MODEL, "as they say and as many rows replace a person's rows"),
        ((tool(), released(many, "visits", DAY)), SMALL, MODEL, "as they say and as many rows replace a person's rows"),
    ):
        ledger = Ledger.from_bytes(text_of(*records))
        found = check(POLICY, ledger, plan, DAY)
        assert found.quantity("year").evidence.basis is basis
        assert found.source.endswith(said)
        if plan is SMALL:
            assert spent(ledger.records, delta=1e-6).evidence.basis is basis


def test_a_clock_that_goes_backwards_opens_no_second_budget(tmp_path):
    """What is dated later counts in the year of a clock that is behind, and what it records is dated no earlier than that."""
    path, late, behind = tmp_path / "ledger.jsonl", datetime.date(2026, 11, 28), datetime.date(2025, 6, 1)
    append(path, tool(3.5, day=late))
    assert check(POLICY, read(path), SMALL, behind).year == check(POLICY, read(path), SMALL, late).year > 3.5
    done = reserve(path, POLICY, SMALL, today=behind)
    assert done.record.date == dated(read(path), behind) == late
    assert read(path).latest == late
    again = reserve(path, POLICY, Plan(SMALL.releases, 0.5), today=late)
    assert again.record is None
    assert again.checked.failing[0].rule == "epsilon_per_year"
    # One that ran ahead once has opened another budget, and leaves that of this year as it is.
    ahead = Ledger((tool(3.9, day=late), tool(0.1, day=datetime.date(2031, 1, 1))))
    assert check(POLICY, ahead, SMALL, late).failing[0].rule == "epsilon_per_year"
    # A new year begins with nothing.
    assert check(POLICY, read(path), SMALL, datetime.date(2027, 1, 1)).year_before == 0.0


# --- reservations ---


def test_a_reservation_spends_the_whole_plan_and_numbers_its_places(tmp_path):
    path = tmp_path / "ledger.jsonl"
    path.touch()
    plan = Plan((replace(COUNTS, times=3), replace(COUNTS, times=2)), 0.2)
    done = reserve(path, POLICY, plan, today=DAY, approved_by="Ada")
    (record,) = read(path).records
    assert record == done.record
    assert (record.kind, record.places, record.approved_by, plan_of(record)) == (Kind.RESERVATION, (3, 2), "Ada", plan)
    assert done.places == tuple(f"{record.id}/{place}" for place in ("1/1", "1/2", "1/3", "2/1", "2/2"))
    assert spent([record], delta=1e-6).epsilon == done.checked.year


def test_a_plan_above_policy_reserves_nothing(tmp_path):
    path = tmp_path / "ledger.jsonl"
    path.touch()
    done = reserve(path, replace(POLICY, epsilon_per_year=0.01), SMALL, today=DAY)
    assert (done.record, done.places, path.read_bytes()) == (None, (), b"")
    made = itertools.takewhile(lambda each: each.record, (reserve(path, POLICY, SMALL, today=DAY) for _ in range(99)))
    assert 10 < len(list(made)) == len(read(path).records) < 99  # until the budget is gone
    assert spent(read(path).records, delta=1e-6).epsilon <= 4.0


def test_a_mistyped_name_is_no_new_budget(tmp_path):
    for ask in (read, lambda path: reserve(path, POLICY, SMALL)):
        with pytest.raises(DataError, match="there is no ledger .*; an empty file begins one"):
            ask(tmp_path / "leger.jsonl")
    assert not list(tmp_path.iterdir())


def test_a_ledger_that_cannot_be_kept_is_told(tmp_path):
    for path, said in ((tmp_path, "Is a directory"), (tmp_path / "missing" / "ledger.jsonl", "No such file")):
        with pytest.raises(DataError, match=f"the ledger cannot be kept: {said}"):
            append(path, tool())


def test_a_ledger_is_locked_only_while_it_is_open(tmp_path):
    path = tmp_path / "ledger.jsonl"
    with opened(path, create=True) as ledger:
        ledger.append(THREE[0])
        ledger.append(THREE[1])
        assert ledger.read().records == tuple(THREE[:2])
    append(path, THREE[2])
    assert is_whole(path.read_bytes().splitlines()[2])
    assert lines_of(path.read_bytes()).ends == b""
