"""The scripts for OpenDP: they run, prove the planned epsilon, add the planned noise, and hold nothing but literals."""

import ast
import csv
import itertools
import math
import subprocess
import sys
from dataclasses import replace
from functools import cache

import numpy as np
import opendp.prelude as dp
import pandas as pd
import pytest
from scipy import stats

from par_core.errors import ParameterError
from par_core.evidence import PROVEN
from par_core.export.release_code import OPENDP, PLACEHOLDER, ReleaseCode, planned_code, release_code
from par_core.queries import (
    OTHER,
    Condition,
    Count,
    CountBy,
    Groups,
    Histogram,
    Mean,
    PersonCount,
    PersonCountBy,
    PersonCounts,
    Quantile,
    Share,
    Sum,
    cap_rows,
)
from par_core.release import plan_release_of
from par_core.scenario import Neighbours, Scenario
from par_core.tables.file_format import FileFormat
from par_core.tables.table import read_table
from tests.core.script_text import assert_tidy, namespace

DRAWS, AT_ONCE = 10_000, 500
# The spread tests hold some 70 bounds, each with this chance of a false alarm: one in a million runs of the file.
FALSE_ALARM = 1e-6 / 100

IN_TOWNS = Groups("w", ("Köln", "Rom"))
SUMS, MEANS = Sum("v", -1, 5, groups=IN_TOWNS), Mean("v", 2, 5, groups=IN_TOWNS)
SHARES = Share(Condition("v", ">=", 18), groups=IN_TOWNS)
ADULT, TOWN = Condition("age", ">=", 18), Condition("town", "in", ("Köln", "=cmd()"))
SPREAD = {
    "count": Count(ADULT),
    "count with a condition": Count(ADULT, where=TOWN),
    "counts by one": CountBy(("town",), (("Köln", "=cmd()"),)),
    "counts by two": CountBy(("school", "town"), ((1, 2), ("Köln", "Rom"))),
    "counts with the others": CountBy(("school",), ((1, 2),), other=True, where=ADULT),
    "counts of one cell": CountBy(("town",), (("Köln",),)),
    "sum": Sum("income", -10, 30),
    "sum with a condition": Sum("income", 5, 30, where=TOWN),
    "mean": Mean("income", -10, 30),
    "mean with a condition": Mean("income", 5, 30, where=TOWN),
}
QUERIES = SPREAD | {
    "counts by true or false": CountBy(("member",), ((True, False),)),
    "count of text": Count(Condition("town", "!=", "Rom"), where=Condition("member", "==", True)),
    "sum above 0": Sum("income", 5, 30),
    "sum below 0": Sum("income", -30, -5),
    "mean above 0": Mean("income", 5, 30),
    "narrow sum far from 0": Sum("age", 10**9, 10**9 + 1),
    "mean of what is there": Mean("income", 5, 30, skip_missing=True),
    "mean of what is there with a condition": Mean("income", -10, 30, where=TOWN, skip_missing=True),
    "persons": PersonCount(ADULT, where=TOWN, person="who"),
    "persons by one": PersonCountBy(("town",), (("Köln", "=cmd()"),), person="who"),
    "persons by two": PersonCountBy(("school", "town"), ((1, 2), ("Köln",)), other=True, where=ADULT, person="who"),
    "persons of one cell": PersonCountBy(("town",), (("Köln",),), person="who"),
}
CASES = list(itertools.product(QUERIES, Neighbours, (1, 3)))


@pytest.fixture(scope="module")
def table():
    rng = np.random.default_rng(3)
    rows = 80
    found = pd.DataFrame(
        {
            "who": rng.integers(0, 30, rows),
            "age": rng.integers(5, 60, rows),
            "school": rng.choice([1.0, 2.0, 3.0, np.nan], rows),
            "town": rng.choice(["Köln", "Rom", "=cmd()"], rows),
            "income": rng.normal(12, 15, rows),
            "member": rng.choice([True, False], rows),
            "not used": "x",
        }
    )
    found.loc[[4, 7], "income"] = np.nan
    found.loc[[5], "town"] = None
    return found


