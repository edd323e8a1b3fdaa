"""Scenarios side by side: what is kept, what the table and the headline say, and what the link brings back."""

from urllib.parse import parse_qsl

import pytest

from par_core import cost
from par_core.rounding import brief


@pytest.fixture
def page(open_page):
    """Open the section, with settings."""
    return lambda **settings: open_page("budget_minimiser", tab="compare", **settings)


def table_rows(shown):
    """Return the comparison as a dict of columns, each a dict by the labels of the rows."""
    frame = shown.app.table[0].value
    labels = list(frame.iloc[:, 0])
    return {
        name: dict(zip(labels, (cell.replace("\u00a0", " ") for cell in frame[name]), strict=True))
        for name in frame.columns[1:]
    }


def test_the_comparison_opens_on_the_present_scenario(page):
    rows = table_rows(page())
    assert list(rows) == ["Present"]
    assert rows["Present"]["Saving, claimed"] == "36,600 USD (49.2 %)"
    assert rows["Present"]["Saving, true"] == "6,450 USD (8.67 %)"


def test_scenarios_are_kept_compared_and_removed(page):
    shown = page().press("Add the present").type("e0", 0.3).press("Add the present").type("comp", 900.0)
    rows = table_rows(shown)
    assert list(rows) == ["A", "B", "Present"]
    assert [rows[name]["ε₀"] for name in rows] == ["0.5", "0.3", "0.3"]
    small = cost.CostModel(900, 100).optimum(0.3, truth="exact")
    assert rows["Present"]["Least, true"] == f"{brief(small.budget, toward='up')} USD at ε = {small.epsilon:.4g}"
    assert "Present needs the least in truth" in shown.words
    shown.press("Remove A")
    assert list(table_rows(shown)) == ["A", "Present"]
    assert table_rows(shown)["A"]["ε₀"] == "0.3"


def test_at_most_four_are_kept_and_none_twice(page):
    shown = page()
    for epsilon0 in (0.1, 0.2, 0.3, 0.4):
        shown.type("e0", epsilon0).press("Add the present")
        (add,) = (each for each in shown.app.button if each.label.startswith("Add the present"))
        assert add.disabled
    shown.type("e0", 0.9)
    assert list(table_rows(shown)) == ["A", "B", "C", "D", "Present"]
    (add,) = (each for each in shown.app.button if each.label.startswith("Add the present"))
    assert add.disabled


def test_kept_scenarios_travel_in_the_link(page, open_page):
    first = page(model="table", pts="1 0.1_5 0.6_900 2_1e5").press("Add the present")
    first.type("e0", 0.3).press("Add the present")
    address = first.links["address"]
    second = open_page("budget_minimiser", **dict(parse_qsl(address)))
    assert not second.warnings
    assert table_rows(second) == table_rows(first)
    assert second.links["address"] == address
    assert second.links["full"] == first.links["full"]


def test_a_kept_scenario_can_be_brought_back(page):
    shown = page(e0=0.7, model="fine").press("Add the present")
    shown.type("e0", 0.2).type("comp", 1.0).press("Use A")
    assert shown.number("e0").value == 0.7
    assert shown.number("comp").value == 5500.0
    assert list(table_rows(shown)) == ["A"]


@pytest.mark.parametrize(
    "asked", ["2 e0=0.5", "1 e0=-3", "1 zz=3", "1 e0=0.1 e0=0.2 e0=0.3 e0=0.4 e0=0.6", "1 pts=1", "nonsense"]
)
def test_a_comparison_that_cannot_be_used_is_named_and_the_page_stays(page, asked):
    shown = page(keep=asked, e0=0.4)
    (sentence,) = (each for each in shown.warnings if "cannot be used" in each)
    assert asked[:30] in sentence
    assert list(table_rows(shown)) == ["Present"]


def test_a_kept_scenario_that_contradicts_itself_is_left_out(page):
    shown = page(keep="1 min=9000&cap=1 e0=0.2")
    assert any(each.value.startswith("A is left out") for each in shown.app.error)
    assert list(table_rows(shown)) == ["B", "Present"]


