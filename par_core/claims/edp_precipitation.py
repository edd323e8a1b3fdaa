"""Empirical Differential Privacy, section 7: the example of yearly precipitation.

The numbers that rest on the real data are recomputed where PAR_GPCP names NOAA's file; without it they need data.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.claims import lazy_imports
from par_core.claims.catalogue import Claim, Compare, Missing, Paper, Recomputed, half_unit
from par_core.deployment import settings
from par_core.errors import DataError

if TYPE_CHECKING:
    from par_core.audit.auditing import AuditResult


_EVERYONE, _ILLUSTRATED = 0.12, 0.085  # the levels that the text names
_FILE = "NOAA's monthly precipitation file (GPCP v2.3, 1979 to 2019), named by the environment variable PAR_GPCP"


class _Audited(NamedTuple):
    """The audit of the paper's query; for each year the plain average over the cells and their standard deviation, in mm."""

    result: AuditResult
    averages: NDArray[np.float64]
    spreads: NDArray[np.float64]


@lru_cache(maxsize=1)
def _audited(path: str) -> _Audited:
    panel = lazy_imports.datasets.gpcp(path)
    averages, spreads = np.array([(values.mean(), values.std()) for _, values in panel]).T
    found = lazy_imports.audit.audit(panel, lazy_imports.queries.PanelMean(), epsilons=[_ILLUSTRATED, _EVERYONE])
    return _Audited(found, averages, spreads)


def _from_the_file(found: Callable[[_Audited], Recomputed]) -> Callable[[], Recomputed | Missing]:
    """Recompute from the real data where they are there, and say what is missing where they are not."""

    def recompute() -> Recomputed | Missing:
        path = settings().gpcp
        if path is None:
            return Missing(_FILE)
        try:
            return found(_audited(path))
        except DataError as error:
            return Missing(f"{_FILE} (the file that it names cannot be used: {error})")

    return recompute


def _case(result: AuditResult) -> str:
    kernels = "Laplace kernels of one bandwidth, the likeliest for left-out years"
    return f"mean yearly total over all cells, {kernels}, {result.bandwidth:.3g} mm"


@_from_the_file
def _spread(audited: _Audited) -> Recomputed:
    return Recomputed(recomputed=audited.spreads.mean(), case=f"mean over {len(audited.spreads)} years")


@_from_the_file
def _protected_from(audited: _Audited) -> Recomputed:
    return Recomputed(recomputed=audited.result.protected_from(0.0), case=_case(audited.result))


@_from_the_file
def _total_risk(audited: _Audited) -> Recomputed:
    return Recomputed(recomputed=audited.result.at(_ILLUSTRATED).total, case=f"ε = 0.085, {_case(audited.result)}")


@_from_the_file
def _failed_checks(audited: _Audited) -> Recomputed:
    independent = audited.result.independent
    return Recomputed(recomputed=sum(check.failed for check in independent.checks), case=independent.words)


@_from_the_file
def _exposed(audited: _Audited) -> Recomputed:
    result = audited.result
    at = result.at(_ILLUSTRATED)
    case = f"ε = 0.085, {_case(result)}; {len(result.individuals):,} cells"
    return Recomputed(recomputed=(at.exposed, at.above(0.001)), case=case)


@_from_the_file
def _size(audited: _Audited) -> Recomputed:
    result = audited.result
    everywhere = result.present == len(result.databases)
    return Recomputed(
        recomputed=(len(result.databases), everywhere.sum()),
        case=f"years {result.databases[0]} to {result.databases[-1]}, cells with data in each of them",
    )


@_from_the_file
def _yearly(audited: _Audited) -> Recomputed:
    found, years = audited.result.answers, audited.result.databases
    low, high = int(found.argmin()), int(found.argmax())
    return Recomputed(
        recomputed=np.isclose(found, audited.averages, rtol=1e-9).sum(),
        case=f"answers from {found[low]:.4g} mm ({years[low]}) to {found[high]:.4g} mm ({years[high]})",
    )


@_from_the_file
def _riskiest(audited: _Audited) -> Recomputed:
    result = audited.result
    curves = lazy_imports.drawn_densities.density_curves(result, int(result.at(_ILLUSTRATED).ranking[0]))
    return Recomputed(
        recomputed=np.abs(np.log(curves.with_all / curves.without)).max(),
        case=f"the cell with the largest δ_i at ε = 0.085, {_case(result)}",
    )


def _zero_delta(*, one_bandwidth: bool) -> Recomputed:
    """δ at the level from which on one bandwidth gives 0, for an individual who raises the largest answer."""
    answers = special.ndtri((np.arange(41) + 0.5) / 41)
    without = answers - 0.3 * (answers == answers.max())
    width = float(lazy_imports.audit.fit_density(answers, bandwidth="fixed").bandwidths[0])
    level = float(lazy_imports.audit.largest_loss(answers, [without], bandwidth=width)[0])
    if one_bandwidth:
        delta = lazy_imports.audit.individual_deltas(answers, [without], epsilon=level, bandwidth=width)
        how = f"one Laplace bandwidth, {width:.3g}"
    else:
        density, other = (
            lazy_imports.audit.fit_density(sample, bandwidth="neighbours") for sample in (answers, without)
        )
        delta = lazy_imports.audit.quadrature_deltas(density, [other], epsilon=level).value
        how = "Laplace bandwidths by the neighbours, fitted to each sample"
    return Recomputed(
        exact=delta[0],
        case=f"41 answers spread like a standard normal distribution, the largest 0.3 less without an individual; ε = {level:.3f}; {how}",
    )


_claim_7 = partial(Claim, paper=Paper.EMPIRICAL, section="7 Applications: yearly precipitation")

