"""The toys of the mechanism lab: what they tell is what the core finds, and what a reader typed or opened is told to nobody else."""

import ast
import math
import re
from dataclasses import replace
from datetime import date
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from par_core import questions
from par_core.audit.outputs import try_on
from par_core.errors import ParameterError
from par_core.lab.classroom import Progress
from par_core.lab.loss_walk import walk
from par_core.lab.quiz import lecture, of_student
from par_core.lab.refute_claim import releases, try_claim
from par_core.lab.two_worlds import two_worlds
from par_core.lab.watch_it_run import run
from par_core.lab.which_mechanism import crossing
from par_core.mechanisms import NOISES
from par_core.questions.blocks import File, More
from par_core.questions.mechanism_lab.class_progress import ClassProgress
from par_core.questions.mechanism_lab.quiz import hints
from par_core.questions.mechanism_lab.refute_claim import COLUMNS
from par_core.questions.report import report
from par_core.randomness import seeded
from par_core.rounding import brief
from par_core.scenario import Scenario
from par_core.tables.table import of_frame
from tests.shown import Story, plain, values

MARKER = "zebra4711"
OUTPUTS = releases("laplace", 1.0, 600, share=0.5, rng=seeded(8))
FILE = pd.DataFrame(OUTPUTS, columns=[f"{MARKER}x", f"{MARKER}y"])


def told(kind, scenario=Scenario(), **asked):  # noqa: B008  # it is immutable
    return Story(kind(scenario, **asked).answer())


def own(frame=FILE, **asked):
    table = of_frame(f"{MARKER}.csv", frame, digest=MARKER)
    return questions.RefuteOutputs(Scenario(), 1.0, columns=tuple(FILE), own=table, **asked)


def on_paper(answer):
    return report(answer.for_others, title="One section", link="", version="1.0", date=date(2026, 1, 31))


def words(text):
    return re.findall(r"[^\W_][\w.,'’/-]*", text)


# --- what follows the scenario ----------------------------------------------------------------------------------------


def test_a_toy_follows_the_scenario_as_far_as_it_can_go():
    for epsilon0, level in ((1e-3, 1e-3), (20.0, 20.0), (9e-4, 0.5), (20.1, 0.5)):
        scenario = Scenario(epsilon0=epsilon0)
        assert (questions.TwoWorlds(scenario).level, questions.TwoWorlds(scenario, 2.0).level) == (level, 2.0)


def test_the_noise_follows_too_and_a_mechanism_that_adds_none_leaves_laplace_noise():
    question = questions.TwoWorlds(Scenario(mechanism="gaussian", delta=1e-7))
    assert (question.kind, question.aim) == ("gaussian", 1e-7)
    assert questions.TwoWorlds(Scenario(mechanism="exponential")).kind == "laplace"
    assert question.given | {"Noise": "Gaussian", "δ": "10⁻⁷", "ε": "0.5"} == question.given
    assert "δ" not in questions.TwoWorlds(Scenario()).given


WRONG = {
    questions.TwoWorlds: {
        "epsilon": 21.0,
        "noise": "exponential",
        "noise_delta": 0.6,
        "published": math.inf,
        "fails": 1.0,
    },
    questions.WatchItRun: {"drawn": 0, "beta": 0.6},
    questions.Coins: {"true": 1.1, "said": 1_001},
    questions.ChooseOne: {"candidates": (), "utilities": (1.0,), "weights": (0.0,) * 5, "moves": 0.0},
    questions.WhichMechanism: {"measure": "x"},
    questions.OnlyASample: {"share": 0.0},
    questions.AGroup: {"persons": 51},
    questions.LossByLoss: {"releases": 101},
    questions.BestOfRuns: {"runs": 0},
    questions.HowFarItMoves: {"number": 9, "neighbours": "x", "variant": 41, "said": 0.0},
    questions.RefuteDrawn: {"share": 0.01, "against": "risk"},
    questions.QuizQuestion: {"number": 13, "whose": "x"},
}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, wrong in WRONG.items() for name in wrong])
def test_what_cannot_be_asked_is_refused(kind, name):
    with pytest.raises(ParameterError, match=name.removesuffix("s")):
        kind(Scenario(), **{name: WRONG[kind][name]})


# --- only a sample, and a group ---------------------------------------------------------------------------------------


