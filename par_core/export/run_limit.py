"""How often a release script may run, of which it keeps account as `par_core/export/scripts/ledger.py` says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from par_core.composition import added_up, compose
from par_core.composition.brackets import SMALLEST_DELTA
from par_core.composition.composed import MOST_RELEASES
from par_core.composition.planned_releases import counted
from par_core.evidence import PROVEN, Evidence, Result
from par_core.export.release_constants import literal
from par_core.mechanisms import NOISES, Mechanism
from par_core.old_names import by_old_name
from par_core.parameters import check_integer, check_number
from par_core.release import PlannedRelease
from par_core.rounding import amount, rounded
from par_core.scenario import Scenario

LEDGER = "privacy_ledger.jsonl"


@dataclass(frozen=True)
class RunLimit(Result):
    """So many releases with the same promise, of one run of a script or of several, and what all of them spend together at most.

    `epsilon` and `delta` are those of all releases together, epsilon with four digits and on the safe side.
    """

    noise: str
    releases: int
    runs: int  # of all releases
    epsilon: float
    delta: float
    promise: str  # of one run, in words
    evidence = Evidence(
        PROVEN, source="exact composition of the least private mechanism that keeps the promise of a release"
    )

    @property
    def head(self) -> str:
        """What it is, as lines of the head of a script."""
        several = f", {self.runs:,} runs" if self.runs > self.releases else ""
        made = f"{self.releases:,} release{'s' * (self.releases > 1)}{several}, each with {self.promise}"
        spent = f"epsilon {amount(self.epsilon, 4, toward='up')} at delta {self.delta:g}"
        return f"  - {made}\n  - together they spend at most {spent}, whatever they ask"

    @property
    def note(self) -> str:
        """What the user of a script should know of it."""
        times = "once" if self.runs == 1 else f"{self.runs:,} times in all"
        return (
            f"The plan is to run it {times}: a ledger beside the script counts the runs, and refuses any after the last. Scripts of the "
            "same plan in the same folder share it. Keep it: without it, with an older copy or with its end cut off, "
            "runs are not counted."
        )

    def literal(self, *, each: dict[str, str]) -> str:
        """Return it as a script holds it; `each` says how it writes what is promised for one run."""
        held = {
            "noise": literal(self.noise),
            "runs": literal(self.runs),
            **each,
            "epsilon_of_all": literal(self.epsilon),
            "delta_of_all": literal(self.delta),
        }
        entries = [f"    {literal(name)}: {value}," for name, value in held.items()]
        return "\n".join(["{", *entries, "}"])


def limit_of_table(planned: PlannedRelease, *, releases: int, delta: float) -> RunLimit:
    """Return the limit for so many releases, each with all the statistics that this one shares its promise with.

    `delta` is that of all releases together. Scripts draw discrete Laplace noise, and the one that moves by a single step is the
    least private noise of its epsilon: so it holds for whatever is asked. Each statistic has noise of its own, and counts by itself.
    """
    noise = NOISES["gaussian" if planned.norm == "L2" else "discrete-laplace"]
    shared = f" for {planned.statistics:,} runs together" if planned.statistics > 1 else ""
    if planned.norm == "L2":
        release = noise.for_epsilon(planned.epsilon, sensitivity=1, delta=planned.delta)
        promise = f"epsilon {amount(planned.epsilon, 4)} at delta {planned.delta:g}{shared}"
    else:
        level = float(added_up([(planned.epsilon, planned.statistics)]))
        each, promise = noise.for_epsilon(planned.epsilon, sensitivity=1), f"epsilon {amount(level, 4)}{shared}"
        times = planned.statistics * check_integer("releases", releases, at_least=1, at_most=MOST_RELEASES)
        if times <= MOST_RELEASES:
            return _limit(each, times, releases, planned.statistics, delta, promise)
        release = noise.for_epsilon(level, sensitivity=1)
    return _limit(release, releases, releases, planned.statistics, delta, promise)


def limit_of_scenario(scenario: Scenario) -> RunLimit:
    """Return the limit for the releases of a scenario, each in one run."""
    promise = f"epsilon {amount(scenario.epsilon0, 4)}"
    if NOISES[scenario.mechanism].norm == "L2":
        promise += f" at delta {scenario.delta:g}"
    return _limit(*counted(scenario, scenario.releases), scenario.releases, 1, scenario.delta, promise)


def _limit(each: Mechanism, times: int, releases: int, runs: int, delta: float, promise: str) -> RunLimit:
    """Return the limit for releases of so many `runs` each, which lose as much as `each` does so many `times`."""
    number = check_integer("releases", releases, at_least=1, at_most=MOST_RELEASES)
    small = check_number("delta", delta, at_least=SMALLEST_DELTA, below=1.0)
    spent = rounded(float(compose(each, times).epsilon(small)), 4, toward="up")
    return RunLimit(each.name, number, number * runs, spent, small, promise)


if not TYPE_CHECKING:
    __getattr__ = by_old_name(
        __name__, {"YearPlan": "RunLimit", "plan_of_scenario": "limit_of_scenario", "plan_of_table": "limit_of_table"}
    )
