"""Publish exact answers with {noise} noise, with OpenDP.

Install:  pip install {requirements}
Run:      python this_script.py answers.txt        (one exact answer on each line; without a file they are typed in)

The plan for the year
{year}
  - a ledger beside this script, or where --ledger puts it, counts the runs and refuses any after the last; scripts of
    the same plan share it. A run that breaks off once its place is taken counts too. Keep the ledger: without it,
    with an older copy or with its end cut off, runs are not counted
  - publish what every run writes: to look at several results and choose one gives away more than planned

What it does
  - reads the exact answers, on your machine; nothing is sent anywhere
  - relies on your promise that one person moves {them} by SENSITIVITY at most, in {norm}: it does not check it
  - prints what OpenDP proves about the privacy of the release, and stops if that is more than planned
  - adds {noise} noise to each answer, prints the release, and writes it beside the answers, as
    answers_release_1.csv and so on

What it does not do
  - keep account of what is released elsewhere about the same persons: that epsilon comes on top
  - hide what you print, log or keep besides: the exact answers are private
"""

import argparse
import csv
import os
import sys

import opendp.prelude as dp

from par_core.export.scripts.files import opened, stop
from par_core.export.scripts.gaussian_proof import opendp_epsilon, proven_delta
from par_core.export.scripts.ledger import take_place
from par_core.export.scripts.made_for import made_for
from par_core.export.scripts.plan_of_answers import (
    DELTA,
    DEVIATION,
    EPSILON,
    LEDGER,
    NUMBERS,
    SENSITIVITY,
    STATISTICS,
)

# OpenDP asks for this consent to use components whose proofs are written but not all reviewed yet.
dp.enable_features("contrib")


def answers(path):
    """Return the exact answers, one on each line of a file, or as they are typed in."""
    with sys.stdin if path == "-" else opened(path, encoding="utf-8-sig") as file:
        lines = [line.strip() for line in file if line.strip()]
    try:
        if not made_for.whole_numbers:
            found = [float(line) for line in lines]
        else:
            found = [int(line) for line in lines]
    except ValueError:  # what it says would quote an answer
        if made_for.whole_numbers:
            stop("every line must hold one whole number")
        else:
            stop("every line must hold one number")
    if made_for.whole_numbers:
        if len(found) != NUMBERS or not all(abs(each) < 2**62 for each in found):
            stop(f"there must be {NUMBERS} finite whole numbers, one on each line")
    else:
        if len(found) != NUMBERS or not all(abs(each) < 1e300 for each in found):
            stop(f"there must be {NUMBERS} finite numbers, one on each line")
    return found


if made_for.gaussian:

    def noise():
        """Return Gaussian noise; OpenDP draws it from a secure source of randomness, in steps finer than any float."""
        space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l2_distance(T=float)
        return space >> dp.m.then_gaussian(DEVIATION)

else:

    def noise():
        """Return the least Laplace noise with which OpenDP proves EPSILON; it draws from a secure source of randomness."""
        if made_for.whole_numbers:
            space = dp.vector_domain(dp.atom_domain(T="i64")), dp.l1_distance(T="i64")
        else:
            space = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.l1_distance(T=float)
        if made_for.several:
            together = SENSITIVITY * STATISTICS  # one person moves every statistic
            scale = together / EPSILON
            while (space >> dp.m.then_laplace(scale)).map(together) > EPSILON:
                scale *= 1 + 1e-15  # the division was rounded to the wrong side
        else:
            scale = SENSITIVITY / EPSILON
            while (space >> dp.m.then_laplace(scale)).map(SENSITIVITY) > EPSILON:
                scale *= 1 + 1e-15  # the division was rounded to the wrong side
        return space >> dp.m.then_laplace(scale)


def main():
    """Read, measure once, write the release and print it."""
    arguments = argparse.ArgumentParser(description="Publish exact answers by a plan; this script's head says how.")
    arguments.add_argument("file", nargs="?", default="-")
    arguments.add_argument("--ledger", default=os.path.join(os.path.dirname(os.path.realpath(sys.argv[0])), LEDGER))
    asked = arguments.parse_args()
    exact, measurement = answers(asked.file), noise()
    if made_for.gaussian:
        rho = measurement.map(SENSITIVITY)  # OpenDP's own proof
        delta = proven_delta(rho)
        print(f"proven delta {delta} at epsilon {EPSILON} (planned {DELTA})")
        print(f"OpenDP's own bound, for any noise with this rho of {rho}: epsilon {opendp_epsilon(rho)}")
        if not delta <= DELTA:
            stop("this release would be less private than planned: nothing was measured")
    else:
        if made_for.several:
            epsilon = measurement.map(SENSITIVITY * STATISTICS)  # OpenDP's own proof, for all of them
        else:
            epsilon = measurement.map(SENSITIVITY)  # OpenDP's own proof
        print(f"proven epsilon {epsilon} (planned {EPSILON})")
        if not epsilon <= EPSILON:
            stop("this release would be less private than planned: nothing was measured")
    beside = "" if asked.file == "-" else os.path.splitext(asked.file)[0] + "_"
    results = take_place(os.path.realpath(asked.ledger), beside + "release")
    found = measurement(exact)
    with open(results, "w", newline="", encoding="utf-8-sig") as file:
        csv.writer(file).writerows([("number", "published"), *enumerate(found, start=1)])
    for value in found:
        print(value)


if __name__ == "__main__":
    main()
