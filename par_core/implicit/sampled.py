"""The sensitivity of a query, sampled from pairs of neighbouring data sets (Privacy at Risk, Definition 7)."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import InfeasibleError, ParameterError
from par_core.implicit.closed_forms import coverage, rank_for, rho_for, tolerance
from par_core.implicit.pair_query import PairQuery
from par_core.implicit.population import FittedSource, Pairs, Population, Rows, TableSource, source_of
from par_core.parameters import like_input, one, one_whole, real
from par_core.queries.question import finished
from par_core.standing import ESTIMATE, PUBLISHED, Standing

MOST_PAIRS = 1_000_000
MOST_ROWS = 10_000_000

_CELLS = 400_000  # numbers looked up in one batch: a few hundredths of a second, and some 10 MB
_PAIRS_WITH_COMMON = 4_000  # each pair's common rows are drawn by themselves, for some 15 microseconds
_PAIRS_WITHOUT = 100_000
_SECONDS = 0.05  # after which a loop over a function of the user's own gives notice
_Floats = NDArray[np.float64]

Query = PairQuery | Callable[[Any], Any]

_LIMITS = (
    "An estimate, never a bound: rare pairs that move the query further may not have been drawn. Pairs from one finite table "
    "overlap, so what is said about independent pairs holds for them nearly. Sampled from private data it depends on them, and "
    "tells about them unless it is protected itself."
)


@dataclass(frozen=True)
class PublishedChoice:
    """The sampled sensitivity that Theorem 5 asks for, and what is true of it.

    Attributes
    ----------
    value : float
        The sensitivity, in the unit of the query (L1).
    rank, samples : int
        It is the rank-th of so many sorted values.
    wanted : float
        The empirical confidence that was asked for.
    alpha, confidence2 : float
        Tolerance at rho, and wanted/alpha: the share of the sample that the value is at least as large as.
    rho : float
        As given.
    mean_coverage : float
        rank/(samples + 1): the share of all independent pairs that the value covers, on average over samples.
    certainty : float
        Exact probability that it covers at least the wanted share of them.
    """

    value: float
    rank: int
    samples: int
    wanted: float
    alpha: float
    confidence2: float
    rho: float
    mean_coverage: float
    certainty: float
    standing: Standing = PUBLISHED
    source: str = "Privacy at Risk (PoPETs 2021), Theorem 5 and Definition 7"
    limits: str = (
        "Theorem 5 loses a -rho, and with a large rho claims anything; mean_coverage and certainty are exact for independent "
        "pairs. " + _LIMITS
    )


@dataclass(frozen=True)
class CoveringChoice:
    """The smallest sampled sensitivity that covers a share of all pairs with a wanted probability.

    Attributes
    ----------
    value : float
        The sensitivity, in the unit of the query (L1).
    rank, samples : int
        It is the rank-th of so many sorted values.
    share : float
        The share of all pairs whose sensitivity it is not to fall below.
    certainty : float
        Probability that it covers that share: at least the wanted one, exact for independent pairs of a continuous law.
    mean_coverage : float
        rank/(samples + 1): the share that it covers on average over samples.
    """

    value: float
    rank: int
    samples: int
    share: float
    certainty: float
    mean_coverage: float
    standing: Standing = ESTIMATE
    source: str = "Beta law of a sorted sample value; Privacy at Risk (PoPETs 2021), Definition 7"
    limits: str = _LIMITS


@dataclass(frozen=True, eq=False)
class SensitivitySample:
    """Sampled sensitivities of a query, sorted: Definition 7 of Privacy at Risk.

    Attributes
    ----------
    values : float array of shape (pairs,)
        L1 distances between the answers on neighbouring data sets, from small to large; cannot be written to.
    rows : int
        Rows of each data set.
    worst_case : float or None
        The proven sensitivity, for replacing one record, where one is known: beside it a sample is not needed.
    standing, source, limits
        What the numbers are worth.
    """

    values: _Floats
    rows: int
    worst_case: float | None = None
    standing: Standing = ESTIMATE
    source: str = "Privacy at Risk (PoPETs 2021), Definition 7"
    limits: str = _LIMITS

    def __post_init__(self) -> None:
        """Check the values, sort a copy and lock it."""
        values = np.sort(real("values", self.values, at_least=0))
        if values.ndim != 1:
            raise ParameterError(f"values must have one axis, got shape {values.shape}")
        values.setflags(write=False)
        object.__setattr__(self, "values", values)

    @property
    def pairs(self) -> int:
        """How many pairs were drawn."""
        return len(self.values)

    def quantile(self, share: ArrayLike) -> Any:
        """Return the smallest sampled value that at least this share of the sample does not exceed.

        Parameters
        ----------
        share : array_like in [0, 1]
            0 gives the smallest value.

        Raises
        ------
        ParameterError
            A share out of range.
        """
        return like_input(np.asarray(self.values[self._rank(real("share", share, at_least=0, at_most=1)) - 1]))

    def cdf(self, x: ArrayLike) -> Any:
        """Return the share of the sample that is at most x (in the unit of the query, finite)."""
        return like_input(np.asarray(np.searchsorted(self.values, real("x", x), side="right") / self.pairs))

    def band(self, confidence: float) -> tuple[_Floats, _Floats]:
        """Return the lower and upper ends, at `values`, of a band that holds the whole distribution function.

        The Dvoretzky-Kiefer-Wolfowitz inequality: for independent pairs it does so with at least this probability.

        Parameters
        ----------
        confidence : float, from 0 to below 1
            Probability that the band holds the function everywhere.

        Raises
        ------
        ParameterError
            A confidence out of range.
        """
        rho = rho_for(self.pairs, one("confidence", confidence, at_least=0, below=1))
        share = np.asarray(self.cdf(self.values))
        return np.maximum(share - rho, 0.0), np.minimum(share + rho, 1.0)

    def for_confidence(self, wanted: float, rho: float) -> PublishedChoice:
        """Return the sampled sensitivity for an empirical confidence as published: the quantile at wanted/alpha.

        Parameters
        ----------
        wanted : float, above 0, at most 1
            The empirical confidence that the sensitivity is to have.
        rho : float, above 0
            Distance of the Dvoretzky-Kiefer-Wolfowitz inequality, which gives alpha.

        Raises
        ------
        InfeasibleError
            wanted is above alpha; `.best` is alpha, the largest empirical confidence there is.
        ParameterError
            A value out of range.
        """
        wish = one("wanted", wanted, above=0, at_most=1)
        alpha = float(tolerance(self.pairs, one("rho", rho, above=0)))
        if wish > alpha:
            raise InfeasibleError(
                f"no empirical confidence above {alpha:.6g} can be had from {self.pairs:,} pairs at rho = {rho:g}, wanted {wish:g}",
                best=alpha,
            )
        share = wish / alpha
        rank = int(self._rank(np.asarray(share)))
        return PublishedChoice(
            value=float(self.values[rank - 1]),
            rank=rank,
            samples=self.pairs,
            wanted=wish,
            alpha=alpha,
            confidence2=share,
            rho=float(rho),
            mean_coverage=rank / (self.pairs + 1),
            certainty=float(coverage(self.pairs, rank, share=wish)),
        )

    def for_share(self, share: float, wanted: float) -> CoveringChoice:
        """Return the smallest sampled sensitivity that covers a share of all pairs with the wanted probability.

        Parameters
        ----------
        share : float in [0, 1]
            The share of all pairs whose sensitivity is not to exceed it.
        wanted : float, from 0 to below 1
            How probable that is to be, over samples of independent pairs.

        Raises
        ------
        InfeasibleError
            Even the largest value does not cover the share so probably; `.best` is the probability that it does.
        ParameterError
            A value out of range.
        """
        rank = rank_for(self.pairs, share=share, wanted=wanted)
        return CoveringChoice(
            value=float(self.values[rank - 1]),
            rank=rank,
            samples=self.pairs,
            share=float(share),
            certainty=float(coverage(self.pairs, rank, share=share)),
            mean_coverage=rank / (self.pairs + 1),
        )

    def _rank(self, share: _Floats) -> NDArray[np.int64]:
        """The smallest rank, from 1, whose share of the sample is not below the given one as floats go."""
        rank = np.clip(np.ceil(share * self.pairs), 1, self.pairs)
        rank = np.where((rank > 1) & ((rank - 1) / self.pairs >= share), rank - 1, rank)
        return np.where(rank / self.pairs < share, rank + 1, rank).astype(np.int64)


def sample_sensitivity(
    query: Query,
    population: Population,
    *,
    rows: int,
    pairs: int,
    rng: np.random.Generator,
    progress: Callable[[float], object] | None = None,
) -> SensitivitySample:
    """Sample the sensitivity of a query: draw pairs of neighbouring data sets and compare its answers.

    Parameters
    ----------
    query : PairQuery or callable
        What is asked. A callable gets the rows of one data set, as a DataFrame (or as an array if the population is one), and
        returns a finite number or an array of one axis, always of the same length.
    population : DataFrame, array of one or two axes, or FittedPopulation
        A table is sub-sampled: every pair consists of rows + 1 different rows of it. From a fitted population all rows are
        independent.
    rows : int, 1 to 10,000,000
        Rows of each data set (public: neighbours differ in one record).
    pairs : int, 1 to 1,000,000
        How many pairs are drawn.
    rng : numpy.random.Generator
        The same seed gives the same sample.
    progress : callable, optional
        Called with the share that is done, from 0 to 1.

    Raises
    ------
    DataError
        Fewer than rows + 1 rows; a column that is not there, holds other values than the query needs, or misses some.
    ParameterError
        A value out of range, or a query that does not answer with finite numbers.

    Examples
    --------
    >>> from par_core.implicit import MeanOf
    >>> import pandas as pd
    >>> table = pd.DataFrame({"pay": np.arange(1000.0)})
    >>> sample = sample_sensitivity(MeanOf("pay", (0, 1000)), table, rows=100, pairs=5000, rng=np.random.default_rng(1))
    >>> sample.worst_case, sample.quantile(0.5) < 4
    (10.0, True)
    """
    steps = sensitivity_in_batches(query, population, rows=rows, pairs=pairs, rng=rng)
    return finished(steps) if progress is None else finished(_reported(steps, progress))


def sensitivity_in_batches(
    query: Query, population: Population, *, rows: int, pairs: int, rng: np.random.Generator
) -> Generator[float, None, SensitivitySample]:
    """Sample the sensitivity in steps of at most 0.2 s; yields the share that is done, from 0 to 1.

    Parameters and errors as for `sample_sensitivity`, and the same numbers from the same seed. A step is longer only where
    a single pair takes longer, or reading the columns of a very large table before the first pair; memory grows with a step, not with the number of pairs.
    """
    if not callable(query):
        raise ParameterError(f"query must be callable, got {type(query).__name__}")
    if not isinstance(rng, np.random.Generator):
        raise ParameterError(f"rng must be a numpy random Generator, got {rng!r}")
    size = one_whole("rows", rows, at_least=1, at_most=MOST_ROWS)
    number = one_whole("pairs", pairs, at_least=1, at_most=MOST_PAIRS)
    if isinstance(query, PairQuery):
        if isinstance(population, np.ndarray):
            raise ParameterError(f"population must have named columns for {type(query).__name__}, got an array")
        source = source_of(population, used=query.used_columns, rows=size, pairs=number, rng=rng)
        values = yield from _compared(query, source, size, number)
        worst = query.worst_case(size)
    else:
        source = source_of(population, used=None, rows=size, pairs=number, rng=rng)
        values = yield from _called(query, source, size, number)
        worst = None
    return SensitivitySample(values, rows=size, worst_case=worst)


def _reported(
    steps: Generator[float, None, SensitivitySample], progress: Callable[[float], object]
) -> Generator[float, None, SensitivitySample]:
    while True:
        try:
            share = next(steps)
        except StopIteration as done:
            result: SensitivitySample = done.value
            return result
        progress(share)
        yield share


def _compared(
    query: PairQuery, source: TableSource | FittedSource, rows: int, pairs: int
) -> Generator[float, None, _Floats]:
    """Compare many pairs at a time."""
    values = np.empty(pairs)
    step = _step(query, rows)
    # A finite table is read once, new rows of a fitted population each time.
    prepared = query.prepare(source.table) if isinstance(source, TableSource) else None
    for start in range(0, pairs, step):
        end = min(start + step, pairs)
        table, chosen = source.take(end - start, common=query.uses_common)
        with np.errstate(over="ignore", invalid="ignore"):
            found = query.differences(query.prepare(table) if prepared is None else prepared, chosen)
        _check_finite(found)
        values[start:end] = found
        yield end / pairs
    return values


def _step(query: PairQuery, rows: int) -> int:
    if not query.uses_common:
        return _PAIRS_WITHOUT
    return max(1, min(_PAIRS_WITH_COMMON, _CELLS // (rows * query.work)))


def _called(
    query: Callable[[Any], Any], source: TableSource | FittedSource, rows: int, pairs: int
) -> Generator[float, None, _Floats]:
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
                yield (start + place + 1) / pairs
                noted = time.monotonic()
    _check_finite(values)
    yield 1.0
    return values


def _rows_of(table: Rows, pairs: Pairs, place: int, end: NDArray[np.int64]) -> Rows:
    assert pairs.common is not None
    wanted = np.append(pairs.common[place], end[place])
    return table[wanted] if isinstance(table, np.ndarray) else table.take(wanted)


def _answer(query: Callable[[Any], Any], rows: Rows) -> _Floats:
    given = query(rows)
    try:
        answer = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ParameterError(f"query must answer with a number or an array of one axis: {error}") from error
    if answer.ndim > 1 or not np.isfinite(answer).all():
        raise ParameterError("query must answer with finite numbers in at most one axis")
    return answer


def _check_finite(values: _Floats) -> None:
    if not np.isfinite(values).all():
        raise ParameterError("query must answer with finite numbers, got one that is not")
