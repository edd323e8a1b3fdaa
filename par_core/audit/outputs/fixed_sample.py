"""What a fixed number of outputs says of a mechanism: an epsilon that it has at least, and whether it breaks a trade-off function."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from par_core.audit.outputs.answer_sets import AnswerSet, Floats, checked
from par_core.audit.outputs.measured import Measured, measured
from par_core.evidence import ESTIMATE, Evidence, Result, quantities, stated
from par_core.mechanisms import PrivacyLoss
from par_core.parameters import check_number, check_type

_TINY = 1e-12  # of a probability
_SOURCE = "set of answers chosen on one half (Ding and others 2018), ends of Clopper and Pearson on the other (Jagielski and others 2020)"
_LIMITS = "Of these two inputs: others may tell more. Answers are independent draws, and their number was fixed before they were seen."


@dataclass(frozen=True)
class EpsilonBound(Result):
    """No mechanism that is private to less than `epsilon` gives such outputs on two inputs, with confidence `level`.

    It is 0 where nothing can be said. An answer in the set `answers` has a probability of at least `low` under the input where it is
    likelier, the `likelier` one (1 or 2), and of at most `high` under the other; both ends together hold with confidence `level`. The
    set was chosen by `chosen_by` answers on each input, and measured on so many others of the first and of the second, `measured_on`.
    """

    epsilon: float
    delta: float
    level: float
    low: float
    high: float
    answers: AnswerSet
    likelier: int
    chosen_by: int
    measured_on: tuple[int, int]
    QUANTITIES = quantities(epsilon=stated("level", "down"), low=stated("share", "down"), high=stated("share", "up"))
    evidence = Evidence(ESTIMATE, source=_SOURCE, limits=_LIMITS)


@dataclass(frozen=True)
class TradeoffCheck(Result):
    """An attack on outputs against what a claimed trade-off function allows any attack.

    Whoever says "the likelier input" at an answer in the set `answers` is wrong under the other input with a probability of at most
    `false_positive`, and misses it with one of at most `false_negative`; both together hold with confidence `level`. The claim allows no
    fewer misses than `allowed`; where there are fewer the claim `is_refuted`. Else it is not, which confirms nothing.
    """

    false_positive: float
    false_negative: float
    allowed: float
    level: float
    answers: AnswerSet
    likelier: int
    chosen_by: int
    measured_on: tuple[int, int]
    QUANTITIES = quantities(
        false_positive=stated("share", "up"), false_negative=stated("share", "up"), allowed=stated("share", "down")
    )
    evidence = Evidence(ESTIMATE, source=f"{_SOURCE}; trade-off functions (Dong, Roth and Su 2022)", limits=_LIMITS)

    @property
    def is_refuted(self) -> bool:
        """Whether the claim is refuted."""
        return self.false_negative < self.allowed


def epsilon_at_least(first: ArrayLike, second: ArrayLike, *, delta: float = 0.0, level: float = 0.95) -> EpsilonBound:
    """Return an epsilon that a mechanism has at least, from its outputs on two neighbouring inputs, at least 4 numbers each.

    It is (epsilon, delta)-differential privacy that is meant, delta at least 0 and below 1, in both directions. The bound is above
    the true epsilon with a probability of at most 1 - level; `level` is above 0 and below 1.

    >>> rng = np.random.default_rng(1)
    >>> found = epsilon_at_least(rng.laplace(1.0, 0.5, 2_000), rng.laplace(0.0, 0.5, 2_000))  # epsilon is 2
    >>> round(found.epsilon, 2), found.answers.words
    (1.68, 'at most -0.02318')
    """
    one_input, other = checked(first, second)
    small, sure = (
        check_number("delta", delta, at_least=0.0, below=1.0),
        check_number("level", level, above=0.0, below=1.0),
    )
    bounds, found = lower_bounds(one_input[None], other[None], delta=small, level=sure)
    bound = max(float(bounds[0]), 0.0)
    low, high = float(found.low[0]), float(found.high[0])
    return EpsilonBound(bound, small, sure, low, high, *_told(found, one_input.size, other.size))


def check_tradeoff(first: ArrayLike, second: ArrayLike, claimed: PrivacyLoss, *, level: float = 0.95) -> TradeoffCheck:
    """Check a claimed trade-off function against outputs on two neighbouring inputs, at least 4 numbers each.

    `claimed` is a mechanism, or releases composed, that loses as much as is claimed. A true claim is refuted with a probability of at
    most 1 - level; `level` is above 0 and below 1.

    >>> from par_core.mechanisms import Gaussian
    >>> rng = np.random.default_rng(1)
    >>> found = check_tradeoff(rng.normal(1.0, 0.5, 500), rng.normal(0.0, 0.5, 500), Gaussian(1.0))
    >>> found.is_refuted, found.false_negative < found.allowed
    (True, True)
    """
    one_input, other = checked(first, second)
    check_type("claimed", claimed, PrivacyLoss)
    sure = check_number("level", level, above=0.0, below=1.0)

    def clarity(low: Floats, high: Floats, more: Floats, less: Floats) -> Floats:
        """Return how far an attack seems beyond the claim, in units of what is uncertain of it: above 1 the claim is refuted."""
        beyond = claimed.tradeoff(less) - (1.0 - more)
        return np.asarray(beyond / np.maximum(beyond - (claimed.tradeoff(high) - (1.0 - low)), _TINY))

    found = measured(one_input[None], other[None], clarity, level=sure)
    wrong, missed = float(found.high[0]), 1.0 - float(found.low[0])
    allowed = check_number("what is allowed", claimed.tradeoff(wrong))
    return TradeoffCheck(wrong, missed, allowed, sure, *_told(found, one_input.size, other.size))


@Evidence(ESTIMATE, source=_SOURCE, limits=_LIMITS)
def lower_bounds(first: Floats, second: Floats, *, delta: float, level: float) -> tuple[Floats, Measured]:
    """Return the bound of each run, (runs,), which may be below 0, with what was measured; outputs are (runs, answers)."""
    found = measured(first, second, lambda low, high, *_: _log_ratio(low, high, delta), level=level)
    return _log_ratio(found.low, found.high, delta), found


def _log_ratio(low: Floats, high: Floats, delta: float) -> Floats:
    """Return the epsilon that two probabilities need with this delta; minus infinity where they need none."""
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(np.maximum(low - delta, 0.0)) - np.log(high))


def _told(found: Measured, first: int, second: int) -> tuple[AnswerSet, int, int, tuple[int, int]]:
    half = min(first, second) // 2
    return found.answers(0), 1 + int(found.swapped[0]), half, (first - half, second - half)
