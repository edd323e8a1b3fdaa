"""What is asked on composition: the numbers are those of the core, claims are called claims, and what is proven stands on its safe side."""

import re
from functools import cache

import numpy as np
import pytest

from par_core import composition
from par_core.composition.brackets import bracket
from par_core.composition.composed import compose
from par_core.errors import InfeasibleError
from par_core.figures.quantities import format_quantity
from par_core.mechanisms import drawn
from par_core.published import composition as printed
from par_core.questions import Accountants, HowManyReleases, MixedReleases
from par_core.questions.composition import mixed_count
from par_core.questions.composition.accountants import AS_DRAWN
from par_core.questions.composition.mixed_count import MixedCountAnswer
from par_core.questions.html import told
from par_core.rounding import brief
from par_core.scenario import Scenario
from tests.shown import Story


@pytest.fixture(autouse=True)
def few_places(monkeypatch):
    """Count mixed releases at few places on the way; what is told is the end."""
    monkeypatch.setattr(mixed_count, "_POINTS", 2)


known = cache(lambda question: question.answer(of=known))  # as a page: parts are shared


def story(question):
    return Story(known(question))


def figure_5(*accountants, e0=0.5, upto=300, at=(1, 10, 100, 300), scenario=None, **more):
    """Many releases as the paper draws them."""
    return story(
        Accountants(scenario or Scenario(), e0, upto, accountants=accountants or AS_DRAWN, numbers_at=at, **more)
    )


def plan(target=3.0, **scenario):
    return story(HowManyReleases(Scenario(**scenario), target))


# --- accountants ------------------------------------------------------------------------------------------------------


def test_the_accountants_are_of_the_scenario():
    shown = story(Accountants(Scenario(releases=40, epsilon0=0.2, delta=1e-6, k=2)))
    assert shown.chart.title == "Privacy spent by many releases with ε₀ = 0.2, δ = 10⁻⁶ (k = 2)"
    spent = composition.exact(0.2, 40, delta=1e-6).upper
    assert shown.headline == f"40 releases together, each with ε₀ = 0.2, spend ε = {brief(spent, toward='up')}"
    assert shown.chart.curve("Exact")[0][-1] == 40
    assert shown.chart.own == [(40, pytest.approx(spent), brief(spent, toward="up"))]
    one = story(Accountants(Scenario(releases=1, epsilon0=0.2)))
    assert one.headline == "One release with ε₀ = 0.2 spends ε = 0.2"
    assert one.chart.own[0][0] == 1
    assert one.chart.curve("Exact")[0][-1] == 12, "one release alone makes no curve"
    assert list(one.tables[0]) == ["Accountant", "1", "12"]
    more = story(Accountants(Scenario(releases=5, epsilon0=0.2), largest=20))
    assert more.headline.startswith("20 releases together"), "asked for, and no longer the scenario's"


def test_a_curve_that_leaves_the_picture_at_once_is_named():
    left_out = "Left out, as it lies above basic composition everywhere: "
    assert left_out not in figure_5().words
    assert f"{left_out}Advanced composition; PaR, Theorem 3; PaR, as drawn." in figure_5(e0=3.0, upto=5, at=(1,)).words


def test_own_releases_of_another_level_do_not_belong_to_the_curves():
    shown = figure_5(scenario=Scenario(releases=40, epsilon0=0.2))
    assert not shown.chart.own
    assert "Your own scenario is another one: 40 releases with ε₀ = 0.2" in shown.words
    far = story(Accountants(Scenario(epsilon0=600.0, releases=10**6), largest=12, numbers_at=(1,)))
    assert "lies outside of what is drawn here: ε₀ from 10⁻⁶ to 50, up to 20,000 releases." in far.words


def test_paper_only_leaves_what_figure_5_prints():
    shown = figure_5("basic", "advanced", "zcdp", "at_risk_as_drawn", paper_only=True)
    assert shown.chart.names == ["Basic composition", "Advanced composition", "PaR, as drawn (δ = 0.0001)"]
    assert "(Refuted)" in shown.words


