"""Noisy maximum of votes: the class with most votes after Laplace noise, as PATE answers each query.

Each teacher has one vote in each query, and one person is in the data of one teacher: a neighbouring table takes a vote from one
class and gives it to another. Noise of scale 2/epsilon0 on each count makes a query epsilon0-differentially private.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import DataError, ParameterError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.limits import LARGEST_EPSILON0
from par_core.parameters import FloatOrArray, as_array, check_integer, check_number

MOST_QUERIES, MOST_MOMENTS, MOST_VOTES = 200_000, 32, 10**9
SMALLEST_EPSILON0 = 1e-6
_LEAST = 1e-300  # a chance that is too small for a float is never 0
_ROUNDING = 1e-13  # of one log moment, for each of its factors

_Floats = NDArray[np.float64]


@Evidence(PROVEN, source="the table itself")
def vote_table(votes: ArrayLike) -> _Floats:
    """Return votes as an array of shape (queries, classes): a row for each query, in it the votes of each class.

    DataError for ragged, negative, broken, missing or no votes, and for fewer than two classes; it names a row and a column from 1.

    >>> vote_table([[7, 2, 1], [4, 6, 0]]).shape
    (2, 3)
    """
    if isinstance(votes, list | tuple):
        widths = [len(row) if isinstance(row, list | tuple | np.ndarray) else 1 for row in votes]
        for row, width in enumerate(widths, start=1):
            if width != widths[0]:
                raise DataError(
                    f"row {row}: {width} in place of {widths[0]} columns; each query needs a count for each class"
                )
    try:
        table = as_array("votes", votes)
    except ParameterError:
        raise DataError(
            "the votes must be a table without gaps, a row for each query and a column for each class"
        ) from None
    if table.ndim != 2 or table.shape[0] < 1 or table.shape[1] < 2:
        raise DataError(
            "the votes must be a table of numbers, a row for each query and a column for each of at least two classes"
        )
    if len(table) > MOST_QUERIES:
        raise DataError(f"the votes must be of at most {MOST_QUERIES:,} queries, got {len(table):,}")
    plain = table.dtype.kind in "iuf"
    if plain and isinstance(votes, list | tuple):  # numpy makes a number of True
        plain = not any(isinstance(each, bool | np.bool_) for row in votes for each in row)
    if not plain:
        table = np.array([[_number(each) for each in row] for row in np.asarray(votes, dtype=object)])
    counts = table.astype(np.float64)
    wrong = ~((counts >= 0) & (counts <= MOST_VOTES) & (counts == np.floor(counts)))
    if wrong.any():
        row, column = np.argwhere(wrong)[0] + 1
        raise DataError(f"row {row}, column {column}: votes must be whole numbers from 0 to {MOST_VOTES:,}")
    if (empty := counts.sum(axis=1) == 0).any():
        raise DataError(f"row {int(np.argmax(empty)) + 1} has no votes")
    return counts


def _number(value: Any) -> float:
    """Return a number, and NaN in place of all that can be no count."""
    plain = isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)
    return float(value) if plain and abs(value) <= MOST_VOTES else np.nan


@dataclass(frozen=True, eq=False)
class NoisyMax(Result):
    """The noisy maxima of a table of votes, as in `vote_table`; `epsilon0`, from 1e-6 to 50, is the level of each query.

    What it says depends on the votes, and must not be published without protection of its own.
    """

    votes: FloatOrArray = field(repr=False)
    epsilon0: float
    evidence = Evidence(
        PROVEN, source="distribution of the noise, and what differential privacy says of those of two tables"
    )

    def __post_init__(self) -> None:
        level = check_number("epsilon0", self.epsilon0, at_least=SMALLEST_EPSILON0, at_most=LARGEST_EPSILON0)
        object.__setattr__(self, "votes", vote_table(self.votes))
        object.__setattr__(self, "epsilon0", level)

    @property
    def losing(self) -> _Floats:
        """At most how likely, in each query, the noise makes a class win that has not most votes; exact for two classes.

        The chance that each other class comes before it, added up (Papernot et al. 2017, Lemma 4); never above 1 - 1/classes.

        >>> NoisyMax([[140, 110]], 0.1).losing.round(4)  # a gap of 30 at noise of scale 20: (2 + 1.5)/4·exp(-1.5)
        array([0.1952])
        """
        gaps = 0.5 * self.epsilon0 * (self.votes.max(axis=1, keepdims=True) - self.votes)
        each = (0.25 * (gaps + 2.0)) * np.exp(-gaps)
        each[np.arange(len(each)), self.votes.argmax(axis=1)] = 0.0  # it never comes before itself
        return np.asarray(np.clip(each.sum(axis=1), _LEAST, 1.0 - 1.0 / each.shape[1]))

    def log_moments(self, moments: int = 8) -> _Floats:
        """Bound log E[exp(l·loss)], l = 1 to `moments`, whichever table is the true one; shape (moments, queries), rounded up.

        It is the largest of all pairs of laws of which nothing is known but that they are epsilon0 apart and that under one of them
        the class with most votes loses with at most the chance `losing`: a convex function, largest where it loses e^epsilon0 times
        as often under the other, and that one is the true one. Or it is that of noisy counts, which hold more than their maximum,
        where that is smaller. `moments` are at most 32.

        >>> clear, close = NoisyMax([[250, 0], [140, 110]], 0.1).log_moments(2).T
        >>> bool((clear < close).all())
        True
        """
        most = check_integer("moments", moments, at_least=1, at_most=MOST_MOMENTS)
        level, losing = self.epsilon0, self.losing
        # Near e^-epsilon0 digits are lost; what is above 1/(1 + e^epsilon0) is above the noisy counts anyway.
        clear = losing < 0.9 * np.exp(-level)
        here = np.log(losing[clear])
        there = here + level
        keeps, other = np.log1p(-np.exp(here)), np.log1p(-np.exp(there))
        found = np.empty((most, len(losing)))
        for row, order in zip(found, range(1, most + 1), strict=True):
            row[:] = counts = _of_counts(level, order)
            loses, wins = (order + 1) * there - order * here, (order + 1) * other - order * keeps
            row[clear] = np.minimum(np.logaddexp(loses, wins), counts)
            row += _ROUNDING * (order + 2)
        return found


def _of_counts(epsilon0: float, order: int) -> float:
    """Return the log moment of two counts with noise of scale 2/epsilon0, each of which moves by one (Mironov 2017, Table II)."""
    part = order / (2 * order + 1)
    far, near = np.log1p(-part) + order * epsilon0 / 2, np.log(part) - (order + 1) * epsilon0 / 2
    return 2.0 * float(np.logaddexp(far, near))
