"""How a script adds up values, within their bounds and in whole steps, with noise."""

import numpy as np
import opendp.prelude as dp

from par_core.export.scripts.columns import numbers
from par_core.export.scripts.conditions import chosen, meets
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.noise import tables, with_noise
from par_core.export.scripts.plan_of_release import (
    CELLS,
    COLUMN,
    LEAST,
    LOWER,
    MIDDLE,
    MOST,
    STEP,
    SUMS_MOVE,
    UPPER,
)

if made_for.share and made_for.statistic == "quotient":

    def clamped(table):
        """Return 1 for each row that meets the condition and 0 for another, less MIDDLE; rows not looked at add 0."""
        values = meets(table).astype(float) - MIDDLE
        return values.where(chosen(table), 0.0).to_numpy(dtype=float, copy=True)

elif made_for.share:

    def clamped(table):
        """Return 1 for each row that meets the condition, and 0 for another."""
        return meets(table).to_numpy(dtype=float, copy=True)

elif made_for.shifted:

    def clamped(table):
        """Return the values within the bounds, less LOWER; a missing one is taken for 0 and clamped too.

        LOWER times the public number of rows is added again after the noise. (That makes steps as fine as they can be.)
        """
        values = numbers(table, COLUMN).astype(float).fillna(0.0).clip(LOWER, UPPER)
        return (values - LOWER).clip(LEAST, MOST).to_numpy(dtype=float, copy=True)

elif made_for.statistic == "quotient":

    def clamped(table):
        """Return the values within the bounds, less MIDDLE; a missing one is taken for 0 first; rows not chosen add 0."""
        values = numbers(table, COLUMN).astype(float).fillna(0.0).clip(LOWER, UPPER) - MIDDLE
        return values.clip(LEAST, MOST).where(chosen(table), 0.0).to_numpy(dtype=float, copy=True)

else:  # the values themselves are added up

    def clamped(table):
        """Return the values within the bounds; a missing one is taken for 0 and clamped too; rows not chosen add 0."""
        values = numbers(table, COLUMN).astype(float).fillna(0.0).clip(LOWER, UPPER)
        return values.where(chosen(table), 0.0).to_numpy(dtype=float, copy=True)


if made_for.gaussian:

    def noisy_sum(rows, multiple):
        """Add up a column of whole numbers of steps, with Gaussian noise of whole steps."""
        bounds = int(np.rint(LEAST / STEP)), int(np.rint(MOST / STEP))
        return with_noise(tables(dp.atom_domain(bounds=bounds, T="i64"), rows) >> dp.t.then_sum(), multiple)


else:

    def noisy_sum(rows, epsilon):
        """Add up a column of whole numbers of steps, with Laplace noise of whole steps."""
        bounds = int(np.rint(LEAST / STEP)), int(np.rint(MOST / STEP))
        return with_noise(tables(dp.atom_domain(bounds=bounds, T="i64"), rows) >> dp.t.then_sum(), epsilon)


if made_for.gaussian:

    def noisy_sums(multiple):
        """Add Gaussian noise of whole steps to the sums of groups, of so many times what one person moves them by."""
        space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l2_distance(T=float)
        return space >> dp.m.then_gaussian(multiple * SUMS_MOVE)


else:

    def noisy_sums(epsilon):
        """Add the least Laplace noise of whole steps to the sums of groups with which OpenDP proves epsilon."""
        space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
        scale = SUMS_MOVE / epsilon
        while (space >> dp.m.then_laplace(scale)).map(SUMS_MOVE) > epsilon:
            scale *= 1 + 1e-15  # the division was rounded to the wrong side
        return space >> dp.m.then_laplace(scale)


def sums(group, added):
    """Add up whole numbers of steps in each group, without rounding. A sum beyond 2^62 is moved there, not wrapped."""
    high, low = np.divmod(added[group >= 0], 2**20)
    high, low = (np.bincount(group[group >= 0], weights=each, minlength=CELLS) for each in (high, low))
    return [max(min(int(more) * 2**20 + int(less), 2**62), -(2**62)) for more, less in zip(high, low, strict=True)]


def steps(values):
    """Return values as whole numbers of steps, which add up without rounding, in whatever order."""
    return np.rint(values / STEP).astype(np.int64)
