"""What a script measures with noise: counts, and sums in whole steps."""

import numpy as np
import opendp.prelude as dp

from par_core.export.scripts.example import CELLS, COUNTS_MOVE, LEAST, MOST, ONE_PERSON, STEP
from par_core.export.scripts.files import stop
from par_core.export.scripts.made_for import made_for

if made_for.gaussian:

    def with_noise(exact, multiple):
        """Add Gaussian noise of so many times what OpenDP proves that one person moves the sum by.

        OpenDP draws from a secure source of randomness, and whole numbers only: nothing shows in the last digits.
        """
        return exact >> dp.m.then_gaussian(multiple * exact.map(ONE_PERSON))


else:

    def with_noise(exact, epsilon):
        """Add the least Laplace noise with which OpenDP proves epsilon for one person.

        OpenDP draws from a secure source of randomness, and whole numbers only: nothing shows in the last digits.
        """
        scale = exact.map(ONE_PERSON) / epsilon
        while (exact >> dp.m.then_laplace(scale)).map(ONE_PERSON) > epsilon:
            scale *= 1 + 1e-15  # the division was rounded to the wrong side
        return exact >> dp.m.then_laplace(scale)


if made_for.persons:

    def tables(atom, rows):
        """Neighbouring lists of the cells that persons are counted in: one person changes ONE_PERSON of them at most."""
        return dp.vector_domain(atom), dp.symmetric_distance()


elif made_for.added_or_removed:

    def tables(atom, rows):
        """Neighbouring tables: ONE_PERSON rows appear or disappear; the number of rows is private and not used."""
        return dp.vector_domain(atom), dp.symmetric_distance()


else:

    def tables(atom, rows):
        """Neighbouring tables: ONE_PERSON rows are replaced by as many others; the number of rows stays the same."""
        if rows < 1:
            stop("the table has no rows")
        space = dp.vector_domain(atom, size=rows), dp.change_one_distance()
        return space >> dp.t.then_metric_unbounded()  # one row replaced is one removed and one added


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


def steps(values):
    """Return values as whole numbers of steps, which add up without rounding, in whatever order."""
    return np.rint(values / STEP).astype(np.int64)
