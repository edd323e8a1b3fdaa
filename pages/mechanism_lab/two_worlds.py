"""One answer, two worlds: which answer is published, with which noise, and what was believed before."""

from dataclasses import replace

import streamlit as st

from pages.mechanism_lab import lab_settings
from pages.mechanism_lab.lab_settings import choose_epsilon, choose_noise, toy_setting
from pages.shared import controls
from pages.shared.dial import dial
from pages.shared.page import Section
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.two_worlds import TwoWorlds, TwoWorldsAnswer
from par_core.scenario import Scenario

ANSWER = toy_setting("lwa", TwoWorlds, "published")
PRIOR = toy_setting("lwp", TwoWorlds, "prior")
FAILS = toy_setting("lwf", TwoWorlds, "fails")
DIALS = lab_settings.DIALS | {"published": ANSWER}


def ask(scenario: Scenario) -> TwoWorlds:
    epsilon = choose_epsilon()
    place = st.container()
    noise = choose_noise()
    prior = controls.number(PRIOR, hint=explain("lab_prior"), step=0.05)
    question = TwoWorlds(scenario, epsilon, **noise, published=ANSWER.value(), prior=prior, fails=FAILS.value())
    stops = question.answer().found.stops  # those of the noise
    with place:
        return replace(question, published=dial(ANSWER, hint=explain("lab_answer"), steps=stops))


def _choose_fails(_: Section, __: TwoWorldsAnswer) -> None:
    controls.number(FAILS, hint=explain("lab_fails"), step=0.05)


OWN = {"fails": _choose_fails}
