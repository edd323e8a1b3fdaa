"""What the formulas of a paper return, so that nobody takes it for a guarantee."""

from typing import TypeAlias

from par_core.parameters import FloatOrArray

AsPrinted: TypeAlias = FloatOrArray
"""A number as a paper prints it: reproduced, and true only as far as the catalogue (`par_core.claims`) says."""
