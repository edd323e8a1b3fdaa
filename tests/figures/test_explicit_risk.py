"""The figures on explicit risk: the published numbers, the exact ones beside them, and titles that tell the truth."""

import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core.figures import explicit_risk
from par_core.mechanisms import Laplace, max_posterior
from par_core.published import explicit
from par_core.risk import explicit_curves, relaxations
from par_core.rounding import percent
from tests.figures.checked import Checked

figures = Checked(explicit_risk)

quick = settings(deadline=None, derandomize=True, max_examples=25)
levels = st.floats(math.log(1e-3), math.log(20.0)).map(lambda x: float(f"{math.exp(x):.4g}"))


def numbers(text):
    return [float(each) for each in re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:e[+-]?\d+)?", text)]


def number_after(symbol, text):
    """Return the first number that the text gives to a symbol, as in `ε₀ = 1.5`."""
    return numbers(text.split(f"{symbol} = ", 1)[1])[0]


# --- figures 1a and 1b ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [1, 2, 3])
def test_figure_1a_holds_the_published_curves(published, trace, coordinates, k):
    figure = figures.risk_curves(explicit_curves.by_dimension([1, 2, 3], 1.0))
    risk, epsilon = coordinates(trace(figure, "published", f"k = {k}"))
    golden = published["1a"]["curves"][f"k={k}"]
    np.testing.assert_allclose(risk, golden["x"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(epsilon, golden["y"], rtol=0, atol=1e-9)


@pytest.mark.parametrize("epsilon0", [1.0, 1.5, 2.0, 2.5])
def test_figure_1b_holds_the_published_curves(published, trace, coordinates, epsilon0):
    figure = figures.risk_curves(explicit_curves.by_epsilon0([1.0, 1.5, 2.0, 2.5], 1), by="epsilon0")
    risk, epsilon = coordinates(trace(figure, f"published, ε₀ = {epsilon0:g};"))
    golden = published["1b"]["curves"][f"epsilon0={epsilon0}"]
    np.testing.assert_allclose(risk, golden["x"], rtol=0, atol=1e-9)
    np.testing.assert_allclose(epsilon, golden["y"], rtol=0, atol=1e-9)


def test_the_hatched_area_begins_at_the_boldest_claim(trace, coordinates):
    """The least published risk of all drawn: the smallest k, whatever the order of the curves."""
    for ks in ([1, 2, 3], [3, 1]):
        figure = figures.risk_curves(explicit_curves.by_dimension(ks, 1.0))
        hatched, _ = coordinates(trace(figure, "not a valid guarantee"))
        boldest, _ = coordinates(trace(figure, "published", "k = 1"))
        assert set(boldest) <= set(hatched)


def test_the_axes_of_figure_1_stand_as_published(published):
    for curves in (explicit_curves.by_dimension([1, 2, 3], 1.0), explicit_curves.by_epsilon0([1.0, 1.5], 1)):
        figure = figures.risk_curves(curves)
        assert published["1a"]["x"] in figure.layout.xaxis.title.text.lower()
        assert "ε" in figure.layout.yaxis.title.text


def test_the_confidence_axis_shows_one_minus_the_risk(trace, coordinates):
    curves = explicit_curves.by_dimension([1, 6], 0.9)
    as_risk, as_confidence = (figures.risk_curves(curves, axis=axis) for axis in ("risk", "confidence"))
    for words in (("published", "k = 1"), ("published", "k = 6"), ("exact",)):
        risk, _ = coordinates(trace(as_risk, *words))
        confidence, _ = coordinates(trace(as_confidence, *words))
        np.testing.assert_array_equal(confidence, 1 - risk)
    assert "confidence" in as_confidence.layout.xaxis.title.text.lower()


def test_the_exact_curve_stands_beside_the_published_one(trace, coordinates):
    figure = figures.risk_curves(explicit_curves.by_dimension([1, 2], 1.0))
    exact, epsilon = coordinates(trace(figure, "exact"))
    below = epsilon < 1.0
    np.testing.assert_allclose(exact[below], 1 - np.exp(-0.5) * np.sinh(epsilon[below] / 2), rtol=1e-12)
    assert (exact[~below] == 0).all()
    assert not below.all(), "the fall to 0 at ε₀ must be in the picture"


def test_the_own_setting_is_marked_with_the_values_of_its_own_result():
    own = explicit_curves.risk_at(0.37, 0.82, k=3)
    figure = figures.risk_curves(explicit_curves.by_dimension([1, 2, 3], 1.0), own=own)
    claimed, true = (each for each in figure.data if each.mode == "markers+text")
    assert (claimed.x[0], claimed.y[0]) == (own.risk, 0.37)
    assert (true.x[0], true.y[0]) == (own.exact_risk, 0.37)
    assert claimed.text[0] == f"claimed {percent(own.risk)}"
    assert true.text[0] == f"true {percent(own.exact_risk, toward='up')}"
    assert number_after("ε₀", claimed.name) == 0.82
    assert number_after("ε", claimed.name.replace("ε₀ = 0.82", "")) == 0.37


# --- what a title says is what the curves hold ------------------------------------------------------------------------


@quick
@given(epsilon0=levels, ks=st.lists(st.integers(1, 200), min_size=1, max_size=5, unique=True))
def test_the_curves_by_dimension_follow_from_the_numbers_in_title_and_names(epsilon0, ks):
    figure = figures.risk_curves(explicit_curves.by_dimension(sorted(ks), epsilon0))
    told = number_after("ε₀", figure.layout.title.text)
    assert numbers(figure.layout.title.text.split("k = ")[1]) == sorted(ks)
    published = [each for each in figure.data if (each.name or "").startswith("published")]
    assert len(published) == len(ks)
    for each in published:
        again = explicit.risk(np.asarray(each.y), told, k=int(number_after("k", each.name)))
        np.testing.assert_allclose(each.x, again, rtol=0, atol=1e-9)


@quick
@given(epsilon0s=st.lists(levels, min_size=2, max_size=5, unique=True), k=st.integers(1, 200))
def test_the_curves_by_epsilon0_follow_from_the_numbers_in_title_and_names(epsilon0s, k):
    figure = figures.risk_curves(explicit_curves.by_epsilon0(sorted(epsilon0s), k), by="epsilon0")
    head, tail = figure.layout.title.text.rsplit("k = ", 1)
    assert numbers(head) == sorted(epsilon0s)
    assert numbers(tail) == [k]
    for each in figure.data:
        if (each.name or "").startswith("published"):
            again = explicit.risk(np.asarray(each.y), number_after("ε₀", each.name), k=k)
            np.testing.assert_allclose(each.x, again, rtol=0, atol=1e-9)


@quick
@given(epsilon0=levels, k=st.integers(1, 200))
def test_the_truth_follows_from_the_numbers_in_its_title(epsilon0, k):
    figure = figures.truth(explicit_curves.truth(epsilon0, k))
    told0, told_k = number_after("ε₀", figure.layout.title.text), int(number_after("k", figure.layout.title.text))
    again = {
        "published": lambda epsilon: explicit.risk(epsilon, told0, k=told_k),
        "two-sided": lambda epsilon: Laplace(told0).loss_exceeds(epsilon),
        "one-sided": lambda epsilon: Laplace(told0).loss_exceeds(epsilon, two_sided=False),
        "δ": lambda epsilon: Laplace(told0).delta(epsilon),
    }
    for word, compute in again.items():
        (found,) = (each for each in figure.data if word in each.name)
        np.testing.assert_allclose(found.y, compute(np.asarray(found.x)), rtol=0, atol=1e-9)


def test_the_attack_figures_follow_from_the_numbers_in_their_titles(trace, coordinates):
    curves = explicit_curves.attacks(1.3, 0.45)
    errors = figures.tradeoff(curves)
    beliefs = figures.posterior(curves, prior=0.3, believed=max_posterior(0.3, 1.3))
    for figure, question in ((errors, "tradeoff"), (beliefs, "posterior")):
        assert numbers(figure.layout.title.text) == [1.3, 0.45]
        for name, epsilon in (("ε₀ = 1.3", 1.3), ("ε = 0.45", 0.45)):
            x, y = coordinates(trace(figure, "exact", name))
            np.testing.assert_allclose(y, getattr(Laplace(epsilon), question)(x), rtol=1e-12)
    marker = next(each for each in beliefs.data if each.mode == "markers+text")
    assert (marker.x[0], marker.y[0]) == (0.3, max_posterior(0.3, 1.3))


def test_the_overlap_in_the_title_is_the_area_that_is_drawn(trace, coordinates):
    figure = figures.overlap(explicit_curves.noise_overlap(1.0, 0.4, points=4001))
    x, y = coordinates(trace(figure, "shared"))
    told = numbers(figure.layout.title.text)[-1] / 100
    # The picture ends where either noise is rare: what lies beyond is less than one part in fifty.
    assert told == pytest.approx(np.trapezoid(y, x), abs=0.02)
    assert told == pytest.approx(explicit.overlap(1.0, 0.4), abs=5e-4)


def test_the_example_of_post_processing_goes_from_three_quarters_to_certainty(trace):
    own = relaxations.thresholded_loss(0.8, 1.0, threshold=0.5)
    figure = figures.thresholded(explicit_curves.post_processing(1.0, 0.5), own=own)
    after, before = (each for each in figure.data if each.mode == "markers+text")
    assert after.y[0] == pytest.approx(1.0, abs=1e-12)
    assert before.y[0] == pytest.approx(1 - math.exp(-0.5) * math.sinh(0.4), abs=1e-12)
    assert "75.1\u00a0%" in before.text[0]
    assert numbers(figure.layout.title.text) == [0.5, 1.0]
    for each in (trace(figure, "after the threshold"), trace(figure, "before")):
        assert len(each.x) == len(each.y)


def test_simulated_points_carry_intervals_around_the_exact_curve(trace):
    simulated = explicit_curves.simulate(1.0, 1, even=False, size=100_000, seed=1)
    figure = figures.truth(explicit_curves.truth(1.0, 1), simulated=simulated)
    for words, two_sided in ((("simulated", "two-sided"), True), (("simulated", "one-sided"), False)):
        points = trace(figure, *words)
        exact = Laplace(1.0).loss_exceeds(np.asarray(points.x), two_sided=two_sided)
        lower, upper = points.y - points.error_y.arrayminus, points.y + points.error_y.array
        assert (lower < points.y).all()
        assert (points.y < upper).all()
        assert ((lower <= exact) & (exact <= upper)).all()
        assert points.line.dash == "dot"


def assert_every_point_is_a_number(figure):
    for each in figure.data:
        if each.hoverinfo == "skip" and len(each.x) == 1:
            continue  # stands in the legend for others and draws nothing
        x, y = (np.asarray(values, dtype=float) for values in (each.x, each.y))
        if each.hoverinfo == "skip" and each.mode == "lines":
            ends = np.isnan(x) & np.isnan(y)  # of one line among several that have a trace together
            x, y = x[~ends], y[~ends]
        assert np.isfinite(x).all(), (figure.layout.title.text, each.name)
        assert np.isfinite(y).all(), (figure.layout.title.text, each.name)


# --- every figure -----------------------------------------------------------------------------------------------------


def test_every_figure_has_a_title_and_two_axes_with_their_unit(figure):
    assert figure.layout.title.text
    for axis in (figure.layout.xaxis, figure.layout.yaxis):
        assert re.search(r"probability|rate|unit|share|privacy level", axis.title.text.lower()), axis.title.text


def test_every_picture_on_a_card_has_a_title_and_two_named_axes(any_figure):
    assert any_figure.layout.title.text
    assert any_figure.layout.xaxis.title.text
    assert any_figure.layout.yaxis.title.text


def test_no_figure_holds_a_point_that_is_not_a_number(any_figure):
    assert_every_point_is_a_number(any_figure)


@pytest.mark.parametrize(("epsilon", "epsilon0"), [(1e-8, 1e-8), (0.1, 1e-8), (1e-8, 700.0), (699.0, 700.0)])
@pytest.mark.parametrize("k", [1, 10_000])
def test_the_ends_of_the_parameter_space_can_be_drawn(epsilon, epsilon0, k):
    own = explicit_curves.risk_at(epsilon, epsilon0, k=k)
    drawn = (
        figures.risk_curves(explicit_curves.by_dimension([k], epsilon0), own=own),
        figures.risk_curves(explicit_curves.by_epsilon0([epsilon0, 1.0], k), by="epsilon0", own=own),
        figures.truth(explicit_curves.truth(epsilon0, k), own=own),
        figures.tradeoff(explicit_curves.attacks(epsilon0, epsilon)),
        figures.overlap(explicit_curves.noise_overlap(epsilon0, epsilon)),
    )
    for figure in drawn:
        assert_every_point_is_a_number(figure)
