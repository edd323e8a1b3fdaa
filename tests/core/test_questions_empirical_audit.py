"""The questions of the Empirical audit: their words, numbers and charts are what the core finds, and name nobody where names are masked."""

import json
import math
import re
from dataclasses import replace
from datetime import date
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

from par_core.audit import Panel, answers
from par_core.audit.adversary import audit_given, contribution, random_groups
from par_core.audit.attack import attack
from par_core.audit.classical import classical_sensitivity
from par_core.audit.density import fit_density
from par_core.audit.distances import wasserstein_inf
from par_core.audit.drawn_densities import density_curves
from par_core.audit.gaussian_noise import band_limited_noise, measured_level
from par_core.audit.intervals import intervals
from par_core.audit.joint import joint_audit
from par_core.audit.noise import achieved_epsilon, hausdorff_scale, mixture_noise, wasserstein_scale
from par_core.audit.other_densities import delta_curves
from par_core.audit.queries import PanelCount, PanelMean, PanelSum, ShareAbove
from par_core.audit.variance_and_quantile import PanelQuantile, PanelVariance
from par_core.cli import par
from par_core.datasets import precipitation_synthetic
from par_core.errors import DataError, ParameterError
from par_core.questions import (
    EachDatabase,
    NoiseWanted,
    OneAnswerAttack,
    OtherDensities,
    TwoAnswers,
    WhatTheyKnow,
    WhoIsExposed,
)
from par_core.questions.empirical_audit import audited
from par_core.questions.html import told as as_html
from par_core.questions.report import report
from par_core.randomness import seeded
from par_core.rounding import brief, error, percent, rounded, small
from par_core.scenario import Scenario
from par_core.tables.table import of_frame, read_table
from tests.audits import MARKER, audit, census, murders
from tests.shown import Story, values

KINDS = (WhoIsExposed, EachDatabase, OtherDensities, WhatTheyKnow, TwoAnswers, OneAnswerAttack, NoiseWanted)
MURDERS = {"table": "county_murders"}
SMALL = {"subsamples": 5, "share": 0.001}  # of so small a panel no interval takes long
QUERIES = {
    "mean": PanelMean(),
    "sum": PanelSum(),
    "count": PanelCount(),
    "share": ShareAbove(1000),
    "variance": PanelVariance(),
    "quantile": PanelQuantile(0.5),
}


@pytest.fixture(autouse=True)
def audited_once(monkeypatch):
    monkeypatch.setattr(audited, "audit", audit)


@pytest.fixture(scope="module")
def found():
    return audit(census(), PanelMean())


@pytest.fixture(scope="module")
def counties():
    return audit(murders(), PanelMean())


def asked(kind, **fields):
    return Story(kind(Scenario(), **fields).answer())


def assert_finite(story):
    assert not {"nan", "inf", "-inf"} & set(story.words.lower().replace(",", " ").split())


# --- who is exposed ---------------------------------------------------------------------------------------------------


def assert_shows(story, result, epsilon=0.1, which="delta"):
    """The verdict and the curve are those of this audit."""
    at = result.at(epsilon)
    number = f"{at.exposed:,} of {len(at.deltas):,}" if at.exposed else f"none of {len(at.deltas):,}"
    assert number in story.headline
    chart = story.charts["exposure"]
    expected = result.delta if which == "delta" else result.total
    seen = expected > 0
    value = at.delta if which == "delta" else at.total
    first = [(epsilon, value)] if epsilon < result.epsilons[0] and at.exposed else []
    curve = [*first, *zip(result.epsilons[seen], expected[seen], strict=True)]
    drawn = np.column_stack(chart.curve("from these databases"))
    np.testing.assert_allclose(drawn, np.reshape(curve, (-1, 2)), rtol=1e-9)
    assert [(x, y) for x, y, _ in chart.own] == ([(epsilon, pytest.approx(value, rel=1e-9))] if value > 0 else [])
    assert_finite(story)


