"""The form of an entry in the ledger, and the one rule that turns its numbers into a verdict.

A `Claim` says what a paper prints, how it is recomputed, and which two of three numbers it stands or falls with: the
published one, the one recomputed by the paper's own formula, and the exact one. It states no verdict; it names the
functions that its numbers rest on, so that a test can break each and see them move. What no computation can
decide is not dressed up as one: it is `Argued`, or `Unpublished` where a paper does not publish what it would take.

Equal cases are decided alike. A statement that fails for parameters which it admits is refuted as printed, however far it
goes before it fails; where the paper itself uses it only where it holds, that is an entry of its own ("… where used").
A convention settles what the words leave open, or reads them as the paper reads them elsewhere for the same statement: it
never repairs a formula, and never adds a restriction that the paper does not make. A printed decimal is right if it is
the value rounded, or cut off, to its digits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.standing import ESTIMATE, PROVEN, PUBLISHED, Standing

Numbers = float | tuple[float, ...]
Outcome = Literal[
    "reproduced",
    "reproduced with a stated convention",
    "refuted",
    "by argument",
    "needs data",
    "not reproducible from what is published",
]

REPRODUCED: Outcome = "reproduced"
REPRODUCED_BY_CONVENTION: Outcome = "reproduced with a stated convention"
REFUTED: Outcome = "refuted"
BY_ARGUMENT: Outcome = "by argument"
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
    LECTURE = "Lecture on mechanisms for differential privacy"


class Compare(Enum):
    """Which two numbers decide: the value names the one that is tested and the one that it is tested against."""

    PRINTED = ("recomputed", "published")
    """The paper's own arithmetic, redone. Says nothing about whether the formula is true."""
    FORMULA = ("exact", "recomputed")
    """What the paper's formula asserts, against the truth."""
    PROMISE = ("exact", "published")
    """What the paper asserts in a number or in words, against the truth."""


class Relation(Enum):
    """How the tested number must stand to the other; for several numbers, each to its counterpart."""

    EQUAL = "equal to"
    AT_MOST = "at most"
    AT_LEAST = "at least"
    ABOVE = "above"
    PRINTED_AS = "rounded or cut off to"
    """A printed decimal; the tolerance is half a unit of its last digit."""


@dataclass(frozen=True)
class Evidence:
    """What one recomputation found.

    Parameters
    ----------
    recomputed, exact : float, tuple of float or None
        By the paper's own formula; and the truth. Finite; None where there is no such number.
    case : str
        Where the numbers were taken, for example "epsilon0 = 1, epsilon = 0.5".
    standing : Standing
        PROVEN for numbers computed exactly, ESTIMATE for simulated ones.
    uncertainty : str
        Interval and sample size; required of an ESTIMATE.

    Raises
    ------
    ValueError
        For NaN or an infinity, and for an estimate without its uncertainty.
    """

    recomputed: Numbers | None = None
    exact: Numbers | None = None
    case: str = ""
    standing: Standing = PROVEN
    uncertainty: str = ""

    def __post_init__(self) -> None:
        for name, value in (("recomputed", self.recomputed), ("exact", self.exact)):
            if value is not None and not np.isfinite(value).all():
                raise ValueError(f"{name} must be finite, got {value!r}")
        if self.standing is ESTIMATE and not self.uncertainty:
            raise ValueError("an ESTIMATE must come with its interval and sample size")


@dataclass(frozen=True)
class Missing:
    """Returned by a recomputation that cannot run; `what` names the data that it would need."""

    what: str


@dataclass(frozen=True, kw_only=True)
class Entry:
    """One statement of a paper.

    Parameters
    ----------
    id : str
        Short, stable, lower case with hyphens: links and tests refer to it.
    paper : Paper
        The text in which `where` counts.
    section : str
        Number and subject of the section, the heading under which a page lists the claim.
    where : str
        Theorem, equation, figure or page, with the other versions' numbers in brackets.
    statement : str
        What is claimed, in one sentence.
    published : float, tuple of float or str
        The printed number; or, where the paper prints none, its formula or its words.
    explanation : str
        Which statement fails and why, or why it is right.

    Raises
    ------
    ValueError
        For an entry that lacks one of its texts.
    """

    id: str
    paper: Paper
    section: str
    where: str
    statement: str
    published: Numbers | str
    explanation: str

    def __post_init__(self) -> None:
        if not self.id or self.id != self.id.lower() or " " in self.id:
            raise ValueError(f"id must be lower case without spaces, got {self.id!r}")
        for name in ("section", "where", "statement", "explanation"):
            if not getattr(self, name):
                raise ValueError(f"{self.id}: {name} must not be empty")

    @property
    def source(self) -> str:
        """Paper and place."""
        return f"{self.paper.value}, {self.where}"


@dataclass(frozen=True, kw_only=True)
class Argued(Entry):
    """A statement that no computation of ours decides; its explanation is the argument.

    Parameters
    ----------
    finds : {"holds", "fails"}
        What the argument says of the statement.
    """

    finds: Literal["holds", "fails"]


