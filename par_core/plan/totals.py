"""What a plan comes to: the level and the error of each release, and what all of them spend together."""

from __future__ import annotations

from dataclasses import dataclass

from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.parameters import check_type
from par_core.plan.plan import Plan
from par_core.queries.sensitivity import AS_MANY


@dataclass(frozen=True)
class PlanTotals(Result):
    """The `levels` of the releases, how far off each of their numbers is at most in 95 of 100, and `epsilon` of them all at delta.

    Of a quantile that is in rows. By the user's model where a release is as private as planned only if as many rows replace a person's
    rows.
    """

    levels: tuple[float, ...]
    errors: tuple[float, ...]
    epsilon: float
    QUANTITIES = quantities(
        levels=stated("level", "down"),
        errors=stated("error", "up"),
        epsilon=stated("level", "up"),
        times=stated("count", "down"),
    )
    assumes_as_many: bool = False
    USUALLY = Evidence(
        PROVEN,
        source="quantiles of the noise of each release, or the ranks of a choice; exact composition of all",
        limits="worst-case neighbours in every release",
    )

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the user's model."""
        return self.USUALLY.only_if(AS_MANY * self.assumes_as_many)


def totals(plan: Plan) -> PlanTotals:
    """Return what a plan comes to; ParameterError where a mean needs a guess of its size, or where a number is unknown and gets no noise.

    >>> from par_core.plan import Release
    >>> from par_core.queries.shapes import CountsShape
    >>> totals(Plan((Release(CountsShape(12), mechanism="discrete-laplace", times=2),))).errors
    (12.0,)
    """
    errors = tuple(plan.error(at) for at in range(len(check_type("plan", plan, Plan).releases)))
    return PlanTotals(plan.levels, errors, plan.together.quick_epsilon(plan.delta), plan.assumes_as_many)
