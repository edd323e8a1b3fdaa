"""A small table: what attackers of several beliefs come to believe at most, at the present level and at the decision."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pages.shared.say import paragraph, written
from pages.shared.words import level0, percent
from par_core.risk.attacks import believed_after
from par_core.scenario import Scenario

_PRIORS = (0.01, 0.1, 0.5, 0.9)


def draw(scenario: Scenario, *, prior: float | None, levels: Sequence[float]) -> None:
    """Draw a row for each of a few beliefs and for the reader's own, and a column for each level."""
    priors = sorted({*_PRIORS, *([prior] if prior else [])})
    found = [
        [believed_after(replace(scenario, epsilon0=each), before, releases=scenario.releases) for before in priors]
        for each in levels
    ]
    after = f"your {scenario.releases:,} releases" if scenario.releases > 1 else "one release"
    worst = max((column[0] for column in found), key=lambda each: each.rare)
    if worst.rare:
        words = f"After {after} an attacker believes at most this, but for {{worst.rare}} of outcomes: this noise has no largest loss."
        paragraph(words, worst=worst)
    else:
        paragraph(f"After {after} an attacker believes at most this.", standing_of=worst)
    st.table(
        {
            "Belief before": [percent(each) for each in priors],
            **{
                f"At {level0(level)}": [written(each.quantity("believed")) for each in column]
                for level, column in zip(levels, found, strict=True)
            },
        },
        hide_index=True,
        alt="What an attacker believes at most after all releases, by what they believed before.",
    )
