"""How long ten sessions at once wait for the server; with --memory, whether its memory stays as it is.

Run: make load, or make load OPTIONS=--memory

Each session changes a control every three seconds on random pages; one change in five opens another section of another page.
A change is timed from sending it to the end of its run; what a browser does afterwards is in `make bench-ui`. With --memory
the sessions open sections as fast as they are answered, and each gives the server a table now and then and closes it again.
Nothing here fails for being slow.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections import defaultdict
from random import Random

from benchmarks.server import Server, server
from benchmarks.visitor import Visitor
from pages.shared.navigation import PAGES

VISITORS, PAUSE = 10, 3.0
TURNS = 0.2  # the share of changes that open another section
ROUNDS = 20
GOAL = 500  # milliseconds for 95 of 100 changes of a control
OPENING = "opening a section"
Times = defaultdict[str, list[float]]


def sections() -> list[tuple[str, dict[str, str]]]:
    """Every section: its page, and the part of an address that opens it."""
    pages = [(info.module, info.load().sections) for info in PAGES]
    return [(page, {"tab": each.slug} if len(of_page) > 1 else {}) for page, of_page in pages for each in of_page]


SECTIONS = sections()


async def turn(visitor: Visitor) -> tuple[str, float]:
    page, query = visitor.random.choice(SECTIONS)
    return page, await visitor.open(page, **query)


async def stay(visitor: Visitor, times: Times, seconds: float) -> None:
    """Change something every few seconds; an answer that takes longer than the pause delays the next change."""
    page, _ = await turn(visitor)
    await asyncio.sleep(visitor.random.uniform(0, PAUSE))
    end = time.perf_counter() + seconds
    while (began := time.perf_counter()) < end:
        taken = None if visitor.random.random() < TURNS else await visitor.change()
        if taken is None:
            page, taken = await turn(visitor)
            times[OPENING].append(taken)
        else:
            times[page].append(taken)
        await asyncio.sleep(max(0.0, PAUSE - (time.perf_counter() - began)))


async def load(visitors: list[Visitor], seconds: float) -> None:
    times: Times = defaultdict(list)
    for page, query in SECTIONS:  # what is loaded and compiled for the first visitor of all is not what is asked here
        await visitors[0].open(page, **query)
    await asyncio.gather(*(stay(visitor, times, seconds) for visitor in visitors))
    opening = times.pop(OPENING, [])
    print(f"{len(visitors)} sessions, each with a change every {PAUSE:g} s, for {seconds:g} s")
    print(f"{'':24}{'runs':>6}{'median':>11}{'95th pct':>11}")
    for page, taken in sorted(times.items()):
        print(_row(page, taken))
    print(_row("over all changes", [each for taken in times.values() for each in taken]) + f"   goal <= {GOAL} ms")
    print(_row(OPENING, opening))


def _row(name: str, taken: list[float]) -> str:
    high = statistics.quantiles(taken, n=20, method="inclusive")[-1] if len(taken) > 1 else float("nan")
    return f"{name:24}{len(taken):6}{statistics.median(taken or [float('nan')]):8.0f} ms{high:8.0f} ms"


async def memory(visitors: list[Visitor], running: Server, changes: int) -> None:
    """Open sections in rounds; in each round every visitor brings a table of about a megabyte and closes it again."""
    each_time = max(1, changes // (ROUNDS * len(visitors)))

    async def round_of(visitor: Visitor) -> None:
        for _ in range(each_time):
            await turn(visitor)
        numbers = (f"{visitor.random.random()},{visitor.random.random()}" for _ in range(25_000))
        await visitor.open("your_table", table="own")
        await visitor.upload_and_drop("numbers.csv", "\n".join(["one,other", *numbers]).encode())

    print(f"{len(visitors)} sessions open sections, and each closes a table per round")
    print(f"{'opened':>8}{'RSS':>11}{'USS':>11}")
    used = []
    for number in range(ROUNDS):
        await asyncio.gather(*(round_of(visitor) for visitor in visitors))
        used.append(running.memory)
        print("{:8}{:8.0f} MB{:8.0f} MB".format((number + 1) * each_time * len(visitors), *used[-1]), flush=True)
    later = [own for _, own in used[ROUNDS // 2 :]]
    slope = statistics.linear_regression(range(len(later)), later).slope / (each_time * len(visitors)) * 1000
    print(f"USS over the second half: {slope:+.1f} MB per 1,000 sections opened")


async def run(running: Server, asked: argparse.Namespace) -> None:
    visitors = [Visitor(running.address, Random(f"{asked.seed} {number}")) for number in range(VISITORS)]
    try:
        for visitor in visitors:
            await visitor.arrive()
        await (memory(visitors, running, asked.changes) if asked.memory else load(visitors, asked.seconds))
    finally:
        for visitor in visitors:
            await visitor.leave()
    if running.faults:
        print(f"The server's log tells of {running.faults} errors")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", default="1")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--changes", type=int, default=2_000, help="sections opened with --memory")
    parser.add_argument(
        "--collect", choices=("true", "false"), help="Streamlit's runner.postScriptGC; else as configured"
    )
    asked = parser.parse_args()
    options = [f"--runner.postScriptGC={asked.collect}"] if asked.collect else []
    with server("app.py", *options) as running:
        asyncio.run(run(running, asked))


if __name__ == "__main__":
    main()