def test_the_printed_numbers_show_what_was_drawn_what_the_theorem_says_and_the_truth():
    shown = figure_5()
    assert "PaR, as drawn (δ = 0.0001)" in shown.chart.names
    assert shown.chart.title == "Privacy spent by many releases with ε₀ = 0.5, δ = 10⁻⁵"
    assert figure_5(drawn_delta=1e-4).chart.title.endswith("δ = 0.0001")
    assert shown.headline == "300 releases together, each with ε₀ = 0.5, spend ε = 64", "rounded up"
    assert "That is (ε, δ)-DP with δ = 10⁻⁵, by the exact privacy loss distribution. (Proven)" in shown.words
    (words,) = (text for text in shown.texts if "Theorem 3 of the paper says" in text)
    assert words == (
        "Basic composition gives 150: always on the safe side. (Proven) The formula of the paper’s figure 5 gives 53.8 (too low). "
        "(Refuted) Theorem 3 of the paper says 63.1 (too low). (Refuted) At such an ε next to nothing is protected."
    )
    assert "1e-4" not in shown.words
    assert "ten times as large as the text says (here 0.0001)" in shown.words


@pytest.mark.parametrize(
    ("more", "drawn"),
    [
        ({}, True),
        ({"drawn_delta": 1e-6}, False),
        ({"e0": 20.0}, False),
        ({"drawn_k": 2}, False),
        ({"upto": 300}, False),
    ],
)
def test_figure_5_is_said_to_draw_only_what_it_draws(more, drawn):
    words = figure_5(**{"upto": 299, **more}).words
    assert ("Figure 5 of the paper draws" in words) is drawn
    assert ("The formula of the paper’s figure 5 gives" in words) is not drawn


def test_what_is_told_of_the_claims():
    assert re.search(r"Theorem 3 of the paper says [\d.]+\. ", figure_5(upto=100).words), "it is not too low there"
    assert "ten times as large as the text says (here cut off at 0.5)" in figure_5(drawn_delta=0.4, upto=20).words
    assert "ten times as large as the text says (here 0.3)" in figure_5(drawn_delta=0.03, upto=20).words
    told = figure_5("basic", "zcdp", e0=0.1, upto=100).chart.alt
    exact, zcdp = composition.exact(0.1, 100, delta=1e-5).upper, composition.zcdp(0.1, 100, delta=1e-5)
    for name, value in (("exact", exact), ("zCDP", zcdp)):
        assert re.search(rf"{name} ([\d.]+\d)", told)[1] == brief(value, toward="up")


@pytest.mark.parametrize(("epsilon0", "largest", "first"), [(0.5, 300, "257"), (0.1, 4000, "3,116")])
def test_the_first_number_of_releases_where_theorem_3_is_too_low_is_stated(epsilon0, largest, first):
    shown = figure_5(e0=epsilon0, upto=largest)
    (words,) = (text for text in shown.texts if "Theorem 3 as published" in text)
    assert f"Theorem 3 as published: not a valid guarantee from {first} releases on" in words
    assert words.endswith("(Refuted)")
    assert any("not a valid guarantee" in name for name in shown.chart.names)


def test_with_the_true_confidence_and_in_the_preprint_it_is_not_too_low():
    shown = figure_5("at_risk_exact", "at_risk_preprint")
    assert not [name for name in shown.chart.names if "valid" in name]
    assert "nowhere below the exact curve in this picture" in shown.words
    assert shown.cell("300", "PaR, true confidence").startswith("76.3")


@pytest.mark.parametrize(("more", "last"), [({"e0": 1.0}, 26), ({"e0": 0.5}, 663), ({"drawn_delta": 0.05}, 78)])
def test_the_end_of_what_is_too_low_is_told_to_the_very_number(more, last):
    words = figure_5(upto=2000, **more).words
    assert re.search(
        rf"as figure 5 draws it \(δ = [\d.]+\): not a valid guarantee from the first release to {last}\.", words
    )
    level, delta = more.get("e0", 0.5), more.get("drawn_delta", 1e-5)
    (curve,) = composition.compare(level, [last, last + 1], delta=delta, keys=["at_risk_as_drawn"]).curves
    assert curve.below.tolist() == [True, False]


