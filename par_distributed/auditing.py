"""The audit of a Parquet data set: what is asked, the two passes, and the result."""

from __future__ import annotations

import functools
import json
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

import par_core
from par_core.audit.bandwidths import Floats
from par_core.audit.checks import Checks, independence, representativeness
from par_core.audit.deltas import LARGEST_EPSILON, LIMITS
from par_core.audit.density import MOST_VALUES, Density, fit_density
from par_core.audit.panel import Panel
from par_core.audit.query import PanelQuery
from par_core.errors import DataError, ParameterError
from par_core.evidence import ESTIMATE, PUBLISHED, Evidence, Result, quantities, stated
from par_core.parameters import check_integer, check_list, check_number, check_numbers, check_type, shown
from par_core.progress import Progress, portion
from par_core.queries.columns import name_of
from par_distributed import blocks, columns, sorting, true_limits
from par_distributed.contributions import Layout, check_query, divides
from par_distributed.dataset import Dataset, open_dataset
from par_distributed.results_folder import claimed
from par_distributed.running import LOCAL, client_of, cores_of, run

SIZE = 32_768
"""Individuals of a block, at most: a table of their answers on 1,000 databases has 260 MB."""

_CELLS = 2**25  # of a block: with more databases it has fewer individuals
_LEAST = 4  # blocks of a task: to pass over rows takes a third of the time of their audit
_CHECKED = 20_000  # individuals that the checks look at, about
_MOST_LEVELS = 100
_SEED = 1  # of the permutations behind the checks
_SORTED, _SUMMED = (
    0.4,
    0.5,
)  # shares of the work that are done when a long table is sorted, and the databases are added up
_SOURCE = "Empirical Differential Privacy (2020), Definitions 1 and 3, Theorem 1"


@dataclass(frozen=True, eq=False, repr=False)
class DatasetAudit(Result):
    """What the answers on repeated databases show of every individual of a data set.

    There are `individuals` (N) and `databases` (n labels) with the `answers`, (n,), in the unit of the query, and their `density`.
    At each of the `epsilons`, (m,), `delta` is the largest delta_i, between `lower` and `upper` lies the true one with a probability
    of at least `level` (see `AuditIntervals`), `total` is the total risk, and `exposed` how many delta_i are above 0; from `loss` on
    nobody's is. `independent` and `comparable` are the checks, the latter of about 20,000 individuals and the mean of each in each
    database; what fails is chance if, `by_construction`, databases were drawn independently and from all individuals alike.
    The results of all individuals are in the folder `individuals` below `folder`, as Parquet.
    """

    individuals: int
    databases: pd.Index
    answers: Floats
    density: Density
    epsilons: Floats
    delta: Floats
    lower: Floats
    upper: Floats
    total: Floats
    exposed: NDArray[np.int64]
    loss: float
    independent: Checks
    comparable: Checks
    folder: Path
    by_construction: bool = False
    level: float = true_limits.LEVEL
    QUANTITIES = quantities(
        loss=stated("level", "up"),
        delta=stated("number"),
        lower=stated("number", "down"),
        upper=stated("number", "up"),
        total=stated("number", "near", PUBLISHED, "edp-total-risk"),
    )
    evidence = Evidence(ESTIMATE, source=_SOURCE, limits=LIMITS)

    def __repr__(self) -> str:
        return f"DatasetAudit(individuals={self.individuals}, databases={len(self.databases)})"

    @property
    def floor(self) -> float:
        """Below about this delta nothing can be said: one over the number of databases."""
        return 1.0 / len(self.databases)

    def ranking(self, *, most: int = 100) -> pd.DataFrame:
        """Return the individuals with the largest losses, at most so many (1 to 1,000,000): labels, losses and all deltas."""
        import pyarrow.parquet as pq

        kept, wanted = pd.DataFrame(), check_integer("most", most, at_least=1, at_most=1_000_000)
        for path in sorted((self.folder / "individuals").glob("*.parquet")):
            found = pq.read_table(path).to_pandas()
            kept = pd.concat([kept, found.nlargest(wanted, "loss")]).nlargest(wanted, "loss")
        return kept.reset_index(drop=True)


