"""Numbers as people read them: the digits that matter, and the sentence about the present setting."""

from __future__ import annotations

import re

from par_core.mechanisms import drawn, strongest_belief
from par_core.rounding import Toward, amount, percent
from par_core.scenario import Scenario

__all__ = (
    "HARDLY_PRIVATE",
    "Toward",
    "amount",
    "as_sentence",
    "letters",
    "level",
    "level0",
    "literal",
    "percent",
    "points",
    "setting_sentence",
)

# Above this a coin-toss suspicion becomes a certainty of more than 99 %.
HARDLY_PRIVATE = 5.0

_JOIN = "\u00a0"  # keeps a number and its sign on one line


def points(share: float, *, toward: Toward = "near") -> str:
    """Return a difference of two shares in percentage points."""
    return percent(share, toward=toward).replace("%", "percentage points")


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
    sentence = f"At {level0(scenario.epsilon0)}"
    if accuracy:
        moves = scenario.sensitivity * scenario.rows_per_person * scenario.statistics
        noise = drawn(whole=False).for_epsilon(scenario.epsilon0, sensitivity=moves)
        numbers = scenario.k * scenario.statistics
        each = "the published number" if numbers == 1 else f"each of {numbers:,} published numbers"
        moved = "" if scenario.sensitivity == 1 else f" and a sensitivity of {amount(scenario.sensitivity, 4)}"
        sentence += (
            f"{moved}, {each} is off by **{amount(noise.mean_error, toward='up')}** on average, and within "
            f"±{amount(noise.error(0.95), toward='up')} in 95 of 100 releases. An"
        )
    else:
        sentence += ", an"
    sentence += (
        f" attacker who knows everyone else's data, 50{_JOIN}% sure that your record was used, becomes at most "
        f"**{_belief(scenario, 1)}** sure"
    )
    if scenario.releases > 1:
        sentence += f" after one release, {_belief(scenario, scenario.releases)} after all {scenario.releases:,}"
    sentence += ". A smaller ε₀ is more private."
    if scenario.epsilon0 > HARDLY_PRIVATE:
        sentence += " **At this setting hardly anyone is protected.**"
    return sentence


def _belief(scenario: Scenario, releases: int) -> str:
    """Return how sure of one true record an attacker can become who was half sure, after so many releases."""
    return percent(strongest_belief(0.5, releases * scenario.epsilon0), toward="up")
