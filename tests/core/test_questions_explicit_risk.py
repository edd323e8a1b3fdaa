"""What is asked on explicit risk: the claim stands beside the truth, and what is proven is told on its safe side."""

import math
import re

import numpy as np
import pytest

from par_core.composition import change_risk
from par_core.mechanisms import Laplace
from par_core.published import explicit
from par_core.questions import (
    AttackerGains,
    Calibrated,
    ClaimAndTruth,
    KnownChange,
    OverlapAndProcessing,
    RiskByDimension,
    RiskByLevel,
    SimulatedLosses,
)
from par_core.rounding import brief, percent
from par_core.scenario import Scenario
from tests.shown import Story, values


def story(kind, epsilon0=0.5, k=1, sensitivity=1.0, **asked):
    return Story(kind(Scenario(epsilon0=epsilon0, k=k, sensitivity=sensitivity), **asked).answer())


def up(share):
    return f"{math.ceil(1000 * share) / 10:g} %"


def down(share):
    return f"{math.floor(1000 * share) / 10:g} %"


# --- by dimension, by ε₀ ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("kind", "title", "curves"), [
    (RiskByDimension, "ε₀ = 0.8, k = 1, 2, 3, 4", ("published, k = 4;", "exact, every k;")),
    (RiskByLevel, "ε₀ = 0.4, 0.8, 1.6, with k = 4", ("published, ε₀ = 0.8;", "exact, ε₀ = 0.8;")),
])  # fmt: skip
def test_it_is_about_the_readers_own_release_and_the_marks_lie_on_its_curves(kind, title, curves):
    chart = story(kind, 0.8, 4).chart
    assert chart.title.endswith(title)
    for (risk, epsilon, _), curve in zip(chart.own, curves, strict=True):
        risks, epsilons = chart.curve(curve)
        order = np.argsort(epsilons, kind="stable")
        assert np.interp(epsilon, epsilons[order], risks[order]) == pytest.approx(risk, abs=0.01)


@pytest.mark.parametrize(("kind", "asked", "curves"), [
    (RiskByDimension, {"ks": (2, 5), "drawn_epsilon0": 2.0}, {"k = 2": (2.0, 2), "k = 5": (2.0, 5)}),
    (RiskByLevel, {"epsilon0s": (0.5, 3.0), "drawn_k": 4}, {"ε₀ = 0.5": (0.5, 4), "ε₀ = 3": (3.0, 4)}),
])  # fmt: skip
def test_the_curves_are_those_that_are_asked_for(kind, asked, curves):
    shown, printed = story(kind, 0.7, **asked), story(kind, 0.7, paper_only=True, **asked)
    confidence = story(kind, 0.7, axis="confidence", **asked).chart
    published = [f"published, {name}" for name in curves]
    assert [name for name in shown.chart.names if name.startswith("published")] == published
    for name, (epsilon0, k) in curves.items():
        risk, epsilon = shown.chart.curve(f"published, {name};")
        np.testing.assert_allclose(risk, explicit.risk(epsilon, epsilon0, k=k), rtol=0, atol=1e-12)
        np.testing.assert_allclose(confidence.curve(f"published, {name};"), (1 - risk, epsilon), rtol=0, atol=1e-15)
    assert "confidence" in confidence.x_title.lower()
    marked = [pytest.approx((1 - risk, epsilon), abs=1e-15) for risk, epsilon, _ in shown.chart.own]
    assert [mark[:2] for mark in confidence.own] == marked
    assert "The diamonds are for your ε₀ = 0.7 and k = 1, which have no curve here." in shown.texts
    assert (printed.chart.names, printed.chart.own) == (published, [])
    assert printed.texts[:2] == shown.texts[:2], "what is true stays above it"
    assert "diamonds" not in printed.words


@pytest.mark.parametrize(("kind", "asked"), [(RiskByDimension, {"ks": ()}), (RiskByLevel, {"epsilon0s": ()})])
def test_without_a_curve_it_asks_for_one(kind, asked):
    shown = story(kind, **asked)
    assert not shown.charts
    assert shown.texts[-1].startswith("Add at least one ")


