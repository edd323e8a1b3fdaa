"""The page Empirical audit on built-in data: what it opens on, and that its words and pictures say what the core finds."""

import json
import math
import re

import numpy as np
import pytest

from pages.empirical_audit import current_audit
from pages.shared import jobs
from par_core import memory
from par_core.audit.curves import density_curves
from par_core.audit.intervals import intervals
from par_core.audit.order import Quantile, Variance
from par_core.audit.other_densities import delta_curves
from par_core.audit.queries import PanelCount, PanelMean, PanelSum, ShareAbove
from par_core.datasets import precipitation_synthetic
from par_core.rounding import brief, rounded, small
from tests.pages.empirical_audit_view import audit, census, errors, headline, link, murders, radio, rank, ranking, turn

QUERIES = {
    "mean": PanelMean(),
    "sum": PanelSum(),
    "count": PanelCount(),
    "share": ShareAbove(1000),
    "variance": Variance(),
    "quantile": Quantile(0.5),
}


@pytest.fixture(scope="module")
def found():
    return audit(census(), PanelMean())


@pytest.fixture(scope="module")
def counties():
    return audit(murders(), PanelMean())


@pytest.fixture
def page(open_page, monkeypatch):
    monkeypatch.setattr(current_audit, "audit", audit)
    return lambda **settings: open_page("empirical_audit", **settings)


def in_order(block):
    """The elements of a page from top to bottom."""
    for _, child in sorted(getattr(block, "children", {}).items()):
        yield child
        yield from in_order(child)


def assert_shows(view, result, epsilon=0.1, which="delta"):
    """The verdict and both pictures are those of this audit."""
    at = result.at(epsilon)
    number = f"{at.exposed:,} of {len(at.deltas):,}" if at.exposed else f"none of {len(at.deltas):,}"
    assert number in headline(view)
    chart = view.charts["exposure"]
    levels, values = chart.curve("from these databases")
    expected = result.delta if which == "delta" else result.total
    seen = expected > 0
    value = at.delta if which == "delta" else at.total
    first = [(epsilon, value)] if epsilon < result.epsilons[0] and at.exposed else []
    curve = [*first, *zip(result.epsilons[seen], expected[seen], strict=True)]
    np.testing.assert_allclose(np.column_stack([levels, values]), np.reshape(curve, (-1, 2)), rtol=1e-9)
    assert [(x, y) for x, y, _ in chart.own] == ([(epsilon, pytest.approx(value, rel=1e-9))] if value > 0 else [])


def assert_finite(view):
    assert not {"nan", "inf", "-inf"} & set(view.words.lower().replace(",", " ").split())


# --- what it opens on -------------------------------------------------------------------------------------------------


def test_it_opens_on_the_census_with_a_verdict(page, found):
    view = page()
    assert view.title == "Empirical audit"
    assert view.open_section == "Who is exposed?"
    at = found.at(0.1)
    worst = found.individuals[at.ranking[0]]
    assert (at.exposed, worst) == (43, 20030)
    assert headline(view) == "At ε = 0.1, 43 of 29,501 people are exposed; the most exposed is person 20030"
    assert_shows(view, found)
    for words in (
        "Only 2 have a δ above 1/60, below which 60 databases say nothing; the largest is 0.0217. (Estimate)",
        "an attacker 50 % sure that somebody is in the data becomes at most 52.5 % sure. δ is the excess of probability over that",
        "not differential privacy",
        "Nobody’s δ is above 0.02 from ε = 0.124 on",
        "as in (ε, δ)-DP, not the chance of a breach, which is larger",
        "which is not the paper’s “probability that someone is compromised”",
        "That comes from one bandwidth",
    ):
        assert words in view.words
    assert not view.warnings
    assert not errors(view)
    assert len(ranking(view)) == 10
    assert ranking(view)[0].startswith("1. person 20030: δ = 0.0217, exposed until ε = 0.69")
    assert view.charts["exposure"].curve("1/60 databases")[1][0] == pytest.approx(1 / 60)


@pytest.mark.parametrize("allowed", [0.02, 0.017, 0.01, 0.005, 0.003, 0.001])
def test_the_level_that_protects_is_rounded_to_the_safe_side(page, found, allowed):
    view = page(ed=allowed)
    (told,) = (float(each.split("from ε = ")[1].split(" ")[0]) for each in view.texts if "Nobody’s δ" in each)
    assert found.protected_from(allowed) <= told * (1 + 1e-12)
    assert found.at(told).delta <= allowed
    assert ("less than 60 databases can show" in view.words) == (allowed < 1 / 60)


