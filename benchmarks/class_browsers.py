"""How long a class waits at the quiz in browsers of its own, each a context of one Chromium on the machine of the server.

One student after another loads the dashboard by the link, with a cache of their own. Once all are in, each takes a step every 30
to 60 seconds: two wrong answers, the answer shown, the next question. A check is timed inside the page (`class_browsers.js`): from
the time stamp of the press to the verdict in the document; the server's part of it is from the message sent to the last one heard
before the verdict. The machine carries the browsers and the server.
"""

from __future__ import annotations

import asyncio
import os
import re
import statistics
import sys
import time
from pathlib import Path
from random import Random

from playwright.async_api import Browser, ConsoleMessage, Page, async_playwright
from playwright.async_api import Error as Failed

from benchmarks.class_load import GOAL, STEPS
from benchmarks.server import Server
from benchmarks.ui import CHROMIUM
from tests.browser.find_browser import HELP, find

BETWEEN, PAUSE = 3.0, (30.0, 60.0)  # seconds between two who come in, and between two steps of one
LONGEST = 60_000  # milliseconds
PHONE = {"width": 390, "height": 844}
WATCH = Path(__file__).with_suffix(".js").read_text(encoding="utf-8")
# Streamlit asks these two below the page that is opened before it finds them at the root.
PROBES = ("/mechanism_lab/_stcore/health", "/mechanism_lab/_stcore/host-config")
IN_CLASS = re.compile("You are student")


class Student:
    """One browser: its page, its times, and what went wrong in it."""

    def __init__(self, page: Page, random: Random) -> None:
        self.page, self.random, self.step, self.came = page, random, 0, 0.0
        self.question, self.faults = "", _faults_of(page)
        page.set_default_timeout(LONGEST)

    async def come(self, link: str) -> None:
        began = time.perf_counter()
        await self.page.goto(link)
        main = self.page.get_by_role("main")
        await main.get_by_text(IN_CLASS).wait_for()
        self.came = (time.perf_counter() - began) * 1000
        self.question = await main.get_by_role("heading", level=2).first.inner_text()

    async def learn(self, end: float) -> None:
        main = self.page.get_by_role("main")
        await asyncio.sleep(self.random.uniform(0, PAUSE[1]))
        while time.perf_counter() < end:
            label = STEPS[self.step % len(STEPS)]
            if label == "Check":
                for field in await main.get_by_role("textbox").all():
                    await field.fill(str(7 + self.step % 2))  # the same one twice would be one try
            await main.get_by_role("button", name=label).click()
            self.step += 1
            await asyncio.sleep(self.random.uniform(*PAUSE))

    async def checks(self) -> list[dict[str, float]]:
        if await self.page.get_by_test_id("stException").count():
            self.faults.append("an exception is shown")
        found: list[dict[str, float]] = await self.page.evaluate("parChecks")
        self.faults.extend("no verdict came" for each in found if "shown" not in each)
        return [each for each in found if "shown" in each]


def _faults_of(page: Page) -> list[str]:
    """Return a list that fills with what the console of a page tells."""
    faults = list[str]()

    def note(said: ConsoleMessage) -> None:
        if said.type == "error" and not said.location["url"].endswith(PROBES):
            faults.append(said.text)

    page.on("crash", lambda _: faults.append("the page crashed"))
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", note)
    return faults


async def lesson(running: Server, number: int, seconds: float, seed: str) -> None:
    if (path := find()) is None:
        sys.exit(HELP)
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=path, args=list(CHROMIUM))
        try:
            await _lesson(browser, running, number, seconds, seed)
        finally:
            await browser.close()


async def _lesson(browser: Browser, running: Server, number: int, seconds: float, seed: str) -> None:
    print(f"a class of {number} browsers, each with a step every {PAUSE[0]:g} to {PAUSE[1]:g} s, for {seconds:g} s")
    print(f"load of the machine before: {os.getloadavg()[0]:.1f}", flush=True)
    lecturer = await browser.new_page()
    faults = _faults_of(lecturer)
    await lecturer.goto(f"{running.address}/mechanism_lab?tab=quiz&lqn=class")
    await lecturer.get_by_role("button", name="Open a class").click()
    link = (await lecturer.get_by_text(re.compile("class=[A-Z]{5}$")).inner_text()).split()[-1]
    students, coming = list[Student](), list[asyncio.Task[None]]()
    for each in range(number):
        context = await browser.new_context(viewport=PHONE, reduced_motion="reduce")
        await context.add_init_script(WATCH)
        students.append(Student(await context.new_page(), Random(f"{seed} {each}")))
        coming.append(asyncio.create_task(students[-1].come(link)))
        await asyncio.sleep(BETWEEN)
    await asyncio.gather(*coming)
    before, end = running.seconds[0], time.perf_counter() + seconds
    for student, failed in zip(
        students, await asyncio.gather(*(each.learn(end) for each in students), return_exceptions=True), strict=True
    ):
        if isinstance(failed, Failed):
            student.faults.append(str(failed))
        elif failed:
            raise failed
    used, load = running.seconds[0] - before, os.getloadavg()[0]
    checks = [check for each in students for check in await each.checks()]
    print(f"{len({each.question for each in students})} different first questions, {number} students")
    print(await lecturer.get_by_role("main").get_by_role("heading", level=2).first.inner_text())
    print(f"{'':24}{'runs':>6}{'median':>11}{'95th pct':>11}{'longest':>11}")
    _row("coming in", [each.came for each in students])
    _row("a check, to the verdict", [each["shown"] - each["pressed"] for each in checks], f"   goal <= {GOAL} ms")
    _row("- of it, the server", [each["heard"] - each["sent"] for each in checks])
    steps = sum(each.step for each in students)
    print(
        f"{steps} steps, each {used / steps * 1000:.0f} ms of a processor of the server; load of the machine: {load:.1f}"
    )
    faults += [fault for each in students for fault in each.faults]
    print(f"{len(faults)} errors in the browsers", *dict.fromkeys(faults), sep="\n")


def _row(name: str, taken: list[float], goal: str = "") -> None:
    high = statistics.quantiles(taken, n=20, method="inclusive")[-1]
    print(f"{name:24}{len(taken):6}{statistics.median(taken):8.0f} ms{high:8.0f} ms{max(taken):8.0f} ms{goal}")
