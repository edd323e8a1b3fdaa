"""What the page on the budget says about its own amounts: averages, several releases, the cost model, and nothing to save."""

import math

import pytest

from par_core import cost
from par_core.rounding import brief

CENTRE = cost.CostModel(5500, 100)
SECTIONS = ["budget", "truth", "afford", "moves"]
LEVELS = [0.3, 0.6, 0.7, 0.9, 1.2, 1.5, 2.0]


@pytest.fixture
def page(open_page):
    """Open the page at one of its sections, with settings."""
    return lambda tab="budget", **settings: open_page("budget_minimiser", tab=tab, **settings)


def headings(shown):
    return [each.value.replace("\u00a0", " ") for each in shown.app.markdown if each.value.startswith("##")]


# --- an average is not what is always enough --------------------------------------------------------------------------


def test_the_least_amount_is_called_an_average_and_the_baseline_what_is_always_enough(page):
    shown = page()
    (heading,) = headings(shown)
    assert heading == "## Under your cost model a breach costs up to 74,500 USD of the full 550,000 USD"
    true = CENTRE.optimum(0.5, truth="exact")
    fails = 1 - math.exp(-0.25) * math.sinh(true.epsilon / 2)
    assert (
        f"ε = 0.2858 holds in 11.1 % of releases and fails in {math.ceil(1000 * fails) / 10:g} %. (Proven)"
        in shown.words
    )
    assert "a breach costs up to the amount at ε₀ alone." in shown.words
    assert "On average over releases (By your model) 68,000 USD is enough" in shown.words
    assert "averages over releases, not the money to have ready" in shown.words


@pytest.mark.parametrize("tab", SECTIONS)
def test_no_section_advises_to_set_aside_an_average(page, tab):
    words = page(tab, bud=70_000).words
    for advice in ("Set aside", "the money to have ready in case", "You may count on"):
        assert advice not in words
    assert "not an expected cost" in words


def test_a_budget_for_the_average_is_not_called_enough(page):
    shown = page("afford", bud=70_000)
    assert (
        headings(shown)[0] == "## On average yes, but not always: the true average over releases is 68,000 USD at best"
    )
    assert (
        "In 88.9 % (Proven) of releases ε = 0.2858 does not hold, and under your cost model a breach costs up to "
        "(By your model) 74,500 USD."
    ) in shown.words
    assert "can cost up to 74,500 USD of the full 550,000 USD: only that is always enough." in shown.words
    assert headings(page("afford", bud=74_434.5))[0].startswith(
        "## Yes: under your cost model 74,434.50 USD is enough for a breach after any one release"
    )
    assert "After one release a breach can cost up to 74,500 USD" in page("afford", bud=60_000).words


# --- more than one release --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tab", SECTIONS)
@pytest.mark.parametrize(("releases", "together"), [(2, "ε₀ = 1 "), (5, "ε₀ = 2.5 ")])
def test_planned_releases_are_not_passed_over(page, tab, releases, together):
    (sentence,) = (text for text in page(tab, rel=releases).texts if "one release" in text and "You plan" in text)
    assert f"You plan {releases}, which together are only as private as {together}" in sentence
    money = 550_000 * math.exp(-1 / (0.5 * releases))
    assert f"up to {brief(money, toward='up')} USD of the full 550,000 USD. (By your model)" in sentence


def test_a_single_release_needs_no_sentence_about_several(page):
    assert "You plan" not in page(rel=1).words


def test_the_health_centre_publishes_twice(page):
    shown = page(rel=7).press("The paper's health")
    assert shown.links["address"] == ""
    (story,) = (text for text in shown.texts if "John Doe" in text)
    assert "one of the 2 counts a year" in story
    assert (
        "as private as ε₀ = 1, and a breach then costs up to 203,000 USD of the full 550,000 USD. (By your model)"
        in story
    )


# --- what the money rests on ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tab", [*SECTIONS, "compare"])
def test_no_money_is_called_proven(page, tab):
    shown = page(tab, bud=70_000, e0=0.4, keep="1 e0=0.3 e0=0.8")
    assert "(By your model)" in shown.words
    for text in shown.texts:
        for part in text.split("(Proven)")[:-1]:
            assert part.rstrip().endswith(("%", "%.", "but in")), f"only a confidence is: {text}"


