"""The words for a query on a table, its numbers and its plan."""

from __future__ import annotations

from par_core import rounding
from par_core.export import release_meaning
from par_core.export.sentences import counted, level, level0
from par_core.mechanisms import MECHANISMS, drawn
from par_core.queries import Mean, Part, PersonCounts, Quantile, Share, TableAmount
from par_core.questions.your_table.table_question import TableAnswer, TableQuestion
from par_core.release import NoiseComparison, PlannedRelease, noun_of
from par_core.rounding import amount, small
from par_core.scenario import Scenario


def size_of(value: float, asked: TableQuestion, *, fine: bool = False) -> str:
    """Return a range with its unit."""
    return f"{rounding.error(value, fine=fine)}{_unit(asked)}"


def _unit(asked: TableQuestion) -> str:
    if isinstance(asked.query, Quantile):
        return f" {asked.unit}"
    return "" if asked.query.whole or asked.own or isinstance(asked.query, Share) else f" {asked.unit}"


def within(value: float, asked: TableQuestion, *, of: str = "") -> str:
    """Return a range in a sentence; no range reads as 0, which would not say that the number is exact then."""
    return f"within {size_of(value, asked)}{of}" if value else "exact"


def published(planned: PlannedRelease, *, start: str = "the") -> str:
    """Return what is published, as the subject of a sentence: one number, or each of several."""
    noun, k = noun_of(planned), planned.query.k
    return (
        f"{start} published {noun}" if k == 1 else f"{'E' if start[0].isupper() else 'e'}ach of {k:,} published {noun}s"
    )


def guessed(asked: TableQuestion) -> str:
    """Return what is assumed of how many rows there are, for the middle of a sentence."""
    return (
        f"at least {asked.guess:,} rows are {asked.query.shape.rows_are}{' in each group' if asked.query.k > 1 else ''}"
    )


def ranks(planned: PlannedRelease, value: float) -> str:
    """Return the error of a quantile as a sentence, without its full stop."""
    noun, rows = noun_of(planned), counted(int(value), "row")
    lie = "lies" if value == 1 else "lie"
    return f"In 95 of 100 releases at most {rows} {lie} between published and true {noun}"


def against_epsilon0(planned: PlannedRelease) -> str:
    """Return what a chart draws, in words, without their full stop."""
    if planned.is_selection:
        return f"How many rows lie between published and true {noun_of(planned)}, against ε₀"
    return "Error of a published number against ε₀"


def left_out(found: TableAnswer) -> str:
    """Return what the cap leaves out, for the middle of a sentence, as far as it is known; for an audience without private numbers."""
    asked, kept = found.question, found.kept
    if not asked.capped:
        return ""
    most, persons = asked.scenario.rows_per_person, isinstance(asked.query, PersonCounts)
    if persons and asked.query.k == 1:
        return "each person is counted once, however many rows they have"
    one, what = ("cell", "cells of persons") if persons else ("row", "rows")
    first = f"only a person’s first {f'{one} counts' if most == 1 else f'{most:,} {one}s count'}"
    if kept is None and not asked.for_audience:
        return first
    if kept is None or asked.for_audience:
        return f"{first}; how many {what} that leaves out is private"
    if not kept.left_out:
        return f"**none of {kept.of:,} {what} is left out** (private)"
    return f"**{kept.left_out:,} of {kept.of:,} {what} are left out: {first}** (private)"


def missing(found: TableAnswer) -> str:
    """Return what a sum or a mean takes missing values for; for an audience without their private number."""
    asked, query = found.question, found.question.query
    if not isinstance(query, TableAmount):
        return ""
    # Whether there are any is as private as their number.
    are_told = query.takes_blanks if asked.for_audience and asked.own else found.blanks
    if not are_told:
        return ""
    words = release_meaning.blanks(query, None if asked.for_audience else found.blanks)
    another = ", so “the truth” is not the mean of rows with a value" if isinstance(query, Mean) else ""
    return f"**{words[0].upper()}{words[1:]}**{another}."


