"""What is asked on a table: the numbers are those of the core, and nothing of a file or of what was typed leaves its question."""

import csv
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from par_core.datasets import census2000
from par_core.errors import InfeasibleError, ParameterError
from par_core.export import safe_csv
from par_core.mechanisms import MECHANISMS, NOISES
from par_core.plan import Plan
from par_core.queries import Condition, Count, CountBy, Mean, PersonCount, PersonCountBy, Quantile, Share, Sum, cap_rows
from par_core.questions import Epsilon0ForError, HowFarOff, SyntheticCounts, blocks
from par_core.questions import notebook as as_notebook
from par_core.questions.question import anew, code
from par_core.questions.report import report
from par_core.questions.your_table import plan_files
from par_core.questions.your_table.table_question import EXAMPLES, KeptRows
from par_core.release import cells, compare_noise, epsilon0_for_smallest, plan_release, split_evenly, synthetic_counts
from par_core.rounding import brief
from par_core.rounding import error as shown
from par_core.scenario import Neighbours, Scenario
from par_core.tables.table import of_frame, read_table
from tests.pages.table_view import script_of
from tests.shown import Story
from tests.visits import VISITS, WARDS, written

MARKER = "zebra4711"
ROWS = len(census2000().table)
EDUCATION, FIFTY, AGES, INCOME, AVERAGE, OLDER, MEDIAN = EXAMPLES
PRIVATE, REPLACED = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE


def planned(query, epsilon=0.5, neighbours=REPLACED, rows_per_person=1, **more):
    return plan_release(query, epsilon, neighbours=neighbours, rows_per_person=rows_per_person, rows=ROWS, **more)


def gaussian(query=EDUCATION, epsilon=0.5, neighbours=REPLACED, delta=1e-5, **more):
    return planned(query, epsilon, neighbours, mechanism="gaussian", delta=delta, **more)


def far(query=EDUCATION, own=None, person="", over="truncate", guess=1000, **scenario):
    return Story(HowFarOff(Scenario(**scenario), query, person, over, guess, own=own).answer())


def wanted(error, query=EDUCATION, measure="each", guess=1000, **scenario):
    return Story(Epsilon0ForError(Scenario(**scenario), query, guess=guess, wanted=error, measure=measure).answer())


def proposed(story):
    """The level that a story proposes for the scenario."""
    (level,) = (fields["scenario.epsilon0"] for label, fields in story.takes.items() if label.startswith("Use ε₀"))
    return level


# --- how far off ------------------------------------------------------------------------------------------------------


def test_examples_are_what_the_built_in_table_is_known_for():
    data = census2000()
    assert EDUCATION.categories == (data.categories["education"],)
    assert (INCOME.lower, INCOME.upper) == data.bounds["weekly_income"]


@pytest.mark.parametrize(
    ("query", "published"), [(EDUCATION, "Each of 8 published counts"), (FIFTY, "The published count")]
)
@pytest.mark.parametrize("epsilon0", [0.01, 0.1, 0.5, 2.0, 8.0, 10.0, 700.0])
@pytest.mark.parametrize("statistics", [1, 3])
def test_it_follows_epsilon0_and_the_statistics_that_share_it(epsilon0, statistics, query, published):
    story = far(query, epsilon0=epsilon0, statistics=statistics, sensitivity=1e6)  # which is that of other queries
    error = planned(query, split_evenly(epsilon0, statistics).parts[0]).error
    near = f"within {error.range95:,.0f} of the truth" if error.range95 else "exact"
    assert story.headline == f"{published} is {near} in 95 of 100 releases"
    ((x, y, text),) = story.chart.own
    assert x == epsilon0
    assert y == error.range95 or (error.range95 == 0 and "0 at ε₀" in text), "0 has no place on a log scale"


@pytest.mark.parametrize("neighbours", list(Neighbours))
@pytest.mark.parametrize("most", [1, 4])
def test_it_follows_the_neighbours_and_the_rows_per_person(neighbours, most):
    error = planned(EDUCATION, neighbours=neighbours, rows_per_person=most).error
    story = far(neighbours=neighbours, rows_per_person=most)
    assert f"within {error.range95:g} of the truth" in story.headline
    assert f"sensitivity {error.sensitivity:g}" in story.chart.title


