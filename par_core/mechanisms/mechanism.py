"""What every page, accountant and planner may ask of a mechanism, whichever it is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, Literal, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result, Stated, quantities, stated
from par_core.parameters import FloatOrArray, check_integer, check_numbers, check_type, like_input, together

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Norm = Literal["L1", "L2"]
Sampling = Literal["poisson", "without-replacement"]
Floats = NDArray[np.float64]

UNIT = 2.0**-53  # relative rounding error of one operation
_DOUBLINGS = 64
_MOST_DRAWN = 10**8  # answers of one call: 0.8 GB


@dataclass(frozen=True)
class Guarantee(Result):
    """(epsilon, delta)-differential privacy that a mechanism was calibrated to."""

    epsilon: FloatOrArray
    delta: FloatOrArray
    evidence = Evidence(PROVEN, source="calibration of the mechanism")


@dataclass(frozen=True)
class GaussianGuarantee(Result):
    """μ-Gaussian differential privacy, and how much it leaves unsaid.

    `mu` is the smallest μ for which no attack beats its best one on Gaussian noise of deviation 1 whose neighbours are μ apart, rounded
    up; a bound of it where noise without a largest loss is composed with other releases. `regret`, from 0 to 1, is by how much at most
    both error rates of an attack are larger than for this Gaussian noise (the smallest shift of the trade-off function, down and to the
    left, that puts it nowhere above), rounded up; 0 for Gaussian noise.
    """

    mu: FloatOrArray
    regret: FloatOrArray
    QUANTITIES = quantities(mu=stated("number", "up"), regret=stated("share", "up"))
    evidence = Evidence(
        PROVEN,
        source="Gaussian differential privacy (Dong, Roth and Su 2022), regret of Gomez and others 2025",
        limits="worst-case neighbours",
    )


@runtime_checkable
class PrivacyLoss(Protocol):
    """Questions about the privacy loss of one release, or of many together, for worst-case neighbours.

    The loss of a release is the logarithm of how much likelier it is under the true database than under its neighbour. Arguments
    are scalars or arrays that broadcast against the parameters of the mechanism; a scalar in gives a float out. Every answer is
    rounded to the side on which it promises less; a delta is above the truth by a part in 10^11 at most, as long as the largest
    advantage of an attack is not 1 to the last digit.
    """

    QUANTITIES: ClassVar[Mapping[str, Stated]] = quantities(
        loss_within=stated("share", "down"), loss_exceeds=stated("share", "up"), posterior=stated("share", "up")
    )

    @property
    @abstractmethod
    def largest_loss(self) -> FloatOrArray:
        """No release loses more; infinite where there is no such level."""

    @abstractmethod
    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        """Smallest delta that goes with epsilon, at least 0: the privacy profile, or hockey-stick divergence."""

    @abstractmethod
    def epsilon(self, delta: ArrayLike) -> FloatOrArray:
        """Smallest epsilon that goes with delta, in [0, 1]; put back in, it meets the wish."""

    @abstractmethod
    def loss_exceeds(self, epsilon: ArrayLike, *, two_sided: bool = True) -> FloatOrArray:
        """Probability that the loss is larger than epsilon, in size (epsilon at least 0) or, one-sided, as it is (any epsilon)."""

    @abstractmethod
    def tradeoff(self, false_positive: ArrayLike) -> FloatOrArray:
        """Smallest false-negative rate of any attack that has the given false-positive rate, in [0, 1]."""

    @property
    @abstractmethod
    def gaussian(self) -> GaussianGuarantee:
        """Return the least Gaussian differential privacy that says nothing false of these releases, and what it leaves unsaid."""

    @property
    def advantage(self) -> FloatOrArray:
        """Largest true-positive rate minus false-positive rate that any attack can have."""
        return self.delta(0.0)

    def posterior(self, prior: ArrayLike) -> FloatOrArray:
        """Strongest belief that a release can leave in an observer who started from `prior`, in [0, 1].

        With noise whose loss has no largest value that is 1 for every prior above 0.
        """
        return max_posterior(prior, np.minimum(self.largest_loss, np.finfo(float).max))


@runtime_checkable
class Mechanism(PrivacyLoss, Protocol):
    """What publishes one answer about a table, and loses some privacy by that."""

    name: ClassVar[str]

    def __hash__(self) -> int:
        return object.__hash__(self)  # frozen dataclasses put that of their fields in its place

    @property
    @abstractmethod
    def guarantee(self) -> Guarantee | None:
        """What the mechanism was calibrated to; None where its parameter was given instead."""

    @abstractmethod
    def sample(self, answer: ArrayLike, size: int, rng: np.random.Generator) -> NDArray[np.float64] | NDArray[np.int64]:
        """Draw `size` released answers, at most 10^8; shape (size, *shape of the answer).

        For simulations and demonstrations. The last digits of floats, and a source of randomness that can be foreseen, give
        secrets away: what is published is drawn by a production library.
        """

    @abstractmethod
    def loss_within(self, epsilon: ArrayLike) -> FloatOrArray:
        """Probability that the loss stays within ±epsilon, at least 0, with full relative accuracy where it is small."""

    @property
    def loss_steps(self) -> int | None:
        """Into how many equal steps the largest loss is cut by the levels at which the loss has a probability of its own.

        None where it has none, or where the mechanism stands for several.
        """
        return None

    @property
    def loss_is_discrete(self) -> bool:
        """Whether the loss takes no other levels."""
        return False

    def loses_at_least(self) -> Mechanism:
        """What a release loses at least for some neighbours: itself, where one pair of them is the worst at every epsilon."""
        return self

    def with_same_delta(self) -> Mechanism:
        """Return the simplest mechanism with the same delta at each epsilon: one where others differ in what moves no loss."""
        return self

    @property
    def profile_is_exact(self) -> bool:
        """Whether some neighbours have the delta that is said at each epsilon; else it is a bound above that of all of them."""
        return True

    def directions(self) -> tuple[Mechanism, ...]:
        """What releases lose in each of the two directions, in both of which they must be composed; itself where these are alike.

        Of two, the first is that of a person who is removed, the second that of one who is added.
        """
        return (self,)

    @property
    def way_of_sampling(self) -> Sampling | None:
        """How the people were drawn on whom it is run; None where it is run on all of them."""
        return None

    def exchanged(self) -> Mechanism:
        """Return the release in the other direction: with the true database and its neighbour in each other's place."""
        return self

    # --- the same release on a random part of the people, and for several of them at once ---

    def subsampled(self, share: ArrayLike, *, sampling: Sampling = "poisson") -> Mechanism:
        """Return this mechanism run on a random subset of the people, whom nobody learns: each is in it with probability `share`.

        share is above 0 and at most 1, a number or an array. With "poisson" each person is in it independently, and neighbours are
        tables of which one has a person more: the mechanism must have been calibrated for these. With "without-replacement" it has a
        fixed size, that share of the table, and neighbours replace one person. Where nothing is left out it is the mechanism itself.
        `subsampled.Subsampled` says what is exact. After `for_group` a group would be in it as a whole: of persons who are drawn one by
        one, draw first.

        >>> from par_core.mechanisms import Laplace
        >>> round(Laplace(1.0).subsampled(0.1).largest_loss, 4)  # log(1 + 0.1·(e - 1))
        0.1586
        """
        made: Mechanism = import_module("par_core.mechanisms.subsampled").subsampled(self, share, sampling=sampling)
        return made

    def for_group(self, size: int) -> Mechanism:
        """Return the same release as it is for a group of `size` persons, from 1 on: neighbours differ by as many of them.

        Exact for noise and the exponential mechanism, which are moved by so many times the sensitivity; else a proven bound, of which
        `grouped.Grouped` says how it comes about.

        >>> from par_core.mechanisms import Gaussian, Laplace
        >>> Laplace(0.5).for_group(4), Gaussian(2.0).for_group(3).mu.__round__(4)
        (Laplace(epsilon0=2.0, sensitivity=4.0), 1.5)
        """
        made: Mechanism = import_module("par_core.mechanisms.grouped").grouped(self, size)
        return made

    def repeated(self, times: int) -> Mechanism | None:
        """Return one mechanism that loses as much as so many releases together; None where there is no closed form."""
        check_integer("times", times, at_least=1)
        return None

    def joined(self, other: Mechanism) -> Mechanism | None:
        """Return one mechanism that loses as much as a release of each; None where there is no closed form."""
        check_type("other", other, Mechanism)
        return None


