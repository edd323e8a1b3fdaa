"""A run that is told to stop and the run that follows it share the state of their session."""

import threading

import pytest
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.runtime.state import SafeSessionState, SessionState

from pages.shared import session_lock


@pytest.fixture(autouse=True)
def one_lock_a_session(monkeypatch):
    monkeypatch.setattr(SafeSessionState, "__init__", SafeSessionState.__init__)
    session_lock.one_a_session()


def run_of(state):
    return SafeSessionState(state, lambda: None)


@pytest.mark.parametrize("same", [True, False])
def test_a_run_writes_only_when_the_next_one_has_heard_what_changed(same, monkeypatch):
    state = SessionState()
    stopping, starting = run_of(state if same else SessionState()), run_of(state)
    written = threading.Event()
    writer = threading.Thread(target=lambda: (stopping.__setitem__("late", 1), written.set()))
    in_time = []

    def hear(_, **__):
        writer.start()
        in_time.append(written.wait(0.2 if same else 10))

    monkeypatch.setattr(SessionState, "_call_callbacks", hear)
    starting.on_script_will_rerun(WidgetStates())
    writer.join(10)
    assert written.is_set()
    assert in_time == [not same]


def test_the_lock_of_a_session_goes_with_its_last_run():
    before = len(session_lock._locks)
    run = run_of(SessionState())
    assert len(session_lock._locks) == before + 1
    del run
    assert len(session_lock._locks) == before
