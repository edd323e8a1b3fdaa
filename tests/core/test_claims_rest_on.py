"""Break the function that an entry says it rests on, and see its verdict or its numbers move: a typed number would not."""

import dataclasses
import enum
import importlib
import inspect
import types
from functools import partial

import numpy as np
import pytest

from par_core.claims import CLAIMS, NEEDS_DATA, Claim, check

COMPUTED = [claim for claim in CLAIMS if isinstance(claim, Claim)]


def _found(name):
    """Return the module or class that holds a function, and the function's name in it."""
    parts = name.split(".")
    for cut in range(len(parts) - 1, 0, -1):
        try:
            holder = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:-1]:
            holder = getattr(holder, part)
        return holder, parts[-1]
    raise LookupError(name)


def _disturbed(value):
    """Return what a broken function would: every number in its result is off, and every yes is a no."""
    if isinstance(value, bool | np.bool_):
        return not value
    if isinstance(value, int | float | np.number):
        return type(value)(value * 1.25 + 1)
    if isinstance(value, np.ndarray):
        return ~value if value.dtype == bool else (value * 1.25 + 1).astype(value.dtype)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*map(_disturbed, value))
    if isinstance(value, list | tuple):
        return type(value)(map(_disturbed, value))
    if isinstance(value, dict):
        return {key: _disturbed(each) for key, each in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, enum.Enum):
        broken = object.__new__(type(value))
        broken.__dict__.update({key: _disturbed(each) for key, each in vars(value).items()})
        return broken
    if isinstance(value, types.FunctionType):
        return lambda *args, **kwargs: _disturbed(value(*args, **kwargs))
    return value


class _Broken:
    """While it is entered, calls of a function return disturbed results, wherever the function has been imported to."""

    def __init__(self, name):
        holder, last = _found(name)
        self._patch = pytest.MonkeyPatch()
        attribute = inspect.getattr_static(holder, last)
        function = getattr(attribute, "__wrapped__", attribute)  # below a cache
        self._forget = getattr(attribute, "cache_clear", lambda: None)
        if isinstance(function, property | classmethod | staticmethod):
            function = getattr(function, "fget", None) or function.__func__
        if isinstance(function, types.FunctionType) and not function.__code__.co_freevars:
            # By its code: closures, partials and tables that were made at import hold the function itself.
            whole = types.FunctionType(
                function.__code__, function.__globals__, None, function.__defaults__, function.__closure__
            )
            whole.__kwdefaults__ = function.__kwdefaults__
            function.__globals__[f"_whole_{function.__name__}"] = partial(_call, whole)
            stub = f"def stub(*args, **kwargs): return _whole_{function.__name__}(*args, **kwargs)"
            made = {}
            exec(stub, made)
            self._patch.setattr(function, "__code__", made["stub"].__code__)
            self._patch.setattr(function, "__defaults__", None)
            self._patch.setattr(function, "__kwdefaults__", None)
        else:
            self._patch.setattr(holder, last, lambda *args, **kwargs: _disturbed(attribute(*args, **kwargs)))

    def __enter__(self):
        self._forget()

    def __exit__(self, *_):
        self._patch.undo()
        self._forget()


def _call(whole, *args, **kwargs):
    return _disturbed(whole(*args, **kwargs))


def _numbers(claim):
    """Return what an entry finds, or the error with which its recomputation stops."""
    try:
        verdict = check(claim)
    except Exception as error:  # a broken function may also be refused
        return type(error)
    literal = verdict.as_printed and (verdict.as_printed.recomputed, verdict.as_printed.exact)
    return verdict.verdict, verdict.recomputed, verdict.exact, literal


@pytest.mark.filterwarnings("ignore")  # a broken function warns where the whole one does not
@pytest.mark.parametrize("claim", COMPUTED, ids=lambda claim: claim.id)
def test_an_entry_moves_with_the_function_it_rests_on(claim):
    if check(claim).verdict == NEEDS_DATA:
        assert claim.rests_on.startswith("par_core.")
        return
    assert claim.rests_on.startswith(("par_core.", "numpy.", "scipy."))
    assert not claim.rests_on.startswith("par_core.claims")
    before = _numbers(claim)
    with np.errstate(all="ignore"), _Broken(claim.rests_on):
        assert _numbers(claim) != before
    assert _numbers(claim) == before
