"""A card for each question: a small picture, a sentence that answers it, and the way to the page that says more."""

import streamlit as st

from pages.overview import first_view
from pages.shared import answers, badges, navigation, printed_figures, wish_fields
from pages.shared.chart import show
from pages.shared.release import only_laplace
from pages.shared.scenario_sidebar import talk_is_on
from par_core.questions.blocks import Chart, Words
from par_core.questions.overview.cards import QUESTIONS, Card, Key, Overview
from par_core.questions.question import Answer
from par_core.scenario import Scenario

LEADS_TO: dict[Key, tuple[str, str]] = {
    "own_table": ("your_table", "plan"),
    "belief": ("explicit_risk", "attacker"),
    "truth": ("explicit_risk", "truth"),
    "spent": ("composition", "plan"),
    "cost": ("budget_minimiser", "truth"),
    "sampled": ("sample_planner", "sampled"),
    "audited": ("empirical_audit", "exposed"),
    "worlds": ("mechanism_lab", "worlds"),
    "checked": ("paper_check", "claims"),
}
"""The page and the section that say more."""


def draw(scenario: Scenario) -> Answer | None:
    overview, keys = Overview(scenario, wish_fields.made()), [*QUESTIONS]
    with st.container(key="cards"):  # a talk shows nothing else
        possible = first_view.draw(overview)
        if not talk_is_on():
            only_laplace("The pictures below are")
        for start in range(0, len(keys), 2):
            for place, key in zip(st.columns(2), keys[start : start + 2], strict=False):
                with place, st.container(border=True, height="stretch"):
                    _card(overview.card(key))
    if not talk_is_on():
        st.markdown(
            f"Every number says what it is worth: {badges.in_words()}. Solid dark curves are exact, dashed amber ones as published.",
            help=badges.legend(),
        )
        printed_figures.draw()
    return answers.told(overview).answer if possible else None


def _card(card: Card) -> None:
    st.markdown(f"## {QUESTIONS[card.card]}")
    told = answers.told(card)
    for block in told.story():
        if isinstance(block, Chart):
            height = told.drawing(block).layout.get("height")
            show(block.key, told.json(block), height=height, alt=block.alt.told(), source="", compact=True)
        elif isinstance(block, Words):
            st.markdown(block.marked(badges.of))
    answers.weigh(told)
    module, tab = LEADS_TO[card.card]
    label = f":primary[{navigation.PageInfo(module).title} →]"
    st.page_link(navigation.entry(module), label=label, query_params={"tab": tab})