def test_the_mark_says_the_same_as_the_text_though_its_number_is_not_drawn():
    shown = figure_5(upto=2000)
    assert 257 not in shown.chart.curve("Exact")[0], "the example must be one"
    (mark,) = (name for name in shown.chart.names if "Theorem 3: too low" in name)
    told = mark.removeprefix("PaR, Theorem 3: too low ").split(";")[0]
    assert told.startswith("from 257 releases")
    assert f"Theorem 3 as published: not a valid guarantee {told}." in shown.words


def test_another_curve_or_scenario_of_the_same_noise_does_not_count_again_and_only_much_takes_a_job():
    asked = Accountants(Scenario(), 0.317, 211)
    others = Accountants(
        Scenario(stakeholders=7, releases=9), 0.317, 211, accountants=("rdp",), axes="log", numbers_at=()
    )
    assert others.count() == asked.count()
    assert asked.needs() == ()
    many = Accountants(Scenario(), 0.317, 1300)
    assert many.needs() == (many.count(),)
    assert (many.dials, asked.dials, Accountants(Scenario()).dials) == ((), (), ("drawn_epsilon0", "scenario.epsilon0"))


@pytest.mark.parametrize("keys", [("basic",), ("zcdp", "rdp", "optimal_pure"), (), tuple(composition.ACCOUNTANTS)])
def test_only_the_chosen_curves_are_drawn_and_always_the_exact_one(keys):
    shown = story(Accountants(Scenario(), accountants=keys))
    assert "Exact privacy loss distribution" in shown.chart.names
    curves = [each for each in shown.chart.figure["data"] if "lines" in each.get("mode", "") and "customdata" in each]
    assert len(curves) == 1 + len(keys)
    assert len(shown.tables[0]["Accountant"]) == 1 + len(keys)


def test_the_table_holds_the_numbers_rounded_to_the_safe_side_and_names_what_is_too_low():
    shown = figure_5(at=(300, 7))
    assert list(shown.tables[0]) == ["Accountant", "7", "300"]
    assert shown.cell("7", "Exact") == brief(float(composition.exact(0.5, 7, delta=1e-5).value), toward="up")
    assert float(shown.cell("300", "Basic composition")) == 150
    assert shown.cell("300", "PaR, Theorem 3") == "63.1 (too low)"
    assert shown.cell("7", "PaR, Theorem 3") == brief(float(printed.at_risk(0.5, 7, delta=1e-5)))
    assert "Add a number of releases" in figure_5(at=()).words


def test_thousands_of_releases_are_drawn_at_a_few_hundred_places():
    numbers = Accountants(Scenario(), 0.01, 20_000).count().numbers
    assert (numbers[0], numbers[-1]) == (1, 20_000)
    assert 100 < len(numbers) < 260
    _, spent = figure_5(e0=0.1, upto=4000).chart.curve("Exact")
    assert (np.diff(spent) > 0).all()


# --- how many ---------------------------------------------------------------------------------------------------------


def test_the_plan_answers_both_ways_by_the_exact_count():
    shown = plan(5.0, epsilon0=0.1, releases=300)
    releases = composition.most_releases("exact", 0.1, epsilon=5, delta=1e-5)
    assert shown.headline == f"You can make {releases.releases} releases within ε′ = 5"
    assert "With ε₀ = 0.1 each, they stay within the target together (δ = 10⁻⁵). (Proven)" in shown.texts
    for key, name in (("exact", "Exact"), ("zcdp", "zCDP"), ("at_risk_as_drawn", "PaR, as drawn")):
        one = composition.most_releases(key, 0.1, epsilon=5, delta=1e-5)
        mark = (" (too many)", " (too high)") if key == "at_risk_as_drawn" else ("", "")
        assert shown.cell("Releases", name) == f"{one.releases:,}{mark[0]}"
        other = composition.epsilon0_for(key, 300, epsilon=5, delta=1e-5).quantity("epsilon0")
        assert shown.cell("ε₀ of each", name) == format_quantity(other) + mark[1]
    assert "Larger is better, if proven" in shown.words
    assert "allows more than is safe" in shown.words
    (table,) = shown.tables
    for name, *numbers in zip(*table.values(), strict=True):
        if "PaR, " in name and "true confidence" not in name:
            assert name.endswith("(Refuted)" if "(too " in "".join(numbers) else "(Holds here)")
        else:
            assert name.endswith("(Proven)")


