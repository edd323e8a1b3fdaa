"""What is asked on Decide: levels that hold on both sides, what collides, odds in 100, and the list of a reviewer."""

import json
import math
import re

import pytest
from click.testing import CliRunner

from par_core.cli import par
from par_core.cli.epsilon import command as epsilon_command
from par_core.datasets.deployments import deployments, nearest, reporting_less
from par_core.decision import (
    KINDS,
    AdvantageWish,
    AttackWish,
    BaselineWish,
    BeliefWish,
    ErrorWish,
    MoneyWish,
    ReleasesWish,
    RiseWish,
    decide,
    duties,
    example_wishes,
    kind_of,
    odds,
    total,
)
from par_core.errors import InfeasibleError, ParameterError
from par_core.evidence import MODEL, PROVEN
from par_core.figures import decide as figures
from par_core.mechanisms import MECHANISMS
from par_core.plan import PlanScenario, from_address
from par_core.questions import Duties, OddsIn100, WhichEpsilon0
from par_core.questions.blocks import More
from par_core.questions.html import told
from par_core.questions.overview.present_decision import PresentDecision
from par_core.scenario import Scenario
from tests.shown import Story, plain, values

OWN = (ErrorWish(10.0), BeliefWish(0.5, 0.7))
OF_LOSS = (RiseWish(0.2), AttackWish(0.05, 0.2), BaselineWish(0.01, 0.1), AdvantageWish(0.3), MoneyWish(1e5))
VERDICT = re.compile("will do|will not do|misses|is met|are met")


def shown(*wishes, kind=WhichEpsilon0, examples=False, **fields):
    return Story(kind(Scenario(**fields), None if examples else wishes).answer())


def headline(*wishes, **fields):
    return shown(*wishes, **fields).headline


def of_plan(line, neighbours="replace-one"):
    return PlanScenario.of(Scenario(epsilon0=1.0, neighbours=neighbours), from_address(line))


@pytest.mark.parametrize("ask", [lambda each: WhichEpsilon0(each, OWN), OddsIn100, Duties])
def test_a_plan_that_holds_under_a_condition_tells_it_once_and_is_not_called_proven(ask):
    note = "This holds if as many rows replace a person's rows."
    answer = ask(of_plan("1~mean_u110_n9000_r3")).answer()
    assert {each.evidence.basis for each in answer.numbers().values()} == {MODEL}
    assert Story(answer).words.count(note) == 1
    assert "Proven" not in plain(answer._repr_html_())
    for line, neighbours in (
        ("1~mean_u110_n9000", "replace-one"),
        ("1~counts_3_r3", "replace-one"),
        ("1~mean_u110_r3_g9000", "add-or-remove"),
    ):
        answer = ask(of_plan(line, neighbours)).answer()
        assert {each.evidence.basis for each in answer.numbers().values()} == {PROVEN}
        assert "This holds if" not in Story(answer).words


# --- the registry of wishes -------------------------------------------------------------------------------------------


def test_every_kind_of_wish_is_an_option_and_says_of_each_number_what_it_may_be():
    options = {each.name: each for each in epsilon_command.params}
    for kind in KINDS:
        wish = kind.made(*(each.default for each in kind.numbers))
        assert kind_of(wish) is kind
        assert wish.number == kind.numbers[0].default
        assert options[kind.option].nargs == len(kind.numbers)
        for number in kind.numbers:
            assert number.at_least <= number.default <= number.at_most
            for end in (number.at_least, number.at_most):
                others = [end if each is number else each.default for each in kind.numbers]
                assert getattr(kind.made(*others), number.field) == end
    assert len({each.key for each in KINDS} | {each.key for kind in KINDS for each in kind.numbers}) == 21


def test_everybody_comes_to_the_same_wishes_that_their_mechanism_can_meet():
    assert example_wishes(Scenario()) == OWN
    assert example_wishes(Scenario(mechanism="exponential")) == OWN[1:]


