"""The cheapest ε and its budget as numbers: rounded to money, unrounded on hover."""

from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.budget_minimiser.breach_money import CLAIM, alone, given, least, saved
from pages.shared import badges
from pages.shared.say import told
from pages.shared.words import amount
from par_core.cost import Optimum
from par_core.figures.money import unrounded
from par_core.questions.glossary import explain

_CSS = Path(__file__).parent / "optimum_words.css"


Number = tuple[str, str, str, str]
"""What stands beside others: label, value, unrounded value for the hover text, word of the glossary."""


def metrics(*numbers: Number, key: str = "") -> None:
    """Draw numbers beside each other. They wrap and are never cut off, however long the amounts are."""
    st.html(_CSS)
    with st.container(horizontal=True, gap="medium", key=f"numbers_{numbers[0][0]}_{numbers[-1][0]}_{key}"):
        for label, value, exactly, word in numbers:
            st.metric(label, value, help=f"{explain(word)} Unrounded: {exactly}", width="content")


def at_epsilon0(found: Optimum, currency: str) -> Number:
    return "At ε₀ alone", alone(found, currency), unrounded(found.baseline, currency), "baseline"


def least_average(label: str, found: Optimum, currency: str) -> Number:
    word = "least_true" if found.truth == "exact" else "least_budget"
    return label, least(found, currency), unrounded(found.budget, currency), word


def saving(label: str, found: Optimum, currency: str) -> Number:
    word = "true_saving" if found.truth == "exact" else "saving"
    return label, saved(found, currency), unrounded(found.saving, currency), word


def two_boxes(claimed: Optimum, published: Any, exact: Any) -> list[tuple[DeltaGenerator, Any]]:
    """Return two boxes beside each other, one for what is claimed and one for what is true, each with its badge and its answer."""
    worth = badges.of(claimed.quantity("budget"))
    boxes = [place.container(border=True, height="stretch") for place in st.columns(2)]
    for box, words in zip(boxes, (f"**As published** {worth}", f"**In truth** {given()}"), strict=True):
        box.markdown(words, help=badges.legend(CLAIM))
    return list(zip(boxes, (published, exact), strict=True))


def two_optima(claimed: Optimum, true: Optimum, currency: str) -> None:
    """Draw what two optima save, and where they lie, beside each other."""
    for box, found in two_boxes(claimed, claimed, true):
        exact = found.truth == "exact"
        truly = "true_" * exact
        with box:
            metrics(saving("Saving", found, currency), least_average("Least average", found, currency), key=found.truth)
            share, sure = told("{found.share_saved}", found=found), told("{found.confidence}", found=found)
            metrics(
                ("Share saved", share, f"{found.share_saved:.15g}", f"{truly}saving"),
                ("At ε", amount(found.epsilon, 4), f"{found.epsilon:.15g}", "epsilon"),
                ("Confidence", sure, f"{found.confidence:.15g}", "true_confidence" if exact else "confidence"),
                key=found.truth,
            )
