"""Every formula as a paper prints it, and nothing else: what comes out of here is PUBLISHED."""

from par_core.public_names import listed, modules

__all__ = [
    "composition",
    "coupled",
    "definitions",
    "empirical",
    "explicit",
    "gaussian",
    "pate",
    "regression",
    "sampling",
]
__getattr__ = modules(__name__, __all__)
__dir__ = listed(__all__)
