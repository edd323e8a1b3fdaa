"""How often a release is as private as ε: by the published formula, and exactly."""

from __future__ import annotations

from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.evidence import MODEL, PUBLISHED, Evidence, evidence_of
from par_core.limits import LARGEST_K
from par_core.mechanisms import default_noise
from par_core.parameters import FloatOrArray, check_choice, check_integer
from par_core.published import explicit

Truth = Literal["published", "exact"]
TRUTHS: Final[tuple[Truth, ...]] = get_args(Truth)

AVERAGE = "It is an average over releases: where ε fails, a breach costs up to E(ε0), and only E(ε0) is enough in every release."
GIVEN = "Money is worth no more than the cost model, which is an assumption; the exact confidence in it is proven."
WEAKER = "The standing is that of the published part. The exact part beside it is by the cost model."
NOT_EXPECTED = "A budget for the case of a breach is not an expected cost: its chance plays no part."

_Floats = NDArray[np.float64]


class Confidence:
    """The confidence that a budget is computed with, and what is to be said about it.

    It is Theorem 4 as printed, or the probability that the privacy loss stays within ε for worst-case neighbours. The dimension k
    (1 to 100,000) of the query plays no part in the exact one.
    """

    def __init__(self, truth: Truth, k: int) -> None:
        check_choice("truth", truth, TRUTHS)
        self.truth: Truth = truth
        self.k = check_integer("k", k, at_least=1, at_most=LARGEST_K)
        confidence = evidence_of(explicit.confidence if truth == "published" else default_noise(1.0))
        self.evidence = Evidence(
            PUBLISHED if truth == "published" else MODEL,
            source=f"Privacy at Risk (PoPETs 2021), equation 9; confidence: {confidence.source}",
            limits=f"Confidence: {confidence.limits.rstrip('.')}. {AVERAGE} {NOT_EXPECTED}",
        )

    def holds(self, epsilon: ArrayLike, epsilon0: ArrayLike) -> FloatOrArray:
        """Probability that ε holds; 1 from ε0 on."""
        if self.truth == "published":
            return explicit.confidence(epsilon, epsilon0, k=self.k)
        return default_noise(epsilon0).loss_within(epsilon)

    def fails(self, epsilon: ArrayLike, epsilon0: ArrayLike) -> FloatOrArray:
        """1 minus `holds`, without cancellation."""
        if self.truth == "published":
            return explicit.risk(epsilon, epsilon0, k=self.k)
        return default_noise(epsilon0).loss_exceeds(epsilon)

    def elasticity(self, epsilon: _Floats) -> _Floats:
        """ε times the derivative of log `holds` in ε, below ε0, where it depends on ε alone."""
        if self.truth == "exact":
            half = 0.5 * epsilon
            return np.asarray(half / np.tanh(half))
        if self.k == 1:
            capped = np.minimum(epsilon, 700.0)  # beyond it the result is 0 to the last digit that matters
            return np.asarray(capped / np.expm1(capped))
        return np.asarray(epsilon * explicit.t_pdf(epsilon, k=self.k) / explicit.t_cdf(epsilon, k=self.k))
