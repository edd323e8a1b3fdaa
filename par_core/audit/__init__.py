"""The empirical audit: whether a query that already exists leaks anyone, and who."""

from par_core.audit import queries
from par_core.audit.auditing import AuditAt, AuditResult, audit
from par_core.audit.checks import independence, representativeness
from par_core.audit.deltas import individual_deltas
from par_core.audit.density import Density, fit_density
from par_core.audit.distances import hausdorff, wasserstein_inf
from par_core.audit.intervals import AuditIntervals, intervals
from par_core.audit.leave_one_out import answers, leave_one_out
from par_core.audit.panel import Panel
from par_core.audit.quadrature import QuadratureDeltas, quadrature_deltas
from par_core.audit.risk_totals import largest_loss, protecting_epsilon, total_risk
from par_core.public_names import listed

__all__ = [
    "AuditAt",
    "AuditIntervals",
    "AuditResult",
    "Density",
    "Panel",
    "QuadratureDeltas",
    "answers",
    "audit",
    "fit_density",
    "hausdorff",
    "independence",
    "individual_deltas",
    "intervals",
    "largest_loss",
    "leave_one_out",
    "protecting_epsilon",
    "quadrature_deltas",
    "queries",
    "representativeness",
    "total_risk",
    "wasserstein_inf",
]
__dir__ = listed(__all__)
