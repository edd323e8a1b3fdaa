"""What became of the cases of one reader: an answer of words says what is wrong with what was taken."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

from benchmarks.cases import Cases, shown


@dataclass
class Readings(Cases):
    hangs = 30.0
    clock = time.process_time  # whatever else the machine does
    warns = (UserWarning, RuntimeWarning)
    most: float = 2.0  # seconds
    slow: list[str] = field(default_factory=list)

    def took(self, case: object, seconds: float) -> None:
        super().took(case, seconds)
        if seconds > self.most:
            self.slow.append(f"{seconds:.1f} s: {shown(case)}")

    def faults(self) -> tuple[list[str], ...]:
        return self.tracebacks, self.wrong, self.slow

    def cells(self) -> dict[str, int | str]:
        return {
            "cases": self.cases,
            "refused in a sentence": self.refused,
            "taken": self.cases - self.refused - len(self.tracebacks),
            "tracebacks": len(self.tracebacks),
            "wrong": len(self.wrong),
            "too long": len(self.slow),
            "longest": f"{self.longest * 1000:,.0f} ms",
        }
