"""The statements of the papers, what each needs, and what falls with one that fails."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial

from par_core.claims.catalogue import Paper
from par_core.claims.theorem import Node
from par_core.claims.theorems import NODES, Fate, fates
from par_core.evidence import Quantity
from par_core.export.sentences import Letters, Tag, counted
from par_core.figures import paper_check as figures
from par_core.parameters import check_choice
from par_core.progress import Progress
from par_core.questions.blocks import Below, Block, Chart, Headline, Table, Words
from par_core.questions.paper_check.catalogue import Catalogue, CatalogueAnswer, OfCatalogue, count
from par_core.questions.paper_check.verdict_words import cell
from par_core.questions.question import Answer, Ask, anew

ALL = "all"
_DOWN = ("falls", "fails by itself")
_BRIEFLY = {"fails by itself": "fails", "undecided": "is undecided", "stands where used": "fails as printed"}
_PAPERS = {"PaR": figures.PAPERS[Paper.FINAL], "EDP": figures.PAPERS[Paper.EMPIRICAL]}


@dataclass(frozen=True, repr=False)
class TheoremMap(OfCatalogue):
    """What rests on a statement of a paper, what does it rest on itself, and what became of all these?"""

    around: str = "PaR Theorem 4"

    def __post_init__(self) -> None:
        check_choice("around", self.around, (ALL, *(each.name for each in NODES)))

    @property
    def given(self) -> Mapping[str, str]:
        return {"Around": in_full(self.around)}

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> TheoremMapAnswer:
        return TheoremMapAnswer(self, of(Catalogue()))


@dataclass(frozen=True)
class TheoremMapAnswer(Answer):
    """What became of every statement of the papers."""

    question: TheoremMap
    catalogue: CatalogueAnswer

    @cached_property
    def fates(self) -> Mapping[str, Fate]:
        """What became of each statement, by its name."""
        return fates(self.catalogue.by_id.values())

    @property
    def shown(self) -> list[Fate]:
        """What is drawn, each after all that it rests on."""
        return [self.fates[name] for name in around(self.question.around)]

    @property
    def needing(self) -> list[Fate]:
        """What rests on the statement, directly or not."""
        return [self.fates[name] for name in resting_on(self.question.around)]

    def numbers(self) -> dict[str, Quantity]:
        found = {"statements": count(len(self.shown)), "failing": count(_fallen(self.shown))}
        if down := _fallen(self.needing):
            found |= {"needing_it": count(len(self.needing)), "of_these_failing": count(down)}
        return found

    def story(self) -> Iterator[Block]:
        shown = self.shown
        yield self._headline()
        many, table = counted(len(shown), "statement"), partial(figures.map_table, shown)
        alt = f"{many}, each with lines to what it rests on: {_fallen(shown)} fail or fall with another."
        yield Chart("theorem_map", lambda: figures.theorem_map(shown), Words(alt), "", table)
        yield Below()
        columns = {
            "Statement": [cell(each.node.name, claim_of(each)) for each in shown],
            "About": [cell(each.node.subject) for each in shown],
            "Rests on": [_names(each.node.rests_on) for each in shown],
            "Its proof needs": [_names(each.node.proof) for each in shown],
            "What became of it": [_fate(each) for each in shown],
        }
        yield Table(columns, "The map as a table: each statement with what it rests on and what became of it.")

    def _headline(self) -> Headline:
        """Say what became of the statement, and of how many that rest on it."""
        focus, needing = self.question.around, self.needing
        down, every = _fallen(needing), counted(len(needing), "statement")
        if focus == ALL:
            return Headline(f"{down} of {every} fail, or fall with another", term="theorem_map")
        outcome = self.fates[focus].outcome
        fail = "fails" if down == 1 else "fail"
        rests = f"{down} of {every} needing it {fail}" if down else "what rests on it stands"
        name, became = Letters(focus.partition(" ")[2]), _BRIEFLY.get(outcome, outcome)
        rests = rests if needing else "nothing rests on it"
        return Headline(f"{{name}} {became}; {rests}", name=name, term="theorem_map")


def around(focus: str) -> list[str]:
    """Return the names of what a statement rests on, of the statement, and of what rests on it; of `all` every name."""
    below = {focus}
    for node in reversed(NODES):
        below.update(_under(node) if node.name in below else ())
    kept = {*below, *resting_on(focus)}
    return [node.name for node in NODES if node.name in kept]


def resting_on(focus: str) -> list[str]:
    """Return the names of all that rests on a statement, directly or not; of `all` every name."""
    if focus == ALL:
        return [node.name for node in NODES]
    found = [focus]
    for node in NODES:
        found += [node.name] * (not {*found}.isdisjoint(_under(node)))
    return found[1:]


def _under(node: Node) -> tuple[str, ...]:
    return (*node.rests_on, *node.proof)


def _fallen(shown: Sequence[Fate]) -> int:
    return sum(each.outcome in _DOWN for each in shown)


def in_full(name: str) -> str:
    """Return what a statement is called with its paper."""
    paper, _, statement = name.partition(" ")
    return f"{_PAPERS[paper]}, {statement}" if statement else "All statements"


def claim_of(fate: Fate) -> str:
    """Return the claim of the catalogue that says most of a statement: one that is refuted, if there is one."""
    node = fate.node
    return next(iter((*fate.refuted, *node.claims, *node.together, *node.where_used)), "")


def _names(names: Sequence[str]) -> Words:
    return cell(", ".join(names) or "–")


def _fate(fate: Fate) -> Words:
    outcome = Tag(fate.outcome.capitalize())
    if fate.outcome != "falls":
        return Words("{outcome}", outcome=outcome)
    return Words("{outcome} with {those}", outcome=outcome, those=Letters(", ".join(fate.falls_with)))
