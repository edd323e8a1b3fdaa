"""A plan held against a policy: every line of it that holds, and every one that fails."""

from __future__ import annotations

import datetime
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from par_core.evidence import Evidence, Result, quantities, stated
from par_core.ledger.ledger import Ledger
from par_core.ledger.policy import Policy
from par_core.ledger.record import check_date, name_of, reserved
from par_core.ledger.spending import Spent, spent, supposed
from par_core.parameters import check_type
from par_core.plan import Plan
from par_core.rounding import amount, brief, small
from par_core.scenario import Neighbours

Rule = Literal[
    "approvers",
    "neighbours",
    "mechanisms",
    "smallest_group",
    "epsilon_per_release",
    "epsilon_per_year",
    "epsilon_for_ever",
]


@dataclass(frozen=True)
class Line:
    """One line of a policy, by its key: whether it `holds` for a plan, and why, in a sentence without a full stop."""

    rule: Rule
    holds: bool
    why: str


@dataclass(frozen=True)
class Check(Result):
    """The lines of a policy for a plan, with what they were decided by.

    `release` is the largest epsilon of a release of the plan; `year` and `ever` are what all records come to with it, and the same
    without it `year_before` and `ever_before`. All are at the policy's delta, and by the user's
    model where they rest on `assumptions`.
    """

    lines: tuple[Line, ...]
    release: float
    year: float
    ever: float
    year_before: float
    ever_before: float
    assumptions: tuple[str, ...] = ()
    QUANTITIES = quantities(
        release=stated("level", "up"),
        year=stated("level", "up"),
        ever=stated("level", "up"),
        year_before=stated("level", "up"),
        ever_before=stated("level", "up"),
    )
    USUALLY = Spent.USUALLY

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the user's model."""
        return supposed(self.USUALLY, self.assumptions)

    @property
    def failing(self) -> tuple[Line, ...]:
        """The lines that fail, in the order of the policy; the first is the one to tell."""
        return tuple(each for each in self.lines if not each.holds)

    @property
    def passes(self) -> bool:
        """Whether every line holds."""
        return not self.failing

    @property
    def why(self) -> str:
        """The first line that fails, or that none does, in a sentence without a full stop."""
        return self.failing[0].why if self.failing else "every line of the policy holds"


def check(policy: Policy, ledger: Ledger, plan: Plan, today: datetime.date, approved_by: str | None = None) -> Check:
    """Hold a plan against a policy and the ledger of what was spent.

    The year is that of `today`, and all that is dated from its first day on counts, also what is dated later: a clock that goes
    backwards opens no second budget. Errors as those of `spent`.
    """
    check_type("policy", policy, Policy)
    check_type("ledger", ledger, Ledger)
    planned = reserved(plan, policy.data_set, dated(ledger, today))
    start = datetime.date(today.year, 1, 1)
    spans = [ledger.of(policy.data_set, since=each) for each in (start, datetime.date.min)]
    others = {each.neighbours for each in spans[1]} - {plan.neighbours}
    # What is for other neighbours cannot be composed with the plan, which fails for that: then it is told what was spent without it.
    more = () if others else (planned,)
    year_before, ever_before = (spent(each, delta=policy.delta) for each in spans)
    year, ever = (spent((*each, *more), delta=policy.delta) for each in spans)
    levels = [_level(plan, at, policy.delta) for at in range(len(plan.releases))]
    lines = (
        _approval(policy, approved_by),
        _neighbours(policy, plan, others),
        _mechanisms(policy, plan),
        _groups(policy, plan),
        _releases(policy, levels),
        _budget(
            "epsilon_per_year", f"the releases of {start.year}", year, year_before, policy.epsilon_per_year, bool(more)
        ),
        _budget("epsilon_for_ever", "all releases", ever, ever_before, policy.epsilon_for_ever, bool(more)),
    )
    return Check(
        lines,
        max(levels),
        year.epsilon,
        ever.epsilon,
        year_before.epsilon,
        ever_before.epsilon,
        ever.assumptions,
    )


def dated(ledger: Ledger, today: datetime.date) -> datetime.date:
    """Return the date of the next record: today, unless the clock is behind the latest record, whose date it then is."""
    return max(check_date("today", today), ledger.latest)


