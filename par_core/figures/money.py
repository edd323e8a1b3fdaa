"""Amounts of money as people read them, in words and on an axis."""

from __future__ import annotations

import math
from typing import Any

_JOIN = "\u00a0"  # keeps an amount and its currency on one line
_UP = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# Currencies of ISO 4217 without a smaller coin.
_WHOLE = frozenset(
    ("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF")
)
_LARGE = 1e15  # from here on the digits are no longer read


def money(value: float, currency: str) -> str:
    """Return an amount rounded to money: whole units from 100 on, smaller coins below, and no small amount as nothing."""
    coin = 0 if currency in _WHOLE else 2
    size = abs(value)
    if size >= _LARGE:
        text = _power(value)
    elif size >= 99.995 or size == 0:
        text = f"{value:,.0f}"
    elif round(size, coin) == 0:
        return f"less than {10.0**-coin:.{coin}f}{_JOIN}{currency}"
    else:
        text = f"{value:,.{coin}f}"
    return f"{text}{_JOIN}{currency}"


def unrounded(value: float, currency: str) -> str:
    """Return an amount with the digits that a double of this size holds for certain."""
    digits = f"{value:.15g}" if not 1e-4 <= abs(value) < _LARGE else f"{value:,.{_decimals(value)}f}".rstrip("0")
    return f"{digits.rstrip('.')}{_JOIN}{currency}"


def money_axis(*, currency: str, largest: float) -> dict[str, Any]:
    """Return an axis for amounts up to `largest` (in size): written out up to a billion, then in powers of ten."""
    title = f"(unit: {currency})"
    if largest >= 1e9:
        return {"title": title, "exponentformat": "power"}
    if largest >= 10:
        return {"title": title, "tickformat": ",.0f"}
    return {"title": title, "tickformat": ",.3~g"}


def _power(value: float) -> str:
    lead, exponent = f"{value:.2e}".split("e")
    return f"{float(lead):g}\u202f×\u202f10{str(int(exponent)).translate(_UP)}"


def _decimals(value: float) -> int:
    """How many places behind the point still mean something: 15 digits in all, at most 8."""
    before = math.floor(math.log10(abs(value))) + 1
    return max(0, min(8, 14 - before))