def test_a_share_of_the_people_is_not_that_share_of_epsilon():
    shown = told(questions.OnlyASample, epsilon=1.0, share=0.1)
    assert shown.headline == "On a random 10 % of the people, ε = 1 becomes ε = 0.159"
    assert "A guess would be 0.1, that share of ε." in shown.words
    curve, guess = (shown.charts["only_a_sample"].curve(name)[1] for name in ("exact", "guess"))
    assert (curve >= guess).all()
    assert told(questions.OnlyASample, epsilon=1.0, share=1.0).headline.endswith("ε = 1 becomes ε = 1")


def test_a_group_has_as_many_times_epsilon():
    shown = told(questions.AGroup, epsilon=0.5, persons=4)
    assert shown.headline == "For a group of 4, ε = 0.5 is ε = 2"
    assert "move by a factor of 7.39 at most" in shown.words
    assert told(questions.AGroup, epsilon=0.5, persons=1).headline == "For one person, ε = 0.5 is what it says"
    assert "factor" not in told(questions.AGroup, epsilon=20.0, persons=50).words


# --- loss by loss, the best of several, and sensitivity -----------------------------------------------------------------


def test_walks_are_counted_above_the_level_and_delta_is_told_apart_from_it():
    shown, found = told(questions.LossByLoss, epsilon=0.5), walk("laplace", 0.5, 30)
    assert shown.headline == "After 30 releases 3 of 50 walks end above 7.25; at most 5 % are expected to"
    assert found.above == 3
    assert "charges the full ε for every release, 15 in all. (Proven) No walk ever loses more." in shown.words
    assert "At δ = 5 % the releases have ε = 6.5, and up to 9.25 % of walks end above that" in shown.words
    ((at, level, _),) = shown.chart.own
    assert (at, level) == (30, found.level)
    np.testing.assert_allclose(shown.chart.curve("walk 7;")[1], found.walks[6])
    gaussian = told(questions.LossByLoss, epsilon=0.5, noise="gaussian")
    assert "Gaussian noise can lose any amount" in gaussian.words
    assert not [name for name in gaussian.chart.names if "basic" in name]
    assert "e-0" not in told(questions.LossByLoss, epsilon=0.001).words


def test_the_best_of_ten_costs_ten_and_with_a_random_number_three_at_most():
    shown = told(questions.BestOfRuns, epsilon=0.5, runs=10)
    assert shown.headline == "The best of 10 runs with ε = 0.5 each has ε = 5"
    assert "No run is good 1 time in 115 with a person in the table, 1 time in 17,000 without. (Proven)" in shown.words
    assert "the best has ε = 1.32; however many there are, less than 3 ε₀ = 1.5. (Proven)" in shown.words
    assert [point[1] for point in shown.chart.own] == pytest.approx([5.0, 1.3125], abs=1e-4)
    assert told(questions.BestOfRuns, epsilon=0.5, runs=1).headline == "One run with ε = 0.5 costs what it says"
    assert "e^ε times as likely" in told(questions.BestOfRuns, epsilon=20.0, runs=100).words


def test_what_a_learner_says_of_a_sensitivity_is_judged_and_too_little_refuted_by_two_tables():
    asked = {"number": 2, "neighbours": "replace-one"}
    hidden = told(questions.HowFarItMoves, **asked, answered=False)
    assert hidden.headline == "How far can one person move the sum of the values?"
    assert set(hidden.charts) == {"neighbouring_tables"}
    assert "40" not in hidden.words
    small = told(questions.HowFarItMoves, **asked, said=22.0, answered=False)
    assert "22 is too small: one person can move the answer by 34, as the next two tables show." in small.words
    assert set(small.charts) == {"neighbouring_tables", "further_tables"}
    large = told(questions.HowFarItMoves, **asked, said=50.0, answered=False)
    assert "50 is safe, but too large: 1.25 times as much noise as it takes." in large.words
    right = told(questions.HowFarItMoves, **asked, said=40.0)
    assert "40 is right." in right.words
    assert "At most 40. (Proven) One value goes from one bound to the other: 30 − (−10)." in right.words
    table = questions.HowFarItMoves(Scenario(), **asked).answer().chart.table()
    assert (table["one table"] != table["its neighbour"]).sum() == 2, "one person, and the answer"