CLAIMS: Final[tuple[Claim, ...]] = (
    _claim_7(
        id="edp-databases",
        where="section 7, data",
        statement="'Our dataset then consists of 41 databases, each of which contain the same 10368 individuals'.",
        quantity="databases and individuals",
        published=(41.0, 10_368.0),
        holds_if=Compare("recomputed", "equal to", "published"),
        recompute=_size,
        rests_on=("audit.panel.Panel.presence",),
        explanation="Years from 1979 to 2019 and cells of 2.5° by 2.5°.",
    ),
    _claim_7(
        id="edp-years-independent",
        where="sections 2 and 5, for the data of section 7",
        statement="The years are independent and of one law, 'a necessary condition for empirical differential privacy'.",
        quantity="checks of independence that speak against it",
        published="a necessary condition for empirical differential privacy",
        holds_if=Compare("recomputed", "at most", 0.0),
        recompute=_failed_checks,
        rests_on=("audit.checks.independence",),
        more="worse",
        explanation="The paper leaves the check out, as its 'example is only a proxy'. To pass shows nothing; to fail shows dependence.",
    ),
    _claim_7(
        id="edp-spread",
        where="section 7, data",
        statement="'The standard deviation of precipitation values within each year is on average 686 mm'.",
        quantity="mean of the standard deviations, in mm",
        printed="686",
        holds_if=Compare("recomputed", "equal to", "published"),
        recompute=_spread,
        rests_on=("datasets.precipitation.gpcp",),
        explanation="All cells count alike, whatever their area.",
    ),
    _claim_7(
        id="edp-figure-2",
        where="Figure 2",
        statement="The figure shows 'annual precipitation values averaged across all locations in each year'.",
        quantity="years in which such an average is the answer of the audit",
        published="Annual precipitation values averaged across all locations in each year",
        holds_if=Compare("recomputed", "equal to", 41.0),
        recompute=_yearly,
        rests_on=("audit.leave_one_out.answers",),
        explanation="The averages are published as a picture only. What can be compared is that the audit asks for them in each of the"
        " 41 years; the smallest and the largest are given for whoever lays them beside the picture.",
    ),
    _claim_7(
        id="edp-protected-from",
        where="Figure 3, and the text on it",
        statement="'All individuals are protected when ε is 0.12 or greater': every δ_i is 0.",
        quantity="ε from which every δ_i is 0",
        published=_EVERYONE,
        holds_if=Compare("recomputed", "at most", "published", half_unit(2)),
        recompute=_protected_from,
        rests_on=("audit.risk_totals.protecting_epsilon",),
        more="worse",
        explanation="Where one bandwidth is used for everybody this is the largest log ratio of two kernel densities, and at most the"
        " largest ∞-Wasserstein distance over the bandwidth. Of what happens in fewer than about 1 of 41 years the data say nothing.",
    ),
    _claim_7(
        id="edp-zero-delta",
        where="Figure 3, text on it and on (0.12, 0)-empirical differential privacy",
        statement="From some ε on δ is 0, so that there is such a thing as '(0.12, 0)-empirical differential privacy'.",
        quantity="δ at the ε at which it is claimed to be 0",
        published="(0.12, 0)-empirical differential privacy",
        holds_if=Compare("exact", "at most", 0.0),
        recompute=partial(_zero_delta, one_bandwidth=True),
        rests_on=("audit.deltas.individual_deltas", "audit.quadrature.quadrature_deltas"),
        convention="'The appropriate bandwidth' of section 7 is one number for all Laplace kernels, with and without the individual.",
        as_printed=partial(_zero_delta, one_bandwidth=False),
        more="worse",
        explanation="It is a property of that bandwidth, not of the data. Variable bandwidths, which section 5 requires, and bandwidths"
        " fitted to each sample leave some δ at every ε, since the tails fall at different rates.",
    ),
    _claim_7(
        id="edp-total-risk-example",
        where="Figure 4, and the text on it",
        statement="At ε = 0.085 'δ* is only a miniscule 0.007'.",
        quantity="δ* at ε = 0.085",
        printed="0.007",
        holds_if=Compare("recomputed", "equal to", "published"),
        recompute=_total_risk,
        rests_on=("audit.risk_totals.total_risk",),
        more="worse",
        explanation="It moves with the bandwidth, of which the paper says only how it recommends to choose it.",
    ),
    _claim_7(
        id="edp-exposed-example",
        where="section 7, text on figure 4",
        statement="At ε = 0.085, 'there are only 6 individuals for which δ_i is nonzero, and only 2 for which it is greater than 0.001'.",
        quantity="cells with δ_i above 0, and above 0.001",
        published=(6.0, 2.0),
        holds_if=Compare("recomputed", "equal to", "published"),
        recompute=_exposed,
        rests_on=("audit.auditing.AuditResult.at",),
        more="worse",
        explanation="It moves with the bandwidth, of which the paper says only how it recommends to choose it.",
    ),
    _claim_7(
        id="edp-figure-5",
        where="Figure 5",
        statement="The figure shows the densities of the average without 'the individual with the biggest δ' and with 'all individuals'.",
        quantity="largest |log ratio| of the two densities",
        published="Empirical probability density of the average annual precipitation dropping the individual with the biggest δ",
        holds_if=Compare("recomputed", "at most", _EVERYONE, half_unit(2)),
        recompute=_riskiest,
        rests_on=("audit.drawn_densities.density_curves",),
        more="worse",
        explanation="The densities are published as a picture only. What can be compared is what the text says of them: that nobody's"
        " δ_i is above 0 from ε = 0.12 on, so that nowhere do the two differ by a factor of more than e^0.12.",
    ),
)