@pytest.fixture(scope="module")
def file(table, tmp_path_factory):
    path = tmp_path_factory.mktemp("data") / "table.csv"
    table.to_csv(path, index=False)
    return path


def script(name, neighbours, rows_per_person, table):
    """Return a script, its functions, and the table as it is after rows over the limit are left out."""
    kept = cap_rows(table, "who", rows_per_person=rows_per_person)
    scenario = Scenario(epsilon0=0.7, neighbours=neighbours, rows_per_person=rows_per_person)
    code = release_code(QUERIES[name], scenario, rows=len(kept), person="who")
    return code, namespace(code.text), kept


def exact(query, table, rows_per_person):
    """Return the exact answer where no person counts for more than that."""
    return query.answer(table, person="who", rows_per_person=rows_per_person).exact


def vectors_of(names, file):
    """Return what a script measures of a file."""
    table = names["read"](str(file))
    return names["prepare"](names["cap"](table) if "cap" in names else table)


def unit(planned, names):
    return 1 if planned.part.whole else names["STEP"]


def exact_parts(query, vectors):
    """Return what the measurements would say without noise."""
    if isinstance(query, CountBy) and query.k > 1:
        return [np.bincount(vectors[0][vectors[0] >= 0], minlength=query.k)]
    return [math.fsum(vector) for vector in vectors]


# --- the same question, the same privacy ---------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "neighbours", "most"), CASES)
def test_a_script_asks_what_was_planned_and_proves_it(name, neighbours, most, table, file):
    code, names, kept = script(name, neighbours, most, table)
    planned, rows, seen = code.planned, len(kept), []
    with_noise = names["with_noise"]
    names["with_noise"] = lambda exact, epsilon: seen.append(exact) or with_noise(exact, epsilon)
    vectors, mechanisms = vectors_of(names, file), names["measurements"](rows)

    said = names["published"](exact_parts(planned.query, vectors), rows)
    assert [value for _, value in said] == pytest.approx(exact(planned.query, table, most), rel=1e-9)

    for part, measured, mechanism in zip(planned.parts, seen, mechanisms, strict=True):
        moves = part.part.sensitivity * (rows if part.part.name == "mean" else 1)
        assert measured.map(names["ONE_PERSON"]) * unit(part, names) == pytest.approx(moves, rel=1e-9)
        assert 0.99 * part.epsilon <= mechanism.map(names["ONE_PERSON"]) <= part.epsilon
    assert math.fsum(mechanism.map(names["ONE_PERSON"]) for mechanism in mechanisms) <= planned.epsilon
    assert names["ONE_PERSON"] == (part.part.sensitivity if isinstance(planned.query, PersonCounts) else most)


# --- the planned spread --------------------------------------------------------------------------------------------


def many(mechanism, vector, k):
    """Return as many releases as draw noise 10,000 times, 500 in one call."""
    batch = dp.c.make_composition([mechanism] * AT_ONCE)
    found = np.array([batch(vector) for _ in range(math.ceil(DRAWS / k / AT_ONCE))], dtype=float)
    return found.reshape(-1, k)


def laplace_law(scale, *, whole):
    """Return the distribution function of the noise and the logarithm of the moments of its size."""
    if not whole:
        return stats.laplace(scale=scale).cdf, lambda t: -np.log1p(-scale * t)
    p = math.exp(-1 / scale)
    law = stats.dlaplace(1 / scale)
    return law.cdf, lambda t: np.log((1 - p) / (1 + p) * (1 + 2 * p * np.exp(t) / (1 - p * np.exp(t))))


def mean_size_limits(log_moments, scale, draws):
    """Chernoff's bounds on the mean size of independent noise; every t makes one, the best of a grid is taken."""
    t, allowed = np.geomspace(1e-4, 0.5, 400) / scale, math.log(1 / FALSE_ALARM) / draws
    return np.max((log_moments(-t) + allowed) / -t), np.min((log_moments(t) + allowed) / t)


