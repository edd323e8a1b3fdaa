"""The noise that a reader wants to add, for the section on noise and for the certificate."""

from __future__ import annotations

from collections.abc import Callable
from weakref import WeakKeyDictionary

from pages.empirical_audit.current_audit import Audited
from pages.shared import settings
from par_core.audit.auditing import AuditResult
from par_core.audit.noise import MixtureNoise, NoiseScale, mixture_noise, wasserstein_scale

WANTED = settings.number("enoise", "Wanted ε", 0.1, at_least=1e-4, at_most=100.0)
KERNEL = settings.choice("ekern", "Kernels", ("laplace", "gaussian"))
ADDED = settings.switch("eadd", "Into the certificate")

Added = tuple[NoiseScale, MixtureNoise]
_Scale = Callable[..., NoiseScale]
_FARTHEST: WeakKeyDictionary[AuditResult, dict[_Scale, int]] = (
    WeakKeyDictionary()
)  # the row, for as long as there is the result


def wanted(audited: Audited) -> Added:
    """Return the noise that gives the wanted ε: its scale by the valid distance, and its law for Laplace kernels."""
    scale = scale_by(wasserstein_scale, audited)
    return scale, mixture_noise(audited.result.bandwidth, scale.scale)


def scale_by(distance: _Scale, audited: Audited) -> NoiseScale:
    """Return the scale by a distance at the wanted ε, from whoever is farthest: that is at every ε the same one, and takes long to find."""
    result = audited.result
    farthest = _FARTHEST.setdefault(result, {})
    if distance not in farthest:
        farthest[distance] = distance(result.answers, result.without, epsilon=1.0).individual
    return distance(result.answers, result.without[farthest[distance]], epsilon=WANTED.value())


def added(audited: Audited) -> Added | None:
    """Return the noise for the certificate, if the reader wants it there: for Laplace kernels only, whose noise is known exactly."""
    return wanted(audited) if ADDED.value() and KERNEL.value() == "laplace" else None
