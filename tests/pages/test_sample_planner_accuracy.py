"""The Sample planner's accuracy: the error of the private regression is the core's, and the confidence beside it is told with the truth."""

import json
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from pages.shared import jobs
from par_core.datasets import census2000, household_heads
from par_core.mechanisms import Laplace
from par_core.published import explicit
from par_core.published.regression import published_sensitivity
from par_core.randomness import seeded
from par_core.regression import CENSUS_2000, HOUSEHOLD_HEADS, coefficient_sensitivity, utility
from par_core.sampling import RidgeOf

MARKER = "zebra4711"
CENSUS, HEADS = census2000(), household_heads()
DEFAULT = RidgeOf("weekly_income", ("age", "education", "experience"), (0, 5000), 0.01, coding="code")
OWN = (
    f"{MARKER}pay,age,{MARKER}who,gap\n"
    + "".join(f"{at * 3 % 80},{20 + at % 50},{'AB'[at % 2]},{at * 37 % 80 if at % 8 else ''}\n" for at in range(80))
).encode()


@pytest.fixture
def page(open_page):
    """Open the section with settings; jobs run to their end at once."""
    return lambda **settings: open_page("sample_planner", **{"tab": "accuracy", "aruns": 8, **settings})


def put(view, data, name=f"{MARKER}.csv"):
    view.app.file_uploader[0].set_value((name, data, "text/csv"))
    return view.run()


def errors(view):
    return [each.value.replace("\\", "") for each in view.app.error]


def infos(view):
    return [each.value.replace("\\", "") for each in view.app.info]


def headline(view):
    (text,) = (text.removeprefix("## ") for text in view.texts if text.startswith("## "))
    return text


def told(view):
    """The two numbers of the headline: the error with noise and without."""
    found = re.search(r"is off by ([\d.,]+), without noise by ([\d.,]+)", headline(view))
    return [float(each.replace(",", "")) for each in found.groups()]


def found_by_the_core(query, frame, levels, *, runs=8, seed=1, sensitivity="proven"):
    return utility(
        query.prepare(frame),
        levels,
        penalty=query.penalty,
        runs=runs,
        rng=seeded(seed),
        sensitivity=sensitivity,
    )


def assert_shows(view, query, frame, **settings):
    """Figure 6 of the page holds what the core finds for the same seed, and the headline says it."""
    levels, errors_shown = view.chart.curve("error", "deviation")
    expected = found_by_the_core(query, frame, levels, **settings)
    np.testing.assert_allclose(errors_shown, expected.mean_in_unit, rtol=1e-12)
    _, without = view.chart.curve("error without noise")
    np.testing.assert_allclose(without, expected.non_private_mean_in_unit, rtol=1e-12)
    own = view.number("ae0").value
    at = [float(each) for each in levels].index(own)
    assert told(view) == [
        float(f"{each:.3g}") for each in (expected.mean_in_unit[at], expected.non_private_mean_in_unit)
    ]
    return expected


# --- what it opens on -------------------------------------------------------------------------------------------------


def test_it_opens_on_the_error_of_the_census_over_50_runs(page):
    view = page(aruns=50)
    found = assert_shows(view, DEFAULT, CENSUS.table, runs=50)
    assert found.runs == 50
    levels, _ = view.chart.curve("error", "deviation")
    published = np.linspace(0.1, 0.99, 50)  # the levels of the figure
    assert all(np.abs(levels - each).min() < 1e-12 for each in published)
    assert len(levels) == 50 + len({0.4, 0.6, 0.8, 1.0})
    assert "means of 50 runs, each with its own split and noise, on rows that were not fitted. (Estimate)" in view.words
    assert (
        f"guessing the same for everybody, off by {found.guess_mean_in_unit:.3g}, in US dollars a week. (Estimate)"
        in view.words
    )
    at = [float(each) for each in levels].index(0.4)
    stronger = re.search(r"With noise for ε = 0.4 the regression would be off by ([\d.,]+)\. ", view.words)[1]
    assert float(stronger.replace(",", "")) == float(f"{found.mean_in_unit[at]:.3g}")
    bound = coefficient_sensitivity(found.rows_fitted, k=3, penalty=0.01)
    (shown,) = re.findall(r"moves the 3 coefficients by at most ([\d.]+) in all", view.words)
    assert bound <= float(shown) < bound * 1.01
    assert CENSUS_2000.stands_for in view.words
    assert "Without an intercept: nothing is released in its place." in view.words


