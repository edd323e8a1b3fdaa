"""The Sample planner, how many samples and both sources: what is drawn is the paper's, what is said is the core's, and links hold it."""

import json
import math
import re
from pathlib import Path

import numpy as np
import pytest

from par_core.mechanisms import Laplace
from par_core.published import coupled
from par_core.rounding import brief, percent
from par_core.sampling import coverage, rho_for, samples_for_largest, samples_needed, tolerance
from par_core.sampling.coupled_calibration import calibrate, share_to_take
from par_core.sampling.coupled_curves import Setting, coupled_at

FIGURES = json.loads((Path(__file__).parents[1] / "core" / "data" / "figures_2_3.json").read_text(encoding="utf-8"))


@pytest.fixture
def page(open_page):
    """Open the page at one of its sections, with settings."""
    return lambda tab="samples", **settings: open_page("sample_planner", tab=tab, **settings)


def headline(shown):
    (text,) = (text.removeprefix("## ") for text in shown.texts if text.startswith("## "))
    return text


def sentence(shown, words):
    (text,) = (text for text in shown.texts if words in text)
    return text


# --- how many samples? ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("rho", "told"), [(0.0123456, "98.7 %"), (0.07, "93 %"), (0.2999, "70 %"), (0.2991, "70 %")])
def test_the_share_that_is_covered_is_told_so_that_it_still_holds(page, rho, told):
    exact = sentence(page(sfind="alpha", sn=500, srho=rho), "Counted exactly")
    assert f"is not exceeded by {told} of all possible pairs" in exact
    assert float(told.removesuffix(" %")) <= 100 * (1 - rho) + 1e-12
    sure = coverage(500, 500, share=1 - rho)
    assert (f"with a probability of at least {math.floor(1000 * sure) / 10:g} %" in exact) or sure > 0.999