@dataclass(frozen=True, kw_only=True)
class Unpublished(Entry):
    """A statement that cannot be recomputed by anybody but its authors.

    Parameters
    ----------
    missing : str
        What the paper would have to publish.
    """

    missing: str


@dataclass(frozen=True, kw_only=True)
class Claim(Entry):
    """A statement that is recomputed.

    Parameters
    ----------
    quantity : str
        What the three numbers are numbers of.
    implies : float, tuple of float or None
        The number that published words imply ("never" implies 0); only where `published` is text.
    compare : Compare
        Which two numbers decide.
    relation : Relation
        How the first of them must stand to the second.
    tolerance : float
        By how much it may miss, at least 0: half a unit of the last printed digit, or rounding alone.
    recompute : callable
        Returns an Evidence, or a Missing.
    rests_on : tuple of str
        The functions that the numbers rest on, one or two and seldom three, as "par_core.published.explicit.risk" or
        "par_core.cost.CostModel.optimum": together they decide every number that is not one of the statement itself.
        None twice, and none of the ledger's own; functions of NumPy or SciPy where the package has none. If one were
        wrong, the numbers would be.
    convention : str
        The reading under which `recompute` works, where the literal reading is another one or does not exist.
    as_printed : callable or None
        The literal reading; goes with `convention`.

    Raises
    ------
    ValueError
        For an entry that could not be decided, such as one with a convention but no literal reading, and for one that
        rests on nothing, or on the ledger itself.
    """

    quantity: str
    compare: Compare
    relation: Relation
    recompute: Callable[[], Evidence | Missing] = field(repr=False)
    rests_on: tuple[str, ...]
    tolerance: float = ROUNDING
    implies: Numbers | None = None
    convention: str = ""
    as_printed: Callable[[], Evidence | Missing] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.quantity:
            raise ValueError(f"{self.id}: quantity must not be empty")
        if not (math.isfinite(self.tolerance) and self.tolerance >= 0):
            raise ValueError(f"{self.id}: tolerance must be at least 0 and finite, got {self.tolerance!r}")
        if self.implies is not None and not isinstance(self.published, str):
            raise ValueError(f"{self.id}: a printed number implies nothing further")
        if self.asserted is None and self.compare is not Compare.FORMULA:
            raise ValueError(f"{self.id}: published words need the number that they imply")
        if bool(self.convention) != (self.as_printed is not None):
            raise ValueError(f"{self.id}: a convention and the literal reading go together")
        if not (isinstance(self.rests_on, tuple) and self.rests_on) or len(set(self.rests_on)) < len(self.rests_on):
            raise ValueError(f"{self.id}: rests_on must name at least one function, and none twice: {self.rests_on!r}")
        for name in self.rests_on:
            if not name.startswith(("par_core.", "numpy.", "scipy.")) or name.startswith("par_core.claims"):
                raise ValueError(
                    f"{self.id}: rests_on must name functions of the package or of NumPy and SciPy: {name!r}"
                )

    @property
    def asserted(self) -> Numbers | None:
        """The published number, or the number that the published words imply; None for a formula."""
        return self.implies if isinstance(self.published, str) else self.published


@dataclass(frozen=True)
class Verdict:
    """What became of an entry.

    Attributes
    ----------
    claim : Entry
    verdict : str
        "reproduced", "reproduced with a stated convention", "refuted", "by argument", "needs data" or "not reproducible
        from what is published".
    recomputed, exact : float, tuple of float or None
        The numbers of the reading that decided (under the convention, if one is stated).
    case : str
        Where they were taken.
    reason : str
        The comparison that decided, with its numbers; or why there is none.
    as_printed : Evidence or None
        The numbers of the literal reading, where the claim needs a convention.
    standing : Standing
        PUBLISHED if only the paper's own arithmetic was redone, else that of the exact number.
    """

    claim: Entry
    verdict: Outcome
    recomputed: Numbers | None
    exact: Numbers | None
    case: str
    reason: str
    as_printed: Evidence | None
    standing: Standing

    @property
    def refuted(self) -> bool:
        """Whether the statement fails, by its numbers or by argument."""
        return self.verdict == REFUTED or (isinstance(self.claim, Argued) and self.claim.finds == "fails")

    @property
    def published(self) -> Numbers | str:
        """What the paper prints."""
        return self.claim.published

    @property
    def explanation(self) -> str:
        """Which statement fails and why, or why it is right."""
        return self.claim.explanation

    @property
    def convention(self) -> str:
        """The convention on which the verdict rests; empty if it rests on none."""
        return (
            self.claim.convention if isinstance(self.claim, Claim) and self.verdict == REPRODUCED_BY_CONVENTION else ""
        )

    @property
    def source(self) -> str:
        """Paper and place."""
        return self.claim.source


