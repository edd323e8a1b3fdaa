"""Between which values the true excess lies, and which way the estimate errs.

The excess of one individual is the largest of many means over databases: of what a set of answers has in probability with
everyone beyond exp(epsilon) times that without the individual. The largest mean over few databases is on average above the
largest true mean. So the lower limit chooses a set on half of the databases and measures it on the others; the upper one
needs the chance of the truly largest set only, whose mean is no larger than the estimate.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from par_core.audit.auditing import AuditResult
from par_core.audit.deltas import LARGEST_EPSILON, individual_deltas
from par_core.audit.limit_bets import Bets, gains_of, lower_limit
from par_core.audit.risk_totals import total_risk
from par_core.evidence import ESTIMATE, Evidence, Result, quantities, stated
from par_core.parameters import check_number, check_type
from par_core.progress import Progress, portion

_BLOCK = 8_192  # individuals of one step

_Floats = NDArray[np.float64]


@dataclass(frozen=True)
class AuditIntervals(Result):
    """Limits for the largest delta_i and the total risk at one epsilon, each of which holds with probability `level`.

    `delta` and `total` are the lower and upper limit of the true value. `half_delta` and `half_total` are what half of the
    databases give as an estimate, the mean of both halves (of 1 - total the geometric one); never below the estimate from all
    of them, so that more databases would lower it.
    """

    epsilon: float
    delta: tuple[float, float]
    total: tuple[float, float]
    half_delta: float
    half_total: float
    level: float
    databases: int
    QUANTITIES = quantities(
        lower=stated("number", "down"),
        upper=stated("number", "up"),
        half_delta=stated("number"),
        half_total=stated("number"),
    )
    evidence = Evidence(
        ESTIMATE,
        source="bets on means of bounded numbers (Waudby-Smith and Ramdas 2024); choosing on one half, measuring on the other",
        limits="The true values are those of the distribution that the databases come from, its density smoothed with the bandwidth of the "
        "audit. Both limits hold for every such distribution if databases are independent draws, and if the bandwidth was not chosen by "
        "the same answers; where it was, that they hold is known from simulation only. The estimate errs upwards on average.",
    )


def intervals(
    result: AuditResult, epsilon: float, *, level: float = 0.95, progress: Progress | None = None
) -> AuditIntervals:
    """Return limits for the true largest delta_i and the true total risk at `epsilon` (0 to 500).

    The databases with even and those with odd numbers are the two halves. `level`, above 0 and below 1, is the least
    probability with which an interval holds the true value, each interval on its own.
    """
    check_type("result", result, AuditResult)
    at = check_number("epsilon", epsilon, at_least=0, at_most=LARGEST_EPSILON)
    miss = (1 - check_number("level", level, above=0, below=1)) / 2
    number = len(result.databases)
    found = result.at(at, progress=portion(progress, 0.0, 0.3))
    upper, upper_total = _upper(result, found.deltas, at, miss, portion(progress, 0.3, 0.6))
    even = np.repeat(np.arange(number) % 2 == 0, len(result.answers) // number)  # all draws of a database stay together
    share = float(even.mean())
    first, second = portion(progress, 0.6, 0.8), portion(progress, 0.8, 1.0)
    halves = [_half(result, even, at, first), _half(result, ~even, at, second)]
    lower = lower_limit([gain for _, _, gain in halves], math.exp(at), miss)
    return AuditIntervals(
        epsilon=at,
        delta=(lower, upper),
        total=(lower, upper_total),
        half_delta=share * halves[0][0] + (1 - share) * halves[1][0],
        half_total=1 - (1 - halves[0][1]) ** share * (1 - halves[1][1]) ** (1 - share),
        level=1 - 2 * miss,
        databases=number,
    )


def _upper(
    result: AuditResult, deltas: _Floats, epsilon: float, miss: float, progress: Progress
) -> tuple[float, float]:
    """Return upper limits for the largest delta_i and the total risk, each wrong with a probability of at most `miss`."""
    bets, people = Bets(epsilon, miss, len(result.databases)), len(deltas)
    largest, safe = 0.0, 0.0
    for start in range(0, people, _BLOCK):
        part = slice(start, start + _BLOCK)
        gain = bets.gain(np.abs(result.without[part] - result.answers) / result.bandwidth)
        lost = bets.plain(gain), bets.curved(gain, deltas[part])
        largest = max(largest, float(bets.limits(*lost, miss).max()))
        safe = max(safe, float(total_risk(np.append(bets.limits(*lost, miss / people), safe))))
        progress(min(start + _BLOCK, people) / people)
    return largest, safe


def _half(
    result: AuditResult, chosen: NDArray[np.bool_], epsilon: float, progress: Progress
) -> tuple[float, float, _Floats]:
    """Return the largest delta_i and the total risk of some of the databases, and what the others say of the set found there.

    The last has one number for each of the other databases, from -exp(epsilon) to 1; its mean is on average at most the true
    largest delta_i.
    """
    answers, width = result.answers[chosen], result.bandwidth
    shift = np.abs(result.without[:, chosen] - answers).max(axis=1)
    concerned = np.flatnonzero(shift > epsilon * width)  # all others have a delta_i of 0
    if not len(concerned):
        return 0.0, 0.0, np.zeros(1)
    without = result.without[concerned][:, chosen]
    deltas = individual_deltas(answers, without, epsilon=epsilon, bandwidth=width, progress=progress)
    worst = result.without[concerned[int(np.argmax(deltas))]]
    gains = gains_of(result.answers, worst, chosen, epsilon=epsilon, bandwidth=width)
    others = np.count_nonzero(~chosen) * len(result.databases) // len(chosen)
    return float(deltas.max()), float(total_risk(deltas)), gains.reshape(others, -1).mean(axis=1)
