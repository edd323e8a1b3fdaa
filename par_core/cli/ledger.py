"""`par ledger`: what was spent on a data set, one record more, and a plan whose budget is taken before anything is measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from par_core.cli.gate import (
    OF_PLAN,
    answer_of,
    approval_option,
    beyond_notes,
    ledger_option,
    name_notes,
    plan_argument,
    policy_option,
    read_policy,
    torn_notes,
)
from par_core.cli.scenario_options import scenario_options
from par_core.cli.shell import WHOLE, Command, Group
from par_core.errors import ParameterError

if TYPE_CHECKING:
    from datetime import date

    from par_core.cli.answer import Answer
    from par_core.ledger import Ledger, Record
    from par_core.progress import Progress


@click.group("ledger", cls=Group, short_help="What was spent on a data set, and what is taken from its budget.")
def command() -> None:
    """What was spent on each data set: one record for each release, by this or another tool, and for each plan that is reserved."""


_ADD = (
    "par ledger add --ledger ledger.jsonl --data-set visits plan.toml --release 2",
    "par ledger add --ledger new.jsonl --data-set visits --tool OpenDP --epsilon 0.3 --delta 1e-9 --neighbours add-or-remove",
)


@command.command("add", cls=Command, examples=_ADD, short_help="Record a release, before it is measured.")
@click.argument("plan", required=False, metavar="[FILE.toml|1~RELEASE~...]", type=click.Path(dir_okay=False))
@ledger_option
@click.option("--data-set", required=True, metavar="NAME", help="Whose budget it is spent from.")
@click.option("--release", type=WHOLE, metavar="NUMBER", help="Only that release of the plan, from 1.")
@click.option("--times", type=WHOLE, default=1, show_default=True, metavar="NUMBER", help="How often it is made.")
@click.option("--tool", metavar="NAME", help="Another tool, whose release is (ε, δ)-private; then there is no plan.")
@click.option("--date", "day", metavar="YYYY-MM-DD", help="When it was made, if not today.")
@approval_option
@scenario_options(*OF_PLAN)
def add(
    plan: str | None,
    ledger: str,
    data_set: str,
    release: int | None,
    times: int,
    tool: str | None,
    day: str | None,
    approved_by: str | None,
    scenario: str | None,
    progress: Progress,
    **given: str | None,
) -> Answer:
    """Record a release in a ledger, and a new ledger begins with it. Only when this is done may it be measured.

    Of a plan it is what the plan says, once or so many times over. Of another tool --epsilon, --delta and --neighbours say how private
    each of its releases is. A record is never dated before the latest one, unless --date says so.
    """
    from par_core.cli.answer import Answer
    from par_core.ledger import dated, opened, utc_today

    made = utc_today() if day is None else _date(day)
    record, copied = _record(
        plan,
        scenario,
        given,
        tool=tool,
        release=release,
        data_set=data_set,
        day=made,
        times=times,
        approved_by=approved_by,
    )
    with opened(ledger, create=True) as file:
        held = file.read()
        notes = [] if held.records else ["The ledger begins with this record."]
        if day is None and (later := dated(held, made)) != made:
            notes.append(f"The clock says {made}, before the latest record: this one is dated {later}.")
            record = _dated(record, later)
        _check_neighbours(record, held)
        file.append(record)
    progress(1.0)
    return Answer(
        f"Recorded for {data_set}: it may be measured now.",
        {"ledger": ledger, **_settings(record)},
        notes=(*notes, *copied, *torn_notes(held.torn)),
    )


_SHOW = (
    "par ledger show --ledger ledger.jsonl",
    "par ledger show --ledger ledger.jsonl --data-set visits --delta 1e-6 --format json",
)


@command.command("show", cls=Command, examples=_SHOW, short_help="What was spent on each data set.")
@ledger_option
@click.option("--data-set", metavar="NAME", help="Only that one.")
@click.option("--delta", default="1e-5", show_default=True, metavar="NUMBER", help="δ of all releases together.")
def show(ledger: str, data_set: str | None, delta: str, progress: Progress) -> Answer:
    """What was spent on each data set: this year and for ever, every record composed exactly."""
    import datetime

    from par_core.cli.answer import Answer, Row
    from par_core.cli.scenario_options import values_of
    from par_core.evidence import Evidence
    from par_core.ledger import read, spent, utc_today
    from par_core.rounding import small

    held, aim = read(ledger), float(values_of({"delta": delta})["delta"])
    names = held.data_sets if data_set is None else (data_set,)
    if data_set is not None and data_set not in held.data_sets:
        raise ParameterError(f"--data-set must be one of the ledger's, {', '.join(held.data_sets) or 'which has none'}")
    year, rows, found_by = utc_today().year, list[Row](), list[Evidence]()
    places = [note for name in names for note in _places_notes(held, name)]
    for done, name in enumerate(names, start=1):
        for since, span in ((datetime.date(year, 1, 1), f"since {year} began"), (datetime.date.min, "for ever")):
            found = spent(held.of(name, since=since), delta=aim)
            note = f"{found.releases:,} release{'s' * (found.releases != 1)}"
            found_by.append(found.evidence)
            rows.append(Row(f"{name}, {span}", found.quantity("epsilon"), "ε", note))
        progress(done / len(names))
    number = sum(each.data_set in names for each in held.records)
    return Answer(
        f"{number:,} record{'s' * (number != 1)} of {len(names):,} data set{'s' * (len(names) != 1)}, at δ = {small(aim)}.",
        {"ledger": ledger, "delta": aim, "records": number},
        tuple(rows),
        (
            *(f"{each.source}; {each.limits}." for each in dict.fromkeys(found_by)),
            *places,
            *beyond_notes(held, names),
            *torn_notes(held.torn),
        ),
    )


def _places_notes(held: Ledger, data_set: str) -> Iterator[str]:
    """Return how many places of each reservation are taken."""
    from par_core.ledger import Kind

    for each in held.of(data_set):
        if each.kind is Kind.RESERVATION:
            taken = held.taken_of(each)
            of_each = ", ".join(f"{number:,} of {times:,}" for number, times in zip(taken, each.places, strict=True))
            whole = f"{sum(taken):,} of {sum(each.places):,}"
            yield f"Places taken of reservation {each.id}: {whole}{f' (by release: {of_each})' * (len(taken) > 1)}."


_RESERVE = (
    "par ledger reserve --ledger ledger.jsonl --policy policy.toml plan.toml",
    "par ledger reserve --ledger ledger.jsonl --policy policy.toml plan.toml --epsilon 5 || echo 'above policy'",
)


@command.command(
    "reserve", cls=Command, examples=_RESERVE, short_help="Take the budget of a plan, if the policy lets it."
)
@plan_argument
@ledger_option
@policy_option(required=True)
@approval_option
@scenario_options(*OF_PLAN)
def reserve(
    plan: str,
    ledger: str,
    policy: str,
    approved_by: str | None,
    scenario: str | None,
    progress: Progress,
    **given: str | None,
) -> Answer:
    """Check a plan against a policy, and if every line holds, record it: nothing else may spend its budget then.

    Each release has a place for every time the plan makes it: a place is used once, and spends nothing more. The script of the
    plan, as `par plan --code` writes it, takes them with --reservation. The exit code is 3 where a line of the policy fails, and nothing is
    recorded then.
    """
    from par_core import ledger as ledgers
    from par_core.cli.plan import copied_notes, read_plan

    limits = read_policy(policy)
    planned, named = read_plan(plan, scenario, given)
    done = ledgers.reserve(ledger, limits, planned, approved_by=approved_by)
    progress(1.0)
    if done.record is None:
        return answer_of("Nothing is reserved.", limits, planned, done.checked, copied_notes(named))
    many = len(done.places)
    return answer_of(
        f"Reserved for {limits.data_set}: {many:,} place{'s' * (many != 1)} of {done.record.id}.",
        limits,
        planned,
        done.checked,
        (
            f"The places are {done.places[0]} to {done.places[-1]}." if many > 1 else f"The place is {done.places[0]}.",
            f"Scripts of this plan take them with --ledger {ledger} --reservation {done.record.id}.",
            *copied_notes(named),
            *name_notes(ledgers.read(ledger), limits.data_set, done.record),
        ),
        **_settings(done.record),
    )


def _record(
    plan: str | None,
    scenario: str | None,
    given: dict[str, str | None],
    *,
    tool: str | None,
    release: int | None,
    approved_by: str | None,
    data_set: str,
    day: date,
    times: int,
) -> tuple[Record, tuple[str, ...]]:
    """Return the record of a plan, or of another tool, and what is to be known of copied categories."""
    from par_core.cli.plan import copied_notes, read_plan
    from par_core.cli.scenario_options import values_of
    from par_core.ledger import of_other_tool, released

    if (plan is None) == (tool is None):
        raise ParameterError("a plan or --tool must be given, and not both")
    if plan is not None:
        planned, named = read_plan(plan, scenario, given)
        record = released(planned, data_set, day, release=release, times=times, approved_by=approved_by or "")
        return record, copied_notes(named, release)
    if release is not None or scenario is not None:
        raise ParameterError("--release and --scenario go with a plan")
    if missing := [name for name in OF_PLAN if given[name] is None]:
        raise ParameterError(f"--{missing[0].removesuffix('0')} must be given: only the tool can say")
    values: dict[str, Any] = values_of({"neighbours": given["neighbours"]})
    record = of_other_tool(
        tool or "",
        data_set,
        day,
        epsilon=_number("epsilon", given["epsilon0"]),
        delta=_number("delta", given["delta"]),
        neighbours=values["neighbours"],
        times=times,
        approved_by=approved_by or "",
    )
    return record, ()


def _number(name: str, text: str | None) -> float:
    from par_core.scenario import is_decimal

    if text is None or not is_decimal(text):
        raise ParameterError(f"{name} must be a number, got {text!r}")
    return float(text)


def _date(text: str) -> date:
    import datetime

    from par_core.ledger import utc_today

    try:
        found = datetime.date.fromisoformat(text)
    except ValueError as error:
        raise ParameterError(f"--date must be a date such as 2026-03-01, got {text[:40]!r}") from error
    if found > (today := utc_today()):
        raise ParameterError(f"--date must be {today} at the latest, got {found}: what is planned is reserved")
    return found


def _dated(record: Record, day: date) -> Record:
    from dataclasses import replace

    return replace(record, date=day)


def _check_neighbours(record: Record, held: Ledger) -> None:
    """Refuse a record that cannot be composed with those of its data set."""
    if others := {each.neighbours for each in held.of(record.data_set)} - {record.neighbours}:
        raise ParameterError(
            f"neighbours must be {min(others)}, as of the other records of {record.data_set}, got {record.neighbours}: "
            "they could not be composed"
        )


def _settings(record: Record) -> dict[str, object]:
    return {
        "data_set": record.data_set,
        "id": record.id,
        "date": record.date.isoformat(),
        "kind": str(record.kind),
        "times": record.times,
    }
