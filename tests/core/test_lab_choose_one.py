"""Choose one of many: against multi-precision exponentials, and draws."""

from decimal import Decimal, localcontext

import numpy as np
import pytest
from scipy import stats

from par_core.errors import ParameterError
from par_core.lab import choose_one

TABLES = {
    "votes": ([12, 30, 27, 9, 21], None),
    "one": ([5.0], [3.0]),
    "ties": ([4, 4, 1, 4], None),
    "weights": ([1.0, 2.0, 0.0], [10.0, 1.0, 0.5]),
    "below 0": ([-1e6, -3.5, -4.0], None),
    "thirty": (np.linspace(-40, 3, 30).tolist(), None),
}


def exactly(utilities, epsilon, sensitivity, prior):
    with localcontext(prec=60):
        weights = [Decimal(1)] * len(utilities) if prior is None else [Decimal(each) for each in prior]
        half = Decimal(epsilon) / (2 * Decimal(sensitivity))
        parts = [w * (Decimal(u) * half).exp() for u, w in zip(utilities, weights, strict=True)]
        return [part / sum(parts) for part in parts]


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("epsilon", [1e-3, 0.5, 3.0, 20.0])
@pytest.mark.parametrize("sensitivity", [1.0, 0.25, 7.0])
def test_the_choice_is_that_of_long_numbers(table, epsilon, sensitivity):
    utilities, prior = TABLES[table]
    found = choose_one.choose(utilities, epsilon, sensitivity=sensitivity, prior=prior)
    chance = exactly(utilities, epsilon, sensitivity, prior)
    np.testing.assert_allclose(found.probabilities, [float(each) for each in chance], rtol=1e-9, atol=1e-300)
    short = [max(utilities) - each for each in utilities]
    best = [at for at, each in enumerate(short) if each == 0]
    assert found.best == pytest.approx(float(sum(chance[at] for at in best)), rel=1e-12)
    assert found.best_of == len(best)
    within = {level: sum(c for c, s in zip(chance, short, strict=True) if s <= level) for level in short}
    assert found.shortfall == min(level for level, share in within.items() if share >= Decimal("0.95"))
    beyond = sum(c for c, s in zip(chance, short, strict=True) if s > found.bound)
    assert found.beyond == pytest.approx(float(beyond), rel=1e-9)
    assert found.beyond <= 0.05
    assert found.shortfall <= found.bound


def test_the_bound_is_that_of_the_lecture():
    found = choose_one.choose([3, 1, 0], 1.0)
    assert found.bound == pytest.approx(2 * np.log(3 / 0.05), rel=1e-9)


def test_the_noisy_maximum_has_the_same_law():
    utilities, epsilon = TABLES["votes"][0], 0.2
    found = choose_one.choose(utilities, epsilon)
    # A right program fails for one seed in a million.
    drawn = choose_one.draw(utilities, epsilon, draws=50_000, seed=4)
    assert stats.chisquare(50_000 * drawn.share, 50_000 * found.probabilities).pvalue > 1e-6
    weighted = choose_one.draw([0, 0], 1.0, draws=50_000, seed=4, prior=[1, 3])
    assert abs(weighted.share[1] - 0.75) < 5 * np.sqrt(0.75 * 0.25 / 50_000)


def test_the_intervals_are_those_of_clopper_and_pearson():
    drawn = choose_one.draw([5, 4, -100], 2.0, draws=80, seed=2)
    for share, low, high in zip(drawn.share, drawn.low, drawn.high, strict=True):
        expected = stats.binomtest(round(80 * share), 80).proportion_ci(0.95)
        assert (low, high) == pytest.approx(tuple(expected), abs=1e-12)
    assert drawn.share[2] == drawn.low[2] == 0


@pytest.mark.parametrize(
    ("utilities", "prior"), [([], None), ([[1.0, 2.0]], None), ([1.0, 2.0], [1.0]), ([1.0], [0.0]), ([0.0] * 61, None)]
)
def test_what_is_no_table_is_refused(utilities, prior):
    with pytest.raises(ParameterError):
        choose_one.choose(utilities, 1.0, prior=prior)
