"""The answers of a query on every database of a panel, with and without each individual (EDP, algorithm 1).

An individual without a record in a database leaves that answer as it is, bit for bit. A database that becomes empty, or
too small for the query to have an answer, is an error that names it, unless the query says what is then published.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from par_core.audit import panel_reading as reading
from par_core.audit.panel import Panel
from par_core.audit.queries import Custom, Noisy, PanelQuery, Randomised, as_query, asked
from par_core.errors import DataError, ParameterError
from par_core.parameters import of_type
from par_core.progress import Progress, portion
from par_core.standing import PROVEN, declare

_BATCH = 0.1  # seconds between two looks at progress and cancel
_ROWS = 8_192  # individuals at once: their answers stay near the processor, and a batch stays short
_SLOW_ROWS = 16  # the same where a function is asked for each of them
_SOURCE = "Empirical Differential Privacy (2020), algorithm 1"
_LIMITS = "Exact answers of private data: they are for the steward's eyes, and not for publication."

Values = NDArray[np.float64]
Codes = NDArray[np.int64]
AnyQuery = PanelQuery | Callable[[Values], float]


@declare(PROVEN, source=_SOURCE, limits=_LIMITS)
def answers(panel: Panel, query: AnyQuery) -> Values:
    """Return the answers of all databases with everybody in them.

    Parameters
    ----------
    panel : Panel
        With one column of values, unless the query is a function.
    query : PanelQuery or callable
        A query of `par_core.audit.queries`, or a function of the values of one database.

    Returns
    -------
    ndarray of shape (n,), or (n·draws,) for a query with draws, where the draws of one database stand together.

    Raises
    ------
    DataError
        If the query has no answer for a database, or fails.
    ParameterError
        If the panel has several columns and the query is not a function.
    """
    asking = _fit(panel, query)
    most = panel.most_records()
    found = [
        _with_all(asking, asking.summary(values, most=most), place, panel) for place, (_, values) in _databases(panel)
    ]
    return np.concatenate(found)


@declare(PROVEN, source=_SOURCE, limits=_LIMITS)
def leave_one_out(panel: Panel, query: AnyQuery, *, progress: Progress | None = None) -> Values:
    """Return the answers of all databases without each individual in turn.

    Parameters
    ----------
    panel, query
        As for `answers`.
    progress : callable, optional
        Told the share done, about ten times a second; not during one call of a function that is the query, or the summary of
        one database.

    Returns
    -------
    ndarray of shape (N, n), or (N, n·draws) for a query with draws, in the order of `answers`.

    Raises
    ------
    DataError, ParameterError
        As `answers` does, and for a database that becomes too small, with the number of the individual and the database.
    """
    tell = portion(progress)
    asking = _fit(panel, query)
    found = np.empty((len(panel.individuals), len(panel.databases) * asking.draws))
    last = time.monotonic()
    for start, stop, block in blocks(panel, asking):
        if block is not None:
            found[start:stop] = block
        if time.monotonic() - last > _BATCH:
            tell(start / len(found))
            last = time.monotonic()
    tell(1.0)
    return found


def blocks(
    panel: Panel, query: AnyQuery, *, size: int = _ROWS
) -> Generator[tuple[int, int, Values | None], None, None]:
    """Go through the individuals some at a time, so that the answers of all of them need not be held at once.

    Yields
    ------
    (start, stop, block): block has shape (stop − start, n·draws) and belongs to the individuals from `start` up to `stop`. It is
    None where there is only progress to tell: after the summary of each database, and after each call of a function.
    """
    asking = _fit(panel, query)
    most, everybody = panel.most_records(), len(panel.individuals)
    summaries, whole = [], []
    for place, (_, values) in _databases(panel):
        summaries.append(asking.summary(values, most=most))
        whole.append(_with_all(asking, summaries[-1], place, panel))
        yield 0, 0, None
    slow = isinstance(_plain(asking), Custom | Randomised)
    size = min(size, _SLOW_ROWS) if slow else size
    for start in range(0, everybody, size):
        stop = min(start + size, everybody)
        block = np.empty((stop - start, len(whole) * asking.draws))
        for place, summary in enumerate(summaries):
            columns = block[:, place * asking.draws : (place + 1) * asking.draws]
            columns[:] = whole[place]
            codes, values = panel.part(place, start, stop)
            if not len(codes):
                continue
            if slow:
                records = panel.database(place)
                for individual in np.unique(codes):
                    columns[individual - start] = _again(asking, panel, place, int(individual), records)
                    at = start + (stop - start) * place // len(summaries)
                    yield at, at, None
            else:
                present = np.unique(codes) - start if most > 1 else codes - start
                changed = asking.without(summary, codes=codes - start, values=values, size=stop - start)[present]
                columns[present] = _settled(asking, changed, place, panel, present + start)[:, None] + _noise(
                    asking, place
                )
        yield start, stop, block


def _fit(panel: Panel, query: AnyQuery) -> PanelQuery:
    asking = as_query(query)
    of_type("panel", panel, Panel)
    if len(panel.columns) > 1 and not isinstance(_plain(asking), Custom | Randomised):
        raise ParameterError(
            f"the panel has {len(panel.columns)} columns of values; choose one with panel.only(column)"
        )
    return asking


def _plain(query: PanelQuery) -> PanelQuery:
    return query.query if isinstance(query, Noisy) else query


def _databases(panel: Panel) -> Any:
    for place, (codes, values) in enumerate(panel):
        values.setflags(write=False)
        yield place, (codes, values)


def _with_all(query: PanelQuery, summary: Any, place: int, panel: Panel) -> Values:
    """Return the answer of one database with everybody in it, once for each draw."""
    if isinstance(query, Randomised):
        return _settled(query, _drawn(query, summary, place), place, panel, None)
    return _settled(query, np.array([query.answer(summary)]), place, panel, None) + _noise(query, place)


def _again(query: PanelQuery, panel: Panel, place: int, individual: int, records: tuple[Codes, Values]) -> Values:
    """Ask a function without one individual; `records` are those of the whole database."""
    codes, values = records
    first, last = np.searchsorted(codes, [individual, individual + 1])
    others = np.delete(values, slice(first, last), axis=0)
    others.setflags(write=False)
    if not len(others):
        found = np.array([np.nan])
    elif isinstance(query, Randomised):
        found = _drawn(query, others, place)
    else:
        found = np.array([_plain(query).answer(others)])
    return _settled(query, found, place, panel, np.array([individual])) + _noise(query, place)


def _drawn(query: Randomised, values: Values, place: int) -> Values:
    seeds = ([query.seed, place, draw] for draw in range(query.draws))
    return np.array([asked(query.function, values, np.random.default_rng(seed)) for seed in seeds])


def _noise(query: PanelQuery, place: int) -> Values:
    """Return the noise of each draw, the same with and without an individual; 0 for a query without noise."""
    if not isinstance(query, Noisy):
        return np.zeros(1)
    return np.random.default_rng([query.seed, place]).laplace(scale=query.scale, size=query.draws)


def _settled(query: PanelQuery, found: Values, place: int, panel: Panel, individuals: Codes | None) -> Values:
    """Put in what is published where there is no answer, or refuse."""
    missing = ~np.isfinite(found)
    if not missing.any():
        return found
    instead = _plain(query).when_empty
    if instead is not None:
        return np.where(missing, instead, found)
    where = f"database {reading.label(panel.databases[place])}"
    if individuals is None:
        raise DataError(f"{where} has too few records for the query to have an answer")
    # No name: the message is shown where names are masked.
    number = int(individuals[np.argmax(missing)]) + 1
    raise DataError(
        f"{where} without individual number {number:,} of the panel has too few records for the query to have an answer"
    )