@pytest.mark.parametrize("target", [3.0, 4.0, 5.0, 5.2])
def test_the_level_of_a_plan_is_told_so_that_it_still_fits(target):
    level = composition.epsilon0_for("exact", 300, epsilon=target, delta=1e-5).epsilon0
    shown = plan(target, epsilon0=0.1, releases=300)
    told = re.search(r"Each of the 300 planned releases may use ε₀ up to (\d[\d.]*\d)", shown.words)[1]
    assert float(told) <= level < float(told) * 1.034  # two digits
    assert composition.exact(float(told), 300, delta=1e-5).upper <= target
    assert shown.cell("ε₀ of each", "Exact") == told
    bars = next(chart for chart in shown.charts.values() if "ε₀ of each" in chart.title)
    assert told in [text for trace in bars.figure["data"] for text in trace["text"]]


@pytest.mark.parametrize(("epsilon0", "target"), [(0.1, 3.5), (0.5, 63.99), (0.5, 10.0)])
def test_so_many_counts_fit_as_their_own_noise_allows(epsilon0, target):
    words = plan(target, epsilon0=epsilon0).words
    number = int(re.search(r"only (\d+) counts fit if a person moves each by 1\. \(Proven\)", words)[1])
    noise = drawn(whole=True).for_epsilon(epsilon0, sensitivity=1.0)
    assert compose(noise, number).epsilon(1e-5) <= target < compose(noise, number + 1).epsilon(1e-5)


def test_few_releases_one_and_none():
    assert "whole numbers" not in plan().words, "of few releases counts spend no more"
    none, one = plan(0.1, epsilon0=5.0), plan(2.0, epsilon0=2.0)
    assert none.headline == "You cannot make even one release within ε′ = 0.1"
    assert "One release with ε₀ = 5 spends more" in none.words
    assert none.cell("Releases", "Basic composition") == "0"
    assert "whole numbers" not in none.words
    assert one.headline == "You can make 1 release within ε′ = 2"
    assert "With ε₀ = 2 it stays within the target (δ = 10⁻⁵). (Proven)" in one.texts


def test_where_the_search_for_a_level_stops_is_said():
    shown = plan(1e-6, epsilon0=0.1, releases=1000)
    assert "No ε₀ down to 10⁻⁶, where the search stops, is small enough for 1,000 releases" in shown.words
    assert shown.cell("ε₀ of each", "Basic composition") == "none down to 10⁻⁶"
    assert "The one planned release may use ε₀ up to 50 or more." in plan(1000.0, epsilon0=50.0, releases=1).words


def test_the_claims_of_a_plan_are_for_the_k_of_the_scenario():
    shown = plan(20.0, epsilon0=0.5, releases=100, k=5)
    one, five = (composition.most_releases("at_risk", 0.5, epsilon=20, delta=1e-5, k=k).releases for k in (1, 5))
    assert one != five, "the example must be one"
    assert shown.cell("Releases", "PaR, Theorem 3").startswith(f"{five:,}")
    level = composition.epsilon0_for("at_risk", 100, epsilon=20, delta=1e-5, k=5).quantity("epsilon0")
    assert shown.cell("ε₀ of each", "PaR, Theorem 3").split()[0] == format_quantity(level)
    assert "claims of the paper, for the k = 5 of your scenario" in shown.words


def test_more_releases_than_a_way_of_counting_can_take_leave_its_cell_empty():
    shown = so_far(HowManyReleases(Scenario(releases=10**6)))
    assert shown.cell("ε₀ of each", "Optimal composition") == "too many to count"
    assert float(shown.cell("ε₀ of each", "Basic composition")) == pytest.approx(3e-6)


