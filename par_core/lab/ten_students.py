"""The lecture's ten students and its three queries: what an answer with noise, and one without, makes of a belief."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from scipy import special

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms import DiscreteLaplace
from par_core.mechanisms.posterior import updated
from par_core.parameters import check_number, check_type

EPSILON: Final = math.log(5.0 / 3.0)
"""Level of the lecture's noise: 0 with probability 0.25 and ±1 with 0.15 each is discrete Laplace noise."""
FAILS: Final = 0.4
"""The lecture's belief that a student failed, before any answer."""


class StudentQuery(NamedTuple):
    """A question of the lecture: whom the belief is about, how many students are counted, the exact number who passed, the noisy one."""

    words: str
    about: str
    students: int
    exact: int
    answer: int


# The answer to the third query is the lecture's, which gives none to the others: theirs have no noise by chance.
QUERIES: Final = (
    StudentQuery("Did Gang pass?", "Gang", 1, 0, 0),
    StudentQuery("How many students passed?", "Angie", 10, 6, 6),
    StudentQuery("How many female students passed?", "Angie", 2, 0, 1),
)


@dataclass(frozen=True)
class StudentBelief(Result):
    """Belief that one student failed: `after` the noisy answer, which had probability `chance`, and after the `exact` one."""

    after: float
    chance: float
    exact: float
    QUANTITIES = quantities(after=stated("share"), chance=stated("share"), exact=stated("share"))
    evidence = Evidence(
        PROVEN,
        source="Bayes' rule; lecture, page 6",
        limits="the observer believes that each student fails with the same probability, whatever the others do",
    )


def student_belief(query: StudentQuery, epsilon: float = EPSILON, *, fails: float = FAILS) -> StudentBelief:
    """Return what the answers of a query make of the belief that one student failed, which was `fails`, above 0 and below 1.

    The noise is discrete Laplace noise for `epsilon`, above 0.

    >>> found = student_belief(QUERIES[2])
    >>> round(found.chance, 3), round(found.after, 4), round(found.exact, 4)
    (0.198, 0.4242, 1.0)
    """
    _, _, students, exact, answer = check_type("query", query, StudentQuery)
    before = check_number("fails", fails, above=0.0, below=1.0)
    passed = np.arange(students)  # of the others
    chance = special.binom(students - 1, passed) * (1.0 - before) ** passed * before ** (students - 1 - passed)
    noise = DiscreteLaplace(check_number("epsilon", epsilon, above=0.0, at_most=700.0))
    prior = np.array([before, 1.0 - before])
    # The one has failed, or is counted too.
    likelihood = np.array([chance @ np.exp(noise.log_density(answer - passed - own)) for own in (0, 1)])
    known = np.array([chance @ (passed + own == exact) for own in (0, 1)])
    return StudentBelief(
        float(updated(prior, likelihood)[0]), float(prior @ likelihood), float(updated(prior, known)[0])
    )
