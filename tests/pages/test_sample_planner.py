"""The Sample planner: its controls ask the questions, its buttons bring figures back, and what hangs on a table follows it."""

import csv
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest

from pages.shared import jobs
from par_core.datasets import census2000, household_heads
from par_core.questions import BothSources, HowManySamples, RegressionError, SampledSensitivity
from par_core.questions.sample_planner.table_sample import REGRESSION
from par_core.regression import HOUSEHOLD_HEADS
from par_core.rounding import brief
from par_core.sampling import HistogramOf, MeanOf, QuantileOf, RidgeOf
from par_core.scenario import Scenario
from tests.pages.sampled_view import SMALL, errors, infos, last_link, marked, select

CENSUS, HEADS = census2000(), household_heads()
MEAN = MeanOf("weekly_income", (0, 5000))


@pytest.fixture
def page(open_page):
    """Open the page at one of its sections, with settings; jobs run to their end at once."""
    small = {"sampled": SMALL, "accuracy": {"aruns": 8}}
    return lambda tab="samples", **settings: open_page(
        "sample_planner", **{"tab": tab, **small.get(tab, {}), **settings}
    )


def sampled(query, **fields):
    return SampledSensitivity(Scenario(), query, **{"rows": 30, "pairs": 120, **fields})


# --- the question that the controls ask -------------------------------------------------------------------------------

OF_EDUCATION = HistogramOf("education", (9, 16))
OF_AGES = RidgeOf("education", ("age", "experience"), (9, 16), 0.5, intercept=True, coding="code")
ASKED = [
    ("samples", {}, HowManySamples(Scenario())),
    (
        "samples",
        {"sfind": "rho", "sn": 500, "sa": 0.8, "srhos": "0.5,0.02", "spaper": 1, "k": 3},
        HowManySamples(Scenario(k=3), "rho", samples=500, alpha=0.8, rhos=(0.02, 0.5), paper_only=True),
    ),
    ("both", {}, BothSources(Scenario())),
    (
        "both",
        {"bby": "samples", "bns": "20000,5000", "brho": 0.02, "be0": 2, "be": 0.7, "bc2": 0.8, "bkk": 3, "bw": 0.9},
        BothSources(
            Scenario(),
            "samples",
            numbers_of_pairs=(5_000, 20_000),
            rho=0.02,
            noise_epsilon0=2.0,
            epsilon=0.7,
            quantile=0.8,
            drawn_k=3,
            wanted_confidence=0.9,
        ),
    ),
    (
        "both",
        {"beta": "model", "bds": 7, "bc": 3, "bk": 1, "brhos": "0.5,0.05", "bn": 99},
        BothSources(
            Scenario(),
            rhos=(0.05, 0.5),
            samples=99,
            eta_from="model",
            sampled=7.0,
            order=3.0,
            thousands=True,
        ),
    ),
    ("both", {"beta": "bound", "bmax": 1, "bds": 2}, BothSources(Scenario(), eta_from="bound", bound=1.0, sampled=2.0)),
    ("sampled", {}, sampled(REGRESSION)),
    ("sampled", {"sask": "median", "sof": "age", "slo": 15, "shi": 75}, sampled(QuantileOf("age", (15, 75), 0.5))),
    (
        "sampled",
        {"sask": "histogram", "slist": "9\n16", "sseed": 4, "sax": "log"},
        sampled(OF_EDUCATION, seed=4, axis="log"),
    ),
    (
        "sampled",
        {"sask": "mean", "sfrom": "laws", "slaws": "weekly_income:uniform", "sshare": 0.8, "ssure": 0.7, "scrho": 0.2},
        sampled(MEAN, laws=(("weekly_income", "uniform"),), share=0.8, sure=0.7, rho=0.2),
    ),
    ("accuracy", {}, RegressionError(Scenario(), runs=8)),
    (
        "accuracy",
        {"sy": "education", "sylo": 9, "syhi": 16, "sx": "age,experience", "sl": 0.5, "sint": 1, "anoise": "published"}
        | {"ae": 0.3, "ae0": 2, "ae0s": "5,1", "aruns": 3, "aseed": 9},
        RegressionError(
            Scenario(),
            OF_AGES,
            runs=3,
            seed=9,
            noise="published",
            epsilon=0.3,
            noise_epsilon0=2.0,
            epsilon0s=(1.0, 5.0),
        ),
    ),
]


