"""A press on a page that was left meanwhile, and what a run drew just before the next one began."""

import importlib

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.forward_msg_queue import ForwardMsgQueue

from pages.shared import app_shell, chart, messages
from pages.shared.settings import scenario_setting

dial = importlib.import_module("pages.shared.dial")


@pytest.fixture
def callbacks(monkeypatch):
    assert app_shell  # its settings are the scenario's
    heard = {}
    for module in (dial, chart):
        monkeypatch.setattr(module, "_component", lambda **given: heard.update(given))
    return heard


def test_a_press_on_a_dial_of_a_page_that_was_left_is_let_go(callbacks):
    dial.dial(scenario_setting("epsilon0"), hint="")
    callbacks["on_told_change"]()


def test_a_chart_that_was_left_asks_for_no_frames_and_opens_nothing(callbacks):
    clicks = []
    chart.show("left", "{}", height=None, alt="", source="", frames=lambda _: "{}", on_click=clicks.append)
    callbacks["on_frames_change"]()
    callbacks["on_click_change"]()
    assert not clicks


def test_a_fragment_that_follows_a_whole_run_at_once_takes_nothing_of_it_back(monkeypatch):
    monkeypatch.setattr(ForwardMsgQueue, "clear", ForwardMsgQueue.clear)
    messages.keep_whole_runs()
    queue, drawn, ended = ForwardMsgQueue(), ForwardMsg(), ForwardMsg()
    drawn.delta.fragment_id, ended.script_finished = "of the chart", ForwardMsg.FINISHED_SUCCESSFULLY
    for each in (drawn, ended):
        queue.enqueue(each)
    queue.clear(True, ["of the chart"])  # as a session does when the run of a fragment begins
    assert queue.flush() == [drawn, ended]
    assert queue.is_empty()
    queue.enqueue(drawn)
    queue.clear(True, ["of the chart"])  # the fragment alone follows itself: the browser needs the last only
    assert queue.is_empty()
