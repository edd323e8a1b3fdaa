"""By how much one person can move an answer at most: what both kinds of neighbours have in common.

REPLACE_ONE: the number of rows is public. One person's rows, `rows_per_person` of them at most, are replaced by as many
rows of somebody else. With one row each that goes without saying; with more it is an assumption, which some sums and means
rest on. Where persons hold different numbers of rows, ADD_OR_REMOVE is the kind to choose: one person's
rows, `rows_per_person` of them at most, appear or disappear. Without a column that says whose a row is,
`rows_per_person` is the user's promise; `cap_rows` makes the table keep it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.mechanisms import Norm
from par_core.parameters import check_choice, check_integer, shown
from par_core.scenario import Neighbours

LARGEST_ROWS_PER_PERSON = 10**6
AS_MANY = "as many rows replace a person's rows"
WORST_CASE = "largest distance between the answers on two neighbouring tables, in L1 and in L2"


@dataclass(frozen=True)
class Part(Result):
    """One noisy release that a query is made of: most queries have a single one, some means have two.

    `sensitivity` is the L1 sensitivity of all its `k` numbers together, in the unit of the numbers. `l2` is the L2 sensitivity where that
    is another one, and `each` by how much any single number moves at most: of one number both are the same.
    """

    name: str
    sensitivity: float
    k: int = 1
    whole: bool = False
    l2: float | None = None
    each: float | None = None
    evidence = Evidence(PROVEN, source=WORST_CASE)

    @property
    def copies(self) -> int:
        """How many numbers that move as far as one can hide as much as all of them do: 1 where one number may move by all of it.

        That is so of Laplace noise, also in steps: `par_core.queries.shapes` proves it.
        """
        return 1 if self.each is None else max(1, int(self.sensitivity // self.each))

    def moves(self, norm: Norm) -> float:
        """Return the sensitivity in a norm."""
        return self.sensitivity if check_choice("norm", norm, ("L1", "L2")) == "L1" or self.l2 is None else self.l2


@Evidence(PROVEN, source="the user's own settings")
def one_person(neighbours: Neighbours, rows_per_person: int) -> tuple[Neighbours, int]:
    """Return both in their own types; ParameterError for an unknown kind or rows out of range."""
    try:
        kind = Neighbours(neighbours)
    except ValueError as error:
        raise ParameterError(f"neighbours must be {' or '.join(Neighbours)}, got {shown(neighbours)}") from error
    return kind, check_integer("rows_per_person", rows_per_person, at_least=1, at_most=LARGEST_ROWS_PER_PERSON)


@Evidence(PROVEN, source="exact whole arithmetic")
def root_up(number: int) -> float:
    """Smallest float whose square is no smaller than a whole number, at least 0."""
    nearest = math.sqrt(number)
    return nearest if Fraction(nearest) ** 2 >= number else math.nextafter(nearest, math.inf)


@Evidence(PROVEN, source="exact rational arithmetic")
def round_up(exact: Fraction) -> float:
    """Smallest float that is no smaller than an exact rational number."""
    nearest = float(exact)
    return nearest if Fraction(nearest) >= exact else math.nextafter(nearest, math.inf)
