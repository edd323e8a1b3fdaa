"""The page on explicit risk: its controls ask the questions, its buttons bring what they name, and the rest follows the scenario."""

from dataclasses import replace

import pytest

from par_core.questions import (
    AttackerGains,
    Calibrated,
    ClaimAndTruth,
    OverlapAndProcessing,
    RiskByDimension,
    RiskByLevel,
    SimulatedLosses,
)
from par_core.scenario import Scenario


@pytest.fixture
def page(open_page):
    """Open the page at one of its sections, with settings."""
    return lambda tab="dimension", **settings: open_page("explicit_risk", tab=tab, **settings)


def test_each_control_asks_its_own(page):
    shown = page().pick("ks", "2", "5").type("fe0", 2.0).type("e", 0.3).choose("axis", "confidence")
    shown.assert_told(RiskByDimension(Scenario(), 0.3, "confidence", ks=(2, 5), drawn_epsilon0=2.0))
    page("level", e0=0.8, k=4).assert_told(RiskByLevel(Scenario(epsilon0=0.8, k=4)))
    shown = page("level").pick("e0s", "0.5", "3").type("fk", 4).type("e", 0.3).choose("axis", "confidence")
    shown.assert_told(RiskByLevel(Scenario(), 0.3, "confidence", epsilon0s=(0.5, 3.0), drawn_k=4))
    shown = page("calibrate", e0=1.2).type("e", 0.5).type("conf", 0.3)
    for find in ("epsilon0", "confidence", "epsilon"):
        shown.choose("find", find).assert_told(Calibrated(Scenario(epsilon0=1.2), find, 0.5, 0.3))
    page("attacker").type("e", 0.3).type("prior", 0.2).assert_told(AttackerGains(Scenario(), 0.3, 0.2))
    page("pieces").type("e", 0.3).type("th", 3.0).assert_told(OverlapAndProcessing(Scenario(), 0.3, 3.0))


@pytest.mark.parametrize(
    ("tab", "title"), [("dimension", "noise with ε₀ = 1, k = 1, 2, 3"), ("level", "0.5, 1, 2, with k = 1")]
)
def test_what_the_reader_has_not_touched_follows_the_scenario(page, tab, title):
    shown = page(tab).type("e0", 1.0)
    assert title in shown.chart.title
    assert shown.links["address"].removesuffix("&tab=level") == "v=1&e0=1", "a link to it follows too"
    assert "which have no curve here" not in shown.words
    touched = shown.type("fe0", 2.0) if tab == "dimension" else shown.pick("e0s", "3")
    before = touched.chart.title
    assert touched.type("e0", 0.7).chart.title == before
    again = touched.press("With my scenario")
    assert "0.7" in again.chart.title
    assert "0.3" in again.type("e0", 0.3).chart.title, "it follows again"


def test_what_a_link_or_the_reader_has_set_follows_no_scenario(open_page):
    view = open_page("explicit_risk").turn("e0", 2.0)
    view.visit("overview").turn("e0", 1.5)
    linked = view.visit("explicit_risk", tab="dimension", fe0="2")
    assert "noise with ε₀ = 2," in linked.chart.title, "which was the scenario's, when the page was open last"
    assert "noise with ε₀ = 2," in linked.turn("e0", 0.7).chart.title
    assert "noise with ε₀ = 0.7," in linked.press("With my scenario").chart.title
    assert "noise with ε₀ = 0.9," in linked.turn("e0", 0.9).chart.title


def test_a_value_that_the_scenario_reaches_stays_the_readers(open_page):
    view = open_page("explicit_risk", tab="dimension").type("fe0", 0.7)
    assert "noise with ε₀ = 0.7," in view.turn("e0", 0.7).turn("e0", 0.9).chart.title


OTHER = Scenario(epsilon0=0.3, k=5)


@pytest.mark.parametrize(
    ("tab", "printed"),
    [
        ("dimension", RiskByDimension(OTHER, ks=(1, 2, 3), drawn_epsilon0=1.0)),
        ("level", RiskByLevel(OTHER, epsilon0s=(1.0, 1.5, 2.0, 2.5), drawn_k=1)),
    ],
)
def test_as_in_the_paper_brings_the_printed_figure_and_paper_only_nothing_else(page, tab, printed):
    shown = page(tab, e0=0.3, k=5, axis="confidence").press("As in the paper")
    shown.assert_told(printed)
    (switch,) = (each for each in shown.app.toggle if each.label == "Paper only")
    switch.set_value(True)
    shown.run().assert_told(replace(printed, paper_only=True))
    assert "paper=1" in shown.links["address"]


def test_entries_that_are_no_dimension_are_named_and_left_out_and_an_empty_list_asks_for_one(page):
    shown = page().pick("ks", "2", "many", "1.5")
    for entry in ("many", "1.5"):
        assert [each.value for each in shown.app.error if entry in each.value]
    shown.assert_told(RiskByDimension(Scenario(), ks=(2,)))
    shown.pick("ks").assert_told(RiskByDimension(Scenario(), ks=()))
    assert not shown.charts


def test_the_true_epsilon0_can_be_taken_into_the_scenario(page):
    shown = page("calibrate", e=0.4, conf=0.6).press("Use ε₀ = 0.4 in my scenario (more private than 0.5)")
    assert shown.number("e0").value == 0.4
    assert not [each for each in shown.app.button if each.label.startswith("Use")]


def test_releases_are_simulated_when_asked_for_and_as_long_as_the_noise_stays_the_same(page):
    shown = page("truth", e0=1, k=2, size="10000", seed=5, spread="even")
    shown.assert_told(ClaimAndTruth(Scenario(epsilon0=1.0, k=2)))
    shown.press("Simulate").type("e", 0.7)
    simulated = SimulatedLosses(Scenario(epsilon0=1.0, k=2), True, 10_000, 5)
    shown.assert_told(ClaimAndTruth(Scenario(epsilon0=1.0, k=2), 0.7, simulated))
    shown.type("e0", 1.1).assert_told(ClaimAndTruth(Scenario(epsilon0=1.1, k=2), 0.7))


def test_the_example_of_a_threshold_goes_into_the_scenario_too(page):
    shown = page("pieces", e0=0.3, th=2).press("The example")
    assert [shown.number(key).value for key in ("e0", "e", "th")] == [1.0, 0.8, 0.5]
    shown.assert_told(OverlapAndProcessing(Scenario(epsilon0=1.0), 0.8, 0.5))
