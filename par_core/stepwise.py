"""Work in steps: a generator that yields the share that is done, from 0 to 1, and returns the result."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import TypeVar

from par_core.errors import ParameterError
from par_core.parameters import shown

Result = TypeVar("Result")


def finished(steps: Generator[float, None, Result], progress: Callable[[float], object] | None = None) -> Result:
    """Take all steps of some work at once and return its result; `progress` is told the share after each step."""
    if progress is not None and not callable(progress):
        raise ParameterError(f"progress must be callable, got {shown(progress)}")
    while True:
        try:
            share = next(steps)
        except StopIteration as done:
            result: Result = done.value
            return result
        if progress is not None:
            progress(share)


def scaled(steps: Generator[float, None, Result], start: float, end: float) -> Generator[float, None, Result]:
    """Take the steps of a part of some work: its shares become shares of the whole, from `start` to `end`."""
    while True:
        try:
            share = next(steps)
        except StopIteration as done:
            result: Result = done.value
            return result
        yield start + (end - start) * share
