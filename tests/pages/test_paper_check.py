"""Paper check: the whole ledger as a list, a claim opened and refuted with own numbers, the map, the numbering."""

import re
from collections import Counter
from urllib.parse import parse_qsl

import pytest

from pages import paper_check
from pages.paper_check import ledger_found, theorem_map
from pages.paper_check.theorem_map import around
from pages.paper_check.verdict_words import compared, headline
from pages.shared import frame
from pages.shared.scenario_sidebar import PRESENT
from pages.shared.sections import DIAL
from pages.shared.settings import scenario_settings
from pages.shared.tour import STOP
from par_core.claims import CLAIMS, REFUTED, check
from par_core.claims.dials import steps
from par_core.claims.gravity import GRAVITIES, gravity
from par_core.claims.inventory import rows
from par_core.claims.ledger import Paper, decide_at
from par_core.claims.theorems import NODES, fates
from par_core.figures import paper_check as figures
from tests.pages.conftest import plain, shown

MOST_OF_HEADLINE = 16
WITH_OWN = [each for each in CLAIMS if each.own is not None]


@pytest.fixture(scope="module")
def verdicts():
    """What became of every claim, as the page has it."""
    return ledger_found.known()


@pytest.fixture
def page(open_page):
    """Open a section with settings."""
    return lambda tab="claims", **settings: open_page("paper_check", tab=tab, **settings)


def table(view):
    (found,) = (each.value for each in view.app.table)
    return found


def ids(view, column="Where"):
    """The claims that a table leads to, row by row."""
    return [re.search(r"claim=([a-z0-9-]+)\)", cell)[1] for cell in table(view)[column]]


def words(markdown):
    return shown(plain(markdown))


# --- the list -----------------------------------------------------------------------------------------------------------


def test_the_headline_counts_what_fails_and_what_flatters(page, verdicts):
    view = page()
    fail = [each for each in verdicts if each.refuted]
    flatter = sum(gravity(each) == "false statement that flatters" for each in fail)
    assert f"## {len(fail)} of {len(CLAIMS)} claims fail" in view.texts
    assert f"{flatter} of them flatter: people are worse off than the paper says." in view.texts


def test_the_bars_are_the_claims_of_each_paper_by_verdict(page, verdicts):
    chart = page().charts["verdicts_by_paper"]
    counted = Counter((each.claim.paper, figures.OUTCOMES[each.verdict]) for each in verdicts)
    drawn = {
        (paper, name): number
        for name in chart.names
        for paper, number in zip(figures.papers_of(verdicts), chart.curve(f"{name};")[0], strict=True)
        if number
    }
    assert drawn == counted


def test_a_line_says_where_what_and_with_which_numbers(page, verdicts):
    view = page(qt="calibrated to ε0 exceeds a stronger level", qp="final")
    by_id = {each.claim.id: each for each in verdicts}
    assert ids(view) == ["par-theorem-4"]
    line = {name: words(cells.iloc[0]) for name, cells in table(view).items()}
    assert line.pop("Where").startswith("[Theorem 4, equation 3]")
    found = by_id["par-theorem-4"]
    assert line == {
        "Verdict": "(Refuted)",
        "What is claimed": "Laplace noise calibrated to ε₀ exceeds a stronger level ε with a risk that T alone decides.",
        "Published": "γ₁ = P(T ≤ ε)/P(T ≤ ε₀)",
        "Recomputed": f"{found.recomputed:.6g}",
        "Exact": f"{found.exact:.6g}",
        "How grave": "False statement that flatters",
        "Paper": "Privacy at Risk",
        "Id": "par-theorem-4",
    }


def test_the_list_and_an_opened_claim_say_what_the_map_says(page, verdicts):
    """Of what is not refuted itself and falls with another statement."""
    view = page(qn=1000)
    listed = dict(zip(ids(view), map(words, table(view)["How grave"]), strict=True))
    reproduced = {each.claim.id for each in verdicts if not each.refuted}
    for fate in fates(verdicts).values():
        for claim in reproduced.intersection((*fate.node.claims, *fate.node.together, *fate.node.where_used)):
            falls = f"Falls with {', '.join(fate.falls_with)}" if fate.outcome == "falls" else ""
            assert listed[claim] == falls
    for claim in ("par-equation-4", "par-figure-1a", "par-figure-1b"):
        assert "What it rests on: Falls with PaR Theorem 4, as the map shows." in words(page(claim=claim).words)


