"""Numbers as people read them: the digits that matter, and the sentence about the present setting."""

from __future__ import annotations

import math
import re
from typing import Literal

from par_core.privacy_loss import posterior
from par_core.scenario import Scenario

# Above this a coin-toss suspicion becomes a certainty of more than 99 %.
HARDLY_PRIVATE = 5.0

Toward = Literal["near", "up", "down"]

_JOIN = "\u00a0"  # keeps a number and its sign on one line


def amount(value: float, digits: int = 3, *, toward: Toward = "near") -> str:
    """Return a number with the digits that matter; a bound is rounded toward the side on which it still holds."""
    if value == 0:
        return "0"
    rounded = _rounded(value, digits - 1 - math.floor(math.log10(abs(value))), toward)
    if 1e-4 <= abs(rounded) < 1e12:
        return f"{rounded:,.0f}" if abs(rounded) >= 10**digits else f"{rounded:,.{digits}g}"
    return f"{rounded:.{digits}g}"


def percent(share: float, *, toward: Toward = "near") -> str:
    """Return a share as a percentage; no share but 0 and 1 themselves is rounded onto them."""
    if share in (0, 1):
        return f"{100 * share:.0f}{_JOIN}%"
    if share < 0.001:
        return f"less than 0.1{_JOIN}%"
    if share > 0.999:
        return f"almost 100{_JOIN}%" if toward == "up" else f"more than 99.9{_JOIN}%"
    decimals = 0 if 0.1 <= share <= 0.9 else 1
    return f"{_rounded(100 * share, decimals, toward):.{decimals}f}{_JOIN}%"


def points(share: float) -> str:
    """Return a difference of two shares in percentage points."""
    return percent(share).replace("%", "percentage points")


def literal(text: str) -> str:
    """Return text from outside as Markdown that shows it letter by letter on one line, and links nothing."""
    line = " ".join(text.split())
    fence = "`" * (max((len(run) for run in re.findall("`+", line)), default=0) + 1)
    return f"{fence} {line} {fence}"


def letters(sentence: str) -> str:
    """Return a sentence of ours that may quote data such that Markdown shows it letter by letter."""
    return "".join("\\" + letter if letter in r"\`*_{}[]()#+-.!|<>~$:" else letter for letter in sentence)


def as_sentence(text: str) -> str:
    """Return what an error says as a sentence, in which what it quotes is shown letter by letter."""
    line = " ".join(text.split())
    return letters(line[:1].upper() + line[1:] + "." * (not line.endswith(".")))


def _rounded(value: float, decimals: int, toward: Toward) -> float:
    near = round(value, decimals)
    step = 10.0**-decimals
    if toward == "up" and near < value:
        return round(near + step, decimals)
    if toward == "down" and near > value:
        return round(near - step, decimals)
    return near


def level0(value: float, *, toward: Toward = "near") -> str:
    """Return ε₀ = value, in one piece on one line."""
    return f"ε₀{_JOIN}={_JOIN}{amount(value, 4, toward=toward)}"


def level(value: float, *, toward: Toward = "near") -> str:
    """Return ε = value, in one piece on one line."""
    return f"ε{_JOIN}={_JOIN}{amount(value, 4, toward=toward)}"


def setting_sentence(scenario: Scenario, *, accuracy: bool = True) -> str:
    """Return what the present setting means, and which end of the scale is the private one.

    Without `accuracy` the error is left out: for a page that plans a query of its own and says that itself.
    """
    once = percent(posterior(0.5, scenario.epsilon0), toward="up")
    believer = f"omeone who believes something about one person with 50{_JOIN}% certainty"
    if accuracy:
        numbers = scenario.k * scenario.statistics
        each = "the published number" if numbers == 1 else f"each of the {numbers:,} published numbers"
        sentence = (
            f"At {level0(scenario.epsilon0)}, {each} will be off by **{amount(scenario.noise_scale, toward='up')}** on "
            f"average, and within ±{amount(scenario.error95, toward='up')} in 95 of 100 releases. S{believer}"
        )
    else:
        sentence = f"At {level0(scenario.epsilon0)}, s{believer}"
    sentence += f" can become at most **{once}** certain by reading one release"
    if scenario.releases > 1:
        every = percent(posterior(0.5, min(scenario.releases * scenario.epsilon0, 700.0)), toward="up")
        sentence += f", and at most {every} after all {scenario.releases:,}"
    sentence += ". A smaller ε₀ is more private."
    if scenario.epsilon0 > HARDLY_PRIVATE:
        sentence += " **At this setting hardly anyone is protected.**"
    return sentence
