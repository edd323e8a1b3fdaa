"""The plan for the year of a release script, and the fixed text with which the script keeps account of it.

The ledger is a file of JSON lines: the plan, then a line for every run with its number and time, each sealed with a hash of all that
stands before it. A script takes its place there before it measures. Wherever it breaks off, the place counts.
"""

from __future__ import annotations

from dataclasses import dataclass

from par_core.composition import added_up, compose
from par_core.composition.brackets import SMALLEST_DELTA
from par_core.composition.composed import MOST_RELEASES
from par_core.export.script_constants import literal
from par_core.mechanisms import NOISES, Mechanism
from par_core.parameters import one, one_whole
from par_core.release import PlannedRelease
from par_core.rounding import amount, rounded
from par_core.scenario import Scenario
from par_core.standing import PROVEN, Standing

NAME = "privacy_ledger.jsonl"
_HEAD = """\
The plan for the year
{plan}
  - a ledger beside this script, or where --ledger puts it, counts the runs and refuses any after the last; scripts of
    the same plan share it. A run that breaks off once its place is taken counts too. Keep the ledger: without it,
    with an older copy or with its end cut off, runs are not counted
  - publish what every run writes: to look at several results and choose one gives away more than planned
"""


@dataclass(frozen=True)
class YearPlan:
    """So many releases with the same promise, of one run of a script or of several, and what all of them spend together at most.

    `epsilon` and `delta` are those of all releases together, epsilon with four digits and on the safe side.
    """

    noise: str
    releases: int
    runs: int  # of all releases
    epsilon: float
    delta: float
    promise: str  # of one run, in words
    standing: Standing = PROVEN
    source: str = "exact composition of the least private mechanism that keeps the promise of a release"

    @property
    def head(self) -> str:
        """The plan as lines of the head of a script."""
        several = f", {self.runs:,} runs" if self.runs > self.releases else ""
        made = f"{self.releases:,} release{'s' * (self.releases > 1)}{several}, each with {self.promise}"
        spent = f"epsilon {amount(self.epsilon, 4, toward='up')} at delta {self.delta:g}"
        return _HEAD.replace("{plan}", f"  - {made}\n  - together they spend at most {spent}, whatever they ask")

    @property
    def note(self) -> str:
        """What the user of a script should know of it."""
        times = "once" if self.runs == 1 else f"{self.runs:,} times in all"
        return (
            f"The plan is to run it {times}: a ledger beside the script counts the runs, and refuses any after the last. Scripts of the "
            "same plan in the same folder share it. Keep it: without it, with an older copy or with its end cut off, "
            "runs are not counted."
        )

    def lines(self, *, each: dict[str, str]) -> list[str]:
        """Return the constants of a script; `each` says how it writes what is promised for one run."""
        plan = {
            "noise": literal(self.noise),
            "runs": literal(self.runs),
            **each,
            "epsilon_of_all": literal(self.epsilon),
            "delta_of_all": literal(self.delta),
        }
        entries = [f"    {literal(name)}: {value}," for name, value in plan.items()]
        return ["# The plan for the year. A ledger with another one is refused.", "PLAN = {", *entries, "}", ""]


def plan_of_table(planned: PlannedRelease, *, releases: int, delta: float) -> YearPlan:
    """Return the plan for so many releases, each with all the statistics that this one shares its promise with.

    `delta` is that of all releases together. Scripts draw discrete Laplace noise, and the one that moves by a single step is the
    least private noise of its epsilon: so the plan holds for whatever is asked.
    """
    noise = NOISES["gaussian" if planned.norm == "L2" else "discrete-laplace"]
    shared = f" for {planned.statistics:,} runs together" if planned.statistics > 1 else ""
    if planned.norm == "L2":
        release = noise.for_epsilon(planned.epsilon, sensitivity=1, delta=planned.delta)
        promise = f"epsilon {amount(planned.epsilon, 4)} at delta {planned.delta:g}{shared}"
    else:
        level = float(added_up([(planned.epsilon, planned.statistics)]))
        release, promise = noise.for_epsilon(level, sensitivity=1), f"epsilon {amount(level, 4)}{shared}"
    return _plan(release, releases, planned.statistics, delta, promise)


