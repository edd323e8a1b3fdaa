"""Every accountant on one chart, over the truth: who is below it, and from which number of releases on."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.composition.accountant_registry import TAKEN_UP, Accountant, take_up
from par_core.composition.arguments import One, Private, Several, each_of, has_loss, of_one_kind
from par_core.composition.brackets import SMALLEST_DELTA, ExactComposition
from par_core.composition.composed import MOST_RELEASES, Composed, is_default
from par_core.composition.exact import exact
from par_core.errors import ParameterError
from par_core.evidence import PROVEN, PUBLISHED, Evidence, Result, evidence_of, quantities, stated
from par_core.limits import LARGEST_EPSILON0, LARGEST_K
from par_core.old_names import old_argument, old_attribute
from par_core.parameters import (
    check_choice,
    check_integer,
    check_integers,
    check_list,
    check_number,
    check_numbers,
    check_type,
)
from par_core.published import composition as printed

Floats = NDArray[np.float64]


_PAPER = partial(take_up, holds_for="Laplace noise", at_risk=True)
_PAPER(
    printed.at_risk,
    "Privacy at Risk, Theorem 3 as published",
    claim="par-theorem-3-with-theorem-4",
    truth="published",
)
_PAPER(
    printed.at_risk,
    "Privacy at Risk, Theorem 3 with the exact confidence",
    key="at_risk_exact",
    evidence=Evidence(
        PROVEN,
        source=evidence_of(printed.at_risk).source,
        limits="Holds for each fixed pair of tables; the paper's own proof of it does not.",
    ),
    truth="exact",
)
_PAPER(printed.at_risk_preprint, "Privacy at Risk, preprint", claim="par-preprint-theorem-9-with-theorem-4")
_PAPER(printed.at_risk_as_drawn, "Privacy at Risk, as figure 5 draws it", claim="par-figure-5-holds")
ACCOUNTANTS: dict[str, Accountant] = {each.key: each for each in TAKEN_UP}


_PER_RELEASE = "each release at delta/n"


def holding(releases: Private) -> tuple[str, ...]:
    """Return the keys of the accountants that hold for releases, or claim to; RDP and those of the paper are for Laplace noise.

    >>> from par_core.mechanisms import Gaussian, RandomisedResponse
    >>> holding(Gaussian(1.0)), holding(RandomisedResponse(1.0))
    (('basic',), ('basic', 'advanced', 'zcdp', 'optimal_pure'))
    """
    kind, _ = of_one_kind(releases)
    if not has_loss(kind):
        check_numbers("releases", kind, above=0)
        return tuple(ACCOUNTANTS)
    if is_default(kind):
        return tuple(ACCOUNTANTS)
    pure = not isinstance(kind, Composed) and math.isfinite(kind.largest_loss)
    held = ("any mechanism", "pure privacy") if pure else ("any mechanism",)
    return tuple(key for key, each in ACCOUNTANTS.items() if each.holds_for in held)


@Evidence(PROVEN, source="calibration of the mechanism")
def level_of(releases: Private, *, delta: float) -> float:
    """Return the level of each release: its largest loss, or where it has none what it was calibrated to, or comes to at this delta."""
    kind, _ = of_one_kind(releases)
    if not has_loss(kind):
        return check_number("epsilon0", kind, above=0.0, at_most=LARGEST_EPSILON0)
    loss = check_number("epsilon0", np.minimum(kind.largest_loss, np.finfo(float).max), above=0.0)
    if loss < np.finfo(float).max:
        return loss
    calibrated = None if isinstance(kind, Composed) else kind.guarantee
    return float(calibrated.epsilon if calibrated else kind.epsilon(delta))


@dataclass(frozen=True)
class AccountantCurve(Result):
    """One accountant against the number of releases, drawn for a delta.

    `below` says where it claims less than the guaranteed lower end of the truth, so that there is no guarantee there. Arrays of
    shape (n,).
    """

    accountant: Accountant
    delta: float
    epsilon: Floats
    below: NDArray[np.bool_]
    divided: bool  # whether each release has its part of delta
    QUANTITIES = quantities(epsilon=stated("level", "up", holds=lambda curve: ~curve.below))

    @property
    def evidence(self) -> Evidence:
        """That of the accountant, whose limits are others where delta is divided."""
        own = self.accountant.evidence
        return replace(own, limits=_PER_RELEASE) if self.divided else own

    @property
    def claim(self) -> str:
        """The id of what it claims in the catalogue."""
        return self.accountant.claim

    @property
    def holds(self) -> bool:
        """Whether it claims too little nowhere here."""
        return not self.below.any()


@dataclass(frozen=True)
class Comparison(Result):
    """Accountants over the exact composition of releases at a level (`level_of`), at rising numbers of releases of shape (n,)."""

    epsilon0: float
    delta: float
    releases: NDArray[np.int64]
    exact: ExactComposition
    curves: tuple[AccountantCurve, ...]
    compositions = old_attribute("compositions", "releases")

    @property
    def evidence(self) -> Evidence:
        """That of the exact composition, as published where a curve is."""
        published = any(each.evidence.basis is PUBLISHED for each in self.curves)
        return Evidence(
            PUBLISHED if published else PROVEN, source=self.exact.source, limits="each curve has its own standing"
        )


@dataclass(frozen=True)
class TooLow(Result):
    """A stretch of numbers of releases over which an accountant claims less than the truth.

    `last` is None where it is still too low at the largest number that was looked at; `epsilon` is what it claims at the first.
    """

    first: int
    last: int | None
    epsilon: float
    accountant: Accountant

    @property
    def evidence(self) -> Evidence:
        """That of the accountant, as far as it was looked."""
        return replace(
            self.accountant.evidence,
            limits="stretches that lie wholly between two numbers that were compared are not found",
        )


@overload
def compare(
    epsilon0: One,
    releases: ArrayLike = ...,
    *,
    delta: float,
    keys: Sequence[str] | None = ...,
    epsilon: float | None = ...,
    k: int = ...,
    drawn_delta: float | None = ...,
    truth: ExactComposition | None = ...,
) -> Comparison: ...
@overload
def compare(
    epsilon0: Several,
    releases: ArrayLike = ...,
    *,
    delta: float,
    keys: Sequence[str] | None = ...,
    epsilon: float | None = ...,
    k: int = ...,
    drawn_delta: float | None = ...,
    truth: ExactComposition | None = ...,
) -> tuple[Comparison, ...]: ...
@old_argument("compositions", "releases")
def compare(
    epsilon0: One | Several,
    releases: ArrayLike = 1,
    *,
    delta: float,
    keys: Sequence[str] | None = None,
    epsilon: float | None = None,
    k: int = 1,
    drawn_delta: float | None = None,
    truth: ExactComposition | None = None,
) -> Comparison | tuple[Comparison, ...]:
    """Compare accountants with the exact composition.

    `epsilon0` is the level of each release, an array of levels that are each compared separately, a mechanism, or what `compose` put
    together, and delta, from 1e-15 to below 1, that of the guarantee, as in `exact`. The numbers of releases rise, from 1 on. `keys` are
    names in `ACCOUNTANTS`, by default all that hold for the
    releases, or claim to; others are refused. For Privacy at Risk there are the level hoped for of one release (by default as in figure
    5) and the dimension k of the query, for Theorem 4's confidence. `drawn_delta` is that of the curve as drawn, by default ten times
    delta, as in figure 5, at most ½. `truth` is what `exact` gave for the same arguments, if that was computed before.

    >>> compared = compare(0.1, [1, 300], delta=1e-5, keys=["basic", "at_risk_as_drawn"])
    >>> [curve.holds for curve in compared.curves]
    [True, False]
    """
    levels = each_of(epsilon0)
    if levels is not None:
        if truth is not None:
            raise ParameterError("truth must be left out where several levels are compared")
        more: dict[str, Any] = {"keys": keys, "epsilon": epsilon, "k": k, "drawn_delta": drawn_delta}
        return tuple(compare(each, releases, delta=delta, **more) for each in levels)
    numbers = np.atleast_1d(check_integers("releases", releases, at_least=1, at_most=MOST_RELEASES))
    if numbers.ndim != 1 or np.any(np.diff(numbers) <= 0):
        raise ParameterError("releases must be a rising list of numbers of releases")
    small = check_number("delta", delta, at_least=SMALLEST_DELTA, below=1)
    level, held = level_of(epsilon0, delta=small), holding(epsilon0)
    asked = held if keys is None else [check_choice("keys", key, ACCOUNTANTS) for key in check_list("keys", keys)]
    if refused := [key for key in asked if key not in held]:
        raise ParameterError(f"keys must be among {', '.join(held)} for these releases, got {refused[0]}")
    check_integer("k", k, at_least=1, at_most=LARGEST_K)
    if epsilon is not None:
        check_number("epsilon", epsilon, above=0)
    drawn = min(10 * small, 0.5) if drawn_delta is None else check_number("drawn_delta", drawn_delta, above=0, below=1)
    if truth is None:
        truth = exact(epsilon0, numbers, delta=small)
    elif np.shape(check_type("truth", truth, ExactComposition).lower) != numbers.shape:
        raise ParameterError(
            f"truth must be of shape {numbers.shape}, as the releases are, got {np.shape(truth.lower)}"
        )
    kind, times = of_one_kind(epsilon0)
    given = level if len(held) > 1 else kind
    every = times * numbers
    curves = tuple(
        _curve(each, given, every, truth, drawn if each.key == "at_risk_as_drawn" else small, epsilon=epsilon, k=k)
        for each in map(ACCOUNTANTS.__getitem__, dict.fromkeys(asked))
    )
    return Comparison(level, small, every, truth, curves)


def _curve(
    accountant: Accountant,
    releases: Private,
    numbers: NDArray[np.int64],
    truth: ExactComposition,
    delta: float,
    *,
    epsilon: float | None,
    k: int,
) -> AccountantCurve:
    extra = {"epsilon": epsilon, "k": k} if accountant.at_risk else {}
    values = np.asarray(accountant.epsilon(releases, numbers, delta=delta, **extra), dtype=np.float64)
    divided = has_loss(releases) and math.isinf(releases.largest_loss)
    return AccountantCurve(
        accountant,
        delta,
        values,
        values < truth.lower,
        divided,
    )


def too_low(
    comparison: Comparison, key: str, *, look: Callable[[tuple[int, ...]], Comparison] | None = None
) -> tuple[TooLow, ...]:
    """Find the stretches, in rising order, over which one of the compared accountants is too low, to the very number of releases.

    `look` compares the same accountant at more numbers of releases, all else being equal; by default with the settings of
    figure 5. It is asked once for all numbers between the compared ones where a stretch begins or ends.
    """
    curve = next((each for each in comparison.curves if each.accountant.key == key), None)
    if curve is None:
        raise ParameterError(f"key must be among those compared, got {key!r}")
    if look is None:
        look = partial(compare, comparison.epsilon0, delta=comparison.delta, keys=[key], drawn_delta=curve.delta)
    below = dict(zip(comparison.releases.tolist(), curve.below.tolist(), strict=True))
    claims = dict(zip(comparison.releases.tolist(), curve.epsilon.tolist(), strict=True))
    between = _between_edges(comparison.releases, curve.below)
    if between:
        there = look(between).curves[0]
        below |= zip(between, there.below.tolist(), strict=True)
        claims |= zip(between, there.epsilon.tolist(), strict=True)
    numbers = sorted(below)
    edges = np.flatnonzero(np.diff([False, *(below[number] for number in numbers), False])).reshape(-1, 2)
    return tuple(
        TooLow(
            numbers[start],
            None if stop == len(numbers) else numbers[stop - 1],
            claims[numbers[start]],
            curve.accountant,
        )
        for start, stop in edges
    )


def _between_edges(numbers: NDArray[np.int64], below: NDArray[np.bool_]) -> tuple[int, ...]:
    """Return the numbers that were not compared, between two neighbours of which one is too low; before the first one too."""
    known, flags = np.concatenate([[0], numbers]), np.concatenate([[False], below])
    return tuple(
        number for at in np.flatnonzero(np.diff(flags)) for number in range(int(known[at]) + 1, int(known[at + 1]))
    )
