"""Long work beside the page: its thread, its place in the line, and what is seen of it."""

import gc
import logging
import os
import signal
import struct
import sys
import threading
import time
import weakref
from functools import partial
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import job_process, jobs
from pages.shared.error_reports import NotedError
from par_core.deployment import settings
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.progress import Cancelled
from tests.pages.conftest import end_jobs

MARKER = "zebra_4711"
IN_VAIN = 300.0  # seconds; a wait ends as soon as it is met, however busy the machine is


class Endless:
    """Work without end in batches, each done when the test allows it; counts them, and notes that it was stopped."""

    def __init__(self, share=0.3):
        self.share = share
        self.asked = self.batches = 0
        self.stopped = self.ended = False
        self._allowed = threading.Semaphore(0)

    def __call__(self, *, progress):
        try:
            while not self.ended:
                self.asked += 1
                self._allowed.acquire()
                self.batches += 1
                progress(self.share, f"partial {self.batches}")
        finally:
            self.stopped = True

    def allow(self, batches=1):
        """Let it do so many more batches."""
        self._allowed.release(batches)

    def step(self):
        """Let it do one batch, and wait until the job has seen that."""
        asked = self.asked
        self.allow()
        wait_for(lambda: self.asked > asked or self.stopped)


class Clock:
    """Stands where the jobs look for the time."""

    def __init__(self):
        self.now = 1000.0

    def monotonic(self):
        return self.now


@pytest.fixture
def clock(monkeypatch):
    clock = Clock()
    monkeypatch.setattr(jobs, "time", clock)
    return clock


@pytest.fixture
def endless():
    """Make endless works; whatever happens in the test, none of them is left behind."""
    made = []

    def make(share=0.3):
        made.append(Endless(share))
        return made[-1]

    yield make
    for each in made:
        each.ended = True
        each.allow()


@pytest.fixture(autouse=True)
def settings_of_its_own():
    settings.cache_clear()
    yield
    settings.cache_clear()


def wait_for(condition):
    end = time.monotonic() + IN_VAIN
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.001)


def job(work, *, deadline=600.0):  # a process that begins politely may take its time
    return jobs._Job(work, inputs=None, deadline=deadline, session="one")


def quick(*, progress):
    progress(0.5)


def started(work, **options):
    each = job(work, **options)
    threading.Thread(target=each.work, name="job", daemon=True).start()
    return each


# --- the work ---


def test_progress_never_goes_back():
    seen = []

    def work(*, progress):
        for share in (0.1, 0.5, 0.3, float("nan"), 0.9, 7.0):
            progress(share)
            seen.append(each.share)
        return "all"

    each = job(work)
    each.work()
    assert seen == [0.1, 0.5, 0.5, 0.5, 0.9, 1.0]
    assert (each.found, each.state) == ("all", jobs._State.DONE)


def test_cancel_stops_after_the_present_batch_and_keeps_what_was_done(endless):
    work = endless()
    each = started(work)
    wait_for(lambda: work.asked)
    for _ in range(3):
        work.step()
    each.cancel()
    work.allow(100)
    assert each.over.wait(IN_VAIN)
    assert work.batches == 4
    assert work.stopped
    assert (each.found, each.share, each.state) == ("partial 4", 0.3, jobs._State.CANCELLED)


def test_deadline(clock):
    done = []

    def work(*, progress):
        for _ in range(100):
            clock.now += 4.0
            done.append(clock.now)
            progress(0.3, "partial")

    each = job(work, deadline=10.0)
    each.work()
    assert done == [1004.0, 1008.0, 1012.0]
    assert (each.found, each.share, each.state) == ("partial", 0.3, jobs._State.LATE)


def test_the_deadline_counts_from_the_start_and_not_from_the_wait(endless, clock):
    first = endless()
    ahead = started(first)
    wait_for(lambda: first.asked)
    behind = started(quick, deadline=10.0)
    wait_for(lambda: len(jobs._LINE._jobs) == 2)
    clock.now += 50.0
    ahead.cancel()
    first.allow()
    assert behind.over.wait(IN_VAIN)
    assert behind.state is jobs._State.DONE


def test_one_at_a_time_in_the_order_of_the_line(endless):
    works = [endless() for _ in range(3)]
    line = []
    for work in works:
        line.append(started(work))
        wait_for(lambda: len(jobs._LINE._jobs) == len(line))
    wait_for(lambda: works[0].asked)
    works[0].step()
    assert [each.state.value for each in line] == ["running", "waiting", "waiting"]
    assert [jobs._LINE.before(each) for each in line] == [0, 1, 2]
    assert works[1].asked == works[2].asked == 0
    line[1].cancel()  # while it waits
    assert line[1].over.wait(IN_VAIN)
    assert works[1].asked == 0
    line[0].cancel()
    works[0].allow()
    wait_for(lambda: works[2].asked)
    line[2].cancel()
    works[2].allow()
    assert line[2].over.wait(IN_VAIN)


