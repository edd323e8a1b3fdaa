"""Traps: which of the four is shown, and its numbers."""

from pages.mechanism_lab import lab_settings
from pages.mechanism_lab.lab_settings import choose_epsilon, toy_setting
from pages.shared import controls, settings
from pages.shared.dial import dial
from par_core.lab.float_noise import FEWEST_BITS, MOST_BITS
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.traps import FloatNoise, InventedPeople, PrivateAverage, PublishedRecords
from par_core.questions.question import Question
from par_core.scenario import Scenario

TRAP = settings.choice("tr", "Trap", ("delta", "clamping", "floats", "average"))
EXPECTED = toy_setting("td", PublishedRecords, "expected")
PEOPLE = toy_setting("tn", PublishedRecords, "people")
CELLS = toy_setting("tc", InventedPeople, "cells")
BOUND = toy_setting("tk", InventedPeople, "bound")
BITS = toy_setting("tb", FloatNoise, "bits")
AVERAGED = toy_setting("tm", PrivateAverage, "averaged")
DIALS = lab_settings.DIALS | {"expected": EXPECTED, "bound": BOUND, "bits": BITS, "averaged": AVERAGED}

_WORDS = {"delta": "δ near 1/n", "clamping": "Post-processing", "floats": "Floating point", "average": "Averages"}
_RECORDS = (*(round(lead * 10.0**power, 2) for power in (-2, -1, 0) for lead in (1, 2, 3, 5, 7)), 10.0)
_BITS = tuple(range(FEWEST_BITS, MOST_BITS + 1))
_COUNTS = (*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 70, 100)


def ask(scenario: Scenario) -> Question:
    trap = controls.choice(TRAP, hint=explain("trap"), words=_WORDS.__getitem__)
    if trap == "delta":
        expected = dial(EXPECTED, hint=explain("records_published"), steps=_RECORDS)
        return PublishedRecords(scenario, expected, controls.whole(PEOPLE, hint="Each person has one record."))
    if trap == "clamping":
        epsilon = choose_epsilon()
        cells = controls.whole(CELLS, hint="Cells of a table in which there is truly nobody.")
        bound = dial(BOUND, hint=explain("noise_cut_off"), steps=tuple(range(1, 21)))
        return InventedPeople(scenario, epsilon, cells, int(bound))
    if trap == "floats":
        bits = int(dial(BITS, hint=explain("float_bits"), steps=_BITS))
        return FloatNoise(scenario, choose_epsilon(), bits)
    people = int(dial(AVERAGED, hint=explain("private_count"), steps=_COUNTS))
    return PrivateAverage(scenario, choose_epsilon(), people)
