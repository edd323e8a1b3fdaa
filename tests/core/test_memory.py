"""What does not fit into the memory of the machine is refused before it begins, with what can be done instead."""

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from par_core import memory
from par_core.audit import Panel, audit
from par_core.audit.queries import Noisy, PanelSum
from par_core.cli import par
from par_core.errors import DataError

PANEL = Panel.from_arrays(np.arange(400.0).reshape(50, 8))


@pytest.mark.parametrize(
    ("meminfo", "limit", "used", "free"),
    [
        ("MemTotal: 9 kB\nMemAvailable:    2000 kB\n", "max", "5", 2_048_000),
        ("MemTotal: 9 kB\nMemAvailable:    2000 kB\n", "1000000", "400000", 600_070),
        ("MemTotal: 9 kB\nMemAvailable:    2000 kB\n", "1000", "1071", 0),
        ("MemTotal: 9 kB\n", "1000", "1", None),
    ],
)
def test_free_is_what_the_machine_and_its_control_group_leave(tmp_path, monkeypatch, meminfo, limit, used, free):
    group = {"memory.max": limit, "memory.current": used, "memory.stat": "anon 5\ninactive_file 70\n"}
    for name, text in {"meminfo": meminfo, **group}.items():
        (tmp_path / name).write_text(text)
    monkeypatch.setattr(memory, "_MEMINFO", tmp_path / "meminfo")
    monkeypatch.setattr(memory, "_CGROUP", tmp_path)
    assert memory.free() == free


@pytest.mark.parametrize(("query", "needed"), [(PanelSum(), 3200), (Noisy(PanelSum(), scale=1.0, draws=3), 9600)])
def test_an_audit_is_refused_from_one_byte_too_few_on(monkeypatch, query, needed):
    monkeypatch.setattr(memory, "free", lambda: needed)
    assert len(audit(PANEL, query, epsilons=[0.1]).losses) == 50
    monkeypatch.setattr(memory, "free", lambda: needed - 1)
    with pytest.raises(DataError, match="memory.*are free.*par audit DATA.parquet .*--cluster local --folder FOLDER"):
        audit(PANEL, query, epsilons=[0.1])


def test_a_library_that_is_missing_is_no_lack_of_memory():
    missing, full = OSError("Could not find/load shared object file"), OSError("Could not find/load shared object file")
    missing.__context__ = OSError("libllvmlite.so: cannot open shared object file: No such file or directory")
    full.__context__ = OSError("libllvmlite.so: failed to map segment from shared object")
    assert (memory.is_out_of_memory(missing), memory.is_out_of_memory(full)) == (False, True)


def test_subsamples_are_refused_too(monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: 10_000_000)
    table = pd.DataFrame({"x": np.arange(1000.0)})
    given = {"value": "x", "share": 0.5, "rng": np.random.default_rng(1)}
    assert len(Panel.from_table(table, databases=20, **given).databases) == 20
    with pytest.raises(DataError, match="Draw fewer databases"):
        Panel.from_table(table, databases=2000, **given)


@pytest.mark.parametrize("name", ["data.parquet", "data.csv"])
def test_a_file_is_refused_before_it_is_read(tmp_path, monkeypatch, name):
    table = pd.DataFrame(np.zeros((1000, 5)), columns=list("abcde"))  # packs to next to nothing
    table.to_parquet(tmp_path / name) if name.endswith("parquet") else table.to_csv(tmp_path / name)
    monkeypatch.setattr(memory, "free", lambda: 80_000)
    found = CliRunner().invoke(par, ["audit", str(tmp_path / name), "--individual", "a", "--epsilon", "1"])
    assert found.exit_code == 2
    assert "--cluster local --folder FOLDER" in found.stderr
    assert found.stderr.count("\n") == 1
