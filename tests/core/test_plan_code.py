"""Scripts of a plan: what they publish, prove and count, and that nothing of a user becomes code."""

import ast
import builtins
import csv
import json
import math
import runpy
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from par_core.errors import ParameterError
from par_core.evidence import MODEL, PROVEN
from par_core.export.plan_code import plan_code
from par_core.export.scripts import files
from par_core.plan import NamedRelease, Plan, Release, totals
from par_core.queries import Condition, Count, CountBy, Histogram, Kind, Mean, PersonCount, Sum
from par_core.queries.shapes import NumbersShape
from par_core.release import plan_release
from par_core.scenario import Neighbours
from tests.core.script_text import namespace

REPLACE, ADD = Neighbours.REPLACE_ONE, Neighbours.ADD_OR_REMOVE
ADULT, ROME = Condition("age", ">=", 18), Condition("town", "==", "Rome")
COUNTS = CountBy(("town", "age"), (("Rome", "Oslo"), (18, 30)), other=True)
MEAN, SUM = Mean("income", 0, 100, where=ROME), Sum("income", 5, 50)
AGES = Histogram("age", (18, 30))
PERSONS = PersonCount(ADULT, person="who")
ROWS = 300


def planned(*queries, mechanisms=(), times=(), neighbours=ADD, person="who", **options):
    """Return a plan of queries and its releases with names."""
    found = []
    for at, query in enumerate(queries):
        mechanism = mechanisms[at] if mechanisms else "laplace"
        number = times[at] if times else 1
        found.append(
            Release(
                query.shape, rows_per_person=2, rows=ROWS, size=100, mechanism=mechanism, times=number, weight=at + 1
            )
        )
    plan = Plan(tuple(found), neighbours=neighbours, **options)
    return plan, [NamedRelease(each, query, person=person) for each, query in zip(found, queries, strict=True)]


def text_of(*queries, **options):
    return plan_code(*planned(*queries, **options)).text


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(5)
    found = pd.DataFrame({"who": rng.integers(0, 200, ROWS), "town": rng.choice(["Rome", "Oslo", "Wien"], ROWS)})
    found["age"], found["income"] = rng.choice([10, 18, 30], ROWS), rng.uniform(-5, 110, ROWS)
    return found


def ledger(folder, name="privacy_ledger.jsonl"):
    return [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]


def results(folder, run):
    with open(folder / f"people_run_{run}.csv", encoding="utf-8-sig", newline="") as file:
        return [*csv.reader(file)]


# --- runs and the ledger -------------------------------------------------------------------------------------------


def test_a_run_makes_what_is_not_made_as_often_as_planned_and_nothing_after_that(here, tmp_path):
    text = text_of(COUNTS, MEAN, SUM, times=(2, 2, 1), epsilon0=600.0)
    assert "with release 1, 2, 3" in here(text)
    again = here(text)
    assert "release 3 has been published as often as planned, and is left out" in again
    assert "with release 1, 2\n" in again
    before = (tmp_path / "privacy_ledger.jsonl").read_bytes()
    with pytest.raises(SystemExit, match="all runs of the plan are made, the last on 20.*nothing was measured"):
        here(text)
    assert (tmp_path / "privacy_ledger.jsonl").read_bytes() == before
    assert [each.get("releases") for each in ledger(tmp_path)] == [None, [1, 2, 3], [1, 2]]
    assert not {"income", "town", "Rome"} & {*before.decode().split('"')}
    assert [[each[0] for each in results(tmp_path, run)[1:]] for run in (1, 2)] == [
        [*["1"] * 9, "2", "3"],
        [*["1"] * 9, "2"],
    ]


def test_what_is_published_is_near_the_truth_of_the_capped_table(here, tmp_path, table):
    here(text_of(COUNTS, MEAN, SUM, PERSONS, AGES, epsilon0=700.0))
    heading, *found = results(tmp_path, 1)
    assert heading == ["release", "statistic", "label", "second label", "published"]
    assert {each[1] for each in found[:9]} == {"counts by town and age"}
    assert found[0][2:4] == ["Rome", "18"]
    answers = [each.answer(table, person="who", rows_per_person=2) for each in (COUNTS, MEAN, SUM, AGES)]
    answers.insert(3, PERSONS.answer(table))
    assert [each[1:3] for each in found[-3:]] == [["histogram of age", each] for each in AGES.labels]
    exact = [number for each in answers for number in each.exact]
    off = np.abs(np.subtract([float(each[-1]) for each in found], exact))
    assert (off <= [*[1] * 9, 2, 30, *[1] * 4]).all()  # once in e^40 runs it is not


