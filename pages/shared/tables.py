"""Reads a table from the bytes of a file that somebody chose, and says in a sentence what is wrong with it.

Nothing here knows Streamlit, keeps anything, or logs anything. A message names rows and columns by number and never repeats a
cell or a name, so that it may be shown anywhere. What libraries say about a bad file quotes the data, hence `from None`.
"""

from __future__ import annotations

import codecs
import csv
import hashlib
import io
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import charset_normalizer
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv
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
        and the rows that are allowed have 125 characters each then. Reading takes up to three times this in memory.
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
    if not content.strip():
        raise DataError("The file is empty.")
    _refuse_other_formats(content)
    if content.startswith(_PARQUET):
        table, form, notes = _parquet(content, limits), "Parquet", []
    else:
        table, form, notes = _text(content, limits)
    if table.num_rows == 0:
        raise DataError("The file has column names but no rows below them.")
    digest = hashlib.blake2b(data, digest_size=16).hexdigest()
    columns = tuple(_column(each, values) for each, values in zip(table.column_names, table.columns, strict=True))
    return Table(name, _frame(table), columns, packing + form, digest, tuple(notes))


def of_frame(name: str, frame: pd.DataFrame, *, digest: str) -> Table:
    """Return a table that comes with the dashboard, described in the same way."""
    table = pa.Table.from_pandas(frame, preserve_index=False)
    columns = tuple(_column(each, values) for each, values in zip(table.column_names, table.columns, strict=True))
    return Table(name, frame, columns, "built in", digest)


# --- what kind of file it is ---

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
    rest = data
    while rest.startswith(_GZIP):  # a gzip file may consist of several, one after the other
        member = zlib.decompressobj(wbits=31)
        while not member.eof:
            try:
                part = member.decompress(rest, MEGABYTE)
            except zlib.error:
                raise DataError("The gzip file is damaged: it cannot be unpacked to its end.") from None
            if whole.tell() + len(part) > limits.unpacked:
                raise DataError(f"The gzip file holds more than {_megabytes(limits.unpacked)} when unpacked.")
            if not part and not member.eof:
                raise DataError("The gzip file is cut off: its end is missing.")
            whole.write(part)
            rest = member.unconsumed_tail
        rest = member.unused_data
    return whole.getvalue()


