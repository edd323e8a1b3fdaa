"""Empirical Differential Privacy, appendix: the lemmas, and the proof of Proposition 1."""

from __future__ import annotations

import math
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import special

from par_core.claims import lazy_imports
from par_core.claims.catalogue import Claim, Compare, Dial, Paper, Recomputed, worst

_Floats = NDArray[np.float64]


def _lemma_3() -> Recomputed:
    rng = np.random.default_rng(91)
    samples = [spread * rng.normal(size=size) for size in (2, 3, 10, 1000) for spread in (0.0, 0.1, 10.0, 1000.0)]
    return worst(
        "at most",
        [special.logsumexp(sample) for sample in samples],
        [sample.max() + math.log(sample.size) for sample in samples],
        lambda i: f"{samples[i].size:,} numbers from {samples[i].min():.3g} to {samples[i].max():.3g}; of 16 lists",
    )


def _lemma_4() -> Recomputed:
    rng = np.random.default_rng(92)
    found, claimed, names = [], [], []
    for size_a, size_b in ((1, 1), (1, 5), (5, 5), (20, 7)):
        for _ in range(10):
            a, b = 3.0 * rng.normal(size=size_a), rng.normal(size=size_b)
            x = np.concatenate([a, b, np.linspace(-30.0, 30.0, 601)])
            found.append(float(np.abs(_nearest(x, a) - _nearest(x, b)).max()))
            claimed.append(float(lazy_imports.audit.hausdorff(a, b)))
            names.append(f"sets of {size_a} and {size_b} numbers, of 40 random pairs; x at these and from −30 to 30")
    return worst("equal to", found, claimed, lambda i: names[i])


def _last_step(many: float, level: float) -> Recomputed:
    """The inequality that the proof takes from Lemma 3, on the counterexample of Proposition 1."""
    number = round(many)
    shown = lazy_imports.noise.counterexample(many=number, epsilon=level)
    a, b, scale = shown.first, shown.second, shown.hausdorff_scale
    x = np.concatenate([a, b, np.linspace(-1.0, 2.0, 301)])
    return Recomputed(
        recomputed=np.abs(_nearest(x, b) - _nearest(x, a)).max() / scale,
        exact=np.abs(_log_average(x, a, b, scale=scale)).max(),
        case=f"A: {number} points near 0 and one at 1, B: one at 0 and {number} near 1; ε = {level:g}, λ = d_H/ε",
    )


def _first_step(few: float, level: float) -> Recomputed:
    """Both sides of the inequality, for sets between which only the numbers of points differ."""
    number = round(few)
    a = np.concatenate([_near(20), 1.0 + _near(20)])
    b = np.concatenate([_near(number), 1.0 + _near(40 - number)])
    scale = lazy_imports.audit.hausdorff(a, b) / level
    x = np.concatenate([a, b, np.linspace(-0.5, 1.5, 20_001)])
    return Recomputed(
        recomputed=np.abs(_log_average(x, a, b, scale=scale)).max(),
        exact=lazy_imports.noise.achieved_epsilon(a, b, scale=scale),
        case=f"A: 20 points near 0 and 20 near 1, B: {number} at 0 and {40 - number} near 1; ε = {level:g}, λ = d_H/ε = {scale:.3g}",
    )


def _log_average(x: _Floats, a: _Floats, b: _Floats, *, scale: float) -> _Floats:
    """Log of the mean over A of e^(−|x − a|/λ), over the largest such term of B: the proof's expression, without the bars."""
    return np.asarray(
        lazy_imports.audit.fit_density(a, bandwidth=scale).log(x) + math.log(2 * scale) + _nearest(x, b) / scale
    )


def _nearest(x: _Floats, points: _Floats) -> _Floats:
    return np.asarray(np.abs(x[:, np.newaxis] - points).min(axis=1))


def _near(count: int) -> _Floats:
    return np.linspace(-0.001, 0.001, count) if count > 1 else np.zeros(1)


_WISHED = Dial("ε", 0.5, 0.05, 10.0)

_claim_appendix = partial(Claim, paper=Paper.EMPIRICAL, section="Appendix, proof of Proposition 1")

CLAIMS: Final[tuple[Claim, ...]] = (
    _claim_appendix(
        id="edp-lemma-3",
        where="Lemma 3",
        statement="The logarithm of a sum of n exponentials is at most the largest exponent plus log n.",
        quantity="log Σ e^(x_i), where it is closest to the bound",
        published="max x_i + log n",
        holds_if=Compare("exact", "at most", "recomputed", 1e-9),
        recompute=_lemma_3,
        rests_on=("scipy.special.logsumexp",),
        explanation="Each of the n terms is at most the largest. It bounds from above only.",
    ),
    _claim_appendix(
        id="edp-lemma-4",
        where="Lemma 4",
        statement="The largest difference of the distances of a point to A and to B is the Hausdorff distance of A and B.",
        quantity="max |d(x, A) − d(x, B)|",
        published="d_H(A, B)",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_lemma_4,
        rests_on=("audit.distances.hausdorff",),
        explanation="At most that by the triangle inequality, and reached at a point of A or B.",
    ),
    _claim_appendix(
        id="edp-proposition-1-denominator",
        where="proof of Proposition 1, first inequality",
        statement="The log ratio is at most what it is with the average over B replaced by its largest term.",
        quantity="max |log α(x) − log β(x)|",
        published="max |log(1/n) + log(Σ e^(−|x − a_i|/λ)/e^(−|x − b_x|/λ))|",
        recompute=_first_step,
        dials=(
            Dial("Points of B near 0, of 40", 1.0, 1.0, 19.0, whole=True, holds_at=19.0),
            _WISHED,
        ),
        rests_on=("audit.noise.achieved_epsilon", "audit.density.Density.log"),
        more="worse",
        explanation="The largest term makes the denominator larger, the ratio smaller: the wrong way. At 0 it is 40 times smaller.",
    ),
    _claim_appendix(
        id="edp-proposition-1-absolute",
        where="proof of Proposition 1, step by LogSumExp",
        statement="By Lemma 3 the absolute value of the log of the average is at most that of the largest exponent.",
        quantity="max |log of the average|",
        published="max |max_i (|x − b_x| − |x − a_i|)/λ|",
        recompute=_last_step,
        dials=(Dial("Points near each other", 40.0, 1.0, 150.0, whole=True), _WISHED),
        rests_on=("audit.density.Density.log", "audit.distances.hausdorff"),
        more="worse",
        explanation="Lemma 3 bounds from above and not from below; within an absolute value both are needed.",
    ),
)
