"""The whole catalogue, a line for each claim: what fails comes first, and of that the gravest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from operator import attrgetter

from par_core.claims import CLAIMS, Verdict
from par_core.claims.catalogue import Paper
from par_core.claims.error_severity import GRAVITIES
from par_core.claims.inventory import rows
from par_core.claims.root_errors import RootError, root_errors
from par_core.claims.theorems import falls_with
from par_core.evidence import Quantity
from par_core.export.catalogue_files import gravest, headline
from par_core.export.sentences import Letters, counted
from par_core.figures import paper_check as figures
from par_core.figures.drawing import Drawing
from par_core.parameters import check_choice, check_integer
from par_core.progress import Progress
from par_core.questions import blocks
from par_core.questions.blocks import Block, Note, Sentence, Table, Words
from par_core.questions.paper_check.catalogue import Catalogue, CatalogueAnswer, OfCatalogue, count, entry
from par_core.questions.paper_check.search import Found, Search, Text
from par_core.questions.paper_check.verdict_words import cell, falls, numbers, place, tag, text
from par_core.questions.question import Answer, Ask, anew

ALL = "all"
PAPERS = {each.name.lower().replace("_", "-"): each for each in Paper}
VERDICTS = {each.replace(" ", "-"): each for each in figures.OUTCOMES}
GRAVE = {each.replace(" ", "-"): each for each in reversed(GRAVITIES)}  # the gravest first
MOST_LISTED = 1000
_MORE = 40
_NAMED = 3  # statements that fall with an error
NEAREST = "Nothing has these words as typed."


@dataclass(frozen=True, repr=False)
class ListedClaims(OfCatalogue):
    """Which claims of the papers fail, and how gravely?"""

    paper: str = ALL
    verdict: str = ALL
    gravity: str = ALL
    among: tuple[str, ...] | None = None  # ids of the claims that are looked at, the first one first; None: all
    nearest: bool = False  # these only share words with what is searched for
    most: int = 20  # that are listed

    def __post_init__(self) -> None:
        for name, known in (("paper", PAPERS), ("verdict", VERDICTS), ("gravity", GRAVE)):
            check_choice(name, getattr(self, name), (ALL, *known))
        for each in self.among or ():
            entry("among", each)
        check_integer("most", self.most, at_least=1, at_most=MOST_LISTED)

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
        return ListedClaimsAnswer(self, of(Catalogue()))


@dataclass(frozen=True)
class ListedClaimsAnswer(Answer):
    """What became of all claims."""

    question: ListedClaims
    catalogue: CatalogueAnswer

    @property
    def verdicts(self) -> list[Verdict]:
        """Every verdict, in the order of the papers."""
        return [*self.catalogue.by_id.values()]

    @cached_property
    def left(self) -> list[Verdict]:
        """What is left of them, as it was found; else the refuted first and of these the gravest, in the order of the papers."""
        asked, grave, heavy = self.question, self.catalogue.gravity, [None, *GRAVITIES]
        kept = [
            each
            for each in self.verdicts
            if PAPERS.get(asked.paper, each.claim.paper) is each.claim.paper
            and VERDICTS.get(asked.verdict, each.verdict) == each.verdict
            and GRAVE.get(asked.gravity, grave[each.claim.id]) == grave[each.claim.id]
            and (asked.among is None or each.claim.id in asked.among)
        ]
        if (order := asked.among) is not None:
            return sorted(kept, key=lambda each: order.index(each.claim.id))
        return sorted(kept, key=lambda each: heavy.index(grave[each.claim.id]), reverse=True)

    @cached_property
    def roots(self) -> tuple[RootError, ...]:
        """The independent errors of all papers, whatever is listed: with which most falls first."""
        return root_errors(self.verdicts)

    @cached_property
    def drawing(self) -> Drawing:
        """The claims by paper and verdict, pale what is not left."""
        ids = {each.claim.id for each in self.left} if len(self.left) < len(self.verdicts) else None
        return figures.verdicts_by_paper(self.verdicts, left=ids)

    def numbers(self) -> dict[str, Quantity]:
        graves = [*self.catalogue.gravity.values()]
        return {
            "claims": count(len(graves)),
            "failing": count(len(graves) - graves.count(None)),
            "flattering": count(graves.count("false statement that flatters")),
            "listed": count(len(self.left)),
            "root_errors": count(len(self.roots)),
            "falling_with_the_first": count(len(self.roots[0].falling)),
        }

    def story(self) -> Iterator[Block]:
        every, fail, flatter, listed, *_ = (number.value for number in self.numbers().values())
        yield blocks.Headline(headline(self.verdicts), term="root_errors")
        if self.question.among is None:
            yield Sentence(
                f"{fail} of {every} claims fail; {flatter} flatter: people are worse off than the paper says."
            )
        else:
            yield self._found()
        alt = Words(f"Claims by paper and verdict: {fail} of {every} are refuted. {listed} are listed below.")
        table = partial(figures.verdicts_table, self.verdicts)
        yield blocks.Chart("verdicts_by_paper", lambda: self.drawing, alt, "", table)
        yield blocks.Below()
        if len(self.left) == len(self.verdicts):  # who filters looks for a claim
            yield self._errors([each for each in self.roots if each.falling])
        every_error = self._errors(self.roots)
        yield blocks.More("root_errors", f"All {len(self.roots)} root errors", (every_error,))
        if shown := self.left[: self.question.most]:
            yield self._table(shown)
            more = blocks.Take("Show more", {"most": min(self.question.most + _MORE, MOST_LISTED)})
            notes = (
                Note(f"{len(shown)} of {listed} claims"),
                Note("Recomputed: by the paper’s own formula. Exact: the truth."),
            )
            yield blocks.Beside((*notes, *[more] * (len(shown) < listed)))
        else:
            yield blocks.Missing("No claim matches these filters.")
        yield blocks.Own("catalogue")

    def _found(self) -> Sentence:
        """Say above the chart what the search found, and lead to the best."""
        if not self.left:
            return Sentence("Nothing is found. Numbering also lists what holds nothing to compute.")
        best = self.left[0]
        found = f"{NEAREST} Nearest" if self.question.nearest else f"{counted(len(self.left), 'claim')} found. First"
        where, paper = Letters(place(best.claim)), figures.PAPERS[best.claim.paper]
        return Sentence(f"{found}: {{where}} ({paper}) {{tag}}", where=where, tag=tag(best, leads=True))

    def _errors(self, roots: Sequence[RootError]) -> Table:
        of = self.catalogue.by_id.__getitem__
        columns: dict[str, Sequence[Words]] = {
            "Root error": [cell(each.place[0].upper() + each.place[1:], each.claims[0]) for each in roots],
            "About": [cell(text(each.subject)) for each in roots],
            "Paper": [cell(figures.PAPERS[each.paper]) for each in roots],
            "How grave": [cell(gravest(each, of).capitalize()) for each in roots],
            "Claims": [cell(f"{len(each.claims)}") for each in roots],
            "Fall with it": [cell(f"{len(each.falling)}") for each in roots],
            "For example": [
                cell(_first(each.places or [place(of(one).claim) for one in each.falling])) for each in roots
            ],
        }
        return Table(columns, f"{len(roots)} root errors, each with how many claims fall with it.")

    def _table(self, shown: Sequence[Verdict]) -> Table:
        by_id, grave = self.catalogue.by_id, self.catalogue.gravity
        graves = {
            name: (grave[name] or falls(falls_with(name, by_id.__getitem__)))
            for name in (each.claim.id for each in shown)
        }
        columns: dict[str, Sequence[Words]] = {
            "Where": [cell(place(each.claim), each.claim.id) for each in shown],
            "Verdict": [Words("{verdict}", verdict=tag(each)) for each in shown],
            "What is claimed": [cell(text(each.claim.statement)) for each in shown],
            "Published": [cell(numbers(each.published)) for each in shown],
            "Recomputed": [cell(numbers(each.recomputed)) for each in shown],
            "Exact": [cell(numbers(each.exact)) for each in shown],
            "How grave": [cell(words[:1].upper() + words[1:]) for words in graves.values()],
            "Paper": [cell(figures.PAPERS[each.claim.paper]) for each in shown],
            "Id": [Words("`{id}`", id=each.claim.id) for each in shown],
        }
        return Table(columns, f"{len(shown)} claims, each with a link to what it was tested by.")


def _first(places: Sequence[str]) -> str:
    return ", ".join([*places[:_NAMED], *["…"] * (len(places) > _NAMED)]) or "–"


def holding(words: str, paper: str = ALL) -> Found[str]:
    """Return the ids of the claims of a paper that hold these words, or else share most of them."""
    return _search().find(words, {each.id for each in CLAIMS if PAPERS.get(paper, each.paper) is each.paper})


@lru_cache(maxsize=1)
def _search() -> Search[str]:
    read = attrgetter("id", "section", "quantity", "explanation", "published", "paper.value")
    subjects = {each.id: [stated.subject for stated in rows() if each.id in stated.claims] for each in CLAIMS}
    return Search(
        {
            each.id: Text(each.where, " ".join([each.statement, *subjects[each.id]]), " ".join(map(str, read(each))))
            for each in sorted(CLAIMS, key=lambda each: len(each.id))  # of all that is said of a theorem, itself first
        }
    )
