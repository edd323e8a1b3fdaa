"""The figures of the empirical audit: what they hold, their units, the floor below which nothing can be said, and their axes."""

import dataclasses

import numpy as np
import pytest

from par_core.audit import Panel
from par_core.audit.auditing import audit
from par_core.audit.drawn_densities import density_curves, noise_curves
from par_core.audit.gaussian_noise import band_limited_noise
from par_core.audit.intervals import intervals
from par_core.audit.noise import mixture_noise
from par_core.audit.other_densities import delta_curves
from par_core.audit.queries import PanelMean, PanelSum
from par_core.figures import empirical_audit
from tests.figures.checked import Checked

figures = Checked(empirical_audit)

UNIT = "US dollars"


@pytest.fixture(scope="module")
def result():
    values = np.random.default_rng(1).normal(size=(6, 20)) + 2 * np.eye(6)[:, :1]
    return audit(Panel.from_arrays(values, databases=range(1990, 2010)), PanelSum())


@pytest.fixture(scope="module")
def nobody():
    """An audit in which nobody moves anything."""
    return audit(Panel.from_arrays(np.full((3, 5), 2.0)), PanelMean())


def marks(figure):
    return [each for each in figure.data if each.mode == "markers+text"]


def test_the_answers_by_database(result, trace, coordinates):
    figure = figures.answers(result, unit=UNIT)
    places, answers = coordinates(trace(figure, "answer;"))
    np.testing.assert_array_equal(places, range(1990, 2010))
    np.testing.assert_array_equal(answers, result.answers)
    assert "markers" in trace(figure, "answer;").mode  # a line alone hides where the databases are
    _, mean = coordinates(trace(figure, "mean;"))
    assert mean.tolist() == [result.answers.mean()] * 2
    assert figure.layout.yaxis.title.text == "Answer (US dollars)"
    assert "unit of the query" in figures.answers(result).layout.yaxis.title.text


def test_databases_with_names_are_numbered(coordinates, trace):
    named = audit(Panel.from_arrays([[1.0, 2, 4], [2, 1, 5]], databases=["b", "a", "c"]), PanelSum())
    assert coordinates(trace(figures.answers(named), "answer;"))[0].tolist() == [1, 2, 3]


@pytest.mark.parametrize("which", ["delta", "total"])
def test_exposure_against_epsilon(result, trace, coordinates, which):
    at = result.at(0.2)
    ends = intervals(result, 0.2)
    figure = figures.exposure(result, which=which, own=at, intervals=ends)
    levels, values = coordinates(trace(figure, "from these databases"))
    expected = result.delta if which == "delta" else result.total
    shown = expected > 0
    assert 0 < shown.sum() < len(expected), "there is a zero that is not drawn"
    np.testing.assert_array_equal(levels, result.epsilons[shown])
    np.testing.assert_array_equal(values, expected[shown])
    # The floor goes all the way, is named, and is one over the number of databases.
    places, floor = coordinates(trace(figure, "1/20 databases"))
    assert floor.tolist() == [1 / 20, 1 / 20]
    assert (places[0], places[-1]) == (result.epsilons[0], result.epsilons[-1])
    (own,) = marks(figure)
    value = at.delta if which == "delta" else at.total
    assert (own.x[0], own.y[0]) == (0.2, value)
    assert own.text[0] == f"{'δ' if which == 'delta' else 'δ*'} = {value:.3g}"
    assert own.meta == "estimate"
    band = trace(figure, "interval of 95 %")
    low, high = ends.delta if which == "delta" else ends.total
    assert value + band.error_y.array[0] == pytest.approx(high)
    assert value - band.error_y.arrayminus[0] == pytest.approx(low)


@pytest.mark.parametrize("which", ["delta", "total"])
def test_the_log_axis_holds_everything_and_no_zero(result, which):
    figure = figures.exposure(result, which=which, own=result.at(0.2))
    assert figure.layout.yaxis.type == "log"
    low, high = (10**each for each in figure.layout.yaxis.range)
    for each in figure.data:
        heights = np.asarray(each.y, dtype=float)
        assert (heights > 0).all()
        assert (low < heights).all()
        assert (heights < high).all()
    assert all(each > 0 for each in figure.layout.yaxis.tickvals)
    assert figure.layout.yaxis.title.text.endswith("log)")
    assert figure.layout.xaxis.title.text == "Privacy level ε (smaller is more private)"


