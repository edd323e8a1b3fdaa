"""A distribution for each column of a table, and how well it fits: what a fitted population draws its rows from.

The sensitivity that is sampled from a fitted distribution is that of the distribution. Where the fit is poor, above all in
the tails, it is not that of the data: Privacy at Risk warns of exactly this. The quality of each fit is therefore part of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from scipy import optimize, special

from par_core.errors import DataError, ParameterError
from par_core.evidence import ESTIMATE, Evidence, Result
from par_core.parameters import FloatOrArray, check_choice, check_integer, check_numbers, like_input, shown
from par_core.queries.columns import Kind, check_table, name_of, values_of
from par_core.queries.dates import Category
from par_core.randomness import generator
from par_core.sampling.columns import numbers_of, refuse_missing

_MOST_CATEGORIES = 10_000
_CLOSE = 0.01  # largest difference between two distribution functions that fits however many rows there are
_MOST_BY_ITSELF = 100  # distinct whole numbers up to which a categorical law is tried without being asked for
_KOLMOGOROV = 1.3581  # 95 % of the distances from a known law stay below this over the root of the number of rows
_TAIL = 0.01
# The largest of many draws has an expected number of draws beyond it that is exponential: outside these once in a thousand each.
_RARE, _OFTEN = 0.001, 7.0
_BY_CHANCE = 1e-4  # what chance has to leave for a tail to be called ill
_Floats = NDArray[np.float64]


class Law(StrEnum):
    """The distributions that a column can be fitted with."""

    NORMAL = "normal"
    LOG_NORMAL = "log-normal"
    GAMMA = "gamma"
    UNIFORM = "uniform"
    CATEGORICAL = "categorical"


_POSITIVE_ONLY = (Law.LOG_NORMAL, Law.GAMMA)
_NAMES = {
    Law.NORMAL: ("mean", "standard deviation"),
    Law.LOG_NORMAL: ("mean of logarithms", "standard deviation of logarithms"),
    Law.GAMMA: ("shape", "scale"),
    Law.UNIFORM: ("lower", "upper"),
    Law.CATEGORICAL: (),
}


@dataclass(frozen=True)
class FittedColumn(Result):
    """The law of one column, by largest likelihood, and how far it is from the data.

    `parameters`, pairs of name and value, are in the unit of the column, except for a shape and for what concerns logarithms; a
    categorical law has `categories` and their `shares`, which add up to 1, instead. `aic` is Akaike's criterion: the smaller, the
    better. `distance`, in [0, 1], is the Kolmogorov-Smirnov distance between column and law, `chance` what chance alone makes of it in
    5 % of all samples of so many rows from a known law, at most. `lower_tail` and `upper_tail` are the shares of the values that lie
    in the lowest and in the highest 1 % of the law; `lower_beyond` and `upper_beyond` how many of `rows` draws of it are expected
    below the smallest and above the largest value: about 1 where it fits.
    """

    name: str
    law: Law
    rows: int
    log_likelihood: float
    aic: float
    chance: float
    parameters: tuple[tuple[str, float], ...] = ()
    categories: tuple[Category, ...] = ()
    shares: tuple[float, ...] = ()
    distance: float = 0.0
    lower_tail: float = _TAIL
    upper_tail: float = _TAIL
    lower_beyond: float = 0.0
    upper_beyond: float = 0.0
    evidence = Evidence(
        ESTIMATE,
        source="largest likelihood; Kolmogorov-Smirnov distance",
        limits="The parameters come from the same rows as the distance, which is therefore smaller than for a law known before. A "
        "sampled sensitivity hangs on the tails, where few rows are.",
    )

    @property
    def fits(self) -> bool:
        """Whether neither the distance nor a tail speaks against the law."""
        return not self._complaints()

    @property
    def verdict(self) -> str:
        """One sentence: fits, or does not fit and where."""
        if self.law is Law.CATEGORICAL:
            return "fits: every value keeps the share that it has in the column"
        if complaints := self._complaints():
            return f"does not fit: {'; '.join(complaints)}"
        return f"fits: the share of values below any point differs by {self.distance:.1%} at most"

    def cdf(self, x: ArrayLike) -> FloatOrArray:
        """Return the share of the law up to x, in the unit of the column; ParameterError for a categorical law of text."""
        if self.law is Law.CATEGORICAL:
            if isinstance(self.categories[0], str):
                raise ParameterError(
                    f"column {shown(self.name)} has categories without an order, so no distribution function"
                )
            order = np.argsort(np.asarray(self.categories, dtype=float))
            sums = np.concatenate([[0.0], np.cumsum(np.asarray(self.shares)[order])])
            found = np.searchsorted(
                np.asarray(self.categories, dtype=float)[order], check_numbers("x", x), side="right"
            )
            return like_input(np.minimum(sums[found], 1.0))
        return like_input(_cdf(self.law, tuple(value for _, value in self.parameters), check_numbers("x", x)))

    def draw(self, size: int, *, rng: np.random.Generator) -> NDArray[np.generic] | pd.Categorical:
        """Return up to 10,000,000 independent draws as an array, or as a pandas Categorical for categories of text.

        The same generator gives the same numbers, whether they are drawn at once or a few at a time.
        """
        number, rng = check_integer("size", size, at_least=0, at_most=10_000_000), generator(rng)
        if self.law is Law.CATEGORICAL:
            ends = np.cumsum(self.shares)[:-1]
            codes = np.searchsorted(ends, rng.random(number), side="right")
            if isinstance(self.categories[0], str):
                return pd.Categorical.from_codes(codes, categories=list(self.categories))
            return np.asarray(self.categories)[codes]
        first, second = (value for _, value in self.parameters)
        draws: dict[Law, Callable[..., Any]] = {
            Law.NORMAL: rng.normal,
            Law.LOG_NORMAL: rng.lognormal,
            Law.GAMMA: rng.gamma,
            Law.UNIFORM: rng.uniform,
        }
        return draws[self.law](first, second, number)

    def _complaints(self) -> list[str]:
        """What speaks against the law, in words; the tails first, since a sampled sensitivity hangs on them."""
        if self.law is Law.CATEGORICAL:
            return []
        tails = [
            self._tail("below", self.lower_tail, self.lower_beyond, names=("smallest", "lowest")),
            self._tail("above", self.upper_tail, self.upper_beyond, names=("largest", "highest")),
        ]
        found = [f"its tails differ ({'; '.join(filter(None, tails))})"] if any(tails) else []
        if self.distance > max(self.chance, _CLOSE):
            found.append(f"the share of values below some point differs by {self.distance:.1%}")
        return found

    def _tail(self, where: str, share: float, beyond: float, *, names: tuple[str, str]) -> str:
        """What is wrong with one tail, in words; empty if nothing is."""
        end, tail = names
        if self.law is not Law.UNIFORM:  # which ends where the values end
            if beyond < _RARE:
                return f"too light {where}: a value like the {end} is hardly ever drawn"
            if beyond > _OFTEN:
                return f"too heavy {where}: {beyond:,.0f} of {self.rows:,} draws pass the {end} value"
        # A uniform law ends at two of the values, which says nothing about its tails.
        values = round(share * self.rows) - (self.law is Law.UNIFORM)
        chance = min(special.bdtr(values, self.rows, _TAIL), special.bdtrc(values - 1, self.rows, _TAIL))
        if abs(share - _TAIL) <= _TAIL / 2 or chance > _BY_CHANCE:
            return ""
        weight = "light" if share > _TAIL else "heavy"
        return f"too {weight} {where}: its {tail} 1 % holds {share:.2%} of the values"


def fit_column(table: pd.DataFrame, column: str, *, law: Law | str | None = None) -> FittedColumn:
    """Fit one column without missing values by largest likelihood; `law` as one of `Law`, by itself or by its name.

    Without `law` it is the one with the smallest AIC among those that the values allow. Log-normal and gamma need values above 0. Text,
    truth values and a column with one value only are categorical; whole numbers may be, where they take 100 values at most. A
    DataError for missing values, no rows, mixed kinds or more than 10,000 categories, a ParameterError also for a law that the values
    rule out.
    """
    check_table(table)
    name_of("column", column)
    chosen = None if law is None else Law(check_choice("law", law, Law))
    refuse_missing(table, (column,))
    if not len(table):
        raise DataError("the table has no rows, so there is nothing to fit")
    kind = _kind(table[column])
    if kind is not Kind.NUMBER:
        if chosen not in (None, Law.CATEGORICAL):
            raise ParameterError(
                f"law must be categorical for column {shown(column)}, which holds no numbers, got {chosen}"
            )
        values, _ = values_of(table, column, kind=kind)
        return _categorical(column, values)
    numbers = numbers_of(table, column)
    candidates = [chosen] if chosen else _candidates(numbers)
    fits = [_fit(column, numbers, each) for each in candidates]
    return min(fits, key=lambda fit: fit.aic)


def _kind(series: pd.Series) -> Kind:
    inferred = pd.api.types.infer_dtype(series, skipna=True)
    if inferred in ("integer", "floating", "mixed-integer-float"):
        return Kind.NUMBER
    if inferred == "categorical":
        return _kind(series.astype(object))
    return Kind.TRUTH if inferred == "boolean" else Kind.TEXT


def _candidates(numbers: _Floats) -> list[Law]:
    """Return the laws that the values allow; one value only, or a spread lost in rounding, leaves the categorical one."""
    found: list[Law] = [law for law in Law if law is not Law.CATEGORICAL and _ruled_out(numbers, law) is None]
    # A density at a whole number stands for the share of values that round to it, so the likelihoods can be compared.
    if not found or (bool(np.all(numbers == np.round(numbers))) and len(np.unique(numbers)) <= _MOST_BY_ITSELF):
        found.append(Law.CATEGORICAL)
    return found


def _ruled_out(numbers: _Floats, law: Law) -> str | None:
    """Return what is wrong with a law other than the categorical one for these values, or None."""
    low, high = float(numbers.min()), float(numbers.max())
    if high - low <= 1e-12 * max(abs(low), abs(high)):
        return "all its values are one and the same"
    if law in _POSITIVE_ONLY and low <= 0:
        return "it has values at or below 0"
    log_normal, gamma = law is Law.LOG_NORMAL, law is Law.GAMMA
    close = (log_normal and np.std(np.log(numbers)) == 0) or (gamma and _gap(numbers) < 1e-12)
    return "its values are too close to each other" if close else None


def _fit(column: str, numbers: _Floats, law: Law) -> FittedColumn:
    if law is Law.CATEGORICAL:
        return _categorical(column, numbers)
    if (why := _ruled_out(numbers, law)) is not None:
        raise ParameterError(f"law cannot be {law} for column {shown(column)}: {why}")
    first, second = _parameters(numbers, law)
    likelihood = _log_likelihood(numbers, law, first, second)
    share = _cdf(law, (first, second), np.sort(numbers))
    steps = np.arange(len(numbers) + 1) / len(numbers)
    distance = float(max(np.max(steps[1:] - share), np.max(share - steps[:-1])))
    return FittedColumn(
        name=column,
        law=law,
        parameters=tuple(zip(_NAMES[law], (first, second), strict=True)),
        rows=len(numbers),
        log_likelihood=likelihood,
        aic=4 - 2 * likelihood,
        distance=distance,
        chance=_KOLMOGOROV / math.sqrt(len(numbers)),
        lower_tail=float(np.mean(share <= _TAIL)),
        upper_tail=float(np.mean(share >= 1 - _TAIL)),
        lower_beyond=float(len(numbers) * share[0]),
        upper_beyond=float(len(numbers) * (1 - share[-1])),
    )


def _categorical(column: str, values: NDArray[Any]) -> FittedColumn:
    found, counts = np.unique(values, return_counts=True)
    if len(found) > _MOST_CATEGORIES:
        raise DataError(
            f"column {shown(column)} has {len(found):,} different values, at most {_MOST_CATEGORIES:,} are fitted"
        )
    shares = counts / len(values)
    likelihood = float(np.sum(counts * np.log(shares)))
    return FittedColumn(
        name=column,
        law=Law.CATEGORICAL,
        categories=tuple(found.tolist()),
        shares=tuple(shares.tolist()),
        rows=len(values),
        log_likelihood=likelihood,
        aic=2 * (len(found) - 1) - 2 * likelihood,
        chance=_KOLMOGOROV / math.sqrt(len(values)),
    )


def _parameters(numbers: _Floats, law: Law) -> tuple[float, float]:
    """Return the two parameters of largest likelihood, in the order of `_NAMES`."""
    if law is Law.NORMAL:
        return float(np.mean(numbers)), float(np.std(numbers))
    if law is Law.LOG_NORMAL:
        return float(np.mean(np.log(numbers))), float(np.std(np.log(numbers)))
    if law is Law.UNIFORM:
        return float(numbers.min()), float(numbers.max())
    # The shape a solves ln a - digamma(a) = gap, and 1/(2a) < ln a - digamma(a) < 1/a for every a above 0.
    gap = _gap(numbers)
    shape = float(
        optimize.brentq(
            lambda a: math.log(a) - special.digamma(a) - gap, 0.49 / gap, 1.01 / gap, xtol=1e-300, rtol=1e-14
        )
    )
    return shape, float(np.mean(numbers)) / shape


def _gap(numbers: _Floats) -> float:
    """Logarithm of the mean less the mean of the logarithms: never below 0."""
    return float(np.log(np.mean(numbers)) - np.mean(np.log(numbers)))


def _log_likelihood(numbers: _Floats, law: Law, first: float, second: float) -> float:
    rows = len(numbers)
    if law is Law.UNIFORM:
        return -rows * math.log(second - first)
    if law is Law.GAMMA:
        constant = -float(special.gammaln(first)) - first * math.log(second)
        return rows * constant + float(np.sum((first - 1) * np.log(numbers) - numbers / second))
    normal = -rows * (math.log(second) + 0.5 * math.log(2 * math.pi) + 0.5)
    return normal if law is Law.NORMAL else normal - float(np.sum(np.log(numbers)))


def _cdf(law: Law, parameters: tuple[float, ...], x: _Floats) -> _Floats:
    first, second = parameters
    if law is Law.NORMAL:
        return np.asarray(special.ndtr((x - first) / second))
    if law is Law.UNIFORM:
        return np.asarray(np.clip((x - first) / (second - first), 0.0, 1.0))
    above = np.maximum(x, 0.0)
    if law is Law.GAMMA:
        return np.asarray(special.gammainc(first, above / second))
    with np.errstate(divide="ignore"):
        return np.asarray(special.ndtr((np.log(above) - first) / second))
