"""The present decision in one picture and one sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from par_core.decision import LARGEST, decide
from par_core.figures import decide as figures
from par_core.figures import decision_words as words
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Sentence, Words
from par_core.questions.decide.which_epsilon0 import WhichEpsilon0, WhichEpsilon0Answer
from par_core.questions.question import Ask, anew

_NAMED = 2  # wishes that the sentence names


@dataclass(frozen=True, repr=False)
class PresentDecision(WhichEpsilon0):
    """Which ε₀ do the wishes ask for, in brief?"""

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> PresentDecisionAnswer:
        return PresentDecisionAnswer(self, decide(self.asked, self.scenario))


@dataclass(frozen=True)
class PresentDecisionAnswer(WhichEpsilon0Answer):
    """The same levels, told in brief."""

    def story(self) -> Iterator[Block]:
        found, scenario = self.found, self.question.scenario
        own = scenario.epsilon0
        will = "is not checked" if own > LARGEST == found.high else "will not do" if found.missed(own) else "will do"
        yield self.in_one_line(f"your {words.own_level(own)} {will}")
        if not found.wishes:
            return
        yield Chart(
            "small_decision",
            partial(figures.small_decision, found, epsilon0=own, currency=scenario.currency),
            Words("For each wish the levels ε₀ that meet it, and your ε₀ = {own:g} as a line.", own=own),
            "",
        )
        if found.possible:
            named = [words.promise_of(*each, scenario) for each in zip(found.wishes, found.bands, strict=True)][:_NAMED]
            others = len(found.wishes) - _NAMED
            also = f", with {others} more wish{'es' * (others > 1)} met" if others > 0 else ""
            yield Sentence("Then {promised}{also}.", promised=" and ".join(named), also=also, evidence_from=found)
        elif found.collision is not None:
            yield self.way_out()
