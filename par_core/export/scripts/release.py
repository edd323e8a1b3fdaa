"""Publish one statistic with differential privacy, with OpenDP.

Install:  pip install {requirements}
Run:      python this_script.py your_file.csv        (or Parquet; either also as gzip)

The plan for the year
{year}
  - a ledger beside this script, or where --ledger puts it, counts the runs and refuses any after the last; scripts of
    the same plan share it. A run that breaks off once its place is taken counts too. Keep the ledger: without it,
    with an older copy or with its end cut off, runs are not counted
  - publish what every run writes: to look at several results and choose one gives away more than planned

What it does
  - reads the columns that it needs from your file, on your machine; nothing is sent anywhere
{does}
  - prints what OpenDP proves about the privacy of the release, and stops if that is more than planned
  - prints the release and writes it beside your file, as your_file_release_1.csv and so on

What it does not do
  - keep account of what is released elsewhere about the same persons: that epsilon comes on top
  - read bounds, categories or conditions off the data: they stand below, and must come from public knowledge
  - hide what you print, log or keep besides: error messages and the table itself are private
"""

import argparse
import csv
import os
import sys

import opendp.prelude as dp
import pandas as pd  # noqa: F401 (what a table is made of)

from par_core.export.scripts.files import stop
from par_core.export.scripts.gaussian_proof import opendp_epsilon, proven_delta
from par_core.export.scripts.ledger import take_place
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.persons import cap
from par_core.export.scripts.plan_of_release import (
    DELTA,
    EPSILON,
    EPSILONS,
    FILE,
    HEADINGS,
    LEDGER,
    MOVES,
    ONE_PERSON,
    ROWS,
    STATISTICS,
    SUMS_MOVE,
)
from par_core.export.scripts.reading import read
from par_core.export.scripts.statistic import measurements, prepare, published

# OpenDP asks for this consent to use components whose proofs are written but not all reviewed yet.
dp.enable_features("contrib")


def row(label, value):
    """Return a line of the results; no spreadsheet takes a label for a formula."""
    labels = label if isinstance(label, tuple) else (label,)
    wide = "\uff1d\uff0b\uff0d\uff20\ufe66\ufe62\ufe63\ufe6b"  # the same signs in East Asian writing
    formulas = tuple("=+-@\t\r" + wide)
    return [*(f"'{each}" if isinstance(each, str) and each[:1] in formulas else each for each in labels), value]


def main():
    """Read, measure once, print the release and write it."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a console without a label's letters shows their numbers
    arguments = argparse.ArgumentParser(description="Publish one statistic by its plan; this script's head says how.")
    arguments.add_argument("file", nargs="?", default=FILE)
    arguments.add_argument("--ledger", default=os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])), LEDGER))
    asked = arguments.parse_args()
    table = read(asked.file)
    if made_for.capped:
        table = cap(table)
    if made_for.statistic == "mean":  # noqa: SIM102
        if len(table) != ROWS:
            stop("the table does not have as many rows as planned (ROWS); plan the release again")
    vectors, mechanisms = prepare(table), measurements(len(table))
    if not made_for.gaussian:
        # These lines fit where a script has them, further to the left.
        # fmt: off
        if made_for.groups:
            spent = [mechanisms[0].map(SUMS_MOVE), *(each.map(ONE_PERSON) for each in mechanisms[1:])]  # OpenDP's own proof
        else:
            spent = [mechanism.map(ONE_PERSON) for mechanism in mechanisms]  # OpenDP's own proof of the epsilon of each part
        for epsilon, planned in zip(spent, EPSILONS, strict=True):
            print(f"proven epsilon {epsilon} (planned {planned})")
            if not epsilon <= planned:
                stop("this release would be less private than planned: nothing was measured")
        if sum(EPSILONS) > EPSILON:
            stop("the parts would spend more than planned: nothing was measured")
        # fmt: on
    else:
        spent = [mechanism.map(moves) for mechanism, moves in zip(mechanisms, MOVES, strict=True)]
        rho = STATISTICS * sum(spent)  # OpenDP's own proof
        delta = proven_delta(rho)
        print(f"proven delta {delta} at epsilon {EPSILON} (planned {DELTA})")
        print(f"OpenDP's own bound, for any noise with this rho of {rho}: epsilon {opendp_epsilon(rho)}")
        if not delta <= DELTA:
            stop("this release would be less private than planned: nothing was measured")
    results = take_place(os.path.realpath(asked.ledger), os.path.splitext(asked.file)[0] + "_release")
    noisy = [mechanism(vector) for mechanism, vector in zip(mechanisms, vectors, strict=True)]
    found = published(noisy, len(table))
    with open(results, "w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows(row(label, value) for label, value in [(HEADINGS, "published"), *found])
    for label, value in found:
        print(f"{label!r}\t{value}")


if __name__ == "__main__":
    main()
