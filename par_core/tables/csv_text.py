"""Tables that are text: CSV and TSV, with whatever separates their cells and in whatever encoding."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.csv as pa_csv

from par_core.errors import DataError, ParameterError
from par_core.tables.common import EMPTY, MEGABYTE, NO_ROWS, Limits, check_size, megabytes, usable_names
from par_core.tables.encoding import as_utf8, line_ends
from par_core.tables.file_format import FileFormat

_SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_NONE = "\x1f"  # stands in no text: what a file of one column is separated by
_UNCLOSED = "A quotation mark is opened and not closed: the rows after it cannot be told apart."
_LINE_END = re.compile(rb"[\r\n]")
_LONGEST_HEAD = 2 * MEGABYTE
_LONGEST_ROW = 4 * MEGABYTE


def read_text(content: bytes, limits: Limits) -> tuple[pa.Table, str, list[str], FileFormat]:
    """Return the table in a text file, how it was read in words, what was guessed or changed, and how a script reads it."""
    text, codec, encoding, notes = as_utf8(content)
    text = text.lstrip(b"\r\n")
    if not text:
        raise DataError(EMPTY)
    if (nul := text.find(b"\0")) >= 0:
        row = line_ends(text[:nul]) + 1
        raise DataError(f"Row {row:,} holds a NUL byte: this is no text, so it cannot be a CSV or TSV file.")
    given = re.match(rb"sep=(.)\r?\n", text)  # a first line that Excel writes for itself
    text = text[given.end() :] if given else text
    head = text[:_LONGEST_HEAD].decode("utf-8", "ignore")
    separator = given.group(1).decode("ascii", "replace") if given else _separator(head)
    end = _end_of_rows(text, separator)
    empty = text.find(separator.encode(), end) >= 0
    text = text[:end] if empty else text
    head = text[:_LONGEST_HEAD].decode("utf-8", "ignore")
    width = _width(head, separator, limits, cut=len(text) > _LONGEST_HEAD)
    _check_length(text, width, limits)
    point = "," if separator in (";", "\t", _NONE) and _has_decimal_commas(text, separator) else "."
    try:
        written = FileFormat(separator, codec, point)
    except ParameterError:
        raise DataError("The first line names a separator that is none.") from None
    table = _parsed(text, written, width)
    check_size(table.num_rows, table.num_columns, limits)
    names, unnamed = usable_names(table.column_names)
    if empty:
        notes.append("Lines at the end that hold only separators are left out.")
    if point == ",":
        notes.append("Numbers are read with a decimal comma.")
    if any(re.fullmatch(r"[-+]?\d+(\.\d+)?", name) and not re.fullmatch(r"[12]\d{3}", name) for name in names):
        notes.append("The first line is taken as column names, though it holds numbers. Is the line of names missing?")
    if unnamed:
        notes.append(f"Without a name in the file: {', '.join(unnamed[:5])}{' and more' if unnamed[5:] else ''}.")
    notes += _nearly_numbers(table, point)
    kind = "TSV" if separator == "\t" else f"CSV, separated by {_SEPARATORS.get(separator, 'a sign of its own')}"
    return table.rename_columns(names), f"{kind if width > 1 else 'CSV, one column'}, {encoding}", notes, written


def _parsed(text: bytes, written: FileFormat, width: int) -> pa.Table:
    table = _cells(text, written, width)
    times = [str(at) for at, kind in enumerate(table.schema.types) if pa.types.is_time(kind)]
    if not times:
        return table
    # A time of day stays as the file writes it. By their places, because some columns may have no name.
    again = _cells(text, written, width, names=[str(at) for at in range(width)], as_text=times)
    return again.rename_columns(table.column_names)


def _cells(
    text: bytes, written: FileFormat, width: int, *, names: Sequence[str] = (), as_text: Sequence[str] = ()
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
                null_values=written.missing,
                strings_can_be_null=True,
                decimal_point=written.decimal,
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
            f"The rows cannot be told apart: the file is damaged, or one row is longer than {megabytes(_LONGEST_ROW)}."
        ) from None


def _end_of_rows(text: bytes, separator: str) -> int:
    """Return where the last line ends that holds more than separators, which a spreadsheet writes for emptied rows."""
    start, rest = len(text), b""
    while start and not rest:  # piece by piece: a copy without its end would be too much
        start = max(start - MEGABYTE, 0)
        rest = text[start : start + MEGABYTE].rstrip(separator.encode() + b" \r\n")
    line_end = _LINE_END.search(text, start + len(rest))
    return line_end.start() if line_end else len(text)


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
        width = len(next(csv.reader(lines, delimiter=separator)))
    except (csv.Error, TypeError):  # a cell of more than 128 kB; a separator that is none
        raise DataError("The first line cannot be read as a list of column names.") from None
    unread = lines.read()
    if width > limits.columns:
        least = "at least " if cut and not unread else ""
        raise DataError(f"The first line has {least}{width:,} columns; at most {limits.columns:,} can be opened.")
    if not unread.strip("\r\n"):
        why = _UNCLOSED if head.count('"') % 2 else NO_ROWS
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


_NUMBER = r"^\s*[-+]?(\d+{point}?\d*|{point}\d+)([eE][-+]?\d+)?\s*$"
_LOOKED_AT = 1_000
_MOST_NAMED = 5


def _nearly_numbers(table: pa.Table, point: str) -> list[str]:
    """Name the columns that a few odd cells turned into text: the first such cell of each by its row, never by what it holds.

    Most of the first cells have to be numbers; only then is the rest of the column looked at.
    """
    number = _NUMBER.replace("{point}", re.escape(point))
    notes = []
    for at, column in enumerate(table.columns, start=1):
        if not pa.types.is_string(column.type):
            continue
        first = column.slice(0, _LOOKED_AT).drop_null()
        if 2 * (pc.sum(pc.match_substring_regex(first, number)).as_py() or 0) <= len(first):
            continue
        row = pc.index(pc.match_substring_regex(column, number), False).as_py() + 2
        notes.append(
            f"Column {at} is read as text: row {row:,} is not a number; correct it or leave the column out. Row 1 holds the names."
        )
    more = len(notes) - _MOST_NAMED
    return notes[:_MOST_NAMED] + ([f"The same holds for {more} more columns."] if more > 0 else [])
