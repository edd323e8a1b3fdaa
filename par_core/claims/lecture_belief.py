"""Lecture on the basic mechanisms, pages 3 to 14: belief before and after an answer, and what differential privacy says."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from par_core.claims.catalogue import Claim, Compare, Dial, Paper, Recomputed, worst
from par_core.lab.ten_students import EPSILON, FAILS, QUERIES, student_belief
from par_core.mechanisms import DiscreteLaplace, Exponential, Gaussian, Laplace, RandomisedResponse, max_posterior

_LEVELS = (0.1, 0.5, 1.0, 2.0, 5.0)
_PRIORS = (0.001, 0.1, 0.5, 0.9)
_GIRLS_WHO_PASSED = np.array([0, 1, 1, 2])  # neither, Eva alone, Angie alone, both


def _likelihood() -> Recomputed:
    found = student_belief(QUERIES[2])
    return Recomputed(recomputed=found.after * found.chance / FAILS, case="0.4·0.15 + 0.6·0.25")


def _answer() -> Recomputed:
    found = student_belief(QUERIES[2])
    return Recomputed(
        recomputed=found.chance, case="Angie and Eva fail with 0.4 each, noise of 0 with 0.25 and of ±1 with 0.15"
    )


def _posterior(fails: float) -> Recomputed:
    found = student_belief(QUERIES[2], fails=fails)
    return Recomputed(
        recomputed=found.after,
        case=f"each student fails with {fails:g}: {found.after * found.chance / fails:.4g}·{fails:g}/{found.chance:.4g}",
    )


def _noise(answer: float) -> Recomputed:
    return Recomputed(
        recomputed=np.subtract(_GIRLS_WHO_PASSED, answer),
        exact=np.subtract(answer, _GIRLS_WHO_PASSED),
        case=f"answer {answer:g}; neither girl, one, the other, or both have passed",
    )


def _nothing_learnt() -> Recomputed:
    return worst(
        "equal to",
        max_posterior(_PRIORS, 0.0),
        _PRIORS,
        lambda i: f"ε = 0, belief of {_PRIORS[i]:g} before",
    )


def _equivalence(level: float, prior: float) -> Recomputed:
    """How far the left side lets a belief rise, and how far the right side lets the ratio of the left side."""
    after = 1.0 - np.divide(1.0 - prior, 1.0 + level)  # the bound for the predicate's opposite
    return Recomputed(
        recomputed=(1.0 + level, 1.0 + level),
        exact=(np.divide(after, prior), np.divide(1.0, 1.0 - level)),
        case=f"ε = {level:g}, belief of {prior:g} before: the left side lets it rise to {after:.4g}, the right side lets it fall to"
        f" {(1.0 - level) * prior:.4g}",
    )


def _semantic() -> Recomputed:
    prior, level = (each.ravel() for each in np.meshgrid(_PRIORS, _LEVELS))
    most = max_posterior(prior, level) / prior
    least = prior / (1.0 - max_posterior(1.0 - prior, level))
    return worst(
        "at most",
        np.maximum(most, least),
        np.exp(level),
        lambda i: f"belief of {prior[i]:g} before, ε = {level[i]:g}, an answer at the end of what ε allows",
    )


def _mean_loss() -> Recomputed:
    noise = Laplace(1.0)
    output = np.linspace(-40.0, 41.0, 810_001)
    density = np.exp(noise.log_density(output))
    loss = noise.log_density(output) - noise.log_density(output - 1.0)
    return Recomputed(
        recomputed=np.trapezoid(density * loss, output), exact=noise.mean_loss, case="X and Y: Laplace noise at 0 and 1"
    )


def _renyi(*, under_y: bool) -> Recomputed:
    noise, order = Gaussian(1.0), 2.0
    output = np.linspace(-40.0, 40.0, 80_001)
    log_x, log_y = noise.log_density(output), noise.log_density(output - 1.0)
    mean = np.trapezoid(np.exp(order * (log_x - log_y) + (log_y if under_y else log_x)), output)
    return Recomputed(
        recomputed=np.log(mean) / (order - 1.0),
        exact=0.5 * order * noise.mu**2,
        case=f"α = 2, X and Y: Gaussian noise of σ = 1 at 0 and 1, the mean over {'Y' if under_y else 'X'}",
    )


def _divergence(*, both_orders: bool) -> Recomputed:
    """Two databases under which 'yes' is published with the one probability and the other."""
    loss = np.log([0.1, 0.9]) - np.log([0.01, 0.99])
    reverse = (-loss).max()
    return Recomputed(
        recomputed=max(reverse, loss.max()) if both_orders else reverse,
        exact=np.abs(loss).max(),
        case="'yes' is published with 0.1 under x and with 0.01 under x′",
    )


def _exceeds_delta(level0: float, level: float) -> Recomputed:
    noise = Laplace(level0)
    return Recomputed(
        recomputed=noise.delta(level),
        exact=noise.loss_exceeds(level),
        case=f"Laplace noise, ε0 = {level0:g}, ε = {level:g}",
    )


def _delta_below_chance() -> Recomputed:
    made: tuple[Any, ...] = (Laplace(1.0), Gaussian(1.0), RandomisedResponse(1.0), Exponential(1.0))
    cases = list(product(made, (0.1, 0.5, 0.9)))
    return worst(
        "at most",
        [each.delta(level) for each, level in cases],
        [each.loss_exceeds(level) for each, level in cases],
        lambda i: f"{cases[i][0].name}, ε0 or σ = 1, ε = {cases[i][1]:g}",
    )


def _pointwise(level0: float, level: float) -> Recomputed:
    """By how much the probability of one output, and of a set of outputs, is above e^ε times the neighbour's."""
    noise = DiscreteLaplace(level0)
    at = np.array([0.0, 1.0])  # from 0 down, all outputs have the same ratio, and 0 is the likeliest
    own, other = np.exp(noise.log_density(at))
    return Recomputed(
        recomputed=max(own - np.exp(level) * other, 0.0),
        exact=noise.delta(level),
        case=f"discrete Laplace noise, ε0 = {level0:g}, ε = {level:g}, the counts 0 and 1",
    )


