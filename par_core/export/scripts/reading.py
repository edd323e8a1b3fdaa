"""How a script reads the table: the same cells, and the same kinds, as when it was planned."""

import codecs
import gzip
import hashlib
import json
import re
import zlib

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from par_core.export.scripts.files import opened, stop
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.plan_of_release import (
    COLUMNS,
    DECIMAL,
    ENCODING,
    HEADER,
    MISSING,
    SEPARATOR,
    TEXT_COLUMNS,
    WRITTEN,
)
from par_core.tables.notation import dates_in, numbers_in

AGAIN = "open this file in the explorer and plan again"


def read(path):
    """Read the columns that are needed, each of which must be there exactly once."""
    with opened(path, mode="rb") as file:
        data = file.read()
    try:
        data = gzip.decompress(data) if data.startswith(b"\x1f\x8b") else data
        columns = from_parquet(data) if data.startswith(b"PAR1") else from_text(data)
        table = pa.table([plain(column) for column in columns], names=COLUMNS)
        return table.to_pandas(date_as_object=False, ignore_metadata=True)
    except (pa.ArrowException, UnicodeError, OSError, EOFError, zlib.error):  # what they say would quote the data
        if made_for.notations:
            stop("the file is damaged, or not written as SEPARATOR, ENCODING, DECIMAL and WRITTEN say")
        else:
            stop("the file is damaged, or not written as SEPARATOR, ENCODING and DECIMAL say")


def from_text(data):
    """Return the needed columns of a CSV file; what a cell holds does not depend on how pandas reads files."""
    text = decoded(data).lstrip("\r\n")
    text = re.sub(r"\Asep=[\t -~]\r?\n", "", text)  # a first line that Excel writes for itself
    if (
        SEPARATOR != "\x1f"
    ):  # lines that hold only separators are no rows, wherever they stand; a single column has none
        empty = rf"[ {re.escape(SEPARATOR)}]+(?=[\r\n]|\Z)"
        if re.search("\n" + empty, text) or re.search("\r" + empty, text):
            text = re.sub(r"(\r\n?|\n)" + empty, "", text)
    if not re.search(r"[\r\n]", text):  # a line of names alone is a table without rows, once the line ends
        text += "\n"
    text = text.encode("utf-8", "replace")
    cut = pa_csv.ParseOptions(delimiter=SEPARATOR, newlines_in_values=True)
    at_once = pa_csv.ReadOptions(use_threads=False, block_size=2**22)
    names = pa_csv.open_csv(pa.BufferReader(text), parse_options=cut, read_options=at_once).schema.names
    check_header(names)
    needed = [str(place_of(column, names)) for column in COLUMNS]
    cut.ignore_empty_lines = len(names) > 1  # in a single column an empty line is a missing value
    # By their places: the same name may stand twice among the columns that are not needed.
    at_once.column_names, at_once.skip_rows_after_names = [str(at) for at in range(len(names))], 1
    found = pa_csv.read_csv(
        pa.BufferReader(text),
        parse_options=cut,
        read_options=at_once,
        convert_options=pa_csv.ConvertOptions(
            include_columns=needed,
            column_types={at: pa.string() for at, column in zip(needed, COLUMNS) if column in TEXT_COLUMNS},
            null_values=MISSING,
            strings_can_be_null=True,
            decimal_point=DECIMAL,
            true_values=["true", "True", "TRUE"],
            false_values=["false", "False", "FALSE"],
        ),
    )
    if made_for.notations:
        return [noted(found.column(at), column) for at, column in zip(needed, COLUMNS)]
    else:
        return [found.column(at) for at in needed]


def from_parquet(data):
    """Return the needed columns of a Parquet file."""
    file = pq.ParquetFile(pa.BufferReader(data))
    names = file.schema_arrow.names
    check_header(names)
    needed = [names[place_of(column, names)] for column in COLUMNS]
    found = file.read(columns=needed)
    return [found.column(name) for name in needed]


def decoded(data):
    """Return the text of a CSV file. Read in another encoding its letters would be wrong, and match no category."""
    if not codecs.lookup(ENCODING).name.startswith("utf-8") and not data.isascii() and b"\0" not in data[:4096]:
        try:
            data.decode("utf-8")
        except UnicodeDecodeError:
            pass
        else:
            stop(f"the file is written in UTF-8 now, and was not when the release was planned ({ENCODING}): {AGAIN}")
    try:
        return data.decode(ENCODING)
    except UnicodeDecodeError:
        stop(f"the file is not written in {ENCODING}, as it was when the release was planned: {AGAIN}")


def usable(names):
    """Return the names of columns without the spaces around them; a column without one is called by its place."""
    stripped = [name.strip() for name in names]
    made = [f"column {at + 1}" for at in range(len(names))]
    for at, name in enumerate(made):
        while made[at] in stripped:
            made[at] += "'"
    return [name or other for name, other in zip(stripped, made)]


def check_header(names):
    """Stop unless the columns are those of the file that the release was planned with."""
    if HEADER and hashlib.sha256(json.dumps(usable(names)).encode()).hexdigest() != HEADER:
        stop(f"the file has other columns than the one that the release was planned with: {AGAIN}")


def place_of(column, names):
    """Return where a column stands."""
    known = names if column in names else usable(names)
    if known.count(column) != 1:
        stop(f"the table has {known.count(column)} columns named {column!r}; it must have one")
    return known.index(column)


def plain(column):
    """Return a column as numbers, text, dates, or true and false; spaces around a text do not count."""
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    kind = column.type
    if pa.types.is_decimal(kind) or pa.types.is_float16(kind) or pa.types.is_null(kind):
        return column.cast(pa.float64())
    if pa.types.is_time(kind) or pa.types.is_string_view(kind):
        column = column.cast(pa.large_string())
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        return pc.utf8_trim_whitespace(column)
    return column


if made_for.notations:

    def noted(column, name):
        """Return the numbers or dates of a column as WRITTEN says; a cell that is written otherwise stops the script."""
        how = WRITTEN.get(name)
        if how is None:
            return column
        return numbers_in(column, how) if how in (".", ",") else dates_in(column, how)
