"""Loss by loss: how many releases there are, and with which noise."""

from pages.mechanism_lab import lab_settings
from pages.mechanism_lab.lab_settings import choose_epsilon, choose_noise, toy_setting
from pages.shared import controls
from pages.shared.dial import dial
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.loss_walk import LossByLoss
from par_core.scenario import Scenario

RELEASES = toy_setting("lln", LossByLoss, "releases")
SEED = toy_setting("lls", LossByLoss, "seed")
DIALS = lab_settings.DIALS | {"releases": RELEASES}

_STEPS = (*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 70, 100)


def ask(scenario: Scenario) -> LossByLoss:
    releases = int(dial(RELEASES, hint=explain("walk_releases"), steps=_STEPS))
    epsilon, noise = choose_epsilon(), choose_noise()
    return LossByLoss(
        scenario, epsilon, **noise, releases=releases, seed=controls.whole(SEED, hint=explain("lab_seed"))
    )
