"""What a steward can accept: of each wish its number, and what a scenario reaches of it.

A wish is met where what is reached is at most its number. Errors are those of one release, everything else is about all planned releases
together, by exact composition.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from par_core.composition.brackets import SMALLEST_DELTA
from par_core.composition.composed import SMALLEST_COMPOSED
from par_core.composition.planned_releases import counted
from par_core.cost import CostModel
from par_core.cost.confidence import GIVEN, NOT_EXPECTED
from par_core.errors import ParameterError
from par_core.evidence import MODEL, PROVEN, Evidence, Stated, stated
from par_core.mechanisms import NOISES, Noise, drawn
from par_core.parameters import check_integer, check_number, check_type
from par_core.plan import PlanScenario
from par_core.risk.attacks import believed_after, lost, spent
from par_core.scenario import Scenario

# Where a breach may be priced: at so many levels after several releases, and with this step of their logarithms after one,
_LEVELS, _STEP = 64, 0.01
_NEAR, _FAR = 0.003, 1e-290  # from this part on of the largest loss, or of the epsilon that goes with this delta,
_LARGEST_WHOLE = 2**53
_STEPS_OF_PLAN = 1000
_PROBED = 0.3  # and first where it costs this part of the most
_ANY_NEIGHBOURS = "worst-case neighbours in every release"


class Wish(ABC):
    """What every wish answers; `upper` says whether it holds epsilon0 down, and `told` what kind its number is."""

    key: ClassVar[str]
    upper: ClassVar[bool] = True
    told: ClassVar[Stated] = stated("share", "up")
    evidence: ClassVar[Evidence]
    by_usual_loss: ClassVar[bool] = False  # whether a loss without a largest value is taken at the scenario's delta
    _of: ClassVar[str]  # the field that is the number

    @property
    def number(self) -> float:
        """What the wish allows, in its own unit."""
        return float(getattr(self, self._of))

    @abstractmethod
    def _reached(self, scenario: Scenario) -> float:
        """Do what `reached` does."""

    def reached(self, scenario: Scenario) -> float:
        """Return what a scenario reaches of the number, rounded up; it rises with epsilon0 where the wish is `upper`, else it falls.

        ParameterError for a mechanism that adds nothing to a number, if the wish is about an error.
        """
        return self._reached(check_type("scenario", scenario, Scenario))

    def largest_loss(self) -> float | None:
        """Return the largest loss with which the wish is met, perhaps infinite, where that alone decides; else None."""
        return None

    def _check(self, **bounds: dict[str, float]) -> None:
        for name, bound in bounds.items():
            object.__setattr__(self, name, check_number(name, getattr(self, name), **bound))


_SHARE, _INSIDE = {"above": 0.0, "at_most": 1.0}, {"above": 0.0, "below": 1.0}


class _OfNoise(Wish):
    upper = False
    evidence = Evidence(PROVEN, source="quantile of the noise, solved for epsilon0", limits="one release")
    share: float

    def _error(self, scenario: Scenario, *, whole: bool) -> float:
        if scenario.mechanism not in NOISES:
            raise ParameterError(
                f"mechanism must be one that adds noise to a number, {' or '.join(NOISES)}, for a wish about its error, "
                f"got {scenario.mechanism!r}"
            )
        if isinstance(scenario, PlanScenario):
            alone = scenario.alone()
            if whole and scenario.seen.shape.is_selection:
                raise ParameterError("a quantile counts nobody: look at a release of counts for a wish about groups")
            if alone is None:
                return scenario.whole.error(scenario.at, self.share)
            scenario = alone
        noise: Any = scenario.release
        # What is drawn for whole numbers; where floats do not hold them all any more, a step of one is nothing beside the noise.
        if whole and noise.sensitivity <= _LARGEST_WHOLE:
            kind: type[Noise] = drawn(whole=True, mechanism=scenario.mechanism)
            noise = kind.for_epsilon(scenario.epsilon0, sensitivity=noise.sensitivity, delta=scenario.delta)
        return float(noise.error_quantile(self.share))


@dataclass(frozen=True)
class ErrorWish(_OfNoise):
    """Each number is within `within`, above 0 and in its unit, of the truth with probability `share`, above 0 and below 1."""

    within: float
    share: float = 0.95

    key, _of = "error", "within"
    told = stated("error", "up")

    def __post_init__(self) -> None:
        self._check(within={"above": 0.0}, share=_INSIDE)

    def _reached(self, scenario: Scenario) -> float:
        return self._error(scenario, whole=False)


@dataclass(frozen=True)
class GroupWish(_OfNoise):
    """Counts from `rows` up, at least 1, are right within a part of them, above 0 and at most 1, with probability `share`.

    The sensitivity of the scenario is that of the counts: where it is whole, the noise is what is drawn for whole numbers.
    """

    rows: int
    part: float = 0.1
    share: float = 0.95

    key, _of = "group", "rows"
    told = stated("number", "up")

    def __post_init__(self) -> None:
        object.__setattr__(self, "rows", check_integer("rows", self.rows, at_least=1))
        self._check(part=_SHARE, share=_INSIDE)

    def _reached(self, scenario: Scenario) -> float:
        return self._error(scenario, whole=scenario.moves.is_integer()) / self.part


class _OfLoss(Wish):
    by_usual_loss = True
    evidence = Evidence(PROVEN, source="Bayes' rule at the largest loss of all releases", limits=_ANY_NEIGHBOURS)

    @abstractmethod
    def largest_loss(self) -> float:
        """Return the largest loss with which the wish is met, perhaps infinite."""


@dataclass(frozen=True)
class BeliefWish(_OfLoss):
    """An attacker who was `prior` sure becomes at most `at_most` sure; both above 0, the first below 1."""

    prior: float
    at_most: float

    key, _of = "belief", "at_most"

    def __post_init__(self) -> None:
        self._check(prior=_INSIDE, at_most=_SHARE)

    def _reached(self, scenario: Scenario) -> float:
        return believed_after(scenario, self.prior, releases=scenario.releases).believed

    def largest_loss(self) -> float:
        """Return the difference of the log-odds of both beliefs, at least 0."""
        against = self.prior * (1.0 - self.at_most)
        rise = (self.at_most - self.prior) / against if against > 0.0 else math.inf
        return math.log1p(max(rise, 0.0))


@dataclass(frozen=True)
class RiseWish(_OfLoss):
    """No attacker's belief rises by more than `points`, above 0 and at most 1, whatever they believed before."""

    points: float

    key, _of = "rise", "points"
    told = stated("points", "up")

    def __post_init__(self) -> None:
        self._check(points=_SHARE)

    @property
    def prior(self) -> float:
        """The belief before that rises most: from (1 - points)/2 to (1 + points)/2."""
        return 0.5 * (1.0 - self.points)

    def _reached(self, scenario: Scenario) -> float:
        return math.tanh(0.25 * believed_after(scenario, 0.5, releases=scenario.releases).level)

    def largest_loss(self) -> float:
        """Return 4·artanh(points): the belief rises by tanh(loss/4) at most."""
        return 4.0 * math.atanh(self.points) if self.points < 1.0 else math.inf


