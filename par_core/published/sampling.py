"""How far a sampled sensitivity can be trusted, as *Privacy at Risk* prints it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from par_core.evidence import PUBLISHED, Evidence
from par_core.parameters import check_integers, check_numbers, like_input
from par_core.published.as_printed import AsPrinted


@Evidence(
    PUBLISHED,
    source="Privacy at Risk (PoPETs 2021), Theorem 5",
    limits="It loses a -rho: valid is a coverage of at least share - rho with probability alpha. With rho free it claims anything: of 10 "
    "samples at rho = 0.9 it claims 0.9999998 for the largest, in truth 0.909 on average. It fails once rho is above "
    "sqrt(ln(2(n + 1))/(2n)); the paper's own rho = 0.01 is below that.",
)
def empirical_confidence(samples: ArrayLike, rho: ArrayLike, *, share: ArrayLike = 1.0) -> AsPrinted:
    """Confidence that Theorem 5 claims for the quantile of the sampled sensitivities at `share`.

    It is share·alpha with alpha = 1 - 2·exp(-2·rho²·samples), or 0 where that is negative, for 1 to 1e15 sampled pairs; `rho`,
    above 0, is the largest distance between the two distribution functions, a probability, and `share`, in [0, 1], the quantile
    that is taken for the sensitivity (confidence2 in `coupled`).

    >>> round(empirical_confidence(10, 0.9), 7)
    0.9999998
    """
    number, distance = (
        check_integers("samples", samples, at_least=1, at_most=10**15),
        check_numbers("rho", rho, above=0),
    )
    alpha = np.maximum(1 - 2 * np.exp(-2 * np.minimum(distance, 1e100) ** 2 * number), 0.0)
    return like_input(np.asarray(alpha * check_numbers("share", share, at_least=0, at_most=1)))
