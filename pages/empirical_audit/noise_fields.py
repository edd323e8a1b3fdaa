"""The noise that a reader wants to add, for the section on noise and for the certificate."""

from __future__ import annotations

from pages.empirical_audit.current_audit import Audited
from pages.shared import settings
from par_core.audit.noise import MixtureNoise, NoiseScale, mixture_noise, wasserstein_scale

WANTED = settings.number("enoise", "Wanted ε", 0.1, at_least=1e-4, at_most=100.0)
KERNEL = settings.choice("ekern", "Kernels", ("laplace", "gaussian"))
ADDED = settings.switch("eadd", "Into the certificate")

Added = tuple[NoiseScale, MixtureNoise]


def wanted(audited: Audited) -> Added:
    """Return the noise that gives the wanted ε: its scale by the valid distance, and its law for Laplace kernels."""
    result = audited.result
    scale = wasserstein_scale(result.answers, result.without, epsilon=WANTED.value())
    return scale, mixture_noise(result.bandwidth, scale.scale)


def added(audited: Audited) -> Added | None:
    """Return the noise for the certificate, if the reader wants it there: for Laplace kernels only, whose noise is known exactly."""
    return wanted(audited) if ADDED.value() and KERNEL.value() == "laplace" else None
