"""Tables that are text: CSV and TSV, with whatever separates their cells and in whatever encoding."""

from __future__ import annotations

import csv
import io
import itertools
import re
import statistics
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from par_core.errors import DataError, ParameterError
from par_core.tables.common import EMPTY, LONGEST_NAME, MEGABYTE, NO_ROWS, Limits, check_size, megabytes, usable_names
from par_core.tables.encoding import as_utf8, line_ends
from par_core.tables.file_format import FileFormat
from par_core.tables.notation import number_pattern, recognise

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_NONE = "\x1f"  # stands in no text: what a file of one column is separated by
_UNCLOSED = "quotation mark is opened and not closed: the rows after it cannot be told apart."
_TITLE = "The first line is a title, not a list of column names. Delete everything above the names."
_MAY_BE_TITLE = (
    "The first line is taken as column names. Is it a title, or is a name missing? Then write the names there."
)
_GAP = re.compile(r"[^\r\n]+(\r\n|\r(?!\n)|\n){2,}\s*[^\W\d]")  # an empty line above a word
_BINARY = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f]")
_HEXADECIMAL = re.compile(rb"0[xX][0-9a-fA-F]")
_LINE_END_OF_TEXT = re.compile(r"[\r\n]")
_NUMBER = re.compile("|".join(map(number_pattern, ".,")))
_LONGEST_HEAD = 2 * MEGABYTE
_BEGINNING = 2**16
_SEEN = 50  # rows or cells by which something is told
_LONGEST_ROW = 4 * MEGABYTE


def read_text(content: bytes, limits: Limits) -> tuple[pa.Table, str, list[str], FileFormat]:
    """Return the table in a text file, how it was read in words, what was guessed or changed, and how a script reads it."""
    text, codec, encoding, notes = as_utf8(content)
    text = text.lstrip(b"\r\n")
    if not text:
        raise DataError(EMPTY)
    if (nul := text.find(b"\0")) >= 0:
        row = line_ends(text[:nul]) + 1
        if _BINARY.search(text):
            raise DataError(f"Row {row:,} holds a NUL byte: this is neither text, as CSV and TSV are, nor Parquet.")
        raise DataError(
            f"Row {row:,} holds a NUL byte: the file is damaged there. Delete it, or export the table anew."
        )
    given = re.match(rb"sep=(.)\r?\n", text)  # a first line that Excel writes for itself
    text = text[given.end() :] if given else text
    head = text[:_LONGEST_HEAD].decode("utf-8", "ignore")
    separator = given.group(1).decode("ascii", "replace") if given else _separator(head)
    length = len(text)
    if separator != _NONE:  # in a single column an empty line is a missing value
        text = _without_empty_rows(text, separator.encode())
    emptied = len(text) < length
    head = text[:_LONGEST_HEAD].decode("utf-8", "ignore")
    width = _width(head, separator, limits, cut=len(text) > _LONGEST_HEAD)
    _check_length(text, width, limits)
    point = "," if separator in (";", "\t", _NONE) and _has_decimal_commas(text, separator) else "."
    try:
        written = FileFormat(separator, codec, point)
    except ParameterError:
        raise DataError("The first line names a separator that is none.") from None
    below = _below_title(head, _SEPARATORS if separator == _NONE else separator)
    if _names_numbers(below) and (separator == _NONE or len(below[0]) > 2):  # one of two names may be missing
        raise DataError(_TITLE)
    table = _parsed(text, written, width)
    _check_quotes(table, text)
    check_size(table.num_rows, table.num_columns, limits)
    names, unnamed = usable_names(table.column_names)
    if below or (separator == _NONE and _GAP.match(head)):
        notes.append(_MAY_BE_TITLE)
    if any(_may_hold_rows(name, separator) for name in table.column_names):
        notes.append("A column name with a line break holds separators. Is a quotation mark not closed there?")
    if emptied:
        notes.append("Lines that hold only separators are left out.")
    if any(re.fullmatch(r"[-+]?\d+(\.\d+)?", name) and not re.fullmatch(r"[12]\d{3}", name) for name in names):
        notes.append("The first line is taken as column names, though it holds numbers. Is the line of names missing?")
    if unnamed:
        notes.append(f"Without a name in the file: {', '.join(unnamed[:5])}{' and more' if unnamed[5:] else ''}.")
    table, by_place, more = _recognised(table, text, written)
    notes += more
    if point == "," and any(
        pa.types.is_floating(kind) for at, kind in enumerate(table.schema.types) if at not in by_place
    ):
        notes.append("Numbers are read with a decimal comma.")
    written = replace(written, columns=tuple((names[at], notation) for at, notation in by_place.items()))
    kind = "TSV" if separator == "\t" else f"CSV, separated by {_SEPARATORS.get(separator, 'a sign of its own')}"
    return table.rename_columns(names), f"{kind if width > 1 else 'CSV, one column'}, {encoding}", notes, written


