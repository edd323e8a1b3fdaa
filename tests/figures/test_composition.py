"""The figures on composition: the published curves, the exact one over them, and hatching exactly where a claim is too low."""

import dataclasses
import json
import math
import re
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from par_core import composition
from par_core.composition import ACCOUNTANTS, compare
from par_core.composition.comparison import too_low
from par_core.evidence import PROVEN, Quantity
from par_core.figures import composition as drawings
from par_core.figures import points, theme
from par_core.published import composition as printed
from par_core.rounding import amount
from tests.figures.checked import Checked

figures = Checked(drawings)

PUBLISHED = json.loads((Path(__file__).parent / "data" / "figure_5.json").read_text(encoding="utf-8"))["panels"]
PANELS = (0.1, 0.5, 1.0)


def drawn(epsilon0=0.5, largest=300, keys=tuple(ACCOUNTANTS), delta=1e-5, **options):
    return figures.accountants(compare(epsilon0, range(1, largest + 1), delta=delta, keys=keys), **options)


def named(figure):
    return {trace.name: trace for trace in figure.data}


# --- figure 5 ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("epsilon0", PANELS)
def test_the_panels_hold_the_published_curves(trace, coordinates, epsilon0):
    golden = PUBLISHED[f"epsilon0={epsilon0}"]
    # What was drawn used δ = 10⁻⁴ for both curves that depend on it; the text says 1e-5.
    as_printed, as_drawn = drawn(epsilon0), drawn(epsilon0, delta=1e-4)
    for figure, words, name in (
        (as_printed, "PaR, as drawn (δ = 0.0001)", "privacy at risk"),
        (as_printed, "Basic composition", "basic"),
        (as_drawn, "Advanced composition", "advanced"),
    ):
        numbers, epsilon = coordinates(trace(figure, words))
        np.testing.assert_array_equal(numbers[:299], golden["releases"])
        np.testing.assert_allclose(epsilon[:299], golden[name], rtol=0, atol=1e-9)


@pytest.mark.parametrize(
    ("epsilon0", "tight"), [(0.1, 8.1599892678), (0.5, 63.9817970788), (1.0, 167.2673062489)], ids=PANELS
)
def test_the_exact_curve_is_the_known_one_and_on_the_safe_side(trace, coordinates, epsilon0, tight):
    _, epsilon = coordinates(trace(drawn(epsilon0, keys=()), "Exact"))
    assert tight <= epsilon[-1] * (1 + 1e-10)
    assert epsilon[-1] == pytest.approx(tight, rel=1e-7)


def test_every_curve_is_that_of_its_accountant(coordinates):
    compared = compare(0.3, range(1, 41), delta=1e-6)
    traces = {name.split(" (δ")[0]: each for name, each in named(figures.accountants(compared)).items()}
    for curve in compared.curves:
        numbers, epsilon = coordinates(traces[figures.short_name(curve.accountant.key)])
        np.testing.assert_array_equal(numbers, compared.releases)
        np.testing.assert_array_equal(epsilon, curve.epsilon)


