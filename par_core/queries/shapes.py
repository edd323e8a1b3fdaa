"""What a statistic publishes, without the names of columns and categories: how many numbers, and by how much one person moves them.

A shape can be told to anybody who may know that the statistic is planned: plans, links and scenario files hold shapes. A query on a table
has one too, and takes its sensitivity from it.

One person's rows move counts by their number in one cell, and where another person's rows replace them, by as many in a second one. No
cell moves by more than half of what all of them do. Then the two cells lose at most what two numbers at half the level each do, and less
than one number that moves by all of it (`Part.copies`). The lemma: of Laplace noise of scale 1, two moves (a, b) lose at least as much as
(a', b') does with a + b = a' + b' and a >= a' >= b' >= b, at every epsilon. Proof: let A and B be what the noise of each is above 0, and
T = min(A, a) + min(B, b); the loss is a + b - 2T, and E[exp(2T)] is the same for both pairs. From its closed form

    4 exp(t) P(T > t) = 3 + t  (t < b),  2 + b  (b <= t < a),  1 + a + b - t  (a <= t < a + b)

P(T > t) of (a, b) is below that of (a', b') first and above it later, and crosses it once. So exp(2T) is larger in convex order, and
delta is the mean of a convex function of it. Steps of a geometric law give the same with other constants. Moves of more numbers come
from the equal ones by such exchanges.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from fractions import Fraction
from typing import ClassVar

from par_core.errors import ParameterError
from par_core.parameters import check_integer, check_number, shown
from par_core.queries.sensitivity import Part, one_person, root_up, round_up
from par_core.queries.statistics import Bounds
from par_core.scenario import Neighbours

LARGEST_K = 10_000
LARGEST_SENSITIVITY = 1e12
SMALLEST_SENSITIVITY = 1e-9


@dataclass(frozen=True)
class Shape(ABC):
    """What one statistic publishes; a selection is one of several candidates, without noise.

    `noun` is what its numbers are called, and `rows_are` what happens to the rows that they are about.
    """

    noun: ClassVar[str]
    rows_are: ClassVar[str] = "looked at"
    is_selection: ClassVar[bool] = False
    k: int  # how many numbers

    def __post_init__(self) -> None:
        object.__setattr__(self, "k", check_integer("k", self.k, at_least=1, at_most=LARGEST_K))

    def parts(self, neighbours: Neighbours, rows_per_person: int = 1, *, rows: int | None = None) -> tuple[Part, ...]:
        """Return the noisy releases that it is made of: one, or for some means a sum and a count.

        One person has 1 to 1,000,000 rows (or cells, where persons are counted) at most; `rows` is their public number, at least 1.
        ParameterError where a mean needs that number and there is none.
        """
        kind, most = one_person(neighbours, rows_per_person)
        return self._parts(kind, most, None if rows is None else check_integer("rows", rows, at_least=1))

    def needs_as_many(self, neighbours: Neighbours, rows_per_person: int = 1) -> bool:
        """Whether the sensitivity holds only where as many rows replace a person's rows, so that their number stays the same."""
        kind, most = one_person(neighbours, rows_per_person)
        return kind is Neighbours.REPLACE_ONE and most > 1 and self._counts_on_rows

    def is_pair(self, neighbours: Neighbours) -> bool:  # noqa: ARG002  # of a mean alone
        """Whether it is released as a noisy sum over a noisy count."""
        return False

    @property
    def _counts_on_rows(self) -> bool:
        """Whether the answer moves further where a replaced person has more rows than before, or fewer."""
        return False

    @abstractmethod
    def _parts(self, neighbours: Neighbours, most: int, rows: int | None) -> tuple[Part, ...]: ...


@dataclass(frozen=True)
class NumbersShape(Shape):
    """Any k numbers that one row moves by at most so much in all, in L1: what is known of the release of a scenario.

    >>> NumbersShape(3, 2.0).parts(Neighbours.REPLACE_ONE, 2)[0].sensitivity
    4.0
    """

    noun = "numbers"
    k: int = 1
    sensitivity: float = 1.0  # 1e-9 to 1e12, in the unit of the numbers

    def __post_init__(self) -> None:
        """Check both."""
        super().__post_init__()
        limits = {"at_least": SMALLEST_SENSITIVITY, "at_most": LARGEST_SENSITIVITY}
        object.__setattr__(self, "sensitivity", check_number("sensitivity", self.sensitivity, **limits))

    def _parts(self, neighbours: Neighbours, most: int, rows: int | None) -> tuple[Part, ...]:  # noqa: ARG002  # of a mean alone
        return (Part("numbers", self.sensitivity * most, k=self.k),)


@dataclass(frozen=True)
class CountsShape(Shape):
    """Counts of rows, or of persons, each in a cell at most once: in k cells of which a row is in one at most.

    >>> part = CountsShape(12).parts(Neighbours.REPLACE_ONE)[0]
    >>> part.sensitivity, part.each, part.copies
    (2.0, 1.0, 2)
    """

    noun = "counts"
    k: int = 1
    persons: bool = False

    def __post_init__(self) -> None:
        """Check both."""
        super().__post_init__()
        if not isinstance(self.persons, bool):
            raise ParameterError(f"persons must be true or false, got {shown(self.persons)}")

    def _parts(self, neighbours: Neighbours, most: int, rows: int | None) -> tuple[Part, ...]:  # noqa: ARG002  # of a mean alone
        replaced, name = neighbours is Neighbours.REPLACE_ONE, "counts" if self.k > 1 else "count"
        if self.persons:  # a person holds a set of at most `most` cells, each of which moves by 1
            moves = min(2 * most if replaced else most, self.k)
            return (Part(name, float(moves), k=self.k, whole=True, l2=root_up(moves), each=1.0),)
        # All rows of a person in one cell, and all rows that replace them in another: the ends of what the counts can move by.
        cells = 2 if replaced and self.k > 1 else 1
        moved, squares = float(cells * most), root_up(cells * most**2)
        return (Part(name, moved, k=self.k, whole=True, l2=squares, each=float(most)),)