def test_the_verdict_on_the_census(found):
    story, at = asked(WhoIsExposed), found.at(0.1)
    assert (at.exposed, found.individuals[at.ranking[0]]) == (43, 20030)
    assert story.headline == "At ε = 0.1, 43 of 29,501 people are exposed; the most exposed is person 20030"
    assert_shows(story, found)
    for words in (
        "Only 2 have a δ above 1/60, below which 60 databases say nothing; the largest is 0.0217. (Estimate)",
        "an attacker 50 % sure that somebody is in the data becomes at most 52.5 % sure. (Proven) δ is the excess of probability",
        "not differential privacy",
        "From ε = 0.124 on nobody’s δ is above 0.02, and from ε = 2.07 on nobody’s is above 0. (Estimate) That comes from one bandwidth",
        "as in (ε, δ)-DP, not the chance of a breach, which is larger",
        "which is not the paper’s “probability that someone is compromised”: it treats individuals as independent. (Refuted)",
    ):
        assert words in story.words
    assert "Do not rely" not in story.words
    assert story.charts["exposure"].curve("1/60 databases")[1][0] == pytest.approx(1 / 60)
    assert story.own == ["ranking", "take_along"]
    lines = WhoIsExposed(Scenario()).answer().ranking()
    assert len(lines) == 10
    assert lines[0].replace("\u00a0", " ") == "person 20030: δ = 0.0217, exposed up to ε = 0.69"


@pytest.mark.parametrize("allowed", [0.02, 0.017, 0.01, 0.005, 0.003, 0.001])
def test_the_level_that_protects_is_rounded_to_the_safe_side(found, allowed):
    words = asked(WhoIsExposed, allowed=allowed, intervals=False).words
    told = float(words.split("From ε = ")[1].split(f" on nobody’s δ is above {allowed:g}")[0])
    assert found.protected_from(allowed) <= told * (1 + 1e-12)
    assert found.at(told).delta <= allowed
    assert ("less than 60 databases can show" in words) == (allowed < 1 / 60)


@pytest.mark.parametrize("seed", [2, 39])
def test_a_check_that_fails_by_chance_on_random_subsamples_is_no_warning(seed):
    result = audit(census(seed=seed), PanelMean())
    assert result.independent.failed or result.comparable.failed, "one in twenty does"
    words = asked(WhoIsExposed, seed=seed, intervals=False).words
    assert "Do not rely" not in words
    assert "A check fails by chance now and then" in words


def test_the_total_and_other_levels(found):
    story = asked(WhoIsExposed, which="total")
    assert_shows(story, found, which="total")
    assert "δ*" in story.charts["exposure"].own[0][2]
    assert_shows(asked(WhoIsExposed, epsilon=0.5), found, 0.5)
    story = asked(WhoIsExposed, epsilon=3.0)
    assert story.headline == "At ε = 3, none of 29,501 people is exposed"
    assert "None has a δ above 1/60, below which 60 databases say nothing; the largest is 0. (Estimate)" in story.words
    assert not story.charts["exposure"].own
    assert "At this ε nobody stands out" in story.words


def test_the_counties_have_the_warning_above_the_verdict(counties):
    story = asked(WhoIsExposed, **MURDERS)
    assert story.headline == "At ε = 0.1, 40 of 2,197 counties are exposed; the most exposed is California 06037"
    assert_shows(story, counties)
    assert story.texts[0].startswith("Do not rely on this audit: its databases are not independent.")
    assert story.texts[1] == story.headline
    for kind in KINDS[1:]:
        assert asked(kind, **MURDERS).texts[0] == story.texts[0]


def test_other_columns_and_the_generated_panel():
    assert_shows(asked(WhoIsExposed, **MURDERS, value="murder_rate"), audit(murders("murder_rate"), PanelMean()))
    story = asked(WhoIsExposed, table="precipitation")
    assert_shows(story, audit(precipitation_synthetic(), PanelMean()))
    assert "of 10,368 cells" in story.headline
    assert "Generated, not measured" in asked(EachDatabase, table="precipitation").words
    for value in ("education", "experience", "age"):
        result = audit(census(value, databases=5, share=0.001), PanelSum())
        assert_shows(asked(WhoIsExposed, value=value, query="sum", **SMALL), result)


@pytest.mark.parametrize("query", QUERIES)
@pytest.mark.parametrize("table", ["census2000", "county_murders"])
def test_every_query(table, query):
    panel = murders() if table == "county_murders" else census()
    assert_shows(asked(WhoIsExposed, table=table, query=query, intervals=False), audit(panel, QUERIES[query]))


