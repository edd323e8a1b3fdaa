"""The answers of a query on every database of a panel, with and without each individual (EDP, algorithm 1).

An individual without a record in a database leaves that answer as it is, bit for bit. A database that becomes empty, or
too small for the query to have an answer, is an error that names it, unless the query says what is then published.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from par_core.audit import panel_reading as reading
from par_core.audit.panel import Panel
from par_core.audit.queries import Noisy, Randomised, as_query, asked
from par_core.audit.query import AskedAgain, Codes, PanelQuery, Values
from par_core.errors import DataError, ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.parameters import check_type
from par_core.progress import Progress, portion

_BATCH = 0.1  # seconds between two looks at progress and cancel
_ROWS = 8_192  # individuals at once: their answers stay near the processor, and a batch stays short
_SLOW_ROWS = 16  # the same where a function is asked for each of them
_SOURCE = "Empirical Differential Privacy (2020), algorithm 1"
_LIMITS = "Exact answers of private data: they are for the steward's eyes, and not for publication."

AnyQuery = PanelQuery | Callable[[Values], float]


@Evidence(PROVEN, source=_SOURCE, limits=_LIMITS)
def answers(panel: Panel, query: AnyQuery) -> Values:
    """Return the answers of all databases with everybody in them: shape (n,), or (n·draws,) for a query with draws.

    The query is one of `par_core.audit.queries`, or a function of the values of one database; only a function may be
    asked of a panel with several columns of values. DataError if it has no answer for a database, or fails.
    """
    return np.concatenate([answer for _, answer in _with_everybody(panel, _fit(panel, query))])


@Evidence(PROVEN, source=_SOURCE, limits=_LIMITS)
def leave_one_out(panel: Panel, query: AnyQuery, *, progress: Progress | None = None) -> Values:
    """Return the answers of all databases without each individual in turn: shape (N, n), or (N, n·draws).

    Panel, query, order and errors as for `answers`; a database that becomes too small is an error with the number of the
    individual. Progress is told about ten times a second, but not during one call of a function that is the query, or
    the summary of one database.
    """
    tell = portion(progress)
    asking = _fit(panel, query)
    most, everybody = panel.most_records(), len(panel.individuals)
    last = time.monotonic()

    def look(done: int) -> None:
        nonlocal last
        if time.monotonic() - last > _BATCH:
            tell(done / everybody)
            last = time.monotonic()

    summaries, whole = [], []
    for summary, answer in _with_everybody(panel, asking):
        summaries.append(summary)
        whole.append(answer)
        look(0)
    slow = isinstance(_plain(asking), AskedAgain)
    size = _SLOW_ROWS if slow else _ROWS
    found = np.empty((everybody, len(whole) * asking.draws))
    for start in range(0, everybody, size):
        stop = min(start + size, everybody)
        for place, summary in enumerate(summaries):
            columns = found[start:stop, place * asking.draws : (place + 1) * asking.draws]
            columns[:] = whole[place]
            codes, values = panel.part(place, start, stop)
            if not len(codes):
                continue
            if slow:
                records = panel.database(place)
                for individual in np.unique(codes):
                    columns[individual - start] = _again(asking, panel, place, int(individual), records)
                    look(start + (stop - start) * place // len(summaries))
            else:
                present = np.unique(codes) - start if most > 1 else codes - start
                changed = asking.without(summary, codes=codes - start, values=values, size=stop - start)[present]
                settled = _settled(asking, changed, place, panel, present + start)
                columns[present] = settled[:, None] + _noise(asking, place)
        look(start)
    tell(1.0)
    return found


def _with_everybody(panel: Panel, query: PanelQuery) -> Iterator[tuple[Any, Values]]:
    """Give the summary of each database and its answer, once for each draw."""
    most = panel.most_records()
    for place, (_, values) in enumerate(panel):
        values.setflags(write=False)
        summary = query.summary(values, most=most)
        plain = (
            _drawn(query, np.asarray(summary), place)
            if isinstance(query, Randomised)
            else np.array([query.answer(summary)])
        )
        yield summary, _settled(query, plain, place, panel, None) + _noise(query, place)


def _fit(panel: Panel, query: AnyQuery) -> PanelQuery:
    asking = as_query(query)
    check_type("panel", panel, Panel)
    if len(panel.columns) > 1 and not isinstance(_plain(asking), AskedAgain):
        raise ParameterError(f"the panel has {len(panel.columns)} columns of values; make one of a single column")
    return asking


def _plain(query: PanelQuery) -> PanelQuery:
    return query.query if isinstance(query, Noisy) else query


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
    if individuals is not None:  # no name: the message is shown where names are masked
        where += f" without individual number {int(individuals[np.argmax(missing)]) + 1:,} of the panel"
    raise DataError(f"{where} has too few records for the query to have an answer")