@pytest.mark.parametrize("neighbours", ["replace-one", "add-or-remove"])
@pytest.mark.parametrize("number", range(1, 9))
def test_each_exercise_is_short_and_keeps_its_answer_until_it_is_told(number, neighbours):
    page = "What does a private mechanism do, and what can go wrong?"
    for variant in range(1, 41):
        question = questions.HowFarItMoves(Scenario(), number, neighbours, variant, answered=False)
        shown = Story(question.answer())
        assert len(words(f"{page} {shown.headline} {shown.texts[1]}")) <= 45
        assert not re.search(r"[{}]", shown.words)
        assert "At most" not in shown.words


# --- one answer, two worlds -------------------------------------------------------------------------------------------


def test_the_headline_is_bayes_rule_at_the_answer():
    shown = told(questions.TwoWorlds, epsilon=1.0, prior=0.2)
    assert shown.headline == "An answer of 42 is 2.72 times as likely if Angie failed: belief 20 % → 40.5 %"
    assert "privacy loss of 1. (Proven)" in shown.words
    assert "factor of e^ε = 2.72: 20 % ends between 8.42 % and 40.5 %" in shown.words
    passed = told(questions.TwoWorlds, epsilon=1.0, prior=0.2, published=40.3)
    assert passed.headline.endswith("1.5 times as likely if Angie passed: belief 20 % → 14.3 %")
    even = told(questions.TwoWorlds, epsilon=1.0, prior=0.2, published=40.5)
    assert even.headline == "An answer of 40.5 is as likely in both worlds: belief stays 20 %"


@pytest.mark.parametrize("kind", NOISES)
@pytest.mark.parametrize("epsilon", [0.01, 0.5, 10.0])
def test_the_marks_lie_on_both_densities(kind, epsilon):
    charts = told(questions.TwoWorlds, noise=kind, epsilon=epsilon, published=41.0).charts
    seen = two_worlds(kind, epsilon, answer=41)
    chart, losses = charts["two_worlds"], charts["loss_of_an_answer"]
    marks = [each for each in chart.figure["data"] if each.get("mode") == "markers+text"]
    assert [plain(each["text"][0]) for each in marks[:2]] == ["", ""]
    assert [y for _, y, text in chart.own if not text] == pytest.approx(list(seen.likelihoods))
    for name, curve in (("Angie passed: 40;", seen.without), ("Angie failed: 41;", seen.with_them)):
        np.testing.assert_allclose(chart.curve(name)[1], curve)
    assert losses.own[0][:2] == pytest.approx((41, seen.loss))
    assert np.abs(losses.curve("loss: ln")[1]).max() <= epsilon * (1 + 1e-12) or kind == "gaussian"


def test_gaussian_noise_is_said_to_leave_the_band_and_how_often():
    exceeds = two_worlds("gaussian", 0.5).exceeds
    (said,) = re.findall(
        r"at most 1 of ([\d,]+) releases loses more", told(questions.TwoWorlds, noise="gaussian").words
    )
    assert 0.99 / exceeds <= int(said.replace(",", "")) <= 1 / exceeds
    often = two_worlds("gaussian", 0.5, delta=0.01).exceeds
    shown = told(questions.TwoWorlds, noise="gaussian", noise_delta=0.01)
    (percent,) = re.findall(r"at most ([\d.]+) % of releases lose more", shown.words)
    assert 100 * often <= float(percent) <= 101 * often
    assert "largest loss" not in told(questions.TwoWorlds).words


def test_whole_noise_reads_an_answer_as_a_whole_number():
    shown = told(questions.TwoWorlds, noise="discrete-laplace", published=41.2)
    assert "41.2 is read as 41" in shown.words
    assert shown.headline.startswith("An answer of 41 is")
    assert "is read as" not in told(questions.TwoWorlds, noise="discrete-laplace", published=43.0).words


def test_the_lecture_s_three_queries():
    def opened(**asked):
        answer = questions.TwoWorlds(Scenario(), **asked).answer()
        (folded,) = (each for each in answer.story() if isinstance(each, More))
        return Story(SimpleNamespace(story=folded.opened, headline=""))

    shown = opened()
    (table,) = shown.tables
    assert table["Exact answer"] == ["0: 100 %", "6: 40 %", "0: 100 %"]
    assert table["With the lecture’s noise"][2] == "1: 42.4 %"
    assert "third answer has a probability of 19.8 %. (Proven)" in shown.words
    assert "The lecture has 43 % for the belief after it. (Refuted)" in shown.words
    assert "The lecture has" not in opened(fails=0.1).words