def audit_dataset(
    data: str | Path,
    query: PanelQuery,
    *,
    epsilons: ArrayLike,
    folder: str | Path,
    individual: str | None = None,
    databases: Sequence[str] | None = None,
    database: str | None = None,
    value: str | None = None,
    bandwidth: float | None = None,
    independent: bool = False,
    cluster: object = LOCAL,
    progress: Progress | None = None,
) -> DatasetAudit:
    """Audit a query on a Parquet file, or all of a folder: what `audit` finds, to 1e-12, without holding the data in memory.

    In a wide table each row is an individual and each of the columns `databases` (by default all others, but for the index of a pandas
    table) a database; `individual` is the column of the labels, without it rows are numbered. In a long table, for which `database`
    and `value` are given, each row is a record; it is sorted first. Row groups, which are read one by one, should have at most some
    100,000 rows. The query is `PanelSum`, `PanelCount`, `PanelMean` or `ShareAbove`; there are 1 to 100 `epsilons` (0 to 500);
    `bandwidth` as in `audit`; `independent` says that the databases were drawn independently, for certain.

    Results are written to `folder`. Where a run was stopped or killed, the same call goes on from there; a folder with another
    audit is a DataError. `cluster` is "local" (a process for each core), the address of a Dask scheduler whose workers see
    `data` and `folder` under the same paths, or a `distributed.Client`. What `progress` raises stops the work; finished blocks stay.
    DataError for what cannot be used in the data, ParameterError where Dask is not installed or no scheduler answers.
    """
    tell, asking, known = portion(progress), check_query(query), check_type("independent", independent, bool)
    levels = np.unique(check_numbers("epsilons", epsilons, at_least=0, at_most=LARGEST_EPSILON))
    if not 1 <= levels.size <= _MOST_LEVELS:
        raise ParameterError(f"epsilons must hold 1 to {_MOST_LEVELS} levels, got {levels.size}")
    if not isinstance(folder, str | Path):
        raise ParameterError(f"folder must be a path, got {shown(folder)}")
    place, width = Path(folder).resolve(), None if bandwidth is None else check_number("bandwidth", bandwidth, above=0)
    if isinstance(data, str | Path) and place.is_relative_to(Path(data).resolve()):
        raise ParameterError("folder must not lie within the data")
    given = open_dataset(data)
    layout = _layout(given, individual, databases, database, value)
    if not given.rows:
        raise DataError("the data set has no row")
    with client_of(cluster) as client, claimed(place, _plan(given, asking, layout, levels, width)):
        begin = _SORTED if layout.database is not None else 0.0
        ordered, layout, edges, individuals = _prepared(given, layout, place, portion(tell, 0.0, begin))
        count, step = len(edges) - 1, max(1, math.ceil(individuals / _CHECKED))
        job = blocks.Job(str(place), layout, asking, _size(len(layout.databases)), step)
        spans = _spans(ordered, edges, cores_of(client))
        run(client, functools.partial(blocks.add_up, job), spans, portion(tell, begin, _SUMMED))
        everybody, sample = _everybody(job, ordered, count, levels, width, portion(tell, _SUMMED, _SUMMED))
        compared = representativeness(sample, rng=np.random.default_rng(_SEED))
        work = functools.partial(blocks.audit_blocks, job, everybody=everybody)
        run(client, work, spans, portion(tell, _SUMMED, 0.99))
        result = _result(job, everybody, compared, count, individuals, known)
        _finish(place, result)
    tell(1.0)
    return result