# --- text ---

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_MISSING = ["", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-NaN", "-nan", "NULL", "Null", "null", "None", "<NA>", "#NA"]
_LONGEST_ROW = 4 * MEGABYTE
_LONGEST_NAME = 200


def _text(content: bytes, limits: Limits) -> tuple[pa.Table, str, list[str]]:
    text, encoding, notes = _as_utf8(content)
    text = text.lstrip(b"\r\n")
    if (nul := text.find(b"\0")) >= 0:
        raise DataError(f"Row {_row(text, nul)} holds a NUL byte: this is no text, so it cannot be a CSV or TSV file.")
    given = re.match(rb"sep=(.)\r?\n", text)  # a first line that Excel writes for itself
    text = text[given.end() :] if given else text
    first = re.match(rb"[^\r\n]*", text)
    header = first.group() if first else b""
    separator = given.group(1).decode("ascii", "replace") if given else _separator(text, header)
    width = _outside_quotes(header).count(separator.encode()) + 1
    if width > limits.columns:
        raise DataError(f"The first line has {width:,} columns; at most {limits.columns:,} can be opened.")
    _check_length(text, width, limits)
    point = "," if separator in ";\t" and _has_decimal_commas(text, separator) else "."
    if point == ",":
        notes.append("Numbers are read with a decimal comma.")
    table = _parsed(text, width, separator, point)
    if any(re.fullmatch(r"[-+]?[0-9.]+", each.strip()) for each in table.column_names):
        notes.append("The first line is taken as column names, though it holds numbers. Is it missing?")
    names, unnamed = _names(table.column_names)
    if unnamed:
        notes.append(f"Without a name in the file: {', '.join(unnamed[:5])}{' and more' if unnamed[5:] else ''}.")
    kind = "TSV" if separator == "\t" else f"CSV, separated by {_SEPARATORS.get(separator, 'its own sign')}"
    return table.rename_columns(names), f"{kind if width > 1 else 'CSV, one column'}, {encoding}", notes


def _parsed(text: bytes, width: int, separator: str, point: str) -> pa.Table:
    odd: list[Any] = []

    def on_odd_row(row: Any) -> str:
        odd.append(row)
        return "error"

    try:
        return pyarrow.csv.read_csv(
            pa.BufferReader(text),
            # With one thread a bad row knows its number.
            read_options=pyarrow.csv.ReadOptions(use_threads=False, block_size=_LONGEST_ROW),
            parse_options=pyarrow.csv.ParseOptions(
                delimiter=separator,
                newlines_in_values=True,
                invalid_row_handler=on_odd_row,
                ignore_empty_lines=width > 1,  # in a single column an empty line is a missing value
            ),
            convert_options=pyarrow.csv.ConvertOptions(
                null_values=_MISSING, strings_can_be_null=True, decimal_point=point, true_values=["true", "True", "TRUE"],
                false_values=["false", "False", "FALSE"],
            ),
        )  # fmt: skip
    except (pa.ArrowException, ValueError, OSError):
        if odd:
            cells = f"{odd[0].actual_columns:,} cell{'s' * (odd[0].actual_columns != 1)}"
            raise DataError(
                f"Row {odd[0].number:,} has {cells} where the first line has {odd[0].expected_columns:,}. "
                "Rows are counted from the line of names, without empty lines."
            ) from None
        if text.count(b'"') % 2:
            raise DataError(
                "A quotation mark is opened and not closed: the rows after it cannot be told apart."
            ) from None
        raise DataError(
            f"The rows cannot be told apart: the file is damaged, or one row is longer than {_megabytes(_LONGEST_ROW)}."
        ) from None


def _check_length(text: bytes, width: int, limits: Limits) -> None:
    """Count the rows before they are parsed; line ends inside quotes are none."""

    def rows_in(part: bytes) -> int:
        return part.count(b"\n") + part.count(b"\r") - part.count(b"\r\n")

    most = min(limits.rows, limits.cells // width)
    if rows_in(text) <= most + 1:  # most files: counting in one go is enough
        return
    rows = sum(rows_in(part) for part in _parts_outside_quotes(text))
    if rows > limits.rows + 1:
        raise DataError(f"The file has more than {limits.rows:,} rows.")
    if rows > most + 1:
        raise DataError(
            f"The file has {width:,} columns of {rows:,} rows; at most {limits.cells:,} cells can be opened."
        )


def _outside_quotes(line: bytes) -> bytes:
    return b"".join(_parts_outside_quotes(line))


def _parts_outside_quotes(text: bytes) -> Iterator[bytes]:
    """Give what stands outside quotes, a megabyte at a time; a doubled quotation mark opens and closes, which is right."""
    inside = False
    for start in range(0, len(text), MEGABYTE):
        pieces = text[start : start + MEGABYTE].split(b'"')
        yield b"".join(pieces[inside::2])
        inside ^= len(pieces) % 2 == 0


def _separator(text: bytes, header: bytes) -> str:
    """Return the separator that the standard library's `csv.Sniffer` finds.

    It agrees with clevercsv on real tables at a fiftieth of the time and without another dependency. What it takes for a
    separator must stand in the first line: that keeps 3,14 in a single column whole. The sample is short because its
    regular expressions take quadratic time on quotation marks.
    """
    plain = _outside_quotes(header).decode("utf-8", "replace")
    found = [each for each in _SEPARATORS if each in plain]
    if len(found) <= 1:
        return found[0] if found else ","
    sample = text[:8192].decode("utf-8", "ignore").replace("\r\n", "\n").replace("\r", "\n")
    lines = sample.splitlines(keepends=True)
    try:
        sniffed = csv.Sniffer().sniff("".join(lines[:-1] or lines), delimiters="".join(found)).delimiter
    except csv.Error:
        sniffed = ""
    return sniffed if sniffed in found else max(found, key=plain.count)


def _has_decimal_commas(text: bytes, separator: str) -> bool:
    cells = re.split(r"[\r\n" + re.escape(separator) + "]", text[:65536].decode("utf-8", "ignore").replace('"', ""))
    commas = sum(bool(re.fullmatch(r"\s*[-+]?\d+,\d+\s*", cell)) for cell in cells)
    points = sum(bool(re.fullmatch(r"\s*[-+]?\d+\.\d+\s*", cell)) for cell in cells)
    return commas > 0 and points == 0


# --- letters ---

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig", "UTF-8"),
    (codecs.BOM_UTF32_LE, "utf-32", "UTF-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32", "UTF-32"),
    (codecs.BOM_UTF16_LE, "utf-16", "UTF-16"),
    (codecs.BOM_UTF16_BE, "utf-16", "UTF-16"),
)
_OTHER_SCRIPTS = ("cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp932", "euc_jp", "gb18030", "big5", "cp949", "utf_16_le", "utf_16_be")  # fmt: skip
_WESTERN = ("cp1252", "cp1250", "cp1254", "mac_roman")


def _as_utf8(content: bytes) -> tuple[bytes, str, list[str]]:
    """Return the text as UTF-8, the name of the encoding it had, and what there is to say about it."""
    for bom, codec, words in _BOMS:
        if content.startswith(bom):
            return _recoded(content, codec, words), words, []
    try:
        _recoded(content, "utf-8", "UTF-8")
    except DataError:
        if _is_nearly_utf8(content):
            raise
    else:
        if b"\0" not in content[:4096]:
            return content, "UTF-8", []
    codec = _guess(content)
    words = codec.replace("_", "-").upper().replace("CP125", "Windows-125")
    note = f"Letters beyond A to Z are read as {words}, which is a guess. If they look wrong, save the file as UTF-8."
    return _recoded(content, codec, words), words, [note]


def _recoded(content: bytes, codec: str, words: str) -> bytes:
    """Read piece by piece, so that there is never a second copy with four bytes a letter."""
    if codec == "utf-8-sig":
        content, codec = content[len(codecs.BOM_UTF8) :], "utf-8"
    decoder = codecs.getincrementaldecoder(codec)()
    out = io.BytesIO()
    lines = 1
    for start in range(0, max(len(content), 1), MEGABYTE):
        piece = content[start : start + MEGABYTE]
        try:
            letters = decoder.decode(piece, final=start + MEGABYTE >= len(content))
        except UnicodeDecodeError as error:
            lines += error.object[: error.start].decode(codec, "ignore").count("\n")
            raise DataError(f"Row {lines:,} holds bytes that are not {words}. Save the file as UTF-8.") from None
        if codec == "utf-8":
            lines += piece.count(b"\n")
        else:
            lines += letters.count("\n")
            out.write(letters.encode("utf-8", "replace"))
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
    sample = content[:65536] if b"\0" in content[:4096] else _odd_lines(content)
    best = charset_normalizer.from_bytes(sample, cp_isolation=[*_OTHER_SCRIPTS, *_WESTERN]).best()
    if best is not None and best.encoding in _OTHER_SCRIPTS:
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


def _parquet(content: bytes, limits: Limits) -> pa.Table:
    try:
        file = pq.ParquetFile(pa.BufferReader(content))
    except (pa.ArrowException, OSError, ValueError):
        raise DataError(
            "The Parquet file is damaged or cut off: the list of its columns at its end is missing."
        ) from None
    about = file.metadata
    _check_declared(about, limits)
    if len(file.schema_arrow.names) != about.num_columns:
        raise DataError("The Parquet file holds lists or records inside its cells. Only plain columns can be opened.")
    words = [about.schema.column(at).name for at in range(about.num_columns) if about.schema.column(at).physical_type == "BYTE_ARRAY"]  # fmt: skip
    names, _ = _names(file.schema_arrow.names)
    try:
        # Repeated text stays packed until its full size is known.
        packed = pq.read_table(pa.BufferReader(content), read_dictionary=words, use_threads=False)
        dense = sum(_dense_size(column) for column in packed.columns)
        if dense > limits.unpacked:
            raise DataError(f"The Parquet file holds more than {_megabytes(limits.unpacked)} when unpacked.")
        columns = [_plain_column(at, column) for at, column in enumerate(packed.columns, start=1)]
    except (pa.ArrowException, OSError, NotImplementedError):
        raise DataError("The Parquet file is damaged: its cells cannot be read to the end.") from None
    return pa.table(columns, names=names)


def _check_declared(about: pq.FileMetaData, limits: Limits) -> None:
    """Refuse a file by the sizes that it declares, before any cell is read."""
    if about.num_columns > limits.columns:
        raise DataError(
            f"The Parquet file has {about.num_columns:,} columns; at most {limits.columns:,} can be opened."
        )
    if about.num_rows > limits.rows:
        raise DataError(f"The Parquet file has {about.num_rows:,} rows; at most {limits.rows:,} can be opened.")
    if about.num_rows * about.num_columns > limits.cells:
        raise DataError(f"The Parquet file has more than {limits.cells:,} cells.")
    size = 0
    for group in map(about.row_group, range(about.num_row_groups)):
        size += max(0, group.total_byte_size)
        for at in range(group.num_columns):
            chunk = group.column(at)
            if "DELTA_BYTE_ARRAY" in chunk.encodings and chunk.physical_type == "BYTE_ARRAY":
                # Each value may repeat the one before and add a letter: no declared size bounds what comes out.
                raise DataError(
                    f"Column {at + 1} of the Parquet file is packed as DELTA_BYTE_ARRAY. Write it in the default way."
                )
    if size > limits.unpacked:
        raise DataError(
            f"The Parquet file declares {_megabytes(size)} when unpacked; at most {_megabytes(limits.unpacked)} can be opened."
        )


def _dense_size(column: pa.ChunkedArray) -> int:
    if not pa.types.is_dictionary(column.type):
        return int(column.nbytes)
    size = 0
    for chunk in column.chunks:
        if not pa.types.is_fixed_width(chunk.dictionary.type):
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


def _row(text: bytes, position: int) -> str:
    return f"{text.count(b'\n', 0, position) + 1:,}"


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:,.0f} MB" if size >= MEGABYTE else f"{size:,} bytes"
