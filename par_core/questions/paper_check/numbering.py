"""What each text states under which number, in all versions, and the claims that check it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial

from par_core.claims.catalogue import Paper
from par_core.claims.inventory import Stated, rows
from par_core.evidence import Quantity
from par_core.figures import paper_check as figures
from par_core.parameters import check_choice, check_integer
from par_core.progress import Progress
from par_core.questions.blocks import Below, Beside, Block, Chart, Headline, Missing, Note, Sentence, Table, Take, Words
from par_core.questions.paper_check.catalogue import Catalogue, CatalogueAnswer, OfCatalogue, count
from par_core.questions.paper_check.listed_claims import NEAREST
from par_core.questions.paper_check.search import Found, Search, Text
from par_core.questions.paper_check.verdict_words import cell, tag, text
from par_core.questions.question import Answer, Ask, anew

TEXTS = {
    "risk": (Paper.FINAL, Paper.PREPRINT, Paper.FIRST_PREPRINT),
    "empirical": (Paper.EMPIRICAL,),
    "lecture": (Paper.LECTURE,),
}
MOST_LISTED = 1000
_COLUMNS = {Paper.FINAL: "PoPETs 2021", Paper.PREPRINT: "Preprint", Paper.FIRST_PREPRINT: "First preprint"}
_MORE = 60


@dataclass(frozen=True, repr=False)
class Numbering(OfCatalogue):
    """What does each text state under which number, and which claims check it?"""

    text: str = "risk"
    among: tuple[int, ...] | None = (
        None  # places in the inventory of what is looked at, in this order; None: all of the text
    )
    nearest: bool = False  # these only share words with what is searched for
    most: int = 30  # that are listed

    def __post_init__(self) -> None:
        check_choice("text", self.text, TEXTS)
        for each in self.among or ():
            check_integer("among", each, at_least=0, at_most=len(rows()) - 1)
        check_integer("most", self.most, at_least=1, at_most=MOST_LISTED)

    @property
    def given(self) -> Mapping[str, str]:
        searched = {} if self.among is None else {"Statements that hold the words searched for": f"{len(self.among)}"}
        return {"Text": name_of(self.text), **searched, "Statements listed, at most": f"{self.most:,}"}

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> NumberingAnswer:
        return NumberingAnswer(self, of(Catalogue()))


@dataclass(frozen=True)
class NumberingAnswer(Answer):
    """The inventory, beside what became of every claim."""

    question: Numbering
    catalogue: CatalogueAnswer

    def numbers(self) -> dict[str, Quantity]:
        checked = sum(bool(each.claims) for each in rows())
        found = {"statements": len(rows()), "with_numbers_to_check": checked, "claims": len(self.catalogue.by_id)}
        return {name: count(number) for name, number in found.items()}

    def story(self) -> Iterator[Block]:
        asked, (every, checked, claims) = self.question, (number.value for number in self.numbers().values())
        yield Headline(f"{checked} of {every} statements have numbers to check", term="inventory")
        yield Sentence(f"The {claims} claims check them: some check several, and some statements need several.")
        alt = f"Statements of each text: {checked} of {every} in all are checked, the others hold nothing to compute."
        table = partial(figures.inventory_table, rows())
        yield Chart("inventory", lambda: figures.inventory(rows()), Words(alt), "", table)
        yield Below()
        papers = TEXTS[asked.text]
        places = range(len(rows())) if asked.among is None else asked.among
        left = [each for each in map(rows().__getitem__, places) if not each.places.keys().isdisjoint(papers)]
        if not left:
            yield Missing("No statement matches these words.")
            return
        shown = left[: asked.most]
        if asked.nearest:
            yield Note(f"{NEAREST} These share the most.")
        yield self._table(shown, papers)
        more = [Take("Show more", {"most": min(asked.most + _MORE, MOST_LISTED)})] if len(shown) < len(left) else []
        yield Beside((Note(f"{len(shown)} of {len(left)} statements"), *more))

    def _table(self, shown: Sequence[Stated], papers: Sequence[Paper]) -> Table:
        columns = {
            _COLUMNS.get(each, "Where"): [cell(figures.stated_at(one, each)) for one in shown] for each in papers
        }
        columns["What it is about"] = [cell(text(each.subject)) for each in shown]
        columns["Claims"] = [self._checks(each) for each in shown]
        return Table(columns, "Each statement with its place in every version, and its claims.")

    def _checks(self, stated: Stated) -> Words:
        tags = [tag(self.catalogue.by_id[name], leads=True) for name in stated.claims]
        words = " ".join(f"{{tags[{place}]}}" for place in range(len(tags)))
        return Words(words, tags=tags) if tags else Words("no numbers")


def holding(words: str, of_text: str) -> Found[int]:
    """Return the places in the inventory of the statements that hold these words, under their numbers in a text, or else share most."""
    return _search(of_text).find(words)


@lru_cache(maxsize=len(TEXTS))
def _search(of_text: str) -> Search[int]:
    papers = TEXTS[of_text]
    return Search(
        {
            place: Text(" / ".join(figures.stated_at(each, one) for one in papers), each.subject)
            for place, each in enumerate(rows())
            if not each.places.keys().isdisjoint(papers)
        }
    )


def name_of(text: str) -> str:
    """Return what a text is called."""
    return figures.PAPERS[TEXTS[text][0]]
