"""Privacy at Risk, computed: the published formulas and, beside them, the exact truth."""

__version__ = "0.1.0"