def decide(claim: Entry) -> Verdict:
    """Recompute a claim and compare; pass on what the other entries say of themselves.

    A claim that holds as printed is reproduced. One that fails as printed and holds under its convention is reproduced
    with that convention. Otherwise it is refuted, unless data are missing.
    """
    if isinstance(claim, Argued):
        return _without_numbers(claim, BY_ARGUMENT, f"by argument, it {claim.finds}")
    if isinstance(claim, Unpublished):
        return _without_numbers(claim, NOT_REPRODUCIBLE, f"the paper does not publish {claim.missing}")
    if not isinstance(claim, Claim):
        raise TypeError(f"an entry is a Claim, Argued or Unpublished, got {claim!r}")
    literal = claim.as_printed() if claim.as_printed is not None else None
    if isinstance(literal, Evidence) and holds(claim, literal):
        return _verdict(claim, REPRODUCED, literal, literal)
    evidence = claim.recompute()
    if isinstance(evidence, Missing):
        return _needs(claim, evidence)
    if not holds(claim, evidence):
        return _verdict(claim, REFUTED, evidence, literal if isinstance(literal, Evidence) else None)
    if claim.as_printed is None:
        return _verdict(claim, REPRODUCED, evidence, None)
    if not isinstance(literal, Evidence):  # whether the convention is needed cannot be said without the literal reading
        return _needs(claim, literal if literal is not None else Missing("the literal reading"))
    return _verdict(claim, REPRODUCED_BY_CONVENTION, evidence, literal)


def holds(claim: Claim, evidence: Evidence) -> bool:
    """Say whether the tested number stands to the other as the claim needs it."""
    tested, other = (np.atleast_1d(value) for value in _pair(claim, evidence))
    if tested.shape != other.shape:
        raise ValueError(f"{claim.id}: {tested.size} numbers cannot be compared with {other.size}")
    cut = (tested - other) * np.sign(tested)  # what a paper that cuts off leaves away
    by_relation = {
        Relation.EQUAL: np.abs(tested - other) <= claim.tolerance,
        Relation.PRINTED_AS: (cut >= -claim.tolerance) & (cut < 2 * claim.tolerance),
        Relation.AT_MOST: tested <= other + claim.tolerance,
        Relation.AT_LEAST: tested >= other - claim.tolerance,
        Relation.ABOVE: tested > other + claim.tolerance,
    }
    return bool(by_relation[claim.relation].all())


def half_unit(digits: int) -> float:
    """Half a unit of the last of `digits` printed decimals, with room for rounding."""
    return 0.5 * 10.0**-digits + ROUNDING


def worst(
    relation: Relation,
    exact: ArrayLike,
    recomputed: ArrayLike,
    case: Callable[[int], str],
) -> Evidence:
    """Return the case, of many, that speaks most against a claim: the ledger shows that one.

    Parameters
    ----------
    relation : Relation
        How `exact` should stand to `recomputed`.
    exact, recomputed : array_like
        One number for each case; broadcast, then flattened.
    case : callable
        Names the case at a flat index.
    """
    truth, formula = (np.ravel(values) for values in np.broadcast_arrays(_floats(exact), _floats(recomputed)))
    gap = truth - formula
    if relation in (Relation.EQUAL, Relation.PRINTED_AS):
        gap = np.abs(gap)
    elif relation is not Relation.AT_MOST:
        gap = -gap
    index = int(np.argmax(gap))
    return Evidence(recomputed=float(formula[index]), exact=float(truth[index]), case=case(index))


def _floats(values: ArrayLike) -> NDArray[np.float64]:
    return np.asarray(values, dtype=np.float64)


def _pair(claim: Claim, evidence: Evidence) -> tuple[Numbers, Numbers]:
    values = {"published": claim.asserted, "recomputed": evidence.recomputed, "exact": evidence.exact}
    tested, other = (values[name] for name in claim.compare.value)
    if tested is None or other is None:
        raise ValueError(f"{claim.id}: its recomputation must return the numbers that decide, got {evidence!r}")
    return tested, other


def _verdict(claim: Claim, outcome: Outcome, evidence: Evidence, literal: Evidence | None) -> Verdict:
    standing = PUBLISHED if claim.compare is Compare.PRINTED else evidence.standing
    return Verdict(
        claim=claim,
        verdict=outcome,
        recomputed=evidence.recomputed,
        exact=evidence.exact,
        case=evidence.case,
        reason=_reason(claim, evidence),
        as_printed=literal,
        standing=standing,
    )


def _needs(claim: Claim, missing: Missing) -> Verdict:
    return _without_numbers(claim, NEEDS_DATA, f"cannot be recomputed without {missing.what}")


def _without_numbers(entry: Entry, outcome: Outcome, reason: str) -> Verdict:
    return Verdict(
        claim=entry,
        verdict=outcome,
        recomputed=None,
        exact=None,
        case="",
        reason=reason,
        as_printed=None,
        standing=PUBLISHED,
    )


def _reason(claim: Claim, evidence: Evidence) -> str:
    tested, other = _pair(claim, evidence)
    names = claim.compare.value
    outcome = "is" if holds(claim, evidence) else "is not"
    within = f" (within {claim.tolerance:.3g})" if claim.relation is Relation.EQUAL else ""
    return f"{names[0]} {_shown(tested)} {outcome} {claim.relation.value} {names[1]} {_shown(other)}{within}"


def _shown(value: Numbers) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(_shown(number) for number in value)})"
    return f"{value:.6g}" if abs(value) < 1e4 else f"{value:.9g}"  # of money the cents too