def _reached(off: float, level0: float) -> Recomputed:
    noise = DiscreteLaplace(level0)
    return Recomputed(
        recomputed=noise.exceeds(off),
        exact=noise.exceeds(np.ceil(off) - 1.0),
        case=f"noise in whole numbers, 0 with probability {np.exp(noise.log_density(0.0)):.3g}, α = {off:.4g}",
    )


def _processed() -> Recomputed:
    """Fixed and random mappings of noisy counts to a few outcomes, as tables of probabilities: outcomes × counts."""
    rng, reach = np.random.default_rng(14), 60
    noise, outputs = DiscreteLaplace(1.0), np.arange(-reach, reach + 2)
    known, neighbour = (np.exp(noise.log_density(outputs - count)) for count in (0.0, 1.0))
    thirds = np.eye(41)[(outputs + reach) // 3].T
    mappings: dict[str, NDArray[np.float64]] = {
        "its sign": np.stack([outputs < 0, outputs == 0, outputs > 0]).astype(np.float64),
        "its size": np.eye(reach + 2)[np.abs(outputs)].T,
        "its third, rounded down": thirds,
    } | {f"a random mapping to {many} outcomes": rng.dirichlet(np.ones(many), outputs.size).T for many in (2, 5, 20)}
    cases = list(product(mappings, (0.0, 0.3, 0.7)))
    after = [
        np.maximum(mappings[name] @ known - np.exp(level) * (mappings[name] @ neighbour), 0.0).sum()
        for name, level in cases
    ]
    return worst(
        "at most",
        after,
        [noise.delta(level) for _, level in cases],
        lambda i: f"a count with discrete Laplace noise, ε0 = 1, of which {cases[i][0]} is told; ε = {cases[i][1]:g}",
    )


def _exact_answer() -> Recomputed:
    return Recomputed(exact=student_belief(QUERIES[2]).exact, case="of two girls nobody passed; belief of 0.4 before")


_belief = partial(Claim, paper=Paper.LECTURE, section="1 Belief before and after")
_private = partial(Claim, paper=Paper.LECTURE, section="2 What differential privacy says")

CLAIMS: Final[tuple[Claim, ...]] = (
    _belief(
        id="lecture-exact-answer",
        where="page 4, third query",
        statement="Whoever is told how many female students passed knows that both girls failed.",
        quantity="belief that Angie failed, after the exact answer",
        published="then the analyst will know both girls fail",
        holds_if=Compare("exact", "equal to", 1.0),
        recompute=_exact_answer,
        rests_on=("mechanisms.posterior.updated",),
        more="worse",
        explanation="Only if both failed is the count 0.",
    ),
    _belief(
        id="lecture-answer-if-failed",
        where="page 6",
        statement="If Angie failed, the noisy count of girls who passed is 1 with probability 0.21.",
        quantity="probability of the answer",
        printed="0.21",
        recompute=_likelihood,
        rests_on=("lab.ten_students.student_belief", "mechanisms.DiscreteLaplace.log_density"),
        explanation="Eva fails with 0.4, and the noise is 1; or she passes, and there is none.",
    ),
    _belief(
        id="lecture-answer",
        where="page 6",
        statement="The noisy count of girls who passed is 1 with probability 0.198.",
        quantity="probability of the answer",
        printed="0.198",
        recompute=_answer,
        rests_on=("lab.ten_students.student_belief", "mechanisms.DiscreteLaplace.log_density"),
        explanation="The four ways in which Angie and Eva can fail, each with its noise.",
    ),
    _belief(
        id="lecture-posterior",
        where="page 6",
        statement="After the answer 1 the belief that Angie failed is 0.43.",
        quantity="belief after the answer",
        printed="0.43",
        recompute=_posterior,
        dials=(Dial("Chance that a student fails", FAILS, 0.05, 0.95, holds_at=0.41),),
        rests_on=("mechanisms.posterior.updated",),
        more="worse",
        explanation="0.21·0.4/0.198 is 0.4242: the last digit is wrong.",
    ),
    _belief(
        id="lecture-noise-sign",
        where="page 6",
        statement="The answer 1 means noise of −1 if both girls fail, of 0 if one does, and of 1 if both pass.",
        quantity="noise in the four cases",
        published=(-1.0, 0.0, 0.0, 1.0),
        holds_if=Compare("exact", "equal to", "published"),
        recompute=_noise,
        dials=(Dial("Noisy answer", 1.0, -10.0, 10.0, whole=True),),
        holds_if_turned=Compare("exact", "equal to", "recomputed"),
        rests_on=("numpy.subtract",),
        explanation="The answer is the count plus the noise: where nobody passed, the noise was +1. As printed it is the count less the"
        " answer. The distribution of the noise is symmetric, which saves the numbers.",
    ),
    _belief(
        id="lecture-semantic-nothing",
        where="page 8, note on ε = 0",
        statement="A 0-semantically private mechanism leaves every belief as it was.",
        quantity="strongest belief after an answer (recomputed: before)",
        published="the prior and posterior probability on x_i must be the same",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=_nothing_learnt,
        rests_on=("mechanisms.max_posterior",),
        more="worse",
        explanation="No belief may fall, nor the belief in the opposite.",
    ),
    _belief(
        id="lecture-semantic-equivalence",
        where="page 8, note on small ε",
        statement="A belief falls by a factor of at most 1 + ε, whatever the predicate, if and only if it ends within 1 − ε and 1 + ε"
        " times what it was.",
        quantity="largest rise of a belief under the left side, and largest ratio under the right side, as factors",
        published="≤ 1 + ε ⇔ (1 − ε)·P ≤ P(· | M(x) = y) ≤ (1 + ε)·P",
        recompute=_equivalence,
        dials=(Dial("ε", 0.1, 0.0, 0.9, holds_at=0.0), Dial("Belief before", 0.1, 0.01, 0.99)),
        rests_on=("numpy.divide",),
        more="worse",
        explanation="Neither side follows from the other. The definition bounds how far a belief falls; a small one may rise by more than"
        " its opposite falls: from 0.1 to 0.18 at ε = 0.1. And 1/(1 − ε) is above 1 + ε.",
    ),
    _belief(
        id="lecture-semantic",
        where="page 13, proposition",
        statement="An ε-private release changes a belief about one record by a factor of at most e^ε, up or down.",
        quantity="largest ratio of beliefs before and after",
        published="e^(-ε)·P ≤ P(. | answer) ≤ e^ε·P",
        recompute=_semantic,
        rests_on=("mechanisms.max_posterior",),
        more="worse",
        explanation="Bayes' rule: the answer is at most e^ε times as likely under one record as under the others.",
    ),
    _private(
        id="lecture-mean-divergence",
        where="page 10, note",
        statement="The Kullback-Leibler divergence of X from Y is the mean of the log ratio of their probabilities.",
        quantity="divergence",
        published="D(X ‖ Y) = E ln P(X)/P(Y)",
        holds_if=Compare("exact", "equal to", "recomputed", 1e-6),
        recompute=_mean_loss,
        rests_on=("mechanisms.Laplace.mean_loss", "mechanisms.Laplace.log_density"),
        more="worse",
        explanation="The mean is over the outputs of X. (Printed is a mean over sets of outputs, on which there is no law.)",
    ),
    _private(
        id="lecture-renyi-divergence",
        where="page 10, note",
        statement="The Rényi divergence of order α is ln E[(P(X)/P(Y))^α]/(α − 1).",
        quantity="divergence",
        published="D_α(X ‖ Y) = 1/(α − 1)·ln E[P(X)/P(Y)]^α",
        holds_if=Compare("exact", "equal to", "recomputed", 1e-6),
        recompute=partial(_renyi, under_y=True),
        convention="The mean, of which the line does not say over what it is taken, is over the outputs of Y.",
        as_printed=partial(_renyi, under_y=False),
        rests_on=("mechanisms.Gaussian.mu", "mechanisms.Gaussian.log_density"),
        more="worse",
        explanation="In the line before it the mean is over the outputs of X. Taken so here too, it gives three times the divergence.",
    ),
    _private(
        id="lecture-one-divergence",
        where="page 11, note on (ε, 0)",
        statement="No loss is above ε in size if and only if D∞(M(x′) ‖ M(x)) is at most ε.",
        quantity="largest loss in size (recomputed: the divergence)",
        published="|L| ≤ ε ⇔ D∞(M(x′) ‖ M(x)) ≤ ε ∩ D∞(M(x′) ‖ M(x)) ≤ ε",
        holds_if=Compare("exact", "equal to", "recomputed"),
        recompute=partial(_divergence, both_orders=True),
        convention="'For all neighbouring datasets x and x′' takes each pair in both orders.",
        as_printed=partial(_divergence, both_orders=False),
        rests_on=("numpy.log",),
        more="worse",
        explanation="The same divergence is printed twice; the other direction is meant. For one pair alone one direction says nothing of"
        " the other.",
    ),
    _private(
        id="lecture-approximate",
        where="page 11, note",
        statement="Whatever is (ε, δ)-private loses more than ε with probability δ at most.",
        quantity="P(|loss| > ε) beside the smallest δ",
        published="P(|loss| > ε) ≤ δ",
        recompute=_exceeds_delta,
        dials=(Dial("ε₀ of the noise", 1.0, 0.05, 20.0), Dial("ε", 0.5, 0.0, 20.0, holds_at=1.0)),
        rests_on=("mechanisms.Laplace.loss_exceeds", "mechanisms.Laplace.delta"),
        more="worse",
        explanation="δ is the mean of (1 - e^(ε - loss))₊, less than the probability of a larger loss, for Laplace noise far less.",
    ),
    _private(
        id="lecture-approximate-converse",
        where="page 11, note",
        statement="Where P(|loss| > ε) is at most δ, the mechanism is (ε, δ)-private.",
        quantity="smallest δ beside P(|loss| > ε)",
        published="D^δ ≤ ε",
        recompute=_delta_below_chance,
        rests_on=("mechanisms.Exponential.delta", "mechanisms.Exponential.loss_exceeds"),
        more="worse",
        explanation="The sound direction: δ is a mean of numbers from 0 to 1 that are above 0 only where the loss is larger than ε.",
    ),
    _private(
        id="lecture-approximate-pointwise",
        where="page 11, note, 'also represented as'",
        statement="A mechanism is (ε, δ)-private if no single output is more likely than δ plus e^ε times its probability next door.",
        quantity="smallest δ for sets of outputs (recomputed: for single outputs)",
        published="P(M(x) = y) ≤ δ + e^ε·P(M(x′) = y) ⇔ D^δ ≤ ε",
        recompute=_pointwise,
        dials=(Dial("ε₀ of the noise", 0.1, 0.01, 20.0), Dial("ε", 0.05, 0.0, 20.0, holds_at=0.1)),
        rests_on=("mechanisms.DiscreteLaplace.delta", "mechanisms.DiscreteLaplace.log_density"),
        more="worse",
        explanation="What many outputs have too much adds up, here to ten times as much. With outputs that are not whole numbers every"
        " P(M(x) = y) is 0, and any δ would do. The definition on page 9 speaks of sets.",
    ),
    _private(
        id="lecture-accuracy-reached",
        where="page 12, note",
        statement="What is (α, β)-accurate has an error of α or more with probability β at most.",
        quantity="P(error ≥ α) beside the smallest β",
        published="P(|f(x) − M(x)| ≥ α) ≤ β",
        recompute=_reached,
        dials=(Dial("α", 1.0, 0.5, 20.0, holds_at=1.5), Dial("ε of the noise", EPSILON, 0.05, 5.0)),
        rests_on=("mechanisms.DiscreteLaplace.exceeds",),
        explanation="A slip at the edge, on which nothing rests: by the definition above it an error of α itself is accurate, and it is"
        " P(error > α) that is at most β. With noise in whole numbers, as on page 5, and α a whole number the two differ; with noise that"
        " has a density, as that of the lecture's own bounds, they do not.",
    ),
    _private(
        id="lecture-post-processing",
        where="page 14, proposition",
        statement="What is computed from an (ε, δ)-private release is (ε, δ)-private.",
        quantity="smallest δ after a mapping (recomputed: before), where it is closest",
        published="f ∘ M is (ε, δ)-differentially private",
        recompute=_processed,
        rests_on=("mechanisms.DiscreteLaplace.delta", "mechanisms.DiscreteLaplace.log_density"),
        more="worse",
        explanation="An event of the result is an event of the release, and a random mapping is a mixture of fixed ones. (In the proof the "
        "neighbour's database has lost its prime.)",
    ),
)