@pytest.mark.parametrize("seed", [2, 39])
def test_a_check_that_fails_by_chance_on_random_subsamples_is_no_warning(page, seed):
    result = audit(census(seed=seed), PanelMean())
    assert result.by_construction
    assert result.independent.failed or result.comparable.failed, "one in twenty does"
    view = page(eseed=seed)
    assert not view.app.warning
    assert "A check fails by chance now and then" in view.words


def test_the_total_is_shown_when_it_is_asked_for(page, found):
    view = page().choose("ewhich", "total")
    assert_shows(view, found, which="total")
    assert "δ*" in view.charts["exposure"].own[0][2]


def test_another_level_gives_another_verdict(page, found):
    view = page(ee=0.5)
    assert_shows(view, found, 0.5)
    view.type("ee", 3)
    assert headline(view) == "At ε = 3, none of 29,501 people is exposed"
    assert "None has a δ above 1/60, below which 60 databases say nothing; the largest is 0. (Estimate)" in view.words
    assert not view.charts["exposure"].own
    assert view.charts["with_and_without"]


# --- the other presets ------------------------------------------------------------------------------------------------


def test_the_counties_are_shown_with_the_warning_above_the_verdict(page, counties):
    view = page(etable="county_murders")
    assert headline(view) == "At ε = 0.1, 40 of 2,197 counties are exposed; the most exposed is California 06037"
    assert_shows(view, counties)
    (warning,) = view.warnings
    assert "Do not rely on this audit: its databases are not independent." in warning
    texts = [each.value for each in in_order(view.app.main) if each.type in ("markdown", "warning")]
    places = [
        next(at for at, text in enumerate(texts) if words in text)
        for words in ("Do not rely on this audit", "counties are exposed;", "Nobody’s δ is above")
    ]
    assert places == sorted(places)
    assert counties.independent.failed


@pytest.mark.parametrize("tab", ["databases", "other", "noise"])
def test_the_warning_stands_in_every_section(page, tab):
    view = page(etable="county_murders", tab=tab)
    assert any("not independent" in each for each in view.warnings)


def test_the_rate_of_murders(page):
    assert_shows(page(etable="county_murders", emur="murder_rate"), audit(murders("murder_rate"), PanelMean()))


def test_the_generated_precipitation_is_called_synthetic(page):
    view = page(etable="precipitation")
    assert_shows(view, audit(precipitation_synthetic(), PanelMean()))
    assert "of 10,368 cells" in headline(view)
    assert any("synthetic" in each for each in radio(view, "etable").options)
    assert "Generated, not measured" in page(etable="precipitation", tab="databases").words


# --- queries ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask", QUERIES)
@pytest.mark.parametrize("table", ["census2000", "county_murders"])
def test_every_query(page, ask, table):
    view = page(eask=ask, etable=table)
    panel = murders() if table == "county_murders" else census()
    assert_shows(view, audit(panel, QUERIES[ask]))
    assert not errors(view)


@pytest.mark.parametrize(("table", "ask"), [("census2000", "count"), ("county_murders", "share")])
def test_where_no_level_protects_the_page_says_so_and_goes_on(page, files, table, ask):
    """Answers that are all alike have kernels so narrow that whoever moves one of them stands out at every level."""
    view = page(etable=table, eask=ask)
    assert "Even at ε = 500, the largest checked, somebody’s δ is above 0.02." in view.words
    assert not errors(view)
    assert {"certificate", "ranking_csv"} <= set(files)
    assert view.charts["with_and_without"]
    assert_finite(view)


@pytest.mark.parametrize("value", ["education", "experience", "age"])
def test_every_column_of_the_census(page, value):
    few = {"databases": 5, "share": 0.001}  # any panel will do, and of so small a one no interval takes long
    assert_shows(page(eof=value, eask="sum", edraws=5, epart=0.001), audit(census(value, **few), PanelSum()))


@pytest.mark.parametrize("share", [0, 0.25, 1])
def test_quantiles_to_the_outermost(page, share):
    assert_shows(page(eask="quantile", eq=share), audit(census(), Quantile(share)))


def test_a_threshold_that_nobody_passes(page):
    view = page(eask="share", eabove=1e9)
    assert headline(view).startswith("At ε = 0.1, none of 29,501")
    assert not view.charts["exposure"].own


# --- the ranking ------------------------------------------------------------------------------------------------------


def test_choosing_in_the_ranking_changes_the_picture_below(page, found):
    view = page()
    at = found.at(0.1)
    for number in (1, 3):
        rank(view, number)
        chart = view.charts["with_and_without"]
        individual = int(at.ranking[number - 1])
        curves = density_curves(found, individual)
        assert f"person {found.individuals[individual]}" in chart.title
        places, heights = chart.curve("without ")
        np.testing.assert_allclose(places, curves.answer, rtol=1e-12)
        np.testing.assert_allclose(heights, curves.without, rtol=1e-9, atol=1e-15)
        assert f"In {found.present[individual]} of 60 databases" in view.words
    assert link(view)["erank"] == "3"


