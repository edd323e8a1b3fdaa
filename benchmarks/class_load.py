"""How long a class of many waits at the quiz: one leads it, all others come in by its link and answer question after question.

They come in over ten seconds. Each then does something every three seconds, far quicker than people do: two wrong answers, the
answer shown, the next question. Who leads the class looks after it as a browser does. A check is timed from sending the answer to the
end of its run.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import time
from collections import defaultdict

from benchmarks.server import Server
from benchmarks.visitor import Visitor

COMING, PAUSE, LOOK = 10.0, 3.0, 2.5  # seconds
GOAL = 500  # milliseconds for 95 of 100 checked answers
STEPS = ("Check", "Check", "Show the answer", "Next question")
Times = defaultdict[str, list[float]]


async def lesson(visitors: list[Visitor], running: Server, seconds: float) -> None:
    lecturer, *students = visitors
    print(f"a class of {len(students)}, each with a step every {PAUSE:g} s, for {seconds:g} s")
    for visitor in visitors:
        await visitor.arrive()
    await lecturer.open("mechanism_lab", tab="quiz", lqn="class")
    await lecturer.press("Open a class")
    code = next(json.loads(each.told.json)["code"] for each in lecturer.widgets.values() if _is_door(each))
    times: Times = defaultdict(list)
    end, before = time.perf_counter() + COMING + seconds, running.seconds[0]
    screens = [
        *await asyncio.gather(lead(lecturer, times, end), *(learn(each, code, times, end) for each in students))
    ][1:]
    print(f"{len(set(screens))} different first questions, {len(students)} students")
    print(f"{'':24}{'runs':>6}{'median':>11}{'95th pct':>11}{'longest':>11}")
    for kind, taken in sorted(times.items()):
        high = statistics.quantiles(taken, n=20, method="inclusive")[-1] if len(taken) > 1 else taken[0]
        goal = f"   goal <= {GOAL} ms" * (kind == "Check")
        print(f"{kind:24}{len(taken):6}{statistics.median(taken):8.0f} ms{high:8.0f} ms{max(taken):8.0f} ms{goal}")
    steps = sum(map(len, times.values()))
    print(
        f"{steps / (COMING + seconds):.1f} steps per second, each {(running.seconds[0] - before) / steps * 1000:.0f} ms of a processor"
    )


async def learn(visitor: Visitor, code: str, times: Times, end: float) -> str:
    """Come in and answer until the end; returns the fields of the first question, whose names hold its numbers."""
    await asyncio.sleep(visitor.random.uniform(0, COMING))
    opened = await visitor.open("mechanism_lab", **{"class": code})
    times["coming in"].append(opened + await visitor.tell('"keep"', "held", ""))
    screen = " ".join(sorted(each.told.id for each in visitor.widgets.values() if each.kind == "text_input"))
    assert screen, "no question came"
    step = 0
    while (began := time.perf_counter()) < end:
        label = STEPS[step % len(STEPS)]
        if label == "Check":
            visitor.type(str(7 + step % 2))  # the answer to nothing that is asked; the same one twice would be one try
        taken = await visitor.press(label)
        if taken is None:  # past the last question
            return screen
        times[label].append(taken)
        step += 1
        await asyncio.sleep(max(0.0, began + PAUSE - time.perf_counter()))
    return screen


async def lead(visitor: Visitor, times: Times, end: float) -> None:
    while time.perf_counter() < end:
        await asyncio.sleep(LOOK)
        for watch in [*visitor.watches]:
            times["looking at the class"].append(await visitor.run(fragment=watch, again=True))


def _is_door(widget: object) -> bool:
    return getattr(widget, "kind", "") == "bidi_component" and '"keep"' in widget.told.json
