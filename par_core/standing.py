"""What a number is worth: proven, as published, by a model of the reader's, or an estimate.

Every result object carries a `Standing`; every public function that returns bare numbers declares one with `declare`,
together with its source and its limits, so that a page can print the badge without knowing the mathematics.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import ParamSpec, TypeVar

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


@dataclass(frozen=True)
class Declaration:
    """The standing of a function's result, where it comes from, and where it stops being true."""

    standing: Standing
    source: str
    limits: str


def declare(
    standing: Standing, *, source: str, limits: str = ""
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
        function.declaration = Declaration(standing, source, limits)  # type: ignore[attr-defined]  # functions take attributes; the type of Callable does not say so
        return function

    return attach


def declaration_of(function: Callable[..., object]) -> Declaration:
    """Return what `declare` attached to `function`; AttributeError if nothing was attached."""
    declaration: Declaration = function.declaration  # type: ignore[attr-defined]  # see declare
    return declaration
