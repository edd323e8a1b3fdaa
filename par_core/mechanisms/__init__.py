"""What a mechanism does: one file for each, one interface that every page, accountant and planner asks.

Adding one is a file with a class that answers the questions of `Noise`, or of `Mechanism` where nothing is added to a number, and a
line in `NOISES` or `MECHANISMS`. `PermuteAndFlip` stands in neither: a plan chooses its quantiles by it, and no scenario names it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from numpy.typing import ArrayLike

from par_core.mechanisms.discrete_laplace import DiscreteLaplace
from par_core.mechanisms.exact_calibration import ExactCalibration, calibrate_exactly
from par_core.mechanisms.exponential import Exponential
from par_core.mechanisms.gaussian import Gaussian
from par_core.mechanisms.laplace import Laplace
from par_core.mechanisms.mechanism import (
    GaussianGuarantee,
    Guarantee,
    Mechanism,
    Noise,
    Norm,
    PrivacyLoss,
    max_posterior,
)
from par_core.mechanisms.permute_and_flip import PermuteAndFlip
from par_core.mechanisms.posterior import MaxPosterior, belief_after
from par_core.mechanisms.randomised_response import RandomisedResponse
from par_core.old_names import by_old_name
from par_core.parameters import check_choice, check_type
from par_core.public_names import listed

__all__ = [
    "MECHANISMS",
    "NOISES",
    "DiscreteLaplace",
    "ExactCalibration",
    "Exponential",
    "Gaussian",
    "GaussianGuarantee",
    "Guarantee",
    "Laplace",
    "MaxPosterior",
    "Mechanism",
    "Noise",
    "Norm",
    "PermuteAndFlip",
    "PrivacyLoss",
    "RandomisedResponse",
    "belief_after",
    "calibrate_exactly",
    "default_noise",
    "drawn",
    "max_posterior",
]
__dir__ = listed(__all__)

NOISES: Final[dict[str, type[Noise]]] = {
    "laplace": Laplace,
    "discrete-laplace": DiscreteLaplace,
    "gaussian": Gaussian,
}
MECHANISMS: Final[dict[str, type[Mechanism]]] = {
    **NOISES,
    "randomised-response": RandomisedResponse,
    "exponential": Exponential,
}


def drawn(*, whole: bool, mechanism: str = "laplace") -> type[Noise]:
    """Return the noise that release scripts draw for whole numbers, and for all others, where a mechanism of `MECHANISMS` is meant.

    In L1 that is discrete Laplace noise, which is Laplace noise to all intents in the tiny steps that sums are taken in; so it is for
    a mechanism that adds nothing to a number.
    """
    is_whole = check_type("whole", whole, bool)
    noise = NOISES.get(check_choice("mechanism", mechanism, tuple(MECHANISMS)), Laplace)
    if noise.norm == "L2":
        return noise
    return DiscreteLaplace if is_whole else Laplace


def default_noise(epsilon0: ArrayLike, *, sensitivity: ArrayLike = 1.0) -> Noise:
    """Return the noise that is meant where none is named: Laplace noise, as in *Privacy at Risk*."""
    return Laplace(epsilon0, sensitivity)


if not TYPE_CHECKING:
    __getattr__ = by_old_name(__name__, {"strongest_belief": "max_posterior", "StrongestBelief": "MaxPosterior"})
