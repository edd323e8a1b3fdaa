"""A messy table: 2,580 visits of 1,200 patients in no order, missing costs, letters beyond ASCII."""

import numpy as np
import pandas as pd

WARDS = ("Chirurgie", "Gynäkologie", "Pädiatrie", "Innere", "Röntgen")


def visits():
    rng = np.random.default_rng(12)
    more = rng.choice(1_200, 1_380, p=rng.dirichlet(np.full(1_200, 0.7)))
    who = rng.permutation(np.concatenate([np.arange(1_200), more]))
    cost = np.where(rng.random(2_580) < 0.04, np.nan, rng.gamma(2.0, 150.0, 2_580).round(2))
    ward = rng.choice(WARDS, 2_580, p=(0.5, 0.2, 0.2, 0.09, 0.01))
    return pd.DataFrame({"Patient": [f"P{each:05d}" for each in who], "Ward": ward, "Cost": cost})


VISITS = visits()


def written():
    """The table as an office suite on a German desk saves it."""
    return VISITS.to_csv(index=False, sep=";", decimal=",", lineterminator="\r\n").encode("cp1252")
