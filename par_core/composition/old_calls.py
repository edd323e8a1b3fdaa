"""Names that calls had before each question had one: they warn, and are gone in the next version."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace

from numpy.typing import ArrayLike

from par_core.composition.accountants import basic
from par_core.composition.brackets import ExactComposition
from par_core.composition.comparison import Comparison, compare
from par_core.composition.comparison import holding as holding
from par_core.composition.composed import Release, compose
from par_core.composition.exact import exact, exact_delta
from par_core.composition.within_target import EXACT, WithinTarget, epsilon0_for, most_releases
from par_core.mechanisms import Mechanism
from par_core.progress import Progress


def _exact_mixed(epsilon0: Sequence[float], releases: ArrayLike = 1, *, delta: float) -> ExactComposition:
    return exact(compose(epsilon0, releases), delta=delta)


def _exact_delta_mixed(epsilon0: Sequence[float], releases: ArrayLike = 1, *, epsilon: float) -> ExactComposition:
    return exact_delta(compose(epsilon0, releases), epsilon=epsilon)


def _exact_of(
    mechanism: Mechanism, releases: ArrayLike, *, delta: float, progress: Progress | None = None
) -> ExactComposition:
    return exact(mechanism, releases, delta=delta, progress=progress)


def _mixed_of(mechanisms: Sequence[Release], releases: ArrayLike, *, delta: float) -> ExactComposition:
    return exact(compose(mechanisms, releases), delta=delta)


def _basic_of(mechanisms: Sequence[Release], releases: ArrayLike, *, delta: float) -> float:
    return float(basic(compose(mechanisms, releases), delta=delta))


def _compare_of(
    mechanism: Mechanism,
    epsilon0: float,
    releases: ArrayLike,
    *,
    delta: float,
    keys: Sequence[str],
    truth: ExactComposition,
) -> Comparison:
    held = [key for key in keys if key in holding(mechanism)]
    return replace(compare(mechanism, releases, delta=delta, keys=held, truth=truth), epsilon0=epsilon0)


def _largest_compositions_of(mechanism: Mechanism, epsilon0: float, *, epsilon: float, delta: float) -> WithinTarget:
    return replace(most_releases(EXACT, mechanism, epsilon=epsilon, delta=delta), epsilon0=epsilon0)


def _epsilon0_for_of(
    make: Callable[[float], Mechanism], releases: int, *, epsilon: float, delta: float
) -> WithinTarget:
    return epsilon0_for(EXACT, releases, epsilon=epsilon, delta=delta, mechanism=make)


_NOW: dict[str, tuple[Callable[..., object], str]] = {
    "Plan": (WithinTarget, "WithinTarget"),
    "largest_compositions": (most_releases, "most_releases"),
    "exact_mixed": (_exact_mixed, "exact(compose(levels, times), delta=...)"),
    "exact_delta_mixed": (_exact_delta_mixed, "exact_delta(compose(levels, times), epsilon=...)"),
    "exact_of": (_exact_of, "exact(mechanism, releases, delta=...)"),
    "mixed_of": (_mixed_of, "exact(compose(mechanisms, times), delta=...)"),
    "basic_of": (_basic_of, "basic(compose(mechanisms, times), delta=...)"),
    "compare_of": (_compare_of, "compare(mechanism, releases, delta=...)"),
    "largest_compositions_of": (_largest_compositions_of, 'most_releases("exact", mechanism, ...)'),
    "epsilon0_for_of": (_epsilon0_for_of, 'epsilon0_for("exact", releases, ..., mechanism=...)'),
}


def by_old_name(name: str) -> Callable[..., object]:
    """Return what was called by an old name, and warn the caller of the caller."""
    if name not in _NOW:
        raise AttributeError(f"module 'par_core.composition' has no attribute {name!r}")
    old, new = _NOW[name]
    warnings.warn(f"{name} is now par_core.composition.{new}", DeprecationWarning, stacklevel=3)
    return old


def __getattr__(name: str) -> Callable[..., object]:
    return by_old_name(name)