# A mean has another script for each kind of neighbours. Sums and counts have another scale alone, which OpenDP's own map
# has confirmed above for both: here they take turns.
TURNS = [
    (name, kind)
    for place, (name, query) in enumerate(SPREAD.items())
    for kind in (Neighbours if isinstance(query, Mean) else [list(Neighbours)[place // 2 % 2]])
]


@pytest.mark.parametrize(("name", "neighbours"), TURNS)
def test_ten_thousand_draws_have_the_planned_spread(name, neighbours, table, file):
    most = 1 + 2 * ((list(SPREAD).index(name) + list(Neighbours).index(neighbours)) % 2)
    code, names, kept = script(name, neighbours, most, table)
    planned, rows = code.planned, len(kept)
    vectors, mechanisms = vectors_of(names, file), names["measurements"](rows)
    outcomes = [many(*each, part.part.k) for *each, part in zip(mechanisms, vectors, planned.parts, strict=True)]
    parts = exact_parts(planned.query, vectors)

    for part, outcome, without in zip(planned.parts, outcomes, parts, strict=True):
        noise = np.sort((outcome - without).ravel()) * unit(part, names)
        assert DRAWS <= noise.size <= 1.1 * DRAWS
        scale = part.error.scale * (rows if part.part.name == "mean" else 1)
        cdf, log_moments = laplace_law(scale, whole=part.part.whole)
        low, high = mean_size_limits(log_moments, scale, noise.size)
        assert low <= np.abs(noise).mean() <= high
        expected = 1 / math.sinh(1 / scale) if part.part.whole else scale
        assert low > 0.9 * expected  # the test would notice a tenth
        assert high < 1.1 * expected
        if part.part.whole:
            assert expected < scale  # never worse than planned
        # Dvoretzky, Kiefer, Wolfowitz and Massart: at every point, for every law
        points = np.unique(noise)
        observed = np.searchsorted(noise, points, side="right") / noise.size
        assert np.abs(observed - cdf(points)).max() <= math.sqrt(math.log(2 / FALSE_ALARM) / (2 * noise.size))

    if planned.is_pair:
        answer = planned.query.answer(kept)
        error = planned.quotient_error(size=answer.size, mean=float(answer.exact[0]))
        means = [names["published"]([a[0], b[0]], rows)[0][1] for a, b in zip(*outcomes, strict=True)]
        outside = np.count_nonzero(np.abs(np.array(means) - answer.exact[0]) > error.range95)
        assert outside <= stats.binom(DRAWS, 0.05).isf(FALSE_ALARM)
        assert planned.query.lower <= min(means) <= max(means) <= planned.query.upper


@pytest.mark.parametrize("factor", [0.9, 1.1])
@pytest.mark.parametrize("whole", [True, False])
def test_the_spread_test_notices_a_tenth(factor, whole):
    _, log_moments = laplace_law(4.0, whole=whole)
    low, high = mean_size_limits(log_moments, 4.0, DRAWS)
    wrong = 1 / math.sinh(1 / (4.0 * factor)) if whole else 4.0 * factor
    assert not low <= wrong <= high


# --- as the user runs it -------------------------------------------------------------------------------------------


def test_a_script_runs_by_itself(table, tmp_path):
    code, _, _ = script("counts with the others", Neighbours.ADD_OR_REMOVE, 3, table)
    (tmp_path / "release.py").write_text(code.text, encoding="utf-8")
    data = tmp_path / "table.csv"
    table.to_csv(data, index=False)
    run = subprocess.run(
        [sys.executable, "-I", "release.py", data.name], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    assert_proves_and_publishes(run.stdout.splitlines(), code.planned.parts, ["1", "2", repr(OTHER)])


def assert_proves_and_publishes(lines, parts, names):
    for line, part in zip(lines, parts, strict=False):
        proven, planned = (float(text) for text in line.removeprefix("proven epsilon ")[:-1].split(" (planned "))
        assert 0.99 * planned <= proven <= planned == part.epsilon
    place, *published = lines[len(parts) :]
    assert place.startswith("run 1 of 2 by the ledger ")
    assert [line.split("\t")[0] for line in published] == names


@pytest.mark.parametrize("name", QUERIES)
def test_parquet_and_csv_give_the_same(name, table, file, tmp_path):
    table.to_parquet(tmp_path / "table.parquet")
    _, names, _ = script(name, Neighbours.ADD_OR_REMOVE, 1, table)
    found = [vectors_of(names, each) for each in (file, tmp_path / "table.parquet")]
    for one, other in zip(*found, strict=True):
        np.testing.assert_array_equal(one, other)


def test_main_takes_the_file_from_the_command_line(tmp_path, monkeypatch, capsys, table):
    code, names, _ = script("mean with a condition", Neighbours.ADD_OR_REMOVE, 3, table)
    table.to_parquet(tmp_path / "table.parquet")
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "script.py"), str(tmp_path / "table.parquet")])
    names["main"]()
    assert_proves_and_publishes(capsys.readouterr().out.splitlines(), code.planned.parts, ["'mean'"])


def test_main_stops_before_measuring_if_less_private_than_planned(file, monkeypatch, table):
    _, names, _ = script("count", Neighbours.REPLACE_ONE, 1, table)
    monkeypatch.setattr(sys, "argv", ["script.py", str(file)])
    names["EPSILONS"][0] = 0.6
    names["published"] = None
    with pytest.raises(SystemExit, match="less private than planned"):
        names["main"]()


@pytest.mark.parametrize("epsilon", [1e-8, 0.1, 0.3, 1 / 3, 700.0])
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize(
    "query", [Count(ADULT), Sum("income", -1e12, 1e12), Sum("income", -1e-3, 0.1), Sum("income", -1e-270, 0)]
)
def test_every_epsilon_is_met_from_below(epsilon, neighbours, query):
    scenario = Scenario(epsilon0=epsilon, neighbours=neighbours, rows_per_person=3)
    (mechanism,) = namespace(release_code(query, scenario).text)["measurements"](1000)
    assert 0.99 * epsilon <= mechanism.map(3) <= epsilon


# --- files that do not fit -----------------------------------------------------------------------------------------


def run_on(text, tmp_path, query=None, **options):
    data = tmp_path / "table.csv"
    data.write_text(text, encoding="utf-8")
    names = namespace(release_code(query or Sum("v", 0, 10), Scenario(), **options).text)
    table = names["read"](str(data))
    found = names["prepare"](names["cap"](table) if "cap" in names else table)[0]
    return (found * names.get("STEP", 1)).tolist()


def test_values_are_clamped_and_missing_ones_are_0(tmp_path):
    assert run_on("v,w\n1,a\n,b\n99,c\n-4,d\ninf,e\n2.5,f\n", tmp_path) == [1.0, 0.0, 10.0, 0.0, 10.0, 2.5]
    assert run_on("\ufeffv\n1\n", tmp_path) == [1.0]


def test_separator_and_encoding_are_the_users(tmp_path):
    (tmp_path / "t.csv").write_bytes("Höhe;w\n1,5;2\n7;3\n".encode("utf-16"))
    code = release_code(Count(Condition("Höhe", "==", "7")), Scenario(), csv=FileFormat(";", "utf-16"))
    names = namespace(code.text)
    assert names["prepare"](names["read"](str(tmp_path / "t.csv")))[0].tolist() == [0, 1]


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("w\n1\n", {}, "0 columns named 'v'"),
        ("v,v\n1,2\n", {}, "2 columns named 'v'"),
        ("v\n1\nsecret\n", {}, "row 2 below the heading, column 'v': a number is expected"),
        ("v\nTrue\nFalse\n", {}, "column 'v': a number is expected"),
        ("v,p\n1,a\n2,\n", {"person": "p"}, "row 2 below the heading, column 'p': it must say whose row it is"),
        ("v,p\n1,a\n2,a\n", {"person": "p", "over": "refuse"}, "a person has more rows"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(text, options, message, tmp_path):
    with pytest.raises(SystemExit, match=message) as caught:
        run_on(text, tmp_path, **options)
    assert "secret" not in str(caught.value)


def test_a_value_of_another_kind_is_refused(tmp_path):
    query = CountBy(("v",), ((True, False),))
    with pytest.raises(SystemExit, match="column 'v': another kind"):
        run_on("v\nTrue\nperhaps\n", tmp_path, query)
    assert run_on("v\nTrue\n\nFalse\n", tmp_path, query) == [0, -1, 1]  # in a single column an empty line is a value


def test_rows_over_the_limit_are_left_out_in_their_order(tmp_path):
    assert run_on("v,p\n1,a\n2,b\n3,a\n4,01\n5,1\n", tmp_path, person="p") == [1.0, 2.0, 4.0, 5.0]
    assert run_on("v,p\n1,a\n2,b\n", tmp_path, person="p", over="refuse") == [1.0, 2.0]


@pytest.mark.parametrize("rows", [1, 2, 4])
def test_a_mean_over_another_number_of_rows_is_refused(rows, tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text("v\n1\n2\n3\n")
    names = namespace(release_code(Mean("v", 0, 1), Scenario(rows_per_person=3), rows=rows).text)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "script.py"), str(tmp_path / "t.csv")])
    with pytest.raises(SystemExit, match="as many rows as planned"):
        names["main"]()


