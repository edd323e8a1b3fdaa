"""Random plans of releases of every mechanism together, between the two accounts that dp-accounting gives of each."""

import csv
from pathlib import Path

import pytest

from par_core.composition import compose
from par_core.mechanisms import MECHANISMS, Gaussian

# From tests/core/data/make_composition_plans.py, which says how.
with (Path(__file__).parent / "data" / "composition_plans.csv").open(encoding="utf-8", newline="") as _file:
    PLANS = list(csv.DictReader(_file))
_ROUNDING = 1e-9  # of their floating-point sums, and of the tails that they cut off


def composed(text):
    releases = []
    for each in text.split():
        kind, parameter, whole, times = each.split(",")
        more = {"discrete-laplace": {"sensitivity": int(whole)}, "randomised-response": {"categories": int(whole)}}
        made = (
            Gaussian(float(parameter))
            if kind == "gaussian"
            else MECHANISMS[kind](float(parameter), **more.get(kind, {}))
        )
        releases.append((made, int(times)))
    return compose(*zip(*releases, strict=True))


def test_the_plans_hold_every_mechanism_many_times():
    assert len(PLANS) == 200
    assert all(sum(kind in plan["plan"] for plan in PLANS) >= 60 for kind in MECHANISMS)
    assert sum("gaussian" in plan["plan"] and "exponential" in plan["plan"] for plan in PLANS) >= 20


@pytest.mark.parametrize("start", range(0, 200, 50))
def test_the_ends_meet_those_of_dp_accounting(start):
    for plan in PLANS[start : start + 50 : 2]:  # they were drawn one by one: each second one is a sample of its own
        together = composed(plan["plan"])
        delta, low, high = (float(plan[name]) for name in ("delta", "optimistic", "pessimistic"))
        lower, upper = together.epsilon_ends(delta)
        assert low <= upper * (1 + _ROUNDING), plan
        assert lower <= high * (1 + _ROUNDING), plan
        assert upper <= high * 1.001 + 1e-3, plan  # and no further above than theirs is rounded
        quick = together.quick_epsilon(delta)
        assert low <= quick * (1 + _ROUNDING), plan
        assert quick <= upper + 1e-5, plan
        epsilon, low, high = (float(plan[name]) for name in ("epsilon", "low", "high"))
        lower, upper = together.delta_ends(epsilon)
        assert low <= upper * (1 + _ROUNDING) + 1e-13, plan
        assert lower <= high * (1 + _ROUNDING) + 1e-13, plan