@pytest.mark.parametrize("kind", [RiskByDimension, RiskByLevel, ClaimAndTruth])
def test_the_own_setting_stands_in_the_sentence_and_on_the_chart(kind):
    shown = story(kind, 0.82, 3, epsilon=0.37)
    claimed, true = explicit.risk(0.37, 0.82, k=3), 1 - math.exp(-0.41) * math.sinh(0.185)
    assert shown.texts[0] == (
        f"Privacy loss exceeds ε = 0.37 in {up(true)} (Proven) of releases at worst; the paper claims {100 * claimed:.3g} % (Refuted)"
    )
    assert "two-sided, |loss| > ε, with noise for ε₀ = 0.82 and worst-case neighbouring tables" in shown.words
    assert "but it is the same noise" in shown.words
    assert "ε₀ = 0.82" in shown.chart.alt
    marked = [(0.37, true)] if kind is ClaimAndTruth else [(claimed, 0.37), (true, 0.37)]
    assert [mark[:2] for mark in shown.chart.own] == [pytest.approx(each, rel=1e-12) for each in marked]


def test_above_epsilon0_there_is_nothing_to_claim():
    shown = story(RiskByDimension, 0.3, epsilon=0.4)
    assert shown.texts[0] == "Noise for ε₀ = 0.3 is always at least as private as ε = 0.4 (Proven)"
    assert "Choose ε below 0.3" in shown.words


# --- calibrate --------------------------------------------------------------------------------------------------------


def by_the_paper(shown):
    (text,) = (text for text in shown.texts if text.startswith("By the paper's formula"))
    return text


def test_the_true_answer_comes_first_and_the_papers_second():
    shown = story(Calibrated, sensitivity=2.0, epsilon=0.4, confidence=0.6)
    assert shown.texts[:3] == [
        "It takes ε₀ = 0.4 (Proven)",
        "With noise for ε₀ = 0.4 the privacy loss stays within ε = 0.4 in every release, each number off by 5 on average.",
        "No larger ε₀ gives 60 %: the confidence stays below 16.5 %.",
    ]
    claim = shown.texts[3]
    assert claim == by_the_paper(shown)
    assert "ε₀ = 0.797 would do, each number off by 2.51 on average. (Refuted)" in claim
    assert "the loss stays within ε = 0.4 in at worst 13.5 % of releases, not 60 %. (Proven)" in claim
    assert shown.takes == {"Use ε₀ = 0.4 in my scenario (more private than 0.5)": {"scenario.epsilon0": 0.4}}
    assert not story(Calibrated, 0.4, epsilon=0.4, confidence=0.6).takes


def test_a_wish_that_noise_beyond_epsilon_meets_is_answered_with_that_noise():
    shown = story(Calibrated, epsilon=0.4, confidence=0.1)
    told = float(shown.headline.split("ε₀ = ")[1])
    assert told == 1.39 <= 2 * math.log(math.sinh(0.2) / 0.1) < 1.4, "rounded down"
    assert Laplace(told).loss_within(0.4) >= 0.1
    assert "within ε = 0.4 in 10 % of releases, at worst" in shown.words
    assert "Only ε₀ always holds." in shown.texts
    assert "every ε₀ would do: it gives all of them more than 32.9 %. (Refuted)" in by_the_paper(shown)
    assert "the confidence falls to 0 as ε₀ grows. (Proven)" in by_the_paper(shown)
    assert "less private" in next(iter(shown.takes))


def test_confidence_and_epsilon0_give_epsilon():
    shown = story(Calibrated, 1.2, 2, find="epsilon", confidence=0.7)
    assert shown.texts[0] == "The noise gives ε = 1.2 (Proven)"
    assert "No smaller ε gives 70 %: the confidence stays below 35 %." in shown.words
    claimed = explicit.epsilon_at(0.7, 1.2, k=2)
    assert f"ε = {brief(claimed)} would hold in 70 % of releases. (Refuted)" in by_the_paper(shown)
    assert f"in at worst {down(Laplace(1.2).loss_within(claimed))} of releases, not 70 %" in by_the_paper(shown)
    smaller = brief(2 * math.asinh(0.1 * math.exp(0.6)), toward="up")
    assert story(Calibrated, 1.2, find="epsilon", confidence=0.1).headline == f"The noise gives ε = {smaller}"


