"""Reading the table that a command is about, and writing files that are whole or not there."""

from __future__ import annotations

import errno
import os
import secrets
import stat
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import click

from par_core.errors import ParameterError

if TYPE_CHECKING:
    from par_core.tables.table import Table

STDIN = "-"
NOTES = "par.notes"
"""Where a command holds what was guessed or changed when its table was read: its answer tells it, or an error about a column."""
COLUMNS = "par.columns"
"""Where a command holds the names of the columns of its table."""
BUILT_IN = ("builtin:census2000", "builtin:county_murders")
"""Tables that come along, so that every command can be tried."""


class UnreadError(Exception):
    """Nobody reads what is written to stdout; no OSError, of which the library for arguments would make an exit code of its own."""


def read(name: str) -> Table:
    """Return the table of a file, of stdin where the name is "-", or a built-in one; ParameterError for what cannot be read."""
    from par_core import datasets
    from par_core.tables.common import Limits
    from par_core.tables.table import of_frame, read_table

    if name in BUILT_IN:
        table = getattr(datasets, name.partition(":")[2])().table
        return of_frame(name, table, digest=name)
    # A machine of one's own has no other visitors: only its memory is a limit.
    limits = Limits(2**40, 2**40, rows=10**9, cells=10**10)
    try:
        if name != STDIN:
            _check_memory(Path(name))
        data = sys.stdin.buffer.read() if name == STDIN else Path(name).read_bytes()
    except OSError as error:
        raise ParameterError(f"DATA cannot be read: {error.strerror}") from error
    table = read_table(name, data, limits=limits)
    if (command := click.get_current_context(silent=True)) is not None:
        command.meta[NOTES], command.meta[COLUMNS] = table.notes, [each.name for each in table.columns]
    return table


def _check_memory(path: Path) -> None:
    """Refuse a file that cannot be held: reading takes up to four times of what it holds unpacked."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    from par_core.memory import ON_A_CLUSTER, check_fits

    size = path.stat().st_size
    with suppress(OSError, pa.ArrowException):  # no Parquet
        footer = pq.read_metadata(path)
        size = 8 * footer.num_rows * footer.num_columns
    check_fits(4 * size, otherwise=f"An audit of a Parquet file of any size is done in blocks by: {ON_A_CLUSTER}")


def write(text: str, target: str | None) -> None:
    """Write to a file, to stdout if none is given. A file is there with all of the text, or as it was before; OSError otherwise."""
    if target is None or target == STDIN:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        try:
            sys.stdout.write(text)
            sys.stdout.flush()
        except BrokenPipeError as error:
            raise UnreadError from error
        return
    path = Path(os.path.realpath(target))  # a link stays a link
    if path.exists() and not path.is_file():  # a device or a pipe holds nothing that could be half
        with path.open("w", encoding="utf-8") as out:
            out.write(text)
        return
    beside = path.with_name(f".{path.name[:100]}.{secrets.token_hex(8)}")
    try:
        with beside.open("x", encoding="utf-8") as out:
            out.write(text)
            out.flush()
            os.fsync(out.fileno())
        if path.exists():
            beside.chmod(stat.S_IMODE(path.stat().st_mode))
        beside.replace(path)
    except BaseException:  # also where somebody stops it
        with suppress(OSError):
            beside.unlink()
        raise
    with suppress(OSError):  # not every system can
        folder = os.open(path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