def test_a_mean_over_a_public_and_over_a_private_number_of_rows():
    assert far(AVERAGE).chart.own[0][1] == planned(AVERAGE).error.range95
    story, pair = far(AVERAGE, guess=2000, neighbours=PRIVATE), planned(AVERAGE, neighbours=PRIVATE)
    assert story.chart.own[0][1] == pair.quotient_error(size=2000).range95
    assert "if at least 2,000 rows are averaged and no person has more than 1 row. (Proven)" in story.words
    level = wanted(10, AVERAGE, guess=2000, neighbours=PRIVATE)
    assert (
        "That is enough if at least 2,000 rows are averaged; a larger one costs more privacy. (Proven)" in level.words
    )


def test_private_is_how_many_rows_are_averaged_where_the_table_has_as_many_as_before():
    story = far(replace(AVERAGE, where=Condition("age", ">=", 50)))
    assert (
        "averaged is private: a noisy sum of distances from the middle of the bounds is divided by a noisy count."
        in story.words
    )
    assert "the number of rows stays the same" in story.words
    assert "Your guess stands in for that number." in story.words


def test_what_holds_only_if_as_many_rows_replace_a_persons_rows_is_not_taken_over():
    story = far(AVERAGE, rows_per_person=2)
    assert "rows replace a person's rows. (By your model)" in story.words
    assert HowFarOff(Scenario(rows_per_person=2), AVERAGE).answer().release.rows_per_person == 2


def test_a_single_count_is_no_cell_among_others():
    assert "the average error of a count of 0 from 1.92 to 0.96 and adds a bias of 0.96. (" in far(FIFTY).words
    assert "do not add up many such cells" in far(EDUCATION).words


def test_bounds_are_said_to_the_last_digit():
    assert "outside 0 to 1,234,567 are moved" in far(replace(INCOME, upper=1234567.0)).words


@pytest.mark.parametrize("query", [INCOME, AVERAGE])
@pytest.mark.parametrize("neighbours", list(Neighbours))
def test_bounds_just_far_enough_apart_are_drawn(query, neighbours):
    close = replace(query, upper=1e-90)
    for story in (far(close, neighbours=neighbours), wanted(10, close, neighbours=neighbours)):
        assert story.charts


def planned_files(query=EDUCATION, person="", own=None, **scenario):
    """What stands above the plan, and the code of the release."""
    answer = HowFarOff(Scenario(**scenario), query, person, own=own).answer()
    head, code_of = plan_files.head(answer), plan_files.release_code(answer).text
    assert "None" not in str(head)
    compile(code_of, "release.py", "exec")
    return head, code_of


def test_every_kind_of_query_can_be_taken_along():
    two = CountBy(
        ("education", "state"), (EDUCATION.categories[0], census2000().categories["state"]), where=FIFTY.condition
    )
    for query in (FIFTY, INCOME, AVERAGE, two):
        planned_files(query, rows_per_person=3)
    planned_files(AVERAGE, neighbours=PRIVATE)
    assert planned_files(AVERAGE, "puma", rows_per_person=3)[0]["person column"] == "puma; further rows are left out"


def test_the_plan_says_what_the_release_keeps_to_and_nothing_exact():
    head, code_of = planned_files(epsilon0=0.8)
    said = {"query": "counts by education", "counts: epsilon": "0.8", "counts: L1 sensitivity": "2"}
    assert said.items() <= head.items()
    assert head["neighbours"].startswith("replace-one")
    assert head["standing"].startswith("proven: ")
    assert "EPSILON = 0.8" in code_of
    for exact in EDUCATION.answer(census2000().table).exact[:6]:
        assert f"{exact:.0f}" not in str(head).replace(str(ROWS), "") + code_of


def test_the_plan_of_gaussian_noise_says_which():
    head, code_of = planned_files(mechanism="gaussian", delta=1e-6, statistics=4)
    said = {"mechanism": "Gaussian noise", "delta of the release": "1e-06", "statistics that these two cover": "4"}
    scale = gaussian(delta=1e-6, statistics=4).error.scale
    assert (said | {"counts: sigma of the Gaussian noise": repr(float(scale))}).items() <= head.items()
    assert head["counts: L2 sensitivity"].startswith("1.414213562373095")
    assert "Laplace" not in str(head)
    assert "DELTA = 1e-06" in code_of
    assert "STATISTICS = 4 " in code_of
    assert "sum: sigma of the Gaussian noise" in planned_files(AVERAGE, mechanism="gaussian", neighbours=PRIVATE)[0]
    assert planned_files(mechanism="exponential")[0]["mechanism"] == "Laplace noise"


