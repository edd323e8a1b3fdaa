"""What an observer believes after a release: Bayes' rule over the databases that they think possible."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result, quantities, stated
from par_core.mechanisms.mechanism import PrivacyLoss, max_posterior
from par_core.parameters import check_number, check_numbers, check_type, shown


@dataclass(frozen=True)
class MaxPosterior(Result):
    """What an observer believes at most after releases, but for a share `rare` of them, 0 where no release tells more.

    It is the belief after a loss of `level`; `prior` is that before.
    """

    prior: float
    believed: float
    level: float
    rare: float
    only_if: str = ""
    USUALLY = Evidence(
        PROVEN,
        source="Bayes' rule at a privacy loss that is exceeded no more often",
        limits="worst-case neighbours, and an observer who knows everyone else's data",
    )

    QUANTITIES = quantities(believed=stated("share", "up"), rare=stated("share", "up"), level=stated("level", "up"))

    @property
    def evidence(self) -> Evidence:
        """Proven, or by the reader's model where something has to be true."""
        return self.USUALLY.only_if(self.only_if)


def belief_after(loss: PrivacyLoss, prior: float, *, delta: float, largest: bool = True) -> MaxPosterior:
    """Strongest belief that releases leave in an observer who started from `prior`, in [0, 1].

    Where the loss has no largest value, or unless the `largest` one is asked for, it is that at the epsilon that goes with delta, and
    `rare` is how often the loss is larger.

    >>> from par_core.mechanisms import Gaussian, Laplace
    >>> round(belief_after(Laplace(1.0), 0.1, delta=1e-5).believed, 3)
    0.232
    >>> found = belief_after(Gaussian.for_epsilon(1.0, sensitivity=1.0, delta=1e-5), 0.1, delta=1e-5)
    >>> round(found.believed, 3), round(found.rare, 6)
    (0.232, 0.000161)
    """
    before, small = (
        check_number("prior", prior, at_least=0.0, at_most=1.0),
        check_number("delta", delta, above=0.0, below=1.0),
    )
    level, rare = float(check_type("loss", loss, PrivacyLoss).largest_loss), 0.0
    if (
        not (check_type("largest", largest, bool) and np.isfinite(level))
        and (usual := float(loss.epsilon(small))) < level
    ):
        level, rare = usual, float(loss.loss_exceeds(usual, two_sided=False))
    return MaxPosterior(before, float(max_posterior(before, level)), level, rare)


@Evidence(PROVEN, source="Bayes' rule", limits="the cases and their prior are the observer's own")
def updated(prior: ArrayLike, likelihood: ArrayLike) -> NDArray[np.float64]:
    """Belief in each of several cases after an answer, of the shape of both arguments; it adds up to 1.

    `prior` is at least 0 and need not add up to 1; `likelihood` says how likely the answer is in each case, at least 0. Both of shape
    (cases,). ParameterError for an answer that no case with a prior above 0 could have given.

    >>> updated([0.6, 0.4], [0.25, 0.15]).round(4).tolist()
    [0.7143, 0.2857]
    """
    before, chance = check_numbers("prior", prior, at_least=0.0), check_numbers("likelihood", likelihood, at_least=0.0)
    if before.ndim != 1:
        raise ParameterError(f"prior must be a list of numbers, got {shown(prior)}")
    if chance.shape != before.shape:
        raise ParameterError(f"likelihood must be as many numbers as prior, {before.size}, got {shown(likelihood)}")
    with np.errstate(divide="ignore"):
        joint = np.log(before) + np.log(chance)
    if not np.isfinite(joint).any():
        raise ParameterError(
            "likelihood must be above 0 for a case whose prior is, got an answer that no case could give"
        )
    return np.asarray(special.softmax(joint))
