"""What a reader has chosen to publish of a table, and the words for it, its numbers and its plan."""

from __future__ import annotations

from dataclasses import dataclass

from pages.shared.uploads import is_own
from pages.shared.words import amount, counted, level, level0, mechanism_name
from par_core import rounding
from par_core.export import plan_words
from par_core.mechanisms import MECHANISMS, drawn
from par_core.queries import Condition, Count, CountBy, Kept, Mean, Over, Part, PersonCounts, Query, Sum
from par_core.release import NoiseComparison, PlannedRelease, noun_of
from par_core.rounding import small
from par_core.scenario import Scenario, written
from par_core.tables.table import Table


@dataclass(frozen=True)
class Choice:
    """What the reader has chosen: the table and, unless something is missing, the query."""

    table: Table
    query: Query
    person: str
    over: Over
    unit: str
    lists: str
    guess: int = 1
    """How many rows are averaged at least, where that is private and has to be guessed."""

    @property
    def capped(self) -> bool:
        """Whether further rows of a person are left out."""
        return bool(self.person) and self.over == "truncate"


def size_words(value: float, chosen: Choice, *, fine: bool = False) -> str:
    """Return a range with its unit."""
    return f"{rounding.error(value, fine=fine)}{_unit(chosen)}"


def _unit(chosen: Choice) -> str:
    return "" if chosen.query.whole or is_own(chosen.table) else f" {chosen.unit}"


def within_words(value: float, chosen: Choice, *, of: str = "") -> str:
    """Return a range in a sentence; no range reads as 0, which would not say that the number is exact then."""
    return f"within {size_words(value, chosen)}{of}" if value else "exact"


def left_out_words(chosen: Choice, kept: Kept, *, most: int, presented: bool) -> str:
    """Return what the cap leaves out before any noise, for the middle of a sentence; for an audience without private numbers."""
    persons = isinstance(chosen.query, PersonCounts)
    if persons and chosen.query.k == 1:
        return "each person is counted once, however many rows they have"
    one, what = ("cell", "cells of persons") if persons else ("row", "rows")
    first = f"only a person’s first {f'{one} counts' if most == 1 else f'{most:,} {one}s count'}"
    if presented:
        return f"{first}; how many {what} that leaves out is private"
    if not kept.left_out:
        return f"**none of {kept.of:,} {what} is left out** (private)"
    return f"**{kept.left_out:,} of {kept.of:,} {what} are left out: {first}** (private)"


def missing_words(chosen: Choice, missing: int, *, presented: bool) -> str:
    """Return what a sum or a mean takes missing values for; for an audience without their private number."""
    query = chosen.query
    assert isinstance(query, Sum | Mean)
    words = plan_words.blanks(query, None if presented else missing)
    another = ", so that “the truth” is not the mean of those with one" if isinstance(query, Mean) else ""
    return f"**{words[0].upper()}{words[1:]}**{another}."


def query_words(query: Query) -> str:
    persons = isinstance(query, PersonCounts)
    if isinstance(query, Count):
        return f"count of {'persons with a row' if persons else 'rows'} with {condition_words(query.condition)}"
    if isinstance(query, CountBy):
        words = f"counts{' of persons' * persons} by {' and '.join(query.columns)}"
    else:
        words = f"{'sum' if isinstance(query, Sum) else 'mean'} of {query.column}"
    if isinstance(query, Mean) and query.skip_missing:
        words += ", only rows with a value"
    return words if query.where is None else f"{words}, only rows with {condition_words(query.where)}"


def condition_words(condition: Condition) -> str:
    return f"{condition.column} {condition.comparison} {', '.join(map(str, condition.values))}"


def scenario_words(planned: PlannedRelease, scenario: Scenario, *, differs: Part | None) -> str:
    """Return what a plan takes from the scenario, and, if it `differs`, the k and the sensitivity of its query."""
    unit = "cell" if isinstance(planned.query, PersonCounts) else "row"
    words = f"For {level0(scenario.epsilon0)}"
    if planned.norm == "L2":
        words += f" and δ\u00a0=\u00a0{small(planned.delta)}"
        if scenario.statistics > 1:
            words += f", which all {scenario.statistics:,} statistics keep together"
    elif scenario.statistics > 1:
        words += (
            f", shared equally by {scenario.statistics:,} statistics, which gives this one {level(planned.epsilon)}"
        )
    most = counted(planned.rows_per_person, unit)
    words += f". Neighbours: {plan_words.neighbours(planned)}. No person has more than {most}."
    if planned.norm == "L2" and not planned.is_pair:
        moved = rounding.error(planned.parts[0].part.moves(planned.norm))
        words += f" {_noise(planned)} noise follows the {planned.norm} sensitivity, here {moved}."
    if differs is not None:
        words += (
            f" k = {differs.k:,} and L1 sensitivity {amount(differs.sensitivity, 6)} per {unit}; your scenario, which the other pages "
            f"follow, has k = {scenario.k:,} and sensitivity {amount(scenario.sensitivity, 6)}."
        )
    return words


def _noise(planned: PlannedRelease) -> str:
    return drawn(whole=False, mechanism=planned.mechanism).name


