"""One line of a ledger: what was released of a data set, or is going to be, with all that it takes to compose it again."""

from __future__ import annotations

import datetime
import re
import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from enum import StrEnum
from functools import lru_cache
from typing import Any, ClassVar, cast

from par_core import json_text
from par_core.errors import DataError, ParameterError
from par_core.ledger.lines import sealed
from par_core.mechanisms import MECHANISMS, Mechanism, PermuteAndFlip
from par_core.parameters import check_choice, check_integer, check_list, check_number, check_type, shown
from par_core.plan import Plan, from_address, in_address
from par_core.scenario import Neighbours

FORMAT = 1
RECORDED = {**MECHANISMS, "permute-and-flip": PermuteAndFlip}
"""The mechanisms of records by their names: those of a scenario, and the one that chooses quantiles."""
_NAMES = {kind: name for name, kind in RECORDED.items()}
_LONGEST = 200  # characters of a name
_MOST_TIMES = 10**6
_LARGEST_EPSILON = 1000.0  # that `compose` takes


class Kind(StrEnum):
    """What a record stands for: releases of a plan, a whole plan whose releases are yet to be made, or what another tool has spent."""

    RELEASE = "release"
    RESERVATION = "reservation"
    OTHER_TOOL = "other tool"


@dataclass(frozen=True)
class Record:
    """What was spent on a data set at a date; made by `released`, `reserved` or `of_other_tool`.

    `mechanisms` is what loses privacy, and how often it does each of the `times` that the record counts. Of a plan it holds the line of
    its address, its epsilon0 and delta, and which `release` of the plan it is, from 1 (None for all). Of another tool `delta` is added
    to what is composed, each time. `places` say how often each release of a whole plan is made: the place of one is the id of the record,
    the number of the release and a number from 1, and each place of a reservation may be used once. `as_many` where it is as private as
    planned only if as many rows replace a person's rows. `id` is drawn at random.
    """

    data_set: str
    date: datetime.date
    kind: Kind
    neighbours: Neighbours
    mechanisms: tuple[tuple[Mechanism, int], ...]
    times: int = 1
    delta: float = 0.0
    plan: str = ""
    epsilon0: float | None = None
    release: int | None = None
    places: tuple[int, ...] = ()
    tool: str = ""
    approved_by: str = ""
    as_many: bool = False
    id: str = field(default_factory=lambda: secrets.token_hex(16))

    def __post_init__(self) -> None:
        """Check each field; a ParameterError names the one that is wrong."""
        check_name("data_set", self.data_set)
        for name in ("tool", "approved_by"):
            if getattr(self, name):
                check_name(name, getattr(self, name))
        check_date("date", self.date)
        object.__setattr__(self, "kind", Kind(check_choice("kind", self.kind, tuple(Kind))))
        object.__setattr__(
            self, "neighbours", Neighbours(check_choice("neighbours", self.neighbours, tuple(Neighbours)))
        )
        made = tuple((_mechanism(name_of(each), _parameters(each)), times) for each, times in self.mechanisms)
        object.__setattr__(self, "mechanisms", made)
        object.__setattr__(self, "times", check_integer("times", self.times, at_least=1, at_most=_MOST_TIMES))
        check_type("as_many", self.as_many, bool)
        object.__setattr__(self, "delta", check_number("delta", self.delta, at_least=0.0, below=1.0))
        _check_id("id", self.id)

    @property
    def added_delta(self) -> float:
        """The delta of another tool, each time: what its mechanism gives away beside what is composed."""
        return self.delta if self.kind is Kind.OTHER_TOOL else 0.0

    @property
    def line(self) -> bytes:
        """The record as a line of a ledger, under its seal and without a newline."""
        held: dict[str, object] = {"format": FORMAT, "id": self.id, "date": self.date.isoformat()}
        held |= {"data_set": self.data_set, "kind": self.kind, "neighbours": self.neighbours}
        held["mechanisms"] = [
            {"mechanism": name_of(each), **dict(_parameters(each)), "times": times} for each, times in self.mechanisms
        ]
        held |= {"times": self.times, "delta": self.delta}
        for name in ("plan", "epsilon0", "release", "places", "tool", "approved_by", "as_many"):
            if (value := getattr(self, name)) not in ("", None, (), False):
                held[name] = value
        return sealed(held)


@dataclass(frozen=True)
class Place:
    """A place of a reservation, which a script took at a date for one `release` of its plan; it and its number `place` are from 1.

    `reservation` is the id of that record. The place spends nothing: the reservation has.
    """

    reservation: str
    release: int
    place: int
    date: datetime.date
    id: str
    kind: ClassVar = "place"

    def __post_init__(self) -> None:
        """Check each field; a ParameterError names the one that is wrong."""
        _check_id("id", self.id)
        _check_id("reservation", self.reservation)
        check_integer("release", self.release, at_least=1)
        check_integer("place", self.place, at_least=1)
        check_date("date", self.date)


def released(
    plan: Plan, data_set: str, date: datetime.date, *, release: int | None = None, times: int = 1, approved_by: str = ""
) -> Record:
    """Return the record of a plan of which every release is made as often as it says, `times` over.

    With the number of a `release`, from 1, it is that release alone, made `times` times.
    """
    check_type("plan", plan, Plan)
    if release is not None:
        check_integer("release", release, at_least=1, at_most=len(plan.releases))
    made = plan.mechanisms if release is None else plan.lost(release - 1)
    return Record(
        data_set,
        date,
        Kind.RELEASE,
        plan.neighbours,
        made,
        times=times,
        release=release,
        places=_places(plan) if release is None else (),
        approved_by=approved_by,
        **_of_plan(plan),
    )