def test_a_rank_in_a_link_is_shown_and_one_beyond_everybody_falls_back(page):
    view = page(erank=20)
    assert len(ranking(view)) == 20
    assert radio(view, "erank").value == 20
    assert "1. " in ranking(page(erank=50))[0]


def test_masked_names_stand_nowhere(page, files):
    view = turn(page(etable="county_murders", tab="exposed"), "emask")
    assert headline(view).endswith("the most exposed is no. 1")
    assert "California" not in repr(view.app.main) + json.dumps(view.links)
    assert not [each for each in view.app.get("bidi_component") if "California" in each.proto.json]
    assert "California" not in files["ranking_csv"]()
    assert "# names: masked" in files["ranking_csv"]()
    turn(view, "emask")
    assert "California 06037" in files["ranking_csv"]()


@pytest.mark.parametrize("tab", ["exposed", "databases", "other", "noise"])
def test_before_an_audience_nobody_is_named(page, files, tab):
    view = page(etable="county_murders", tab=tab, present=1)
    assert "California" not in repr(view.app.main) + json.dumps(view.links)
    assert not [each for each in view.app.get("bidi_component") if "California" in each.proto.json]
    assert not [each for each in view.app.toggle if each.key in ("emask", "eshow")]
    if tab == "exposed":
        assert headline(view).endswith("the most exposed is no. 1")
        assert "California" not in files["ranking_csv"]() + files["certificate"]()


def test_the_ranking_as_csv(page, files, found):
    page()
    at = found.at(0.1)
    lines = files["ranking_csv"]().lstrip("\ufeff").splitlines()
    head = [line for line in lines if line.startswith("#")]
    rows = [line.split(",") for line in lines if not line.startswith("#")]
    assert any(line.startswith("# standing: estimate") for line in head)
    assert any("sensitive" in line for line in head)
    assert len(rows) == 29_502
    assert rows[0][:3] == ["rank", "individual", "delta"]
    assert rows[1][:2] == ["1", "20030"]
    assert float(rows[1][2]) == at.delta


# --- intervals --------------------------------------------------------------------------------------------------------


def test_intervals_are_drawn_and_said(page, counties, read_values):
    view = page(etable="county_murders", eint=1)
    ends = intervals(counties, 0.1)
    assert (
        f"The true δ lies between 0 and {math.ceil(1e3 * ends.delta[1]) / 1e3:g}, δ* anywhere: each in at least 95 of 100 audits of "
        "independent databases." in view.words
    )
    assert "With so few databases it is not certain that anyone is exposed." in view.words
    assert f"from half of the 17 databases δ would be {ends.half_delta:.3g} and δ* {ends.half_total:.3g}." in view.words
    bars = view.charts["exposure"].trace("interval of 95 %")
    (low,), (high,) = (read_values(bars["error_y"][each]) for each in ("arrayminus", "array"))
    at = counties.at(0.1)
    assert (at.delta - low, at.delta + high) == pytest.approx(ends.delta)


# --- the other sections -----------------------------------------------------------------------------------------------


def test_the_databases_with_their_answers_and_checks(page, counties):
    view = page(etable="county_murders", tab="databases")
    _, answers = view.charts["answers"].curve("answer")
    np.testing.assert_allclose(answers, counties.answers, rtol=1e-12)
    assert "The mean of 17 databases lies between" in headline(view)
    assert "for your eyes, not for publication" in view.words
    first, second = (each.value for each in view.app.table)
    assert "yes" in list(first["Fails"])
    assert len(second) == len(counties.comparable.checks)


def test_subsamples_are_independent_by_construction(page):
    view = page(tab="databases")
    assert "were drawn independently" in view.words
    assert not view.warnings


def test_another_density_leaves_some_where_one_bandwidth_reaches_zero(page, counties):
    view = page(etable="county_murders", tab="other")
    individual = int(counties.at(0.1).ranking[0])
    curves = delta_curves(counties, individual)
    chart = view.charts["other_densities"]
    assert len(chart.names) == len(curves)
    for curve in curves:
        seen = curve.deltas > 1e-9
        levels, deltas = chart.curve(curve.words)
        np.testing.assert_allclose(levels, curve.epsilons[seen], rtol=1e-12)
        np.testing.assert_allclose(deltas, curve.deltas[seen], rtol=1e-9)
    (table,) = (each.value for each in view.app.table)
    assert table["Largest error of δ"][0] == "exact"
    largest = [float(each.errors.max()) for each in curves[1:]]
    assert max(largest) < 1e-5
    assert table["Largest error of δ"].tolist()[1:] == [small(rounded(each, 1)) for each in largest]
    until = brief(counties.losses[individual], toward="up")
    assert (
        headline(view)
        == f"With one bandwidth California 06037 is exposed until ε = {until}, with other densities beyond"
    )
    left = max(each.deltas[-1] for each in curves)
    assert (
        f"At ε = {curves[0].epsilons[-1]:.4g} other densities leave up to δ = {small(rounded(left))}. (Estimate)"
        in view.words
    )
    assert not re.search(r"\de-\d", view.words), "small numbers are written with a power of ten"


