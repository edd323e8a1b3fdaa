"""The section "Odds in 100": one release, or all that are planned."""

from __future__ import annotations

import streamlit as st

from pages.shared import controls, settings
from par_core.questions.decide.odds_in_100 import OddsIn100
from par_core.scenario import Scenario

ABOUT = settings.choice("wo", "Releases", ("one", "all"))


def ask(scenario: Scenario) -> OddsIn100:
    if scenario.releases > 1:
        words = {"one": "One", "all": f"All {scenario.releases:,}"}.__getitem__
        controls.choice(ABOUT, words=words, hint="What one release says, or all that are planned.")
    st.caption(f"Move ε₀ of your {scenario.noun}, and watch the squares.")
    return OddsIn100(scenario, all_releases=ABOUT.value() == "all")
