"""Choose one of several candidates with differential privacy: the exponential mechanism, with OpenDP.

Install:  pip install {requirements}
Run:      python this_script.py utilities.csv      (a candidate and its utility on each line, with a comma between them)

Run it once and publish what it prints. Every run spends the budget again.

The candidates must come from public knowledge. Their utilities come from the private data and must stay private.
"""

import csv
import math
import sys

import opendp.prelude as dp

from par_core.export.scripts.files import opened

# OpenDP asks for this consent to use components whose proofs are written but not all reviewed yet.
dp.enable_features("contrib")

# The promise to each person.
EPSILON = 1.0
SENSITIVITY = 1.0  # of each utility, in its unit


def choice():
    """Return OpenDP's choice of the largest utility with Gumbel noise.

    Each candidate has a probability proportional to exp(EPSILON * utility / (2 * SENSITIVITY)).
    """
    utilities = dp.vector_domain(dp.atom_domain(T=float, nan=False)), dp.linf_distance(T=float)
    scale = 2 * SENSITIVITY / EPSILON
    while True:
        found = utilities >> dp.m.then_noisy_max(dp.zero_concentrated_divergence(), scale)
        if proven_epsilon(found) <= EPSILON:
            return found
        scale *= 1 + 1e-15  # the division was rounded to the wrong side


def proven_epsilon(measurement):
    """Return epsilon: the losses lie within a range as wide as it, of which OpenDP proves rho = epsilon^2 / 8."""
    return math.sqrt(8 * measurement.map(SENSITIVITY))


def main():
    """Choose once."""
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    with opened(sys.argv[1], newline="", encoding="utf-8-sig") as file:
        rows = [row for row in csv.reader(file) if row]
    try:
        names, utilities = [row[0] for row in rows], [float(row[1]) for row in rows]
    except (ValueError, IndexError):
        raise SystemExit("every line must hold a candidate and its utility, a number") from None
    if not rows or not all(map(math.isfinite, utilities)):
        raise SystemExit("there must be a candidate, and every utility must be a finite number")
    measurement = choice()
    print(f"proven epsilon {proven_epsilon(measurement)} (planned {EPSILON})")
    print(f"chosen\t{names[measurement(utilities)]}")


if __name__ == "__main__":
    main()