def test_a_number_is_the_same_in_headline_alt_text_and_plan():
    for query, epsilon0 in ((INCOME, 0.013), (INCOME, 0.7), (AVERAGE, 0.3), (AVERAGE, 9.1)):
        answer = HowFarOff(Scenario(epsilon0=epsilon0), query).answer()
        story, near = Story(answer), shown(answer.each)
        assert f"is within {near} " in story.headline
        assert f"within {near} in 95" in story.chart.alt
        assert cells(answer.planned)["within, 95 of 100"][0] == answer.each <= float(near.replace(",", ""))
        assert answer.numbers()["each_within"].value == answer.each


# --- which noise ------------------------------------------------------------------------------------------------------


def test_gaussian_noise_is_planned_and_said():
    story, error = far(mechanism="gaussian", delta=1e-6, statistics=4), gaussian(delta=1e-6, statistics=4).error
    assert f"Each of 8 published counts is within {shown(error.range95)} of the truth" in story.headline
    assert f"within {shown(error.all95)}, and their total within {shown(error.total95)}" in story.words
    assert "For ε₀ = 0.5 and δ = 10⁻⁶, which cover all 4 statistics." in story.words
    assert "Gaussian noise follows the L2 sensitivity, here 1.42." in story.words
    assert "Gaussian noise, L2 sensitivity 1.415, one of 4 statistics" in story.chart.title.replace("<br>", " ")


@pytest.mark.parametrize("mechanism", ["laplace", "discrete-laplace", "gaussian"])
@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("query", [EDUCATION, INCOME, AVERAGE, FIFTY])
def test_in_a_plan_a_query_is_as_far_off_as_alone(mechanism, neighbours, query):
    scenario = Scenario(mechanism=mechanism, neighbours=neighbours, releases=12)
    found = HowFarOff(scenario, query).answer()
    plan = Plan((found.release,), scenario.epsilon0, neighbours, scenario.delta)
    assert (found.release.times, plan.error(0)) == (12, pytest.approx(found.each, rel=1e-12))


def test_it_says_which_noise_is_more_accurate_and_where_they_cross():
    found = compare_noise(planned(EDUCATION), epsilon0=0.5, delta=1e-5)
    assert (
        f"Laplace noise is more accurate here at the same ε₀ and δ = 10⁻⁵: ±12, Gaussian noise ±{shown(found.gaussian)}. Gaussian "
        f"noise wins from {found.statistics} such statistics in one release, and for all at once from about 1,600 cells. (Proven)"
    ) in far().texts
    assert "Gaussian noise is more accurate here" in far(statistics=found.statistics).words
    assert "Laplace noise is more accurate here" in far(statistics=found.statistics - 1).words


def test_a_mean_over_a_private_number_of_rows_with_gaussian_noise():
    story = far(AVERAGE, mechanism="gaussian", neighbours=PRIVATE)
    pair = gaussian(AVERAGE, neighbours=PRIVATE)
    assert f"within {shown(pair.quotient_error(size=1000).range95)} US dollars a week" in story.headline
    assert "is divided by a noisy count. ε₀ and δ cover both together." in story.words


@pytest.mark.parametrize(
    ("mechanism", "words"),
    [
        ("randomised-response", "Randomised response adds no noise to a table’s numbers: this page plans with Laplace"),
        ("exponential", "The exponential mechanism adds no noise to a table’s numbers: this page plans with Laplace"),
        ("discrete-laplace", ""),
    ],
)
def test_other_mechanisms_are_planned_with_laplace_noise(mechanism, words):
    usual, other = (HowFarOff(Scenario(mechanism=each)).answer() for each in ("laplace", mechanism))
    assert plan_files.release_code(usual).text == plan_files.release_code(other).text
    story = Story(other)
    assert story.texts[0].startswith(words)
    assert ("toy" in story.own) is bool(words)
    assert not words or words not in Story(usual).words
    assert ("draws discrete Laplace noise in any case" in far(INCOME, mechanism=mechanism).words) is (not words)
    assert "draws discrete Laplace" not in story.words, "counts get it as planned"
    assert story.headline.startswith("Each of 8 published counts is within 12 of the truth")
    needed = Story(Epsilon0ForError(Scenario(mechanism=mechanism)).answer())
    assert (needed.texts[0] == story.texts[0]) is bool(words)
    paper = report(other, title="A section", link="", version="1", date=pd.Timestamp("2026-01-31"))
    assert words.partition(":")[0] in paper, "a sheet of paper says it too"


