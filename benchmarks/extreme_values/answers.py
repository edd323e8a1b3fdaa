"""What became of the cases of one kind: answers are held against a truth of 50 digits, from one side."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import mpmath as mp

from benchmarks.cases import Cases

LAST_DIGITS = mp.mpf(10) ** -12
DIGITS = 50
LEAST = mp.mpf(5e-324)


@dataclass
class Answers(Cases):
    hangs = 60.0
    rounded: int = 0
    off: float = 0.0

    def check(
        self, case: object, truth: Any, toward: str, function: Any, *given: Any, strict: bool = True, **named: Any
    ) -> None:
        """Ask, and hold the answer against the truth."""
        self.holds(case, self.call(case, function, *given, **named), truth, toward, strict=strict)

    def holds(self, case: object, found: Any, truth: Any, toward: str, *, strict: bool = True) -> None:
        """Hold an answer against the truth: it may be off toward one side only, "up" or "down"."""
        if found is None:
            return
        if not (isinstance(found, float | int) and not math.isnan(found)):
            self.wrong.append(f"{found!r}: {case}")
            return
        short = (truth - mp.mpf(found)) * (1 if toward == "up" else -1)
        if short <= 0:
            return
        part = short / abs(truth) if truth else mp.inf
        self.off = max(self.off, float(part)) if short > LEAST else self.off
        if short <= LEAST or (not strict and part <= LAST_DIGITS):
            self.rounded += 1
        else:
            self.wrong.append(f"{found!r} and not {mp.nstr(truth, 20)}, off by {mp.nstr(part, 3)} of it: {case}")

    def told(self) -> list[str]:
        return [f"{self.what}, the longest: {self.slowest}"[:300], *super().told()]

    def cells(self) -> dict[str, int | str]:
        return {
            "cases": self.cases,
            "refused": self.refused,
            "unsafe": len(self.wrong),
            "by roundings": self.rounded,
            "tracebacks": len(self.tracebacks),
            "largest part": f"{self.off:.0e}",
            "longest": f"{self.longest:,.2f} s",
        }


def digits(*values: float) -> int:
    """So many that 50 are left where numbers next to each other are subtracted."""
    small = min(abs(each) for each in values if each) if any(values) else 1.0
    return DIGITS + 20 + max(0, -2 * math.floor(math.log10(small)))