def test_a_dial_moves_the_number_of_one_wish():
    question = WhichEpsilon0(Scenario(), OWN)
    assert question.dials == ("scenario.epsilon0", "wishes.0.within", "wishes.1.at_most")
    moved = question.moved("wishes.1.at_most", 0.6)
    assert moved.wishes == (OWN[0], BeliefWish(0.5, 0.6))
    assert moved.apart_from("wishes.1.at_most") == question.apart_from("wishes.1.at_most")
    assert moved.apart_from("wishes.0.within") != question.apart_from("wishes.0.within")
    other = WhichEpsilon0(Scenario(), (OWN[0], BeliefWish(0.4, 0.6)))
    assert other.apart_from("wishes.1.at_most") != question.apart_from("wishes.1.at_most")
    another = WhichEpsilon0(Scenario(), (OWN[0], BaselineWish(0.5, 0.7)))
    assert another.apart_from("wishes.1.at_most") != question.apart_from("wishes.1.at_most")
    with pytest.raises(ParameterError):
        question.moved("wishes.1.at_most", 2.0)


def test_wishes_that_are_moved_are_examples_no_more():
    examples = WhichEpsilon0(Scenario())
    assert examples.moved("wishes.0.within", 12.0).wishes == (ErrorWish(12.0), OWN[1])
    assert examples.moved("wishes.0.within", 10.0) is examples
    assert examples.moved("scenario.epsilon0", 0.3).are_examples


def test_slow_wishes_are_not_looked_up_at_every_stop():
    def dials(*wishes, releases):
        return [*WhichEpsilon0(Scenario(releases=releases), wishes).dials[1:]]

    assert dials(*OWN, OF_LOSS[1], MoneyWish(1e5), releases=2) == [
        *("wishes.0.within", "wishes.1.at_most", "wishes.2.true_positive")
    ]
    assert dials(MoneyWish(1e5), releases=1) == ["wishes.0.budget"]
    assert dials(*OWN, OF_LOSS[1], AdvantageWish(0.3), releases=400) == ["wishes.0.within", "wishes.1.at_most"]


def test_what_is_no_wish_and_what_cannot_be_is_refused():
    with pytest.raises(ParameterError, match="wishes"):
        WhichEpsilon0(Scenario(), ("x",))
    with pytest.raises(ParameterError, match="ticked"):
        Duties(Scenario(), ("nonsense",))
    for kind in (WhichEpsilon0, PresentDecision, OddsIn100, Duties):
        with pytest.raises(InfeasibleError, match="cannot be used here"):
            kind(Scenario(mechanism="discrete-laplace", sensitivity=0.5))


# --- which ε₀ ---------------------------------------------------------------------------------------------------------


def test_wishes_that_nobody_made_are_called_examples_and_no_verdict_follows_from_them():
    examples = Story(WhichEpsilon0(Scenario(), planned=False).answer())
    assert examples.headline == "The example wishes ask for ε₀ from 0.3 to 0.42"
    assert "These wishes and the 2 releases are examples: set your own." in examples.words
    assert not VERDICT.search(examples.words + shown(kind=PresentDecision, examples=True).words)
    assert "These wishes are examples: set your own." in shown(examples=True).words
    own = Story(WhichEpsilon0(Scenario(), OWN, planned=False).answer())
    assert "The 2 releases are an example: set your own." in own.words
    assert "example" not in shown(*OWN).words
    for fields, words in (
        ({"sensitivity": 1e12}, "No ε₀ meets the example wishes"),
        ({"releases": 50}, "wishes: error and"),
    ):
        assert words in headline(examples=True, **fields)