@pytest.mark.parametrize(("epsilon0", "first"), [(0.5, 257), (1.0, 277)])
def test_theorem_3_is_hatched_from_where_it_is_too_low(trace, coordinates, epsilon0, first):
    compared = compare(epsilon0, range(1, 301), delta=1e-5, keys=("at_risk",))
    figure = figures.accountants(compared, too_low={"at_risk": too_low(compared, "at_risk")})
    x, y = coordinates(trace(figure, "not a valid guarantee"))
    assert (x.min(), x.max()) == (first, 300)
    lower, upper = y[: len(y) // 2], y[len(y) // 2 :][::-1]
    assert (lower < upper).all(), "the area reaches from the claim up to the truth"
    mark = trace(figure, f"too low from {first} releases on")
    assert list(mark.x) == [first]
    assert mark.y[0] == printed.at_risk(epsilon0, first, delta=1e-5)
    assert mark.customdata[0].endswith(f" at {first} releases"), "the pointer may lie beside it"


def test_the_mark_names_the_very_number_between_the_drawn_ones_and_the_end():
    few = [1, 3, 250, 266, 300]
    compared = compare(0.5, few, delta=1e-5, keys=("at_risk",))
    (stretch,) = found = too_low(compared, "at_risk")
    mark = figures.accountants(compared, too_low={"at_risk": found}).data[-1]
    assert (list(mark.x), mark.name) == ([257], "PaR, Theorem 3: too low from 257 releases on")
    ended = dataclasses.replace(stretch, last=280)
    mark = figures.accountants(compared, too_low={"at_risk": [ended]}).data[-1]
    assert mark.name == "PaR, Theorem 3: too low from 257 releases to 280"
    alone = dataclasses.replace(stretch, last=257)
    assert figures.span(alone) == "at 257 releases"
    assert figures.span(dataclasses.replace(stretch, first=1, last=9)) == "from the first release to 9"


def test_what_is_told_under_the_pointer_is_rounded_to_the_safe_side():
    compared = compare(0.1, range(1, 301), delta=1e-5)
    figure = figures.accountants(compared, own=(100, compared.exact.quantity("upper", 99)))
    for each in figure.data:
        if each.hoverinfo == "skip":
            continue
        assert "%{customdata}" in each.hovertemplate
        told = [float(words.split(" at ")[0]) for words in each.customdata]
        np.testing.assert_allclose(told, each.y, rtol=0.034)  # two digits
        if each.meta == PROVEN.value:
            assert (np.array(told) >= np.array(each.y) * (1 - 1e-15)).all(), each.name
    assert named(figure)["Exact privacy loss distribution"].customdata[99] == "4.3", "4.22035 in full"
    assert named(figure)["your scenario"].customdata[0] == "4.3 at 100 releases"


@pytest.mark.parametrize("keys", [("at_risk_exact",), ("at_risk_preprint",), ("basic", "advanced", "zcdp"), ()])
def test_nothing_is_hatched_where_no_claim_is_too_low(keys):
    assert not [name for name in named(drawn(keys=keys)) if "valid" in name or "too low" in name]


def test_a_claim_that_becomes_large_enough_again_is_hatched_only_before():
    x = np.asarray(named(drawn(1.0, keys=("at_risk_as_drawn",)))["not a valid guarantee here"].x)
    compared = compare(1.0, range(1, 301), delta=1e-5, keys=("at_risk_as_drawn",))
    assert set(x) == set(compared.releases[compared.curves[0].below])
    assert 0 < len(set(x)) < 300, "the example must hold both"


def test_the_title_names_what_the_curves_are_drawn_for():
    @settings(deadline=None, derandomize=True, max_examples=15)
    @given(st.sampled_from([1e-6, 0.0371, 0.5, 20.0]), st.sampled_from([1e-12, 1e-5, 0.1]), st.integers(2, 40))
    def check(epsilon0, delta, largest):
        figure = drawn(epsilon0, largest, ("basic", "zcdp"), delta)
        words = {1e-12: "10⁻¹²", 1e-5: "10⁻⁵", 0.1: "0.1"}[delta]
        assert f"ε₀ = {amount(epsilon0, 4)}, δ = {words}" in figure.layout.title.text
        spent = composition.zcdp(epsilon0, np.arange(1, largest + 1), delta=delta)
        np.testing.assert_array_equal(named(figure)["zCDP"].y, spent)

    check()


def test_one_look_for_each_meaning():
    traces = named(drawn())
    assert traces["Exact privacy loss distribution"].line.dash is None
    assert traces["Exact privacy loss distribution"].line.color == theme.LIGHT["exact"]
    dashes = set()
    for key, accountant in ACCOUNTANTS.items():
        trace = next(each for name, each in traces.items() if name.split(" (δ")[0] == figures.short_name(key))
        assert trace.meta == accountant.evidence.basis.value
        if accountant.evidence.basis is PROVEN:
            assert trace.line.dash is None
            dashes.add(trace.marker.symbol)
        else:
            assert trace.line.dash not in (None, "solid")
            dashes.add(trace.line.dash)
    assert len(dashes) == len(ACCOUNTANTS), "each is told apart without colour"


def test_all_curves_are_compared_at_one_number_under_the_pointer():
    figure = drawn(own=(40, Quantity(12.0, "level", toward="up")))
    assert figure.layout.hovermode == "x unified"
    for trace in figure.data:
        assert trace.hoverinfo == "skip" or "<extra>" not in trace.hovertemplate
    assert named(figure)["your scenario"].text[0] == "12"


def test_useless_heights_do_not_press_the_picture_flat():
    figure = drawn(20.0, keys=("advanced", "at_risk_preprint"))
    assert figure.layout.yaxis.range[1] <= 1.1 * 300 * 20.0
    assert max(named(figure)["Advanced composition"].y) > 1e12


@pytest.mark.parametrize(("epsilon0", "delta"), [(1e-6, 0.5), (1e-6, 1e-15), (50.0, 1e-15), (50.0, 0.5)])
@pytest.mark.parametrize("axes", ["plain", "log"])
def test_the_ends_of_the_parameter_space_can_be_drawn(epsilon0, delta, axes):
    drawing = drawings.accountants(compare(epsilon0, range(1, 13), delta=delta), axes=axes, k=10_000)
    figure = drawing.figure()
    for trace in figure.data:
        assert np.isfinite(np.asarray(trace.x, dtype=float)).all()
        assert np.isfinite(np.asarray(trace.y, dtype=float)).all()
    assert np.isfinite(figure.layout.yaxis.range).all()
    assert len(points.table(drawing)) > 12


@pytest.mark.parametrize("axes", ["plain", "log"])
def test_every_number_of_releases_has_room(axes):
    start, end = drawn(0.5, 300, axes=axes).layout.xaxis.range
    assert start <= 0
    assert 300 <= (10**end if axes == "log" else end) <= 310


def test_the_log_axis_begins_at_what_is_drawn():
    low, high = drawn(0.5, 300, axes="log").layout.yaxis.range
    least = min(
        np.asarray(each.y, dtype=float).min() for each in drawn(0.5, 300, axes="log").data if each.mode == "lines"
    )
    assert math.log10(least) - 0.2 * (high - low) < low < math.log10(least)


def test_the_log_axis_stands_where_nothing_is_spent():
    """Six releases so small are (0, δ)-differentially private."""
    low, high = drawn(5e-6, 6, axes="log").layout.yaxis.range
    assert low < math.log10(3e-5) < high


# --- plans ------------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def found():
    keys = ("exact", *ACCOUNTANTS)
    return (
        [composition.most_releases(key, 0.1, epsilon=5.0, delta=1e-5) for key in keys],
        [composition.epsilon0_for(key, 300, epsilon=5.0, delta=1e-5) for key in keys],
    )


def test_the_bars_are_the_plans_in_their_order(found):
    for plans, what, size in zip(found, ("releases", "level"), ("releases", "epsilon0"), strict=True):
        figure = figures.allowed_bars(plans, what=what)
        bars = {place: length for trace in figure.data for place, length in zip(trace.y, trace.x, strict=True)}
        names = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
        for plan in plans:
            place = next(at for at, name in names.items() if name.replace("<br>", " ") == figures.short_name(plan.key))
            assert bars[place] == getattr(plan, size)


def test_a_claim_that_allows_more_than_is_safe_is_hatched_and_no_other(found):
    figure = figures.allowed_bars(found[0], what="releases")
    hatched = [trace for trace in figure.data if trace.marker.pattern.shape]
    assert [trace.name for trace in hatched] == ["published, more than is safe"]
    names = dict(zip(figure.layout.yaxis.tickvals, figure.layout.yaxis.ticktext, strict=True))
    exact = found[0][0].releases
    too_many = {
        figures.short_name(plan.key)
        for plan in found[0]
        if plan.releases > exact and ACCOUNTANTS[plan.key].evidence.basis is not PROVEN
    }
    assert {names[place] for place in hatched[0].y} == too_many == {"PaR, as drawn"}


def test_where_the_exact_count_stops_the_largest_proven_plan_is_the_measure():
    keys = ("exact", "rdp", "optimal_pure", "at_risk", "at_risk_preprint", "at_risk_as_drawn")
    plans = [composition.most_releases(key, 1e-4, epsilon=1.0, delta=1e-5) for key in keys]
    exact, renyi, _, theorem, preprint, as_drawn = (plan.releases for plan in plans)
    assert plans[0].at_limit
    assert exact < theorem < renyi, "the example must be one"
    assert exact < preprint < renyi
    figure = figures.allowed_bars(plans, what="releases")
    hatched = [trace for trace in figure.data if trace.marker.pattern.shape]
    wanted = [as_drawn] if as_drawn > renyi else []
    assert [list(trace.x) for trace in hatched] == [wanted]
    assert [trace.name for trace in hatched] == ["published, more than is proven"]
    words = {length: text for trace in figure.data for length, text in zip(trace.x, trace.text, strict=True)}
    assert words[exact] == "1,000,000+"
    assert words[200_000] == "200,000+"
    assert words[renyi] == f"{renyi:,}"


def test_a_proven_level_is_cut_off_in_its_label_and_under_the_pointer():
    plan = composition.epsilon0_for("advanced", 2, epsilon=1.0, delta=1e-5)
    assert composition.advanced(float(f"{plan.epsilon0:.4g}"), 2, delta=1e-5) > 1, "to the nearest would be too much"
    (bar,) = figures.allowed_bars([plan], what="level").data
    for told in (*bar.text, *bar.customdata):
        assert plan.epsilon0 * (1 - 1e-3) < float(told) <= plan.epsilon0
        assert composition.advanced(float(told), 2, delta=1e-5) <= 1
    assert bar.hovertemplate.startswith("%{customdata}")


def test_the_table_of_the_plans_holds_both_questions(found):
    table = figures.within_target_table(*found)
    assert len(table) == 2 * (1 + len(ACCOUNTANTS))
    assert set(table["question"]) == {"how many releases", "which level"}
    row = table[(table["accountant"] == "Exact") & (table["question"] == "how many releases")].iloc[0]
    assert row["releases"] == found[0][0].releases


def test_nothing_that_fits_at_all_can_be_drawn():
    plans = [composition.most_releases(key, 1.0, epsilon=0.1, delta=1e-5) for key in ("exact", "basic")]
    assert [plan.releases for plan in plans] == [0, 0]
    figure = figures.allowed_bars(plans, what="releases")
    assert figure.layout.xaxis.range[1] > 0


# --- mixed releases ---------------------------------------------------------------------------------------------------


def spent(rows, target=3.0, delta=1e-5):
    prefixes = [rows[: end + 1] for end in range(len(rows))]
    columns = [tuple(zip(*prefix, strict=True)) for prefix in prefixes]
    return figures.Running(
        delta,
        target,
        np.cumsum([count for _, count in rows]),
        np.cumsum([level * count for level, count in rows]),
        np.array([printed.heterogeneous(*each, delta=delta) for each in columns]),
        [composition.exact(composition.compose(*each), delta=delta) for each in columns],
    )


def test_what_mixed_releases_spend_grows_from_nothing(trace, coordinates):
    given_rows = [(0.1, 20), (0.2, 6), (1.0, 300)]
    running = spent(given_rows)
    figure = figures.running(running)
    for words, values in (
        ("Basic composition", running.basic),
        ("Corollary 1", running.published),
        ("Exact", [each.upper for each in running.exact]),
    ):
        numbers, epsilon = coordinates(trace(figure, words))
        np.testing.assert_array_equal(numbers, [0, 20, 26, 326])
        np.testing.assert_array_equal(epsilon, [0, *values])
    assert set(trace(figure, "target").y) == {3.0}
    assert figure.layout.hovermode == "x unified"


def test_before_the_exact_count_is_there_no_claim_is_drawn():
    early = dataclasses.replace(spent([(0.1, 20), (0.2, 6)]), exact=())
    assert set(named(figures.running(early))) == {"Basic composition", "target"}


def test_a_corollary_that_claims_too_little_is_hatched():
    below = spent([(0.5, 100), (0.5, 300)])
    assert below.published[-1] < below.exact[-1].lower, "the example must be one"
    assert "not a valid guarantee here" in named(figures.running(below))
    assert "not a valid guarantee here" not in named(figures.running(spent([(0.5, 20)])))


# --- every figure -----------------------------------------------------------------------------------------------------


def test_every_figure_has_a_title_and_two_axes_with_their_unit(found):
    for figure in (
        drawn(),
        figures.allowed_bars(found[0], what="releases"),
        figures.running(spent([(0.1, 3), (0.2, 1)])),
    ):
        assert figure.layout.title.text
        for axis in (figure.layout.xaxis, figure.layout.yaxis):
            assert re.match("Number of|Privacy spent, ε|Accountant|Releases so far", axis.title.text)


def test_the_exact_curve_is_never_told_as_more_than_basic_composition():
    compared = compare(0.4125, range(1, 13), delta=1e-5)
    figure = named(figures.accountants(compared, own=(2, compared.exact.quantity("upper", 1))))
    exact, basic = (figure[name].customdata for name in ("Exact privacy loss distribution", "Basic composition"))
    assert all(float(each) <= float(other) for each, other in zip(exact, basic, strict=True))
    assert figure["your scenario"].text[0] == "0.825"