def test_where_the_exact_count_stops_the_best_proven_one_answers_and_refutes_nothing_below_it():
    shown = plan(1.0, epsilon0=1e-4)
    renyi = composition.most_releases("rdp", 1e-4, epsilon=1, delta=1e-5)
    preprint = composition.most_releases("at_risk_preprint", 1e-4, epsilon=1, delta=1e-5)
    assert 10**6 < preprint.releases < renyi.releases, "the example must be one"
    assert shown.headline == f"You can make {renyi.releases:,} releases or more within ε′ = 1"
    stops = "The exact count stops at 1,000,000 releases; the number above is that of “RDP”, which is proven too."
    assert stops in shown.words
    assert shown.cell("Releases", "PaR, preprint") == f"{preprint.releases:,}"
    assert "allows more than is proven to be safe" in shown.words
    assert (
        "Exact privacy loss distribution 1,000,000 or more; Basic composition 10,000; "
        in shown.charts["releases_allowed"].alt
    )
    assert "stops at" not in plan(5.0, epsilon0=0.1, releases=300).words


def so_far(question, steps=1):
    """The story as far as so many steps of its long part go; of one, nothing is counted yet."""
    parts = {each: [found for _, found in zip(range(steps), each.steps(), strict=False)] for each in question.needs()}
    return Story(question.answer(of=lambda part: parts[part][-1][1]))


def test_until_the_exact_count_is_there_the_quick_ones_answer():
    question = HowManyReleases(Scenario(epsilon0=0.1, releases=300), 5.0)
    shown = so_far(question)
    best = composition.most_releases("optimal_pure", 0.1, epsilon=5, delta=1e-5).releases
    assert shown.headline == f"You can make {best} releases within ε′ = 5"
    assert "The exact count is still running" in shown.words
    assert [shown.cell(column, "Exact") for column in ("Releases", "ε₀ of each")] == ["on its way"] * 2
    assert len(shown.charts) == 2
    half = so_far(question, 2)
    assert half.headline == story(question).headline
    assert half.cell("ε₀ of each", "Exact") == "on its way"
    shares = []
    question.needs()[0].answer(shares.append)
    assert shares == [0.0, 0.4, 1.0]
    nothing = so_far(HowManyReleases(Scenario(mechanism="gaussian")))
    assert "is small enough" not in nothing.words, "nobody knows yet"


def test_the_stops_of_the_dial_are_counted_together_and_are_what_each_would_be_alone():
    question = HowManyReleases(Scenario(), 3.0)
    assert question.dials == ("target",)
    together = question.along("target", (0.3, 2.0, 7.0))
    for target, answer in together.items():
        alone = known(question.moved("target", target))
        assert answer.headline == alone.headline
        assert answer.chart.draw().to_json() == alone.chart.draw().to_json()
    assert HowManyReleases(Scenario(epsilon0=0.1)).dials == ()


# --- mixed ------------------------------------------------------------------------------------------------------------

OF_TWO = ((0.1, 20.0), (0.2, 6.0))
IRREGULAR = tuple((round(0.05 + 0.00537 * each, 5), 120.0) for each in range(60))
FEW = (0.1, 0.31713, 0.93771)


def mixed(*rows, target=3.0, exact=None, **scenario):
    """All of them counted, or known to be `exact`, and nothing on the way."""
    question = MixedReleases(Scenario(**scenario), rows, target)
    if exact is None:
        return story(question) if rows == OF_TWO else so_far(question, 2)
    count = MixedCountAnswer(question.count(), ((int(sum(count for _, count in rows)), exact),))
    return Story(question.answer(of=lambda _: count))


def test_the_list_is_that_of_the_scenario_unless_there_is_another_one():
    assert MixedReleases(Scenario(epsilon0=0.1, releases=24)).counted == ((0.1, 24.0),)
    assert mixed((0.1, 24.0), epsilon0=0.1).headline.startswith("24 releases fit: ")
    assert (
        story(MixedReleases(Scenario(), ())).words
        == "Add at least one release: its ε₀, and how many of its kind there are."
    )


def test_the_exact_count_is_never_told_as_more_than_the_sum():
    shown = story(MixedReleases(Scenario(epsilon0=0.345, releases=1)))
    assert shown.headline == "1 release fits: 0.345 of 3 spent"
    assert "ε = 0.345 at δ = 10⁻⁵, basic composition 0.345." in shown.words
    assert story(MixedReleases(Scenario(epsilon0=0.4125))).headline == "2 releases fit: 0.825 of 3 spent"


