"""The label for the public: the numbers of Odds, Duties and the plan, on the safe side, in words that a stranger understands."""

import math
import re
from dataclasses import replace
from datetime import date

import pytest
from click.testing import CliRunner

from par_core.cli import par
from par_core.decision import duties, odds, total
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import MODEL, PROVEN
from par_core.mechanisms import PermuteAndFlip
from par_core.plan import PlanScenario, Release, totals
from par_core.queries.quantile_shape import QuantileShape
from par_core.queries.shapes import CountsShape, MeanShape, NumbersShape, SumShape
from par_core.questions import PublicLabel
from par_core.questions import notebook as as_notebook
from par_core.questions.decide.public_label import LONGEST
from par_core.questions.html import told
from par_core.questions.report import report
from par_core.scenario import Neighbours, Scenario
from tests.shown import Story

TEXTS = {
    "name": "Visits by age",
    "publisher": "Health Centre of Lindau",
    "purpose": "Shows which age groups need doctors.",
    "unit": "A visit.",
    "contact": "privacy@lindau.example",
    "date": "2026-11-28",
    "description": "Twelve counts a month.",
    "region": "Bavaria",
}
PURE = (
    Release(CountsShape(12), mechanism="discrete-laplace", times=3),
    Release(CountsShape(5, persons=True), rows_per_person=3),
    Release(MeanShape(upper=100.0), rows=9000, times=2),
)
NOISY = (*PURE, Release(NumbersShape(2, 3.0), mechanism="gaussian", times=4), Release(SumShape(), mechanism="gaussian"))
SCENARIOS = {
    "scenario": Scenario(),
    "once": Scenario(releases=1, epsilon0=0.3),
    "gaussian": Scenario(mechanism="gaussian", delta=1e-6),
    "pure plan": PlanScenario(epsilon0=1.0, plan=PURE),
    "plan with Gaussian noise": PlanScenario(epsilon0=1.0, plan=NOISY),
    "added or removed": PlanScenario(
        epsilon0=0.6, neighbours="add-or-remove", plan=(Release(CountsShape(3), times=2),)
    ),
}


@pytest.fixture(params=SCENARIOS.values(), ids=SCENARIOS)
def scenario(request):
    return request.param


def asked(scenario=None, **texts):
    return PublicLabel(scenario or Scenario(), **(TEXTS | texts)).answer()


def facts(answer):
    """The questions of the label with their answers."""
    questions, answers = answer.facts().columns.values()
    return {question: each.told().replace("\u00a0", " ") for question, each in zip(questions, answers, strict=True)}


# --- the numbers ------------------------------------------------------------------------------------------------------


def test_its_numbers_are_those_of_odds_duties_and_the_plan(scenario):
    answer, found = asked(scenario), odds(scenario, releases=scenario.releases)
    numbers = answer.numbers()
    assert answer.found.odds == found
    assert numbers["all_releases_together"] == total(scenario).quantity("epsilon")
    right = numbers["right_of_100_guesses"].value
    assert 100 * found.if_in <= right < 100 * found.if_in + 1, "rounded up, and by no more"
    assert f"at most {right} of 100 guesses" in facts(answer)["Could somebody find out whether I am in the data?"]
    offs = [number.value for name, number in numbers.items() if name.startswith("release_")]
    said = next(each for each in duties(scenario) if each.key == "accuracy").says
    told_offs = answer.releases().columns["Off by at most, 95 times in 100"]
    assert all(re.search(rf"within {re.escape(each[1:])}(?!\.?[\d,])", said) for each in told_offs)
    if isinstance(scenario, PlanScenario):
        assert tuple(offs) == totals(scenario.whole).errors
    (spent,) = (each.says for each in duties(scenario) if each.key == "total")
    told_spent = re.search(r"ε = (\S+) and δ = (\S+),", facts(answer)["How strongly, for experts?"]).groups()
    assert f"ε up to {told_spent[0]} at δ = {told_spent[1]}." in spent.replace("\u00a0", " ")


