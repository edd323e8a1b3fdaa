"""`par plan`: what several releases about the same people spend together, how far off each is, and shares that suit the wishes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from par_core.cli.scenario_options import scenario_options
from par_core.cli.shell import Command
from par_core.errors import ParameterError

if TYPE_CHECKING:
    from par_core.cli.answer import Answer
    from par_core.plan import Release
    from par_core.progress import Progress

_FIELDS = ("epsilon0", "neighbours", "delta")
_EXAMPLES = (
    "par plan '1~counts_12_r3_mD_t12~mean_u110_r3_g9000_t12' --neighbours add-or-remove --epsilon 0.5",
    "par plan '1~counts_12_mD_t12~sum_u50_t4' --wish 10 --wish 400 --gate 4",
)


@click.command(
    "plan", cls=Command, examples=_EXAMPLES, short_help="What several releases spend together, and who gets how much."
)
@click.argument("releases", metavar="1~RELEASE~...")
@click.option(
    "--wish", "wishes", type=float, multiple=True, metavar="WITHIN", help="Largest error of a release that will do."
)
@click.option("--gate", type=float, metavar="EPSILON", help="Exit with 3 if they spend more than that.")
@scenario_options(*_FIELDS)
def command(
    releases: str, scenario: str | None, wishes: tuple[float, ...], gate: float | None, progress: Progress, **given: str
) -> Answer:
    """What several releases about the same people spend together, and how far off the numbers of each are.

    A release is counts, sum, mean or numbers, then letters with numbers: how many numbers (12), rows a person (r3), bounds (l0, u110), rows
    chosen (c), persons counted (p), public number of rows (n), a guess of it (g), sensitivity (s), statistics (a), mechanism (mL mD mG),
    weight (w) and times (t12). Weights share ε₀; with one --wish for each release, shares miss all of them by the same factor.
    """
    from par_core.cli.answer import Answer, Gate, Row, beside
    from par_core.cli.scenario_options import scenario_of
    from par_core.evidence import Quantity
    from par_core.parameters import check_number
    from par_core.plan import Plan, from_address, in_address, share_by_wishes, totals
    from par_core.rounding import amount, brief, small

    if gate is not None:
        check_number("gate", gate, above=0)
    settled = scenario_of(scenario, dict(given))
    plan = Plan(from_address(releases), settled.epsilon0, settled.neighbours, settled.delta)
    notes, met = [], ""
    if wishes:
        if len(wishes) != len(plan.releases):
            raise ParameterError(f"--wish must be given for each of {len(plan.releases)} releases, got {len(wishes)}")
        shared = share_by_wishes(plan, wishes)
        plan = shared.plan
        times = f"each error is at most {brief(shared.factor, toward='up')} times what you wished"
        met = (
            f" At ε₀ = {amount(plan.epsilon0, 4)} {times}; all wishes are met at {brief(shared.epsilon0, toward='up')}."
        )
        notes = [f"With these shares: {in_address(plan.releases)}"]
    progress(0.5)
    found = totals(plan)
    progress(1.0)
    rows = [Row("all together", found.quantity("epsilon"), "ε", f"at δ = {small(plan.delta)}")]
    for at, release in enumerate(plan.releases):
        level: Quantity = found.quantity("levels", at)
        note = f"ε₀ = {amount(level.value, 4)} each time, {release.times:,} time{'s' * (release.times > 1)}"
        if release.shape.is_pair(plan.neighbours):
            note += f"; if it is over at least {release.size:,} rows, your guess"
        rows.append(Row(f"{at + 1}. {_named(release)}: off by at most", found.quantity("errors", at), "", note))
    number = sum(each.times for each in plan.releases)
    together = f"{number:,} releases together spend" if number > 1 else "One release spends"
    stop = None
    if gate is not None:
        fits = found.epsilon <= gate
        stop = Gate(fits, f"ε = {beside(found.epsilon, gate, 4)} is {'not ' * fits}above {amount(gate, 12)}")
    return Answer(
        f"{together} ε = {brief(found.epsilon, toward='up', beside=gate)} at most, at δ = {small(plan.delta)}.{met}",
        {"releases": in_address(plan.releases), **{name: getattr(plan, name) for name in _FIELDS}},
        tuple(rows),
        (*notes, f"{found.source}; {found.limits}.", "Errors hold in 95 of 100 releases."),
        stop,
    )


def _named(release: Release) -> str:
    shape = release.shape
    return f"{shape.k:,} {shape.noun}" if shape.k > 1 else shape.noun.removesuffix("s")