def test_three_times_a_tenth_fits_into_three_tenths():
    assert 3 * 0.1 > 0.3, "floats do not add up as people do"
    assert mixed((0.1, 3.0), target=0.3).headline == "3 releases fit: 0.3 of 0.3 spent"
    together = mixed((0.1, 1.0), (0.2, 1.0), target=0.3, delta=1e-15)
    assert together.headline == "2 releases fit: 0.3 of 0.3 spent"


def test_the_exact_count_can_fit_where_the_sum_does_not():
    shown, exact = mixed(*OF_TWO), composition.exact(composition.compose([0.1, 0.2], [20, 6]), delta=1e-5)
    assert shown.headline == "26 releases fit: 2.43 of 3 spent, counted exactly"
    told = f"gives ε = {np.ceil(100 * exact.upper) / 100:g} at δ = 10⁻⁵, basic composition 3.2. (Proven)"
    assert f"The exact privacy loss distribution {told}" in shown.words
    claimed = printed.heterogeneous([0.1, 0.2], [20, 6], delta=1e-5)
    assert claimed > exact.upper
    assert f"Corollary 1 claims {brief(claimed)}. (Holds here)" in shown.words
    numbers, spent = shown.chart.curve("Exact")
    assert {0, 20, 26} < set(numbers)
    for number, value in zip(numbers[1:], spent[1:], strict=True):
        counts = [count for count in (min(number, 20), number - 20) if count > 0]
        assert value == composition.exact(composition.compose([0.1, 0.2][: len(counts)], counts), delta=1e-5).upper
    assert spent[-1] == exact.upper
    assert mixed(*OF_TWO, target=2.0).headline == "26 releases do not fit: more than ε = 2 is spent"
    assert shown.meters[0] == "Basic composition: 3.2 of 3 (107 %), 0.2 too much"
    assert re.fullmatch(r"Exact: 2\.43 of 3 \(80\.9.%\), 0\.57 left", shown.meters[1])


def test_a_corollary_below_the_truth_is_called_no_guarantee():
    shown = mixed((0.5, 400.0), target=100.0)
    assert "less than is truly spent: no guarantee" in shown.words
    assert any("not a valid guarantee" in name for name in shown.chart.names)
    assert "off the top" not in shown.words
    short = mixed((0.1, 1.0), (0.2, 1.0), target=0.3)
    assert "no guarantee" not in short.words
    assert "Corollary 1 runs off the top of the picture" in short.words


def test_a_claim_between_the_ends_of_the_exact_count_is_not_called_too_low():
    """What is truly spent may be the lower end: only a claim below that is known to be none."""
    claimed = float(composition.running([(0.5, 30.0)], [30], delta=1e-5, k=1).published[0])
    for lower, refuted in ((0.999 * claimed, False), (1.001 * claimed, True)):
        words = mixed((0.5, 30.0), exact=bracket(claimed, lower, 1.1 * claimed)).words
        assert ("less than is truly spent" in words) is refuted


def test_both_ends_are_named_where_they_are_apart_and_between_them_nothing_is_said_not_to_fit():
    """Levels without a common divisor: the ends of the exact count are more than 1 % apart."""
    wide = composition.exact(composition.compose([level for level, _ in IRREGULAR], 120), delta=1e-5)
    assert wide.upper > 1.01 * wide.lower, "the example must be one"
    shown = mixed(*IRREGULAR, target=1000.0, exact=wide)
    ends = re.search(r"gives ε from ([\d.]+) to ([\d.]+) at δ = 10⁻⁵, basic .*\. \(Proven\)", shown.words)
    lower, upper = map(float, ends.groups())
    assert (lower, upper) == (np.floor(wide.lower), np.ceil(wide.upper))
    assert f"in truth {lower:g} to {upper:g}" in shown.chart.alt
    assert any(bar.startswith(f"At most: {upper:g} of 1,000 ") for bar in shown.meters)
    between = mixed(*IRREGULAR, target=(wide.lower + wide.upper) / 2, exact=wide)
    assert between.headline.startswith("7,200 releases cannot be shown to fit: ")
    over = mixed(*IRREGULAR, target=wide.lower - 1, exact=wide)
    assert over.headline.startswith("7,200 releases do not fit: ")


