"""How long fifty sessions at once wait for the server; with --memory, whether its memory stays as it is.

Run: make load, make load OPTIONS="--processes 2", make load OPTIONS=--memory, make load OPTIONS="--students 40" or
make load OPTIONS="--students 40 --browsers"

Each session changes something every three seconds on random pages: mostly a control, at times the section, and one change in ten
asks for a heavy job. A change is timed from sending it to the end of its run; what a browser does afterwards is in `make
bench-ui`. A job is timed from asking for it to the run that shows its result; its reader asks after it as a browser does, and
goes on after three seconds all the same. With two processes they stand behind nginx as in `deploy/nginx.conf`. With --memory ten
sessions open sections as fast as they are answered, and each gives the server a table now and then and closes it again. With
--students a class takes the quiz (see `benchmarks/class_load.py`, with --browsers `benchmarks/class_browsers.py`). What a
change costs is also told in changes of a page of 75 constant elements, served as often in the same run. Nothing here fails for
being slow.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections import defaultdict
from contextlib import ExitStack
from itertools import chain
from random import Random

import numpy as np

from benchmarks import class_load
from benchmarks.server import Server, proxy, server
from benchmarks.visitor import Visitor
from pages.shared.navigation import PAGES

PAUSE = 3.0
TURNS, HEAVY = 0.2, 0.1  # the share of changes that open another section, and that ask for a heavy job
ROUNDS = 10
CHANGES = 8  # of each visitor to the page of constant elements
GOALS = {1: 1500, 2: 800}  # milliseconds for 95 of 100 changes, by the number of processes
OPENING, ASKING, DONE, LEFT = "opening a section", "asking for a job", "jobs done", "jobs left behind"
Times = defaultdict[str, list[float]]


def sections() -> list[tuple[str, dict[str, str]]]:
    """Every section: its page, and the part of an address that opens it."""
    pages = [(info.module, info.load().sections) for info in PAGES]
    return [(page, {"tab": each.slug} if len(of_page) > 1 else {}) for page, of_page in pages for each in of_page]


SECTIONS = sections()
# Each with a new seed, so that nothing of it is known; the catalogue is checked by a button.
JOBS = (
    ("paper_check", "claims", ""),
    ("sample_planner", "sampled", "sseed"),
    ("empirical_audit", "adversary", "eseed"),
)


async def turn(visitor: Visitor) -> tuple[str, float]:
    page, query = visitor.random.choice(SECTIONS)
    return page, await visitor.open(page, **query)


async def ask(visitor: Visitor, times: Times) -> str:
    page, tab, seed = visitor.random.choice(JOBS)
    taken: float | None = await visitor.open(
        page, tab=tab, **({seed: str(visitor.random.randrange(10**6))} if seed else {})
    )
    if not seed:
        times[OPENING].append(taken)
        taken = await visitor.press("Check all again")
    if taken is not None:
        times[ASKING].append(taken)
    return page


async def stay(visitor: Visitor, times: Times, seconds: float) -> None:
    """Change something every few seconds; an answer that takes longer than the pause delays the next change."""
    page, _ = await turn(visitor)
    await asyncio.sleep(visitor.random.uniform(0, PAUSE))
    end, asked = time.perf_counter() + seconds, 0.0
    while (began := time.perf_counter()) < end:
        kind = visitor.random.random()
        taken = None if kind < HEAVY + TURNS else await visitor.change()
        if taken is not None:
            times[page].append(taken)
        else:
            if asked:
                times[LEFT].append(0.0)
            asked = began if kind < HEAVY else 0.0
            if asked:
                page = await ask(visitor, times)
            else:
                page, taken = await turn(visitor)
                times[OPENING].append(taken)
        if await visitor.wait_for_jobs(began + PAUSE) and asked:
            times[DONE].append((time.perf_counter() - asked) * 1000)
            asked = 0.0
        await asyncio.sleep(max(0.0, began + PAUSE - time.perf_counter()))


async def everybody(visitors: list[Visitor], seconds: float) -> Times:
    times: Times = defaultdict(list)
    await asyncio.gather(*(stay(visitor, times, seconds) for visitor in visitors))
    return times


async def load(visitors: list[Visitor], running: list[Server], asked: argparse.Namespace) -> None:
    print(
        f"{len(visitors)} sessions, each with a change every {PAUSE:g} s, for {asked.seconds:g} s; {asked.processes} processes"
    )
    _say_memory("before the first visitor", running)
    for visitor in visitors:
        await visitor.arrive()
    for page, query in SECTIONS:  # what is loaded and compiled for the first visitor of all is not what is asked here
        for visitor in visitors[:: len(visitors) // len(running)]:
            await visitor.open(page, **query)
            await visitor.wait_for_jobs(time.perf_counter() + 60)
    await everybody(visitors, asked.warm_up)
    _say_memory("after the warm-up", running)
    began, before = time.perf_counter(), _seconds(running)
    times = await everybody(visitors, asked.seconds)
    taken, used = time.perf_counter() - began, _seconds(running) - before
    _say_memory("at the end", running)
    jobs, left = times.pop(DONE, []), times.pop(LEFT, [])
    every = [each for of_kind in times.values() for each in of_kind]
    print(f"{'':24}{'runs':>6}{'median':>11}{'95th pct':>11}")
    for kind, of_kind in sorted(times.items()):
        print(_row(kind, of_kind))
    print(_row("over all changes", every) + f"   goal <= {GOALS.get(asked.processes, GOALS[2])} ms")
    print(_row(DONE, jobs) + f"   and {len(left)} left behind")
    own, apart = used / len(every) * 1000
    print(
        f"{len(every) / taken:.1f} changes per second, each {own:.0f} ms of a processor, and {apart:.0f} ms apart for jobs"
    )
    constant = await yardstick(asked)
    print(f"{own / constant:.1f} times a change of 75 constant elements, which is {constant:.1f} ms of a processor")


async def yardstick(asked: argparse.Namespace) -> float:
    """Milliseconds of a processor that a change of a page of 75 constant elements costs."""
    with server("benchmarks/ui_apps/constant_elements.py") as plain:
        visitors = [Visitor(plain.address, Random(number)) for number in range(asked.sessions)]
        for visitor in visitors:
            await visitor.arrive()
        changes, before = 0, plain.seconds[0]
        for _ in range(CHANGES):
            for visitor in visitors:
                changes += await visitor.change() is not None
                await asyncio.sleep(PAUSE / len(visitors))
        return (plain.seconds[0] - before) / changes * 1000


def _seconds(running: list[Server]) -> np.ndarray:
    return np.sum([each.seconds for each in running], axis=0)


def _say_memory(when: str, running: list[Server]) -> None:
    used = [[total for total, _ in each.memory] for each in running]
    told = (f"{sum(each):.0f} MB, {each[0]:.0f} of them the server alone" for each in used)
    print(f"RSS {when}: {' and '.join(told)}", flush=True)


def _row(name: str, taken: list[float]) -> str:
    high = statistics.quantiles(taken, n=20, method="inclusive")[-1] if len(taken) > 1 else float("nan")
    return f"{name:24}{len(taken):6}{statistics.median(taken or [float('nan')]):8.0f} ms{high:8.0f} ms"


async def memory(visitors: list[Visitor], running: list[Server], asked: argparse.Namespace) -> None:
    """Open sections in rounds; in each round every visitor brings a table of about a megabyte and closes it again."""
    each_time = max(1, asked.changes // (ROUNDS * len(visitors)))

    async def round_of(visitor: Visitor) -> None:
        for _ in range(each_time):
            await turn(visitor)
        numbers = (f"{visitor.random.random()},{visitor.random.random()}" for _ in range(25_000))
        await visitor.open("your_table", tab="plan", table="own")
        await visitor.upload_and_drop("numbers.csv", "\n".join(["one,other", *numbers]).encode())

    print(f"{len(visitors)} sessions open sections, and each closes a table per round")
    print(f"{'opened':>8}{'RSS':>11}{'USS':>11}")
    for visitor in visitors:
        await visitor.arrive()
    used = []
    for number in range(ROUNDS):
        await asyncio.gather(*(round_of(visitor) for visitor in visitors))
        used.append([sum(kind) for kind in zip(*chain.from_iterable(each.memory for each in running), strict=True)])
        print("{:8}{:8.0f} MB{:8.0f} MB".format((number + 1) * each_time * len(visitors), *used[-1]), flush=True)
    later = [own for _, own in used[ROUNDS // 2 :]]
    slope = statistics.linear_regression(range(len(later)), later).slope / (each_time * len(visitors)) * 1000
    print(f"USS over the second half: {slope:+.1f} MB per 1,000 sections opened")


async def run(address: str, running: list[Server], asked: argparse.Namespace) -> None:
    if asked.browsers:
        from benchmarks import class_browsers  # what drives browsers is there for whoever develops

        await class_browsers.lesson(running[0], asked.students, asked.seconds, asked.seed)
        print(f"The log tells of {running[0].faults} errors")
        return
    number_of = 10 if asked.memory else asked.students + 1 if asked.students else asked.sessions
    visitors = [Visitor(address, Random(f"{asked.seed} {number}")) for number in range(number_of)]
    try:
        if asked.students:
            await class_load.lesson(visitors, running[0], asked.seconds)
        else:
            await (memory if asked.memory else load)(visitors, running, asked)
    finally:
        for visitor in visitors:
            await visitor.leave()
    print(f"The logs tell of {sum(each.faults for each in running)} errors")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seed", default="1")
    parser.add_argument("--sessions", type=int, default=50)
    parser.add_argument("--processes", type=int, choices=(1, 2), default=1, help="two stand behind a proxy")
    parser.add_argument("--warm-up", type=float, default=30.0)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--students", type=int, default=0, help="a class of so many takes the quiz, on one process")
    parser.add_argument("--browsers", action="store_true", help="give each student a browser: with --students")
    parser.add_argument("--memory", action="store_true")
    parser.add_argument("--changes", type=int, default=2_000, help="sections opened with --memory")
    asked = parser.parse_args()
    if asked.students and asked.processes > 1:
        parser.error("a class lives in one process")
    if asked.browsers and not asked.students:
        parser.error("--browsers needs --students")
    with ExitStack() as stack:
        below = ["--server.baseUrlPath=privacy"] if asked.processes > 1 else []
        running = [stack.enter_context(server("app.py", *below)) for _ in range(asked.processes)]
        address = stack.enter_context(proxy(running)) if asked.processes > 1 else running[0].address
        asyncio.run(run(address, running, asked))


if __name__ == "__main__":
    main()
