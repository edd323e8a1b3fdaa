"""Noise as *Empirical Differential Privacy* calibrates it."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from par_core.evidence import PUBLISHED, Evidence
from par_core.parameters import check_numbers, like_input, together
from par_core.published.as_printed import AsPrinted


@Evidence(
    PUBLISHED,
    source="Empirical Differential Privacy (2020), Proposition 1",
    limits="Proposition 1 is false: the average in the denominator was bounded by its largest term. 40 points near 0 and one at 1 "
    "against one at 0 and 40 near 1 leave a log ratio of about ln 40 = 3.7 where 0.5 was wanted.",
)
def hausdorff_noise(distance: ArrayLike, *, epsilon: ArrayLike) -> AsPrinted:
    """Scale of the Laplace noise that Proposition 1 asks for: distance/epsilon, infinite beyond the largest float.

    `distance`, at least 0, is the Hausdorff distance of the answers with and without an individual, in their unit; `epsilon`, above
    0, the largest absolute log ratio of the densities that is wanted.
    """
    far, level = together(
        distance=check_numbers("distance", distance, at_least=0), epsilon=check_numbers("epsilon", epsilon, above=0)
    )
    with np.errstate(over="ignore"):
        return like_input(np.asarray(far / level))
