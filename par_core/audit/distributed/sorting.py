"""Long tables sorted by individual out of core, and what else has to be asked of whole columns: by DuckDB."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from par_core.audit.distributed.dataset import Dataset
from par_core.errors import DataError, ParameterError
from par_core.parameters import shown
from par_core.standing import PROVEN, declare

if TYPE_CHECKING:
    import duckdb

_MEMORY = "2GB"
_GROUP = 122_880  # rows of a row group: DuckDB's own


def sort_long(data: Dataset, folder: Path, *, individual: str, database: str, value: str) -> Path:
    """Write the records sorted by individual, database and value; it is there whole, or not at all. DataError for a missing label."""
    target = folder / "sorted.parquet"
    if target.exists():
        return target
    beside = folder / f".sorted.{secrets.token_hex(8)}"
    who, where, what = (_name(each) for each in (individual, database, value))
    with _database(folder) as query:
        for name, column in ((individual, who), (database, where)):
            if query.execute(f"SELECT 1 FROM {_files(data)} WHERE {column} IS NULL LIMIT 1").fetchall():
                raise DataError(f"column {shown(name)}: a label is missing")
        try:
            query.execute(
                f"COPY (SELECT {who}, {where}, {what} FROM {_files(data)} ORDER BY {who}, {where}, {what}) TO "
                f"{_text(beside)} (FORMAT parquet, ROW_GROUP_SIZE {_GROUP})"
            )
            beside.replace(target)
        finally:
            with suppress(OSError):
                beside.unlink()
    return target


def labels_of(data: Dataset, folder: Path, column: str) -> tuple[object, ...]:
    """Return the different labels of a column, sorted."""
    name = _name(column)
    with _database(folder) as query:
        rows = query.execute(f"SELECT DISTINCT {name} FROM {_files(data)} ORDER BY 1").fetchall()
    return tuple(row[0] for row in rows)


@declare(PROVEN, source="the data set itself")
def edges_of(data: Dataset, column: str, size: int) -> tuple[list[int], int]:
    """Return the rows where blocks of `size` labels of a sorted column begin and the last one ends, and the number of labels."""
    import pyarrow.compute as pc

    from par_core.audit.distributed.dataset import read

    edges: list[int] = []
    row, seen, last = 0, 0, None
    steps = [*range(0, data.rows, _GROUP), data.rows]
    for table in read(data.groups, steps, [column]):
        labels = table.column(0).combine_chunks()
        fresh = np.ones(len(labels), dtype=bool)
        fresh[1:] = pc.not_equal(labels[1:], labels[:-1]).to_numpy(zero_copy_only=False)
        fresh[0] = last is None or labels[0] != last
        at = np.flatnonzero(fresh)
        edges += (row + at[(seen + np.arange(len(at))) % size == 0]).tolist()
        row, seen, last = row + len(labels), seen + len(at), labels[-1]
    return [*edges, data.rows], seen


def repeated(data: Dataset, folder: Path, column: str) -> bool:
    """Whether any label is in a column twice."""
    name = _name(column)
    with _database(folder) as query:
        found = query.execute(f"SELECT 1 FROM {_files(data)} GROUP BY {name} HAVING count(*) > 1 LIMIT 1").fetchall()
    return bool(found)


@contextmanager
def _database(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a database that keeps what does not fit into memory in the folder, until it is closed."""
    try:
        import duckdb
    except ImportError as error:
        raise ParameterError("a data set is sorted with DuckDB: install requirements-distributed.txt") from error
    rest = folder / f".duckdb.{secrets.token_hex(8)}"
    settings: dict[str, str | bool | int | float | list[str]] = {
        "memory_limit": _MEMORY,
        "temp_directory": str(rest),
        "preserve_insertion_order": "false",
    }
    try:
        with duckdb.connect(config=settings) as query:
            yield query
    finally:
        shutil.rmtree(rest, ignore_errors=True)


def _files(data: Dataset) -> str:
    names = ", ".join(_text(each) for each in dict.fromkeys(group.file for group in data.groups))
    return f"read_parquet([{names}])"


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _text(value: object) -> str:
    return "'" + str(value).replace("'", "''") + "'"
