"""Releases of a scenario together: each statistic counts by itself, because it has noise of its own.

Where that are more than `compose` takes, each release counts as one at its epsilon0: an upper bound, of which the lower end is 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from par_core.composition.accountants import basic
from par_core.composition.brackets import ExactComposition
from par_core.composition.composed import MOST_RELEASES, Composed, compose
from par_core.composition.exact import exact
from par_core.evidence import PROVEN, Evidence
from par_core.mechanisms import Mechanism
from par_core.progress import Progress, portion
from par_core.scenario import Scenario

_AS_ONE = f"; each release as one, as there are more than {MOST_RELEASES:,} statistics"


@Evidence(PROVEN, source="basic composition of the statistics of a release, each with noise of its own")
def counted(scenario: Scenario, releases: int) -> tuple[Mechanism, int]:
    """Return what counts, and how often it does in so many releases of a scenario.

    >>> each, times = counted(Scenario(epsilon0=0.5, statistics=4), 3)
    >>> float(each.largest_loss), times
    (0.125, 12)
    """
    mechanism, times = scenario.by_statistic
    if times > 1 and times * releases > MOST_RELEASES:
        return scenario.release, releases
    return mechanism, times * releases


def as_one(scenario: Scenario, releases: int = 1) -> Mechanism | Composed:
    """Return one of so many releases of a scenario, for what is asked with a number of them."""
    mechanism, times = counted(scenario, releases)
    return mechanism if times == releases else compose(mechanism, times // releases)


def exact_after(
    scenario: Scenario, releases: Sequence[int], *, delta: float, progress: Progress | None = None
) -> ExactComposition:
    """Return what the first releases of a scenario spend together, at rising numbers of them: `exact`, of shape (numbers,).

    >>> scenario = Scenario(epsilon0=0.3, statistics=3)
    >>> exact_after(scenario, [24], delta=1e-5).upper.round(4).tolist()
    [3.4749]
    """
    times = scenario.by_statistic[1]
    if times == 1:
        return exact(scenario.release, releases, delta=delta, progress=progress)
    numbers, tell = np.asarray(releases, dtype=np.int64), portion(progress)
    several = int(np.searchsorted(numbers, MOST_RELEASES // times, side="right"))
    parts, by = list[ExactComposition](), ""
    if several:
        share = portion(tell, 0.0, several / len(numbers))
        parts.append(exact(scenario.by_statistic[0], times * numbers[:several], delta=delta, progress=share))
        by = parts[0].counted_by
    if several < len(numbers):
        share = portion(tell, several / len(numbers), 1.0)
        parts.append(_bound(exact(scenario.release, numbers[several:], delta=delta, progress=share)))
        by = parts[-1].counted_by
    value, lower, upper = (
        np.concatenate([np.asarray(getattr(each, name)) for each in parts]) for name in ("value", "lower", "upper")
    )
    return ExactComposition(value, lower, upper, basic(scenario.release, numbers, delta=delta), by)


def exact_together(
    scenarios: Sequence[Scenario], times: Sequence[int], *, delta: float, progress: Progress | None = None
) -> ExactComposition:
    """Return what releases of several scenarios spend together, of each as many as `times` says."""
    several = [each.by_statistic for each in scenarios]
    every = [number * count for (_, number), count in zip(several, times, strict=True)]
    together = compose([each.release for each in scenarios], times)
    if every == [*times]:
        return exact(together, delta=delta, progress=progress)
    if sum(every) > MOST_RELEASES:
        return _bound(exact(together, delta=delta, progress=progress))
    found = exact(compose([each for each, _ in several], every), delta=delta, progress=progress)
    return replace(found, added=basic(together, delta=delta))


def _bound(found: ExactComposition) -> ExactComposition:
    """Return the same as nothing but a bound from above."""
    low = np.zeros_like(found.lower) if np.ndim(found.lower) else 0.0
    return replace(found, value=found.upper, lower=low, counted_by=found.counted_by + _AS_ONE)
