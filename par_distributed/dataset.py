"""A Parquet data set as it lies on disk: its row groups in their order, and its rows read in pieces of any size."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from par_core.errors import DataError, ParameterError
from par_core.parameters import shown

if TYPE_CHECKING:
    import pyarrow as pa

_AT_ONCE = 32_768  # rows that are decoded at once
_SUFFIXES = (".parquet", ".parq", ".pq")


@dataclass(frozen=True)
class RowGroup:
    """A row group of a file: its number there, its rows, and the number of its first row in the data set (from 0)."""

    file: str
    number: int
    first: int
    rows: int


@dataclass(frozen=True)
class Dataset:
    """Parquet files in the order of their names: one file, or all of a folder.

    `schema` is that of every file, `digest` a hash of when they were changed, of their sizes and of their footers.
    """

    groups: tuple[RowGroup, ...]
    schema: pa.Schema
    digest: str

    @property
    def rows(self) -> int:
        """How many rows all files have."""
        return self.groups[-1].first + self.groups[-1].rows if self.groups else 0

    def within(self, start: int, stop: int) -> tuple[RowGroup, ...]:
        """Return the row groups with rows from `start` up to `stop`."""
        return tuple(each for each in self.groups if each.first < stop and start < each.first + each.rows)


def open_dataset(path: str | Path) -> Dataset:
    """Return what the footers of a Parquet file, or of all in a folder and below it, say; DataError if they cannot be read.

    Files and folders whose names begin with a dot or an underscore are left out, as other readers do; any other file must be Parquet.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    if not isinstance(path, str | Path):
        raise ParameterError(f"data must be the path of a Parquet file or folder, got {shown(path)}")
    place = Path(path)
    files = _files(place) if place.is_dir() else [place]
    if not files:
        raise DataError(f"no Parquet file in {place.name}")
    groups: list[RowGroup] = []
    digest, first, schema = hashlib.sha256(), 0, None
    for file in files:
        try:
            footer = pq.read_metadata(file)
            digest.update(f"{file.relative_to(place) if place.is_dir() else ''}:{_state(file)}\n".encode())
        except (OSError, pa.ArrowException) as error:
            raise DataError(f"{file.name} cannot be read as Parquet") from error
        found = footer.schema.to_arrow_schema()
        if schema is not None and not found.equals(schema):
            raise DataError(f"{file.name} has other columns, or other types of them, than {files[0].name}")
        schema = found if schema is None else schema
        for number in range(footer.num_row_groups):
            rows = footer.row_group(number).num_rows
            if rows:
                groups.append(RowGroup(str(file.resolve()), number, first, rows))
            first += rows
    return Dataset(tuple(groups), schema, digest.hexdigest())


def read(groups: Sequence[RowGroup], edges: Sequence[int], columns: Sequence[str]) -> Iterator[pa.Table]:
    """Give the rows from each edge up to the next, as tables; the row groups hold all of them, and are read one by one."""
    import pyarrow as pa

    parts: list[pa.RecordBatch] = []
    at, place = edges[0], 0
    for batch, first in _batches(groups, columns, edges[0], edges[-1]):
        rest = batch.slice(max(at - first, 0))
        while len(rest) and place < len(edges) - 1:
            taken = rest.slice(0, edges[place + 1] - at)
            parts.append(taken)
            at += len(taken)
            rest = rest.slice(len(taken))
            if at == edges[place + 1]:
                yield pa.Table.from_batches(parts)
                parts, place = [], place + 1


def _batches(
    groups: Sequence[RowGroup], columns: Sequence[str], start: int, stop: int
) -> Iterator[tuple[pa.RecordBatch, int]]:
    """Give batches of rows and the number of the first row of each; none that ends before `start` or begins behind `stop`."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    for name, of_file in groupby(groups, key=lambda each: each.file):
        held = list(of_file)
        first = held[0].first
        try:
            with pq.ParquetFile(name, pre_buffer=False) as file:
                numbers = [each.number for each in held]
                for batch in file.iter_batches(_AT_ONCE, row_groups=numbers, columns=list(columns), use_threads=False):
                    if first >= stop:
                        return
                    if first + len(batch) > start:
                        yield batch, first
                    first += len(batch)
        except MemoryError:  # one of Arrow's is an ArrowException too
            raise
        except (OSError, pa.ArrowException) as error:
            raise DataError(f"{Path(name).name} cannot be read any more") from error


def _files(folder: Path) -> list[Path]:
    found = []
    for place, folders, names in os.walk(folder, followlinks=True):
        folders[:] = [each for each in folders if not each.startswith((".", "_"))]
        found += [Path(place, each) for each in names if not each.startswith((".", "_"))]
    other = sorted(each.name for each in found if each.suffix.lower() not in _SUFFIXES)
    if other:
        raise DataError(f"{other[0]} in {folder.name} is no Parquet file")
    return sorted(found)


def _state(file: Path) -> str:
    """Return when a file was changed, its size, and a hash of its footer, which holds where each column lies and its extremes."""
    with file.open("rb") as opened:
        size = opened.seek(0, 2)
        opened.seek(-8, 2)
        length = int.from_bytes(opened.read(4), "little")
        opened.seek(-8 - length, 2)
        return f"{file.stat().st_mtime_ns}:{size}:{hashlib.sha256(opened.read(length)).hexdigest()}"