@pytest.mark.parametrize("epsilon0", [1, 0.8, 0.6])
def test_the_confidence_is_figure_6_as_published_with_the_truth_beside_it(page, epsilon0):
    view = page()
    epsilon, claimed = view.chart.curve(f"published, ε₀ = {epsilon0:g};")
    np.testing.assert_allclose(claimed, np.minimum(explicit.confidence(epsilon, epsilon0, k=3), 1), rtol=0, atol=1e-12)
    epsilon, true = view.chart.curve("exact", f"ε₀ = {epsilon0:g};")
    below = epsilon < epsilon0
    np.testing.assert_allclose(true[below], Laplace(epsilon0).loss_within(epsilon[below]), rtol=0, atol=1e-12)


def test_what_the_larger_epsilon0_costs_is_told_by_the_paper_and_in_truth(page):
    view = page(ae=0.4, ae0=0.8)
    claim, truth = explicit.confidence(0.4, 0.8, k=3), Laplace(0.8).loss_within(0.4)
    (words,) = (text for text in view.texts if "What the larger ε₀ costs" in text)
    assert f"the paper claims (Refuted) {100 * claim:.3g} %." in words
    shown = float(re.search(r"as private as ε = 0.4 in ([\d.]+) % \(Proven\) of releases at worst", words)[1]) / 100
    assert shown <= truth < shown + 0.001
    assert "What the larger ε₀ costs" not in page(ae=0.8, ae0=0.8).words


# --- what it must follow ----------------------------------------------------------------------------------------------


def test_the_error_falls_in_epsilon(page):
    """The noise of a run is the same up to its scale, so that the curve is smooth."""
    view = page(aruns=50)
    levels, error = view.chart.curve("error", "deviation")
    assert np.all(np.diff(levels) > 0)
    assert np.all(np.diff(error) < 0)
    _, without = view.chart.curve("error without noise")
    assert error[-1] > without[0]


def test_the_same_seed_gives_the_same_picture_and_another_one_another(page):
    first, again, other = page(), page(), page(aseed=2)
    assert first.chart.figure == again.chart.figure
    assert first.words == again.words
    assert first.chart.figure != other.chart.figure
    assert_shows(other, DEFAULT, CENSUS.table, seed=2)


def test_an_intercept_is_one_of_the_coefficients(page):
    view = page(sint=1)
    query = RidgeOf("weekly_income", DEFAULT.predictors, (0, 5000), 0.01, intercept=True, coding="code")
    assert_shows(view, query, CENSUS.table)
    assert "moves the 4 coefficients" in view.words
    assert "The intercept is one of the coefficients" in view.words
    assert "nothing is released in its place" not in view.words


def test_the_noise_can_be_that_of_the_published_script(page):
    view = page(anoise="published")
    found = assert_shows(view, DEFAULT, CENSUS.table, sensitivity="published")
    bound = published_sensitivity(found.rows_fitted, penalty=0.01, k=3)
    (shown,) = re.findall(r"coefficients by at most ([\d.]+) \(Unproven\) in all", view.words)
    assert bound <= float(shown) < bound * 1.01
    assert "by the formula of the published script; proven is " in view.words
    (shown,) = re.findall(r"; proven is \(Proven\) ([\d.]+)", view.words)
    assert found.proven_sensitivity <= float(shown) < found.proven_sensitivity * 1.01
    assert "goes with a penalty that grows with the rows" in view.words
    assert not view.warnings
    assert "by 0.99 where 0.344 was used" in view.words
    proven = told(page())[0]
    assert told(view)[0] != proven


def test_published_noise_below_what_is_proven_is_called_no_guarantee(page):
    view = page(anoise="published", sx="age", sl=100, aruns=3)
    (warning,) = view.warnings
    assert "too small: not a valid guarantee" in warning
    assert "goes with a penalty that grows with the rows" not in view.words
    assert re.search(r"moves the coefficient by at most \(Unproven\) [\d.e-]+, by the formula", view.words), (
        "one coefficient is one"
    )
    assert "1 coefficients" not in view.words
    assert not page(sx="age", sl=100, aruns=3).warnings