def plan_of_scenario(scenario: Scenario) -> YearPlan:
    """Return the plan for the releases of a scenario, each in one run."""
    release, promise = scenario.release, f"epsilon {amount(scenario.epsilon0, 4)}"
    if NOISES[scenario.mechanism].norm == "L2":
        promise += f" at delta {scenario.delta:g}"
    return _plan(release, scenario.releases, 1, scenario.delta, promise)


def _plan(release: Mechanism, releases: int, statistics: int, delta: float, promise: str) -> YearPlan:
    number = one_whole("releases", releases, at_least=1, at_most=MOST_RELEASES)
    small = one("delta", delta, at_least=SMALLEST_DELTA, below=1.0)
    spent = rounded(float(compose(release, number).epsilon(small)), 4, toward="up")
    return YearPlan(release.name, number, number * statistics, spent, small, promise)


IMPORTS = """\
import argparse
import csv
import datetime
import hashlib
import json
import os
import re
import sys
"""

TAKE_PLACE = '''
def sealed(entry, before=""):
    """Return a line of the ledger, sealed with a hash of it and of all that stands before it."""
    seal = hashlib.sha256((before + json.dumps(entry)).encode()).hexdigest()
    return json.dumps({**entry, "seal": seal}) + "\\n"


def take_place(path, results):
    """Take the next place in the ledger, for good, and make the file of results; return its name.

    The ledger must be what its plan and its times make it. That its last lines were cut off is not noticed.
    """
    try:
        os.close(os.open(path + ".lock", os.O_CREAT | os.O_EXCL))  # only one run at a time gets past this line
    except FileExistsError:
        stop(f"another run is at the ledger; if none is, one broke off there: delete {path}.lock, and run again")
    except OSError as error:
        stop(f"the ledger cannot be kept: {error}")
    try:
        found, text = "", sealed({"plan": PLAN})
        if os.path.exists(path):
            with open(path, encoding="utf-8", errors="replace", newline="") as file:
                found = file.read()
            if not found.startswith(text):
                own = "another plan gets its own ledger with --ledger FILE, and what both plans spend adds up"
                stop(f"{path} is no ledger of this plan: nothing was measured; {own}")
        times = re.findall('"time": "([^"]*)"', found)
        for run, time in enumerate(times, start=1):
            text += sealed({"run": run, "time": time}, text)
        if found and found != text:
            stop(f"{path} is torn, or was edited: nothing was measured, because what was spent is not known any more")
        run = len(times) + 1
        if run > PLAN["runs"]:
            stop(f"all {PLAN['runs']} runs of the plan are made, the last on {times[-1]}: nothing was measured")
        results = f"{results}_{run}.csv"
        with open(results, "x"):
            pass  # nothing is spent for what cannot be kept
        time = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        with open(path, "a", encoding="utf-8", newline="") as file:
            file.write(text[len(found) :] + sealed({"run": run, "time": time}, text))
            file.flush()
            os.fsync(file.fileno())
        if os.name == "posix":  # the name of a new file is safe when its folder is
            folder = os.open(os.path.dirname(path), os.O_RDONLY)
            os.fsync(folder)
            os.close(folder)
    except FileExistsError:
        stop(f"{results} is there already, and the ledger knows nothing of it: nothing was measured")
    except OSError as error:
        stop(f"the ledger or the results cannot be kept: {error}")
    finally:
        try:
            os.remove(path + ".lock")
        except FileNotFoundError:
            pass  # somebody took it away; the place is taken all the same
    print(f"run {run} of {PLAN['runs']} by the ledger {path}")
    return results
'''
