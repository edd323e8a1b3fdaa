"""Numbers as people read them: rounded once, with the digits that matter, a bound toward the side on which it still holds.

Shares are written with three digits; levels, errors and money are written `brief`, with as many as somebody can use, and with four
only in a table that compares them. Headlines, sentences, cards and charts all write with these functions, so that one quantity is one
number wherever it stands.
"""

from __future__ import annotations

import decimal
import math
import operator

from par_core.evidence import PROVEN, Evidence, Toward

_JOIN = "\u00a0"  # keeps a number and its sign on one line
_LAST_DIGIT = 1e-15  # the share of a number by which two roundings of doubles may miss it

_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_ROUNDINGS = {"near": decimal.ROUND_HALF_EVEN, "up": decimal.ROUND_CEILING, "down": decimal.ROUND_FLOOR}


def amount(value: float, digits: int = 3, *, toward: Toward = "near") -> str:
    """Return a number with so many digits; one that has no more, but for its last binary digit, stays what it is."""
    lead, power = f"{value:.{digits - 1}e}".split("e")
    whole, exponent = int(lead.replace(".", "")), int(power) - digits + 1
    near = float(f"{whole}e{exponent}")
    if abs(near - value) > _LAST_DIGIT * abs(value) and toward == ("up" if near < value else "down"):
        if abs(whole) == 10 ** (digits - 1) and toward == ("up" if whole < 0 else "down"):
            whole, exponent = 10 * whole, exponent - 1  # toward 0 from a power of ten the digits are one place finer
        whole += 1 if toward == "up" else -1
        near = float(f"{whole}e{exponent}")
    if near == 0 or 1e-4 <= abs(near) < 1e12:
        text = f"{near:,.{max(-exponent, 0)}f}"
        return text.rstrip("0").rstrip(".") if "." in text else text
    return f"{near:.{digits}g}".replace("e-0", "e-")


def brief(value: float, *, toward: Toward = "near", fine: bool = False, beside: float | None = None) -> str:
    """Return a number with the digits that somebody can use: three, of a bound below 10 whose first is at least a 3 two.

    A `fine` one has four. One that has no more than four, as people type them, stays what it is. What stands `beside` a limit has as
    many more as it takes to lie on its own side of it.

    >>> brief(0.29957, toward="up"), brief(0.42364, toward="down"), brief(5.99146, toward="up"), brief(74434.41, toward="up")
    ('0.3', '0.42', '6', '74,500')
    >>> brief(0.4236), brief(9.99641, toward="up"), brief(9.99641, toward="up", beside=9.997)
    ('0.4236', '10', '9.997')
    """
    typed = abs(float(f"{value:.3e}") - value) <= _LAST_DIGIT * abs(value)
    digits = 4 if fine or typed else 2 if toward != "near" and abs(value) < 10 and f"{abs(value):e}" >= "3" else 3
    if beside is None:
        return amount(value, digits, toward=toward)
    side = operator.ge if toward == "down" else operator.le
    longer = (amount(value, each, toward=toward) for each in range(digits, 18))
    return next(
        (each for each in longer if side(float(each.replace(",", "")), beside) == side(value, beside)), repr(value)
    )


def error(value: float, *, fine: bool = False, beside: float | None = None) -> str:
    """Return an error, brief or with four digits, and never too small; whole numbers stay as they are. `beside` as in `brief`."""
    if abs(value) < 1e12 and value == math.floor(value):
        return f"{value:,.0f}"
    return brief(value, toward="up", fine=fine, beside=beside)


def percent(share: float, *, toward: Toward = "near") -> str:
    """Return a share as a percentage with three digits, above 1 without decimals; none but 0 and 1 is rounded onto them."""
    if share in (0, 1):
        return f"{100 * share:.0f}{_JOIN}%"
    if 1 < share < 1e300:
        told = amount(100 * share, min(math.floor(math.log10(share)) + 3, 12), toward=toward)
        return f"{'more than ' * (told == '100')}{told}{_JOIN}%"
    if share < 0.001:
        return f"less than 0.1{_JOIN}%"
    if share > 0.999:
        return f"almost 100{_JOIN}%" if toward == "up" else f"more than 99.9{_JOIN}%"
    return f"{amount(100 * share, toward=toward)}{_JOIN}%"


@Evidence(PROVEN, source="decimal arithmetic on the exact value of the float")
def rounded(value: float, digits: int = 3, *, toward: Toward = "near") -> float:
    """Return a number with so many digits; infinities and NaN as they are.

    >>> rounded(0.12341), rounded(0.12341, toward="up"), rounded(123_456, 4, toward="down")
    (0.123, 0.124, 123400.0)
    """
    if not math.isfinite(value):
        return value
    return float(decimal.Context(prec=digits, rounding=_ROUNDINGS[toward]).create_decimal_from_float(float(value)))


def raised(exponent: int) -> str:
    """Return a whole number in the small raised digits of an exponent, as in 10⁻⁵."""
    return str(exponent).translate(_RAISED)


def small(value: float) -> str:
    """Return a small number such as a delta: written out, or with a power of ten."""
    lead, _, exponent = f"{value:g}".partition("e")
    return f"{lead}·10{raised(int(exponent))}".removeprefix("1·") if exponent else lead
