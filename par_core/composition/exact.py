"""What releases spend together in truth: every accountant is held against it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.composition import step_by_step
from par_core.composition.accountants import basic
from par_core.composition.arguments import Private, as_composed, has_loss, levels_of
from par_core.composition.brackets import SMALLEST_DELTA, SOURCE, Ends, ExactComposition, bracket
from par_core.composition.composed import MOST_RELEASES, Composed, compose
from par_core.composition.loss_distribution import Floats
from par_core.limits import LARGEST_EPSILON0
from par_core.mechanisms import default_noise
from par_core.old_names import old_argument
from par_core.parameters import check_integers, check_numbers, together
from par_core.progress import Progress, portion

SMALLEST_EPSILON0 = 1e-8  # below, nothing is left to measure

_Whole = NDArray[np.int64]
_Quick = Callable[[float, _Whole, float, Progress], Floats]
_Slow = Callable[[Composed, float], Ends]


@old_argument("compositions", "releases")
def exact(
    epsilon0: Private, releases: ArrayLike = 1, *, delta: ArrayLike, progress: Progress | None = None
) -> ExactComposition:
    """Smallest epsilon for which n releases together are (epsilon, delta)-differentially private, never above basic composition.

    `epsilon0` says what a release is: a level, from 1e-8 to 50, which is short for its Laplace noise; an array of levels, each of which
    is asked for by itself; a mechanism; or what `compose` put together, all of it counting as one. n, `releases`, whole, is from 1 to
    1,000,000, delta, of all together, from 1e-15 to below 1; all three in the shape of the broadcast arguments.

    At one level all numbers of releases up to 20,000 cost hardly more than the largest of them, and the relative error of the value is
    about 1e-12 at delta = 1e-5. Levels that `compose` put together come closest where they have a common divisor, as decimal numbers do.
    The value is 0 where delta is so large that nothing is left to guarantee. `progress` is called many times a second: one of 20,000
    releases takes some seconds, at a large level half a minute.

    >>> together = exact(0.5, 300, delta=1e-5)
    >>> round(together.value, 6), bool(together.lower <= together.value <= together.upper)
    (63.981797, True)
    >>> round(exact(compose([0.1, 0.2, 0.5], [20, 10, 4]), delta=1e-5).upper, 6)
    4.540107
    >>> from par_core.mechanisms import RandomisedResponse
    >>> round(exact(RandomisedResponse(0.5), 300, delta=1e-5).upper, 3)
    70.868
    """
    small = check_numbers("delta", delta, at_least=SMALLEST_DELTA, below=1)
    found = _found(epsilon0, releases, small, "delta", step_by_step.epsilons, Composed.closest_epsilon, progress)
    return replace(found, added=basic(epsilon0, releases, delta=small))


@old_argument("compositions", "releases")
def exact_delta(
    epsilon0: Private, releases: ArrayLike = 1, *, epsilon: ArrayLike, progress: Progress | None = None
) -> ExactComposition:
    """Smallest delta with which n releases together are (epsilon, delta)-differentially private: the inverse of `exact`.

    As `exact`, with epsilon, at least 0, in place of delta. Delta is 0 from the largest loss on. Where it is too small to be told from 0
    (below about 1e-300, or far from n·epsilon0 for very many releases) its lower end is 0, and its upper end above it.

    >>> round(exact_delta(0.5, 1, epsilon=0.4).value, 6)  # 1 - exp(-0.05)
    0.048771
    >>> from par_core.mechanisms import Gaussian
    >>> round(exact_delta(Gaussian(2.0), 9, epsilon=1.5).value, 6)
    0.221761
    """
    asked = check_numbers("epsilon", epsilon, at_least=0)
    return _found(epsilon0, releases, asked, "epsilon", step_by_step.deltas, Composed.closest_delta, progress)


def _found(
    mechanisms: Private,
    releases: ArrayLike,
    goal: Floats,
    name: str,
    quick: _Quick,
    slow: _Slow,
    progress: Progress | None,
) -> ExactComposition:
    """Ask for all numbers of releases that share a level and a goal together."""
    number = check_integers("releases", releases, at_least=1, at_most=MOST_RELEASES)
    levels, counted_by, solve = levels_of(mechanisms), SOURCE, partial(_of_level, quick, slow)
    if has_loss(mechanisms) and levels is None:
        made = as_composed(mechanisms)
        levels, counted_by, solve = 1.0, made.counted_by, partial(_of_composed, made, slow)
    level = check_numbers("epsilon0", levels, at_least=SMALLEST_EPSILON0, at_most=LARGEST_EPSILON0)
    level, number, goal = together(epsilon0=level, releases=number, **{name: goal})
    tell, found = portion(progress), np.empty((3, *level.shape))
    groups = np.unique(np.column_stack([level.ravel(), goal.ravel()]), axis=0).tolist()
    for at, (one, aim) in enumerate(groups):
        places = (level == one) & (goal == aim)
        rising, back = np.unique(number[places], return_inverse=True)
        share = portion(tell, at / len(groups), (at + 1) / len(groups))
        found[:, places] = solve(one, rising, aim, share)[:, back]
        share(1.0)
    return bracket(*found, counted_by=counted_by)


def _of_level(quick: _Quick, slow: _Slow, level: float, rising: _Whole, goal: float, progress: Progress) -> Floats:
    """Return likeliest value, lower and upper end for rising numbers of releases of Laplace noise: step by step, if that is quick."""
    found, steps = np.empty((3, len(rising))), rising <= step_by_step.MOST_STEPS
    if steps.any():
        found[:, steps] = quick(level, rising[steps], goal, progress)
    one = compose(default_noise(level))
    for place in np.flatnonzero(~steps).tolist():
        found[:, place] = slow(one.n_fold(int(rising[place])), goal)
    if rising[0] == 1:  # of which there is a closed form
        _, low, high = slow(one, goal)
        found[1:, 0] = max(found[1, 0], low), min(found[2, 0], high)
    return found


def _of_composed(made: Composed, slow: _Slow, _: float, rising: _Whole, goal: float, progress: Progress) -> Floats:
    """Return the same for releases of any mechanism."""
    found = np.empty((3, len(rising)))
    for done, each in enumerate(rising.tolist()):
        found[:, done] = slow(made.n_fold(each), goal)
        progress((done + 1) / len(rising))
    return found
