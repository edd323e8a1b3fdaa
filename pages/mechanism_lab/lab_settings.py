"""What several toys of the lab share: ε, the noise and its δ, each beginning at the reader's scenario."""

from pages.shared import settings
from par_core.mechanisms import NOISES

EPSILON = settings.following(
    settings.number("le", "Privacy level ε", 0.5, at_least=1e-3, at_most=20), lambda scenario: scenario.epsilon0
)
NOISE = settings.following(settings.choice("lm", "Noise", tuple(NOISES)), lambda scenario: scenario.mechanism)
DELTA = settings.following(
    settings.number("ld", "δ of Gaussian noise", 1e-5, at_least=1e-15, at_most=0.5), lambda scenario: scenario.delta
)
