"""The form of an entry in the catalogue, and the one rule that turns its numbers into a verdict.

Equal cases are decided alike. A statement that fails for parameters which it admits is refuted as printed, however far it
goes before it fails; where the paper itself uses it only where it holds, that is an entry of its own ("… where used").
A convention settles what the words leave open, or reads them as the paper reads them elsewhere for the same statement: it
never repairs a formula, and never adds a restriction that the paper does not make. A printed decimal is right if it is
the value rounded, or cut off, to its digits.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import InitVar, dataclass, field, replace
from enum import Enum
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.evidence import PROVEN, PUBLISHED, Evidence
from par_core.old_names import by_old_name, old_attribute

Numbers = float | tuple[float, ...]
Relation = Literal["equal to", "at most", "at least", "above", "rounded or cut off to"]
Outcome = Literal[
    "reproduced",
    "reproduced with a stated convention",
    "refuted",
    "needs data",
    "not reproducible from what is published",
]

REPRODUCED: Outcome = "reproduced"
REPRODUCED_BY_CONVENTION: Outcome = "reproduced with a stated convention"
REFUTED: Outcome = "refuted"
NEEDS_DATA: Outcome = "needs data"
NOT_REPRODUCIBLE: Outcome = "not reproducible from what is published"

ROUNDING = 1e-12
"""What a comparison of two computed numbers allows for floating-point rounding, and nothing else."""


class Paper(Enum):
    """The texts whose claims are checked; the value is the title that a page shows."""

    FINAL = "Differential Privacy at Risk (PoPETs 2021)"
    PREPRINT = "Differential Privacy at Risk (preprint)"
    FIRST_PREPRINT = "Differential Privacy at Risk (first preprint)"
    EMPIRICAL = "Empirical Differential Privacy (2020)"
    LECTURE = "Lecture on differential privacy mechanisms (2020)"


@dataclass(frozen=True)
class Compare:
    """Which number is tested against which, and how it must stand to it; several numbers each to its counterpart.

    "recomputed" against "published" redoes the paper's arithmetic and says nothing about whether the formula is true.
    "exact" is the truth: against "recomputed" it judges the paper's formula, against "published" its number. Where the
    paper prints words, a number stands in place of "published": the one that they imply ("never" implies 0).
    """

    tested: Literal["recomputed", "exact"]
    relation: Relation
    other: Literal["recomputed", "published"] | Numbers
    tolerance: float = ROUNDING  # half a unit of the last printed digit, or rounding alone


@dataclass(frozen=True)
class Recomputed:
    """What one recomputation found: by the paper's own formula, and in truth; None where there is no such number.

    `case` says where the numbers were taken, for example "ε0 = 1, ε = 0.5". Raises ValueError for NaN or an infinity.
    """

    recomputed: Numbers | None
    exact: Numbers | None
    case: str

    def __init__(self, *, recomputed: ArrayLike | None = None, exact: ArrayLike | None = None, case: str = "") -> None:
        for name, value in (("recomputed", recomputed), ("exact", exact)):
            found = None if value is None else np.asarray(value, dtype=np.float64)
            if found is not None and not np.isfinite(found).all():
                raise ValueError(f"{name} must be finite, got {value!r}")
            numbers = found if found is None else tuple(found.ravel().tolist()) if found.ndim else float(found)
            object.__setattr__(self, name, numbers)
        object.__setattr__(self, "case", case)


@dataclass(frozen=True)
class Missing:
    """Returned by a recomputation that cannot run; `what` names what it would need.

    A reader may obtain it; or only the authors have it, and did not publish it.
    """

    what: str
    obtainable: bool = True


@dataclass(frozen=True)
class Dial:
    """One number that a reader may set, with where it stands first, how far it goes, and where a claim holds."""

    label: str  # as a page shows it: "ε₀", "Releases"
    default: float
    at_least: float
    at_most: float
    whole: bool = False
    holds_at: float | None = None  # where the claim happens to hold, if it is not the default


_BOUND = Compare("exact", "at most", "recomputed")  # most formulas claim a bound


@dataclass(frozen=True, kw_only=True)
class Claim:
    """One statement of a paper. It states no verdict, which follows from the numbers that its recomputation finds."""

    id: str  # short, stable, lower case with hyphens: links and tests refer to it
    paper: Paper = Paper.FINAL
    section: str  # number and subject, the heading under which a page lists the claim
    where: str  # theorem, equation, figure or page, with the other versions' numbers in brackets
    statement: str  # what is claimed, in one sentence
    quantity: str  # what the numbers are numbers of
    published: Numbers | str = ""  # the paper's formula, its words, or numbers that are no printed decimals
    printed: InitVar[str] = ""
    """In its place: decimals as the paper prints them, "0.81" or "0.80 0.61 0.54", which are held to half a unit of their last
    digit. Without a comparison of its own, the paper's own formula must give each of them, rounded or cut off."""
    holds_if: Compare = _BOUND
    recompute: Callable[..., Recomputed | Missing] = field(repr=False)  # from the values of the dials, in their order
    dials: tuple[Dial, ...] = field(default=(), repr=False)
    """What a reader may turn: one or two numbers if the claim is refuted, else none. The catalogue looks at their defaults."""
    holds_if_turned: Compare | None = None  # at the reader's numbers, where `holds_if` is bound to the defaults
    rests_on: tuple[str, ...] = ()
    """The functions that together decide every number which is not one of the statement itself, without "par_core.": one
    or two, seldom three; those of NumPy or SciPy where the package has none. A test breaks each and sees a number move."""
    follows: tuple[str, ...] = ()
    """Ids of the claims whose error this one repeats, where the map of statements (`theorems.NODES`) does not say so."""
    convention: str = ""  # the reading of `recompute`, where the literal one is another
    as_printed: Callable[..., Recomputed] | None = field(default=None, repr=False)  # the literal one, with `convention`
    more: Literal["worse", "better", "neither"] = "neither"  # for people, if the tested number is larger
    explanation: str  # which statement fails and why, or why it is right

    def __post_init__(self, printed: str) -> None:
        if not printed:
            return
        decimals = printed.replace(",", "").split()
        digits, *others = {len(each.partition(".")[2]) for each in decimals}
        if others:
            raise ValueError(f"{self.id}: printed decimals must have equally many digits, got {printed!r}")
        numbers = tuple(map(float, decimals))
        rule = rounded(digits) if self.holds_if == _BOUND else replace(self.holds_if, tolerance=half_unit(digits))
        object.__setattr__(self, "published", numbers if len(numbers) > 1 else numbers[0])
        object.__setattr__(self, "holds_if", rule)

    @property
    def source(self) -> str:
        """Paper and place."""
        return f"{self.paper.value}, {self.where}"

    @property
    def defaults(self) -> tuple[float, ...]:
        """Where the catalogue looks: the defaults of its dials."""
        return tuple(dial.default for dial in self.dials)

    @property
    def holds_at(self) -> tuple[float, ...] | None:
        """Where its dials make it hold, or None: nowhere that they reach."""
        found = tuple(dial.default if dial.holds_at is None else dial.holds_at for dial in self.dials)
        return found if found != self.defaults else None

    @property
    def own(self) -> Claim | None:
        """Old name: the claim itself has what its refutation with the reader's own numbers had."""
        warnings.warn("Claim.own.dials is now Claim.dials, and so on", DeprecationWarning, stacklevel=2)
        return self if self.dials else None