def _approval(policy: Policy, approved_by: str | None) -> Line:
    people = _listed(policy.approvers, "or")
    if not policy.approvers:
        return Line("approvers", True, "nobody needs to approve it")
    if not approved_by:
        return Line("approvers", False, f"nobody has approved it: {people} must")
    if approved_by not in policy.approvers:
        return Line("approvers", False, f"{approved_by} may not approve it: {people} must")
    return Line("approvers", True, f"{approved_by} has approved it")


def _neighbours(policy: Policy, plan: Plan, others: set[Neighbours]) -> Line:
    wanted = policy.neighbours or plan.neighbours
    if plan.neighbours != wanted:
        return Line("neighbours", False, f"the plan is for neighbours by {plan.neighbours}, and must be for {wanted}")
    if others:
        held = _listed(sorted(others), "and")
        why = f"the plan is for neighbours by {wanted}, and the ledger holds releases for {held}"
        return Line("neighbours", False, f"{why}: they cannot be composed")
    return Line("neighbours", True, f"the plan is for neighbours by {wanted}")


def _mechanisms(policy: Policy, plan: Plan) -> Line:
    for at in range(len(plan.releases)):
        for mechanism, _ in plan.lost(at):
            if (name := name_of(mechanism)) not in policy.mechanisms:
                allowed = f"allowed is {_listed(policy.mechanisms, 'or')}"
                return Line("mechanisms", False, f"release {at + 1} is made with {name}: {allowed}")
    return Line("mechanisms", True, "every mechanism is allowed")


def _groups(policy: Policy, plan: Plan) -> Line:
    """Hold what a release says of its rows against the smallest group: a count or a sum that says nothing has none."""
    least = policy.smallest_group
    for number, release in enumerate(plan.releases, start=1):
        known = [each for each in (release.rows, release.size) if each is not None]
        if known and min(known) < least:
            return Line("smallest_group", False, f"release {number} is over {min(known):,} rows, fewer than {least:,}")
        if not known and least > 1 and release.shape.is_pair(plan.neighbours):
            return Line(
                "smallest_group", False, f"release {number} does not say over how many rows it is: {least:,} at least"
            )
    return Line("smallest_group", True, f"no release says that it is over fewer than {least:,} row{'s' * (least > 1)}")


def _releases(policy: Policy, levels: Sequence[float]) -> Line:
    limit = policy.epsilon_per_release
    at = next((at for at, level in enumerate(levels) if level > limit), None)
    if at is None:
        told = brief(max(levels), toward="up", beside=limit)
        return Line(
            "epsilon_per_release", True, f"no release has more than ε = {told}, which is within {amount(limit, 12)}"
        )
    told = brief(levels[at], toward="up", beside=limit)
    return Line("epsilon_per_release", False, f"release {at + 1} has ε = {told}, which is above {amount(limit, 12)}")


def _budget(rule: Rule, what: str, after: Spent, before: Spent, limit: float, planned: bool) -> Line:
    if math.isinf(after.epsilon):
        added, delta = (small(each) for each in (after.added_delta, after.delta))
        return Line(rule, False, f"{what} have no ε at δ = {delta}, because the δ of other tools adds up to {added}")
    told, most = brief(after.epsilon, toward="up", beside=limit), amount(limit, 12)
    if after.epsilon <= limit:
        return Line(
            rule, True, f"{what} come to ε = {told} with{'out' * (not planned)} this plan, which is within {most}"
        )
    without = brief(before.epsilon, toward="up", beside=limit)
    return Line(rule, False, f"{what} would come to ε = {told}, which is above {most}: without this plan to {without}")


def _level(plan: Plan, at: int, delta: float) -> float:
    """Return the epsilon of a release made once: without any delta where its noise needs none, else at that of the policy."""
    pure = plan.releases[at].norm == "L1"
    return plan.level_alone(at) if pure else float(plan.once(at).epsilon(delta))


def _listed(names: Sequence[str], word: str) -> str:
    *most, last = names or ("",)
    return f"{', '.join(most)} {word} {last}" if most else last
