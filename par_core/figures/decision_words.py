"""What a decision says in words: what a wish is called and promises, which levels to take, and what would have to give."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from par_core.decision import LARGEST, SMALLEST, Band, Decision, Number, Wish, kind_of
from par_core.figures.money import brief_money, money
from par_core.figures.quantities import format_quantity
from par_core.rounding import amount, brief, error, percent, small
from par_core.scenario import Scenario

_LARGEST_SHARE = Number.at_most  # that a wish can be set to
_GIVEN = ("prior", "false_positive", "baseline", "part")  # the other shares of a wish


def name_of(wish: Wish) -> str:
    """Return what a wish is called in a sentence."""
    return kind_of(wish).called


def number_of(wish: Wish, currency: str, *, value: float | None = None) -> str:
    """Return the wish's own number in words, as it was set, or another one in its place, never too small."""
    own, told, kind = value is None, wish.number if value is None else value, wish.told.kind
    if kind == "money":
        return money(told, currency, coins=True) if own else brief_money(told, currency, toward="up")
    if kind == "share":
        return f"{amount(100 * told, 12)}\u00a0%" if own else percent(told, toward="up")
    if kind == "points":
        return f"{amount(100 * told, 12 if own else 3, toward='near' if own else 'up')} points"
    if kind == "number":
        return f"{math.ceil(told):,}"
    return amount(told, 12) if own else error(told) if kind == "error" else brief(told, toward="up")


def promise_of(wish: Wish, band: Band | None, scenario: Scenario) -> str:
    """Return what a level that meets a wish promises, and how often it cannot at the end of its band, as a part of a sentence."""
    rare = "" if band is None or band.rare is None else f" (more in {percent(band.rare, toward='up')} of releases)"
    promised = kind_of(wish).promises.format(
        number=number_of(wish, scenario.currency),
        after=f" after {scenario.releases:,} releases" if scenario.releases > 1 else "",
        moved=amount(scenario.moves, 4),
        delta=small(scenario.delta if getattr(wish, "delta", None) is None else wish.delta),  # type: ignore[attr-defined]
        **{name: f"{amount(100 * getattr(wish, name), 12)}\u00a0%" for name in _GIVEN if hasattr(wish, name)},
    )
    return promised + rare


def row_of(wish: Wish, currency: str) -> str:
    """Return what a wish is called in its row of a picture."""
    return kind_of(wish).row.format(number_of(wish, currency))


def is_narrow(found: Decision) -> bool:
    """Say whether two digits of both ends, on their safe sides, leave no level between them: then it takes four."""
    if not found.possible or found.low <= SMALLEST or found.high >= LARGEST:
        return False
    low, high = (float(format_quantity(found.quantity(end)).replace(",", "")) for end in ("low", "high"))
    return low > high


def levels_of(found: Decision | Band, *, fine: bool = False, beside: float | None = None) -> str:
    """Return which levels those are, as "Take ε₀ …" goes on, on their safe sides, and on their own sides of the level `beside` them."""
    fine = fine or (isinstance(found, Decision) and is_narrow(found))
    if found.low <= SMALLEST and found.high >= LARGEST:
        return f"of any size up to {LARGEST:g}"
    if isinstance(found, Decision) and found.only is not None:
        return f"=\u00a0{found.only:.10g}"
    told = (format_quantity(replace(found.quantity(end), beside=beside), fine=fine) for end in ("low", "high"))
    low = next(told)
    if found.high == math.inf:
        return f"of at least {low}"
    high = next(told)
    if found.low <= SMALLEST:
        return f"of at most {high}"
    return f"=\u00a0{low}" if low == high else f"from {low} to {high}"


def own_level(epsilon0: float) -> str:
    """Return the reader's own level with all its digits: rounded, it might be another side of an end."""
    return amount(epsilon0, 10)


def and_list(names: Sequence[str]) -> str:
    """Return some names as a sentence lists them."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else names[0]


def colliding(found: Decision, *, whose: str = "") -> str:
    """Return which wishes collide with which, all of them; `whose` stands before each."""
    against: dict[tuple[str, ...], list[str]] = {}
    for first in dict.fromkeys(each.first for each in found.collisions):
        seconds = tuple(whose + name_of(each.second) for each in found.collisions if each.first == first)
        against.setdefault(seconds, []).append(whose + name_of(first))
    if len(found.collisions) == 1:
        ((seconds, firsts),) = against.items()
        return f"{firsts[0]} and {seconds[0]} collide"
    return "; ".join(
        f"{and_list(firsts)} {'collide' if len(firsts) > 1 else 'collides'} with {and_list(seconds)}"
        for seconds, firsts in against.items()
    )


def would_give(found: Decision, currency: str) -> str:
    """Return what one would have to allow on either side of a collision for all wishes to be met; "" where none collide."""
    if (worst := found.collision) is None:
        return ""
    firsts = {each.first: each.first_would for each in found.collisions if each.second == worst.second}
    seconds = {each.second: each.second_would for each in found.collisions if each.first == worst.first}
    sides = ", or ".join(
        and_list([_allowed(wish, would, currency) for wish, would in side.items()]) for side in (firsts, seconds)
    )
    return f"To meet {'both' if len(found.wishes) == 2 else 'all'}, allow {sides}"


def _allowed(wish: Wish, would: float, currency: str) -> str:
    if wish.told.kind == "share" and would > _LARGEST_SHARE:
        return "any " + kind_of(wish).allowed.partition(" ")[2].removesuffix(" of {}")
    return kind_of(wish).allowed.format(number_of(wish, currency, value=would))