def test_outermost_quantiles_and_a_threshold_that_nobody_passes():
    for share in (0, 0.25, 1):
        story = asked(WhoIsExposed, query="quantile", quantile=float(share), intervals=False)
        assert_shows(story, audit(census(), PanelQuantile(share)))
    story = asked(WhoIsExposed, query="share", above=1e9)
    assert story.headline.startswith("At ε = 0.1, none of 29,501")
    assert not story.charts["exposure"].own


@pytest.mark.parametrize(("table", "query"), [("census2000", "count"), ("county_murders", "share")])
def test_where_no_level_protects_the_answer_says_so_and_goes_on(table, query):
    """Answers that are all alike have kernels so narrow that whoever moves one of them stands out at every level."""
    story = asked(WhoIsExposed, table=table, query=query)
    assert "Even at ε = 500, the largest checked, somebody’s δ is above 0.02. From ε = " in story.words
    assert story.charts["with_and_without"]
    assert_finite(story)


def test_another_rank_is_another_picture_below(found):
    at = found.at(0.1)
    for rank in (1, 3, 29_502):
        answer = WhoIsExposed(Scenario(), rank=rank).answer()
        individual = int(at.ranking[rank - 1 if rank < 29_502 else 0])
        story, curves = Story(answer), density_curves(found, individual)
        chart = story.charts["with_and_without"]
        assert f"person {found.individuals[individual]}" in chart.title
        places, heights = chart.curve("without ")
        np.testing.assert_allclose(places, curves.answer, rtol=1e-12)
        np.testing.assert_allclose(heights, curves.without, rtol=1e-9, atol=1e-15)
        assert f"In {found.present[individual]} of 60 databases" in story.words
    assert WhoIsExposed(Scenario(), rank=20).answer().listed == 20


def test_intervals_are_drawn_and_said(counties):
    story, ends, at = asked(WhoIsExposed, **MURDERS), intervals(counties, 0.1), counties.at(0.1)
    assert (
        f"The true δ lies between 0 and {math.ceil(1e3 * ends.delta[1]) / 1e3:g}, δ* anywhere: each in at least 95 of 100 audits of "
        "independent databases." in story.words
    )
    assert "With so few databases it is not certain that anyone is exposed." in story.words
    assert (
        f"from half of the 17 databases δ would be {ends.half_delta:.3g} and δ* {ends.half_total:.3g}." in story.words
    )
    bars = story.charts["exposure"].trace("interval of 95 %")
    (low,), (high,) = (values(bars["error_y"][each]) for each in ("arrayminus", "array"))
    assert (at.delta - low, at.delta + high) == pytest.approx(ends.delta)


def test_under_a_dial_nobody_looks_for_limits():
    question = WhoIsExposed(Scenario())
    assert [type(each).__name__ for each in question.needs()] == ["Audited", "TrueExposure"]
    (needed,) = question.moved("epsilon", 0.2).needs()
    assert needed == question.audited == WhoIsExposed(Scenario(epsilon0=3.0), masked=True).audited, "shared by all"
    assert question.needs()[1].begun.found is None, "the verdict does not wait for it"
    assert WhatTheyKnow(Scenario()).moved("epsilon", 0.2).intervals is False


def test_the_command_line_prints_the_same_numbers():
    told = WhoIsExposed(Scenario(), **MURDERS).answer().numbers()
    columns = "--individual county --database year --value murders --epsilon 0.1 --format json"
    printed = CliRunner().invoke(par, ["audit", "builtin:county_murders", *columns.split()], catch_exceptions=False)
    numbers = [each["value"] for each in json.loads(printed.stdout)["results"]]
    names = (
        "largest_delta",
        "true_delta_at_least",
        "true_delta_at_most",
        "total_risk",
        "exposed",
        "nobody_exposed_from",
    )
    assert numbers == [pytest.approx(told[each].value, rel=1e-12) for each in names]


# --- the databases, and other densities -------------------------------------------------------------------------------


