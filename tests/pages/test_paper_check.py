"""Paper check: its controls ask the questions, clicks and links lead to claims and back, and dials belong to their claim."""

import re
from urllib.parse import parse_qsl

import pytest
import streamlit as st

from pages import paper_check
from pages.paper_check.own_numbers import CLAIM, OWN, setting_of
from pages.shared import app_shell
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.sections import DIAL
from pages.shared.settings import scenario_settings
from pages.shared.tour import STOP
from par_core import __version__
from par_core.claims import CLAIMS, check
from par_core.claims.catalogue import Paper
from par_core.errors import ParameterError
from par_core.export.catalogue_files import citation
from par_core.figures import paper_check as figures
from par_core.questions import ListedClaims, Numbering, OpenedClaim, TheoremMap
from par_core.questions.paper_check import listed_claims, numbering
from par_core.questions.paper_check.theorem_map import around


@pytest.fixture
def page(open_page):
    """Open a section with settings."""
    return lambda tab="claims", **settings: open_page("paper_check", tab=tab, **settings)


def ids(view, column="Where"):
    """The claims that a table leads to, row by row."""
    found = view.app.table[-1].value  # below the root errors
    return re.findall(r"claim=([a-z0-9-]+)\)", "\n".join(found[column]))


# --- the list -----------------------------------------------------------------------------------------------------------


def test_each_control_asks_its_own_and_the_files_hold_every_claim(page, files):
    view = page(qp="lecture", qt="BELIEF")
    among = listed_claims.holding("belief", "lecture").keys
    view.assert_told(ListedClaims(paper="lecture", among=among))
    for key, named in (
        ("csv_claims", '"par-theorem-4",'),
        ("json_claims", '"par-theorem-4"'),
        ("html_claims", 'id="par-theorem-4"'),
    ):
        text = files[key]()
        assert named in text
        assert sum(each.id in text for each in CLAIMS) == len(CLAIMS)
        assert "paper_check?" not in text, "a link of the page leads nowhere from a file"
    view.visit("paper_check", qp="all", qv="needs-data", qg="all", qt="", tab="claims")
    view.assert_told(ListedClaims(verdict="needs-data"))
    view = page("map", qf="PaR Theorem 6")
    view.assert_told(TheoremMap(around="PaR Theorem 6"))
    view = page("numbering", qk="theorem", qm=2)
    view.choose("qw", "empirical").assert_told(
        Numbering(text="empirical", among=numbering.holding("theorem", "empirical").keys, most=2)
    )
    assert "[:red-badge[Refuted]](paper_check?tab=claims&claim=" in "".join(view.app.table[0].value["Claims"])


def test_a_click_on_a_bar_shows_these_claims_and_more_is_shown_on_demand(page):
    view = page()
    assert len(ids(view)) == 20
    assert len(ids(view.press("Show more"))) == 60
    verdicts = [check(each) for each in CLAIMS]
    curve, row = view.chart.names.index("Refuted"), figures.papers_of(verdicts).index(Paper.LECTURE)
    click(view, "verdicts_by_paper", {"curve": curve, "index": row, "x": 1, "y": 1})
    left = {each.claim.id for each in verdicts if each.refuted and each.claim.paper is Paper.LECTURE}
    assert set(ids(view)) == left
    assert (view.links["address"].count("qp=lecture"), view.links["address"].count("qv=refuted")) == (1, 1)


def click(view, chart, point):
    from streamlit.components.v2.bidi_component.main import _make_trigger_id

    (id_,) = (each.proto.id for each in view.app.get("bidi_component") if f'"name": "{chart}"' in each.proto.json)
    view._events.append((_make_trigger_id(id_, "events"), {"event": "click", "value": [point]}))
    return view.run()


# --- a claim, opened --------------------------------------------------------------------------------------------------------


def test_previous_and_next_lead_through_the_claims_that_were_listed(page):
    view = page(qp="lecture", qv="refuted")
    listed = ids(view)
    view.visit("paper_check", claim=listed[0], tab="claims")
    assert f"1 of {len(listed)}" in view.texts
    view.press("Next")
    assert f"claim={listed[1]}" in view.links["address"]
    view.press("Previous")
    assert f"claim={listed[0]}" in view.links["address"]
    assert ids(view.press("All claims")) == listed
    view.visit("paper_check", tab="claims", claim=listed[0], click=2)
    assert f"claim={listed[0]}" in view.links["address"], "one click more on the same link is heard"


def test_who_comes_from_another_page_is_led_back_there(open_page):
    view = open_page("composition", tab="mixed", e0=0.8)
    view.visit("paper_check", tab="claims", claim="par-corollary-1-with-theorem-4", click=417)
    assert not view.warnings
    assert ":primary[← Back to Composition]" in [each.label for each in view.app.get("page_link")]
    view.visit("composition")
    assert view.open_section == "Mixed releases"
    assert "e0=0.8" in view.links["address"]


def test_an_opened_claim_shows_its_id_and_how_to_cite_it(page):
    view = page(claim="par-lemma-9")
    assert "paper_check?claim=par-lemma-9" in view.words
    (cited,) = (each.value for each in view.app.code)
    assert cited == citation(version=__version__, claim="par-lemma-9")


