"""The page Empirical audit on built-in data: its controls ask the questions, names are masked where they have to be, and files are made."""

import json

import pytest

from pages.shared import answers
from par_core import memory
from par_core.audit.queries import PanelMean
from par_core.questions import (
    EachDatabase,
    NoiseWanted,
    OneAnswerAttack,
    OtherDensities,
    TwoAnswers,
    WhatTheyKnow,
    WhoIsExposed,
)
from par_core.scenario import Scenario
from tests.audits import audit, census
from tests.pages.empirical_audit_view import errors, headline, infos, link, radio, rank, ranking, turn

TABS = ("exposed", "databases", "other", "adversary", "joint", "attack", "noise")


@pytest.fixture
def page(open_page):
    return lambda **settings: open_page("empirical_audit", **settings)


@pytest.fixture
def certificate(page, files):
    """Open the first section and read the certificate that its button makes."""

    def read(**settings):
        page(**settings)
        return json.loads(files["certificate"]())

    return read


# --- the controls ask -------------------------------------------------------------------------------------------------

_COUNTIES = ({"etable": "county_murders"}, {"table": "county_murders", "value": "murders"})
_DRAWN = (
    {"edraws": 20, "epart": 0.05, "eseed": 5, "eof": "age"},
    {"value": "age", "subsamples": 20, "share": 0.05, "seed": 5},
)
ASKED = [
    (
        "exposed",
        *_COUNTIES,
        {"ee": 0.25, "ewhich": "total", "ed": 0.05, "erank": 3, "eint": 0},
        WhoIsExposed,
        {"epsilon": 0.25, "which": "total", "allowed": 0.05, "rank": 3, "intervals": False},
    ),
    ("exposed", *_DRAWN, {"eask": "quantile", "eq": 0.9}, WhoIsExposed, {"query": "quantile", "quantile": 0.9}),
    ("databases", *_COUNTIES, {"eask": "share", "eabove": 500}, EachDatabase, {"query": "share", "above": 500.0}),
    ("other", *_COUNTIES, {"erank": 2, "emask": 1}, OtherDensities, {"rank": 2, "masked": True}),
    (
        "adversary",
        *_DRAWN,
        {"eg": "sum", "ebuck": 2, "eleast": 5},
        WhatTheyKnow,
        {"known": "sum", "buckets": 2, "fewest": 5},
    ),
    (
        "adversary",
        *_COUNTIES,
        {"eknow": "own", "eleast": 5, "erank": 2},
        WhatTheyKnow,
        {"knows": "own", "fewest": 5, "rank": 2},
    ),
    ("joint", *_DRAWN, {"ejoin": "variance", "erank": 2}, TwoAnswers, {"second": "variance", "rank": 2}),
    ("attack", *_COUNTIES, {"ee": 0.2, "erank": 2}, OneAnswerAttack, {"epsilon": 0.2, "rank": 2}),
    ("noise", {"etable": "precipitation"}, {"table": "precipitation"}, {"enoise": 0.5}, NoiseWanted, {"epsilon": 0.5}),
    ("noise", *_DRAWN, {"ekern": "gaussian", "enoise": 0.2}, NoiseWanted, {"kernel": "gaussian", "epsilon": 0.2}),
]


@pytest.mark.parametrize(("tab", "panel", "of", "settings", "kind", "fields"), ASKED)
def test_each_section_asks_what_its_controls_say_and_tells_the_answer(page, tab, panel, of, settings, kind, fields):
    question = kind(Scenario(), **of, **fields)
    view = page(tab=tab, **panel, **settings)
    assert answers.known(question)
    view.assert_told(question)
    assert not errors(view)


def test_it_opens_on_the_census_with_a_verdict_whatever_the_scenario(page):
    view = page(e0=3)
    assert (view.title, view.open_section) == ("Empirical audit", "Who is exposed?")
    assert answers.known(WhoIsExposed(Scenario(), value="weekly_income"))
    assert headline(view) == "At ε = 0.1, 43 of 29,501 people are exposed; the most exposed is person 20030"
    assert not view.warnings
    assert any("synthetic" in each for each in radio(view, "etable").options)
    assert "ε = 3: an attacker who is 50 % sure becomes at most 95.3 % sure." in page(tab="noise", enoise=3).words


def test_the_warning_is_one(page):
    (warning,) = page(etable="county_murders", tab="databases").warnings
    assert "Do not rely on this audit: its databases are not independent." in warning


def test_too_few_databases_are_said_in_every_section(page):
    for tab in ("adversary", "joint", "attack"):
        view = page(tab=tab, edraws=2, epart=0.01)
        assert headline(view).startswith("Too few databases: ")
        assert len(infos(view)) == 1
        assert not view.charts


# --- the ranking ------------------------------------------------------------------------------------------------------


def test_choosing_in_the_ranking_changes_the_picture_below(page):
    view = page(etable="county_murders")
    assert len(ranking(view)) == 10
    before = view.charts["with_and_without"].figure
    rank(view, 3)
    assert view.charts["with_and_without"].figure != before
    assert "California" not in view.charts["with_and_without"].title
    assert link(view)["erank"] == "3"


def test_a_rank_in_a_link_is_shown_and_one_beyond_everybody_falls_back(page):
    view = page(erank=20)
    assert len(ranking(view)) == 20
    assert radio(view, "erank").value == 20
    assert "1. " in ranking(page(erank=50))[0]