# --- watch it run -----------------------------------------------------------------------------------------------------


def test_the_headline_counts_what_is_beyond_the_bound():
    shown = told(questions.WatchItRun, epsilon=1.0, drawn=1000, each=4, seed=9)
    seen = run("laplace", 1.0, 1000, k=4, seed=9)
    assert shown.headline == f"{seen.beyond} of 1,000 releases were off by more than 4.37; at most 5 % are expected"
    assert "(Estimate)" in shown.words
    assert "bound, ln(k/β)·Δ/ε, is 4.39. (Proven)" in shown.words
    assert "4.37 is enough. (Proven)" in shown.words
    assert told(questions.WatchItRun, drawn=1).headline.split(" were")[0] in ("0 of 1 releases", "1 of 1 releases")
    assert "at most 10 % are expected" in told(questions.WatchItRun, beta=0.1).headline


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("laplace", "For one number the lecture’s bound, ln(1/β)·Δ/ε, is exact: 6. (Proven)"),
        ("discrete-laplace", "6 is the smallest that no more than a share β exceeds"),
        ("gaussian", "The bound, 13.8, is exact. (Proven)"),
    ],
)
def test_each_noise_has_its_bound(kind, said):
    shown = told(questions.WatchItRun, noise=kind)
    assert said in shown.words
    seen = run(kind, 0.5, 100)
    np.testing.assert_allclose(values(shown.chart.trace("drawn so far")["y"]), seen.heights)
    np.testing.assert_allclose(shown.chart.curve("expected")[1], seen.curve)
    low, high = shown.chart.figure["layout"]["xaxis"]["range"]
    assert low < -seen.off < seen.off < high
    one, other = (told(questions.WatchItRun, seed=seed).chart.figure["data"] for seed in (3, 4))
    assert one[0]["y"] != other[0]["y"]
    assert one[1]["y"] == other[1]["y"]


# --- coins ------------------------------------------------------------------------------------------------------------


def test_a_drawn_survey_says_what_was_said_estimated_and_true():
    shown = told(questions.Coins, epsilon=1.0, people=1_000_000)
    assert "truth 30 %" in shown.headline
    assert "share = 2.164 · (share who said yes) − 0.582" in shown.words
    assert "off by at most 0.189 percentage points" in shown.words
    assert "the same ε by at most 0.0003: in people, 1,890 against 3. (Proven)" in shown.words
    assert "coins are the local model" in shown.words
    (estimate,), _ = shown.charts["coins_survey"].curve("estimated")
    assert abs(estimate - 0.3) < 0.005
    assert shown.charts["coins_survey"].curve("true share")[0][0] == 0.3


def test_the_lecture_s_survey():
    shown = told(questions.Coins, epsilon=math.log(3), said=430)
    assert shown.headline == "430 of 1,000 said yes: the estimate is 36 %"
    assert "truth with probability 75 %" in shown.words
    assert "standard error of this estimate is 3.14 percentage points" in shown.words


def test_odd_surveys_have_words_and_charts():
    for asked in ({"true": 1.0, "people": 1, "epsilon": 0.001}, {"true": 0.0, "epsilon": 20.0}, {"said": 0}):
        shown = told(questions.Coins, **asked)
        assert set(shown.charts) == {"coins_survey", "coins_errors"}
        assert "e-0" not in shown.words


def test_a_share_that_the_rule_cannot_mean_is_explained():
    assert "no share" in told(questions.Coins, said=1).words
    assert "no share" not in told(questions.Coins, said=500).words


def test_a_script_holds_the_readers_settings():
    coins, choice = questions.Coins(Scenario(), 1.5), questions.ChooseOne(Scenario(), 1.5, moves=3.0)
    constants = {"CATEGORIES": ["no", "yes"]}, {"SENSITIVITY": 3.0}
    for question, held in zip((coins, choice), constants, strict=True):
        (file,) = (each for each in question.answer().story() if isinstance(each, File))
        assigned = [node for node in ast.parse(file.make()).body if isinstance(node, ast.Assign)]
        made = {node.targets[0].id: node.value for node in assigned}
        for name, value in {"EPSILON": 1.5, **held}.items():
            assert ast.literal_eval(made[name]) == value


