"""Break each function that an entry says it rests on, and see its numbers move: a typed number would not."""

import dataclasses
import enum
import functools
import importlib
import inspect
import sys
import types
from functools import partial

import numpy as np
import pytest

from par_core.claims import CLAIMS, catalogue
from par_core.deployment import settings

# Sides that no function decides, for the statement itself gives them, or the catalogue adds up what follows from it by hand.
BY_HAND = {
    ("par-lemma-1", "recomputed"): "certainty",
    ("par-equation-14", "recomputed"): "the printed exponent, the whole of what is claimed",
    ("par-subsampling-immune", "recomputed"): "the ρ that goes in",
    ("par-subsampling-immune", "recomputed as printed"): "likewise",
    ("par-equation-25-known-law", "recomputed"): "γ2, the whole of what is claimed",
    ("par-equation-12", "recomputed"): "1/ε, the whole of what is claimed",
    ("par-equation-11-range", "recomputed"): "the budget that goes in",
    ("edp-total-risk-above-delta", "recomputed"): "the largest of the numbers that go in",
    ("edp-proposition-1", "recomputed"): "the ε that is wished",
    ("edp-proposition-1-left-out", "recomputed"): "the ε that is wished",
    ("edp-theorem-2", "recomputed"): "the ε that is wished",
    ("edp-theorem-2-repaired", "recomputed"): "the ε that is wished",
    ("edp-image-laplace", "recomputed"): "1/(1 + ω²), the transform of the law that is claimed",
    ("edp-lemma-3", "recomputed"): "the bound, from the numbers that go in",
    ("edp-lemma-4", "exact"): "distances to the nearest point, one by one",
    ("lecture-semantic-nothing", "recomputed"): "the beliefs that go in",
    ("lecture-semantic-equivalence", "recomputed"): "1 + ε, the factor that is claimed",
    ("lecture-semantic", "recomputed"): "e^ε, the factor that is claimed",
    ("lecture-loss-without-logarithm", "recomputed"): "the ratio of the probabilities that go in",
    ("lecture-accuracy-sign", "recomputed"): "the β that goes in",
    ("lecture-response-private", "recomputed"): "the ε that goes in",
    ("lecture-response-first-line", "recomputed"): "the δ that goes in",
    ("lecture-response-utility", "recomputed"): "the δ that goes in",
    ("lecture-laplace-variance", "recomputed"): "2, what is claimed",
    ("lecture-laplace-private", "recomputed"): "the ε that goes in",
    ("lecture-choice-sensitivity", "recomputed"): "the sensitivity that goes in",
    ("lecture-laplace-utility", "recomputed"): "ln(k/δ)/ε, the whole of what is claimed",
    ("lecture-gaussian", "recomputed"): "the δ that goes in",
    ("lecture-exponential-private", "recomputed"): "the ε that goes in",
    ("lecture-exponential-utility", "recomputed"): "the bound, from the numbers that go in",
    ("lecture-exponential-utility", "recomputed as printed"): "likewise",
    ("lecture-exponential-accuracy", "recomputed"): "the δ that goes in",
    ("lecture-exponential-accuracy", "recomputed as printed"): "likewise",
}


@pytest.fixture(autouse=True)
def no_file(monkeypatch):
    """A file of precipitation would hide a function that is broken: it is read and audited but once."""
    monkeypatch.delenv("PAR_GPCP", raising=False)
    settings.cache_clear()
    yield
    settings.cache_clear()


def _found(name):
    """Return the module or class that holds a function, and the function's name in it."""
    parts = name.split(".") if name.startswith(("numpy.", "scipy.")) else ["par_core", *name.split(".")]
    for cut in range(len(parts) - 1, 0, -1):
        try:
            holder = importlib.import_module(".".join(parts[:cut]))
        except ModuleNotFoundError:
            continue
        for part in parts[cut:-1]:
            holder = getattr(holder, part)
        return holder, parts[-1]
    raise LookupError(name)


def _far_off(number):
    return number * 1.25 + 1


def _little_off(number):
    """What is a probability, or a level that must be below another one, stays so."""
    return number * 0.999


