"""What a worker does: add up blocks of individuals, and audit them. Each result is a file that is whole or not there."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from par_core.audit.bandwidths import Floats
from par_core.audit.deltas import LARGEST_EPSILON, LIMITS, of_rows
from par_core.audit.query import PanelQuery
from par_core.audit.risk_totals import largest_loss
from par_core.errors import DataError
from par_core.evidence import ESTIMATE
from par_distributed import true_limits
from par_distributed.contributions import Block, Layout, block_of, check_size, divides
from par_distributed.dataset import RowGroup, read

if TYPE_CHECKING:
    import pyarrow as pa

_DAMAGED = "{}/{} is damaged: delete it, and the same call makes it again"


@dataclass(frozen=True)
class Span:
    """Blocks that are read in one go: the number of the first, the rows where each begins (and the last ends), and their row groups."""

    first: int
    edges: tuple[int, ...]
    groups: tuple[RowGroup, ...]

    @property
    def rows(self) -> int:
        """How many rows the blocks have."""
        return self.edges[-1] - self.edges[0]

    def numbers(self) -> range:
        """Return the numbers of the blocks."""
        return range(self.first, self.first + len(self.edges) - 1)


@dataclass(frozen=True)
class Job:
    """The folder of the results, how the records lie, what is asked of them, and how many individuals a block has.

    The checks look at one of `step` individuals, drawn by their numbers.
    """

    folder: str
    layout: Layout
    query: PanelQuery
    size: int
    step: int

    def sums(self, number: int) -> Path:
        """Return the file with the sums of a block."""
        return _sums(Path(self.folder), number)

    def individuals(self, number: int) -> Path:
        """Return the file with the individuals of a block."""
        return _individuals(Path(self.folder), number)


@dataclass(frozen=True)
class Everybody:
    """The databases with everybody in them: sums as pairs, numbers of records and answers, each (n,); the levels and the bandwidth."""

    high: Floats
    low: Floats
    count: Floats
    answers: Floats
    levels: Floats
    bandwidth: float

    @cached_property
    def ordered(self) -> Floats:
        """The answers, sorted."""
        return np.sort(self.answers)


def add_up(job: Job, span: Span) -> None:
    """Write the sums of each block of a span that has none yet, and its individuals for the checks."""
    from par_distributed import kernels

    _each(job, span, job.sums, lambda number, block: _write_sums(number, block, job, kernels.add_up))


def audit_blocks(job: Job, span: Span, everybody: Everybody) -> None:
    """Write losses and deltas of the individuals of each block of a span that has none yet."""
    _each(job, span, job.individuals, lambda number, block: _write_individuals(number, block, job, everybody))


def audited(block: Block, job: Job, everybody: Everybody) -> tuple[Floats, Floats, NDArray[np.int32], dict[str, Any]]:
    """Return the losses, (B,), the deltas, (B, m), in how many databases each is, (B,), and what the true limits need of all.

    DataError if one of them empties a database, and nothing is said of what is then published.
    """
    from par_distributed import kernels

    n, size = block.own.shape
    without, present = np.empty((size, n)), np.empty(size, dtype=np.int32)
    own, sums = (block.own, block.own_low, block.own_count), (everybody.high, everybody.low, everybody.count)
    if kernels.leave_out(*sums, everybody.answers, *own, divides(job.query), without, present):
        missing = np.isnan(without)
        if job.query.when_empty is None:
            place = int(np.argmax(missing.any(axis=0)))
            raise DataError(
                f"database {job.layout.databases[place]} without one of its individuals has no record for the query"
            )
        without[missing] = job.query.when_empty
    width = everybody.bandwidth
    deltas, losses = of_rows(everybody.ordered, without, 0, len(without), levels=everybody.levels, bandwidth=width)
    # The kernel leaves out the losses of who is below the lowest level, and does not know those of who is far above all.
    again = np.flatnonzero((losses == 0.0) | (losses > LARGEST_EPSILON))
    if len(again):
        losses[again] = largest_loss(everybody.answers, without[again], bandwidth=width)
    of_limits = true_limits.of_block(everybody.answers, without, deltas, levels=everybody.levels, bandwidth=width)
    return losses, deltas, present, of_limits


def finished(folder: Path, count: int) -> bool:
    """Whether the results of all blocks are there."""
    return all(path_of(folder, number).exists() for path_of in (_sums, _individuals) for number in range(count))


def _sums(folder: Path, number: int) -> Path:
    return folder / "sums" / f"{number:07d}.npz"


def _individuals(folder: Path, number: int) -> Path:
    return folder / "individuals" / f"{number:07d}.parquet"


def told_of(path: Path) -> dict[str, Any]:
    """Return what the footer of a file of individuals says of all of them; DataError where it is damaged."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        found: dict[str, Any] = json.loads(pq.read_schema(path).metadata[b"par"])
    except MemoryError:  # one of Arrow's is an ArrowException too
        raise
    except (OSError, ValueError, KeyError, TypeError, pa.ArrowException) as error:
        raise DataError(_DAMAGED.format(path.parent.name, path.name)) from error
    return found