def test_where_the_curves_end_before_one_bandwidth_reaches_zero_no_other_is_called_longer(page):
    view = page(etable="county_murders", eask="share", tab="other")
    assert headline(view) == "With one bandwidth California 06037 is exposed until ε = 1,000,000"
    assert "At ε = 500 other densities leave up to δ = 1." in view.words


# --- links and odd values ---------------------------------------------------------------------------------------------


SETTINGS = {
    "ee": "0.25",
    "ewhich": "total",
    "ed": "0.02",
    "erank": "4",
    "eint": "0",
    "etable": "census2000",
    "edraws": "30",
    "epart": "0.05",
    "eseed": "7",
    "eof": "education",
    "eask": "quantile",
    "eabove": "500",
    "eq": "0.9",
    "emask": "1",
    "enoise": "0.7",
    "ekern": "gaussian",
    "eadd": "1",
    "emur": "murder_rate",
}


@pytest.mark.parametrize("tab", ["exposed", "databases", "other", "noise"])
def test_a_link_restores_every_setting(page, tab):
    view = page(**SETTINGS, tab=tab)
    told = link(view)
    for key, value in SETTINGS.items():
        assert told[key] == value
    again = page(**told)
    assert link(again) == told
    assert [each.figure for each in again.charts.values()] == [each.figure for each in view.charts.values()]


def test_other_subsamples_and_the_same_seed(page):
    settings = {"edraws": 20, "epart": 0.1, "eseed": 5}
    view = page(**settings)
    assert_shows(view, audit(census(databases=20, share=0.1, seed=5), PanelMean()))
    assert page(**settings).charts["exposure"].figure == view.charts["exposure"].figure
    assert page(**settings | {"eseed": 6}).charts["exposure"].figure != view.charts["exposure"].figure


TABS = ["exposed", "databases", "other", "noise"]
ODD = [
    *((tab, odd) for tab in TABS for odd in ({"edraws": 2, "epart": 1}, {"eask": "variance", "edraws": 2})),
    *(("exposed", odd) for odd in ({"edraws": 2}, {"epart": 1}, {"ed": 1}, {"ed": 1e-9})),
    *((tab, odd) for tab in ("exposed", "other") for odd in ({"ee": 100}, {"ee": 1e-4})),
    *(("noise", odd) for odd in ({"enoise": 1e-4}, {"enoise": 100}, {"ekern": "gaussian", "enoise": 100})),
]


@pytest.mark.parametrize(("tab", "odd"), ODD)
def test_odd_values_give_an_answer_or_a_sentence(page, tab, odd):
    view = page(tab=tab, **odd)
    assert view.title == "Empirical audit"
    assert [each for each in view.texts if each.startswith("## ")] or view.app.info
    assert not [each for each in errors(view) if "id " in each.lower()], "no unexpected error"
    assert_finite(view)


@pytest.mark.parametrize(
    "odd", [{"epart": 1e-6}, {"edraws": 2, "epart": 1e-6, "eask": "sum"}, {"epart": 1e-6, "eask": "variance"}]
)
def test_subsamples_of_one_person(page, odd):
    """Without that person nothing is left, and a mean of nothing is no number: the page says so."""
    view = page(**odd)
    assert errors(view) or view.charts
    assert not [each for each in errors(view) if "id " in each.lower()]


@pytest.mark.parametrize("value", ["abc", "-1", "1e9", ""])
def test_a_value_in_a_link_that_cannot_be_used_is_named(page, value):
    view = page(ee=value)
    assert view.number("ee").value == 0.1
    assert headline(view).startswith("At ε = 0.1, 43 of")


def test_what_does_not_fit_into_memory_is_refused_with_what_does_it(open_page, monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: 1_000)
    monkeypatch.setattr(jobs, "_FOUND", {})  # another test may have audited the same
    view = open_page("empirical_audit", etable="county_murders", emur="murder_rate", eask="sum")
    (said,) = errors(view)
    assert "memory" in said
    assert "par audit DATA.parquet" in said
    assert not view.charts
