"""The section "Odds in 100": of 100 releases, how many point to a person who is in the data, and how many if not."""

from __future__ import annotations

from functools import partial

import streamlit as st

from pages.shared import controls, settings
from pages.shared.chart import chart
from pages.shared.layout import chart_and_controls
from pages.shared.release import is_possible
from pages.shared.say import paragraph
from pages.shared.settings import present_scenario, scenario_setting
from pages.shared.words import as_sentence
from par_core.decision import Odds, odds
from par_core.errors import InfeasibleError, ParameterError
from par_core.figures import decide as figures
from par_core.questions.glossary import explain

ABOUT = settings.choice("wo", "Releases", ("one", "all"))


def draw() -> None:
    scenario = present_scenario()
    main, side = chart_and_controls()
    with side:
        if scenario.releases > 1:
            words = {"one": "One", "all": f"All {scenario.releases:,}"}.__getitem__
            controls.choice(ABOUT, words=words, hint="What one release says, or all that your scenario plans.")
        st.caption("Move ε₀ of your scenario, and watch the squares.")
    with main:
        if not is_possible():
            return
        try:
            found = _odds()
        except (ParameterError, InfeasibleError) as error:
            st.warning(as_sentence(str(error)))
            return
        st.markdown(_headline(), help=explain("odds"))
        chart(
            lambda: figures.odds(_odds(), epsilon0=present_scenario().epsilon0),
            "odds_in_100",
            dials=(scenario_setting("epsilon0"),),
            headline=_headline,
            alt="Two blocks of 100 squares: {found.if_in} point to you if you are in the data, {found.if_out} if you are not.",
            found=found,
            table=partial(figures.odds_table, found),
            notes={"source": found.source},
        )
        paragraph(
            "Exactly: {found.if_in} and {found.if_out}. The closer the two numbers, the less anyone learns about your record.",
            found=found,
        )


def _odds() -> Odds:
    scenario = present_scenario()
    return odds(scenario, releases=scenario.releases if ABOUT.value() == "all" else 1)


def _headline() -> str:
    found = _odds()
    inside, outside = figures.of_100(found.if_in), figures.of_100(found.if_out)
    if found.releases > 1:
        return f"## {found.releases:,} releases together point to you {inside} times in 100 if you are in, {outside} if not"
    return f"## Of 100 releases, {inside} point to you if you are in the data, {outside} if not"
