"""What is asked of the papers: the whole catalogue, one claim with numbers of one's own, what rests on what, and the numbering."""

import pickle
import re
from collections import Counter
from dataclasses import replace
from datetime import date
from functools import partial

import pytest
from click.testing import CliRunner

from par_core.claims import CLAIMS, REFUTED, check
from par_core.claims.catalogue import Paper, decide_at
from par_core.claims.dials import steps
from par_core.claims.error_severity import GRAVITIES, gravity
from par_core.claims.inventory import rows
from par_core.claims.root_errors import root_errors
from par_core.claims.theorems import NODES, fates
from par_core.cli import par
from par_core.errors import ParameterError
from par_core.export.catalogue_files import as_html
from par_core.figures import paper_check as figures
from par_core.questions import ListedClaims, Numbering, OpenedClaim, TheoremMap
from par_core.questions.html import told
from par_core.questions.paper_check import catalogue, listed_claims, numbering
from par_core.questions.paper_check.catalogue import Catalogue, CheckedAgain
from par_core.questions.paper_check.theorem_map import around
from par_core.questions.paper_check.verdict_words import compared
from tests.shown import Story, shown

MOST_OF_HEADLINE = 16
WITH_OWN = [each for each in CLAIMS if each.dials]


@pytest.fixture(scope="module")
def found():
    """What became of every claim."""
    return Catalogue().answer()


@pytest.fixture(scope="module")
def verdicts(found):
    return [*found.by_id.values()]


@pytest.fixture(scope="module")
def story(found):
    """Tell the answer to a question about the catalogue."""
    return lambda kind, **asked: Story(kind(**asked).answer(of={Catalogue(): found}.__getitem__))


def table(story):
    cells = story.tables[-1]  # below the root errors
    return {name: [*map(shown, column)] for name, column in cells.items()}


def ids(story):
    return table(story)["Id"]


def words_in(headline):
    return len(re.findall(r"[^\W_][\w.,'’/-]*", headline))


# --- the whole catalogue -----------------------------------------------------------------------------------------------------


def test_what_is_found_in_another_process_comes_over_whole(found):
    assert not [name for name, each in found.by_id.items() if each != check(name)]
    asked, again_asked = (pickle.loads(pickle.dumps(kind().answer)) for kind in (Catalogue, CheckedAgain))
    again = pickle.loads(pickle.dumps(asked()))
    assert callable(again_asked)
    assert again.by_id == found.by_id
    assert again.gravity == {name: gravity(each) for name, each in found.by_id.items()}
    shares = []
    Catalogue().answer(shares.append)
    assert (shares[-1], len(shares)) == (1.0, len(CLAIMS))
    assert {kind().needs() for kind in (ListedClaims, TheoremMap, Numbering)} == {(Catalogue(),)}
    assert (Catalogue().heavy, Catalogue().long) == (True, f"Checking {len(CLAIMS)} claims")


def test_the_headline_counts_the_root_errors_and_the_sentence_what_fails_and_what_flatters(story, verdicts):
    fail = [each for each in verdicts if each.refuted]
    flatter = sum(gravity(each) == "false statement that flatters" for each in fail)
    told = story(ListedClaims)
    roots = root_errors(verdicts)
    most = max(roots, key=lambda each: len(each.falling))
    assert told.headline == f"{len(roots)} root errors; {len(most.falling)} claims fall with {most.place} alone"
    said = f"{len(fail)} of {len(CLAIMS)} claims fail; {flatter} flatter: people are worse off than the paper says."
    assert said in told.texts


def test_the_root_errors_with_which_others_fall_are_told_first_and_all_on_demand(story, verdicts):
    with_others, every, _ = story(ListedClaims).tables
    roots = root_errors(verdicts)
    assert [*with_others["Fall with it"]] == [f"{len(each.falling)}" for each in roots if each.falling]
    for at, each in enumerate(roots):
        assert shown(every["Root error"][at]).casefold().startswith(each.place.casefold())
        assert shown(every["About"][at]) == figures.indexed(each.subject)
        assert (every["Claims"][at], every["Fall with it"][at]) == (f"{len(each.claims)}", f"{len(each.falling)}")
    assert with_others["For example"][0] == "Equation 17, Lemma 11, Theorem 4, …"
    assert len(story(ListedClaims, paper="lecture").tables) == 2, "who filters looks for a claim"


