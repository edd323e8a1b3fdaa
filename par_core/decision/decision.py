"""Where all wishes hold, and which of them collide where they do not."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from par_core.decision.bands import Band, band
from par_core.decision.wishes import Wish
from par_core.errors import ParameterError
from par_core.evidence import MODEL, PROVEN, Evidence, Quantity, Result, quantities, stated
from par_core.parameters import check_list, check_type, shown
from par_core.rounding import rounded
from par_core.scenario import Scenario

_SOURCE = "the bands of the wishes, put on one another"


def _evidence(wishes: Sequence[Wish], only_if: str) -> Evidence:
    basis = MODEL if any(each.evidence.basis is MODEL for each in wishes) else PROVEN
    return Evidence(basis, source=_SOURCE).only_if(only_if)


@dataclass(frozen=True)
class Collision(Result):
    """Two wishes that no level meets both: one that asks for a larger level than the other one allows.

    Each holds where the other one's number would be this: `first_would` is what the first reaches at the last level that meets the
    second, `second_would` what the second reaches at the first level that meets the first.
    """

    first: Wish
    second: Wish
    first_would: float
    second_would: float
    only_if: str = ""

    @property
    def evidence(self) -> Evidence:
        """By a model if one of the wishes is, or where something has to be true."""
        return _evidence((self.first, self.second), self.only_if)

    def quantity(self, name: str, at: int | None = None) -> Quantity:  # noqa: ARG002  # single numbers
        """Return `first_would` or `second_would`, of the kind of its wish; KeyError for another name."""
        told = {"first_would": self.first, "second_would": self.second}[name].told
        return Quantity(getattr(self, name), told.kind, self.evidence, told.toward)


@dataclass(frozen=True)
class Decision(Result):
    """The levels from `low` to `high` that meet all wishes, if any is `possible`; 0 and infinite where no wish asks for an end.

    Where none is, `collisions` are all pairs of wishes that collide, first the one that asks for the largest level with the one that
    allows the smallest; there is none where a wish has no level of its own.
    """

    wishes: tuple[Wish, ...]
    bands: tuple[Band, ...]  # one for each wish
    low: float
    high: float
    possible: bool
    collisions: tuple[Collision, ...]
    only_if: str = ""
    QUANTITIES = quantities(low=stated("level", "up"), high=stated("level", "down"))

    @property
    def evidence(self) -> Evidence:
        """By a model if one of the wishes is, or where something has to be true."""
        return _evidence(self.wishes, self.only_if)

    @property
    def collision(self) -> Collision | None:
        """The first collision, if there is any."""
        return self.collisions[0] if self.collisions else None

    def missed(self, epsilon0: float) -> tuple[Wish, ...]:
        """Return the wishes that a level does not meet."""
        return tuple(wish for wish, band in zip(self.wishes, self.bands, strict=True) if not band.meets(epsilon0))

    @property
    def only(self) -> float | None:
        """The level to take, with the digits that it takes, where four of both ends, on their safe sides, leave none between them."""
        if not self.possible or rounded(self.low, 4, toward="up") <= rounded(self.high, 4, toward="down"):
            return None
        middle = math.sqrt(self.low * self.high)
        shorter = (float(f"{middle:.{digits}g}") for digits in range(5, 17))
        return next((each for each in shorter if self.low <= each <= self.high), self.low)


def decide(wishes: Sequence[Wish], scenario: Scenario) -> Decision:
    """Return which levels of a scenario meet all wishes; of none, every level does.

    >>> from par_core.decision import BeliefWish, ErrorWish
    >>> found = decide([ErrorWish(10.0), BeliefWish(0.5, 0.55)], Scenario(releases=2))
    >>> found.possible, round(found.collision.first_would, 2), round(found.collision.second_would, 4)
    (False, 29.86, 0.6455)
    """
    check_type("scenario", scenario, Scenario)
    asked = check_list("wishes", wishes)
    for each in asked:
        if not isinstance(each, Wish):
            raise ParameterError(f"wishes must be wishes, got {shown(each)}")
    return _decide(tuple(asked), replace(scenario, epsilon0=1.0))


@lru_cache(maxsize=512)  # the present level plays no part: a reader turns its dial
def _decide(asked: tuple[Wish, ...], scenario: Scenario) -> Decision:
    bands = tuple(band(each, scenario) for each in asked)
    low, high = max((each.low for each in bands), default=0.0), min((each.high for each in bands), default=float("inf"))
    collisions: tuple[Collision, ...] = ()
    if low > high and all(each.possible for each in bands):
        pairs = tuple(zip(asked, bands, strict=True))
        collisions = tuple(
            Collision(
                first,
                second,
                first.reached(replace(scenario, epsilon0=small.high)),
                second.reached(replace(scenario, epsilon0=large.low)),
                scenario.only_if,
            )
            for first, large in sorted(pairs, key=lambda pair: -pair[1].low)
            for second, small in sorted(pairs, key=lambda pair: pair[1].high)
            if large.low > small.high
        )
    possible = low <= high and all(each.possible for each in bands)
    return Decision(asked, bands, low, high, possible, collisions, scenario.only_if)
