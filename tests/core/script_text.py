"""What the tests of scripts do with their text, and with what OpenDP draws by them."""

import ast
from fractions import Fraction
from functools import cache

import numpy as np
import opendp.prelude as dp

from par_core.scenario import Neighbours, Scenario


@cache
def _compiled(text):
    return compile(text, "script.py", "exec")


def namespace(text):
    """Return the functions and constants of a script, without running it."""
    found = {"__name__": "script"}
    exec(_compiled(text), found)
    return found


def assert_tidy(text):
    assert max(map(len, text.splitlines())) <= 120
    assert not [line for line in text.splitlines() if line != line.rstrip()]
    nodes = [*ast.walk(ast.parse(text))]
    defined = {node.name for node in nodes if isinstance(node, ast.FunctionDef)}
    assert defined <= {node.id for node in nodes if isinstance(node, ast.Name)}


def draws(measurement, value, number):
    """Return what OpenDP draws by a measurement, asked for 500 at once: most of the time of one is spent on the way there."""
    together = dp.c.make_composition([measurement] * 500)
    return [each for _ in range(-(-number // 500)) for each in together(value)]


def any_scenario(rng):
    """Return a scenario by which a query is published, drawn by Python's `random`."""
    return Scenario(
        epsilon0=10 ** rng.uniform(-2, 0.9),
        neighbours=rng.choice(list(Neighbours)),
        rows_per_person=rng.choice([1, 2, 3, 1000]),
        mechanism=rng.choice(["laplace", "gaussian"]),
        delta=10 ** -rng.uniform(3, 12),
    )


def assert_proven(planned, names, proven):
    """What OpenDP proves of each part of a script is what is planned, to the last digits, and never more."""
    if planned.norm == "L1":
        assert sum(map(Fraction, proven)) <= Fraction(planned.epsilon)
        for found, part in zip(proven, planned.parts, strict=True):
            assert (1 - 1e-9) * part.epsilon <= found <= part.epsilon
    else:
        assert (1 - 1e-4) * planned.delta <= names["proven_delta"](sum(proven)) <= planned.delta


def pooled(observed, expected, least=10.0):
    """Return counts with cells put together until each expects enough."""
    seen, law, sums = [], [], [0.0, 0.0]
    for one, chance in zip(observed, expected, strict=True):
        sums = [sums[0] + one, sums[1] + chance]
        if sums[1] >= least:
            seen.append(sums[0])
            law.append(sums[1])
            sums = [0.0, 0.0]
    seen[-1] += sums[0]
    law[-1] += sums[1]
    return np.array(seen), np.array(law)
