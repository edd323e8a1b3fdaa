"""The same audit against somebody who knows a number of each database."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from par_core.audit.adversary import (
    FEWEST,
    MOST_BUCKETS,
    Bucket,
    GivenAt,
    GivenAudit,
    RandomGroups,
    audit_given,
    contribution,
    random_groups,
)
from par_core.audit.intervals import AuditIntervals
from par_core.audit.leave_one_out import answers
from par_core.audit.queries import PanelCount, PanelMean, PanelSum
from par_core.audit.query import PanelQuery
from par_core.audit.variance_and_quantile import PanelQuantile, PanelVariance
from par_core.evidence import Quantity
from par_core.export.sentences import counted
from par_core.figures import empirical_audit as figures
from par_core.parameters import check_choice, check_integer
from par_core.progress import Progress
from par_core.questions.blocks import Block, Chart, Formulas, Headline, Missing, Part, Sentence, Words
from par_core.questions.empirical_audit import formulas
from par_core.questions.empirical_audit.audited import (
    AuditAnswer,
    AuditQuestion,
    Found,
    WithLimits,
    evidence_note,
    once,
    ranked,
)
from par_core.questions.question import Answer, Ask, anew
from par_core.randomness import seeded
from par_core.rounding import amount

Knows = Literal["answer", "size", "own"]
Known = Literal["median", "mean", "sum", "count", "variance"]
OTHER: dict[Known, PanelQuery] = {
    "median": PanelQuantile(0.5),
    "mean": PanelMean(),
    "sum": PanelSum(),
    "count": PanelCount(),
    "variance": PanelVariance(),
}
"""Numbers of a database that may be known, or published beside another."""
_SEED = 1
_RARE = 0.05  # share of tries


@dataclass(frozen=True, repr=False)
class InBuckets(AuditQuestion):
    """How far does everybody show among the databases of which the same is known?"""

    knows: Knows = "answer"
    known: Known = "median"
    who: int | None = None  # whose contribution is known: its number
    buckets: int = 3
    fewest: int = 10

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> Found:
        panel = self.panel()
        if self.knows == "size":
            known = panel.sizes().astype(float)
        else:
            known = answers(panel, OTHER[self.known]) if self.who is None else contribution(panel, self.who)
        shape: dict[str, Any] = {"buckets": self.buckets, "fewest": self.fewest, "progress": progress}
        return Found(self, audit_given(of(self.audited).result, known, **shape))


@dataclass(frozen=True, repr=False)
class WhatTheyKnow(WithLimits):
    """How far does the most exposed show to somebody who knows a number of each database?"""

    knows: Knows = "answer"
    known: Known = "median"  # the other answer
    buckets: int = 3
    fewest: int = 10  # databases in one

    def __post_init__(self) -> None:
        super().__post_init__()
        check_choice("knows", self.knows, get_args(Knows))
        check_choice("known", self.known, OTHER)
        check_integer("buckets", self.buckets, at_least=1, at_most=MOST_BUCKETS)
        check_integer("fewest", self.fewest, at_least=FEWEST)

    @property
    def unread(self) -> tuple[str, ...]:
        return (*super().unread, *["rank"] * (self.knows != "own"))

    @property
    def long(self) -> str:
        return "Auditing the buckets"

    def found(self, of: Ask) -> tuple[GivenAudit, int, int]:
        """Return the audit of the buckets, and the individual at the rank with its rank."""
        individual, rank = ranked(of(self.audited).result.at(self.epsilon).ranking, self.rank)
        shape: dict[str, Any] = {"knows": self.knows, "buckets": self.buckets, "fewest": self.fewest}
        shape |= {"known": self.known} if self.knows == "answer" else {}
        shape |= {"who": individual} if self.knows == "own" else {}
        return of(self.of_these(InBuckets, **shape)).found, individual, rank

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> Answer:
        found, individual, rank = self.found(of := once(of))
        ends = found.intervals(self.epsilon, progress=progress) if self.intervals else None
        own = found.of(individual, self.epsilon) if self.knows == "own" else None
        # The audits of the buckets are large, and kept by themselves.
        buckets = tuple(replace(each, audit=None) for each in found.buckets)
        refused = tuple(each.refused for each in found.buckets)
        at = found.at(self.epsilon)
        return WhatTheyKnowAnswer(self, of(self.audited), individual, rank, buckets, refused, at, ends, own)


@dataclass(frozen=True, repr=False)
class AgainstChance(WhatTheyKnow):
    """Do groups of as many databases show as much that were put together at random?"""

    @property
    def long(self) -> str:
        return "Comparing with random groups"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> AgainstChanceAnswer:
        found, _, _ = self.found(once(of))
        return AgainstChanceAnswer(self, random_groups(found, self.epsilon, rng=seeded(_SEED), progress=progress))


@dataclass(frozen=True)
class AgainstChanceAnswer(Answer):
    """What the random groups show."""

    question: AgainstChance
    groups: RandomGroups

    def story(self) -> Iterator[Block]:
        verdict = "So this may come from fewer databases alone: it does not show that the knowledge helps."
        if self.groups.share <= _RARE:
            verdict = (
                "At least this much comes up in at most {groups.share} of tries: what they know goes with the answers."
            )
        yield Sentence(
            "**Random groups of as many databases** show δ up to {groups.median} in half of {groups.times:,} tries, and never above "
            f"{{groups.largest}}. {verdict}",
            groups=self.groups,
            term="random_groups",
        )


@dataclass(frozen=True)
class WhatTheyKnowAnswer(AuditAnswer):
    """Every bucket at ε, with limits where they were asked for, and what is seen of whose contribution is known."""

    question: WhatTheyKnow
    individual: int
    rank: int
    buckets: tuple[Bucket, ...]
    refused: tuple[bool, ...]
    given: GivenAt
    ends: tuple[AuditIntervals | None, ...] | None
    own: NDArray[np.float64] | None

    def numbers(self) -> dict[str, Quantity]:
        if all(self.refused):
            return {}
        return {
            "largest_delta_given_what_is_known": self.given.quantity("worst"),
            "largest_delta_of_others": self.given.quantity("without_knowledge"),
        }

    @property
    def _what(self) -> str:
        who = self.shown(self.individual, self.rank)
        return {"answer": f"the {self.question.known}", "size": "the size", "own": f"what {who} contributes"}[
            self.question.knows
        ]

    def names(self) -> Sequence[str]:
        """Return what each bucket is called; its numbers are exact values, and stand only beside data that anybody may see."""
        named, public = [], not self.question.private and not self.question.masked
        known = [each for each in self.buckets if each.known]
        for each, refused in zip(self.buckets, self.refused, strict=True):
            if not each.known:
                name = "not in it"
            elif not public:
                name = f"bucket {known.index(each) + 1} of {len(known)}"
            elif each.lowest == each.highest:
                name = amount(each.lowest, 4)
            else:
                name = f"{amount(each.lowest, 4)} to {amount(each.highest, 4)}"
            named.append(f"{name}<br>{counted(len(each.places), 'database')}{', too few' * refused}")
        return named

    def story(self) -> Iterator[Block]:
        at, asked = self.given, self.question
        yield from self.cautions()
        sizes = [len(each.places) for each in self.buckets]
        if all(self.refused):
            yield Headline("Too few databases: no audit of an attacker who knows {what}", what=self._what)
            yield Missing(
                f"Every bucket has fewer than {asked.fewest:,} databases: {', '.join(f'{each:,}' for each in sizes)}. Take fewer buckets, "
                "or audit more databases."
            )
            return
        yield Headline(
            "Knowing {what} shows δ up to {at.worst} at {at.epsilon:level}, not knowing it {at.without_knowledge}",
            at=at,
            what=self._what,
            bare=True,
            term="adversary_knows",
        )
        if asked.knows == "own":
            yield from self.beyond_the_last()
        yield Sentence(
            "From at most {number:,} instead of {all:,} databases, which by itself makes a δ larger.",
            number=max(sizes),
            all=len(self.result.databases),
            evidence_from=at,
            claims=(),
        )
        known = "what one contributes" if asked.knows == "own" else self._what
        yield Chart(
            "audit_given",
            lambda: figures.given(at, names=self.names(), known=known, intervals=self.ends),
            Words(
                "δ of the most exposed in each of {number} buckets of what is known; at most {at.worst}, and {at.without_knowledge} where "
                "nothing is known.",
                number=len(self.buckets),
                at=at,
            ),
            at.source,
            notes=evidence_note(at),
        )
        yield from self._refused()
        same = {each.name: getattr(asked, each.name) for each in fields(asked)}
        yield Part(AgainstChance(**{**same, "masked": False, "intervals": False}))
        if self.own is not None:
            yield from self._own(self.own)
        yield Sentence(
            "A large bucket mixes what finer knowledge would tell apart, and hides it. Somebody who knows everyone else’s data is not "
            "looked at here: against them no number without noise is private. Noise is under “Add noise”."
        )
        yield from self.chance()
        yield Formulas("audit_given", formulas.ADVERSARY)

    def _refused(self) -> Iterator[Block]:
        """Name the buckets that have too few databases."""
        names = [
            name.replace("<br>", ", ").removesuffix(", too few")
            for name, refused in zip(self.names(), self.refused, strict=True)
            if refused
        ]
        if names:
            yield Sentence(
                f"**Refused**, with fewer than {self.question.fewest:,} databases: {'; '.join(names)}. Nothing is said of what can be seen "
                "there."
            )

    def _own(self, own: NDArray[np.float64]) -> Iterator[Block]:
        """Say what the individual whose contribution is known shows, of which the paper is wrong."""
        yield Sentence(
            "The paper says that against somebody who knows a contribution privacy “will fail for the individual i in question”.",
            evidence_from="edp-adversary-own",
            then="It need not: what the others contribute hides it as before.",
        )
        places = zip(own, self.buckets, self.refused, strict=True)
        known = [delta for delta, each, refused in places if not refused and each.known]
        who, level = self.shown(self.individual, self.rank), self.given.epsilon
        if known:
            most = self.given.as_quantity("worst", max(known))
            words = "At {level:level} δ of {who} is at most {most} given the contribution."
            yield Sentence(words, level=level, who=who, most=most)
        else:
            yield Sentence("At {level:level} no bucket in which {who} is has enough databases.", level=level, who=who)
