"""What several sections on explicit risk set: the level hoped for, the axis, and the way back to a printed figure."""

from collections.abc import Mapping
from typing import Any, Literal

from pages.shared import controls, paper_switch, settings
from pages.shared.dial import dial
from par_core.questions.glossary import explain

EPSILON = settings.number("e", "Level hoped for, ε", 0.4, at_least=1e-8, at_most=700)
AXIS = settings.choice("axis", "Axis", ("risk", "confidence"))
PAPER_ONLY = paper_switch.setting("paper")


def choose_epsilon() -> float:
    return dial(EPSILON, hint=explain("epsilon"))


def choose_axis() -> Literal["risk", "confidence"]:
    chosen = controls.choice(AXIS, hint=explain("risk"), words=str.capitalize)
    return "confidence" if chosen == "confidence" else "risk"


def choose_paper(hint: str, printed: Mapping[settings.Setting[Any], Any]) -> bool:
    """Draw what brings a printed figure back: its settings, with the axis of all of them, and nothing that it does not hold."""
    controls.button("As in the paper", settings.put_all, {AXIS: "risk", **printed}, hint=hint)
    controls.button("With my scenario", settings.put_all, {each: each.opens_on for each in printed})
    return paper_switch.draw(PAPER_ONLY)