@runtime_checkable
class Noise(Mechanism, Protocol):
    """Noise that is added to each number of an answer."""

    norm: ClassVar[Norm]

    def __hash__(self) -> int:
        return object.__hash__(self)

    @classmethod
    @abstractmethod
    def for_epsilon(cls, epsilon0: ArrayLike, *, sensitivity: ArrayLike, delta: ArrayLike = 0.0) -> Self:
        """Return the least noise of this kind that is (epsilon0, delta)-differentially private.

        epsilon0 is above 0, as is the sensitivity: how far neighbours move the whole answer at most, in its unit and in the norm of the
        noise. delta is at least 0 and below 1; noise that needs none leaves it unused, and its guarantee is that of 0.
        """

    @classmethod
    @abstractmethod
    def with_scale(cls, scale: ArrayLike) -> Self:
        """Return noise of a scale above 0, for a sensitivity of 1."""

    @classmethod
    @abstractmethod
    def epsilon_for_scale(cls, scale: ArrayLike, *, sensitivity: ArrayLike, delta: ArrayLike = 0.0) -> FloatOrArray:
        """Smallest epsilon0 for which noise of this scale is enough, but for rounding; 0 where every one will do."""

    @property
    @abstractmethod
    def scale(self) -> FloatOrArray:
        """Return b of Laplace noise or σ of Gaussian noise, in the unit of the answer; infinite beyond the largest float."""

    @property
    @abstractmethod
    def mean_error(self) -> FloatOrArray:
        """Mean absolute error of one number, in the unit of the answer."""

    def error_quantile(self, share: ArrayLike) -> FloatOrArray:
        """One number is off by at most this with probability `share`, above 0 and below 1."""
        return self.all_error(share, 1)

    @abstractmethod
    def all_error(self, share: ArrayLike, k: int) -> FloatOrArray:
        """No one of k numbers is off by more than this with probability `share`, above 0 and below 1."""

    @abstractmethod
    def log_density(self, off: ArrayLike) -> FloatOrArray:
        """Logarithm of the density of one number's error, `off`, per unit of the answer; of its probability where errors are whole."""

    @abstractmethod
    def loss_at(self, off: ArrayLike) -> FloatOrArray:
        """Privacy loss of a number that is off by this, where it is the one that moves: by the whole sensitivity, upwards."""

    def total_error(self, share: float, k: int) -> FloatOrArray:
        """The sum of k numbers is off by at most this with probability `share`, above 0 and below 1; of whole numbers an upper bound."""

    @abstractmethod
    def mean_total_error(self, k: int) -> FloatOrArray:
        """Mean absolute error of the sum of k numbers; of whole numbers an upper bound."""

    @abstractmethod
    def exceeds(self, off: ArrayLike) -> FloatOrArray:
        """Probability that one number is off by more than this, at least 0."""

    @abstractmethod
    def mean_beyond(self, off: ArrayLike) -> FloatOrArray:
        """Return the mean of what the noise is above a value, at least 0 (and whole for whole numbers): of max(noise - off, 0)."""

    @staticmethod
    def difference_tail(value: ArrayLike, scale1: ArrayLike, scale2: ArrayLike) -> FloatOrArray:
        """P(X1 - X2 > value), at least 0, for independent noise of two scales, one of which may be 0; None without a closed form."""
        of_difference(value, scale1, scale2)
        return None