def reserved(plan: Plan, data_set: str, date: datetime.date, *, approved_by: str = "") -> Record:
    """Return the record of a plan whose releases are going to be made: it spends all of it now, and nothing when they are."""
    check_type("plan", plan, Plan)
    return Record(
        data_set,
        date,
        Kind.RESERVATION,
        plan.neighbours,
        plan.mechanisms,
        places=_places(plan),
        approved_by=approved_by,
        **_of_plan(plan),
    )


def of_other_tool(
    tool: str,
    data_set: str,
    date: datetime.date,
    *,
    epsilon: float,
    delta: float,
    neighbours: Neighbours,
    times: int = 1,
    approved_by: str = "",
) -> Record:
    """Return the record of releases by another tool, each (epsilon, delta)-differentially private as that tool says.

    epsilon is at most 1,000. Randomised response loses at least as much as any such release, but for delta, which is added (Kairouz,
    Oh and Viswanath 2015, Theorem 3.4).
    """
    check_name("tool", tool)
    level = check_number("epsilon", epsilon, at_least=0.0, at_most=_LARGEST_EPSILON)
    made = ((_mechanism("randomised-response", (("epsilon0", level),)), 1),) if level > 0.0 else ()
    return Record(
        data_set, date, Kind.OTHER_TOOL, neighbours, made, times=times, delta=delta, tool=tool, approved_by=approved_by
    )


def from_line(line: bytes) -> Record | Place:
    """Return what a line of a ledger holds, whose seal was checked; DataError for one that no version of this wrote."""
    held = json_text.parsed(line, kind="record")
    if held.pop("format", None) != FORMAT:
        raise DataError(f"it must be of format {FORMAT}: a newer version wrote it")
    del held["seal"]
    is_place = held.get("kind") == Place.kind
    if strange := held.keys() - {each.name for each in fields(Place if is_place else Record)} - {"kind"}:
        raise DataError(f"it holds {shown(min(strange))}, which is unknown")
    try:
        held["date"] = datetime.date.fromisoformat(held["date"])
        if is_place:
            del held["kind"]
            return Place(**held)
        held["mechanisms"] = tuple(_from_json(each) for each in held["mechanisms"])
        held["places"] = tuple(check_list("places", held.get("places", ())))
        return Record(**held)
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"it is no record: {error}") from error


def plan_of(record: Record) -> Plan | None:
    """Return the plan that a record is of; None where it is of another tool."""
    if not check_type("record", record, Record).plan or record.epsilon0 is None:
        return None
    return Plan(from_address(record.plan), record.epsilon0, record.neighbours, record.delta)


def name_of(mechanism: Mechanism) -> str:
    """Return what a mechanism is called in a ledger and in a policy."""
    return _NAMES[type(mechanism)]


def check_name(name: str, value: object) -> str:
    """Return a name; ParameterError unless it is a text of one line, 1 to 200 characters that a file can hold."""
    text = value if isinstance(value, str) else ""
    if not 1 <= len(text) <= _LONGEST or not text.isprintable() or not text.strip():
        raise ParameterError(f"{name} must be a text of one line, 1 to {_LONGEST} characters, got {shown(value)}")
    return text


def _check_id(name: str, value: object) -> None:
    if not isinstance(value, str) or not re.fullmatch("[0-9a-f]{32}", value):
        raise ParameterError(f"{name} must be 32 hexadecimal digits, got {shown(value)}")


def check_date(name: str, value: object) -> datetime.date:
    """Return a date; ParameterError for anything else, also a date with a time."""
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return value
    raise ParameterError(f"{name} must be a date, got {shown(value)}")


def _places(plan: Plan) -> tuple[int, ...]:
    return tuple(each.times for each in plan.releases)


def _of_plan(plan: Plan) -> dict[str, Any]:
    numbers = {"epsilon0": plan.epsilon0, "delta": plan.delta, "as_many": plan.assumes_as_many}
    return {"plan": in_address(plan.releases), **numbers}


def _parameters(mechanism: Mechanism) -> tuple[tuple[str, float], ...]:
    """Return the parameters of a mechanism; what it was calibrated to is no number, and changes nothing of what it loses."""
    held = ((each.name, getattr(mechanism, each.name)) for each in fields(cast(Any, mechanism)))
    return tuple((name, value) for name, value in held if isinstance(value, int | float))


def _from_json(held: Mapping[str, Any]) -> tuple[Mechanism, int]:
    parameters = dict(held)
    name = check_choice("mechanism", parameters.pop("mechanism"), tuple(RECORDED))
    times = check_integer("times", parameters.pop("times"), at_least=1, at_most=_MOST_TIMES**2)
    return _mechanism(name, tuple(parameters.items())), times


@lru_cache(maxsize=1024)  # a ledger holds the same releases over and over
def _mechanism(name: str, parameters: tuple[tuple[str, float], ...]) -> Mechanism:
    return cast(Callable[..., Mechanism], RECORDED[name])(**dict(parameters))
