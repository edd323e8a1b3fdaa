"""What each card of the overview says: the number of the page that it leads to, in one sentence that holds whatever the scenario."""

import pytest

from par_core.questions import Overview
from par_core.questions.composition.accountants import Accountants
from par_core.questions.explicit_risk.attacker_gains import AttackerGains
from par_core.questions.overview.cards import QUESTIONS, Card
from par_core.questions.overview.present_decision import PresentDecision
from par_core.scenario import Scenario
from tests.shown import Story


@pytest.mark.parametrize(("card", "scenario", "told"), [
    ("audited", {"epsilon0": 0.8}, "With noise for ε₀ = 0.8 no audit finds anyone above ε₀; without noise it may. (Proven)"),
    ("spent", {}, "100 releases spend 28.6 together (δ = 10⁻⁵), not their sum of 50. (Proven)"),
    ("spent", {"delta": 1e-6}, "together (δ = 10⁻⁶)"),
    ("spent", {"epsilon0": 60.0}, "At ε₀ = 60 a single release protects nobody: there is nothing left to spend."),
    ("own_table", {"sensitivity": 1e6, "epsilon0": 10.0}, "A count is exact in 95 of 100 releases. (Proven)"),
    ("own_table", {"rows_per_person": 3}, "A count is within 18 of the truth in 95"),
    ("cost", {}, "The claimed saving of 36,600 USD (Refuted) is in truth 6,450 USD (By your model) on average"),
    ("cost", {"epsilon0": 0.01}, "At this ε₀ the model says next to nothing."),
])  # fmt: skip
def test_a_card_says_what_holds_in_the_scenario(card, scenario, told):
    assert told in Story(Card(Scenario(**scenario), card).answer()).words


def test_the_model_is_only_said_to_say_nothing_where_it_does():
    assert "next to nothing" not in Story(Card(Scenario(), "cost").answer()).words


def test_the_whole_is_the_cards_under_their_questions_for_laplace_noise():
    own = Scenario(epsilon0=0.8, mechanism="gaussian")
    whole, plain = Story(Overview(own).answer()), Scenario(epsilon0=0.8)
    cards = [Story(Card(plain, key).answer()) for key in QUESTIONS]
    decision, beside = Story(PresentDecision(own).answer()), whole.texts.index(QUESTIONS["own_table"])
    assert whole.headline == decision.headline
    assert whole.texts[: len(decision.texts)] == decision.texts
    told = [each for asked, card in zip(QUESTIONS.values(), cards, strict=True) for each in (asked, *card.texts)]
    assert whole.texts[beside:] == told
    assert "The pictures below are for Laplace noise" in whole.texts[beside - 1]
    assert [*whole.charts] == ["small_decision", *(f"card_{key}" for key in QUESTIONS)]


@pytest.mark.parametrize("epsilon0", [0.2, 0.5, 3.0])
def test_a_number_is_that_of_the_page_which_the_card_leads_to(epsilon0):
    numbers = Overview(Scenario(epsilon0=epsilon0)).answer().numbers()
    assert numbers["belief belief_after"] == AttackerGains(Scenario(epsilon0=epsilon0)).answer().believed.quantity(
        "believed"
    )
    spent = Accountants(Scenario(epsilon0=epsilon0, releases=100)).answer().numbers()
    assert numbers["spent together"].value == pytest.approx(spent["all_releases"].value, rel=1e-8)
    assert numbers["spent added"].value == pytest.approx(spent["basic"].value)
