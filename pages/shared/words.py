"""Numbers as people read them: the digits that matter, and the sentence about the present setting."""

from __future__ import annotations

from par_core.privacy_loss import posterior
from par_core.scenario import Scenario

# Above this a coin-toss suspicion becomes a certainty of more than 99 %.
HARDLY_PRIVATE = 5.0

_JOIN = "\u00a0"  # keeps a number and its sign on one line


def amount(value: float, digits: int = 3) -> str:
    """Return a number with the digits that matter, without an exponent where it can be read without one."""
    if value == 0:
        return "0"
    if abs(value) >= 10**digits and abs(value) < 1e12:
        return f"{value:,.0f}"
    text = f"{value:.{digits}g}"
    return f"{value:.{digits}g}" if "e" not in text or abs(value) < 1e-4 else f"{value:,.{digits}f}".rstrip("0")


def percent(share: float) -> str:
    """Return a share as a percentage; shares next to 0 and 1 are never rounded onto them."""
    if 0 < share < 0.001:
        return f"less than 0.1{_JOIN}%"
    if 0.999 < share < 1:
        return f"more than 99.9{_JOIN}%"
    hundredths = 100 * share
    return f"{hundredths:.{0 if 10 <= hundredths <= 90 or share in (0, 1) else 1}f}{_JOIN}%"


def level0(value: float) -> str:
    """Return ε₀ = value, in one piece on one line."""
    return f"ε₀{_JOIN}={_JOIN}{amount(value, 4)}"


def level(value: float) -> str:
    """Return ε = value, in one piece on one line."""
    return f"ε{_JOIN}={_JOIN}{amount(value, 4)}"


def setting_sentence(scenario: Scenario) -> str:
    """Return what the present setting means, and which end of the scale is the private one."""
    believed = posterior(0.5, scenario.epsilon0)
    each = "the published number" if scenario.k == 1 else f"each of the {scenario.k:,} published numbers"
    sentence = (
        f"At {level0(scenario.epsilon0)}, {each} will be off by {amount(scenario.noise_scale)} on average, and someone "
        f"who suspects a person with 50\u00a0% certainty can reach at most {percent(believed)} by reading it. "
        "A smaller ε₀ is more private."
    )
    if scenario.epsilon0 > HARDLY_PRIVATE:
        sentence += " **At this setting hardly anyone is protected.**"
    return sentence
