"""The best of several: how many runs there are, and which level each is made for."""

from pages.mechanism_lab import lab_settings
from pages.mechanism_lab.lab_settings import ask_with, toy_setting
from par_core.questions.mechanism_lab.best_of_runs import BestOfRuns

RUNS = toy_setting("lbn", BestOfRuns, "runs")
DIALS = lab_settings.DIALS | {"runs": RUNS}

ask = ask_with(BestOfRuns, RUNS, hint="best_of_runs", steps=(*range(1, 11), 12, 15, 20, 25, 30, 40, 50, 70, 100))
