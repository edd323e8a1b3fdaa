"""Votes of PATE's teachers: a made table with which table 1 of *Privacy at Risk* comes out, and real votes on digits."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from par_core.datasets.dataset import Dataset, damaged, read_file
from par_core.lazy_pandas import pd

_DIGITS = tuple(str(each) for each in range(10))
_TEACHERS, _QUERIES, _FIRST = 250, 1_000, 100
_DISSENT = (0.441, 0.4483)  # largest share of teachers that disagree: of the first hundred queries, and of the others
_GOLDEN = 0.6180339887498949  # its multiples, without their whole parts, fill the unit interval evenly
_FITTED, _IMAGES = 100, 500  # teachers and images of the file
_FILE = Path(__file__).with_name("digit_votes.csv")


def synthetic_votes() -> Dataset:
    """Return made votes of 250 teachers on 1,000 queries with ten classes. No vote in them was ever cast.

    Recipe: query i, from 0, is of class i mod 10. Of the 250 teachers floor(250·d·u) say the next class, u the part behind the
    point of (i + 1)·0.6180339887498949 and d = 0.441 in the first hundred queries, 0.4483 after; all others agree. The two shares
    were searched so that PATE's bound at 0.1 and delta = 1e-5 gives the 2.04 (100 queries) and 8.03 (1,000) of table 1.

    >>> votes = synthetic_votes().table
    >>> votes.shape, votes.iloc[0].tolist()
    ((1000, 10), [182, 68, 0, 0, 0, 0, 0, 0, 0, 0])
    """
    query = np.arange(_QUERIES)
    share = np.where(query < _FIRST, *_DISSENT) * ((query + 1) * _GOLDEN % 1.0)
    other = np.floor(_TEACHERS * share).astype(np.int64)
    table = np.zeros((_QUERIES, len(_DIGITS)), dtype=np.int64)
    table[query, query % 10], table[query, (query + 1) % 10] = _TEACHERS - other, other
    return Dataset(
        name="synthetic_votes",
        table=pd.DataFrame(table, columns=list(_DIGITS)),
        source="synthetic, made by a formula so that the left column of table 1 comes out; no vote in it was ever cast",
        licence="Apache-2.0 (this project)",
        note="250 teachers that nobody trained. One row for each of 1,000 queries, one column for each class.",
        bounds=dict.fromkeys(_DIGITS, (0.0, float(_TEACHERS))),
        categories={},
        units=dict.fromkeys(_DIGITS, "votes"),
    )


def digit_votes() -> Dataset:
    """Return the votes of 100 classifiers on 500 images of handwritten digits.

    Each is a logistic regression that was fitted to 12 or 13 images of its own, of those that come with scikit-learn; none of them has
    seen the 500 images. `tools/digit_votes.py` makes the file anew.

    >>> digit_votes().table.sum(axis=1).unique().tolist()
    [100]
    """
    table = read_file(_FILE, dtype=np.int64)
    whole = (*table,) == _DIGITS and len(table) == _IMAGES
    if not whole or (table.sum(axis=1) != _FITTED).any() or (table < 0).any(axis=None):
        raise damaged(_FILE)
    return Dataset(
        name="digit_votes",
        table=table,
        source="E. Alpaydin and C. Kaynak, Optical Recognition of Handwritten Digits, UCI Machine Learning Repository, 1998 (test set, as "
        "in scikit-learn); the votes are those of 100 logistic regressions on disjoint parts, by tools/digit_votes.py",
        licence="CC BY 4.0 (images); Apache-2.0 (votes, this project)",
        note="One row for each of 500 images, one column for each digit: how many of 100 teachers, each fitted to 12 or 13 images of its "
        "own, say that it is this digit.",
        bounds=dict.fromkeys(_DIGITS, (0.0, 100.0)),
        categories={},
        units=dict.fromkeys(_DIGITS, "votes"),
    )
