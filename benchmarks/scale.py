"""An audit of a data set larger than memory: how fast, with how much memory, and what is left when it is killed.

Run: make bench-scale, or make bench-scale OPTIONS="--millions 4 --folder /some/disk"

The data set (40 million individuals in 41 databases: 13 GB as float64) is generated in chunks, audited in a process of its own with
one worker for each core, then audited again in another folder while first a worker and then the client are killed, and finished by
a second run: both folders must hold the same bytes. A sample of blocks is computed by the audit's functions in memory. Nothing here
fails for being slow.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import pyarrow as pa
import pyarrow.parquet as pq

from par_core.audit import fit_density, individual_deltas, largest_loss, leave_one_out, queries
from par_core.audit.panel import Panel
from par_distributed import auditing, blocks
from par_distributed.contributions import Layout, block_of

DATABASES, CHUNK = 41, 1_000_000
GROUP = 131_072  # rows of a row group
LEVELS = (1e-6, 1e-5, 1e-4)
SAMPLED = 6  # blocks that are computed in memory
SECONDS = 4.0  # of each measurement in memory


def generate(path: Path, individuals: int) -> None:
    """Write a wide table; the values of a chunk have a seed of their own, so that any of them can be made again."""
    names = [f"y{place}" for place in range(DATABASES)]
    schema = pa.schema([("who", pa.int64()), *((name, pa.float64()) for name in names)])
    with pq.ParquetWriter(path, schema, compression="none", use_dictionary=False) as out:
        for start in range(0, individuals, CHUNK):
            rows = min(CHUNK, individuals - start)
            values = np.random.default_rng([1, start]).standard_exponential((DATABASES, rows))
            whose = np.arange(start, start + rows)
            out.write_table(pa.table([whose, *values], schema=schema), row_group_size=GROUP)


def command(path: Path, folder: Path) -> list[str]:
    levels = [each for level in LEVELS for each in ("--epsilon", repr(level))]
    where = ["--individual", "who", "--cluster", "local", "--folder", str(folder)]
    return [sys.executable, "-m", "par_core", "audit", str(path), *levels, *where]


class Run:
    """A run of the command, with the largest resident memory of any of its processes, in MB."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.folder, self.largest, self.began = folder, 0.0, time.perf_counter()
        self.process = subprocess.Popen(command(path, folder), stdout=subprocess.DEVNULL)

    def children(self) -> list[psutil.Process]:
        return psutil.Process(self.process.pid).children(recursive=True)

    def workers(self) -> list[psutil.Process]:
        return [each for each in self.children() if "spawn_main" in " ".join(each.cmdline())]

    def look(self) -> bool:
        """Note the memory; returns whether the run goes on."""
        if self.process.poll() is not None:
            return False
        for each in (psutil.Process(self.process.pid), *self.children()):
            try:
                self.largest = max(self.largest, each.memory_info().rss / 1e6)
            except psutil.Error:
                continue
        time.sleep(0.2)
        return True

    def until(self, done: int) -> None:
        """Wait for so many blocks, or the end."""
        while len(list((self.folder / "individuals").glob("*.parquet"))) < done and self.look():
            pass

    def end(self) -> float:
        """Wait for the end; returns the seconds since the beginning."""
        while self.look():
            pass
        if self.process.returncode:
            raise SystemExit(f"the audit ended with {self.process.returncode}")
        return time.perf_counter() - self.began


def digest(folder: Path) -> str:
    found = hashlib.sha256()
    for path in sorted(each for each in folder.rglob("*") if each.is_file()):
        found.update(str(path.relative_to(folder)).encode() + path.read_bytes())
    return found.hexdigest()


