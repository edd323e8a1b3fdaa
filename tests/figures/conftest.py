"""The published figures as numbers, and one figure of each kind at settings that are not the defaults."""

import json
from pathlib import Path

import numpy as np
import pytest

from par_core import explicit_curves, privacy_loss, relaxations
from par_core.composition import compare
from par_core.cost import CostModel, curve
from par_core.figures import explicit_risk, overview

PUBLISHED = json.loads((Path(__file__).parent / "data" / "figures_1.json").read_text(encoding="utf-8"))
EPSILON0, EPSILON, K = 1.7, 0.35, 4


@pytest.fixture(scope="session")
def published():
    """Figures 1a and 1b of the paper: risk (x) and epsilon (y) of each curve."""
    return PUBLISHED


def _own():
    return explicit_curves.risk_at(EPSILON, EPSILON0, k=K)


def _attacks():
    return explicit_curves.attacks(EPSILON0, EPSILON)


def _simulated():
    return explicit_curves.simulate(EPSILON0, K, even=False, size=20_000, seed=3)


FIGURES = {
    "by dimension": lambda: explicit_risk.risk_curves(
        explicit_curves.by_dimension([1, 2, 3, 5, 10], EPSILON0), own=_own()
    ),
    "by dimension, confidence": lambda: explicit_risk.risk_curves(
        explicit_curves.by_dimension([1, 7], EPSILON0), axis="confidence", own=_own()
    ),
    "by epsilon0": lambda: explicit_risk.risk_curves(
        explicit_curves.by_epsilon0([0.5, 1, 1.5, 2, 2.5], K), by="epsilon0", own=_own()
    ),
    "against the truth": lambda: explicit_risk.truth(
        explicit_curves.truth(EPSILON0, K), own=_own(), simulated=_simulated()
    ),
    "errors of an attack": lambda: explicit_risk.tradeoff(_attacks()),
    "belief of an attacker": lambda: explicit_risk.posterior(
        _attacks(), prior=0.2, believed=privacy_loss.posterior(0.2, EPSILON0)
    ),
    "overlap": lambda: explicit_risk.overlap(explicit_curves.noise_overlap(EPSILON0, EPSILON)),
    "post-processing": lambda: explicit_risk.thresholded(
        explicit_curves.post_processing(EPSILON0, 0.25),
        own=relaxations.thresholded_loss(EPSILON, EPSILON0, threshold=0.25),
    ),
}
CARDS = {
    "card noise": lambda: overview.noise(explicit_curves.noise_overlap(EPSILON0, EPSILON0), unit=1.0),
    "card truth": lambda: overview.truth(explicit_curves.truth(EPSILON0, K)),
    "card belief": lambda: overview.belief(_attacks()),
    "card cost": lambda: overview.cost(curve(CostModel(5500.0, 100), [EPSILON0]).curves[0], currency="USD"),
    "card spent": lambda: overview.spent(compare(EPSILON0, [1, 2, 5, 10], delta=1e-5, keys=["basic"])),
}


@pytest.fixture(params=FIGURES)
def figure(request):
    """Each figure of the page on explicit risk."""
    return FIGURES[request.param]()


@pytest.fixture(params=FIGURES | CARDS)
def any_figure(request):
    """Each figure there is, the small ones of the overview too."""
    return (FIGURES | CARDS)[request.param]()


@pytest.fixture(scope="session")
def trace():
    """Find the one trace of a figure whose name holds all the given words; a `;` stands for the end of the name."""

    def find(figure, *words):
        found = [each for each in figure.data if all(word in f"{each.name or ''};" for word in words)]
        assert len(found) == 1, f"{len(found)} traces hold {words}: {[each.name for each in figure.data]}"
        return found[0]

    return find


@pytest.fixture(scope="session")
def coordinates():
    """Return the points of a trace as two arrays of floats."""
    return lambda each: (np.asarray(each.x, dtype=float), np.asarray(each.y, dtype=float))