def test_some_releases_alone_count_by_themselves(here):
    text = text_of(COUNTS, MEAN, SUM, times=(2, 1, 1))
    assert "with release 2\n" in here(text, "--only", "2")
    assert "with release 1, 3\n" in here(text)
    with pytest.raises(SystemExit, match="what --only names has been published as often as planned"):
        here(text, "--only", "2", "--only", "3")
    assert "with release 1\n" in here(text, "--only", "1", "--only", "2")
    with pytest.raises(SystemExit, match="2"):  # as argparse ends
        here(text, "--only", "4")


def test_the_ledger_of_another_plan_is_refused(here, tmp_path):
    here(text_of(SUM, COUNTS, times=(2, 2)))
    before = (tmp_path / "privacy_ledger.jsonl").read_bytes()
    others = [{"epsilon0": 0.6}, {"times": (2, 3)}, {"mechanisms": ("laplace", "gaussian")}, {"delta": 1e-6}]
    for other in others:
        with pytest.raises(SystemExit, match="is no ledger of this plan: nothing was measured"):
            here(text_of(SUM, COUNTS, **{"times": (2, 2)} | other))
    assert (tmp_path / "privacy_ledger.jsonl").read_bytes() == before
    with pytest.raises(SystemExit, match="people_run_1.csv is there already"):
        here(text_of(SUM, COUNTS), "--ledger", str(tmp_path / "another"))


def test_a_run_that_breaks_off_counts_and_one_that_stops_before_it_measures_does_not(here, tmp_path):
    text = text_of(SUM, COUNTS, times=(2, 2))
    lose = "    found = [(number, name, each())"
    assert lose in text
    for change in ("EPSILONS_R2 = [0.1]", "LOWER_R1 = 9 / 0"):
        with pytest.raises((SystemExit, ZeroDivisionError)):
            here(text.replace("\n# The plan for the year.", f"\n{change}\n# The plan for the year."))
    assert [each.name for each in tmp_path.iterdir()] == ["people.csv"]
    with pytest.raises(ZeroDivisionError):
        here(text.replace(lose, f"    0 / 0\n{lose}"))
    assert [each.get("releases") for each in ledger(tmp_path)] == [None, [1, 2]]
    assert "run 2 by the ledger" in here(text)


def test_an_edited_ledger_and_a_place_that_somebody_else_took_are_refused(tmp_path):
    names, path = namespace(text_of(SUM, COUNTS, times=(2, 1))), tmp_path / "l"
    take, given = names["take_place"], (str(path), str(tmp_path / "r"))
    take(*given, [1, 2])
    with pytest.raises(SystemExit, match="another run has published one of these releases"):
        take(*given, [1, 2])
    (tmp_path / "l.lock").touch()
    with pytest.raises(SystemExit, match="another run is at the ledger"):
        take(*given, [1])
    (tmp_path / "l.lock").unlink()
    whole = path.read_text(encoding="utf-8")
    for edited in (whole.replace("[1, 2]", "[1]"), whole + whole.splitlines()[1] + "\n", whole[:-9], whole[:30], ""):
        path.write_text(edited, encoding="utf-8")
        with pytest.raises(SystemExit, match="no ledger of this plan|torn, or was edited"):
            take(*given, [1])
        with pytest.raises(SystemExit, match="no ledger of this plan|torn, or was edited"):
            names["runs_made"](str(path))
    assert sorted(each.name for each in tmp_path.iterdir()) == ["l", "r_1.csv"]


def test_a_mean_stops_at_another_number_of_rows_and_the_others_can_do_without_it(here, table, tmp_path):
    query = Mean("income", 0, 100)
    text = text_of(query, SUM, neighbours=REPLACE, person="")
    table.head(ROWS - 1).to_csv(tmp_path / "people.csv", index=False)
    with pytest.raises(SystemExit, match=r"not have as many rows as planned \(ROWS_R1\)"):
        here(text)
    assert "with release 2" in here(text, "--only", "2")


# --- what is proven ------------------------------------------------------------------------------------------------


