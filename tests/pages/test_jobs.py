"""Long work beside the page: its thread, its place in the line, and what is seen of it."""

import logging
import threading
import time

import pytest
from streamlit.testing.v1 import AppTest

from pages.shared import jobs
from par_core.errors import DataError, InfeasibleError, ParameterError
from par_core.settings import settings

MARKER = "zebra_4711"


@pytest.fixture(autouse=True)
def empty_line():
    settings.cache_clear()
    assert not jobs._LINE._jobs
    yield
    settings.cache_clear()
    wait_for(lambda: not jobs._LINE._jobs)


def wait_for(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.005)


def job(make, *, deadline=30.0):
    return jobs._Job(make, inputs=None, deadline=deadline, session="one")


def started(make, **options):
    each = job(make, **options)
    threading.Thread(target=each.work, daemon=True).start()
    return each


class Endless:
    """Batches of 5 ms without end; counts them, and notes that it was closed."""

    def __init__(self):
        self.batches = 0
        self.closed = False

    def __call__(self):
        try:
            while True:
                self.batches += 1
                time.sleep(0.005)
                yield 0.3, f"partial {self.batches}"
        finally:
            self.closed = True


# --- the work ---


def test_progress_never_goes_back():
    seen = []

    def make():
        for share in (0.1, 0.5, 0.3, float("nan"), 0.9, 7.0):
            yield share
            seen.append(each.share)
        return "all"

    each = job(make)
    each.work()
    assert seen == [0.1, 0.5, 0.5, 0.5, 0.9, 1.0]
    assert each.result == jobs.Result("all", 1.0, True)


def test_the_last_partial_value_is_the_result_of_a_generator_that_returns_none():
    each = job(lambda: iter([(0.5, "half"), (0.9, "nearly")]))
    each.work()
    assert each.result == jobs.Result("nearly", 1.0, True)


def test_cancel_stops_within_two_batches_and_keeps_what_was_done():
    work = Endless()
    each = started(work)
    wait_for(lambda: work.batches > 3)
    each.cancel()
    at = work.batches
    assert each.over.wait(1)
    assert work.batches - at <= 2
    assert work.closed
    assert each.state is jobs._State.CANCELLED
    assert each.result == jobs.Result(f"partial {work.batches}", 0.3, False)


def test_deadline():
    work = Endless()
    begin = time.monotonic()
    each = job(work, deadline=0.1)
    each.work()
    assert 0.1 <= time.monotonic() - begin < 0.5
    assert each.state is jobs._State.LATE
    assert work.closed
    assert not each.result.complete


def test_the_deadline_counts_from_the_start_and_not_from_the_wait():
    first, second = Endless(), iter([0.5])
    ahead = started(first)
    wait_for(lambda: first.batches)
    behind = started(lambda: second, deadline=0.05)
    time.sleep(0.2)
    ahead.cancel()
    assert behind.over.wait(1)
    assert behind.state is jobs._State.DONE


def test_one_at_a_time_in_the_order_of_the_line():
    works = [Endless() for _ in range(3)]
    line = []
    for work in works:
        line.append(started(work))
        wait_for(lambda: len(jobs._LINE._jobs) == len(line))
    wait_for(lambda: works[0].batches > 3)
    assert [each.state.value for each in line] == ["running", "waiting", "waiting"]
    assert [jobs._LINE.before(each) for each in line] == [0, 1, 2]
    assert works[1].batches == works[2].batches == 0
    line[1].cancel()  # while it waits
    assert line[1].over.wait(1)
    assert works[1].batches == 0
    line[0].cancel()
    wait_for(lambda: works[2].batches > 0)
    line[2].cancel()
    assert line[2].over.wait(1)


def test_as_many_at_a_time_as_the_settings_say(monkeypatch):
    monkeypatch.setenv("PAR_JOBS", "2")
    works = [Endless() for _ in range(3)]
    line = [started(work) for work in works]
    wait_for(lambda: sum(work.batches > 3 for work in works) == 2)
    assert sorted(work.batches > 0 for work in works) == [False, True, True]
    for each in line:
        each.cancel()
        assert each.over.wait(1)


@pytest.mark.parametrize("lost", ["browser", "page"])
def test_a_session_that_is_gone_frees_its_place(monkeypatch, lost):
    gone = threading.Event()
    monkeypatch.setattr(jobs, "_DISCONNECTED", 0.05)
    monkeypatch.setattr(
        jobs, "_connected", lambda session: not (lost == "browser" and gone.is_set() and session == "one")
    )
    work, waiting = Endless(), Endless()
    each = started(work)
    wait_for(lambda: work.batches)
    queued = started(waiting)  # of the same session: it must not keep the place either
    other = job(lambda: iter([1.0]))
    other._session = "two"
    thread = threading.Thread(target=other.work, daemon=True)
    wait_for(lambda: len(jobs._LINE._jobs) == 2)
    thread.start()
    time.sleep(0.1)
    assert each.open
    assert other.open
    gone.set()
    if lost == "page":
        each._seen = queued._seen = time.monotonic() - jobs._SILENT - 1
    assert other.over.wait(2)
    assert other.state is jobs._State.DONE
    assert each.state is queued.state is jobs._State.LEFT
    assert waiting.batches < 50  # it may come up for the moment until its own browser counts as gone


def test_a_page_that_looks_keeps_its_job(monkeypatch):
    monkeypatch.setattr(jobs, "_SILENT", 0.15)
    work = Endless()
    each = started(work)
    for _ in range(10):
        time.sleep(0.04)
        each.look()
    assert each.open
    assert each.over.wait(1)
    assert each.state is jobs._State.LEFT


