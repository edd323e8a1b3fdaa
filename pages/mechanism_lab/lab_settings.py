"""What several toys of the lab share: ε, the noise and its δ, each beginning at the reader's scenario."""

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from pages.shared import controls, settings
from pages.shared.dial import dial
from par_core.mechanisms import NOISES
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.lab_question import DELTA as DELTAS
from par_core.questions.mechanism_lab.lab_question import EPSILON as EPSILONS
from par_core.questions.mechanism_lab.lab_question import LabQuestion, Range, Toy, usual_epsilon, usual_noise
from par_core.scenario import Scenario


def toy_setting(key: str, kind: type[Toy], name: str) -> settings.Setting[Any]:
    """Return the setting of a field of a toy, by its key in the address."""
    return _setting(key, kind.ranges[name], getattr(kind, name))


def _setting(key: str, ends: Range, default: float) -> settings.Setting[Any]:
    make: Callable[..., settings.Setting[Any]] = settings.whole if isinstance(ends.at_least, int) else settings.number
    return make(key, ends.label, default, at_least=ends.at_least, at_most=ends.at_most)


EPSILON = settings.following(_setting("le", EPSILONS, 0.5), usual_epsilon)
NOISE = settings.following(settings.choice("lm", "Noise", tuple(NOISES)), usual_noise)
DELTA = settings.following(_setting("ld", DELTAS, 1e-5), lambda scenario: scenario.delta)
DIALS: dict[str, settings.Setting[Any]] = {"epsilon": EPSILON}


def choose_epsilon(*, hint: str = "lab_epsilon", label: str = "") -> float | None:
    """Draw the dial of ε, under another label where a toy gives it another meaning; say where it no longer follows the scenario.

    Returns a level of the reader's own, if it is one.
    """
    value = dial(EPSILON, hint=explain(hint), label=label)
    if not EPSILON.is_following and value != EPSILON.opens_on:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(f"Your scenario gives ε = {EPSILON.opens_on:.10g} here.", width="content")
            controls.button("Follow it", EPSILON.put, EPSILON.opens_on)
    return settings.own(EPSILON, value)


def choose_noise() -> dict[str, Any]:
    """Draw which noise there is, with the δ of Gaussian noise; returns both as fields of a question."""
    noise = controls.choice(NOISE, hint=explain("lab_noise"), words=lambda kind: NOISES[kind].name)
    delta = controls.number(DELTA, hint=explain("delta")) if noise == "gaussian" else None
    return {"noise": settings.own(NOISE, noise), "noise_delta": delta and settings.own(DELTA, delta)}


def ask_with(
    kind: type[LabQuestion], own: settings.Setting[Any], *, hint: str, steps: Sequence[float]
) -> Callable[[Scenario], LabQuestion]:
    """Return what asks a toy that has the dial of one field, over these steps, and that of ε."""
    (name,) = kind.ranges

    def ask(scenario: Scenario) -> LabQuestion:
        value = dial(own, hint=explain(hint), steps=steps)
        return kind(scenario, choose_epsilon(), **{name: value})

    return ask
