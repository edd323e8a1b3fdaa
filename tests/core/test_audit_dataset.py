"""An audit of a Parquet data set finds what the audit in memory finds, however the data lie and whoever is killed on the way."""

import datetime
import errno
import hashlib
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from unittest.mock import Mock

import duckdb
import numpy as np
import pandas as pd
import psutil
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from distributed import Client, LocalCluster

from par_core.audit import Panel, audit, intervals, queries
from par_core.cli import par
from par_core.errors import DataError, ParameterError
from par_core.progress import Cancelled
from par_distributed import audit_dataset, auditing, blocks, results_folder, sorting
from par_distributed.dataset import open_dataset, read

LEVELS = [0.02, 0.3, 2.0]
COLUMNS = {"individual": "who", "database": "year", "value": "amount"}
QUERIES = [queries.PanelSum(), queries.PanelCount(), queries.PanelMean(), queries.ShareAbove(40.0)]


@pytest.fixture(scope="module")
def cluster():
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=False, dashboard_address=":0") as own,
        Client(own, set_as_default=False) as client,
    ):
        yield client


@pytest.fixture
def small_blocks(monkeypatch):
    monkeypatch.setattr(auditing, "SIZE", 64)


def wide_table(individuals=1000, databases=9, seed=1):
    rng = np.random.default_rng(seed)
    values = rng.gamma(2.0, 30.0, size=(individuals, databases))
    values[rng.random(values.shape) < 0.1] = np.nan
    values[5] *= 1e14  # beside whom the others lose their digits
    values[7, -1] = 40.0  # is not above 40
    table = pd.DataFrame(values, columns=[f"in {1990 + j}" for j in range(databases)])
    table.insert(0, "who", rng.permutation(individuals) * 3)
    return table


def long_table(table, *, twice=0):
    records = table.melt(id_vars="who", var_name="year", value_name="amount")
    again = records.iloc[:twice]
    records = pd.concat([records, again.assign(amount=again["amount"] / 3 + 0.1)])
    return records.sample(frac=1.0, random_state=2)


def individuals_of(folder):
    return pd.concat([pd.read_parquet(each) for each in sorted((folder / "individuals").glob("*.parquet"))])


def digests(folder):
    return {
        str(each.relative_to(folder)): hashlib.sha256(each.read_bytes()).hexdigest()
        for each in sorted(folder.rglob("*"))
        if each.is_file()
    }


