"""What mechanisms have in common that choose one of several candidates by its utility."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence
from par_core.mechanisms.mechanism import Floats
from par_core.mechanisms.pure import Pure
from par_core.parameters import FloatOrArray, check_numbers, like_input, shown, together


@dataclass(frozen=True)
class Selection(Pure):
    """A choice at epsilon0; neighbours move the utility of a candidate by the sensitivity at most, in its unit. Both are above 0."""

    epsilon0: FloatOrArray
    sensitivity: FloatOrArray = 1.0
    evidence = Evidence(PROVEN, source="law of the choice")

    def __post_init__(self) -> None:
        level, moves = (
            check_numbers("epsilon0", self.epsilon0, above=0.0),
            check_numbers("sensitivity", self.sensitivity, above=0.0),
        )
        together(epsilon0=level, sensitivity=moves)
        object.__setattr__(self, "epsilon0", like_input(level))
        object.__setattr__(self, "sensitivity", like_input(moves))

    @classmethod
    def for_epsilon(cls, epsilon0: ArrayLike, *, sensitivity: ArrayLike = 1.0) -> Self:
        """Return the sharpest choice that is epsilon0-differentially private whatever the utilities."""
        return cls(epsilon0, sensitivity)

    def _exponents(self, utilities: ArrayLike) -> Floats:
        """Return how far each utility is below the best of its list, in units of 2·sensitivity/epsilon0: 0 and below."""
        value = check_numbers("utilities", utilities)
        if value.ndim == 0 or np.ndim(self.epsilon0) or np.ndim(self.sensitivity):
            raise ParameterError(f"utilities must be a list of numbers, for single parameters, got {shown(utilities)}")
        with np.errstate(over="ignore"):
            return np.asarray((value - value.max(axis=-1, keepdims=True)) / self.sensitivity * (0.5 * self.epsilon0))
