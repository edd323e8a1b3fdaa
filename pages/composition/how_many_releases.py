"""How many releases can be made: the target for all of them."""

from dataclasses import replace

import streamlit as st

from pages.composition import scenario_fields
from pages.shared import wish_fields
from pages.shared.dial import dial
from pages.shared.words import level0
from par_core.plan import PlanScenario
from par_core.questions.composition.how_many_releases import HowManyReleases
from par_core.questions.composition.repeated_plan import RepeatedPlan
from par_core.questions.glossary import explain
from par_core.scenario import Scenario

# The budget that Decide can wish for, under the name that links to this page know.
TARGET = replace(wish_fields.SPENT, key="cte", label="ε budget, all releases", own_key=wish_fields.SPENT.held)


def ask(scenario: Scenario) -> HowManyReleases | RepeatedPlan:
    target = dial(TARGET, hint=explain("target"))
    scenario_fields.field(scenario, "delta", "Target δ", hint=explain("delta"))
    if isinstance(scenario, PlanScenario):
        return RepeatedPlan(scenario, target)
    scenario_fields.field(scenario, "releases", "Planned releases", hint=explain("releases"))
    st.caption(f"{level0(scenario.epsilon0)} of each release, δ and the number of releases are those of your scenario.")
    return HowManyReleases(scenario, target)