@dataclass(frozen=True)
class _OfValues(Shape):
    """Numbers that values between public bounds are added up to: of all rows together, or in each of k groups.

    A row is in one of the groups at most, and may be in none: of groups `chooses` is always true.
    """

    k: int = 1
    lower: float = 0.0  # public bounds, in the unit of the values
    upper: float = 1.0
    chooses: bool = False  # rows may be left out, so that nobody may know how many are looked at

    def __post_init__(self) -> None:
        """Check the bounds and store them as floats."""
        super().__post_init__()
        bounds = Bounds(self.lower, self.upper)
        object.__setattr__(self, "lower", bounds.lower)
        object.__setattr__(self, "upper", bounds.upper)
        if not isinstance(self.chooses, bool):
            raise ParameterError(f"chooses must be true or false, got {shown(self.chooses)}")
        object.__setattr__(self, "chooses", self.chooses or self.k > 1)

    def _sums(self, neighbours: Neighbours, most: int, lower: Fraction, upper: Fraction) -> Part:
        """Return the release of the sums of values between bounds, of which one person has so many at most."""
        # Each row adds a number in [lower, upper], or nothing; where rows are chosen a replaced one may leave or enter the choice.
        farthest = max(abs(lower), abs(upper))
        alone = upper - lower  # by how much it moves a single sum
        if neighbours is Neighbours.ADD_OR_REMOVE:
            alone = farthest
        elif self.chooses:
            alone = max(farthest, alone)
        if self.k == 1:
            return Part("sum", round_up(most * alone))
        # What the sums of groups move by is a convex function of where a person's rows are: the largest is at the ends, with all rows at
        # one bound in one group, and all that replace them at one bound in the same group or in another.
        each = moved = round_up(most * alone)
        l2 = each
        if (
            neighbours is Neighbours.REPLACE_ONE
        ):  # in two groups no less than in one, in L1: 2 * farthest is no less than the width
            moved = round_up(2 * most * farthest)
            l2 = max(each, round_up(most * farthest * Fraction(root_up(2))))
        return Part("sums", moved, k=self.k, l2=l2, each=each)


@dataclass(frozen=True)
class SumShape(_OfValues):
    """Sum of values between public bounds, of all rows or in each of k groups.

    >>> SumShape(lower=0, upper=2000).parts(Neighbours.REPLACE_ONE, 2)[0].sensitivity
    4000.0
    >>> part = SumShape(12, lower=0, upper=2000).parts(Neighbours.REPLACE_ONE, 2)[0]
    >>> part.sensitivity, part.each, part.copies
    (8000.0, 4000.0, 2)
    """

    noun = "sum"

    @property
    def _counts_on_rows(self) -> bool:
        return not self.chooses and not self.lower <= 0.0 <= self.upper  # else a row that is not there counts like 0

    def _parts(self, neighbours: Neighbours, most: int, rows: int | None) -> tuple[Part, ...]:  # noqa: ARG002  # of a mean alone
        return (self._sums(neighbours, most, Fraction(self.lower), Fraction(self.upper)),)


@dataclass(frozen=True)
class MeanShape(_OfValues):
    """Mean of values between public bounds, of all rows or in each of k groups.

    It is a sum over a public number of rows, or a noisy sum over a noisy count: of groups always that, one sum and one count for each.
    The sum is that of the distances from the middle of the bounds, to which their quotient is added again: so a person moves it by half
    the width, however far from 0 the bounds are, and an error of the count counts for less.

    >>> [part.name for part in MeanShape(lower=0, upper=100).parts(Neighbours.ADD_OR_REMOVE)]
    ['sum', 'count']
    """

    noun = "mean"
    rows_are = "averaged"

    @property
    def middle(self) -> float:
        """The middle of the bounds."""
        return (self.lower + self.upper) / 2

    def is_pair(self, neighbours: Neighbours) -> bool:
        """Whether it is released as a noisy sum over a noisy count."""
        kind, _ = one_person(neighbours, 1)
        return kind is Neighbours.ADD_OR_REMOVE or self.chooses

    @property
    def _counts_on_rows(self) -> bool:
        return not self.chooses  # it is divided by their number, which comes from the table

    def _parts(self, neighbours: Neighbours, most: int, rows: int | None) -> tuple[Part, ...]:
        width = Bounds(self.lower, self.upper).width
        if self.is_pair(neighbours):
            # Values are added up as their distance from the middle of the bounds, which a row that is not there has none of.
            sums = self._sums(neighbours, most, -width / 2, width / 2)
            if self.k == 1:
                return sums, Part("count", float(most), whole=True)
            return sums, *CountsShape(self.k)._parts(neighbours, most, rows)
        if rows is None:
            raise ParameterError("rows must be given: the sensitivity of a mean depends on the number of rows")
        held = min(most, rows)  # nobody has more rows than there are
        return (Part("mean", round_up(held * width / rows)),)


@dataclass(frozen=True)
class ShareShape(MeanShape):
    """Share of rows that meet a condition, of all rows or in each of k groups: the mean of a 1 for each that does, and a 0 for each other.

    >>> ShareShape().parts(Neighbours.REPLACE_ONE, rows=1000)[0].sensitivity
    0.001
    """

    noun = "share"
    rows_are = "looked at"
    lower: float = field(default=0.0, init=False)
    upper: float = field(default=1.0, init=False)
