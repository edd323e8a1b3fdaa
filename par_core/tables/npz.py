"""A matrix in an NPZ file, the archive that `numpy.savez` writes, as a wide table; refused by what it declares.

The archive holds `values`, a row for each individual and a column for each database, and may hold their labels in
`individuals` and `databases`. Python objects are never unpickled.
"""

from __future__ import annotations

import io
import math
import tokenize
import zipfile
import zlib
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.lib import format as npy

from par_core.errors import DataError
from par_core.tables.common import Limits, check_size, megabytes, usable_names

_MAGIC = b"PK\x03\x04"
_NAME_AT = 30  # of the first file in an archive; its length stands at 26 and 27
_ENDING = ".npy"
_USED = ("values", "individuals", "databases")
_LONGEST_HEADER = 10_000
_DAMAGED = "The NPZ file is damaged or cut off: its arrays cannot be read to the end."

_Labels = np.ndarray[Any, np.dtype[Any]]


class _Header(NamedTuple):
    shape: tuple[int, ...]
    dtype: np.dtype[Any]


def is_npz(content: bytes) -> bool:
    """Return whether these are the bytes of an archive whose first file is an array."""
    size = int.from_bytes(content[26:28], "little")
    return content.startswith(_MAGIC) and content[_NAME_AT : _NAME_AT + size].endswith(_ENDING.encode())


def read_npz(content: bytes, limits: Limits) -> tuple[pa.Table, str, list[str]]:
    """Return the matrix in an NPZ file as a wide table, how it was read, and what was left out."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            return _table(archive, limits)
    except (zipfile.BadZipFile, EOFError, zlib.error, OSError, NotImplementedError, RuntimeError, ValueError) as error:
        if isinstance(error, DataError):
            raise
        raise DataError(_DAMAGED) from None


def _table(archive: zipfile.ZipFile, limits: Limits) -> tuple[pa.Table, str, list[str]]:
    members = {each.filename.removesuffix(_ENDING): each for each in archive.infolist()}
    if "values" not in members:
        raise DataError(
            "The NPZ file has no array called values: a matrix of numbers with a row for each individual and a column for each database."
        )
    used = {name: members[name] for name in _USED if name in members}
    size = sum(each.file_size for each in used.values())
    if size > limits.unpacked:
        most = megabytes(limits.unpacked)
        raise DataError(f"The NPZ file declares {megabytes(size)} when unpacked; at most {most} can be opened.")
    headers = {name: _header(archive, member, name) for name, member in used.items()}
    rows, width = _check(headers, limits)
    arrays = {name: _array(archive, member) for name, member in used.items()}
    databases = _texts(arrays["databases"]) if "databases" in arrays else [str(at) for at in range(1, width + 1)]
    names, _ = usable_names([each or "" for each in databases])
    columns = list(_numbers(arrays["values"]))
    if "individuals" in arrays:
        made = "individual"
        while made in names:
            made += "'"
        names.insert(0, made)
        columns.insert(0, _individuals(arrays["individuals"]))
    notes = [f"A matrix of {rows:,} individuals and {width:,} databases."]
    if left := len(archive.infolist()) - len(used):
        notes.append(f"{left} other {'array is' if left == 1 else 'arrays are'} left out.")
    return pa.table(columns, names=names), "NPZ", notes


# --- what an array declares ---


def _header(archive: zipfile.ZipFile, member: zipfile.ZipInfo, name: str) -> _Header:
    """Read what an array declares, which has to fit the size that the archive declares for it."""
    if member.flag_bits & 1:
        raise DataError("The NPZ file is encrypted. Write it without a password.")
    with archive.open(member) as file:
        version = npy.read_magic(file)
        read = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}.get(version)
        if read is None:  # only arrays of records with names of their own need a later one
            raise DataError(f"The array {name} of the NPZ file holds records. Only numbers and texts can be opened.")
        try:
            shape, _, dtype = read(file, max_header_size=_LONGEST_HEADER)
        except (SyntaxError, TypeError, KeyError, MemoryError, RecursionError, tokenize.TokenError):
            raise DataError(_DAMAGED) from None
        if dtype.hasobject:
            raise DataError(
                f"The array {name} of the NPZ file holds Python objects, which are not opened: they could run a program. Write "
                "numbers or texts."
            )
        if min(shape, default=0) < 0 or math.prod(shape) * dtype.itemsize != member.file_size - file.tell():
            raise DataError(_DAMAGED)
    return _Header(shape, dtype)


def _check(headers: dict[str, _Header], limits: Limits) -> tuple[int, int]:
    """Refuse wrong kinds and shapes; returns how many individuals and databases there are."""
    values = headers["values"]
    if values.dtype.kind not in "iuf" or len(values.shape) != 2:
        raise DataError(
            "The array values of the NPZ file must be a matrix of numbers: a row for each individual and a column for each database."
        )
    rows, width = values.shape
    if not rows or not width:
        raise DataError("The matrix in the NPZ file is empty.")
    if width + ("individuals" in headers) > limits.columns:
        raise DataError(f"The NPZ file has {width:,} databases; at most {limits.columns - 1:,} can be opened.")
    check_size(rows, width, limits)
    for name, wanted in (("individuals", rows), ("databases", width)):
        if name in headers:
            if headers[name].shape != (wanted,):
                raise DataError(
                    f"The array {name} of the NPZ file must hold {wanted:,} labels in one row: as many as values has "
                    f"{'rows' if name == 'individuals' else 'columns'}."
                )
            if headers[name].dtype.kind not in "iufUSM":
                raise DataError(f"The array {name} of the NPZ file must hold texts, numbers or dates.")
    return rows, width


# --- what is in it ---


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> _Labels:
    """Read an array: never more bytes than its header declares, which `_header` has looked at."""
    with archive.open(member) as file:
        array: _Labels = npy.read_array(file, allow_pickle=False, max_header_size=_LONGEST_HEADER)
    return array


def _numbers(matrix: _Labels) -> list[pa.Array]:
    kind = np.dtype(np.float64) if matrix.dtype.kind == "f" else matrix.dtype.newbyteorder("=")
    return [pa.array(np.ascontiguousarray(matrix[:, at], dtype=kind)) for at in range(matrix.shape[1])]


def _individuals(labels: _Labels) -> pa.Array:
    return _numbers(labels[:, None])[0] if labels.dtype.kind in "iuf" else pa.array(_texts(labels), pa.string())


def _texts(labels: _Labels) -> list[str | None]:
    """Return labels as texts; a date that is missing stays missing."""
    if labels.dtype.kind == "S":
        return [each.decode("utf-8") for each in labels.tolist()]
    missing = np.isnat(labels) if labels.dtype.kind == "M" else np.zeros(len(labels), dtype=bool)
    return [None if gone else str(each) for each, gone in zip(labels, missing, strict=True)]
