"""Random numbers from a seed: the same seed gives the same picture."""

from __future__ import annotations

import numpy as np

from par_core.errors import ParameterError
from par_core.parameters import check_integer, shown


def seeded(seed: int) -> np.random.Generator:
    """Return a generator for a seed, a whole number of at least 0."""
    return np.random.default_rng(check_integer("seed", seed, at_least=0))


def generator(rng: object) -> np.random.Generator:
    """Return `rng`; ParameterError unless it is a numpy random Generator."""
    if not isinstance(rng, np.random.Generator):
        raise ParameterError(f"rng must be a numpy random Generator, got {shown(rng)}")
    return rng