def test_the_decision_holds_on_both_sides():
    story, found = shown(*OWN), decide(OWN, Scenario())
    low, high = map(float, re.search(r"from (\S+) to (\S+): both wishes are met", story.headline).groups())
    assert found.low <= low < high <= found.high
    assert (low, high) == (0.3, 0.42)
    texts = [text.strip() for each in story.chart.figure["data"] for text in each.get("text", ())]
    assert {"0.3", "0.42"} <= set(texts)
    assert "Your scenario's ε₀ = 0.5 misses your belief wish. (Proven)" in story.words
    assert story.takes == {
        "Use ε₀ = 0.3 in my scenario (most private)": {"scenario.epsilon0": 0.3},
        "Use ε₀ = 0.42 in my scenario (most accurate)": {"scenario.epsilon0": 0.42},
    }
    for level in (0.3, 0.35, 0.42):
        inside = shown(*OWN, epsilon0=level)
        assert f"Your scenario's ε₀ = {level} will do." in inside.words
        assert {"scenario.epsilon0": level} not in inside.takes.values()


def test_wishes_that_collide_are_named_with_what_either_would_give():
    colliding = (ErrorWish(10.0), BeliefWish(0.5, 0.6))
    story, collision = shown(*colliding), decide(colliding, Scenario()).collision
    assert story.headline == "No ε₀ meets both: your error and your belief collide"
    (words,) = (text for text in story.texts if text.startswith("To meet both, allow"))
    error, belief = map(float, re.search(r"an error of (\S+), or a belief of (\S+) %", words).groups())
    assert collision.first_would <= error == 14.8
    assert 100 * collision.second_would <= belief < 100 * collision.second_would + 0.1
    assert story.takes == {}
    assert story.chart.trace("misses two of your wishes")
    for moved in ((ErrorWish(error), colliding[1]), (colliding[0], BeliefWish(0.5, belief / 100))):
        assert "both wishes are met" in headline(*moved)
    named = headline(*OWN, ReleasesWish(1.0), releases=24)
    assert named == "No ε₀ meets all: your error collides with your belief and your total ε"
    brief = shown(*colliding, kind=PresentDecision)
    assert words in brief.words
    assert brief.headline == story.headline
    assert brief.chart.trace("misses two of your wishes")


def test_without_a_wish_or_an_end_there_is_nothing_to_take():
    story = shown()
    assert story.headline == "Switch on a wish: each one says which ε₀ will do"
    assert story.takes == {}
    assert story.chart.trace("reported by a deployment")
    assert not shown(kind=PresentDecision).charts
    for wish in (MoneyWish(1e9), ErrorWish(1e12), ReleasesWish(1e4)):
        assert shown(wish).takes == {}
    assert headline(MoneyWish(1e9)) == "Take ε₀ of any size up to 50: your wish is met"
    assert "Levels above 50, such as your 700, are not checked." in shown(MoneyWish(1e9), epsilon0=700.0).words
    for wish, will in ((BeliefWish(0.5, 0.999), "will not do"), (MoneyWish(1e15), "is not checked")):
        assert headline(wish, kind=PresentDecision, epsilon0=60.0).endswith(f"your 60 {will}")


def test_a_wish_that_no_level_meets_is_named():
    assert headline(*OWN, sensitivity=1e12) == "No ε₀ meets this wish: error"
    assert "Even ε₀ = 50, the largest checked, misses it. (Proven)" in shown(*OWN, sensitivity=1e12).words
    assert "Even ε₀ = 1e-8 misses it. (Proven)" in shown(BeliefWish(0.8, 0.7)).words
    of_examples = Story(WhichEpsilon0(Scenario(sensitivity=1e12)).answer()).words
    assert "Even ε₀ = 50, the largest checked, misses the error wish. (Proven)" in of_examples


def test_a_million_releases_have_their_levels():
    assert 0 < decide(OWN[1:], Scenario(releases=10**6)).high < 1e-6
    assert headline(OWN[1], releases=10**6) == "Take ε₀ of at most 8.4e-7: your wish is met"


