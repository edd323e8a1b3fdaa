"""The figures of the sample planner: 2, 3a and 3b as published, a sample's distribution with its band, and accuracy."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from par_core.figures import sample_planner, theme
from par_core.figures.points import table
from par_core.regression import RidgeProblem, utility
from par_core.risk import explicit_curves
from par_core.rounding import amount
from par_core.sampling import SensitivitySample, coupled_curves, samples_at, samples_curves
from tests.figures.checked import Checked

figures = Checked(sample_planner)

GOLDEN = json.loads((Path(__file__).parents[1] / "core" / "data" / "figures_2_3.json").read_text(encoding="utf-8"))


def marks(figure):
    return [each for each in figure.data if each.mode == "markers+text"]


def hatched(figure):
    return [each for each in figure.data if each.name == "not a valid guarantee"]


def named(figure, text):
    return [each for each in figure.data if text in (each.name or "")]


@pytest.fixture(scope="module")
def accuracy():
    rng = np.random.default_rng(7)
    rows = rng.random((4000, 3)) + 0.05
    design = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    problem = RidgeProblem(design, rng.random(4000), names=("a", "b", "c"), target_bounds=(0.0, 50_000.0))
    return utility(problem, np.linspace(0.1, 0.99, 30), penalty=0.01, runs=20, rng=rng)


def ridge_figure(accuracy, **changes):
    return figures.utility_figure(accuracy, explicit_curves.by_epsilon0([1.0, 0.8, 0.6]), **changes)


def sampled(values, worst_case=None):
    return SensitivitySample(np.asarray(values, dtype=float), rows=100, worst_case=worst_case)


# --- figure 2 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rho", [0.0001, 0.001, 0.01, 0.1])
def test_figure_2_holds_the_published_curves(trace, coordinates, rho):
    figure = figures.samples_needed_figure(samples_curves(), own=samples_at(samples=15_000, rho=0.01))
    curve = trace(figure, "published", f"ρ = {rho:g};")
    risk, samples = coordinates(curve)
    golden = GOLDEN["2"]["curves"][f"rho={rho:.4f}"]
    np.testing.assert_allclose(risk, golden["x"], rtol=0, atol=1e-12)
    np.testing.assert_allclose(samples, golden["y"], rtol=1e-9, atol=0)
    assert curve.line.dash is not None
    low, high = figure.layout.yaxis.range
    assert figure.layout.yaxis.type == "log"
    assert low < math.log10(min(golden["y"]))
    assert math.log10(max(golden["y"])) < high


def test_the_exact_counts_stand_beside_figure_2(trace, coordinates):
    figure = figures.samples_needed_figure(samples_curves(), own=samples_at(samples=15_000, rho=0.01))
    risk, samples = coordinates(trace(figure, "largest covers one more"))
    least = np.maximum(np.ceil(1 / risk - 1 - 1e-9), 1)
    assert ((samples == least) | ((samples == least + 1) & (abs(1 / risk - 1 - least) < 1e-9))).all()  # ties go up
    risk, samples = coordinates(trace(figure, "largest covers 99\u00a0%"))
    np.testing.assert_array_equal(samples, np.maximum(np.ceil(np.log(risk) / np.log(0.99) - 1e-9), 1))
    assert trace(figure, "largest covers one more").line.dash is None
    (own,) = marks(figure)
    assert (own.x[0], own.y[0]) == (pytest.approx(0.0995741367), 15_000)
    assert "15,000 pairs, ρ = 0.01" in own.text[0]
    assert own.meta == "as published"


def test_only_a_claim_that_fails_is_hatched(coordinates):
    assert not hatched(figures.samples_needed_figure(samples_curves()))
    areas = hatched(figures.samples_needed_figure(samples_curves([0.01, 0.9])))
    (failing,) = samples_curves([0.9])
    too_few = failing.risk[np.ceil(failing.published) < failing.in_the_mean]
    assert 0 < len(too_few) < 25
    assert set(np.concatenate([coordinates(area)[0] for area in areas])) <= set(too_few)
    assert min(coordinates(areas[0])[0]) == failing.risk[0]
    assert [area.showlegend for area in areas] == [True] + [False] * (len(areas) - 1)


def test_a_sample_that_says_nothing_or_lies_off_the_axis_gets_no_marker():
    for own in (samples_at(samples=10, rho=0.01), samples_at(samples=10**6, rho=0.01)):
        assert not marks(figures.samples_needed_figure(samples_curves(), own=own))


# --- figures 3a and 3b ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("panel", "by"), [("3a", "rho"), ("3b", "samples")])
def test_figure_3_holds_the_published_curves(trace, coordinates, panel, by):
    curves = coupled_curves.by_rho() if by == "rho" else coupled_curves.by_samples()
    figure = figures.both_sources_figure(curves, by=by)
    for key, golden in GOLDEN[panel]["curves"].items():
        number = float(key.partition("=")[2])
        words = f"ρ = {number:g};" if by == "rho" else f"{number:,.0f} samples;"
        risk, epsilon = coordinates(trace(figure, "published", words))
        np.testing.assert_allclose(epsilon, golden["y"], rtol=0, atol=1e-12)
        np.testing.assert_allclose(risk, golden["x"], rtol=0, atol=1e-9)
        exact = trace(figure, "exact noise;")  # one for all
        assert exact.line.dash is None
        np.testing.assert_allclose(exact.x, 1 - math.exp(-17 / 30) * np.sinh(np.asarray(exact.y) / 2), rtol=1e-12)
        assert (np.interp(epsilon, exact.y, exact.x)[1:] > risk[1:]).all()
    (area,) = hatched(figure)  # from the boldest claim to the truth, and so over all four
    inside = [each for each in figure.data if each.name.startswith(("published", "exact noise"))]
    assert min(area.x) == min(min(each.x) for each in inside)
    assert {(x, y) for each in inside for x, y in zip(each.x, each.y, strict=True) if y == 1.0} >= {
        (x, y) for x, y in zip(area.x, area.y, strict=True) if y == 1.0
    }


def test_the_readers_own_confidence_is_marked_as_claimed_and_as_true():
    own = coupled_curves.coupled_at(0.5, 10_000, rho=0.01)
    claimed, true = marks(figures.both_sources_figure(coupled_curves.by_rho(), own=own))
    assert (claimed.x[0], claimed.y[0], claimed.text[0]) == (pytest.approx(0.5767683), 0.5, "claimed 57.7\u00a0%")
    assert (true.x[0], true.y[0], true.text[0]) == (
        pytest.approx(1 - math.exp(-17 / 30) * math.sinh(0.25)),
        0.5,
        "true 85.7\u00a0%",
    )
    assert (claimed.meta, true.meta) == ("as published", "proven")


def test_a_claim_below_the_truth_is_not_hatched():
    setting = coupled_curves.Setting(confidence2=0.05)
    figure = figures.both_sources_figure(coupled_curves.by_rho(setting=setting))
    assert not hatched(figure)
    assert named(figure, "exact noise")


def test_titles_say_what_is_drawn():
    setting = coupled_curves.Setting(0.7, eta=1.25)
    by_rho = figures.both_sources_figure(coupled_curves.by_rho([0.02], 7000, setting=setting))
    assert by_rho.layout.title.text == "Risk by ρ with 7,000 samples, ε₀ = 0.7, η = 1.25"
    by_samples = figures.both_sources_figure(coupled_curves.by_samples([7000], 0.02, setting=setting), by="samples")
    assert by_samples.layout.title.text == "Risk by samples with ρ = 0.02, ε₀ = 0.7, η = 1.25"
    assert figures.samples_needed_figure(samples_curves([0.3])).layout.title.text.endswith("ρ = 0.3")


# --- figure 7 ---------------------------------------------------------------------------------------------------------


def test_the_distribution_is_drawn_in_steps_with_its_band(trace, coordinates):
    sample = sampled([0.1, 0.2, 0.2, 0.4, 0.4, 0.4, 0.5, 0.8])
    figure = figures.sensitivity_cdf(sample, share=0.6, confidence=0.9, unit="USD")
    curve = trace(figure, "sampled pairs")
    x, y = coordinates(curve)
    np.testing.assert_array_equal(x, [0.1, 0.2, 0.4, 0.5, 0.8])
    np.testing.assert_array_equal(y, np.array([1, 3, 6, 7, 8]) / 8)
    assert (curve.line.shape, curve.line.dash, curve.meta) == ("hv", "dot", "estimate")
    rho = math.sqrt(math.log(20) / 16)
    np.testing.assert_allclose(y + curve.error_y.array, np.minimum(y + rho, 1), atol=1e-9)
    np.testing.assert_allclose(y - curve.error_y.arrayminus, np.maximum(y - rho, 0), atol=1e-9)
    (own,) = marks(figure)
    assert (own.x[0], own.y[0], own.text[0]) == (0.4, 0.6, "0.4")
    assert own.name == "your quantile: 60\u00a0% of the pairs"
    assert "USD" in figure.layout.xaxis.title.text
    assert {"lower", "upper"} <= set(table(sample_planner.sensitivity_cdf(sample, share=0.6)).columns)


def test_the_band_is_filled_in_steps(trace, coordinates):
    x, y = coordinates(trace(figures.sensitivity_cdf(sampled([1.0, 2.0, 3.0]), share=0.5), "band"))
    np.testing.assert_array_equal(x, [1, 2, 2, 3, 3, 3, 3, 2, 2, 1])
    upper, lower = y[:5], y[5:][::-1]
    assert (upper >= lower).all()
    assert upper[0] == upper[1]  # level from 1 to 2, then the step at 2


@pytest.mark.parametrize("size", [3000, 15_000, 100_000])
def test_a_large_sample_is_thinned_and_its_band_still_holds_every_value(trace, coordinates, size):
    sample = sampled(np.random.default_rng(2).exponential(size=size))
    curve = trace(figures.sensitivity_cdf(sample, share=0.9, confidence=0.95), "sampled pairs")
    x, y = coordinates(curve)
    assert len(x) <= 2000
    assert (x[0], x[-1], y[-1]) == (sample.values[0], sample.values[-1], 1.0)
    lower, upper = sample.band(0.95)
    at = np.searchsorted(x, sample.values, side="right") - 1  # the step on which each value lies
    assert (y + curve.error_y.array)[at] == pytest.approx(upper, abs=1.5 / 2000)  # a step and a half of the 2,000 drawn
    assert ((y + curve.error_y.array)[at] >= upper - 1e-12).all()
    assert ((y - curve.error_y.arrayminus)[at] <= lower + 1e-12).all()


def test_the_worst_case_is_a_line_or_a_word(trace, coordinates):
    near = trace(figures.sensitivity_cdf(sampled([0.5, 1.0], worst_case=2.0), share=0.5), "worst case 2;")
    np.testing.assert_array_equal(coordinates(near)[0], [2.0, 2.0])
    assert (near.line.dash, near.meta) == (None, "proven")
    far = trace(figures.sensitivity_cdf(sampled([0.5, 1.0], worst_case=500.0), share=0.5), "worst case 500")
    assert "500 times the largest sampled" in far.name
    assert np.isnan(coordinates(far)[0]).all()
    assert not named(figures.sensitivity_cdf(sampled([0.5, 1.0]), share=0.5), "worst case")


@pytest.mark.parametrize(
    ("bound", "told"),
    [(0.123412, "0.124"), (1234.1, "1,240"), (9999.9, "10,000"), (2.0, "2"), (1.00001e-7, "1.01e-7")],
)
def test_a_worst_case_is_told_rounded_up(bound, told):
    figure = figures.sensitivity_cdf(sampled([bound / 2, bound], worst_case=bound), share=0.5)
    assert named(figure, "worst case")[0].name == f"worst case {told}"


@pytest.mark.parametrize("values", [[0.0], [0.0] * 50, [3.0] * 50, [0.0, 1e-300], [1e-12, 1e12]])
@pytest.mark.parametrize("log", [False, True])
@pytest.mark.parametrize("worst_case", [None, 1.0])
def test_degenerate_samples_are_drawn(values, log, worst_case):
    figure = figures.sensitivity_cdf(sampled(values, worst_case), share=0.5, log=log)
    for each in figure.data:
        if "worst case" not in each.name:
            assert np.isfinite(np.asarray(each.x, dtype=float)).all()
    assert len(marks(figure)) == 1


# --- figure 6 ---------------------------------------------------------------------------------------------------------


def test_the_confidence_is_on_the_left_and_the_error_on_the_right(trace, coordinates, accuracy):
    figure = ridge_figure(accuracy)
    for epsilon0 in (1.0, 0.8, 0.6):
        epsilon, claimed = coordinates(trace(figure, "published", f"ε₀ = {epsilon0:g};"))
        level = np.minimum(epsilon, epsilon0)
        np.testing.assert_allclose(claimed, np.expm1(-level) / math.expm1(-epsilon0), rtol=1e-9, atol=1e-12)
        epsilon, true = coordinates(trace(figure, "exact confidence, ε₀", f"ε₀ = {epsilon0:g};"))
        held = np.where(epsilon < epsilon0, math.exp(-epsilon0 / 2) * np.sinh(epsilon / 2), 1.0)
        np.testing.assert_allclose(true, held, rtol=1e-9, atol=1e-12)
    on_the_right = [each.name for each in figure.data if each.yaxis != "y2" and each.hoverinfo != "skip"]
    assert on_the_right == ["error, ± one deviation", "error without noise"]
    assert (figure.layout.yaxis.side, figure.layout.yaxis2.side) == ("right", "left")
    assert figure.layout.yaxis2.title.text == "Confidence in ε"
    error = trace(figure, "one deviation")
    np.testing.assert_array_equal(error.y, accuracy.rmse.mean(axis=0))
    np.testing.assert_allclose(error.error_y.array, accuracy.rmse.std(axis=0, ddof=1), rtol=1e-9)
    assert (error.line.dash, error.meta) == ("dot", "estimate")
    assert (np.diff(error.y) < 0).all()
    np.testing.assert_array_equal(trace(figure, "error without").y, [accuracy.non_private.mean()] * 2)


def test_no_confidence_passes_one(accuracy):
    """The published figure's do: its curves go on beyond ε₀ by the same formula."""
    for each in named(ridge_figure(accuracy), "published"):
        assert max(each.y) <= 1.0


