"""Long work beside the page: with progress, a cancel button and a deadline, and one heavy job at a time in the process.

A job is a function with `progress`. It runs in a thread of its own, where no `st.` call works: what it needs is bound
beforehand. The page asks after it from a fragment that runs twice a second, and only while the job does.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable
from enum import Enum
from typing import Any, TypeVar

import streamlit as st
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from pages.shared import turns
from pages.shared.error_reports import NotedError, noted
from pages.shared.words import amount, as_sentence, percent
from par_core.deployment import settings
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.progress import Cancelled

Value = TypeVar("Value")
Progress = Callable[..., None]
"""Takes the share that is done and, if there is one, a partial value; raises Cancelled when the work has to stop."""

# Tests without a browser set this key in the session: nobody asks after a job there, so it runs to its end at once.
AT_ONCE = "_jobs_at_once"
LONG = 120.0  # seconds for work that may take longer than other

_POLL = 0.5  # seconds
_FIRST_LOOK = 0.15  # a job that is done by then never shows a bar
_STEP = 0.1  # how often a waiting job looks whether it is still wanted
_DISCONNECTED = 5.0  # a browser that reloads or loses its network for a moment is back by then
# Browsers let a hidden tab ask once a minute; a session that stays silent for longer has left the page.
_SILENT = 90.0


class _State(Enum):
    WAITING = "waiting"
    RUNNING = "running"
    DONE = "done"
    CANCELLED = "cancelled"
    LATE = "late"
    LEFT = "left"
    FAILED = "failed"


def run(
    key: str,
    work: Callable[..., Value],
    *,
    inputs: Hashable,
    label: str,
    deadline: float | None = None,
    unfinished: bool = False,
) -> Value | None:
    """Draw a job and return what its work returned, or None as long as there is nothing.

    `key` names the job in the session, one at a time under each. `work` is called in the thread of the job with `progress=`, a
    `Progress`. When the `inputs`, everything that its result depends on, change, that is no longer shown and an old job is
    stopped. `label` says what is being done: "Simulating". The `deadline` is in seconds from when it runs, by default that of
    the settings. Where an `unfinished` result will do, it is the last partial value of work that was
    stopped, beside the sentence that says so.
    """
    session, name = st.session_state, _name(key)
    job: _Job | None = session.get(name)
    if job is not None and job.inputs != inputs:
        job.cancel()
        del session[name]
        job = None
    if job is None:
        context = get_script_run_ctx()
        visitor = context.session_id if context else ""
        at_once = session.get(AT_ONCE, False)
        job = _Job(work, inputs=inputs, deadline=deadline or settings().job_seconds, session=visitor)
        if at_once:
            job.work()
        else:
            # A daemon, so that a server that is stopped does not wait for it.
            threading.Thread(target=job.work, name="job", daemon=True).start()
            turns.wait(job.over, _FIRST_LOOK)
        session[name] = job
    job.look()
    if job.open:
        _watch(key, label)
        return None
    if job.state is not _State.DONE:
        if not unfinished:
            job.found = None
        _say_why(key, job)
    found: Value | None = job.found
    return found


def leave(since: float) -> None:
    """Let what was not asked after since then, by `time.monotonic`, leave the line: its page has been left. What runs goes on."""
    session = st.session_state
    for name in [each for each in session if str(each).startswith(_name(""))]:
        job = session[name]
        if isinstance(job, _Job) and job._seen < since and job.state is _State.WAITING:
            job.cancel()
            del session[name]


def forget(key: str) -> None:
    """Let go of a job whose result is kept elsewhere."""
    st.session_state.pop(_name(key), None)


# --- the work ---


class _Job:
    """One job; its thread writes, the page reads."""

    def __init__(self, work: Callable[..., Any], *, inputs: Hashable, deadline: float, session: str) -> None:
        self.inputs = inputs
        self.share = 0.0
        self.state = _State.WAITING
        self.found: Any = None
        self.error: str | None = None
        self.deadline = deadline
        self.over = threading.Event()
        self._work: Callable[..., Any] | None = work
        self._session = session
        self.cancelled = False
        self._seen = self._met = time.monotonic()

    @property
    def open(self) -> bool:
        """Whether it waits or runs."""
        return not self.over.is_set()

    def cancel(self) -> None:
        """Ask it to stop when it next tells how far it is."""
        self.cancelled = True

    def look(self) -> None:
        """Note that the page has asked after it."""
        self._seen = time.monotonic()

    def work(self) -> None:
        """Wait for a place, then run; called in the thread of the job, and returns when all is over."""
        work, self._work = self._work, None
        assert work is not None
        state = _State.FAILED
        _LINE.enter(self)
        try:
            state = self._wait() or self._run(work)
        except (ParameterError, InfeasibleError, DataError, NotedError) as error:
            self.error = str(error)
        except Exception as error:
            self.error = noted(error)
        finally:
            _LINE.leave(self)
            if state is _State.FAILED:
                self.found = None
            self.state = state
            self.over.set()

    def _wait(self) -> _State | None:
        while not _LINE.has_place(self, settings().jobs, seconds=_STEP):
            if (why := self._why_stop()) is not None:
                return why
        return self._why_stop()

    def _run(self, work: Callable[..., Any]) -> _State:
        self.state = _State.RUNNING
        end = time.monotonic() + self.deadline
        why: _State | None = None

        def tell(share: float, partial: Any = None, /) -> None:
            nonlocal why
            if partial is not None:
                self.found = partial
            self.share = min(1.0, max(self.share, share))  # a bar never goes back
            why = self._why_stop() or (_State.LATE if time.monotonic() > end else None)
            if why is not None:
                raise Cancelled

        try:
            self.found = work(progress=tell)
        except Cancelled:
            assert why is not None
            return why
        self.share = 1.0
        return _State.DONE

    def _why_stop(self) -> _State | None:
        now = time.monotonic()
        if _connected(self._session):
            self._met = now
        if self.cancelled:
            return _State.CANCELLED
        return _State.LEFT if now - self._met > _DISCONNECTED or now - self._seen > _SILENT else None


class _Line:
    """All jobs of the process in the order in which they were asked for: the first ones run, the others wait."""

    def __init__(self) -> None:
        self._jobs: list[_Job] = []
        self._moved = threading.Condition()

    def enter(self, job: _Job) -> None:
        with self._moved:
            self._jobs.append(job)

    def leave(self, job: _Job) -> None:
        with self._moved:
            self._jobs.remove(job)
            self._moved.notify_all()

    def before(self, job: _Job) -> int:
        """Return how many jobs come before this one."""
        with self._moved:
            return self._jobs.index(job) if job in self._jobs else 0

    def has_place(self, job: _Job, places: int, *, seconds: float) -> bool:
        """Return whether it is the job's turn, waiting for that so long."""
        with self._moved:
            return self._moved.wait_for(lambda: self._jobs.index(job) < places, seconds)


