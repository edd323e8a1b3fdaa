"""One quantity is one number: in the sentence, on the chart, under the pointer and in the table beside it."""

import re

import pytest

from par_core.composition import exact
from par_core.cost import CostModel
from par_core.evidence import quantity_of
from par_core.figures.quantities import format_quantity as told
from par_core.lab import coins, quiz
from par_core.lab.clamping import clamped_noise
from par_core.lab.published_records import published_records
from par_core.mechanisms import Laplace, max_posterior
from par_core.published import explicit
from par_core.questions import AffordableLevels, BudgetForBreach, ClaimedSaving, ComparedBudgets
from par_core.rounding import brief, percent
from par_core.scenario import Scenario
from tests.shown import Story


def written(share, *, toward="near"):
    return percent(share, toward=toward).replace("\u00a0", " ")


def marks(chart):
    return [text.replace("\u00a0", " ") for _, _, text in chart.own]


def under_the_pointer(chart, *words, at):
    """What a curve tells at one of its places."""
    trace = chart.trace(*words)
    told = trace["customdata"][list(chart.curve(*words)[0]).index(at)]
    return told if isinstance(told, str) else told[0]


@pytest.mark.parametrize("tab", ["dimension", "level", "truth"])
def test_the_claimed_risk_and_the_true_one(open_page, tab):
    shown = open_page("explicit_risk", tab=tab, e0=1, e=0.5)
    claimed, true = written(explicit.risk(0.5, 1.0)), written(Laplace(1.0).loss_exceeds(0.5), toward="up")
    assert (claimed, true) == ("37.8 %", "84.7 %")
    told = f"Privacy loss exceeds ε = 0.5 in {true} (Proven) of releases at worst; the paper claims {claimed} (Refuted)"
    assert f"## {told}" in shown.texts
    expected = [f"ε = 0.5: {true}"] if tab == "truth" else [f"claimed {claimed}", f"true {true}"]
    assert marks(shown.chart) == expected
    assert {claimed, true} <= set(re.findall(r"\d+\.\d+ %", shown.chart.alt.replace("\u00a0", " ")))


def test_a_belief(open_page):
    shown = open_page("explicit_risk", tab="attacker", e0=0.5)
    assert "an attacker 50 % sure becomes at most 62.3 %" in shown.texts, "the strip"
    assert "## An attacker 50 % sure becomes at most 62.3 % sure from one release with ε₀ = 0.5" in shown.texts
    assert [mark for chart in shown.charts.values() for mark in marks(chart)] == ["50 % becomes 62.3 %"]


def test_a_truth_between_two_ends_is_told_with_the_digits_of_its_headline(open_page):
    shown = open_page("explicit_risk", tab="truth", e0=0.5, e=0.4)
    shown.app.session_state["known_change"] = True
    (told,) = re.findall(r"loss with noise for ε₀ = 0.5 exceeds ε = 0.4 in ([\d.]+ %) of releases", shown.run().words)
    (ends,) = re.findall(r"The truth lies between ([\d.]+ %) and ([\d.]+ %)", shown.words)
    assert told == ends[1]


def test_the_privacy_that_many_releases_spend(open_page):
    shown = open_page("composition", rel=300)
    spent = brief(float(exact(0.5, [300], delta=1e-5).upper[0]), toward="up")
    assert spent == "64"
    assert f"spend ε = {spent}" in shown.words
    assert f"exact {spent};" in shown.chart.alt
    assert under_the_pointer(shown.chart, "Exact", at=300) == spent
    (table,) = (each.value for each in shown.app.table)
    assert table["300"][0] == spent
    assert (
        f"Theorem 3 of the paper says {under_the_pointer(shown.chart, 'PaR, Theorem 3;', at=300)} (too low)"
        in shown.words
    )


def test_the_share_that_is_truly_saved():
    saved = written(CostModel(5500, 100).optimum(0.5, truth="exact").share_saved, toward="down")
    assert saved == "8.67 %"
    assert ("Share saved", saved) in Story(ClaimedSaving(Scenario()).answer()).numbers
    (table,) = Story(ComparedBudgets(Scenario()).answer()).tables
    assert any(f"({saved})" in cell for cell in table["Present"])


@pytest.mark.parametrize("kind", [BudgetForBreach, ClaimedSaving, AffordableLevels])
def test_what_is_always_enough(kind):
    shown = Story(kind(Scenario()).answer())
    amounts = re.findall(r"74,[45]\d\d(?:\.\d+)? USD", shown.words + shown.chart.alt)
    amounts += [each for _, each in shown.numbers if each.startswith("74,")]
    assert len(amounts) > 1
    assert set(amounts) == {"74,500 USD"}
    assert "of the full 550,000 USD" in shown.words


def test_the_level_of_an_answer_and_of_its_button(open_page):
    shown = open_page("explicit_risk", tab="calibrate", e=0.4, conf=0.1, e0=0.5)
    (told,) = re.findall(r"It takes ε₀ = ([\d.]+)", shown.words)
    assert f"true: ε₀ = {told}" in marks(shown.chart)
    assert shown.press("Use ε").number("e0").value == float(told)


def test_a_chance_is_rounded_alike_in_the_quiz_and_in_the_lab():
    for question in (*quiz.lecture(), *quiz.own(0.3, 1e-7), *quiz.own(2.0, 1e-3)):
        shown = {
            "clamped": lambda bound, epsilon: clamped_noise(int(bound), epsilon).quantity("impossible"),
            "somebody": lambda people, delta: published_records(people * delta, int(people)).quantity("each_alone"),
        }.get(question.key)
        if shown:
            (asked,) = question.answers.values()
            assert told(asked) == told(shown(**question.given)), question.given


@pytest.mark.parametrize("epsilon", [0.5, 0.5427, 1.0, 1.7])
def test_a_true_answer_by_coins_is_as_likely_as_an_attacker_becomes_sure(epsilon):
    truth = coins.survey(430, 1000, epsilon=epsilon).quantity("truth")
    assert told(truth) == told(quantity_of(max_posterior, 0.5, epsilon))
