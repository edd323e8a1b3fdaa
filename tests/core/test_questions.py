"""Questions: plain values in, one answer out, told the same on a page, on paper, in a notebook and on the command line."""

import contextlib
import io
import json
import math
import re
from dataclasses import fields
from datetime import date
from functools import cache
from html import escape

import pytest

from par_core import questions
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import Quantity
from par_core.export.notebook import notebook
from par_core.questions import notebook as as_notebook
from par_core.questions.blocks import Chart, Headline, More, Part, Sentence, Words
from par_core.questions.empirical_audit import audited
from par_core.questions.html import told
from par_core.questions.parsing import question_of
from par_core.questions.question import Question, code, types_in
from par_core.questions.report import report
from par_core.scenario import FIELDS, Scenario
from tests.audits import audit

PUBLIC = [getattr(questions, name) for name in questions.__all__]
BOUNDED = (questions.KnownChange, questions.HowManyReleases, questions.MixedReleases)
OF_LAPLACE = (
    questions.RiskByDimension,
    questions.RiskByLevel,
    questions.ClaimAndTruth,
    questions.KnownChange,
    questions.SimulatedLosses,
)
SCENARIOS = {
    "default": Scenario(),
    "another": Scenario(epsilon0=1.3, k=4, sensitivity=3.0, releases=5, neighbours="add-or-remove"),
    "least": Scenario(epsilon0=1e-8, k=10_000),
    "most": Scenario(epsilon0=700.0, releases=1),
    "gaussian": Scenario(mechanism="gaussian", epsilon0=0.7),
}


def asked():
    for kind in PUBLIC:
        of_none = "epsilon0" in kind(Scenario()).unread and "mechanism" in kind(Scenario()).unread
        for name, scenario in [*SCENARIOS.items()][: 1 if of_none else None]:
            yield pytest.param(kind, scenario, id=f"{kind.__name__}-{name}")


@pytest.fixture(autouse=True)
def audited_once(monkeypatch):
    monkeypatch.setattr(audited, "audit", audit)


def made(kind, scenario):
    try:
        return kind(scenario)
    except InfeasibleError:
        return None  # said in place of an answer


@cache
def answered(question):
    return question.answer()


def blocks_of(answer):
    for block in answer.story():
        yield block
        if isinstance(block, More):
            yield from block.opened()
        if isinstance(block, Part):
            yield from blocks_of(block.question.answer())


@pytest.mark.parametrize(("kind", "scenario"), list(asked()))
def test_a_question_is_told_on_paper_in_a_notebook_and_in_its_own_code(kind, scenario):
    question = made(kind, scenario)
    if question is None:
        beyond = scenario.epsilon0 in (1e-8, 700.0) and kind in BOUNDED
        assert beyond or (kind in OF_LAPLACE and not scenario.as_published), "nothing else is out of reach"
        return
    names = {each.__name__: each for each in types_in(question)}
    assert eval(code(question), names) == eval(code(question, full=True), names) == question
    assert all(f"{each.name}=" in code(question, full=True) for each in fields(kind))
    answer = answered(question)
    numbers = answer.numbers()
    assert all(isinstance(each, Quantity) and each.evidence for each in numbers.values())
    words = [block.marked(str) for block in blocks_of(answer) if isinstance(block, Words)]
    assert words
    assert "{" not in "".join(words)
    html = (
        report(answer, title="One section", link="", version="1.0", date=date(2026, 1, 31))
        if numbers
        else told(answer.story())
    )
    assert "None" not in html
    if numbers:
        assert all(f"<dd>{escape(words)}</dd>" in html for words in question.given.values())
        for headline in (block for block in answer.story() if isinstance(block, Headline)):
            first = html.partition("<h1>")[2].partition("</h1>")[0]
            assert ('class="worth"' in first) is (headline.marked(str) != headline.told())
    assert html.count("<figure>") == sum(isinstance(block, Chart) for block in blocks_of(answer))
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        for cell in json.loads(notebook("One", as_notebook.cells(question), link="a", version="1.0"))["cells"][1:-1]:
            exec("".join(cell["source"]), {})
    assert printed.getvalue().count("[") == len(numbers)


NO_NUMBER = ("KnownChange", "SimulatedLosses", "WhatMovesBudget", "ComparedBudgets")


@pytest.mark.parametrize("kind", [each for each in PUBLIC if each.__name__ not in NO_NUMBER])
def test_a_headline_has_at_most_sixteen_words_and_holds_a_number_of_the_answer(kind):
    answer = answered(kind(Scenario()))
    (headline,) = (block for block in answer.story() if isinstance(block, Headline))
    assert answer.headline == headline.told()
    assert len(re.sub("\u00a0", "", answer.headline).split()) <= 20
    assert re.search(r"\d", answer.headline)


@pytest.mark.parametrize("kind", PUBLIC)
def test_a_moved_dial_moves_one_field_and_the_rest_is_what_its_frames_depend_on(kind):
    question = kind(Scenario())
    for path, value in (("epsilon", 0.2), ("scenario.epsilon0", 0.9)):
        if path not in question.dials or (path == "epsilon" and not hasattr(question, "epsilon")):
            continue
        moved = question.moved(path, value)
        assert moved != question
        assert moved.apart_from(path) == question.apart_from(path)
        assert moved.moved("scenario.k", 3).apart_from(path) != question.apart_from(path)


def test_what_is_none_follows_the_scenario_at_the_ends_of_every_range():
    for epsilon0 in (1e-8, 1.5e-8, 0.5, 360.0, 700.0):
        scenario = Scenario(epsilon0=epsilon0, k=7)
        level = next(field for field in FIELDS if field.name == "epsilon0")
        for kind in (questions.RiskByLevel, questions.LossByLevel):
            drawn = kind(scenario).drawn_epsilon0s
            assert epsilon0 in drawn
            assert all(level.check(each) == each for each in drawn)
        assert questions.RiskByDimension(scenario).drawn_ks == (1, 2, 3, 7)
        curves = questions.RiskByDimension(scenario).answer().curves
        assert {each.epsilon0 for each in curves} == {epsilon0}


