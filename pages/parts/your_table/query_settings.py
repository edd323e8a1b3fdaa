"""What can be set of a query on a table, with its names in links; of the built-in table every choice is a setting."""

from __future__ import annotations

from functools import cache
from typing import Any

from pages.shared import settings
from pages.shared.settings import Setting
from pages.shared.uploads import Builtin, source
from par_core.datasets import Dataset, census2000
from par_core.errors import ParameterError
from par_core.queries import Comparison

MOST_LETTERS = 2_000  # of a list in a link


@cache
def census() -> Dataset:
    return census2000()


BUILTIN = (Builtin("census2000", "US Census 2000", lambda: census().table),)


def _column(key: str, label: str, default: str, *, numbers: bool = False, none: bool = False) -> Setting[str]:
    """Return the setting that holds a column of the built-in table; the link of an upload leaves it as it was."""

    def read(text: str) -> str:
        table = census().table
        known = [*([""] if none else []), *(name for name in table if not numbers or table[name].dtype.kind in "if")]
        if text not in known:
            raise ParameterError(f"{label} must be one of {', '.join(filter(None, known))}, got {text[:40]!r}")
        return text

    return Setting(key, label, default, read, str)


def _text(key: str, label: str, default: str) -> Setting[str]:
    def read(text: str) -> str:
        if len(text) > MOST_LETTERS:
            raise ParameterError(f"{label} must have at most {MOST_LETTERS} letters, got {len(text)}")
        return text

    return Setting(key, label, default, read, str)


def _empty(key: str, like: Setting[Any]) -> Setting[Any]:
    """Return a setting like one of the built-in table, for an upload: nothing is given there until the reader types it."""
    return Setting(
        key,
        like.label,
        None,
        lambda text: like.read(text) if text else None,
        lambda value: "" if value is None else like.write(value),
        like.at_least,
        like.at_most,
    )


TABLE = source("table", BUILTIN)
ASK = settings.choice("ask", "What is published", ("by", "count", "sum", "mean"))
BY = _column("by", "Column", "education")
BY2 = _column("by2", "And a second column", "", none=True)
LIST = settings.choice("list", "Categories", ("public", "own"))
CATEGORIES = _text("cat", "My categories, one per line", "")
CATEGORIES2 = _text("cat2", "Categories of the second column, one per line", "")
REST = settings.switch("rest", "A cell for all others")
OF = _column("of", "Column of numbers", "weekly_income", numbers=True)
LOWER = settings.number("lo", "Lower bound", 0.0, at_least=-1e12, at_most=1e12)
UPPER = settings.number("hi", "Upper bound", 5000.0, at_least=-1e12, at_most=1e12)
ONLY = settings.switch("only", "Only some rows")
WHERE = _column("where", "Rows in which", "age")
COMPARISON = settings.choice("cmp", "is", tuple(Comparison), Comparison.AT_LEAST.value)
VALUE = _text("val", "Value", "50")
PERSON = _column("who", "Whose row it is", "", none=True)
OVER = settings.choice("over", "Persons with more rows", ("truncate", "refuse"))
LOWER_OWN, UPPER_OWN = _empty("own_lo", LOWER), _empty("own_hi", UPPER)
GUESS = settings.whole("n", "Rows that are averaged, at least", 1000, at_least=1, at_most=10**9)
GUESS_OWN = _empty("own_n", GUESS)
SETTINGS: tuple[Setting[Any], ...] = (
    TABLE,
    ASK,
    BY,
    BY2,
    LIST,
    CATEGORIES,
    CATEGORIES2,
    REST,
    OF,
    LOWER,
    UPPER,
    LOWER_OWN,
    UPPER_OWN,
    ONLY,
    WHERE,
    COMPARISON,
    VALUE,
    PERSON,
    OVER,
    GUESS,
    GUESS_OWN,
)
