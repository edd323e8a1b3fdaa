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

# Of a table.
SEPARATOR = ","
ENCODING = "utf-8-sig"
DECIMAL = "."
MISSING = ["", "NA"]
COLUMNS = ["age"]
TEXT_COLUMNS: list[str] = []
WRITTEN: dict[str, str] = {}
HEADER = ""
PERSON = "who"
ONE_PERSON = 1
COUNTS_MOVE = 1.0
CELLS = 2
LEAST, MOST = 0.0, 10.0
STEP = 2.0**-32
ROWS_PER_PERSON = 1
CELLS_PER_PERSON = 1

# Of exact answers.
SENSITIVITY = 1.0
DEVIATION = 7.2
NUMBERS = 3
