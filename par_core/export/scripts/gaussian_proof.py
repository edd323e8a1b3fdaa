"""Which delta goes with what OpenDP proves of Gaussian noise, and why its exact law may be relied on.

OpenDP draws discrete Gaussian noise, for sums in whole steps and for counts in steps finer than any float, and proves rho = (Δ/σ)²/2 of
zero-concentrated differential privacy. Its own way from there to (epsilon, delta) holds for any mechanism with this rho, and asks for
about a tenth more noise than Gaussian noise needs. The scripts print it, and rely on the exact law of noise with μ = sqrt(2·rho).

That law holds in steps h of a sum as well, but for a part in 10^7. Spread the draws of m sums evenly over their steps, which rounding
undoes: within R = sqrt(m) + 40 standard deviations, beyond which less than e^-800 lies, their density is that of continuous noise times
exp(±η), η <= R·sqrt(m)·h/(2σ), and the loss is off by at most κ = μ·sqrt(m)·h/(2σ). So delta is at most exp(η)·delta(epsilon - κ) of
continuous noise. The steps are chosen such that sqrt(m)·h is below 2^-29·σ for every epsilon0 up to 700: η is below 10^-7, and what κ
does is smaller. A part in 10^7 more noise makes up for both, and plans have it: delta falls at least in proportion as σ grows wherever
it is convex in μ (at epsilon0 = 0 and for large delta it is not; there the steps are finer still, and η far below the margin).
"""

import numpy as np
import opendp.prelude as dp
from scipy import integrate, special

from par_core.export.scripts.plan_of_release import DELTA, EPSILON


def proven_delta(rho):
    """Return the delta that goes with EPSILON for Gaussian noise of which OpenDP proves rho.

    Neighbours are mu = sqrt(2 rho) standard deviations apart; the loss is then normal with mean mu^2/2 and deviation mu
    (Balle and Wang 2018, Theorem 8), and this is the mean of 1 - exp(EPSILON - loss) where that is above 0.
    """
    mu = np.sqrt(2 * rho)
    start = EPSILON / mu - mu / 2

    def beyond(x):
        return mu * np.exp(-mu * x) * special.ndtr(-start - x)

    return integrate.quad(beyond, 0, 40 + max(-start, 0), epsabs=0, epsrel=1e-10, limit=500)[0]


def opendp_epsilon(rho):
    """Return the epsilon that OpenDP derives from rho, by a bound that holds for more than Gaussian noise."""
    any_noise = dp.m.make_gaussian(dp.atom_domain(T="i64"), dp.absolute_distance(T=float), 1.0)
    return dp.c.make_zCDP_to_approxDP(any_noise).map(float(np.sqrt(2 * rho))).epsilon(DELTA)
