"""The steward's decision: everything that is settled once and then carried from page to page."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from par_core import json_text
from par_core.errors import DataError, ParameterError
from par_core.mechanisms import MECHANISMS, NOISES, Mechanism
from par_core.old_names import by_old_name
from par_core.parameters import check_choice, check_integer, check_number, check_type, shown
from par_core.shares import share_of

FORMAT = 3  # of scenario files: from 2 on with a mechanism, from 3 on, where a reader has some, with wishes and a plan
_WISHES, _PLAN = "wishes", "plan"
FOR_STEPS = 1.0 + 1e-7  # more noise in L2, drawn in steps: `export/scripts/gaussian_proof.py` says why that is enough
HARDLY_PRIVATE = 5.0  # an epsilon above which a coin-toss suspicion becomes a certainty of more than 99 %


class Neighbours(StrEnum):
    """Which two tables must stay hard to tell apart.

    REPLACE_ONE: one person's rows are exchanged for another's, the number of persons is public (*Privacy at Risk* and
    the lecture). ADD_OR_REMOVE: one person's rows appear or disappear (most production libraries, and the audit).
    """

    REPLACE_ONE = "replace-one"
    ADD_OR_REMOVE = "add-or-remove"


@dataclass(frozen=True)
class Field:
    """What one field of a scenario is called, in words and in an address, and which values it takes."""

    name: str
    key: str
    label: str
    check: Callable[[object], Any]
    at_least: float | None = None
    at_most: float | None = None


@dataclass(frozen=True)
class Scenario:
    """One release as the steward plans it; the defaults are the health centre of *Privacy at Risk*, section 5.3.

    Every field is checked against its range in `FIELDS`.
    """

    noun: ClassVar[str] = "scenario"

    epsilon0: float = 0.5  # that the noise is calibrated to; smaller is more private
    k: int = 1  # dimension of the query: how many numbers one answer holds
    sensitivity: float = 1.0  # in L1: by how much one row can move the answer at most, in its unit
    neighbours: Neighbours = Neighbours.REPLACE_ONE
    rows_per_person: int = 1  # that one person may contribute at most
    statistics: int = 1  # in this release: each has noise of its own, and they share epsilon0 equally
    releases: int = 2  # that are planned
    stakeholders: int = 100  # who would have to be compensated after a breach
    compensation: float = 5500.0  # per stakeholder after a breach without any protection, in `currency`
    currency: str = "USD"  # as in ISO 4217
    delta: float = (
        1e-5  # of approximate differential privacy: of a release that needs one, and of all releases together
    )
    mechanism: str = "laplace"  # what each release is made private with: a name in `MECHANISMS`

    def __post_init__(self) -> None:
        for field in FIELDS:
            object.__setattr__(self, field.name, field.check(getattr(self, field.name)))

    @property
    def as_published(self) -> bool:
        """Whether the release is one that *Privacy at Risk* is about: Laplace noise."""
        return self.mechanism == "laplace"

    @property
    def moves(self) -> float:
        """By how much one person can move one statistic, in L1 and so in L2 at most."""
        return self.sensitivity * self.rows_per_person

    def alone(self) -> Scenario | None:
        """Return the scenario of one release as it stands among others: this one, where nothing else is planned."""
        return self

    @property
    def only_if(self) -> str:
        """What has to be true for its privacy, for the middle of a sentence: nothing but of a plan."""
        return ""

    @property
    def level(self) -> float:
        """The level of one release: epsilon0."""
        return self.epsilon0

    @property
    def release(self) -> Mechanism:
        """The noise of each number: the mechanism for epsilon0, and where it needs one for delta, with all statistics as one answer.

        What it loses is an upper bound where there are several statistics: see `by_statistic`. ParameterError for a sensitivity that
        the mechanism cannot have.
        """
        if self.mechanism not in NOISES:
            made: Mechanism = MECHANISMS[self.mechanism].for_epsilon(self.epsilon0)  # type: ignore[attr-defined]  # all take a level
            return made
        noise = NOISES[self.mechanism]
        together = self.statistics if noise.norm == "L1" else math.sqrt(self.statistics)
        moves = self.moves * together * (FOR_STEPS if noise.norm == "L2" else 1.0)
        return noise.for_epsilon(self.epsilon0, sensitivity=moves, delta=self.delta)

    @property
    def by_statistic(self) -> tuple[Mechanism, int]:
        """What makes one statistic private, and how many such statistics a release has: what it loses, they lose together.

        Each has noise of its own, and one person moves it by `moves` at most. Noise in L2 is for all of them together, as one.

        >>> each, times = Scenario(epsilon0=0.5, statistics=4).by_statistic
        >>> float(each.largest_loss), times
        (0.125, 4)
        """
        noise, number = NOISES.get(self.mechanism), self.statistics
        if number == 1 or (noise is not None and noise.norm == "L2"):
            return self.release, 1
        share = share_of(self.epsilon0, Fraction(1, number))
        if noise is not None:
            try:
                return noise.for_epsilon(share, sensitivity=self.moves, delta=self.delta), number
            except ParameterError:  # whole numbers that only together move by a whole one
                return self.release, 1
        made: Mechanism = MECHANISMS[self.mechanism].for_epsilon(share)  # type: ignore[attr-defined]  # all take a level
        return made, number

    @property
    def noise_scale(self) -> float:
        """Scale of the Laplace noise, which is also the expected absolute error of each number, in its unit.

        One person can move the answer by the sensitivity with each of their rows, and the statistics of a release share
        epsilon0 equally.
        """
        return self.moves * self.statistics / self.epsilon0

    def to_json(self) -> str:
        """Return the scenario as a JSON object."""
        return json.dumps(asdict(self), allow_nan=False)

    def to_file(self, wishes: Mapping[str, str] | None = None, plan: str = "") -> str:
        """Return the scenario as a file that `from_file` reads, in this version and in later ones.

        `wishes` and a `plan` stand in it as in a link: the settings of the page Decide by their keys, and releases as
        `par_core.plan.in_address` writes them.
        """
        if wishes is not None and not _are_wishes(wishes):
            raise ParameterError(f"wishes must be texts by their names, got {shown(wishes)}")
        beside = {_WISHES: dict(wishes or {}), _PLAN: check_type(_PLAN, plan, str)}
        beside = {name: held for name, held in beside.items() if held}
        return json.dumps({"format": FORMAT, **asdict(self), **beside}, allow_nan=False, indent=2) + "\n"


def from_file(text: str | bytes) -> tuple[Scenario, tuple[str, ...]]:
    """Return the scenario that a file holds, and the labels of what an older file did not hold yet: that stands at its default.

    DataError for what is no scenario, for a field that this version does not know, or for a value that it cannot use.
    """
    scenario, missing, *_ = _read(text)
    return scenario, missing


def wishes_in(text: str | bytes) -> dict[str, str]:
    """Return the wishes that a scenario file holds, as in a link and not checked, perhaps none; DataError as in `from_file`."""
    return _read(text)[2]


def plan_in(text: str | bytes) -> str:
    """Return the plan that a scenario file holds, as in a link and not checked, "" for none; DataError as in `from_file`."""
    return _read(text)[3]


def _are_wishes(wishes: object) -> bool:
    return isinstance(wishes, Mapping) and all(isinstance(each, str) for pair in wishes.items() for each in pair)


def _read(text: str | bytes) -> tuple[Scenario, tuple[str, ...], dict[str, str], str]:
    if not isinstance(text, str | bytes):
        raise ParameterError(f"text must be that of a file, got {shown(text)}")
    held = json_text.parsed(text, kind="scenario file")
    if not isinstance(held, dict) or not held.keys() & {field.name for field in FIELDS}:
        raise DataError("this is no scenario file: it holds no field of a scenario")
    made_by = held.pop("format", 1)  # the first files had no mechanism and did not say which format they had
    if type(made_by) is not int or made_by < 1:
        raise DataError(f"format must be a number from 1 to {FORMAT}, got {shown(made_by)}")
    if made_by > FORMAT:
        raise DataError(f"format must be at most {FORMAT}, got {made_by}: a newer version wrote this file")
    wishes = held.pop(_WISHES, {})
    if not _are_wishes(wishes):
        raise DataError(f"wishes must be texts by their names, got {shown(wishes)}")
    plan = held.pop(_PLAN, "")
    if not isinstance(plan, str):
        raise DataError(f"plan must be a text, got {shown(plan)}")
    known = {field.name: field for field in FIELDS}
    if strange := [name for name in held if name not in known]:
        raise DataError(f"a scenario has no field {shown(strange[0][:40])}")
    try:
        return Scenario(**held), tuple(field.label for field in FIELDS if field.name not in held), wishes, plan
    except ParameterError as error:
        raise DataError(str(error)) from error


def exact_text(value: float | int | str) -> str:
    """Return a value of a scenario as text that loses nothing: floats with as many digits as it takes."""
    if isinstance(value, float):
        return repr(int(value)) if value.is_integer() and abs(value) < 1e15 else repr(value)
    return str(value)


def parsed(field: Field, text: str) -> Any:
    """Return the value of `field` that `text` stands for; ParameterError naming the field and the text otherwise."""
    numeric = type(getattr(Scenario, field.name)) in (int, float)
    return field.check(float(text) if numeric and is_decimal(text) else text)


def is_decimal(text: str) -> bool:
    """Whether a text is a plain finite decimal number, such as 0.5, -2 or 1e-05 (and not, say, 1_0 or nan)."""
    return re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII) is not None and math.isfinite(
        float(text)
    )


def _currency(value: object) -> str:
    if not (isinstance(value, str) and len(value) == 3 and value.isascii() and value.isalpha() and value.isupper()):
        raise ParameterError(f"currency must be three capital letters such as EUR, got {shown(value)}")
    return value


def _mechanism(value: object) -> str:
    return str(check_choice("mechanism", value, tuple(MECHANISMS)))


def _neighbours(value: object) -> Neighbours:
    try:
        return Neighbours(value)  # type: ignore[arg-type]  # anything else than a known text raises
    except ValueError as error:
        known = " or ".join(Neighbours)
        raise ParameterError(f"neighbours must be {known}, got {shown(value)}") from error


def _real_field(name: str, key: str, label: str, *, at_least: float, at_most: float) -> Field:
    return Field(
        name, key, label, lambda v: check_number(name, v, at_least=at_least, at_most=at_most), at_least, at_most
    )


def _whole_field(name: str, key: str, label: str, *, at_most: int) -> Field:
    return Field(name, key, label, lambda v: check_integer(name, v, at_least=1, at_most=at_most), 1, at_most)


FIELDS: tuple[Field, ...] = (
    _real_field("epsilon0", "e0", "Privacy level ε₀", at_least=1e-8, at_most=700),
    _whole_field("k", "k", "Numbers per answer (k)", at_most=10_000),
    _real_field("sensitivity", "s", "Sensitivity", at_least=1e-9, at_most=1e12),
    Field("neighbours", "nb", "What counts as one person", _neighbours),
    _whole_field("rows_per_person", "rows", "Rows per person", at_most=10**6),
    _whole_field("statistics", "stats", "Statistics in this release", at_most=10**6),
    _whole_field("releases", "rel", "Number of releases", at_most=10**6),
    _whole_field("stakeholders", "sh", "Stakeholders", at_most=10**10),
    _real_field("compensation", "comp", "Compensation per stakeholder", at_least=0, at_most=1e12),
    Field("currency", "cur", "Currency", _currency),
    _real_field("delta", "d", "δ", at_least=1e-15, at_most=0.5),
    Field("mechanism", "m", "Mechanism", _mechanism),
)


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"written": "exact_text"})
