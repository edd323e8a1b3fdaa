"""Sentences with numbers in them: each number is rounded to its safe side, and its badge says what it is worth."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.shared import badges
from par_core.export import sentences
from par_core.figures.quantities import as_told as as_told
from par_core.figures.quantities import written as written
from par_core.rounding import brief


def say(template: str, /, *, standing_of: object = None, currency: str = "", **values: Any) -> str:
    """Return sentences as Markdown, with their numbers on the safe side and a badge for each standing.

    A field names a quantity (`{least}`), one of a result (`{found.share}`, of an array `{found.upper[-1]}`), or anything else,
    which is written as it is; what has a format (`{found.samples:,}`, `{epsilon:level}`) is not asked for its standing. One badge
    follows the full stop of a sentence if all its quantities share it; else each stands beside its number, and never in front of
    punctuation, a closing bracket or a closing quotation mark. A last sentence whose standing comes from elsewhere names it in
    `standing_of`, for anything that `badges.of` takes.
    """
    text = sentences.marked(template, values, badges.of, currency=currency)
    return text if standing_of is None else f"{text} {badges.of(standing_of)}"


def paragraph(template: str, /, *, help: str | None = None, **values: Any) -> None:  # noqa: A002  # as Streamlit says
    """Draw what `say` returns, with a hover text."""
    st.markdown(say(template, **values), help=help)


def told(template: str, /, *, currency: str = "", **values: Any) -> str:
    """Return the same words without badges: for a headline, a cell, or what is read out of a chart."""
    return sentences.told(template, values, currency=currency)


def at_most(value: float) -> str:
    """Return a number that nothing is above, in the few digits of a headline."""
    return brief(value, toward="up")


def at_least(value: float) -> str:
    """Return a number that nothing is below, in the few digits of a headline."""
    return brief(value, toward="down")