@dataclass(frozen=True)
class Verdict:
    """What became of a claim; its numbers are those of the reading that decided, under the convention if one is stated."""

    claim: Claim
    verdict: Outcome
    reason: str  # the comparison that decided, with its numbers; or why there is none
    recomputed: Numbers | None = None
    exact: Numbers | None = None
    case: str = ""  # where the numbers were taken
    as_printed: Recomputed | None = None  # the numbers of the literal reading, where the claim needs a convention
    rule: Compare | None = None  # what was compared; at the reader's own parameters not always that of the claim
    standing = old_attribute("standing", "evidence.basis")

    @property
    def evidence(self) -> Evidence:
        """PROVEN where an exact number was compared, not the paper's own arithmetic redone."""
        exact = self.rule is not None and self.rule.tested == "exact"
        return Evidence(PROVEN if exact else PUBLISHED, source=self.claim.source, limits=self.claim.explanation)

    @property
    def refuted(self) -> bool:
        """Whether the statement fails."""
        return self.verdict == REFUTED

    @property
    def published(self) -> Numbers | str:
        """What the paper prints."""
        return self.claim.published

    @property
    def convention(self) -> str:
        """The convention on which the verdict rests; empty if it rests on none."""
        return self.claim.convention if self.verdict == REPRODUCED_BY_CONVENTION else ""


def decide(claim: Claim) -> Verdict:
    """Recompute a claim and compare.

    A claim that holds as printed is reproduced. One that fails as printed and holds under its convention is reproduced
    with that convention. Otherwise it is refuted, unless data are missing.
    """
    literal = claim.as_printed(*claim.defaults) if claim.as_printed else None
    if literal and holds(claim, literal):
        return _compared(claim, REPRODUCED, literal, literal)
    return _decided(claim, claim.recompute(*claim.defaults), literal)


def decide_at(claim: Claim, *values: float) -> Verdict:
    """Decide a claim at the reader's own parameters, one value for each of its dials."""
    there = replace(claim, holds_if=claim.holds_if_turned or claim.holds_if)
    return replace(_decided(there, claim.recompute(*values), None), claim=claim)