def test_as_many_at_a_time_as_the_settings_say(endless, monkeypatch):
    monkeypatch.setenv("PAR_JOBS", "2")
    works = [endless() for _ in range(3)]
    line = [started(work) for work in works]
    wait_for(lambda: len(jobs._LINE._jobs) == 3 and sum(work.asked > 0 for work in works) == 2)
    for work in works:
        if work.asked:
            work.step()
    assert sorted(work.batches for work in works) == [0, 1, 1]
    for each, work in zip(line, works, strict=True):
        each.cancel()
        work.allow()
        assert each.over.wait(IN_VAIN)


@pytest.mark.parametrize("lost", ["browser", "page"])
def test_a_session_that_is_gone_frees_its_place(endless, clock, monkeypatch, lost):
    gone = threading.Event()
    monkeypatch.setattr(jobs, "_connected", lambda session: not (gone.is_set() and session == "one"))
    work, waiting = endless(), endless()
    each = started(work)
    wait_for(lambda: work.asked)
    queued = started(waiting)  # of the same session: it must not keep the place either
    wait_for(lambda: len(jobs._LINE._jobs) == 2)
    other = job(quick)
    other._session = "two"
    threading.Thread(target=other.work, name="job", daemon=True).start()
    wait_for(lambda: len(jobs._LINE._jobs) == 3)
    work.step()
    assert each.open
    assert other.open
    if lost == "browser":
        gone.set()
        clock.now += jobs._DISCONNECTED + 1
    else:
        each._seen = queued._seen = clock.now - jobs._SILENT - 1
    work.allow()
    assert other.over.wait(IN_VAIN)
    assert other.state is jobs._State.DONE
    for gone_too in (each, queued):
        assert gone_too.over.wait(IN_VAIN)
    assert each.state is queued.state is jobs._State.LEFT
    assert waiting.asked == 0


def test_a_page_that_looks_keeps_its_job(endless, clock):
    work = endless()
    each = started(work, deadline=1e6)
    wait_for(lambda: work.asked)
    for _ in range(5):
        clock.now += 0.6 * jobs._SILENT
        each.look()
        work.step()
    assert each.open
    clock.now += jobs._SILENT + 1
    work.allow()
    assert each.over.wait(IN_VAIN)
    assert each.state is jobs._State.LEFT


@pytest.mark.parametrize("error", [ParameterError, InfeasibleError, DataError])
def test_an_error_of_ours_is_a_sentence(error, caplog):
    def work(*, progress):
        progress(0.5, "partial")
        raise error("epsilon must be above 0 and finite, got -1")

    each = job(work)
    each.work()
    assert each.state is jobs._State.FAILED
    assert each.error == "epsilon must be above 0 and finite, got -1"
    assert each.found is None
    assert not caplog.records


@pytest.mark.parametrize("where", ["work", "tidying up", "not a share"])
def test_an_unexpected_error_is_noted_under_an_id_without_data(where, caplog):
    def work(*, progress):
        try:
            progress(0.5)
            if where == "work":
                raise KeyError(MARKER)
            if where == "not a share":
                progress(MARKER)
            each.cancel()
            progress(0.6)
        finally:
            if where == "tidying up":
                raise ValueError(MARKER)

    each = job(work)
    each.work()
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    line = record.getMessage()
    assert MARKER not in caplog.text
    assert "\n" not in line
    assert ("pages/shared/jobs.py" if where == "not a share" else "tests/pages/test_jobs.py") in line
    number = line.split()[2].rstrip(":")
    assert number in each.error
    assert MARKER not in each.error
    assert not jobs._LINE._jobs


def test_threads_do_not_call_streamlit(caplog):
    each = started(quick)
    assert each.over.wait(IN_VAIN)
    assert "ScriptRunContext" not in caplog.text


# --- what is seen of it ---


def page():
    import streamlit as st

    from pages.shared import jobs
    from par_core.errors import ParameterError

    speed = st.number_input("Speed", value=1)
    kind = st.text_input("Kind", key="kind") or "endless"
    endless = st.session_state["endless"]
    unfinished = st.toggle("Unfinished", value=True, key="unfinished")

    def work(*, progress):
        if kind == "quick":
            progress(0.5)
            return f"result {speed}"
        if kind == "wrong":
            raise RuntimeError("zebra_4711")
        if kind == "refused":
            raise ParameterError("a bound must be below $5")
        return endless(progress=progress)

    found = jobs.run("demo", work, inputs=(speed, kind), label="Simulating", deadline=600, unfinished=unfinished)
    if found:
        st.write(f"shown: {found}")


