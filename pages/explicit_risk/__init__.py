"""Explicit risk: how private a release is thanks to the noise alone, as published and in truth."""

from pages.explicit_risk import (
    attacker_gains,
    by_dimension,
    by_level,
    calibrate,
    change_editor,
    claim_and_truth,
    overlap_and_processing,
)
from pages.explicit_risk.risk_settings import EPSILON
from pages.shared.page import Page, Section
from pages.shared.settings import present_scenario

_EPSILON = {"epsilon": EPSILON}
_OWN = {"known_change": change_editor.draw}

PAGE = Page(
    "explicit_risk",
    "How private is one release, thanks to its noise alone?",
    (
        Section("dimension", "By dimension · fig. 1a", ask=by_dimension.ask, fields=_EPSILON, dial="ε"),
        Section("level", "By ε₀ · fig. 1b", ask=by_level.ask, fields=_EPSILON, dial="ε"),
        Section("calibrate", "Calibrate", ask=calibrate.ask, fields=_EPSILON, dial="ε"),
        Section("truth", "Claim and truth", ask=claim_and_truth.ask, fields=_EPSILON, dial="ε", own=_OWN),
        Section(
            "attacker",
            "What an attacker gains",
            ask=attacker_gains.ask,
            scenario=present_scenario,
            fields=_EPSILON,
            dial="ε",
        ),
        Section("pieces", "Overlap and processing", ask=overlap_and_processing.ask, fields=_EPSILON, dial="ε"),
    ),
    stops=("dimension", "truth", "attacker"),
)
