"""A quantity as it is told: in a sentence, in a table, and in a notebook the same."""

from __future__ import annotations

from typing import TYPE_CHECKING

from par_core import rounding
from par_core.evidence import Quantity
from par_core.figures.money import brief_money, money
from par_core.old_names import by_old_name


def format_quantity(quantity: Quantity, *, currency: str = "", fine: bool = False) -> str:
    """Return a number on its safe side, without its evidence; an amount of money needs its currency.

    A table that compares levels or money has them `fine`: with four digits, or to the unit.

    >>> level = Quantity(0.12341, "level", toward="up")
    >>> format_quantity(level), format_quantity(level, fine=True), format_quantity(Quantity(12341, "count"))
    ('0.124', '0.1235', '12,341')
    """
    value, toward = float(quantity.value), quantity.toward
    if quantity.kind == "compared":  # with the digits that decided on a claim
        from par_core.figures.paper_check import told  # late: only who shows a claim needs the catalogue

        return told(value)
    if quantity.kind == "share":
        return rounding.percent(value, toward=toward)
    if quantity.kind == "points":
        return rounding.percent(value, toward=toward).replace("%", "percentage points")
    if quantity.kind == "count":
        return f"{value:,.0f}"
    if quantity.kind == "error":
        return rounding.error(value, fine=fine, beside=quantity.beside)  # never too small
    if quantity.kind in ("money", "coins"):
        if quantity.kind == "money" and not fine:
            return brief_money(value, currency, toward=toward, beside=quantity.beside)
        return money(value, currency, toward=toward, coins=quantity.kind == "coins")
    if quantity.kind == "level":
        return rounding.brief(value, toward=toward, fine=fine, beside=quantity.beside)
    return rounding.amount(value, 4 if quantity.kind == "quantile" else 3, toward=toward)


def as_told(quantity: Quantity, *, fine: bool = False) -> float:
    """Return a number as it is told, on its safe side: what a reader takes over from the words."""
    return float(format_quantity(quantity, fine=fine).replace(",", ""))


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"written": "format_quantity"})