def test_more_rows_per_person_than_rows_cost_no_more_than_all():
    code = release_code(Mean("income", 0, 1), Scenario(epsilon0=0.5, rows_per_person=9), rows=4)
    names = namespace(code.text)
    assert names["ONE_PERSON"] == 4
    assert 0.499 < names["measurements"](4)[0].map(4) <= 0.5


def test_an_empty_table_of_public_size_is_refused():
    with pytest.raises(SystemExit, match="no rows"):
        namespace(release_code(Count(ADULT), Scenario()).text)["measurements"](0)


@pytest.mark.parametrize("text", ["v,w", "v,w\n", "v,w\r\n\r\n", "v,w\n,\n"])
@pytest.mark.parametrize(
    "query", [Count(Condition("v", ">=", 18)), Histogram("v", (0, 9)), Quantile("v", 0, 9, 1), SUMS, MEANS, SHARES]
)
def test_a_table_without_rows_is_published_like_any_other_where_rows_are_added_or_removed(
    query, text, tmp_path, monkeypatch
):
    """That the last person has gone is private: to stop there would tell it."""
    (tmp_path / "t.csv").write_bytes(text.encode())
    names = namespace(release_code(query, Scenario(neighbours=Neighbours.ADD_OR_REMOVE)).text)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "script.py"), str(tmp_path / "t.csv")])
    names["main"]()
    assert (tmp_path / "t_release_1.csv").exists()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_of_separators_are_no_rows_wherever_the_next_person_stands(end, tmp_path):
    """Counted only where a row follows them, they would let one person move this sum by ten, and not by five."""
    names = namespace(release_code(Sum("x", 2, 5), Scenario(neighbours=Neighbours.ADD_OR_REMOVE)).text)
    lines = ["x,w", "3,a", ",", ",", " , ", ","]
    for person in ([], ["5,b"]):
        (tmp_path / "t.csv").write_bytes(end.join([*lines, *person, ""]).encode())
        rows = 1 + len(person)
        assert len(names["read"](str(tmp_path / "t.csv"))) == rows
        assert read_table("t.csv", (tmp_path / "t.csv").read_bytes()).rows == rows


