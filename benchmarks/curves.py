"""How time and memory grow with the size of what is asked: a slope on logarithmic axes for each, and where it leaves memory.

Run: make curves, or make curves OPTIONS="--rounds 5"

Each size is computed in a process of its own, `rounds` times with nothing kept between them, on one core; the median time of a
processor counts, and the memory of the process beyond what it had before. Nothing here fails for being slow.
"""

from __future__ import annotations

import argparse
import resource
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from statistics import median

import numpy as np

from par_core.audit import audit, queries
from par_core.audit.panel import Panel
from par_core.composition import compose, exact
from par_core.mechanisms import Gaussian, Laplace
from par_core.plan import Plan, Release, totals
from par_core.queries.shapes import CountsShape

Work = Callable[[int, float], object]  # of a size, and a factor near 1 that makes each round another one


def releases_of_one(size: int, factor: float) -> object:
    return exact(0.01 * factor, size, delta=1e-6)


def releases_of_two(size: int, factor: float) -> object:
    return compose([Laplace(0.01 * factor), Gaussian(200.0)], size // 2).epsilon(1e-6)


def different_mechanisms(size: int, factor: float) -> object:
    return compose(list(map(Laplace, np.linspace(0.01, 0.05, size) * factor)), 3).quick_epsilon(1e-6)


def individuals(size: int, factor: float) -> object:
    values = np.random.default_rng(1).standard_exponential((size, 41)) * factor
    return audit(Panel.from_arrays(values), queries.PanelSum(), epsilons=[1e-4, 1e-3, 1e-2])


def databases(size: int, factor: float) -> object:
    values = np.random.default_rng(1).standard_exponential((2_000, size)) * factor
    return audit(Panel.from_arrays(values), queries.PanelSum(), epsilons=[1e-4, 1e-3, 1e-2])


def groups(size: int, factor: float) -> object:
    return totals(Plan((Release(CountsShape(size), mechanism="discrete-laplace", times=12),), 0.5 * factor))


def points(size: int, factor: float) -> object:
    return Laplace(1.0 * factor).delta(np.linspace(0.0, 1.2, size))


CURVES: Sequence[tuple[str, Work, Sequence[int]]] = (
    ("exact, releases at one level", releases_of_one, [10**each for each in range(1, 7)]),
    ("compose(…).epsilon, releases of two mechanisms", releases_of_two, [10**each for each in range(1, 7)]),
    ("quick_epsilon, different mechanisms", different_mechanisms, [2, 5, 10, 30, 100, 300, 1_000]),
    ("audit, individuals in 41 databases", individuals, [10**each for each in range(3, 7)]),
    ("audit, databases of 2,000 individuals", databases, [3, 10, 30, 100, 300, 1_000]),
    ("totals of a plan, groups", groups, [10**each for each in range(5)]),
    ("privacy profile, points of a curve", points, [10**each for each in range(2, 8)]),
)


def measured(work: Work, size: int, rounds: int) -> tuple[float, float]:
    """Return median seconds of a processor, and memory in MB that the process has taken beyond what it had."""
    work(size if size < 1_000 else 1_000, 0.9)  # what the first call loads and compiles
    before, times = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, []
    for number in range(rounds):
        start = time.process_time()
        work(size, 1.0 + 1e-4 * number)
        times.append(time.process_time() - start)
    return median(times), (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024


def slope(sizes: Sequence[int], values: Sequence[float]) -> float:
    """Return the slope on logarithmic axes over the larger half of the sizes."""
    half = len(sizes) // 2
    return float(np.polyfit(np.log(sizes[half:]), np.log(np.maximum(values[half:], 1e-6)), 1)[0])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    print("| | size: ms (MB) | slope of time |\n|---|---|---|")
    for name, work, sizes in CURVES:
        found = []
        for size in sizes:
            with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as alone:
                found.append(alone.submit(measured, work, size, rounds).result())
        cells = " · ".join(
            f"{size:,}: {1e3 * seconds:.3g} ({more:.0f})" for size, (seconds, more) in zip(sizes, found, strict=True)
        )
        print(f"| {name} | {cells} | {slope(sizes, [seconds for seconds, _ in found]):.2f} |", flush=True)


if __name__ == "__main__":
    main()