def test_the_bars_are_the_claims_of_each_paper_by_verdict(story, verdicts):
    chart = story(ListedClaims).chart
    counted = Counter((each.claim.paper, figures.OUTCOMES[each.verdict]) for each in verdicts)
    drawn = {
        (paper, name): number
        for name in chart.names
        for paper, number in zip(figures.papers_of(verdicts), chart.curve(f"{name};")[0], strict=True)
        if number
    }
    assert drawn == counted


def test_a_line_says_where_what_and_with_which_numbers(story, found):
    among = listed_claims.holding("calibrated to ε0 exceeds a stronger level").keys
    line = {name: cell for name, (cell,) in table(story(ListedClaims, among=among, paper="final")).items()}
    assert line.pop("Where").startswith("Theorem 4, equation 3")
    theorem_4 = found.by_id["par-theorem-4"]
    assert line == {
        "Verdict": "(Refuted)",
        "What is claimed": "Laplace noise calibrated to ε₀ exceeds a stronger level ε with a risk that T alone decides.",
        "Published": "γ₁ = P(T ≤ ε)/P(T ≤ ε₀)",
        "Recomputed": f"{theorem_4.recomputed:.6g}",
        "Exact": f"{theorem_4.exact:.6g}",
        "How grave": "False statement that flatters",
        "Paper": "Privacy at Risk",
        "Id": "par-theorem-4",
    }


def test_the_list_and_an_opened_claim_say_what_the_map_says(story, verdicts):
    """Of what is not refuted itself and falls with another statement."""
    every = table(story(ListedClaims, most=1000))
    listed = dict(zip(every["Id"], every["How grave"], strict=True))
    reproduced = {each.claim.id for each in verdicts if not each.refuted}
    for fate in fates(verdicts).values():
        for claim in reproduced.intersection((*fate.node.claims, *fate.node.together, *fate.node.where_used)):
            falls = f"Falls with {', '.join(fate.falls_with)}" if fate.outcome == "falls" else ""
            assert listed[claim] == falls
    for claim in ("par-equation-4", "par-figure-1a", "par-figure-1b"):
        assert "What it rests on: Falls with PaR Theorem 4, as the map shows." in opened(claim)


def test_what_is_refuted_comes_first_and_of_that_the_gravest(story, found):
    listed = ids(story(ListedClaims, most=1000))
    assert set(listed) == set(found.by_id)
    heavy = [None, *GRAVITIES]
    weights = [heavy.index(found.gravity[each]) for each in listed]
    assert weights == sorted(weights, reverse=True)
    flattering = [each for each in listed if found.gravity[each] == "false statement that flatters"]
    assert flattering == [each.id for each in CLAIMS if each.id in flattering], "else in the order of the papers"


@pytest.mark.parametrize(("value", "shown_as"), [
    (56438.1013, "56,438.1013"), (-0.5, "-0.5"), (1000.0, "1,000"), (1e-6, "10⁻⁶"), (-2.5e-7, "-2.5·10⁻⁷"),
    ((1234.0, 1.0), "(1,234, 1)"), ((1, 2, 3, 4, 5), "(1, 2, 3, 4, … of 5 numbers)"),
])  # fmt: skip
def test_a_number_is_written_as_people_write_it(value, shown_as):
    assert figures.told(value) == shown_as


def test_exponents_are_raised_and_a_greek_letter_at_the_head_stays_small():
    assert (
        figures.indexed("δ = 10^−5 at ε0, F^(−1)(1) and e^(-2), e^ε, 2^(1−n)")
        == "δ = 10⁻⁵ at ε₀, F⁻¹(1) and e⁻², e^ε, 2^(1−n)"
    )
    assert figures.quantity(check("edp-total-risk-example").claim) == "δ* at ε = 0.085"
    assert figures.quantity(check("lecture-posterior").claim) == "Belief after the answer"


@pytest.mark.parametrize(
    ("asked", "is_left"),
    [
        ({"paper": "empirical"}, lambda each: each.claim.paper is Paper.EMPIRICAL),
        ({"verdict": "needs-data"}, lambda each: each.verdict == "needs data"),
        ({"gravity": "wrong-number"}, lambda each: gravity(each) == "wrong number"),
        ({"paper": "lecture", "verdict": "refuted"}, lambda each: each.claim.paper is Paper.LECTURE and each.refuted),
    ],
)
def test_the_filters_leave_what_they_say(story, verdicts, asked, is_left):
    left = story(ListedClaims, **asked, most=1000)
    assert set(ids(left)) == {each.claim.id for each in verdicts if is_left(each)} != set()
    many = len(ids(left))
    assert f"{many} of {many} claims" in left.texts
    assert [each for each in left.chart.figure["data"] if each.get("opacity")], "the others are pale"
    assert f"{many} are listed below" in left.chart.alt
    assert ListedClaims(**asked, most=1).answer().numbers()["listed"].value == many


