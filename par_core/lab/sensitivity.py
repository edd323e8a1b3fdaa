"""How far one person moves the answer to a query at most: exercises with two neighbouring tables, and what is right.

The largest change is over all pairs of neighbouring tables, not over the two that are shown. Each query has a rule for it, and a pair
of tables that reaches it; values are whole numbers between the two bounds of the column, which the analyst knows without the data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Final, Literal, NamedTuple

import numpy as np

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import check_choice, check_integer, check_type, shown
from par_core.randomness import seeded
from par_core.scenario import Neighbours

Table = tuple[int, ...]
Verdict = Literal["right", "too small", "too large"]

VARIANTS: Final = 40
TOLERANCE: Final = 0.01  # by which an answer may be rounded up, as a share of the right one; down by a tenth of it
_ADDS, _REPLACES = Neighbours.ADD_OR_REMOVE, Neighbours.REPLACE_ONE
_LONGEST = 40  # letters of an answer
_DRAWN = 40  # pairs of neighbouring tables


class Numbers(NamedTuple):
    """What is public of the column: its bounds, the cut of a count, and how many people there are."""

    low: int
    high: int
    cut: int
    people: int


class Rule(NamedTuple):
    """A query: its answer on a table, as the numbers that are published, and the largest L1 change by one person.

    `pair` are two neighbouring tables that reach it. Where `fixed` names neighbours, no others make sense: a number of people that is
    public stays. A table has at least one person.
    """

    key: str
    answer: Callable[[Table, Numbers], tuple[Fraction, ...]]
    most: Callable[[Numbers, Neighbours], Fraction]
    pair: Callable[[Numbers, Neighbours], tuple[Table, Table]]
    fixed: Neighbours | None = None


def _middle(table: Table) -> Fraction:
    return Fraction(sorted(table)[len(table) // 2])


def _largest_size(numbers: Numbers) -> int:
    return max(abs(numbers.low), abs(numbers.high))


def _far(numbers: Numbers) -> int:
    """The bound that is further from 0."""
    return numbers.high if abs(numbers.high) >= abs(numbers.low) else numbers.low


def _spread(numbers: Numbers) -> Fraction:
    return Fraction(numbers.high - numbers.low)


def _bins(numbers: Numbers) -> list[range]:
    """Return the bins of a histogram, each of ten values; the upper bound is in the last one."""
    return [range(at, at + 10 + (at + 10 == numbers.high)) for at in range(numbers.low, numbers.high, 10)]


def _one(_: Numbers, __: Neighbours) -> Fraction:
    return Fraction(1)


def _ends(numbers: Numbers, neighbours: Neighbours, *, rest: int = 1) -> tuple[Table, Table]:
    """Return tables of which one has the upper bound too, and some others the lower one."""
    low, high = numbers.low, numbers.high
    return ((low,) * (rest + (neighbours is _REPLACES)), (low,) * rest + (high,))


def _half(numbers: Numbers, _: Neighbours) -> tuple[Table, Table]:
    """Return tables whose middle value one person carries from one bound to the other."""
    below = (numbers.low,) * (numbers.people // 2)
    above = (numbers.high,) * (numbers.people // 2)
    return (*below, numbers.low, *above), (*below, numbers.high, *above)


QUERIES: Final = (
    Rule(
        "count",
        lambda table, numbers: (Fraction(sum(each >= numbers.cut for each in table)),),
        _one,
        _ends,
    ),
    Rule(
        "sum",
        lambda table, _: (Fraction(sum(table)),),
        lambda numbers, neighbours: _spread(numbers) if neighbours is _REPLACES else Fraction(_largest_size(numbers)),
        lambda numbers, neighbours: (
            _ends(numbers, neighbours) if neighbours is _REPLACES else ((numbers.low,), (numbers.low, _far(numbers)))
        ),
    ),
    Rule(
        "mean",
        lambda table, _: (Fraction(sum(table), len(table)),),
        lambda numbers, _: _spread(numbers) / numbers.people,
        lambda numbers, neighbours: _ends(numbers, neighbours, rest=numbers.people - 1),
        fixed=_REPLACES,
    ),
    Rule(
        "mean of a private number",
        lambda table, _: (Fraction(sum(table), len(table)),),
        lambda numbers, neighbours: _spread(numbers) / (1 if neighbours is _REPLACES else 2),
        lambda numbers, neighbours: _ends(numbers, neighbours, rest=int(neighbours is _ADDS)),
    ),
    Rule(
        "largest",
        lambda table, _: (Fraction(max(table)),),
        lambda numbers, _: _spread(numbers),
        _ends,
    ),
    Rule(
        "median",
        lambda table, _: (_middle(table),),
        lambda numbers, _: _spread(numbers),
        _half,
        fixed=_REPLACES,
    ),
    Rule(
        "histogram",
        lambda table, numbers: tuple(Fraction(sum(each in bin_ for each in table)) for bin_ in _bins(numbers)),
        lambda _, neighbours: Fraction(2 if neighbours is _REPLACES else 1),
        _ends,
    ),
    Rule(
        "distinct",
        lambda table, _: (Fraction(len(set(table))),),
        _one,
        _ends,
    ),
)


class Pair(NamedTuple):
    """Two neighbouring tables as columns of one height, None where a person is in the other alone; their answers, and the change."""

    first: tuple[int | None, ...]
    second: tuple[int | None, ...]
    answers: tuple[tuple[Fraction, ...], tuple[Fraction, ...]]

    @property
    def changed(self) -> int:
        """The place of the person in whom they differ."""
        return next(at for at, (one, other) in enumerate(zip(self.first, self.second, strict=True)) if one != other)

    @property
    def change(self) -> Fraction:
        """How far the answers are apart, in L1."""
        return sum((abs(one - other) for one, other in zip(*self.answers, strict=True)), Fraction())


@dataclass(frozen=True)
class Exercise(Result):
    """One exercise: two neighbouring tables that are `shown`, and how far the answers of any two are apart at `most`, in L1.

    `drawn` is the pair of 40 drawn at random that is furthest apart, `furthest` one that is as far apart as any.
    """

    key: str
    neighbours: Neighbours
    numbers: Numbers
    shown: Pair
    drawn: Pair
    furthest: Pair
    most: Fraction
    evidence = Evidence(
        PROVEN,
        source="largest change over all pairs of neighbouring tables, reached by a pair that is shown",
        limits="values within the public bounds",
    )

    QUANTITIES = quantities(sensitivity=stated("number", "up"), apart=stated("number"))

    @property
    def sensitivity(self) -> float:
        """The largest change."""
        return float(self.most)

    @property
    def apart(self) -> float:
        """How far the two tables that are shown are apart."""
        return float(self.shown.change)

    def judge(self, answer: float) -> Verdict:
        """Return what an answer is worth: one that was rounded is right; a whole number is not to be rounded down."""
        down = 0.0 if self.most.denominator == 1 else TOLERANCE / 10.0
        if answer < (1.0 - down) * self.sensitivity:
            return "too small"
        return "right" if answer <= (1.0 + TOLERANCE) * self.sensitivity else "too large"

    def further(self, answer: float) -> Pair:
        """Return two tables that are further apart than an answer that is too small: drawn ones, as long as they are."""
        return self.drawn if self.drawn.change > answer else self.furthest


def exercise(number: int, *, neighbours: Neighbours = _REPLACES, variant: int = 1) -> Exercise:
    """Return one of the eight exercises, 1 to 8, with the numbers of a variant, 1 to 40.

    >>> found = exercise(2, neighbours=Neighbours.ADD_OR_REMOVE)
    >>> found.key, found.numbers.low, found.numbers.high, found.most
    ('sum', -10, 30, Fraction(30, 1))
    """
    query = QUERIES[check_integer("number", number, at_least=1, at_most=len(QUERIES)) - 1]
    check_choice("neighbours", neighbours, tuple(Neighbours))
    rng = seeded(check_integer("variant", variant, at_least=1, at_most=VARIANTS))
    numbers = _drawn(rng)
    used = query.fixed or neighbours
    most, drawn = query.most(numbers, used), tuple(islice(_ordinary(query, numbers, used, rng), _DRAWN))
    short = [each for each in drawn if each.change < most]
    moves = [each for each in short if each.change > 0]
    furthest = _pair(query, numbers, *query.pair(numbers, used))
    shown = (moves or short or drawn)[0]
    return Exercise(query.key, used, numbers, shown, max(drawn, key=lambda each: each.change), furthest, most)


def read(text: str) -> Fraction:
    """Return a number above 0 as it was typed, such as 2.5, 2,5 or 5/2; ParameterError where it is none.

    >>> read(" 5/2 ") == read("2,5") == read("2.50")
    True
    """
    plain = check_type("text", text, str).strip().replace(" / ", "/").replace(",", ".")
    try:
        value = Fraction(plain) if len(plain) <= _LONGEST and "e" not in plain.lower() else Fraction()
    except (ValueError, ZeroDivisionError):
        value = Fraction()
    if value <= 0:
        raise ParameterError(f"an answer must be a number above 0 such as 2.5 or 5/2, got {shown(text)}")
    return value


def _drawn(rng: np.random.Generator) -> Numbers:
    """Draw what is public: an odd number of people, so that there is one median."""
    low = int(rng.choice([-20, -10, 0, 0]))
    high = int(rng.choice([20, 30, 40]))
    return Numbers(low, high, cut=int(rng.integers(low + 5, high - 4)), people=int(rng.choice([5, 7])))


def _ordinary(query: Rule, numbers: Numbers, neighbours: Neighbours, rng: np.random.Generator) -> Iterator[Pair]:
    """Draw neighbouring tables of the number of people that is public."""
    while True:
        table = tuple(rng.integers(numbers.low, numbers.high + 1, size=numbers.people).tolist())
        at = int(rng.integers(numbers.people))
        new = [int(rng.integers(numbers.low, numbers.high + 1))] if neighbours is _REPLACES else []
        other = (*table[:at], *new, *table[at + 1 :])
        if other != table:
            yield _pair(query, numbers, table, other, at=at)


def _pair(query: Rule, numbers: Numbers, first: Table, second: Table, *, at: int | None = None) -> Pair:
    """Return two tables as columns: the shorter one with a gap at `at`, by default at its end."""
    answers = query.answer(first, numbers), query.answer(second, numbers)
    columns: list[Sequence[int | None]] = [first, second]
    for each in (0, 1):
        if len(columns[each]) < max(len(first), len(second)):
            place = len(columns[each]) if at is None else at
            columns[each] = (*columns[each][:place], None, *columns[each][place:])
    return Pair(tuple(columns[0]), tuple(columns[1]), answers)