@pytest.mark.parametrize(("tab", "settings", "question"), ASKED)
def test_a_section_asks_what_its_controls_say(page, tab, settings, question):
    page(tab, **settings).assert_told(question)


def test_only_what_is_not_found_has_a_control(page):
    view = page(sfind="alpha", sn=400)
    assert view.number("sn").value == 400
    assert {"srho", "sa"} & set(view.dials) == {"srho"}


@pytest.mark.parametrize(("tab", "key"), [("samples", "srhos"), ("both", "brhos"), ("accuracy", "ae0s")])
def test_without_a_curve_there_is_a_sentence(page, tab, key):
    view = page(tab).pick(key)
    assert "Add at least one" in view.words
    assert not view.charts


# --- buttons ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("button", ["2", "3a", "3b", "6"])
def test_a_button_brings_a_figure_back(page, button):
    moved = {
        "2": (
            "samples",
            {"sfind": "alpha", "sn": 77, "srhos": "0.5", "srho": 0.3, "sa": 0.2},
            HowManySamples(Scenario()),
        ),
        "3a": (
            "both",
            {
                "be0": 3,
                "bn": 777,
                "brho": 0.3,
                "bc2": 0.5,
                "beta": "model",
                "bds": 7,
                "bk": 1,
                "bkk": 4,
                "brhos": "0.5",
            },
            BothSources(Scenario()),
        ),
        "3b": ("both", {"bns": "5", "be0": 3}, BothSources(Scenario(), "samples")),
        "6": (
            "accuracy",
            {"ae": 0.3, "ae0": 2, "ae0s": "5", "aruns": 3, "aseed": 9, "sl": 7, "sx": "education", "sint": 1}
            | {"sy": "age", "sylo": 20, "syhi": 70},
            RegressionError(Scenario(), noise="published"),
        ),
    }
    tab, settings, question = moved[button]
    view = page(tab, **settings, e0=2).press(f"Figure {button}")
    assert view.number("e0").value == 2, "the scenario stays the reader's"
    view.assert_told(question.moved("scenario.epsilon0", 2.0))


def test_the_papers_own_example(page):
    view = page("both", be0=2, e0=3).press("The paper’s own example")
    assert [view.number(key).value for key in ("be", "bw", "bc2", "brho")] == [0.4, 0.9, 0.9, 0.01]
    assert len([each for each in view.warnings if "no noise reaches 90 % by the formula" in each]) == 1
    assert view.number("e0").value == 3


@pytest.mark.parametrize(("tab", "keys"), [("both", {"be0": 0.7, "bkk": 3}), ("accuracy", {"ae0": 0.7})])
def test_the_level_is_the_sections_own_and_the_scenarios_can_be_taken(page, tab, keys):
    view = page(tab, e0=0.7, k=3, be0=2)
    assert "for this section only; your scenario's is in the sidebar" in view.words
    view.press("With my scenario")
    assert {key: view.number(key).value for key in keys} == keys


def test_a_level_of_the_scenario_that_the_section_cannot_take_is_not_offered(page):
    assert not [each for each in page("both", e0=500).app.button if each.label == "With my scenario"]


def test_too_few_rows_are_answered_with_a_button(page):
    view = page("sampled", sask="mean", sp=29_501)
    (info,) = infos(view)
    assert "needs 29,502 different rows; the table has 29,501" in info
    assert not view.charts
    view.press("Take 14,750 rows per data set")
    assert view.number("sp").value == 14_750
    assert view.charts


def test_the_ratio_is_carried_on_to_both_sources(page):
    view = page("sampled", sask="mean")
    value, place = marked(view)
    view.press("See what the sampled one would cost")
    assert view.open_section == "Both sources · fig. 3"
    assert (view.number("bmax").value, view.number("bds").value) == (pytest.approx(5000 / 30), pytest.approx(value))
    assert f"η = {brief(5000 / 30 / value, toward='up')}" in view.words
    assert (view.number("bn").value, view.number("bc2").value) == (120, place)
    assert view.number("bkk").value == 1
    view = page("sampled", bby="samples").press("See what the sampled one would cost")
    assert view.number("bkk").value == 3, "so is the number of coefficients"
    assert view.number("bn").value == 120, "and the pairs are those of the first curve"


