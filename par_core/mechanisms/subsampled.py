"""A mechanism run on a random subset of the people, of whom nobody learns who is in it: amplification by subsampling.

With P and Q what the mechanism loses at worst with a person and without, and a person who is in the subset with probability q, the
release is (1 - q)·Q + q·P with that person and Q without. So a person who is removed has the privacy profile
q·delta(log(1 + (e^epsilon - 1)/q)), and one who is added a smaller one at every epsilon at least 0: with a = q - (1 - q)·(e^epsilon - 1)
it is a·delta(log(q·e^epsilon/a)), and 0 from epsilon = -log(1 - q) on. Both are proven for independent choices and neighbours of which one
table has a person more (Balle, Barthe and Gaboardi 2018, Poisson subsampling; as dominating pairs, which compose, Zhu, Dong and Wang
2022, Theorem 11). Where neighbours replace a person, and the subset has a fixed size, the profile is the larger one for every pair of
tables (Balle, Barthe and Gaboardi 2018, Theorem 9), and some pair has it: that of two tables in which all the others are like the new
person.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, Evidence, Result
from par_core.mechanisms.gaussian_dp import asked_levels, distance_of_profile, regret
from par_core.mechanisms.grouped import Grouped
from par_core.mechanisms.mechanism import (
    UNIT,
    Floats,
    GaussianGuarantee,
    Guarantee,
    Mechanism,
    Sampling,
    moved_until,
    signed,
    with_parameter,
)
from par_core.mechanisms.randomised_response import RandomisedResponse
from par_core.parameters import (
    FloatOrArray,
    check_choice,
    check_integer,
    check_numbers,
    check_type,
    like_input,
    together,
)

SAMPLINGS: Final[tuple[Sampling, ...]] = ("poisson", "without-replacement")
_PROFILE = 1e-11  # part by which a delta may be above the truth
_FAR = 500.0  # beyond it the exponential less 1 is the exponential
_LARGEST = 1e307
_HALVINGS = 100
_LEVELS = 2000  # at least, between which the trade-off is taken for straight


@dataclass(frozen=True)
class Subsampled(Mechanism, Result):
    """A mechanism run on a random subset, which each person is in with probability `share`, above 0 and at most 1.

    `delta` and all that follows from it are those of the worse of the two directions at each epsilon, and exact where those of the
    mechanism are; the largest loss is infinite where that of the mechanism is. What several releases lose is exact, but for rounding up,
    for "poisson": each direction is composed, and the larger one counts. For "without-replacement" no pair of tables is known to be the
    worst one of several releases; they are bounded by a law that has both directions in it, and what they lose at least is that of the
    pair above.

    >>> sampled = Subsampled(RandomisedResponse(1.0), 0.25, "without-replacement")
    >>> round(sampled.largest_loss, 4), round(sampled.delta(0.2), 4)
    (0.3574, 0.056)
    """

    of: Mechanism
    share: FloatOrArray
    sampling: Sampling = "poisson"
    evidence = Evidence(
        PROVEN,
        source="amplification by subsampling (Balle, Barthe and Gaboardi 2018; Zhu, Dong and Wang 2022, Theorem 11)",
        limits="nobody learns who is in the subset; Poisson sampling for neighbours that add or remove a person, a subset of fixed size "
        "for those that replace one",
    )

    name: ClassVar[str] = "subsampled"

    def __post_init__(self) -> None:
        part = check_numbers("share", self.share, above=0.0, at_most=1.0)
        check_choice("sampling", self.sampling, SAMPLINGS)
        together(share=part, mechanism=np.asarray(check_type("of", self.of, Mechanism).advantage))
        object.__setattr__(self, "share", like_input(part))

    @property
    def guarantee(self) -> Guarantee | None:
        """Return that of the mechanism, amplified."""
        if (whole := self.of.guarantee) is None:
            return None
        level = _shrunk(np.asarray(whole.epsilon), self._share) * (1.0 + 8 * UNIT)
        return Guarantee(like_input(level), like_input(np.minimum(self._share * whole.delta * (1.0 + 2 * UNIT), 1.0)))

    def sample(self, answer: ArrayLike, size: int, rng: np.random.Generator) -> NDArray[np.float64] | NDArray[np.int64]:
        """As of the mechanism; the answer is that about the subset, which has been drawn before."""
        return self.of.sample(answer, size, rng)

    # --- privacy loss ---

    @property
    def largest_loss(self) -> FloatOrArray:
        with np.errstate(invalid="ignore"):
            found = _shrunk(np.asarray(self.of.largest_loss), self._share) * (1.0 + 8 * UNIT)
        return like_input(np.where(self._share < 1.0, found, self.of.largest_loss))

    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        """Smallest delta that goes with epsilon: share·delta(log(1 + (e^epsilon - 1)/share)) of the mechanism."""
        level, part = with_parameter("epsilon", check_numbers("epsilon", epsilon, at_least=0.0), share=self.share)
        found = part * np.asarray(self.of.delta(_stretched(level, part))) * (1.0 + 2 * UNIT)
        return like_input(np.where(level < self.largest_loss, np.minimum(found, 1.0), 0.0))

    def epsilon(self, delta: ArrayLike) -> FloatOrArray:
        """Smallest epsilon that goes with delta, in [0, 1]; InfeasibleError as the mechanism has it for delta/share."""
        aim, part = with_parameter("delta", check_numbers("delta", delta, at_least=0.0, at_most=1.0), share=self.share)
        most = np.asarray(self.largest_loss)
        with np.errstate(over="ignore"):
            wish = np.minimum(aim / part, 1.0)
        found = np.minimum(_shrunk(np.asarray(self.of.epsilon(wish)), part), most)
        return like_input(moved_until(lambda each: self.delta(each) <= aim, found, toward=most))

    def loss_exceeds(self, epsilon: ArrayLike, *, two_sided: bool = True) -> FloatOrArray:
        """Probability that the loss is larger than epsilon, in size or as it is, in the direction in which that is likelier.

        Where the mechanism stands for several, and where its own loss has a probability of its own at a level, a bound of it.
        """
        level, part = with_parameter("epsilon", signed(epsilon, two_sided=two_sided), share=self.share)
        removed, added = self._beyond(level, part)
        if two_sided:
            lower_removed, lower_added = self._below(level, part)
            removed, added = removed + lower_removed, added + lower_added
        found = np.minimum(np.maximum(removed, added) * (1.0 + 32 * UNIT), 1.0)
        return like_input(np.where(level < self.largest_loss, found, 0.0))

    def loss_within(self, epsilon: ArrayLike) -> FloatOrArray:
        """Probability that the loss stays within ±epsilon, at least 0; small ones lose digits, on the safe side."""
        level = check_numbers("epsilon", epsilon, at_least=0.0)
        return like_input(np.maximum(1.0 - np.asarray(self.loss_exceeds(level)) - 2 * UNIT, 0.0))

    def _beyond(self, level: Floats, part: Floats) -> tuple[Floats, Floats]:
        """P(loss > level), of a person who is removed and of one who is added."""
        away, near = _stretched(level, part), _turned(level, part)
        removed = part * self._of_both(away) + (1.0 - part) * self._of_neighbour(away)
        added = self._of_both(near)
        gone = np.expm1(np.minimum(-level, _FAR)) <= -part  # the loss of an added person is at most -log(1 - share)
        return np.where(np.expm1(np.minimum(level, _FAR)) <= -part, 1.0, removed), np.where(gone, 0.0, added)

    def _below(self, level: Floats, part: Floats) -> tuple[Floats, Floats]:
        """P(loss < -level) for a level at least 0, of a person who is removed and of one who is added."""
        away, near = _stretched(level, part), _turned(level, part)
        # What one of the two tables loses the other one gains: the same releases, as likely as under the other table.
        removed = (1.0 - part) * self._of_both(near) + part * self._of_neighbour(near)
        gone = np.expm1(-level) <= -part
        return np.where(gone, 0.0, removed), self._of_neighbour(away)

    def _of_both(self, level: Floats) -> Floats:
        """P(loss > level) of the mechanism, of either sign."""
        return np.asarray(self.of.loss_exceeds(level, two_sided=False))

    def _of_neighbour(self, level: Floats) -> Floats:
        """P(loss > level) where the neighbour is the true table: e^-level·(P - delta) above 0, and by symmetry below."""
        here = np.maximum(level, 0.0)
        chance = self._of_both(here)
        if self.of.loses_at_least() is not self.of:  # of several pairs the chance is the largest one, not that of each
            return np.where(level >= 0.0, np.exp(-here) * chance, 1.0)
        above = np.exp(-here) * (chance - np.asarray(self.of.delta(here)) * (1.0 - _PROFILE))
        below = 1.0 - self._of_both(np.maximum(-level, 0.0)) * (1.0 - _PROFILE)
        return np.where(level >= 0.0, above, below)

    def tradeoff(self, false_positive: ArrayLike) -> FloatOrArray:
        """Smallest false-negative rate in either direction: share·f + (1 - share)·(1 - rate) with f that of the mechanism, or its inverse.

        Dong, Roth and Su (2022), amplification by subsampling, without the convex hull of both: each attack knows which of the two tables
        has the person.
        """
        rate, part = with_parameter(
            "false_positive",
            check_numbers("false_positive", false_positive, at_least=0.0, at_most=1.0),
            share=self.share,
        )

        def missed(at: Floats) -> Floats:
            return np.asarray(part * self.of.tradeoff(at) + (1.0 - part) * (1.0 - at))

        low, high = np.zeros(rate.shape), np.ones(rate.shape)
        for _ in range(_HALVINGS):  # to where the falling curve is at the rate, from below
            middle = 0.5 * (low + high)
            above = missed(middle) > rate
            low, high = np.where(above, middle, low), np.where(above, high, middle)
        return like_input(np.clip(np.minimum(missed(rate), low) * (1.0 - 4 * UNIT), 0.0, 1.0 - rate))

    @property
    def gaussian(self) -> GaussianGuarantee:
        """As of any mechanism; without a largest loss μ is that of the mechanism, which rare releases come up to."""
        most, top, part = np.broadcast_arrays(self.of.gaussian.mu, self.of.largest_loss, self._share)
        endless = np.isinf(top).any()
        if endless:
            asked = asked_levels(most, top)
            beyond = np.linspace(0.0, 1.0, 201)[1:].reshape(-1, *[1] * most.ndim)
            asked = np.concatenate([asked, asked[-1] + beyond * (1.0 - np.log(part))])
        else:  # straight between levels of the mechanism is straight between those that they become: its own are asked for
            own = self.of.loss_steps or 1
            cuts = own * -(-_LEVELS // own)
            asked = (np.arange(cuts + 1) / cuts).reshape(-1, *[1] * most.ndim) * top
        high = np.minimum(part * np.asarray(self.of.delta(asked)) * (1.0 + 2 * UNIT), 1.0)
        low = high * (1.0 - _PROFILE) * self.profile_is_exact
        level = _shrunk(asked, part)
        mu = most if endless else np.clip(distance_of_profile(level, high), np.finfo(float).tiny, most)
        with np.errstate(divide="ignore", invalid="ignore"):  # where a share is next to nothing all levels are 0
            left_out = np.nan_to_num(regret(mu, level, low, high), nan=1.0)
        return GaussianGuarantee(like_input(mu), like_input(left_out))

    # --- several of them ---

    @property
    def profile_is_exact(self) -> bool:
        return self.of.profile_is_exact

    @property
    def way_of_sampling(self) -> Sampling | None:
        return self.sampling

    def directions(self) -> tuple[Mechanism, ...]:
        if self.sampling != "poisson" or np.max(self.share) == 1.0:
            return (self,)
        return tuple(_OneDirection(self.of, self.share, self.sampling, removed) for removed in (True, False))

    def loses_at_least(self) -> Mechanism:
        """With a fixed size what a person loses who is chosen independently: the pair of tables that has the profile has this law."""
        least = self.of.loses_at_least()
        if self.sampling == "poisson" and least is self.of:
            return self
        return replace(self, of=least, sampling="poisson")

    def subsampled(self, share: ArrayLike, *, sampling: Sampling = "poisson") -> Mechanism:
        if check_choice("sampling", sampling, SAMPLINGS) != self.sampling:
            raise ParameterError(
                f"sampling must be {self.sampling!r}, as before: each is for neighbours of its own, got {sampling!r}"
            )
        part, before = together(share=check_numbers("share", share, above=0.0, at_most=1.0), before=self._share)
        return replace(self, share=like_input(np.minimum(np.nextafter(part * before, 1.0), 1.0)))

    def for_group(self, size: int) -> Mechanism:
        """Return a bound: the mechanism for the group, on a subset that has any of them in it.

        That is so with probability 1 - (1 - share)^size at most, and what is then released is that of a group of at most `size`.
        """
        number = check_integer("size", size, at_least=1)
        if number == 1:
            return self
        part = (
            number * self._share * (1.0 + UNIT)
        )  # of a table of any size, from which a subset of a fixed size is drawn
        if self.sampling == "poisson":
            with np.errstate(divide="ignore"):
                part = -np.expm1(number * np.log1p(-self._share)) * (1.0 + 8 * UNIT)
        bound = replace(self, of=self.of.for_group(number), share=like_input(np.minimum(part, 1.0)))
        return Grouped(self, number, bound)

    @property
    def _share(self) -> Floats:
        return np.asarray(self.share)


def subsampled(of: Mechanism, share: ArrayLike, *, sampling: Sampling) -> Mechanism:
    """Return what `Mechanism.subsampled` does."""
    part = like_input(check_numbers("share", share, above=0.0, at_most=1.0))
    check_choice("sampling", sampling, SAMPLINGS)
    inner = of
    while isinstance(inner, Subsampled | Grouped):
        inner = inner.of
    if isinstance(inner, RandomisedResponse) and sampling == "poisson":
        raise ParameterError(
            "sampling must be 'without-replacement' for randomised response, got 'poisson': the number of answers tells whether a person "
            "was added"
        )
    return of if np.min(part) == 1.0 else Subsampled(of, part, sampling)


@dataclass(frozen=True)
class _OneDirection(Subsampled):
    """What a person loses who is removed, or who is added."""

    removed: bool = True

    def delta(self, epsilon: ArrayLike) -> FloatOrArray:
        if self.removed:
            return super().delta(epsilon)
        level, part = with_parameter("epsilon", check_numbers("epsilon", epsilon, at_least=0.0), share=self.share)
        left = part - (1.0 - part) * np.expm1(np.minimum(level, _FAR))
        found = (left + 4 * UNIT * part) * np.asarray(self.of.delta(np.maximum(_turned(level, part), 0.0)))
        return like_input(np.where((left > 0.0) & (level < self.largest_loss), np.minimum(found, 1.0), 0.0))

    def directions(self) -> tuple[Mechanism, ...]:
        return (self,)

    def exchanged(self) -> Mechanism:
        return replace(self, removed=not self.removed)


def _shrunk(level: Floats, share: Any) -> Floats:
    """log(1 + share·(e^level - 1)): what a level of the mechanism is after sampling; at least 0."""
    with np.errstate(divide="ignore"):
        near = np.log1p(share * np.expm1(np.minimum(level, _FAR)))
        return np.asarray(np.where(level < _FAR, near, np.logaddexp(np.log1p(-share), level + np.log(share))))


def _stretched(level: Floats, share: Any) -> Floats:
    """log(1 + (e^level - 1)/share), the other way round, lowered by what rounding can do; minus a large number where there is none."""
    with np.errstate(over="ignore", divide="ignore", invalid="ignore"):
        near = np.log1p(np.maximum(np.expm1(np.minimum(level, _FAR)) / share, -1.0))
        found = np.clip(np.where(level < _FAR, near, level - np.log(share)), -_LARGEST, _LARGEST)
    return np.asarray(np.clip(found - 8 * UNIT * np.abs(found), -_LARGEST, _LARGEST))


def _turned(level: Floats, share: Any) -> Floats:
    """-log(1 + (e^-level - 1)/share), lowered by what rounding can do: what a level of a person who is added is in the mechanism."""
    found = -_stretched(-level, share)
    return np.asarray(
        np.clip(found - 32 * UNIT * (np.abs(found) + np.exp(np.minimum(found, 50.0))), -_LARGEST, _LARGEST)
    )
