"""The sensitivity that the classical mechanism is calibrated to, against all small databases."""

import itertools
import math
from functools import cache

import numpy as np
import pytest

from par_core.audit.classical import classical_sensitivity
from par_core.audit.leave_one_out import answers, leave_one_out
from par_core.audit.panel import Panel
from par_core.audit.queries import Custom, Noisy, PanelCount, PanelMean, PanelSum, ShareAbove
from par_core.audit.variance_and_quantile import PanelQuantile, PanelVariance
from par_core.errors import ParameterError

LOWER, UPPER = -1.0, 3.0
MOST = 7  # records of the largest database that is tried


@cache
def some(records):
    """Every choice of so many values out of the two bounds and the middle between them."""
    return tuple(itertools.combinations_with_replacement((LOWER, (LOWER + UPPER) / 2, UPPER), records))


@cache
def answer(query, values):
    found = query.answer(query.summary(np.array(sorted(values)), most=1))
    return query.when_empty if math.isnan(found) else found


def largest_change(query, records, least):
    """Try every database of at most seven records, and every individual in it."""
    largest = 0.0
    for gone in range(1, records + 1):
        for kept in range(max((least or 1) - gone, 0), MOST - gone + 1):
            for own, others in itertools.product(some(gone), some(kept)):
                with_own, without = answer(query, own + others), answer(query, others)
                if with_own is not None and without is not None:
                    largest = max(largest, abs(with_own - without))
    return largest


QUERIES = [
    *(kind(when_empty=instead) for kind in (PanelMean, PanelVariance) for instead in (None, 0.0, 1000.0, -7.0, 2.5)),
    *(PanelVariance(0, when_empty=instead) for instead in (None, 0.0, 3.0, -2.0, 50.0)),
    *(ShareAbove(0.5, when_empty=instead) for instead in (None, 0.0, 0.4, -1.0, 1000.0)),
    *(PanelQuantile(share, when_empty=instead) for share in (0.5, 0.25, 1.0) for instead in (None, 0.0, 1000.0)),
    PanelSum(),
    PanelCount(),
]


@pytest.mark.parametrize("query", QUERIES, ids=str)
def test_the_largest_change_over_all_small_databases(query):
    """Exactly what is found; where nothing says what an empty database publishes, at least that."""
    for records, more in itertools.product((1, 2, 3), (None, 1, 2, 3)):
        least = None if more is None else records + more
        found = classical_sensitivity(query, bounds=(LOWER, UPPER), records=records, least_records=least)
        tried = largest_change(query, records, least)
        can_be_empty = least is None or (isinstance(query, PanelVariance) and least <= records + query.ddof)
        if query.when_empty is None and can_be_empty and not isinstance(query, PanelSum | PanelCount):
            assert found >= tried
        else:
            assert found == pytest.approx(tried, rel=1e-14)
            assert found >= tried * (1 - 1e-15)


def test_more_records_than_can_be_tried():
    """From a hundred records on, at random: never more, and near it for databases that are made for it."""
    rng = np.random.default_rng(8)
    for query in (PanelMean(), ShareAbove(0.5), PanelQuantile(0.5), PanelVariance(), PanelVariance(0)):
        for _ in range(40):
            records, most = int(rng.integers(1, 12)), 40
            least = records + int(rng.integers(2, 20))
            values = np.where(rng.random(int(rng.integers(least, least + most))) < rng.random(), LOWER, UPPER)
            limit = classical_sensitivity(query, bounds=(LOWER, UPPER), records=records, least_records=least)
            change = answer(query, tuple(values)) - answer(query, tuple(values[records:]))
            assert abs(change) <= limit


@pytest.mark.parametrize(
    ("query", "options", "expected"),
    [
        (PanelCount(), {}, 1),
        (PanelCount(), {"records": 3}, 3),
        (PanelSum(), {}, math.inf),
        (PanelSum(), {"bounds": (-4.0, 3.0)}, 4),
        (PanelSum(), {"bounds": (0.0, 3.0), "records": 2}, 6),
        (PanelMean(), {"bounds": (0.0, 10.0), "least_records": 50}, 0.2),
        (PanelMean(), {"least_records": 50}, math.inf),
        (ShareAbove(1.0), {"least_records": 50, "records": 5}, 0.1),
        (ShareAbove(1.0), {}, 1),
        (PanelMean(when_empty=1000.0), {"bounds": (0.0, 1.0)}, 1000),
        (PanelMean(when_empty=1000.0), {"bounds": (0.0, 1.0), "least_records": 10}, 0.1),
        (Custom(np.mean), {"bounds": (0.0, 1.0)}, math.inf),
        (PanelSum(), {"bounds": (0.0, 1.7e308), "records": 2}, math.inf),
        (PanelQuantile(0.5), {"bounds": (0.0, 10.0)}, 10),
        (PanelVariance(), {"bounds": (0.0, 10.0)}, 50),
        (PanelVariance(0), {"bounds": (0.0, 10.0)}, 25),
        (Noisy(PanelSum(), scale=1.0), {"bounds": (0.0, 1.0)}, math.inf),
    ],
)
def test_classical_sensitivity(query, options, expected):
    assert classical_sensitivity(query, **options) == pytest.approx(expected)


def test_no_individual_changes_more_than_the_sensitivity():

    rng = np.random.default_rng(37)
    panel = Panel.from_arrays(rng.integers(0, 2, (6, 300)) * 10.0)
    for query in (
        PanelSum(),
        PanelCount(),
        PanelMean(),
        ShareAbove(5.0),
        PanelQuantile(0.5),
        PanelVariance(),
        PanelVariance(0),
    ):
        limit = classical_sensitivity(query, bounds=(0.0, 10.0), least_records=6)
        assert np.abs(leave_one_out(panel, query) - answers(panel, query)).max() <= limit * (1 + 1e-12)


def test_bounds_are_checked():
    for bounds in ((1.0, 0.0), (1.0,), 3.0, (0.0, math.inf)):
        with pytest.raises(ParameterError, match="bound"):
            classical_sensitivity(PanelSum(), bounds=bounds)
    with pytest.raises(ParameterError, match="^query must be a PanelQuery"):
        classical_sensitivity(np.mean)