@pytest.mark.parametrize("tab", SECTIONS)
def test_where_the_cost_model_says_next_to_nothing_the_full_amount_is_named_first(page, tab):
    shown = page(tab, e0=0.01, bud=70_000)
    warning = "At ε₀ = 0.01 your cost model leaves less than a thousandth of the full 550,000 USD: it says next to nothing here."
    assert shown.warnings[0] == f"{warning} Count on the full amount."
    if tab == "budget":
        assert headings(shown) == ["## A breach costs up to 550,000 USD"]
        assert "always enough" not in shown.words
    assert "next to nothing here" not in page(tab).words


# --- cautions wherever the money is -----------------------------------------------------------------------------------


@pytest.mark.parametrize("tab", [*SECTIONS, "compare"])
def test_a_table_that_ends_too_early_is_named_in_every_section(page, tab):
    assert any("the table is taken as flat: too cheap" in each for each in page(tab, model="table", e0=3).warnings)


@pytest.mark.parametrize("tab", [*SECTIONS, "compare"])
def test_equation_8_against_its_own_constraints_is_named_in_every_section(page, tab):
    assert any("its own constraints 1 and 4" in each for each in page(tab, min=1000, e0=8, rel=1).warnings)
    assert not page(tab, min=1000, e0=0.5, rel=1).warnings


def test_the_table_may_end_below_the_level_that_an_accuracy_needs(page):
    shown = page("afford", model="table", err=0.1, bud=1e6)
    assert any("the table is taken as flat: too cheap" in each for each in shown.warnings)


def test_a_sweep_may_leave_the_table(page):
    assert any("flat" in each for each in page("moves", model="table", e0=1.9, rel=1, pct=10).warnings)
    assert not page("moves", model="table", e0=1.9, rel=1, pct=2).warnings


def test_each_compared_scenario_has_its_own_caution(page):
    shown = page("compare", keep="1 model=table&e0=3 e0=0.2")
    assert [each.split(":")[0] for each in shown.warnings] == ["A"]


# --- what a person is paid --------------------------------------------------------------------------------------------


def test_a_minimum_comes_on_top_unless_it_is_capped(page):
    assert "100 people, 6,000 USD each and up to 5,500 USD more" in page(min=6000).words
    assert "100 people, up to 5,500 USD each, at least 1,000 USD" in page(min=1000, cap=1).words


# --- nothing to save --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("settings", [{"model": "table", "pts": "1 0.1_1000 1_5000", "e0": 0.05}, {"comp": 0}])
def test_where_nothing_can_be_saved_it_says_so_and_compares_no_shares(page, settings):
    shown = page("truth", **settings)
    assert headings(shown) == ["## There is no saving here, neither claimed nor real"]
    assert "so a stronger level saves nothing." in shown.words
    assert "not in 100" not in shown.words
    assert "it is the same noise" not in shown.words
    assert "Nothing can be saved: a breach costs up to" in headings(page(**settings))[0]


def test_a_saving_too_small_for_a_float_is_not_shown_as_nothing(page):
    shown = page("truth", e0=0.001)
    assert {each.value for each in shown.app.metric if each.label == "Saving"} == {"less than 0.01\u00a0USD"}
    assert page(e0=0.001).metrics["At ε₀ alone"] == "less than 0.01 USD"


# --- rounding ---------------------------------------------------------------------------------------------------------


def test_a_true_confidence_is_rounded_down(page):
    for epsilon0 in LEVELS:
        found = CENTRE.optimum(epsilon0, truth="exact")
        if 1000 * found.confidence % 1 > 0.5 and found.confidence > 0.1:
            break
    else:
        raise AssertionError("no level of this list is rounded differently up and down")
    shown = page("truth", e0=epsilon0)
    confidence = [each.value for each in shown.app.metric if each.label == "Confidence"][1]
    assert confidence == f"{math.floor(1000 * found.confidence) / 10:g}\u00a0%"


def test_k_is_said_to_be_halved_and_doubled(page):
    shown = page("moves", k=4)
    assert "k halved and doubled" in shown.chart.title
    assert "k, which is whole, is halved and doubled" in shown.words
