"""Reads a table from the bytes of a file that somebody chose, and says in a sentence what is wrong with it.

Nothing here knows Streamlit, keeps anything, or logs anything. A message names rows and columns by number and never repeats a
cell or a name, so that it may be shown anywhere. What libraries say about a bad file quotes the data, hence `from None`.
"""

from __future__ import annotations

import codecs
import csv
import gzip
import hashlib
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import charset_normalizer
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv
import pyarrow.parquet as pq

from par_core.errors import DataError

MEGABYTE = 2**20


@dataclass(frozen=True)
class Limits:
    """How large a file may be.

    Attributes
    ----------
    packed : int
        Bytes as uploaded.
    unpacked : int
        Bytes after unpacking, counted while unpacking. Five times the upload: tables shrink by a factor of 5 to 10 at most,
        and the rows that are allowed have 125 characters each then. Reading takes up to four times this in memory, for a moment.
    columns, rows, cells : int
        Cells are bounded for themselves: a Parquet file of a few kilobytes can declare 1,000 columns of 2 million rows.
    """

    packed: int = 50 * MEGABYTE
    unpacked: int = 250 * MEGABYTE
    columns: int = 1_000
    rows: int = 2_000_000
    cells: int = 50_000_000


@dataclass(frozen=True)
class Column:
    """What one column holds: `kind` is "number", "text", "date", "true-false" or, with missing values only, "empty"."""

    name: str = field(repr=False)
    kind: str
    missing: int
    infinite: int = 0


@dataclass(frozen=True, eq=False)
class Table:
    """A table that can be computed with.

    Attributes
    ----------
    name : str
        The name of the file, or of the built-in table. Never log it and never put it into an address.
    frame : DataFrame
        The cells; numbers are float64 or integers, text is `str`, dates are datetime64, true-false is `boolean`.
    columns : tuple of Column
    form : str
        How the file was read, in words.
    notes : tuple of str
        What was guessed or changed, in sentences.
    digest : str
        The same for the same bytes: stands for the table where its content is an input of a computation.
    """

    name: str = field(repr=False)
    frame: pd.DataFrame = field(repr=False)
    columns: tuple[Column, ...]
    form: str
    digest: str = field(repr=False)
    notes: tuple[str, ...] = ()

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.frame)


def read_table(name: str, data: bytes, *, limits: Limits | None = None) -> Table:
    """Read CSV, TSV or Parquet, plain or gzip; what it is, is told by its content, not by its name.

    Raises
    ------
    DataError
        In one or two sentences for the person who chose the file, with row and column where there is one. The line of
        column names is row 1, as in a spreadsheet.
    """
    limits = limits or Limits()
    if len(data) > limits.packed:
        raise DataError(f"The file has {_megabytes(len(data))}; at most {_megabytes(limits.packed)} can be opened.")
    content, packing = (_unpacked(data, limits), "gzip, ") if data.startswith(_GZIP) else (data, "")
    if not re.search(rb"\S", content):
        raise DataError(_EMPTY)
    _refuse_other_formats(content)
    if content.startswith(_PARQUET):
        table, form, notes = _parquet(content, limits)
    else:
        table, form, notes = _text(content, limits)
    if table.num_rows == 0:
        raise DataError(_NO_ROWS)
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    columns = tuple(_column(each, values) for each, values in zip(table.column_names, table.columns, strict=True))
    return Table(name, _frame(table), columns, packing + form, digest, tuple(notes))


