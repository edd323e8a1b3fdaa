"""What can be set of a query on a table, with its names in links; of the built-in table every choice is a setting."""

from __future__ import annotations

from pages.shared import settings
from pages.shared.amount_fields import AmountSettings
from pages.shared.condition_fields import ConditionSettings
from pages.shared.table_fields import Hanging, column_of, empty_of, text_of
from pages.shared.uploads import Builtin, source
from par_core.datasets import census2000
from par_core.queries import AMOUNTS, Comparison, Quantile
from par_core.queries.statistics import LARGEST_BOUND
from par_core.questions.your_table.table_question import TableQuestion

BUILTIN = (Builtin("census2000", "US Census 2000", census2000),)
TABLE = source("table", BUILTIN)
ASK = settings.choice("ask", "What is published", ("by", "count", "hist", *AMOUNTS, "share", "quantile"))
BY = column_of("by", "Column", "education", BUILTIN)
BY2 = column_of("by2", "And a second column", "", BUILTIN)
LIST = settings.choice("list", "Categories", ("public", "own"))
CATEGORIES = text_of("cat", "My categories, one per line", "")
CATEGORIES2 = text_of("cat2", "Categories of the second column, one per line", "")
REST = settings.switch("rest", "Count the rest")
BINNED = column_of("bin", "Column of numbers", "age", BUILTIN, numbers=True)
BINS = settings.choice("bins", "Bins", ("width", "own"))
LOWEST = settings.number("blo", "Lowest edge", 0.0, at_least=-LARGEST_BOUND, at_most=LARGEST_BOUND)
HIGHEST = settings.number("bhi", "Highest edge", 100.0, at_least=-LARGEST_BOUND, at_most=LARGEST_BOUND)
WIDTH = settings.number("bwid", "Width of a bin", 10.0, at_least=1 / LARGEST_BOUND, at_most=2 * LARGEST_BOUND)
BINS_BUILTIN = (LOWEST, HIGHEST, WIDTH)
LOWEST_OWN, HIGHEST_OWN, WIDTH_OWN = (
    empty_of("own_blo", LOWEST),
    empty_of("own_bhi", HIGHEST),
    empty_of("own_bw", WIDTH),
)
BINS_OWN = (LOWEST_OWN, HIGHEST_OWN, WIDTH_OWN)
EDGES = text_of("edges", "My edges, rising, one per line", "")
OF = column_of("of", "Column of numbers", "weekly_income", BUILTIN, numbers=True)
LOWER = settings.number("lo", "Lower bound", 0.0, at_least=-LARGEST_BOUND, at_most=LARGEST_BOUND)
UPPER = settings.number("hi", "Upper bound", 5000.0, at_least=-LARGEST_BOUND, at_most=LARGEST_BOUND)
GROUP = column_of("grp", "In each group of", "", BUILTIN)
GROUPS = text_of("gcat", "My groups, one per line", "")
ONLY = settings.switch("only", "Only some rows")
WHERE = column_of("where", "Rows in which", "age", BUILTIN)
COMPARISON = settings.choice("cmp", "is", tuple(Comparison), Comparison.AT_LEAST.value)
VALUE = text_of("val", "Value", "50")
CONDITION = ConditionSettings(WHERE, COMPARISON, VALUE)
PERSON = column_of("who", "Person column", "", BUILTIN)
ONCE = settings.switch("once", "Each person once per cell")
OVER = settings.choice("over", "Persons with more", ("truncate", "refuse"))
LOWER_OWN, UPPER_OWN = empty_of("own_lo", LOWER), empty_of("own_hi", UPPER)
STEP = settings.number("stp", "Step between candidates", 20.0, at_least=1e-12, at_most=LARGEST_BOUND)
STEP_OWN = empty_of("own_stp", STEP)
ALPHA = settings.number("qa", "Share of rows below (0.5: the median)", Quantile.alpha, at_least=0.0001, at_most=0.9999)
SKIP = settings.switch("skip", "Leave out rows without a value")
AMOUNT = AmountSettings(OF, LOWER, UPPER, LOWER_OWN, UPPER_OWN, (STEP_OWN, ALPHA, SKIP))
GUESS = settings.whole("n", "Rows averaged, at least", TableQuestion.guess, at_least=1, at_most=10**12)
GUESS_OWN = empty_of("own_n", GUESS)
HANGING: tuple[Hanging, ...] = (
    (BY, (CATEGORIES,)),
    (BY2, (CATEGORIES2,)),
    (BINNED, (*BINS_OWN, EDGES)),
    (OF, (*AMOUNT.hanging[1], GUESS_OWN)),
    (GROUP, (GROUPS, GUESS_OWN)),
    (WHERE, (*CONDITION.hanging[1], GUESS_OWN)),
    (PERSON, ()),
)