# --- from the error to epsilon0 ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("query", "error"), [(EDUCATION, 10), (FIFTY, 7), (INCOME, 20_000), (AVERAGE, 3)])
@pytest.mark.parametrize("statistics", [1, 3])
def test_the_epsilon0_for_a_wanted_error_gives_that_error(query, error, statistics):
    story = wanted(error, query, statistics=statistics)
    level = proposed(story)
    for epsilon0, met in ((level, True), (level * 0.99, False)):
        found = planned(query, split_evenly(epsilon0, statistics).parts[0]).error
        assert (found.range95 <= error) is met
    assert story.headline.startswith(f"ε₀ = {level:g} keeps ")
    assert "(with this query)" in next(iter(wanted(error, query, epsilon0=level, statistics=statistics).takes))


def test_the_epsilon0_for_a_wanted_error_is_the_same_at_every_level_of_the_scenario():
    asked = []

    def of(question):
        asked.append(question)
        return anew(question)

    question = Epsilon0ForError(Scenario(epsilon0=3.0))
    found = question.answer(of=of)
    assert asked == [question.moved("scenario.epsilon0", Scenario.epsilon0)]
    assert found.needed == asked[0].answer().needed


@pytest.mark.parametrize(("query", "error", "scenario"), [
    (EDUCATION, 10, {"mechanism": "gaussian"}),
    (AVERAGE, 300, {"neighbours": PRIVATE}),
])  # fmt: skip
def test_a_level_for_what_no_scenario_says_is_not_offered_to_it(query, error, scenario):
    story = wanted(error, query, **scenario)
    assert "keeps" in story.headline
    assert not story.takes


@pytest.mark.parametrize("measure", ["all", "total", "average"])
def test_each_kind_of_error_can_be_wished_for(measure):
    error = planned(EDUCATION, proposed(wanted(30, measure=measure))).error
    reached = {"all": error.all95, "total": error.total95, "average": error.expected}[measure]
    assert 30 * 0.99 < reached <= 30


def test_a_wish_that_needs_too_much_is_answered_with_a_sentence():
    story = wanted(1e-6, INCOME)
    assert "A scenario takes ε₀ from" in story.words
    assert "hardly anyone is protected" in story.words
    assert not story.takes
    story = wanted(1e6, AVERAGE, neighbours=PRIVATE)
    assert "every one will do" in story.texts[0]
    assert story.charts
    with pytest.raises(ParameterError):
        Epsilon0ForError(Scenario(), wanted=0.0)


def test_the_epsilon0_for_a_wanted_error_is_that_of_gaussian_noise():
    story = wanted(10, mechanism="gaussian", statistics=4)
    assert story.headline.startswith("ε₀ = 2.24 keeps each of 8 published counts within ±10")
    assert "That is enough, at δ = 10⁻⁵" in story.words
    assert gaussian(epsilon=2.24, statistics=4).error.range95 <= 10 < gaussian(epsilon=2.23, statistics=4).error.range95
    assert "every ε keeps the error as small as wanted" in wanted(1e6, mechanism="gaussian").words


# --- counts without a file --------------------------------------------------------------------------------------------


def counts(rows=1000, cells=12, seed=1, **scenario):
    return Story(SyntheticCounts(Scenario(**scenario), rows, cells, seed).answer())


@pytest.mark.parametrize("neighbours", Neighbours)
@pytest.mark.parametrize("name", NOISES)
def test_the_headline_says_how_far_off_each_count_is(name, neighbours):
    scenario = {"mechanism": name, "neighbours": neighbours, "rows_per_person": 2}
    story, found = counts(2000, 7, **scenario), synthetic_counts(2000, 7, Scenario(**scenario))
    assert (
        story.headline == f"With 2,000 rows in 7 cells each count is within ±{shown(found.each)} in 95 of 100 releases"
    )
    assert f"All 7 at once are within ±{shown(found.every)} as often. (Proven)" in story.words
    assert f"Counts from {found.right_from:,} up are right within 10 %" in story.words


