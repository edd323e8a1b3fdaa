"""The wishes that a reader can have, each with a switch, a dial for its own number, and what else it needs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import streamlit as st

from pages.shared import controls, settings
from pages.shared.dial import dial
from pages.shared.settings import Setting, present_scenario, scenario_setting
from par_core.decision import (
    AdvantageWish,
    AttackWish,
    BaselineWish,
    BeliefWish,
    ErrorWish,
    GroupWish,
    MoneyWish,
    ReleasesWish,
    RiseWish,
    Wish,
)
from par_core.errors import ParameterError
from par_core.mechanisms import NOISES
from par_core.questions.glossary import explain

ERROR = settings.switch("we", "Error", default=True)
WITHIN = settings.number("wev", "Error within, in 95 of 100", 10.0, at_least=1e-6, at_most=1e12)
GROUP = settings.switch("wg", "Smallest group")
ROWS = settings.whole("wgv", "Groups right within 10 % from", 100, at_least=1, at_most=10**12)
BELIEF = settings.switch("wb", "Belief", default=True)
AT_MOST = settings.number("wbv", "Belief after, at most", 0.7, at_least=0.001, at_most=0.999)
PRIOR = settings.number("wbp", "Belief before", 0.5, at_least=0.001, at_most=0.999)
RISE = settings.switch("wr", "Rise of belief")
POINTS = settings.number("wrv", "Belief rises by at most", 0.2, at_least=0.001, at_most=0.999)
ATTACK = settings.switch("wa", "Attack success")
HITS = settings.number("wav", "True positives, at most", 0.2, at_least=0.001, at_most=0.999)
FALSE = settings.number("waf", "At false positives", 0.05, at_least=0.001, at_most=0.999)
FOUND = settings.switch("wi", "Re-identification")
FINDS = settings.number("wiv", "Found with the releases, at most", 0.1, at_least=0.001, at_most=0.999)
UNAIDED = settings.number("wib", "Found without the releases", 0.01, at_least=1e-6, at_most=0.999)
ADVANTAGE = settings.switch("wd", "Advantage")
AHEAD = settings.number("wdv", "Advantage, at most", 0.3, at_least=0.001, at_most=0.999)
MONEY = settings.switch("wm", "Money")
BUDGET = settings.number("wmv", "Breach costs on average at most", 100_000.0, at_least=0.01, at_most=1e15)
TOTAL = settings.switch("wt", "Total ε")
SPENT = settings.number("wtv", "ε of all planned releases", 3.0, at_least=1e-6, at_most=1e4)

_NUMBERS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 75, 100, 150, 200, 300, 500, 750, 1000)
_GROUPS = tuple(10 * each for each in _NUMBERS)
_SHARES = (0.01, 0.02, 0.03, 0.05, 0.07, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9)
_RATES = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.9)
_SURE = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.51, 0.52, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95, 0.98, 0.99)
_AMOUNTS = tuple(float(lead * 10**power) for power in range(3, 8) for lead in (1, 1.5, 2, 3, 4, 5, 6, 8))
_LEVELS = (0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20)


class _Field(NamedTuple):
    """A wish on the page: whether it is on, its dial, what else it needs, and what it asks the core.

    Up to `quick` releases it is looked up at every stop of its dial within about a second.
    """

    on: Setting[bool]
    value: Setting[Any]
    hint: str
    steps: tuple[float, ...]
    make: Callable[[], Wish]
    also: Setting[float] | None = None
    of_noise: bool = False
    quick: int = 10**6


_FIELDS = (
    _Field(ERROR, WITHIN, "wish_error", _NUMBERS, lambda: ErrorWish(WITHIN.value()), of_noise=True),
    _Field(GROUP, ROWS, "wish_group", _GROUPS, lambda: GroupWish(ROWS.value()), of_noise=True),
    _Field(BELIEF, AT_MOST, "wish_belief", _SURE, lambda: BeliefWish(PRIOR.value(), AT_MOST.value()), PRIOR),
    _Field(RISE, POINTS, "wish_rise", _SHARES, lambda: RiseWish(POINTS.value())),
    _Field(ATTACK, HITS, "wish_attack", _RATES, lambda: AttackWish(FALSE.value(), HITS.value()), FALSE, quick=60),
    _Field(FOUND, FINDS, "wish_found", _RATES, lambda: BaselineWish(UNAIDED.value(), FINDS.value()), UNAIDED, quick=60),
    _Field(ADVANTAGE, AHEAD, "wish_advantage", _SHARES, lambda: AdvantageWish(AHEAD.value()), quick=365),
    _Field(MONEY, BUDGET, "wish_money", _AMOUNTS, lambda: MoneyWish(BUDGET.value()), quick=1),
    _Field(TOTAL, SPENT, "wish_total", _LEVELS, lambda: ReleasesWish(SPENT.value()), quick=365),
)

SETTINGS: tuple[Setting[Any], ...] = tuple(
    setting for each in _FIELDS for setting in (each.on, each.value, each.also) if setting is not None
)
"""What a link to a page holds that shows the wishes."""


def draw() -> None:
    """Draw a switch for each wish, and below those that are on what they need."""
    noisy = _adds_noise()
    for each in _FIELDS:
        if not controls.switch(each.on, hint=explain(each.hint)):
            continue
        if each.of_noise and not noisy:
            st.caption("Your mechanism adds no noise to a number: it has no such error.")
            continue
        if each.also:
            controls.number(each.also, hint=explain(each.hint), step=0.05)
        dial(each.value, hint=explain(each.hint), steps=each.steps)


def chosen() -> tuple[Wish, ...]:
    """Return the wishes that are on; ParameterError where their numbers contradict each other."""
    return tuple(each.make() for each in _on())


def written() -> dict[str, str]:
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
    switches: list[Setting[Any]] = [each.on for each in _FIELDS]
    numbers = [each for field in _FIELDS if field.on.value() for each in (field.value, field.also) if each is not None]
    return all(each.is_example for each in (*switches, *numbers))


def examples() -> str:
    """Say what nobody has chosen of the wishes and of the releases that they are about; "" where somebody has."""
    releases = scenario_setting("releases")
    named = ["these wishes"] * are_examples() + [f"the {releases.value()} releases"] * releases.is_example
    if not named:
        return ""
    said = " and ".join(named)
    return f"{said[0].upper()}{said[1:]} are {'examples' if are_examples() else 'an example'}: set your own."


def dials() -> tuple[Setting[Any], ...]:
    """Return the dials of the wishes that are on and that are looked up quickly at every stop."""
    return tuple(each.value for each in _on() if present_scenario().releases <= each.quick)


def _on() -> list[_Field]:
    noisy = _adds_noise()
    return [each for each in _FIELDS if each.on.value() and (noisy or not each.of_noise)]


def _adds_noise() -> bool:
    return present_scenario().mechanism in NOISES
