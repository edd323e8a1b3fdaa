"""A group: how many persons it has, and which level the noise is made for."""

from pages.mechanism_lab import lab_settings
from pages.mechanism_lab.lab_settings import ask_with, toy_setting
from par_core.questions.mechanism_lab.a_group import AGroup

PERSONS = toy_setting("lgn", AGroup, "persons")
DIALS = lab_settings.DIALS | {"persons": PERSONS}

ask = ask_with(AGroup, PERSONS, hint="group_size", steps=(*range(1, 11), 12, 15, 20, 25, 30, 40, 50))
