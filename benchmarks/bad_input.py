"""Files, addresses and argument lists as nobody would write them: each is refused in one sentence, or means what it says.

Run: make bad-input, or make bad-input OPTIONS="--number 100 --only CSV"

Files are good ones with a few faults, or any bytes, drawn by hypothesis with a fixed seed. What is taken is compared with a second
reading that shares no code with the first: Python's csv, json, tomllib and numpy. Exit code 1 where a case has a traceback, hangs,
or is read as something else than it says.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import datetime
import io
import json
import logging
import math
import os
import random
import re
import shlex
import signal
import sys
import tempfile
import time
import tomllib
import traceback
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import click
import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st

from pages.shared import app_shell, rows_field
from pages.shared.navigation import PAGES
from pages.shared.packed_settings import rows
from par_core.cli import par
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.export.scripts import reading
from par_core.ledger import Ledger, Policy, append, of_other_tool
from par_core.plan import NamedRelease, Plan, Release, from_address, from_toml, in_address, to_toml
from par_core.queries import CountBy, Sum
from par_core.scenario import FIELDS, Neighbours, Scenario, from_file, plan_in, wishes_in
from par_core.tables.file_format import MISSING
from par_core.tables.table import Table, read_table
from tests.pages.conftest import View

SEED = 20261128
SLOW, HANGS = 2.0, 30.0  # seconds
SENTENCE = 600  # letters
NO_NUMBERS = (
    "nan",
    "inf",
    "-inf",
    "1e999",
    "two",
    "0,5",
    "1_000",
    "0x10",
    "٣",
    "１",
    "1 000",
    "",
    " ",
    "--",
    "1e",
    "\u202e1",
)
ODD = (
    *NO_NUMBERS,
    *("-1", "0", "-0", "1e308", "5e-324", "1e-400", "9" * 400, "+1", "true", "null", '"1"', "[1]", "{}", "=1+1", "é"),
    *("1.000,5", "2020-02-30", "\0", "\x1a", "\ufeff", "\ud7ff", "\r", "\n\n", '"', "'", ",", ";", "\t", "[", "]]", "}", "#"),
)  # fmt: skip
NUMBER = re.compile(rb"-?\d+(\.\d+)?(e-?\d+)?")
DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


class HangError(BaseException):
    """A case took too long; no handler of the project catches it."""


@dataclass
class Cases:
    """What became of the cases of one reader."""

    what: str
    most: float = SLOW
    refused: int = 0
    taken: int = 0
    slow: list[str] = field(default_factory=list)
    longest: float = 0.0
    tracebacks: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def add(self, case: object, read: Callable[[], str | None]) -> None:
        """Read a case: an answer of words says what is wrong with what was taken."""
        start = time.process_time()
        signal.setitimer(signal.ITIMER_REAL, HANGS)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error", UserWarning)
                warnings.simplefilter("error", RuntimeWarning)
                wrong = read()
            self.taken += 1
            if wrong:
                self.wrong.append(f"{wrong}: {shown(case)}")
        except (DataError, ParameterError, InfeasibleError, Refused) as error:
            self.refused += 1
            if not is_sentence(str(error)):
                self.wrong.append(f"no sentence: {str(error)!r}: {shown(case)}")
        except (Exception, HangError) as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            self.tracebacks.append(
                f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}: {str(error)[:120]}: {shown(case)}"
            )
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
        spent = time.process_time() - start  # whatever else the machine does
        if spent > self.most:
            self.slow.append(f"{spent:.1f} s: {shown(case)}")
        self.longest = max(self.longest, spent)

    @property
    def faults(self) -> list[str]:
        """What may not be."""
        return [*self.tracebacks, *self.wrong, *self.slow]

    def row(self) -> str:
        """Return a line of the table."""
        number = self.refused + self.taken + len(self.tracebacks)
        cells = (number, self.refused, self.taken, len(self.tracebacks), len(self.wrong), len(self.slow))
        return f"| {self.what} | {' | '.join(f'{each:,}' for each in cells)} | {self.longest * 1000:,.0f} ms |"


class Refused(Exception):  # noqa: N818  # a script or a command that said no
    """What was said instead of an answer."""


def shown(case: object) -> str:
    text = repr(case)
    return text if len(text) < 900 else f"{text[:600]} … {text[-200:]}"


def is_sentence(text: str) -> bool:
    return 0 < len(text) < SENTENCE and "\n" not in text and "Traceback" not in text


# --- files with faults ---


@st.composite
def damaged(draw: st.DrawFn, *good: bytes) -> bytes:
    """A good file with one to four faults; now and then any bytes."""
    if draw(st.integers(0, 19)) == 0:
        return draw(st.binary(max_size=200))
    data = draw(st.sampled_from(good))
    for _ in range(draw(st.sampled_from((1, 1, 2, 4)))):
        odd = draw(st.sampled_from(ODD)).encode()
        at = draw(st.integers(0, len(data)))
        numbers, lines = list(NUMBER.finditer(data)), data.split(b"\n")
        match draw(st.integers(0, 9)):
            case 0 | 1 | 2 | 3 if numbers:
                found = draw(st.sampled_from(numbers))
                data = data[: found.start()] + odd + data[found.end() :]
            case 4:
                data = data[:at] + odd + data[at:]
            case 5:
                data = data[:at] + data[at + draw(st.integers(1, 12)) :]
            case 6:
                data = data[:at] + draw(st.binary(min_size=1, max_size=3)) + data[at + 1 :]
            case 7:
                data = b"\n".join([*lines, draw(st.sampled_from(lines))])
            case 8:
                lines.pop(draw(st.integers(0, len(lines) - 1)))
                data = b"\n".join(lines)
            case _:
                data = data[:at]
    return data


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
            plain = re.sub(rf"(?<=\d)[^\d{re.escape(how)}](?=\d{{3}})", "", plain)
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


def npz(**arrays: Any) -> bytes:
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


MATRIX = np.arange(12.0).reshape(3, 4)
NPZ = (
    npz(values=MATRIX),
    npz(values=MATRIX.T.astype("i4"), individuals=np.array(["a", "b", "c", "d"]), databases=np.arange(2001, 2004)),
)


@st.composite
def damaged_npz(draw: st.DrawFn) -> bytes:
    """An archive with faults, or a sound one whose arrays have faults."""
    if draw(st.integers(0, 3)) == 0:
        return draw(damaged(*NPZ))
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(draw(st.sampled_from(NPZ)))) as old, zipfile.ZipFile(out, "w") as new:
        hit = draw(st.sampled_from(old.namelist()))
        for name in old.namelist():
            array = old.read(name)
            if name == hit:
                head = 10 + int.from_bytes(array[8:10], "little")
                body = draw(damaged(array[:head])), array[head:]
                array = b"".join(body) if draw(st.booleans()) else array[:head] + draw(damaged(array[head:]))
            new.writestr(draw(st.sampled_from((name, name, name, name, "values.npy", "../x.npy"))), array)
    return out.getvalue()


def take_npz(data: bytes) -> str | None:
    table = read_table("a.npz", data)
    if "NPZ" not in table.form:
        return None
    held = np.load(io.BytesIO(data), allow_pickle=False)["values"]
    numbers = table.frame.iloc[:, len(table.columns) - held.shape[1] :].to_numpy(dtype=float)
    return None if np.array_equal(numbers, held.astype(float), equal_nan=True) else "other numbers than numpy reads"


def parquet(**options: Any) -> bytes:
    out = io.BytesIO()
    columns = {"who": ["a", "b", "a", None], "age": [1, 2, 3, 4], "cost": [0.5, None, 1.5, 1e300]}
    pq.write_table(pa.table(columns), out, **options)
    return out.getvalue()


PARQUET = (parquet(), parquet(compression="none", use_dictionary=False), parquet(compression="gzip", data_page_version="2.0"))  # fmt: skip


def take_parquet(data: bytes) -> str | None:
    table = read_table("a.parquet", data)
    if table.form != "Parquet":
        return None
    held = pd.read_parquet(io.BytesIO(data), engine="pyarrow")
    return None if held.shape == table.frame.shape else "another shape than pandas reads"


ONCE_A_KEY = {"object_pairs_hook": lambda pairs: pairs}


def twice(pairs: Any) -> bool:
    """Whether an object in JSON, read as pairs, has a key twice: which one counts, nobody can say."""
    if isinstance(pairs, list) and all(isinstance(each, tuple) for each in pairs):
        return len({key for key, _ in pairs}) < len(pairs) or any(twice(value) for _, value in pairs)
    return isinstance(pairs, list) and any(map(twice, pairs))


LINE = "2~counts_12_r3_t12~mean_l0_u110_n9277_t12~quantile_q0.5_d111~sum_u50_w2~numbers_3_s2"
SCENARIO = (
    Scenario().to_file().encode(),
    Scenario(epsilon0=0.25, k=3, releases=7).to_file({"we": "1"}, "1~counts_12_r3").encode(),
)


def take_scenario(data: bytes) -> str | None:
    scenario, missing = from_file(data)
    wishes_in(data), plan_in(data)
    held = json.loads(data, **ONCE_A_KEY)
    if twice(held):
        return "a key stands there twice"
    held, labels = dict(held), {each.label: each.name for each in FIELDS}
    for name, value in asdict(scenario).items():
        stands = getattr(Scenario(), name) if name in {labels[each] for each in missing} else held[name]
        if value != stands or isinstance(stands, bool):
            return f"{name} is {value!r}"
    return None


_COUNTS = CountBy(("district",), (("north", "south"),))
_OF_COUNTS = Release(_COUNTS.shape, rows_per_person=3, mechanism="discrete-laplace", times=12)
_SUM = Sum("cost", 0, 50)
_NAMED = (NamedRelease(_OF_COUNTS, _COUNTS, person="patient"), NamedRelease(Release(_SUM.shape, times=4), _SUM))
PLAN = (
    to_toml(Plan(tuple(each.release for each in _NAMED), budget=3.0), _NAMED).encode(),
    b'format = 1\nepsilon0 = 0.6\nneighbours = "add-or-remove"\ndelta = 1e-6\n\n[[release]]\nquantile = "age"\nbounds = [0, 110]\nstep = 1'
    b'\nwhere = ["ward", "in", ["A", "B"]]\n'
    b'\n[[release]]\nmean = "cost"\nbounds = [0, 50]\nsize = 100\nby = "ward"\ncategories = ["A", "B"]\n'
    b'\n[[release]]\nhistogram = "age"\nedges = [0, 18, 65]\nweight = 2\n',
)


def take_plan(data: bytes) -> str | None:
    plan, named = from_toml(data)
    held = tomllib.loads(data.decode("utf-8-sig"))
    if any(getattr(plan, name) != held[name] for name in ("epsilon0", "delta", "neighbours")):
        return "its levels are others"
    if plan.budget != held.get("budget"):
        return "its budget is another"
    for each, cells in zip(named, held["release"], strict=True):
        for name in ("rows_per_person", "times", "weight", "rows", "size", "statistics", "mechanism"):
            if name in cells and getattr(each.release, name) != cells[name]:
                return f"{name} is {getattr(each.release, name)!r}"
        query = each.query
        for name, values in (("edges", getattr(query, "edges", ())), ("step", getattr(query, "step", None))):
            if name in cells and (list(values) if name == "edges" else values) != cells[name]:
                return f"{name} is {values!r}"
        if "bounds" in cells and [query.lower, query.upper] != cells["bounds"]:
            return f"bounds are {query!r}"
    return None if from_toml(to_toml(plan, named)) == (plan, named) else "saved, it is another plan"


POLICY = (
    b'format = 1\ndata_set = "visits"\ndelta = 1e-6\nepsilon_per_release = 1\nepsilon_per_year = 6\nepsilon_for_ever = 10\n'
    b'smallest_group = 20\nmechanisms = ["laplace", "discrete-laplace"]\napprovers = ["DPO"]\nneighbours = "add-or-remove"\n',
)


def take_policy(data: bytes) -> str | None:
    policy, held = Policy.from_toml(data), tomllib.loads(data.decode("utf-8-sig"))
    del held["format"]
    for name, value in held.items():
        here = getattr(policy, name)
        if (list(here) if isinstance(here, tuple) else here) != value or isinstance(value, bool):
            return f"{name} is {here!r}"
    return None


def a_ledger() -> bytes:
    from par_core.ledger import released, reserved

    day, plan = datetime.date(2026, 3, 1), from_toml(PLAN[0])[0]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "ledger.jsonl")
        append(path, of_other_tool("OpenDP", "visits", day, epsilon=0.5, delta=0.0, neighbours=Neighbours.ADD_OR_REMOVE))  # fmt: skip
        append(path, released(plan, "visits", day, release=1))
        append(path, reserved(plan, "visits", day))
        return path.read_bytes()


def resealed(data: bytes) -> bytes:
    """Give each line of a ledger a right seal, as an enemy would: what is in it is then all that can be refused."""
    import hashlib

    lines = []
    for line in data.split(b"\n"):
        body, found, _ = line.rpartition(b',"seal":"')
        seal = hashlib.sha256(body + b"}").hexdigest().encode()
        lines.append(body + b',"seal":"' + seal + b'"}' if found else line)
    return b"\n".join(lines)


def take_ledger(data: bytes) -> str | None:
    ledger = Ledger.from_bytes(data)
    whole = [each for each in data.split(b"\n") if each.strip() and not each.rstrip().endswith(b"#torn")]
    held = []
    for line in whole:
        with contextlib.suppress(ValueError):
            held.append(json.loads(line, **ONCE_A_KEY))
    if any(map(twice, held)):
        return "a key stands there twice"
    by_id = {dict(each)["id"]: dict(each) for each in held}
    if len(ledger.records) + len(ledger.taken) != len(by_id):
        return f"{len(ledger.records)} records of {len(by_id)} lines"
    for record in ledger.records:
        line = by_id[record.id]
        for name in ("times", "delta", "data_set", "epsilon0", "tool"):
            if name in line and getattr(record, name) != line[name]:
                return f"{name} is {getattr(record, name)!r}"
    return None


def take_address(data: bytes) -> str | None:
    text = data.decode("utf-8", "replace")
    releases = from_address(text)
    if from_address(in_address(releases)) != releases:
        return "written again, it is another plan"
    for release, part in zip(releases, text.split("~")[1:], strict=True):
        for cell in part.split("_")[1:]:
            if re.fullmatch(r"[trn]\d+", cell):
                name = {"t": "times", "r": "rows_per_person", "n": "rows"}[cell[0]]
                if getattr(release, name) != int(cell[1:]):
                    return f"{name} is {getattr(release, name)}"
    return None


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


SCRIPT = {
    "COLUMNS": ["age", "ward"],
    "TEXT_COLUMNS": ["ward"],
    "WRITTEN": {},
    "SEPARATOR": ",",
    "MISSING": list(MISSING),
}


def take_by_script(data: bytes) -> str | None:
    """Read a file as a release script does that was made for the first CSV file."""
    vars(reading).update(SCRIPT)
    path = Path(tempfile.gettempdir(), f"bad_input_{os.getpid()}.csv")
    path.write_bytes(data)
    try:
        frame = reading.read(path)
    except SystemExit as error:
        raise Refused(str(error)) from error
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


def readers() -> dict[str, tuple[st.SearchStrategy[bytes], Callable[[bytes], str | None]]]:
    ledger = a_ledger()
    return {
        "CSV and TSV": (damaged(*CSV), take_csv),
        "NPZ": (damaged_npz(), take_npz),
        "Parquet": (damaged(*PARQUET), take_parquet),
        "a table by a release script": (damaged(CSV[0]), take_by_script),
        "scenario.json": (damaged(*SCENARIO), take_scenario),
        "plan.toml": (damaged(*PLAN), take_plan),
        "plan in a line": (damaged(LINE.encode()), take_address),
        "policy.toml": (damaged(*POLICY), take_policy),
        "ledger.jsonl": (damaged(ledger), take_ledger),
        "ledger.jsonl under a right seal": (damaged(ledger).map(resealed), take_ledger),
        "rows of numbers": (damaged(*ROWS), take_rows),
    }


def files(what: str, number: int) -> Cases:
    strategy, read = readers()[what]
    cases = Cases(what)

    @seed(SEED)
    @settings(
        max_examples=number, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=[*HealthCheck]
    )
    @given(strategy)
    def each(data: bytes) -> None:
        cases.add(data, lambda: read(data))

    each()
    return cases


# --- addresses ---


def value_of(draw: random.Random, setting: Any) -> str:
    if draw.random() < 0.5:
        return draw.choice(ODD)
    if setting.options:
        return draw.choice(list(setting.options))
    if setting.at_least is None or setting.at_most is None:
        whole = setting.write(setting.default)
        at = draw.randrange(len(whole) + 1)
        return draw.choice((whole, whole[:at] + draw.choice(ODD) + whole[at:], draw.choice(("0", "1", LINE))))
    low, high = setting.at_least, setting.at_most
    factor = draw.choice((1, 1, 1 - 1e-9, 1.001, -1, 1e300))
    return f"{draw.choice((low, high, draw.uniform(low, high))) * factor:.17g}"


def read_setting(setting: Any, text: str) -> str | None:
    value = setting.read(text)
    if setting.at_least is not None and setting.at_most is not None and isinstance(value, int | float):
        if not DECIMAL.fullmatch(text) or float(text) != value or not setting.at_least <= value <= setting.at_most:
            return f"{setting.key} became {value!r}"
        if setting.only_whole and not float(text).is_integer():
            return f"{setting.key} is no whole number"
    elif setting.options and not set(value if isinstance(value, list) else [value]) <= set(setting.options):
        return f"{setting.key} became {value!r}"
    return None if setting.read(setting.write(value)) == value else f"{setting.key} is another when written again"


def addresses(number: int) -> Cases:
    """Query strings of every page, a value each: the reader of a setting decides alone, and names what it refuses."""
    cases, draw = Cases("addresses"), random.Random(SEED)
    pages = [app_shell.settings_of(info.load()) for info in PAGES]
    for _ in range(number):
        page = draw.choice(pages)
        asked = [(each, value_of(draw, each)) for each in draw.sample(page, min(len(page), draw.choice((1, 2, 4, 6))))]

        def read(asked: list[tuple[Any, str]] = asked) -> str | None:
            refused = []
            for setting, text in asked:
                try:
                    if wrong := read_setting(setting, text):
                        return wrong
                except ParameterError as error:
                    refused.append(str(error))
                    if not is_sentence(refused[-1]):
                        return f"no sentence: {refused[-1]!r}"
            if refused:
                raise ParameterError(refused[0])
            return None

        cases.add([(setting.key, text) for setting, text in asked], read)
    return cases


def opened(number: int) -> Cases:
    """Such addresses in whole pages, all in one session: nothing unexpected happens there.

    A page computes at once what a browser waits for beside a bar: it gets more time.
    """
    cases, draw, view = Cases("addresses in a page", 10.0), random.Random(SEED), View()
    for _ in range(number):
        info = draw.choice(PAGES)
        page = info.load()
        known = app_shell.settings_of(page)
        asked = {each.key: value_of(draw, each) for each in draw.sample(known, min(len(known), 4))}
        if len(page.sections) > 1:
            asked[page.tab.key] = draw.choice(page.sections).slug

        def visit(info: Any = info, asked: dict[str, str] = asked) -> None:
            view.visit(info.module, **asked)
            if any("cannot be used" in each for each in view.warnings):
                raise ParameterError("the page names what it refuses")

        cases.add((info.module, asked), visit)
    return cases


# --- argument lists ---


def commands(group: click.Group, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from commands(command, (*words, name))
        else:
            yield (*words, name), command


def wrong_arguments(draw: random.Random, words: tuple[str, ...], command: Any) -> tuple[list[str], bool]:
    """An example of a command with faults; and whether one of its numbers is none, so that it has to be refused."""
    examples = [each.split("||")[0].split("|")[-1] for each in command.examples]
    own = [each for each in examples if each.strip().startswith(f"par {' '.join(words)}")]
    given = shlex.split(draw.choice(own or [f"par {' '.join(words)}"]))[1:]
    numbers = [
        at for at in range(1, len(given)) if DECIMAL.fullmatch(given[at]) and re.match(r"--", given[at - 1])
    ]  # the value of an option
    if numbers and draw.random() < 0.4:
        given[draw.choice(numbers)] = draw.choice(NO_NUMBERS)
        return given, True
    options = [each for each in command.params if isinstance(each, click.Option)]
    for _ in range(draw.choice((1, 1, 2, 3))):
        at = draw.randrange(len(words), len(given) + 1)
        match draw.randrange(6):
            case 0 if at < len(given):
                given[at] = draw.choice(ODD)
            case 1 if at < len(given):
                del given[at]
            case 2:
                given.insert(at, draw.choice(ODD))
            case 3 if at < len(given):
                given.insert(at, given[at])
            case 4 if at < len(given):
                given[at] = given[at][:2] + draw.choice(ODD) + given[at][2:]
            case _:
                option = draw.choice(options)
                given += [option.opts[0]] + [] * option.is_flag + [draw.choice((*ODD, "1", "0.5", "x.csv"))]
    return given, False


PANEL = "person,d1,d2,d3,d4\n" + "".join(f"p{at},{at},{at + 1},{at}.5,{3 * at}\n" for at in range(6))


def in_a_folder(folder: Path) -> None:
    """Put the files there that the examples name."""
    os.chdir(folder)
    outputs = "with,without\n" + "1,0\n0,1\n" * 20
    data = {"panel.csv": PANEL, "visits.csv": "patient,ward,cost\na,A,3\nb,B,7\na,A,9\nc,C,\n", "outputs.csv": outputs}
    for name, text in data.items():
        Path(name).write_text(text)
    Path("plan.toml").write_bytes(PLAN[0])
    Path("policy.toml").write_bytes(POLICY[0])


def argument_lists(number: int) -> Cases:
    cases, draw, runner = Cases("argument lists of par"), random.Random(SEED), CliRunner()
    known = [each for each in commands(par) if each[0] != ("completion",)]
    ledger = a_ledger()
    here = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        in_a_folder(Path(folder))
        for _ in range(number):
            Path("ledger.jsonl").write_bytes(ledger)
            words, command = draw.choice(known)
            given, refuse = wrong_arguments(draw, words, command)
            given = [each.replace("\0", "") for each in given]  # which no system hands over
            if words == ("check",):
                given.insert(1, "par-theorem-4")  # all claims take seconds, as its help says
            given = [each.replace("local", "tcp://nowhere") for each in given]  # starts no cluster

            def call(given: list[str] = given, refuse: bool = refuse) -> str | None:
                found = runner.invoke(par, given, catch_exceptions=False)
                if found.exit_code not in (0, 1, 2, 3):
                    return f"exit code {found.exit_code}"
                if found.exit_code in (1, 2):
                    raise Refused(found.stderr.strip().rpartition("\n")[2])  # above it progress may be told
                if refuse and "-h" not in given:
                    return "takes what is no number"
                if found.exit_code == 0 and "--format" in given and "json" in given and "-o" not in given:
                    json.loads(found.stdout or "{}", parse_constant=_no_constant)
                return None

            cases.add(given, call)
        os.chdir(here)
    return cases


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} in JSON")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=1000, help="of each reader; ten times as many addresses")
    parser.add_argument("--only", default="", help="what to try, by a part of its name")
    given = parser.parse_args()
    signal.signal(signal.SIGALRM, _hangs)
    warnings.simplefilter("ignore")
    logging.disable()  # of Streamlit without a server
    parts: dict[str, Callable[[], Cases]] = {what: lambda what=what: files(what, given.number) for what in readers()}
    parts["addresses"] = lambda: addresses(10 * given.number)
    parts["addresses in a page"] = lambda: opened(given.number // 4)
    parts["argument lists of par"] = lambda: argument_lists(given.number)
    print(
        "| what | cases | refused in a sentence | taken | tracebacks | wrong | too long | longest |\n|---|---|---|---|---|---|---|---|"
    )
    found = []
    for what, run in parts.items():
        if given.only.lower() in what.lower():
            found.append(run())
            print(found[-1].row(), flush=True)
    for each in found:
        for fault in each.faults[:12]:
            print(f"{each.what}: {fault}", file=sys.stderr)
    return int(any(each.faults for each in found))


def _hangs(*_: object) -> None:
    raise HangError("hangs")


if __name__ == "__main__":
    sys.exit(main())
