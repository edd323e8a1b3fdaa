"""What others' programs take for the same answers: processor time in turns, memory of one call, and how close both are.

Each call runs in a process of its own, forked from one in which both sides have answered another small question: what is loaded
once is loaded, and no answer is kept. Where an accuracy can be chosen it is searched first, the coarsest that is as good as ours.
Nothing here fails for being slow. Run: make bench-peers
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from importlib.metadata import version
from multiprocessing import get_context
from pathlib import Path
from statistics import median
from typing import NamedTuple

import numpy as np

from benchmarks.test_empirical_speed import BANDWIDTH, panel, plain_way
from benchmarks.test_explicit_speed import curves, published_curves
from par_core.audit import individual_deltas
from par_core.composition import compose, exact
from par_core.export.release_code import release_code
from par_core.mechanisms import DiscreteLaplace, Gaussian, Laplace
from par_core.queries import CountBy
from par_core.scenario import Neighbours, Scenario
from tests.core.data.make_composition_plans import account

ROUNDS, SECONDS = 5, 10.0  # of a pair: as many rounds as fit, and two at least
DELTA = 1e-5
# Each divides the levels: dp-accounting is closest there.
INTERVALS = (1e-2, 5e-3, 2e-3, 1e-3, 5e-4, 4e-4, 2.5e-4, 2e-4, 1e-4, 5e-5)
SAME_END = 1e-7  # upper ends that differ by less are called equal
ROWS, TOWNS = 100_000, ("Köln", "Rom")
MEGABYTE = 2**20 if sys.platform == "darwin" else 2**10  # in the units of ru_maxrss
FORK = get_context("fork")

# The same counts with the same noise by OpenDP alone: no checks of the file, no limit of rows, no ledger.
PLAIN = f"""
import csv, sys
import opendp.prelude as dp
dp.enable_features("contrib")
with open(sys.argv[1], encoding="utf-8", newline="") as file:
    towns = [row["town"] for row in csv.DictReader(file)]
context = dp.Context.compositor(
    data=towns, privacy_unit=dp.unit_of(contributions=1), privacy_loss=dp.loss_of(epsilon=0.5), split_evenly_over=1,
    domain=dp.vector_domain(dp.atom_domain(T=str)),
)
print(context.query().count_by_categories({list(TOWNS)}, null_category=False).laplace().release())
"""

# A small process, because a new one counts the memory of the one that starts it.
RUN = """
import resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run([sys.executable, "-I", *sys.argv[1:]], check=True, stdout=subprocess.DEVNULL)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


class Cost(NamedTuple):
    """Seconds and megabytes of one call, and what it answers."""

    seconds: float
    memory: float
    answer: object = None


class Pair(NamedTuple):
    """What is asked, each side's way to answer, and how close the answers are."""

    name: str
    ours: Callable[[], Cost]
    theirs: Callable[[], Cost]
    accuracy: tuple[str, str]


def forked(answer, *, times=1):
    """Return how to measure an answer: a mean of so many calls, which must keep nothing if they are several."""

    def told(pipe):
        before, start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        for _ in range(times):
            found = answer()
        seconds = (time.process_time() - start) / times
        more = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        pipe.send(Cost(seconds, more / MEGABYTE, found))

    def measure():
        here, there = FORK.Pipe(duplex=False)
        child = FORK.Process(target=told, args=(there,))
        child.start()
        there.close()
        found = here.recv()
        child.join()
        return found

    return measure


# --- composition: both guaranteed ends, and the upper one alone ----------------------------------------------------


def google(plan, interval, *, pessimistic):
    """One guaranteed end of dp-accounting for rows of kind, parameter, whole number and times."""
    together = None
    for kind, parameter, whole, times in plan:
        one = account(kind, parameter, whole, pessimistic=pessimistic, interval=interval).self_compose(times)
        together = one if together is None else together.compose(one)
    return together.get_epsilon_for_delta(DELTA)


def compositions(name, plan, ends):
    """Return the two pairs of a plan, of which `ends` returns our guaranteed ends; nothing is computed in this process."""

    def both(interval):
        return [google(plan, interval, pessimistic=each) for each in (False, True)]

    lower, upper = forked(ends)().answer
    found = {interval: forked(lambda each=interval: both(each))().answer for interval in INTERVALS}
    gaps = {interval: high - low for interval, (low, high) in found.items()}
    over = {interval: high - upper for interval, (_, high) in found.items()}
    same_gap = next((each for each in INTERVALS if gaps[each] <= upper - lower), min(gaps, key=gaps.get))
    same_end = next((each for each in INTERVALS if over[each] <= SAME_END), min(over, key=over.get))
    yield Pair(
        f"{name}, both ends: dp-accounting, interval {same_gap:g}",
        forked(ends),
        forked(lambda: both(same_gap)),
        (f"gap {upper - lower:.1e}", f"gap {gaps[same_gap]:.1e}"),
    )
    yield Pair(
        f"{name}, upper end: dp-accounting, interval {same_end:g}",
        forked(ends),
        forked(lambda: google(plan, same_end, pessimistic=True)),
        (f"ε ≤ {upper:.8f}", f"{over[same_end]:+.0e}"),
    )


