"""Privacy at Risk, computed: the published formulas and, beside them, the exact truth.

| package | what to ask it |
|---|---|
| `par_core.mechanisms` | What does this noise do? `Laplace`, `Gaussian` and others: error, ε at a δ, posterior, trade-off. |
| `par_core.release` | How wrong will an answer be? Which ε keeps it within an error? |
| `par_core.composition` | What do many releases, of one mechanism or several, spend together? |
| `par_core.ledger` | What was spent on a data set, and is a plan within the policy? |
| `par_core.queries` | What may be asked of a table, and by how much does one person move the answer? |
| `par_core.export` | How is it published? Scripts for OpenDP, notebooks, certificates. |
| `par_core.audit` | Whom does a query that is published year after year give away? |
| `par_core.cost` | What does a breach cost, and which ε needs the least money? |
| `par_core.sampling`, `par_core.regression` | How many samples does a sensitivity need? What does noise do to a fit? |
| `par_core.decision` | Which levels meet all wishes? |
| `par_core.risk` | What does one release give away, as claimed and in truth? |
| `par_core.published`, `par_core.claims` | What does a paper print, and is it true? |
| `par_core.scenario`, `par_core.datasets`, `par_core.tables` | What is settled, and which data are there? |
| `par_core.evidence`, `par_core.errors` | What does a number rest on, and how does a call fail? |
| `par_core.questions`, `par_core.figures`, `par_core.lab` | What the pages of the explorer ask, draw and teach. |

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
    "errors",
    "evidence",
    "export",
    "figures",
    "lab",
    "ledger",
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
            "claims.ledger": "claims.catalogue",
            "composition.law": "composition.loss_distribution",
            "composition.of_mechanism": "composition.old_calls",
            "composition.plans": "composition.within_target",
            "composition.votes": "composition.pate_votes",
            "datasets.votes": "datasets.pate_votes",
            "export.ledger_files": "export.catalogue_files",
            "export.plan_words": "export.release_meaning",
            "export.year_plan": "export.run_limit",
            "figures.made_up": "figures.synthetic",
            "figures.votes": "figures.pate_votes",
            "mechanisms.belief": "mechanisms.posterior",
            "mechanisms.equivalent": "mechanisms.gaussian_dp",
            "queries.question": "queries.table_query",
            "questions.composition.exact_plan": "questions.composition.exact_within_target",
            "questions.composition.plans_table": "questions.composition.within_target_table",
            "questions.composition.release_plan": "questions.composition.how_many_releases",
            "questions.paper_check.ledger": "questions.paper_check.catalogue",
            "release.adopted": "release.scenario_of_plan",
            "release.made_up": "release.synthetic",
            "release.made_up_numbers": "release.synthetic_numbers",
            "release.processing": "release.post_processing",
            "standing": "evidence",
            "release.wanted": "release.epsilon0_for_error",
        },
    )
)
