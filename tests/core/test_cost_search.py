"""Which levels the search for the cheapest ε looks at."""

import numpy as np
import pytest

from par_core.cost import search


@pytest.mark.parametrize("epsilon0", [1e-3, 0.5, 100.0])
def test_the_levels_looked_at_reach_every_scale_and_both_sides_of_a_landmark(epsilon0):
    """A cost may change its course next to 0, next to ε0, or at a point that it names."""
    mark = 0.3 * epsilon0
    (found,) = search.levels(np.array([epsilon0]), np.array([mark]))
    assert (np.diff(found) >= 0).all()
    assert found[-1] < epsilon0
    assert {mark, np.nextafter(mark, 0)} <= set(found)
    for distance in 10.0 ** np.arange(-14, 0):
        away = 1 - found / epsilon0
        assert ((away > distance / 3) & (away < 3 * distance)).any(), distance
    for share in 10.0 ** np.arange(-6, 0):
        assert ((found > share * epsilon0 / 4) & (found < 4 * share * epsilon0)).any(), share
