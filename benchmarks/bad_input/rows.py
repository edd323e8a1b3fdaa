"""Rows of numbers in a text file, as a field of a page reads them."""

from __future__ import annotations

import re

from benchmarks.bad_input.damage import DECIMAL
from pages.shared import rows_field
from pages.shared.packed_settings import rows
from par_core.errors import DataError

_ROWS = rows("costs", "Costs", ((0.1, 1000.0), (0.5, 5000.0)), most=50)
ROWS = (b"epsilon,cost\n0.1,1000\n0.5,5000\n1,9000.5\n", b"0.1\t1000\n0.5\t5000\n")


def take_rows(data: bytes) -> str | None:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise DataError("the file must be text in UTF-8, such as CSV") from error
    table = rows_field.read(_ROWS, text)
    lines = [re.split(r"[\s,;]+", line.strip(" \t,;")) for line in text.splitlines() if line.strip()]
    meant = [tuple(map(float, line)) for line in lines if all(map(DECIMAL.fullmatch, line))]
    return None if list(table) == meant else f"{table} and not {meant}"
