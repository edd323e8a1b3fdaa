"""What a number rests on: its evidence, one record with its basis, its source and its limits.

Every result object has an `evidence`; every public function that returns bare numbers has one written above it. What is said of a
number beside that, its kind and the side to which it must be rounded so that it still holds, stands once: in the table of its result,
or with the evidence of its function.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np

from par_core.old_names import by_old_name, old_attribute

_Function = TypeVar("_Function", bound=Callable[..., Any])


class Basis(Enum):
    """How far a number may be trusted."""

    PROVEN = "proven"
    PUBLISHED = "as published"
    MODEL = "by your model"
    ESTIMATE = "estimate"


PROVEN = Basis.PROVEN
PUBLISHED = Basis.PUBLISHED
MODEL = Basis.MODEL  # exact arithmetic on assumptions of the reader's, such as what a breach costs
ESTIMATE = Basis.ESTIMATE


Toward = Literal["near", "up", "down"]
Kind = Literal["share", "points", "number", "count", "level", "quantile", "error", "money", "coins", "compared"]


@dataclass(frozen=True)
class Evidence:
    """What numbers rest on: their basis, where they come from, and where they stop being true.

    A result class has one; above a function that returns bare numbers it is a decorator. A PUBLISHED function must say where it
    fails, and one by a MODEL what it assumes: there an empty `limits` raises a ValueError when the function is defined.
    """

    basis: Basis
    source: str
    limits: str = ""

    def __call__(self, function: _Function) -> _Function:
        """Let a function that returns bare numbers rest on this."""
        if self.basis is PUBLISHED and not self.limits:
            raise ValueError("a PUBLISHED result must say where it fails")
        if self.basis is MODEL and not self.limits:
            raise ValueError("a result by a MODEL must say what it assumes")
        function.evidence = self  # type: ignore[attr-defined]  # functions take attributes; the type of Callable does not say so
        return function

    def only_if(self, condition: str) -> Evidence:
        """Return it by the reader's model where something has to be true that nobody here can check; else as it is."""
        return replace(self, basis=MODEL, source=f"{self.source}; only if {condition}") if condition else self

    def of(
        self, kind: Kind, toward: Toward = "near", *, claim: str = "", holds: Callable[..., Any] | None = None
    ) -> Callable[[_Function], _Function]:
        """Let a function that returns one number rest on this, and say of it what `stated` says of one of a result."""

        def attach(function: _Function) -> _Function:
            self(function)
            function.stated = stated(kind, toward, claim=claim, holds=holds)  # type: ignore[attr-defined]
            function.claim = claim  # type: ignore[attr-defined]
            return function

        return attach


@dataclass(frozen=True)
class Quantity:
    """A number with its kind, its evidence, the side to which it is rounded, and, where it is PUBLISHED, the id of its claim.

    `holds` says whether a PUBLISHED number is right in its setting, though its claim may fail in others. One that is told `beside` a
    limit is written on its own side of that.
    """

    value: Any
    kind: Kind
    evidence: Evidence | None = None
    toward: Toward = "near"
    claim: str = ""
    holds: bool = False
    beside: float | None = None
    standing = old_attribute("standing", "evidence.basis")

    def within(self, *limits: float) -> Quantity:
        """Return what is rounded up beside the first limit that this could cross, of these and its own."""
        above = [each for each in (self.beside, *limits) if each is not None and each >= self.value]
        return replace(self, beside=min(above, default=None))

    def only_if(self, condition: str) -> Quantity:
        """Return it by the reader's model where there is a condition."""
        return replace(self, evidence=self.evidence.only_if(condition)) if self.evidence else self


@dataclass(frozen=True)
class Stated:
    """What is said of a number beside its value and its evidence."""

    kind: Kind
    toward: Toward = "near"
    basis: Basis | None = None
    claim: str = ""
    holds: Callable[..., Any] | None = None
    beside: Callable[[Any], Any] | None = None


def stated(
    kind: Kind,
    toward: Toward = "near",
    basis: Basis | None = None,
    claim: str = "",
    holds: Callable[..., Any] | None = None,
    beside: Callable[[Any], Any] | None = None,
) -> Stated:
    """Return what is said of a number of a table. Without a basis it has that of the result, and a claim is then rounded near.

    `holds` tells where a claim is right: from the result, as one answer or one for each place, or from the arguments of the function.
    `beside` gives the limit that a number is told beside, from the result in the same way.
    """
    return Stated(kind, toward, basis, claim, holds, beside)