def test_the_databases_with_their_answers_and_checks(counties):
    story = asked(EachDatabase, **MURDERS)
    np.testing.assert_allclose(story.charts["answers"].curve("answer")[1], counties.answers, rtol=1e-12)
    assert "The mean of 17 databases lies between" in story.headline
    assert "for your eyes, not for publication" in story.words
    first, second = story.tables
    assert "yes" in first["Fails"]
    assert len(second["Check"]) == len(counties.comparable.checks)
    assert "were drawn independently" in asked(EachDatabase).words


def test_another_density_leaves_some_where_one_bandwidth_reaches_zero(counties):
    story = asked(OtherDensities, **MURDERS)
    individual = int(counties.at(0.1).ranking[0])
    curves = delta_curves(counties, individual)
    chart = story.chart
    assert len(chart.names) == len(curves)
    for curve in curves:
        seen = curve.deltas > 1e-9
        levels, deltas = chart.curve(curve.words)
        np.testing.assert_allclose(levels, curve.epsilons[seen], rtol=1e-12)
        np.testing.assert_allclose(deltas, curve.deltas[seen], rtol=1e-9)
    (table,) = story.tables
    largest = [float(each.errors.max()) for each in curves[1:]]
    assert max(largest) < 1e-5
    assert table["Largest error of δ"] == ["exact", *(small(rounded(each, 1)) for each in largest)]
    until = brief(float(counties.losses[individual]), toward="up")
    assert story.headline == (
        f"With one bandwidth California 06037 is exposed up to ε = {until}, with other densities beyond"
    )
    left = small(rounded(max(each.deltas[-1] for each in curves)))
    assert f"At ε = {curves[0].epsilons[-1]:.4g} other densities leave up to δ = {left}. (Estimate)" in story.words
    assert not re.search(r"\de-\d", story.words), "small numbers are written with a power of ten"


def test_where_the_curves_end_before_one_bandwidth_reaches_zero_no_other_is_called_longer():
    story = asked(OtherDensities, **MURDERS, query="share")
    assert story.headline == "With one bandwidth California 06037 is exposed up to ε = 1,000,000"
    assert "At ε = 500 other densities leave up to δ = 1." in story.words


# --- what they know ---------------------------------------------------------------------------------------------------


def test_the_buckets_of_another_answer(found):
    story = asked(WhatTheyKnow)
    given = audit_given(found, answers(census(), PanelQuantile(0.5)))
    at, groups = given.at(0.1), random_groups(given, 0.1, rng=seeded(1))
    assert story.headline == f"Knowing the median shows δ up to {at.worst:.3g} at ε = 0.1, not knowing it 0.0217"
    assert "From at most 31 instead of 60 databases, which by itself makes a δ larger. (Estimate)" in story.words
    trace = story.charts["audit_given"].trace("given what is known")
    np.testing.assert_allclose(values(trace["x"]), at.deltas, rtol=1e-9)
    ends = [each.delta for each in given.intervals(0.1)]
    for side, sign, place in (("array", 1, 1), ("arrayminus", -1, 0)):
        reach = at.deltas + sign * values(trace["error_x"][side])
        np.testing.assert_allclose(reach, [each[place] for each in ends], atol=1e-12)
    assert f"show δ up to {groups.median:.3g} in half of 39 tries, and never above {groups.largest:.3g}." in story.words
    assert groups.share > 0.05
    assert "it does not show that the knowledge helps" in story.words
    assert rows_of(story)[1] == "769.2<br>31 databases"


def rows_of(story):
    return story.charts["audit_given"].figure["layout"]["yaxis"]["ticktext"]


def test_a_contribution_of_a_few_databases_is_refused_by_name(found):
    story = asked(WhatTheyKnow, knows="own")
    (refused,) = audit_given(found, contribution(census(), int(found.at(0.1).ranking[0]))).refused
    assert len(refused.places) == 2
    assert "Refused, with fewer than 10 databases: " in story.words
    assert "103,300, 2 databases" in story.words
    assert "no bucket in which person 20030 is has enough databases." in story.words
    assert "“will fail for the individual i in question”. (Refuted)" in story.words
    assert [each.endswith("too few") for each in rows_of(story)] == [True, False]
    assert rows_of(story)[-1].startswith("not in it")


