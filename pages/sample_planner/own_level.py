"""The ε₀ of a section of this page: its own, with a button that takes the scenario's."""

from __future__ import annotations

from typing import Any

import streamlit as st

from pages.shared import controls
from pages.shared.settings import Setting, put_all
from par_core.scenario import Scenario


def say(scenario: Scenario, epsilon0: Setting[float], k: Setting[int] | None = None) -> None:
    """Say that this ε₀ is not the scenario's, and offer to take that one, with its k where the section has one."""
    st.caption("This ε₀ is for this section only; your scenario's is in the sidebar.")
    values: dict[Setting[Any], Any] = {epsilon0: scenario.epsilon0} | ({k: scenario.k} if k else {})
    if all(controls.takes(each, value) for each, value in values.items()):
        hint = f"Takes ε₀{' and k' if k else ''} from your scenario in the sidebar."
        controls.button("With my scenario", put_all, values, hint=hint)