def test_other_levels_are_drawn_from_the_same_runs(page, monkeypatch):
    began, begin = [], jobs._Job.__init__
    monkeypatch.setattr(jobs._Job, "__init__", lambda *given, **named: began.append(given) or begin(*given, **named))
    view = page("accuracy", aseed=77)
    view.type("ae", 0.55).type("ae0", 3).pick("ae0s", "1", "7")
    assert len(began) == 1
    view.type("aruns", 9)
    assert len(began) == 2


# --- what hangs on the table ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("tab", ["sampled", "accuracy"])
def test_the_regression_follows_the_table_to_its_preset(page, tab):
    view = page(tab)
    view.app.radio(key="stable").set_value("household_heads")
    view.run()
    assert view.app.selectbox(key="sy").value == "income"
    assert (view.number("sylo").value, view.number("syhi").value) == HEADS.bounds["income"]
    assert view.app.multiselect(key="sx").value == list(HOUSEHOLD_HEADS.predictors)
    assert view.charts
    view.app.radio(key="stable").set_value("census2000")
    view.run()
    assert view.app.selectbox(key="sy").value == "weekly_income"
    assert view.app.multiselect(key="sx").value == ["age", "education", "experience"]


def test_the_bounds_follow_table_and_column(page):
    """Bounds of weekly income do not hold for another column."""
    view = page("sampled", sask="mean")
    view.app.radio(key="stable").set_value("household_heads")
    view.run()
    column = view.app.selectbox(key="sof").value
    assert (view.number("slo").value, view.number("shi").value) == HEADS.bounds[column]
    view = select(page("accuracy"), "sy", "age")
    assert (view.number("sylo").value, view.number("syhi").value) == CENSUS.bounds["age"]


def test_only_columns_with_public_bounds_are_offered(page):
    view = page("sampled", sask="mean", slo=3, shi=4)
    assert view.app.selectbox(key="sof").options == ["weekly_income", "education", "experience", "age"]
    for column in ("education", "weekly_income"):
        select(view, "sof", column)
        assert (view.number("slo").value, view.number("shi").value) == CENSUS.bounds[column]
    (words,) = page("sampled", sask="mean", sof="puma").warnings
    assert "puma" in words
    assert "cannot be used" in words


def test_a_column_without_a_public_list_needs_a_typed_one(page):
    view = page("sampled", sask="histogram", sby="puma")
    assert "there is no public list of the values of puma: type one" in errors(view)[0].lower()


def test_the_target_is_never_among_its_predictors(page):
    view = page("accuracy", sy="education", sylo=9, syhi=16)
    assert "education" not in view.app.multiselect(key="sx").options
    assert view.app.multiselect(key="sx").value == ["age", "experience"]


def test_without_predictors_the_page_says_what_to_do(page):
    view = page("accuracy")
    view.app.multiselect(key="sx").set_value([])
    view.run()
    assert view.app.multiselect(key="sx").value == []
    assert "Choose at least one column to predict from." in infos(view)
    assert not view.charts
    assert not errors(view)


def test_bounds_the_wrong_way_round_are_named(page):
    view = page("accuracy", sylo=10, syhi=5)
    (error,) = errors(view)
    assert "10" in error
    assert "5" in error
    assert not view.charts
    assert not errors(view.type("syhi", 50))


# --- links that ask for columns of another table ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "asked", "shown"),
    [
        ({"sask": "mean", "sof": "income", "shi": 77}, "Column of numbers = income", "weekly_income"),
        ({"sx": "gender"}, "From = gender", "age,education,experience"),
        ({"sx": "gender,age"}, "From = gender,age", "age"),
        ({"sy": "income", "syhi": 10}, "Predicted = income", "weekly_income"),
        ({"sask": "histogram", "sby": "gender"}, "Column = gender", "education"),
        ({"sask": "count", "swhere": "race"}, "Rows in which = race", "age"),
    ],
)
def test_a_link_to_a_column_that_the_table_lacks_is_answered(page, settings, asked, shown):
    view = page("sampled", **settings)
    words = f"The link asks for {asked}, which this table does not have. Shown instead: {shown}."
    assert words in [
        each.replace("`", "").replace("  ", " ").replace(" ,", ",").replace(" .", ".") for each in infos(view)
    ]
    (key,) = {"sof", "sx", "sy", "sby", "swhere"} & set(settings)
    assert last_link(view)["full"][key] == shown
    assert asked.rpartition(" ")[2] not in last_link(view)["address"].values()
    bounds = {"sof": ("slo", "shi"), "sy": ("sylo", "syhi")}.get(key, ())
    assert [view.number(each).value for each in bounds] == [0, 5000][: len(bounds)], "and its bounds are public ones"
    view.type("sshare", 0.8)
    assert [each for each in infos(view) if "The link asks" in each], "it stays until the reader changes that"
    view.app.radio(key="stable").set_value("household_heads")
    assert not [each for each in infos(view.run()) if "The link asks" in each]


