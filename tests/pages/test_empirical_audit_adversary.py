"""What an adversary knows, two answers together, and the attack: what these sections show is what the core finds."""

import json

import numpy as np
import pytest

from pages.empirical_audit import current_audit
from pages.empirical_audit import joint as section
from par_core.audit import answers
from par_core.audit.adversary import audit_given, contribution, random_groups
from par_core.audit.attack import attack
from par_core.audit.joint import joint_audit
from par_core.audit.order import Quantile, Variance
from par_core.audit.queries import PanelMean, PanelSum
from par_core.randomness import seeded
from par_core.rounding import percent
from tests.pages.empirical_audit_view import audit, census, errors, headline, infos, link, murders

FIRST = PanelMean()


@pytest.fixture(scope="module")
def found():
    return audit(census(), FIRST)


@pytest.fixture
def page(open_page, monkeypatch):
    monkeypatch.setattr(current_audit, "audit", audit)
    monkeypatch.setattr(section, "audit", audit)
    return lambda **settings: open_page("empirical_audit", **settings)


# --- what they know ---


def test_the_buckets_of_another_answer(page, found, read_values):
    view = page(tab="adversary")
    given = audit_given(found, answers(census(), Quantile(0.5)))
    at = given.at(0.1)
    assert headline(view) == f"Who knows the median sees δ up to {at.worst:.3g} at ε = 0.1, others 0.0217"
    assert "From at most 31 instead of 60 databases, which by itself makes a δ larger. (Estimate)" in view.words
    trace = view.charts["audit_given"].trace("given what is known")
    np.testing.assert_allclose(read_values(trace["x"]), at.deltas, rtol=1e-9)
    ends = [each.delta for each in given.intervals(0.1)]
    for side, sign, place in (("array", 1, 1), ("arrayminus", -1, 0)):
        np.testing.assert_allclose(
            at.deltas + sign * read_values(trace["error_x"][side]), [each[place] for each in ends], atol=1e-12
        )
    groups = random_groups(given, 0.1, rng=seeded(1))
    assert f"show δ = {groups.median:.3g} in half of 39 tries, and at most {groups.largest:.3g}." in view.words
    assert groups.share > 0.05
    assert "that the knowledge helps is not shown" in view.words
    rows = view.charts["audit_given"].figure["layout"]["yaxis"]["ticktext"]
    assert rows[1] == "769.2<br>31 databases"


def test_a_contribution_of_a_few_databases_is_refused_by_name(page, found):
    view = page(tab="adversary", eknow="own")
    individual = int(found.at(0.1).ranking[0])
    given = audit_given(found, contribution(census(), individual))
    (refused,) = given.refused
    assert len(refused.places) == 2
    assert "Refused, with fewer than 10 databases: " in view.words
    assert "103,300, 2 databases" in view.words
    assert "no bucket in which person 20030 is has enough databases." in view.words
    assert "“will fail for the individual i in question”. (Refuted)" in view.words
    rows = view.charts["audit_given"].figure["layout"]["yaxis"]["ticktext"]
    assert [each.endswith("too few") for each in rows] == [True, False]
    assert rows[-1].startswith("not in it")


def test_a_contribution_that_is_there_every_year(page):
    result = audit(murders(), FIRST)
    view = page(tab="adversary", eknow="own", etable="county_murders", eleast=5)
    individual = int(result.at(0.1).ranking[0])
    given = audit_given(result, contribution(murders(), individual), fewest=5)
    assert f"δ of California 06037 is at most {given.of(individual, 0.1).max():.3g} given" in view.words


def test_one_size_is_one_bucket_and_knowing_it_changes_nothing(page):
    view = page(tab="adversary", eknow="size", eint=0)
    assert headline(view) == "Who knows the size sees δ up to 0.0217 at ε = 0.1, others 0.0217"
    assert view.charts["audit_given"].figure["layout"]["yaxis"]["ticktext"] == ["590<br>60 databases"]


def test_where_every_bucket_is_too_small_nothing_is_said(page):
    view = page(tab="adversary", eleast=50)
    assert headline(view) == "Too few databases: knowing the median, nothing can be said"
    (info,) = infos(view)
    assert "Every bucket has fewer than 50 databases: 13, 31, 16." in info
    assert not view.charts


@pytest.mark.parametrize("known", ["mean", "sum", "count", "variance"])
def test_every_answer_may_be_known(page, known):
    view = page(tab="adversary", eg=known, eint=0, edraws=25, eleast=2, epart=0.001)
    assert not errors(view)
    assert f"Who knows the {known} sees δ up to" in headline(view)


# --- two answers ---


def test_mean_and_sum_disclose_who_is_there(page, found):
    view = page(tab="joint")
    both = joint_audit(found, audit(census(), PanelSum()))
    at = both.at(0.1)
    worst = found.individuals[at.ranking[0]]
    assert headline(view) == f"At ε = 0.1, mean and sum together show person {worst} with δ = 0.117"
    assert at.disclosed[0] == 7 / 60
    assert "Exact disclosure: in 11.7 % of the databases" in view.words
    assert "find δ = 0 where the pair discloses. (Refuted)" in view.words
    _, together = view.charts["joint"].curve("both together")
    np.testing.assert_allclose(together, 7 / 60, rtol=1e-9)
    (table,) = (each.value for each in view.app.table)
    assert table["Together"].tolist() == [f"{each:.3g}" for each in at.together]
    assert list(table["Mean alone"]) == [f"{each:.3g}" for each in at.first]
    assert view.charts["joint"].own[0][:2] == (0.1, pytest.approx(7 / 60))


