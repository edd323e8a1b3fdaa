"""Refute a claim, on the page: what it says is what the core finds, of drawn outputs, of a table, and of a file; never "confirmed"."""

import re

import numpy as np
import pandas as pd
import pytest

from pages.mechanism_lab import release_columns
from par_core.audit.outputs import try_on
from par_core.lab.refute_claim import releases, try_claim
from par_core.mechanisms import NOISES
from par_core.randomness import seeded
from par_core.rounding import brief

MARKER = "zebra4711"
OUTPUTS = releases("laplace", 1.0, 600, share=0.5, rng=seeded(8))
FILE = pd.DataFrame(OUTPUTS, columns=[f"{MARKER}x", f"{MARKER}y"]).assign(who=[f"{MARKER}{at}" for at in range(600)])


@pytest.fixture
def refute(open_page):
    return lambda **settings: open_page("mechanism_lab", tab="refute", **settings)


def headline(view):
    (found,) = (text.removeprefix("## ") for text in view.texts if text.startswith("## "))
    return found


def choose(view, key, column):
    (box,) = (each for each in view.app.selectbox if each.key.endswith(key))
    box.set_value(column)
    return view.run()


def own(view, frame=FILE):
    view.app.file_uploader[0].set_value((f"{MARKER}.csv", frame.to_csv(index=False).encode(), "text/csv"))
    return view.run()


def test_half_the_noise_is_refuted_after_so_many_pairs(refute):
    view = refute(le=1)
    found = try_claim("laplace", 1.0, 2_000, share=0.5)
    after = found.tried.refutation.refuted_after
    assert headline(view) == f"Claimed ε = 1 refuted after {after} pairs"
    assert "50 % of the noise that the claim takes, and ε is 2. (Proven)" in view.words
    assert f"ε is at least {brief(found.tried.bound.epsilon, toward='down')}, with 95 % confidence" in view.words
    (last,) = view.chart.own
    assert last == (after, pytest.approx(found.tried.refutation.wealth[-1]), f"pair {after}")
    pairs, wealth = view.chart.curve("wealth")
    np.testing.assert_allclose(wealth, np.append(1.0, found.tried.refutation.wealth)[pairs.astype(int)])
    assert wealth[:-1].max() < 20 <= wealth[-1]


def test_a_claim_that_only_all_pairs_refute_is_refuted(refute):
    view = refute(lfs=0.6, lfp=500)
    tried = try_claim("laplace", 0.5, 500, share=0.6).tried
    assert tried.refutation.refuted_after is None
    assert tried.bound.epsilon > 0.5
    assert headline(view) == "Claimed ε = 0.5 refuted by all 500 pairs at once"
    assert "Not refuted is" not in view.words


def test_a_true_claim_is_not_refuted_and_never_confirmed(refute):
    view = refute(lfs=1, lfp=300)
    assert headline(view) == "Claimed ε = 0.5 not refuted by 300 pairs"
    assert "Not refuted is not confirmed." in view.words
    assert "Not refuted is" not in refute().words
    assert not re.search(r"(?<!not )confirmed", view.words)


@pytest.mark.parametrize("kind", NOISES)
def test_a_whole_curve_is_tried(refute, kind):
    view = refute(lm=kind, lfa="curve", lfs=0.3, le=1, ld=0.001)
    found = try_claim(kind, 1.0, 2_000, share=0.3, delta=0.001, against="curve").tried
    assert headline(view).startswith(f"Claimed curve of {NOISES[kind].name} noise, ε = 1")
    assert headline(view).endswith(f"refuted after {found.refutation.refuted_after} pairs")
    assert ("δ = 0.001" in headline(view)) == (kind == "gaussian")
    assert "Against the curve, at once" in view.words
    assert ("it is refuted" in view.words) == found.check.is_refuted


def test_the_built_in_columns_are_those_of_the_notebook(refute):
    view = refute(lff="table", lfx=0.01)
    first, second = releases(**release_columns.EXAMPLE, rng=seeded(release_columns.EXAMPLE_SEED)).T
    found = try_on(first, second, 0.5, delta=0.01)
    assert headline(view) == f"Claimed ε = 0.5, δ = 0.01 refuted after {found.refutation.refuted_after} pairs"
    assert "In truth" not in view.words


def test_columns_of_a_file_are_tried_and_stand_in_no_link(refute):
    view = own(refute(lff="table", lft="own", le=1))
    assert "Choose two columns of numbers" in view.words
    choose(view, "lf_first", f"{MARKER}x")
    assert "Choose two columns of numbers" in choose(view, "lf_second", f"{MARKER}x").words
    choose(view, "lf_second", f"{MARKER}y")
    found = try_on(*OUTPUTS.T, 1.0)
    assert headline(view) == f"Claimed ε = 1 refuted after {found.refutation.refuted_after} pairs"
    assert "on the first input" in view.words
    assert MARKER not in view.links["full"]
    other = own(view, FILE.rename(columns={f"{MARKER}y": "z"}))
    assert "Choose two columns of numbers" in other.words, "a column that is gone is asked for again"


def test_a_column_may_end_earlier_and_an_output_that_is_missing_or_too_few_are_named(refute):
    short, gap = FILE.copy(), FILE.copy()
    short.loc[500:, f"{MARKER}x"] = np.nan
    view = own(refute(lff="table", lft="own", le=1), short)
    choose(choose(view, "lf_first", f"{MARKER}x"), "lf_second", f"{MARKER}y")
    found = try_on(OUTPUTS[:500, 0], OUTPUTS[:, 1], 1.0)
    assert headline(view) == f"Claimed ε = 1 refuted after {found.refutation.refuted_after} pairs"
    gap.loc[6, f"{MARKER}x"] = np.nan
    view = own(refute(lff="table", lft="own", le=1), gap)
    choose(choose(view, "lf_first", f"{MARKER}x"), "lf_second", f"{MARKER}y")
    assert any("ow 7 below the heading" in each.value for each in view.app.error)
    view = own(refute(lff="table", lft="own"), FILE.head(3))
    choose(choose(view, "lf_first", f"{MARKER}x"), "lf_second", f"{MARKER}y")
    assert any("at least 4 numbers" in each.value for each in view.app.error)


def test_a_link_restores_every_setting(refute):
    asked = {"lff": "drawn", "lfa": "curve", "lfs": 0.8, "lfp": 77, "lfd": 4, "lfx": 0.1, "lft": "own"}
    view = refute(**asked)
    assert {key: str(value) for key, value in asked.items()}.items() <= dict(
        part.split("=") for part in view.links["full"].split("&")
    ).items()


@pytest.mark.parametrize(("key", "asked"), [("lff", "x"), ("lfs", "0"), ("lfp", "3"), ("lfx", "0.9"), ("lfa", "risk")])
def test_what_cannot_be_used_of_a_link_is_named(refute, key, asked):
    assert any("cannot be used" in each for each in refute(**{key: asked}).warnings)
