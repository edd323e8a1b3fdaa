"""A group: how many persons it has, and which level the noise is made for."""

from pages.mechanism_lab import lab_settings
from pages.mechanism_lab.lab_settings import choose_epsilon, toy_setting
from pages.shared.dial import dial
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.a_group import AGroup
from par_core.scenario import Scenario

PERSONS = toy_setting("lgn", AGroup, "persons")
DIALS = lab_settings.DIALS | {"persons": PERSONS}

_STEPS = (*range(1, 11), 12, 15, 20, 25, 30, 40, 50)


def ask(scenario: Scenario) -> AGroup:
    persons = int(dial(PERSONS, hint=explain("group_size"), steps=_STEPS))
    return AGroup(scenario, choose_epsilon(), persons)
