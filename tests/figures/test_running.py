"""The picture of what mixed releases spend: its ticks are whole numbers, and what leaves it is known."""

import numpy as np
import pytest

from par_core import composition
from par_core.figures import composition as drawings
from par_core.published import composition as printed
from tests.figures.checked import Checked

figures = Checked(drawings)


def spent(rows, *, target=3.0, delta=1e-5, counted=True):
    columns = [tuple(zip(*rows[:end], strict=True)) for end in range(1, len(rows) + 1)]
    return figures.Running(
        delta,
        target,
        np.cumsum([count for _, count in rows]),
        np.cumsum([level * count for level, count in rows]),
        np.array([printed.heterogeneous(*each, delta=delta) for each in columns]),
        [composition.exact(composition.compose(*each), delta=delta) for each in columns] if counted else [],
    )


def ticks_at_half_steps(figure, *, labels=10):
    """Return whether ticks may fall between whole numbers: never with a step of 1, or where one label is a release or more."""
    axis = figure.layout.xaxis
    return axis.dtick != 1 and axis.range[1] / labels <= 0.5


@pytest.mark.parametrize("rows", [[(0.1, 1)], [(0.1, 1), (0.2, 1)], [(0.1, 2), (0.2, 2)], [(0.5, 20), (0.1, 300)]])
def test_ticks_stand_at_whole_numbers_of_releases(rows):
    figure = figures.running(spent(rows))
    assert not ticks_at_half_steps(figure)
    assert figure.layout.xaxis.tickformat == ",d"


def test_many_releases_do_not_get_a_tick_each():
    assert figures.running(spent([(0.5, 20), (0.1, 300)])).layout.xaxis.dtick is None


@pytest.mark.parametrize(
    ("rows", "target", "leaves"),
    [([(0.1, 1), (0.2, 1)], 0.3, True), ([(0.5, 100), (0.5, 300)], 3.0, False), ([(0.1, 1), (0.2, 1)], 0.9, True)],
)
def test_a_claim_that_runs_off_the_top_is_known_to(rows, target, leaves):
    running = spent(rows, target=target)
    _, top = figures.running(running).layout.yaxis.range
    assert bool(running.published.max() > top) == leaves, "the example must be one"
    assert running.claim_leaves is leaves


def test_a_claim_that_is_not_drawn_yet_leaves_nothing():
    assert not spent([(0.1, 1), (0.2, 1)], target=0.3, counted=False).claim_leaves