def killed(path: Path, folder: Path, number: int) -> None:
    """Kill a worker and then the client of a run, and let a second one finish."""
    first = Run(path, folder)
    first.until(number // 5)
    os.kill(first.workers()[0].pid, signal.SIGKILL)
    first.until(number // 2)
    first.process.kill()
    first.process.wait()
    left = len(list((folder / "individuals").glob("*.parquet")))
    seconds = Run(path, folder).end()
    print(f"killed after {left:,} of {number:,} blocks; the second run took {seconds:.0f} s")


def compare(path: Path, folder: Path, individuals: int) -> tuple[float, float]:
    """Return the largest differences of losses and of deltas from the audit's own functions in memory, on some blocks."""
    query, file = queries.PanelMean(), pq.ParquetFile(path)
    number = -(-individuals // auditing.SIZE)
    starts = np.linspace(0, number - 1, SAMPLED).astype(int) * auditing.SIZE
    rows = [np.arange(start, min(start + auditing.SIZE, individuals)) for start in starts]
    answers, without = np.empty(DATABASES), [np.empty((len(each), DATABASES)) for each in rows]
    for place in range(DATABASES):  # a database at a time fits into memory
        values = file.read(columns=[f"y{place}"]).column(0).to_numpy()
        summary = query.summary(values, most=1)
        answers[place] = query.answer(summary)
        for each, found in zip(rows, without, strict=True):
            found[:, place] = query.without(summary, codes=each - each[0], values=values[each], size=len(each))
    width = float(fit_density(answers, bandwidth="fixed").bandwidths[0])
    losses, deltas = [], []
    for each, table in zip(rows, without, strict=True):
        found = pd.read_parquet(folder / "individuals" / f"{each[0] // auditing.SIZE:07d}.parquet")
        losses.append(np.abs(found["loss"] - largest_loss(answers, table, bandwidth=width)).max())
        expected = individual_deltas(answers, table, epsilon=LEVELS, bandwidth=width)
        deltas.append(np.abs(found.iloc[:, 3:].to_numpy() - expected).max())
    return float(max(losses)), float(max(deltas))


def alone(path: Path, folder: Path, individuals: int, kind: str) -> float:
    """Return individuals a second of this process in memory: by the kernel of a block, or by the audit's functions."""
    names = tuple(f"y{place}" for place in range(DATABASES))
    job = blocks.Job(str(folder), Layout("who", names), queries.PanelMean(), auditing.SIZE, 1)
    rows = min(individuals, auditing.SIZE)
    first = next(pq.ParquetFile(path).iter_batches(rows))
    block = block_of(pa.Table.from_batches([first]), job.layout, job.query, first=0)
    told = pd.read_json(folder / "result.json", typ="series")
    answers, count = np.array(told["answers"]), np.full(DATABASES, float(individuals))
    high, low = answers * individuals, np.zeros(DATABASES)
    everybody = blocks.Everybody(high, low, count, answers, np.array(LEVELS), told["bandwidth"])
    panel = Panel.from_arrays(block.own.T.copy())
    done, began = 0, 0.0
    while not began or time.perf_counter() - began < SECONDS:
        if kind == "audit":
            leave_one_out(panel, job.query)
        blocks.audited(block, job, everybody)
        began, done = (began, done + rows) if began else (time.perf_counter(), 0)  # the first one loads and compiles
    return done / (time.perf_counter() - began)


def compare_speed(path: Path, folder: Path, individuals: int, rate: float) -> None:
    """Print what the run reached of one process in memory times the cores, and of as many of them at once."""
    cores = len(os.sched_getaffinity(0))
    for kind, name in (("kernel", "the kernel of a block"), ("audit", "leave-one-out and kernel")):
        single = alone(path, folder, individuals, kind)
        with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
            given = [path] * cores, [folder] * cores, [individuals] * cores, [kind] * cores
            together = sum(pool.map(alone, *given))
        print(
            f"{name} in memory: {single:,.0f} a second in one process, {together:,.0f} in {cores} at once; "
            f"the run has {rate / single / cores:.2f} of the first times the cores, {rate / together:.2f} of the second"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--millions", type=float, default=40.0)
    parser.add_argument("--folder", help="where there is room for 20 GB; else a temporary folder")
    asked = parser.parse_args()
    individuals = round(asked.millions * 1e6)
    number = -(-individuals // auditing.SIZE)
    base = Path(tempfile.mkdtemp(dir=asked.folder))
    path, whole, broken = base / "data.parquet", base / "whole", base / "broken"
    try:
        began = time.perf_counter()
        generate(path, individuals)
        os.sync()  # what is still on its way to the disk is not the audit's
        print(
            f"{individuals:,} individuals in {DATABASES} databases: {path.stat().st_size / 1e9:.1f} GB, "
            f"generated in {time.perf_counter() - began:.0f} s"
        )
        run = Run(path, whole)
        seconds = run.end()
        cores = len(os.sched_getaffinity(0))
        print(f"audited in {seconds:.0f} s, {individuals / seconds:,.0f} individuals a second on {cores} cores")
        print(f"largest resident memory of a process: {run.largest:,.0f} MB")
        compare_speed(path, whole, individuals, individuals / seconds)
        losses, deltas = compare(path, whole, individuals)
        print(f"{SAMPLED} blocks in memory: losses at most {losses:.1e} apart, deltas {deltas:.1e}")
        killed(path, broken, number)
        same = digest(whole) == digest(broken)
        print(f"the folders of both hold {'the same bytes' if same else 'DIFFERENT BYTES'}")
        if not same or max(losses, deltas) > 1e-12:
            raise SystemExit(1)
    finally:
        shutil.rmtree(base)


if __name__ == "__main__":
    main()
