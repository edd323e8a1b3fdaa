"""Which mechanism? The crossing against a search from 1 on with formulas and a calibration of its own."""

import math
from functools import cache

import numpy as np
import pytest
from scipy import optimize, stats

from par_core.errors import ParameterError
from par_core.lab.which_mechanism import MEASURES, compare, crossing

LEVELS = [(1.0, 1e-6), (0.01, 1e-12), (0.5, 1e-5), (5.0, 1e-3), (20.0, 0.3), (0.1, 0.5), (3.0, 0.2)]
MOST = 400


@cache
def gaussian(epsilon, delta):
    """Sigma for an L2 sensitivity of 1, by Brent's method on the profile."""

    def beyond(log_sigma):
        mu = math.exp(-log_sigma)
        tail = math.exp(epsilon + stats.norm.logcdf(-mu / 2 - epsilon / mu))
        return stats.norm.cdf(mu / 2 - epsilon / mu) - tail - delta

    return math.exp(optimize.brentq(beyond, -5, 15, xtol=1e-13))


def errors(epsilon, delta, measure, k, *, moves):
    """Error of Laplace and of Gaussian noise for k counts."""
    each = 0.95 if measure == "range" else 0.95 ** (1 / k)
    laplace, normal = (
        (1.0, math.sqrt(2 / math.pi)) if measure == "average" else (-math.log1p(-each), stats.norm.ppf((1 + each) / 2))
    )
    l1, l2 = (k, math.sqrt(k)) if moves == "all" else (1, 1)
    return laplace * l1 / epsilon, normal * l2 * gaussian(epsilon, delta)


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("moves", ["all", "one"])
@pytest.mark.parametrize(("epsilon", "delta"), LEVELS)
def test_the_crossing_is_where_a_search_from_1_on_finds_it(epsilon, delta, measure, moves):
    pairs = [errors(epsilon, delta, measure, k, moves=moves) for k in range(1, MOST)]
    smaller = [normal < laplace for laplace, normal in pairs]
    found = crossing(epsilon, delta, measure=measure, moves=moves)
    if found is None or found >= MOST:
        assert not any(smaller)
    else:
        assert smaller == [False] * (found - 1) + [True] * (MOST - found)


def test_twelve_counts_at_the_settings_of_the_lecture():
    assert crossing(1.0, 1e-6) == 12
    assert crossing(1.0, 1e-6, moves="one") is None


@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("moves", ["all", "one"])
def test_the_errors_are_those_of_the_formulas(measure, moves):
    found = compare(0.7, 1e-5, measure=measure, moves=moves, ks=[1, 3, 50, 1000])
    for at, k in enumerate(found.k.tolist()):
        laplace, normal = errors(0.7, 1e-5, measure, k, moves=moves)
        assert found.errors["laplace"][at] == pytest.approx(laplace, rel=1e-9)
        assert found.errors["gaussian"][at] == pytest.approx(normal, rel=1e-6)
        assert abs(found.errors["discrete-laplace"][at] - laplace) <= 1
    if found.first is not None:
        assert found.crossing == pytest.approx(errors(0.7, 1e-5, measure, found.first, moves=moves)[1], rel=1e-6)


def test_what_is_drawn_goes_from_1_to_1000_counts():
    assert np.array_equal(compare(1.0, 1e-6).k[[0, 1, -1]], [1, 2, 1000])


@pytest.mark.parametrize("wrong", [{"measure": "worst"}, {"moves": "two"}, {"ks": [0]}, {"ks": [2_000_000]}])
def test_what_cannot_be_compared_is_named(wrong):
    with pytest.raises(ParameterError, match=next(iter(wrong))):
        compare(1.0, 1e-6, **wrong)
