"""The plan that a release script holds in the constants at its top; as it stands, that of an example."""

import numpy as np

from par_core.export.scripts.made_for import made_for

# The file; a name on the command line goes first. What follows down to MISSING is for CSV.
FILE = "your_file.csv"
SEPARATOR = ","
ENCODING = "utf-8-sig"
DECIMAL = "."
MISSING = ["", "NA"]
COLUMNS = ["age"]
TEXT_COLUMNS = ["town"]
# What such a text means: the sign before the decimals of a number whose thousands may be set off; the order of a date.
WRITTEN = {"price": ","}
# Fingerprint of the names of all columns in their order; with an empty one any others will do.
HEADER = ""

# The promise to each person.
EPSILON = 0.5
DELTA = 1e-5
STATISTICS = 1  # that keep the promise together, this one among them
NOISE = [7.2, 7.2]  # deviation for each part: how many times what one person moves
RHO = 0.01  # of all parts together
EPSILON_SUM = 0.25
EPSILON_COUNT = 0.25
if made_for.statistic == "quotient":
    EPSILONS = [EPSILON_SUM, EPSILON_COUNT]
else:
    EPSILONS = [EPSILON]
CELLS_PER_PERSON = 1
ROWS_PER_PERSON = 1
PERSON = "who"
ROWS = 100  # {publicity}
if made_for.persons:
    ONE_PERSON = 1  # how many times a person who is counted in a cell can come or go
elif made_for.statistic == "mean":
    ONE_PERSON = min(ROWS_PER_PERSON, ROWS)
elif made_for.statistic == "quantile" and not made_for.added_or_removed:
    ONE_PERSON = 2 * ROWS_PER_PERSON  # how many rows can come or go: where one is replaced, one goes and one comes
else:
    ONE_PERSON = ROWS_PER_PERSON  # how many rows of the table one person can change
COUNTS_MOVE = 1.0  # by one person: root of the sum of squares
if not made_for.groups:  # whose sums move by so many steps, which are said below
    if made_for.statistic == "counts":
        MOVES = [COUNTS_MOVE]
    elif made_for.statistic == "quotient":
        MOVES = [ONE_PERSON, COUNTS_MOVE]
    else:
        MOVES = [ONE_PERSON]

# The question. None of it may be read off the data.
NAME = "count"
CONDITION_COLUMN = "age"
CONDITION_VALUE = 18
WHERE_COLUMN = "age"
WHERE_VALUE = 65
COLUMN_1 = "age"
CATEGORIES_1 = [30, 40]
COLUMN_2 = "town"
CATEGORIES_2 = ["Rome", "Vienna"]
COLUMN = "age"
EDGES = [18.0, 65.0]
if made_for.first:
    # These lines fit where a script has them, further to the left.
    # fmt: off
    if made_for.second and made_for.other:
        LABELS = [(first, second) for first in CATEGORIES_1 + ["(all others)"] for second in CATEGORIES_2 + ["(all others)"]]
    elif made_for.second:
        LABELS = [(first, second) for first in CATEGORIES_1 for second in CATEGORIES_2]
    elif made_for.other:
        LABELS = CATEGORIES_1 + ["(all others)"]
    else:
        LABELS = CATEGORIES_1
    CELLS = len(LABELS)
    if made_for.second:
        HEADINGS = (COLUMN_1, COLUMN_2,)  # of the file of results
    else:
        HEADINGS = (COLUMN_1,)  # of the file of results
    # fmt: on
elif made_for.bins:
    LABELS = ["below 18", "18 to <65", "65 and above"]
    HEADINGS = (COLUMN,)  # of the file of results
    CELLS = len(LABELS)
else:
    LABELS = ["count"]
    HEADINGS = "statistic"
    CELLS = 1
ALPHA = 0.5  # of the rows are below the quantile
CANDIDATES = [each / 1 for each in range(0, 121, 1)]
if made_for.share:
    LOWER = 0.0  # of what one row adds: 1 if it meets the condition
    UPPER = 1.0
else:
    LOWER = 0.0
    UPPER = 10.0
MIDDLE = (LOWER + UPPER) / 2  # values are added up as their distance from it
if made_for.shifted:
    LEAST, MOST = 0.0, UPPER - LOWER  # of what one row adds
elif made_for.statistic == "quotient":
    LEAST, MOST = LOWER - MIDDLE, UPPER - MIDDLE  # of what one row adds; a row that is not there adds 0
elif not (made_for.added_or_removed or made_for.where or made_for.present or made_for.groups):
    LEAST, MOST = LOWER, UPPER  # of what one row adds
else:
    LEAST, MOST = min(LOWER, 0.0), max(UPPER, 0.0)  # of what one row adds; a row that is not there adds 0
# Sums are taken in whole steps: those of floats are rounded, and the rounding would tell on single rows.
STEP = 2.0 ** (int(np.frexp(max(abs(LEAST), abs(MOST)))[1]) - 36)
FARTHEST = int(np.rint(max(-LEAST, MOST) / STEP))  # steps that a row adds, at most
APART = int(np.rint(MOST / STEP)) - int(np.rint(LEAST / STEP))  # steps between two rows
# By how many steps one person moves the sums of all groups together.
if made_for.added_or_removed and made_for.gaussian:
    SUMS_MOVE = float(ONE_PERSON * FARTHEST)
elif made_for.added_or_removed:
    SUMS_MOVE = ONE_PERSON * FARTHEST
elif made_for.groups == 1 and made_for.gaussian:
    SUMS_MOVE = float(ONE_PERSON * APART)
elif made_for.groups == 1:
    SUMS_MOVE = ONE_PERSON * APART
elif made_for.gaussian:
    # The rows that replace a person's stay in the group, or enter another one: the root of the sum of two squares.
    SUMS_MOVE = float(max(ONE_PERSON * APART, np.nextafter(2.0**0.5 * (ONE_PERSON * FARTHEST), np.inf)))
else:
    SUMS_MOVE = 2 * ONE_PERSON * FARTHEST  # a row leaves one group, and the one that replaces it enters another
if made_for.groups and made_for.statistic == "quotient":
    MOVES = [SUMS_MOVE, COUNTS_MOVE]
elif made_for.groups:
    MOVES = [SUMS_MOVE]

LEDGER = "privacy_ledger.jsonl"
# The plan for the year. A ledger with another one is refused.
PLAN = {"runs": 1}
