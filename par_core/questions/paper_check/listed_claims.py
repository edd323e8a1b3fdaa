"""The whole ledger, a line for each claim: what fails comes first, and of that the gravest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from par_core.claims import CLAIMS, Claim, Verdict
from par_core.claims.gravity import GRAVITIES
from par_core.claims.ledger import Paper
from par_core.claims.theorems import falls_with
from par_core.figures import paper_check as figures
from par_core.figures.drawing import Drawing
from par_core.parameters import one_of, one_whole
from par_core.progress import Progress
from par_core.questions.blocks import (
    Below,
    Beside,
    Block,
    Chart,
    Headline,
    Missing,
    Note,
    Own,
    Sentence,
    Table,
    Take,
    Words,
)
from par_core.questions.paper_check.ledger import LedgerAnswer, OfLedger, count, entry
from par_core.questions.paper_check.verdict_words import cell, failing, falls, numbers, place, tag, text
from par_core.questions.question import Answer, Ask, anew
from par_core.standing import Quantity

ALL = "all"
PAPERS = {each.name.lower().replace("_", "-"): each for each in Paper}
VERDICTS = {each.replace(" ", "-"): each for each in figures.OUTCOMES}
GRAVE = {each.replace(" ", "-"): each for each in reversed(GRAVITIES)}  # the gravest first
MOST_LISTED = 1000
_MORE = 40


@dataclass(frozen=True, repr=False)
class ListedClaims(OfLedger):
    """Which claims of the papers fail, and how gravely?"""

    paper: str = ALL
    verdict: str = ALL
    gravity: str = ALL
    among: tuple[str, ...] | None = None  # ids of the claims that are looked at; None: all
    most: int = 20  # that are listed

    def __post_init__(self) -> None:
        for name, known in (("paper", PAPERS), ("verdict", VERDICTS), ("gravity", GRAVE)):
            one_of(name, getattr(self, name), (ALL, *known))
        for each in self.among or ():
            entry("among", each)
        one_whole("most", self.most, at_least=1, at_most=MOST_LISTED)

    @property
    def given(self) -> Mapping[str, str]:
        asked = {
            "Paper": figures.PAPERS[PAPERS[self.paper]] if self.paper != ALL else "",
            "Verdict": figures.OUTCOMES[VERDICTS[self.verdict]] if self.verdict != ALL else "",
            "How grave": GRAVE[self.gravity].capitalize() if self.gravity != ALL else "",
            "Claims that hold the words searched for": "" if self.among is None else f"{len(self.among)}",
            "Claims listed, at most": f"{self.most:,}",
        }
        return {name: words for name, words in asked.items() if words}

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> ListedClaimsAnswer:
        (ledger,) = map(of, self.needs())
        return ListedClaimsAnswer(self, ledger)


@dataclass(frozen=True)
class ListedClaimsAnswer(Answer):
    """What became of all claims."""

    question: ListedClaims
    ledger: LedgerAnswer

    @property
    def verdicts(self) -> list[Verdict]:
        """Every verdict, in the order of the papers."""
        return [*self.ledger.by_id.values()]

    @cached_property
    def left(self) -> list[Verdict]:
        """What is left of them: the refuted first and of these the gravest, else in the order of the papers."""
        asked, grave, heavy = self.question, self.ledger.gravity, [None, *GRAVITIES]
        kept = [
            each
            for each in self.verdicts
            if asked.paper in (ALL, slug(PAPERS, each.claim.paper))
            and asked.verdict in (ALL, slug(VERDICTS, each.verdict))
            and asked.gravity in (ALL, slug(GRAVE, grave[each.claim.id]))
            and (asked.among is None or each.claim.id in asked.among)
        ]
        return sorted(kept, key=lambda each: heavy.index(grave[each.claim.id]), reverse=True)

    @cached_property
    def drawing(self) -> Drawing:
        """The claims by paper and verdict, pale what is not left."""
        ids = {each.claim.id for each in self.left} if len(self.left) < len(self.verdicts) else None
        return figures.verdicts_by_paper(self.verdicts, left=ids)

    def numbers(self) -> dict[str, Quantity]:
        graves = [*self.ledger.gravity.values()]
        return {
            "claims": count(len(graves)),
            "failing": count(len(graves) - graves.count(None)),
            "flattering": count(graves.count("false statement that flatters")),
            "listed": count(len(self.left)),
        }

    def story(self) -> Iterator[Block]:
        told, left = self.numbers(), self.left
        yield Headline(failing(self.verdicts), term="claims")
        yield Sentence(
            "{those} of them flatter: people are worse off than the paper says.", those=told["flattering"], bare=True
        )
        yield Chart(
            "verdicts_by_paper",
            lambda: self.drawing,
            Words(
                "Claims by paper and verdict: {failing} of {every} are refuted. {listed} are listed below.",
                failing=told["failing"],
                every=told["claims"],
                listed=told["listed"],
            ),
            "",
            table=partial(figures.verdicts_table, self.verdicts),
        )
        yield Below()
        shown = left[: self.question.most]
        if shown:
            yield self._table(shown)
            yield Beside(tuple(self._under(len(shown))))
        else:
            yield Missing("No claim matches these filters.")
        yield Own("ledger")

    def _table(self, shown: Sequence[Verdict]) -> Table:
        by_id, grave = self.ledger.by_id, self.ledger.gravity
        graves = [(grave[each.claim.id] or "").capitalize() for each in shown]
        columns: dict[str, Sequence[Words]] = {
            "Where": [cell(place(each.claim), each.claim.id) for each in shown],
            "Verdict": [Words("{verdict}", verdict=tag(each)) for each in shown],
            "What is claimed": [cell(text(each.claim.statement)) for each in shown],
            "Published": [cell(numbers(each.published)) for each in shown],
            "Recomputed": [cell(numbers(each.recomputed)) for each in shown],
            "Exact": [cell(numbers(each.exact)) for each in shown],
            "How grave": [
                cell(words or falls(falls_with(each.claim.id, by_id.__getitem__)))
                for each, words in zip(shown, graves, strict=True)
            ],
            "Paper": [cell(figures.PAPERS[each.claim.paper]) for each in shown],
            "Id": [Words("`{id}`", id=each.claim.id) for each in shown],
        }
        return Table(columns, f"{len(shown)} claims, each with a link to what it was tested by.")

    def _under(self, shown: int) -> Iterator[Block]:
        every = len(self.left)
        yield Note(f"{shown} of {every} claims")
        yield Note("Recomputed: by the paper’s own formula. Exact: the truth.")
        if shown < every:
            yield Take("Show more", {"most": min(self.question.most + _MORE, MOST_LISTED)})


def holding(words: str) -> tuple[str, ...] | None:
    """Return the ids of the claims that hold these words; None where all do."""
    asked = words.strip().casefold()
    found = tuple(each.id for each in CLAIMS if asked in _searched(each))
    return found if len(found) < len(CLAIMS) else None


def _searched(claim: Claim) -> str:
    words = (claim.id, claim.where, claim.section, claim.statement, claim.explanation, claim.published)
    return " ".join(map(str, words)).casefold()


def slug(slugs: Mapping[str, object], value: object) -> str:
    """Return under which name in the address a value stands; empty for one that stands under none."""
    return next((name for name, each in slugs.items() if each == value), "")
