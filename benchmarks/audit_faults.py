"""Faults of an audit of a data set on several processes: who takes part is killed, and its folder is full or shut."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pandas as pd
import psutil

from benchmarks.fault_tools import PAR, disk, enlarge, fill, par, right, said, shut
from benchmarks.scale import digest
from benchmarks.server import ROOT

DATABASES, MANY, BLOCKS = 11, 800_000, 25  # of 32,768 individuals each
PATIENCE = 60  # seconds


def table(path: Path, individuals: int) -> Path:
    """Write a data set; returns its path."""
    rng = np.random.default_rng(3)
    values = {f"y{at}": rng.standard_exponential(individuals) for at in range(DATABASES)}
    found = pd.DataFrame({"who": np.arange(individuals), **values})
    found.to_parquet(path, row_group_size=100_000, index=False, compression=None)
    return path


def call(data: Path, folder: Path, cluster: str = "local") -> tuple[object, ...]:
    levels = ("--epsilon", "0.00001", "--epsilon", "0.0001")
    return "audit", data, "--individual", "who", *levels, "--cluster", cluster, "--folder", folder, "--format", "json"


def started(*given: object) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [*PAR, *map(str, given)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def done(folder: Path) -> int:
    return len(list((folder / "individuals").glob("*.parquet")))


def wait_for(number: int, folder: Path, process: subprocess.Popen[str]) -> None:
    while done(folder) < number:
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)


def ended(process: subprocess.Popen[str]) -> subprocess.CompletedProcess[str]:
    out, err = process.communicate(timeout=PATIENCE)
    return subprocess.CompletedProcess(process.args, process.returncode, out, err)


@contextmanager
def cluster(place: Path) -> Iterator[tuple[str, list[subprocess.Popen[bytes]]]]:
    """Give the address of a scheduler, and its process with those of two workers."""
    told = place / "scheduler.json"
    dask = [sys.executable, "-m", "dask"]
    log = (place / "cluster.log").open("wb")
    running = [
        subprocess.Popen(
            [*dask, "scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--scheduler-file", str(told)],
            cwd=ROOT,
            stdout=log,
            stderr=log,
        )
    ]
    try:
        while not told.exists() or not told.read_text():
            time.sleep(0.1)
        worker = [*dask, "worker", "--scheduler-file", str(told), "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        worker += ["--death-timeout", "10", "--local-directory", str(place)]
        running += [subprocess.Popen(worker, cwd=ROOT, stdout=log, stderr=log) for _ in range(2)]
        yield json.loads(told.read_text())["address"], running
    finally:
        for each in running:
            each.kill()
            each.wait()
        told.unlink()
        log.close()


def worker_client_and_scheduler_killed(place: Path) -> str:
    """Without a worker the audit goes on; without its client or scheduler the next call ends with the bytes of an undisturbed one."""
    data, folder, whole = table(place / "data.parquet", MANY), place / "broken", place / "whole"
    undisturbed = right(par(*call(data, whole)))
    first = started(*call(data, folder))
    wait_for(1, folder, first)
    workers = [
        each for each in psutil.Process(first.pid).children(recursive=True) if "spawn_main" in " ".join(each.cmdline())
    ]
    os.kill(workers[0].pid, signal.SIGKILL)
    wait_for(6, folder, first)
    first.kill()
    first.communicate()
    counts = [done(folder)]
    with cluster(place) as (address, running):
        second = started(*call(data, folder, address))
        wait_for(counts[0] + 3, folder, second)
        running[0].kill()
        began = time.perf_counter()
        told = said(ended(second), "the scheduler is gone")
        took = time.perf_counter() - began
        counts.append(done(folder))
    assert counts[-1] < BLOCKS, "there was nothing left to do"
    assert not (folder / "result.json").exists()
    with cluster(place) as (address, _):
        found = json.loads(right(par(*call(data, folder, address))))
    assert found["results"] == json.loads(undisturbed)["results"]
    assert digest(folder) == digest(whole), "other bytes"
    return f"left after {counts[0]} and {counts[1]} of {BLOCKS} blocks, the same bytes; told {took:.0f} s after the scheduler: {told}"


def audit_on_a_full_disk(place: Path) -> str:
    """One sentence, and nothing half; with room the same call goes on and ends with the bytes of an undisturbed one."""
    data = table(place / "data.parquet", 100_000)
    right(par(*call(data, place / "whole")))
    with disk(place, "2m") as full:
        told = said(par(*call(data, full / "out")), "room", "No space left")
        left = done(full / "out")
        enlarge(full, "64m")
        right(par(*call(data, full / "out")))
        assert digest(full / "out") == digest(place / "whole")
        fill(full)
        said(par(*call(data, full / "other")), "room", "No space left")
    return f"{left} of 4 blocks were kept; {told}"


def audit_in_a_shut_folder(place: Path) -> str:
    """One sentence, and nothing is there afterwards."""
    data = table(place / "data.parquet", 1000)
    with shut(place) as (path, before):
        return said(par(*call(data, path / "out"), before=before), "Permission denied")


FAULTS: tuple[Callable[[Path], str], ...] = (
    worker_client_and_scheduler_killed,
    audit_on_a_full_disk,
    audit_in_a_shut_folder,
)