def test_the_error_can_be_drawn_in_the_unit_of_the_target(trace, accuracy):
    figure = ridge_figure(accuracy, unit="USD")
    np.testing.assert_allclose(trace(figure, "one deviation").y, 50_000 * accuracy.rmse.mean(axis=0), rtol=1e-12)
    assert figure.layout.yaxis.title.text == "RMSE (USD)"
    assert ridge_figure(accuracy).layout.yaxis.title.text == "RMSE (target from 0 to 1)"


def test_the_right_axis_holds_the_band_and_the_plain_error(accuracy):
    low, high = ridge_figure(accuracy).layout.yaxis.range
    assert low < min((accuracy.mean - accuracy.sd).min(), accuracy.non_private_mean)
    assert high > (accuracy.mean + accuracy.sd).max()


def test_the_claims_are_hatched_from_the_boldest_to_the_lowest_truth(coordinates, accuracy):
    (area,) = hatched(ridge_figure(accuracy))
    epsilon, height = coordinates(area)
    half = len(epsilon) // 2
    at, claim, truth = epsilon[:half], height[:half], height[half:][::-1]
    for level, lowest in ((0.3, 1.0), (0.7, 1.0), (0.9, 1.0)):
        tightest = min(epsilon0 for epsilon0 in (0.6, 0.8, 1.0) if epsilon0 > level)
        assert np.interp(level, at, claim) == pytest.approx(math.expm1(-level) / math.expm1(-tightest), abs=1e-3)
        assert np.interp(level, at, truth) == pytest.approx(math.exp(-lowest / 2) * math.sinh(level / 2), abs=1e-3)