def test_masked_names_stand_nowhere(page, files):
    view = turn(page(etable="county_murders"), "emask")
    assert headline(view).endswith("the most exposed is no. 1")
    assert_nobody_is_named(view, files)
    assert "# names: masked" in files["ranking_csv"]()
    turn(view, "emask")
    assert "California 06037" in files["ranking_csv"]()


@pytest.mark.parametrize("settings", [{"present": 1}, {"emask": 1}])
@pytest.mark.parametrize("tab", TABS)
def test_nobody_is_named_before_an_audience_or_where_names_are_masked(page, files, tab, settings):
    view = page(etable="county_murders", tab=tab, eknow="own", eleast=5, **settings)
    assert_nobody_is_named(view, files)
    assert ("emask" in [each.key for each in view.app.toggle]) == ("emask" in settings)


def assert_nobody_is_named(view, files):
    seen = repr(view.app.main) + json.dumps(view.links) + view.words
    seen += "".join(each.proto.json for each in view.app.get("bidi_component"))
    seen += "".join(str(make()) for make in files.values())
    assert not [name for name in ("California", "06037") if name in seen]


def test_the_ranking_as_csv(page, files):
    page()
    at = audit(census(), PanelMean()).at(0.1)
    lines = files["ranking_csv"]().lstrip("\ufeff").splitlines()
    head = [line for line in lines if line.startswith("#")]
    rows = [line.split(",") for line in lines if not line.startswith("#")]
    assert any(line.startswith("# standing: estimate") for line in head)
    assert any("sensitive" in line for line in head)
    assert len(rows) == 29_502
    assert rows[0][:3] == ["rank", "individual", "delta"]
    assert rows[1][:2] == ["1", "20030"]
    assert float(rows[1][2]) == at.delta


# --- the certificate --------------------------------------------------------------------------------------------------


def test_a_certificate_without_noise(certificate):
    content = certificate(eint=0)
    assert content["result"]["delta"] == float(f"{audit(census(), PanelMean()).at(0.1).delta:.3g}")
    assert content["query"] == "mean"
    assert not {"noise", "intervals", "keyed fingerprint"} & set(content)
    assert "intervals" in certificate(), "they stand beside the estimate unless the reader takes them away"
    assert content["link"].startswith("?")
    assert content["made with"].startswith("Privacy at Risk explorer")


def test_noise_and_intervals_go_into_the_certificate(certificate):
    content = certificate(eadd=1, enoise=0.3, eint=1, edraws=20)
    assert content["noise"]["wanted epsilon"] == 0.3
    assert content["intervals"]["level"] == 0.95
    assert content["databases"]["number"] == 20
    assert "independent by construction" in content["databases"]["origin"]
    assert "noise" not in certificate(eadd=1, ekern="gaussian", edraws=20), "its law is not known exactly"


def test_the_switch_of_the_noise_section_reaches_the_certificate(page, files):
    turn(page(tab="noise"), "eadd").visit("empirical_audit", tab="exposed")
    assert json.loads(files["certificate"]())["noise"]["wanted epsilon"] == 0.1


@pytest.mark.parametrize(("key", "made"), [("", False), ("qwerty7", False), ("a long secret", True)])
def test_a_fingerprint_needs_a_key_of_some_length(page, files, key, made):
    view = page()
    view.app.session_state["fingerprint"] = True
    view.run()
    (field,) = (each for each in view.app.text_input if each.label == "Secret key")
    field.set_value(key)
    view.run()
    text = files["certificate"]()
    assert ("keyed fingerprint" in json.loads(text)) == made
    assert not key or key not in text + json.dumps(view.links)
    assert [each for each in errors(view) if "at least 8 characters" in each] == (
        [] if key != "qwerty7" else ["The key must have at least 8 characters."]
    )


# --- links and what cannot be used ------------------------------------------------------------------------------------

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
    "eknow": "own",
    "eg": "variance",
    "ebuck": "4",
    "eleast": "3",
    "ejoin": "median",
}


@pytest.mark.parametrize("tab", TABS)
def test_a_link_restores_every_setting(page, tab):
    view = page(**SETTINGS, tab=tab)
    told = link(view)
    assert {key: told[key] for key in SETTINGS} == SETTINGS
    again = page(**told)
    assert link(again) == told
    assert [each.figure for each in again.charts.values()] == [each.figure for each in view.charts.values()]


@pytest.mark.parametrize("value", ["abc", "1e9"])
def test_a_value_in_a_link_that_cannot_be_used_is_named(page, value):
    view = page(ee=value)
    assert view.number("ee").value == 0.1
    assert headline(view).startswith("At ε = 0.1, 43 of")


def test_subsamples_of_one_person_are_no_audit(page):
    view = page(epart=1e-6)
    assert errors(view)
    assert not [each for each in errors(view) if "id " in each.lower()]
    assert not view.charts


def test_what_does_not_fit_into_memory_is_refused_with_what_does_it(page, monkeypatch):
    monkeypatch.setattr(memory, "free", lambda: 1_000)
    monkeypatch.setattr(answers, "PUBLIC", answers.Kept(1_000))  # another test may have audited the same
    view = page(etable="county_murders", emur="murder_rate", eask="sum")
    (said,) = errors(view)
    assert "memory" in said
    assert "par audit DATA.parquet" in said
    assert not view.charts
