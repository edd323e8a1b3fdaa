"""policy.toml and ledger.jsonl, the latter also under a right seal, held against what Python's tomllib and json read."""

from __future__ import annotations

import contextlib
import datetime
import hashlib
import tempfile
import tomllib
from pathlib import Path

from benchmarks.bad_input.scenarios_and_plans import PLAN, decoded
from par_core.ledger import Ledger, Policy, append, of_other_tool, released, reserved
from par_core.plan import from_toml
from par_core.scenario import Neighbours

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


_PLAN = from_toml(PLAN[0])[0]
_DAY = datetime.date(2026, 3, 1)
with tempfile.TemporaryDirectory() as folder:
    _PATH = Path(folder, "ledger.jsonl")
    append(_PATH, of_other_tool("OpenDP", "visits", _DAY, epsilon=0.5, delta=0.0, neighbours=Neighbours.ADD_OR_REMOVE))
    append(_PATH, released(_PLAN, "visits", _DAY, release=1))
    append(_PATH, reserved(_PLAN, "visits", _DAY))
    LEDGER = _PATH.read_bytes()


def resealed(data: bytes) -> bytes:
    """Give each line of a ledger a right seal, as an enemy would: what is in it is then all that can be refused."""
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
            held.append(decoded(line))
    if any(twice for _, twice in held):
        return "a key stands there twice"
    by_id = {each["id"]: each for each, _ in held}
    if len(ledger.records) + len(ledger.taken) != len(by_id):
        return f"{len(ledger.records)} records of {len(by_id)} lines"
    for record in ledger.records:
        line = by_id[record.id]
        for name in ("times", "delta", "data_set", "epsilon0", "tool"):
            if name in line and getattr(record, name) != line[name]:
                return f"{name} is {getattr(record, name)!r}"
    return None
