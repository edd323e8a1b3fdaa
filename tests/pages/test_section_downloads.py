"""The row at the end of every section: the report is made later, without a session, from the settings as they stood."""

import logging
import re
import threading

import pytest
from streamlit.runtime.media_file_storage import MediaFileStorageError

from pages.shared import downloads, error_reports, section_downloads
from pages.shared.navigation import PAGES
from par_core.errors import ParameterError
from par_core.mechanisms import MECHANISMS
from tests.pages.conftest import View, plain

KEYS = {"v", "e0", "k", "s", "nb", "rows", "stats", "rel", "sh", "comp", "cur", "d", "m"}


@pytest.fixture
def offered(monkeypatch):
    """What the last run offers to make, by the key of its button."""
    makes = {}
    real = downloads.button

    def button(label, make, name, *, key, **more):
        makes[key] = make
        return real(label, make, name, key=key, **more)

    monkeypatch.setattr(downloads, "button", button)
    return makes


def elsewhere(make):
    """Make a file as Streamlit does: in another thread, which has no session."""
    made = []
    thread = threading.Thread(target=lambda: made.append(make()))
    thread.start()
    thread.join()
    return made[0]


@pytest.mark.parametrize("error", [ValueError("zebra_4711"), ParameterError("zebra_4711"), MemoryError("zebra_4711")])
@pytest.mark.parametrize("key", ["report", "notebook_decide", "csv_decision", "scenario_code"])
def test_a_file_that_is_not_made_is_told_of_on_the_page_and_noted_in_one_line(files, monkeypatch, caplog, key, error):
    real = downloads.button

    def broken():
        raise error

    monkeypatch.setattr(downloads, "button", lambda label, _, *rest, **more: real(label, broken, *rest, **more))
    view = View().visit("decide", e0=0.35)
    with pytest.raises(error_reports.NotedError):
        files[key]()
    (record,) = (each for each in caplog.records if each.name == error_reports.__name__)
    assert "\n" not in record.getMessage()
    assert "zebra_4711" not in record.getMessage()
    (told,) = (each.value for each in view.failing().app.error)
    assert record.getMessage().split()[2].rstrip(":") in told
    assert "no file was made" in told
    assert not view.run().app.error


def test_what_streamlit_says_of_it_is_in_no_log_and_the_rest_is(capsys, caplog):
    log = logging.getLogger("streamlit.runtime.backend_operation_handler")
    for cause in (error_reports.NotedError("noted"), ValueError("new")):
        try:
            raise MediaFileStorageError(f"failed: {cause}") from cause
        except MediaFileStorageError:
            log.exception("Error executing deferred callable")
    log.error("another")
    said = caplog.text + capsys.readouterr().err
    assert "new" in said
    assert "another" in said
    assert "noted" not in said


def words_of(html):
    text = re.sub(r"<style>.*?</style>|<svg.*?</svg>|<[^>]+>", " ", html, flags=re.S)
    return " ".join(text.replace("\u00a0", " ").replace("&amp;", "&").split())


@pytest.mark.parametrize(("page", "tab"), [("decide", "duties"), ("decide", "odds")])
def test_it_is_called_what_it_is_wherever_it_is_offered(open_page, offered, page, tab):
    """It is of the decision, not of the section that it stands under."""
    labels = [each.label for each in open_page(page, tab=tab).app.get("download_button")]
    of_section = ["Report"] * (page == "decide")
    assert [each for each in labels if "report" in each.lower()] == ["Decision report", *of_section]
    assert "ε₀ is the privacy level of each release" in words_of(elsewhere(offered["report"]))


def test_a_presenter_is_not_offered_it(open_page):
    assert "Decision report" not in [each.label for each in open_page("decide", present=1).app.get("download_button")]


def test_the_report_says_what_the_page_says(offered):
    view = View().visit("decide", e0=0.45, wev=8, wbv=0.8, rel=3)
    (headline,) = (each for each in view.texts if each.startswith("## "))
    ends = re.search(r"from ([\d.]+) to ([\d.]+)", plain(headline)).groups()
    told = words_of(elsewhere(offered["report"]))
    assert "example" not in told
    assert f"from {ends[0]} to {ends[1]}" in told
    assert "ε₀ = 0.45" in told
    view.visit("decide", tab="odds", wo="all", e0=0.45, rel=3)
    shares = re.search(r"More precisely: ([\d.]+ %) and ([\d.]+ %)", view.words).groups()
    assert f"in {shares[0]} of cases if that person is in the data" in told
    assert f"in {shares[1]} if not" in told