def test_a_narrow_decision_is_told_with_the_digits_that_it_takes():
    narrow = ErrorWish(10.0), BeliefWish(0.5, 1 / (1 + math.exp(-2 * 0.299575)))
    found, story = decide(narrow, Scenario()), shown(*narrow)
    assert story.headline == "Take ε₀ = 0.299574: both wishes are met there, and hardly elsewhere"
    assert found.low <= 0.299574 <= found.high
    (taken,) = story.takes.values()
    assert "will do" in shown(*narrow, epsilon0=taken["scenario.epsilon0"]).words
    assert headline(ErrorWish(10.0), BeliefWish(0.5, 0.645485)) == "Take ε₀ = 0.2996: both wishes are met"


def test_what_attackers_of_several_beliefs_may_believe_stands_in_a_table():
    (table,) = shown(ErrorWish(10.0), BeliefWish(0.2, 0.5)).tables
    first, *levels = table
    assert [*map(plain, levels)] == ["At ε₀ = 0.5", "At ε₀ = 0.69"]
    assert table[first] == ["1 %", "10 %", "20 %", "50 %", "90 %"]
    assert table[levels[1]][2] == "49.9 %"
    assert table[levels[0]][3] == "73.2 %"  # two releases at 0.5 are one at 1
    assert not shown(OWN[0]).tables
    rare = "except in less than 0.1 % of outcomes: this noise has no largest loss"
    assert rare in shown(*OWN, mechanism="gaussian").words


@pytest.mark.parametrize(("wish", "words"), [(OWN[0], "of at least 0.3"), (OWN[1], "of at most 0.42")])
def test_a_wish_alone_asks_for_one_end(wish, words):
    story = shown(wish)
    assert story.headline == f"Take ε₀ {words}: your wish is met"
    assert len(story.takes) == 1


@pytest.mark.parametrize("mechanism", MECHANISMS)
def test_all_wishes_have_their_band_with_every_mechanism(mechanism):
    scenario = Scenario(mechanism=mechanism)
    wishes = [each.made(*(n.default for n in each.numbers)) for each in KINDS if each.can_be_asked_of(scenario)]
    story, brief = (Story(kind(scenario, tuple(wishes)).answer()) for kind in (WhichEpsilon0, PresentDecision))
    assert len(story.chart.figure["layout"]["yaxis"]["ticktext"]) == len(wishes) + 1
    assert re.match(r"Take ε₀|No ε₀", story.headline)
    assert brief.headline.partition(":")[0] == story.headline.partition(":")[0]
    if brief.headline.startswith("Take"):
        assert f"with {len(wishes) - 2} more wishes met. (By your model)" in brief.words


def test_what_a_wish_rests_on_is_told():
    assert "strictest for an attacker who is 40 % sure" in shown(RiseWish(0.2)).words
    assert "(By your model)" in shown(*OWN, MoneyWish(1e5)).words
    ticks = str(shown(BeliefWish(0.5, 0.6221)).chart.figure["layout"]["yaxis"]["ticktext"])
    assert "62.21\u00a0%" in ticks.replace("\\xa0", "\u00a0"), "as it was set"


def test_deployments_stand_at_what_they_report_and_more_delta_lowers_what_rho_comes_to():
    def levels(delta):
        return values(shown(*OWN, delta=delta).chart.trace("reported by a deployment")["x"])

    assert sorted(levels(1e-5)) == sorted(each.level(1e-5) for each in deployments())
    assert levels(1e-10).sum() > levels(1e-5).sum()
    assert "35 deployments report" in shown(*OWN).words


@pytest.mark.parametrize(
    ("wishes", "fields", "levels"),
    [
        ((ErrorWish(9.97), OWN[1]), {"epsilon0": 0.305}, "from 0.301 to 0.42"),
        ((ErrorWish(10.01), OWN[1]), {"epsilon0": 0.423}, "from 0.3 to 0.423"),
        ((ReleasesWish(0.345),), {"epsilon0": 0.345, "releases": 1}, "of at most 0.345"),
    ],
)
def test_a_level_that_will_do_lies_in_the_range_that_is_told(wishes, fields, levels):
    story, brief = shown(*wishes, **fields), shown(*wishes, kind=PresentDecision, **fields)
    assert story.headline.startswith(f"Take ε₀ {levels}: ")
    assert f"ε₀ = {fields['epsilon0']} will do" in story.words
    assert brief.headline == f"Take ε₀ {levels}: your {fields['epsilon0']} will do"


