"""Empirical Differential Privacy, section 7: the example of yearly precipitation.

The numbers that rest on the real data are recomputed where PAR_GPCP names NOAA's file; without it they need data.
`par_core.audit` and `par_core.datasets` are imported where a claim is checked: they bring pandas, which is heavy.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.claims.ledger import Claim, Compare, Evidence, Missing, Paper, Relation, half_unit
from par_core.deployment import settings
from par_core.errors import DataError

if TYPE_CHECKING:
    from par_core.audit.auditing import AuditResult

_SECTION_7 = "7 Applications: yearly precipitation"

_EVERYONE, _ILLUSTRATED = 0.12, 0.085  # the levels that the text names
_FILE = "NOAA's monthly precipitation file (GPCP v2.3, 1979 to 2019), named by the environment variable PAR_GPCP"
_CASE = "mean yearly total over all cells, Laplace kernels of one bandwidth, the likeliest for left-out years"


class _Audited(NamedTuple):
    """The audit of the paper's query; for each year the plain average over the cells and their standard deviation, in mm."""

    result: AuditResult
    averages: NDArray[np.float64]
    spreads: NDArray[np.float64]


@lru_cache(maxsize=1)
def _audited(path: str) -> _Audited:
    from par_core.audit.auditing import audit
    from par_core.audit.queries import PanelMean
    from par_core.datasets import gpcp

    panel = gpcp(path)
    averages, spreads = np.array([(values.mean(), values.std()) for _, values in panel]).T
    return _Audited(audit(panel, PanelMean(), epsilons=[_ILLUSTRATED, _EVERYONE]), averages, spreads)


def _from_the_file(found: Callable[[_Audited], Evidence]) -> Callable[[], Evidence | Missing]:
    """Recompute from the real data where they are there, and say what is missing where they are not."""

    def recompute() -> Evidence | Missing:
        path = settings().gpcp
        if path is None:
            return Missing(_FILE)
        try:
            audited = _audited(path)
        except DataError as error:
            return Missing(f"{_FILE} (the file that it names cannot be used: {error})")
        return found(audited)

    return recompute


def _spread(audited: _Audited) -> Evidence:
    return Evidence(recomputed=float(audited.spreads.mean()), case=f"mean over {len(audited.spreads)} years")


def _failed_checks(audited: _Audited) -> Evidence:
    independent = audited.result.independent
    return Evidence(recomputed=float(sum(check.failed for check in independent.checks)), case=independent.words)


def _everyone_protected(audited: _Audited) -> Evidence:
    result = audited.result
    return Evidence(recomputed=result.protected_from(0.0), case=f"{_CASE}, {result.bandwidth:.3g} mm")


def _total_risk(audited: _Audited) -> Evidence:
    result = audited.result
    return Evidence(recomputed=result.at(_ILLUSTRATED).total, case=f"ε = 0.085, {_CASE}, {result.bandwidth:.3g} mm")


def _exposed(audited: _Audited) -> Evidence:
    result = audited.result
    at = result.at(_ILLUSTRATED)
    return Evidence(
        recomputed=(float(at.exposed), float(at.above(0.001))),
        case=f"ε = 0.085, {_CASE}, {result.bandwidth:.3g} mm; {len(result.individuals):,} cells",
    )


def _size(audited: _Audited) -> Evidence:
    result = audited.result
    everywhere = result.present == len(result.databases)
    return Evidence(
        recomputed=(float(len(result.databases)), float(everywhere.sum())),
        case=f"years {result.databases[0]} to {result.databases[-1]}, cells with data in each of them",
    )


def _yearly(audited: _Audited) -> Evidence:
    found, years = audited.result.answers, audited.result.databases
    low, high = int(found.argmin()), int(found.argmax())
    return Evidence(
        recomputed=float(np.isclose(found, audited.averages, rtol=1e-9).sum()),
        case=f"answers from {found[low]:.4g} mm ({years[low]}) to {found[high]:.4g} mm ({years[high]})",
    )


def _riskiest(audited: _Audited) -> Evidence:
    from par_core.audit.curves import density_curves

    result = audited.result
    curves = density_curves(result, int(result.at(_ILLUSTRATED).ranking[0]))
    return Evidence(
        recomputed=float(np.abs(np.log(curves.with_all / curves.without)).max()),
        case=f"the cell with the largest δ_i at ε = 0.085, {_CASE}, {result.bandwidth:.3g} mm",
    )


def _zero_delta(*, one_bandwidth: bool) -> Callable[[], Evidence]:
    """δ at the level from which on one bandwidth gives 0, for an individual who raises the largest answer."""

    def recompute() -> Evidence:
        from par_core.audit import fit_density, individual_deltas, largest_loss, quadrature_deltas

        answers = special.ndtri((np.arange(41) + 0.5) / 41)
        without = answers - 0.3 * (answers == answers.max())
        width = float(fit_density(answers, bandwidth="fixed").bandwidths[0])
        level = float(largest_loss(answers, [without], bandwidth=width)[0])
        if one_bandwidth:
            delta = float(individual_deltas(answers, [without], epsilon=level, bandwidth=width)[0])
            how = f"one Laplace bandwidth, {width:.3g}"
        else:
            density, other = (fit_density(sample, bandwidth="neighbours") for sample in (answers, without))
            delta = float(quadrature_deltas(density, [other], epsilon=level).value[0])
            how = "Laplace bandwidths by the neighbours, fitted to each sample"
        return Evidence(
            exact=delta,
            case=f"41 answers spread like a standard normal law, the largest 0.3 less without an individual; ε = {level:.3f}; {how}",
        )

    return recompute