def test_what_is_refuted_comes_first_and_of_that_the_gravest(page, verdicts):
    listed = ids(page(qn=1000))
    by_id = {each.claim.id: each for each in verdicts}
    assert set(listed) == set(by_id)
    heavy = [None, *GRAVITIES]
    weights = [heavy.index(gravity(by_id[each])) for each in listed]
    assert weights == sorted(weights, reverse=True)
    flattering = [each for each in listed if gravity(by_id[each]) == "false statement that flatters"]
    assert flattering == [each.id for each in CLAIMS if each.id in flattering], "else in the order of the papers"


@pytest.mark.parametrize(
    ("value", "shown_as"),
    [
        (56438.1013, "56,438.1013"),
        (-0.5, "-0.5"),
        (1000.0, "1,000"),
        (1e-6, "10⁻⁶"),
        (-2.5e-7, "-2.5·10⁻⁷"),
        ((1234.0, 1.0), "(1,234, 1)"),
        ((1, 2, 3, 4, 5), "(1, 2, 3, 4, … of 5 numbers)"),
    ],
)
def test_a_number_is_written_as_people_write_it(value, shown_as):
    assert figures.told(value) == shown_as


@pytest.mark.parametrize(
    ("settings", "is_left"),
    [
        ({"qp": "empirical"}, lambda each: each.claim.paper is Paper.EMPIRICAL),
        ({"qv": "needs-data"}, lambda each: each.verdict == "needs data"),
        ({"qg": "wrong-number"}, lambda each: gravity(each) == "wrong number"),
        ({"qp": "lecture", "qv": "refuted"}, lambda each: each.claim.paper is Paper.LECTURE and each.refuted),
        ({"qt": "HAUSDORFF"}, lambda each: "hausdorff" in f"{each.claim.statement} {each.claim.explanation}".lower()),
    ],
)
def test_the_filters_leave_what_they_say(page, verdicts, settings, is_left):
    view = page(**settings, qn=1000)
    left = {each.claim.id for each in verdicts if is_left(each)}
    assert left
    assert set(ids(view)) >= left if "qt" in settings else set(ids(view)) == left
    assert f"{len(ids(view))} of {len(ids(view))} claims" in view.texts
    chart = view.charts["verdicts_by_paper"]
    pale = [each for each in chart.figure["data"] if each.get("opacity")]
    assert pale
    assert f"{len(ids(view))} are listed below" in chart.alt


def test_where_nothing_is_left_the_page_says_so(page):
    view = page(qt="zebra")
    assert "No claim matches these filters." in view.texts
    assert not view.app.table


def test_a_click_on_a_bar_shows_these_claims(page, verdicts):
    view = page()
    chart = view.charts["verdicts_by_paper"]
    curve, row = chart.names.index("Refuted"), figures.papers_of(verdicts).index(Paper.LECTURE)
    click(view, "verdicts_by_paper", {"curve": curve, "index": row, "x": 1, "y": 1})
    left = {each.claim.id for each in verdicts if each.refuted and each.claim.paper is Paper.LECTURE}
    assert set(ids(view)) == left
    assert (view.links["address"].count("qp=lecture"), view.links["address"].count("qv=refuted")) == (1, 1)


def click(view, chart, point):
    from streamlit.components.v2.bidi_component.main import _make_trigger_id

    (id_,) = (each.proto.id for each in view.app.get("bidi_component") if f'"name": "{chart}"' in each.proto.json)
    view._events.append((_make_trigger_id(id_, "events"), {"event": "click", "value": [point]}))
    return view.run()


def test_more_is_shown_on_demand(page):
    view = page()
    assert len(ids(view)) == 20
    assert len(ids(view.press("Show more"))) == 60


def test_the_files_hold_every_claim_whatever_the_filters(page, files):
    page(qp="lecture")
    for key, named in (("csv_claims", '"par-theorem-4",'), ("html_claims", 'id="par-theorem-4"')):
        text = files[key]()
        assert named in text
        assert sum(each.id in text for each in CLAIMS) == len(CLAIMS)
        assert "paper_check?" not in text, "a link of the page leads nowhere from a file"


# --- all again ------------------------------------------------------------------------------------------------------------


