"""The dials that several claims of *Privacy at Risk* share, as far as a reader may turn them."""

from __future__ import annotations

from functools import partial
from typing import Final

from par_core.claims.ledger import Dial

level: Final = partial(Dial, "ε", at_least=0.01, at_most=5.0)
"""A stronger level; from its default."""

level0: Final = partial(Dial, "ε₀", at_least=0.1, at_most=5.0)
"""The level that the noise is calibrated to; from its default."""

ONES: Final = Dial("Share of ones", 0.5, 0.01, 0.99)
"""How many of the rows of a count are 1."""
