"""How the cells of a column write numbers and dates: told from all of them, and said; what could mean two things stays text."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from contextlib import suppress
from datetime import date
from typing import Final

import pyarrow as pa
import pyarrow.compute as pc

_TIME: Final = r"( ([01]?\d|2[0-3])(:[0-5]\d){1,2})?"
_YEAR_FIRST: Final = rf"^\s*\d{{4}}[./-]\d{{1,2}}[./-]\d{{1,2}}{_TIME}\s*$"
_YEAR_LAST: Final = rf"^\s*\d{{1,2}}[./-]\d{{1,2}}[./-]\d{{4}}{_TIME}\s*$"
_SHORT_YEAR: Final = r"^\s*\d{1,2}[./-]\d{1,2}[./-]\d{2}\s*$"
_AS_DATES: Final = {
    "dmy": "read as dates, day first: 03/04/2020 is 3 April 2020.",
    "mdy": "read as dates, month first: 03/04/2020 is 4 March 2020.",
    "ymd": "read as dates, year first: 2020/04/03 is 3 April 2020.",
    "": "read as text: 03/04/2020 may be 3 April or 4 March, and nothing in the file tells which. Write 2020-04-03.",
}
_LOOKED_AT: Final = 1_000
_MOST_NAMED: Final = 5


# The three functions that follow stand in release scripts as they are, so that a script reads what was read here.


def number_pattern(decimal: str) -> str:
    """Return what a number matches that has this sign, "." or ",", before its decimals; thousands may be set off.

    Where an exponent follows, they are not. What stands for no number or an infinite one matches whatever the sign is.
    """
    other = "," if decimal == "." else "."
    groups = "|".join(rf"([{each}]\d{{3}})+" for each in (other, " ", "'", "\u2019", "\u00a0", "\u202f", "\u2009"))
    plain = rf"(\d+([{decimal}]\d*)?|[{decimal}]\d+)([eE][-+]?\d+)?"
    return rf"^\s*[-+]?({plain}|[1-9]\d{{0,2}}({groups})([{decimal}]\d*)?|(?i:inf(inity)?|nan))\s*$"


def numbers_in(column: pa.ChunkedArray, decimal: str) -> pa.ChunkedArray:
    """Return the numbers in a column of text; `decimal` stands before the decimals, other signs between thousands."""
    if not pc.all(pc.match_substring_regex(column, number_pattern(decimal)), min_count=0).as_py():
        raise pa.ArrowInvalid("a cell is no number")
    bare = pc.replace_substring_regex(column, rf"[^\dA-Za-z{decimal}-]", "")
    bare = pc.replace_substring(bare, ",", ".")
    whole = not pc.any(pc.match_substring_regex(bare, "[.A-Za-z]"), min_count=0).as_py()
    return bare.cast(pa.int64() if whole else pa.float64())


def dates_in(column: pa.ChunkedArray, order: str) -> pa.ChunkedArray:
    """Return the dates in a column of text; `order` is "dmy", "mdy" or "ymd"."""
    padded = pc.replace_substring_regex(pc.utf8_trim_whitespace(column), r"\b(\d)\b", r"0\1")
    first, third = (r"(\d{4})", r"(\d\d)") if order == "ymd" else (r"(\d\d)", r"(\d{4})")
    to = {"dmy": r"\3-\2-\1\4", "mdy": r"\3-\1-\2\4", "ymd": r"\1-\2-\3\4"}[order]
    iso = pc.replace_substring_regex(padded, rf"^{first}[./-](\d\d)[./-]{third}(.*)$", to)
    return iso.cast(pa.timestamp("s"))


def recognise(
    table: pa.Table, texts_of: Callable[[list[int], bool], pa.Table], *, separator: str
) -> tuple[pa.Table, dict[int, str], list[str]]:
    """Return the table with numbers and dates for texts that are some, how these are written by place, and what there is to say.

    `texts_of` some places gives their cells as they stand, of all rows or of some at the beginning. A column is written as its
    `decimal` in `numbers_in` or its `order` in `dates_in` says.
    """
    texts = {at: each for at, each in enumerate(table.columns) if pa.types.is_string(each.type)}
    decimals, said = _decimals(table, texts, texts_of, separator=separator)
    orders, of_dates = _orders(texts)
    written: dict[int, str] = {}
    for at, notation in (decimals | orders).items():
        text = texts[at]
        try:
            read = None if not notation else dates_in(text, notation) if at in orders else numbers_in(text, notation)
        except pa.ArrowInvalid:  # whole numbers of more than 64 bits
            read = None
        if read is not None:
            written[at] = notation
        table = table.set_column(at, table.field(at).name, text if read is None else read)
    doubtful = {at for at, notation in (decimals | orders).items() if not notation}
    kept = {at: what for at, what in (said | of_dates).items() if at in written or not (decimals | orders).get(at)}
    return table, written, [*_by_columns(kept), *_nearly(table, doubtful)]


def columns_named(places: Collection[int]) -> str:
    """Return columns by their numbers, or a few of them."""
    named = [f"{at + 1:,}" for at in sorted(places)][:_MOST_NAMED]
    more = [f"{len(places) - len(named):,} more"] * (len(places) > len(named))
    *first, last = [*named, *more]
    return f"Columns {', '.join(first)} and {last}" if first else f"Column {last}"


def _by_columns(said: dict[int, str]) -> list[str]:
    """Return what is said of columns, once for all of which the same is said."""
    places: dict[str, list[int]] = {}
    for at, what in said.items():
        places.setdefault(what, []).append(at)
    return [f"{columns_named(at)} {'are' if len(at) > 1 else 'is'} {what}" for what, at in places.items() if what]


# --- numbers ---


def _decimals(
    table: pa.Table,
    texts: dict[int, pa.ChunkedArray],
    texts_of: Callable[[list[int], bool], pa.Table],
    *,
    separator: str,
) -> tuple[dict[int, str], dict[int, str]]:
    """Return the sign before decimals of columns that are still text, "" for one that must stay so, and what is said of each.

    A column of 1.234, 5.678 and the like may hold thousands or decimals. Its other cells decide, then other columns; where nothing
    does, it stays text. Cells that commas separate hold no decimal commas, unless other columns show some.
    """
    fits = {at: fitting for at, column in texts.items() if (fitting := _fitting(column))}
    clear: set[str] = set()
    if separator != "," or "," in fits.values():
        doubtful = [at for at, column in enumerate(table.columns) if pa.types.is_floating(column.type)]
        for beginning in (True, False):  # most columns show in their first rows that they are not in doubt
            again = dict(zip(doubtful, texts_of(doubtful, beginning).columns, strict=True)) if doubtful else {}
            seen = {at: _fitting(column) for at, column in again.items() if column.null_count < len(column)}
            clear |= {each for each in seen.values() if len(each) == 1}
            doubtful = [at for at in doubtful if len(seen.get(at, ".,")) != 1]
        doubtful = [at for at in doubtful if _has_sign(again[at])]
        texts.update({at: again[at] for at in doubtful})
        fits |= dict.fromkeys(doubtful, ".,")
    clear |= {each for each in fits.values() if len(each) == 1}
    why = {",": ", since other numbers have a decimal comma", ".": ", since other numbers have a decimal point"}
    if not clear and separator == ",":
        why["."] = ", since commas separate the cells"
    decimal = clear.pop() if len(clear) == 1 else "." if separator == "," else ""
    two = {at for at, each in fits.items() if len(each) == 2 and _has_sign(texts[at])}
    found = {at: decimal if at in two else each[0] for at, each in fits.items()}
    return found, {at: _as_read(texts[at], each, why[each] if each and at in two else "") for at, each in found.items()}


def _fitting(column: pa.ChunkedArray) -> str:
    """Return the signs, of "." and ",", that can stand before the decimals of all numbers in a column; none if it holds others."""
    return "".join(each for each in ".," if _all_match(column, number_pattern(each)))


def _all_match(column: pa.ChunkedArray, pattern: str) -> bool:
    """Whether all cells that are not missing match; most columns that do not show it in their first cells."""
    for part in (column.slice(0, _LOOKED_AT), column):
        if not pc.all(pc.match_substring_regex(part, pattern), min_count=0).as_py():
            return False
    return bool(column.null_count < len(column))


def _has_sign(column: pa.ChunkedArray) -> bool:
    return bool(pc.any(pc.match_substring_regex(column, "[.,]")).as_py())


def _as_read(column: pa.ChunkedArray, decimal: str, why: str) -> str:
    """Return how the numbers in a column are read, by an example that is written as they are, and why if they could be others."""
    if not decimal:
        sign = "." if pc.any(pc.match_substring(column, ".")).as_py() else ","
        return (
            f"read as text: 1{sign}234 may mean 1234 or 1.2340, and nothing in the file tells which. "
            f"Write 1234 or 1{sign}2340 there instead."
        )
    between = next((sign for sign in ".,'\u2019" if sign != decimal and _stands(column, sign)), "")  # spaces are clear
    ends = "" if why or not _stands(column, decimal) else "5"
    if between:
        example, said = f"1{between}234{decimal if ends else ''}{ends}", f"1 234{'.' if ends else ''}{ends}"
    elif why or (ends and decimal == ","):
        example, said = (f"1{each}{ends or '234'}" for each in (decimal, "."))
    else:
        return ""
    return f"read as numbers: {example} as {said}{why}."


def _stands(column: pa.ChunkedArray, sign: str) -> bool:
    return bool(pc.any(pc.match_substring_regex(column, rf"\d[{sign}]\d")).as_py())


# --- dates ---


def _orders(texts: dict[int, pa.ChunkedArray]) -> tuple[dict[int, str], dict[int, str]]:
    """Return the order of columns of dates, "" for one that must stay text, and what is said of each.

    With points between them the day comes first, everywhere; otherwise a day above 12 tells, in the column or in another one.
    """
    possible: dict[int, list[str]] = {}
    said: dict[int, str] = {}
    for at, column in texts.items():
        if _all_match(column, _SHORT_YEAR):
            said[at] = "read as text: its years have only two digits. Write all four, as in 2020-04-03."
        orders = ["ymd"] * _all_match(column, _YEAR_FIRST) or ["dmy", "mdy"] * _all_match(column, _YEAR_LAST)
        readable = [each for each in orders if _are_dates(column, each)]
        if readable:
            points = len(readable) == 2 and pc.any(pc.match_substring(column, ".")).as_py()
            possible[at] = readable[:1] if points else readable
    clear = {each[0] for each in possible.values() if len(each) == 1} - {"ymd"}
    one = clear.pop() if len(clear) == 1 else ""
    found = {at: orders[0] if len(orders) == 1 else one for at, orders in possible.items()}
    signs = {at: next(sign for sign in "./-" if pc.any(pc.match_substring(texts[at], sign)).as_py()) for at in found}
    return found, said | {at: _AS_DATES[order].replace("/", signs[at]) for at, order in found.items()}


def _are_dates(column: pa.ChunkedArray, order: str) -> bool:
    try:
        dates_in(column, order)
    except pa.ArrowInvalid:
        return False
    return True


def _is_date(text: str | None) -> bool:
    """Whether a text is a date in some order."""
    if text is None or not re.match(f"{_YEAR_FIRST}|{_YEAR_LAST}", text):
        return text is None
    one, two, three = (int(each) for each in re.split(r"[./-]", text.split()[0]))
    for year, month, day in ((one, two, three), (three, two, one), (three, one, two)):
        with suppress(ValueError):
            return bool(date(max(year, 1), month, day))
    return False


# --- what is nearly a number or a date ---


def _nearly(table: pa.Table, told: Collection[int]) -> list[str]:
    """Name the columns that a few odd cells turned into text: the first such cell of each by its row, never by what it holds.

    Most of the first cells have to be numbers, or dates; only then is the rest of the column looked at. What stays text because
    its cells could mean two things is `told`.
    """
    notes = []
    for at, column in enumerate(table.columns):
        if at in told or not pa.types.is_string(column.type):
            continue
        first = column.slice(0, _LOOKED_AT).drop_null()
        patterns = [number_pattern(each) for each in ".,"]
        either = "|".join(patterns)
        if 2 * (pc.sum(pc.match_substring_regex(first, either)).as_py() or 0) > len(first):
            row = pc.index(pc.match_substring_regex(column, either), False).as_py()
            rows = [pc.index(pc.match_substring_regex(column, each), False).as_py() for each in patterns]
            what, two_ways = (
                "number",
                f"its numbers in rows {min(rows) + 2:,} and {max(rows) + 2:,} cannot both be read in one notation",
            )
            if row < 0 > min(rows):  # whole numbers of more than 64 bits
                continue
        elif 2 * sum(map(_is_date, first.to_pylist())) > len(first):
            row = next((row for row, text in enumerate(column.to_pylist()) if not _is_date(text)), -1)
            what, two_ways = "date", "some of its dates have another order than others"
        else:
            continue
        why = f"row {row + 2:,} is not a {what}; correct it or leave the column out" if row >= 0 else two_ways
        notes.append(f"Column {at + 1} is read as text: {why}. Row 1 holds the names.")
    more = len(notes) - _MOST_NAMED
    return notes[:_MOST_NAMED] + ([f"The same holds for {more} more columns."] if more > 0 else [])
