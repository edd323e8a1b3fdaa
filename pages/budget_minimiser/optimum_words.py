"""The cheapest ε and its budget as numbers: rounded to money, unrounded on hover."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.budget_minimiser.breach_money import CLAIM, given, least, saved
from pages.shared import badges
from pages.shared.glossary import explain
from pages.shared.say import told
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.words import amount
from par_core.cost import Optimum
from par_core.figures.money import unrounded

_CSS = Path(__file__).parent / "optimum_words.css"


def metrics(*numbers: tuple[str, str, str, str], key: str = "") -> None:
    """Draw numbers beside each other: label, value, unrounded value for the hover text, word of the glossary.

    They wrap and are never cut off, however long the amounts are.
    """
    st.html(_CSS)
    with st.container(horizontal=True, gap="medium", key=f"numbers_{numbers[0][0]}_{numbers[-1][0]}_{key}"):
        for label, value, exactly, word in numbers:
            st.metric(label, value, help=f"{explain(word)} Unrounded: {exactly}", width="content")


def above_the_chart(numbers: Callable[[], None], picture: Callable[[], object]) -> None:
    """Draw numbers and then their chart; a presenter's screen is small, and there the chart comes first."""
    for draw in (picture, numbers) if PRESENT.value() else (numbers, picture):
        draw()


def two_boxes(published: Any, exact: Any) -> list[tuple[DeltaGenerator, Any]]:
    """Return two boxes beside each other, one for what is claimed and one for what is true, each with its badge and its answer."""
    boxes = []
    for place, words, badge, answer in zip(
        st.columns(2),
        ("As published", "In truth"),
        (badges.of(CLAIM), given()),
        (published, exact),
        strict=True,
    ):
        box = place.container(border=True, height="stretch")
        box.markdown(f"**{words}** {badge}", help=badges.legend(CLAIM))
        boxes.append((box, answer))
    return boxes


def two_optima(claimed: Optimum, true: Optimum, currency: str) -> None:
    """Draw what two optima save, and where they lie, beside each other."""
    for place, found in two_boxes(claimed, true):
        with place:
            _optimum_box(found, currency)


def _optimum_box(found: Optimum, currency: str) -> None:
    exact = found.truth == "exact"
    truly = "true_" if exact else ""
    metrics(
        ("Saving", saved(found, currency), unrounded(found.saving, currency), f"{truly}saving"),
        (
            "Least average",
            least(found, currency),
            unrounded(found.budget, currency),
            "least_true" if exact else "least_budget",
        ),
        key=found.truth,
    )
    metrics(
        ("Share saved", told("{found.share_saved}", found=found), f"{found.share_saved:.15g}", f"{truly}saving"),
        ("At ε", amount(found.epsilon, 4), f"{found.epsilon:.15g}", "epsilon"),
        (
            "Confidence",
            told("{found.confidence}", found=found),
            f"{found.confidence:.15g}",
            "true_confidence" if exact else "confidence",
        ),
        key=found.truth,
    )
