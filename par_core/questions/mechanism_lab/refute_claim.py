"""Refute a claim: bets against a claimed privacy level, on releases of a mechanism or on two columns of a table."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, partial
from typing import ClassVar, Self

import pandas as pd

from par_core.audit.outputs import Refutation, Tried, outputs_of, try_on
from par_core.evidence import Quantity
from par_core.export.sentences import level
from par_core.figures import lab_refute_claim as figures
from par_core.lab.refute_claim import FEWEST_PAIRS, MOST_PAIRS, Against, TriedClaim, releases, try_claim
from par_core.mechanisms import NOISES
from par_core.progress import Progress
from par_core.questions.blocks import Block, Formulas, Headline, Note, Sentence
from par_core.questions.mechanism_lab import formulas
from par_core.questions.mechanism_lab.lab_question import SEED, NoiseQuestion, Range, ToyAnswer
from par_core.questions.question import Ask, anew
from par_core.randomness import seeded
from par_core.rounding import small
from par_core.tables.table import Table

COLUMNS = ("with", "without")
_AGAINST = {"level": "ε alone", "curve": "its whole curve"}


@dataclass(frozen=True, repr=False)
class _Claim(NoiseQuestion):
    against: Against = "level"

    choices: ClassVar = {"against": ("The claim", _AGAINST)}
    inputs: ClassVar[tuple[str, str]]  # how the two are called

    @property
    def delta_claimed(self) -> float:
        """The δ that is claimed."""
        return self.aim if self.kind == "gaussian" else 0.0

    @property
    def claim(self) -> str:
        """What is claimed, in words."""
        claimed = level(self.level) + f", δ = {small(self.delta_claimed)}" * (self.delta_claimed > 0.0)
        return f"curve of {NOISES[self.kind].name} noise, {claimed}" if self.against == "curve" else claimed


@dataclass(frozen=True, repr=False)
class RefuteDrawn(_Claim):
    """After how many releases is a claim refuted about a mechanism that may have less noise than it says?"""

    share: float = 0.5  # of the noise that the claim takes
    pairs: int = 2_000  # at most
    seed: int = 1

    ranges: ClassVar = {
        "share": Range("Share of its noise", 0.05, 2.0),
        "pairs": Range("Pairs at most", FEWEST_PAIRS, MOST_PAIRS),
        "seed": SEED._replace(label="Seed of the outputs"),
    }
    moved_by = "epsilon", "share"
    inputs = "with the person", "without"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> RefuteAnswer:
        found = try_claim(
            self.kind, self.level, self.pairs, share=self.share, delta=self.aim, against=self.against, seed=self.seed
        )
        return RefuteAnswer(self, found.tried.refutation, found.tried, found)


@dataclass(frozen=True, repr=False)
class RefuteOutputs(_Claim):
    """Do outputs of a mechanism on two neighbouring inputs refute what is claimed for it?"""

    claimed_delta: float = 0.0  # beside ε alone
    columns: tuple[str, str] = COLUMNS
    own: Table | None = None  # in place of the made-up releases: a file of the reader's

    ranges: ClassVar = {"claimed_delta": Range("Claimed δ", 0.0, 0.5)}
    moved_by = ()
    inputs = "on the first input", "on the second"

    @property
    def long(self) -> str:
        return "Betting"

    @property
    def private(self) -> bool:
        return self.own is not None

    @property
    def public(self) -> Self:
        return replace(self, columns=COLUMNS, own=None)

    @property
    def unread(self) -> tuple[str, ...]:
        of_noise = ("claimed_delta",) if self.against == "curve" else ("noise", "noise_delta")
        return (*super().unread, *of_noise)

    @property
    def delta_claimed(self) -> float:
        return super().delta_claimed if self.against == "curve" else self.claimed_delta

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> RefuteAnswer:
        outputs = outputs_of(self.own.frame if self.own else synthetic_releases(), *self.columns)
        if self.against == "curve":
            curve = NOISES[self.kind].for_epsilon(self.level, sensitivity=1, delta=self.aim)
            tried = try_on(*outputs, curve, progress=progress)
        else:
            tried = try_on(*outputs, self.level, delta=self.claimed_delta, progress=progress)
        return RefuteAnswer(self, tried.refutation, tried)


@dataclass(frozen=True)
class RefuteAnswer(ToyAnswer[RefuteDrawn | RefuteOutputs, Refutation]):
    """What bets and all pairs at once say of a claim; of drawn releases also the truth."""

    tried: Tried
    drawn: TriedClaim | None = None

    def numbers(self) -> dict[str, Quantity]:
        found, bound, check = self.found, self.tried.bound, self.tried.check
        numbers = {"pairs": Quantity(found.pairs, "count", found.evidence), "highest_wealth": found.quantity("highest")}
        if bound.epsilon > 0.0:
            numbers["epsilon_at_least"] = bound.quantity("epsilon")
        if check:
            numbers["an_attack_misses_at_most"] = check.quantity("false_negative")
            numbers["the_claim_allows_no_fewer_than"] = check.quantity("allowed")
        return numbers | ({"in_truth_epsilon_is": self.drawn.quantity("truth")} if self.drawn else {})

    def story(self) -> Iterator[Block]:
        asked, tried, found = self.question, self.tried, self.found
        yield Headline(f"Claimed {asked.claim}{',' * (asked.against == 'curve')} {outcome(tried)}")
        yield Sentence(
            "Bets refute a true claim in at most 5 % of samples, however long you look; all pairs at once refute it as rarely.",
            evidence_from=found,
        )
        yield self.pictured(
            "refute_claim",
            partial(figures.wealth, found, claim=asked.claim),
            "Wealth of bets against the claim after each of {found.pairs:,} pairs: it reaches {found.highest} times the stake. At 20 "
            "the claim is refuted.",
        )
        if self.drawn:
            yield Sentence(
                "**In truth** these outputs have {drawn.share:percent} of the noise that the claim takes, and ε is {drawn.truth}.",
                drawn=self.drawn,
            )
        if found.refuted_after is None and not tried.at_once:
            yield self.said(
                "**Not refuted is not confirmed.** The wealth reached {found.highest}; it takes 20. More pairs, or two other "
                "inputs, may refute it."
            )
        yield from self._at_once()
        yield Note(
            "Each pair holds one output on either input, the person's data in one of them. Pairs must be drawn independently of each other."
        )
        yield Formulas("refute_claim", formulas.REFUTE_CLAIM)

    def _at_once(self) -> Iterator[Block]:
        """Say what a fixed sample says, and where the inputs are told apart."""
        bound, check, inputs = self.tried.bound, self.tried.check, self.question.inputs
        if bound.epsilon > 0.0:
            yield Sentence(
                "**All pairs at once:** ε is at least {bound.epsilon}, with {bound.level:percent} confidence. {bound.chosen_by:,} pairs "
                "chose where to look, the others measured.",
                bound=bound,
            )
            yield Sentence(
                "**Where to look:** an answer {bound.answers.words} has a probability of at least {bound.low} {one}, and of at most "
                "{bound.high} {other}.",
                bound=bound,
                one=inputs[bound.likelier - 1],
                other=inputs[2 - bound.likelier],
            )
        else:
            yield Sentence("**All pairs at once** say nothing of ε: they are too few, or the noise is large.")
        if check is not None:
            yield Sentence(
                "**Against the curve, at once:** an attack has at most {check.false_positive} false alarms and misses at most "
                "{check.false_negative}. The claim allows no fewer misses than {check.allowed}"
                + (": it is refuted." if check.is_refuted else ": that refutes nothing."),
                check=check,
            )


def outcome(tried: Tried) -> str:
    """Return what became of a claim, in words: "refuted after 47 pairs"."""
    found = tried.refutation
    if found.refuted_after is not None:
        return f"refuted after {found.refuted_after:,} pairs"
    return f"refuted by all {found.pairs:,} pairs at once" if tried.at_once else f"not refuted by {found.pairs:,} pairs"


@cache
def synthetic_releases() -> pd.DataFrame:
    """Return outputs to try a claim on: of a count that is 1 with somebody and 0 without, with half the noise that ε = 0.5 takes."""
    return pd.DataFrame(releases("laplace", 0.5, 2_000, share=0.5, rng=seeded(1)), columns=list(COLUMNS))