def test_a_contribution_that_is_there_every_year(counties):
    story = asked(WhatTheyKnow, knows="own", fewest=5, **MURDERS)
    individual = int(counties.at(0.1).ranking[0])
    given = audit_given(counties, contribution(murders(), individual), fewest=5)
    assert f"δ of California 06037 is at most {given.of(individual, 0.1).max():.3g} given" in story.words


def test_one_size_is_one_bucket_and_too_small_buckets_say_nothing():
    story = asked(WhatTheyKnow, knows="size", intervals=False)
    assert story.headline == "Knowing the size shows δ up to 0.0217 at ε = 0.1, not knowing it 0.0217"
    assert rows_of(story) == ["590<br>60 databases"]
    story = asked(WhatTheyKnow, fewest=50)
    assert story.headline == "Too few databases: no audit of an attacker who knows the median"
    assert "Every bucket has fewer than 50 databases: 13, 31, 16." in story.words
    assert not story.charts


@pytest.mark.parametrize("known", ["mean", "sum", "count", "variance"])
def test_every_answer_may_be_known(known):
    story = asked(WhatTheyKnow, known=known, intervals=False, subsamples=25, fewest=2, share=0.001)
    assert f"Knowing the {known} shows δ up to" in story.headline


# --- two answers ------------------------------------------------------------------------------------------------------


def test_mean_and_sum_disclose_who_is_there(found):
    story = asked(TwoAnswers)
    at = joint_audit(found, audit(census(), PanelSum())).at(0.1)
    worst = found.individuals[at.ranking[0]]
    assert story.headline == f"At ε = 0.1, mean and sum together show person {worst} with δ = 0.117"
    assert at.disclosed[0] == 7 / 60
    assert "Exact disclosure: in 11.7 % of the databases" in story.words
    assert "find δ = 0 where the pair discloses. (Refuted)" in story.words
    np.testing.assert_allclose(story.chart.curve("both together")[1], 7 / 60, rtol=1e-9)
    (table,) = story.tables
    assert table["Together"] == [f"{each:.3g}" for each in at.together]
    assert table["Mean alone"] == [f"{each:.3g}" for each in at.first]
    assert story.chart.own[0][:2] == (0.1, pytest.approx(7 / 60))


def test_two_answers_that_do_not_disclose(found):
    story = asked(TwoAnswers, second="variance", rank=2)
    both = joint_audit(found, audit(census(), PanelVariance()))
    at = both.at(0.1)
    curve = both.curve(int(at.ranking[1]), up_to=0.1)
    levels, together = story.chart.curve("both together")
    seen = curve.together > 1e-9
    np.testing.assert_allclose(levels, curve.epsilons[seen])
    np.testing.assert_allclose(together, curve.together[seen], rtol=1e-9)
    assert f"person {found.individuals[at.ranking[1]]} with δ = {at.together[1]:.3g}" in story.headline
    assert "Exact disclosure" not in story.words


@pytest.mark.parametrize("table", ["county_murders", "precipitation"])
def test_the_paper_s_example_discloses_at_every_level(table):
    story = asked(TwoAnswers, second="without", table=table)
    assert story.headline.endswith("with δ = 1")
    assert (story.chart.curve("both together")[1] == 1).all()
    assert "in 100 % of the databases" in story.words
    assert "the paper’s own example" in story.words
    assert not story.tables


def test_one_left_out_of_random_subsamples_is_disclosed_where_they_are(found):
    story = asked(TwoAnswers, second="without")
    share = found.present[int(found.at(0.1).ranking[0])] / 60
    assert (story.chart.curve("both together")[1] >= share * (1 - 1e-12)).all()
    assert f"in {percent(share)}".replace("\u00a0", " ") in story.words


@pytest.mark.parametrize("kind", [TwoAnswers, OneAnswerAttack])
def test_two_databases_are_too_few(kind):
    story = asked(kind, subsamples=2, share=0.01)
    assert story.headline == "Too few databases: nothing can be said"
    assert "databases. Take more subsamples" in story.words


# --- the attack -------------------------------------------------------------------------------------------------------