def test_what_is_told_of_an_error_and_of_epsilon_is_never_too_small(scenario):
    answer = asked(scenario)
    for at, said in enumerate(answer.releases().columns["Off by at most, 95 times in 100"]):
        assert float(said[1:].replace(",", "")) >= answer.found.offs[at]
    strongly = facts(answer)["How strongly, for experts?"]
    assert float(re.search(r"ε = (\S+)", strongly)[1]) >= total(scenario).epsilon


def test_a_mean_of_which_nobody_guessed_the_rows_and_a_mechanism_without_noise_have_no_error():
    mean = Release(MeanShape(upper=9.0, chooses=True))
    answer = asked(PlanScenario(plan=(mean, Release(CountsShape(2)))))
    assert answer.releases().columns["Off by at most, 95 times in 100"][0] == "not known"
    assert "ask the publisher" in facts(answer)["How wrong can the numbers be?"]
    assert [each for each in answer.numbers() if each.startswith("release_")] == ["release_2_within"]
    coins = asked(Scenario(mechanism="randomised-response", releases=1))
    assert "ask the publisher" in facts(coins)["How wrong can the numbers be?"]
    assert "noise" not in facts(coins)["How are people protected?"]
    assert coins.releases().columns["Protected by"] == ["randomised response"]


def test_what_holds_under_an_assumption_alone_is_not_called_proven():
    capped = replace(
        SCENARIOS["pure plan"], plan=(Release(SumShape(upper=9.0), rows_per_person=3),), neighbours="replace-one"
    )
    proven = asked(capped)
    assert {each.evidence.basis for each in proven.numbers().values()} == {PROVEN}
    mean = PlanScenario(plan=(Release(MeanShape(lower=5.0, upper=9.0), rows=900, rows_per_person=3),))
    answer = asked(mean)
    assert mean.whole.assumes_as_many
    assert {each.evidence.basis for each in answer.numbers().values()} == {MODEL}
    assert "All this holds if as many rows replace a person's rows." in Story(answer).words
    guessed = PlanScenario(plan=(Release(MeanShape(upper=9.0, chooses=True), size=900),))
    assert "at least 900 rows are averaged in release 1" in told(asked(guessed).assumed())


def test_a_guess_of_the_rows_that_only_errors_rest_on_is_not_said_to_carry_the_privacy():
    guessed = asked(PlanScenario(plan=(Release(MeanShape(chooses=True), size=900),), neighbours="add-or-remove"))
    (note,) = guessed.assumed()
    assert note.told() == "The errors hold only if at least 900 rows are averaged in release 1."


# --- the words --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("fields", "words"), [
    ({}, "Each person with at most 1 row in each release: whether it is theirs or somebody else's, and what is recorded in it."),
    ({"rows_per_person": 3, "neighbours": "add-or-remove"},
        "Each person with at most 3 rows in each release: whether these are there at all"),
])  # fmt: skip
def test_it_says_who_is_protected_and_from_what(fields, words):
    assert facts(asked(Scenario(**fields)))["What is protected?"].startswith(words)


def test_where_releases_take_more_or_fewer_rows_the_table_says_how_many():
    answer = asked(SCENARIOS["pure plan"])
    assert "no more rows than the list below says in each release" in facts(answer)["What is protected?"]
    assert answer.releases().columns["Of one person at most"] == ["1 row", "3 groups", "1 row"]
    assert "Of one person at most" not in asked().releases().columns


def test_answers_by_randomised_response_do_not_hide_who_gave_one():
    answer = asked(Scenario(mechanism="randomised-response", neighbours="add-or-remove"))
    assert "there at all" not in facts(answer)["What is protected?"]
    assert "How many people are in the data is no secret." in [each.told() for each in answer.not_protected().lines]


