"""One release as it is for a group of persons at once, where no closed form is known: by a bound that also composes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.evidence import PROVEN, Evidence, Result
from par_core.mechanisms.gaussian import Gaussian
from par_core.mechanisms.mechanism import GaussianGuarantee, Guarantee, Mechanism, Sampling, grown
from par_core.mechanisms.pure import Pure
from par_core.mechanisms.randomised_response import RandomisedResponse
from par_core.parameters import FloatOrArray, check_integer, check_type


@dataclass(frozen=True)
class Grouped(Mechanism, Result):
    """A mechanism as it is for a group of `size` persons, who together lose no more than `bound`; made by `Mechanism.for_group`.

    What one person loses at most, a level of epsilon0, is size·epsilon0 at most for all of them, and no mechanism loses more at that
    level than randomised response between two answers. Where the largest loss is infinite, what is μ-Gaussian differentially private is
    so with size·μ for a group.

    >>> from par_core.mechanisms import RandomisedResponse
    >>> group = RandomisedResponse(0.5, 4).for_group(3)
    >>> group.largest_loss, round(group.delta(1.0), 4)
    (1.5, 0.3217)
    """

    of: Mechanism
    size: int
    bound: Mechanism
    evidence = Evidence(
        PROVEN,
        source="group privacy (Vadhan 2017; Dong, Roth and Su 2022)",
        limits="a bound for any such mechanism; of randomised response, where each person answers, `compose` of as many is exact",
    )

    name: ClassVar[str] = "for a group"

    def __post_init__(self) -> None:
        check_type("of", self.of, Mechanism)
        check_integer("size", self.size, at_least=1)
        check_type("bound", self.bound, Mechanism)

    @property
    def guarantee(self) -> Guarantee | None:
        return self.bound.guarantee

    def sample(self, answer: ArrayLike, size: int, rng: np.random.Generator) -> NDArray[np.float64] | NDArray[np.int64]:
        return self.of.sample(answer, size, rng)

    @property
    def largest_loss(self) -> FloatOrArray:
        return self.bound.largest_loss

    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        return self.bound.delta(epsilon)

    def epsilon(self, delta: ArrayLike) -> FloatOrArray:
        return self.bound.epsilon(delta)

    def loss_exceeds(self, epsilon: ArrayLike, *, two_sided: bool = True) -> FloatOrArray:
        return self.bound.loss_exceeds(epsilon, two_sided=two_sided)

    def loss_within(self, epsilon: ArrayLike) -> FloatOrArray:
        return self.bound.loss_within(epsilon)

    def tradeoff(self, false_positive: ArrayLike) -> FloatOrArray:
        return self.bound.tradeoff(false_positive)

    @property
    def gaussian(self) -> GaussianGuarantee:
        return self.bound.gaussian

    @property
    def profile_is_exact(self) -> bool:
        return False

    @property
    def way_of_sampling(self) -> Sampling | None:
        return self.bound.way_of_sampling

    def directions(self) -> tuple[Mechanism, ...]:
        return self.bound.directions()

    def loses_at_least(self) -> Mechanism:
        """What one person of the group loses."""
        return self.of.loses_at_least()

    def for_group(self, size: int) -> Mechanism:
        return self.of.for_group(self.size * check_integer("size", size, at_least=1))


def grouped(of: Mechanism, size: int) -> Mechanism:
    """Return what `Mechanism.for_group` does where no closed form is known."""
    number = check_integer("size", size, at_least=1)
    if number == 1:
        return of
    pure = isinstance(of, Pure)
    return Grouped(
        of,
        number,
        RandomisedResponse(grown(number, of.largest_loss)) if pure else Gaussian(1.0, grown(number, of.gaussian.mu)),
    )
