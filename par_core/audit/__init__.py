"""The empirical audit: whether a query that already exists leaks anyone, and who."""

from par_core.audit.auditing import AuditAt as AuditAt
from par_core.audit.auditing import AuditResult as AuditResult
from par_core.audit.auditing import audit as audit
from par_core.audit.checks import independence as independence
from par_core.audit.checks import representativeness as representativeness
from par_core.audit.deltas import individual_deltas as individual_deltas
from par_core.audit.density import Density as Density
from par_core.audit.density import fit_density as fit_density
from par_core.audit.distances import hausdorff as hausdorff
from par_core.audit.distances import wasserstein_inf as wasserstein_inf
from par_core.audit.intervals import AuditIntervals as AuditIntervals
from par_core.audit.intervals import intervals as intervals
from par_core.audit.leave_one_out import answers as answers
from par_core.audit.leave_one_out import leave_one_out as leave_one_out
from par_core.audit.panel import Panel as Panel
from par_core.audit.quadrature import QuadratureDeltas as QuadratureDeltas
from par_core.audit.quadrature import quadrature_deltas as quadrature_deltas
from par_core.audit.total import largest_loss as largest_loss
from par_core.audit.total import protecting_epsilon as protecting_epsilon
from par_core.audit.total import total_risk as total_risk
