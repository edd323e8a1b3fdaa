"""What is left when the machine fails: each fault is made on purpose, beside what is expected of it.

Run: make faults, or make faults OPTIONS="--only ledger"

Each runs the programs as a user starts them, and fails unless its first line holds: one sentence and no traceback, nothing lost or
torn, and the same call does its work once the fault is gone. Full disks are small ones in memory, in a mount namespace of this
program's own; a folder is shut for root too, whose right to pass over its rights is dropped. Only the clock is made up: `time.time`, or
the day that the ledger asks for, is another one. What a system does not allow is told as left out.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path

from benchmarks import audit_faults, server_faults
from benchmarks.fault_tools import PAR, CannotBeTriedError, disk, fill, par, right, said, shut
from benchmarks.server import ROOT
from par_core.errors import DataError
from par_core.ledger import Policy, Record, append, of_other_tool, read, reserve
from par_core.plan import Plan, from_toml
from par_core.scenario import Neighbours

COMPOSE = ("compose", "0.5x2", "--format", "json")
SIZES = (40, 60, 80, 100, 130, 160, 200, 250, 300, 400, 600, 800, 1000, 1500)  # MB of addresses
SECONDS = 60  # after which a program that has too little memory hangs


def record() -> Record:
    return of_other_tool(
        "OpenDP", "visits", date(2026, 3, 1), epsilon=0.01, delta=0.0, neighbours=Neighbours.REPLACE_ONE
    )


def add(ledger: Path, neighbours: str = "replace-one") -> tuple[object, ...]:
    made = ("--tool", "OpenDP", "--epsilon", "0.01", "--delta", "0", "--neighbours", neighbours)
    return "ledger", "add", "--ledger", ledger, "--data-set", "visits", *made


def answer_on_a_full_disk(place: Path) -> str:
    """One sentence, and the file stays as it was; with room the same call writes it."""
    with disk(place, "64k") as full:
        target = full / "answer.json"
        target.write_text("before")
        ballast = fill(full)
        told = said(par(*COMPOSE, "--output", target), "No space left")
        assert (target.read_text(), len(list(full.iterdir()))) == ("before", 2)
        ballast.unlink()
        right(par(*COMPOSE, "--output", target))
        json.loads(target.read_text())
    return told


def ledger_on_a_full_disk(place: Path) -> str:
    """A record that does not fit is refused in one sentence, each one confirmed before is kept, and the next one counts."""
    with disk(place, "64k") as full:
        ledger, confirmed = full / "ledger.jsonl", list[str]()
        for _ in range(5):
            append(ledger, made := record())
            confirmed.append(made.id)
        ballast = fill(full)
        try:
            while True:
                append(ledger, made := record())
                confirmed.append(made.id)
        except DataError:
            told = said(par(*add(ledger)), "the ledger cannot be kept")
        assert [each.id for each in read(ledger).records] == confirmed
        ballast.unlink()
        right(par(*add(ledger)))
        held = read(ledger)
        assert [each.id for each in held.records[:-1]] == confirmed
    return f"{len(confirmed)} confirmed and kept, {len(held.torn)} torn and told; {told}"


def folder_that_is_shut(place: Path) -> str:
    """An answer and a record are refused in one sentence, and nothing is there afterwards."""
    with shut(place) as (path, before):
        told = said(par(*COMPOSE, "--output", path / "answer.json", before=before), "Permission denied")
        said(par(*add(path / "ledger.jsonl"), before=before), "Permission denied")
    return told


def no_home(place: Path) -> str:
    """Without a home folder, or with one that is not there, answers are those of always, also from a cluster of this machine."""
    data = audit_faults.table(place / "data.parquet", 2000)
    expected = right(par(*COMPOSE))
    without = {name: value for name, value in os.environ.items() if name != "HOME"}
    for number, environment in enumerate((without, without | {"HOME": "/nonexistent"})):
        assert right(par(*COMPOSE, environment=environment)) == expected
        right(par(*audit_faults.call(data, place / f"{number}"), environment=environment))
    return "two commands, two ways to have none"


def tiny_memory(place: Path) -> str:
    """The right answer or one sentence, whatever the limit of addresses; nothing hangs, and no sound file is called damaged."""
    data = audit_faults.table(place / "data.parquet", 150_000)
    commands = (COMPOSE, ("audit", data, "--individual", "who", "--epsilon", "1", "--format", "json"))
    found = {"right": 0, "one sentence": 0}
    for command in commands:
        expected = right(par(*command))
        for size in SIZES:
            most = size * 2**20
            done = par(
                *command, limit=lambda most=most: resource.setrlimit(resource.RLIMIT_AS, (most, most)), seconds=SECONDS
            )
            if done.returncode == 0:
                assert right(done) == expected, f"{size} MB"
            else:
                said(done, "memory", "Memory")
            found["right" if done.returncode == 0 else "one sentence"] += 1
    return ", ".join(f"{number} times {what}" for what, number in found.items())


def torn_ledger(place: Path) -> str:
    """Cut at any byte of its last line, it loses no other record and takes the next; a byte changed anywhere is told, not passed over."""
    path, whole = place / "ledger.jsonl", [record() for _ in range(3)]
    for each in whole:
        append(path, each)
    data = path.read_bytes()
    last = len(data) - len(whole[-1].line) - 1
    for cut in range(last, len(data)):
        path.write_bytes(data[:cut])
        held = read(path)
        kept = 3 if cut == len(data) - 1 else 2  # without its newline a record is whole
        assert [each.id for each in held.records] == [each.id for each in whole[:kept]], cut
        append(path, following := record())
        assert [each.id for each in read(path).records] == [*(each.id for each in whole[:kept]), following.id], cut
    changed = 0
    for at in range(len(data)):
        for bit in (1, 32, 128):
            path.write_bytes(data[:at] + bytes([data[at] ^ bit]) + data[at + 1 :])
            try:
                assert read(path).records == tuple(whole), f"byte {at} was changed and not told"
            except DataError:
                changed += 1
    path.write_bytes(data[: last - 9] + bytes(9) + data[last:])
    told = said(par("ledger", "show", "--ledger", path), "is damaged")
    path.write_bytes(data + bytes(300))  # as after a power cut: the length was written, the content was not
    assert "torn" in right(par("ledger", "show", "--ledger", path))
    return f"{len(data) - last} cuts, {3 * len(data)} changes of a bit, {changed} told; {told}"


def ledger_while_the_clock_jumps(place: Path) -> str:
    """A clock that goes back opens no second budget, one that goes ahead none beyond that for ever; dates never fall."""
    plan, _ = from_toml((ROOT / "examples" / "gate" / "plan.toml").read_text(encoding="utf-8"))
    policy = Policy("visits", delta=1e-6, epsilon_per_release=1.0, epsilon_per_year=4.0, epsilon_for_ever=6.0)
    path = place / "ledger.jsonl"
    path.touch()
    taken = [_reserved(path, policy, plan, year) for year in (2026, 2025, 2020, 2027, 2026, 2028, 2029, 2027, 2050)]
    dates = [each.date for each in read(path).records]
    assert dates == sorted(dates)
    assert sum(taken[:3]) == taken[0], "a clock that went back has opened a budget"
    spent = json.loads(right(par("ledger", "show", "--ledger", path, "--delta", "1e-6", "--format", "json")))
    levels = [each["value"] for each in spent["results"] if each["name"].endswith("for ever")]
    assert 3.0 < max(levels) <= 6.0, levels
    script = "import par_core.ledger as l, datetime; l.utc_today = lambda: datetime.date(1970, 1, 1)\nfrom par_core.cli import par; par()"
    done = subprocess.run(
        [sys.executable, "-c", script, *map(str, add(path, "add-or-remove"))],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "The clock says 1970-01-01, before the latest record" in right(done)
    return f"{sum(taken)} of 9 reservations in five years, ε = {max(levels):.2f} of 6 for ever"


def _reserved(path: Path, policy: Policy, plan: Plan, year: int) -> int:
    return reserve(path, policy, plan, today=date(year, 6, 1)).record is not None


def command_that_is_killed(place: Path) -> str:
    """A report, a notebook or an answer is there whole or as it was, at whatever moment its program is killed."""
    target, killed = place / "answer.json", 0
    target.write_text("before")
    began = time.perf_counter()
    right(par(*COMPOSE, "--output", target))
    took, whole = time.perf_counter() - began, target.read_text()
    for share in range(20):
        target.write_text("before")
        process = subprocess.Popen([*PAR, *COMPOSE, "--output", str(target)], cwd=ROOT)
        time.sleep(took * (0.5 + share / 30))
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        assert target.read_text() in ("before", whole)
    return f"{killed} of 20 killed before the end"


FAULTS: tuple[Callable[[Path], str], ...] = (
    *server_faults.FAULTS,
    command_that_is_killed,
    answer_on_a_full_disk,
    ledger_on_a_full_disk,
    folder_that_is_shut,
    no_home,
    tiny_memory,
    ledger_while_the_clock_jumps,
    torn_ledger,
    *audit_faults.FAULTS,
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--only", default="", help="those whose names hold this")
    asked = parser.parse_args()
    failed = 0
    for fault in FAULTS:
        name = fault.__name__.replace("_", " ")
        if asked.only not in name:
            continue
        place, began = Path(tempfile.mkdtemp()), time.perf_counter()
        try:
            outcome = f"passed: {fault(place)}"
        except CannotBeTriedError as why:
            outcome = f"left out: {why}"
        except Exception as error:  # the other faults are made all the same
            outcome, failed = f"FAILED: {type(error).__name__}: {error}", failed + 1
        finally:
            shutil.rmtree(place, ignore_errors=True)
        print(f"{name} ({time.perf_counter() - began:.0f} s)\n  expected: {fault.__doc__}\n  {outcome}", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    inside = ("unshare", "--mount", *(["--map-root-user"] if os.geteuid() else []))
    may = shutil.which("unshare") and not subprocess.run([*inside, "true"], capture_output=True, check=False).returncode
    if may and not os.environ.get("PAR_FAULTS"):
        os.environ["PAR_FAULTS"] = "inside"
        os.execvp("unshare", [*inside, sys.executable, "-m", "benchmarks.faults", *sys.argv[1:]])
    main()