def opened(work):
    app = AppTest.from_function(page, default_timeout=IN_VAIN)
    app.session_state["endless"] = work
    return app


@pytest.fixture
def app(endless, monkeypatch):
    monkeypatch.setattr(jobs, "_FIRST_LOOK", 0.0)
    return opened(endless(0.25))


@pytest.fixture
def done_at_once(monkeypatch):
    """A job that can be done is done before the page first looks, however busy the machine is."""
    return lambda: monkeypatch.setattr(jobs, "_FIRST_LOOK", IN_VAIN)


def labels(app):
    return [each.label for each in app.button]


def shown(app):
    return [each.value for each in app.markdown if each.value.startswith("shown")]


def bar(app):
    (found,) = app.get("progress")
    return found.proto.text


def press(app, label):
    next(each for each in app.button if each.label == label).click()
    return app.run()


def finish(app):
    assert app.session_state["_job_demo"].over.wait(IN_VAIN)
    return app.run()


def test_progress_then_cancel_then_start_again(app):
    app.run()
    assert not app.exception
    assert not shown(app)
    work = app.session_state["endless"]
    wait_for(lambda: work.asked)
    work.step()
    assert bar(app.run()) == "Simulating: 25\u00a0%"
    assert bar(press(app, "Cancel")) == "Stopping"
    work.allow()
    finish(app)
    assert "Cancel" not in labels(app)
    (sentence,) = app.info
    assert sentence.value == "Cancelled with 25\u00a0% done. What is shown comes from that part."
    assert shown(app) == ["shown: partial 2"]
    app.run()  # it stays stopped
    assert app.info
    app.toggle[0].set_value(False).run()
    assert not shown(app)  # to a page that waits for all of it
    press(app, "Start again")
    assert bar(app).startswith(("Simulating", "Waiting"))
    assert not shown(app)


def test_no_job_outlives_its_place_in_the_session(app):
    """A button that was drawn stays known to its session, with all that its callback holds."""
    app.run()
    work, job = app.session_state["endless"], weakref.ref(app.session_state["_job_demo"])
    press(app, "Cancel")
    work.allow()
    finish(app)
    app.session_state["kind"] = "quick"
    app.run()
    assert app.session_state["_job_demo"] is not job()
    gc.collect()
    wait_for(lambda: job() is None)


def test_a_quick_job_shows_no_bar(app, done_at_once):
    app.session_state["kind"] = "quick"
    done_at_once()
    app.run()
    assert shown(app) == ["shown: result 1"]
    assert not app.get("progress")


def test_the_page_is_drawn_anew_as_soon_as_the_bar_sees_the_end(app, done_at_once, monkeypatch):
    done_at_once()
    late = iter([True])  # the job ends right after the page has found it running
    monkeypatch.setattr(jobs._Job, "open", property(lambda job: next(late, not job.over.is_set())))
    app.session_state["kind"] = "quick"
    app.run()
    assert shown(app) == ["shown: result 1"]
    assert not app.get("progress")
    assert not list(late)


def test_changed_inputs_stop_the_old_job_and_hide_its_result(app):
    app.run()
    old = app.session_state["_job_demo"]
    wait_for(lambda: app.session_state["endless"].asked)
    app.text_input[0].set_value("quick").run()
    assert not shown(app)
    app.session_state["endless"].allow()
    assert old.over.wait(IN_VAIN)
    assert old.state is jobs._State.CANCELLED
    finish(app)
    assert shown(app) == ["shown: result 1"]
    app.text_input[0].set_value("endless").run()
    assert not shown(app)


def test_a_second_session_waits_and_says_so(app, endless):
    other = opened(endless(0.25))
    app.run()
    wait_for(lambda: app.session_state["endless"].asked)
    other.run()
    assert bar(other) == (
        "Waiting for one computation, started before by another visitor, or in another tab, page or section"
    )
    press(app, "Cancel")
    app.session_state["endless"].allow()
    wait_for(lambda: other.session_state["endless"].asked)
    assert bar(other.run()).startswith("Simulating")


def test_a_page_that_is_left_lets_go_of_what_waits_but_not_of_what_runs_or_is_done(endless, monkeypatch):
    line = [started(endless())]
    wait_for(lambda: line[0].state.value == "running")
    line += [started(quick) for _ in range(3)]
    done = job(quick)
    done.state = jobs._State.DONE
    session = {f"_job_{at}": each for at, each in enumerate(line)} | {"_job_done": done}
    monkeypatch.setattr(jobs.st, "session_state", session)
    left = time.monotonic()
    line[3].look()
    jobs.leave(since=left)
    assert sorted(session) == ["_job_0", "_job_3", "_job_done"]
    assert [each.cancelled for each in line] == [False, True, True, False]


