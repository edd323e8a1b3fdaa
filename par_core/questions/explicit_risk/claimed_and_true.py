"""What the sections with the published risk say above and below their charts."""

from __future__ import annotations

from collections.abc import Iterator

from par_core.mechanisms import default_noise
from par_core.questions.blocks import Block, Headline, More, Sentence
from par_core.risk.explicit_curves import RiskAt

THEOREM_4 = "par-theorem-4"


def claimed_and_true(own: RiskAt) -> Iterator[Block]:
    """Say what is claimed and what is true at the reader's setting."""
    if own.epsilon >= own.epsilon0:
        always = "Noise for {own.epsilon0:level0} is always at least as private as {own.epsilon:level}"
        yield Headline(always, own=own, evidence_from=default_noise(own.epsilon0))
        yield Sentence("Choose ε below {own.epsilon0:.4g} to see what the paper claims beyond that.", own=own)
        return
    yield Headline(
        "Privacy loss exceeds {own.epsilon:level} in {own.exact_risk} of releases at worst; the paper claims {own.risk}",
        own=own,
    )
    # There is always a sentence: the chart below keeps its place.
    yield Sentence(
        "That is two-sided, |loss| > ε, with noise for {own.epsilon0:level0} and worst-case neighbouring tables.",
        own=own,
    )


def why_they_differ(own: RiskAt) -> Iterator[Block]:
    """Say why the two numbers are not the same, where they are not."""
    if own.epsilon < own.epsilon0:
        yield More(
            "why",
            "Why is this not what the paper says?",
            (
                Sentence(
                    "*Privacy at Risk* treats the noise seen from the two tables as independent, but it is the same noise. Averaged over "
                    "tables that mostly agree the probability can be less than in the worst case."
                ),
            ),
        )
