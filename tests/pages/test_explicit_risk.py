"""The page on explicit risk: what its charts and sentences hold, and that they follow the controls."""

import json
import math
from pathlib import Path

import numpy as np
import pytest

from par_core.mechanisms import Laplace
from par_core.published import explicit
from par_core.rounding import brief

PUBLISHED = json.loads((Path(__file__).parents[1] / "figures" / "data" / "figures_1.json").read_text(encoding="utf-8"))


@pytest.fixture
def page(open_page):
    """Open the page at one of its sections, with settings."""
    return lambda tab="dimension", **settings: open_page("explicit_risk", tab=tab, **settings)


def headline(shown):
    return next(text.removeprefix("## ") for text in shown.texts if text.startswith("## "))


def two_sided(epsilon, epsilon0):
    """P(|loss| > epsilon) of the Laplace mechanism, below epsilon0."""
    return 1 - math.exp(-epsilon0 / 2) * math.sinh(epsilon / 2)


# --- by dimension, by ε₀ ----------------------------------------------------------------------------------------------


def test_by_dimension_opens_on_the_readers_own_release_and_the_marks_lie_on_its_curves(page):
    chart = page(e0=0.8, k=4).chart
    assert chart.title.endswith("ε₀ = 0.8, k = 1, 2, 3, 4")
    assert_the_marks_lie_on(chart, "published, k = 4;", "exact, every k")


def test_by_epsilon0_opens_on_the_readers_own_level_between_its_half_and_its_double(page):
    chart = page("level", e0=0.8, k=4).chart
    assert "ε₀ = 0.4, 0.8, 1.6, with k = 4" in chart.title
    assert_the_marks_lie_on(chart, "published, ε₀ = 0.8;", "exact, ε₀ = 0.8;")


def assert_the_marks_lie_on(chart, *curves):
    for (risk, epsilon, _), curve in zip(chart.own, curves, strict=True):
        risks, epsilons = chart.curve(curve)
        order = np.argsort(epsilons, kind="stable")
        assert np.interp(epsilon, epsilons[order], risks[order]) == pytest.approx(risk, abs=0.01)


@pytest.mark.parametrize(
    ("tab", "title"), [("dimension", "noise with ε₀ = 1, k = 1, 2, 3"), ("level", "0.5, 1, 2, with k = 1")]
)
def test_what_the_reader_has_not_touched_follows_the_scenario(page, tab, title):
    shown = page(tab).type("e0", 1.0)
    assert title in shown.chart.title
    assert shown.links["address"].removesuffix("&tab=level") == "v=1&e0=1", "a link to it follows too"
    assert "none of the curves" not in shown.words
    touched = shown.type("fe0", 2.0) if tab == "dimension" else shown.pick("e0s", "3")
    before = touched.chart.title
    assert touched.type("e0", 0.7).chart.title == before
    assert "diamonds are for your ε₀ = 0.7 and k = 1, which have no curve here" in touched.words
    again = touched.press("With my scenario")
    assert "0.7" in again.chart.title
    assert "0.3" in again.type("e0", 0.3).chart.title, "it follows again"


@pytest.mark.parametrize(("tab", "figure"), [("dimension", "1a"), ("level", "1b")])
def test_as_in_the_paper_brings_the_printed_figure_and_paper_only_nothing_else(page, tab, figure):
    shown = page(tab, e0=0.3, k=5, axis="confidence").press("As in the paper")
    assert sum(name.startswith("exact") for name in shown.chart.names) > 0
    assert len(shown.chart.own) == 2
    (switch,) = (each for each in shown.app.toggle if each.label == "Paper only")
    switch.set_value(True)
    chart = shown.run().chart
    golden = PUBLISHED[figure]["curves"]
    assert len(chart.names) == len(golden)
    for name, curve in golden.items():
        risk, epsilon = chart.curve(
            "published", f"{name.replace('epsilon0=', 'ε₀ = ').replace('.0', '').replace('k=', 'k = ')};"
        )
        np.testing.assert_allclose(risk, curve["x"], rtol=0, atol=1e-9)
        np.testing.assert_allclose(epsilon, curve["y"], rtol=0, atol=1e-9)
    assert chart.own == []
    assert "paper=1" in shown.links["address"]
    assert headline(shown) == headline(page(tab, e0=0.3, k=5)), "what is true stays above it"