def test_a_law_of_another_table_in_a_link_is_named_and_left_out(page):
    view = page("sampled", sask="mean", sfrom="laws", slaws="income:normal")
    (info,) = infos(view)
    assert "income:normal" in info
    assert "It is left out" in info
    assert "slaws" not in last_link(view)["address"]


def test_a_reader_who_changes_the_table_is_told_nothing(page):
    view = page("sampled", stable="household_heads", sask="mean", sof="income", shi=9)
    assert not infos(view)
    view.app.radio(key="stable").set_value("census2000")
    assert not infos(view.run())
    assert view.app.selectbox(key="sof").value == "weekly_income"


# --- distributions and files ------------------------------------------------------------------------------------------


def test_a_column_of_text_can_only_be_categorical(page):
    asked = {"stable": "household_heads", "sask": "count", "swhere": "gender", "scmp": "==", "sval": "female"}
    view = page("sampled", **asked, sfrom="laws")
    assert view.app.selectbox(key="_slaw_gender").options == ["the likeliest", "categorical"]
    assert not errors(select(view, "_slaw_gender", "categorical"))
    again = page("sampled", **asked, sfrom="laws", slaws="gender:normal")
    assert not errors(again)
    assert any("gender:normal" in each for each in infos(again))


def test_a_distribution_is_chosen_and_kept_in_the_link(page):
    view = page("sampled", sask="mean", sfrom="laws")
    select(view, "_slaw_weekly_income", "gamma")
    assert dict(parse_qsl(view.links["full"]))["slaws"] == "weekly_income:gamma"
    view.assert_told(sampled(MEAN, laws=(("weekly_income", "gamma"),)))
    select(view, "_slaw_weekly_income", "best")
    assert "slaws" not in dict(parse_qsl(view.links["address"]))


def test_a_distribution_that_the_values_rule_out_is_named_and_can_be_changed(page):
    asked = {"stable": "household_heads", "sask": "mean", "sof": "income", "slo": 0, "shi": 1e5}
    view = page("sampled", **asked, sfrom="laws", slaws="income:gamma")
    (error,) = errors(view)
    assert "'income': it has values at or below 0" in error
    select(view, "_slaw_income", "normal")
    assert not errors(view)
    assert view.charts


def test_the_table_of_the_chart_holds_every_pair_and_its_head_says_what_was_done(page, files):
    page("sampled", sask="mean", sseed=4)
    text, question = files["csv_sampled_sensitivity"](), sampled(MEAN, seed=4)
    sample = question.answer().drawn.sample
    head = [line for line in text.splitlines() if line.startswith("#")]
    for line in ("# rows per data set: 30", "# pairs: 120", "# seed: 4", "# drawn from: rows of the table"):
        assert line in head
    assert f"# question: {question!r}" in head
    (standing,) = (line for line in head if line.startswith("# standing: "))
    assert standing.startswith("# standing: estimate;")
    rows = list(csv.DictReader(line for line in text.splitlines() if not line.startswith("#")))
    np.testing.assert_array_equal([float(row["sensitivity"]) for row in rows], sample.values)
    lower, upper = sample.band(0.9)
    np.testing.assert_allclose([float(row["band, lower end"]) for row in rows], lower, rtol=1e-12)
    np.testing.assert_allclose([float(row["band, upper end"]) for row in rows], upper, rtol=1e-12)


def test_the_report_tells_the_section(page, files):
    page("both")
    told = re.sub(r"<[^>]+>", " ", files["report"]())
    assert "every release is as private as" in told
    assert "Wanted confidence" in told
    assert "Number of releases" not in told, "nothing of the scenario plays a part"


def test_a_count_of_a_typed_text_is_asked_and_stays_with_the_reader(page, files):
    view = page("sampled", sask="count", swhere="state", scmp="==", sval="zebra4711")
    assert marked(view)[0] == 0
    assert not [each for each in files.values() if "zebra4711" in each()]