def test_opendp_proves_no_more_than_planned_and_the_noise_is_that_of_the_plan(table, capsys):
    queries = (COUNTS, MEAN, SUM, PERSONS, MEAN, AGES, AGES)
    mechanisms = ("discrete-laplace", "laplace", "gaussian", "gaussian", "gaussian", "laplace", "gaussian")
    plan, named = planned(*queries, mechanisms=mechanisms, epsilon0=0.7)
    names = namespace(plan_code(plan, named).text)
    spent, rhos = Fraction(0), []
    for number in names["RELEASES"]:
        noises, own = plan.noises(number - 1), {key: names.get(f"{key}_R{number}") for key in ("STEP", "ONE_PERSON")}
        mechanisms = names[f"measurements_r{number}"](ROWS)
        _, epsilon, rho, _ = names["RELEASES"][number](table)
        if plan.releases[number - 1].norm == "L1":
            proven = [each.map(own["ONE_PERSON"]) for each in mechanisms]
            assert epsilon == sum(map(Fraction, proven)) <= plan.levels[number - 1]
            for found, noise in zip(proven, noises, strict=True):
                assert found == pytest.approx(float(noise.epsilon0), rel=1e-9)
        else:
            moves = names[f"MOVES_R{number}"]
            assert rho == sum(each.map(by) for each, by in zip(mechanisms, moves, strict=True))
            parts = plan.releases[number - 1].parts(ADD)
            scales = [each * part.moves("L2") for each, part in zip(names[f"NOISE_R{number}"], parts, strict=True)]
            assert scales == pytest.approx([float(each.scale) for each in noises], rel=1e-12)
            rhos.append(rho)
        spent += epsilon
    assert spent <= Fraction(plan.epsilon0)
    assert plan.delta * 0.999 < names["proven_delta"](math.fsum(rhos)) <= plan.delta
    names["check"]([spent], rhos)
    with pytest.raises(SystemExit, match="the Gaussian noise would be less private than planned"):
        names["check"]([spent], [*rhos, rhos[0]])
    with pytest.raises(SystemExit, match="this run would spend more than planned"):
        names["check"]([Fraction(0.71)], [])
    capsys.readouterr()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("NOISE_R1 = [each * 0.999 for each in NOISE_R1]", "^this release would be less private than planned"),
        ("EPSILONS_R2 = [EPSILON_R2 * 0.999]", "^this release would be less private than planned"),
        ("EPSILON_SUM_R3 = EPSILONS_R3[0] = EPSILON_R3", "the parts would spend more than planned"),
        ("EPSILON = 0.49", "this run would spend more than planned"),
        ("DELTA = 9e-6", "the Gaussian noise would be less private than planned"),
    ],
)
def test_less_privacy_than_planned_stops_a_script_before_it_measures(change, message, here, tmp_path):
    text = text_of(SUM, COUNTS, MEAN, mechanisms=("gaussian", "laplace", "laplace"))
    with pytest.raises(SystemExit, match=message):
        here(text.replace("\n# The plan for the year.", f"\n{change}\n# The plan for the year."))
    assert not (tmp_path / "privacy_ledger.jsonl").exists()


def test_all_releases_together_spend_what_the_totals_of_the_plan_say():
    plan, named = planned(COUNTS, MEAN, SUM, mechanisms=("laplace", "laplace", "gaussian"), times=(12, 12, 4))
    code = plan_code(plan, named)
    assert totals(plan).epsilon <= code.epsilon <= 1.001 * totals(plan).epsilon
    head = code.text.partition('"""\n\n')[0]
    assert f"all runs together spend at most epsilon {code.epsilon:g} at delta 1e-05" in head
    assert "release 3: sum, Gaussian noise with 0.25 of EPSILON_GAUSSIAN, 4 times" in head
    assert namespace(code.text)["PLAN"]["epsilon_of_all"] == code.epsilon


# --- what a script holds -------------------------------------------------------------------------------------------

NASTY = ['"); import os #', "a\nb", "'''\"\"\"", "{requirements}", "EPSILON", "\\", "made_for.noun", "\u2028x\x00"]


def nasty(bad):
    queries = (
        CountBy((f"t{bad}",), ((bad, "b"),)),
        Histogram(f"v{bad}", (0, 9)),
        Mean(f"v{bad}", 0, 9, where=Condition(f"t{bad}", "==", bad)),
        Sum(f"v{bad}", 0, 9),
    )
    return text_of(*queries, person=f"p{bad}", mechanisms=("laplace", "laplace", "laplace", "gaussian"))


def without_literals(text):
    """Return the tree of a script with nothing in its texts."""
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            node.value = ""
    return ast.dump(tree)


@pytest.mark.parametrize("bad", NASTY, ids=range(len(NASTY)))
def test_what_a_user_types_stays_a_literal(bad):
    text, plain = nasty(bad), nasty("x")
    assert without_literals(text) == without_literals(plain)
    names = namespace(text)
    assert (names["COLUMN_R4"], names["COLUMN_R2"], names["WHERE_VALUE_R3"], names["PERSON"]) == (
        f"v{bad}",
        f"v{bad}",
        bad,
        f"p{bad}",
    )
    assert names["CATEGORIES_1_R1"] == [bad, "b"]
    comments = [[line for line in each.splitlines() if line.lstrip().startswith("#")] for each in (text, plain)]
    assert comments[0] == comments[1]


