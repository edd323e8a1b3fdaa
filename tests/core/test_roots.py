"""The crossing of 0, found to the wanted closeness and on the side on which the wish is met."""

import math

import numpy as np
import pytest

from par_core.roots import crossing, first_whole


@pytest.mark.parametrize("rtol", [1e-3, 1e-9, 1e-14])
@pytest.mark.parametrize("up", [False, True])
@pytest.mark.parametrize(
    "shape",
    [
        lambda distance: distance,
        lambda distance: math.copysign(abs(distance) ** 9, distance),
        lambda distance: math.expm1(min(300 * distance, 600.0)),
        lambda distance: 1.0 if distance > 0 else -1e-9,
        lambda distance: 1e-300 if distance > 0 else 0.0,
    ],
)
def test_ends_next_to_the_crossing_where_the_wish_is_met(shape, up, rtol):
    rng = np.random.default_rng(4)
    side = -1.0 if up else 1.0
    for _ in range(40):
        root = 10 ** rng.uniform(-3, 3)
        low, high = root * rng.uniform(0, 1), root * (1 + 10 ** rng.uniform(-6, 2))
        fails, meets = (low, high) if up else (high, low)
        seen = {}

        def function(x, root=root, seen=seen):
            seen[x] = shape(side * (x - root))
            return seen[x]

        found = crossing(function, fails, meets, rtol=rtol)
        assert seen[found] <= 0.0
        assert abs(found - root) <= 2 * rtol * root


@pytest.mark.parametrize(("fails", "meets"), [(1.0, -1.0), (1.0, 0.0)])
def test_a_crossing_at_0_is_found(fails, meets):
    assert -1e-300 <= crossing(lambda x: x, fails, meets, rtol=1e-9) <= 0.0


@pytest.mark.parametrize("first", [1, 2, 3, 64, 65, 999, 1000])
def test_the_first_whole_number_from_which_on_something_holds(first):
    asked = []
    assert first_whole(lambda n: asked.append(n) or n >= first, 1000) == first
    assert len(asked) <= 2 * math.log2(1000) + 3
    assert first_whole(lambda n: n >= first, first - 1 or 1) == (1 if first == 1 else None)
