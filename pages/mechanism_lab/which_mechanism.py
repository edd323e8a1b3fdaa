"""Which mechanism? The level of both, which counts one person moves, and which error is compared."""

from pages.mechanism_lab.lab_settings import DELTA, choose_epsilon
from pages.shared import controls, settings
from pages.shared.dial import dial
from par_core.lab import which_mechanism
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.which_mechanism import WhichMechanism
from par_core.scenario import Scenario

MEASURE = settings.choice("lwerr", "Error", tuple(which_mechanism.MEASURES))
MOVES = settings.choice("lwmoves", "One person moves", which_mechanism.MOVES)

_DELTA_STEPS = (*(float(f"{lead}e{power}") for power in range(-12, -1) for lead in (1, 3)), 0.1)
_MEASURES = {"average": "On average", "range": "95 of 100", "all": "All at once"}
_MOVES = {"all": "all counts", "one": "one count"}


def ask(scenario: Scenario) -> WhichMechanism:
    epsilon = choose_epsilon()
    delta = settings.own(DELTA, dial(DELTA, hint=explain("gaussian_delta"), steps=_DELTA_STEPS))
    moves = controls.choice(MOVES, hint=explain("person_moves"), words=_MOVES.__getitem__)
    measure = controls.choice(MEASURE, hint=explain("error_measure"), words=_MEASURES.__getitem__)
    return WhichMechanism(scenario, epsilon, delta, measure, moves)
