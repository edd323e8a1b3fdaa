"""Publish the releases of a plan with differential privacy, with OpenDP, and keep one ledger for all of them.

Install:  pip install {requirements}
Run:      python this_script.py your_file.csv               (or Parquet; either also as gzip)
          python this_script.py your_file.csv --only 2      (release 2 and no other; --only 2 --only 3 for both)

The plan for the year
{year}
  - a run publishes every release that has runs left, or only those that --only names: use it where one release is due
    less often than another
  - a ledger beside this script, or where --ledger puts it, counts the runs of each release and refuses any after the
    last. A run that breaks off once its place is taken counts too. Keep the ledger: without it, with an older copy or
    with its end cut off, runs are not counted
  - with --reservation ID, --ledger names a ledger in which `par ledger reserve` has recorded this plan under that ID:
    a run takes a place there for each release that it publishes, instead of a line in a ledger of its own
  - publish what every run writes: to look at several results and choose one gives away more than planned

What it does
  - reads the columns that it needs from your file once, on your machine; nothing is sent anywhere
  - does for each release what the comment above it says. Names that end in _R1 or _r1 belong to release 1, and so on;
    all releases share the others
  - prints what OpenDP proves about the privacy of each release, adds it up, and stops if any of it is more than planned
  - prints the results and writes them beside your file, as your_file_run_1.csv and so on

What it does not do
  - keep account of what is released elsewhere about the same persons: that epsilon comes on top
  - read bounds, categories or conditions off the data: they stand below, and must come from public knowledge
  - hide what you print, log or keep besides: error messages and the table itself are private
"""

import argparse
import csv
import math
import os
import sys

import opendp.prelude as dp

from par_core.export.scripts.files import stop
from par_core.export.scripts.gaussian_proof import opendp_epsilon, proven_delta
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.plan_ledger import due, runs_made, take_place
from par_core.export.scripts.plan_of_release import FILE
from par_core.export.scripts.plan_of_releases import DELTA, EPSILON, EPSILON_GAUSSIAN, LEDGER
from par_core.export.scripts.reading import read
from par_core.export.scripts.ready import ready
from par_core.export.scripts.release import row
from par_core.export.scripts.reservation import places_taken, take_reserved

# OpenDP asks for this consent to use components whose proofs are written but not all reviewed yet.
dp.enable_features("contrib")


def check(spent, rhos):
    """Stop unless all releases of a run are together as private as planned.

    They look at tables of their own, so OpenDP does not compose them: what it proves of each is added up, exactly.
    Gaussian noise counts with its part of EPSILON, and all of it together has EPSILON_GAUSSIAN at DELTA.
    """
    print(f"epsilon of this run {float(sum(spent))} (planned for all releases {EPSILON})")
    if sum(spent) > EPSILON:
        stop("this run would spend more than planned: nothing was measured")
    if made_for.gaussian:
        rho = math.fsum(rhos)
        if rho > 0:
            delta = proven_delta(rho)
            print(f"proven delta {delta} at epsilon {EPSILON_GAUSSIAN} (planned {DELTA}) of all Gaussian noise")
            print(f"OpenDP's own bound, for any noise with this rho of {rho}: epsilon {opendp_epsilon(rho)}")
            if not delta <= DELTA:
                stop("the Gaussian noise would be less private than planned: nothing was measured")


# How each release is made ready.
RELEASES = {1: ready}


def main():
    """Read, prove all releases of the run, measure each once, print what is published and write it."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")  # a console without a label's letters shows their numbers
    arguments = argparse.ArgumentParser(description="Publish the releases of a plan; this script's head says how.")
    arguments.add_argument("file", nargs="?", default=FILE)
    arguments.add_argument("--only", action="append", type=int, choices=[*RELEASES], metavar="RELEASE")
    arguments.add_argument("--ledger", default=os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])), LEDGER))
    arguments.add_argument("--reservation", metavar="ID")
    asked = arguments.parse_args()
    ledger, reservation = os.path.realpath(asked.ledger), asked.reservation
    runs = runs_made(ledger) if reservation is None else places_taken(ledger, reservation)
    numbers = due(runs, asked.only)
    table = read(asked.file)
    names, spent, rhos, publish = zip(*(RELEASES[number](table) for number in numbers), strict=True)
    check(spent, rhos)
    beside = os.path.splitext(asked.file)[0]
    if reservation is None:
        results = take_place(ledger, beside + "_run", numbers)
    else:
        results = take_reserved(ledger, beside + "_place", numbers, reservation)
    found = [(number, name, each()) for number, name, each in zip(numbers, names, publish, strict=True)]
    with open(results, "w", newline="", encoding="utf-8-sig") as file:
        lines = csv.writer(file)
        lines.writerow(row(("release", "statistic", "label", "second label"), "published"))
        for number, name, published in found:
            for label, value in published:
                first, second = label if isinstance(label, tuple) else (label, "")
                lines.writerow(row((number, name, first, second), value))
    for number, _, published in found:
        for label, value in published:
            print(f"{number}\t{label!r}\t{value}")


if __name__ == "__main__":
    main()