def assert_same(found, folder, panel, query):
    expected = audit(panel, query, epsilons=LEVELS)
    near = {"rtol": 1e-12, "atol": 0.0}
    np.testing.assert_allclose(found.answers, expected.answers, **near)
    np.testing.assert_allclose(found.delta, expected.delta, rtol=1e-12, atol=1e-14)
    np.testing.assert_allclose(found.total, expected.total, rtol=1e-12, atol=1e-14)
    ends = [intervals(expected, level).delta for level in LEVELS]
    np.testing.assert_allclose(np.stack([found.lower, found.upper], axis=1), ends, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(found.exposed, expected.exposed)
    assert found.loss == pytest.approx(expected.losses.max(), rel=1e-12)
    assert found.independent.words == expected.independent.words
    of_each = individuals_of(folder).set_index("individual").loc[list(expected.individuals)]
    np.testing.assert_allclose(of_each["loss"], expected.losses, rtol=1e-12, atol=1e-15)
    np.testing.assert_array_equal(of_each["databases"], expected.present)
    for level in LEVELS:
        np.testing.assert_allclose(of_each[f"delta_{level!r}"], expected.at(level).deltas, rtol=1e-12, atol=1e-14)
    return expected


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("query", QUERIES, ids=repr)
def test_what_is_found_is_that_of_the_audit_in_memory(tmp_path, cluster, query):
    table = wide_table()
    table.to_parquet(tmp_path / "wide.parquet", row_group_size=150, index=False)
    found = audit_dataset(
        tmp_path / "wide.parquet", query, epsilons=LEVELS, folder=tmp_path / "out", individual="who", cluster=cluster
    )
    expected = assert_same(found, tmp_path / "out", Panel.from_wide(table, individual="who"), query)
    assert found.comparable.words == expected.comparable.words
    top = found.ranking(most=3)
    assert list(top["individual"]) == list(expected.individuals[expected.order[:3]])


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("query", QUERIES, ids=repr)
@pytest.mark.parametrize("twice", [0, 700])
def test_long_tables_are_sorted_first_and_may_hold_several_records(tmp_path, cluster, query, twice):
    table = long_table(wide_table(300), twice=twice)
    path = tmp_path / "it's [long]*.parquet"
    table.to_parquet(path, row_group_size=400, index=False)
    found = audit_dataset(path, query, epsilons=LEVELS, folder=tmp_path / "out", cluster=cluster, **COLUMNS)
    assert_same(found, tmp_path / "out", Panel.from_long(table, **COLUMNS), query)
    assert not (tmp_path / "out" / "sorted.parquet").exists(), "a copy of the data is left behind"


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("label", [str, lambda name: int(name[-4:]), lambda name: datetime.date(int(name[-4:]), 1, 1)])
def test_a_finished_audit_of_a_long_table_sorts_nothing_again(tmp_path, cluster, monkeypatch, label):
    table = long_table(wide_table(300))
    table["year"] = table["year"].map(label)
    table.to_parquet(tmp_path / "long.parquet", index=False)

    def ask():
        given = {"epsilons": LEVELS, "folder": tmp_path / "out", "cluster": cluster}
        return audit_dataset(tmp_path / "long.parquet", queries.PanelSum(), **given, **COLUMNS)

    first, before = ask(), digests(tmp_path / "out")
    with monkeypatch.context() as patched:
        patched.setattr(sorting, "sort_long", None)
        again = ask()
    assert list(again.databases) == list(first.databases)
    assert (again.individuals, again.loss) == (first.individuals, first.loss)
    np.testing.assert_array_equal(again.total, first.total)
    assert digests(tmp_path / "out") == before
    (tmp_path / "out" / "individuals" / "0000002.parquet").unlink()
    np.testing.assert_array_equal(ask().total, first.total)
    assert digests(tmp_path / "out") == before


@pytest.mark.parametrize("cores", [1, 3, 16, 200])
@pytest.mark.parametrize("rows", [6400, 3000, 640, 50])
def test_no_task_is_more_than_the_share_of_a_core_and_small_row_groups_are_read_once(tmp_path, rows, cores):
    pd.DataFrame({"a": np.zeros(6400)}).to_parquet(tmp_path / "wide.parquet", row_group_size=rows, index=False)
    data, edges = open_dataset(tmp_path / "wide.parquet"), [*range(0, 6400, 64), 6400]
    spans = auditing._spans(data, edges, cores)
    assert [number for span in spans for number in span.numbers()] == list(range(100))
    assert [row for span in spans for row in span.edges[:-1]] == edges[:-1]
    for span in spans:
        assert span.groups == data.within(span.edges[0], span.edges[-1])
    share = max(4, math.ceil(100 / cores))
    assert max(len(span.numbers()) for span in spans) <= share
    if rows <= 64 * share:
        assert len(spans) <= len(data.groups)


def test_records_of_one_person_that_cancel_leave_their_digits(tmp_path, cluster):
    """Each value stands between two that are 1e16 times as large: its digits are in the lower part of the sum."""
    table = long_table(wide_table(40).drop(index=5).dropna())
    table = pd.concat([table.assign(amount=1e17), table, table.assign(amount=-1e17)])
    table.to_parquet(tmp_path / "long.parquet", index=False)
    query = queries.PanelSum()
    given = {"epsilons": LEVELS, "folder": tmp_path / "out", "cluster": cluster}
    found = audit_dataset(tmp_path / "long.parquet", query, **given, **COLUMNS)
    assert_same(found, tmp_path / "out", Panel.from_long(table, **COLUMNS), query)


@pytest.mark.usefixtures("small_blocks")
def test_chunks_and_workers_change_no_byte(tmp_path, cluster):
    table, query = wide_table(), queries.PanelMean()
    folder = tmp_path / "parts"
    folder.mkdir()
    for number, start in enumerate([0, 1, 130, 131, 700]):
        part = table.iloc[start : [1, 130, 131, 700, 1000][number]]
        part.to_parquet(folder / f"part{number}.parquet", row_group_size=37, index=False)
    table.to_parquet(tmp_path / "one.parquet", index=False)
    with LocalCluster(n_workers=1, threads_per_worker=3, processes=False, dashboard_address=":0") as other:
        for path, out, where in ((tmp_path / "one.parquet", "a", cluster), (folder, "b", other.scheduler_address)):
            audit_dataset(path, query, epsilons=LEVELS, folder=tmp_path / out, individual="who", cluster=where)
    first, second = digests(tmp_path / "a"), digests(tmp_path / "b")
    assert first.pop("plan.json") != second.pop("plan.json"), "other files are other data"
    assert first == second


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize(("gate", "code"), [(0.999, 0), (0.01, 3)])
def test_the_command_line_tells_the_same(tmp_path, cluster, monkeypatch, gate, code):
    monkeypatch.setattr("par_core.cli.audit_dataset.amount", lambda value, *_: repr(value))
    table = wide_table()
    table.to_parquet(tmp_path / "wide.parquet", index=False)
    options = f"--epsilon 0.3 --epsilon 400 --query sum --independent --gate {gate}"
    words = f"audit {tmp_path / 'wide.parquet'} --individual who {options}"
    where = ["--cluster", cluster.scheduler.address, "--folder", str(tmp_path / "out"), "--format", "json"]
    found = CliRunner().invoke(par, [*words.split(), *where])
    assert found.exit_code == code, found.stderr
    expected = audit(Panel.from_wide(table, individual="who"), queries.PanelSum(), epsilons=[0.3])
    assert f"the largest δ is {float(expected.delta[0])!r}" in found.stdout
    told = {each["name"]: each["value"] for each in json.loads(found.stdout)["results"]}
    in_memory = CliRunner().invoke(par, [*words.split(), "--format", "json"])
    for row, beside in zip(*(json.loads(each.stdout)["results"] for each in (found, in_memory)), strict=True):
        assert (row["name"].replace(".0", ""), row["standing"]) == (beside["name"], beside["standing"])
        assert row["value"] == pytest.approx(beside["value"], rel=1e-3)
    assert told["individuals exposed at ε = 0.3"] == expected.exposed[0]
    assert told["nobody exposed from ε"] == pytest.approx(expected.losses.max(), rel=1e-3)


@pytest.mark.usefixtures("small_blocks")
def test_what_was_stopped_goes_on_and_tells_its_progress(tmp_path, cluster):
    wide_table().to_parquet(tmp_path / "wide.parquet", row_group_size=64, index=False)
    told = []

    def ask(folder, **more):
        return audit_dataset(
            tmp_path / "wide.parquet",
            queries.PanelSum(),
            epsilons=LEVELS,
            folder=tmp_path / folder,
            individual="who",
            cluster=cluster,
            **more,
        )

    def stop(share):
        told.append(share)
        if share > 0.5:
            raise Cancelled

    with pytest.raises(Cancelled):
        ask("stopped", progress=stop)
    assert not (tmp_path / "stopped" / "result.json").exists()
    kept = {each.name: each.stat().st_mtime_ns for each in (tmp_path / "stopped" / "sums").iterdir()}
    left = tmp_path / "stopped" / "individuals" / ".0000003.parquet.half"
    left.write_bytes(b"half")
    ask("stopped", progress=told.append)
    ask("whole")
    assert digests(tmp_path / "stopped") == digests(tmp_path / "whole"), "half a file is left, or another result"
    assert {each.name: each.stat().st_mtime_ns for each in (tmp_path / "stopped" / "sums").iterdir()} == kept
    second = told[told.index(max(told[: told.index(1.0)])) :]
    assert told[-1] == 1.0
    assert second == sorted(second)


def test_losses_beyond_all_levels_a_given_bandwidth_and_what_is_published_of_nobody(tmp_path, cluster):
    """A database of one person, and a bandwidth that is far too small for how far that person moves the answers."""
    table = wide_table(300)
    table["in 1992"] = np.where(table.index == 3, 1.0, np.nan)
    table.to_parquet(tmp_path / "wide.parquet", index=False)
    query = queries.ShareAbove(40.0, when_empty=0.25)
    given = {"epsilons": [0.0, 500.0], "bandwidth": 1e-3}
    found = audit_dataset(
        tmp_path / "wide.parquet", query, folder=tmp_path / "out", individual="who", cluster=cluster, **given
    )
    expected = audit(Panel.from_wide(table, individual="who"), query, **given)
    assert expected.delta[0] > 0.25
    assert found.loss == pytest.approx(expected.losses.max(), rel=1e-12)
    np.testing.assert_allclose(found.delta, expected.delta, rtol=1e-12)
    np.testing.assert_allclose(found.total, expected.total, rtol=1e-12)
    query = queries.PanelSum()
    found = audit_dataset(
        tmp_path / "wide.parquet", query, folder=tmp_path / "sum", individual="who", cluster=cluster, **given
    )
    expected = audit(Panel.from_wide(table, individual="who"), query, **given)
    assert expected.losses.max() > 500
    np.testing.assert_allclose(individuals_of(tmp_path / "sum")["loss"], expected.losses, rtol=1e-12)


@pytest.mark.usefixtures("small_blocks")
def test_the_checks_look_at_a_sample_of_the_individuals(tmp_path, cluster, monkeypatch):
    """Whoever is seldom there has large values: that is seen in a sample too, and a database of nobody in it plays no part."""
    monkeypatch.setattr(auditing, "_CHECKED", 300)
    table = wide_table(1000)
    seldom = np.arange(1000) % 2 == 0  # a sample of every second one would see nothing
    table.loc[seldom, table.columns[1:5]] = np.nan
    table.loc[seldom, table.columns[5:]] += 1e4
    table["in 1997"] = np.where(np.isin(table.index, [1, 2]), 1.0, np.nan)
    table.to_parquet(tmp_path / "wide.parquet", index=False)
    found = audit_dataset(
        tmp_path / "wide.parquet",
        queries.PanelMean(),
        epsilons=LEVELS,
        folder=tmp_path / "out",
        individual="who",
        cluster=cluster,
    )
    assert found.comparable.failed
    assert 100 < found.comparable.checks[0].size < 500


def test_a_sorted_column_is_cut_at_its_labels_whatever_is_read_at_once(tmp_path, monkeypatch):
    monkeypatch.setattr(sorting, "_GROUP", 7)
    whose = np.repeat(np.arange(50), np.random.default_rng(1).integers(1, 6, size=50))
    pd.DataFrame({"who": whose}).to_parquet(tmp_path / "sorted.parquet", row_group_size=11, index=False)
    edges, people = sorting.edges_of(open_dataset(tmp_path / "sorted.parquet"), "who", 8)
    assert people == 50
    assert edges == [*(int(np.searchsorted(whose, label)) for label in range(0, 50, 8)), len(whose)]


def test_a_folder_holds_one_audit(tmp_path, cluster):
    path, folder = tmp_path / "wide.parquet", tmp_path / "out"
    wide_table(50).to_parquet(path, index=False)
    given = {"folder": folder, "individual": "who", "cluster": cluster}
    audit_dataset(path, queries.PanelSum(), epsilons=[0.1], **given)
    assert not folder.stat().st_mode & 0o077, "it names everybody"
    with pytest.raises(DataError, match="another audit"):
        audit_dataset(path, queries.PanelSum(), epsilons=[0.2], **given)
    with pytest.raises(DataError, match="another audit"):
        audit_dataset(path, queries.PanelSum(), epsilons=[0.1], bandwidth=2.0, **given)
    wide_table(50, seed=2).to_parquet(path, index=False)
    with pytest.raises(DataError, match="another audit"):
        audit_dataset(path, queries.PanelSum(), epsilons=[0.1], **given)
    with pytest.raises(DataError, match="not empty"):
        audit_dataset(path, queries.PanelSum(), epsilons=[0.1], **{**given, "folder": tmp_path})


def test_a_folder_is_cleared_mended_and_held_by_one_run(tmp_path, cluster, monkeypatch):
    monkeypatch.setattr("par_distributed.running._START", 1)  # seconds to wait for a scheduler that is not there
    path, folder = tmp_path / "wide.parquet", tmp_path / "out"
    wide_table(50).to_parquet(path, index=False)

    def ask(where=cluster):
        return audit_dataset(path, queries.PanelSum(), epsilons=[0.1], folder=folder, individual="who", cluster=where)

    with pytest.raises(ParameterError, match="no scheduler"):
        ask("tcp://127.0.0.1:9")
    (folder / "sums").mkdir(parents=True)  # as a run leaves it that was killed at once, with a plan of other levels
    (folder / "plan.json").write_text("{}")
    (folder / ".sorted.half").write_bytes(b"private")
    (folder / ".duckdb.half").mkdir()
    ask()
    assert not [each for each in folder.iterdir() if each.name.startswith(".")]
    with results_folder.claimed(folder, (folder / "plan.json").read_text()), pytest.raises(DataError, match="at work"):
        ask()
    for part, name in (("sums", "0000000.npz"), ("individuals", "0000000.parquet")):
        (folder / part / name).write_bytes(b"damaged")
        with pytest.raises(DataError, match=f"{part}/{name} is damaged: delete it"):
            ask()
        (folder / part / name).unlink()
        assert ask().individuals == 50
    with pytest.raises(ParameterError, match="within the data"):
        audit_dataset(tmp_path, queries.PanelSum(), epsilons=[0.1], folder=folder, individual="who", cluster=cluster)


def test_without_dask_the_extra_is_named_that_brings_it(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "dask", None)
    wide_table(20).to_parquet(tmp_path / "wide.parquet", index=False)
    with pytest.raises(ParameterError, match=re.escape("pip install '.[distributed]'")):
        audit_dataset(tmp_path / "wide.parquet", queries.PanelSum(), epsilons=[0.1], folder=tmp_path / "out")


def test_what_lies_in_a_folder(tmp_path, cluster):
    data, table = tmp_path / "year=5", wide_table(200)
    (data / "who=3").mkdir(parents=True)
    (data / "_temporary").mkdir()
    table.iloc[:120].to_parquet(data / "a.PARQUET", index=False)
    table.iloc[120:].to_parquet(tmp_path / "rest.parquet", index=False)
    (data / "who=3" / "b.pq").symlink_to(tmp_path / "rest.parquet")
    table.to_parquet(data / "_temporary" / "c.parquet", index=False)

    def ask(folder="out"):
        return audit_dataset(
            data, queries.PanelMean(), epsilons=LEVELS, folder=tmp_path / folder, individual="who", cluster=cluster
        )

    assert ask().individuals == 200
    long = tmp_path / "amount=5"
    long.mkdir()
    long_table(table).to_parquet(long / "long.parquet", index=False)
    found = audit_dataset(
        long, queries.PanelMean(), epsilons=LEVELS, folder=tmp_path / "long", cluster=cluster, **COLUMNS
    )
    np.testing.assert_allclose(found.delta, ask().delta, rtol=1e-12)
    (data / "notes.txt").write_text("else")
    with pytest.raises(DataError, match=r"notes.txt in year=5 is no Parquet"):
        ask("other")
    (data / "notes.txt").unlink()
    table.astype({"in 1990": "float32"}).to_parquet(data / "z.parquet", index=False)
    with pytest.raises(DataError, match=r"z.parquet has other columns"):
        ask("other")


def test_the_index_of_a_table_is_no_database(tmp_path, cluster):
    table = wide_table(60).drop(columns="who")
    table[table["in 1990"] > 20].to_parquet(tmp_path / "some.parquet")
    assert "__index_level_0__" in pq.read_schema(tmp_path / "some.parquet").names
    found = audit_dataset(
        tmp_path / "some.parquet", queries.PanelMean(), epsilons=LEVELS, folder=tmp_path / "out", cluster=cluster
    )
    assert list(found.databases) == list(table.columns)


LONG_FAULTS = {
    "no individual": (lambda t: t.assign(who=t["who"].where(t.index != 9)), "'who': a label is missing"),
    "no database": (lambda t: t.assign(year=t["year"].where(t.index != 9)), "'year': a label is missing"),
    "too large": (
        lambda t: t.assign(amount=np.where(t.index == 9, -1e101, 1.0)),
        "'amount': a number that is infinite",
    ),
    "no numbers": (lambda t: t.assign(amount="1"), "'amount' holds no numbers"),
    "months": (lambda t: t.assign(year=t["year"].astype("category").cat.as_ordered()), "names the databases by dict"),
    "case": (lambda t: t.assign(Who=1), "'who' and 'Who' have one name"),
}


@pytest.mark.parametrize("fault", LONG_FAULTS)
def test_what_cannot_be_used_of_a_long_table_is_named(tmp_path, cluster, fault):
    change, words = LONG_FAULTS[fault]
    table = change(long_table(wide_table(30)))
    table.to_parquet(tmp_path / "long.parquet", index=False)
    given = {"epsilons": LEVELS, "folder": tmp_path / "out", "cluster": cluster}
    with pytest.raises(DataError, match=words):
        audit_dataset(tmp_path / "long.parquet", queries.PanelSum(), **given, **COLUMNS)


def with_value(column, row, value):
    table = wide_table(200)
    table[column] = table[column].astype(object)
    table.loc[row, column] = value
    return table.infer_objects()


def test_a_long_sort_can_be_stopped(tmp_path, cluster, monkeypatch):
    monkeypatch.setattr(sorting, "_LOOK", 0.0)
    long_table(wide_table(30_000, 12)).to_parquet(tmp_path / "long.parquet", index=False)

    def stop(share):
        assert share < 0.4, "it was sorted"
        raise Cancelled

    given = {"epsilons": LEVELS, "folder": tmp_path / "out", "cluster": cluster, "progress": stop}
    with pytest.raises(Cancelled):
        audit_dataset(tmp_path / "long.parquet", queries.PanelSum(), **given, **COLUMNS)
    assert [each.name for each in (tmp_path / "out").rglob("*") if each.is_file()] == ["plan.json"]


FAULTS = {
    "a label twice": (wide_table(200).assign(who=lambda t: t["who"].where(t.index != 9, 300)), "two rows"),
    "a label missing": (with_value("who", 70, None), r"row 71, column 'who'"),
    "a text missing": (
        wide_table(200).assign(who=lambda t: t["who"].astype(str).where(t.index != 70)),
        "row 71, column",
    ),
    "a label in two blocks": (wide_table(200).assign(who=np.arange(200) % 128), "two rows"),
    "a number too large": (with_value("in 1991", 130, 1e101), r"row 131, column 'in 1991'"),
    "no number": (wide_table(9).assign(**{"in 1990": "seven"}), "'in 1990' holds no numbers"),
    "one database": (wide_table(9, 1), "two to 2,000 databases, got 1"),
    "a database of nobody": (wide_table(9).assign(**{"in 1992": np.nan}), "no record in 1 of 9 databases: 'in 1992'"),
    "a database of one": (
        wide_table(9).assign(**{"in 1992": lambda t: np.where(t.index == 3, 1.0, np.nan)}),
        "in 1992 without one of its",
    ),
    "no row": (wide_table(9).iloc[:0], "no row"),
}


@pytest.mark.usefixtures("small_blocks")
@pytest.mark.parametrize("fault", FAULTS)
def test_what_cannot_be_used_is_named(tmp_path, cluster, fault):
    table, words = FAULTS[fault]
    table.to_parquet(tmp_path / "wide.parquet", index=False)
    with pytest.raises(DataError, match=words):
        audit_dataset(
            tmp_path / "wide.parquet",
            queries.PanelMean(),
            epsilons=LEVELS,
            folder=tmp_path / "out",
            individual="who",
            cluster=cluster,
        )


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"query": queries.PanelVariance()}, "PanelSum, PanelCount, PanelMean, ShareAbove"),
        ({"epsilons": [0.1] * 3 + [*range(100)]}, "1 to 100 levels, got 101"),
        ({"database": "year"}, "together"),
        ({"database": "year", "value": "year"}, "different columns"),
        ({"databases": []}, "at least one column, got none"),
        ({"bandwidth": 0}, "bandwidth must be above 0"),
        ({"cluster": "tcp://127.0.0.1:9"}, "no scheduler answers"),
        ({"cluster": 3}, "cluster must be"),
        ({"cluster": "here"}, "cluster must be"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_wrong_parameters_are_named(tmp_path, monkeypatch, given, words):
    monkeypatch.setattr("par_distributed.running._START", 1)
    wide_table(20).to_parquet(tmp_path / "data.parquet", index=False)
    given = {"query": queries.PanelSum(), "epsilons": [1.0], "individual": "who", "folder": tmp_path / "o"} | given
    with pytest.raises(ParameterError, match=words):
        audit_dataset(tmp_path / "data.parquet", given.pop("query"), **given)


PEOPLE, DATABASES = 500_000, 11  # in 16 blocks


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """Half a million individuals in 11 databases, 48 MB."""
    path = tmp_path_factory.mktemp("large") / "data.parquet"
    rng = np.random.default_rng(3)
    values = {f"y{j}": rng.standard_exponential(PEOPLE) for j in range(DATABASES)}
    table = pd.DataFrame({"who": np.arange(PEOPLE), **values})
    table.to_parquet(path, row_group_size=100_000, index=False, compression=None)
    yield path
    path.unlink()


def started(path, folder):
    command = f"-m par_core audit {path} --individual who --epsilon 0.00001 --epsilon 0.0001 --cluster local"
    return subprocess.Popen(
        [sys.executable, *command.split(), "--folder", str(folder), "--format", "json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def wait_for(number, folder, process):
    while len(list((folder / "individuals").glob("*.parquet"))) < number:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def workers_of(process):
    found = psutil.Process(process.pid).children(recursive=True)
    return [each for each in found if "spawn_main" in " ".join(each.cmdline())]


def test_killed_workers_and_clients_lose_nothing(tmp_path, large, cluster):
    """With half a million individuals: a worker is killed, then the client; the second run ends with the bytes of an undisturbed one."""
    folder, whole = tmp_path / "killed", tmp_path / "whole"
    killed = started(large, folder)
    wait_for(1, folder, killed)
    victims = workers_of(killed)
    assert victims
    os.kill(victims[0].pid, signal.SIGKILL)
    wait_for(6, folder, killed)
    killed.kill()
    killed.communicate()
    done = len(list((folder / "individuals").glob("*.parquet")))
    assert 6 <= done < 16, "there was nothing left to do"
    assert not (folder / "result.json").exists()
    second = started(large, folder)
    text, errors = second.communicate()
    assert second.returncode == 0, errors
    assert '"individuals": 500000' in text
    result = audit_dataset(
        large, queries.PanelMean(), epsilons=[1e-5, 1e-4], folder=whole, individual="who", cluster=cluster
    )
    assert digests(folder) == digests(whole)
    table = pq.read_table(large)
    for number in (0, 8, 15):  # against the audit's own functions in memory
        rows = slice(number * auditing.SIZE, (number + 1) * auditing.SIZE)
        compare_block(table, rows, result, whole / "individuals" / f"{number:07d}.parquet")
    assert not [each for each in psutil.process_iter(["cmdline"]) if str(large) in " ".join(each.info["cmdline"] or [])]


def compare_block(table, rows, result, path):
    from par_core.audit import individual_deltas, largest_loss

    columns = [table.column(f"y{j}").to_numpy() for j in range(DATABASES)]
    totals = [np.sum(column, dtype=np.longdouble) for column in columns]
    without = np.column_stack(
        [
            np.asarray((total - column[rows]) / (PEOPLE - 1), dtype=np.float64)
            for total, column in zip(totals, columns, strict=True)
        ]
    )
    answers = np.array([float(total / PEOPLE) for total in totals])
    np.testing.assert_allclose(result.answers, answers, rtol=1e-15)
    found = pd.read_parquet(path)
    width = float(result.density.bandwidths[0])
    # A loss is a millionth here: what is compared to 1e-12 is the answer that it comes from.
    np.testing.assert_allclose(found["loss"], largest_loss(answers, without, bandwidth=width), atol=1e-12)
    deltas = individual_deltas(answers, without, epsilon=[1e-5, 1e-4], bandwidth=width)
    np.testing.assert_allclose(found.iloc[:, 3:], deltas, atol=1e-12)


def test_too_little_memory_is_no_damage(tmp_path, monkeypatch):
    wide_table(20).to_parquet(tmp_path / "data.parquet", index=False)
    found = open_dataset(tmp_path / "data.parquet")
    no_room = Mock(side_effect=pa.ArrowMemoryError("malloc of size 64 failed"))
    monkeypatch.setattr(pq, "ParquetFile", no_room)
    with pytest.raises(MemoryError):
        next(read(found.groups, [0, 20], ["who"]))
    monkeypatch.setattr(pq, "read_schema", no_room)
    with pytest.raises(MemoryError):
        blocks.told_of(tmp_path / "0000000.parquet")


def test_a_full_folder_is_told_as_one(tmp_path):
    """What does not fit into memory goes to the folder, of which DuckDB takes what is free at most."""
    with sorting._database(tmp_path) as query:
        query.execute("SET memory_limit = '20MB'; SET max_temp_directory_size = '1MB'")
        with pytest.raises(OSError, match="no room is left in the folder") as caught:
            sorting._answer(query, "SELECT hash(range) FROM range(3_000_000) ORDER BY 1", lambda _: None)
    assert caught.value.errno == errno.ENOSPC
    disk = Mock(
        **{"execute.side_effect": duckdb.IOException("IO Error: Could not write file: No space left on device")}
    )
    with pytest.raises(OSError, match="no room is left in the folder"):
        sorting._answer(disk, "SELECT 1", lambda _: None)