def quantities(**table: Stated) -> Mapping[str, Stated]:
    """Return the table of a result: what is said of each of its numbers."""
    return MappingProxyType(table)


def _quantity(
    said: Stated, value: Any, own: Evidence | None, claim: str, *, holds: Any = False, beside: float | None = None
) -> Quantity:
    """Return a value as it is told; what the table leaves open say the evidence and the claim of the result."""
    evidence = own
    if said.basis is not None:
        evidence = replace(own, basis=said.basis) if own else Evidence(said.basis, source="")
    published = evidence is not None and evidence.basis is PUBLISHED
    toward = "near" if published and said.basis is None else said.toward
    claim = (said.claim or claim) if published else ""
    return Quantity(value, said.kind, evidence, toward, claim, bool(claim) and bool(np.all(holds)), beside)


class Result:
    """What has an evidence, of its class or by what is in it, and a table of its numbers."""

    QUANTITIES: ClassVar[Mapping[str, Stated]] = quantities()
    USUALLY: ClassVar[Evidence | None] = None  # of the class as such, where that of an object depends on what it holds
    standing = old_attribute("standing", "evidence.basis")

    @property
    def evidence(self) -> Evidence:
        """What its numbers rest on."""
        raise AttributeError(f"{type(self).__name__} does not say what its numbers rest on")

    @property
    def source(self) -> str:
        """Where its numbers come from."""
        return self.evidence.source

    @property
    def limits(self) -> str:
        """Where its numbers stop being true; empty if they do not."""
        return self.evidence.limits

    def quantity(self, name: str, at: int | None = None) -> Quantity:
        """Return a number of the table, of an array the one at a place; KeyError for a name that is not in the table."""
        said, value = self.QUANTITIES[name], getattr(self, name)

        def there(found: Any) -> Any:
            return found if at is None or np.ndim(found) == 0 else found[at]

        holds, beside = (each and there(each(self)) for each in (said.holds, said.beside))
        own, claim = getattr(self, "evidence", None), getattr(self, "claim", "")
        return _quantity(said, there(value), own, claim, holds=holds, beside=beside)

    @classmethod
    def as_quantity(cls, name: str, value: Any) -> Quantity:
        """Return a number that such a result would hold under this name, for instance what is reachable where there is none."""
        return _quantity(cls.QUANTITIES[name], value, _of_class(cls), getattr(cls, "claim", ""))


def _of_class(kind: type) -> Evidence | None:
    found = getattr(kind, "evidence", None)
    if isinstance(found, Evidence):
        return found
    usual: Evidence | None = getattr(kind, "USUALLY", None)
    return usual


def evidence_of(source: object) -> Evidence:
    """Return what a result, its class, a function or a method of a result rests on; AttributeError if nothing says so."""
    found: Evidence | None = _of_class(source) if isinstance(source, type) else getattr(source, "evidence", None)
    if found is None:
        owner = source.__self__  # type: ignore[attr-defined]  # that of a bound method
        found = owner.evidence
    return found


def quantity_of(function: Callable[..., Any], *arguments: Any, **named: Any) -> Quantity:
    """Return what a function gives as a quantity; TypeError if nothing is said of its number beside its evidence."""
    evidence = evidence_of(function)
    said: Stated | None = getattr(function, "stated", None)
    if said is None and not hasattr(function, "evidence"):
        said = function.__self__.QUANTITIES.get(function.__name__)  # type: ignore[attr-defined]  # of a bound method
    if said is None:
        raise TypeError(f"{function.__qualname__} does not declare what is said of its number")
    holds = said.holds is not None and said.holds(*arguments, **named)
    return _quantity(said, function(*arguments, **named), evidence, "", holds=holds)


if not TYPE_CHECKING:
    __getattr__ = by_old_name(
        __name__,
        {
            "Standing": "Basis",
            "Told": "stated",
            "Declaration": "Evidence",
            "declare": "Evidence",
            "declaration_of": "evidence_of",
        },
    )