def test_other_levels_are_drawn_from_the_same_runs(page, monkeypatch):
    began, begin = [], jobs._Job.__init__
    monkeypatch.setattr(jobs._Job, "__init__", lambda *given, **named: began.append(given) or begin(*given, **named))
    view = page()
    view.type("ae", 0.55).type("ae0", 3).pick("ae0s", "1", "7")
    assert len(began) == 1
    assert_shows(view, DEFAULT, CENSUS.table)
    view.type("aruns", 9)
    assert len(began) == 2


def test_the_error_is_told_in_the_unit_of_the_column(page):
    view = page()
    assert view.chart.figure["layout"]["yaxis"]["title"]["text"] == "RMSE (unit: US dollars a week)"
    assert ", in US dollars a week. (Estimate)" in view.words


def test_the_level_is_the_sections_own_and_the_scenarios_can_be_taken(page):
    view = page(e0=0.7)
    assert "for this section only; your scenario's is in the sidebar" in view.words
    assert view.press("With my scenario").number("ae0").value == 0.7


@pytest.mark.parametrize("settings", [{"sl": 1}, {"sl": 1e-9}, {"sylo": 100, "syhi": 1000}, {"sx": "education"}])
def test_the_error_follows_penalty_bounds_and_predictors(page, settings):
    query = RidgeOf(
        "weekly_income",
        tuple(settings.get("sx", "age,education,experience").split(",")),
        (settings.get("sylo", 0), settings.get("syhi", 5000)),
        settings.get("sl", 0.01),
        coding="code",
    )
    assert_shows(page(**settings), query, CENSUS.table)


def test_the_levels_of_the_reader_are_among_those_computed(page):
    view = page(ae=0.123, ae0=7, ae0s="3,0.05")
    levels, _ = view.chart.curve("error", "deviation")
    assert {0.123, 7, 3, 0.05} <= set(levels)
    assert levels[-1] == 7
    assert_shows(view, DEFAULT, CENSUS.table)


@pytest.mark.parametrize("settings", [{"ae0": 1e-4}, {"ae0": 100, "ae": 100}, {"aruns": 2}, {"ae0s": "0.0001,100"}])
def test_the_ends_of_all_ranges_are_answered(page, settings):
    view = page(**settings)
    assert headline(view)
    assert "nan" not in view.words.lower()
    for name in ("error, ± one", "error with noise"):
        for each in [each for each in view.chart.names if each.startswith(name)]:
            assert all(np.isfinite(values).all() for values in view.chart.curve(f"{each};"))


def test_an_error_that_is_no_better_than_a_guess_is_called_so(page):
    useless = page(ae0=0.1)
    assert told(useless)[0] > found_by_the_core(DEFAULT, CENSUS.table, [0.1]).guess_mean_in_unit
    assert "no better than guessing the same for everybody" in useless.words
    private = page(stable="household_heads", sy="income", ae0=100, ae=100)
    assert "no better than guessing" not in private.words
    assert "Guessing the same for everybody is off by" in private.words


def test_the_button_brings_figure_6_back(page):
    asked = {"ae": 0.3, "ae0": 2, "ae0s": "5", "aruns": 3, "aseed": 9, "e0": 2}
    asked |= {"sl": 7, "sx": "education", "sint": 1, "sy": "age", "sylo": 20, "syhi": 70}
    view = page(**asked).press("Figure 6")
    assert view.number("e0").value == 2, "the scenario stays the reader's"
    assert_shows(view, DEFAULT, CENSUS.table, runs=50, sensitivity="published")
    assert {name for name in view.chart.names if name.startswith("published")} == {
        f"published, ε₀ = {each}" for each in ("0.6", "0.8", "1")
    }


# --- what is predicted from what --------------------------------------------------------------------------------------


def test_the_table_brings_its_target_bounds_and_predictors(page):
    view = page()
    view.app.radio(key="stable").set_value("household_heads")
    view.run()
    preset = HOUSEHOLD_HEADS
    assert view.app.selectbox(key="sy").value == preset.target
    assert (view.number("sylo").value, view.number("syhi").value) == preset.target_bounds
    assert view.app.multiselect(key="sx").value == list(preset.predictors)
    lists = tuple((each, tuple(HEADS.categories[each])) for each in ("gender", "race", "marital_status"))
    query = RidgeOf(preset.target, preset.predictors, preset.target_bounds, 0.01, categories=lists, coding="code")
    assert_shows(view, query, HEADS.table)
    assert preset.stands_for in view.words
    view.app.radio(key="stable").set_value("census2000")
    view.run()
    assert_shows(view, DEFAULT, CENSUS.table)