def test_it_holds_the_settings_as_they_stood_when_the_button_was_drawn(offered):
    view = View().visit("decide", we=0, wb=1, wbv=0.9)
    make = offered["report"]
    view.visit("decide", we=1, wev=123, wbv=0.6, e0=0.1)
    told = words_of(elsewhere(make))
    assert "becomes at most 90 % sure" in told
    assert "Your numbers are within 10" not in told
    assert "becomes at most 60 % sure" in words_of(elsewhere(offered["report"]))


def test_who_never_opened_decide_gets_its_default_wishes(offered):
    View().visit("overview", e0=0.2)
    told = words_of(elsewhere(offered["report"]))
    assert "Your numbers are within 10 of the truth in 95 of 100 releases" in told
    assert "becomes at most 70 % sure" in told
    assert "Not decided yet: the wishes are examples" in told
    assert "Nobody has made these wishes: they are examples." in told
    assert "2 example releases" in told
    assert "Number of releases 2 (an example)" in told


@pytest.mark.parametrize("mechanism", list(MECHANISMS))
def test_releases_of_a_list_are_in_the_report_where_somebody_made_one(offered, mechanism):
    list_of = re.compile(r"The list of releases on the page Composition \((.*?)\) spends ε = ([\d.]+)")
    view = View().visit("composition", tab="mixed", m=mechanism)
    view.visit("decide", e0=0.2, rel=7)
    assert not list_of.search(words_of(elsewhere(offered["report"]))), "the list is that of the scenario"
    view.visit("composition", tab="mixed", mix="1 0.1_20 0.2_6")
    (spent,) = {
        re.search(r"ε (?:=|from \S+ to) ([\d.]+)", each)[1] for each in view.texts if "distribution gives" in each
    }
    view.visit("decide", e0=0.4)
    listed, told = list_of.search(words_of(elsewhere(offered["report"]))).groups()
    assert (listed, told) == ("20 at ε₀ = 0.1, 6 at ε₀ = 0.2", spent)


@pytest.mark.parametrize("table", ["census", "own"])
def test_what_is_of_the_built_in_table_says_so_first_where_a_file_was_meant(offered, table):
    view = View().visit("your_table", table=table)
    (warned,) = view.warnings or ["nothing"]
    assert warned.startswith("No file of yours is open, and a link holds none: all below is about") == (table == "own")
    report, notebook = (elsewhere(offered[key]) for key in ("report", "notebook_plan"))
    assert ("(of the built-in table, not of yours)" in words_of(report).partition("That covers")[0]) == (table == "own")
    assert ("(of the built-in table, not of yours)" in notebook.splitlines()[7]) == (table == "own")
    view.visit("your_table", table=table, tab="counts")
    assert "built-in" not in elsewhere(offered["notebook_counts"])


@pytest.mark.parametrize("server", ["https://example.org/privacy/", "https://example.org"])
def test_links_open_every_page_with_the_settings(monkeypatch, offered, server):
    monkeypatch.setattr(type(section_downloads.st.context), "url", server)
    view = View().visit("overview", e0=0.2, wev=12)
    html = elsewhere(offered["report"])
    links = [each.replace("&amp;", "&") for each in re.findall(r'<a href="([^"]+)"', html)]
    base = server.rstrip("/")
    assert len(links) == len(PAGES)
    assert links[0].startswith(f"{base}/?v=1&e0=0.2&")
    assert all(set(re.findall(r"[?&](\w+)=", each)) >= KEYS for each in links)
    (decide,) = (each for each in links if each.startswith(f"{base}/decide?"))
    assert "wev=12&" in decide
    assert links[0].partition("?")[2] == view.links["full"]


def test_without_an_address_there_are_no_links(offered):
    View().visit("overview")
    assert "<a " not in elsewhere(offered["report"])


def test_no_link_of_a_file_holds_what_a_reader_typed(offered):
    typed = "HIVclinicAnnaMeier"
    view = View().visit("your_table", ask="count", where="state", cmp="==", val=typed)
    assert typed in view.links["full"]
    for key in ("report", "notebook_plan"):
        assert typed not in elsewhere(offered[key])