_LINE = _Line()


def _connected(session: str) -> bool:
    """Return whether the browser of a session is there; may be called from any thread."""
    return not runtime.exists() or bool(runtime.get_instance().is_active_session(session))


# --- what is seen of it ---


@st.fragment(run_every=_POLL)
def _watch(key: str, label: str) -> None:
    job: _Job | None = st.session_state.get(_name(key))
    if job is None or not job.open:
        st.rerun()  # the page draws the result
    job.look()
    with st.container(horizontal=True, vertical_alignment="center", key=f"job_{key}"):
        st.progress(job.share, _progress(job, label))
        st.button("Cancel", key=f"cancel_{key}", on_click=_cancel, args=(_name(key),), disabled=job.cancelled)


def _cancel(name: str) -> None:
    # What a button calls is kept with its session: the job itself, and with it what it found, would never go.
    if job := st.session_state.get(name):
        job.cancel()


def _progress(job: _Job, label: str) -> str:
    if job.cancelled:
        return "Stopping"
    if job.state is _State.WAITING:
        ahead = _LINE.before(job)
        which = f"{ahead} computations" if ahead > 1 else "one computation"
        return f"Waiting for {which}, started before by another visitor, or in another tab, page or section"
    return f"{label}: {percent(job.share)}"


def _say_why(key: str, job: _Job) -> None:
    if job.state is _State.FAILED:
        st.error(as_sentence(f"{job.error}"))  # it may quote the names of columns
    else:
        done = f"with {percent(job.share)} done" if job.share else "before anything was done"
        why = {
            _State.CANCELLED: f"Cancelled {done}.",
            _State.LATE: f"Stopped after {amount(job.deadline)} seconds, which is all that a computation gets here, {done}.",
            _State.LEFT: f"Stopped {done}, because this page had been left.",
        }[job.state]
        st.info(why if job.found is None else f"{why} What is shown comes from that part.")
    st.button("Start again", key=f"again_{key}", on_click=st.session_state.pop, args=(_name(key), None))


def _name(key: str) -> str:
    return f"_job_{key}"