def test_without_predictors_the_page_says_what_to_do(page):
    view = page()
    view.app.multiselect(key="sx").set_value([])
    view.run()
    assert view.app.multiselect(key="sx").value == []
    assert "Choose at least one column to predict from." in [each.value for each in view.app.info]
    assert not view.charts
    assert not errors(view)


def test_the_target_is_never_among_its_predictors(page):
    view = page(sy="education", sylo=9, syhi=16)
    assert "education" not in view.app.multiselect(key="sx").options
    assert view.app.multiselect(key="sx").value == ["age", "experience"]
    query = RidgeOf("education", ("age", "experience"), (9, 16), 0.01, coding="code")
    assert_shows(view, query, CENSUS.table)


def test_the_bounds_follow_the_target(page):
    view = page()
    view.app.selectbox(key="sy").set_value("age")
    view.run()
    assert (view.number("sylo").value, view.number("syhi").value) == CENSUS.bounds["age"]


def test_bounds_the_wrong_way_round_are_named(page):
    view = page(sylo=10, syhi=5)
    (error,) = errors(view)
    assert "10" in error
    assert "5" in error
    assert not view.charts
    assert not errors(view.type("syhi", 50))


def test_without_an_epsilon0_there_is_the_answer_and_a_sentence(page):
    view = page().pick("ae0s")
    assert told(view)
    assert "What the larger ε₀ costs" in view.words
    assert "Add at least one ε₀" in view.words
    assert not view.charts


# --- files of one's own -----------------------------------------------------------------------------------------------


def test_a_file_of_ones_own(page):
    import io

    import pandas as pd

    view = put(page(stable="own"), OWN)
    assert any("Type a lower and an upper bound for what is predicted" in each for each in infos(view))
    view.type("sown_ylo", 0).type("sown_yhi", 90)
    assert any("10 of 80 rows lack a value" in each for each in infos(view)), "the other numbers predict, gaps and all"
    view.app.multiselect(key="_own_table_sx").set_value(["age"])
    view.run()
    query = RidgeOf(f"{MARKER}pay", ("age",), (0, 90), 0.01, coding="code")
    assert_shows(view, query, pd.read_csv(io.BytesIO(OWN)))
    assert "stands for" not in view.words
    assert "Columns of text need a public list" in view.words


def test_nothing_of_a_file_travels(page):
    view = put(page(stable="own", sown_ylo=0, sown_yhi=90), OWN)
    view.app.multiselect(key="_own_table_sx").set_value(["age"])
    view.run()
    assert view.charts
    assert MARKER in repr(view.app._tree)
    assert MARKER not in json.dumps(view.links)
    components = [each.proto.json for each in view.app.get("bidi_component")]
    assert not [each for each in components if MARKER in each], "no chart names a column"
    again = page(**dict(parse_qsl(view.links["full"], keep_blank_values=True)))
    assert "Choose a file" in again.words
    assert again.number("aruns").value == 8


@pytest.mark.parametrize("name", ["<b>pay</b>", "<a href='http://x.y'>z</a>", "$x^2$", "![a](http://x.y/z.png)"])
def test_a_name_with_markup_is_shown_as_it_is(page, unguarded, name):
    data = f'"{name}",age\n'.encode() + b"".join(b"%d,%d\n" % (at * 7 % 60, 20 + at * 11 % 60) for at in range(60))
    view = put(page(stable="own", sown_ylo=0, sown_yhi=90), data)
    assert view.charts
    assert name not in json.dumps(view.chart.figure)
    (words,) = (each.value for each in view.app.markdown if "in the unit of" in each.value)
    assert name not in unguarded(words)


@pytest.mark.parametrize(
    "data",
    [
        b"a,b\n1,2\n",
        b"a,b\n1,2\n3,4\n",
        b"a,b\nx,y\nz,w\n",
        b"a\n1\n2\n",
        b"a,b\n1,1\n1,1\n1,1\n1,1\n1,1\n",
        b"a,b\n1,0\n2,0\n3,0\n4,0\n",
    ],
)
def test_whatever_a_file_holds_the_page_goes_on(page, data):
    view = put(page(stable="own", sown_ylo=0, sown_yhi=90), data)
    assert view.charts or infos(view) or errors(view)
    assert not [each for each in errors(view) if "unexpected" in each.lower()]
