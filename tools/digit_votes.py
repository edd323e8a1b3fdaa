"""Make the votes of `par_core/datasets/digit_votes.csv` anew: `python -m tools.digit_votes`, which needs scikit-learn.

Teachers that never see each other's data vote on images that none of them has seen, as in PATE.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sklearn.datasets import load_digits
from sklearn.linear_model import LogisticRegression

FILE = Path(__file__).parents[1] / "par_core" / "datasets" / "digit_votes.csv"
TEACHERS, QUERIES, SEED = 100, 500, 2017


def votes(*, queries: int = QUERIES) -> NDArray[np.int64]:
    """Return how many of the teachers say each digit of the first so many images, shape (queries, 10)."""
    digits = load_digits()
    order = np.random.default_rng(SEED).permutation(len(digits.target))
    asked, known = order[:queries], order[QUERIES:]
    pixels = digits.data / 16.0
    counts = np.zeros((queries, 10), dtype=np.int64)
    for part in np.array_split(known, TEACHERS):
        teacher = LogisticRegression(C=10.0, max_iter=1000).fit(pixels[part], digits.target[part])
        counts[np.arange(queries), teacher.predict(pixels[asked])] += 1
    return counts


def main() -> None:
    """Write the file."""
    lines = [",".join(map(str, row)) for row in [range(10), *votes().tolist()]]
    FILE.write_text("\n".join(lines) + "\n", encoding="ascii")


if __name__ == "__main__":
    main()
