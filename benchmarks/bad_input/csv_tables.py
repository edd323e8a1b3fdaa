"""CSV and TSV, uploaded or read by a release script, held against Python's csv module: as many rows, and each cell as the file has it."""

from __future__ import annotations

import csv
import io
import math
import os
import re
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd

from par_core.errors import DataError
from par_core.export.scripts import reading
from par_core.tables.file_format import MISSING
from par_core.tables.table import Table, read_table

CSV = (
    b"who,age,ward,cost,day\na,17,North,1.5,2020-01-01\nb,40,South,2.25,2020-01-02\nc,65,North,,2020-02-03\nd,33,East,9,2021-12-31\n",
    b"who;age;cost\na;17;1,5\nb;40;2,25\nc;65;1.000,5\n",
    b'name\tcount\n"M\xc3\xbcller, A"\t1,000\n"O ""K"""\t2,500\nx\t3\n',
    b"v\n1\n2\n\n3\n",
    b"with,without\n1,0\n0,1\n2,1\n0,0\n",
    "who,paid\nA,€ 3\nB,4\nC,5 €\n".encode("cp1252"),
)


def second_reading(data: bytes, table: Table) -> str | None:
    """Hold a table against Python's csv module: as many rows, and each number and text as the file has it."""
    how = table.written
    text = data.decode(how.encoding)
    text = re.sub(r"\Asep=.\r?\n", "", text.lstrip("\r\n"))
    cells = list(csv.reader(io.StringIO(text, newline=""), delimiter=how.separator))
    width = len(table.columns)
    body = [row for row in cells[1:] if (width == 1 or len(row) > 1)]
    body = [row or [""] for row in body if width == 1 or any(cell.strip(" ") for cell in row)]
    if len(body) != table.rows:
        return f"{table.rows} rows, {len(body)} by a second reading"
    own = dict(how.columns)
    for at, column in enumerate(table.columns):
        for row, value in zip(body, table.frame[column.name].tolist(), strict=True):
            if wrong := differs(row[at], value, own.get(column.name, how.decimal), column.kind, own=column.name in own):
                return f"{wrong} in column {at + 1}"
    return None


def differs(cell: str, value: Any, how: str, kind: str, *, own: bool, script: bool = False) -> str | None:
    if cell in MISSING or (own and cell.strip() in MISSING):
        return None if pd.isna(value) else f"{cell!r} became {value!r}"
    if kind == "number" and script and re.fullmatch("0[xX][0-9a-fA-F]+", cell):
        return None if value == int(cell, 16) else f"{cell!r} became {value!r}"  # as Arrow reads it
    if kind == "number":
        plain = cell.strip().replace("\u202f", " ").replace("\u00a0", " ")
        if own:
            # Whatever else stands between digits sets off thousands, once the sign before the decimals is known.
            plain = re.sub(rf"(?<=\d)[^\deE{re.escape(how)}](?=\d{{3}})", "", plain)
            plain = re.sub(r"[€$£%¥]|[A-Z]{3}| ", "", plain)
        plain = plain.replace(how, ".")
        try:
            meant = float(plain)
        except ValueError:
            return f"{cell!r} became the number {value!r}"
        near = value == meant or math.isclose(float(value), meant, rel_tol=1e-15)
        return None if near or (math.isnan(meant) and pd.isna(value)) else f"{cell!r} became {value!r}"
    if kind == "text" and str(value) != cell.strip():
        return f"{cell!r} became {value!r}"
    return None


def take_csv(data: bytes) -> str | None:
    table = read_table("a.csv", data)
    return second_reading(data, table) if "CSV" in table.form or "TSV" in table.form else None


SCRIPT = {
    "COLUMNS": ["age", "ward"],
    "TEXT_COLUMNS": ["ward"],
    "WRITTEN": {},
    "SEPARATOR": ",",
    "MISSING": list(MISSING),
}


def take_by_script(data: bytes) -> str | None:
    vars(reading).update(SCRIPT)
    path = Path(tempfile.gettempdir(), f"bad_input_{os.getpid()}.csv")
    path.write_bytes(data)
    try:
        frame = reading.read(path)
    except SystemExit as error:
        raise DataError(str(error)) from error
    finally:
        path.unlink()
    if data.startswith((b"\x1f\x8b", b"PAR1")):
        return None
    cells = list(csv.reader(io.StringIO(data.decode("utf-8-sig").lstrip("\r\n"), newline="")))
    names = [each.strip() for each in cells[0]]
    body = [row for row in cells[1:] if len(row) > 1 and any(cell.strip(" ") for cell in row)]
    if len(body) != len(frame):
        return f"{len(frame)} rows, {len(body)} by a second reading"
    kind = "number" if pd.api.types.is_numeric_dtype(frame["age"]) else "text"
    for row, age, ward in zip(body, frame["age"].tolist(), frame["ward"].tolist(), strict=True):
        for name, value, as_kind in (("age", age, kind), ("ward", ward, "text")):
            if wrong := differs(row[names.index(name)], value, ".", as_kind, own=False, script=True):
                return wrong
    return None
