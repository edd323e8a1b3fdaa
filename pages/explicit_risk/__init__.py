"""Explicit risk: how private a release is thanks to the noise alone, as published and in truth."""

from pages.explicit_risk import (
    attacker_gains,
    by_dimension,
    by_epsilon0,
    calibrate,
    claim_and_truth,
    overlap_and_processing,
)
from pages.shared.page import Page, Section

PAGE = Page(
    "explicit_risk",
    "How private is one release, thanks to its noise alone?",
    (
        Section("dimension", "By dimension · fig. 1a", by_dimension.draw, dial="ε"),
        Section("level", "By ε₀ · fig. 1b", by_epsilon0.draw, dial="ε"),
        Section("calibrate", "Calibrate", calibrate.draw, dial="ε"),
        Section("truth", "Claim and truth", claim_and_truth.draw, dial="ε"),
        Section("attacker", "What an attacker gains", attacker_gains.draw, dial="ε"),
        Section("pieces", "Overlap and processing", overlap_and_processing.draw, dial="ε"),
    ),
    stops=("dimension", "truth", "attacker"),
)