def test_the_attack_on_the_most_exposed_and_on_another(found):
    story, ranking = asked(OneAnswerAttack), found.at(0.1).ranking
    attacked = attack(found, int(ranking[0]))
    right = f"{100 * attacked.right:.3g} %"
    assert story.headline == f"From one answer, {right} of guesses about person 20030 are right; blind guesses 50 %"
    assert attacked.right_lower < 0.5
    assert "so that it may be mere guessing" in story.words
    false, true = story.chart.curve("tried on these databases")
    np.testing.assert_allclose(false, attacked.false_positive)
    np.testing.assert_allclose(true, attacked.true_positive)
    assert "The paper calls δ “the failure probability”. (Refuted)" in story.words
    assert f"{100 * attacked.beyond(0.1).share:.3g} % of answers" in story.words
    assert "δ of this individual is 0.0217" in story.words
    assert f"person {found.individuals[ranking[2]]}" in asked(OneAnswerAttack, rank=3).headline


# --- noise ------------------------------------------------------------------------------------------------------------


def test_laplace_noise_in_words_and_as_a_picture(found):
    story = asked(NoiseWanted)
    scale = wasserstein_scale(found.answers, found.without, epsilon=0.1)
    noise = mixture_noise(found.bandwidth, scale.scale)
    assert story.headline == f"For ε = 0.1 an answer needs noise of {error(noise.mean_absolute)} on average"
    told = next(each for each in story.texts if "Laplace noise of scale" in each)
    assert float(told.split("noise of scale ")[1].split(" ")[0].rstrip(".,")) == float(brief(scale.scale, toward="up"))
    assert "is not stopped" in told
    told = next(each for each in story.texts if "of releases nothing is added: the exact answer goes out." in each)
    assert told.startswith("Computed from estimated densities; in ")
    assert told.endswith("(Estimate)"), "the law is proven, its scales are read off estimated densities"
    share = float(told.split("; in ")[1].split(" %")[0]) / 100
    assert noise.exact_share <= share <= noise.exact_share + 0.001, "rounded up: it is a danger"
    places, heights = story.chart.curve("density")
    np.testing.assert_allclose(heights, noise.density(places), rtol=1e-9)
    assert story.chart.trace("sample")["type"] == "bar"
    distances = wasserstein_inf(found.answers, found.without)
    order = np.argsort(-distances)
    reached = float(achieved_epsilon(found.answers, found.without[order[:500]], scale=noise.scale).max())
    assert distances[order[500]] / noise.scale < reached <= 0.1, "nobody nearer reaches more than that quotient"
    (said,) = (each for each in story.texts if "was wanted" in each)
    told = float(said.split("at most ε = ")[1].split(";")[0])
    assert told == float(brief(reached, toward="up")), "rounded up, and the largest of all individuals"


def test_less_noise_for_a_larger_level_and_none_where_none_is_needed(found):
    assert asked(NoiseWanted).chart.figure != asked(NoiseWanted, epsilon=0.5).chart.figure
    story = asked(NoiseWanted, epsilon=100.0)
    assert story.headline == "For ε = 100 no noise is needed: the answers are spread widely enough"
    assert not story.charts
    assert found.losses.max() <= 100


def test_the_published_distance_stands_beside_the_valid_one(counties):
    story = asked(NoiseWanted, epsilon=0.5, **MURDERS)
    (table,) = story.tables
    assert table["Distance"] == ["∞-Wasserstein (Proven)", "Hausdorff (Refuted)"]
    valid, published = (
        scale(counties.answers, counties.without, epsilon=0.5) for scale in (wasserstein_scale, hausdorff_scale)
    )
    scales = [float(each.replace(",", "")) for each in table["Scale of the noise"]]
    assert scales == [float(brief(valid.scale, toward="up")), float(brief(published.scale))]
    assert published.scale < valid.scale
    assert "which is false" in story.words
    assert "it leaves ε = 3.73" in story.words


@pytest.mark.parametrize("query", ["mean", "sum"])
def test_the_classical_mechanism_is_compared(query):
    result = audit(murders("murder_rate"), QUERIES[query])
    story = asked(NoiseWanted, value="murder_rate", epsilon=0.01, query=query, **MURDERS)
    (words,) = (each for each in story.texts if "The audit asks for noise of mean size" in each)
    scale = wasserstein_scale(result.answers, result.without, epsilon=0.01)
    assert f"of mean size {brief(mixture_noise(result.bandwidth, scale.scale).mean_absolute, toward='up')}." in words
    assert words.endswith("(Estimate)"), "one of the two sizes is an estimate"
    assert "infinite noise: nothing bounds what one individual can change" in words, "no value is clamped here"


