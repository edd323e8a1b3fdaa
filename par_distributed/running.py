"""Tasks on a Dask cluster, with progress that can stop them."""

from __future__ import annotations

import logging
import os
import re
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from par_core.errors import DataError, ParameterError
from par_core.parameters import shown
from par_core.progress import Progress
from par_distributed.blocks import Span

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"
_LOOK = 0.15  # seconds between two looks at progress
# Dask lets its workers give every free byte back at once; here the next block needs as many again. And nobody looks at its profile.
_KEPT = {
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": 2**28,
    "distributed.nanny.pre-spawn-environ.MALLOC_MMAP_THRESHOLD_": 2**25,
    "distributed.nanny.pre-spawn-environ.MALLOC_ARENA_MAX": 1,
    "distributed.worker.profile.enabled": False,
}
_START = 10  # seconds that a scheduler may take to answer


@contextmanager
def client_of(cluster: object) -> Iterator[Client]:
    """Give a client: of processes on every core of this machine ("local"), of the scheduler at an address, or the one given."""
    try:
        import dask
        import distributed
    except ImportError as error:
        raise ParameterError("a data set is audited with Dask: pip install '.[distributed]'") from error
    if isinstance(cluster, distributed.Client):
        yield cluster
    elif isinstance(cluster, str) and re.match(r"\w+://.", cluster):
        try:
            client = distributed.Client(cluster, timeout=_START, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise ParameterError(f"no scheduler answers at {shown(cluster)}") from error
        with client:
            yield client
    elif cluster == LOCAL:
        cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        with _deaf(), dask.config.set(_KEPT):
            own = distributed.LocalCluster(
                n_workers=cores,
                threads_per_worker=1,
                host="127.0.0.1",
                dashboard_address="127.0.0.1:0",
                silence_logs=logging.CRITICAL,
            )
        with own, distributed.Client(own, set_as_default=False) as client:
            yield client
    else:
        raise ParameterError(
            f"cluster must be 'local', the address of a scheduler (tcp://host:port) or a distributed.Client, got {shown(cluster)}"
        )


def cores_of(client: Client) -> int:
    """Return how many tasks the workers of a cluster can do at once; 1 where none has come yet."""
    cores: int = sum(client.ncores().values())
    return max(1, cores)


@contextmanager
def _deaf() -> Iterator[None]:
    """Let the processes that are started ignore Ctrl-C, which reaches them too: their client stops them."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def run(client: Client, work: Callable[[Span], None], spans: Sequence[Span], tell: Progress) -> None:
    """Do some work on every span; what it raises, and what `tell` raises, ends it. What is done by then stays."""
    from distributed import CancelledError, wait
    from distributed.client import FuturesCancelledError
    from distributed.comm import CommClosedError
    from distributed.scheduler import KilledWorker

    rows = sum(span.rows for span in spans) or 1
    size = {client.submit(work, span, pure=False): span.rows for span in spans}
    open_, done = set(size), 0
    try:
        while open_:
            try:
                with client.as_current():
                    found = wait(open_, timeout=_LOOK, return_when="FIRST_COMPLETED")
            except TimeoutError:
                tell(done / rows)
                continue
            for future in found.done:
                future.result()
                done += size[future]
            open_ = set(found.not_done)
            tell(done / rows)
    except (CancelledError, FuturesCancelledError, CommClosedError) as error:
        raise DataError("the scheduler is gone: the same call goes on from here with another") from error
    except KilledWorker as error:
        raise DataError(
            "workers were killed again and again, perhaps for lack of memory: give each of them more"
        ) from error
    finally:
        if open_:
            with suppress(Exception):  # there may be no scheduler any more
                client.cancel(list(open_), force=True)
