"""Spending ahead: a plan is checked and its budget taken in one step, so that no two plans get the same one.

A script that publishes has no accountant. It takes places that were checked here: of a release of the plan there are as many as the plan
makes it, and nothing more is spent when one is used.
"""

from __future__ import annotations

import datetime
import hashlib
import json
import os
from dataclasses import dataclass

from par_core.ledger.checking import Check, check, dated
from par_core.ledger.file import opened
from par_core.ledger.policy import Policy
from par_core.ledger.record import Record, reserved
from par_core.plan import Plan


@dataclass(frozen=True)
class Reservation:
    """What a policy says of a plan, and the `record` that spends it; None where a line of the policy fails."""

    checked: Check
    record: Record | None

    @property
    def places(self) -> tuple[str, ...]:
        """The places that may be used, each once: the id of the record, a release of the plan and a number, each from 1."""
        if self.record is None:
            return ()
        numbered = enumerate(self.record.places, start=1)
        return tuple(f"{self.record.id}/{release}/{at}" for release, times in numbered for at in range(1, times + 1))


def reserve(
    path: str | os.PathLike[str],
    policy: Policy,
    plan: Plan,
    *,
    today: datetime.date | None = None,
    approved_by: str | None = None,
) -> Reservation:
    """Check a plan against the policy and what a ledger holds, and if every line holds, write a record that spends all of it.

    Nobody else writes to the ledger between the two. Today is by Universal Time where it is not given. Errors as those of `check`,
    `read` and `append`.
    """
    day = utc_today() if today is None else today
    with opened(path) as file:
        ledger = file.read()
        checked = check(policy, ledger, plan, day, approved_by)
        if not checked.passes:
            return Reservation(checked, None)
        record = reserved(plan, policy.data_set, dated(ledger, day), approved_by=approved_by or "")
        file.append(record)
    return Reservation(checked, record)


def digest_of(plan: Plan) -> str:
    """Return the SHA-256 of what a reservation of a plan spends, by which a script of that plan knows it."""
    held = json.loads(reserved(plan, "any", datetime.date.min).line)
    spends = [held[name] for name in ("neighbours", "mechanisms", "delta", "plan", "epsilon0", "places")]
    return hashlib.sha256(json.dumps(spends).encode()).hexdigest()


def utc_today() -> datetime.date:
    """Return the date by Universal Time: the same for all who share a ledger."""
    return datetime.datetime.now(datetime.UTC).date()