@Evidence(PROVEN, source="Bayes' rule, likelihood ratio exp(epsilon)", limits="pure epsilon-differential privacy").of(
    "share", "up"
)
def max_posterior(prior: ArrayLike, epsilon: ArrayLike) -> FloatOrArray:
    """Strongest belief that releases which lose at most epsilon can leave in an observer who started from `prior`, in [0, 1].

    The prior is the probability that the observer gives to the true database (against one neighbour) before the release.
    """
    belief = check_numbers("prior", prior, at_least=0.0, at_most=1.0)
    level = check_numbers("epsilon", epsilon, at_least=0.0)
    belief, level = together(prior=belief, epsilon=level)
    doubt = (1.0 - belief) * np.exp(-level)
    total = belief + doubt  # 0 only where the belief is 0 and the exponential has underflowed
    found = np.minimum(belief / np.where(total > 0.0, total, 1.0) * (1.0 + 8 * UNIT), 1.0)
    return like_input(np.where((belief > 0.0) & (level > 0.0), found, belief))


def with_parameter(name: str, value: Floats, **parameters: Any) -> tuple[Floats, ...]:
    """Return a checked argument and the parameters of a mechanism in their common shape."""
    arrays = {each: np.asarray(parameter) for each, parameter in parameters.items()}
    return together(**{name: value}, **arrays)


