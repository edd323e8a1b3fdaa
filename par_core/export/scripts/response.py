"""Ask a question by randomised response, with OpenDP.

Install:  pip install {requirements}
Answer:   python this_script.py answer yes         (each person once, on their own device; what it prints is handed in)
Estimate: python this_script.py estimate said.txt  (what was handed in, one answer on a line)

An answer is the true category with probability TRUTH and else one of the others, all alike. Nobody learns more from it
than EPSILON allows, whatever they know besides.
"""

import math
import sys

import opendp.prelude as dp
from scipy import special

from par_core.export.scripts.files import opened

# OpenDP asks for this consent to use components whose proofs are written but not all reviewed yet.
dp.enable_features("contrib")

# The promise to each person, and the possible answers.
EPSILON = 1.0
CATEGORIES = ["no", "yes"]
CONFIDENCE = 0.95


def response():
    """Return OpenDP's randomised response that is most often the truth, as far as it proves EPSILON, and how often."""
    truth = 1 / (1 + (len(CATEGORIES) - 1) * math.exp(-EPSILON))
    while truth == 1 or dp.m.make_randomized_response(CATEGORIES, truth).map(1) > EPSILON:
        truth = math.nextafter(truth, 0)  # it was rounded to the wrong side
    return dp.m.make_randomized_response(CATEGORIES, truth), truth


def estimate(said, truth):
    """Return for each category its estimated share, the deviation of that, and the ends between which the share is."""
    people, other = len(said), (1 - truth) / (len(CATEGORIES) - 1)
    wrong, found = (1 - CONFIDENCE) / 2, []
    for category in CATEGORIES:
        count = said.count(category)
        rate = count / people
        low = special.betaincinv(count, people - count + 1, wrong) if count else 0.0
        high = special.betainccinv(count + 1, people - count, wrong) if count < people else 1.0
        share, least, most = ((each - other) / (truth - other) for each in (rate, low, high))
        deviation = math.sqrt(rate * (1 - rate) / people) / (truth - other)
        found.append((category, share, deviation, min(max(least, 0.0), 1.0), min(max(most, 0.0), 1.0)))
    return found


def main():
    """Give one answer, or estimate the shares from all answers."""
    measurement, truth = response()
    if len(sys.argv) != 3 or sys.argv[1] not in ("answer", "estimate"):
        raise SystemExit(__doc__)
    if sys.argv[1] == "answer":
        if sys.argv[2] not in CATEGORIES:
            raise SystemExit(f"an answer is one of {CATEGORIES}")
        print(measurement(sys.argv[2]))
        return
    with opened(sys.argv[2], encoding="utf-8-sig") as file:
        said = [line.strip() for line in file if line.strip()]
    if not said or not set(said) <= set(CATEGORIES):
        raise SystemExit(f"every line must hold one of {CATEGORIES}, and there must be one")
    print(f"proven epsilon {measurement.map(1)} (planned {EPSILON}); {len(said)} people")
    for category, share, deviation, low, high in estimate(said, truth):
        print(f"{category!r}\t{share:.4f} +- {deviation:.4f}\t{CONFIDENCE:.0%} from {low:.4f} to {high:.4f}")


if __name__ == "__main__":
    main()
