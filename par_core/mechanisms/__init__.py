"""What noise does: one file for each kind, one interface that every page, accountant and planner asks.

Adding one is a file with a class that answers the questions of `Mechanism`, and a line in `MECHANISMS`.
"""

from __future__ import annotations

from typing import Final

from par_core.mechanisms.discrete_laplace import DiscreteLaplace
from par_core.mechanisms.gaussian import Gaussian
from par_core.mechanisms.laplace import Laplace
from par_core.mechanisms.mechanism import Guarantee, Mechanism, Norm, PrivacyLoss, strongest_belief

MECHANISMS: Final[dict[str, type[Mechanism]]] = {
    "laplace": Laplace,
    "discrete-laplace": DiscreteLaplace,
    "gaussian": Gaussian,
}

__all__ = [
    "MECHANISMS",
    "DiscreteLaplace",
    "Gaussian",
    "Guarantee",
    "Laplace",
    "Mechanism",
    "Norm",
    "PrivacyLoss",
    "strongest_belief",
]
