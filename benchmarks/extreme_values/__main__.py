"""Numbers under stress: every public call and every question at the ends of what they allow, against 50 digits where these are known.

Run: make extreme-values, or make extreme-values OPTIONS="--number 20 --only Laplace"

What is known in closed form (noise, choices, randomised response, their composition, published formulas, samples) is computed again with
mpmath. An answer may be above the truth where that promises less, and never below it; where more is promised by less than 1e-12 of the
number, that is counted as a rounding for errors and printed formulas, and as unsafe for a level, a delta or a loss. Elsewhere numbers
must be finite, shares lie from 0 to 1, and ends enclose what they are ends of. Exit code 1 where anything is unsafe or has a traceback.
"""

import sys

from benchmarks.cases import main
from benchmarks.extreme_values.answers import Answers
from benchmarks.extreme_values.calls_and_questions import calls, every_question
from benchmarks.extreme_values.composition import composition
from benchmarks.extreme_values.formulas import beliefs, printed, samples
from benchmarks.extreme_values.mechanisms import mechanism
from benchmarks.extreme_values.truths import KINDS

PARTS = dict.fromkeys(KINDS, mechanism) | {
    "composition": composition,
    "Theorem 4 as printed": printed,
    "samples": samples,
    "beliefs and zCDP": beliefs,
    "every public call": calls,
    "every question": every_question,
}

if __name__ == "__main__":
    sys.exit(main(__doc__, Answers, PARTS, "of each kind; of a call a fiftieth, of a question a twenty-fifth"))