# --- choose one of many -----------------------------------------------------------------------------------------------


def choice(*utilities, names="ABCDE", **asked):
    names = tuple(names[: len(utilities)])
    return questions.ChooseOne(Scenario(), 2.0, names, utilities, (1.0,) * len(utilities), **asked)


def test_the_best_candidate_is_chosen_as_often_as_the_law_says():
    shown = Story(choice(1.0, 0.0).answer())
    assert shown.headline.startswith("The best candidate is chosen with probability 73.1 %")
    chances, _ = shown.chart.curve("exact probability")
    assert chances == pytest.approx([1 / (1 + math.exp(-1)), 1 / (1 + math.exp(1))])
    assert "chosen with probability 100 %" in Story(choice(1.0).answer()).headline
    assert choice(1.0, 1.0, 0.0).answer().headline.startswith("One of the 2 best candidates is chosen")


def test_without_draws_there_are_no_circles():
    shown = told(questions.ChooseOne, draws=0)
    assert not [name for name in shown.chart.names if "draws" in name]
    assert "Gumbel" not in shown.words


def test_the_names_of_a_readers_candidates_are_told_to_nobody_else():
    question = choice(3.0, 1.0, names=(MARKER, f"<b>{MARKER}</b>"))
    answer = question.answer()
    assert question.private
    assert MARKER not in repr(question) + on_paper(answer) + repr(answer.for_others.question)
    assert not answer.for_others.question.private
    assert f"{MARKER}" in str(answer.chart.table())
    assert f"&lt;b&gt;{MARKER}" in str(answer.chart.draw().to_json())
    assert (question.public.utilities, questions.ChooseOne(Scenario()).private) == (question.utilities, False)


# --- which mechanism --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("measure", ["average", "range", "all"])
def test_the_headline_names_the_crossing(measure):
    shown = told(questions.WhichMechanism, epsilon=1.0, noise_delta=1e-6, measure=measure)
    first = crossing(1.0, 1e-6, measure=measure)
    assert f"From {first} counts on, Gaussian noise beats Laplace noise at ε = 1, δ = 10⁻⁶" == shown.headline
    ((at, _, text),) = shown.chart.own
    assert at == first
    assert text.startswith(f"from {first} on")


def test_where_gaussian_noise_never_wins_it_is_said():
    shown = told(questions.WhichMechanism, epsilon=1.0, noise_delta=1e-6, moves="one")
    assert shown.headline.startswith("Up to a million counts Laplace noise beats Gaussian noise")
    assert not shown.chart.own
    assert told(questions.WhichMechanism, epsilon=0.1, noise_delta=0.5).headline.startswith("From 1 count on")


# --- why the proof fails ----------------------------------------------------------------------------------------------


def test_the_four_steps_tell_one_story():
    first, second, third, last = (
        told(questions.WhyTheProofFails, epsilon=1.0, step=step, drawn=0.25, hoped=0.5) for step in range(1, 5)
    )
    assert first.headline == "Table x answers 0, the noise drawn is 0.25: 0.25 is published"
    assert second.headline == "From table y the same release is a noise of -0.75, not 0.25"
    assert "The privacy loss of this release is 0.5" in second.words
    assert third.headline.startswith("68.4 % of releases lie on the outer lines")
    ((x, y, _),) = third.chart.own
    assert (x, y) == (0.25, 0.75)
    assert last.headline == "The loss exceeds ε = 0.5 in 84.7 % of releases; the proof says 37.8 %"
    assert last.headline in last.chart.alt
    assert "In 84.7 % (Proven) of releases its size exceeds ε = 0.5" in last.words
    assert "(Refuted) 37.8 %" in last.words
    assert re.search(r"Equation 17 then puts .* independent", last.words.replace("*", ""))


# --- traps ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "headline"),
    [
        (questions.PublishedRecords, "With δ = 0.001 somebody's whole record may come out, in 63.3 % of releases"),
        (questions.InventedPeople, "Negative counts set to 0: 1,000 empty cells hold 426 people, at ε = 1"),
        (questions.FloatNoise, "66.7 % of noisy numbers of 11 bits can come out of one table only"),
        (questions.PrivateAverage, "Noise scaled by a private count breaks ε = 1 in 21.9 % of releases"),
    ],
)
def test_a_trap_has_one_headline_and_shows_before_it_tells(kind, headline):
    shown = told(kind, Scenario(epsilon0=1.0))
    assert shown.headline == headline
    assert len(words(headline)) <= 16
    assert len(re.findall(r"[.!?](?=\s|$)", shown.texts[1])) == 1
    assert len(f"{headline} {shown.texts[1]}".split()) <= 33


