"""Three toys of the mechanism lab: Coins, Choose one of many, Which mechanism?"""

import math
from urllib.parse import parse_qs

import pandas as pd
import pytest

from pages.mechanism_lab import candidates_table
from pages.mechanism_lab.candidates_table import TABLE
from par_core.errors import ParameterError
from par_core.lab.which_mechanism import crossing


def lab(open_page, tab, **address):
    return open_page("mechanism_lab", tab=tab, **address)


def test_a_drawn_survey_says_what_was_said_estimated_and_true(open_page):
    view = lab(open_page, "coins", le=1, lcn=1_000_000, lcyes=0.3)
    assert "truth 30 %" in view.words
    assert "share = 2.164 · (share who said yes) − 0.582" in view.words
    assert "off by at most 0.189 percentage points" in view.words
    assert "the same ε by at most 0.0003." in view.words
    chart = view.charts["coins_survey"]
    (estimate,), _ = chart.curve("estimated")
    assert abs(estimate - 0.3) < 0.005
    assert chart.curve("true share")[0][0] == 0.3


def test_the_lecture_s_survey_is_one_click_away(open_page):
    view = lab(open_page, "coins").press("The lecture")
    assert "430 of 1,000 said yes: about 36 % truly are" in view.words
    assert "truth with probability 75 %" in view.words
    assert "deviation of this estimate is 3.14 percentage points" in view.words
    assert view.dials["le"].value == math.log(3)
    assert "lcyes" not in view.dials


@pytest.mark.parametrize(
    "address", [{"lcyes": 1, "lcn": 1, "le": 0.001}, {"lcyes": 0, "le": 20}, {"lcfrom": "own", "lcsaid": 0}]
)
def test_odd_surveys_have_words_and_charts(open_page, address):
    view = lab(open_page, "coins", **address)
    assert set(view.charts) == {"coins_survey", "coins_errors"}
    assert "e-0" not in view.words


def test_more_yes_than_people_is_a_sentence(open_page):
    view = lab(open_page, "coins", lcfrom="own", lcsaid=20, lcn=10)
    assert "20 cannot have said yes of 10 who were asked" in view.words
    assert not view.charts


def test_a_share_that_the_rule_cannot_mean_is_explained(open_page):
    assert "no share" in lab(open_page, "coins", lcfrom="own", lcsaid=1, le=0.5).words
    assert "no share" not in lab(open_page, "coins", lcfrom="own", lcsaid=500, le=0.5).words


NAMES = "Zug & Ort_1, ☺"


def test_a_link_restores_the_table_with_any_names(open_page):
    view = lab(open_page, "choose", lutab=TABLE.write(((NAMES, 3.0, 1.0), ("<b>B</b>", -1e9, 2.5))))
    assert TABLE.read(parse_qs(view.links["full"])["lutab"][0]) == ((NAMES, 3.0, 1.0), ("<b>B</b>", -1e9, 2.5))
    assert view.charts["choose_one"].figure["layout"]["yaxis"]["ticktext"][1].startswith("&lt;b&gt;B")


def test_the_best_candidate_is_chosen_as_often_as_the_law_says(open_page):
    view = lab(open_page, "choose", lutab="1 A_1_1 B_0_1", le=2)
    assert "best candidate is chosen with probability 73.1 %" in view.words
    chances, _ = view.charts["choose_one"].curve("exact probability")
    assert chances == pytest.approx([1 / (1 + math.exp(-1)), 1 / (1 + math.exp(1))])


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ("none", "Add at least one candidate"),
        ("1 A_1_1", "chosen with probability 100 %"),
        ("1 A_1_1 B_1_1 C_0_1", "One of the 2 best candidates is chosen"),
    ],
)
def test_odd_tables_have_a_sentence(open_page, table, words):
    assert words in lab(open_page, "choose", lutab=table).words


def test_without_draws_there_are_no_circles(open_page):
    view = lab(open_page, "choose", ludraws=0)
    assert not [name for name in view.charts["choose_one"].names if "draws" in name]
    assert "Gumbel" not in view.words


@pytest.mark.parametrize(
    "text", ["2 A_1_1", "1 A_1", "1 A_x_1", "1 _1_1", "1 A_1_0", "1 A_1e10_1", "1" + " A_1_1" * 31]
)
def test_a_link_with_a_table_that_cannot_be_used_is_refused(text):
    with pytest.raises(ParameterError):
        TABLE.read(text)


def test_rows_that_cannot_be_used_are_named():
    frame = pd.DataFrame(
        {"Name": ["A", None, None, "D", "E"], "Utility": [1, 2, None, None, 1e12], "Weight": [None, 1, 1, 1, 1]}
    )
    usable, wrong = candidates_table.sort_out(frame)
    assert usable == (("A", 1.0, 1.0),)
    assert [each[:5] for each in wrong] == ["Row 2", "Row 4", "Row 5"]
    many = pd.DataFrame({"Name": ["A"] * 31, "Utility": 1.0, "Weight": 1.0})
    usable, (sentence,) = candidates_table.sort_out(many)
    assert len(usable) == 30
    assert "first 30" in sentence


@pytest.mark.parametrize("measure", ["average", "range", "all"])
def test_the_headline_names_the_crossing(open_page, measure):
    view = lab(open_page, "which", le=1, ld=1e-6, lwerr=measure)
    first = crossing(1.0, 1e-6, measure=measure)
    assert f"From {first} counts on, Gaussian noise beats Laplace noise at ε = 1, δ = 10⁻⁶" in view.words
    ((at, _, text),) = view.charts["which_mechanism"].own
    assert at == first
    assert text.startswith(f"from {first} on")


def test_where_gaussian_noise_never_wins_the_page_says_so(open_page):
    view = lab(open_page, "which", le=1, ld=1e-6, lwmoves="one")
    assert "Up to a million counts Laplace noise beats Gaussian noise" in view.words
    assert not view.charts["which_mechanism"].own
    assert "From 1 count on" in lab(open_page, "which", le=0.1, ld=0.5).words
