"""What the readers of all kinds of tables have in common: how large a file may be, the names of columns, what they hold."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pyarrow as pa

from par_core.errors import DataError

EMPTY = "The file is empty."
NO_ROWS = "The file has column names but no rows below them."
LONGEST_NAME = 200
MEGABYTE = 2**20


@dataclass(frozen=True)
class Limits:
    """How large a file may be.

    `packed` bytes as uploaded and `unpacked` ones, counted while unpacking: five times the upload, because tables shrink by a
    factor of 5 to 10 at most, and the rows that are allowed have 125 characters each then. Reading takes up to four times
    this in memory, for a moment. Cells are bounded for themselves: a Parquet file of a few kilobytes can declare 1,000
    columns of 2 million rows.
    """

    packed: int = 50 * MEGABYTE
    unpacked: int = 250 * MEGABYTE
    columns: int = 1_000
    rows: int = 2_000_000
    cells: int = 50_000_000


def check_size(rows: int, width: int, limits: Limits) -> None:
    """Refuse a table with too many rows or cells."""
    if rows > limits.rows:
        raise DataError(f"The file has {rows:,} rows; at most {limits.rows:,} can be opened.")
    if rows * width > limits.cells:
        raise DataError(
            f"The file has {width:,} columns of {rows:,} rows; at most {limits.cells:,} cells can be opened."
        )


def usable_names(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return usable names and those among them that were made up; two columns of one name are refused."""
    found: dict[str, int] = {}
    stripped = [name.strip() for name in names]
    for at, name in enumerate(stripped, start=1):
        if len(name) > LONGEST_NAME:
            raise DataError(
                f"The name of column {at} is longer than {LONGEST_NAME} characters. Is the first line a list of names?"
            )
        if name and name in found:
            raise DataError(f"Columns {found[name]} and {at} have the same name. Rename one of them.")
        found[name] = at
    usable, unnamed = [], []
    for at, name in enumerate(stripped, start=1):
        made = f"column {at}"
        while not name and made in found:
            made += "'"
        usable.append(name or made)
        unnamed += [] if name else [made]
    return usable, unnamed


def kind_of(kind: pa.DataType) -> str | None:
    """Return what a column of this type holds, in a word of `Column.kind`; None for what cannot be used."""
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return "number"
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return "text"
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return "date"
    if pa.types.is_boolean(kind):
        return "true-false"
    return "empty" if pa.types.is_null(kind) else None


def megabytes(size: int) -> str:
    """Return a size in words."""
    return f"{size / MEGABYTE:,.0f} MB" if size >= MEGABYTE else f"{size:,} bytes"
