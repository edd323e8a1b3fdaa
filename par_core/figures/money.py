"""Amounts of money as people read them, in words and on an axis."""

from __future__ import annotations

import math
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from typing import Any

from par_core.evidence import Toward
from par_core.rounding import raised

_JOIN = "\u00a0"  # keeps an amount and its currency on one line
# Currencies of ISO 4217 without a smaller coin.
_WHOLE = frozenset(
    ("BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF")
)
_ROUNDING = {"near": ROUND_HALF_EVEN, "up": ROUND_CEILING, "down": ROUND_FLOOR}
_LAST_DIGIT = Decimal("1e-15")
_LARGE = 1e15  # from here on the digits are no longer read


def money(value: float, currency: str, *, toward: Toward = "near", coins: bool = False) -> str:
    """Return an amount rounded to money: whole units from 100 on, smaller coins below, and no small amount as nothing.

    A budget that has to be enough is rounded up, a saving that is promised or money that there is is rounded down. With `coins`
    they are told from 100 on too, where there are some.
    """
    coin = 0 if currency in _WHOLE else 2
    size = abs(value)
    if size >= _LARGE:
        text = _power(value, toward)
    elif size == 0:
        text = "0"
    elif size < (0.5 if toward == "near" else 1.0) * 10.0**-coin:
        return f"{'less' if value > 0 else 'more'} than {math.copysign(10.0**-coin, value):.{coin}f}{_JOIN}{currency}"
    else:
        decimals = coin if coins or size < (100.0 if toward == "down" else 99.995) else 0
        text = f"{_to(value, Decimal(1).scaleb(-decimals), toward):,f}"
        if size >= 100.0:
            text = text.removesuffix(".00")
    return f"{text}{_JOIN}{currency}"


def brief_money(value: float, currency: str, *, toward: Toward = "near", beside: float | None = None) -> str:
    """Return an amount as `money` does, from 100 on with the three digits that somebody can use.

    Beside a limit that these would cross it is told in full.
    """
    if not 100.0 <= abs(value) < _LARGE:
        return money(value, currency, toward=toward)
    step = Decimal(1).scaleb(math.floor(math.log10(abs(value))) - 2)
    told = _to(value, step, toward)
    if beside is not None and (told <= beside) != (value <= beside):
        return money(value, currency, toward=toward, coins=True)
    return f"{told:,f}{_JOIN}{currency}"


def _to(value: float, step: Decimal, toward: Toward) -> Decimal:
    """Round a value to steps; one that is a step already, but for its last binary digit, stays what it is."""
    near = Decimal(value).quantize(step)
    if abs(near - Decimal(value)) <= _LAST_DIGIT * abs(near):
        return near
    return Decimal(value).quantize(step, rounding=_ROUNDING[toward])


def unrounded(value: float, currency: str) -> str:
    """Return an amount with the digits that a double of this size holds for certain."""
    if 1e-4 <= abs(value) < _LARGE:  # 15 digits in all, at most 8 of them behind the point
        decimals = max(0, min(8, 13 - math.floor(math.log10(abs(value)))))
        digits = f"{value:,.{decimals}f}".rstrip("0")
    else:
        digits = f"{value:.15g}"
    return f"{digits.rstrip('.')}{_JOIN}{currency}"


def money_axis(largest: float) -> dict[str, Any]:
    """Return an axis for amounts up to `largest` (in size): written out up to a billion, then in powers of ten."""
    if largest >= 1e9:
        return {"exponentformat": "power"}
    return {"tickformat": ",.0f" if largest >= 10 else ",.3~g"}


def _power(value: float, toward: Toward) -> str:
    step = Decimal(1).scaleb(math.floor(math.log10(abs(value))) - 2)
    lead, exponent = f"{_to(value, step, toward):.2e}".split("e")
    return f"{float(lead):g}\u202f×\u202f10{raised(int(exponent))}"
