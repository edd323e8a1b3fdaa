"""How a table is written as text: what a script has to know to read the same cells as whoever planned with them."""

from __future__ import annotations

import codecs
from dataclasses import dataclass, field

from par_core.errors import ParameterError
from par_core.parameters import shown

MISSING = ("", "NA", "N/A", "n/a", "#N/A", "NaN", "nan", "-NaN", "-nan", "NULL", "Null", "null", "None", "<NA>", "#NA")
"""Cells that hold no value."""


@dataclass(frozen=True)
class FileFormat:
    """How a CSV file is written; a Parquet file needs none of it.

    `separator` is the one character between cells (one that is in no cell for a file of one column), `encoding` a name that
    Python knows, `decimal` the sign in its numbers, "." or ",", and `missing` are the cells that hold no value. `columns` are those
    with a notation of their own, by name: "." or ",", the sign before the decimals of numbers whose thousands may be set off, or the
    order of dates, "dmy", "mdy" or "ymd".
    """

    separator: str = ","
    encoding: str = "utf-8-sig"
    decimal: str = "."
    missing: tuple[str, ...] = MISSING
    columns: tuple[tuple[str, str], ...] = field(default=(), repr=False)

    def __post_init__(self) -> None:
        if not isinstance(self.separator, str) or len(self.separator) != 1 or self.separator in '\r\n"':
            raise ParameterError(f"separator must be one character, got {shown(self.separator)}")
        try:
            codecs.lookup(self.encoding)
        except (LookupError, TypeError, ValueError) as error:
            raise ParameterError(f"encoding must be one that Python knows, got {shown(self.encoding)}") from error
        if self.decimal not in (".", ",") or self.decimal == self.separator:
            raise ParameterError(f"decimal must be . or , and not the separator, got {shown(self.decimal)}")
        if not isinstance(self.missing, tuple) or not all(isinstance(each, str) for each in self.missing):
            raise ParameterError(f"missing must be a tuple of texts, got {shown(self.missing)}")
        if not isinstance(self.columns, tuple) or not all(
            isinstance(name, str) and how in (".", ",", "dmy", "mdy", "ymd") for name, how in self.columns
        ):
            raise ParameterError("columns must be pairs of a name and one of . , dmy, mdy and ymd")