def test_the_numbers_of_the_traps():
    assert "Their grade: 51. (Proven)" in told(questions.PrivateAverage).words
    assert "breaks ε = 1 in 35.8 % of releases" in told(questions.PrivateAverage, epsilon=1.0, averaged=1).headline
    clamped = told(questions.InventedPeople, epsilon=1.0, bound=3)
    assert "Cut off at ±3 it gives an answer that the other table cannot give, in 3.64 % of releases" in clamped.words
    assert "3.64" in clamped.charts["clamped_noise"].alt
    assert "with Laplace noise it would be 500." in clamped.words
    assert told(questions.PublishedRecords, people=3000).headline.startswith("With δ = 0.000333 somebody")


# --- refute a claim ---------------------------------------------------------------------------------------------------


def test_half_the_noise_is_refuted_after_so_many_pairs():
    shown, found = told(questions.RefuteDrawn, epsilon=1.0), try_claim("laplace", 1.0, 2_000, share=0.5)
    after = found.tried.refutation.refuted_after
    assert shown.headline == f"Claimed ε = 1 refuted after {after} pairs"
    assert "50 % of the noise that the claim takes, and ε is 2. (Proven)" in shown.words
    assert f"ε is at least {brief(found.tried.bound.epsilon, toward='down')}, with 95 % confidence" in shown.words
    (last,) = shown.chart.own
    assert last == (after, pytest.approx(found.tried.refutation.wealth[-1]), f"pair {after}")
    pairs, wealth = shown.chart.curve("wealth")
    np.testing.assert_allclose(wealth, np.append(1.0, found.tried.refutation.wealth)[pairs.astype(int)])
    assert wealth[:-1].max() < 20 <= wealth[-1]
    assert "Not refuted is" not in shown.words


def test_a_claim_that_only_all_pairs_refute_is_refuted_and_a_true_one_never_confirmed():
    tried = try_claim("laplace", 0.5, 500, share=0.6).tried
    assert tried.refutation.refuted_after is None
    assert tried.bound.epsilon > 0.5
    shown = told(questions.RefuteDrawn, share=0.6, pairs=500)
    assert shown.headline == "Claimed ε = 0.5 refuted by all 500 pairs at once"
    assert "Not refuted is" not in shown.words
    shown = told(questions.RefuteDrawn, share=1.0, pairs=300)
    assert shown.headline == "Claimed ε = 0.5 not refuted by 300 pairs"
    assert "Not refuted is not confirmed." in shown.words
    assert not re.search(r"(?<!not )confirmed", shown.words)


@pytest.mark.parametrize("kind", NOISES)
def test_a_whole_curve_is_tried(kind):
    shown = told(questions.RefuteDrawn, epsilon=1.0, noise=kind, noise_delta=0.001, against="curve", share=0.3)
    found = try_claim(kind, 1.0, 2_000, share=0.3, delta=0.001, against="curve").tried
    assert shown.headline.startswith(f"Claimed curve of {NOISES[kind].name} noise, ε = 1")
    assert shown.headline.endswith(f"refuted after {found.refutation.refuted_after} pairs")
    assert ("δ = 0.001" in shown.headline) == (kind == "gaussian")
    assert "Against the curve, at once" in shown.words
    assert ("it is refuted" in shown.words) == found.check.is_refuted


def test_made_up_releases_are_tried_where_there_is_no_file():
    outputs = releases("laplace", 0.5, 2_000, share=0.5, rng=seeded(1)).T
    shown = told(questions.RefuteOutputs, claimed_delta=0.01)
    after = try_on(*outputs, 0.5, delta=0.01).refutation.refuted_after
    assert shown.headline == f"Claimed ε = 0.5, δ = 0.01 refuted after {after} pairs"
    assert "In truth" not in shown.words
    curve = told(questions.RefuteOutputs, against="curve", noise="gaussian", noise_delta=0.001, claimed_delta=0.01)
    assert curve.headline.startswith("Claimed curve of Gaussian noise, ε = 0.5, δ = 0.001, ")


