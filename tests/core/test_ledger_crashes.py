"""A ledger of releases that several processes write to while they are killed, and that is killed at every call of the system."""

import errno
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

import pytest

from par_core.errors import DataError
from par_core.ledger import append, lock, read
from tests.core.ledger_processes import CALLS, RECORDS, ROUNDS, some_record

ROOT = Path(__file__).parents[2]


def outcome(what, folder, seed=35):
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
    script = ROOT / "tests" / "core" / "ledger_processes.py"
    done = subprocess.run(
        [sys.executable, script, what, folder, str(seed)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.fixture
def in_memory(tmp_path):
    """A folder in memory where there is one: a kill takes nothing from a disk, which would only be slow."""
    memory = Path("/dev/shm")
    if not os.access(memory, os.W_OK):
        yield tmp_path
        return
    with tempfile.TemporaryDirectory(dir=memory) as folder:
        yield Path(folder)


def test_of_a_thousand_records_none_is_lost_or_torn_while_processes_are_killed(in_memory):
    found = outcome("records", in_memory)
    ledger = read(in_memory / "ledger.jsonl")
    ids = [each.id for each in ledger.records]
    assert len(found["confirmed"]) >= RECORDS
    assert set(found["confirmed"]) <= set(ids)
    assert len(ids) == len(set(ids))
    assert found["kills"] >= RECORDS / 12
    # A process that is killed leaves one record at most that nobody measured: it counts, on the safe side.
    assert len(ids) <= len(found["confirmed"]) + found["kills"]
    assert not ledger.torn  # the system writes a line at once: none is cut by a kill


def test_processes_that_reserve_at_once_never_spend_more_than_the_budget(in_memory):
    """As many reservations as the budget has room for, in every round: none is lost, and none is one too many."""
    found = outcome("reservations", in_memory)
    assert len(found["rounds"]) == ROUNDS
    assert {number for number, _ in found["rounds"]} == {5}
    assert all(spent <= found["budget"] for _, spent in found["rounds"])


def test_a_kill_at_any_call_of_the_system_leaves_a_ledger_that_the_next_record_goes_to(in_memory):
    found = outcome("faults", in_memory)["faults"]
    assert {name for name, _ in found} == {*CALLS, "flock"}
    assert len(found) >= 4 * (2 * 12 + 4)


# --- Windows, by what its lock is asked for ---


class FakeMsvcrt(SimpleNamespace):
    """What `msvcrt.locking` does: it locks bytes from where the file stands, and gives up after ten tries."""

    LK_LOCK, LK_UNLCK = 1, 0

    def __init__(self, busy):
        super().__init__(busy=busy, asked=[])

    def locking(self, descriptor, mode, number):
        self.asked.append((mode, os.lseek(descriptor, 0, os.SEEK_CUR), number))
        if mode == self.LK_LOCK and self.busy:
            raise OSError(self.busy.pop(), "busy")


@pytest.fixture
def windows(monkeypatch):
    def put(*busy):
        fake = FakeMsvcrt(list(busy))
        monkeypatch.setitem(sys.modules, "msvcrt", fake)
        monkeypatch.setattr(lock, "_lock", lock._lock_by_region)
        return fake

    return put


def test_on_windows_one_far_byte_is_locked_until_it_is_free(windows, tmp_path):
    fake, path = windows(36, 36), tmp_path / "ledger.jsonl"
    record = some_record()
    append(path, record)
    far = 2**40
    assert fake.asked == [(1, far, 1)] * 3 + [(0, far, 1)]
    assert read(path).records == (record,)
    assert path.read_bytes() == record.line + b"\n"


def test_on_windows_another_error_of_the_lock_is_told(windows, tmp_path):
    windows(errno.EBADF)
    with pytest.raises(DataError, match="the ledger cannot be kept: busy"):
        append(tmp_path / "ledger.jsonl", some_record())


# --- a file that is replaced, and a disk that is full ---


def test_a_record_goes_to_the_file_that_has_the_name_when_its_turn_comes(monkeypatch, tmp_path):
    """As git replaces a file by another one: whoever has waited for the old one begins again."""
    path, before, between, after = tmp_path / "ledger.jsonl", some_record(), some_record(), some_record()
    append(path, before)
    wait = lock._lock

    def replaced(descriptor, *, shared):
        monkeypatch.setattr(lock, "_lock", wait)
        beside = tmp_path / "merged"
        beside.write_bytes(path.read_bytes() + between.line + b"\n")
        beside.replace(path)
        return wait(descriptor, shared=shared)

    monkeypatch.setattr(lock, "_lock", replaced)
    append(path, after)
    assert read(path).records == (before, between, after)


def test_a_full_disk_is_told_and_what_was_written_is_kept_apart(monkeypatch, tmp_path):
    path, write, (first, lost, following) = tmp_path / "ledger.jsonl", os.write, [some_record() for _ in range(3)]
    append(path, first)
    with monkeypatch.context() as full:
        full.setattr(os, "write", lambda descriptor, text: write(descriptor, text[:100]))
        with pytest.raises(DataError, match="the ledger cannot be kept: there is no room for the whole record"):
            append(path, lost)
    append(path, following)
    assert read(path).records == (first, following)
    assert read(path).torn == (2,)