def test_the_answer_is_the_closed_form():
    own = questions.RiskByDimension(Scenario(epsilon0=0.82, k=3), 0.37).answer().numbers()
    assert own["exact_risk"].value == pytest.approx(1 - math.exp(-0.41) * math.sinh(0.185), rel=1e-12)


def test_what_is_needed_is_asked_of_who_knows_it():
    scenario = Scenario(epsilon0=1.0)
    simulated = questions.SimulatedLosses(scenario, size=1000)
    question = questions.ClaimAndTruth(scenario, simulated=simulated)
    known = simulated.answer()
    assert question.needs() == (simulated,)
    assert question.answer(of={simulated: known}.__getitem__).simulated is known
    assert question.moved("scenario.epsilon0", 0.9).needs() == (), "it is of other noise"


def test_a_question_that_nobody_can_ask_says_so_in_one_sentence():
    for kind, scenario, said in (
        (questions.AttackerGains, Scenario(mechanism="discrete-laplace", sensitivity=0.5), "cannot be used here"),
        (questions.LossOfMechanism, Scenario(mechanism="discrete-laplace", sensitivity=0.5), "cannot be used here"),
        (questions.KnownChange, Scenario(epsilon0=60.0), "yours is 60"),
    ):
        with pytest.raises(InfeasibleError, match=said):
            kind(scenario)
    with pytest.raises(InfeasibleError, match="levels below 10⁻⁶ are not composed"):
        questions.AttackerGains(Scenario(epsilon0=1e-7), all_releases=True)


def test_words_refuse_a_value_that_they_do_not_name():
    with pytest.raises(TypeError, match="spare"):
        Words("Nothing", spare=1)


def test_a_star_behind_a_letter_is_one():
    """As in δ*, which no pair of stars may swallow."""
    html = told([Sentence("The **true** δ* and *Privacy at Risk*, δ* too.")])
    assert html == "<p>The <strong>true</strong> δ* and <em>Privacy at Risk</em>, δ* too.</p>"


def test_texts_make_a_question():
    given = {
        "epsilon": "0.2",
        "epsilon0s": "0.5, 2",
        "axis": "confidence",
        "paper_only": "yes",
        "drawn_k": "2",
        "k": "3",
    }
    expected = questions.RiskByLevel(Scenario(k=3), 0.2, "confidence", True, (0.5, 2.0), 2)
    assert question_of("RiskByLevel", given) == expected
    mixed = question_of("MixedReleases", {"releases": "0.1_20, 0.2_6"})
    assert mixed.releases == ((0.1, 20.0), (0.2, 6.0))
    for wrong in (
        {"epsilon": "nan"},
        {"drawn_k": "1.5"},
        {"paper_only": "1"},
        {"axis": "x"},
        {"colour": "1"},
        {"epsilon0": "-1"},
    ):
        with pytest.raises(ParameterError):
            question_of("RiskByLevel", wrong)
    with pytest.raises(ParameterError, match="of its own"):
        question_of("ClaimAndTruth", {"simulated": "1"})


def test_every_public_question_has_a_home_and_no_other_name_is_one():
    assert all(issubclass(each, Question) for each in PUBLIC)
    with pytest.raises(AttributeError, match="no question"):
        questions.Nothing  # noqa: B018


@pytest.mark.parametrize("mechanism", ["gaussian", "exponential", "randomised-response"])
@pytest.mark.parametrize("kind", OF_LAPLACE)
def test_what_is_about_laplace_noise_does_not_answer_for_another_mechanism(kind, mechanism):
    with pytest.raises(InfeasibleError, match="the paper's formula is for Laplace noise"):
        kind(Scenario(mechanism=mechanism))


@pytest.mark.parametrize(
    ("kind", "wrong"),
    [
        ("RiskByDimension", {"epsilon": -1.0}),
        ("RiskByDimension", {"ks": (0,)}),
        ("RiskByDimension", {"axis": "foo"}),
        ("RiskByLevel", {"epsilon0s": (0.0,)}),
        ("LossByLevel", {"epsilon": math.nan}),
        ("ClaimAndTruth", {"epsilon": 0.0}),
        ("Calibrated", {"confidence": 2.0}),
        ("Calibrated", {"find": "k"}),
        ("AttackerGains", {"prior": 1.0}),
        ("OverlapAndProcessing", {"threshold": math.inf}),
        ("Accountants", {"numbers_at": (40_000,)}),
        ("Accountants", {"drawn_epsilon0": 600.0}),
        ("Accountants", {"largest": 20_001}),
        ("Accountants", {"drawn_delta": 0.9}),
        ("Accountants", {"accountants": ("x",)}),
        ("MixedReleases", {"releases": ((60.0, 1.0),)}),
        ("MixedReleases", {"releases": ((0.1, 0.0),)}),
        ("MixedReleases", {"releases": ((0.1, 1.5),)}),
        ("MixedReleases", {"releases": ((0.1, 1_000_001.0),)}),
        ("Epsilon0ForError", {"wanted": 0.0}),
        ("Votes", {"queries": 0}),
        ("Votes", {"epsilon": -1.0}),
    ],
)
def test_a_value_that_cannot_be_used_is_refused_when_the_question_is_made(kind, wrong):
    (name,) = wrong
    with pytest.raises(ParameterError, match="row 1: " if name == "releases" else name):
        getattr(questions, kind)(Scenario(), **wrong)
