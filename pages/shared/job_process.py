"""Processes beside the server for the work of jobs, at a lower priority: what other readers do there is not held up by it.

Work and result cross over as pickles, so this is for built-in data alone; a table of a reader's stays in the server. A process is
started with the first job, kept for the next ones, and ends with the server.
"""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from pages.shared.error_reports import NotedError, ProcessEndedError, noted
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.progress import Cancelled

_STEP = 0.1  # how often whoever waits is asked, in seconds
_PATIENCE = 2.0  # work that does not tell how far it is for so long after it should stop is ended, with its process
_POLITE = 10  # of Unix: all that the processors have left over, and little besides
_IDLE: list[tuple[Connection, subprocess.Popen[bytes]]] = []


def run(work: Callable[..., Any], *, progress: Callable[..., None]) -> Any:
    """Do `work` in another process and return what it returns; here, where it cannot go there.

    `progress` is asked more often than the work tells, with the share that stood last.
    """
    try:
        asked = pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError):  # of what has a name in no file
        return work(progress=progress)
    if os.name != "posix":
        return work(progress=progress)
    line, process = _idle() or _start()
    done = False
    try:
        line.send_bytes(asked)
        share = 0.0
        while True:
            if not line.poll(_STEP):
                progress(share)
                continue
            kind, *told = line.recv()
            if kind != "told":
                done = True
                break
            share = told[0]
            progress(*told)
    except Cancelled:
        done = _stopped(line)
        raise
    except (EOFError, OSError) as error:
        raise ProcessEndedError from error
    finally:
        if done:
            _IDLE.append((line, process))
        else:
            line.close()
            process.kill()
            process.wait()
    if kind == "failed":
        raise told[0]
    return told[0]


def _idle() -> tuple[Connection, subprocess.Popen[bytes]] | None:
    """Return a process that waits for work; one that was ended meanwhile is passed over."""
    while _IDLE:
        line, process = _IDLE.pop()
        if process.poll() is None:
            return line, process
        line.close()
    return None


def _start() -> tuple[Connection, subprocess.Popen[bytes]]:
    ours, theirs = Pipe()
    root = str(Path(__file__).parents[2])
    path = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        [sys.executable, "-m", "pages.shared.job_process", str(theirs.fileno())],
        stdin=subprocess.DEVNULL,
        env={**os.environ, "PYTHONPATH": path},
        pass_fds=[theirs.fileno()],
        start_new_session=True,  # a Ctrl-C is for the server
    )
    theirs.close()
    return ours, process


def _stopped(line: Connection) -> bool:
    """Ask the work to stop; return whether it did."""
    with suppress(EOFError, OSError):  # it is gone
        line.send(None)
        while line.poll(_PATIENCE):
            if line.recv()[0] != "told":
                return True
    return False


def _serve(line: Connection) -> None:
    """Do one piece of work after the other until the server is gone."""

    def tell(*told: Any) -> None:
        line.send(("told", *told))
        if line.poll():
            line.recv()
            raise Cancelled

    while True:
        work = line.recv()
        if work is None:  # it came too late to stop anything
            continue
        try:
            line.send(("found", work(progress=tell)))
        except (Cancelled, ParameterError, InfeasibleError, DataError) as error:
            line.send(("failed", error))
        except ConnectionError:  # the server is gone
            raise
        except Exception as error:
            line.send(("failed", NotedError(noted(error))))


if __name__ == "__main__":
    os.nice(_POLITE)
    with suppress(EOFError, OSError):  # the server is gone
        _serve(Connection(int(sys.argv[1])))
