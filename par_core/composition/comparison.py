"""Every accountant on one chart, over the truth: who is below it, and from which number of releases on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.composition import accountants
from par_core.composition.exact import MOST_COMPOSITIONS, ExactComposition, exact
from par_core.errors import ParameterError
from par_core.parameters import one, one_whole, whole
from par_core.published import composition as printed
from par_core.published.explicit import LARGEST_K
from par_core.standing import PROVEN, PUBLISHED, Result, Standing, Told, declaration_of, quantities

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Accountant:
    """A way to count the privacy of many releases.

    `key` is its name in this package and in links, `name` that for readers. `epsilon` is a function of (epsilon0, compositions,
    *, delta); those of Privacy at Risk (`at_risk`) also take epsilon, confidence and k. It takes up to `largest` releases.
    `claim` is the id in the ledger of what it claims, where it is PUBLISHED.
    """

    key: str
    name: str
    epsilon: Callable[..., Any]
    at_risk: bool
    standing: Standing
    source: str
    limits: str
    largest: int
    claim: str = ""


def _accountant(
    key: str,
    name: str,
    function: Callable[..., Any],
    *,
    at_risk: bool = False,
    standing: Standing | None = None,
    limits: str | None = None,
    largest: int = accountants.MOST_COMPOSITIONS,
    claim: str = "",
    **fixed: Any,
) -> Accountant:
    declared = declaration_of(function)
    return Accountant(
        key,
        name,
        partial(function, **fixed) if fixed else function,
        at_risk,
        standing or declared.standing,
        declared.source,
        limits or declared.limits,
        largest,
        claim,
    )


_ALL = (
    _accountant("basic", "Basic composition", accountants.basic),
    _accountant("advanced", "Advanced composition", accountants.advanced),
    _accountant("zcdp", "zCDP", accountants.zcdp),
    _accountant("rdp", "Rényi DP (RDP)", accountants.rdp),
    _accountant(
        "optimal_pure",
        "Optimal composition (Kairouz, Oh, Viswanath)",
        accountants.optimal_pure,
        largest=accountants.MOST_FOR_OPTIMAL,
    ),
    _accountant(
        "at_risk",
        "Privacy at Risk, Theorem 3 as published",
        printed.at_risk,
        at_risk=True,
        claim="par-theorem-3-with-theorem-4",
        truth="published",
    ),
    _accountant(
        "at_risk_exact",
        "Privacy at Risk, Theorem 3 with the exact confidence",
        printed.at_risk,
        at_risk=True,
        standing=PROVEN,
        limits="Holds for each fixed pair of tables; the paper's own proof of it does not.",
        truth="exact",
    ),
    _accountant(
        "at_risk_preprint",
        "Privacy at Risk, preprint",
        printed.at_risk_preprint,
        at_risk=True,
        claim="par-preprint-theorem-9-with-theorem-4",
    ),
    _accountant(
        "at_risk_as_drawn",
        "Privacy at Risk, as figure 5 draws it",
        printed.at_risk_as_drawn,
        at_risk=True,
        claim="par-figure-5-holds",
    ),
)
ACCOUNTANTS: dict[str, Accountant] = {each.key: each for each in _ALL}


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
    QUANTITIES = quantities(epsilon=Told("level", "up", holds=lambda curve: ~curve.below))
    standing: Standing
    source: str
    limits: str

    @property
    def claim(self) -> str:
        """The id of what it claims in the ledger."""
        return self.accountant.claim

    @property
    def holds(self) -> bool:
        """Whether it claims too little nowhere here."""
        return not self.below.any()


@dataclass(frozen=True)
class Comparison:
    """Accountants over the exact composition of the Laplace mechanism, at rising numbers of releases of shape (n,)."""

    epsilon0: float
    delta: float
    compositions: NDArray[np.int64]
    exact: ExactComposition
    curves: tuple[AccountantCurve, ...]
    standing: Standing
    source: str
    limits: str


@dataclass(frozen=True)
class TooLow:
    """A stretch of numbers of releases over which an accountant claims less than the truth.

    `last` is None where it is still too low at the largest number that was looked at; `epsilon` is what it claims at the first.
    """

    first: int
    last: int | None
    epsilon: float
    standing: Standing
    source: str
    limits: str = "stretches that lie wholly between two numbers that were compared are not found"


def compare(
    epsilon0: float,
    compositions: ArrayLike,
    *,
    delta: float,
    keys: Sequence[str] = tuple(ACCOUNTANTS),
    epsilon: float | None = None,
    k: int = 1,
    drawn_delta: float | None = None,
    truth: ExactComposition | None = None,
) -> Comparison:
    """Compare accountants with the exact composition.

    epsilon0, from 1e-8 to 50, is the level of each release, delta, from 1e-15 to below 1, that of the guarantee. The numbers of releases
    rise, from 1 to 20,000. `keys` are names in `ACCOUNTANTS`. For Privacy at Risk there are the level hoped for of one release (by
    default as in figure 5) and the dimension k of the query, for Theorem 4's confidence. `drawn_delta` is that of the curve as drawn, by
    default ten times delta, as in figure 5, at most ½. `truth` is what `exact` gave for the same arguments, if that was computed before.
    """
    numbers = np.atleast_1d(whole("compositions", compositions, at_least=1, at_most=MOST_COMPOSITIONS))
    if numbers.ndim != 1 or np.any(np.diff(numbers) <= 0):
        raise ParameterError("compositions must be a rising list of numbers of releases")
    if isinstance(keys, str) or not isinstance(keys, Sequence):
        raise ParameterError(f"keys must be a list of names, got {keys!r}")
    unknown = [key for key in keys if not isinstance(key, str) or key not in ACCOUNTANTS]
    if unknown:
        raise ParameterError(f"keys must be among {', '.join(ACCOUNTANTS)}, got {unknown[0]!r}")
    one("epsilon0", epsilon0), one("delta", delta, above=0, below=1)
    one_whole("k", k, at_least=1, at_most=LARGEST_K)
    if epsilon is not None:
        one("epsilon", epsilon, above=0)
    drawn = min(10 * delta, 0.5) if drawn_delta is None else one("drawn_delta", drawn_delta, above=0, below=1)
    if truth is None:
        truth = exact(epsilon0, numbers, delta=delta)
    elif not isinstance(truth, ExactComposition):
        raise ParameterError(f"truth must be an ExactComposition, got {truth!r}")
    elif np.shape(truth.lower) != numbers.shape:
        raise ParameterError(
            f"truth must be of shape {numbers.shape}, as the compositions are, got {np.shape(truth.lower)}"
        )
    curves = tuple(
        _curve(each, epsilon0, numbers, truth, drawn if each.key == "at_risk_as_drawn" else delta, epsilon=epsilon, k=k)
        for each in map(ACCOUNTANTS.__getitem__, dict.fromkeys(keys))
    )
    standing = PUBLISHED if any(each.standing is PUBLISHED for each in curves) else PROVEN
    return Comparison(
        epsilon0, delta, numbers, truth, curves, standing, truth.source, "each curve has its own standing"
    )


def _curve(
    accountant: Accountant,
    epsilon0: float,
    numbers: NDArray[np.int64],
    truth: ExactComposition,
    delta: float,
    *,
    epsilon: float | None,
    k: int,
) -> AccountantCurve:
    extra = {"epsilon": epsilon, "k": k} if accountant.at_risk else {}
    values = np.asarray(accountant.epsilon(epsilon0, numbers, delta=delta, **extra), dtype=np.float64)
    below = values < truth.lower
    return AccountantCurve(
        accountant,
        delta,
        values,
        below,
        accountant.standing,
        accountant.source,
        accountant.limits,
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
    below = dict(zip(comparison.compositions.tolist(), curve.below.tolist(), strict=True))
    claims = dict(zip(comparison.compositions.tolist(), curve.epsilon.tolist(), strict=True))
    between = _between_edges(comparison.compositions, curve.below)
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
            curve.standing,
            curve.source,
        )
        for start, stop in edges
    )


def _between_edges(numbers: NDArray[np.int64], below: NDArray[np.bool_]) -> tuple[int, ...]:
    """Return the numbers that were not compared, between two neighbours of which one is too low; before the first one too."""
    known, flags = np.concatenate([[0], numbers]), np.concatenate([[False], below])
    return tuple(
        number for at in np.flatnonzero(np.diff(flags)) for number in range(int(known[at]) + 1, int(known[at + 1]))
    )
