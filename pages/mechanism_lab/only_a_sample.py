"""Only a sample: how large it is, and which level the noise is made for."""

from pages.mechanism_lab import lab_settings
from pages.mechanism_lab.lab_settings import ask_with, toy_setting
from par_core.questions.mechanism_lab.only_a_sample import OnlyASample

SHARE = toy_setting("lsq", OnlyASample, "share")
DIALS = lab_settings.DIALS | {"share": SHARE}

_STEPS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, *(step / 20 for step in range(2, 21)))

ask = ask_with(OnlyASample, SHARE, hint="sample_share", steps=_STEPS)
