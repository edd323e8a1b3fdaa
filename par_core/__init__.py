"""Privacy at Risk, computed: the published formulas and, beside them, the exact truth.

Every public call answers, or raises ParameterError, InfeasibleError or DataError from `par_core.errors`, all of them
ValueErrors that name the parameter, its range and the value. A `Raises` section says only what is special.
"""

__version__ = "0.3.0"