def sums_of(path: Path) -> dict[str, Any]:
    """Return what a file of sums holds; DataError where it is damaged."""
    try:
        with np.load(path) as found:
            return dict(found)
    except (OSError, ValueError, EOFError, BadZipFile) as error:
        raise DataError(_DAMAGED.format(path.parent.name, path.name)) from error


def write_whole(path: Path, fill: Callable[[BinaryIO], object]) -> None:
    """Write a file that is there with all of its content, or not at all, also where the process is killed or the power goes."""
    beside = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with beside.open("xb") as out:
            fill(out)
            out.flush()
            os.fsync(out.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _each(job: Job, span: Span, path_of: Callable[[int], Path], write: Callable[[int, Block], None]) -> None:
    missing = [number for number in span.numbers() if not path_of(number).exists()]
    if not missing:
        return
    tables = read(span.groups, span.edges, job.layout.columns)
    for number, table, first in zip(span.numbers(), tables, span.edges, strict=False):
        if not path_of(number).exists():
            write(number, block_of(table, job.layout, job.query, first=first))


def _write_sums(number: int, block: Block, job: Job, add: Callable[..., None]) -> None:
    if job.layout.database is None:
        check_size(block, job.layout, first=number * job.size)
    high, low, count = np.zeros((3, len(block.own)))
    add(block.own, high, low, count)
    if len(block.own_count):
        count = block.own_count.sum(axis=1)
        low += block.own_low.sum(axis=1)
    drawn = _mixed(np.arange(block.values.shape[1]) + number * job.size) % np.uint64(job.step) == 0
    sample = np.ascontiguousarray(block.values[:, drawn].T)
    labels = np.array(json.dumps(_ends(block.labels)))
    write_whole(
        job.sums(number), lambda out: np.savez(out, high=high, low=low, count=count, sample=sample, labels=labels)
    )


def _mixed(numbers: NDArray[np.int64]) -> NDArray[np.uint64]:
    """Return numbers without any order from those of individuals, whose order may have a period (the finaliser of SplitMix64)."""
    mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return np.asarray(mixed ^ (mixed >> np.uint64(31)))


def _ends(labels: pa.Array) -> list[Any] | None:
    """Return the first and the last of labels that ascend, and None where they do not."""
    import pyarrow as pa
    import pyarrow.compute as pc

    kind = labels.type
    if not (pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind)):
        return None
    if len(labels) > 1 and not pc.all(pc.less(labels[:-1], labels[1:])).as_py():
        return None
    return [labels[0].as_py(), labels[-1].as_py()]


def _write_individuals(number: int, block: Block, job: Job, everybody: Everybody) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    losses, deltas, present, of_limits = audited(block, job, everybody)
    with np.errstate(divide="ignore"):
        logs = np.log1p(-deltas).sum(axis=0)
    told = {
        "delta": deltas.max(axis=0).tolist(),
        "logs": logs.tolist(),
        "exposed": np.count_nonzero(deltas > 0, axis=0).tolist(),
        "loss": float(losses.max()),
        **of_limits,
        "standing": ESTIMATE.value,
        "limits": LIMITS,
    }
    columns = {"individual": block.labels, "databases": pa.array(present), "loss": pa.array(losses)}
    columns |= {delta_name(level): pa.array(deltas[:, m]) for m, level in enumerate(everybody.levels)}
    table = pa.table(columns).replace_schema_metadata({"par": json.dumps(told)})
    write_whole(
        job.individuals(number), lambda out: pq.write_table(table, out, use_dictionary=False, compression="snappy")
    )


def delta_name(level: float) -> str:
    """Return the name of the column with the deltas at a level."""
    return f"delta_{float(level)!r}"
