"""The sensitivity that the published regression script takes."""

from __future__ import annotations

import math

from par_core.evidence import PUBLISHED, Evidence
from par_core.limits import of_ridge
from par_core.published.as_printed import AsPrinted


@Evidence(
    PUBLISHED,
    source="script of Privacy at Risk (PoPETs 2021), section 6, after Ligett et al. 2017",
    limits="The formula holds for the mean squared error plus penalty·(squared length of the coefficients), whose penalty grows"
    " with the rows: with four or more coefficients, or a penalty of at most 1/4, it is at or above the proven bound"
    " (coefficient_sensitivity), with fewer coefficients and a large penalty it can be too small. The published script"
    " fits another objective, whose penalty does not grow with the rows: there one income moves a coefficient by 0.990"
    " where 0.344 is used, and the intercept is released without noise, so what it releases is not epsilon-DP.",
)
def published_sensitivity(rows: int, *, penalty: float, k: int = 5) -> AsPrinted:
    """Return (1/√penalty + 1)·k/(rows·penalty), the bound that the published figure 6 was drawn with.

    Infinite where it is beyond the largest float. `rows`, 1 to 10^12, are fitted; the penalty, above 0 and at most 1e100, is the
    weight of the squared length of the coefficients beside the *mean* squared error. The script has 5 where k, 1 to 100,000,
    stands here, and five coefficients.

    >>> published_sensitivity(16_000, penalty=0.01)
    0.34375
    """
    number, columns, weight = of_ridge(rows, k, penalty)
    by = number * weight
    return (1.0 / math.sqrt(weight) + 1.0) * columns / by if by else math.inf
