"""Small scripts for what adds no noise to numbers: answers by randomised response, and a choice by the exponential mechanism."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from par_core.errors import ParameterError
from par_core.export import script_text
from par_core.export.release_code import OPENDP
from par_core.export.script_constants import literal
from par_core.parameters import listed, of_type, one, shown
from par_core.standing import PROVEN, Standing

_LARGEST_EPSILON0 = 700.0
_MOST_CATEGORIES = 1000
_REQUIREMENTS = (OPENDP, "scipy>=1.14")


@dataclass(frozen=True)
class MechanismCode:
    """A script that runs one mechanism, what it needs from PyPI, and what its user should know."""

    text: str
    requirements: tuple[str, ...]
    notes: tuple[str, ...]
    standing: Standing = PROVEN
    source: str = f"privacy map of {OPENDP}, checked by the script itself before it measures anything"


def randomised_response_code(epsilon0: float, *, categories: Sequence[str] = ("no", "yes")) -> MechanismCode:
    """Return a script with which each person answers by randomised response, and which estimates the shares from all answers.

    epsilon0 is above 0 and at most 700; `categories` are 2 to 1,000 different texts, not empty and each on one line.

    >>> code = randomised_response_code(1.0, categories=("no", "yes", "perhaps"))
    >>> 'CATEGORIES = ["no", "yes", "perhaps"]' in code.text
    True
    """
    level = _level(epsilon0)
    names = [of_type("categories", each, str) for each in listed("categories", categories)]
    if not 2 <= len(names) <= _MOST_CATEGORIES or len(set(names)) < len(names):
        raise ParameterError(f"categories must be 2 to {_MOST_CATEGORIES} different texts, got {shown(categories)}")
    if any(each != each.strip() or len(each.splitlines()) != 1 for each in names):
        raise ParameterError(
            f"categories must be texts on one line without spaces around them, got {shown(categories)}"
        )
    notes = (
        "Each person answers once, on their own device: every further answer spends epsilon again.",
        "Who collects the answers learns only what was said, and needs no trust.",
        "The ends of a share hold for the population that the people were drawn from, 95 times out of 100.",
    )
    constants = f"EPSILON = {literal(level)}\nCATEGORIES = {literal(names)}\n"
    return MechanismCode(_head(_RESPONSE, constants), _REQUIREMENTS, notes)


def choice_code(epsilon0: float, *, sensitivity: float = 1.0) -> MechanismCode:
    """Return a script that chooses one of several candidates by the exponential mechanism, from a list of them with their utilities.

    epsilon0 is above 0 and at most 700; one person moves each utility by `sensitivity` at most, 1e-9 to 1e12, in its unit.

    >>> "SENSITIVITY = 2.0" in choice_code(1.0, sensitivity=2).text
    True
    """
    level, moves = _level(epsilon0), one("sensitivity", sensitivity, at_least=1e-9, at_most=1e12)
    notes = (
        "Run it once: every run spends epsilon again. The candidates are public, their utilities private.",
        "That one person moves no utility by more than the sensitivity is your promise; the script does not check it.",
        "OpenDP draws by the largest utility with Gumbel noise, which has the law of the exponential mechanism, and proves "
        "rho = ε²/8 of zero-concentrated privacy: what a mechanism has whose losses lie within a range as wide as ε.",
        "With dp.max_divergence() in place of dp.zero_concentrated_divergence() OpenDP draws by permute-and-flip: another law, for the "
        "same ε on average no worse.",
    )
    constants = f"EPSILON = {literal(level)}\nSENSITIVITY = {literal(moves)}  # of each utility, in its unit\n"
    return MechanismCode(_head(_CHOICE, constants), _REQUIREMENTS[:1], notes)


def _level(epsilon0: float) -> float:
    return one("epsilon0", epsilon0, above=0.0, at_most=_LARGEST_EPSILON0)


def _head(script: str, constants: str) -> str:
    needed = " ".join(f"'{each}'" for each in (_REQUIREMENTS if script is _RESPONSE else _REQUIREMENTS[:1]))
    text = script.replace("{requirements}", needed).replace("{constants}", constants)
    return text.replace("def main():", f"{script_text.OPENED.lstrip()}\n\ndef main():")


_RESPONSE = '''\
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

# OpenDP asks for this consent to use components whose proofs are written but not all reviewed yet.
dp.enable_features("contrib")

# The promise to each person, and the possible answers.
{constants}CONFIDENCE = 0.95


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
        print(f"{category!r}\\t{share:.4f} +- {deviation:.4f}\\t{CONFIDENCE:.0%} from {low:.4f} to {high:.4f}")


if __name__ == "__main__":
    main()
'''

_CHOICE = '''\
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

# OpenDP asks for this consent to use components whose proofs are written but not all reviewed yet.
dp.enable_features("contrib")

# The promise to each person.
{constants}

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
    print(f"chosen\\t{names[measurement(utilities)]}")


if __name__ == "__main__":
    main()
'''
