"""The notebook that a section offers: how it is taken, run, and held against its page."""

import contextlib
import io
import json
import re

import pytest
import streamlit as st

from tests.pages.conftest import View, plain

SHOWN = re.compile(r"^.+: (\S.*?) (?:\[[^\]]+\]|\(exact\))$", re.M)


def opened(module, section, *, press=None, **address):
    """Open a section, press one of its buttons, and return the view, with what its download buttons would make as `files`."""
    files, button = {}, st.download_button
    with pytest.MonkeyPatch.context() as patch:

        def note(label, data, **options):
            files[options["key"]] = data
            return button(label, data, **options)

        patch.setattr(st, "download_button", note)
        view = View().visit(module, **address, **({"tab": section} if section else {}))
        if press:
            view.press(press)
    view.files = files
    return view


def answered(view, at, **address):
    """The view of a section, or of the quiz one that shows the answer: the page does so only for who asks for it."""
    return opened(*at, press="Show the answer", **address) if at[1] == "quiz" else view


def notebook_of(files):
    """Make the notebook, as it is made: later, and without a session."""
    made = [data for key, data in files.items() if key.startswith("notebook_")]
    return made[0]() if made else ""


def told(view):
    """Everything that a page tells: words, what is read out of charts and written in them, tables, and numbers beside each other."""
    tables = [str(cell) for table in view.app.table for cell in table.value.to_numpy().ravel()]
    charts = view.charts.values()
    written = [text for chart in charts for trace in chart.figure["data"] for text in trace.get("text", ())]
    told = [view.words, *(chart.alt for chart in charts), *written, *tables, *view.metrics.values()]
    return plain("\n".join(told))


def stands_in(number, text):
    return re.search(rf"(?<![\d.,]){re.escape(number)}(?![\d]|[.,]\d)", text) is not None


def assert_on_page(printed, page):
    """Every number that was printed stands on the page; returns them."""
    numbers = SHOWN.findall(printed)
    assert numbers, printed
    assert [number for number in numbers if not stands_in(number, page)] == [], (printed, page)
    return numbers


def code_of(text):
    return [cell for cell in json.loads(text)["cells"] if cell["cell_type"] == "code"]


def run(text):
    """Run the code of a notebook without a kernel; return what it prints."""
    names, printed = {}, io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in code_of(text):
            exec("".join(cell["source"]), names)
    return printed.getvalue()
