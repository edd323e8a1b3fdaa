"""Privacy at Risk, computed: the published formulas and, beside them, the exact truth.

Every public call answers, or raises ParameterError, InfeasibleError or DataError from `par_core.errors`, all of them
ValueErrors that name the parameter, its range and the value. A `Raises` section says only what is special.
"""

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
