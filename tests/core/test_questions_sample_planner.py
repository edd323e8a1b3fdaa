"""What the sample planner asks: what is drawn is the paper's, what is said is the core's, and nothing of a file leaves its question."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from par_core.datasets import census2000, household_heads
from par_core.errors import DataError, ParameterError
from par_core.mechanisms import Laplace
from par_core.published import coupled, explicit
from par_core.published.regression import published_sensitivity
from par_core.queries import Condition
from par_core.questions import BothSources, HowManySamples, RegressionError, SampledSensitivity
from par_core.questions import notebook as as_notebook
from par_core.questions.report import report
from par_core.questions.sample_planner.table_sample import REGRESSION
from par_core.randomness import seeded
from par_core.regression import CENSUS_2000, HOUSEHOLD_HEADS, coefficient_sensitivity, utility
from par_core.rounding import brief, percent
from par_core.sampling import (
    CountOf,
    HistogramOf,
    MeanOf,
    QuantileOf,
    RidgeOf,
    SumOf,
    VarianceOf,
    coverage,
    fit_population,
    rho_for,
    samples_for_largest,
    samples_needed,
    tolerance,
)
from par_core.sampling.coupled_calibration import calibrate, share_to_take
from par_core.sampling.coupled_curves import Setting, coupled_at
from par_core.scenario import Scenario
from par_core.tables.table import of_frame
from tests.pages.sampled_view import assert_shows, drawn, marked
from tests.shown import Story

FIGURES = json.loads((Path(__file__).parent / "data" / "figures_2_3.json").read_text(encoding="utf-8"))
MARKER = "zebra4711"
CENSUS, HEADS = census2000(), household_heads()


def many(**fields):
    return Story(HowManySamples(Scenario(), **fields).answer())


def both(**fields):
    return Story(BothSources(Scenario(), **fields).answer())


def sentence(story, words):
    (text,) = (text for text in story.texts if words in text)
    return text


def assert_finite(story, *kinds):
    assert story.headline
    assert "nan" not in story.words.lower()
    for name in [each for each in story.chart.names if each.startswith(kinds)]:
        assert all(np.isfinite(values).all() for values in story.chart.curve(f"{name};"))


# --- how many samples? ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rho", "told"), [(0.0123456, "98.7 %"), (0.07, "93 %"), (0.2999, "70 %"), (0.2991, "70 %")])
def test_the_share_that_is_covered_is_told_so_that_it_still_holds(rho, told):
    exact = sentence(many(find="alpha", samples=500, rho=rho), "Counted exactly")
    assert f"is not exceeded by {told} of all possible pairs" in exact
    assert float(told.removesuffix(" %")) <= 100 * (1 - rho) + 1e-12
    sure = coverage(500, 500, share=1 - rho)
    assert (f"with a probability of at least {math.floor(1000 * sure) / 10:g} %" in exact) or sure > 0.999


def test_the_papers_distance_takes_pairs_of_which_it_is_told_what_they_are_worth():
    shown = many()
    assert samples_needed(0.01, 0.9) == 14_979
    assert shown.headline == "14,979 pairs bring the sampled curve within 0.01 of the truth with 90 % certainty"
    assert sentence(shown, "For independent pairs of tables that differ in one person").endswith("(Proven)")
    exact = sentence(shown, "Counted exactly")
    assert samples_for_largest(0.99, 0.9) == 230
    assert "not exceeded by 99 % of all possible pairs" in exact
    assert "to be 90 % sure, 230 pairs are enough" in exact
    assert "(Proven)" in exact
    assert "90 %. (Holds here)" in sentence(shown, "Theorem 5 of the paper")
    ((x, y, text),) = shown.chart.own
    assert (x, y) == (pytest.approx(0.1), 14_979)
    assert text == "14,979 pairs, ρ = 0.01"


@pytest.mark.parametrize("rho", ["0.0001", "0.0010", "0.0100", "0.1000"])
def test_figure_2_is_drawn_as_published(rho):
    golden = FIGURES["2"]["curves"][f"rho={rho}"]
    risk, samples = many().chart.curve(f"published, ρ = {float(rho):g};")
    assert len(samples) == 49
    np.testing.assert_allclose(risk, golden["x"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(samples, golden["y"], rtol=1e-9, atol=0)


@pytest.mark.parametrize(("samples", "rho"), [(15_000, 0.01), (400, 0.05), (10**9, 1e-4)])
def test_pairs_and_distance_give_the_probability(samples, rho):
    headline, alpha = many(find="alpha", samples=samples, rho=rho).headline, float(tolerance(samples, rho))
    assert headline.startswith(f"{samples:,} pairs bring ")
    told = re.search(r"with (?:more than )?([\d.]+) % certainty", headline)[1]
    assert float(told) / 100 <= alpha < float(told) / 100 + 0.01, "rounded down"


@pytest.mark.parametrize(("samples", "wanted"), [(15_000, 0.9), (10, 0.5), (123_456, 0.99)])
def test_pairs_and_probability_give_the_distance(samples, wanted):
    headline = many(find="rho", samples=samples, alpha=wanted).headline
    told = float(re.search(r"curve within ([\d.]+) of", headline)[1])
    assert rho_for(samples, wanted) <= told < rho_for(samples, wanted) * 1.034, "rounded up, to two digits"


@pytest.mark.parametrize(("rho", "wanted"), [(0.1, 0.5), (0.003, 0.99), (0.5, 0.2)])
def test_distance_and_probability_give_the_pairs(rho, wanted):
    assert many(rho=rho, alpha=wanted).headline.startswith(f"{samples_needed(rho, wanted):,} pair")


@pytest.mark.parametrize("find", ["samples", "rho", "alpha"])
def test_what_is_found_is_moved_by_no_dial_and_not_given(find):
    question = HowManySamples(Scenario(), find)
    assert find not in question.dials
    assert {*question.dials, find, "samples"} == {"samples", "rho", "alpha"}
    names = {"samples": "Sampled pairs", "rho": "Distance ρ", "alpha": "Probability α"}
    assert set(names.values()) - set(question.given) == {names[find]}


def test_a_sample_that_says_nothing_is_said_to():
    shown = many(find="alpha", samples=100, rho=0.01)
    assert tolerance(100, 0.01) == 0
    assert shown.headline == "100 pairs are too few for a distance of ρ = 0.01"
    assert "Theorem 5 of the paper" not in shown.words
    assert not shown.chart.own
    covered = coverage(100, 100, share=0.99)  # 1 - 0.99^100 = 0.634: this is true of them all the same
    assert covered == pytest.approx(1 - 0.99**100)
    assert "99 % of all possible pairs with a probability of at least 63.3 %" in sentence(shown, "Counted exactly")


def test_theorem_5_is_said_to_be_false_where_it_is():
    """Ten pairs at ρ = 0.9: it claims 0.9999998, true is 10/11 on average."""
    words = sentence(many(find="alpha", samples=10, rho=0.9), "Theorem 5 of the paper")
    false = "Here that is false: without ties it covers 90.9 % of all pairs on average"
    assert f"more than 99.9 %. (Refuted) {false}" in words
    assert "(Proven)" in words
    assert "Here that is false" not in many(find="alpha", samples=10_000).words


def test_one_pair_is_one_pair():
    within = "1 pair brings the sampled curve within 0.9 of the truth with 60.4 % certainty"
    assert many(find="alpha", samples=1, rho=0.9).headline == within
    assert many(find="alpha", samples=1, rho=0.1).headline == "1 pair is too few for a distance of ρ = 0.1"


@pytest.mark.parametrize("fields", [{"find": "rho", "samples": 1}, {"rho": 1, "alpha": 0.5}])
def test_a_distance_that_no_curve_exceeds_says_nothing(fields):
    """Shares lie between 0 and 1: to be within 1 of each other is true of any two curves."""
    shown = many(**fields)
    assert re.match(r"1 pair is too few for a statement with probability α = (90|50) %", shown.headline)
    assert "no two such curves are further apart than 1" in shown.words


@pytest.mark.parametrize(
    "fields",
    [
        {"find": "alpha", "samples": 1, "rho": 1},
        {"find": "alpha", "samples": 1, "rho": 1e-6},
        {"find": "alpha", "samples": 10**12, "rho": 1},
        {"find": "rho", "samples": 1, "alpha": 0},
        {"find": "rho", "samples": 1, "alpha": 0.999999999},
        {"find": "rho", "samples": 10**12, "alpha": 0.999999999},
        {"rho": 1e-6, "alpha": 0.999999999},
        {"rho": 1, "alpha": 0},
        {"rhos": (0.999,)},
        {"rhos": (0.000001,)},
    ],
)
def test_the_ends_of_all_ranges_are_answered(fields):
    assert_finite(many(**fields), "published", "exact")


def test_without_a_distance_there_is_the_answer_and_a_sentence():
    shown = many(rhos=())
    assert shown.headline.startswith("14,979 pairs")
    assert "230 pairs are enough" in shown.words
    assert "Add at least one distance" in shown.words
    assert not shown.charts


def test_what_is_proven_is_rounded_to_the_safe_side_in_headline_and_sentence():
    shown = many(find="alpha", samples=14_905)
    assert 0.8985 < tolerance(14_905, 0.01) < 0.899
    assert shown.headline.endswith("with 89.8 % certainty")
    assert "to be 89.8 % sure," in sentence(shown, "Counted exactly")
    few = many(find="alpha", samples=22, rho=0.10432)
    assert "not exceeded by 89.5 % of all possible pairs" in sentence(few, "Counted exactly")


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        (HowManySamples, {"find": "x"}),
        (HowManySamples, {"samples": 1.5}),
        (HowManySamples, {"rhos": (0.1, 1.0)}),
        (HowManySamples, {"alpha": 1.0}),
        (BothSources, {"eta_from": "x"}),
        (BothSources, {"numbers_of_pairs": (10, 0)}),
        (BothSources, {"bound": 0.0}),
        (SampledSensitivity, {"pairs": 9}),
        (SampledSensitivity, {"table": "nowhere"}),
        (SampledSensitivity, {"axis": "cube"}),
        (RegressionError, {"runs": 1}),
        (RegressionError, {"epsilon0s": (1.0, 0.0)}),
    ],
)
def test_a_value_beyond_its_bounds_is_named(kind, fields):
    with pytest.raises(ParameterError, match=next(iter(fields))):
        kind(Scenario(), **fields)


@pytest.mark.parametrize("kind", [HowManySamples, BothSources, RegressionError, SampledSensitivity])
def test_other_noise_than_the_papers_is_told_and_nothing_else_of_the_scenario(kind):
    small = {"pairs": 20, "rows": 5} if kind is SampledSensitivity else {}
    story, plain = (Story(kind(each, **small).answer()) for each in (Scenario(mechanism="gaussian", k=3), Scenario()))
    assert story.texts[0].startswith("This page is for Laplace noise, as in the paper.")
    assert story.texts[1:] == plain.texts
    assert story.chart.figure == plain.chart.figure


# --- both sources -----------------------------------------------------------------------------------------------------


def test_both_sources_opens_on_the_papers_claim_and_the_truth():
    shown, at = both(), coupled_at(0.4, 10_000, rho=0.01)
    assert f"claims {100 * at.risk:.3g} %" in shown.headline
    assert 1 - at.exact_risk == pytest.approx(np.exp(-coupled.PAPER_ETA / 2) * np.sinh(0.2), rel=1e-12)
    truth = "Less private than ε = 0.4 in up to 88.6 % (Proven) of releases; the paper claims 64.5 % (Refuted)"
    assert shown.texts[0] == truth
    assert [(x, y) for x, y, _ in shown.chart.own] == [(at.risk, 0.4), (at.exact_risk, 0.4)]
    words = sentence(shown, "The claim of *Privacy at Risk* (PoPETs 2021)")
    assert "The worst case is that of the noise alone for ε₀ = 1 if η is right" in words
    assert "every release is as private as ε = 1.14 = η·ε₀, not as ε₀. (Proven)" in words, "rounded up"
    assert words.endswith("by the quantile and by α, which say only how far η can be trusted. (Refuted)")


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"quantile": 0.5},
        {"samples": 10},
        {"rhos": (0.02, 0.5)},
        {"by": "samples", "numbers_of_pairs": (9, 40_000)},
    ],
)
def test_there_is_one_truth_however_far_the_sample_can_be_trusted(fields):
    """In the headline, the mark, the curve, and under the calibration to the same noise."""
    truth = np.exp(-coupled.PAPER_ETA / 2) * np.sinh(0.2)
    shown = both(**fields)
    assert "in up to 88.6 % (Proven) of releases" in shown.texts[0]
    assert shown.chart.own[1][:2] == (pytest.approx(1 - truth), 0.4)
    risk, epsilon = shown.chart.curve("exact noise;")
    below = epsilon < coupled.PAPER_ETA
    exact = 1 - np.exp(-coupled.PAPER_ETA / 2) * np.sinh(epsilon[below] / 2)
    np.testing.assert_allclose(risk[below], exact, rtol=1e-12)


def test_the_truth_under_a_calibration_is_that_of_the_headline():
    found = calibrate(0.4, 0.5, eta=coupled.PAPER_ETA, alpha=float(tolerance(10_000, 0.01)))
    shown = both(noise_epsilon0=found.epsilon0)
    risk = float(re.search(r"in up to ([\d.]+) % of releases", shown.headline)[1])
    words = sentence(shown, "In truth, if η is right, it is as private")
    held = float(re.search(r"as private as ε = 0.4 in ([\d.]+) % of releases in the worst case", words)[1])
    assert risk + held == pytest.approx(100, abs=0.05)


def test_a_quantile_says_what_it_covers_on_average():
    found = share_to_take(0.5, samples=10_000, rho=0.01)
    shown = sentence(both(), "Take the quantile at")
    valid, mean = (percent(each, toward="down").replace("\u00a0", " ") for each in (found.valid, found.mean_coverage))
    assert f"(Holds here) It covers at least {valid} of pairs" in shown
    assert shown.endswith(f"and {mean} on average. (Proven)")


def test_both_sources_says_first_who_needs_it():
    shown = both()
    (first, *_) = (text for text in shown.texts if "η" in text)
    assert first == "For noise of a sampled sensitivity, if the true one is η = 1.13 times as large."
    assert "With a proven bound on the sensitivity, make the noise for that" in shown.words


@pytest.mark.parametrize(
    ("by", "name", "key"),
    [
        *(("rho", f"published, ρ = {rho:g};", f"rho={rho:.3f}") for rho in (0.01, 0.012, 0.015, 0.02)),
        *(
            ("samples", f"published, {samples:,} samples", f"samples={samples}")
            for samples in (10_000, 15_000, 20_000, 25_000)
        ),
    ],
)
def test_figure_3_is_drawn_as_published(by, name, key):
    golden = FIGURES["3a" if by == "rho" else "3b"]["curves"][key]
    risk, epsilon = both(by=by).chart.curve(name)
    np.testing.assert_allclose(risk, golden["x"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(epsilon, golden["y"], rtol=0, atol=1e-9)


def test_the_curves_follow_every_field():
    shown = both(
        by="samples",
        numbers_of_pairs=(5_000, 20_000),
        rho=0.02,
        noise_epsilon0=2,
        epsilon=0.7,
        quantile=0.8,
        drawn_k=3,
    )
    setting = Setting(epsilon0=2, k=3, confidence2=0.8)
    for samples in (20_000, 5_000):
        risk, epsilon = shown.chart.curve(f"published, {samples:,} samples")
        alpha = tolerance(samples, 0.02)
        sure = coupled.confidence(epsilon, 2, eta=coupled.PAPER_ETA, confidence2=0.8, alpha=alpha, k=3)
        np.testing.assert_allclose(risk, 1 - sure, rtol=0, atol=1e-12)
    at = coupled_at(0.7, 5_000, rho=0.02, setting=setting)
    assert shown.chart.own[0][:2] == (at.risk, 0.7)


def test_the_papers_own_example_is_refused_with_what_can_be_had():
    story = both(by="samples", numbers_of_pairs=(15_000,), rho=0.01, quantile=0.9, wanted_confidence=0.9)
    refusal = sentence(story, "no noise reaches")
    assert "Not possible: no noise reaches 90 % by the formula. The best is 81 %" in refusal
    assert share_to_take(0.9, samples=15_000, rho=0.01).share == pytest.approx(0.99953, abs=1e-5)
    assert "Take the quantile at 0.9996 of" in story.words, "rounded up"


def test_both_calibrations_are_those_of_the_core():
    asked = {"by": "samples", "numbers_of_pairs": (15_000,), "quantile": 0.95, "wanted_confidence": 0.6}
    question = BothSources(Scenario(), **asked, epsilon=0.5, drawn_k=2)
    story, numbers = Story(question.answer()), question.answer().numbers()
    alpha = float(tolerance(15_000, 0.01))
    found = calibrate(0.5, 0.6, eta=coupled.PAPER_ETA, confidence2=0.95, alpha=alpha, k=2)
    assert numbers["epsilon0"].value == found.epsilon0
    words = sentence(story, "with the sampled sensitivity.")
    (noise,) = re.findall(r"Noise for ε₀ = ([\d.]+) with", words)
    assert found.epsilon0 / 1.034 < float(noise) <= found.epsilon0
    (reached,) = re.findall(r"as ε = ([\d.]+) in all", words)
    assert found.reached <= float(reached) < found.reached * 1.034
    told = float(re.search(r"as private as ε = 0.5 in ([\d.]+) %", words)[1]) / 100
    assert told <= found.exact_confidence < told + 0.001
    case_2 = share_to_take(0.6, samples=15_000, rho=0.01)
    assert numbers["quantile_to_take"].value == case_2.share
    words = sentence(story, "of the sampled sensitivities and noise for ε itself")
    (quantile,) = re.findall(r"Take the quantile at ([\d.]+) of", words)
    assert case_2.share <= float(quantile) < case_2.share * 1.001
    told = float(re.search(r"It covers at least ([\d.]+) % of pairs", words)[1]) / 100
    assert told <= case_2.valid < told + 0.001


def test_a_wish_above_alpha_and_one_that_every_noise_meets():
    few = both(by="samples", numbers_of_pairs=(10,))
    assert len([text for text in few.texts if text.startswith("Not possible")]) == 2
    easy = both(wanted_confidence=0.01)
    assert "By the formula every ε₀ will do, even with hardly any noise. (Refuted)" in easy.words
    assert "In truth the confidence falls to 0 as ε₀ grows. (Proven)" in easy.words


@pytest.mark.parametrize(("largest", "sampled"), [(0.17, 0.15), (170, 150), (4, 4), (1e-90, 1e-91)])
def test_a_bound_gives_eta(largest, sampled):
    shown = both(eta_from="bound", bound=largest, sampled=sampled)
    ratio = coupled.eta_of_bound(largest, sampled)
    told = float(re.search(r"η = ([\d.]+) if the bound holds\. \(Proven\)", shown.words)[1])
    assert ratio <= told < ratio * 1.034
    risk, epsilon = shown.chart.curve("published, ρ = 0.01;")
    sure = coupled.confidence(epsilon, 1, eta=ratio, alpha=tolerance(10_000, 0.01))
    np.testing.assert_allclose(risk, 1 - sure, rtol=0, atol=1e-12)


def test_a_bound_below_the_sampled_sensitivity_is_refuted_by_it():
    shown = both(eta_from="bound", bound=0.1, sampled=0.2)
    assert "a sampled pair has already refuted it. Shown is η = 1." in shown.texts[0]
    assert "η = 0.5" not in shown.words
    assert shown.chart.own[1][0] == pytest.approx(1 - np.exp(-0.5) * np.sinh(0.2)), "η is 1"
    assert "if the bound holds" not in shown.words


def test_the_unit_changes_the_papers_model_and_not_the_bound():
    shown = both(eta_from="model")
    assert "η = 1.13; the same data in thousands: η = 134. (Refuted)" in shown.words
    assert "the model (Lemma 12) is false" in shown.words
    in_thousands = both(eta_from="model", thousands=True)
    _, epsilon = in_thousands.chart.curve("exact noise;")
    assert epsilon.max() > coupled.eta(0.01, 0.15, unit=1000) > 134, "the axis follows"
    assert Laplace(coupled.eta(0.01, 0.15, unit=1000)).loss_within(0.4) < 1e-20
    assert "in up to 100 % of releases" in in_thousands.headline


@pytest.mark.parametrize("fields", [{"rhos": (0.05, 0.5)}, {"by": "samples", "rho": 0.05}])
def test_the_papers_model_takes_the_distance_of_the_first_curve(fields):
    told = f"1 + c·ρ/Δ with ρ = 0.05: η = {brief(coupled.eta(0.05, 0.15))}"
    assert told in both(eta_from="model", **fields).words


@pytest.mark.parametrize(
    "fields",
    [
        {"samples": 1, "rhos": (0.000001,)},
        {"samples": 10**12, "rhos": (1.0,)},
        {"noise_epsilon0": 100, "epsilon": 1e-6, "drawn_k": 10_000},
        {"noise_epsilon0": 1e-6, "epsilon": 100},
        {"quantile": 0},
        {"eta_from": "bound", "bound": 1e100, "sampled": 1e-100},
        {"eta_from": "bound", "bound": 1e-100, "sampled": 1e100},
        {"eta_from": "model", "sampled": 1e-100, "order": 1e6, "thousands": True},
        {"eta_from": "model", "order": 0},
        {"wanted_confidence": 1},
        {"wanted_confidence": 1e-6, "drawn_k": 10_000, "epsilon": 1e-6},
    ],
)
def test_the_ends_of_all_ranges_of_both_sources_are_answered(fields):
    assert_finite(both(**fields), "published", "exact noise")


@pytest.mark.parametrize("fields", [{"rhos": ()}, {"by": "samples", "numbers_of_pairs": ()}])
@pytest.mark.parametrize("eta_from", ["paper", "bound", "model"])
def test_without_a_value_there_is_a_sentence(fields, eta_from):
    shown = both(eta_from=eta_from, **fields)
    assert shown.texts == ["Add at least one value to see its curve."]
    assert not shown.charts


# --- sampled sensitivity ----------------------------------------------------------------------------------------------


MEAN = MeanOf("weekly_income", (0, 5000))


def sampled(query=MEAN, **fields):
    return Story(SampledSensitivity(Scenario(), query, **{"rows": 30, "pairs": 120, **fields}).answer())


def test_the_regression_of_the_census_is_told_in_full():
    story = Story(SampledSensitivity(Scenario()).answer())
    sample = drawn(REGRESSION, CENSUS.table, rows=1000, pairs=15_000)
    assert_shows(story, sample)
    assert "tables of 1,000 rows, but never a bound: rare pairs can move it further. (Estimate)" in story.words
    assert "the sum of the changes of all coefficients, for a target from 0 to 1" in story.words
    assert "drawn independently from the same 29,501 rows: it holds for the pairs of this table" in story.words
    assert "not for other people" in story.words
    assert "covers 90 % of all pairs that could be drawn from this table with a probability of" in story.words
    assert "Take this number for the noise" in story.words
    assert "A sensitivity sampled from private data is private itself" in story.words
    assert "Number 13,548 of 15,000" in story.words
    assert f"No pair exceeds {sample.worst_case:.3g}".rstrip("0") in story.words
    theorem = sample.for_confidence(0.9, 0.01)
    assert re.search(r"Theorem 5 takes [\d.]+ for an empirical confidence of 90 %", story.words)
    assert theorem.value <= float(re.search(r"Theorem 5 takes ([\d.]+)", story.words)[1]) < theorem.value * 1.01


CENSUS_QUERIES = {
    "ridge": REGRESSION,
    "mean": MEAN,
    "median": QuantileOf("weekly_income", (0, 5000), 0.5),
    "quantile": QuantileOf("weekly_income", (0, 5000), 0.9),
    "lowest": QuantileOf("weekly_income", (0, 5000), 0),
    "highest": QuantileOf("weekly_income", (0, 5000), 1),
    "variance": VarianceOf("weekly_income", (0, 5000)),
    "sum": SumOf("weekly_income", (0, 5000)),
    "count": CountOf(Condition("age", ">=", 50)),
    "histogram": HistogramOf("education", tuple(CENSUS.categories["education"])),
    "own list": HistogramOf("education", (9, 16)),
    "unbounded": MeanOf("weekly_income"),
}


@pytest.mark.parametrize("ask", CENSUS_QUERIES)
def test_every_query_on_the_census_is_the_sample_of_the_core(ask):
    query = CENSUS_QUERIES[ask]
    assert_shows(sampled(query), drawn(query, CENSUS.table))
    smallest = sampled(query, rows=1, pairs=10, share=0.5, sure=0.5)
    assert_shows(smallest, drawn(query, CENSUS.table, rows=1, pairs=10), 0.5, 0.5)
    assert "tables of 1 row, but never a bound" in smallest.words


LISTS = tuple((name, tuple(HEADS.categories[name])) for name in ("gender", "race", "marital_status"))
OF_HEADS = RidgeOf(
    HOUSEHOLD_HEADS.target,
    HOUSEHOLD_HEADS.predictors,
    HOUSEHOLD_HEADS.target_bounds,
    categories=LISTS,
    coding="code",
)
HEADS_QUERIES = {
    "ridge": OF_HEADS,
    "mean": MeanOf("income", HEADS.bounds["income"]),
    "median": QuantileOf("income", HEADS.bounds["income"], 0.5),
    "quantile": QuantileOf("age", HEADS.bounds["age"], 0.2),
    "variance": VarianceOf("income", HEADS.bounds["income"]),
    "sum": SumOf("income", HEADS.bounds["income"]),
    "count": CountOf(Condition("gender", "==", "female")),
    "histogram": HistogramOf("race", tuple(HEADS.categories["race"])),
}


@pytest.mark.parametrize("ask", HEADS_QUERIES)
def test_every_query_on_the_household_heads_is_the_sample_of_the_core(ask):
    query = HEADS_QUERIES[ask]
    assert_shows(sampled(query, table="household_heads"), drawn(query, HEADS.table))
    assert not SampledSensitivity(Scenario(), query, "household_heads").private, "its texts are on public lists"


def test_the_same_seed_gives_the_same_chart_and_another_one_another():
    first, again, other = sampled(), sampled(), sampled(seed=2)
    assert first.chart.figure == again.chart.figure
    assert first.words == again.words
    assert first.chart.figure != other.chart.figure
    assert_shows(other, drawn(MEAN, CENSUS.table, seed=2))


@pytest.mark.parametrize(("share", "sure"), [(0.5, 0.5), (0.001, 0.5), (0.95, 0.99), (0.8951, 0.6)])
def test_the_marked_value_covers_the_share_as_surely_as_asked(share, sure):
    sample, story = drawn(MEAN, CENSUS.table), sampled(share=share, sure=sure)
    assert_shows(story, sample, share, sure)
    chosen = sample.for_share(share, sure)
    assert f"Number {chosen.rank} of 120" in story.words
    assert chosen.certainty >= sure


def test_too_few_pairs_are_said_and_the_largest_is_marked():
    story, sample = sampled(share=0.999999, pairs=10), drawn(MEAN, CENSUS.table, pairs=10)
    warning = story.texts[0]
    assert "Too few pairs for this: even the largest of 10 covers more than 99.9 %" in warning
    assert "less than 0.1 %" in warning
    assert marked(story) == (sample.values[-1], 1.0)
    assert "in the 10 sampled pairs" in story.headline
    assert "For tables of 30 rows, but never a bound" in story.words
    assert "is out of reach" in story.words, "nor by Theorem 5"


@pytest.mark.parametrize("axis", ["plain", "log"])
def test_where_nothing_moves_the_answer_is_0(axis):
    story = sampled(CountOf(Condition("age", ">=", 1000)), axis=axis)
    assert story.headline == "One person moves the count of rows by a condition on age by at most 0 in 90 % of pairs"
    assert "With 92.1 % certainty for tables of 30 rows" in story.words
    assert marked(story)[0] == 0
    assert not story.own, "there is no ratio to carry on"


def test_the_axis_can_be_logarithmic():
    assert sampled(axis="log").chart.figure["layout"]["xaxis"]["type"] == "log"


def test_too_few_rows_are_answered_with_a_proposal():
    story = sampled(rows=29_501)
    assert "needs 29,502 different rows; the table has 29,501" in story.words
    assert not story.charts
    assert story.takes == {"Take 14,750 rows per data set": {"rows": 14_750}}
    assert_shows(sampled(rows=29_500), drawn(MEAN, CENSUS.table, rows=29_500))
    private = sampled(MeanOf(f"{MARKER}pay"), own=OWN, rows=1_000)
    assert "Take fewer rows per data set" in private.words
    assert not private.takes, "half of a file's rows would stand in the link"


@pytest.mark.parametrize(
    ("query", "table", "unit"),
    [
        (MEAN, "census2000", "US dollars a week"),
        (QuantileOf("age", (15, 75), 0.5), "census2000", "years"),
        (VarianceOf("weekly_income", (0, 5000)), "census2000", "(US dollars a week)²"),
        (SumOf("income", (0, 9)), "household_heads", "US dollars a year"),
    ],
)
def test_a_number_has_its_unit(query, table, unit):
    story = sampled(query, table=table)
    assert re.search(rf"by at most [\d.,]+ {re.escape(unit)} in 90 % of pairs", story.headline)
    assert story.chart.x_title == f"Sensitivity ({unit})"


@pytest.mark.parametrize(("query", "rare"), [(MEAN, True), (CountOf(Condition("age", ">=", 36)), False)])
def test_a_rare_pair_is_spoken_of_only_where_there_can_be_one(query, rare):
    """Half of the rows are above 36: every second pair moves the count by 1, the most there is."""
    story = sampled(query, sure=0.5)
    assert marked(story)[0] == 1 or rare
    assert ("rare pairs can move it further" in story.words) is rare
    assert "never a bound" in story.words


@pytest.mark.parametrize("law", ["normal", "log-normal", "gamma", "uniform"])
def test_pairs_from_a_fitted_distribution(law):
    story = sampled(laws=(("weekly_income", law),), rows=50_000)
    fitted = fit_population(CENSUS.table[["weekly_income"]], laws={"weekly_income": law})
    assert_shows(story, drawn(MEAN, fitted, rows=50_000))
    assert (story.cell("Distribution", "weekly_income"), story.cell("Verdict", "weekly_income")) == (
        law,
        fitted.columns[0].verdict,
    )
    assert ("The distribution of weekly_income does not fit." in story.words) is bool(fitted.ill_fitting)
    assert "these distributions" in story.words


def test_an_ill_fit_is_warned_of_and_one_that_the_values_rule_out_is_named():
    assert "not of your data" in sentence(sampled(laws=(("weekly_income", "uniform"),)), "does not fit. The")
    query = HEADS_QUERIES["mean"]
    with pytest.raises(ParameterError, match="at or below 0"):
        sampled(query, table="household_heads", laws=(("income", "gamma"),))


# --- accuracy ---------------------------------------------------------------------------------------------------------


def accuracy(**fields):
    return Story(RegressionError(Scenario(), **{"runs": 8, **fields}).answer())


def told(story):
    """The two numbers of the headline: the error with noise and without."""
    found = re.search(r"is off by ([\d.,]+), without noise by ([\d.,]+)", story.headline)
    return [float(each.replace(",", "")) for each in found.groups()]


def runs_of(query, frame, levels, *, runs=8, seed=1, noise="proven"):
    problem = query.prepare(frame)
    return utility(problem, levels, penalty=query.penalty, runs=runs, rng=seeded(seed), sensitivity=noise)


def assert_errs(story, query=REGRESSION, frame=CENSUS.table, own=0.8, **fields):
    """Figure 6 holds what the core finds for the same seed, and the headline says it."""
    levels, errors_shown = story.chart.curve("error", "deviation")
    expected = runs_of(query, frame, levels, **fields)
    np.testing.assert_allclose(errors_shown, expected.mean_in_unit, rtol=1e-12)
    _, without = story.chart.curve("error without noise")
    np.testing.assert_allclose(without, expected.non_private_mean_in_unit, rtol=1e-12)
    at = [float(each) for each in levels].index(own)
    with_noise, plain = expected.mean_in_unit[at], expected.non_private_mean_in_unit
    assert told(story) == [float(f"{each:.3g}") for each in (with_noise, plain)]
    return expected


def test_it_opens_on_the_error_of_the_census_over_50_runs():
    story = accuracy(runs=50)
    found = assert_errs(story, runs=50)
    assert found.runs == 50
    levels, error = story.chart.curve("error", "deviation")
    published = np.linspace(0.1, 0.99, 50)  # the levels of the figure
    assert all(np.abs(levels - each).min() < 1e-12 for each in published)
    assert len(levels) == 50 + len({0.4, 0.6, 0.8, 1.0})
    assert np.all(np.diff(levels) > 0)
    assert np.all(np.diff(error) < 0), "the noise of a run is the same up to its scale: the curve is smooth"
    assert error[-1] > story.chart.curve("error without noise")[1][0]
    assert (
        "means of 50 runs, each with its own split and noise, on rows that were not fitted. (Estimate)" in story.words
    )
    guess = f"guessing the same for everybody, off by {found.guess_mean_in_unit:.3g}, in US dollars a week. (Estimate)"
    assert guess in story.words
    at = [float(each) for each in levels].index(0.4)
    stronger = re.search(r"With noise for ε = 0.4 the regression would be off by ([\d.,]+)\. ", story.words)[1]
    assert float(stronger.replace(",", "")) == float(f"{found.mean_in_unit[at]:.3g}")
    bound = coefficient_sensitivity(found.rows_fitted, k=3, penalty=0.01)
    (shown,) = re.findall(r"moves the 3 coefficients by at most ([\d.]+) in all", story.words)
    assert bound <= float(shown) < bound * 1.01
    assert CENSUS_2000.stands_for in story.words
    assert "Without an intercept: nothing is released in its place." in story.words
    assert story.chart.figure["layout"]["yaxis"]["title"]["text"] == "RMSE (unit: US dollars a week)"


@pytest.mark.parametrize("epsilon0", [1, 0.8, 0.6])
def test_the_confidence_is_figure_6_as_published_with_the_truth_beside_it(epsilon0):
    story = accuracy(runs=2)
    epsilon, claimed = story.chart.curve(f"published, ε₀ = {epsilon0:g};")
    np.testing.assert_allclose(claimed, np.minimum(explicit.confidence(epsilon, epsilon0, k=3), 1), rtol=0, atol=1e-12)
    epsilon, true = story.chart.curve("exact", f"ε₀ = {epsilon0:g};")
    below = epsilon < epsilon0
    np.testing.assert_allclose(true[below], Laplace(epsilon0).loss_within(epsilon[below]), rtol=0, atol=1e-12)


def test_what_the_larger_epsilon0_costs_is_told_by_the_paper_and_in_truth():
    claim, truth = explicit.confidence(0.4, 0.8, k=3), Laplace(0.8).loss_within(0.4)
    words = sentence(accuracy(runs=2), "What the larger ε₀ costs")
    assert f"the paper claims (Refuted) {100 * claim:.3g} %." in words
    shown = float(re.search(r"as private as ε = 0.4 in ([\d.]+) % \(Proven\) of releases at worst", words)[1]) / 100
    assert shown <= truth < shown + 0.001
    assert "What the larger ε₀ costs" not in accuracy(runs=2, epsilon=0.8).words


def test_another_seed_gives_another_picture():
    first, other = accuracy(), accuracy(seed=2)
    assert first.chart.figure == accuracy().chart.figure != other.chart.figure
    assert_errs(other, seed=2)


def test_an_intercept_is_one_of_the_coefficients():
    query = replace(REGRESSION, intercept=True)
    story = accuracy(query=query)
    assert_errs(story, query)
    assert "moves the 4 coefficients" in story.words
    assert "The intercept is one of the coefficients" in story.words
    assert "nothing is released in its place" not in story.words


def test_the_noise_can_be_that_of_the_published_script():
    story = accuracy(noise="published")
    found = assert_errs(story, noise="published")
    bound = published_sensitivity(found.rows_fitted, penalty=0.01, k=3)
    (shown,) = re.findall(r"coefficients by at most ([\d.]+) \(Unproven\) in all", story.words)
    assert bound <= float(shown) < bound * 1.01
    assert "by the formula of the published script; " in story.words
    (shown,) = re.findall(r"; the proven bound is \(Proven\) ([\d.]+)", story.words)
    assert found.proven_sensitivity <= float(shown) < found.proven_sensitivity * 1.01
    assert "goes with a penalty that grows with the rows" in story.words
    assert "not a valid guarantee" not in story.words
    assert "by 0.99 where 0.344 was used" in story.words
    assert told(story)[0] != told(accuracy())[0]


def test_published_noise_below_what_is_proven_is_called_no_guarantee():
    query = replace(REGRESSION, predictors=("age",), penalty=100)
    words = accuracy(query=query, noise="published", runs=3).words
    assert "The noise is too small: not a valid guarantee" in words
    assert "goes with a penalty that grows with the rows" not in words
    assert re.search(r"moves the coefficient by at most \(Unproven\) [\d.e-]+, by the formula", words), "one is one"
    assert "1 coefficients" not in words
    assert "not a valid guarantee" not in accuracy(query=query, runs=3).words


@pytest.mark.parametrize(
    "changed",
    [
        {"penalty": 1},
        {"penalty": 1e-9},
        {"target_bounds": (100, 1000)},
        {"predictors": ("education",)},
        {"target": "education", "predictors": ("age", "experience"), "target_bounds": (9, 16)},
    ],
)
def test_the_error_follows_penalty_bounds_and_predictors(changed):
    query = replace(REGRESSION, **changed)
    assert_errs(accuracy(query=query), query)


def test_the_levels_of_the_reader_are_among_those_computed():
    story = accuracy(epsilon=0.123, noise_epsilon0=7, epsilon0s=(0.05, 3.0))
    levels, _ = story.chart.curve("error", "deviation")
    assert {0.123, 7, 3, 0.05} <= set(levels)
    assert levels[-1] == 7
    assert_errs(story, own=7)


@pytest.mark.parametrize(
    "fields",
    [{"noise_epsilon0": 1e-4}, {"noise_epsilon0": 100, "epsilon": 100}, {"runs": 2}, {"epsilon0s": (0.0001, 100)}],
)
def test_the_ends_of_all_ranges_of_the_accuracy_are_answered(fields):
    assert_finite(accuracy(**fields), "error, ± one", "error with noise")


def test_an_error_that_is_no_better_than_a_guess_is_called_so():
    useless = accuracy(noise_epsilon0=0.1)
    assert told(useless)[0] > runs_of(REGRESSION, CENSUS.table, [0.1]).guess_mean_in_unit
    assert "no better than guessing the same for everybody" in useless.words
    private = accuracy(query=OF_HEADS, table="household_heads", noise_epsilon0=100, epsilon=100)
    assert_errs(private, OF_HEADS, HEADS.table, own=100)
    assert HOUSEHOLD_HEADS.stands_for in private.words
    assert "no better than guessing" not in private.words
    assert "Guessing the same for everybody is off by" in private.words


def test_without_an_epsilon0_there_is_the_answer_and_a_sentence():
    story = accuracy(epsilon0s=())
    assert told(story)
    assert "What the larger ε₀ costs" in story.words
    assert "Add at least one ε₀" in story.words
    assert not story.charts


def test_levels_are_drawn_from_the_same_runs():
    asked = []

    def of(question):
        asked.append(question)
        return question.answer()

    for fields in ({}, {"epsilon": 0.55}, {"noise_epsilon0": 3}, {"epsilon0s": (1.0, 7.0)}):
        RegressionError(Scenario(k=2), runs=3, **fields).answer(of=of)
    assert len(set(asked)) == 1


# --- tables of the reader's own ---------------------------------------------------------------------------------------

PAY = [(at * 37) % 60 for at in range(80)]
FRAME = pd.DataFrame(
    {
        f"{MARKER}pay": PAY,
        "age": [20 + at % 50 for at in range(80)],
        f"{MARKER}gap": [at if at % 8 else None for at in range(80)],
        f"{MARKER}who": [f"{MARKER}{'ABC'[at % 3]}" for at in range(80)],
    }
)
OWN = of_frame(f"{MARKER}.csv", FRAME, digest="a file")
OF_OWN = {
    "ridge": RidgeOf(f"{MARKER}pay", ("age",), (0, 90), 0.01, coding="code"),
    "mean": MeanOf(f"{MARKER}pay", (0, 90)),
    "sum": SumOf(f"{MARKER}pay"),
    "variance": VarianceOf(f"{MARKER}pay", (0, 90)),
    "median": QuantileOf(f"{MARKER}pay", None, 0.5),
    "count": CountOf(Condition(f"{MARKER}who", "==", f"{MARKER}A")),
    "histogram": HistogramOf(f"{MARKER}who", (f"{MARKER}A", f"{MARKER}B")),
}


def report_of(answer):
    return report(answer, title="T", link="", version="1", date=pd.Timestamp("2026-01-31").date())


@pytest.mark.parametrize("ask", OF_OWN)
def test_every_query_on_a_file_is_the_sample_of_the_core_and_nothing_of_it_travels(ask):
    query = OF_OWN[ask]
    question = SampledSensitivity(Scenario(), query, own=OWN, rows=30, pairs=120, laws=() if ask == "mean" else None)
    answer = question.answer()
    population = fit_population(FRAME[[f"{MARKER}pay"]]) if ask == "mean" else FRAME
    assert_shows(Story(answer), drawn(query, population))
    assert MARKER in answer.headline
    assert question.private
    assert all(each.private for each in question.needs())
    assert not question.public.private
    for text in (repr(question), repr(question.public), as_notebook.cells(question.public)[0].source):
        assert MARKER not in text
    assert MARKER not in report_of(answer.for_others)


def test_without_a_bound_it_is_said_what_the_sampled_number_is_worth_and_with_one_nothing_is_carried_on():
    words = sampled(MeanOf(f"{MARKER}pay"), own=OWN).words
    assert "Which number for the noise?" in words
    assert "a pair twice as far apart has 2·ε₀" in words
    assert "(US dollars" not in words
    story = sampled(MeanOf(f"{MARKER}pay", (0, 90)), own=OWN)
    ratio = coupled.eta_of_bound(90 / 30, marked(story)[0])
    told_ratio = float(re.search(r"as private as ([\d.]+)·ε₀", story.words)[1])
    assert ratio <= told_ratio < ratio * 1.034
    assert not story.own
    assert sampled().own == ["carry_on"], "of a built-in table it is"


def test_rows_with_missing_values_are_left_out_only_when_that_is_asked_for():
    query = MeanOf(f"{MARKER}gap", (0, 90))
    story = sampled(query, own=OWN, drop=True)
    assert_shows(story, drawn(query, FRAME.dropna(subset=[f"{MARKER}gap"])))
    assert "from the same 70 rows" in story.words
    with pytest.raises(DataError):
        sampled(query, own=OWN)


def test_the_accuracy_on_a_file_names_no_column_where_others_see_it():
    question = RegressionError(Scenario(), OF_OWN["ridge"], own=OWN, runs=4)
    answer = question.answer()
    story = Story(answer)
    assert_errs(story, OF_OWN["ridge"], FRAME, runs=4)
    assert f"in the unit of {MARKER}pay" in story.words
    assert MARKER not in json.dumps(story.chart.figure) + report_of(answer.for_others) + repr(question)
    assert question.private
    assert not question.public.private
    assert "stands for" not in story.words


@pytest.mark.parametrize(
    "query", [CountOf(Condition("state", "==", MARKER)), CountOf(Condition("state", "in", ("Alaska", MARKER)))]
)
def test_a_text_that_somebody_typed_about_a_built_in_table_stays_with_them(query):
    question = SampledSensitivity(Scenario(), query, rows=30, pairs=20)
    assert question.private
    assert MARKER not in repr(question) + repr(question.public) + report_of(question.answer().for_others)
    assert not SampledSensitivity(Scenario(), CountOf(Condition("state", "==", "Alaska"))).private