def test_what_is_searched_for_is_told_above_the_chart_and_listed_as_found(story):
    asked = ("lecture-posterior", "par-theorem-4")
    told = story(ListedClaims, among=asked)
    assert (*ids(told),) == asked, "the best first, not the gravest"
    assert "2 claims found. First: Page 6 (Lecture) (Refuted)" in shown(told.words)
    assert "Nothing has these words as typed. Nearest: Page 6 (Lecture)" in shown(
        story(ListedClaims, among=asked, nearest=True).words
    )
    assert "Nothing is found." in story(ListedClaims, among=()).words


def test_where_nothing_is_left_that_is_said_and_more_is_offered_where_there_is_more(story):
    nothing = story(ListedClaims, among=())
    assert "No claim matches these filters." in nothing.texts
    assert not [each for each in nothing.tables if "Id" in each]
    assert story(ListedClaims).takes == {"Show more": {"most": 60}}
    assert not story(ListedClaims, most=1000).takes


@pytest.mark.parametrize(("kind", "asked", "given"), [
    (ListedClaims, {"paper": "final", "verdict": "refuted", "among": ("par-theorem-4",)},
     {"Paper": "Privacy at Risk", "Verdict": "Refuted", "Claims that hold the words searched for": "1", "Claims listed, at most": "20"}),
    (ListedClaims, {"gravity": "wrong-number", "most": 1000}, {"How grave": "Wrong number", "Claims listed, at most": "1,000"}),
    (OpenedClaim, {"own": (1.0, 0.2)}, {"Claim": check("par-theorem-4").claim.source, "ε₀": "1", "ε": "0.2"}),
    (TheoremMap, {"around": "EDP Theorem 1"}, {"Around": "Empirical DP, Theorem 1"}),
    (Numbering, {"text": "lecture", "among": (1, 2)},
     {"Text": "Lecture", "Statements that hold the words searched for": "2", "Statements listed, at most": "30"}),
])  # fmt: skip
def test_a_report_lists_what_was_asked(kind, asked, given):
    assert kind(**asked).given == given


@pytest.mark.parametrize(("kind", "asked"), [
    (ListedClaims, {"paper": "x"}), (ListedClaims, {"verdict": "x"}), (ListedClaims, {"gravity": "x"}),
    (ListedClaims, {"among": ("par-theorem-99",)}), (ListedClaims, {"most": 0}), (OpenedClaim, {"claim": "par-theorem-99"}),
    (OpenedClaim, {"own": (1.0,)}), (OpenedClaim, {"own": (0.0, 0.5)}), (OpenedClaim, {"claim": "par-figure-1a", "own": (1.0,)}),
    (OpenedClaim, {"claim": "par-theorem-3-with-theorem-4", "own": (0.5, 1.5)}), (TheoremMap, {"around": "x"}),
    (Numbering, {"text": "x"}), (Numbering, {"among": (-1,)}), (Numbering, {"most": 0}),
])  # fmt: skip
def test_what_is_not_there_is_refused(kind, asked):
    with pytest.raises(ParameterError):
        kind(**asked)


# --- all again ------------------------------------------------------------------------------------------------------------


def again(monkeypatch, before, after):
    monkeypatch.setattr(catalogue, "check_all", lambda **_: after)
    question = CheckedAgain(before=tuple(each.verdict for each in before), program="1.0")
    (said,) = question.answer().story()
    return said


def test_all_is_checked_again_and_said_to_be_as_before(monkeypatch, verdicts):
    said = again(monkeypatch, verdicts, verdicts)
    words = (
        rf"All {len(CLAIMS)} verdicts as before, after [\d.]+ seconds, with Privacy at Risk explorer 1.0, .*NumPy \d"
    )
    assert re.match(words, said.told())
    assert type(said).__name__ == "Holds"


