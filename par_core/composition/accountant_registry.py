"""What an accountant is, and how one is taken up: by the chart, the page and the command line at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Literal, Protocol, cast, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.composition.arguments import One, Private
from par_core.evidence import Evidence, Result, evidence_of
from par_core.limits import LARGEST_RELEASES
from par_core.parameters import FloatOrArray

HoldsFor = Literal["any mechanism", "pure privacy", "Laplace noise"]


class Counting(Protocol):
    """The call of an accountant: a number of one thing asked about at one number of releases and one delta, else an array."""

    @overload
    def __call__(self, epsilon0: One, releases: int = 1, *, delta: float) -> float: ...
    @overload
    def __call__(self, epsilon0: Private, releases: ArrayLike = 1, *, delta: ArrayLike) -> NDArray[np.float64]: ...


@dataclass(frozen=True)
class Accountant(Result):
    """A way to count the privacy of many releases.

    `key` is its name in this package and in links, `name` that for readers. `epsilon` is a function of (epsilon0, releases,
    *, delta); those of Privacy at Risk (`at_risk`) also take epsilon, confidence and k. It takes up to `largest` releases.
    `claim` is the id in the catalogue of what it claims, where it is PUBLISHED.
    """

    key: str
    name: str
    epsilon: Callable[..., FloatOrArray]
    holds_for: HoldsFor
    at_risk: bool
    largest: int
    claim: str = ""

    @property
    def evidence(self) -> Evidence:
        """What its call rests on."""
        return evidence_of(self.epsilon)


TAKEN_UP: list[Accountant] = []


def take_up(
    function: Callable[..., FloatOrArray],
    name: str,
    *,
    holds_for: HoldsFor,
    key: str = "",
    at_risk: bool = False,
    evidence: Evidence | None = None,
    largest: int = LARGEST_RELEASES,
    claim: str = "",
    **fixed: object,
) -> None:
    """Take a call up among the accountants; it rests on its own evidence where no other is given, and `fixed` are arguments of it."""
    epsilon: Any = partial(function, **fixed)
    epsilon.evidence = evidence or evidence_of(function)
    TAKEN_UP.append(Accountant(key or function.__name__, name, epsilon, holds_for, at_risk, largest, claim))


def accountant(
    name: str, *, holds_for: HoldsFor = "pure privacy", largest: int = LARGEST_RELEASES
) -> Callable[[Callable[..., FloatOrArray]], Counting]:
    """Take the call below up among the accountants, by its own name as the key and by this one for readers."""

    def attach(function: Callable[..., FloatOrArray]) -> Counting:
        take_up(function, name, holds_for=holds_for, largest=largest)
        return cast("Counting", function)

    return attach