def holds(claim: Claim, numbers: Recomputed) -> bool:
    """Say whether the tested number stands to the other as the claim needs it."""
    tested, other = (np.atleast_1d(value) for value in _pair(claim, numbers))
    if tested.shape != other.shape:
        raise ValueError(f"{claim.id}: {tested.size} numbers cannot be compared with {other.size}")
    return bool(_stands(claim.holds_if, tested, other).all())


def format_numbers(value: Numbers) -> str:
    """Return a number, or several in brackets, with the digits with which a comparison is told."""
    if isinstance(value, tuple):
        return f"({', '.join(map(format_numbers, value))})"
    return f"{value:.6g}" if abs(value) < 1e4 else f"{value:.9g}"  # of money the cents too


def misses(verdict: Verdict) -> NDArray[np.float64]:
    """Return the numbers by which a claim fails: one row for each tested number that does not stand to the other as it should.

    The columns are the tested number and the other; there are no rows where nothing was compared, or all holds.
    """
    if verdict.rule is None:
        return np.empty((0, 2))
    numbers = Recomputed(recomputed=verdict.recomputed, exact=verdict.exact)
    tested, other = map(np.atleast_1d, _pair(replace(verdict.claim, holds_if=verdict.rule), numbers))
    return np.stack([tested, other], axis=1)[~_stands(verdict.rule, tested, other)]


def _stands(rule: Compare, tested: NDArray[np.float64], other: NDArray[np.float64]) -> NDArray[np.bool_]:
    cut = (tested - other) * np.where(tested < 0, -1.0, 1.0)  # what a paper that cuts off leaves away
    by_relation: dict[Relation, NDArray[np.bool_]] = {
        "equal to": np.abs(tested - other) <= rule.tolerance,
        "rounded or cut off to": (cut >= -rule.tolerance) & (cut < 2 * rule.tolerance),
        "at most": tested <= other + rule.tolerance,
        "at least": tested >= other - rule.tolerance,
        "above": tested > other + rule.tolerance,
    }
    return by_relation[rule.relation]


def half_unit(digits: int) -> float:
    """Half a unit of the last of `digits` printed decimals, with room for rounding."""
    return 0.5 * 10.0**-digits + ROUNDING


def rounded(digits: int) -> Compare:
    """A printed decimal must be the value by the paper's own formula, rounded or cut off to its digits."""
    return Compare("recomputed", "rounded or cut off to", "published", half_unit(digits))


def worst(relation: Relation, exact: ArrayLike, recomputed: ArrayLike, case: Callable[[int], str]) -> Recomputed:
    """Return the case, of many, that speaks most against a claim: the catalogue shows that one.

    `exact` should stand in the relation to `recomputed`: one number for each case, broadcast, then flattened. `case` names
    the case at a flat index.
    """
    truth, formula = (np.ravel(values) for values in np.broadcast_arrays(np.asarray(exact), np.asarray(recomputed)))
    gap = truth - formula
    against = {"equal to": np.abs(gap), "at most": gap}.get(relation, -gap)
    index = int(np.argmax(against))
    return Recomputed(recomputed=formula[index], exact=truth[index], case=case(index))


def _decided(claim: Claim, found: Recomputed | Missing, literal: Recomputed | None) -> Verdict:
    if isinstance(found, Missing):
        if not found.obtainable:
            return Verdict(claim, NOT_REPRODUCIBLE, f"the paper does not publish {found.what}")
        return Verdict(claim, NEEDS_DATA, f"cannot be recomputed without {found.what}")
    if not holds(claim, found):
        return _compared(claim, REFUTED, found, literal)
    return _compared(claim, REPRODUCED_BY_CONVENTION if literal else REPRODUCED, found, literal)


def _pair(claim: Claim, numbers: Recomputed) -> tuple[Numbers, Numbers]:
    rule = claim.holds_if
    tested = numbers.exact if rule.tested == "exact" else numbers.recomputed
    named: dict[object, Numbers | str | None] = {"recomputed": numbers.recomputed, "published": claim.published}
    other = named.get(rule.other, rule.other)
    if tested is None or other is None or isinstance(other, str):
        raise ValueError(f"{claim.id}: its recomputation must return the numbers that decide, got {numbers!r}")
    return tested, other


def _compared(claim: Claim, outcome: Outcome, numbers: Recomputed, literal: Recomputed | None) -> Verdict:
    rule = claim.holds_if
    tested, other = map(format_numbers, _pair(claim, numbers))
    stands = f"{'is not' if outcome == REFUTED else 'is'} {rule.relation}"
    against = rule.other if isinstance(rule.other, str) else "what the words say,"
    within = f" (within {rule.tolerance:.3g})" if rule.relation == "equal to" else ""
    return Verdict(
        claim,
        outcome,
        f"{rule.tested} {tested} {stands} {against} {other}{within}",
        recomputed=numbers.recomputed,
        exact=numbers.exact,
        case=numbers.case,
        as_printed=literal,
        rule=rule,
    )


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"written": "format_numbers"})