def test_a_verdict_that_comes_out_otherwise_is_named(monkeypatch, verdicts):
    other = [replace(each, verdict="reproduced") if each.claim.id == "par-theorem-4" else each for each in verdicts]
    said = again(monkeypatch, verdicts, other)
    assert said.told().startswith("1 verdict changed: par-theorem-4, after")
    assert type(said).__name__ == "Fails"


def test_the_command_line_and_the_file_say_the_same(verdicts):
    headline = ListedClaims().answer().headline
    run = partial(CliRunner().invoke, par, catch_exceptions=False)
    assert run(["check"]).stdout.startswith(f"{headline}.\n")
    assert f"<h1>{headline}</h1>" in as_html(verdicts, version="1.0", date=date(2026, 1, 31))
    lines = run(["check", "par-theorem-4"]).stdout.splitlines()
    assert lines[0] == "1 of 1 claim fails."
    assert f"What decided: {lines[-1].strip()}" in opened()


# --- a claim, opened --------------------------------------------------------------------------------------------------------


def opened(claim="par-theorem-4", **asked):
    return shown(Story(OpenedClaim(claim=claim, **asked).answer()).words)


def test_every_claim_has_a_short_headline_a_sentence_and_a_picture_and_is_read_letter_by_letter(verdicts):
    for each in verdicts:
        answer = OpenedClaim(claim=each.claim.id).answer()
        assert words_in(answer.headline) <= MOST_OF_HEADLINE, answer.headline
        sentence = compared(each)
        assert sentence.endswith(".")
        assert (each.rule is None) is not bool(re.match("The (truth is|paper’s own formula gives) ", sentence))
        if answer.chart:
            answer.chart.draw().figure()
        else:
            assert each.rule is None
        statement = f"{figures.indexed(each.claim.statement)} ({figures.OUTCOMES[each.verdict]})"
        assert statement in shown(Story(answer).words)
        assert not re.search("\\\\|\0|\3", re.sub("<[^>]+>", "", told(answer.story()))), "on paper"


def test_an_opened_claim_says_how_it_was_tested_and_how_grave_it_is():
    words, found = opened(), check("par-theorem-4")
    assert words.startswith("Theorem 4: this claim is false, and people are worse off")
    for line in (
        f"What decided: The truth is {found.exact:.6g}; the paper’s formula says at most {found.recomputed:.6g}.",
        "How grave: False statement that flatters. What is claimed is false, and people are worse off than it says.",
        f"Why: {figures.indexed(found.claim.explanation)}",
        f"Counterexample: {figures.indexed(found.case)}",
        "Computed by: mechanisms.Laplace.loss_exceeds, published.explicit.risk",
        "(preprint: Theorem 10; first preprint: Theorem 12)",
        f"Privacy at Risk: {figures.indexed(found.claim.statement)} (Refuted)",
        "Numbers: P(|loss| > ε) of one release, for a query with one number: published γ₁",
    ):
        assert line in words
    assert "Badge on other pages" not in words
    assert "Privacy at Risk, first preprint: " in opened("par-first-preprint-lemma-11")
    chart = Story(OpenedClaim().answer()).chart
    assert [chart.curve(name)[0].tolist() for name in ("Recomputed;", "Exact;")] == [[found.recomputed], [found.exact]]
    assert chart.trace("the claim fails by so much")


def test_a_claim_that_is_reproduced_says_that_this_protects_nobody():
    words = opened("par-figure-1a")
    assert "Badge on other pages: (Unproven)" in words
    assert "Convention: The axis shows the risk" in words
    assert "Here it" not in words


def test_a_claim_without_data_says_what_is_missing():
    words = opened("edp-figure-2")
    assert "Figure 2: this claim cannot be checked without its data" in words
    assert "What decided: Cannot be recomputed without NOAA" in words
    assert "There is no number to draw: cannot be recomputed without NOAA" in words


def test_the_numbers_are_those_of_the_comparison_each_with_its_worth():
    own = OpenedClaim(own=(1.0, 0.2)).answer().numbers()
    there = decide_at(check("par-theorem-4").claim, 1.0, 0.2)
    assert {name: each.value for name, each in own.items()} == {"recomputed": there.recomputed, "exact": there.exact}
    assert [each.evidence.basis.value for each in own.values()] == ["as published", "proven"]
    several = OpenedClaim(claim="par-figure-1a").answer().numbers()
    assert [several[f"recomputed_{at}"].value for at in range(1, 10)] == [*check("par-figure-1a").recomputed]


