"""Sentences with numbers in them: each number is rounded to its safe side, and its badge says what it is worth."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import streamlit as st

from pages.shared import badges
from pages.shared.words import level, level0, percent
from par_core import rounding
from par_core.figures.money import money
from par_core.standing import Quantity, Result

_SENTENCES = re.compile(r"(?<=[.!?])(?=\s)|(?<=[.!?]\*\*)(?=\s)")
_ENDS = re.compile(r"[.!?](\*\*)?$")
_FIELD = re.compile(
    r"(?P<bold>\*\*)?(?P<lead>[εδη]\S{0,2} = )?"
    r"\{(?P<name>\w+)(?P<path>(?:\.\w+)*)(?:\[(?P<at>-?\d+)\])?(?::(?P<format>[^{}]*))?\}(?P<close>\*\*)?"
)
_BESIDE = re.compile(r"\0(.*?)\0(.*?)\0(?=([,.;:!?)\]”’\"']?))")  # badge, number, what follows
_TWICE = re.compile(r"at (least (?=\**more than)|most (?=\**almost))")  # a bound of what is written as one
_JOIN = "\u00a0"  # keeps a sign and its number on one line
_FORMATS: dict[str, Callable[[Any], str]] = {"level": level, "level0": level0, "percent": percent}


def say(template: str, /, *, standing_of: object = None, currency: str = "", **values: Any) -> str:
    """Return sentences as Markdown, with their numbers on the safe side and a badge for each standing.

    A field names a quantity (`{least}`), one of a result (`{found.share}`, of an array `{found.upper[-1]}`), or anything else,
    which is written as it is; what has a format (`{found.samples:,}`, `{epsilon:level}`) is not asked for its standing. One badge
    follows the full stop of a sentence if all its quantities share it; else each stands beside its number, and never in front of
    punctuation, a closing bracket or a closing quotation mark. A last sentence whose standing comes from elsewhere names it in
    `standing_of`, for anything that `badges.of` takes.
    """
    text = "".join(_sentence(each, values, currency, badged=True) for each in _SENTENCES.split(template))
    return text if standing_of is None else f"{text} {badges.of(standing_of)}"


def paragraph(template: str, /, *, help: str | None = None, **values: Any) -> None:  # noqa: A002  # as Streamlit says
    """Draw what `say` returns, with a hover text."""
    st.markdown(say(template, **values), help=help)


def told(template: str, /, *, currency: str = "", **values: Any) -> str:
    """Return the same words without badges: for a headline, a cell, or what is read out of a chart."""
    return _sentence(template, values, currency, badged=False)


def written(quantity: Quantity, *, currency: str = "") -> str:
    """Return a number on its safe side, without its badge; an amount of money needs its currency."""
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


def as_told(quantity: Quantity) -> float:
    """Return a number as it is told, on its safe side: what a reader takes over from the words."""
    return float(written(quantity).replace(",", ""))


def _sentence(sentence: str, values: dict[str, Any], currency: str, *, badged: bool) -> str:
    found = [_value(field, values) for field in _FIELD.finditer(sentence)]
    if badged and any(isinstance(each, Quantity) and each.standing is None for each in found):
        raise TypeError(f"a quantity without a standing cannot have a badge: {sentence}")
    marks = {badges.of(each) for each in found if isinstance(each, Quantity)} if badged else set()
    one = marks.pop() if len(marks) == 1 and _ENDS.search(sentence) else ""

    def put(field: re.Match[str]) -> str:
        value, (bold, lead, close) = _value(field, values), field.group("bold", "lead", "close")
        if not isinstance(value, Quantity):
            words = (
                _FORMATS[field["format"]](value)
                if field["format"] in _FORMATS
                else format(value, field["format"] or "")
            )
            return f"{bold or ''}{lead or ''}{words}{close or ''}"
        number = f"{bold or ''}{(lead or '').replace(' ', _JOIN)}{written(value, currency=currency)}{close or ''}"
        return number if one or not badged else f"\0{badges.of(value)}\0{number}\0"

    text = _BESIDE.sub(lambda m: f"{m[1]} {m[2]}" if m[3] else f"{m[2]} {m[1]}", _FIELD.sub(put, sentence))
    text = _TWICE.sub("", text)
    return f"{text} {one}" if one else text


def _value(field: re.Match[str], values: dict[str, Any]) -> Any:
    value, (*path, last) = values[field["name"]], field["path"].split(".")
    for each in path[1:]:
        value = getattr(value, each)
    at = None if field["at"] is None else int(field["at"])
    if last and isinstance(value, Result) and field["format"] is None:
        return value.quantity(last, at)
    value = getattr(value, last) if last else value
    return value if at is None else value[at]
