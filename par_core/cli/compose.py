"""`par compose`: what releases spend together in truth, and by every accountant that holds for them or claims to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from par_core.cli.scenario_options import MECHANISMS
from par_core.cli.shell import NUMBER, Command
from par_core.errors import ParameterError

if TYPE_CHECKING:
    from par_core.cli.answer import Answer, Row
    from par_core.evidence import Quantity
    from par_core.progress import Progress
    from par_core.scenario import Scenario

_PART = re.compile(r"([^x×*]+)(?:[x×*]([0-9]+))?")

_EXAMPLES = (
    "par compose 0.5x300",
    "par compose 0.1x20 0.5x2 --delta 1e-6 --format json",
    "par compose 0.5x4 --mechanism gaussian --gate 2 --format csv",
)


@click.command(
    "compose",
    cls=Command,
    examples=_EXAMPLES,
    short_help="What releases spend together, in truth and by every accountant.",
)
@click.argument("levels", nargs=-1, required=True, metavar="LEVELxTIMES...")
@click.option("--delta", default="1e-5", show_default=True, metavar="NUMBER", help="δ of all releases together.")
@click.option(
    "--mechanism", type=click.Choice(MECHANISMS), default="laplace", show_default=True, help="What each is made with."
)
@click.option(
    "--statistics", default="1", show_default=True, metavar="NUMBER", help="In each release; they share its ε₀ equally."
)
@click.option("--gate", type=NUMBER, metavar="EPSILON", help="Exit with 3 if they spend more than that.")
def command(
    levels: tuple[str, ...], delta: str, mechanism: str, statistics: str, gate: float | None, progress: Progress
) -> Answer:
    """What releases spend together at a δ: between which ends the true ε lies, and what accountants say.

    LEVELxTIMES is the ε₀ of a release and how many there are of it: 0.5x300, or 0.5 for one. Several are added to each other.
    Each statistic of a release has noise of its own.
    """
    from par_core.cli.answer import Answer, Gate, beside
    from par_core.cli.scenario_options import scenario_of
    from par_core.parameters import check_number
    from par_core.rounding import amount, brief, small

    if gate is not None:
        check_number("gate", gate, above=0)
    parts = [_part(text) for text in levels]
    plain = {"delta": delta, "mechanism": mechanism, "statistics": statistics}
    of_each = [scenario_of(None, {"epsilon0": level, **plain}) for level, _ in parts]
    counts = [times for _, times in parts]
    spent, rows, notes = _found(of_each, counts, progress)
    number, used = sum(counts), of_each[0].delta
    together = f"{number:,} releases together spend" if number > 1 else "One release spends"
    several = {"statistics": of_each[0].statistics} if of_each[0].statistics > 1 else {}
    stop = None
    if gate is not None:
        why = f"ε = {beside(spent, gate, 4)} is {'not ' * (spent <= gate)}above {amount(gate, 12)}"
        stop = Gate(spent <= gate, why)
    return Answer(
        f"{together} ε = {brief(spent, toward='up', beside=gate)} at most, at δ = {small(used)}.",
        {"levels": " ".join(levels), "delta": used, "mechanism": mechanism, **several},
        rows,
        notes,
        stop,
    )


def _part(text: str) -> tuple[str, int]:
    found = _PART.fullmatch(text)
    if found is None:
        raise ParameterError(f"LEVELxTIMES must be a level such as 0.5, or 0.5x300, got {text[:40]!r}")
    return found[1], int(found[2] or 1)


def _found(
    of_each: list[Scenario], counts: list[int], progress: Progress
) -> tuple[float, tuple[Row, ...], tuple[str, ...]]:
    """Return what is spent at most, the ends that hold with the accountants after them, and what is to be known of them."""
    from par_core.cli.answer import Row
    from par_core.composition import basic, compare, compose, running
    from par_core.composition.planned_releases import exact_after, exact_together
    from par_core.composition.step_by_step import MOST_STEPS
    from par_core.evidence import Quantity, evidence_of

    first, delta, number = of_each[0], of_each[0].delta, sum(counts)
    accounted = []
    if len(set(of_each)) == 1 and number <= MOST_STEPS:
        truth = exact_after(first, [number], delta=delta, progress=progress)
        compared = compare(first.release, [number], delta=delta, truth=truth)
        low, high = truth.quantity("lower", 0), truth.quantity("upper", 0)
        for curve in compared.curves:
            note = _note(curve.quantity("epsilon", 0), low)
            if curve.delta != delta:
                note = f"at δ = {curve.delta:g}; {note}"
            accounted.append(Row(curve.accountant.name, curve.quantity("epsilon", 0), "ε", note))
    else:
        together = compose([each.release for each in of_each], counts)
        truth = exact_together(of_each, counts, delta=delta, progress=progress)
        low, high = truth.quantity("lower"), truth.quantity("upper")
        added = Quantity(basic(together, delta=delta), "level", evidence_of(basic), "up")
        accounted.append(Row("Basic composition", added, "ε"))
        if first.as_published:
            levels = [(each.epsilon0, count) for each, count in zip(of_each, counts, strict=True)]
            claimed = running(levels, [number], delta=delta).quantity("published", 0)
            name = "Privacy at Risk, Corollary 1 as published"
            accounted.append(Row(name, claimed, "ε", _note(claimed, low)))
    exactly = ("Exact", "Exact, at most", "Exact, at least")
    kind, most, least = ("Bound", "At most", "At least") if truth.is_bound else exactly
    rows = (Row(most, high, "ε"), Row(least, low, "ε"), *accounted)
    return float(high.value), rows, (f"{kind}: {truth.source}.", f"{truth.limits[0].upper()}{truth.limits[1:]}.")


def _note(number: Quantity, least: Quantity) -> str:
    if float(number.value) < float(least.value):
        return "below the truth: no guarantee"
    return "a claim, no guarantee" if number.claim else ""