def test_a_count_has_a_classical_counterpart():
    (words,) = (each for each in asked(NoiseWanted, query="count").texts if "Differential privacy" in each)
    assert f"needs {classical_sensitivity(PanelCount(), records=1) / 0.1:g}" in words


def test_gaussian_kernels_have_no_such_noise_and_an_approximation_is_measured(found):
    story = asked(NoiseWanted, kernel="gaussian")
    assert "No noise turns Gaussian kernels into the wanted density" in story.words
    assert "The paper says that Gaussian kernels work too. (Refuted)" in story.words
    scale = wasserstein_scale(found.answers, found.without, epsilon=0.1)
    width = float(fit_density(found.answers, kernel="gaussian", bandwidth="fixed").bandwidths[0])
    measured = measured_level(band_limited_noise(width, scale.scale), found.answers, without=found.without)
    assert story.headline.split("measured ε = ")[1] == brief(measured.epsilon, toward="up")
    assert "nothing is guaranteed" in story.words
    assert story.charts
    for epsilon in (10.0, 100.0):
        story = asked(NoiseWanted, kernel="gaussian", epsilon=epsilon)
        assert "too close" in story.words
        assert not story.charts


# --- whoever may not be named -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_nobody_is_named_where_names_are_masked(kind):
    fields = {"knows": "own", "fewest": 5} if kind is WhatTheyKnow else {}
    for more in ({}, {"second": "without"}) if kind is TwoAnswers else ({},):
        answer = kind(Scenario(), masked=True, **MURDERS, **fields, **more).answer()
        story = Story(answer)
        figures = "".join(str(chart.figure) for chart in story.charts.values())
        seen = "\n".join([*story.texts, *(str(each) for each in story.tables), figures, as_html(answer.story())])
        assert not [name for name in ("California", "06037") if name in seen]
        if kind not in (EachDatabase, NoiseWanted):
            assert "no. 1" in story.headline
        if kind is WhatTheyKnow:  # what one contributes would tell who it is
            assert all(each.startswith("bucket ") for each in rows_of(story))


def own(**fields):
    rng = np.random.default_rng(4)
    frame = pd.DataFrame(rng.normal(size=(5, 12)).round(3), columns=[f"{MARKER}{year}" for year in range(2001, 2013)])
    frame.iloc[0] += 4.0
    frame.insert(0, "site", [f"{MARKER}s{at}" for at in range(5)])
    table = of_frame(f"{MARKER}.csv", frame, digest="of a reader's")
    return {"own": table, "form": "person", "individual": "site", **fields}


@pytest.mark.parametrize("kind", KINDS)
def test_a_report_holds_no_name_and_no_answer_of_a_file(kind):
    fields = {"knows": "own", "fewest": 2} if kind is WhatTheyKnow else {}
    question = kind(Scenario(), **own(query="sum", above=41234.5), **fields)
    assert question.private
    assert MARKER not in repr(question)
    assert MARKER not in str(question.public)
    assert question.public == kind(Scenario(), query="sum", **fields)
    answer = question.answer()
    assert kind is EachDatabase or kind is NoiseWanted or MARKER in answer.headline
    made = report(answer.for_others, title="", link="", version="", date=date(2026, 1, 31))
    assert MARKER not in made
    drawn = Story(answer.for_others).charts
    exact = {*answer.result.answers.tolist(), *answer.result.without[0].tolist()}
    for chart in drawn.values():
        assert not exact & {each for trace in chart.figure["data"] for each in values(trace["x"]).tolist()}
    assert "answers" not in drawn
    assert kind is not EachDatabase or "The exact answers are private" in Story(answer.for_others).words


@pytest.mark.parametrize("kind", [OtherDensities, WhatTheyKnow, TwoAnswers, OneAnswerAttack])
def test_a_rank_beyond_the_last_is_said_to_be_that_of_the_last(kind):
    fields = own(masked=True, **({"knows": "own", "fewest": 2, "buckets": 1} if kind is WhatTheyKnow else {}))
    story = asked(kind, rank=30, **fields)
    assert "no. 5" in story.headline
    assert "There is no rank 30: the last of 5 individuals is looked at." in story.words
    assert "There is no rank" not in asked(kind, rank=5, **fields).words


