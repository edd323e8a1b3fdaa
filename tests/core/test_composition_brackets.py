"""The guaranteed ends of the exact functions against values in many digits, at one level and at several, up to delta = 0 and 1."""

from __future__ import annotations

import csv
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from par_core.composition import compose, exact, exact_delta
from par_core.composition.brackets import NARROW

# From tests/core/data/make_composition_brackets.py, which says how.
with (Path(__file__).parent / "data" / "composition_brackets.csv").open(encoding="utf-8", newline="") as _file:
    ROWS = [
        (
            [float(each) for each in row["epsilon0"].split()],
            [int(each) for each in row["releases"].split()],
            (float(row["at_epsilon"]), Fraction(row["delta"])),
            (float(row["at_delta"]), Fraction(row["epsilon"])),
        )
        for row in csv.DictReader(_file)
    ]
ALONE = [row for row in ROWS if len(row[0]) == 1]
TOGETHER = [row for row in ROWS if len(row[0]) > 1]


def holds(found, truth):
    """Whether the ends hold the truth, and the value is the upper one where they are not close."""
    inside = Fraction(found.lower) <= truth <= Fraction(found.upper)
    narrow = found.upper - found.lower <= NARROW * found.upper
    return inside and found.lower <= found.value <= found.upper and (narrow or found.value == found.upper)


def test_the_cases_reach_both_ends():
    deltas = [delta for *_, (_, delta), _ in ROWS]
    assert len(deltas) > 2000
    assert sum(delta < 1e-12 for delta in deltas) > 150
    assert sum(1 - delta < 1e-12 for delta in deltas) > 400
    assert max(max(levels) for levels, *_ in ROWS) == 50


def test_delta_at_one_level():
    wrong = [row for row in ALONE if not holds(exact_delta(row[0][0], row[1][0], epsilon=row[2][0]), row[2][1])]
    assert not wrong


def test_epsilon_at_one_level():
    wrong = [row for row in ALONE[::2] if not holds(exact(row[0][0], row[1][0], delta=row[3][0]), row[3][1])]
    assert not wrong


def test_curves():
    """One call for all numbers of releases up to some more: the tilt is then that of the largest."""
    wrong = []
    for levels, (n,), _, (delta, epsilon) in ALONE[1::12]:
        curve = exact(levels[0], np.arange(1, n + 8), delta=delta)
        if not Fraction(curve.lower[n - 1]) <= epsilon <= Fraction(curve.upper[n - 1]):
            wrong.append((levels, n, delta))
    assert not wrong


def test_several_levels():
    """Each takes half a second; those at large levels with a delta next to 1 are the hardest."""
    hard = [row for row in TOGETHER if min(row[0]) > 5 and row[2][1] > 1 - 1e-10]
    for levels, counts, (at_epsilon, delta), (at_delta, epsilon) in [*TOGETHER[::200], *hard[::40]]:
        assert holds(exact_delta(compose(levels, counts), epsilon=at_epsilon), delta), (levels, counts, at_epsilon)
        assert holds(exact(compose(levels, counts), delta=at_delta), epsilon), (levels, counts, at_delta)


def test_large_levels_next_to_certainty():
    """The phases of the transform are many thousand turns here; their rounding once moved both ends past the truth."""
    truth = Fraction("0.999999999970323339305777063958")
    assert holds(exact_delta(compose([10, 12], [3, 3]), epsilon=0), truth)


@pytest.mark.parametrize(("epsilon0", "n"), [(0.3, 3), (1.1, 7), (1e-8, 40), (50.0, 40), (7.3, 300)])
def test_below_the_top_delta_is_not_0(epsilon0, n):
    """Delta is above 0 at every epsilon below n·epsilon0, be it as small as it may."""
    top = float(Fraction(epsilon0) * n)
    for epsilon in (0.98 * top, 0.999999 * top, math.nextafter(math.nextafter(top, 0), 0)):
        found = exact_delta(epsilon0, n, epsilon=epsilon)
        assert 0 <= found.lower <= found.value <= found.upper
        assert found.upper > 0
    assert exact_delta(epsilon0, n, epsilon=math.nextafter(top, math.inf)).upper == 0


def test_a_delta_that_no_float_can_hold_is_not_0():
    found = exact_delta(11.578829319501692, 4801, epsilon=0.98 * 4801 * 11.578829319501692)
    assert found.lower == 0 < found.value == found.upper
