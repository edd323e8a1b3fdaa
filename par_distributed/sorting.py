"""Long tables sorted by individual out of core, and what else has to be asked of whole columns: by DuckDB."""

from __future__ import annotations

import errno
import json
import re
import secrets
import shutil
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from par_core.errors import DataError, ParameterError
from par_core.parameters import shown
from par_core.progress import Progress, portion
from par_distributed.blocks import write_whole
from par_distributed.dataset import Dataset

if TYPE_CHECKING:
    import duckdb

_MEMORY = "2GB"
_LOOK = 0.15  # seconds between two looks at progress
_ORDER = "order.parquet"
_NO_ROOM = (
    "No space left",
    "max_temp_directory_size",
)  # by default what is free on the disk; the second is no lack of memory
_GROUP = 122_880  # rows of a row group: DuckDB's own


def sort_long(data: Dataset, folder: Path, *, individual: str, database: str, value: str, tell: Progress) -> Path:
    """Write the records sorted by individual, database and value; it is there whole, or not at all. DataError for a missing label."""
    target = folder / "sorted.parquet"
    if target.exists():
        return target
    beside = folder / f".sorted.{secrets.token_hex(8)}"
    who, where, what = (_name(each) for each in (individual, database, value))
    with _database(folder) as query:
        for name, column in ((individual, who), (database, where)):
            none = f"{column} IS NULL OR CAST({column} AS VARCHAR) = 'nan' AND typeof({column}) IN ('DOUBLE', 'FLOAT')"
            if _answer(query, f"SELECT 1 FROM {_files(data)} WHERE {none} LIMIT 1", portion(None)):
                raise DataError(f"column {shown(name)}: a label is missing")
        try:
            records = f"SELECT {who}, {where}, {what} FROM {_files(data)} ORDER BY {who}, {where}, {what}"
            _answer(query, f"COPY ({records}) TO {_text(beside)} (FORMAT parquet, ROW_GROUP_SIZE {_GROUP})", tell)
            beside.replace(target)
        finally:
            with suppress(OSError):
                beside.unlink()
    return target


@dataclass(frozen=True)
class Order:
    """The databases of a long table, the sorted rows where blocks begin and the last one ends, and the number of individuals."""

    labels: tuple[object, ...]
    edges: list[int]
    individuals: int


def write_order(folder: Path, order: Order) -> None:
    """Keep what is known of the sorted records."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    told = {"edges": order.edges, "individuals": order.individuals}
    table = pa.table({"database": list(order.labels)}).replace_schema_metadata({"par": json.dumps(told)})
    write_whole(folder / _ORDER, lambda out: pq.write_table(table, out))


def order_of(folder: Path) -> Order | None:
    """Return what is known of the sorted records, if anything is."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found = pq.read_table(folder / _ORDER)
        return Order(tuple(found.column(0).to_pylist()), **json.loads(found.schema.metadata[b"par"]))
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException):
        return None


def labels_of(data: Dataset, folder: Path, column: str) -> tuple[object, ...]:
    """Return the different labels of a column, sorted."""
    name = _name(column)
    with _database(folder) as query:
        rows = _answer(query, f"SELECT DISTINCT {name} FROM {_files(data)} ORDER BY 1", portion(None))
    return tuple(row[0] for row in rows)


def edges_of(data: Dataset, column: str, size: int) -> tuple[list[int], int]:
    """Return the rows where blocks of `size` labels of a sorted column begin and the last one ends, and the number of labels."""
    import pyarrow.compute as pc

    from par_distributed.dataset import read

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


def repeated(data: Dataset, folder: Path, column: str, tell: Progress) -> bool:
    """Whether any label is in a column twice."""
    twice = f"SELECT 1 FROM {_files(data)} GROUP BY {_name(column)} HAVING count(*) > 1 LIMIT 1"
    with _database(folder) as query:
        return bool(_answer(query, twice, tell))


def _answer(query: duckdb.DuckDBPyConnection, text: str, tell: Progress) -> list[tuple[Any, ...]]:
    """Ask DuckDB something that may take long; what `tell` raises interrupts it."""
    import duckdb

    with ThreadPoolExecutor(1) as beside:
        waited = beside.submit(lambda: query.execute(text).fetchall())
        furthest = 0.0
        try:
            while True:
                try:
                    return waited.result(timeout=_LOOK)
                except TimeoutError:
                    furthest = max(furthest, min(query.query_progress() / 100, 1.0))
                    tell(furthest)
        except (duckdb.IOException, duckdb.OutOfMemoryException) as error:
            if any(words in str(error) for words in _NO_ROOM):
                raise OSError(errno.ENOSPC, "no room is left in the folder, where the data are sorted") from error
            raise OSError(f"DuckDB: {type(error).__name__}") from error
        except duckdb.Error as error:  # whose words may hold values
            raise DataError(f"the data cannot be sorted: {type(error).__name__}") from error
        except BaseException:
            query.interrupt()
            raise


@contextmanager
def _database(folder: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Give a database that keeps what does not fit into memory in the folder, until it is closed."""
    try:
        import duckdb
    except ImportError as error:
        raise ParameterError("a data set is sorted with DuckDB: pip install '.[distributed]'") from error
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
    names = ", ".join(_text(_literal(each)) for each in dict.fromkeys(group.file for group in data.groups))
    return f"read_parquet([{names}], hive_partitioning = false)"


def _name(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _text(value: object) -> str:
    return "'" + str(value).replace("'", "''") + "'"


def _literal(file: str) -> str:
    """Return the name of a file in which no letter stands for others."""
    return re.sub(r"[*?\[]", lambda found: f"[{found[0]}]", file)