def test_an_opened_claim_leads_to_where_it_is_used(page):
    view = page(claim="par-figure-1a")
    view.assert_told(OpenedClaim(claim="par-figure-1a"))
    assert not {*view.dials} & {"own1", "own2"}
    labels = [each.label for each in view.app.get("page_link")]
    assert ":primary[Figure 1a, redrawn]" in labels
    assert not [each for each in labels if "Back" in each]
    view.visit("paper_check", tab="claims", claim="par-theorem-4")
    assert ":primary[Explicit risk]" in [each.label for each in view.app.get("page_link")]


@pytest.mark.parametrize("claim", ["", "par-theorem-4", "par-figure-1a"])
def test_a_presenter_shows_the_picture_alone(page, claim):
    view = page(present=1, claim=claim)
    assert view.charts
    assert not view.app.table
    assert "What decided" not in view.words
    assert "Leave presenter view" in [each.label for each in view.app.button]


# --- with the reader's own numbers ---------------------------------------------------------------------------------------------


def test_dials_and_buttons_set_the_numbers_and_these_belong_to_their_claim(page):
    view = page(claim="par-theorem-4")
    assert [view.dials[each].value for each in ("own1", "own2")] == [1.0, 0.5], "where the catalogue looks"
    view.turn("own2", 0.2).assert_told(OpenedClaim(own=(1.0, 0.2)))
    assert "own=1_0.2" in view.links["address"]
    assert "Here it happens to hold" in view.turn("own2", 1.0).words
    assert "Here it fails" in view.press("Back to the catalogue").words
    assert "own=" not in view.links["address"]
    assert "Here it happens to hold" in view.press("Go to where it holds").words
    assert (view.dials["own1"].value, view.dials["own2"].value) == check("par-theorem-4").claim.holds_at
    assert "own=" in view.links["address"]
    view.visit("paper_check", tab="claims", claim="par-lemma-9")
    assert "own=" not in view.links["address"]
    view.assert_told(OpenedClaim(claim="par-lemma-9"))


@pytest.mark.parametrize("asked", ["1", "1_x", "1_0.5_2", "0_0.5", "1_99", "zebra"])
def test_numbers_of_ones_own_that_cannot_be_used_are_refused(monkeypatch, asked):
    monkeypatch.setattr(type(CLAIM), "value", lambda _: "par-theorem-4")
    with pytest.raises(ParameterError):
        OWN.read(asked)


def test_a_late_dial_of_a_claim_that_was_left_changes_nothing(monkeypatch):
    """A browser can send in one message that another claim was chosen and, heard after it, where a dial stands."""
    monkeypatch.setattr(st, "session_state", {})
    first, second = ("par-definition-5-every-set", "par-definition-5-no-risk")
    CLAIM.put(first)
    dial = setting_of(first, 0, OpenedClaim(claim=first).dials_of_claim[0])
    dial.put(5.0)
    assert OWN.value()[0] == dial.value() == 5.0
    for other in (second, "par-theorem-4", ""):
        CLAIM.put(other)
        with pytest.raises(ParameterError):
            dial.put(2.0)
        assert OWN.value() == ()


# --- links --------------------------------------------------------------------------------------------------------------


EVERY = {
    "claims": {"qp": "final", "qv": "refuted", "qg": "false-statement-that-flatters", "qt": "noise", "qn": 7}
    | {"claim": "par-theorem-4", "own": "2_0.3"},
    "map": {"qf": "PaR Lemma 2"},
    "numbering": {"qw": "lecture", "qk": "coins", "qm": 3},
}


def test_every_setting_is_in_the_test_of_links():
    keys = {setting.key for setting in app_shell.settings_of(paper_check.PAGE)}
    scenario = {setting.key for setting in (*scenario_settings(), PRESENT, DIAL, STOP)}
    assert keys - scenario == {"tab"}.union(*EVERY.values())


@pytest.mark.parametrize("tab", EVERY)
def test_a_copied_link_restores_every_setting_of_a_section(page, tab):
    view = page(tab, **EVERY[tab])
    assert not view.warnings
    link = dict(parse_qsl(view.links["full"], keep_blank_values=True))
    for key, value in EVERY[tab].items():
        assert link[key] == str(value), key
    again = page(**link)
    assert again.links["full"] == view.links["full"]
    assert again.texts == view.texts
    assert {key: each.figure for key, each in again.charts.items()} == {
        key: each.figure for key, each in view.charts.items()
    }


def test_a_setting_that_cannot_be_used_is_named(page):
    wrong = {
        "claim": "par-theorem-99",
        "own": "1_0.2",
        "qp": "x",
        "qv": "x",
        "qg": "x",
        "qn": "0",
        "qf": "x",
        "qw": "x",
    }
    (warned,) = page(**wrong, qt="x" * 3000).warnings
    for key in (*wrong, "qt"):
        (setting,) = (each for each in app_shell.settings_of(paper_check.PAGE) if each.key == key)
        assert re.search(rf"asks for {setting.label} = “.*”, which cannot be used: ", warned)
    view = page(claim="par-theorem-4", own="1_99")
    assert "“1_99”, which cannot be used" in view.warnings[0]
    assert [view.dials[each].value for each in ("own1", "own2")] == [1.0, 0.5]


# --- the map ------------------------------------------------------------------------------------------------------------


def test_a_statement_leads_to_its_claim_by_its_link_and_by_a_click_in_the_map(page):
    view = page("map")
    assert "par-theorem-4" in ids(view, "Statement")
    names = around("PaR Theorem 4")
    row = len(names) - names.index("PaR Theorem 4")
    click(view, "theorem_map", {"curve": 5, "index": 0, "x": 5, "y": row})
    assert view.open_section == "Claims"
    assert "## Theorem 4: this claim is false" in view.words