def test_what_is_drawn_is_the_draw_of_the_core_and_another_one_changes_no_word():
    story, other = (counts(cells=5, seed=seed) for seed in (3, 4))
    _, bars = story.chart.curve("as published")
    np.testing.assert_array_equal(bars, synthetic_counts(1000, 5, Scenario(), seed=3).noisy)
    assert (bars != other.chart.curve("as published")[1]).any()
    assert story.words == other.words


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (3, "Every cell here is larger."),
        (12, "1 of 12 cells here cannot be told from an empty one: lost in the noise."),
        (40, "16 of 40 cells here cannot be told from an empty one: lost in the noise."),
    ],
)
def test_it_says_which_cells_are_lost_in_the_noise(cells, words):
    assert words in counts(cells=cells).words
    assert words.startswith(f"{synthetic_counts(1000, cells, Scenario()).like_empty or 'Every'} ")


def test_the_level_for_the_smallest_cell_is_proposed_with_its_query():
    needed = float(brief(epsilon0_for_smallest(synthetic_counts(1000, 3, Scenario())), toward="up"))
    story = counts(cells=3)
    assert f"It takes ε₀ = {needed:g} to get that within 10 %. (By your model)" in story.words
    assert "The range is 9.91 % of the smallest cell here, 111 rows." in counts(cells=3, epsilon0=needed).words
    assert proposed(story) == needed
    (fields,) = counts(100_000, epsilon0=0.05).takes.values()
    there = {"scenario.k": 12, "scenario.sensitivity": 2.0, "scenario.mechanism": "discrete-laplace"}
    assert fields == {"scenario.epsilon0": fields["scenario.epsilon0"], **there}
    other = counts(100_000, epsilon0=0.05, mechanism="gaussian")
    assert "to get that within 10 %" in other.words
    assert (other.takes, other.own) == ({}, []), "no scenario says the same"
    assert "but then hardly anyone is protected: publish fewer cells" in counts().words
    assert not counts().takes


@pytest.mark.parametrize("name", sorted(MECHANISMS.keys() - NOISES.keys()))
def test_where_nothing_is_added_to_a_number_nothing_is_drawn(name):
    story = counts(mechanism=name)
    assert not story.charts
    assert "adds no noise to a table’s numbers. Choose another mechanism in the sidebar." in story.headline
    assert story.own == ["toy"]


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"rows": 5}, "The smallest cell here is empty"),
        ({"cells": 1, "rows": 1}, "With 1 row in 1 cell the count is within ±6 in 95"),
        ({"epsilon0": 700.0}, "With 1,000 rows in 12 cells each count is exact in 95"),
        ({"mechanism": "gaussian", "rows": 10**9, "cells": 2, "delta": 0.5}, "keeps the error as small as wanted"),
    ],
)
def test_odd_numbers_of_counts_get_words_of_their_own(settings, words):
    assert words in counts(**settings).words


def test_noise_too_large_to_be_drawn_is_out_of_reach():
    with pytest.raises(InfeasibleError, match="too large to be drawn"):
        counts(epsilon0=1e-8, rows_per_person=10**6, statistics=1000)


# --- a file of one's own: several rows of one person, missing costs ---------------------------------------------------

FIRST = cap_rows(VISITS, "Patient", rows_per_person=1)
OWN = read_table(f"{MARKER}.csv", VISITS.to_csv(index=False).encode())
BY_WARD, PERSONS = CountBy(("Ward",), (WARDS,)), PersonCountBy(("Ward",), (WARDS,), person="Patient")
COST, MEAN_COST = Sum("Cost", 0.0, 1000.0), Mean("Cost", 0.0, 2000.0)


def visited(query=BY_WARD, person="Patient", table=OWN, for_audience=False, over="truncate", **scenario):
    question = HowFarOff(Scenario(**scenario), query, person, over, own=table, for_audience=for_audience)
    return Story(question.answer())


def kept_of(most):
    return len(cap_rows(VISITS, "Patient", rows_per_person=most))


def test_a_capped_quantile_speaks_of_its_choice_and_a_capped_share_of_all_persons():
    share, median = Share(Condition("Cost", ">=", 100)), Quantile("Cost", 0, 2000, 10)
    for most, among in ((1, "among the first rows of all persons;"), (3, "among the first 3 rows of every person;")):
        assert among in visited(share, rows_per_person=most).words
    found = Epsilon0ForError(Scenario(), median, "Patient", wanted=20.0, own=OWN).answer()
    assert "Before any choice, " in Story(found).words
    assert "noise" not in Story(found).words
    hints = [
        each.hint
        for block in HowFarOff(Scenario(), median, "Patient", own=OWN).answer().story()
        if isinstance(block, blocks.Beside)
        for each in block.blocks
    ]
    assert hints == ["Fewer are left out, and the error grows."]


