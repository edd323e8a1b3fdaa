"""The section "For the public": what is typed is on the label, and in no link, no log, no shared cache and no other file."""

import json
from datetime import UTC, date, datetime

import pytest

from pages.shared import answers
from pages.shared.answers import Kept
from par_core.questions import PublicLabel
from par_core.questions.question import Question
from par_core.scenario import Scenario
from tests.pages.conftest import View, plain

MARKER = "zebra4711"
FIELDS = {
    "pl_name": "name",
    "pl_by": "publisher",
    "pl_for": "purpose",
    "pl_row": "unit",
    "pl_ask": "contact",
    "pl_what": "description",
    "pl_where": "region",
}
PLAN = "1~counts_12_t12_mD~sum_u100_mG"


def fill(view, *, text=MARKER, fields=FIELDS):
    """Type a text into these fields, marked with the name of each."""
    for key, name in fields.items():
        area = key in {each.key for each in view.app.text_area}
        (view.app.text_area if area else view.app.text_input)(key=key).set_value(f"{text} {name}")
    return view.run()


def opened(view):
    """Open what the label says."""
    view.app.session_state["label_words"] = True
    return view.run()


def today():
    return datetime.now(UTC).date().isoformat()


def test_each_control_asks_its_own():
    view = View().visit("decide", tab="public", rel=3)
    view.assert_told(PublicLabel(Scenario(releases=3), date=today()))
    fill(view, text="A")
    typed = {name: f"A {name}" for name in FIELDS.values()}
    view.assert_told(PublicLabel(Scenario(releases=3), **typed, date=today()))
    view.app.date_input(key="pl_date").set_value(date(2026, 3, 1))
    view.run().choose("pl_type", "Dataset")
    view.assert_told(PublicLabel(Scenario(releases=3), **typed, date="2026-03-01", product="Dataset"))
    view.app.date_input(key="pl_date").set_value(None)
    assert view.run().app.date_input(key="pl_date").value.isoformat() == today()


def test_of_a_plan_it_is_about_all_releases(open_page):
    view = opened(open_page("decide", tab="public", v="2", plan=PLAN, e0=1))
    assert "after all 13 releases" in view.words
    assert len(view.app.table[1].value) == 2


def test_what_the_label_says_can_be_read_before_it_is_taken():
    view = View().visit("decide", tab="public")
    assert not view.app.table
    fill(opened(view), text="A *B*")
    answers = dict(zip(*(view.app.table[0].value[name] for name in ("Question", "Answer")), strict=True))
    assert plain(answers["Whom do I ask?"]) == "A \\*B\\* contact"
    assert "63 of 100 guesses" in plain(answers["Could somebody find out whether I am in the data?"])
    assert "What is not protected?" in view.words


def test_what_was_typed_stays_while_the_reader_is_elsewhere():
    view = fill(View().visit("decide", tab="public"))
    view.visit("decide", tab="odds")
    view.visit("composition")
    assert view.visit("decide", tab="public").app.text_input(key="pl_name").value == f"{MARKER} name"


def test_files_can_be_taken_once_everything_is_typed(files):
    view = View().visit("decide", tab="public")
    assert "To take the label with you" in view.words
    assert not {"public_label", "registry_entry"} & set(files)
    fill(view, fields={key: name for key, name in FIELDS.items() if name not in ("description", "region")})
    assert "type a description and a region." in view.words
    assert f"{MARKER} publisher" in files["public_label"]()
    assert "registry_entry" not in files
    fill(view)
    assert f'region: "{MARKER} region"' in files["registry_entry"]()
    assert "To take" not in view.words


@pytest.fixture
def everywhere(monkeypatch, files, caplog, capfd):
    """Return all that leaves a session, as text: keys and questions of what is shared, messages, and files but for the two."""
    caplog.set_level(0)
    monkeypatch.setattr(answers, "PUBLIC", Kept(64_000_000))

    def read(view):
        shared = [repr(vars(each) if isinstance(each, Question) else each) for each in answers.PUBLIC._held]
        made = {key: make() for key, make in files.items() if key not in ("public_label", "registry_entry")}
        assert len(made) == 4, "the data of the chart, the decision's report, the section's and the notebook"
        said = capfd.readouterr()
        stamps = [json.dumps(chart.dials) for chart in view.charts.values()]
        return "\n".join([*shared, *made.values(), *stamps, caplog.text, said.out, said.err])

    return read


def looked_at(view):
    """Look at everything: frames and the data of the chart."""
    view.come_near("public_guesses", "e0")
    assert view.charts["public_guesses"].frames["e0"]
    view.app.session_state["data_public_guesses"] = True
    return opened(view)


def test_no_text_that_was_typed_leaves_its_session(open_page, everywhere):
    view = looked_at(fill(open_page("decide", tab="public")))
    found = everywhere(view)
    assert MARKER not in found
    components = [each.proto.json for each in view.app.get("bidi_component")]
    assert MARKER not in json.dumps([view.links, view.app.query_params, components])


def test_what_was_typed_would_be_found(open_page, everywhere, monkeypatch):
    monkeypatch.setattr(PublicLabel, "private", False)
    found = everywhere(looked_at(fill(open_page("decide", tab="public"))))
    assert found.count(MARKER) > 5, "in the key of the answer and of its frames, in the head of a file and the report"


def test_what_cannot_be_used_is_said_and_quoted_nowhere(open_page, caplog):
    caplog.set_level(0)
    view = open_page("decide", tab="public")
    view.app.text_input(key="pl_name").set_value(f"{MARKER}\x03")
    assert "Name must be text without control characters." in view.run().words.replace("\\", "")
    assert MARKER not in view.words + caplog.text
    view.app.text_input(key="pl_name").set_value("n" * 81)  # as no browser sends it
    assert len(view.run().app.text_input(key="pl_name").value) <= 80


def test_an_address_cannot_type_for_the_reader(open_page):
    view = open_page("decide", tab="public", pl_name=MARKER)
    assert view.app.text_input(key="pl_name").value == ""
    assert "does not know" in view.warnings[0]
