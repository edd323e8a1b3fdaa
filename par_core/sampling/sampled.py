"""The sensitivity of a query, sampled from pairs of neighbouring data sets (Privacy at Risk, Definition 7)."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.parameters import FloatOrArray, as_array, check_integer
from par_core.progress import Progress, portion
from par_core.randomness import generator
from par_core.sampling.pair_query import PairQuery
from par_core.sampling.population import FittedSource, Pairs, Population, Rows, TableSource, source_of
from par_core.sampling.sensitivity_sample import SensitivitySample

_CELLS = 400_000  # numbers looked up in one batch: a few hundredths of a second, and some 10 MB
_PAIRS_WITH_COMMON = 4_000  # each pair's common rows are drawn by themselves, for some 15 microseconds
_PAIRS_WITHOUT = 100_000
_SECONDS = 0.05  # after which a loop over a function of the user's own gives notice
_Floats = NDArray[np.float64]


def sample_sensitivity(
    query: PairQuery | Callable[[Rows], FloatOrArray],
    population: Population,
    *,
    rows: int,
    pairs: int,
    rng: np.random.Generator,
    progress: Progress | None = None,
) -> SensitivitySample:
    """Sample the sensitivity of a query: draw pairs of neighbouring data sets and compare its answers.

    A callable query gets the rows of one data set, as a DataFrame (or as an array if the population is one), and returns a finite
    number or an array of one axis, always of the same length. A table, as a DataFrame or an array of one or two axes, is sub-sampled:
    every pair consists of rows + 1 different rows of it, so many at least. From a fitted population all rows are independent. Each
    data set has `rows`, 1 to 10,000,000 (public: neighbours differ in one record), and 1 to 1,000,000 pairs are drawn.

    More than 0.2 s pass between two calls of `progress` only where a single pair takes longer, or reading the columns of a very large
    table before the first pair. Memory grows with what is drawn between two calls, not with the number of pairs.

    >>> from par_core.sampling import MeanOf
    >>> import pandas as pd
    >>> table = pd.DataFrame({"pay": np.arange(1000.0)})
    >>> sample = sample_sensitivity(MeanOf("pay", (0, 1000)), table, rows=100, pairs=5000, rng=np.random.default_rng(1))
    >>> sample.worst_case, sample.quantile(0.5) < 4
    (10.0, True)
    """
    tell = portion(progress)
    if not callable(query):
        raise ParameterError(f"query must be callable, got {type(query).__name__}")
    draw = generator(rng)
    size = check_integer("rows", rows, at_least=1, at_most=10_000_000)
    number = check_integer("pairs", pairs, at_least=1, at_most=1_000_000)
    if isinstance(query, PairQuery):
        if isinstance(population, np.ndarray):
            raise ParameterError(f"population must have named columns for {type(query).__name__}, got an array")
        source = source_of(population, used=query.used_columns, rows=size, pairs=number, rng=draw)
        values = _compared(query, source, size, number, tell)
        worst = query.worst_case(size)
    else:
        source = source_of(population, used=None, rows=size, pairs=number, rng=draw)
        values = _called(query, source, size, number, tell)
        worst = None
    return SensitivitySample(values, rows=size, worst_case=worst)


def _compared(
    query: PairQuery, source: TableSource | FittedSource, rows: int, pairs: int, progress: Progress
) -> _Floats:
    """Compare many pairs at a time."""
    values = np.empty(pairs)
    step = _PAIRS_WITHOUT
    if query.uses_common:
        step = max(1, min(_PAIRS_WITH_COMMON, _CELLS // (rows * query.work)))
    # A finite table is read once, new rows of a fitted population each time.
    prepared = query.prepare(source.table) if isinstance(source, TableSource) else None
    for start in range(0, pairs, step):
        end = min(start + step, pairs)
        table, chosen = source.take(end - start, common=query.uses_common)
        with np.errstate(over="ignore", invalid="ignore"):
            found = query.differences(query.prepare(table) if prepared is None else prepared, chosen)
        _check_finite(found)
        values[start:end] = found
        progress(end / pairs)
    return values


def _called(
    query: Callable[[Rows], FloatOrArray], source: TableSource | FittedSource, rows: int, pairs: int, progress: Progress
) -> _Floats:
    """Call a function of the user's own on both data sets of each pair."""
    values = np.empty(pairs)
    step = max(1, min(_PAIRS_WITH_COMMON, _CELLS // rows))
    noted = time.monotonic()
    for start in range(0, pairs, step):
        table, chosen = source.take(min(step, pairs - start), common=True)
        for place in range(len(chosen.one)):
            first, second = (_answer(query, _rows_of(table, chosen, place, end)) for end in (chosen.one, chosen.other))
            if first.shape != second.shape:
                raise ParameterError(f"query must answer in one shape, got {first.shape} and {second.shape}")
            values[start + place] = np.abs(first - second).sum()
            if time.monotonic() - noted >= _SECONDS:
                progress((start + place + 1) / pairs)
                noted = time.monotonic()
    _check_finite(values)
    progress(1.0)
    return values


def _rows_of(table: Rows, pairs: Pairs, place: int, end: NDArray[np.int64]) -> Rows:
    assert pairs.common is not None
    wanted = np.append(pairs.common[place], end[place])
    return table[wanted] if isinstance(table, np.ndarray) else table.take(wanted)


def _answer(query: Callable[[Rows], FloatOrArray], rows: Rows) -> _Floats:
    given = as_array("the answer of query", query(rows), "a number or an array of one axis")
    try:
        answer = given.astype(np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"query must answer with a number or an array of one axis: {error}") from error
    if answer.ndim > 1 or not np.isfinite(answer).all():
        raise ParameterError("query must answer with finite numbers in at most one axis")
    return answer


def _check_finite(values: _Floats) -> None:
    if not np.isfinite(values).all():
        raise ParameterError("query must answer with finite numbers, got one that is not")