def test_confidence_and_error_have_their_own_columns(accuracy):
    curves, own = explicit_curves.by_epsilon0([1.0, 0.8, 0.6]), explicit_curves.risk_at(0.4, 0.8)
    rows = sample_planner.utility_table(sample_planner.utility_figure(accuracy, curves, own=own, unit="USD"))
    error = rows[rows["curve"].str.startswith("error, ± one deviation")]
    np.testing.assert_array_equal(error["RMSE"], accuracy.mean_in_unit)
    assert error["Confidence in ε"].isna().all()
    assert rows[rows["curve"].str.startswith("published")]["RMSE"].isna().all()
    assert len(rows[rows["curve"] == "your setting"]) == 2
    assert {"lower", "upper", "standing"} <= set(rows.columns)


def test_the_readers_own_choice_is_marked_on_both_axes(accuracy):
    error, claimed, true = marks(ridge_figure(accuracy, own=explicit_curves.risk_at(0.4, 0.8), unit="USD"))
    assert (claimed.x[0], claimed.y[0]) == (0.4, pytest.approx(0.5987, abs=5e-5))
    assert true.y[0] == pytest.approx(math.exp(-0.4) * math.sinh(0.2))
    assert (error.x[0], error.yaxis, claimed.yaxis, true.yaxis) == (0.8, None, "y2", "y2")
    assert error.name == f"error at ε₀: {amount(error.y[0], 4)}"
    assert error.y[0] == pytest.approx(50_000 * np.interp(0.8, accuracy.epsilons, accuracy.mean))
    outside = ridge_figure(accuracy, own=explicit_curves.risk_at(0.4, 3.0))
    assert len(marks(outside)) == 2


def test_one_basis_has_one_look(accuracy):
    drawn = [
        ridge_figure(accuracy),
        figures.both_sources_figure(coupled_curves.by_rho()),
        figures.samples_needed_figure(samples_curves(), own=samples_at(samples=15_000, rho=0.01)),
        figures.sensitivity_cdf(sampled([1.0, 2.0], 3.0), share=0.5),
    ]
    dark = {theme.LIGHT["exact"], theme.LIGHT["muted"]}
    for figure in drawn:
        for each in figure.data:
            if each.mode == "lines" and each.meta in ("proven", "as published"):
                assert (each.line.dash is None) == (each.meta == "proven")
                assert (each.line.color in dark) == (each.meta == "proven")
