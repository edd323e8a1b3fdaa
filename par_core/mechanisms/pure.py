"""What mechanisms have in common that need no delta: they are calibrated to a level, and no release loses more."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.evidence import PROVEN, Evidence, Result
from par_core.mechanisms.gaussian_dp import asked_levels, distance, regret
from par_core.mechanisms.mechanism import (
    Floats,
    GaussianGuarantee,
    Guarantee,
    Mechanism,
    Noise,
    Norm,
    grown,
)
from par_core.old_names import old_attribute
from par_core.parameters import FloatOrArray, check_numbers, like_input, together

_PROFILE = 1e-11  # part by which a delta may be above the truth


class Pure(Mechanism, Result):
    """A mechanism that is epsilon0-differentially private, and no better."""

    epsilon0: FloatOrArray

    @property
    def guarantee(self) -> Guarantee:
        return Guarantee(self.epsilon0, 0.0)

    @property
    def largest_loss(self) -> FloatOrArray:
        return self.epsilon0

    @property
    def gaussian(self) -> GaussianGuarantee:
        mu = distance(*(np.asarray(each) for each in self._corner()))
        level = asked_levels(mu, self.epsilon0, step=np.divide(self.epsilon0, self.loss_steps or 1))
        high = np.asarray(self.delta(level))
        return GaussianGuarantee(like_input(mu), like_input(regret(mu, level, high * (1.0 - _PROFILE), high)))

    @abstractmethod
    def _corner(self) -> tuple[Floats, Floats, Floats]:
        """Where the trade-off comes closest to that of Gaussian noise.

        Logarithm of a false-positive rate, normal quantile of the true-positive rate of the best attack with it, how much larger that is.
        """


@dataclass(frozen=True)
class PureNoise(Pure, Noise):
    """Noise of scale sensitivity/epsilon0, each a number above 0 or an array; the sensitivity is of the whole answer, in L1."""

    epsilon0: FloatOrArray
    sensitivity: FloatOrArray = 1.0
    evidence = Evidence(PROVEN, source="distribution of the noise")

    norm: ClassVar[Norm] = "L1"
    error = old_attribute("error", "error_quantile")

    def __post_init__(self) -> None:
        level, moves = check_numbers("epsilon0", self.epsilon0, above=0.0), self._moves()
        together(epsilon0=level, sensitivity=moves)
        object.__setattr__(self, "epsilon0", like_input(level))
        object.__setattr__(self, "sensitivity", moves.item() if moves.ndim == 0 else moves)

    def _moves(self) -> NDArray[Any]:
        """The checked sensitivity."""
        return check_numbers("sensitivity", self.sensitivity, above=0.0)

    @classmethod
    def for_epsilon(cls, epsilon0: ArrayLike, *, sensitivity: ArrayLike, delta: ArrayLike = 0.0) -> Self:
        check_numbers("delta", delta, at_least=0.0, below=1.0)
        return cls(epsilon0, sensitivity)

    @classmethod
    def with_scale(cls, scale: ArrayLike) -> Self:
        width = check_numbers("scale", scale, above=0.0)
        with np.errstate(over="ignore"):
            return cls(np.minimum(1.0 / width, np.finfo(float).max))

    @classmethod
    def epsilon_for_scale(cls, scale: ArrayLike, *, sensitivity: ArrayLike, delta: ArrayLike = 0.0) -> FloatOrArray:
        width, moves = together(
            scale=check_numbers("scale", scale, above=0.0),
            sensitivity=check_numbers("sensitivity", sensitivity, above=0.0),
        )
        check_numbers("delta", delta, at_least=0.0, below=1.0)
        with np.errstate(over="ignore"):
            return like_input(np.minimum(moves / width, np.finfo(float).max))

    @property
    def scale(self) -> FloatOrArray:
        with np.errstate(over="ignore"):
            return like_input(np.divide(self.sensitivity, self.epsilon0))

    def for_group(self, size: int) -> Self:
        return type(self)(grown(size, self.epsilon0), grown(size, self.sensitivity))
