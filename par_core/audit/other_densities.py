"""One individual's delta under other densities of the answers: that it reaches 0 is a property of one common bandwidth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.audit.auditing import AuditResult
from par_core.audit.deltas import LARGEST_EPSILON, individual_deltas
from par_core.audit.density import fit_density
from par_core.audit.quadrature import deltas_by_level
from par_core.evidence import ESTIMATE, Evidence, Result
from par_core.parameters import check_integer, check_numbers, check_type
from par_core.progress import Progress, portion

_Floats = NDArray[np.float64]

DENSITIES: dict[str, tuple[str, str, str]] = {
    "adaptive": ("laplace", "neighbours", "a bandwidth for each answer"),
    "pilot": ("laplace", "pilot", "wider bandwidths where answers are rare"),
    "gaussian": ("gaussian", "fixed", "Gaussian kernels"),
}
"""Names of the densities beside the one of the audit: kernel, method of `fit_density`, and words."""

_TOLERANCE = 1e-8
_LEVELS = 15


@dataclass(frozen=True, eq=False)
class DeltaCurve(Result):
    """delta_i of one individual against epsilon under one density: "one bandwidth" or a name of `DENSITIES`.

    `errors` is the estimated absolute error of the quadrature, 0 where the delta is exact. `held_out` is the log likelihood of
    left-out answers under the density with everyone: the larger, the better it fits.
    """

    name: str
    words: str
    epsilons: _Floats
    deltas: _Floats
    errors: _Floats
    held_out: float
    evidence = Evidence(
        ESTIMATE,
        source="Empirical Differential Privacy (2020), Definition 1, section 5",
        limits="The densities are refitted without the individual by the same method; each is an estimate.",
    )


def delta_curves(
    result: AuditResult, individual: int, *, epsilons: ArrayLike | None = None, progress: Progress | None = None
) -> tuple[DeltaCurve, ...]:
    """Find delta_i of one individual (0 to N - 1) under the density of the audit and all of `DENSITIES`.

    The levels are 0 to 500, by default 15 even ones up to a quarter beyond where the delta of the audit is 0.
    """
    tell = portion(progress)
    check_type("result", result, AuditResult)
    place = check_integer("individual", individual, at_least=0, at_most=len(result.losses) - 1)
    until = float(result.losses[place]) or 1.0
    even = np.linspace(0.0, min(1.25 * until, LARGEST_EPSILON), _LEVELS + 1)[1:]
    given = even if epsilons is None else check_numbers("epsilons", epsilons, at_least=0, at_most=LARGEST_EPSILON)
    levels = np.atleast_1d(given)
    without = result.without[place]
    exact = individual_deltas(result.answers, without[None], epsilon=levels, bandwidth=result.bandwidth)[0]
    width = "one bandwidth", "one bandwidth for all answers, exact", result.density.held_out
    found = [DeltaCurve(width[0], width[1], levels, exact, np.zeros(levels.size), width[2])]
    work = len(DENSITIES) * levels.size
    for name, (kernel, method, words) in DENSITIES.items():
        with_all = fit_density(result.answers, kernel=kernel, bandwidth=method)
        other = fit_density(without, kernel=kernel, bandwidth=method)
        values = np.zeros((levels.size, 2))
        for at, one_level in enumerate(deltas_by_level(with_all, other, levels.tolist(), _TOLERANCE)):
            values[at] = one_level
            tell(((len(found) - 1) * levels.size + at + 1) / work)
        found.append(DeltaCurve(name, words, levels, values[:, 0], values[:, 1], with_all.held_out))
    return tuple(found)