def test_a_script_with_nasty_names_runs(here, tmp_path):
    bad = '"); import os #'
    table = pd.DataFrame({f"t{bad}": [bad, "b"], f"v{bad}": [1.0, 2.0], f"p{bad}": ["one", "two"]})
    table.to_csv(tmp_path / "people.csv", index=False)
    assert f"1\t{bad!r}\t" in here(nasty(bad))


def test_a_script_is_tidy_and_holds_once_what_differs_nowhere():
    text = text_of(COUNTS, MEAN, SUM, PERSONS, mechanisms=("laplace", "laplace", "gaussian", "gaussian"))
    defined = [node.name for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    assert len(defined) == len({*defined})
    assert {"read", "whose", "place", "take_place", "proven_epsilon", "cap_r1", "cap_r2", "steps_r3"} <= {*defined}
    alike = namespace(text_of(COUNTS, MEAN, SUM))
    assert {"cap", "with_noise", "noisy_count", "ROWS_PER_PERSON", "chosen_r1", "EPSILON_R1"} <= {*alike}
    assert alike["PLAN"]["releases"][2]["rows_per_person"] == 2
    assert "made_for" not in text
    assert "par_core" not in text
    assert not [line for line in text.splitlines() if line != line.rstrip()]


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian"])
@pytest.mark.parametrize("query", [COUNTS, AGES, MEAN, SUM, PERSONS, Mean("income", 5, 9)], ids=range(6))
def test_every_name_in_a_script_is_defined_and_every_function_used(query, mechanism):
    tree = ast.parse(text_of(query, mechanisms=(mechanism,), neighbours=REPLACE))
    names = [node for node in ast.walk(tree) if isinstance(node, ast.Name)]
    used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
    functions = {node.name for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)}
    known = {node.id for node in names if isinstance(node.ctx, ast.Store)} | functions | {*dir(builtins), "__name__"}
    known |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    known |= {node.name for node in ast.walk(tree) if isinstance(node, ast.ExceptHandler)}
    imported = [node for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom)]
    known |= {each.asname or each.name for node in imported for each in node.names}
    assert used <= known
    assert functions <= used


def test_the_module_runs_as_it_stands(tmp_path, monkeypatch, capsys):
    (tmp_path / "people.csv").write_text("age\n17\n18\n", encoding="utf-8")
    words = [str(tmp_path / "x.py"), str(tmp_path / "people.csv"), "--ledger", str(tmp_path / "l")]
    monkeypatch.setattr(sys, "argv", words)
    runpy.run_path(str(Path(files.__file__).with_name("plan.py")), run_name="__main__")
    assert "run 1 by the ledger" in capsys.readouterr().out


def test_a_result_says_what_it_is_and_hides_the_text():
    code = plan_code(*planned(Mean("income", 0, 100), SUM, neighbours=REPLACE))
    assert code.evidence.basis is MODEL
    assert plan_code(*planned(SUM)).evidence.basis is PROVEN
    assert "income" not in repr(code)
    assert "scipy>=1.14" not in code.requirements
    assert any(note.startswith("Release 1: ") for note in code.notes)


# --- what is refused -----------------------------------------------------------------------------------------------


def test_what_is_no_plan_of_one_table_is_refused():
    plan, named = planned(COUNTS, SUM)
    for wrong in (named[:1], named[::-1], [*named, named[0]], []):
        with pytest.raises(ParameterError, match="^named must"):
            plan_code(plan, wrong)
    other = [named[0], replace(named[1], person="somebody")]
    with pytest.raises(ParameterError, match="the same person column"):
        plan_code(plan, other)
    assert plan_code(plan, [named[0], replace(named[1], person="")]).text.count('"who"') > 0
    with pytest.raises(ParameterError, match="cannot hold both"):
        plan_code(*planned(SUM, Count(Condition("income", "==", "much"))))
    several = replace(plan.releases[0], statistics=2)
    with pytest.raises(ParameterError, match="release 1 must be 1 statistic, got 2"):
        plan_code(Plan((several,), neighbours=ADD), [replace(named[0], release=several)])
    with pytest.raises(ParameterError, match="does not say what its numbers are"):
        plan_code(Plan((Release(NumbersShape(3)),)), named[:1])
    with pytest.raises(ParameterError, match="^person_kind"):
        plan_code(plan, named, person_kind=Kind.TRUTH)


def test_one_release_alone_is_planned_as_a_script_of_its_own_has_it(here):
    plan, named = planned(SUM, mechanisms=("gaussian",))
    text = plan_code(plan, named).text
    alone = plan_release(SUM, 0.5, neighbours=ADD, rows_per_person=2, mechanism="gaussian", delta=1e-5)
    assert namespace(text)["NOISE_R1"][0] * 100 == pytest.approx(float(alone.parts[0].error.scale), rel=1e-12)
    assert "1\t'sum'\t" in here(text)