def test_a_level_below_the_first_has_its_marker_and_the_curve_begins_there(result, trace, coordinates):
    """Where somebody shows very much, the curve begins at a level above most that readers choose."""
    own = result.at(float(result.epsilons[0]) / 3)
    figure = figures.exposure(result, which="delta", own=own)
    assert [mark.x[0] for mark in marks(figure)] == [own.epsilon]
    levels, values = coordinates(trace(figure, "from these databases"))
    assert (levels[0], values[0]) == (own.epsilon, own.delta)
    assert coordinates(trace(figure, "1/20"))[0][0] == own.epsilon


def test_a_level_at_which_nobody_is_exposed_has_no_marker(result):
    beyond = result.at(float(result.losses.max()) * 2)
    assert not marks(figures.exposure(result, which="delta", own=beyond))


@pytest.mark.parametrize("which", ["delta", "total"])
def test_where_nobody_moves_anything_the_floor_is_drawn(nobody, trace, which):
    figure = figures.exposure(nobody, which=which, own=nobody.at(0.1))
    assert len(trace(figure, "from these").y) == 0
    assert not marks(figure)
    assert np.isfinite(figure.layout.yaxis.range).all()


def test_densities_with_and_without(result, trace, coordinates):
    curves = density_curves(result, 0)
    figure = figures.densities(curves, name="no. 1", unit=UNIT)
    for words, heights in (("with everyone", curves.with_all), ("without no. 1", curves.without)):
        places, shown = coordinates(trace(figure, words))
        np.testing.assert_array_equal(places, curves.answer)
        np.testing.assert_array_equal(shown, heights)
        # They are densities: kinks stand at answers, which are among the places.
        assert np.trapezoid(heights, curves.answer) == pytest.approx(1, abs=0.01)
    looks = {(each.line.dash, each.line.width) for each in figure.data}
    assert len(looks) == 2, "told apart in grey too"
    assert figure.layout.yaxis.rangemode == "tozero"
    assert figure.layout.xaxis.title.text == "Answer (US dollars)"
    assert {*result.answers, *result.without[0]} <= set(curves.answer)


def test_noise_and_its_sample(trace, coordinates):
    noise = mixture_noise(1.0, 2.0)
    curves = noise_curves(noise, size=200_000, rng=np.random.default_rng(1))
    figure = figures.noise(curves, unit=UNIT)
    assert figure.layout.title.text == "Noise, 200,000 samples, 25 % without any"
    places, heights = coordinates(trace(figure, "density"))
    np.testing.assert_allclose(heights, noise.density(places))
    bars = trace(figure, "sample")
    widths = np.asarray(bars.width, dtype=float)
    # The bars are the share of the sample that is not 0 and not beyond four scales. A bar misses by more than 5 standard
    # errors, of 61 at most 0.0014 × 1.4, with a probability below 1 in 10,000.
    assert (np.asarray(bars.y) * widths).sum() == pytest.approx(0.75 * (1 - np.exp(-4)), abs=0.005)
    np.testing.assert_allclose(bars.y, noise.density(np.asarray(bars.x, dtype=float)), atol=0.012)
    assert curves.sampled_exact_share == pytest.approx(0.25, abs=0.005)
    again = noise_curves(noise, size=200_000, rng=np.random.default_rng(1))
    np.testing.assert_array_equal(again.heights, curves.heights)
    assert figure.layout.xaxis.title.text == "Noise (US dollars)"


def test_band_limited_noise_has_no_share_without_any(trace):
    curves = noise_curves(band_limited_noise(1.0, 20.0), size=1000, rng=np.random.default_rng(1))
    figure = figures.noise(curves)
    assert figure.layout.title.text == "Noise, 1,000 samples"
    assert (np.asarray(trace(figure, "density").y) >= 0).all()


def test_other_densities_on_a_log_axis(result, trace, coordinates):
    curves = delta_curves(result, 0, epsilons=[0.1, 0.5, 1.0, 400.0])
    figure = figures.other_densities(curves, name="no. 1")
    assert len({(each.line.dash, each.line.color, each.line.width) for each in figure.data}) == len(figure.data)
    for curve in curves:
        levels, deltas = coordinates(trace(figure, curve.words))
        seen = curve.deltas > 1e-9
        np.testing.assert_array_equal(levels, curve.epsilons[seen])
        assert (deltas > 0).all()
    assert figure.layout.yaxis.type == "log"
    low, high = (10**each for each in figure.layout.yaxis.range)
    assert all(low < min(each.y) <= max(each.y) < high for each in figure.data)


def test_other_densities_of_who_moves_nothing(result):
    curves = delta_curves(result, 0, epsilons=[0.1])
    still = [dataclasses.replace(each, deltas=np.zeros(1)) for each in curves]
    figure = figures.other_densities(still, name="no. 1")
    assert len(figure.data) == 0