def test_until_the_exact_count_is_there_basic_composition_answers():
    shown = so_far(MixedReleases(Scenario(), OF_TWO))
    assert shown.headline == "26 releases spend more than ε = 3 by basic composition"
    assert "Basic composition gives ε = 3.2. (Proven)" in shown.texts
    (meter,) = shown.meters
    assert meter.startswith("Basic composition: 3.2 of 3")


@pytest.mark.parametrize("count", [7, 11, 23])
def test_what_is_spent_is_told_as_no_less_than_it_is(count):
    found, added = composition.exact(composition.compose(FEW, count), delta=1e-5), count * sum(FEW)
    shown = mixed(*((level, float(count)) for level in FEW), exact=found)
    told = re.search(
        r"basic composition ([\d.]+), exact (?:[\d.]+ to )?([\d.]+), Corollary 1 ([\d.]+)\.$", shown.chart.alt
    )
    basic, exact = float(told[1]), float(told[2])
    assert added * (1 - 1e-12) <= basic <= 1.034 * added  # two digits
    assert min(found.upper, added) <= exact <= 1.034 * found.upper
    assert f"{exact:g} of" in " ".join(shown.meters), "the meter says the same"


def test_the_meter_never_says_that_less_is_used():
    told = mixed((0.1, 1.0), (0.2002, 5.0), target=1.1).meters[0]
    assert told.startswith("Basic composition: 1.101 of 1.1 (101 %), 0.001 too much")
    assert "(50.5 %)" in mixed((0.1, 5.0), (0.0042, 1.0), target=1.0).meters[0], "0.5042 of 1, up"


# --- every section ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mechanism", ["laplace", "gaussian", "exponential"])
@pytest.mark.parametrize("kind", [Accountants, HowManyReleases, MixedReleases])
def test_exact_is_said_only_of_a_mechanism_whose_truth_is_known(kind, mechanism):
    """Of many choices by the exponential mechanism only bounds are known: in no legend, bar, sentence or table is one called exact."""
    shown = story(kind(Scenario(mechanism=mechanism)))
    drawn = [
        each
        for chart in shown.charts.values()
        for each in (chart.alt, str(chart.names), str(chart.figure["layout"]["yaxis"]))
    ]
    told = " ".join([shown.words, *drawn, *shown.meters, *map(str, shown.tables)])
    assert bool(re.search(r"\bexact", told, re.IGNORECASE)) == (mechanism != "exponential")


def test_a_scenario_that_cannot_be_composed_is_said_so():
    for kind, epsilon0 in (
        (HowManyReleases, 600.0),
        (HowManyReleases, 1e-7),
        (MixedReleases, 60.0),
        (MixedReleases, 1e-7),
    ):
        with pytest.raises(InfeasibleError, match="ε₀ from 10⁻⁶ to 50. Your scenario has ε₀"):
            kind(Scenario(epsilon0=epsilon0))
    assert mixed((0.5, 3.0), epsilon0=60.0).headline == "3 releases fit: 1.5 of 3 spent"
    for kind in (Accountants, HowManyReleases, MixedReleases):
        with pytest.raises(InfeasibleError, match="iscrete Laplace cannot be used here. Sensitivity must be"):
            kind(Scenario(mechanism="discrete-laplace", sensitivity=0.5))


def test_paper_holds_tables_lists_meters_and_the_parts_that_a_page_counts_by_themselves():
    html = told(known(Accountants(Scenario())).story())
    assert "<h2>The numbers</h2>" in html
    assert "<thead><tr><th>Accountant</th><th>1</th><th>2</th><th>12</th></tr></thead>" in html
    assert html.count("<li>") == 2
    assert '<td data-is="12: ">9.17</td>' in html
    assert "Basic composition: 1 of 3 (33.4" in told(known(MixedReleases(Scenario())).story()).replace("\u00a0", " ")