class _OfTradeoff(Wish):
    evidence = Evidence(
        PROVEN, source="trade-off function of all releases, solved for epsilon0", limits=_ANY_NEIGHBOURS
    )

    @staticmethod
    def _true_positive(scenario: Scenario, false_positive: float) -> float:
        return 1.0 - float(lost(scenario, scenario.releases).tradeoff(false_positive))


@dataclass(frozen=True)
class AttackWish(_OfTradeoff):
    """At a false-positive rate, at least 0 and below 1, no attack has more than this rate of true positives, above 0."""

    false_positive: float
    true_positive: float

    key, _of = "attack", "true_positive"

    def __post_init__(self) -> None:
        self._check(false_positive={"at_least": 0.0, "below": 1.0}, true_positive=_SHARE)

    def _reached(self, scenario: Scenario) -> float:
        return self._true_positive(scenario, self.false_positive)


@dataclass(frozen=True)
class BaselineWish(_OfTradeoff):
    """Who finds the person or the value with probability `baseline` unaided succeeds with at most `at_most`; both above 0."""

    baseline: float
    at_most: float

    key, _of = "baseline", "at_most"

    def __post_init__(self) -> None:
        self._check(baseline=_INSIDE, at_most=_SHARE)

    def _reached(self, scenario: Scenario) -> float:
        return self._true_positive(scenario, self.baseline)