def test_what_the_cap_leaves_out_stands_beside_the_headline_with_what_leaves_out_fewer():
    story = visited()
    assert "within 12 of the truth" in story.headline
    left = "1,380 of 2,580 rows are left out: only a person’s first row counts (private)"
    assert story.texts[1] == f"Before any noise, {left}; the range covers the noise alone. (Proven)"
    assert story.takes["Allow 2 rows per person"] == {"scenario.rows_per_person": 2}
    assert story.takes["Count each person once per cell"] == {"once": True}
    story = visited(rows_per_person=3)
    assert "only a person’s first 3 rows count" in story.texts[1]
    assert f"{2580 - kept_of(3):,} of 2,580 rows are left out" in story.texts[1]
    story = visited(rows_per_person=int(VISITS["Patient"].value_counts().max()))
    assert "none of 2,580 rows is left out" in story.texts[1]
    assert not [each for each in story.takes if each.startswith(("Allow", "Count"))]


def test_persons_can_be_counted_once_in_a_cell():
    pairs = len(VISITS[["Patient", "Ward"]].drop_duplicates())
    story = visited(PERSONS)
    left = f"{pairs - 1200:,} of {pairs:,} cells of persons are left out: only a person’s first cell counts (private)"
    assert left in story.texts[1]
    assert "Count each person once per cell" not in story.takes
    assert story.takes["Allow 2 cells per person"] == {"scenario.rows_per_person": 2}
    assert visited(PERSONS, rows_per_person=2).chart.own[0][1] == planned(PERSONS, rows_per_person=2).error.range95
    assert "none of" in visited(PERSONS, rows_per_person=len(WARDS)).texts[1]
    everywhere = PERSONS.answer(VISITS, person="Patient", rows_per_person=len(WARDS)).exact
    assert everywhere.tolist() == [VISITS[VISITS["Ward"] == ward]["Patient"].nunique() for ward in WARDS]
    one = visited(PersonCount(Condition("Ward", "==", "Innere"), person="Patient"))
    assert "each person is counted once, however many rows they have" in one.texts[1]
    assert "only a person’s first row counts" in visited(COST).texts[1]


def test_without_a_column_or_with_a_stop_nothing_is_left_out():
    assert visited(person="").texts[1] == "That covers the noise alone, if no person has more than 1 row. (Proven)"
    assert "left out" not in visited(over="refuse").texts[1]


def test_an_audience_and_a_file_get_no_private_number():
    for query, numbers in (
        (BY_WARD, ("1,380",)),
        (replace(COST, lower=10.0), ("1,380", str(FIRST["Cost"].isna().sum()))),
    ):
        answer = HowFarOff(Scenario(), query, "Patient", own=OWN).answer()
        assert all(number in Story(answer).texts[1] for number in numbers)
        paper = report(answer.for_others, title="A section", link="", version="1", date=pd.Timestamp("2026-01-31"))
        for told in (visited(query, for_audience=True).words, Story(answer.for_others).words, paper):
            assert "only a person’s first row counts; how many rows that leaves out is private" in told
            assert not [number for number in numbers if f" {number} " in told]
        assert not [each for each in Story(answer.for_others).takes if each.startswith(("Allow", "Count"))]


def test_an_audience_is_told_the_same_whether_a_row_that_counts_has_a_value_or_not():
    rows = [("m", 20.0), ("f", 30.0), ("f", None)] * 5
    query, told = Sum("pay", 10.0, 100.0, Condition("sex", "==", "m")), set()
    for each in (rows, [("m", None), *rows[1:]]):
        table = of_frame("f.csv", pd.DataFrame(each, columns=["sex", "pay"]), digest="x")
        told.add(Story(HowFarOff(Scenario(), query, own=table).answer().for_others).words)
    assert len(told) == 1
    assert "ows without a value count as 10" in told.pop()


@pytest.mark.parametrize("neighbours", list(Neighbours))
def test_a_mean_says_what_it_takes_missing_values_for_and_can_leave_them_out(neighbours):
    gaps, scenario = int(VISITS["Cost"].isna().sum()), {"neighbours": neighbours, "rows_per_person": 99}
    taken = replace(MEAN_COST, lower=10.0)
    assert f"{gaps} rows without a value count as 10, so “the truth” is not" in visited(taken, **scenario).texts[1]
    story = visited(replace(taken, skip_missing=True), **scenario)
    assert "if at least 1,000 rows are averaged" in story.texts[1]
    assert "without a value" not in story.texts[1]


