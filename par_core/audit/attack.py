"""An attack on the databases of the audit themselves: how well one answer tells whether an individual is in it.

The attacker knows all databases but one, with and without the individual, sees the answer of that one, and compares how likely
both densities make it. Each database is left out once, so that nobody is tested on what they have learnt from.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.audit.auditing import AuditResult
from par_core.audit.deltas import LARGEST_EPSILON
from par_core.errors import DataError
from par_core.evidence import ESTIMATE, Evidence, Result, quantities, stated
from par_core.parameters import check_integer, check_number, check_type

FEWEST = 3
SMALL_RATE = 0.05

# Of what may go wrong with the limits; the rest is left for attackers who share most of their databases (see the simulation in the tests).
_MARGIN = 0.25

_Floats = NDArray[np.float64]
_RATES = np.linspace(0.0, 1.0, 201)


@dataclass(frozen=True, eq=False)
class AuditAttack(Result):
    """What an attacker finds out about one individual who sees one answer.

    `scores` and `scores_without`, (n,), are the log likelihood ratios (with to without) of the answer on each database with and
    without the individual, under the densities of all other databases. `false_positive` and `true_positive`, (m,), rising from
    (0, 0) to (1, 1), are the receiver operating characteristic; both are within `band` of the truth, everywhere at once, with
    probability `level`: then it lies between `lowest` and `highest` at the false positives in `rates`.

    Who says "with" wherever that is likelier has the rates in `rule` (false, true), and the `advantage` (true less false
    positives); `right` is the share of their guesses that are right if both are equally likely. `at_small` are the true positives at
    5 % of false ones. Each has a lower and an upper limit that holds with probability `level`.
    """

    individual: int
    scores: _Floats
    scores_without: _Floats
    false_positive: _Floats
    true_positive: _Floats
    band: float
    rule: tuple[float, float]
    advantage: float
    lower: float
    upper: float
    at_small: float
    at_small_lower: float
    at_small_upper: float
    rates: _Floats
    lowest: _Floats
    highest: _Floats
    databases: int
    level: float
    QUANTITIES = quantities(
        advantage=stated("share"),
        right=stated("share"),
        right_lower=stated("share", "down"),
        right_upper=stated("share", "up"),
        at_small=stated("share"),
        at_small_lower=stated("share", "down"),
        at_small_upper=stated("share", "up"),
    )
    evidence = Evidence(
        ESTIMATE,
        source="likelihood ratio of leave-one-out densities; ends of Clopper and Pearson for wins and losses over pairs of answers, band "
        "of Dvoretzky, Kiefer, Wolfowitz and Massart",
        limits="Of this attacker, who has these databases and no more; with more of them another would do better. The limits hold for an "
        "attacker who was fixed beforehand, if databases are independent; that they hold for one left out at a time, with the bandwidth "
        "of the audit, is known from simulation.",
    )

    @property
    def right(self) -> float:
        """Share of right guesses where with and without are equally likely; 0.5 is blind guessing."""
        return (1.0 + self.advantage) / 2.0

    @property
    def right_lower(self) -> float:
        """Lower limit of `right`."""
        return (1.0 + self.lower) / 2.0

    @property
    def right_upper(self) -> float:
        """Upper limit of `right`."""
        return (1.0 + self.upper) / 2.0

    def beyond(self, epsilon: float) -> Beyond:
        """Return how often one of both answers is more than exp(epsilon) times as likely on one side; epsilon is 0 to 500."""
        at = check_number("epsilon", epsilon, at_least=0, at_most=LARGEST_EPSILON)
        number = [int(np.count_nonzero(np.abs(each) > at)) for each in (self.scores, self.scores_without)]
        most = max(number)
        return Beyond(at, most / self.databases, *_ends(most, self.databases, (1.0 - self.level) / 2), self.databases)


@dataclass(frozen=True)
class Beyond(Result):
    """The share of answers whose likelihood ratio is beyond exp(epsilon) one way or the other, with limits.

    Of the answers with and those without the individual, the larger share.
    """

    epsilon: float
    share: float
    lower: float
    upper: float
    databases: int
    QUANTITIES = quantities(share=stated("share"), lower=stated("share", "down"), upper=stated("share", "up"))
    evidence = Evidence(
        ESTIMATE,
        source="counts of leave-one-out likelihood ratios; ends of Clopper and Pearson",
        limits="The ratios are those of estimated densities.",
    )


def attack(result: AuditResult, individual: int, *, level: float = 0.95) -> AuditAttack:
    """Attack one individual (0 to N - 1) of an audit; limits hold with probability `level`, above 0 and below 1.

    DataError for fewer than three databases, and for several draws of each.

    >>> from par_core.audit import Panel, audit
    >>> from par_core.audit.queries import PanelSum
    >>> values = np.random.default_rng(1).normal(size=(20, 40)) + np.eye(20)[:1].T * 9
    >>> found = attack(audit(Panel.from_arrays(values), PanelSum()), 0)
    >>> found.advantage > 0.4, found.lower < found.advantage < found.upper
    (True, True)
    """
    check_type("result", result, AuditResult)
    place = check_integer("individual", individual, at_least=0, at_most=len(result.losses) - 1)
    sure = check_number("level", level, above=0, below=1)
    number = len(result.databases)
    if len(result.answers) != number:
        raise DataError(f"an attack sees one answer of each database, got {len(result.answers) // number}")
    if number < FEWEST:
        raise DataError(f"an attack needs at least {FEWEST} databases, got {number}")
    known, without = result.answers, result.without[place]
    scores, scores_without = (_scores(each, known, without, result.bandwidth) for each in (known, without))
    false_positive, true_positive = _curve(scores, scores_without)
    wins = int(np.count_nonzero((scores > 0.0) & (scores_without <= 0.0)))
    losses = int(np.count_nonzero((scores <= 0.0) & (scores_without > 0.0)))
    tail = (1.0 - sure) * _MARGIN / 4.0  # of each of four ends
    (low, high), (low_lost, high_lost) = (_ends(each, number, tail) for each in (wins, losses))
    band = math.sqrt(math.log(4.0 / (1.0 - sure)) / (2.0 * number))
    low_curve, high_curve = _beside(false_positive, true_positive, band, _RATES)
    low_small, high_small = _beside(false_positive, true_positive, band, np.array([SMALL_RATE]))
    return AuditAttack(
        individual=place,
        scores=scores,
        scores_without=scores_without,
        false_positive=false_positive,
        true_positive=true_positive,
        band=band,
        rule=(float(np.mean(scores_without > 0.0)), float(np.mean(scores > 0.0))),
        advantage=(wins - losses) / number,
        lower=low - high_lost,
        upper=high - low_lost,
        at_small=float(np.interp(SMALL_RATE, false_positive, true_positive)),
        at_small_lower=float(low_small[0]),
        at_small_upper=float(high_small[0]),
        rates=_RATES,
        lowest=low_curve,
        highest=high_curve,
        databases=number,
        level=sure,
    )


def _scores(seen: _Floats, known: _Floats, without: _Floats, width: float) -> _Floats:
    """Return the log likelihood ratio of each answer under the densities of the other databases."""
    found = []
    for sample in (known, without):
        logs = -np.abs(seen[:, None] - sample) / width
        np.fill_diagonal(logs, -np.inf)
        found.append(special.logsumexp(logs, axis=1))
    return np.asarray(found[0] - found[1])


def _curve(scores: _Floats, scores_without: _Floats) -> tuple[_Floats, _Floats]:
    """Return the rates of false and true positives at every threshold, and (0, 0) before them."""
    at = np.unique(np.concatenate([scores, scores_without]))[::-1]
    rates = [1.0 - np.searchsorted(np.sort(each), at, side="left") / len(each) for each in (scores_without, scores)]
    return np.append(0.0, rates[0]), np.append(0.0, rates[1])


def _beside(false_positive: _Floats, true_positive: _Floats, band: float, rates: _Floats) -> tuple[_Floats, _Floats]:
    """Return the limits of the true positives at some rates of false ones: both rates may be off by the band."""
    before, beyond = rates - band - 1e-12, np.minimum(rates + band, 1.0)
    low = np.where(before < 0.0, 0.0, np.interp(before, false_positive, true_positive) - band)
    high = np.interp(beyond, false_positive, true_positive) + band
    return np.maximum(low, 0.0), np.minimum(high, 1.0)


def _ends(hits: int, size: int, tail: float) -> tuple[float, float]:
    """Return the ends of Clopper and Pearson, each wrong with a probability of at most `tail`."""
    low = float(special.betaincinv(hits, size - hits + 1, tail)) if hits else 0.0
    return low, float(special.betainccinv(hits + 1, size - hits, tail)) if hits < size else 1.0