def test_epsilon_and_epsilon0_give_the_confidence():
    shown = story(Calibrated, 1.2, 2, find="confidence", epsilon=0.4)
    assert shown.texts[0] == f"ε = 0.4 holds in {down(Laplace(1.2).loss_within(0.4))} (Proven) of releases"
    claimed = 100 * explicit.confidence(0.4, 1.2, k=2)
    assert f"{claimed:.3g} % of releases would be that private. (Refuted)" in by_the_paper(shown)
    assert not shown.takes
    right = story(Calibrated, 0.3, find="confidence", epsilon=0.4)
    assert right.texts[0] == "ε = 0.4 holds in 100 % (Proven) of releases"
    assert "The paper's formula says the same." in right.words


@pytest.mark.parametrize(("find", "marks"), [("epsilon0", 2), ("epsilon", 1), ("confidence", 2)])
def test_both_answers_are_marked_where_they_are_about_the_same_level(find, marks):
    own = story(Calibrated, 0.8, find=find, epsilon=0.4, confidence=0.6).chart.own
    assert own[0][2].startswith("true: ε₀ = ")
    assert len(own) == marks


@pytest.mark.parametrize(("epsilon", "confidence"), [(600, 1e-6), (1e-8, 1), (700, 0.5), (2, 0.3)])
def test_every_wish_draws(epsilon, confidence):
    assert story(Calibrated, epsilon=float(epsilon), confidence=confidence).chart.names


# --- against the truth ------------------------------------------------------------------------------------------------


def simulated(epsilon0=1.0, k=1, **asked):
    drawn = SimulatedLosses(Scenario(epsilon0=epsilon0, k=k), **asked)
    return story(ClaimAndTruth, epsilon0, k, simulated=drawn)


def test_the_claim_stands_beside_the_three_exact_curves():
    chart = story(ClaimAndTruth, 1.0, 2).chart
    assert chart.title == "What is claimed and what is true for noise with ε₀ = 1 (k = 2)"
    assert any("not a valid guarantee" in name for name in chart.names)
    for words in (("published",), ("exact", "two-sided"), ("exact", "one-sided"), ("exact", "δ")):
        assert chart.trace(*words)
    assert not [name for name in chart.names if "simulated" in name]


@pytest.mark.parametrize("size", [10_000, 1_000_000])
def test_simulated_releases_have_narrow_intervals_and_are_an_estimate(size):
    shown = simulated(size=size)
    for word in ("two-sided", "one-sided"):
        error = shown.chart.trace("simulated", word)["error_y"]
        above, below = values(error["array"]), values(error["arrayminus"])
        assert (np.minimum(above, below) > 0).all()
        assert (above < 4 / math.sqrt(size)).all()
    (sentence,) = (text for text in shown.texts if "99 %" in text)
    assert sentence.startswith(f"{size:,} simulated releases")
    assert "(Estimate)" in sentence


def test_a_simulation_follows_its_seed_and_a_change_spread_evenly_loses_less():
    def losses(**asked):
        return simulated(2.0, 10, **asked).chart.curve("simulated", "two-sided")[1]

    assert (losses(size=10_000, seed=5) == losses(size=10_000, seed=5)).all()
    assert (losses(size=10_000, seed=5) != losses(size=10_000, seed=6)).any()
    assert (losses(even=True) < losses())[3:].all()


# --- a change that is known -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epsilon", "shares", "told"), [
    (0.4, (0.1,) * 10, "at most 1.8 %"),  # the loss hits 0.4 exactly with some probability: the ends are wide
    (0.6, (1.0,), "0 %"),
    (0.499, (0.05,) * 20, "less than 0.1 %"),
    (0.4, (0.5, 0.3, 0.2), "23.2 %"),
])  # fmt: skip
def test_what_is_proven_of_a_change_is_its_upper_end(epsilon, shares, told):
    (words, *_) = story(KnownChange, epsilon=epsilon, shares=shares).texts
    assert f"in {told} of releases. (Proven)" in words
    assert float(re.search(r"([\d.]+) %", told)[1]) >= 100 * change_risk(epsilon, 0.5, shares=list(shares)).upper