@pytest.mark.parametrize("one_more", ["", '"\x1f"\n', '"c;d"\n'])
def test_a_cell_that_holds_a_separator_brings_no_other_row_and_takes_none(one_more, tmp_path):
    names = namespace(release_code(Count(Condition("x", "!=", "b")), Scenario(), csv=FileFormat("\x1f")).text)
    (tmp_path / "t.csv").write_text("x\na\n  \n  \nb\n" + one_more)
    assert len(names["read"](str(tmp_path / "t.csv"))) == 4 + bool(one_more)
    assert read_table("t.csv", (tmp_path / "t.csv").read_bytes()).rows == 4 + bool(one_more)


# --- what a script may hold ----------------------------------------------------------------------------------------

NASTY = [
    "'",
    '"',
    '"""',
    "'''\nraise SystemExit('hacked')\n'''",
    '"; raise SystemExit("hacked"); "',
    "a\nb\r\nc\x00\x0b\x0c\x1c\x85\u2028\u2029",
    "{0} {text} {{ }} %s %(x)s $x \\N{DASH} \\",
    "\\",
    "Köln · 東京 · 🙂 · \u202edaer\u202c",
    "\ud800",
    "=cmd()",
    "# \\\n__import__('os')",
    "{requirements}{does}",
    "",
]


