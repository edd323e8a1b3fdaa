"""Sentences with numbers in them: each is rounded to its safe side, and can be marked with what it is worth."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from par_core import rounding
from par_core.evidence import Quantity, Result
from par_core.figures.quantities import format_quantity

Mark = Callable[[Any], str]
"""Returns how the evidence of a quantity is written beside it, and how a `Tag` is written."""

_SENTENCES = re.compile(r"(?<=[.!?])(?=\s)|(?<=[.!?]\*\*)(?=\s)")
_ENDS = re.compile(r"[.!?](\*\*)?$")
_FIELD = re.compile(
    r"(?P<bold>\*\*)?(?P<lead>[εδη]\S{0,2} = )?"
    r"\{(?P<name>\w+)(?P<path>(?:\.\w+)*)(?:\[(?P<at>-?\d+)\])?(?::(?P<format>[^{}]*))?\}(?P<close>\*\*)?"
)
_BESIDE = re.compile(r"\0(.*?)\0(.*?)\0(?=([,.;:!?)\]”’\"']?))")  # mark, number, what follows
_TWICE = re.compile(r"at (least (?=\**more than)|most (?=\**almost))")  # a bound of what is written as one
_JOIN = "\u00a0"  # keeps a sign and its number on one line


class Letters(str):
    """A text that says itself what stands in it, such as one of a paper: it is shown letter by letter."""


@dataclass(frozen=True)
class Tag:
    """A word that says at a glance what became of something, with the claim to which it leads, if it leads to one."""

    word: str
    claim: str = ""

    def __str__(self) -> str:
        return self.word


def counted(number: int, what: str) -> str:
    """Return how many there are of what has an s as its plural."""
    return f"{number:,} {what}{'s' * (number != 1)}"


def every(number: int, what: str, *, one: str = "the") -> str:
    """Return the release, both releases or all 3 releases: each of what has an s as its plural."""
    return {1: f"{one} {what}", 2: f"both {what}s"}.get(number, f"all {number:,} {what}s")


def letters(sentence: str) -> str:
    """Return a sentence of ours that may quote data such that Markdown shows it letter by letter."""
    return "".join("\\" + letter if letter in r"\`*_{}[]()#+-.!|<>~$:" else letter for letter in sentence)


def literal(text: str) -> str:
    """Return text from outside as Markdown that shows it letter by letter on one line, and links nothing."""
    line = " ".join(text.split())
    fence = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    return f"{fence} {line} {fence}"


def level0(value: float) -> str:
    """Return ε₀ = value, in one piece on one line."""
    return f"ε₀{_JOIN}={_JOIN}{rounding.amount(value, 4)}"


def level(value: float) -> str:
    """Return ε = value, in one piece on one line."""
    return f"ε{_JOIN}={_JOIN}{rounding.amount(value, 4)}"


_FORMATS: dict[str, Callable[[Any], str]] = {"level": level, "level0": level0, "percent": rounding.percent}


def told(template: str, values: Mapping[str, Any], *, currency: str = "") -> str:
    """Return a sentence with its numbers on the safe side, without marks."""
    return _sentence(template, values, currency, None)


def marked(template: str, values: Mapping[str, Any], mark: Mark, *, currency: str = "") -> str:
    """Return sentences with their numbers on the safe side and a mark for each evidence.

    One mark follows the full stop of a sentence if all its quantities share it; else each stands beside its number, and never in
    front of punctuation, a closing bracket or a closing quotation mark. TypeError for a quantity without an evidence.
    """
    return "".join(_sentence(each, values, currency, mark) for each in _SENTENCES.split(template))


def _sentence(sentence: str, values: Mapping[str, Any], currency: str, mark: Mark | None) -> str:
    found = [_value(field, values) for field in _FIELD.finditer(sentence)]
    if mark and any(isinstance(each, Quantity) and each.evidence is None for each in found):
        raise TypeError(f"a quantity without an evidence cannot have a badge: {sentence}")
    marks = {mark(each) for each in found if isinstance(each, Quantity)} if mark else set()
    one = marks.pop() if len(marks) == 1 and _ENDS.search(sentence) else ""

    def put(field: re.Match[str]) -> str:
        value, (bold, lead, close) = _value(field, values), field.group("bold", "lead", "close")
        if not isinstance(value, Quantity):
            words = _words(value, field["format"] or "", mark)
            return f"{bold or ''}{lead or ''}{words}{close or ''}"
        number = (
            f"{bold or ''}{(lead or '').replace(' ', _JOIN)}{format_quantity(value, currency=currency)}{close or ''}"
        )
        return number if one or mark is None else f"\0{mark(value)}\0{number}\0"

    text = _BESIDE.sub(lambda m: f"{m[1]} {m[2]}" if m[3] else f"{m[2]} {m[1]}", _FIELD.sub(put, sentence))
    text = _TWICE.sub("", text)
    return f"{text} {one}" if one else text


def _words(value: Any, form: str, mark: Mark | None) -> str:
    if mark and isinstance(value, Tag):
        return mark(value)
    if mark and isinstance(value, Letters):
        return letters(value)
    return _FORMATS[form](value) if form in _FORMATS else format(value, form)


def _value(field: re.Match[str], values: Mapping[str, Any]) -> Any:
    value, (*path, last) = values[field["name"]], field["path"].split(".")
    for each in path[1:]:
        value = getattr(value, each)
    at = None if field["at"] is None else int(field["at"])
    if last and isinstance(value, Result) and field["format"] is None:
        return value.quantity(last, at)
    value = getattr(value, last) if last else value
    return value if at is None else value[at]
