"""Files, addresses and argument lists as nobody would write them: each is refused in one sentence, or means what it says.

Run: make bad-input, or make bad-input OPTIONS="--number 100 --only CSV"

Files are good ones with a few faults, or any bytes, drawn by hypothesis with a fixed seed. What is taken is compared with a second
reading that shares no code with the first: Python's csv, json, tomllib and numpy. Exit code 1 where a case has a traceback, hangs,
or is read as something else than it says.
"""

import logging
import sys
import warnings
from functools import partial

from benchmarks.bad_input.addresses import addresses, opened
from benchmarks.bad_input.argument_lists import argument_lists
from benchmarks.bad_input.arrays import PARQUET, damaged_npz, take_npz, take_parquet
from benchmarks.bad_input.csv_tables import CSV, take_by_script, take_csv
from benchmarks.bad_input.damage import damaged, files
from benchmarks.bad_input.ledgers import LEDGER, POLICY, resealed, take_ledger, take_policy
from benchmarks.bad_input.readings import Readings
from benchmarks.bad_input.rows import ROWS, take_rows
from benchmarks.bad_input.scenarios_and_plans import LINE, PLAN, SCENARIO, take_line, take_plan, take_scenario
from benchmarks.cases import main

PARTS = {
    "CSV and TSV": partial(files, damaged(*CSV), take_csv),
    "NPZ": partial(files, damaged_npz(), take_npz),
    "Parquet": partial(files, damaged(*PARQUET), take_parquet),
    "a table by a release script": partial(files, damaged(CSV[0]), take_by_script),
    "scenario.json": partial(files, damaged(*SCENARIO), take_scenario),
    "plan.toml": partial(files, damaged(*PLAN), take_plan),
    "plan in a line": partial(files, damaged(LINE.encode()), take_line),
    "policy.toml": partial(files, damaged(*POLICY), take_policy),
    "ledger.jsonl": partial(files, damaged(LEDGER), take_ledger),
    "ledger.jsonl under a right seal": partial(files, damaged(LEDGER).map(resealed), take_ledger),
    "rows of numbers": partial(files, damaged(*ROWS), take_rows),
    "addresses": addresses,
    "addresses in a page": opened,
    "argument lists of par": argument_lists,
}

if __name__ == "__main__":
    warnings.simplefilter("ignore")
    logging.disable()  # of Streamlit without a server
    sys.exit(main(__doc__, Readings, PARTS, "of each reader; ten times as many addresses"))