def _size(databases: int) -> int:
    """Return how many individuals a block has; DataError for a number of databases that no audit takes."""
    if not 2 <= databases <= MOST_VALUES:
        raise DataError(f"an audit needs two to {MOST_VALUES:,} databases, got {databases:,}")
    return min(SIZE, _CELLS // databases)


def _layout(
    data: Dataset, individual: str | None, databases: Sequence[str] | None, database: str | None, value: str | None
) -> Layout:
    """Return how the records lie, with every database of a wide table; the names and types of all columns are checked."""
    named = {"individual": individual, "database": database, "value": value}
    chosen = [name_of(name, each) for name, each in named.items() if each is not None]
    if (database is None) != (value is None):
        raise ParameterError("database and value must be given together")
    if database is not None and (individual is None or databases is not None):
        raise ParameterError("a long table needs individual, and has its databases in one column")
    across = (
        () if databases is None else tuple(name_of("databases", each) for each in check_list("databases", databases))
    )
    if databases is not None and not across:
        raise ParameterError("databases must name at least one column, got none")
    if len({*chosen, *across}) < len(chosen) + len(across):
        raise ParameterError("individual, database, databases and value must be different columns")
    columns.check_names(data.schema, [*chosen, *across])
    if database is None and databases is None:
        apart = {*chosen, *columns.of_index(data.schema)}
        across = tuple(name for name in data.schema.names if name not in apart)
    columns.check_types(data.schema, numbers=across if value is None else (value,), labels=database)
    return Layout(individual, across, database, value)


def _plan(data: Dataset, query: PanelQuery, layout: Layout, levels: Floats, bandwidth: float | None) -> str:
    plan = {
        "par_core": par_core.__version__,
        "data": data.digest,
        "query": repr(query),
        "columns": [layout.individual, layout.database, layout.value, *map(str, layout.databases)],
        "epsilons": levels.tolist(),
        "bandwidth": bandwidth,
        "block": SIZE,
        "level": true_limits.LEVEL,
    }
    return json.dumps(plan, indent=1) + "\n"


def _prepared(data: Dataset, layout: Layout, folder: Path, tell: Progress) -> tuple[Dataset, Layout, list[int], int]:
    """Return the data set in the order of its individuals, the layout with its databases, where blocks begin, and how many individuals.

    Of a long table whose blocks are all there nothing is read again: its order does not matter any more.
    """
    if layout.database is None:
        size = _size(len(layout.databases))
        return data, layout, [*range(0, data.rows, size), data.rows], data.rows
    assert layout.individual is not None  # a long table has all three columns: see `_layout`
    assert layout.value is not None
    if (order := sorting.order_of(folder)) is not None and blocks.finished(folder, len(order.edges) - 1):
        return data, replace(layout, databases=order.labels), order.edges, order.individuals
    path = sorting.sort_long(
        data, folder, individual=layout.individual, database=layout.database, value=layout.value, tell=tell
    )
    ordered = open_dataset(path)
    labels = sorting.labels_of(ordered, folder, layout.database)
    edges, individuals = sorting.edges_of(ordered, layout.individual, _size(len(labels)))
    sorting.write_order(folder, sorting.Order(labels, edges, individuals))
    return ordered, replace(layout, databases=labels), edges, individuals


def _spans(data: Dataset, edges: list[int], cores: int) -> list[blocks.Span]:
    """Put the blocks that begin in one row group together: each row group is then read once, and the first rows of the next.

    A row group with more than the fair share of a core is read by several, each of which passes over what is before its part.
    """
    most = max(_LEAST, math.ceil((len(edges) - 1) / cores))
    begins = [group.first for group in data.groups]
    of_block = np.searchsorted(begins, edges[:-1], side="right")
    first = [0, *(np.flatnonzero(np.diff(of_block)) + 1).tolist(), len(edges) - 1]
    first = [at for low, high in pairwise(first) for at in range(low, high, most)] + first[-1:]
    return [
        blocks.Span(low, tuple(edges[low : high + 1]), data.within(edges[low], edges[high]))
        for low, high in pairwise(first)
    ]


def _everybody(
    job: blocks.Job, data: Dataset, count: int, levels: Floats, bandwidth: float | None, tell: Progress
) -> tuple[blocks.Everybody, Panel]:
    """Return the databases with everybody in them, and the individuals for the checks, from the sums of all blocks in their order."""
    n = len(job.layout.databases)
    high, low, records = np.zeros((3, n))
    samples, last, ascending = [], None, True
    for number in range(count):
        found = blocks.sums_of(job.sums(number))
        added = high + found["high"]
        back = added - high
        low += (high - (added - back)) + (found["high"] - back) + found["low"]
        high, records = added, records + found["count"]
        samples.append(found["sample"])
        ends = json.loads(str(found["labels"]))
        ascending = ascending and ends is not None and (last is None or last < ends[0])
        last = ends[1] if ends else None
    whose = job.layout.individual if job.layout.database is None and not ascending else None
    if whose is not None and sorting.repeated(data, Path(job.folder), whose, tell):
        raise DataError(f"column {shown(whose)}: an individual has two rows")
    empty = np.flatnonzero(records == 0)
    if empty.size:
        raise DataError(f"no record in {empty.size:,} of {n:,} databases: {shown(str(job.layout.databases[empty[0]]))}")
    whole = high + low
    low = low - (whole - high)
    answers = whole / records if divides(job.query) else whole
    density = fit_density(answers, bandwidth="fixed" if bandwidth is None else bandwidth)
    everybody = blocks.Everybody(whole, low, records, answers, levels, float(density.bandwidths[0]))
    sample = np.concatenate(samples)
    there = ~np.isnan(sample).all(axis=0)  # a database of few may have nobody in the sample
    if not there.any():
        raise DataError("so few individuals have records that those drawn for the checks have none")
    return everybody, Panel.from_arrays(sample[:, there])


def _result(
    job: blocks.Job, everybody: blocks.Everybody, compared: Checks, count: int, individuals: int, known: bool
) -> DatasetAudit:
    told = [blocks.told_of(job.individuals(number)) for number in range(count)]
    delta = np.max([each["delta"] for each in told], axis=0)
    lower, upper = true_limits.together(everybody.answers, told, levels=everybody.levels, bandwidth=everybody.bandwidth)
    logs = np.array([math.fsum(column) for column in zip(*(each["logs"] for each in told), strict=True)])
    return DatasetAudit(
        individuals=individuals,
        databases=pd.Index(list(job.layout.databases)),
        answers=everybody.answers,
        density=fit_density(everybody.answers, bandwidth=everybody.bandwidth),
        epsilons=everybody.levels,
        delta=delta,
        lower=lower,
        upper=upper,
        total=np.maximum(-np.expm1(logs), delta),
        exposed=np.sum([each["exposed"] for each in told], axis=0),
        loss=max(each["loss"] for each in told),
        independent=independence(everybody.answers, rng=np.random.default_rng(_SEED), by_construction=known),
        comparable=compared,
        folder=Path(job.folder),
        by_construction=known,
    )


def _finish(folder: Path, result: DatasetAudit) -> None:
    """Write what stands for all individuals, and take away the sorted copy of the data."""
    told = {
        "individuals": result.individuals,
        "databases": [str(label) for label in result.databases],
        "answers": result.answers.tolist(),
        "bandwidth": float(result.density.bandwidths[0]),
        "epsilons": result.epsilons.tolist(),
        "delta": result.delta.tolist(),
        "limits": [result.lower.tolist(), result.upper.tolist(), result.level],
        "total": result.total.tolist(),
        "exposed": result.exposed.tolist(),
        "loss": result.loss,
        "standing": result.evidence.basis.value,
    }
    text = json.dumps(told, indent=1) + "\n"
    blocks.write_whole(folder / "result.json", lambda out: out.write(text.encode()))
    (folder / "sorted.parquet").unlink(missing_ok=True)