def replaced_words(planned: PlannedRelease, scenario: Scenario) -> str:
    """Return what is planned instead of the mechanism of the scenario, and why; "" where it is planned with that."""
    if planned.mechanism != scenario.mechanism:
        return f"{adds_none(scenario.mechanism)}: this page plans with {_noise(planned)} noise at the same ε₀."
    if MECHANISMS[planned.mechanism].name != _noise(planned) and not planned.parts[0].part.whole:
        return "Release code draws discrete Laplace noise in any case, for sums in tiny steps: the plan is that of Laplace noise."
    return ""


def adds_none(mechanism: str) -> str:
    """Return the words for a mechanism that adds no noise to numbers."""
    name = mechanism_name(mechanism)
    return f"{f'The {name.lower()}' if name.endswith('mechanism') else name} adds no noise to a table’s numbers"


def _plus_minus(value: float, chosen: Choice, *, fine: bool) -> str:
    return f"±{size_words(value, chosen, fine=fine)}" if value else "exact"


def comparison_words(found: NoiseComparison, chosen: Choice, scenario: Scenario) -> str:
    """Return which noise is more accurate at the same ε₀ and δ, and from where on it is the other one; "" where they are alike."""
    if found.laplace == found.gaussian:
        return ""
    ranges = {"Laplace": found.laplace, "Gaussian": found.gaussian}
    better, other = sorted(ranges, key=ranges.__getitem__)
    fine = rounding.error(found.laplace) == rounding.error(found.gaussian)
    words = (
        f"**{better} noise is more accurate here** at the same ε₀ and δ\u00a0=\u00a0{small(scenario.delta)}: "
        f"{_plus_minus(ranges[better], chosen, fine=fine)}, {other} noise {_plus_minus(ranges[other], chosen, fine=fine)}."
    )
    crossings = []
    if found.statistics is not None and found.statistics > 1:
        crossings.append(f"from {found.statistics:,} such statistics in one release")
    if found.cells is not None and found.cells > 2:
        crossings.append(f"for all at once from about {amount(found.cells, 2)} cells")
    return f"{words} Gaussian noise wins {', and '.join(crossings)}." if crossings else words


def wish_words(wanted: float, measure: str, chosen: Choice, planned: PlannedRelease) -> str:
    """Return how far off the published numbers are wished to be, for a sentence in which an ε₀ "keeps" that."""
    noun, k = noun_of(planned), planned.query.k
    who = f"the published {noun}" if k == 1 else f"each of {k:,} published {noun}s"
    if k > 1 and measure == "all":
        who = f"all {k:,} published {noun}s at once"
    if k > 1 and measure == "total":
        who = f"the total of {k:,} published {noun}s"
    size = f"{amount(wanted, 6)}{_unit(chosen)}"
    if measure == "average":
        return f"the average error of {who} within {size}"
    return f"{who} within ±{size} in 95 of 100 releases"


def plan_head(chosen: Choice, planned: PlannedRelease, scenario: Scenario) -> dict[str, str]:
    """Return what the plan says above its rows; nothing of it is read off the table, except a list that was taken from there."""
    query = planned.query
    head = {"title": "Plan of a release", "query": query_words(query)}
    if isinstance(query, CountBy):
        head["category lists"] = chosen.lists
    if isinstance(query, Sum | Mean):
        head["bounds"] = f"{written(query.lower)} to {written(query.upper)}, given by the user"
        head["estimated"] = plan_words.truth(planned, capped=chosen.capped)
    head["mechanism"] = f"{_noise(planned)} noise"
    head["epsilon0 of the release"] = written(scenario.epsilon0)
    if planned.norm == "L1":
        head["statistics that share it equally"] = str(scenario.statistics)
    else:
        head["delta of the release"] = written(planned.delta)
        head["statistics that keep both together"] = str(scenario.statistics)
    for planned_part in planned.parts:
        part, scale = planned_part.part, written(float(planned_part.error.scale))
        if planned.norm == "L1":
            head[f"{part.name}: epsilon"] = written(planned_part.epsilon)
        head[f"{part.name}: {planned.norm} sensitivity"] = written(part.moves(planned.norm))
        of_noise = "scale of the Laplace noise" if planned.norm == "L1" else f"sigma of the {_noise(planned)} noise"
        head[f"{part.name}: {of_noise}"] = scale
    head["neighbours"] = f"{planned.neighbours} ({plan_words.neighbours(planned)})"
    unit = "cells" if isinstance(query, PersonCounts) else "rows"
    head[f"{unit} per person, at most"] = str(planned.rows_per_person)
    over = {"truncate": f"further {unit} are left out", "refuse": f"more {unit} stop the release"}
    head["person column"] = (
        f"{chosen.person}; {over[chosen.over]}" if chosen.person else "not looked at: the cap is the user's promise"
    )
    if planned.is_pair:
        head["assumed"] = f"at least {chosen.guess} rows are averaged (a guess of the user's)"
    head["ranges"] = (
        f"counts get noise {'of whole numbers' if planned.norm == 'L1' else 'with decimals'}; whatever the data"
    )
    head["standing"] = f"{planned.standing.value}: {planned.source}"
    return {**head, "scenario": scenario.to_json()}
