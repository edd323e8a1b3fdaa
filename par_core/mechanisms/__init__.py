"""What noise does: one file for each kind, one interface that every page, accountant and planner asks.

Adding one is a file with a class that answers the questions of `Mechanism`, and a line in `MECHANISMS`.
"""

from __future__ import annotations

from typing import Final

from numpy.typing import ArrayLike

from par_core.mechanisms.discrete_laplace import DiscreteLaplace as DiscreteLaplace
from par_core.mechanisms.exact_calibration import ExactCalibration as ExactCalibration
from par_core.mechanisms.exact_calibration import calibrate_exactly as calibrate_exactly
from par_core.mechanisms.gaussian import Gaussian as Gaussian
from par_core.mechanisms.laplace import Laplace as Laplace
from par_core.mechanisms.mechanism import Guarantee as Guarantee
from par_core.mechanisms.mechanism import Mechanism as Mechanism
from par_core.mechanisms.mechanism import Norm as Norm
from par_core.mechanisms.mechanism import PrivacyLoss as PrivacyLoss
from par_core.mechanisms.mechanism import strongest_belief as strongest_belief
from par_core.parameters import of_type

MECHANISMS: Final[dict[str, type[Mechanism]]] = {
    "laplace": Laplace,
    "discrete-laplace": DiscreteLaplace,
    "gaussian": Gaussian,
}


def drawn(*, whole: bool) -> type[Mechanism]:
    """Return the noise that release scripts draw for whole numbers, and for all others."""
    return DiscreteLaplace if of_type("whole", whole, bool) else Laplace


def default_noise(epsilon0: ArrayLike, *, sensitivity: ArrayLike = 1.0) -> Mechanism:
    """Return the noise that is meant where none is named: Laplace noise, as in *Privacy at Risk*."""
    return Laplace(epsilon0, sensitivity)
