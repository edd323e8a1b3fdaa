"""The curves of explicit and implicit randomness together: figures 3a and 3b as published, and the exact noise beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from par_core.errors import ParameterError
from par_core.evidence import PROVEN, PUBLISHED, Evidence, Result, quantities, stated
from par_core.mechanisms import default_noise
from par_core.parameters import check_integer, check_list, check_number, check_type
from par_core.published import coupled
from par_core.sampling.sample_counts import tolerance

_Floats = NDArray[np.float64]

FIGURE_3A_RHOS, FIGURE_3A_SAMPLES = (0.010, 0.012, 0.015, 0.020), 10_000
FIGURE_3B_SAMPLES, FIGURE_3B_RHO = (10_000, 15_000, 20_000, 25_000), 0.01
_FIGURE_POINTS = 50  # the published figures are drawn through this many points
_LARGEST_STEP = 12.0  # beyond it the published confidence is 1 to the last digits

_SOURCE = "Privacy at Risk (PoPETs 2021), Theorem 6, figures 3a and 3b"
_EXACT_SOURCE = "privacy loss of the Laplace mechanism at eta·epsilon0"
_LIMITS = (
    "Rests on Theorem 4, which is false for every epsilon below eta·epsilon0, and on Theorem 5, which loses a -rho. The exact risk "
    "is that of the noise for worst-case neighbours at eta·epsilon0, if eta is the true ratio of the sensitivities: then the noise "
    "alone decides. confidence2 and alpha say how far eta can be trusted, and do not multiply it. rho enters alpha only, and eta is "
    "the same in all."
)


@dataclass(frozen=True)
class Setting(Result):
    """What all curves of one figure share.

    Noise for epsilon0 (above 0) with the sampled sensitivity, at the quantile `confidence2` (in [0, 1]) of the sample, in dimension k
    (1 to 100,000); `eta`, above 0, is true over sampled sensitivity.
    """

    epsilon0: float = 1.0
    k: int = 1
    eta: float = coupled.PAPER_ETA
    confidence2: float = 1.0
    evidence = Evidence(PUBLISHED, source=_SOURCE)

    def __post_init__(self) -> None:
        check_number("epsilon0", self.epsilon0, above=0)
        check_integer("k", self.k, at_least=1)
        check_number("eta", self.eta, above=0)
        check_number("confidence2", self.confidence2, at_least=0, at_most=1)
        check_number("eta times epsilon0", self.reached, above=0)

    @property
    def reached(self) -> float:
        """The level eta·epsilon0 that the noise keeps for certain."""
        return self.eta * self.epsilon0


@dataclass(frozen=True)
class CoupledCurve(Result):
    """Published risk, 1 minus the empirical confidence3, against epsilon for one number of samples and one rho.

    `risk` belongs to `epsilon`, both of shape (points,); `exact_risk` belongs to `exact_epsilon`, which also holds the two
    sides of the jump at eta·epsilon0. The exact one is that of the noise, and so the same for every number of samples and rho.
    """

    setting: Setting
    samples: int
    rho: float
    alpha: float
    epsilon: _Floats
    risk: _Floats
    exact_epsilon: _Floats
    exact_risk: _Floats
    evidence = Evidence(PUBLISHED, source=_SOURCE, limits=_LIMITS)
    exact_source: str = _EXACT_SOURCE

    @property
    def too_bold(self) -> tuple[tuple[tuple[_Floats, _Floats], tuple[_Floats, _Floats]], ...]:
        """The stretches, rising in epsilon, where the published risk is below the exact one.

        For each the published and the exact curve along it, both as (epsilon, risk). With a small confidence2·alpha the published risk
        can also be above the exact one.
        """
        below = np.unique(np.concatenate([self.epsilon, self.exact_epsilon]))
        below = below[below < self.setting.reached]
        claim = np.interp(below, self.epsilon, self.risk)
        true = np.asarray(default_noise(self.setting.reached).loss_exceeds(below))
        bold = (claim <= true).astype(np.int8)  # at epsilon 0 both are 1
        edges = np.flatnonzero(np.diff(np.concatenate([[0], bold, [0]])))
        parts = [slice(int(a), int(b)) for a, b in zip(edges[::2], edges[1::2], strict=True) if b - a > 1]
        return tuple(((below[part], claim[part]), (below[part], true[part])) for part in parts)


@dataclass(frozen=True)
class CoupledAt(Result):
    """Published and exact risk at one epsilon: the reader's own setting.

    `exact_confidence` is 1 minus the exact risk, computed directly: both are those of the noise, if eta is the true ratio of the
    sensitivities.
    """

    setting: Setting
    samples: int
    rho: float
    alpha: float
    epsilon: float
    risk: float
    exact_risk: float
    exact_confidence: float
    QUANTITIES = quantities(
        risk=stated("share", claim="par-theorem-6", holds=lambda at: at.exact_risk <= at.risk),
        exact_risk=stated("share", "up", PROVEN),
    )
    evidence = Evidence(PUBLISHED, source=_SOURCE + "; " + _EXACT_SOURCE, limits=_LIMITS)


PAPER_SETTING = Setting()


def by_rho(
    rhos: Sequence[float] = FIGURE_3A_RHOS,
    samples: int = FIGURE_3A_SAMPLES,
    *,
    setting: Setting = PAPER_SETTING,
    upto: float | None = None,
) -> tuple[CoupledCurve, ...]:
    """Return one curve for each rho (figure 3a: 0.010, 0.012, 0.015 and 0.020 at 10,000 samples).

    The rhos, above 0, enter alpha only; samples are 1 to 1e15. `upto` is the largest epsilon drawn: by default 1 as in the figure
    where that shows the curves, else a little past eta·epsilon0.
    """
    return tuple(_curve(setting, samples, rho, upto=upto) for rho in _some("rhos", rhos))


def by_samples(
    samples: Sequence[int] = FIGURE_3B_SAMPLES,
    rho: float = FIGURE_3B_RHO,
    *,
    setting: Setting = PAPER_SETTING,
    upto: float | None = None,
) -> tuple[CoupledCurve, ...]:
    """Return one curve for each number of samples (figure 3b: 10,000 to 25,000 at rho = 0.01); parameters as in `by_rho`."""
    return tuple(_curve(setting, number, rho, upto=upto) for number in _some("samples", samples))


def coupled_at(epsilon: float, samples: int, *, rho: float, setting: Setting = PAPER_SETTING) -> CoupledAt:
    """Return the published and the exact risk at one epsilon (at least 0)."""
    level, shared = check_number("epsilon", epsilon, at_least=0), check_type("setting", setting, Setting)
    number, distance = check_integer("samples", samples, at_least=1), check_number("rho", rho, above=0)
    alpha = float(tolerance(number, distance))
    return CoupledAt(
        setting=shared,
        samples=number,
        rho=distance,
        alpha=alpha,
        epsilon=level,
        risk=float(_risk(setting, alpha, np.array(level))),
        exact_risk=float(default_noise(setting.reached).loss_exceeds(level)),
        exact_confidence=float(default_noise(setting.reached).loss_within(level)),
    )


def _curve(setting: Setting, samples: int, rho: float, *, upto: float | None) -> CoupledCurve:
    jump = check_type("setting", setting, Setting).reached
    number, distance = check_integer("samples", samples, at_least=1), check_number("rho", rho, above=0)
    alpha, grid = float(tolerance(number, distance)), _grid(setting, upto)
    with_jump = grid if jump > grid[-1] else np.union1d(grid, [np.nextafter(jump, 0.0), jump])
    return CoupledCurve(
        setting=setting,
        samples=number,
        rho=distance,
        alpha=alpha,
        epsilon=grid,
        risk=_risk(setting, alpha, grid),
        exact_epsilon=with_jump,
        exact_risk=np.asarray(default_noise(jump).loss_exceeds(with_jump)),
    )


def _risk(setting: Setting, alpha: float, epsilon: _Floats) -> _Floats:
    sure = coupled.confidence(
        epsilon, setting.epsilon0, eta=setting.eta, confidence2=setting.confidence2, alpha=alpha, k=setting.k
    )
    return np.asarray(1.0 - sure)


def _grid(setting: Setting, upto: float | None) -> _Floats:
    """Return the points of the published figures where they show the curves, and more of them where they do not."""
    near_the_figures = 0.5 <= setting.reached <= 3.0
    end = (
        check_number("upto", upto, above=0)
        if upto is not None
        else (1.0 if near_the_figures else 1.05 * setting.reached)
    )
    points = np.linspace(0.0, end, _FIGURE_POINTS)
    if near_the_figures and end <= 3.0:
        return points
    finer = [np.linspace(0.0, min(end, _LARGEST_STEP), 60), np.geomspace(1e-3 * end, end, 60)]
    return np.unique(np.concatenate([points, *finer, [min(setting.reached, end)]]))


def _some(name: str, values: Sequence[float]) -> tuple[Any, ...]:
    found = check_list(name, values)
    if not found:
        raise ParameterError(f"{name} must hold at least one value, got an empty list")
    return found