def grown(size: int, value: ArrayLike) -> Any:
    """Return a level or a sensitivity times the size of a group, rounded up and at most the largest float; a whole one stays whole."""
    number, one = check_integer("size", size, at_least=1), np.asarray(value)
    if one.dtype.kind in "iu":
        return (one * number).item() if one.ndim == 0 else one * number
    with np.errstate(over="ignore"):
        found = np.minimum(one * number, np.finfo(float).max)
        return like_input(np.where(found / number < one, np.nextafter(found, np.inf), found))


def wrong_in_exponent(rate: Floats, level: Floats) -> Floats:
    """Return by how much rounding can move the logarithm of a rate to which a level is added, where that is no more than a rate."""
    with np.errstate(divide="ignore"):
        return UNIT * (4.0 + 2.0 * np.minimum(-np.log(rate), 750.0) + np.minimum(level, 1500.0))


def tail_of_each(share: ArrayLike, k: int) -> tuple[Floats, Floats]:
    """Return how likely each of k independent errors may stay within, and exceed, what all stay within with probability `share`."""
    logarithm = np.log(check_numbers("share", share, above=0.0, below=1.0)) / check_integer("k", k, at_least=1)
    return np.exp(logarithm), -np.expm1(logarithm)


def signed(epsilon: ArrayLike, *, two_sided: bool) -> Floats:
    """Return the level of `loss_exceeds`, which may be below 0 where the loss is asked for with its sign."""
    if not isinstance(two_sided, bool):
        raise ParameterError(f"two_sided must be True or False, got {two_sided!r}")
    return check_numbers("epsilon", epsilon, at_least=0.0) if two_sided else check_numbers("epsilon", epsilon)


def of_difference(value: ArrayLike, scale1: ArrayLike, scale2: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Return the value of `difference_tail`, the wider scale and the narrower one."""
    off = check_numbers("value", value, at_least=0.0)
    one, two = check_numbers("scale1", scale1, at_least=0.0), check_numbers("scale2", scale2, at_least=0.0)
    off, one, two = together(value=off, scale1=one, scale2=two)
    return off, np.maximum(np.maximum(one, two), np.finfo(float).tiny), np.minimum(one, two)


def releases(answer: ArrayLike, size: int, rng: np.random.Generator) -> tuple[Floats, int]:
    """Return the checked arguments of `sample`."""
    if not isinstance(rng, np.random.Generator):
        raise ParameterError(f"rng must be a numpy random Generator, got {rng!r}")
    return check_numbers("answer", answer), check_integer("size", size, at_least=1, at_most=_MOST_DRAWN)


def moved_until(meets: Callable[[Floats], Any], found: Floats, *, toward: Floats | float = np.inf) -> Floats:
    """Return `found`, moved from where a wish is missed by rounding, a few last digits at first, until it is met.

    It goes no further than `toward`, where the wish is met for certain if that is finite.
    """
    for doubling in range(_DOUBLINGS):
        short = ~np.asarray(meets(found))
        if not short.any():
            return found
        with np.errstate(over="ignore"):  # next to the largest float
            step = np.ldexp(np.spacing(np.abs(found)), doubling)
            moved = np.where(toward >= found, np.minimum(found + step, toward), np.maximum(found - step, toward))
        found = np.where(short, moved, found)
    return np.where(short, toward, found)


# Of a protocol, isinstance asks for every property, and some of them take a while.
def is_mechanism(value: object) -> TypeIs[Mechanism]:
    """Whether it is a mechanism."""
    return Mechanism in type(value).__mro__ or (hasattr(value, "loss_exceeds") and isinstance(value, Mechanism))


def is_noise(value: object) -> TypeIs[Noise]:
    """Whether it is noise that is added to numbers."""
    return Noise in type(value).__mro__ or (hasattr(value, "all_error") and isinstance(value, Noise))
