"""A script that adds the noise of a scenario to exact answers, with OpenDP: for any query, which stays with its owner."""

from __future__ import annotations

from dataclasses import dataclass

from par_core.evidence import PROVEN, Evidence, Result
from par_core.export.assembled import assembled
from par_core.export.release_code import OPENDP, SCIPY
from par_core.export.release_constants import literal
from par_core.export.run_limit import LEDGER, RunLimit, limit_of_scenario
from par_core.export.scripts.made_for import MadeFor
from par_core.mechanisms import NOISES
from par_core.mechanisms.mechanism import is_noise
from par_core.old_names import old_attribute
from par_core.parameters import check_choice, check_type
from par_core.scenario import Neighbours, Scenario


@dataclass(frozen=True)
class ScenarioCode(Result):
    """A script that publishes by a scenario, what it needs from PyPI, and what its user should know."""

    text: str
    requirements: tuple[str, ...]
    notes: tuple[str, ...]
    limit: RunLimit
    year = old_attribute("year", "limit")
    evidence = Evidence(
        PROVEN, source=f"privacy map of {OPENDP}, checked by the script itself before it measures anything"
    )


def scenario_code(scenario: Scenario) -> ScenarioCode:
    """Return a script that publishes exact answers with a scenario's noise, and keeps account of its releases in a ledger.

    It reads k numbers for each statistic of a release, one on each line. That one person moves those of a statistic by no more than the
    sensitivity allows is the user's promise. With discrete Laplace noise they are whole numbers.

    ParameterError for a mechanism that adds no noise to numbers, or cannot have the sensitivity.

    >>> code = scenario_code(Scenario(epsilon0=0.5, k=3, sensitivity=2.0))
    >>> "NUMBERS = 3" in code.text, "SENSITIVITY = 2.0" in code.text
    (True, True)
    """
    check_type("scenario", scenario, Scenario)
    check_choice("mechanism", scenario.mechanism, tuple(NOISES))
    release, limit = scenario.release, limit_of_scenario(scenario)
    assert is_noise(release)
    in_l1, whole = release.norm == "L1", scenario.mechanism == "discrete-laplace"
    several = scenario.by_statistic[1] > 1
    together = 1 if several else scenario.statistics if in_l1 else scenario.statistics**0.5
    moves = scenario.moves * together
    constants = {
        "EPSILON": literal(scenario.epsilon0),
        **({} if in_l1 else {"DELTA": literal(scenario.delta)}),
        "SENSITIVITY": literal(int(moves) if whole else float(moves)),
        **({"STATISTICS": literal(scenario.statistics)} if several else {}),
        **({} if in_l1 else {"DEVIATION": literal(float(release.scale))}),
        "NUMBERS": literal(scenario.k * scenario.statistics),
    }
    promise = {name.lower(): name for name in constants if name != "NUMBERS"}
    needed = (OPENDP,) if in_l1 else (OPENDP, "numpy>=2.3", SCIPY)
    text = assembled(
        "answers",
        MadeFor(gaussian=not in_l1, whole_numbers=whole, several=several),
        order=("files", "answers", "gaussian_proof", "ledger"),
        words={
            "requirements": " ".join(f"'{each}'" for each in needed),
            "year": limit.head,
            "noise": release.name,
            "norm": release.norm,
            "them": "each statistic" if several else "them",
            "moving": "The numbers of each statistic" if several else "All numbers of a release",
        },
        values={
            **constants,
            "LEDGER": literal(LEDGER),
            "PLAN": limit.literal(each={**promise, "neighbours": literal(str(scenario.neighbours))}),
        },
        plan="plan_of_answers",
    )
    return ScenarioCode(text, needed, _notes(scenario, limit, norm=release.norm, several=several), limit)


def _notes(scenario: Scenario, limit: RunLimit, *, norm: str, several: bool) -> tuple[str, ...]:
    replaced = scenario.neighbours is Neighbours.REPLACE_ONE
    moved = "each statistic" if several else "the numbers"
    change = "are replaced by as many others" if replaced else "appear or disappear"
    return (
        limit.note,
        f"That one person moves {moved} by no more than SENSITIVITY, in {norm}, is your promise; the script does not check it.",
        f"Neighbours: one person's rows {change}; {scenario.rows_per_person:,} of them at most.",
        "What is published may be rounded, or set to 0 where it is below: that costs no privacy.",
    )
