"""What programs that try many cases share: what became of each, an alarm for one that hangs, a table, and the faults."""

from __future__ import annotations

import argparse
import signal
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from par_core.errors import DataError, InfeasibleError, ParameterError

SEED = 20261128
SENTENCE = 600  # letters


class HangError(BaseException):
    """A case took too long; no handler of the project catches it."""


@dataclass
class Cases:
    """What became of the cases of one kind."""

    hangs: ClassVar[float]  # seconds
    clock: ClassVar[Callable[[], float]] = time.perf_counter
    warns: ClassVar[tuple[type[Warning], ...]] = (Warning,)  # counts as a traceback
    what: str
    cases: int = 0
    refused: int = 0
    longest: float = 0.0
    slowest: str = ""
    tracebacks: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)

    def call(self, case: object, function: Callable[..., Any], *given: Any, **named: Any) -> Any:
        """Return what a call answers; None where it refuses, or fails."""
        self.cases += 1
        start = self.clock()
        signal.setitimer(signal.ITIMER_REAL, self.hangs)
        try:
            with warnings.catch_warnings():
                for each in self.warns:
                    warnings.simplefilter("error", each)
                return function(*given, **named)
        except (DataError, ParameterError, InfeasibleError) as error:
            self.refused += 1
            if not is_sentence(str(error)):
                self.wrong.append(f"no sentence: {str(error)!r}: {shown(case)}")
        except (Exception, HangError) as error:
            place = traceback.extract_tb(error.__traceback__)[-1]
            at = f"{Path(place.filename).name}:{place.lineno}"
            self.tracebacks.append(f"{type(error).__name__} at {at}: {str(error)[:120]}: {shown(case)}")
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self.took(case, self.clock() - start)
        return None

    def add(self, case: object, read: Callable[..., str | None], *given: object) -> None:
        """Count a case: an answer of words says what is wrong."""
        if wrong := self.call(case, read, *given):
            self.wrong.append(f"{wrong}: {shown(case)}")

    def took(self, case: object, seconds: float) -> None:
        if seconds > self.longest:
            self.longest, self.slowest = seconds, shown(case)

    def faults(self) -> tuple[list[str], ...]:
        """What may not be, by its kinds."""
        return self.tracebacks, self.wrong

    def told(self) -> list[str]:
        return [f"{self.what}: {fault}" for faults in self.faults() for fault in faults[:15]]

    def cells(self) -> dict[str, int | str]:
        """Return a line of the table, by columns."""
        raise NotImplementedError  # each program has a table of its own


def shown(case: object) -> str:
    text = case if isinstance(case, str) else repr(case)
    return text if len(text) < 900 else f"{text[:600]} … {text[-200:]}"


def is_sentence(text: str) -> bool:
    return 0 < len(text) < SENTENCE and "\n" not in text and "Traceback" not in text


def main(doc: str | None, kind: type[Cases], parts: Mapping[str, Callable[[Any, int], None]], number: str) -> int:
    """Run the parts that are asked for, with a line of the table each, and tell the faults: 1 where there are any."""
    parser = argparse.ArgumentParser(
        prog=Path(sys.argv[0]).parent.name, description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--number", type=int, default=1000, help=number)
    parser.add_argument("--only", default="", help="what to try, by a part of its name")
    given = parser.parse_args()
    signal.signal(signal.SIGALRM, _hangs)
    heads = ["what", *kind("").cells()]
    print(f"| {' | '.join(heads)} |\n{'|---' * len(heads)}|")
    found = []
    for what, run in parts.items():
        if given.only.lower() in what.lower():
            found.append(cases := kind(what))
            run(cases, given.number)
            cells = (f"{each:,}" if isinstance(each, int) else each for each in cases.cells().values())
            print(f"| {what} | {' | '.join(cells)} |", flush=True)
    for cases in found:
        for line in cases.told():
            print(line, file=sys.stderr)
    return int(any(any(cases.faults()) for cases in found))


def _hangs(*_: object) -> None:
    raise HangError("hangs")
