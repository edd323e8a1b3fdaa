"""What a breach costs without any protection, beside what a model leaves of it at some level."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from par_core.cost.optimum import Cost, priced
from par_core.parameters import one

_LITTLE = 1e-3


class Rising(Cost, Protocol):
    """A cost that says what it rises to."""

    @property
    def full(self) -> float:
        """Money in all after a breach of data published without any protection."""


def says_little(model: Rising, epsilon0: float) -> bool:
    """Whether a model leaves less than a thousandth of the full amount at epsilon0.

    Then next to nothing of the answer is what is known of breaches: it is the form of the model, far from any of them.

    Examples
    --------
    >>> from par_core.cost import CostModel
    >>> says_little(CostModel(5500, 100), 0.5), says_little(CostModel(5500, 100), 0.1)
    (False, True)
    """
    return float(priced(model, np.asarray(one("epsilon0", epsilon0, above=0.0)))) < _LITTLE * model.full
