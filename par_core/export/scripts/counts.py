"""How a script counts, with noise."""

import opendp.prelude as dp

from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.noise import tables, with_noise
from par_core.export.scripts.plan_of_release import CELLS, COUNTS_MOVE


def noisy_count(rows, epsilon):
    """Count the ones in a column of 0 and 1, with discrete Laplace noise (which Laplace noise on whole numbers is)."""
    return with_noise(tables(dp.atom_domain(bounds=(0, 1), T="i64"), rows) >> dp.t.then_sum(), epsilon)


if made_for.gaussian:

    def noisy_counts(multiple):
        """Add Gaussian noise of so many times what one person moves the counts by, in steps finer than any float."""
        space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l2_distance(T=float)
        return space >> dp.m.then_gaussian(multiple * COUNTS_MOVE)


else:

    def noisy_counts(rows, epsilon):
        """Count the rows in each cell, with discrete Laplace noise (which Laplace noise on whole numbers is)."""
        counts = dp.t.then_count_by_categories(list(range(CELLS)), null_category=False, MO="L1Distance<i64>", TOA="i64")
        return with_noise(tables(dp.atom_domain(T="i64"), rows) >> counts, epsilon)
