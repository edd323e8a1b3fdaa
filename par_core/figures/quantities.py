"""A quantity as it is told: in a sentence, in a table, and in a notebook the same."""

from __future__ import annotations

from par_core import rounding
from par_core.figures.money import money
from par_core.standing import Quantity


def written(quantity: Quantity, *, currency: str = "") -> str:
    """Return a number on its safe side, without its standing; an amount of money needs its currency.

    >>> written(Quantity(0.12341, "level", toward="up"))
    '0.1235'
    """
    value, toward = float(quantity.value), quantity.toward
    if quantity.kind == "share":
        return rounding.percent(value, toward=toward)
    if quantity.kind == "points":
        return rounding.percent(value, toward=toward).replace("%", "percentage points")
    if quantity.kind == "error":
        return rounding.error(value)  # never too small
    if quantity.kind in ("money", "coins"):
        return money(value, currency, toward=toward, coins=quantity.kind == "coins")
    return rounding.amount(value, 4 if quantity.kind == "level" else 3, toward=toward)
