"""Watch it run: how many releases there are so far, and with which noise."""

from pages.mechanism_lab.lab_settings import choose_epsilon, choose_noise, toy_setting
from pages.shared import controls
from pages.shared.dial import dial
from par_core.lab.watch_it_run import MOST_RELEASES
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.watch_it_run import WatchItRun
from par_core.scenario import Scenario

RELEASES = toy_setting("lrn", WatchItRun, "drawn")
BETA = toy_setting("lrb", WatchItRun, "beta")
NUMBERS = toy_setting("lrk", WatchItRun, "each")
SEED = toy_setting("lrs", WatchItRun, "seed")

_STEPS = (*(lead * 10**power for power in range(4) for lead in (1, 2, 3, 4, 5, 7)), MOST_RELEASES)


def ask(scenario: Scenario) -> WatchItRun:
    releases = int(dial(RELEASES, hint=explain("lab_releases"), steps=_STEPS))
    return WatchItRun(
        scenario,
        choose_epsilon(),
        **choose_noise(),
        drawn=releases,
        beta=controls.number(BETA, hint=explain("lab_beta"), step=0.01),
        each=controls.whole(NUMBERS, hint=explain("lab_numbers")),
        seed=controls.whole(SEED, hint=explain("lab_seed")),
    )