def test_a_condition_on_the_column_itself_leaves_missing_values_out_already():
    assert "without a value" not in visited(replace(MEAN_COST, where=Condition("Cost", ">=", 0))).texts[1]
    of_ward = FIRST[FIRST["Ward"] == "Chirurgie"]["Cost"].isna().sum()
    story = visited(replace(MEAN_COST, where=Condition("Ward", "==", "Chirurgie")))
    assert f"{of_ward} rows without a value count as 0" in story.texts[1]


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize("over", ["truncate", "refuse"])
def test_page_and_script_say_the_same_of_what_is_averaged_and_divided_by(most, over):
    """The rows that the cap leaves, and their blanks; of two rows a person the number is public under a condition only."""
    left = cap_rows(VISITS, "Patient", rows_per_person=most)
    table = read_table("t.csv", (VISITS if over == "truncate" else left).to_csv(index=False).encode())
    answer = HowFarOff(Scenario(rows_per_person=most), MEAN_COST, "Patient", over, own=table).answer()
    story, code_of = Story(answer), plan_files.release_code(answer).text
    gaps, condition = left["Cost"].isna().sum(), "as many rows replace a person's rows"
    public = "public" if most == 1 else f"public only if {condition}"
    assert f"{gaps} rows without a value count as 0, so “the truth” is not the mean" in story.texts[1]
    assert ("(Proven)" in story.texts[1]) is (most == 1)
    assert (f"if {condition}. (By your model)" in story.texts[1]) is (most == 2)
    assert f"The sum is divided by the number of rows, {len(left):,}, which is {public}." in story.words
    assert story.words.count("rows without a value count as 0") == 2
    assert f"ROWS = {len(left)}  # {public}" in code_of
    assert "rows without a value count as 0" in code_of
    assert (condition in plan_files.head(answer)["standing"]) is (most == 2)


GERMAN = "Person;Betrag;Datum\n" + "".join(
    f"P{at // 2};{1 + at % 8}.{at:03},5;{1 + at % 28:02}.04.2020\n" for at in range(9, 99)
)


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize(("data", "query", "person"), [
    (GERMAN.encode(), Sum("Betrag", 0.0, 9000.0, Condition("Datum", "==", "2020-04-13")), ""),
    ("Höhe;who\n1,5;7\n2,5;07\nNull;8\n".encode("latin-1"), Sum("Höhe", 0.0, 10.0), "who"),
    (b"g,v\n A,1\nB ,2\n A,3\n", CountBy(("g",), (("A", "B"),)), ""),
    (b"at,v\n08:30,1\n12:00,2\n08:30,3\n", CountBy(("at",), (("08:30", "12:00"),)), ""),
    (b"day,x\n2019-12-31,1\n2020-01-31,3\n,4\n2020-01-31,5\n", CountBy(("day",), (("2020-01", "2020-02"),)), ""),
    (written(), PERSONS, "Patient"),
    (written(), replace(MEAN_COST, lower=10.0, skip_missing=True), "Patient"),
])  # fmt: skip
def test_the_script_of_a_file_finds_what_the_query_does(data, query, person, most, tmp_path):
    (tmp_path / "t.csv").write_bytes(data)
    table = read_table("t.csv", data)
    asked = HowFarOff(Scenario(rows_per_person=most, neighbours=PRIVATE), query, person, own=table)
    script = script_of(plan_files.release_code(asked.answer()).text)
    rows = script["read"](str(tmp_path / "t.csv"))
    first, *others = script["prepare"](script["cap"](rows) if "cap" in script else rows)
    exact = query.answer(table.frame, person=person or None, rows_per_person=most).exact
    assert exact.any()
    if isinstance(query, Sum | Mean):
        divisor, middle = (others[0].sum(), script["MIDDLE"]) if others else (1, 0.0)
        assert middle + sum(first) * script["STEP"] / divisor == pytest.approx(exact[0], rel=1e-9)
    else:
        assert np.bincount(first[first >= 0], minlength=query.k).tolist() == exact.tolist()


def test_the_plan_of_persons_and_of_rows_with_a_value_says_so():
    head, code_of = planned_files(PERSONS, "Patient", OWN, rows_per_person=2)
    said = {"query": "counts of persons by Ward", "cells per person, at most": "2"}
    assert (said | {"person column": "Patient; further cells are left out"}).items() <= head.items()
    script = script_of(code_of)
    assert (script["ONE_PERSON"], script["CELLS_PER_PERSON"]) == (4, 2)
    head, _ = planned_files(replace(MEAN_COST, skip_missing=True), "Patient", OWN)
    assert head["query"].endswith("mean of Cost, only rows with a value")


