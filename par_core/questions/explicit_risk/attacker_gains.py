"""What the best attack gains: its errors, its advantage, and what it comes to believe."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

from par_core.errors import InfeasibleError
from par_core.evidence import Quantity
from par_core.figures import explicit_risk as figures
from par_core.mechanisms import MaxPosterior
from par_core.parameters import check_number
from par_core.plan import PlanScenario
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Note, Sentence, Words
from par_core.questions.explicit_risk.formulas import ATTACK
from par_core.questions.glossary import explain
from par_core.questions.question import Answer, Ask, Question, anew, must_be_possible
from par_core.risk.attacks import attacks_on, believed_after, is_single, lost
from par_core.risk.explicit_curves import AttackCurves
from par_core.rounding import small
from par_core.scenario import Neighbours

_SMALLEST = 1e-6  # level that is composed
_RARELY = 0.01  # what happens no more often is left out of what is usual
_SUSPICION = {
    Neighbours.REPLACE_ONE: "one person's true record was used and no other in its place",
    Neighbours.ADD_OR_REMOVE: "one person's record was used",
}


@dataclass(frozen=True, repr=False)
class AttackerGains(Question):
    """What can an attacker who knows everyone else's data find out from one release, or from all that are planned?"""

    epsilon: float = 0.4  # beside ε₀ in the charts
    prior: float = 0.5  # belief before
    all_releases: bool = False  # by exact composition

    def __post_init__(self) -> None:
        # Of a plan both levels, ε₀ and ε, are those of the one release.
        if isinstance(self.scenario, PlanScenario) and not self.all_releases:
            object.__setattr__(self, "scenario", self.scenario.alone() or self.scenario.apart)
        must_be_possible(self.scenario)
        check_number("epsilon", self.epsilon, above=0.0)
        check_number("prior", self.prior, above=0.0, below=1.0)
        if self.releases > 1 and min(self.scenario.epsilon0, self.epsilon) < _SMALLEST:
            raise InfeasibleError(f"levels below {small(_SMALLEST)} are not composed; raise ε or ε₀")

    @property
    def releases(self) -> int:
        """How many releases the attacker sees."""
        return self.scenario.releases if self.all_releases else 1

    @property
    def dials(self) -> tuple[str, ...]:
        # Releases together, or statistics, take too long to be composed at every stop.
        return super().dials if is_single(self.scenario, self.releases) else ()

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> AttackerGainsAnswer:
        return AttackerGainsAnswer(self, believed_after(self.scenario, self.prior, releases=self.releases))


@dataclass(frozen=True)
class AttackerGainsAnswer(Answer):
    """The strongest belief that the releases leave, and with it the errors of every attack."""

    question: AttackerGains
    believed: MaxPosterior

    @cached_property
    def curves(self) -> AttackCurves:
        """Errors, advantages and beliefs at ε₀ and at ε."""
        asked = self.question
        return attacks_on(asked.scenario, asked.epsilon, releases=asked.releases)

    def numbers(self) -> dict[str, Quantity]:
        gaussian = lost(self.question.scenario, self.question.releases).gaussian
        return {
            "belief_after": self.believed.quantity("believed"),
            "membership_advantage": self.curves.quantity("advantage0"),
            "gaussian_mu": gaussian.quantity("mu"),
        }

    def story(self) -> Iterator[Block]:
        asked, believed = self.question, self.believed
        scenario, number = asked.scenario, asked.releases
        yield Headline(
            "An attacker {prior:percent} sure becomes at most {believed.believed} sure from {what} with {epsilon0:level0}",
            prior=asked.prior,
            believed=believed,
            what="one release"
            if number == 1
            else f"{number:,} releases{' of a plan' * isinstance(scenario, PlanScenario)}",
            epsilon0=scenario.epsilon0,
            bare=True,
        )
        yield Sentence(
            "They know everyone else's data and ask whether {suspicion}.",
            suspicion=_SUSPICION[scenario.neighbours],
            evidence_from=believed,
            term="posterior",
        )
        curves = self.curves
        yield Chart(
            "attack_belief",
            lambda: figures.posterior(curves, prior=asked.prior, believed=believed.believed),
            Words(
                "Belief after against belief before: {prior:percent} becomes at most {believed.believed}.",
                prior=asked.prior,
                believed=believed,
            ),
            curves.source,
        )
        yield from self._more_than_that()
        yield Sentence(
            "The membership advantage (TPR − FPR) of their best attack is **{curves.advantage0}**; with noise for {curves.epsilon:level} "
            "it would be {curves.advantage}. 0 is blind guessing.",
            curves=curves,
            term="advantage",
        )
        yield Chart(
            "attack_errors",
            lambda: figures.tradeoff(curves),
            Words(
                "Smallest false-negative rate against false-positive rate; advantage {curves.advantage0} at ε₀ = {curves.epsilon0:g} and "
                "{curves.advantage} at ε = {curves.epsilon:g}.",
                curves=curves,
            ),
            curves.source,
        )
        # Which Gaussian noise gives away as much as all that, and how far that is from the truth.
        yield Sentence(
            "In one number: Gaussian differential privacy with **μ = {found.mu}** and a regret of {found.regret}.",
            found=lost(scenario, number).gaussian,
            term="gaussian_dp",
        )
        yield Note(f"The trade-off function: {explain('false_positive')} {explain('false_negative')}")
        yield Formulas("attacker", ATTACK)

    def _more_than_that(self) -> Iterator[Block]:
        """Say how often more is learnt, or how much less is usual, where these are not one."""
        asked, believed = self.question, self.believed
        if believed.rare:
            yield Sentence(
                "In {believed.rare} of releases they learn more: the loss of this mechanism has no largest value.",
                believed=believed,
            )
        elif asked.releases > 1:
            usual = believed_after(asked.scenario, asked.prior, releases=asked.releases, largest=False)
            if usual.rare < _RARELY and usual.believed < believed.believed:
                yield Sentence("In all but {usual.rare} of cases they are at most {usual.believed} sure.", usual=usual)
