"""Every public function of the explicit case and of composition, with values that nobody should pass: no error but ours, no warning."""

from __future__ import annotations

import importlib
import inspect
import math
import warnings

import numpy as np
import pytest

from par_core.errors import DataError, InfeasibleError, ParameterError

MODULES = {
    "par_core.explicit": None,
    "par_core.explicit_curves": None,
    "par_core.privacy_loss": None,
    "par_core.relaxations": None,
    "par_core.composition.accountants": None,
    "par_core.composition.comparison": {"compare"},
    "par_core.composition.exact": {"exact", "exact_delta"},
    "par_core.composition.formulas": None,
    "par_core.composition.plans": {"largest_compositions", "epsilon0_for"},
    "par_core.composition.running": None,
    "par_core.composition.mixed": {"exact_mixed", "exact_delta_mixed", "change_risk", "used_share"},
}
USUAL = {
    "epsilon0": 0.5, "compositions": 7, "delta": 1e-5, "epsilon": 0.4, "k": 1, "x": 0.5, "wanted": 0.5, "epsilon1": 0.3, "epsilon2": 0.7,
    "false_positive": 0.1, "prior": 0.5, "size": 20, "shares": [1.0], "levels": [(0.1, 3)], "numbers": [1, 2], "value": 0.3, "number": 2,
    "key": "rdp", "to": 0.2, "epsilons": [0.1], "ks": [1, 2], "epsilon0s": [1.0, 1.5], "threshold": 0.5, "seed": 1, "even": True,
}  # fmt: skip
ALL = [
    *(1e300, -1e300, 1e-300, 5e-324, 1e308, -1e308, 2.0**53, 10**400, -(10**400), 1e9, 2.5, 0, -0.0, -1, 1, 51, 1 - 2**-53),
    *(math.nan, math.inf, -math.inf, True, False, "1", "x", b"1", None, 1j, object(), {}, {1, 2}, np.datetime64("2020-01-01")),
    *([], (), [[1, 2], [3]], [0.1, [0.2]], [[]], [True], ["a"], [None], [10**400], [math.nan, 1.0], [math.inf]),
    *(np.array([]), np.array([1.0, 2.0]), np.zeros((2, 2)), [0.1, 0.5], [0.1, 0.5, 0.7], [[0.1, 0.2]], np.float32(0.3), range(3)),
]  # fmt: skip
EXTREME = [
    5e-324,
    1e-300,
    1e-200,
    1e-15,
    1e-8,
    0.3,
    1 - 2**-53,
    1.0,
    50.0,
    709.0,
    746.0,
    1e6,
    1e9,
    1e154,
    1e300,
    1.7e308,
]


def functions():
    for name, wanted in MODULES.items():
        module = importlib.import_module(name)
        for each, function in inspect.getmembers(module, inspect.isfunction):
            if function.__module__ == name and not each.startswith("_") and (wanted is None or each in wanted):
                yield pytest.param(function, id=f"{name.rsplit('.', 1)[1]}.{each}")


def usual_of(function):
    if function.__name__ == "calibrate":
        return {"epsilon": 0.4, "wanted": 0.6}
    parameters = inspect.signature(function).parameters.values()
    return {each.name: USUAL[each.name] for each in parameters if each.default is each.empty and each.name != "rng"}


def runs_or_refuses(function, arguments):
    if "rng" in inspect.signature(function).parameters:
        arguments = arguments | {"rng": np.random.default_rng(0)}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return function(**arguments)
        except (ParameterError, InfeasibleError, DataError):
            return None
        except Exception as error:
            raise AssertionError(arguments) from error


@pytest.mark.parametrize("function", list(functions()))
def test_no_error_but_ours_and_no_warning(function):
    usual = usual_of(function)
    for name in inspect.signature(function).parameters:
        if name not in ("rng", "progress"):
            for bad in ALL:
                runs_or_refuses(function, usual | {name: bad})


@pytest.mark.parametrize("function", list(functions()))
def test_extreme_numbers_together(function):
    rng, usual = np.random.default_rng(7), usual_of(function)
    numbers = [name for name, value in usual.items() if isinstance(value, float)]
    for _ in range(20 if function.__module__.startswith("par_core.composition") else 60):
        found = runs_or_refuses(function, usual | {name: float(rng.choice(EXTREME)) for name in numbers})
        values = (
            [found] if isinstance(found, float) else [getattr(found, each, 0.0) for each in ("value", "lower", "upper")]
        )
        assert not any(isinstance(each, float) and math.isnan(each) for each in values)