@dataclass(frozen=True)
class AdvantageWish(Wish):
    """True positives less false positives are at most `at_most`, above 0, for every attack."""

    at_most: float

    key, _of = "advantage", "at_most"
    evidence = Evidence(PROVEN, source="total variation of all releases, solved for epsilon0", limits=_ANY_NEIGHBOURS)

    def __post_init__(self) -> None:
        self._check(at_most=_SHARE)

    def _reached(self, scenario: Scenario) -> float:
        return float(lost(scenario, scenario.releases).advantage)


@dataclass(frozen=True)
class MoneyWish(Wish):
    """A breach costs at most `budget`, above 0, on average over what the releases give away; in the scenario's currency.

    By equation 8 with the scenario's stakeholders and compensation, and a `rate` that is 1 where none is given.
    """

    budget: float
    rate: float | None = None

    key, _of = "money", "budget"
    told = stated("money", "up")
    evidence = Evidence(
        MODEL,
        source="equation 9 at the cheapest of many levels, by the exact privacy loss distribution of all releases; cost: equation 8",
        limits=f"{GIVEN} It is an average over releases: where more is given away than the level, a breach costs more. {NOT_EXPECTED}",
    )

    def __post_init__(self) -> None:
        self._check(budget={"above": 0.0})
        if self.rate is not None:
            CostModel(1.0, rate=self.rate)
            self._check(rate={})

    def _reached(self, scenario: Scenario) -> float:
        model = CostModel(
            scenario.compensation, stakeholders=scenario.stakeholders, rate=1.0 if self.rate is None else self.rate
        )
        return _average(model, scenario)


def _average(model: CostModel, scenario: Scenario) -> float:
    """Return what a breach costs on average: little where the loss stays within a level, and the most elsewhere; at the best level."""
    loss = lost(scenario, scenario.releases)
    top = float(loss.largest_loss)
    if math.isinf(top):  # the same levels at every epsilon0, so that the cost never falls as that rises
        far = SMALLEST_COMPOSED if isinstance(scenario, PlanScenario) else _FAR
        dearest, last = model.full, math.log(float(loss.epsilon(far))) / _STEP
        level = np.exp(_STEP * np.arange(math.floor(last + math.log(_NEAR) / _STEP), last))
    else:
        # The loss has probabilities of its own at these parts of the largest one: below them the cost jumps.
        dearest, (steps, times) = float(model.dp(top)), _steps(scenario)
        parts = np.unique(np.geomspace(1, steps, _LEVELS).astype(int)) / steps
        if times == 1:
            parts = np.union1d(parts, np.exp(np.arange(math.log(_NEAR), 0.0, _STEP)))
        level = top * parts[parts < 1.0] * (1.0 + 1e-12)
    best = dearest
    if level.size:
        cheap = np.asarray(model.dp(level))
        middle = int(np.argmin(np.abs(cheap - _PROBED * dearest)))
        best = min(best, _paid(cheap[middle], dearest, loss.loss_exceeds(level[middle])))
        left = cheap < best  # no level is better than its own cost
        left[middle] = False
        if left.any():
            best = min(best, _paid(cheap[left], dearest, loss.loss_exceeds(level[left])))
    return best


def _steps(scenario: Scenario) -> tuple[int, int]:
    """Return in how many steps the largest loss of all releases is reached, and of how many parts it is made."""
    if isinstance(scenario, PlanScenario):
        return _STEPS_OF_PLAN, 1  # its releases have steps of different sizes
    mechanism, times = counted(scenario, scenario.releases)
    return times * (mechanism.loss_steps or 1), times


def _paid(cheap: Any, dearest: float, exceeds: Any) -> float:
    """Return the least of what is paid on average where little does unless the loss is larger."""
    return float(np.min(cheap + (dearest - cheap) * exceeds))


@dataclass(frozen=True)
class ReleasesWish(Wish):
    """All planned releases together are (epsilon, delta)-differentially private, at the scenario's delta where none is given."""

    epsilon: float
    delta: float | None = None

    key, _of = "releases", "epsilon"
    told = stated("level", "up")
    evidence = Evidence(PROVEN, source="exact composition, solved for epsilon0", limits=_ANY_NEIGHBOURS)

    def __post_init__(self) -> None:
        self._check(epsilon={"above": 0.0})
        if self.delta is not None:
            self._check(delta={"at_least": SMALLEST_DELTA, "below": 1.0})

    def _reached(self, scenario: Scenario) -> float:
        small = scenario.delta if self.delta is None else self.delta
        return spent(scenario, small)