def composition():
    """One level many times, and three mechanisms; ours finds both ends in any case."""
    small = [("laplace", 0.3, 1, 2), ("gaussian", 3.0, 1, 2), ("discrete-laplace", 0.2, 1, 2)]
    for pessimistic in (False, True):
        google(small, 1e-2, pessimistic=pessimistic)
    exact(compose([Laplace(0.3), Gaussian(3.0), DiscreteLaplace(0.2)], 2), delta=DELTA)
    exact(0.3, 2, delta=DELTA)

    def ends(*asked):
        found = exact(*asked, delta=DELTA)
        return found.lower, found.upper

    yield from compositions("300 Laplace releases of 0.5", [("laplace", 0.5, 1, 300)], lambda: ends(0.5, 300))
    yield from compositions(
        "12 releases each of Laplace 0.2, Gaussian μ = 0.2, discrete Laplace 0.1",
        [("laplace", 0.2, 1, 12), ("gaussian", 5.0, 1, 12), ("discrete-laplace", 0.1, 1, 12)],
        lambda: ends(compose([Laplace(0.2), Gaussian(5.0), DiscreteLaplace(0.1)], 12)),
    )


# --- audit, curves, release ----------------------------------------------------------------------------------------


def audit():
    """The exact kernel, and two densities on a grid of 2,001 points for each individual."""
    a, table = panel(400, scale=0.1)

    def ours(rows=table):
        return individual_deltas(a, rows, epsilon=0.2, bandwidth=BANDWIDTH)

    def theirs(rows=table):
        return plain_way(a, rows, 0.2)

    off = float(np.abs(ours(table[:40]) - theirs(table[:40])).max())
    yield Pair(
        "audit of 400 individuals in 41 databases: scikit-learn's KernelDensity on a grid",
        forked(ours, times=20),
        forked(theirs),
        ("closed form", f"{off:.0e} from ours"),
    )


def explicit():
    """Three curves of fifty points."""
    off = float(np.abs(curves() / published_curves() - 1).max())
    yield Pair(
        "explicit risk, 3 curves of 50 points: mpmath, hypergeometric",
        forked(curves, times=20),
        forked(published_curves),
        ("floats", f"{off:.0e} of itself from ours"),
    )


def release(folder):
    """Counts of two towns in 100,000 rows, from the start of Python to the end."""
    drawn = np.random.default_rng(1).choice(TOWNS, ROWS).tolist()
    (folder / "table.csv").write_text("id,town\n" + "".join(f"{at},{town}\n" for at, town in enumerate(drawn)))
    scenario = Scenario(epsilon0=0.5, neighbours=Neighbours.ADD_OR_REMOVE)
    (folder / "ours.py").write_text(release_code(CountBy(("town",), (TOWNS,)), scenario, rows=ROWS).text)
    (folder / "plain.py").write_text(PLAIN)

    def run(script):
        for left in folder.glob("table_release_*.csv"):
            left.unlink()
        (folder / "privacy_ledger.jsonl").unlink(missing_ok=True)  # the plan has two runs
        command = [sys.executable, "-I", "-c", RUN, script, "table.csv"]
        told = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.split()
        return Cost(float(told[0]), float(told[1]) / MEGABYTE)

    yield Pair(
        "release script, 2 counts of 100,000 rows: plain OpenDP (Context, csv); wall time and whole process",
        lambda: run("ours.py"),
        lambda: run("plain.py"),
        ("ε = 0.5, scale 2", "the same"),
    )


# --- the table -----------------------------------------------------------------------------------------------------


def row(pair):
    """Measure both sides in turns, and return a line of the table."""
    ours, theirs, start = [], [], time.perf_counter()
    while len(ours) < 2 or (len(ours) < ROUNDS and time.perf_counter() - start < SECONDS):
        ours.append(pair.ours())
        theirs.append(pair.theirs())
    ratios = [other.seconds / own.seconds for own, other in zip(ours, theirs, strict=True)]
    spread = f"{median(ratios):,.3g} ({min(ratios):,.3g} to {max(ratios):,.3g}; {len(ratios)})"
    times = [f"{1e3 * median(each.seconds for each in side):,.3g}" for side in (ours, theirs)]
    memory = [f"{median(each.memory for each in side):.1f}" for side in (ours, theirs)]
    return [pair.name, *times, spread, *memory, *pair.accuracy]


def main():
    """Print the table as it stands in RESULTS.md."""
    packages = ("numpy", "scipy", "dp-accounting", "scikit-learn", "mpmath", "opendp")
    print(f"Python {sys.version.split()[0]}, {', '.join(f'{each} {version(each)}' for each in packages)}", end="; ")
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}\n")
    print("| asked: of whom | ours (ms) | theirs (ms) | ratio: median (least to largest; rounds) ", end="")
    print("| ours (MB) | theirs (MB) | our accuracy | theirs |\n|" + "---|" * 8)
    with tempfile.TemporaryDirectory() as folder:
        for pairs in (composition(), audit(), explicit(), release(Path(folder))):
            for pair in pairs:
                print("| " + " | ".join(row(pair)) + " |", flush=True)
    print("| calibration: riskcal | – | – | left out: not among the requirements | – | – | – | – |")


if __name__ == "__main__":
    main()
