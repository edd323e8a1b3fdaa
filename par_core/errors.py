"""The three ways in which a request can fail; all of them are ValueErrors."""

from __future__ import annotations


class ParameterError(ValueError):
    """A parameter has the wrong type or lies outside its range.

    The message names the parameter, what is allowed, and the value that was given.
    """


class InfeasibleError(ValueError):
    """Every parameter is in range, but no value can meet the wish.

    Attributes
    ----------
    best : float or None
        What can be reached instead (in the unit that the message states), where that is known.
    """

    def __init__(self, message: str, *, best: float | None = None) -> None:
        super().__init__(message)
        self.best = best


class DataError(ValueError):
    """A table or file cannot be used; the message gives the row and the column."""