class Liar(str):
    __slots__ = ()

    def __repr__(self):
        return "__import__('os').abort()"


def structure(text):
    """Return a script as a tree with every string of the constants at its top taken out."""
    tree = ast.parse(text)
    for node in tree.body:
        if isinstance(node, ast.Assign):
            for inner in ast.walk(node):
                if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
                    inner.value = ""
    return ast.dump(tree)


def scripts_with(text, scenario):
    """Return scripts that hold a text wherever a user may type one."""
    where = Condition("w" + text, "in", (text, "b"))
    queries = [
        Count(Condition(text, "==", text), where=where),
        CountBy((text, "c" + text), ((text, "d"), (text, "e" + text)), other=True, where=where),
        Sum(text, 0, 1, where=where),
        Mean(text, 0, 1, where=where),
    ]
    return [release_code(query, scenario, file=text, person="p" + text) for query in queries]


@cache
def harmless_scripts(neighbours):
    scripts = scripts_with("x", Scenario(neighbours=neighbours))
    return [(structure(code.text), len(code.text.splitlines())) for code in scripts]


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("text", [*NASTY, Liar("liar")], ids=range(len(NASTY) + 1))
def test_what_a_user_types_cannot_become_code(text, neighbours):
    scenario = Scenario(neighbours=neighbours)
    scripts = scripts_with(text, scenario)
    for code, harmless in zip(scripts, harmless_scripts(neighbours), strict=True):
        assert (structure(code.text), len(code.text.splitlines())) == harmless
        code.text.encode()  # a lone surrogate is written as an escape
        names = namespace(code.text)
        assert names["FILE"] == text
        assert names["PERSON"] == "p" + text
        assert names["WHERE_COLUMN"] == "w" + text
        assert names["WHERE_VALUE"] == [text, "b"]
    names = namespace(scripts[1].text)
    assert names["LABELS"][0] == (text, text)
    assert names["CELLS"] == 9


def test_a_script_with_nasty_names_runs(tmp_path, monkeypatch, capsys):
    name, value = "a\"b'{x}\n=cmd()", "\"'; 🙂\n{y}"
    data = tmp_path / "t.csv"
    pd.DataFrame({name: [value, "b", value]}).to_csv(data, index=False)
    names = namespace(release_code(CountBy((name,), ((value, "b"),)), Scenario(epsilon0=700)).text)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "script.py"), str(data)])
    names["main"]()
    assert capsys.readouterr().out.splitlines()[2:] == [f"{value!r}\t2", "'b'\t1"]
    with open(tmp_path / "t_release_1.csv", newline="", encoding="utf-8-sig") as results:
        assert list(csv.reader(results)) == [[name, "published"], [value, "2"], ["b", "1"]]


def test_the_results_hold_no_formula_and_a_column_for_each_of_the_query(tmp_path, monkeypatch):
    data = tmp_path / "t.csv"
    data.write_text("＝a,b\n＝cmd(),1\n-x,2\n", encoding="utf-8")
    query = CountBy(("＝a", "b"), (("＝cmd()", "-x"), (1, 2)))
    names = namespace(release_code(query, Scenario(epsilon0=700)).text)
    monkeypatch.setattr(sys, "argv", [str(tmp_path / "script.py"), str(data)])
    names["main"]()
    with open(tmp_path / "t_release_1.csv", newline="", encoding="utf-8-sig") as results:
        found = list(csv.reader(results))
    assert found[0] == ["'＝a", "b", "published"]
    assert found[1:] == [["'＝cmd()", "1", "1"], ["'＝cmd()", "2", "0"], ["'-x", "1", "0"], ["'-x", "2", "1"]]


