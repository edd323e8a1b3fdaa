"""The case of implicit randomness: the sensitivity is sampled, and how far the sample can be trusted."""

from __future__ import annotations

from par_core.implicit.closed_forms import (
    MOST_SAMPLES,
    coverage,
    empirical_confidence,
    rank_for,
    rho_for,
    samples_for_largest,
    samples_formula,
    samples_needed,
    tolerance,
)

__all__ = [
    "MOST_SAMPLES",
    "coverage",
    "empirical_confidence",
    "rank_for",
    "rho_for",
    "samples_for_largest",
    "samples_formula",
    "samples_needed",
    "tolerance",
]