def test_the_dimensions_are_those_of_the_list(page):
    shown = page().pick("ks", "2", "5")
    assert "k = 2, 5" in shown.chart.title
    for k in (2, 5):
        risk, epsilon = shown.chart.curve("published", f"k = {k};")
        np.testing.assert_allclose(risk, explicit.risk(epsilon, 0.5, k=k), rtol=0, atol=1e-12)
    assert not [name for name in shown.chart.names if "k = 1;" in f"{name};" or "k = 3" in name]


def test_an_empty_list_asks_for_an_entry(page):
    shown = page().pick("ks")
    assert not shown.charts
    assert "add" in shown.words.lower()


def test_entries_that_are_no_dimension_are_named_and_left_out(page):
    shown = page().pick("ks", "2", "many", "1.5")
    assert [each.value for each in shown.app.error if "many" in each.value]
    assert [each.value for each in shown.app.error if "1.5" in each.value]
    assert "k = 2" in shown.chart.title


def test_the_levels_are_those_of_the_list(page):
    shown = page("level").pick("e0s", "0.5", "3").type("fk", 4)
    assert "0.5, 3" in shown.chart.title
    assert "k = 4" in shown.chart.title
    for epsilon0 in (0.5, 3.0):
        risk, epsilon = shown.chart.curve("published", f"ε₀ = {epsilon0:g};")
        np.testing.assert_allclose(risk, explicit.risk(epsilon, epsilon0, k=4), rtol=0, atol=1e-12)


@pytest.mark.parametrize("tab", ["dimension", "level"])
def test_confidence_is_one_minus_risk(page, tab):
    as_risk = page(tab).chart
    as_confidence = page(tab).choose("axis", "confidence").chart
    assert "confidence" in as_confidence.x_title.lower()
    for name in [name for name in as_risk.names if name.startswith("published")]:
        risk, epsilon = as_risk.curve(f"{name};")
        confidence, same = as_confidence.curve(f"{name};")
        np.testing.assert_allclose(confidence, 1 - risk, rtol=0, atol=1e-15)
        np.testing.assert_array_equal(epsilon, same)
    for (risk, epsilon, _), (confidence, same, _) in zip(as_risk.own, as_confidence.own, strict=True):
        assert confidence == pytest.approx(1 - risk, abs=1e-15)
        assert epsilon == same


@pytest.mark.parametrize("tab", ["dimension", "level"])
def test_the_own_setting_stands_on_the_chart_and_in_the_sentence(page, tab):
    shown = page(tab).type("e0", 0.82).type("k", 3).type("e", 0.37)
    claimed, true = explicit.risk(0.37, 0.82, k=3), two_sided(0.37, 0.82)
    assert [x for x, _, _ in shown.chart.own] == pytest.approx([claimed, true], rel=1e-12)
    assert [y for _, y, _ in shown.chart.own] == [0.37, 0.37]
    up = math.ceil(1000 * true) / 10
    assert f"{100 * claimed:.3g}\u00a0%" in shown.chart.own[0][2]
    assert f"{up:g}\u00a0%" in shown.chart.own[1][2], "a bound is rounded up"
    assert headline(shown) == (
        f"Privacy loss exceeds ε = 0.37 in {up:g} % (Proven) of releases at worst; the paper claims {100 * claimed:.3g} % (Refuted)"
    )
    assert "two-sided, |loss| > ε, with noise for ε₀ = 0.82 and worst-case neighbouring tables" in shown.words
    assert "but it is the same noise" in shown.words


@pytest.mark.parametrize("tab", ["dimension", "level", "truth"])
def test_the_words_for_the_chart_follow_the_setting(page, tab):
    before = page(tab).chart.alt
    after = page(tab).type("e0", 0.82).chart.alt
    assert before != after
    assert "0.82" in after


def test_above_epsilon0_there_is_nothing_to_claim(page):
    shown = page(e0=0.3, e=0.4)
    assert headline(shown) == "Noise for ε₀ = 0.3 is always at least as private as ε = 0.4 (Proven)"
    assert "Choose ε below 0.3" in shown.words


# --- calibrate --------------------------------------------------------------------------------------------------------


