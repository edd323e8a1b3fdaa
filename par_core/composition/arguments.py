"""What a caller may ask about: levels, each by itself, a mechanism, or what was put together."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from par_core.composition.composed import Composed, compose, is_default
from par_core.composition.mixed import SMALLEST_MIXED
from par_core.limits import LARGEST_EPSILON0
from par_core.mechanisms import Mechanism
from par_core.mechanisms.mechanism import is_mechanism
from par_core.parameters import check_numbers

if TYPE_CHECKING:
    from typing_extensions import TypeIs

Private: TypeAlias = (
    ArrayLike | Mechanism | Composed
)  # a level, several that are asked for separately, or what is no level

One: TypeAlias = float | Mechanism | Composed
Several: TypeAlias = Sequence[float] | NDArray[np.floating[Any]] | NDArray[np.integer[Any]]


def each_of(epsilon0: Private) -> tuple[float, ...] | None:
    """Return the levels that are asked for separately; None where one thing is asked about."""
    if has_loss(epsilon0):
        return None
    levels = check_numbers("epsilon0", epsilon0, above=0.0, at_most=LARGEST_EPSILON0)
    return tuple(levels.ravel().tolist()) if levels.ndim else None


def levels_of(releases: Private) -> ArrayLike | None:
    """Return the levels that are meant where releases are of Laplace noise, each asked for by itself; None for all others."""
    if not has_loss(releases):
        return releases
    level = releases.largest_loss if is_default(releases) else math.inf
    within = np.ndim(level) == 0 and SMALLEST_MIXED <= level <= LARGEST_EPSILON0
    return float(level) if within else None


def has_loss(releases: object) -> TypeIs[Mechanism | Composed]:
    """Whether a mechanism is given, or what was put together: levels, or what is none, are the rest."""
    return isinstance(releases, Composed) or is_mechanism(releases)


def of_one_kind(releases: Private) -> tuple[Private, int]:
    """Return the mechanism that alone was put together, and how often; anything else as it is, once."""
    if isinstance(releases, Composed) and len(releases.parts) == 1:
        return releases.parts[0]
    return releases, 1


def as_composed(releases: Composed | Mechanism) -> Composed:
    """Return what was put together, or a mechanism as if it was."""
    return releases if isinstance(releases, Composed) else compose(releases)
