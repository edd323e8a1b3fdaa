"""What a budget and an accuracy leave of ε: the answer in words, its bands, the inverse, and equation 11 as a claim."""

import pytest

from par_core import cost

CENTRE = cost.CostModel(5500, 100)


@pytest.fixture
def page(open_page):
    """Open the section, with settings."""
    return lambda **settings: open_page("budget_minimiser", tab="afford", **settings)


def test_a_budget_that_the_paper_finds_enough_is_not(page):
    shown = page()
    assert "No: under your cost model 28,000 USD are missing" in shown.words
    assert "ε from 0.221 to 0.32" in shown.words
    assert "the true average over releases is never below 67,900 USD." in shown.words
    assert "No ε. Even the least average is 28,000 USD more than there is." in shown.words
    assert "As published (Refuted)" in shown.texts
    assert shown.charts["what_can_be_afforded"].figure["layout"]["shapes"]


def test_a_budget_that_is_enough_gives_both_ranges(page):
    shown = page().type("bud", 70_000.0)
    assert "On average yes, but not always" in shown.words
    for truth, words in zip(cost.TRUTHS, ("claimed to be", "truly"), strict=True):
        found = cost.epsilon_range(70_000, 2, 0.5, model=CENTRE, truth=truth).intervals[0]
        (band,) = (each for each in shown.chart.figure["layout"]["shapes"] if words in each["name"])
        assert (band["x0"], band["x1"]) == pytest.approx(tuple(found), rel=1e-12)
    assert "bud=70000" in shown.links["address"]


def test_an_accuracy_that_cannot_be_met_is_named_with_what_would_do(page):
    shown = page(e0=0.25, bud=1e6)
    assert any("The average error is 4, 2 more than the 2 that you allow." in each for each in shown.warnings)
    assert "whatever the budget" in shown.words
    assert not shown.chart.figure["layout"].get("shapes")
    shown.press("Use ε₀ = 0.5")
    assert shown.number("e0").value == 0.5
    assert "Yes:" in shown.words


def test_the_error_counts_rows_and_statistics_like_the_sentence_under_the_title(page):
    shown = page(s=2, rows=3, stats=2, e0=4, bud=1e6)
    assert "The average error is 3, 1 more than the 2" in shown.words
    assert shown.metrics["ε₀ needed"] == "6"


def test_no_money_is_answered_too(page):
    shown = page(bud=0)
    assert "under your cost model 68,000 USD are missing" in shown.words
    assert "would permit no ε at all" in shown.words


def test_more_money_than_it_takes_pays_for_every_level(page):
    shown = page(bud=80_000)
    assert shown.words.count("every ε up to 0.5") == 2
    assert "even for ε₀ alone" in shown.words


def test_the_wanted_accuracy_has_its_budget(page):
    shown = page(e0=1)
    assert shown.metrics == {
        "ε₀ needed": "0.5",
        "At ε₀ alone": "74,500 USD",
        "Least, claimed": "37,800 USD",
        "Least, true": "68,000 USD",
    }
    shown.type("err", 4.0)
    assert shown.metrics["ε₀ needed"] == "0.25"


def test_equation_11_is_a_claim_that_contradicts_the_paper(page):
    shown = page()
    (sentence,) = (text for text in shown.texts if "equation 11" in text)
    assert "ε from 0.5 to 0.32, which is no ε at all. (Refuted)" in sentence
    (why,) = (text for text in shown.texts if "sets a limit to ε₀ and none to ε" in text)
    assert "0.274" in why
    assert not [text for text in page(model="fine").texts if "equation 11" in text], "it is printed for equation 8"


def test_the_level_that_an_accuracy_needs_is_rounded_to_the_side_that_meets_it(page):
    shown = page(err=3, e0=1, bud=1e6)
    assert shown.metrics["ε₀ needed"] == "0.34"
    assert "It takes ε₀ = 0.34 or more, and" in shown.words
    assert "Yes:" in shown.type("e0", 0.34).words
    assert "the error is too large" in shown.type("e0", 0.3333).words


def test_a_budget_a_little_too_small_is_not_shown_as_the_same(page):
    shown = page(sh=103, bud=70_018)
    assert "You have 70,018 USD; the true average over releases is never below 70,018.32 USD." in shown.words
    (missing,) = (each for each in shown.texts if each.startswith("## No: under your cost model"))
    assert "0.33 USD are missing" in missing
    assert "Even the least average is 0.33 USD more than there is." in shown.words


def test_equation_11_permits_nothing_where_no_level_is_affordable(page):
    (sentence,) = (text for text in page(err=1, e0=1, bud=10_000).texts if "equation 11" in text)
    assert "would permit no ε at all, because the money is less than the claimed average at every ε." in sentence
    assert "no upper end" not in sentence


def test_a_claim_that_is_right_here_is_not_called_refuted(page):
    shown = page(min=5500, cap=1, bud=600_000)
    assert "The published formula says 550,000 USD. (Holds here)" in shown.words
    assert "As published (Holds here)" in shown.texts
