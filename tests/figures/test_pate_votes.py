"""The figure of votes: the curves of the core, what is told under the pointer on the safe side, nothing pressed flat."""

import math

import numpy as np
import pytest

from par_core.composition import compose_votes
from par_core.datasets import digit_votes, synthetic_votes
from par_core.figures import pate_votes
from par_core.rounding import brief
from tests.figures.checked import Checked

figures = Checked(pate_votes)


def counted(epsilon0=0.1, numbers=(1, 10, 100, 1000), table=None):
    return compose_votes(
        synthetic_votes().table if table is None else table,
        epsilon0,
        delta=1e-5,
        epsilon=0.8 * epsilon0,
        numbers=numbers,
    )


def test_each_curve_is_that_of_the_core(trace, coordinates):
    count = counted()
    figure = figures.votes(count)
    for name, words in pate_votes.NAMES.items():
        x, y = coordinates(trace(figure, f"{words};"))
        np.testing.assert_array_equal(x, [1, 10, 100, 1000])
        np.testing.assert_array_equal(y, getattr(count, name))


def test_what_is_proven_is_solid_and_told_upward_and_what_is_published_is_dashed(trace):
    count = counted()
    figure = figures.votes(count)
    for name, words in pate_votes.NAMES.items():
        line = trace(figure, f"{words};")
        proven = name in ("any_votes", "these_votes")
        assert line.meta == ("proven" if proven else "as published")
        assert (line.line.dash is None) is proven
        told = [float(each) for each in line.customdata]
        if proven:
            assert told == [float(brief(each, toward="up")) for each in getattr(count, name).tolist()]
        else:
            assert told == [float(brief(each)) for each in getattr(count, name).tolist()]


def test_the_reader_stands_at_the_last_query(trace):
    count = counted()
    mark = trace(figures.votes(count), "your queries")
    assert (mark.x[0], mark.y[0]) == (1000, count.any_votes[-1])
    assert mark.text[0] == "11.4"


@pytest.mark.parametrize(("epsilon0", "log"), [(0.1, False), (0.5, True), (3.0, True)])
def test_what_holds_for_any_votes_does_not_press_the_rest_flat(epsilon0, log):
    figure = figures.votes(counted(epsilon0))
    assert (figure.layout.yaxis.type == "log") is log
    low, high = figure.layout.yaxis.range
    drawn = np.concatenate([np.asarray(each.y, float) for each in figure.data])
    assert low <= (math.log10(drawn.min()) if log else drawn.min())
    assert high >= (math.log10(drawn.max()) if log else drawn.max())


def test_one_query_alone_can_be_seen(trace):
    for table in (synthetic_votes().table, digit_votes().table):
        figure = figures.votes(counted(numbers=[1], table=table))
        assert all(trace(figure, f"{words};").mode == "lines+markers" for words in pate_votes.NAMES.values())
    assert trace(figures.votes(counted()), "Proven, any votes").mode == "lines"
