"""Privacy at Risk, computed: the published formulas and, beside them, the exact truth.

Every public call answers, or raises ParameterError, InfeasibleError or DataError from `par_core.errors`, all of them
ValueErrors that name the parameter, its range and the value. A `Raises` section says only what is special.
"""

import sys

from par_core.old_names import OldModules
from par_core.public_names import listed, modules

__version__ = "0.3.0"

__all__ = [
    "audit",
    "claims",
    "composition",
    "cost",
    "datasets",
    "decision",
    "export",
    "figures",
    "lab",
    "mechanisms",
    "published",
    "queries",
    "questions",
    "regression",
    "release",
    "risk",
    "sampling",
    "scenario",
    "tables",
]
__getattr__ = modules(__name__, __all__)
__dir__ = listed(__all__)

sys.meta_path.append(
    OldModules(
        __name__,
        {
            "audit.curves": "audit.drawn_densities",
            "audit.order": "audit.variance_and_quantile",
            "audit.total": "audit.risk_totals",
            "claims.gravity": "claims.error_severity",
            "composition.law": "composition.loss_distribution",
            "composition.of_mechanism": "composition.old_calls",
            "composition.votes": "composition.pate_votes",
            "datasets.votes": "datasets.pate_votes",
            "figures.made_up": "figures.synthetic",
            "figures.votes": "figures.pate_votes",
            "mechanisms.belief": "mechanisms.posterior",
            "mechanisms.equivalent": "mechanisms.gaussian_dp",
            "queries.question": "queries.table_query",
            "release.adopted": "release.scenario_of_plan",
            "release.made_up": "release.synthetic",
            "release.made_up_numbers": "release.synthetic_numbers",
            "release.processing": "release.post_processing",
            "standing": "evidence",
            "release.wanted": "release.epsilon0_for_error",
        },
    )
)
