"""The empirical audit: whether a query that already exists leaks anyone, and who."""

from par_core.empirical.auditing import AuditAt as AuditAt
from par_core.empirical.auditing import AuditResult as AuditResult
from par_core.empirical.auditing import audit as audit
from par_core.empirical.checks import independence as independence
from par_core.empirical.checks import representativeness as representativeness
from par_core.empirical.deltas import individual_deltas as individual_deltas
from par_core.empirical.density import Density as Density
from par_core.empirical.density import fit_density as fit_density
from par_core.empirical.distances import hausdorff as hausdorff
from par_core.empirical.distances import wasserstein_inf as wasserstein_inf
from par_core.empirical.intervals import AuditIntervals as AuditIntervals
from par_core.empirical.intervals import intervals as intervals
from par_core.empirical.leave_one_out import answers as answers
from par_core.empirical.leave_one_out import leave_one_out as leave_one_out
from par_core.empirical.panel import Panel as Panel
from par_core.empirical.quadrature import QuadratureDeltas as QuadratureDeltas
from par_core.empirical.quadrature import quadrature_deltas as quadrature_deltas
from par_core.empirical.total import largest_loss as largest_loss
from par_core.empirical.total import protecting_epsilon as protecting_epsilon
from par_core.empirical.total import total_risk as total_risk