def check_all(monkeypatch, verdicts):
    def again(*, progress):
        progress(0.5)
        return verdicts

    monkeypatch.setattr(ledger_found, "check_all", again)


def test_all_is_checked_again_and_said_to_be_as_before(page, monkeypatch, verdicts):
    view = page()
    check_all(monkeypatch, verdicts)
    (said,) = (each.value for each in view.press("Check all again").app.success)
    assert re.match(
        rf"All {len(CLAIMS)} verdicts as before, after [\d.]+ seconds, with Privacy at Risk explorer .*NumPy \d", said
    )


def test_a_verdict_that_comes_out_otherwise_is_named(page, monkeypatch, verdicts):
    other = tuple(check("par-theorem-1") if each.claim.id == "par-theorem-4" else each for each in verdicts)
    view = page()
    check_all(monkeypatch, other)
    (said,) = (each.value for each in view.press("Check all again").app.error)
    assert said.startswith("1 verdicts changed: par-theorem-1")


# --- a claim, opened --------------------------------------------------------------------------------------------------------


def test_every_claim_has_a_short_headline_a_sentence_and_a_picture_that_plotly_takes(verdicts):
    for each in verdicts:
        told = shown(headline(each)).removeprefix("## ")
        assert len(re.findall(r"[^\W_][\w.,'’/-]*", told)) <= MOST_OF_HEADLINE, told
        sentence = shown(compared(each))
        assert sentence.endswith(".")
        assert (each.rule is None) is not bool(re.match("The (truth is|paper’s own formula gives) ", sentence))
        if drawing := figures.claim_numbers(each):
            drawing.figure()
        else:
            assert each.rule is None


def test_an_opened_claim_says_how_it_was_tested_and_how_grave_it_is(page):
    view, found = page(claim="par-theorem-4"), check("par-theorem-4")
    told = words(view.words)
    assert "## Theorem 4: this claim is false, and people are worse off" in told
    for line in (
        f"What decided: The truth is {found.exact:.6g}; the paper’s formula says at most {found.recomputed:.6g}.",
        "How grave: False statement that flatters. What is claimed is false, and people are worse off than it says.",
        f"Why: {figures.indexed(found.claim.explanation)}",
        f"Counterexample: {figures.indexed(found.case)}",
        "Computed by: mechanisms.Laplace.loss_exceeds, published.explicit.risk",
        "(preprint: Theorem 10; first preprint: Theorem 12)",
    ):
        assert line in told
    assert "Badge elsewhere" not in told
    chart = view.charts["claim_numbers"]
    assert [chart.curve(name)[0].tolist() for name in ("Recomputed;", "Exact;")] == [[found.recomputed], [found.exact]]
    assert chart.trace("the claim fails by so much")
    pages = [each.label for each in view.app.get("page_link")]
    assert ":primary[Explicit risk]" in pages


def test_a_claim_that_is_reproduced_says_that_this_protects_nobody(page):
    view = page(claim="par-figure-1a")
    assert "Badge elsewhere: (Unproven)" in view.words
    assert "Convention: The axis shows the risk" in words(view.words)
    assert not {*view.dials} & {"own1", "own2"}
    assert ":primary[Figure 1a, redrawn]" in [each.label for each in view.app.get("page_link")]


def test_a_claim_without_data_says_what_is_missing(page):
    view = page(claim="edp-figure-2")
    assert "## Figure 2: this claim cannot be checked without its data" in view.words
    assert "What decided: Cannot be recomputed without NOAA" in words(view.words)


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


def test_who_comes_from_another_page_is_led_back_there(page, open_page):
    view = open_page("composition", tab="mixed", e0=0.8)
    view.visit("paper_check", tab="claims", claim="par-corollary-1-with-theorem-4", click=417)
    assert not view.warnings
    assert ":primary[← Back to Composition]" in [each.label for each in view.app.get("page_link")]
    view.visit("composition")
    assert view.open_section == "Mixed releases"
    assert "e0=0.8" in view.links["address"]
    assert not [each for each in page(claim="par-theorem-4").app.get("page_link") if "Back" in each.label]


@pytest.mark.parametrize("claim", ["", "par-theorem-4", "par-figure-1a"])
def test_a_presenter_shows_the_picture_alone(page, claim):
    view = page(present=1, claim=claim)
    assert view.charts
    assert not view.app.table
    assert "What decided" not in view.words
    assert "Leave presenter view" in [each.label for each in view.app.button]


