"""The answer of a command: its numbers, each with what it is worth, rounded to its safe side for people and whole for programs."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import par_core
from par_core import rounding
from par_core.evidence import Basis, Quantity
from par_core.export import safe_csv
from par_core.figures.quantities import format_quantity

Form = Literal["human", "json", "csv"]


@dataclass(frozen=True)
class Gate:
    """What a pipeline stops at: whether it passes, and the reason in a sentence without a full stop."""

    passes: bool
    why: str


@dataclass(frozen=True)
class Row:
    """One number by its name: a quantity; `note` is a part of a sentence."""

    name: str
    number: Quantity
    unit: str = ""
    note: str = ""
    counted: bool = False  # a whole number, which is told as it is

    @property
    def worth(self) -> Basis:
        """The basis of the number; every number has one."""
        assert self.number.evidence is not None, self.name
        return self.number.evidence.basis

    @property
    def claim(self) -> str:
        """The id in the catalogue of what is claimed; empty for a number that is no claim."""
        return self.number.claim

    def told(self) -> dict[str, Any]:
        """Return what a program reads of the number."""
        quantity = self.number
        return {
            "name": self.name,
            "value": plain(quantity),
            "unit": self.unit,
            "rounded": "not" if self.counted else "up" if quantity.kind == "error" else quantity.toward,
            "standing": self.worth.value,
            "claim": self.claim,
            "note": self.note,
        }


@dataclass(frozen=True)
class Answer:
    """What a command found: a sentence, its numbers, what they rest on, and perhaps a gate and files to be written."""

    headline: str
    settings: Mapping[str, Any]
    rows: tuple[Row, ...] = ()
    notes: tuple[str, ...] = ()
    gate: Gate | None = None
    files: tuple[tuple[str, str], ...] = ()  # path and text
    currency: str = ""

    def in_form(self, form: Form) -> str:
        """Return the answer in one of its forms; numbers are rounded for people only."""
        return {"json": self._json, "csv": self._csv, "human": self._human}[form]().replace("\u00a0", " ")

    def results(self) -> list[dict[str, Any]]:
        """Return what a program reads of every number."""
        return [row.told() for row in self.rows]

    def lines(self) -> list[str]:
        """Return what a person reads of every number."""
        cells = [
            (
                row.name,
                self._number(row),
                row.worth.value,
                f"{row.note} (claim {row.claim})" if row.claim else row.note,
            )
            for row in self.rows
        ]
        width = [max((len(cell[at]) for cell in cells), default=0) for at in range(3)]
        return [
            f"  {name:<{width[0]}}  {number:>{width[1]}}  {worth:<{width[2]}}  {note}".rstrip()
            for name, number, worth, note in cells
        ]

    def head(self) -> dict[str, str]:
        """Return what stands above the numbers as CSV: all else that is found."""
        head = {"title": self.headline, **{name: str(value) for name, value in self.settings.items()}}
        if self.gate is not None:
            head["gate"] = f"{'passes' if self.gate.passes else 'fails'}: {self.gate.why}"
        return head | {f"note {number}": note for number, note in enumerate(self.notes, start=1)}

    def _number(self, row: Row) -> str:
        infinite = math.isinf(float(row.number.value))
        text = "infinite" if infinite else format_quantity(row.number, currency=self.currency, fine=True)
        return f"{text} {row.unit}" if row.unit and row.unit not in ("share", self.currency) else text

    def _json(self) -> str:
        content: dict[str, Any] = {
            "par_core": par_core.__version__,
            "headline": self.headline,
            "settings": dict(self.settings),
            "results": self.results(),
            "notes": list(self.notes),
        }
        if self.gate is not None:
            content["gate"] = {"passes": self.gate.passes, "why": self.gate.why}
        return json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n"

    def _csv(self) -> str:
        import pandas as pd  # no other form needs it, and it takes as long to load as the rest of a command

        return safe_csv.as_csv(pd.DataFrame(self.results(), dtype=object), self.head(), version=par_core.__version__)

    def _human(self) -> str:
        found = [self.headline, "", *self.lines()]
        if self.notes:
            found += ["", *(f"- {note}" for note in self.notes)]
        if self.gate is not None:
            found += ["", f"The gate {'passes' if self.gate.passes else 'FAILS'}: {self.gate.why}."]
        return "\n".join(found) + "\n"


def beside(value: float, allowed: float, digits: int) -> str:
    """Return a number rounded up, with so many digits or as many more as part it from what is allowed, unless it is just that."""

    def side(number: float) -> tuple[bool, bool]:
        return number < allowed, number > allowed

    told = (rounding.amount(value, each, toward="up") for each in range(digits, 18))
    return next((text for text in told if side(float(text.replace(",", ""))) == side(value)), repr(value))


def plain(quantity: Quantity) -> float | int | str:
    """Return the number of a quantity as a program reads it: with every digit."""
    value = float(quantity.value)
    if math.isinf(value):
        return "infinity"  # JSON has no such number, and a text is taken for none
    return int(value) if value.is_integer() and abs(value) < 1e15 else value
