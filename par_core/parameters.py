"""Checks that every public function runs on its arguments, so that a bad value is named instead of becoming NaN."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.old_names import by_old_name

if TYPE_CHECKING:
    # As with numpy's own functions: whoever calls knows which of the two went in, and need not say it again to a type checker.
    FloatOrArray: TypeAlias = Any
else:
    FloatOrArray = float | NDArray[np.float64]

_LONGEST_SHOWN = 60
_LARGEST = sys.float_info.max
_MOST_WHOLE = 2**53  # beyond, a float no longer holds every whole number
_HOLDS = {"above": np.greater, "at least": np.greater_equal, "below": np.less, "at most": np.less_equal}
_Value = TypeVar("_Value")
_Ends = tuple[float | None, ...]
_MAY_BE_MASKED = (list, tuple, np.ma.MaskedArray)


def check_numbers(
    name: str,
    value: object,
    *,
    above: float | None = None,
    at_least: float | None = None,
    below: float | None = None,
    at_most: float | None = None,
) -> NDArray[np.float64]:
    """Return `value` as an array of finite floats inside the stated bounds.

    Refused are strings, booleans, complex numbers, NaN, infinities, masked values, empty input and what is out of range; the
    message names the parameter, what is allowed and the first offending value.
    """
    ends = (above, at_least, below, at_most)
    # A single number, which most are, is looked at in a tenth of the time.
    if type(value) in (float, int) and _is_within(value, *ends):
        return np.array(value, dtype=np.float64)
    wanted = _wanted(*ends, "finite" if below is None and at_most is None else "")
    array = _numeric(name, value, wanted)
    _refuse(name, array, ~np.isfinite(array), ends, wanted)
    return array


def check_integers(name: str, value: object, *, at_least: int, at_most: int | None = None) -> NDArray[np.int64]:
    """Return `value` as an array of whole numbers inside the stated bounds; raises like `real`."""
    ends = (None, at_least, None, at_most)
    if type(value) is int and abs(value) <= _MOST_WHOLE and _is_within(value, *ends):
        return np.array(value)
    wanted = "a whole number " + _wanted(*ends, "")
    array = _numeric(name, value, wanted)
    _refuse(name, array, ~(np.abs(array) <= _MOST_WHOLE) | (array != np.floor(array)), ends, wanted)
    return array.astype(np.int64)


def check_number(name: str, value: object, **bounds: float) -> float:
    """Return `value` as a single float inside the bounds of `real`; an array is refused."""
    if type(value) is float and _is_within(value, *map(bounds.get, ("above", "at_least", "below", "at_most"))):
        return value
    array = check_numbers(name, value, **bounds)
    if array.ndim:
        raise ParameterError(f"{name} must be a single number, got an array of shape {array.shape}")
    return float(array)


def check_integer(name: str, value: object, *, at_least: int, at_most: int | None = None) -> int:
    """Return `value` as a single whole number inside the bounds of `whole`; an array is refused."""
    most = _MOST_WHOLE if at_most is None else at_most
    if type(value) is int and at_least <= value <= most and abs(value) <= _MOST_WHOLE:
        return value
    array = check_integers(name, value, at_least=at_least, at_most=at_most)
    if array.ndim:
        raise ParameterError(f"{name} must be a single whole number, got an array of shape {array.shape}")
    return int(array)


def _is_within(
    value: Any, above: float | None, at_least: float | None, below: float | None, at_most: float | None
) -> bool:
    """Whether a number is finite and lies inside its bounds: quicker than as an array, for the settings that every call checks anew."""
    return (
        -_LARGEST <= value <= _LARGEST
        and (above is None or value > above)
        and (at_least is None or value >= at_least)
        and (below is None or value < below)
        and (at_most is None or value <= at_most)
    )


def check_type(name: str, value: _Value, kind: type[Any]) -> _Value:
    """Return `value`; ParameterError unless it is of that type."""
    # Of a protocol, isinstance asks for every property, and some of them take a while.
    if kind not in type(value).__mro__ and not isinstance(value, kind):
        raise ParameterError(f"{name} must be a {kind.__name__}, got {shown(value)}")
    return value


def check_choice(name: str, value: object, choices: Iterable[str]) -> str:
    """Return `value`; ParameterError unless it is one of some texts."""
    known = tuple(choices)
    if not isinstance(value, str) or value not in known:
        raise ParameterError(f"{name} must be {', '.join(known[:-1])} or {known[-1]}, got {shown(value)}")
    return value


def check_list(name: str, values: Any) -> tuple[Any, ...]:
    """Return what a list holds; ParameterError for a single value, also a single text, and for masked values."""
    single = isinstance(values, str) or not isinstance(values, Iterable) or getattr(values, "ndim", 1) == 0
    if single or _is_masked(values):
        raise ParameterError(f"{name} must be a list, got {shown(values)}")
    return tuple(values)


def together(**arrays: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Return arrays broadcast against each other; ParameterError with their names where their shapes do not go together."""
    try:
        return np.broadcast_arrays(*arrays.values())
    except ValueError as error:
        shapes = ", ".join(f"{name} {array.shape}" for name, array in arrays.items())
        raise ParameterError(f"{' and '.join(arrays)} must have shapes that go together, got {shapes}") from error