def test_columns_of_a_file_are_tried_and_told_to_nobody_else():
    question = own()
    answer = question.answer()
    after = try_on(*OUTPUTS.T, 1.0).refutation.refuted_after
    assert answer.headline.replace("\u00a0", " ") == f"Claimed ε = 1 refuted after {after} pairs"
    assert "on the first input" in Story(answer).words
    assert MARKER not in repr(question) + on_paper(answer)
    assert question.private
    assert (question.public.own, question.public.columns) == (None, COLUMNS)


def test_a_column_may_end_earlier_and_too_few_outputs_are_named():
    short = FILE.copy()
    short.loc[500:, f"{MARKER}x"] = np.nan
    after = try_on(OUTPUTS[:500, 0], OUTPUTS[:, 1], 1.0).refutation.refuted_after
    assert own(short).answer().headline.endswith(f"refuted after {after} pairs")
    with pytest.raises(ParameterError, match="at least 4 numbers"):
        own(FILE.head(3)).answer()


# --- quiz -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(1, 13))
def test_each_question_is_short_its_words_leave_nothing_open_and_its_picture_keeps_the_answer(number):
    page = "What does a private mechanism do, and what can go wrong?"
    hidden = questions.QuizQuestion(Scenario(), number=number, whose="lecture", answered=False)
    asked = [hidden, replace(hidden, whose="mine", epsilon=0.37, noise_delta=3e-7)]
    for question in (*asked, *(replace(hidden, whose="class", seed=5, student=each) for each in range(1, 41))):
        answer = question.answer()
        detail = answer.detail.told()
        assert len(words(answer.headline)) <= 16, answer.headline
        assert len(re.findall(r"[.!?](?=\W*(?:\s|$))", detail)) == 1, detail
        assert len(words(f"{page} {answer.headline} {detail}")) <= 45
        for text in (answer.headline, detail, answer.explanation.told()):
            assert not re.search(r"[{}]|e-0|\d{5}", text), text
    answer = hidden.answer()
    assert Story(answer).own == ["picture"]
    assert not Story(answer).charts, "whose data hold the answer"
    curve, mark = answer.drawing.data
    assert (max(curve["y"]), mark["text"][0]) == (1.0, "?")
    assert not answer.drawing.layout["yaxis"]["showticklabels"]
    assert "not shown yet" in answer.alt.told()
    shown = Story(replace(hidden, answered=True).answer())
    right = shown.chart.own[0][2].removesuffix("\u00a0%")
    assert right in shown.words
    assert right in shown.chart.alt
    assert shown.own == ["link"]


def test_an_audience_sees_how_far_the_quiz_is():
    shown = told(questions.QuizQuestion, number=3, whose="lecture", answered=False, for_audience=True)
    assert shown.headline.startswith("3 of 12: Laplace noise")
    assert shown.own == ["presented", "picture"]


@pytest.mark.parametrize("number", range(1, 13))
def test_the_hints_of_a_question_are_short_and_do_not_hold_its_answers(number):
    question = lecture()[number - 1]
    for text in hints(question):
        numbers = [float(each.replace(",", "")) for each in re.findall(r"\d[\d,]*(?:\.\d+)?", text)]
        for right in question.answers.values():
            assert right.value not in numbers, text
            assert not any(
                abs(each / right.value - 1) < 0.01 for each in numbers if each not in question.given.values()
            )
    for student in range(1, 41):
        first, second = hints(of_student(5, student)[number - 1])
        assert first != second
        for text in (first, second):
            assert len(words(text)) <= 45, text
            assert not re.search(r"[{}]|e-0", text), text


def test_a_class_is_told_in_counts_alone():
    counted = Progress(3, (1, *[0] * 11), (2, *[0] * 11), (5, *[0] * 11))
    shown = told(ClassProgress, counted=counted)
    assert shown.headline == "3 joined, with 2 right answers"
    assert "Question 1 has the most wrong answers: 5." in shown.words
    assert [shown.chart.curve(name)[1][0] for name in ("right", "tried", "not begun")] == [2, 1, 0]
    assert "question 1: 2 right, 1 tried" in shown.chart.alt
    nobody = told(ClassProgress, counted=Progress(0, *[(0,) * 12] * 3))
    assert nobody.headline == "The class is open: nobody has come in yet"
    assert "wrong" not in nobody.words