def test_numbers_of_ones_own_change_the_verdict_and_the_picture():
    claim = check("par-theorem-4").claim
    assert f"Here it fails: {compared(check('par-theorem-4'))}" in opened(), "where the catalogue looks"
    there = decide_at(claim, 1.0, 0.2)
    assert there.refuted
    own = Story(OpenedClaim(own=(1.0, 0.2)).answer())
    assert f"Here it fails: {compared(there)}" in shown(own.words)
    assert f"Drawn for {figures.indexed(there.case)}." in shown(own.words)
    assert own.chart.curve("Exact;")[0].tolist() == [there.exact]
    assert own.takes == {"Go to where it holds": {"own": claim.holds_at}, "Back to the catalogue’s case": {"own": ()}}
    holds = Story(OpenedClaim(own=claim.holds_at).answer())
    assert "Here it happens to hold" in holds.words
    assert [*holds.takes] == ["Back to the catalogue’s case"]
    nowhere = Story(OpenedClaim(claim="par-equation-17").answer())
    assert "It fails wherever these dials reach." in nowhere.texts
    assert not nowhere.takes


def test_every_refuted_claim_has_dials_whose_stops_lie_within_them(verdicts):
    assert {each.claim.id for each in verdicts if each.verdict == REFUTED} <= {each.id for each in WITH_OWN}
    for claim in WITH_OWN:
        for each in claim.dials:
            stops = steps(each)
            assert stops == sorted(set(stops)), claim.id
            assert (stops[0], stops[-1]) == (each.at_least, each.at_most), claim.id
            assert each.default in stops
            assert 2 < len(stops) < 110, (claim.id, each, len(stops))
            assert not each.whole or all(stop == int(stop) for stop in stops)


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


def test_the_map_opens_around_theorem_4_and_counts_what_falls(story, verdicts):
    told, found = story(TheoremMap), fates(verdicts)
    rest = [name for name in around("PaR Theorem 4") if "PaR Theorem 4" in around(name)]
    over = rest[rest.index("PaR Theorem 4") + 1 :]
    down = sum(found[name].outcome in ("falls", "fails by itself") for name in over)
    assert told.headline == f"Theorem 4 fails; {down} of {len(over)} statements needing it fail"
    assert down >= 15
    assert len(told.chart.figure["layout"]["yaxis"]["ticktext"]) == len(around("PaR Theorem 4"))
    assert table(told)["Statement"] == around("PaR Theorem 4")


def test_the_fate_of_a_statement_says_with_what_it_falls(story, verdicts):
    cells = table(story(TheoremMap, around="PaR Theorem 6"))
    at, found = cells["Statement"].index("PaR Theorem 6"), fates(verdicts)["PaR Theorem 6"]
    assert found.outcome == "falls"
    assert cells["What became of it"][at] == f"(Falls) with {', '.join(found.falls_with)}"
    assert "PaR Theorem 4" in cells["Rests on"][at]


def test_the_headline_of_the_map_is_short_for_any_statement(story):
    for focus in ("all", *(each.name for each in NODES)):
        headline = shown(story(TheoremMap, around=focus).headline)
        assert words_in(headline) <= MOST_OF_HEADLINE, headline


# --- the numbering --------------------------------------------------------------------------------------------------------


def test_the_numbers_of_a_theorem_in_all_versions_stand_side_by_side(story):
    cells = table(story(Numbering, among=numbering.holding("theorem 12", "risk").keys))
    at = cells["First preprint"].index("Theorem 12")
    assert (cells["PoPETs 2021"][at], cells["Preprint"][at]) == ("Theorem 4", "Theorem 10")
    assert "(Refuted)" in cells["Claims"][at]


def test_the_numbering_counts_every_statement_of_every_text(story):
    told = story(Numbering)
    checked = sum(bool(each.claims) for each in rows())
    assert told.headline == f"{checked} of {len(rows())} statements have numbers to check"
    assert any(each.startswith(f"The {len(CLAIMS)} claims check them") for each in told.texts)
    for at, paper in enumerate(Paper):
        stated = sum(paper in each.places for each in rows())
        assert sum(told.chart.curve(name)[0][at] for name in told.chart.names) == stated
    assert told.takes == {"Show more": {"most": 90}}
    for key in ("risk", "empirical", "lecture"):
        assert len(table(story(Numbering, text=key, most=2))["Claims"]) == 2
    assert "No statement matches these words." in story(Numbering, among=()).texts
