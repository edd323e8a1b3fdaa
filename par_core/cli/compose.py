"""`par compose`: what releases spend together, exactly and by every accountant that holds for them or claims to."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import click

from par_core.cli.scenario_options import MECHANISMS
from par_core.cli.shell import Command
from par_core.errors import ParameterError

if TYPE_CHECKING:
    from par_core.cli.answer import Answer, Row
    from par_core.progress import Progress
    from par_core.scenario import Scenario

_PART = re.compile(r"([^x×*]+)(?:[x×*](\d+))?")


@click.command("compose", cls=Command, short_help="What releases spend together, exactly and by every accountant.")
@click.argument("levels", nargs=-1, required=True, metavar="LEVELxTIMES...")
@click.option("--delta", default="1e-5", show_default=True, metavar="NUMBER", help="δ of all releases together.")
@click.option(
    "--mechanism", type=click.Choice(MECHANISMS), default="laplace", show_default=True, help="What each is made with."
)
@click.option("--gate", type=float, metavar="EPSILON", help="Exit with 3 if they spend more than that.")
def command(levels: tuple[str, ...], delta: str, mechanism: str, gate: float | None, progress: Progress) -> Answer:
    """What releases spend together: the exact ε at a δ, and what accountants say.

    LEVELxTIMES is the ε₀ of a release and how many there are of it: 0.5x300, or 0.5 for one. Several are added to each other.

    \b
    Examples:
        par compose 0.5x300
        par compose 0.1x20 0.5x2 --delta 1e-6 --format json
        par compose 0.5x4 --mechanism gaussian --gate 2 --format csv
    """
    from dataclasses import replace

    from par_core.cli.answer import Answer, Gate
    from par_core.cli.scenario_options import scenario_of
    from par_core.parameters import one
    from par_core.rounding import amount, small

    if gate is not None:
        one("gate", gate, above=0)
    parts = [_part(text) for text in levels]
    scenario = scenario_of(None, {"delta": delta, "mechanism": mechanism})
    of_each = [scenario_of(None, {"epsilon0": level, "delta": delta, "mechanism": mechanism}) for level, _ in parts]
    counts = [times for _, times in parts]
    together = sum(counts)
    rows, notes = _rows(of_each, counts, progress)
    spent = rows[0].number
    assert not isinstance(spent, int)
    most = amount(float(spent.value), 4, toward="up")
    kind = replace(scenario, epsilon0=of_each[0].epsilon0).release.name
    found = f"{together:,} release{'s' * (together > 1)} together spend{'s' * (together == 1)} ε = {most} at most, at δ = {small(scenario.delta)}"
    stop = None
    if gate is not None:
        passes = float(spent.value) <= gate
        why = f"ε = {most} is {'not ' * passes}above {amount(gate, 12)}"
        stop = Gate(passes, why)
    settings = {"levels": " ".join(levels), "delta": scenario.delta, "mechanism": kind}
    return Answer(f"{found}.", settings, rows, notes, stop)


def _part(text: str) -> tuple[str, int]:
    found = _PART.fullmatch(text)
    if found is None:
        raise ParameterError(f"LEVELxTIMES must be a level such as 0.5, or 0.5x300, got {text[:40]!r}")
    return found[1], int(found[2] or 1)


def _rows(of_each: list[Scenario], counts: list[int], progress: Progress) -> tuple[tuple[Row, ...], tuple[str, ...]]:
    """Return the exact ends first, then the accountants; and what is to be known of them."""
    from par_core.cli.answer import Row
    from par_core.composition import ACCOUNTANTS, compare, exact, running
    from par_core.composition.exact import MOST_COMPOSITIONS
    from par_core.composition.of_mechanism import basic_of, compare_of, exact_of, mixed_of
    from par_core.standing import Quantity, declaration_of

    scenario, delta = of_each[0], of_each[0].delta
    mechanisms = [each.release for each in of_each]
    alike = len({each.epsilon0 for each in of_each}) == 1
    total = sum(counts)
    accounted: list[Row] = []
    if alike and total <= MOST_COMPOSITIONS:
        level = scenario.epsilon0
        if scenario.as_published:
            truth = exact(level, [total], delta=delta, progress=progress)
            compared = compare(level, [total], delta=delta, truth=truth)
        else:
            truth = exact_of(mechanisms[0], [total], delta=delta, progress=progress)
            compared = compare_of(mechanisms[0], level, [total], delta=delta, keys=tuple(ACCOUNTANTS), truth=truth)
        for curve in compared.curves:
            below = "below the truth: no guarantee" if curve.below[0] else ""
            note = below or ("a claim, no guarantee" if curve.claim else "")
            if curve.delta != delta:
                note = f"at δ = {curve.delta:g}; {note}"
            accounted.append(Row(curve.accountant.name, curve.quantity("epsilon", 0), "ε", note))
        low, high = truth.quantity("lower", 0), truth.quantity("upper", 0)
        source = truth.source
    else:
        mixed = mixed_of(mechanisms, counts, delta=delta)
        low, high, source = mixed.quantity("lower"), mixed.quantity("upper"), mixed.source
        added = basic_of(mechanisms, counts, delta=delta)
        accounted.append(
            Row("Basic composition", Quantity(added, "level", declaration_of(basic_of).standing, "up"), "ε")
        )
        if scenario.as_published:
            levels = [(each.epsilon0, count) for each, count in zip(of_each, counts, strict=True)]
            claimed = running(levels, [total], delta=delta).quantity("published", 0)
            below = float(claimed.value) < float(low.value)
            note = "below the truth: no guarantee" if below else "a claim, no guarantee"
            accounted.append(Row("Privacy at Risk, Corollary 1 as published", claimed, "ε", note))
    ends = (Row("Exact, at most", high, "ε"), Row("Exact, at least", low, "ε"))
    return (*ends, *accounted), (f"Exact: {source}.", "Every release with its worst-case neighbours.")