def test_different_currencies_are_not_ranked(page):
    shown = page(keep="1 cur=EUR&e0=0.2")
    assert "different currencies" in shown.words
    assert "needs the least" not in shown.words


def headline(shown):
    heading, sentence = (text for text in shown.texts if "need" in text and ("in truth" in text or "formula" in text))
    return heading, sentence


def test_a_tie_in_truth_names_the_difference_of_the_claims(page):
    heading, sentence = headline(page(k=5, keep="1 e0=0.5&k=1 e0=0.5&k=5"))
    assert heading == "## A and B need the same in truth: 68,000 USD on average"
    assert sentence == "The published formula says that B needs 3,450 USD more than A. (Refuted)"


def test_a_claim_with_the_opposite_sign_is_told_in_words(page):
    shown = page(comp=5600, sh=98, k=50, keep="1 k=1 k=50&comp=5600&sh=98")
    heading, sentence = headline(shown)
    low, high = (cost.CostModel(*money).optimum(0.5, truth="exact").budget for money in ((5600, 98), (5500, 100)))
    assert heading == "## B needs the least in truth: 67,900 USD on average"
    assert sentence.startswith(f"On average A needs {high - low:,.0f} USD more than B (By your model) and")
    assert sentence.endswith("and by the published formula A needs 3,490 USD less than B. (Refuted)")
    assert "-" not in sentence


def test_scenarios_that_agree_in_all_that_counts_need_the_same(page):
    heading, sentence = headline(page(keep="1 d=1e-6 d=1e-7"))
    assert heading.startswith("## A, B and Present need the same in truth")
    assert "need the same. (Holds here)" in sentence


def test_a_scenario_that_a_short_link_keeps_is_the_present_one(page):
    shown = page(e0=0.3, keep="1 e0=0.3")
    assert list(table_rows(shown)) == ["A"]


@pytest.mark.parametrize(
    ("keep", "label", "cells"),
    [
        ("1 k=1 k=50", "Numbers per answer (k)", ["1", "50"]),
        ("1 rate=1 rate=2", "Rate", ["1", "2"]),
        ("1 min=100&cap=1 min=100", "Never above the compensation", ["yes", "no"]),
        ("1 min=100&cap=1 e0=0.3", "Never above the compensation", ["yes", "not used"]),
        ("1 model=fine&frate=2 model=fine&frate=0.5", "Rate of the fine", ["2", "0.5"]),
        ("1 model=fine&frate=2 model=head", "Rate of the fine", ["2", "not used"]),
        ("1 model=fine model=table", "What a breach costs", ["With fine", "Table"]),
        ("1 rel=2 rel=12", "Number of releases", ["2", "12"]),
        ("1 model=table model=table&pts=1+0.1_5+2_90", "Points of the table", None),
    ],
)
def test_every_setting_that_differs_has_a_row(page, keep, label, cells):
    first = keep.split()[1]
    rows = table_rows(page(keep=keep, **dict(parse_qsl(first))))
    assert label in rows["A"], list(rows["A"])
    if cells is not None:
        assert [rows[name][label] for name in "AB"] == cells
    else:
        assert rows["A"][label] != rows["B"][label] == "0.1, 5; 2, 90"
        assert "from 5 USD at ε = 0.1 to 90.00 USD at ε = 2".replace("5 USD", "5.00 USD") in rows["B"]["A breach costs"]
    assert "Currency" not in rows["A"], "what is the same in all has no row of its own"


def test_all_planned_releases_have_their_amount(page):
    rows = table_rows(page(keep="1 rel=3&e0=0.4"))
    assert rows["A"]["All planned releases"] == "240,000 USD of the full 550,000 USD (3)"


def test_the_headline_knows_that_the_scenario_is_kept(page):
    shown = page()
    assert "## Keep this scenario, change something, and see both side by side" in shown.texts
    shown.press("Add the present")
    assert "## Change something, and see both side by side" in shown.texts


def test_what_the_formula_says_of_the_difference_is_called_refuted_only_where_it_is_wrong(page):
    assert "(Refuted)" in page(keep="1 e0=0.6").words
    assert "need the same. (Holds here)" in page(keep="1 comp=0", comp=0, e0=0.4).words
