"""What the first releases of a list spend, and what share of the sensitivity a known change uses."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from par_core.composition import added_up, first_releases, releases_in, running, used_share
from par_core.errors import ParameterError
from par_core.published.composition import heterogeneous

LISTS = st.lists(st.tuples(st.sampled_from([0.1, 0.2, 0.5, 1.0]), st.integers(1, 9).map(float)), min_size=1, max_size=6)


def test_levels_add_up_as_they_were_typed():
    assert added_up([(0.1, 3)]) == Decimal("0.3")
    assert added_up([(1e-6, 1), (50.0, 10**6)]) == Decimal("50000000.000001")


@given(levels=LISTS, share=st.floats(0, 1))
def test_the_first_releases_are_so_many_in_their_order(levels, share):
    one_by_one = [level for level, count in levels for _ in range(int(count))]
    number = round(share * len(one_by_one))
    first = first_releases(levels, number)
    assert releases_in(first) == number
    assert [level for level, count in first for _ in range(int(count))] == one_by_one[:number]


def test_the_running_count_ends_at_the_whole_list():
    levels = [(0.1, 20.0), (0.2, 6.0)]
    counted = running(levels, [1, 20, 26], delta=1e-5, k=2)
    assert np.array_equal(counted.basic, [0.1, 2.0, 3.2])
    assert counted.published[-1] == heterogeneous([0.1, 0.2], [20, 6], delta=1e-5, k=2)
    assert counted.published[1] == heterogeneous([0.1], [20], delta=1e-5, k=2)


def test_the_share_of_a_change():
    assert used_share([0.1] * 10) == 1.0  # in floats it is a little less
    assert used_share([0.5, 0.25]) == 0.75


@pytest.mark.parametrize("shares", [[], [0.0, 0.0], [0.6, 0.5], [-0.1, 0.5], [[0.5, 0.5]], "half"])
def test_shares_that_make_no_sense_are_named(shares):
    with pytest.raises(ParameterError, match="^shares must be"):
        used_share(shares)
