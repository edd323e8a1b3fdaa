"""Tables in Parquet files, refused by the sizes that they declare before any cell is read."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from par_core.errors import DataError
from par_core.tables.common import Limits, check_size, kind_of, megabytes, usable_names

_LONGEST_LIST = 10_000
# A damaged file may declare any size: which of both it is cannot be told.
_NO_ROOM = "The Parquet file cannot be read to its end: it takes more memory than is free, or is damaged."


def read_parquet(content: bytes, limits: Limits) -> tuple[pa.Table, str, list[str]]:
    """Return the table in a Parquet file, how it was read, and what was guessed or changed."""
    try:
        about = _parquet_metadata(content)
        _check_declared(about, limits)
        schema = [about.schema.column(at) for at in range(about.num_columns)]
        words = [each.path for each in schema if each.physical_type == "BYTE_ARRAY"]
        # Repeated text stays packed until its full size is known.
        file = pq.ParquetFile(pa.BufferReader(content), metadata=about, read_dictionary=words)
    except MemoryError:
        raise DataError(_NO_ROOM) from None
    except (pa.ArrowException, OSError):
        raise DataError("The Parquet file is damaged or cut off: the list of its columns cannot be read.") from None
    nested = any("." in each.path and each.max_repetition_level for each in schema)
    if nested or len(file.schema_arrow) != about.num_columns:
        raise DataError("The Parquet file holds lists or records inside its cells. Only plain columns can be opened.")
    names, _ = usable_names(file.schema_arrow.names)
    try:
        packed = file.read(use_threads=False)
        if sum(map(_dense_size, packed.columns)) > limits.unpacked:
            raise DataError(f"The Parquet file holds more than {megabytes(limits.unpacked)} when unpacked.")
        columns = [_plain_column(at, column) for at, column in enumerate(packed.columns, start=1)]
    except MemoryError:
        raise DataError(_NO_ROOM) from None
    except (pa.ArrowException, OSError, NotImplementedError):  # the last for encodings that the library cannot read
        raise DataError("The Parquet file is damaged: its cells cannot be read to the end.") from None
    return pa.table(columns, names=names), "Parquet", []


def _parquet_metadata(content: bytes) -> pq.FileMetaData:
    """Return what the file says about itself; an endless list in it is refused while it is read."""
    try:
        return pq.ParquetFile(pa.BufferReader(content), thrift_container_size_limit=_LONGEST_LIST).metadata
    except OSError as error:
        if "size limit" in str(error):
            raise DataError(f"The Parquet file has more than {_LONGEST_LIST:,} columns or row groups.") from None
        raise


def _check_declared(about: pq.FileMetaData, limits: Limits) -> None:
    width = about.num_columns
    if width > limits.columns:
        raise DataError(f"The Parquet file has {width:,} columns; at most {limits.columns:,} can be opened.")
    groups = [about.row_group(at) for at in range(about.num_row_groups)]
    check_size(max(about.num_rows, sum(group.num_rows for group in groups)), width, limits)
    size = sum(max(0, group.total_byte_size) for group in groups)
    if size > limits.unpacked:
        most = megabytes(limits.unpacked)
        raise DataError(f"The Parquet file declares {megabytes(size)} when unpacked; at most {most} can be opened.")
    for at in range(width):
        for group in groups:
            if "DELTA_BYTE_ARRAY" in group.column(at).encodings and group.column(at).physical_type == "BYTE_ARRAY":
                # Each value may repeat the one before and add a letter: what is declared does not bound what comes out.
                raise DataError(
                    f"Column {at + 1} of the Parquet file is packed as DELTA_BYTE_ARRAY. Write it the usual way."
                )


def _dense_size(column: pa.ChunkedArray) -> int:
    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    size = 0
    for chunk in column.chunks:
        if not pa.types.is_primitive(chunk.dictionary.type):
            size += pc.sum(pc.binary_length(chunk.dictionary).take(chunk.indices)).as_py() or 0
    return size + 8 * len(column)


def _plain_column(at: int, column: pa.ChunkedArray) -> pa.ChunkedArray:
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if kind_of(kind) == "text":
        column.validate(full=True)  # raises for bytes that are not UTF-8
    if pa.types.is_decimal(kind) or pa.types.is_float16(kind):
        return column.cast(pa.float64())
    if pa.types.is_time(kind):
        return column.cast(pa.string())
    if kind_of(kind) is None:
        raise DataError(f"Column {at} of the Parquet file holds neither numbers nor text, dates or true-false.")
    return column