def test_it_opens_on_the_pairs_for_the_papers_distance_and_what_they_are_worth(page):
    shown = page()
    assert samples_needed(0.01, 0.9) == 14_979
    assert headline(shown) == "14,979 pairs bring the sampled curve within 0.01 of the truth with 90 % certainty"
    assert "(Proven) for independent pairs of tables that differ in one person" in shown.words
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
def test_figure_2_is_drawn_as_published(page, rho):
    golden = FIGURES["2"]["curves"][f"rho={rho}"]
    risk, samples = page().chart.curve(f"published, ρ = {float(rho):g};")
    assert len(samples) == 49
    np.testing.assert_allclose(risk, golden["x"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(samples, golden["y"], rtol=1e-9, atol=0)


@pytest.mark.parametrize(("samples", "rho"), [(15_000, 0.01), (400, 0.05), (10**9, 1e-4)])
def test_pairs_and_distance_give_the_probability(page, samples, rho):
    shown = page(sfind="alpha", sn=samples, srho=rho)
    alpha = float(tolerance(samples, rho))
    assert headline(shown).startswith(f"{samples:,} pairs bring ")
    told = re.search(r"with (?:more than )?([\d.]+) % certainty", headline(shown))[1]
    assert float(told) / 100 <= alpha < float(told) / 100 + 0.01, "rounded down"
    assert shown.number("sn").value == samples
    assert {"srho", "sa"} & set(shown.dials) == {"srho"}


@pytest.mark.parametrize(("samples", "wanted"), [(15_000, 0.9), (10, 0.5), (123_456, 0.99)])
def test_pairs_and_probability_give_the_distance(page, samples, wanted):
    shown = page(sfind="rho", sn=samples, sa=wanted)
    told = float(re.search(r"curve within ([\d.]+) of", headline(shown))[1])
    assert rho_for(samples, wanted) <= told < rho_for(samples, wanted) * 1.034, "rounded up, to two digits"


@pytest.mark.parametrize(("rho", "wanted"), [(0.1, 0.5), (0.003, 0.99), (0.5, 0.2)])
def test_distance_and_probability_give_the_pairs(page, rho, wanted):
    assert headline(page(srho=rho, sa=wanted)).startswith(f"{samples_needed(rho, wanted):,} pair")


def test_a_sample_that_says_nothing_is_said_to(page):
    shown = page(sfind="alpha", sn=100, srho=0.01)
    assert tolerance(100, 0.01) == 0
    assert headline(shown) == "100 pairs are too few for a distance of ρ = 0.01"
    assert "Theorem 5 of the paper" not in shown.words
    assert not shown.chart.own
    covered = coverage(100, 100, share=0.99)  # 1 - 0.99^100 = 0.634: this is true of them all the same
    assert covered == pytest.approx(1 - 0.99**100)
    assert "99 % of all possible pairs with a probability of at least 63.3 %" in sentence(shown, "Counted exactly")


def test_theorem_5_is_said_to_be_false_where_it_is(page):
    """Ten pairs at ρ = 0.9: it claims 0.9999998, true is 10/11 on average."""
    words = sentence(page(sfind="alpha", sn=10, srho=0.9), "Theorem 5 of the paper")
    assert (
        "more than 99.9 %. (Refuted) Here that is false: without ties it covers 90.9 % of all pairs on average" in words
    )
    assert "(Proven)" in words
    assert "Here that is false" not in page(sfind="alpha", sn=10_000, srho=0.01).words


def test_one_pair_is_one_pair(page):
    assert (
        headline(page(sfind="alpha", sn=1, srho=0.9))
        == "1 pair brings the sampled curve within 0.9 of the truth with 60.4 % certainty"
    )
    assert headline(page(sfind="alpha", sn=1, srho=0.1)) == "1 pair is too few for a distance of ρ = 0.1"


@pytest.mark.parametrize("settings", [{"sfind": "rho", "sn": 1, "sa": 0.9}, {"srho": 1, "sa": 0.5}])
def test_a_distance_that_no_curve_exceeds_says_nothing(page, settings):
    """Shares lie between 0 and 1: to be within 1 of each other is true of any two curves."""
    shown = page(**settings)
    assert re.match(r"1 pair is too few for a statement with probability α = (90|50) %", headline(shown))
    assert "no two such curves are further apart than 1" in shown.words


@pytest.mark.parametrize(
    "settings",
    [
        {"sfind": "alpha", "sn": 1, "srho": 1},
        {"sfind": "alpha", "sn": 1, "srho": 1e-6},
        {"sfind": "alpha", "sn": 10**12, "srho": 1},
        {"sfind": "rho", "sn": 1, "sa": 0},
        {"sfind": "rho", "sn": 1, "sa": 0.999999999},
        {"sfind": "rho", "sn": 10**12, "sa": 0.999999999},
        {"srho": 1e-6, "sa": 0.999999999},
        {"srho": 1, "sa": 0},
        {"srhos": "0.999"},
        {"srhos": "0.000001"},
    ],
)
def test_the_ends_of_all_ranges_are_answered(page, settings):
    shown = page(**settings)
    assert headline(shown)
    assert "nan" not in shown.words.lower()
    assert not shown.warnings
    for name in [each for each in shown.chart.names if each.startswith(("published", "exact"))]:
        assert all(np.isfinite(values).all() for values in shown.chart.curve(f"{name};"))


def test_without_a_distance_there_is_the_answer_and_a_sentence(page):
    shown = page().pick("srhos")
    assert headline(shown).startswith("14,979 pairs")
    assert "230 pairs are enough" in shown.words
    assert "Add at least one distance" in shown.words
    assert not shown.charts


def test_the_button_brings_figure_2_back(page):
    shown = page(sfind="alpha", sn=77, srhos="0.5", srho=0.3, sa=0.2, e0=2).press("Figure 2")
    assert headline(shown).startswith("14,979 pairs")
    assert shown.number("e0").value == 2, "the scenario stays the reader's"
    test_figure_2_is_drawn_as_published(lambda: shown, "0.0100")


# --- both sources -----------------------------------------------------------------------------------------------------


def test_both_sources_opens_on_the_papers_claim_and_the_truth(page):
    shown = page("both")
    at = coupled_at(0.4, 10_000, rho=0.01)
    assert f"claims {100 * at.risk:.3g} %" in headline(shown)
    assert 1 - at.exact_risk == pytest.approx(np.exp(-coupled.PAPER_ETA / 2) * np.sinh(0.2), rel=1e-12)
    assert (
        headline(shown)
        == "Less private than ε = 0.4 in up to 88.6 % (Proven) of releases; the paper claims 64.5 % (Refuted)"
    )
    marks = [(x, y) for x, y, _ in shown.chart.own]
    assert marks == [(at.risk, 0.4), (at.exact_risk, 0.4)]
    words = sentence(shown, "The claim (Refuted) of *Privacy at Risk* (PoPETs 2021)")
    assert "The worst case is that of the noise alone (Proven) for ε₀ = 1 if η is right" in words
    assert "every release is as private as ε = 1.14 = η·ε₀, not as ε₀" in words, "rounded up"
    assert "if the true one is η = 1.13 times as large" in shown.words
    assert "by the quantile and by α, which say only how far η can be trusted." in shown.words


@pytest.mark.parametrize(
    "settings", [{}, {"bc2": 0.5}, {"bn": 10}, {"brhos": "0.02,0.5"}, {"bby": "samples", "bns": "9,40000"}]
)
def test_there_is_one_truth_however_far_the_sample_can_be_trusted(page, settings):
    """In the headline, the mark, the curve, and under the calibration to the same noise."""
    truth = np.exp(-coupled.PAPER_ETA / 2) * np.sinh(0.2)
    shown = page("both", **settings)
    assert "in up to 88.6 % (Proven) of releases" in headline(shown)
    assert shown.chart.own[1][:2] == (pytest.approx(1 - truth), 0.4)
    risk, epsilon = shown.chart.curve("exact noise;")
    below = epsilon < coupled.PAPER_ETA
    np.testing.assert_allclose(
        risk[below], 1 - np.exp(-coupled.PAPER_ETA / 2) * np.sinh(epsilon[below] / 2), rtol=1e-12
    )


def test_the_truth_under_a_calibration_is_that_of_the_headline(page):
    found = calibrate(0.4, 0.5, eta=coupled.PAPER_ETA, alpha=float(tolerance(10_000, 0.01)))
    shown = page("both", be0=found.epsilon0)
    risk = float(re.search(r"in up to ([\d.]+) % \(Proven\) of releases", headline(shown))[1])
    words = sentence(shown, "In truth, if η is right, it is as private")
    held = float(re.search(r"as private as ε = 0.4 in ([\d.]+) % of releases in the worst case", words)[1])
    assert risk + held == pytest.approx(100, abs=0.05)


def test_a_quantile_says_what_it_covers_on_average(page):
    found = share_to_take(0.5, samples=10_000, rho=0.01)
    shown = sentence(page("both"), "Take the quantile at")
    valid, mean = (percent(each, toward="down").replace("\u00a0", " ") for each in (found.valid, found.mean_coverage))
    assert f"(Holds here) It covers at least {valid} of pairs" in shown
    assert shown.endswith(f"and {mean} on average. (Proven)")


def test_both_sources_says_first_who_needs_it(page):
    shown = page("both")
    (first, *_) = (text for text in shown.texts if "η" in text)
    assert first == "For noise of a sampled sensitivity, if the true one is η = 1.13 times as large."
    assert "With a proven bound on the sensitivity, make the noise for that" in shown.words


def test_the_level_is_the_sections_own_and_the_scenarios_can_be_taken(page):
    shown = page("both", e0=0.7, k=3, be0=2)
    assert "for this section only; your scenario's is in the sidebar" in shown.words
    shown.press("With my scenario")
    assert (shown.number("be0").value, shown.number("bkk").value) == (0.7, 3)
    assert not [each for each in page("both", e0=500).app.button if each.label == "With my scenario"]


def test_what_is_proven_is_rounded_to_the_safe_side_in_headline_and_sentence(page):
    shown = page(sfind="alpha", sn=14_905, srho=0.01)
    assert 0.8985 < tolerance(14_905, 0.01) < 0.899
    assert headline(shown).endswith("with 89.8 % certainty")
    assert "to be 89.8 % sure," in sentence(shown, "Counted exactly")
    assert "not exceeded by 89.5 % of all possible pairs" in sentence(
        page(sfind="alpha", sn=22, srho=0.10432), "Counted exactly"
    )


@pytest.mark.parametrize(
    ("button", "figure", "name", "key"),
    [
        *(("Figure 3a", "3a", f"published, ρ = {rho:g};", f"rho={rho:.3f}") for rho in (0.01, 0.012, 0.015, 0.02)),
        *(
            ("Figure 3b", "3b", f"published, {samples:,} samples", f"samples={samples}")
            for samples in (10_000, 15_000, 20_000, 25_000)
        ),
    ],
)
def test_figure_3_is_drawn_as_published(page, button, figure, name, key):
    golden = FIGURES[figure]["curves"][key]
    plain = page("both", bby="rho" if figure == "3a" else "samples")
    moved = page("both", be0=3, bn=777, brho=0.3, bc2=0.5, beta="model", bds=7, bk=1, bkk=4, brhos="0.5", bns="5")
    for shown in (plain, moved.press(button)):
        risk, epsilon = shown.chart.curve(name)
        np.testing.assert_allclose(risk, golden["x"], rtol=0, atol=1e-9)
        np.testing.assert_allclose(epsilon, golden["y"], rtol=0, atol=1e-9)


def test_the_curves_follow_every_control(page):
    shown = page("both", bby="samples", bns="20000,5000", brho=0.02, be0=2, be=0.7, bc2=0.8, bkk=3)
    setting = Setting(epsilon0=2, k=3, confidence2=0.8)
    for samples in (20_000, 5_000):
        risk, epsilon = shown.chart.curve(f"published, {samples:,} samples")
        alpha = tolerance(samples, 0.02)
        sure = coupled.confidence(epsilon, 2, eta=coupled.PAPER_ETA, confidence2=0.8, alpha=alpha, k=3)
        np.testing.assert_allclose(risk, 1 - sure, rtol=0, atol=1e-12)
    first = min(20_000, 5_000)
    at = coupled_at(0.7, first, rho=0.02, setting=setting)
    assert shown.chart.own[0][:2] == (at.risk, 0.7)


def test_the_papers_own_example_is_refused_with_what_can_be_had(page):
    shown = page("both", be0=2, e0=3).press("The paper’s own example")
    values = [shown.number(key).value for key in ("be", "bw", "bc2", "brho")]
    assert values == [0.4, 0.9, 0.9, 0.01]
    refusal = next(each for each in shown.warnings if "no noise reaches" in each)
    assert "no noise reaches 90 % by the formula" in refusal
    assert "81 %" in refusal
    assert share_to_take(0.9, samples=15_000, rho=0.01).share == pytest.approx(0.99953, abs=1e-5)
    assert "Take the quantile at 0.9996 of" in shown.words, "rounded up"
    assert shown.number("e0").value == 3


def test_both_calibrations_are_those_of_the_core(page):
    shown = page("both", bby="samples", bns="15000", brho=0.01, bc2=0.95, bw=0.6, be=0.5, bkk=2)
    alpha = float(tolerance(15_000, 0.01))
    found = calibrate(0.5, 0.6, eta=coupled.PAPER_ETA, confidence2=0.95, alpha=alpha, k=2)
    words = sentence(shown, "with the sampled sensitivity.")
    (noise,) = re.findall(r"Noise for ε₀ = ([\d.]+) with", words)
    assert found.epsilon0 / 1.034 < float(noise) <= found.epsilon0
    (reached,) = re.findall(r"as ε = ([\d.]+) in all", words)
    assert found.reached <= float(reached) < found.reached * 1.034
    told = float(re.search(r"as private as ε = 0.5 in ([\d.]+) %", words)[1]) / 100
    assert told <= found.exact_confidence < told + 0.001
    case_2 = share_to_take(0.6, samples=15_000, rho=0.01)
    words = sentence(shown, "of the sampled sensitivities and noise for ε itself")
    (quantile,) = re.findall(r"Take the quantile at ([\d.]+) of", words)
    assert case_2.share <= float(quantile) < case_2.share * 1.001
    told = float(re.search(r"It covers at least ([\d.]+) % of pairs", words)[1]) / 100
    assert told <= case_2.valid < told + 0.001


def test_a_wish_above_alpha_and_one_that_every_noise_meets(page):
    few = page("both", bby="samples", bns="10", brho=0.01, bw=0.5)
    assert len(few.warnings) == 2
    assert all("Not possible" in each for each in few.warnings)
    easy = page("both", bw=0.01)
    assert "By the formula every ε₀ will do" in easy.words
    assert "In truth the confidence falls to 0" in easy.words


@pytest.mark.parametrize(("largest", "sampled"), [(0.17, 0.15), (170, 150), (4, 4), (1e-90, 1e-91)])
def test_a_bound_gives_eta(page, largest, sampled):
    shown = page("both", beta="bound", bmax=largest, bds=sampled)
    ratio = coupled.eta_of_bound(largest, sampled)
    told = float(re.search(r"η = ([\d.]+)\. \(Proven\)", shown.words)[1])
    assert ratio <= told < ratio * 1.034
    risk, epsilon = shown.chart.curve("published, ρ = 0.01;")
    sure = coupled.confidence(epsilon, 1, eta=ratio, alpha=tolerance(10_000, 0.01))
    np.testing.assert_allclose(risk, 1 - sure, rtol=0, atol=1e-12)


def test_a_bound_below_the_sampled_sensitivity_is_refuted_by_it(page):
    shown = page("both", beta="bound", bmax=0.1, bds=0.2)
    (warning,) = shown.warnings
    assert "a sampled pair has already refuted it. Shown is η = 1." in warning
    assert "η = 0.5" not in shown.words
    assert shown.chart.own[1][0] == pytest.approx(1 - np.exp(-0.5) * np.sinh(0.2)), "η is 1"
    assert "if the bound holds" not in shown.words


def test_the_unit_changes_the_papers_model_and_not_the_bound(page):
    shown = page("both", beta="model")
    assert "η = 1.13; the same data in thousands: η = 134. (Refuted)" in shown.words
    assert "the model (Lemma 12) is false" in shown.words
    (toggle,) = (each for each in shown.app.toggle if each.key == "bk")
    toggle.set_value(True)
    in_thousands = shown.run()
    _, epsilon = in_thousands.chart.curve("exact noise;")
    assert epsilon.max() > coupled.eta(0.01, 0.15, unit=1000) > 134, "the axis follows"
    assert Laplace(coupled.eta(0.01, 0.15, unit=1000)).loss_within(0.4) < 1e-20
    assert "in up to 100 % (Proven) of releases" in headline(in_thousands)


@pytest.mark.parametrize("settings", [{"brhos": "0.5,0.05"}, {"bby": "samples", "brho": 0.05}])
def test_the_papers_model_takes_the_distance_of_the_first_curve(page, settings):
    ratio = coupled.eta(0.05, 0.15)
    assert f"1 + c·ρ/Δ with ρ = 0.05: η = {brief(ratio)}" in page("both", beta="model", **settings).words


@pytest.mark.parametrize(
    "settings",
    [
        {"bn": 1, "brhos": "0.000001"},
        {"bn": 10**12, "brhos": "1"},
        {"be0": 100, "be": 1e-6, "bkk": 10_000},
        {"be0": 1e-6, "be": 100},
        {"bc2": 0},
        {"beta": "bound", "bmax": 1e100, "bds": 1e-100},
        {"beta": "bound", "bmax": 1e-100, "bds": 1e100},
        {"beta": "model", "bds": 1e-100, "bc": 1e6, "bk": 1},
        {"beta": "model", "bc": 0},
        {"bw": 1},
        {"bw": 1e-6, "bkk": 10_000, "be": 1e-6},
    ],
)
def test_the_ends_of_all_ranges_of_both_sources_are_answered(page, settings):
    shown = page("both", **settings)
    assert headline(shown)
    assert "nan" not in shown.words.lower()
    for trace in ("published", "exact noise"):
        for each in [each for each in shown.chart.names if each.startswith(trace)][:1]:
            assert all(np.isfinite(values).all() for values in shown.chart.curve(f"{each};"))


@pytest.mark.parametrize(("by", "key"), [("rho", "brhos"), ("samples", "bns")])
def test_without_a_value_there_is_a_sentence(page, by, key):
    shown = page("both", bby=by).pick(key)
    assert "Add at least one value" in shown.words
    assert not shown.charts