def _parsed(text: bytes, written: FileFormat, width: int) -> pa.Table:
    table = _cells(text, written, width)
    names = [str(at) for at in range(width)]  # some columns may have none
    # A time of day stays as the file writes it, and so does 0x10, which the library takes for 16.
    as_text = [at for at, kind in zip(names, table.schema.types, strict=True) if pa.types.is_time(kind)]
    whole = [at for at, kind in zip(names, table.schema.types, strict=True) if pa.types.is_integer(kind)]
    if whole and _HEXADECIMAL.search(text):
        cells = _cells(text, written, width, names=names, as_text=whole, only=whole)
        as_text += [at for at in whole if pc.any(pc.match_substring(cells[at], "x", ignore_case=True)).as_py()]
    if not as_text:
        return table
    return _cells(text, written, width, names=names, as_text=as_text).rename_columns(table.column_names)


def _recognised(table: pa.Table, text: bytes, written: FileFormat) -> tuple[pa.Table, dict[int, str], list[str]]:
    width = table.num_columns

    def texts_of(places: list[int], beginning: bool) -> pa.Table:
        # A quotation mark may be open where the beginning ends: its last row proves nothing, and does no harm.
        part = text[: text.rfind(b"\n", 0, _BEGINNING) + 1] if beginning else text
        names, as_text = [str(at) for at in range(width)], [str(at) for at in places]
        try:
            return _cells(part or text, written, width, names=names, as_text=as_text, only=as_text)
        except DataError:
            return _cells(text, written, width, names=names, as_text=as_text, only=as_text)

    return recognise(table, texts_of, separator=written.separator)


def _cells(
    text: bytes,
    written: FileFormat,
    width: int,
    *,
    names: Sequence[str] = (),
    as_text: Sequence[str] = (),
    only: Sequence[str] = (),
) -> pa.Table:
    odd: list[Any] = []

    def on_odd_row(row: Any) -> str:
        odd.append(row)
        return "error"

    # In a single column an empty line is a missing value. With one thread a bad row knows its number.
    try:
        return pa_csv.read_csv(
            pa.BufferReader(text),
            read_options=pa_csv.ReadOptions(
                use_threads=False,
                block_size=_LONGEST_ROW,
                column_names=names or None,
                skip_rows_after_names=1 if names else 0,
            ),
            parse_options=pa_csv.ParseOptions(
                delimiter=written.separator,
                newlines_in_values=True,
                invalid_row_handler=on_odd_row,
                ignore_empty_lines=width > 1,
            ),
            convert_options=pa_csv.ConvertOptions(
                column_types=dict.fromkeys(as_text, pa.string()),
                include_columns=only or None,
                null_values=written.missing,
                strings_can_be_null=True,
                decimal_point=written.decimal,
                true_values=["true", "True", "TRUE"],  # not 1 and 0, which are numbers
                false_values=["false", "False", "FALSE"],
            ),
        )
    except MemoryError:  # one of Arrow's is an ArrowException too
        raise
    except (pa.ArrowException, ValueError, OSError):
        if odd and "\n" in odd[0].text and odd[0].text.count('"') % 2:
            raise DataError(f"In row {odd[0].number:,} a {_UNCLOSED}") from None
        if odd and _names_numbers(_below_title(text[:_LONGEST_HEAD].decode("utf-8", "ignore"), _SEPARATORS)):
            raise DataError(_TITLE) from None
        if odd:
            short = odd[0].number == 2 and odd[0].actual_columns == odd[0].expected_columns + 1
            cells = f"{odd[0].actual_columns:,} cell{'s' * (odd[0].actual_columns != 1)}"
            raise DataError(
                f"Row {odd[0].number:,} has {cells} where the first line has {odd[0].expected_columns:,}. "
                f"Row 1 is the line of names{', and one seems to be missing' * short}; empty lines do not count."
            ) from None
        if text.count(b'"') % 2:
            raise DataError(f"A {_UNCLOSED}") from None
        raise DataError(
            f"The rows cannot be told apart: the file is damaged, or one row is longer than {megabytes(_LONGEST_ROW)}."
        ) from None


def _without_empty_rows(text: bytes, separator: bytes) -> bytes:
    """Leave out the lines that hold only separators, as a spreadsheet writes for emptied rows.

    Left out at the end alone they would come back with the next person's row, which then moves a sum by more than its bound.
    """
    empty = b"[ " + re.escape(separator) + rb"]+(?=[\r\n]|\Z)"
    if re.search(b"\n" + empty, text) or re.search(
        b"\r" + empty, text
    ):  # either is found fast, one or the other is not
        return re.sub(rb"(\r\n?|\n)" + empty, b"", text)
    return text