CLAIMS: Final[tuple[Claim, ...]] = (
    Claim(
        id="edp-databases",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="section 7, data",
        statement="'Our dataset then consists of 41 databases, each of which contain the same 10368 individuals'.",
        quantity="databases and individuals",
        published=(41.0, 10_368.0),
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        recompute=_from_the_file(_size),
        rests_on=("par_core.audit.panel.Panel.presence",),
        explanation="Years from 1979 to 2019 and cells of 2.5° by 2.5°.",
    ),
    Claim(
        id="edp-years-independent",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="sections 2 and 5, for the data of section 7",
        statement="The years are independent and of one law, 'a necessary condition for empirical differential privacy'.",
        quantity="checks of independence that speak against it",
        published="a necessary condition for empirical differential privacy",
        implies=0.0,
        compare=Compare.PRINTED,
        relation=Relation.AT_MOST,
        recompute=_from_the_file(_failed_checks),
        rests_on=("par_core.audit.checks.independence",),
        explanation="The paper leaves the check out, since its 'example is only a proxy'. To pass would not show that the years are"
        " independent; to fail shows that they are not.",
    ),
    Claim(
        id="edp-spread",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="section 7, data",
        statement="'The standard deviation of precipitation values within each year is on average 686 mm'.",
        quantity="mean of the standard deviations, in mm",
        published=686.0,
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        tolerance=half_unit(0),
        recompute=_from_the_file(_spread),
        rests_on=("par_core.datasets.precipitation.gpcp",),
        explanation="All cells count alike, whatever their area.",
    ),
    Claim(
        id="edp-figure-2",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="Figure 2",
        statement="The figure shows 'annual precipitation values averaged across all locations in each year'.",
        quantity="years in which such an average is the answer of the audit",
        published="Annual precipitation values averaged across all locations in each year",
        implies=41.0,
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        recompute=_from_the_file(_yearly),
        rests_on=("par_core.audit.leave_one_out.answers",),
        explanation="The averages are published as a picture only. What can be compared is that the audit asks for them in each of the 41"
        " years; the smallest and the largest are given for whoever lays them beside the picture.",
    ),
    Claim(
        id="edp-protected-from",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="Figure 3, and the text on it",
        statement="'All individuals are protected when ε is 0.12 or greater': every δ_i is 0.",
        quantity="ε from which every δ_i is 0",
        published=_EVERYONE,
        compare=Compare.PRINTED,
        relation=Relation.AT_MOST,
        tolerance=half_unit(2),
        recompute=_from_the_file(_everyone_protected),
        rests_on=("par_core.audit.total.protecting_epsilon",),
        explanation="Where one bandwidth is used for everybody this is the largest log ratio of two kernel densities, and at most the"
        " largest ∞-Wasserstein distance over the bandwidth. Of what happens in fewer than about 1 of 41 years the data say nothing.",
    ),
    Claim(
        id="edp-zero-delta",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="Figure 3, text on it and on (0.12, 0)-empirical differential privacy",
        statement="From some ε on δ is 0, so that there is such a thing as '(0.12, 0)-empirical differential privacy'.",
        quantity="δ at the ε at which it is claimed to be 0",
        published="(0.12, 0)-empirical differential privacy",
        implies=0.0,
        compare=Compare.PROMISE,
        relation=Relation.AT_MOST,
        recompute=_zero_delta(one_bandwidth=True),
        rests_on=("par_core.audit.deltas.individual_deltas", "par_core.audit.quadrature.quadrature_deltas"),
        convention="'The appropriate bandwidth' of section 7 is one number for all Laplace kernels, with and without the individual.",
        as_printed=_zero_delta(one_bandwidth=False),
        explanation="It is a property of that bandwidth, not of the data. Variable bandwidths, which section 5 requires, and bandwidths"
        " fitted to each sample leave some δ at every ε, since the tails fall at different rates.",
    ),
    Claim(
        id="edp-total-risk-example",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="Figure 4, and the text on it",
        statement="At ε = 0.085 'δ* is only a miniscule 0.007'.",
        quantity="δ* at ε = 0.085",
        published=0.007,
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        tolerance=half_unit(3),
        recompute=_from_the_file(_total_risk),
        rests_on=("par_core.audit.total.total_risk",),
        explanation="It moves with the bandwidth, of which the paper says only how it recommends to choose it.",
    ),
    Claim(
        id="edp-exposed-example",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="section 7, text on figure 4",
        statement="At ε = 0.085, 'there are only 6 individuals for which δ_i is nonzero, and only 2 for which it is greater than"
        " 0.001'.",
        quantity="cells with δ_i above 0, and above 0.001",
        published=(6.0, 2.0),
        compare=Compare.PRINTED,
        relation=Relation.EQUAL,
        recompute=_from_the_file(_exposed),
        rests_on=("par_core.audit.auditing.AuditResult.at",),
        explanation="It moves with the bandwidth, of which the paper says only how it recommends to choose it.",
    ),
    Claim(
        id="edp-figure-5",
        paper=Paper.EMPIRICAL,
        section=_SECTION_7,
        where="Figure 5",
        statement="The figure shows the densities of the average 'dropping the individual with the biggest δ' and 'including all"
        " individuals'.",
        quantity="largest |log ratio| of the two densities",
        published="Empirical probability density of the average annual precipitation dropping the individual with the biggest δ",
        implies=_EVERYONE,
        compare=Compare.PRINTED,
        relation=Relation.AT_MOST,
        tolerance=half_unit(2),
        recompute=_from_the_file(_riskiest),
        rests_on=("par_core.audit.curves.density_curves",),
        explanation="The densities are published as a picture only. What can be compared is what the text says of them: that nobody's"
        " δ_i is above 0 from ε = 0.12 on, so that nowhere do the two differ by a factor of more than e^0.12.",
    ),
)