def test_a_number_that_is_mostly_exact_is_not_called_exact():
    answer = asked(Scenario(mechanism="discrete-laplace", epsilon0=6.0, releases=1))
    assert answer.releases().columns["Off by at most, 95 times in 100"] == ["±0"]
    assert "within ±0 of the true one; otherwise it is further off" in facts(answer)["How wrong can the numbers be?"]


def test_it_says_how_often_and_when():
    each = (Release(CountsShape(2), times=12), Release(SumShape(), times=12))
    said = facts(asked(PlanScenario(plan=each)))
    assert said["How often is it published?"].startswith(
        "12 times, everything each time: 24 releases. This label counts all of that"
    )
    assert said["First published"] == "28 November 2026"
    uneven = facts(asked(SCENARIOS["pure plan"]))
    assert uneven["How often is it published?"].startswith("6 times in all, as the list below says.")
    assert facts(asked(SCENARIOS["once"]))["When?"] == "28 November 2026"


def test_releases_have_the_names_of_who_publishes_them_which_make_it_private():
    scenario = PlanScenario(plan=(Release(CountsShape(2)), Release(SumShape(upper=5.0))))
    named = PublicLabel(scenario, names=("visits by *ward*", ""))
    first, second = (each.told() for each in named.answer().releases().columns["What is published"])
    assert (first, second) == ("1. Visits by *ward*", "2. A sum of values from 0 to 5")
    assert named.private
    assert named.public.names == ()
    with pytest.raises(ParameterError, match="names must have at most 60 letters"):
        PublicLabel(scenario, names=("x" * 61,))


def test_little_protection_is_called_that():
    asks = "Could somebody find out whether I am in the data?"
    assert facts(asked())[asks].startswith("Not for sure")
    for weak in (Scenario(epsilon0=6.0), Scenario(epsilon0=0.5, releases=40)):
        assert facts(asked(weak))[asks].startswith("Quite possibly")
    sure = asked(Scenario(epsilon0=40.0))
    assert sure.numbers()["right_of_100_guesses"].value == 100


def test_what_is_not_protected_is_said_and_the_number_of_people_where_it_is_public():
    lines = [each.told() for each in asked().not_protected().lines]
    assert any("more rows" in each for each in lines)
    assert any("people like you" in each for each in lines)
    assert "How many people are in the data is no secret." in lines
    hidden = [each.told() for each in asked(Scenario(neighbours="add-or-remove")).not_protected().lines]
    assert hidden == [each for each in lines if "How many" not in each]


def test_before_the_picture_stand_few_words(scenario):
    texts = []
    for block in asked(scenario).story():
        if not hasattr(block, "told"):
            break
        texts.append(block.told())
    assert len(texts) == 2
    assert len(" ".join(texts).split()) <= 40


def test_the_squares_are_the_guesses():
    answer = asked()
    right = answer.numbers()["right_of_100_guesses"].value
    drawing = answer.picture().draw()
    numbers = [int(sum(map(math.isnan, trace["x"]))) for trace in drawing.data]  # one gap after each square
    assert numbers == [50, right - 50, 100 - right]


# --- what is typed ----------------------------------------------------------------------------------------------------

HOSTILE = "<script>alert(1)</script> \"'&amp; **bold** [a](http://evil.example) `x` $x$ {name} \u202eevil"


def test_typed_texts_are_shown_letter_by_letter():
    answer = asked(**{each: HOSTILE[: LONGEST[each]] for each in LONGEST} | {"purpose": HOSTILE})
    for html in (answer.label(), told(answer.story())):
        assert "<script" not in html
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html
        assert "&amp;amp; **bold** [a](http://evil.example) `x` $x$ {name}" in html
        assert "<a " not in html
        assert "\u202e" not in html, "nothing turns the line around"


