"""Settings that fill no single widget, each in one parameter that begins with its version: tables of numbers, kept scenarios.

A table reads `1 0.1_1000 0.5_5000` (in an address a space is a `+`): the version, then its rows. Of kept scenarios each is the
query string of its own settings. A version that is unknown here is refused with a sentence, like every value that cannot be used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from pages.shared.settings import Setting
from par_core.errors import ParameterError
from par_core.scenario import exact_text, is_decimal

VERSION = "1"
_ROW, _CELL, _NONE = " ", "_", "none"

Rows = tuple[tuple[float, ...], ...]
Kept = tuple[tuple[str, str], ...]


def rows(key: str, label: str, default: Rows, *, most: int, check: Callable[[Rows], object] = len) -> Setting[Rows]:
    """Return a setting that holds a table of numbers, as many in each row as in the default.

    It may have `most` rows: an address has to hold them. `check` raises ParameterError for a table that makes no sense.
    """
    width = len(default[0])

    def read(text: str) -> Rows:
        parts = _parts(label, text, most, " rows")
        table = tuple(_row(label, number, part.split(_CELL), width) for number, part in enumerate(parts, start=1))
        check(table)
        return table

    def write(table: Rows) -> str:
        return (
            _ROW.join([VERSION, *(_CELL.join(exact_text(cell) for cell in row) for row in table)]) if table else _NONE
        )

    return Setting(key, label, default, read, write)


def kept(key: str, label: str, *, of: Sequence[Setting[Any]], most: int) -> Setting[tuple[Kept, ...]]:
    """Return a setting that holds the values of other settings (`of`) as they stood when they were kept, up to `most` times."""
    known = {setting.key: setting for setting in of}

    def read(text: str) -> tuple[Kept, ...]:
        return tuple(check(part) for part in _parts(label, text, most))

    def check(part: str) -> Kept:
        pairs = tuple(parse_qsl(part, keep_blank_values=True))
        for name, value in pairs:
            if name not in known:
                raise ParameterError(f"{label} must hold settings of this page, got {name[:40]!r}")
            known[name].read(value)
        return pairs

    def write(entries: tuple[Kept, ...]) -> str:
        return _ROW.join([VERSION, *(urlencode(entry) for entry in entries)]) if entries else _NONE

    return Setting(key, label, (), read, write)


def take(settings: Sequence[Setting[Any]]) -> Kept:
    """Return the present values of settings, to be kept."""
    return tuple((setting.key, setting.write(setting.value())) for setting in settings)


def present(settings: Sequence[Setting[Any]]) -> dict[str, Any]:
    """Return the present values of settings by their keys."""
    return {setting.key: setting.value() for setting in settings}


def restored(settings: Sequence[Setting[Any]], entry: Kept) -> dict[str, Any]:
    """Return the kept values of settings by their keys; one that an older link did not know stands at its default."""
    texts = dict(entry)
    return {each.key: each.read(texts[each.key]) if each.key in texts else each.default for each in settings}


def _parts(label: str, text: str, most: int, of: str = "") -> list[str]:
    if text == _NONE:
        return []
    version, *parts = text.split(_ROW)
    if version != VERSION:
        raise ParameterError(f"{label} must be of version {VERSION}, the only one known here, got {text[:40]!r}")
    if len(parts) > most:
        raise ParameterError(f"{label} must be at most {most}{of}, got {len(parts)}")
    return parts


def _row(label: str, number: int, cells: Sequence[str], width: int) -> tuple[float, ...]:
    if len(cells) != width:
        raise ParameterError(f"{label}: row {number} must have {width} numbers, got {len(cells)}")
    for cell in cells:
        if not is_decimal(cell):
            raise ParameterError(
                f"{label}: row {number} must hold numbers with a point for decimals, got {cell[:40]!r}"
            )
    return tuple(float(cell) for cell in cells)
