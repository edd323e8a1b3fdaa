"""One claim, opened: what became of it and by which numbers, and its refutation with the reader's own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from par_core import __version__
from par_core.claims import REPRODUCED, REPRODUCED_BY_CONVENTION, Claim, Verdict
from par_core.claims.catalogue import Dial, decide_at
from par_core.claims.error_severity import GRAVITIES, gravity
from par_core.claims.theorems import falls_with
from par_core.errors import ParameterError
from par_core.evidence import PROVEN, PUBLISHED, Evidence, Quantity
from par_core.export.catalogue_files import citation
from par_core.export.sentences import Letters, Tag
from par_core.figures import paper_check as figures
from par_core.parameters import check_integer, check_number
from par_core.progress import Progress
from par_core.questions import blocks
from par_core.questions.blocks import Block, Note, Sentence, Take
from par_core.questions.evidence import UNPROVEN, checked
from par_core.questions.glossary import explain
from par_core.questions.paper_check.catalogue import OfPapers, entry
from par_core.questions.paper_check.verdict_words import became, compared, falls, numbers, place, tag, text
from par_core.questions.question import Answer, Ask, anew
from par_core.rounding import amount


@dataclass(frozen=True, repr=False)
class OpenedClaim(OfPapers):
    """What became of a claim, by which numbers, and does it fail at numbers of your own too?"""

    claim: str = "par-theorem-4"  # its id in the catalogue
    own: tuple[float, ...] = ()  # one number for each of its dials; none: where the catalogue looks

    def __post_init__(self) -> None:
        dials = self.dials_of_claim
        if self.own and len(self.own) != len(dials):
            raise ParameterError(
                f"own must be one number for each of the {len(dials)} dials of the claim, got {len(self.own)}"
            )
        for value, each in zip(self.own, dials, strict=False):
            if each.whole:
                check_integer(each.label, value, at_least=int(each.at_least), at_most=int(each.at_most))
            else:
                check_number(each.label, value, at_least=each.at_least, at_most=each.at_most)

    @property
    def entry(self) -> Claim:
        """The claim."""
        return entry("claim", self.claim)

    @property
    def dials_of_claim(self) -> tuple[Dial, ...]:
        """What the reader may turn to refute it; nothing for a claim that is not refuted."""
        return self.entry.dials

    @property
    def values(self) -> tuple[float, ...]:
        """Where its dials stand."""
        return self.own or self.entry.defaults

    @property
    def given(self) -> Mapping[str, str]:
        numbers = zip(self.dials_of_claim, self.values, strict=True)
        return {"Claim": self.entry.source, **{each.label: amount(value, 6) for each, value in numbers}}

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> OpenedClaimAnswer:
        found = checked(self.claim)
        return OpenedClaimAnswer(self, found, decide_at(self.entry, *self.values) if self.entry.dials else found)


@dataclass(frozen=True)
class OpenedClaimAnswer(Answer):
    """What became of it in the catalogue, and at the reader's own numbers."""

    question: OpenedClaim
    found: Verdict
    there: Verdict

    def numbers(self) -> dict[str, Quantity]:
        told: dict[str, Quantity] = {}
        for name, basis in {"published": PUBLISHED, "recomputed": PUBLISHED, "exact": PROVEN}.items():
            value, claim = getattr(self.there, name), self.question.claim if basis is PUBLISHED else ""
            evidence = Evidence(basis, source=self.found.claim.source)
            several = (
                {f"{name}_{at}": each for at, each in enumerate(value, 1)}
                if isinstance(value, tuple)
                else {name: value}
            )
            are = {each: number for each, number in several.items() if isinstance(number, int | float)}
            told |= {each: Quantity(number, "compared", evidence, claim=claim) for each, number in are.items()}
        return told

    def story(self) -> Iterator[Block]:
        found, there, claim = self.found, self.there, self.found.claim
        where = Letters(place(claim).partition(", ")[0])
        yield blocks.Headline(
            "{where}: this claim {became}", where=where, became=became(found, gravity(found)), claims=()
        )
        paper = figures.PAPERS[claim.paper].replace("Its ", "Privacy at Risk, ")
        yield Sentence(f"{paper}: {{statement}} {{verdict}}", statement=text(claim.statement), verdict=tag(found))
        if drawing := figures.claim_numbers(there):
            alt = Letters(f"{claim.source}. {claim.statement} {there.reason}.")
            yield blocks.Chart("claim_numbers", lambda: drawing, blocks.Words("{alt}", alt=alt), "")
            if there.case and there.case != found.case:
                yield Note("Drawn for {case}.", case=text(there.case))
        else:
            yield blocks.Notice("There is no number to draw: {why}.", why=text(found.reason))
        if claim.dials:
            yield from self._refuted(claim.holds_at)
        yield blocks.Below()
        yield Sentence(f"**Id:** `{claim.id}`, opened by `paper_check?claim={claim.id}`. **To cite it:**")
        yield blocks.Own("citation", (Sentence("{cite}", cite=Letters(self.citation)),))
        yield from self._details()
        yield blocks.Own("used")

    @property
    def citation(self) -> str:
        """How to cite the claim: by its id and the version that found this."""
        return citation(version=__version__, claim=self.found.claim.id)

    def _refuted(self, holds_at: tuple[float, ...] | None) -> Iterator[Block]:
        """Say what becomes of the claim at the reader's numbers, and lead to where it holds or back to where the catalogue looks."""
        there = compared(self.there)
        if self.there.refuted:
            yield blocks.Fails("**Here it fails:** {there}", there=there)
        else:
            one_case = "One case in which it fails is enough to refute it."
            yield blocks.Holds(f"**Here it happens to hold:** {{there}} {one_case}", there=there)
        ways = [Take("Go to where it holds", {"own": holds_at})] if holds_at and self.there.refuted else []
        if self.question.values != OpenedClaim(claim=self.question.claim).values:
            ways.append(Take("Back to the catalogue’s case", {"own": ()}))
        yield blocks.Beside(tuple(ways))
        if holds_at is None:
            yield Note("It fails wherever these dials reach.")

    def _details(self) -> Iterator[Block]:
        """Say how the claim was checked, a line for each thing that there is to say."""
        found, claim = self.found, self.found.claim
        yield _line("What decided", compared(found))
        if grave := gravity(found):
            yield Sentence("**How grave:** **{grave}.** {meaning}", grave=grave.capitalize(), meaning=GRAVITIES[grave])
        elif with_these := falls(falls_with(claim.id, checked)):
            yield _line("What it rests on", f"{with_these}, as the map shows.")
        yield _line("Why", claim.explanation)
        lines = {"Counterexample" if found.refuted else "Case": found.case, "Convention": found.convention}
        yield from (_line(name, words) for name, words in lines.items() if words)
        if claim.rests_on:
            yield Sentence(f"**Computed by:** {', '.join(f'`{each}`' for each in claim.rests_on)}")
        three = {"published": found.published, "recomputed": found.recomputed, "exact": found.exact}
        told = " · ".join(f"{name} {numbers(each)}" for name, each in three.items() if each is not None)
        yield _line("Numbers", f"{figures.quantity(claim)}: {told}")
        yield _line("Source", f"{claim.source}, under “{claim.section}”")
        if found.verdict in (REPRODUCED, REPRODUCED_BY_CONVENTION):
            yield Sentence(f"**Badge on other pages:** {{badge}} {explain('reproduced_only')}", badge=Tag(UNPROVEN))


def _line(name: str, words: str) -> Sentence:
    return Sentence(f"**{name}:** {{words}}", words=text(words))