def of_frame(name: str, frame: pd.DataFrame, *, digest: str) -> Table:
    """Return a table that comes with the dashboard, described in the same way."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    columns = tuple(_column(each, values) for each, values in zip(table.column_names, table.columns, strict=True))
    return Table(name, frame, columns, "built in", digest)


# --- what kind of file it is ---

_EMPTY = "The file is empty."
_NO_ROWS = "The file has column names but no rows below them."
_GZIP = b"\x1f\x8b"
_PARQUET = b"PAR1"
_OTHERS = (
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"\xd0\xcf\x11\xe0", "an old Excel or Word document. Save it as CSV there"),
    (b"PK\x03\x04", "a ZIP archive. Unpack it first"),
    (b"PK\x05\x06", "an empty ZIP archive"),
    (b"7z\xbc\xaf", "a 7-Zip archive. Unpack it first"),
    (b"Rar!", "a RAR archive. Unpack it first"),
    (b"BZh", "a bzip2 archive. Unpack it first"),
    (b"\xfd7zXZ", "an xz archive. Unpack it first"),
    (b"\x28\xb5\x2f\xfd", "a Zstandard archive. Unpack it first"),
    (_GZIP, "a gzip file inside a gzip file. Unpack it first"),
    (b"PARE", "an encrypted Parquet file. Write it without encryption"),
    (b"ARROW1", "an Arrow (Feather) file. Write it as Parquet"),
    (b"SQLite format 3", "an SQLite database. Export the table as CSV"),
    (b"\x89HDF", "an HDF5 file. Export the table as CSV"),
    (b"$FL2", "an SPSS file. Save it as CSV there"),
    (b"$FL3", "an SPSS file. Save it as CSV there"),
    (b"<stata_dta>", "a Stata file. Save it as CSV there"),
    (b"RDX", "an R data file. Write it with write.csv there"),
    (b"\x7fELF", "a program"),
    (b"MZ\x90", "a program"),
)


def _refuse_other_formats(content: bytes) -> None:
    head = content[:4096]
    looks_like = next((words for magic, words in _OTHERS if head.startswith(magic)), None)
    if head.startswith(b"PK\x03\x04") and (b"[Content_Types].xml" in head or b"xl/" in head):
        looks_like = "an Excel or other Office document. Save it as CSV there"
    start = head.lstrip().lower()
    if start.startswith((b"<!doctype", b"<html", b"<?xml")):
        looks_like = "a web page or XML document"
    if re.match(rb'\{\s*"|\[\s*[\[{]', start):
        looks_like = "a JSON document. Export the table as CSV"
    if looks_like:
        raise DataError(f"This is not a CSV, TSV or Parquet file: it looks like {looks_like}.")


def _unpacked(data: bytes, limits: Limits) -> bytes:
    """Undo gzip and stop as soon as the limit is passed: what follows is never unpacked."""
    whole = io.BytesIO()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            while part := file.read(MEGABYTE):
                whole.write(part)
                if whole.tell() > limits.unpacked:
                    raise DataError(f"The gzip file holds more than {_megabytes(limits.unpacked)} when unpacked.")
    except EOFError:
        raise DataError("The gzip file is cut off: its end is missing.") from None
    except (OSError, zlib.error):
        raise DataError("The gzip file is damaged: it cannot be unpacked to its end.") from None
    return whole.getvalue()


# --- text ---

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_NONE = "\x1f"  # stands in no text: what a file of one column is separated by
_MISSING = ["", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-NaN", "-nan", "NULL", "Null", "null", "None", "<NA>", "#NA"]
_UNCLOSED = "A quotation mark is opened and not closed: the rows after it cannot be told apart."
_LONGEST_HEAD = 2 * MEGABYTE
_LONGEST_ROW = 4 * MEGABYTE
_LONGEST_NAME = 200


def _text(content: bytes, limits: Limits) -> tuple[pa.Table, str, list[str]]:
    text, encoding, notes = _as_utf8(content)
    text = text.lstrip(b"\r\n")
    if not text:
        raise DataError(_EMPTY)
    if (nul := text.find(b"\0")) >= 0:
        row = _line_ends(text[:nul]) + 1
        raise DataError(f"Row {row:,} holds a NUL byte: this is no text, so it cannot be a CSV or TSV file.")
    given = re.match(rb"sep=(.)\r?\n", text)  # a first line that Excel writes for itself
    text = text[given.end() :] if given else text
    head = text[:_LONGEST_HEAD].decode("utf-8", "ignore")
    separator = given.group(1).decode("ascii", "replace") if given else _separator(head)
    width = _width(head, separator, limits, cut=len(text) > _LONGEST_HEAD)
    _check_length(text, width, limits)
    point = "," if separator in (";", "\t", _NONE) and _has_decimal_commas(text, separator) else "."
    table = _parsed(text, width, separator, point)
    _check_size(table.num_rows, table.num_columns, limits)
    names, unnamed = _names(table.column_names)
    if point == ",":
        notes.append("Numbers are read with a decimal comma.")
    if any(re.fullmatch(r"[-+]?\d+(\.\d+)?", name) and not re.fullmatch(r"[12]\d{3}", name) for name in names):
        notes.append("The first line is taken as column names, though it holds numbers. Is the line of names missing?")
    if unnamed:
        notes.append(f"Without a name in the file: {', '.join(unnamed[:5])}{' and more' if unnamed[5:] else ''}.")
    kind = "TSV" if separator == "\t" else f"CSV, separated by {_SEPARATORS.get(separator, 'a sign of its own')}"
    return table.rename_columns(names), f"{kind if width > 1 else 'CSV, one column'}, {encoding}", notes


def _parsed(text: bytes, width: int, separator: str, point: str) -> pa.Table:
    odd: list[Any] = []

    def on_odd_row(row: Any) -> str:
        odd.append(row)
        return "error"

    # In a single column an empty line is a missing value. With one thread a bad row knows its number.
    try:
        return pa_csv.read_csv(
            pa.BufferReader(text),
            read_options=pa_csv.ReadOptions(use_threads=False, block_size=_LONGEST_ROW),
            parse_options=pa_csv.ParseOptions(
                delimiter=separator,
                newlines_in_values=True,
                invalid_row_handler=on_odd_row,
                ignore_empty_lines=width > 1,
            ),
            convert_options=pa_csv.ConvertOptions(
                null_values=_MISSING,
                strings_can_be_null=True,
                decimal_point=point,
                true_values=["true", "True", "TRUE"],  # not 1 and 0, which are numbers
                false_values=["false", "False", "FALSE"],
            ),
        )
    except (pa.ArrowException, ValueError, OSError):
        if odd:
            cells = f"{odd[0].actual_columns:,} cell{'s' * (odd[0].actual_columns != 1)}"
            raise DataError(
                f"Row {odd[0].number:,} has {cells} where the first line has {odd[0].expected_columns:,}. "
                "Row 1 is the line of names; empty lines do not count."
            ) from None
        if text.count(b'"') % 2:
            raise DataError(_UNCLOSED) from None
        raise DataError(
            f"The rows cannot be told apart: the file is damaged, or one row is longer than {_megabytes(_LONGEST_ROW)}."
        ) from None


def _check_length(text: bytes, width: int, limits: Limits) -> None:
    """Count the rows before they are parsed; line ends inside quotes are none."""
    rows = _line_ends(text) - text.endswith((b"\n", b"\r"))
    if rows > min(limits.rows, limits.cells // width) and b'"' in text:
        rows = -1
        before = b""
        for part in _parts_outside_quotes(text):
            rows += _line_ends(part) - (before == b"\r" and part.startswith(b"\n"))
            before = part[-1:]
        rows += before not in (b"\n", b"\r")
    _check_size(rows, width, limits)


def _check_size(rows: int, width: int, limits: Limits) -> None:
    if rows > limits.rows:
        raise DataError(f"The file has {rows:,} rows; at most {limits.rows:,} can be opened.")
    if rows * width > limits.cells:
        raise DataError(
            f"The file has {width:,} columns of {rows:,} rows; at most {limits.cells:,} cells can be opened."
        )


def _line_ends(text: bytes) -> int:
    return text.count(b"\n") + text.count(b"\r") - text.count(b"\r\n")


def _width(head: str, separator: str, limits: Limits, *, cut: bool) -> int:
    """Count the columns of the first row as the parser will; `cut` says that `head` is only the beginning of the text."""
    lines = io.StringIO(head, newline="")
    try:
        width = len(next(csv.reader(lines, delimiter=separator)))
    except (csv.Error, TypeError):  # a cell of more than 128 kB; a separator that is none
        raise DataError("The first line cannot be read as a list of column names.") from None
    unread = lines.read()
    if width > limits.columns:
        least = "at least " if cut and not unread else ""
        raise DataError(f"The first line has {least}{width:,} columns; at most {limits.columns:,} can be opened.")
    if not unread.strip("\r\n"):
        why = _UNCLOSED if head.count('"') % 2 else _NO_ROWS
        raise DataError("The first line is too long for a list of column names." if cut else why)
    return width


def _parts_outside_quotes(text: bytes) -> Iterator[bytes]:
    """Give what stands outside quotes, a megabyte at a time; a doubled quotation mark opens and closes, which is right."""
    inside = False
    for start in range(0, len(text), MEGABYTE):
        letters = np.frombuffer(text, np.uint8, min(MEGABYTE, len(text) - start), start)
        within = np.logical_xor.accumulate(letters == ord('"')) ^ inside
        inside = bool(within[-1])
        yield letters[~within].tobytes()


def _separator(head: str) -> str:
    """Return the separator that the standard library's `csv.Sniffer` finds.

    It agrees with clevercsv on real tables at a fiftieth of the time and without another dependency. What it takes for a
    separator must stand in the first line: that keeps 3,14 in a single column whole. The sample is short because its
    regular expressions take quadratic time on quotation marks.
    """
    first = re.split("[\r\n]", re.sub(r'(\A|(?<=[,;\t|]))"[^"]*"', "", head), maxsplit=1)[0]  # a name may span lines
    found = [each for each in _SEPARATORS if each in first]
    if len(found) <= 1:
        return found[0] if found else _NONE
    sample = head[:8192].replace("\r\n", "\n").replace("\r", "\n")
    if len(head) > 8192:
        sample = sample.rpartition("\n")[0] or sample  # without the line that the end cuts through
    try:
        sniffed = csv.Sniffer().sniff(sample, delimiters="".join(found)).delimiter
    except csv.Error:
        sniffed = ""
    return sniffed if sniffed in found else max(found, key=first.count)


def _has_decimal_commas(text: bytes, separator: str) -> bool:
    cells = re.split(r"[\r\n" + re.escape(separator) + "]", text[:65536].decode("utf-8", "ignore").replace('"', ""))
    commas = sum(bool(re.fullmatch(r"\s*[-+]?\d+,\d+\s*", cell)) for cell in cells)
    points = sum(bool(re.fullmatch(r"\s*[-+]?\d+\.\d+\s*", cell)) for cell in cells)
    return commas > 0 and points == 0


# --- letters ---

_BOMS = (
    (codecs.BOM_UTF8, "utf-8", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le", "UTF-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32-be", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16-le", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16-be", "UTF-16"),
)
_LATIN = ("cp1252", "cp1250", "cp1254", "mac_roman")
_NOT_LATIN = ("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp932", "euc_jp", "gb18030", "big5", "cp949")
_WIDE = ("utf_16_le", "utf_16_be")
_FEW = 12  # from fewer letters beyond ASCII no script can be told


def _as_utf8(content: bytes) -> tuple[bytes, str, list[str]]:
    """Return the text as UTF-8, the name of the encoding it had, and what there is to say about it."""
    for bom, codec, words in _BOMS:
        if content.startswith(bom):
            return _recoded(content[len(bom) :], codec, words), words, []
    try:
        text = _recoded(content, "utf-8", "UTF-8")
        if b"\0" not in content[:4096]:
            return text, "UTF-8", []
    except DataError:
        if _is_nearly_utf8(content):
            raise
    codec = _guess(content)
    words = codec.replace("_", "-").upper().replace("CP125", "Windows-125")
    note = f"Letters beyond A to Z are read as {words}, which is a guess. If they look wrong, save the file as UTF-8."
    return _recoded(content, codec, words), words, [note]


def _recoded(content: bytes, codec: str, words: str) -> bytes:
    """Return the text as UTF-8, read piece by piece: a whole copy with four bytes a letter would be too much."""
    decoder = codecs.getincrementaldecoder(codec)()
    out = io.BytesIO()
    rows = 1
    for start in range(0, max(len(content), 1), MEGABYTE):
        try:
            letters = decoder.decode(content[start : start + MEGABYTE], final=start + MEGABYTE >= len(content))
        except UnicodeDecodeError as error:
            rows += _line_ends(error.object[: error.start].decode(codec, "ignore").encode())
            raise DataError(f"Row {rows:,} holds bytes that are not {words}. Save the file anew as UTF-8.") from None
        piece = letters.encode("utf-8", "replace")
        rows += _line_ends(piece)
        if codec != "utf-8":
            out.write(piece)
    return content if codec == "utf-8" else out.getvalue()


def _is_nearly_utf8(content: bytes) -> bool:
    """Whether most letters beyond ASCII are sound UTF-8: then a few bytes are damaged, and no other encoding is meant."""
    letters = Counter(letter for letter in _odd_lines(content).decode("utf-8", "replace") if letter > "\x7f")
    return letters.total() > 10 * letters["\ufffd"]


def _guess(content: bytes) -> str:
    """Return the most likely encoding of text that is not UTF-8.

    charset-normalizer tells scripts apart well, but not the code pages of the Latin alphabet (French comes out as Central
    European); there the one that most files have is taken, and Latin-1, which has a letter for every byte, where it fails.
    """
    wide = b"\0" in content[:4096]
    sample = content[:65536] if wide else _odd_lines(content)
    if wide or sum(letter > 127 for letter in sample) >= _FEW:
        best = charset_normalizer.from_bytes(sample, cp_isolation=[*(_WIDE if wide else _NOT_LATIN), *_LATIN]).best()
        if best is not None and best.encoding not in _LATIN:
            return best.encoding
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        return "latin-1"
    return "cp1252"


def _odd_lines(content: bytes) -> bytes:
    """Return the first lines that hold more than ASCII, 64 kB at most: those that an encoding can be told from."""
    lines = io.BytesIO()
    for found in re.finditer(rb"[^\r\n]{0,200}[\x80-\xff][^\r\n]{0,200}", content):
        lines.write(found.group() + b"\n")
        if lines.tell() > 65536:
            break
    return lines.getvalue()


# --- Parquet ---

_LONGEST_LIST = 10_000


def _parquet(content: bytes, limits: Limits) -> tuple[pa.Table, str, list[str]]:
    try:
        about = _parquet_metadata(content)
        _check_declared(about, limits)
        schema = [about.schema.column(at) for at in range(about.num_columns)]
        words = [each.path for each in schema if each.physical_type == "BYTE_ARRAY"]
        # Repeated text stays packed until its full size is known.
        file = pq.ParquetFile(pa.BufferReader(content), metadata=about, read_dictionary=words)
    except (pa.ArrowException, OSError):
        raise DataError("The Parquet file is damaged or cut off: the list of its columns cannot be read.") from None
    if len(file.schema_arrow) != about.num_columns or any(
        "." in each.path and each.max_repetition_level for each in schema
    ):
        raise DataError("The Parquet file holds lists or records inside its cells. Only plain columns can be opened.")
    names, _ = _names(file.schema_arrow.names)
    try:
        packed = file.read(use_threads=False)
        if sum(map(_dense_size, packed.columns)) > limits.unpacked:
            raise DataError(f"The Parquet file holds more than {_megabytes(limits.unpacked)} when unpacked.")
        columns = [_plain_column(at, column) for at, column in enumerate(packed.columns, start=1)]
    except (pa.ArrowException, OSError, NotImplementedError):
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
    """Refuse a file by the sizes that it declares, before any cell is read."""
    width = about.num_columns
    if width > limits.columns:
        raise DataError(f"The Parquet file has {width:,} columns; at most {limits.columns:,} can be opened.")
    groups = [about.row_group(at) for at in range(about.num_row_groups)]
    _check_size(max(about.num_rows, sum(group.num_rows for group in groups)), width, limits)
    size = sum(max(0, group.total_byte_size) for group in groups)
    if size > limits.unpacked:
        most = _megabytes(limits.unpacked)
        raise DataError(f"The Parquet file declares {_megabytes(size)} when unpacked; at most {most} can be opened.")
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
    """Return a column as numbers, text, dates or true-false."""
    kind = column.type
    if pa.types.is_dictionary(kind):
        column = column.cast(kind.value_type)
        kind = column.type
    if pa.types.is_decimal(kind) or pa.types.is_float16(kind):
        return column.cast(pa.float64())
    if pa.types.is_time(kind):
        return column.cast(pa.string())
    if _kind(kind) is None:
        raise DataError(f"Column {at} of the Parquet file holds neither numbers nor text, dates or true-false.")
    return column


# --- what all have in common ---


def _names(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return usable names and those among them that were made up; two columns of one name are refused."""
    found: dict[str, int] = {}
    stripped = [name.strip() for name in names]
    for at, name in enumerate(stripped, start=1):
        if len(name) > _LONGEST_NAME:
            raise DataError(
                f"The name of column {at} is longer than {_LONGEST_NAME} letters. Is the first line no list of names?"
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


def _kind(kind: pa.DataType) -> str | None:
    if pa.types.is_integer(kind) or pa.types.is_floating(kind):
        return "number"
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return "text"
    if pa.types.is_date(kind) or pa.types.is_timestamp(kind):
        return "date"
    if pa.types.is_boolean(kind):
        return "true-false"
    return "empty" if pa.types.is_null(kind) else None


def _column(name: str, values: pa.ChunkedArray) -> Column:
    kind = _kind(values.type) or "text"
    missing, infinite = values.null_count, 0
    if pa.types.is_floating(values.type):
        missing += pc.sum(pc.is_nan(values)).as_py() or 0
        infinite = pc.sum(pc.is_inf(values)).as_py() or 0
    return Column(name, "empty" if missing == len(values) else kind, missing, infinite)


def _frame(table: pa.Table) -> pd.DataFrame:
    frame: pd.DataFrame = table.to_pandas(
        date_as_object=False,
        ignore_metadata=True,
        types_mapper={pa.bool_(): pd.BooleanDtype()}.get,
        split_blocks=True,
    )
    return frame


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.0f} MB" if size >= MEGABYTE else f"{size:,} bytes"
