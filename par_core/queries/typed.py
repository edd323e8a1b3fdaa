"""Values of a question as somebody typed them."""

from __future__ import annotations

from collections.abc import Iterable

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.parameters import check_choice, check_number, check_type
from par_core.queries.dates import Category, date_letters
from par_core.scenario import is_decimal

KINDS = ("number", "text", "date", "true-false")
"""What a column can hold, as `par_core.tables.table.Column` calls it."""


@Evidence(PROVEN, source="the value as typed")
def value_of(text: str, kind: str, what: str) -> Category:
    """Read what was typed as a value of a column of this kind; ParameterError naming `what` if it is none.

    >>> value_of("12", "number", "the value"), value_of("12", "text", "the value")
    (12, '12')
    """
    check_type("text", text, str)
    kind = check_choice("kind", kind, KINDS)
    if kind == "number":
        if not is_decimal(text):
            raise ParameterError(f"{what} must be a number, got {text[:40]!r}")
        return int(text) if text.lstrip("+-").isdigit() else float(text)
    if kind == "true-false":
        if text.lower() not in ("true", "false"):
            raise ParameterError(f"{what} must be true or false, got {text[:40]!r}")
        return text.lower() == "true"
    if kind == "date":
        date_letters(what, (text,))
    return text


@Evidence(PROVEN, source="the numbers as typed")
def edges_of(texts: Iterable[str]) -> tuple[float, ...]:
    """Read the edges of a histogram, one in each text that is not blank; ParameterError naming the one that is no number.

    >>> edges_of(["18", "", " 65.5"])
    (18.0, 65.5)
    """
    found = enumerate(filter(None, map(str.strip, texts)), start=1)
    return tuple(check_number(f"edge {at}", value_of(text, "number", f"edge {at}")) for at, text in found)