@pytest.mark.parametrize("error", [ParameterError, InfeasibleError, DataError])
def test_an_error_of_ours_is_a_sentence(error, caplog):
    def make():
        yield 0.5, "partial"
        raise error("epsilon must be above 0 and finite, got -1")

    each = job(make)
    each.work()
    assert each.state is jobs._State.FAILED
    assert each.error == "epsilon must be above 0 and finite, got -1"
    assert each.result is None
    assert not caplog.records


@pytest.mark.parametrize("where", ["making", "batch", "closing", "not a share"])
def test_an_unexpected_error_is_noted_under_an_id_without_data(where, caplog):
    def batches():
        secret = MARKER
        try:
            yield 0.5
            if where == "batch":
                raise KeyError(secret)
            if where == "not a share":
                yield MARKER
        finally:
            if where == "closing":
                raise ValueError(MARKER)

    def make():
        if where == "making":
            raise RuntimeError(MARKER)
        return batches()

    each = job(make)
    each.work()
    (record,) = caplog.records
    assert record.levelno == logging.ERROR
    line = record.getMessage()
    assert MARKER not in caplog.text
    assert "\n" not in line
    assert "tests/pages/test_jobs.py" in line or where == "not a share"
    number = line.split()[2].rstrip(":")
    assert number in each.error
    assert MARKER not in each.error
    assert not jobs._LINE._jobs


def test_threads_do_not_call_streamlit(caplog):
    each = started(lambda: iter([0.5, 1.0]))
    assert each.over.wait(1)
    assert "ScriptRunContext" not in caplog.text


# --- what is seen of it ---


def page():
    import time

    import streamlit as st

    from pages.shared import jobs
    from par_core.errors import ParameterError

    speed = st.number_input("Speed", value=1)
    kind = st.text_input("Kind", key="kind") or "endless"
    start = {"auto": None, "button": st.button("Run")}[st.text_input("Start", "auto")]

    def work():
        if kind == "quick":
            yield 0.5
            return f"result {speed}"
        if kind == "wrong":
            raise RuntimeError("zebra_4711")
        if kind == "refused":
            raise ParameterError("a bound must be below $5")
        while True:
            time.sleep(0.01)
            yield 0.25, "a quarter"

    result = jobs.run("demo", work, inputs=(speed, kind), label="Simulating", deadline=20, start=start)
    if result:
        st.write(f"shown: {result.value}, {result.share:g}, {result.complete}")


@pytest.fixture
def app():
    app = AppTest.from_function(page, default_timeout=10)
    yield app
    if "_job_demo" in app.session_state:
        app.session_state["_job_demo"].cancel()


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
    assert app.session_state["_job_demo"].over.wait(2)
    return app.run()


def test_progress_then_cancel_then_start_again(app):
    app.run()
    assert not app.exception
    assert not shown(app)
    wait_for(lambda: app.session_state["_job_demo"].share)
    assert bar(app.run()) == "Simulating: 25\u00a0%"
    assert bar(press(app, "Cancel")) == "Stopping" or shown(app)
    finish(app)
    assert "Cancel" not in labels(app)
    (sentence,) = app.info
    assert sentence.value == "Cancelled with 25\u00a0% done. What is shown comes from that part."
    assert shown(app) == ["shown: a quarter, 0.25, False"]
    app.run()  # it stays stopped
    assert app.info
    press(app, "Start again")
    assert bar(app).startswith(("Simulating", "Waiting"))
    assert not shown(app)


def test_a_quick_job_shows_no_bar(app):
    app.run()
    app.text_input[0].set_value("quick").run()
    assert shown(app) == ["shown: result 1, 1, True"]
    assert not app.get("progress")


def test_the_page_is_drawn_anew_as_soon_as_the_bar_sees_the_end(app, monkeypatch):
    late = iter([True])  # the job ends right after the page has found it running
    monkeypatch.setattr(jobs._Job, "open", property(lambda job: next(late, not job.over.is_set())))
    app.session_state["kind"] = "quick"
    app.run()
    assert shown(app) == ["shown: result 1, 1, True"]
    assert not app.get("progress")
    assert not list(late)


def test_changed_inputs_stop_the_old_job_and_hide_its_result(app):
    app.run()
    old = app.session_state["_job_demo"]
    app.text_input[0].set_value("quick").run()
    assert old.over.wait(1)
    assert old.state is jobs._State.CANCELLED
    finish(app)
    assert shown(app) == ["shown: result 1, 1, True"]
    app.text_input[0].set_value("endless").run()
    assert not shown(app)


def test_a_button_of_the_page_starts_it_and_starts_it_again(app):
    app.run()
    app.text_input[0].set_value("quick")
    app.text_input[1].set_value("button").run()
    app.number_input[0].set_value(7).run()
    assert not shown(app)
    press(app, "Run")
    assert shown(app) == ["shown: result 7, 1, True"]
    app.run()
    assert shown(app) == ["shown: result 7, 1, True"]
    app.text_input[0].set_value("wrong").run()
    assert not app.error
    press(app, "Run")
    finish(app)
    first = app.error[0].value
    assert "Start again" not in labels(app)
    press(app, "Run")
    finish(app)
    assert app.error[0].value != first


def test_a_second_session_waits_and_says_so(app):
    other = AppTest.from_function(page, default_timeout=10)
    app.run()
    wait_for(lambda: app.session_state["_job_demo"].share)
    other.run()
    assert bar(other) == (
        "Waiting for one computation, started before by another visitor, in another tab or in another section of this page"
    )
    press(app, "Cancel")
    wait_for(lambda: other.session_state["_job_demo"].share)
    assert bar(other.run()).startswith("Simulating")
    press(other, "Cancel")


def test_errors_are_sentences_on_the_page(app, caplog):
    app.run()
    app.text_input[0].set_value("refused").run()
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
    assert shown(app) == ["shown: result 1, 1, True"]
    assert not app.get("progress")
