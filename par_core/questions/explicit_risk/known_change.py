"""The change of one person that is known number by number, and the exact risk of a release that goes with it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from par_core.composition import ChangeRisk, change_risk, used_share
from par_core.errors import InfeasibleError
from par_core.evidence import Quantity, quantity_of
from par_core.figures.quantities import format_quantity
from par_core.mechanisms import default_noise
from par_core.progress import Progress
from par_core.published import explicit
from par_core.questions.blocks import Block, Note, Sentence
from par_core.questions.question import Answer, Ask, Question, anew, must_be_published
from par_core.rounding import amount, small

_SMALLEST, _LARGEST = 1e-6, 50.0
_WIDE = 0.01  # ends further apart than this are worth a word


@dataclass(frozen=True, repr=False)
class KnownChange(Question):
    """How often does one release lose more than ε for a person who moves each number by a known share of the sensitivity?"""

    epsilon: float = 0.4
    shares: tuple[float, ...] = (0.5, 0.3, 0.2)

    def __post_init__(self) -> None:
        must_be_published(self.scenario)
        used_share(self.shares)
        if not _SMALLEST <= (level := self.scenario.epsilon0) <= _LARGEST:
            yours = amount(level, 4)
            raise InfeasibleError(f"this is computed for ε₀ from {small(_SMALLEST)} to {_LARGEST:g}; yours is {yours}")

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> KnownChangeAnswer:
        return KnownChangeAnswer(self, change_risk(self.epsilon, self.scenario.epsilon0, shares=list(self.shares)))


@dataclass(frozen=True)
class KnownChangeAnswer(Answer):
    """Between which ends the risk of this change lies."""

    question: KnownChange
    found: ChangeRisk

    def numbers(self) -> dict[str, Quantity]:
        return {"exact_risk": self.found.quantity("upper"), "published_risk": self._claimed}

    @property
    def _claimed(self) -> Quantity:
        asked = self.question
        return quantity_of(explicit.risk, self.found.epsilon, asked.scenario.epsilon0, k=self._k)

    @property
    def _k(self) -> int:
        # A list that is longer than the scenario's answer is an answer of its own length.
        return max(self.question.scenario.k, len(self.question.shares))

    def story(self) -> Iterator[Block]:
        asked, found = self.question, self.found
        epsilon0, shares = asked.scenario.epsilon0, asked.shares
        count = f"{len(shares)} numbers" if len(shares) > 1 else "one number"
        moved = ", ".join(amount(each, 4) for each in shares)
        yield Sentence(
            f"For a person who moves {count} by {moved} of the sensitivity the loss with noise for {{epsilon0:level0}} exceeds "
            f"{{found.epsilon:level}} in {'at most ' * self._apart}**{{found.upper}}** of releases. In the worst case, where one number "
            "takes the whole change, it is {worst}. The paper says {claimed} for every person (k\u00a0=\u00a0{k:,}).",
            epsilon0=epsilon0,
            found=found,
            worst=quantity_of(default_noise(epsilon0).loss_exceeds, found.epsilon),
            claimed=self._claimed,
            k=self._k,
        )
        sentences = ["The truth lies between {found.lower} and {found.upper}."]
        if found.upper - found.lower > _WIDE:
            sentences.append(
                "That is wide because the loss may be exactly {found.epsilon:level}, which counts as not above it: a slightly different "
                "ε gives closer ends."
            )
        if found.largest <= found.epsilon:
            sentences.append("No release can lose more than {found.largest} with this change.")
        used = used_share(shares)
        if used < 1:
            sentences.append("This person uses only {used:percent} of the sensitivity, so not even ε₀ is ever reached.")
        sentences.append("This holds for this change only; ε₀ holds for all.")
        values: dict[str, Any] = {"used": used} if used < 1 else {}
        yield Note(" ".join(sentences), found=found, bare=True, **values)

    @property
    def _apart(self) -> bool:
        """Whether the lower end reads otherwise than the upper one, which alone is proven to hold."""
        upper = self.found.quantity("upper")
        told_upper = format_quantity(upper)
        return told_upper != format_quantity(replace(upper, value=self.found.lower)) and told_upper[0].isdigit()