def like_input(result: NDArray[np.float64]) -> FloatOrArray:
    """Return a float for a 0-dimensional result and the array itself otherwise (a scalar in gives a float out)."""
    return float(result) if np.ndim(result) == 0 else result


def as_array(name: str, value: object, wanted: str = "an array") -> NDArray[Any]:
    """Return `value` as an array of any kind; ParameterError for a ragged list and for values behind a mask.

    numpy leaves the mask of a masked array out when it makes a plain array of it: whatever the mask hides, often a code
    such as -9999, would count as a value. Without anything masked it is as good as its data.
    """
    try:
        array = None if _is_masked(value) else np.asarray(value)
    except (ValueError, RecursionError) as error:
        raise ParameterError(f"{name} must be {wanted}, got {shown(value)}") from error
    if array is None:
        raise ParameterError(f"{name} must be {wanted}, got masked values")
    return array


def shown(value: object) -> str:
    """Return what a message shows of a value that the user gave: never more than 60 characters."""
    try:
        text = repr(value)
    except ValueError:  # of more digits than Python writes
        return "a value too long to be shown"
    return text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."


def _is_masked(value: object) -> bool:
    if isinstance(value, list | tuple):
        return any(_is_masked(each) for each in value if isinstance(each, _MAY_BE_MASKED))
    return isinstance(value, np.ma.MaskedArray) and bool(np.ma.is_masked(value))


def _holds_boolean(value: object) -> bool:
    """Whether a list holds one: beside a number, numpy makes it a number too."""
    if isinstance(value, list | tuple):
        return any(map(_holds_boolean, value))
    return isinstance(value, bool | np.bool_) or (isinstance(value, np.ndarray) and value.dtype.kind == "b")


def _numeric(name: str, value: object, wanted: str) -> NDArray[np.float64]:
    array = as_array(name, value, wanted)
    if array.dtype.kind not in "iuf" or _holds_boolean(value):
        raise ParameterError(f"{name} must be {wanted}, got {shown(value)}")
    if array.size == 0:
        raise ParameterError(f"{name} must be {wanted}, got an empty array")
    with np.errstate(over="ignore"):  # a longer float beyond the range becomes infinite, which the caller refuses
        return array.astype(np.float64)


@lru_cache(maxsize=1024)
def _wanted(above: float | None, at_least: float | None, below: float | None, at_most: float | None, kind: str) -> str:
    """Return the bounds in words: quicker looked up than written anew at every call."""
    words = [
        f"{word} {end:g}"
        for word, end in zip(_HOLDS, (above, at_least, below, at_most), strict=True)
        if end is not None
    ]
    return " and ".join([*words, *filter(None, [kind])])


def _refuse(name: str, array: NDArray[np.float64], bad: NDArray[np.bool_], ends: _Ends, wanted: str) -> None:
    """Raise for the first number that is bad already, or beyond an end."""
    for holds, end in zip(_HOLDS.values(), ends, strict=True):
        if end is not None:
            bad = bad | ~holds(array, end)
    if bad.any():
        raise ParameterError(f"{name} must be {wanted}, got {array[bad].flat[0]:g}")


if not TYPE_CHECKING:
    _CHECKS = ("number", "numbers", "integers", "integer", "list", "type", "choice")
    _BEFORE = ("one", "real", "whole", "one_whole", "listed", "of_type", "one_of")
    __getattr__ = by_old_name(__name__, {old: f"check_{kind}" for old, kind in zip(_BEFORE, _CHECKS, strict=True)})
