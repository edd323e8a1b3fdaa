"""The answer of `par check`: a row for each claim in place of one for each number."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import par_core
from par_core.claims import Verdict
from par_core.claims.error_severity import gravity
from par_core.cli.answer import Answer
from par_core.export import catalogue_files
from par_core.questions.paper_check.verdict_words import compared


@dataclass(frozen=True)
class Verdicts(Answer):
    """What became of some claims."""

    verdicts: tuple[Verdict, ...] = ()

    def results(self) -> list[dict[str, Any]]:
        """Return what a program reads of every claim; numbers have every digit."""
        return catalogue_files.records(self.verdicts)

    def lines(self) -> list[str]:
        """Return what a person reads of every claim."""
        found = []
        for each in self.verdicts:
            grave = f" ({gravity(each)})" if each.refuted else ""
            found += [
                f"  {each.claim.id}: {each.verdict}{grave}",
                f"    {each.claim.statement}",
                f"    {compared(each)}",
            ]
        return found

    def _csv(self) -> str:
        return catalogue_files.as_csv(self.verdicts, version=par_core.__version__, found=self.head())
