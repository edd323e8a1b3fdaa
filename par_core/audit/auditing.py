"""The empirical audit of a query: how much every individual shows in its answers on repeated databases."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.audit.checks import Checks, independence, representativeness
from par_core.audit.deltas import LARGEST_EPSILON, LIMITS, individual_deltas
from par_core.audit.density import Density, fit_density
from par_core.audit.leave_one_out import AnyQuery, answers, leave_one_out
from par_core.audit.panel import Panel
from par_core.audit.queries import as_query
from par_core.audit.risk_totals import largest_loss, protecting_epsilon, total_risk
from par_core.errors import DataError, ParameterError
from par_core.evidence import ESTIMATE, PUBLISHED, Evidence, Result, quantities, stated
from par_core.lazy_pandas import pd
from par_core.memory import ON_A_CLUSTER, check_fits
from par_core.parameters import check_integer, check_integers, check_number, check_numbers, check_type
from par_core.progress import Progress, portion

_SOURCE = "Empirical Differential Privacy (2020), Definitions 1 and 3, Theorem 1"
_LEFT_OUT, _LOSSES = 0.4, 0.6  # shares of the work that are done when the answers and the largest losses are there
_LEVELS = 60
_LOSS_BLOCK = 8_192  # individuals of one step
_BLOCK = 65_536  # individuals whose deltas are held at once
_SEED = 1  # of the permutations behind the checks

_Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False, repr=False)
class AuditResult(Result):
    """What the answers on repeated databases show of every individual.

    `individuals` and `databases` are the N and n labels. `answers`, (n,), are those of the query, in its unit, row i of `without`,
    (N, n), those without individual i, and `density` is that of the answers with everyone: Laplace kernels of one bandwidth. The
    curves, (m,), have rising `epsilons`; `delta` is the largest delta_i there, `total` the total risk, `exposed` how many
    individuals have a delta_i above 0. From the epsilon in `losses`, (N,), on delta_i is 0; `present`, (N,), counts the databases
    in which an individual has records. `independent` and `comparable` are what speaks against independent databases, and against
    comparable individuals; by chance if, `by_construction`, databases were drawn independently and from all individuals alike.
    """

    individuals: pd.Index
    databases: pd.Index
    answers: _Floats
    without: _Floats
    density: Density
    epsilons: _Floats
    delta: _Floats
    total: _Floats
    exposed: NDArray[np.int64]
    losses: _Floats
    present: NDArray[np.int64]
    independent: Checks
    comparable: Checks
    by_construction: bool = False
    QUANTITIES = quantities(losses=stated("level", "up"))
    evidence = Evidence(ESTIMATE, source=_SOURCE, limits=LIMITS)

    def __repr__(self) -> str:
        return f"AuditResult(individuals={len(self.individuals)}, databases={len(self.databases)})"

    @property
    def bandwidth(self) -> float:
        """The one bandwidth of the kernels, in the unit of the query."""
        return float(self.density.bandwidths[0])

    @property
    def floor(self) -> float:
        """Below about this delta nothing can be said: one over the number of databases."""
        return 1.0 / len(self.databases)

    @cached_property
    def order(self) -> NDArray[np.int64]:
        """Individuals from the largest to the smallest loss."""
        return np.argsort(-self.losses, kind="stable")

    def at(self, epsilon: float, *, progress: Progress | None = None) -> AuditAt:
        """Return every delta_i at one level (0 to 500)."""
        tell = portion(progress)
        level = check_number("epsilon", epsilon, at_least=0, at_most=LARGEST_EPSILON)
        concerned = np.flatnonzero(self.losses > level)
        deltas = np.zeros(len(self.losses))
        if len(concerned):
            deltas[concerned] = individual_deltas(
                self.answers, self.without[concerned], epsilon=level, bandwidth=self.bandwidth, progress=tell
            )
        ranking = np.lexsort((-self.losses, -deltas))
        return AuditAt(level, deltas, ranking, float(deltas.max()), float(total_risk(deltas)))

    def protected_from(self, delta: float) -> float:
        """Return the epsilon from which on no delta_i is above `delta` (0 to 1), rounded up."""
        allowed = check_number("delta", delta, at_least=0, at_most=1)
        if allowed not in self._found:
            found = protecting_epsilon(self.answers, self.without, delta=allowed, bandwidth=self.bandwidth)
            self._found[allowed] = found
        return self._found[allowed]

    @cached_property
    def _found(self) -> dict[float, float]:
        """What `protected_from` has found: an epsilon slider asks for the same delta again and again."""
        return {}

    def among(self, places: ArrayLike) -> AuditResult:
        """Return the audit of some of the databases alone (at least two, by their numbers from 0 on), with a bandwidth of its own.

        It has no curves and no checks of its own: those of all databases stay.
        """
        total = len(self.databases)
        chosen = np.unique(check_integers("places", places, at_least=0, at_most=total - 1))
        if len(chosen) < 2:
            raise DataError("an audit needs at least two databases, got one")
        draws = len(self.answers) // total
        at = (chosen[:, None] * draws + np.arange(draws)).ravel()
        answers, without = self.answers[at], np.ascontiguousarray(self.without[:, at])
        density = fit_density(answers, bandwidth="fixed")
        losses = np.asarray(largest_loss(answers, without, bandwidth=float(density.bandwidths[0])))
        none = np.zeros(0)
        return replace(
            self,
            databases=self.databases[chosen],
            answers=answers,
            without=without,
            density=density,
            losses=losses,
            epsilons=none,
            delta=none,
            total=none,
            exposed=np.zeros(0, dtype=np.int64),
        )

    def density_without(self, individual: int) -> Density:
        """Return the density of the answers without the individual of this number (0 to N - 1), of the same bandwidth."""
        place = check_integer("individual", individual, at_least=0, at_most=len(self.losses) - 1)
        return fit_density(self.without[place], bandwidth=self.bandwidth)


@dataclass(frozen=True, eq=False)
class AuditAt(Result):
    """Every delta_i at one epsilon: `deltas` of shape (N,), `ranking` the places in `individuals` of the panel, the most exposed first.

    `delta` is the largest, `total` the total risk 1 - Π(1 - delta_i).
    """

    epsilon: float
    deltas: _Floats
    ranking: NDArray[np.int64]
    delta: float
    total: float
    QUANTITIES = quantities(
        deltas=stated("number"), delta=stated("number"), total=stated("number", "near", PUBLISHED, "edp-total-risk")
    )
    evidence = Evidence(ESTIMATE, source=_SOURCE, limits=LIMITS)

    @property
    def exposed(self) -> int:
        """How many individuals have a delta_i above 0."""
        return int(np.count_nonzero(self.deltas > 0))

    def above(self, delta: float) -> int:
        """Return how many individuals have a delta_i above `delta` (0 to 1)."""
        return int(np.count_nonzero(self.deltas > check_number("delta", delta, at_least=0, at_most=1)))


def audit(
    panel: Panel,
    query: AnyQuery,
    *,
    epsilons: ArrayLike | None = None,
    bandwidth: float | None = None,
    progress: Progress | None = None,
) -> AuditResult:
    """Audit a query: what its answers on repeated databases show of every individual.

    The curves have the levels `epsilons` (0 to 500), by default 60 even ones up to a little beyond the largest loss. The
    `bandwidth` of the Laplace kernels is above 0, in the unit of the query, by default the one with which left-out answers
    are likeliest. DataError for a panel of one database, one that the query cannot be asked of, and one whose answers without each
    individual do not fit into memory.

    >>> from par_core.audit.queries import PanelSum
    >>> rng = np.random.default_rng(1)
    >>> panel = Panel.from_arrays(rng.normal(size=(20, 40)) + np.eye(20)[:1].T * 5)
    >>> result = audit(panel, PanelSum(), epsilons=[0.1, 1.0])
    >>> int(result.order[0]), bool(result.delta[0] > result.delta[1])
    (0, True)
    """
    tell = portion(progress)
    levels = (
        None
        if epsilons is None
        else np.unique(check_numbers("epsilons", epsilons, at_least=0, at_most=LARGEST_EPSILON))
    )
    if levels is not None and not levels.size:
        raise ParameterError("epsilons must hold at least one level, got none")
    if len(check_type("panel", panel, Panel).databases) < 2:
        raise DataError("an audit needs at least two databases, got one")
    held = 8 * len(panel.individuals) * len(panel.databases) * as_query(query).draws
    check_fits(held, otherwise=f"In blocks it is done by: {ON_A_CLUSTER}")
    found = answers(panel, query)
    tell(0.01)
    without = leave_one_out(panel, query, progress=portion(tell, 0.01, _LEFT_OUT))
    density = fit_density(found, bandwidth="fixed" if bandwidth is None else bandwidth)
    width = float(density.bandwidths[0])
    losses, measured = np.empty(len(without)), portion(tell, _LEFT_OUT, _LOSSES)
    for start in range(0, len(without), _LOSS_BLOCK):
        part = slice(start, start + _LOSS_BLOCK)
        losses[part] = largest_loss(found, without[part], bandwidth=width)
        measured(min(start + _LOSS_BLOCK, len(without)) / len(without))
    if levels is None:  # up to where nobody is exposed any more
        levels = np.linspace(0.0, min(1.05 * float(losses.max()), LARGEST_EPSILON) or 1.0, _LEVELS + 1)[1:]
    delta, total, exposed = np.zeros(levels.size), np.zeros(levels.size), np.zeros(levels.size, dtype=np.int64)
    concerned = np.flatnonzero(losses > levels[0])
    for start in range(0, len(concerned), _BLOCK):  # a table of all individuals and levels would not fit
        end = min(start + _BLOCK, len(concerned))
        deltas = individual_deltas(
            found,
            without[concerned[start:end]],
            epsilon=levels,
            bandwidth=width,
            progress=portion(portion(tell, _LOSSES), start / len(concerned), end / len(concerned)),
        )
        delta = np.maximum(delta, deltas.max(axis=0))
        total = np.asarray(total_risk(np.stack([total, np.asarray(total_risk(deltas))])))  # 1 − Π over all blocks
        exposed += np.count_nonzero(deltas > 0, axis=0)
    return AuditResult(
        individuals=panel.individuals,
        databases=panel.databases,
        answers=found,
        without=without,
        density=density,
        epsilons=levels,
        delta=delta,
        total=total,
        exposed=exposed,
        losses=losses,
        present=panel.presence(),
        # Several draws of one database are not independent of each other.
        independent=independence(
            found.reshape(len(panel.databases), -1).mean(axis=1),
            rng=np.random.default_rng(_SEED),
            by_construction=panel.independent,
        ),
        comparable=representativeness(panel, rng=np.random.default_rng(_SEED)),
        by_construction=panel.independent,
    )