def by_the_paper(shown):
    (text,) = (text for text in shown.texts if text.startswith("By the paper's formula"))
    return text


def test_the_true_answer_comes_first_and_the_papers_second_without_a_button(page):
    shown = page("calibrate", find="epsilon0", e=0.4, conf=0.6, s=2)
    assert headline(shown) == "It takes ε₀ = 0.4 (Proven)"
    texts = shown.texts
    true = "With noise for ε₀ = 0.4 the privacy loss stays within ε = 0.4 in every release, each number off by 5 on average."
    limit = "No larger ε₀ gives 60 %: the confidence stays below 16.5 %."
    claim = by_the_paper(shown)
    assert texts.index(true) < texts.index(limit) < texts.index(claim)
    assert "ε₀ = 0.797 would do, each number off by 2.51 on average. (Refuted)" in claim
    assert "the loss stays within ε = 0.4 in at worst 13.5 % of releases, not 60 %. (Proven)" in claim
    assert [each.label.replace("\u00a0", " ") for each in shown.app.button if each.label.startswith("Use")] == [
        "Use ε₀ = 0.4 in my scenario (more private than 0.5)"
    ]


def test_a_wish_that_noise_beyond_epsilon_meets_is_answered_with_that_noise(page):
    shown = page("calibrate", find="epsilon0", e=0.4, conf=0.1)
    epsilon0 = 2 * math.log(math.sinh(0.2) / 0.1)
    told = float(headline(shown).split("ε₀ = ")[1].split(" ")[0])
    assert told == 1.39 <= epsilon0 < 1.4, "rounded down"
    assert Laplace(told).loss_within(0.4) >= 0.1
    assert "within ε = 0.4 in 10 % of releases, at worst" in shown.words
    assert "Only ε₀ always holds." in shown.texts
    assert "every ε₀ would do: it gives all of them more than 32.9 %. (Refuted)" in by_the_paper(shown)
    assert "the confidence falls to 0 as ε₀ grows. (Proven)" in by_the_paper(shown)
    (button,) = (each for each in shown.app.button if each.label.startswith("Use"))
    assert "less private" in button.label


def test_the_true_epsilon0_can_be_taken_into_the_scenario(page):
    shown = page("calibrate", find="epsilon0", e=0.4, conf=0.6).press("Use ε")
    assert shown.number("e0").value == shown.number("e0").value == 0.4
    assert not [each for each in shown.app.button if each.label.startswith("Use")]


def test_confidence_and_epsilon0_give_epsilon(page):
    shown = page("calibrate", find="epsilon", conf=0.7, e0=1.2, k=2)
    assert headline(shown) == "The noise gives ε = 1.2 (Proven)"
    assert "No smaller ε gives 70 %: the confidence stays below 35 %." in shown.words
    claimed = explicit.epsilon_at(0.7, 1.2, k=2)
    assert f"ε = {brief(claimed)} would hold in 70 % of releases. (Refuted)" in by_the_paper(shown)
    held = Laplace(1.2).loss_within(claimed)
    assert f"in at worst {math.floor(1000 * held) / 10:g} % of releases, not 70 %" in by_the_paper(shown)
    shown = page("calibrate", find="epsilon", conf=0.1, e0=1.2)
    told = float(headline(shown).split("ε = ")[1].split(" ")[0])
    assert told == float(brief(2 * math.asinh(0.1 * math.exp(0.6)), toward="up"))


def test_epsilon_and_epsilon0_give_the_confidence(page):
    shown = page("calibrate", find="confidence", e=0.4, e0=1.2, k=2)
    true = math.floor(1000 * Laplace(1.2).loss_within(0.4)) / 10
    assert headline(shown) == f"ε = 0.4 holds in {true:g} % (Proven) of releases"
    claimed = 100 * explicit.confidence(0.4, 1.2, k=2)
    assert f"{claimed:.3g} % of releases would be that private. (Refuted)" in by_the_paper(shown)
    assert not [each for each in shown.app.button if each.label.startswith("Use")]


def test_the_direction_can_be_chosen_on_the_page(page):
    shown = page("calibrate", e0=1.2).choose("find", "confidence")
    assert headline(shown).startswith("ε = 0.4 holds in")
    assert headline(shown.choose("find", "epsilon").type("conf", 0.9)).startswith("The noise gives ε = 1.2")


