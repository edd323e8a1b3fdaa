"""Money after a breach in words: rounded to the safe side, beside the full compensation, and the cautions that go with it."""

from dataclasses import replace
from typing import Any

import streamlit as st

from pages.shared import badges
from pages.shared.say import say, told, written
from pages.shared.words import letters, level0
from par_core import cost
from par_core.cost.optimum import priced

CLAIM = "par-theorem-4"  # what a published budget or saving stands on
_NEXT_TO_NOTHING = 1e-300  # stands in for an amount above 0 that is too small for a float


def given() -> str:
    """Return the badge of a true amount: it is exact, but holds only as far as the cost model does."""
    return badges.of(priced)


def least(found: cost.Optimum, currency: str, *, beside: float | None = None) -> str:
    """Return the least average, `beside` the money that there is on its own side of it."""
    size = found.budget or (0.0 if found.at_epsilon0 else _NEXT_TO_NOTHING)
    told = replace(replace(found, budget=size).quantity("budget"), beside=beside)
    return written(told, currency=currency)


def saved(found: cost.Optimum, currency: str) -> str:
    """Return what the least average saves."""
    size = found.saving or (_NEXT_TO_NOTHING if found.share_saved else 0.0)
    return written(replace(found, saving=size).quantity("saving"), currency=currency)


def alone(found: cost.Optimum, currency: str, *, beside: float | None = None) -> str:
    """Return what a breach costs at ε₀ alone; `beside` as in `least`."""
    return enough(found.baseline, found.model, currency, beside=beside)


def enough(size: float, model: Any, currency: str, *, fine: bool = False, beside: float | None = None) -> str:
    """Return an amount that is always enough, and never nothing where a breach costs something."""
    size = size or (_NEXT_TO_NOTHING if model.full else 0.0)
    told = replace(cost.Optimum.as_quantity("baseline", size), beside=beside)
    return written(told, currency=currency, fine=fine)


def of_full(size: float, model: Any, currency: str) -> str:
    """Return an amount that is always enough beside what a breach costs in full, without any protection."""
    return f"{enough(size, model, currency)} of the full {full(model, currency)}"


def cautions(model: Any, scenario: Any, *levels0: float) -> None:
    """Say what the amounts are not, what several releases add, and where the model itself is doubtful.

    `levels0` are further levels that the model was asked about, beside the scenario's own.
    """
    st.markdown(
        "This is the budget if a breach happens, **not an expected cost**: how likely a breach is plays no part."
    )
    together = cost.all_releases(model, scenario.epsilon0, releases=scenario.releases)
    if together.releases > 1:
        st.markdown(
            say(
                "All amounts above are for **one release**. You plan {together.releases:,}, which together are only as private as "
                "{level} (basic composition): after all of them a breach costs up to **{money}**.",
                together=together,
                level=told("ε₀ = {together.epsilon}", together=together),
                money=of_full(together.money, model, scenario.currency),
                standing_of=together,
            )
        )
    for sentence in doubts(model, scenario.epsilon0, together.epsilon, *levels0):
        st.warning(letters(sentence))
    if isinstance(model, cost.PiecewiseLinear) and not model.is_convex:
        st.info(
            "Your table is not convex: somewhere it rises more slowly than before. The cheapest ε is found all the same."
        )


def doubts(model: Any, *levels0: float) -> list[str]:
    """Return where a cost model breaks its own rules or knows no more, at any of these levels; each sentence once."""
    caveat = getattr(model, "caveat", None)
    if caveat is None:
        return []
    found = {caveat(epsilon0): None for epsilon0 in levels0}
    return [sentence for sentence in found if sentence]


def next_to_nothing(model: Any, epsilon0: float, currency: str) -> str:
    """Return that a cost model says next to nothing at a level; "" where it says something."""
    if not cost.says_little(model, epsilon0):
        return ""
    return (
        f"At {level0(epsilon0)} your cost model leaves less than a thousandth of the full {full(model, currency)}: it says next to "
        "nothing here. Count on the full amount."
    )


def no_saving(found: cost.Optimum, currency: str) -> str:
    """Say why no ε costs less than ε₀ alone."""
    at = level0(found.epsilon0)
    return f"Your cost model gives {alone(found, currency)} at {at} and no less at any smaller ε, so a stronger level saves nothing."


def full(model: Any, currency: str) -> str:
    """Return what a breach costs without any protection: it follows from what the reader typed, and has all its digits."""
    return enough(model.full, model, currency, fine=True)