def test_what_of_a_table_takes_long_is_asked_once_whatever_the_query_and_the_level():
    base = HowFarOff(Scenario(), MEAN_COST, "Patient", own=OWN)
    assert [each.long for each in base.needs()] == ["Counting what is left out", "Counting rows without a value"]
    others = (
        base.moved("scenario.epsilon0", 3.0),
        replace(base, query=replace(MEAN_COST, upper=90.0)),
        replace(base, for_audience=True),
    )
    assert all(each.needs() == base.needs() for each in others)
    assert (
        HowFarOff(Scenario(), COST, "Patient", own=OWN).kept == HowFarOff(Scenario(), BY_WARD, "Patient", own=OWN).kept
    )
    assert not HowFarOff(Scenario(), BY_WARD, own=OWN).needs()


def test_the_rest_is_told_before_rows_are_counted_unless_their_number_is_needed():
    question = HowFarOff(Scenario(), BY_WARD, "Patient", own=OWN)
    begun = question.answer(of=lambda each: each.begun)
    early, cap = Story(begun), "Before any noise, only a person’s first row counts"
    assert early.texts[1] == f"{cap}; the range covers the noise alone. (Proven)"
    assert f"{cap}; how many rows that leaves out is private" in Story(begun.for_others).texts[1]
    assert early.headline == visited().headline
    public = HowFarOff(Scenario(), MEAN_COST, "Patient", own=OWN).kept
    assert isinstance(public, KeptRows)
    assert public.begun is None


# --- what is private --------------------------------------------------------------------------------------------------

TYPED = Condition("state", "==", MARKER)


@pytest.mark.parametrize("question", [
    HowFarOff(Scenario(), BY_WARD, own=OWN),
    HowFarOff(Scenario(), Sum("Cost", 0.0, 47.11), "Patient", own=OWN),
    HowFarOff(Scenario(), Count(TYPED)),
    HowFarOff(Scenario(), replace(AVERAGE, where=TYPED)),
    Epsilon0ForError(Scenario(), CountBy(("state",), (("Alaska", MARKER),)), wanted=3.0),
    Epsilon0ForError(Scenario(epsilon0=2.0), PERSONS, "Patient", own=OWN),
])  # fmt: skip
def test_a_private_question_has_no_code_and_its_notebook_asks_of_the_built_in_table(question):
    assert question.private
    assert all(each.private for each in question.needs() if question.own)
    assert repr(question) == f"{type(question).__name__}(<private>)"
    public = question.public
    assert not public.private
    assert public.scenario == question.scenario
    assert isinstance(question.query, type(public.query))
    source = "".join(cell.source for cell in as_notebook.cells(public))
    for word in (MARKER, "Patient", "Ward", "Cost", "47.11"):
        assert word not in source + code(public, full=True)
    public.answer()


def test_what_everybody_knows_of_the_built_in_table_is_no_secret():
    known = Count(Condition("state", "in", ("Alaska", "Texas"))), CountBy(("puma",), ((1, 4711),)), EDUCATION
    for query in known:
        question = HowFarOff(Scenario(), query)
        assert not question.private
        assert question.public is question
    persons = HowFarOff(Scenario(), PersonCountBy(("state",), (("Alaska",),), person="puma"), "puma")
    assert not persons.private


def test_frames_of_one_table_are_not_those_of_another():
    other = read_table("other.csv", VISITS[::-1].to_csv(index=False).encode())
    first, second = (
        HowFarOff(Scenario(), BY_WARD, own=table).apart_from("scenario.epsilon0") for table in (OWN, other)
    )
    assert first != second


def test_the_plan_of_a_file_names_its_query_and_neither_the_file_nor_what_is_left_out():
    answer = HowFarOff(Scenario(rows_per_person=2), BY_WARD, "Patient", own=OWN).answer()
    text = (
        safe_csv.as_csv(cells(answer.planned), plan_files.head(answer), version="1")
        + plan_files.release_code(answer).text
    )
    rows = [row for row in csv.reader(io.StringIO(text)) if row and row[0] in WARDS]
    assert len(rows) == len(WARDS)
    assert "counts by Ward" in text
    for private in (MARKER, str(kept_of(2)), f"{kept_of(2):,}", str(2580 - kept_of(2))):
        assert private not in text
