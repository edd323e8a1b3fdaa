"""Nothing of a file, and no text that somebody typed, is where another reader, a log or a file could meet it."""

import json
import re

import pytest

from pages.shared import answers
from pages.shared.answers import Kept
from par_core.questions import HowFarOff
from par_core.questions.question import Question
from tests.pages.table_view import put, select, turn, write

MARKER, ROWS = "zebra4711", 437
OWN = f"{MARKER}group,{MARKER}who,{MARKER}pay\n" + "".join(
    f"{MARKER}{'ABC'[at % 3]},p{at // 2},{'' if at % 7 == 0 else at % 90}\n" for at in range(ROWS)
)
PURPOSE = ("plan_csv", "release_code")  # files that are made to hold the query
DIALS = {"plan": "error_against_epsilon0", "wanted": "epsilon0_for_error"}


@pytest.fixture
def everywhere(monkeypatch, files, caplog, capfd):
    """Return all that leaves a session, as text: keys and questions of what is shared, messages, and files."""
    caplog.set_level(0)
    monkeypatch.setattr(answers, "PUBLIC", Kept(64_000_000))

    def read(view):
        keys = [*answers.PUBLIC._held]
        assert not [each for each in keys if getattr(each, "own", None) is not None]
        shared = [repr(vars(each) if isinstance(each, Question) else each) for each in keys]
        made = [make() for key, make in files.items() if key not in PURPOSE]
        assert len(made) == 3, "the data of the chart, the report and the notebook"
        assert "Open it again" not in files["report"](), "a link brings back no file and nothing typed"
        said = capfd.readouterr()
        stamps = [json.dumps(chart.dials) for chart in view.charts.values()]
        return "\n".join([*shared, *made, *stamps, caplog.text, said.out, said.err])

    return read


def seen(view, tab):
    """Look at everything in a section: frames, the exact answer, what is taken along."""
    view.come_near(DIALS[tab], "e0")
    assert view.charts[DIALS[tab]].frames["e0"]
    if tab == "plan":
        view.app.session_state["about_code"] = True
        turn(view, "exact_")
    view.app.session_state[f"data_{DIALS[tab]}"] = True
    return view.run()


@pytest.mark.parametrize("tab", list(DIALS))
@pytest.mark.parametrize("ask", ["by", "count", "mean"])
def test_nothing_of_a_file_leaves_its_session(open_page, everywhere, tab, ask):
    view = put(open_page("your_table", table="own", tab=tab, ask=ask), OWN.encode(), f"{MARKER}.csv")
    select(view, "who", f"{MARKER}who")
    if ask == "by":
        write(
            select(view, "by", f"{MARKER}group"), "cat", f"{MARKER}A\n{MARKER}A"
        )  # an error that quotes it, on this page only
        assert MARKER in view.app.error[0].value
        write(view, "cat", f"{MARKER}A\n{MARKER}B")
    elif ask == "count":
        write(view, "val", f"{MARKER}A")
    else:
        select(view, "of", f"{MARKER}pay").type("own_lo", 0).type("own_hi", 89)
    found = everywhere(seen(view, tab))
    assert MARKER not in found
    components = [each.proto.json for each in view.app.get("bidi_component")]
    assert MARKER not in json.dumps([view.links, view.app.query_params, components])
    assert not re.search(rf"(?<![\d.]){ROWS}(?![\d.])", found), "nor how many rows it has"


@pytest.mark.parametrize("tab", list(DIALS))
def test_no_text_that_was_typed_about_the_built_in_table_is_kept_for_others(open_page, everywhere, tab):
    typed = {"only": 1, "where": "state", "cmp": "==", "val": MARKER}
    view = open_page("your_table", tab=tab, **typed)
    assert MARKER in view.links["full"], "a link is the reader's own to give"
    assert MARKER not in everywhere(seen(view, tab))


def test_what_was_typed_would_be_found(open_page, everywhere, monkeypatch):
    monkeypatch.setattr(HowFarOff, "private", False)
    view = open_page("your_table", only=1, where="state", cmp="==", val=MARKER)
    found = everywhere(seen(view, "plan"))
    assert found.count(MARKER) > 5, (
        "in the key of the answer and of its frames, in the head of a file, the report and the notebook"
    )


def test_a_query_that_cannot_be_made_leaves_no_file_and_no_key(open_page, files, caplog):
    caplog.set_level(0)
    view = open_page("your_table", by="puma", cat=f"1\n{MARKER}")
    assert "Line 2 of the categories must be a number" in view.words
    assert not files
    assert MARKER not in caplog.text