def test_work_that_has_a_name_is_done_in_another_process_and_stops_there_when_it_should(monkeypatch):
    monkeypatch.setattr(job_process, "_PATIENCE", IN_VAIN)
    assert job_process.run(partial(_elsewhere, os.getpid()), progress=print) == "elsewhere"
    shares = []

    def enough(share, *_):
        shares.append(share)
        if share > 0:
            raise Cancelled

    with pytest.raises(Cancelled):
        job_process.run(_forever, progress=enough)
    assert shares[-1] == 0.5
    with pytest.raises(ParameterError, match="too many"):
        job_process.run(_refuse, progress=print)
    with pytest.raises(NotedError, match="noted in the log"):
        job_process.run(_fail, progress=print)
    assert len(job_process._IDLE) == 1, "one process did all of it"
    here = os.getpid()
    assert job_process.run(lambda progress: os.getpid() == here, progress=print), "what has no name stays"  # noqa: ARG005


def _killed(*, progress):  # noqa: ARG001
    os.kill(os.getpid(), signal.SIGKILL)


def _killed_in_the_middle_of_a_message(*, progress):  # noqa: ARG001
    os.write(int(sys.argv[1]), struct.pack("!i", 1000) + b"half")
    os.kill(os.getpid(), signal.SIGKILL)


def _numbered(*, progress):
    while True:
        progress(0.5, os.getpid())


def _without_a_file(*, progress):  # noqa: ARG001
    Path("/nowhere/at/all").read_bytes()


def _too_large(*, progress):  # noqa: ARG001
    return bytearray(2**62)


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (partial(job_process.run, _killed), "The process that computed this was ended from outside, as happens when"),
        (partial(job_process.run, _killed_in_the_middle_of_a_message), "The process that computed this was ended"),
        (partial(job_process.run, _too_large), "This takes more memory than the server has left."),
        (partial(job_process.run, _without_a_file), "Something unexpected went wrong."),
        (_too_large, "This takes more memory than the server has left."),
    ],
    ids=["killed", "killed in a message", "memory of a process", "a file of a process", "memory of the server"],
)
def test_a_job_that_is_killed_or_lacks_memory_says_so(work, said, caplog):
    failed = job(work)
    failed.work()
    assert failed.state is jobs._State.FAILED
    assert failed.error.startswith(said)
    assert "noted in the log under" in failed.error
    assert all(len(each.getMessage().splitlines()) == 1 for each in caplog.records)


def test_a_process_that_is_killed_while_it_waits_or_stops_is_passed_over():
    ask = partial(job_process.run, partial(_elsewhere, os.getpid()), progress=print)
    assert ask() == "elsewhere"
    for _, process in job_process._IDLE:
        process.kill()
        process.wait()
    assert ask() == "elsewhere"

    def kill(_, number=None):
        if number is not None:
            os.kill(number, signal.SIGKILL)
            raise Cancelled

    with pytest.raises(Cancelled):
        job_process.run(_numbered, progress=kill)
    assert ask() == "elsewhere"


def test_what_a_test_leaves_ends_with_it():
    left = [started(partial(job_process.run, _forever))]
    wait_for(lambda: left[0].share == 0.5)
    left += [started(_forever) for _ in range(2)]
    end_jobs()
    assert not any(each.open for each in left)
    assert not any(thread.name == "job" for thread in threading.enumerate())
    assert not job_process._IDLE


def _elsewhere(here, *, progress):
    progress(0.5)
    return "here" if os.getpid() == here else "elsewhere"


def _forever(*, progress):
    while True:
        progress(0.5)


def _refuse(*, progress):  # noqa: ARG001
    raise ParameterError("too many")


def _fail(*, progress):  # noqa: ARG001
    raise RuntimeError("zebra_4711")


def test_errors_are_sentences_on_the_page(app, caplog):
    app.session_state["kind"] = "refused"
    app.run()
    finish(app)
    assert [each.value for each in app.error] == ["A bound must be below \\$5\\."]
    app.text_input[0].set_value("wrong").run()
    finish(app)
    (error,) = app.error
    assert error.value.replace("\\", "").startswith("Something unexpected went wrong. It is noted in the log under ")
    assert MARKER not in caplog.text
    assert not app.exception


def test_at_once_for_tests_without_a_browser(app):
    app.session_state[jobs.AT_ONCE] = True
    app.session_state["kind"] = "quick"
    app.run()
    assert shown(app) == ["shown: result 1"]
    assert not app.get("progress")