def test_where_epsilon_is_not_below_epsilon0_the_paper_is_right(page):
    shown = page("calibrate", find="confidence", e=0.4, e0=0.3)
    assert headline(shown) == "ε = 0.4 holds in 100 % (Proven) of releases"
    assert "The paper's formula says the same." in shown.words


@pytest.mark.parametrize("find", ["epsilon0", "epsilon", "confidence"])
def test_both_answers_are_marked_where_they_are_about_the_same_level(page, find):
    shown = page("calibrate", find=find, e=0.4, conf=0.6, e0=0.8)
    texts = [text for _, _, text in shown.chart.own]
    assert texts[0].startswith("true: ε₀ = ")
    assert len(texts) == (1 if find == "epsilon" else 2)


def test_every_wish_draws(page):
    for settings in ({"e": 600, "conf": 1e-6}, {"e": 1e-8, "conf": 1}, {"e": 700, "conf": 0.5}, {"e": 2, "conf": 0.3}):
        shown = page("calibrate", find="epsilon0", **settings)
        assert shown.charts
        assert not shown.app.error


# --- against the truth ------------------------------------------------------------------------------------------------


def test_the_claim_stands_beside_the_three_exact_curves(page):
    chart = page("truth", e0=1, k=2).chart
    epsilon, claimed = chart.curve("published")
    np.testing.assert_allclose(claimed, explicit.risk(epsilon, 1.0, k=2), rtol=0, atol=1e-12)
    for word, expected in (
        ("two-sided", lambda x: 1 - np.exp(-0.5) * np.sinh(x / 2)),
        ("one-sided", lambda x: 1 - 0.5 * np.exp(-(1 - x) / 2)),
        ("δ", lambda x: 1 - np.exp(-(1 - x) / 2)),
    ):
        x, y = chart.curve("exact", word)
        below = x < 1
        np.testing.assert_allclose(y[below], expected(x[below]), rtol=0, atol=1e-12)
        assert (y[x >= 1] == 0).all()
    assert "no guarantee" not in chart.title
    assert any("not a valid guarantee" in name for name in chart.names)


def test_no_simulation_is_shown_before_it_is_asked_for(page):
    assert not [name for name in page("truth").chart.names if "simulated" in name]


@pytest.mark.parametrize("size", ["10000", "1000000"])
def test_simulated_releases_lie_around_the_exact_curves_with_their_intervals(page, size, read_values):
    shown = page("truth", e0=1, size=size).press("Simulate")
    for word, exact in (
        ("two-sided", lambda x: Laplace(1.0).loss_exceeds(x)),
        ("one-sided", lambda x: Laplace(1.0).loss_exceeds(x, two_sided=False)),
    ):
        trace = shown.chart.trace("simulated", word)
        x, y = read_values(trace["x"]), read_values(trace["y"])
        up, down = (read_values(trace["error_y"][side]) for side in ("array", "arrayminus"))
        assert (up > 0).all()
        assert (down > 0).all()
        assert (up < 4 / math.sqrt(float(size))).all(), "99 % intervals of so many releases are narrow"
        inside = (y - down <= exact(x)) & (exact(x) <= y + up)
        assert inside.all(), f"{(~inside).sum()} of {x.size} intervals miss"
    (sentence,) = (text for text in shown.texts if "99 %" in text)
    assert f"{int(size):,}" in sentence
    assert "(Estimate)" in sentence


def test_a_simulation_belongs_to_its_setting(page):
    shown = page("truth", e0=1, size="10000").press("Simulate")
    assert [name for name in shown.chart.names if "simulated" in name]
    shown.type("e", 0.7)
    assert [name for name in shown.chart.names if "simulated" in name], "ε has no part in it"
    shown.type("e0", 1.1)
    assert not [name for name in shown.chart.names if "simulated" in name]


def test_the_same_seed_gives_the_same_simulation_and_another_seed_another(page):
    one, same, other = (page("truth", size="10000", seed=seed).press("Simulate").chart for seed in (5, 5, 6))
    assert (one.curve("simulated", "two-sided")[1] == same.curve("simulated", "two-sided")[1]).all()
    assert (one.curve("simulated", "two-sided")[1] != other.curve("simulated", "two-sided")[1]).any()


