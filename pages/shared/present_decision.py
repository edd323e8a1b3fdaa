"""The present decision: what the reader's wishes ask of the scenario's ε₀, in the words that several pages share."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from pages.shared import wish_fields
from pages.shared.settings import present_scenario
from par_core.decision import Decision, Wish, decide
from par_core.figures import decision_words as words
from par_core.scenario import Scenario


def found() -> Decision:
    """Return what the wishes that are on ask for; ParameterError and InfeasibleError as in `decide`."""
    return _decided(wish_fields.chosen(), replace(present_scenario(), epsilon0=Scenario.epsilon0))


@lru_cache(maxsize=512)
def _decided(wishes: tuple[Wish, ...], scenario: Scenario) -> Decision:
    """Return the decision, which is the same whatever level the scenario has."""
    return decide(wishes, scenario)


def headline(found: Decision, *, then: str) -> str:
    """Return which levels to take and what is said of them `then`, or why there is none to take."""
    if not found.wishes:
        return "## Switch on a wish: each one says which ε₀ will do"
    if wish_fields.are_examples():
        return f"## {_of_examples(found)}"
    if found.collisions:
        both = "both" if len(found.wishes) == 2 else "all"
        return f"## No ε₀ meets {both}: {words.colliding(found, whose='your ')}"
    if not found.possible:
        never = next(wish for wish, band in zip(found.wishes, found.bands, strict=True) if not band.possible)
        return f"## No ε₀ meets this wish: {words.name_of(never)}"
    return f"## Take ε₀ {_levels(found)}: {then}"


def _of_examples(found: Decision) -> str:
    """Return what wishes ask that nobody has made: no verdict follows from it."""
    if found.collisions:
        return f"No ε₀ meets the example wishes: {words.colliding(found)}"
    if not found.possible:
        return "No ε₀ meets the example wishes"
    return f"The example wishes ask for ε₀ {_levels(found)}"


def _levels(found: Decision) -> str:
    return words.levels_of(found, beside=present_scenario().epsilon0)