def test_one_click_more_on_the_same_link_is_heard(page):
    view = page(claim="par-theorem-4", click=1)
    view.press("All claims")
    view.visit("paper_check", tab="claims", claim="par-theorem-4", click=2)
    assert "claim=par-theorem-4" in view.links["address"]


# --- with the reader's own numbers ---------------------------------------------------------------------------------------------


def test_at_first_the_dials_stand_where_the_ledger_looks(page):
    view = page(claim="par-theorem-4")
    assert [view.dials[each].value for each in ("own1", "own2")] == [1.0, 0.5]
    assert f"Here it fails: {words(compared(check('par-theorem-4')))}" in said(view)


def said(view):
    return words("\n".join(each.value for kind in (view.app.error, view.app.success) for each in kind))


def test_turning_a_dial_changes_the_verdict_and_the_numbers(page):
    view = page(claim="par-theorem-4").turn("own2", 0.2)
    there = decide_at(check("par-theorem-4").claim, 1.0, 0.2)
    assert there.refuted
    assert f"Here it fails: {words(compared(there))}" in said(view)
    assert view.charts["claim_numbers"].curve("Exact;")[0].tolist() == [there.exact]
    assert "own=1_0.2" in view.links["address"]
    assert "Here it happens to hold" in said(view.turn("own2", 1.0))
    assert "Here it fails" in said(view.press("Back to the ledger"))
    assert "own=" not in view.links["address"]


def test_a_button_leads_to_where_the_claim_happens_to_hold(page):
    view = page(claim="par-theorem-4").press("Go to where it holds")
    assert "Here it happens to hold" in said(view)
    assert (view.dials["own1"].value, view.dials["own2"].value) == check("par-theorem-4").claim.own.holds_at
    nowhere = page(claim="par-equation-17")
    assert "It fails wherever these dials reach." in nowhere.texts
    assert not [each for each in nowhere.app.button if each.label.startswith("Go to")]


@pytest.mark.parametrize("asked", ["1", "1_x", "1_0.5_2", "0_0.5", "1_99", "zebra"])
def test_numbers_of_ones_own_that_cannot_be_used_are_named(page, asked):
    view = page(claim="par-theorem-4", own=asked)
    (warned,) = view.warnings
    assert f"“{asked}”, which cannot be used" in warned
    assert [view.dials[each].value for each in ("own1", "own2")] == [1.0, 0.5]


def test_numbers_belong_to_their_claim(page):
    view = page(claim="par-theorem-4", own="1_0.2")
    view.visit("paper_check", tab="claims", claim="par-lemma-9")
    assert "own=" not in view.links["address"]
    assert "is false" in view.words
    assert page(own="1_0.2").warnings, "without a claim there is nothing to turn"


def test_every_refuted_claim_has_dials_whose_stops_lie_within_them(verdicts):
    assert {each.claim.id for each in verdicts if each.verdict == REFUTED} <= {each.id for each in WITH_OWN}
    for claim in WITH_OWN:
        for each in claim.own.dials:
            stops = steps(each)
            assert stops == sorted(set(stops)), claim.id
            assert (stops[0], stops[-1]) == (each.at_least, each.at_most), claim.id
            assert each.default in stops
            assert 2 < len(stops) < 110, (claim.id, each, len(stops))
            assert not each.whole or all(stop == int(stop) for stop in stops)


# --- links --------------------------------------------------------------------------------------------------------------


EVERY = {
    "claims": {
        "qp": "final",
        "qv": "refuted",
        "qg": "false-statement-that-flatters",
        "qt": "noise",
        "qn": 7,
        "claim": "par-theorem-4",
        "own": "2_0.3",
    },
    "map": {"qf": "PaR Lemma 2"},
    "numbering": {"qw": "lecture", "qk": "coins", "qm": 3},
}


def test_every_setting_is_in_the_test_of_links():
    keys = {setting.key for setting in frame.settings_of(paper_check.PAGE)}
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


