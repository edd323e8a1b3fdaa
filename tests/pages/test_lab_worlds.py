"""The lab's first two sections: their words and charts follow the settings, and say what the core computes."""

import re

import numpy as np
import pytest

from par_core.lab.two_worlds import two_worlds
from par_core.lab.watch_it_run import run
from par_core.mechanisms import NOISES
from tests.pages.conftest import plain


@pytest.fixture
def lab(open_page):
    return lambda tab, **settings: open_page("mechanism_lab", tab=tab, **settings)


def headline(shown):
    return next(text.removeprefix("## ") for text in shown.texts if text.startswith("## "))


# --- one answer, two worlds -------------------------------------------------------------------------------------------


def test_the_headline_is_bayes_rule_at_the_answer(lab):
    shown = lab("worlds", le=1, lwp=0.2)
    assert headline(shown) == "An answer of 42 is 2.72 times as likely if Angie failed: belief 20 % → 40.5 %"
    assert "privacy loss of 1. (Proven)" in shown.words
    assert "factor of e^ε = 2.72: 20 % ends between 8.42 % and 40.5 %" in shown.words
    assert headline(shown.turn("lwa", 40.3)).endswith("1.5 times as likely if Angie passed: belief 20 % → 14.3 %")
    assert headline(shown.turn("lwa", 40.5)) == "An answer of 40.5 is as likely in both worlds: belief stays 20 %"


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 10])
def test_the_marks_lie_on_both_densities(lab, kind, epsilon):
    shown = lab("worlds", lm=kind, le=epsilon, lwa=41)
    seen = two_worlds(kind, epsilon, answer=41)
    chart = shown.charts["two_worlds"]
    marks = [each for each in chart.figure["data"] if each.get("mode") == "markers+text"]
    assert [plain(each["text"][0]) for each in marks[:2]] == ["", ""]
    assert [y for _, y, text in chart.own if not text] == pytest.approx(list(seen.likelihoods))
    for name, curve in (("Angie passed: 40;", seen.without), ("Angie failed: 41;", seen.with_them)):
        np.testing.assert_allclose(chart.curve(name)[1], curve)
    assert kind in shown.links["address"] or kind == "laplace"
    losses = shown.charts["loss_of_an_answer"]
    assert losses.own[0][:2] == pytest.approx((41, seen.loss))
    assert np.abs(losses.curve("loss: ln")[1]).max() <= epsilon * (1 + 1e-12) or kind == "gaussian"


def test_gaussian_noise_is_said_to_leave_the_band_and_how_often(lab):
    shown = lab("worlds", lm="gaussian", ld=1e-5)
    exceeds = two_worlds("gaussian", 0.5).exceeds
    (said,) = re.findall(r"at most 1 of ([\d,]+) releases loses more", shown.words)
    assert int(said.replace(",", "")) == pytest.approx(1 / exceeds, rel=0.01)
    assert int(said.replace(",", "")) <= 1 / exceeds
    often = two_worlds("gaussian", 0.5, delta=0.01).exceeds
    (percent,) = re.findall(r"at most ([\d.]+) % of releases lose more", shown.type("ld", 0.01).words)
    assert 100 * often <= float(percent) <= 101 * often
    assert "largest loss" not in lab("worlds").words


def test_whole_noise_reads_an_answer_as_a_whole_number(lab):
    shown = lab("worlds", lm="discrete-laplace", lwa=41.2)
    assert "41.2 is read as 41" in shown.words
    assert headline(shown).startswith("An answer of 41 is")
    assert all(each == round(each) for each in shown.dials["lwa"].steps if each != 41.2)
    assert "is read as" not in shown.turn("lwa", 43).words


def test_the_lecture_s_three_queries(lab):
    shown = lab("worlds")
    assert not shown.app.table
    shown.app.session_state["ten_students"] = True
    table = shown.run().app.table[0].value
    assert [*table["Exact answer"]] == ["0: 100\u00a0%", "6: 40\u00a0%", "0: 100\u00a0%"]
    assert table["With the lecture’s noise"].iloc[2] == "1: 42.4\u00a0%"
    assert "third answer has a probability of 19.8 %. (Proven)" in shown.words
    assert "The lecture has 43 % for the belief after it. (Refuted)" in shown.words
    assert "The lecture has" not in shown.type("lwf", 0.1).words


# --- watch it run -----------------------------------------------------------------------------------------------------


def test_the_headline_counts_what_is_beyond_the_bound(lab):
    shown = lab("run", le=1, lrn=1000, lrk=4, lrs=9)
    seen = run("laplace", 1.0, 1000, k=4, seed=9)
    assert headline(shown) == f"{seen.beyond} of 1,000 releases were off by more than 4.37; at most 5 % are expected"
    assert "(Estimate)" in shown.words
    assert "bound, ln(k/β)·Δ/ε, is 4.39. (Proven)" in shown.words
    assert "4.37 is enough. (Proven)" in shown.words
    assert headline(shown.turn("lrn", 1)).split(" were")[0] in ("0 of 1 releases", "1 of 1 releases")
    assert "at most 10 % are expected" in headline(shown.type("lrb", 0.1))


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("laplace", "For one number the lecture’s bound, ln(1/β)·Δ/ε, is exact: 6. (Proven)"),
        ("discrete-laplace", "6 is the smallest that no more than a share β exceeds"),
        ("gaussian", "The bound, 13.8, is exact. (Proven)"),
    ],
)
def test_each_noise_has_its_bound(lab, kind, words, read_values):
    shown = lab("run", lm=kind)
    assert words in shown.words
    bars = shown.chart.trace("drawn so far")
    seen = run(kind, 0.5, 100)
    np.testing.assert_allclose(read_values(bars["y"]), seen.heights)
    np.testing.assert_allclose(shown.chart.curve("expected")[1], seen.curve)
    low, high = shown.chart.figure["layout"]["xaxis"]["range"]
    assert low < -seen.off < seen.off < high


def test_the_seed_is_in_the_link_and_another_one_brings_other_releases(lab):
    one, other = lab("run", lrs=3), lab("run", lrs=4)
    assert "lrs=3" in one.links["address"]
    assert one.chart.figure["data"][0]["y"] != other.chart.figure["data"][0]["y"]
    assert one.chart.figure["data"][1]["y"] == other.chart.figure["data"][1]["y"]
