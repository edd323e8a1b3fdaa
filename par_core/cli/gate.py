"""`par gate`: a plan held against a policy and the ledger of what was spent; a pipeline stops where a line of the policy fails."""

from __future__ import annotations

from collections.abc import Callable, Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from par_core.cli.scenario_options import scenario_options
from par_core.cli.shell import Command
from par_core.errors import ParameterError

if TYPE_CHECKING:
    from par_core.cli.answer import Answer
    from par_core.ledger import Check, Ledger, Policy, Record
    from par_core.plan import Plan
    from par_core.progress import Progress

_Function = TypeVar("_Function", bound=Callable[..., Any])

OF_PLAN = ("epsilon0", "neighbours", "delta")
_EXAMPLES = (
    "par gate --policy policy.toml --ledger ledger.jsonl plan.toml",
    "par gate --policy policy.toml --ledger ledger.jsonl '1~counts_3_r2_mD_t12' --neighbours add-or-remove --epsilon 0.4",
    "par gate --policy policy.toml --ledger ledger.jsonl plan.toml --epsilon 5 --format json || echo 'above policy'",
)

plan_argument = click.argument("plan", metavar="FILE.toml|1~RELEASE~...", type=click.Path(dir_okay=False))
ledger_option = click.option(
    "--ledger", required=True, metavar="FILE", type=click.Path(dir_okay=False), help="What was spent: ledger.jsonl."
)
approval_option = click.option("--approved-by", metavar="NAME", help="Who has approved it.")


def policy_option(*, required: bool) -> Callable[[_Function], _Function]:
    """Add the option for a policy."""
    return click.option(
        "--policy",
        required=required,
        metavar="FILE",
        type=click.Path(dir_okay=False),
        help="What may be spent: policy.toml.",
    )


@click.command("gate", cls=Command, examples=_EXAMPLES, short_help="Exit with 3 if a plan is above the policy.")
@plan_argument
@policy_option(required=True)
@ledger_option
@approval_option
@scenario_options(*OF_PLAN)
def command(
    plan: str,
    policy: str,
    ledger: str,
    approved_by: str | None,
    scenario: str | None,
    progress: Progress,
    **given: str | None,
) -> Answer:
    """Check a plan against a policy and what a ledger says was spent; the exit code is 3 where a line of the policy fails.

    The plan is a file or a line, as of `par plan`. Nothing is written: `par ledger reserve` does the same and takes the budget.
    """
    from dataclasses import replace

    from par_core.cli.plan import copied_notes, read_plan
    from par_core.ledger import check, plan_of, read, utc_today

    limits = read_policy(policy)
    planned, named = read_plan(plan, scenario, given)
    held = read(ledger)
    progress(0.5)
    checked = check(limits, held, planned, utc_today(), approved_by)
    progress(1.0)
    same = [
        each.id for each in held.of(limits.data_set) if each.places and plan_of(each) == replace(planned, budget=None)
    ]
    notes = [f"The ledger holds this plan already, as {each}: this checks making it again." for each in same]
    passes = "This plan is within the policy" if checked.passes else "This plan is not within the policy"
    return answer_of(
        f"{passes} of {limits.data_set}.",
        limits,
        planned,
        checked,
        (
            *notes,
            *copied_notes(named),
            *name_notes(held, limits.data_set),
            *beyond_notes(held, [limits.data_set]),
            *torn_notes(held.torn),
        ),
    )


def read_policy(path: str) -> Policy:
    """Return the policy of a file; ParameterError for a file that cannot be read."""
    from par_core.ledger import Policy

    try:
        return Policy.from_toml(Path(path).read_bytes())
    except OSError as error:
        raise ParameterError(f"the policy cannot be read: {error.strerror}") from error


def answer_of(
    headline: str, policy: Policy, plan: Plan, checked: Check, notes: tuple[str, ...], **settings: object
) -> Answer:
    """Return the answer of a command that held a plan against a policy."""
    from par_core.cli.answer import Answer, Gate, Row
    from par_core.plan import in_address
    from par_core.rounding import small

    at = f"at δ = {small(policy.delta)}"
    told = (
        ("largest of one release", "release", f"at most {policy.epsilon_per_release:g}"),
        ("this year, with the plan", "year", f"{at}, at most {policy.epsilon_per_year:g}"),
        ("this year, without it", "year_before", at),
        ("for ever, with the plan", "ever", f"{at}, at most {policy.epsilon_for_ever:g}"),
        ("for ever, without it", "ever_before", at),
    )
    lines = (f"{'Holds' if each.holds else 'FAILS'}: {each.why}." for each in checked.lines)
    return Answer(
        headline,
        {
            "data_set": policy.data_set,
            "plan": in_address(plan.releases),
            **{name: getattr(plan, name) for name in OF_PLAN},
            "failing": " ".join(each.rule for each in checked.failing),
            **settings,
        },
        tuple(Row(name, checked.quantity(key), "ε", note) for name, key, note in told),
        (*lines, f"{checked.source}; {checked.limits}.", *notes),
        Gate(checked.passes, checked.why),
    )


def torn_notes(torn: tuple[int, ...]) -> tuple[str, ...]:
    """Return what is to be known of torn lines of a ledger."""
    return tuple(
        f"Line {each:,} of the ledger is torn: a run broke off before its record was written, so that it measured nothing."
        for each in torn
    )


def name_notes(held: Ledger, data_set: str, record: Record | None = None) -> tuple[str, ...]:
    """Return which data sets a ledger has, where it holds nothing of this one but the `record` just made: it may be mistyped."""
    others = [each for each in held.data_sets if each != data_set]
    if not others or any(each != record for each in held.of(data_set)):
        return ()
    return (
        f"The ledger holds nothing of {data_set} before this, but of {', '.join(others)}. If that is the same, mend the policy.",
    )


def beyond_notes(held: Ledger, data_sets: Collection[str]) -> tuple[str, ...]:
    """Return what is to be known of places that were taken beyond those reserved for these data sets."""
    many = sum(each.data_set in data_sets for each in held.beyond)
    return (
        f"{many:,} place{'s were' if many > 1 else ' was'} taken beyond those reserved, as two branches can do: "
        f"{'they count as releases' if many > 1 else 'it counts as a release'} on top.",
    ) * (many > 0)
