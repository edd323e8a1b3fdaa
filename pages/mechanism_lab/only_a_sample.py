"""Only a sample: how large it is, and which level the noise is made for."""

from pages.mechanism_lab import lab_settings
from pages.mechanism_lab.lab_settings import choose_epsilon, toy_setting
from pages.shared.dial import dial
from par_core.questions.glossary import explain
from par_core.questions.mechanism_lab.only_a_sample import OnlyASample
from par_core.scenario import Scenario

SHARE = toy_setting("lsq", OnlyASample, "share")
DIALS = lab_settings.DIALS | {"share": SHARE}

_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, *(step / 20 for step in range(2, 21)))


def ask(scenario: Scenario) -> OnlyASample:
    share = dial(SHARE, hint=explain("sample_share"), steps=_STEPS)
    return OnlyASample(scenario, choose_epsilon(), share)