# --- odd values -------------------------------------------------------------------------------------------------------


ODD = [
    {"share": 1.0, "subsamples": 20},
    {"share": 1.0, "subsamples": 2},
    {"query": "variance", "subsamples": 2},
    {"epsilon": 100.0},
    {"epsilon": 1e-4},
    {"query": "count"},
    {"query": "share", "above": 1e9},
    {"table": "precipitation"},
]


@pytest.mark.parametrize("kind", KINDS)  # which changes from one to the next: an audit is of all of them
@pytest.mark.parametrize("odd", ODD, ids=str)
def test_odd_values_give_an_answer_or_an_error_in_words(kind, odd):
    fields = {"rank": 50} if kind in (TwoAnswers, OneAnswerAttack) else {"buckets": 1} if kind is WhatTheyKnow else {}
    fields |= {"intervals": False} if kind in (WhoIsExposed, WhatTheyKnow) else {}
    if kind is EachDatabase:
        odd = {name: each for name, each in odd.items() if name != "epsilon"}
    odd = {"subsamples": 30, **odd}
    try:
        story = asked(kind, **odd, **fields)
    except (DataError, ParameterError):
        return
    assert story.headline
    assert_finite(story)


@pytest.mark.parametrize("odd", [{}, {"subsamples": 2, "query": "sum"}, {"query": "variance"}])
def test_subsamples_of_one_person(odd):
    """Without that person nothing is left, and a mean of nothing is no number."""
    try:
        assert asked(WhoIsExposed, share=1e-6, **odd).charts
    except DataError:
        return


FILES = [
    b"a\n1\n",
    b"a,b\nx,y\n",
    b"a,b,c\n1,1,1\n",
    b"a,b,c\n1,2,inf\n2,3,4\n",
    b"a,b,c\n1,,1\n,2,2\n3,3,3\n",
    b"a,b,c\n1e200,1,1\n2,2,1e150\n",
    b"a,b,c\n5,5,5\n5,5,5\n5,5,5\n",
    b"a,b,c\n,,\n,,\n1,1,1\n",
]


@pytest.mark.parametrize("form", ["record", "person", "subsample"])
@pytest.mark.parametrize("data", FILES)
def test_whatever_a_file_holds_there_is_an_answer_or_an_error_in_words(form, data):
    table = read_table("a.csv", BytesIO(data).getvalue())
    first, last = table.frame.columns[0], table.frame.columns[-1]
    columns = {"value": first, "database": first if len(table.columns) < 3 else "b", "individual": last}
    try:
        story = asked(WhoIsExposed, own=table, form=form, **(columns if form == "record" else {"value": first}))
    except (DataError, ParameterError):
        return
    assert story.charts


def test_every_record_of_a_file_counts():
    frame = pd.DataFrame({"pay": (np.arange(300) * 37) % 90.0, "who": [f"q{at % 100}" for at in range(300)]})
    drawn = {"own": of_frame("a", frame, digest="a"), "value": "pay", "subsamples": 20, "share": 0.2}
    for who in (None, "who"):
        panel = Panel.from_table(frame, value="pay", databases=20, share=0.2, rng=seeded(1), individual=who)
        story = asked(WhoIsExposed, **drawn, individual=who or "")
        assert_shows(story, audit(panel, PanelMean()))
        assert "people" in story.headline


@pytest.mark.parametrize(
    "wrong",
    [
        {"epsilon": -1.0},
        {"rank": 0},
        {"which": "x"},
        {"allowed": 2.0},
        {"table": "x"},
        {"value": "murders"},
        {"query": "x"},
        {"subsamples": 1},
        {"share": 0.0},
        {"quantile": 1.5},
    ],
)
def test_a_value_that_cannot_be_used_is_refused_when_the_question_is_made(wrong):
    (name,) = wrong
    with pytest.raises(ParameterError, match=name):
        WhoIsExposed(Scenario(), **wrong)
    assert replace(WhoIsExposed(Scenario()), **MURDERS).audited.table == "county_murders"
