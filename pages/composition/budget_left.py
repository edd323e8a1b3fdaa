"""What is left of a budget: the reader's ledger, or the example, and what may be spent in a year."""

import streamlit as st

from pages.composition import ledger_files, scenario_fields
from pages.composition.how_many_releases import TARGET
from pages.shared.dial import dial
from par_core.ledger import utc_today
from par_core.questions.composition.budget_left import BudgetLeft
from par_core.questions.glossary import explain
from par_core.scenario import Scenario

_WHAT_IT_IS = "A ledger lists all releases of a data set. `par ledger add` writes it."
_STAYS = "Your files stay in the memory of this session."


def ask(scenario: Scenario) -> BudgetLeft:
    st.caption(_WHAT_IT_IS)
    own = ledger_files.ledger()
    if own is None:
        return BudgetLeft(scenario, _target(scenario))
    policy = ledger_files.policy()
    st.caption(_STAYS)
    chosen = ledger_files.data_set(own.ledger.data_sets, policy.data_set if policy else "")
    target = TARGET.value() if policy else _target(scenario)
    return BudgetLeft(scenario, target, utc_today().isoformat(), own, policy, chosen)


def _target(scenario: Scenario) -> float:
    target = dial(TARGET, hint=explain("target"))
    scenario_fields.field(scenario, "delta", "Target δ", hint=explain("delta"))
    return target
