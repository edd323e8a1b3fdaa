"""Which delta goes with what OpenDP proves of Gaussian noise."""

import numpy as np
import opendp.prelude as dp
from scipy import integrate, special

from par_core.export.scripts.example import DELTA, EPSILON


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
