"""Pages follow the mechanism of the scenario, or say that they are for Laplace noise."""

import pytest

from par_core.composition import compose
from par_core.evidence import PUBLISHED
from par_core.mechanisms import MECHANISMS
from par_core.rounding import amount, brief, percent
from par_core.scenario import Scenario

OTHERS = [key for key in MECHANISMS if key != "laplace"]
LEVELS = [("explicit_risk", "dimension"), ("explicit_risk", "level"), ("explicit_risk", "truth")]
FOLLOW = [
    *LEVELS,
    ("explicit_risk", "attacker"),
    ("composition", "accountants"),
    ("composition", "plan"),
    ("composition", "mixed"),
]


def plain(text):
    return text.replace("\u00a0", " ")


@pytest.mark.parametrize("mechanism", OTHERS)
@pytest.mark.parametrize(("module", "tab"), FOLLOW)
def test_no_published_curve_is_drawn_where_the_formula_does_not_apply(open_page, module, tab, mechanism):
    shown = open_page(module, tab=tab, m=mechanism)
    assert shown.charts
    assert not shown.app.error
    drawn = [trace for chart in shown.charts.values() for trace in chart.figure["data"]]
    assert PUBLISHED.value not in {trace.get("meta") for trace in drawn}
    assert f"m={mechanism}" in shown.links["address"]


@pytest.mark.parametrize("mechanism", OTHERS)
@pytest.mark.parametrize(("module", "tab"), LEVELS)
def test_the_exact_risk_is_that_of_the_mechanism(open_page, module, tab, mechanism):
    shown = open_page(module, tab=tab, m=mechanism, e0=1, e=0.7)
    release = Scenario(epsilon0=1.0, mechanism=mechanism).release
    exact = release.loss_exceeds(0.7)
    told = "in every release" if exact == 1.0 else f"in {plain(percent(exact, toward='up'))} of releases at worst"
    assert f"Privacy loss exceeds ε = 0.7 {told}" in shown.words.replace(" (Proven)", "")
    assert f"the smallest δ for ε is {plain(percent(release.delta(0.7), toward='up'))}" in shown.words
    assert "The paper's formula is for Laplace noise only" in shown.words


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_an_attack_on_all_planned_releases_together(open_page, mechanism):
    shown = open_page("explicit_risk", tab="attacker", att="all", rel=12, e0=0.2, m=mechanism)
    together = compose(Scenario(epsilon0=0.2, mechanism=mechanism).release, 12)
    gained = plain(percent(together.advantage, toward="up")).replace("%", "percentage points")
    assert f"their best attack is {gained}" in shown.words
    one_number = together.gaussian
    assert (
        f"μ = {amount(one_number.mu, 3, toward='up')} and a regret of {plain(percent(one_number.regret, toward='up'))}"
        in shown.words
    )
    assert "sure from 12 releases with ε₀ = 0.2" in shown.words
    assert ("the loss of this mechanism has no largest value" in shown.words) is (mechanism == "gaussian")


@pytest.mark.parametrize("mechanism", OTHERS)
def test_many_releases_spend_what_the_mechanism_loses(open_page, mechanism):
    shown = open_page("composition", m=mechanism, rel=52, e0=0.1)
    spent = compose(Scenario(epsilon0=0.1, mechanism=mechanism).release, 52).epsilon(1e-5)
    most = "at most " * (mechanism == "exponential")  # whose worst profile bounds what any utilities give away
    assert f"52 releases together, each with ε₀ = 0.1, spend {most}ε = {brief(spent, toward='up')}" in shown.words
    assert ("The truth is known to be at least" in shown.words) is bool(most)
    assert "RDP and the paper's accountants are for Laplace noise" in shown.words


@pytest.mark.parametrize("mechanism", OTHERS)
def test_mixed_releases_are_counted_for_the_mechanism(open_page, mechanism):
    shown = open_page("composition", tab="mixed", m=mechanism, mix="1 0.1_20 0.2_6")
    releases = [Scenario(epsilon0=level, mechanism=mechanism).release for level in (0.1, 0.2)]
    low, high = compose(releases, [20, 6]).epsilon_ends(1e-5)
    told = brief(float(high), toward="up")
    assert (f"to {told} at δ" if high - low > 1e-3 * high else f"ε = {told} at δ") in shown.words
    assert "Corollary 1 of the paper is for Laplace noise" in shown.words


@pytest.mark.parametrize(("module", "what"), [("budget_minimiser", "section"), ("sample_planner", "page")])
def test_a_page_for_laplace_noise_says_so_once_and_speaks_of_it(open_page, module, what):
    shown = open_page(module, m="gaussian")
    said = f"This {what} is for Laplace noise, as in the paper. Your scenario has another mechanism: Gaussian."
    assert shown.words.count("Your scenario has another mechanism") == (said in shown.words) == 1
    assert "an attacker 50 % sure becomes at most 62.3 %\n" in f"{shown.words}\n", "the strip is that of Laplace noise"
    assert "is for Laplace noise" not in open_page(module).words


def test_a_mechanism_that_cannot_take_the_scenario_is_named_with_the_reason(open_page):
    shown = open_page("explicit_risk", tab="truth", m="discrete-laplace", s=2.5)
    (warning,) = shown.warnings
    assert "Discrete Laplace cannot be used here" in warning
    assert "whole number" in warning
    assert not shown.charts
    assert open_page("explicit_risk", tab="truth", m="discrete-laplace", s=2).charts


def test_a_link_with_an_unknown_mechanism_is_named(open_page):
    assert any("mechanism" in each for each in open_page("explicit_risk", m="magic").warnings)
