"""The audit against somebody who knows something of each database: among the databases in which they would see the same.

What they know is a number of each database, such as its size, another answer, or what one individual contributes (EDP,
section 4). The databases are put into buckets of similar numbers, and each bucket is audited by itself.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.audit.auditing import AuditResult
from par_core.audit.deltas import LARGEST_EPSILON, LIMITS, individual_deltas
from par_core.audit.density import fit_density
from par_core.audit.intervals import AuditIntervals, intervals
from par_core.audit.panel import Panel
from par_core.errors import DataError, ParameterError
from par_core.evidence import ESTIMATE, PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import as_array, check_integer, check_number, check_type
from par_core.progress import Progress, portion
from par_core.randomness import generator

MOST_BUCKETS = 20
FEWEST = 2

_SOURCE = "Empirical Differential Privacy (2020), Definition 4, by buckets of what is known"
_LIMITS = (
    "Only as fine as its buckets: databases of one bucket are taken for alike, and larger buckets show less. Few databases show more than "
    "there is: compare with random groups of as many. " + LIMITS
)

_Floats = NDArray[np.float64]
_Places = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Bucket(Result):
    """Databases in which the adversary sees about the same number.

    `places` are their numbers, from 0 on, `lowest` and `highest` what is known of them, both NaN where nothing is there to be
    known. `audit` is that of these databases alone, None where they are too few.
    """

    places: _Places
    lowest: float
    highest: float
    audit: AuditResult | None
    evidence = Evidence(ESTIMATE, source=_SOURCE)

    @property
    def refused(self) -> bool:
        """Whether it has too few databases to say anything."""
        return self.audit is None

    @property
    def known(self) -> bool:
        """Whether there is a number to know: an individual who is not there contributes none."""
        return not np.isnan(self.lowest)


@dataclass(frozen=True, eq=False)
class GivenAt(Result):
    """Every bucket at one epsilon: its largest delta_i and whose that is, both of shape (buckets,).

    `deltas` is NaN and `who` -1 where a bucket is refused. `worst` is the largest, NaN if all are refused; `without_knowledge` that
    of all databases together.
    """

    epsilon: float
    deltas: _Floats
    who: _Places
    worst: float
    without_knowledge: float
    QUANTITIES = quantities(deltas=stated("number"), worst=stated("number"), without_knowledge=stated("number"))
    evidence = Evidence(ESTIMATE, source=_SOURCE, limits=_LIMITS)


@dataclass(frozen=True, eq=False)
class GivenAudit(Result):
    """The audit of a query against somebody who knows a number of each database.

    `whole` is the audit of all databases, `buckets` have rising numbers; the last one holds databases where there is nothing to
    know, if there are any. Those with fewer than `fewest` databases are refused.
    """

    whole: AuditResult
    buckets: tuple[Bucket, ...]
    fewest: int
    evidence = Evidence(ESTIMATE, source=_SOURCE, limits=_LIMITS)

    @property
    def refused(self) -> tuple[Bucket, ...]:
        """The buckets with too few databases."""
        return tuple(each for each in self.buckets if each.refused)

    def at(self, epsilon: float) -> GivenAt:
        """Return the largest delta_i of every bucket at one level (0 to 500)."""
        found = [None if each.audit is None else each.audit.at(epsilon) for each in self.buckets]
        deltas = np.array([np.nan if each is None else each.delta for each in found])
        who = np.array([-1 if each is None else int(each.ranking[0]) for each in found])
        known = deltas[~np.isnan(deltas)]
        whole = self.whole.at(epsilon)
        return GivenAt(whole.epsilon, deltas, who, float(known.max()) if known.size else np.nan, whole.delta)

    def of(self, individual: int, epsilon: float) -> _Floats:
        """Return delta_i of one individual (0 to N - 1) in every bucket, NaN where one is refused."""
        place = check_integer("individual", individual, at_least=0, at_most=len(self.whole.losses) - 1)
        level = check_number("epsilon", epsilon, at_least=0, at_most=LARGEST_EPSILON)
        return np.array(
            [np.nan if each.audit is None else _delta_of(each.audit, place, level) for each in self.buckets]
        )

    def intervals(
        self, epsilon: float, *, level: float = 0.95, progress: Progress | None = None
    ) -> tuple[AuditIntervals | None, ...]:
        """Return limits for the largest delta_i of every bucket (see `intervals`), None where one is refused."""
        found, number = [], len(self.buckets)
        for place, each in enumerate(self.buckets):
            tell = portion(progress, place / number, (place + 1) / number)
            found.append(None if each.audit is None else intervals(each.audit, epsilon, level=level, progress=tell))
            tell(1.0)
        return tuple(found)


@dataclass(frozen=True, eq=False)
class RandomGroups(Result):
    """What groups of as many databases show that were put together at random, knowing nothing.

    `worst`, (times,), rising, is the largest delta_i of all groups, each time; `share` the share of times, with the one that was
    looked at among them, in which it is at least as large as in the buckets: small if knowing makes a difference.
    """

    epsilon: float
    worst: _Floats
    share: float
    QUANTITIES = quantities(median=stated("number"), largest=stated("number"), share=stated("share", "up"))
    evidence = Evidence(
        ESTIMATE,
        source="permutation of what is known over the databases",
        limits="Exact as a test of whether what is known goes with the answers, if the databases are independent.",
    )

    @property
    def times(self) -> int:
        """How often groups were put together."""
        return len(self.worst)

    @property
    def median(self) -> float:
        """What half of the times show at most."""
        return float(np.median(self.worst))

    @property
    def largest(self) -> float:
        """What none of the times shows more than."""
        return float(self.worst[-1])


@Evidence(PROVEN, source="arithmetic on the records", limits="Exact values of private data: not for publication.")
def contribution(panel: Panel, individual: int) -> _Floats:
    """Return what one individual (0 to N - 1) contributes to each database, (n,): the sum of its records, NaN where it has none."""
    check_type("panel", panel, Panel)
    place = check_integer("individual", individual, at_least=0, at_most=len(panel.individuals) - 1)
    if len(panel.columns) > 1:
        raise ParameterError(f"the panel has {len(panel.columns)} columns of values; make one of a single column")
    parts = [panel.part(at, place, place + 1)[1] for at in range(len(panel.databases))]
    return np.array([each.sum() if len(each) else np.nan for each in parts])


def audit_given(
    result: AuditResult, known: ArrayLike, *, buckets: int = 3, fewest: int = 10, progress: Progress | None = None
) -> GivenAudit:
    """Audit the databases of `result` in up to `buckets` (1 to 20) of what is known of each.

    `known`, (n,), is a number of each database in any unit, NaN where there is nothing to know: those have a bucket of their own.
    The buckets have about as many databases each; equal numbers stay together. One with fewer than `fewest` (at least 2)
    databases is refused.

    >>> from par_core.audit import audit
    >>> from par_core.audit.queries import PanelSum
    >>> values = np.random.default_rng(1).normal(size=(20, 40))
    >>> found = audit_given(audit(Panel.from_arrays(values), PanelSum()), values[0] > 0, fewest=5)
    >>> [len(each.places) for each in found.buckets]
    [17, 23]
    """
    tell = portion(progress)
    check_type("result", result, AuditResult)
    number = check_integer("buckets", buckets, at_least=1, at_most=MOST_BUCKETS)
    least = check_integer("fewest", fewest, at_least=FEWEST)
    groups = _groups(_numbers(known, len(result.databases)), number)
    found = []
    for done, (places, low, high) in enumerate(groups, start=1):
        found.append(Bucket(places, low, high, result.among(places) if len(places) >= least else None))
        tell(done / len(groups))
    return GivenAudit(result, tuple(found), least)


def random_groups(
    given: GivenAudit, epsilon: float, *, times: int = 39, rng: np.random.Generator, progress: Progress | None = None
) -> RandomGroups:
    """Audit random groups of the sizes of the buckets that are not refused, `times` (1 to 9,999) over, at one epsilon.

    DataError if all are refused: then there is nothing to compare with.
    """
    tell = portion(progress)
    check_type("given", given, GivenAudit)
    level = check_number("epsilon", epsilon, at_least=0, at_most=LARGEST_EPSILON)
    often = check_integer("times", times, at_least=1, at_most=9_999)
    generator(rng)
    sizes = [len(each.places) for each in given.buckets if not each.refused]
    if not sizes:
        raise DataError(f"every bucket has fewer than {given.fewest:,} databases, so that none can be compared")
    edges = np.cumsum([0, *sizes])
    whole, worst = given.whole, np.zeros(often)
    draws = len(whole.answers) // len(whole.databases)
    furthest = np.abs(whole.without - whole.answers).max(axis=1)
    order_of = np.argsort(-furthest, kind="stable")
    reach = furthest[order_of]
    for turn in range(often):
        mixed = rng.permutation(len(whole.databases))
        for start, stop in pairwise(edges):
            at = (mixed[start:stop, None] * draws + np.arange(draws)).ravel()
            answers = whole.answers[at]
            width = float(fit_density(answers, bandwidth="fixed").bandwidths[0])
            # Who moves no answer by more than ε bandwidths has a delta_i of 0.
            concerned = order_of[: int(np.searchsorted(-reach, -level * width, side="left"))]
            if len(concerned):
                deltas = individual_deltas(answers, whole.without[concerned][:, at], epsilon=level, bandwidth=width)
                worst[turn] = max(worst[turn], float(deltas.max()))
        tell((turn + 1) / often)
    seen = given.at(level).worst
    return RandomGroups(level, np.sort(worst), float((1 + np.count_nonzero(worst >= seen)) / (1 + often)))


def _numbers(known: ArrayLike, databases: int) -> _Floats:
    given = as_array("known", known, "a row of numbers, one for each database")
    if given.dtype.kind not in "biuf" or given.shape != (databases,):
        raise ParameterError(f"known must be one number for each of the {databases} databases, got shape {given.shape}")
    numbers = given.astype(np.float64)
    if np.isinf(numbers).any():
        raise ParameterError("known must be finite, or NaN where nothing is known, got inf")
    return numbers


def _groups(numbers: _Floats, buckets: int) -> list[tuple[_Places, float, float]]:
    """Return the places of each bucket and its lowest and highest number, rising; those without a number come last."""
    there = np.flatnonzero(~np.isnan(numbers))
    values, which, counts = np.unique(numbers[there], return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - counts / 2
    bucket = (
        np.minimum((middle * buckets / max(len(there), 1)).astype(int), buckets - 1) if len(values) > buckets else None
    )
    of = which if bucket is None else bucket[which]
    found = []
    for each in np.unique(of):
        places = there[of == each]
        found.append((places, float(numbers[places].min()), float(numbers[places].max())))
    absent = np.flatnonzero(np.isnan(numbers))
    return found + ([(absent, np.nan, np.nan)] if len(absent) else [])


def _delta_of(result: AuditResult, individual: int, epsilon: float) -> float:
    without = result.without[individual : individual + 1]
    return float(individual_deltas(result.answers, without, epsilon=epsilon, bandwidth=result.bandwidth)[0])
