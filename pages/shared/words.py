"""Levels as people read them, and text from outside as Markdown that shows it letter by letter."""

from __future__ import annotations

from par_core.export.sentences import counted, letters, level, level0, literal
from par_core.mechanisms import MECHANISMS
from par_core.rounding import amount, brief, percent
from par_core.scenario import HARDLY_PRIVATE

__all__ = (
    "HARDLY_PRIVATE",
    "amount",
    "as_sentence",
    "brief",
    "counted",
    "letters",
    "level",
    "level0",
    "literal",
    "mechanism_name",
    "percent",
)


def as_sentence(text: str) -> str:
    """Return what an error says as a sentence, in which what it quotes is shown letter by letter."""
    line = " ".join(text.split())
    return letters(line[:1].upper() + line[1:] + "." * (not line.endswith(".")))


def mechanism_name(key: str) -> str:
    """Return what a mechanism is called, as a heading or a choice begins with it."""
    name = MECHANISMS[key].name
    return name[0].upper() + name[1:]
