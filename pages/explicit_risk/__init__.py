"""Explicit risk: how private a release is thanks to the noise alone, as published and in truth."""

from pages.explicit_risk import (
    attacker_gains,
    by_dimension,
    by_epsilon0,
    calibrate,
    claim_and_truth,
    notebook_cells,
    overlap_and_processing,
)
from pages.shared.page import Page, Section

PAGE = Page(
    "explicit_risk",
    "How private is one release, thanks to its noise alone?",
    (
        Section("dimension", "By dimension · fig. 1a", by_dimension.draw, dial="ε", cells=notebook_cells.dimension),
        Section("level", "By ε₀ · fig. 1b", by_epsilon0.draw, dial="ε", cells=notebook_cells.level),
        Section("calibrate", "Calibrate", calibrate.draw, dial="ε", cells=notebook_cells.calibration),
        Section("truth", "Claim and truth", claim_and_truth.draw, dial="ε", cells=notebook_cells.truth),
        Section("attacker", "What an attacker gains", attacker_gains.draw, dial="ε", cells=notebook_cells.attacker),
        Section("pieces", "Overlap and processing", overlap_and_processing.draw, dial="ε", cells=notebook_cells.pieces),
    ),
    stops=("dimension", "truth", "attacker"),
)
