"""The statistic of a table: what is measured, with which noise, and what is published of it."""

import numpy as np

from par_core.export.scripts.cells import cells
from par_core.export.scripts.conditions import chosen
from par_core.export.scripts.counts import noisy_count, noisy_counts
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.persons import once
from par_core.export.scripts.plan_of_release import (
    CELLS,
    EPSILON,
    EPSILON_COUNT,
    EPSILON_SUM,
    LABELS,
    LOWER,
    MIDDLE,
    NOISE,
    ROWS,
    STEP,
    UPPER,
)
from par_core.export.scripts.quantiles import nearest, quantile
from par_core.export.scripts.sums import clamped, noisy_sum, noisy_sums, steps, sums

if made_for.statistic == "counts" and made_for.gaussian:

    def prepare(table):
        """Return what is measured: the counts of all cells."""
        if made_for.persons:
            counted = once(table, cells(table))
        else:
            counted = cells(table)
        return [np.bincount(counted[counted >= 0], minlength=CELLS).astype(float)]

    def measurements(rows):
        """Return the measurement of each part of the release; the number of rows is not used."""
        return [noisy_counts(NOISE[0])]

    def published(noisy, rows):
        """Return what is published. To round it, or to set negative counts to 0, costs no privacy."""
        return list(zip(LABELS, noisy[0], strict=True))

elif made_for.statistic == "counts":
    if made_for.persons:

        def prepare(table):
            """Return what is measured: the cells of all persons, one after another."""
            return [once(table, cells(table))]

    else:

        def prepare(table):
            """Return what is measured: the cell of each row."""
            return [cells(table)]

    def measurements(rows):
        """Return the measurement of each part of the release."""
        return [noisy_counts(rows, EPSILON)]

    def published(noisy, rows):
        """Return what is published. Negative counts may be set to 0 afterwards: that costs no privacy."""
        return list(zip(LABELS, noisy[0], strict=True))

elif made_for.statistic == "count":
    if made_for.persons:

        def prepare(table):
            """Return what is measured: 1 for each person who is counted."""
            return [once(table, cells(table)) + 1]

    else:

        def prepare(table):
            """Return what is measured: 1 for a row that is counted, otherwise 0."""
            return [(cells(table) >= 0).astype(np.int64)]

    def measurements(rows):
        """Return the measurement of each part of the release."""
        return [noisy_count(rows, EPSILON)]

    def published(noisy, rows):
        """Return what is published. A negative count may be set to 0 afterwards: that costs no privacy."""
        return [(LABELS[0], noisy[0])]

elif made_for.groups and made_for.statistic == "quotient":
    if made_for.gaussian:

        def prepare(table):
            """Return what is measured: the sum of each group, and its number of rows."""
            group = cells(table)
            counts = np.bincount(group[group >= 0], minlength=CELLS).astype(float)
            return [sums(group, steps(clamped(table))), counts]

        def measurements(rows):
            """Return the measurement of each part of the release; the number of rows is not used."""
            return [noisy_sums(NOISE[0]), noisy_counts(NOISE[1])]

    else:

        def prepare(table):
            """Return what is measured: the sum of each group, and the group of each row."""
            group = cells(table)
            return [sums(group, steps(clamped(table))), group]

        def measurements(rows):
            """Return the measurement of each part of the release; their epsilons add up to that of the release."""
            return [noisy_sums(EPSILON_SUM), noisy_counts(rows, EPSILON_COUNT)]

    def published(noisy, rows):
        """Return what is published: the quotients (the noisy sums and the noisy counts could be published as well)."""
        means = [MIDDLE + total * STEP / max(number, 1) for total, number in zip(*noisy, strict=True)]
        return [(label, min(max(mean, LOWER), UPPER)) for label, mean in zip(LABELS, means, strict=True)]

elif made_for.groups:

    def prepare(table):
        """Return what is measured: the sum of each group."""
        return [sums(cells(table), steps(clamped(table)))]

    def measurements(rows):
        """Return the measurement of each part of the release; the number of rows is not used."""
        if made_for.gaussian:
            return [noisy_sums(NOISE[0])]
        else:
            return [noisy_sums(EPSILON)]

    def published(noisy, rows):
        """Return what is published."""
        return [(label, total * STEP) for label, total in zip(LABELS, noisy[0], strict=True)]

elif made_for.statistic == "quotient":
    if made_for.gaussian:

        def prepare(table):
            """Return what is measured: the values, and the number of rows under the mean."""
            return [steps(clamped(table)), np.array([np.count_nonzero(chosen(table))], dtype=float)]

        def measurements(rows):
            """Return the measurement of each part of the release."""
            return [noisy_sum(rows, NOISE[0]), noisy_counts(NOISE[1])]

    else:

        def prepare(table):
            """Return what is measured: the values, and 1 for a row under the mean, otherwise 0."""
            return [steps(clamped(table)), chosen(table).to_numpy(dtype=np.int64, copy=True)]

        def measurements(rows):
            """Return the measurement of each part of the release; their epsilons add up to that of the release."""
            return [noisy_sum(rows, EPSILON_SUM), noisy_count(rows, EPSILON_COUNT)]

    def published(noisy, rows):
        """Return what is published: the quotient (the noisy sum and the noisy count could be published as well)."""
        if made_for.gaussian:
            return [(made_for.noun, min(max(MIDDLE + noisy[0] * STEP / max(noisy[1][0], 1), LOWER), UPPER))]
        else:
            return [(made_for.noun, min(max(MIDDLE + noisy[0] * STEP / max(noisy[1], 1), LOWER), UPPER))]

elif made_for.statistic == "quantile":

    def prepare(table):
        """Return what is measured: the candidate next to each value."""
        return [nearest(table)]

    def measurements(rows):
        """Return the measurement of each part of the release; the number of rows is not used."""
        return [quantile(EPSILON)]

    def published(noisy, rows):
        """Return what is published."""
        return [(made_for.noun, noisy[0])]

else:

    def prepare(table):
        """Return what is measured."""
        return [steps(clamped(table))]

    def measurements(rows):
        """Return the measurement of each part of the release."""
        if made_for.gaussian:
            return [noisy_sum(rows, NOISE[0])]
        else:
            return [noisy_sum(rows, EPSILON)]

    if made_for.statistic == "mean" or made_for.shifted:

        def published(noisy, rows):
            """Return what is published. The number of rows is {publicity}."""
            if made_for.statistic == "mean" and made_for.shifted:
                return [(made_for.noun, noisy[0] * STEP / ROWS + LOWER)]
            elif made_for.statistic == "mean":
                return [(made_for.noun, noisy[0] * STEP / ROWS)]
            else:
                return [("sum", noisy[0] * STEP + rows * LOWER)]

    else:

        def published(noisy, rows):
            """Return what is published."""
            return [(made_for.noun, noisy[0] * STEP)]