def _disturbed(value, off):
    """Return what a broken function would: every number in its result is off, and every yes is a no."""
    if isinstance(value, bool | np.bool_):
        return not value
    if isinstance(value, int | float | np.number):
        return type(value)(off(value))
    if isinstance(value, np.ndarray):
        return ~value if value.dtype == bool else off(value).astype(value.dtype)
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_disturbed(each, off) for each in value))
    if isinstance(value, list | tuple):
        return type(value)(_disturbed(each, off) for each in value)
    if isinstance(value, dict):
        return {key: _disturbed(each, off) for key, each in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, enum.Enum):
        broken = object.__new__(type(value))
        broken.__dict__.update({key: _disturbed(each, off) for key, each in vars(value).items()})
        return broken
    if isinstance(value, types.FunctionType):
        return lambda *args, **kwargs: _disturbed(value(*args, **kwargs), off)
    return value


class _Broken:
    """While it is entered, calls of a function return disturbed results, wherever the function has been imported to."""

    def __init__(self, name, off=_far_off):
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
            function.__globals__[f"_whole_{function.__name__}"] = partial(_call, off, whole)
            stub = f"def stub(*args, **kwargs): return _whole_{function.__name__}(*args, **kwargs)"
            made = {}
            exec(stub, made)
            self._patch.setattr(function, "__code__", made["stub"].__code__)
            self._patch.setattr(function, "__defaults__", None)
            self._patch.setattr(function, "__kwdefaults__", None)
        else:
            self._patch.setattr(holder, last, lambda *args, **kwargs: _disturbed(attribute(*args, **kwargs), off))
        for module in _catalogue_modules():  # what the catalogue remembers would hide the break
            for key, value in list(vars(module).items()):
                if hasattr(value, "cache_clear") and value.__module__ == module.__name__:
                    self._patch.setattr(module, key, functools.cache(value.__wrapped__))

    def __enter__(self):
        self._forget()

    def __exit__(self, *_):
        self._patch.undo()
        self._forget()


def _call(off, whole, *args, **kwargs):
    return _disturbed(whole(*args, **kwargs), off)


def _catalogue_modules():
    return [module for name, module in sys.modules.items() if name.startswith("par_core.claims.")]


def _sides(claim):
    """Return the numbers of both readings by side: those that are shown, and those of all cases that these were chosen from.

    The choice moves with either side, so that a side is seen to move by itself only where every case is kept.
    """
    cases = {}

    def keeping(relation, exact, recomputed, case):
        cases.update(exact=np.ravel(exact).tolist(), recomputed=np.ravel(recomputed).tolist())
        return catalogue.worst(relation, exact, recomputed, case)

    found = {}
    with pytest.MonkeyPatch.context() as patch:
        for module in _catalogue_modules():
            if module is not catalogue and hasattr(module, "worst"):
                patch.setattr(module, "worst", keeping)
        for reading in ("recompute", "as_printed"):
            cases.clear()
            numbers = getattr(claim, reading) and getattr(claim, reading)(*claim.defaults)
            for side in ("recomputed", "exact"):
                shown = getattr(numbers, side, None)
                if shown is not None:
                    name = side if reading == "recompute" else f"{side} as printed"
                    every = cases.get(side, ())
                    found[name] = shown, every if shown in every else None
    return found


@functools.cache
def _whole_sides(claim):
    return _sides(claim)


@functools.cache
def _moved(claim, function):
    """Return which sides move with a function by themselves, and whether a number that is shown does."""
    whole, found = _whole_sides(claim), None
    for off in (_far_off, _little_off):
        try:
            with np.errstate(all="ignore"), _Broken(function, off):
                found = _sides(claim)
            break
        except Exception:  # a broken function may be refused
            continue
    if found is None:
        return frozenset(), True
    seen = {side for side in whole if found[side][0] != whole[side][0]}
    kept = {side for side in whole if None not in (found[side][1], whole[side][1])}
    return frozenset(seen - kept | {side for side in kept if found[side][1] != whole[side][1]}), bool(seen)


@pytest.mark.filterwarnings("ignore")  # a broken function warns where the whole one does not
@pytest.mark.parametrize(
    ("claim", "function"),
    [pytest.param(claim, name, id=f"{claim.id}-{name}") for claim in CLAIMS for name in claim.rests_on],
)
def test_an_entry_moves_with_each_function_that_it_rests_on(claim, function):
    if _whole_sides(claim):  # there are none without the data
        assert _moved(claim, function)[1]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("claim", CLAIMS, ids=lambda claim: claim.id)
def test_every_side_that_is_computed_moves_with_one_of_them(claim):
    if not _whole_sides(claim):
        return
    moved = frozenset().union(*(_moved(claim, function)[0] for function in claim.rests_on))
    assert _sides(claim) == _whole_sides(claim), "whole again after all that was broken"
    by_hand = {side for name, side in BY_HAND if name == claim.id}
    assert moved == _whole_sides(claim).keys() - by_hand