@pytest.mark.parametrize("shares", [(0.1,) * 10, (0.5, 0.3, 0.2), (0.8, 0.2)])
def test_the_ends_of_the_truth_are_rounded_outward(shares):
    found = change_risk(0.4, 0.5, shares=list(shares))
    ends = f"{percent(found.lower, toward='down')} and {percent(found.upper, toward='up')}".replace("\u00a0", " ")
    assert f"The truth lies between {ends}." in story(KnownChange, shares=shares).words


def test_a_known_change_stands_beside_the_worst_case_and_the_claim():
    (words, *_) = story(KnownChange, 1.0, epsilon=0.35, shares=(0.6, 0.4)).texts
    assert "moves 2 numbers by 0.6, 0.4" in words
    assert f"{up(change_risk(0.35, 1.0, shares=[0.6, 0.4]).upper)} of releases. (Proven)" in words
    assert f"it is {up(Laplace(1.0).loss_exceeds(0.35))}" in words
    assert f"{100 * explicit.risk(0.35, 1.0, k=2):.3g} % for every person (k = 2). (Refuted)" in words
    (words, *_) = story(KnownChange, shares=(1.0,)).texts
    assert words.count("84.4 %") == 2, "the whole change in one number is the worst case"


# --- what an attacker gains, the paper's pieces -----------------------------------------------------------------------


def test_an_attacker_becomes_as_sure_as_the_best_attack_makes_them():
    shown = story(AttackerGains, 1.2, epsilon=0.3, prior=0.2)
    for chart in shown.charts.values():
        assert {"ε₀ = 1.2", "ε = 0.3"} <= set(re.findall(r"ε₀? = [\d.]+\d", chart.title))
    believed = 0.2 * math.exp(1.2) / (1 + math.expm1(1.2) * 0.2)
    assert shown.charts["attack_belief"].own[0][:2] == pytest.approx((0.2, believed))
    assert shown.headline == f"An attacker 20 % sure becomes at most {up(believed)} sure from one release with ε₀ = 1.2"
    for epsilon in (1.2, 0.3):
        assert up(1 - math.exp(-epsilon / 2)).replace("%", "percentage points") in shown.words
    asked = "ask whether one person's true record was used and no other in its place. (Proven)"
    assert f"They know everyone else's data and {asked}" in shown.texts


def test_the_overlap_follows_the_setting():
    shown = story(OverlapAndProcessing, 1.0, epsilon=0.4)
    rate = math.log(1 / 0.4) / 0.6
    overlap = f"{100 * (1 - (math.exp(-0.4 * rate) - math.exp(-rate))):.3g} %"
    assert overlap in shown.charts["noise_overlap"].title.replace("\u00a0", " ")
    assert shown.headline == f"An overlap of {overlap} says nothing about the privacy loss"
    assert "shared by the noise for ε₀ = 1 and the noise for ε = 0.4. (Proven)" in shown.words
    assert "both are equally private in that share of releases. They are not" in shown.words


def test_a_threshold_can_take_the_probability_from_three_quarters_to_certainty():
    shown = story(OverlapAndProcessing, 1.0, epsilon=0.8, threshold=0.5)
    (after, before) = shown.charts["post_processing"].own
    assert (after[1], before[1]) == pytest.approx((1.0, 1 - math.exp(-0.5) * math.sinh(0.4)), abs=1e-12)
    assert [mark[2].replace("\u00a0", " ") for mark in (after, before)] == ["after: 100 %", "before: 75.1 %"]
    (sentence,) = (text for text in shown.texts if "Corollary 2" in text)
    assert "in 75.1 % of releases; afterwards in 100 %" in sentence
    own = story(OverlapAndProcessing, 1.0, epsilon=0.8, threshold=3.0).charts["post_processing"].own
    assert own[0][1] != own[1][1] < 1.0
    assert max(each[1] for each in own) < 1.0