def test_the_command_line_tells_the_levels_of_the_page():
    for options, wishes in (
        ("--error 10 --belief 0.5 0.7", OWN),
        ("--error 1 --advantage 0.1", (ErrorWish(1.0), AdvantageWish(0.1))),
    ):
        content = json.loads(CliRunner().invoke(par, ["epsilon", *options.split(), "--format", "json"]).stdout)
        story, answer = shown(*wishes), WhichEpsilon0(Scenario(), wishes).answer()
        said = story.headline.partition(":")[0] if answer.found.possible else story.texts[1].removesuffix(". (Proven)")
        assert said in content["headline"]
        assert {each.value for each in answer.numbers().values()} <= {each["value"] for each in content["results"]}


# --- odds in 100 ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("together", [False, True])
def test_the_squares_are_the_odds(together):
    scenario = Scenario(epsilon0=1.0)
    story, found = Story(OddsIn100(scenario, together).answer()), odds(scenario, releases=1 + together)
    inside, outside = (round(100 * each) for each in (found.if_in, found.if_out))
    assert [*map(int, re.findall(r"(?<!of )(?<!in )\b\d+\b", story.headline))][-2:] == [inside, outside]
    x = values(story.chart.trace("points to you")["x"])
    corners = x[[not math.isnan(each) for each in x]].reshape(-1, 5)
    assert ((corners[:, 0] < 10).sum(), (corners[:, 0] > 10).sum()) == (inside, outside)


def test_no_level_is_shown_as_certain():
    for level, words in (
        (1.0, "70 point to you if you are in the data, 30"),
        (30.0, "99 point to you if you are in the data, 1"),
    ):
        assert f"{words} if not" in Story(OddsIn100(Scenario(epsilon0=level)).answer()).headline


# --- duties -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"releases": 1},
        {"epsilon0": 6.0, "mechanism": "gaussian", "delta": 0.01},
        {"mechanism": "exponential", "stakeholders": 1000, "releases": 40},
    ],
)
def test_what_a_reviewer_asks_is_counted_and_stands_on_paper(fields):
    scenario = Scenario(**fields)
    question, asked, found = Duties(scenario, ("unit", "epsilon")), duties(scenario), total(scenario)
    answer = question.answer()
    story, paper = Story(answer), plain(told(answer.story()))
    answered, against = (sum(each.state == state for each in asked) for state in ("answered", "against"))
    fails = f" and fails {against}" if against else ""
    assert story.headline == f"Your scenario answers {answered} of 14 questions that a reviewer asks{fails}"
    who = f"{scenario.releases} releases together spend" if scenario.releases > 1 else "release spends"
    assert f"Your {who} at most ε =" in story.words
    less = len(reporting_less(found.epsilon, delta=found.delta))
    assert f"; {less} of 35 deployments report less. (Proven)" in story.words
    assert story.own == ["duties"]
    assert [each.key for each in answer.ticked] == ["unit"], "only while it is open"
    assert paper.count("yes, says the author") == 1
    assert paper.count(">answered<") == answered
    assert all(each.question.replace("'", "&#x27;") in paper for each in asked)
    (more,) = (block for block in answer.story() if isinstance(block, More))
    (listed,) = more.opened()
    for each, line in zip(nearest(found.epsilon, delta=found.delta), listed.lines, strict=True):
        level, unit = figures.reported(each, each.level(found.delta))
        assert line.told() == f"{each.curator} {each.year}, {each.name}: {level} ({unit})"


def test_an_end_that_no_wish_draws_is_no_number():
    found = WhichEpsilon0(Scenario(), (ErrorWish(10.0),)).answer().numbers()
    assert set(found) == {"error_at_least", "all_at_least"}
