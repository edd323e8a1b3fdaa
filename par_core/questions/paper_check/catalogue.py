"""What was found of the whole catalogue: recomputed once for all who ask about it, and again on demand."""

from __future__ import annotations

import platform
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from par_core.claims import CLAIMS, Claim, Verdict, check_all
from par_core.claims.catalogue import Outcome
from par_core.claims.error_severity import Gravity, gravity
from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Quantity, quantity_of
from par_core.export.sentences import counted
from par_core.old_names import by_old_name
from par_core.parameters import shown
from par_core.progress import Progress, portion
from par_core.questions.blocks import Block, Fails, Holds
from par_core.questions.evidence import checked
from par_core.questions.question import Answer, Ask, Question, anew
from par_core.scenario import FIELDS, Scenario

_ANY, _BY_ID = Scenario(), {each.id: each for each in CLAIMS}


@dataclass(frozen=True, repr=False)
class OfPapers(Question):
    """What is asked of papers: the scenario plays no part in it."""

    scenario: Scenario = _ANY

    @property
    def dials(self) -> tuple[str, ...]:
        return ()

    @property
    def unread(self) -> tuple[str, ...]:
        return tuple(each.name for each in FIELDS)

    @property
    def heavy(self) -> bool:
        return bool(self.long)


@dataclass(frozen=True, repr=False)
class OfCatalogue(OfPapers):
    """What is asked of all claims together."""

    def needs(self) -> tuple[Question, ...]:
        return (Catalogue(),)


@dataclass(frozen=True, repr=False)
class Catalogue(OfPapers):
    """What became of every claim?"""

    @property
    def long(self) -> str:
        return f"Checking {len(CLAIMS)} claims"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> CatalogueAnswer:
        tell, found = portion(progress), []
        for done, claim in enumerate(CLAIMS, start=1):
            found.append({**vars(checked(claim.id)), "claim": claim.id})
            tell(done / len(CLAIMS))
        return CatalogueAnswer(self, tuple(found))


@dataclass(frozen=True)
class CatalogueAnswer(Answer):
    """What was found of each claim, which stands there by its id: claims hold functions, which come from no other process."""

    question: Catalogue
    found: tuple[Mapping[str, Any], ...]

    @cached_property
    def by_id(self) -> Mapping[str, Verdict]:
        """Every verdict by the id of its claim, in the order of the papers."""
        pairs = zip(CLAIMS, self.found, strict=True)
        return {claim.id: Verdict(**{**each, "claim": claim}) for claim, each in pairs}

    @cached_property
    def gravity(self) -> Mapping[str, Gravity | None]:
        """How grave the failure of each is, by its id."""
        return {name: gravity(each) for name, each in self.by_id.items()}


@dataclass(frozen=True, repr=False)
class CheckedAgain(OfPapers):
    """Do all verdicts come out as before?"""

    before: tuple[Outcome, ...] = ()
    program: str = ""  # its version
    asked: float = 0.0  # when: nobody is answered with what was found before they asked

    @property
    def long(self) -> str:
        return f"Checking {len(CLAIMS)} claims again"

    def answer(self, progress: Progress | None = None, of: Ask = anew) -> CheckedAgainAnswer:
        start = time.perf_counter()
        after = tuple(each.verdict for each in check_all(progress=progress))
        return CheckedAgainAnswer(self, after, time.perf_counter() - start)


@dataclass(frozen=True)
class CheckedAgainAnswer(Answer):
    """The verdicts, in the order of the papers, and how long it took."""

    question: CheckedAgain
    after: tuple[Outcome, ...]
    seconds: float

    def story(self) -> Iterator[Block]:
        three = zip(CLAIMS, self.question.before, self.after, strict=True)
        other = [claim.id for claim, before, after in three if before != after]
        came = f"{counted(len(other), 'verdict')} changed: {', '.join(other)}"
        yield (Fails if other else Holds)(
            f"{came if other else f'All {len(self.after)} verdicts as before'}, after {self.seconds:.1f} seconds, with Privacy at Risk "
            f"explorer {self.question.program}, Python {platform.python_version()}, NumPy {version('numpy')}, SciPy {version('scipy')}."
        )


def entry(name: str, claim: str) -> Claim:
    """Return a claim by its id; ParameterError, with the name of the field, if none bears it."""
    if claim not in _BY_ID:
        raise ParameterError(f"{name} must be the id of one in the catalogue, got {shown(claim)}")
    return _BY_ID[claim]


def count(number: int) -> Quantity:
    """Return how many there are of something in the papers."""
    return quantity_of(_counted, number)


@Evidence(PROVEN, source="counted in the papers").of("count")
def _counted(number: int) -> int:
    return number


if not TYPE_CHECKING:
    __getattr__ = by_old_name(
        __name__, {"Ledger": "Catalogue", "LedgerAnswer": "CatalogueAnswer", "OfLedger": "OfCatalogue"}
    )