def test_what_is_typed_makes_it_private_and_is_in_no_report_or_notebook():
    assert not PublicLabel(Scenario(), date="2026-11-28", product="Dataset").private
    for each in LONGEST:
        question = PublicLabel(Scenario(), **{each: "zebra4711"})
        assert question.private
        assert not question.public.private
        assert "zebra" not in repr(question)
    answer = asked(**dict.fromkeys(LONGEST, "zebra4711"))
    assert "zebra4711" in told(answer.story())
    given = report(answer.for_others, title="One", link="", version="1.0", date=date(2026, 1, 31))
    cells = str(as_notebook.cells(answer.for_others.question))
    assert "zebra" not in given + cells
    assert "2026-11-28" in cells


@pytest.mark.parametrize(
    "texts",
    [
        {"name": "n" * 81},
        {"contact": "c" * 121},
        {"description": "d" * 401},
        {"publisher": "a\0b"},
        {"purpose": "\x03"},
        {"region": "\ud800"},
        {"name": 7},
        {"date": "28.11.2026"},
        {"date": "2026-02-30"},
        {"date": "20261128"},
        {"product": "Table"},
    ],
)
def test_what_cannot_be_used_is_refused(texts):
    with pytest.raises(ParameterError) as refused:
        PublicLabel(Scenario(), **texts)
    assert next(iter(texts)) in str(refused.value)


def test_an_error_quotes_nothing_that_was_typed():
    with pytest.raises(ParameterError) as refused:
        PublicLabel(Scenario(), name="zebra" * 20)
    assert "zebra" not in str(refused.value)


def test_what_is_missing_is_named_and_nothing_can_be_taken_before():
    empty = PublicLabel(Scenario()).answer()
    assert (
        "To take the label with you, type a name, who publishes it, what it is for, what one row is, a contact and a date."
        in told_missing(empty)
    )
    for make in (empty.label, empty.entry):
        with pytest.raises(InfeasibleError, match="lacks a name"):
            make()
    assert asked(name=" \n ").question.lacks() == ("a name",)
    half = asked(region="")
    assert half.label()
    assert told_missing(half) == "To take the registry entry with you, type a region."
    with pytest.raises(InfeasibleError, match="lacks a region"):
        half.entry()
    assert told_missing(asked()) == ""


def told_missing(answer):
    from par_core.questions.blocks import Missing

    return "".join(each.told() for each in answer.story() if isinstance(each, Missing))


def test_the_label_is_the_same_for_the_same_values_and_says_all_of_it(scenario):
    answer = asked(scenario)
    html = answer.label()
    assert html == asked(scenario).label()
    for text in (TEXTS["name"], TEXTS["publisher"], TEXTS["purpose"], TEXTS["contact"], "28 November 2026"):
        assert text in html
    assert TEXTS["region"] not in html
    assert "http" not in html.replace("http-equiv", "").replace("http://www.w3.org", "")


def test_it_is_answered_on_the_command_line():
    done = CliRunner().invoke(par, ["show", "PublicLabel", "--name", "Visits", "--epsilon0", "1", "--releases", "1"])
    assert done.exit_code == 0, done.output
    assert "at most 70 are right" in done.output
    assert CliRunner().invoke(par, ["show", "PublicLabel", "--date", "today"]).exit_code == 2


def test_a_median_is_off_by_rows_and_chosen_not_blurred():
    median = Release(QuantileShape(0.5, 366), rows_per_person=3)
    scenario = PlanScenario(epsilon0=0.125, neighbours=Neighbours.ADD_OR_REMOVE, plan=(median,))
    found = PublicLabel(scenario, **TEXTS).answer()
    said = found.label()
    assert "at most 196 rows of the data, rounded the same way, lie between this number and the true one" in said
    assert PermuteAndFlip.name in said
    assert "A computer adds noise" not in said
    beside = PublicLabel(replace(scenario, plan=(median, Release(CountsShape(4)))), **TEXTS).answer().label()
    assert "Ranks are rows of the data, rounded the same way, between that number and the true one." in beside
    assert "Ranks are" not in said
