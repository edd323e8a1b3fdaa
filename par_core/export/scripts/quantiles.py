"""How a script chooses one of several candidates as the quantile of a column."""

import math

import numpy as np
import opendp.prelude as dp

from par_core.export.scripts.columns import numbers
from par_core.export.scripts.conditions import chosen
from par_core.export.scripts.plan_of_release import ALPHA, CANDIDATES, COLUMN, ONE_PERSON


def nearest(table):
    """Return the candidate next to each value; rows without a value are left out."""
    values = numbers(table, COLUMN)[chosen(table)].dropna().to_numpy(dtype=float, copy=True)
    candidates = np.array(CANDIDATES)
    return candidates[np.searchsorted((candidates[:-1] + candidates[1:]) / 2, values)]


def quantile(epsilon):
    """Choose a candidate by permute and flip, as sharply as OpenDP proves epsilon for one person.

    OpenDP draws from a secure source of randomness.
    """
    space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.symmetric_distance()

    def at(scale):
        # OpenDP cuts ALPHA off after its fourth decimal, which a float such as 0.29 is a little below. A whole number
        # of 32nds, such as 0.15625, it would take as it is.
        return dp.m.make_private_quantile(*space, dp.max_divergence(), CANDIDATES, ALPHA + 0.00003, scale)

    scale = at(1.0).map(ONE_PERSON) / epsilon * (1 - 2e-15)  # what was rounded may be on either side
    while at(scale).map(ONE_PERSON) > epsilon:
        scale = math.nextafter(scale, math.inf)
    return at(scale)
