"""What stories of several pages say of the scenario, and offer for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from functools import partial
from typing import Any

from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import Quantity
from par_core.export.sentences import level0
from par_core.figures.quantities import as_told
from par_core.mechanisms import MECHANISMS, NOISES
from par_core.plan import PlanScenario
from par_core.questions.blocks import Block, File, Note, Take
from par_core.questions.question import takes
from par_core.rounding import amount
from par_core.scenario import Scenario


def only_laplace(what: str, scenario: Scenario) -> Iterator[Note]:
    """Say that a section is about Laplace noise, where the scenario has another mechanism."""
    if isinstance(scenario, PlanScenario):
        yield Note(
            f"{what} for one release with Laplace noise, at the {level0(scenario.level)} of release {scenario.at + 1}."
        )
        return
    if not scenario.as_published:
        name = MECHANISMS[scenario.mechanism].name
        whole = ", which is Laplace noise in whole numbers" * (scenario.mechanism == "discrete-laplace")
        yield Note(
            f"{what} for Laplace noise, as in the paper. Your scenario has another mechanism: {name[0].upper()}{name[1:]}{whole}."
        )


def each_by_itself(scenario: Scenario) -> Iterator[Block]:
    """Say that the exact count takes each statistic of a release by itself, where there are several and accountants do not."""
    number = scenario.by_statistic[1]
    if number > 1:
        yield Note(
            "Each of the {number:,} statistics of a release has noise of its own, and the exact count takes them one by one. "
            "The accountants take a release as one.",
            number=number,
        )


def use_epsilon0(
    found: Quantity | float, scenario: Scenario, *, query: Scenario | None = None, named: str = ""
) -> Iterator[Block]:
    """Propose an ε₀ as it is told, unless it is that of the scenario already or no scenario can have it.

    A level that was found for another query than the scenario's is proposed with that `query`, a scenario: it holds for no other. One
    of several is `named`.
    """
    value, present = as_told(found) if isinstance(found, Quantity) else found, scenario.epsilon0
    if not takes("epsilon0", value) or (wanted := replace(query or scenario, epsilon0=value)) == scenario:
        return
    kind = [named or f"{'less' if value > present else 'more'} private than {amount(present, 4)}"] * (value != present)
    kind += ["with this query"] * (wanted != replace(scenario, epsilon0=value))
    yield Take(f"Use {level0(value)} in my {scenario.noun} ({' and '.join(kind)})", changes(scenario, wanted))


def changes(before: Scenario, after: Scenario) -> dict[str, Any]:
    """Return the fields in which two scenarios differ, by their paths, for `Take`: others may have been typed into since."""
    values = ((each.name, getattr(after, each.name)) for each in fields(Scenario))
    return {f"scenario.{name}": value for name, value in values if value != getattr(before, name)}


def release_script(scenario: Scenario) -> Iterator[Block]:
    """Offer the script that publishes by the scenario, where its mechanism adds noise to numbers and takes its sensitivity."""
    try:
        if isinstance(scenario, PlanScenario) or scenario.mechanism not in NOISES or not scenario.release:
            return  # the script of a plan knows its table
    except (ParameterError, InfeasibleError):
        return
    many = f"{scenario.releases:,} release{'s' * (scenario.releases != 1)}"
    yield File(
        "scenario_code",
        f"Release code for {level0(scenario.epsilon0)}",
        "release.py",
        partial(_script, scenario),
        "Adds the noise of your scenario to your exact answers, with OpenDP on your own machine. Its ledger counts "
        f"{many}, and refuses any further one.",
    )


def _script(scenario: Scenario) -> str:
    from par_core.export.scenario_code import scenario_code  # late: only a reader who wants it needs it

    return scenario_code(scenario).text