def test_two_answers_that_do_not_disclose(page, found):
    view = page(tab="joint", ejoin="variance", erank=2)
    both = joint_audit(found, audit(census(), Variance()))
    at = both.at(0.1)
    individual = int(at.ranking[1])
    curve = both.curve(individual, up_to=0.1)
    levels, together = view.charts["joint"].curve("both together")
    seen = curve.together > 1e-9
    np.testing.assert_allclose(levels, curve.epsilons[seen])
    np.testing.assert_allclose(together, curve.together[seen], rtol=1e-9)
    assert f"person {found.individuals[individual]} with δ = {at.together[1]:.3g}" in headline(view)
    assert "Exact disclosure" not in view.words


@pytest.mark.parametrize("settings", [{"etable": "county_murders"}, {"etable": "precipitation"}])
def test_the_paper_s_example_discloses_at_every_level(page, settings):
    view = page(tab="joint", ejoin="without", **settings)
    assert headline(view).endswith("with δ = 1")
    assert (view.charts["joint"].curve("both together")[1] == 1).all()
    assert "in 100 % of the databases" in view.words
    assert "the paper’s own example" in view.words


def test_one_left_out_of_random_subsamples_is_disclosed_where_they_are(page, found):
    view = page(tab="joint", ejoin="without")
    individual = int(found.at(0.1).ranking[0])
    share = found.present[individual] / 60
    assert (view.charts["joint"].curve("both together")[1] >= share * (1 - 1e-12)).all()
    assert f"in {percent(share)}".replace("\u00a0", " ") in view.words


def test_two_databases_are_too_few_for_a_plane(page):
    view = page(tab="joint", edraws=2, epart=0.01)
    assert headline(view) == "Too few databases: nothing can be said"
    assert "at least 3 databases. Take more subsamples" in infos(view)[0]
    assert not errors(view)


# --- the attack ---


def test_the_attack_on_the_most_exposed(page, found):
    view = page(tab="attack")
    individual = int(found.at(0.1).ranking[0])
    attacked = attack(found, individual)
    told = f"{100 * attacked.right:.3g} %"
    assert headline(view).replace("\u00a0", " ") == (
        f"Who sees one answer is right about person 20030 in {told} of guesses; blindly 50 %"
    )
    assert attacked.right_lower < 0.5
    assert "so that it may be mere guessing" in view.words
    false, true = view.charts["audit_attack"].curve("tried on these databases")
    np.testing.assert_allclose(false, attacked.false_positive)
    np.testing.assert_allclose(true, attacked.true_positive)
    assert "The paper calls δ “the failure probability”. (Refuted)" in view.words
    assert f"{100 * attacked.beyond(0.1).share:.3g} % of answers" in view.words
    assert "δ of this individual is 0.0217" in view.words


def test_another_rank_is_another_attack(page, found):
    view = page(tab="attack", erank=3)
    assert f"person {found.individuals[found.at(0.1).ranking[2]]}" in headline(view)


def test_too_few_databases_for_an_attack(page):
    view = page(tab="attack", edraws=2, epart=0.01)
    assert headline(view) == "Too few databases: nothing can be said"
    assert not errors(view)


# --- names, links, odd values ---

SETTINGS = {
    "eknow": "own",
    "eg": "variance",
    "ebuck": "4",
    "eleast": "3",
    "ejoin": "median",
    "erank": "2",
    "ee": "0.2",
    "edraws": "20",
    "epart": "0.05",
}


@pytest.mark.parametrize("tab", ["adversary", "joint", "attack"])
def test_a_link_restores_every_setting(page, tab):
    view = page(**SETTINGS, tab=tab)
    assert not errors(view)
    told = link(view)
    for key, value in SETTINGS.items():
        assert told[key] == value
    assert [each.figure for each in page(**told).charts.values()] == [each.figure for each in view.charts.values()]


@pytest.mark.parametrize("settings", [{"present": 1}, {"emask": 1}])
@pytest.mark.parametrize(
    ("tab", "more"),
    [("adversary", {"eknow": "own", "eleast": 5}), ("joint", {"ejoin": "without"}), ("joint", {}), ("attack", {})],
)
def test_nobody_is_named_where_names_are_hidden(page, files, tab, more, settings):
    view = page(etable="county_murders", tab=tab, **more, **settings)
    seen = repr(view.app.main) + json.dumps(view.links) + view.words
    assert "California" not in seen
    assert "06037" not in seen
    assert not [each for each in view.app.get("bidi_component") if "California" in each.proto.json]
    assert "no. 1" in headline(view)
    if tab == "adversary":  # what one contributes would tell who it is
        rows = view.charts["audit_given"].figure["layout"]["yaxis"]["ticktext"]
        assert all(each.startswith("bucket ") for each in rows)
    made = [each() for each in files.values() if callable(each)]
    assert not [each for each in made if "California" in (each if isinstance(each, str) else each.decode("latin-1"))]


ODD = [
    {"epart": 1, "edraws": 20},
    {"ee": 100},
    {"ee": 1e-4},
    {"eask": "count"},
    {"eask": "share", "eabove": 1e9},
    {"eask": "quantile", "ejoin": "median", "eq": 0.5},
    {"etable": "precipitation", "erank": 50},
    {"ebuck": 1},
]


@pytest.mark.parametrize("odd", ODD, ids=str)
@pytest.mark.parametrize("tab", ["adversary", "joint", "attack"])
def test_odd_values_give_an_answer_or_a_sentence(page, tab, odd):
    view = page(tab=tab, **odd)
    assert [each for each in view.texts if each.startswith("## ")] or errors(view)
    assert not [each for each in errors(view) if "id " in each.lower() or "unexpected" in each.lower()]
    assert not {"nan", "inf", "-inf"} & set(view.words.lower().replace(",", " ").split())
