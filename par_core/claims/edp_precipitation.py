"""Empirical Differential Privacy, section 7: the example of yearly precipitation.

The numbers that rest on the real data are recomputed where PAR_GPCP names NOAA's file; without it they need data.
`par_core.empirical` and `par_core.datasets` are imported where a claim is checked: they bring pandas, which is heavy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.claims.ledger import Claim, Compare, Evidence, Missing, Paper, Relation, half_unit
from par_core.errors import DataError
from par_core.settings import settings

if TYPE_CHECKING:
    from par_core.empirical.auditing import AuditResult

_SECTION_7 = "7 Applications: yearly precipitation"

_EVERYONE, _ILLUSTRATED = 0.12, 0.085  # the levels that the text names
_FILE = "NOAA's monthly precipitation file (GPCP v2.3, 1979 to 2019), named by the environment variable PAR_GPCP"
_CASE = "mean yearly total over all cells, Laplace kernels of one bandwidth, the likeliest for left-out years"


@lru_cache(maxsize=1)
def _audited(path: str) -> tuple[AuditResult, float]:
    """The audit of the paper's query, and the mean over the years of the cells' standard deviation within a year in mm."""
    from par_core.datasets import gpcp
    from par_core.empirical.auditing import audit
    from par_core.empirical.queries import Mean

    panel = gpcp(path)
    spreads = [float(values.std()) for _, values in panel]
    return audit(panel, Mean(), epsilons=[_ILLUSTRATED, _EVERYONE]), float(np.mean(spreads))


def _from_the_file(found: Callable[[AuditResult, float], Evidence]) -> Callable[[], Evidence | Missing]:
    """Recompute from the real data where they are there, and say what is missing where they are not."""

    def recompute() -> Evidence | Missing:
        path = settings().gpcp
        if path is None:
            return Missing(_FILE)
        try:
            result, spread = _audited(path)
        except DataError as error:
            return Missing(f"{_FILE} (the file that it names cannot be used: {error})")
        return found(result, spread)

    return recompute


def _spread(result: AuditResult, spread: float) -> Evidence:
    return Evidence(recomputed=spread, case=f"mean over {len(result.databases)} years")


def _failed_checks(result: AuditResult, _: float) -> Evidence:
    return Evidence(
        recomputed=float(sum(check.failed for check in result.independent.checks)), case=result.independent.words
    )


def _everyone_protected(result: AuditResult, _: float) -> Evidence:
    return Evidence(recomputed=result.protected_from(0.0), case=f"{_CASE}, {result.bandwidth:.3g} mm")


def _total_risk(result: AuditResult, _: float) -> Evidence:
    return Evidence(recomputed=result.at(_ILLUSTRATED).total, case=f"ε = 0.085, {_CASE}, {result.bandwidth:.3g} mm")


def _exposed(result: AuditResult, _: float) -> Evidence:
    at = result.at(_ILLUSTRATED)
    return Evidence(
        recomputed=(float(at.exposed), float(at.above(0.001))),
        case=f"ε = 0.085, {_CASE}, {result.bandwidth:.3g} mm; {len(result.individuals):,} cells",
    )


def _size() -> Evidence:
    return Evidence(recomputed=(2019.0 - 1979.0 + 1.0, 180.0 / 2.5 * 360.0 / 2.5), case="1979 to 2019, cells of 2.5°")


def _shown_by_41() -> Evidence:
    return Evidence(
        exact=1.0 - 0.05 ** (1.0 / 41.0),
        case="an event of this probability is missed by all of 41 independent databases 1 time in 20",
    )


def _zero_delta(*, one_bandwidth: bool) -> Callable[[], Evidence]:
    """δ at the level from which on one bandwidth gives 0, for an individual who raises the largest answer."""

    def recompute() -> Evidence:
        from par_core.empirical import fit_density, individual_deltas, largest_loss, quadrature_deltas

        answers, width = _normal_answers()
        without = answers - 0.3 * (answers == answers.max())
        level = float(largest_loss(answers, [without], bandwidth=width)[0])
        if one_bandwidth:
            delta = float(individual_deltas(answers, [without], epsilon=level, bandwidth=width)[0])
            how = f"one Laplace bandwidth, {width:.3g}"
        else:
            density, other = (fit_density(sample, bandwidth="neighbours") for sample in (answers, without))
            delta = float(quadrature_deltas(density, [other], epsilon=level).value[0])
            how = "Laplace bandwidths by the neighbours, fitted to each sample"
        return Evidence(
            recomputed=0.0,
            exact=delta,
            case=f"41 answers spread like a standard normal law, the largest 0.3 less without an individual; ε = {level:.3f}; {how}",
        )

    return recompute


@cache
def _normal_answers() -> tuple[NDArray[np.float64], float]:
    """Return 41 answers spread like a standard normal law, and the one bandwidth that is likeliest for left-out ones."""
    from par_core.empirical import fit_density

    answers = special.ndtri((np.arange(41) + 0.5) / 41)
    return answers, float(fit_density(answers, bandwidth="fixed").bandwidths[0])


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="edp-databases",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="section 7, data",
        statement="The data set consists of 41 databases with the same 10,368 individuals in each.",
        quantity="databases and individuals",
        published=(41.0, 10_368.0),
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        recompute=_size,
        explanation="Years from 1979 to 2019 and cells of 2.5° by 2.5°.",
    ),
    Claim(
        id="edp-years-independent",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="sections 2 and 5, for the data of section 7",
        statement="The years pass a check of independence, which the method asks for.",
        quantity="checks of independence that speak against it",
        published="a necessary condition for empirical differential privacy",
        implies=0.0,
        compare=Compare.PRINTED,
        relation=Relation.AT_MOST,
        recompute=_from_the_file(_failed_checks),
        explanation="The paper leaves the check out, as its example is a proxy. To pass would not show that the years are independent;"
        " to fail shows that they are not.",
    ),
    Claim(
        id="edp-spread",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="section 7, data",
        statement="Within a year the cells' precipitation has a standard deviation of 686 mm on average.",
        quantity="mean of the standard deviations, in mm",
        published=686.0,
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        tolerance=half_unit(0),
        recompute=_from_the_file(_spread),
        explanation="All cells count alike, whatever their area.",
    ),
    Claim(
        id="edp-protected-from",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="Figure 3, and the text on it",
        statement="Every δ_i is 0 from ε = 0.12 on.",
        quantity="ε from which every δ_i is 0",
        published=_EVERYONE,
        compare=Compare.PRINTED,
        relation=Relation.AT_MOST,
        tolerance=half_unit(2),
        recompute=_from_the_file(_everyone_protected),
        explanation="Where one bandwidth is used for everybody this is the largest log ratio of two kernel densities, and at most the"
        " largest ∞-Wasserstein distance over the bandwidth.",
    ),
    Claim(
        id="edp-zero-delta",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="Figure 3, text on it and on (0.12, 0)-empirical differential privacy",
        statement="From some ε on δ is 0.",
        quantity="δ at the ε at which it is claimed to be 0",
        published="(0.12, 0)-empirical differential privacy",
        compare=Compare.FORMULA,
        relation=Relation.AT_MOST,
        recompute=_zero_delta(one_bandwidth=True),
        convention="One bandwidth of Laplace kernels, the same with and without the individual.",
        as_printed=_zero_delta(one_bandwidth=False),
        explanation="It is a property of that bandwidth, not of the data. Variable bandwidths, which section 5 requires, and bandwidths"
        " fitted to each sample leave some δ at every ε, since the tails fall at different rates.",
    ),
    Claim(
        id="edp-few-databases",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="section 7, text on figure 3",
        statement="From 41 databases it is clear that nobody is exposed.",
        quantity="δ_i that 41 databases may easily not show at all",
        published="it is clear that all individuals are protected",
        implies=0.0,
        compare=Compare.PROMISE,
        relation=Relation.AT_MOST,
        recompute=_shown_by_41,
        explanation="An answer that gives an individual away in 7 of 100 databases may be in none of 41. Below about 1/41 nothing can be"
        " said of any δ.",
    ),
    Claim(
        id="edp-total-risk-example",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="Figure 4, and the text on it",
        statement="At ε = 0.085 the total risk is 0.007.",
        quantity="δ* at ε = 0.085",
        published=0.007,
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        tolerance=half_unit(3),
        recompute=_from_the_file(_total_risk),
        explanation="It moves with the bandwidth, of which the paper says only how it recommends to choose it.",
    ),
    Claim(
        id="edp-exposed-example",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="section 7, text on figure 4",
        statement="At ε = 0.085, 6 cells have a δ_i above 0, and 2 of them one above 0.001.",
        quantity="cells with δ_i above 0, and above 0.001",
        published=(6.0, 2.0),
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        recompute=_from_the_file(_exposed),
        explanation="It moves with the bandwidth, of which the paper says only how it recommends to choose it.",
    ),
)
