"""Which levels meet a wish: its inverse, found from the side on which it is met."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cache, lru_cache

import numpy as np

from par_core.decision.wishes import RiseWish, Wish
from par_core.evidence import Evidence, Result, quantities, stated
from par_core.mechanisms.mechanism import moved_until
from par_core.parameters import check_type
from par_core.risk.attacks import believed_after, largest_loss
from par_core.roots import crossing
from par_core.scenario import Scenario

SMALLEST, LARGEST = 1e-8, 50.0
"""Where epsilon0 is looked for."""
_CLOSE = 5e-6  # how closely a level is found, relative
_STRIDE = 4.0


@dataclass(frozen=True)
class Band(Result):
    """The levels that meet a wish: from `low`, 0 where it asks for none, to `high`, infinite where it asks for none.

    The end that the wish asks for meets it when put back in, and a part in 10^5 further misses it, unless `at_limit`: then it is the
    last level that is looked at. Where it is not `possible` no level from 1e-8 to 50 does, and both ends lie outside. `prior` is the
    belief that rises most, where any may; `rare` is how often, at the end, a loss without a largest value leaves a stronger belief.
    """

    wish: Wish
    low: float
    high: float
    possible: bool
    at_limit: bool
    prior: float | None
    rare: float | None
    delta: float | None  # where the belief is that at the epsilon that goes with it
    only_if: str = ""
    QUANTITIES = quantities(
        low=stated("level", "up"), high=stated("level", "down"), prior=stated("share"), rare=stated("share", "up")
    )

    @property
    def evidence(self) -> Evidence:
        """That of the wish, or by the reader's model where something has to be true."""
        own = self.wish.evidence.only_if(self.only_if)
        if self.delta is None:
            return own
        more = f"; the loss has no largest value: the belief is that at the epsilon that goes with δ = {self.delta:g}"
        return replace(own, limits=own.limits + more)

    @property
    def key(self) -> str:
        """The name of the wish."""
        return self.wish.key

    def meets(self, epsilon0: float) -> bool:
        """Whether a level is one of them."""
        return self.possible and self.low <= epsilon0 <= self.high

    @property
    def note(self) -> dict[str, float]:
        """What else is to be said, by its name."""
        return {name: value for name, value in (("prior", self.prior), ("rare", self.rare)) if value is not None}


def band(wish: Wish, scenario: Scenario) -> Band:
    """Return the levels of a scenario that meet a wish, whatever its own level; ParameterError as in `Wish.reached`.

    >>> from par_core.decision.wishes import BeliefWish
    >>> found = band(BeliefWish(0.5, 0.75), Scenario(releases=2))
    >>> found.low, round(found.high, 4)
    (0.0, 0.5493)
    """
    return _band(check_type("wish", wish, Wish), replace(check_type("scenario", scenario, Scenario), epsilon0=1.0))


@lru_cache(maxsize=512)  # a reader turns one dial of many
def _band(wish: Wish, scenario: Scenario) -> Band:
    end = _end(wish, scenario)
    hard = LARGEST if wish.upper else SMALLEST
    outside = 0.0 if wish.upper else math.inf
    found = outside if end is None else end
    rare, delta = None, None
    if wish.by_usual_loss and math.isinf(largest_loss(scenario)):
        delta = scenario.delta
        if end is not None:
            rare = believed_after(replace(scenario, epsilon0=end), 0.5, releases=scenario.releases).rare
    return Band(
        wish=wish,
        low=0.0 if wish.upper else found,
        high=found if wish.upper else math.inf,
        possible=end is not None,
        at_limit=end == hard,
        prior=wish.prior if isinstance(wish, RiseWish) else None,
        rare=rare,
        delta=delta,
        only_if=scenario.only_if,
    )


def _end(wish: Wish, scenario: Scenario) -> float | None:
    """Return the last level that meets a wish, None where none does."""
    easy, hard = (SMALLEST, LARGEST) if wish.upper else (LARGEST, SMALLEST)

    @cache
    def excess(level: float) -> float:
        return wish.reached(replace(scenario, epsilon0=level)) - wish.number

    start, loss = 1.0 / math.sqrt(scenario.releases), wish.largest_loss()
    if loss is not None and math.isfinite(largest := largest_loss(scenario)):
        closed = min(loss / largest, LARGEST)  # which is that at an epsilon0 of 1
        if closed < SMALLEST:
            return None
        level = float(moved_until(lambda each: excess(float(each)) <= 0, np.asarray(closed), toward=SMALLEST))
        return level if excess(level) <= 0 else None
    fails = meets = start
    onward = excess(start) <= 0
    goal = hard if onward else easy
    while (excess(meets) <= 0) == onward:
        if meets == goal:
            return hard if onward else None
        fails, meets = meets, min(max(meets * (_STRIDE if goal > meets else 1 / _STRIDE), SMALLEST), LARGEST)
    if onward:
        fails, meets = meets, fails
    return crossing(excess, fails, meets, rtol=_CLOSE)
