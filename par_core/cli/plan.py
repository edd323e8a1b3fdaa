"""`par plan`: what several releases about the same people spend together, how far off each is, and shares that suit the wishes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from par_core.cli.scenario_options import scenario_options
from par_core.cli.shell import NUMBER, Command
from par_core.errors import ParameterError

if TYPE_CHECKING:
    from par_core.cli.answer import Answer
    from par_core.export.plan_code import PlanCode
    from par_core.plan import NamedRelease, Plan
    from par_core.progress import Progress

_FIELDS = ("epsilon0", "neighbours", "delta")
_EXAMPLES = (
    "par plan '1~counts_12_r3_mD_t12~mean_u110_r3_g9000_t12' --neighbours add-or-remove --epsilon 0.5",
    "par plan '1~counts_12_mD_t12~sum_u50_t4' --wish 10 --wish 400 --gate 4",
    "par plan '2~quantile_q0.5_d111_r3~counts_12_r3' --neighbours add-or-remove --wish 200 --wish 20",
    "par plan plan.toml --epsilon 0.4 --cost 1 --cost 0.05",
    "par plan plan.toml visits.csv --code release.py",
)


@click.command(
    "plan", cls=Command, examples=_EXAMPLES, short_help="What several releases spend together, and who gets how much."
)
@click.argument("releases", metavar="1~RELEASE~...|FILE.toml", type=click.Path(dir_okay=False))
@click.argument("data", required=False, type=click.Path(dir_okay=False, allow_dash=True))
@click.option(
    "--wish", "wishes", type=NUMBER, multiple=True, metavar="WITHIN", help="Largest error of a release that will do."
)
@click.option(
    "--cost",
    "costs",
    type=NUMBER,
    multiple=True,
    metavar="WEIGHT",
    help="What an error of 1 in a release costs, in one unit.",
)
@click.option("--gate", type=NUMBER, metavar="EPSILON", help="Exit with 3 if they spend more than that.")
@scenario_options(*_FIELDS)
@click.option(
    "--code",
    type=click.Path(dir_okay=False),
    metavar="FILE",
    help="Write the script that publishes all of it with OpenDP.",
)
def command(
    releases: str,
    data: str | None,
    scenario: str | None,
    wishes: tuple[float, ...],
    costs: tuple[float, ...],
    gate: float | None,
    code: str | None,
    progress: Progress,
    **given: str | None,
) -> Answer:
    """What several releases about the same people spend together, and how far off the numbers of each are.

    A release is counts, sum, mean, share, quantile or numbers, then letters with numbers: how many numbers (12), rows a person (r3), bounds
    (l0, u110), rows chosen (c), persons counted (p), public number of rows (n), a guess of it (g), sensitivity (s), which quantile (q0.5)
    of how many candidates (d111), statistics (a), mechanism (mL mD mG), weight (w) and times (t12). A line with a share or quantile begins
    with 2. A file is a plan that was saved; ε₀, neighbours and δ are its own unless options give others. Weights share ε₀; with one --wish
    for each release, shares of ε₀ miss all of them by the same factor; with one --cost for each, they make the errors cost least. The
    script needs a plan file, which has the names of columns, and DATA, whose columns it is for.
    """
    from par_core.cli.answer import Answer, Gate, Row, beside
    from par_core.evidence import Quantity
    from par_core.parameters import check_number
    from par_core.plan import in_address, in_words, totals
    from par_core.queries.quantile_shape import AFTER_MOVING
    from par_core.rounding import amount, brief, small

    if gate is not None:
        check_number("gate", gate, above=0)
    plan, named = read_plan(releases, scenario, given)
    if wishes and costs:
        raise ParameterError("--wish and --cost share ε₀ out by different rules: only one of them can be given")
    for option, each in (("--wish", wishes), ("--cost", costs)):
        if each and len(each) != len(plan.releases):
            raise ParameterError(f"{option} must be given for each of {len(plan.releases)} releases, got {len(each)}")
    plan, met = _shared(plan, wishes, costs)
    notes = [f"With these shares: {in_address(plan.releases)}"] if met else []
    if plan.budget is not None:
        notes.append(f"The plan has a budget of ε = {amount(plan.budget, 12)}.")
    notes += copied_notes(named)
    progress(0.5)
    found = totals(plan)
    progress(1.0)
    rows = [Row("all together", found.quantity("epsilon"), "ε", f"at δ = {small(plan.delta)}")]
    for at, release in enumerate(plan.releases):
        level: Quantity = found.quantity("levels", at)
        note = f"{amount(level.value, 4)} of ε₀ each time, {release.times:,} time{'s' * (release.times > 1)}"
        if release.shape.is_pair(plan.neighbours):
            one = "each of them" if release.shape.k > 1 else "it"
            note += f"; if {one} is over at least {release.size:,} rows, your guess"
        off = "off by at most"
        if release.shape.is_selection:
            off = "rows between it and the truth, at most"
            note += f"; not counting one candidate, {AFTER_MOVING}"
        rows.append(Row(f"{at + 1}. {in_words(release)}: {off}", found.quantity("errors", at), "", note))
    made = None if code is None else _script(plan, named, data)
    needs = () if made is None else (*made.notes, f"The script needs {' '.join(made.requirements)}.")
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
        (*notes, f"{found.source}; {found.limits}.", "Errors hold in 95 of 100 releases.", *needs),
        stop,
        files=() if made is None or code is None else ((code, made.text),),
    )


def _shared(plan: Plan, wishes: tuple[float, ...], costs: tuple[float, ...]) -> tuple[Plan, str]:
    """Return the plan with shares that suit the wishes or the costs of errors, and in a sentence what they come to."""
    from par_core.plan import share_by_weights, share_by_wishes
    from par_core.rounding import amount, brief

    if wishes:
        shared = share_by_wishes(plan, wishes)
        times = f"each error is at most {brief(shared.factor, toward='up')} times what you wished"
        met = brief(shared.epsilon0, toward="up")
        return shared.plan, f" At ε₀ = {amount(plan.epsilon0, 4)} {times}; all wishes are met at {met}."
    if costs:
        before, plan = _cost(plan, costs), share_by_weights(plan, costs)
        less, more = brief(_cost(plan, costs), toward="up"), brief(before, toward="up")
        return plan, f" The errors cost {less}, and {more} with the shares as given."
    return plan, ""


def _script(plan: Plan, named: tuple[NamedRelease, ...], data: str | None) -> PlanCode:
    """Return the script for a table, which must have the columns of every release."""
    from dataclasses import replace

    from par_core.cli import files
    from par_core.cli.release import check_columns
    from par_core.questions.your_table.plan_files import plan_code

    if not named or data is None:
        raise ParameterError("--code needs a plan file and DATA, the table that it is about")
    table = files.read(data)
    for each in named:
        check_columns(table, each.query, each.person or None)
    shared = [replace(each, release=release) for each, release in zip(named, plan.releases, strict=True)]
    return plan_code(plan, shared, table)


def read_plan(
    releases: str, scenario: str | None, given: dict[str, str | None]
) -> tuple[Plan, tuple[NamedRelease, ...]]:
    """Return the plan of a file with its names, or of a line with the numbers of a scenario, with what the options give instead."""
    from dataclasses import replace

    from par_core.cli.scenario_options import scenario_of, values_of
    from par_core.plan import Plan, from_address, from_toml

    if not releases.endswith(".toml"):
        settled = scenario_of(scenario, given, has_plan=True)
        return Plan(from_address(releases), settled.epsilon0, settled.neighbours, settled.delta), ()
    if scenario is not None:
        raise ParameterError("--scenario does not go with a plan file, which has ε₀, neighbours and δ of its own")
    try:
        plan, named = from_toml(Path(releases).read_bytes())
    except OSError as error:
        raise ParameterError(f"the plan cannot be read: {error.strerror}") from error
    return replace(plan, **values_of(given)), named


def copied_notes(named: tuple[NamedRelease, ...], only: int | None = None) -> tuple[str, ...]:
    """Return a note for each release, or the `only` one from 1, whose categories came from the data: no noise covers them."""
    return tuple(
        f"The categories of release {number} were copied from the file, which reveals them: noise does not undo that."
        for number, each in enumerate(named, start=1)
        if each.copied and only in (None, number)
    )


def _cost(plan: Plan, costs: tuple[float, ...]) -> float:
    return sum(cost * plan.error(at) for at, cost in enumerate(costs))
