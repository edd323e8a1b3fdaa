"""The wishes that a reader can have, each with a switch, a dial for its own number, and what else it needs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import streamlit as st

from pages.shared import controls, settings
from pages.shared.dial import dial
from pages.shared.settings import MINE, Setting, present_scenario
from par_core.decision import KINDS, Kind, Number, Wish
from par_core.errors import ParameterError
from par_core.questions.glossary import explain


class _Field(NamedTuple):
    """A kind of wish on the page: whether it is on, and its numbers, of which the first has the dial."""

    kind: Kind
    on: Setting[bool]
    numbers: tuple[Setting[Any], ...]

    @property
    def settings(self) -> tuple[Setting[Any], ...]:
        return self.on, *self.numbers


def _number(number: Number) -> Setting[Any]:
    key, label, default, low, high = number.key, number.label, number.default, number.at_least, number.at_most
    if isinstance(default, int):
        return settings.whole(key, label, default, at_least=int(low), at_most=int(high))
    return settings.number(key, label, default, at_least=low, at_most=high)


_FIELDS = tuple(
    _Field(kind, settings.switch(kind.key, kind.label, default=kind.by_default), tuple(map(_number, kind.numbers)))
    for kind in KINDS
)
ERROR: Setting[float] = next(each.numbers[0] for each in _FIELDS if each.kind.option == "error")
SPENT: Setting[float] = next(each.numbers[0] for each in _FIELDS if each.kind.option == "total")
SETTINGS: tuple[Setting[Any], ...] = tuple(setting for each in _FIELDS for setting in each.settings)
LINKED: tuple[Setting[Any], ...] = (*SETTINGS, MINE)
"""What a link to a page holds that shows the wishes."""


def draw() -> None:
    """Draw a switch for each wish, and below those that are on what they need."""
    for kind, on, (own, *others) in _FIELDS:
        hint = explain(kind.term)
        if not controls.switch(on, hint=hint):
            continue
        if not kind.can_be_asked_of(present_scenario()):
            st.caption("Your mechanism adds no noise to a number: it has no such error.")
            continue
        for each in others:
            controls.number(each, hint=hint, step=0.05)
        dial(own, hint=hint, steps=kind.steps)


def chosen() -> tuple[Wish, ...]:
    """Return the wishes that are on."""
    return tuple(each.kind.made(*(number.value() for number in each.numbers)) for each in _on())


def made() -> tuple[Wish, ...] | None:
    """Return the wishes that are on; None where they are those that everybody comes to, and nobody has made them."""
    return None if are_examples() else chosen()


def dials() -> dict[str, Setting[Any]]:
    """Return the settings behind the numbers of the wishes that are on, by their paths in a question."""
    return {f"wishes.{at}.{each.kind.numbers[0].field}": each.numbers[0] for at, each in enumerate(_on())}


def as_in_link() -> dict[str, str]:
    """Return the wishes as in a link, by the keys of their settings."""
    return {each.key: each.write(each.value()) for each in SETTINGS}


def read(texts: Mapping[str, str]) -> dict[Setting[Any], Any]:
    """Return the values that such texts stand for; ParameterError for those that stand for none."""
    known = {each.key: each for each in SETTINGS}
    if strange := [each for each in texts if each not in known]:
        raise ParameterError(f"a wish has no setting {strange[0][:40]!r}")
    return {known[key]: known[key].read(text) for key, text in texts.items()}


def are_examples() -> bool:
    """Whether the wishes are those that everybody comes to, and nobody has made them."""
    return "wishes" not in MINE.value() and all(
        each.is_example for field in _FIELDS for each in (field.settings if field.on.value() else (field.on,))
    )


def _on() -> list[_Field]:
    return [each for each in _FIELDS if each.on.value() and each.kind.can_be_asked_of(present_scenario())]