def _check_length(text: bytes, width: int, limits: Limits) -> None:
    """Count the rows before they are parsed; line ends inside quotes are none."""
    rows = line_ends(text) - text.endswith((b"\n", b"\r"))
    if rows > min(limits.rows, limits.cells // width) and b'"' in text:
        rows = -1
        before = b""
        for part in _parts_outside_quotes(text):
            rows += line_ends(part) - (before == b"\r" and part.startswith(b"\n"))
            before = part[-1:]
        rows += before not in (b"\n", b"\r")
    check_size(rows, width, limits)


def _width(head: str, separator: str, limits: Limits, *, cut: bool) -> int:
    """Count the columns of the first row as the parser will; `cut` says that `head` is only the beginning of the text."""
    lines = io.StringIO(head, newline="")
    try:
        names = next(csv.reader(lines, delimiter=separator))
    except (csv.Error, TypeError):  # a cell of more than 128 kB; a separator that is none
        raise DataError("The first line cannot be read as a list of column names.") from None
    unread, width = lines.read(), len(names)
    swallowed = [name for name in names if ("\n" in name or "\r" in name) and _may_hold_rows(name, separator)]
    if any(len(name) > LONGEST_NAME or _in_quotes(name) not in head for name in swallowed):
        raise DataError(f"A {_UNCLOSED}")
    if width > limits.columns:
        least = "at least " if cut and not unread else ""
        raise DataError(f"The first line has {least}{width:,} columns; at most {limits.columns:,} can be opened.")
    if not unread.strip("\r\n"):
        why = f"A {_UNCLOSED}" if head.count('"') % 2 else NO_ROWS
        raise DataError("The first line is too long for a list of column names." if cut else why)
    return width


def _may_hold_rows(name: str, separator: str) -> bool:
    return any(separator in line for line in _LINE_END_OF_TEXT.split(name)[1:])


def _in_quotes(cell: str) -> str:
    """Return a cell of several lines as it stands in the text, unless a mark in it was left open."""
    return '"' + cell.replace('"', '""') + '"'


def _check_quotes(table: pa.Table, text: bytes) -> None:
    """Refuse a table in which an open quotation mark has swallowed rows.

    It may do so to the end of the file, or up to the next cell in quotation marks, whose second mark is then left over.
    """
    if b'"' not in text:
        return
    last = table.column(table.num_columns - 1)[-1].as_py() if table.num_rows else None
    if isinstance(last, str) and _LINE_END_OF_TEXT.search(last.rstrip()) and not text.rstrip().endswith(b'"'):
        raise DataError(f"In row {table.num_rows + 1:,} a {_UNCLOSED}")
    found: list[tuple[int, int]] = []
    for at, column in enumerate(table.columns):
        if pa.types.is_string(column.type):
            several = pc.match_substring_regex(column, r"[\r\n]")
            left_over = pc.and_(several, pc.match_substring_regex(column, r'^[^"]*("[^"]*"[^"]*)*"$'))
            found += [(row, at) for row in pc.indices_nonzero(left_over)[:_SEEN].to_pylist()]
    end = 0
    for row, at in sorted(found):  # in the order of the text, which is looked through once
        whole = _in_quotes(table.column(at)[row].as_py()).encode()
        start = text.find(whole, end)
        if start < 0:  # otherwise the last mark belongs to the cell
            raise DataError(f"In row {row + 2:,} a {_UNCLOSED}")
        end = start + len(whole)


def _first_rows(head: str, separator: str) -> list[list[str]]:
    """Return the first rows that are not empty."""
    rows = csv.reader(io.StringIO(head), delimiter=separator)
    try:
        return [row for row in itertools.islice(rows, _SEEN) if row]
    except csv.Error:
        return []


def _below_title(head: str, separators: Iterable[str]) -> list[list[str]]:
    """Return the rows, all of as many cells, below first lines with fewer cells or with none but the first filled; or none."""
    for separator in separators:
        rows = _first_rows(head, separator)
        width = statistics.mode(map(len, rows)) if rows else 0
        full = [at for at, row in enumerate(rows) if len(row) == width and any(cell.strip() for cell in row[1:])]
        if len(full) < 2 or full[0] == 0 or max(map(len, rows)) > width:
            continue
        body = rows[full[0] : full[-1] + 1]
        # Where the first line has none, a comma may belong to a number, or to a sentence.
        sentences = (_NUMBER.match(",".join(row)) or row[1].startswith(" ") for row in body)
        if min(map(len, body)) == width and not (separator == "," and len(rows[0]) == 1 and all(sentences)):
            return body
    return []


def _names_numbers(rows: list[list[str]]) -> bool:
    """Whether the first row holds names, years among them at most, and a column below it numbers."""
    if not rows:
        return False
    number = re.compile(r"\s*[-+]?\d").match
    words = [cell for cell in rows[0] if not re.fullmatch(r"\s*([12]\d{3}\s*)?", cell)]
    columns = ([cell for cell in column if cell.strip()] for column in zip(*rows[1:], strict=True))
    return bool(words) and not any(map(number, words)) and any(each and all(map(number, each)) for each in columns)


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
