"""The constants of an example, in place of those that a plan has: with them the modules here run as they stand."""

from typing import Any

LEDGER = "privacy_ledger.jsonl"
EPSILON = 0.5
DELTA = 1e-5
PLAN: dict[str, Any] = {
    "noise": "discrete Laplace",
    "runs": 1,
    "epsilon": EPSILON,
    "epsilon_of_all": 0.5,
    "delta_of_all": 1e-5,
}

# Of a file.
FILE = "your_file.csv"
SEPARATOR = ","
ENCODING = "utf-8-sig"
DECIMAL = "."
MISSING = ["", "NA"]
COLUMNS = ["age"]
TEXT_COLUMNS: list[str] = []
WRITTEN: dict[str, str] = {}
HEADER = ""

# Of the promise to each person.
EPSILON_SUM, EPSILON_COUNT = 0.25, 0.25
EPSILONS = [EPSILON]
STATISTICS = 1
NOISE = [7.2, 7.2]
PERSON = "who"
ROWS_PER_PERSON = 1
CELLS_PER_PERSON = 1
ROWS = 100
ONE_PERSON = 1
COUNTS_MOVE = 1.0
MOVES = [COUNTS_MOVE]

# Of the question.
CONDITION_COLUMN = "age"
CONDITION_VALUE = 18
WHERE_COLUMN = "age"
WHERE_VALUE = 65
COLUMN_1, COLUMN_2 = "age", "town"
CATEGORIES_1, CATEGORIES_2 = [30, 40], ["Rome", "Vienna"]
LABELS = ["count"]
CELLS = 2
HEADINGS = "statistic"
COLUMN = "age"
LOWER = 0.0
UPPER = 10.0
LEAST, MOST = LOWER, UPPER
STEP = 2.0**-32

# Of exact answers.
SENSITIVITY = 1.0
DEVIATION = 7.2
NUMBERS = 3
