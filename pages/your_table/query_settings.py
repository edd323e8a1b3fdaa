"""What can be set of a query on a table, with its names in links; of the built-in table every choice is a setting."""

from __future__ import annotations

from functools import cache

from pages.shared import settings
from pages.shared.amount_fields import AmountSettings
from pages.shared.condition_fields import ConditionSettings
from pages.shared.settings import Setting
from pages.shared.table_fields import Hanging, column_of, empty_of, text_of
from pages.shared.uploads import Builtin, source
from par_core.datasets import Dataset, census2000
from par_core.queries import Comparison


@cache
def census() -> Dataset:
    return census2000()


BUILTIN = (Builtin("census2000", "US Census 2000", lambda: census().table),)


def _column(key: str, label: str, default: str, *, numbers: bool = False, none: bool = False) -> Setting[str]:
    def known() -> list[str]:
        table = census().table
        return [*([""] if none else []), *(name for name in table if not numbers or table[name].dtype.kind in "if")]

    return column_of(key, label, default, known=known)


TABLE = source("table", BUILTIN)
ASK = settings.choice("ask", "What is published", ("by", "count", "sum", "mean"))
BY = _column("by", "Column", "education")
BY2 = _column("by2", "And a second column", "", none=True)
LIST = settings.choice("list", "Categories", ("public", "own"))
CATEGORIES = text_of("cat", "My categories, one per line", "")
CATEGORIES2 = text_of("cat2", "Categories of the second column, one per line", "")
REST = settings.switch("rest", "A cell for all others")
OF = _column("of", "Column of numbers", "weekly_income", numbers=True)
LOWER = settings.number("lo", "Lower bound", 0.0, at_least=-1e12, at_most=1e12)
UPPER = settings.number("hi", "Upper bound", 5000.0, at_least=-1e12, at_most=1e12)
ONLY = settings.switch("only", "Only some rows")
WHERE = _column("where", "Rows in which", "age")
COMPARISON = settings.choice("cmp", "is", tuple(Comparison), Comparison.AT_LEAST.value)
VALUE = text_of("val", "Value", "50")
CONDITION = ConditionSettings(WHERE, COMPARISON, VALUE)
PERSON = _column("who", "Whose row it is", "", none=True)
ONCE = settings.switch("once", "Each person once per cell")
OVER = settings.choice("over", "Persons with more", ("truncate", "refuse"))
LOWER_OWN, UPPER_OWN = empty_of("own_lo", LOWER), empty_of("own_hi", UPPER)
AMOUNT = AmountSettings(OF, LOWER, UPPER, LOWER_OWN, UPPER_OWN)
SKIP = settings.switch("skip", "Leave out rows without a value")
GUESS = settings.whole("n", "Rows that are averaged, at least", 1000, at_least=1, at_most=10**9)
GUESS_OWN = empty_of("own_n", GUESS)
HANGING: tuple[Hanging, ...] = (
    (BY, (CATEGORIES,)),
    (BY2, (CATEGORIES2,)),
    AMOUNT.hanging,
    CONDITION.hanging,
    (PERSON, ()),
)
