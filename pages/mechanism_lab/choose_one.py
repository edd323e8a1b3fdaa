"""Choose one of many: the candidates, and how far one person moves the utility of each."""

from pages.mechanism_lab import candidates_table
from pages.mechanism_lab.lab_settings import choose_epsilon, toy_setting
from pages.shared import controls
from pages.shared.error_reports import UnreadyError
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.choose_one import ChooseOne
from par_core.scenario import Scenario

SENSITIVITY = toy_setting("lusens", ChooseOne, "moves")
DRAWS = toy_setting("ludraws", ChooseOne, "draws")
SEED = toy_setting("luseed", ChooseOne, "seed")


def ask(scenario: Scenario) -> ChooseOne:
    epsilon, table = choose_epsilon(), candidates_table.draw()
    moves = controls.number(SENSITIVITY, hint=explain("utility_sensitivity"))
    draws, seed = controls.whole(DRAWS, hint=explain("choice_draws")), controls.whole(SEED, hint=explain("lab_seed"))
    if not table:
        raise UnreadyError("Add at least one candidate to the table: its name and its utility.")
    names, utilities, weights = zip(*table, strict=True)
    return ChooseOne(scenario, epsilon, names, utilities, weights, moves, draws, seed)
