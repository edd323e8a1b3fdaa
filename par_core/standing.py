"""What a number is worth: proven, as published, by a model of the reader's, or an estimate.

Every result object carries a `Standing`; every public function that returns bare numbers declares one with `declare`,
together with its source and its limits. What is said of a number beside that, its kind and the side to which it must be
rounded so that it still holds, stands once: in the table of its result, or in the declaration of its function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import Any, ClassVar, Literal, ParamSpec, TypeVar

import numpy as np

_Parameters = ParamSpec("_Parameters")
_Result = TypeVar("_Result")


class Standing(Enum):
    """How far a number may be trusted."""

    PROVEN = "proven"
    PUBLISHED = "as published"
    MODEL = "by your model"
    ESTIMATE = "estimate"


PROVEN = Standing.PROVEN
PUBLISHED = Standing.PUBLISHED
MODEL = Standing.MODEL  # exact arithmetic on assumptions of the reader's, such as what a breach costs
ESTIMATE = Standing.ESTIMATE


Toward = Literal["near", "up", "down"]
Kind = Literal["share", "points", "number", "count", "level", "quantile", "error", "money", "coins", "compared"]


@dataclass(frozen=True)
class Quantity:
    """A number with its kind, its standing, the side to which it is rounded, and, where it is PUBLISHED, the id of its claim.

    `holds` says whether a PUBLISHED number is right in its setting, though its claim may fail in others. One that is told `beside` a
    limit is written on its own side of that.
    """

    value: Any
    kind: Kind
    standing: Standing | None = None
    toward: Toward = "near"
    claim: str = ""
    holds: bool = False
    beside: float | None = None

    def within(self, *limits: float) -> Quantity:
        """Return what is rounded up beside the first limit that this could cross, of these and its own."""
        above = [each for each in (self.beside, *limits) if each is not None and each >= self.value]
        return replace(self, beside=min(above, default=None))


@dataclass(frozen=True)
class Told:
    """What is said of a number beside its value. Without a standing it is that of the result, and a claim is then rounded near.

    `holds` tells where a claim is right: from the result, as one answer or one for each place, or from the arguments of the function.
    `beside` gives the limit that a number is told beside, from the result in the same way.
    """

    kind: Kind
    toward: Toward = "near"
    standing: Standing | None = None
    claim: str = ""
    holds: Callable[..., Any] | None = None
    beside: Callable[[Any], Any] | None = None


def _quantity(told: Told, value: Any, result: Any, *, holds: Any = False, beside: float | None = None) -> Quantity:
    """Return a value as it is told; what the table leaves open says the result, or what stands for it."""
    own: Standing | None = getattr(result, "standing", None)
    standing = told.standing or own
    toward = "near" if told.standing is None and own is PUBLISHED else told.toward
    claim = told.claim or getattr(result, "claim", "") if standing is PUBLISHED else ""
    return Quantity(value, told.kind, standing, toward, claim, bool(claim) and bool(np.all(holds)), beside)


def quantities(**told: Told) -> Mapping[str, Told]:
    """Return the table of a result: what is said of each of its numbers."""
    return MappingProxyType(told)


class Result:
    """What has a standing and a table of its numbers."""

    source: str  # where its numbers come from

    QUANTITIES: ClassVar[Mapping[str, Told]] = quantities()

    def quantity(self, name: str, at: int | None = None) -> Quantity:
        """Return a number of the table, of an array the one at a place; KeyError for a name that is not in the table."""
        told, value = self.QUANTITIES[name], getattr(self, name)

        def there(found: Any) -> Any:
            return found if at is None or np.ndim(found) == 0 else found[at]

        holds, beside = (each and there(each(self)) for each in (told.holds, told.beside))
        return _quantity(told, there(value), self, holds=holds, beside=beside)

    @classmethod
    def as_quantity(cls, name: str, value: Any) -> Quantity:
        """Return a number that such a result would hold under this name, for instance what is reachable where there is none."""
        return _quantity(cls.QUANTITIES[name], value, cls)


@dataclass(frozen=True)
class Declaration:
    """The standing of a function's result, where it comes from, where it stops being true, and what else is said of it."""

    standing: Standing
    source: str
    limits: str
    told: Told | None = None


def declare(
    standing: Standing, *, source: str, limits: str = "", told: Told | None = None
) -> Callable[[Callable[_Parameters, _Result]], Callable[_Parameters, _Result]]:
    """Attach a standing, its source and its limits to a function that returns bare numbers.

    A PUBLISHED result must say where it fails, and one by a MODEL what it assumes: an empty `limits` raises a ValueError when
    the function is defined.
    """
    if standing is PUBLISHED and not limits:
        raise ValueError("a PUBLISHED result must say where it fails")
    if standing is MODEL and not limits:
        raise ValueError("a result by a MODEL must say what it assumes")

    def attach(function: Callable[_Parameters, _Result]) -> Callable[_Parameters, _Result]:
        function.declaration = Declaration(standing, source, limits, told)  # type: ignore[attr-defined]  # functions take attributes; the type of Callable does not say so
        return function

    return attach


def declaration_of(function: Callable[..., object]) -> Declaration:
    """Return what `declare` attached to `function`, or what the result says whose method it is; AttributeError if neither."""
    declared: Declaration | None = getattr(function, "declaration", None)
    if declared is None:
        owner = function.__self__  # type: ignore[attr-defined]  # that of a bound method
        declared = Declaration(owner.standing, owner.source, owner.limits, owner.QUANTITIES.get(function.__name__))
    return declared


def quantity_of(function: Callable[..., Any], *arguments: Any, **named: Any) -> Quantity:
    """Return what a function gives as a quantity; TypeError if it does not declare what is said of its number."""
    declared = declaration_of(function)
    if declared.told is None:
        raise TypeError(f"{function.__qualname__} does not declare what is said of its number")
    holds = declared.told.holds is not None and declared.told.holds(*arguments, **named)
    return _quantity(declared.told, function(*arguments, **named), declared, holds=holds)