@pytest.mark.parametrize(
    ("key", "asked"),
    [
        ("claim", "par-theorem-99"),
        ("qp", "x"),
        ("qv", "x"),
        ("qg", "x"),
        ("qn", "0"),
        ("qf", "x"),
        ("qw", "x"),
        ("qt", "x" * 3000),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(page, key, asked):
    (warned,) = page(**{key: asked}).warnings
    assert "cannot be used" in warned


# --- the map ------------------------------------------------------------------------------------------------------------


def test_around_a_statement_lies_what_it_rests_on_and_what_rests_on_it():
    nodes = {each.name: each for each in NODES}
    found = around("PaR Theorem 6")
    assert {"PaR Definition 1", "PaR Theorem 4", "PaR Equation 7"} <= set(found)
    assert not {"PaR Figure 4", "EDP Theorem 1"} & set(found)
    assert [*nodes] == around("all")
    for name in nodes:
        for under in (*nodes[name].rests_on, *nodes[name].proof):
            assert under in around(name)
            assert name in around(under)


def test_the_map_opens_around_theorem_4_and_counts_what_falls(page, verdicts):
    view, found = page("map"), fates(verdicts)
    rest = [name for name in around("PaR Theorem 4") if name in found and "PaR Theorem 4" in around(name)]
    over = rest[rest.index("PaR Theorem 4") + 1 :]
    down = sum(found[name].outcome in ("falls", "fails by itself") for name in over)
    assert f"## Theorem 4 fails; {down} of {len(over)} statements needing it fail" in view.texts
    assert down >= 15
    chart = view.charts["theorem_map"]
    assert len(chart.figure["layout"]["yaxis"]["ticktext"]) == len(around("PaR Theorem 4"))
    assert [words(each).split("]")[0].lstrip("[") for each in table(view)["Statement"]] == around("PaR Theorem 4")


def test_the_fate_of_a_statement_says_with_what_it_falls(page, verdicts):
    view = page("map", qf="PaR Theorem 6")
    line = table(view).set_index(table(view)["Statement"].map(lambda cell: words(cell).split("]")[0].lstrip("[")))
    found = fates(verdicts)["PaR Theorem 6"]
    assert found.outcome == "falls"
    assert words(line.loc["PaR Theorem 6", "What became of it"]) == f"(Falls) with {', '.join(found.falls_with)}"
    assert "PaR Theorem 4" in words(line.loc["PaR Theorem 6", "Rests on"])


def test_a_statement_leads_to_its_claim_by_its_link_and_by_a_click_in_the_map(page):
    view = page("map")
    assert "(paper_check?tab=claims&claim=par-theorem-4)" in "".join(table(view)["Statement"])
    names = around("PaR Theorem 4")
    row = len(names) - names.index("PaR Theorem 4")
    click(view, "theorem_map", {"curve": 5, "index": 0, "x": 5, "y": row})
    assert view.open_section == "Claims"
    assert "## Theorem 4: this claim is false" in view.words


def test_the_headline_of_the_map_is_short_for_any_statement(verdicts):
    found = fates(verdicts)
    for focus in ("all", *found):
        told = shown(theorem_map.headline(focus, found))
        assert len(re.findall(r"[^\W_][\w.,'’/-]*", told)) <= MOST_OF_HEADLINE, told


# --- the numbering --------------------------------------------------------------------------------------------------------


def test_the_numbers_of_a_theorem_in_all_versions_stand_side_by_side(page):
    view = page("numbering", qk="Theorem 12")
    found = table(view)
    (line,) = (each for _, each in found.iterrows() if words(each["First preprint"]) == "Theorem 12")
    assert (words(line["PoPETs 2021"]), words(line["Preprint"])) == ("Theorem 4", "Theorem 10")
    assert "[:red-badge[Refuted]](paper_check?tab=claims&claim=par-theorem-4)" in line["Claims"]


def test_the_numbering_counts_every_statement_of_every_text(page):
    view = page("numbering")
    checked = sum(bool(each.claims) for each in rows())
    assert f"## {checked} of {len(rows())} statements have numbers to check" in view.texts
    assert any(each.startswith(f"The {len(CLAIMS)} claims check them") for each in view.texts)
    drawn = view.charts["inventory"]
    for at, paper in enumerate(Paper):
        stated = sum(paper in each.places for each in rows())
        assert sum(drawn.curve(name)[0][at] for name in drawn.names) == stated
    for key in ("risk", "empirical", "lecture"):
        assert len(table(page("numbering", qw=key, qm=2))) == 2