def test_a_change_spread_evenly_loses_less(page):
    alone, spread = (
        page("truth", e0=2, k=10, size="100000", spread=spread).press("Simulate").chart for spread in ("one", "even")
    )
    assert (spread.curve("simulated", "two-sided")[1] < alone.curve("simulated", "two-sided")[1])[3:].all()


# --- what an attacker gains -------------------------------------------------------------------------------------------


def test_the_errors_and_beliefs_are_those_of_the_exact_mechanism(page):
    shown = page("attacker", e0=1.2, e=0.3, prior=0.2)
    errors = next(chart for chart in shown.charts.values() if "false-negative" in chart.y_title.lower())
    beliefs = next(chart for chart in shown.charts.values() if "belief" in chart.y_title.lower())
    for name, epsilon in (("ε₀ = 1.2", 1.2), ("ε = 0.3", 0.3)):
        x, y = errors.curve("exact", name)
        np.testing.assert_allclose(y, Laplace(epsilon).tradeoff(x), rtol=0, atol=1e-12)
        x, y = beliefs.curve("exact", name)
        np.testing.assert_allclose(y, x * np.exp(epsilon) / (1 + np.expm1(epsilon) * x), rtol=0, atol=1e-12)
    believed = 0.2 * math.exp(1.2) / (1 + math.expm1(1.2) * 0.2)
    assert beliefs.own[0][:2] == pytest.approx((0.2, believed))
    told = f"{math.ceil(1000 * believed) / 10:g} %"  # a bound is rounded up
    assert headline(shown) == f"An attacker 20 % sure becomes at most {told} sure from one release with ε₀ = 1.2"
    for epsilon in (1.2, 0.3):
        assert f"{math.ceil(1000 * (1 - math.exp(-epsilon / 2))) / 10:g} percentage points" in shown.words
    asked = "ask whether one person's true record was used and no other in its place. (Proven)"
    assert f"They know everyone else's data and {asked}" in shown.texts


# --- the paper's pieces -----------------------------------------------------------------------------------------------


def test_the_overlap_follows_the_setting(page):
    shown = page("pieces", e0=1, e=0.4)
    rate = math.log(1 / 0.4) / 0.6
    overlap = 1 - (math.exp(-0.4 * rate) - math.exp(-rate))
    noises = next(chart for chart in shown.charts.values() if "noise" in chart.x_title.lower())
    assert f"{100 * overlap:.3g}\u00a0%" in noises.title
    assert headline(shown) == f"An overlap of {100 * overlap:.3g} % says nothing about the privacy loss"
    assert "shared by the noise for ε₀ = 1 and the noise for ε = 0.4. (Proven)" in shown.words
    assert "gives the privacy of the other that often. It does not" in shown.words
    x, y = noises.curve("ε₀ = 1;")
    np.testing.assert_allclose(y, 0.5 * np.exp(-np.abs(x)), rtol=1e-12)


def test_the_example_takes_the_probability_from_three_quarters_to_certainty(page):
    shown = page("pieces", e0=0.3, th=2).press("The example")
    assert shown.number("e0").value == 1.0
    assert shown.number("e").value == 0.8
    assert shown.number("th").value == 0.5
    chart = next(chart for chart in shown.charts.values() if "privacy loss" in chart.y_title)
    marked = sorted(y for _, y, _ in chart.own)
    assert marked == pytest.approx([two_sided(0.8, 1.0), 1.0], abs=1e-12)
    assert [text.replace("\u00a0", " ") for _, _, text in chart.own] == ["after: 100 %", "before: 75.1 %"], (
        "0.75087 in full"
    )
    (sentence,) = (text for text in shown.texts if "Corollary 2" in text)
    assert "75.1 %" in sentence
    assert "100 %" in sentence


def test_the_threshold_moves_the_curve(page):
    def losses(threshold):
        shown = page("pieces", e0=1, e=0.8, th=threshold)
        chart = next(chart for chart in shown.charts.values() if "privacy loss" in chart.y_title)
        return sorted(y for _, y, _ in chart.own)

    assert losses(0.5)[1] == pytest.approx(1.0)
    assert losses(3.0)[0] < losses(3.0)[1] < 1.0


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