@pytest.mark.parametrize(("name", "neighbours", "most"), CASES)
def test_scripts_are_tidy(name, neighbours, most, table):
    code, _, _ = script(name, neighbours, most, table)
    assert_tidy(code.text)


# --- the result ----------------------------------------------------------------------------------------------------


def test_a_result_says_what_it_is():
    code = release_code(Mean("secret", 0, 1), Scenario(neighbours=Neighbours.ADD_OR_REMOVE))
    assert isinstance(code, ReleaseCode)
    assert code.evidence.basis is PROVEN
    assert OPENDP in code.source
    assert OPENDP in code.requirements
    assert "secret" in code.text
    assert "secret" not in repr(code)
    assert any("discrete" in note for note in code.notes)
    assert not [note for note in code.notes if "secret" in note]
    assert f'FILE = "{PLACEHOLDER}"' in code.text


def test_the_pinned_version_is_the_one_that_is_tested():
    from importlib.metadata import version

    assert f"opendp=={version('opendp')}" == OPENDP


def test_the_pinned_version_draws_from_discrete_laplace():
    p = math.exp(-0.5)
    assert stats.dlaplace(0.5).pmf(0) == pytest.approx((1 - p) / (1 + p))


def test_a_plan_and_its_scenario_give_the_same_script():
    query, scenario = Mean("v", 0, 1), Scenario()
    planned = plan_release_of(query, scenario, rows=10)
    assert planned_code(planned, rows=10, releases=2).text == release_code(query, scenario, rows=10).text


def test_weights_share_epsilon():
    query, scenario = Mean("v", 0, 1), Scenario(epsilon0=0.3, neighbours=Neighbours.ADD_OR_REMOVE)
    names = namespace(release_code(query, scenario, weights=(2, 1)).text)
    assert names["EPSILONS"] == pytest.approx([0.2, 0.1])
    assert sum(mechanism.map(1) for mechanism in names["measurements"](10)) <= 0.3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"file": 3}, "^file must be a str"),
        ({"csv": ","}, "^csv must be a FileFormat"),
        ({"person": 3}, "^person must be the name of a column"),
        ({"over": "drop"}, "^over must be truncate or refuse"),
        ({"rows": None}, "^rows must be given"),
        ({"query": Sum("v", 0, 1e-300)}, "^upper must be above lower by 1e-280"),
        ({"query": Count(Condition("v", ">", 1), where=Condition("v", "==", "a"))}, "^column 'v' cannot hold both"),
    ],
)
def test_what_cannot_be_written_is_refused(change, message):
    options = {"query": Mean("v", 0, 1), "rows": 10} | change
    with pytest.raises(ParameterError, match=message):
        release_code(options.pop("query"), Scenario(), **options)


@pytest.mark.parametrize(
    ("format_of_file", "message"),
    [
        ({"separator": "||"}, "^separator must be one character"),
        ({"separator": "\n"}, "^separator must be one character"),
        ({"encoding": "utf-9"}, "^encoding must be one that Python knows"),
        ({"encoding": None}, "^encoding must be one that Python knows"),
        ({"decimal": ";"}, "^decimal must be"),
        ({"decimal": ","}, "^decimal must be .* not the separator"),
        ({"missing": "NA"}, "^missing must be a tuple of texts"),
    ],
)
def test_a_format_that_no_file_has_is_refused(format_of_file, message):
    with pytest.raises(ParameterError, match=message):
        FileFormat(**format_of_file)


def test_a_plan_with_another_number_of_rows_is_refused():
    planned = plan_release_of(Mean("v", 0, 1), replace(Scenario(), rows_per_person=2), rows=10)
    with pytest.raises(ParameterError, match="^rows must be the number that the mean was planned with"):
        planned_code(planned, rows=11)
