"""The questions on the overview, each answered by one small picture and one sentence, as its page does where it has that number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from par_core import cost
from par_core.claims.inventory import rows
from par_core.composition import LARGEST_EPSILON0, compare
from par_core.composition.planned_releases import exact_after
from par_core.decision import Wish
from par_core.evidence import Quantity
from par_core.figures import overview as figures
from par_core.figures import paper_check
from par_core.figures.drawing import Drawing
from par_core.figures.your_table import small_error_against_epsilon0
from par_core.lab.two_worlds import two_worlds
from par_core.progress import Progress
from par_core.queries import Comparison as Relation
from par_core.queries import Condition, Count
from par_core.questions.blocks import Block, Chart, Heading, Sentence, Words
from par_core.questions.budget_minimiser.claimed_saving import ClaimedSaving
from par_core.questions.explicit_risk.attacker_gains import AttackerGains
from par_core.questions.explicit_risk.claim_and_truth import ClaimAndTruth
from par_core.questions.overview.present_decision import PresentDecision, PresentDecisionAnswer
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.questions.scenario_blocks import only_laplace
from par_core.release import error_curves, plan_release, within
from par_core.risk import explicit_curves
from par_core.rounding import error, small
from par_core.sampling import samples_for_largest
from par_core.sampling.coupled_curves import Setting, by_samples
from par_core.scenario import Scenario

Key = Literal["own_table", "belief", "truth", "spent", "cost", "sampled", "audited", "worlds", "checked"]
_NUMBERS = (1, 2, 5, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 100)
_POINTS = 61
_PAIRS, _COVERED, _SURE = 15_000, 0.99, 0.9
_LEAST_IN_LAB, _MOST_IN_LAB = 1e-3, 20.0


@dataclass(frozen=True)
class Gist:
    """What a card says, with its picture, the words for who cannot see it, and its numbers; some scenarios leave nothing to draw."""

    sentence: Words
    draw: Callable[[], Drawing] | None = None
    alt: str = ""
    numbers: Mapping[str, Quantity] = field(default_factory=dict)
    then: str = ""


@dataclass(frozen=True, repr=False)
class Card(Question):
    """What is the answer to one of the questions on the overview, in brief?"""

    card: Key = "own_table"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> CardAnswer:
        return CardAnswer(self, _GISTS[self.card](self.scenario, of))


@dataclass(frozen=True)
class CardAnswer(Answer):
    """The gist."""

    question: Card
    gist: Gist

    def numbers(self) -> Mapping[str, Quantity]:
        return self.gist.numbers

    def story(self) -> Iterator[Block]:
        gist = self.gist
        if gist.draw:
            yield Chart(f"card_{self.question.card}", gist.draw, Words("{alt}", alt=gist.alt), "")
        yield gist.sentence
        if gist.then:
            yield Sentence(gist.then)


def _own_table(scenario: Scenario, _: Ask) -> Gist:
    level, statistics = scenario.epsilon0, scenario.statistics
    planned = plan_release(
        Count(Condition("any column", Relation.EQUAL, "any value")),
        level,
        neighbours=scenario.neighbours,
        rows_per_person=scenario.rows_per_person,
        mechanism=scenario.mechanism,
        delta=scenario.delta,
        statistics=statistics,
    )
    off = within(planned).each
    close = f"is within **{error(off)}** of the truth" if off else "is **exact**"
    return Gist(
        Sentence(f"A count {close} in 95 of 100 releases.", evidence_from=planned),
        lambda: small_error_against_epsilon0(error_curves(planned, epsilon0=level, statistics=statistics)),
        f"Error of a count against ε₀, with ε₀ = {level:g} marked.",
        {"within": Quantity(off, "error", planned.evidence, "up")},
    )


def _belief(scenario: Scenario, of: Ask) -> Gist:
    level, after = scenario.epsilon0, of(AttackerGains(scenario)).believed.quantity("believed")
    return Gist(
        Sentence("An attacker half sure becomes at most **{after}** sure.", after=after),
        lambda: figures.belief(explicit_curves.attacks(level, level, points=_POINTS)),
        f"Worst belief after the release against belief before, at ε₀ = {level:g}.",
        {"belief_after": after},
    )


def _truth(scenario: Scenario, of: Ask) -> Gist:
    level, half = scenario.epsilon0, of(ClaimAndTruth(scenario, scenario.epsilon0 / 2))
    return Gist(
        Sentence(
            "A paper says that the loss exceeds half of ε₀ in {half.risk} of releases; in truth, at worst, in **{half.exact_risk}**.",
            half=half.own,
        ),
        lambda: figures.truth(explicit_curves.truth(level, scenario.k, points=_POINTS)),
        f"Published risk under the exact risk at ε₀ = {level:g}.",
        half.numbers(),
    )


def _spent(scenario: Scenario, _: Ask) -> Gist:
    level, delta, most = scenario.epsilon0, scenario.delta, _NUMBERS[-1]
    if level > LARGEST_EPSILON0:
        words = "At {level:level0} a single release protects nobody: there is nothing left to spend."
        return Gist(Sentence(words, level=level))
    truth = exact_after(Scenario(epsilon0=level, statistics=scenario.statistics), _NUMBERS, delta=delta)
    compared = compare(level, _NUMBERS, delta=delta, keys=["basic"], truth=truth)
    spent, added = compared.exact.quantity("upper", -1), compared.curves[0].quantity("epsilon", -1)
    return Gist(
        Sentence(
            f"{most} releases spend **{{spent}}** together (δ\u00a0=\u00a0{small(delta)}), not their sum of {{added}}.",
            spent=spent,
            added=added,
        ),
        lambda: figures.spent(compared),
        f"Privacy spent by up to {most} releases at ε₀ = {level:g}, by basic composition and exact.",
        {"together": spent, "added": added},
    )


def _cost(scenario: Scenario, of: Ask) -> Gist:
    whole = of(ClaimedSaving(scenario))
    return Gist(
        whole.in_short(Sentence),
        lambda: figures.cost(whole.own, currency=scenario.currency),
        f"Budget for a breach at ε₀ = {scenario.epsilon0:g}, as published and exact.",
        whole.numbers(),
        "At this ε₀ the model says next to nothing." * cost.says_little(whole.question.model, scenario.epsilon0),
    )


def _sampled(scenario: Scenario, _: Ask) -> Gist:
    setting, pairs = Setting(epsilon0=scenario.epsilon0, k=scenario.k), samples_for_largest(_COVERED, _SURE)
    return Gist(
        Sentence(
            "Sample it: the largest change among **{pairs:,}** pairs of tables covers {covered:percent} of all, with {sure:percent} "
            "certainty.",
            pairs=pairs,
            covered=_COVERED,
            sure=_SURE,
            evidence_from=samples_for_largest,
        ),
        lambda: figures.sampled(by_samples([_PAIRS], setting=setting, upto=setting.reached)[0]),
        f"Published and exact risk of noise at ε₀ = {setting.epsilon0:g} for a sampled sensitivity, η = {setting.eta:.4g}.",
    )


def _audited(scenario: Scenario, _: Ask) -> Gist:
    level = scenario.epsilon0
    curve = explicit_curves.excess(level)
    return Gist(
        Sentence(
            "With noise for {level:level0} no audit finds anyone above ε₀; without noise it may.",
            level=level,
            evidence_from=curve,
        ),
        lambda: figures.excess(curve),
        f"Largest δ of releases with noise for ε₀ = {level:g}, against ε.",
    )


def _worlds(scenario: Scenario, _: Ask) -> Gist:
    seen = two_worlds("laplace", min(max(scenario.epsilon0, _LEAST_IN_LAB), _MOST_IN_LAB))
    factor = seen.quantity("factor")
    return Gist(
        Sentence("An answer is at most **{factor}** times as likely with you in the table as without.", factor=factor),
        lambda: figures.worlds(seen),
        f"How likely each answer is in two worlds, at ε = {seen.epsilon:g}.",
        {"factor": factor},
    )


def _checked(_: Scenario, __: Ask) -> Gist:
    number, claims = sum(bool(each.claims) for each in rows()), {claim for each in rows() for claim in each.claims}
    return Gist(
        Sentence(
            "**{number}** statements of five texts are recomputed here, as {listed} claims; refute what fails with your own numbers.",
            number=number,
            listed=len(claims),
        ),
        lambda: paper_check.small_inventory(rows()),
        f"How many statements of each text are checked: {number} in all.",
    )


_GISTS: dict[Key, Callable[[Scenario, Ask], Gist]] = {
    "own_table": _own_table,
    "belief": _belief,
    "truth": _truth,
    "spent": _spent,
    "cost": _cost,
    "sampled": _sampled,
    "audited": _audited,
    "worlds": _worlds,
    "checked": _checked,
}
QUESTIONS: dict[Key, str] = {
    "own_table": "How far off are my numbers?",
    "belief": "What could an attacker find out?",
    "truth": "How private is one release, in truth?",
    "spent": "How many releases can I make?",
    "cost": "What would a breach cost?",
    "sampled": "What if one person's influence is unknown?",
    "audited": "Did past answers give anyone away?",
    "worlds": "How does noise keep a secret?",
    "checked": "Is it true what the papers say?",
}


@dataclass(frozen=True, repr=False)
class Overview(Question):
    """Which ε₀ do the wishes ask for, and what do all the pages answer, in brief? The pictures of the cards are for Laplace noise."""

    wishes: tuple[Wish, ...] | None = None  # None: those that everybody comes to, which nobody has made

    @property
    def decision(self) -> PresentDecision:
        """What the wishes ask; InfeasibleError where the scenario's mechanism cannot take its numbers."""
        return PresentDecision(self.scenario, self.wishes)

    def card(self, key: Key) -> Card:
        """Return what one of the cards asks."""
        one = self.scenario.alone() or Scenario(epsilon0=self.scenario.level, delta=self.scenario.delta)
        return Card(replace(one, mechanism=Scenario.mechanism), key)

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> OverviewAnswer:
        return OverviewAnswer(self, of(self.decision), {key: of(self.card(key)) for key in QUESTIONS})


@dataclass(frozen=True)
class OverviewAnswer(Answer):
    """The decision, and the answer on each card."""

    question: Overview
    decision: PresentDecisionAnswer
    cards: Mapping[Key, CardAnswer]

    def numbers(self) -> dict[str, Quantity]:
        cards = {f"{key} {name}": each for key, card in self.cards.items() for name, each in card.numbers().items()}
        return {**self.decision.numbers(), **cards}

    def story(self) -> Iterator[Block]:
        yield from self.decision.story()
        yield from only_laplace("The pictures below are", self.question.scenario)
        for key, card in self.cards.items():
            yield Heading(QUESTIONS[key])
            yield from card.story()