def of_scenario(planned: PlannedRelease, scenario: Scenario, *, differs: Part | None) -> str:
    """Return what a plan takes from the scenario, and, if it `differs`, the k and the sensitivity of its query."""
    unit = "cell" if isinstance(planned.query, PersonCounts) else "row"
    words = f"For {level0(scenario.epsilon0)}"
    if planned.norm == "L2":
        words += f" and δ\u00a0=\u00a0{small(planned.delta)}"
        if scenario.statistics > 1:
            words += f", which cover all {scenario.statistics:,} statistics"
    elif scenario.statistics > 1:
        words += (
            f", shared equally by {scenario.statistics:,} statistics, which gives this one {level(planned.epsilon)}"
        )
    most = counted(planned.rows_per_person, unit)
    words += f". Neighbours: {release_meaning.neighbours(planned)}. No person has more than {most}."
    if planned.norm == "L2" and not planned.is_pair:
        moved = rounding.error(planned.parts[0].part.moves(planned.norm))
        words += f" {noise_of(planned)} noise follows the {planned.norm} sensitivity, here {moved}."
    if scenario.mechanism == planned.mechanism == "laplace" and not planned.is_pair and planned.parts[0].part.whole:
        words += " Counts get noise in whole numbers, which can be closer to the truth than continuous noise."
    if differs is not None:
        words += f" k = {differs.k:,} and L1 sensitivity {amount(differs.sensitivity, 6)} per {unit}."
    return words


def noise_of(planned: PlannedRelease) -> str:
    """Return what the noise of a plan is called."""
    return drawn(whole=False, mechanism=planned.mechanism).name


def replaced(planned: PlannedRelease, scenario: Scenario) -> str:
    """Return what is planned instead of the mechanism of the scenario, and why; "" where it is planned with that."""
    if planned.is_selection:
        return "A quantile gets no noise: permute and flip chooses one of its candidates, whatever the mechanism of your scenario."
    if planned.mechanism != scenario.mechanism:
        return f"{adds_none(scenario.mechanism)}: this page plans with {noise_of(planned)} noise at the same ε₀."
    if MECHANISMS[planned.mechanism].name != noise_of(planned) and not planned.parts[0].part.whole:
        return "Release code draws discrete Laplace noise in any case, for sums in tiny steps: the plan is that of Laplace noise."
    return ""


def adds_none(mechanism: str) -> str:
    """Return the words for a mechanism that adds no noise to numbers."""
    name = MECHANISMS[mechanism].name
    who = f"The {name}" if name.endswith("mechanism") else f"{name[0].upper()}{name[1:]}"
    return f"{who} adds no noise to a table’s numbers"


def compared(found: NoiseComparison, asked: TableQuestion) -> str:
    """Return which noise is more accurate at the same ε₀ and δ, and from where on it is the other one; "" where they are alike."""
    if found.laplace == found.gaussian:
        return ""
    ranges = {"Laplace": found.laplace, "Gaussian": found.gaussian}
    better, other = sorted(ranges, key=ranges.__getitem__)
    fine = rounding.error(found.laplace) == rounding.error(found.gaussian)

    def range_of(noise: str) -> str:
        return f"±{size_of(ranges[noise], asked, fine=fine)}" if ranges[noise] else "exact"

    words = (
        f"**{better} noise is more accurate here** at the same ε₀ and δ\u00a0=\u00a0{small(asked.scenario.delta)}: "
        f"{range_of(better)}, {other} noise {range_of(other)}."
    )
    crossings = []
    if found.statistics is not None and found.statistics > 1:
        crossings.append(f"from {found.statistics:,} such statistics in one release")
    if found.cells is not None and found.cells > 2:
        crossings.append(f"for all at once from about {amount(found.cells, 2)} cells")
    return f"{words} Gaussian noise wins {', and '.join(crossings)}." if crossings else words


def wished(planned: PlannedRelease, asked: TableQuestion, *, wanted: float, measure: str) -> str:
    """Return how far off the published numbers are wished to be, for a sentence in which an ε₀ "keeps" that."""
    noun, k = noun_of(planned), planned.query.k
    who = published(planned)
    if k > 1 and measure == "all":
        who = f"all {k:,} published {noun}s at once"
    if k > 1 and measure == "total":
        who = f"the total of {k:,} published {noun}s"
    size = f"{amount(wanted, 6)}{_unit(asked)}"
    if measure == "average":
        return f"the average error of {who} within {size}"
    if planned.is_selection:
        return f"at most {amount(wanted, 6)} rows between published and true {noun} in 95 of 100 releases"
    return f"{who} within ±{size} in 95 of 100 releases"
